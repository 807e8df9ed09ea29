//! One open transaction: its snapshot, write set, locks, savepoints. Used by one session; dropping it rolls back.
use crate::Cancel;
use crate::commit::Callback;
use crate::core::Core;
use crate::lock::{HeldLocks, LockOutcome, Owner, Patience, RowLock, SessionLocks, TableLock, WaitPolicy};
use crate::lock::{LockMark, ROW_LOCK_OVERHEAD, row_cost};
use crate::outcome::Seat;
use crate::reign::{self, is_led};
use crate::shard::{Isolation, SavepointId, Ts};
use crate::snapshot::{Exported, Pin, Snapshot};
use crate::told::Xids;
use crate::write_set::{Change, Limits, Mark, WriteSet};
use pamir_error::Result;
use pamir_storage::store::{Finger, TreeId};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;
use std::time::{Duration, Instant};

struct Savepoint {
    id: SavepointId,
    writes: Mark,
    locks: LockMark,
    created: usize,
    dropped: usize,
    callbacks: usize,
}

/// What a snapshot sees in numbers, and which: by its timestamp and the statement, 0 where it is the transaction's.
type Known = ((Ts, u32), Xids);

/// One open transaction; belongs to one session. Dropping it rolls back.
pub struct LocalTxn {
    pub(crate) core: Arc<Core>,
    pub(crate) owner: Arc<Owner>,
    isolation: Isolation,
    read_only: bool,
    pub(crate) cancel: Arc<Cancel>,
    statement: Cell<u32>,
    pin: RefCell<Option<Arc<Pin>>>,
    /// What others may see through, where it is not `pin`.
    exported: RefCell<Vec<Arc<Pin>>>,
    pub(crate) writes: RefCell<WriteSet>,
    /// False: no own write, no own tree; reads look at the trees alone.
    pub(crate) wrote: Cell<bool>,
    pub(crate) locks: RefCell<HeldLocks>,
    savepoints: RefCell<SmallVec<[Savepoint; 1]>>,
    next_savepoint: Cell<SavepointId>,
    pub(crate) created: RefCell<SmallVec<[TreeId; 2]>>,
    pub(crate) dropped: RefCell<SmallVec<[TreeId; 2]>>,
    pub(crate) callbacks: RefCell<Vec<Callback>>,
    lock_timeout: Cell<Option<Duration>>,
    deadline: Cell<Option<Instant>>,
    pub(crate) ended: Cell<bool>,
    /// Where it is noted as open, if anybody asks.
    seat: Option<Seat>,
    /// What was said last of what a snapshot sees.
    xids: RefCell<Option<Box<Known>>>,
    /// Where a row was last looked up: it is read, then locked and read again, and so are its neighbours.
    pub(crate) finger: Cell<Finger>,
}

impl LocalTxn {
    pub(crate) fn new(core: &Arc<Core>, isolation: Isolation, read_only: bool, cancel: Arc<Cancel>) -> LocalTxn {
        // Before the id: one that may commit in a reign is of those that are given in it (see `outcome.rs`).
        let reign = core.reign.now();
        let (id, seat) = match core.outcomes.as_ref().filter(|_| core.replica.is_none() || is_led(reign)) {
            None => (core.next_txn.fetch_add(1, Ordering::Relaxed), None),
            Some(o) => {
                let (id, seat) = o.begin(&core.next_txn);
                (id, Some(seat))
            }
        };
        LocalTxn {
            core: core.clone(),
            owner: Arc::new(Owner::of_transaction(id, isolation == Isolation::ReadCommitted, reign)),
            isolation,
            read_only,
            cancel,
            statement: Cell::new(0),
            pin: RefCell::new(None),
            exported: RefCell::default(),
            writes: RefCell::new(WriteSet::new(
                core.write_sets.clone(),
                Limits {
                    memory: core.opts.write_set_memory,
                    spill: core.opts.write_set_spill,
                    disk: core.opts.write_set_disk,
                },
            )),
            wrote: Cell::new(false),
            locks: RefCell::default(),
            savepoints: RefCell::default(),
            next_savepoint: Cell::new(1),
            created: RefCell::default(),
            dropped: RefCell::default(),
            callbacks: RefCell::default(),
            lock_timeout: Cell::new(None),
            deadline: Cell::new(None),
            ended: Cell::new(false),
            seat,
            xids: RefCell::default(),
            finger: Cell::default(),
        }
    }
    /// Its number: for SQL, and in the log.
    pub fn id(&self) -> u64 {
        self.owner.number()
    }
    /// Its number for somebody who keeps it: from the first time on it is the same, and below those that are told later. 40001 under a leadership that is over.
    pub fn tell(&self) -> Result<u64> {
        if !self.is_led() || !self.core.reign.still(self.owner.reign()) {
            return Err(reign::over());
        }
        let core = &self.core;
        let next = || core.next_txn.fetch_add(1, Ordering::SeqCst);
        Ok(core.tell(&self.owner, || match (&core.outcomes, self.seat) {
            (Some(o), Some(seat)) => o.renumber(self.owner.number(), seat, next),
            _ => next(),
        }))
    }
    pub fn is_told(&self) -> bool {
        self.owner.is_told()
    }
    /// What this statement's snapshot sees, in numbers that were told. 72000: that is not known any more.
    pub fn xids(&self) -> Result<Xids> {
        if !self.is_led() || !self.core.reign.still(self.owner.reign()) {
            return Err(reign::over());
        }
        let pin = self.pin.borrow().clone().filter(|p| p.is_registered());
        let fixed = self.fixed_snapshot() && pin.is_some();
        // Between statements nothing is held: what is newest now counts.
        let pin = pin.unwrap_or_else(|| Arc::new(Pin::new(&self.core.snapshots, false)));
        let of = (pin.ts(), if fixed { 0 } else { self.statement.get() });
        let mut known = self.xids.borrow_mut();
        if let Some((_, xids)) = known.as_deref().filter(|k| k.0 == of) {
            return Ok(xids.clone());
        }
        let xids = self.core.xids(pin.ts(), &self.owner)?;
        *known = Some(Box::new((of, xids.clone())));
        Ok(xids)
    }
    /// The session's process number, for deadlock reports.
    pub fn set_process(&self, pid: u32) {
        self.owner.pid.store(pid, Ordering::Relaxed);
    }
    /// What was read of this shard before it reads again: what is applied does not become less.
    pub fn not_below(&self, _: Ts) {}
    /// The newest snapshot that was taken; 0: none.
    pub fn told(&self) -> Option<Ts> {
        Some(self.pin.borrow().as_ref().map_or(0, |p| p.ts()))
    }
    /// A never used 64-bit id of a space: [`crate::Shard::next_id`], which is not undone with the transaction.
    pub fn next_id(&self, space: u64) -> Result<u64> {
        self.core.sequences.next_id(&self.core, space)
    }
    /// So many of them at once.
    pub fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()> {
        (0..n).try_for_each(|_| self.next_id(space).map(|id| out.push(id)))
    }
    /// Pages that this task touched, and of them read from disk, so far: the difference of two calls is what came between (EXPLAIN's BUFFERS).
    pub fn page_counts(&self) -> (u64, u64) {
        self.core.store.page_counts()
    }
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }
    pub fn read_only(&self) -> bool {
        self.read_only
    }
    pub fn has_writes(&self) -> bool {
        !self.writes.borrow().is_empty() || !self.created.borrow().is_empty() || !self.dropped.borrow().is_empty()
    }
    /// Reads take locks and see the newest committed rows. A read-only serializable transaction need not: with writers under strict two-phase
    /// locking, commit order is a serial order and every snapshot is a prefix of it.
    #[inline]
    pub(crate) fn locks_reads(&self) -> bool {
        self.isolation == Isolation::Serializable && !self.read_only
    }
    fn fixed_snapshot(&self) -> bool {
        match self.isolation {
            Isolation::ReadCommitted => false,
            Isolation::RepeatableRead => true,
            Isolation::Serializable => self.read_only,
        }
    }
    /// Starts the next statement: a fresh snapshot at READ COMMITTED, else the transaction's. It contains every commit this transaction has met.
    pub fn statement(&self) -> Snapshot {
        if self.tied() {
            // An error will be told by the next `settle` or the commit: nothing gets around those.
            let _ = self.core.settle(&self.owner);
        }
        self.statement.set(self.statement.get() + 1);
        let mut slot = self.pin.borrow_mut();
        let fixed = self.fixed_snapshot();
        let pin = match &mut *slot {
            Some(pin) if fixed => pin.clone(),
            Some(pin) => {
                match Arc::get_mut(pin) {
                    Some(p) => p.renew(),
                    // An open cursor still reads through the old one.
                    None => *pin = Arc::new(Pin::new(&self.core.snapshots, true)),
                }
                pin.clone()
            }
            None => slot.insert(Arc::new(Pin::new(&self.core.snapshots, !fixed))).clone(),
        };
        Snapshot::new(pin, self.statement.get())
    }
    /// As [`LocalTxn::statement`], for who numbers the statements itself, each higher than the one before; those it leaves out have read nothing.
    pub fn statement_at(&self, number: u32) -> Snapshot {
        self.statement.set(self.statement.get().max(number.saturating_sub(1)));
        self.statement()
    }
    /// Has this transaction met a commit that was not yet durable? Then nothing that it read may leave before [`LocalTxn::settle`].
    #[inline]
    pub fn tied(&self) -> bool {
        self.owner.tied()
    }
    /// Waits until all that this transaction has met is durable: to be called before anything it read is told to the outside (rows, a tag, an error). The answers of
    /// commit and prepare imply it. One load when there is nothing to wait for. Of a replica, waits also until it knows that what it read is what the group's leader would have read.
    #[inline]
    pub fn settle(&self) -> Result<()> {
        if self.tied() {
            self.core.settle(&self.owner)?;
        }
        self.may_answer()
    }
    /// The part of [`LocalTxn::settle`] that no disk is waited for: what was read is what the group's leader would have read. For answers that are settled later, or that nothing ties.
    #[inline]
    pub fn may_answer(&self) -> Result<()> {
        match &self.core.replica {
            None => Ok(()),
            Some(r) => r.may_answer(self),
        }
    }
    /// Makes the own writes so far visible to later snapshots of the same statement (between a statement's parts: triggers, foreign key
    /// actions, data-modifying CTEs). The view of others' commits stays.
    pub fn advance_statement(&self) -> Snapshot {
        self.statement.set(self.statement.get() + 1);
        let beside = match &*self.pin.borrow() {
            Some(pin) if self.fixed_snapshot() => Some(Snapshot::new(pin.clone(), self.statement.get())),
            // No open snapshot: there is no view to keep.
            Some(pin) => Snapshot::beside(pin, self.statement.get()),
            None => None,
        };
        beside.unwrap_or_else(|| {
            self.statement.set(self.statement.get() - 1);
            self.statement()
        })
    }
    /// What this transaction sees now, for others: valid until it ends.
    pub fn export(&self) -> Exported {
        if self.fixed_snapshot() {
            drop(self.statement());
            if let Some(pin) = &*self.pin.borrow() {
                return Exported(Arc::downgrade(pin));
            }
        }
        let pin = Arc::new(Pin::new(&self.core.snapshots, false));
        let out = Exported(Arc::downgrade(&pin));
        self.exported.borrow_mut().push(pin);
        out
    }
    /// Sees what another transaction sees, from the first statement on; false: that one has ended, or this one has begun to read or does not keep a snapshot.
    pub fn adopt(&self, seen: &Exported) -> bool {
        let mut slot = self.pin.borrow_mut();
        match seen.0.upgrade() {
            Some(pin) if self.fixed_snapshot() && slot.is_none() => {
                *slot = Some(pin);
                true
            }
            _ => false,
        }
    }
    /// The timestamp of a snapshot that lasts as long as the transaction.
    pub(crate) fn fixed_ts(&self) -> Option<Ts> {
        if self.fixed_snapshot() { self.pin.borrow().as_ref().map(|p| p.ts()) } else { None }
    }
    /// lock_timeout and the statement's deadline, for all waits that follow.
    pub fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>) {
        self.lock_timeout.set(lock_timeout);
        self.deadline.set(deadline);
    }
    pub(crate) fn patience(&self) -> Patience<'_> {
        Patience { lock_timeout: self.lock_timeout.get(), deadline: self.deadline.get(), cancel: &self.cancel }
    }
    #[inline]
    pub(crate) fn has_created(&self, tree: TreeId) -> bool {
        let c = self.created.borrow();
        !c.is_empty() && c.contains(&tree)
    }
    pub fn lock_row(&self, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> {
        // Nobody else knows a tree that is not committed yet.
        if self.has_created(tree) {
            return Ok(LockOutcome::Granted);
        }
        let held = self.locks.borrow().row(tree, key);
        if held.is_some_and(|h| h >= mode) {
            return Ok(LockOutcome::Granted);
        }
        let got = self.core.locks.lock_row(&self.owner, tree, key, mode, policy, &self.patience())?;
        if got == LockOutcome::Granted {
            self.locks.borrow_mut().add_row(tree, key, mode, held);
            self.writes.borrow_mut().charge_extra(row_cost(key))?;
            let limit = self.core.opts.lock_escalation;
            if self.locks.borrow().many(limit) {
                let freed = self.locks.borrow_mut().escalate(&self.owner, &self.core.locks, limit);
                self.writes.borrow_mut().release_extra(freed);
            }
        }
        Ok(got)
    }
    /// Locks [lo, hi) against writers until the transaction ends, as a serializable scan does.
    pub fn lock_range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<()> {
        if hi.is_some_and(|h| h <= lo) || self.locks.borrow().covers(tree, lo, hi) || self.has_created(tree) {
            return Ok(());
        }
        self.core.locks.lock_range(&self.owner, tree, lo, hi, &self.patience())?;
        self.locks.borrow_mut().add_range(tree, lo, hi);
        self.writes.borrow_mut().charge_extra(ROW_LOCK_OVERHEAD)
    }
    /// `table` is any stable number (the table's OID). Weak modes (up to RowExclusive) are cheap.
    pub fn lock_table(&self, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
        if self.locks.borrow().table(table, mode) {
            return Ok(LockOutcome::Granted);
        }
        let got = self.core.locks.lock_table(&self.owner, table, mode, policy, &self.patience())?;
        if got == LockOutcome::Granted {
            self.locks.borrow_mut().add_table(table, mode);
        }
        Ok(got)
    }
    /// The newest value on the page.
    #[inline]
    pub(crate) fn look_up(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let mut finger = self.finger.take();
        let found = self.core.store.get_near(&mut finger, tree, key, out);
        self.finger.set(finger);
        found
    }
    pub(crate) fn write(&self, tree: TreeId, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        self.write_entry(tree, key, value.unwrap_or(&[]), value.is_none())
    }
    /// The same for an entry that follows a locked row.
    pub(crate) fn write_following(&self, tree: TreeId, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        let follows = !self.has_created(tree) && self.locks.borrow_mut().follows(&self.owner, &self.core.locks, tree);
        if !follows {
            return self.write(tree, key, value);
        }
        self.note_write(tree, key, value.unwrap_or(&[]), value.is_none())
    }
    /// The value of a tombstone names the key under which the row lives on, or is empty.
    pub(crate) fn write_entry(&self, tree: TreeId, key: &[u8], value: &[u8], tombstone: bool) -> Result<()> {
        let mode = if tombstone { RowLock::Update } else { RowLock::NoKeyUpdate };
        self.lock_row(tree, key, mode, WaitPolicy::Block)?;
        self.note_write(tree, key, value, tombstone)
    }
    /// What is locked is written.
    fn note_write(&self, tree: TreeId, key: &[u8], value: &[u8], tombstone: bool) -> Result<()> {
        let place = (&self.core.disk, self.owner.id);
        let change = if tombstone { Change::Delete(value) } else { Change::Put(value) };
        self.writes.borrow_mut().write(tree, key, change, self.statement.get(), place)?;
        self.writes_now();
        Ok(())
    }
    /// The session's own locks go with this transaction from now on.
    pub fn join(&self, locks: &SessionLocks) {
        locks.join(self)
    }
    /// Takes a lock for the session, waiting as this transaction may.
    pub fn lock_for_session(
        &self,
        locks: &mut SessionLocks,
        number: u64,
        mode: TableLock,
        policy: WaitPolicy,
    ) -> Result<LockOutcome> {
        locks.lock(self, number, mode, policy)
    }
    pub fn savepoint(&self) -> SavepointId {
        let id = self.next_savepoint.get();
        self.next_savepoint.set(id + 1);
        self.savepoints.borrow_mut().push(Savepoint {
            id,
            writes: self.writes.borrow().mark(),
            locks: self.locks.borrow().mark(),
            created: self.created.borrow().len(),
            dropped: self.dropped.borrow().len(),
            callbacks: self.callbacks.borrow().len(),
        });
        id
    }
    /// Drops writes and locks made since. The savepoint itself stays, as in SQL. At SERIALIZABLE the locks stay but for tables: what was read was told, and other
    /// transactions may not change it before this one ends (PostgreSQL's read locks outlive a savepoint too).
    pub fn rollback_to(&self, sp: SavepointId) {
        let mut saves = self.savepoints.borrow_mut();
        let Some(at) = saves.iter().position(|s| s.id == sp) else { return };
        saves.truncate(at + 1);
        let s = &saves[at];
        self.writes.borrow_mut().rollback_to(s.writes);
        self.created.borrow_mut().truncate(s.created);
        self.dropped.borrow_mut().truncate(s.dropped);
        self.callbacks.borrow_mut().truncate(s.callbacks);
        self.wrote.set(!self.writes.borrow().is_empty() || !self.created.borrow().is_empty());
        let mut wake = Vec::new();
        if self.locks_reads() {
            self.locks.borrow_mut().release_tables_to(s.locks, &self.owner, &self.core.locks, &mut wake);
        } else {
            let freed = self.locks.borrow_mut().release_to(s.locks, &self.owner, &self.core.locks, &mut wake);
            self.writes.borrow_mut().release_extra(freed);
        }
        wake.into_iter().for_each(Waker::wake);
    }
    pub fn release(&self, sp: SavepointId) {
        let mut saves = self.savepoints.borrow_mut();
        if let Some(at) = saves.iter().position(|s| s.id == sp) {
            saves.truncate(at);
        }
    }
    /// Runs in the applier right after the commit became visible and before its locks are released (a new catalog is published so).
    /// It must be short and must not wait: all later commits stand behind it.
    pub fn on_commit(&self, f: Box<dyn FnOnce(Ts) + Send>) {
        self.callbacks.borrow_mut().push(f);
    }
    #[inline]
    pub(crate) fn writes_now(&self) {
        if !self.wrote.replace(true) {
            self.owner.writes();
        }
    }
    /// Its record has a place in the queue, or never will.
    pub(crate) fn not_open(&self) {
        if let (Some(o), Some(seat)) = (&self.core.outcomes, self.seat) {
            o.end(self.owner.number(), seat);
        }
    }
    /// Did it begin under a leadership of this node? A replica's only: a shard of its own leads always.
    pub fn is_led(&self) -> bool {
        self.core.replica.is_none() || is_led(self.owner.reign())
    }
    /// The tables that it keeps from being changed, if it has only read, each statement for itself, and told nobody its number: then nothing of it is missed if another goes on in its place that holds the same. None: it holds more.
    pub fn tables_read(&self) -> Option<Vec<u64>> {
        let locks = self.locks.borrow();
        let reads = self.isolation == Isolation::ReadCommitted
            && !self.has_writes()
            && !self.is_told()
            && self.savepoints.borrow().is_empty();
        if !reads
            || locks.rows().next().is_some()
            || locks.ranges().next().is_some()
            || locks.wholes().next().is_some()
            || locks.intents().next().is_some()
        {
            return None;
        }
        locks.tables().map(|(table, mode)| (mode == TableLock::AccessShare).then_some(table)).collect()
    }
    /// Ends without a trace: locks go, writes are forgotten.
    pub(crate) fn abandon(&self) {
        if self.ended.replace(true) {
            return;
        }
        self.not_open();
        let mut locks = self.locks.borrow_mut();
        if !locks.is_empty() {
            let mut wake = Vec::new();
            locks.release_all(&self.owner, &self.core.locks, &mut wake);
            wake.into_iter().for_each(Waker::wake);
        }
    }
    /// History is held for this transaction no longer.
    pub(crate) fn drop_snapshot(&self) {
        self.pin.borrow_mut().take();
    }
}
impl Drop for LocalTxn {
    fn drop(&mut self) {
        self.abandon();
    }
}
