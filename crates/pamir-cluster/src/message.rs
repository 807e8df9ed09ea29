//! What nodes say to each other about a group, byte by byte. All integers are varints unless their width is said; `bytes` is a length and then the bytes.
//!
//! ```text
//!   message    := subject and version u8 = 1, kind, group v, body
//!   kind       := u8, or from format 2 on: u8 with its highest bit set, format v      (version.rs)
//!   1 Raft     := type u8, term, log_term, index, commit, commit_term, reject u8, reject_hint, request_snapshot, priority, context bytes, n v, entry..., [snapshot]
//!   entry      := type u8 (0 records, 1 and 2 change of members), term, index, data bytes, context bytes
//!   snapshot   := index, term, group bytes                     of a message of type 7; what it stands for comes apart from it
//!   2 Lease    := term, sent u64                               a leader asks for a promise; `sent` is its own clock, in nanoseconds
//!   3 Promise  := term, sent u64, flags u8: 1 the disk is full     the answer: whoever gives it votes for nobody else for a while
//!   8 Ask      := number, decided                              a follower asks how far the log is, and says what it knows to be decided
//!   9 Closed   := number, index, ts                          the answer (closed.rs)
//! ```
//! To and from are the transport's. Consensus trusts its peers with its invariants and would end the process over what contradicts them, so what can be seen to be wrong is refused here, before it
//! comes there.
use crate::codec::{Reader, put_bytes, put_kind, put_varint};
use crate::members::Members;
use crate::version::Formats;
use crate::{GroupId, NodeId};
use bytes::Bytes;
use pamir_error::Result;
use raft::eraftpb::{Entry, EntryType, Message, MessageType, Snapshot};

/// Tells these messages from others between nodes, and their version.
pub const SUBJECT: u8 = 1;
const VERSION: u8 = SUBJECT;
const RAFT: u8 = 1;
const LEASE: u8 = 2;
const PROMISE: u8 = 3;
const ASK: u8 = 8;
const CLOSED: u8 = 9;
const DISK_FULL: u8 = 1;

/// A message about a group.
#[derive(Clone, PartialEq, Debug)]
pub enum Say {
    Raft(Box<Message>),
    /// A leader asks for a promise; its clock when it did, in nanoseconds.
    Lease {
        term: u64,
        sent: u64,
    },
    /// The promise, for the one who asked then.
    Promise {
        term: u64,
        sent: u64,
        disk_full: bool,
    },
    /// A follower asks how far the log is.
    Ask {
        number: u64,
        decided: u64,
    },
    /// The answer to the question of that number.
    Closed {
        number: u64,
        index: u64,
        ts: u64,
    },
}
impl Say {
    /// Must it never wait behind entries?
    pub fn is_urgent(&self) -> bool {
        match self {
            Say::Raft(m) => !matches!(
                m.get_msg_type(),
                MessageType::MsgAppend | MessageType::MsgAppendResponse | MessageType::MsgSnapshot
            ),
            Say::Lease { .. } | Say::Promise { .. } | Say::Ask { .. } | Say::Closed { .. } => true,
        }
    }
    /// In the cluster's format.
    pub fn encode(&self, group: GroupId, format: u64) -> Vec<u8> {
        let capacity = match self {
            Say::Raft(m) => 96 + m.get_entries().iter().map(|e| e.data.len() + 48).sum::<usize>(),
            _ => 32,
        };
        let mut out = Vec::with_capacity(capacity);
        out.push(VERSION);
        let kind = |out: &mut Vec<u8>, kind| {
            put_kind(out, kind, format);
            put_varint(out, group);
        };
        match self {
            Say::Raft(m) => {
                kind(&mut out, RAFT);
                write_raft(&mut out, m);
            }
            Say::Lease { term, sent } => {
                kind(&mut out, LEASE);
                put_varint(&mut out, *term);
                put_varint(&mut out, *sent);
            }
            Say::Promise { term, sent, disk_full } => {
                kind(&mut out, PROMISE);
                put_varint(&mut out, *term);
                put_varint(&mut out, *sent);
                out.push(if *disk_full { DISK_FULL } else { 0 });
            }
            Say::Ask { number, decided } => {
                kind(&mut out, ASK);
                [*number, *decided].into_iter().for_each(|n| put_varint(&mut out, n));
            }
            Say::Closed { number, index, ts } => {
                kind(&mut out, CLOSED);
                [*number, *index, *ts].into_iter().for_each(|n| put_varint(&mut out, n));
            }
        }
        out
    }
    /// `bytes` came from `from` for `to`, which knows these formats. Entries' data stays in `bytes`, uncopied.
    pub fn decode(bytes: &Bytes, from: NodeId, to: NodeId, formats: Formats) -> Result<(GroupId, Say)> {
        let mut r = Reader::new(bytes, "a message of another node");
        if r.u8()? != VERSION {
            return r.damaged();
        }
        let kind = r.kind(formats.newest)?;
        let group = r.varint()?;
        let say = match kind {
            RAFT => Say::Raft(Box::new(read_raft(&mut r, bytes, from, to)?)),
            LEASE => Say::Lease { term: r.varint()?, sent: r.varint()? },
            PROMISE => Say::Promise { term: r.varint()?, sent: r.varint()?, disk_full: r.u8()? & DISK_FULL != 0 },
            ASK => Say::Ask { number: r.varint()?, decided: r.varint()? },
            CLOSED => Say::Closed { number: r.varint()?, index: r.varint()?, ts: r.varint()? },
            _ => return r.damaged(),
        };
        r.end()?;
        Ok((group, say))
    }
}

/// Types that go between nodes, by their numbers; the others are of a node's own.
const TYPES: [MessageType; 13] = [
    MessageType::MsgAppend,
    MessageType::MsgAppendResponse,
    MessageType::MsgRequestVote,
    MessageType::MsgRequestVoteResponse,
    MessageType::MsgSnapshot,
    MessageType::MsgHeartbeat,
    MessageType::MsgHeartbeatResponse,
    MessageType::MsgTransferLeader,
    MessageType::MsgTimeoutNow,
    MessageType::MsgReadIndex,
    MessageType::MsgReadIndexResp,
    MessageType::MsgRequestPreVote,
    MessageType::MsgRequestPreVoteResponse,
];

fn write_raft(out: &mut Vec<u8>, m: &Message) {
    out.push(m.get_msg_type() as u8);
    for n in [m.term, m.log_term, m.index, m.commit, m.commit_term] {
        put_varint(out, n);
    }
    out.push(m.reject as u8);
    for n in [m.reject_hint, m.request_snapshot, m.priority as u64] {
        put_varint(out, n);
    }
    put_bytes(out, &m.context);
    put_varint(out, m.get_entries().len() as u64);
    for e in m.get_entries() {
        write_entry(out, e);
    }
    if m.get_msg_type() == MessageType::MsgSnapshot {
        let meta = m.get_snapshot().get_metadata();
        put_varint(out, meta.index);
        put_varint(out, meta.term);
        put_bytes(out, &m.get_snapshot().data);
    }
}
fn write_entry(out: &mut Vec<u8>, e: &Entry) {
    out.push(e.get_entry_type() as u8);
    put_varint(out, e.term);
    put_varint(out, e.index);
    put_bytes(out, &e.data);
    put_bytes(out, &e.context);
}
/// A slice of `all` that shares its memory.
fn shared(all: &Bytes, part: &[u8]) -> Bytes {
    if part.is_empty() { Bytes::new() } else { all.slice_ref(part) }
}
pub(crate) fn entry_type(n: u8) -> Option<EntryType> {
    [EntryType::EntryNormal, EntryType::EntryConfChange, EntryType::EntryConfChangeV2].get(usize::from(n)).copied()
}
fn read_entry(r: &mut Reader, all: &Bytes) -> Result<Entry> {
    let Some(kind) = entry_type(r.u8()?) else { return r.damaged() };
    let mut e = Entry::default();
    e.set_entry_type(kind);
    e.term = r.varint()?;
    e.index = r.varint()?;
    e.data = shared(all, r.bytes()?);
    e.context = shared(all, r.bytes()?);
    Ok(e)
}
fn read_raft(r: &mut Reader, all: &Bytes, from: NodeId, to: NodeId) -> Result<Message> {
    let kind = r.u8()?;
    let Some(kind) = TYPES.iter().find(|t| **t as u8 == kind) else { return r.damaged() };
    let mut m = Message::default();
    m.set_msg_type(*kind);
    (m.from, m.to) = (from, to);
    m.term = r.varint()?;
    m.log_term = r.varint()?;
    m.index = r.varint()?;
    m.commit = r.varint()?;
    m.commit_term = r.varint()?;
    m.reject = r.u8()? != 0;
    m.reject_hint = r.varint()?;
    m.request_snapshot = r.varint()?;
    m.priority = r.varint()? as i64;
    m.context = shared(all, r.bytes()?);
    let entries = r.list(|r| read_entry(r, all))?;
    // Of an append they follow its place one by one, in terms that do not fall and are not beyond the message's.
    let mut before = (m.index, m.log_term);
    for e in &entries {
        if e.index != before.0.wrapping_add(1) || e.term < before.1 || e.term > m.term {
            return r.damaged();
        }
        before = (e.index, e.term);
    }
    if !entries.is_empty() && *kind != MessageType::MsgAppend {
        return r.damaged();
    }
    m.set_entries(entries.into());
    if *kind == MessageType::MsgSnapshot {
        let mut s = Snapshot::default();
        s.mut_metadata().index = r.varint()?;
        s.mut_metadata().term = r.varint()?;
        s.data = shared(all, r.bytes()?);
        let conf = Members::decode(&s.data)?.conf;
        s.mut_metadata().set_conf_state(conf);
        m.set_snapshot(s);
    }
    // All but a pre-vote's answer and what asks for a transfer are of a term.
    if m.term == 0 {
        return r.damaged();
    }
    Ok(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::NodeInfo;
    use crate::version::{FORMATS, NEWEST};
    use pamir_testkit::chance::{self, Rng};

    fn append() -> Message {
        let mut m = Message::default();
        m.set_msg_type(MessageType::MsgAppend);
        (m.from, m.to, m.term, m.log_term, m.index, m.commit) = (1, 2, 7, 6, 40, 39);
        let entry = |index, term, data: &'static [u8]| {
            let mut e = Entry::default();
            (e.index, e.term, e.data) = (index, term, Bytes::from_static(data));
            e
        };
        let mut change = entry(42, 7, b"change");
        change.set_entry_type(EntryType::EntryConfChangeV2);
        change.context = Bytes::from_static(b"who");
        m.set_entries(vec![entry(41, 6, b"records"), change, entry(43, 7, b"")].into());
        m
    }
    fn all() -> Vec<Say> {
        let mut vote = Message::default();
        vote.set_msg_type(MessageType::MsgRequestVote);
        (vote.from, vote.to, vote.term, vote.index, vote.priority) = (1, 2, 9, 5, -3);
        vote.context = Bytes::from_static(b"CampaignTransfer");
        let mut snap = Message::default();
        snap.set_msg_type(MessageType::MsgSnapshot);
        (snap.from, snap.to, snap.term) = (1, 2, 9);
        let members = Members::alone(1, NodeInfo::default(), NEWEST);
        let mut s = Snapshot::default();
        (s.mut_metadata().index, s.mut_metadata().term) = (100, 8);
        s.mut_metadata().set_conf_state(members.conf.clone());
        s.data = Bytes::copy_from_slice(&members.encode());
        snap.set_snapshot(s);
        vec![
            Say::Raft(Box::new(append())),
            Say::Raft(Box::new(vote)),
            Say::Raft(Box::new(snap)),
            Say::Lease { term: 3, sent: 1 << 60 },
            Say::Promise { term: 3, sent: 1 << 60, disk_full: true },
            Say::Ask { number: 1 << 50, decided: 77 },
            Say::Closed { number: 1 << 50, index: 78, ts: 1 << 61 },
        ]
    }

    #[test]
    fn round_trips() {
        for say in all() {
            for format in 1..=NEWEST {
                let bytes = Bytes::from(say.encode(17, format));
                assert_eq!(Say::decode(&bytes, 1, 2, FORMATS).unwrap(), (17, say.clone()));
                (0..bytes.len()).for_each(|n| assert!(Say::decode(&bytes.slice(..n), 1, 2, FORMATS).is_err()));
                assert_eq!(Say::decode(&bytes, 1, 2, Formats::FIRST).is_ok(), format == 1);
            }
            let e = Say::decode(&Bytes::from(say.encode(17, NEWEST + 1)), 1, 2, FORMATS).unwrap_err();
            assert_eq!(e.code().as_str(), "0A000", "of a later program");
        }
        assert!(all()[1].is_urgent() && !all()[0].is_urgent());
    }

    /// What consensus would not survive is refused.
    #[test]
    fn contradictions() {
        let decode = |m: Message| Say::decode(&Bytes::from(Say::Raft(Box::new(m)).encode(1, 1)), 1, 2, FORMATS);
        let mut m = append();
        m.mut_entries()[1].index = 43;
        assert!(decode(m).is_err(), "a gap");
        let mut m = append();
        m.mut_entries()[2].term = 6;
        assert!(decode(m).is_err(), "a term that falls");
        let mut m = append();
        m.mut_entries()[2].term = 8;
        assert!(decode(m).is_err(), "a term to come");
        let mut m = append();
        m.set_msg_type(MessageType::MsgHeartbeat);
        assert!(decode(m).is_err(), "entries of a heartbeat");
        let mut m = append();
        m.set_msg_type(MessageType::MsgHup);
        assert!(decode(m).is_err(), "a node's own");
    }

    #[test]
    fn damage_is_an_error() {
        let r = &mut Rng::new(chance::seed(1));
        let seeds: Vec<Vec<u8>> = all().iter().flat_map(|s| [s.encode(1, 1), s.encode(1, NEWEST)]).collect();
        let end = chance::end(1);
        while std::time::Instant::now() < end {
            let mut b = r.choose(&seeds).clone();
            for _ in 0..1 + r.below(4) {
                let at = r.index(b.len());
                match r.below(4) {
                    0 => b[at] ^= 1 << r.below(8),
                    1 => b[at] = *r.choose(&[0, 0x7f, 0x80, 0xff]),
                    2 => b.truncate(at.max(1)),
                    _ => b.insert(at, 0xff),
                }
            }
            let _ = Say::decode(&Bytes::from(b), 1, 2, FORMATS);
        }
    }
}
