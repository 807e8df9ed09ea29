//! A running server: its configuration, its threads, its end.
use crate::runtime::acceptor;
use crate::runtime::crew::{Crew, Roster};
use crate::runtime::desk::Desk;
use crate::runtime::peers::Pace;
use crate::runtime::queue::RemoteQueue;
use crate::runtime::watch;
use crate::runtime::worker::Worker;
use crate::service::Service;
use crate::tls::Tls;
use mio::net::TcpListener;
use parking_lot::RwLock;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Sockets that have not authenticated; also those beyond sessions that the limit on sockets leaves room for: those that have not authenticated, and those that ask for a cancel.
pub const MAX_NEWCOMERS: usize = 512;

/// Guessing a password costs a client this much of its time a guess.
pub const AUTH_DELAY: Duration = Duration::from_millis(500);

/// Who is asked for a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ask {
    /// Roles that have one.
    #[default]
    IfSet,
    /// Nobody is.
    Nobody,
    /// Everybody; a role without one cannot log in.
    Everybody,
}

#[derive(Clone)]
pub struct Config {
    /// Sessions at a time; one more gets 53300.
    pub max_connections: usize,
    /// Threads that run sessions.
    pub workers: usize,
    /// Of these, for superusers alone.
    pub superuser_reserved: usize,
    /// From accepting a socket to the end of authentication.
    pub auth_timeout: Duration,
    /// Sockets that have not authenticated, of all workers; beyond it the oldest are closed ([`crate::runtime`]).
    pub max_newcomers: usize,
    /// Open sockets, whatever their state; one more is told 53300 and closed.
    pub max_sockets: usize,
    /// None: SSLRequest is answered N.
    pub tls: Option<Tls>,
    /// Other hosts may connect without TLS, and without a password where the role has none.
    pub insecure: bool,
    /// Who of this machine's clients is asked for a password.
    pub loopback: Ask,
    /// How long the refusal of a wrong password is kept back.
    pub auth_delay: Duration,
    /// When workers take over each other's connections.
    pub pace: Pace,
    /// How long a shutdown lets running statements finish before it cancels them.
    pub shutdown_grace: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_connections: 10_500,
            superuser_reserved: 3,
            workers: std::thread::available_parallelism().map_or(1, |n| n.get()),
            auth_timeout: Duration::from_secs(60),
            max_newcomers: MAX_NEWCOMERS,
            max_sockets: usize::MAX,
            tls: None,
            insecure: false,
            loopback: Ask::default(),
            auth_delay: AUTH_DELAY,
            pace: Pace::default(),
            shutdown_grace: Duration::from_secs(4),
        }
    }
}

/// After its grace period a shutdown waits this long for cancelled statements.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// And then this long for the threads.
const JOIN_GRACE: Duration = Duration::from_secs(1);
const JOIN_POLL: Duration = Duration::from_millis(5);

/// What all workers and connections share.
pub struct Shared {
    config: RwLock<Arc<Config>>,
    /// Authenticated sessions.
    pub sessions: AtomicUsize,
    /// Open sockets.
    pub sockets: AtomicUsize,
    pub stopping: AtomicBool,
}

impl Shared {
    pub(crate) fn new(config: Config) -> Shared {
        Shared {
            config: RwLock::new(Arc::new(config)),
            sessions: AtomicUsize::new(0),
            sockets: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        }
    }
    /// What holds for a connection that begins now.
    pub fn config(&self) -> Arc<Config> {
        self.config.read().clone()
    }
}

/// Dropping it does not stop it; [`Server::shutdown`] does.
pub struct Server {
    addr: SocketAddr,
    shared: Arc<Shared>,
    queues: Vec<Arc<RemoteQueue>>,
    acceptor: acceptor::Handle,
    roster: Arc<Roster>,
}

impl Server {
    /// Binds `addr` (port 0: any free one) and starts serving.
    pub fn start<S: Service>(service: Arc<S>, addr: SocketAddr, config: Config) -> io::Result<Server> {
        let listener = TcpListener::bind(addr)?;
        let addr = listener.local_addr()?;
        let workers = config.workers.max(1);
        let shared = Arc::new(Shared::new(config));
        let desks = (0..workers).map(|_| Desk::new().map(Arc::new)).collect::<io::Result<Vec<_>>>()?;
        let queues: Vec<_> = desks.iter().map(|d| d.queue.clone()).collect();
        let crew = Crew::new(service.clone(), shared.clone(), workers);
        for id in 0..workers {
            crew.reserve()?.keep(Box::new(Worker::new(&desks, id, service.clone(), shared.clone())));
        }
        let roster = crew.roster.clone();
        let watcher = std::thread::Builder::new().name("pg-watch".into()).spawn(move || watch::watch(&crew))?;
        roster.threads.lock().push(watcher);
        let acceptor = acceptor::start(listener, queues.clone(), shared.clone())?;
        Ok(Server { addr, shared, queues, acceptor, roster })
    }

    pub fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    /// New connections find `config`; what concerns threads stays as it was.
    pub fn reload(&self, config: Config) {
        *self.shared.config.write() = Arc::new(config);
    }

    /// See [`StatsHandle::stats`].
    pub fn stats(&self) -> Vec<(&'static str, bool, u64)> {
        self.stats_handle().stats()
    }
    pub fn stats_handle(&self) -> StatsHandle {
        StatsHandle { shared: self.shared.clone(), roster: self.roster.clone() }
    }

    /// Stops accepting, lets running statements finish (cancels them after the grace period), says 57P01 to every client, and joins the
    /// threads. True if everything ended in time.
    pub fn shutdown(self) -> bool {
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.acceptor.stop();
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
    shared: Arc<Shared>,
    roster: Arc<Roster>,
}

impl StatsHandle {
    /// (name, is a gauge, value), summed over the threads.
    pub fn stats(&self) -> Vec<(&'static str, bool, u64)> {
        let sessions = self.shared.sessions.load(Ordering::Relaxed) as u64;
        let mut all: Vec<(&'static str, bool, u64)> = vec![("pg_sessions", true, sessions)];
        all.extend(self.roster.stats());
        let first = all.len();
        for (i, c) in self.roster.counters.lock().iter().enumerate() {
            for (k, entry) in c.all().into_iter().enumerate() {
                if i == 0 { all.push(entry) } else { all[first + k].2 = all[first + k].2.wrapping_add(entry.2) }
            }
        }
        all
    }
}
