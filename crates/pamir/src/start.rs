//! The server's life: lock the directory, recover, listen, say so, wait for a signal, finish, checkpoint.
use crate::config::{Config, Settings};
use crate::{http, metrics};
use pamir_pg::{Server, tls};
use pamir_sql::session::Database;
use pamir_storage::disk::overlay::Overlay;
use pamir_storage::disk::real::RealDisk;
use pamir_txn::{Shard, ShardOptions};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How often the main thread looks for a failed shard.
const FAILURE_POLL: Duration = Duration::from_millis(100);

/// An error as one line: message, detail, hint.
fn line(e: pamir_types::Error) -> String {
    let d = e.data();
    let parts = [Some(&d.message), d.detail.as_ref(), d.hint.as_ref()];
    let mut s = String::new();
    for part in parts.into_iter().flatten() {
        if !s.is_empty() {
            s.push_str(if s.ends_with(['.', '!', '?']) { " " } else { ". " });
        }
        s.push_str(&part.replace('\n', " "));
    }
    s
}

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

/// Each connection takes a descriptor; the soft limit is often 1024.
fn raise_descriptor_limit() {
    // SAFETY: both calls work on the struct passed to them and nothing else.
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 && limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        }
    }
}

fn log_to_stderr(level: &str) -> Result<(), String> {
    let filter = tracing_subscriber::EnvFilter::try_new(level).map_err(|e| format!("--log-level {level}: {e}"))?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
    Ok(())
}

pub fn start(file: Option<PathBuf>, settings: Settings) -> Result<(), String> {
    let file = file.map(|f| Settings::from_file(&f)).transpose()?.unwrap_or_default();
    let config = settings.resolve(file)?;
    log_to_stderr(&config.log_level)?;
    raise_descriptor_limit();
    // Before anything is opened: a signal during recovery must not kill the process in the middle of nothing.
    let signalled = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, signalled.clone()).map_err(|e| format!("could not handle signals: {e}"))?;
    }
    serve(config, &signalled)
}

fn serve(config: Config, signalled: &AtomicBool) -> Result<(), String> {
    let started = Instant::now();
    let tls = config.tls.as_ref().map(|(cert, key)| tls::load(cert, key)).transpose().map_err(line)?;
    let disk = RealDisk::open_with(&config.data_dir, config.direct_io).map_err(line)?;
    let options = ShardOptions {
        cache_size: config.cache_size,
        checkpoint_bytes: config.checkpoint_size,
        version_memory: config.version_memory,
        version_disk: config.version_disk,
        ..ShardOptions::default()
    };
    let shard = Shard::open(disk, options).map_err(line)?;
    let close = |why: Option<String>| {
        let closed = shard.close().map_err(line);
        match why {
            Some(why) => Err(why),
            None => closed,
        }
    };
    let database = match Database::open(shard.clone()) {
        Ok(d) => d,
        Err(e) => return close(Some(line(e))),
    };
    let source = Arc::new(metrics::Source { database: database.clone(), server: OnceLock::new(), started });
    if let Some(addr) = config.http_addr {
        match http::start(addr, source.clone()) {
            Ok(bound) => tracing::info!("health and metrics on http://{bound}"),
            Err(e) => return close(Some(cannot_listen("HTTP", "--http-addr", addr, e))),
        }
    }
    let protocol = pamir_pg::Config {
        max_connections: config.max_connections,
        workers: config.workers,
        tls,
        insecure: config.insecure,
        ..pamir_pg::Config::default()
    };
    let server = match Server::start(database, config.pg_addr, protocol) {
        Ok(s) => s,
        Err(e) => return close(Some(cannot_listen("PostgreSQL clients", "--pg-addr", config.pg_addr, e))),
    };
    let _ = source.server.set(server.stats_handle());
    // A closed standard output is no reason not to serve.
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "Pamir is ready: postgres://postgres@{}/postgres", server.local_addr())
        .and_then(|()| stdout.flush());
    tracing::info!(data_dir = %config.data_dir.display(), cache = config.cache_size, "started in {:?}", started.elapsed());

    let failed = loop {
        if signalled.load(Ordering::SeqCst) {
            break None;
        }
        if let Some(e) = shard.failure() {
            break Some(line(e));
        }
        std::thread::sleep(FAILURE_POLL);
    };
    if let Some(e) = failed {
        tracing::error!("the shard has failed, stopping: {e}");
        return Err(format!(
            "the shard has failed and nothing more can be acknowledged: {}. What was acknowledged is in the log; start again once the cause is gone.",
            e.trim_end_matches('.')
        ));
    }
    tracing::info!("stopping: finishing what is in flight");
    if !server.shutdown() {
        tracing::error!("a worker thread panicked");
    }
    shard.close().map_err(|e| format!("could not finish the last checkpoint: {}", line(e)))?;
    tracing::info!("stopped");
    Ok(())
}

/// Memory for pages while checking.
const CHECK_CACHE: u64 = 256 << 20;

/// `pamir check`: every page, tree order and the free map of the newest checkpoint; then, with the log replayed in memory, every row against its index
/// entries and back. Changes nothing in the directory.
pub fn check(dir: &Path) -> Result<(), String> {
    if !dir.is_dir() {
        return Err(format!("there is no directory \"{}\". Name the data directory with --data-dir.", dir.display()));
    }
    let disk = RealDisk::open(dir).map_err(line)?;
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
