//! Sessions and machines of a node on one thread, in an order that a seed draws.
//!
//! ```text
//!            +-- tasks:    coroutines of sessions --park--> woken | deadline passed --+
//!   seed --> |                                                                        |--> the next turn, at random by weight
//!            +-- machines: log, applier, checkpoint --true/false--> not at rest ------+
//!                                      |  nobody has a turn to take
//!                                      v
//!                      time goes on to the next deadline; there is none: [`Stuck`]
//! ```
//! The coroutines are the runtime's ([`crate::coroutine`]), so a statement waits, yields, and breathes where it does on a worker; only when is the seed's affair: who goes next, how soon
//! the next breath is due, whether others go first then, which parked task is woken for nothing. Each task and machine has a weight of the seed's, so that in some runs the log lags
//! far behind the sessions, in others the applier behind the log, or one session behind all.
//!
//! Time stands still while a task runs, but for what [`Pace::turn`] lets pass, and goes to the next deadline when nobody has anything to do. It is the clock of [`pamir_storage::task::now`]
//! in the tasks and goes on in the [`Sim`] that the node asks for the time of day.
//!
//! *Invariants*: two simulations of one seed, the same tasks and the same machines take the same turns ([`Simulation::trace`]). A task whose job panics ends the simulation with that
//! panic.
//!
//! Limits: tasks are interrupted where code charges work, not between any two instructions. What threads keep for themselves is part of what a run depends on: runs to be compared
//! begin on a fresh thread each. A simulation that is dropped before its tasks have ended leaks their stacks and what is on them.
use crate::coroutine::{Job, Suspend, Task, at_rest};
use pamir_error::work;
use pamir_storage::platform::Sim;
use pamir_txn::Cancel;
use parking_lot::Mutex;
use std::any::Any;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

/// The largest weight of a task or a machine; the least is 1.
const MOST_WEIGHT: u64 = 8;
/// Work between two breaths, at most: in a short statement there are a few.
const MOST_WORK: u64 = 2_000;
/// How often a breath lets others go first, and a turn wakes a parked task for nothing: once in so many times.
const YIELD_ONE_IN: u64 = 4;
const WAKE_ONE_IN: u64 = 64;

/// What a simulation does beside what it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// The longest time that passes in a turn.
    pub turn: Duration,
    /// Statements breathe often, and tasks wake for nothing now and then; else each goes on until it waits.
    pub restless: bool,
}

/// The time of a simulation, and when its tasks breathe.
pub(crate) struct Clock {
    sim: Arc<Sim>,
    began: Instant,
    /// Since then, in nanoseconds.
    passed: AtomicU64,
    restless: bool,
}
impl Clock {
    pub fn now(&self) -> Instant {
        self.began.checked_add(self.passed()).unwrap_or(self.began)
    }
    fn passed(&self) -> Duration {
        Duration::from_nanos(self.passed.load(Ordering::Relaxed))
    }
    fn pass(&self, d: Duration) {
        self.passed.fetch_add(u64::try_from(d.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.sim.pass(i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
    }
    /// A task takes a breath. True: others go first.
    pub fn breath(&self) -> bool {
        self.restless && {
            self.next_breath();
            self.sim.below(YIELD_ONE_IN) == 0
        }
    }
    /// Draws when the next one is due.
    fn next_breath(&self) {
        work::due_after(if self.restless { self.sim.below(MOST_WORK) as u32 } else { work::BREATH });
    }
}

/// A task is woken.
struct Woken(AtomicBool);
impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

type Panic = Arc<Mutex<Option<Box<dyn Any + Send>>>>;

enum State {
    /// The job that is to start.
    New(Job),
    /// It has only let others go first.
    Ready,
    Parked(Option<Instant>),
}
struct SimTask {
    name: String,
    weight: u64,
    co: Task,
    state: State,
    woken: Arc<Woken>,
}
impl SimTask {
    fn may_run(&self, now: Instant) -> bool {
        match self.state {
            State::New(_) | State::Ready => true,
            State::Parked(until) => self.woken.0.load(Ordering::Acquire) || until.is_some_and(|t| t <= now),
        }
    }
    fn deadline(&self) -> Option<Instant> {
        if let State::Parked(until) = self.state { until } else { None }
    }
}

struct Machine {
    weight: u64,
    step: Box<dyn FnMut() -> bool>,
    /// It had nothing to do when it was last asked, and nobody has run since.
    rests: bool,
}

/// Tasks that wait for what cannot happen: no machine has anything to do, and no deadline comes.
#[derive(Debug)]
pub struct Stuck {
    pub tasks: Vec<String>,
}
impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing can wake these tasks: {}", self.tasks.join(", "))
    }
}
impl std::error::Error for Stuck {}

/// See the module's words.
pub struct Simulation {
    clock: Arc<Clock>,
    tasks: Vec<SimTask>,
    machines: Vec<Machine>,
    pace: Pace,
    panicked: Panic,
    turns: u64,
    trace: u64,
}

impl Simulation {
    /// Draws what it does from `sim`, which the node's shard has as its platform.
    pub fn new(sim: Arc<Sim>, pace: Pace) -> Simulation {
        // Who breathes on this thread is a simulation's task, as on a worker.
        work::set_listener(pamir_storage::task::listen);
        let clock = Clock { sim, began: Instant::now(), passed: AtomicU64::new(0), restless: pace.restless };
        Simulation {
            clock: Arc::new(clock),
            tasks: Vec::new(),
            machines: Vec::new(),
            pace,
            panicked: Panic::default(),
            turns: 0,
            trace: 0,
        }
    }
    /// Adds a machine: `step` does a piece of its work; false: there was none.
    pub fn machine(&mut self, step: impl FnMut() -> bool + 'static) {
        let weight = 1 + self.clock.sim.below(MOST_WEIGHT);
        self.machines.push(Machine { weight, step: Box::new(step), rests: false });
    }
    /// Adds a task.
    pub fn spawn(&mut self, name: impl Into<String>, job: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let panicked = self.panicked.clone();
        let work = move |_: &Arc<Cancel>| {
            if let Err(p) = catch_unwind(AssertUnwindSafe(job)) {
                *panicked.lock() = Some(p);
            }
        };
        self.tasks.push(SimTask {
            name: name.into(),
            weight: 1 + self.clock.sim.below(MOST_WEIGHT),
            co: Task::simulated(self.clock.clone())?,
            state: State::New(Job::Work(Box::new(work), Arc::default())),
            woken: Arc::new(Woken(AtomicBool::new(false))),
        });
        Ok(())
    }
    /// The simulated time since it began.
    pub fn passed(&self) -> Duration {
        self.clock.passed()
    }
    /// Those that have not ended, and until when they wait: since when the simulation began; None: for a call alone.
    pub fn tasks(&self) -> impl Iterator<Item = (&str, Option<Duration>)> {
        let since = |t: Instant| t.saturating_duration_since(self.clock.began);
        self.tasks.iter().map(move |t| (t.name.as_str(), t.deadline().map(since)))
    }
    /// Turns that were taken.
    pub fn turns(&self) -> u64 {
        self.turns
    }
    /// Who took them, in their order, as a hash.
    pub fn trace(&self) -> u64 {
        self.trace
    }

    /// Runs to the end of all tasks.
    pub fn run(&mut self) -> Result<(), Stuck> {
        while self.turn()? {}
        Ok(())
    }
    /// Gives one task or machine its turn. False: all tasks have ended (the machines may still have work).
    pub fn turn(&mut self) -> Result<bool, Stuck> {
        if self.tasks.is_empty() {
            return Ok(false);
        }
        let Some(who) = self.pick() else {
            let Some(until) = self.tasks.iter().filter_map(SimTask::deadline).min() else {
                return Err(Stuck { tasks: self.tasks.iter().map(|t| t.name.clone()).collect() });
            };
            self.clock.pass(until.saturating_duration_since(self.clock.now()));
            return Ok(true);
        };
        self.turns += 1;
        // FNV-1a (Fowler, Noll, Vo).
        self.trace = (self.trace ^ (who as u64 + 1)).wrapping_mul(0x0100_0000_01b3);
        if let Some(nanos) = u64::try_from(self.pace.turn.as_nanos()).ok().filter(|n| *n > 0) {
            self.clock.pass(Duration::from_nanos(self.clock.sim.below(nanos + 1)));
        }
        match who.checked_sub(self.machines.len()) {
            None => {
                let did = (self.machines[who].step)();
                self.machines[who].rests = !did;
                if did {
                    self.stir();
                }
            }
            Some(n) => {
                self.resume(n);
                self.stir();
            }
        }
        Ok(true)
    }
    /// Something has run: the machines may have work now.
    fn stir(&mut self) {
        self.machines.iter_mut().for_each(|m| m.rests = false);
    }
    /// Who is next: a machine by its number, or a task by its own behind these. None: nobody can go on.
    fn pick(&self) -> Option<usize> {
        let now = self.clock.now();
        let chance = &self.clock.sim;
        let machines = self.machines.iter().map(|m| if m.rests { 0 } else { m.weight });
        let tasks = self.tasks.iter().map(|t| if t.may_run(now) { t.weight } else { 0 });
        let weights: Vec<u64> = machines.chain(tasks).collect();
        let all: u64 = weights.iter().sum();
        if all == 0 {
            return None;
        }
        if self.pace.restless && chance.below(WAKE_ONE_IN) == 0 {
            return Some(self.machines.len() + chance.below(self.tasks.len() as u64) as usize);
        }
        let mut at = chance.below(all);
        weights.iter().position(|w| match at.checked_sub(*w) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        })
    }
    fn resume(&mut self, n: usize) {
        let t = &mut self.tasks[n];
        t.woken.0.store(false, Ordering::Release);
        self.clock.next_breath();
        let why = match std::mem::replace(&mut t.state, State::Ready) {
            State::New(job) => t.co.start(job, Waker::from(t.woken.clone())),
            _ => t.co.resume(),
        };
        // What it wanted woken at its worker's rest; a helper of a simulation is a machine, and asks itself.
        at_rest();
        match why {
            Suspend::Yielded => {}
            Suspend::Parked(until) => t.state = State::Parked(until),
            Suspend::Done(..) => self.tasks.remove(n).co.retire(),
        }
        if let Some(p) = self.panicked.lock().take() {
            resume_unwind(p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_storage::platform::Platform;
    use pamir_storage::task;
    use std::task::Poll;

    /// What tasks of a seed say, in their order, and the simulation's trace.
    fn talk(seed: u64, pace: Pace) -> (String, u64) {
        let mut s = Simulation::new(Arc::new(Sim::new(seed)), pace);
        let said = Arc::new(Mutex::new(String::new()));
        for name in ["a", "b", "c"] {
            let said = said.clone();
            let job = move || {
                for _ in 0..20 {
                    said.lock().push_str(name);
                    task::yield_now();
                    for _ in 0..100 {
                        work::charge(100).expect("nobody cancels");
                    }
                }
            };
            s.spawn(name, job).expect("a stack");
        }
        s.run().expect("an end");
        let said = said.lock().clone();
        (said, s.trace())
    }

    #[test]
    fn a_seed_draws_the_order() {
        for pace in [Pace::default(), Pace { turn: Duration::from_millis(1), restless: true }] {
            let all: Vec<_> = (0..10).map(|seed| talk(seed, pace)).collect();
            assert!((0..10).all(|seed| talk(seed, pace) == all[seed as usize]));
            let different: std::collections::BTreeSet<_> = all.iter().collect();
            assert_eq!(different.len(), 10);
        }
    }

    #[test]
    fn time_passes_where_everybody_waits() {
        let sim = Arc::new(Sim::new(1));
        let before = sim.time();
        let mut s = Simulation::new(sim.clone(), Pace::default());
        let mut turns = 3;
        s.machine(move || {
            turns -= i32::from(turns > 0);
            turns > 0
        });
        for hours in [2, 1] {
            let job = move || {
                let begun = task::now();
                assert!(task::wait(Some(begun), |_| Poll::<()>::Pending).is_none());
                assert!(!task::sleep(Duration::from_secs(hours * 3600), |_| false));
                assert_eq!(task::now() - begun, Duration::from_secs(hours * 3600));
                assert!(task::sleep(Duration::from_secs(1), |_| true), "what is there is not waited for");
                let here = std::thread::current().id();
                let helped = pamir_storage::helpers::run(move || std::thread::current().id() == here);
                assert!(helped.expect("a helper"), "its helpers are itself");
            };
            s.spawn("sleeper", job).expect("a stack");
        }
        s.run().expect("an end");
        assert_eq!(s.passed(), Duration::from_secs(7200));
        assert!((7_200_000_000..7_200_010_000).contains(&(sim.time() - before)));
    }

    #[test]
    fn what_nobody_wakes_is_told() {
        let mut s = Simulation::new(Arc::new(Sim::new(1)), Pace::default());
        let waker = Arc::new(Mutex::new(None));
        let (kept, woken) = (waker.clone(), Arc::new(AtomicBool::new(false)));
        let seen = woken.clone();
        let job = move || {
            task::wait(None, |w| {
                *kept.lock() = Some(w.clone());
                if seen.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }
            });
        };
        s.spawn("lock", job).expect("a stack");
        s.spawn("short", || ()).expect("a stack");
        assert_eq!(s.run().unwrap_err().to_string(), "nothing can wake these tasks: lock");
        woken.store(true, Ordering::Relaxed);
        let w: Option<Waker> = waker.lock().take();
        w.expect("it waited").wake();
        s.run().expect("now it ends");
    }

    #[test]
    fn a_panic_comes_out() {
        let mut s = Simulation::new(Arc::new(Sim::new(1)), Pace::default());
        s.spawn("bad", || std::panic::resume_unwind(Box::new("bad"))).expect("a stack");
        let p = catch_unwind(AssertUnwindSafe(|| s.run())).unwrap_err();
        assert_eq!(p.downcast_ref::<&str>(), Some(&"bad"));
    }
}
