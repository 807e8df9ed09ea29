//! The own side of a range scan: the transaction's entries of a range as one snapshot sees them, from memory and from the runs in the file.
//!
//! The set of entries that a snapshot sees is fixed, since they were written before it; only their places move. Whenever they did, the scan finds its
//! place again by the last key it was done with.
use super::WriteSet;
use super::data::Change;
use super::index::Pos;
use super::spill::RunCursor;
use pamir_error::Result;
use pamir_storage::store::{Dir, TreeId};
use std::cmp::Ordering;

/// What is scanned.
#[derive(Clone, Copy)]
pub(crate) struct Range<'a> {
    pub tree: TreeId,
    pub lo: &'a [u8],
    pub hi: Option<&'a [u8]>,
    pub dir: Dir,
    /// Entries of earlier statements than this are seen.
    pub statement: u32,
}
impl Range<'_> {
    fn inside(&self, key: &[u8]) -> bool {
        key >= self.lo && self.hi.is_none_or(|h| key < h)
    }
}

pub(crate) struct OwnScan {
    version: u64,
    /// The next place in memory.
    pos: Option<Pos>,
    /// Those with something in the range, each at its next key.
    runs: Vec<RunCursor>,
    /// The entry that [`OwnScan::fetch`] found.
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub tombstone: bool,
    /// The last key that was handed out or skipped.
    last: Option<Vec<u8>>,
}

impl WriteSet {
    /// None: there is nothing of the range here.
    pub fn scan(&mut self, r: &Range) -> Result<Option<OwnScan>> {
        if !self.indexed {
            let n = self.data.entries.len() as u32;
            if !(0..n).any(|n| self.data.entry(n).tree == r.tree && r.inside(self.data.key(n))) {
                return Ok(None);
            }
            self.make_indexes();
        }
        let mut any = false;
        if let Ok(at) = self.trees.binary_search_by_key(&r.tree, |t| t.tree) {
            let index = &mut self.trees[at];
            index.settle(&mut self.data);
            self.version += index.take_moved() as u64;
            let first = index.at(index.seek(&self.data, r.lo).0);
            any = first.is_some_and(|n| r.inside(self.data.key(n)));
        }
        let mut scan = OwnScan {
            version: self.version,
            pos: None,
            runs: Vec::new(),
            key: Vec::new(),
            value: Vec::new(),
            tombstone: false,
            last: None,
        };
        scan.find_place(self, r)?;
        Ok((any || !scan.runs.is_empty()).then_some(scan))
    }
}

impl OwnScan {
    /// True: the entry fetched last may be gone; places were found anew and the next is to be fetched.
    pub fn renew(&mut self, w: &WriteSet, r: &Range) -> Result<bool> {
        if self.version == w.version {
            return Ok(false);
        }
        self.version = w.version;
        self.find_place(w, r)?;
        Ok(true)
    }
    /// The entry that was fetched is handed out or skipped.
    pub fn done(&mut self) {
        self.last.get_or_insert_default().clone_from(&self.key);
    }
    /// Everything that is not yet handed out, from the beginning or behind the last key.
    fn find_place(&mut self, w: &WriteSet, r: &Range) -> Result<()> {
        self.pos = None;
        if let Ok(at) = w.trees.binary_search_by_key(&r.tree, |t| t.tree) {
            let index = &w.trees[at];
            self.pos = match (&self.last, r.dir) {
                (None, Dir::Forward) => Some(index.seek(&w.data, r.lo).0),
                (None, Dir::Backward) => index.prev(r.hi.map_or(index.end(), |h| index.seek(&w.data, h).0)),
                (Some(last), Dir::Forward) => {
                    let (p, exact) = index.seek(&w.data, last);
                    Some(if exact { index.next(p) } else { p })
                }
                (Some(last), Dir::Backward) => index.prev(index.seek(&w.data, last).0),
            };
        }
        self.runs.clear();
        let Some(s) = &w.spilled else { return Ok(()) };
        for run in 0..s.runs.len() {
            let Some(mut c) = RunCursor::new(&s.runs, run, r.tree, r.statement) else { continue };
            match (&self.last, r.dir) {
                (None, Dir::Forward) => c.seek(&s.file, &s.runs, Some(r.lo), r.dir)?,
                (None, Dir::Backward) => c.seek(&s.file, &s.runs, r.hi, r.dir)?,
                (Some(last), dir) => {
                    c.seek(&s.file, &s.runs, Some(last), dir)?;
                    if dir == Dir::Forward && !c.end && c.key() == last.as_slice() {
                        c.next(&s.file, &s.runs, dir)?;
                    }
                }
            }
            if !c.end && r.inside(c.key()) {
                self.runs.push(c);
            }
        }
        Ok(())
    }
    /// The next entry the snapshot sees, into `key`, `value` and `tombstone`; false: no more.
    pub fn fetch(&mut self, w: &WriteSet, r: &Range) -> Result<bool> {
        let index = w.trees.binary_search_by_key(&r.tree, |t| t.tree).ok().map(|at| &w.trees[at]);
        // The next of memory.
        let mut here = None;
        if let Some(index) = index {
            while let Some(p) = self.pos {
                let Some(head) = index.at(p).filter(|n| r.inside(w.data.key(*n))) else {
                    self.pos = None;
                    break;
                };
                if let Some(n) = w.data.visible(head, r.statement) {
                    here = Some(n);
                    break;
                }
                self.pos = step(index, p, r.dir);
            }
        }
        // The next of the runs; of several with the same key the newest.
        let mut best: Option<usize> = None;
        for i in 0..self.runs.len() {
            let newer = match best {
                None => true,
                Some(b) => match in_order(self.runs[i].key(), self.runs[b].key(), r.dir) {
                    Ordering::Equal => self.runs[i].run > self.runs[b].run,
                    o => o == Ordering::Less,
                },
            };
            if newer {
                best = Some(i);
            }
        }
        let order = match (here, best) {
            (None, None) => return Ok(false),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(n), Some(b)) => in_order(w.data.key(n), self.runs[b].key(), r.dir),
        };
        self.key.clear();
        self.value.clear();
        let change = if let Some(n) = here
            && order.is_le()
        {
            self.key.extend_from_slice(w.data.key(n));
            self.pos = self.pos.zip(index).and_then(|(p, i)| step(i, p, r.dir));
            w.data.change(n)
        } else {
            // One of the two there is.
            best.map_or(Change::Delete(&[]), |b| {
                self.key.extend_from_slice(self.runs[b].key());
                self.runs[b].change()
            })
        };
        self.tombstone = change.is_delete();
        self.value.extend_from_slice(change.bytes());
        if order.is_ge()
            && let Some(s) = &w.spilled
        {
            let mut i = 0;
            while i < self.runs.len() {
                let c = &mut self.runs[i];
                if c.key() == self.key.as_slice() {
                    c.next(&s.file, &s.runs, r.dir)?;
                }
                if c.end || !r.inside(c.key()) {
                    self.runs.remove(i);
                } else {
                    i += 1;
                }
            }
        }
        Ok(true)
    }
}

fn in_order(a: &[u8], b: &[u8], dir: Dir) -> Ordering {
    match dir {
        Dir::Forward => a.cmp(b),
        Dir::Backward => b.cmp(a),
    }
}
fn step(index: &super::index::TreeIndex, p: Pos, dir: Dir) -> Option<Pos> {
    match dir {
        Dir::Forward => Some(index.next(p)),
        Dir::Backward => index.prev(p),
    }
}
