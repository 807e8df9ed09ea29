//! The lock manager: finds the right lock table, waits, detects deadlocks.
use super::table::TableLocks;
use super::tree::{TreeLocks, What};
use super::{HeldLocks, LockOutcome, Owner, RowLock, TableLock, WaitPolicy};
use crate::Cancel;
use crate::padded::{Padded, hash_key};
use crate::reign::{self, Reign};
use crate::sync::lock::atomic::{AtomicBool, Ordering};
use crate::sync::lock::{Mutex, MutexGuard};
use pamir_error::{Error, Result, bail, err};
use pamir_storage::store::TreeId;
use pamir_storage::task;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

const SHARDS: usize = 64;
/// Empty lock tables are thrown away when a shard has more than this many.
const KEEP_EMPTY: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resource {
    Tree(TreeId),
    Table(u64),
}

/// How long a request may wait and who may stop it.
pub(crate) struct Patience<'a> {
    pub lock_timeout: Option<Duration>,
    /// The statement's end.
    pub deadline: Option<Instant>,
    pub cancel: &'a Cancel,
}

pub(super) type TreeShard = FxHashMap<TreeId, TreeLocks>;
type TableShard = FxHashMap<u64, TableLocks>;

pub(crate) struct LockManager {
    trees: Box<[Padded<Mutex<TreeShard>>]>,
    tables: Box<[Padded<Mutex<TableShard>>]>,
    graph: Mutex<FxHashMap<u64, (Arc<Owner>, Resource)>>,
    stopped: AtomicBool,
    /// Whoever belongs to one that is over waits no longer.
    reign: Reign,
    pub waits: AtomicU64,
    pub deadlocks: AtomicU64,
}

fn shard_of(n: u64) -> usize {
    (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize % SHARDS
}

impl LockManager {
    #[cfg(test)]
    pub fn new() -> LockManager {
        LockManager::in_reign(Reign::default())
    }
    pub fn in_reign(reign: Reign) -> LockManager {
        LockManager {
            reign,
            trees: (0..SHARDS).map(|_| Padded::default()).collect(),
            tables: (0..SHARDS).map(|_| Padded::default()).collect(),
            graph: Mutex::default(),
            stopped: AtomicBool::new(false),
            waits: AtomicU64::new(0),
            deadlocks: AtomicU64::new(0),
        }
    }
    pub(super) fn tree_shard(&self, tree: TreeId) -> &Mutex<TreeShard> {
        &self.trees[shard_of(tree.0)]
    }
    fn table_shard(&self, table: u64) -> &Mutex<TableShard> {
        &self.tables[shard_of(table)]
    }
    /// `mode` must be stronger than what the owner holds on the row.
    pub fn lock_row(
        &self,
        owner: &Arc<Owner>,
        tree: TreeId,
        key: &[u8],
        mode: RowLock,
        policy: WaitPolicy,
        p: &Patience,
    ) -> Result<LockOutcome> {
        {
            let mut shard = self.tree_shard(tree).lock();
            let t = shard.entry(tree).or_default();
            if t.try_row(owner, key, mode) {
                return Ok(LockOutcome::Granted);
            }
            match policy {
                WaitPolicy::Skip => return Ok(LockOutcome::Skipped),
                WaitPolicy::NoWait => bail!(LOCK_NOT_AVAILABLE, "could not obtain lock on row"),
                WaitPolicy::Block => {}
            }
            owner.start_waiting();
            t.enqueue(owner, What::Row { key: key.into(), hash: hash_key(0, key), mode });
        }
        self.wait(owner, Resource::Tree(tree), p)?;
        Ok(LockOutcome::Granted)
    }
    /// Does somebody else hold the key who may take it away?
    pub fn is_taken_away(&self, id: u64, tree: TreeId, key: &[u8]) -> bool {
        self.tree_shard(tree).lock().get(&tree).is_some_and(|t| t.is_taken_away(id, key))
    }
    /// Locks [lo, hi) shared.
    pub fn lock_range(
        &self,
        owner: &Arc<Owner>,
        tree: TreeId,
        lo: &[u8],
        hi: Option<&[u8]>,
        p: &Patience,
    ) -> Result<()> {
        {
            let mut shard = self.tree_shard(tree).lock();
            let t = shard.entry(tree).or_default();
            if t.try_range(owner, lo, hi) {
                return Ok(());
            }
            owner.start_waiting();
            t.enqueue(owner, What::Range { lo: lo.into(), hi: hi.map(Into::into) });
        }
        self.wait(owner, Resource::Tree(tree), p)
    }
    pub fn lock_table(
        &self,
        owner: &Arc<Owner>,
        table: u64,
        mode: TableLock,
        policy: WaitPolicy,
        p: &Patience,
    ) -> Result<LockOutcome> {
        {
            let mut shard = self.table_shard(table).lock();
            let t = shard.entry(table).or_default();
            if t.try_lock(owner, mode) {
                return Ok(LockOutcome::Granted);
            }
            match policy {
                WaitPolicy::Skip => return Ok(LockOutcome::Skipped),
                WaitPolicy::NoWait => bail!(LOCK_NOT_AVAILABLE, "could not obtain lock on relation"),
                WaitPolicy::Block => {}
            }
            owner.start_waiting();
            t.enqueue(owner, mode);
        }
        self.wait(owner, Resource::Table(table), p)?;
        Ok(LockOutcome::Granted)
    }
    /// Recovery: takes locks that were held before; they cannot conflict.
    pub fn adopt_row(&self, owner: &Arc<Owner>, tree: TreeId, key: &[u8], mode: RowLock) {
        self.tree_shard(tree).lock().entry(tree).or_default().hold_row(owner, key, mode);
    }
    pub fn adopt_range(&self, owner: &Arc<Owner>, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) {
        self.tree_shard(tree).lock().entry(tree).or_default().hold_range(owner, lo, hi);
    }
    pub fn adopt_table(&self, owner: &Arc<Owner>, table: u64, mode: TableLock) {
        self.table_shard(table).lock().entry(table).or_default().hold(owner, mode);
    }

    /// The owner's request is queued: waits for its grant.
    fn wait(&self, owner: &Arc<Owner>, on: Resource, p: &Patience) -> Result<()> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        self.graph.lock().insert(owner.id, (owner.clone(), on));
        let r = self.wait_granted(owner, on, p);
        self.graph.lock().remove(&owner.id);
        owner.stop_waiting();
        r
    }
    fn wait_granted(&self, owner: &Arc<Owner>, on: Resource, p: &Patience) -> Result<()> {
        // We stand in the graph. Whoever comes to wait for us sets the flag before it walks the graph, so one of the two sees the other.
        if owner.blocks_others.load(Ordering::SeqCst)
            && let Some(e) = self.deadlock(owner, on)
        {
            return if owner.granted() { Ok(()) } else { Err(e) };
        }
        let lock_deadline = p.lock_timeout.map(|t| task::now() + t);
        let until = match (lock_deadline, p.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let outcome = task::wait(until, |w| {
            owner.register(w);
            p.cancel.register(w);
            if owner.granted() {
                Poll::Ready(Ok(()))
            } else if let Err(e) = p.cancel.check() {
                Poll::Ready(Err(e))
            } else if self.stopped.load(Ordering::SeqCst) {
                Poll::Ready(Err(err!(CRASH_SHUTDOWN, "the database system is shutting down")))
            } else if !self.reign.still(owner.reign()) {
                Poll::Ready(Err(reign::over()))
            } else {
                Poll::Pending
            }
        });
        let error = match outcome {
            Some(Ok(())) => return Ok(()),
            Some(Err(e)) => e,
            None if lock_deadline.is_some_and(|l| p.deadline.is_none_or(|d| l <= d)) => {
                err!(LOCK_NOT_AVAILABLE, "canceling statement due to lock timeout")
            }
            None => err!(QUERY_CANCELED, "canceling statement due to statement timeout"),
        };
        // Granted at the last moment counts as granted: the lock is ours and will be released as such.
        if self.withdraw(owner, on) { Err(error) } else { Ok(()) }
    }
    /// Ends all waits with an error, now and from now on: the locks of failed commits are never released.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.rouse_all();
    }
    /// Has all who wait look again: the shard has stopped, or their reign is over. Who begins to wait later sees it by itself.
    pub fn rouse_all(&self) {
        // A waiter stands in the graph before it looks at the flag: it sees the flag, or we see it.
        let mut wake = Vec::new();
        self.graph.lock().values().for_each(|(o, _)| o.rouse(&mut wake));
        wake.into_iter().for_each(Waker::wake);
    }
    /// Takes away all that transactions of reigns that are over still hold: their sessions may be long in noticing. Nobody of them waits any more.
    pub fn forget_past(&self) {
        let past = |o: &Owner| !self.reign.still(o.reign());
        let mut wake = Vec::new();
        for shard in &self.trees {
            shard.lock().values_mut().for_each(|t| t.forget(past, &mut wake));
        }
        for shard in &self.tables {
            shard.lock().values_mut().for_each(|t| t.forget(past, &mut wake));
        }
        wake.into_iter().for_each(Waker::wake);
    }
    fn withdraw(&self, owner: &Arc<Owner>, on: Resource) -> bool {
        let mut wake = Vec::new();
        let taken = match on {
            Resource::Tree(t) => self.tree_shard(t).lock().get_mut(&t).is_some_and(|l| l.withdraw(owner.id, &mut wake)),
            Resource::Table(t) => {
                self.table_shard(t).lock().get_mut(&t).is_some_and(|l| l.withdraw(owner.id, &mut wake))
            }
        };
        wake.into_iter().for_each(Waker::wake);
        taken
    }

    /// Walks the waits-for graph from `me`, who has just started to wait. If a cycle leads back, takes the request back and describes the cycle.
    fn deadlock(&self, me: &Arc<Owner>, on: Resource) -> Option<Error> {
        let graph = self.graph.lock();
        // Depth first; `path` is the walk, each step with the blockers still to try.
        let mut path: Vec<(Arc<Owner>, String, Vec<Arc<Owner>>)> = Vec::new();
        // Everybody who was found as a blocker: one place in the walk is enough.
        let mut seen = FxHashSet::default();
        let first = self.edges(me, on, me.id, &mut seen)?;
        path.push((me.clone(), first.0, first.1));
        while let Some(top) = path.last_mut() {
            let Some(next) = top.2.pop() else {
                path.pop();
                continue;
            };
            if next.same_session(me) {
                let mut lines = Vec::new();
                for (i, (o, what, _)) in path.iter().enumerate() {
                    let by = path.get(i + 1).map_or(me, |n| &n.0);
                    let what =
                        if what.is_empty() { format!("ShareLock on transaction {}", by.id) } else { what.clone() };
                    lines.push(format!(
                        "Process {} waits for {what}; blocked by process {}.",
                        o.process(),
                        by.process()
                    ));
                }
                // The request must be gone before the next walk, or the other end of the cycle would give up too.
                if !self.withdraw(me, on) {
                    return None;
                }
                drop(graph);
                self.deadlocks.fetch_add(1, Ordering::Relaxed);
                return Some(
                    err!(DEADLOCK_DETECTED, "deadlock detected")
                        .detail(lines.join("\n"))
                        .hint("See server log for query details."),
                );
            }
            // A session waits as one of its two owners.
            if let Some((o, on)) = graph.get(&next.id).or_else(|| graph.get(&next.partner()?))
                && let Some((what, blockers)) = self.edges(o, *on, me.id, &mut seen)
            {
                path.push((o.clone(), what, blockers));
            }
        }
        None
    }
    /// What a waiting owner waits for (empty: a row, i.e. its holder's transaction), and whom, without those seen before. None when it waits no more.
    fn edges(&self, o: &Owner, on: Resource, me: u64, seen: &mut FxHashSet<u64>) -> Option<(String, Vec<Arc<Owner>>)> {
        let mut blockers = Vec::new();
        match on {
            Resource::Tree(t) => {
                self.tree_shard(t).lock().get(&t)?.blockers_of(o.id, me, seen, &mut blockers)?;
                Some((String::new(), blockers))
            }
            Resource::Table(t) => {
                let mode = self.table_shard(t).lock().get(&t)?.blockers_of(o.id, me, seen, &mut blockers)?;
                let what = match u32::try_from(t) {
                    Ok(t) => format!("{} on relation {t}", mode.name()),
                    // Above the tables' numbers are those of advisory locks, which do not tell the key.
                    Err(_) => format!("{} on advisory lock", mode.name()),
                };
                Some((what, blockers))
            }
        }
    }

    /// Releases rows one after the other without taking a shard's mutex again for each.
    pub fn batch<'a>(&'a self, id: u64, wake: &'a mut Vec<Waker>) -> ReleaseBatch<'a> {
        ReleaseBatch { lm: self, id, wake, current: None }
    }
    /// Hands row locks of a commit on its way over to whoever waits for them and may follow it.
    pub fn pass(&self, commit: &Arc<Owner>, rows: &[(TreeId, Box<[u8]>)], wake: &mut Vec<Waker>) {
        for (tree, key) in rows {
            if let Some(t) = self.tree_shard(*tree).lock().get_mut(tree) {
                t.pass_row(commit, key, wake);
            }
        }
    }
    /// What a prepared transaction holds was handed over by a commit that is refused now.
    pub fn take_back(&self, owner: &Arc<Owner>, held: &HeldLocks) {
        for (tree, key, mode) in held.rows() {
            self.tree_shard(tree).lock().entry(tree).or_default().take_back(owner, key, mode);
        }
    }
    pub fn release_range(&self, id: u64, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, wake: &mut Vec<Waker>) {
        if let Some(t) = self.tree_shard(tree).lock().get_mut(&tree) {
            t.release_range(id, lo, hi, wake);
        }
    }
    pub fn release_table(&self, id: u64, table: u64, modes: u8, wake: &mut Vec<Waker>) {
        let mut shard = self.table_shard(table).lock();
        if let Some(t) = shard.get_mut(&table) {
            t.release(id, modes, wake);
            if t.is_empty() && shard.len() > KEEP_EMPTY {
                shard.remove(&table);
            }
        }
    }
    /// Who waits, for what.
    pub(super) fn waiting(&self) -> Vec<(Arc<Owner>, Resource)> {
        self.graph.lock().values().cloned().collect()
    }
    pub(super) fn each_table(&self, mut f: impl FnMut(u64, &TableLocks)) {
        for s in &self.tables {
            s.lock().iter().for_each(|(t, l)| f(*t, l));
        }
    }
    pub(super) fn with_table<R>(&self, table: u64, f: impl FnOnce(&TableLocks) -> Option<R>) -> Option<R> {
        self.table_shard(table).lock().get(&table).and_then(f)
    }
    pub(super) fn with_tree<R>(&self, tree: TreeId, f: impl FnOnce(&TreeLocks) -> Option<R>) -> Option<R> {
        self.tree_shard(tree).lock().get(&tree).and_then(f)
    }
    /// (row locks, range locks, requests waiting)
    pub fn counts(&self) -> (u64, u64, u64) {
        let (mut rows, mut ranges, mut waiting) = (0, 0, 0);
        for s in &self.trees {
            for t in s.lock().values() {
                let (r, g, w) = t.counts();
                rows += r as u64;
                ranges += g as u64;
                waiting += w as u64;
            }
        }
        for s in &self.tables {
            waiting += s.lock().values().map(|t| t.waiting() as u64).sum::<u64>();
        }
        (rows, ranges, waiting)
    }
    #[cfg(test)]
    pub fn assert_compatible(&self) {
        for s in &self.trees {
            s.lock().values().for_each(|t| t.assert_compatible());
        }
        for s in &self.tables {
            s.lock().values().for_each(|t| t.assert_compatible());
        }
    }
    /// Many lock tables with nothing in them are not kept.
    pub(super) fn throw_away(shard: &mut TreeShard, tree: TreeId) {
        if shard.len() > KEEP_EMPTY && shard.get(&tree).is_some_and(TreeLocks::is_empty) {
            shard.remove(&tree);
        }
    }
    /// Gives back `n` rows, if they are all that anybody holds in the tree and nobody waits there. False: nothing was done.
    pub(super) fn release_alone(&self, id: u64, tree: TreeId, n: usize) -> bool {
        let rows = {
            let mut shard = self.tree_shard(tree).lock();
            let Some(t) = shard.get_mut(&tree) else { return false };
            if t.rows.len() != n || !t.only(id) {
                return false;
            }
            let rows = std::mem::take(&mut t.rows);
            LockManager::throw_away(&mut shard, tree);
            rows
        };
        // Very many: not under the mutex.
        drop(rows);
        true
    }
}

pub(crate) struct ReleaseBatch<'a> {
    lm: &'a LockManager,
    id: u64,
    wake: &'a mut Vec<Waker>,
    current: Option<(usize, MutexGuard<'a, TreeShard>)>,
}
impl ReleaseBatch<'_> {
    /// Gives back a row, or weakens it to `to`.
    pub fn row(&mut self, tree: TreeId, key: &[u8], to: Option<RowLock>) {
        let n = shard_of(tree.0);
        let shard = match &mut self.current {
            Some((m, guard)) if *m == n => guard,
            other => {
                // Unlock before locking the next: one shard at a time.
                *other = None;
                &mut other.insert((n, self.lm.trees[n].lock())).1
            }
        };
        if let Some(t) = shard.get_mut(&tree) {
            t.release_row(self.id, key, to, self.wake);
            LockManager::throw_away(shard, tree);
        }
    }
}
