//! A hash table of rows that are kept elsewhere, by their numbers.
use super::{compare, hash};
use pamir_types::{Datum, Type};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Chains of row numbers by hash.
#[derive(Debug, Default)]
pub struct HashIndex {
    /// Newest row of each bucket; a power of two of them.
    heads: Vec<u32>,
    /// The row before in the same bucket, and the hash, of each row.
    next: Vec<u32>,
    hashes: Vec<u64>,
}
/// End of a chain.
pub const NONE: u32 = u32::MAX;
/// Bytes that the index takes of each row.
pub const INDEX_BYTES: usize = 20;
const MIN_BUCKETS: usize = 16;
impl HashIndex {
    pub fn clear(&mut self) {
        self.heads.clear();
        self.next.clear();
        self.hashes.clear();
    }
    pub fn buckets(&self) -> usize {
        self.heads.len()
    }
    /// The hash of each row in order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }
    #[inline]
    fn bucket(&self, h: u64) -> usize {
        // The upper bits of a product depend on all bits of its factors.
        (h.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.heads.len().wrapping_sub(1))
    }
    /// Adds the next row (rows are numbered in the order they are added).
    pub fn add(&mut self, h: u64) {
        if self.next.len() >= self.heads.len() {
            let n = (self.heads.len() * 2).max(MIN_BUCKETS);
            self.heads.clear();
            self.heads.resize(n, NONE);
            for i in 0..self.next.len() {
                let b = self.bucket(self.hashes[i]);
                self.next[i] = std::mem::replace(&mut self.heads[b], i as u32);
            }
        }
        let (i, b) = (self.next.len() as u32, self.bucket(h));
        self.next.push(std::mem::replace(&mut self.heads[b], i));
        self.hashes.push(h);
    }
    /// The newest row with this hash.
    #[inline]
    pub fn first(&self, h: u64) -> u32 {
        match self.heads.get(self.bucket(h)) {
            Some(i) => self.same(*i, h),
            None => NONE,
        }
    }
    /// The next older row with the same hash.
    #[inline]
    pub fn after(&self, i: u32) -> u32 {
        match (self.next.get(i as usize), self.hashes.get(i as usize)) {
            (Some(n), Some(h)) => self.same(*n, *h),
            _ => NONE,
        }
    }
    #[inline]
    fn same(&self, mut i: u32, h: u64) -> u32 {
        while let Some(x) = self.hashes.get(i as usize) {
            if *x == h {
                return i;
            }
            i = self.next[i as usize];
        }
        NONE
    }
}

pub fn hash_row<'d>(row: impl IntoIterator<Item = &'d Datum>, types: &[Type]) -> u64 {
    let mut h = FxHasher::default();
    for (d, t) in row.into_iter().zip(types) {
        hash(d, *t, &mut h);
    }
    h.finish()
}
/// Equality in the sense of DISTINCT and GROUP BY: NULLs are alike.
pub fn same_row<'d>(a: &[Datum], b: impl IntoIterator<Item = &'d Datum>, types: &[Type]) -> bool {
    a.iter().zip(b).zip(types).all(|((a, b), t)| compare(a, b, *t).is_eq())
}
