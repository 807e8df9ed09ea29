//! The server's backups: what `pamir_backup()` begins, the archiver, and what of both an operator sees.
//!
//! ```text
//!   before the shard is opened   Preparation: the store, what is held of the log, stamps
//!   while it serves              Desk ── sessions (Backups) ── one base backup at a time, on a thread of its own
//!                                  └─── the archiver's thread
//!   at the end                   stop: the last pieces; the hold stays until the shard is closed
//! ```
//! - [`command`]: `pamir backup`, `pamir restore`.
pub mod command;

use crate::config::Archive;
use crate::one_line::line;
use pamir_backup::archive::{self, Archiver, Archiving, Figures};
use pamir_backup::base::{self, DEFAULT_RATE, Progress};
use pamir_backup::source::{GroupLog, OwnLog, Source};
use pamir_backup::store::Store;
use pamir_cluster::cluster::Cluster;
use pamir_sql::backups::{ArchiveLine, Backup, BackupLine, Backups};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use pamir_txn::{Hold, Shard, ShardOptions};
use pamir_types::{Error, Result, err};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, Waker};

/// What the archive needs before the shard is opened.
pub struct Preparation {
    store: Store,
    options: archive::Options,
    hold: Option<Hold>,
}
impl Preparation {
    /// None: the log is not archived.
    pub fn new(archive: &Option<Archive>) -> std::result::Result<Option<Preparation>, String> {
        let Some(a) = archive else { return Ok(None) };
        let store = Store::open(&a.target).map_err(|e| format!("--archive: {}", line(e)))?;
        let options = archive::Options { timeout: a.timeout, lag: a.lag, ..archive::Options::default() };
        Ok(Some(Preparation { store, options, hold: None }))
    }
    /// Of a single node's directory: batches are stamped, and what the archive has not got is held.
    pub fn hold(&mut self, disk: &dyn Disk, options: &mut ShardOptions) -> std::result::Result<(), String> {
        options.stamps = true;
        self.hold = archive::read_mark(disk).map_err(line)?.map(|at| options.holds.hold(at));
        Ok(())
    }
}

/// The server's backups.
pub struct Desk {
    source: Arc<dyn Source>,
    platform: Arc<dyn Platform>,
    running: Mutex<Option<Arc<Job>>>,
    archiving: Option<Archiving>,
}
impl Desk {
    /// The archiver begins to work.
    pub fn open(shard: &Arc<Shard>, cluster: Option<&Arc<Cluster>>, archive: Option<Preparation>) -> Result<Arc<Desk>> {
        let source: Arc<dyn Source> = match cluster {
            Some(c) => Arc::new(GroupLog::new(c.clone())),
            None => Arc::new(OwnLog::new(shard.clone())?),
        };
        let disk = cluster.is_none().then(|| shard.store().disk().clone());
        let archiving = match archive {
            None => None,
            Some(p) => Some(Archiving::start(Archiver::new(p.store, source.clone(), p.options, disk, p.hold))?),
        };
        Ok(Arc::new(Desk { source, platform: shard.platform().clone(), running: Mutex::default(), archiving }))
    }
    /// Ends what is under way and archives what is durable. What this returns is to live until the shard is closed.
    pub fn stop(&self) -> Option<Archiver> {
        if let Some(job) = self.running.lock().take() {
            job.cancel();
            job.await_end();
        }
        self.archiving.as_ref().and_then(Archiving::stop)
    }
    /// Microseconds since 1970.
    pub fn time(&self) -> i64 {
        self.platform.time()
    }
    pub fn figures(&self) -> Option<Figures> {
        self.archiving.as_ref().map(Archiving::figures)
    }
}
impl Backups for Desk {
    fn begin(&self, target: &str, max_rate: Option<u64>, pid: i32) -> Result<Arc<dyn Backup>> {
        let mut running = self.running.lock();
        if running.as_ref().is_some_and(|j| !j.is_over()) {
            return Err(err!(OBJECT_IN_USE, "a backup of this node is under way already")
                .hint("Wait for it, or cancel its statement (see pg_stat_progress_basebackup)."));
        }
        let job = Arc::new(Job { pid, ..Job::default() });
        let store = Store::open(target)?.with_rate(max_rate.unwrap_or(DEFAULT_RATE)).with_cancel(job.cancelled.clone());
        let (source, platform, of) = (self.source.clone(), self.platform.clone(), job.clone());
        let run = move || {
            let made = catch_unwind(AssertUnwindSafe(|| base::create(&store, &*source, &*platform, &of.progress)));
            let made = made.unwrap_or_else(|_| Err(Error::internal("the backup's thread panicked")));
            match &made {
                Ok((id, m)) => tracing::info!(id, bytes = m.size(), store = %store.describe(), "a base backup is done"),
                Err(e) => tracing::warn!(error = %e, "a base backup was not made"),
            }
            of.end(made.map(|(id, _)| id));
        };
        std::thread::Builder::new()
            .name("backup".into())
            .spawn(run)
            .map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))?;
        *running = Some(job.clone());
        Ok(job)
    }
    fn running(&self) -> Option<BackupLine> {
        let running = self.running.lock();
        let job = running.as_ref().filter(|j| !j.is_over())?;
        let p = &job.progress;
        Some(BackupLine {
            pid: job.pid,
            phase: p.phase(),
            total: p.total.load(Ordering::Relaxed),
            streamed: p.streamed.load(Ordering::Relaxed),
        })
    }
    fn archive(&self) -> Option<ArchiveLine> {
        let f = self.figures()?;
        Some(ArchiveLine { archived: f.archived, last: f.last, failed: f.failed, last_failed: f.last_failed })
    }
}

/// A base backup under way.
#[derive(Default)]
struct Job {
    pid: i32,
    cancelled: Arc<AtomicBool>,
    progress: Progress,
    state: Mutex<JobState>,
}
#[derive(Default)]
struct JobState {
    outcome: Option<Result<String>>,
    waiting: Vec<Waker>,
}
impl Job {
    fn is_over(&self) -> bool {
        self.state.lock().outcome.is_some()
    }
    fn end(&self, outcome: Result<String>) {
        let waiting = {
            let mut s = self.state.lock();
            s.outcome = Some(outcome);
            std::mem::take(&mut s.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }
    fn await_end(&self) {
        let _ = pamir_storage::task::wait(None, |w| self.poll(w));
    }
}
impl Backup for Job {
    fn poll(&self, waker: &Waker) -> Poll<Result<String>> {
        let mut s = self.state.lock();
        match &s.outcome {
            Some(o) => Poll::Ready(o.clone()),
            None => {
                s.waiting.retain(|w| !w.will_wake(waker));
                s.waiting.push(waker.clone());
                Poll::Pending
            }
        }
    }
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
    }
}
