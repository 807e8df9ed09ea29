//! Who is there: the first frame each way, and the refusal that may come in its place.
//!
//! ```text
//!  Hello    0           8        10        12        13       14        30      38      46        54      62
//!           +-----------+--------+---------+---------+--------+---------+-------+-------+---------+-------+---------+---------+---------+
//!           | PAMIRNOD  | lowest | highest | purpose | answer | cluster | node  | boot  | attempt | clock | program | address | nothing | build |
//!           +-----------+--------+---------+---------+--------+---------+-------+-------+---------+-------+---------+---------+---------+
//!            magic       u16      u16       u8        u8       16 bytes  u64     u64     u64       i64     u16 and as many bytes each
//!  Refused  0        1             6
//!           +--------+-------------+---------+---------+---------+
//!           | reason | SQLSTATE    | message | detail  | hint    |
//!           +--------+-------------+---------+---------+---------+
//!            u8       5 bytes       u16 and as many bytes each
//! ```
//! The one that dialled speaks first; the other answers with its own Hello or refuses. Neither sends anything else before both have come. What stands behind the fields of Hello is of later
//! versions and is passed over; all before `purpose`, and Refused, never changes. *nothing* is an empty text. *build* is missing from the first programs.
//! `build := oldest format u16, newest format u16, flags u8 (1: the format is not to rise by itself)`, see `version.rs`.
//!
//! **Versions.** Each says from which to which version of this protocol it speaks; the highest that both speak is used. Where there is none, the one that answers refuses with both ranges, so
//! both sides say the same.
//!
//! **Two connections.** Two nodes that dial each other at once end with one connection, that of the lower id, if it has come as far as its Hello (`driver/greet.rs` argues it). A Hello that dials has
//! the number of the attempt, the answer to one the number of the last attempt that the answering node made: those are void from then on, and their Hello, if one is still on its way, is refused as
//! the second of two. `boot` tells the numbers of one life of a process from those of the next.
//!
//! Limits: texts of at most [`MAX_TEXT`] bytes; longer ones are cut.
use super::frame::{Fields, text, violation};
use super::{Identity, NodeId, Versions};
use crate::version::{Build, Formats};
use pamir_error::error::state;
use pamir_error::{Error, Result, SqlState, err};

const MAGIC: &[u8; 8] = b"PAMIRNOD";
const HOLDS: u8 = 1;
/// The longest text in a Hello or a refusal.
pub const MAX_TEXT: u16 = 1 << 10;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// Messages between two nodes of the cluster.
    Peer = 0,
    /// One question and its answer, from a node that may not be in the cluster yet.
    Join = 1,
}

/// What a node says of itself first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    pub versions: Versions,
    pub purpose: Purpose,
    /// It answers another one.
    pub answer: bool,
    /// Zero: none yet.
    pub cluster: [u8; 16],
    /// 0: none yet.
    pub node: NodeId,
    pub boot: u64,
    pub attempt: u64,
    /// Microseconds since 1970-01-01 UTC, when it was written.
    pub clock: i64,
    /// The program's version, as people say it.
    pub program: String,
    /// Where others dial the node.
    pub address: String,
    /// What its program reads and writes.
    pub build: Build,
}

/// What a Hello brought.
pub enum Came {
    Hello(Hello),
    /// No version in common: the range of the other side.
    Versions(Versions),
}

impl Hello {
    pub fn new(me: &Identity, purpose: Purpose, clock: i64) -> Hello {
        Hello {
            versions: me.versions,
            purpose,
            answer: false,
            cluster: me.cluster,
            node: me.node,
            boot: 0,
            attempt: 0,
            clock,
            program: me.program.clone(),
            address: me.address.clone(),
            build: me.build,
        }
    }
    pub(super) fn write(&self) -> Vec<u8> {
        let mut b = Vec::with_capacity(128);
        b.extend_from_slice(MAGIC);
        b.extend_from_slice(&self.versions.lowest.to_le_bytes());
        b.extend_from_slice(&self.versions.highest.to_le_bytes());
        b.extend_from_slice(&[self.purpose as u8, self.answer.into()]);
        b.extend_from_slice(&self.cluster);
        for n in [self.node, self.boot, self.attempt] {
            b.extend_from_slice(&n.to_le_bytes());
        }
        b.extend_from_slice(&self.clock.to_le_bytes());
        for t in [&self.program, &self.address, ""] {
            text(&mut b, t, MAX_TEXT);
        }
        let Build { formats, holds } = self.build;
        for n in [formats.oldest, formats.newest] {
            b.extend_from_slice(&u16::try_from(n).unwrap_or(u16::MAX).to_le_bytes());
        }
        b.push(holds.into());
        b
    }
    pub(super) fn read(payload: &[u8], mine: Versions) -> Result<Came> {
        let mut f = Fields(payload);
        if f.bytes(MAGIC.len())? != MAGIC {
            return Err(violation("a greeting that is not a Pamir node's"));
        }
        let versions = Versions { lowest: f.u16()?, highest: f.u16()? };
        if mine.common(versions).is_none() {
            return Ok(Came::Versions(versions));
        }
        let purpose = match f.u8()? {
            0 => Purpose::Peer,
            1 => Purpose::Join,
            n => return Err(violation(format_args!("a connection for purpose {n}"))),
        };
        let answer = f.u8()? != 0;
        let cluster = f.array()?;
        let (node, boot, attempt, clock) = (f.u64()?, f.u64()?, f.u64()?, f.i64()?);
        let (program, address, _) = (f.text()?, f.text()?, f.text()?);
        let build = match f.0.is_empty() {
            // The first programs say nothing of it.
            true => Build::FIRST,
            false => {
                let formats = Formats { oldest: f.u16()?.into(), newest: f.u16()?.into() };
                Build { formats, holds: f.u8()? & HOLDS != 0 }
            }
        };
        Ok(Came::Hello(Hello {
            versions,
            purpose,
            answer,
            cluster,
            node,
            boot,
            attempt,
            clock,
            program,
            address,
            build,
        }))
    }

    /// Whether this is a node that may speak with `me`, as far as the two of them tell.
    pub(super) fn check(&self, me: &Identity) -> Result<()> {
        let none = [0; 16];
        let joins = self.purpose == Purpose::Join;
        let same = self.cluster == me.cluster && self.cluster != none;
        if !same && !(joins && (self.cluster == none || me.cluster == none)) {
            return Err(err!(
                INVALID_AUTHORIZATION_SPECIFICATION,
                "node {} belongs to another cluster than node {}",
                name(self.node, &self.address),
                name(me.node, &me.address)
            )
            .detail(format!("Their clusters are {} and {}.", hex(&self.cluster), hex(&me.cluster)))
            .hint("One of them was given the address of a node of the other cluster, or a data directory of it."));
        }
        if self.node == 0 && !joins {
            return Err(err!(
                INVALID_AUTHORIZATION_SPECIFICATION,
                "the node at {} has no node id yet",
                shown(&self.address)
            ));
        }
        if self.node == me.node && self.node != 0 {
            return Err(err!(
                INVALID_AUTHORIZATION_SPECIFICATION,
                "nodes at {} and {} have the same node id, {}",
                shown(&self.address),
                shown(&me.address),
                me.node
            )
            .hint("Each node needs a data directory of its own: one of the two may be a copy. Or a node was given its own address as another one's."));
        }
        Ok(())
    }
}

/// "0A000" on both sides, with both ranges: `me` answers, `other` dialled.
pub(super) fn no_common_version(me: &Identity, other: &str, theirs: Versions) -> Error {
    err!(
        FEATURE_NOT_SUPPORTED,
        "nodes {} and {other} have no version of the protocol between nodes in common",
        shown(&me.address)
    )
    .detail(format!("{} ({}) speaks {}, {other} speaks {theirs}.", shown(&me.address), me.program, me.versions))
    .hint("Upgrade the nodes of a cluster one release at a time.")
}

fn shown(address: &str) -> &str {
    if address.is_empty() { "an unknown address" } else { address }
}
fn name(node: NodeId, address: &str) -> String {
    format!("{node} at {}", shown(address))
}
pub(super) fn hex(id: &[u8; 16]) -> String {
    id.iter().map(|b| format!("{b:02x}")).collect()
}

/// Why a node does not want a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// It is the second of two connections, and the other one is kept.
    pub second: bool,
    pub code: SqlState,
    pub message: String,
    pub detail: String,
    pub hint: String,
}
impl Refusal {
    pub fn of(e: &Error) -> Refusal {
        let d = e.data();
        Refusal {
            second: false,
            code: d.code,
            message: d.message.clone(),
            detail: d.detail.clone().unwrap_or_default(),
            hint: d.hint.clone().unwrap_or_default(),
        }
    }
    pub fn second() -> Refusal {
        let e = err!(CONNECTION_EXCEPTION, "there is another connection between the two nodes");
        Refusal { second: true, ..Refusal::of(&e) }
    }
    pub(super) fn write(&self) -> Vec<u8> {
        let mut b = vec![self.second.into()];
        b.extend_from_slice(&self.code.0);
        for t in [&self.message, &self.detail, &self.hint] {
            text(&mut b, t, MAX_TEXT);
        }
        b
    }
    pub(super) fn read(payload: &[u8]) -> Result<Refusal> {
        let mut f = Fields(payload);
        let second = f.u8()? == 1;
        let code: [u8; 5] = f.array()?;
        let plain = code.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        let code = if plain { SqlState(code) } else { state::CONNECTION_EXCEPTION };
        Ok(Refusal { second, code, message: f.text()?, detail: f.text()?, hint: f.text()? })
    }
    /// What the refused side reports.
    pub fn error(&self, by: &str) -> Error {
        let mut e = Error::new(self.code, format!("{by} refused the connection: {}", self.message));
        if !self.detail.is_empty() {
            e = e.detail(&self.detail);
        }
        if !self.hint.is_empty() {
            e = e.hint(&self.hint);
        }
        e
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn me() -> Identity {
        Identity::new([7; 16], 1, "n1:1").versions(3, 5)
    }
    fn read(b: &[u8], mine: Versions) -> Hello {
        match Hello::read(b, mine).unwrap() {
            Came::Hello(h) => h,
            Came::Versions(v) => panic!("{v}"),
        }
    }

    #[test]
    fn a_hello_comes_as_it_was_sent() {
        let mut h = Hello::new(&me(), Purpose::Join, 1_700_000_000_000_000);
        (h.boot, h.attempt, h.answer) = (11, 12, true);
        let mut b = h.write();
        assert_eq!(read(&b, me().versions), h);
        b.extend_from_slice(b"what later versions say");
        assert_eq!(read(&b, me().versions), h);
        h.build = Build { formats: Formats { oldest: 3, newest: 700 }, holds: true };
        let b = h.write();
        assert_eq!(read(&b, me().versions), h);
        // As the first programs wrote it.
        h.build = Build::FIRST;
        assert_eq!(read(&b[..b.len() - 5], me().versions), h);
        for n in 0..62 {
            assert!(Hello::read(&b[..n], me().versions).is_err(), "{n}");
        }
        h.address = "ü".repeat(2000);
        assert_eq!(read(&h.write(), me().versions).address, "ü".repeat(usize::from(MAX_TEXT) / 2));
    }

    #[test]
    fn versions_meet_or_do_not() {
        let v = |lowest, highest| Versions { lowest, highest };
        assert_eq!(v(1, 3).common(v(2, 5)), Some(3));
        assert_eq!(v(2, 5).common(v(1, 3)), Some(3));
        assert_eq!(v(4, 4).common(v(1, 9)), Some(4));
        assert_eq!(v(1, 3).common(v(4, 5)), None);
        assert_eq!(v(5, 1).common(v(1, 5)), None, "a range that is none");
        // Of a version that is not spoken nothing is read but its range.
        let b = [MAGIC.as_slice(), &[6, 0, 9, 0]].concat();
        assert!(matches!(Hello::read(&b, me().versions), Ok(Came::Versions(Versions { lowest: 6, highest: 9 }))));
        let e = no_common_version(&me(), "n2:1", v(6, 9));
        assert_eq!(e.code(), state::FEATURE_NOT_SUPPORTED);
        let detail = e.data().detail.clone().unwrap();
        assert!(detail.contains("3 to 5") && detail.contains("6 to 9"), "{detail}");
    }

    #[test]
    fn who_may_speak_with_whom() {
        let hello =
            |cluster, node, purpose| Hello { purpose, ..Hello::new(&Identity::new(cluster, node, "n2:1"), purpose, 0) };
        let ok = |h: Hello| h.check(&me()).is_ok();
        assert!(ok(hello([7; 16], 2, Purpose::Peer)));
        assert!(ok(hello([7; 16], 0, Purpose::Join)) && ok(hello([0; 16], 0, Purpose::Join)));
        assert!(!ok(hello([7; 16], 1, Purpose::Peer)), "the same id");
        assert!(!ok(hello([8; 16], 2, Purpose::Peer)) && !ok(hello([8; 16], 2, Purpose::Join)), "another cluster");
        assert!(!ok(hello([0; 16], 2, Purpose::Peer)) && !ok(hello([7; 16], 0, Purpose::Peer)), "no member");
    }

    #[test]
    fn a_refusal_comes_as_it_was_said() {
        let e = err!(INVALID_AUTHORIZATION_SPECIFICATION, "no").detail("d").hint("h");
        let r = Refusal::of(&e);
        let back = Refusal::read(&r.write()).unwrap();
        assert_eq!(back, r);
        let e = back.error("n1:1");
        assert_eq!((e.code().as_str(), e.message()), ("28000", "n1:1 refused the connection: no"));
        assert_eq!((e.data().detail.as_deref(), e.data().hint.as_deref()), (Some("d"), Some("h")));
        assert!(Refusal::read(&Refusal::second().write()).unwrap().second);
        assert!(Refusal::read(b"\x00\xff\xff\xff\xff\xff\0\0\0\0\0\0").unwrap().code == state::CONNECTION_EXCEPTION);
    }
}
