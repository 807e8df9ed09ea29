//! A worker's desk: what it leaves where its peers can reach it, so that no client waits for a worker that cannot run.
//!
//! ```text
//!            seats: one a slot                    events: taken from epoll, not yet handled
//!   slot 0  [ idle connection ]                   [ 2 readable ] [ 0 readable ] [ 5 writable ]
//!   slot 1  [ - ]  running, or free                     |
//!   slot 2  [ idle connection ] <-----------------------+
//! ```
//! The worker takes an event with the connection that it is for, runs that, and puts it back. A peer may look at the desk too, and at the worker's
//! epoll instance, and take idle connections that have something to do over to its own, for good ([`Desk::raid`]); `peers.rs` says when.
//!
//! What runs never moves: a coroutine stays on its thread, and so does a connection whose answer is being sent.
//!
//! Invariants: a connection is in one seat, or with the worker that took it out, or in the raider's hands. An event is handled by whoever holds its connection: a raider
//! leaves those of connections that it cannot take. The lock is held for a few instructions by the worker, for one system call by a raider, who only tries it.
use crate::connection::Connection;
use crate::epoll::{Epoll, Event};
use crate::queue::{POKE, RemoteQueue};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Seat {
    /// Whose seat it is.
    token: usize,
    conn: Option<Box<dyn Connection>>,
}

struct Inner {
    seats: Vec<Seat>,
    events: VecDeque<Event>,
    /// Tokens of connections that peers have taken.
    left: Vec<usize>,
    /// Connections whose statement has ended on another thread; None: the connection has ended, too.
    back: Vec<Back>,
}
/// A token, and the connection unless it is over.
pub type Back = (usize, Option<Box<dyn Connection>>);

pub struct Desk {
    pub epoll: Epoll,
    pub queue: Arc<RemoteQueue>,
    beat: AtomicU64,
    /// Events on the desk, more or less.
    waiting: AtomicUsize,
    /// The worker takes over no connections before, in microseconds since `born`.
    closed_until: AtomicU64,
    born: Instant,
    inner: Mutex<Inner>,
}

/// Where a token's connection sits: its low half.
fn seat_of(token: usize) -> usize {
    token & 0xffff_ffff
}

impl Desk {
    pub fn new() -> io::Result<Desk> {
        let epoll = Epoll::new()?;
        let queue = Arc::new(RemoteQueue::new(&epoll)?);
        let inner = Inner { seats: Vec::new(), events: VecDeque::new(), left: Vec::new(), back: Vec::new() };
        Ok(Desk {
            epoll,
            queue,
            beat: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            closed_until: AtomicU64::new(0),
            born: Instant::now(),
            inner: Mutex::new(inner),
        })
    }

    /// The worker has handled an event.
    pub fn go_on(&self) {
        self.beat.store(self.beat.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
    /// Events handled so far.
    pub fn beat(&self) -> u64 {
        self.beat.load(Ordering::Relaxed)
    }
    /// Events that wait for the worker, more or less.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
    /// Events wait, here or where they have not been taken from yet.
    pub fn is_behind(&self) -> bool {
        self.waiting() > 0 || self.epoll.is_ready()
    }
    /// The worker takes over no connections until then.
    pub fn close_until(&self, t: Instant) {
        self.closed_until.store(t.saturating_duration_since(self.born).as_micros() as u64, Ordering::Relaxed);
    }
    pub fn is_open(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.born).as_micros() as u64 >= self.closed_until.load(Ordering::Relaxed)
    }

    /// An idle connection sits down.
    pub fn put(&self, token: usize, conn: Box<dyn Connection>) {
        let seats = &mut self.inner.lock().seats;
        while seats.len() <= seat_of(token) {
            seats.push(Seat { token: usize::MAX, conn: None });
        }
        seats[seat_of(token)] = Seat { token, conn: Some(conn) };
    }
    /// None: it is not idle, or gone.
    pub fn take(&self, token: usize) -> Option<Box<dyn Connection>> {
        self.inner.lock().take(token)
    }
    /// Something of an idle connection.
    pub fn look<T>(&self, token: usize, f: impl FnOnce(&dyn Connection) -> T) -> Option<T> {
        let inner = self.inner.lock();
        let seat = inner.seats.get(seat_of(token)).filter(|s| s.token == token)?;
        seat.conn.as_deref().map(f)
    }
    /// The oldest event that waits, with its connection if that is idle.
    pub fn next(&self) -> Option<(Event, Option<Box<dyn Connection>>)> {
        let mut inner = self.inner.lock();
        let e = inner.events.pop_front()?;
        self.waiting.store(inner.events.len(), Ordering::Relaxed);
        let conn = inner.take(e.token);
        Some((e, conn))
    }
    /// Waits for events. They are on the desk when it returns.
    pub fn wait(&self, timeout: Option<Duration>) -> io::Result<()> {
        let mut inner = None;
        let r = self.epoll.wait(timeout, |e| {
            if e.token != POKE {
                inner.get_or_insert_with(|| self.inner.lock()).events.push_back(e);
            }
        });
        if let Some(inner) = inner {
            self.waiting.store(inner.events.len(), Ordering::Relaxed);
        }
        r
    }
    /// Tokens of connections that have left since it was asked last, and those that have come back.
    pub fn left_and_back(&self) -> (Vec<usize>, Vec<Back>) {
        let mut inner = self.inner.lock();
        (std::mem::take(&mut inner.left), std::mem::take(&mut inner.back))
    }
    /// For a thread that a statement stayed with: it has ended.
    pub fn give_back(&self, back: Back) {
        self.inner.lock().back.push(back);
        self.queue.notify();
    }

    /// For a peer: takes connections that have something to do, so many as `share` makes of the number of events that wait. `all`: also of events that the worker has not
    /// taken yet.
    pub fn raid(&self, all: bool, share: impl FnOnce(usize) -> usize, loot: &mut Vec<Box<dyn Connection>>) {
        let Some(mut inner) = self.inner.try_lock() else { return };
        let before = loot.len();
        let (mut poked, mut fetched) = (false, false);
        if all {
            let events = &mut inner.events;
            // An error is the worker's to find.
            let _ = self.epoll.wait(Some(Duration::ZERO), |e| {
                if e.token == POKE {
                    poked = true;
                } else {
                    fetched = true;
                    events.push_back(e);
                }
            });
        }
        let Inner { seats, events, left, .. } = &mut *inner;
        let mut share = share(events.len());
        events.retain(|e| {
            let Some(seat) = seats.get_mut(seat_of(e.token)).filter(|s| s.token == e.token) else { return true };
            if share == 0 || !seat.conn.as_ref().is_some_and(|c| !e.hangup && c.may_move() && c.link().is_quiet()) {
                return true;
            }
            share -= 1;
            if let Some(conn) = seat.conn.take() {
                left.push(e.token);
                loot.push(conn);
            }
            false
        });
        self.waiting.store(events.len(), Ordering::Relaxed);
        fetched &= !events.is_empty();
        drop(inner);
        for conn in &loot[before..] {
            // Fails only if it is not there.
            let _ = self.epoll.remove(conn.link().wire.lock().socket().as_fd());
        }
        if poked {
            self.queue.poke();
        }
        if fetched || loot.len() > before {
            self.queue.notify();
        }
    }
}

impl Inner {
    fn take(&mut self, token: usize) -> Option<Box<dyn Connection>> {
        self.seats.get_mut(seat_of(token)).filter(|s| s.token == token)?.conn.take()
    }
}
