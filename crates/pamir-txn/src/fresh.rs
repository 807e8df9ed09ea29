//! How fresh a replica's data is: since when it may lack something that somebody was told.
//!
//! ```text
//!   asked at T (own clock) ──► the leader: all that anybody was told so far lies in entries up to `index` ──► Closed { index, ts, asked: T }
//!   entries applied ────────────────────────────────────────────────────────────────► up to `index`: fresh as of T
//! ```
//! What a replica has applied is a beginning of the group's log, and so consistent by itself; what it cannot know by itself is how old that beginning is. The leader's answers say it, and the
//! clock that counts is this process's own: an answer that was long on its way, or whose question was, makes the data no fresher than the moment at which it was asked.
//!
//! *Invariant*: a snapshot that is taken after [`Fresh::since`] was read sees every commit that anybody was told of before that moment: `since` rises after the entries that it speaks of are applied
//! and published, and never falls.
//!
//! Limits: [`MOST`] answers wait for their entries; of more the newest before the last go, and the data counts as older than it is.
use crate::shard::Ts;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Answers that wait for their entries.
const MOST: usize = 64;

/// A leader's answer to a replica's question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closed {
    /// Everything that anybody was told before the question lies in entries up to this one.
    pub index: u64,
    /// No commit at or below it comes in a later entry.
    pub ts: Ts,
    /// When the question was sent.
    pub asked: Instant,
}

pub(crate) struct Fresh {
    /// Times are counted from here.
    base: Instant,
    /// Nanoseconds and one; 0: nothing is known.
    since: AtomicU64,
    closed: AtomicU64,
    /// Some wait.
    waits: AtomicBool,
    waiting: Mutex<Vec<Closed>>,
}
impl Fresh {
    pub fn new(base: Instant) -> Fresh {
        Fresh {
            base,
            since: AtomicU64::new(0),
            closed: AtomicU64::new(0),
            waits: AtomicBool::new(false),
            waiting: Mutex::default(),
        }
    }
    /// Takes an answer; `applied` says up to which entry everything is applied, and is asked after the answer can be found by [`Fresh::entered`]. True: the data is fresher by it already.
    pub fn take(&self, c: Closed, applied: impl FnOnce() -> u64) -> bool {
        {
            let mut w = self.waiting.lock();
            if w.len() >= MOST {
                // The first is what comes true next, the last what is worth most.
                w.pop();
            }
            w.push(c);
            self.waits.store(true, Ordering::SeqCst);
        }
        self.entered(applied())
    }
    /// Everything up to this entry is applied and published.
    pub fn entered(&self, index: u64) -> bool {
        if !self.waits.load(Ordering::SeqCst) {
            return false;
        }
        let mut w = self.waiting.lock();
        let before = w.len();
        w.retain(|c| {
            let waits = c.index > index;
            if !waits {
                let nanos = c.asked.saturating_duration_since(self.base).as_nanos();
                self.since.fetch_max(u64::try_from(nanos).unwrap_or(u64::MAX - 1) + 1, Ordering::AcqRel);
                self.closed.fetch_max(c.ts, Ordering::AcqRel);
            }
            waits
        });
        self.waits.store(!w.is_empty(), Ordering::SeqCst);
        w.len() < before
    }
    /// Nothing that anybody was told before this moment is missing. None: nobody has said so yet.
    pub fn since(&self) -> Option<Instant> {
        let nanos = self.since.load(Ordering::Acquire).checked_sub(1)?;
        self.base.checked_add(Duration::from_nanos(nanos))
    }
    /// No commit at or below it is missing, or will come.
    pub fn closed(&self) -> Ts {
        self.closed.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_wait_for_their_entries() {
        let t = Instant::now();
        let at = |ms| t + Duration::from_millis(ms);
        let f = Fresh::new(t);
        assert_eq!(f.since(), None);
        let closed = |index, ms| Closed { index, ts: 10 * index, asked: at(ms) };
        assert!(!f.take(closed(5, 1), || 4));
        assert_eq!(f.since(), None);
        assert!(!f.take(closed(7, 9), || 4));
        assert!(!f.entered(4));
        assert!(f.entered(6));
        assert_eq!((f.since(), f.closed()), (Some(at(1)), 50));
        // An older answer that comes late takes nothing back.
        assert!(f.entered(7));
        assert!(f.take(closed(3, 4), || 7));
        assert_eq!((f.since(), f.closed()), (Some(at(9)), 70));
        assert!(!f.entered(100));
    }

    #[test]
    fn no_more_than_so_many_wait() {
        let t = Instant::now();
        let f = Fresh::new(t);
        for n in 1..=1000 {
            f.take(Closed { index: n, ts: n, asked: t + Duration::from_millis(n) }, || 0);
        }
        assert_eq!(f.waiting.lock().len(), MOST);
        f.entered(3);
        assert_eq!(f.since(), Some(t + Duration::from_millis(3)));
        f.entered(1000);
        assert_eq!(f.since(), Some(t + Duration::from_millis(1000)));
    }
}
