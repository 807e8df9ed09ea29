//! The server's life: lock the directory, recover, listen, say so, wait for a signal, finish, checkpoint.
use crate::backup::{Desk, Preparation};
use crate::config::{Config, Settings};
use crate::one_line::line;
use crate::{alloc, http, metrics, node, operations};
use pamir_cluster::cluster::Cluster;
use pamir_cluster::handover::GRACE;
use pamir_net::tls;
use pamir_pg::Server;
use pamir_sql::session::Database;
use pamir_sql::session::autoanalyze::AutoAnalyze;
use pamir_sql::settings::{ServerValues, Source};
use pamir_storage::disk::Disk;
use pamir_storage::disk::overlay::Overlay;
use pamir_storage::disk::real::RealDisk;
use pamir_txn::{Engine, Shard, ShardOptions};
use pamir_types::memory;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, reload};

/// The engine as sessions see it.
#[cfg(not(feature = "calls"))]
fn face(shard: &Arc<Shard>) -> pamir_types::Result<Arc<dyn Engine>> {
    Ok(shard.clone())
}
/// With `RECORD_CALLS` in the environment (microseconds until an answer comes) through the recording implementation.
#[cfg(feature = "calls")]
fn face(shard: &Arc<Shard>) -> pamir_types::Result<Arc<dyn Engine>> {
    let Ok(late) = std::env::var("RECORD_CALLS") else { return Ok(shard.clone()) };
    let late = Some(Duration::from_micros(late.parse().unwrap_or_default())).filter(|l| !l.is_zero());
    Ok(Arc::new(pamir_txn::calls::Recorder::new(shard.clone(), late)?))
}

/// How often the main thread looks for signals and for a failed shard.
const FAILURE_POLL: Duration = Duration::from_millis(100);

fn cannot_listen(what: &str, flag: &str, addr: SocketAddr, e: std::io::Error) -> String {
    match e.kind() {
        ErrorKind::AddrInUse => format!(
            "could not listen for {what} on {addr}: the port is in use. Stop the other server, or choose another port with {flag}."
        ),
        ErrorKind::PermissionDenied => {
            format!("could not listen for {what} on {addr}: permission denied. Choose a port above 1023 with {flag}.")
        }
        ErrorKind::AddrNotAvailable => format!(
            "could not listen for {what} on {addr}: this machine has no such address. Choose another with {flag}."
        ),
        _ => format!("could not listen for {what} on {addr}: {e}"),
    }
}

/// Descriptors that are not for clients' sockets: threads, log, pages, temporary files, HTTP.
const HELD_DESCRIPTORS: u64 = 192;

/// Each connection takes a descriptor; the soft limit is often 1024. Returns how many sockets there may be.
fn raise_descriptor_limit() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_ok()
    {
        limit.current = limit.maximum;
    }
    let Some(all) = limit.current else { return usize::MAX };
    all.saturating_sub(HELD_DESCRIPTORS).max(all / 4) as usize
}

/// The log's filter, which a reload may replace.
type Filter = reload::Handle<EnvFilter, Registry>;

fn filter(level: &str) -> Result<EnvFilter, String> {
    EnvFilter::try_new(level).map_err(|e| format!("--log-level {level}: {e}"))
}
/// Lines that wait for standard error; more of them are dropped: nobody waits for who reads the log.
const LOG_LINES: usize = 16 << 10;

/// The log while the server runs: lines are written by a thread of their own.
struct Log {
    filter: Filter,
    /// Writes what is left when it is dropped.
    _rest: WorkerGuard,
}
fn log_to_stderr(level: &str) -> Result<Log, String> {
    let (layer, handle) = reload::Layer::new(filter(level)?);
    let (writer, rest) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(LOG_LINES)
        .thread_name("log-lines")
        .finish(std::io::stderr());
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    tracing_subscriber::registry().with(layer).with(lines).init();
    Ok(Log { filter: handle, _rest: rest })
}

/// Why the server does not run.
pub enum Failure {
    /// The settings make no sense; nothing was touched.
    Settings(String),
    Other(String),
}

/// What signals ask for.
struct Signals {
    end: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
}
impl Signals {
    fn register() -> Result<Signals, String> {
        let s = Signals { end: Arc::default(), reload: Arc::default() };
        // Those that mean nothing here are taken and forgotten: by default they would end the process.
        let unused = Arc::new(AtomicBool::new(false));
        let all = [(SIGTERM, &s.end), (SIGINT, &s.end), (SIGHUP, &s.reload), (SIGUSR1, &unused), (SIGUSR2, &unused)];
        for (signal, flag) in all {
            signal_hook::flag::register(signal, flag.clone()).map_err(|e| format!("could not handle signals: {e}"))?;
        }
        Ok(s)
    }
}

/// Where the settings came from, to read them again.
struct Sources {
    file: Option<PathBuf>,
    given: Settings,
    log: Log,
    max_sockets: usize,
}
impl Sources {
    fn resolve(file: &Option<PathBuf>, given: &Settings) -> Result<Config, String> {
        let file = file.as_deref().map(Settings::from_file).transpose()?.unwrap_or_default();
        given.clone().resolve(file)
    }
    /// SIGHUP: what can change while serving changes; a mistake changes nothing.
    fn reload(&self, running: &mut Config, server: &Server, database: &Database) {
        let read = Sources::resolve(&self.file, &self.given)
            .and_then(|new| Ok((filter(&new.log_level)?, protocol(&new, self.max_sockets)?, new)));
        let (filter, protocol, new) = match read {
            Ok(x) => x,
            Err(e) => return tracing::error!("the configuration was not reloaded: {e}"),
        };
        for name in running.needs_restart(&new) {
            tracing::warn!("\"{name}\" has changed and takes effect at the next start");
        }
        if let Err(e) = self.log.filter.reload(filter) {
            tracing::error!("the log level was not changed: {e}");
        }
        server.reload(protocol);
        running.take_reloadable(new);
        database.configure(facts(running, self.file.as_deref()));
        tracing::info!("configuration and certificates reloaded");
    }
}

pub fn start(file: Option<PathBuf>, settings: Settings) -> Result<(), Failure> {
    let config = Sources::resolve(&file, &settings).map_err(Failure::Settings)?;
    let max_sockets = raise_descriptor_limit();
    let protocol = protocol(&config, max_sockets).map_err(Failure::Settings)?;
    let log = log_to_stderr(&config.log_level).map_err(Failure::Settings)?;
    if max_sockets < config.max_connections {
        tracing::warn!(
            "the limit on open files leaves room for {max_sockets} connections, less than --max-connections ({})",
            config.max_connections
        );
    }
    // Before anything is opened: a signal during recovery must not kill the process in the middle of nothing.
    let signals = Signals::register().map_err(Failure::Other)?;
    serve(config, protocol, Sources { file, given: settings, log, max_sockets }, &signals).map_err(Failure::Other)
}

/// The settings that say how this server runs, with those of the configuration.
fn facts(config: &Config, file: Option<&Path>) -> ServerValues {
    let mut values = config.settings.clone();
    let full = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_path_buf()).display().to_string();
    let kb = |bytes: u64| format!("{}kB", bytes >> 10);
    let tls = config.tls.as_ref();
    let due = config.auto_analyze.unwrap_or_default();
    let facts = [
        ("autovacuum", if config.auto_analyze.is_some() { "on" } else { "off" }.to_string()),
        ("autovacuum_analyze_scale_factor", due.scale_factor.to_string()),
        ("autovacuum_analyze_threshold", due.threshold.to_string()),
        ("autovacuum_naptime", format!("{}s", due.naptime.as_secs())),
        ("authentication_timeout", format!("{}s", config.auth_timeout.as_secs())),
        ("superuser_reserved_connections", config.superuser_reserved.to_string()),
        ("config_file", file.map(full).unwrap_or_default()),
        ("data_directory", full(&config.data_dir)),
        ("listen_addresses", config.pg_addr.ip().to_string()),
        ("max_connections", config.max_connections.to_string()),
        ("max_wal_size", kb(config.checkpoint_size)),
        ("port", config.pg_addr.port().to_string()),
        ("shared_buffers", kb(config.cache_size)),
        ("ssl", if tls.is_some() { "on" } else { "off" }.to_string()),
        ("ssl_cert_file", tls.map(|t| full(&t.0)).unwrap_or_default()),
        ("ssl_key_file", tls.map(|t| full(&t.1)).unwrap_or_default()),
    ];
    for (name, value) in facts {
        if let Err(e) = values.put(name, &value, Source::CommandLine, true) {
            tracing::error!("setting {name}: {}", e.message());
        }
    }
    values
}

/// What the protocol's server is to run with; reads the certificate.
fn protocol(config: &Config, max_sockets: usize) -> Result<pamir_pg::Config, String> {
    let tls = config.tls.as_ref().map(|(cert, key)| tls::load(cert, key)).transpose().map_err(line)?;
    let net = pamir_net::Config {
        workers: config.workers,
        max_sockets: max_sockets.min(config.max_connections + pamir_net::MAX_NEWCOMERS),
        ..pamir_pg::Config::default().net
    };
    Ok(pamir_pg::Config {
        net,
        max_connections: config.max_connections,
        superuser_reserved: config.superuser_reserved,
        auth_timeout: config.auth_timeout,
        tls,
        insecure: config.insecure,
        loopback: config.loopback,
        auth_delay: config.auth_delay,
    })
}

/// Why the server ends.
enum Ended {
    Asked,
    /// To begin again from a snapshot that has come.
    Anew,
    /// It was taken out of the cluster.
    Removed,
    Failed(String),
}
/// What the main thread looks after.
struct Running<'a> {
    signals: &'a Signals,
    sources: &'a Sources,
    server: &'a Server,
    database: &'a Arc<Database>,
    shard: &'a Shard,
    cluster: Option<&'a Cluster>,
}
impl Running<'_> {
    /// Signals, failures, statistics, until the end.
    fn watch(&self, config: &mut Config, started: Instant) -> Ended {
        // Statistics are gathered beside everything else.
        let mut analyze = config.auto_analyze.map(|due| AutoAnalyze::new(self.database.clone(), due, started));
        loop {
            if self.signals.end.load(Ordering::SeqCst) {
                return Ended::Asked;
            }
            if self.signals.reload.swap(false, Ordering::SeqCst) {
                self.sources.reload(config, self.server, self.database);
            }
            if let Some(e) = self.shard.failure() {
                return Ended::Failed(line(e));
            }
            if self.cluster.is_some_and(Cluster::was_removed) {
                return Ended::Removed;
            }
            if self.cluster.is_some_and(Cluster::must_restart) {
                return Ended::Anew;
            }
            // In a cluster they are the leader's to gather.
            let here = self.cluster.is_none() || self.shard.leads();
            if let Some(job) = analyze.as_mut().filter(|_| here).and_then(|a| a.job(Instant::now())) {
                self.server.runtime().spawn(job);
            }
            std::thread::sleep(FAILURE_POLL);
        }
    }
}

/// The shard of a single node.
fn open_single(
    disk: Arc<dyn Disk>,
    archive: &mut Option<Preparation>,
    mut options: ShardOptions,
) -> Result<Arc<Shard>, String> {
    if let Some(a) = archive {
        a.hold(&*disk, &mut options)?;
    }
    Shard::open(disk, options).map_err(line)
}

fn shard_options(config: &Config) -> ShardOptions {
    ShardOptions {
        cache_size: config.cache_size,
        checkpoint_bytes: config.checkpoint_size,
        version_memory: config.version_memory,
        version_disk: config.version_disk,
        ..ShardOptions::default()
    }
}
/// The database, which a node of a cluster waits for.
fn open_database(
    config: &Config,
    cluster: Option<&Arc<Cluster>>,
    engine: Arc<dyn Engine>,
    end: &AtomicBool,
) -> pamir_types::Result<Arc<Database>> {
    let open = || Database::open_with(engine.clone(), config.query_memory, config.temp_disk());
    let Some(c) = cluster else { return open() };
    let database = node::patiently(c, end, open)?;
    node::hand_over_gently(c, config.node.as_ref().map_or(GRACE, |n| n.grace));
    if let Some(n) = &config.node {
        c.set_slow_margin(n.slow_margin);
    }
    database.set_cluster(Arc::new(operations::OfNode(c.clone())));
    Ok(database)
}

fn serve(mut config: Config, protocol: pamir_pg::Config, sources: Sources, signals: &Signals) -> Result<(), String> {
    let started = Instant::now();
    let mut archive = Preparation::new(&config.archive)?;
    let options = shard_options(&config);
    alloc::hold_reserve();
    memory::limit_to(config.memory_limit(), memory::Gauge { used: alloc::used, exhausted: alloc::exhausted });
    let mut disk = || -> Result<Arc<dyn Disk>, String> {
        RealDisk::open_with(&config.data_dir, config.direct_io).map(|d| d as Arc<dyn Disk>).map_err(line)
    };
    let cluster = match &config.node {
        None => None,
        Some(n) => {
            let settings = node::settings(n, &config, options.clone())?;
            match node::open(&mut disk, &settings, &signals.end)? {
                Some(c) => Some(c),
                None => return Ok(()),
            }
        }
    };
    let shard = match &cluster {
        Some(c) => c.shard().clone(),
        None => open_single(disk()?, &mut archive, options)?,
    };
    let close = |why: Option<String>| {
        if let Some(c) = &cluster {
            c.stop();
        }
        let closed = shard.close().map_err(line);
        match why {
            Some(why) => Err(why),
            None => closed,
        }
    };
    let engine: Arc<dyn Engine> = match &cluster {
        Some(c) => c.engine().map_err(line)?,
        None => face(&shard).map_err(line)?,
    };
    let database = match open_database(&config, cluster.as_ref(), engine, &signals.end) {
        Ok(d) => d,
        Err(e) => return close(Some(line(e))),
    };
    let desk = match Desk::open(&shard, cluster.as_ref(), archive) {
        Ok(d) => d,
        Err(e) => return close(Some(line(e))),
    };
    let _ = database.backups.set(desk.clone());
    database.configure(facts(&config, sources.file.as_deref()));
    let source = Arc::new(metrics::Source {
        desk: desk.clone(),
        database: database.clone(),
        server: OnceLock::new(),
        started,
        stopping: AtomicBool::new(false),
        cluster: cluster.clone(),
    });
    if let Some(addr) = config.http_addr {
        match http::start(addr, source.clone()) {
            Ok(bound) => tracing::info!("health and metrics on http://{bound}"),
            Err(e) => return close(Some(cannot_listen("HTTP", "--http-addr", addr, e))),
        }
    }
    let server = match Server::start(database.clone(), config.pg_addr, protocol) {
        Ok(s) => s,
        Err(e) => return close(Some(cannot_listen("PostgreSQL clients", "--pg-addr", config.pg_addr, e))),
    };
    if let Some(c) = &cluster {
        c.spawn_on(Arc::new(node::OnWorkers(server.runtime().spawner())));
    }
    let _ = source.server.set(server.stats_handle());
    // A closed standard output is no reason not to serve.
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "Pamir is ready: postgres://postgres@{}/postgres", server.local_addr())
        .and_then(|()| stdout.flush());
    tracing::info!(data_dir = %config.data_dir.display(), cache = config.cache_size, "started in {:?}", started.elapsed());

    let running = Running {
        signals,
        sources: &sources,
        server: &server,
        database: &database,
        shard: &shard,
        cluster: cluster.as_deref(),
    };
    let (mut failed, mut restart, mut removed) = (None, false, false);
    match running.watch(&mut config, started) {
        Ended::Asked => {}
        Ended::Anew => restart = true,
        Ended::Removed => removed = true,
        Ended::Failed(e) => failed = Some(e),
    }
    if let Some(e) = failed {
        tracing::error!("the shard has failed, stopping: {e}");
        return Err(format!(
            "the shard has failed and nothing more can be acknowledged: {}. What was acknowledged is in the log; start again once the cause is gone.",
            e.trim_end_matches('.')
        ));
    }
    source.stopping.store(true, Ordering::Relaxed);
    tracing::info!("stopping: finishing what is in flight");
    if let (Some(c), Some(n)) = (&cluster, &config.node) {
        node::hand_over(c, n.grace);
    }
    // The others may need this node for a majority: nobody's statement is worth their wait.
    let ended = if restart { server.shutdown_within(Duration::ZERO) } else { server.shutdown() };
    if !ended {
        tracing::error!("a worker thread panicked or did not end");
    }
    // What is not archived is held until the shard is closed.
    let held = desk.stop();
    if let Some(c) = &cluster {
        c.stop();
    }
    shard.close().map_err(|e| format!("could not finish the last checkpoint: {}", line(e)))?;
    drop(held);
    tracing::info!("stopped");
    if removed {
        return Err(node::removed(cluster.as_deref()));
    }
    if restart { start_anew() } else { Ok(()) }
}

/// The program, executed anew with the arguments that it was given: a snapshot is there to start from.
fn start_anew() -> Result<(), String> {
    use std::os::unix::process::CommandExt;
    let program = std::env::current_exe().map_err(|e| format!("could not start anew: {e}"))?;
    let e = std::process::Command::new(program).args(std::env::args_os().skip(1)).exec();
    Err(format!("could not start anew: {e}"))
}

/// Memory for pages while checking.
const CHECK_CACHE: u64 = 256 << 20;

/// `pamir check`: every page, tree order and the free map of the newest checkpoint; then, with the log replayed in memory, every row against its index
/// entries and back. Changes nothing in the directory.
pub fn check(dir: &Path) -> Result<(), String> {
    if !dir.is_dir() {
        return Err(format!("there is no directory \"{}\". Name the data directory with --data-dir.", dir.display()));
    }
    let disk = RealDisk::open_read_only(dir).map_err(line)?;
    let r = pamir_storage::store::check::check(disk.clone()).map_err(line)?;
    println!("checkpoint {} at log position {}", r.generation, r.lsn);
    println!("{} trees, {} entries", r.trees, r.entries);
    println!("{} leaf, {} inner, {} overflow pages", r.leaf_pages, r.inner_pages, r.overflow_pages);
    println!("{} page slots, {} free", r.slots, r.free_slots);
    for problem in &r.problems {
        println!("problem: {problem}");
    }
    if !r.is_clean() {
        return Err(format!(
            "{} problems in \"{}\". Restore the directory from a backup.",
            r.problem_count,
            dir.display()
        ));
    }
    let overlay = Overlay::new(disk).map_err(line)?;
    let options = ShardOptions { cache_size: CHECK_CACHE, io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(overlay, options).map_err(line)?;
    println!("log replayed up to timestamp {}", shard.applied_ts());
    let mut problems = 0;
    for t in pamir_sql::check::check(&shard).map_err(line)? {
        let verdict = if t.problem_count == 0 { "ok".into() } else { format!("{} problems", t.problem_count) };
        println!("table {}: {} rows, {} indexes, {} entries: {verdict}", t.name, t.rows, t.indexes, t.entries);
        for problem in &t.problems {
            println!("problem: table {}: {problem}", t.name);
        }
        problems += t.problem_count;
    }
    if problems == 0 {
        return Ok(());
    }
    Err(format!(
        "{problems} disagreements between rows and indexes in \"{}\". REINDEX the tables named above, or restore the directory from a backup.",
        dir.display()
    ))
}
