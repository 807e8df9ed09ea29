//! Where one tree's entries are: sorted runs, a tail that is not sorted yet, and a hash table when point look-ups need one.
//!
//! ```text
//!   tops  [  c        k        z  ]     last key of each run           tail  [ 41 43 44 ... ]   in order of writing
//!   runs  [[a b c] [e h k] [m q z]]     one item a key, its newest     table { key -> newest entry }
//! ```
//! - Keys written in ascending order go to the last run at once: they are sorted without any work, and a look-up beyond the last key is one comparison.
//! - Everything else goes to the tail. A scan sorts the tail into the runs ([`TreeIndex::settle`]); so does a look-up while the tree is small.
//! - A look-up in a larger tree makes the table. From then on it holds every key (the tail's newest ones are added by the next look-up) and answers all look-ups.
//!
//! Invariants: the tail's entries are newer than all in the runs; an entry that runs or table name has its `prev` set.
use super::data::{Data, Item, NONE, prefix, table_hash};
use crate::table::Table;
use pamir_storage::store::TreeId;
use std::cmp::Ordering;

/// Items of one run.
const RUN: usize = 256;
/// Runs made from a sorted tail leave room for what is inserted later.
const RUN_FILL: usize = 192;
/// Keys of a tree from which on look-ups use a table.
pub(super) const TABLE_FROM: usize = 512;
/// A tail of up to so many entries, or up to an eighth of the runs, is inserted one by one.
const INSERT_UP_TO: usize = 32;

/// A place in the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pos {
    run: usize,
    at: usize,
}

pub(super) struct TreeIndex {
    pub tree: TreeId,
    runs: Vec<Vec<Item>>,
    /// The last item of each run.
    tops: Vec<Item>,
    /// Items of all runs.
    count: usize,
    pub tail: Vec<u32>,
    table: Option<Table>,
    /// Entries of the tail that the table knows.
    tabled: usize,
    moved: bool,
}

impl TreeIndex {
    pub fn new(tree: TreeId) -> TreeIndex {
        TreeIndex { tree, runs: vec![], tops: vec![], count: 0, tail: vec![], table: None, tabled: 0, moved: false }
    }
    /// At least the number of keys.
    pub fn len(&self) -> usize {
        self.count + self.tail.len()
    }
    /// Are places in the runs not what they were when this was last asked?
    pub fn take_moved(&mut self) -> bool {
        std::mem::take(&mut self.moved)
    }
    /// Keys are looked up one by one here, not only written.
    pub fn has_table(&self) -> bool {
        self.table.is_some()
    }
    /// Takes in the newest entry.
    #[inline]
    pub fn add(&mut self, data: &Data, n: u32) {
        if self.tail.is_empty() {
            let item = data.item(n);
            let above = self.tops.last().is_none_or(|t| data.compare(t, &item.prefix, data.key(n)) == Ordering::Less);
            if above {
                if let Some(t) = &mut self.table {
                    t.set(table_hash(data.key(n)), n, |_| false);
                }
                return self.append(item);
            }
        }
        self.tail.push(n);
    }
    /// The newest entry of a key.
    pub fn newest(&mut self, data: &mut Data, key: &[u8]) -> Option<u32> {
        if self.table.is_none() {
            if self.tail.is_empty() {
                let p = prefix(key);
                if self.tops.last().is_none_or(|t| data.compare(t, &p, key) == Ordering::Less) {
                    return None;
                }
            } else if self.count + self.tail.len() >= TABLE_FROM {
                self.make_table(data);
            } else {
                self.settle(data);
            }
        }
        if self.table.is_some() {
            self.table_tail(data);
        }
        match &self.table {
            Some(t) => t.get(table_hash(key), |n| data.key(n) == key),
            None => {
                let (p, exact) = self.seek(data, key);
                if exact { self.at(p) } else { None }
            }
        }
    }
    #[cold]
    fn make_table(&mut self, data: &Data) {
        let mut t = Table::with_room(self.count + self.tail.len());
        for i in self.runs.iter().flatten() {
            t.set(table_hash(data.key(i.entry)), i.entry, |_| false);
        }
        self.table = Some(t);
        self.tabled = 0;
    }
    /// Brings the table up to date.
    fn table_tail(&mut self, data: &mut Data) {
        let Some(t) = &mut self.table else { return };
        for &n in &self.tail[self.tabled..] {
            let key = data.key(n);
            let old = t.set(table_hash(key), n, |m| data.key(m) == key);
            data.entries[n as usize].prev = old.unwrap_or(NONE);
        }
        self.tabled = self.tail.len();
    }
    /// Sorts the tail into the runs. False: there was none.
    pub fn settle(&mut self, data: &mut Data) -> bool {
        if self.tail.is_empty() {
            return false;
        }
        self.moved = true;
        self.table_tail(data);
        let tail = std::mem::take(&mut self.tail);
        self.tabled = 0;
        if tail.len() <= INSERT_UP_TO.max(self.count / 8) {
            for n in tail {
                let (pos, exact) = self.seek(data, data.key(n));
                if exact && let Some(head) = self.at(pos) {
                    data.entries[n as usize].prev = head;
                    self.point(pos, n);
                } else {
                    self.insert(pos, data.item(n));
                }
            }
            return true;
        }
        let mut new = data.sorted(tail.into_iter());
        // One item a key: the newest, the others behind it in its chain.
        new.dedup_by(|next, kept| {
            let same = next.prefix == kept.prefix && data.key(next.entry) == data.key(kept.entry);
            if same {
                data.entries[next.entry as usize].prev = kept.entry;
                kept.entry = next.entry;
            }
            same
        });
        self.merge(data, new);
        true
    }
    /// Joins sorted new items, whose chains may go on in the runs, with the runs.
    fn merge(&mut self, data: &mut Data, new: Vec<Item>) {
        let runs = std::mem::take(&mut self.runs);
        self.tops.clear();
        self.count = 0;
        let mut old = runs.into_iter().flatten().peekable();
        for i in new {
            while let Some(o) = old.next_if(|o| data.compare_items(o, &i) == Ordering::Less) {
                self.fill(o);
            }
            if let Some(o) = old.next_if(|o| o.prefix == i.prefix && data.key(o.entry) == data.key(i.entry)) {
                let mut oldest = i.entry;
                while data.entry(oldest).prev != NONE && data.entry(oldest).prev != o.entry {
                    oldest = data.entry(oldest).prev;
                }
                data.entries[oldest as usize].prev = o.entry;
            }
            self.fill(i);
        }
        old.for_each(|o| self.fill(o));
    }
    fn fill(&mut self, item: Item) {
        self.append_to(item, RUN_FILL)
    }
    fn append(&mut self, item: Item) {
        self.append_to(item, RUN)
    }
    #[inline]
    fn append_to(&mut self, item: Item, full: usize) {
        self.count += 1;
        match (self.runs.last_mut(), self.tops.last_mut()) {
            (Some(r), Some(top)) if r.len() < full => {
                r.push(item);
                *top = item;
            }
            _ => {
                let mut r = Vec::with_capacity(if self.runs.is_empty() { 4 } else { full });
                r.push(item);
                self.runs.push(r);
                self.tops.push(item);
            }
        }
    }
    /// The first place at or after the key, and whether it is exactly there.
    pub fn seek(&self, data: &Data, key: &[u8]) -> (Pos, bool) {
        let p = prefix(key);
        // The run that may hold the key: the first whose last key is not below it.
        let run = self.tops.partition_point(|t| data.compare(t, &p, key) == Ordering::Less);
        let Some(r) = self.runs.get(run) else { return (Pos { run, at: 0 }, false) };
        match r.binary_search_by(|i| data.compare(i, &p, key)) {
            Ok(at) => (Pos { run, at }, true),
            Err(at) => (Pos { run, at }, false),
        }
    }
    /// The newest entry of the key at a place.
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
    /// The place after the last.
    pub fn end(&self) -> Pos {
        Pos { run: self.runs.len(), at: 0 }
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
        let Some(r) = self.runs.get_mut(pos.run) else { return self.append(item) };
        // Before the run's last item: its top stays.
        self.count += 1;
        r.insert(pos.at, item);
        if r.len() > RUN {
            let tail = r.split_off(RUN / 2);
            let top = r[r.len() - 1];
            self.runs.insert(pos.run + 1, tail);
            self.tops.insert(pos.run, top);
        }
    }
    fn remove(&mut self, pos: Pos) {
        let r = &mut self.runs[pos.run];
        r.remove(pos.at);
        self.count -= 1;
        match r.last() {
            Some(last) => self.tops[pos.run] = *last,
            None => {
                self.runs.remove(pos.run);
                self.tops.remove(pos.run);
            }
        }
    }
    /// Forgets the newest entry of the tree; its data are still there.
    pub fn undo(&mut self, data: &Data, n: u32) {
        let prev = data.entry(n).prev;
        let key = data.key(n);
        let in_tail = self.tail.pop_if(|t| *t == n).is_some();
        let tabled = !in_tail || self.tabled > self.tail.len();
        self.tabled = self.tabled.min(self.tail.len());
        if tabled && let Some(t) = &mut self.table {
            match prev {
                NONE => t.remove(table_hash(key), |m| data.key(m) == key),
                prev => drop(t.set(table_hash(key), prev, |m| data.key(m) == key)),
            }
        }
        if in_tail {
            return;
        }
        let (pos, exact) = self.seek(data, key);
        debug_assert!(exact && self.at(pos) == Some(n), "the newest entry heads its chain");
        if exact {
            match prev {
                NONE => self.remove(pos),
                prev => self.point(pos, prev),
            }
        }
    }
    /// The newest entry of each key, in the order of keys.
    pub fn heads<'a>(&'a self, data: &'a Data) -> impl Iterator<Item = Item> + 'a {
        let mut tail = data.sorted(self.tail.iter().copied());
        tail.dedup_by(|next, kept| {
            let same = next.prefix == kept.prefix && data.key(next.entry) == data.key(kept.entry);
            if same {
                kept.entry = next.entry;
            }
            same
        });
        let mut new = tail.into_iter().peekable();
        let mut old = self.runs.iter().flatten().copied().peekable();
        std::iter::from_fn(move || {
            let order = match (old.peek(), new.peek()) {
                (Some(o), Some(n)) => data.compare_items(o, n),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            match order {
                Ordering::Less => old.next(),
                Ordering::Greater => new.next(),
                Ordering::Equal => {
                    old.next();
                    new.next()
                }
            }
        })
    }
}
