//! Two links over a simulated pipe, and one link over bytes that nobody should send.
use super::frame::{self, HEADER, Kind, MAX_FRAME, MORE};
use super::hello::{Hello, Purpose, Refusal};
use super::link::{DEAD_AFTER, Event, Link, MAX_PINGS, MAX_REQUEST, OUTPUT, PING_AFTER, window};
use super::queue::{Class, Held, Limits, MAX_CONTROL, MAX_MESSAGE, Message, Queues};
use super::{Identity, Now, VERSIONS};
use pamir_error::error::state;
use pamir_testkit::chance::{Rng, seeds};
use std::sync::Arc;
use std::time::Duration;

fn at(ms: u64) -> Now {
    Now { at: Duration::from_millis(ms), clock: 1_000_000 + ms as i64 * 1000 }
}
fn hello(node: u64, purpose: Purpose) -> Hello {
    Hello::new(&Identity::new([1; 16], node, format!("n{node}:1")), purpose, 0)
}

/// One side.
struct End {
    link: Link,
    queues: Queues,
    held: Arc<Held>,
    events: Vec<Event>,
}
impl End {
    fn dial(purpose: Purpose) -> End {
        let held = Held::new(|| {});
        End {
            link: Link::dial(&hello(1, purpose), held.clone(), at(0)),
            queues: Queues::new(Limits::default()),
            held,
            events: Vec::new(),
        }
    }
    fn accept() -> End {
        let held = Held::new(|| {});
        End {
            link: Link::accept(VERSIONS, held.clone(), at(0)),
            queues: Queues::new(Limits::default()),
            held,
            events: Vec::new(),
        }
    }
    /// Takes all that the other one has to say; panics where it is not allowed to say it.
    fn take(&mut self, from: &mut End, now: Now) -> usize {
        let mut n = 0;
        loop {
            from.link.fill(&mut from.queues, now);
            let out = from.link.output().to_vec();
            if out.is_empty() {
                return n;
            }
            n += out.len();
            from.link.went(out.len(), now);
            self.link.receive(&out, now, &mut self.events).unwrap();
        }
    }
    fn messages(&mut self) -> Vec<(Class, Message)> {
        let all = std::mem::take(&mut self.events);
        let message = |e| if let Event::Message(c, m) = e { Some((c, m)) } else { None };
        all.into_iter().filter_map(message).collect()
    }
}
/// Both have greeted.
fn open(purpose: Purpose) -> (End, End) {
    let (mut a, mut b) = (End::dial(purpose), End::accept());
    b.take(&mut a, at(0));
    assert!(matches!(b.events.pop(), Some(Event::Hello(h)) if h.node == 1 && !h.answer));
    b.link.answer(&Hello { answer: true, ..hello(2, purpose) });
    a.take(&mut b, at(0));
    assert!(matches!(a.events.pop(), Some(Event::Hello(h)) if h.node == 2 && h.answer));
    a.link.open(at(0));
    assert!(a.link.is_open() && b.link.is_open());
    (a, b)
}
/// The next message of a test: its number, then anything.
fn numbered(rng: &mut Rng, n: u64, max: usize) -> Vec<u8> {
    let len = if rng.chance(4) { rng.index(max) } else { rng.index(max.min(300)) };
    let mut m = n.to_le_bytes().to_vec();
    m.resize(8 + len, (n % 251) as u8);
    m
}

/// What lies between two ends: so many bytes, and sometimes nothing moves.
#[derive(Default)]
struct Pipe {
    bytes: Vec<u8>,
    stalled: bool,
}
const PIPE: usize = 200_000;

impl Pipe {
    /// Moves a random part of what can move.
    fn step(&mut self, rng: &mut Rng, from: &mut End, to: &mut End, now: Now) {
        from.link.fill(&mut from.queues, now);
        // What a link holds is bounded, whatever waits.
        assert!(
            from.link.output().len() <= OUTPUT + MAX_FRAME + HEADER + 2000,
            "output of {}",
            from.link.output().len()
        );
        let room = PIPE - self.bytes.len();
        let n = from.link.output().len().min(room);
        let n = if rng.chance(2) { n } else { rng.index(n + 1) };
        self.bytes.extend_from_slice(&from.link.output()[..n]);
        from.link.went(n, now);
        if self.stalled {
            return;
        }
        let n = match rng.below(4) {
            0 => self.bytes.len().min(1 + rng.index(5)),
            1 => rng.index(self.bytes.len() + 1),
            _ => self.bytes.len(),
        };
        let piece = self.bytes[..n].to_vec();
        self.bytes.drain(..n);
        to.link.receive(&piece, now, &mut to.events).unwrap();
    }
}

#[test]
fn messages_arrive_in_order_and_once() {
    for seed in seeds(40) {
        let mut rng = Rng::new(seed);
        let (a, b) = open(Purpose::Peer);
        let mut ends = [a, b];
        let mut pipes = [Pipe::default(), Pipe::default()];
        let (mut said, mut heard) = ([[0u64; 3]; 2], [[0u64; 3]; 2]);
        let mut held: Vec<Message> = Vec::new();
        let mut now = 0;
        for step in 0..1500u64 {
            let busy = step < 800;
            now += rng.below(3);
            let from = rng.index(2);
            if busy && rng.chance(2) {
                let class = *rng.choose(&Class::ALL);
                let max = if class == Class::Control { MAX_CONTROL - 8 } else { 300_000 };
                let m = numbered(&mut rng, said[from][class as usize], max);
                if ends[from].queues.push(class, m).is_ok() {
                    said[from][class as usize] += 1;
                }
            }
            let [one, two] = &mut ends;
            for (i, pipe) in pipes.iter_mut().enumerate() {
                pipe.stalled = busy && (if pipe.stalled { !rng.chance(20) } else { rng.chance(50) });
                let (from, to) = if i == 0 { (&mut *one, &mut *two) } else { (&mut *two, &mut *one) };
                from.link.tick(at(now)).unwrap();
                pipe.step(&mut rng, from, to, at(now));
            }
            for (i, end) in ends.iter_mut().enumerate() {
                for (class, m) in end.messages() {
                    let n = &mut heard[1 - i][class as usize];
                    assert_eq!(m[..8], n.to_le_bytes(), "seed {seed}: the next one of class {class:?}");
                    assert!(m[8..] == vec![(*n % 251) as u8; m.len() - 8]);
                    *n += 1;
                    held.push(m);
                }
            }
            if rng.chance(10) || held.len() > 50 || !busy {
                rng.shuffle(&mut held);
                held.truncate(if busy { rng.index(held.len()) } else { 0 });
            }
        }
        // Nothing is left on the way.
        let [one, two] = &mut ends;
        for round in 0..100_000 {
            let mut moved = false;
            for (i, pipe) in pipes.iter_mut().enumerate() {
                let (from, to) = if i == 0 { (&mut *one, &mut *two) } else { (&mut *two, &mut *one) };
                pipe.stalled = false;
                pipe.step(&mut rng, from, to, at(now));
                let left = from.queues.bytes().iter().sum::<usize>() + from.link.output().len() + pipe.bytes.len();
                moved |= left > 0;
                for (class, m) in to.messages() {
                    let n = &mut heard[i][class as usize];
                    assert_eq!(m[..8], n.to_le_bytes());
                    *n += 1;
                }
            }
            if !moved {
                break;
            }
            assert!(round < 99_999, "seed {seed}: it never ends");
        }
        assert_eq!(said, heard, "seed {seed}");
        for end in &ends {
            assert_eq!(Class::ALL.map(|c| end.held.bytes(c)), [0; 3]);
        }
        assert!(said.as_flattened().iter().all(|n| *n > 20), "{said:?}");
    }
}

#[test]
fn control_passes_whatever_is_queued() {
    let (mut a, mut b) = open(Purpose::Peer);
    b.take(&mut a, at(0));
    for _ in 0..40 {
        a.queues.push(Class::Bulk, vec![1; 256 << 10]).unwrap();
        a.queues.push(Class::Log, vec![2; 256 << 10]).unwrap();
    }
    for i in 0..100u8 {
        // The kernel takes what it takes.
        a.link.fill(&mut a.queues, at(0));
        let part = a.link.output()[..a.link.output().len() / 3].to_vec();
        a.link.went(part.len(), at(0));
        b.link.receive(&part, at(0), &mut b.events).unwrap();
        a.queues.push(Class::Control, vec![i; 100]).unwrap();
        let mut before = 0;
        'until: loop {
            a.link.fill(&mut a.queues, at(0));
            let part = a.link.output()[..a.link.output().len().min(4000)].to_vec();
            a.link.went(part.len(), at(0));
            b.link.receive(&part, at(0), &mut b.events).unwrap();
            before += part.len();
            for (class, m) in b.messages() {
                if class == Class::Control {
                    assert_eq!(m[..], [i; 100]);
                    break 'until;
                }
            }
            assert!(before <= OUTPUT + MAX_FRAME + 5000, "{before} bytes before a heartbeat");
        }
        b.link.grant();
        a.take(&mut b, at(0));
    }
    // A snapshot has its share beside appends.
    assert!(a.queues.sent[Class::Log as usize].messages > 0 && a.queues.sent[Class::Bulk as usize].messages > 0);
}

#[test]
fn a_slow_handler_is_felt_by_its_class_alone() {
    let (mut a, mut b) = open(Purpose::Peer);
    let mut kept = Vec::new();
    let mut said = 0u32;
    for round in 0..200 {
        while a.queues.push(Class::Bulk, vec![7; 1 << 20]).is_ok() {
            said += 1;
        }
        a.queues.push(Class::Log, vec![round]).unwrap();
        b.take(&mut a, at(0));
        let (bulk, others): (Vec<_>, Vec<_>) = b.messages().into_iter().partition(|(c, _)| *c == Class::Bulk);
        kept.extend(bulk);
        assert_eq!(others.len(), 1, "appends pass");
        a.take(&mut b, at(0));
    }
    let bound = window(Class::Bulk) as usize + (1 << 20) + MAX_FRAME + HEADER;
    assert!(b.held.bytes(Class::Bulk) <= bound, "{} bytes held", b.held.bytes(Class::Bulk));
    assert!(kept.len() >= 7 && (kept.len() as u32) < said);
    // As he works them off, others come.
    let mut got = 0;
    for _ in 0..1000 {
        if let Some((_, m)) = kept.pop() {
            assert_eq!(m.into_vec().len(), 1 << 20);
            got += 1;
        }
        a.take(&mut b, at(0));
        b.take(&mut a, at(0));
        kept.extend(b.messages());
    }
    assert_eq!((got, a.queues.bytes()), (said, [0; 3]));
}

#[test]
fn the_longest_message_passes_a_smaller_window() {
    let (mut a, mut b) = open(Purpose::Peer);
    for len in [MAX_MESSAGE, 0, 1, MAX_FRAME, MAX_FRAME + 1, 3] {
        a.queues.push(Class::Bulk, vec![len as u8; len]).unwrap();
        let mut rounds = 0;
        let got = loop {
            b.take(&mut a, at(0));
            a.take(&mut b, at(0));
            if let Some(m) = b.messages().pop() {
                break m;
            }
            rounds += 1;
            assert!(rounds < 100);
        };
        assert_eq!((got.0, got.1.len()), (Class::Bulk, len));
    }
    assert!(a.queues.push(Class::Bulk, vec![0; MAX_MESSAGE + 1]).is_err());
}

#[test]
fn pings_measure_and_find_the_dead() {
    let (mut a, mut b) = open(Purpose::Peer);
    // The first one goes with the opening.
    b.take(&mut a, at(10));
    assert_eq!(a.link.tick_at(), Some(Duration::from_millis(10) + PING_AFTER));
    let ahead = Now { clock: at(10).clock + 777_000, ..at(10) };
    b.link.tick(ahead).unwrap();
    let out = b.link.output().to_vec();
    b.link.went(out.len(), ahead);
    a.link.receive(&out, at(40), &mut a.events).unwrap();
    // Answered before the other clock was asked for: with that of the receipt.
    let Some(Event::RoundTrip { took, ahead }) = a.events.pop() else { panic!("{:?}", a.events) };
    assert_eq!((took, ahead), (Duration::from_millis(40), at(10).clock - at(20).clock));

    // Nothing is sent before it is due.
    a.link.tick(at(100)).unwrap();
    assert!(a.link.output().is_empty());
    a.link.tick(at(250)).unwrap();
    assert_eq!(a.link.output().len(), HEADER + 8);
    b.take(&mut a, at(260));
    let later = Now { clock: at(260).clock + 777_000, ..at(260) };
    assert_eq!(b.link.output().len(), HEADER + 16);
    a.take(&mut b, later);
    assert!(matches!(a.events.pop(), Some(Event::RoundTrip { .. })));

    // Neither hears the other any more.
    let mut t = 260;
    let e = loop {
        t += 100;
        if let Err(e) = a.link.tick(at(t)) {
            break e;
        }
        let n = a.link.output().len();
        assert!(n <= (MAX_PINGS + 1) * (HEADER + 8));
    };
    assert_eq!(e.code(), state::CONNECTION_FAILURE);
    assert!(Duration::from_millis(t - 260) >= DEAD_AFTER && Duration::from_millis(t - 360) < DEAD_AFTER + PING_AFTER);
}

#[test]
fn a_question_has_an_answer() {
    let (mut a, mut b) = open(Purpose::Join);
    let question: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
    a.link.ask(&question).unwrap();
    b.take(&mut a, at(0));
    assert!(matches!(b.events.pop(), Some(Event::Request(m)) if m == question));
    b.link.reply(b"").unwrap();
    a.take(&mut b, at(0));
    assert!(matches!(a.events.pop(), Some(Event::Answer(m)) if m.is_empty()));
    assert!(a.link.ask(&vec![0; MAX_REQUEST + 1]).is_err());
    // Messages have no place here.
    let mut b2 = Vec::new();
    frame::write(&mut b2, Kind::Log, 0, b"x");
    assert_eq!(b.link.receive(&b2, at(0), &mut b.events).unwrap_err().code(), state::PROTOCOL_VIOLATION);
}

#[test]
fn a_refusal_ends_it() {
    let (mut a, mut b) = (End::dial(Purpose::Peer), End::accept());
    b.take(&mut a, at(0));
    b.link.refuse(&Refusal::second());
    a.take(&mut b, at(0));
    assert!(matches!(a.events.pop(), Some(Event::Refused(r)) if r.second));
    assert!(!a.link.is_open() && !b.link.is_open());
    // What still comes is of no interest.
    a.link.receive(&[1; 100_000], at(0), &mut a.events).unwrap();
    assert!(a.events.is_empty());
    // Of two ranges without a common version the one that answers hears both.
    let mut a = End::dial(Purpose::Peer);
    a.link = Link::dial(
        &Hello { versions: Identity::new([1; 16], 1, "").versions(8, 9).versions, ..hello(1, Purpose::Peer) },
        a.held.clone(),
        at(0),
    );
    let mut b = End::accept();
    b.take(&mut a, at(0));
    assert!(matches!(b.events.pop(), Some(Event::Versions(v)) if v.lowest == 8 && v.highest == 9));
}

#[test]
fn what_no_node_says_ends_the_connection() {
    let frame = |kind, flags, payload: &[u8]| {
        let mut b = Vec::new();
        frame::write(&mut b, kind, flags, payload);
        b
    };
    let taken = |class: u8, n: u64| [&[class][..], &n.to_le_bytes()].concat();
    let wrong = [
        frame(Kind::Hello, 0, &hello(1, Purpose::Peer).write()),
        frame(Kind::Request, 0, b"x"),
        frame(Kind::Answer, 0, b"x"),
        frame(Kind::Ping, 0, b"short"),
        frame(Kind::Pong, 0, &[9; 16]),
        frame(Kind::Taken, 0, &taken(3, 0)),
        frame(Kind::Taken, 0, &taken(1, 1)),
        frame(Kind::Control, MORE, b"x"),
        frame(Kind::Control, 0, &[0; MAX_CONTROL + 1]),
        frame(Kind::Refused, 0, b"x"),
    ];
    for (i, bytes) in wrong.iter().enumerate() {
        let (mut a, _) = open(Purpose::Peer);
        let e = a.link.receive(bytes, at(0), &mut a.events).unwrap_err();
        assert_eq!(e.code(), state::PROTOCOL_VIOLATION, "{i}: {}", e.message());
        assert!(a.events.is_empty() && !a.link.is_open());
        // It can still say why.
        a.link.went(a.link.output().len(), at(0));
        a.link.refuse(&Refusal::of(&e));
        assert!(!a.link.output().is_empty());
    }
    // A greeting out of turn, and anything before it.
    for bytes in
        [frame(Kind::Log, 0, b"x"), frame(Kind::Hello, 0, &Hello { answer: true, ..hello(1, Purpose::Peer) }.write())]
    {
        let mut b = End::accept();
        assert!(b.link.receive(&bytes, at(0), &mut b.events).is_err());
    }
    for first in [0x15, 0x16] {
        let mut b = End::accept();
        let e = b.link.receive(&[first, 3, 1, 2, 0], at(0), &mut b.events).unwrap_err();
        assert!(e.message().contains("TLS"), "{}", e.message());
    }
    // A message that never ends, and more than the window.
    let (mut a, _) = open(Purpose::Peer);
    let piece = frame(Kind::Bulk, MORE, &[0; MAX_FRAME]);
    let n = (0..).find(|_| {
        a.link.grant();
        a.link.receive(&piece, at(0), &mut a.events).is_err()
    });
    assert_eq!(n, Some(MAX_MESSAGE / MAX_FRAME));
    let (mut a, _) = open(Purpose::Peer);
    let whole = frame(Kind::Bulk, 0, &[0; MAX_FRAME]);
    let n = (0..).find(|_| {
        // Nobody takes anything: the events are kept.
        a.link.grant();
        a.link.receive(&whole, at(0), &mut a.events).is_err()
    });
    let most = window(Class::Bulk) as usize / (MAX_FRAME + HEADER) + 2;
    assert!(n.is_some_and(|n| n <= most && n + 2 >= most), "{n:?} of {most}");
    // Many pings at once, where nobody takes the answers.
    let (mut a, _) = open(Purpose::Peer);
    let ping = frame(Kind::Ping, 0, &[1; 8]);
    let n = (0..100_000).find(|_| a.link.receive(&ping, at(0), &mut a.events).is_err());
    assert!(n.is_some() && a.link.output().len() < OUTPUT + 100);
}

#[test]
fn no_bytes_make_it_panic() {
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let mut end = match rng.below(5) {
            0 => End::dial(Purpose::Peer),
            1 => End::accept(),
            2 => open(Purpose::Peer).0,
            3 => open(Purpose::Peer).1,
            _ => {
                if rng.chance(2) {
                    open(Purpose::Join).0
                } else {
                    open(Purpose::Join).1
                }
            }
        };
        // Right frames, most of them in the wrong place, some of them damaged.
        let mut stream = Vec::new();
        for _ in 0..1 + rng.below(40) {
            let purpose = *rng.choose(&[Purpose::Peer, Purpose::Join]);
            let kinds = [
                Kind::Ping,
                Kind::Pong,
                Kind::Taken,
                Kind::Control,
                Kind::Log,
                Kind::Bulk,
                Kind::Request,
                Kind::Answer,
            ];
            let len = if rng.chance(5) { rng.index(MAX_FRAME) } else { rng.index(40) };
            match rng.below(8) {
                0 => frame::write(
                    &mut stream,
                    Kind::Hello,
                    0,
                    &Hello { answer: rng.chance(2), ..hello(3, purpose) }.write(),
                ),
                1 => frame::write(&mut stream, Kind::Hello, 0, &rng.bytes(len, 256)),
                2 => frame::write(&mut stream, Kind::Refused, 0, &rng.bytes(len, 256)),
                3 => stream.extend(rng.bytes(len, 256)),
                4 => frame::write(&mut stream, Kind::Refused, 0, &Refusal::second().write()),
                _ => {
                    let (kind, flags) = (*rng.choose(&kinds), rng.below(2) as u8);
                    frame::write(&mut stream, kind, flags, &rng.bytes(len, 4));
                }
            }
            if rng.chance(6) {
                let i = rng.index(stream.len());
                if let Some(b) = stream.get_mut(i) {
                    *b ^= 1 << rng.below(8);
                }
            }
        }
        let mut rest = &stream[..];
        while !rest.is_empty() {
            let most = if rng.chance(2) { 10 } else { rest.len() };
            let n = 1 + rng.index(most);
            let (piece, behind) = rest.split_at(n.min(rest.len()));
            rest = behind;
            let r = end.link.receive(piece, at(1), &mut end.events);
            for e in std::mem::take(&mut end.events) {
                match e {
                    Event::Hello(h) if rng.chance(2) => end.link.answer(&Hello { answer: true, ..h }),
                    Event::Hello(_) => end.link.open(at(1)),
                    Event::Versions(_) => end.link.refuse(&Refusal::second()),
                    _ => {}
                }
            }
            if let Err(e) = r {
                assert_eq!(e.code(), state::PROTOCOL_VIOLATION);
                assert!(!end.link.is_open(), "after an error nothing is believed");
            }
            end.link.fill(&mut end.queues, at(1));
            let _ = end.link.tick(at(1));
            assert!(end.link.output().len() <= OUTPUT + MAX_FRAME + HEADER + 2000);
        }
    }
}
