//! Functions of information_schema, which its views and tools that copy their queries use: what a type's modifier says.
//!
//! Source: PostgreSQL's information_schema.sql.
use super::registry::{OWN_OIDS, OwnRow, STABLE, STRICT, bad_args};
use super::{Body, CallInfo};
use crate::env::Env;
use pamir_catalog::IndexColumn;
use pamir_types::oid::{self, UserClass};
use pamir_types::{Datum, Oid, Result, Type};

/// Bytes of a text without a length, and of one character at most (UTF8).
const CHAR_OCTETS: i32 = 1 << 30;
const CHARACTER: i32 = 4;
/// What a modifier that is there begins with.
const HEADER: i32 = 4;

const fn rows_of(relation: Oid) -> Oid {
    match oid::user_type(UserClass::Row, relation) {
        Some(t) => t,
        None => oid::RECORD,
    }
}
const ATTRIBUTE: Oid = rows_of(1249);
const TYPE: Oid = rows_of(1247);

const fn row<const N: Oid>(name: &'static str, args: &'static [Oid], ret: Oid, f: super::Eval) -> OwnRow {
    OwnRow { oid: OWN_OIDS + 300 + N, name, args, ret, flags: STRICT | STABLE, body: Body::scalar(f) }
}
const fn measure<const N: Oid>(name: &'static str, f: super::Eval) -> OwnRow {
    OwnRow {
        flags: STRICT,
        oid: OWN_OIDS + 300 + N,
        name,
        args: &[oid::OID, oid::INT4],
        ret: oid::INT4,
        body: Body::scalar(f),
    }
}
pub static OWN: &[OwnRow] = &[
    measure::<0>("_pg_char_max_length", |_, a, _| of_type(a, char_max_length)),
    measure::<1>("_pg_char_octet_length", |_, a, _| of_type(a, char_octet_length)),
    measure::<2>("_pg_datetime_precision", |_, a, _| of_type(a, datetime_precision)),
    measure::<3>("_pg_numeric_precision", |_, a, _| of_type(a, numeric_precision)),
    measure::<4>("_pg_numeric_precision_radix", |_, a, _| of_type(a, |t, _| radix(t))),
    measure::<5>("_pg_numeric_scale", |_, a, _| of_type(a, numeric_scale)),
    row::<6>("_pg_interval_type", &[oid::OID, oid::INT4], oid::TEXT, interval_type),
    row::<7>("_pg_index_position", &[oid::OID, oid::INT2], oid::INT4, index_position),
    row::<8>("_pg_truetypid", &[ATTRIBUTE, TYPE], oid::OID, |_, a, env| own_or_base(a, env, "atttypid", "typbasetype")),
    row::<9>("_pg_truetypmod", &[ATTRIBUTE, TYPE], oid::INT4, |_, a, env| {
        own_or_base(a, env, "atttypmod", "typtypmod")
    }),
];

fn of_type(args: &[Datum], f: fn(Oid, i32) -> Option<i32>) -> Result<Datum> {
    let [Datum::Oid(ty), Datum::Int4(m)] = args else { return Err(bad_args("information_schema", args)) };
    Ok(f(*ty, *m).map_or(Datum::Null, Datum::Int4))
}
pub fn char_max_length(ty: Oid, m: i32) -> Option<i32> {
    match ty {
        _ if m == -1 => None,
        oid::BPCHAR | oid::VARCHAR => Some(m.wrapping_sub(HEADER)),
        oid::BIT | oid::VARBIT => Some(m),
        _ => None,
    }
}
pub fn char_octet_length(ty: Oid, m: i32) -> Option<i32> {
    match ty {
        oid::TEXT | oid::BPCHAR | oid::VARCHAR if m == -1 => Some(CHAR_OCTETS),
        oid::TEXT | oid::BPCHAR | oid::VARCHAR => Some(char_max_length(ty, m)?.wrapping_mul(CHARACTER)),
        _ => None,
    }
}
pub fn datetime_precision(ty: Oid, m: i32) -> Option<i32> {
    /// All digits of an interval's seconds, and how many those, and a time's, are.
    const FULL: i32 = 0xffff;
    const DIGITS: i32 = 6;
    match ty {
        oid::DATE => Some(0),
        oid::TIME | oid::TIMETZ | oid::TIMESTAMP | oid::TIMESTAMPTZ => Some(if m < 0 { DIGITS } else { m }),
        oid::INTERVAL if m < 0 || m & FULL == FULL => Some(DIGITS),
        oid::INTERVAL => Some(m & FULL),
        _ => None,
    }
}
pub fn numeric_precision(ty: Oid, m: i32) -> Option<i32> {
    match ty {
        oid::INT2 => Some(16),
        oid::INT4 => Some(32),
        oid::INT8 => Some(64),
        oid::FLOAT4 => Some(24),
        oid::FLOAT8 => Some(53),
        oid::NUMERIC if m != -1 => Some(m.wrapping_sub(HEADER) >> 16 & 0xffff),
        _ => None,
    }
}
pub fn radix(ty: Oid) -> Option<i32> {
    match ty {
        oid::INT2 | oid::INT4 | oid::INT8 | oid::FLOAT4 | oid::FLOAT8 => Some(2),
        oid::NUMERIC => Some(10),
        _ => None,
    }
}
pub fn numeric_scale(ty: Oid, m: i32) -> Option<i32> {
    match ty {
        oid::INT2 | oid::INT4 | oid::INT8 => Some(0),
        oid::NUMERIC if m != -1 => Some(m.wrapping_sub(HEADER) & 0xffff),
        _ => None,
    }
}
/// The fields of an interval's name, such as DAY TO SECOND.
fn interval_type(_: &CallInfo, args: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    let [Datum::Oid(ty), Datum::Int4(m)] = args else { return Err(bad_args("_pg_interval_type", args)) };
    if *ty != oid::INTERVAL {
        return Ok(Datum::Null);
    }
    let shown = pamir_types::text::type_display(Type::with_mod(*ty, *m));
    let fields = shown.trim_start_matches("interval").trim_start_matches(|c: char| "()0123456789".contains(c));
    Ok(fields.strip_prefix(' ').map_or(Datum::Null, |f| f.to_uppercase().into()))
}
/// Which column of an index, counted from 1, a table's column is.
fn index_position(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Oid(index), Datum::Int2(column)] = args else { return Err(bad_args("_pg_index_position", args)) };
    let Some(t) = env.catalog().index_table(*index) else { return Ok(Datum::Null) };
    let at = t.index(*index).and_then(|i| {
        let is = |(c, _): &(IndexColumn, _)| matches!(c, IndexColumn::Attr(a) if a == column);
        i.columns.iter().position(is)
    });
    Ok(at.map_or(Datum::Null, |n| Datum::Int4(n as i32 + 1)))
}
/// A field of pg_attribute's row or, for a domain, another one of its type's row.
fn own_or_base(args: &[Datum], env: &mut dyn Env, own: &str, base: &str) -> Result<Datum> {
    let [Datum::Record(attribute), Datum::Record(ty)] = args else { return Err(bad_args("_pg_truetypid", args)) };
    let field = |row: &[(Type, Datum)], of: Oid, name: &str| {
        let at = env.catalog().fields_of(of).and_then(|f| f.iter().position(|f| f.0 == name));
        at.and_then(|i| row.get(i).map(|f| f.1.clone())).unwrap_or(Datum::Null)
    };
    match field(ty, TYPE, "typtype") {
        Datum::Char(b'd') => Ok(field(ty, TYPE, base)),
        _ => Ok(field(attribute, ATTRIBUTE, own)),
    }
}
