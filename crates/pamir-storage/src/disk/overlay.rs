//! A disk that only reads the one beneath it: every change stays in memory and is gone with it.
//!
//! A tool that must not change a directory (`pamir check`) recovers over this: replaying the log makes dirty pages, cuts the log's end and writes
//! superblocks, all of which land here. Memory grows with the blocks written, not with the files: reserved or zeroed space costs nothing.
//!
//! Invariants: the disk beneath is only opened without `create`, read and asked for lengths; a byte is the newest one written here, else zero beyond the
//! shortest length the file was ever cut to, else the one beneath.
use super::{Disk, File};
use pamir_error::{Result, err};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

const BLOCK: u64 = 4096;

#[derive(Clone)]
pub struct Overlay {
    names: Arc<Mutex<BTreeMap<String, Arc<OverlayFile>>>>,
}
impl Overlay {
    pub fn new(base: Arc<dyn Disk>) -> Result<Arc<Overlay>> {
        let mut names = BTreeMap::new();
        for name in base.list()? {
            let file = base.open(&name, false)?;
            let len = file.len()?;
            let state = State { base: Some(file), len, visible: len, blocks: BTreeMap::new() };
            names.insert(name, Arc::new(OverlayFile(Mutex::new(state))));
        }
        Ok(Arc::new(Overlay { names: Arc::new(Mutex::new(names)) }))
    }
}

fn missing(what: &str, name: &str) -> pamir_error::Error {
    err!(UNDEFINED_FILE, "could not {what} file \"{name}\": No such file or directory")
}

impl Disk for Overlay {
    fn open(&self, name: &str, create: bool) -> Result<Arc<dyn File>> {
        let mut names = self.names.lock();
        if let Some(f) = names.get(name) {
            return Ok(f.clone());
        }
        if !create {
            return Err(missing("open", name));
        }
        let state = State { base: None, len: 0, visible: 0, blocks: BTreeMap::new() };
        let f = Arc::new(OverlayFile(Mutex::new(state)));
        names.insert(name.to_string(), f.clone());
        Ok(f)
    }
    fn exists(&self, name: &str) -> Result<bool> {
        Ok(self.names.lock().contains_key(name))
    }
    fn list(&self) -> Result<Vec<String>> {
        Ok(self.names.lock().keys().cloned().collect())
    }
    fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut names = self.names.lock();
        let f = names.remove(from).ok_or_else(|| missing("rename", from))?;
        names.insert(to.to_string(), f);
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<()> {
        self.names.lock().remove(name).map(|_| ()).ok_or_else(|| missing("remove", name))
    }
    fn temp(&self) -> Result<Arc<dyn File>> {
        super::named_temp(self)
    }
    fn sync_dir(&self) -> Result<()> {
        Ok(())
    }
}

struct State {
    base: Option<Arc<dyn File>>,
    len: u64,
    /// how much of `base` still shows
    visible: u64,
    blocks: BTreeMap<u64, Box<[u8]>>,
}
impl State {
    /// Fills `buf`, all of it within the file and within one block, from beneath.
    fn read_base(&self, buf: &mut [u8], at: u64) -> Result<()> {
        let n = self.visible.saturating_sub(at).min(buf.len() as u64) as usize;
        let got = match &self.base {
            Some(f) if n > 0 => f.read_at(&mut buf[..n], at)?,
            _ => 0,
        };
        buf[got..].fill(0);
        Ok(())
    }
}
struct OverlayFile(Mutex<State>);
impl File for OverlayFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let s = self.0.lock();
        let total = s.len.saturating_sub(offset).min(buf.len() as u64) as usize;
        let mut done = 0;
        while done < total {
            let at = offset + done as u64;
            let within = (at % BLOCK) as usize;
            let n = (BLOCK as usize - within).min(total - done);
            match s.blocks.get(&(at / BLOCK)) {
                Some(b) => buf[done..done + n].copy_from_slice(&b[within..within + n]),
                None => s.read_base(&mut buf[done..done + n], at)?,
            }
            done += n;
        }
        Ok(total)
    }
    fn write_at(&self, buf: &[u8], offset: u64) -> Result<()> {
        let mut s = self.0.lock();
        let mut done = 0;
        while done < buf.len() {
            let at = offset + done as u64;
            let (block, within) = (at / BLOCK, (at % BLOCK) as usize);
            let n = (BLOCK as usize - within).min(buf.len() - done);
            if !s.blocks.contains_key(&block) {
                let mut fresh = vec![0; BLOCK as usize].into_boxed_slice();
                s.read_base(&mut fresh, block * BLOCK)?;
                s.blocks.insert(block, fresh);
            }
            if let Some(b) = s.blocks.get_mut(&block) {
                b[within..within + n].copy_from_slice(&buf[done..done + n]);
            }
            done += n;
        }
        s.len = s.len.max(offset + buf.len() as u64);
        Ok(())
    }
    fn allocate(&self, len: u64) -> Result<()> {
        let mut s = self.0.lock();
        // Zeroes what is there, costs nothing for what is not.

        if len >= s.len {
            s.blocks.clear();
            s.visible = 0;
            s.len = len;
            return Ok(());
        }
        drop(s);
        self.write_at(&vec![0; len as usize], 0)
    }
    fn set_len(&self, len: u64) -> Result<()> {
        let mut s = self.0.lock();
        if len < s.len {
            s.visible = s.visible.min(len);
            s.blocks.split_off(&len.div_ceil(BLOCK));
            if let Some(b) = s.blocks.get_mut(&(len / BLOCK)) {
                b[(len % BLOCK) as usize..].fill(0);
            }
        }
        s.len = len;
        Ok(())
    }
    fn len(&self) -> Result<u64> {
        Ok(self.0.lock().len)
    }
    fn sync(&self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::sim::SimDisk;
    use pamir_testkit::Rng;

    /// Random operations on an overlay and on a disk that may be changed give the same files; the disk beneath stays as it was.
    #[test]
    fn behaves_like_a_disk_and_changes_nothing() {
        let (base, model, r) = (SimDisk::new(1), SimDisk::new(1), &mut Rng::new(1));
        for d in [&base, &model] {
            d.open("a", true).unwrap().write_at(&[7; 20_000], 0).unwrap();
            d.open("b", true).unwrap().write_at(&[9; 100], 5000).unwrap();
        }
        let before = (base.content("a"), base.content("b"));
        let over = Overlay::new(Arc::new(base.clone())).unwrap();
        for step in 0..3000 {
            let name = *r.choose(&["a", "b", "c"]);
            let (f, g) = (over.open(name, true).unwrap(), model.open(name, true).unwrap());
            let (at, n) = (r.below(30_000), r.below(9000));
            match r.below(8) {
                0 => {
                    f.set_len(at).unwrap();
                    g.set_len(at).unwrap();
                }
                1 if step % 7 == 0 => {
                    f.allocate(at).unwrap();
                    g.allocate(at).unwrap();
                }
                2..5 => {
                    f.write_at(&vec![step as u8; n as usize], at).unwrap();
                    g.write_at(&vec![step as u8; n as usize], at).unwrap();
                }
                _ => {
                    let (mut x, mut y) = (vec![1; n as usize], vec![1; n as usize]);
                    assert_eq!(f.read_at(&mut x, at).unwrap(), g.read_at(&mut y, at).unwrap(), "step {step}");
                    assert_eq!(x, y, "step {step}: {name} at {at}");
                }
            }
            assert_eq!(f.len().unwrap(), g.len().unwrap());
        }
        over.rename("a", "d").unwrap();
        over.remove("b").unwrap();
        assert_eq!(over.list().unwrap(), ["c", "d"]);
        assert_eq!((base.content("a"), base.content("b")), before);
        assert_eq!(base.list().unwrap(), ["a", "b"]);
    }
}
