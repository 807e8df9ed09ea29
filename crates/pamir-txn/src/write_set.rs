//! A transaction's own changes, in memory until commit.
//!
//! ```text
//!   index (sorted by tree, key)   entries (in order of writing)             arena (bytes)
//!   [ (t1,a) (t1,c) (t2,b) ]      0: t1 a put  stmt 1 prev -                a1cbx...
//!       |       |      |          1: t1 c put  stmt 1 prev -
//!       |       |      +--------> 2: t2 b del  stmt 2 prev -
//!       |       +---------------> 1
//!       +-----------------------> 3: t1 a put  stmt 2 prev 0      <- newest of the chain
//! ```
//! Entries and arena only grow, so a savepoint is a pair of lengths and rolling back to it is a truncation that re-points the index at each cut
//! entry's predecessor. Entries carry the statement that wrote them: a snapshot of statement s sees the newest entry of a chain with statement < s,
//! hence a statement never meets its own writes (no Halloween problem).
//!
//! The index is a list of short sorted runs: one binary search over the runs' last items, one inside. A handful of keys is one small vector;
//! a million keys are some thousands of runs. An item of the index is the entry's number with its tree and the first bytes of its key, so that nearly
//! every comparison stays within the index: following two pointers for each would be two cache misses a step in a large transaction.
//!
//! Limits: [`WRITE_SET_UNCHARGED`] bytes are free (they belong to the session), everything beyond is charged to the account; entry count and arena are 32-bit.
use crate::MemoryAccount;
use pamir_storage::store::{Dir, TreeId};
use pamir_types::{Result, err};
use std::cmp::Ordering;
use std::sync::Arc;

/// The first bytes of a write set are not charged: small transactions touch no shared counter.
pub const WRITE_SET_UNCHARGED: u64 = 16 << 10;
/// Memory is charged in steps of this size.
const CHARGE_STEP: u64 = 64 << 10;
/// Entries of one run of the index.
const RUN: usize = 256;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub tree: TreeId,
    key_off: u32,
    key_len: u32,
    val_off: u32,
    val_len: u32,
    pub statement: u32,
    prev: u32,
    pub tombstone: bool,
}

/// Where a savepoint stands.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mark {
    entries: u32,
    arena: u32,
}

/// One key of the index.
#[derive(Clone, Copy)]
struct Item {
    tree: TreeId,
    /// The key's first bytes, zeros behind a shorter one.
    prefix: [u64; 2],
    entry: u32,
}
fn prefix(key: &[u8]) -> [u64; 2] {
    let mut b = [0; 16];
    let n = key.len().min(16);
    b[..n].copy_from_slice(&key[..n]);
    let n = u128::from_be_bytes(b);
    [(n >> 64) as u64, n as u64]
}

/// A place in the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pos {
    run: usize,
    at: usize,
}

pub(crate) struct WriteSet {
    arena: Vec<u8>,
    entries: Vec<Entry>,
    runs: Vec<Vec<Item>>,
    /// The last item of each run.
    tops: Vec<Item>,
    /// Changes with the index: an open scan must find its place again.
    pub version: u64,
    account: Arc<MemoryAccount>,
    limit: u64,
    charged: u64,
    /// Bytes charged for others (locks).
    extra: u64,
}

impl WriteSet {
    pub fn new(account: Arc<MemoryAccount>, limit: u64) -> WriteSet {
        WriteSet {
            arena: Vec::new(),
            entries: Vec::new(),
            runs: Vec::new(),
            tops: Vec::new(),
            version: 0,
            account,
            limit,
            charged: 0,
            extra: 0,
        }
    }
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    pub fn len(&self) -> usize {
        self.runs.iter().map(|r| r.len()).sum()
    }
    pub fn entry(&self, e: u32) -> &Entry {
        &self.entries[e as usize]
    }
    pub fn key(&self, e: &Entry) -> &[u8] {
        &self.arena[e.key_off as usize..][..e.key_len as usize]
    }
    pub fn value(&self, e: &Entry) -> &[u8] {
        &self.arena[e.val_off as usize..][..e.val_len as usize]
    }
    /// Compares an item with a key; `p` is the key's prefix.
    fn compare(&self, i: &Item, tree: TreeId, p: &[u64; 2], key: &[u8]) -> Ordering {
        let o = i.tree.cmp(&tree).then_with(|| i.prefix.cmp(p));
        // Equal prefixes: one key may go on, or the zeros be a key's own.
        if o.is_eq() { self.key(self.entry(i.entry)).cmp(key) } else { o }
    }
    /// The first place at or after (tree, key), and whether it is exactly there.
    pub fn seek(&self, tree: TreeId, key: &[u8]) -> (Pos, bool) {
        let p = prefix(key);
        // The run that may hold the key: the first whose last key is not below it.
        let run = self.tops.partition_point(|t| self.compare(t, tree, &p, key) == Ordering::Less);
        let Some(r) = self.runs.get(run) else { return (Pos { run, at: 0 }, false) };
        let mut exact = false;
        let at = match r.binary_search_by(|i| self.compare(i, tree, &p, key)) {
            Ok(i) => {
                exact = true;
                i
            }
            Err(i) => i,
        };
        (Pos { run, at }, exact)
    }
    pub fn at(&self, p: Pos) -> Option<u32> {
        self.runs.get(p.run)?.get(p.at).map(|i| i.entry)
    }
    pub fn next(&self, mut p: Pos) -> Pos {
        p.at += 1;
        if self.runs.get(p.run).is_some_and(|r| p.at >= r.len()) {
            p = Pos { run: p.run + 1, at: 0 };
        }
        p
    }
    pub fn prev(&self, mut p: Pos) -> Option<Pos> {
        if p.at > 0 {
            p.at -= 1;
            return Some(p);
        }
        p.run = p.run.checked_sub(1)?;
        p.at = self.runs[p.run].len() - 1;
        Some(p)
    }
    /// The first place of a walk over [lo, hi) of `tree` in direction `dir`.
    pub fn start(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Option<Pos> {
        match dir {
            Dir::Forward => Some(self.seek(tree, lo).0),
            Dir::Backward => {
                let end = match hi {
                    Some(hi) => self.seek(tree, hi).0,
                    None => self.seek(TreeId(tree.0 + 1), &[]).0,
                };
                self.prev(end)
            }
        }
    }
    /// The newest own write of a key.
    pub fn newest(&self, tree: TreeId, key: &[u8]) -> Option<&Entry> {
        let (p, exact) = self.seek(tree, key);
        if exact { self.at(p).map(|e| self.entry(e)) } else { None }
    }
    /// The own write of chain `head` that a snapshot of `statement` sees.
    pub fn visible(&self, head: u32, statement: u32) -> Option<&Entry> {
        let mut e = head;
        while e != NONE {
            let entry = self.entry(e);
            if entry.statement < statement {
                return Some(entry);
            }
            e = entry.prev;
        }
        None
    }
    pub fn lookup(&self, tree: TreeId, key: &[u8], statement: u32) -> Option<&Entry> {
        let (p, exact) = self.seek(tree, key);
        if exact { self.at(p).and_then(|e| self.visible(e, statement)) } else { None }
    }
    /// Records a put (Some) or delete (None). `since` is the innermost savepoint: entries older than it must be kept.
    #[cfg(test)]
    pub fn write(&mut self, tree: TreeId, key: &[u8], value: Option<&[u8]>, statement: u32, since: Mark) -> Result<()> {
        self.write_entry(tree, key, value.unwrap_or(&[]), value.is_none(), statement, since)
    }
    /// As [`WriteSet::write`]. The value of a tombstone, if it has one, is the key under which the row lives on.
    pub fn write_entry(
        &mut self,
        tree: TreeId,
        key: &[u8],
        val: &[u8],
        tombstone: bool,
        statement: u32,
        since: Mark,
    ) -> Result<()> {
        let grown = self.arena.len() as u64 + key.len() as u64 + val.len() as u64;
        if grown > u32::MAX as u64 || self.entries.len() >= NONE as usize {
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "transaction changes more than {} bytes", u32::MAX)
                .hint("Split it into smaller transactions."));
        }
        self.charge(grown + (self.entries.len() as u64 + 1) * ((size_of::<Entry>() + size_of::<Item>()) as u64))?;
        let (pos, exact) = if let Some(last) = self.tops.last()
            && self.compare(last, tree, &prefix(key), key) == Ordering::Less
        {
            (Pos { run: self.runs.len(), at: 0 }, false)
        } else {
            self.seek(tree, key)
        };
        let val_off = self.arena.len() as u32;
        self.arena.extend_from_slice(val);
        if exact && let Some(head) = self.at(pos) {
            let old = self.entries[head as usize];
            if old.statement == statement && head >= since.entries {
                // Nobody can ever see the old one: not a snapshot (same statement), not a rollback (same savepoint).
                let e = &mut self.entries[head as usize];
                (e.val_off, e.val_len, e.tombstone) = (val_off, val.len() as u32, tombstone);
                return Ok(());
            }
            let n = self.entries.len() as u32;
            self.entries.push(Entry { val_off, val_len: val.len() as u32, statement, prev: head, tombstone, ..old });
            self.point(pos, n);
            return Ok(());
        }
        let key_off = self.arena.len() as u32;
        self.arena.extend_from_slice(key);
        let n = self.entries.len() as u32;
        self.entries.push(Entry {
            tree,
            key_off,
            key_len: key.len() as u32,
            val_off,
            val_len: val.len() as u32,
            statement,
            prev: NONE,
            tombstone,
        });
        self.insert(pos, Item { tree, prefix: prefix(key), entry: n });
        Ok(())
    }
    /// Makes the item at `pos` stand for another entry of the same key.
    fn point(&mut self, pos: Pos, entry: u32) {
        let Some(r) = self.runs.get_mut(pos.run) else { return };
        let last = r.len().saturating_sub(1);
        if let Some(i) = r.get_mut(pos.at) {
            i.entry = entry;
        }
        if pos.at == last
            && let Some(t) = self.tops.get_mut(pos.run)
        {
            t.entry = entry;
        }
    }
    fn insert(&mut self, pos: Pos, item: Item) {
        self.version += 1;
        let Some(r) = self.runs.get_mut(pos.run) else {
            // After everything: append to the last run, or start a new one so that ascending writes leave full runs behind.
            match (self.runs.last_mut(), self.tops.last_mut()) {
                (Some(r), Some(top)) if r.len() < RUN => {
                    r.push(item);
                    *top = item;
                }
                _ => {
                    self.runs.push(vec![item]);
                    self.tops.push(item);
                }
            }
            return;
        };
        // Before the run's last item: its top stays.
        r.insert(pos.at, item);
        if r.len() > RUN {
            let tail = r.split_off(RUN / 2);
            let top = r[r.len() - 1];
            self.runs.insert(pos.run + 1, tail);
            self.tops.insert(pos.run, top);
        }
    }
    /// Takes the item at `pos` out of the index.
    fn remove(&mut self, pos: Pos) {
        let r = &mut self.runs[pos.run];
        r.remove(pos.at);
        match r.last() {
            Some(last) => self.tops[pos.run] = *last,
            None => {
                self.runs.remove(pos.run);
                self.tops.remove(pos.run);
            }
        }
    }
    pub fn mark(&self) -> Mark {
        Mark { entries: self.entries.len() as u32, arena: self.arena.len() as u32 }
    }
    /// Forgets everything written after `mark`.
    pub fn rollback_to(&mut self, mark: Mark) {
        while self.entries.len() > mark.entries as usize {
            let Some(e) = self.entries.last().copied() else { break };
            let n = self.entries.len() as u32 - 1;
            let (pos, exact) = self.seek(e.tree, self.key(&e));
            debug_assert!(exact && self.at(pos) == Some(n), "the newest entry heads its chain");
            if exact {
                if e.prev != NONE {
                    self.point(pos, e.prev);
                } else {
                    self.remove(pos);
                }
            }
            self.entries.pop();
        }
        self.version += 1;
        self.arena.truncate(mark.arena as usize);
    }
    /// Chain heads in (tree, key) order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.runs.iter().flatten().map(|i| self.entry(i.entry))
    }
    pub fn arena_len(&self) -> usize {
        self.arena.len()
    }
    /// Counts memory of something that lives as long as the write set (lock entries).
    pub fn charge_extra(&mut self, bytes: u64) -> Result<()> {
        self.extra += bytes;
        let own =
            self.arena.len() as u64 + self.entries.len() as u64 * ((size_of::<Entry>() + size_of::<Item>()) as u64);
        self.charge(own)
    }
    fn charge(&mut self, own: u64) -> Result<()> {
        let used = own + self.extra;
        if used <= WRITE_SET_UNCHARGED + self.charged {
            return Ok(());
        }
        if used > self.limit {
            return Err(err!(OUT_OF_MEMORY, "out of memory")
                .detail(format!("A transaction's changes and locks are limited to {} bytes.", self.limit))
                .hint("Make the transaction smaller or raise the limit."));
        }
        let step = (used - WRITE_SET_UNCHARGED - self.charged).max(CHARGE_STEP);
        self.account.charge(step)?;
        self.charged += step;
        Ok(())
    }
}
impl Drop for WriteSet {
    fn drop(&mut self) {
        if self.charged > 0 {
            self.account.release(self.charged);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn ws() -> WriteSet {
        WriteSet::new(MemoryAccount::root("test", 1 << 30), 1 << 30)
    }

    #[test]
    fn statements_do_not_see_themselves() {
        let mut w = ws();
        let t = TreeId(20);
        w.write(t, b"k", Some(b"1"), 1, Mark::default()).unwrap();
        w.write(t, b"k", Some(b"2"), 2, Mark::default()).unwrap();
        w.write(t, b"k", Some(b"2b"), 2, Mark::default()).unwrap();
        assert!(w.lookup(t, b"k", 1).is_none());
        let e = w.lookup(t, b"k", 2).unwrap();
        assert_eq!(w.value(e), b"1");
        let e = w.lookup(t, b"k", 3).unwrap();
        assert_eq!(w.value(e), b"2b");
        assert_eq!(w.entries.len(), 2);
    }

    #[test]
    fn the_limit_is_an_error() {
        let a = MemoryAccount::root("test", 1 << 30);
        let mut w = WriteSet::new(a.clone(), 100_000);
        let e = (0..10_000u32)
            .find_map(|i| w.write(TreeId(20), &i.to_be_bytes(), Some(&[0; 50]), 1, Mark::default()).err())
            .unwrap();
        assert_eq!(e.code().as_str(), "53200");
        drop(w);
        assert_eq!(a.used(), 0);
    }

    #[derive(Debug, Clone)]
    enum Op {
        Write(u8, u16, Option<u8>),
        Statement,
        Savepoint,
        RollbackTo(usize),
    }
    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            20 => (0..3u8, 0..600u16, proptest::option::of(any::<u8>())).prop_map(|(t, k, v)| Op::Write(t, k, v)),
            2 => Just(Op::Statement), 1 => Just(Op::Savepoint), 1 => (0..8usize).prop_map(Op::RollbackTo),
        ]
    }
    type Model = BTreeMap<(u64, Vec<u8>), Vec<(u32, Option<u8>)>>;
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_like_a_map(ops in proptest::collection::vec(op(), 1..1500)) {
            let mut w = ws();
            let mut model = Model::new();
            let mut stmt = 1;
            let mut saves: Vec<(Mark, Model)> = vec![];
            for op in ops {
                match op {
                    Op::Write(t, k, v) => {
                        let since = saves.last().map_or(Mark::default(), |s| s.0);
                        w.write(TreeId(t as u64), &k.to_be_bytes(), v.as_ref().map(std::slice::from_ref), stmt, since).unwrap();
                        model.entry((t as u64, k.to_be_bytes().to_vec())).or_default().push((stmt, v));
                    }
                    Op::Statement => stmt += 1,
                    Op::Savepoint => saves.push((w.mark(), model.clone())),
                    Op::RollbackTo(i) => if i < saves.len() {
                        saves.truncate(i + 1);
                        w.rollback_to(saves[i].0);
                        model = saves[i].1.clone();
                    },
                }
            }
            let got: Vec<_> = w.iter().map(|e| (e.tree.0, w.key(e).to_vec(), (!e.tombstone).then(|| w.value(e)[0]))).collect();
            let want: Vec<_> = model.iter().map(|(k, c)| (k.0, k.1.clone(), c.last().unwrap().1)).collect();
            prop_assert_eq!(got, want);
            for (k, chain) in &model {
                for s in 0..stmt + 1 {
                    let got = w.lookup(TreeId(k.0), &k.1, s).map(|e| (!e.tombstone).then(|| w.value(e)[0]));
                    let want = chain.iter().rev().find(|c| c.0 < s).map(|c| c.1);
                    prop_assert_eq!(got, want);
                }
            }
            for t in 0..3u64 {
                let mut back = vec![];
                let mut p = w.start(TreeId(t), &[], None, Dir::Backward);
                while let Some(q) = p {
                    let e = w.entry(w.at(q).unwrap());
                    if e.tree.0 != t { break; }
                    back.push(w.key(e).to_vec());
                    p = w.prev(q);
                }
                back.reverse();
                let want: Vec<_> = model.keys().filter(|k| k.0 == t).map(|k| k.1.clone()).collect();
                prop_assert_eq!(back, want);
            }
        }
    }
}
