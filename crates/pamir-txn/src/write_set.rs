//! A transaction's own changes until commit, in memory and, when they are many, in a temporary file.
//!
//! ```text
//!   entries (in order of writing)          arena (bytes)     trees, once there are more than SMALL entries: where the keys are
//!   0: t1 a put  stmt 1 prev -             a1cbx...            t1: sorted runs, unsorted tail, table      index.rs
//!   1: t1 c put  stmt 1 prev -                                 t2: ...
//!   2: t2 b del  stmt 2 prev -
//!   3: t1 a put  stmt 2 prev 0  <- newest of the chain       runs in a file, older than everything in memory   spill.rs
//! ```
//! A write appends an entry and looks at nothing: what a statement of a million rows pays for each is the copy of its bytes. Who wants to know, pays: a look-up
//! by key makes a hash table once a tree has many keys, a scan sorts what came since the last one, commit sorts the rest.
//! Small transactions have none of it: up to [`SMALL`] entries are searched one by one.
//!
//! Entries and arena only grow, so a savepoint is a number of entries, and rolling back to it cuts the rest off. Entries carry the statement that wrote
//! them: a snapshot of statement s sees the newest entry of a key with statement < s, hence a statement never meets its own writes (no Halloween problem).
//!
//! Beyond [`Limits::spill`] bytes everything in memory is written to the file as one sorted run and memory starts anew. Reads join memory and runs; newer
//! covers older.
//!
//! Limits: [`WRITE_SET_UNCHARGED`] bytes are free (they belong to the session), everything beyond is charged to the account and limited by
//! [`Limits::memory`]; the file by [`Limits::disk`]; what is in memory at one time has 32-bit places.
mod data;
mod index;
mod own_scan;
mod spill;
#[cfg(test)]
mod tests;

use crate::MemoryAccount;
use crate::table::Table;
pub(crate) use data::Change;
use data::{Data, Item, NONE};
use index::TreeIndex;
pub(crate) use own_scan::{OwnScan, Range};
use pamir_error::{Result, err};
use pamir_storage::disk::Disk;
use pamir_storage::store::TreeId;
use pamir_storage::task;
pub(crate) use spill::remove_leftovers;
use spill::{Lookup, Merge, Run, SpillFile};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The first bytes of a write set are not charged: small transactions touch no shared counter.
pub const WRITE_SET_UNCHARGED: u64 = 16 << 10;
/// Memory is charged in steps of this size.
const CHARGE_STEP: u64 = 64 << 10;
/// So many entries are searched one by one.
const SMALL: usize = 16;
/// What an entry takes beside its bytes: itself, its place in runs or tail.
const ENTRY_COST: u64 = (size_of::<data::Entry>() + size_of::<Item>()) as u64;

/// How large one write set may be, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// In memory, with the transaction's locks.
    pub memory: u64,
    /// In memory before it is written to the file.
    pub spill: u64,
    /// In the file.
    pub disk: u64,
}
/// Where a savepoint stands: the number of entries written before it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mark(u64);

/// What an own read found beside the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Own {
    pub tombstone: bool,
    pub statement: u32,
}
/// Is called with tree, key and the newest change.
pub(crate) type EachChange<'a> = dyn FnMut(TreeId, &[u8], Change) -> Result<()> + 'a;
/// The same within one tree, and whether the key was written more than once.
type EachOfTree<'a> = dyn FnMut(&[u8], Change, bool) -> Result<()> + 'a;
/// What no longer fits into memory.
struct Spilled {
    file: SpillFile,
    /// From oldest to newest.
    runs: Vec<Run>,
    lookup: Lookup,
    /// What the runs take in memory.
    memory: u64,
}

pub(crate) struct WriteSet {
    data: Data,
    /// In order of trees; they know all entries, or none while the write set is small.
    trees: Vec<TreeIndex>,
    indexed: bool,
    /// Some keys are looked up through a table, in which each entry takes a slot.
    tabled: bool,
    /// Number of the first entry in memory.
    base: u64,
    /// Changes when an open scan must find its place again.
    version: u64,
    spilled: Option<Box<Spilled>>,
    /// Trees whose keys are looked up; their runs get Bloom filters.
    looked_up: BTreeSet<TreeId>,
    account: Arc<MemoryAccount>,
    limits: Limits,
    charged: u64,
    /// Bytes charged for others (locks).
    extra: u64,
}

impl WriteSet {
    pub fn new(account: Arc<MemoryAccount>, limits: Limits) -> WriteSet {
        WriteSet {
            data: Data::default(),
            trees: Vec::new(),
            indexed: false,
            tabled: false,
            base: 0,
            version: 0,
            spilled: None,
            looked_up: BTreeSet::new(),
            account,
            limits,
            charged: 0,
            extra: 0,
        }
    }
    pub fn is_empty(&self) -> bool {
        self.data.entries.is_empty() && self.runs().is_empty()
    }
    fn runs(&self) -> &[Run] {
        self.spilled.as_ref().map_or(&[], |s| &s.runs)
    }
    /// At least the number of keys that [`WriteSet::for_each_sorted`] hands out.
    pub fn len(&self) -> usize {
        self.data.entries.len() + self.runs().iter().map(|r| r.entries as usize).sum::<usize>()
    }
    /// At least the bytes of all keys and values that [`WriteSet::for_each_sorted`] hands out.
    pub fn data_bytes(&self) -> u64 {
        self.data.arena.len() as u64 + self.runs().iter().map(|r| r.bytes).sum::<u64>()
    }

    /// Records a change. `disk` takes the file of transaction `txn` when memory is full.
    pub fn write(
        &mut self,
        tree: TreeId,
        key: &[u8],
        change: Change,
        statement: u32,
        (disk, txn): (&Arc<dyn Disk>, u64),
    ) -> Result<()> {
        let bytes = (key.len() + change.bytes().len()) as u64;
        let mut own = self.memory();
        if own > self.limits.spill && !self.data.entries.is_empty() {
            self.spill(disk, txn)?;
            own = 0;
        }
        if self.data.arena.len() as u64 + bytes >= NONE as u64 || self.data.entries.len() >= NONE as usize {
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "transaction changes more than {NONE} bytes")
                .hint("Split it into smaller transactions."));
        }
        self.charge(own + bytes + self.entry_cost())?;
        let n = self.data.push(tree, key, change, statement);
        if self.indexed {
            let index = index_of(&mut self.trees, tree);
            index.add(&self.data, n);
        } else if self.data.entries.len() > SMALL {
            self.make_indexes();
        }
        Ok(())
    }
    #[cold]
    fn make_indexes(&mut self) {
        self.indexed = true;
        for n in 0..self.data.entries.len() as u32 {
            let index = index_of(&mut self.trees, self.data.entry(n).tree);
            index.add(&self.data, n);
        }
    }
    /// Entry and arena bytes in memory.
    fn memory(&self) -> u64 {
        self.data.arena.len() as u64 + self.data.entries.len() as u64 * self.entry_cost()
    }
    #[inline]
    fn entry_cost(&self) -> u64 {
        ENTRY_COST + if self.tabled { Table::BYTES_PER_KEY } else { 0 }
    }
    /// So many writes, of so many bytes in all, will follow: the memory for those that stay in it is got at once, not a bit at a time.
    pub fn expect(&mut self, writes: u64, bytes: u64) {
        let each = self.entry_cost() + bytes / writes.max(1);
        let n = writes.min(self.limits.spill.saturating_sub(self.memory()) / each);
        // Where that is too much, so will be the writes, and they tell it.
        if self.charge(self.memory() + n * each).is_ok() {
            self.data.entries.reserve(n as usize);
            self.data.arena.reserve((bytes / writes.max(1) * n) as usize);
        }
    }
    /// Writes everything in memory to the file.
    #[cold]
    fn spill(&mut self, disk: &Arc<dyn Disk>, txn: u64) -> Result<()> {
        if !self.indexed {
            self.make_indexes();
        }
        let spilled = match &mut self.spilled {
            Some(s) => s,
            none => none.insert(Box::new(Spilled {
                file: SpillFile::create(disk, txn)?,
                runs: Vec::new(),
                lookup: Lookup::default(),
                memory: 0,
            })),
        };
        if spilled.file.len + self.data.arena.len() as u64 > self.limits.disk {
            return Err(err!(
                CONFIGURATION_LIMIT_EXCEEDED,
                "temporary file size exceeds the limit of a transaction's changes ({}kB)",
                self.limits.disk >> 10
            )
            .hint("Split it into smaller transactions."));
        }
        for t in self.trees.iter().filter(|t| t.has_table()) {
            self.looked_up.insert(t.tree);
        }
        let run = spill::write_run(&mut spilled.file, &mut self.data, &mut self.trees, self.base, |t| {
            self.looked_up.contains(&t)
        })?;
        spilled.memory += run.memory();
        spilled.runs.push(run);
        spilled.lookup.forget();
        self.base += self.data.entries.len() as u64;
        self.data.truncate(0);
        self.trees.clear();
        self.version += 1;
        Ok(())
    }

    /// The own write of a key that a snapshot of `statement` sees (u32::MAX: the newest); its value (of a delete: where the row lives on) goes to
    /// `out`, which stays as it is if there is no such write.
    pub fn get(&mut self, tree: TreeId, key: &[u8], statement: u32, out: &mut Vec<u8>) -> Result<Option<Own>> {
        let mut found = None;
        if !self.indexed {
            let mut n = self.data.entries.len() as u32;
            while n > 0 {
                n -= 1;
                let e = self.data.entry(n);
                if e.tree == tree && e.statement < statement && self.data.key(n) == key {
                    found = Some(n);
                    break;
                }
            }
        } else if let Ok(at) = self.trees.binary_search_by_key(&tree, |t| t.tree) {
            let index = &mut self.trees[at];
            let head = index.newest(&mut self.data, key);
            self.tabled |= index.has_table();
            self.version += index.take_moved() as u64;
            found = head.and_then(|h| self.data.visible(h, statement));
        }
        if let Some(n) = found {
            let change = self.data.change(n);
            fill(out, change.bytes());
            return Ok(Some(Own { tombstone: change.is_delete(), statement: self.data.entry(n).statement }));
        }
        match &mut self.spilled {
            None => Ok(None),
            Some(s) => {
                self.looked_up.insert(tree);
                s.lookup.find(&s.file, &s.runs, (tree, key, statement), |change, statement| {
                    fill(out, change.bytes());
                    Own { tombstone: change.is_delete(), statement }
                })
            }
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.base + self.data.entries.len() as u64)
    }
    /// Forgets everything written after `mark`.
    pub fn rollback_to(&mut self, mark: Mark) {
        self.version += 1;
        let keep = mark.0.saturating_sub(self.base) as usize;
        if keep == 0 {
            self.trees.clear();
        } else if self.indexed {
            for n in (keep as u32..self.data.entries.len() as u32).rev() {
                let index = index_of(&mut self.trees, self.data.entry(n).tree);
                index.undo(&self.data, n);
            }
        }
        self.data.truncate(keep);
        if mark.0 < self.base
            && let Some(s) = &mut self.spilled
        {
            s.lookup.forget();
            s.runs.retain(|r| r.first < mark.0);
            s.runs.iter_mut().for_each(|r| r.cut = r.cut.min(mark.0));
            s.memory = s.runs.iter().map(Run::memory).sum();
        }
    }

    /// Hands out the newest entry of every key in (tree, key) order: what commit writes.
    /// Cheaper after [`WriteSet::settle`]. It never gives way to other tasks itself; `f` may.
    pub fn for_each_sorted(&self, f: &mut EachChange) -> Result<()> {
        if !self.indexed {
            let mut order: smallvec::SmallVec<[u32; SMALL]> = (0..self.data.entries.len() as u32).collect();
            let of = |n: u32| (self.data.entry(n).tree, self.data.key(n));
            order.sort_unstable_by(|a, b| of(*a).cmp(&of(*b)).then(b.cmp(a)));
            for (i, n) in order.iter().enumerate() {
                let (tree, key) = of(*n);
                // The newest of a key comes first.
                if i == 0 || of(order[i - 1]) != (tree, key) {
                    f(tree, key, self.data.change(*n))?;
                }
            }
            return Ok(());
        }
        let mut trees: BTreeSet<TreeId> = self.trees.iter().map(|t| t.tree).collect();
        self.runs().iter().for_each(|r| trees.extend(r.trees()));
        trees.into_iter().try_for_each(|t| self.for_each_of(t, &mut |key, change, _| f(t, key, change)))
    }
    /// One tree's newest entries in order, and whether the key was written more than once.
    fn for_each_of(&self, tree: TreeId, f: &mut EachOfTree) -> Result<()> {
        let index = self.trees.binary_search_by_key(&tree, |t| t.tree).ok().map(|at| &self.trees[at]);
        let mut memory = index.map(|i| i.heads(&self.data));
        let mut next = || memory.as_mut().and_then(Iterator::next).map(|i| i.entry);
        let Some(s) = &self.spilled else {
            while let Some(n) = next() {
                f(self.data.key(n), self.data.change(n), self.data.entry(n).prev != NONE)?;
            }
            return Ok(());
        };
        let mut merge = Merge::new(&s.file, &s.runs, tree)?;
        let mut buffer = Vec::new();
        let mut own = next();
        loop {
            let order = match (own, merge.first()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(n), Some(c)) => self.data.key(n).cmp(c.key()),
            };
            if let Some(n) = own
                && order.is_le()
            {
                let again = order.is_eq() || self.data.entry(n).prev != NONE;
                f(self.data.key(n), self.data.change(n), again)?;
                own = next();
            } else if let Some(c) = merge.first() {
                f(c.key(), c.change(), merge.again())?;
            }
            if order.is_ge() {
                merge.pass(&s.file, &s.runs, &mut buffer)?;
            }
        }
    }
    /// Sorts what is not sorted yet; other tasks get their turns.
    pub fn settle(&mut self) {
        for t in &mut self.trees {
            if t.settle(&mut self.data) {
                self.version += t.take_moved() as u64;
                task::yield_now();
            }
        }
    }
    /// A key of `tree` that was written more than once: a duplicate, to whoever fills a new tree.
    pub fn written_twice(&mut self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        if !self.indexed {
            self.make_indexes();
        }
        self.settle();
        let mut found = None;
        let mut n = 0u32;
        self.for_each_of(tree, &mut |key, _, again| {
            n += 1;
            if n.is_multiple_of(4096) {
                task::yield_now();
            }
            if again && found.is_none() {
                found = Some(key.to_vec());
            }
            Ok(())
        })?;
        Ok(found)
    }
    /// Hands out some of the keys, at most `n`.
    pub fn for_some(&self, n: usize, mut f: impl FnMut(TreeId, &[u8])) {
        let here = self.data.entries.len().min(n);
        (0..here as u32).for_each(|i| f(self.data.entry(i).tree, self.data.key(i)));
        if let Some(r) = self.runs().last() {
            r.for_some(n - here, f);
        }
    }

    /// Counts memory of something that lives as long as the write set (lock entries).
    pub fn charge_extra(&mut self, bytes: u64) -> Result<()> {
        self.extra += bytes;
        self.charge(self.memory())
    }
    /// Some of it is there no longer.
    pub fn release_extra(&mut self, bytes: u64) {
        self.extra = self.extra.saturating_sub(bytes);
    }
    #[inline]
    fn charge(&mut self, own: u64) -> Result<()> {
        let used = own + self.extra + self.spilled.as_ref().map_or(0, |s| s.memory);
        if used <= WRITE_SET_UNCHARGED + self.charged { Ok(()) } else { self.charge_more(used) }
    }
    #[cold]
    fn charge_more(&mut self, used: u64) -> Result<()> {
        if used > self.limits.memory {
            return Err(err!(OUT_OF_MEMORY, "out of memory")
                .detail(format!("A transaction's changes and locks are limited to {} bytes.", self.limits.memory))
                .hint("Make the transaction smaller or raise the limit."));
        }
        let step = (used - WRITE_SET_UNCHARGED - self.charged).max(CHARGE_STEP);
        self.account.charge(step)?;
        self.charged += step;
        Ok(())
    }
}
impl Drop for WriteSet {
    fn drop(&mut self) {
        if self.charged > 0 {
            self.account.release(self.charged);
        }
    }
}

fn index_of(trees: &mut Vec<TreeIndex>, tree: TreeId) -> &mut TreeIndex {
    let at = match trees.binary_search_by_key(&tree, |t| t.tree) {
        Ok(at) => at,
        Err(at) => {
            trees.insert(at, TreeIndex::new(tree));
            at
        }
    };
    &mut trees[at]
}
fn fill(out: &mut Vec<u8>, bytes: &[u8]) {
    out.clear();
    out.extend_from_slice(bytes);
}
