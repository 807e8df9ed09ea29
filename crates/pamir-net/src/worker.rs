//! One worker: an epoll loop over its connections, on a thread of `host.rs`.
//!
//! ```text
//! loop: mailbox (new sockets, woken sessions) -> run what is ready -> errand -> a moment's look -> epoll_wait(timeout: next deadline) -> a look at the peers -> readable sockets -> deadlines
//!       -> one slice of one long statement
//! ```
//! The errand is the log's turn, for a session that has the worker to itself ([`LONE`]); the look is `spin.rs`. The loop runs nothing itself: [`Worker::next`] says what is to run, its thread
//! runs that and says what became of it, and meanwhile the worker may go to another thread.
//!
//! Short statements go before long ones: whoever has used up a slice waits at the end of `long`, of which one runs for a slice in each round, after all that has come or was
//! woken meanwhile. So what has just come waits for a slice at most. When a statement has used up [`LONG`] of them and others have come meanwhile, the worker leaves its thread to it
//! and goes on on a spare one, so that these wait no more; alone, long statements stay where they are.
//!
//! A connection's slot is in one of two states (that of a job without a client is running, and never becomes idle):
//! - *idle*: the connection sits at the [`Desk`], where a peer may take it over, no stack. Readable: fill the buffer, and if a message is complete start a coroutine.
//! - *running*: `host` is the thread with the coroutine that owns the connection. It resumes when woken, when its deadline passes, or when the socket
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
use crate::connection::{Application, Connection, End, Luggage, Need, Protocol};
use crate::coroutine::{Job, at_rest, errand};
use crate::crew::Crew;
use crate::desk::Desk;
use crate::epoll::Event;
use crate::host::{Host, Papers};
use crate::link::Link;
use crate::peers::Peers;
use crate::queue::{Newcomer, SessionWaker};
use crate::runtime::{CANCEL_GRACE, Counted, Shared};
use crate::spin::Spin;
use crate::stats::count;
use crate::wire::{Fill, Interest as Wants, Wire};
use mio::net::TcpStream;
use pamir_error::err;
use pamir_error::error::Severity;
use pamir_storage::aio::write_many;
use pamir_storage::task::Errand;
use pamir_txn::{Cancel, CancelReason};
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
/// A statement that has used up so many slices, and another one that comes after that: the second goes on on another thread, with all others.
const LONG: u32 = 4;
/// Answers sent with one call at most.
const OUTBOX: usize = pamir_storage::aio::BATCH;
/// After this long the answers of finished statements leave though others are ready to run.
const OUTBOX_WAIT: Duration = Duration::from_micros(200);
/// A client that has not authenticated keeps its socket for so long, however many others come.
const NEWCOMER_GRACE: Duration = Duration::from_secs(1);
/// Timers kept beyond four for each connection before those that nobody needs are dropped.
const TIMERS_SPARE: usize = 1024;

struct Slot {
    generation: u32,
    /// The thread that its coroutine is on; 0: it is idle.
    host: u32,
    /// It let others go first, and goes on by itself.
    yielded: bool,
    /// Used up by its statement.
    slices: u32,
    /// None: a job without a client.
    wire: Option<Arc<Mutex<Wire>>>,
    /// None: the slot is free.
    session_waker: Option<Arc<SessionWaker>>,
    waker: Waker,
    cancel: Option<Arc<Cancel>>,
    deadline: Option<Instant>,
    /// The earliest entry of the heap for this slot.
    armed: Option<Instant>,
}

/// What is to run now.
pub enum Due {
    Start(usize, Job),
    Resume(usize),
}
/// What the worker's thread is to do.
pub enum Step {
    Run(Due),
    Errand(Arc<dyn Errand>),
    /// One statement here runs long, and others have come: they belong on another thread.
    Leave,
    Over,
}
/// Where the loop is.
enum Phase {
    Mail,
    /// So many of those that are ready have their turn before anything else is looked at.
    Ready(usize),
    Wait,
    Events,
    Timers,
    Long,
}

/// A thread that statements of this worker stayed with: so many.
struct Away {
    host: Arc<Host>,
    left: usize,
}

pub struct Worker {
    desk: Arc<Desk>,
    peers: Peers,
    /// Connections taken over from peers.
    loot: Vec<Box<dyn Connection>>,
    application: Arc<dyn Application>,
    shared: Arc<Shared>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    live: usize,
    /// The thread that has the worker, and those that had it and still run statements of it.
    me: u32,
    away: Vec<Away>,
    /// What its sessions share, on the way from one thread to another.
    pub luggage: Option<Luggage>,
    phase: Phase,
    due: VecDeque<Due>,
    woken: Vec<usize>,
    arrivals: Vec<Newcomer>,
    notified: bool,
    ran_errand: bool,
    /// Short statements have run since a long one had its turn.
    others: bool,
    /// The slot that ran last, and how many statements in a row were its.
    last: usize,
    streak: u32,
    spin: Spin,
    ready: VecDeque<usize>,
    /// Statements that have used up a slice.
    long: VecDeque<usize>,
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

impl Worker {
    /// `desks`: all workers', this one's is the one at `own`.
    pub fn new(desks: &[Arc<Desk>], own: usize, crew: &Crew) -> Worker {
        Worker {
            desk: desks[own].clone(),
            peers: Peers::new(desks, own, crew.shared.config().pace),
            loot: Vec::new(),
            application: crew.application.clone(),
            shared: crew.shared.clone(),
            slots: Vec::new(),
            free: Vec::new(),
            live: 0,
            me: 0,
            away: Vec::new(),
            luggage: None,
            phase: Phase::Mail,
            due: VecDeque::new(),
            woken: Vec::new(),
            arrivals: Vec::new(),
            notified: false,
            ran_errand: false,
            others: false,
            last: usize::MAX,
            streak: 0,
            spin: Spin::default(),
            ready: VecDeque::new(),
            long: VecDeque::new(),
            outbox: Vec::with_capacity(OUTBOX),
            outbox_since: Instant::now(),
            timers: BinaryHeap::new(),
            newcomers: VecDeque::new(),
            draining: None,
            cancelled: false,
        }
    }
    pub fn desk(&self) -> Arc<Desk> {
        self.desk.clone()
    }

    /// The loop, up to where something is to run. What became of that is told before the next call: [`Worker::parked`], [`Worker::yielded`], [`Worker::done`].
    pub fn next(&mut self, crew: &Crew) -> Step {
        loop {
            if let Some(due) = self.due.pop_front() {
                return Step::Run(due);
            }
            match self.phase {
                Phase::Mail => {
                    self.mail();
                    if self.desk.queue.stopping() && self.drain() && self.due.is_empty() {
                        return Step::Over;
                    }
                    // What these make ready runs after the sockets have had their turn.
                    self.phase = Phase::Ready(self.ready.len());
                }
                Phase::Ready(0) => {
                    self.send_outbox();
                    self.phase = Phase::Wait;
                }
                Phase::Ready(n) => {
                    self.phase = Phase::Ready(n - 1);
                    if let Some(token) = self.ready.pop_front() {
                        self.wake(token);
                    }
                }
                Phase::Wait => {
                    if let Some(errand) = self.wait(crew.any_away()) {
                        return Step::Errand(errand);
                    }
                }
                Phase::Events => match self.desk.next() {
                    Some((event, conn)) => {
                        self.event(event, conn);
                        self.desk.go_on();
                    }
                    None => self.phase = Phase::Timers,
                },
                Phase::Timers => {
                    self.fire_timers();
                    self.phase = Phase::Long;
                }
                Phase::Long => {
                    self.send_outbox();
                    self.phase = Phase::Mail;
                    let first = self.long.front().and_then(|t| self.find(*t));
                    if std::mem::take(&mut self.others) && first.is_some_and(|i| self.slots[i].slices >= LONG) {
                        return Step::Leave;
                    }
                    self.stay();
                }
            }
        }
    }
    /// The next long statement has its slice.
    pub fn stay(&mut self) {
        if let Some(index) = self.long.pop_front().and_then(|t| self.find(t)) {
            self.slots[index].yielded = false;
            self.resume(index);
        }
    }

    /// Looks into the mailbox.
    fn mail(&mut self) {
        let (mut woken, mut arrivals) = (std::mem::take(&mut self.woken), std::mem::take(&mut self.arrivals));
        // A peer may have left events on the desk: no waiting before they have been looked at.
        self.notified = self.desk.queue.take(&mut woken, &mut arrivals);
        self.farewell();
        self.ready.extend(woken.drain(..));
        for newcomer in arrivals.drain(..) {
            match newcomer {
                Newcomer::Client { socket, peer, protocol, counted } => self.open(socket, peer, &*protocol, counted),
                Newcomer::Work { job, cancel } => self.take_on(Job::Work(job, cancel.clone()), cancel),
            }
        }
        (self.woken, self.arrivals) = (woken, arrivals);
    }

    /// Waits for events, if there is nothing else to do. `busy`: other threads are at work on long statements, and a look before the wait would hand the processor to them.
    fn wait(&mut self, busy: bool) -> Option<Arc<dyn Errand>> {
        // The last session of a shutdown may just have ended: nothing more would end the wait.
        let over = self.draining.is_some() && self.live == 0;
        let at_once = over || self.notified || !self.ready.is_empty() || !self.long.is_empty();
        let mut timeout = if at_once { Some(Duration::ZERO) } else { self.next_timeout() };
        if let Some(errand) = errand() {
            if timeout == Some(Duration::ZERO) || self.streak < LONE {
                errand.hand_over();
            } else {
                self.ran_errand = true;
                // What waits for it will be in the mailbox.
                self.phase = Phase::Mail;
                return Some(errand);
            }
        }
        // After an errand the client's processor sleeps too, and is better off with this one's.
        let waits = timeout != Some(Duration::ZERO) && !std::mem::take(&mut self.ran_errand);
        let (desk, spin) = (&self.desk, &mut self.spin);
        if waits && !busy && spin.look(|| desk.epoll.is_ready() || desk.queue.has_mail()) {
            timeout = Some(Duration::ZERO);
        }
        if timeout != Some(Duration::ZERO) && !self.desk.queue.sleep() {
            timeout = Some(Duration::ZERO);
        }
        count(|c| c.polls.add(1));
        let asleep = (timeout != Some(Duration::ZERO)).then(Instant::now);
        let polled = self.desk.wait(timeout);
        self.desk.queue.awake();
        if let Some(since) = asleep {
            self.spin.slept(since.elapsed());
        }
        self.phase = Phase::Events;
        if let Err(e) = polled {
            tracing::error!("epoll_wait failed: {e}");
            std::thread::sleep(Duration::from_millis(10));
            self.phase = Phase::Mail;
            return None;
        }
        if self.draining.is_none() {
            self.peers.look(&mut self.loot);
            self.take_in();
        }
        None
    }

    /// Another thread has the worker from now on.
    pub fn come(&mut self, host: u32) {
        self.me = host;
    }
    /// The worker goes to another thread; what was begun on this one stays.
    pub fn leave(&mut self, host: &Arc<Host>) {
        let me = std::mem::take(&mut self.me);
        self.away.retain(|a| a.host.id != me && a.left > 0);
        let mine = self.slots.iter().enumerate().filter(|(_, s)| s.host == me);
        let papers: Vec<Papers> = mine
            .map(|(i, s)| Papers { token: token_of(i, s.generation), wire: s.wire.clone(), cancel: s.cancel.clone() })
            .collect();
        for p in &papers {
            self.slots[p.token & 0xffff_ffff].yielded = false;
        }
        self.away.push(Away { host: host.clone(), left: papers.len() });
        host.stay(papers.into_iter(), self.long.drain(..));
    }

    /// The slot a token means, if it is still that connection's.
    fn find(&self, token: usize) -> Option<usize> {
        let (index, generation) = (token & 0xffff_ffff, (token >> 32) as u32);
        let slot = self.slots.get(index)?;
        (slot.generation == generation && slot.session_waker.is_some()).then_some(index)
    }

    /// A free slot.
    fn slot(&mut self) -> usize {
        let index = self.free.pop().map_or(self.slots.len(), |i| i as usize);
        if index == self.slots.len() {
            self.slots.push(Slot {
                generation: 0,
                host: 0,
                yielded: false,
                slices: 0,
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

    fn open(&mut self, socket: TcpStream, peer: SocketAddr, protocol: &dyn Protocol, counted: Counted) {
        let wire = Arc::new(Mutex::new(Wire::new(socket)));
        let link = match Link::new(wire.clone(), self.application.memory()) {
            Ok(link) => link.counted(counted),
            Err(e) => {
                // Not even the base charge: say so without a session.
                let _ = wire.lock().send(&mut protocol.refusal(&e.severity(Severity::Fatal)));
                return;
            }
        };
        let conn = protocol.open(link, peer);
        count(|c| c.accepted.add(1));
        let index = self.settle(conn);
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
                count(|c| c.evicted.add(1));
                self.end(index, conn, End::Silent);
            }
        }
    }

    /// A slot that is taken, and its token.
    fn seat(&mut self) -> (usize, usize) {
        let index = self.slot();
        let slot = &mut self.slots[index];
        let token = token_of(index, slot.generation);
        let session_waker = SessionWaker::new(token, self.desk.queue.clone());
        slot.waker = Waker::from(session_waker.clone());
        slot.session_waker = Some(session_waker);
        self.live += 1;
        (index, token)
    }
    /// A job without a client.
    fn take_on(&mut self, job: Job, cancel: Arc<Cancel>) {
        if self.desk.queue.stopping() {
            return;
        }
        let (index, _) = self.seat();
        self.slots[index].cancel = Some(cancel);
        self.due.push_back(Due::Start(index, job));
    }
    /// A connection's new place. Its socket is not watched yet; what is ready there will be reported.
    fn settle(&mut self, mut conn: Box<dyn Connection>) -> usize {
        let (index, token) = self.seat();
        let wire = conn.link().wire.clone();
        self.slots[index].wire = Some(wire.clone());
        count(|c| c.connections.add(1));
        let watched = self.desk.epoll.add(wire.lock().socket().as_fd(), token);
        // Not while the wire is locked: ending the connection sends.
        if let Err(e) = watched {
            tracing::warn!("could not watch a socket: {e}");
            self.end(index, conn, End::Silent);
        } else if conn.need() == Need::Run {
            // The server speaks first.
            self.start(index, conn);
        } else {
            self.idle(index, conn);
        }
        index
    }

    /// Frees the slots of connections that peers have taken over; receives those whose statements ended elsewhere.
    fn farewell(&mut self) {
        let (left, back) = self.desk.left_and_back();
        if !left.is_empty() {
            self.peers.raided();
        }
        for token in left {
            if let Some(index) = self.find(token) {
                self.free(index);
            }
        }
        for (token, conn) in back {
            let Some(index) = self.find(token) else { continue };
            let host = self.slots[index].host;
            if let Some(a) = self.away.iter_mut().find(|a| a.host.id == host) {
                a.left = a.left.saturating_sub(1);
            }
            self.done(index, conn);
        }
    }

    /// Takes in what peers have left waiting.
    fn take_in(&mut self) {
        while let Some(conn) = self.loot.pop() {
            count(|c| c.moves.add(1));
            self.settle(conn);
        }
    }

    pub fn free(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.generation = (slot.generation + 1) & 0x7fff_ffff;
        let client = slot.wire.is_some();
        (slot.host, slot.yielded) = (0, false);
        (slot.wire, slot.session_waker, slot.cancel) = (None, None, None);
        slot.waker = Waker::noop().clone();
        (slot.deadline, slot.armed) = (None, None);
        self.free.push(index as u32);
        self.live -= 1;
        if client {
            count(|c| c.connections.sub(1));
        }
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
                count(|c| c.writes.add(1));
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
    fn event(&mut self, e: Event, conn: Option<Box<dyn Connection>>) {
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
        if slot.host == 0 {
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
        if slot.host != 0 {
            return self.resume(index);
        }
        let Some(mut conn) = self.desk.take(token) else { return };
        // First, so that a termination between the two wakes it again.
        if let Some(c) = &conn.link().cancel {
            c.register(&slot.waker);
        }
        if let Some(e) = conn.link().terminated() {
            return self.end(index, conn, End::Fatal(e));
        }
        if slot.wire.as_ref().is_some_and(|w| w.lock().more) || conn.need() == Need::Run {
            self.read(index, conn);
        } else {
            self.desk.put(token, conn);
        }
    }

    /// Fills an idle connection's input; runs it when there is something to run.
    fn read(&mut self, index: usize, mut conn: Box<dyn Connection>) {
        let slot = &mut self.slots[index];
        let hint = match conn.need() {
            Need::Bytes(n) => n,
            Need::Run => 0,
        };
        let filled = conn.link_mut().fill(hint);
        match filled.map(|fill| (fill, conn.need() == Need::Run)) {
            // The request to end it came first: what it sent after that is not answered.
            Ok((_, true)) => match conn.link().terminated() {
                Some(e) => self.end(index, conn, End::Fatal(e)),
                None => self.start(index, conn),
            },
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

    fn end(&mut self, index: usize, mut conn: Box<dyn Connection>, end: End) {
        conn.end(end);
        self.start(index, conn);
    }

    fn start(&mut self, index: usize, conn: Box<dyn Connection>) {
        self.due.push_back(Due::Start(index, Job::Serve(conn)));
    }
    /// A statement goes on, here or on the thread that it is on.
    fn resume(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.deadline = None;
        if slot.host == self.me {
            if !slot.yielded {
                self.due.push_back(Due::Resume(index));
            }
            return;
        }
        let token = token_of(index, slot.generation);
        if let Some(a) = self.away.iter().find(|a| a.host.id == slot.host) {
            a.host.order(token);
        }
    }

    /// To be called when an idle connection's coroutine begins: its token and its waker.
    pub fn begin(&mut self, index: usize) -> (usize, Waker) {
        self.streak = if self.last == index { self.streak.saturating_add(1) } else { 0 };
        self.last = index;
        self.others = true;
        let slot = &mut self.slots[index];
        (slot.host, slot.slices, slot.deadline) = (self.me, 0, None);
        (token_of(index, slot.generation), slot.waker.clone())
    }
    /// To be called when it goes on: its token, if it is on this thread.
    pub fn goes_on(&mut self, index: usize) -> Option<usize> {
        let slot = &self.slots[index];
        if slot.host != self.me {
            // The worker has changed threads since this was due.
            self.resume(index);
            return None;
        }
        self.others |= slot.slices < LONG;
        Some(token_of(index, slot.generation))
    }
    /// It waits.
    pub fn parked(&mut self, index: usize, deadline: Option<Instant>) {
        count(|c| c.parks.add(1));
        let slot = &mut self.slots[index];
        if let Some(wire) = &slot.wire
            && let Some(mut wire) = wire.try_lock()
        {
            look_at_client(&mut wire, slot.cancel.as_ref());
        }
        self.arm(index, deadline);
    }
    /// It has run for a while, and will again.
    pub fn yielded(&mut self, index: usize) {
        at_rest();
        let slot = &mut self.slots[index];
        (slot.yielded, slot.slices) = (true, slot.slices.saturating_add(1));
        self.long.push_back(token_of(index, slot.generation));
    }
    /// It has ended; None: and with it the connection.
    pub fn done(&mut self, index: usize, conn: Option<Box<dyn Connection>>) {
        let slot = &mut self.slots[index];
        (slot.host, slot.yielded) = (0, false);
        match conn {
            Some(conn) => self.idle(index, conn),
            None => self.free(index),
        }
    }

    fn idle(&mut self, index: usize, mut conn: Box<dyn Connection>) {
        let slot = &mut self.slots[index];
        let deadline = conn.idle_deadline();
        let mut terminated = None;
        if let Some(c) = &conn.link().cancel {
            if slot.cancel.is_none() {
                slot.cancel = Some(c.clone());
            }
            // A termination must reach it here too.
            c.register(&slot.waker);
            terminated = conn.link().terminated();
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
            // What there is to say by now had nobody to wake.
            let says = conn.need() == Need::Run;
            let mut w = wire.lock();
            if w.more || says {
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
                    if slot.host != 0 {
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
            } else if slot.host != 0 {
                // What waits for its client (COPY, a full socket) is not in flight: the client may never come.
                let waits_for_client =
                    slot.wire.as_ref().is_some_and(|w| w.try_lock().is_some_and(|w| w.interest != Wants::None));
                // Nobody waits for a job without a client.
                let work = slot.wire.is_none() && slot.cancel.as_ref().is_some_and(|c| !c.pending());
                if (waits_for_client || work || (cancel_all && !self.cancelled))
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

/// To be called when a statement waits for something else than its client: finished answers do not wait for the next one (a full socket or an error shows at the next flush), and nobody may
/// be there any more.
pub fn look_at_client(wire: &mut Wire, cancel: Option<&Arc<Cancel>>) {
    if wire.interest != Wants::None {
        return;
    }
    if wire.has_unsent() {
        let _ = wire.resume_send();
    }
    if wire.hangup {
        hung_up(cancel);
    }
}

/// The peer left while its statement waits: nobody is there to hear the answer. Asked once a statement, since what must not be
/// interrupted (a commit) may park again.
fn hung_up(cancel: Option<&Arc<Cancel>>) {
    if let Some(c) = cancel.filter(|c| !c.pending()) {
        c.request(CancelReason::Terminate);
    }
}

fn shutdown() -> pamir_error::Error {
    err!(ADMIN_SHUTDOWN, "terminating connection due to administrator command").severity(Severity::Fatal)
}
