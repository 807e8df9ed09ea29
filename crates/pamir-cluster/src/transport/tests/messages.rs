//! Messages, connections that come and go, and sides that do not behave.
use super::*;

#[test]
fn messages_of_all_classes_go_both_ways() {
    both_ways(|[ta, tb, _]| {
        let (a, b) = pair([ta, tb]);
        a.knows(&b);
        b.saw.connected(1, 1);
        a.saw.connected(2, 1);
        for i in 0..50u32 {
            for class in Class::ALL {
                let mut m = i.to_le_bytes().to_vec();
                m.resize(if class == Class::Control { 100 } else { 4 + 9000 * i as usize }, i as u8);
                a.say(2, class, &m);
                b.say(1, class, &m);
            }
        }
        for (me, other) in [(&a, 2), (&b, 1)] {
            me.saw.until("all messages", |saw| (saw.len() > 150).then_some(()));
            for class in Class::ALL {
                let got = me.saw.messages(other, class);
                assert_eq!(got.len(), 50);
                for (i, m) in got.iter().enumerate() {
                    assert_eq!(m[..4], (i as u32).to_le_bytes());
                    assert!(m[4..].iter().all(|b| *b == i as u8));
                }
            }
            let s = me.status_when(other, "a round trip", |s| s.round_trip.is_some() && s.queued == [0; 3]);
            assert_eq!((s.sent.map(|t| t.messages), s.received.map(|t| t.messages)), ([50; 3], [50; 3]));
            assert_eq!(s.sent, s.received);
            assert!(s.program.starts_with("Pamir ") && s.last_error.is_none() && s.reconnects == 0, "{s:?}");
            assert!(s.clock_ahead.is_some_and(|c| c.abs() < 400_000));
        }
        assert_eq!(a.transport.send(3, Class::Log, vec![]), Err(Refused::Unknown));
        assert_eq!(a.transport.send(2, Class::Control, vec![0; queue::MAX_CONTROL + 1]), Err(Refused::TooLong));
        a.transport.stop();
        assert_eq!(a.transport.send(2, Class::Log, vec![]), Err(Refused::Stopped));
        b.saw.until("lost", |saw| saw.iter().any(|s| matches!(s, Saw::Lost(1, _))).then_some(()));
    });
}

#[test]
fn three_nodes_that_all_dial() {
    both_ways(|[ta, tb, tc]| {
        let nodes = [Node::new(1, ta), Node::new(2, tb), Node::new(3, tc)];
        for x in &nodes {
            for y in nodes.iter().filter(|y| y.id() != x.id()) {
                x.knows(y);
            }
        }
        for x in &nodes {
            for y in nodes.iter().filter(|y| y.id() != x.id()) {
                x.say(y.id(), Class::Log, &x.id().to_le_bytes());
            }
        }
        for x in &nodes {
            for y in nodes.iter().filter(|y| y.id() != x.id()) {
                x.saw.until("a word of each", |saw| {
                    saw.contains(&Saw::Received(y.id(), Class::Log, y.id().to_le_bytes().to_vec())).then_some(())
                });
            }
        }
    });
}

#[test]
fn of_two_that_dial_at_once_one_connection_stays_and_nothing_is_lost() {
    both_ways(|[ta, tb, _]| {
        for round in 0..15 {
            let (a, b) = pair([ta.clone(), tb.clone()]);
            let barrier = std::sync::Barrier::new(2);
            std::thread::scope(|s| {
                for (x, y) in [(&a, &b), (&b, &a)] {
                    let barrier = &barrier;
                    s.spawn(move || {
                        barrier.wait();
                        x.knows(y);
                        // These wait for whichever connection comes.
                        for i in 0..200u32 {
                            x.transport.send(y.id(), Class::Log, i.to_le_bytes().to_vec()).unwrap();
                        }
                    });
                }
            });
            for (me, other) in [(&a, 2), (&b, 1)] {
                me.saw.until("200 messages", |saw| {
                    let n = saw.iter().filter(|s| matches!(s, Saw::Received(..))).count();
                    (n >= 200).then_some(())
                });
                let got = me.saw.messages(other, Class::Log);
                assert!(
                    got.iter().map(|m| m[..].to_vec()).eq((0..200u32).map(|i| i.to_le_bytes().to_vec())),
                    "round {round}"
                );
            }
            if round % 5 == 0 {
                // Whatever was on its way has arrived by then.
                std::thread::sleep(Duration::from_millis(500));
            }
            for (me, other) in [(&a, 2), (&b, 1)] {
                assert_eq!(me.saw.count(|s| *s == Saw::Connected(other)), 1, "round {round}");
                assert_eq!(me.saw.count(|s| matches!(s, Saw::Lost(..))), 0, "round {round}");
            }
        }
    });
}

#[test]
fn a_node_that_comes_back_is_found() {
    both_ways(|[ta, tb, _]| {
        let (a, b) = pair([ta, tb.clone()]);
        a.knows(&b);
        a.saw.connected(2, 1);
        let address = b.transport.local_addr();
        drop(b);
        a.saw.until("lost", |saw| saw.iter().any(|s| matches!(s, Saw::Lost(2, _))).then_some(()));
        // Refused as soon as an attempt has failed.
        a.status_when(2, "refused", |_| a.transport.send(2, Class::Log, vec![1]) == Err(Refused::Away));
        let b = Node::with(Config { listen: address, ..config(2, tb) });
        a.saw.connected(2, 2);
        a.say(2, Class::Log, b"again");
        b.saw.until("a message", |saw| saw.contains(&Saw::Received(1, Class::Log, b"again".to_vec())).then_some(()));
        let s = a.status_when(2, "reconnected", |s| s.connected_since.is_some());
        assert_eq!(s.reconnects, 1);
        assert!(s.last_error.is_some());
        // Removed, it is left alone.
        a.transport.remove_peer(2);
        a.saw.until("gone", |saw| (saw.iter().filter(|s| matches!(s, Saw::Lost(2, _))).count() == 2).then_some(()));
        b.saw.until("gone", |saw| saw.iter().any(|s| matches!(s, Saw::Lost(1, _))).then_some(()));
        assert!(a.transport.status().is_empty());
        assert_eq!(a.transport.send(2, Class::Log, vec![]), Err(Refused::Unknown));
    });
}

#[test]
fn a_peer_that_stops_reading_costs_what_the_limits_say() {
    let mut small = config(1, None);
    small.limits = Limits { control: 64 << 10, log: 8 << 20, bulk: 4 << 20 };
    let (a, b) = (Node::with(small), Node::new(2, None));
    a.knows(&b);
    a.saw.connected(2, 1);
    b.saw.stuck.store(true, Ordering::SeqCst);
    for class in [Class::Log, Class::Bulk, Class::Control] {
        let message = vec![1; if class == Class::Control { 8 << 10 } else { 1 << 20 }];
        let mut n = 0;
        let end = Instant::now() + PATIENCE;
        // The kernel takes some, then the queue.
        let refused = loop {
            match a.transport.send(2, class, message.clone()) {
                Ok(()) => n += 1,
                Err(e) => break e,
            }
            assert!(n < 1000 && Instant::now() < end);
        };
        assert!(matches!(refused, Refused::Full | Refused::Away), "{refused:?}");
    }
    let queued = a.transport.status()[0].queued;
    assert!(queued[0] <= 64 << 10 && queued[1] <= 8 << 20 && queued[2] <= 4 << 20, "{queued:?}");
    // Nothing comes from it either: it is dead, and what waited is dropped.
    a.saw.until("lost", |saw| {
        saw.iter().any(|s| matches!(s, Saw::Lost(2, why) if why.contains("nothing came"))).then_some(())
    });
    b.saw.stuck.store(false, Ordering::SeqCst);
    a.saw.connected(2, 2);
    a.say(2, Class::Control, b"well?");
    b.saw.until("a message", |saw| saw.contains(&Saw::Received(1, Class::Control, b"well?".to_vec())).then_some(()));
}

#[test]
fn a_handler_that_keeps_messages_slows_their_class_down() {
    let (a, b) = pair([None, None]);
    a.knows(&b);
    a.saw.connected(2, 1);
    b.saw.keeps.store(true, Ordering::SeqCst);
    // More than a window.
    let total = 40;
    for i in 0..total {
        a.say(2, Class::Log, &vec![i as u8; 1 << 20]);
    }
    let log = |saw: &[Saw]| saw.iter().filter(|s| matches!(s, Saw::Received(_, Class::Log, _))).count();
    b.saw.until("a window", |saw| (log(saw) >= 15).then_some(()));
    // The rest stays where it is, and heartbeats pass.
    a.say(2, Class::Control, b"passes");
    b.saw.until("a heartbeat", |saw| saw.contains(&Saw::Received(1, Class::Control, b"passes".to_vec())).then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    let kept = b.saw.kept.lock().iter().map(|m| m.len()).sum::<usize>();
    assert!(kept <= link::window(Class::Log) as usize + (3 << 20), "{kept} bytes kept");
    assert!(a.transport.status()[0].queued[1] >= 20 << 20);
    b.saw.keeps.store(false, Ordering::SeqCst);
    b.saw.kept.lock().clear();
    b.saw.until("the rest", |saw| (log(saw) == total).then_some(()));
}

#[test]
fn damage_closes_one_connection_and_no_other() {
    let (a, b) = pair([None, None]);
    a.knows(&b);
    a.saw.connected(2, 1);
    for seed in 0..20 {
        let mut rng = pamir_testkit::chance::Rng::new(seed);
        let mut s = TcpStream::connect(a.transport.local_addr()).unwrap();
        s.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut bytes = rng.bytes(200, 256);
        // Not a frame that is long in coming.
        bytes[..4].copy_from_slice(&[0xff; 4]);
        s.write_all(&bytes).unwrap();
        let mut said = Vec::new();
        let _ = s.read_to_end(&mut said);
        let f = frame::read(&said).unwrap().unwrap();
        assert_eq!(f.kind, frame::Kind::Refused, "it says why");
    }
    assert_eq!(a.transport.counters().violations, 20);
    // Those that say nothing are not waited for.
    let silent: Vec<_> = (0..MAX_GREETING + 5).map(|_| TcpStream::connect(a.transport.local_addr()).unwrap()).collect();
    for mut s in silent {
        s.set_read_timeout(Some(PATIENCE)).unwrap();
        assert!(!matches!(s.read(&mut [0]), Ok(1..)), "closed");
    }
    a.say(2, Class::Log, b"still there");
    b.saw.until("a message", |saw| saw.contains(&Saw::Received(1, Class::Log, b"still there".to_vec())).then_some(()));
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Lost(..))), 0);
}

/// A node that does what a test says, over a socket that blocks.
struct Puppet {
    socket: TcpStream,
    link: link::Link,
    events: Vec<link::Event>,
}

impl Puppet {
    const NOW: Now = Now { at: Duration::ZERO, clock: 0 };
    fn new(socket: TcpStream, link: link::Link) -> Puppet {
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Puppet { socket, link, events: Vec::new() }
    }
    fn hello(attempt: u64) -> Hello {
        Hello { boot: 77, attempt, ..Hello::new(&Identity::new(CLUSTER, 9, "puppet:1"), Purpose::Peer, 0) }
    }
    fn dial(to: &Node, attempt: u64) -> Puppet {
        let link = link::Link::dial(&Puppet::hello(attempt), queue::Held::new(|| {}), Puppet::NOW);
        let mut p = Puppet::new(TcpStream::connect(to.transport.local_addr()).unwrap(), link);
        p.flush();
        p
    }
    fn accept(from: &TcpListener) -> Puppet {
        let link = link::Link::accept(VERSIONS, queue::Held::new(|| {}), Puppet::NOW);
        let mut p = Puppet::new(from.accept().unwrap().0, link);
        assert!(matches!(p.event(), link::Event::Hello(_)));
        p.link.answer(&Hello { answer: true, ..Puppet::hello(0) });
        p.flush();
        p
    }
    fn flush(&mut self) {
        self.socket.write_all(self.link.output()).unwrap();
        let n = self.link.output().len();
        self.link.went(n, Puppet::NOW);
    }
    /// The next event; panics at the end of the connection.
    fn event(&mut self) -> link::Event {
        let mut buf = [0; 4096];
        while self.events.is_empty() {
            let n = self.socket.read(&mut buf).unwrap();
            assert!(n > 0, "closed");
            self.link.receive(&buf[..n], Puppet::NOW, &mut self.events).unwrap();
        }
        self.events.remove(0)
    }
}

#[test]
fn a_dial_that_was_given_up_changes_nothing_and_a_new_one_takes_over() {
    let a = Node::new(1, None);
    let mut first = Puppet::dial(&a, 5);
    assert!(matches!(first.event(), link::Event::Hello(h) if h.node == 1 && h.answer));
    a.saw.connected(9, 1);
    // Late, from before the first one.
    for attempt in [5, 4] {
        let mut late = Puppet::dial(&a, attempt);
        assert!(matches!(late.event(), link::Event::Refused(r) if r.second));
    }
    a.say(9, Class::Log, b"x");
    let message = |p: &mut Puppet| loop {
        if let link::Event::Message(_, m) = p.event() {
            return m.into_vec();
        }
    };
    first.link.open(Puppet::NOW);
    assert_eq!(message(&mut first), b"x");
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Lost(..))), 0);
    // A new one: the first must be dead there.
    let mut new = Puppet::dial(&a, 6);
    assert!(matches!(new.event(), link::Event::Hello(_)));
    new.link.open(Puppet::NOW);
    a.saw.connected(9, 2);
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Lost(9, why) if why.contains("new connection"))), 1);
    a.say(9, Class::Log, b"y");
    assert_eq!(message(&mut new), b"y");
    let end = first.socket.read(&mut [0; 100]);
    assert!(!matches!(end, Ok(1..)), "closed");
}

#[test]
fn what_waited_is_dropped_with_its_connection() {
    let a = Node::new(1, None);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    a.transport.set_peer(9, &listener.local_addr().unwrap().to_string());
    let deaf = Puppet::accept(&listener);
    a.saw.connected(9, 1);
    for _ in 0..30 {
        a.say(9, Class::Log, &vec![1; 1 << 20]);
    }
    assert!(a.transport.status()[0].queued[1] > 0);
    drop(deaf);
    a.saw.until("lost", |saw| saw.iter().any(|s| matches!(s, Saw::Lost(9, _))).then_some(()));
    a.say(9, Class::Log, b"new");
    let mut again = Puppet::accept(&listener);
    let first = loop {
        if let link::Event::Message(_, m) = again.event() {
            break m.into_vec();
        }
    };
    assert!(first == b"new", "{} bytes of before", first.len());
}
