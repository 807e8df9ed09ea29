//! A moment's look before sleeping.
//!
//! A client that sends its next statement as soon as it has the last answer is back within some 20 µs, but a processor that has gone to sleep meanwhile takes as long again, or
//! twice, to wake up. So a worker that has learned that its waits are short looks for [`WINDOW`] before it sleeps, and lets whoever wants the processor have it
//! between two looks. With one client that asks for rows by key that is twice the statements a second; with many, workers seldom wait at all.
//!
//! [`Spin::credit`] is what was learned: it grows with each wait that ended in time and falls faster with each that did not, so that at most about a third of the looks are in vain,
//! and an idle server sleeps.
use std::time::{Duration, Instant};

/// How long a worker looks.
const WINDOW: Duration = Duration::from_micros(40);
/// A sleep no longer than this would have been a shorter look: waking up is part of it.
const SHORT_SLEEP: Duration = Duration::from_micros(100);
/// Looking begins with this credit, and it grows no further than `MOST`.
const WORTH: u32 = 4;
const MOST: u32 = 8;
/// What a look in vain costs.
const IN_VAIN: u32 = 2;

#[derive(Default)]
pub struct Spin {
    credit: u32,
}

impl Spin {
    /// Whether `ready` became true; false also if it is not worth looking.
    pub fn look(&mut self, ready: impl Fn() -> bool) -> bool {
        if self.credit < WORTH {
            return false;
        }
        let start = Instant::now();
        loop {
            if ready() {
                self.credit = (self.credit + 1).min(MOST);
                return true;
            }
            std::thread::yield_now();
            if start.elapsed() >= WINDOW {
                self.credit = self.credit.saturating_sub(IN_VAIN);
                return false;
            }
        }
    }
    /// Tells of a sleep that something ended.
    pub fn slept(&mut self, how_long: Duration) {
        self.credit = if how_long <= SHORT_SLEEP { (self.credit + 1).min(MOST) } else { self.credit.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_is_learned_and_given_up() {
        let mut s = Spin::default();
        assert!(!s.look(|| true), "nothing is known yet");
        for _ in 0..WORTH {
            s.slept(SHORT_SLEEP);
        }
        assert!(s.look(|| true));
        for _ in 0..MOST {
            s.look(|| false);
        }
        assert!(!s.look(|| true), "it did not pay");
        for _ in 0..2 * MOST {
            s.slept(SHORT_SLEEP);
        }
        for _ in 0..MOST {
            s.slept(Duration::from_millis(1));
        }
        assert!(!s.look(|| true), "an idle server sleeps");
    }
}
