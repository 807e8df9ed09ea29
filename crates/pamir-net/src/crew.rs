//! The threads that run sessions: one for each worker, and spare ones that go on with a worker whose thread is taken up.
//!
//! ```text
//!   spare --a worker to go on with--> front: the worker's loop --its statement runs long, or holds it--> away: runs what it has begun --over--> spare
//! ```
//! A worker is not its thread: it is the loop's state (sockets, idle sessions, timers, its mailbox), which lies in the thread's [`Place`](super::place::Place) while a coroutine runs, so
//! that another thread can go on with it. Coroutines stay where they were begun: what is on their stacks may know its thread.
//!
//! Limits: [`MOST_AWAY`] threads beside one a worker; where they are all taken up, long statements share their worker with short ones, slice by slice. [`SPARES`] of them are kept when they
//! have nothing to do.
use crate::connection::Application;
use crate::host::{self, Host};
use crate::runtime::Shared;
use crate::stats::{Counter, Counters};
use crate::watch::Watched;
use crate::worker::Worker;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// Threads that statements may take up, beside one for each worker.
pub(crate) const MOST_AWAY: usize = 64;
/// Threads kept though no worker needs them.
const SPARES: usize = 8;

/// What a server knows of its threads, whatever they serve.
#[derive(Default)]
pub struct Roster {
    pub threads: Mutex<Vec<JoinHandle<()>>>,
    /// Of all threads that there ever were; those of threads that ended are used again.
    pub counters: Mutex<Vec<Arc<Counters>>>,
    /// Turns that kept a worker from others.
    pub held: Counter,
    /// Workers that went on on another thread because one statement ran long, and because one held them.
    pub relieved: AtomicUsize,
    pub retaken: AtomicUsize,
    /// Threads that run long statements.
    pub away: AtomicUsize,
}

impl Roster {
    /// How often clients have been read from, on all threads.
    pub fn heard(&self) -> u64 {
        self.counters.lock().iter().map(|c| c.reads.get()).sum()
    }
    /// (name, is a gauge, value)
    pub fn stats(&self) -> [(&'static str, bool, u64); 4] {
        let of = |n: &AtomicUsize| n.load(Ordering::Relaxed) as u64;
        [
            ("net_held_total", false, self.held.get()),
            ("net_relieved_total", false, of(&self.relieved)),
            ("net_retaken_total", false, of(&self.retaken)),
            ("net_away", true, of(&self.away)),
        ]
    }
}

struct State {
    /// Workers that wait for a thread, which is there and awake, or will be.
    open: VecDeque<Box<Worker>>,
    /// Threads that wait and are promised to nobody.
    idle: usize,
    hosts: Vec<Arc<Host>>,
    free_counters: Vec<Arc<Counters>>,
    newest: u32,
    /// Workers that have not ended.
    workers: usize,
}

pub struct Crew {
    pub application: Arc<dyn Application>,
    pub(crate) shared: Arc<Shared>,
    pub roster: Arc<Roster>,
    state: Mutex<State>,
    bell: Condvar,
}

impl Crew {
    pub(crate) fn new(application: Arc<dyn Application>, shared: Arc<Shared>, workers: usize) -> Arc<Crew> {
        let (open, hosts, free_counters) = (VecDeque::new(), Vec::new(), Vec::new());
        let state = State { open, idle: 0, hosts, free_counters, newest: 0, workers };
        let (state, bell) = (Mutex::new(state), Condvar::new());
        Arc::new(Crew { application, shared, roster: Arc::default(), state, bell })
    }

    /// Promises a thread to the caller, who has a worker for it, or may have; begins one if there is none.
    pub fn reserve(self: &Arc<Self>) -> std::io::Result<Promise<'_>> {
        let mut state = self.state.lock();
        if state.idle > 0 {
            state.idle -= 1;
        } else {
            self.begin(&mut state)?;
        }
        Ok(Promise { crew: self, kept: false })
    }
    fn begin(self: &Arc<Self>, state: &mut State) -> std::io::Result<()> {
        if state.hosts.len() >= state.workers + MOST_AWAY {
            return Err(std::io::ErrorKind::QuotaExceeded.into());
        }
        let id = state.newest.wrapping_add(1).max(1);
        // Names are used again, as they are the labels of metrics.
        let number = (0..).find(|n| state.hosts.iter().all(|h| h.number != *n)).unwrap_or_default();
        let host = Arc::new(Host::new(id, number, Watched::default()));
        let counters = state.free_counters.pop().unwrap_or_else(|| {
            let mut all = self.roster.counters.lock();
            let c = Arc::new(Counters { seat: all.len(), ..Counters::default() });
            all.push(c.clone());
            c
        });
        let (crew, theirs, c) = (self.clone(), host.clone(), counters.clone());
        let begun =
            std::thread::Builder::new().name(format!("{}-{number}", self.shared.config().name)).spawn(move || {
                let _gone = Gone { crew: crew.clone(), host: theirs.clone(), counters: c.clone() };
                crate::stats::count_in(c);
                host::serve(crew, theirs);
            });
        let thread = match begun {
            Ok(t) => t,
            Err(e) => {
                state.free_counters.push(counters);
                return Err(e);
            }
        };
        (state.newest, _) = (id, state.hosts.push(host));
        let mut threads = self.roster.threads.lock();
        threads.retain(|t| !t.is_finished());
        threads.push(thread);
        Ok(())
    }

    /// For a thread that has nothing to do: the next worker to go on with. None: it is to end. `new`: it has just begun, for somebody who was promised it.
    pub fn next(&self, new: bool) -> Option<Box<Worker>> {
        let mut state = self.state.lock();
        if !new {
            if state.idle >= SPARES {
                return None;
            }
            state.idle += 1;
        }
        loop {
            if let Some(w) = state.open.pop_front() {
                return Some(w);
            }
            if state.workers == 0 {
                return None;
            }
            self.bell.wait(&mut state);
        }
    }
    /// A worker has ended.
    pub fn over(&self) {
        let mut state = self.state.lock();
        state.workers = state.workers.saturating_sub(1);
        if state.workers == 0 {
            self.bell.notify_all();
        }
    }
    pub fn is_over(&self) -> bool {
        self.state.lock().workers == 0
    }
    pub fn hosts(&self) -> Vec<Arc<Host>> {
        self.state.lock().hosts.clone()
    }
    /// Do threads run long statements, beside the workers?
    pub fn any_away(&self) -> bool {
        self.roster.away.load(Ordering::Relaxed) > 0
    }
}

/// A thread for one worker.
pub struct Promise<'a> {
    crew: &'a Arc<Crew>,
    kept: bool,
}
impl Promise<'_> {
    pub fn keep(mut self, w: Box<Worker>) {
        self.kept = true;
        self.crew.state.lock().open.push_back(w);
        self.crew.bell.notify_one();
    }
}
impl Drop for Promise<'_> {
    fn drop(&mut self) {
        if !self.kept {
            self.crew.state.lock().idle += 1;
        }
    }
}

/// A thread ends, in whatever way.
struct Gone {
    crew: Arc<Crew>,
    host: Arc<Host>,
    counters: Arc<Counters>,
}
impl Drop for Gone {
    fn drop(&mut self) {
        let mut state = self.crew.state.lock();
        state.hosts.retain(|h| !Arc::ptr_eq(h, &self.host));
        state.free_counters.push(self.counters.clone());
    }
}
