//! Files through a narrow interface, so that the crash tests can stand a simulated disk underneath.
use pamir_types::Result;
use std::sync::Arc;

/// A directory of files. Names are plain (no separators).
pub trait Disk: Send + Sync {
    /// Opens `name`, creating it when `create`. A created file survives a crash only after [`Disk::sync_dir`].
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>>;
    fn exists(&self, name: &str) -> Result<bool>;
    fn list(&self) -> Result<Vec<String>>;
    fn rename(&self, from: &str, to: &str) -> Result<()>;
    fn remove(&self, name: &str) -> Result<()>;
    fn sync_dir(&self) -> Result<()>;
}
/// One open file. Offsets and lengths in bytes. Errors: 58030, 53100 when the disk is full.
pub trait File: Send + Sync {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize>;
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()>;
    /// Reserves and zeroes space so that later writes and syncs change no metadata.
    fn allocate(&self, len: u64) -> Result<()>;
    fn set_len(&self, len: u64) -> Result<()>;
    fn len(&self) -> Result<u64>;
    /// fdatasync.
    fn sync(&self) -> Result<()>;
}
