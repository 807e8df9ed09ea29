//! Versions: what a build reads and writes, and how the builds of a cluster come to the next one.
//!
//! ```text
//!                 builds of the nodes      each says at connection       the cluster's format (Members::format)
//!   before        A    A    A              1..1  1..1  1..1              1
//!   one by one    B    A    A              1..2  1..1  1..1              1     B writes what A reads
//!   all           B    B    B              1..2  1..2  1..2              1     the leader proposes: 2
//!   decided       B    B    B                                            2     A is refused from now on
//! ```
//! A *format* is a number for everything that nodes write for each other, or for their own later selves: messages and the node's log. A build reads the formats from [`OLDEST`] to [`NEWEST`] and writes the
//! cluster's, which is part of the group's members and changes by an entry of its log, as members do.
//! - **It rises** when every member, whether it votes or not, has a connection to the leader and said there that it understands the next one. One that is down or silent is waited for: it may come back with an old build. Where one
//!   holds it down (`--hold-format`), it waits for an operator's order ([`Order::Finalize`](crate::watch::Order::Finalize)).
//! - **It never falls.** A node whose formats do not have the cluster's is refused: when it asks to join, when it connects (both sides say so), when its own log brings it a format that it does not know, and when its directory is opened. All of it is 0A000.
//! - **Going back** to the build before is possible as long as the format has not risen: `--hold-format` keeps that way open.
//!
//! # What differs
//! - *1*: the first one.
//! - *2*: messages about a group and records of the node's log say their format: the kind has its highest bit set, and the format follows it as a varint. A build of format 1 takes that for a kind that it does not know.
//! - *3*: catalog entries of kinds and versions that builds of format 2 do not know (`Object::format` in pamir-catalog). Messages and logs are as in 2.
//! - *4*: more of these entries: triggers, rules, casts, operators, statistics objects, extensions, columns of newer types, and what relations say more.
//! - *5*: entries of tables that inherit, are inherited from or are of a type, and of domains with a collation.
//! - *6*: entries of partitioned tables and their partitions.
//! - *7*: entries of tables with deferrable unique keys, and of those with indexes by gin, gist and brin, which an older build does not know; policies and tables with row level security, which an older build would show whole; large objects: a tree that builds of format 6 do not have.
//! - *8*: entries of text search objects, of functions that name them, and of composite types whose attributes have collations.
//! - *9*: entries of indexes that are being built beside writers, which an older build would not keep.
//! - *10*: calls of far transactions for their numbers, and for a snapshot in numbers. What a cluster keeps is as in 9.
//!
//! # Where versions stand
//! | what | its version | what a reader does with a newer one |
//! |---|---|---|
//! | `transport/frame.rs`, `hello.rs` | the range in Hello; the highest in common is used | refused with both ranges, 0A000 |
//! | formats of Hello | behind its fields; none: 1..1 | refused if the cluster's is not among them, 0A000 |
//! | questions to join, `cluster.rs` | a byte | 0A000 |
//! | about a group, `message.rs` | first byte, kind, from 2 on the format | dropped, 0A000 in the log |
//! | snapshots, `snapshot.rs` | first byte, kind; pages have their own | dropped, XX001 in the log; another first byte is an unknown subject |
//! | members of themselves, `watch.rs` | a byte, kind; fields are added behind | reads what it knows; other kinds are passed over |
//! | requests, `remote/wire.rs` | a byte in each request and answer; numbers of calls are only added to | 0A000, which the session sees |
//! | members and changes of them, `members.rs` | a byte, and the cluster's format | the node ends with 0A000 |
//! | records of the node's log, `log.rs` | kind, from 2 on the format | the directory is not opened, 0A000 |
//! | `pamir.node`, the marker of a snapshot | first line, first byte | the directory is not opened, 0A000 |
//! | an entry's time, `stamp.rs` | a byte | no time is known |
//! | a shard's records, checkpoints (pamir-txn) | a byte | the replica ends, XX001 with both versions |
//! | segments, superblock, pages (pamir-storage) | a number | the directory is not opened |
//! | catalog entries (pamir-catalog) | kind, and a byte for each kind; what needs a later format is refused before it is written, 55000 | XX001 with both versions |
//!
//! *Invariant*: no byte of a format is written while a member may not know it.
//!
//! Limits: records of pamir-txn do not ask for the cluster's format yet: their versions are as old as the first release of a cluster. The first change of one of them is to be written from a new format on only.
use crate::NodeId;
use crate::members::Members;
use crate::plant::{self, Bug};
use pamir_error::{Error, Result, err};
use std::fmt;

/// The oldest format that this build reads and writes.
pub const OLDEST: u64 = 1;
/// The newest one. A new cluster begins with it.
pub const NEWEST: u64 = 10;
/// What this build reads and writes.
pub const FORMATS: Formats = Formats { oldest: OLDEST, newest: NEWEST };

/// A range of formats, both ends in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formats {
    pub oldest: u64,
    pub newest: u64,
}
impl Formats {
    /// Of programs that say nothing of it.
    pub const FIRST: Formats = Formats { oldest: 1, newest: 1 };

    pub fn has(self, format: u64) -> bool {
        (self.oldest..=self.newest).contains(&format)
    }
    /// 0A000 where a cluster's format is none of these; `who` is a node, as errors call it.
    pub fn check(self, format: u64, who: &str) -> Result<()> {
        if self.has(format) {
            return Ok(());
        }
        let e = err!(FEATURE_NOT_SUPPORTED, "{who} does not understand format {format}, which the cluster has")
            .detail(format!("Its build reads and writes {self}."));
        Err(e.hint(match format > self.newest {
            true => "Start it with the build of the other nodes: a cluster does not go back to an older format.",
            false => "Start it with the release before its own, and upgrade the cluster one release at a time.",
        }))
    }
}
impl fmt::Display for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.oldest == self.newest {
            true => write!(f, "format {}", self.oldest),
            false => write!(f, "formats {} to {}", self.oldest, self.newest),
        }
    }
}

/// What a node says of its build to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    pub formats: Formats,
    /// The format is not to rise by itself while this node is there.
    pub holds: bool,
}
impl Build {
    /// Of programs that say nothing of it.
    pub const FIRST: Build = Build { formats: Formats::FIRST, holds: false };
    /// This program.
    pub const OWN: Build = Build { formats: FORMATS, holds: false };
}

/// 0A000: a node of this build is not to be connected with, nor let in, where the cluster has this format.
pub fn admit(format: u64, build: Build, who: &str) -> Result<()> {
    // 0: of a cluster that this node does not know yet.
    if format == 0 || plant::has(Bug::FormatNotAsked) {
        return Ok(());
    }
    build.formats.check(format, who)
}

/// What keeps the format where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waits {
    /// All members know no newer one.
    Newest,
    /// These have no connection to this node.
    Away(Vec<NodeId>),
    /// These are of a build that knows no newer one.
    Old(Vec<NodeId>),
    /// These hold it down.
    Held(Vec<NodeId>),
}
impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (why, ids) = match self {
            Waits::Newest => return f.write_str("nothing"),
            Waits::Away(ids) => ("not connected", ids),
            Waits::Old(ids) => ("older build", ids),
            Waits::Held(ids) => ("held down", ids),
        };
        write!(f, "{why}: {}", names(ids))
    }
}
fn names(ids: &[NodeId]) -> String {
    ids.iter().map(NodeId::to_string).collect::<Vec<_>>().join(", ")
}
impl Waits {
    /// 55000, as an operator is told who wants it to rise.
    pub fn error(&self) -> Option<Error> {
        let e = err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the cluster's format cannot rise now");
        Some(match self {
            Waits::Newest | Waits::Held(_) => return None,
            Waits::Away(ids) => e
                .detail(format!(
                    "Nothing is known of the build of these nodes, which are not connected: {}.",
                    names(ids)
                ))
                .hint("Start them, or remove them from the cluster."),
            Waits::Old(ids) => e
                .detail(format!("These nodes have a build that does not know the next format: {}.", names(ids)))
                .hint("Upgrade them first."),
        })
    }
}

/// The format that a cluster may go over to, or why it may not. `said`: what a node that is connected now said of its build; `ordered`: an operator wants it, whoever holds it down.
pub fn next(
    members: &Members,
    me: NodeId,
    own: Build,
    said: impl Fn(NodeId) -> Option<Build>,
    ordered: bool,
) -> Result<u64, Waits> {
    let ids = || members.nodes.keys().copied();
    let of = |id: NodeId| if id == me { Some(own) } else { said(id) };
    let newest = newest_of(members, of);
    let away: Vec<NodeId> = ids().filter(|id| of(*id).is_none()).collect();
    let waits = ![Bug::FormatWithoutSilent, Bug::FormatByMajority, Bug::FormatByRemoved].into_iter().any(plant::has);
    if !away.is_empty() && waits {
        return Err(Waits::Away(away));
    }
    let Some(next) = newest.filter(|n| *n > members.format) else {
        // Some know more.
        let knows_more = |id: &NodeId| of(*id).is_some_and(|b| b.formats.newest > members.format);
        let old: Vec<NodeId> = ids().filter(|id| !knows_more(id)).collect();
        return Err(if old.len() < members.nodes.len() { Waits::Old(old) } else { Waits::Newest });
    };
    let holding: Vec<NodeId> = ids().filter(|id| of(*id).is_some_and(|b| b.holds)).collect();
    if !holding.is_empty() && !ordered {
        return Err(Waits::Held(holding));
    }
    Ok(next)
}

/// The newest format that all members know of whom anything is known.
fn newest_of(members: &Members, of: impl Fn(NodeId) -> Option<Build>) -> Option<u64> {
    let all = || members.nodes.keys().filter_map(|id| of(*id)).map(|b| b.formats.newest);
    if plant::has(Bug::FormatByMajority) {
        let mut all: Vec<u64> = all().collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        return all.get(members.nodes.len() / 2).copied();
    }
    if plant::has(Bug::FormatByRemoved) {
        let ever = (1..members.next_node).filter_map(&of).map(|b| b.formats.newest);
        let more: Vec<u64> = ever.filter(|n| *n > members.format).collect();
        return more.iter().min().filter(|_| more.len() >= members.nodes.len()).copied();
    }
    all().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::NodeInfo;
    use std::collections::BTreeMap;

    fn build(oldest: u64, newest: u64) -> Build {
        Build { formats: Formats { oldest, newest }, holds: false }
    }
    fn three() -> Members {
        let mut m = Members::alone(1, NodeInfo::default(), 1);
        m.conf.voters = vec![1, 2];
        m.conf.learners = vec![3];
        m.nodes = (1..=3).map(|id| (id, NodeInfo::default())).collect();
        m
    }

    #[test]
    fn it_rises_when_every_member_has_said_so() {
        let m = three();
        let mut said = BTreeMap::from([(2, build(1, 2)), (3, build(1, 3))]);
        let next = |m: &Members, said: &BTreeMap<NodeId, Build>, ordered| {
            next(m, 1, build(1, 2), |id| said.get(&id).copied(), ordered)
        };
        assert_eq!(next(&m, &said, false), Ok(2));
        // A learner counts, whoever is not there is waited for, also if it is ordered.
        said.insert(3, build(1, 1));
        assert_eq!(next(&m, &said, false), Err(Waits::Old(vec![3])));
        said.remove(&3);
        assert_eq!(next(&m, &said, true), Err(Waits::Away(vec![3])));
        assert!(Waits::Away(vec![3]).error().unwrap().data().detail.as_ref().unwrap().ends_with(": 3."));
        // Whoever is no member does not count.
        said.insert(4, build(1, 2));
        assert_eq!(next(&m, &said, false), Err(Waits::Away(vec![3])));
        said.insert(3, Build { holds: true, ..build(1, 2) });
        assert_eq!(next(&m, &said, false), Err(Waits::Held(vec![3])));
        assert_eq!(next(&m, &said, true), Ok(2));
        let m = Members { format: 2, ..m };
        assert_eq!(next(&m, &said, true), Err(Waits::Newest));
    }

    #[test]
    fn a_build_that_does_not_have_it_is_told_what_to_do() {
        let f = Formats { oldest: 2, newest: 3 };
        assert!(f.check(2, "it").is_ok() && f.check(3, "it").is_ok());
        let (old, new) = (f.check(4, "node 2").unwrap_err(), f.check(1, "node 2").unwrap_err());
        assert_eq!((old.code().as_str(), new.code().as_str()), ("0A000", "0A000"));
        assert_eq!(old.data().detail.as_deref(), Some("Its build reads and writes formats 2 to 3."));
        assert!(old.data().hint.as_ref().unwrap().contains("build of the other nodes"));
        assert!(new.data().hint.as_ref().unwrap().contains("one release at a time"));
    }
}
