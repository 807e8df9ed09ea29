//! Groups of replicas over one log a node: consensus by the raft library, transport, and the shards that they drive.
//!
//! ```text
//!   sessions ── pamir-txn: shard (a replica) ◄── decided entries ── group ◄── messages ── transport ──► other nodes
//!                     └─ closed batches ────────────────────────────► │
//!                                                                   node log: entries of all groups, votes; one sync for all
//! ```
//! - [`codec`]: how numbers and strings are written. - [`members`]: who belongs to a group. - [`message`]: what nodes say to each other.
//! - [`log`]: the node's log, and what consensus reads of it. - [`lease`]: until when a leader may answer alone. - [`group`]: one replica's consensus, its shard and its fate.
//! - [`closed`]: how fresh a follower's data is.
//! - [`snapshot`], [`install`]: a checkpoint's pages for a replica that is new or too far behind.
//! - [`node`]: a node's machine; [`driver`]: its turns and syncs in a process. - [`identity`]: who a node is. - [`cluster`]: a node that takes part. [`handover`]: a planned change of the leader.
//! - [`pace`]: how fast members are, and when a slow leader gives the leadership away.
//! - [`watch`]: what members tell each other of themselves, and what an operator orders.
//! - [`archive`]: what backups and an archive read of a node.
//! - [`remote`]: SQL on any node, data at the leader.
//! - [`version`]: which builds understand each other, and how a cluster comes to the next format.
//! - [`transport`]: the connections between nodes. - [`cert`]: the certificates by which they know each other.
//!
//! This crate knows no row, no key and no SQL: an entry is records of `pamir-txn`, which it does not read.
pub mod archive;
pub mod cert;
pub mod closed;
pub mod cluster;
pub mod codec;
pub mod driver;
pub mod group;
pub mod handover;
pub mod identity;
pub mod install;
pub mod lease;
pub mod log;
pub mod members;
pub mod message;
pub mod node;
pub mod pace;
pub mod remote;
pub mod shipping;
pub mod snapshot;
mod stamp;
pub mod transport;
pub mod trickle;
pub mod version;
pub mod watch;

pub use pamir_txn::plant;

/// A node of the cluster; never 0, never used again.
pub type NodeId = u64;
/// A group of replicas: one shard. The first is [`FIRST_GROUP`].
pub type GroupId = u64;
/// The group of the first shard, which holds the catalog.
pub const FIRST_GROUP: GroupId = 1;
