//! The operating system's files: positioned reads and writes, `fdatasync`, and an exclusive lock on the directory.
//!
//! Names are relative to one directory, held open from the start: [`RealDisk::open`] creates it (mode 0700), and all names are looked up in that very directory
//! (`openat`), whatever happens to its path meanwhile. The lock (`flock`) is on the directory itself, until dropped: there is no file to remove or replace under
//! it, so two processes never share a directory; the lock goes with the process, however it ends.
//!
//! **Descriptors**: [`SPARE_DESCRIPTORS`] are held back for log and pages. Where the process has none left, opening one of their files gives one of these up
//! and takes it; they are filled up again once there are some. Temporary files get none of them: 53000 ends the statement that wanted one.
//!
//! **Direct** files (O_DIRECT) go past the page cache: data lies in memory once, a sync has no backlog to write, and the bytes written are those asked for
//! (a cached write of one block can dirty a folio of megabytes). File systems without it get ordinary files. The kernel wants memory aligned as well: callers
//! that have none go through a buffer of the thread.
use super::{BLOCK, Disk, File, TEMP_PREFIX};
use crate::aio;
use pamir_error::{Error, Result, err};
use parking_lot::Mutex;
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::cell::RefCell;
use std::fs;
use std::io::ErrorKind;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes written at once when zeroing.
const ZERO_CHUNK: usize = 1 << 20;
/// Bytes of a thread's aligned buffer at most.
const BOUNCE_SIZE: usize = 1 << 20;
/// Descriptors held back for log and pages: a checkpoint beside a segment's change needs a handful at a time.
pub const SPARE_DESCRIPTORS: usize = 16;

pub struct RealDisk {
    dir: PathBuf,
    direct: bool,
    read_only: bool,
    /// The directory; the lock is on it.
    handle: OwnedFd,
    spare: Mutex<Vec<OwnedFd>>,
}

fn io_error(what: &str, path: &Path, e: impl Into<std::io::Error>) -> Error {
    let (name, e) = (path.display(), e.into());
    match e.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => {
            return err!(DISK_FULL, "could not {what} file \"{name}\": {}", reason(&e)).hint("Check free disk space.");
        }
        Some(libc::EMFILE | libc::ENFILE) => {
            return err!(INSUFFICIENT_RESOURCES, "could not {what} file \"{name}\": {}", reason(&e));
        }
        _ => {}
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
        RealDisk::open_with(dir, true)
    }
    /// As [`RealDisk::open`]; without `direct` all files go through the operating system's cache.
    pub fn open_with(dir: &Path, direct: bool) -> Result<Arc<RealDisk>> {
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
        let disk = RealDisk::lock(dir, direct, false)?;
        for name in disk.list()?.iter().filter(|n| n.starts_with(TEMP_PREFIX)) {
            disk.remove(name)?;
        }
        disk.refill();
        Ok(disk)
    }
    /// For who only looks: the directory must be there, nothing in it is created or changed, and no right to write is needed. Any number of readers share it;
    /// 55006 while a server has it.
    pub fn open_read_only(dir: &Path) -> Result<Arc<RealDisk>> {
        RealDisk::lock(dir, false, true)
    }
    fn lock(dir: &Path, direct: bool, read_only: bool) -> Result<Arc<RealDisk>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(CWD, dir, flags, Mode::empty()).map_err(|e| io_error("open", dir, e))?;
        let how =
            if read_only { FlockOperation::NonBlockingLockShared } else { FlockOperation::NonBlockingLockExclusive };
        match rustix::fs::flock(&handle, how) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                return Err(err!(OBJECT_IN_USE, "data directory \"{}\" is in use by another process", dir.display())
                    .hint("Stop the other server, or choose another directory with --data-dir."));
            }
            Err(e) => return Err(io_error("lock", dir, e)),
        }
        Ok(Arc::new(RealDisk { dir: dir.to_path_buf(), direct, read_only, handle, spare: Mutex::default() }))
    }
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// Holds back descriptors again; those that cannot be had now come later.
    fn refill(&self) {
        let mut spare = self.spare.lock();
        while spare.len() < SPARE_DESCRIPTORS
            && let Ok(fd) = rustix::io::fcntl_dupfd_cloexec(&self.handle, 0)
        {
            spare.push(fd);
        }
    }
    fn openat(&self, name: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let access = if self.read_only { OFlags::RDONLY } else { OFlags::RDWR };
        rustix::fs::openat(&self.handle, name, access | OFlags::CLOEXEC | flags, Mode::RUSR | Mode::WUSR)
    }
    /// A file of the store: with the last descriptors, if it must be.
    fn open_as(&self, name: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        loop {
            match self.openat(name, flags) {
                Err(Errno::MFILE | Errno::NFILE) if self.spare.lock().pop().is_some() => {}
                Ok(fd) => {
                    if self.spare.lock().len() < SPARE_DESCRIPTORS {
                        self.refill();
                    }
                    return Ok(fd);
                }
                Err(e) => return Err(e),
            }
        }
    }
    fn file(&self, name: &str, fd: OwnedFd, direct: bool) -> Arc<dyn File> {
        Arc::new(RealFile { file: fd.into(), path: self.dir.join(name), direct })
    }
}

impl Disk for RealDisk {
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        let flags = if create { OFlags::CREATE } else { OFlags::empty() };
        let fd = self.open_as(name, flags).map_err(|e| io_error("open", &self.dir.join(name), e))?;
        Ok(self.file(name, fd, false))
    }
    fn open_direct(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        if !self.direct {
            return self.open(name, create);
        }
        let flags = OFlags::DIRECT | if create { OFlags::CREATE } else { OFlags::empty() };
        match self.open_as(name, flags) {
            Ok(fd) => Ok(self.file(name, fd, true)),
            // not every file system has it
            Err(Errno::INVAL | Errno::OPNOTSUPP) => self.open(name, create),
            Err(e) => Err(io_error("open", &self.dir.join(name), e)),
        }
    }
    fn exists(&self, name: &str) -> Result<bool> {
        match rustix::fs::statat(&self.handle, name, AtFlags::empty()) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(e) => Err(io_error("access", &self.dir.join(name), e)),
        }
    }
    fn list(&self) -> Result<Vec<String>> {
        let fail = |e| io_error("read", &self.dir, e);
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.handle).map_err(fail)? {
            if let Ok(name) = entry.map_err(fail)?.file_name().to_str()
                && !matches!(name, "." | "..")
            {
                names.push(name.to_string());
            }
        }
        names.sort();
        Ok(names)
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        rustix::fs::renameat(&self.handle, from, &self.handle, to)
            .map_err(|e| io_error("rename", &self.dir.join(from), e))
    }
    fn remove(&self, name: &str) -> Result<()> {
        rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())
            .map_err(|e| io_error("remove", &self.dir.join(name), e))
    }
    /// O_TMPFILE: the file never has a name, so no crash can leave it behind. File systems without it take the detour over a name.
    fn temp(&self) -> Result<Arc<dyn File>> {
        match self.openat(".", OFlags::TMPFILE) {
            Ok(fd) => Ok(self.file(TEMP_PREFIX, fd, false)),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => {
                let name = super::temp_name();
                let fail = |e| io_error("create temporary", &self.dir, e);
                let fd = self.openat(&name, OFlags::CREATE | OFlags::EXCL).map_err(fail)?;
                self.remove(&name)?;
                Ok(self.file(TEMP_PREFIX, fd, false))
            }
            Err(e) => Err(io_error("create temporary", &self.dir, e)),
        }
    }
    fn sync_dir(&self) -> Result<()> {
        rustix::fs::fsync(&self.handle).map_err(|e| io_error("fsync", &self.dir, e))
    }
}

struct RealFile {
    file: fs::File,
    path: PathBuf,
    direct: bool,
}
thread_local! {
    /// For direct transfers of memory that is not aligned.
    static BOUNCE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}
/// Lends at most [`BOUNCE_SIZE`] bytes of aligned memory.
fn with_bounce<R>(len: usize, f: impl FnOnce(&mut [u8]) -> R) -> R {
    BOUNCE.with_borrow_mut(|v| {
        let len = len.min(BOUNCE_SIZE);
        if v.len() < len + BLOCK as usize {
            v.resize(len + BLOCK as usize, 0);
        }
        let at = v.as_ptr().align_offset(BLOCK as usize).min(BLOCK as usize);
        f(&mut v[at..at + len])
    })
}
fn is_aligned(b: &[u8]) -> bool {
    (b.as_ptr() as usize).is_multiple_of(BLOCK as usize)
}
impl RealFile {
    fn read_some(&self, buf: &mut [u8], offset: u64) -> std::io::Result<usize> {
        if self.direct && !offset.is_multiple_of(BLOCK) && offset >= self.file.metadata()?.len() {
            // what a short read at the end of a file of odd length leaves: direct reads start at blocks only
            return Ok(0);
        }
        if !self.direct || is_aligned(buf) {
            return self.file.read_at(buf, offset);
        }
        with_bounce(buf.len(), |b| {
            let n = self.file.read_at(b, offset)?.min(buf.len());
            buf[..n].copy_from_slice(&b[..n]);
            Ok(n)
        })
    }
    fn write_all(&self, buf: &[u8], offset: u64) -> std::io::Result<()> {
        if !self.direct || is_aligned(buf) {
            return self.file.write_all_at(buf, offset);
        }
        let mut at = 0;
        while at < buf.len() {
            at += with_bounce(buf.len() - at, |b| {
                b.copy_from_slice(&buf[at..at + b.len()]);
                self.file.write_all_at(b, offset + at as u64).map(|_| b.len())
            })?;
        }
        Ok(())
    }
}
impl File for RealFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let mut n = 0;
        while n < buf.len() {
            match self.read_some(&mut buf[n..], offset + n as u64) {
                Ok(0) => break,
                Ok(k) => n += k,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(io_error("read", &self.path, e)),
            }
        }
        Ok(n)
    }
    fn read_many(&self, reads: &mut [(&mut [u8], u64)]) -> Vec<Result<usize>> {
        if self.batch() > 1
            && reads.iter().all(|r| is_aligned(r.0))
            && let Some(done) = aio::read_many(self.file.as_raw_fd(), reads)
        {
            let one = |(r, (buf, offset)): (std::io::Result<usize>, &mut (&mut [u8], u64))| match r {
                Ok(n) => Ok(n),
                // not taken, or interrupted
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
                    self.read_at(buf, *offset)
                }
                Err(e) => Err(io_error("read", &self.path, e)),
            };
            return done.into_iter().zip(reads).map(one).collect();
        }
        reads.iter_mut().map(|(buf, offset)| self.read_at(buf, *offset)).collect()
    }
    fn batch(&self) -> usize {
        if self.direct { aio::BATCH } else { 1 }
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()> {
        debug_assert!(!self.direct || offset.is_multiple_of(BLOCK) && buf.len().is_multiple_of(BLOCK as usize));
        self.write_all(buf, offset).map_err(|e| io_error("write", &self.path, e))
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

/// Writes a file outside of a data directory, piece by piece: past the page cache where its file system can, elsewhere with a sync of each piece. Either way a piece
/// has left memory before the next one comes.
pub struct Writer {
    file: RealFile,
    len: u64,
}
impl Writer {
    /// A file that is there already is written anew.
    pub fn create(path: &Path) -> std::io::Result<Writer> {
        let open = |flags: i32| {
            fs::File::options().write(true).create(true).truncate(true).mode(0o666).custom_flags(flags).open(path)
        };
        let (file, direct) = match open(libc::O_DIRECT) {
            Err(e) if matches!(e.raw_os_error(), Some(libc::EINVAL | libc::EOPNOTSUPP)) => (open(0)?, false),
            opened => (opened?, true),
        };
        Ok(Writer { file: RealFile { file, path: path.to_path_buf(), direct }, len: 0 })
    }
    /// The next piece; all but the last are whole [`BLOCK`]s (EINVAL).
    pub fn write(&mut self, piece: &[u8]) -> std::io::Result<()> {
        if !self.len.is_multiple_of(BLOCK) {
            return Err(ErrorKind::InvalidInput.into());
        }
        let (whole, rest) = piece.split_at(piece.len() - piece.len() % BLOCK as usize);
        self.file.write_all(whole, self.len)?;
        if !rest.is_empty() {
            let mut block = [0; BLOCK as usize];
            block[..rest.len()].copy_from_slice(rest);
            self.file.write_all(&block, self.len + whole.len() as u64)?;
        }
        self.len += piece.len() as u64;
        if !self.file.direct { self.file.file.sync_data() } else { Ok(()) }
    }
    /// The file has its length, and is durable; its name is the caller's to make so.
    pub fn finish(self) -> std::io::Result<()> {
        self.file.file.set_len(self.len)?;
        self.file.file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_written_piece_by_piece() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let bytes: Vec<u8> = (0..3 * BLOCK + 5).map(|n| (n * 7 + n / 256) as u8).collect();
        let block = BLOCK as usize;
        for pieces in [vec![], vec![5], vec![block], vec![2 * block, block + 5], vec![block, block, block, 5]] {
            let mut w = Writer::create(&path).unwrap();
            let mut at = 0;
            for n in pieces {
                w.write(&bytes[at..at + n]).unwrap();
                at += n;
            }
            if !at.is_multiple_of(block) {
                assert!(w.write(&bytes[..1]).is_err());
            }
            w.finish().unwrap();
            assert!(fs::read(&path).unwrap() == bytes[..at], "{at}");
        }
    }

    /// Direct files, where there are any, behave as others do, whatever the alignment of the memory; batches read what single reads do.
    #[test]
    fn direct_and_batched() {
        let dir = tempfile::tempdir().unwrap();
        let block = |i: u64| -> Vec<u8> { (0..BLOCK).map(|k| (i * 31 + k * 7 + k / 256) as u8).collect() };
        for direct in [true, false] {
            let disk = RealDisk::open_with(dir.path(), direct).unwrap();
            let f = disk.open_direct("f", true).unwrap();
            f.allocate(40 * BLOCK).unwrap();
            for i in 0..40 {
                // memory at every kind of address
                let shift = i as usize % 9;
                let mut b = vec![0; shift];
                b.extend(block(i));
                f.write_at(&b[shift..], i * BLOCK).unwrap();
            }
            f.sync().unwrap();
            let mut b = vec![0; 40 * BLOCK as usize + 1];
            assert_eq!(f.read_at(&mut b[1..], 0).unwrap(), 40 * BLOCK as usize);
            for i in 0..40 {
                assert!(b[1 + (i * BLOCK) as usize..][..BLOCK as usize] == block(i), "block {i}");
            }
            #[repr(align(4096))]
            #[derive(Clone)]
            struct Aligned([u8; BLOCK as usize]);
            let mut bufs = vec![Aligned([0; BLOCK as usize]); aio::BATCH];
            for round in 0..20u64 {
                let at = |k: usize| (round * 13 + k as u64 * 17) % 41; // block 40 lies beyond the end
                let mut reads: Vec<(&mut [u8], u64)> =
                    bufs.iter_mut().enumerate().map(|(k, b)| (&mut b.0[..], at(k) * BLOCK)).collect();
                let done = f.read_many(&mut reads);
                for (k, (n, b)) in done.into_iter().zip(&bufs).enumerate() {
                    let n = n.unwrap();
                    assert_eq!(n, if at(k) == 40 { 0 } else { BLOCK as usize });
                    assert!(n == 0 || b.0[..] == block(at(k))[..], "round {round}, read {k}");
                }
            }
            // a file of odd length, as damage leaves it
            f.set_len(3 * BLOCK + 100).unwrap();
            let mut b = vec![0; 2 * BLOCK as usize];
            let n = f.read_at(&mut b, 2 * BLOCK).unwrap();
            assert_eq!(n, BLOCK as usize + 100);
            assert_eq!(f.read_at(&mut b[n..], 2 * BLOCK + n as u64).unwrap(), 0);
            f.set_len(0).unwrap();
        }
    }
}
