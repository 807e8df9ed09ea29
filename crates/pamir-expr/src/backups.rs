//! What SQL asks of the server's backups: to begin one, how far they are, what the archive of the log does.
//!
//! ```text
//!   pamir_backup(target, rate) ── Backend::backups ──► Backups::begin ──► Backup ── poll until it is done, or cancel
//!   pg_stat_progress_basebackup, pg_stat_archiver ──► Backups::running, archive
//! ```
//! The server gives its sessions an implementation when it starts ([`Backups`]); without one there is nothing to back up.
use pamir_types::Result;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// A server's backups.
pub trait Backups: Send + Sync {
    /// Begins a base backup into a store, for session `pid`. `max_rate`: bytes a second; None: the server's own pace. 55006 while one is under way.
    fn begin(&self, target: &str, max_rate: Option<u64>, pid: i32) -> Result<Arc<dyn Backup>>;
    fn running(&self) -> Option<BackupLine>;
    /// None: the log is not archived.
    fn archive(&self) -> Option<ArchiveLine>;
}
/// A backup that was begun.
pub trait Backup: Send + Sync {
    /// Its id once it is done; `waker` is woken then.
    fn poll(&self, waker: &Waker) -> Poll<Result<String>>;
    /// Nobody wants it any more.
    fn cancel(&self);
}
/// A row of pg_stat_progress_basebackup.
#[derive(Clone, Debug)]
pub struct BackupLine {
    pub pid: i32,
    pub phase: &'static str,
    pub total: u64,
    pub streamed: u64,
}
/// The row of pg_stat_archiver. Times are microseconds since 1970.
#[derive(Clone, Default, Debug)]
pub struct ArchiveLine {
    pub archived: u64,
    pub last: Option<(String, i64)>,
    pub failed: u64,
    pub last_failed: Option<(String, i64)>,
}
