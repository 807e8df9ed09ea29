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
//! - **Parts** have no effect. The session pushes them with at most [`parts::PARTS_IN_FLIGHT`] on their way, so neither the queue nor a sync grows with the
//!   transaction. The applier notes where they lie and keeps up to [`crate::ShardOptions::part_cache`] bytes of them; the rest it reads back from the log when their turn comes.
//!   Parts that no CommitParts follows (an error, a crash) are forgotten.
//! - **CommitParts**, durable, decides: whatever happens from here on, the commit will be there. It is pushed only after all parts are durable.
//! - **Slices**: between batches of other commits the applier does a slice of the oldest large commit: [`crate::ShardOptions::slice_ops`] operations, and on a
//!   shard with threads at most about [`job::SLICE_TIME`]. Its row locks are held until it is finished, so no other commit meets a key of it.
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
//! A deletion mostly needs none (`in_place.rs`). Where such a key is written again, a small commit puts the tombstone and what it kept into the chain, as history does later;
//! a large one's before-image holds them.
//!
//! Before-images of finished commits count up to [`crate::ShardOptions::version_disk`]; beyond that the oldest snapshots are given up (72000).
//!
//! Who reads the newest *committed* state under a lock (constraint checks, READ COMMITTED's second look) must not take T's rows for committed before it is
//! visible. Mostly its lock conflicts with T's; where it does not (KEY SHARE beside NO KEY UPDATE), an entry with the timestamp in progress
//! (one relaxed load) sends it to the before-image.
//!
//! # Building trees
//! Puts into a tree that is empty when their turn comes are built bottom-up, whether this transaction created it or an earlier one: nobody can see
//! entries of T yet, and absence needs no before-image. The build pauses between slices. Whatever comes between
//! (another commit's write into the same tree, a checkpoint, [`slice::BUILD_LEAVES`]) ends the build; the rest is put in one by one.
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
mod job;
mod meta;
mod parts;
mod slice;

use crate::applier::{VALUE_HEADER, is_kept, split_value};
use crate::core::Core;
use crate::history::{history_key, is_unseen};
use crate::padded::Padded;
use crate::record;
use crate::scan::lost_version;
use crate::shard::Ts;
pub(crate) use job::{Large, Session, touch};
use pamir_error::{Result, bail};
use pamir_storage::store::TreeId;
use parking_lot::RwLock;
pub(crate) use parts::{forget_parts, push_parts};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// One that goes on where others' commits have led: `reserved` is the last timestamp given ahead whose Finish is not there yet, or 0.
    pub fn going_on(next: Ts, reserved: Ts) -> Clock {
        Clock { next, reserved }
    }
    /// The timestamp that the record is to have, or 0; to be called in log order.
    pub fn next(&mut self, record: &[u8]) -> Ts {
        if record::kind(record) == record::FINISH {
            let ts = record::ts_of(record).unwrap_or(0);
            assert!(ts >= self.next, "a large commit became visible too late");
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
