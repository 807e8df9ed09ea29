//! Putting a snapshot in the place of what a replica has: the pages of a leader's checkpoint, and a log that begins behind them.
//!
//! ```text
//!   pages come ──► pamir.snapshot.data ──► all there, synced ──► pamir.snapshot (the marker) ──► the node ends
//!   next start, if there is a marker:  data renamed ── superblock ── old log removed, a new one begun with Base and Vote ── marker removed
//! ```
//! Until the marker is there nothing of the replica has changed; from then on every start begins with these steps, each of which may be done twice. So a crash anywhere leaves the replica as it was, or as
//! the snapshot has it.
//!
//! ```text
//!   marker := version u8 = 1, term v, index v, reach v, own term v, own vote v, superblock bytes, members bytes, crc u32 of what is before
//! ```
//! *reach*: entries up to here may be on the pages; readers wait until they are applied. The vote is this node's: it outlives its log.
//!
//! *Invariant*: a checkpoint that serves as a snapshot names nothing of its log (no parts of large commits).
use crate::codec::{Reader, put_bytes, put_varint};
use crate::log::{GroupLog, NodeLog};
use crate::members::Members;
use crate::{FIRST_GROUP, NodeId};
use pamir_error::{Result, bail};
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogOptions, Lsn, SEGMENT_PREFIX};
use pamir_storage::store::{DATA_FILE, replace_superblock};
use pamir_txn::EntryId;
use raft::eraftpb::HardState;
use std::sync::Arc;

/// The pages that have come.
pub const SNAPSHOT_DATA: &str = "pamir.snapshot.data";
const MARKER: &str = "pamir.snapshot";
const MARKER_NEW: &str = "pamir.snapshot.new";
const VERSION: u8 = 1;
/// Where the log of an installed snapshot begins: any position does, for it is a new log.
const FIRST_LSN: Lsn = 0;

/// What a snapshot is, beside its pages.
#[derive(Clone, PartialEq, Debug)]
pub struct Marker {
    /// It holds everything up to this entry,
    pub id: EntryId,
    /// and perhaps some of what follows, up to this one.
    pub reach: u64,
    pub term: u64,
    pub vote: NodeId,
    pub superblock: Vec<u8>,
    pub members: Members,
}
/// The log position that the superblock of a snapshot is to say.
pub fn first_lsn() -> Lsn {
    FIRST_LSN
}
impl Marker {
    fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        for n in [self.id.term, self.id.index, self.reach, self.term, self.vote] {
            put_varint(&mut out, n);
        }
        put_bytes(&mut out, &self.superblock);
        put_bytes(&mut out, &self.members.encode());
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }
    fn decode(bytes: &[u8]) -> Result<Marker> {
        let Some((body, crc)) = bytes.split_last_chunk::<4>() else { bail!(DATA_CORRUPTED, "\"{MARKER}\" is damaged") };
        if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            bail!(DATA_CORRUPTED, "\"{MARKER}\" is damaged");
        }
        let mut r = Reader::new(body, "the marker of a snapshot");
        r.version(VERSION)?;
        let id = EntryId { term: r.varint()?, index: r.varint()? };
        let (reach, term, vote) = (r.varint()?, r.varint()?, r.varint()?);
        let superblock = r.bytes()?.to_vec();
        let members = Members::decode(r.bytes()?)?;
        r.end()?;
        Ok(Marker { id, reach, term, vote, superblock, members })
    }
    /// From now on the next start installs it. Its pages are there and synced.
    pub fn write(&self, disk: &dyn Disk) -> Result<()> {
        let file = disk.open(MARKER_NEW, true)?;
        file.set_len(0)?;
        file.write_at(&self.encode(), 0)?;
        file.sync()?;
        disk.rename(MARKER_NEW, MARKER)?;
        disk.sync_dir()
    }
}

/// Does what a marker says, if there is one; true: there was. What is left of a snapshot that never came whole is removed.
pub fn install(disk: &Arc<dyn Disk>, segment_size: u64) -> Result<bool> {
    if !disk.exists(MARKER)? {
        for left in [SNAPSHOT_DATA, MARKER_NEW] {
            if disk.exists(left)? {
                disk.remove(left)?;
            }
        }
        return Ok(false);
    }
    let file = disk.open(MARKER, false)?;
    let mut bytes = vec![0; file.len()? as usize];
    let n = file.read_at(&mut bytes, 0)?;
    let m = Marker::decode(bytes.get(..n).unwrap_or_default())?;
    if disk.exists(SNAPSHOT_DATA)? {
        disk.rename(SNAPSHOT_DATA, DATA_FILE)?;
        disk.sync_dir()?;
    }
    replace_superblock(&**disk, &m.superblock)?;
    for name in disk.list()?.into_iter().filter(|n| n.starts_with(SEGMENT_PREFIX)) {
        disk.remove(&name)?;
    }
    disk.sync_dir()?;
    let log = Log::open(disk.clone(), LogOptions { segment_size }, FIRST_LSN, &mut |_, _| Ok(()))?;
    let mut log = NodeLog::new(log);
    let mut group = GroupLog::new(FIRST_GROUP, EntryId::default(), Members::default(), disk.clone());
    log.append_base(&mut group, m.id, m.reach, m.members)?;
    let mut hard = HardState::default();
    // A vote of a term before the snapshot's is over.
    (hard.term, hard.vote) = if m.term >= m.id.term { (m.term, m.vote) } else { (m.id.term, 0) };
    log.append_vote(&mut group, &hard)?;
    if let Some(s) = log.begin_sync()? {
        let r = s.run();
        log.end_sync(&s, r)?;
    }
    drop(log);
    disk.remove(MARKER)?;
    disk.sync_dir()?;
    Ok(true)
}
