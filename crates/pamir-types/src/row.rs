//! Row encoding: O(1) access to any column, no allocation to decode fixed-width ones.
//!
//! ```text
//! 0      2        4          4 + w*n             + ceil(n/8)
//! +------+--------+----------+-------------------+-----------+
//! | ver  | n | W  | end[n]   | null bitmap       | values    |   little-endian
//! +------+--------+----------+-------------------+-----------+
//! ver: schema version the row was written with (u16, wraps; informational)
//! n:   columns stored (15 bits, W = top bit); columns added later are absent and take their missing value
//! end: end offset of each column's value from the start of values (u16, or u32 when W is set)
//! ```
//! The value bytes ([`encode_value`], [`decode_value`]), by type:
//!
//! | type | bytes |
//! |---|---|
//! | text, varchar, bpchar, name, json, citext, bytea, pg_lsn, xid8, macaddr, macaddr8, inet, cidr, geometric types, tsvector, tsquery, hstore | the plain bytes (of the last ones as their modules draw them) |
//! | bool, "char" | one byte |
//! | ints, floats, oid and its aliases, date, time, timestamp, timestamptz | little-endian of their width |
//! | timetz | time i64, zone i32 |
//! | interval | micros i64, days i32, months i32 |
//! | uuid | its 16 bytes |
//! | numeric | u16 scale (0xffff NaN, 0xfffe +inf, 0xfffd -inf), then the mantissa, two's complement of least length |
//! | jsonb | a tagged tree (see `json.rs`) |
//! | array | element OID u32, ndim u8, (length i32, lower bound i32) each; then per item u32 length or 0xffffffff, bytes |
//! | bit, bit varying | length in bits u32, bytes |
//! | range | flags u8 (PostgreSQL's: 01 empty, 02 and 04 lower and upper inclusive, 08 and 10 endless); per bound that has a value u32 length, bytes |
//! | multirange | per range u32 length, bytes |
//! | record | count u32; per field OID u32, typmod i32, u32 length or 0xffffffff, bytes |
//!
//! Invariants: a row is written narrow (u16 ends) whenever its values take at most 65535 bytes; the ends never decrease; a
//! NULL takes no value bytes. A reader trusts none of it: every offset is checked, and a broken row is XX001.
//!
//! Limits: [`MAX_COLUMNS`] columns, values of 4 GiB in all.
use crate::array::{Array, MAX_DIM};
use crate::bits::Bits;
use crate::datetime::Interval;
use crate::json::Jsonb;
use crate::multirange::Multirange;
use crate::network::Inet;
use crate::numeric::Numeric;
use crate::range::Range;
use crate::{Datum, Error, Oid, Result, Type, bail, err, octets, oid, packed};
use std::sync::Arc;

/// Columns a row can store (15 bits of the header).
pub const MAX_COLUMNS: usize = 0x7fff;
const WIDE: u16 = 0x8000;
const HEADER: usize = 4;
const NULL_ITEM: u32 = u32::MAX;

#[cold]
#[inline(never)]
fn corrupt(what: &str) -> Error {
    err!(DATA_CORRUPTED, "corrupted row: {what}")
}

/// A borrowed, encoded row.
#[derive(Clone, Copy)]
pub struct RowRef<'a>(pub &'a [u8]);

/// One column's raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawCol<'a> {
    Null,
    Value(&'a [u8]),
    /// The row is older than the column.
    Absent,
}

#[inline]
fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    b.get(at..).and_then(|b| b.first_chunk::<2>()).map(|c| u16::from_le_bytes(*c))
}
#[inline]
fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    b.get(at..).and_then(|b| b.first_chunk::<4>()).map(|c| u32::from_le_bytes(*c))
}

impl<'a> RowRef<'a> {
    /// Number of stored columns. Corrupt rows give XX001, never a panic.
    #[inline]
    pub fn len(&self) -> Result<usize> {
        match u16_at(self.0, 2) {
            Some(n) => Ok((n & !WIDE) as usize),
            None => Err(corrupt("short header")),
        }
    }
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
    /// The schema version the row was written with.
    pub fn version(&self) -> Result<u16> {
        u16_at(self.0, 0).ok_or_else(|| corrupt("short header"))
    }
    #[inline]
    pub fn raw(&self, col: usize) -> Result<RawCol<'a>> {
        let b = self.0;
        let Some(head) = u16_at(b, 2) else { return Err(corrupt("short header")) };
        let n = (head & !WIDE) as usize;
        if col >= n {
            return Ok(RawCol::Absent);
        }
        let (bitmap, start, end) = if head & WIDE == 0 {
            let at = HEADER + 2 * col;
            let start = if col == 0 { 0 } else { u16_at(b, at - 2).unwrap_or(u16::MAX) as usize };
            let Some(end) = u16_at(b, at) else { return Err(corrupt("short offsets")) };
            (HEADER + 2 * n, start, end as usize)
        } else {
            let at = HEADER + 4 * col;
            let start = if col == 0 { 0 } else { u32_at(b, at - 4).unwrap_or(u32::MAX) as usize };
            let Some(end) = u32_at(b, at) else { return Err(corrupt("short offsets")) };
            (HEADER + 4 * n, start, end as usize)
        };
        let Some(bits) = b.get(bitmap + (col >> 3)) else { return Err(corrupt("short null bitmap")) };
        if bits & (1 << (col & 7)) != 0 {
            return Ok(RawCol::Null);
        }
        let values = bitmap + n.div_ceil(8);
        match b.get(values + start..values + end) {
            Some(v) => Ok(RawCol::Value(v)),
            None => Err(corrupt("value outside the row")),
        }
    }
    /// Decodes column `col` into `out`; false when absent. The commonest types are written where they belong: a datum that goes through results is
    /// stored in pieces and loaded whole, for which the processor waits.
    #[inline]
    pub fn load(&self, col: usize, ty: Type, out: &mut Datum) -> Result<bool> {
        let v = match self.raw(col)? {
            RawCol::Value(v) => v,
            RawCol::Null => {
                *out = Datum::Null;
                return Ok(true);
            }
            RawCol::Absent => return Ok(false),
        };
        match (ty.oid, v.first_chunk::<4>(), v.first_chunk::<8>(), v.len()) {
            (oid::INT4, Some(b), _, 4) => *out = Datum::Int4(i32::from_le_bytes(*b)),
            (oid::INT8, _, Some(b), 8) => *out = Datum::Int8(i64::from_le_bytes(*b)),
            (oid::FLOAT8, _, Some(b), 8) => *out = Datum::Float8(f64::from_le_bytes(*b)),
            (oid::DATE, Some(b), _, 4) => *out = Datum::Date(i32::from_le_bytes(*b)),
            (oid::TIMESTAMP, _, Some(b), 8) => *out = Datum::Timestamp(i64::from_le_bytes(*b)),
            (oid::TIMESTAMPTZ, _, Some(b), 8) => *out = Datum::TimestampTz(i64::from_le_bytes(*b)),
            _ => *out = decode_nested(v, ty, 0)?,
        }
        Ok(true)
    }
    /// Decodes column `col`; None when absent.
    #[inline]
    pub fn datum(&self, col: usize, ty: Type) -> Result<Option<Datum>> {
        match self.raw(col)? {
            RawCol::Value(v) => decode_value(v, ty).map(Some),
            RawCol::Null => Ok(Some(Datum::Null)),
            RawCol::Absent => Ok(None),
        }
    }
}

/// Encodes a whole row, replacing `out`.
pub fn encode(version: u16, cols: &[(Datum, Type)], out: &mut Vec<u8>) -> Result<()> {
    encode_with(version, cols.len(), |i| (&cols[i].0, cols[i].1), out)
}
/// As `encode`, with types apart.
pub fn encode_row(version: u16, cols: &[Datum], types: &[Type], out: &mut Vec<u8>) -> Result<()> {
    if cols.len() != types.len() {
        return Err(Error::internal(format!("row has {} values for {} columns", cols.len(), types.len())));
    }
    encode_with(version, cols.len(), |i| (&cols[i], types[i]), out)
}

fn encode_with<'d>(version: u16, n: usize, col: impl Fn(usize) -> (&'d Datum, Type), out: &mut Vec<u8>) -> Result<()> {
    if n > MAX_COLUMNS {
        bail!(TOO_MANY_COLUMNS, "row has {n} columns, more than the maximum {MAX_COLUMNS}");
    }
    // Nearly every row is narrow: write it so, and again wide when it proves too long.
    if encode_pass::<2>(version, n, &col, out)? || encode_pass::<4>(version, n, &col, out)? {
        return Ok(());
    }
    bail!(PROGRAM_LIMIT_EXCEEDED, "row is too big: more than 4 GiB");
}

/// Writes with W-byte ends; false when a value ends beyond what they can say.
fn encode_pass<'d, const W: usize>(
    version: u16,
    n: usize,
    col: &impl Fn(usize) -> (&'d Datum, Type),
    out: &mut Vec<u8>,
) -> Result<bool> {
    let bitmap = HEADER + W * n;
    let values = bitmap + n.div_ceil(8);
    out.clear();
    out.reserve(values + 8 * n);
    out.resize(values, 0);
    out[..2].copy_from_slice(&version.to_le_bytes());
    let head = n as u16 | if W == 4 { WIDE } else { 0 };
    out[2..4].copy_from_slice(&head.to_le_bytes());
    for i in 0..n {
        let (d, ty) = col(i);
        if d.is_null() {
            out[bitmap + (i >> 3)] |= 1 << (i & 7);
        } else {
            encode_value(d, ty, out)?;
        }
        let end = out.len() - values;
        let at = HEADER + W * i;
        if W == 2 {
            let Ok(end) = u16::try_from(end) else { return Ok(false) };
            out[at..at + 2].copy_from_slice(&end.to_le_bytes());
        } else {
            let Ok(end) = u32::try_from(end) else { return Ok(false) };
            out[at..at + 4].copy_from_slice(&end.to_le_bytes());
        }
    }
    Ok(true)
}

/// Values of a row that is spliced, in bytes, and the row's: what is longer may need wide ends.
const SPLICED: usize = 60_000;
/// Writes `old` again with some columns replaced (the last one counts where one is named twice) and NULL for those `dropped`; the bytes of the others are copied as they are. False:
/// it has to be decoded and encoded whole, since it is long or has not all of the table's columns; `out` is of no use then.
pub fn splice(
    version: u16,
    types: &[Type],
    dropped: impl Fn(usize) -> bool,
    old: RowRef,
    new: &[(usize, Datum)],
    out: &mut Vec<u8>,
) -> Result<bool> {
    let n = types.len();
    if old.len()? != n || old.0.len() > SPLICED {
        return Ok(false);
    }
    out.clear();
    let bitmap = HEADER + 2 * n;
    let values = bitmap + n.div_ceil(8);
    out.resize(values, 0);
    out[0..2].copy_from_slice(&version.to_le_bytes());
    out[2..4].copy_from_slice(&(n as u16).to_le_bytes());
    for c in 0..n {
        let null = match new.iter().rev().find(|x| x.0 == c) {
            Some((_, Datum::Null)) => true,
            Some((_, d)) => {
                encode_value(d, types[c], out)?;
                false
            }
            None => match old.raw(c)? {
                RawCol::Value(v) if !dropped(c) => {
                    out.extend_from_slice(v);
                    false
                }
                RawCol::Absent => return Ok(false),
                _ => true,
            },
        };
        if null {
            out[bitmap + c / 8] |= 1 << (c % 8);
        }
        let Ok(end) = u16::try_from(out.len() - values) else { return Ok(false) };
        out[HEADER + 2 * c..HEADER + 2 + 2 * c].copy_from_slice(&end.to_le_bytes());
    }
    Ok(true)
}

/// Whether `d` is of the variant that values of `ty` take. A wrong one must not reach the disk.
#[inline]
pub fn datum_fits(d: &Datum, ty: Type) -> bool {
    match d {
        Datum::Null => true,
        Datum::Bool(_) => ty.oid == oid::BOOL,
        Datum::Int2(_) => ty.oid == oid::INT2,
        Datum::Int4(_) => ty.oid == oid::INT4,
        Datum::Int8(_) => matches!(ty.oid, oid::INT8 | oid::MONEY),
        Datum::Float4(_) => ty.oid == oid::FLOAT4,
        Datum::Float8(_) => ty.oid == oid::FLOAT8,
        Datum::Numeric(_) => ty.oid == oid::NUMERIC,
        Datum::Text(_) => ty.is_stringlike() || ty.oid == oid::ACLITEM,
        Datum::Bytea(b) => match ty.oid {
            oid::BYTEA | oid::TID => true,
            oid::INET | oid::CIDR => Inet::unpack(b).is_some(),
            o if packed::is_packed(o) => packed::fits(b, o),
            o => octets::width(o) == Some(b.len()),
        },
        Datum::Date(_) => ty.oid == oid::DATE,
        Datum::Time(_) => ty.oid == oid::TIME,
        Datum::TimeTz(..) => ty.oid == oid::TIMETZ,
        Datum::Timestamp(_) => ty.oid == oid::TIMESTAMP,
        Datum::TimestampTz(_) => ty.oid == oid::TIMESTAMPTZ,
        Datum::Interval(_) => ty.oid == oid::INTERVAL,
        Datum::Uuid(_) => ty.oid == oid::UUID,
        Datum::Jsonb(_) => ty.oid == oid::JSONB,
        Datum::Oid(_) => is_oidlike(ty.oid),
        Datum::Char(_) => ty.oid == oid::CHAR,
        Datum::Array(_) => ty.is_array(),
        Datum::Enum(_) => oid::is_enum(ty.oid),
        Datum::Bits(_) => matches!(ty.oid, oid::BIT | oid::VARBIT),
        Datum::Citext(_) => ty.oid == oid::CITEXT,
        Datum::Range(r) => ty.oid == r.ty,
        Datum::Multirange(m) => ty.oid == m.ty,
        Datum::Record(_) => ty.oid == oid::RECORD || oid::is_composite(ty.oid),
    }
}

/// oid, the reg* aliases, xid and cid.
pub fn is_oidlike(o: crate::Oid) -> bool {
    matches!(
        o,
        oid::OID
            | oid::XID
            | oid::CID
            | oid::REGPROC
            | oid::REGPROCEDURE
            | oid::REGOPER
            | oid::REGCLASS
            | oid::REGTYPE
            | oid::REGNAMESPACE
            | oid::REGROLE
            | oid::REGCOLLATION
            | oid::REGOPERATOR
            | oid::REGCONFIG
            | oid::REGDICTIONARY
    )
}

/// Appends the value bytes of `d`, which must be of `ty`'s variant and not NULL.
#[inline]
pub fn encode_value(d: &Datum, ty: Type, out: &mut Vec<u8>) -> Result<()> {
    if !datum_fits(d, ty) {
        return Err(Error::internal(format!("cannot store {d:?} as type {}", crate::text::type_display(ty))));
    }
    match d {
        Datum::Null => return Err(Error::internal("cannot encode NULL as a value")),
        Datum::Bool(v) => out.push(*v as u8),
        Datum::Int2(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Int4(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Int8(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Enum(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Float4(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Float8(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Numeric(v) => v.encode_row(out),
        Datum::Text(v) => out.extend_from_slice(v.as_bytes()),
        Datum::Citext(v) => out.extend_from_slice(v.text.as_bytes()),
        Datum::Bytea(v) => out.extend_from_slice(v),
        Datum::Date(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::TimeTz(t, z) => {
            out.extend_from_slice(&t.to_le_bytes());
            out.extend_from_slice(&z.to_le_bytes());
        }
        Datum::Interval(v) => {
            out.extend_from_slice(&v.micros.to_le_bytes());
            out.extend_from_slice(&v.days.to_le_bytes());
            out.extend_from_slice(&v.months.to_le_bytes());
        }
        Datum::Uuid(v) => out.extend_from_slice(v),
        Datum::Jsonb(v) => v.encode_row(out),
        Datum::Oid(v) => out.extend_from_slice(&v.to_le_bytes()),
        Datum::Char(v) => out.push(*v),
        Datum::Array(a) => {
            out.extend_from_slice(&a.elem.to_le_bytes());
            out.push(a.dims.len() as u8);
            for (len, lower) in &a.dims {
                out.extend_from_slice(&len.to_le_bytes());
                out.extend_from_slice(&lower.to_le_bytes());
            }
            for item in &a.items {
                encode_item(item, Type::new(a.elem), out)?;
            }
        }
        Datum::Bits(b) => {
            out.extend_from_slice(&(b.len() as u32).to_le_bytes());
            out.extend_from_slice(b.bytes());
        }
        Datum::Range(r) => encode_range(r, out)?,
        Datum::Multirange(m) => {
            for r in &m.ranges {
                sized(out, |out| encode_range(r, out))?;
            }
        }
        Datum::Record(fields) => {
            out.extend_from_slice(&(fields.len() as u32).to_le_bytes());
            for (ty, d) in fields.iter() {
                out.extend_from_slice(&ty.oid.to_le_bytes());
                out.extend_from_slice(&ty.typmod.to_le_bytes());
                encode_item(d, *ty, out)?;
            }
        }
    }
    Ok(())
}

fn encode_item(d: &Datum, ty: Type, out: &mut Vec<u8>) -> Result<()> {
    if d.is_null() {
        out.extend_from_slice(&NULL_ITEM.to_le_bytes());
        return Ok(());
    }
    sized(out, |out| encode_value(d, ty, out))
}
/// What `write` writes, behind its length.
fn sized(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    let at = out.len();
    out.extend_from_slice(&NULL_ITEM.to_le_bytes());
    write(out)?;
    let len = u32::try_from(out.len() - at - 4).map_err(|_| err!(PROGRAM_LIMIT_EXCEEDED, "array item is too big"))?;
    out[at..at + 4].copy_from_slice(&len.to_le_bytes());
    Ok(())
}
fn encode_range(r: &Range, out: &mut Vec<u8>) -> Result<()> {
    out.push(r.flags());
    r.values().try_for_each(|d| encode_item(d, r.subtype(), out))
}

#[inline]
fn fixed<const N: usize>(b: &[u8]) -> Result<[u8; N]> {
    match b.try_into() {
        Ok(v) => Ok(v),
        Err(_) => Err(corrupt("value of the wrong length")),
    }
}
#[inline]
fn utf8(b: &[u8]) -> Result<&str> {
    match std::str::from_utf8(b) {
        Ok(s) => Ok(s),
        Err(_) => Err(corrupt("text is not UTF-8")),
    }
}

/// Decodes what [`encode_value`] wrote for `ty`.
#[inline]
pub fn decode_value(b: &[u8], ty: Type) -> Result<Datum> {
    decode_nested(b, ty, 0)
}

fn decode_nested(b: &[u8], ty: Type, depth: usize) -> Result<Datum> {
    Ok(match ty.oid {
        oid::INT4 => Datum::Int4(i32::from_le_bytes(fixed(b)?)),
        oid::INT8 | oid::MONEY => Datum::Int8(i64::from_le_bytes(fixed(b)?)),
        oid::TEXT
        | oid::VARCHAR
        | oid::BPCHAR
        | oid::NAME
        | oid::JSON
        | oid::XML
        | oid::JSONPATH
        | oid::PG_SNAPSHOT
        | oid::TXID_SNAPSHOT
        | oid::UNKNOWN
        | oid::CSTRING
        | oid::PG_NODE_TREE
        | oid::REFCURSOR
        | oid::ACLITEM => Datum::Text(Arc::from(utf8(b)?)),
        oid::BOOL => match b {
            [0] => Datum::Bool(false),
            [1] => Datum::Bool(true),
            _ => return Err(corrupt("bad boolean")),
        },
        oid::INT2 => Datum::Int2(i16::from_le_bytes(fixed(b)?)),
        oid::FLOAT4 => Datum::Float4(f32::from_le_bytes(fixed(b)?)),
        oid::FLOAT8 => Datum::Float8(f64::from_le_bytes(fixed(b)?)),
        oid::NUMERIC => Datum::Numeric(Numeric::decode_row(b).ok_or_else(|| corrupt("bad numeric"))?),
        oid::BYTEA | oid::TID => Datum::Bytea(Arc::from(b)),
        oid::DATE => Datum::Date(i32::from_le_bytes(fixed(b)?)),
        oid::TIME => Datum::Time(i64::from_le_bytes(fixed(b)?)),
        oid::TIMESTAMP => Datum::Timestamp(i64::from_le_bytes(fixed(b)?)),
        oid::TIMESTAMPTZ => Datum::TimestampTz(i64::from_le_bytes(fixed(b)?)),
        oid::TIMETZ => match (b.len(), b.first_chunk::<8>(), b.last_chunk::<4>()) {
            (12, Some(t), Some(z)) => Datum::TimeTz(i64::from_le_bytes(*t), i32::from_le_bytes(*z)),
            _ => return Err(corrupt("value of the wrong length")),
        },
        oid::INTERVAL => {
            let v = u128::from_le_bytes(fixed(b)?);
            Datum::Interval(Interval { micros: v as i64, days: (v >> 64) as i32, months: (v >> 96) as i32 })
        }
        oid::UUID => Datum::Uuid(fixed(b)?),
        oid::JSONB => Datum::Jsonb(Arc::new(Jsonb::decode_row(b).ok_or_else(|| corrupt("bad jsonb"))?)),
        oid::CHAR => Datum::Char(fixed::<1>(b)?[0]),
        o if is_oidlike(o) => Datum::Oid(u32::from_le_bytes(fixed(b)?)),
        o if oid::element_of(o).is_some() => Datum::Array(Arc::new(decode_array(b, depth)?)),
        oid::BIT | oid::VARBIT => {
            let mut b = b;
            let len = u32::from_le_bytes(take(&mut b)?) as usize;
            Bits::from_bytes(len, b).ok_or_else(|| corrupt("bad bit string"))?.into()
        }
        oid::INET | oid::CIDR if Inet::unpack(b).is_none() => return Err(crate::network::corrupt()),
        oid::INET | oid::CIDR => Datum::Bytea(Arc::from(b)),
        oid::CITEXT => {
            crate::citext::Citext::new(std::str::from_utf8(b).map_err(|_| corrupt("text that is not UTF-8"))?.into())
                .into()
        }
        o if packed::is_packed(o) => match packed::fits(b, o) {
            true => Datum::Bytea(Arc::from(b)),
            false => return Err(corrupt("value of the wrong form")),
        },
        o if let Some(n) = octets::width(o) => match b.len() == n {
            true => Datum::Bytea(Arc::from(b)),
            false => return Err(corrupt("value of the wrong length")),
        },
        o if oid::range_subtype(o).is_some() => decode_range(b, o, depth)?.into(),
        o if oid::range_of_multirange(o).is_some() => decode_multirange(b, o, depth)?.into(),
        o if oid::is_enum(o) => Datum::Enum(u64::from_le_bytes(fixed(b)?)),
        o if o == oid::RECORD || oid::is_composite(o) => decode_record(b, depth)?,
        _ => return Err(Error::unsupported(format!("storing type {}", crate::text::type_display(ty)))),
    })
}

/// Takes the first N bytes off `b`.
fn take<const N: usize>(b: &mut &[u8]) -> Result<[u8; N]> {
    let Some((head, rest)) = b.split_first_chunk::<N>() else { return Err(corrupt("value cut short")) };
    *b = rest;
    Ok(*head)
}
fn take_item(b: &mut &[u8], ty: Type, depth: usize) -> Result<Datum> {
    let len = u32::from_le_bytes(take(b)?);
    if len == NULL_ITEM {
        return Ok(Datum::Null);
    }
    let Some((item, rest)) = b.split_at_checked(len as usize) else { return Err(corrupt("item cut short")) };
    *b = rest;
    decode_nested(item, ty, depth + 1)
}

/// A range behind its flags, to the end of its bytes.
fn decode_range(mut b: &[u8], ty: Oid, depth: usize) -> Result<Range> {
    let [flags] = take::<1>(&mut b)?;
    let sub = Type::new(oid::range_subtype(ty).unwrap_or(oid::UNKNOWN));
    let r = Range::from_flags(ty, flags, || take_item(&mut b, sub, depth)).map_err(|_| corrupt("bad range"))?;
    if b.is_empty() { Ok(r) } else { Err(corrupt("trailing bytes")) }
}
fn decode_multirange(mut b: &[u8], ty: Oid, depth: usize) -> Result<Multirange> {
    let range = oid::range_of_multirange(ty).unwrap_or(0);
    let mut ranges = Vec::new();
    while !b.is_empty() {
        let len = u32::from_le_bytes(take(&mut b)?);
        let Some((one, rest)) = b.split_at_checked(len as usize) else { return Err(corrupt("range cut short")) };
        ranges.push(decode_range(one, range, depth + 1)?);
        b = rest;
    }
    // Written in order; what is not is no value.
    Ok(Multirange { ty, ranges })
}
fn decode_array(mut b: &[u8], depth: usize) -> Result<Array> {
    if depth > crate::record::DEEPEST {
        return Err(corrupt("nested too deeply"));
    }
    let elem = u32::from_le_bytes(take(&mut b)?);
    let [ndim] = take::<1>(&mut b)?;
    if ndim as usize > MAX_DIM {
        return Err(corrupt("too many array dimensions"));
    }
    let mut dims = Vec::with_capacity(ndim as usize);
    let mut count = usize::from(ndim > 0);
    for _ in 0..ndim {
        let len = i32::from_le_bytes(take(&mut b)?);
        let lower = i32::from_le_bytes(take(&mut b)?);
        count =
            usize::try_from(len).ok().and_then(|l| count.checked_mul(l)).ok_or_else(|| corrupt("bad array length"))?;
        dims.push((len, lower));
    }
    // Every item takes at least its length word, so the bytes bound the count.
    if count > b.len() / 4 {
        return Err(corrupt("array cut short"));
    }
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(take_item(&mut b, Type::new(elem), depth)?);
    }
    if !b.is_empty() {
        return Err(corrupt("trailing bytes"));
    }
    Ok(Array { elem, dims, items })
}

fn decode_record(mut b: &[u8], depth: usize) -> Result<Datum> {
    if depth > crate::record::DEEPEST {
        return Err(corrupt("nested too deeply"));
    }
    let count = u32::from_le_bytes(take(&mut b)?) as usize;
    if count > b.len() / 12 {
        return Err(corrupt("record cut short"));
    }
    let mut fields = Vec::with_capacity(count);
    for _ in 0..count {
        let ty = Type::with_mod(u32::from_le_bytes(take(&mut b)?), i32::from_le_bytes(take(&mut b)?));
        fields.push((ty, take_item(&mut b, ty, depth)?));
    }
    if !b.is_empty() {
        return Err(corrupt("trailing bytes"));
    }
    Datum::record(fields)
}
