//! What members tell each other of themselves, what the leader makes of it, and what an operator orders: messages, and what is known of whom.
//!
//! ```text
//!   member ── Report ──► every other member          what only it knows: positions, disk, version, trouble
//!   leader ── Overview ──► every other member        one line a member: role, lag, silence, snapshots; a node that does not lead answers from the newest one and says how old it is
//!   any    ── Order n ──► the leader, or the node that is meant ── Outcome n ──► any
//!   any    ── Removed ──► a node that was taken out of the cluster
//! ```
//! ```text
//!   message   := subject u8 = 12, version u8 = 1, kind u8, body
//!   1 Report  := term v, stored v, decided v, applied v, flags u8 (1 draining, 2 disk full, 4 serves), free o, all o, version string, trouble string, speed (pace.rs; an earlier program says none)
//!   2 Overview:= term v, leader v, flags u8 (1 quorum, 2 lease), n v, (length v, line)...
//!   line      := node v, role u8, flags u8 (1 votes, 2 silent, 4 draining), term v, contact o, stored o, applied o, decided o, lag entries o, lag bytes o, lag micros o,
//!                free o, all o, snapshot done o, snapshot all o, version string, trouble string
//!   3 Order   := number v, what u8 (1 remove, 2 transfer, 3 drain, 4 undrain, 5 finalize), node v, flags u8 (1 force)
//!   4 Outcome := number v, fate u8 (0 done, 1 ask again, 2 refused), [code 5 bytes, message string, detail string, hint string]
//!   5 Removed :=
//!   o         := 0, or a number and 1 more than it, as a varint
//! ```
//! *Invariants*: fields are only ever added, behind those that are there; what stands behind what this program knows is of later ones and is not looked at. All of it fits class Control ([`LONGEST_TEXT`], [`MOST_LINES`]).
//!
//! **Lag** of a member is what the leader's log has and the member has not stored: entries, bytes of log, and the time since the oldest such entry was in the leader's log, which is looked at every 200 ms. One that lacks
//! nothing has a lag of 0.
use crate::NodeId;
use crate::codec::{Reader, put_bytes, put_varint};
use crate::pace::Speed;
use pamir_error::{Error, Result, SqlState};
use pamir_storage::log::Lsn;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Tells these messages from others between nodes.
pub const SUBJECT: u8 = 12;
const VERSION: u8 = 1;
/// Entries that a successor may lack when its turn comes: it is to have all of them in a moment.
pub(crate) const BEHIND: u64 = 1024;
const REPORT: u8 = 1;
const OVERVIEW: u8 = 2;
const ORDER: u8 = 3;
const OUTCOME: u8 = 4;
const REMOVED: u8 = 5;

/// Members say how they are this often.
pub const REPORT_EVERY: Duration = Duration::from_millis(500);
/// A member that has said nothing for so long, of anything, is silent.
pub const SILENT: Duration = Duration::from_secs(3);
/// Bytes of a text in a message.
pub const LONGEST_TEXT: usize = 200;
/// Lines of an overview.
pub const MOST_LINES: usize = 48;
/// Places of the log that are remembered with their times: of more than ten minutes.
const MOST_SAMPLES: usize = 4096;

fn put_option(out: &mut Vec<u8>, n: Option<u64>) {
    put_varint(out, n.map_or(0, |n| n.saturating_add(1)));
}
fn option(r: &mut Reader) -> Result<Option<u64>> {
    Ok(r.varint()?.checked_sub(1))
}
fn put_text(out: &mut Vec<u8>, s: &str) {
    let mut n = s.len().min(LONGEST_TEXT);
    while !s.is_char_boundary(n) {
        n -= 1;
    }
    put_bytes(out, &s.as_bytes()[..n]);
}
fn flag(on: bool, bit: u8) -> u8 {
    if on { bit } else { 0 }
}
fn micros(d: Duration) -> u64 {
    u64::try_from(d.as_micros()).unwrap_or(u64::MAX)
}

/// What a member says of itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    pub term: u64,
    /// Indexes of the newest entry in its log, known to be decided, and applied.
    pub stored: u64,
    pub decided: u64,
    pub applied: u64,
    pub draining: bool,
    pub disk_full: bool,
    /// It leads and takes changes.
    pub serves: bool,
    /// Bytes free, and all, of the file system with its data; None: unknown.
    pub disk: Option<(u64, u64)>,
    /// Of its program.
    pub version: String,
    /// What ails it, for people; empty: nothing.
    pub trouble: String,
    /// How fast it is.
    pub speed: Speed,
}

/// What a member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Nobody has heard of it, or not for long.
    #[default]
    Unknown,
    Leader,
    Follower,
    /// It gets the log and does not vote yet.
    Learner,
}
impl Role {
    const ALL: [Role; 4] = [Role::Unknown, Role::Leader, Role::Follower, Role::Learner];
    /// As views show it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Unknown => "unknown",
            Role::Leader => "leader",
            Role::Follower => "follower",
            Role::Learner => "learner",
        }
    }
}
/// How far a member is behind the leader; see the head of this file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lag {
    pub entries: u64,
    pub bytes: u64,
    pub time: Duration,
}
/// One member, as the leader sees it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Member {
    pub node: NodeId,
    pub role: Role,
    pub votes: bool,
    /// Nothing was heard of it for [`SILENT`].
    pub silent: bool,
    pub draining: bool,
    pub term: u64,
    /// How long ago something was heard of it; None: nothing yet, or of oneself.
    pub contact: Option<Duration>,
    pub stored: Option<u64>,
    pub applied: Option<u64>,
    pub decided: Option<u64>,
    pub lag: Option<Lag>,
    pub disk: Option<(u64, u64)>,
    /// Bytes of a snapshot that are there, and all, while one is on its way to it.
    pub snapshot: Option<(u64, u64)>,
    pub version: String,
    pub trouble: String,
    /// Positions of the leader's log up to which it was sent, stored and has applied; known at the leader only.
    pub places: Option<[Lsn; 3]>,
    /// How long the leader has had the oldest entry that it has not applied; known at the leader only.
    pub unapplied: Option<Duration>,
}
impl Member {
    /// In one or few words.
    pub fn health(&self) -> &str {
        match () {
            () if self.silent => "silent",
            () if self.snapshot.is_some() => "gets a snapshot",
            () if !self.trouble.is_empty() => &self.trouble,
            () if self.draining => "draining",
            () => "ok",
        }
    }
    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.node);
        out.push(Role::ALL.iter().position(|r| *r == self.role).unwrap_or(0) as u8);
        out.push(flag(self.votes, 1) | flag(self.silent, 2) | flag(self.draining, 4));
        put_varint(&mut out, self.term);
        let lag = self.lag;
        for n in [
            self.contact.map(micros),
            self.stored,
            self.applied,
            self.decided,
            lag.map(|l| l.entries),
            lag.map(|l| l.bytes),
            lag.map(|l| micros(l.time)),
            self.disk.map(|d| d.0),
            self.disk.map(|d| d.1),
            self.snapshot.map(|s| s.0),
            self.snapshot.map(|s| s.1),
        ] {
            put_option(&mut out, n);
        }
        put_text(&mut out, &self.version);
        put_text(&mut out, &self.trouble);
        out
    }
    fn read(bytes: &[u8]) -> Result<Member> {
        let mut r = Reader::new(bytes, WHAT);
        let node = r.varint()?;
        // A role of a later program is none that is known here.
        let role = Role::ALL.get(usize::from(r.u8()?)).copied().unwrap_or_default();
        let flags = r.u8()?;
        let term = r.varint()?;
        let mut n = [None; 11];
        for n in &mut n {
            *n = option(&mut r)?;
        }
        let [contact, stored, applied, decided, entries, bytes, time, free, all, done, whole] = n;
        let both = |a: Option<u64>, b: Option<u64>| Some((a?, b?));
        Ok(Member {
            node,
            role,
            votes: flags & 1 != 0,
            silent: flags & 2 != 0,
            draining: flags & 4 != 0,
            term,
            contact: contact.map(Duration::from_micros),
            stored,
            applied,
            decided,
            lag: both(entries, bytes).zip(time).map(|((entries, bytes), t)| Lag {
                entries,
                bytes,
                time: Duration::from_micros(t),
            }),
            disk: both(free, all),
            snapshot: both(done, whole),
            version: r.string()?,
            trouble: r.string()?,
            places: None,
            unapplied: None,
        })
    }
}
/// The whole, as the leader sees it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Overview {
    pub term: u64,
    pub leader: NodeId,
    /// A majority of the voters is heard.
    pub quorum: bool,
    /// The leader may answer alone.
    pub lease: bool,
    pub members: Vec<Member>,
}

/// What an operator wants done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Takes a node out of the cluster; `force`: even where too few of the others are heard.
    Remove { node: NodeId, force: bool },
    /// Makes a node the leader.
    Transfer { node: NodeId },
    /// The node is not to lead and takes no new clients, or no longer so.
    Drain { node: NodeId, on: bool },
    /// The cluster's format is to rise, whoever holds it down.
    Finalize,
}
impl Order {
    /// Whom it is about; 0: the whole cluster.
    pub fn node(self) -> NodeId {
        match self {
            Order::Finalize => 0,
            Order::Remove { node, .. } | Order::Transfer { node } | Order::Drain { node, .. } => node,
        }
    }
}
/// What became of an order.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It is done, or begun.
    Done,
    /// It was asked of the wrong node, or at the wrong time.
    Again,
    No(Error),
}

#[derive(Clone, Debug)]
pub enum Message {
    Report(Report),
    Overview(Overview),
    Order(u64, Order),
    Outcome(u64, Fate),
    Removed,
}
const WHAT: &str = "a message about the cluster's members";

impl Message {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![SUBJECT, VERSION];
        match self {
            Message::Report(p) => {
                out.push(REPORT);
                [p.term, p.stored, p.decided, p.applied].into_iter().for_each(|n| put_varint(&mut out, n));
                out.push(flag(p.draining, 1) | flag(p.disk_full, 2) | flag(p.serves, 4));
                put_option(&mut out, p.disk.map(|d| d.0));
                put_option(&mut out, p.disk.map(|d| d.1));
                put_text(&mut out, &p.version);
                put_text(&mut out, &p.trouble);
                p.speed.write(&mut out);
            }
            Message::Overview(o) => {
                out.push(OVERVIEW);
                put_varint(&mut out, o.term);
                put_varint(&mut out, o.leader);
                out.push(flag(o.quorum, 1) | flag(o.lease, 2));
                let n = o.members.len().min(MOST_LINES);
                put_varint(&mut out, n as u64);
                o.members.iter().take(n).for_each(|m| put_bytes(&mut out, &m.write()));
            }
            Message::Order(number, order) => {
                out.push(ORDER);
                put_varint(&mut out, *number);
                let (what, force) = match order {
                    Order::Remove { force, .. } => (1, *force),
                    Order::Transfer { .. } => (2, false),
                    Order::Drain { on, .. } => (if *on { 3 } else { 4 }, false),
                    Order::Finalize => (5, false),
                };
                out.push(what);
                put_varint(&mut out, order.node());
                out.push(flag(force, 1));
            }
            Message::Outcome(number, fate) => {
                out.push(OUTCOME);
                put_varint(&mut out, *number);
                match fate {
                    Fate::Done => out.push(0),
                    Fate::Again => out.push(1),
                    Fate::No(e) => {
                        out.push(2);
                        let d = e.data();
                        out.extend_from_slice(e.code().as_str().as_bytes());
                        put_text(&mut out, &d.message);
                        put_text(&mut out, d.detail.as_deref().unwrap_or_default());
                        put_text(&mut out, d.hint.as_deref().unwrap_or_default());
                    }
                }
            }
            Message::Removed => out.push(REMOVED),
        }
        out
    }
    /// None: a kind of message of a later program.
    pub fn decode(bytes: &[u8]) -> Result<Option<Message>> {
        let mut r = Reader::new(bytes, WHAT);
        if r.u8()? != SUBJECT || r.u8()? < VERSION {
            return r.damaged();
        }
        Ok(Some(match r.u8()? {
            REPORT => {
                let (term, stored, decided, applied) = (r.varint()?, r.varint()?, r.varint()?, r.varint()?);
                let flags = r.u8()?;
                let (free, all) = (option(&mut r)?, option(&mut r)?);
                Message::Report(Report {
                    term,
                    stored,
                    decided,
                    applied,
                    draining: flags & 1 != 0,
                    disk_full: flags & 2 != 0,
                    serves: flags & 4 != 0,
                    disk: free.zip(all),
                    version: r.string()?,
                    trouble: r.string()?,
                    speed: Speed::read(&mut r)?,
                })
            }
            OVERVIEW => {
                let (term, leader, flags) = (r.varint()?, r.varint()?, r.u8()?);
                let members = r.list(|r| r.bytes().and_then(Member::read))?;
                Message::Overview(Overview { term, leader, quorum: flags & 1 != 0, lease: flags & 2 != 0, members })
            }
            ORDER => {
                let (number, what, node, flags) = (r.varint()?, r.u8()?, r.varint()?, r.u8()?);
                let order = match what {
                    1 => Order::Remove { node, force: flags & 1 != 0 },
                    2 => Order::Transfer { node },
                    3 | 4 => Order::Drain { node, on: what == 3 },
                    5 => Order::Finalize,
                    _ => return Ok(None),
                };
                Message::Order(number, order)
            }
            OUTCOME => {
                let number = r.varint()?;
                let fate = match r.u8()? {
                    0 => Fate::Done,
                    1 => Fate::Again,
                    _ => {
                        let code = std::str::from_utf8(r.take(5)?).or_else(|_| r.damaged())?;
                        if !code.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) {
                            return r.damaged();
                        }
                        let mut e = Error::new(SqlState::new(code), r.string()?);
                        let (detail, hint) = (r.string()?, r.string()?);
                        if !detail.is_empty() {
                            e = e.detail(detail);
                        }
                        if !hint.is_empty() {
                            e = e.hint(hint);
                        }
                        Fate::No(e)
                    }
                };
                Message::Outcome(number, fate)
            }
            REMOVED => Message::Removed,
            _ => return Ok(None),
        }))
    }
}

/// When the log had which entry, as far as somebody looked.
#[derive(Default, Debug)]
pub struct History(VecDeque<(Instant, u64)>);
impl History {
    /// The newest entry is `index`.
    pub fn note(&mut self, now: Instant, index: u64) {
        // Entries of another leader take the place of those that nobody decided.
        while self.0.back().is_some_and(|s| s.1 > index) {
            self.0.pop_back();
        }
        if self.0.back().is_none_or(|s| s.1 < index) {
            if self.0.len() >= MOST_SAMPLES {
                self.0.pop_front();
            }
            self.0.push_back((now, index));
        }
    }
    /// How long the first entry after `index` has been there; zero: there is none.
    pub fn since(&self, now: Instant, index: u64) -> Duration {
        let at = self.0.partition_point(|s| s.1 <= index);
        self.0.get(at).map_or(Duration::ZERO, |s| now.saturating_duration_since(s.0))
    }
}

/// What a follower is to the leader's consensus.
#[derive(Clone, Copy, Debug)]
pub struct Progressing {
    pub node: NodeId,
    /// The newest entry that it has stored, and the next one to be sent.
    pub matched: u64,
    pub next: u64,
    /// It waits for a snapshot.
    pub snapshot: bool,
}
/// What a replica has counted since its process began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Times it asked for votes, and won.
    pub elections: u64,
    pub won: u64,
    /// Batches proposed, and their bytes.
    pub proposed: u64,
    pub proposed_bytes: u64,
    /// Times that it led and its lease ran out.
    pub lease_expiries: u64,
}
/// A replica at a moment.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub term: u64,
    pub leader: NodeId,
    pub leads: bool,
    pub serves: bool,
    pub stored: u64,
    pub decided: u64,
    pub disk_full: bool,
    pub progress: Vec<Progressing>,
    pub counts: Counts,
    /// Where the node's log begins and ends.
    pub log: (Lsn, Lsn),
    /// The positions behind entries `next - 1`, `matched` and what it has applied, of each of `progress`.
    pub places: Vec<[Lsn; 3]>,
}

/// What is known of the others.
#[derive(Default)]
pub struct Known {
    pub reports: BTreeMap<NodeId, (Instant, Report)>,
    /// When something was heard of a node, and how many messages it had sent by then.
    pub contact: BTreeMap<NodeId, (Instant, u64)>,
    pub history: History,
    /// Bytes done, and all, of snapshots on their way to nodes.
    pub shipped: BTreeMap<NodeId, (u64, u64)>,
}
impl Known {
    /// A node has sent `messages` so far. The first look begins its silence.
    pub fn heard(&mut self, now: Instant, node: NodeId, messages: u64) {
        let known = self.contact.entry(node).or_insert((now, messages));
        if known.1 != messages {
            *known = (now, messages);
        }
    }
    pub fn is_silent(&self, now: Instant, node: NodeId) -> bool {
        self.contact.get(&node).is_none_or(|c| now.saturating_duration_since(c.0) >= SILENT)
    }
    pub fn forget_all_but(&mut self, keep: impl Fn(NodeId) -> bool) {
        self.reports.retain(|n, _| keep(*n));
        self.contact.retain(|n, _| keep(*n));
        self.shipped.retain(|n, _| keep(*n));
    }
    pub fn is_draining(&self, node: NodeId) -> bool {
        self.reports.get(&node).is_some_and(|r| r.1.draining)
    }
    /// Is it to be chosen only where there is nobody else?
    pub fn is_slow(&self, node: NodeId) -> bool {
        self.reports.get(&node).is_some_and(|r| r.1.speed.slow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_error::err;
    use pamir_testkit::chance::{self, Rng};

    fn all() -> Vec<Message> {
        let report = Report {
            term: 3,
            stored: 300,
            decided: 299,
            applied: 298,
            draining: true,
            disk_full: true,
            serves: false,
            disk: Some((1 << 40, 1 << 41)),
            version: "0.1.0".into(),
            trouble: "disk full".into(),
            speed: Speed {
                disk: Some(Duration::from_millis(480)),
                late: Some(Duration::ZERO),
                round_trips: [(1, Duration::from_micros(300)), (3, Duration::from_secs(1))].into(),
                slow: true,
                moves: 2,
                moved: Some(Duration::from_secs(31)),
            },
        };
        let member = Member {
            node: 2,
            role: Role::Follower,
            votes: true,
            silent: true,
            term: 3,
            contact: Some(Duration::from_micros(17)),
            stored: Some(0),
            lag: Some(Lag { entries: 9, bytes: 8, time: Duration::from_secs(7) }),
            disk: Some((1, 2)),
            snapshot: Some((3, 4)),
            version: "x".into(),
            ..Member::default()
        };
        let members = vec![member, Member { node: 3, ..Member::default() }];
        let no = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "no").detail("why").hint("what else");
        vec![
            Message::Report(report),
            Message::Report(Report::default()),
            Message::Overview(Overview { term: 3, leader: 1, quorum: true, lease: false, members }),
            Message::Order(1, Order::Remove { node: 300, force: true }),
            Message::Order(2, Order::Transfer { node: 2 }),
            Message::Order(3, Order::Drain { node: 2, on: true }),
            Message::Order(4, Order::Drain { node: 2, on: false }),
            Message::Order(5, Order::Finalize),
            Message::Outcome(9, Fate::Done),
            Message::Outcome(9, Fate::Again),
            Message::Outcome(9, Fate::No(no)),
            Message::Removed,
        ]
    }

    #[test]
    fn round_trips_and_later_fields() {
        let shown = |m: Option<&Message>| format!("{m:?}");
        for m in all() {
            let mut bytes = m.encode();
            assert_eq!(shown(Message::decode(&bytes).unwrap().as_ref()), shown(Some(&m)));
            // An earlier program's report ends before the speed.
            let mut speed = Vec::new();
            let earlier = matches!(&m, Message::Report(r) if { r.speed.write(&mut speed); true });
            let whole = |n: usize| earlier && n + speed.len() == bytes.len();
            (0..bytes.len()).for_each(|n| assert!(Message::decode(&bytes[..n]).is_err() != whole(n), "{m:?} {n}"));
            // What a later program adds is not looked at.
            bytes.extend_from_slice(b"more");
            assert_eq!(shown(Message::decode(&bytes).unwrap().as_ref()), shown(Some(&m)));
        }
        assert!(Message::decode(&[SUBJECT, VERSION, 99]).unwrap().is_none());
        assert!(Message::decode(&[SUBJECT, 0, 5]).is_err());
    }

    #[test]
    fn damage_is_an_error() {
        let r = &mut Rng::new(chance::seed(1));
        let seeds: Vec<Vec<u8>> = all().iter().map(Message::encode).collect();
        let end = chance::end(1);
        while Instant::now() < end {
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
            let _ = Message::decode(&b);
        }
    }

    #[test]
    fn the_largest_overview_is_one_message_of_class_control() {
        let long = "x".repeat(10 * LONGEST_TEXT);
        let member = Member {
            node: u64::MAX,
            term: u64::MAX,
            contact: Some(Duration::MAX),
            stored: Some(u64::MAX),
            version: "0.1.0-something".into(),
            trouble: long.clone(),
            ..Member::default()
        };
        let o = Overview { members: vec![member; 100], ..Overview::default() };
        assert!(Message::Overview(o).encode().len() <= crate::transport::queue::MAX_CONTROL);
        let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "{long}").detail(long.clone()).hint(long);
        assert!(Message::Outcome(u64::MAX, Fate::No(e)).encode().len() < 1000);
    }

    #[test]
    fn lag_in_time_is_the_age_of_the_oldest_missing_entry() {
        let t = Instant::now();
        let at = |s| t + Duration::from_secs(s);
        let mut h = History::default();
        assert_eq!(h.since(t, 0), Duration::ZERO);
        h.note(at(0), 10);
        h.note(at(1), 10);
        h.note(at(2), 20);
        h.note(at(4), 25);
        assert_eq!(h.since(at(5), 25), Duration::ZERO);
        assert_eq!(h.since(at(5), 24), Duration::from_secs(1));
        assert_eq!(h.since(at(5), 10), Duration::from_secs(3));
        assert_eq!(h.since(at(5), 9), Duration::from_secs(5));
        // A new leader's log is shorter.
        h.note(at(6), 15);
        assert_eq!(h.since(at(7), 15), Duration::ZERO);
        assert_eq!(h.since(at(7), 10), Duration::from_secs(1));
        for i in 0..2 * MOST_SAMPLES as u64 {
            h.note(at(10 + i), 100 + i);
        }
        assert_eq!(h.0.len(), MOST_SAMPLES);
    }

    #[test]
    fn silence_is_counted_from_the_last_message() {
        let t = Instant::now();
        let mut k = Known::default();
        assert!(k.is_silent(t, 2), "never heard");
        k.heard(t, 2, 0);
        assert!(!k.is_silent(t, 2));
        k.heard(t + SILENT, 2, 0);
        assert!(k.is_silent(t + SILENT, 2));
        k.heard(t + SILENT, 2, 1);
        assert!(!k.is_silent(t + SILENT, 2));
    }
}
