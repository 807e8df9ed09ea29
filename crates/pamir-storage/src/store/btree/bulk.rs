//! Building a tree bottom-up from sorted entries: every page is written once, filled to [`FILL`].
//!
//! Leaves are laid out left to right; their separators (the shortest keys that tell neighbours apart) make the level above, and so on until one page is left, whose
//! content moves into the root under its lock. Until then readers see the empty tree; an error frees what was built and leaves it empty.
use super::super::TreeId;
use super::super::mem::PageBuf;
use super::super::overflow;
use super::super::page::*;
use super::node::*;
use super::write::Writer;
use pamir_types::{Result, bail};
use std::sync::atomic::Ordering::Relaxed;

/// Bytes of a page that bulk building uses.
const FILL: usize = SPACE * 15 / 16;

/// Pages of one level, ascending: the lower bound and the page id.
type Level = Vec<(Vec<u8>, u64)>;

impl Writer {
    /// Fills an empty tree bottom-up from strictly ascending entries.
    pub fn bulk_build(&mut self, tree: TreeId, entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Result<()> {
        let store = self.store.clone();
        let shared = &store.shared;
        let root = shared.trees.root(tree)?.pid;
        self.forget();
        {
            let page = shared.pool.lock(root)?;
            let node = Node(page.words);
            if node.level() > 0 || node.count() > 0 {
                bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "bulk build of tree {}: the tree is not empty", tree.0);
            }
        }
        let built = self.build_leaves(tree, entries).and_then(|leaves| {
            let count = leaves.len() as u64;
            let mut level = leaves;
            let mut height = 0u8;
            while level.len() > 1 {
                height += 1;
                level = self.build_inner(tree, height, &level)?;
            }
            Ok((count, height, level.first().map(|l| l.1)))
        });
        match built {
            Ok((_, _, None)) => Ok(()),
            Ok((leaves, height, Some(top))) => {
                let target = shared.pool.lock(root)?;
                let top = shared.pool.lock(top)?;
                let mut buf = PageBuf::boxed();
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
            Err(e) => {
                let end = shared.pool.lock_inner().next_pid;
                for pid in 1..end {
                    let row = shared.pool.row(pid)?.entry();
                    if row.tree == tree.0 && !row.is_free() && pid != root {
                        shared.pool.free_page(pid);
                    }
                }
                Err(e)
            }
        }
    }
    fn build_leaves(&mut self, tree: TreeId, entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Result<Level> {
        let store = self.store.clone();
        let mut leaves = Level::new();
        let mut lower = Vec::new();
        let mut flat = Flat::default();
        let mut size = 0;
        for (key, value) in entries {
            if key.len() > MAX_TREE_KEY {
                bail!(PROGRAM_LIMIT_EXCEEDED, "index row size {} exceeds maximum {MAX_TREE_KEY}", key.len());
            }
            if flat.len() > 0 && flat.key(flat.len() - 1) >= key {
                bail!(INTERNAL_ERROR, "bulk build of tree {}: entries are not in ascending order", tree.0);
            }
            if is_long(key, value) {
                let r = overflow::write(&store.shared, tree, value)?.encode();
                flat.push(key, [&(OVERFLOW_BIT | OVERFLOW_REF as u16).to_le_bytes(), &r]);
            } else {
                flat.push(key, [&(value.len() as u16).to_le_bytes(), value]);
            }
            let n = flat.len();
            size += flat.size(n - 1);
            // each but one entry saves what the leaf's bounds share
            let shared = common(&lower, key);
            if n > 1 && size - shared * (n - 1) > FILL {
                self.emit(tree, &mut flat, &mut lower, &mut leaves, n - 1)?;
                size = (0..flat.len()).map(|i| flat.size(i)).sum();
            }
        }
        let mut buf = PageBuf::boxed();
        while flat.len() > 0 {
            // the last leaf has no upper bound, hence no prefix: it may need more room than was guessed
            let n = flat.len();
            if build(&mut buf, 0, 0, tree.0, &[], &flat, 0..n, 0) {
                self.emit_page(tree, 0, &mut buf, &lower, &mut leaves)?;
                break;
            }
            self.emit(tree, &mut flat, &mut lower, &mut leaves, n - 1)?;
        }
        Ok(leaves)
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
