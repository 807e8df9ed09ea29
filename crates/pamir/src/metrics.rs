//! What `/metrics` shows: the runtime's, the SQL layer's and the shard's counters, and the kernel's view of the process.
use pamir_pg::server::StatsHandle;
use pamir_sql::session::Database;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

pub struct Source {
    pub database: Arc<Database>,
    /// Set once the protocol serves.
    pub server: OnceLock<StatsHandle>,
    pub started: Instant,
    /// The end has begun.
    pub stopping: AtomicBool,
}

impl Source {
    /// Why the server does not serve.
    pub fn failure(&self) -> Option<String> {
        if self.stopping.load(Ordering::Relaxed) {
            return Some("stopping".into());
        }
        self.database.shard().failure().map(|e| e.message().to_string())
    }

    pub fn render(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, kind: &str, value: u64| {
            // Names come as words; Prometheus allows letters, digits and underscores.
            let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let _ = writeln!(out, "# TYPE pamir_{name} {kind}\npamir_{name} {value}");
        };
        line("up", "gauge", self.failure().is_none() as u64);
        line("uptime_seconds", "gauge", self.started.elapsed().as_secs());
        for (name, gauge, value) in self.server.get().map(|s| s.stats()).unwrap_or_default() {
            line(name, if gauge { "gauge" } else { "counter" }, value);
        }
        for (name, value) in self.database.stats() {
            line(&format!("sql_{name}"), "untyped", value);
        }
        for (name, value) in self.database.shard().stats() {
            line(&format!("shard_{name}"), "untyped", value);
        }
        for (name, gauge, value) in process() {
            line(name, if gauge { "gauge" } else { "counter" }, value);
        }
        let _ = writeln!(out, "# TYPE pamir_thread_cpu_microseconds_total counter");
        for (name, micros) in threads() {
            let _ = writeln!(out, "pamir_thread_cpu_microseconds_total{{thread=\"{name}\"}} {micros}");
        }
        out
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
fn process() -> Vec<(&'static str, bool, u64)> {
    let mut v = Vec::new();
    let field = |text: &str, name: &str| -> u64 {
        let line = text.lines().find_map(|l| l.strip_prefix(name));
        line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    v.push(("process_resident_memory_bytes", true, field(&status, "VmRSS:") << 10));
    v.push(("process_threads", true, field(&status, "Threads:")));
    // status counts the main thread's switches only: each thread is asked.
    let (mut voluntary, mut involuntary) = (0, 0);
    for task in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        voluntary += field(&text, "voluntary_ctxt_switches:");
        involuntary += field(&text, "nonvoluntary_ctxt_switches:");
    }
    v.push(("process_voluntary_context_switches_total", false, voluntary));
    v.push(("process_involuntary_context_switches_total", false, involuntary));
    // SAFETY: an all-zero rusage is a valid value, and getrusage only writes into it.
    let usage = unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut u);
        u
    };
    let micros = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
    v.push(("process_cpu_user_microseconds_total", false, micros(usage.ru_utime)));
    v.push(("process_cpu_system_microseconds_total", false, micros(usage.ru_stime)));
    if let Some((used, limit)) = pamir_types::memory::state() {
        v.push(("process_memory_used_bytes", true, used));
        v.push(("process_memory_limit_bytes", true, limit));
    }
    let (calls, bytes) = crate::alloc::allocated();
    v.push(("process_allocations_total", false, calls));
    v.push(("process_allocated_bytes_total", false, bytes));
    // What reached the disk, as the kernel counts it (absent where the kernel does not).
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    v.push(("process_disk_read_bytes_total", false, field(&io, "read_bytes:")));
    v.push(("process_disk_written_bytes_total", false, field(&io, "write_bytes:")));
    v.push(("process_open_fds", true, std::fs::read_dir("/proc/self/fd").map_or(0, |d| d.count() as u64)));
    v
}
