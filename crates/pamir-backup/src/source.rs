//! What is backed up: a single node's shard, or a node of a cluster.
//!
//! ```text
//!                 Source::pin            Source::extent, read            Source::hold
//!   OwnLog        newest checkpoint      the log's files, durable        positions of the log
//!   GroupLog      newest checkpoint      decided entries, from memory    indexes of entries
//! ```
//! *Invariant*: nothing is read that is not durable (of a cluster: decided), so nothing that is in a backup can come to be undone.
use crate::piece::Item;
use crate::system::System;
use crate::{Kind, Place, SystemId};
use bytes::Bytes;
use pamir_cluster::cluster::Cluster;
use pamir_error::Result;
use pamir_storage::log::{Log, LogReader};
use pamir_storage::store::image::Image;
use pamir_txn::{CheckpointShare, Hold, Shard, record};
use parking_lot::Mutex;
use std::sync::Arc;

/// How far a log is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// What stands behind this position can be read.
    pub oldest: u64,
    /// Nothing newer is durable.
    pub newest: Place,
    /// About how many bytes stand behind the position asked about.
    pub bytes: u64,
    /// Is it this node's to archive?
    pub leads: bool,
}
/// A checkpoint, and the log behind it, which stay while this lives.
pub struct Pinned {
    pub image: Image,
    /// The pages hold everything up to here,
    pub from: Place,
    /// and perhaps some of what follows, up to here.
    pub reach: Place,
    pub hold: Hold,
}

pub trait Source: Send + Sync {
    fn kind(&self) -> Kind;
    fn system(&self) -> SystemId;
    /// Microseconds since 1970, by the clock that stamps the log here.
    fn time(&self) -> i64;
    /// Takes a checkpoint and pins it. None: large commits are under way, ask again.
    fn pin(&self) -> Result<Option<Pinned>>;
    fn extent(&self, after: u64) -> Result<Extent>;
    /// What stands behind `after`, up to `upto` at most: of about `most` bytes, at least one item if there is any.
    fn read(&self, after: Place, upto: u64, most: usize) -> Result<Vec<Item>>;
    /// The term of a position; None: it is not known (any more).
    fn term_at(&self, position: u64) -> Result<Option<u64>>;
    fn hold(&self, position: u64) -> Hold;
}

/// A single node.
pub struct OwnLog {
    shard: Arc<Shard>,
    system: SystemId,
    reader: Mutex<LogReader>,
}
impl OwnLog {
    pub fn new(shard: Arc<Shard>) -> Result<OwnLog> {
        let disk = shard.store().disk().clone();
        let system = System::of(&*disk, &**shard.platform())?.id;
        Ok(OwnLog { shard, system, reader: Mutex::new(LogReader::new(disk)) })
    }
}
fn place(position: u64) -> Place {
    Place { position, term: 0 }
}
impl Source for OwnLog {
    fn kind(&self) -> Kind {
        Kind::Own
    }
    fn system(&self) -> SystemId {
        self.system
    }
    fn time(&self) -> i64 {
        self.shard.platform().time()
    }
    fn pin(&self) -> Result<Option<Pinned>> {
        self.shard.checkpoint_within(CheckpointShare::Eighth)?;
        let Some((image, hold)) = self.shard.pin()? else { return Ok(None) };
        let (from, reach) = (place(image.lsn()), place(image.reach().max(image.lsn())));
        Ok(Some(Pinned { image, from, reach, hold }))
    }
    fn extent(&self, after: u64) -> Result<Extent> {
        let newest = self.shard.log_durable()?;
        let oldest = Log::oldest(&**self.shard.store().disk())?.unwrap_or(newest);
        Ok(Extent { oldest, newest: place(newest), bytes: newest.saturating_sub(after.max(oldest)), leads: true })
    }
    fn read(&self, after: Place, upto: u64, most: usize) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        self.reader.lock().read_some(after.position, upto, most, &mut |lsn, r| {
            let time = record::time_of(&r).unwrap_or(0);
            items.push(Item { place: place(lsn), time, records: vec![Bytes::from(r)] });
        })?;
        Ok(items)
    }
    fn term_at(&self, _: u64) -> Result<Option<u64>> {
        Ok(Some(0))
    }
    fn hold(&self, position: u64) -> Hold {
        self.shard.holds().hold(position)
    }
}

/// A node of a cluster.
pub struct GroupLog(Arc<Cluster>);
impl GroupLog {
    pub fn new(cluster: Arc<Cluster>) -> GroupLog {
        GroupLog(cluster)
    }
}
fn place_of(id: pamir_txn::EntryId) -> Place {
    Place { position: id.index, term: id.term }
}
impl Source for GroupLog {
    fn kind(&self) -> Kind {
        Kind::Group
    }
    fn system(&self) -> SystemId {
        self.0.cluster_id()
    }
    fn time(&self) -> i64 {
        self.0.shard().platform().time()
    }
    fn pin(&self) -> Result<Option<Pinned>> {
        let Some(p) = self.0.pin()? else { return Ok(None) };
        Ok(Some(Pinned { image: p.image, from: place_of(p.entered), reach: place_of(p.reach), hold: p.hold }))
    }
    fn extent(&self, after: u64) -> Result<Extent> {
        let e = self.0.extent(after)?;
        Ok(Extent { oldest: e.oldest.index, newest: place_of(e.newest), bytes: e.bytes, leads: e.leads })
    }
    fn read(&self, after: Place, upto: u64, most: usize) -> Result<Vec<Item>> {
        let entries = self.0.decided_after(after.position, most as u64)?;
        let some = entries.into_iter().take_while(|e| e.id.index <= upto);
        Ok(some.map(|e| Item { place: place_of(e.id), time: e.time, records: e.records }).collect())
    }
    fn term_at(&self, position: u64) -> Result<Option<u64>> {
        Ok(self.0.entry_at(position)?.map(|id| id.term))
    }
    fn hold(&self, position: u64) -> Hold {
        self.0.shard().holds().hold(position)
    }
}
