//! Who belongs to a group: what consensus knows of it, and where each node is found.
//!
//! It changes by entries of the group's log and is part of each checkpoint ([`pamir_txn::Entered::group`]):
//!
//! ```text
//!   group  := version u8 = 1, format v, voters, learners, voters_outgoing, learners_next, auto_leave u8, next node v, n v, (id v, node)...
//!   voters and the like := n v, id v...
//!   node   := address string, sql string, name string      where other nodes and where clients reach it
//! ```
//! *format* is the one of messages and records that all members understand and write (version.rs). *next node* is the id that the next
//! node gets that joins: ids are never used again, so that what a removed node has promised or stored is nobody else's.
use crate::NodeId;
use crate::codec::{Reader, put_bytes, put_list, put_varint};
use pamir_error::{Result, bail, err};
use raft::eraftpb::{ConfChangeV2, ConfState, EntryType};
use raft::storage::MemStorage;
use raft::{Config, RawNode};
use slog::{Logger, o};
use std::collections::BTreeMap;
use std::sync::Arc;

const GROUP_VERSION: u8 = 1;

/// Where a node is found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeInfo {
    /// host:port for other nodes.
    pub address: String,
    /// host:port for clients.
    pub sql: String,
    /// What people call it.
    pub name: String,
}
impl NodeInfo {
    pub fn write(&self, out: &mut Vec<u8>) {
        [&self.address, &self.sql, &self.name].into_iter().for_each(|s| put_bytes(out, s.as_bytes()));
    }
    pub fn read(r: &mut Reader) -> Result<NodeInfo> {
        Ok(NodeInfo { address: r.string()?, sql: r.string()?, name: r.string()? })
    }
}

/// A group as of an entry of its log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Members {
    pub format: u64,
    pub conf: ConfState,
    pub next_node: NodeId,
    pub nodes: BTreeMap<NodeId, NodeInfo>,
}
impl Members {
    /// A group of one.
    pub fn alone(id: NodeId, info: NodeInfo, format: u64) -> Members {
        let conf = ConfState { voters: vec![id], ..ConfState::default() };
        Members { format, conf, next_node: id + 1, nodes: BTreeMap::from([(id, info)]) }
    }
    pub fn encode(&self) -> Arc<[u8]> {
        let mut out = vec![GROUP_VERSION];
        put_varint(&mut out, self.format);
        for ids in [&self.conf.voters, &self.conf.learners, &self.conf.voters_outgoing, &self.conf.learners_next] {
            put_list(&mut out, ids, |out, id| put_varint(out, *id));
        }
        out.push(self.conf.auto_leave as u8);
        put_varint(&mut out, self.next_node);
        put_varint(&mut out, self.nodes.len() as u64);
        for (id, info) in &self.nodes {
            put_varint(&mut out, *id);
            info.write(&mut out);
        }
        out.into()
    }
    pub fn decode(bytes: &[u8]) -> Result<Members> {
        let mut r = Reader::new(bytes, "the description of a group of replicas");
        r.version(GROUP_VERSION)?;
        let format = r.varint()?;
        let mut ids = || r.list(|r| r.varint());
        let conf = ConfState {
            voters: ids()?,
            learners: ids()?,
            voters_outgoing: ids()?,
            learners_next: ids()?,
            ..ConfState::default()
        };
        let conf = ConfState { auto_leave: r.u8()? != 0, ..conf };
        let next_node = r.varint()?;
        let nodes = r.list(|r| Ok((r.varint()?, NodeInfo::read(r)?)))?.into_iter().collect();
        r.end()?;
        Ok(Members { format, conf, next_node, nodes })
    }
    /// Do these nodes make up a majority of the voters, of both configurations while one follows the other?
    pub fn is_quorum(&self, has: impl Fn(NodeId) -> bool) -> bool {
        let majority = |ids: &[NodeId]| ids.is_empty() || ids.iter().filter(|id| has(**id)).count() > ids.len() / 2;
        !self.conf.voters.is_empty() && majority(&self.conf.voters) && majority(&self.conf.voters_outgoing)
    }
    /// Does the node take part, in whichever role?
    pub fn contains(&self, id: NodeId) -> bool {
        self.conf.voters.contains(&id)
            || self.conf.learners.contains(&id)
            || self.conf.voters_outgoing.contains(&id)
            || self.conf.learners_next.contains(&id)
    }
    pub fn is_voter(&self, id: NodeId) -> bool {
        self.conf.voters.contains(&id)
    }
}

/// What a change of members says beside who votes: the context of its entry.
///
/// ```text
///   change := version u8 = 1, format v, next node v, n v, (id v, node)...      nodes that come or are found elsewhere now
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Change {
    pub format: u64,
    pub next_node: NodeId,
    pub nodes: Vec<(NodeId, NodeInfo)>,
}
impl Change {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![GROUP_VERSION];
        put_varint(&mut out, self.format);
        put_varint(&mut out, self.next_node);
        put_list(&mut out, &self.nodes, |out, (id, info)| {
            put_varint(out, *id);
            info.write(out);
        });
        out
    }
    pub fn decode(bytes: &[u8]) -> Result<Change> {
        if bytes.is_empty() {
            return Ok(Change::default());
        }
        let mut r = Reader::new(bytes, "a change of a group's members");
        r.version(GROUP_VERSION)?;
        let (format, next_node) = (r.varint()?, r.varint()?);
        let nodes = r.list(|r| Ok((r.varint()?, NodeInfo::read(r)?)))?;
        r.end()?;
        Ok(Change { format, next_node, nodes })
    }
    /// What the members are after it, `conf` being what consensus made of it.
    pub fn apply(self, members: &mut Members, conf: ConfState) {
        members.format = members.format.max(self.format);
        members.next_node = members.next_node.max(self.next_node);
        members.conf = conf;
        members.nodes.extend(self.nodes);
        let gone: Vec<NodeId> = members.nodes.keys().copied().filter(|id| !members.contains(*id)).collect();
        gone.iter().for_each(|id| drop(members.nodes.remove(id)));
    }
}

/// What a change makes of a configuration.
pub fn conf_after(conf: &ConfState, change: &ConfChangeV2) -> Result<ConfState> {
    let id = conf.voters.first().copied().unwrap_or(1);
    let config = Config { id, ..Config::default() };
    let store = MemStorage::new_with_conf_state(conf.clone());
    RawNode::new(&config, store, &silent())
        .and_then(|mut n| n.apply_conf_change(change))
        .map_err(|e| err!(DATA_CORRUPTED, "a change of a group's members does not fit: {e}"))
}
/// The raft library's own words go nowhere: what matters is said here.
pub(crate) fn silent() -> Logger {
    Logger::root(slog::Discard, o!())
}

/// The change of configuration that an entry holds.
pub fn conf_change(kind: EntryType, data: &[u8]) -> Result<ConfChangeV2> {
    use protobuf::Message;
    // Changes of the older kind are never proposed.
    let v2 = (kind == EntryType::EntryConfChangeV2).then(|| ConfChangeV2::parse_from_bytes(data));
    match v2 {
        Some(Ok(c)) => Ok(c),
        _ => bail!(DATA_CORRUPTED, "a change of a group's members is damaged"),
    }
}
/// What an entry makes of the members; true: it changes them.
pub fn change_members(members: &mut Members, kind: EntryType, data: &[u8], context: &[u8]) -> Result<bool> {
    if kind == EntryType::EntryNormal {
        return Ok(false);
    }
    let change = conf_change(kind, data)?;
    let conf = conf_after(&members.conf, &change)?;
    Change::decode(context)?.apply(members, conf);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(n: u64) -> NodeInfo {
        NodeInfo { address: format!("127.0.0.{n}:7000"), sql: format!("127.0.0.{n}:5433"), name: String::new() }
    }

    #[test]
    fn round_trips() {
        let mut m = Members::alone(1, info(1), 1);
        m.conf.learners.push(300);
        m.nodes.insert(300, info(2));
        m.next_node = 301;
        let bytes = m.encode();
        assert_eq!(Members::decode(&bytes).unwrap(), m);
        (0..bytes.len()).for_each(|n| assert!(Members::decode(&bytes[..n]).is_err()));
        let c = Change { format: 2, next_node: 5, nodes: vec![(4, info(4))] };
        assert_eq!(Change::decode(&c.encode()).unwrap(), c);
        assert_eq!(Change::decode(&[]).unwrap(), Change::default());
    }

    #[test]
    fn quorums() {
        let mut m = Members::alone(1, info(1), 1);
        assert!(m.is_quorum(|id| id == 1) && !m.is_quorum(|_| false));
        m.conf.voters = vec![1, 2, 3];
        assert!(m.is_quorum(|id| id != 3) && !m.is_quorum(|id| id == 1));
        m.conf.voters_outgoing = vec![3, 4, 5];
        assert!(!m.is_quorum(|id| id < 4) && m.is_quorum(|id| id < 5));
        assert!(!Members::default().is_quorum(|_| true));
    }

    #[test]
    fn changes() {
        let mut m = Members::alone(1, info(1), 1);
        let conf = ConfState { voters: vec![1], learners: vec![2], ..ConfState::default() };
        Change { format: 1, next_node: 3, nodes: vec![(2, info(2))] }.apply(&mut m, conf);
        assert_eq!((m.next_node, m.nodes.len(), m.contains(2), m.is_voter(2)), (3, 2, true, false));
        Change::default().apply(&mut m, ConfState { voters: vec![1], ..ConfState::default() });
        assert_eq!((m.next_node, m.nodes.len()), (3, 1));
    }
}
