//! Cursors: a private copy of one leaf at a time.
//!
//! The copy is validated as one consistent image; iterating touches no shared memory, blocks nobody and sees the leaf as of the copy. At its end the
//! cursor descends anew from the separator that bounded the leaf (kept from the descent), so splits, merges and freed leaves in between do not
//! matter: every entry present throughout the walk is seen exactly once, in order.
use super::btree::node::{Node, Value};
use super::mem::{PAGE_SIZE, PageBuf};
use super::page::*;
use super::pool::Miss;
use super::{Dir, Store, TreeId, overflow};
use pamir_types::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Walks one tree; holds a private copy of the current leaf, so it never blocks the writer.
pub struct Cursor {
    store: Arc<Store>,
    tree: TreeId,
    dir: Dir,
    page: Box<PageBuf>,
    /// entries of the copy not yet returned are `pos..count` (Forward) or `0..pos` (Backward)
    pos: usize,
    count: usize,
    /// the separator where the walk goes on
    bound: Vec<u8>,
    more: bool,
    /// the last `bound`, its memory in turn with it
    target: Vec<u8>,
    key: Vec<u8>,
    prefix_len: usize,
    long: Vec<u8>,
}

impl Store {
    /// A cursor before the first entry >= `from` (Forward) or after the last entry < `from` (Backward; None: the tree's end).
    pub fn cursor(self: &Arc<Self>, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Result<Cursor> {
        let mut c = Cursor {
            store: self.clone(),
            tree,
            dir,
            page: PageBuf::boxed(),
            pos: 0,
            count: 0,
            bound: Vec::new(),
            more: false,
            target: Vec::new(),
            key: Vec::new(),
            prefix_len: 0,
            long: Vec::new(),
        };
        c.seek(tree, from, dir)?;
        Ok(c)
    }
}

impl Cursor {
    /// Re-positions without a new allocation, as [`Store::cursor`].
    pub fn seek(&mut self, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Result<()> {
        self.tree = tree;
        self.dir = dir;
        self.fill(from)
    }
    /// Copies the leaf next to `target`.
    fn fill(&mut self, target: Option<&[u8]>) -> Result<()> {
        let (store, tree, dir) = (&self.store, self.tree, self.dir);
        let (copy, bound) = (&mut self.page, &mut self.bound);
        self.more = store.retry(|| {
            let root = store.shared.trees.root(tree)?;
            let (page, bounded) = store.leaf_towards(root, target, dir, bound)?;
            let node = Node(page.words);
            let slots = HEADER / 8 + node.count();
            let heap = (node.heap() / 8).max(slots).min(PAGE_SIZE / 8);
            for i in (0..slots).chain(heap..PAGE_SIZE / 8) {
                copy.0[i] = page.words[i].load(Relaxed);
            }
            page.check()?;
            Ok(bounded)
        })?;
        let node = Node(&*self.page);
        self.count = node.count();
        self.pos = match (target, dir) {
            (Some(k), _) => node.search(k).0,
            (None, Dir::Forward) => 0,
            (None, Dir::Backward) => self.count,
        };
        self.key.clear();
        node.prefix_into(&mut self.key);
        self.prefix_len = self.key.len();
        Ok(())
    }
    /// The next entry in the cursor's direction, borrowed until the next call.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let i = loop {
            match self.dir {
                Dir::Forward if self.pos < self.count => {
                    self.pos += 1;
                    break self.pos - 1;
                }
                Dir::Backward if self.pos > 0 => {
                    self.pos -= 1;
                    break self.pos;
                }
                _ if !self.more => return Ok(None),
                _ => {
                    std::mem::swap(&mut self.bound, &mut self.target);
                    let target = std::mem::take(&mut self.target);
                    let filled = self.fill(Some(&target));
                    self.target = target;
                    if filled.is_err() {
                        std::mem::swap(&mut self.bound, &mut self.target);
                    }
                    filled?;
                }
            }
        };
        let node = Node(&*self.page);
        let (off, len) = node.suffix(i);
        let suffix = self.page.bytes().get(off..off + len).unwrap_or(&[]);
        self.key.truncate(self.prefix_len);
        self.key.extend_from_slice(suffix);
        match node.value(i) {
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
}
