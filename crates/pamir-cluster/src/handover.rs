//! A planned change of the leader: a transfer that an operator asks for, a node that is drained or stopped.
//!
//! ```text
//!   hand_over ── hold: no transaction begins here ──► other nodes' first calls go back and are made again, this node's sessions wait for a leader
//!       │        those that are open go on ─────────► until none is, or the grace is over
//!       ├─ transfer: the successor catches up and is elected; what is still open gets 40001, with a hint
//!       └─ the hold ends: whoever waited begins at the node that leads then, which is this one if nothing came of it
//! ```
//! - **Nobody sees an error** whose transactions are shorter than the grace: a transaction is either over before the leadership goes, or begins after it has. A commit whose answer crosses the change is asked for again
//!   (`remote/client.rs`); reads that have not been told are made again by the session.
//! - **A transaction that stays open** (idle in its block, a long report) does not keep the leadership longer than the grace. One that has only read, each statement for itself, goes on at the successor all the same.
//! - **If it fails** (the successor does not answer, no majority): before the transfer begins this node leads on, and those who waited begin here. Once the successor was told, this leadership ends in any case, for no lease of it is safe any more
//!   (`group.rs`); who is elected then serves those who wait.
//!
//! Invariant: the hold ends however this ends. Limits: one at a time; a grace of [`LONGEST_GRACE`].
use crate::cluster::{Cluster, Inner};
use crate::watch::BEHIND;
use crate::{FIRST_GROUP, NodeId};
use pamir_error::{Result, bail, err};
use pamir_storage::task;
use std::sync::Arc;
use std::time::Duration;

/// What open transactions are given to end, where nobody says otherwise.
pub const GRACE: Duration = Duration::from_secs(5);
/// ... and at most: who waits meanwhile is to be served before its patience is over ([`LEADER_WAIT`](crate::remote::client::LEADER_WAIT)).
pub const LONGEST_GRACE: Duration = Duration::from_secs(9);
/// How long a successor may take.
pub const SUCCESSION: Duration = Duration::from_secs(5);
/// How often those that are open are looked at.
const LOOK: Duration = Duration::from_millis(2);

/// Ends the hold.
struct Hold(Arc<Inner>);
impl Drop for Hold {
    fn drop(&mut self) {
        self.0.hold(false);
    }
}

impl Cluster {
    /// Hands the leadership to `to` without an error for clients: see the page. Asked of the leader, from outside of transactions; returns when `to` leads. 55000: this node does not lead, or leads on; 22023: `to` cannot; 55006: it is being handed over already.
    pub fn hand_over(&self, to: NodeId, grace: Duration) -> Result<()> {
        let shard = self.shard().clone();
        if !shard.leads() {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "node {} does not lead", self.me());
        }
        self.can_follow(to)?;
        if self.inner.hold(true) {
            bail!(OBJECT_IN_USE, "the leadership is being handed over already");
        }
        let hold = Hold(self.inner.clone());
        let until = task::now() + grace.min(LONGEST_GRACE);
        let quiet = || shard.is_quiet() && self.inner.unanswered() == 0;
        while !(quiet() || crate::plant::has(crate::plant::Bug::TransferDoesNotWait))
            && shard.leads()
            && task::now() < until
        {
            task::sleep(LOOK, |_| false);
        }
        self.transfer(to)?;
        let end = task::now() + SUCCESSION;
        // The successor, or who was elected in its place. Asked in this order: once it is on its way no more, this node has learnt whether it leads.
        let other = || {
            let over = !self.transfers();
            Some(self.view().leader).filter(|l| over && *l != 0 && (*l != self.me() || shard.leads()))
        };
        while other().is_none() && task::now() < end {
            task::sleep(LOOK, |_| false);
        }
        drop(hold);
        match self.view().leader {
            l if l == to => Ok(()),
            0 => Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "node {to} has not taken over the leadership; nobody is known to lead now"
            )),
            l => Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "node {to} has not taken over the leadership; node {l} leads"
            )),
        }
    }
    /// The node that would take over with the least delay; None: there is nobody.
    pub fn successor(&self) -> Option<NodeId> {
        let status = self.status().ok()?;
        let may = |id: NodeId| id != status.me && status.view.members.is_voter(id);
        let there = |id: NodeId| status.peers.iter().any(|p| p.node == id && p.connected_since.is_some());
        let of = |all: bool| {
            let order = |p: &&(NodeId, u64)| (!self.inner.is_slow(p.0), p.1);
            status.progress.iter().filter(|p| may(p.0) && (all || there(p.0))).max_by_key(order).map(|p| p.0)
        };
        of(false).or_else(|| of(true))
    }
    /// Is the leadership on its way?
    fn transfers(&self) -> bool {
        self.inner.entrance().ask(|n| n.group(FIRST_GROUP).is_some_and(|g| g.transfers())).unwrap_or(false)
    }
    fn can_follow(&self, to: NodeId) -> Result<()> {
        let status = self.status()?;
        if to == status.me || !status.view.members.is_voter(to) {
            bail!(INVALID_PARAMETER_VALUE, "node {to} cannot take over the leadership");
        }
        if status.peers.iter().all(|p| p.node != to || p.connected_since.is_none()) {
            return Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "node {to} cannot be reached, and so cannot take over the leadership"
            ));
        }
        let has = status.progress.iter().find(|p| p.0 == to).map_or(0, |p| p.1);
        if has + BEHIND < status.decided {
            return Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "node {to} is too far behind to take over the leadership"
            )
            .detail(format!("It has entry {has}, and {} are decided.", status.decided))
            .hint("Retry when it has caught up."));
        }
        Ok(())
    }
}
