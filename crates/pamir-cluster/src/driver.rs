//! Drives a node in a process: one thread for its turns, one for its syncs.
//!
//! ```text
//!   transport ── heard ─┐                     ┌─► post (never waits)
//!   shards ── waker ────┼─► turns ── Turn ────┤
//!   commands ───────────┘     ▲               └─► syncs ──┐
//!                             └────────── synced ─────────┘
//! ```
//! What takes how long goes to a [`Meter`] (`pace.rs`): syncs, turns that write, and how late the thread of turns wakes.
//! A slow sync stops neither heartbeats nor answers to others: the thread of the turns never touches the disk but to write (past the kernel's cache) and to read entries that a slow follower lacks.
//! *Invariants*: one thread makes all turns; a failure of the node is a failure of its shard, whoever waits hears of it.
use crate::members::Members;
use crate::message::Say;
use crate::node::Node;
use crate::pace::{Meter, Own};
use crate::{FIRST_GROUP, NodeId};
use bytes::Bytes;
use pamir_error::{Error, Result, err};
use pamir_storage::log::Syncing;
use pamir_txn::Shard;
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::task::{Wake, Waker};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

/// Without anything to do the thread looks up this often.
const LONGEST_REST: Duration = Duration::from_millis(100);
/// [`Post::look`] is called this often.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Takes messages for other nodes, without waiting: what finds no room is lost, and said again by whoever misses the answer.
pub trait Post: Send + Sync {
    fn post(&self, to: NodeId, urgent: bool, bytes: Vec<u8>);
    /// Another node's followers are to get a snapshot.
    fn snapshot(&self, to: NodeId, snapshot: raft::eraftpb::Snapshot);
    /// The members of the group have changed, or who leads it, or whether this node serves.
    fn changed(&self, view: View);
    /// Called now and then by the thread of the turns. `own`: how fast the node's disk and processor are.
    fn look(&self, node: &mut Node, own: Own, now: Instant);
}

/// A group as a node sees it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct View {
    pub term: u64,
    /// 0: nobody is known to.
    pub leader: NodeId,
    /// This node leads and takes changes.
    pub serves: bool,
    pub members: Members,
}
impl View {
    fn of(node: &Node) -> View {
        node.group(FIRST_GROUP).map_or_else(View::default, |g| View {
            term: g.term(),
            leader: g.leader(),
            serves: g.serves(),
            members: g.log().members.clone(),
        })
    }
}

/// A command for the thread of the turns.
pub type Command = Box<dyn FnOnce(&mut Node) + Send>;
enum Event {
    Heard(NodeId, Vec<u8>),
    /// What came of a sync, and how long it took.
    Synced(Syncing, Result<()>, Duration),
    Command(Command),
    Stop,
}

/// Wakes the thread of the turns, from before there is one.
pub struct Doorbell {
    /// Times are counted from here.
    base: Instant,
    /// When it was rung first since the thread looked, in nanoseconds and 1 more; 0: it was not.
    rung: AtomicU64,
    thread: OnceLock<Thread>,
}
impl Default for Doorbell {
    fn default() -> Doorbell {
        Doorbell { base: Instant::now(), rung: AtomicU64::new(0), thread: OnceLock::new() }
    }
}
impl Doorbell {
    pub fn new() -> Arc<Doorbell> {
        Arc::default()
    }
    pub fn waker(self: &Arc<Self>) -> Waker {
        Waker::from(self.clone())
    }
    fn ring(&self) {
        if self.rung.load(Ordering::SeqCst) == 0 {
            let at = u64::try_from(self.base.elapsed().as_nanos()).unwrap_or(u64::MAX - 1);
            let _ = self.rung.compare_exchange(0, at + 1, Ordering::SeqCst, Ordering::SeqCst);
        }
        if let Some(t) = self.thread.get() {
            t.unpark();
        }
    }
    /// Waits until `until`, or until it is rung; how long after that, and after this was called, the thread goes on.
    fn rest(&self, until: Instant) -> Duration {
        let began = Instant::now();
        loop {
            let rung = self.rung.swap(0, Ordering::SeqCst).checked_sub(1);
            let now = Instant::now();
            let due = rung.map_or(until, |at| until.min(self.base + Duration::from_nanos(at)));
            if rung.is_some() || now >= until {
                return now.saturating_duration_since(due.max(began));
            }
            std::thread::park_timeout(until - now);
        }
    }
}
impl Wake for Doorbell {
    fn wake(self: Arc<Self>) {
        self.ring();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        self.ring();
    }
}

/// The way to a node's thread; dropping the driver stops it.
#[derive(Clone)]
pub struct Entrance {
    events: Arc<Mutex<Vec<Event>>>,
    bell: Arc<Doorbell>,
}
impl Entrance {
    pub fn new(bell: Arc<Doorbell>) -> Entrance {
        Entrance { events: Arc::default(), bell }
    }
    fn push(&self, e: Event) {
        self.events.lock().push(e);
        self.bell.ring();
    }
    /// A message of another node's.
    pub fn heard(&self, from: NodeId, bytes: Vec<u8>) {
        self.push(Event::Heard(from, bytes));
    }
    pub fn command(&self, f: Command) {
        self.push(Event::Command(f));
    }
    /// Runs `f` on the node's thread and waits for what it says. 57P01 if that thread has ended.
    pub fn ask<T: Send + 'static>(&self, f: impl FnOnce(&mut Node) -> T + Send + 'static) -> Result<T> {
        let (send, receive) = channel();
        self.command(Box::new(move |n| drop(send.send(f(n)))));
        receive.recv_timeout(ANSWER).map_err(|_| err!(ADMIN_SHUTDOWN, "this node does not answer"))
    }
}
/// How long [`Entrance::ask`] waits for a thread that stands still.
const ANSWER: Duration = Duration::from_secs(10);

pub struct Driver {
    entrance: Entrance,
    threads: Vec<JoinHandle<()>>,
}
impl Driver {
    /// Starts a node's threads.
    pub fn start(node: Node, shard: Arc<Shard>, entrance: Entrance, post: Arc<dyn Post>) -> Result<Driver> {
        let (to_sync, jobs) = channel::<Syncing>();
        let spawn = |name: &str, f: Box<dyn FnOnce() + Send>| {
            let t = std::thread::Builder::new().name(name.into()).spawn(f);
            t.map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))
        };
        let back = entrance.clone();
        let syncs = spawn("log-sync", Box::new(move || run_syncs(jobs, back)))?;
        let own = entrance.clone();
        let turns = spawn("node", Box::new(move || run_turns(node, &shard, own, &*post, to_sync)))?;
        Ok(Driver { entrance, threads: vec![turns, syncs] })
    }
    pub fn entrance(&self) -> &Entrance {
        &self.entrance
    }
    /// Ends both threads. What is under way and not decided is unknown to those who wait for it.
    pub fn stop(&mut self) {
        self.entrance.push(Event::Stop);
        for t in self.threads.drain(..) {
            let _ = t.join();
        }
    }
}
impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run_syncs(jobs: Receiver<Syncing>, back: Entrance) {
    while let Ok(s) = jobs.recv() {
        let began = Instant::now();
        let r = s.run();
        back.push(Event::Synced(s, r, began.elapsed()));
    }
}
fn run_turns(mut node: Node, shard: &Arc<Shard>, entrance: Entrance, post: &dyn Post, to_sync: Sender<Syncing>) {
    let _ = entrance.bell.thread.set(std::thread::current());
    let turns = AssertUnwindSafe(|| turns(&mut node, &entrance, post, &to_sync));
    let ended = catch_unwind(turns).unwrap_or_else(|_| Err(Error::internal("a node's turn panicked")));
    if let Err(e) = ended {
        shard.fail(e);
    }
    let _ = catch_unwind(AssertUnwindSafe(|| node.close()));
}
fn turns(node: &mut Node, entrance: &Entrance, post: &dyn Post, to_sync: &Sender<Syncing>) -> Result<()> {
    let mut events = Vec::new();
    let mut led = None;
    let mut looked = Instant::now();
    let mut meter = Meter::default();
    loop {
        std::mem::swap(&mut *entrance.events.lock(), &mut events);
        let now = Instant::now();
        for e in events.drain(..) {
            match e {
                Event::Heard(from, bytes) => {
                    if let Err(e) = node.hear(from, &Bytes::from(bytes), now) {
                        // A peer's mistake is no failure of this node; its own are told by the turn.
                        tracing::warn!(from, error = %e, "a message of another node is dropped");
                    }
                }
                Event::Synced(s, r, took) => {
                    meter.sync_ends(took);
                    node.synced(&s, r)?;
                }
                Event::Command(f) => f(node),
                Event::Stop => return Ok(()),
            }
        }
        let end = node.log_end();
        let turn = node.turn(now)?;
        if node.log_end() != end {
            meter.wrote(now.elapsed());
        }
        if let Some(s) = turn.sync {
            meter.sync_begins(now);
            if to_sync.send(s).is_err() {
                return Err(Error::internal("the thread that syncs has ended"));
            }
        }
        for (to, group, say) in turn.say {
            post.post(to, is_urgent(&say), node.encode(group, &say));
        }
        turn.snapshots.into_iter().for_each(|(to, _, s)| post.snapshot(to, s));
        let leads = node.group(FIRST_GROUP).map(|g| (g.term(), g.leader(), g.serves()));
        if turn.members || led != leads {
            led = leads;
            post.changed(View::of(node));
        }
        if now >= looked + LOOK_EVERY {
            looked = now;
            post.look(node, meter.look(now), now);
        }
        let next = node.next_turn().unwrap_or(now + LONGEST_REST).min(now + LONGEST_REST);
        meter.woke(entrance.bell.rest(next));
    }
}
fn is_urgent(say: &Say) -> bool {
    say.is_urgent()
}
