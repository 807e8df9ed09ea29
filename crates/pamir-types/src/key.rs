//! Order-preserving key encoding: memcmp of two keys orders them as SQL orders their columns.
//!
//! A key is its columns one after another. Each column is a marker byte and, unless it is NULL, the value's bytes:
//!
//! ```text
//! 00                NULL that sorts first
//! 01 <value bytes>  a value; for DESC columns every value byte (not the marker) is complemented
//! 02                NULL that sorts last
//! ```
//!
//! | type | value bytes (before complementing) |
//! |---|---|
//! | bool, "char" | one byte |
//! | smallint, integer, bigint, date, time, timestamp[tz] | big-endian, sign bit flipped |
//! | oid and its aliases, enums (their place in the order) | big-endian |
//! | real, double precision | IEEE bits big-endian: sign bit flipped when positive, all bits when negative; -0 is 0, NaN ff.. |
//! | text, varchar, name, bytea, pg_lsn, xid8, macaddr, macaddr8, inet, cidr, tsvector, tsquery, hstore | the bytes, 00 as `01 01`, 01 as `01 02`; then the terminator 00 |
//! | bpchar | as text, without trailing blanks |
//! | citext | as text, in small letters |
//! | uuid | its 16 bytes |
//! | timetz | UTC microseconds (i64), then the zone (i32), as the integers |
//! | interval | the total in microseconds (a month is 30 days), 80 bits big-endian, sign bit flipped |
//! | numeric | a class byte (01 -inf, 02 negative, 03 zero, 04 positive, 05 +inf, 06 NaN); for 02 and 04 the decimal exponent and the significant digits, see `numeric/codec.rs` |
//! | jsonb | a rank byte (00 empty array at the top, 01 null, 02 string, 03 number, 04 boolean, 05 array, 06 object), then: string as text; number as numeric; boolean one byte; array: count u32, items; object: count u32, then key and value of each pair |
//! | array | per item 01 value or 02 for NULL, then 00; ndim; the lengths; the lower bounds (as integers) |
//! | bit, bit varying | its bytes as text is; then its length in bits (i32 as the integers) |
//! | range | 00 when empty; else 01, the lower bound (00 endless, or 01, its value, 00 inclusive or 01 exclusive), the upper one (02 endless, or 01, its value, 00 exclusive or 01 inclusive) |
//! | multirange | its ranges; then 00 |
//! | record | per field 01 value or 02 for NULL; then 00 |
//!
//! Each column's bytes are prefix-free, so no value is a proper prefix of another, keys of more columns extend keys of
//! fewer, and the concatenation orders as the tuple does. Keys decode back where equality is identity ([`is_decodable`]).
use crate::bits::Bits;
use crate::datetime;
use crate::json::Jsonb;
use crate::multirange::Multirange;
use crate::numeric::Numeric;
use crate::range::{Bound, Range};
use crate::row::is_oidlike;
use crate::{Datum, Error, Oid, Result, Type, err, octets, oid, packed};
use std::sync::Arc;

/// How one key column sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeyOrder {
    pub desc: bool,
    pub nulls_first: bool,
}
impl KeyOrder {
    pub const ASC: KeyOrder = KeyOrder { desc: false, nulls_first: false };
    /// DESC as SQL defaults it: NULLs first.
    pub const DESC: KeyOrder = KeyOrder { desc: true, nulls_first: true };
}

/// The longest key a tree takes, in bytes (54000 beyond it; PostgreSQL's B-tree limit is alike).
pub const MAX_KEY: usize = 2048;

const NULL_FIRST: u8 = 0;
const NOT_NULL: u8 = 1;
const NULL_LAST: u8 = 2;
const TERMINATOR: u8 = 0;
const ESCAPE: u8 = 1;
const RANGE_EMPTY: u8 = 0;
const RANGE: u8 = 1;
const ENDLESS_LOWER: u8 = 0;
const BOUND: u8 = 1;
const ENDLESS_UPPER: u8 = 2;
/// How deep records, arrays and jsonb may nest in a key read from disk.
const MAX_NESTING: usize = 512;

#[cold]
#[inline(never)]
fn corrupt() -> Error {
    err!(DATA_CORRUPTED, "corrupted index key")
}
#[cold]
#[inline(never)]
fn too_long(len: usize) -> Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "index row size {len} exceeds maximum {MAX_KEY}").hint(
        "Values larger than 1/4 of a buffer page cannot be indexed.\nConsider a function index of an MD5 hash of the value.",
    )
}

/// Appends one column of a key that is to be stored: 54000 when it grows past [`MAX_KEY`].
#[inline]
pub fn encode(d: &Datum, ty: Type, ord: KeyOrder, out: &mut Vec<u8>) -> Result<()> {
    put_column(d, ty, ord, out)?;
    if out.len() > MAX_KEY { Err(too_long(out.len())) } else { Ok(()) }
}

/// Appends one column of a key that is looked for, of any length: one that no tree can hold is cut behind [`MAX_KEY`]. Cut, it still compares with every
/// stored key as it would whole: a column's bytes are prefix-free, so the two part within the stored key's columns, which end at `MAX_KEY` or before. So
/// equality finds nothing, and a range begins or ends where it should.
#[inline]
pub fn encode_search(d: &Datum, ty: Type, ord: KeyOrder, out: &mut Vec<u8>) -> Result<()> {
    if out.len() > MAX_KEY {
        return Ok(());
    }
    put_column(d, ty, ord, out).or_else(|e| if out.len() > MAX_KEY { Ok(()) } else { Err(e) })?;
    out.truncate(MAX_KEY + 1);
    Ok(())
}

/// A column's marker and value. Past [`MAX_KEY`] it may stop anywhere; what stands before is right.
#[inline]
fn put_column(d: &Datum, ty: Type, ord: KeyOrder, out: &mut Vec<u8>) -> Result<()> {
    if d.is_null() {
        out.push(if ord.nulls_first { NULL_FIRST } else { NULL_LAST });
        return Ok(());
    }
    out.push(NOT_NULL);
    let at = out.len();
    let r = encode_value(d, ty, out);
    if ord.desc {
        for b in &mut out[at..] {
            *b = !*b;
        }
    }
    r
}

#[inline]
fn encode_value(d: &Datum, ty: Type, out: &mut Vec<u8>) -> Result<()> {
    match d {
        Datum::Null => return Err(Error::internal("cannot encode NULL as a key value")),
        Datum::Bool(v) => out.push(*v as u8),
        Datum::Int2(v) => out.extend_from_slice(&(*v as u16 ^ 1 << 15).to_be_bytes()),
        Datum::Int4(v) | Datum::Date(v) => put_i32(*v, out),
        Datum::Int8(v) | Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => put_i64(*v, out),
        Datum::Float4(v) => {
            let v = if *v == 0.0 { 0.0 } else { *v };
            let bits = v.to_bits();
            let ordered = match (v.is_nan(), bits >> 31) {
                (true, _) => u32::MAX,
                (_, 0) => bits | 1 << 31,
                _ => !bits,
            };
            out.extend_from_slice(&ordered.to_be_bytes());
        }
        Datum::Float8(v) => {
            let v = if *v == 0.0 { 0.0 } else { *v };
            let bits = v.to_bits();
            let ordered = match (v.is_nan(), bits >> 63) {
                (true, _) => u64::MAX,
                (_, 0) => bits | 1 << 63,
                _ => !bits,
            };
            out.extend_from_slice(&ordered.to_be_bytes());
        }
        Datum::Numeric(v) => v.encode_key(out),
        Datum::Text(v) if ty.oid == oid::BPCHAR => put_bytes(v.trim_end_matches(' ').as_bytes(), out),
        Datum::Text(v) => put_bytes(v.as_bytes(), out),
        Datum::Bytea(v) => put_bytes(v, out),
        Datum::TimeTz(t, zone) => {
            put_i64(t.saturating_add(*zone as i64 * datetime::USECS_PER_SEC), out);
            put_i32(*zone, out);
        }
        Datum::Interval(v) => {
            let ordered = (datetime::interval_cmp_value(v) + (1 << 79)) as u128;
            out.extend_from_slice(&ordered.to_be_bytes()[6..]);
        }
        Datum::Uuid(v) => out.extend_from_slice(v),
        Datum::Jsonb(v) => put_jsonb(v, true, out),
        Datum::Oid(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Char(v) => out.push(*v),
        Datum::Enum(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Array(a) => {
            for item in &a.items {
                put_item(item, Type::new(a.elem), out)?;
            }
            out.push(TERMINATOR);
            out.push(a.dims.len() as u8);
            a.dims.iter().for_each(|d| put_i32(d.0, out));
            a.dims.iter().for_each(|d| put_i32(d.1, out));
        }
        Datum::Bits(b) => {
            put_bytes(b.bytes(), out);
            put_i32(b.len() as i32, out);
        }
        Datum::Range(r) => put_range(r, out)?,
        Datum::Multirange(m) => {
            for r in &m.ranges {
                put_range(r, out)?;
                if out.len() > MAX_KEY {
                    return Err(too_long(out.len()));
                }
            }
            out.push(TERMINATOR);
        }
        Datum::Citext(v) => put_bytes(v.folded.as_bytes(), out),
        Datum::Record(fields) => {
            for (ty, d) in fields.iter() {
                put_item(d, *ty, out)?;
            }
            out.push(TERMINATOR);
        }
    }
    Ok(())
}

#[inline]
fn put_i32(v: i32, out: &mut Vec<u8>) {
    out.extend_from_slice(&(v as u32 ^ 1 << 31).to_be_bytes());
}
#[inline]
fn put_i64(v: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(&(v as u64 ^ 1 << 63).to_be_bytes());
}
/// Escapes and terminates. Past [`MAX_KEY`] the bytes no longer matter: the caller refuses the key or cuts it.
#[inline]
fn put_bytes(mut v: &[u8], out: &mut Vec<u8>) {
    v = &v[..v.len().min(MAX_KEY + 1)];
    while let Some(at) = v.iter().position(|b| *b <= ESCAPE) {
        out.extend_from_slice(&v[..at]);
        out.extend_from_slice(&[ESCAPE, v[at] + 1]);
        v = &v[at + 1..];
        if out.len() > MAX_KEY {
            break;
        }
    }
    out.extend_from_slice(v);
    out.push(TERMINATOR);
}
fn put_item(d: &Datum, ty: Type, out: &mut Vec<u8>) -> Result<()> {
    if d.is_null() {
        out.push(NULL_LAST);
    } else {
        out.push(NOT_NULL);
        encode_value(d, ty, out)?;
    }
    if out.len() > MAX_KEY { Err(too_long(out.len())) } else { Ok(()) }
}
fn put_range(r: &Range, out: &mut Vec<u8>) -> Result<()> {
    if r.empty {
        out.push(RANGE_EMPTY);
        return Ok(());
    }
    out.push(RANGE);
    for (b, endless, upper) in [(&r.lower, ENDLESS_LOWER, false), (&r.upper, ENDLESS_UPPER, true)] {
        if b.is_endless() {
            out.push(endless);
        } else {
            out.push(BOUND);
            encode_value(&b.value, r.subtype(), out)?;
            out.push((b.inclusive == upper) as u8);
        }
    }
    Ok(())
}
fn put_jsonb(v: &Jsonb, top: bool, out: &mut Vec<u8>) {
    if out.len() > MAX_KEY {
        return; // refused or cut anyway
    }
    match v {
        Jsonb::Array(a) if top && a.is_empty() => out.push(0),
        Jsonb::Null => out.push(1),
        Jsonb::String(s) => {
            out.push(2);
            put_bytes(s.as_bytes(), out);
        }
        Jsonb::Number(n) => {
            out.push(3);
            n.encode_key(out);
        }
        Jsonb::Bool(b) => out.extend_from_slice(&[4, *b as u8]),
        Jsonb::Array(a) => {
            out.push(5);
            out.extend_from_slice(&(a.len() as u32).to_be_bytes());
            a.iter().for_each(|v| put_jsonb(v, false, out));
        }
        Jsonb::Object(o) => {
            out.push(6);
            out.extend_from_slice(&(o.len() as u32).to_be_bytes());
            for (k, v) in o {
                put_bytes(k.as_bytes(), out);
                put_jsonb(v, false, out);
            }
        }
    }
}

/// Reads a key, undoing DESC's complement byte by byte.
struct Reader<'a> {
    b: &'a [u8],
    flip: u8,
}
impl<'a> Reader<'a> {
    #[inline]
    fn byte(&mut self) -> Result<u8> {
        let Some((v, rest)) = self.b.split_first() else { return Err(corrupt()) };
        self.b = rest;
        Ok(*v ^ self.flip)
    }
    #[inline]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((v, rest)) = self.b.split_first_chunk::<N>() else { return Err(corrupt()) };
        self.b = rest;
        Ok(v.map(|b| b ^ self.flip))
    }
    fn drop(&mut self, n: usize) -> Result<()> {
        self.b = self.b.get(n..).ok_or_else(corrupt)?;
        Ok(())
    }
    fn i32(&mut self) -> Result<i32> {
        Ok((u32::from_be_bytes(self.fixed()?) ^ 1 << 31) as i32)
    }
    fn i64(&mut self) -> Result<i64> {
        Ok((u64::from_be_bytes(self.fixed()?) ^ 1 << 63) as i64)
    }
    fn bytes(&mut self) -> Result<Vec<u8>> {
        let end = self.b.iter().position(|b| *b ^ self.flip == TERMINATOR).ok_or_else(corrupt)?;
        let mut v = Vec::with_capacity(end);
        loop {
            match self.byte()? {
                TERMINATOR => return Ok(v),
                ESCAPE => match self.byte()? {
                    e @ (1 | 2) => v.push(e - 1),
                    _ => return Err(corrupt()),
                },
                b => v.push(b),
            }
        }
    }
    fn skip_bytes(&mut self) -> Result<()> {
        let end = self.b.iter().position(|b| *b ^ self.flip == TERMINATOR).ok_or_else(corrupt)?;
        self.drop(end + 1)
    }
    fn skip_numeric(&mut self) -> Result<()> {
        let class = self.byte()?;
        match Numeric::key_flip(class) {
            None => Ok(()),
            Some(flip) => {
                self.flip ^= flip;
                let extra = Numeric::key_exponent_extra(self.byte()?);
                self.drop(extra)?;
                self.skip_bytes()?;
                self.flip ^= flip;
                Ok(())
            }
        }
    }
    fn skip_jsonb(&mut self, depth: usize) -> Result<()> {
        if depth > MAX_NESTING {
            return Err(corrupt());
        }
        match self.byte()? {
            0 | 1 => Ok(()),
            2 => self.skip_bytes(),
            3 => self.skip_numeric(),
            4 => self.drop(1),
            5 => {
                for _ in 0..u32::from_be_bytes(self.fixed()?) {
                    self.skip_jsonb(depth + 1)?;
                }
                Ok(())
            }
            6 => {
                for _ in 0..u32::from_be_bytes(self.fixed()?) {
                    self.skip_bytes()?;
                    self.skip_jsonb(depth + 1)?;
                }
                Ok(())
            }
            _ => Err(corrupt()),
        }
    }
    /// A range behind its first byte.
    fn skip_range(&mut self, first: u8, sub: Type) -> Result<()> {
        match first {
            RANGE_EMPTY => return Ok(()),
            RANGE => {}
            _ => return Err(corrupt()),
        }
        for _ in 0..2 {
            match self.byte()? {
                ENDLESS_LOWER | ENDLESS_UPPER => {}
                BOUND => {
                    self.skip_value(sub, 1)?;
                    self.drop(1)?;
                }
                _ => return Err(corrupt()),
            }
        }
        Ok(())
    }
    fn range(&mut self, first: u8, ty: Oid, sub: Type) -> Result<Range> {
        match first {
            RANGE_EMPTY => return Ok(Range::empty(ty)),
            RANGE => {}
            _ => return Err(corrupt()),
        }
        let mut bound = |upper: bool| -> Result<Bound> {
            match self.byte()? {
                ENDLESS_LOWER if !upper => Ok(Bound::ENDLESS),
                ENDLESS_UPPER if upper => Ok(Bound::ENDLESS),
                BOUND => {
                    let value = self.value(sub, 1)?;
                    Ok(Bound { value, inclusive: (self.byte()? == 1) == upper })
                }
                _ => Err(corrupt()),
            }
        };
        let (lower, upper) = (bound(false)?, bound(true)?);
        Range::new(ty, lower, upper).map_err(|_| corrupt())
    }
    fn skip_value(&mut self, ty: Type, depth: usize) -> Result<()> {
        match ty.oid {
            oid::BOOL | oid::CHAR => self.drop(1),
            oid::INT2 => self.drop(2),
            oid::INT4 | oid::DATE | oid::FLOAT4 => self.drop(4),
            oid::INT8 | oid::MONEY | oid::TIME | oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::FLOAT8 => self.drop(8),
            oid::TIMETZ => self.drop(12),
            oid::INTERVAL => self.drop(10),
            oid::UUID => self.drop(16),
            oid::NUMERIC => self.skip_numeric(),
            oid::JSONB => self.skip_jsonb(0),
            oid::BYTEA | oid::TID | oid::INET | oid::CIDR => self.skip_bytes(),
            oid::BIT | oid::VARBIT => {
                self.skip_bytes()?;
                self.drop(4)
            }
            o if octets::width(o).is_some() || packed::is_packed(o) || o == oid::CITEXT => self.skip_bytes(),
            o if is_oidlike(o) => self.drop(4),
            o if oid::is_enum(o) => self.drop(8),
            _ if ty.is_stringlike() => self.skip_bytes(),
            o if let Some(sub) = range_key(o) => {
                let first = self.byte()?;
                self.skip_range(first, sub)
            }
            o if let Some(sub) = multirange_key(o) => loop {
                match self.byte()? {
                    TERMINATOR => return Ok(()),
                    first => self.skip_range(first, sub)?,
                }
            },
            _ => match ty.element() {
                Some(elem) if depth < MAX_NESTING => {
                    loop {
                        match self.byte()? {
                            TERMINATOR => break,
                            NOT_NULL => self.skip_value(elem, depth + 1)?,
                            NULL_LAST => {}
                            _ => return Err(corrupt()),
                        }
                    }
                    let ndim = self.byte()? as usize;
                    self.drop(8 * ndim)
                }
                // A record's key bytes do not say its fields' types.
                _ => Err(Error::unsupported(format!("index keys of type {}", crate::text::type_display(ty)))),
            },
        }
    }
    fn value(&mut self, ty: Type, depth: usize) -> Result<Datum> {
        Ok(match ty.oid {
            oid::BOOL => Datum::Bool(match self.byte()? {
                0 => false,
                1 => true,
                _ => return Err(corrupt()),
            }),
            oid::CHAR => Datum::Char(self.byte()?),
            oid::INT2 => Datum::Int2((u16::from_be_bytes(self.fixed()?) ^ 1 << 15) as i16),
            oid::INT4 => Datum::Int4(self.i32()?),
            oid::INT8 | oid::MONEY => Datum::Int8(self.i64()?),
            oid::DATE => Datum::Date(self.i32()?),
            oid::TIME => Datum::Time(self.i64()?),
            oid::TIMESTAMP => Datum::Timestamp(self.i64()?),
            oid::TIMESTAMPTZ => Datum::TimestampTz(self.i64()?),
            oid::UUID => Datum::Uuid(self.fixed()?),
            oid::BYTEA | oid::TID | oid::INET | oid::CIDR => Datum::Bytea(self.bytes()?.into()),
            oid::BIT | oid::VARBIT => {
                let bytes = self.bytes()?;
                let len = usize::try_from(self.i32()?).map_err(|_| corrupt())?;
                Bits::from_bytes(len, &bytes).ok_or_else(corrupt)?.into()
            }
            o if octets::width(o).is_some() || packed::is_packed(o) => Datum::Bytea(self.bytes()?.into()),
            o if is_oidlike(o) => Datum::Oid(u32::from_be_bytes(self.fixed()?)),
            o if oid::is_enum(o) => Datum::Enum(u64::from_be_bytes(self.fixed()?)),
            o if let Some(sub) = range_key(o) => {
                let first = self.byte()?;
                self.range(first, o, sub)?.into()
            }
            o if let Some(sub) = multirange_key(o) => {
                let mut ranges = Vec::new();
                loop {
                    match self.byte()? {
                        TERMINATOR => break,
                        first => ranges.push(self.range(first, oid::range_of_multirange(o).unwrap_or(0), sub)?),
                    }
                }
                Multirange { ty: o, ranges }.into()
            }
            _ if ty.is_stringlike() => Datum::Text(String::from_utf8(self.bytes()?).map_err(|_| corrupt())?.into()),
            _ => {
                let Some(elem) = ty.element().filter(|_| depth < MAX_NESTING) else { return Err(corrupt()) };
                let mut items = Vec::new();
                loop {
                    match self.byte()? {
                        TERMINATOR => break,
                        NOT_NULL => items.push(self.value(elem, depth + 1)?),
                        NULL_LAST => items.push(Datum::Null),
                        _ => return Err(corrupt()),
                    }
                }
                let ndim = self.byte()? as usize;
                if ndim > crate::array::MAX_DIM {
                    return Err(corrupt());
                }
                let mut dims = vec![(0, 0); ndim];
                for d in &mut dims {
                    d.0 = self.i32()?;
                }
                for d in &mut dims {
                    d.1 = self.i32()?;
                }
                let count =
                    dims.iter().try_fold(usize::from(ndim > 0), |n, d| n.checked_mul(usize::try_from(d.0).ok()?));
                if count != Some(items.len()) {
                    return Err(corrupt());
                }
                Datum::Array(Arc::new(crate::array::Array { elem: elem.oid, dims, items }))
            }
        })
    }
}

/// The subtype of a range type; of a multirange type.
fn range_key(o: Oid) -> Option<Type> {
    oid::range_subtype(o).map(Type::new)
}
fn multirange_key(o: Oid) -> Option<Type> {
    oid::range_of_multirange(o).and_then(range_key)
}
/// Reads the marker: true for a value, false for NULL.
#[inline]
fn marker(b: &[u8]) -> Result<(bool, &[u8])> {
    match b.split_first() {
        Some((&NOT_NULL, rest)) => Ok((true, rest)),
        Some((&(NULL_FIRST | NULL_LAST), rest)) => Ok((false, rest)),
        _ => Err(corrupt()),
    }
}

/// Decodes one column and returns the rest. Only for types where [`is_decodable`].
pub fn decode(b: &[u8], ty: Type, ord: KeyOrder) -> Result<(Datum, &[u8])> {
    if !is_decodable(ty) {
        return Err(Error::internal(format!("key of type {} cannot be decoded", crate::text::type_display(ty))));
    }
    let (value, b) = marker(b)?;
    if !value {
        return Ok((Datum::Null, b));
    }
    let mut r = Reader { b, flip: if ord.desc { 0xff } else { 0 } };
    let d = r.value(ty, 0)?;
    Ok((d, r.b))
}
/// Skips one column whatever its type (0A000 for records, whose key does not tell the fields' types).
pub fn skip(b: &[u8], ty: Type, ord: KeyOrder) -> Result<&[u8]> {
    let (value, b) = marker(b)?;
    if !value {
        return Ok(b);
    }
    let mut r = Reader { b, flip: if ord.desc { 0xff } else { 0 } };
    r.skip_value(ty, 0)?;
    Ok(r.b)
}
/// False where equality is not identity (numeric, float, interval, bpchar, jsonb, timetz): the entry then stores the datum beside the key.
pub fn is_decodable(ty: Type) -> bool {
    match ty.oid {
        oid::BOOL
        | oid::CHAR
        | oid::INT2
        | oid::INT4
        | oid::INT8
        | oid::MONEY
        | oid::DATE
        | oid::TIME
        | oid::TIMESTAMP
        | oid::TIMESTAMPTZ
        | oid::UUID
        | oid::BYTEA
        | oid::TID
        | oid::INET
        | oid::CIDR
        | oid::BIT
        | oid::VARBIT
        | oid::TEXT
        | oid::VARCHAR
        | oid::NAME => true,
        o if is_oidlike(o) || oid::is_enum(o) || octets::width(o).is_some() || packed::is_ordered(o) => true,
        o if let Some(sub) = range_key(o).or_else(|| multirange_key(o)) => is_decodable(sub),
        _ => ty.element().is_some_and(|e| e.oid != ty.oid && is_decodable(e)),
    }
}
/// False for types without a default B-tree operator class (json, ...).
pub fn is_orderable(ty: Type) -> bool {
    match ty.oid {
        oid::XID | oid::CID | oid::INT2VECTOR => false,
        oid::BPCHAR
        | oid::NUMERIC
        | oid::FLOAT4
        | oid::FLOAT8
        | oid::INTERVAL
        | oid::TIMETZ
        | oid::JSONB
        | oid::CITEXT
        | oid::RECORD
        | oid::OIDVECTOR => true,
        o if oid::is_composite(o) => true,
        _ if is_decodable(ty) => true,
        o if range_key(o).or_else(|| multirange_key(o)).is_some() => true,
        _ => ty.element().is_some_and(is_orderable),
    }
}
/// Turns `key` into the smallest byte string greater than every key that starts with it; false if there is none.
pub fn prefix_successor(key: &mut Vec<u8>) -> bool {
    while let Some(last) = key.last_mut() {
        if *last < 0xff {
            *last += 1;
            return true;
        }
        key.pop();
    }
    false
}
