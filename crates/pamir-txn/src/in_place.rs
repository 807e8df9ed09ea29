//! Deletions in place: a deleted row's value stays where it is, behind a tombstone's header.
//!
//! Where a row was committed at or below the horizon when its deletion is applied, all snapshots older than the deletion see it, those still to come included: nothing need be kept for
//! them in memory (`version.rs`) or in a before-image (`large.rs`). Only the header before the value changes, to a tombstone that says so ([`KEPT`]); leaf by leaf, and no page grows or moves.
//!
//! ```text
//!   page:    k -> (5, "c")                        committed at 5, and no snapshot is older
//!   page:    k -> (T, KEPT, "c")                  deleted at T: a reader below T sees "c"
//!   page:    k -> (T+9, "e")                      written again: the chain holds the tombstone and what it kept
//!   chain:   k    (from T, until T+9, KEPT "c")
//! ```
//! The entry goes when the tombstone is purged, as any other.
use crate::applier::{Applier, KEPT, TOMBSTONE, VALUE_HEADER, split_value};
use crate::core::Core;
use crate::record::{self, Op, Reader};
use crate::shard::Ts;
use pamir_error::Result;
use pamir_storage::store::TreeId;
use smallvec::SmallVec;

/// Keys that are deleted at once: a bit each says which are.
pub(crate) const MOST: usize = u64::BITS as usize;
/// So many deletions of a commit in one tree are done in place. Fewer are cheaper one by one; debug builds do all but single ones so, for the random tests.
const FROM: usize = if cfg!(debug_assertions) { 2 } else { 8 };

impl Applier {
    /// Applies the deletions of one tree that `ops` begins with, or some of them; returns what follows.
    pub(crate) fn delete<'a>(
        &mut self,
        core: &Core,
        tree: TreeId,
        ts: Ts,
        ops: Reader<'a>,
        live: bool,
    ) -> Result<Reader<'a>> {
        let mut keys: SmallVec<[&[u8]; FROM]> = SmallVec::new();
        let mut rest = ops;
        while keys.len() < MOST {
            let mut next = rest;
            let Some(Op::Delete(t, key)) = record::next_op(&mut next)? else { break };
            if t != tree {
                break;
            }
            keys.push(key);
            rest = next;
        }
        let mut done = 0;
        if live && keys.len() >= FROM {
            self.touch(tree)?;
            done = self.delete_in_place(core, ts, tree, &keys, live)?;
        }
        for (n, key) in keys.iter().enumerate() {
            if done & 1 << n == 0 {
                self.set_value(ts, TOMBSTONE, &[]);
                self.overwrite(core, tree, key, ts, live)?;
            }
            self.queue_purge(ts, tree, key);
        }
        Ok(rest)
    }
    /// Deletes those of at most [`MOST`] keys, in ascending order, that every snapshot older than `ts` sees; returns which, a bit each.
    pub(crate) fn delete_in_place(
        &mut self,
        core: &Core,
        ts: Ts,
        tree: TreeId,
        keys: &[&[u8]],
        live: bool,
    ) -> Result<u64> {
        if keys.is_empty() {
            return Ok(0);
        }
        // In recovery there are no snapshots.
        let horizon = if live { core.snapshots.horizon() } else { Ts::MAX };
        let mut head = [0; VALUE_HEADER];
        head[..8].copy_from_slice(&ts.to_le_bytes());
        head[VALUE_HEADER - 1] = TOMBSTONE | KEPT;
        let mut done = 0;
        self.writer.patch_run::<VALUE_HEADER>(tree, keys, &mut |n, old| match split_value(&old) {
            Ok((from, ..)) if old[VALUE_HEADER - 1] == 0 && from <= horizon => {
                done |= 1 << n;
                Some(head)
            }
            _ => None,
        })?;
        Ok(done)
    }
}
