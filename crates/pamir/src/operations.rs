//! The node as its own sessions, its HTTP side and its console see it: what `pamir-cluster` knows, in SQL's words.
use pamir_cluster::cluster::{Cluster, Condition, Done, Room};
use pamir_cluster::watch::{Lag, Order as ClusterOrder};
use pamir_sql::cluster::{Node, Operations, Order, Status};
use pamir_types::{Result, err};
use std::path::PathBuf;
use std::sync::Arc;

/// A node of a cluster, for its sessions.
pub struct OfNode(pub Arc<Cluster>);

fn id(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
impl Operations for OfNode {
    fn status(&self) -> Status {
        let p = self.0.picture();
        let node = |(info, m): &(pamir_cluster::members::NodeInfo, pamir_cluster::watch::Member)| {
            let lag: Option<Lag> = m.lag;
            Node {
                node: id(m.node),
                name: info.name.clone(),
                address: info.address.clone(),
                sql_address: info.sql.clone(),
                role: m.role.name(),
                votes: m.votes,
                term: m.term,
                last_contact: m.contact,
                stored: m.stored,
                applied: m.applied,
                committed: m.decided,
                lag_entries: lag.map(|l| l.entries),
                lag_bytes: lag.map(|l| l.bytes),
                lag: lag.map(|l| l.time),
                replay_lag: m.unapplied,
                disk_free: m.disk.map(|d| d.0),
                disk_size: m.disk.map(|d| d.1),
                version: m.version.clone(),
                snapshot: m.snapshot,
                draining: m.draining,
                silent: m.silent,
                health: m.health().to_string(),
                places: m.places,
                formats: p.builds.get(&m.node).map(|b| (b.formats.oldest, b.formats.newest)),
            }
        };
        Status {
            cluster: p.cluster,
            node: id(p.me),
            condition: p.condition.name(),
            leader: (p.leader != 0).then(|| id(p.leader)),
            term: p.term,
            voters: p.voters as u64,
            quorum: p.quorum,
            lease: p.lease,
            age: p.age,
            format: p.format,
            format_waits: p.format_waits.as_ref().map_or_else(String::new, |w| w.to_string()),
            nodes: p.members.iter().map(node).collect(),
        }
    }
    fn in_recovery(&self) -> bool {
        !self.0.shard().leads()
    }
    fn steer(&self, order: Order, pause: &mut dyn FnMut() -> Result<()>) -> Result<bool> {
        let of = |node: i64| {
            u64::try_from(node).map_err(|_| err!(INVALID_PARAMETER_VALUE, "there is no node {node} in the cluster"))
        };
        let order = match order {
            Order::Remove { node, force } => ClusterOrder::Remove { node: of(node)?, force },
            Order::Transfer { node } => ClusterOrder::Transfer { node: of(node)? },
            Order::Drain { node } => ClusterOrder::Drain { node: of(node)?, on: true },
            Order::Undrain { node } => ClusterOrder::Drain { node: of(node)?, on: false },
            Order::FinalizeUpgrade => ClusterOrder::Finalize,
        };
        self.0.steer(order, pause).map(|d| d == Done::Done)
    }
}

/// How much room the file system of a directory has.
pub fn room_of(dir: PathBuf) -> Room {
    Arc::new(move || {
        let s = rustix::fs::statvfs(&dir).ok()?;
        // As df says: what is left to those who are not the superuser.
        Some((s.f_bavail.saturating_mul(s.f_frsize), s.f_blocks.saturating_mul(s.f_frsize)))
    })
}

/// How the process is, for `/health` and its kin: a word, and whether clients may be sent to it. A single node leads itself.
pub fn condition(cluster: Option<&Cluster>) -> Condition {
    cluster.map_or(Condition::Leader, Cluster::condition)
}
