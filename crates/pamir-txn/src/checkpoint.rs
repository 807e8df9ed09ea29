//! Checkpoints of the whole shard: the store's pages plus this layer's own state at one log position. The trees' shape and all state are exactly of that
//! position; entries may be newer (see the store's `checkpoint.rs`), which replaying the log from there settles: every change in it says what a key's value
//! *is*, so putting it a second time, or after a later one, does no harm as long as the last one is put last.
//!
//! ```text
//!   meta := version u8 = 2, applied_ts u64, next_txn u64, next_tree u64,
//!           n v, prepared...            (as in the log, see record.rs)
//!           n v, (ts u64, tree v, key bytes)...   tombstones to purge, at most META_PURGE_LIMIT
//!           n v, tree v...                        trees to sweep
//!           n v, (ts u64, tree v)...              trees to drop
//!           undecided and unfinished large commits     (see large.rs)
//!           of a replica, whose version is 4: index u64, term u64, group bytes, state bytes    (see replica.rs), outcomes (see outcome.rs)
//! ```
//! Prepared transactions are in it whole; of the log before a checkpoint only parts of large commits are needed. Counters are rows of the system tree.
//!
//! A checkpoint starts when the log since the last one began exceeds `checkpoint_bytes`, when the pages changed exceed it and half
//! the cache as well (each takes a second place in the page file until then), when asked for, and at close. Not earlier: the longer it waits, the more
//! changes share the write of a page. The machine takes the applier's mutex only to mark the state; pages are written beside the applier.
//!
//! **Pace.** One that starts by volume has [`SPREAD`] of the interval to the next one: it writes a step whenever it is behind that plan, so its work is spread evenly
//! and the log's syncs find the disk free. (At most `checkpoint_bytes` and that share of it are replayed after a crash.) One that somebody waits for works half of
//! the time, or less where there is no haste ([`CheckpointShare`]): its pages, and those that a backup reads, come on top of all else. One that falls behind its plan
//! by much ([`LATE`]), meets a full disk, or is the last one before the end, works all the time.
//!
//! **A full disk** does not fail a checkpoint as a rule: the page file keeps room for one ([`pamir_storage::store::Store::reserve`]). One that does meet it is abandoned, the
//! one before it stays, whoever waits gets 53100, and [`RETRY_BATCHES`] or [`RETRY_AFTER`] later it is tried again.
use crate::applier::{Applier, adopt};
use crate::core::Core;
use crate::outcome::first_of_term;
use crate::purge::Purge;
use crate::record::{PrepareBody, Reader, put_bytes, put_varint};
use crate::replica::{Entered, EntryId};
use crate::shard::Ts;
use pamir_error::{Error, Result, bail, err};
use pamir_storage::disk::is_full;
use pamir_storage::log::Lsn;
use pamir_storage::store::{Checkpoint, TreeId};
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::task::{Poll, Waker};
use std::time::Duration;

/// What is written. Since 3 a tree may hold tombstones that keep what was deleted (`large.rs`), which older programs would take for moved rows.
pub const META_VERSION: u8 = 3;
/// What a replica writes: its log is not one that a shard of its own could go on with.
const META_OF_REPLICA: u8 = 4;
/// The oldest that is read.
const META_OLDEST: u8 = 2;
/// All parts of an interval, of a checkpoint.
const WHOLE: u64 = 1000;
/// More tombstones than this are not listed; their trees are swept after a restart.
pub const META_PURGE_LIMIT: usize = 1 << 16;
/// Pages written by one step.
const STEP_PAGES: usize = 64;
/// After a checkpoint that met a full disk, the applier asks for the next one so many batches later,
const RETRY_BATCHES: u32 = 256;
/// or the checkpoint's thread so much later.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Parts of the interval between two checkpoints, a thousand in all, in which one is to be written,
const SPREAD: u64 = 500;
/// and after which it hurries.
const LATE: u64 = 750;
/// The checkpoint's thread rests between two steps at most so long,
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// and looks so often whether it is behind its plan.
const GLANCE: Duration = Duration::from_millis(5);
/// Transaction ids skipped at a restart: those of transactions that wrote nothing left no trace.
pub(crate) const TXN_ID_SKIP: u64 = 1 << 20;

fn write_meta(core: &Core, a: &Applier) -> Vec<u8> {
    let mut out = vec![if core.replica.is_some() { META_OF_REPLICA } else { META_VERSION }];
    for n in [core.snapshots.applied(), core.next_txn.load(Ordering::Relaxed), core.next_tree.load(Ordering::Relaxed)] {
        out.extend_from_slice(&n.to_le_bytes());
    }
    // Those whose record is not applied yet come after the checkpoint in the log.
    let prepared: Vec<_> = core.prepared.lock().values().filter(|c| c.ready.load(Ordering::Acquire)).cloned().collect();
    put_varint(&mut out, prepared.len() as u64);
    prepared.iter().for_each(|c| c.body.write(&mut out));
    let mut sweeps: BTreeSet<TreeId> = a.sweeps.trees().collect();
    sweeps.extend(a.large.jobs.iter().flat_map(|j| &j.sweeps));
    let purges = || a.purge.iter().chain(a.large.jobs.iter().flat_map(|j| j.purge.iter()));
    let listed = purges().count().min(META_PURGE_LIMIT);
    put_varint(&mut out, listed as u64);
    for p in purges().take(listed) {
        out.extend_from_slice(&p.ts.to_le_bytes());
        put_varint(&mut out, p.tree.0);
        put_bytes(&mut out, p.key);
    }
    sweeps.extend(purges().skip(listed).map(|p| p.tree));
    put_varint(&mut out, sweeps.len() as u64);
    sweeps.iter().for_each(|t| put_varint(&mut out, t.0));
    let mut drops: Vec<(Ts, TreeId)> = a.drops.iter().copied().collect();
    drops.extend(a.large.jobs.iter().flat_map(|j| j.drops.iter().map(|t| (j.ts, *t))));
    drops.extend(a.leftover_before_images());
    drops.extend(a.history.trees());
    put_varint(&mut out, drops.len() as u64);
    for (ts, tree) in drops {
        out.extend_from_slice(&ts.to_le_bytes());
        put_varint(&mut out, tree.0);
    }
    a.write_large(&mut out);
    if let Some(r) = &core.replica {
        out.extend_from_slice(&a.entered.id.index.to_le_bytes());
        out.extend_from_slice(&a.entered.id.term.to_le_bytes());
        put_bytes(&mut out, &a.entered.group);
        put_bytes(&mut out, &r.journal.state());
        if let Some(o) = &core.outcomes {
            o.write(&mut out);
        }
    }
    out
}

/// Puts the state of the newest checkpoint back, before the log is replayed. [`Applier::first_part`] then says from where on the log is needed.
pub(crate) fn read_meta(core: &Core, a: &mut Applier, meta: &[u8]) -> Result<()> {
    if meta.is_empty() {
        return Ok(());
    }
    let mut r = Reader(meta);
    let version = r.u8()?;
    if version == META_OF_REPLICA && core.replica.is_none() && !core.opts.adopt {
        return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the data directory belongs to a node of a cluster")
            .hint("Start it with --node-addr."));
    }
    if !(META_OLDEST..=META_OF_REPLICA).contains(&version) {
        bail!(
            DATA_CORRUPTED,
            "checkpoint has format version {version}, this program reads versions {META_OLDEST} to {META_OF_REPLICA}"
        );
    }
    core.snapshots.publish(r.u64()?);
    core.next_txn.fetch_max(r.u64()? + TXN_ID_SKIP, Ordering::Relaxed);
    core.next_tree.fetch_max(r.u64()?, Ordering::Relaxed);
    for _ in 0..r.varint()? {
        adopt(core, PrepareBody::read(&mut r)?)?;
    }
    for _ in 0..r.varint()? {
        let (ts, tree, key) = (r.u64()?, TreeId(r.varint()?), r.bytes()?);
        a.purge.push_back(Purge { ts, tree, key });
    }
    for _ in 0..r.varint()? {
        a.sweeps.insert(TreeId(r.varint()?));
    }
    for _ in 0..r.varint()? {
        let ts = r.u64()?;
        a.drops.push_back((ts, TreeId(r.varint()?)));
    }
    a.read_large(core, &mut r)?;
    if version == META_OF_REPLICA {
        a.entered = Entered { id: EntryId { index: r.u64()?, term: r.u64()? }, group: r.bytes()?.into() };
        a.driver_state = r.bytes()?.to_vec();
    }
    if let Some(o) = &core.outcomes {
        match version == META_OF_REPLICA && !r.is_empty() {
            true => o.read(&mut r)?,
            // What a leadership that did not keep outcomes has given: all ids of its term, and what a shard with a log of its own gave.
            false => {
                let of_term = if core.replica.is_some() { first_of_term(a.entered.id.term + 1) } else { 0 };
                o.know_from(core.next_txn.load(Ordering::Relaxed).max(of_term));
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct State {
    /// Checkpoints asked for, begun and finished so far.
    wanted: u64,
    begun: u64,
    finished: u64,
    closed: bool,
    /// The last one met a full disk.
    abandoned: Option<Error>,
    /// Batches until one may be asked for again after that.
    pause: u32,
    /// Something was applied since the last one began: another would give room back.
    useful: bool,
    /// The running one, or the next, is to go at full speed.
    hurry: bool,
    /// The share of the time that the running one has, and the next, where somebody waits for it.
    share: Option<CheckpointShare>,
    next: Option<CheckpointShare>,
    /// How much of the interval since the last one began is gone, and of the running one is written, in parts of a thousand.
    gone: u64,
    done: u64,
    waiters: Vec<Waker>,
}
/// How much of the time a checkpoint works that somebody waits for. The greatest is the one with most haste.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckpointShare {
    /// A base backup: a tenth of a busy server's work is all that it may take.
    Eighth,
    /// A node that is to have the pages.
    Quarter,
    /// CHECKPOINT.
    Half,
}
impl CheckpointShare {
    /// The rest after a step, in its own length.
    fn rest(self) -> u32 {
        match self {
            CheckpointShare::Eighth => 7,
            CheckpointShare::Quarter => 3,
            CheckpointShare::Half => 1,
        }
    }
}
/// Where checkpoints are asked for.
#[derive(Default)]
pub(crate) struct Requests {
    state: Mutex<State>,
    wake: Condvar,
}
impl Requests {
    /// Asks for one that begins from now on; returns its number.
    pub fn ask(&self, share: CheckpointShare) -> u64 {
        let mut s = self.state.lock();
        s.wanted = s.begun + 1;
        s.next = s.next.max(Some(share));
        // Who waits for the next one waits for the running one first.
        s.share = s.share.max(Some(share));
        let n = s.wanted;
        drop(s);
        self.wake.notify_one();
        n
    }
    /// Asks for one if that may give back space on the disk.
    pub fn ask_for_room(&self) {
        let mut s = self.state.lock();
        if s.useful && s.pause == 0 && s.wanted <= s.finished {
            s.wanted = s.begun + 1;
            s.hurry = true;
            drop(s);
            self.wake.notify_one();
        }
    }
    /// The thread's pause after a step that took so long.
    pub fn breathe(&self, step: Duration) {
        let mut s = self.state.lock();
        let rests = |s: &State| !s.hurry && !s.closed && s.begun > s.finished;
        let mut left = LONGEST_PAUSE;
        while rests(&s) && s.share.is_none() && s.done * SPREAD / WHOLE >= s.gone && !left.is_zero() {
            self.wake.wait_for(&mut s, GLANCE);
            left = left.saturating_sub(GLANCE);
        }
        if rests(&s)
            && let Some(share) = s.share
        {
            self.wake.wait_for(&mut s, step.min(LONGEST_PAUSE) * share.rest());
        }
    }
    /// So much of the running one is written, in parts of a thousand.
    fn written(&self, done: u64) {
        self.state.lock().done = done;
    }
    /// Whether checkpoint `n` is over; an error if the last one was abandoned.
    pub fn finished(&self, n: u64, w: &Waker) -> Poll<Result<()>> {
        let mut s = self.state.lock();
        if s.finished >= n {
            return Poll::Ready(s.abandoned.clone().map_or(Ok(()), Err));
        }
        s.waiters.push(w.clone());
        Poll::Pending
    }
    fn due(&self) -> bool {
        let s = self.state.lock();
        s.wanted > s.begun
    }
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.wake.notify_all();
    }
    /// Sleeps until one is due; false: closed.
    pub fn wait(&self) -> bool {
        let mut s = self.state.lock();
        while !s.closed && s.wanted <= s.begun {
            if s.abandoned.is_none() {
                self.wake.wait(&mut s);
            } else if self.wake.wait_for(&mut s, RETRY_AFTER).timed_out() {
                s.wanted = s.begun + 1;
            }
        }
        !s.closed
    }
    fn begin(&self) {
        let mut s = self.state.lock();
        s.begun += 1;
        s.useful = false;
        (s.gone, s.done) = (0, 0);
        s.share = s.next.take();
    }
    /// A batch was applied; `gone`: how much of the interval since the last one began is over, in parts of a thousand.
    fn applied(&self, gone: u64) {
        let mut s = self.state.lock();
        s.useful = true;
        s.gone = gone;
        s.hurry |= gone > LATE && s.begun > s.finished;
        s.pause = s.pause.saturating_sub(1);
        if gone > WHOLE && s.pause == 0 && s.wanted <= s.finished {
            s.wanted = s.begun + 1;
            drop(s);
            self.wake.notify_one();
        }
    }
    /// None: it is durable.
    fn finish(&self, abandoned: Option<Error>) {
        let mut s = self.state.lock();
        s.finished = s.begun;
        s.hurry = false;
        s.pause = if abandoned.is_some() { RETRY_BATCHES } else { 0 };
        s.abandoned = abandoned;
        let waiters = std::mem::take(&mut s.waiters);
        drop(s);
        waiters.into_iter().for_each(Waker::wake);
    }
    /// Wakes everybody; they look at the shard's failure.
    pub fn wake_all(&self) {
        let waiters = std::mem::take(&mut self.state.lock().waiters);
        waiters.into_iter().for_each(Waker::wake);
    }
}

/// Called by the applier after each batch: is it time?
pub(crate) fn consider(core: &Core, a: &Applier) {
    let log = a.applied_lsn.saturating_sub(a.checkpoint_lsn);
    let pages = core.opts.checkpoint_bytes.max(core.opts.cache_size / 2);
    let part = |n: u64, of: u64| n.saturating_mul(WHOLE) / of.max(1);
    core.checkpoints.applied(part(log, core.opts.checkpoint_bytes).max(part(a.writer.dirty_bytes(), pages)));
}

/// Writes checkpoints, one at a time, step by step.
#[derive(Default)]
pub struct CheckpointMachine {
    /// With the position from which on it needs the log.
    running: Option<(Checkpoint, Lsn, Entered)>,
    /// What the newest one of this run holds, if it needs nothing of the log before it.
    newest: Option<Entered>,
    /// ... the running one will be such.
    alone: bool,
    /// pages it had to write
    total: u64,
    /// where the one before it began
    last: Lsn,
}
impl CheckpointMachine {
    /// Begins a checkpoint that is due or writes some pages of the running one. False: there is nothing to do.
    pub(crate) fn step(&mut self, core: &Core) -> bool {
        if core.failure().is_some() {
            return false;
        }
        match self.try_step(core) {
            Ok(more) => more,
            // Store and log say whether they still know what the disk holds.
            Err(e) if is_full(&e) && core.store.failure().is_none() && !core.log_failed() => {
                tracing::warn!(error = %e, "the checkpoint is put off");
                core.applier.lock().checkpoint_lsn = self.last;
                core.checkpoints.finish(Some(e));
                false
            }
            Err(e) => {
                core.fail(e);
                false
            }
        }
    }
    pub(crate) fn newest_alone(&self) -> Option<Entered> {
        self.newest.clone()
    }
    fn try_step(&mut self, core: &Core) -> Result<bool> {
        let Some((mut cp, keep, entered)) = self.running.take() else {
            // What another replica's pages hold beyond their entry is not known to a checkpoint of this one.
            if !core.checkpoints.due() || !core.is_readable() {
                return Ok(false);
            }
            core.checkpoints.begin();
            let mut a = core.applier.lock();
            a.settle_build()?;
            let meta = write_meta(core, &a);
            let lsn = a.applied_lsn;
            let first_part = a.first_part();
            self.alone = first_part.is_none();
            let keep = first_part.map_or(lsn, |p| p.min(lsn));
            let cp = a.writer.begin_checkpoint(lsn, &meta)?;
            self.total = cp.left();
            self.running = Some((cp, keep, a.entered.clone()));
            self.last = std::mem::replace(&mut a.checkpoint_lsn, lsn);
            return Ok(true);
        };
        if !cp.step(STEP_PAGES)? {
            core.checkpoints.written(WHOLE - (cp.left() * WHOLE / self.total.max(1)).min(WHOLE));
            self.running = Some((cp, keep, entered));
            return Ok(true);
        }
        // All that was applied so far is durable in the log, and no page can hold more.
        if let Some(durable) = core.log_durable() {
            cp.reaches(durable);
        }
        cp.finish()?;
        core.truncate_log(keep, &entered)?;
        self.newest = self.alone.then_some(entered);
        core.stats.checkpoints.fetch_add(1, Ordering::Relaxed);
        core.checkpoints.finish(None);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who has most haste sets the pace of the running one as well; the next one's is that of those who wait for it.
    #[test]
    fn haste_adds_up() {
        use CheckpointShare::*;
        let r = Requests::default();
        let share = || r.state.lock().share;
        r.ask(Half);
        r.begin();
        r.ask(Eighth);
        assert_eq!(share(), Some(Half));
        r.finish(None);
        assert!(r.due());
        r.begin();
        assert_eq!(share(), Some(Eighth));
        r.ask(Half);
        r.ask(Quarter);
        assert_eq!(share(), Some(Half));
        r.finish(None);
        r.begin();
        assert_eq!(share(), Some(Half));
        r.finish(None);
        assert!(!r.due());
        // By volume.
        r.applied(WHOLE + 1);
        r.begin();
        assert_eq!(share(), None);
        assert_eq!([Half, Quarter, Eighth].map(|s| s.rest() + 1), [2, 4, 8]);
    }
}
