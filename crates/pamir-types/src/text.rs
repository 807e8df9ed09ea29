//! PostgreSQL's text formats: every type's input and output function.
//!
//! [`parse`] and [`format`] dispatch on the type; numbers, booleans, strings and OIDs are done here, the rest in the
//! modules of their types. Input functions give PostgreSQL's own messages (22P02 for syntax, 22003 for range, 22001 for
//! length); output never fails and appends to a caller's buffer, so a result row costs no allocation.
//!
//! Nested values (arrays, records) use the same functions for their items; the quoting rules are those of array_out
//! and record_out.
use crate::array::Array;
use crate::bits::Bits;
use crate::datetime::{self, DateTimeStyle, ParseCtx};
use crate::encoding::{self, Encoding};
use crate::json::{self, Jsonb};
use crate::multirange::Multirange;
use crate::network::{self, Inet};
use crate::number_text::*;
pub use crate::number_text::{format_f32, format_f64, format_int, parse_f32, parse_f64};
use crate::numeric::Numeric;
use crate::range::Range;
use crate::row::is_oidlike;
use crate::{Datum, Error, Oid, Result, Type, bail, octets, oid, packed, tsconfig, xml};
use std::io::Write;
use std::sync::Arc;

/// Session settings that text forms depend on.
#[derive(Clone)]
pub struct TextCtx {
    pub dt: DateTimeStyle,
    /// 'escape' instead of hex bytea output
    pub bytea_escape: bool,
    /// extra_float_digits (1: shortest exact; <= 0: that many fewer digits)
    pub extra_float_digits: i32,
    /// client_encoding
    pub encoding: Encoding,
    /// transaction start, microseconds since 2000-01-01 UTC
    pub now: i64,
    /// Names of what the reg* types point to; without it they print as numbers.
    pub names: Option<Arc<dyn RegNames>>,
    /// What users' types are; without it none of their values is read.
    pub types: Option<Arc<dyn crate::user::Types>>,
    /// xmloption: what the texts of xml are to be.
    pub xml_part: xml::Part,
}
/// The output functions of regclass, regtype and their like, which need a catalog.
pub trait RegNames: Send + Sync {
    /// What a value of the reg* type `ty` prints as.
    fn name(&self, ty: Oid, value: Oid) -> String;
}
impl Default for TextCtx {
    fn default() -> Self {
        TextCtx {
            dt: DateTimeStyle::default(),
            bytea_escape: false,
            extra_float_digits: 1,
            encoding: encoding::UTF8,
            now: 0,
            names: None,
            types: None,
            xml_part: xml::Part::Content,
        }
    }
}

/// Bytes of a name; what is longer is cut (PostgreSQL's NAMEDATALEN less one).
pub const MAX_NAME: usize = 63;
/// What typmods of varchar and bpchar add to the length (VARHDRSZ).
const TYPMOD_HEADER: i32 = 4;
/// The most characters that a type of text may be declared with (MaxAttrSize).
pub const MAX_LENGTH: i32 = 10_485_760;

/// The input function of `ty`, its typmod applied (varchar(n) 22001, bpchar padding, numeric rounding...).
/// reg* types take digits only here (names are looked up by pamir-sql).
pub fn parse(s: &str, ty: Type, cx: &TextCtx) -> Result<Datum> {
    parse_nested(s, ty, cx, 0)
}
pub(crate) fn parse_nested(s: &str, ty: Type, cx: &TextCtx, depth: usize) -> Result<Datum> {
    let dt = || ParseCtx { style: &cx.dt, now: cx.now };
    Ok(match ty.oid {
        oid::TEXT | oid::UNKNOWN | oid::CSTRING | oid::PG_NODE_TREE | oid::ACLITEM | oid::REFCURSOR => {
            Datum::Text(crate::long::shared(s)?)
        }
        oid::VARCHAR => Datum::Text(crate::long::shared(apply_varchar(s, ty.typmod)?)?),
        oid::BPCHAR => Datum::Text(apply_bpchar(s, ty.typmod)?),
        oid::NAME => Datum::Text(cut_name(s).into()),
        oid::INT2 => Datum::Int2(parse_int(s, "smallint", i16::MIN as i64, i16::MAX as i64)? as i16),
        oid::INT4 => Datum::Int4(parse_int(s, "integer", i32::MIN as i64, i32::MAX as i64)? as i32),
        oid::INT8 => Datum::Int8(parse_int(s, "bigint", i64::MIN, i64::MAX)?),
        oid::BOOL => Datum::Bool(parse_bool(s)?),
        oid::FLOAT4 => Datum::Float4(parse_f32(s)?),
        oid::FLOAT8 => Datum::Float8(parse_f64(s)?),
        oid::NUMERIC => Datum::Numeric(Numeric::parse(s)?.apply_typmod(ty.typmod)?),
        oid::BYTEA => Datum::Bytea(crate::bytea::parse(s)?.into()),
        oid::TID => Datum::Bytea(crate::tid::parse(s)?.into()),
        oid::DATE => Datum::Date(datetime::parse_date(s, &dt())?),
        oid::TIME => Datum::Time(datetime::parse_time(s, ty.typmod, &dt())?),
        oid::TIMETZ => {
            let (t, z) = datetime::parse_timetz(s, ty.typmod, &dt())?;
            Datum::TimeTz(t, z)
        }
        oid::TIMESTAMP => Datum::Timestamp(datetime::parse_timestamp(s, ty.typmod, &dt())?),
        oid::TIMESTAMPTZ => Datum::TimestampTz(datetime::parse_timestamptz(s, ty.typmod, &dt())?),
        oid::INTERVAL => Datum::Interval(datetime::parse_interval_styled(s, ty.typmod, cx.dt.interval_style)?),
        oid::UUID => Datum::Uuid(crate::uuid::parse(s)?),
        oid::JSON => {
            json::validate(s)?;
            Datum::Text(s.into())
        }
        oid::XML => {
            xml::check(s, cx.xml_part)?;
            Datum::Text(crate::long::shared(s)?)
        }
        oid::JSONPATH => Datum::Text(crate::jsonpath::normalize(s)?.into()),
        oid::MONEY => Datum::Int8(crate::money::parse(s)?),
        oid::PG_SNAPSHOT | oid::TXID_SNAPSHOT => Datum::Text(crate::xid_snapshot::Snapshot::parse(s)?.text().into()),
        oid::JSONB => Datum::Jsonb(Arc::new(Jsonb::parse(s)?)),
        oid::CHAR => Datum::Char(parse_char(s)),
        oid::INT2VECTOR => parse_vector(s, ty, oid::INT2, cx)?,
        oid::OIDVECTOR => parse_vector(s, ty, oid::OID, cx)?,
        oid::REGCONFIG | oid::REGDICTIONARY => Datum::Oid(tsconfig::parse(ty.oid, s)?),
        o if is_oidlike(o) => Datum::Oid(parse_oid(s, o)?),
        oid::RECORD => bail!(FEATURE_NOT_SUPPORTED, "input of anonymous composite types is not implemented"),
        oid::VOID => Datum::Text("".into()),
        oid::ANY
        | oid::ANYELEMENT
        | oid::ANYARRAY
        | oid::ANYNONARRAY
        | oid::INTERNAL
        | oid::INDEX_AM_HANDLER
        | oid::TABLE_AM_HANDLER
        | oid::TRIGGER
        | oid::EVENT_TRIGGER
        | oid::ANYENUM
        | oid::ANYRANGE
        | oid::ANYMULTIRANGE => {
            bail!(FEATURE_NOT_SUPPORTED, "cannot accept a value of type {}", type_display(ty))
        }
        oid::BIT | oid::VARBIT => Bits::parse(s, ty)?.into(),
        oid::INET | oid::CIDR => Datum::Bytea(Inet::parse(s, ty.oid)?.pack().into()),
        o if octets::width(o).is_some() => Datum::Bytea(octets::parse(s, o)?.into()),
        oid::CITEXT => crate::citext::Citext::new(crate::long::shared(s)?).into(),
        o if packed::is_packed(o) => Datum::Bytea(packed::parse(s, o)?.into()),
        o if oid::range_subtype(o).is_some() => parse_range(s, o, cx)?.into(),
        o if oid::range_of_multirange(o).is_some() => {
            let range = oid::range_of_multirange(o).unwrap_or(0);
            Multirange::parse(s, o, &mut |r| parse_range(r, range, cx))?.into()
        }
        _ => match ty.element() {
            Some(elem) => {
                // An array of a domain holds what the domain is over.
                let stored =
                    if oid::is_domain(elem.oid) { cx.types.as_ref().and_then(|t| t.base(elem.oid)) } else { None };
                let stored = stored.map_or(elem.oid, |t| t.oid);
                Datum::Array(Arc::new(Array::parse(s, stored, &mut |item| parse_nested(item, elem, cx, depth))?))
            }
            None if oid::is_user(ty.oid) => crate::user::parse(s, ty, cx, depth)?,
            None => return Err(Error::unsupported(format!("type {}", type_display(ty)))),
        },
    })
}

fn parse_range(s: &str, ty: Oid, cx: &TextCtx) -> Result<Range> {
    let sub = Type::new(oid::range_subtype(ty).unwrap_or(oid::UNKNOWN));
    Range::parse(s, ty, &mut |item| parse(item, sub, cx))
}

/// The output function of `ty`. `d` must not be Null.
pub fn format(d: &Datum, ty: Type, cx: &TextCtx, out: &mut Vec<u8>) {
    match d {
        Datum::Null => {}
        Datum::Bool(v) => out.push(if *v { b't' } else { b'f' }),
        Datum::Int2(v) => format_int(*v as i64, out),
        Datum::Int4(v) => format_int(*v as i64, out),
        Datum::Int8(v) if ty.oid == oid::MONEY => crate::money::format(*v, out),
        Datum::Int8(v) => format_int(*v, out),
        Datum::Float4(v) => format_f32(*v, cx.extra_float_digits, out),
        Datum::Float8(v) => format_f64(*v, cx.extra_float_digits, out),
        Datum::Numeric(v) => v.format(out),
        Datum::Text(v) if ty.oid == oid::XML => xml::format(v, out),
        Datum::Text(v) => out.extend_from_slice(v.as_bytes()),
        Datum::Bytea(v) if ty.oid == oid::TID => crate::tid::format(v, out),
        Datum::Bytea(v) if network::is_network(ty.oid) => {
            if let Some(v) = Inet::unpack(v) {
                out.extend_from_slice(if ty.oid == oid::CIDR { v.full() } else { v.short() }.as_bytes());
            }
        }
        Datum::Bytea(v) if octets::width(ty.oid).is_some() => octets::format(v, ty.oid, out),
        Datum::Bytea(v) if packed::is_packed(ty.oid) => packed::format(v, ty.oid, cx, out),
        Datum::Bytea(v) if cx.bytea_escape => crate::bytea::format_escape(v, out),
        Datum::Bytea(v) => crate::bytea::format_hex(v, out),
        Datum::Date(v) => datetime::format_date(*v, &cx.dt, out),
        Datum::Time(v) => datetime::format_time(*v, out),
        Datum::TimeTz(v, z) => datetime::format_timetz(*v, *z, out),
        Datum::Timestamp(v) => datetime::format_timestamp(*v, &cx.dt, out),
        Datum::TimestampTz(v) => datetime::format_timestamptz(*v, &cx.dt, out),
        Datum::Interval(v) => datetime::format_interval(v, &cx.dt, out),
        Datum::Uuid(v) => crate::uuid::format(v, out),
        Datum::Jsonb(v) => v.format(out),
        Datum::Oid(0)
            if is_oidlike(ty.oid)
                && !matches!(ty.oid, oid::OID | oid::XID | oid::CID | oid::REGOPER | oid::REGOPERATOR) =>
        {
            out.push(b'-')
        }
        Datum::Oid(v) => match &cx.names {
            Some(n) if is_reg(ty.oid) => out.extend_from_slice(n.name(ty.oid, *v).as_bytes()),
            _ if tsconfig::is_one(ty.oid)
                && let Some(n) = tsconfig::name(ty.oid, *v) =>
            {
                out.extend_from_slice(n.as_bytes());
            }
            _ => format_int(*v as i64, out),
        },
        Datum::Enum(v) => match cx.types.as_ref().and_then(|t| t.label(ty.oid, *v)) {
            Some(label) => out.extend_from_slice(label.as_bytes()),
            None => format_int(*v as i64, out),
        },
        Datum::Char(0) => {}
        Datum::Char(v) if v.is_ascii() => out.push(*v),
        // A lone high byte is not UTF-8; PostgreSQL 16's octal form is what clients can read.
        Datum::Char(v) => drop(write!(out, "\\{v:03o}")),
        Datum::Array(a) if matches!(ty.oid, oid::INT2VECTOR | oid::OIDVECTOR) => {
            for (i, item) in a.items.iter().enumerate() {
                if i > 0 {
                    out.push(b' ');
                }
                format(item, Type::new(a.elem), cx, out);
            }
        }
        Datum::Array(a) => a.format(&mut |item, out| format(item, Type::new(a.elem), cx, out), out),
        Datum::Bits(b) => b.format(out),
        Datum::Citext(v) => out.extend_from_slice(v.text.as_bytes()),
        Datum::Range(r) => r.format(cx, out),
        Datum::Multirange(m) => m.format(cx, out),
        Datum::Record(fields) => format_record(fields, cx, out),
    }
}

/// Object identifier types that print as names.
pub fn is_reg(t: Oid) -> bool {
    matches!(
        t,
        oid::REGCLASS
            | oid::REGTYPE
            | oid::REGPROC
            | oid::REGPROCEDURE
            | oid::REGOPER
            | oid::REGNAMESPACE
            | oid::REGROLE
            | oid::REGCOLLATION
            | oid::REGOPERATOR
            | oid::REGCONFIG
            | oid::REGDICTIONARY
    )
}

/// `format` into a String.
pub fn to_string(d: &Datum, ty: Type, cx: &TextCtx) -> String {
    let mut v = Vec::new();
    format(d, ty, cx, &mut v);
    String::from_utf8_lossy(&v).into_owned()
}

/// charin: one byte, also as a backslash and three octal digits (as bytes that are not ASCII print).
fn parse_char(s: &str) -> u8 {
    match s.as_bytes() {
        [b'\\', d @ ..] if d.len() == 3 && d.iter().all(|c| matches!(c, b'0'..=b'7')) => {
            d.iter().fold(0u8, |v, c| (v << 3) | (c - b'0'))
        }
        b => b.first().copied().unwrap_or(0),
    }
}

/// oidin: 32 bits, negative numbers wrap as strtoul does.
fn parse_oid(s: &str, o: crate::Oid) -> Result<u32> {
    if matches!(o, oid::XID | oid::CID) {
        return Ok(crate::octets::parse_xid(s));
    }
    let name = oid::type_name(o).unwrap_or_default();
    if trim(s) == "-" && o != oid::OID {
        return Ok(0);
    }
    let t = trim(s);
    let digits = t.strip_prefix(['-', '+']).unwrap_or(t);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(invalid_syntax(&name, s));
    }
    match t.parse::<i64>() {
        Ok(v) if v >= i32::MIN as i64 && v <= u32::MAX as i64 => Ok(v as u32),
        _ => Err(out_of_range(&name, s)),
    }
}

fn parse_vector(s: &str, ty: Type, elem: crate::Oid, cx: &TextCtx) -> Result<Datum> {
    let items = s
        .split(|c: char| c.is_ascii() && is_space(c as u8))
        .filter(|p| !p.is_empty())
        .map(|p| parse(p, Type::new(elem), cx))
        .collect::<Result<Vec<_>>>()?;
    let _ = ty;
    let dims = vec![(items.len() as i32, 0)];
    Ok(Datum::Array(Arc::new(Array { elem, dims, items })))
}

// ---- booleans and strings ------------------------------------------------------------------------------------

/// boolin: an unambiguous prefix of true, false, yes, no, on, off, or 1 or 0.
fn parse_bool(s: &str) -> Result<bool> {
    let t = trim(s);
    let starts = |word: &str, least: usize| {
        t.len() >= least && t.len() <= word.len() && word.as_bytes()[..t.len()].eq_ignore_ascii_case(t.as_bytes())
    };
    if starts("true", 1) || starts("yes", 1) || starts("on", 2) || t == "1" {
        Ok(true)
    } else if starts("false", 1) || starts("no", 1) || starts("off", 2) || t == "0" {
        Ok(false)
    } else {
        Err(invalid_syntax("boolean", s))
    }
}

/// Cuts blanks beyond varchar's length; 22001 when anything else would be lost.
pub fn apply_varchar(s: &str, typmod: i32) -> Result<&str> {
    if typmod < TYPMOD_HEADER || s.len() <= (typmod - TYPMOD_HEADER) as usize {
        return Ok(s);
    }
    let max = (typmod - TYPMOD_HEADER) as usize;
    match s.char_indices().nth(max) {
        None => Ok(s),
        Some((at, _)) if s[at..].bytes().all(|b| b == b' ') => Ok(&s[..at]),
        Some(_) => bail!(STRING_DATA_RIGHT_TRUNCATION, "value too long for type character varying({max})"),
    }
}
/// As [`apply_varchar`], and pads with blanks.
pub fn apply_bpchar(s: &str, typmod: i32) -> Result<Arc<str>> {
    if typmod < TYPMOD_HEADER {
        return Ok(s.into());
    }
    let len = (typmod - TYPMOD_HEADER) as usize;
    let chars = s.chars().count();
    if chars <= len {
        let mut padded = String::with_capacity(s.len() + len - chars);
        padded.push_str(s);
        padded.extend(std::iter::repeat_n(' ', len - chars));
        return Ok(padded.into());
    }
    match s.char_indices().nth(len) {
        Some((at, _)) if !s[at..].bytes().all(|b| b == b' ') => {
            bail!(STRING_DATA_RIGHT_TRUNCATION, "value too long for type character({len})")
        }
        Some((at, _)) => Ok(s[..at].into()),
        None => Ok(s.into()),
    }
}
/// The explicit cast to varchar(n): cuts without complaint.
pub fn cut_varchar(s: &str, typmod: i32) -> &str {
    if typmod < TYPMOD_HEADER {
        return s;
    }
    match s.char_indices().nth((typmod - TYPMOD_HEADER) as usize) {
        Some((at, _)) => &s[..at],
        None => s,
    }
}
/// The explicit cast to char(n): cuts without complaint, and pads.
pub fn cut_bpchar(s: &str, typmod: i32) -> Result<Arc<str>> {
    apply_bpchar(cut_varchar(s, typmod), typmod)
}
/// Cuts a name at [`MAX_NAME`] bytes, on a character's edge.
pub fn cut_name(s: &str) -> &str {
    cut(s, MAX_NAME)
}
/// At most `most` bytes of a text, on a character's edge.
pub fn cut(s: &str, most: usize) -> &str {
    &s[..s.floor_char_boundary(most)]
}

/// record_out: `(1,"a b",,"")`.
fn format_record(fields: &[(Type, Datum)], cx: &TextCtx, out: &mut Vec<u8>) {
    out.push(b'(');
    let mut field = Vec::new();
    for (i, (ty, d)) in fields.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        if d.is_null() {
            continue;
        }
        field.clear();
        format(d, *ty, cx, &mut field);
        let special = |b: &u8| matches!(b, b'"' | b'\\' | b'(' | b')' | b',') || is_space(*b);
        if !field.is_empty() && !field.iter().any(special) {
            out.extend_from_slice(&field);
            continue;
        }
        out.push(b'"');
        for b in &field {
            if matches!(b, b'"' | b'\\') {
                out.push(*b);
            }
            out.push(*b);
        }
        out.push(b'"');
    }
    out.push(b')');
}

// ---- type names ----------------------------------------------------------------------------------------------

/// A type's name without a word on its modifier, as messages, regtype and information_schema show it (format_type_be): `character` where
/// [`type_display`] writes `bpchar`, since `character` read back would be of length 1.
pub fn type_named(o: crate::oid::Oid) -> String {
    let ty = Type::new(o);
    match o {
        oid::BPCHAR => "character".into(),
        oid::BIT => "bit".into(),
        oid::INT2VECTOR | oid::OIDVECTOR => type_display(ty),
        _ => match ty.element() {
            Some(e) => format!("{}[]", type_named(e.oid)),
            None => type_display(ty),
        },
    }
}

/// SQL name with modifier, as format_type(): `character varying(20)`, `numeric(10,2)`, `timestamp(3) without time zone`, `integer[]`.
pub fn type_display(ty: Type) -> String {
    if !matches!(ty.oid, oid::INT2VECTOR | oid::OIDVECTOR)
        && let Some(elem) = ty.element()
    {
        return format!("{}[]", type_display(elem));
    }
    let m = ty.typmod;
    let fraction = |word: &str, zone: &str| {
        if m >= 0 { format!("{word}({m}){zone}") } else { format!("{word}{zone}") }
    };
    match ty.oid {
        oid::BOOL => "boolean".into(),
        oid::CHAR if m >= 0 => format!("\"char\"({m})"),
        oid::CHAR => "\"char\"".into(),
        oid::INT2 => "smallint".into(),
        oid::INT4 => "integer".into(),
        oid::INT8 => "bigint".into(),
        oid::FLOAT4 => "real".into(),
        oid::FLOAT8 => "double precision".into(),
        oid::ANY if m >= 0 => format!("\"any\"({m})"),
        oid::ANY => "\"any\"".into(),
        oid::NUMERIC if m >= TYPMOD_HEADER => {
            let m = m - TYPMOD_HEADER;
            format!("numeric({},{})", m >> 16 & 0xffff, crate::numeric::typmod_scale(m))
        }
        oid::NUMERIC => "numeric".into(),
        oid::VARCHAR if m >= TYPMOD_HEADER => format!("character varying({})", m - TYPMOD_HEADER),
        oid::VARCHAR => "character varying".into(),
        oid::BPCHAR if m >= TYPMOD_HEADER => format!("character({})", m - TYPMOD_HEADER),
        // Without a length `character` would read back as character(1).
        oid::BPCHAR if m == -1 => "bpchar".into(),
        oid::BPCHAR => "character".into(),
        oid::BIT if m >= 0 => format!("bit({m})"),
        oid::BIT => "\"bit\"".into(),
        oid::VARBIT if m >= 0 => format!("bit varying({m})"),
        oid::VARBIT => "bit varying".into(),
        oid::TIME => fraction("time", " without time zone"),
        oid::TIMETZ => fraction("time", " with time zone"),
        oid::TIMESTAMP => fraction("timestamp", " without time zone"),
        oid::TIMESTAMPTZ => fraction("timestamp", " with time zone"),
        oid::INTERVAL => format!("interval{}", datetime::interval_typmod_display(m)),
        o if oid::is_user(o) => crate::user::placeholder(o),
        o => {
            let name = oid::type_name(o).unwrap_or_else(|| o.to_string());
            if m >= 0 { format!("{name}({m})") } else { name }
        }
    }
}
