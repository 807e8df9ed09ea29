//! What a leader says is closed, and when a replica's data is fresh enough for a read (closed timestamps).
//!
//! ```text
//!   follower   question n, sent at T by its own clock ──────► leader   holds the lease? serves? hands nothing over?
//!                                                                │ Closed n: index, ts; and a heartbeat, so that the follower learns what is decided
//!   asked[n] = T ◄───────────────────────────────────────────────┘
//!   applied up to `index` ──► everything that anybody was told before T is here: fresh as of T     (pamir-txn/src/fresh.rs)
//!   a read at time N, bound B ──► fresh as of N - B or later? applied up to the session's own commit? ──► the newest snapshot here
//! ```
//! # Why it is right
//! - *What is applied is consistent.* An entry is a closed batch, timestamps rise along the log, and a replica applies whole entries in order. So what a snapshot at a follower sees is a beginning of
//!   the history, the same that a reader at the leader saw at some time; no hole can be in it, and nothing at or below its timestamp can come later. A timestamp lower than what is applied need not be
//!   chosen for a read: all that is applied is closed here.
//! - *What it may lack* only the leader knows. A commit is told to anybody (its client, a reader) after it is decided and applied at a leader that nobody else could replace just then. Let an answer be
//!   made at time A by a node that holds the lease at A: no other node has led up to A since this one began to, so all that was told to anybody before A is decided as this one knows it, in entries up to
//!   `index`. The question was sent at T, before A. So what was told before T is in entries up to `index`, whoever leads later: what is decided stays.
//! - *No clock is compared with another's.* T is the follower's, and is looked up by the question's number, which no process before this one has used. An answer that was late, or a question, says
//!   something of an older T. A process that stood still has an older T when it goes on.
//! - *The queue and open transactions* hold nothing back: a batch has its timestamp when it closes, above all that is applied; COMMIT PREPARED gives a prepared transaction its own; a large commit is
//!   seen from its Finish on, which is an entry like others. `ts` is the newest timestamp applied at the leader: every commit that comes is above it. It stands still while nothing is committed;
//!   T does not.
//!
//! # What is promised
//! A statement sees all that anybody was told [`ReadAt::max_staleness`] before the server began it; a bound of 0 costs a round trip and makes the read linearizable. The bound is on what is *seen*, looked at when
//! the snapshot is taken: a process that stands still before that asks anew, one that stands still after it (or a long statement) tells what was true then, as any snapshot does. A session sees its own
//! commits, what it read at the leader before, and never less than it saw at this replica before. A node that is cut off, or whose leader is gone, serves until its data is as old as the bound, and
//! not after.
//!
//! *Invariants*: a leader answers only under its lease; an answer that was not asked for, or was answered before, is nothing.
//!
//! Limits: a replica may have applied what the leader has decided and not applied yet, so a read at the leader may, for a moment, lack what another session has seen at a replica (its own session sees to that,
//! `Note::NotBelow`). Clocks that stand still with a suspended machine (`CLOCK_MONOTONIC`) are as for the lease. [`KEPT`] questions are remembered.
use crate::plant::{self, Bug};
use pamir_storage::task;
use pamir_txn::{ReadAt, Shard};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How often a follower asks when nobody waits.
pub const ASK_EVERY: Duration = Duration::from_millis(200);
/// ... and when somebody does.
pub const ASK_WANTED: Duration = Duration::from_millis(10);
/// At least so much is between two, however many wait.
pub const ASK_LEAST: Duration = Duration::from_millis(1);
/// Questions that may still be answered: those of a few seconds.
const KEPT: usize = 4096;

/// A follower's side: its questions.
#[derive(Debug)]
pub struct Asking {
    next: u64,
    asked: VecDeque<(u64, Instant)>,
    newest: Option<Instant>,
    /// Somebody waits for the answer to a question that is not asked before this moment.
    wanted: Option<Instant>,
}
impl Asking {
    /// `first`: a number that no process of this node has begun with.
    pub fn new(first: u64) -> Asking {
        Asking { next: first, asked: VecDeque::new(), newest: None, wanted: None }
    }
    /// Somebody waits, from now on.
    pub fn want(&mut self, now: Instant) {
        self.wanted = Some(now);
    }
    /// When it is to ask; None: at once.
    pub fn due(&self) -> Option<Instant> {
        let newest = self.newest?;
        match self.wanted {
            Some(w) if newest < w => Some(newest + ASK_LEAST),
            Some(_) => Some(newest + ASK_WANTED),
            None => Some(newest + ASK_EVERY),
        }
    }
    /// The number of a question that is sent now.
    pub fn ask(&mut self, now: Instant) -> u64 {
        let number = self.next;
        self.next += 1;
        self.newest = Some(now);
        if self.asked.len() >= KEPT {
            self.asked.pop_front();
        }
        self.asked.push_back((number, now));
        number
    }
    /// A question was answered: when it was sent. None: nobody has asked so, or a later one was answered before.
    pub fn answered(&mut self, number: u64, now: Instant) -> Option<Instant> {
        let at = self.asked.iter().position(|a| a.0 == number)?;
        let (_, sent) = self.asked.drain(..=at).next_back()?;
        if self.wanted.is_some_and(|w| sent >= w) {
            self.wanted = None;
        }
        Some(if plant::has(Bug::AgeFromReceipt) { now } else { sent })
    }
}

/// The moment as of which a read that begins now must be fresh; None: any.
pub fn needed(at: &ReadAt, now: Instant) -> Option<Instant> {
    now.checked_sub(at.max_staleness).max(at.not_before)
}
/// Whether a replica's data is what a read must see, which must be as of `needed`. A snapshot that is taken after a true answer sees it.
pub fn is_fresh(shard: &Shard, at: &ReadAt, needed: Option<Instant>) -> bool {
    let Some(since) = shard.fresh_since() else { return false };
    needed.is_none_or(|n| since >= n) && (shard.applied_ts() >= at.not_below || plant::has(Bug::OwnCommitIgnored))
}
/// How old the data may be by now; None: nobody knows.
pub fn age(shard: &Shard) -> Option<Duration> {
    Some(task::now().saturating_duration_since(shard.fresh_since()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_txn::ReadFrom;

    #[test]
    fn an_answer_is_as_old_as_its_question() {
        let t = Instant::now();
        let at = |ms| t + Duration::from_millis(ms);
        let mut a = Asking::new(100);
        assert_eq!(a.due(), None);
        let (first, second) = (a.ask(at(0)), a.ask(at(50)));
        assert_eq!(a.due(), Some(at(50) + ASK_EVERY));
        assert_eq!(a.answered(99, at(900)), None, "nobody asked");
        assert_eq!(a.answered(first, at(900)), Some(at(0)));
        assert_eq!(a.answered(first, at(900)), None, "it was answered");
        let third = a.ask(at(950));
        assert_eq!(a.answered(third, at(1900)), Some(at(950)));
        assert_eq!(a.answered(second, at(1901)), None, "a later one was answered");
    }

    #[test]
    fn who_waits_is_not_helped_by_an_older_question() {
        let t = Instant::now();
        let at = |ms| t + Duration::from_millis(ms);
        let mut a = Asking::new(1);
        let old = a.ask(at(0));
        a.want(at(5));
        assert_eq!(a.due(), Some(at(0) + ASK_LEAST));
        let new = a.ask(at(5));
        assert_eq!(a.answered(old, at(6)), Some(at(0)));
        // The new one may be lost.
        assert_eq!(a.due(), Some(at(5) + ASK_WANTED));
        a.answered(new, at(7));
        assert_eq!(a.due(), Some(at(5) + ASK_EVERY));
        (0..2 * KEPT as u64).for_each(|n| _ = a.ask(at(n)));
        assert_eq!(a.asked.len(), KEPT);
    }

    #[test]
    fn the_bound_counts_from_the_beginning() {
        let now = Instant::now() + Duration::from_secs(100);
        let ms = Duration::from_millis;
        let at = |max_staleness, not_before| ReadAt {
            from: ReadFrom::Follower,
            max_staleness,
            not_before,
            not_below: 0,
            deadline: None,
            stays: false,
        };
        assert_eq!(needed(&at(ms(500), None), now), Some(now - ms(500)));
        assert_eq!(needed(&at(ms(500), Some(now - ms(900))), now), Some(now - ms(500)));
        assert_eq!(needed(&at(ms(500), Some(now - ms(10))), now), Some(now - ms(10)));
        assert_eq!(needed(&at(Duration::MAX, None), now), None);
    }
}
