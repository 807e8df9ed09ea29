//! The transport's thread: sockets, peers and when to dial them.
//!
//! ```text
//!   poll --> sockets that are ready --> step: read, events, write      timers: pings, the dead, the late, the next dials
//!        --> commands, taken messages, peers with something to send
//! ```
//! - `greet`: who is at the other end, and which of two connections stays. - `ending`: why a connection ends, what the other side hears of it, when a peer is dialled again.
//!
//! *Invariant*: a connection is `readable` until its wire said that nothing is there.
//!
//! Limits: each round looks at all connections and peers, of which there are as many as nodes in a cluster.
mod ending;
mod greet;

use super::hello::{Hello, Purpose, Refusal, no_common_version};
use super::link::{Event, Link};
use super::queue::Held;
pub use super::shared::Shared;
use super::shared::{Command, Peer};
use super::wire::{Got, Wire};
use super::{
    CONNECT_TIMEOUT, Config, Handler, MAX_GREETING, NodeId, Now, RETRY_FIRST, RETRY_MAX, Rider, Tls, ask, dialable,
    frame,
};
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token, Waker};
use pamir_error::{Error, Result, SqlState, err};
use pamir_storage::platform::Platform;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

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
/// A stranger that is refused again for the same reason is said again after this time.
const SAID_AGAIN: Duration = Duration::from_secs(60);
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
    rider: Option<Box<dyn Rider>>,
    /// When it is to be called though nobody rings.
    ride_at: Duration,
    /// The last stranger that was refused: its host, why, and when it was said.
    refused: Option<(String, SqlState, Duration)>,
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
    if let Some(own) = identity.tls.as_ref().map(Tls::own)
        && own.left(SystemTime::now()).is_none()
    {
        tracing::error!(
            "the certificate of this node, \"{}\", expired on {}: no other node will speak with it",
            own.name,
            own.expires()
        );
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
        rider: None,
        ride_at: Duration::ZERO,
        refused: None,
    };
    let ended = shared.clone();
    let run = move || {
        if catch_unwind(AssertUnwindSafe(|| driver.run())).is_err() {
            tracing::error!("the transport between nodes has ended: a handler of messages panicked");
        }
        // Nobody takes messages any more.
        ended.stop();
        drop(ended.commands());
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
            // In this order: see `shared.rs`.
            let idle = self.shared.fall_asleep() && !self.rider.as_ref().is_some_and(|r| r.is_due());
            let timeout = match idle && self.again.is_empty() {
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
            self.ride();
            // After the handlers and the rider had their say: what they send goes out in this round.
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

    fn ride(&mut self) {
        let Some(mut rider) = self.rider.take() else { return };
        if !rider.is_due() && self.start.elapsed() < self.ride_at {
            self.rider = Some(rider);
        } else if let Some(next) = rider.ride() {
            self.ride_at = next.saturating_duration_since(self.start);
            self.rider = Some(rider);
        }
    }
    fn next_timer(&self) -> Duration {
        let mut next = self.accept_at.unwrap_or(Duration::MAX);
        if self.rider.is_some() {
            next = next.min(self.ride_at);
        }
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
            Command::Carry(rider) => (self.rider, self.ride_at) = (Some(rider), Duration::ZERO),
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
                    let found = ask::resolve(&address);
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
            Ok(()) => drop(self.conns.insert(token, conn)),
            Err(stop) => self.stopped(conn, token, stop),
        }
    }
    fn try_step(&mut self, conn: &mut Conn, token: usize) -> Result<(), Stop> {
        if conn.stage == Stage::Connecting {
            match conn.wire.is_connected() {
                Ok(true) => conn.stage = Stage::Talking,
                Ok(false) => return Ok(()),
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
                    if !closing {
                        self.came(conn, token, n)?;
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
        Ok(())
    }
    /// So many bytes in `scratch`.
    fn came(&mut self, conn: &mut Conn, token: usize, n: usize) -> Result<(), Stop> {
        let now = self.now();
        let mut events = std::mem::take(&mut self.events);
        let mut n = n;
        let after = loop {
            let r = conn.link.receive(self.scratch.get(..n).unwrap_or_default(), now, &mut events);
            n = 0;
            let mut greeted = false;
            for e in events.drain(..) {
                greeted |= matches!(e, Event::Hello(_));
                self.event(conn, token, e, now)?;
            }
            if let Err(e) = r {
                count(&self.shared.counts.violations);
                break Err(refuse(e));
            }
            if !greeted {
                break Ok(());
            }
        };
        self.events = events;
        after
    }
    fn event(&mut self, conn: &mut Conn, token: usize, event: Event, now: Now) -> Result<(), Stop> {
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
                        let (n, sum) = facts.round_trips;
                        facts.round_trips = (n + 1, sum.saturating_add(took));
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
        Ok(())
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
}
