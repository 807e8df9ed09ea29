//! What a store must do for backups: objects by name, written as a whole.
//!
//! ```text
//!   put(name, bytes)      the object is there as a whole, durably, or not at all
//!   put, create           ... and only if there was none of that name: of two writers one is told `Exists`
//!   get, get_range, list, delete
//! ```
//! Names have parts with `/` between them, of letters, digits, `.` and `-`.
//!
//! [`Directory`]: files of a local (or mounted) directory, synced before they get their name. They are written in steps of [`STEP`], each at its time and past the page cache ([`Writer`]): the log of the server may lie on the same
//! disk, and a sync of it waits for all that is before it in the disk's queue (measured: 12 to 34 ms at worst beside eight MiB at once, 4 to 10 beside steps). [`Memory`]: for tests.
use pamir_storage::disk::real::Writer;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Why an operation of a store failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// There is no such object.
    Missing,
    /// There is one already.
    Exists,
    /// It may work in a moment; whether it did is unknown.
    Transient(String),
    /// It will not work by being tried again.
    Refused(String),
}
pub type Outcome<T> = Result<T, Fault>;
/// Called before so many bytes are written: it waits for their time. Who writes an object at once calls it once.
pub type Pace<'a> = &'a mut dyn FnMut(usize) -> Outcome<()>;
/// Bytes that a directory writes at once.
pub const STEP: usize = 256 << 10;

pub trait Objects: Send + Sync {
    /// Writes an object; with `create` only where there is none of that name.
    fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()>;
    fn get(&self, name: &str) -> Outcome<Vec<u8>>;
    /// Up to `len` bytes from `from` on: fewer where the object ends.
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>>;
    /// Names that begin with `prefix`, which is empty or ends with `/`, with their lengths, in order.
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>>;
    /// One that is not there is no fault.
    fn delete(&self, name: &str) -> Outcome<()>;
    /// For people.
    fn describe(&self) -> String;
}

/// A directory, each object a file.
pub struct Directory {
    root: PathBuf,
}
/// Files that are being written; what a crash leaves of them is removed by who lists.
const UNFINISHED: &str = ".unfinished-";
/// One older than this belongs to nobody.
const UNFINISHED_KEPT: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

impl Directory {
    /// The directory comes with the first object.
    pub fn new(root: &Path) -> Directory {
        Directory { root: root.to_path_buf() }
    }
    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }
    fn write(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let path = self.path(name);
        let dir = path.parent().unwrap_or(&self.root).to_path_buf();
        make_dirs(&dir).map_err(fault)?;
        let unfinished =
            dir.join(format!("{UNFINISHED}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let written = (|| {
            let mut file = Writer::create(&unfinished).map_err(fault)?;
            for piece in bytes.chunks(STEP) {
                pace(piece.len())?;
                file.write(piece).map_err(fault)?;
            }
            file.finish().map_err(fault)?;
            let named = if create { fs::hard_link(&unfinished, &path) } else { fs::rename(&unfinished, &path) };
            named.map_err(fault)
        })();
        if create || written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written?;
        fs::File::open(&dir).and_then(|d| d.sync_all()).map_err(fault)
    }
}
/// Makes a directory and those above it, durably.
fn make_dirs(dir: &Path) -> std::io::Result<()> {
    if dir.as_os_str().is_empty() || dir.is_dir() {
        return Ok(());
    }
    let parent = dir.parent().unwrap_or(Path::new("."));
    make_dirs(parent)?;
    match fs::create_dir(dir) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    fs::File::open(parent)?.sync_all()
}
fn fault(e: std::io::Error) -> Fault {
    let s = e.to_string();
    let words = s.split(" (os error").next().unwrap_or(&s).to_string();
    match e.kind() {
        ErrorKind::NotFound => Fault::Missing,
        ErrorKind::AlreadyExists => Fault::Exists,
        // A mounted one may come back; a full one may be given room.
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory => Fault::Refused(words),
        _ => Fault::Transient(words),
    }
}
impl Objects for Directory {
    fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
        self.write(name, bytes, create, pace).map_err(|f| match f {
            // The directory was taken away meanwhile.
            Fault::Missing => Fault::Transient("the directory is gone".into()),
            f => f,
        })
    }
    fn get(&self, name: &str) -> Outcome<Vec<u8>> {
        fs::read(self.path(name)).map_err(fault)
    }
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
        let read = || {
            let mut file = fs::File::open(self.path(name))?;
            file.seek(SeekFrom::Start(from))?;
            let mut out = Vec::new();
            file.take(len).read_to_end(&mut out)?;
            Ok(out)
        };
        read().map_err(fault)
    }
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
        let mut out = Vec::new();
        let mut dirs = vec![prefix.to_string()];
        while let Some(dir) = dirs.pop() {
            let entries = match fs::read_dir(self.path(&dir)) {
                Ok(entries) => entries,
                Err(e) if e.kind() == ErrorKind::NotFound => continue,
                Err(e) => return Err(fault(e)),
            };
            for e in entries {
                let e = e.map_err(fault)?;
                let Ok(name) = e.file_name().into_string() else { continue };
                // Removed since it was listed.
                let Ok(meta) = e.metadata() else { continue };
                if meta.is_dir() {
                    dirs.push(format!("{dir}{name}/"));
                } else if !name.starts_with(UNFINISHED) {
                    out.push((format!("{dir}{name}"), meta.len()));
                } else if meta.modified().is_ok_and(|t| t.elapsed().is_ok_and(|a| a > UNFINISHED_KEPT)) {
                    let _ = fs::remove_file(e.path());
                }
            }
        }
        out.sort();
        Ok(out)
    }
    fn delete(&self, name: &str) -> Outcome<()> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(fault(e)),
            _ => {}
        }
        // Directories that became empty go as well; a store without directories has none.
        let mut dir = path.parent();
        while let Some(d) = dir.filter(|d| *d != self.root && d.starts_with(&self.root)) {
            if fs::remove_dir(d).is_err() {
                break;
            }
            dir = d.parent();
        }
        Ok(())
    }
    fn describe(&self) -> String {
        self.root.display().to_string()
    }
}

/// Objects in memory.
#[derive(Default)]
pub struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);
impl Memory {
    /// Changes an object in place; false: there is none.
    pub fn damage(&self, name: &str, f: impl FnOnce(&mut Vec<u8>)) -> bool {
        self.0.lock().get_mut(name).map(f).is_some()
    }
}
impl Objects for Memory {
    fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
        pace(bytes.len())?;
        let mut all = self.0.lock();
        if create && all.contains_key(name) {
            return Err(Fault::Exists);
        }
        all.insert(name.into(), bytes.to_vec());
        Ok(())
    }
    fn get(&self, name: &str) -> Outcome<Vec<u8>> {
        self.0.lock().get(name).cloned().ok_or(Fault::Missing)
    }
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
        let all = self.0.lock();
        let b = all.get(name).ok_or(Fault::Missing)?;
        let from = (from as usize).min(b.len());
        let to = from.saturating_add(len as usize).min(b.len());
        Ok(b.get(from..to).unwrap_or_default().to_vec())
    }
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
        let all = self.0.lock();
        Ok(all.iter().filter(|(n, _)| n.starts_with(prefix)).map(|(n, b)| (n.clone(), b.len() as u64)).collect())
    }
    fn delete(&self, name: &str) -> Outcome<()> {
        self.0.lock().remove(name);
        Ok(())
    }
    fn describe(&self) -> String {
        "memory".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(o: &dyn Objects, name: &str, bytes: &[u8], create: bool) -> Outcome<()> {
        o.put(name, bytes, create, &mut |_| Ok(()))
    }
    fn behaves(o: &dyn Objects) {
        assert_eq!(o.get("a/b"), Err(Fault::Missing));
        assert_eq!(o.list("").unwrap(), []);
        put(o, "a/b", b"one", true).unwrap();
        assert_eq!(put(o, "a/b", b"two", true), Err(Fault::Exists));
        assert_eq!(o.get("a/b").unwrap(), b"one");
        put(o, "a/b", b"three", false).unwrap();
        put(o, "a/a/c", b"", true).unwrap();
        put(o, "d", b"four", false).unwrap();
        assert_eq!(o.get_range("a/b", 1, 2).unwrap(), b"hr");
        assert_eq!(o.get_range("a/b", 4, 10).unwrap(), b"e");
        assert_eq!(o.get_range("a/b", 9, 10).unwrap(), b"");
        let names = |p: &str| o.list(p).unwrap().into_iter().map(|(n, l)| format!("{n}:{l}")).collect::<Vec<_>>();
        assert_eq!(names(""), ["a/a/c:0", "a/b:5", "d:4"]);
        assert_eq!(names("a/"), ["a/a/c:0", "a/b:5"]);
        o.delete("a/b").unwrap();
        o.delete("a/b").unwrap();
        assert_eq!(names("a/"), ["a/a/c:0"]);
        o.delete("a/a/c").unwrap();
        o.delete("d").unwrap();
        assert_eq!(names(""), [] as [&str; 0]);
    }

    #[test]
    fn memory_behaves() {
        behaves(&Memory::default());
    }
    #[test]
    fn a_directory_behaves_and_shows_nothing_unfinished() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("x/y");
        let d = Directory::new(&root);
        behaves(&d);
        put(&d, "a", b"1", true).unwrap();
        fs::write(root.join(".unfinished-1-1"), b"half").unwrap();
        assert_eq!(d.list("").unwrap(), [("a".to_string(), 1)]);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
    }
}
