//! Hot rows: a commit hands its row locks over as soon as it has its place in the log, before it is durable.
//!
//! Without this a row that everybody updates is updated once a sync: its lock is held while the disk writes. Yet from the moment a commit record stands in the queue its
//! timestamp and its place are fixed, and whoever comes after it on the same row stands after it in the log too (early lock release; Johnson et al., "Aether: A Scalable
//! Approach to Logging", VLDB 2010; Graefe et al., "Controlled Lock Violation", SIGMOD 2013). So a whole chain of commits on one row is written in one sync:
//!
//! ```text
//!   T1  lock ── write ── push ── wait ........................ answer
//!                          │ overlay: row -> (T1, 42)             ▲
//!                          └─ pass ─► T2 lock ── read 42 ── push ─┼─ wait .. answer
//!                                     (tied to T1)          │     │            ▲
//!                                                           └─ pass ─► T3 ...  │
//!   log   ═══════════════════════ one sync: T1 T2 T3 ═══════╪═════╪════════════╪═
//!   applier                                                T1 ───┘ T2 ────────┘
//! ```
//! # The parts
//! - **Place.** [`CommitQueue::push`](crate::commit::CommitQueue::push) gives the timestamp under the queue's mutex: queue order = log order = timestamp order.
//! - **Overlay.** A contended commit enters its changes here, in the same critical section: (tree, key) -> (owner, value or tombstone). The applier removes them when they are on the
//!   pages ([`Overlay::applied`]), before it applies anything later; so an entry that is found is at least as new as the page.
//! - **Pass.** Then its row locks are marked as passed. A passed lock stands in the way of everybody but *followers*, which are transactions at READ COMMITTED. The others, and
//!   range locks, wait for the apply as ever: they look at the trees. Waiters are granted in their order; one that may not follow stops those behind it.
//! - **Tie.** Who is granted a lock beside a passed one is tied to that commit ([`Owner::tie_to`]), and who reads an entry of the overlay to the one that wrote it. One tie is enough, to the
//!   latest: a commit becomes durable after all those before it, and what undoes one undoes all after it.
//!
//! # Why it is right
//! 1. *What a follower reads is what it would have read after waiting for the apply.* Under a lock that conflicts with the writer's it reads the overlay over the pages, that is the newest
//!    version in log order, since every later writer of the row would have had to pass its lock after it. Snapshot reads never look here. The next statement's snapshot contains all it is
//!    tied to, because [`LocalTxn::statement`](crate::LocalTxn::statement) waits for it.
//! 2. *No lost update, no write out of order.* The follower's own commit gets its place after the one it follows, because it could only run after the pass.
//! 3. *Nothing that is not durable is told to anybody.* No reply leaves while the tie is unsettled ([`LocalTxn::settle`](crate::LocalTxn::settle)), be it rows, a tag, an error or the answer to a COMMIT without writes.
//!    A commit or PREPARE of its own is answered when it is applied, which is after everything before it.
//! 4. *A crash* keeps a prefix of the log. A chain survives up to some link; nobody has heard of the rest.
//! 5. *A failed write* stops the node. *A refused batch* ([`Core::refuse`]) takes everything pushed after it along; followers that have not yet been pushed find at their push, or before their
//!    next reply, that what they rest on is gone, and fail with the same error.
//! 6. *Serializability.* A transaction at SERIALIZABLE never follows, so strict two-phase locking stands among them. It may hand over to READ COMMITTED ones, which come after it in the log.
//! 7. *Deadlocks.* Passed locks block only those who wait for the apply, which waits for nobody.
//!
//! **COMMIT PREPARED** hands over like any other commit: its record is two words in the log, but its changes are known, and once it has its place nothing but a refusal can
//! undo it. Its fate is that of an owner of its own (the transaction's was decided by the Prepare record), which stands in for the transaction's in the passed locks. Refused, the
//! transaction is still prepared: it takes its locks back ([`TreeLocks::take_back`](crate::lock)) before anything else of the refused batch lets go. PREPARE hands nothing over.
//!
//! A commit that changes the catalog (callbacks, created or dropped trees), or more than [`MAX_OPS`] rows, hands over nothing. An uncontended one pays one load of a flag.
use crate::applier::PreparedCell;
use crate::commit::{After, Pending};
use crate::core::Core;
use crate::lock::Owner;
use crate::padded::Padded;
use crate::record::{self, Op, Reader, Record};
use crate::shard::Ts;
use crate::txn::LocalTxn;
use pamir_error::{Error, Result};
use pamir_storage::store::TreeId;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};

/// A commit of more changes, or more row locks, hands nothing over.
pub(crate) const MAX_OPS: usize = 64;
/// ... nor does one of a longer record.
pub(crate) const MAX_BYTES: usize = 64 << 10;
const SHARDS: usize = 16;
/// Empty trees of a shard are forgotten when it has more than this many.
const KEEP_EMPTY: usize = 64;

#[derive(Clone)]
pub(crate) struct Entry {
    pub owner: Arc<Owner>,
    /// Deleted; `value` is then the row's new key, if it has one.
    pub tombstone: bool,
    pub value: Box<[u8]>,
}
type Trees = FxHashMap<TreeId, BTreeMap<Box<[u8]>, Entry>>;

/// The changes of commits on their way that have handed their locks over, and who waits for such a commit.
pub(crate) struct Overlay {
    shards: Box<[Padded<Mutex<Trees>>]>,
    waiting: Mutex<Vec<(Ts, Waker)>>,
    /// Commits that handed their locks over.
    pub handovers: AtomicU64,
}

/// Calls `f` for the changes of a commit: tree, key, is it a deletion, value (of a deletion: the new key).
fn each_change<'a>(p: &'a Pending, mut f: impl FnMut(TreeId, &'a [u8], bool, &'a [u8])) {
    let mut ops = match &p.after {
        After::Resolve(cell) => Reader(&cell.body.ops),
        _ => match record::read(&p.record) {
            Ok(Record::Commit { ops, .. }) => ops,
            _ => return,
        },
    };
    while let Ok(Some(op)) = record::next_op(&mut ops) {
        match op {
            Op::Put(t, k, v) => f(t, k, false, v),
            Op::Delete(t, k) => f(t, k, true, &[]),
            Op::Move(t, k, to) => f(t, k, true, to),
            // A commit with these hands nothing over.
            Op::CreateTree(_) | Op::DropTree(_) | Op::Load(..) => {}
        }
    }
}

impl Overlay {
    pub fn new() -> Overlay {
        Overlay {
            shards: (0..SHARDS).map(|_| Padded::default()).collect(),
            waiting: Mutex::default(),
            handovers: AtomicU64::new(0),
        }
    }
    fn shard(&self, tree: TreeId) -> &Mutex<Trees> {
        &self.shards[tree.0 as usize % SHARDS]
    }
    /// Under the queue's mutex.
    pub fn enter(&self, p: &Pending) {
        self.handovers.fetch_add(1, Ordering::Relaxed);
        each_change(p, |tree, key, tombstone, value| {
            let e = Entry { owner: p.owner.clone(), tombstone, value: value.into() };
            self.shard(tree).lock().entry(tree).or_default().insert(key.into(), e);
        });
    }
    /// The changes are on the pages, or will never be.
    pub fn applied(&self, p: &Pending) {
        each_change(p, |tree, key, _, _| {
            let mut shard = self.shard(tree).lock();
            let Some(t) = shard.get_mut(&tree) else { return };
            // A later commit's entry stays.
            if t.get(key).is_some_and(|e| Arc::ptr_eq(&e.owner, &p.owner)) {
                t.remove(key);
            }
            if t.is_empty() && shard.len() > KEEP_EMPTY {
                shard.remove(&tree);
            }
        });
    }
    pub fn get(&self, tree: TreeId, key: &[u8]) -> Option<Entry> {
        self.shard(tree).lock().get(&tree)?.get(key).cloned()
    }
    /// The entries of [lo, hi), which must not be empty, in order.
    pub fn range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Vec<(Box<[u8]>, Entry)> {
        let shard = self.shard(tree).lock();
        let Some(t) = shard.get(&tree) else { return Vec::new() };
        let hi = hi.map_or(Bound::Unbounded, Bound::Excluded);
        t.range::<[u8], _>((Bound::Included(lo), hi)).map(|(k, e)| (k.clone(), e.clone())).collect()
    }
    /// Decided, or registered to hear of it.
    fn poll(&self, on: &Owner, w: &Waker) -> Poll<()> {
        if on.outcome().is_none() {
            // `wake` takes the mutex after the decision: it finds us, or we find the decision.
            self.waiting.lock().push((on.place(), w.clone()));
            if on.outcome().is_none() {
                return Poll::Pending;
            }
        }
        Poll::Ready(())
    }
    /// Wakes who waits for commits up to `ts`; they are decided.
    pub fn wake(&self, ts: Ts, wake: &mut Vec<Waker>) {
        self.waiting.lock().retain(|(at, w)| {
            if *at <= ts {
                wake.push(w.clone());
            }
            *at > ts
        });
    }
    pub fn wake_all(&self, wake: &mut Vec<Waker>) {
        wake.extend(self.waiting.lock().drain(..).map(|x| x.1));
    }
}

/// The row locks that the commit of `txn` will hand over; None: it hands over nothing. `record` is what it will push.
pub(crate) fn plan(txn: &LocalTxn, record: &[u8]) -> Option<Vec<(TreeId, Box<[u8]>)>> {
    let plain = txn.created.borrow().is_empty() && txn.dropped.borrow().is_empty() && txn.callbacks.borrow().is_empty();
    if !plain || record.len() > MAX_BYTES || txn.writes.borrow().len() > MAX_OPS {
        return None;
    }
    txn.locks.borrow().few_rows(MAX_OPS)
}
/// The same for the commit of a prepared transaction.
pub(crate) fn plan_prepared(cell: &PreparedCell) -> Option<Vec<(TreeId, Box<[u8]>)>> {
    if cell.body.ops.len() > MAX_BYTES {
        return None;
    }
    let mut ops = Reader(&cell.body.ops);
    for n in 0.. {
        match record::next_op(&mut ops) {
            Ok(None) => break,
            Ok(Some(Op::Put(..) | Op::Delete(..) | Op::Move(..))) if n < MAX_OPS => {}
            _ => return None,
        }
    }
    let held = cell.held.lock();
    if held.1.is_empty() { held.0.few_rows(MAX_OPS) } else { None }
}

impl Core {
    /// Waits until what `owner` is tied to is durable and applied. Not to be interrupted: it is as short as a commit.
    #[cold]
    pub fn settle(&self, owner: &Owner) -> Result<()> {
        let Some(on) = owner.tie() else { return Ok(()) };
        self.wait_until(|w| self.overlay.poll(&on, w))?;
        match on.outcome() {
            Some(Some(_)) => {
                owner.untie(&on);
                Ok(())
            }
            _ => Err(on.refusal().or_else(|| self.failure()).unwrap_or_else(|| self.unknown())),
        }
    }
    /// The log took nothing of `batch` and goes on: these commits are rolled back, and with them all that was pushed since, for it may rest on them.
    /// Returns how many.
    pub fn refuse(&self, mut batch: Vec<Pending>, e: Error) -> usize {
        let mut wake = Vec::new();
        self.queue.refuse(&mut batch, &e, &mut wake);
        let n = batch.len();
        self.stats.refused.fetch_add(n as u64, Ordering::Relaxed);
        *self.refusal.lock() = Some(e);
        let mut counters = Vec::new();
        // What is durable comes onto the pages first: the refused ones' entries and marks may stand for it too.
        let mut applier = self.applier.lock();
        while applier.step(self) > 0 {}
        drop(applier);
        // Prepared transactions stay prepared: they hold their locks again before the first of the others gives one back.
        for p in batch.iter().filter(|p| p.handed) {
            if let After::Resolve(cell) = &p.after {
                self.locks.take_back(&cell.owner, &cell.held.lock().0);
            }
        }
        for p in batch {
            if p.handed {
                self.overlay.applied(&p);
            }
            match p.after {
                After::Commit { mut locks, .. } => locks.release_all(&p.owner, &self.locks, &mut wake),
                After::Prepare(cell) => {
                    self.prepared.lock().remove(&cell.body.gid);
                    let (mut locks, _) = cell.take_held();
                    locks.release_all(&p.owner, &self.locks, &mut wake);
                }
                After::Resolve(cell) => cell.busy.store(false, Ordering::Release),
                After::Large { mut locks, .. } => {
                    if let Ok(Record::CommitParts { txn, .. }) = record::read(&p.record) {
                        self.applier.lock().drop_parts(self, txn);
                    }
                    locks.release_all(&p.owner, &self.locks, &mut wake);
                }
                After::Finish if self.replica.is_some() => self.applier.lock().unfinish(),
                After::Finish => {
                    // The clock has jumped, and nothing that came after it can be in the log yet: it becomes visible here. Recovery knows by itself.
                    if let Err(e) = self.applier.lock().finish(self, &mut wake) {
                        self.fail(e);
                    }
                }
                After::Part | After::Replicated | After::Entry(_) => {}
                after @ (After::Refill { .. } | After::Set { .. }) => counters.push(after),
            }
        }
        // Newest first, each back to what it was before.
        for after in counters.into_iter().rev() {
            match after {
                After::Refill { key, generation, before, .. } => {
                    self.sequences.refill_refused(key, generation, before, &mut wake)
                }
                After::Set { key, generation } => self.sequences.set_refused(key, generation),
                _ => {}
            }
        }
        self.overlay.wake_all(&mut wake);
        wake.into_iter().for_each(Waker::wake);
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::{Isolation, Shard, ShardOptions, Submitted};
    use crate::{RowLock, WaitPolicy};
    use pamir_error::err;
    use pamir_storage::disk::sim::SimDisk;
    use std::time::Duration;

    fn begin(s: &Arc<Shard>) -> LocalTxn {
        let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
        t.set_limits(Some(Duration::ZERO), None);
        t
    }
    fn lock(t: &LocalTxn, tree: TreeId) -> Result<Vec<u8>> {
        t.lock_row(tree, b"hot", RowLock::Update, WaitPolicy::Block)?;
        let mut out = Vec::new();
        assert!(t.get_latest(tree, b"hot", &mut out)?.exists);
        Ok(out)
    }
    /// Writes the hot row and hands it over.
    fn hot(s: &Arc<Shard>, tree: TreeId, value: &[u8]) -> (Vec<u8>, Submitted) {
        let t = begin(s);
        let old = lock(&t, tree).unwrap();
        t.put(tree, b"hot", value).unwrap();
        assert!(lock(&begin(s), tree).is_err());
        (old, t.submit().unwrap())
    }
    fn open() -> (Arc<Shard>, TreeId) {
        let s = Shard::open_stepped(Arc::new(SimDisk::new(3)), ShardOptions { io_threads: 0, ..Default::default() });
        let s = s.unwrap();
        let t = begin(&s);
        let tree = t.create_tree().unwrap();
        t.put(tree, b"hot", b"0").unwrap();
        t.commit().unwrap();
        (s, tree)
    }
    /// The log takes nothing of what is queued.
    fn refuse(s: &Arc<Shard>) {
        let mut batch = Vec::new();
        s.core.queue.drain(&mut batch);
        s.core.refuse(batch, err!(DISK_FULL, "no room for the log"));
    }
    fn told<T>(r: Result<T>) -> String {
        r.err().map_or("ok".into(), |e| e.to_string())
    }

    #[test]
    fn a_refused_batch_takes_along_what_rests_on_it() {
        let (s, tree) = open();
        let (_, a) = hot(&s, tree, b"1");
        // Durable, not applied.
        s.step_log();
        let (old, b) = hot(&s, tree, b"2");
        assert_eq!(old, b"1");
        let (_, c) = hot(&s, tree, b"3");
        // Running, each having met the chain: one with writes, one without, one that only answers.
        let d = begin(&s);
        assert_eq!(lock(&d, tree).unwrap(), b"3");
        d.put(tree, b"d", b"").unwrap();
        d.put(tree, b"hot", b"4").unwrap();
        let sp = d.savepoint();
        d.rollback_to(sp);
        refuse(&s);
        assert!(told(a.poll(&s).unwrap()).contains("ok"), "what was durable before is not concerned");
        for x in [told(b.poll(&s).unwrap()), told(c.poll(&s).unwrap()), told(d.settle()), told(d.settle())] {
            assert!(x.contains("no room for the log"), "{x}");
        }
        // It goes on to lock something handed over after the refusal: that does not heal it.
        let t = begin(&s);
        t.put(tree, b"x", b"1").unwrap();
        let u = begin(&s);
        assert!(u.lock_row(tree, b"x", RowLock::Update, WaitPolicy::Block).is_err());
        let x = t.submit().unwrap();
        d.lock_row(tree, b"x", RowLock::Update, WaitPolicy::Block).unwrap();
        assert!(told(d.commit()).contains("no room for the log"));
        // The row is as it was, and the shard works.
        let t = begin(&s);
        assert_eq!(lock(&t, tree).unwrap(), b"1");
        assert!(!t.tied());
        t.put(tree, b"hot", b"5").unwrap();
        t.commit().unwrap();
        assert!(x.poll(&s).unwrap().is_ok());
        let t = begin(&s);
        let mut out = Vec::new();
        assert!(!t.get(&t.statement(), tree, b"d", &mut out).unwrap());
        assert!(t.get(&t.statement(), tree, b"hot", &mut out).unwrap() && out == b"5");
    }

    /// Without a write of its own a transaction is refused through what it met, be it asked before or after.
    #[test]
    fn who_only_looked_hears_of_the_refusal() {
        let (s, tree) = open();
        let (_, a) = hot(&s, tree, b"1");
        let (t, u) = (begin(&s), begin(&s));
        assert_eq!(lock(&t, tree).unwrap(), b"1");
        let b = t.submit().unwrap();
        assert_eq!(lock(&u, tree).unwrap(), b"1");
        refuse(&s);
        assert!(told(a.poll(&s).unwrap()).contains("no room"));
        assert!(told(b.poll(&s).unwrap()).contains("no room"));
        assert!(told(u.commit()).contains("no room"));
    }

    /// Other kinds of records in a refused batch: a prepared transaction is not there, a resolution can be asked for again, a sequence goes on.
    #[test]
    fn prepared_transactions_survive_a_refusal() {
        let (s, tree) = open();
        let t = begin(&s);
        lock(&t, tree).unwrap();
        t.put(tree, b"hot", b"p").unwrap();
        t.prepare("g", "o", "d").unwrap();
        let cell = s.core.prepared.lock().get("g").cloned().unwrap();
        cell.busy.store(true, Ordering::Release);
        let owner = Arc::new(Owner::new(0));
        s.core.push(Pending::new(record::commit_prepared("g", false), &owner, After::Resolve(cell))).unwrap();
        refuse(&s);
        assert!(told(s.core.await_outcome(&owner)).contains("no room"));
        assert!(lock(&begin(&s), tree).is_err(), "it holds its locks");
        s.commit_prepared("g").unwrap();
        assert_eq!(lock(&begin(&s), tree).unwrap(), b"p");
    }

    /// A prepared transaction whose commit has handed its locks over and is refused: it is prepared as before, and holds them.
    #[test]
    fn a_refused_commit_prepared_takes_its_locks_back() {
        for marked_over in [false, true] {
            let (s, tree) = open();
            let t = begin(&s);
            lock(&t, tree).unwrap();
            t.put(tree, b"hot", b"p").unwrap();
            t.prepare("g", "o", "d").unwrap();
            assert!(lock(&begin(&s), tree).is_err());
            let a = s.submit_prepared("g").unwrap();
            let mut chain = Vec::new();
            if marked_over {
                // Its mark on the row gives way to that of a later commit.
                let (old, b) = hot(&s, tree, b"1");
                assert_eq!(old, b"p");
                chain.push(b);
            }
            // One that runs on: it is granted the row and will fail.
            let d = begin(&s);
            assert_eq!(lock(&d, tree).unwrap(), if marked_over { b"1" } else { b"p" });
            d.put(tree, b"hot", b"2").unwrap();
            refuse(&s);
            for x in chain.iter().chain([&a]) {
                assert!(told(x.poll(&s).unwrap()).contains("no room for the log"));
            }
            // The session that commits it may come to the handing over only now.
            let rows = [(tree, Box::from(&b"hot"[..]))];
            s.core.locks.pass(a.owner.as_ref().unwrap(), &rows, &mut Vec::new());
            assert!(lock(&begin(&s), tree).is_err(), "held by both");
            assert!(told(d.commit()).contains("no room for the log"));
            assert!(lock(&begin(&s), tree).is_err(), "held by the prepared transaction");
            assert_eq!(s.prepared().len(), 1);
            assert!(s.core.overlay.range(tree, b"", None).is_empty());
            let b = s.submit_prepared("g").unwrap();
            let (old, c) = hot(&s, tree, b"3");
            assert_eq!(old, b"p");
            s.step_log();
            s.step_applier();
            assert!(told(b.poll(&s).unwrap()) == "ok" && told(c.poll(&s).unwrap()) == "ok");
            assert_eq!(lock(&begin(&s), tree).unwrap(), b"3");
            assert_eq!((s.core.locks.counts(), s.prepared().len()), ((0, 0, 0), 0));
        }
    }

    /// A long chain keeps no owner alive beyond what is on its way.
    #[test]
    fn chains_are_let_go() {
        let (s, tree) = open();
        let first = {
            let t = begin(&s);
            lock(&t, tree).unwrap();
            t.put(tree, b"hot", b"1").unwrap();
            assert!(lock(&begin(&s), tree).is_err());
            let first = Arc::downgrade(&t.owner);
            t.submit().unwrap();
            first
        };
        for n in 0..1000u32 {
            hot(&s, tree, &n.to_le_bytes());
            if n % 10 == 9 {
                s.step_log();
                s.step_applier();
            }
        }
        assert!(first.upgrade().is_none());
        assert!(s.core.overlay.range(tree, b"", None).is_empty());
    }
}
