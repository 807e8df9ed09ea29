//! Old versions on disk: what a long-lived snapshot needs beyond the memory for old versions.
//!
//! A snapshot that stays open for minutes beside updates would fill any memory, or have to be given up. Instead the oldest versions move from
//! the chains in memory (`version.rs`) to trees that only the applier writes:
//!
//! ```text
//!   history:  (until, tree, key) -> (from, flags, value)      flags: TOMBSTONE absent, KEPT what was deleted, UNSEEN no snapshot could see it
//!
//!   page:     k -> (112, "e")                                 a reader at 5: the page is newer, the chain's oldest is from 110;
//!   chain:    k    (from 110, until 112, "d")                 what did 110 overwrite?  history (110, t, k) -> from 107
//!   history:  (110, t, k) -> (107, UNSEEN)                    what did 107 overwrite?  history (107, t, k) -> from 4: "b"
//!             (107, t, k) -> (4, "b")
//! ```
//! - **In order.** Versions move oldest first, in the order in which they were overwritten, which is the order of the keys: every insertion is at the
//!   tree's right edge, no page is touched twice, and history leaves as it came, a whole tree (a *segment*) at a time when the horizon reaches its end.
//! - **Unseen.** Of a row that is updated again and again a single old snapshot needs one version. Those between two snapshots keep their place in
//!   the row's sequence, without their value.
//! - **Never was.** That there was nothing before a key's first version is not stored: what is not found at its time is that.
//! - **Finding** is by exact key: the time at which the wanted version was overwritten is the time of its successor, which the reader has just met. It
//!   takes a step for each version in between; a reader who goes back that far has time.
//! - **Not logged.** After a restart there are no snapshots; the trees are dropped (a checkpoint's meta names them, as it does before-images).
//!
//! Invariants: a version is in a segment, and the segment is known to readers, before it leaves its chain; of one key everything in history is older than
//! everything in its chain. A version is stored without its value only if no registered snapshot lies within its time; none can be registered later,
//! for it was overwritten at or below the newest applied timestamp ([`crate::snapshot::Registry::registered_at`]).
//!
//! Limits: [`crate::ShardOptions::version_disk`] bytes of keys and values, in segments of a part in [`SEGMENTS`]; beyond it the oldest snapshots are given up (72000), as they are
//! when the disk is full. Keys near the longest a tree can hold do not fit with their prefix: snapshots that need such a version are given up.
use crate::applier::{Applier, KEPT, TOMBSTONE, VALUE_HEADER};
use crate::core::Core;
use crate::shard::Ts;
use pamir_error::Result;
use pamir_storage::disk::is_full;
use pamir_storage::store::{MAX_TREE_KEY, TreeId};
use parking_lot::RwLock;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Segments in which all that history may take is divided.
const SEGMENTS: u64 = 64;
/// Versions moved between two batches, and more if the memory's limit asks for it.
const SLICE: usize = 512;
/// Versions begin to move when they take this share of their memory, in quarters.
const BEGIN_QUARTERS: u64 = 3;
/// Beside [`TOMBSTONE`] and [`KEPT`] in a value's flags.
const UNSEEN: u8 = 2;
/// Time and tree in front of a key.
const KEY_PREFIX: usize = 16;

/// What readers know.
#[derive(Default)]
pub(crate) struct History {
    /// The tree of each segment, with the time at which its newest version was overwritten; in order.
    segments: RwLock<VecDeque<(Ts, TreeId)>>,
    pub bytes: AtomicU64,
    pub moved: AtomicU64,
}

impl History {
    /// The segment that holds what was overwritten at `until`, if there is history of that time.
    pub fn segment(&self, until: Ts) -> Option<TreeId> {
        let segments = self.segments.read();
        let at = segments.partition_point(|s| s.0 < until);
        segments.get(at).map(|s| s.1)
    }
}

/// The key under which the version of `key` that was overwritten at `until` stands.
pub(crate) fn history_key(until: Ts, tree: TreeId, key: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&until.to_be_bytes());
    out.extend_from_slice(&tree.0.to_be_bytes());
    out.extend_from_slice(key);
}

/// Is this value's content gone, because no snapshot could see it?
pub(crate) fn is_unseen(value: &[u8]) -> bool {
    value.get(VALUE_HEADER - 1).is_some_and(|flags| flags & UNSEEN != 0)
}

/// The applier's side.
#[derive(Default)]
pub(crate) struct Segments {
    /// (overwritten at, of its newest version; tree; bytes)
    all: VecDeque<(Ts, TreeId, u64)>,
    key: Vec<u8>,
}

impl Segments {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    /// Trees of no use after a restart, with the times at which they go.
    pub fn trees(&self) -> impl Iterator<Item = (Ts, TreeId)> {
        self.all.iter().map(|s| (s.0, s.1))
    }
}

impl Applier {
    /// Makes room in the memory for old versions: moves the oldest to history, and gives the oldest snapshots up where that is not possible.
    pub(crate) fn keep_versions(&mut self, core: &Core) -> Result<()> {
        let limit = core.opts.version_memory;
        if core.versions.bytes() <= limit / 4 * BEGIN_QUARTERS {
            return Ok(());
        }
        if core.opts.version_disk > 0 {
            match self.move_versions(core, SLICE) {
                Ok(()) => {}
                Err(e) if is_full(&e) => {}
                Err(e) => return Err(e),
            }
        }
        while core.versions.bytes() > limit {
            // The oldest snapshots must go. Their readers are told before anything they need disappears.
            let excess = core.versions.bytes() - limit + limit / 8;
            let floor = self.versions.floor_for(&core.versions, excess).min(core.snapshots.applied());
            if floor <= core.snapshots.floor() {
                break;
            }
            self.give_up(core, floor);
            self.versions.drop_below(&core.versions, floor.max(core.snapshots.horizon()));
        }
        Ok(())
    }
    pub(crate) fn give_up(&mut self, core: &Core, floor: Ts) {
        core.snapshots.raise_floor(floor);
        core.stats.snapshots_given_up.fetch_add(1, Ordering::Relaxed);
    }
    /// Moves at least `least` of the oldest versions, and as many as the limit asks for. 53100: the disk has no room, and what was not moved is where it was.
    fn move_versions(&mut self, core: &Core, least: usize) -> Result<()> {
        let (applied, seen) = core.snapshots.registered_at();
        let mut moved = 0;
        let mut tree_key = std::mem::take(&mut self.history.key);
        let mut r = Ok(0);
        while moved < least || core.versions.bytes() > core.opts.version_memory {
            // Later versions may be needed by snapshots still to come.
            let Some((until, hash)) = self.versions.oldest().filter(|o| o.0 <= applied) else { break };
            r = self.move_chain(core, until, hash, &seen, &mut tree_key);
            match r {
                Ok(n) => moved += n,
                Err(_) => break,
            }
            self.versions.forget_oldest();
        }
        self.history.key = tree_key;
        core.history.moved.fetch_add(moved as u64, Ordering::Relaxed);
        r.map(drop)
    }
    /// Moves what chain `hash` lost at `until` or before.
    fn move_chain(&mut self, core: &Core, until: Ts, hash: u64, seen: &[Ts], key: &mut Vec<u8>) -> Result<usize> {
        let old = core.versions.oldest_of(hash, until);
        if old.is_empty() {
            return Ok(0);
        }
        let bytes: u64 = old.iter().map(|v| v.data_len() as u64).sum();
        let reserved = core.store.reserve(old.len() as u64, bytes)?;
        let r = old.iter().try_for_each(|v| {
            let visible = seen.get(seen.partition_point(|s| *s < v.from)).is_some_and(|s| *s < v.until);
            // Of a deletion that kept what it deleted, those before it.
            let deleted = v.deleted().filter(|_| seen.first().is_some_and(|s| *s < v.from));
            if v.key().len() + KEY_PREFIX > MAX_TREE_KEY {
                if visible || deleted.is_some() {
                    self.give_up(core, v.until);
                }
                return Ok(());
            }
            if v.from == 0 && v.value().is_none() {
                // "Never was": what is not found in a segment that covers its time.
                return self.segment_for(core, v.until, 0).map(drop);
            }
            let (flags, value) = match (v.value(), visible) {
                (None, _) => deleted.map_or((TOMBSTONE, &[][..]), |value| (TOMBSTONE | KEPT, value)),
                (Some(value), true) => (0, value),
                (Some(_), false) => (UNSEEN, &[][..]),
            };
            self.set_value(v.from, flags, value);
            history_key(v.until, v.tree, v.key(), key);
            let tree = self.segment_for(core, v.until, (key.len() + self.value.len()) as u64)?;
            self.writer.put(tree, key, &self.value, &mut |_| {})
        });
        core.store.unreserve(reserved);
        r?;
        core.versions.drop_chain(hash, until);
        Ok(old.len())
    }
    /// The segment in which a version overwritten at `until` goes, which readers then know.
    fn segment_for(&mut self, core: &Core, until: Ts, bytes: u64) -> Result<TreeId> {
        core.history.bytes.fetch_add(bytes, Ordering::Relaxed);
        match self.history.all.back_mut() {
            // What one commit overwrote stays together: a segment is found by time.
            Some((last, tree, size)) if *size < core.opts.version_disk / SEGMENTS || *last == until => {
                debug_assert!(*last <= until, "history is in order");
                *size += bytes;
                if *last < until {
                    *last = until;
                    if let Some(s) = core.history.segments.write().back_mut() {
                        s.0 = until;
                    }
                }
                Ok(*tree)
            }
            _ => {
                let tree = core.local_tree();
                self.writer.create_tree(tree)?;
                self.history.all.push_back((until, tree, bytes));
                core.history.segments.write().push_back((until, tree));
                Ok(tree)
            }
        }
    }
    /// Drops the segments that no snapshot needs; too many of them cost the oldest snapshots. Returns whether there were any.
    pub(crate) fn drop_history(&mut self, core: &Core) -> Result<bool> {
        if self.history.is_empty() {
            return Ok(false);
        }
        if core.history.bytes.load(Ordering::Relaxed) > core.opts.version_disk
            && let Some((last, ..)) = self.history.all.front().copied()
            && last > core.snapshots.floor()
        {
            self.give_up(core, last);
        }
        let horizon = core.snapshots.horizon();
        let mut did = false;
        while let Some((_, tree, bytes)) = self.history.all.pop_front_if(|s| s.0 <= horizon) {
            core.history.segments.write().pop_front();
            core.history.bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.writer.drop_tree(tree)?;
            did = true;
        }
        Ok(did)
    }
}
