//! Who helps whom, and when.
//!
//! ```text
//!   a peer has events that wait, and its beat stands still        -> all its idle connections that have something to do come over
//!   nothing to do here, CROWD events or more wait for a peer      -> half of those
//!   2 * CROWD events or more wait here, a peer sleeps             -> it is woken, and does the above
//! ```
//! The first keeps answers coming when the kernel gives a worker's processor to others: beside many busy clients on the same machine that takes
//! up to seconds, at a tenth of the other workers' speed. It also gathers sessions on the workers that do run. The other two spread them again where there
//! is room: a worker that connections were taken from takes over none itself for [`CLOSED_MIN`], doubled up to [`CLOSED_MAX`] while that keeps happening, so that sessions do
//! not go to and fro.
//!
//! Every look at a peer is a load of its beat; at most [`LOOKS`] a round.
use super::desk::Desk;
use crate::conn::Conn;
use crate::service::Service;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Fewer events that wait for a worker are its own business.
const CROWD: usize = 2;
/// A peer that sleeps is woken to help this often at most.
const ASK: Duration = Duration::from_millis(1);
const CLOSED_MIN: Duration = Duration::from_millis(10);
const CLOSED_MAX: Duration = Duration::from_secs(1);
/// Peers looked at in one round of the loop.
const LOOKS: usize = 4;

struct Peer<S: Service> {
    desk: Arc<Desk<S>>,
    /// Its beat, and since when that is known.
    beat: u64,
    since: Instant,
    /// Then already events waited.
    behind: bool,
    /// When it was woken last.
    asked: Instant,
}

pub struct Peers<S: Service> {
    own: Arc<Desk<S>>,
    peers: Vec<Peer<S>>,
    /// The next to look at.
    turn: usize,
    standstill: Duration,
    open_at: Instant,
    closed: Duration,
}

impl<S: Service> Peers<S> {
    /// `standstill`: a worker that does nothing for so long though it could, twice in a row, is at a standstill.
    pub fn new(desks: &[Arc<Desk<S>>], own: usize, standstill: Duration) -> Peers<S> {
        let now = Instant::now();
        let others = desks.iter().enumerate().filter(|(i, _)| *i != own);
        let peer = |desk: &Arc<Desk<S>>| Peer { desk: desk.clone(), beat: 0, since: now, behind: false, asked: now };
        Peers {
            own: desks[own].clone(),
            peers: others.map(|(_, d)| peer(d)).collect(),
            turn: 0,
            standstill,
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

    /// Takes over what is to be had. `spare`: there is nothing else to do.
    pub fn help(&mut self, spare: bool, loot: &mut Vec<Box<Conn<S>>>) {
        if self.peers.is_empty() {
            return;
        }
        let now = Instant::now();
        let open = spare && now >= self.open_at;
        for _ in 0..LOOKS.min(self.peers.len()) {
            self.turn = (self.turn + 1) % self.peers.len();
            let peer = &mut self.peers[self.turn];
            let beat = peer.desk.beat();
            let mut stopped = false;
            if beat != peer.beat {
                (peer.beat, peer.since, peer.behind) = (beat, now, false);
            } else if now - peer.since >= self.standstill {
                peer.since = now;
                stopped = peer.behind;
                peer.behind = stopped || peer.desk.is_behind();
            }
            if stopped || (open && peer.desk.waiting() >= CROWD) {
                peer.desk.raid(stopped, loot);
            }
        }
    }

    /// To be called with events on the own desk: wakes peers that could help.
    pub fn ask(&mut self) {
        if self.own.waiting() < 2 * CROWD {
            return;
        }
        let now = Instant::now();
        for peer in &mut self.peers {
            if now - peer.asked >= ASK && peer.desk.queue.asleep() && peer.desk.is_open(now) {
                peer.asked = now;
                peer.desk.queue.notify();
            }
        }
    }
}
