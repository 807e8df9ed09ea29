//! A session's own data: trees, counters and sequences that nobody else sees, and that end with it (temporary tables).
//!
//! ```text
//!   Txn ── tree below PRIVATE ──► the shard, or wherever the transaction is
//!    └──── tree from PRIVATE on ─► Own { data, number } ──► PrivateData: tree ─► ordered map: key ─► newest version, older ones
//!   PrivateEngine ── sizes, counters, sequences by number, in the same way
//! ```
//! Numbers say where a thing is: trees, spaces of ids and states of sequences from [`PRIVATE`] on are here. There is one session, so there are no locks, no
//! timestamps of others, no log and no sync; what is here is never part of a commit record. A session without such data has [`Txn`](crate::Txn)s without an
//! [`Own`], and pays a comparison a call.
//!
//! **Versions.** A version has a stamp: the transaction's number and the statement's, which wrote it. A snapshot of a statement sees the newest version whose
//! stamp is smaller than its own: what earlier transactions left, and what earlier statements of this one did, hence never its own writes or later ones.
//! Older versions are kept while the transaction is open, so that its cursors go on reading what they began with.
//!
//! ```text
//!   key a   7.2 "x"   7.1 deleted   5.4 "w"          transaction 7: its third statement sees "x", a cursor of its first one "w"
//!   undo    wrote a (over), wrote b (first), created t, dropped u         a savepoint is a length of it
//! ```
//! **Ends.** Rolling back takes the list of what was done from its end and undoes it. A commit drops dropped trees, and of the keys that were written over what is
//! not newest; versions that are alone stay as they are, since every later transaction has a higher number.
//!
//! Limits: all of it is in memory, charged to the session's account, up to the bytes that the session gives it (53200 beyond them). Two transactions of one session
//! are never open at once: one that begins ends the one before, as a rollback.
use crate::face::{Engine, Entries, ReadAt, Txn};
use crate::sequence::{advance, at_its_end};
use crate::{
    Cancel, Dir, Isolation, Latest, LockLine, LockTarget, MemoryAccount, Outcome, PreparedInfo, SavepointId,
    SequenceDef, SessionLocks, Snapshot, TreeId, Ts,
};
use pamir_error::{Error, Result, bail, err, work};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;
use std::sync::Arc;

/// Trees, spaces of ids and states of sequences from this number on are a session's own.
pub const PRIVATE: u64 = 1 << 62;
/// Is a thing of this number a session's own?
#[inline]
pub fn is_private(number: u64) -> bool {
    number >= PRIVATE
}

/// What an entry takes beside its bytes: its place in the map and in the list of what was done, two allocations.
const ENTRY_COST: u64 = 160;
/// What an older version takes beside its bytes.
const VERSION_COST: u64 = 96;
/// Memory is charged and given back in steps of this size.
const CHARGE_STEP: u64 = 64 << 10;
/// Entries that a scan reads at first, and at most later.
const SCAN_FIRST: usize = 16;
const SCAN_MOST: usize = 512;
/// Entries that it looks at before it gives way.
const SCAN_STEPS: usize = 4096;
/// Entries that an estimate of a range counts.
const ESTIMATE_MOST: usize = 2048;
/// Bytes that are told as a page.
const PAGE: u64 = 8192;

/// (transaction, statement)
type Stamp = (u64, u32);

struct Version {
    txn: u64,
    statement: u32,
    /// The value of a tombstone names the key under which the row lives on, or is empty.
    tombstone: bool,
    value: Box<[u8]>,
}
struct Chain {
    newest: Version,
    /// The oldest first.
    older: Vec<Version>,
}
impl Version {
    #[inline]
    fn stamp(&self) -> Stamp {
        (self.txn, self.statement)
    }
}
impl Chain {
    /// What a snapshot sees; None: the newest state.
    #[inline]
    fn visible(&self, before: Option<Stamp>) -> Option<&Version> {
        let seen = match before {
            Some(b) if self.newest.stamp() >= b => self.older.iter().rev().find(|v| v.stamp() < b)?,
            _ => &self.newest,
        };
        (!seen.tombstone).then_some(seen)
    }
}
#[derive(Default)]
struct Tree {
    entries: BTreeMap<Arc<[u8]>, Chain>,
    bytes: u64,
}

/// What was done, to be undone.
enum Done {
    Wrote {
        tree: TreeId,
        key: Arc<[u8]>,
        over: bool,
    },
    Created(TreeId),
    Dropped(TreeId),
    /// Its entries go at commit.
    Emptied(TreeId),
}

#[derive(Default)]
struct Data {
    trees: FxHashMap<TreeId, Tree>,
    /// Trees that were ever made.
    made: u64,
    /// The transaction that is open, or was the last one.
    txn: u64,
    done: Vec<Done>,
    savepoints: Vec<(SavepointId, usize)>,
    /// The open transaction has read or changed something here.
    touched: bool,
    ids: FxHashMap<u64, u64>,
    sequences: FxHashMap<u64, (i64, bool)>,
    used: u64,
    charged: u64,
}
/// What a session has of its own. Shared by its transactions and its engine.
pub struct PrivateData {
    data: Mutex<Data>,
    account: Arc<MemoryAccount>,
    limit: u64,
}
impl Drop for PrivateData {
    fn drop(&mut self) {
        self.account.release(self.data.get_mut().charged);
    }
}

impl Data {
    fn tree(&self, tree: TreeId) -> Result<&Tree> {
        self.trees.get(&tree).ok_or_else(no_tree)
    }
    fn forget_tree(&mut self, tree: TreeId) {
        if let Some(t) = self.trees.remove(&tree) {
            self.used -= t.bytes;
        }
    }
    fn undo_to(&mut self, mark: usize) {
        while self.done.len() > mark {
            match self.done.pop() {
                Some(Done::Wrote { tree, key, .. }) => self.undo_write(tree, &key),
                Some(Done::Created(tree)) => self.forget_tree(tree),
                Some(Done::Dropped(_) | Done::Emptied(_)) | None => {}
            }
        }
    }
    fn undo_write(&mut self, tree: TreeId, key: &[u8]) {
        let Some(t) = self.trees.get_mut(&tree) else { return };
        let Some(chain) = t.entries.get_mut(key) else { return };
        let mut freed = chain.newest.value.len() as u64;
        match chain.older.pop() {
            Some(v) => {
                chain.newest = v;
                freed += VERSION_COST;
            }
            None => {
                t.entries.remove(key);
                freed += key.len() as u64 + ENTRY_COST;
            }
        }
        t.bytes -= freed;
        self.used -= freed;
    }
    fn settle(&mut self) {
        let done = std::mem::take(&mut self.done);
        for d in &done {
            match d {
                Done::Wrote { tree, key, over: true } => self.settle_key(*tree, key),
                Done::Dropped(tree) => self.forget_tree(*tree),
                Done::Emptied(tree) => {
                    if let Some(t) = self.trees.get_mut(tree) {
                        self.used -= std::mem::take(t).bytes;
                    }
                }
                Done::Wrote { .. } | Done::Created(_) => {}
            }
        }
    }
    /// What is not newest is seen by nobody any more.
    fn settle_key(&mut self, tree: TreeId, key: &[u8]) {
        let Some(t) = self.trees.get_mut(&tree) else { return };
        let Some(chain) = t.entries.get_mut(key) else { return };
        let mut freed: u64 = chain.older.iter().map(|v| v.value.len() as u64 + VERSION_COST).sum();
        if chain.newest.tombstone {
            freed += (chain.newest.value.len() + key.len()) as u64 + ENTRY_COST;
            t.entries.remove(key);
        } else {
            chain.older = Vec::new();
        }
        t.bytes -= freed;
        self.used -= freed;
    }
    fn end(&mut self) {
        self.savepoints.clear();
        self.touched = false;
    }
}

impl PrivateData {
    pub fn new(account: Arc<MemoryAccount>, limit: u64) -> Arc<PrivateData> {
        Arc::new(PrivateData { data: Mutex::default(), account, limit })
    }
    /// Bytes that its trees take.
    pub fn used(&self) -> u64 {
        self.data.lock().used
    }
    /// Gets the memory for `more` bytes.
    fn charge(&self, data: &mut Data, more: u64) -> Result<()> {
        let used = data.used + more;
        if used > data.charged {
            if used > self.limit {
                return Err(err!(OUT_OF_MEMORY, "out of memory")
                    .detail(format!("Temporary tables of a session are limited to {} bytes.", self.limit))
                    .hint("Drop temporary tables, or keep the rows in an ordinary one."));
            }
            let step = (used - data.charged).max(CHARGE_STEP);
            self.account.charge(step)?;
            data.charged += step;
        }
        data.used = used;
        Ok(())
    }
    fn give_back(&self, data: &mut Data) {
        let spare = data.charged - data.used;
        if spare > 4 * CHARGE_STEP {
            let back = spare - CHARGE_STEP;
            data.charged -= back;
            self.account.release(back);
        }
    }
    fn write(&self, tree: TreeId, key: &[u8], value: &[u8], tombstone: bool, at: Stamp) -> Result<()> {
        let (txn, statement) = at;
        let data = &mut *self.data.lock();
        let version = Version { txn, statement, tombstone, value: value.into() };
        let t = data.trees.get(&tree).ok_or_else(no_tree)?;
        let over = t.entries.contains_key(key);
        let bytes = value.len() as u64 + if over { VERSION_COST } else { key.len() as u64 + ENTRY_COST };
        self.charge(data, bytes)?;
        let Some(t) = data.trees.get_mut(&tree) else { return Err(no_tree()) };
        t.bytes += bytes;
        let key: Arc<[u8]> = key.into();
        match t.entries.entry(key.clone()) {
            Entry::Vacant(e) => drop(e.insert(Chain { newest: version, older: Vec::new() })),
            Entry::Occupied(mut e) => {
                let chain = e.get_mut();
                chain.older.push(std::mem::replace(&mut chain.newest, version));
            }
        }
        // A tombstone that is alone is taken away at commit too.
        data.done.push(Done::Wrote { tree, key, over: over || tombstone });
        data.touched = true;
        Ok(())
    }
    /// A number that it has not given before, from 0 on.
    pub fn next_number(&self) -> u64 {
        self.next_id(0) - 1
    }
    fn next_id(&self, space: u64) -> u64 {
        let mut data = self.data.lock();
        let n = data.ids.entry(space).or_insert(0);
        *n += 1;
        *n
    }
}
#[cold]
fn no_tree() -> Error {
    Error::internal("a tree that this session does not have")
}

/// A transaction's hold of its session's own data: dropping it rolls back what the transaction did here.
pub struct Own {
    pub(crate) data: Arc<PrivateData>,
    number: u64,
    /// The newest statement.
    statement: Cell<u32>,
}
impl Drop for Own {
    fn drop(&mut self) {
        let mut data = self.data.data.lock();
        if data.txn == self.number {
            data.undo_to(0);
            data.end();
            self.data.give_back(&mut data);
        }
    }
}
impl Own {
    pub fn begin(data: &Arc<PrivateData>) -> Own {
        let number = {
            let mut d = data.data.lock();
            d.undo_to(0);
            d.end();
            d.txn += 1;
            d.txn
        };
        Own { data: data.clone(), number, statement: Cell::new(0) }
    }
    pub fn begins(&self, s: &Snapshot) {
        self.statement.set(s.statement());
    }
    fn before(&self, snap: &Snapshot) -> Stamp {
        (self.number, snap.statement())
    }
    pub fn has_writes(&self) -> bool {
        !self.data.data.lock().done.is_empty()
    }
    /// Has it read or changed anything here?
    pub fn touched(&self) -> bool {
        self.data.data.lock().touched
    }
    pub fn touch(&self) {
        self.data.data.lock().touched = true;
    }
    pub fn commit(&self) {
        let mut data = self.data.data.lock();
        if data.txn == self.number {
            data.settle();
            data.end();
            self.data.give_back(&mut data);
        }
    }
    pub fn savepoint(&self, id: SavepointId) {
        let mut data = self.data.data.lock();
        let at = data.done.len();
        data.savepoints.push((id, at));
    }
    /// One that is older than all of this undoes all of it.
    pub fn rollback_to(&self, id: SavepointId) {
        let mut data = self.data.data.lock();
        data.savepoints.retain(|s| s.0 <= id);
        let mark = data.savepoints.iter().find(|s| s.0 == id).map_or(0, |s| s.1);
        data.undo_to(mark);
        self.data.give_back(&mut data);
    }
    pub fn release(&self, id: SavepointId) {
        self.data.data.lock().savepoints.retain(|s| s.0 < id);
    }
    pub fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let mut data = self.data.data.lock();
        data.touched = true;
        let found = data.tree(tree)?.entries.get(key).and_then(|c| c.visible(Some(self.before(snap))));
        Ok(found.inspect(|v| fill(out, &v.value)).is_some())
    }
    pub fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        let mut data = self.data.data.lock();
        data.touched = true;
        out.clear();
        let Some(v) = data.tree(tree)?.entries.get(key).map(|c| &c.newest) else {
            return Ok(Latest { ts: 0, exists: false, own: false, statement: 0, moved: false });
        };
        fill(out, &v.value);
        let own = v.txn == self.number;
        let statement = if own { v.statement } else { 0 };
        Ok(Latest { ts: 0, exists: !v.tombstone, own, statement, moved: v.tombstone && !out.is_empty() })
    }
    pub fn write(&self, tree: TreeId, key: &[u8], value: &[u8], tombstone: bool) -> Result<()> {
        self.data.write(tree, key, value, tombstone, (self.number, self.statement.get()))
    }
    pub fn create_tree(&self) -> TreeId {
        let mut data = self.data.data.lock();
        data.made += 1;
        let tree = TreeId(PRIVATE + data.made);
        data.trees.insert(tree, Tree::default());
        data.done.push(Done::Created(tree));
        data.touched = true;
        tree
    }
    pub fn drop_tree(&self, tree: TreeId) {
        let mut data = self.data.data.lock();
        data.done.push(Done::Dropped(tree));
        data.touched = true;
    }
    /// All of a tree's entries, whatever has become of them by then, go with this transaction's commit.
    pub fn empty_tree(&self, tree: TreeId) {
        self.data.data.lock().done.push(Done::Emptied(tree));
    }
    pub fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        let mut from = Bound::Unbounded;
        loop {
            let last = {
                let data = self.data.data.lock();
                let mut last = None;
                let entries = data.tree(tree)?.entries.range::<[u8], _>((as_bound(&from), Bound::Unbounded));
                for (key, chain) in entries.take(SCAN_STEPS) {
                    if !chain.older.is_empty() {
                        return Ok(Some(key.to_vec()));
                    }
                    last = Some(key);
                }
                last.map(|k| k.to_vec())
            };
            let Some(last) = last else { return Ok(None) };
            from = Bound::Excluded(last);
            work::charge(SCAN_STEPS * 20)?;
        }
    }
    pub fn next_id(&self, space: u64) -> u64 {
        self.data.next_id(space)
    }
    /// Without a snapshot: of the newest state.
    pub fn scan(
        &self,
        snap: Option<&Snapshot>,
        tree: TreeId,
        lo: &[u8],
        hi: Option<&[u8]>,
        dir: Dir,
    ) -> Result<PrivateScan> {
        self.touch();
        let mut s = PrivateScan {
            data: self.data.clone(),
            tree,
            dir,
            before: None,
            lo: Bound::Unbounded,
            hi: Bound::Unbounded,
            done: false,
            entries: Entries::default(),
            at: 0,
            most: SCAN_FIRST,
        };
        s.start(snap.map(|s| self.before(s)), lo, hi);
        Ok(s)
    }
    pub fn scan_again(&self, snap: &Snapshot, scan: &mut PrivateScan, lo: &[u8], hi: Option<&[u8]>) {
        scan.start(Some(self.before(snap)), lo, hi);
    }
}
fn fill(out: &mut Vec<u8>, bytes: &[u8]) {
    out.clear();
    out.extend_from_slice(bytes);
}

/// A scan of a session's own tree: entries that were read ahead, which its snapshot keeps right.
pub struct PrivateScan {
    data: Arc<PrivateData>,
    tree: TreeId,
    dir: Dir,
    before: Option<Stamp>,
    /// What is still to be read.
    lo: Bound<Vec<u8>>,
    hi: Bound<Vec<u8>>,
    done: bool,
    entries: Entries,
    at: usize,
    most: usize,
}
impl PrivateScan {
    fn start(&mut self, before: Option<Stamp>, lo: &[u8], hi: Option<&[u8]>) {
        self.before = before;
        self.lo = Bound::Included(lo.to_vec());
        self.hi = hi.map_or(Bound::Unbounded, |h| Bound::Excluded(h.to_vec()));
        // A map does not take a range that ends before it begins.
        self.done = hi.is_some_and(|h| h <= lo);
        self.entries.clear();
        (self.at, self.most) = (0, SCAN_FIRST);
    }
    /// Reads on; false: it gave way before it found something.
    fn fill(&mut self) -> Result<bool> {
        self.entries.clear();
        self.at = 0;
        let data = self.data.data.lock();
        let map = &data.tree(self.tree)?.entries;
        let bounds = (as_bound(&self.lo), as_bound(&self.hi));
        let mut range = map.range::<[u8], _>(bounds);
        let (mut last, mut steps) = (None, 0);
        while steps < SCAN_STEPS && self.entries.len() < self.most && !self.entries.is_full() {
            let next = if self.dir == Dir::Forward { range.next() } else { range.next_back() };
            let Some((key, chain)) = next else {
                self.done = true;
                return Ok(true);
            };
            steps += 1;
            last = Some(key);
            if let Some(v) = chain.visible(self.before) {
                self.entries.push((), key, &v.value);
            }
        }
        if let Some(key) = last {
            let bound = if self.dir == Dir::Forward { &mut self.lo } else { &mut self.hi };
            *bound = Bound::Excluded(key.to_vec());
            // Equal bounds that are both excluded are no range.
            if let (Bound::Excluded(lo), Bound::Excluded(hi)) = (&self.lo, &self.hi) {
                self.done = lo >= hi;
            }
            if let (Bound::Included(lo), Bound::Excluded(hi)) = (&self.lo, &self.hi) {
                self.done = lo >= hi;
            }
        }
        self.most = (2 * self.most).min(SCAN_MOST);
        Ok(!self.entries.is_empty())
    }
    /// The place of the next entry.
    fn advance(&mut self) -> Result<Option<usize>> {
        while self.at == self.entries.len() {
            if self.done {
                return Ok(None);
            }
            if !self.fill()? {
                work::charge(SCAN_STEPS * 20)?;
            }
        }
        self.at += 1;
        Ok(Some(self.at - 1))
    }
    #[inline]
    pub fn next_entry(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let at = self.advance()?;
        Ok(at.and_then(|i| self.entries.get(i)).map(|(_, k, v)| (k, v)))
    }
    pub fn pass(&mut self, max: u64) -> Result<u64> {
        let mut n = 0;
        while n < max && self.advance()?.is_some() {
            n += 1;
        }
        Ok(n)
    }
}
fn as_bound(b: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    b.as_ref().map(|v| v.as_slice())
}

/// The engine of a session that has data of its own: the other one for everything else.
pub struct PrivateEngine {
    base: Arc<dyn Engine>,
    data: Arc<PrivateData>,
}
impl PrivateEngine {
    pub fn new(base: Arc<dyn Engine>, data: Arc<PrivateData>) -> PrivateEngine {
        PrivateEngine { base, data }
    }
    fn with<T>(&self, tree: TreeId, f: impl FnOnce(&Tree) -> T) -> Result<T> {
        self.data.data.lock().tree(tree).map(f)
    }
}
impl Engine for PrivateEngine {
    fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn {
        self.base.begin(iso, read_only, cancel).with_private(&self.data)
    }
    fn begin_here(&self, cancel: Arc<Cancel>) -> Txn {
        self.base.begin_here(cancel)
    }
    fn begin_at_replica(&self, at: &ReadAt, cancel: &Arc<Cancel>) -> Result<Option<(Txn, Ts)>> {
        Ok(self.base.begin_at_replica(at, cancel)?.map(|(t, ts)| (t.with_private(&self.data), ts)))
    }
    fn entries(&self, tree: TreeId) -> Result<u64> {
        match is_private(tree.0) {
            true => self.with(tree, |t| t.entries.len() as u64),
            false => self.base.entries(tree),
        }
    }
    fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        if !is_private(tree.0) {
            return self.base.estimate(tree, lo, hi);
        }
        if hi.is_some_and(|h| h <= lo) {
            return Ok(0);
        }
        self.with(tree, |t| {
            let bounds = (Bound::Included(lo), hi.map_or(Bound::Unbounded, Bound::Excluded));
            let n = t.entries.range::<[u8], _>(bounds).take(ESTIMATE_MOST).count();
            // Of a long range no more is known than that it is long.
            if n < ESTIMATE_MOST { n as u64 } else { (t.entries.len() as u64 / 3).max(n as u64) }
        })
    }
    fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        match is_private(tree.0) {
            true => self.with(tree, |t| (t.bytes.div_ceil(PAGE), 1)),
            false => self.base.tree_size(tree),
        }
    }
    fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        match is_private(tree.0) {
            // There are no leaves.
            true => bail!(FEATURE_NOT_SUPPORTED, "places in temporary tables are not supported"),
            false => self.base.leaf_at(tree, place, key),
        }
    }
    fn cache_pages(&self) -> u64 {
        self.base.cache_pages()
    }
    fn page_counts(&self) -> (u64, u64) {
        self.base.page_counts()
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        if is_private(space) { Ok(self.data.next_id(space)) } else { self.base.next_id(space) }
    }
    fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> {
        if !is_private(seq) {
            return self.base.seq_next(seq, def);
        }
        let mut data = self.data.data.lock();
        let (last, called) = data.sequences.get(&seq).copied().unwrap_or((def.start, false));
        let next = advance(def, last, called).ok_or_else(|| at_its_end(def))?;
        data.sequences.insert(seq, (next, true));
        data.touched = true;
        Ok(next)
    }
    fn seq_next_many(&self, seq: u64, def: &SequenceDef, n: usize, out: &mut Vec<i64>) -> Result<()> {
        if !is_private(seq) {
            return self.base.seq_next_many(seq, def, n, out);
        }
        for _ in 0..n {
            match self.seq_next(seq, def) {
                Ok(v) => out.push(v),
                Err(e) if out.is_empty() => return Err(e),
                Err(_) => break,
            }
        }
        Ok(())
    }
    fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> {
        if !is_private(seq) {
            return self.base.seq_set(seq, last, is_called);
        }
        self.data.data.lock().sequences.insert(seq, (last, is_called));
        Ok(())
    }
    fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> {
        if is_private(seq) { Ok(self.data.data.lock().sequences.get(&seq).copied()) } else { self.base.seq_read(seq) }
    }
    fn prepared(&self) -> Result<Vec<PreparedInfo>> {
        self.base.prepared()
    }
    fn commit_prepared(&self, gid: &str) -> Result<Ts> {
        self.base.commit_prepared(gid)
    }
    fn rollback_prepared(&self, gid: &str) -> Result<()> {
        self.base.rollback_prepared(gid)
    }
    fn outcome(&self, id: u64) -> Result<Outcome> {
        self.base.outcome(id)
    }
    fn session_locks(&self) -> SessionLocks {
        self.base.session_locks()
    }
    fn locks(&self) -> Vec<LockLine> {
        self.base.locks()
    }
    fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        self.base.waiting_processes()
    }
    fn catalog_ts(&self) -> Option<Ts> {
        self.base.catalog_ts()
    }
    fn await_newest_catalog(&self) -> Result<()> {
        self.base.await_newest_catalog()
    }
    fn format(&self) -> u64 {
        self.base.format()
    }
    fn listen(&self, listener: crate::Listener) {
        self.base.listen(listener)
    }
    fn checkpoint(&self) -> Result<()> {
        self.base.checkpoint()
    }
    fn failure(&self) -> Option<Error> {
        self.base.failure()
    }
    fn stats(&self) -> Vec<(&'static str, u64)> {
        self.base.stats()
    }
    fn memory(&self) -> Arc<MemoryAccount> {
        self.base.memory()
    }
    fn disk(&self) -> Arc<dyn Disk> {
        self.base.disk()
    }
    fn platform(&self) -> &Arc<dyn Platform> {
        self.base.platform()
    }
}
