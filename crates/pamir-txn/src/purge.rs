//! Tombstones to be removed once nobody sees them: timestamp, tree and key of each, oldest first, back to back in chunks.
//!
//! ```text
//!   front                                              back
//!   [ ........ | e e e e e ]  [ e e e e e e e ]  [ e e e      ]
//!              ^ at
//!   e:  ts u64 | tree u64 | key length u32 | key
//! ```
//! A deletion of a million rows queues some millions of keys while its commit is applied, between other commits: an entry costs the copy of its bytes, not an
//! allocation of its own. Beyond [`MOST_KEYS`] or [`MOST_BYTES`] nothing more is to be queued: trees are swept instead.
use crate::shard::Ts;
use pamir_storage::store::TreeId;
use std::collections::VecDeque;

/// Bytes of a chunk; a longer entry has one of its own.
const CHUNK: usize = 64 << 10;
const HEADER: usize = 20;
/// What a queue may hold. Keys of a few columns meet the first limit, long ones the second.
const MOST_KEYS: usize = 1 << 20;
const MOST_BYTES: usize = 128 << 20;

/// A tombstone that may go when the horizon reaches `ts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Purge<'a> {
    pub ts: Ts,
    pub tree: TreeId,
    pub key: &'a [u8],
}

#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// Where its first entry begins; what is before has gone.
    at: usize,
}

#[derive(Default)]
pub(crate) struct PurgeQueue {
    /// None is empty but an only one.
    chunks: VecDeque<Chunk>,
    len: usize,
    /// Of the entries.
    bytes: usize,
}

fn split(bytes: &[u8]) -> Option<(Purge<'_>, &[u8])> {
    let (ts, rest) = bytes.split_first_chunk()?;
    let (tree, rest) = rest.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (key, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((Purge { ts: u64::from_le_bytes(*ts), tree: TreeId(u64::from_le_bytes(*tree)), key }, rest))
}

impl PurgeQueue {
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Has it reached its limit?
    pub fn is_full(&self) -> bool {
        self.len >= MOST_KEYS || self.bytes >= MOST_BYTES
    }
    /// Would it have, with `other` behind it?
    pub fn is_full_with(&self, other: &PurgeQueue) -> bool {
        self.len + other.len >= MOST_KEYS || self.bytes + other.bytes >= MOST_BYTES
    }
    pub fn is_half_empty(&self) -> bool {
        self.len < MOST_KEYS / 2 && self.bytes < MOST_BYTES / 2
    }
    pub fn push_back(&mut self, p: Purge) {
        let need = HEADER + p.key.len();
        let chunk = match self.chunks.back_mut() {
            Some(c) if c.bytes.is_empty() || c.bytes.len() + need <= CHUNK => c,
            _ => {
                // The first one grows as it fills: mostly few wait.
                let bytes = Vec::with_capacity(if self.chunks.is_empty() { 0 } else { CHUNK.max(need) });
                self.chunks.push_back_mut(Chunk { bytes, at: 0 })
            }
        };
        chunk.bytes.extend_from_slice(&p.ts.to_le_bytes());
        chunk.bytes.extend_from_slice(&p.tree.0.to_le_bytes());
        // Keys are far shorter: the store refuses others.
        chunk.bytes.extend_from_slice(&(p.key.len() as u32).to_le_bytes());
        chunk.bytes.extend_from_slice(p.key);
        self.len += 1;
        self.bytes += need;
    }
    /// Puts all of `other`, which is empty then, behind this.
    pub fn append(&mut self, other: &mut PurgeQueue) {
        let mut behind = std::mem::take(other);
        if self.is_empty() {
            std::mem::swap(self, &mut behind);
        }
        if !behind.is_empty() {
            self.chunks.append(&mut behind.chunks);
            self.len += behind.len;
            self.bytes += behind.bytes;
        }
    }
    /// Puts all of `other`, which is empty then, in front.
    pub fn prepend(&mut self, other: &mut PurgeQueue) {
        other.append(self);
        std::mem::swap(self, other);
    }
    pub fn iter(&self) -> impl Iterator<Item = Purge<'_>> {
        self.chunks.iter().flat_map(|c| {
            let mut rest = c.bytes.get(c.at..).unwrap_or_default();
            std::iter::from_fn(move || {
                let (p, behind) = split(rest)?;
                rest = behind;
                Some(p)
            })
        })
    }
    pub fn front(&self) -> Option<Purge<'_>> {
        self.iter().next()
    }
    /// Takes the first `n` away.
    pub fn pop(&mut self, n: usize) {
        for _ in 0..n {
            let only = self.chunks.len() == 1;
            let Some(c) = self.chunks.front_mut() else { return };
            let Some((p, _)) = c.bytes.get(c.at..).and_then(split) else { return };
            let taken = HEADER + p.key.len();
            c.at += taken;
            self.len -= 1;
            self.bytes -= taken;
            if c.at == c.bytes.len() {
                if only && c.bytes.capacity() <= CHUNK {
                    c.bytes.clear();
                    c.at = 0;
                } else {
                    self.chunks.pop_front();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{Rng, seeds};

    type Owned = (Ts, u64, Vec<u8>);
    fn owned(p: Purge) -> Owned {
        (p.ts, p.tree.0, p.key.to_vec())
    }
    /// Against a plain queue, with keys from none to beyond a chunk.
    #[test]
    fn a_queue_in_chunks_is_a_queue() {
        for seed in seeds(200) {
            let mut rng = Rng::new(seed);
            let mut queue = PurgeQueue::default();
            let mut model: VecDeque<Owned> = VecDeque::new();
            let mut ts = 0;
            let mut some = |rng: &mut Rng, n: u64| {
                let mut q = PurgeQueue::default();
                let mut m = VecDeque::new();
                for _ in 0..n {
                    ts += rng.below(3);
                    let len = match rng.below(20) {
                        0 => rng.below(100_000),
                        1..5 => 0,
                        _ => rng.below(2_000),
                    };
                    let key: Vec<u8> = (0..len).map(|i| (i + ts) as u8).collect();
                    let p = Purge { ts, tree: TreeId(rng.below(5)), key: &key };
                    m.push_back(owned(p));
                    q.push_back(p);
                }
                (q, m)
            };
            for _ in 0..60 {
                let n = rng.below(40);
                let (mut q, mut m) = some(&mut rng, n);
                match rng.below(5) {
                    0 => {
                        queue.append(&mut q);
                        model.append(&mut m);
                    }
                    1 => {
                        queue.prepend(&mut q);
                        m.append(&mut model);
                        model = m;
                    }
                    2 => {
                        for p in q.iter() {
                            queue.push_back(p);
                        }
                        model.append(&mut m);
                    }
                    _ => {
                        let n = (n as usize * 2).min(model.len());
                        queue.pop(n);
                        model.drain(..n);
                    }
                }
                assert_eq!((queue.len, queue.is_empty()), (model.len(), model.is_empty()), "seed {seed}");
                let bytes: usize = model.iter().map(|m| HEADER + m.2.len()).sum();
                assert_eq!(queue.bytes, bytes, "seed {seed}");
                assert_eq!(queue.is_half_empty(), model.len() < MOST_KEYS / 2 && bytes < MOST_BYTES / 2);
                assert_eq!(queue.front().map(owned), model.front().cloned(), "seed {seed}");
                assert!(queue.iter().map(owned).eq(model.iter().cloned()), "seed {seed}");
            }
            queue.pop(model.len() + 5);
            assert_eq!((queue.len, queue.bytes, queue.front()), (0, 0, None));
        }
    }
    /// Few long keys fill it as many short ones do, and two half full queues are a full one.
    #[test]
    fn both_limits_count() {
        let of = |len, bytes| PurgeQueue { len, bytes, ..PurgeQueue::default() };
        assert!(!of(MOST_KEYS - 1, MOST_BYTES - 1).is_full());
        assert!(of(MOST_KEYS, 0).is_full() && of(0, MOST_BYTES).is_full());
        for half in [of(MOST_KEYS / 2, 0), of(0, MOST_BYTES / 2)] {
            assert!(!half.is_full() && !half.is_half_empty() && half.is_full_with(&half));
        }
        assert!(!of(MOST_KEYS / 2, 0).is_full_with(&of(0, MOST_BYTES / 2)));
    }
}
