//! A disk in memory that behaves as badly as a real one may.
//!
//! Each file has the image that was last synced and the writes since, in order. Reads see everything written. [`SimDisk::crash`] rolls the dice
//! (from the seed): of every unsynced write each 512-byte sector is kept or lost on its own, whatever came later (so writes are torn and
//! reordered); of the unsynced directory operations a random first part is kept. Handles from before the crash fail from then on.
//!
//! Faults are set with [`SimDisk::set_faults`]: the nth write or sync fails, reads come short, the disk is full beyond a size or for the nth write, a named sync does nothing.
//! [`SimDisk::flip_bit`] damages a file in place.
use super::{Disk, File};
use pamir_error::{Error, Result, bail, err};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

const SECTOR: u64 = 512;

/// What goes wrong, and when. Counters count down from their set value at each matching call; 0 means now, None never.
#[derive(Clone, Default, Debug)]
pub struct Faults {
    pub fail_write_after: Option<u64>,
    pub fail_sync_after: Option<u64>,
    /// Every read returns at most this many bytes.
    pub short_reads: Option<usize>,
    /// The sum of all files' lengths may not grow beyond this.
    pub disk_full_at: Option<u64>,
    /// Writes find no space, also within a file, as on a file system that never overwrites.
    pub no_space_after: Option<u64>,
    /// Syncs of this point ([`super::sync_point`]) report success and do nothing.
    pub skip_sync: Option<&'static str>,
}

enum Op {
    Write(u64, Vec<u8>),
    SetLen(u64),
}
#[derive(Default)]
struct Inode {
    synced: Vec<u8>,
    now: Vec<u8>,
    ops: Vec<Op>,
}
type Names = BTreeMap<String, u64>;
struct State {
    rng: u64,
    epoch: u64,
    next_inode: u64,
    inodes: BTreeMap<u64, Inode>,
    names: Names,
    /// the directory as synced, and after each operation since
    synced_names: Names,
    history: Vec<Names>,
    faults: Faults,
    syncs: BTreeMap<&'static str, u64>,
    writes: u64,
}
/// See the module's words. Cheap to clone; clones are the same disk.
#[derive(Clone)]
pub struct SimDisk(Arc<Mutex<State>>);

/// SplitMix64.
fn next(rng: &mut u64) -> u64 {
    *rng = rng.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *rng;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
fn apply(image: &mut Vec<u8>, off: u64, data: &[u8]) {
    let end = off as usize + data.len();
    if image.len() < end {
        image.resize(end, 0);
    }
    image[off as usize..end].copy_from_slice(data);
}

impl SimDisk {
    pub fn new(seed: u64) -> SimDisk {
        SimDisk(Arc::new(Mutex::new(State {
            rng: seed,
            epoch: 0,
            next_inode: 1,
            inodes: BTreeMap::new(),
            names: Names::new(),
            synced_names: Names::new(),
            history: Vec::new(),
            faults: Faults::default(),
            syncs: BTreeMap::new(),
            writes: 0,
        })))
    }
    /// Power loss and restart.
    pub fn crash(&self) {
        let mut g = self.0.lock();
        let s = &mut *g;
        s.epoch += 1;
        let roll = next(&mut s.rng);
        // some crashes lose everything unsynced, some nothing, most a mixture
        let keep_of_8 = [0, 8, 4, 1, 7, 4, 2, 6][(roll % 8) as usize];
        let kept = if s.history.is_empty() { 0 } else { next(&mut s.rng) as usize % (s.history.len() + 1) };
        if kept > 0 {
            s.synced_names = s.history[kept - 1].clone();
        }
        s.names = s.synced_names.clone();
        s.history.clear();
        let live: std::collections::BTreeSet<u64> = s.names.values().copied().collect();
        s.inodes.retain(|id, _| live.contains(id));
        for inode in s.inodes.values_mut() {
            for op in std::mem::take(&mut inode.ops) {
                match op {
                    Op::Write(off, data) => {
                        let mut at = 0u64;
                        while at < data.len() as u64 {
                            let end = ((off + at) / SECTOR + 1) * SECTOR - off;
                            let end = end.min(data.len() as u64);
                            if next(&mut s.rng) % 8 < keep_of_8 {
                                apply(&mut inode.synced, off + at, &data[at as usize..end as usize]);
                            }
                            at = end;
                        }
                    }
                    Op::SetLen(len) => {
                        if next(&mut s.rng) % 8 < keep_of_8 {
                            inode.synced.resize(len as usize, 0);
                        }
                    }
                }
            }
            inode.now = inode.synced.clone();
        }
    }
    /// The process dies, the machine does not: handles fail from now on, but what was written stays, synced or not.
    pub fn kill(&self) {
        self.0.lock().epoch += 1;
    }
    pub fn set_faults(&self, f: Faults) {
        self.0.lock().faults = f;
    }
    /// How often each sync point was reached (also when skipped).
    pub fn sync_counts(&self) -> BTreeMap<&'static str, u64> {
        self.0.lock().syncs.clone()
    }
    pub fn write_count(&self) -> u64 {
        self.0.lock().writes
    }
    /// The sum of all files' lengths, which [`Faults::disk_full_at`] limits.
    pub fn used(&self) -> u64 {
        self.0.lock().used()
    }
    /// The file's present content.
    pub fn content(&self, name: &str) -> Option<Vec<u8>> {
        let s = self.0.lock();
        s.names.get(name).map(|id| s.inodes[id].now.clone())
    }
    /// Damages one bit, durably.
    pub fn flip_bit(&self, name: &str, bit: u64) {
        let mut s = self.0.lock();
        let Some(&id) = s.names.get(name) else { return };
        let Some(inode) = s.inodes.get_mut(&id) else { return };
        for image in [&mut inode.now, &mut inode.synced] {
            if let Some(b) = image.get_mut(bit as usize / 8) {
                *b ^= 1 << (bit % 8);
            }
        }
    }
}
fn no_space() -> Error {
    err!(DISK_FULL, "could not extend file: No space left on device").hint("Check free disk space.")
}
impl State {
    fn renamed(&mut self) {
        self.history.push(self.names.clone());
    }
    fn count_down(n: &mut Option<u64>) -> bool {
        match n {
            Some(0) => true,
            Some(k) => {
                *k -= 1;
                false
            }
            None => false,
        }
    }
    fn sync_fault(&mut self, point: &'static str) -> Result<bool> {
        *self.syncs.entry(point).or_default() += 1;
        if Self::count_down(&mut self.faults.fail_sync_after) {
            bail!(IO_ERROR, "could not fsync file: simulated failure at {point}");
        }
        Ok(self.faults.skip_sync == Some(point))
    }
    /// One write failing makes the disk fail for good, as a dying one does.
    fn write_fault(&mut self, id: u64, end: u64) -> Result<()> {
        self.writes += 1;
        if Self::count_down(&mut self.faults.fail_write_after) {
            bail!(IO_ERROR, "could not write file: simulated failure");
        }
        if let Some(limit) = self.faults.disk_full_at {
            let grown = end.saturating_sub(self.inodes[&id].now.len() as u64);
            if grown > 0 && self.used() + grown > limit {
                return Err(no_space());
            }
        }
        if Self::count_down(&mut self.faults.no_space_after) {
            return Err(no_space());
        }
        Ok(())
    }
    /// What the files take, by their lengths.
    fn used(&self) -> u64 {
        self.names.values().filter_map(|id| self.inodes.get(id)).map(|i| i.now.len() as u64).sum()
    }
}

impl Disk for SimDisk {
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        let mut s = self.0.lock();
        let id = match s.names.get(name) {
            Some(&id) => id,
            None if create => {
                let id = s.next_inode;
                s.next_inode += 1;
                s.inodes.insert(id, Inode::default());
                s.names.insert(name.to_string(), id);
                s.renamed();
                id
            }
            None => bail!(UNDEFINED_FILE, "could not open file \"{name}\": No such file or directory"),
        };
        Ok(Arc::new(SimFile { disk: self.clone(), id, epoch: s.epoch }))
    }
    fn exists(&self, name: &str) -> Result<bool> {
        Ok(self.0.lock().names.contains_key(name))
    }
    fn list(&self) -> Result<Vec<String>> {
        Ok(self.0.lock().names.keys().cloned().collect())
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut s = self.0.lock();
        let id = s.names.remove(from).ok_or_else(|| err!(UNDEFINED_FILE, "could not rename file \"{from}\""))?;
        s.names.insert(to.to_string(), id);
        s.renamed();
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<()> {
        let mut s = self.0.lock();
        s.names.remove(name).ok_or_else(|| err!(UNDEFINED_FILE, "could not remove file \"{name}\""))?;
        s.renamed();
        Ok(())
    }
    fn temp(&self) -> Result<Arc<dyn File>> {
        super::named_temp(self)
    }
    fn sync_dir(&self) -> Result<()> {
        self.sync_dir_at("unnamed")
    }
    fn sync_dir_at(&self, point: &'static str) -> Result<()> {
        let mut s = self.0.lock();
        if !s.sync_fault(point)? {
            s.synced_names = s.names.clone();
            s.history.clear();
        }
        Ok(())
    }
}

struct SimFile {
    disk: SimDisk,
    id: u64,
    epoch: u64,
}
impl SimFile {
    fn with<R>(&self, f: impl FnOnce(&mut State) -> Result<R>) -> Result<R> {
        let mut s = self.disk.0.lock();
        if s.epoch != self.epoch || !s.inodes.contains_key(&self.id) {
            bail!(IO_ERROR, "the simulated machine has crashed");
        }
        f(&mut s)
    }
    fn inode<'a>(&self, s: &'a mut State) -> &'a mut Inode {
        s.inodes.entry(self.id).or_default()
    }
}
impl File for SimFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        self.with(|s| {
            let most = s.faults.short_reads.unwrap_or(usize::MAX);
            let now = &self.inode(s).now;
            let from = (offset as usize).min(now.len());
            let n = buf.len().min(now.len() - from).min(most);
            buf[..n].copy_from_slice(&now[from..from + n]);
            Ok(n)
        })
    }
    fn batch(&self) -> usize {
        4
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()> {
        self.with(|s| {
            s.write_fault(self.id, offset + buf.len() as u64)?;
            let inode = self.inode(s);
            apply(&mut inode.now, offset, buf);
            inode.ops.push(Op::Write(offset, buf.to_vec()));
            Ok(())
        })
    }
    fn allocate(&self, len: u64) -> Result<()> {
        self.write_at(&vec![0; len as usize], 0)
    }
    fn set_len(&self, len: u64) -> Result<()> {
        self.with(|s| {
            s.write_fault(self.id, len)?;
            let inode = self.inode(s);
            inode.now.resize(len as usize, 0);
            inode.ops.push(Op::SetLen(len));
            Ok(())
        })
    }
    fn len(&self) -> Result<u64> {
        self.with(|s| Ok(self.inode(s).now.len() as u64))
    }
    fn sync(&self) -> Result<()> {
        self.sync_at("unnamed")
    }
    fn sync_at(&self, point: &'static str) -> Result<()> {
        self.with(|s| {
            if !s.sync_fault(point)? {
                let inode = self.inode(s);
                // by replay, not by copying the image: a sync costs what was written
                for op in std::mem::take(&mut inode.ops) {
                    match op {
                        Op::Write(off, data) => apply(&mut inode.synced, off, &data),
                        Op::SetLen(len) => inode.synced.resize(len as usize, 0),
                    }
                }
            }
            Ok(())
        })
    }
}
