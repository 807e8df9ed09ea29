//! Drives a node in a process: turns on the transport's thread, between two looks at its sockets, and a thread that writes and syncs the log.
//!
//! ```text
//!   transport ── heard ─┐                     ┌─► post (never waits): goes out in the same round of the transport
//!   shards ── waker ────┼─► turns ── Turn ────┤
//!   commands ───────────┘     ▲               └─► syncs ──┐
//!                             └────────── synced ─────────┘
//! ```
//! A message is heard, and what a turn says of it is sent, without another thread's being woken: with batches of a few commits what a replica costs is mostly such hand-overs.
//! What takes how long goes to a [`Meter`] (`pace.rs`): syncs, and how late turns begin.
//! A turn's write of the log is made at once while the disk takes it quickly ([`QUICK_WRITE`]): with a few commits a batch, and more threads than processors, what comes meanwhile makes the next batch larger.
//! One that takes longer goes to the thread of the sync, until they are quick again.
//! A slow disk stops neither heartbeats nor answers to others: turns wait for it only where a segment of the log is full, for what does not fit into memory, to read entries that a slow follower lacks, and for the first page that what they apply themselves changes and nobody has cached (the applier's thread applies from then on: `pamir-txn/src/commit.rs`); meanwhile all that other nodes send waits.
//! *Invariants*: one thread makes all turns; a failure of the node is a failure of its shard, whoever waits hears of it; the transport outlives it.
use crate::members::Members;
use crate::message::Say;
use crate::node::Node;
use crate::pace::{Meter, Own};
use crate::transport::{Bell, Rider, Transport};
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
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Without anything to do the thread looks up this often.
const LONGEST_REST: Duration = Duration::from_millis(100);
/// A write of the log that takes no longer costs less than to have another thread do it.
const QUICK_WRITE: Duration = Duration::from_micros(500);
/// [`Post::look`] is called this often.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Takes messages for other nodes, without waiting: what finds no room is lost, and said again by whoever misses the answer.
pub trait Post: Send + Sync {
    fn post(&self, to: NodeId, urgent: bool, bytes: Vec<u8>);
    /// Another node's followers are to get a snapshot.
    fn snapshot(&self, to: NodeId, snapshot: raft::eraftpb::Snapshot);
    /// The members of the group have changed, or who leads it, or whether this node serves.
    fn changed(&self, view: View);
    /// Called now and then between turns. `own`: how fast the node's disk and processor are.
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

/// A command for the thread that makes the turns. It waits for nothing.
pub type Command = Box<dyn FnOnce(&mut Node) + Send>;
enum Event {
    Heard(NodeId, Vec<u8>),
    /// What came of a sync, and how long it took beside its write.
    Synced(Syncing, Result<()>, Duration),
    Command(Command),
    Stop,
}

/// Asks for a turn, from before anybody makes them.
pub struct Doorbell {
    /// Times are counted from here.
    base: Instant,
    /// When it was rung first since the last turn, in nanoseconds and 1 more; 0: it was not.
    rung: AtomicU64,
    wakes: OnceLock<Bell>,
}
impl Default for Doorbell {
    fn default() -> Doorbell {
        Doorbell { base: Instant::now(), rung: AtomicU64::new(0), wakes: OnceLock::new() }
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
        if !self.is_rung() {
            let at = u64::try_from(self.base.elapsed().as_nanos()).unwrap_or(u64::MAX - 1);
            let _ = self.rung.compare_exchange(0, at + 1, Ordering::SeqCst, Ordering::SeqCst);
        }
        if let Some(b) = self.wakes.get() {
            b.ring();
        }
    }
    fn is_rung(&self) -> bool {
        self.rung.load(Ordering::SeqCst) != 0
    }
    /// Is there a turn to make: was it rung, or is it `next`? If so, how long after that, and after `since`, the turn begins.
    fn answer(&self, next: Instant, since: Instant) -> Option<Duration> {
        let rung = if self.is_rung() { self.rung.swap(0, Ordering::SeqCst).checked_sub(1) } else { None };
        let now = Instant::now();
        let due = match rung {
            None if now < next => return None,
            None => next,
            Some(at) => next.min(self.base + Duration::from_nanos(at)),
        };
        Some(now.saturating_duration_since(due.max(since)))
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

/// The way to a node's turns; dropping the driver ends them.
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
    /// Runs `f` between two turns and waits for what it says, on any thread but that of the turns. 57P01 if there are none any more.
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
    /// Ends when nobody makes turns any more.
    turns: Receiver<()>,
    syncs: Option<JoinHandle<()>>,
}
impl Driver {
    /// Lets the transport's thread make a node's turns, and starts one for syncs.
    pub fn start(
        node: Node,
        shard: Arc<Shard>,
        entrance: Entrance,
        post: Arc<dyn Post>,
        transport: &Transport,
    ) -> Result<Driver> {
        let (to_sync, jobs) = channel::<Syncing>();
        let back = entrance.clone();
        let syncs = std::thread::Builder::new().name("log-sync".into()).spawn(move || run_syncs(jobs, back));
        let syncs = syncs.map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))?;
        let _ = entrance.bell.wakes.set(transport.bell());
        let (ended, turns) = channel();
        let now = Instant::now();
        transport.carry(Box::new(Turns {
            node,
            shard,
            entrance: entrance.clone(),
            post,
            to_sync,
            events: Vec::new(),
            led: None,
            looked: now,
            meter: Meter::default(),
            quick: true,
            next: now,
            rested: now,
            stopped: false,
            _ended: ended,
        }));
        Ok(Driver { entrance, turns, syncs: Some(syncs) })
    }
    pub fn entrance(&self) -> &Entrance {
        &self.entrance
    }
    /// Ends turns and syncs. What is under way and not decided is unknown to those who wait for it.
    pub fn stop(&mut self) {
        self.entrance.push(Event::Stop);
        let _ = self.turns.recv();
        if let Some(t) = self.syncs.take() {
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
        let written = s.write();
        let began = Instant::now();
        let r = written.and_then(|_| s.run());
        back.push(Event::Synced(s, r, began.elapsed()));
    }
}

/// A node's turns, as the transport's thread carries them.
struct Turns {
    node: Node,
    shard: Arc<Shard>,
    entrance: Entrance,
    post: Arc<dyn Post>,
    to_sync: Sender<Syncing>,
    events: Vec<Event>,
    /// Term, leader and whether it serves, as they were told last.
    led: Option<(u64, NodeId, bool)>,
    looked: Instant,
    meter: Meter,
    /// The log's newest write was.
    quick: bool,
    /// When the next turn is due though nobody rings.
    next: Instant,
    /// When the last turn ended.
    rested: Instant,
    /// It was told to stop, or has failed and said so.
    stopped: bool,
    /// The last to be dropped: who stops the driver waits for it.
    _ended: Sender<()>,
}
impl Rider for Turns {
    fn is_due(&self) -> bool {
        self.entrance.bell.is_rung()
    }
    fn ride(&mut self) -> Option<Instant> {
        let Some(late) = self.entrance.bell.answer(self.next, self.rested) else { return Some(self.next) };
        self.meter.woke(late);
        let turn = catch_unwind(AssertUnwindSafe(|| self.turn()));
        match turn.unwrap_or_else(|_| Err(Error::internal("a node's turn panicked"))) {
            Ok(()) if !self.stopped => {
                self.rested = Instant::now();
                Some(self.next)
            }
            Ok(()) => None,
            Err(e) => {
                self.stopped = true;
                self.shard.fail(e);
                None
            }
        }
    }
}
impl Turns {
    fn turn(&mut self) -> Result<()> {
        let (node, post) = (&mut self.node, &*self.post);
        std::mem::swap(&mut *self.entrance.events.lock(), &mut self.events);
        let now = Instant::now();
        for e in self.events.drain(..) {
            match e {
                Event::Heard(from, bytes) => {
                    if let Err(e) = node.hear(from, &Bytes::from(bytes), now) {
                        // A peer's mistake is no failure of this node; its own are told by the turn.
                        tracing::warn!(from, error = %e, "a message of another node is dropped");
                    }
                }
                Event::Synced(s, r, took) => {
                    self.quick = s.write_took() <= QUICK_WRITE;
                    self.meter.sync_ends(s.write_took() + took);
                    node.synced(&s, r)?;
                }
                Event::Command(f) => f(node),
                Event::Stop => {
                    self.stopped = true;
                    return Ok(());
                }
            }
        }
        let turn = node.turn(now)?;
        if let Some(s) = turn.sync {
            self.meter.sync_begins(now);
            if self.quick {
                // Its error comes with the sync.
                let _ = s.write();
            }
            if self.to_sync.send(s).is_err() {
                return Err(Error::internal("the thread that syncs has ended"));
            }
        }
        for (to, group, say) in turn.say {
            post.post(to, is_urgent(&say), node.encode(group, &say));
        }
        turn.snapshots.into_iter().for_each(|(to, _, s)| post.snapshot(to, s));
        let leads = node.group(FIRST_GROUP).map(|g| (g.term(), g.leader(), g.serves()));
        if turn.members || self.led != leads {
            self.led = leads;
            post.changed(View::of(node));
        }
        if now >= self.looked + LOOK_EVERY {
            self.looked = now;
            post.look(node, self.meter.look(now), now);
        }
        self.next = node.next_turn().unwrap_or(now + LONGEST_REST).min(now + LONGEST_REST);
        Ok(())
    }
}
impl Drop for Turns {
    fn drop(&mut self) {
        if !self.stopped {
            self.shard.fail(Error::internal("the thread that makes a node's turns has ended"));
        }
        let _ = catch_unwind(AssertUnwindSafe(|| self.node.close()));
    }
}
fn is_urgent(say: &Say) -> bool {
    say.is_urgent()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Keep;
    use crate::members::NodeInfo;
    use crate::node::Opening;
    use crate::transport::{Class, Config, Handler, Hello, Identity, Message};
    use crate::version::{FORMATS, NEWEST};
    use pamir_storage::disk::Disk;
    use pamir_storage::disk::gated::{Calls, GatedDisk, Pace};
    use pamir_storage::disk::real::RealDisk;
    use pamir_storage::log::SEGMENT_PREFIX;
    use pamir_txn::{Isolation, ShardOptions};

    struct Nobody;
    impl Post for Nobody {
        fn post(&self, _: NodeId, _: bool, _: Vec<u8>) {}
        fn snapshot(&self, _: NodeId, _: raft::eraftpb::Snapshot) {}
        fn changed(&self, _: View) {}
        fn look(&self, _: &mut Node, _: Own, _: Instant) {}
    }
    impl Handler for Nobody {
        fn received(&self, _: NodeId, _: Class, _: Message) {}
        fn connected(&self, _: &Hello) {}
        fn lost(&self, _: NodeId, _: &Error) {}
        fn clock_off(&self, _: NodeId, _: i64) {}
        fn admit(&self, _: &Hello) -> Result<()> {
            Ok(())
        }
        fn request(&self, _: &Hello, m: Vec<u8>) -> Vec<u8> {
            m
        }
    }
    struct Least;
    impl crate::group::Chance for Least {
        fn below(&mut self, _: u64) -> u64 {
            0
        }
    }
    /// A node of a cluster of one, and what carries it.
    fn one(dir: &std::path::Path) -> (Arc<Shard>, Arc<Transport>, Driver) {
        over(RealDisk::open(dir).unwrap())
    }
    fn over(disk: Arc<dyn Disk>) -> (Arc<Shard>, Arc<Transport>, Driver) {
        let bell = Doorbell::new();
        let info = NodeInfo { address: String::new(), sql: String::new(), name: String::new() };
        let how = Opening {
            me: 1,
            begin: Some(Members::alone(1, info, NEWEST)),
            options: ShardOptions {
                cache_size: 8 << 20,
                io_threads: 1,
                log_segment_size: 1 << 20,
                ..ShardOptions::default()
            },
            formats: FORMATS,
            waker: bell.waker(),
            stepped: false,
            keep: Keep::default(),
        };
        let (node, shard) = Node::open(disk, how, Instant::now(), Box::new(Least)).unwrap();
        let me = Identity::new([7; 16], 1, "");
        let transport = Transport::start(Config::new(me, "127.0.0.1:0".parse().unwrap()), Arc::new(Nobody)).unwrap();
        let driver = Driver::start(node, shard.clone(), Entrance::new(bell), Arc::new(Nobody), &transport).unwrap();
        assert_eq!(driver.entrance().ask(|n| n.me()).unwrap(), 1);
        (shard, transport, driver)
    }
    fn until(what: &str, mut is: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !is() {
            assert!(Instant::now() < end, "{what} does not come");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_disk_that_takes_no_write_does_not_stop_the_turns() {
        let dir = tempfile::tempdir().unwrap();
        // The last is dropped first: a driver waits for its turns.
        let (shard, _transport, mut driver, gate) = {
            let base = RealDisk::open(dir.path()).unwrap();
            let (disk, gate) = GatedDisk::new(base, Calls::Writes, |name| name.starts_with(SEGMENT_PREFIX));
            let (shard, transport, driver) = over(disk);
            (shard, transport, driver, gate)
        };
        until("a leader", || shard.leads());
        let put = |shard: &Shard, key: &[u8]| {
            let t = shard.begin(Isolation::ReadCommitted, false, Arc::default());
            let tree = t.create_tree()?;
            t.put(tree, key, b"value").and_then(|_| t.commit())
        };
        put(&shard, b"quick").unwrap();
        // Nobody can know that the first one takes long.
        gate.set(Pace::Slow(20 * QUICK_WRITE));
        put(&shard, b"slow").unwrap();
        gate.set(Pace::Never);
        let commit = std::thread::spawn({
            let shard = shard.clone();
            move || put(&shard, b"waits")
        });
        until("a write", || gate.is_held());
        for _ in 0..3 {
            assert_eq!(driver.entrance().ask(|n| n.me()).unwrap(), 1);
        }
        assert!(!commit.is_finished());
        gate.set(Pace::Quick);
        commit.join().unwrap().unwrap();
        // One that fails ends the node.
        gate.set(Pace::Fails);
        assert!(put(&shard, b"lost").is_err());
        assert_eq!(fails(&shard), "the disk fails");
        driver.stop();
    }
    fn fails(shard: &Shard) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(e) = shard.failure() {
                return e.message().to_string();
            }
            assert!(Instant::now() < end, "the shard goes on though nobody makes turns");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_turn_that_panics_is_a_failure_of_the_shard_and_not_of_the_transport() {
        let dir = tempfile::tempdir().unwrap();
        let (shard, transport, mut driver) = one(dir.path());
        driver.entrance().command(Box::new(|_| panic!("of a test")));
        assert_eq!(fails(&shard), "a node's turn panicked");
        driver.stop();
        // Not `Stopped`.
        assert_eq!(transport.send(2, Class::Log, Vec::new()), Err(crate::transport::Refused::Unknown));
    }
    #[test]
    fn a_transport_that_ends_before_its_node_is_a_failure_of_the_shard() {
        let dir = tempfile::tempdir().unwrap();
        let (shard, transport, mut driver) = one(dir.path());
        transport.stop();
        assert_eq!(fails(&shard), "the thread that makes a node's turns has ended");
        driver.stop();
    }
    #[test]
    fn a_node_that_is_stopped_has_not_failed() {
        let dir = tempfile::tempdir().unwrap();
        let (shard, _transport, mut driver) = one(dir.path());
        driver.stop();
        assert!(shard.failure().is_none());
        // Its files are free: what it was opened with can be opened again.
        shard.close().unwrap();
        drop(shard);
        one(dir.path());
    }
}
