//! PostgreSQL's protocol on a runtime's workers: its configuration, what its connections share, its start and end.
use crate::conn::Conn;
use crate::io;
use crate::service::{Resident, Service};
use crate::stats::{Counters, Tally};
use pamir_net::tls::Tls;
use pamir_net::{Connection, Link, Protocol, Runtime};
use pamir_types::Error;
use parking_lot::RwLock;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

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
    /// Of these, for superusers alone.
    pub superuser_reserved: usize,
    /// From accepting a socket to the end of authentication.
    pub auth_timeout: Duration,
    /// None: SSLRequest is answered N.
    pub tls: Option<Tls>,
    /// Other hosts may connect without TLS, and without a password where the role has none.
    pub insecure: bool,
    /// Who of this machine's clients is asked for a password.
    pub loopback: Ask,
    /// How long the refusal of a wrong password is kept back.
    pub auth_delay: Duration,
    /// The runtime's.
    pub net: pamir_net::Config,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_connections: 10_500,
            superuser_reserved: 3,
            auth_timeout: Duration::from_secs(60),
            tls: None,
            insecure: false,
            loopback: Ask::default(),
            auth_delay: AUTH_DELAY,
            net: pamir_net::Config { name: "pg", ..pamir_net::Config::default() },
        }
    }
}

/// What all connections share.
pub struct Shared {
    config: RwLock<Arc<Config>>,
    /// Authenticated sessions.
    pub sessions: AtomicUsize,
    pub stopping: AtomicBool,
    tally: Tally,
}

impl Shared {
    pub fn new(config: Config) -> Shared {
        Shared {
            tally: Tally::new(Runtime::seats(&config.net)),
            config: RwLock::new(Arc::new(config)),
            sessions: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        }
    }
    /// What holds for a connection that begins now.
    pub fn config(&self) -> Arc<Config> {
        self.config.read().clone()
    }
    #[inline]
    pub fn count(&self, f: impl FnOnce(&Counters)) {
        self.tally.count(f);
    }
}

/// What a listener speaks.
struct Postgres<S> {
    service: Arc<S>,
    shared: Arc<Shared>,
}
impl<S: Service> Protocol for Postgres<S> {
    fn open(&self, link: Link, peer: SocketAddr) -> Box<dyn Connection> {
        Box::new(Conn::new(self.service.clone(), self.shared.clone(), link, peer))
    }
    /// An ErrorResponse, understood before the startup packet is answered.
    fn refusal(&self, e: &Error) -> Vec<u8> {
        io::error_response(e)
    }
}

/// Dropping it does not stop it; [`Server::shutdown`] does.
pub struct Server {
    addr: SocketAddr,
    shared: Arc<Shared>,
    runtime: Runtime,
}

impl Server {
    /// Starts a runtime, binds `addr` (port 0: any free one) and serves there.
    pub fn start<S: Service>(service: Arc<S>, addr: SocketAddr, config: Config) -> std::io::Result<Server> {
        let runtime = Runtime::start(Arc::new(Resident(service.clone())), config.net.clone())?;
        let shared = Arc::new(Shared::new(config));
        match runtime.listen(addr, Arc::new(Postgres { service, shared: shared.clone() })) {
            Ok(addr) => Ok(Server { addr, shared, runtime }),
            Err(e) => {
                runtime.shutdown();
                Err(e)
            }
        }
    }

    pub fn local_addr(&self) -> SocketAddr {
        self.addr
    }
    /// Where other work may run, and other protocols may be served.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// New connections find `config`; what concerns threads stays as it was.
    pub fn reload(&self, config: Config) {
        self.runtime.reload(config.net.clone());
        *self.shared.config.write() = Arc::new(config);
    }

    /// See [`StatsHandle::stats`].
    pub fn stats(&self) -> Vec<(&'static str, bool, u64)> {
        self.stats_handle().stats()
    }
    pub fn stats_handle(&self) -> StatsHandle {
        StatsHandle { shared: self.shared.clone(), runtime: self.runtime.stats_handle() }
    }

    /// As [`Runtime::shutdown`]; who comes meanwhile hears 57P03.
    pub fn shutdown(self) -> bool {
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.runtime.shutdown()
    }
    /// As [`Runtime::shutdown_within`].
    pub fn shutdown_within(self, grace: Duration) -> bool {
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.runtime.shutdown_within(grace)
    }
}

/// Reads the counters; outlives the server.
#[derive(Clone)]
pub struct StatsHandle {
    shared: Arc<Shared>,
    runtime: pamir_net::StatsHandle,
}

impl StatsHandle {
    /// (name, is a gauge, value), the protocol's and the runtime's.
    pub fn stats(&self) -> Vec<(&'static str, bool, u64)> {
        let sessions = self.shared.sessions.load(Ordering::Relaxed) as u64;
        let mut all: Vec<(&'static str, bool, u64)> = vec![("pg_sessions", true, sessions)];
        all.extend(self.shared.tally.all());
        all.extend(self.runtime.stats());
        all
    }
}
