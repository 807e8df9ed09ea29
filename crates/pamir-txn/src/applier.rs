//! The applier: takes durable records in log order, changes the trees, publishes, releases locks, answers. The only writer of the trees.
//!
//! It also forgets: old versions, tombstones and dropped trees whose time has passed (the horizon, see `snapshot.rs`). None of this is logged:
//! a tombstone that comes back after a crash is queued for purging again, because the queue is part of the checkpoint and replayed deletes join it.
//!
//! Large commits are applied in slices between batches: `large.rs`.
//!
//! Purging in slices: at most [`PURGE_SLICE`] keys after each batch, and while idle. The purge queue (`purge.rs`) has a limit; beyond it
//! the tree is noted for a sweep, which walks it and queues the tombstones it finds.
use crate::commit::{After, Callback, Pending};
use crate::core::Core;
use crate::history::Segments;
use crate::large::{Large, Session};
use crate::lock::{HeldLocks, Owner};
use crate::plant::{self, Bug};
use crate::purge::{Purge, PurgeQueue};
use crate::record::{self, LockItem, Op, PrepareBody, Reader, Record};
use crate::reign;
use crate::replay::Replay;
use crate::replica::Entered;
use crate::shard::Ts;
use crate::version::{DropQueue, Old};
use crate::{checkpoint, sequence};
use pamir_error::{Result, bail};
use pamir_storage::disk::is_full;
use pamir_storage::log::{LogReader, Lsn};
use pamir_storage::store::{Dir, TreeId, Writer};
use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;

/// Tombstones removed between two batches.
const PURGE_SLICE: usize = 256;
/// Entries a sweep looks at in one go.
const SWEEP_SLICE: usize = 2000;
/// Wakers are called after so many records of a batch at the latest.
const ANSWER_EVERY: usize = 64;

/// Timestamp and flags in front of every value.
pub(crate) const VALUE_HEADER: usize = 9;
pub(crate) const TOMBSTONE: u8 = 1;

/// Beside [`TOMBSTONE`]: the value is not where the row lives on, but what was deleted. It was committed at or below the horizon when the deletion was applied (see `in_place.rs`), so that every
/// snapshot older than the deletion sees it, whatever its own timestamp was.
pub(crate) const KEPT: u8 = 4;

/// Is this leaf value a tombstone that holds what was deleted?
#[inline]
pub(crate) fn is_kept(v: &[u8]) -> bool {
    v.get(VALUE_HEADER - 1).is_some_and(|flags| flags & KEPT != 0)
}
/// Takes a leaf value apart: (commit timestamp, tombstone, user value). A tombstone's value, if any, is the key under which the row lives on, or what was deleted ([`KEPT`]).
#[inline]
pub(crate) fn split_value(v: &[u8]) -> Result<(Ts, bool, &[u8])> {
    match v.split_first_chunk::<8>() {
        Some((ts, [flags, rest @ ..])) => Ok((u64::from_le_bytes(*ts), flags & TOMBSTONE != 0, rest)),
        _ => pamir_error::bail!(DATA_CORRUPTED, "entry without a timestamp in a tree"),
    }
}

/// A prepared transaction between PREPARE and its end.
pub(crate) struct PreparedCell {
    pub body: PrepareBody,
    pub owner: Arc<Owner>,
    /// COMMIT or ROLLBACK PREPARED is on its way.
    pub busy: AtomicBool,
    /// The Prepare record is applied. Before that only the record on its way, and who refuses it, touches `held`.
    pub ready: AtomicBool,
    pub held: Mutex<(HeldLocks, Vec<Callback>)>,
}
impl PreparedCell {
    /// It is there, but its record is not in the log yet, and it holds nothing.
    pub fn new(body: PrepareBody, owner: Arc<Owner>) -> PreparedCell {
        PreparedCell {
            body,
            owner,
            busy: AtomicBool::new(false),
            ready: AtomicBool::new(false),
            held: Mutex::default(),
        }
    }
    /// Its end: what it held is the caller's to release.
    pub fn take_held(&self) -> (HeldLocks, Vec<Callback>) {
        std::mem::take(&mut *self.held.lock())
    }
}

/// The trees to be swept, each from where its sweep has come to: sweeps of several trees may take turns.
#[derive(Default)]
pub(crate) struct Sweeps(BTreeMap<TreeId, Sweep>);
#[derive(Default)]
struct Sweep {
    from: Vec<u8>,
    /// Tombstones came since it began, perhaps behind it.
    again: bool,
}
impl Sweeps {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The tree has tombstones that nothing remembers.
    pub fn insert(&mut self, tree: TreeId) {
        let s = self.0.entry(tree).or_default();
        s.again |= !s.from.is_empty();
    }
    pub fn remove(&mut self, tree: TreeId) {
        self.0.remove(&tree);
    }
    pub fn trees(&self) -> impl Iterator<Item = TreeId> + '_ {
        self.0.keys().copied()
    }
    /// The next tree, and where to go on in it.
    fn first(&self) -> Option<(TreeId, Vec<u8>)> {
        self.0.first_key_value().map(|(t, s)| (*t, s.from.clone()))
    }
    /// Everything before `key` has been looked at.
    fn came_to(&mut self, tree: TreeId, key: &[u8]) {
        if let Some(s) = self.0.get_mut(&tree) {
            s.from.clear();
            s.from.extend_from_slice(key);
        }
    }
    /// The tree's end was reached.
    fn ended(&mut self, tree: TreeId) {
        match self.0.get_mut(&tree) {
            Some(s) if s.again => *s = Sweep::default(),
            _ => drop(self.0.remove(&tree)),
        }
    }
}

pub struct Applier {
    pub(crate) writer: Writer,
    pub(crate) versions: DropQueue,
    /// See `history.rs`.
    pub(crate) history: Segments,
    pub(crate) purge: PurgeQueue,
    pub(crate) drops: VecDeque<(Ts, TreeId)>,
    pub(crate) sweeps: Sweeps,
    /// In order of time; see [`Core::young_trees`].
    pub(crate) young: VecDeque<(Ts, TreeId)>,
    /// See `large.rs`.
    pub(crate) large: Large,
    /// Reads parts of large commits back.
    pub(crate) reader: LogReader,
    pub(crate) applied_lsn: Lsn,
    /// Where the newest checkpoint began.
    pub(crate) checkpoint_lsn: Lsn,
    pub(crate) value: Vec<u8>,
    /// What is being applied changes the catalog's tree.
    pub(crate) catalog: bool,
    /// What it says to those who listen.
    pub(crate) messages: Vec<Box<[u8]>>,
    /// A replica's: the newest entry of its group's log that is applied, and what the group was then.
    pub(crate) entered: Entered,
    /// A replica's, from its newest checkpoint; see [`crate::Journal::state`].
    pub(crate) driver_state: Vec<u8>,
    /// Recovery's changes on their way into the trees.
    replay: Replay,
}

impl Applier {
    pub(crate) fn new(writer: Writer, reader: LogReader, lsn: Lsn) -> Applier {
        Applier {
            writer,
            versions: DropQueue::default(),
            history: Segments::default(),
            purge: PurgeQueue::default(),
            drops: VecDeque::new(),
            sweeps: Sweeps::default(),
            young: VecDeque::new(),
            large: Large::default(),
            reader,
            applied_lsn: lsn,
            checkpoint_lsn: lsn,
            value: Vec::new(),
            catalog: false,
            messages: Vec::new(),
            entered: Entered::default(),
            driver_state: Vec::new(),
            replay: Replay::default(),
        }
    }
    /// Applies one durable batch, if there is one. Returns the number of records.
    pub(crate) fn step(&mut self, core: &Core) -> usize {
        let Some(batch) = core.applies.pop() else { return 0 };
        let n = batch.len();
        // A large commit's slices come later, and so does the end of what is reserved for them.
        let reserved: u64 =
            batch.iter().filter(|p| record::kind(&p.record) != record::COMMIT_LARGE_PREPARED).map(|p| p.pages).sum();
        if core.failure().is_some() {
            // After a failed change the trees are not to be touched any more; recovery will apply what is durable.
            core.answer_failed(batch);
            return n;
        }
        let (mut wake, read) = (Vec::new(), core.store.page_counts().1);
        let mut batch = batch.into_iter();
        while let Some(p) = batch.next() {
            if let Err(e) = self.apply(core, p, &mut wake) {
                core.fail(e);
                core.answer_failed(batch.collect());
                break;
            }
            if wake.len() >= ANSWER_EVERY {
                wake.drain(..).for_each(Waker::wake);
            }
        }
        wake.into_iter().for_each(Waker::wake);
        core.inline.applied(core.store.page_counts().1.saturating_sub(read));
        core.store.unreserve(reserved);
        if let Err(e) = self.forget(core) {
            core.fail(e);
        }
        checkpoint::consider(core, self);
        n
    }
    fn apply(&mut self, core: &Core, mut p: Pending, wake: &mut Vec<Waker>) -> Result<()> {
        match p.after {
            After::Entry(e) => {
                self.enter(core, e, p.lsn, wake);
                return Ok(());
            }
            After::Replicated => return self.apply_replicated(core, p, wake),
            _ => {}
        }
        if p.lsn <= self.applied_lsn {
            p.owner.decide(None, wake);
            bail!(INTERNAL_ERROR, "the log record that ends at {} is to be applied after {}", p.lsn, self.applied_lsn);
        }
        let r = match record::kind(&p.record) {
            record::PART => match self.keep_part(core, std::mem::take(&mut p.record), p.lsn, Some(p.changes)) {
                // Nothing is decided yet: its session gives the commit up.
                Err(e) if is_full(&e) => {
                    core.stats.refused.fetch_add(1, Ordering::Relaxed);
                    core.checkpoints.ask_for_room();
                    p.owner.refuse(e, wake);
                    return Ok(());
                }
                r => r,
            },
            record::COMMIT_PARTS => {
                let After::Large { locks, callbacks } = p.after else { return Reader::damaged() };
                let owner = p.owner.clone();
                let session = Session { answer: p.owner, owner, locks, callbacks };
                return self.decide(core, &p.record, p.lsn, Some(session));
            }
            record::COMMIT_LARGE_PREPARED => {
                let After::Resolve(cell) = p.after else { return Reader::damaged() };
                let (locks, callbacks) = cell.take_held();
                let session = Session { answer: p.owner, owner: cell.owner.clone(), locks, callbacks };
                core.note_decided(cell.body.txn, p.ts);
                return self.decide_prepared(cell, p.ts, p.lsn, p.pages, session);
            }
            record::FINISH => self.finish_at(core, p.ts, wake).map(|()| self.applied_lsn = p.lsn),
            // What these two say stands in the cell, taken apart already; only recovery reads it from the record.
            record::PREPARE => {
                self.applied_lsn = p.lsn;
                Ok(())
            }
            record::COMMIT_PREPARED | record::ABORT_PREPARED => {
                let After::Resolve(cell) = &p.after else { return Reader::damaged() };
                self.resolve(core, cell, (p.ts != 0).then_some(p.ts), true).map(|()| self.applied_lsn = p.lsn)
            }
            _ => self.apply_record(core, &p.record, p.lsn, true),
        };
        if let Err(e) = r {
            p.owner.decide(None, wake);
            return Err(e);
        }
        let handed = p.handed;
        if handed {
            core.overlay.applied(&p);
        }
        match p.after {
            After::Commit { mut locks, callbacks } => {
                callbacks.into_iter().for_each(|f| f(p.ts));
                locks.release_all(&p.owner, &core.locks, wake);
            }
            After::Prepare(cell) => {
                cell.owner.outlive_reign();
                cell.ready.store(true, Ordering::Release);
            }
            After::Resolve(cell) => {
                let (mut locks, callbacks) = cell.take_held();
                if p.ts != 0 {
                    callbacks.into_iter().for_each(|f| f(p.ts));
                }
                locks.release_all(&cell.owner, &core.locks, wake);
            }
            After::Refill { key, generation, steps, end, .. } => {
                core.sequences.refilled(key, generation, steps, end, wake)
            }
            After::Set { key, generation } => core.sequences.set_done(key, generation),
            After::Large { .. } | After::Finish | After::Part | After::Replicated | After::Entry(_) => {}
        }
        p.owner.decide(Some(p.ts.max(1)), wake);
        if handed {
            core.overlay.wake(p.ts, wake);
        }
        Ok(())
    }
    /// A record that another node's leadership brought.
    fn apply_replicated(&mut self, core: &Core, p: Pending, wake: &mut Vec<Waker>) -> Result<()> {
        if p.lsn <= self.applied_lsn {
            bail!(INTERNAL_ERROR, "the log record that ends at {} is to be applied after {}", p.lsn, self.applied_lsn);
        }
        match record::kind(&p.record) {
            record::PART => self.keep_part(core, p.record, p.lsn, None),
            record::COMMIT_PARTS => {
                let session = Session::nobody(Arc::new(Owner::new(0)), HeldLocks::default());
                self.decide(core, &p.record, p.lsn, Some(session))
            }
            record::COMMIT_LARGE_PREPARED => {
                let Record::CommitPrepared { ts, gid } = record::read(&p.record)? else { return Reader::damaged() };
                let Some(cell) = core.prepared.lock().get(&gid).cloned() else { return Reader::damaged() };
                cell.busy.store(true, Ordering::Release);
                let session = Session::nobody(cell.owner.clone(), cell.take_held().0);
                core.note_decided(cell.body.txn, ts);
                self.decide_prepared(cell, ts, p.lsn, 0, session)
            }
            record::FINISH => {
                self.finish_replicated(core, record::ts_of(&p.record)?, wake)?;
                self.applied_lsn = p.lsn;
                Ok(())
            }
            _ => self.apply_record(core, &p.record, p.lsn, true),
        }
    }
    /// The end of an entry of the group's log, met by recovery.
    pub(crate) fn replay_entry(&mut self, core: &Core, e: Entered, lsn: Lsn) {
        if e.id.term != self.entered.id.term {
            // Whoever would have decided them leads no longer: the first entry of a term has no records, and parts and their end are of one term.
            self.drop_all_parts(core);
        }
        self.applied_lsn = self.applied_lsn.max(lsn);
        self.entered.follow(e);
    }
    /// ... met by the applier at work.
    fn enter(&mut self, core: &Core, e: Entered, lsn: Lsn, wake: &mut Vec<Waker>) {
        self.replay_entry(core, e, lsn);
        if let Some(r) = &core.replica {
            r.entered(&self.entered, self.applied_lsn, self.has_resumed(), wake);
        }
    }
    /// What the record's bytes say; `live`: there are readers. Otherwise recovery.
    pub(crate) fn apply_record(&mut self, core: &Core, bytes: &[u8], lsn: Lsn, live: bool) -> Result<()> {
        let record = record::read(bytes)?;
        if !live && !matches!(record, Record::Commit { .. }) {
            self.flush_replay(core)?;
        }
        match record {
            Record::Commit { ts, txn, ops } => {
                core.next_txn.fetch_max(txn.saturating_add(1), Ordering::Relaxed);
                in_order(core, ts, live)?;
                self.apply_ops(core, ts, ops, live)?;
                core.told.committed(core, txn, ts);
                self.publish(core, ts);
                core.note_commit(txn);
            }
            // The applier at work takes the records of prepared transactions before they come here, but for large ones.
            Record::Prepare(body) => {
                core.next_txn.fetch_max(body.txn.saturating_add(1), Ordering::Relaxed);
                adopt(core, body)?;
            }
            Record::CommitPrepared { ts, gid } => {
                let cell = core.prepared.lock().get(&gid).cloned();
                let Some(cell) = cell else {
                    pamir_error::bail!(
                        DATA_CORRUPTED,
                        "the log commits prepared transaction \"{gid}\", which it never prepared"
                    )
                };
                in_order(core, ts, live)?;
                if record::is_large(bytes) && core.replica.is_some() {
                    core.note_decided(cell.body.txn, ts);
                    self.decide_recovered(cell, ts, lsn);
                    return Ok(());
                }
                if record::is_large(bytes) {
                    self.apply_ops(core, ts, Reader(&cell.body.ops), live)?;
                    self.large.recovered = self.large.recovered.max(ts);
                    core.note_commit(cell.body.txn);
                    core.prepared.lock().remove(&gid);
                } else {
                    self.resolve(core, &cell, Some(ts), live)?;
                }
                release_adopted(core, &cell);
            }
            Record::AbortPrepared { gid } => {
                let cell = core.prepared.lock().get(&gid).cloned();
                if let Some(cell) = cell {
                    self.resolve(core, &cell, None, live)?;
                    release_adopted(core, &cell);
                }
            }
            // The applier at work takes these before it comes here.
            // Recovery replays those without asking for room.
            Record::Part { .. } => self.keep_part(core, bytes, lsn, None)?,
            Record::CommitParts { .. } => {
                self.decide(core, bytes, lsn, None)?;
                // It must come after what was replayed before it.
                self.flush_replay(core)?;
                // A replica learns from the log when it becomes visible.
                if core.replica.is_none() {
                    self.finish_recovered(core)?;
                }
            }
            Record::Finish { ts } => {
                if core.replica.is_some() {
                    self.finish_first_recovered(core, ts)?;
                }
                in_order(core, ts, live)?;
                self.publish(core, ts);
            }
            Record::Forget { txn } => self.drop_parts(core, txn),
            Record::Stamp => {}
            Record::Direct { mut puts } => {
                while !puts.is_empty() {
                    let (key, value) = (puts.bytes()?, puts.bytes()?);
                    self.set_value(0, 0, value);
                    self.writer.put(sequence::SYSTEM_TREE, key, &self.value, &mut |_| {})?;
                }
            }
        }
        self.applied_lsn = lsn;
        Ok(())
    }
    /// The end of a prepared transaction, but for its locks: its changes become visible at `ts`; None: it is rolled back.
    fn resolve(&mut self, core: &Core, cell: &PreparedCell, ts: Option<Ts>, live: bool) -> Result<()> {
        if let Some(ts) = ts {
            self.apply_ops(core, ts, Reader(&cell.body.ops), live)?;
            core.told.committed(core, cell.body.txn, ts);
            self.publish(core, ts);
            // Before it is prepared no more.
            core.note_commit(cell.body.txn);
        }
        core.prepared.lock().remove(&cell.body.gid);
        Ok(())
    }
    /// Everything up to `ts` is in the trees.
    pub(crate) fn publish(&mut self, core: &Core, ts: Ts) {
        let told = reign::is_led(core.reign.now()) || !plant::has(Bug::CatalogNotFollowed);
        if std::mem::take(&mut self.catalog) && told {
            // Before readers can see it.
            core.catalog_ts.store(ts, Ordering::Release);
        }
        core.snapshots.publish(ts);
        if !self.messages.is_empty() {
            self.tell(core);
        }
    }
    #[cold]
    fn tell(&mut self, core: &Core) {
        let messages = std::mem::take(&mut self.messages);
        if let Some(listener) = core.listener.get() {
            messages.iter().for_each(|m| listener(m));
        }
    }
    /// Everything replayed so far is in the trees.
    pub(crate) fn flush_replay(&mut self, core: &Core) -> Result<()> {
        self.replay.flush(&core.store, &mut self.writer)
    }
    pub(crate) fn set_value(&mut self, ts: Ts, flags: u8, value: &[u8]) {
        self.value.clear();
        self.value.extend_from_slice(&ts.to_le_bytes());
        self.value.push(flags);
        self.value.extend_from_slice(value);
    }
    fn apply_ops(&mut self, core: &Core, ts: Ts, mut ops: Reader, live: bool) -> Result<()> {
        let mut created: Vec<TreeId> = Vec::new();
        loop {
            let before = ops;
            let Some(op) = record::next_op(&mut ops)? else { return Ok(()) };
            match op {
                Op::CreateTree(t) => {
                    core.next_tree.fetch_max(t.0.saturating_add(1), Ordering::Relaxed);
                    if live {
                        core.note_young(t, ts);
                        self.young.push_back((ts, t));
                    }
                    self.writer.create_tree(t)?;
                    created.push(t);
                }
                Op::Load(t, ..) => {
                    // A load into a tree that is not new would be refused by the store: it is not empty.
                    ops = self.load(t, before)?;
                }
                Op::Put(crate::MESSAGE_TREE, _, value) => {
                    // Before the start nobody listened.
                    if live {
                        self.messages.push(value.into());
                    }
                }
                Op::Put(t, ..) if created.contains(&t) => {
                    ops = self.build(t, ts, before)?;
                }
                Op::Put(t, key, value) => {
                    self.set_value(ts, 0, value);
                    self.overwrite(core, t, key, ts, live)?;
                }
                Op::Delete(t, _) => {
                    ops = self.delete(core, t, ts, before, live)?;
                }
                Op::Move(t, key, to) => {
                    self.set_value(ts, TOMBSTONE, to);
                    self.overwrite(core, t, key, ts, live)?;
                    self.queue_purge(ts, t, key);
                }
                Op::DropTree(t) => self.drops.push_back((ts, t)),
            }
        }
    }
    /// An entry of `tree` is about to change.
    pub(crate) fn touch(&mut self, tree: TreeId) -> Result<()> {
        self.catalog |= tree == crate::CATALOG_TREE;
        if self.large.building == Some(tree) { self.settle_build() } else { Ok(()) }
    }
    pub(crate) fn overwrite(&mut self, core: &Core, tree: TreeId, key: &[u8], ts: Ts, live: bool) -> Result<()> {
        self.touch(tree)?;
        if !live {
            return if self.replay.push(tree, key, &self.value) { self.flush_replay(core) } else { Ok(()) };
        }
        let queue = &mut self.versions;
        let mut damaged = Ok(());
        self.writer.put(tree, key, &self.value, &mut |old| {
            let kept = old.is_some_and(is_kept);
            let (from, old) = match old.map(split_value) {
                None => (0, Old::Absent),
                Some(Ok((from, true, v))) if kept => (from, Old::Deleted(v)),
                Some(Ok((from, true, _))) => (from, Old::Absent),
                Some(Ok((from, false, v))) => (from, Old::Value(v)),
                Some(Err(e)) => {
                    damaged = Err(e);
                    return;
                }
            };
            queue.push(ts, core.versions.push(tree, key, from, ts, old));
        })?;
        damaged
    }
    /// Fills a tree created in this record from its run of loads, bottom-up, straight from the record's bytes; returns what follows them.
    fn load<'a>(&mut self, tree: TreeId, ops: Reader<'a>) -> Result<Reader<'a>> {
        let mut rest = ops;
        let mut damaged = Ok(());
        let mut entries = std::iter::from_fn(|| {
            let mut r = rest;
            match record::next_op(&mut r) {
                Ok(Some(Op::Load(t, key, value))) if t == tree => {
                    rest = r;
                    Some((key, value))
                }
                Ok(_) => None,
                Err(e) => {
                    damaged = Err(e);
                    None
                }
            }
        });
        self.writer.bulk_build(tree, &mut entries)?;
        damaged?;
        Ok(rest)
    }
    /// The same for a prepared transaction, whose values have no header: fills a tree created in this record from its run of puts, bottom-up; returns what follows them.
    fn build<'a>(&mut self, tree: TreeId, ts: Ts, ops: Reader<'a>) -> Result<Reader<'a>> {
        // Pass 1: the values with their headers, one after the other.
        let mut values = Vec::new();
        let mut entries: Vec<(&[u8], usize, usize)> = Vec::new();
        let mut rest = ops;
        loop {
            let before = rest;
            match record::next_op(&mut rest)? {
                Some(Op::Put(t, key, value)) if t == tree => {
                    let at = values.len();
                    values.extend_from_slice(&ts.to_le_bytes());
                    values.push(0);
                    values.extend_from_slice(value);
                    entries.push((key, at, values.len()));
                }
                _ => {
                    rest = before;
                    break;
                }
            }
        }
        self.writer.bulk_build(tree, &mut entries.iter().map(|(k, a, b)| (*k, &values[*a..*b])))?;
        Ok(rest)
    }
    pub(crate) fn queue_purge(&mut self, ts: Ts, tree: TreeId, key: &[u8]) {
        if self.purge.is_full() {
            self.sweeps.insert(tree);
        } else {
            self.purge.push_back(Purge { ts, tree, key });
        }
    }
    /// Large commits in progress.
    pub(crate) fn has_large(&self) -> bool {
        !self.large.jobs.is_empty()
    }
    /// Is there something to do that waits for the horizon, or for the log?
    pub(crate) fn has_leftovers(&self, core: &Core) -> bool {
        !self.purge.is_empty()
            || self.has_large()
            || !self.large.retired.is_empty()
            || !self.history.is_empty()
            || !self.drops.is_empty()
            || !self.sweeps.is_empty()
            || !self.young.is_empty()
            || core.versions.count() > 0
    }
    /// Drops what no snapshot can see any more, a slice of it. Returns whether it did something.
    pub(crate) fn forget(&mut self, core: &Core) -> Result<bool> {
        let horizon = core.snapshots.horizon();
        self.versions.drop_below(&core.versions, horizon);
        self.keep_versions(core)?;
        let (bytes, charged) = (core.versions.bytes(), core.version_account.used());
        if bytes > charged {
            core.version_account.charge_always(bytes - charged);
        } else {
            core.version_account.release(charged - bytes);
        }
        let mut did = self.drop_before_images(core)? | self.drop_history(core)?;
        let horizon = core.snapshots.horizon();
        while let Some((_, tree)) = self.young.pop_front_if(|y| y.0 <= horizon) {
            core.young_trees.lock().remove(&tree);
        }
        if self.purge.front().is_none_or(|p| p.ts > horizon)
            && self.drops.front().is_none_or(|d| d.0 > horizon)
            && self.sweeps.is_empty()
        {
            return Ok(did);
        }
        // On a full disk this can wait: the room that is left is for commits.
        match core.store.reserve(PURGE_SLICE as u64, 0) {
            Ok(pages) => core.store.unreserve(pages),
            Err(e) if is_full(&e) => return Ok(did),
            Err(e) => return Err(e),
        }
        did |= self.purge_some(core, horizon)?;
        while let Some((_, tree)) = self.drops.pop_front_if(|d| d.0 <= horizon) {
            did = true;
            self.sweeps.remove(tree);
            if core.store.tree_exists(tree) {
                self.writer.drop_tree(tree)?;
            }
        }
        if let Some((tree, from)) = self.sweeps.first()
            && self.purge.is_half_empty()
        {
            self.sweep(core, tree, from)?;
            did = true;
        }
        Ok(did)
    }
    /// Removes the next tombstones that nobody sees any more, those of one tree together. Returns whether there were any.
    fn purge_some(&mut self, core: &Core, horizon: Ts) -> Result<bool> {
        let slice: Vec<Purge> = self.purge.iter().take(PURGE_SLICE).take_while(|p| p.ts <= horizon).collect();
        for run in slice.chunk_by(|a, b| a.tree == b.tree) {
            let Some(first) = run.first().filter(|p| core.store.tree_exists(p.tree)) else { continue };
            let keys: Vec<&[u8]> = run.iter().map(|p| p.key).collect();
            // A key written again since has another timestamp.
            let purged = self.writer.remove_run::<VALUE_HEADER>(
                first.tree,
                &keys,
                &mut |n, value| matches!(split_value(value), Ok((ts, true, _)) if ts == run[n].ts),
            )?;
            core.stats.purged.fetch_add(purged as u64, Ordering::Relaxed);
        }
        let n = slice.len();
        self.purge.pop(n);
        Ok(n > 0)
    }
    /// Walks a slice of a tree and queues its tombstones.
    fn sweep(&mut self, core: &Core, tree: TreeId, mut from: Vec<u8>) -> Result<()> {
        let mut done = true;
        if core.store.tree_exists(tree) {
            let mut found = PurgeQueue::default();
            let mut cursor = core.store.cursor(tree, Some(&from), Dir::Forward)?;
            let mut n = 0;
            while let Some((key, value)) = cursor.next()? {
                if let (ts, true, _) = split_value(value)? {
                    found.push_back(Purge { ts, tree, key });
                }
                n += 1;
                if n == SWEEP_SLICE {
                    from.clear();
                    from.extend_from_slice(key);
                    from.push(0);
                    done = false;
                    break;
                }
            }
            // In front, because the queue is ordered by time only roughly from now on, and these are old.
            self.purge.prepend(&mut found);
        }
        if done {
            self.sweeps.ended(tree);
        } else {
            self.sweeps.came_to(tree, &from);
        }
        Ok(())
    }
}

/// No timestamp is believed beyond this, so that the next ones stay in range.
const MAX_TS: Ts = 1 << 62;
/// Commits stand in the log in the order of their timestamps; a record that does not was damaged behind a right checksum.
pub(crate) fn in_order(core: &Core, ts: Ts, live: bool) -> Result<()> {
    let applied = core.snapshots.applied();
    if !live && (ts < applied || ts > MAX_TS) {
        pamir_error::bail!(DATA_CORRUPTED, "a log record has timestamp {ts}, after {applied}");
    }
    Ok(())
}

/// Recovery of a prepared transaction: it is there again, with all its locks.
pub(crate) fn adopt(core: &Core, body: PrepareBody) -> Result<()> {
    let owner = Arc::new(Owner::new(body.txn));
    let mut held = HeldLocks::default();
    let mut r = Reader(&body.locks);
    while let Some(l) = record::next_lock(&mut r)?.filter(|_| !plant::has(Bug::PreparedUnlocked)) {
        match l {
            LockItem::Row(tree, mode, key) => {
                core.locks.adopt_row(&owner, tree, key, mode);
                held.add_row(tree, key, mode, None);
            }
            LockItem::Range(tree, lo, hi) => {
                core.locks.adopt_range(&owner, tree, lo, hi);
                held.add_range(tree, lo, hi);
            }
            LockItem::Whole(tree, mode) => {
                core.locks.adopt_whole(&owner, tree, mode);
                held.add_whole(tree, mode);
            }
            LockItem::Table(table, mode) => {
                core.locks.adopt_table(&owner, table, mode);
                held.add_table(table, mode);
            }
        }
    }
    let mut ops = Reader(&body.ops);
    while let Some(op) = record::next_op(&mut ops)? {
        if let Op::CreateTree(t) = op {
            core.next_tree.fetch_max(t.0.saturating_add(1), Ordering::Relaxed);
        }
    }
    let cell = PreparedCell {
        ready: AtomicBool::new(true),
        held: Mutex::new((held, Vec::new())),
        ..PreparedCell::new(body, owner)
    };
    core.prepared.lock().insert(cell.body.gid.clone(), Arc::new(cell));
    Ok(())
}
pub(crate) fn release_adopted(core: &Core, cell: &PreparedCell) {
    let (mut locks, _) = cell.take_held();
    let mut wake = Vec::new();
    locks.release_all(&cell.owner, &core.locks, &mut wake);
    wake.into_iter().for_each(Waker::wake);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each tree's sweep goes on where it was, whichever others come between; and begins again for tombstones that it has passed.
    #[test]
    fn sweeps_of_several_trees() {
        let (low, high) = (TreeId(20), TreeId(30));
        let mut s = Sweeps::default();
        s.insert(high);
        s.came_to(high, b"k");
        s.insert(low);
        assert_eq!(s.first(), Some((low, vec![])));
        s.came_to(low, b"a");
        assert_eq!(s.first(), Some((low, b"a".to_vec())));
        s.ended(low);
        assert_eq!(s.first(), Some((high, b"k".to_vec())));
        s.insert(high);
        s.came_to(high, b"x");
        s.ended(high);
        assert_eq!(s.first(), Some((high, vec![])));
        s.ended(high);
        assert!(s.is_empty());
    }
}
