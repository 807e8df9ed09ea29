//! The cluster, as SQL sees it: what there is to show of its nodes, and what an operator may order. Whoever starts a server that is a node of one implements [`Operations`].
//!
//! Times are durations back from now; positions are those of the leader's log, in bytes.
use pamir_types::{Error, Result, err};
use std::time::Duration;

/// The schema of what PostgreSQL does not have.
pub const SCHEMA: &str = pamir_catalog::PAMIR_CATALOG;

/// A line of pamir_catalog.cluster_nodes. None: not known.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub node: i64,
    pub name: String,
    /// host:port for other nodes, and for clients.
    pub address: String,
    pub sql_address: String,
    /// leader, follower, learner, unknown
    pub role: &'static str,
    pub votes: bool,
    pub term: u64,
    pub last_contact: Option<Duration>,
    /// Indexes of the group's log.
    pub stored: Option<u64>,
    pub applied: Option<u64>,
    pub committed: Option<u64>,
    /// What the leader's log has and this node has not stored: entries, bytes, and how long the oldest of it has been there.
    pub lag_entries: Option<u64>,
    pub lag_bytes: Option<u64>,
    pub lag: Option<Duration>,
    /// How long the leader has had the oldest entry that this node has not applied; known at the leader.
    pub replay_lag: Option<Duration>,
    /// Bytes of the file system with its data.
    pub disk_free: Option<u64>,
    pub disk_size: Option<u64>,
    pub version: String,
    /// Bytes of a snapshot that are there, and all, while one is in transfer.
    pub snapshot: Option<(u64, u64)>,
    pub draining: bool,
    /// Nothing was heard of it for three seconds.
    pub silent: bool,
    /// ok, or what ails it
    pub health: String,
    /// Sent, stored and applied up to these positions; known at the leader.
    pub places: Option<[u64; 3]>,
    /// The formats that its build reads and writes, if it is connected to this node.
    pub formats: Option<(u64, u64)>,
}
/// pamir_catalog.cluster_status.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// 32 hexadecimal digits.
    pub cluster: String,
    pub node: i64,
    /// leader, follower, learner, catching up, cut off, draining, removed
    pub condition: &'static str,
    pub leader: Option<i64>,
    pub term: u64,
    pub voters: u64,
    /// A majority of the voters is heard.
    pub quorum: bool,
    /// The leader may answer alone.
    pub lease: bool,
    /// How old the lines of the nodes are; None: nothing was heard of a leader yet.
    pub age: Option<Duration>,
    /// What nodes write for each other, and what keeps it from rising.
    pub format: u64,
    pub format_waits: String,
    pub nodes: Vec<Node>,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Remove { node: i64, force: bool },
    Transfer { node: i64 },
    Drain { node: i64 },
    Undrain { node: i64 },
    FinalizeUpgrade,
}
/// What a node of a cluster offers to its sessions.
pub trait Operations: Send + Sync {
    fn status(&self) -> Status;
    /// Another node leads, or nobody: what `pg_is_in_recovery()` and in_hot_standby say. Asked with every statement.
    fn in_recovery(&self) -> bool;
    /// Does it wherever it is to be done; true: it has happened, false: it has begun and goes on. `pause` waits a little between looks, and its error ends the waiting.
    ///
    /// 22023: there is no such node; 55000: it cannot be done; 57P03: nobody leads.
    fn steer(&self, order: Order, pause: &mut dyn FnMut() -> Result<()>) -> Result<bool>;
}
/// 55000: there is none.
pub fn no_cluster() -> Error {
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "this server is not a node of a cluster")
        .hint("Start it with --node-addr HOST:PORT to begin one, or with --join too to take part in one.")
}
