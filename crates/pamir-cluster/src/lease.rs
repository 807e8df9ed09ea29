//! Until when a leader may answer alone, and how long a follower votes for nobody else.
//!
//! ```text
//!   leader     asks (sent) ─────────────┬───────────────────────────┐ lease: sent + LENGTH - DRIFT
//!                   \          promise /                            ▼
//!   follower         heard ───────────/──────────────────────────────────┐ promise: heard + LENGTH
//!                                                                        ▼ votes again, and may ask for votes itself
//! ```
//! A follower hears after the leader has sent, so its promise ends after the lease, if its clock does not go much faster: [`DRIFT`] is what is allowed for. With promises of a quorum (the leader's own
//! counts, for it votes for nobody while it holds the lease) no other node can be elected before the lease ends, and what the leader has applied is all that anybody was told.
//! Times are of the monotonic clock of the process; nothing depends on what day it is.
//!
//! - After a start a replica does not know what it has promised before: it behaves as if it had promised just then.
//! - A planned transfer gives the lease up before the successor is told to ask for votes; its request says that it is one, and is not bound by promises.
//!
//! *Invariant*: a lease is counted from the sending of a question that was answered in the same term.
use crate::NodeId;
use crate::members::Members;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long a promise lasts.
pub const LENGTH: Duration = Duration::from_millis(1000);
/// By how much clocks may differ in speed over that time, and what it takes to act.
pub const DRIFT: Duration = Duration::from_millis(100);
/// How often a leader asks.
pub const ASK_EVERY: Duration = Duration::from_millis(150);

/// A leader's side, for one term.
#[derive(Default, Debug)]
pub struct Lease {
    /// When each node was asked what it has promised, at the latest.
    promised: BTreeMap<NodeId, Instant>,
    asked: Option<Instant>,
}
impl Lease {
    /// Is it time to ask again?
    pub fn is_due(&self, now: Instant) -> bool {
        self.asked.is_none_or(|a| now >= a + ASK_EVERY)
    }
    pub fn ask(&mut self, now: Instant) {
        self.asked = Some(now);
    }
    /// When it is to ask again.
    pub fn next(&self) -> Option<Instant> {
        self.asked.map(|a| a + ASK_EVERY)
    }
    /// `from` has promised what it was asked at `sent`.
    pub fn promise(&mut self, from: NodeId, sent: Instant) {
        let p = self.promised.entry(from).or_insert(sent);
        *p = (*p).max(sent);
    }
    /// Until when the lease lasts, for `me`, who leads; None: there is none.
    pub fn until(&self, me: NodeId, members: &Members, now: Instant) -> Option<Instant> {
        if members.is_quorum(|id| id == me) {
            // Nobody else is needed for an election, nor can win one.
            return Some(now + LENGTH - DRIFT);
        }
        let mut times: Vec<Instant> = self.promised.values().copied().collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        let has = |t: Instant| move |id: NodeId| id == me || self.promised.get(&id).is_some_and(|p| *p >= t);
        times.into_iter().find(|t| members.is_quorum(has(*t))).map(|t| t + LENGTH - DRIFT)
    }
}

/// A voter's side.
#[derive(Debug)]
pub struct Promise {
    until: Instant,
}
impl Promise {
    /// At a start.
    pub fn of_start(now: Instant) -> Promise {
        Promise { until: now + LENGTH }
    }
    /// Of a replica that is new: it has promised nothing.
    pub fn none(now: Instant) -> Promise {
        Promise { until: now }
    }
    pub fn give(&mut self, now: Instant) {
        self.until = self.until.max(now + LENGTH);
    }
    /// A leader's own: it votes for nobody while it holds the lease.
    pub fn hold(&mut self, until: Instant) {
        self.until = self.until.max(until);
    }
    pub fn binds(&self, now: Instant) -> bool {
        now < self.until
    }
    pub fn until(&self) -> Instant {
        self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::NodeInfo;

    fn members(voters: &[NodeId]) -> Members {
        let mut m = Members::alone(1, NodeInfo::default(), 1);
        m.conf.voters = voters.to_vec();
        m
    }

    #[test]
    fn a_quorum_makes_a_lease() {
        let t = Instant::now();
        let at = |ms| t + Duration::from_millis(ms);
        let m = members(&[1, 2, 3, 4, 5]);
        let mut l = Lease::default();
        assert_eq!(l.until(1, &m, t), None);
        l.promise(2, at(10));
        assert_eq!(l.until(1, &m, t), None);
        l.promise(3, at(30));
        assert_eq!(l.until(1, &m, t), Some(at(10) + LENGTH - DRIFT));
        l.promise(4, at(20));
        assert_eq!(l.until(1, &m, t), Some(at(20) + LENGTH - DRIFT));
        // An answer that was long on its way takes nothing back; a node that is no voter does not count.
        l.promise(4, at(5));
        l.promise(9, at(50));
        assert_eq!(l.until(1, &m, t), Some(at(20) + LENGTH - DRIFT));
        assert_eq!(Lease::default().until(1, &members(&[1]), t), Some(t + LENGTH - DRIFT));
    }

    #[test]
    fn when_to_ask() {
        let t = Instant::now();
        let mut l = Lease::default();
        assert!(l.is_due(t));
        l.ask(t);
        assert!(!l.is_due(t) && l.is_due(t + ASK_EVERY));
    }

    #[test]
    fn promises_outlast_leases() {
        let t = Instant::now();
        let mut p = Promise::of_start(t);
        assert!(p.binds(t + LENGTH - DRIFT) && !p.binds(t + LENGTH));
        p.give(t + DRIFT);
        p.give(t);
        assert!(p.binds(t + LENGTH) && !p.binds(t + LENGTH + DRIFT));
    }
}
