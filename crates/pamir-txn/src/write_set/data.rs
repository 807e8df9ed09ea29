//! The entries of a write set that are in memory, in order of writing, and the bytes of their keys and values.
use crate::padded::hash_key;
use pamir_storage::store::TreeId;
use std::cmp::Ordering;

pub(super) const NONE: u32 = u32::MAX;

/// What a transaction did to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change<'a> {
    Put(&'a [u8]),
    /// With the key under which the row lives on, or nothing.
    Delete(&'a [u8]),
}
impl<'a> Change<'a> {
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Change::Put(b) | Change::Delete(b) => b,
        }
    }
    pub fn is_delete(self) -> bool {
        matches!(self, Change::Delete(_))
    }
    pub(super) fn new(bytes: &'a [u8], delete: bool) -> Change<'a> {
        if delete { Change::Delete(bytes) } else { Change::Put(bytes) }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub tree: TreeId,
    /// The key, and behind it the value.
    off: u32,
    key_len: u32,
    val_len: u32,
    tombstone: bool,
    pub statement: u32,
    /// The newest older entry of the same key in memory; known once the entry is in its tree's index.
    pub prev: u32,
}

#[derive(Default)]
pub(super) struct Data {
    pub arena: Vec<u8>,
    pub entries: Vec<Entry>,
}

/// An entry's key as it is sorted by: its first bytes inline, so that nearly every comparison stays within the array.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// Zeros behind a shorter key.
    pub prefix: [u64; 2],
    pub entry: u32,
}
#[inline]
pub(super) fn prefix(key: &[u8]) -> [u64; 2] {
    let n = match key.first_chunk::<16>() {
        Some(b) => u128::from_be_bytes(*b),
        None => {
            let mut b = [0; 16];
            b[..key.len()].copy_from_slice(key);
            u128::from_be_bytes(b)
        }
    };
    [(n >> 64) as u64, n as u64]
}
/// The part of the hash that a [`crate::table::Table`] uses.
#[inline]
pub(super) fn table_hash(key: &[u8]) -> u32 {
    (hash_key(0, key) >> 32) as u32
}

impl Data {
    #[inline]
    pub fn entry(&self, n: u32) -> &Entry {
        &self.entries[n as usize]
    }
    #[inline]
    pub fn key(&self, n: u32) -> &[u8] {
        let e = self.entry(n);
        &self.arena[e.off as usize..][..e.key_len as usize]
    }
    #[inline]
    pub fn change(&self, n: u32) -> Change<'_> {
        let e = self.entry(n);
        Change::new(&self.arena[(e.off + e.key_len) as usize..][..e.val_len as usize], e.tombstone)
    }
    /// The caller has seen that it fits 32 bits.
    pub fn push(&mut self, tree: TreeId, key: &[u8], change: Change, statement: u32) -> u32 {
        let n = self.entries.len() as u32;
        let off = self.arena.len() as u32;
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(change.bytes());
        let (key_len, val_len) = (key.len() as u32, change.bytes().len() as u32);
        let tombstone = change.is_delete();
        self.entries.push(Entry { tree, off, key_len, val_len, tombstone, statement, prev: NONE });
        n
    }
    /// Forgets entry `n` and all after it.
    pub fn truncate(&mut self, n: usize) {
        if let Some(e) = self.entries.get(n) {
            self.arena.truncate(e.off as usize);
            self.entries.truncate(n);
        }
    }
    pub fn item(&self, n: u32) -> Item {
        Item { prefix: prefix(self.key(n)), entry: n }
    }
    /// Compares an item with a key; `p` is the key's prefix.
    #[inline]
    pub fn compare(&self, i: &Item, p: &[u64; 2], key: &[u8]) -> Ordering {
        // Equal prefixes: one key may go on, or the zeros be a key's own.
        i.prefix.cmp(p).then_with(|| self.key(i.entry).cmp(key))
    }
    /// Compares two items by their keys.
    #[inline]
    pub fn compare_items(&self, a: &Item, b: &Item) -> Ordering {
        a.prefix.cmp(&b.prefix).then_with(|| self.key(a.entry).cmp(self.key(b.entry)))
    }
    /// The newest entry of the chain `head` that a snapshot of `statement` sees.
    pub fn visible(&self, head: u32, statement: u32) -> Option<u32> {
        let mut n = head;
        while n != NONE {
            let e = self.entry(n);
            if e.statement < statement {
                return Some(n);
            }
            n = e.prev;
        }
        None
    }
    /// Entries of one tree, given in order of writing, by key; those of one key stay in that order.
    pub fn sorted(&self, entries: impl ExactSizeIterator<Item = u32> + Clone) -> Vec<Item> {
        // Bytes that all keys begin with tell nothing: the inline part begins behind them.
        let mut common = usize::MAX;
        let mut keys = entries.clone();
        if let Some(first) = keys.next() {
            let first = self.key(first);
            common = first.len();
            for n in keys {
                let key = self.key(n);
                if !key.starts_with(&first[..common]) {
                    common = first.iter().zip(key).take_while(|(a, b)| a == b).count();
                    if common == 0 {
                        break;
                    }
                }
            }
        }
        let mut items: Vec<Item> = Vec::with_capacity(entries.len());
        items.extend(entries.map(|n| Item { prefix: prefix(&self.key(n)[common..]), entry: n }));
        // Most keys are done within the prefix: an integer's or a short string's 16 bytes after the common part.
        items.sort_unstable_by(|a, b| {
            a.prefix.cmp(&b.prefix).then_with(|| {
                self.key(a.entry)[common..].cmp(&self.key(b.entry)[common..]).then_with(|| a.entry.cmp(&b.entry))
            })
        });
        if let Some(first) = items.first().filter(|_| common > 0) {
            // The common bytes come back in front; no key, somewhere in the arena, is looked at again.
            let [high, low] = prefix(&self.key(first.entry)[..common]);
            let bits = 8 * common.min(16) as u32;
            for i in &mut items {
                let own = (u128::from(i.prefix[0]) << 64 | u128::from(i.prefix[1])).checked_shr(bits).unwrap_or(0);
                i.prefix = [high | (own >> 64) as u64, low | own as u64];
            }
        }
        items
    }
}
