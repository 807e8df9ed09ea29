//! Files through a narrow interface, so that the crash tests can stand a simulated disk underneath.
//!
//! [`overlay`] reads one and changes nothing; [`real`] is the operating system's; [`sim`] keeps everything in memory, loses and tears what was not synced, and injects faults; [`gated`] lets a test hold what it likes.
//!
//! Every call that makes something durable goes through [`File::sync_at`] or [`Disk::sync_dir_at`] with the name of its place in the
//! engine ([`sync_point`]); the simulated disk counts them and can be told to skip one place, which shows that the tests notice.
pub mod gated;
pub mod overlay;
pub mod real;
pub mod sim;
use pamir_error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names of temporary files begin so for the moment that they have one; [`real::RealDisk::open`] removes what a crash left of them.
pub const TEMP_PREFIX: &str = "pamir.tmp.";

/// The places in the engine that sync; see [`File::sync_at`].
pub mod sync_point {
    /// A batch of the log.
    pub const LOG: &str = "log.batch";
    /// A segment that a batch filled, before the batch counts as durable.
    pub const LOG_FULL_SEGMENT: &str = "log.full-segment";
    /// The name of a segment newly put to use.
    pub const LOG_DIR: &str = "log.dir";
    /// What recovery kept and cut of the last segment.
    pub const LOG_RECOVER: &str = "log.recover";
    /// Segments before the last that may hold unsynced records.
    pub const LOG_RECOVER_OLDER: &str = "log.recover-older";
    /// Segment names that recovery changed.
    pub const LOG_RECOVER_DIR: &str = "log.recover-dir";
    /// Pages of a checkpoint, before the superblock names them.
    pub const CHECKPOINT_PAGES: &str = "checkpoint.pages";
    /// The superblock.
    pub const CHECKPOINT_SUPER: &str = "checkpoint.super";
    /// The names of a new store's files.
    pub const STORE_DIR: &str = "store.dir";
    /// The superblock found at start: a killed process may have left it unsynced, and slots of the one before it are about to be reused.
    pub const STORE_RECOVER: &str = "store.recover";
    /// The names found at start, for the same reason.
    pub const STORE_RECOVER_DIR: &str = "store.recover-dir";
    pub const ALL: [&str; 11] = [
        LOG,
        LOG_FULL_SEGMENT,
        LOG_DIR,
        LOG_RECOVER,
        LOG_RECOVER_OLDER,
        LOG_RECOVER_DIR,
        CHECKPOINT_PAGES,
        CHECKPOINT_SUPER,
        STORE_DIR,
        STORE_RECOVER,
        STORE_RECOVER_DIR,
    ];
}

/// What reads and writes of a file opened with [`Disk::open_direct`] are multiples of, offset and length.
pub const BLOCK: u64 = 4096;

/// No space is left (53100). The one failure of a write that time may heal.
pub fn is_full(e: &Error) -> bool {
    e.code() == pamir_error::error::state::DISK_FULL
}

/// A directory of files. Names are plain (no separators).
pub trait Disk: Send + Sync {
    /// Opens `name`, creating it when `create`. A created file survives a crash only after [`Disk::sync_dir`].
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>>;
    /// [`Disk::open`] for reads and writes of whole [`BLOCK`]s, past the operating system's cache where that is possible: pages and log have memory of their own
    /// here, and what was written must not wait in another queue for a sync. A file is not written through both kinds of handles at a time.
    fn open_direct(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        self.open(name, create)
    }
    fn exists(&self, name: &str) -> Result<bool>;
    fn list(&self) -> Result<Vec<String>>;
    fn rename(&self, from: &str, to: &str) -> Result<()>;
    fn remove(&self, name: &str) -> Result<()>;
    /// A file without a name for what need not survive: gone with its last handle, or with the process.
    fn temp(&self) -> Result<Arc<dyn File>>;
    fn sync_dir(&self) -> Result<()>;
    /// [`Disk::sync_dir`] on behalf of a [`sync_point`].
    fn sync_dir_at(&self, _point: &'static str) -> Result<()> {
        self.sync_dir()
    }
}
/// A name that no other temporary file of this process has.
fn temp_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{TEMP_PREFIX}{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
/// A temporary file that has a name for a moment.
fn named_temp(disk: &dyn Disk) -> Result<Arc<dyn File>> {
    let name = temp_name();
    let file = disk.open(&name, true)?;
    disk.remove(&name)?;
    Ok(file)
}
/// One open file. Offsets and lengths in bytes. Errors: 58030, 53100 when the disk is full.
pub trait File: Send + Sync {
    /// Reads until `buf` is full or the file ends; returns how much.
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize>;
    /// Several reads at once, each as [`File::read_at`], but it may also end short of the file's end: the caller reads on.
    fn read_many(&self, reads: &mut [(&mut [u8], u64)]) -> Vec<Result<usize>> {
        reads.iter_mut().map(|(buf, offset)| self.read_at(buf, *offset)).collect()
    }
    /// How many reads at once are worth it; 1: they are done one after the other.
    fn batch(&self) -> usize {
        1
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()>;
    /// Reserves and zeroes space so that later writes and syncs change no metadata.
    fn allocate(&self, len: u64) -> Result<()>;
    /// Grows the file to `len` with space reserved but not written; never shrinks it.
    fn reserve(&self, len: u64) -> Result<()> {
        if self.len()? < len { self.set_len(len) } else { Ok(()) }
    }
    fn set_len(&self, len: u64) -> Result<()>;
    fn len(&self) -> Result<u64>;
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
    /// fdatasync.
    fn sync(&self) -> Result<()>;
    /// [`File::sync`] on behalf of a [`sync_point`].
    fn sync_at(&self, _point: &'static str) -> Result<()> {
        self.sync()
    }
}
