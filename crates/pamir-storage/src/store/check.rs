//! Offline verification of a directory's newest checkpoint (`pamir check`).
//!
//! Reads every page once and reports everything that is wrong rather than the first thing: checksums, the page map (no slot named twice),
//! kinds and levels, keys ascending and within their bounds, prefixes, overflow chains (number, order, length), every page id reachable exactly once.
use super::btree::node::{MAX_SLOTS, Node, OverflowRef, Value};
use super::mem::{PAGE_SIZE, PageBuf};
use super::page::*;
use super::pagemap::{MapEntry, Slots, byte_of};
use super::pool::Pool;
use super::superblock::{self, DATA_FILE};
use super::{DIRECTORY, DIRECTORY_ROOT, MAX_TREE_KEY, TreeId};
use crate::disk::Disk;
use crate::stats::Stats;
use pamir_error::{Result, bail};
use std::sync::Arc;

/// Problems after which counting goes on, but not listing.
const MAX_PROBLEMS: usize = 100;

#[derive(Default, Debug, Clone)]
pub struct Report {
    /// generation and position of the checkpoint looked at
    pub generation: u64,
    pub lsn: u64,
    pub trees: u64,
    pub entries: u64,
    pub leaf_pages: u64,
    pub inner_pages: u64,
    pub overflow_pages: u64,
    pub slots: u64,
    pub free_slots: u64,
    pub problem_count: u64,
    /// one line each
    pub problems: Vec<String>,
}
impl Report {
    fn problem(&mut self, s: String) {
        self.problem_count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(s);
        }
    }
    pub fn is_clean(&self) -> bool {
        self.problem_count == 0
    }
}

struct Check<'a> {
    pool: &'a Pool,
    entries: Vec<MapEntry>,
    seen: Vec<bool>,
    report: Report,
    trees: Vec<(TreeId, u64)>,
}

/// Verifies everything the newest superblock names. Errors only where nothing can be verified at all (no readable superblock or map).
pub fn check(disk: Arc<dyn Disk>) -> Result<Report> {
    let Some(sb) = superblock::read(&*disk)? else {
        bail!(UNDEFINED_FILE, "the directory holds no \"{}\": it is not a data directory", super::SUPER_FILE)
    };
    let file = disk.open(DATA_FILE, false)?;
    let pool = Pool::new(0, file, Slots::new(1), Arc::new(Stats::default()))?;
    superblock::load_map(&pool, &sb)?;
    let (entries, free) = {
        let g = pool.lock_inner();
        (g.durable.entries.clone(), g.slots.free())
    };
    let report =
        Report { generation: sb.generation, lsn: sb.lsn, slots: sb.slots, free_slots: free, ..Report::default() };
    let mut c = Check { pool: &pool, seen: vec![false; entries.len()], entries, report, trees: Vec::new() };
    c.tree(DIRECTORY, DIRECTORY_ROOT)?;
    for (tree, root) in std::mem::take(&mut c.trees) {
        c.report.trees += 1;
        c.tree(tree, root)?;
    }
    for pid in 0..c.entries.len() {
        let e = c.entries[pid];
        if !e.is_free() && !c.seen[pid] {
            c.report.problem(format!("page {pid} of tree {} is not part of any tree", e.tree));
        }
    }
    Ok(c.report)
}

struct Todo {
    pid: u64,
    /// None: any (a root)
    level: Option<u8>,
    lower: Vec<u8>,
    upper: Option<Vec<u8>>,
}

impl Check<'_> {
    /// The page, if it is what the map says; it may be visited once.
    fn read(&mut self, tree: TreeId, pid: u64, buf: &mut PageBuf) -> Result<bool> {
        let Some(e) = self.entries.get(pid as usize).copied().filter(|e| !e.is_free()) else {
            self.report.problem(format!("tree {}: page {pid} is in use, but free in the page map", tree.0));
            return Ok(false);
        };
        if std::mem::replace(&mut self.seen[pid as usize], true) {
            self.report.problem(format!("tree {}: page {pid} is reached twice", tree.0));
            return Ok(false);
        }
        self.pool.read_slot(e.slot(), buf)?;
        if let Some(what) = verify(buf, pid, tree.0) {
            self.report.problem(format!("tree {}: page {pid} at byte {}: {what}", tree.0, byte_of(e.slot())));
            return Ok(false);
        }
        if e.tree != tree.0 || e.kind() != kind_of(buf) {
            self.report.problem(format!("tree {}: page {pid} is of another tree or kind in the page map", tree.0));
            return Ok(false);
        }
        Ok(true)
    }
    fn tree(&mut self, tree: TreeId, root: u64) -> Result<()> {
        let mut buf = PageBuf::boxed();
        let mut todo = vec![Todo { pid: root, level: None, lower: Vec::new(), upper: None }];
        let (mut key, mut last) = (Vec::new(), Vec::new());
        while let Some(t) = todo.pop() {
            if !self.read(tree, t.pid, &mut buf)? {
                continue;
            }
            let at = format!("tree {}: page {}", tree.0, t.pid);
            let node = Node(&*buf);
            let (n, level) = (node.count(), node.level());
            if t.level.is_some_and(|l| l != level) {
                self.report.problem(format!("{at}: level {level} where {:?} belongs", t.level));
                continue;
            }
            if (kind_of(&*buf) == KIND_LEAF) != (level == 0)
                || buf.0[3] as u16 as usize > MAX_SLOTS
                || node.heap() < HEADER + 8 * n
            {
                self.report.problem(format!("{at}: the header is inconsistent"));
                continue;
            }
            let mut chains: Vec<OverflowRef> = Vec::new();
            let mut heap = 0;
            for i in 0..n {
                let s = node.slot(i);
                if s.off < node.heap() || s.off + node.entry_len(i) > PAGE_SIZE {
                    self.report.problem(format!("{at}: entry {i} lies outside the heap"));
                    break;
                }
                heap += node.entry_len(i);
                key.clear();
                node.key_into(i, &mut key);
                if i > 0 && last >= key {
                    self.report.problem(format!("{at}: entries {} and {i} are out of order", i - 1));
                }
                if key < t.lower || t.upper.as_ref().is_some_and(|u| key >= *u) || key.len() > MAX_TREE_KEY {
                    self.report.problem(format!("{at}: the key of entry {i} is out of the page's bounds"));
                }
                if node.search(&key) != (i, true) {
                    self.report.problem(format!("{at}: a search for the key of entry {i} does not find it"));
                }
                std::mem::swap(&mut key, &mut last);
                if level == 0 {
                    self.report.entries += 1;
                    match node.value(i) {
                        Value::Overflow(r) => chains.push(r),
                        Value::Inline { off, len } if tree == DIRECTORY => {
                            let value = buf.bytes().get(off..off + len).and_then(|v| v.try_into().ok());
                            match (last[..].try_into().map(u64::from_be_bytes), value.map(u64::from_le_bytes)) {
                                (Ok(id), Some(root)) => self.trees.push((TreeId(id), root)),
                                _ => self.report.problem(format!("{at}: entry {i} of the directory is malformed")),
                            }
                        }
                        Value::Inline { .. } => {}
                    }
                }
            }
            if node.heap() + heap + node.garbage() + node.prefix_len() != PAGE_SIZE {
                self.report.problem(format!("{at}: bytes of the heap are unaccounted for"));
            }
            if level == 0 {
                self.report.leaf_pages += 1;
                for r in chains {
                    self.chain(tree, r)?;
                }
                continue;
            }
            self.report.inner_pages += 1;
            for i in 0..=n {
                let bound = |i: usize| {
                    let mut k = Vec::new();
                    node.key_into(i, &mut k);
                    k
                };
                todo.push(Todo {
                    pid: node.child(i),
                    level: Some(level - 1),
                    lower: if i > 0 { bound(i - 1) } else { t.lower.clone() },
                    upper: if i < n { Some(bound(i)) } else { t.upper.clone() },
                });
            }
        }
        Ok(())
    }
    fn chain(&mut self, tree: TreeId, r: OverflowRef) -> Result<()> {
        let mut buf = PageBuf::boxed();
        let (mut pid, mut left, mut index) = (r.pid, r.len, 0u64);
        while left > 0 {
            if !self.read(tree, pid, &mut buf)? {
                return Ok(());
            }
            self.report.overflow_pages += 1;
            let n = buf.0[3] >> 32;
            if buf.0[4] != r.chain || buf.0[3] as u32 as u64 != index || n == 0 || n > left {
                self.report.problem(format!(
                    "tree {}: page {pid} does not belong to the overflow chain from page {}",
                    tree.0, r.pid
                ));
                return Ok(());
            }
            (left, index, pid) = (left - n, index + 1, buf.0[5]);
        }
        if pid != 0 {
            self.report.problem(format!("tree {}: the overflow chain from page {} is too long", tree.0, r.pid));
        }
        Ok(())
    }
}
