//! A thread that runs sessions' coroutines: at the front of a worker, or away with a statement that takes long.
//!
//! ```text
//! front:  worker says what to run -> worker into the place -> the coroutine runs -> worker out of the place -> worker hears what became of it
//!                                                              |                       |
//!             one of the worker's statements runs long,        |                       +-- not there any more: somebody goes on with it, this thread is away
//!             and others have come: it goes to a spare thread  |
//! away:   what was begun here runs to its end, slice by slice; connections go back to the worker, wherever that is
//! ```
//! As the kernel's scheduler gives a processor at once to who has slept, the front of a worker is with its clients within microseconds, however many statements run long beside it
//! (`pamir_storage::sched`); within one thread they would wait for the end of a slice. A statement that is alone keeps its weight ([`Weight`]).
//!
//! A coroutine never changes threads: thread-locals that its code has looked at, and values that only one thread may count, are on its stack. So what had been begun on a thread that
//! is taken up stays there: beside a statement that runs long it has its turn after each slice, beside one that takes no breath it waits for it. Sockets, idle connections, newcomers and
//! timers go to the other thread.
//!
//! Wakes, timers and events of sessions that stayed come to the worker, which passes them on as orders ([`Host::order`]). An order for a statement that has ended meanwhile means nothing,
//! and one too many makes it look and wait again.
use crate::connection::Next;
use crate::coroutine::{Job, Suspend, Task, at_rest, errand};
use crate::crew::Crew;
use crate::desk::Desk;
use crate::place::Place;
use crate::stats::count;
use crate::watch::Watched;
use crate::wire::Wire;
use crate::worker::{Due, Step, Worker};
use pamir_error::err;
use pamir_error::error::Severity;
use pamir_storage::sched::{self, Runs};
use pamir_txn::Cancel;
use parking_lot::{Condvar, Mutex};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Idle coroutines (with the stack pages they have touched) kept for the next statements.
const POOLED_STACKS: usize = 256;
/// Between two looks at the deadlines of what waits, while something else runs.
const LOOK_AT_DEADLINES: Duration = Duration::from_millis(1);

/// Between two looks whether anybody wants the processor beside a long statement.
const LOOK_AT_OTHERS: Duration = Duration::from_millis(10);

/// What a thread that is away must know of a connection.
pub struct Papers {
    pub token: usize,
    /// None: it is a job without a client.
    pub wire: Option<Arc<Mutex<Wire>>>,
    pub cancel: Option<Arc<Cancel>>,
}

#[derive(Default)]
struct Orders {
    /// Tokens of statements to go on with.
    wake: Vec<usize>,
    papers: Vec<Papers>,
}

/// What others see of a thread.
pub struct Host {
    pub id: u32,
    /// In its name.
    pub number: u32,
    pub watched: Watched,
    /// The worker, while a coroutine runs.
    place: Place<Worker>,
    orders: Mutex<Orders>,
    bell: Condvar,
}

impl Host {
    pub fn new(id: u32, number: u32, watched: Watched) -> Host {
        Host { id, number, watched, place: Place::default(), orders: Mutex::default(), bell: Condvar::new() }
    }
    /// Has a statement that stayed here go on.
    pub fn order(&self, token: usize) {
        self.orders.lock().wake.push(token);
        self.bell.notify_one();
    }
    /// Tells it of connections whose statements stay here, and to go on with those in `wake`.
    pub fn stay(&self, papers: impl Iterator<Item = Papers>, wake: impl Iterator<Item = usize>) {
        {
            let mut orders = self.orders.lock();
            orders.papers.extend(papers);
            orders.wake.extend(wake);
        }
        self.bell.notify_one();
    }
    /// For the watcher: another thread goes on with the worker that lies here, if one does.
    pub fn retake(self: &Arc<Self>, crew: &Arc<Crew>) {
        if self.place.is_empty() {
            return;
        }
        let Ok(promise) = crew.reserve() else { return };
        let Some(mut worker) = self.place.take() else { return };
        worker.leave(self);
        crew.roster.retaken.fetch_add(1, Ordering::Relaxed);
        promise.keep(worker);
    }
}

/// The life of a thread.
pub fn serve(crew: Arc<Crew>, host: Arc<Host>) {
    pamir_error::work::set_listener(pamir_storage::task::listen);
    host.watched.here();
    sched::set(Runs::Short);
    let mut hand = Hand { crew, host, tasks: Vec::new(), pool: Vec::new() };
    let mut new = true;
    while let Some(worker) = hand.crew.next(std::mem::take(&mut new)) {
        let desk = worker.desk();
        if let Gone::Away(pending) = hand.front(worker) {
            hand.away(desk, pending);
            if !sched::set(Runs::Short) {
                // A thread that does not get its weight back is no worker's.
                break;
            }
        }
    }
    for task in hand.pool.drain(..) {
        task.retire();
        count(|c| c.stacks.sub(1));
    }
}

/// What became of a worker that was here.
enum Gone {
    /// It has ended.
    Over,
    /// Another thread goes on with it; if that happened while a coroutine ran, what became of this is still to be seen to.
    Away(Option<(usize, Task, Suspend)>),
}

/// A coroutine that is suspended.
struct Begun {
    token: usize,
    task: Task,
}

struct Hand {
    crew: Arc<Crew>,
    host: Arc<Host>,
    /// By slot.
    tasks: Vec<Option<Begun>>,
    pool: Vec<Task>,
}

fn slot_of(token: usize) -> usize {
    token & 0xffff_ffff
}

impl Hand {
    /// The worker's loop.
    fn front(&mut self, mut worker: Box<Worker>) -> Gone {
        let host = self.host.clone();
        *host.orders.lock() = Orders::default();
        worker.come(host.id);
        if let Some(luggage) = worker.luggage.take() {
            self.crew.application.unpack(luggage);
        }
        let mut beside_long = false;
        loop {
            if self.crew.any_away() != beside_long {
                beside_long = !beside_long;
                sched::set(if beside_long { Runs::ShortBesideLong } else { Runs::Short });
            }
            let (index, token, mut task, job) = match worker.next(&self.crew) {
                Step::Over => {
                    self.crew.over();
                    return Gone::Over;
                }
                Step::Leave => match self.crew.reserve() {
                    Ok(promise) => {
                        worker.leave(&host);
                        worker.luggage = Some(self.crew.application.pack());
                        self.crew.roster.relieved.fetch_add(1, Ordering::Relaxed);
                        promise.keep(worker);
                        return Gone::Away(None);
                    }
                    Err(_) => {
                        worker.stay();
                        continue;
                    }
                },
                Step::Errand(errand) => {
                    // It may take as long as a sync of the disk.
                    host.watched.begin_errand();
                    host.place.put(worker);
                    errand.run();
                    let back = host.place.take();
                    host.watched.end();
                    let Some(w) = back else { return Gone::Away(None) };
                    worker = w;
                    continue;
                }
                Step::Run(Due::Start(index, job)) => match self.task() {
                    Ok(task) => {
                        let (token, waker) = worker.begin(index);
                        (index, token, task, Some((job, waker)))
                    }
                    Err(e) => {
                        tracing::error!("could not allocate a stack: {e}");
                        if let Job::Serve(mut conn) = job {
                            conn.refuse(&err!(OUT_OF_MEMORY, "out of memory").severity(Severity::Fatal));
                            let link = conn.link_mut();
                            let _ = link.wire.lock().send(&mut link.out);
                        }
                        worker.free(index);
                        continue;
                    }
                },
                Step::Run(Due::Resume(index)) => {
                    let Some((token, task)) = worker.goes_on(index).and_then(|t| Some((t, self.take(t)?))) else {
                        continue;
                    };
                    (index, token, task, None)
                }
            };
            host.watched.begin(job.as_ref().map_or(task.pid(), |(job, _)| job.id()));
            host.place.put(worker);
            let why = match job {
                Some((job, waker)) => task.start(job, waker),
                None => task.resume(),
            };
            let back = host.place.take();
            host.watched.end();
            let Some(w) = back else { return Gone::Away(Some((token, task, why))) };
            worker = w;
            match why {
                Suspend::Parked(deadline) => {
                    self.put(token, task);
                    worker.parked(index, deadline);
                }
                Suspend::Yielded => {
                    self.put(token, task);
                    worker.yielded(index);
                }
                Suspend::Done(conn, next) => {
                    self.keep(task);
                    worker.done(index, conn.filter(|_| next == Next::Idle));
                }
            }
        }
    }

    /// A coroutine without a job.
    fn task(&mut self) -> io::Result<Task> {
        self.pool.pop().map_or_else(|| Task::new().inspect(|_| count(|c| c.stacks.add(1))), Ok)
    }
    fn keep(&mut self, task: Task) {
        if self.pool.len() < POOLED_STACKS {
            self.pool.push(task);
        } else {
            task.retire();
            count(|c| c.stacks.sub(1));
        }
    }
    fn put(&mut self, token: usize, task: Task) {
        let slot = slot_of(token);
        if self.tasks.len() <= slot {
            self.tasks.resize_with(slot + 1, || None);
        }
        self.tasks[slot] = Some(Begun { token, task });
    }
    fn take(&mut self, token: usize) -> Option<Task> {
        let place = self.tasks.get_mut(slot_of(token))?;
        place.take_if(|b| b.token == token).map(|b| b.task)
    }

    /// Brings what was begun here to its end.
    fn away(&mut self, desk: Arc<Desk>, pending: Option<(usize, Task, Suspend)>) {
        self.crew.roster.away.fetch_add(1, Ordering::Relaxed);
        let begun = self.tasks.drain(..).flatten();
        let staying =
            begun.map(|b| (b.token, Staying { task: b.task, deadline: None, papers: None, yielded: false })).collect();
        let weight = Weight { runs: Runs::Short, heard: self.crew.roster.heard(), looked: Instant::now() };
        let mut away = Away { hand: self, desk, staying, long: VecDeque::new(), weight };
        if let Some((token, task, why)) = pending {
            away.suspended(token, Staying { task, deadline: None, papers: None, yielded: false }, why);
        }
        away.run();
        self.crew.roster.away.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A coroutine on a thread that is away.
struct Staying {
    task: Task,
    deadline: Option<Instant>,
    papers: Option<Papers>,
    yielded: bool,
}

struct Away<'a> {
    hand: &'a mut Hand,
    /// Where connections go back to.
    desk: Arc<Desk>,
    staying: HashMap<usize, Staying>,
    /// Of them, those that only let others go first.
    long: VecDeque<usize>,
    weight: Weight,
}
/// A thread with a long statement goes after those of short ones while there are any. Otherwise it keeps its weight: beside other programs on the same
/// processors the nicer thread would have a third of their time.
struct Weight {
    runs: Runs,
    /// What clients had sent at the last look.
    heard: u64,
    looked: Instant,
}
impl Weight {
    /// What it is to run as from now on, if that is something else.
    fn look(&mut self, now: Instant, heard: u64) -> Option<Runs> {
        let runs = if heard == self.heard { Runs::Short } else { Runs::Long };
        let was = std::mem::replace(self, Weight { runs, heard, looked: now }).runs;
        (was != runs).then_some(runs)
    }
}

impl Away<'_> {
    fn run(&mut self) {
        let mut looked = Instant::now();
        self.rest();
        while !self.staying.is_empty() {
            for token in self.orders() {
                // One that runs anyway needs no order.
                if self.staying.get(&token).is_some_and(|s| !s.yielded) {
                    self.resume(token);
                }
            }
            let now = Instant::now();
            if self.long.is_empty() || now.duration_since(looked) >= LOOK_AT_DEADLINES {
                looked = now;
                let due: Vec<usize> = self.due_at(now).collect();
                due.into_iter().for_each(|t| self.resume(t));
                self.weigh(now);
            }
            if let Some(token) = self.long.pop_front() {
                self.resume(token);
            }
        }
    }
    /// Nicer beside clients that send something, and only then.
    fn weigh(&mut self, now: Instant) {
        if now.duration_since(self.weight.looked) >= LOOK_AT_OTHERS
            && let Some(runs) = self.weight.look(now, self.hand.crew.roster.heard())
        {
            sched::set(runs);
        }
    }
    fn due_at(&self, now: Instant) -> impl Iterator<Item = usize> {
        self.staying.iter().filter(move |(_, s)| s.deadline.is_some_and(|d| d <= now)).map(|(t, _)| *t)
    }

    /// Orders that have come; waits for one, or a deadline, if nothing else is to be done.
    fn orders(&mut self) -> Vec<usize> {
        let host = self.hand.host.clone();
        let mut orders = host.orders.lock();
        if self.long.is_empty() && orders.wake.is_empty() && orders.papers.is_empty() {
            match self.staying.values().filter_map(|s| s.deadline).min() {
                Some(d) => drop(host.bell.wait_until(&mut orders, d)),
                None => host.bell.wait(&mut orders),
            }
        }
        let Orders { wake, papers } = std::mem::take(&mut *orders);
        drop(orders);
        for p in papers {
            if let Some(s) = self.staying.get_mut(&p.token) {
                s.papers = Some(p);
                s.look_at_client();
            }
        }
        wake
    }

    fn resume(&mut self, token: usize) {
        let Some(mut s) = self.staying.remove(&token) else { return };
        (s.deadline, s.yielded) = (None, false);
        let host = &self.hand.host;
        host.watched.begin(s.task.pid());
        let why = s.task.resume();
        host.watched.end();
        self.suspended(token, s, why);
        self.rest();
    }
    /// What tasks have put off until their thread rests.
    fn rest(&self) {
        at_rest();
        if let Some(errand) = errand() {
            errand.hand_over();
        }
    }

    fn suspended(&mut self, token: usize, mut s: Staying, why: Suspend) {
        match why {
            Suspend::Parked(deadline) => {
                count(|c| c.parks.add(1));
                s.deadline = deadline;
                s.look_at_client();
                self.staying.insert(token, s);
            }
            Suspend::Yielded => {
                s.yielded = true;
                self.staying.insert(token, s);
                self.long.push_back(token);
            }
            Suspend::Done(conn, next) => {
                self.hand.keep(s.task);
                let conn = conn.filter(|_| next == Next::Idle);
                if let Some(conn) = &conn {
                    // The answer leaves from here: one hand-over less for who waits for it.
                    let mut wire = conn.link().wire.lock();
                    if let Err(e) = wire.resume_send() {
                        wire.written(Err(e));
                    }
                    wire.shrink();
                }
                self.desk.give_back((token, conn));
            }
        }
    }
}

impl Staying {
    /// As the worker does when a statement waits: finished answers do not wait for the next one, and nobody may be there any more.
    fn look_at_client(&self) {
        let Some(p) = self.papers.as_ref().filter(|_| !self.yielded) else { return };
        let Some(mut wire) = p.wire.as_ref().and_then(|w| w.try_lock()) else { return };
        crate::worker::look_at_client(&mut wire, p.cancel.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_statement_is_nicer_only_beside_others() {
        let now = Instant::now();
        let mut w = Weight { runs: Runs::Short, heard: 7, looked: now };
        assert_eq!(w.look(now, 7), None);
        assert_eq!(w.look(now, 9), Some(Runs::Long));
        assert_eq!(w.look(now, 12), None);
        assert_eq!(w.look(now, 12), Some(Runs::Short));
        assert_eq!(w.look(now, 12), None);
    }
}
