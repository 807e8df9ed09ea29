//! The near side of a far transaction: what it knows by itself, what it may send later, what it asked for ahead.
//!
//! ```text
//!   executor, row by row                       Near                                          far
//!     claim_ahead(keys of a batch) ──► send writes of these keys, if any ──► claim_many ──►
//!     lock_row, get_latest, claim  ──► claims: answered from memory
//!     read_ahead(snap, keys)       ──────────────────────────────────────► get_many ────►
//!     get(snap)                    ──► reads: answered from memory
//!     latest_ahead(keys)           ──────────────────────────────────────► get_latest_many
//!     get_latest                   ──► latest: answered from memory
//!     claim_each_ahead(wants)      ──► as claim_ahead ──────────────────────► claim_each ──►
//!     meet                         ──► claims: answered from memory
//!     ranges_ahead(snap, ranges)   ──────────────────────────────────────► scan_ranges ─►
//!     scan, scan_latest            ──► ranges: entries from memory
//!     put, delete, delete_moved    ──► writes ── full, or before what may depend on them ──► write_many ──►
//!     flush, at a statement's end  ──► writes ──────────────────────────────────────────► write_many ──►
//! ```
//! Invariants:
//! - Every answer is what the far side would have given for the same calls one by one, with the locks of a batch taken together. What a statement wrote is not seen by its
//!   own snapshot, so reads through a snapshot do not wait for writes to be sent; reads of the newest state of a key that is among them do, or are answered with them.
//! - Claims are of keys that are locked, so nobody else changes them; own writes change the answer that is kept. They are forgotten where locks may go or a new statement
//!   begins, and where the lock is too weak to keep others from writing.
//! - A range of the newest state is at hand until an own write falls into it, and it is handed out once; who asks for it holds what keeps others from writing there. One of a
//!   snapshot is, as reads are, of that snapshot's statement.
//! - Writes are sent before a savepoint is made, so that those not sent are always younger than every savepoint.
//! - A write that could not be sent fails every call from then on, until its savepoint is rolled back.
//!
//! Limits: claims of three batches, reads of six, ranges of two, writes of one ([`crate::face::BATCH_KEYS`], [`crate::face::BATCH_BYTES`]). At SERIALIZABLE, where reads lock, nothing
//! is read ahead.
use crate::commit::Callback;
use crate::face::{
    BATCH_KEYS, Claims, Entries, Keys, Met, RangeEntries, Ranges, ScanRange, ScanState, Transaction, Until, Values,
    Want, Wants, Write, Writes,
};
use crate::told::Xids;
use crate::{Isolation, Latest, LockOutcome, RowLock, SavepointId, SessionLocks, Snapshot, TableLock, Ts, WaitPolicy};
use pamir_error::{Error, Result};
use pamir_storage::store::{Dir, TreeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::time::{Duration, Instant};

/// Something for each of some keys.
struct ByKey<T> {
    trees: FxHashMap<TreeId, FxHashMap<Box<[u8]>, T>>,
    len: usize,
}
impl<T> Default for ByKey<T> {
    fn default() -> ByKey<T> {
        ByKey { trees: FxHashMap::default(), len: 0 }
    }
}
impl<T> ByKey<T> {
    fn get(&self, tree: TreeId, key: &[u8]) -> Option<&T> {
        if self.len == 0 { None } else { self.trees.get(&tree)?.get(key) }
    }
    fn get_mut(&mut self, tree: TreeId, key: &[u8]) -> Option<&mut T> {
        if self.len == 0 { None } else { self.trees.get_mut(&tree)?.get_mut(key) }
    }
    fn insert(&mut self, tree: TreeId, key: &[u8], t: T) {
        if self.trees.entry(tree).or_default().insert(key.into(), t).is_none() {
            self.len += 1;
        }
    }
    fn remove(&mut self, tree: TreeId, key: &[u8]) {
        if self.get(tree, key).is_some() && self.trees.get_mut(&tree).is_some_and(|t| t.remove(key).is_some()) {
            self.len -= 1;
        }
    }
    fn clear(&mut self) {
        if self.len > 0 {
            self.trees.clear();
            self.len = 0;
        }
    }
}

/// Keys from which on what was kept is forgotten: what a batch's rows and their unique keys need stays.
const KEPT_KEYS: usize = 2 * BATCH_KEYS;

/// Entries of whole ranges. Those of one tree do not overlap.
#[derive(Default)]
struct AtHand {
    trees: FxHashMap<TreeId, BTreeMap<Box<[u8]>, Whole>>,
    len: usize,
}
struct Whole {
    hi: Option<Box<[u8]>>,
    dir: Dir,
    entries: Entries,
}
impl AtHand {
    fn has(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> bool {
        self.get(tree, lo, hi, dir).is_some()
    }
    fn get(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Option<&Whole> {
        self.trees.get(&tree)?.get(lo).filter(|w| w.dir == dir && w.hi.as_deref() == hi)
    }
    fn insert(&mut self, tree: TreeId, lo: &[u8], whole: Whole) {
        self.len += whole.entries.len() + 1;
        self.trees.entry(tree).or_default().insert(lo.into(), whole);
    }
    /// As `insert`, in place of those that it overlaps.
    fn insert_alone(&mut self, tree: TreeId, lo: &[u8], whole: Whole) {
        self.written(tree, lo);
        let behind = |at: &[u8]| whole.hi.as_deref().is_none_or(|hi| at < hi);
        let within = |t: &BTreeMap<Box<[u8]>, Whole>| {
            t.range::<[u8], _>((Bound::Included(lo), Bound::Unbounded))
                .next()
                .map(|e| e.0.clone())
                .filter(|k| behind(k))
        };
        while let Some(k) = self.trees.get(&tree).and_then(within) {
            self.take(tree, &k);
        }
        self.insert(tree, lo, whole);
    }
    fn take(&mut self, tree: TreeId, lo: &[u8]) {
        if let Some(w) = self.trees.get_mut(&tree).and_then(|t| t.remove(lo)) {
            self.len = self.len.saturating_sub(w.entries.len() + 1);
        }
    }
    /// The range that `key` falls into is as it was no more.
    fn written(&mut self, tree: TreeId, key: &[u8]) {
        if self.len == 0 {
            return;
        }
        let Some((lo, _)) = self.trees.get(&tree).and_then(|t| {
            t.range::<[u8], _>((Bound::Unbounded, Bound::Included(key)))
                .next_back()
                .filter(|(_, w)| w.hi.as_deref().is_none_or(|hi| key < hi))
        }) else {
            return;
        };
        let lo = lo.clone();
        self.take(tree, &lo);
    }
    fn clear(&mut self) {
        if self.len > 0 {
            *self = AtHand::default();
        }
    }
}

/// A key that is locked, and its newest version.
struct Claim {
    mode: RowLock,
    latest: Latest,
    value: Vec<u8>,
}
#[derive(Default)]
struct Known {
    writes: Writes,
    /// Keys among the writes.
    written: ByKey<()>,
    claims: ByKey<Claim>,
    /// What the snapshot of this statement sees of some keys. Its timestamp may not be known yet; the number tells the snapshots of a transaction apart.
    seen_by: Option<u32>,
    reads: ByKey<Option<Box<[u8]>>>,
    /// Those read before, when they became many.
    older: ByKey<Option<Box<[u8]>>>,
    /// Ranges that this snapshot sees, and those of the newest state.
    ranges: AtHand,
    newest: AtHand,
    /// Newest versions of keys that others cannot change.
    latest: ByKey<(Latest, Box<[u8]>)>,
    tables: FxHashSet<(u64, TableLock)>,
    /// Ids of a space that were taken ahead, the next one last.
    ids: Option<(u64, Vec<u64>)>,
    /// A write that could not be sent, and the newest savepoint before it.
    failed: Option<(Error, SavepointId)>,
}
impl Known {
    fn forget_reads(&mut self) {
        self.reads.clear();
        self.older.clear();
        self.ranges.clear();
        self.seen_by = None;
    }
    /// Of another snapshot nothing is known.
    fn seen_by(&mut self, snap: &Snapshot) {
        let by = Some(snap.statement());
        if self.seen_by != by {
            self.forget_reads();
            self.seen_by = by;
        }
    }
    fn read(&self, tree: TreeId, key: &[u8]) -> Option<&Option<Box<[u8]>>> {
        self.reads.get(tree, key).or_else(|| self.older.get(tree, key))
    }
}

pub(crate) struct Near {
    far: Box<dyn Transaction>,
    known: RefCell<Known>,
    statement: Cell<u32>,
    savepoint: Cell<SavepointId>,
}

/// Calls that the near side has no part in.
macro_rules! handed_on {
    ($( fn $name:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)?; )*) => {
        $( pub fn $name(&self $(, $arg: $ty)*) $(-> $ret)? {
            self.far.$name($($arg),*)
        } )*
    };
}
impl Near {
    pub fn new(far: Box<dyn Transaction>) -> Near {
        Near { far, known: RefCell::default(), statement: Cell::new(0), savepoint: Cell::new(0) }
    }
    handed_on! {
        fn id(&self) -> u64;
        fn tell(&self) -> Result<u64>;
        fn is_told(&self) -> bool;
        fn xids(&self) -> Result<Xids>;
        fn set_process(&self, pid: u32);
        fn not_below(&self, ts: Ts);
        fn told(&self) -> Option<Ts>;
        fn isolation(&self) -> Isolation;
        fn read_only(&self) -> bool;
        fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>);
        fn tied(&self) -> bool;
        fn settle(&self) -> Result<()>;
        fn drop_tree(&self, tree: TreeId) -> Result<()>;
        fn create_tree(&self) -> Result<TreeId>;
        fn expect_writes(&self, writes: u64, bytes: u64);
        fn page_counts(&self) -> (u64, u64);
        fn release(&self, sp: SavepointId);
        fn on_commit(&self, f: Callback);
        fn join(&self, locks: &SessionLocks);
        fn lock_range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<()>;
        fn lock_for_session(&self, locks: &mut SessionLocks, number: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome>;
        fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()>;
        fn scan_more(&self, state: &mut ScanState, max: usize, out: &mut Entries) -> Result<bool>;
        fn scan_pass(&self, state: &mut ScanState, max: u64) -> Result<u64>;
    }
    fn sound(&self) -> Result<()> {
        self.known.borrow().failed.as_ref().map_or(Ok(()), |f| Err(f.0.clone()))
    }
    pub fn tables_read(&self) -> Option<Vec<u64>> {
        if self.known.borrow().writes.is_empty() { self.far.tables_read() } else { None }
    }
    pub fn has_writes(&self) -> bool {
        !self.known.borrow().writes.is_empty() || self.far.has_writes()
    }
    /// Sends what was written.
    pub fn flush(&self) -> Result<()> {
        self.sound()?;
        let writes = {
            let mut known = self.known.borrow_mut();
            if known.writes.is_empty() {
                return Ok(());
            }
            known.written.clear();
            std::mem::take(&mut known.writes)
        };
        let r = self.far.write_many(&writes);
        let mut known = self.known.borrow_mut();
        match &r {
            Err(e) => known.failed = Some((e.clone(), self.savepoint.get())),
            Ok(()) => {
                let mut empty = writes;
                empty.clear();
                known.writes = empty;
            }
        }
        r
    }
    fn is_unsent(&self, tree: TreeId, key: &[u8]) -> bool {
        self.known.borrow().written.get(tree, key).is_some()
    }
    /// An error of writes is told by the calls that follow.
    pub fn statement(&self) -> Snapshot {
        let _ = self.flush();
        {
            let mut known = self.known.borrow_mut();
            known.claims.clear();
            known.newest.clear();
            known.latest.clear();
            known.forget_reads();
        }
        let snap = self.far.statement();
        self.statement.set(snap.statement());
        snap
    }

    // ---- ahead ----
    /// Locks keys, waiting for them, and reads their newest versions, as the calls that follow will.
    pub fn claim_ahead(&self, keys: &Keys, mode: RowLock, until: Until) -> Result<()> {
        let claimed =
            |(t, k, _): (TreeId, &[u8], &[u8])| self.known.borrow().claims.get(t, k).is_some_and(|c| c.mode >= mode);
        if keys.iter().all(claimed) {
            return self.sound();
        }
        if keys.iter().any(|(t, k, _)| self.is_unsent(t, k)) {
            self.flush()?;
        }
        self.sound()?;
        let mut got = Claims::default();
        self.far.claim_many(keys, mode, until, &mut got)?;
        let mut known = self.known.borrow_mut();
        if known.claims.len >= KEPT_KEYS {
            known.claims.clear();
        }
        for ((tree, key, _), (latest, _, value)) in keys.iter().zip(got.iter()) {
            known.claims.insert(tree, key, Claim { mode, latest, value: value.to_vec() });
        }
        Ok(())
    }
    /// The same for keys that are claimed in different ways.
    pub fn claim_each_ahead(&self, wants: &Wants) -> Result<()> {
        let claimed = |((t, want), k, _): ((TreeId, Want), &[u8], &[u8])| {
            self.known.borrow().claims.get(t, k).is_some_and(|c| match want.lock {
                Some(mode) => c.mode >= mode,
                None => c.latest.exists || c.mode == RowLock::Update,
            })
        };
        if wants.iter().all(claimed) {
            return self.sound();
        }
        if wants.iter().any(|((t, _), k, _)| self.is_unsent(t, k)) {
            self.flush()?;
        }
        self.sound()?;
        let mut got = Met::default();
        self.far.claim_each(wants, &mut got)?;
        let mut known = self.known.borrow_mut();
        if known.claims.len >= KEPT_KEYS {
            known.claims.clear();
        }
        for (((tree, _), key, _), ((mode, latest), _, value)) in wants.iter().zip(got.iter()) {
            // A key may be wanted twice: the stronger lock is held.
            let mode = known.claims.get(tree, key).map_or(mode, |c| mode.max(c.mode));
            known.claims.insert(tree, key, Claim { mode, latest, value: value.to_vec() });
        }
        Ok(())
    }
    /// Reads newest versions, as the calls that follow will, and keeps those that are as said.
    pub fn latest_ahead(&self, keys: &Keys) -> Result<()> {
        let known = |(t, k, _): (TreeId, &[u8], &[u8])| {
            let known = self.known.borrow();
            known.claims.get(t, k).is_some() || known.latest.get(t, k).is_some()
        };
        if keys.iter().all(known) {
            return self.sound();
        }
        let mut got = Claims::default();
        self.get_latest_many(keys, &mut got)?;
        let mut known = self.known.borrow_mut();
        if known.latest.len >= KEPT_KEYS {
            known.latest.clear();
        }
        for ((tree, key, said), (latest, _, value)) in keys.iter().zip(got.iter()) {
            if latest.exists != said.is_empty() && value == said {
                known.latest.insert(tree, key, (latest, value.into()));
            }
        }
        Ok(())
    }
    /// Reads ranges, through `snap` or in the newest state, as the scans that follow will; how many of them are at hand.
    pub fn ranges_ahead(&self, snap: Option<&Snapshot>, ranges: &Ranges, dir: Dir, max: usize) -> Result<usize> {
        match snap {
            Some(_) if self.locks_reads() => return Ok(0),
            Some(_) => self.sound()?,
            None => self.flush()?,
        }
        let mut asked = Ranges::default();
        {
            let mut known = self.known.borrow_mut();
            if let Some(s) = snap {
                known.seen_by(s);
            }
            let mut new = FxHashSet::default();
            let at_hand = if snap.is_some() { &mut known.ranges } else { &mut known.newest };
            if at_hand.len >= KEPT_KEYS {
                at_hand.clear();
            }
            for (of, lo, hi) in ranges.iter() {
                if !at_hand.has(of.0, lo, of.1.then_some(hi), dir) && new.insert((of.0, lo)) {
                    asked.push(of, lo, hi);
                }
            }
        }
        if asked.is_empty() {
            return Ok(ranges.len());
        }
        let mut got = RangeEntries::default();
        let whole = self.far.scan_ranges(snap, &asked, dir, max, &mut got)?;
        let mut known = self.known.borrow_mut();
        let at_hand = if snap.is_some() { &mut known.ranges } else { &mut known.newest };
        let mut at = 0;
        for (i, ((tree, bounded), lo, hi)) in asked.iter().take(whole).enumerate() {
            let mut entries = Entries::default();
            while let Some((_, k, v)) = got.get(at).filter(|e| e.0 == i) {
                entries.push((), k, v);
                at += 1;
            }
            let whole = Whole { hi: bounded.then(|| hi.into()), dir, entries };
            if snap.is_some() { at_hand.insert(tree, lo, whole) } else { at_hand.insert_alone(tree, lo, whole) }
        }
        Ok(ranges.iter().take_while(|(of, lo, hi)| at_hand.has(of.0, lo, of.1.then_some(*hi), dir)).count())
    }
    /// The entries of a range that was read ahead.
    pub fn at_hand(
        &self,
        snap: Option<&Snapshot>,
        tree: TreeId,
        lo: &[u8],
        hi: Option<&[u8]>,
        dir: Dir,
        out: &mut Entries,
    ) -> Result<bool> {
        self.sound()?;
        let known = self.known.borrow();
        let at_hand = match snap {
            Some(s) if known.seen_by != Some(s.statement()) => return Ok(false),
            Some(_) => &known.ranges,
            None => &known.newest,
        };
        let Some(w) = at_hand.get(tree, lo, hi, dir) else { return Ok(false) };
        w.entries.iter().for_each(|(_, k, v)| out.push((), k, v));
        Ok(true)
    }
    /// A range of the newest state is scanned: the next scan asks again.
    pub fn hand_out(&self, tree: TreeId, lo: &[u8]) {
        self.known.borrow_mut().newest.take(tree, lo);
    }
    /// Reads keys through `snap`, as the calls that follow will.
    pub fn read_ahead(&self, snap: &Snapshot, keys: &Keys) -> Result<()> {
        if keys.is_empty() || self.locks_reads() {
            return Ok(());
        }
        self.sound()?;
        {
            let mut known = self.known.borrow_mut();
            known.seen_by(snap);
            if keys.iter().all(|(tree, key, _)| known.read(tree, key).is_some()) {
                return Ok(());
            }
        }
        let mut got = Values::default();
        self.far.get_many(snap, keys, &mut got)?;
        let mut known = self.known.borrow_mut();
        if known.reads.len >= KEPT_KEYS {
            known.older = std::mem::take(&mut known.reads);
        }
        for ((tree, key, _), (found, _, value)) in keys.iter().zip(got.iter()) {
            known.reads.insert(tree, key, found.then(|| value.into()));
        }
        Ok(())
    }
    /// Takes so many ids of a space in one call.
    pub fn ids_ahead(&self, space: u64, n: usize) -> Result<()> {
        let mut out = Vec::new();
        self.next_ids(space, n.min(BATCH_KEYS), &mut out)?;
        out.reverse();
        self.known.borrow_mut().ids = Some((space, out));
        Ok(())
    }
    pub fn next_id(&self, space: u64) -> Result<u64> {
        if let Some((of, ids)) = &mut self.known.borrow_mut().ids
            && *of == space
            && let Some(id) = ids.pop()
        {
            return Ok(id);
        }
        self.far.next_id(space)
    }
    fn locks_reads(&self) -> bool {
        self.isolation() == Isolation::Serializable && !self.read_only()
    }

    // ---- reads ----
    pub fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        self.sound()?;
        {
            let known = self.known.borrow();
            if known.seen_by == Some(snap.statement())
                && let Some(v) = known.read(tree, key)
            {
                out.clear();
                out.extend_from_slice(v.as_deref().unwrap_or_default());
                return Ok(v.is_some());
            }
        }
        self.far.get(snap, tree, key, out)
    }
    pub fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()> {
        self.sound()?;
        self.far.get_many(snap, keys, out)
    }
    fn claimed(&self, tree: TreeId, key: &[u8], mode: Option<RowLock>, out: &mut Vec<u8>) -> Option<Latest> {
        let known = self.known.borrow();
        let c = known.claims.get(tree, key).filter(|c| mode.is_none_or(|m| c.mode >= m))?;
        out.clear();
        out.extend_from_slice(&c.value);
        Some(c.latest)
    }
    pub fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        self.sound()?;
        if let Some(latest) = self.claimed(tree, key, None, out) {
            return Ok(latest);
        }
        if let Some((latest, value)) = self.known.borrow().latest.get(tree, key) {
            out.clear();
            out.extend_from_slice(value);
            return Ok(*latest);
        }
        if self.is_unsent(tree, key) {
            self.flush()?;
        }
        self.far.get_latest(tree, key, out)
    }
    pub fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()> {
        if keys.iter().any(|(t, k, _)| self.is_unsent(t, k)) {
            self.flush()?;
        }
        self.sound()?;
        self.far.get_latest_many(keys, out)
    }
    pub fn scan_open(&self, range: ScanRange, max: usize, out: &mut Entries) -> Result<Option<ScanState>> {
        match range.snap {
            None => self.flush()?,
            Some(_) => self.sound()?,
        }
        self.far.scan_open(range, max, out)
    }
    pub fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        self.flush()?;
        self.far.written_twice(tree)
    }

    // ---- locks ----
    /// Who waits for a row reads it next: both in one call.
    pub fn lock_row(&self, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> {
        if self.known.borrow().claims.get(tree, key).is_some_and(|c| c.mode >= mode) {
            return self.sound().map(|()| LockOutcome::Granted);
        }
        if policy == WaitPolicy::Block {
            return self.claim(tree, key, mode, &mut Vec::new()).map(|_| LockOutcome::Granted);
        }
        if self.is_unsent(tree, key) {
            self.flush()?;
        }
        self.sound()?;
        // Others may have written it before the stronger lock came.
        self.known.borrow_mut().claims.remove(tree, key);
        self.far.lock_row(tree, key, mode, policy)
    }
    pub fn lock_table(&self, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
        self.sound()?;
        if self.known.borrow().tables.contains(&(table, mode)) {
            return Ok(LockOutcome::Granted);
        }
        let got = self.far.lock_table(table, mode, policy)?;
        if got == LockOutcome::Granted {
            self.known.borrow_mut().tables.insert((table, mode));
        }
        Ok(got)
    }
    pub fn lock_table_ahead(&self, table: u64, mode: TableLock) -> Result<()> {
        self.sound()?;
        if self.known.borrow().tables.contains(&(table, mode)) {
            return Ok(());
        }
        self.far.lock_table_ahead(table, mode)?;
        self.known.borrow_mut().tables.insert((table, mode));
        Ok(())
    }
    pub fn claim(&self, tree: TreeId, key: &[u8], mode: RowLock, out: &mut Vec<u8>) -> Result<Latest> {
        self.sound()?;
        if let Some(latest) = self.claimed(tree, key, Some(mode), out) {
            return Ok(latest);
        }
        if self.is_unsent(tree, key) {
            self.flush()?;
        }
        self.known.borrow_mut().claims.remove(tree, key);
        let latest = self.far.claim(tree, key, mode, out)?;
        let mut known = self.known.borrow_mut();
        if known.claims.len >= KEPT_KEYS {
            known.claims.clear();
        }
        known.claims.insert(tree, key, Claim { mode, latest, value: out.clone() });
        Ok(latest)
    }
    pub fn meet(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<(RowLock, Latest)> {
        self.sound()?;
        {
            let known = self.known.borrow();
            if let Some(c) = known.claims.get(tree, key).filter(|c| c.latest.exists || c.mode == RowLock::Update) {
                out.clear();
                out.extend_from_slice(&c.value);
                return Ok((c.mode, c.latest));
            }
        }
        if self.is_unsent(tree, key) {
            self.flush()?;
        }
        let (mode, latest) = self.far.meet(tree, key, out)?;
        let mut known = self.known.borrow_mut();
        if known.claims.len >= KEPT_KEYS {
            known.claims.clear();
        }
        known.claims.insert(tree, key, Claim { mode, latest, value: out.clone() });
        Ok((mode, latest))
    }
    pub fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()> {
        self.flush()?;
        self.known.borrow_mut().claims.clear();
        self.far.claim_each(wants, out)
    }
    pub fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()> {
        self.flush()?;
        self.known.borrow_mut().claims.clear();
        self.far.claim_many(keys, mode, until, out)
    }

    // ---- writes ----
    fn write(&self, tree: TreeId, what: Write, key: &[u8], value: &[u8]) -> Result<()> {
        self.sound()?;
        let full = {
            let mut known = self.known.borrow_mut();
            known.writes.push((tree, what), key, value);
            known.written.insert(tree, key, ());
            known.newest.written(tree, key);
            known.latest.remove(tree, key);
            match known.claims.get_mut(tree, key) {
                Some(c) if c.mode >= RowLock::NoKeyUpdate => {
                    let exists = what == Write::Put;
                    let moved = !exists && !value.is_empty();
                    let statement = self.statement.get();
                    c.latest = Latest { ts: c.latest.ts, exists, own: true, statement, moved };
                    c.value.clear();
                    c.value.extend_from_slice(value);
                }
                // Another may yet write before the write's lock is taken.
                Some(_) => known.claims.remove(tree, key),
                None => {}
            }
            known.writes.is_full()
        };
        if full { self.flush() } else { Ok(()) }
    }
    pub fn put(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        self.write(tree, Write::Put, key, value)
    }
    pub fn delete(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        self.write(tree, Write::Delete, key, &[])
    }
    pub fn delete_moved(&self, tree: TreeId, key: &[u8], to: &[u8]) -> Result<()> {
        self.write(tree, Write::Move, key, to)
    }
    pub fn write_many(&self, writes: &Writes) -> Result<()> {
        writes.iter().try_for_each(|((tree, what), key, value)| self.write(tree, what, key, value))
    }

    // ---- savepoints, end ----
    pub fn savepoint(&self) -> SavepointId {
        let _ = self.flush();
        let sp = self.far.savepoint();
        self.savepoint.set(sp);
        sp
    }
    pub fn rollback_to(&self, sp: SavepointId) {
        {
            let mut known = self.known.borrow_mut();
            known.writes.clear();
            known.written.clear();
            known.claims.clear();
            known.newest.clear();
            known.latest.clear();
            known.forget_reads();
            known.tables.clear();
            if known.failed.as_ref().is_some_and(|f| sp <= f.1) {
                known.failed = None;
            }
        }
        self.far.rollback_to(sp)
    }
    pub fn commit(self) -> Result<Ts> {
        self.flush()?;
        self.far.commit()
    }
    pub fn prepare(self, gid: &str, owner: &str, database: &str) -> Result<()> {
        self.flush()?;
        self.far.prepare(gid, owner, database)
    }
}
