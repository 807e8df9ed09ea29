//! The way to the leader: what the near side of calls (`client.rs`), and whoever reads at this node's replica (`follower.rs`), ask of the node that they run in. A process answers by its cluster, a
//! simulation by its own.
use super::line::Line;
use pamir_error::Result;
use pamir_txn::{Cancel, Ts};
use std::sync::Arc;
use std::time::Instant;

/// What the near side asks of its node.
pub trait Guide: Send + Sync {
    /// This node leads: its shard is where the data is.
    fn leads(&self) -> bool;
    /// ... and transactions may begin there: not while the leadership is about to go.
    fn begins_here(&self) -> bool {
        self.leads()
    }
    /// The line to the leader, which may be this node; the same one as long as that leadership and the connection last, and never again. Waits for one until then, or until `cancel` says so; None: nobody leads.
    fn leader(&self, until: Instant, cancel: &Cancel) -> Result<Option<Arc<dyn Line>>>;
    /// The cluster's format, as this node knows it ([`Members::format`](crate::members::Members::format)).
    fn format(&self) -> u64;
    /// Waits until this replica has applied the commit of this timestamp; for a while at most: it may be far behind.
    fn await_applied(&self, ts: Ts);
    /// Waits until this node's catalog has this version, which is what the leader's [`HostOptions::catalog_version`](super::host::HostOptions::catalog_version) said: until a snapshot that is taken
    /// here sees that commit.
    fn await_catalog(&self, version: u64) -> Result<()>;
    /// Asks the leader soon how far the log is: somebody waits for this replica to be fresher.
    fn ask_closed(&self) {}
}
