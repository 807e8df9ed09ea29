//! Building a tree bottom-up from sorted entries: every page is written once, filled to [`FILL`].
//!
//! Leaves are laid out left to right; their separators (the shortest keys that tell neighbours apart) make the level above, and so on until one page is left, whose
//! content moves into the root under its lock. Until then readers see the empty tree; an error frees what was built and leaves it empty. A [`Build`] can
//! pause between any two entries, so that whoever builds much can do other things meanwhile.
use super::super::TreeId;
use super::super::mem::PageBuf;
use super::super::overflow;
use super::super::page::*;
use super::node::*;
use super::write::Writer;
use pamir_error::{Result, bail};
use std::sync::atomic::Ordering::Relaxed;

/// Bytes of a page that bulk building uses.
const FILL: usize = SPACE * 15 / 16;
/// Bytes of a value's first piece.
pub const VALUE_HEAD: usize = 16;

/// Pages of one level, ascending: the lower bound and the page id.
type Level = Vec<(Vec<u8>, u64)>;

/// A tree being built, between two calls of [`Writer::build_more`]. Other trees may be changed meanwhile, this one not. Must be given to
/// [`Writer::end_build`] before a checkpoint begins: its pages hang nowhere yet.
pub struct Build {
    tree: TreeId,
    leaves: Level,
    lower: Vec<u8>,
    flat: Flat,
    size: usize,
}
impl Build {
    pub fn tree(&self) -> TreeId {
        self.tree
    }
    /// Leaves so far; what [`Writer::end_build`] costs grows with them.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }
}

impl Writer {
    /// Fills an empty tree bottom-up from strictly ascending entries.
    pub fn bulk_build(&mut self, tree: TreeId, entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Result<()> {
        let Some(mut b) = self.start_build(tree)? else {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "bulk build of tree {}: the tree is not empty", tree.0);
        };
        for (key, value) in entries {
            if let Err(e) = self.build_more(&mut b, key, [&[], value]) {
                self.free_unfinished(tree)?;
                return Err(e);
            }
        }
        self.end_build(b)
    }
    /// Begins to fill a tree bottom-up; None: it is not empty.
    pub fn start_build(&mut self, tree: TreeId) -> Result<Option<Build>> {
        let store = self.store.clone();
        let shared = &store.shared;
        let root = shared.trees.root(tree)?.pid;
        {
            let page = shared.pool.lock(root)?;
            let node = Node(page.words);
            if node.level() > 0 || node.count() > 0 {
                return Ok(None);
            }
        }
        self.forget();
        Ok(Some(Build { tree, leaves: Level::new(), lower: Vec::new(), flat: Flat::default(), size: 0 }))
    }
    /// The next entry, above all before it. Its value is given in two pieces, the first of at most [`VALUE_HEAD`] bytes. After an error the build is
    /// void, and the pages made for it are lost until the tree is dropped.
    pub fn build_more(&mut self, b: &mut Build, key: &[u8], value: [&[u8]; 2]) -> Result<()> {
        admit_key(key)?;
        let last = b.flat.len().checked_sub(1);
        if last.map_or(!b.lower.is_empty() && *key < *b.lower, |l| b.flat.key(l) >= key) {
            bail!(INTERNAL_ERROR, "bulk build of tree {}: entries are not in ascending order", b.tree.0);
        }
        let store = self.store.clone();
        let len = value[0].len() + value[1].len();
        let mut head = [0; 2 + VALUE_HEAD];
        if key.len() + len > MAX_INLINE && len > OVERFLOW_REF {
            let r = overflow::write(&store.shared, b.tree, &value.concat())?.encode();
            b.flat.push(key, [&(OVERFLOW_BIT | OVERFLOW_REF as u16).to_le_bytes(), &r]);
        } else {
            let n = 2 + value[0].len();
            let Some(h) = head.get_mut(..n) else { bail!(INTERNAL_ERROR, "a value's head of {n} bytes is too long") };
            h[..2].copy_from_slice(&(len as u16).to_le_bytes());
            h[2..].copy_from_slice(value[0]);
            b.flat.push(key, [h, value[1]]);
        }
        let n = b.flat.len();
        b.size += b.flat.size(n - 1);
        // each but one entry saves what the leaf's bounds share
        let shared = common(&b.lower, key);
        if n > 1 && b.size - shared * (n - 1) > FILL {
            self.emit(b.tree, &mut b.flat, &mut b.lower, &mut b.leaves, n - 1)?;
            b.size = (0..b.flat.len()).map(|i| b.flat.size(i)).sum();
        }
        Ok(())
    }
    /// Makes the entries so far the tree's content, in one step for readers.
    pub fn end_build(&mut self, mut b: Build) -> Result<()> {
        self.forget();
        let r = self.install(&mut b);
        if r.is_err() {
            self.free_unfinished(b.tree)?;
        }
        r
    }
    fn install(&mut self, b: &mut Build) -> Result<()> {
        let tree = b.tree;
        let mut buf = PageBuf::boxed();
        while b.flat.len() > 0 {
            // the last leaf has no upper bound, hence no prefix: it may need more room than was guessed
            let n = b.flat.len();
            if build(&mut buf, 0, 0, tree.0, &[], &b.flat, 0..n, 0) {
                self.emit_page(tree, 0, &mut buf, &b.lower, &mut b.leaves)?;
                break;
            }
            self.emit(tree, &mut b.flat, &mut b.lower, &mut b.leaves, n - 1)?;
        }
        let mut level = std::mem::take(&mut b.leaves);
        let leaves = level.len() as u64;
        let mut height = 0u8;
        while level.len() > 1 {
            height += 1;
            level = self.build_inner(tree, height, &level)?;
        }
        let Some((_, top)) = level.first() else { return Ok(()) };
        let store = self.store.clone();
        let shared = &store.shared;
        let root = shared.trees.root(tree)?.pid;
        let target = shared.pool.lock(root)?;
        let top = shared.pool.lock(*top)?;
        load_page(top.words, &mut buf);
        buf.0[1] = root;
        store_page(target.words, &buf);
        shared.pool.set_kind(root, if height == 0 { KIND_LEAF } else { KIND_INNER });
        shared.pool.free_locked(top);
        if let Some(t) = shared.trees.get(tree) {
            t.leaves.store(leaves, Relaxed);
        }
        Ok(())
    }
    /// Frees all pages of a tree but its (empty) root.
    fn free_unfinished(&mut self, tree: TreeId) -> Result<()> {
        let store = self.store.clone();
        let pool = &store.shared.pool;
        let root = store.shared.trees.root(tree)?.pid;
        let end = pool.lock_inner().next_pid;
        for pid in 1..end {
            let row = pool.row(pid)?.entry();
            if row.tree == tree.0 && !row.is_free() && pid != root {
                pool.free_page(pid);
            }
        }
        Ok(())
    }
    /// Makes a leaf of as many of the first `most` entries as fit, at least one.
    fn emit(&mut self, tree: TreeId, flat: &mut Flat, lower: &mut Vec<u8>, out: &mut Level, most: usize) -> Result<()> {
        let mut buf = PageBuf::boxed();
        for n in (1..=most).rev() {
            let upper = separator(flat.key(n - 1), flat.key(n));
            if build(&mut buf, 0, 0, tree.0, bound_prefix(lower, Some(upper)), flat, 0..n, 0) {
                self.emit_page(tree, 0, &mut buf, lower, out)?;
                lower.clear();
                lower.extend_from_slice(upper);
                flat.drop_front(n);
                return Ok(());
            }
        }
        bail!(INTERNAL_ERROR, "an entry does not fit in a page")
    }
    fn emit_page(&mut self, tree: TreeId, level: u8, buf: &mut PageBuf, lower: &[u8], out: &mut Level) -> Result<()> {
        let kind = if level == 0 { KIND_LEAF } else { KIND_INNER };
        let page = self.store.shared.pool.new_page(tree.0, kind)?;
        buf.0[1] = page.pid;
        store_page(page.words, buf);
        out.push((lower.to_vec(), page.pid));
        Ok(())
    }
    fn build_inner(&mut self, tree: TreeId, level: u8, below: &Level) -> Result<Level> {
        let mut out = Level::new();
        let mut buf = PageBuf::boxed();
        let mut flat = Flat::default();
        let mut i = 0;
        while i < below.len() {
            flat.clear();
            let (lower, first) = &below[i];
            let mut size = 0;
            i += 1;
            while i < below.len() && (size + 16 + below[i].0.len() <= FILL) {
                size += 16 + below[i].0.len();
                flat.push(&below[i].0, [&below[i].1.to_le_bytes(), &[]]);
                i += 1;
            }
            let upper = below.get(i).map(|b| &b.0[..]);
            let n = flat.len();
            if !build(&mut buf, level, 0, tree.0, bound_prefix(lower, upper), &flat, 0..n, *first) {
                bail!(INTERNAL_ERROR, "separators do not fit in a page");
            }
            self.emit_page(tree, level, &mut buf, lower, &mut out)?;
        }
        Ok(out)
    }
}
