//! The node's log: entries of all groups, votes and cuts in one sequence of records, one sync for all; and what consensus reads of it.
//!
//! ```text
//!   record  := 1 u8, kind, group v, body             kind as in message.rs; other records (first byte 2) are a shard's, and belong to the entry before them
//!   32 Entry := term v, index v, decided v, type u8, n v, data bytes, context bytes       n records of the shard follow; data and context of a change of members; else no data, and the context is the time (archive.rs)
//!   33 Vote  := term v, vote v                        what this replica has promised in consensus
//!   34 Cut   := index v                               entries from here on are void: another leader's take their place
//!   35 Base  := term v, index v, reach v, group bytes  the log begins here: everything up to the entry is in the checkpoint, and perhaps some up to the one at reach
//!
//!   ... | Entry 1.7 | r | r | Vote | Entry 1.8 | r | Cut 8 | Entry 2.8 | r | r | ...
//!                                                 └ void ┘
//! ```
//! *decided* is the newest index that the group was known to have decided when the record was written: after a start entries up to there are replayed at once, the
//! others wait for the leader's word.
//!
//! - **Recovery** reads once, from the first position that anybody needs. Of each group it keeps where the entries stand, and hands what is decided to the shard, in order. An entry whose records are
//!   not all there (the log's torn end) is cut.
//! - **Reading back**: consensus asks for entries that a slow follower lacks; the newest ([`Keep::memory`]) and those that are not on the disk yet are in memory, older ones are read from the disk.
//! - **Space** is freed up to the least position that a shard's checkpoint or a follower within [`Keep::log`] needs.
//!
//! *Invariants*: a shard's records stand right behind their entry; indexes of a group rise by one, but for cuts; what is acknowledged to another node is synced first (`group.rs`).
use crate::codec::{Reader, put_bytes, put_kind, put_varint};
use crate::members::{Members, change_members};
use crate::message::entry_type;
use crate::plant::{self, Bug};
use crate::version::{self, Formats};
use crate::{GroupId, NodeId};
use bytes::{Buf, Bytes};
use pamir_error::{Error, Result, bail};
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogReader, Lsn, Syncing};
use pamir_txn::EntryId;
use parking_lot::Mutex;
use raft::eraftpb::{Entry, EntryType, HardState, Snapshot};
use raft::storage::GetEntriesContext;
use raft::{RaftState, Storage, StorageError};
use std::collections::VecDeque;
use std::sync::Arc;

/// What a group keeps for followers that are behind.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Bytes of entries in memory.
    pub memory: usize,
    /// Bytes of log; one that is further back gets a snapshot.
    pub log: u64,
    /// Entries of it: their places are in memory.
    pub entries: u64,
    /// Bytes of log, and entries, behind a snapshot that is on its way, until its follower has caught up.
    pub catch_up: u64,
    pub catch_up_entries: u64,
}
impl Default for Keep {
    fn default() -> Keep {
        Keep { memory: 32 << 20, log: 256 << 20, entries: 500_000, catch_up: 8 << 30, catch_up_entries: 2_000_000 }
    }
}

/// Room for slots that is kept however few there are.
const SPARE_SLOTS: usize = 4096;

const NODE_RECORD: u8 = 1;
const ENTRY: u8 = 32;
const VOTE: u8 = 33;
const CUT: u8 = 34;
const BASE: u8 = 35;

/// A record of the node's own.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeRecord<'a> {
    Entry(Head<'a>),
    Vote { group: GroupId, term: u64, vote: NodeId },
    Cut { group: GroupId, index: u64 },
    Base { group: GroupId, id: EntryId, reach: u64, members: &'a [u8] },
}
/// What stands before an entry's records.
#[derive(Clone, Debug, PartialEq)]
pub struct Head<'a> {
    pub group: GroupId,
    pub id: EntryId,
    pub decided: u64,
    pub kind: EntryType,
    pub records: u64,
    pub data: &'a [u8],
    pub context: &'a [u8],
}
impl NodeRecord<'_> {
    /// In the cluster's format.
    pub fn encode(&self, format: u64) -> Vec<u8> {
        let mut out = vec![NODE_RECORD];
        let mut head = |kind: u8, group: GroupId, numbers: &[u64]| {
            put_kind(&mut out, kind, format);
            put_varint(&mut out, group);
            numbers.iter().for_each(|n| put_varint(&mut out, *n));
        };
        match self {
            NodeRecord::Entry(h) => {
                head(ENTRY, h.group, &[h.id.term, h.id.index, h.decided]);
                out.push(h.kind as u8);
                put_varint(&mut out, h.records);
                put_bytes(&mut out, h.data);
                put_bytes(&mut out, h.context);
            }
            NodeRecord::Vote { group, term, vote } => head(VOTE, *group, &[*term, *vote]),
            NodeRecord::Cut { group, index } => head(CUT, *group, &[*index]),
            NodeRecord::Base { group, id, reach, members } => {
                head(BASE, *group, &[id.term, id.index, *reach]);
                put_bytes(&mut out, members);
            }
        }
        out
    }
}
/// A record of the node's own, taken apart by one who knows these formats; None: it is a shard's.
pub fn read_record(bytes: &[u8], formats: Formats) -> Result<Option<NodeRecord<'_>>> {
    if bytes.first() != Some(&NODE_RECORD) {
        return Ok(None);
    }
    let mut r = Reader::new(bytes.get(1..).unwrap_or_default(), "a record of the node's log");
    let kind = r.kind(formats.newest)?;
    let group = r.varint()?;
    let record = match kind {
        ENTRY => {
            let id = EntryId { term: r.varint()?, index: r.varint()? };
            let decided = r.varint()?;
            let Some(kind) = entry_type(r.u8()?) else { return r.damaged() };
            let records = r.varint()?;
            NodeRecord::Entry(Head { group, id, decided, kind, records, data: r.bytes()?, context: r.bytes()? })
        }
        VOTE => NodeRecord::Vote { group, term: r.varint()?, vote: r.varint()? },
        CUT => NodeRecord::Cut { group, index: r.varint()? },
        BASE => {
            let id = EntryId { term: r.varint()?, index: r.varint()? };
            NodeRecord::Base { group, id, reach: r.varint()?, members: r.bytes()? }
        }
        _ => return r.damaged(),
    };
    r.end()?;
    Ok(Some(record))
}

/// The records of an entry in one buffer, as they go to other nodes: each with its length (u32) in front.
pub fn pack<'a>(records: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<u8> {
    let mut out = Vec::with_capacity(records.clone().map(|r| r.len() + 4).sum());
    for r in records {
        out.extend_from_slice(&(r.len() as u32).to_le_bytes());
        out.extend_from_slice(r);
    }
    out
}
/// The records of an entry's data.
pub fn unpack(mut data: Bytes) -> Result<Vec<Bytes>> {
    let mut out = Vec::new();
    while !data.is_empty() {
        if data.len() < 4 {
            bail!(DATA_CORRUPTED, "an entry of a group's log is damaged");
        }
        let n = data.get_u32_le() as usize;
        if n > data.len() {
            bail!(DATA_CORRUPTED, "an entry of a group's log is damaged");
        }
        out.push(data.split_to(n));
    }
    Ok(out)
}

/// Where an entry stands in the node's log: 32 bytes, of each entry that is kept.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub term: u64,
    /// The record before it ends here or further on.
    pub after: Lsn,
    /// Its last record ends here.
    pub end: Lsn,
    /// Bytes of data and context.
    size: u32,
    pub kind: EntryType,
}
const _: () = assert!(size_of::<Slot>() == 32);
/// What the newest entries have besides.
#[derive(Default)]
struct Warm {
    /// Where its records end; empty once they are applied.
    ends: Vec<Lsn>,
    /// Data and context, while there is room in memory.
    body: Option<(Bytes, Bytes)>,
}
fn size_of_entry(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The log of one group, as consensus sees it: entries that are in the node's log, written or on their way to the disk.
pub struct GroupLog {
    pub group: GroupId,
    /// What the node's build reads and writes.
    pub formats: Formats,
    pub hard: HardState,
    /// Members as of the newest entry that is decided and handed to the shard.
    pub members: Members,
    /// What lies before the first slot.
    base: EntryId,
    slots: VecDeque<Slot>,
    /// Of the newest slots: of those from the first on that has a body, or is not applied.
    warm: VecDeque<Warm>,
    /// So many of them have no body any more.
    bare: usize,
    /// Bytes of bodies in memory.
    cached: usize,
    pub keep: Keep,
    reader: Mutex<LogReader>,
    /// The newest checkpoint, for followers that are too far behind.
    pub snapshot: Option<Snapshot>,
    /// A follower waits for a snapshot that is not there yet.
    pub wanted: Mutex<Option<NodeId>>,
}
impl GroupLog {
    pub fn new(group: GroupId, base: EntryId, members: Members, disk: Arc<dyn Disk>) -> GroupLog {
        let hard = HardState { term: base.term, commit: base.index, ..HardState::default() };
        GroupLog {
            group,
            formats: version::FORMATS,
            hard,
            members,
            base,
            slots: VecDeque::new(),
            warm: VecDeque::new(),
            bare: 0,
            cached: 0,
            keep: Keep::default(),
            reader: Mutex::new(LogReader::new(disk)),
            snapshot: None,
            wanted: Mutex::default(),
        }
    }
    /// What is to be written, to the log and to others: the cluster's format.
    pub fn format(&self) -> u64 {
        if plant::has(Bug::FormatOfBuild) { self.formats.newest } else { self.members.format.max(1) }
    }
    pub fn base(&self) -> EntryId {
        self.base
    }
    pub fn last(&self) -> EntryId {
        let index = self.base.index + self.slots.len() as u64;
        EntryId { term: self.slots.back().map_or(self.base.term, |s| s.term), index }
    }
    /// The id of the entry at `index`, or of the base; None: it is not here.
    pub fn id_at(&self, index: u64) -> Option<EntryId> {
        if index == self.base.index {
            return Some(self.base);
        }
        self.slot(index).map(|s| EntryId { term: s.term, index })
    }
    fn at(&self, index: u64) -> Option<usize> {
        index.checked_sub(self.base.index + 1).map(|n| n as usize).filter(|n| *n < self.slots.len())
    }
    pub fn slot(&self, index: u64) -> Option<&Slot> {
        self.at(index).and_then(|n| self.slots.get(n))
    }
    /// How many of the slots have nothing but their place.
    fn cold(&self) -> usize {
        self.slots.len() - self.warm.len()
    }
    fn warm_at(&self, index: u64) -> Option<usize> {
        self.at(index)?.checked_sub(self.cold())
    }
    /// The places of the records of an entry that is not applied.
    pub fn ends(&self, index: u64) -> &[Lsn] {
        self.warm_at(index).and_then(|n| self.warm.get(n)).map_or(&[], |w| &w.ends)
    }
    /// ... that is about to be applied; they are needed once.
    pub fn take_ends(&mut self, index: u64) -> Vec<Lsn> {
        let n = self.warm_at(index);
        let ends = n.and_then(|n| self.warm.get_mut(n)).map_or_else(Vec::new, |w| std::mem::take(&mut w.ends));
        self.shed();
        ends
    }
    /// Those in front that have nothing any more are let go of.
    fn shed(&mut self) {
        while self.warm.pop_front_if(|w| w.body.is_none() && w.ends.is_empty()).is_some() {
            self.bare = self.bare.saturating_sub(1);
        }
    }
    /// `durable`: what is not on the disk yet cannot be read there, and stays in memory however much it is.
    fn push(&mut self, slot: Slot, warm: Warm, durable: Lsn) {
        self.cached += warm.body.as_ref().map_or(0, |_| slot.size as usize);
        self.slots.push_back(slot);
        self.warm.push_back(warm);
        let cold = self.cold();
        while self.cached > self.keep.memory
            && self.bare + 1 < self.warm.len()
            && let (Some(s), Some(w)) = (self.slots.get(cold + self.bare), self.warm.get_mut(self.bare))
            && (s.end <= durable || plant::has(Bug::UnwrittenLetGo))
        {
            self.cached -= w.body.take().map_or(0, |_| s.size as usize);
            self.bare += 1;
        }
        self.shed();
    }
    /// Entries from `index` on are void.
    pub fn cut(&mut self, index: u64) {
        let keep = index.saturating_sub(self.base.index + 1) as usize;
        while self.slots.len() > keep
            && let Some(s) = self.slots.pop_back()
        {
            self.cached -= self.warm.pop_back().and_then(|w| w.body).map_or(0, |_| s.size as usize);
        }
        self.bare = self.bare.min(self.warm.len());
    }
    /// Entries up to `index` are not needed any more.
    pub fn forget(&mut self, index: u64) {
        while self.base.index < index {
            let warm = if self.cold() == 0 { self.warm.pop_front() } else { None };
            let Some(s) = self.slots.pop_front() else { break };
            if let Some(w) = warm {
                self.cached -= w.body.map_or(0, |_| s.size as usize);
                self.bare = self.bare.saturating_sub(1);
            }
            self.base = EntryId { term: s.term, index: self.base.index + 1 };
        }
        // What a follower that was waited for has left.
        if self.slots.capacity() > 4 * self.slots.len() + SPARE_SLOTS {
            self.slots.shrink_to(2 * self.slots.len());
        }
    }
    /// The log begins anew behind `base`.
    pub fn begin_at(&mut self, base: EntryId, members: Members) {
        self.slots.clear();
        self.warm.clear();
        (self.base, self.members, self.cached, self.bare) = (base, members, 0, 0);
        self.hard.commit = base.index;
    }
    /// Entries up to the base, which is `to` still, are in the log after all.
    pub fn remember(&mut self, mut older: Older, to: EntryId) {
        let n = older.slots.len() as u64;
        if self.base == to
            && let Some(first) = older.slots.pop_front()
        {
            self.base = EntryId { term: first.term, index: older.newest + 1 - n };
            older.slots.append(&mut self.slots);
            self.slots = older.slots;
        }
    }
    /// The newest entry, or the base, of those that begin before `place`.
    pub fn before(&self, place: Lsn) -> u64 {
        self.base.index + self.slots.partition_point(|s| s.after < place) as u64
    }
    /// The first position in the node's log that entries after `index` stand behind.
    pub fn place_after(&self, index: u64) -> Option<Lsn> {
        self.slot(index + 1).map(|s| s.after)
    }
    fn read(&self, index: u64, slot: &Slot) -> Result<Entry> {
        let mut e = Entry::default();
        e.set_entry_type(slot.kind);
        (e.index, e.term) = (index, slot.term);
        let body = self.warm_at(index).and_then(|n| self.warm.get(n)?.body.as_ref());
        if let Some((data, context)) = body {
            (e.data, e.context) = (data.clone(), context.clone());
            return Ok(e);
        }
        let mut records = Vec::new();
        self.reader.lock().read_each(slot.after, slot.end, &mut |_, r| records.push(r))?;
        // What was cut may lie before it.
        let head = records.iter().rposition(|r| r.first() == Some(&NODE_RECORD));
        let Some(head) = head else { return lost(index) };
        let Some(NodeRecord::Entry(h)) = read_record(&records[head], self.formats)? else { return lost(index) };
        if h.group != self.group || h.id != (EntryId { term: slot.term, index }) {
            return lost(index);
        }
        e.context = Bytes::copy_from_slice(h.context);
        if slot.kind == EntryType::EntryNormal {
            e.data = pack(records[head + 1..].iter().map(Vec::as_slice)).into();
        } else {
            e.data = Bytes::copy_from_slice(h.data);
        }
        Ok(e)
    }
    /// Entries [low, high), up to about `most` bytes but at least one.
    pub fn range(&self, low: u64, high: u64, most: u64) -> Result<Vec<Entry>> {
        let mut out = Vec::new();
        let mut bytes = 0u64;
        for index in low..high {
            let Some(slot) = self.slot(index) else { return lost(index) };
            bytes += u64::from(slot.size);
            if !out.is_empty() && bytes > most {
                break;
            }
            out.push(self.read(index, slot)?);
        }
        Ok(out)
    }
}
fn lost<T>(index: u64) -> Result<T> {
    bail!(DATA_CORRUPTED, "entry {index} of a group's log is not where it should be")
}

impl Storage for GroupLog {
    fn initial_state(&self) -> raft::Result<RaftState> {
        Ok(RaftState::new(self.hard.clone(), self.members.conf.clone()))
    }
    fn entries(
        &self,
        low: u64,
        high: u64,
        max_size: impl Into<Option<u64>>,
        _: GetEntriesContext,
    ) -> raft::Result<Vec<Entry>> {
        if low <= self.base.index {
            return Err(raft::Error::Store(StorageError::Compacted));
        }
        self.range(low, high, max_size.into().unwrap_or(u64::MAX))
            .map_err(|e| raft::Error::Store(StorageError::Other(Box::new(e))))
    }
    fn term(&self, index: u64) -> raft::Result<u64> {
        if index == self.base.index {
            return Ok(self.base.term);
        }
        match self.slot(index) {
            Some(s) => Ok(s.term),
            None if index < self.base.index => Err(raft::Error::Store(StorageError::Compacted)),
            None => Err(raft::Error::Store(StorageError::Unavailable)),
        }
    }
    fn first_index(&self) -> raft::Result<u64> {
        Ok(self.base.index + 1)
    }
    fn last_index(&self) -> raft::Result<u64> {
        Ok(self.last().index)
    }
    fn snapshot(&self, request_index: u64, to: u64) -> raft::Result<Snapshot> {
        match &self.snapshot {
            Some(s) if s.get_metadata().index >= request_index.max(self.base.index) => Ok(s.clone()),
            _ => {
                *self.wanted.lock() = Some(to);
                Err(raft::Error::Store(StorageError::SnapshotTemporarilyUnavailable))
            }
        }
    }
}

/// The node's log itself: appends for all groups.
pub struct NodeLog {
    log: Log,
}
impl NodeLog {
    pub fn new(log: Log) -> NodeLog {
        NodeLog { log }
    }
    /// Sees to it that an entry of these records has room: 53100 otherwise, and nothing has changed.
    pub fn reserve(&mut self, records: impl Iterator<Item = usize>) -> Result<()> {
        const HEAD: usize = 128;
        self.log.reserve(std::iter::once(HEAD).chain(records))
    }
    /// Appends an entry that follows the newest of `of`. Not synced.
    pub fn append(&mut self, of: &mut GroupLog, e: &Entry, decided: u64) -> Result<()> {
        let last = of.last();
        if e.index != last.index + 1 || e.term < last.term {
            return Err(Error::internal("an entry does not follow the one before it"));
        }
        let kind = e.get_entry_type();
        let normal = kind == EntryType::EntryNormal;
        let records = if normal { unpack(e.data.clone())? } else { Vec::new() };
        let (data, context): (&[u8], &[u8]) = (if normal { &[] } else { &e.data }, &e.context);
        let id = EntryId { term: e.term, index: e.index };
        let head = Head { group: of.group, id, decided, kind, records: records.len() as u64, data, context };
        let after = self.log.end();
        let mut end = self.log.append(&NodeRecord::Entry(head).encode(of.format()))?;
        let mut ends = Vec::with_capacity(records.len());
        for r in &records {
            end = self.log.append(r)?;
            ends.push(end);
        }
        let size = size_of_entry(e.data.len() + e.context.len());
        let body = Some((e.data.clone(), e.context.clone()));
        of.push(Slot { term: e.term, after, end, size, kind }, Warm { ends, body }, self.log.durable());
        Ok(())
    }
    pub fn append_cut(&mut self, of: &mut GroupLog, index: u64) -> Result<()> {
        if !plant::has(Bug::CutSkipped) {
            self.log.append(&NodeRecord::Cut { group: of.group, index }.encode(of.format()))?;
        }
        of.cut(index);
        Ok(())
    }
    pub fn append_vote(&mut self, of: &mut GroupLog, hard: &HardState) -> Result<()> {
        let vote = NodeRecord::Vote { group: of.group, term: hard.term, vote: hard.vote };
        self.log.append(&vote.encode(of.format()))?;
        (of.hard.term, of.hard.vote) = (hard.term, hard.vote);
        Ok(())
    }
    /// The log begins, with a shard that holds everything up to `id`, and perhaps some of what follows, up to `reach`.
    pub fn append_base(&mut self, of: &mut GroupLog, id: EntryId, reach: u64, members: Members) -> Result<()> {
        let bytes = members.encode();
        let base = NodeRecord::Base { group: of.group, id, reach, members: &bytes };
        self.log.append(&base.encode(members.format.max(1)))?;
        of.begin_at(id, members);
        Ok(())
    }
    pub fn end(&self) -> Lsn {
        self.log.end()
    }
    pub fn durable(&self) -> Lsn {
        self.log.durable()
    }
    pub fn begin_sync(&mut self) -> Result<Option<Syncing>> {
        self.log.begin_sync()
    }
    pub fn end_sync(&mut self, s: &Syncing, r: Result<()>) -> Result<Lsn> {
        self.log.end_sync(s, r)
    }
    pub fn truncate_before(&mut self, lsn: Lsn) -> Result<()> {
        self.log.truncate_before(lsn)
    }
    pub fn failure(&self) -> Option<&Error> {
        self.log.failure()
    }
}

/// Entries that the log still has though the checkpoint holds them: a leader that has just started needs them for followers that are a little behind, or would have to send them everything.
/// Nothing rests on them: what cannot be read is done without.
pub struct Older {
    group: GroupId,
    formats: Formats,
    /// Of the newest slot.
    newest: u64,
    slots: VecDeque<Slot>,
    /// Records of the newest entry that are still to come.
    missing: u64,
    previous: Option<Lsn>,
}
impl Older {
    /// What a disk has of the group's entries up to `base`, which ends at `upto`, in a row; None: nothing of use.
    pub fn read(disk: &dyn Disk, log: &GroupLog, upto: Lsn) -> Option<Older> {
        let (group, formats, base) = (log.group, log.formats, log.base);
        let mut older = Older { group, formats, newest: 0, slots: VecDeque::new(), missing: 0, previous: None };
        Log::read_before(disk, upto, &mut |lsn, bytes| older.record(lsn, bytes)).ok()?;
        older.drop_torn();
        let ends_there = older.newest == base.index && older.slots.back().is_some_and(|s| s.term == base.term);
        // The first one only says what the others stand behind.
        (ends_there && older.slots.len() > 1).then_some(older)
    }
    /// The log is to be kept from here on.
    pub fn place(&self) -> Lsn {
        self.slots.get(1).map_or(Lsn::MAX, |s| s.after)
    }
    fn drop_torn(&mut self) {
        if std::mem::take(&mut self.missing) > 0 {
            self.slots.pop_back();
            self.newest -= 1;
        }
    }
    fn record(&mut self, lsn: Lsn, bytes: &[u8]) -> Result<()> {
        let before = self.previous.replace(lsn);
        match read_record(bytes, self.formats)? {
            None => {
                if let Some(s) = self.slots.back_mut().filter(|_| self.missing > 0) {
                    (s.end, s.size) = (lsn, s.size.saturating_add(size_of_entry(bytes.len() + 4)));
                    self.missing -= 1;
                }
            }
            Some(NodeRecord::Entry(h)) => {
                self.drop_torn();
                let Some(after) = before.filter(|_| h.group == self.group) else { return Ok(()) };
                if h.id.index != self.newest + 1 {
                    self.slots.clear();
                }
                let size = size_of_entry(h.data.len() + h.context.len());
                self.slots.push_back(Slot { term: h.id.term, after, end: lsn, size, kind: h.kind });
                (self.newest, self.missing) = (h.id.index, h.records);
            }
            Some(NodeRecord::Cut { group, index }) => {
                self.drop_torn();
                while group == self.group && self.newest >= index && self.slots.pop_back().is_some() {
                    self.newest -= 1;
                }
            }
            Some(NodeRecord::Base { group, id, .. }) if group == self.group => {
                self.missing = 0;
                self.slots.clear();
                // What follows stands behind it as behind an entry.
                let kind = EntryType::EntryNormal;
                self.slots.push_back(Slot { term: id.term, after: lsn, end: lsn, size: 0, kind });
                self.newest = id.index;
            }
            Some(NodeRecord::Base { .. }) => {}
            Some(NodeRecord::Vote { .. }) => self.drop_torn(),
        }
        Ok(())
    }
}

/// What recovery makes of a group's records in the node's log: entries as they come, cut where they were, those that are decided handed on.
pub struct GroupReplay {
    pub log: GroupLog,
    /// Up to here the shard has them.
    handed: u64,
    decided: u64,
    /// Entries that are not known to be decided: bodies and places of their records.
    waiting: VecDeque<Waiting>,
    /// Records of the newest entry that are still to come.
    missing: u64,
    previous: Lsn,
    /// Entries up to here may be on the pages.
    reach: u64,
}
/// What recovery found of a group.
pub struct Found {
    pub log: GroupLog,
    /// The shard has the entries up to this one.
    pub handed: u64,
    /// An entry was torn and must be cut in the log, from the index that comes next.
    pub torn: bool,
    /// Entries up to this one may be on the shard's pages.
    pub reach: u64,
}
struct Waiting {
    id: EntryId,
    kind: EntryType,
    records: Vec<(Lsn, Vec<u8>)>,
    data: Vec<u8>,
    context: Vec<u8>,
    after: Lsn,
    end: Lsn,
}
/// What a replayed entry does to the shard.
pub trait Replayed {
    fn record(&mut self, lsn: Lsn, bytes: &[u8]) -> Result<()>;
    fn entered(&mut self, id: EntryId, members: Option<&Members>, end: Lsn);
}
impl GroupReplay {
    /// The shard's checkpoint holds everything up to `base`; the log is read from `from` on.
    pub fn new(log: GroupLog, from: Lsn) -> GroupReplay {
        let base = log.base();
        GroupReplay {
            log,
            handed: base.index,
            decided: base.index,
            waiting: VecDeque::new(),
            missing: 0,
            previous: from,
            reach: 0,
        }
    }
    /// A record of the group's, or of the shard behind one.
    pub fn record(&mut self, lsn: Lsn, bytes: &[u8], to: &mut dyn Replayed) -> Result<()> {
        match read_record(bytes, self.log.formats)? {
            None => self.of_shard(lsn, bytes)?,
            Some(NodeRecord::Entry(h)) => self.head(lsn, h)?,
            Some(NodeRecord::Vote { term, vote, .. }) => {
                self.drop_torn();
                (self.log.hard.term, self.log.hard.vote) = (term, vote);
            }
            Some(NodeRecord::Cut { index, .. }) => {
                self.drop_torn();
                self.cut(index)?;
            }
            Some(NodeRecord::Base { id, reach, members, .. }) => {
                self.drop_torn();
                let members = Members::decode(members)?;
                if id.index >= self.handed {
                    self.waiting.clear();
                    self.log.begin_at(id, members.clone());
                    to.entered(id, Some(&members), lsn);
                    (self.handed, self.decided) = (id.index, id.index);
                    self.log.hard.term = self.log.hard.term.max(id.term);
                    self.reach = reach;
                }
            }
        }
        self.previous = lsn;
        self.hand_on(to)
    }
    fn head(&mut self, lsn: Lsn, h: Head) -> Result<()> {
        self.drop_torn();
        self.decided = self.decided.max(h.decided);
        if h.id.index <= self.log.base().index {
            // The checkpoint holds it.
            self.missing = 0;
            return Ok(());
        }
        let newest = self.newest();
        if h.id.index != newest.index + 1 || h.id.term < newest.term {
            bail!(DATA_CORRUPTED, "entry {} of a group's log stands behind entry {}", h.id.index, newest.index);
        }
        self.missing = h.records;
        self.log.hard.term = self.log.hard.term.max(h.id.term);
        self.waiting.push_back(Waiting {
            id: h.id,
            kind: h.kind,
            records: Vec::new(),
            data: h.data.to_vec(),
            context: h.context.to_vec(),
            after: self.previous,
            end: lsn,
        });
        Ok(())
    }
    fn newest(&self) -> EntryId {
        self.waiting.back().map_or_else(|| self.log.last(), |w| w.id)
    }
    fn of_shard(&mut self, lsn: Lsn, bytes: &[u8]) -> Result<()> {
        if self.missing == 0 {
            // Of an entry that the checkpoint holds.
            return Ok(());
        }
        if let Some(w) = self.waiting.back_mut() {
            w.records.push((lsn, bytes.to_vec()));
            w.end = lsn;
            self.missing -= 1;
        }
        Ok(())
    }
    /// The newest entry's records did not all come.
    fn drop_torn(&mut self) {
        if std::mem::take(&mut self.missing) > 0 {
            self.waiting.pop_back();
        }
    }
    fn cut(&mut self, index: u64) -> Result<()> {
        if index <= self.handed {
            bail!(DATA_CORRUPTED, "the log cuts entry {index} of a group, which was decided");
        }
        while self.waiting.pop_back_if(|w| w.id.index >= index).is_some() {}
        Ok(())
    }
    fn hand_on(&mut self, to: &mut dyn Replayed) -> Result<()> {
        while let Some(w) = self.waiting.front()
            && (w.id.index <= self.decided || plant::has(Bug::UndecidedReplayed))
            && (self.missing == 0 || self.waiting.len() > 1)
        {
            let Some(w) = self.waiting.pop_front() else { break };
            for (lsn, r) in &w.records {
                to.record(*lsn, r)?;
            }
            let changed = change_members(&mut self.log.members, w.kind, &w.data, &w.context)?;
            to.entered(w.id, changed.then_some(&self.log.members), w.end);
            self.handed = w.id.index;
            self.keep(w, false);
        }
        Ok(())
    }
    fn keep(&mut self, w: Waiting, body: bool) {
        let normal = w.kind == EntryType::EntryNormal;
        let data = || if normal { pack(w.records.iter().map(|r| r.1.as_slice())) } else { w.data.clone() };
        let size = w.records.iter().map(|r| r.1.len() + 4).sum::<usize>() + w.data.len() + w.context.len();
        let body = body.then(|| (data().into(), w.context.clone().into()));
        let ends = if body.is_some() { w.records.iter().map(|r| r.0).collect() } else { Vec::new() };
        let slot = Slot { term: w.id.term, after: w.after, end: w.end, size: size_of_entry(size), kind: w.kind };
        self.log.push(slot, Warm { ends, body }, Lsn::MAX);
    }
    /// The log's end: entries that are not known to be decided stay in the group's log.
    pub fn finish(mut self) -> Found {
        let torn = self.missing > 0;
        self.drop_torn();
        while let Some(w) = self.waiting.pop_front() {
            self.keep(w, true);
        }
        self.log.hard.commit = self.handed;
        Found { log: self.log, handed: self.handed, torn, reach: self.reach }
    }
}

/// The entries of a new group stand behind this one.
pub const FIRST_ENTRY: EntryId = EntryId { term: 1, index: 1 };

const _: fn() = || {
    fn movable<T: Send>() {}
    movable::<GroupLog>();
};

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_storage::disk::sim::SimDisk;
    use pamir_storage::log::LogOptions;
    use pamir_testkit::chance::{Rng, seeds};

    /// What the first builds wrote is read, and they do not take what later ones write for anything that they know.
    #[test]
    fn records_of_each_format() {
        let id = EntryId { term: 3, index: 300 };
        let kind = EntryType::EntryNormal;
        let all = [
            (NodeRecord::Vote { group: 1, term: 5, vote: 2 }, vec![1, 33, 1, 5, 2]),
            (NodeRecord::Cut { group: 1, index: 300 }, vec![1, 34, 1, 0xac, 2]),
            (NodeRecord::Base { group: 1, id, reach: 7, members: b"m" }, vec![1, 35, 1, 3, 0xac, 2, 7, 1, b'm']),
            (
                NodeRecord::Entry(Head { group: 1, id, decided: 2, kind, records: 0, data: b"", context: b"c" }),
                vec![1, 32, 1, 3, 0xac, 2, 2, 0, 0, 0, 1, b'c'],
            ),
        ];
        for (record, first) in all {
            assert_eq!(record.encode(1), first);
            let second = record.encode(2);
            assert_eq!((second[1], second[2]), (first[1] | 0x80, 2));
            for bytes in [&first, &second] {
                assert_eq!(read_record(bytes, version::FORMATS).unwrap(), Some(record.clone()));
            }
            assert_eq!(read_record(&second, Formats::FIRST).unwrap_err().code().as_str(), "0A000");
            let later = record.encode(version::NEWEST + 1);
            assert_eq!(read_record(&later, version::FORMATS).unwrap_err().code().as_str(), "0A000");
        }
        assert!(read_record(&[1, 33 | 0x80, 1, 1, 5, 2], version::FORMATS).is_err(), "the first format says none");
    }

    /// What a group's log says of its entries, against a list of them: written, synced, applied, cut, forgotten in every order, with memory for few.
    #[test]
    fn what_is_kept_of_entries() {
        for seed in seeds(200) {
            let mut rng = Rng::new(seed);
            let mut draw = |n: u64| rng.below(n);
            let disk = Arc::new(SimDisk::new(seed));
            let log = Log::open(disk.clone(), LogOptions { segment_size: 1 << 20 }, 0, &mut |_, _| Ok(())).unwrap();
            let (mut node, mut of) =
                (NodeLog::new(log), GroupLog::new(1, EntryId::default(), Members::default(), disk));
            of.keep.memory = 2000;
            // From the base on: what each entry has, and where its records end until it is applied.
            let (mut model, mut applied): (VecDeque<(Entry, usize)>, u64) = (VecDeque::new(), 0);
            for _ in 0..400 {
                let last = of.last();
                match draw(12) {
                    0..=5 => {
                        let records: Vec<Vec<u8>> = (0..draw(4)).map(|_| vec![7; draw(120) as usize]).collect();
                        let data = pack(records.iter().map(Vec::as_slice));
                        let mut e =
                            Entry { index: last.index + 1, term: last.term + draw(20) / 19, ..Entry::default() };
                        (e.data, e.context) = (data.into(), vec![1; draw(9) as usize].into());
                        node.append(&mut of, &e, 0).unwrap();
                        model.push_back((e, records.len()));
                        // Beyond the limit is what the disk does not have yet, and the newest.
                        let unwritten = of.slots.iter().filter(|s| s.end > node.durable()).map(|s| s.size as usize);
                        let newest = of.slots.back().map_or(0, |s| s.size as usize);
                        let most = of.keep.memory.max(unwritten.sum::<usize>()) + newest;
                        assert!(of.cached <= of.keep.memory || of.cached <= most, "seed {seed}: {}", of.cached);
                    }
                    6 | 7 => {
                        if let Some(s) = node.begin_sync().unwrap() {
                            let done = s.run();
                            node.end_sync(&s, done).unwrap();
                        }
                    }
                    8 | 9 => {
                        for _ in 0..draw(5) {
                            if applied < of.last().index {
                                applied += 1;
                                let n = (applied - of.base().index - 1) as usize;
                                assert_eq!(of.ends(applied).len(), model[n].1);
                                assert_eq!(of.take_ends(applied).len(), model[n].1);
                                assert!(of.take_ends(applied).is_empty());
                            }
                        }
                    }
                    10 if draw(4) == 0 && applied < last.index => {
                        let index = applied + 1 + draw(last.index - applied);
                        node.append_cut(&mut of, index).unwrap();
                        model.truncate((index - of.base().index - 1) as usize);
                    }
                    _ if draw(3) == 0 => {
                        let to = of.base().index + draw(applied - of.base().index + 1);
                        model.drain(..(to - of.base().index) as usize);
                        of.forget(to);
                        assert_eq!(of.base().index, to);
                    }
                    _ => {}
                }
                assert_eq!(of.last().index, of.base().index + model.len() as u64);
                let bodies = |of: &GroupLog| of.warm.iter().filter(|w| w.body.is_some()).count();
                let held: usize = of.warm.iter().filter_map(|w| w.body.as_ref()).map(|b| b.0.len() + b.1.len()).sum();
                assert_eq!(of.cached, held);
                assert!(
                    of.warm.iter().take(of.bare).all(|w| w.body.is_none()) && of.bare + bodies(&of) == of.warm.len()
                );
                // Nothing is kept beyond its time.
                assert!(of.warm.front().is_none_or(|w| w.body.is_some() || !w.ends.is_empty()));
                if !model.is_empty() {
                    let at = draw(model.len() as u64) as usize;
                    let index = of.base().index + 1 + at as u64;
                    let slot = *of.slot(index).unwrap();
                    assert_eq!(of.id_at(index), Some(EntryId { term: model[at].0.term, index }));
                    assert_eq!(of.ends(index).len(), if index > applied { model[at].1 } else { 0 });
                    // What is in memory alone is not on the disk; what is not, is.
                    let got = of.read(index, &slot).unwrap();
                    assert!(got == model[at].0, "seed {seed}, entry {index}");
                }
            }
        }
    }
}
