//! Who helps whom, and when.
//!
//! Every [`Pace::window`] a worker that handles [`Pace::least`] events or more in that time and has just fetched some compares its own pace with that of a peer (events handled since the last look, [`Desk::beat`]):
//! ```text
//!   the peer is slower, events wait for it, and by its pace they wait SLOWER times as long as those here:
//!        so many of their connections come over that they wait equally long here and there
//!   there is nothing to do here, the peer does twice as much, and CROWD events or more wait for it:
//!        half of their connections come over
//!   the peer sleeps, does half as much at most, and CROWD events or more wait here:
//!        it is woken, and does the above
//! ```
//! The first keeps answers coming when the kernel gives a worker's processor to others: beside many busy clients on the same machine that takes
//! up to seconds, at a tenth of the other workers' pace. It also gathers sessions on the workers that do run; the other two spread them again where there
//! is room. A worker that connections were taken from takes over none itself for [`CLOSED_MIN`], doubled up to [`CLOSED_MAX`] while that keeps happening, so that sessions do
//! not go to and fro.
//!
//! Workers that are equally fast leave each other alone, however long one of them stands still now and then: a session that moves leaves warm caches behind.
//! At most [`LOOKS`] peers are looked at in one round of the loop.
use crate::connection::Connection;
use crate::desk::Desk;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Differences in waiting below this are left alone.
const SLOWER: u64 = 4;
/// Fewer events that wait for a worker are its own business, if it is the faster one.
const CROWD: usize = 4;
const CLOSED_MIN: Duration = Duration::from_millis(20);
const CLOSED_MAX: Duration = Duration::from_secs(1);
const LOOKS: usize = 4;

/// When workers compare themselves.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From one look at a peer to the next, at least.
    pub window: Duration,
    /// Who handles fewer events in that time has no pace to speak of.
    pub least: u64,
}
impl Default for Pace {
    fn default() -> Pace {
        Pace { window: Duration::from_millis(20), least: 32 }
    }
}

struct Peer {
    desk: Arc<Desk>,
    /// Its beat and the own one at the last look, and when that was.
    beat: u64,
    own_beat: u64,
    since: Instant,
}

pub struct Peers {
    own: Arc<Desk>,
    peers: Vec<Peer>,
    /// The next to look at.
    turn: usize,
    pace: Pace,
    open_at: Instant,
    closed: Duration,
}

impl Peers {
    pub fn new(desks: &[Arc<Desk>], own: usize, pace: Pace) -> Peers {
        let now = Instant::now();
        let others = desks.iter().enumerate().filter(|(i, _)| *i != own);
        Peers {
            own: desks[own].clone(),
            peers: others.map(|(_, d)| Peer { desk: d.clone(), beat: 0, own_beat: 0, since: now }).collect(),
            turn: 0,
            pace,
            open_at: now,
            closed: CLOSED_MIN,
        }
    }

    /// Connections have been taken from here.
    pub fn raided(&mut self) {
        let now = Instant::now();
        let again = now < self.open_at + self.closed;
        self.closed = if again { (self.closed * 2).min(CLOSED_MAX) } else { CLOSED_MIN };
        self.open_at = now + self.closed;
        self.own.close_until(self.open_at);
    }

    /// To be called with the events just fetched on the own desk: takes over what is to be had.
    pub fn look(&mut self, loot: &mut Vec<Box<dyn Connection>>) {
        if self.peers.is_empty() {
            return;
        }
        let (now, own_beat, here) = (Instant::now(), self.own.beat(), self.own.waiting());
        for _ in 0..LOOKS.min(self.peers.len()) {
            self.turn = (self.turn + 1) % self.peers.len();
            let peer = &mut self.peers[self.turn];
            let elapsed = now - peer.since;
            if elapsed < self.pace.window {
                continue;
            }
            let (beat, desk) = (peer.desk.beat(), &*peer.desk);
            let (theirs, ours) = (beat.wrapping_sub(peer.beat), own_beat.wrapping_sub(peer.own_beat));
            (peer.since, peer.beat, peer.own_beat) = (now, beat, own_beat);
            let steady = |n: u64| {
                u128::from(n) * self.pace.window.as_nanos() >= u128::from(self.pace.least) * elapsed.as_nanos()
            };
            if !steady(ours.max(theirs)) {
                continue;
            }
            if ours > theirs {
                if desk.is_behind() {
                    desk.raid(true, |there| share(there as u64, theirs, here as u64, ours) as usize, loot);
                }
                if here >= CROWD && theirs <= ours / 2 && desk.queue.asleep() && desk.is_open(now) {
                    desk.queue.notify();
                }
            } else if here == 0 && ours <= theirs / 2 && now >= self.open_at && desk.waiting() >= CROWD {
                desk.raid(false, |there| there / 2, loot);
            }
        }
    }
}

/// Of the events that wait for a worker that handles `theirs` in some time, how many to take so that they wait as long as those that wait `here`, of which `ours` are
/// handled in that time.
fn share(there: u64, theirs: u64, here: u64, ours: u64) -> u64 {
    // One more than wait here: the first that comes over is one.
    if there * ours < SLOWER * (here + 1) * theirs {
        return 0;
    }
    let both = (theirs + ours).max(1);
    ((there * ours).saturating_sub(here * theirs) + both / 2) / both
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_share_evens_out_how_long_events_wait() {
        assert_eq!(share(30, 100, 30, 100), 0);
        assert_eq!(share(30, 60, 30, 100), 0);
        // At a standstill: all.
        assert_eq!(share(30, 0, 30, 100), 30);
        assert_eq!(share(0, 0, 0, 100), 0);
        for (there, theirs, here, ours) in [(30, 10, 5, 100), (200, 40, 50, 900), (12, 1, 0, 50)] {
            let n = share(there, theirs, here, ours);
            let (before, after) = ((there - n) as f64 / theirs as f64, (here + n) as f64 / ours as f64);
            assert!(n > 0 && (before - after).abs() <= 1.0 / theirs as f64, "{n}: {before} {after}");
        }
    }
}
