//! Type names.
use crate::catalog::Catalog;
use crate::func;
use crate::parser::fold_str;
use crate::parser::special::interval_mask;
use pamir_types::{Result, Type, bail, err, oid};
use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, TimezoneInfo};

/// A type as written in DDL or a cast (42704 `type "x" does not exist`).
pub fn bind_type(t: &DataType, cx: &Catalog) -> Result<Type> {
    let plain = |o| Ok(Type::new(o));
    match t {
        DataType::Bool | DataType::Boolean => plain(oid::BOOL),
        DataType::SmallInt(None) | DataType::Int2(None) => plain(oid::INT2),
        DataType::Int(None) | DataType::Integer(None) | DataType::Int4(None) => plain(oid::INT4),
        DataType::BigInt(None) | DataType::Int8(None) => plain(oid::INT8),
        DataType::Real | DataType::Float4 => plain(oid::FLOAT4),
        DataType::Float8 | DataType::DoublePrecision => plain(oid::FLOAT8),
        DataType::Float(ExactNumberInfo::None) => plain(oid::FLOAT8),
        DataType::Float(ExactNumberInfo::Precision(p)) => match p {
            0 => bail!(INVALID_PARAMETER_VALUE, "precision for type float must be at least 1 bit"),
            1..=24 => plain(oid::FLOAT4),
            25..=53 => plain(oid::FLOAT8),
            _ => bail!(INVALID_PARAMETER_VALUE, "precision for type float must be less than 54 bits"),
        },
        DataType::Numeric(i) | DataType::Decimal(i) | DataType::Dec(i) => numeric(i),
        DataType::Text => plain(oid::TEXT),
        DataType::Bytea => plain(oid::BYTEA),
        DataType::Uuid => plain(oid::UUID),
        DataType::JSON => plain(oid::JSON),
        DataType::JSONB => plain(oid::JSONB),
        DataType::Date => plain(oid::DATE),
        DataType::Regclass => plain(oid::REGCLASS),
        DataType::Varchar(l) | DataType::CharacterVarying(l) | DataType::CharVarying(l) | DataType::Nvarchar(l) => {
            chars(l, oid::VARCHAR, "varchar", None)
        }
        DataType::Char(l) | DataType::Character(l) => chars(l, oid::BPCHAR, "char", Some(1)),
        DataType::Time(p, tz) => {
            Ok(Type::with_mod(if zoned(tz) { oid::TIMETZ } else { oid::TIME }, precision(*p, "TIME", zoned(tz))?))
        }
        DataType::Timestamp(p, tz) => Ok(Type::with_mod(
            if zoned(tz) { oid::TIMESTAMPTZ } else { oid::TIMESTAMP },
            precision(*p, "TIMESTAMP", zoned(tz))?,
        )),
        DataType::Interval { fields, precision: p } => {
            let mask = fields.as_ref().map_or(0x7fff, interval_mask);
            if fields.is_none() && p.is_none() {
                return plain(oid::INTERVAL);
            }
            let p = precision(*p, "INTERVAL", false)?;
            Ok(Type::with_mod(oid::INTERVAL, (mask << 16) | (p & 0xffff)))
        }
        DataType::Array(d) => {
            let inner = match d {
                ArrayElemTypeDef::SquareBracket(t, _)
                | ArrayElemTypeDef::AngleBracket(t)
                | ArrayElemTypeDef::Parenthesis(t)
                | ArrayElemTypeDef::Qualified(t, _) => t,
                ArrayElemTypeDef::None => bail!(UNDEFINED_OBJECT, "type \"array\" does not exist"),
            };
            let e = bind_type(inner, cx)?;
            // int[][] is int[].
            if e.is_array() {
                return Ok(e);
            }
            match oid::array_of(e.oid) {
                Some(a) => Ok(Type::with_mod(a, e.typmod)),
                None => {
                    bail!(UNDEFINED_OBJECT, "could not find array type for data type {}", super::coerce::show(e.oid))
                }
            }
        }
        DataType::Bit(_) | DataType::BitVarying(_) | DataType::VarBit(_) => {
            Err(pamir_types::Error::unsupported("type bit"))
        }
        DataType::Custom(n, mods) => {
            let parts = crate::parser::name_parts(n)?;
            let quoted = n.0.last().and_then(|p| p.as_ident()).is_some_and(|i| i.quote_style.is_some());
            let name = match parts.as_slice() {
                [n] => n.as_str(),
                [s, n] if s == "pg_catalog" => n.as_str(),
                [s, n] if cx.version > 0 || !s.is_empty() => bail!(UNDEFINED_OBJECT, "type \"{s}.{n}\" does not exist"),
                _ => bail!(UNDEFINED_OBJECT, "type \"{}\" does not exist", parts.join(".")),
            };
            if name == "char" && quoted {
                return plain(oid::CHAR);
            }
            named(name, mods)
        }
        other => {
            // Types of other dialects: by the name as it would be written.
            let shown = other.to_string().to_ascii_lowercase();
            let name = shown.split('(').next().unwrap_or("").trim();
            named(name, &[])
        }
    }
}

fn named(name: &str, mods: &[String]) -> Result<Type> {
    // Serial types are columns' business; `serial` as a type name is an integer there.
    if let Some(n) = name.strip_prefix('_')
        && let Some(a) = func::type_by_name(n).and_then(oid::array_of)
    {
        return Ok(Type::new(a));
    }
    let Some(o) = func::type_by_name(name) else {
        if func::lacks_type(name) {
            return Err(pamir_types::Error::unsupported(format!("type {name}")));
        }
        bail!(UNDEFINED_OBJECT, "type \"{name}\" does not exist")
    };
    let number = |i: usize| -> Result<i64> {
        mods.get(i)
            .and_then(|m| m.trim().parse().ok())
            .ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "type modifiers must be simple constants or identifiers"))
    };
    if mods.is_empty() {
        return Ok(if o == oid::BPCHAR && name == "char" { Type::with_mod(o, 5) } else { Type::new(o) });
    }
    match o {
        oid::VARCHAR => chars(
            &Some(CharacterLength::IntegerLength { length: number(0)?.max(0) as u64, unit: None }),
            o,
            "varchar",
            None,
        ),
        oid::BPCHAR => chars(
            &Some(CharacterLength::IntegerLength { length: number(0)?.max(0) as u64, unit: None }),
            o,
            "char",
            None,
        ),
        oid::NUMERIC => numeric(&if mods.len() > 1 {
            ExactNumberInfo::PrecisionAndScale(number(0)?.max(0) as u64, number(1)?)
        } else {
            ExactNumberInfo::Precision(number(0)?.max(0) as u64)
        }),
        oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::TIME | oid::TIMETZ => {
            Ok(Type::with_mod(o, precision(Some(number(0)?.max(0) as u64), "TIMESTAMP", false)?))
        }
        _ => bail!(SYNTAX_ERROR, "type modifier is not allowed for type \"{name}\""),
    }
}

/// `integer[]`, `pg_catalog.int4`, `character varying(5)`: the text form of regtype.
pub(super) fn type_from_text(s: &str) -> Result<Type> {
    let t = s.trim();
    if let Some(base) = t.strip_suffix("[]") {
        let e = type_from_text(base)?;
        return oid::array_of(e.oid)
            .map(Type::new)
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{s}\" does not exist"));
    }
    let t = t.split('(').next().unwrap_or(t).trim();
    if t.contains('"') {
        let shown = || func::reg::split_name(t).map_or_else(|_| t.to_string(), |parts| parts.join("."));
        return func::type_by_name(t)
            .map(Type::new)
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown()));
    }
    let t = t.strip_prefix("pg_catalog.").unwrap_or(t);
    let name = fold_str(t, false);
    named(&name, &[]).map_err(|_| err!(UNDEFINED_OBJECT, "type \"{name}\" does not exist"))
}

fn zoned(t: &TimezoneInfo) -> bool {
    matches!(t, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz)
}
/// Precisions above 6 are 6, with a warning that is not sent.
fn precision(p: Option<u64>, _name: &str, _tz: bool) -> Result<i32> {
    Ok(p.map_or(-1, |p| p.min(6) as i32))
}
fn chars(l: &Option<CharacterLength>, o: u32, name: &str, default: Option<i32>) -> Result<Type> {
    /// PostgreSQL's MaxAttrSize.
    const MAX: u64 = 10_485_760;
    match l {
        None => Ok(default.map_or(Type::new(o), |n| Type::with_mod(o, n + 4))),
        Some(CharacterLength::Max) => bail!(UNDEFINED_OBJECT, "type \"{name}\" does not take MAX"),
        Some(CharacterLength::IntegerLength { length: 0, .. }) => {
            bail!(INVALID_PARAMETER_VALUE, "length for type {name} must be at least 1")
        }
        Some(CharacterLength::IntegerLength { length, .. }) if *length > MAX => {
            bail!(INVALID_PARAMETER_VALUE, "length for type {name} cannot exceed {MAX}")
        }
        Some(CharacterLength::IntegerLength { length, .. }) => Ok(Type::with_mod(o, *length as i32 + 4)),
    }
}

fn numeric(i: &ExactNumberInfo) -> Result<Type> {
    let (p, s) = match i {
        ExactNumberInfo::None => return Ok(Type::NUMERIC),
        ExactNumberInfo::Precision(p) => (*p, 0),
        ExactNumberInfo::PrecisionAndScale(p, s) => (*p, *s),
    };
    if !(1..=1000).contains(&p) {
        bail!(INVALID_PARAMETER_VALUE, "NUMERIC precision {p} must be between 1 and 1000");
    }
    if !(-1000..=1000).contains(&s) {
        bail!(INVALID_PARAMETER_VALUE, "NUMERIC scale {s} must be between -1000 and 1000");
    }
    Ok(Type::with_mod(oid::NUMERIC, (((p as i32) << 16) | (s as i32 & 0x7ff)) + 4))
}
