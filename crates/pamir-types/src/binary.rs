//! PostgreSQL's binary wire formats (each type's send / recv function), without the length word.
//!
//! ```text
//! numeric   ndigits i16 | weight i16 | sign u16 | dscale u16 | digits i16 x ndigits      (base 10000)
//! interval  micros i64 | days i32 | months i32
//! timetz    micros i64 | zone i32 (seconds west)
//! jsonb     version 1 | text
//! array     ndim i32 | has nulls i32 | element oid u32 | (length i32, lower bound i32) x ndim | items
//! record    fields i32 | (type oid u32 | item) x fields            item: length i32 (-1 NULL) | bytes
//! ```
//! All big-endian. The decoder trusts no length: whatever a message claims is checked against the bytes at hand before
//! anything is allocated for it.
use crate::array::{Array, MAX_DIM};
use crate::bits::Bits;
use crate::datetime::{self, Interval, USECS_PER_DAY};
use crate::json::{self, Jsonb};
use crate::multirange::Multirange;
use crate::network::{self, Inet};
use crate::numeric::Numeric;
use crate::range::Range;
use crate::row::is_oidlike;
use crate::user::Types;
use crate::xid_snapshot::Snapshot;
use crate::{Datum, Error, Oid, Result, Type, bail, encoding, err, long, octets, oid, packed, text, xml};
use std::sync::Arc;

/// jsonb's format version.
const JSONB_VERSION: u8 = 1;
const JSONPATH_VERSION: u8 = 1;
/// Seconds an explicit zone may lie from UTC (TZDISP_LIMIT, exclusive).
const ZONE_LIMIT: i32 = 16 * 3600;

#[cold]
fn insufficient() -> Error {
    err!(PROTOCOL_VIOLATION, "insufficient data left in message")
}
#[cold]
fn leftover() -> Error {
    err!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format")
}

/// Takes fields off the front of a message.
struct Reader<'a>(&'a [u8]);
impl<'a> Reader<'a> {
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((v, rest)) = self.0.split_first_chunk::<N>() else { return Err(insufficient()) };
        self.0 = rest;
        Ok(*v)
    }
    fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.fixed()?))
    }
    fn i64(&mut self) -> Result<i64> {
        Ok(i64::from_be_bytes(self.fixed()?))
    }
    fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        let Some((v, rest)) = self.0.split_at_checked(n) else { return Err(insufficient()) };
        self.0 = rest;
        Ok(v)
    }
}

/// 22P03 on bad lengths or contents; never allocates what a length merely claims.
pub fn decode(b: &[u8], ty: Type) -> Result<Datum> {
    decode_nested(b, ty, None, 0)
}
/// As [`decode`], with what users' types are.
pub fn decode_with(b: &[u8], ty: Type, types: Option<&dyn Types>) -> Result<Datum> {
    decode_nested(b, ty, types, 0)
}

fn decode_nested(b: &[u8], ty: Type, types: Option<&dyn Types>, depth: usize) -> Result<Datum> {
    let mut r = Reader(b);
    let d = match ty.oid {
        oid::INT4 => Datum::Int4(r.i32()?),
        oid::INT8 | oid::MONEY => Datum::Int8(r.i64()?),
        oid::INT2 => Datum::Int2(i16::from_be_bytes(r.fixed()?)),
        oid::BOOL => Datum::Bool(r.fixed::<1>()?[0] != 0),
        oid::FLOAT4 => Datum::Float4(f32::from_be_bytes(r.fixed()?)),
        oid::FLOAT8 => Datum::Float8(f64::from_be_bytes(r.fixed()?)),
        oid::CHAR => Datum::Char(r.fixed::<1>()?[0]),
        oid::UUID => Datum::Uuid(r.fixed()?),
        oid::VARCHAR => return Ok(Datum::Text(text::apply_varchar(utf8(b)?, ty.typmod)?.into())),
        oid::BPCHAR => return Ok(Datum::Text(text::apply_bpchar(utf8(b)?, ty.typmod)?)),
        oid::TEXT | oid::UNKNOWN | oid::CSTRING | oid::PG_NODE_TREE | oid::REFCURSOR => {
            return Ok(Datum::Text(long::shared(&encoding::utf8_text(b)?)?));
        }
        oid::NAME => {
            let s = utf8(b)?;
            if s.len() > text::MAX_NAME {
                return Err(err!(NAME_TOO_LONG, "identifier too long")
                    .detail(format!("Identifier must be less than {} characters.", text::MAX_NAME + 1)));
            }
            return Ok(Datum::Text(s.into()));
        }
        oid::JSON => {
            let s = utf8(b)?;
            json::validate(s)?;
            return Ok(Datum::Text(s.into()));
        }
        oid::XML => return Ok(Datum::Text(xml::decode(b)?)),
        oid::JSONB => {
            let [version] = r.fixed::<1>()?;
            if version != JSONB_VERSION {
                bail!(INTERNAL_ERROR, "unsupported jsonb version number {version}");
            }
            return Ok(Datum::Jsonb(Arc::new(Jsonb::parse(utf8(r.0)?)?)));
        }
        oid::JSONPATH => {
            let [version] = r.fixed::<1>()?;
            if version != JSONPATH_VERSION {
                bail!(INTERNAL_ERROR, "unsupported jsonpath version number: {version}");
            }
            return Ok(Datum::Text(crate::jsonpath::normalize(utf8(r.0)?)?.into()));
        }
        oid::PG_SNAPSHOT | oid::TXID_SNAPSHOT => {
            return Ok(Datum::Text(Snapshot::decode(b)?.text().into()));
        }
        oid::BYTEA => return Ok(Datum::Bytea(b.into())),
        oid::TID => return Ok(Datum::Bytea(crate::tid::decode(b)?.into())),
        oid::NUMERIC => {
            let (n, rest) = decode_numeric(r.0)?;
            r.0 = rest;
            Datum::Numeric(n.apply_typmod(ty.typmod)?)
        }
        oid::DATE => Datum::Date(datetime::check_date(r.i32()?)?),
        oid::TIME => Datum::Time(datetime::apply_time_typmod(time_in_range(r.i64()?)?, ty.typmod)),
        oid::TIMETZ => {
            let t = time_in_range(r.i64()?)?;
            let zone = r.i32()?;
            if zone <= -ZONE_LIMIT || zone >= ZONE_LIMIT {
                bail!(INVALID_TIME_ZONE_DISPLACEMENT, "time zone displacement out of range");
            }
            Datum::TimeTz(datetime::apply_time_typmod(t, ty.typmod), zone)
        }
        oid::TIMESTAMP => {
            Datum::Timestamp(datetime::apply_time_typmod(datetime::check_timestamp(r.i64()?)?, ty.typmod))
        }
        oid::TIMESTAMPTZ => {
            Datum::TimestampTz(datetime::apply_time_typmod(datetime::check_timestamp(r.i64()?)?, ty.typmod))
        }
        oid::INTERVAL => {
            let v = Interval { micros: r.i64()?, days: r.i32()?, months: r.i32()? };
            Datum::Interval(datetime::apply_interval_typmod(v, ty.typmod)?)
        }
        o if is_oidlike(o) => Datum::Oid(u32::from_be_bytes(r.fixed()?)),
        oid::RECORD => decode_record(&mut r, None, types, depth)?,
        oid::VOID => Datum::Text("".into()),
        oid::BIT | oid::VARBIT => {
            let Ok(len) = usize::try_from(r.i32()?) else {
                bail!(INVALID_BINARY_REPRESENTATION, "invalid length in external bit string")
            };
            let bits = Bits::from_bytes(len, r.bytes(len.div_ceil(8))?).ok_or_else(insufficient)?;
            bits.apply_typmod(ty, false)?.into()
        }
        oid::INET | oid::CIDR => return Ok(Datum::Bytea(Inet::decode(b, ty.oid)?.pack().into())),
        oid::MACADDR8 if b.len() == 6 => {
            let b = r.bytes(6)?;
            Datum::Bytea([&b[..3], &[0xff, 0xfe], &b[3..]].concat().into())
        }
        o if let Some(n) = octets::width(o) => Datum::Bytea(r.bytes(n)?.into()),
        oid::CITEXT => return Ok(crate::citext::Citext::new(utf8(b)?.into()).into()),
        o if packed::is_packed(o) => return Ok(Datum::Bytea(packed::decode(b, o)?.into())),
        o if oid::range_subtype(o).is_some() => decode_range(&mut r, o, depth)?.into(),
        o if oid::range_of_multirange(o).is_some() => decode_multirange(&mut r, o, depth)?.into(),
        _ => match ty.element() {
            Some(elem) => {
                let mut a = decode_array(&mut r, elem, types, depth)?;
                if let Some(base) = types.filter(|_| oid::is_domain(elem.oid)).and_then(|t| t.base(elem.oid)) {
                    a.elem = base.oid;
                }
                Datum::Array(Arc::new(a))
            }
            None if oid::is_user(ty.oid)
                && let Some(types) = types =>
            {
                return decode_user(b, ty, types, depth);
            }
            None => bail!(UNDEFINED_FUNCTION, "no binary input function available for type {}", text::type_display(ty)),
        },
    };
    if r.0.is_empty() { Ok(d) } else { Err(leftover()) }
}

fn utf8(b: &[u8]) -> Result<&str> {
    match std::str::from_utf8(b) {
        Ok(s) if !b.contains(&0) => Ok(s),
        Ok(_) => bail!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\": 0x00"),
        Err(e) => {
            let bad = b[e.valid_up_to()..].iter().take(e.error_len().unwrap_or(1).max(1));
            let hex = bad.map(|b| format!("0x{b:02x}")).collect::<Vec<_>>().join(" ");
            bail!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\": {hex}")
        }
    }
}

fn time_in_range(t: i64) -> Result<i64> {
    if !(0..=USECS_PER_DAY).contains(&t) {
        bail!(DATETIME_FIELD_OVERFLOW, "time out of range");
    }
    Ok(t)
}

fn decode_numeric(b: &[u8]) -> Result<(Numeric, &[u8])> {
    let mut r = Reader(b);
    let ndigits = u16::from_be_bytes(r.fixed()?) as usize;
    let weight = i16::from_be_bytes(r.fixed()?);
    let sign = u16::from_be_bytes(r.fixed()?);
    let dscale = u16::from_be_bytes(r.fixed()?);
    let digits = r.bytes(2 * ndigits)?;
    Ok((Numeric::from_wire(weight, sign, dscale, digits)?, r.0))
}

/// A value of a user's type; a domain's is one of what it is over, its checks are the caller's.
fn decode_user(b: &[u8], ty: Type, types: &dyn Types, depth: usize) -> Result<Datum> {
    if depth > crate::record::DEEPEST {
        bail!(STATEMENT_TOO_COMPLEX, "values are nested too deeply");
    }
    if oid::is_enum(ty.oid) {
        return crate::user::enum_value(utf8(b)?, ty.oid, types).map(Datum::Enum);
    }
    if let Some(base) = types.base(ty.oid) {
        return decode_nested(b, base, Some(types), depth + 1);
    }
    if let (Some(stored), Some(declared)) = (types.fields(ty.oid), types.declared(ty.oid)) {
        let mut r = Reader(b);
        let fields: Vec<_> = std::iter::zip(stored, declared).collect();
        let d = decode_record(&mut r, Some(&fields), Some(types), depth)?;
        return if r.0.is_empty() { Ok(d) } else { Err(leftover()) };
    }
    bail!(UNDEFINED_FUNCTION, "no binary input function available for type {}", text::type_display(ty))
}

/// The first OID that is of no type of every server.
const FIRST_OTHER: Oid = 10_000;
/// Whether a message's type is certainly another one than is expected: users' types have other OIDs at other servers.
fn differs(wire: Oid, expected: Oid) -> bool {
    wire != expected && wire < FIRST_OTHER && expected < FIRST_OTHER
}

/// One length-prefixed item.
fn decode_item(r: &mut Reader, ty: Type, types: Option<&dyn Types>, depth: usize) -> Result<Datum> {
    let len = r.i32()?;
    if len == -1 {
        return Ok(Datum::Null);
    }
    let Ok(len) = usize::try_from(len) else { return Err(insufficient()) };
    if len > r.0.len() {
        return Err(insufficient());
    }
    decode_nested(r.bytes(len)?, ty, types, depth + 1)
}

fn decode_array(r: &mut Reader, elem: Type, types: Option<&dyn Types>, depth: usize) -> Result<Array> {
    if depth > crate::record::DEEPEST {
        bail!(STATEMENT_TOO_COMPLEX, "arrays are nested too deeply");
    }
    let ndim = r.i32()?;
    if ndim < 0 {
        bail!(INVALID_BINARY_REPRESENTATION, "invalid number of dimensions: {ndim}");
    }
    if ndim as usize > MAX_DIM {
        bail!(PROGRAM_LIMIT_EXCEEDED, "number of array dimensions ({ndim}) exceeds the maximum allowed ({MAX_DIM})");
    }
    let flags = r.i32()?;
    if flags != 0 && flags != 1 {
        bail!(INVALID_BINARY_REPRESENTATION, "invalid array flags");
    }
    let wire_elem = u32::from_be_bytes(r.fixed()?);
    if differs(wire_elem, elem.oid) {
        bail!(
            DATATYPE_MISMATCH,
            "binary data has array element type {wire_elem} ({}) instead of expected {} ({})",
            text::type_named(wire_elem),
            elem.oid,
            text::type_named(elem.oid)
        );
    }
    let mut dims = Vec::with_capacity(ndim as usize);
    let mut count = usize::from(ndim > 0);
    for _ in 0..ndim {
        let len = r.i32()?;
        let lower = r.i32()?;
        crate::array::check_bounds(len, lower)?;
        count = crate::array::checked_count(count, len)?;
        dims.push((len, lower));
    }
    if count == 0 {
        return Ok(Array { elem: elem.oid, dims: Vec::new(), items: Vec::new() });
    }
    // Every item takes at least its length word.
    if count > r.0.len() / 4 {
        return Err(insufficient());
    }
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(decode_item(r, elem, types, depth)?);
    }
    Ok(Array { elem: elem.oid, dims, items })
}

/// A field of a composite type: as it is stored, and as it was declared.
type Named = (Type, Type);

/// `named`: the fields of a named composite type, which the message must have.
fn decode_record(r: &mut Reader, named: Option<&[Named]>, types: Option<&dyn Types>, depth: usize) -> Result<Datum> {
    if depth > crate::record::DEEPEST {
        bail!(STATEMENT_TOO_COMPLEX, "records are nested too deeply");
    }
    let count = r.i32()?;
    let count = usize::try_from(count).map_err(|_| leftover())?;
    if count > r.0.len() / 8 {
        return Err(insufficient());
    }
    if let Some(named) = named {
        return decode_fields(r, count, named, types, depth);
    }
    let mut fields = Vec::with_capacity(count);
    for _ in 0..count {
        let ty = Type::new(Oid::from_be_bytes(r.fixed()?));
        fields.push((ty, decode_item(r, ty, types, depth)?));
    }
    Datum::record(fields)
}

fn decode_fields(
    r: &mut Reader,
    count: usize,
    named: &[Named],
    types: Option<&dyn Types>,
    depth: usize,
) -> Result<Datum> {
    if count != named.len() {
        bail!(DATATYPE_MISMATCH, "wrong number of columns: {count}, expected {}", named.len());
    }
    let mut fields = Vec::with_capacity(named.len());
    for (i, (ty, declared)) in named.iter().enumerate() {
        let wire = Oid::from_be_bytes(r.fixed()?);
        if differs(wire, declared.oid) {
            bail!(
                DATATYPE_MISMATCH,
                "binary data has type {wire} ({}) instead of expected {} ({}) in record column {}",
                text::type_named(wire),
                declared.oid,
                text::type_named(declared.oid),
                i + 1
            );
        }
        fields.push((*ty, decode_item(r, *ty, types, depth)?));
    }
    Datum::record(fields)
}

/// range_recv: flags, then each bound that has a value by its length.
fn decode_range(r: &mut Reader, ty: Oid, depth: usize) -> Result<Range> {
    let [flags] = r.fixed()?;
    let sub = Type::new(oid::range_subtype(ty).unwrap_or(oid::UNKNOWN));
    Range::from_flags(ty, flags & Range::FLAGS, || match decode_item(r, sub, None, depth)? {
        Datum::Null => Err(insufficient()),
        d => Ok(d),
    })
}
/// multirange_recv: how many ranges, then each by its length.
fn decode_multirange(r: &mut Reader, ty: Oid, depth: usize) -> Result<Multirange> {
    let count = u32::from_be_bytes(r.fixed()?) as usize;
    if count > r.0.len() / 4 {
        return Err(insufficient());
    }
    let range = oid::range_of_multirange(ty).unwrap_or(0);
    let mut ranges = Vec::with_capacity(count);
    for _ in 0..count {
        let len = usize::try_from(r.i32()?).map_err(|_| insufficient())?;
        if len > r.0.len() {
            return Err(insufficient());
        }
        let mut one = Reader(r.bytes(len)?);
        ranges.push(decode_range(&mut one, range, depth)?);
        if !one.0.is_empty() {
            return Err(leftover());
        }
    }
    Multirange::new(ty, ranges)
}
fn encode_range(r: &Range, out: &mut Vec<u8>) {
    out.push(r.flags());
    r.values().for_each(|d| encode_item(d, r.subtype(), None, out));
}

/// `d` must not be Null.
pub fn encode(d: &Datum, ty: Type, out: &mut Vec<u8>) {
    encode_with(d, ty, None, out)
}
/// As [`encode`], with what users' types are: an enum's binary form is its label.
pub fn encode_with(d: &Datum, ty: Type, types: Option<&dyn Types>, out: &mut Vec<u8>) {
    match d {
        Datum::Null => {}
        Datum::Bool(v) => out.push(*v as u8),
        Datum::Int2(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Int4(v) | Datum::Date(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Int8(v) | Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => {
            out.extend_from_slice(&v.to_be_bytes())
        }
        Datum::Float4(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Float8(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Numeric(v) => v.to_wire(out),
        Datum::Text(v) if ty.oid == oid::JSONPATH => {
            out.push(JSONPATH_VERSION);
            out.extend_from_slice(v.as_bytes());
        }
        Datum::Text(v) if matches!(ty.oid, oid::PG_SNAPSHOT | oid::TXID_SNAPSHOT) => {
            if let Ok(s) = Snapshot::parse(v) {
                s.encode(out);
            }
        }
        Datum::Text(v) if ty.oid == oid::XML => xml::format(v, out),
        Datum::Text(v) => out.extend_from_slice(v.as_bytes()),
        Datum::Bytea(v) if ty.oid == oid::TID => crate::tid::encode(v, out),
        Datum::Bytea(v) if network::is_network(ty.oid) => {
            if let Some(v) = Inet::unpack(v) {
                v.encode(ty.oid, out);
            }
        }
        Datum::Bytea(v) if packed::is_packed(ty.oid) => packed::encode(v, ty.oid, out),
        Datum::Bytea(v) => out.extend_from_slice(v),
        Datum::TimeTz(t, z) => {
            out.extend_from_slice(&t.to_be_bytes());
            out.extend_from_slice(&z.to_be_bytes());
        }
        Datum::Interval(v) => {
            out.extend_from_slice(&v.micros.to_be_bytes());
            out.extend_from_slice(&v.days.to_be_bytes());
            out.extend_from_slice(&v.months.to_be_bytes());
        }
        Datum::Uuid(v) => out.extend_from_slice(v),
        Datum::Jsonb(v) => {
            out.push(JSONB_VERSION);
            v.format(out);
        }
        Datum::Oid(v) => out.extend_from_slice(&v.to_be_bytes()),
        Datum::Char(v) => out.push(*v),
        Datum::Enum(v) => match types.and_then(|t| t.label(ty.oid, *v)) {
            Some(label) => out.extend_from_slice(label.as_bytes()),
            None => crate::number_text::format_int(*v as i64, out),
        },
        Datum::Array(a) => {
            out.extend_from_slice(&(a.dims.len() as i32).to_be_bytes());
            out.extend_from_slice(&(a.items.iter().any(Datum::is_null) as i32).to_be_bytes());
            let declared = |e: &Type| e.oid == a.elem || oid::is_domain(e.oid);
            let elem = ty.element().filter(declared).unwrap_or(Type::new(a.elem));
            out.extend_from_slice(&elem.oid.to_be_bytes());
            for (len, lower) in &a.dims {
                out.extend_from_slice(&len.to_be_bytes());
                out.extend_from_slice(&lower.to_be_bytes());
            }
            let elem = stored(elem, types);
            a.items.iter().for_each(|item| encode_item(item, elem, types, out));
        }
        Datum::Bits(b) => {
            out.extend_from_slice(&(b.len() as i32).to_be_bytes());
            out.extend_from_slice(b.bytes());
        }
        Datum::Citext(v) => out.extend_from_slice(v.text.as_bytes()),
        Datum::Range(r) => encode_range(r, out),
        Datum::Multirange(m) => {
            out.extend_from_slice(&(m.ranges.len() as u32).to_be_bytes());
            for r in &m.ranges {
                let at = out.len();
                out.extend_from_slice(&[0; 4]);
                encode_range(r, out);
                let len = (out.len() - at - 4) as u32;
                out[at..at + 4].copy_from_slice(&len.to_be_bytes());
            }
        }
        Datum::Record(fields) => {
            out.extend_from_slice(&(fields.len() as i32).to_be_bytes());
            let declared = types.and_then(|t| t.declared(ty.oid)).filter(|t| t.len() == fields.len());
            for (i, (ty, d)) in fields.iter().enumerate() {
                let ty = declared.as_ref().map_or(*ty, |t| t[i]);
                out.extend_from_slice(&ty.oid.to_be_bytes());
                encode_item(d, stored(ty, types), types, out);
            }
        }
    }
}

/// Of a domain what it is over.
fn stored(ty: Type, types: Option<&dyn Types>) -> Type {
    if oid::is_domain(ty.oid) { types.and_then(|t| t.base(ty.oid)).unwrap_or(ty) } else { ty }
}

fn encode_item(d: &Datum, ty: Type, types: Option<&dyn Types>, out: &mut Vec<u8>) {
    let at = out.len();
    out.extend_from_slice(&(-1i32).to_be_bytes());
    if !d.is_null() {
        encode_with(d, ty, types, out);
        let len = (out.len() - at - 4) as i32;
        out[at..at + 4].copy_from_slice(&len.to_be_bytes());
    }
}
