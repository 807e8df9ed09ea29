//! The transport's thread: sockets, peers and when to dial them.
//!
//! ```text
//!   poll --> sockets that are ready --> step: read, events, write      timers: pings, the dead, the late, the next dials
//!        --> commands, taken messages, peers with something to send
//! ```
//! **Two connections.** Both nodes dial, so two connections may come about at once. They must agree on the one to keep, and no message may be in the other one. Messages are sent only after
//! both Hellos, and each node decides alone, in this one thread, when the other's Hello arrives:
//! - The lower id refuses ("the second of two") if its own dial has said its Hello and waits for the answer. Otherwise it gives its dial up, which then never says a Hello, and answers.
//! - The higher id gives its own dial up and answers.
//!
//! So of two dials under way exactly one is answered: if the lower id has said Hello in its own, it refuses the other's, and its own will be answered, since the higher id always does; if it has not, it answers
//! the other's, and its own has ended without a word. Whatever the order of arrival, both nodes keep the same one, and ids never change: the choice does not swing. A Hello that
//! is late, of an attempt that its sender gave up, is known by its number (`hello.rs`). A new Hello of a peer whose connection stands means that the peer has lost that one: the new one takes its place.
//!
//! **Waiting.** A dial that fails is tried again after a pause that doubles from [`RETRY_FIRST`] to [`RETRY_MAX`], less or more by a random quarter, so that nodes that lost each other at once do not meet again and
//! again. A connection that was lost is dialled again at once.
//!
//! **Endings.** Whoever refuses says why, closes its half, and reads on until the other side has closed its own or [`LINGER`] is over: a socket closed with unread bytes in it takes back what it sent last.
//!
//! *Invariant*: a connection is `readable` until its wire said that nothing is there.
//!
//! Limits: each round looks at all connections and peers, of which there are as many as nodes in a cluster.
use super::hello::{Hello, Purpose, Refusal, no_common_version};
use super::link::{Event, Link};
use super::queue::Held;
pub use super::shared::Shared;
use super::shared::{Command, Peer};
use super::wire::{Edge, Got, Wire};
use super::{
    CONNECT_TIMEOUT, Config, Handler, MAX_GREETING, NodeId, Now, RETRY_FIRST, RETRY_MAX, RelayedStream, dialable,
    frame, relay,
};
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token, Waker};
use pamir_error::{Error, Result, err};
use pamir_storage::platform::Platform;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const WAKER: Token = Token(0);
const LISTENER: Token = Token(1);
/// The first token of a connection.
const FIRST: usize = 2;
/// Bytes read at once.
const READ: usize = 64 << 10;
/// Bytes read from, and written to, one connection before others have their turn.
const TURN: usize = 1 << 20;
/// How long a connection that was refused may take to hear it.
const LINGER: Duration = Duration::from_secs(1);
/// Until the next look at newcomers where the system has no descriptor for one.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// The thread wakes up this often at least.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The kernel connects.
    Connecting,
    Talking,
    /// All was said, or is in the output; what comes is not looked at.
    Closing,
}

struct Conn {
    wire: Wire,
    link: Link,
    stage: Stage,
    /// Whom it was dialled for.
    dial: Option<NodeId>,
    /// Whose messages it carries.
    peer: Option<Arc<Peer>>,
    /// Of a connection for a question.
    asks: Option<Hello>,
    /// The socket may have something to read.
    readable: bool,
    /// Our half is closed.
    closed: bool,
    /// When it is given up.
    end: Option<Duration>,
    /// The peer's clock was reported.
    clock_off: bool,
}

/// What becomes of a connection after a step.
enum After {
    Keep,
    /// It is a client's stream from now on.
    HandOver(Box<Hello>),
}
/// Why a connection ends.
enum Stop {
    /// By the other side, or by what lies between.
    Gone(Error),
    /// By us; the other side is told, where `Refusal` is there.
    Ours(Error, Option<Refusal>),
    /// The other side keeps another connection.
    Second,
}
fn refuse(e: Error) -> Stop {
    let refusal = Refusal::of(&e);
    Stop::Ours(e, Some(refusal))
}

/// A peer as the thread sees it.
struct Known {
    shared: Arc<Peer>,
    /// Where it is dialled; None: it came by itself.
    address: Option<String>,
    active: Option<usize>,
    dialling: Option<usize>,
    resolving: bool,
    /// When it is dialled, if there is neither.
    next_dial: Duration,
    failures: u32,
    /// The number of the last dial.
    attempt: u64,
    /// Of its dials, those of this life up to this number are void.
    void: (u64, u64),
}
impl Known {
    fn new(shared: Arc<Peer>, address: Option<String>, now: Duration) -> Known {
        Known {
            shared,
            address,
            active: None,
            dialling: None,
            resolving: false,
            next_dial: now,
            failures: 0,
            attempt: 0,
            void: (0, 0),
        }
    }
    fn is_idle(&self) -> bool {
        self.address.is_some() && self.active.is_none() && self.dialling.is_none() && !self.resolving
    }
}

struct Driver {
    shared: Arc<Shared>,
    handler: Arc<dyn Handler>,
    platform: Arc<dyn Platform>,
    poll: Poll,
    listener: mio::net::TcpListener,
    conns: HashMap<usize, Conn>,
    peers: HashMap<NodeId, Known>,
    next_token: usize,
    start: Instant,
    clock_limit: Duration,
    random: u64,
    boot: u64,
    /// Dials so far, to any peer: no number comes twice, also where a peer goes and comes back.
    attempts: u64,
    scratch: Vec<u8>,
    events: Vec<Event>,
    /// Connections that had their turn and have more to do.
    again: Vec<usize>,
    /// When to look at newcomers again.
    accept_at: Option<Duration>,
}

pub fn start(config: Config, handler: Arc<dyn Handler>) -> Result<(Arc<Shared>, SocketAddr, JoinHandle<()>)> {
    let Config { mut identity, listen, limits, clock_limit, seed, platform } = config;
    dialable(&identity, listen)?;
    let failed = |e: std::io::Error| err!(IO_ERROR, "could not listen for other nodes on {listen}: {e}");
    let mut listener = mio::net::TcpListener::bind(listen).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let poll = Poll::new().map_err(failed)?;
    let registry = poll.registry();
    registry.register(&mut listener, LISTENER, Interest::READABLE).map_err(failed)?;
    let waker = Waker::new(registry, WAKER).map_err(failed)?;
    if identity.address.is_empty() {
        identity.address = address.to_string();
    }
    let mut boot = [0; 8];
    platform.random(&mut boot)?;
    let shared = Arc::new(Shared::new(identity, limits, waker));
    let mut driver = Driver {
        shared: shared.clone(),
        handler,
        platform,
        poll,
        listener,
        conns: HashMap::new(),
        peers: HashMap::new(),
        next_token: FIRST,
        start: Instant::now(),
        clock_limit,
        random: seed,
        // 0 is of nobody.
        boot: u64::from_le_bytes(boot) | 1,
        attempts: 0,
        scratch: vec![0; READ],
        events: Vec::new(),
        again: Vec::new(),
        accept_at: None,
    };
    let ended = shared.clone();
    let run = move || {
        if catch_unwind(AssertUnwindSafe(|| driver.run())).is_err() {
            tracing::error!("the transport between nodes has ended: a handler of messages panicked");
        }
        // Nobody takes messages any more.
        ended.stop();
    };
    let thread = std::thread::Builder::new().name("pamir-transport".into()).spawn(run);
    let thread = thread.map_err(|e| err!(INSUFFICIENT_RESOURCES, "could not start the transport's thread: {e}"))?;
    Ok((shared, address, thread))
}

fn count(c: &AtomicU64) {
    c.fetch_add(1, Ordering::Relaxed);
}

impl Driver {
    fn now(&self) -> Now {
        Now { at: self.start.elapsed(), clock: self.platform.time() }
    }

    fn run(&mut self) {
        let mut events = Events::with_capacity(256);
        loop {
            let timeout = match self.shared.fall_asleep() && self.again.is_empty() {
                true => self.next_timer().saturating_sub(self.start.elapsed()).min(LONGEST_SLEEP),
                false => Duration::ZERO,
            };
            let polled = self.poll.poll(&mut events, Some(timeout));
            self.shared.wake_up();
            if self.shared.is_stopping() {
                break;
            }
            if let Err(e) = polled
                && e.kind() != ErrorKind::Interrupted
            {
                tracing::error!("the transport between nodes could not wait for its sockets: {e}");
                std::thread::sleep(ACCEPT_PAUSE);
                continue;
            }
            let again = std::mem::take(&mut self.again);
            for event in &events {
                match event.token() {
                    WAKER => {}
                    LISTENER => self.accept(),
                    Token(token) => {
                        if let Some(c) = self.conns.get_mut(&token) {
                            let hangup = event.is_read_closed() || event.is_error();
                            if event.is_readable() || hangup {
                                c.wire.edge.event(hangup);
                                c.readable = true;
                            }
                            c.wire.blocked &= !event.is_writable();
                            self.step(token);
                        }
                    }
                }
            }
            for token in again {
                self.step(token);
            }
            // After the handlers had their say: what they send goes out in this round.
            self.shared.look();
            if self.shared.is_stopping() {
                break;
            }
            for c in self.shared.commands() {
                self.command(c);
            }
            for token in self.shared.granted() {
                self.step(token);
            }
            let dirty = |p: &Known| p.shared.dirty.swap(false, Ordering::SeqCst);
            let dirty: Vec<usize> = self.peers.values().filter(|p| dirty(p)).filter_map(|p| p.active).collect();
            for token in dirty {
                self.step(token);
            }
            self.timers();
        }
        for c in self.conns.values_mut() {
            c.wire.close();
        }
    }

    fn next_timer(&self) -> Duration {
        let mut next = self.accept_at.unwrap_or(Duration::MAX);
        for c in self.conns.values() {
            next = next.min(c.end.unwrap_or(Duration::MAX)).min(c.link.tick_at().unwrap_or(Duration::MAX));
        }
        for p in self.peers.values().filter(|p| p.is_idle()) {
            next = next.min(p.next_dial);
        }
        next
    }
    fn timers(&mut self) {
        let now = self.now();
        let late = |c: &Conn| c.end.is_some_and(|e| e <= now.at) || c.link.tick_at().is_some_and(|t| t <= now.at);
        let due: Vec<usize> = self.conns.iter().filter(|(_, c)| late(c)).map(|(t, _)| *t).collect();
        for token in due {
            let Some(mut conn) = self.conns.remove(&token) else { continue };
            if conn.end.is_some_and(|e| e <= now.at) {
                let e = err!(CONNECTION_FAILURE, "{} did not answer in time", conn.wire.other);
                self.stopped(conn, token, Stop::Gone(e));
                continue;
            }
            match conn.link.tick(now) {
                Ok(()) => {
                    self.conns.insert(token, conn);
                    self.step(token);
                }
                Err(e) => self.stopped(conn, token, Stop::Gone(e)),
            }
        }
        let due = |p: &Known| p.is_idle() && p.next_dial <= now.at;
        let due: Vec<NodeId> = self.peers.iter().filter(|(_, p)| due(p)).map(|(n, _)| *n).collect();
        for node in due {
            self.dial(node);
        }
        if self.accept_at.is_some_and(|t| t <= now.at) {
            self.accept_at = None;
            self.accept();
        }
    }

    fn command(&mut self, c: Command) {
        let now = self.now();
        match c {
            Command::Set(shared, address) => {
                self.shared.keep(&shared);
                shared.facts.lock().address.clone_from(&address);
                let p = self.peers.entry(shared.node).or_insert_with(|| Known::new(shared.clone(), None, now.at));
                if p.address.as_ref() != Some(&address) {
                    p.address = Some(address);
                    (p.failures, p.next_dial) = (0, now.at);
                }
                p.shared.queues.lock().open = true;
            }
            Command::Remove(node) => {
                let Some(p) = self.peers.remove(&node) else { return };
                self.shared.forget(&p.shared);
                p.shared.queues.lock().clear();
                if let Some(c) = p.dialling.and_then(|t| self.conns.remove(&t)) {
                    drop(c);
                }
                if let Some(mut c) = p.active.and_then(|t| self.conns.remove(&t)) {
                    c.wire.close();
                    let e = err!(CONNECTION_EXCEPTION, "node {node} is no longer a peer of this one");
                    tracing::info!("node {node} is no longer a peer: connection closed");
                    self.handler.lost(node, &e);
                }
            }
            Command::Resolved { node, attempt, found } => {
                let Some(p) = self.peers.get_mut(&node).filter(|p| p.resolving && p.attempt == attempt) else { return };
                p.resolving = false;
                if p.active.is_some() || p.dialling.is_some() {
                    return;
                }
                if let Err(e) = found.and_then(|to| self.connect(node, &to)) {
                    self.dial_failed(node, e);
                }
            }
        }
    }

    // Sockets.

    fn accept(&mut self) {
        loop {
            let (socket, from) = match self.listener.accept() {
                Ok(new) => new,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => continue,
                Err(e) => {
                    tracing::warn!("could not accept a connection of another node: {e}");
                    self.accept_at = Some(self.start.elapsed() + ACCEPT_PAUSE);
                    return;
                }
            };
            count(&self.shared.counts.accepted);
            let strangers = self.conns.values().filter(|c| c.peer.is_none() && c.dial.is_none()).count();
            if strangers >= MAX_GREETING {
                tracing::warn!("connection from {from} closed: {strangers} others have not said who they are");
                continue;
            }
            let wire = match Wire::accepted(socket.into(), from, self.shared.identity.tls.as_ref()) {
                Ok(wire) => wire,
                Err(e) => {
                    tracing::debug!("connection from {from}: {}", e.message());
                    continue;
                }
            };
            let (token, held, now) = self.token();
            let link = Link::accept(self.shared.identity.versions, held, now);
            if let Err(e) = self.add(token, wire, link, Stage::Talking, None, now) {
                tracing::warn!("connection from {from}: {}", e.message());
                continue;
            }
            self.step(token);
        }
    }
    /// Of a new connection: its token, and what its messages are counted in.
    fn token(&mut self) -> (usize, Arc<Held>, Now) {
        let token = self.next_token;
        self.next_token += 1;
        let shared = self.shared.clone();
        (token, Held::new(move || shared.taken(token)), self.now())
    }
    fn add(
        &mut self,
        token: usize,
        mut wire: Wire,
        link: Link,
        stage: Stage,
        dial: Option<NodeId>,
        now: Now,
    ) -> Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        let r = self.poll.registry().register(&mut SourceFd(&wire.as_raw_fd()), Token(token), interest);
        r.map_err(|e| wire.explain(&e))?;
        wire.edge.listens = true;
        let conn = Conn {
            wire,
            link,
            stage,
            dial,
            peer: None,
            asks: None,
            readable: true,
            closed: false,
            end: Some(now.at + CONNECT_TIMEOUT),
            clock_off: false,
        };
        self.conns.insert(token, conn);
        Ok(())
    }

    fn dial(&mut self, node: NodeId) {
        let Some(p) = self.peers.get_mut(&node) else { return };
        let Some(address) = p.address.clone() else { return };
        self.attempts += 1;
        let attempt = self.attempts;
        p.attempt = attempt;
        let failed = match address.parse::<SocketAddr>() {
            Ok(to) => self.connect(node, &[to]),
            Err(_) => {
                // The system looks names up at its leisure.
                p.resolving = true;
                let shared = self.shared.clone();
                let look = move || {
                    let found = relay::resolve(&address);
                    shared.command(Command::Resolved { node, attempt, found });
                };
                let thread = std::thread::Builder::new().name("pamir-resolve".into()).spawn(look);
                thread.map(drop).map_err(|e| err!(INSUFFICIENT_RESOURCES, "could not start a thread: {e}"))
            }
        };
        if let Err(e) = failed {
            self.dial_failed(node, e);
        }
    }
    /// Begins to connect to one of a peer's addresses, the next one after each failure.
    fn connect(&mut self, node: NodeId, all: &[SocketAddr]) -> Result<()> {
        let Some(p) = self.peers.get(&node) else { return Ok(()) };
        let (attempt, address) = (p.attempt, p.address.clone().unwrap_or_default());
        let Some(to) = all.get(p.failures as usize % all.len().max(1)).copied() else {
            return Err(err!(CONNECTION_FAILURE, "\"{address}\" has no address"));
        };
        let me = self.shared.identity.clone();
        dialable(&me, to)?;
        count(&self.shared.counts.dialled);
        let wire = Wire::connect(to, &address, me.tls.as_ref())?;
        let (token, held, now) = self.token();
        let hello = Hello { boot: self.boot, attempt, ..Hello::new(&me, Purpose::Peer, now.clock) };
        let link = Link::dial(&hello, held, now);
        self.add(token, wire, link, Stage::Connecting, Some(node), now)?;
        if let Some(p) = self.peers.get_mut(&node) {
            p.dialling = Some(token);
        }
        Ok(())
    }

    // A connection's step.

    fn step(&mut self, token: usize) {
        let Some(mut conn) = self.conns.remove(&token) else { return };
        match self.try_step(&mut conn, token) {
            Ok(After::Keep) => drop(self.conns.insert(token, conn)),
            Ok(After::HandOver(hello)) => self.hand_over(conn, *hello),
            Err(stop) => self.stopped(conn, token, stop),
        }
    }
    fn try_step(&mut self, conn: &mut Conn, token: usize) -> Result<After, Stop> {
        if conn.stage == Stage::Connecting {
            match conn.wire.is_connected() {
                Ok(true) => conn.stage = Stage::Talking,
                Ok(false) => return Ok(After::Keep),
                Err(e) => return Err(Stop::Gone(conn.wire.explain(&e))),
            }
        }
        let mut read = 0;
        while conn.readable {
            if read >= TURN {
                self.again.push(token);
                break;
            }
            let closing = conn.stage == Stage::Closing;
            let r = if closing { conn.wire.discard(&mut self.scratch) } else { conn.wire.read(&mut self.scratch) };
            match r {
                Ok(Got::Bytes(n)) => {
                    read += n;
                    if !closing && let After::HandOver(hello) = self.came(conn, token, n)? {
                        return Ok(After::HandOver(hello));
                    }
                }
                Ok(Got::Nothing) => conn.readable = false,
                Ok(Got::End) => {
                    return Err(Stop::Gone(err!(CONNECTION_FAILURE, "{} closed the connection", conn.wire.other)));
                }
                // rustls has said what it thinks of it, in an alert.
                Err(e) if e.kind() == ErrorKind::InvalidData => return Err(Stop::Ours(conn.wire.explain(&e), None)),
                Err(e) => return Err(Stop::Gone(conn.wire.explain(&e))),
            }
        }
        self.write(conn, token)?;
        Ok(After::Keep)
    }
    /// So many bytes in `scratch`.
    fn came(&mut self, conn: &mut Conn, token: usize, n: usize) -> Result<After, Stop> {
        let now = self.now();
        let mut events = std::mem::take(&mut self.events);
        let mut n = n;
        let after = loop {
            let r = conn.link.receive(self.scratch.get(..n).unwrap_or_default(), now, &mut events);
            n = 0;
            let mut greeted = false;
            for e in events.drain(..) {
                greeted |= matches!(e, Event::Hello(_));
                if let After::HandOver(hello) = self.event(conn, token, e, now)? {
                    return Ok(After::HandOver(hello));
                }
            }
            if let Err(e) = r {
                count(&self.shared.counts.violations);
                break Err(refuse(e));
            }
            if !greeted {
                break Ok(After::Keep);
            }
        };
        self.events = events;
        after
    }
    fn event(&mut self, conn: &mut Conn, token: usize, event: Event, now: Now) -> Result<After, Stop> {
        match event {
            Event::Message(class, message) => {
                if let Some(p) = &conn.peer {
                    p.count(class, message.len());
                    self.handler.received(p.node, class, message);
                }
            }
            Event::RoundTrip { took, ahead } => {
                if let Some(p) = &conn.peer {
                    {
                        let mut facts = p.facts.lock();
                        (facts.round_trip, facts.clock_ahead) = (Some(took), Some(ahead));
                    }
                    let apart = Duration::from_micros(ahead.unsigned_abs()).saturating_sub(took);
                    let off = apart > self.clock_limit;
                    if off && !conn.clock_off {
                        self.handler.clock_off(p.node, ahead);
                    }
                    conn.clock_off = off;
                }
            }
            Event::Hello(h) => {
                return match conn.dial {
                    Some(node) => self.answered(conn, token, node, h, now),
                    None => self.greeted(conn, token, h, now),
                };
            }
            Event::Versions(theirs) => {
                return Err(refuse(no_common_version(&self.shared.identity, &conn.wire.other, theirs)));
            }
            Event::Refused(r) if r.second => return Err(Stop::Second),
            Event::Refused(r) => {
                count(&self.shared.counts.refused_by_others);
                return Err(Stop::Gone(r.error(&conn.wire.other)));
            }
            Event::Request(m) => {
                if let Some(hello) = conn.asks.take() {
                    let answer = self.handler.request(&hello, m);
                    conn.link.reply(&answer).map_err(refuse)?;
                    self.finish(conn, now);
                }
            }
            Event::Answer(_) => return Err(refuse(frame::violation("an answer that nobody asked for"))),
        }
        Ok(After::Keep)
    }

    /// Another node dialled, and says who it is.
    fn greeted(&mut self, conn: &mut Conn, token: usize, h: Hello, now: Now) -> Result<After, Stop> {
        let me = self.shared.identity.clone();
        h.check(&me).and_then(|()| self.handler.admit(&h)).map_err(refuse)?;
        let answer =
            Hello { answer: true, boot: self.boot, attempt: self.attempts, ..Hello::new(&me, h.purpose, now.clock) };
        match h.purpose {
            Purpose::Join => {
                conn.link.answer(&answer);
                conn.asks = Some(h);
            }
            Purpose::Relay => {
                conn.link.answer(&answer);
                return Ok(After::HandOver(Box::new(h)));
            }
            Purpose::Peer => {
                if let Some(p) = self.peers.get_mut(&h.node) {
                    // What it dialled before, and gave up.
                    let void = p.void.0 == h.boot && h.attempt <= p.void.1;
                    let dial = p.dialling.and_then(|t| self.conns.get(&t));
                    let said = dial.is_some_and(|c| c.stage == Stage::Talking && !c.wire.is_handshaking());
                    if void || (said && me.node < h.node) {
                        let e = err!(CONNECTION_EXCEPTION, "there is another connection to node {}", h.node);
                        return Err(Stop::Ours(e, Some(Refusal::second())));
                    }
                    if let Some(t) = p.dialling.take() {
                        self.conns.remove(&t);
                    }
                    p.resolving = false;
                }
                conn.link.answer(&answer);
                self.connected(conn, token, h, now);
            }
        }
        Ok(After::Keep)
    }
    /// The node that was dialled says who it is.
    fn answered(&mut self, conn: &mut Conn, token: usize, node: NodeId, h: Hello, now: Now) -> Result<After, Stop> {
        h.check(&self.shared.identity).map_err(refuse)?;
        if h.purpose != Purpose::Peer {
            return Err(refuse(frame::violation("an answer to another greeting")));
        }
        if h.node != node {
            let other = &conn.wire.other;
            let e =
                err!(INVALID_AUTHORIZATION_SPECIFICATION, "the node at {other} is node {}, not node {node}", h.node);
            return Err(refuse(e));
        }
        self.handler.admit(&h).map_err(refuse)?;
        conn.link.open(now);
        if let Some(p) = self.peers.get_mut(&node) {
            p.dialling = None;
        }
        self.connected(conn, token, h, now);
        Ok(After::Keep)
    }
    /// Both have greeted: messages go over this connection from now on.
    fn connected(&mut self, conn: &mut Conn, token: usize, h: Hello, now: Now) {
        let old = self.peers.get(&h.node).and_then(|p| p.active);
        if let Some(mut old) = old.and_then(|t| self.conns.remove(&t)) {
            old.wire.close();
            self.lose(h.node, &err!(CONNECTION_FAILURE, "node {} has made a new connection", h.node));
        }
        let shared = &self.shared;
        let p =
            self.peers.entry(h.node).or_insert_with(|| Known::new(shared.new_peer(h.node, &h.address), None, now.at));
        (p.active, p.failures, p.void) = (Some(token), 0, (h.boot, h.attempt));
        conn.peer = Some(p.shared.clone());
        (conn.dial, conn.end) = (None, None);
        p.shared.queues.lock().open = true;
        {
            let mut facts = p.shared.facts.lock();
            facts.connections += 1;
            facts.connected_since = Some(now.clock);
            facts.program.clone_from(&h.program);
        }
        tracing::info!("connected to node {} at {} ({})", h.node, conn.wire.other, h.program);
        self.handler.connected(&h);
    }

    /// Writes what there is, as far as the socket takes it.
    fn write(&mut self, conn: &mut Conn, token: usize) -> Result<(), Stop> {
        let mut written = 0;
        loop {
            if conn.wire.blocked {
                return Ok(());
            }
            if conn.link.output().is_empty()
                && let Some(p) = &conn.peer
            {
                let now = self.now();
                conn.link.fill(&mut p.queues.lock(), now);
            }
            if conn.link.output().is_empty() {
                let done = conn.wire.flush().map_err(|e| Stop::Gone(conn.wire.explain(&e)))?;
                if done && conn.stage == Stage::Closing && !conn.closed {
                    conn.closed = true;
                    conn.wire.close();
                }
                return Ok(());
            }
            if written >= TURN {
                self.again.push(token);
                return Ok(());
            }
            let n = conn.wire.write(conn.link.output()).map_err(|e| Stop::Gone(conn.wire.explain(&e)))?;
            if n == 0 {
                return Ok(());
            }
            written += n;
            let now = self.now();
            conn.link.went(n, now);
        }
    }

    // Endings.

    /// All is said: the output goes out, then the connection ends.
    fn finish(&mut self, conn: &mut Conn, now: Now) {
        conn.stage = Stage::Closing;
        conn.end = Some(now.at + LINGER);
    }
    fn hand_over(&mut self, conn: Conn, hello: Hello) {
        let Conn { mut wire, link, .. } = conn;
        wire.edge = Edge::default();
        let other = wire.other.clone();
        if let Err(e) = self.poll.registry().deregister(&mut SourceFd(&wire.as_raw_fd())) {
            tracing::warn!("could not pass on a client's connection from {other}: {e}");
            return;
        }
        let (early, unsent) = link.into_rest();
        match RelayedStream::new(wire, early, unsent, hello.clone()) {
            Ok(stream) => self.handler.relayed(hello, stream),
            Err(e) => tracing::warn!("could not pass on a client's connection from {other}: {e}"),
        }
    }
    /// The connection, which is in no map any more, has ended or is about to.
    fn stopped(&mut self, mut conn: Conn, token: usize, stop: Stop) {
        if conn.stage == Stage::Closing {
            return;
        }
        let now = self.now();
        match stop {
            Stop::Gone(e) => self.ended(&mut conn, token, e, false),
            Stop::Second if conn.peer.is_some() => {
                let e = err!(CONNECTION_FAILURE, "{} keeps another connection", conn.wire.other);
                self.ended(&mut conn, token, e, false);
            }
            Stop::Second => {
                if let Some(p) = conn.dial.and_then(|node| self.peers.get_mut(&node)) {
                    p.dialling = None;
                    // By then the other one stands.
                    p.next_dial = now.at + 4 * RETRY_FIRST;
                }
            }
            Stop::Ours(e, refusal) => {
                let second = refusal.as_ref().is_some_and(|r| r.second);
                match &refusal {
                    Some(r) => conn.link.refuse(r),
                    None => conn.link.abandon(),
                }
                if !second {
                    count(&self.shared.counts.refused);
                    self.ended(&mut conn, token, e, true);
                }
                (conn.peer, conn.dial) = (None, None);
                self.finish(&mut conn, now);
                if self.write(&mut conn, token).is_ok() {
                    // What came before the end is still to be read.
                    self.again.push(token);
                    self.conns.insert(token, conn);
                }
            }
        }
    }
    /// What an ending means for the peer.
    fn ended(&mut self, conn: &mut Conn, token: usize, e: Error, ours: bool) {
        let peer = conn.peer.take().map(|p| p.node);
        let active = peer.filter(|node| self.peers.get(node).is_some_and(|p| p.active == Some(token)));
        match (active, conn.dial.take()) {
            (Some(node), _) => self.lose(node, &e),
            (None, Some(node)) => {
                if let Some(p) = self.peers.get_mut(&node).filter(|p| p.dialling == Some(token)) {
                    p.dialling = None;
                    self.dial_failed(node, e);
                }
            }
            // Somebody who looks whether the port is open is no news.
            (None, None) if !ours => {
                tracing::debug!("connection from {}: {}", conn.wire.other, e.message_on_one_line())
            }
            (None, None) => tracing::warn!("connection from {} refused: {}", conn.wire.other, told(&e)),
        }
    }
    /// The connection that carried a peer's messages is no more.
    fn lose(&mut self, node: NodeId, e: &Error) {
        let now = self.now();
        let soon = self.jitter(RETRY_FIRST / 4);
        let Some(p) = self.peers.get_mut(&node) else { return };
        p.active = None;
        p.next_dial = now.at + soon;
        p.shared.queues.lock().clear();
        {
            let mut facts = p.shared.facts.lock();
            (facts.connected_since, facts.round_trip) = (None, None);
            facts.last_error = Some((e.clone(), now.clock));
        }
        count(&self.shared.counts.lost);
        tracing::warn!("connection to node {node} lost: {}", told(e));
        if p.address.is_none() {
            self.shared.forget(&p.shared);
            self.peers.remove(&node);
        }
        self.handler.lost(node, e);
    }
    fn dial_failed(&mut self, node: NodeId, e: Error) {
        let now = self.now();
        let Some(p) = self.peers.get_mut(&node) else { return };
        (p.dialling, p.resolving) = (None, false);
        let pause = RETRY_MAX.min(RETRY_FIRST * 2u32.saturating_pow(p.failures.min(16)));
        p.failures = p.failures.saturating_add(1);
        {
            let mut q = p.shared.queues.lock();
            q.open = false;
            q.clear();
        }
        let known = {
            let mut facts = p.shared.facts.lock();
            let before = facts.last_error.replace((e.clone(), now.clock));
            before.is_some_and(|(b, _)| b.message() == e.message())
        };
        // Said once, as long as it is the same.
        match known {
            true => tracing::debug!("no connection to node {node}: {}", told(&e)),
            false => tracing::warn!("no connection to node {node}: {}", told(&e)),
        }
        let pause = self.jitter(pause);
        if let Some(p) = self.peers.get_mut(&node) {
            p.next_dial = now.at + pause;
        }
    }
    /// From three quarters of it to five (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
    fn jitter(&mut self, pause: Duration) -> Duration {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        pause * 3 / 4 + pause.mul_f64((z >> 11) as f64 / (1u64 << 53) as f64 / 2.0)
    }
}

/// An error on one line of the log.
fn told(e: &Error) -> String {
    let mut s = e.message_on_one_line().into_owned();
    for part in [&e.data().detail, &e.data().hint].into_iter().flatten() {
        s.push(' ');
        s.push_str(&part.replace(char::is_control, " "));
    }
    s
}
