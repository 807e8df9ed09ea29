//! The one writer: inserts, removals, splits, merges.
//!
//! Being alone, it descends like a reader and nothing but eviction can get in its way. It locks a page only to change it:
//! one leaf for most operations. A structure change first makes certain that it can be completed — locks the leaf and its ancestors up to one with room,
//! gets all new pages — and then cannot fail half-way. Locks are held from the leaf up and let go together, so readers see the tree before or after.
//!
//! - A split leaves two halves by bytes; at the right edge of the tree the left page keeps 15/16 (ascending inserts fill pages).
//! - A full root moves its content to a new child and grows a level: its page id stays.
//! - A page less than a quarter full is merged with a sibling of the same parent when both fit in three quarters, an empty one whenever they fit; an inner root with one
//!   child takes the child's place.
//! - The way to the last leaf is remembered; neighbouring keys skip the descent.
use super::super::checkpoint::{self, Checkpoint};
use super::super::mem::{PAGE_SIZE, PageBuf};
use super::super::page::*;
use super::super::pool::{Change, Miss, PageMut, Pool};
use super::super::{DIRECTORY, DIRECTORY_ROOT, Store, Tree, TreeId, overflow};
use super::node::*;
use crate::log::Lsn;
use pamir_error::{Result, bail, err};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Used bytes below which a page looks for a sibling to merge with, and what a merged page may use.
pub(super) const MERGE_BELOW: usize = SPACE / 4;
const MERGED_MAX: usize = SPACE * 3 / 4;

#[derive(Clone, Copy)]
struct Step {
    pid: u64,
    /// the child taken
    index: usize,
}
/// The one writer: the applier owns it.
pub struct Writer {
    pub(crate) store: Arc<Store>,
    /// the way to `leaf`, root first
    path: Vec<Step>,
    /// the leaf last worked on, in `tree`, holding keys in [lower, upper)
    at: Option<(TreeId, u64)>,
    lower: Vec<u8>,
    pub(super) upper: Option<Vec<u8>>,
    old: Vec<u8>,
    flat: Flat,
    buf: Box<PageBuf>,
}

/// What to put into a leaf.
#[derive(Clone, Copy)]
struct Entry<'a> {
    key: &'a [u8],
    info: u16,
    value: &'a [u8],
}

impl Writer {
    pub(crate) fn new(store: Arc<Store>) -> Writer {
        Writer {
            store,
            path: Vec::new(),
            at: None,
            lower: Vec::new(),
            upper: None,
            old: Vec::new(),
            flat: Flat::default(),
            buf: PageBuf::boxed(),
        }
    }
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }
    fn tree(&self, tree: TreeId) -> Result<Arc<Tree>> {
        self.store.shared.trees.get(tree).ok_or_else(|| err!(INTERNAL_ERROR, "tree {} does not exist", tree.0))
    }

    /// Before a structure change from outside.
    pub(crate) fn forget(&mut self) {
        self.at = None;
    }

    // ---- trees

    pub(crate) fn create_directory(&mut self) -> Result<()> {
        let page = new_root(&self.store.shared.pool, 0)?;
        if page != DIRECTORY_ROOT {
            bail!(INTERNAL_ERROR, "the directory's root is page {page}");
        }
        self.store.shared.trees.insert(DIRECTORY, page, 1);
        Ok(())
    }
    pub fn create_tree(&mut self, tree: TreeId) -> Result<()> {
        if self.store.tree_exists(tree) {
            bail!(INTERNAL_ERROR, "tree {} exists already", tree.0);
        }
        let root = new_root(&self.store.shared.pool, tree.0)?;
        if let Err(e) = self.put(DIRECTORY, &tree.0.to_be_bytes(), &root.to_le_bytes(), &mut |_| {}) {
            self.store.shared.pool.free_page(root);
            return Err(e);
        }
        self.store.shared.trees.insert(tree, root, 1);
        Ok(())
    }
    /// Frees the tree's pages. Readers still in it notice by their pages' versions, restart, and find no tree.
    pub fn drop_tree(&mut self, tree: TreeId) -> Result<()> {
        if tree == DIRECTORY || !self.remove(DIRECTORY, &tree.0.to_be_bytes())? {
            bail!(INTERNAL_ERROR, "tree {} does not exist", tree.0);
        }
        self.at = None;
        self.store.shared.trees.remove(tree);
        // the table knows every page's tree: no page has to be read to be freed
        let pool = &self.store.shared.pool;
        let end = pool.lock_inner().next_pid;
        for pid in 1..end {
            let e = pool.row(pid)?.entry();
            if e.tree == tree.0 && !e.is_free() {
                pool.free_page(pid);
            }
        }
        Ok(())
    }

    // ---- finding

    /// Remembers the way to the leaf for `key`. All its pages were in memory a moment ago.
    pub(crate) fn find(&mut self, tree: TreeId, key: &[u8]) -> Result<u64> {
        if let Some((t, leaf)) = self.at
            && t == tree
            && key >= &self.lower[..]
            && self.upper.as_ref().is_none_or(|u| key < &u[..])
        {
            return Ok(leaf);
        }
        self.at = None;
        let store = self.store.clone();
        let root = store.shared.trees.root(tree)?;
        let leaf = self.retry(&store, |w| {
            w.path.clear();
            w.lower.clear();
            let mut bounded = w.upper.take();
            let mut upper = bounded.take().unwrap_or_default();
            let mut has_upper = false;
            let mut page = store.root_page(root)?;
            let mut pid = root.pid;
            loop {
                let node = Node(page.words);
                if node.level() == 0 {
                    page.check()?;
                    w.upper = has_upper.then_some(upper);
                    return Ok(pid);
                }
                let index = node.child_for(key);
                if index > 0 {
                    w.lower.clear();
                    node.key_into(index - 1, &mut w.lower);
                }
                if index < node.count() {
                    upper.clear();
                    node.key_into(index, &mut upper);
                    has_upper = true;
                }
                let child = node.child(index);
                let next = store.shared.pool.fetch(child);
                page.check()?;
                page = next?;
                w.path.push(Step { pid, index });
                pid = child;
            }
        })?;
        self.at = Some((tree, leaf));
        Ok(leaf)
    }
    /// As [`Store::retry`], but the writer's thread reads missing pages itself.
    fn retry<T>(&mut self, store: &Store, mut attempt: impl FnMut(&mut Writer) -> Result<T, Miss>) -> Result<T> {
        loop {
            match attempt(self) {
                Ok(v) => return Ok(v),
                Err(Miss::Fail(e)) => return Err(e),
                Err(Miss::Missing(pid)) => {
                    if store.shared.pool.row(pid)?.entry().is_free() {
                        bail!(DATA_CORRUPTED, "page {pid} is used by a tree, but free in the page map");
                    }
                    store.shared.pool.load(pid)?
                }
                Err(Miss::Restart) => std::hint::spin_loop(),
            }
        }
    }
    /// Index in the leaf, and the value there if the key is present (copied to `self.old` when inline).
    fn look(&mut self, leaf: u64, key: &[u8], copy: bool) -> Result<(usize, Option<Value>)> {
        let store = self.store.clone();
        self.retry(&store, |w| {
            let page = store.shared.pool.fetch(leaf)?;
            let node = Node(page.words);
            let (i, found) = node.search(key);
            let value = found.then(|| node.value(i));
            if let (Some(Value::Inline { off, len }), true) = (value, copy) {
                w.old.clear();
                copy_out(page.words, off, len, &mut w.old);
            }
            page.check()?;
            Ok((i, value))
        })
    }
    pub fn get(&mut self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        let leaf = self.find(tree, key)?;
        let value = self.look(leaf, key, true)?.1;
        out.clear();
        match value {
            None => return Ok(false),
            Some(Value::Inline { .. }) => out.extend_from_slice(&self.old),
            Some(Value::Overflow(r)) => self.read_long(r, out)?,
        }
        Ok(true)
    }
    fn read_long(&self, r: OverflowRef, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        match overflow::read(&self.store, r, out) {
            Ok(()) => Ok(()),
            Err(Miss::Fail(e)) => Err(e),
            Err(_) => bail!(DATA_CORRUPTED, "the chain of overflow pages from page {} is broken", r.pid),
        }
    }

    // ---- changing

    /// Inserts or replaces. `old` receives the replaced value, if there was one, and runs before the page changes,
    /// so a reader that sees the new value can already find what was done with the old one.
    pub fn put(&mut self, tree: TreeId, key: &[u8], value: &[u8], old: &mut dyn FnMut(Option<&[u8]>)) -> Result<()> {
        admit_key(key)?;
        let leaf = self.find(tree, key)?;
        let (index, had) = self.look(leaf, key, true)?;
        if let Some(Value::Overflow(r)) = had {
            let mut long = std::mem::take(&mut self.old);
            let read = self.read_long(r, &mut long);
            self.old = long;
            read?;
        }
        let store = self.store.clone();
        let long = if is_long(key, value) { Some(overflow::write(&store.shared, tree, value)?) } else { None };
        let reference = long.map(|r| r.encode());
        let entry = match &reference {
            Some(r) => Entry { key, info: OVERFLOW_BIT | OVERFLOW_REF as u16, value: r },
            None => Entry { key, info: value.len() as u16, value },
        };
        let was_long = matches!(had, Some(Value::Overflow(_)));
        let mut before = |w: &[u8]| old(had.is_some().then_some(w));
        let result = self.place(&store, tree, leaf, index, had.is_some(), was_long, entry, &mut before);
        if result.is_err() {
            if let Some(r) = long {
                overflow::free(&store.shared, r)?;
            }
            return result;
        }
        if let Some(Value::Overflow(r)) = had {
            overflow::free(&store.shared, r)?;
        }
        Ok(())
    }
    /// Changes the leaf, splitting as needed; `long`: the value replaced has overflow pages. `before` runs once nothing can fail any more, and before any page changes.
    #[allow(clippy::too_many_arguments)]
    fn place(
        &mut self,
        store: &Store,
        tree: TreeId,
        leaf: u64,
        index: usize,
        replace: bool,
        long: bool,
        entry: Entry<'_>,
        before: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        let pool = &store.shared.pool;
        // `before` is foreign code: it runs without a page lock. If the room then turns out to be lacking and no page is to be had,
        // it ran in vain, which is harmless: the old value is still the newest.
        before(&self.old);
        let page = pool.lock_to(leaf, change_of(tree, long || entry.info & OVERFLOW_BIT != 0))?;
        let node = Node(page.words);
        if replace {
            let (s, info) = (node.slot(index), entry.info & !OVERFLOW_BIT);
            if (u16_at(page.words, s.off) & !OVERFLOW_BIT) == info {
                write_bytes(page.words, s.off, &entry.info.to_le_bytes());
                write_bytes(page.words, s.off + 2 + s.len, entry.value);
                return Ok(());
            }
        }
        let gone = if replace { node.entry_len(index) + 8 } else { 0 };
        let need = 10 + entry.key.len() - node.prefix_len() + entry.value.len();
        if node.free() + node.garbage() + gone < need {
            // frames are freed up before locks are held: readers must not wait for the disk
            drop(page);
            pool.make_room(self.path.len() + 3)?;
            return self.split(store, tree, pool.lock(leaf)?, index, replace, entry);
        }
        if replace {
            delete_at(page.words, index);
        }
        if !insert_at(page.words, index, entry.key, entry.info, entry.value) {
            // the room is there, but in pieces
            load_page(page.words, &mut self.buf);
            self.flat.clear();
            self.flat.read(&self.buf);
            self.flat.insert(index, entry.key, [&entry.info.to_le_bytes(), entry.value]);
            let prefix = &entry.key[..Node(page.words).prefix_len()];
            let n = self.flat.len();
            if !build(&mut self.buf, 0, leaf, tree.0, prefix, &self.flat, 0..n, 0) {
                bail!(INTERNAL_ERROR, "an entry that fits does not fit");
            }
            store_page(page.words, &self.buf);
        }
        Ok(())
    }

    /// Splits the locked leaf, its entry included, and what above it is full.
    fn split<'a>(
        &mut self,
        store: &'a Store,
        tree: TreeId,
        leaf: PageMut<'a>,
        index: usize,
        replace: bool,
        entry: Entry<'_>,
    ) -> Result<()> {
        let pool = &store.shared.pool;
        self.at = None;
        // 1. everything that can fail: lock up to an ancestor with room for any separator, get the new pages
        let mut locked = vec![leaf];
        let mut grows = true;
        for step in self.path.iter().rev() {
            let page = pool.lock(step.pid)?;
            let node = Node(page.words);
            let room = node.free() + node.garbage() >= 16 + MAX_TREE_KEY;
            locked.push(page);
            if room {
                grows = false;
                break;
            }
        }
        let depth = self.path.len();
        let mut bounds =
            (0..locked.len()).map(|at| self.bounds(pool, &locked, depth - at)).collect::<Result<Vec<_>>>()?;
        let full = locked.len() - (!grows) as usize;
        // one for each full page; when the root is full, another one for its content
        let mut fresh = new_pages(pool, tree, full + grows as usize)?;
        let counts = self.tree(tree)?;
        // 2. the changes
        let mut carry: Option<(Vec<u8>, u64)> = None; // separator and page to enter one level up
        let count = locked.len();
        let mut unused = Vec::new();
        for at in 0..count {
            let page = &locked[at];
            let level = at as u8;
            load_page(page.words, &mut self.buf);
            let mut flat = std::mem::take(&mut self.flat);
            flat.clear();
            flat.read(&self.buf);
            let (lower, upper) = std::mem::take(&mut bounds[at]);
            match carry.take() {
                None if at == 0 => {
                    if replace {
                        flat.remove(index);
                    }
                    flat.insert(index, entry.key, [&entry.info.to_le_bytes(), entry.value]);
                }
                Some((sep, right)) => {
                    let i = self.path[self.path.len() - at].index;
                    flat.insert(i, &sep, [&right.to_le_bytes(), &[]]);
                }
                None => {
                    self.flat = flat;
                    break;
                }
            }
            let n = flat.len();
            let prefix = bound_prefix(&lower, upper.as_deref());
            // with the separator in, it may well fit: room was judged by the longest one
            if at > 0 && build(&mut self.buf, level, page.pid, tree.0, prefix, &flat, 0..n, flat.first) {
                store_page(page.words, &self.buf);
                self.flat = flat;
                break;
            }
            let cut = cut(&flat, level, upper.is_none() && (at > 0 || index + 1 == n));
            let (sep, right_from, right_first) = if level == 0 {
                (separator(flat.key(cut - 1), flat.key(cut)).to_vec(), cut, 0)
            } else {
                (flat.key(cut).to_vec(), cut + 1, flat.child(cut + 1))
            };
            let is_root = at + 1 == count && grows;
            let Some(right) = fresh.pop() else { bail!(INTERNAL_ERROR, "a split ran out of pages") };
            let rp = bound_prefix(&sep, upper.as_deref());
            let fits = build(&mut self.buf, level, right.pid, tree.0, rp, &flat, right_from..n, right_first);
            assert!(fits, "the right half of page {} does not fit", page.pid);
            store_page(right.words, &self.buf);
            let left = if is_root { fresh.pop() } else { None };
            let left_page = left.as_ref().unwrap_or(page);
            let lp = bound_prefix(&lower, Some(&sep));
            let fits = build(&mut self.buf, level, left_page.pid, tree.0, lp, &flat, 0..cut, flat.first);
            assert!(fits, "the left half of page {} does not fit", page.pid);
            store_page(left_page.words, &self.buf);
            for p in [Some(&right), left.as_ref()].into_iter().flatten() {
                pool.set_kind(p.pid, if level == 0 { KIND_LEAF } else { KIND_INNER });
            }
            if level == 0 {
                counts.leaves.fetch_add(1, Relaxed);
            }
            if let Some(left) = &left {
                self.grow_root(pool, page, level + 1, tree, &mut flat, (left.pid, &sep, right.pid));
            } else {
                carry = Some((sep, right.pid));
            }
            self.flat = flat;
            unused.push(right);
            unused.extend(left);
        }
        // new pages first: nobody can reach them before the pages above, still locked, name them
        drop(unused);
        fresh.into_iter().for_each(|p| pool.free_locked(p));
        drop(locked);
        Ok(())
    }
    /// Makes `page`, whose content has moved to two children, the root over them, at `level`.
    fn grow_root(
        &mut self,
        pool: &Pool,
        page: &PageMut<'_>,
        level: u8,
        tree: TreeId,
        flat: &mut Flat,
        (left, sep, right): (u64, &[u8], u64),
    ) {
        flat.clear();
        flat.first = left;
        flat.push(sep, [&right.to_le_bytes(), &[]]);
        build(&mut self.buf, level, page.pid, tree.0, &[], flat, 0..1, left);
        store_page(page.words, &self.buf);
        pool.set_kind(page.pid, KIND_INNER);
    }
    /// The bounds of the page at `path[depth]`'s place (depth = path.len(): the leaf), from the separators above it.
    fn bounds(&self, pool: &Pool, locked: &[PageMut<'_>], depth: usize) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        let (mut lower, mut upper) = (Vec::new(), None);
        for step in &self.path[..depth] {
            // ancestors were all in memory during the descent, but may have been evicted since
            let read = |words: &Frame, lower: &mut Vec<u8>, upper: &mut Option<Vec<u8>>| {
                let node = Node(words);
                if step.index > 0 {
                    lower.clear();
                    node.key_into(step.index - 1, lower);
                }
                if step.index < node.count() {
                    let mut u = Vec::new();
                    node.key_into(step.index, &mut u);
                    *upper = Some(u);
                }
            };
            if let Some(p) = locked.iter().find(|p| p.pid == step.pid) {
                read(p.words, &mut lower, &mut upper);
                continue;
            }
            loop {
                match pool.fetch(step.pid) {
                    Ok(page) => {
                        let (mut l, mut u) = (lower.clone(), upper.clone());
                        read(page.words, &mut l, &mut u);
                        if page.valid() {
                            (lower, upper) = (l, u);
                            break;
                        }
                    }
                    Err(Miss::Missing(pid)) => pool.load(pid)?,
                    Err(Miss::Fail(e)) => return Err(e),
                    Err(Miss::Restart) => {}
                }
            }
        }
        Ok((lower, upper))
    }

    pub fn remove(&mut self, tree: TreeId, key: &[u8]) -> Result<bool> {
        if key.len() > MAX_TREE_KEY {
            return Ok(false);
        }
        let leaf = self.find(tree, key)?;
        let (index, had) = self.look(leaf, key, false)?;
        let Some(had) = had else { return Ok(false) };
        let store = self.store.clone();
        let long = matches!(had, Value::Overflow(_));
        let page = store.shared.pool.lock_to(leaf, change_of(tree, long))?;
        delete_at(page.words, index);
        let used = Node(page.words).used();
        drop(page);
        if let Value::Overflow(r) = had {
            overflow::free(&store.shared, r)?;
        }
        if used < MERGE_BELOW {
            self.merge_if_possible(&store, tree);
        }
        Ok(true)
    }
    /// After entries have left the leaf just worked on.
    pub(super) fn merge_if_possible(&mut self, store: &Store, tree: TreeId) {
        if self.path.is_empty() {
            return;
        }
        // the entries are gone either way; what hinders a merge will show itself to whoever needs those pages
        if let Err(e) = self.merge(store, tree) {
            tracing::warn!("could not merge pages of tree {}: {e}", tree.0);
        }
    }

    /// Merges the leaf just worked on with a sibling if both fit in one page, then the pages above likewise.
    /// Nothing here is needed for correctness: whatever stands in the way ends it.
    fn merge(&mut self, store: &Store, tree: TreeId) -> Result<()> {
        let pool = &store.shared.pool;
        let counts = self.tree(tree)?;
        for level in 0..self.path.len() {
            let depth = self.path.len() - 1 - level;
            let Step { pid: parent, index } = self.path[depth];
            let (lower, upper) = self.bounds(pool, &[], depth)?;
            let parent = pool.lock(parent)?;
            let n = Node(parent.words).count();
            if n == 0 {
                break;
            }
            // The pair around separator `s`: children s and s + 1. First the one to the right; where a range is removed from left to right that is still full, and the one to the left sparse.
            let mut pair = None;
            for s in [Some(index).filter(|i| *i < n), index.checked_sub(1)].into_iter().flatten() {
                let (left, right) =
                    (pool.lock(Node(parent.words).child(s))?, pool.lock(Node(parent.words).child(s + 1))?);
                let (l, r) = (Node(left.words), Node(right.words));
                // An empty page goes even beside a full one: nothing else would ever take it out of the way of those who walk the tree.
                if l.count() == 0 || r.count() == 0 || l.used() + r.used() <= MERGED_MAX {
                    pair = Some((s, left, right));
                    break;
                }
            }
            let Some((s, left, right)) = pair else { break };
            let (mut lo, mut hi) = (lower.clone(), upper.clone());
            let mut sep = Vec::new();
            Node(parent.words).key_into(s, &mut sep);
            if s > 0 {
                lo.clear();
                Node(parent.words).key_into(s - 1, &mut lo);
            }
            if s + 1 < n {
                let mut u = Vec::new();
                Node(parent.words).key_into(s + 1, &mut u);
                hi = Some(u);
            }
            let mut flat = std::mem::take(&mut self.flat);
            flat.clear();
            load_page(left.words, &mut self.buf);
            flat.read(&self.buf);
            let (first, was) = (flat.first, flat.len());
            load_page(right.words, &mut self.buf);
            if level > 0 {
                flat.push(&sep, [&self.buf.word(5).to_le_bytes(), &[]]);
            }
            flat.read(&self.buf);
            flat.first = if level > 0 || was > 0 { first } else { 0 };
            let len = flat.len();
            let fits = build(
                &mut self.buf,
                level as u8,
                left.pid,
                tree.0,
                bound_prefix(&lo, hi.as_deref()),
                &flat,
                0..len,
                flat.first,
            );
            if !fits {
                self.flat = flat;
                break;
            }
            self.at = None;
            store_page(left.words, &self.buf);
            pool.free_locked(right);
            if level == 0 {
                counts.leaves.fetch_sub(1, Relaxed);
            }
            flat.clear();
            load_page(parent.words, &mut self.buf);
            flat.read(&self.buf);
            flat.remove(s);
            let root = depth == 0;
            if root && flat.len() == 0 {
                // the root has one child left: take its place
                load_page(left.words, &mut self.buf);
                self.buf.0[1] = parent.pid;
                store_page(parent.words, &self.buf);
                pool.set_kind(parent.pid, if level == 0 { KIND_LEAF } else { KIND_INNER });
                pool.free_locked(left);
                self.flat = flat;
                break;
            }
            let prefix = bound_prefix(&lower, upper.as_deref());
            let n = flat.len();
            if !build(&mut self.buf, level as u8 + 1, parent.pid, tree.0, prefix, &flat, 0..n, flat.first) {
                bail!(INTERNAL_ERROR, "a page with an entry less does not fit");
            }
            store_page(parent.words, &self.buf);
            self.flat = flat;
            if Node(parent.words).used() >= MERGE_BELOW {
                break;
            }
        }
        Ok(())
    }

    // ---- checkpoints

    /// Marks the current state as the checkpoint at `lsn`. One at a time. After [`Writer::follow_log`] its leaves may hold later changes, too: the
    /// log is to be replayed from `lsn`, at least up to [`Checkpoint::reaches`].
    pub fn begin_checkpoint(&mut self, lsn: Lsn, meta: &[u8]) -> Result<Checkpoint> {
        checkpoint::begin(&self.store, lsn, meta, false)
    }
    /// From now on changes come from a log that holds them already: a full disk refuses none, they wait in memory for a checkpoint that finds room.
    /// [`Store::reserve`] is there to refuse them before they are logged.
    pub fn follow_log(&self) {
        self.store.shared.pool.follow_log();
    }
    /// Bytes of dirty pages not yet in a checkpoint.
    pub fn dirty_bytes(&self) -> u64 {
        self.store.shared.pool.lock_inner().changed.len() as u64 * PAGE_SIZE as u64
    }
}

/// The change that an entry's coming or going is to its leaf; `long`: it refers to overflow pages. The directory's entries refer to roots.
pub(super) fn change_of(tree: TreeId, long: bool) -> Change {
    if long || tree == DIRECTORY { Change::Any } else { Change::Entries }
}
/// Where to split: entries from here go right (of an inner page: the one here goes up).
fn cut(flat: &Flat, level: u8, edge: bool) -> usize {
    let n = flat.len();
    let total: usize = (0..n).map(|i| flat.size(i)).sum();
    let goal = if edge { total * 15 / 16 } else { total / 2 };
    let (mut sum, mut at) = (0, 0);
    while at < n && sum + flat.size(at) <= goal {
        sum += flat.size(at);
        at += 1;
    }
    if level == 0 { at.clamp(1, n - 1) } else { at.clamp(1, n - 2) }
}
/// A locked-in empty root; returns its page id.
fn new_root(pool: &Pool, tree: u64) -> Result<u64> {
    let page = pool.new_page(tree, KIND_LEAF)?;
    let mut img = PageBuf::boxed();
    build(&mut img, 0, page.pid, tree, &[], &Flat::default(), 0..0, 0);
    store_page(page.words, &img);
    Ok(page.pid)
}

/// The pages of a split from the leaf up, in the order in which they are popped; all of them or none.
fn new_pages<'a>(pool: &'a Pool, tree: TreeId, count: usize) -> Result<Vec<PageMut<'a>>> {
    let mut fresh: Vec<PageMut<'a>> = Vec::with_capacity(count);
    for i in 0..count {
        match pool.new_page(tree.0, if i == 0 { KIND_LEAF } else { KIND_INNER }) {
            Ok(p) => fresh.push(p),
            Err(e) => {
                fresh.into_iter().for_each(|p| pool.free_locked(p));
                return Err(e);
            }
        }
    }
    fresh.reverse();
    Ok(fresh)
}
