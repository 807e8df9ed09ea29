//! Messages between the nodes of a cluster: one connection for each pair of nodes, of which heartbeats go first whatever else is on its way.
//!
//! ```text
//!   any thread --send--> Queues (a peer's, by class, bounded) --.             .--> Handler::received, connected, lost, clock_off
//!                                                               v             |
//!                                       the transport's thread: driver over mio, and its Rider (a node's turns)
//!                                                   Link (a connection as a machine of bytes)
//!                                                   Wire (TLS or none, socket)
//!                                                               |
//!                                                           the other node
//! ```
//! - [`frame`]: frames in bytes. - [`hello`]: who is there, versions, refusals. - [`link`]: the protocol of a connection without sockets, for the thread, for tests and for simulations.
//! - [`queue`]: classes, limits, messages. - [`tls`], [`wire`]: certificates, sockets. - `driver`: the thread. - [`ask`](mod@ask): one question, by another thread.
//!
//! **What is promised.** Messages of one class arrive in order, each at most once, whole. Those of a connection that was lost may be lost: the handler hears of it ([`Handler::lost`]) and says
//! again what still matters. What waits for a peer when its connection is lost is dropped, since it was said by one who did not know. While a connection is being made messages wait for it, within
//! their limits; after an attempt that failed they are refused ([`Refused::Away`]) until there is a connection.
//!
//! **Identity.** Both sides say who they are (node id, cluster) and what they speak; either can refuse, with an error that both report. With TLS both prove that the cluster's authority knows them.
//! Plain connections are for loopback addresses, or where the configuration says `insecure`.
//!
//! *Invariants*: nothing here blocks a sender or waits for a handler. What a peer can make this node hold is bounded by named limits: [`Limits`] for what waits for it, [`link::window`]
//! for what came from it. No input makes the thread panic.
//!
//! Limits: messages of at most [`queue::MAX_MESSAGE`]; one thread for all peers; [`MAX_GREETING`] connections that have not said who they are.
pub mod ask;
mod driver;
pub mod frame;
pub mod hello;
pub mod link;
pub mod queue;
mod shared;
pub mod tls;
pub mod wire;

#[cfg(test)]
mod link_tests;
#[cfg(test)]
mod tests;

pub use ask::ask;
pub use hello::{Hello, Purpose};
pub use queue::{Class, Limits, Message, Refused, Traffic};
pub use tls::Tls;

use crate::version::Build;
use driver::Shared;
use pamir_error::{Error, Result, err};
use pamir_storage::platform::{Platform, Real};
use parking_lot::Mutex;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A node of the cluster; 0: none yet.
pub type NodeId = u64;

/// What of this protocol the program speaks.
pub const VERSIONS: Versions = Versions { lowest: 1, highest: 1 };
/// A connection stands within this time, greetings and all, or is given up.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Connections that were accepted and have not said who they are; more are closed.
pub const MAX_GREETING: usize = 64;
/// The first pause before a connection is tried again; it doubles with every failure.
pub const RETRY_FIRST: Duration = Duration::from_millis(50);
/// The longest pause.
pub const RETRY_MAX: Duration = Duration::from_secs(2);
/// Clocks further apart are reported.
pub const CLOCK_LIMIT: Duration = Duration::from_millis(500);

/// Time, as a [`link::Link`] is told: since some moment, by a clock that only goes forward, and microseconds since 1970-01-01 UTC, by one that people set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now {
    pub at: Duration,
    pub clock: i64,
}

/// A range of versions of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Versions {
    pub lowest: u16,
    pub highest: u16,
}
impl Versions {
    /// The highest that both speak.
    pub fn common(self, other: Versions) -> Option<u16> {
        let (lowest, highest) = (self.lowest.max(other.lowest), self.highest.min(other.highest));
        // A range from high to low has nothing in it.
        let some = self.lowest <= self.highest && other.lowest <= other.highest && lowest <= highest;
        some.then_some(highest)
    }
}
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lowest == self.highest {
            true => write!(f, "version {}", self.lowest),
            false => write!(f, "versions {} to {}", self.lowest, self.highest),
        }
    }
}

/// Who this node is, to others.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Zero: none yet, of a node that is to join one.
    pub cluster: [u8; 16],
    /// 0: none yet.
    pub node: NodeId,
    /// HOST:PORT where other nodes dial it. Empty: where it listens.
    pub address: String,
    /// The program's version, for people.
    pub program: String,
    pub versions: Versions,
    /// What its build reads and writes beyond that.
    pub build: Build,
    /// None: connections are plain.
    pub tls: Option<Tls>,
    /// Plain connections are allowed beyond this machine.
    pub insecure: bool,
}
impl Identity {
    pub fn new(cluster: [u8; 16], node: NodeId, address: impl Into<String>) -> Identity {
        Identity {
            cluster,
            node,
            address: address.into(),
            program: concat!("Pamir ", env!("CARGO_PKG_VERSION")).into(),
            versions: VERSIONS,
            build: Build::OWN,
            tls: None,
            insecure: false,
        }
    }
    pub fn tls(mut self, tls: Tls) -> Identity {
        self.tls = Some(tls);
        self
    }
    /// As a program of another release would say it.
    pub fn versions(mut self, lowest: u16, highest: u16) -> Identity {
        self.versions = Versions { lowest, highest };
        self
    }
}
/// 55000 where only TLS may go, and there is none.
fn dialable(me: &Identity, to: SocketAddr) -> Result<()> {
    if me.tls.is_some() || me.insecure || to.ip().is_loopback() {
        return Ok(());
    }
    Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "no plain connection between nodes to or from {to}")
        .detail("Without certificates nodes speak to each other on loopback addresses only.")
        .hint("Make certificates with \"pamir cert\", or allow plain connections with --insecure."))
}

pub struct Config {
    pub identity: Identity,
    /// Port 0: any; [`Transport::local_addr`] says which.
    pub listen: SocketAddr,
    pub limits: Limits,
    /// A difference between two clocks, less the round trip, that [`Handler::clock_off`] is told of.
    pub clock_limit: Duration,
    /// Draws the jitter of pauses between attempts.
    pub seed: u64,
    pub platform: Arc<dyn Platform>,
}
impl Config {
    pub fn new(identity: Identity, listen: SocketAddr) -> Config {
        Config {
            seed: identity.node,
            identity,
            listen,
            limits: Limits::default(),
            clock_limit: CLOCK_LIMIT,
            platform: Real::shared(),
        }
    }
}

/// What a node does with what comes. All of it is called from the transport's thread, which serves all peers: none of it may wait for anything.
///
/// [`Handler::connected`] and [`Handler::lost`] of a peer alternate, and messages come between them only.
pub trait Handler: Send + Sync + 'static {
    /// Keep `message` as long as it waits: its sender is slowed down by that. Its bytes alone are [`Message::into_vec`].
    fn received(&self, from: NodeId, class: Class, message: Message);
    /// There is a connection; `peer` is what it says of itself.
    fn connected(&self, peer: &Hello);
    /// There is none any more: messages under way and those that waited may be lost.
    fn lost(&self, peer: NodeId, why: &Error);
    /// The peer's clock is so many microseconds before ours, more than the limit allows. Said once a connection, and again when it was within the limit in between.
    fn clock_off(&self, peer: NodeId, micros: i64);
    /// Whether a node that says this of itself may connect, or may answer where we connect. An error is what both sides report.
    fn admit(&self, hello: &Hello) -> Result<()>;
    /// One question of a node that may not be in the cluster, and the answer (at most [`link::MAX_REQUEST`] bytes).
    fn request(&self, hello: &Hello, message: Vec<u8>) -> Vec<u8>;
}

/// What the transport's thread does beside its sockets, once a round: what it sends goes out in the same round, and what came in is there for it, without a thread's being woken in between.
pub trait Rider: Send {
    /// Is there something to do before the time that was said last? Whoever brings work lets this be true first, and rings then ([`Transport::bell`]).
    fn is_due(&self) -> bool;
    /// Does what there is, without waiting for anything. When there is more to do though nobody rings; None: it has ended, and is dropped.
    fn ride(&mut self) -> Option<Instant>;
}
/// Wakes the transport's thread for its [`Rider`].
#[derive(Clone)]
pub struct Bell(Arc<Shared>);
impl Bell {
    pub fn ring(&self) {
        self.0.ring();
    }
}

/// How it stands with a peer.
#[derive(Clone, Debug)]
pub struct PeerStatus {
    pub node: NodeId,
    pub address: String,
    /// Microseconds since 1970-01-01 UTC; None: there is no connection.
    pub connected_since: Option<i64>,
    /// Of the newest Ping that was answered.
    pub round_trip: Option<Duration>,
    /// Pings that were answered since the peer is known, and how long all of them took.
    pub round_trips: (u64, Duration),
    /// By how many microseconds the peer's clock is before ours, give or take the round trip.
    pub clock_ahead: Option<i64>,
    /// Whole messages, in the order of [`Class::ALL`].
    pub sent: [Traffic; 3],
    pub received: [Traffic; 3],
    /// Bytes that wait to be sent.
    pub queued: [usize; 3],
    /// Connections that stood since the peer is known, less the first.
    pub reconnects: u64,
    /// The newest error, and when it was (microseconds since 1970-01-01 UTC).
    pub last_error: Option<(Error, i64)>,
    /// The peer's program; empty as long as it has not said it.
    pub program: String,
}

/// What the transport has counted since it began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Connections accepted, and dialled.
    pub accepted: u64,
    pub dialled: u64,
    /// Closed for something that the protocol does not have: damage, or another program.
    pub violations: u64,
    /// Refused by this node, and by others.
    pub refused: u64,
    pub refused_by_others: u64,
    /// Peers' connections that were lost.
    pub lost: u64,
}

/// The connections of one node.
pub struct Transport {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Transport {
    /// Listens, and starts the thread. 55000: plain, and neither loopback nor `insecure`; 58030: the address cannot be had.
    pub fn start(config: Config, handler: Arc<dyn Handler>) -> Result<Arc<Transport>> {
        let (shared, address, thread) = driver::start(config, handler)?;
        Ok(Arc::new(Transport { shared, address, thread: Mutex::new(Some(thread)) }))
    }
    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }
    /// Who this node is, for [`ask`](ask::ask).
    pub fn identity(&self) -> &Identity {
        &self.shared.identity
    }
    /// Keeps a connection to this node from now on, which is dialled at `address` (HOST:PORT).
    pub fn set_peer(&self, node: NodeId, address: &str) {
        self.shared.set_peer(node, address);
    }
    /// No longer. A connection that stands is closed, and what waits is dropped. If it should not come back by itself, [`Handler::admit`] must refuse it.
    pub fn remove_peer(&self, node: NodeId) {
        self.shared.remove_peer(node);
    }
    /// Puts a message behind those of its class. Never waits.
    pub fn send(&self, to: NodeId, class: Class, message: Vec<u8>) -> Result<(), Refused> {
        self.shared.send(to, class, message)
    }
    /// The thread carries `rider` from now on, instead of any other, until that ends or the transport does.
    pub fn carry(&self, rider: Box<dyn Rider>) {
        self.shared.command(shared::Command::Carry(rider));
    }
    pub fn bell(&self) -> Bell {
        Bell(self.shared.clone())
    }
    /// All peers, by id.
    pub fn status(&self) -> Vec<PeerStatus> {
        self.shared.status()
    }
    pub fn counters(&self) -> Counters {
        self.shared.counters()
    }
    /// Closes all connections and ends the thread; what waits is dropped. The handler hears nothing more.
    pub fn stop(&self) {
        self.shared.stop();
        let thread = self.thread.lock().take();
        if let Some(t) = thread
            && t.thread().id() != std::thread::current().id()
        {
            let _ = t.join();
        }
    }
}
impl Drop for Transport {
    fn drop(&mut self) {
        self.stop();
    }
}
