//! What the transport's thread shares with all others: queues, commands, the bell, and what is known of peers.
//!
//! ```text
//!   send: queue, then `dirty`, then the bell            set_peer, remove_peer: the map, a command, the bell
//!                                                       who takes a message: the link's token, the bell
//!                                                       stop: a flag, the bell
//!                                                       who has work for the rider: what says that it is due, the bell
//!   thread: sleeping = true; work? no -> poll ... sleeping = false; sockets; work = false; then all of the above
//! ```
//! *Invariant* of the bell: whoever leaves work sets `work` after it and looks at `sleeping` then; the thread sets `sleeping` first, and then looks at
//! `work` and asks the rider. So one of the two sees the other, and the kernel's bell is rung only for a thread that sleeps.
use super::queue::{Class, Limits, Queues, Refused, Traffic};
use super::{Counters, Identity, NodeId, PeerStatus, Rider};
use mio::Waker;
use pamir_error::{Error, Result};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What is known of a peer.
#[derive(Clone, Default)]
pub struct Facts {
    pub address: String,
    pub connected_since: Option<i64>,
    pub round_trip: Option<Duration>,
    /// How many there were, and how long they took together.
    pub round_trips: (u64, Duration),
    pub clock_ahead: Option<i64>,
    pub connections: u64,
    pub last_error: Option<(Error, i64)>,
    pub program: String,
}

pub struct Peer {
    pub node: NodeId,
    pub queues: Mutex<Queues>,
    /// Something was put into the queues.
    pub dirty: AtomicBool,
    pub facts: Mutex<Facts>,
    /// Messages and bytes, by class.
    received: [(AtomicU64, AtomicU64); 3],
}
impl Peer {
    pub fn new(node: NodeId, address: &str, limits: Limits) -> Arc<Peer> {
        Arc::new(Peer {
            node,
            queues: Mutex::new(Queues::new(limits)),
            dirty: AtomicBool::new(false),
            facts: Mutex::new(Facts { address: address.to_string(), ..Facts::default() }),
            received: Default::default(),
        })
    }
    pub fn count(&self, class: Class, bytes: usize) {
        let (messages, all) = &self.received[class as usize];
        messages.fetch_add(1, Ordering::Relaxed);
        all.fetch_add(bytes as u64, Ordering::Relaxed);
    }
    fn status(&self) -> PeerStatus {
        let (sent, queued) = {
            let q = self.queues.lock();
            (q.sent, q.bytes())
        };
        let facts = self.facts.lock().clone();
        PeerStatus {
            node: self.node,
            address: facts.address,
            connected_since: facts.connected_since,
            round_trip: facts.round_trip,
            round_trips: facts.round_trips,
            clock_ahead: facts.clock_ahead,
            sent,
            received: self.received.each_ref().map(|(messages, bytes)| Traffic {
                messages: messages.load(Ordering::Relaxed),
                bytes: bytes.load(Ordering::Relaxed),
            }),
            queued,
            reconnects: facts.connections.saturating_sub(1),
            last_error: facts.last_error,
            program: facts.program,
        }
    }
}

pub enum Command {
    Carry(Box<dyn Rider>),
    Set(Arc<Peer>, String),
    Remove(NodeId),
    /// The addresses of a peer's host.
    Resolved {
        node: NodeId,
        attempt: u64,
        found: Result<Vec<SocketAddr>>,
    },
}

#[derive(Default)]
pub struct Counts {
    pub accepted: AtomicU64,
    pub dialled: AtomicU64,
    pub violations: AtomicU64,
    pub refused: AtomicU64,
    pub refused_by_others: AtomicU64,
    pub lost: AtomicU64,
}

pub struct Shared {
    pub identity: Identity,
    limits: Limits,
    peers: RwLock<HashMap<NodeId, Arc<Peer>>>,
    commands: Mutex<Vec<Command>>,
    /// Connections whose messages were taken.
    granted: Mutex<Vec<usize>>,
    waker: Waker,
    sleeping: AtomicBool,
    work: AtomicBool,
    stopping: AtomicBool,
    pub counts: Counts,
}

impl Shared {
    pub fn new(identity: Identity, limits: Limits, waker: Waker) -> Shared {
        Shared {
            identity,
            limits,
            peers: RwLock::default(),
            commands: Mutex::default(),
            granted: Mutex::default(),
            waker,
            sleeping: AtomicBool::new(false),
            work: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }
    pub fn ring(&self) {
        self.work.store(true, Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) && self.sleeping.swap(false, Ordering::SeqCst) {
            // It fails only where the descriptor is gone, and the thread with it.
            let _ = self.waker.wake();
        }
    }
    /// The thread is about to sleep; false: there is work.
    pub fn fall_asleep(&self) -> bool {
        self.sleeping.store(true, Ordering::SeqCst);
        !self.work.load(Ordering::SeqCst)
    }
    pub fn wake_up(&self) {
        self.sleeping.store(false, Ordering::SeqCst);
    }
    /// The thread looks at all that the bell is rung for from now on: commands, tokens, dirty peers, and whether it is to stop.
    pub fn look(&self) {
        self.work.store(false, Ordering::SeqCst);
    }

    pub fn command(&self, c: Command) {
        self.commands.lock().push(c);
        self.ring();
        if self.is_stopping() {
            // The thread may have looked for the last time.
            drop(self.commands());
        }
    }
    pub fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut *self.commands.lock())
    }
    pub fn taken(&self, token: usize) {
        self.granted.lock().push(token);
        self.ring();
    }
    pub fn granted(&self) -> Vec<usize> {
        std::mem::take(&mut *self.granted.lock())
    }

    pub fn set_peer(&self, node: NodeId, address: &str) {
        let peer = self.peers.write().entry(node).or_insert_with(|| Peer::new(node, address, self.limits)).clone();
        self.command(Command::Set(peer, address.to_string()));
    }
    pub fn remove_peer(&self, node: NodeId) {
        if let Some(peer) = self.peers.write().remove(&node) {
            let mut q = peer.queues.lock();
            q.open = false;
            q.clear();
        }
        self.command(Command::Remove(node));
    }
    /// A peer as the map has it, which the caller has had before or made.
    pub fn keep(&self, peer: &Arc<Peer>) {
        self.peers.write().entry(peer.node).or_insert_with(|| peer.clone());
    }
    pub fn new_peer(&self, node: NodeId, address: &str) -> Arc<Peer> {
        self.peers.write().entry(node).or_insert_with(|| Peer::new(node, address, self.limits)).clone()
    }
    /// Takes this peer from the map, and no other one of its id.
    pub fn forget(&self, peer: &Arc<Peer>) {
        let mut peers = self.peers.write();
        if peers.get(&peer.node).is_some_and(|p| Arc::ptr_eq(p, peer)) {
            peers.remove(&peer.node);
        }
    }

    pub fn send(&self, to: NodeId, class: Class, message: Vec<u8>) -> Result<(), Refused> {
        if self.is_stopping() {
            return Err(Refused::Stopped);
        }
        let peers = self.peers.read();
        let peer = peers.get(&to).ok_or(Refused::Unknown)?;
        peer.queues.lock().push(class, message)?;
        if !peer.dirty.swap(true, Ordering::SeqCst) {
            self.ring();
        }
        Ok(())
    }
    pub fn status(&self) -> Vec<PeerStatus> {
        let mut all: Vec<PeerStatus> = self.peers.read().values().map(|p| p.status()).collect();
        all.sort_unstable_by_key(|p| p.node);
        all
    }
    pub fn counters(&self) -> Counters {
        let n = |c: &AtomicU64| c.load(Ordering::Relaxed);
        let c = &self.counts;
        Counters {
            accepted: n(&c.accepted),
            dialled: n(&c.dialled),
            violations: n(&c.violations),
            refused: n(&c.refused),
            refused_by_others: n(&c.refused_by_others),
            lost: n(&c.lost),
        }
    }
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.ring();
    }
}
