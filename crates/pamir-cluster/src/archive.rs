//! What backups and an archive read of a node: its checkpoint, and the decided entries of its group.
//!
//! ```text
//!   archive ── entries after i ──► a turn of the node's: decided? still there? ──► entries with their time and records (from memory, mostly)
//!   backup  ── pin ──► the newest checkpoint, the entry that it holds everything up to, and how far its pages may reach
//! ```
//! An entry's time is the leader's clock when it was proposed (`stamp.rs`).
//!
//! *Invariant*: only decided entries leave, so no two archives of a group's entries differ.
//!
//! Limits: entries before the node's newest checkpoint are there only as long as the process that wrote it runs.
use crate::cluster::Cluster;
use crate::log::unpack;
use crate::node::Node;
use crate::stamp::time_of;
use crate::{FIRST_GROUP, GroupId};
use bytes::Bytes;
use pamir_error::{Error, Result, bail};
use pamir_storage::store::image::Image;
use pamir_txn::{CheckpointShare, EntryId, Hold};
use raft::eraftpb::EntryType;

/// A decided entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Decided {
    pub id: EntryId,
    /// Microseconds since 1970, by the clock of the leader that proposed it; 0: unknown.
    pub time: i64,
    /// Its records; none of a change of members.
    pub records: Vec<Bytes>,
}
/// How far a node's log of its group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// What lies before the first entry that can be read.
    pub oldest: EntryId,
    /// The newest decided entry.
    pub newest: EntryId,
    /// About how many bytes the entries after the one asked about take.
    pub bytes: u64,
    /// This node leads and serves.
    pub leads: bool,
}
/// A checkpoint that is pinned.
pub struct Pinned {
    pub image: Image,
    /// It holds everything up to this entry,
    pub entered: EntryId,
    /// and perhaps some of what follows, up to this one.
    pub reach: EntryId,
    /// Keeps the entries behind `entered`.
    pub hold: Hold,
}

impl Node {
    /// How far the group's log is; bytes are counted behind `index`. None: there is no such group.
    pub fn extent(&self, group: GroupId, index: u64) -> Option<Extent> {
        let g = self.group(group)?;
        let log = g.log();
        let newest = g.decided().min(log.last().index);
        let place = |i: u64| log.place_after(i).unwrap_or_else(|| self.log_end());
        let bytes = if newest > index { place(newest).saturating_sub(place(index.max(log.base().index))) } else { 0 };
        Some(Extent { oldest: log.base(), newest: log.id_at(newest)?, bytes, leads: g.serves() })
    }
    /// Decided entries after `index`, of about `most` bytes, but at least one if there is any. XX001 where they are gone.
    pub fn decided_after(&self, group: GroupId, index: u64, most: u64) -> Result<Vec<Decided>> {
        let Some(g) = self.group(group) else { return Ok(Vec::new()) };
        let upto = g.decided().min(g.log().last().index);
        if index >= upto {
            return Ok(Vec::new());
        }
        if index < g.log().base().index {
            bail!(DATA_CORRUPTED, "entry {} of the group's log is not there any more", index + 1);
        }
        let entries = g.log().range(index + 1, upto + 1, most)?;
        let read = entries.into_iter().map(|e| {
            let id = EntryId { term: e.term, index: e.index };
            let normal = e.get_entry_type() == EntryType::EntryNormal;
            let (time, records) = if normal { (time_of(&e.context), unpack(e.data)?) } else { (0, Vec::new()) };
            Ok(Decided { id, time, records })
        });
        read.collect()
    }
}

fn no_group() -> Error {
    Error::internal("this node has no replica")
}
impl Cluster {
    /// How far this node's log is; bytes are counted behind `index`.
    pub fn extent(&self, index: u64) -> Result<Extent> {
        let e = self.entrance().ask(move |n| n.extent(FIRST_GROUP, index))?.ok_or_else(no_group)?;
        // Whoever holds the lease now knows all that was acknowledged before it was asked.
        Ok(Extent { leads: e.leads && self.shard().holds_lease(), ..e })
    }
    /// Decided entries after `index`, see [`Node::decided_after`].
    pub fn decided_after(&self, index: u64, most: u64) -> Result<Vec<Decided>> {
        self.entrance().ask(move |n| n.decided_after(FIRST_GROUP, index, most))?
    }
    /// The id of the entry at `index`; None: it is not there (any more).
    pub fn entry_at(&self, index: u64) -> Result<Option<EntryId>> {
        self.entrance().ask(move |n| n.group(FIRST_GROUP).and_then(|g| g.log().id_at(index)))
    }
    /// Takes a checkpoint and pins it. None: large commits are under way, ask again.
    pub fn pin(&self) -> Result<Option<Pinned>> {
        let shard = self.shard();
        // What is not checkpointed yet is kept from now on: the checkpoint begins at or behind what is applied now.
        let hold = shard.holds().hold(shard.applied_entry().index);
        shard.checkpoint_within(CheckpointShare::Eighth)?;
        let Some((image, entered, reach)) = shard.snapshot()? else { return Ok(None) };
        let reach = self.entry_at(reach)?.unwrap_or(entered.id);
        hold.move_to(entered.id.index);
        Ok(Some(Pinned { image, entered: entered.id, reach, hold }))
    }
}
