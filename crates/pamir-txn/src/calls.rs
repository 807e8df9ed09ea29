//! A second implementation of the face, for tests: it counts and records the calls to another engine, and may answer late and from another thread.
//!
//! ```text
//!   SQL ── Txn (far, near.rs) ── Recorded ── Txn (whatever the engine beneath began)
//!                          │
//!                          ├── Calls: name, trees and keys of every call
//!                          └── Delay: the answer waits until a thread of its own has slept so long; the task is suspended meanwhile
//! ```
//! What is recorded is what a place for data elsewhere would have to be asked: reads, locks, writes, trees, counters, ends. What the near side of such a place knows by itself
//! (isolation, limits, savepoints, snapshots, waits that are over) is handed on without a record.
//!
//! Invariant: a call is made before its answer is delayed, so calls of several sessions come in the order in which they were made.
use crate::commit::Callback;
use crate::face::{
    Claims, Engine, Entries, Keys, Met, RangeEntries, Ranges, Scan, ScanRange, ScanState, Transaction, Txn, Until,
    Values, Wants, Writes,
};
use crate::shard::{PreparedInfo, SequenceDef};
use crate::told::Xids;
use crate::{
    Cancel, Isolation, Latest, LockLine, LockOutcome, LockTarget, MemoryAccount, Outcome, RowLock, SavepointId,
    SessionLocks, Snapshot, TableLock, Ts, WaitPolicy,
};
use pamir_error::{Error, Result};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use pamir_storage::store::{Dir, TreeId};
use pamir_storage::task;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// One call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub name: &'static str,
    /// None where a call is about no tree.
    pub tree: Option<TreeId>,
    /// A range has its lower end; `lock_table` the table's number.
    pub keys: Vec<Vec<u8>>,
}

/// What was asked for, kept only while [`Calls::listen`] says so.
#[derive(Default)]
pub struct Calls {
    number: AtomicU64,
    listening: AtomicBool,
    list: Mutex<Vec<Call>>,
}
impl Calls {
    /// All calls so far.
    pub fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }
    pub fn listen(&self, on: bool) {
        self.listening.store(on, Ordering::Relaxed);
    }
    /// The calls since the last time.
    pub fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.list.lock())
    }
    fn add(&self, name: &'static str, tree: Option<TreeId>, keys: &mut dyn Iterator<Item = &[u8]>) {
        self.number.fetch_add(1, Ordering::Relaxed);
        if self.listening.load(Ordering::Relaxed) {
            let keys = keys.map(<[u8]>::to_vec).collect();
            self.list.lock().push(Call { name, tree, keys });
        }
    }
}

/// An answer that is on its way.
#[derive(Default)]
struct Answer {
    there: AtomicBool,
    waker: Mutex<Option<Waker>>,
}
impl Answer {
    fn arrive(&self) {
        self.there.store(true, Ordering::SeqCst);
        let waker = self.waker.lock().take();
        if let Some(w) = waker {
            w.wake()
        }
    }
}
/// Sends answers back from a thread of its own, each so long after it was asked for.
struct Delay {
    by: Duration,
    send: Mutex<Sender<(Instant, Arc<Answer>)>>,
}
impl Delay {
    fn new(by: Duration) -> Result<Delay> {
        let (send, receive) = channel::<(Instant, Arc<Answer>)>();
        let run = move || {
            while let Ok((due, answer)) = receive.recv() {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                answer.arrive();
            }
        };
        let thread = std::thread::Builder::new().name("delay".into()).spawn(run);
        thread.map_err(|e| pamir_error::err!(SYSTEM_ERROR, "could not start a thread: {e}"))?;
        Ok(Delay { by, send: Mutex::new(send) })
    }
    fn wait(&self) {
        let answer = Arc::new(Answer::default());
        if self.send.lock().send((Instant::now() + self.by, answer.clone())).is_err() {
            return;
        }
        task::wait(None, |w| {
            *answer.waker.lock() = Some(w.clone());
            if answer.there.load(Ordering::SeqCst) { Poll::Ready(()) } else { Poll::Pending }
        });
    }
}

/// What all transactions of a recorder share.
#[derive(Clone)]
struct Line {
    calls: Arc<Calls>,
    delay: Option<Arc<Delay>>,
}
impl Line {
    /// Makes a call of one key, or of none.
    fn one<R>(&self, name: &'static str, tree: Option<TreeId>, key: &[u8], f: impl FnOnce() -> R) -> R {
        self.many(name, tree, &mut std::iter::once(key), f)
    }
    fn many<R>(
        &self,
        name: &'static str,
        tree: Option<TreeId>,
        keys: &mut dyn Iterator<Item = &[u8]>,
        f: impl FnOnce() -> R,
    ) -> R {
        self.calls.add(name, tree, keys);
        let r = f();
        if let Some(d) = &self.delay {
            d.wait();
        }
        r
    }
}

/// An engine whose every call is recorded.
pub struct Recorder {
    inner: Arc<dyn Engine>,
    line: Line,
}
impl Recorder {
    /// `latency`: how late every answer comes, if at all; from another thread then.
    pub fn new(inner: Arc<dyn Engine>, latency: Option<Duration>) -> Result<Recorder> {
        let delay = latency.map(Delay::new).transpose()?.map(Arc::new);
        Ok(Recorder { inner, line: Line { calls: Arc::default(), delay } })
    }
    pub fn calls(&self) -> &Arc<Calls> {
        &self.line.calls
    }
}
impl Engine for Recorder {
    fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn {
        Txn::elsewhere(Box::new(Recorded { inner: self.inner.begin(iso, read_only, cancel), line: self.line.clone() }))
    }
    fn entries(&self, tree: TreeId) -> Result<u64> {
        self.inner.entries(tree)
    }
    fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        self.inner.estimate(tree, lo, hi)
    }
    fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        self.inner.tree_size(tree)
    }
    fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        self.inner.leaf_at(tree, place, key)
    }
    fn cache_pages(&self) -> u64 {
        self.inner.cache_pages()
    }
    fn log_durable(&self) -> Option<u64> {
        self.inner.log_durable()
    }
    fn page_counts(&self) -> (u64, u64) {
        self.inner.page_counts()
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        self.line.one("next_id", None, &space.to_be_bytes(), || self.inner.next_id(space))
    }
    fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> {
        self.line.one("seq_next", None, &seq.to_be_bytes(), || self.inner.seq_next(seq, def))
    }
    fn seq_next_many(&self, seq: u64, def: &SequenceDef, n: usize, out: &mut Vec<i64>) -> Result<()> {
        self.line.one("seq_next_many", None, &seq.to_be_bytes(), || self.inner.seq_next_many(seq, def, n, out))
    }
    fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> {
        self.line.one("seq_set", None, &seq.to_be_bytes(), || self.inner.seq_set(seq, last, is_called))
    }
    fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> {
        self.line.one("seq_read", None, &seq.to_be_bytes(), || self.inner.seq_read(seq))
    }
    fn prepared(&self) -> Result<Vec<PreparedInfo>> {
        self.inner.prepared()
    }
    fn commit_prepared(&self, gid: &str) -> Result<Ts> {
        self.line.one("commit_prepared", None, gid.as_bytes(), || self.inner.commit_prepared(gid))
    }
    fn rollback_prepared(&self, gid: &str) -> Result<()> {
        self.line.one("rollback_prepared", None, gid.as_bytes(), || self.inner.rollback_prepared(gid))
    }
    fn outcome(&self, id: u64) -> Result<Outcome> {
        self.inner.outcome(id)
    }
    fn session_locks(&self) -> SessionLocks {
        self.inner.session_locks()
    }
    fn locks(&self) -> Vec<LockLine> {
        self.inner.locks()
    }
    fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        self.inner.waiting_processes()
    }
    fn format(&self) -> u64 {
        self.inner.format()
    }
    fn listen(&self, listener: crate::Listener) {
        self.inner.listen(listener)
    }
    fn checkpoint(&self) -> Result<()> {
        self.inner.checkpoint()
    }
    fn failure(&self) -> Option<Error> {
        self.inner.failure()
    }
    fn stats(&self) -> Vec<(&'static str, u64)> {
        self.inner.stats()
    }
    fn memory(&self) -> Arc<MemoryAccount> {
        self.inner.memory()
    }
    fn disk(&self) -> Arc<dyn Disk> {
        self.inner.disk()
    }
    fn platform(&self) -> &Arc<dyn Platform> {
        self.inner.platform()
    }
}

struct Recorded {
    inner: Txn,
    line: Line,
}
struct RecordedScan(Scan);
impl Recorded {
    fn read(&self, scan: &mut Scan, max: usize, out: &mut Entries) -> Result<bool> {
        for _ in 0..max {
            match scan.next(&self.inner)? {
                Some((k, v)) => out.push((), k, v),
                None => return Ok(false),
            }
            if out.is_full() {
                break;
            }
        }
        Ok(true)
    }
    fn lost() -> Error {
        Error::internal("a scan of another transaction")
    }
}
impl Transaction for Recorded {
    fn id(&self) -> u64 {
        self.inner.id()
    }
    fn tell(&self) -> Result<u64> {
        self.line.one("tell", None, b"", || self.inner.tell())
    }
    fn is_told(&self) -> bool {
        self.inner.is_told()
    }
    fn xids(&self) -> Result<Xids> {
        self.line.one("xids", None, b"", || self.inner.xids())
    }
    fn set_process(&self, pid: u32) {
        self.inner.set_process(pid)
    }
    fn not_below(&self, ts: Ts) {
        self.inner.not_below(ts)
    }
    fn told(&self) -> Option<Ts> {
        self.inner.told()
    }
    fn isolation(&self) -> Isolation {
        self.inner.isolation()
    }
    fn read_only(&self) -> bool {
        self.inner.read_only()
    }
    fn tables_read(&self) -> Option<Vec<u64>> {
        self.inner.tables_read()
    }
    fn has_writes(&self) -> bool {
        self.inner.has_writes()
    }
    fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>) {
        self.inner.set_limits(lock_timeout, deadline)
    }
    fn statement(&self) -> Snapshot {
        self.inner.statement()
    }
    fn tied(&self) -> bool {
        self.inner.tied()
    }
    fn settle(&self) -> Result<()> {
        self.inner.settle()
    }
    fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        self.line.one("get", Some(tree), key, || self.inner.get(snap, tree, key, out))
    }
    fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()> {
        let tree = keys.get(0).map(|k| k.0);
        self.line.many("get_many", tree, &mut keys.iter().map(|k| k.1), || self.inner.get_many(snap, keys, out))
    }
    fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        self.line.one("get_latest", Some(tree), key, || self.inner.get_latest(tree, key, out))
    }
    fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()> {
        let (tree, all) = (keys.get(0).map(|k| k.0), &mut keys.iter().map(|k| k.1));
        self.line.many("get_latest_many", tree, all, || self.inner.get_latest_many(keys, out))
    }
    fn lock_row(&self, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> {
        self.line.one("lock_row", Some(tree), key, || self.inner.lock_row(tree, key, mode, policy))
    }
    fn lock_range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<()> {
        self.line.one("lock_range", Some(tree), lo, || self.inner.lock_range(tree, lo, hi))
    }
    fn lock_table(&self, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
        self.line.one("lock_table", None, &table.to_be_bytes(), || self.inner.lock_table(table, mode, policy))
    }
    fn claim(&self, tree: TreeId, key: &[u8], mode: RowLock, out: &mut Vec<u8>) -> Result<Latest> {
        self.line.one("claim", Some(tree), key, || self.inner.claim(tree, key, mode, out))
    }
    fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()> {
        let (tree, all) = (keys.get(0).map(|k| k.0), &mut keys.iter().map(|k| k.1));
        self.line.many("claim_many", tree, all, || self.inner.claim_many(keys, mode, until, out))
    }
    fn meet(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<(RowLock, Latest)> {
        self.line.one("meet", Some(tree), key, || self.inner.meet(tree, key, out))
    }
    fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()> {
        let (tree, all) = (wants.get(0).map(|k| k.0.0), &mut wants.iter().map(|k| k.1));
        self.line.many("claim_each", tree, all, || self.inner.claim_each(wants, out))
    }
    fn put(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        self.line.one("put", Some(tree), key, || self.inner.put(tree, key, value))
    }
    fn delete(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        self.line.one("delete", Some(tree), key, || self.inner.delete(tree, key))
    }
    fn delete_moved(&self, tree: TreeId, key: &[u8], to: &[u8]) -> Result<()> {
        self.line.one("delete_moved", Some(tree), key, || self.inner.delete_moved(tree, key, to))
    }
    fn write_many(&self, writes: &Writes) -> Result<()> {
        let (tree, all) = (writes.get(0).map(|k| k.0.0), &mut writes.iter().map(|k| k.1));
        self.line.many("write_many", tree, all, || self.inner.write_many(writes))
    }
    fn create_tree(&self) -> Result<TreeId> {
        self.line.one("create_tree", None, b"", || self.inner.create_tree())
    }
    fn drop_tree(&self, tree: TreeId) -> Result<()> {
        self.line.one("drop_tree", Some(tree), b"", || self.inner.drop_tree(tree))
    }
    fn expect_writes(&self, writes: u64, bytes: u64) {
        self.inner.expect_writes(writes, bytes)
    }
    fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        self.line.one("written_twice", Some(tree), b"", || self.inner.written_twice(tree))
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        self.line.one("next_id", None, &space.to_be_bytes(), || self.inner.next_id(space))
    }
    fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()> {
        self.line.one("next_ids", None, &space.to_be_bytes(), || self.inner.next_ids(space, n, out))
    }
    fn page_counts(&self) -> (u64, u64) {
        self.inner.page_counts()
    }
    fn savepoint(&self) -> SavepointId {
        self.inner.savepoint()
    }
    fn rollback_to(&self, sp: SavepointId) {
        self.line.one("rollback_to", None, b"", || self.inner.rollback_to(sp))
    }
    fn release(&self, sp: SavepointId) {
        self.inner.release(sp)
    }
    fn on_commit(&self, f: Callback) {
        self.inner.on_commit(f)
    }
    fn join(&self, locks: &SessionLocks) {
        self.inner.join(locks)
    }
    fn lock_for_session(
        &self,
        locks: &mut SessionLocks,
        number: u64,
        mode: TableLock,
        policy: WaitPolicy,
    ) -> Result<LockOutcome> {
        let call = || self.inner.lock_for_session(locks, number, mode, policy);
        self.line.one("lock_for_session", None, &number.to_be_bytes(), call)
    }
    fn scan_open(&self, range: ScanRange, max: usize, out: &mut Entries) -> Result<Option<ScanState>> {
        let ScanRange { snap, tree, lo, hi, dir } = range;
        self.line.one("scan", Some(tree), lo, || {
            let mut scan = match snap {
                Some(s) => self.inner.scan(s, tree, lo, hi, dir)?,
                None => self.inner.scan_latest(tree, lo, hi, dir)?,
            };
            let more = self.read(&mut scan, max, out)?;
            Ok(more.then(|| Box::new(RecordedScan(scan)) as ScanState))
        })
    }
    fn scan_ranges(
        &self,
        snap: Option<&Snapshot>,
        ranges: &Ranges,
        dir: Dir,
        max: usize,
        out: &mut RangeEntries,
    ) -> Result<usize> {
        let (tree, all) = (ranges.get(0).map(|r| r.0.0), &mut ranges.iter().map(|r| r.1));
        self.line.many("scan_ranges", tree, all, || {
            for (i, ((tree, bounded), lo, hi)) in ranges.iter().enumerate() {
                let hi = bounded.then_some(hi);
                let mut scan = match snap {
                    Some(s) => self.inner.scan(s, tree, lo, hi, dir)?,
                    None => self.inner.scan_latest(tree, lo, hi, dir)?,
                };
                while let Some((k, v)) = scan.next(&self.inner)? {
                    if out.len() >= max || out.is_full() {
                        return Ok(i);
                    }
                    out.push(i, k, v);
                }
            }
            Ok(ranges.len())
        })
    }
    fn scan_more(&self, state: &mut ScanState, max: usize, out: &mut Entries) -> Result<bool> {
        let Some(RecordedScan(scan)) = state.downcast_mut() else { return Err(Recorded::lost()) };
        self.line.one("scan_more", None, b"", || self.read(scan, max, out))
    }
    fn scan_pass(&self, state: &mut ScanState, max: u64) -> Result<u64> {
        let Some(RecordedScan(scan)) = state.downcast_mut() else { return Err(Recorded::lost()) };
        self.line.one("scan_pass", None, b"", || scan.pass(max, &self.inner))
    }
    fn commit(self: Box<Self>) -> Result<Ts> {
        let Recorded { inner, line } = *self;
        line.one("commit", None, b"", || inner.commit())
    }
    fn prepare(self: Box<Self>, gid: &str, owner: &str, database: &str) -> Result<()> {
        let Recorded { inner, line } = *self;
        line.one("prepare", None, gid.as_bytes(), || inner.prepare(gid, owner, database))
    }
}
