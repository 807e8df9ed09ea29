//! Reigns: the stretches of time in which a replica leads its group or follows.
//!
//! ```text
//!   reign   0             1         2           3         4 ...
//!           of its own    leads     follows     leads     follows
//! ```
//! A shard with a log of its own stays at 0. A replica's number rises with each change of its role and is odd while it leads. What was begun under a leadership (a transaction with its
//! locks, a counter's values ahead, a record that waits for its place) belongs to that reign and ends with it: whoever leads next may have changed the same rows.
//! *Invariant*: nothing of a reign gets a place in the log after it; the number is compared under the commit queue's mutex, where a reign ends.
use pamir_error::{Error, err};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a reign.
pub(crate) type ReignNumber = u64;

/// The reign that a shard is in, shared by its parts.
#[derive(Clone, Default, Debug)]
pub(crate) struct Reign(Arc<AtomicU64>);

impl Reign {
    /// A replica begins by following.
    pub fn of_replica() -> Reign {
        Reign(Arc::new(AtomicU64::new(2)))
    }
    #[inline]
    pub fn now(&self) -> ReignNumber {
        self.0.load(Ordering::SeqCst)
    }
    /// May what was begun in `reign` go on to change anything?
    #[inline]
    pub fn still(&self, reign: ReignNumber) -> bool {
        reign == 0 || self.now() == reign
    }
    /// The next reign, which leads or follows; the same one if it does so already.
    pub fn change(&self, leads: bool) -> ReignNumber {
        let now = self.now();
        let next = if is_led(now) == leads { now } else { now + 1 };
        self.0.store(next, Ordering::SeqCst);
        next
    }
}

/// Does the replica lead in this reign? A shard of its own is nobody's replica.
pub(crate) fn is_led(reign: ReignNumber) -> bool {
    reign % 2 == 1
}

/// The error of what was begun in a reign that is over.
#[cold]
pub(crate) fn over() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because another node has become the leader")
        .hint("Retry the transaction.")
        .of_lost_leader()
}

/// The error of a change asked of a replica that does not lead.
#[cold]
pub(crate) fn not_leading() -> Error {
    err!(READ_ONLY_SQL_TRANSACTION, "this node does not lead and cannot change data")
        .hint("Connect to the leader, or to any node without asking for reads at followers.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let own = Reign::default();
        assert!(own.still(0) && !is_led(own.now()));
        let r = Reign::of_replica();
        let shared = r.clone();
        assert_eq!((r.now(), r.change(false), r.change(true), r.change(true)), (2, 2, 3, 3));
        assert!(is_led(shared.now()) && shared.still(3) && !shared.still(2));
        assert_eq!(r.change(false), 4);
        assert!(!shared.still(3));
    }
}
