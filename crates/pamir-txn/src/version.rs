//! Old versions in memory (after Freitag, Kemper, Neumann, "Memory-Optimized Multi-Version Concurrency Control for Disk-Based
//! Database Systems", VLDB 2022).
//!
//! The page holds the newest committed version of a key. Before the applier overwrites it, it moves the old one here:
//!
//! ```text
//!   page:   key -> (ts 107, "c")
//!   chain:  (from 104, until 107, "b")  (from 0, until 104, absent)
//! ```
//! A reader at 105 meets 107 on the page, looks for the newest version from <= 105: "b". *Invariant*: whoever reads a page
//! version newer than its (served) snapshot finds the version it needs here, because the push happens before the page changes and versions
//! are dropped only up to the horizon. Not finding one means that the snapshot was given up (72000), never "no row": absence is a version too.
//!
//! Chains hang in a sharded hash table under a 64-bit hash of (tree, key); two keys of one hash share a chain and are told apart by their bytes.
//! One first-in-first-out list of (until, hash), owned by the applier, drives the dropping. A long-lived snapshot keeps everything after it; what does not
//! fit into memory moves to disk (`history.rs`).
use crate::padded::{Padded, hash_key};
use crate::shard::Ts;
use pamir_storage::store::TreeId;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 64;
/// What a version costs beyond its key and value bytes: its struct, its allocation, its share of hash table and queue.
const VERSION_OVERHEAD: u64 = 112;

#[derive(Clone)]
pub(crate) struct Version {
    pub tree: TreeId,
    /// Committed at; 0 for "never was there".
    pub from: Ts,
    /// Overwritten at.
    pub until: Ts,
    /// Key bytes, then value bytes.
    data: Box<[u8]>,
    key_len: u32,
    absent: bool,
    /// Absent, and the value is what was deleted at `from`.
    kept: bool,
}
/// What was there before an overwriting.
#[derive(Clone, Copy)]
pub(crate) enum Old<'a> {
    Absent,
    Value(&'a [u8]),
    /// Absent, by a deletion that kept what it deleted (see [`crate::applier::KEPT`]).
    Deleted(&'a [u8]),
}
impl Version {
    fn is(&self, tree: TreeId, key: &[u8]) -> bool {
        self.tree == tree && &self.data[..self.key_len as usize] == key
    }
    pub fn key(&self) -> &[u8] {
        &self.data[..self.key_len as usize]
    }
    /// None: absent.
    pub fn value(&self) -> Option<&[u8]> {
        (!self.absent).then(|| &self.data[self.key_len as usize..])
    }
    /// What every snapshot older than `from` sees, if it is known here.
    pub fn deleted(&self) -> Option<&[u8]> {
        self.kept.then(|| &self.data[self.key_len as usize..])
    }
    pub fn data_len(&self) -> usize {
        self.data.len()
    }
    fn bytes(&self) -> u64 {
        VERSION_OVERHEAD + self.data.len() as u64
    }
}
/// Oldest first.
pub(crate) type Chain = SmallVec<[Version; 1]>;
/// By hash of (tree, key).
type Chains = FxHashMap<u64, Chain>;

pub(crate) struct VersionStore {
    shards: Box<[Padded<Mutex<Chains>>]>,
    bytes: AtomicU64,
    count: AtomicU64,
}

/// What a look-up in a chain found.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Value,
    Absent,
    /// No version that old: the one after it, committed at this time, overwrote it, and it is not here. Either it is in a large commit's
    /// before-image (see `large.rs`), or on disk (`history.rs`), or the snapshot was given up.
    Gone(Ts),
}

impl VersionStore {
    pub fn new() -> VersionStore {
        VersionStore {
            shards: (0..SHARDS).map(|_| Padded::default()).collect(),
            bytes: AtomicU64::new(0),
            count: AtomicU64::new(0),
        }
    }
    fn shard(&self, hash: u64) -> &Mutex<Chains> {
        &self.shards[(hash >> 58) as usize % SHARDS]
    }
    /// Keeps the version that `until` is about to overwrite. Returns the hash for the drop queue.
    pub fn push(&self, tree: TreeId, key: &[u8], from: Ts, until: Ts, old: Old) -> u64 {
        let hash = hash_key(tree.0, key);
        let (absent, kept, value) = match old {
            Old::Absent => (true, false, &[][..]),
            Old::Value(v) => (false, false, v),
            Old::Deleted(v) => (true, true, v),
        };
        let mut data = Vec::with_capacity(key.len() + value.len());
        data.extend_from_slice(key);
        data.extend_from_slice(value);
        let v = Version { tree, from, until, data: data.into_boxed_slice(), key_len: key.len() as u32, absent, kept };
        self.bytes.fetch_add(v.bytes(), Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.shard(hash).lock().entry(hash).or_default().push(v);
        hash
    }
    /// The version `ts` sees, given that the page holds one newer than `ts`, committed at `page`. Fills `out` (cleared) with the user value.
    pub fn find(&self, tree: TreeId, key: &[u8], page: Ts, ts: Ts, out: &mut Vec<u8>) -> Found {
        out.clear();
        let hash = hash_key(tree.0, key);
        let shard = self.shard(hash).lock();
        let Some(chain) = shard.get(&hash) else { return Found::Gone(page) };
        let mut after = page;
        for v in chain.iter().rev().filter(|v| v.is(tree, key)) {
            if v.from > ts {
                if let Some(value) = v.deleted() {
                    out.extend_from_slice(value);
                    return Found::Value;
                }
                after = v.from;
            } else {
                if v.until <= ts {
                    break;
                }
                if v.absent {
                    return Found::Absent;
                }
                out.extend_from_slice(&v.data[v.key_len as usize..]);
                return Found::Value;
            }
        }
        Found::Gone(after)
    }
    /// A copy of the versions of chain `hash` overwritten at or below `until`, oldest first.
    pub fn oldest_of(&self, hash: u64, until: Ts) -> Chain {
        let shard = self.shard(hash).lock();
        let chain = shard.get(&hash).map_or(&[][..], |c| c);
        chain.iter().take_while(|v| v.until <= until).cloned().collect()
    }
    /// Drops the versions of chain `hash` overwritten at or below `horizon`.
    pub fn drop_chain(&self, hash: u64, horizon: Ts) {
        let mut shard = self.shard(hash).lock();
        let Some(chain) = shard.get_mut(&hash) else { return };
        let n = chain.iter().take_while(|v| v.until <= horizon).count();
        if n == 0 {
            return;
        }
        let freed: u64 = chain[..n].iter().map(|v| v.bytes()).sum();
        if n == chain.len() {
            shard.remove(&hash);
        } else {
            chain.drain(..n);
        }
        drop(shard);
        self.bytes.fetch_sub(freed, Ordering::Relaxed);
        self.count.fetch_sub(n as u64, Ordering::Relaxed);
    }
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// The applier's list of versions in the order they will become droppable.
#[derive(Default)]
pub(crate) struct DropQueue(VecDeque<(Ts, u64)>);
impl DropQueue {
    pub fn push(&mut self, until: Ts, hash: u64) {
        debug_assert!(self.0.back().is_none_or(|b| b.0 <= until));
        self.0.push_back((until, hash));
    }
    /// Drops what no served snapshot needs.
    pub fn drop_below(&mut self, store: &VersionStore, horizon: Ts) {
        while let Some((_, hash)) = self.0.pop_front_if(|d| d.0 <= horizon) {
            store.drop_chain(hash, horizon);
        }
        if self.0.is_empty() && self.0.capacity() > 1 << 16 {
            self.0 = VecDeque::new();
        }
    }
    /// When the oldest version was overwritten, and its chain. (The version may have left with an older one of its chain.)
    pub fn oldest(&self) -> Option<(Ts, u64)> {
        self.0.front().copied()
    }
    pub fn forget_oldest(&mut self) {
        self.0.pop_front();
    }
    /// The timestamp to which history must be given up so that about `bytes` are freed.
    pub fn floor_for(&self, store: &VersionStore, bytes: u64) -> Ts {
        // Average size is good enough: the caller comes back if it was not.
        let average = (store.bytes() / store.count().max(1)).max(1);
        let n = (bytes / average) as usize;
        self.0.get(n.min(self.0.len().saturating_sub(1))).map_or(0, |e| e.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains() {
        let s = VersionStore::new();
        let mut q = DropQueue::default();
        let t = TreeId(20);
        let all = [
            (0, 104, Old::Absent),
            (104, 107, Old::Value(b"b")),
            (107, 110, Old::Absent),
            (110, 112, Old::Value(b"d")),
        ];
        for (from, until, v) in all {
            q.push(until, s.push(t, b"k", from, until, v));
        }
        let mut out = Vec::new();
        assert_eq!(s.find(t, b"k", 112, 103, &mut out), Found::Absent);
        assert_eq!(s.find(t, b"k", 112, 105, &mut out), Found::Value);
        assert_eq!(out, b"b");
        assert_eq!(s.find(t, b"k", 112, 109, &mut out), Found::Absent);
        assert_eq!(s.find(t, b"k", 112, 111, &mut out), Found::Value);
        assert_eq!(out, b"d");
        assert_eq!(s.find(t, b"x", 112, 111, &mut out), Found::Gone(112));
        q.drop_below(&s, 107);
        assert_eq!(s.find(t, b"k", 112, 105, &mut out), Found::Gone(107));
        assert_eq!(s.find(t, b"k", 112, 109, &mut out), Found::Absent);
        assert_eq!(s.count(), 2);
        q.drop_below(&s, 200);
        assert_eq!((s.count(), s.bytes()), (0, 0));
    }
    #[test]
    fn a_deletion_that_kept_what_it_deleted() {
        let s = VersionStore::new();
        let t = TreeId(20);
        s.push(t, b"k", 104, 107, Old::Deleted(b"a"));
        s.push(t, b"k", 107, 110, Old::Value(b"b"));
        let mut out = Vec::new();
        assert_eq!((s.find(t, b"k", 110, 103, &mut out), &out[..]), (Found::Value, &b"a"[..]));
        assert_eq!((s.find(t, b"k", 110, 104, &mut out), &out[..]), (Found::Absent, &b""[..]));
        assert_eq!((s.find(t, b"k", 110, 106, &mut out), &out[..]), (Found::Absent, &b""[..]));
        assert_eq!((s.find(t, b"k", 110, 107, &mut out), &out[..]), (Found::Value, &b"b"[..]));
    }
}
