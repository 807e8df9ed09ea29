//! Transports over real sockets on 127.0.0.1, plain and with TLS.
use super::*;
use crate::cert;
use pamir_error::error::state;
use std::collections::HashSet;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, OnceLock};
use std::time::{Instant, SystemTime};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);
const CLUSTER: [u8; 16] = *b"one test cluster";

#[derive(Clone, PartialEq, Debug)]
enum Saw {
    Received(NodeId, Class, Vec<u8>),
    Connected(NodeId),
    Lost(NodeId, String),
    Clock(NodeId, i64),
    Relayed(NodeId, String),
}

/// A handler that writes down what it sees.
#[derive(Default)]
struct Witness {
    saw: std::sync::Mutex<Vec<Saw>>,
    bell: Condvar,
    removed: Mutex<HashSet<NodeId>>,
    /// Messages are kept, not taken.
    keeps: AtomicBool,
    kept: Mutex<Vec<Message>>,
    /// The handler does what it must not: it waits.
    stuck: AtomicBool,
    streams: Mutex<Vec<JoinHandle<()>>>,
}
impl Witness {
    fn see(&self, s: Saw) {
        self.saw.lock().unwrap().push(s);
        self.bell.notify_all();
    }
    /// Waits until what was seen is as it should be.
    fn until<R>(&self, what: &str, mut seen: impl FnMut(&[Saw]) -> Option<R>) -> R {
        let end = Instant::now() + PATIENCE;
        let mut saw = self.saw.lock().unwrap();
        loop {
            if let Some(r) = seen(&saw) {
                return r;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "still waiting: {what}; {} events, the last {:?}", saw.len(), saw.last());
            saw = self.bell.wait_timeout(saw, left).unwrap().0;
        }
    }
    fn count(&self, what: impl Fn(&Saw) -> bool) -> usize {
        self.saw.lock().unwrap().iter().filter(|s| what(s)).count()
    }
    fn connected(&self, to: NodeId, times: usize) {
        self.until("connected", |saw| {
            (saw.iter().filter(|s| **s == Saw::Connected(to)).count() >= times).then_some(())
        });
    }
    fn messages(&self, from: NodeId, class: Class) -> Vec<Vec<u8>> {
        let one = |s: &Saw| match s {
            Saw::Received(f, c, m) if *f == from && *c == class => Some(m.clone()),
            _ => None,
        };
        self.saw.lock().unwrap().iter().filter_map(one).collect()
    }
}
impl Handler for Witness {
    fn received(&self, from: NodeId, class: Class, message: Message) {
        while self.stuck.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if self.keeps.load(Ordering::SeqCst) {
            self.see(Saw::Received(from, class, message.to_vec()));
            self.kept.lock().push(message);
        } else {
            self.see(Saw::Received(from, class, message.into_vec()));
        }
    }
    fn connected(&self, peer: &Hello) {
        self.see(Saw::Connected(peer.node));
    }
    fn lost(&self, peer: NodeId, why: &Error) {
        self.see(Saw::Lost(peer, why.message().to_string()));
    }
    fn clock_off(&self, peer: NodeId, micros: i64) {
        self.see(Saw::Clock(peer, micros));
    }
    fn admit(&self, hello: &Hello) -> Result<()> {
        if self.removed.lock().contains(&hello.node) {
            return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "node {} was removed from the cluster", hello.node));
        }
        Ok(())
    }
    fn request(&self, hello: &Hello, mut message: Vec<u8>) -> Vec<u8> {
        message.reverse();
        message.push(hello.node as u8);
        message
    }
    fn relayed(&self, hello: Hello, mut stream: RelayedStream) {
        self.see(Saw::Relayed(hello.node, hello.payload));
        // An echo, until the other side ends.
        let echo = move || {
            let mut buf = [0; 3000];
            loop {
                match stream.read(&mut buf) {
                    Ok(0) => return stream.finish(),
                    Ok(n) => patiently(&mut stream, &buf[..n]),
                    Err(e) if e.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(1)),
                    Err(e) => panic!("{e}"),
                }
            }
        };
        self.streams.lock().push(std::thread::spawn(echo));
    }
}
/// Writes all to a socket that does not block.
fn patiently(stream: &mut RelayedStream, mut bytes: &[u8]) {
    loop {
        let r = if bytes.is_empty() { stream.flush().map(|()| 0) } else { stream.write(bytes) };
        match r {
            Ok(_) if bytes.is_empty() => return,
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(1)),
            Err(e) => panic!("{e}"),
        }
    }
}

struct Node {
    transport: Arc<Transport>,
    saw: Arc<Witness>,
}
impl Node {
    fn with(config: Config) -> Node {
        let saw = Arc::new(Witness::default());
        Node { transport: Transport::start(config, saw.clone()).unwrap(), saw }
    }
    fn new(id: NodeId, tls: Option<Tls>) -> Node {
        Node::with(config(id, tls))
    }
    fn address(&self) -> String {
        self.transport.local_addr().to_string()
    }
    fn id(&self) -> NodeId {
        self.transport.identity().node
    }
    fn knows(&self, other: &Node) {
        self.transport.set_peer(other.id(), &other.address());
    }
    /// Waits for an error of connecting to the node.
    fn error(&self, peer: NodeId) -> Error {
        self.status_when(peer, "an error", |s| s.last_error.is_some()).last_error.unwrap().0
    }
    fn status_when(&self, peer: NodeId, what: &str, is: impl Fn(&PeerStatus) -> bool) -> PeerStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            let s = self.transport.status().into_iter().find(|s| s.node == peer);
            match s {
                Some(s) if is(&s) => return s,
                s => assert!(Instant::now() < end, "still waiting: {what}; {s:?}"),
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    /// Sends, also where a connection is yet to come.
    fn say(&self, to: NodeId, class: Class, message: &[u8]) {
        let end = Instant::now() + PATIENCE;
        while let Err(e) = self.transport.send(to, class, message.to_vec()) {
            assert!(Instant::now() < end && matches!(e, Refused::Away | Refused::Full), "{e}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
fn config(id: NodeId, tls: Option<Tls>) -> Config {
    let mut me = Identity::new(CLUSTER, id, "");
    me.tls = tls;
    Config::new(me, "127.0.0.1:0".parse().unwrap())
}
fn pair(tls: [Option<Tls>; 2]) -> (Node, Node) {
    let [a, b] = tls;
    (Node::new(1, a), Node::new(2, b))
}

/// Certificates of one authority.
struct Authority(tempfile::TempDir);
impl Authority {
    fn new() -> Authority {
        let dir = tempfile::tempdir().unwrap();
        cert::make_ca(dir.path(), 30).unwrap();
        Authority(dir)
    }
    fn load(&self, name: &str) -> Tls {
        let (crt, key): (PathBuf, PathBuf) = cert::node_files(self.0.path(), name);
        Tls::load(&self.0.path().join(cert::CA_CERTIFICATE), &crt, &key).unwrap()
    }
    fn node(&self, name: &str) -> Tls {
        cert::make_node(self.0.path(), name, &["127.0.0.1".into(), "localhost".into()], 10).unwrap();
        self.load(name)
    }
}
/// With TLS and without.
fn both_ways(test: impl Fn([Option<Tls>; 3])) {
    test([None, None, None]);
    let ca = Authority::new();
    test([Some(ca.node("a")), Some(ca.node("b")), Some(ca.node("c"))]);
}

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
fn versions_that_do_not_meet_are_named_on_both_sides() {
    let mut old = config(1, None);
    old.identity = old.identity.versions(1, 2);
    let mut new = config(2, None);
    new.identity = new.identity.versions(3, 5);
    let (a, b) = (Node::with(old), Node::with(new));
    a.knows(&b);
    b.knows(&a);
    for e in [a.error(2), b.error(1)] {
        assert_eq!(e.code(), state::FEATURE_NOT_SUPPORTED, "{e:?}");
        let detail = e.data().detail.clone().unwrap();
        assert!(detail.contains("versions 1 to 2") && detail.contains("versions 3 to 5"), "{detail}");
    }
    // The one in between speaks with both, each in its own.
    let mut between = config(3, None);
    between.identity = between.identity.versions(2, 4);
    let c = Node::with(between);
    c.knows(&a);
    c.knows(&b);
    c.saw.connected(1, 1);
    c.saw.connected(2, 1);
}

#[test]
fn strangers_are_refused_with_a_reason_on_both_sides() {
    let a = Node::new(1, None);
    let mut other = config(2, None);
    other.identity.cluster = *b"another cluster!";
    let b = Node::with(other);
    a.knows(&b);
    b.knows(&a);
    for e in [a.error(2), b.error(1)] {
        assert_eq!(e.code(), state::INVALID_AUTHORIZATION_SPECIFICATION);
        assert!(e.message().contains("another cluster"), "{}", e.message());
    }
    // The same id twice; itself; another id than was said.
    let twin = Node::new(1, None);
    twin.transport.set_peer(9, &a.address());
    let e = twin.error(9);
    assert!(e.message().contains("the same node id, 1"), "{}", e.message());
    a.transport.set_peer(8, &a.address());
    assert!(a.error(8).message().contains("the same node id, 1"));
    let c = Node::new(3, None);
    a.transport.set_peer(4, &c.address());
    assert!(a.error(4).message().ends_with("is node 3, not node 4"), "{}", a.error(4).message());
    // One that was removed.
    a.saw.removed.lock().insert(5);
    let d = Node::new(5, None);
    d.knows(&a);
    let e = d.error(1);
    assert!(e.message().ends_with("node 5 was removed from the cluster"), "{}", e.message());
    let n = a.transport.counters();
    assert!(n.refused > 0 && n.refused_by_others > 0 && n.violations == 0, "{n:?}");
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Connected(1 | 2 | 5 | 9))), 0);
}

#[test]
fn certificates_are_looked_at_by_both_sides() {
    let ca = Authority::new();
    let day = Duration::from_secs(86_400);
    let now = SystemTime::now();
    cert::make_node_between(ca.0.path(), "old", &["127.0.0.1".into()], now - 9 * day, now - day).unwrap();
    let (a, b) = pair([Some(ca.node("a")), Some(ca.load("old"))]);
    a.knows(&b);
    b.knows(&a);
    let (ea, eb) = (a.error(2), b.error(1));
    assert_eq!(
        (ea.code(), eb.code()),
        (state::INVALID_AUTHORIZATION_SPECIFICATION, state::INVALID_AUTHORIZATION_SPECIFICATION)
    );
    let expired = ca.load("old").own().expires();
    assert!(
        ea.message().ends_with(&format!("expired on {expired}")) && ea.message().contains(&b.address()),
        "{}",
        ea.message()
    );
    assert!(
        eb.message().contains(&a.address()) && eb.message().ends_with(&format!("which expired on {expired}")),
        "{}",
        eb.message()
    );

    // Of another authority.
    let other = Authority::new();
    let c = Node::new(3, Some(other.node("c")));
    a.knows(&c);
    c.knows(&a);
    for e in [a.error(3), c.error(1)] {
        assert_eq!(e.code(), state::INVALID_AUTHORIZATION_SPECIFICATION);
        assert!(e.message().contains("not signed by"), "{}", e.message());
    }
    // For another host.
    cert::make_node(ca.0.path(), "d", &["elsewhere.example".into()], 10).unwrap();
    let d = Node::new(4, Some(ca.load("d")));
    a.knows(&d);
    let e = a.error(4);
    assert!(
        e.message().ends_with("is for another host") && e.data().detail.as_ref().unwrap().contains("elsewhere"),
        "{e:?}"
    );
    // One side with TLS, the other without.
    let p = Node::new(5, None);
    a.knows(&p);
    p.knows(&a);
    for e in [a.error(5), p.error(1)] {
        assert!(e.message().contains("TLS"), "{}", e.message());
    }
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Connected(_))), 0);
}

#[test]
fn plain_connections_stay_on_this_machine() {
    let all = "0.0.0.0:0".parse().unwrap();
    let saw = Arc::new(Witness::default());
    let e = Transport::start(Config { listen: all, ..config(1, None) }, saw.clone()).map(|_| ()).unwrap_err();
    assert_eq!(e.code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
    let mut open = Config { listen: all, ..config(1, None) };
    open.identity.insecure = true;
    drop(Transport::start(open, saw).unwrap());
    let a = Node::new(1, None);
    a.transport.set_peer(2, "192.0.2.1:1");
    assert_eq!(a.error(2).code(), state::OBJECT_NOT_IN_PREREQUISITE_STATE);
    a.transport.set_peer(3, "no address");
    assert_eq!(a.error(3).code(), state::INVALID_PARAMETER_VALUE);
    // A port on which nobody listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    a.transport.set_peer(4, &free.to_string());
    let e = a.error(4);
    assert!(e.code() == state::CONNECTION_FAILURE && e.message().contains("connection refused"), "{e:?}");
    // A name is looked up.
    let b = Node::new(5, None);
    a.transport.set_peer(5, &format!("localhost:{}", b.transport.local_addr().port()));
    a.saw.connected(5, 1);
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

#[test]
fn clocks_that_differ_are_reported() {
    #[derive(Debug)]
    struct Ahead(i64);
    impl Platform for Ahead {
        fn time(&self) -> i64 {
            Real.time() + self.0
        }
        fn random(&self, out: &mut [u8]) -> Result<()> {
            Real.random(out)
        }
        fn processors(&self) -> usize {
            1
        }
    }
    let hour = 3_600_000_000;
    let a = Node::new(1, None);
    let b = Node::with(Config { platform: Arc::new(Ahead(hour)), ..config(2, None) });
    a.knows(&b);
    let off = |me: &Node, other: NodeId| {
        me.saw.until("a clock", |saw| {
            saw.iter().find_map(|s| if let Saw::Clock(n, micros) = s { (*n == other).then_some(*micros) } else { None })
        })
    };
    let (ahead, behind) = (off(&a, 2), off(&b, 1));
    assert!((ahead - hour).abs() < 60_000_000 && (behind + hour).abs() < 60_000_000, "{ahead} {behind}");
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(a.saw.count(|s| matches!(s, Saw::Clock(..))), 1, "said once");
}

#[test]
fn a_question_of_one_who_is_not_in_yet() {
    both_ways(|[ta, tb, _]| {
        let a = Node::new(1, ta);
        let mut me = Identity::new([0; 16], 0, "127.0.0.1:1");
        me.tls = tb;
        for len in [0, 5, 700_000] {
            let question: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut want = question.clone();
            want.reverse();
            want.push(0);
            assert_eq!(ask(&me, &a.address(), &question, PATIENCE).unwrap(), want);
        }
        me.cluster = *b"another cluster!";
        let e = ask(&me, &a.address(), b"?", PATIENCE).unwrap_err();
        assert!(
            e.code() == state::INVALID_AUTHORIZATION_SPECIFICATION && e.message().contains("another cluster"),
            "{e:?}"
        );
        me = me.versions(7, 9);
        let e = ask(&me, &a.address(), b"?", PATIENCE).unwrap_err();
        assert!(
            e.code() == state::FEATURE_NOT_SUPPORTED && e.data().detail.as_ref().unwrap().contains("7 to 9"),
            "{e:?}"
        );
        // Somebody who does not answer.
        let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
        let e = ask(&me, &deaf.local_addr().unwrap().to_string(), b"?", Duration::from_millis(200)).unwrap_err();
        assert!(e.message().ends_with("did not answer in time"), "{e:?}");
    });
}

#[test]
fn a_stream_between_two_nodes() {
    both_ways(|[ta, tb, _]| {
        let (a, b) = pair([ta, tb]);
        let mut stream = open_relay(a.transport.identity(), &b.address(), "10.1.2.3:456", PATIENCE).unwrap();
        assert_eq!(stream.hello.node, 2);
        b.saw.until("a stream", |saw| saw.contains(&Saw::Relayed(1, "10.1.2.3:456".into())).then_some(()));
        let sent: Vec<u8> = (0..3_000_000u32).map(|i| (i / 7) as u8).collect();
        let mut got = Vec::new();
        let (mut rest, mut buf) = (&sent[..], vec![0; 10_000]);
        let end = Instant::now() + PATIENCE;
        while got.len() < sent.len() {
            assert!(Instant::now() < end);
            let mut idle = true;
            let r = if rest.is_empty() {
                stream.flush().map(|()| 0)
            } else {
                stream.write(&rest[..rest.len().min(50_000)])
            };
            match r {
                Ok(n) => (rest, idle) = (&rest[n..], n == 0),
                Err(e) => assert_eq!(e.kind(), ErrorKind::WouldBlock),
            }
            match stream.read(&mut buf) {
                Ok(0) => panic!("the end"),
                Ok(n) => {
                    got.extend_from_slice(&buf[..n]);
                    idle = false;
                }
                Err(e) => assert_eq!(e.kind(), ErrorKind::WouldBlock),
            }
            if idle {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        assert!(got == sent);
        stream.finish();
        loop {
            match stream.read(&mut buf) {
                Ok(0) => break,
                Ok(n) => panic!("{n} bytes more"),
                Err(e) => assert_eq!(e.kind(), ErrorKind::WouldBlock),
            }
            assert!(Instant::now() < end);
            std::thread::sleep(Duration::from_millis(1));
        }
        for t in b.saw.streams.lock().drain(..) {
            t.join().unwrap();
        }
        // A removed node has no clients to pass on.
        b.saw.removed.lock().insert(1);
        let e = open_relay(a.transport.identity(), &b.address(), "x", PATIENCE).map(|_| ()).unwrap_err();
        assert!(e.message().ends_with("node 1 was removed from the cluster"), "{e:?}");
    });
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

/// Sends every message back; counts, and says when there were enough.
#[derive(Default)]
struct Echo {
    transport: OnceLock<Arc<Transport>>,
    left: AtomicUsize,
    done: Condvar,
    over: std::sync::Mutex<bool>,
    ready: AtomicBool,
}
impl Handler for Echo {
    fn received(&self, from: NodeId, class: Class, message: Message) {
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if left == 1 {
            *self.over.lock().unwrap() = true;
            self.done.notify_all();
        }
        if left != 1
            && let Some(t) = self.transport.get()
        {
            t.send(from, class, message.into_vec()).unwrap();
        }
    }
    fn connected(&self, _: &Hello) {
        self.ready.store(true, Ordering::SeqCst);
    }
    fn lost(&self, _: NodeId, _: &Error) {}
    fn clock_off(&self, _: NodeId, _: i64) {}
    fn admit(&self, _: &Hello) -> Result<()> {
        Ok(())
    }
    fn request(&self, _: &Hello, _: Vec<u8>) -> Vec<u8> {
        Vec::new()
    }
    fn relayed(&self, _: Hello, _: RelayedStream) {}
}
impl Echo {
    /// Sends one message and waits until it has gone to and fro so often.
    fn run(&self, to: NodeId, trips: usize) -> Duration {
        *self.over.lock().unwrap() = false;
        self.left.store(trips, Ordering::SeqCst);
        let start = Instant::now();
        self.transport.get().unwrap().send(to, Class::Log, vec![5; 200]).unwrap();
        let mut over = self.over.lock().unwrap();
        while !*over {
            over = self.done.wait(over).unwrap();
        }
        start.elapsed()
    }
}
/// Two transports that send messages back, connected.
fn echoes([ta, tb]: [Option<Tls>; 2]) -> ([Arc<Transport>; 2], Arc<Echo>) {
    let (a, b) = (Arc::new(Echo::default()), Arc::new(Echo::default()));
    let t = [(1, ta, &a), (2, tb, &b)].map(|(id, tls, echo)| {
        let t = Transport::start(config(id, tls), echo.clone()).unwrap();
        assert!(echo.transport.set(t.clone()).is_ok());
        t
    });
    t[0].set_peer(2, &t[1].local_addr().to_string());
    while !(a.ready.load(Ordering::SeqCst) && b.ready.load(Ordering::SeqCst)) {
        std::thread::sleep(Duration::from_millis(1));
    }
    b.left.store(usize::MAX, Ordering::SeqCst);
    (t, a)
}

#[test]
fn the_thread_wakes_for_what_is_sent() {
    let (t, a) = echoes([None, None]);
    let start = Instant::now();
    for trips in 1..400 {
        a.run(2, 1 + trips % 3);
    }
    // If the bell were not rung, each would wait for the next ping.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    for t in t {
        t.stop();
    }
}

#[test]
fn a_handler_that_panics_ends_the_transport_and_not_silently() {
    struct Bomb(Witness);
    impl Handler for Bomb {
        fn received(&self, _: NodeId, _: Class, _: Message) {
            panic!("of a test");
        }
        fn connected(&self, peer: &Hello) {
            Handler::connected(&self.0, peer);
        }
        fn lost(&self, _: NodeId, _: &Error) {}
        fn clock_off(&self, _: NodeId, _: i64) {}
        fn admit(&self, _: &Hello) -> Result<()> {
            Ok(())
        }
        fn request(&self, _: &Hello, m: Vec<u8>) -> Vec<u8> {
            m
        }
        fn relayed(&self, _: Hello, _: RelayedStream) {}
    }
    let a = Node::new(1, None);
    let b = Transport::start(config(2, None), Arc::new(Bomb(Witness::default()))).unwrap();
    a.transport.set_peer(2, &b.local_addr().to_string());
    a.say(2, Class::Log, b"x");
    let end = Instant::now() + PATIENCE;
    while b.send(1, Class::Log, vec![]) != Err(Refused::Stopped) {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(2));
    }
    b.stop();
}

/// What the kernel alone takes: 200 bytes to and fro between two threads that block in reads.
fn bare(trips: usize) -> Duration {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut here = listener.accept().unwrap().0;
    let trip = move |s: &mut TcpStream, first: bool| {
        let mut buf = [0; 200];
        if first {
            s.write_all(&buf).unwrap();
        }
        s.read_exact(&mut buf).unwrap();
        if !first {
            s.write_all(&buf).unwrap();
        }
    };
    for s in [&here, &there] {
        s.set_nodelay(true).unwrap();
    }
    let echo = std::thread::spawn(move || (0..trips).for_each(|_| trip(&mut there, false)));
    let start = Instant::now();
    (0..trips).for_each(|_| trip(&mut here, true));
    let took = start.elapsed();
    echo.join().unwrap();
    took
}

/// `cargo test -p pamir-cluster --release -- --ignored --nocapture latency`
#[test]
#[ignore = "it measures"]
fn latency() {
    const TRIPS: usize = 20_000;
    println!(
        "two threads over a socket, without anything: {:.1} us a round trip",
        bare(TRIPS).as_secs_f64() * 1e6 / TRIPS as f64
    );
    both_ways(|[ta, tb, _]| {
        let tls = ta.is_some();
        let (t, a) = echoes([ta, tb]);
        a.run(2, 1000);
        let between = a.run(2, TRIPS);
        let mut each: Vec<Duration> = (0..TRIPS / 4).map(|_| a.run(2, 1)).collect();
        each.sort_unstable();
        println!(
            "{}: {:.1} us a round trip from handler to handler; from another thread and back to it {:.1} us (median), {:.1} us (99%)",
            if tls { "TLS" } else { "plain" },
            between.as_secs_f64() * 1e6 / TRIPS as f64,
            each[each.len() / 2].as_secs_f64() * 1e6,
            each[each.len() * 99 / 100].as_secs_f64() * 1e6,
        );
        for t in t {
            t.stop();
        }
    });
}
