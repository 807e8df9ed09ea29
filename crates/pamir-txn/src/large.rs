//! Large commits: logged in parts, applied in slices between other commits.
//!
//! A commit of a million rows as one record would stop everybody twice: the log while it is written, the applier while it is applied. So a commit whose record
//! would exceed [`crate::ShardOptions::large_commit_bytes`] goes another way:
//!
//! ```text
//!   session   Part 0  Part 1  ...  Part n-1  CommitParts                     answer
//!                                            = decided                         ^
//!   log    ── p0 ─ s ─ p1 ─ s s ─ p(n-1) ─ s ─ CP(T) ─ s ─ s ─ s ─ s ─ Finish(T) ─ s ──►
//!   applier                                     [slice] s [slice] s s [slice]  T visible, locks go
//!   ts               5        6 7          8     T=2^28+8  9   10  11          T   T+1
//! ```
//! - **Parts** have no effect. The session pushes them with at most [`PARTS_IN_FLIGHT`] on their way, so neither the queue nor a sync grows with the
//!   transaction. The applier notes where they lie and keeps up to [`crate::ShardOptions::part_cache`] bytes of them; the rest it reads back from the log when their turn comes.
//!   Parts that no CommitParts follows (an error, a crash) are forgotten.
//! - **CommitParts**, durable, decides: whatever happens from here on, the commit will be there. It is pushed only after all parts are durable.
//! - **Slices**: between batches of other commits the applier does a slice of the oldest large commit: [`crate::ShardOptions::slice_ops`] operations, and on a
//!   shard with threads at most about [`SLICE_TIME`]. Its row locks are held until it is finished, so no other commit meets a key of it.
//! - **Finish**, pushed by the applier after the last slice, makes it visible at one place in the log. (On a full disk, which refuses the record, at the place
//!   where it would stand; recovery makes visible what is decided anyway.)
//!
//! A large commit hands no locks over (`handover.rs`); it may rest on a commit that did.
//!
//! # Timestamps: reserved ahead
//! A page entry needs its commit timestamp when it is written, but the commits that become visible while the slices are applied must come *before* it.
//! So the timestamp T of CommitParts is reserved [`RESERVE_AHEAD`] beyond the newest one. Commits go on counting below it; Finish makes the clock jump to
//! T + 1. Hence timestamps rise in the order in which commits become visible, and a snapshot stays one number: while the slices are applied T
//! is newer than every snapshot, for reads, for REPEATABLE READ's conflict check, and for the horizon, and nothing on a reader's path had to change.
//! Should the commits beside it use up half of the room, the rest is applied in one go. 2^62 timestamps are room for 2^34 large commits.
//!
//! A slice that had to read its pages from disk would be a long one; so while pages are being evicted the applier's thread reads the next slice's leaves first, without
//! holding the applier.
//!
//! # Before-images
//! All snapshots taken before Finish need what the slices replace, a million rows perhaps. That does not go to the version chains in memory (`version.rs`) but into trees:
//! for every tree in which the commit replaces rows the applier makes a *before-image* tree, key -> the leaf value replaced. It is written in key
//! order, lives in the page cache like everything else, is evicted and even checkpointed if need be, and is dropped as a whole when the horizon reaches T.
//!
//! ```text
//!   page:    k -> (T+5, "e")                      a reader at 12 meets T+5 > 12, finds no version that is old enough in the chain,
//!   chain:   k    (from T, until T+5, "d")        and that the next newer one is T's: what T replaced is in T's before-image,
//!   before:  k -> (10, "c")                       or there was no entry: that is not stored (a load of new rows needs no before-image).
//!   chain:   k    (from 5, until 10, "a")         A reader at 7 finds "a" in the chain.
//! ```
//! A deletion mostly needs none. Where the row was committed at or below the horizon when the deletion is applied, all snapshots older than T see it, those still to come included. Its value then
//! stays in its place and only the header before it changes, to a tombstone that says so ([`KEPT`]): leaf by leaf, no page grows or moves. Such a tombstone goes where an old version goes:
//!
//! ```text
//!   page:    k -> (T, KEPT, "c")                  a reader below T sees "c"
//!   page:    k -> (T+9, "e")                      written again by a small commit: the chain holds the tombstone and what it kept,
//!   chain:   k    (from T, until T+9, KEPT "c")   as history does later; by a large one: its before-image holds them
//! ```
//! Before-images of finished commits count up to [`crate::ShardOptions::version_disk`]; beyond that the oldest snapshots are given up (72000).
//!
//! Who reads the newest *committed* state under a lock (constraint checks, READ COMMITTED's second look) must not take T's rows for committed before it is
//! visible. Mostly its lock conflicts with T's; where it does not (KEY SHARE beside NO KEY UPDATE), an entry with the timestamp in progress
//! (one relaxed load) sends it to the before-image.
//!
//! # Building trees
//! Puts into a tree that is empty when their turn comes are built bottom-up, whether this transaction created it or an earlier one: nobody can see
//! entries of T yet, and absence needs no before-image. The build pauses between slices. Whatever comes between
//! (another commit's write into the same tree, a checkpoint, [`BUILD_LEAVES`]) ends the build; the rest is put in one by one.
//!
//! # Checkpoints
//! A checkpoint between slices holds the trees with the operations applied so far; its meta says which (part and byte), where the parts of this
//! and of undecided commits lie, and which before-images are to be dropped. The log is kept from the first of these parts on. Recovery
//! finishes what was in progress before it replays the log, and applies a CommitParts in one go where it stands: without readers, and because of the locks, it
//! makes no difference when. Neither does it that leaves may hold operations of slices after the checkpoint's beginning already, or of commits after them.
//!
//! # Limits
//! One at a time, in the order of CommitParts. A single value is never cut: a part is as large as the largest value in it. Prepared transactions are
//! one record; COMMIT PREPARED of a large one
//! is applied in slices like any other, from the bytes that the prepared transaction keeps in memory.
use crate::applier::{Applier, KEPT, PreparedCell, Purge, TOMBSTONE, VALUE_HEADER};
use crate::applier::{in_order, is_kept, release_adopted, split_value};
use crate::commit::{After, Answer, Callback, Pending};
use crate::core::Core;
use crate::history::{history_key, is_unseen};
use crate::local::each_op;
use crate::lock::{HeldLocks, Owner};
use crate::padded::Padded;
use crate::record::{self, Op, PART_OPS_AT, Reader, Record, put_bytes, put_varint};
use crate::scan::lost_version;
use crate::shard::Ts;
use crate::txn::LocalTxn;
use pamir_error::{Result, bail};
use pamir_storage::log::Lsn;
use pamir_storage::store::{Build, TreeId};
use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Parts of one commit between the session and the applier.
pub const PARTS_IN_FLIGHT: usize = 4;
/// A large commit has at least so many parts.
const PARTS_AT_LEAST: u64 = 4;
/// How long a slice lasts, on a shard with threads.
pub const SLICE_TIME: Duration = Duration::from_millis(1);
/// Value bytes of one slice.
const SLICE_BYTES: u64 = 1 << 20;
/// Operations that are looked at together: first what they replace is read, then the before-image is written, then they are applied; so each of the
/// three trees' walks stays at its place.
const RUN: usize = 64;
/// Keys whose leaves are brought into memory before a slice; whether a batch has come is looked at after every few of them.
const TOUCH_KEYS: usize = 512;
const TOUCH_GLANCE: usize = 16;
/// Leaves of a tree built bottom-up (2 GiB): what is above them is made in one go.
const BUILD_LEAVES: usize = 1 << 18;

/// What readers must know of large commits.
pub(crate) struct LargeCommits {
    /// The timestamp whose entries are on pages and not visible yet; NONE.
    current: Padded<AtomicU64>,
    /// Large commits that a snapshot may be older than, with their before-images by tree.
    known: RwLock<FxHashMap<Ts, FxHashMap<TreeId, TreeId>>>,
    pub finished: AtomicU64,
    pub slices: AtomicU64,
}
const NONE: Ts = Ts::MAX;

impl LargeCommits {
    pub fn new() -> LargeCommits {
        LargeCommits {
            current: Padded(AtomicU64::new(NONE)),
            known: RwLock::default(),
            finished: AtomicU64::new(0),
            slices: AtomicU64::new(0),
        }
    }
    /// Is an entry of this timestamp, met on a page, not visible yet?
    #[inline]
    pub fn is_current(&self, at: Ts) -> bool {
        // Relaxed: the store comes before any entry of the commit was written to a page, and that page was read.
        at == self.current.load(Ordering::Relaxed)
    }
    pub fn in_progress(&self) -> bool {
        self.current.load(Ordering::Relaxed) != NONE
    }
    /// The before-image of `tree`, if it has one; None: `ts` is not known as a large commit.
    fn before(&self, ts: Ts, tree: TreeId) -> Option<Option<TreeId>> {
        self.known.read().get(&ts).map(|b| b.get(&tree).copied())
    }
}

/// The version a snapshot sees of a key of which the chain says that `after` overwrote it: from that commit's before-image or from history, into `out`.
/// False: absent.
#[cold]
pub(crate) fn replaced(
    core: &Core,
    tree: TreeId,
    key: &[u8],
    mut after: Ts,
    snap: Ts,
    out: &mut Vec<u8>,
) -> Result<bool> {
    // A tree made by such a commit has no past: "absent" would be a wrong answer.
    if core.is_younger(tree, snap) {
        return Err(lost_version(core, tree, snap));
    }
    let mut wanted = Vec::new();
    loop {
        out.clear();
        let found = match core.large.before(after, tree) {
            None => {
                let Some(segment) = core.history.segment(after) else { return Err(lost_version(core, tree, snap)) };
                history_key(after, tree, key, &mut wanted);
                core.store.get(segment, &wanted, out)
            }
            Some(None) => Ok(false),
            Some(Some(before)) => core.store.get(before, key, out),
        };
        // Given up: then the before-image may be gone, and nothing above means anything.
        core.snapshots.check(snap)?;
        if !found? {
            return Ok(false);
        }
        let (from, tombstone, _) = split_value(out)?;
        if from <= snap {
            if is_unseen(out) {
                return Err(lost_version(core, tree, snap));
            }
            out.drain(..VALUE_HEADER);
            return Ok(!tombstone);
        }
        if is_kept(out) && from < after {
            // A deletion after the snapshot, which kept what it deleted.
            out.drain(..VALUE_HEADER);
            return Ok(true);
        }
        if from >= after {
            bail!(DATA_CORRUPTED, "what commit {after} replaced is of {from}");
        }
        // Written after the snapshot as well: what did that commit replace? (Were it in a chain in memory, it would have been found there.)
        after = from;
    }
}
/// What is committed and visible of a key whose entry on the page is of the commit in progress: (timestamp, exists), value in `out`.
/// None: the commit is visible by now (`out` is void).
#[cold]
pub(crate) fn visible_below(
    core: &Core,
    tree: TreeId,
    key: &[u8],
    at: Ts,
    out: &mut Vec<u8>,
) -> Result<Option<(Ts, bool)>> {
    out.clear();
    let found = match core.large.before(at, tree) {
        None => return Ok(None),
        Some(None) => Ok(false),
        Some(Some(before)) => core.store.get(before, key, out),
    };
    // Before-images are dropped only after the commit has become visible.
    std::sync::atomic::fence(Ordering::Acquire);
    if !core.large.is_current(at) {
        return Ok(None);
    }
    if !found? {
        return Ok(Some((0, false)));
    }
    let (ts, tombstone, _) = split_value(out)?;
    out.drain(..if is_kept(out) { out.len() } else { VALUE_HEADER });
    Ok(Some((ts, !tombstone)))
}

/// Room between the newest timestamp and one reserved for a large commit: for the commits that are visible before it.
pub(crate) const RESERVE_AHEAD: Ts = 1 << 28;

/// Which timestamp comes next. Those of large commits are reserved ahead; the clock jumps there when they are finished.
#[derive(Default)]
pub(crate) struct Clock {
    next: Ts,
    /// The last one reserved.
    reserved: Ts,
}
impl Clock {
    pub fn new(next: Ts) -> Clock {
        Clock { next, reserved: 0 }
    }
    /// The timestamp that the record is to have, or 0; to be called in log order.
    pub fn next(&mut self, record: &[u8]) -> Ts {
        if record::kind(record) == record::FINISH {
            let ts = record::ts_of(record).unwrap_or(0);
            debug_assert!(ts >= self.next, "a large commit became visible too late");
            self.next = self.next.max(ts + 1);
            return ts;
        }
        if !record::has_ts(record) {
            return 0;
        }
        if record::is_large(record) {
            self.reserved = self.reserved.max(self.next) + RESERVE_AHEAD;
            return self.reserved;
        }
        self.next += 1;
        self.next - 1
    }
}

// ---- the session's side

/// Writes the transaction's changes to the log as parts, and waits until they are durable; returns how many. After an error they are forgotten.
pub(crate) fn push_parts(core: &Core, txn: &LocalTxn) -> Result<u32> {
    let size = (core.opts.large_commit_bytes / PARTS_AT_LEAST).max(1) as usize;
    let mut w = Parts { core, txn: txn.id(), size, seq: 0, record: Vec::new(), flying: VecDeque::new() };
    let written = each_op(txn, false, &mut |op| w.add(op)).and_then(|()| w.push());
    let landed = w.land(0);
    match written.and(landed) {
        Ok(()) => Ok(w.seq),
        Err(e) => {
            forget_parts(core, txn.id());
            Err(e)
        }
    }
}
/// No CommitParts will follow. All parts have landed.
pub(crate) fn forget_parts(core: &Core, txn: u64) {
    core.applier.lock().drop_parts(core, txn);
}
struct Parts<'a> {
    core: &'a Core,
    txn: u64,
    size: usize,
    seq: u32,
    record: Vec<u8>,
    flying: VecDeque<Arc<Owner>>,
}
impl Parts<'_> {
    fn add(&mut self, op: Op) -> Result<()> {
        if self.record.is_empty() {
            self.record = record::part_header(self.txn, self.seq, self.size);
        }
        record::push_op(&mut self.record, op);
        if self.record.len() >= self.size { self.push() } else { Ok(()) }
    }
    fn push(&mut self) -> Result<()> {
        if self.record.is_empty() {
            return Ok(());
        }
        self.land(PARTS_IN_FLIGHT - 1)?;
        let owner = Arc::new(Owner::new(0));
        if let Some(last) = self.flying.back() {
            // Refused meanwhile, it must not leave a gap in the log.
            owner.tie_to(last);
        }
        self.core.push(Pending::new(std::mem::take(&mut self.record), &owner, After::Part))?;
        self.flying.push_back(owner);
        self.seq = match self.seq.checked_add(1) {
            Some(n) => n,
            None => bail!(PROGRAM_LIMIT_EXCEEDED, "a transaction's changes take more than {} log records", u32::MAX),
        };
        Ok(())
    }
    /// Waits until at most `n` parts are on their way; all of them, after an error.
    fn land(&mut self, n: usize) -> Result<()> {
        let mut first = Ok(());
        while self.flying.len() > if first.is_ok() { n } else { 0 } {
            let Some(owner) = self.flying.pop_front() else { break };
            if let Err(e) = self.core.await_outcome(&owner) {
                // Nothing is in doubt: without its last record the commit does not exist.
                first = first.and(Err(self.core.failure().unwrap_or(e)));
            }
        }
        first
    }
}

// ---- the applier's side

/// Operations that a slice will begin with: the bytes they lie in, and where.
pub(crate) struct Ahead(Bytes, usize);

/// Brings the leaves of the next slice into memory. Done by the applier's thread, but beside the applier: whoever has a small batch may apply it meanwhile.
pub(crate) fn touch(core: &Core, ahead: &Ahead) {
    let mut ops = Reader(ahead.0.get(ahead.1..).unwrap_or_default());
    let mut value = Vec::new();
    for n in 1..=TOUCH_KEYS {
        let Ok(Some(Op::Put(tree, key, _) | Op::Delete(tree, key) | Op::Move(tree, key, _))) =
            record::next_op(&mut ops)
        else {
            return;
        };
        // An error, or a tree that is gone, will meet the applier, who can tell it.
        let _ = core.store.get(tree, key, &mut value);
        if n % TOUCH_GLANCE == 0 && !core.applies.is_empty() {
            return;
        }
    }
}

/// Where a part lies in the log (see [`pamir_storage::log::LogReader::read`]), and its bytes while there is room for them.
#[derive(Clone)]
pub(crate) struct PartRef {
    after: Lsn,
    end: Lsn,
    bytes: Option<Arc<Vec<u8>>>,
    /// Reserved in the page file for what it will change.
    pages: u64,
    /// Changes and bytes of this part and those before it.
    so_far: (u64, u64),
}

#[derive(Clone)]
enum Stage {
    Waiting,
    Applying,
    /// All is applied; Finish is to be pushed.
    Applied,
    /// Finish is on its way.
    Finishing,
}

/// Who waits for it.
pub(crate) struct Session {
    pub answer: Answer,
    /// Who holds the locks.
    pub owner: Arc<Owner>,
    pub locks: HeldLocks,
    pub callbacks: Vec<Callback>,
}

/// Where the operations are.
enum Source {
    Parts(u64, Vec<PartRef>),
    Prepared(Arc<PreparedCell>),
}
/// Bytes with operations in them.
#[derive(Clone)]
enum Bytes {
    Part(Arc<Vec<u8>>),
    Prepared(Arc<PreparedCell>),
}
impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Part(b) => b,
            Bytes::Prepared(c) => &c.body.ops,
        }
    }
}

/// A decided large commit.
pub(crate) struct Job {
    pub ts: Ts,
    source: Source,
    /// The next operation: in this part at this byte.
    part: usize,
    at: usize,
    bytes: Option<Bytes>,
    /// The tree last put into: it was empty then, or it is not any more.
    tree: Option<TreeId>,
    build: Option<Build>,
    created: Vec<TreeId>,
    pub drops: Vec<TreeId>,
    pub purge: VecDeque<Purge>,
    pub sweeps: BTreeSet<TreeId>,
    pub before: Vec<TreeId>,
    before_bytes: u64,
    /// Reserved in the page file for a prepared transaction; parts have their own.
    pages: u64,
    stage: Stage,
    /// None in recovery.
    session: Option<Session>,
}
impl Job {
    fn new(ts: Ts, source: Source) -> Job {
        Job {
            ts,
            part: 0,
            at: if matches!(source, Source::Parts(..)) { PART_OPS_AT } else { 0 },
            source,
            bytes: None,
            tree: None,
            build: None,
            created: Vec::new(),
            drops: Vec::new(),
            purge: VecDeque::new(),
            sweeps: BTreeSet::new(),
            before: Vec::new(),
            before_bytes: 0,
            pages: 0,
            stage: Stage::Waiting,
            session: None,
        }
    }
}

/// The large commits of an applier.
#[derive(Default)]
pub(crate) struct Large {
    /// Parts without a CommitParts so far, by transaction.
    undecided: FxHashMap<u64, Vec<PartRef>>,
    /// Transactions of which a part found no room.
    refused: FxHashSet<u64>,
    /// Bytes of parts in memory.
    cached: usize,
    /// Oldest first; only the first has begun.
    pub jobs: VecDeque<Job>,
    /// The newest timestamp that recovery has applied, but not yet met the Finish of.
    pub recovered: Ts,
    /// The tree under construction.
    pub building: Option<TreeId>,
    /// Finished ones that a snapshot may be older than: timestamp, before-images, their bytes.
    pub retired: VecDeque<(Ts, Vec<TreeId>, u64)>,
}

/// Key, value (of a tombstone: where the row lives on), flags.
type Change<'a> = (&'a [u8], &'a [u8], u8);
/// What an operation does to an entry of `tree`; None: it does something else.
fn change(op: Option<Op>, tree: TreeId) -> Option<Change> {
    match op {
        Some(Op::Put(t, k, v)) if t == tree => Some((k, v, 0)),
        Some(Op::Delete(t, k)) if t == tree => Some((k, &[], TOMBSTONE)),
        Some(Op::Move(t, k, to)) if t == tree => Some((k, to, TOMBSTONE)),
        _ => None,
    }
}

/// How much a slice may do.
struct Budget {
    ops: u64,
    bytes: u64,
    deadline: Option<Instant>,
}
impl Budget {
    const ALL: Budget = Budget { ops: u64::MAX, bytes: u64::MAX, deadline: None };
    fn spent(&self) -> bool {
        self.ops == 0 || self.bytes == 0 || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
    fn take(&mut self, ops: usize, bytes: usize) {
        self.ops = self.ops.saturating_sub(ops as u64);
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}

impl Applier {
    /// A part is durable, and was counted as so many changes and bytes; or it is replayed. It begins after what was applied so far.
    pub(crate) fn keep_part(
        &mut self,
        core: &Core,
        record: impl AsRef<[u8]> + Into<Vec<u8>>,
        end: Lsn,
        changes: Option<(u64, u64)>,
    ) -> Result<()> {
        let live = changes.is_some();
        let Record::Part { txn, seq, .. } = record::read(record.as_ref())? else { return Reader::damaged() };
        core.next_txn.fetch_max(txn.saturating_add(1), Ordering::Relaxed);
        let parts = self.large.undecided.entry(txn).or_default();
        if live && self.large.refused.contains(&txn) {
            self.applied_lsn = end;
            return Err(core.refusal());
        }
        if parts.len() != seq as usize && !live {
            // Of a commit that was given up; one that was not will miss it.
            self.applied_lsn = end;
            return Ok(());
        }
        if parts.len() != seq as usize {
            bail!(DATA_CORRUPTED, "part {seq} of transaction {txn} stands in the log after {} others", parts.len());
        }
        let len = record.as_ref().len();
        // The batch's reservation ends with the batch; a part needs one of its own until it is applied, and without room for it the commit ends here (53100).
        // Many parts may touch the same leaves: what is reserved grows with the whole, not with the sum of its parts.
        let before = parts.last().map_or((0, 0), |p| p.so_far);
        let (ops, size) = changes.unwrap_or_default();
        let so_far = (before.0 + ops, before.1 + size);
        let reserved = if live { core.store.reserve_more(before, so_far) } else { Ok(0) };
        let pages = match reserved {
            Ok(pages) => pages,
            Err(e) => {
                // The parts that are on their way behind it share its fate.
                *core.refusal.lock() = Some(e.clone());
                self.large.refused.insert(txn);
                self.applied_lsn = end;
                return Err(e);
            }
        };
        let room = (self.large.cached + len) as u64 <= core.opts.part_cache;
        // Recovery drops most of what it replays; it reads what it needs.
        let bytes = (live && room).then(|| Arc::new(record.into()));
        if bytes.is_some() {
            self.large.cached += len;
        }
        parts.push(PartRef { after: self.applied_lsn, end, bytes, pages, so_far });
        self.applied_lsn = end;
        Ok(())
    }
    /// Parts of a transaction that will not be committed.
    pub(crate) fn drop_parts(&mut self, core: &Core, txn: u64) {
        self.large.refused.remove(&txn);
        for p in self.large.undecided.remove(&txn).into_iter().flatten() {
            core.store.unreserve(p.pages);
            self.large.cached -= p.bytes.map_or(0, |b| b.len());
        }
    }
    /// The end of recovery: what is not decided now never will be, and what is decided is visible.
    pub(crate) fn end_recovery(&mut self, core: &Core) {
        core.snapshots.publish(self.large.recovered.max(core.snapshots.applied()));
        let all: Vec<u64> = self.large.undecided.keys().copied().collect();
        all.into_iter().for_each(|t| self.drop_parts(core, t));
    }
    /// CommitParts: takes the parts together. The work is done by [`Applier::slice`].
    pub(crate) fn decide(&mut self, core: &Core, record: &[u8], lsn: Lsn, session: Option<Session>) -> Result<()> {
        let Record::CommitParts { ts, txn, parts: n } = record::read(record)? else { return Reader::damaged() };
        core.next_txn.fetch_max(txn.saturating_add(1), Ordering::Relaxed);
        in_order(core, ts, session.is_some())?;
        let parts = self.large.undecided.remove(&txn).unwrap_or_default();
        if parts.len() != n as usize {
            bail!(DATA_CORRUPTED, "the log commits transaction {txn} of {n} parts, {} of which it has", parts.len());
        }
        self.large.jobs.push_back(Job { session, ..Job::new(ts, Source::Parts(txn, parts)) });
        self.applied_lsn = lsn;
        Ok(())
    }
    /// COMMIT PREPARED of a large transaction.
    pub(crate) fn decide_prepared(
        &mut self,
        cell: Arc<PreparedCell>,
        ts: Ts,
        lsn: Lsn,
        pages: u64,
        session: Session,
    ) -> Result<()> {
        self.large.jobs.push_back(Job { session: Some(session), pages, ..Job::new(ts, Source::Prepared(cell)) });
        self.applied_lsn = lsn;
        Ok(())
    }
    /// Does a slice of the oldest large commit. False: there is nothing to be done now.
    pub(crate) fn slice(&mut self, core: &Core) -> bool {
        if self.large.jobs.is_empty() {
            return false;
        }
        if core.failure().is_some() {
            // Recovery will finish them. Dropped, they answer that the outcome is unknown.
            self.large.jobs.clear();
            return false;
        }
        let r = self.try_slice(core);
        if let Err(e) = &r {
            core.fail(e.clone());
            self.large.jobs.clear();
        }
        r.unwrap_or(false)
    }
    /// What [`touch`] is to look at; None while all pages fit into memory.
    pub(crate) fn ahead(&self, core: &Core) -> Option<Ahead> {
        let job = self.large.jobs.front()?;
        if job.build.is_some() || core.store.stats().pages_evicted.load(Ordering::Relaxed) == 0 {
            return None;
        }
        Some(Ahead(job.bytes.clone()?, job.at))
    }
    fn try_slice(&mut self, core: &Core) -> Result<bool> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Ok(false) };
        let r = self.try_slice_of(core, &mut job);
        self.large.jobs.push_front(job);
        if matches!(r, Ok(None)) {
            // Nobody can commit any more, and the log is closed: it needs no Finish to come after everybody.
            let mut wake = Vec::new();
            self.finish(core, &mut wake)?;
            wake.into_iter().for_each(Waker::wake);
            return Ok(true);
        }
        r.map(|did| did.unwrap_or(false))
    }
    /// None: it is to be finished without a record.
    fn try_slice_of(&mut self, core: &Core, job: &mut Job) -> Result<Option<bool>> {
        match &job.stage {
            Stage::Waiting => {
                core.large.known.write().insert(job.ts, FxHashMap::default());
                core.large.current.store(job.ts, Ordering::Release);
                job.stage = Stage::Applying;
            }
            Stage::Applying => {}
            Stage::Finishing => return Ok(Some(false)),
            Stage::Applied => {}
        }
        if matches!(job.stage, Stage::Applied) {
            let p = Pending::new(record::finish(job.ts), &Arc::new(Owner::new(0)), After::Finish);
            return match core.queue.push(p, &core.overlay, false) {
                Ok(()) => {
                    job.stage = Stage::Finishing;
                    Ok(Some(true))
                }
                Err(_) if core.queue.is_over() && core.applies.is_empty() => Ok(None),
                Err(_) => Ok(Some(false)),
            };
        }
        // Commits beside it come near the reserved timestamp: now without a pause.
        let hurry = core.snapshots.applied() + RESERVE_AHEAD / 2 > job.ts;
        let mut budget = if hurry {
            Budget::ALL
        } else {
            Budget {
                ops: core.opts.slice_ops.max(1) as u64,
                bytes: SLICE_BYTES,
                deadline: (!core.stepped).then(|| Instant::now() + SLICE_TIME),
            }
        };
        core.large.slices.fetch_add(1, Ordering::Relaxed);
        if self.work(core, job, true, &mut budget)? {
            job.stage = Stage::Applied;
        }
        Ok(Some(true))
    }
    /// Recovery: applies all that is decided.
    pub(crate) fn finish_recovered(&mut self, core: &Core) -> Result<()> {
        while let Some(mut job) = self.large.jobs.pop_front() {
            self.work(core, &mut job, false, &mut Budget { ..Budget::ALL })?;
            self.large.jobs.push_front(job);
            self.finish(core, &mut Vec::new())?;
        }
        Ok(())
    }
    /// Finish: the first job becomes visible, its locks go, its session is answered.
    pub(crate) fn finish(&mut self, core: &Core, wake: &mut Vec<Waker>) -> Result<()> {
        let Some(mut job) = self.large.jobs.pop_front() else { return Reader::damaged() };
        let ts = job.ts;
        self.purge.append(&mut job.purge);
        core.store.unreserve(job.pages);
        std::mem::take(&mut job.sweeps).into_iter().for_each(|t| self.sweeps.insert(t));
        self.drops.extend(job.drops.iter().map(|t| (ts, *t)));
        if let Source::Prepared(cell) = &job.source {
            core.prepared.lock().remove(&cell.body.gid);
        }
        let Some(mut session) = job.session.take() else {
            self.large.recovered = self.large.recovered.max(ts);
            if let Source::Prepared(cell) = &job.source {
                release_adopted(core, cell);
            }
            return Ok(());
        };
        self.young.extend(job.created.iter().map(|t| (ts, *t)));
        self.large.retired.push_back((ts, job.before, job.before_bytes));
        core.snapshots.publish(ts);
        core.large.current.store(NONE, Ordering::Release);
        core.large.finished.fetch_add(1, Ordering::Relaxed);
        session.callbacks.into_iter().for_each(|f| f(ts));
        session.locks.release_all(&session.owner, &core.locks, wake);
        session.answer.decide(Some(ts), wake);
        Ok(())
    }
    /// The Finish record of timestamp `ts` is durable.
    pub(crate) fn finish_at(&mut self, core: &Core, ts: Ts, wake: &mut Vec<Waker>) -> Result<()> {
        let first = self.large.jobs.front();
        if !first.is_some_and(|j| j.ts == ts && matches!(j.stage, Stage::Finishing)) {
            bail!(INTERNAL_ERROR, "the large commit {ts} is to be finished out of order");
        }
        self.finish(core, wake)
    }

    /// Applies operations until the budget is spent; true: that was the last.
    fn work(&mut self, core: &Core, job: &mut Job, live: bool, budget: &mut Budget) -> Result<bool> {
        while !budget.spent() {
            let Some(bytes) = self.part_bytes(job)? else {
                self.end_build(job)?;
                return Ok(true);
            };
            let ops = Reader(bytes.get(job.at..).unwrap_or_default());
            let mut rest = ops;
            let Some(op) = record::next_op(&mut rest)? else {
                self.next_part(core, job);
                continue;
            };
            match op {
                Op::CreateTree(t) => {
                    core.next_tree.fetch_max(t.0 + 1, Ordering::Relaxed);
                    if live {
                        core.note_young(t, job.ts);
                        job.created.push(t);
                    }
                    self.writer.create_tree(t)?;
                    budget.take(1, 0);
                }
                Op::DropTree(t) => {
                    job.drops.push(t);
                    budget.take(1, 0);
                }
                Op::Load(..) => return Reader::damaged(),
                Op::Put(tree, ..) | Op::Delete(tree, _) | Op::Move(tree, ..) => {
                    if job.tree != Some(tree) {
                        self.end_build(job)?;
                        job.tree = Some(tree);
                        job.build = self.writer.start_build(tree)?;
                        self.large.building = job.build.as_ref().map(|b| b.tree());
                    }
                    let before = ops.0.len();
                    rest = match job.build.take() {
                        Some(b) => self.build_run(job, b, ops, budget)?,
                        None => self.put_run(core, job, tree, ops, live, budget)?,
                    };
                    debug_assert!(rest.0.len() < before);
                }
            }
            job.at = bytes.len() - rest.0.len();
        }
        Ok(false)
    }
    /// The bytes of the part that is worked on; None: it was the last.
    fn part_bytes(&mut self, job: &mut Job) -> Result<Option<Bytes>> {
        if let Some(b) = &job.bytes {
            return Ok(Some(b.clone()));
        }
        let (of, parts) = match &job.source {
            Source::Parts(txn, parts) => (*txn, parts),
            Source::Prepared(cell) => {
                job.bytes = (job.part == 0).then(|| Bytes::Prepared(cell.clone()));
                return Ok(job.bytes.clone());
            }
        };
        let Some(p) = parts.get(job.part) else { return Ok(None) };
        let bytes = match &p.bytes {
            Some(b) => b.clone(),
            None => Arc::new(self.reader.read(p.after, p.end)?),
        };
        match record::read(&bytes)? {
            Record::Part { txn, seq, .. } if txn == of && seq as usize == job.part => {}
            _ => bail!(DATA_CORRUPTED, "the log record that ends at {} is not part {} of {of}", p.end, job.part),
        }
        job.bytes = Some(Bytes::Part(bytes));
        Ok(job.bytes.clone())
    }
    fn next_part(&mut self, core: &Core, job: &mut Job) {
        job.bytes = None;
        if let Source::Parts(_, parts) = &mut job.source
            && let Some(p) = parts.get_mut(job.part)
        {
            core.store.unreserve(std::mem::take(&mut p.pages));
        }
        if let Source::Parts(_, parts) = &mut job.source
            && let Some(b) = parts.get_mut(job.part).and_then(|p| p.bytes.take())
        {
            self.large.cached -= b.len();
        }
        job.part += 1;
        job.at = PART_OPS_AT;
    }
    /// Some puts (and deletes, of what never was) into the tree under construction; returns what follows.
    fn build_run<'a>(
        &mut self,
        job: &mut Job,
        mut b: Build,
        ops: Reader<'a>,
        budget: &mut Budget,
    ) -> Result<Reader<'a>> {
        let tree = b.tree();
        let mut head = [0; VALUE_HEADER];
        head[..8].copy_from_slice(&job.ts.to_le_bytes());
        let mut rest = ops;
        for _ in 0..RUN {
            let mut next = rest;
            let Some((key, value, flags)) = change(record::next_op(&mut next)?, tree) else { break };
            head[8] = flags;
            self.writer.build_more(&mut b, key, [&head, value])?;
            if flags & TOMBSTONE != 0 {
                self.purge_later(job, tree, key);
            }
            rest = next;
            budget.take(1, key.len() + value.len());
            if budget.ops == 0 || budget.bytes == 0 {
                break;
            }
        }
        let full = b.leaves() >= BUILD_LEAVES;
        job.build = Some(b);
        if full {
            self.end_build(job)?;
        }
        Ok(rest)
    }
    /// Some puts and deletes, one by one, into `tree`; returns what follows.
    fn put_run<'a>(
        &mut self,
        core: &Core,
        job: &mut Job,
        tree: TreeId,
        ops: Reader<'a>,
        live: bool,
        budget: &mut Budget,
    ) -> Result<Reader<'a>> {
        let mut run: Vec<Change> = Vec::with_capacity(RUN);
        let mut rest = ops;
        while run.len() < RUN && budget.ops > 0 && budget.bytes > 0 {
            let mut next = rest;
            let Some(c) = change(record::next_op(&mut next)?, tree) else { break };
            budget.take(1, c.0.len() + c.1.len());
            run.push(c);
            rest = next;
        }
        let in_place = self.delete_in_place(core, job.ts, tree, &run, live)?;
        let mut n = 0;
        run.retain(|(key, ..)| {
            n += 1;
            let done = in_place & 1 << (n - 1) != 0;
            if done {
                self.purge_later(job, tree, key);
            }
            !done
        });
        if live {
            self.keep_before(core, job, tree, &run)?;
        }
        for (key, value, flags) in run {
            self.set_value(job.ts, flags, value);
            self.writer.put(tree, key, &self.value, &mut |_| {})?;
            if flags & TOMBSTONE != 0 {
                self.purge_later(job, tree, key);
            }
        }
        Ok(rest)
    }
    /// Deletes what needs no before-image: a row that was committed at or below the horizon is seen by all snapshots older than the deletion, so its value stays in its place, behind a
    /// tombstone's header. Nothing moves and nothing grows. Returns which of the run's changes are done, a bit each.
    fn delete_in_place(&mut self, core: &Core, ts: Ts, tree: TreeId, run: &[Change], live: bool) -> Result<u64> {
        const { assert!(RUN <= u64::BITS as usize) };
        let deletes = || run.iter().enumerate().filter(|(_, c)| c.2 & TOMBSTONE != 0 && c.1.is_empty());
        let keys: Vec<&[u8]> = deletes().map(|(_, c)| c.0).collect();
        if keys.is_empty() {
            return Ok(0);
        }
        let places: Vec<usize> = deletes().map(|(n, _)| n).collect();
        // In recovery there are no snapshots.
        let horizon = if live { core.snapshots.horizon() } else { Ts::MAX };
        let mut head = [0; VALUE_HEADER];
        head[..8].copy_from_slice(&ts.to_le_bytes());
        head[VALUE_HEADER - 1] = TOMBSTONE | KEPT;
        let mut done = 0;
        self.writer.patch_run::<VALUE_HEADER>(tree, &keys, &mut |n, old| match split_value(&old) {
            Ok((from, ..)) if old[VALUE_HEADER - 1] == 0 && from <= horizon => {
                done |= 1 << places[n];
                Some(head)
            }
            _ => None,
        })?;
        Ok(done)
    }
    /// Copies what the run is about to replace into the before-image.
    fn keep_before(&mut self, core: &Core, job: &mut Job, tree: TreeId, run: &[Change]) -> Result<()> {
        let mut value = std::mem::take(&mut self.value);
        let mut bytes = Vec::new();
        let mut found: Vec<(&[u8], usize, usize)> = Vec::new();
        for (key, ..) in run {
            // A tombstone as well: a snapshot may be older than the deletion.
            if self.writer.get(tree, key, &mut value)? {
                found.push((key, bytes.len(), bytes.len() + value.len()));
                bytes.extend_from_slice(&value);
            }
        }
        self.value = value;
        if found.is_empty() {
            return Ok(());
        }
        let before = match core.large.before(job.ts, tree).flatten() {
            Some(b) => b,
            None => {
                let b = TreeId(core.next_tree.fetch_add(1, Ordering::Relaxed));
                self.writer.create_tree(b)?;
                job.before.push(b);
                core.large.known.write().entry(job.ts).or_default().insert(tree, b);
                b
            }
        };
        for (key, from, to) in found {
            self.writer.put(before, key, &bytes[from..to], &mut |_| {})?;
            job.before_bytes += (key.len() + to - from) as u64;
        }
        Ok(())
    }
    fn purge_later(&mut self, job: &mut Job, tree: TreeId, key: &[u8]) {
        if self.purge.len() + job.purge.len() >= crate::applier::PURGE_QUEUE_LIMIT {
            job.sweeps.insert(tree);
        } else {
            job.purge.push_back(Purge { ts: job.ts, tree, key: key.into() });
        }
    }
    fn end_build(&mut self, job: &mut Job) -> Result<()> {
        self.large.building = None;
        job.build.take().map_or(Ok(()), |b| self.writer.end_build(b))
    }
    /// Somebody else is about to change the tree under construction, or wants the trees as they are.
    pub(crate) fn settle_build(&mut self) -> Result<()> {
        self.large.building = None;
        let build = self.large.jobs.front_mut().and_then(|j| j.build.take());
        build.map_or(Ok(()), |b| self.writer.end_build(b))
    }
    /// Drops the before-images that no snapshot needs; the oldest snapshots are given up when they are too many. Returns whether there were any.
    pub(crate) fn drop_before_images(&mut self, core: &Core) -> Result<bool> {
        if self.large.retired.is_empty() {
            return Ok(false);
        }
        let kept: u64 = self.large.retired.iter().map(|r| r.2).sum();
        if kept > core.opts.version_disk
            && let Some((ts, ..)) = self.large.retired.front()
            && *ts > core.snapshots.floor()
        {
            core.snapshots.raise_floor(*ts);
            core.stats.snapshots_given_up.fetch_add(1, Ordering::Relaxed);
        }
        let horizon = core.snapshots.horizon();
        let mut did = false;
        while self.large.retired.front().is_some_and(|r| r.0 <= horizon) {
            let Some((ts, trees, _)) = self.large.retired.pop_front() else { break };
            core.large.known.write().remove(&ts);
            for t in trees {
                self.writer.drop_tree(t)?;
            }
            did = true;
        }
        Ok(did)
    }

    // ---- checkpoints: in the meta
    //
    //   n v, (txn u64, parts)...                                   undecided
    //   n v, (ts u64, txn u64, part v, byte v, parts)...           decided and not finished
    //   n v, (ts u64, byte v, gid bytes)...                        prepared, committed and not finished
    //   parts := n v, (after v, end v)...                          positions in the log

    /// Trees that are of no use after a restart, with the timestamps at which they go.
    pub(crate) fn leftover_before_images(&self) -> Vec<(Ts, TreeId)> {
        let retired = self.large.retired.iter().flat_map(|(ts, trees, _)| trees.iter().map(|t| (*ts, *t)));
        let jobs = self.large.jobs.iter().flat_map(|j| j.before.iter().map(|t| (j.ts, *t)));
        retired.chain(jobs).collect()
    }
    /// The log must be kept from here on; None: not because of large commits.
    pub(crate) fn first_part(&self) -> Option<Lsn> {
        let undecided = self.large.undecided.values().filter_map(|p| p.first());
        let jobs = self.large.jobs.iter().filter_map(|j| match &j.source {
            Source::Parts(_, parts) => parts.get(j.part),
            Source::Prepared(_) => None,
        });
        undecided.chain(jobs).map(|p| p.after).min()
    }
    pub(crate) fn write_large(&self, out: &mut Vec<u8>) {
        let parts = |out: &mut Vec<u8>, parts: &[PartRef]| {
            put_varint(out, parts.len() as u64);
            for p in parts {
                put_varint(out, p.after);
                put_varint(out, p.end);
            }
        };
        put_varint(out, self.large.undecided.len() as u64);
        for (txn, p) in &self.large.undecided {
            out.extend_from_slice(&txn.to_le_bytes());
            parts(out, p);
        }
        let (mut of_parts, mut of_prepared) = (Vec::new(), Vec::new());
        for j in &self.large.jobs {
            match &j.source {
                Source::Parts(txn, parts) => of_parts.push((j, *txn, parts)),
                // All done: its bytes are over.
                Source::Prepared(c) => of_prepared.push((j, if j.part > 0 { c.body.ops.len() } else { j.at }, c)),
            }
        }
        put_varint(out, of_parts.len() as u64);
        for (j, txn, p) in of_parts {
            out.extend_from_slice(&j.ts.to_le_bytes());
            out.extend_from_slice(&txn.to_le_bytes());
            put_varint(out, j.part as u64);
            put_varint(out, j.at as u64);
            parts(out, p);
        }
        put_varint(out, of_prepared.len() as u64);
        for (j, at, cell) in of_prepared {
            out.extend_from_slice(&j.ts.to_le_bytes());
            put_varint(out, at as u64);
            put_bytes(out, cell.body.gid.as_bytes());
        }
    }
    pub(crate) fn read_large(&mut self, core: &Core, r: &mut Reader) -> Result<()> {
        let parts = |r: &mut Reader| -> Result<Vec<PartRef>> {
            let mut parts = Vec::new();
            for _ in 0..r.varint()? {
                parts.push(PartRef { after: r.varint()?, end: r.varint()?, bytes: None, pages: 0, so_far: (0, 0) });
            }
            Ok(parts)
        };
        for _ in 0..r.varint()? {
            let txn = r.u64()?;
            self.large.undecided.insert(txn, parts(r)?);
        }
        for _ in 0..r.varint()? {
            let (ts, txn, part, at) = (r.u64()?, r.u64()?, r.varint()? as usize, r.varint()? as usize);
            self.large.jobs.push_back(Job { part, at, ..Job::new(ts, Source::Parts(txn, parts(r)?)) });
        }
        for _ in 0..r.varint()? {
            let (ts, at, gid) = (r.u64()?, r.varint()? as usize, r.string()?);
            let Some(cell) = core.prepared.lock().get(&gid).cloned() else { return Reader::damaged() };
            self.large.jobs.push_back(Job { at, ..Job::new(ts, Source::Prepared(cell)) });
        }
        Ok(())
    }
}
