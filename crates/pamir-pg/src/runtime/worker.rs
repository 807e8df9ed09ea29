//! One worker: an epoll loop over its connections.
//!
//! ```text
//! loop: mailbox (new sockets, woken sessions) -> run what is ready -> errand -> a moment's look -> epoll_wait(timeout: next deadline) -> a look at the peers -> readable sockets -> deadlines
//!       -> one slice of one long statement
//! ```
//! The errand is the log's turn, for a session that has the worker to itself ([`LONE`]); the look is `spin.rs`.
//! Short statements go before long ones: whoever has used up a slice waits at the end of `long`, of which one runs for a slice in each round, after all that has come or was
//! woken meanwhile. So what has just come waits for a slice at most, whatever else runs here.
//!
//! A connection's slot is in one of two states:
//! - *idle*: the connection sits at the [`Desk`], where a peer may take it over, no stack. Readable: fill the buffer, and if a message is complete start a coroutine.
//! - *running*: `task` holds the coroutine that owns the connection, suspended. It resumes when woken, when its deadline passes, or when the socket
//!   becomes ready for what it waits for. The peer's hangup meanwhile cancels it.
//!
//! Tokens carry the slot's generation, so an event, wake or timer of a connection that is gone meets nobody.
//!
//! Answers leave together: a connection that goes idle leaves its answer in its [`Wire`], and the worker sends up to [`OUTBOX`] of them with one call, at the
//! latest before it waits. Each answer wakes a client, and a client that runs on this processor pushes the worker off it on the way out of the system call: this way
//! once for all of them. None waits longer than [`OUTBOX_WAIT`] while others run.
//!
//! Timers: a slot has one deadline and at most a few entries in the heap; an entry that fires early for the slot's present deadline is
//! put back, so a statement that parks a thousand times under one timeout leaves one entry.
use super::coroutine::{Suspend, Task, at_rest, errand};
use super::desk::Desk;
use super::epoll::Event;
use super::peers::Peers;
use super::queue::SessionWaker;
use super::spin::Spin;
use super::watch::Watched;
use crate::conn::{Conn, End, Next};
use crate::io::Io;
use crate::server::{CANCEL_GRACE, Shared};
use crate::service::Service;
use crate::stats::Counters;
use crate::wire::{Fill, Interest as Wants, Wire};
use mio::net::TcpStream;
use pamir_storage::aio::write_many;
use pamir_txn::{Cancel, CancelReason};
use pamir_types::err;
use pamir_types::error::Severity;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;
use std::time::{Duration, Instant};

/// After so many statements of one session in a row the worker does the log's work for it, rather than wake the log thread: nobody else here is likely to ask for anything meanwhile.
const LONE: u32 = 16;
/// Answers sent with one call at most.
const OUTBOX: usize = pamir_storage::aio::BATCH;
/// After this long the answers of finished statements leave though others are ready to run.
const OUTBOX_WAIT: Duration = Duration::from_micros(200);
/// Idle coroutines (with the stack pages they have touched) kept for the next statements.
const POOLED_STACKS: usize = 256;
/// A client that has not authenticated keeps its socket for so long, however many others come.
const NEWCOMER_GRACE: Duration = Duration::from_secs(1);
/// Timers kept beyond four for each connection before those that nobody needs are dropped.
const TIMERS_SPARE: usize = 1024;

struct Slot<S: Service> {
    generation: u32,
    /// Running.
    task: Option<Task<S>>,
    wire: Option<Arc<Mutex<Wire>>>,
    session_waker: Option<Arc<SessionWaker>>,
    waker: Waker,
    cancel: Option<Arc<Cancel>>,
    deadline: Option<Instant>,
    /// The earliest entry of the heap for this slot.
    armed: Option<Instant>,
}

pub struct Worker<S: Service> {
    desk: Arc<Desk<S>>,
    peers: Peers<S>,
    /// Connections taken over from peers.
    loot: Vec<Box<Conn<S>>>,
    service: Arc<S>,
    shared: Arc<Shared>,
    counters: Arc<Counters>,
    watched: Arc<Watched>,
    slots: Vec<Slot<S>>,
    free: Vec<u32>,
    live: usize,
    /// The slot that ran last, and how many statements in a row were its.
    last: usize,
    streak: u32,
    spin: Spin,
    ready: VecDeque<usize>,
    /// Statements that have used up a slice.
    long: VecDeque<usize>,
    pool: Vec<Task<S>>,
    /// Connections with an answer to send, and since when the first of them waits.
    outbox: Vec<Arc<Mutex<Wire>>>,
    outbox_since: Instant,
    timers: BinaryHeap<Reverse<(Instant, usize)>>,
    /// Sockets in the order in which they came; those that have authenticated since are dropped from it now and then.
    newcomers: VecDeque<usize>,
    /// Set by a shutdown: when what still runs is cancelled, and when it is given up.
    draining: Option<(Instant, Instant)>,
    cancelled: bool,
}

fn token_of(index: usize, generation: u32) -> usize {
    (generation as usize) << 32 | index
}

impl<S: Service> Worker<S> {
    /// `desks`: all workers', this one's is the one at `own`.
    pub fn new(
        desks: &[Arc<Desk<S>>],
        own: usize,
        service: Arc<S>,
        shared: Arc<Shared>,
        counters: Arc<Counters>,
        watched: Arc<Watched>,
    ) -> Worker<S> {
        Worker {
            desk: desks[own].clone(),
            peers: Peers::new(desks, own, shared.config().pace),
            loot: Vec::new(),
            service,
            shared,
            counters,
            watched,
            slots: Vec::new(),
            free: Vec::new(),
            live: 0,
            last: usize::MAX,
            streak: 0,
            spin: Spin::default(),
            ready: VecDeque::new(),
            long: VecDeque::new(),
            pool: Vec::new(),
            outbox: Vec::with_capacity(OUTBOX),
            outbox_since: Instant::now(),
            timers: BinaryHeap::new(),
            newcomers: VecDeque::new(),
            draining: None,
            cancelled: false,
        }
    }

    pub fn run(mut self) {
        pamir_types::work::set_listener(pamir_storage::task::listen);
        self.watched.here();
        let (mut woken, mut sockets) = (Vec::new(), Vec::new());
        let mut ran_errand = false;
        loop {
            // A peer may have left events on the desk: no waiting before they have been looked at.
            let notified = self.desk.queue.take(&mut woken, &mut sockets);
            self.farewell();
            self.ready.extend(woken.drain(..));
            for (socket, peer) in sockets.drain(..) {
                self.open(socket, peer);
            }
            if self.desk.queue.stopping() && self.drain() {
                break;
            }
            // What these make ready runs after the sockets have had their turn.
            for _ in 0..self.ready.len() {
                if let Some(token) = self.ready.pop_front() {
                    self.wake(token);
                }
            }
            self.send_outbox();
            // The last session of a shutdown may just have ended: nothing more would end the wait.
            let over = self.draining.is_some() && self.live == 0;
            let at_once = over || notified || !self.ready.is_empty() || !self.long.is_empty();
            let mut timeout = if at_once { Some(Duration::ZERO) } else { self.next_timeout() };
            if let Some(errand) = errand() {
                if timeout == Some(Duration::ZERO) || self.streak < LONE {
                    errand.hand_over();
                } else {
                    errand.run();
                    ran_errand = true;
                    // What waited for it is in the mailbox.
                    continue;
                }
            }
            // After an errand the client's processor sleeps too, and is better off with this one's.
            let waits = timeout != Some(Duration::ZERO) && !std::mem::take(&mut ran_errand);
            let (desk, spin) = (&self.desk, &mut self.spin);
            if waits && spin.look(|| desk.epoll.is_ready() || desk.queue.has_mail()) {
                timeout = Some(Duration::ZERO);
            }
            if timeout != Some(Duration::ZERO) && !self.desk.queue.sleep() {
                timeout = Some(Duration::ZERO);
            }
            self.counters.polls.add(1);
            let asleep = (timeout != Some(Duration::ZERO)).then(Instant::now);
            let polled = self.desk.wait(timeout);
            self.desk.queue.awake();
            if let Some(since) = asleep {
                self.spin.slept(since.elapsed());
            }
            if let Err(e) = polled {
                tracing::error!("epoll_wait failed: {e}");
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
            if self.draining.is_none() {
                self.peers.look(&mut self.loot);
                self.take_in();
            }
            while let Some((event, conn)) = self.desk.next() {
                self.event(event, conn);
                self.desk.go_on();
            }
            self.fire_timers();
            self.send_outbox();
            if let Some(token) = self.long.pop_front() {
                self.wake(token);
            }
        }
        for task in self.pool.drain(..) {
            task.retire();
        }
    }

    /// The slot a token means, if it is still that connection's.
    fn find(&self, token: usize) -> Option<usize> {
        let (index, generation) = (token & 0xffff_ffff, (token >> 32) as u32);
        let slot = self.slots.get(index)?;
        (slot.generation == generation && slot.wire.is_some()).then_some(index)
    }

    /// A free slot.
    fn slot(&mut self) -> usize {
        let index = self.free.pop().map_or(self.slots.len(), |i| i as usize);
        if index == self.slots.len() {
            self.slots.push(Slot {
                generation: 0,
                task: None,
                wire: None,
                session_waker: None,
                waker: Waker::noop().clone(),
                cancel: None,
                deadline: None,
                armed: None,
            });
        }
        index
    }

    fn open(&mut self, socket: TcpStream, peer: SocketAddr) {
        let wire = Arc::new(Mutex::new(Wire::new(socket, self.counters.clone())));
        let io = match Io::new(wire.clone(), self.service.memory()) {
            Ok(io) => io,
            Err(e) => {
                // Not even the base charge: say so without a session.
                if let Ok(mut io) = Io::new(wire.clone(), None) {
                    io.error(&e.severity(Severity::Fatal));
                    let _ = wire.lock().send(&mut io.out);
                }
                self.shared.sockets.fetch_sub(1, Ordering::Relaxed);
                return;
            }
        };
        let conn = Conn::new(self.service.clone(), self.shared.clone(), self.counters.clone(), io, peer);
        self.counters.accepted.add(1);
        let index = self.settle(Box::new(conn));
        self.newcomers.push_back(token_of(index, self.slots[index].generation));
        self.make_room();
    }

    /// Clients that connect and never authenticate lock nobody out: beyond the limit the oldest of them go, after [`NEWCOMER_GRACE`], or at once where sockets are
    /// running out. Looks at them all once for each so many that came.
    fn make_room(&mut self) {
        let config = self.shared.config();
        let limit = (config.max_newcomers.min(config.max_sockets / 2) / config.workers.max(1)).max(1);
        if self.newcomers.len() < 2 * limit {
            return;
        }
        let desk = &self.desk;
        // One that is running is left where it is.
        self.newcomers.retain(|t| desk.look(*t, |c| c.newcomer_since().is_some()).unwrap_or(false));
        let scarce = self.shared.sockets.load(Ordering::Relaxed) >= config.max_sockets / 4 * 3;
        let now = Instant::now();
        while self.newcomers.len() > limit
            && let Some(token) = self.newcomers.pop_front()
        {
            let since = self.desk.look(token, |c| c.newcomer_since()).flatten();
            let Some(since) = since else { continue };
            if !scarce && now.saturating_duration_since(since) < NEWCOMER_GRACE {
                self.newcomers.push_front(token);
                return;
            }
            if let Some(index) = self.find(token)
                && let Some(conn) = self.desk.take(token)
            {
                self.counters.evicted.add(1);
                self.end(index, conn, End::Silent);
            }
        }
    }

    /// A connection's new place. Its socket is not watched yet; what is ready there will be reported.
    fn settle(&mut self, conn: Box<Conn<S>>) -> usize {
        let index = self.slot();
        let slot = &mut self.slots[index];
        let token = token_of(index, slot.generation);
        let session_waker = SessionWaker::new(token, self.desk.queue.clone());
        let wire = conn.io.wire.clone();
        slot.waker = Waker::from(session_waker.clone());
        slot.session_waker = Some(session_waker);
        slot.wire = Some(wire.clone());
        self.live += 1;
        self.counters.connections.add(1);
        self.idle(index, conn);
        let watched = self.desk.epoll.add(wire.lock().socket().as_fd(), token);
        // Not while the wire is locked: ending the connection sends.
        if let Err(e) = watched {
            tracing::warn!("could not watch a socket: {e}");
            if let Some(conn) = self.desk.take(token) {
                self.end(index, conn, End::Silent);
            }
        }
        index
    }

    /// Frees the slots of connections that peers have taken over.
    fn farewell(&mut self) {
        let left = self.desk.left();
        if !left.is_empty() {
            self.peers.raided();
        }
        for token in left {
            if let Some(index) = self.find(token) {
                self.free(index);
            }
        }
    }

    /// Takes in what peers have left waiting.
    fn take_in(&mut self) {
        while let Some(mut conn) = self.loot.pop() {
            self.counters.moves.add(1);
            conn.moved(self.counters.clone());
            self.settle(conn);
        }
    }

    fn free(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.generation = (slot.generation + 1) & 0x7fff_ffff;
        (slot.task, slot.wire, slot.session_waker, slot.cancel) = (None, None, None, None);
        slot.waker = Waker::noop().clone();
        (slot.deadline, slot.armed) = (None, None);
        self.free.push(index as u32);
        self.live -= 1;
        self.counters.connections.sub(1);
    }

    /// To be called when the connection of `wire` has gone idle.
    fn post(&mut self, wire: Arc<Mutex<Wire>>) {
        if self.outbox.is_empty() {
            self.outbox_since = Instant::now();
            self.outbox.push(wire);
            return;
        }
        self.outbox.push(wire);
        if self.outbox.len() >= OUTBOX || self.outbox_since.elapsed() >= OUTBOX_WAIT {
            self.send_outbox();
        }
    }
    fn send_outbox(&mut self) {
        // What was put off is put off no longer than an answer.
        at_rest();
        if self.outbox.len() > 1 {
            let sent = {
                let wires: SmallVec<[_; OUTBOX]> = self.outbox.iter().map(|w| w.lock()).collect();
                let writes: SmallVec<[_; OUTBOX]> = wires.iter().map(|w| w.unsent_to()).collect();
                write_many(&writes)
            };
            if let Some(sent) = sent {
                self.counters.writes.add(1);
                for (wire, r) in self.outbox.drain(..).zip(sent) {
                    let mut wire = wire.lock();
                    wire.posted = false;
                    wire.written(r);
                    wire.shrink();
                }
            }
        }
        for wire in self.outbox.drain(..) {
            let mut wire = wire.lock();
            wire.posted = false;
            let r = wire.resume_send();
            if let Err(e) = r {
                wire.written(Err(e));
            }
            wire.shrink();
        }
    }

    /// `conn`: the connection, if it is idle.
    fn event(&mut self, e: Event, conn: Option<Box<Conn<S>>>) {
        let Some(index) = self.find(e.token) else { return };
        let slot = &mut self.slots[index];
        let Some(wire) = &slot.wire else { return };
        if let Some(conn) = conn {
            let mut w = wire.lock();
            if e.writable && w.has_unsent() {
                // Left over from a TLS handshake; an error shows at the next read.
                let _ = w.resume_send();
            }
            if e.readable || e.hangup {
                w.more = true;
                w.hangup |= e.hangup;
                drop(w);
                self.read(index, conn);
            } else {
                drop(w);
                self.desk.put(e.token, conn);
            }
            return;
        }
        if slot.task.is_none() {
            // A peer has taken it over, and hears of what is ready from its own epoll.
            return;
        }
        let wants = {
            let mut w = wire.lock();
            w.more |= e.readable || e.hangup;
            w.hangup |= e.hangup;
            if w.interest == Wants::None && e.writable && w.has_unsent() {
                // Finished answers that a slow client had no room for. An error shows at the next flush.
                let _ = w.resume_send();
            }
            w.interest
        };
        match wants {
            Wants::Read if e.readable || e.hangup => self.resume(index),
            Wants::Write if e.writable || e.hangup => self.resume(index),
            _ if e.hangup => hung_up(slot.cancel.as_ref()),
            _ => {}
        }
    }

    /// A token of the ready queue: woken, yielded, or with more to read.
    fn wake(&mut self, token: usize) {
        let Some(index) = self.find(token) else { return };
        let slot = &mut self.slots[index];
        if let Some(w) = &slot.session_waker {
            w.running();
        }
        if slot.task.is_some() {
            return self.resume(index);
        }
        let Some(conn) = self.desk.take(token) else { return };
        // First, so that a termination between the two wakes it again.
        if let Some(c) = conn.cancel_handle() {
            c.register(&slot.waker);
        }
        if let Some(e) = conn.terminated() {
            return self.end(index, conn, End::Fatal(e));
        }
        if slot.wire.as_ref().is_some_and(|w| w.lock().more) {
            self.read(index, conn);
        } else {
            self.desk.put(token, conn);
        }
    }

    /// Fills an idle connection's input; runs it when there is something to run.
    fn read(&mut self, index: usize, mut conn: Box<Conn<S>>) {
        let slot = &mut self.slots[index];
        match conn.fill() {
            Ok((_, true)) => self.start(index, conn),
            Ok((fill @ (Fill::Read | Fill::WouldBlock), false)) => {
                let token = token_of(index, slot.generation);
                // A message in many pieces: others go first.
                if fill == Fill::Read && slot.wire.as_ref().is_some_and(|w| w.lock().more) {
                    self.ready.push_back(token);
                }
                self.desk.put(token, conn);
            }
            Ok((Fill::Eof, false)) => self.end(index, conn, End::Eof),
            Err(e) => self.end(index, conn, End::Fatal(e)),
        }
    }

    fn end(&mut self, index: usize, mut conn: Box<Conn<S>>, end: End) {
        conn.end = Some(end);
        self.start(index, conn);
    }

    fn start(&mut self, index: usize, mut conn: Box<Conn<S>>) {
        let mut task = match self.pool.pop() {
            Some(task) => task,
            None => match Task::new() {
                Ok(task) => {
                    self.counters.stacks.add(1);
                    task
                }
                Err(e) => {
                    tracing::error!("could not allocate a stack: {e}");
                    conn.io.error(&err!(OUT_OF_MEMORY, "out of memory").severity(Severity::Fatal));
                    let _ = conn.io.wire.lock().send(&mut conn.io.out);
                    return self.free(index);
                }
            },
        };
        self.streak = if self.last == index { self.streak.saturating_add(1) } else { 0 };
        self.last = index;
        let slot = &mut self.slots[index];
        slot.deadline = None;
        self.watched.begin(conn.pid());
        let why = task.start(conn, slot.waker.clone());
        self.watched.end();
        self.suspended(index, task, why);
    }

    fn resume(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(mut task) = slot.task.take() else { return };
        slot.deadline = None;
        self.watched.begin(task.pid());
        let why = task.resume();
        self.watched.end();
        self.suspended(index, task, why);
    }

    fn suspended(&mut self, index: usize, task: Task<S>, why: Suspend<S>) {
        match why {
            Suspend::Parked(deadline) => {
                self.counters.parks.add(1);
                let slot = &mut self.slots[index];
                slot.task = Some(task);
                if let Some(wire) = &slot.wire
                    && let Some(mut wire) = wire.try_lock()
                    && wire.interest == Wants::None
                {
                    if wire.has_unsent() {
                        // Finished answers do not wait for the next one. A full socket or an error shows at the next flush.
                        let _ = wire.resume_send();
                    }
                    if wire.hangup {
                        hung_up(slot.cancel.as_ref());
                    }
                }
                self.arm(index, deadline);
            }
            Suspend::Yielded => {
                // It has run for a while, and will again.
                at_rest();
                let slot = &mut self.slots[index];
                slot.task = Some(task);
                self.long.push_back(token_of(index, slot.generation));
            }
            Suspend::Done(conn, next) => {
                if self.pool.len() < POOLED_STACKS {
                    self.pool.push(task);
                } else {
                    task.retire();
                    self.counters.stacks.sub(1);
                }
                match next {
                    Next::Close => {
                        drop(conn);
                        self.free(index);
                    }
                    Next::Idle => self.idle(index, conn),
                }
            }
        }
    }

    fn idle(&mut self, index: usize, conn: Box<Conn<S>>) {
        let slot = &mut self.slots[index];
        let deadline = conn.idle_deadline();
        let mut terminated = None;
        if let Some(c) = conn.cancel_handle() {
            if slot.cancel.is_none() {
                slot.cancel = Some(c.clone());
            }
            // A termination must reach it here too.
            c.register(&slot.waker);
            terminated = conn.terminated();
        }
        if let Some(e) = terminated {
            return self.end(index, conn, End::Fatal(e));
        }
        if self.draining.is_some() {
            return self.end(index, conn, End::Fatal(shutdown()));
        }
        let token = token_of(index, slot.generation);
        let mut answer = None;
        if let Some(wire) = &slot.wire {
            let mut w = wire.lock();
            if w.more {
                self.ready.push_back(token);
            }
            if w.unsent() > 0 && !w.posted {
                w.posted = true;
                answer = Some(wire.clone());
            }
        }
        self.desk.put(token, conn);
        self.arm(index, deadline);
        if let Some(wire) = answer {
            self.post(wire);
        }
    }

    fn arm(&mut self, index: usize, deadline: Option<Instant>) {
        let slot = &mut self.slots[index];
        slot.deadline = deadline;
        if let Some(d) = deadline
            && slot.armed.is_none_or(|a| d < a)
        {
            slot.armed = deadline;
            self.timers.push(Reverse((d, token_of(index, slot.generation))));
            if self.timers.len() > TIMERS_SPARE + 4 * self.live {
                self.forget_timers();
            }
        }
    }
    /// Drops the timers of connections that ended or left and those that an earlier one has taken the place of.
    #[cold]
    fn forget_timers(&mut self) {
        let mut timers = std::mem::take(&mut self.timers);
        timers.retain(|Reverse((t, token))| self.find(*token).is_some_and(|i| self.slots[i].armed == Some(*t)));
        self.timers = timers;
    }

    fn next_timeout(&self) -> Option<Duration> {
        let timer = self.timers.peek().map(|Reverse((t, _))| *t);
        let drain = self.draining.map(|(cancel, give_up)| if self.cancelled { give_up } else { cancel });
        let next = match (timer, drain) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        next.map(|t| t.saturating_duration_since(Instant::now()))
    }

    fn fire_timers(&mut self) {
        if self.timers.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(&Reverse((t, token))) = self.timers.peek() {
            if t > now {
                break;
            }
            self.timers.pop();
            let Some(index) = self.find(token) else { continue };
            let slot = &mut self.slots[index];
            if slot.armed == Some(t) {
                slot.armed = None;
            }
            match slot.deadline {
                Some(d) if d <= now => {
                    slot.deadline = None;
                    if slot.task.is_some() {
                        self.resume(index);
                    } else if let Some(conn) = self.desk.take(token) {
                        let why = conn.timed_out();
                        self.end(index, conn, why);
                    }
                }
                Some(d) => self.arm(index, Some(d)),
                None => {}
            }
        }
    }

    /// One step of a shutdown; true when the worker may end.
    fn drain(&mut self) -> bool {
        let now = Instant::now();
        let (cancel_at, give_up_at) = *self.draining.get_or_insert_with(|| {
            let cancel_at = now + self.shared.config().shutdown_grace;
            (cancel_at, cancel_at + CANCEL_GRACE)
        });
        let cancel_all = now >= cancel_at;
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            if let Some(conn) = self.desk.take(token_of(index, slot.generation)) {
                self.end(index, conn, End::Fatal(shutdown()));
            } else if slot.task.is_some() {
                // What waits for its client (COPY, a full socket) is not in flight: the client may never come.
                let waits_for_client =
                    slot.wire.as_ref().is_some_and(|w| w.try_lock().is_some_and(|w| w.interest != Wants::None));
                if (waits_for_client || (cancel_all && !self.cancelled))
                    && let Some(c) = &slot.cancel
                {
                    c.request(CancelReason::Shutdown);
                }
            }
        }
        self.cancelled |= cancel_all;
        if self.live > 0 && now >= give_up_at {
            tracing::error!("{} statements did not end; leaving them", self.live);
            return true;
        }
        self.live == 0
    }
}

/// The peer left while its statement waits: nobody is there to hear the answer. Asked once a statement, since what must not be
/// interrupted (a commit) may park again.
fn hung_up(cancel: Option<&Arc<Cancel>>) {
    if let Some(c) = cancel.filter(|c| !c.pending()) {
        c.request(CancelReason::Terminate);
    }
}

fn shutdown() -> pamir_types::Error {
    err!(ADMIN_SHUTDOWN, "terminating connection due to administrator command").severity(Severity::Fatal)
}
