//! Reads at this node's replica: [`RemoteEngine`](super::client::RemoteEngine)'s `begin_at_replica`. What makes a replica fresh enough, and why that is right, is said in [`crate::closed`].
//!
//! ```text
//!   begin ── this node leads? ──────────────────────────► as any other
//!     └─ fresh enough? ── yes ──► the shard's newest snapshot, as a read-only transaction of this process
//!              └─ no ── nearest ──► the leader
//!                       follower ──► a question to the leader, an answer, its entries applied; in vain: 57P03
//! ```
//! A read here costs what one costs at the leader's own node: no message, no lock. It waits as long as the bound, at least [`LEAST_WAIT`].
//!
//! Limits: versions that its snapshot needs are kept by this replica (`--version-memory`, `--version-disk`, 72000 beyond), whose horizon is its own: nobody else waits for it.
use super::guide::Guide;
use crate::closed::{age, is_fresh, needed};
use pamir_error::{Error, Result, err};
use pamir_storage::task;
use pamir_txn::{Cancel, Isolation, LocalTxn, ReadAt, ReadFrom, Shard, Ts};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A replica is waited for so long at least, however short the bound is.
pub const LEAST_WAIT: Duration = Duration::from_secs(1);

/// What became of reads that might be answered here.
#[derive(Default)]
pub(super) struct Counts {
    reads: AtomicU64,
    waits: AtomicU64,
    refusals: AtomicU64,
    elsewhere: AtomicU64,
}
impl Counts {
    /// name, value pairs for /metrics.
    pub fn stats(&self, shard: &Shard) -> Vec<(&'static str, u64)> {
        let n = |a: &AtomicU64| a.load(Ordering::Relaxed);
        let mut all = vec![
            ("follower_reads", n(&self.reads)),
            ("follower_waits", n(&self.waits)),
            ("stale_refusals", n(&self.refusals)),
            ("nearest_at_leader", n(&self.elsewhere)),
            ("closed_ts", shard.closed_ts()),
        ];
        // Of a leader's own there is none.
        if let Some(age) = age(shard).filter(|_| !shard.leads()) {
            all.push(("closed_age_micros", u64::try_from(age.as_micros()).unwrap_or(u64::MAX)));
        }
        all
    }
    fn one(n: &AtomicU64) {
        n.fetch_add(1, Ordering::Relaxed);
    }
}

#[cold]
fn too_old(shard: &Shard, at: &ReadAt) -> Error {
    let bound = at.max_staleness.as_millis();
    let known = match age(shard) {
        Some(age) => {
            format!("It is known to be no older than {} ms; pamir.max_staleness is {bound} ms.", age.as_millis())
        }
        None => format!("How old it is is not known yet; pamir.max_staleness is {bound} ms."),
    };
    err!(CANNOT_CONNECT_NOW, "the data of this node is not fresh enough").detail(known).hint(
        "Retry, raise pamir.max_staleness, or set pamir.read_from to nearest or leader. A node that is cut off from the leader serves no reads beyond the bound.",
    )
}

/// A transaction that reads here through one snapshot, and that snapshot's timestamp. None: it is to begin where the leader is.
pub(super) fn begin(
    shard: &Shard,
    guide: &dyn Guide,
    counts: &Counts,
    at: &ReadAt,
    cancel: &Arc<Cancel>,
) -> Result<Option<(LocalTxn, Ts)>> {
    let here = || {
        let txn = shard.begin(Isolation::RepeatableRead, true, cancel.clone());
        let ts = txn.statement().ts();
        (txn, ts)
    };
    if guide.leads() {
        // Its own reads are as fresh as any; one that has read here goes on here.
        return Ok(at.stays.then(here));
    }
    let now = task::now();
    let needed = needed(at, now);
    if !is_fresh(shard, at, needed) {
        if at.from == ReadFrom::Nearest && !at.stays {
            Counts::one(&counts.elsewhere);
            // The next one may be lucky.
            guide.ask_closed();
            return Ok(None);
        }
        Counts::one(&counts.waits);
        guide.ask_closed();
        let patience = now.checked_add(at.max_staleness.max(LEAST_WAIT));
        let until = patience.into_iter().chain(at.deadline).min().unwrap_or(now + LEAST_WAIT);
        // A node that comes to lead is as fresh as any.
        let fresh = shard.await_replica_until(until, cancel, |s| is_fresh(s, at, needed) || s.leads())?;
        if !fresh {
            if at.deadline.is_some_and(|d| task::now() >= d) {
                return Err(err!(QUERY_CANCELED, "canceling statement due to statement timeout"));
            }
            Counts::one(&counts.refusals);
            return Err(too_old(shard, at));
        }
    }
    Counts::one(&counts.reads);
    Ok(Some(here()))
}
