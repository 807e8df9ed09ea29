//! Cursors: a private copy of (a part of) one leaf at a time.
//!
//! The copy is validated as one consistent image; iterating touches no shared memory, blocks nobody and sees the leaf as of the copy. At its end the
//! cursor descends anew from the separator that bounded the leaf (kept from the descent), so splits, merges and freed leaves in between do not
//! matter: every entry present throughout the walk is seen exactly once, in order.
//!
//! The cursor reads ahead where leaves are missing: twice as many each time that it had to wait all the same, up to [`Ahead::MOST`]. When pages are being evicted,
//! a range whose end is known is read ahead from its first leaf on.
//!
//! Many cursors return a row or two. So the first leaf is copied in growing parts: the header and [`FIRST_BATCH`] entries, then four times as many,
//! each time only if the page is still the same version; otherwise the cursor descends anew from the last key. Later leaves are copied whole.
//!
//! Who walks over many entries has them looked at as a run, a copied part at a time ([`Cursor::look_ahead`]), and takes their values one by one without another look.
use super::btree::node::{Node, Value};
use super::btree::read::Ahead;
use super::mem::{PAGE_SIZE, PageBuf};
use super::page::*;
use super::pool::{COUNTS, Miss, PageRef};
use super::{Dir, Store, TreeId, overflow};
use pamir_error::Result;
use std::cell::RefCell;
use std::cmp::Ordering as Order;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Entries copied at first; each further part has four times as many.
const FIRST_BATCH: usize = 4;

/// Leaves asked for ahead at first.
const FIRST_AHEAD: usize = 2;

/// Copies of leaves that a thread keeps for its next cursors.
const SPARE_COPIES: usize = 4;
thread_local! {
    static SPARE: RefCell<Vec<Box<PageBuf>>> = const { RefCell::new(Vec::new()) };
}
/// A page's room from the thread's spare ones; what is in it means nothing.
struct LeafCopy(Option<Box<PageBuf>>);
impl LeafCopy {
    fn new() -> LeafCopy {
        LeafCopy(Some(SPARE.with_borrow_mut(Vec::pop).unwrap_or_else(PageBuf::boxed)))
    }
}
impl Drop for LeafCopy {
    fn drop(&mut self) {
        let page = self.0.take();
        // While the thread ends there is none to keep it.
        let _ = SPARE.try_with(|s| {
            let mut s = s.borrow_mut();
            if s.len() < SPARE_COPIES {
                s.extend(page);
            }
        });
    }
}
impl Deref for LeafCopy {
    type Target = PageBuf;
    #[inline(always)]
    fn deref(&self) -> &PageBuf {
        match &self.0 {
            Some(page) => page,
            None => unreachable!("only a dropped copy has no page"),
        }
    }
}
impl DerefMut for LeafCopy {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut PageBuf {
        match &mut self.0 {
            Some(page) => page,
            None => unreachable!("only a dropped copy has no page"),
        }
    }
}

/// Walks one tree; holds a private copy of the current leaf, so it never blocks the writer.
pub struct Cursor {
    store: Arc<Store>,
    tree: TreeId,
    dir: Dir,
    page: LeafCopy,
    /// where the copy is from: page id and state
    origin: (u64, u64),
    /// entries whose bytes were copied
    ready: Range<usize>,
    batch: usize,
    /// entries of the copy not yet returned are `pos..count` (Forward) or `0..pos` (Backward)
    pos: usize,
    count: usize,
    /// the separator where the walk goes on
    bound: Vec<u8>,
    more: bool,
    /// the last `bound`, its memory in turn with it
    target: Vec<u8>,
    ahead: Ahead,
    /// the leaf had to be waited for
    missed: bool,
    key: Vec<u8>,
    prefix_len: usize,
    long: Vec<u8>,
    /// Offset and length of the values of the run in hand, in the cursor's direction, and how many of them were taken.
    run: Vec<(u16, u16)>,
    taken: usize,
}

impl Store {
    /// A cursor before the first entry >= `from` (Forward) or after the last entry < `from` (Backward; None: the tree's end).
    pub fn cursor(self: &Arc<Self>, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Result<Cursor> {
        self.cursor_towards(tree, from, None, dir)
    }
    /// The same; `to` is where the caller will stop (it may go on), so that what it will need can be read ahead.
    pub fn cursor_towards(
        self: &Arc<Self>,
        tree: TreeId,
        from: Option<&[u8]>,
        to: Option<&[u8]>,
        dir: Dir,
    ) -> Result<Cursor> {
        let mut c = Cursor {
            store: self.clone(),
            tree,
            dir,
            page: LeafCopy::new(),
            origin: (0, 0),
            ready: 0..0,
            batch: FIRST_BATCH,
            pos: 0,
            count: 0,
            bound: Vec::new(),
            more: false,
            target: Vec::new(),
            ahead: Ahead::default(),
            missed: false,
            key: Vec::new(),
            prefix_len: 0,
            long: Vec::new(),
            run: Vec::new(),
            taken: 0,
        };
        c.start(from, to)?;
        Ok(c)
    }
}

impl Cursor {
    /// Re-positions without a new allocation, as [`Store::cursor_towards`].
    pub fn seek(&mut self, tree: TreeId, from: Option<&[u8]>, to: Option<&[u8]>, dir: Dir) -> Result<()> {
        self.tree = tree;
        self.dir = dir;
        self.batch = FIRST_BATCH;
        self.ahead = Ahead::default();
        self.start(from, to)
    }
    fn start(&mut self, from: Option<&[u8]>, to: Option<&[u8]>) -> Result<()> {
        if let Some(to) = to
            && self.store.shared.pool.evicts()
        {
            self.ahead = Ahead { leaves: FIRST_AHEAD, end: Some(to.to_vec()) };
        }
        self.fill(from)
    }
    /// Copies the leaf next to `target`, as much of it as `batch` says.
    fn fill(&mut self, target: Option<&[u8]>) -> Result<()> {
        let store = self.store.clone();
        let (tree, dir) = (self.tree, self.dir);
        let reads = COUNTS.with(|c| c.get().1);
        self.drop_run();
        self.more = store.retry(|| {
            let root = store.shared.trees.root(tree)?;
            let (page, bounded) = store.leaf_towards(root, target, dir, &mut self.bound, &self.ahead)?;
            let node = Node(page.words);
            self.count = node.count();
            self.pos = match (target, dir) {
                (Some(k), _) => node.search(k).0,
                (None, Dir::Forward) => 0,
                (None, Dir::Backward) => self.count,
            };
            copy_words(&page, &mut self.page, 0..HEADER / 8);
            self.key.clear();
            node.prefix_into(&mut self.key);
            let first = if dir == Dir::Forward { self.pos } else { self.pos.saturating_sub(1) };
            self.copy_batch(&page, first);
            self.origin = (page.words[1].load(Relaxed), page.seen());
            page.check()?;
            Ok(bounded)
        })?;
        self.missed = COUNTS.with(|c| c.get().1) != reads;
        self.prefix_len = self.key.len();
        Ok(())
    }
    /// Copies `batch` entries and their slots from index `first` on in the cursor's direction.
    fn copy_batch(&mut self, page: &PageRef<'_>, first: usize) {
        self.ready = match self.dir {
            Dir::Forward => first..first.saturating_add(self.batch).min(self.count),
            Dir::Backward => (first + 1).saturating_sub(self.batch)..(first + 1).min(self.count),
        };
        let node = Node(page.words);
        let slots = HEADER / 8 + self.ready.start..HEADER / 8 + self.ready.end;
        copy_words(page, &mut self.page, slots.clone());
        if self.ready.len() == self.count {
            copy_words(page, &mut self.page, (node.heap() / 8).max(slots.end)..PAGE_SIZE / 8);
        } else {
            for i in self.ready.clone() {
                let off = node.slot(i).off;
                copy_words(page, &mut self.page, off / 8..(off + node.entry_len(i)).div_ceil(8));
            }
        }
    }
    /// Makes entry `i` ready; false if the page changed and the cursor was re-positioned behind the last key.
    #[cold]
    fn extend(&mut self, i: usize) -> Result<bool> {
        self.batch = self.batch.saturating_mul(4);
        // While the last entry is ready: a part that turns out to be of a changed page takes its place, and of a run's entries nobody has asked for the key.
        self.key();
        let store = self.store.clone();
        if let Ok(page) = store.shared.pool.fetch(self.origin.0)
            && page.seen() == self.origin.1
        {
            self.copy_batch(&page, i);
            if page.valid() {
                return Ok(true);
            }
        }
        let mut target = std::mem::take(&mut self.target);
        target.clear();
        target.extend_from_slice(self.key());
        if self.dir == Dir::Forward {
            target.push(0); // the least key above it
        }
        let filled = self.fill(Some(&target));
        self.target = target;
        filled.map(|_| false)
    }
    /// The next entry in the cursor's direction, borrowed until the next call. After an error the cursor must be positioned anew.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        self.drop_run();
        let i = loop {
            match self.dir {
                Dir::Forward if self.pos < self.count => {
                    if self.ready.contains(&self.pos) || self.extend(self.pos)? {
                        self.pos += 1;
                        break self.pos - 1;
                    }
                }
                Dir::Backward if self.pos > 0 => {
                    if self.ready.contains(&(self.pos - 1)) || self.extend(self.pos - 1)? {
                        self.pos -= 1;
                        break self.pos;
                    }
                }
                _ if !self.more => return Ok(None),
                _ => {
                    std::mem::swap(&mut self.bound, &mut self.target);
                    let target = std::mem::take(&mut self.target);
                    self.batch = usize::MAX;
                    if self.missed {
                        self.ahead.leaves = (self.ahead.leaves * 2).clamp(FIRST_AHEAD, Ahead::MOST);
                    }
                    let filled = self.fill(Some(&target));
                    self.target = target;
                    if filled.is_err() {
                        std::mem::swap(&mut self.bound, &mut self.target);
                    }
                    filled?;
                }
            }
        };
        self.make_key(i);
        match Node(&*self.page).value(i) {
            Value::Inline { off, len } => Ok(Some((&self.key, self.page.bytes().get(off..off + len).unwrap_or(&[])))),
            Value::Overflow(r) => {
                self.long.clear();
                match overflow::read(&self.store, r, &mut self.long) {
                    Ok(()) => {}
                    Err(Miss::Fail(e)) => return Err(e),
                    // replaced since the leaf was copied: the present value; if the entry is gone, the next one
                    Err(_) => {
                        if !self.store.get(self.tree, &self.key, &mut self.long)? {
                            return self.next();
                        }
                    }
                }
                Ok(Some((&self.key, &self.long)))
            }
        }
    }
    #[inline]
    fn drop_run(&mut self) {
        self.run.clear();
        self.taken = 0;
    }
    /// Makes `key` that of entry `i`, which is ready.
    #[inline]
    fn make_key(&mut self, i: usize) {
        let (off, len) = Node(&*self.page).suffix(i);
        let suffix = self.page.bytes().get(off..off + len).unwrap_or(&[]);
        self.key.truncate(self.prefix_len);
        self.key.extend_from_slice(suffix);
    }
    /// The key of the entry that was handed out last.
    pub fn key(&mut self) -> &[u8] {
        let last = if self.dir == Dir::Forward { self.pos.wrapping_sub(1) } else { self.pos };
        if self.ready.contains(&last) {
            self.make_key(last);
        }
        &self.key
    }
    /// How the key of entry `i`, which is ready, compares with `key`.
    fn compare_key(&self, i: usize, key: &[u8]) -> Order {
        let (off, len) = Node(&*self.page).suffix(i);
        let suffix = self.page.bytes().get(off..off + len).unwrap_or(&[]);
        let prefix = self.key.get(..self.prefix_len).unwrap_or(&[]);
        match key.split_at_checked(prefix.len()) {
            Some((head, tail)) => prefix.cmp(head).then_with(|| suffix.cmp(tail)),
            None => prefix.cmp(key),
        }
    }
    /// Looks at the entries that come next as far as they are copied, stand in their leaf, are not beyond `to` (Forward: below it; Backward: not below it), and `f` accepts
    /// their values. Says how many: [`Cursor::take`] hands these out. None of the few that are copied first, which are seldom more than the caller wants.
    pub fn look_ahead(&mut self, to: Option<&[u8]>, mut f: impl FnMut(&[u8]) -> bool) -> usize {
        self.drop_run();
        if self.batch == FIRST_BATCH {
            return 0;
        }
        let forward = self.dir == Dir::Forward;
        let mut next = if forward {
            self.pos.max(self.ready.start)..self.ready.end.min(self.count)
        } else {
            self.ready.start..self.pos.min(self.ready.end)
        };
        if !(if forward { next.start == self.pos } else { next.end == self.pos }) {
            return 0;
        }
        if let Some(to) = to {
            let below = |i: usize| self.compare_key(i, to).is_lt();
            if forward && !next.is_empty() && !below(next.end - 1) {
                next.end = first_where(next.clone(), |i| !below(i));
            } else if !forward && !next.is_empty() && below(next.start) {
                next.start = first_where(next.clone(), |i| !below(i));
            }
        }
        let (node, bytes) = (Node(&*self.page), self.page.bytes());
        let mut look = |i: usize| {
            if let Value::Inline { off, len } = node.value(i)
                && let Some(v) = bytes.get(off..off + len)
                && f(v)
            {
                self.run.push((off as u16, len as u16));
                return true;
            }
            false
        };
        if forward {
            next.all(&mut look)
        } else {
            next.rev().all(&mut look)
        };
        self.run.len()
    }
    /// The value of the next entry of the run that was looked at; None at its end.
    #[inline]
    pub fn take(&mut self) -> Option<&[u8]> {
        let (off, len) = *self.run.get(self.taken)?;
        self.taken += 1;
        self.pos = if self.dir == Dir::Forward { self.pos + 1 } else { self.pos - 1 };
        self.page.bytes().get(off as usize..off as usize + len as usize)
    }
    /// Passes over up to `n` entries of the run; says over how many.
    pub fn pass(&mut self, n: usize) -> usize {
        let n = n.min(self.run.len() - self.taken);
        self.taken += n;
        self.pos = if self.dir == Dir::Forward { self.pos + n } else { self.pos - n };
        n
    }
}

/// The first index for which `f`, false before and true from it on, is true; the range's end when there is none.
fn first_where(range: Range<usize>, f: impl Fn(usize) -> bool) -> usize {
    let (mut lo, mut hi) = (range.start, range.end);
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if f(mid) { hi = mid } else { lo = mid + 1 }
    }
    lo
}

#[inline]
fn copy_words(page: &PageRef<'_>, to: &mut PageBuf, range: Range<usize>) {
    let range = range.start.min(PAGE_SIZE / 8)..range.end.min(PAGE_SIZE / 8);
    if range.start < range.end {
        for (d, s) in to.0[range.clone()].iter_mut().zip(&page.words[range]) {
            *d = s.load(Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;
    use crate::disk::sim::SimDisk;

    /// However a walk is divided into entries, runs and what is passed over, it is the same walk, also where the tree changes meanwhile.
    #[test]
    fn runs_are_what_next_gives() {
        let (mut long, mut refused) = (0, 0);
        for seed in 0..60 {
            let r = &mut Rng::new(seed);
            let mut o = open(&SimDisk::new(seed), 400);
            o.writer.create_tree(T).unwrap();
            let mut m = Model::new();
            let put = |r: &mut Rng, m: &mut Model, w: &mut crate::store::Writer| {
                let (k, v) = (random_key(r, 2000), random_value(r));
                w.put(T, &k, &v, &mut |_| {}).unwrap();
                m.insert(k, v);
            };
            for _ in 0..r.below(1500) {
                put(r, &mut m, &mut o.writer);
            }
            for _ in 0..20 {
                let forward = r.below(2) == 0;
                let dir = if forward { Dir::Forward } else { Dir::Backward };
                let (mut lo, mut hi) = (random_key(r, 2000), random_key(r, 2000));
                if lo > hi {
                    std::mem::swap(&mut lo, &mut hi);
                }
                let mut want: Vec<_> = m.range(lo.clone()..hi.clone()).map(|(k, v)| (k.clone(), v.clone())).collect();
                if !forward {
                    want.reverse();
                }
                let (from, to) = if forward { (&lo, &hi) } else { (&hi, &lo) };
                let mut c = o.store.cursor_towards(T, Some(from), Some(to), dir).unwrap();
                let mut got = 0;
                while let Some((k, v)) = want.get(got) {
                    if r.below(3) == 0 {
                        assert_eq!(c.next().unwrap(), Some((&k[..], &v[..])), "seed {seed}");
                        got += 1;
                        continue;
                    }
                    let odd = r.below(4);
                    let n = c.look_ahead(Some(to), |v| v.len() as u64 % 16 != odd);
                    long += u64::from(n > 8);
                    let run = want.get(got..got + n).expect("a run ends where the range does");
                    assert!(run.iter().all(|e| e.1.len() as u64 % 16 != odd && !is_overflow(e)), "seed {seed}");
                    refused += u64::from(want.get(got + n).is_some_and(|e| e.1.len() as u64 % 16 == odd));
                    let taken = r.below(n as u64 + 1) as usize;
                    let passed = c.pass(r.below((n - taken) as u64 + 1) as usize);
                    for (k, v) in &run[passed..passed + taken] {
                        assert_eq!(c.take(), Some(&v[..]), "seed {seed}");
                        assert_eq!(c.key(), k, "seed {seed}");
                    }
                    got += passed + taken;
                    if n == 0 || r.below(4) == 0 {
                        let Some((k, v)) = want.get(got) else { break };
                        assert_eq!(c.next().unwrap(), Some((&k[..], &v[..])), "seed {seed}");
                        got += 1;
                    }
                }
                assert_eq!(c.look_ahead(Some(to), |_| true), 0, "seed {seed}: nothing is beyond the range");
            }
        }
        assert!(long > 200 && refused > 200, "{long} long runs, {refused} values refused");
    }
    fn is_overflow((k, v): &(Vec<u8>, Vec<u8>)) -> bool {
        super::super::btree::node::is_long(k, v)
    }
}
