//! Rows kept in memory: a flat array of datums with a memory charge, and a hash index over them.
use super::Rt;
use super::expr;
use pamir_txn::MemoryAccount;
use pamir_types::{Datum, Result, Type};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::sync::Arc;

/// Bytes charged to an account; released when dropped.
#[derive(Default)]
pub struct Charge {
    account: Option<Arc<MemoryAccount>>,
    charged: u64,
    pending: u64,
}
/// Charges reach the account in steps of this many bytes.
const CHARGE_STEP: u64 = 64 << 10;
impl Charge {
    #[inline]
    pub fn add(&mut self, bytes: usize, account: &Arc<MemoryAccount>) -> Result<()> {
        self.pending += bytes as u64;
        if self.pending >= CHARGE_STEP {
            account.charge(self.pending)?;
            self.charged += self.pending;
            self.pending = 0;
            if self.account.is_none() {
                self.account = Some(account.clone());
            }
        }
        Ok(())
    }
    pub fn bytes(&self) -> u64 {
        self.charged + self.pending
    }
    pub fn clear(&mut self) {
        if let Some(a) = self.account.take() {
            a.release(self.charged);
        }
        self.charged = 0;
        self.pending = 0;
    }
}
impl Drop for Charge {
    fn drop(&mut self) {
        self.clear()
    }
}

/// Bytes that a datum holds, roughly.
#[inline]
pub fn datum_size(d: &Datum) -> usize {
    std::mem::size_of::<Datum>()
        + match d {
            Datum::Text(s) => s.len() + 16,
            Datum::Bytea(b) => b.len() + 16,
            Datum::Numeric(pamir_types::numeric::Numeric::Big(_)) | Datum::Jsonb(_) => 64,
            Datum::Array(a) => 48 + a.items.len() * 32,
            Datum::Record(f) => 48 + f.len() * 40,
            _ => 0,
        }
}

/// Rows of `width` datums, one after the other.
#[derive(Default)]
pub struct Rows {
    pub width: usize,
    data: Vec<Datum>,
    n: usize,
    charge: Charge,
}
impl Rows {
    pub fn new(width: usize) -> Rows {
        Rows { width, ..Rows::default() }
    }
    pub fn len(&self) -> usize {
        self.n
    }
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
    pub fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
    pub fn clear(&mut self) {
        self.data.clear();
        self.n = 0;
        self.charge.clear();
    }
    /// Appends the current values of `slots`.
    pub fn push_slots(&mut self, slots: &[u32], rt: &Rt) -> Result<()> {
        let mut size = 0;
        for s in slots {
            let d = rt.get(*s);
            size += datum_size(d);
            self.data.push(d.clone());
        }
        self.n += 1;
        self.charge.add(size, &rt.work.memory)
    }
    pub fn push(&mut self, row: impl IntoIterator<Item = Datum>, rt: &Rt) -> Result<()> {
        self.add(row, &rt.work.memory)
    }
    pub fn add(&mut self, row: impl IntoIterator<Item = Datum>, account: &Arc<MemoryAccount>) -> Result<()> {
        let mut size = 0;
        for d in row {
            size += datum_size(&d);
            self.data.push(d);
        }
        self.n += 1;
        self.charge.add(size, account)
    }
    #[inline]
    pub fn row(&self, i: usize) -> &[Datum] {
        self.data.get(i * self.width..(i + 1) * self.width).unwrap_or(&[])
    }
    /// Writes row `i` into `slots`.
    #[inline]
    pub fn load(&self, i: usize, slots: &[u32], rt: &mut Rt) {
        for (s, d) in slots.iter().zip(self.row(i)) {
            rt.set(*s, d.clone());
        }
    }
}

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
        expr::hash(d, *t, &mut h);
    }
    h.finish()
}
/// Equality in the sense of DISTINCT and GROUP BY: NULLs are alike.
pub fn same_row<'d>(a: &[Datum], b: impl IntoIterator<Item = &'d Datum>, types: &[Type]) -> bool {
    a.iter().zip(b).zip(types).all(|((a, b), t)| expr::compare(a, b, *t).is_eq())
}

/// A set of distinct rows.
pub struct RowSet {
    pub rows: Rows,
    index: HashIndex,
    pub types: Vec<Type>,
}
impl RowSet {
    pub fn new(types: Vec<Type>) -> RowSet {
        RowSet { rows: Rows::new(types.len()), index: HashIndex::default(), types }
    }
    pub fn clear(&mut self) {
        self.rows.clear();
        self.index.clear();
    }
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() as usize + self.rows.len() * INDEX_BYTES
    }
    pub fn hash(&self, row: &[Datum]) -> u64 {
        hash_row(row, &self.types)
    }
    pub fn find(&self, row: &[Datum]) -> Option<usize> {
        self.find_hashed(row, self.hash(row))
    }
    /// The hash of a row whose values stand apart.
    pub fn hash_of<'d>(&self, row: impl IntoIterator<Item = &'d Datum>) -> u64 {
        hash_row(row, &self.types)
    }
    pub fn find_hashed(&self, row: &[Datum], h: u64) -> Option<usize> {
        self.find_with(h, || row)
    }
    pub fn find_with<'d, I: IntoIterator<Item = &'d Datum>>(&self, h: u64, row: impl Fn() -> I) -> Option<usize> {
        let mut i = self.index.first(h);
        while i != NONE {
            if same_row(self.rows.row(i as usize), row(), &self.types) {
                return Some(i as usize);
            }
            i = self.index.after(i);
        }
        None
    }
    /// Adds a row that is not there.
    pub fn add(&mut self, row: &[Datum], h: u64, account: &Arc<MemoryAccount>) -> Result<usize> {
        self.rows.add(row.iter().cloned(), account)?;
        self.index.add(h);
        Ok(self.rows.len() - 1)
    }
    /// The row's number and whether it is new.
    pub fn insert(&mut self, row: &[Datum], rt: &Rt) -> Result<(usize, bool)> {
        let h = self.hash(row);
        match self.find_hashed(row, h) {
            Some(i) => Ok((i, false)),
            None => self.add(row, h, &rt.work.memory).map(|i| (i, true)),
        }
    }
}
