//! A connection between two nodes as a machine: bytes in, events out; messages in, bytes out. No socket, no clock, no thread: those are the caller's, or a simulation's.
//!
//! ```text
//!   socket --receive--> frames --> events: Hello, Message, Request, Answer, RoundTrip, Refused
//!   Queues --fill-----> frames --> output --> socket           (the caller takes output and says how much went)
//!   time   --tick-----> Ping, or the connection is dead
//!
//!                  dial: Hello is in the output           accept: nothing yet
//!                             |                                |
//!                             |   <---- the other's Hello ---->|
//!                             v                                v
//!                          Deciding: nothing that came behind the Hello is looked at
//!                             | open (its answer is fine)      | answer (ours goes out)
//!                             v                                v
//!                           Open: messages, or a question
//! ```
//! **Classes.** A frame is made only when the output is about to run dry ([`OUTPUT`]), and then of the first class that has something: so a Control message waits for at most that much, and for what
//! the kernel holds, whatever else is queued. Bulk gets one frame in [`LOG_RUN`] of Log, that a snapshot does not starve.
//!
//! **Windows.** Of each class at most [`window`] bytes are under way or held by the receiver's handler, by frames' sizes. The receiver says with Taken how many it has had and no longer holds; pieces
//! of a message that is not whole yet count as taken, since no window needs to be as large as the largest message. So the socket never stands still for a handler that is slow, and Control passes.
//! What a node holds for a peer is at most a window, a message that overran it, and a message in pieces, a class.
//!
//! **Round trips.** A Ping goes when nothing else went for [`PING_AFTER`], and every [`PING_EVERY`] in any case. Its answer carries a clock, so each round trip tells how far the two clocks are
//! apart, up to the round trip.
//!
//! *Invariants*: no byte that came makes it panic, and none is answered with more bytes than a few; after an error nothing more is read. Output is bounded: [`OUTPUT`], one frame,
//! and small answers of which the other side can only cause so many ([`MAX_PINGS`], a Taken for a quarter of a window).
use super::frame::{self, HEADER, Kind, MAX_FRAME, MORE, violation};
use super::hello::{Came, Hello, Purpose, Refusal};
use super::queue::{Class, Held, Message, Queues};
use super::{Now, Versions};
use pamir_error::{Error, Result, err};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Frames are made until so many bytes wait for the socket.
pub const OUTPUT: usize = 64 << 10;
/// Frames of class Log between two of class Bulk.
pub const LOG_RUN: u32 = 4;
/// A connection on which nothing was sent for so long sends a Ping.
pub const PING_AFTER: Duration = Duration::from_millis(200);
/// A connection that is busy sends one this often.
pub const PING_EVERY: Duration = Duration::from_millis(400);
/// A connection on which nothing came for so long is dead.
pub const DEAD_AFTER: Duration = Duration::from_secs(3);
/// Pings that are not answered yet.
pub const MAX_PINGS: usize = 32;
/// The longest question and the longest answer of a connection for [`Purpose::Join`].
pub const MAX_REQUEST: usize = 1 << 20;

/// Bytes of a class that may be on their way or held by the receiver. Both sides rely on it: it belongs to the protocol's version.
pub const fn window(class: Class) -> u64 {
    match class {
        Class::Control => 256 << 10,
        Class::Log => 16 << 20,
        Class::Bulk => 8 << 20,
    }
}
/// The receiver tells when it has so many bytes of news.
const fn grant_step(class: Class) -> u64 {
    window(class) / 4
}

#[derive(Debug)]
pub enum Event {
    /// The other side is there. The caller decides: [`Link::answer`] or [`Link::open`], [`Link::refuse`]; then [`Link::receive`] goes on.
    Hello(Hello),
    /// It speaks no version that we speak.
    Versions(Versions),
    /// The other side does not want the connection.
    Refused(Refusal),
    Message(Class, Message),
    Request(Vec<u8>),
    Answer(Vec<u8>),
    /// The clock of the other side is `ahead` microseconds before ours, give or take the round trip.
    RoundTrip {
        took: Duration,
        ahead: i64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Their Hello has not come.
    Greeting,
    /// It has; the caller is to say what comes of it.
    Deciding(Purpose),
    Open(Purpose),
    /// Refused, by either side, or broken.
    Ended,
}

/// A Ping that is not answered yet.
struct Mark {
    mark: u64,
    at: Duration,
    clock: i64,
}

pub struct Link {
    dialled: bool,
    versions: Versions,
    stage: Stage,
    /// We have said why it ends.
    refused: bool,
    /// What came and is no whole frame yet, or waits for a decision.
    input: Vec<u8>,
    out: Vec<u8>,
    /// How much of `out` has gone.
    gone: usize,
    /// Pieces of messages that are not whole, and the sizes of their frames.
    pieces: [(Vec<u8>, usize); 3],
    /// Pieces of a question or an answer.
    asked: Vec<u8>,
    held: Arc<Held>,
    /// Bytes of frames, by class, since the connection began: sent, of those taken by the other side; received, of those told to be taken.
    sent: [u64; 3],
    taken: [u64; 3],
    got: [u64; 3],
    told: [u64; 3],
    /// Frames of Log since the last one of Bulk.
    run: u32,
    pings: VecDeque<Mark>,
    next_mark: u64,
    /// Marks to be answered.
    pongs: VecDeque<u64>,
    last_in: Duration,
    last_out: Duration,
    last_ping: Duration,
}

impl Link {
    fn new(dialled: bool, versions: Versions, held: Arc<Held>, now: Now) -> Link {
        Link {
            dialled,
            versions,
            stage: Stage::Greeting,
            refused: false,
            input: Vec::new(),
            out: Vec::new(),
            gone: 0,
            pieces: Default::default(),
            asked: Vec::new(),
            held,
            sent: [0; 3],
            taken: [0; 3],
            got: [0; 3],
            told: [0; 3],
            run: 0,
            pings: VecDeque::new(),
            next_mark: 1,
            pongs: VecDeque::new(),
            last_in: now.at,
            last_out: now.at,
            last_ping: now.at,
        }
    }
    /// The side that dialled: `hello` goes out first.
    pub fn dial(hello: &Hello, held: Arc<Held>, now: Now) -> Link {
        let mut l = Link::new(true, hello.versions, held, now);
        frame::write(&mut l.out, Kind::Hello, 0, &hello.write());
        l
    }
    /// The side that was dialled.
    pub fn accept(versions: Versions, held: Arc<Held>, now: Now) -> Link {
        Link::new(false, versions, held, now)
    }

    /// The one that was dialled wants the connection.
    pub fn answer(&mut self, hello: &Hello) {
        if let Stage::Deciding(purpose) = self.stage {
            frame::write(&mut self.out, Kind::Hello, 0, &hello.write());
            self.stage = Stage::Open(purpose);
        }
    }
    /// The one that dialled is content with the answer. `now`: a Ping goes out at once, for the round trip.
    pub fn open(&mut self, now: Now) {
        if let Stage::Deciding(purpose) = self.stage {
            self.stage = Stage::Open(purpose);
            if purpose == Purpose::Peer {
                self.ping(now);
            }
        }
    }
    /// Says no, or that the connection ends for a reason; what comes is not looked at any more.
    pub fn refuse(&mut self, why: &Refusal) {
        if !std::mem::replace(&mut self.refused, true) {
            frame::write(&mut self.out, Kind::Refused, 0, &why.write());
        }
        self.stage = Stage::Ended;
    }
    /// Nothing can be said any more, not even what waits for the socket.
    pub fn abandon(&mut self) {
        self.stage = Stage::Ended;
        (self.refused, self.gone) = (true, 0);
        self.out.clear();
    }
    /// Asks the one question of a connection for [`Purpose::Join`], or answers it.
    pub fn ask(&mut self, message: &[u8]) -> Result<()> {
        self.whole(Kind::Request, message)
    }
    pub fn reply(&mut self, message: &[u8]) -> Result<()> {
        self.whole(Kind::Answer, message)
    }
    fn whole(&mut self, kind: Kind, message: &[u8]) -> Result<()> {
        if message.len() > MAX_REQUEST {
            return Err(err!(
                PROGRAM_LIMIT_EXCEEDED,
                "a question or answer between nodes has at most {MAX_REQUEST} bytes, not {}",
                message.len()
            ));
        }
        let mut rest = message;
        loop {
            let (piece, behind) = rest.split_at(rest.len().min(MAX_FRAME));
            frame::write(&mut self.out, kind, if behind.is_empty() { 0 } else { MORE }, piece);
            rest = behind;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }
    /// What waits for the socket.
    pub fn output(&self) -> &[u8] {
        self.out.get(self.gone..).unwrap_or_default()
    }
    /// So many bytes of it have gone.
    pub fn went(&mut self, n: usize, now: Now) {
        self.gone += n;
        self.last_out = now.at;
        if self.gone >= self.out.len() {
            self.out.clear();
            self.gone = 0;
        } else if self.gone >= OUTPUT {
            self.out.drain(..self.gone);
            self.gone = 0;
        }
    }
    /// Takes what came. An error ends the connection; events from before it are in `events`.
    pub fn receive(&mut self, bytes: &[u8], now: Now, events: &mut Vec<Event>) -> Result<()> {
        if !bytes.is_empty() {
            self.last_in = now.at;
        }
        if self.stage == Stage::Ended {
            return Ok(());
        }
        let r = if self.input.is_empty() {
            self.read(bytes, now, events).map(|n| self.input.extend_from_slice(bytes.get(n..).unwrap_or_default()))
        } else {
            let mut input = std::mem::take(&mut self.input);
            input.extend_from_slice(bytes);
            self.read(&input, now, events).map(|n| {
                input.drain(..n);
                self.input = input;
            })
        };
        if r.is_err() || self.stage == Stage::Ended {
            self.stage = Stage::Ended;
            (self.input, self.asked) = (Vec::new(), Vec::new());
            self.pieces = Default::default();
        }
        r
    }
    /// Reads whole frames; how many bytes they were.
    fn read(&mut self, bytes: &[u8], now: Now, events: &mut Vec<Event>) -> Result<usize> {
        if self.stage == Stage::Greeting
            && let [0x15 | 0x16, 3, ..] = bytes
        {
            return Err(err!(PROTOCOL_VIOLATION, "the other node speaks TLS, and this one does not")
                .hint("All nodes of a cluster need certificates, or none does (--insecure)."));
        }
        let mut at = 0;
        while matches!(self.stage, Stage::Greeting | Stage::Open(Purpose::Peer | Purpose::Join)) {
            let Some(f) = frame::read(bytes.get(at..).unwrap_or_default())? else { break };
            at += f.size();
            self.frame(f, now, events)?;
        }
        Ok(if self.stage == Stage::Ended { bytes.len() } else { at })
    }
    fn frame(&mut self, f: frame::Frame<'_>, now: Now, events: &mut Vec<Event>) -> Result<()> {
        let pieces = matches!(f.kind, Kind::Log | Kind::Bulk | Kind::Request | Kind::Answer);
        if f.more && !pieces {
            return Err(violation(format_args!("{:?} in pieces", f.kind)));
        }
        let mut fields = frame::Fields(f.payload);
        match (self.stage, f.kind) {
            (_, Kind::Refused) => {
                events.push(Event::Refused(Refusal::read(f.payload)?));
                self.stage = Stage::Ended;
            }
            (Stage::Greeting, Kind::Hello) => match Hello::read(f.payload, self.versions)? {
                Came::Hello(h) if h.answer != self.dialled => return Err(violation("a greeting that is out of turn")),
                Came::Hello(h) => {
                    self.stage = Stage::Deciding(h.purpose);
                    events.push(Event::Hello(h));
                }
                Came::Versions(v) => {
                    // The caller refuses, and says why.
                    self.stage = Stage::Deciding(Purpose::Join);
                    events.push(Event::Versions(v));
                }
            },
            (Stage::Open(Purpose::Peer), Kind::Ping) => {
                if self.pongs.len() >= MAX_PINGS {
                    return Err(violation(format_args!("more than {MAX_PINGS} pings at once")));
                }
                self.pongs.push_back(fields.u64()?);
                self.pong(now);
            }
            (Stage::Open(Purpose::Peer), Kind::Pong) => {
                let (mark, clock) = (fields.u64()?, fields.i64()?);
                let Some(i) = self.pings.iter().position(|p| p.mark == mark) else {
                    return Err(violation("an answer to no ping"));
                };
                if let Some(p) = self.pings.drain(..=i).next_back() {
                    let took = now.at.saturating_sub(p.at);
                    // The answer was written between the two, on average in the middle.
                    let here = p.clock.saturating_add(now.clock) / 2;
                    events.push(Event::RoundTrip { took, ahead: clock.saturating_sub(here) });
                }
            }
            (Stage::Open(Purpose::Peer), Kind::Taken) => {
                let (class, n) = (fields.u8()?, fields.u64()?);
                let Some(class) = Class::of(class) else { return Err(violation(format_args!("class {class}"))) };
                let c = class as usize;
                if n < self.taken[c] || n > self.sent[c] {
                    return Err(violation("more taken than was sent, or less than before"));
                }
                self.taken[c] = n;
            }
            (Stage::Open(Purpose::Peer), Kind::Control) => self.piece(Class::Control, f, events)?,
            (Stage::Open(Purpose::Peer), Kind::Log) => self.piece(Class::Log, f, events)?,
            (Stage::Open(Purpose::Peer), Kind::Bulk) => self.piece(Class::Bulk, f, events)?,
            (Stage::Open(Purpose::Join), Kind::Request) if !self.dialled => {
                if let Some(m) = self.asked(f)? {
                    events.push(Event::Request(m));
                }
            }
            (Stage::Open(Purpose::Join), Kind::Answer) if self.dialled => {
                if let Some(m) = self.asked(f)? {
                    events.push(Event::Answer(m));
                }
            }
            (_, kind) => return Err(violation(format_args!("{kind:?} where it has no place"))),
        }
        Ok(())
    }
    fn asked(&mut self, f: frame::Frame<'_>) -> Result<Option<Vec<u8>>> {
        if self.asked.len() + f.payload.len() > MAX_REQUEST {
            return Err(violation(format_args!("a question or answer of more than {MAX_REQUEST} bytes")));
        }
        self.asked.extend_from_slice(f.payload);
        Ok(if f.more { None } else { Some(std::mem::take(&mut self.asked)) })
    }
    /// A message or a piece of one.
    fn piece(&mut self, class: Class, f: frame::Frame<'_>, events: &mut Vec<Event>) -> Result<()> {
        let c = class as usize;
        self.got[c] += f.size() as u64;
        if self.got[c] - self.told[c] > window(class) + (HEADER + MAX_FRAME) as u64 {
            return Err(violation(format_args!("more of class {class:?} than it may have on its way")));
        }
        let (bytes, size) = &mut self.pieces[c];
        if bytes.len() + f.payload.len() > class.max_message() {
            return Err(violation(format_args!("a message of more than {} bytes", class.max_message())));
        }
        bytes.extend_from_slice(f.payload);
        *size += f.size();
        if !f.more {
            let (mut bytes, size) = std::mem::take(&mut self.pieces[c]);
            // Grown piece by piece, it may have room for as much again.
            if bytes.capacity() > bytes.len() + bytes.len() / 8 {
                bytes.shrink_to_fit();
            }
            events.push(Event::Message(class, Message::new(class, bytes, size, &self.held)));
        }
        Ok(())
    }

    /// Tells the sender what is no longer held here, where it may wait for that.
    pub fn grant(&mut self) {
        if self.stage != Stage::Open(Purpose::Peer) {
            return;
        }
        for class in Class::ALL {
            let c = class as usize;
            if self.got[c] - self.told[c] < grant_step(class) {
                continue;
            }
            self.held.owe();
            let free = self.got[c].saturating_sub(self.held.bytes(class) as u64);
            if free >= self.told[c] + grant_step(class) {
                let mut payload = vec![class as u8];
                payload.extend_from_slice(&free.to_le_bytes());
                frame::write(&mut self.out, Kind::Taken, 0, &payload);
                self.told[c] = free;
            }
        }
    }

    /// Answers pings while there is room.
    fn pong(&mut self, now: Now) {
        while self.output().len() < OUTPUT
            && let Some(mark) = self.pongs.pop_front()
        {
            let mut payload = mark.to_le_bytes().to_vec();
            payload.extend_from_slice(&now.clock.to_le_bytes());
            frame::write(&mut self.out, Kind::Pong, 0, &payload);
        }
    }
    fn ping(&mut self, now: Now) {
        if self.pings.len() < MAX_PINGS {
            frame::write(&mut self.out, Kind::Ping, 0, &self.next_mark.to_le_bytes());
            self.pings.push_back(Mark { mark: self.next_mark, at: now.at, clock: now.clock });
            self.next_mark += 1;
        }
        (self.last_ping, self.last_out) = (now.at, now.at);
    }

    /// Makes frames of what waits, as far as the output has room. The caller calls it again when that has gone.
    pub fn fill(&mut self, queues: &mut Queues, now: Now) {
        if self.stage != Stage::Open(Purpose::Peer) {
            return;
        }
        self.pong(now);
        self.grant();
        while self.output().len() < OUTPUT
            && let Some(class) = self.next(queues)
        {
            let Link { out, sent, .. } = self;
            let size = queues.piece(class, MAX_FRAME, |piece, more| {
                frame::write(out, class.kind(), if more { MORE } else { 0 }, piece);
                HEADER + piece.len()
            });
            sent[class as usize] += size.unwrap_or(0) as u64;
        }
    }
    /// The class whose turn it is.
    fn next(&mut self, queues: &Queues) -> Option<Class> {
        let ready = |class: Class| {
            !queues.is_empty(class) && self.sent[class as usize] - self.taken[class as usize] < window(class)
        };
        let (log, bulk) = (ready(Class::Log), ready(Class::Bulk));
        if ready(Class::Control) {
            return Some(Class::Control);
        }
        if bulk && (!log || self.run >= LOG_RUN) {
            self.run = 0;
            return Some(Class::Bulk);
        }
        self.run = self.run.saturating_add(1);
        log.then_some(Class::Log)
    }

    /// Sends a Ping that is due. An error: nothing came for [`DEAD_AFTER`].
    pub fn tick(&mut self, now: Now) -> Result<()> {
        if self.stage != Stage::Open(Purpose::Peer) {
            return Ok(());
        }
        if now.at.saturating_sub(self.last_in) >= DEAD_AFTER {
            return Err(silent(DEAD_AFTER));
        }
        if self.ping_at() <= now.at {
            self.ping(now);
        }
        Ok(())
    }
    fn ping_at(&self) -> Duration {
        (self.last_out + PING_AFTER).min(self.last_ping + PING_EVERY)
    }
    /// When [`Link::tick`] has something to do.
    pub fn tick_at(&self) -> Option<Duration> {
        (self.stage == Stage::Open(Purpose::Peer)).then(|| self.ping_at().min(self.last_in + DEAD_AFTER))
    }
}

/// Nothing came for so long.
pub fn silent(since: Duration) -> Error {
    err!(CONNECTION_FAILURE, "nothing came from the node for {} s", since.as_secs_f32())
}
