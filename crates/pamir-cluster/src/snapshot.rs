//! A checkpoint's pages on their way to a replica that is new, or too far behind for the log.
//!
//! ```text
//!   leader                                                  follower
//!     Begin { image, entry, reach, superblock, pages } ───►  a data file of its own (install.rs); what it has already of this image stays
//!     ◄────────────────────────────────── Have { image, n }  so many pages are there: the first of them, in the image's order
//!     Part { image, from, pages } ───►                       at most WINDOW bytes are under way
//!     ◄────────────────────────────────── Have { image, n }
//!     ...                                                    all there: synced, marker written
//!     ◄────────────────────────────────── Done { image }     the node starts anew from it
//! ```
//! A replica that has what the pages hold, because they came before or their entries did, says Done and keeps what it has: in its log may be entries that were acknowledged, and nobody may lose them.
//!
//! *image* is a number that the leader drew: after a lost connection, or a new Begin, the transfer goes on where it was, as long as the leader still has that image. How the leader goes about it: `shipping.rs`.
//! All messages: `subject and version u8 = 2, kind u8, group v, image u64`, then as each says. Parts are checked page by page (`pamir_storage::store::image`).
use crate::codec::{Reader, put_bytes, put_varint};
use crate::install::{self, Marker, SNAPSHOT_DATA};
use crate::members::Members;
use crate::plant::{self, Bug};
use crate::{GroupId, NodeId};
use pamir_error::{Result, bail};
use pamir_storage::disk::Disk;
use pamir_storage::store::image::{Image, ImageWriter};
use pamir_txn::{Entered, EntryId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tells these messages from those about entries.
pub const SUBJECT: u8 = 2;
const VERSION: u8 = SUBJECT;
const BEGIN: u8 = 1;
const PART: u8 = 2;
const HAVE: u8 = 3;
const DONE: u8 = 4;
/// Pages in one message, mostly.
pub const PART_PAGES: usize = 32;
/// Pages under way that are not answered.
pub const WINDOW: usize = 512;
/// A transfer without an answer for so long has failed.
pub const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, PartialEq, Debug)]
pub enum Ship {
    Begin {
        id: EntryId,
        reach: u64,
        superblock: Vec<u8>,
        members: Members,
        pages: u64,
    },
    Part {
        from: u64,
        pages: Vec<u8>,
    },
    /// The first pages are there, so many.
    Have {
        pages: u64,
    },
    Done,
}
impl Ship {
    pub fn encode(&self, group: GroupId, image: u64) -> Vec<u8> {
        let kind = match self {
            Ship::Begin { .. } => BEGIN,
            Ship::Part { .. } => PART,
            Ship::Have { .. } => HAVE,
            Ship::Done => DONE,
        };
        let mut out = vec![VERSION, kind];
        put_varint(&mut out, group);
        put_varint(&mut out, image);
        match self {
            Ship::Begin { id, reach, superblock, members, pages } => {
                [id.term, id.index, *reach, *pages].into_iter().for_each(|n| put_varint(&mut out, n));
                put_bytes(&mut out, superblock);
                put_bytes(&mut out, &members.encode());
            }
            Ship::Part { from, pages } => {
                put_varint(&mut out, *from);
                put_bytes(&mut out, pages);
            }
            Ship::Have { pages } => put_varint(&mut out, *pages),
            Ship::Done => {}
        }
        out
    }
    pub fn decode(bytes: &[u8]) -> Result<(GroupId, u64, Ship)> {
        let mut r = Reader::new(bytes, "a part of a snapshot");
        if r.u8()? != VERSION {
            return r.damaged();
        }
        let kind = r.u8()?;
        let (group, image) = (r.varint()?, r.varint()?);
        let ship = match kind {
            BEGIN => {
                let id = EntryId { term: r.varint()?, index: r.varint()? };
                let (reach, pages) = (r.varint()?, r.varint()?);
                let superblock = r.bytes()?.to_vec();
                Ship::Begin { id, reach, superblock, members: Members::decode(r.bytes()?)?, pages }
            }
            PART => Ship::Part { from: r.varint()?, pages: r.bytes()?.to_vec() },
            HAVE => Ship::Have { pages: r.varint()? },
            DONE => Ship::Done,
            _ => return r.damaged(),
        };
        r.end()?;
        Ok((group, image, ship))
    }
}

/// A checkpoint that is ready to be sent.
pub struct Cargo {
    pub image: Image,
    /// Its number.
    pub number: u64,
    pub id: EntryId,
    pub reach: u64,
    pub members: Members,
    pub superblock: Vec<u8>,
}
impl Cargo {
    /// Of [`Shard::snapshot`](pamir_txn::Shard::snapshot)'s answer.
    pub fn new(number: u64, (image, entered, reach): (Image, Entered, u64)) -> Result<Cargo> {
        let (members, superblock) = (Members::decode(&entered.group)?, image.superblock(install::first_lsn()));
        Ok(Cargo { image, number, id: entered.id, reach, members, superblock })
    }
    pub fn begin(&self) -> Ship {
        Ship::Begin {
            id: self.id,
            reach: self.reach,
            superblock: self.superblock.clone(),
            members: self.members.clone(),
            pages: self.image.len() as u64,
        }
    }
}

/// The sending of a cargo to one node: what is to be said next. How fast it goes, [`Shipping`](crate::shipping::Shipping) says.
pub struct Shipment {
    pub cargo: Arc<Cargo>,
    begun: bool,
    sent: usize,
    have: usize,
    heard: Instant,
    /// When the log was last kept for it.
    pub told: Option<Instant>,
}
impl Shipment {
    pub fn new(cargo: Arc<Cargo>, now: Instant) -> Shipment {
        Shipment { cargo, begun: false, sent: 0, have: 0, heard: now, told: None }
    }
    pub fn has_begun(&self) -> bool {
        self.begun
    }
    /// The next message, of so many pages at most; None: wait for an answer.
    pub fn next(&mut self, most: usize) -> Result<Option<Ship>> {
        if !self.begun {
            self.begun = true;
            return Ok(Some(self.cargo.begin()));
        }
        let all = self.cargo.image.len();
        if self.sent >= all || self.sent - self.have >= WINDOW {
            return Ok(None);
        }
        let to = (self.sent + most).min(all);
        let mut pages = Vec::new();
        self.cargo.image.read(self.sent, to, &mut pages)?;
        let from = self.sent as u64;
        self.sent = to;
        Ok(Some(Ship::Part { from, pages }))
    }
    /// The follower has the first `pages`.
    pub fn have(&mut self, pages: u64, now: Instant) {
        self.heard = now;
        let n = (pages as usize).min(self.cargo.image.len());
        if n < self.have || self.sent < n {
            // It has begun anew, or goes on where an earlier transfer was.
            self.sent = n;
        }
        self.have = n;
    }
    /// What was under way may be lost: it is asked again what is there.
    pub fn again(&mut self) {
        (self.begun, self.sent) = (false, self.have);
    }
    /// Pages that are there, and all.
    pub fn pages(&self) -> (usize, usize) {
        (self.have, self.cargo.image.len())
    }
    pub fn is_overdue(&self, now: Instant) -> bool {
        now >= self.heard + PATIENCE
    }
}

/// The replica that pages come for.
pub trait Dock {
    /// Does it lack what a checkpoint that holds everything up to `id` would bring?
    fn lacks(&mut self, id: EntryId) -> Result<bool>;
    /// If it still lacks it: ends its part in consensus, and says its term and vote, which are kept: what it promised later would be forgotten.
    fn retire(&mut self, id: EntryId) -> Result<Option<(u64, NodeId)>>;
}

/// The receiving side.
pub struct Harbour {
    disk: Arc<dyn Disk>,
    coming: Option<Coming>,
}
struct Coming {
    image: u64,
    id: EntryId,
    reach: u64,
    superblock: Vec<u8>,
    members: Members,
    pages: u64,
    have: u64,
    writer: ImageWriter,
}
/// What becomes of a message.
pub enum Arrival {
    Answer(Ship),
    /// All is there and on the disk, and marked: the node is to start anew.
    Complete,
    Nothing,
}
impl Harbour {
    pub fn new(disk: Arc<dyn Disk>) -> Harbour {
        Harbour { disk, coming: None }
    }
    pub fn take(&mut self, image: u64, ship: Ship, dock: &mut dyn Dock) -> Result<Arrival> {
        match ship {
            Ship::Begin { id, reach, superblock, members, pages } => {
                if !dock.lacks(id)? && !plant::has(Bug::OldSnapshotTaken) {
                    return Ok(Arrival::Answer(Ship::Done));
                }
                if self.coming.as_ref().is_none_or(|c| c.image != image || c.id != id) {
                    let writer = ImageWriter::create(&*self.disk, SNAPSHOT_DATA)?;
                    self.coming = Some(Coming { image, id, reach, superblock, members, pages, have: 0, writer });
                }
                let have = self.coming.as_ref().map_or(0, |c| c.have);
                self.complete_if_all(dock, have)
            }
            Ship::Part { from, pages } => {
                let Some(c) = self.coming.as_mut().filter(|c| c.image == image) else { return Ok(Arrival::Nothing) };
                let n = (pages.len() / pamir_storage::store::image::IMAGE_PAGE) as u64;
                if from != c.have || c.have + n > c.pages {
                    // Out of its order: what is there says where to go on.
                    return Ok(Arrival::Answer(Ship::Have { pages: c.have }));
                }
                c.writer.write(&pages)?;
                c.have += n;
                let have = c.have;
                self.complete_if_all(dock, have)
            }
            Ship::Have { .. } | Ship::Done => {
                bail!(PROTOCOL_VIOLATION, "an answer to a snapshot that nobody asked for")
            }
        }
    }
    fn complete_if_all(&mut self, dock: &mut dyn Dock, have: u64) -> Result<Arrival> {
        if self.coming.as_ref().is_none_or(|c| have < c.pages) {
            return Ok(Arrival::Answer(Ship::Have { pages: have }));
        }
        let Some(c) = self.coming.take() else { return Ok(Arrival::Nothing) };
        c.writer.finish(&c.superblock)?;
        self.disk.sync_dir()?;
        let Some(vote) = dock.retire(c.id)? else { return Ok(Arrival::Answer(Ship::Done)) };
        let marker = Marker {
            id: c.id,
            reach: c.reach,
            term: vote.0,
            vote: vote.1,
            superblock: c.superblock,
            members: c.members,
        };
        marker.write(&*self.disk)?;
        Ok(Arrival::Complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::NodeInfo;

    #[test]
    fn round_trips() {
        let members = Members::alone(1, NodeInfo::default(), 1);
        let id = EntryId { term: 3, index: 99 };
        let all = [
            Ship::Begin { id, reach: 120, superblock: vec![1; 20], members, pages: 7 },
            Ship::Part { from: 3, pages: vec![2; 50] },
            Ship::Have { pages: 4 },
            Ship::Done,
        ];
        for s in all {
            let b = s.encode(1, 77);
            assert_eq!(Ship::decode(&b).unwrap(), (1, 77, s));
            (0..b.len()).for_each(|n| assert!(Ship::decode(&b[..n]).is_err()));
        }
    }

    /// A replica that lacks what comes, or not.
    struct Replica(bool);
    impl Dock for Replica {
        fn lacks(&mut self, _: EntryId) -> Result<bool> {
            Ok(self.0)
        }
        fn retire(&mut self, _: EntryId) -> Result<Option<(u64, NodeId)>> {
            Ok(self.0.then_some((5, 2)))
        }
    }
    #[test]
    fn what_nobody_lacks_is_not_taken() {
        let disk = pamir_storage::disk::sim::SimDisk::new(1);
        let mut harbour = Harbour::new(Arc::new(disk.clone()));
        let id = EntryId { term: 3, index: 99 };
        let members = Members::alone(1, NodeInfo::default(), 1);
        let begin = Ship::Begin { id, reach: 99, superblock: vec![1; 20], members, pages: 1 };
        let mut come =
            |lacks| (harbour.take(7, begin.clone(), &mut Replica(lacks)), disk.exists(SNAPSHOT_DATA).unwrap());
        assert!(matches!(come(false), (Ok(Arrival::Answer(Ship::Done)), false)));
        assert!(matches!(come(true), (Ok(Arrival::Answer(Ship::Have { pages: 0 })), true)));
    }
}
