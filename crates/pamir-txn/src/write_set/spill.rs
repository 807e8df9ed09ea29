//! Entries of a large transaction that no longer fit into memory: sorted runs in a temporary file.
//!
//! ```text
//!   file    := run*                                one run each time the memory was full, entries in order of (tree, key, newest first)
//!   run     := section*                            one tree each
//!   section := block*                              in memory: each block's first key, place and length, and a Bloom filter if the tree is looked up by key
//!   block   := crc32 of what follows u32 LE, entry*
//!   entry   := head v, [key_len v], number v, statement v, [key], value
//!               head   = value_len * 4, + 2 for a delete, + 1 if the key is the previous entry's; then key_len and key are left out
//!               number = of the entry, counted from the run's first
//!   v: LEB128. The entries of one key never part, so a block can be longer than [`BLOCK`].
//! ```
//! Nothing here survives the transaction: the file is not synced, goes when the write set goes, and what a crash left is removed when the shard opens.
//!
//! Rolling back to a savepoint cuts a run: entries numbered `cut` and above are as if they had never been.
use super::data::{Change, Data, NONE};
use super::index::TreeIndex;
use crate::padded::hash_key;
use crate::record::{Reader, put_varint};
use pamir_error::{Result, bail};
use pamir_storage::disk::{Disk, File};
use pamir_storage::store::{Dir, TreeId};
use pamir_storage::task;
use std::cmp::Ordering;
use std::sync::Arc;

/// Names of the files begin so.
pub(crate) const SPILL_PREFIX: &str = "write-set.";
/// A block is closed when it has so many bytes.
const BLOCK: usize = 32 << 10;
/// So much is written at once.
const WRITE: usize = 1 << 20;
/// Bits of a Bloom filter for each key, and how many of them a key sets: about one wrong answer in a hundred.
const BLOOM_BITS: usize = 12;
const BLOOM_SET: u32 = 6;

/// Removes what a crash left.
pub(crate) fn remove_leftovers(disk: &dyn Disk) -> Result<()> {
    for name in disk.list()?.iter().filter(|n| n.starts_with(SPILL_PREFIX)) {
        disk.remove(name)?;
    }
    Ok(())
}

/// A transaction's temporary file; removed when dropped.
pub(super) struct SpillFile {
    disk: Arc<dyn Disk>,
    name: String,
    file: Arc<dyn File>,
    pub len: u64,
}
impl SpillFile {
    pub fn create(disk: &Arc<dyn Disk>, txn: u64) -> Result<SpillFile> {
        let name = format!("{SPILL_PREFIX}{txn}");
        let file = disk.open(&name, true)?;
        Ok(SpillFile { disk: disk.clone(), name, file, len: 0 })
    }
}
impl Drop for SpillFile {
    fn drop(&mut self) {
        if let Err(e) = self.disk.remove(&self.name) {
            tracing::warn!(error = %e, "a temporary file stays until the next start");
        }
    }
}

struct Block {
    at: u64,
    len: u32,
    /// Of the first key, in `Section::keys`.
    key_off: u32,
    key_len: u32,
}
pub(super) struct Section {
    pub tree: TreeId,
    blocks: Vec<Block>,
    keys: Vec<u8>,
    last_key: Box<[u8]>,
    bloom: Option<Bloom>,
}
impl Section {
    fn first_key(&self, b: &Block) -> &[u8] {
        &self.keys[b.key_off as usize..][..b.key_len as usize]
    }
    /// The last block whose first key is at or before `key`; the first one if there is none.
    fn block_for(&self, key: &[u8]) -> usize {
        self.blocks.partition_point(|b| self.first_key(b) <= key).saturating_sub(1)
    }
    fn may_hold(&self, key: &[u8]) -> bool {
        let inside = self.blocks.first().is_some_and(|b| self.first_key(b) <= key) && *key <= *self.last_key;
        inside && self.bloom.as_ref().is_none_or(|b| b.may_hold(hash_key(0, key)))
    }
}
/// One full memory, sorted.
pub(super) struct Run {
    /// Number of its first entry.
    pub first: u64,
    /// Entries from this number on are not there (any more).
    pub cut: u64,
    /// In order of trees.
    sections: Vec<Section>,
    pub entries: u64,
    pub bytes: u64,
}
impl Run {
    pub fn trees(&self) -> impl Iterator<Item = TreeId> + '_ {
        self.sections.iter().map(|s| s.tree)
    }
    fn section(&self, tree: TreeId) -> Option<(usize, &Section)> {
        let at = self.sections.binary_search_by_key(&tree, |s| s.tree).ok()?;
        Some((at, &self.sections[at]))
    }
    /// What it takes in memory.
    pub fn memory(&self) -> u64 {
        let of = |s: &Section| {
            size_of::<Section>()
                + s.blocks.capacity() * size_of::<Block>()
                + s.keys.capacity()
                + s.last_key.len()
                + s.bloom.as_ref().map_or(0, |b| b.lines.len() * 64)
        };
        self.sections.iter().map(|s| of(s) as u64).sum()
    }
    /// Some of its keys, at most `n`.
    pub fn for_some(&self, n: usize, mut f: impl FnMut(TreeId, &[u8])) {
        let keys = self.sections.iter().flat_map(|s| s.blocks.iter().map(move |b| (s.tree, s.first_key(b))));
        keys.take(n).for_each(|(t, k)| f(t, k));
    }
}

/// Which keys are surely not there. All bits of a key lie in one cache line.
struct Bloom {
    lines: Vec<[u64; 8]>,
}
impl Bloom {
    fn new(keys: usize) -> Bloom {
        Bloom { lines: vec![[0; 8]; (keys * BLOOM_BITS).div_ceil(512).max(1)] }
    }
    fn line(&self, hash: u64) -> usize {
        ((hash as u128 * self.lines.len() as u128) >> 64) as usize
    }
    /// The bits that a key sets in its line.
    fn bits(hash: u64) -> impl Iterator<Item = (usize, u64)> {
        let mut h = hash.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (0..BLOOM_SET).map(move |_| {
            let bit = (h >> 55) as usize;
            h = h.rotate_left(9);
            (bit / 64, 1 << (bit % 64))
        })
    }
    fn add(&mut self, hash: u64) {
        let n = self.line(hash);
        Bloom::bits(hash).for_each(|(w, b)| self.lines[n][w] |= b);
    }
    fn may_hold(&self, hash: u64) -> bool {
        let line = &self.lines[self.line(hash)];
        Bloom::bits(hash).all(|(w, b)| line[w] & b != 0)
    }
}

/// Writes all entries in memory as a run behind what the file has. The trees' tails are sorted in. `first`: number of the first entry.
pub(super) fn write_run(
    file: &mut SpillFile,
    data: &mut Data,
    trees: &mut [TreeIndex],
    first: u64,
    looked_up: impl Fn(TreeId) -> bool,
) -> Result<Run> {
    let mut out = Vec::with_capacity(WRITE + 2 * BLOCK);
    let mut written = file.len;
    let mut sections = Vec::new();
    for index in trees.iter_mut() {
        index.settle(data);
        task::yield_now();
        let bloom = looked_up(index.tree).then(|| Bloom::new(index.len()));
        let mut s = Section { tree: index.tree, blocks: vec![], keys: vec![], last_key: Box::default(), bloom };
        let mut start = None;
        let mut last = NONE;
        for head in index.heads(data) {
            let key = data.key(head.entry);
            last = head.entry;
            if start.is_none() {
                start = Some(out.len());
                s.blocks.push(Block {
                    at: written + out.len() as u64,
                    len: 0,
                    key_off: s.keys.len() as u32,
                    key_len: key.len() as u32,
                });
                s.keys.extend_from_slice(key);
                out.extend_from_slice(&[0; 4]);
            }
            if let Some(b) = &mut s.bloom {
                b.add(hash_key(0, key));
            }
            let (mut n, mut older) = (head.entry, 0);
            while n != NONE {
                let e = data.entry(n);
                let change = data.change(n);
                put_varint(&mut out, change.bytes().len() as u64 * 4 + change.is_delete() as u64 * 2 + older);
                if older == 0 {
                    put_varint(&mut out, key.len() as u64);
                }
                put_varint(&mut out, n as u64);
                put_varint(&mut out, e.statement as u64);
                if older == 0 {
                    out.extend_from_slice(key);
                }
                out.extend_from_slice(change.bytes());
                older = 1;
                n = e.prev;
            }
            if let Some(at) = start
                && out.len() - at >= BLOCK
            {
                close_block(&mut out, at, &mut s);
                start = None;
                if out.len() >= WRITE {
                    file.file.write_at(&out, written)?;
                    written += out.len() as u64;
                    out.clear();
                    task::yield_now();
                }
            }
        }
        if let Some(at) = start {
            close_block(&mut out, at, &mut s);
        }
        if last != NONE {
            s.last_key = data.key(last).into();
            sections.push(s);
        }
    }
    file.file.write_at(&out, written)?;
    let len = written + out.len() as u64;
    let bytes = len - file.len;
    file.len = len;
    let entries = data.entries.len() as u64;
    Ok(Run { first, cut: u64::MAX, sections, entries, bytes })
}
fn close_block(out: &mut [u8], at: usize, s: &mut Section) {
    let crc = crc32fast::hash(&out[at + 4..]);
    out[at..at + 4].copy_from_slice(&crc.to_le_bytes());
    if let Some(b) = s.blocks.last_mut() {
        b.len = (out.len() - at) as u32;
    }
}

fn skip(r: &mut Reader, n: usize) -> Result<()> {
    match r.0.get(n..) {
        Some(rest) => r.0 = rest,
        None => bail!(DATA_CORRUPTED, "temporary file of a transaction is damaged"),
    }
    Ok(())
}

/// One key of a block: its newest version that is seen.
#[derive(Clone, Copy)]
struct Seen {
    key: (u32, u32),
    value: (u32, u32),
    delete: bool,
    statement: u32,
    /// There are older versions that are seen.
    again: bool,
}
/// Walks one tree's part of a run, a block in memory at a time.
pub(super) struct RunCursor {
    pub run: usize,
    section: usize,
    block: usize,
    /// The block in `buf`; usize::MAX: none.
    loaded: usize,
    buf: Vec<u8>,
    seen: Vec<Seen>,
    at: usize,
    /// Entries of earlier statements than this are seen.
    statement: u32,
    pub end: bool,
}
impl RunCursor {
    /// None: the run has nothing of this tree.
    pub fn new(runs: &[Run], run: usize, tree: TreeId, statement: u32) -> Option<RunCursor> {
        let section = runs.get(run)?.section(tree)?.0;
        let (buf, seen) = (Vec::new(), Vec::new());
        Some(RunCursor { run, section, block: 0, loaded: usize::MAX, buf, seen, at: 0, statement, end: false })
    }
    fn load(&mut self, file: &SpillFile, runs: &[Run]) -> Result<()> {
        if self.loaded == self.block {
            return Ok(());
        }
        let run = &runs[self.run];
        let Some(b) = run.sections[self.section].blocks.get(self.block) else {
            self.seen.clear();
            self.loaded = usize::MAX;
            return Ok(());
        };
        self.loaded = usize::MAX;
        self.buf.resize(b.len as usize, 0);
        let n = file.file.read_at(&mut self.buf, b.at)?;
        let crc = self.buf.first_chunk::<4>().map(|c| u32::from_le_bytes(*c));
        if n < self.buf.len() || crc != self.buf.get(4..).map(crc32fast::hash) {
            bail!(DATA_CORRUPTED, "temporary file \"{}\" is damaged at offset {}", file.name, b.at);
        }
        self.seen.clear();
        let total = self.buf.len();
        let mut r = Reader(&self.buf[4..]);
        let (mut key, mut done) = ((0, 0), false);
        while !r.is_empty() {
            let head = r.varint()?;
            if head & 1 == 0 {
                key.1 = r.varint()? as u32;
                done = false;
            }
            let number = run.first + r.varint()?;
            let statement = r.varint()? as u32;
            let here = |r: &Reader| (total - r.0.len()) as u32;
            if head & 1 == 0 {
                key.0 = here(&r);
                skip(&mut r, key.1 as usize)?;
            }
            let (value, delete) = ((here(&r), (head / 4) as u32), head & 2 != 0);
            skip(&mut r, value.1 as usize)?;
            if number < run.cut && statement < self.statement {
                match self.seen.last_mut() {
                    Some(s) if done => s.again = true,
                    _ => self.seen.push(Seen { key, value, delete, statement, again: false }),
                }
                done = true;
            }
        }
        self.loaded = self.block;
        Ok(())
    }
    fn bytes(&self, (at, len): (u32, u32)) -> &[u8] {
        &self.buf[at as usize..][..len as usize]
    }
    /// The key here. Only while not at the end.
    pub fn key(&self) -> &[u8] {
        self.seen.get(self.at).map_or(&[], |s| self.bytes(s.key))
    }
    pub fn change(&self) -> Change<'_> {
        self.seen.get(self.at).map_or(Change::Delete(&[]), |s| Change::new(self.bytes(s.value), s.delete))
    }
    /// Goes to the first key at or after `key`, or (backward) the last one before it; None: beyond the last key.
    pub fn seek(&mut self, file: &SpillFile, runs: &[Run], key: Option<&[u8]>, dir: Dir) -> Result<()> {
        let s = &runs[self.run].sections[self.section];
        self.end = false;
        self.block = key.map_or(s.blocks.len().saturating_sub(1), |k| s.block_for(k));
        self.load(file, runs)?;
        self.at = key.map_or(self.seen.len(), |k| self.seen.partition_point(|s| self.bytes(s.key) < k));
        match dir {
            Dir::Forward => self.forward(file, runs),
            Dir::Backward => self.next(file, runs, dir),
        }
    }
    /// From a place that may be behind the block's last key to the next key.
    fn forward(&mut self, file: &SpillFile, runs: &[Run]) -> Result<()> {
        while self.at >= self.seen.len() {
            if self.block + 1 >= runs[self.run].sections[self.section].blocks.len() {
                self.end = true;
                return Ok(());
            }
            self.block += 1;
            self.at = 0;
            self.load(file, runs)?;
        }
        Ok(())
    }
    pub fn next(&mut self, file: &SpillFile, runs: &[Run], dir: Dir) -> Result<()> {
        match dir {
            Dir::Forward => {
                self.at += 1;
                self.forward(file, runs)
            }
            Dir::Backward => {
                while self.at == 0 {
                    if self.block == 0 {
                        self.end = true;
                        return Ok(());
                    }
                    self.block -= 1;
                    self.load(file, runs)?;
                    self.at = self.seen.len();
                }
                self.at -= 1;
                Ok(())
            }
        }
    }
}

/// Look-ups of single keys in the runs; keeps the block it read last.
#[derive(Default)]
pub(super) struct Lookup {
    last: Option<RunCursor>,
}
impl Lookup {
    /// The newest version of a key with a statement before `statement`: hands out what was done and its statement.
    pub fn find<R>(
        &mut self,
        file: &SpillFile,
        runs: &[Run],
        (tree, key, statement): (TreeId, &[u8], u32),
        f: impl FnOnce(Change, u32) -> R,
    ) -> Result<Option<R>> {
        for run in (0..runs.len()).rev() {
            let Some((section, s)) = runs[run].section(tree) else { continue };
            if !s.may_hold(key) {
                continue;
            }
            let block = s.block_for(key);
            let old = self.last.take();
            let c = match old {
                Some(c) if (c.run, c.section, c.statement) == (run, section, statement) => Some(c),
                old => RunCursor::new(runs, run, tree, statement).map(|mut c| {
                    c.buf = old.map(|o| o.buf).unwrap_or_default();
                    c
                }),
            };
            let Some(mut c) = c else { continue };
            c.block = block;
            c.load(file, runs)?;
            let found = c.seen.binary_search_by(|s| c.bytes(s.key).cmp(key));
            let c = self.last.insert(c);
            if let Ok(at) = found {
                c.at = at;
                let statement = c.seen[at].statement;
                return Ok(Some(f(c.change(), statement)));
            }
        }
        Ok(None)
    }
    /// Runs changed.
    pub fn forget(&mut self) {
        self.last = None;
    }
}

/// Joins the runs' and the memory's parts of one tree for commit: each key once, its newest entry, in order.
pub(super) struct Merge {
    /// Those not at their end, by key and then newest first.
    order: Vec<RunCursor>,
}
impl Merge {
    pub fn new(file: &SpillFile, runs: &[Run], tree: TreeId) -> Result<Merge> {
        let mut m = Merge { order: Vec::new() };
        for run in 0..runs.len() {
            if let Some(mut c) = RunCursor::new(runs, run, tree, u32::MAX) {
                c.seek(file, runs, Some(&[]), Dir::Forward)?;
                m.place(c);
            }
        }
        Ok(m)
    }
    fn before(a: &RunCursor, b: &RunCursor) -> bool {
        match a.key().cmp(b.key()) {
            Ordering::Equal => a.run > b.run,
            o => o == Ordering::Less,
        }
    }
    fn place(&mut self, c: RunCursor) {
        if !c.end {
            // The next key stands last, where taking it away is cheap.
            let at = self.order.partition_point(|o| Merge::before(&c, o));
            self.order.insert(at, c);
        }
    }
    /// The cursor of the smallest key.
    pub fn first(&self) -> Option<&RunCursor> {
        self.order.last()
    }
    /// Was the smallest key written more than once?
    pub fn again(&self) -> bool {
        match self.order.as_slice() {
            [.., b, a] if a.key() == b.key() => true,
            [.., a] => a.seen.get(a.at).is_some_and(|s| s.again),
            [] => false,
        }
    }
    /// Past the smallest key, in all runs that have it. `key` is a buffer.
    pub fn pass(&mut self, file: &SpillFile, runs: &[Run], key: &mut Vec<u8>) -> Result<()> {
        let Some(c) = self.order.last() else { return Ok(()) };
        let shared = self.order.len() > 1 && self.order[self.order.len() - 2].key() == c.key();
        if shared {
            key.clear();
            key.extend_from_slice(c.key());
        }
        self.advance(file, runs)?;
        while shared && self.order.last().is_some_and(|c| c.key() == key.as_slice()) {
            self.advance(file, runs)?;
        }
        Ok(())
    }
    fn advance(&mut self, file: &SpillFile, runs: &[Run]) -> Result<()> {
        let n = self.order.len();
        let Some(c) = self.order.last_mut() else { return Ok(()) };
        c.next(file, runs, Dir::Forward)?;
        // Runs of keys that came in order do not overlap: then the first stays the first.
        if !c.end && (n == 1 || Merge::before(&self.order[n - 1], &self.order[n - 2])) {
            return Ok(());
        }
        if let Some(c) = self.order.pop() {
            self.place(c);
        }
        Ok(())
    }
}
