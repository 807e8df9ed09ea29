//! A disk whose reads, or writes, of some of its files can be made slow, held, or failed, for tests of what must go on meanwhile.
//!
//! All else passes as it comes. Files are read and written through [`File`] alone: no way of the operating system's goes past the gate.
use super::{Disk, File};
use pamir_error::{Result, err};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Duration;

/// How calls pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pace {
    Quick,
    /// Each takes so long.
    Slow(Duration),
    /// None does, until the gate is set anew.
    Never,
    /// 58030.
    Fails,
}
/// What is behind the gate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Calls {
    Reads,
    Writes,
}
/// Opens when it is dropped: a test that fails leaves nobody waiting.
pub struct Gate(Arc<Passage>);
struct Passage {
    /// With how many calls are at it.
    pace: Mutex<(Pace, usize)>,
    changed: Condvar,
}
impl Gate {
    pub fn set(&self, pace: Pace) {
        self.0.pace.lock().0 = pace;
        self.0.changed.notify_all();
    }
    /// Somebody waits.
    pub fn is_held(&self) -> bool {
        self.0.pace.lock().1 > 0
    }
}
impl Drop for Gate {
    fn drop(&mut self) {
        self.set(Pace::Quick);
    }
}
impl Passage {
    fn pass(&self) -> Result<()> {
        let mut p = self.pace.lock();
        p.1 += 1;
        if let Pace::Slow(takes) = p.0 {
            self.changed.wait_for(&mut p, takes);
        }
        self.changed.wait_while(&mut p, |p| p.0 == Pace::Never);
        p.1 -= 1;
        if p.0 == Pace::Fails { Err(err!(IO_ERROR, "the disk fails")) } else { Ok(()) }
    }
}

pub struct GatedDisk {
    base: Arc<dyn Disk>,
    calls: Calls,
    /// Are they of a file with such a name?
    of: fn(&str) -> bool,
    gate: Arc<Passage>,
}
impl GatedDisk {
    /// `calls` of files whose name is one `of` go through the gate, which is open.
    pub fn new(base: Arc<dyn Disk>, calls: Calls, of: fn(&str) -> bool) -> (Arc<GatedDisk>, Gate) {
        let gate = Arc::new(Passage { pace: Mutex::new((Pace::Quick, 0)), changed: Condvar::new() });
        (Arc::new(GatedDisk { base, calls, of, gate: gate.clone() }), Gate(gate))
    }
    fn gated(&self, name: &str, file: Arc<dyn File>) -> Arc<dyn File> {
        if !(self.of)(name) {
            return file;
        }
        Arc::new(GatedFile { base: file, calls: self.calls, gate: self.gate.clone() })
    }
}
impl Disk for GatedDisk {
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        self.base.open(name, create).map(|f| self.gated(name, f))
    }
    fn open_direct(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        self.base.open_direct(name, create).map(|f| self.gated(name, f))
    }
    fn exists(&self, name: &str) -> Result<bool> {
        self.base.exists(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.base.list()
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.base.rename(from, to)
    }
    fn remove(&self, name: &str) -> Result<()> {
        self.base.remove(name)
    }
    fn temp(&self) -> Result<Arc<dyn File>> {
        self.base.temp()
    }
    fn sync_dir(&self) -> Result<()> {
        self.base.sync_dir()
    }
}
struct GatedFile {
    base: Arc<dyn File>,
    calls: Calls,
    gate: Arc<Passage>,
}
impl GatedFile {
    fn pass(&self, call: Calls) -> Result<()> {
        if call == self.calls { self.gate.pass() } else { Ok(()) }
    }
}
impl File for GatedFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        self.pass(Calls::Reads)?;
        self.base.read_at(buf, offset)
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()> {
        self.pass(Calls::Writes)?;
        self.base.write_at(buf, offset)
    }
    fn allocate(&self, len: u64) -> Result<()> {
        self.base.allocate(len)
    }
    fn reserve(&self, len: u64) -> Result<()> {
        self.base.reserve(len)
    }
    fn set_len(&self, len: u64) -> Result<()> {
        self.base.set_len(len)
    }
    fn len(&self) -> Result<u64> {
        self.base.len()
    }
    fn sync(&self) -> Result<()> {
        self.base.sync()
    }
}
