//! Temporary files: what sorts, hash tables and kept rows put on disk when they pass their budget.
//!
//! ```text
//! Spill (one unnamed file an operator)     [ block | block | block | ... ]     freed blocks are used again
//! Tape  (a sequence of frames)              block 3 -> block 0 -> block 7 -> tail in memory
//! frame                                     u32 length | bytes                 may cross blocks
//! row                                       u64 hash | datum | datum | ...
//! datum                                     u8 tag, then by tag: nothing, fixed width little-endian, or u32 length and bytes;
//!                                           an array's dimensions and items, a record's types and fields, are datums in turn
//! ```
//! Datums describe themselves, so that no operator needs to know the types of the slots it carries. Nothing is synced: the file dies with
//! the operator, and has no name that a crash could leave behind ([`pamir_storage::disk::Disk::temp`]).
//!
//! [`Passes`] is the plan of hash grouping under a budget (after Graefe, "Query Evaluation Techniques for Large Databases", 1993, hybrid
//! hashing): rows whose group found no room in memory go to one of [`FAN_OUT`] tapes by their hash, each tape is a later pass of its own, whose
//! overflow goes to tapes again, by other bits. Each pass takes at least one group, so it ends whatever the hashes are.
//!
//! Limits: the budget covers rows and hash tables; the write buffers ([`FAN_OUT`] blocks) come on top.
use pamir_catalog::usage::{OfDatabase, Usage};
use pamir_storage::disk::{Disk, File};
use pamir_types::array::Array;
use pamir_types::datetime::Interval;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid, row};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Partitions that rows are divided into at a time.
pub const FAN_OUT: usize = 16;
const FAN_BITS: u32 = FAN_OUT.trailing_zeros();
/// Sizes of a tape's block: a budget's [`BLOCKS_PER_BUDGET`]th part within these limits.
const MIN_BLOCK: usize = 8 << 10;
const MAX_BLOCK: usize = 64 << 10;
const BLOCKS_PER_BUDGET: usize = 64;

/// What the temporary files of all sessions take of the disk, and may take.
pub struct Quota {
    used: AtomicU64,
    limit: u64,
}
impl Quota {
    /// `limit` in bytes; u64::MAX: none.
    pub fn new(limit: u64) -> Arc<Quota> {
        Arc::new(Quota { used: AtomicU64::new(0), limit })
    }
    /// Bytes that files take now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
    fn take(&self, bytes: u64) -> Result<()> {
        if self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > self.limit {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(err!(DISK_FULL, "no room for temporary files")
                .detail(format!("Those of all sessions together may take {}kB.", self.limit / 1024))
                .hint("Raise \"work_mem\", or --temp-disk."));
        }
        Ok(())
    }
}

/// What a session's temporary files take of the disk, and may take.
pub struct TempSpace {
    disk: Arc<dyn Disk>,
    used: AtomicU64,
    /// temp_file_limit in bytes; u64::MAX: none.
    limit: AtomicU64,
    quota: Arc<Quota>,
    /// Where files are counted: the database's.
    usage: Usage,
}
impl TempSpace {
    pub fn new(disk: Arc<dyn Disk>, quota: Arc<Quota>, usage: Usage) -> TempSpace {
        TempSpace { disk, used: AtomicU64::new(0), limit: AtomicU64::new(u64::MAX), quota, usage }
    }
    pub fn set_limit(&self, bytes: Option<u64>) {
        self.limit.store(bytes.unwrap_or(u64::MAX), Ordering::Relaxed)
    }
    /// Bytes that files take now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
    fn take(&self, bytes: u64) -> Result<()> {
        let limit = self.limit.load(Ordering::Relaxed);
        if self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > limit {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            bail!(CONFIGURATION_LIMIT_EXCEEDED, "temporary file size exceeds temp_file_limit ({}kB)", limit / 1024);
        }
        let r = self.quota.take(bytes);
        if r.is_err() {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
        r
    }
    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        self.quota.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

struct Inner {
    file: Arc<dyn File>,
    space: Arc<TempSpace>,
    block: usize,
    /// Blocks in the file.
    blocks: u64,
    free: Vec<u64>,
    /// Bytes ever written, for EXPLAIN.
    written: u64,
}
impl Drop for Inner {
    fn drop(&mut self) {
        self.space.usage.add_of_database(OfDatabase::TempBytes, self.blocks * self.block as u64);
        self.space.give_back(self.blocks * self.block as u64);
    }
}
impl Inner {
    fn write(&mut self, bytes: &[u8]) -> Result<u64> {
        let b = match self.free.pop() {
            Some(b) => b,
            None => {
                self.space.take(self.block as u64)?;
                self.blocks += 1;
                self.blocks - 1
            }
        };
        self.file.write_at(bytes, b * self.block as u64)?;
        self.written += bytes.len() as u64;
        Ok(b)
    }
}

/// One temporary file, shared by an operator's tapes.
#[derive(Clone)]
pub struct Spill {
    inner: Arc<Mutex<Inner>>,
    block: usize,
}
impl Spill {
    /// `budget`: bytes the operator keeps in memory; sizes the blocks.
    pub fn new(space: &Arc<TempSpace>, budget: usize) -> Result<Spill> {
        let file = space.disk.temp()?;
        space.usage.add_of_database(OfDatabase::TempFiles, 1);
        let block = (budget / BLOCKS_PER_BUDGET).clamp(MIN_BLOCK, MAX_BLOCK);
        let space = space.clone();
        let inner = Inner { file, space, block, blocks: 0, free: Vec::new(), written: 0 };
        Ok(Spill { inner: Arc::new(Mutex::new(inner)), block })
    }
    pub fn tape(&self) -> Tape {
        Tape { spill: self.clone(), blocks: Vec::new(), tail: Vec::new(), rows: 0 }
    }
    pub fn block(&self) -> usize {
        self.block
    }
    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.inner.lock().written
    }
    /// Kilobytes of the file, as EXPLAIN ANALYZE shows them.
    pub fn disk_kb(&self) -> u64 {
        let i = self.inner.lock();
        (i.blocks * i.block as u64).div_ceil(1024)
    }
}

/// Frames in the order they were pushed. Its blocks return to the file when it is dropped.
pub struct Tape {
    spill: Spill,
    blocks: Vec<u64>,
    tail: Vec<u8>,
    rows: u64,
}
impl Drop for Tape {
    fn drop(&mut self) {
        // No call that holds the lock drops a tape.
        self.spill.inner.lock().free.append(&mut self.blocks);
    }
}
impl Tape {
    pub fn rows(&self) -> u64 {
        self.rows
    }
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }
    /// Bytes so far: where the next frame begins.
    pub fn end(&self) -> u64 {
        self.blocks.len() as u64 * self.spill.block() as u64 + self.tail.len() as u64
    }
    pub fn push(&mut self, frame: &[u8]) -> Result<()> {
        let len = u32::try_from(frame.len()).map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "row is too big to be kept"))?;
        self.append(&len.to_le_bytes())?;
        self.append(frame)?;
        self.rows += 1;
        Ok(())
    }
    fn append(&mut self, mut b: &[u8]) -> Result<()> {
        let mut inner = self.spill.inner.lock();
        while !b.is_empty() {
            let (now, rest) = b.split_at(b.len().min(inner.block - self.tail.len()));
            self.tail.extend_from_slice(now);
            b = rest;
            if self.tail.len() == inner.block {
                self.blocks.push(inner.write(&self.tail)?);
                self.tail.clear();
            }
        }
        Ok(())
    }
}

/// A place in a tape.
#[derive(Default)]
pub struct Cursor {
    at: u64,
    /// Which of the tape's blocks `buf` holds.
    loaded: Option<usize>,
    buf: Vec<u8>,
    frame: Vec<u8>,
}
impl Cursor {
    pub fn seek(&mut self, at: u64) {
        self.at = at;
    }
    /// To the start of what may be another tape.
    pub fn reset(&mut self) {
        self.at = 0;
        self.loaded = None;
    }
    pub fn at(&self) -> u64 {
        self.at
    }
    /// The next frame; None at the end.
    pub fn next(&mut self, t: &Tape) -> Result<Option<&[u8]>> {
        if self.at >= t.end() {
            return Ok(None);
        }
        let mut len = [0u8; 4];
        self.read(t, 4)?;
        len.copy_from_slice(self.frame.get(..4).ok_or_else(broken)?);
        self.read(t, u32::from_le_bytes(len) as usize)?;
        Ok(Some(&self.frame))
    }
    fn read(&mut self, t: &Tape, n: usize) -> Result<()> {
        self.frame.clear();
        if self.at + n as u64 > t.end() {
            return Err(broken());
        }
        let inner = t.spill.inner.lock();
        let block = inner.block as u64;
        while self.frame.len() < n {
            let (i, within) = ((self.at / block) as usize, (self.at % block) as usize);
            let from: &[u8] = match t.blocks.get(i) {
                None => &t.tail,
                Some(b) => {
                    if self.loaded != Some(i) {
                        self.buf.resize(inner.block, 0);
                        if inner.file.read_at(&mut self.buf, b * block)? != inner.block {
                            return Err(broken());
                        }
                        self.loaded = Some(i);
                    }
                    &self.buf
                }
            };
            let take = from.get(within..).map_or(0, <[u8]>::len).min(n - self.frame.len());
            if take == 0 {
                return Err(broken());
            }
            self.frame.extend_from_slice(&from[within..within + take]);
            self.at += take as u64;
        }
        Ok(())
    }
}

#[cold]
fn broken() -> Error {
    err!(DATA_CORRUPTED, "temporary file is damaged")
}

/// Encodes a row with its hash, replacing `out`.
pub fn encode<'d>(hash: u64, row: impl IntoIterator<Item = &'d Datum>, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    out.extend_from_slice(&hash.to_le_bytes());
    for d in row {
        put(d, out)?;
    }
    Ok(())
}
/// Decodes a row, replacing `out`; returns its hash.
pub fn decode(mut b: &[u8], out: &mut Vec<Datum>) -> Result<u64> {
    out.clear();
    let hash = u64::from_le_bytes(take(&mut b)?);
    while !b.is_empty() {
        out.push(get(&mut b, 0)?);
    }
    Ok(hash)
}

mod tag {
    pub const NULL: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const INT2: u8 = 3;
    pub const INT4: u8 = 4;
    pub const INT8: u8 = 5;
    pub const FLOAT4: u8 = 6;
    pub const FLOAT8: u8 = 7;
    pub const NUMERIC: u8 = 8;
    pub const TEXT: u8 = 9;
    pub const BYTEA: u8 = 10;
    pub const DATE: u8 = 11;
    pub const TIME: u8 = 12;
    pub const TIMETZ: u8 = 13;
    pub const TIMESTAMP: u8 = 14;
    pub const TIMESTAMPTZ: u8 = 15;
    pub const INTERVAL: u8 = 16;
    pub const UUID: u8 = 17;
    pub const JSONB: u8 = 18;
    pub const OID: u8 = 19;
    pub const CHAR: u8 = 20;
    pub const ARRAY: u8 = 21;
    pub const RECORD: u8 = 22;
    pub const ENUM: u8 = 23;
    /// A bit string, range or multirange: its type, then a row's bytes.
    pub const RANGE: u8 = 24;
}
const NUMERIC: Type = Type::new(oid::NUMERIC);
const JSONB: Type = Type::new(oid::JSONB);

fn long<R>(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> R) -> Result<R> {
    let at = out.len();
    out.extend_from_slice(&[0; 4]);
    let r = write(out);
    let n =
        u32::try_from(out.len() - at - 4).map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "value is too big to be kept"))?;
    out[at..at + 4].copy_from_slice(&n.to_le_bytes());
    Ok(r)
}
fn put_typed(d: &Datum, ty: Oid, out: &mut Vec<u8>) -> Result<()> {
    out.push(tag::RANGE);
    out.extend_from_slice(&ty.to_le_bytes());
    long(out, |o| row::encode_value(d, Type::new(ty), o))?
}
fn put(d: &Datum, out: &mut Vec<u8>) -> Result<()> {
    let mut fixed = |t: u8, b: &[u8]| {
        out.push(t);
        out.extend_from_slice(b);
    };
    match d {
        Datum::Null => fixed(tag::NULL, &[]),
        Datum::Bool(false) => fixed(tag::FALSE, &[]),
        Datum::Bool(true) => fixed(tag::TRUE, &[]),
        Datum::Int2(v) => fixed(tag::INT2, &v.to_le_bytes()),
        Datum::Int4(v) => fixed(tag::INT4, &v.to_le_bytes()),
        Datum::Int8(v) => fixed(tag::INT8, &v.to_le_bytes()),
        Datum::Float4(v) => fixed(tag::FLOAT4, &v.to_le_bytes()),
        Datum::Float8(v) => fixed(tag::FLOAT8, &v.to_le_bytes()),
        Datum::Date(v) => fixed(tag::DATE, &v.to_le_bytes()),
        Datum::Time(v) => fixed(tag::TIME, &v.to_le_bytes()),
        Datum::Timestamp(v) => fixed(tag::TIMESTAMP, &v.to_le_bytes()),
        Datum::TimestampTz(v) => fixed(tag::TIMESTAMPTZ, &v.to_le_bytes()),
        Datum::Uuid(v) => fixed(tag::UUID, v),
        Datum::Oid(v) => fixed(tag::OID, &v.to_le_bytes()),
        Datum::Char(v) => fixed(tag::CHAR, &[*v]),
        Datum::Enum(v) => fixed(tag::ENUM, &v.to_le_bytes()),
        Datum::TimeTz(t, z) => {
            fixed(tag::TIMETZ, &t.to_le_bytes());
            out.extend_from_slice(&z.to_le_bytes());
        }
        Datum::Interval(v) => {
            fixed(tag::INTERVAL, &v.micros.to_le_bytes());
            out.extend_from_slice(&v.days.to_le_bytes());
            out.extend_from_slice(&v.months.to_le_bytes());
        }
        Datum::Text(s) => {
            out.push(tag::TEXT);
            long(out, |o| o.extend_from_slice(s.as_bytes()))?;
        }
        Datum::Bytea(b) => {
            out.push(tag::BYTEA);
            long(out, |o| o.extend_from_slice(b))?;
        }
        Datum::Numeric(_) => {
            out.push(tag::NUMERIC);
            long(out, |o| row::encode_value(d, NUMERIC, o))??;
        }
        Datum::Jsonb(_) => {
            out.push(tag::JSONB);
            long(out, |o| row::encode_value(d, JSONB, o))??;
        }
        Datum::Array(a) => {
            out.push(tag::ARRAY);
            out.extend_from_slice(&a.elem.to_le_bytes());
            out.push(a.dims.len() as u8);
            for (len, lower) in &a.dims {
                out.extend_from_slice(&len.to_le_bytes());
                out.extend_from_slice(&lower.to_le_bytes());
            }
            out.extend_from_slice(&(a.items.len() as u32).to_le_bytes());
            for d in &a.items {
                put(d, out)?;
            }
        }
        Datum::Bits(_) => put_typed(d, oid::VARBIT, out)?,
        Datum::Citext(_) => put_typed(d, oid::CITEXT, out)?,
        Datum::Range(r) => put_typed(d, r.ty, out)?,
        Datum::Multirange(m) => put_typed(d, m.ty, out)?,
        Datum::Record(fields) => {
            out.push(tag::RECORD);
            out.extend_from_slice(&(fields.len() as u32).to_le_bytes());
            for (ty, d) in fields.iter() {
                out.extend_from_slice(&ty.oid.to_le_bytes());
                out.extend_from_slice(&ty.typmod.to_le_bytes());
                put(d, out)?;
            }
        }
    }
    Ok(())
}
#[inline]
fn take<const N: usize>(b: &mut &[u8]) -> Result<[u8; N]> {
    let Some((head, rest)) = b.split_first_chunk::<N>() else { return Err(broken()) };
    *b = rest;
    Ok(*head)
}
fn bytes<'b>(b: &mut &'b [u8]) -> Result<&'b [u8]> {
    let n = u32::from_le_bytes(take(b)?) as usize;
    let Some((head, rest)) = b.split_at_checked(n) else { return Err(broken()) };
    *b = rest;
    Ok(head)
}
fn get(b: &mut &[u8], depth: usize) -> Result<Datum> {
    if depth > pamir_types::record::DEEPEST {
        return Err(broken());
    }
    let [t] = take::<1>(b)?;
    Ok(match t {
        tag::NULL => Datum::Null,
        tag::FALSE => Datum::Bool(false),
        tag::TRUE => Datum::Bool(true),
        tag::INT2 => Datum::Int2(i16::from_le_bytes(take(b)?)),
        tag::INT4 => Datum::Int4(i32::from_le_bytes(take(b)?)),
        tag::INT8 => Datum::Int8(i64::from_le_bytes(take(b)?)),
        tag::FLOAT4 => Datum::Float4(f32::from_le_bytes(take(b)?)),
        tag::FLOAT8 => Datum::Float8(f64::from_le_bytes(take(b)?)),
        tag::DATE => Datum::Date(i32::from_le_bytes(take(b)?)),
        tag::TIME => Datum::Time(i64::from_le_bytes(take(b)?)),
        tag::TIMESTAMP => Datum::Timestamp(i64::from_le_bytes(take(b)?)),
        tag::TIMESTAMPTZ => Datum::TimestampTz(i64::from_le_bytes(take(b)?)),
        tag::UUID => Datum::Uuid(take(b)?),
        tag::OID => Datum::Oid(u32::from_le_bytes(take(b)?)),
        tag::CHAR => Datum::Char(take::<1>(b)?[0]),
        tag::ENUM => Datum::Enum(u64::from_le_bytes(take(b)?)),
        tag::TIMETZ => Datum::TimeTz(i64::from_le_bytes(take(b)?), i32::from_le_bytes(take(b)?)),
        tag::INTERVAL => Datum::Interval(Interval {
            micros: i64::from_le_bytes(take(b)?),
            days: i32::from_le_bytes(take(b)?),
            months: i32::from_le_bytes(take(b)?),
        }),
        tag::TEXT => Datum::Text(Arc::from(std::str::from_utf8(bytes(b)?).map_err(|_| broken())?)),
        tag::BYTEA => Datum::Bytea(Arc::from(bytes(b)?)),
        tag::NUMERIC => row::decode_value(bytes(b)?, NUMERIC)?,
        tag::JSONB => row::decode_value(bytes(b)?, JSONB)?,
        tag::ARRAY => {
            let elem = u32::from_le_bytes(take(b)?);
            let [ndim] = take::<1>(b)?;
            let mut dims = Vec::new();
            for _ in 0..ndim {
                dims.push((i32::from_le_bytes(take(b)?), i32::from_le_bytes(take(b)?)));
            }
            let n = u32::from_le_bytes(take(b)?) as usize;
            let mut items = Vec::with_capacity(n.min(b.len()));
            for _ in 0..n {
                items.push(get(b, depth + 1)?);
            }
            Datum::Array(Arc::new(Array { elem, dims, items }))
        }
        tag::RANGE => {
            let ty = Type::new(u32::from_le_bytes(take(b)?));
            row::decode_value(bytes(b)?, ty)?
        }
        tag::RECORD => {
            let n = u32::from_le_bytes(take(b)?) as usize;
            let mut fields = Vec::with_capacity(n.min(b.len()));
            for _ in 0..n {
                let ty = Type::with_mod(u32::from_le_bytes(take(b)?), i32::from_le_bytes(take(b)?));
                fields.push((ty, get(b, depth + 1)?));
            }
            Datum::record(fields)?
        }
        _ => return Err(broken()),
    })
}

/// The partition of a hash at a level: each level looks at other bits.
#[inline]
pub fn partition(hash: u64, level: u32) -> usize {
    // MurmurHash3's finalizer over the hash and the level.
    let mut x = hash ^ (u64::from(level) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (x >> (64 - FAN_BITS)) as usize
}

/// Rows that found no room, divided into later passes.
#[derive(Default)]
pub struct Passes {
    spill: Option<Spill>,
    level: u32,
    parts: Vec<Tape>,
    pending: Vec<(Tape, u32)>,
    reading: Option<(Tape, Cursor)>,
    buf: Vec<u8>,
    /// Passes begun, the first over the input not counted.
    pub batches: u64,
}
impl Passes {
    pub fn clear(&mut self) {
        *self = Passes::default();
    }
    /// Puts a row off to a later pass.
    pub fn put<'d>(
        &mut self,
        hash: u64,
        row: impl IntoIterator<Item = &'d Datum>,
        space: &Arc<TempSpace>,
        budget: usize,
    ) -> Result<()> {
        let spill = match &self.spill {
            Some(s) => s,
            None => self.spill.insert(Spill::new(space, budget)?),
        };
        if self.parts.is_empty() {
            self.parts.extend((0..FAN_OUT).map(|_| spill.tape()));
        }
        encode(hash, row, &mut self.buf)?;
        match self.parts.get_mut(partition(hash, self.level)) {
            Some(t) => t.push(&self.buf),
            None => Err(Error::internal("partition out of range")),
        }
    }
    /// Begins the next pass; false when all is done.
    pub fn advance(&mut self) -> bool {
        let (parts, next) = (std::mem::take(&mut self.parts), self.level + 1);
        self.pending.extend(parts.into_iter().rev().filter(|t| !t.is_empty()).map(|t| (t, next)));
        self.reading = None;
        let Some((tape, level)) = self.pending.pop() else { return false };
        self.level = level;
        self.batches += 1;
        self.reading = Some((tape, Cursor::default()));
        true
    }
    /// The next row of this pass into `row`; its hash.
    pub fn next(&mut self, row: &mut Vec<Datum>) -> Result<Option<u64>> {
        let Some((t, c)) = &mut self.reading else { return Ok(None) };
        match c.next(t)? {
            Some(b) => decode(b, row).map(Some),
            None => Ok(None),
        }
    }
    pub fn disk_kb(&self) -> Option<u64> {
        self.spill.as_ref().map(Spill::disk_kb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_storage::disk::sim::SimDisk;

    fn space() -> Arc<TempSpace> {
        Arc::new(TempSpace::new(Arc::new(SimDisk::new(7)), Quota::new(u64::MAX), Default::default()))
    }
    fn samples() -> Vec<Datum> {
        let nested = Datum::Array(Arc::new(Array {
            elem: oid::TEXT,
            dims: vec![(2, 1)],
            items: vec![Datum::Null, Datum::from("x")],
        }));
        vec![
            Datum::Null,
            Datum::Bool(true),
            Datum::Bool(false),
            Datum::Int2(-3),
            Datum::Int4(i32::MIN),
            Datum::Int8(i64::MAX),
            Datum::Float4(-0.0),
            Datum::Float8(f64::INFINITY),
            Datum::from("straße"),
            Datum::Bytea(Arc::from(&[0u8, 255][..])),
            Datum::Date(i32::MAX),
            Datum::Time(1),
            Datum::TimeTz(2, -3600),
            Datum::Timestamp(i64::MIN),
            Datum::TimestampTz(5),
            Datum::Interval(Interval { micros: -1, days: 2, months: -3 }),
            Datum::Uuid([9; 16]),
            Datum::Oid(u32::MAX),
            Datum::Char(b'x'),
            nested.clone(),
            Datum::record(vec![(Type::INT4, Datum::Int4(1)), (Type::TEXT, nested)]).unwrap(),
        ]
    }

    #[test]
    fn every_datum_comes_back() {
        let (mut b, mut out) = (Vec::new(), Vec::new());
        let all = samples();
        encode(77, &all, &mut b).unwrap();
        assert_eq!(decode(&b, &mut out).unwrap(), 77);
        assert_eq!(format!("{all:?}"), format!("{out:?}"));
        // A cut frame is an error, never a panic; a shorter row is one only at a datum's end.
        for n in 0..b.len() {
            if decode(&b[..n], &mut out).is_ok() {
                assert!(out.len() < all.len());
            }
        }
    }

    #[test]
    fn tapes_share_a_file_and_return_its_blocks() {
        let space = space();
        let spill = Spill::new(&space, 0).unwrap();
        let frame = |i: usize| vec![i as u8; i * 37 % 20_000];
        let (mut a, mut b) = (spill.tape(), spill.tape());
        for i in 0..300 {
            a.push(&frame(i)).unwrap();
            b.push(&frame(i + 1)).unwrap();
        }
        let (mut ca, mut cb) = (Cursor::default(), Cursor::default());
        for i in 0..300 {
            assert_eq!(ca.next(&a).unwrap().unwrap(), frame(i));
            assert_eq!(cb.next(&b).unwrap().unwrap(), frame(i + 1));
        }
        assert!(ca.next(&a).unwrap().is_none());
        let used = space.used();
        assert!(used > 1 << 20);
        drop(a);
        let mut c = spill.tape();
        for i in 0..200 {
            c.push(&frame(i)).unwrap();
        }
        assert_eq!(space.used(), used, "freed blocks are used again");
        drop((b, c, spill));
        assert_eq!(space.used(), 0);
    }

    #[test]
    fn the_limit_has_its_own_error() {
        let space = space();
        space.set_limit(Some(100 << 10));
        let spill = Spill::new(&space, 0).unwrap();
        let mut t = spill.tape();
        let e = (0..200).find_map(|_| t.push(&[1; 1000]).err()).expect("the limit");
        assert_eq!(e.message(), "temporary file size exceeds temp_file_limit (100kB)");
        assert_eq!(e.code(), pamir_types::error::state::CONFIGURATION_LIMIT_EXCEEDED);
        assert!(space.used() <= 100 << 10);
    }

    #[test]
    fn passes_give_back_what_was_put() {
        let space = space();
        let mut p = Passes::default();
        for i in 0..5000i64 {
            p.put(i as u64 % 50, &[Datum::Int8(i), Datum::Bool(true)], &space, 0).unwrap();
        }
        let (mut seen, mut row) = (Vec::new(), Vec::new());
        while p.advance() {
            while let Some(h) = p.next(&mut row).unwrap() {
                let [Datum::Int8(i), Datum::Bool(first)] = row[..] else { panic!("{row:?}") };
                assert_eq!(h, i as u64 % 50);
                // Half of the rows are put off once more.
                if first && i % 2 == 0 {
                    p.put(h, &[Datum::Int8(i), Datum::Bool(false)], &space, 0).unwrap();
                } else {
                    seen.push(i);
                }
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..5000).collect::<Vec<_>>());
        assert!(p.batches > FAN_OUT as u64 / 2, "{}", p.batches);
    }
}
