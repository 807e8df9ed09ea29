//! Rows kept in memory: a flat array of datums with a memory charge, and a hash index over them.
use super::Rt;
use pamir_expr::expr::hash_index::{HashIndex, INDEX_BYTES, NONE, hash_row, same_row};
use pamir_txn::MemoryAccount;
use pamir_types::{Datum, Result, Type};
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
            Datum::Citext(v) => 64 + 2 * v.text.len(),
            Datum::Bits(b) => 48 + b.bytes().len(),
            Datum::Range(_) => std::mem::size_of::<pamir_types::range::Range>() + 16,
            Datum::Multirange(m) => 48 + m.ranges.len() * std::mem::size_of::<pamir_types::range::Range>(),
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
