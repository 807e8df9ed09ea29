//! What an open transaction reads, locks and writes in the shard of this process, and how it ends.
//!
//! Reads look at the transaction's own writes first, then at the page, then at old versions; the newest state (`get_latest`, `scan_latest`) at commits on their
//! way before the page. Writes go to the write set and lock their keys.
//!
//! Invariant: a transaction's end hands its locks to whoever decides its fate (the applier, a prepared transaction's cell) or gives them back to it.
use crate::applier::{PreparedCell, VALUE_HEADER, is_kept, split_value};
use crate::commit::{After, Pending};
use crate::face::{Claims, Keys, Met, Until, Values, Wants, Write, Writes};
use crate::handover;
use crate::large;
use crate::lock::{LockOutcome, RowLock, WaitPolicy};
use crate::record::{self, Op, PrepareBody};
use crate::scan::{LocalScan, lost_version};
use crate::shard::{GID_MAX, Latest, Submitted, Ts};
use crate::snapshot::Snapshot;
use crate::txn::LocalTxn;
use crate::version::Found;
use crate::write_set::Change;
use pamir_error::{Result, bail, err};
use pamir_storage::store::{Dir, TreeId};
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;

/// Leaves that a commit brings into memory before it is queued.
const TOUCH_LEAVES: usize = 256;

impl LocalTxn {
    // ---- reads: `snap` comes from LocalTxn::statement ----
    /// The version of `key` that `snap` sees, own earlier writes first. At SERIALIZABLE locks the key and reads the newest committed version.
    pub fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        if self.locks_reads() {
            self.lock_row(tree, key, RowLock::Share, WaitPolicy::Block)?;
        }
        if self.wrote.get() {
            if let Some(own) = self.writes.borrow_mut().get(tree, key, snap.statement(), out)? {
                return Ok(!own.tombstone);
            }
            if self.has_created(tree) {
                return Ok(false);
            }
        }
        let core = &*self.core;
        let ts = snap.ts();
        if !self.look_up(tree, key, out)? {
            if !self.locks_reads() {
                core.snapshots.check(ts)?;
                if core.is_younger(tree, ts) {
                    return Err(lost_version(core, tree, ts));
                }
            }
            return Ok(false);
        }
        let (at, tombstone, _) = split_value(out)?;
        if at <= ts || self.locks_reads() {
            out.drain(..VALUE_HEADER);
            return Ok(!tombstone);
        }
        if is_kept(out) {
            out.drain(..VALUE_HEADER);
            return core.snapshots.check(ts).map(|()| true);
        }
        let found = match core.versions.find(tree, key, at, ts, out) {
            Found::Value => true,
            Found::Absent => false,
            Found::Gone(after) => large::replaced(core, tree, key, after, ts, out)?,
        };
        // A chain that began anew after the key was purged says "absent from the beginning": true only for snapshots still served.
        core.snapshots.check(ts)?;
        Ok(found)
    }
    /// Entries of [lo, hi) that `snap` sees, merged with own earlier writes. hi None: to the end.
    pub fn scan(&self, snap: &Snapshot, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<LocalScan> {
        if self.locks_reads() {
            self.lock_range(tree, lo, hi)?;
        }
        LocalScan::new(&self.core, self, Some(snap), tree, lo, hi, dir)
    }
    /// Sets `scan`, made by [`LocalTxn::scan`], to another range of its tree.
    pub fn scan_again(&self, snap: &Snapshot, scan: &mut LocalScan, lo: &[u8], hi: Option<&[u8]>) -> Result<()> {
        if self.locks_reads() {
            self.lock_range(scan.tree(), lo, hi)?;
        }
        scan.again(&self.core, self, snap, lo, hi)
    }
    /// The newest committed version, or the own write over it. To be called with the row locked.
    pub fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        let core = &*self.core;
        let (mut ts, mut exists) = (0, false);
        // The overlay before the page: what is gone from it is on the page.
        let coming = if self.tied() { core.overlay.get(tree, key) } else { None };
        if let Some(e) = &coming {
            self.owner.tie_to(&e.owner);
            out.clear();
            out.extend_from_slice(&e.value);
            (ts, exists) = (e.owner.place(), !e.tombstone);
        }
        while coming.is_none() {
            if self.has_created(tree) || !self.look_up(tree, key, out)? {
                out.clear();
                break;
            }
            let (at, tombstone, _) = split_value(out)?;
            if core.large.is_current(at) {
                if is_kept(out) {
                    exists = true;
                    out.drain(..VALUE_HEADER);
                    break;
                }
                if let Some(below) = large::visible_below(core, tree, key, at, out)? {
                    (ts, exists) = below;
                    break;
                }
                continue;
            }
            (ts, exists) = (at, !tombstone);
            // What was deleted is not where the row lives on.
            out.drain(..if is_kept(out) { out.len() } else { VALUE_HEADER });
            break;
        }
        // Below the floor the tombstone that would tell of a conflict may be purged.
        if let Some(fixed) = self.fixed_ts() {
            core.snapshots.check(fixed)?;
        }
        if self.wrote.get()
            && let Some(own) = self.writes.borrow_mut().get(tree, key, u32::MAX, out)?
        {
            let moved = own.tombstone && !out.is_empty();
            return Ok(Latest { ts, exists: !own.tombstone, own: true, statement: own.statement, moved });
        }
        Ok(Latest { ts, exists, own: false, statement: 0, moved: !exists && !out.is_empty() })
    }
    /// Newest committed entries (and own writes) of a range, whatever the snapshot: unique and foreign key checks under lock.
    pub fn scan_latest(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<LocalScan> {
        LocalScan::new(&self.core, self, None, tree, lo, hi, dir)
    }

    /// The same for each of the keys.
    pub fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()> {
        let mut value = Vec::new();
        for (tree, key, _) in keys.iter() {
            let found = self.get(snap, tree, key, &mut value)?;
            out.push(found, &[], if found { &value } else { &[] });
        }
        Ok(())
    }
    pub fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()> {
        let mut value = Vec::new();
        for (tree, key, _) in keys.iter() {
            let latest = self.get_latest(tree, key, &mut value)?;
            out.push(latest, &[], &value);
        }
        Ok(())
    }
    /// Locks a row, waiting for it, and reads its newest version.
    pub fn claim(&self, tree: TreeId, key: &[u8], mode: RowLock, out: &mut Vec<u8>) -> Result<Latest> {
        self.lock_row(tree, key, mode, WaitPolicy::Block)?;
        self.get_latest(tree, key, out)
    }
    /// The same for each of the keys in their order.
    pub fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()> {
        let mut value = Vec::new();
        for (tree, key, _) in keys.iter() {
            let latest = self.claim(tree, key, mode, &mut value)?;
            out.push(latest, &[], &value);
            if until == Until::Taken && latest.exists {
                break;
            }
        }
        Ok(())
    }
    /// Claims a key that is to be inserted, unless a row has it that nobody is taking away: that is said at once, without a lock. SERIALIZABLE holds what it has read.
    pub fn claim_new(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        if !self.locks_reads()
            && self.lock_row(tree, key, RowLock::Update, WaitPolicy::Skip)? == LockOutcome::Skipped
            && let Some(latest) = self.stays(tree, key, out)?
        {
            return Ok(latest);
        }
        self.claim(tree, key, RowLock::Update, out)
    }
    /// The row that has this key, if nobody is taking it away.
    fn stays(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Option<Latest>> {
        // Whoever comes after this look has not ended before the next.
        if self.core.locks.is_taken_away(self.owner.id, tree, key) {
            return Ok(None);
        }
        Ok(Some(self.get_latest(tree, key, out)?).filter(|l| l.exists))
    }
    /// For who would insert this key, or else leave the row alone that has it. That row is not locked.
    pub fn pass_by(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        if self.locks_reads() {
            return self.meet(tree, key, out).map(|met| met.1);
        }
        if self.get_latest(tree, key, out)?.exists
            && let Some(latest) = self.stays(tree, key, out)?
        {
            return Ok(latest);
        }
        self.claim_new(tree, key, out)
    }
    /// For who would insert this key, or else leave the row alone that has it: which stays, once it is met.
    pub fn meet(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<(RowLock, Latest)> {
        if self.get_latest(tree, key, out)?.exists
            && self.lock_row(tree, key, RowLock::KeyShare, WaitPolicy::Skip)? != LockOutcome::Skipped
        {
            let latest = self.get_latest(tree, key, out)?;
            if latest.exists {
                return Ok((RowLock::KeyShare, latest));
            }
        }
        Ok((RowLock::Update, self.claim(tree, key, RowLock::Update, out)?))
    }
    /// Claims each of the keys as it is wanted, in their order, up to the first that is not as it was thought to be.
    pub fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()> {
        let mut value = Vec::new();
        for ((tree, want), key, _) in wants.iter() {
            let met = match want.lock {
                Some(mode) => (mode, self.claim(tree, key, mode, &mut value)?),
                None => self.meet(tree, key, &mut value)?,
            };
            out.push(met, &[], &value);
            if want.there.is_some_and(|there| there != met.1.exists) {
                break;
            }
        }
        Ok(())
    }

    // ---- writes: into the transaction's own write set; each locks its key (at least NoKeyUpdate) first if that is not yet held ----
    pub fn put(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        self.write(tree, key, Some(value))
    }
    pub fn delete(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        self.write(tree, key, None)
    }
    pub fn put_entry(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        self.write_following(tree, key, Some(value))
    }
    pub fn delete_entry(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        self.write_following(tree, key, None)
    }
    /// Deletes a key whose row lives on under `to` of the same tree: writers that waited for it learn where ([`Latest::moved`]).
    pub fn delete_moved(&self, tree: TreeId, key: &[u8], to: &[u8]) -> Result<()> {
        self.write_entry(tree, key, to, true)
    }
    /// All of them in their order.
    pub fn write_many(&self, writes: &Writes) -> Result<()> {
        for ((tree, what), key, value) in writes.iter() {
            self.write_entry(tree, key, value, what != Write::Put)?;
        }
        Ok(())
    }
    /// A new tree, empty, others' after commit. Puts into it need no locks and are built bottom-up at commit.
    pub fn create_tree(&self) -> Result<TreeId> {
        let tree = TreeId(self.core.next_tree.fetch_add(1, Ordering::Relaxed));
        self.created.borrow_mut().push(tree);
        self.writes_now();
        Ok(tree)
    }
    /// About so many writes, of so many bytes in all, will follow at once.
    pub fn expect_writes(&self, writes: u64, bytes: u64) {
        self.writes.borrow_mut().expect(writes, bytes);
    }
    /// A key of `tree` that this transaction wrote more than once: a duplicate, to whoever fills a new tree.
    pub fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        self.writes.borrow_mut().written_twice(tree)
    }
    /// Takes effect at commit; the tree lives on until the last snapshot that may read it is gone.
    pub fn drop_tree(&self, tree: TreeId) -> Result<()> {
        self.dropped.borrow_mut().push(tree);
        Ok(())
    }

    // ---- end ----
    /// Waits until the commit is durable and visible. An error other than 08007 means it is rolled back.
    pub fn commit(self) -> Result<Ts> {
        if !self.has_writes() {
            return self.commit_without_writes();
        }
        let core = self.core.clone();
        let tied = self.tied().then(|| self.owner.clone());
        match (self.submit(), tied) {
            (Ok(s), _) => s.owner.map_or(Ok(s.ts), |owner| core.await_outcome(&owner)),
            // Replies that are void now, but leave with this error.
            (Err(e), Some(o)) => core.settle(&o).and(Err(e)),
            (Err(e), None) => Err(e),
        }
    }
    /// [`LocalTxn::commit`] of one that has no writes: nothing of it moves.
    pub(crate) fn commit_without_writes(&self) -> Result<Ts> {
        // What it read leaves with the answer: of a replica that led, and may lead no longer, in doubt not.
        self.may_answer()?;
        let tied = self.tied();
        let ts = self.end_without_writes();
        // Locks are free already; what was read under them must still become durable before anybody hears of it.
        if tied { self.core.settle(&self.owner).map(|()| ts) } else { Ok(ts) }
    }
    fn end_without_writes(&self) -> Ts {
        self.drop_snapshot();
        let ts = self.core.snapshots.applied();
        self.callbacks.take().into_iter().for_each(|f| f(ts));
        self.abandon();
        ts
    }
    /// Sends a commit on its way without waiting for it.
    pub fn submit(self) -> Result<Submitted> {
        if !self.has_writes() {
            let owner = self.owner.tie();
            return Ok(Submitted { owner, ts: self.end_without_writes() });
        }
        self.drop_snapshot();
        if let Some(e) = self.core.failure() {
            return Err(e);
        }
        self.writes.borrow_mut().settle();
        let capacity = commit_size(&self);
        if capacity as u64 > self.core.opts.large_commit_bytes {
            return self.submit_large();
        }
        self.touch_leaves();
        let loads = !self.created.borrow().is_empty();
        let mut record = record::commit_header(self.id(), capacity, loads);
        write_ops(&self, &mut record, loads)?;
        let passing = if self.owner.contended.load(Ordering::Relaxed) { handover::plan(&self, &record) } else { None };
        let after = After::Commit { locks: self.locks.take(), callbacks: self.callbacks.take() };
        self.enqueue(record, after, passing.is_some())?;
        if let Some(rows) = passing {
            let mut wake = Vec::new();
            self.core.locks.pass(&self.owner, &rows, &mut wake);
            wake.into_iter().for_each(Waker::wake);
        }
        self.core.stats.commits.fetch_add(1, Ordering::Relaxed);
        Ok(Submitted { owner: Some(self.owner.clone()), ts: 0 })
    }
    /// As [`LocalTxn::submit`], but waits until the changes are in the log (see `large.rs`).
    fn submit_large(self) -> Result<Submitted> {
        let parts = large::push_parts(&self.core, &self)?;
        let after = After::Large { locks: self.locks.take(), callbacks: self.callbacks.take() };
        if let Err(e) = self.enqueue(record::commit_parts(self.id(), parts), after, false) {
            large::forget_parts(&self.core, &self);
            return Err(e);
        }
        self.core.stats.commits.fetch_add(1, Ordering::Relaxed);
        Ok(Submitted { owner: Some(self.owner.clone()), ts: 0 })
    }
    /// Brings the leaves of a write set into memory, so that the applier, on which everybody waits, need not wait for the disk. Costs nothing
    /// while all pages fit into memory.
    fn touch_leaves(&self) {
        if self.core.store.stats().pages_evicted.load(Ordering::Relaxed) == 0 {
            return;
        }
        // All are asked for before the first is waited for.
        self.writes.borrow().for_some(TOUCH_LEAVES, |tree, key| {
            if !self.has_created(tree) {
                let _ = self.core.store.prefetch(tree, key);
            }
        });
        let mut value = Vec::new();
        self.writes.borrow().for_some(TOUCH_LEAVES, |tree, key| {
            if !self.has_created(tree) {
                // An error will meet the applier, who can tell it.
                let _ = self.core.store.get(tree, key, &mut value);
            }
        });
    }
    /// Pushes a record with the transaction's locks; gives them back to it when it is refused.
    fn enqueue(&self, record: Vec<u8>, after: After, handed: bool) -> Result<()> {
        let p = Pending { handed, ..Pending::new(record, &self.owner, after) };
        match self.core.enqueue(p) {
            Ok(()) => {
                self.ended.set(true);
                self.not_open();
                Ok(())
            }
            Err((e, p)) => {
                match p.after {
                    After::Commit { locks, .. } | After::Large { locks, .. } => *self.locks.borrow_mut() = locks,
                    After::Prepare(cell) => *self.locks.borrow_mut() = cell.take_held().0,
                    _ => {}
                }
                Err(e)
            }
        }
    }
    pub fn rollback(self) {
        drop(self);
    }
    /// PREPARE TRANSACTION: durable, with all its locks, until commit_prepared or rollback_prepared.
    pub fn prepare(self, gid: &str, owner: &str, database: &str) -> Result<()> {
        if gid.len() > GID_MAX {
            bail!(INVALID_PARAMETER_VALUE, "transaction identifier \"{gid}\" is too long");
        }
        self.drop_snapshot();
        self.writes.borrow_mut().settle();
        let size = commit_size(&self);
        if size as u64 > self.core.opts.prepared_size {
            let limit = self.core.opts.prepared_size;
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "the transaction is too large to be prepared")
                .detail(format!("It has {size} bytes of changes, the limit is {limit}."))
                .hint("Split it, or commit it without PREPARE TRANSACTION."));
        }
        let mut ops = Vec::with_capacity(size);
        // Without loads: their timestamp is not known yet.
        write_ops(&self, &mut ops, false)?;
        // What is prepared belongs to no session.
        self.owner.partner.store(0, Ordering::SeqCst);
        let locks = record::write_locks(&self.locks.borrow(), &ops)?;
        let time = self.core.platform.time();
        let body = PrepareBody {
            txn: self.id(),
            time,
            gid: gid.into(),
            owner: owner.into(),
            database: database.into(),
            ops,
            locks,
        };
        let record = body.record();
        let cell = Arc::new(PreparedCell::new(body, self.owner.clone()));
        match self.core.prepared.lock().entry(gid.into()) {
            Entry::Occupied(_) => {
                bail!(DUPLICATE_OBJECT, "transaction identifier \"{gid}\" is already in use")
            }
            Entry::Vacant(place) => drop(place.insert(cell.clone())),
        }
        *cell.held.lock() = (self.locks.take(), self.callbacks.take());
        if let Err(e) = self.enqueue(record, After::Prepare(cell), false) {
            self.core.prepared.lock().remove(gid);
            return Err(e);
        }
        self.core.await_outcome(&self.owner).map(|_| ())
    }
}

fn commit_size(txn: &LocalTxn) -> usize {
    let w = txn.writes.borrow();
    let header = if txn.created.borrow().is_empty() { 0 } else { VALUE_HEADER };
    w.data_bytes() as usize + w.len() * (16 + header)
}
/// The transaction's changes as operations: creations, then puts and deletes in key order, then drops.
/// `loads`: puts into own trees as they will stand on the page.
fn write_ops(txn: &LocalTxn, out: &mut Vec<u8>, loads: bool) -> Result<()> {
    each_op(txn, loads, &mut |op| {
        record::push_op(out, op);
        Ok(())
    })
}
pub(crate) fn each_op(txn: &LocalTxn, loads: bool, f: &mut dyn FnMut(Op) -> Result<()>) -> Result<()> {
    let (created, dropped) = (txn.created.borrow(), txn.dropped.borrow());
    for t in created.iter().filter(|t| !dropped.contains(t)) {
        f(Op::CreateTree(*t))?;
    }
    txn.writes.borrow().for_each_sorted(&mut |tree, key, change| {
        let own = !created.is_empty() && created.contains(&tree);
        if own && dropped.contains(&tree) {
            return Ok(());
        }
        match change {
            Change::Put(v) if own && loads => f(Op::Load(tree, key, v)),
            Change::Put(v) => f(Op::Put(tree, key, v)),
            // In a tree of its own there is nothing beneath to delete.
            Change::Delete(_) if own => Ok(()),
            Change::Delete([]) => f(Op::Delete(tree, key)),
            Change::Delete(to) => f(Op::Move(tree, key, to)),
        }
    })?;
    for t in dropped.iter().filter(|t| !created.contains(t)) {
        f(Op::DropTree(*t))?;
    }
    Ok(())
}
