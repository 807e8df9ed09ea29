//! What is kept of the log beyond what checkpoints need: for backups that are under way, and for an archive that has not stored it yet.
//!
//! ```text
//!   Hold ── a position ──┐
//!   Hold ── a position ──┼─► Holds::lowest ──► the log is given up to here at most (Core::truncate_log, a cluster's Node)
//!   Hold ── a position ──┘
//! ```
//! Positions are those of the log in question: bytes of a single node's own log, indexes of entries of a group's.
//! *Invariant*: a hold that is there before something is given up keeps it; one that is dropped keeps nothing.
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All holds of one log.
#[derive(Default, Debug)]
pub struct Holds(Mutex<State>);
#[derive(Default, Debug)]
struct State {
    next: u64,
    held: BTreeMap<u64, u64>,
}
impl Holds {
    /// What stands behind `position` stays.
    pub fn hold(self: &Arc<Self>, position: u64) -> Hold {
        let mut s = self.0.lock();
        s.next += 1;
        let number = s.next;
        s.held.insert(number, position);
        Hold { holds: self.clone(), number }
    }
    /// The least position that somebody holds; `u64::MAX` where nobody does.
    pub fn lowest(&self) -> u64 {
        self.0.lock().held.values().copied().min().unwrap_or(u64::MAX)
    }
}

/// Keeps the log behind a position until it is dropped.
#[derive(Debug)]
pub struct Hold {
    holds: Arc<Holds>,
    number: u64,
}
impl Hold {
    /// What stands before `position` may go; what has gone does not come back.
    pub fn move_to(&self, position: u64) {
        self.holds.0.lock().held.insert(self.number, position);
    }
    pub fn position(&self) -> u64 {
        self.holds.0.lock().held.get(&self.number).copied().unwrap_or(u64::MAX)
    }
}
impl Drop for Hold {
    fn drop(&mut self) {
        self.holds.0.lock().held.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_counts() {
        let h = Arc::new(Holds::default());
        assert_eq!(h.lowest(), u64::MAX);
        let (a, b) = (h.hold(7), h.hold(5));
        assert_eq!(h.lowest(), 5);
        b.move_to(9);
        assert_eq!((h.lowest(), b.position()), (7, 9));
        drop(a);
        assert_eq!(h.lowest(), 9);
        drop(b);
        assert_eq!(h.lowest(), u64::MAX);
    }
}
