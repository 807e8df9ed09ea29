//! Optimistic descent: from the root to a leaf without a latch, restarting when a page changed underneath.
//!
//! At each level: read the child's id from the parent, load the child's state, validate the parent ([`super::super::pool`] says why this is enough even when ids
//! are recycled). The separators left and right of the way down bound the leaf's keys; a cursor keeps the one it will continue from.
use super::super::pool::{COUNTS, Miss, PageRef};
use super::super::{Dir, Root, Store, TreeId, overflow};
use super::node::{Node, Value};
use crate::stats::add;
use crate::store::page::copy_out;
use pamir_error::{Result, err};
use std::sync::atomic::Ordering::Relaxed;

/// Restarts in a row after which something must be wrong with the tree itself.
const MAX_RESTARTS: u32 = 1_000_000;

/// How a walk reads ahead; costs nothing as long as all pages fit into memory.
#[derive(Default)]
pub(crate) struct Ahead {
    /// leaves to ask for beyond the one needed
    pub leaves: usize,
    /// the key where the walk ends
    pub end: Option<Vec<u8>>,
}
impl Ahead {
    pub const MOST: usize = 32;
}

/// Leaves that tell how many entries one has.
const SAMPLED_LEAVES: usize = 16;
const MEAN_UNIT: f64 = 256.0;

/// The leaf that a look-up ended in, as it was: see [`Store::get_near`].
#[derive(Clone, Copy, Default)]
pub struct Finger {
    /// None: nowhere.
    tree: Option<TreeId>,
    pid: u64,
    /// The page's state: the same later means the same content.
    seen: u64,
    /// The entry after the one that was looked for.
    next: usize,
}

impl Store {
    #[inline]
    pub(crate) fn root_page(&self, root: Root) -> Result<PageRef<'_>, Miss> {
        let page = self.shared.pool.fetch(root.pid);
        if !self.shared.trees.still(root) {
            return Err(Miss::Restart);
        }
        page
    }
    #[inline]
    fn leaf_for(&self, root: Root, key: &[u8]) -> Result<(PageRef<'_>, u64), Miss> {
        let mut page = self.root_page(root)?;
        let mut pid = root.pid;
        let mut touched = 1;
        loop {
            let node = Node(page.words);
            if node.level() == 0 {
                COUNTS.with(|c| c.set((c.get().0 + touched, c.get().1)));
                return Ok((page, pid));
            }
            pid = node.child(node.child_for(key));
            let next = self.shared.pool.fetch(pid);
            page.check()?;
            page = next?;
            touched += 1;
        }
    }
    /// The leaf from which to walk in `dir`, with the separator where the walk goes on after it; None at the tree's edge.
    /// Backward, the leaf is the one with the last entry below `target`.
    pub(crate) fn leaf_towards(
        &self,
        root: Root,
        target: Option<&[u8]>,
        dir: Dir,
        bound: &mut Vec<u8>,
        ahead: &Ahead,
    ) -> Result<(PageRef<'_>, bool), Miss> {
        let mut page = self.root_page(root)?;
        let mut bounded = false;
        let mut touched = 1;
        loop {
            let node = Node(page.words);
            if node.level() == 0 {
                COUNTS.with(|c| c.set((c.get().0 + touched, c.get().1)));
                return Ok((page, bounded));
            }
            let n = node.count();
            let i = match (target, dir) {
                (Some(k), Dir::Forward) => node.child_for(k),
                (Some(k), Dir::Backward) => node.search(k).0,
                (None, Dir::Forward) => 0,
                (None, Dir::Backward) => n,
            };
            let at = match dir {
                Dir::Forward if i < n => Some(i),
                Dir::Backward if i > 0 => Some(i - 1),
                _ => None,
            };
            if let Some(at) = at {
                bound.clear();
                node.key_into(at, bound);
                bounded = true;
            }
            let next = self.shared.pool.fetch(node.child(i));
            page.check()?;
            if node.level() == 1 && ahead.leaves > 0 {
                self.read_ahead(&page, i, dir, ahead)?;
            }
            page = next?;
            touched += 1;
        }
    }
    /// Asks for the leaves that follow child `i` of a page above leaves, as far as the walk will go.
    #[cold]
    fn read_ahead(&self, page: &PageRef<'_>, i: usize, dir: Dir, ahead: &Ahead) -> Result<(), Miss> {
        let node = Node(page.words);
        let n = node.count();
        let mut separator = Vec::new();
        let mut children = [0; Ahead::MOST];
        let mut found = 0;
        for k in 1..=ahead.leaves.min(Ahead::MOST) {
            let (child, at) = match dir {
                Dir::Forward => (i + k, i + k - 1),
                Dir::Backward => (i.wrapping_sub(k), i.wrapping_sub(k)),
            };
            if child > n {
                break;
            }
            separator.clear();
            node.key_into(at, &mut separator);
            let beyond = ahead.end.as_deref().is_some_and(|e| match dir {
                Dir::Forward => &separator[..] >= e,
                Dir::Backward => &separator[..] <= e,
            });
            if beyond {
                break;
            }
            children[found] = node.child(child);
            found += 1;
        }
        page.check()?;
        for pid in &children[..found] {
            super::super::io::prefetch(&self.shared, *pid);
        }
        Ok(())
    }
    /// Runs an optimistic attempt until it succeeds, waiting for missing pages in between.
    #[inline]
    pub(crate) fn retry<T>(&self, mut attempt: impl FnMut() -> Result<T, Miss>) -> Result<T> {
        let mut restarts = 0;
        loop {
            match attempt() {
                Ok(v) => return Ok(v),
                Err(Miss::Fail(e)) => return Err(e),
                Err(Miss::Missing(pid)) => {
                    self.wait_page(pid)?;
                    let pool = &self.shared.pool;
                    // a page that is gone was freed meanwhile; if its parent keeps naming it, the tree is broken
                    if !pool.is_resident(pid) && pool.row(pid)?.entry().is_free() {
                        restarts += 1;
                    }
                }
                Err(Miss::Restart) => {
                    restarts += 1;
                    add(&self.shared.pool.stats.restarts, 1);
                }
            }
            if restarts > 8 {
                std::thread::yield_now();
            }
            if restarts >= MAX_RESTARTS {
                return Err(err!(
                    DATA_CORRUPTED,
                    "a read of the page file found no consistent page after {MAX_RESTARTS} attempts"
                ));
            }
        }
    }

    /// Copies the value under `key` into `out` (cleared first); false when absent. A page that is not in memory is awaited through [`crate::task`].
    pub fn get(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        self.retry(|| {
            out.clear();
            let root = self.shared.trees.root(tree)?;
            let (page, _) = self.leaf_for(root, key)?;
            let node = Node(page.words);
            let (i, found) = node.search(key);
            if !found {
                page.check()?;
                return Ok(false);
            }
            match node.value(i) {
                Value::Inline { off, len } => {
                    copy_out(page.words, off, len, out);
                    page.check()?;
                }
                Value::Overflow(r) => {
                    page.check()?;
                    overflow::read(self, r, out)?;
                }
            }
            Ok(true)
        })
    }

    /// As [`Store::get`], for somebody who looks for neighbours one after the other: `at` remembers the leaf. As long as nobody changes it, what lies between two of its
    /// entries needs no descent.
    #[inline]
    pub fn get_near(&self, at: &mut Finger, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        if at.tree == Some(tree)
            && let Some(found) = self.get_at(at, key, out)
        {
            return Ok(found);
        }
        self.retry(|| {
            out.clear();
            at.tree = None;
            let root = self.shared.trees.root(tree)?;
            let (page, pid) = self.leaf_for(root, key)?;
            let node = Node(page.words);
            let (i, found) = node.search(key);
            let value = found.then(|| node.value(i));
            if let Some(Value::Inline { off, len }) = value {
                copy_out(page.words, off, len, out);
            }
            page.check()?;
            if let Some(Value::Overflow(r)) = value {
                overflow::read(self, r, out)?;
            }
            *at = Finger { tree: Some(tree), pid, seen: page.seen(), next: i + found as usize };
            Ok(found)
        })
    }
    /// None: not by this leaf alone.
    fn get_at(&self, at: &mut Finger, key: &[u8], out: &mut Vec<u8>) -> Option<bool> {
        let page = self.shared.pool.fetch(at.pid).ok().filter(|p| p.seen() == at.seen)?;
        let node = Node(page.words);
        if !node.admits(key) {
            return None;
        }
        let (i, found) = node.search_from(at.next, key);
        if !found && (i == 0 || i >= node.count()) {
            return None;
        }
        out.clear();
        match found.then(|| node.value(i)) {
            Some(Value::Inline { off, len }) => copy_out(page.words, off, len, out),
            Some(Value::Overflow(_)) => return None,
            None => {}
        }
        if !page.valid() {
            return None;
        }
        at.next = i + found as usize;
        COUNTS.with(|c| c.set((c.get().0 + 1, c.get().1)));
        Some(found)
    }

    /// Asks the I/O threads for the next page on the way to `key` that is not in memory, and does not wait; true if none was missing.
    /// For those who know what they will need: a session before commit, the applier ahead of its batch.
    pub fn prefetch(&self, tree: TreeId, key: &[u8]) -> Result<bool> {
        loop {
            match self.leaf_for(self.shared.trees.root(tree)?, key) {
                Ok(_) => return Ok(true),
                Err(Miss::Missing(pid)) => {
                    super::super::io::prefetch(&self.shared, pid);
                    return Ok(false);
                }
                Err(Miss::Fail(e)) => return Err(e),
                Err(Miss::Restart) => {}
            }
        }
    }

    /// Estimated entries in [lo, hi), from inner pages; for the optimizer. Exact when both ends lie in one leaf; in a tree of up to three levels
    /// the leaves in between are counted exactly, each taken to be a mean one.
    pub fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        let (a, b) = (self.way(tree, Some(lo))?, self.way(tree, hi)?);
        let depth = a.len().min(b.len()); // they differ when the root grew in between
        let Some(split) = (0..depth).find(|&d| a[d].0 != b[d].0) else { return Ok(0) };
        let mean = |d: usize| (a[d].1 + b[d].1) as f64 / 2.0;
        let leaf = depth - 1;
        let entries = if split < leaf { self.mean_leaf(tree)? } else { 1.0 };
        // entries below a child at depth d, guessed from the two ways
        let below =
            |d: usize| (d + 1..leaf).map(|k| mean(k) + 1.0).product::<f64>() * if d < leaf { entries } else { 1.0 };
        let mut rows = (b[split].0 as f64 - a[split].0 as f64 - if split < leaf { 1.0 } else { 0.0 }) * below(split);
        for d in split + 1..depth {
            rows += (a[d].1.saturating_sub(a[d].0) + b[d].0) as f64 * below(d);
        }
        Ok(rows.max(0.0).round() as u64)
    }
    /// Estimated entries of a whole tree.
    pub fn entries(&self, tree: TreeId) -> Result<u64> {
        let leaves = self.tree_size(tree)?.0;
        if leaves <= 2 {
            return self.estimate(tree, &[], None);
        }
        Ok((self.mean_leaf(tree)? * leaves as f64).round() as u64)
    }
    /// Entries of a mean leaf, from a sample that is spread over the tree. It is kept until the tree has become an eighth larger or smaller.
    fn mean_leaf(&self, tree: TreeId) -> Result<f64> {
        let t = self.shared.trees.get(tree).ok_or_else(|| err!(INTERNAL_ERROR, "tree {} does not exist", tree.0))?;
        let leaves = t.leaves.load(Relaxed).min(u32::MAX as u64);
        let known = t.mean_leaf.load(Relaxed);
        let (then, mean) = (known >> 32, (known & u32::MAX as u64) as f64 / MEAN_UNIT);
        if known != 0 && then.abs_diff(leaves) <= then / 8 {
            return Ok(mean);
        }
        let (mut sum, mut key) = (0, Vec::new());
        for i in 0..SAMPLED_LEAVES {
            sum += self.leaf_at(tree, (i as f64 + 0.5) / SAMPLED_LEAVES as f64, &mut key)?;
        }
        let mean = sum as f64 / SAMPLED_LEAVES as f64;
        t.mean_leaf.store(leaves << 32 | (mean * MEAN_UNIT) as u64 & u32::MAX as u64, Relaxed);
        Ok(mean)
    }
    /// The leaf that is about at this place of the tree, 0 to 1: how many entries it has, and the key of the first. For samples that are spread over
    /// all keys: the same place gives the same leaf as long as the inner pages stay.
    pub fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        self.retry(|| {
            let mut page = self.root_page(self.shared.trees.root(tree)?)?;
            // Where among a node's children: what is left of the place goes on to the level below.
            let mut at = place.clamp(0.0, 1.0);
            loop {
                let node = Node(page.words);
                let n = node.count();
                if node.level() == 0 {
                    key.clear();
                    if n > 0 {
                        node.key_into(0, key);
                    }
                    page.check()?;
                    return Ok(n);
                }
                let exact = at * (n + 1) as f64;
                let next = self.shared.pool.fetch(node.child((exact as usize).min(n)));
                at = exact.fract();
                page.check()?;
                page = next?;
            }
        })
    }
    /// Pages that memory has room for.
    pub fn cache_pages(&self) -> u64 {
        self.shared.pool.frames as u64
    }
    /// Index taken and count at each level, root first (None: to the tree's end).
    fn way(&self, tree: TreeId, key: Option<&[u8]>) -> Result<Vec<(usize, usize)>> {
        self.retry(|| {
            let mut way = Vec::with_capacity(4);
            let mut page = self.root_page(self.shared.trees.root(tree)?)?;
            loop {
                let node = Node(page.words);
                let n = node.count();
                if node.level() == 0 {
                    way.push((key.map_or(n, |k| node.search(k).0), n));
                    page.check()?;
                    return Ok(way);
                }
                let i = key.map_or(n, |k| node.child_for(k));
                way.push((i, n));
                let next = self.shared.pool.fetch(node.child(i));
                page.check()?;
                page = next?;
            }
        })
    }
    /// (leaf pages, height)
    pub fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        let t = self.shared.trees.get(tree).ok_or_else(|| err!(INTERNAL_ERROR, "tree {} does not exist", tree.0))?;
        let level = self.retry(|| {
            let page = self.root_page(self.shared.trees.root(tree)?)?;
            let level = Node(page.words).level();
            page.check()?;
            Ok(level)
        })?;
        Ok((t.leaves.load(Relaxed), level as u32 + 1))
    }
}
