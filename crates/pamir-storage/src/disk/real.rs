//! The operating system's files: positioned reads and writes, `fdatasync`, and an exclusive lock on the directory.
//!
//! Names are relative to one directory. [`RealDisk::open`] creates it (mode 0700) and holds `pamir.lock` with `flock` until dropped, so two
//! processes never share a directory; the lock goes with the process, however it ends.
use super::{Disk, File, TEMP_PREFIX};
use pamir_types::{Error, Result, err};
use std::fs;
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes written at once when zeroing.
const ZERO_CHUNK: usize = 1 << 20;
/// The lock's file name.
pub const LOCK_FILE: &str = "pamir.lock";

pub struct RealDisk {
    dir: PathBuf,
    handle: fs::File,
    _lock: fs::File,
}

fn io_error(what: &str, path: &Path, e: std::io::Error) -> Error {
    let name = path.display();
    if e.raw_os_error() == Some(libc::ENOSPC) || e.raw_os_error() == Some(libc::EDQUOT) {
        return err!(DISK_FULL, "could not {what} file \"{name}\": {}", reason(&e)).hint("Check free disk space.");
    }
    match e.kind() {
        ErrorKind::NotFound => err!(UNDEFINED_FILE, "could not {what} file \"{name}\": {}", reason(&e)),
        ErrorKind::PermissionDenied => err!(INSUFFICIENT_PRIVILEGE, "could not {what} file \"{name}\": {}", reason(&e)),
        _ => err!(IO_ERROR, "could not {what} file \"{name}\": {}", reason(&e)),
    }
}
/// The system's words without Rust's "(os error n)".
fn reason(e: &std::io::Error) -> String {
    let s = e.to_string();
    s.split(" (os error").next().unwrap_or(&s).to_string()
}

impl RealDisk {
    /// Opens the directory, creating it when absent, and locks it: 55006 when another process has it.
    pub fn open(dir: &Path) -> Result<Arc<RealDisk>> {
        if !dir.exists() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(dir)
                .map_err(|e| err!(IO_ERROR, "could not create directory \"{}\": {}", dir.display(), reason(&e)))?;
        }
        // a directory just created must itself survive a crash; syncing its parent costs nothing otherwise
        let parent = dir.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Ok(p) = fs::File::open(parent) {
            p.sync_all().map_err(|e| io_error("fsync", parent, e))?;
        }
        let handle = fs::File::open(dir).map_err(|e| io_error("open", dir, e))?;
        let path = dir.join(LOCK_FILE);
        let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).read(true).mode(0o600).open(&path);
        let lock = lock.map_err(|e| io_error("open", &path, e))?;
        // SAFETY: flock on a descriptor we own; no memory is involved.
        if unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            let e = std::io::Error::last_os_error();
            if e.kind() != ErrorKind::WouldBlock {
                return Err(io_error("lock", &path, e));
            }
            return Err(err!(OBJECT_IN_USE, "data directory \"{}\" is in use by another process", dir.display())
                .hint("Stop the other server, or choose another directory with --data-dir."));
        }
        let disk = Arc::new(RealDisk { dir: dir.to_path_buf(), handle, _lock: lock });
        for name in disk.list()?.iter().filter(|n| n.starts_with(TEMP_PREFIX)) {
            disk.remove(name)?;
        }
        Ok(disk)
    }
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Disk for RealDisk {
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        let path = self.dir.join(name);
        let file = fs::OpenOptions::new().read(true).write(true).create(create).truncate(false).mode(0o600).open(&path);
        let file = file.map_err(|e| io_error("open", &path, e))?;
        Ok(Arc::new(RealFile { file, path }))
    }
    fn exists(&self, name: &str) -> Result<bool> {
        let path = self.dir.join(name);
        path.try_exists().map_err(|e| io_error("access", &path, e))
    }
    fn list(&self) -> Result<Vec<String>> {
        let fail = |e| io_error("read", &self.dir, e);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(fail)? {
            if let Ok(name) = entry.map_err(fail)?.file_name().into_string() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let path = self.dir.join(from);
        fs::rename(&path, self.dir.join(to)).map_err(|e| io_error("rename", &path, e))
    }
    fn remove(&self, name: &str) -> Result<()> {
        let path = self.dir.join(name);
        fs::remove_file(&path).map_err(|e| io_error("remove", &path, e))
    }
    /// O_TMPFILE: the file never has a name, so no crash can leave it behind. File systems without it take the detour over a name.
    fn temp(&self) -> Result<Arc<dyn File>> {
        let flags = libc::O_TMPFILE;
        match fs::OpenOptions::new().read(true).write(true).custom_flags(flags).mode(0o600).open(&self.dir) {
            Ok(file) => Ok(Arc::new(RealFile { file, path: self.dir.join(TEMP_PREFIX) })),
            Err(e) if matches!(e.raw_os_error(), Some(libc::EOPNOTSUPP | libc::EISDIR | libc::EINVAL)) => {
                super::named_temp(self)
            }
            Err(e) => Err(io_error("create temporary", &self.dir, e)),
        }
    }
    fn sync_dir(&self) -> Result<()> {
        self.handle.sync_all().map_err(|e| io_error("fsync", &self.dir, e))
    }
}

struct RealFile {
    file: fs::File,
    path: PathBuf,
}
impl File for RealFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let mut n = 0;
        while n < buf.len() {
            match self.file.read_at(&mut buf[n..], offset + n as u64) {
                Ok(0) => break,
                Ok(k) => n += k,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(io_error("read", &self.path, e)),
            }
        }
        Ok(n)
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()> {
        self.file.write_all_at(buf, offset).map_err(|e| io_error("write", &self.path, e))
    }
    fn allocate(&self, len: u64) -> Result<()> {
        self.reserve(len)?;
        // really written: a reserved extent is "unwritten", and its first write would be a metadata change in the next sync
        let zeros = vec![0u8; ZERO_CHUNK.min(len as usize)];
        let mut at = 0;
        while at < len {
            let n = zeros.len().min((len - at) as usize);
            self.write_at(&zeros[..n], at)?;
            at += n as u64;
        }
        Ok(())
    }
    fn reserve(&self, len: u64) -> Result<()> {
        let old = self.len()?;
        if old >= len {
            return Ok(());
        }
        // SAFETY: a system call on a descriptor we own; no memory is involved.
        let rc =
            unsafe { libc::posix_fallocate(self.file.as_raw_fd(), old as libc::off_t, (len - old) as libc::off_t) };
        match rc {
            0 => Ok(()),
            libc::EOPNOTSUPP | libc::EINVAL | libc::ENOSYS => self.set_len(len),
            e => {
                let _ = self.set_len(old);
                Err(io_error("extend", &self.path, std::io::Error::from_raw_os_error(e)))
            }
        }
    }
    fn set_len(&self, len: u64) -> Result<()> {
        self.file.set_len(len).map_err(|e| io_error("truncate", &self.path, e))
    }
    fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(|e| io_error("stat", &self.path, e))?.len())
    }
    fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|e| io_error("fsync", &self.path, e))
    }
}
