//! What `/metrics` shows: the runtime's, the SQL layer's and the shard's counters, and the kernel's view of the process, as OpenMetrics.
//!
//! [`exposition`]: the format. [`described`]: names, units and help of what the layers count. [`cluster`]: the nodes.
mod cluster;
mod described;
pub mod exposition;

use crate::backup::Desk;
use described::Described;
use exposition::{Exposition, Kind};
use pamir_catalog::usage::{DatabaseUsage, OfDatabase};
use pamir_cluster::cluster::{Cluster, Condition};
use pamir_pg::server::StatsHandle;
use pamir_sql::session::Database;
use pamir_sql::stats::kinds::{BOUNDS_MICROS, StatementKind};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

pub struct Source {
    pub desk: Arc<Desk>,
    pub database: Arc<Database>,
    /// Set once the protocol serves.
    pub server: OnceLock<StatsHandle>,
    pub started: Instant,
    /// The end has begun.
    pub stopping: AtomicBool,
    /// Of which this is a node.
    pub cluster: Option<Arc<Cluster>>,
}

impl Source {
    /// Why the process is of no use any more.
    pub fn broken(&self) -> Option<String> {
        self.database.engine().failure().map(|e| e.message().to_string())
    }
    /// Why the server does not serve.
    pub fn failure(&self) -> Option<String> {
        if self.stopping.load(Ordering::Relaxed) {
            return Some("stopping".into());
        }
        self.broken()
    }

    /// What the node is; a single node leads itself.
    pub fn condition(&self) -> Condition {
        crate::operations::condition(self.cluster.as_deref())
    }
    /// It leads for certain.
    pub fn leads(&self) -> bool {
        self.cluster.as_ref().is_none_or(|c| c.leads_surely())
    }

    pub fn render(&self) -> String {
        let mut e = Exposition::default();
        let version = env!("CARGO_PKG_VERSION");
        e.family("build", Kind::Info, "The server's version.", |f| f.sample(&[("version", version)], 1.0));
        e.one("up", Kind::Gauge, "1 while the server serves.", f64::from(u8::from(self.failure().is_none())));
        e.one("uptime_seconds", Kind::Gauge, "Time since the start.", self.started.elapsed().as_secs_f64().floor());
        let pg = self.server.get().map(|s| s.stats()).unwrap_or_default();
        show(&mut e, "", described::PG, pg.into_iter().map(|(name, _, value)| (name, value)));
        show(&mut e, "sql_", described::SQL, self.database.stats());
        self.statements(&mut e);
        self.databases(&mut e);
        if let Some(c) = &self.cluster {
            cluster::show(&mut e, c);
        }
        self.archive(&mut e);
        show(&mut e, "shard_", described::SHARD, self.database.engine().stats());
        show(&mut e, "process_", described::PROCESS, process());
        e.family("thread_cpu_seconds", Kind::Counter, "CPU time by thread name.", |f| {
            threads().iter().for_each(|(name, micros)| f.sample(&[("thread", name)], *micros as f64 / 1e6));
        });
        e.finish()
    }
    /// The archive of the log, where there is one.
    fn archive(&self, e: &mut Exposition) {
        let Some(f) = self.desk.figures() else { return };
        let (counter, gauge) = (Kind::Counter, Kind::Gauge);
        e.one("archive_pieces", counter, "Pieces of the log stored.", f.archived as f64);
        e.one("archive_bytes", counter, "Bytes of the log stored.", f.bytes as f64);
        e.one("archive_failures", counter, "Attempts to archive that failed.", f.failed as f64);
        e.one(
            "archive_gaps",
            counter,
            "How often the archive lost its thread: a base backup is needed.",
            f.gaps as f64,
        );
        e.one("archive_position", gauge, "The log is archived up to here.", f.position as f64);
        e.one("archive_lag_bytes", gauge, "Bytes of log that are not archived.", f.lag as f64);
        e.one("archive_active", gauge, "1 where this node archives.", f64::from(u8::from(f.active)));
        let age = if f.until == 0 { f64::NAN } else { (self.desk.time() - f.until).max(0) as f64 / 1e6 };
        e.one("archive_age_seconds", gauge, "Time since what was durable is known to be archived.", age);
    }
    /// How long statements take.
    fn statements(&self, e: &mut Exposition) {
        e.family(
            "statement_duration_seconds",
            Kind::Histogram,
            "How long statements that ended well took, by kind.",
            |f| {
                for kind in StatementKind::ALL {
                    let r = self.database.durations.read(kind);
                    let bounds = BOUNDS_MICROS.iter().map(|b| *b as f64 / 1e6);
                    let upto: Vec<(f64, u64)> = bounds.zip(r.upto.iter().copied()).collect();
                    f.histogram(&[("kind", kind.name())], &upto, r.count, r.seconds);
                }
            },
        );
    }
    /// What pg_stat_database shows.
    fn databases(&self, e: &mut Exposition) {
        let all = self.database.usages();
        let mut counter = |name: &str, help: &str, of: &dyn Fn(&DatabaseUsage) -> f64| {
            e.family(name, Kind::Counter, help, |f| {
                all.iter().for_each(|(name, u)| f.sample(&[("database", name)], of(u)));
            });
        };
        let n = |what: OfDatabase| move |u: &DatabaseUsage| u.often.of_database(what) as f64;
        counter("database_commits", "Transactions committed.", &n(OfDatabase::Commits));
        counter("database_rollbacks", "Transactions rolled back.", &n(OfDatabase::Rollbacks));
        counter("database_sessions", "Sessions begun.", &n(OfDatabase::Sessions));
        let hits = |u: &DatabaseUsage| {
            u.often.of_database(OfDatabase::Pages).saturating_sub(u.often.of_database(OfDatabase::PagesRead)) as f64
        };
        counter("database_cache_hits", "Pages that statements found in the cache.", &hits);
        counter("database_cache_misses", "Pages that statements had to read from disk.", &n(OfDatabase::PagesRead));
        counter("database_temp_files", "Temporary files made.", &n(OfDatabase::TempFiles));
        counter("database_temp_bytes", "Bytes of temporary files.", &n(OfDatabase::TempBytes));
        counter("database_active_seconds", "Time that statements ran.", &|u| {
            u.often.of_database(OfDatabase::ActiveMicros) as f64 / 1e6
        });
        counter("database_idle_in_transaction_seconds", "Time that sessions idled in a transaction.", &|u| {
            u.idle_in_transaction_micros.load(Ordering::Relaxed) as f64 / 1e6
        });
        counter("database_deadlocks", "Deadlocks.", &|u| u.deadlocks.load(Ordering::Relaxed) as f64);
    }
}

/// Shows what is described under its name there; a counter that nobody described goes under the layer's name for it.
fn show(
    e: &mut Exposition,
    prefix: &str,
    described: &[Described],
    values: impl IntoIterator<Item = (&'static str, u64)>,
) {
    for (source, value) in values {
        match described.iter().find(|d| d.source == source) {
            Some(d) => e.one(d.name, d.kind, d.help, value as f64 * d.scale),
            None => {
                let name = format!("{prefix}{}", source.trim_end_matches("_total"));
                e.one(&name, Kind::Gauge, "Not described.", value as f64);
            }
        }
    }
}

/// CPU time by thread name (threads of one name together): what a statement costs in the workers, a commit in log and applier.
fn threads() -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for task in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let read = |f: &str| std::fs::read_to_string(task.path().join(f)).unwrap_or_default();
        // schedstat: nanoseconds on a processor, nanoseconds ready to run, times run.
        let nanos: u64 = read("schedstat").split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let name: String =
            read("comm").trim().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        *all.entry(name).or_default() += nanos / 1000;
    }
    all
}

/// Memory, context switches and CPU time, of all threads.
fn process() -> Vec<(&'static str, u64)> {
    let mut v = Vec::new();
    let field = |text: &str, name: &str| -> u64 {
        let line = text.lines().find_map(|l| l.strip_prefix(name));
        line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    v.push(("resident_memory_bytes", field(&status, "VmRSS:") << 10));
    v.push(("threads", field(&status, "Threads:")));
    // status counts the main thread's switches only: each thread is asked.
    let (mut voluntary, mut involuntary) = (0, 0);
    for task in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        voluntary += field(&text, "voluntary_ctxt_switches:");
        involuntary += field(&text, "nonvoluntary_ctxt_switches:");
    }
    v.push(("voluntary_context_switches", voluntary));
    v.push(("involuntary_context_switches", involuntary));
    // SAFETY: an all-zero rusage is a valid value, and getrusage only writes into it.
    let usage = unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut u);
        u
    };
    let micros = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
    v.push(("cpu_user_micros", micros(usage.ru_utime)));
    v.push(("cpu_system_micros", micros(usage.ru_stime)));
    if let Some((used, limit)) = pamir_types::memory::state() {
        v.push(("memory_used_bytes", used));
        v.push(("memory_limit_bytes", limit));
    }
    let (calls, bytes) = crate::alloc::allocated();
    v.push(("allocations", calls));
    v.push(("allocated_bytes", bytes));
    // What reached the disk, as the kernel counts it (absent where the kernel does not).
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    v.push(("disk_read_bytes", field(&io, "read_bytes:")));
    v.push(("disk_written_bytes", field(&io, "write_bytes:")));
    v.push(("open_fds", std::fs::read_dir("/proc/self/fd").map_or(0, |d| d.count() as u64)));
    v
}
