//! A running server of whatever protocols: its configuration, its threads, its end.
use crate::acceptor;
use crate::connection::{Application, Protocol};
use crate::crew::{Crew, Roster};
use crate::desk::Desk;
use crate::peers::Pace;
use crate::queue::{Newcomer, RemoteQueue};
use crate::watch;
use crate::worker::Worker;
use mio::net::TcpListener;
use pamir_txn::Cancel;
use parking_lot::{Mutex, RwLock};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Sockets that have not authenticated; also those beyond sessions that the limit on sockets leaves room for: those that have not authenticated, and those that ask for a cancel.
pub const MAX_NEWCOMERS: usize = 512;

#[derive(Clone)]
pub struct Config {
    /// Threads that run sessions.
    pub workers: usize,
    /// Sockets that have not authenticated, of all workers; beyond it the oldest are closed ([`crate::worker`]).
    pub max_newcomers: usize,
    /// Open sockets, whatever their state; one more is told 53300 and closed.
    pub max_sockets: usize,
    /// When workers take over each other's connections.
    pub pace: Pace,
    /// How long a shutdown lets running statements finish before it cancels them.
    pub shutdown_grace: Duration,
    /// What the names of its threads begin with.
    pub name: &'static str,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            workers: std::thread::available_parallelism().map_or(1, |n| n.get()),
            max_newcomers: MAX_NEWCOMERS,
            max_sockets: usize::MAX,
            pace: Pace::default(),
            shutdown_grace: Duration::from_secs(4),
            name: "net",
        }
    }
}

/// After its grace period a shutdown waits this long for cancelled statements.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// And then this long for the threads.
const JOIN_GRACE: Duration = Duration::from_secs(1);
const JOIN_POLL: Duration = Duration::from_millis(5);

/// What all workers and listeners share.
pub(crate) struct Shared {
    config: RwLock<Arc<Config>>,
    /// Open sockets.
    pub sockets: AtomicUsize,
    pub stopping: AtomicBool,
}

impl Shared {
    pub fn new(config: Config) -> Shared {
        Shared { config: RwLock::new(Arc::new(config)), sockets: AtomicUsize::new(0), stopping: AtomicBool::new(false) }
    }
    /// What holds for a connection that begins now.
    pub fn config(&self) -> Arc<Config> {
        self.config.read().clone()
    }
}

/// One of the open sockets, for as long as it lives.
pub(crate) struct Counted(Arc<Shared>);
impl Counted {
    pub fn new(shared: &Arc<Shared>) -> Counted {
        shared.sockets.fetch_add(1, Ordering::Relaxed);
        Counted(shared.clone())
    }
}
impl Drop for Counted {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Dropping it does not stop it; [`Runtime::shutdown`] does.
pub struct Runtime {
    shared: Arc<Shared>,
    queues: Vec<Arc<RemoteQueue>>,
    listeners: Mutex<Vec<acceptor::Handle>>,
    roster: Arc<Roster>,
    /// The worker that the next spawned job goes to.
    turn: Arc<AtomicUsize>,
}

/// Runs jobs on a runtime's workers: [`Runtime::spawn`].
#[derive(Clone)]
pub struct Spawner {
    queues: Vec<Arc<RemoteQueue>>,
    turn: Arc<AtomicUsize>,
}
impl Spawner {
    pub fn spawn(&self, job: impl FnOnce(&Arc<Cancel>) + Send + 'static) -> Arc<Cancel> {
        let cancel = Arc::<Cancel>::default();
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.queues.len().max(1);
        if let Some(q) = self.queues.get(turn) {
            q.deal(Newcomer::Work { job: Box::new(job), cancel: cancel.clone() });
        }
        cancel
    }
}

impl Runtime {
    /// Starts the workers. Clients come with [`Runtime::listen`].
    pub fn start(application: Arc<dyn Application>, config: Config) -> io::Result<Runtime> {
        let (workers, name) = (config.workers.max(1), config.name);
        let shared = Arc::new(Shared::new(config));
        let desks = (0..workers).map(|_| Desk::new().map(Arc::new)).collect::<io::Result<Vec<_>>>()?;
        let queues: Vec<_> = desks.iter().map(|d| d.queue.clone()).collect();
        let crew = Crew::new(application, shared.clone(), workers);
        for own in 0..workers {
            crew.reserve()?.keep(Box::new(Worker::new(&desks, own, &crew)));
        }
        let roster = crew.roster.clone();
        let watcher = std::thread::Builder::new().name(format!("{name}-watch")).spawn(move || watch::watch(&crew))?;
        roster.threads.lock().push(watcher);
        Ok(Runtime { shared, queues, listeners: Mutex::default(), roster, turn: Arc::default() })
    }

    /// Binds `addr` (port 0: any free one) and serves who connects there; the address that it has. Several protocols may share the workers.
    pub fn listen(&self, addr: SocketAddr, protocol: Arc<dyn Protocol>) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(addr)?;
        let addr = listener.local_addr()?;
        let handle = acceptor::start(listener, protocol, self.queues.clone(), self.shared.clone())?;
        self.listeners.lock().push(handle);
        Ok(addr)
    }

    /// For those who run jobs and do not hold the runtime.
    pub fn spawner(&self) -> Spawner {
        Spawner { queues: self.queues.clone(), turn: self.turn.clone() }
    }
    /// Runs `job` on a coroutine of a worker, without a client. It may wait as statements do, lets others go first when it charges work, and is told to end by the
    /// handle that it gets and the caller keeps; a shutdown tells it at once. One that has not begun by then never does. A panic ends the job alone.
    pub fn spawn(&self, job: impl FnOnce(&Arc<Cancel>) + Send + 'static) -> Arc<Cancel> {
        self.spawner().spawn(job)
    }

    /// New connections find `config`; what concerns threads stays as it was.
    pub fn reload(&self, config: Config) {
        *self.shared.config.write() = Arc::new(config);
    }

    /// Threads that may run connections at the same time, at most: [`crate::stats::seat`] is below it.
    pub fn seats(config: &Config) -> usize {
        config.workers.max(1) + crate::crew::MOST_AWAY
    }
    pub fn stats_handle(&self) -> StatsHandle {
        StatsHandle { roster: self.roster.clone() }
    }

    /// As [`Runtime::shutdown`], with a grace period of its own.
    pub fn shutdown_within(self, grace: Duration) -> bool {
        let mut config = Config::clone(&self.shared.config());
        config.shutdown_grace = grace;
        self.reload(config);
        self.shutdown()
    }
    /// Stops accepting, lets running statements finish (cancels them after the grace period), says 57P01 to every client, and joins the
    /// threads. True if everything ended in time.
    pub fn shutdown(self) -> bool {
        self.shared.stopping.store(true, Ordering::SeqCst);
        for l in self.listeners.into_inner() {
            l.stop();
        }
        for q in &self.queues {
            q.stop();
        }
        // All are joined, also after one that failed.
        // A thread that is still in a call which nothing interrupts is left to it.
        let until = Instant::now() + self.shared.config().shutdown_grace + CANCEL_GRACE + JOIN_GRACE;
        let threads = &self.roster.threads;
        while Instant::now() < until && threads.lock().iter().any(|t| !t.is_finished()) {
            std::thread::sleep(JOIN_POLL);
        }
        let threads = std::mem::take(&mut *threads.lock());
        let (ended, left): (Vec<_>, Vec<_>) = threads.into_iter().partition(|t| t.is_finished());
        if !left.is_empty() {
            tracing::error!("{} workers did not end; leaving them", left.len());
        }
        ended.into_iter().filter_map(|t| t.join().err()).count() + left.len() == 0
    }
}

/// Reads the counters; outlives the server.
#[derive(Clone)]
pub struct StatsHandle {
    roster: Arc<Roster>,
}

impl StatsHandle {
    /// (name, is a gauge, value), summed over the threads.
    pub fn stats(&self) -> Vec<(&'static str, bool, u64)> {
        let mut all = self.roster.stats().to_vec();
        let first = all.len();
        for (i, c) in self.roster.counters.lock().iter().enumerate() {
            for (k, entry) in c.all().into_iter().enumerate() {
                if i == 0 { all.push(entry) } else { all[first + k].2 = all[first + k].2.wrapping_add(entry.2) }
            }
        }
        all
    }
}
