//! Conversions: pg_cast's rules plus the automatic ones through text, and the functions behind them.
//!
//! PostgreSQL relabels where two types share a representation. Ours differ in one place: its int4 and oid share one, our
//! [`Datum::Int4`] and [`Datum::Oid`] do not, so those casts call functions of our own. Every type converts to the string types in assignments
//! and from them explicitly, through its text form (PostgreSQL's CoerceViaIO), except the reg* types, whose names need the catalog.
use super::arith::{int2_range, int4_range, int8_range};
use super::registry::{OWN_OIDS, OwnRow, STABLE, STRICT, bad_args, func_body, funcs};
use super::*;
use pamir_types::datetime::{self, Interval, USECS_PER_DAY};
use pamir_types::numeric::Numeric;
use pamir_types::{bail, err, oid};
use rustc_hash::{FxHashMap, FxHashSet};

/// The string types that everything converts to and from.
const STRINGS: [Oid; 4] = [oid::TEXT, oid::VARCHAR, oid::BPCHAR, oid::NAME];
/// Types whose values are [`Datum::Oid`] and that name catalog objects.
pub const REG: [Oid; 11] = [
    oid::REGCLASS,
    oid::REGTYPE,
    oid::REGPROC,
    oid::REGPROCEDURE,
    oid::REGOPER,
    oid::REGNAMESPACE,
    oid::REGROLE,
    oid::REGCOLLATION,
    oid::REGOPERATOR,
    oid::REGCONFIG,
    oid::REGDICTIONARY,
];
const INT4_TO_OID: Oid = OWN_OIDS;
const OID_TO_INT4: Oid = OWN_OIDS + 1;
const INT2_TO_OID: Oid = OWN_OIDS + 2;
const INT8_TO_OID: Oid = OWN_OIDS + 3;
const REG_OUT: Oid = OWN_OIDS + 80;
const REG_IN: Oid = OWN_OIDS + 10;
/// The number of the cast to text of the `n`th of [`REG`]; others were given between the first nine and the later ones.
const fn reg_out_oid(n: Oid) -> Oid {
    if n < 9 { REG_OUT + n } else { REG_OUT + 61 + n }
}

/// The cast of one reg* type to text: one function each, for a value alone does not say what its number names. `n`: its place in [`REG`].
const fn reg_out(n: Oid, f: Eval) -> OwnRow {
    const TYPES: [[Oid; 1]; 11] =
        [[REG[0]], [REG[1]], [REG[2]], [REG[3]], [REG[4]], [REG[5]], [REG[6]], [REG[7]], [REG[8]], [REG[9]], [REG[10]]];
    OwnRow {
        oid: reg_out_oid(n),
        name: "reg_to_text",
        args: &TYPES[n as usize],
        ret: oid::TEXT,
        flags: STRICT | STABLE,
        body: Body::scalar(f),
    }
}

pub static OWN: &[OwnRow] = &[
    OwnRow {
        oid: INT4_TO_OID,
        name: "int4_to_oid",
        args: &[oid::INT4],
        ret: oid::OID,
        flags: STRICT,
        body: func_body!(int4_to_oid (a: Int4) -> Datum::Oid(*a as u32)),
    },
    OwnRow {
        oid: OID_TO_INT4,
        name: "oid_to_int4",
        args: &[oid::OID],
        ret: oid::INT4,
        flags: STRICT,
        body: func_body!(oid_to_int4 (a: Oid) -> *a as i32),
    },
    OwnRow {
        oid: INT2_TO_OID,
        name: "int2_to_oid",
        args: &[oid::INT2],
        ret: oid::OID,
        flags: STRICT,
        body: func_body!(int2_to_oid (a: Int2) -> Datum::Oid(i32::from(*a) as u32)),
    },
    OwnRow {
        oid: INT8_TO_OID,
        name: "int8_to_oid",
        args: &[oid::INT8],
        ret: oid::OID,
        flags: STRICT,
        body: func_body!(int8_to_oid (a: Int8) => to_oid(*a)),
    },
    reg_out(0, |_, a, e| reg::out(a, oid::REGCLASS, e)),
    reg_out(1, |_, a, e| reg::out(a, oid::REGTYPE, e)),
    reg_out(2, |_, a, e| reg::out(a, oid::REGPROC, e)),
    reg_out(3, |_, a, e| reg::out(a, oid::REGPROCEDURE, e)),
    reg_out(4, |_, a, e| reg::out(a, oid::REGOPER, e)),
    reg_out(5, |_, a, e| reg::out(a, oid::REGNAMESPACE, e)),
    reg_out(6, |_, a, e| reg::out(a, oid::REGROLE, e)),
    reg_out(7, |_, a, e| reg::out(a, oid::REGCOLLATION, e)),
    reg_out(8, |_, a, e| reg::out(a, oid::REGOPERATOR, e)),
    reg_out(9, |_, a, e| reg::out(a, oid::REGCONFIG, e)),
    reg_out(10, |_, a, e| reg::out(a, oid::REGDICTIONARY, e)),
    OwnRow {
        oid: REG_IN,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGCLASS,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGCLASS, e)),
    },
    OwnRow {
        oid: REG_IN + 1,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGTYPE,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGTYPE, e)),
    },
    OwnRow {
        oid: REG_IN + 2,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGPROC,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGPROC, e)),
    },
    OwnRow {
        oid: REG_IN + 3,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGPROCEDURE,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGPROCEDURE, e)),
    },
    OwnRow {
        oid: REG_IN + 4,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGOPER,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGOPER, e)),
    },
    OwnRow {
        oid: REG_IN + 5,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGNAMESPACE,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGNAMESPACE, e)),
    },
    OwnRow {
        oid: REG_IN + 6,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGROLE,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGROLE, e)),
    },
    OwnRow {
        oid: REG_IN + 7,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGCOLLATION,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGCOLLATION, e)),
    },
    OwnRow {
        oid: REG_IN + 8,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGOPERATOR,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGOPERATOR, e)),
    },
    OwnRow {
        oid: REG_IN + 9,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGCONFIG,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGCONFIG, e)),
    },
    OwnRow {
        oid: REG_IN + 10,
        name: "text_to_reg",
        args: &[oid::TEXT],
        ret: oid::REGDICTIONARY,
        flags: STRICT | STABLE,
        body: Body::scalar(|_, a, e| reg::parse_datum(a, oid::REGDICTIONARY, e)),
    },
];

fn is_oid_like(t: Oid) -> bool {
    t == oid::OID || REG.contains(&t)
}

/// All conversion rules.
pub fn build(functions: &FxHashMap<Oid, &'static Function>) -> Vec<CastRule> {
    let mut out: Vec<CastRule> = Vec::with_capacity(1500);
    let mut seen: FxHashSet<(Oid, Oid)> = FxHashSet::default();
    let own = |o: Oid| functions.get(&o).map(|f| CastRuleHow::Func(f));
    for &(from, to, f, context, method) in tables::CASTS.iter().chain(extension::casts()) {
        let context = match context {
            'i' => CastContext::Implicit,
            'a' => CastContext::Assignment,
            _ => CastContext::Explicit,
        };
        let how = match (from, to) {
            (oid::INT4, t) if is_oid_like(t) => own(INT4_TO_OID),
            (oid::INT2, t) if is_oid_like(t) => own(INT2_TO_OID),
            (t, oid::INT4) if is_oid_like(t) => own(OID_TO_INT4),
            (oid::TEXT | oid::VARCHAR, oid::REGCLASS) => own(REG_IN),
            _ if method == 'b' => match extension::relabelling(from, to) {
                Some(f) => own(f),
                None => Some(CastRuleHow::Relabel),
            },
            _ if method == 'i' => Some(CastRuleHow::ViaText),
            _ => own(f),
        };
        if let Some(how) = how {
            seen.insert((from, to));
            out.push(CastRule { from, to, context, how });
        }
    }
    let mut add = |from: Oid, to: Oid, context: CastContext, how: Option<CastRuleHow>| {
        if let (true, Some(how)) = (from != to && seen.insert((from, to)), how) {
            out.push(CastRule { from, to, context, how });
        }
    };
    let mut all: Vec<Oid> = Vec::new();
    for (ty, array, _) in oid::TYPES.iter().chain(oid::EXTENSION_TYPES) {
        if matches!(
            *ty,
            oid::ANY
                | oid::ANYARRAY
                | oid::ANYELEMENT
                | oid::ANYNONARRAY
                | oid::ANYCOMPATIBLE
                | oid::ANYCOMPATIBLEARRAY
                | oid::ANYRANGE
                | oid::ANYMULTIRANGE
        ) || matches!(
            *ty,
            oid::INTERNAL
                | oid::INDEX_AM_HANDLER
                | oid::TABLE_AM_HANDLER
                | oid::TRIGGER
                | oid::EVENT_TRIGGER
                | oid::UNKNOWN
                | oid::CSTRING
        ) {
            continue;
        }
        all.push(*ty);
        if *array != 0 {
            all.push(*array);
        }
    }
    for &t in &all {
        let reg_in = REG.iter().position(|r| *r == t).map(|i| REG_IN + i as Oid);
        for s in STRINGS {
            match reg_in {
                Some(f) => {
                    add(t, s, CastContext::Assignment, own(reg_out_oid(f - REG_IN)));
                    add(s, t, CastContext::Explicit, own(f));
                }
                None => {
                    add(t, s, CastContext::Assignment, Some(CastRuleHow::ViaText));
                    if t != oid::RECORD && t != oid::VOID {
                        add(s, t, CastContext::Explicit, Some(CastRuleHow::ViaText));
                    }
                }
            }
        }
        // A value of unknown type takes any form the context asks for.
        let how = match (reg_in, t) {
            (Some(f), _) => own(f),
            (None, oid::TEXT | oid::VARCHAR | oid::BPCHAR) => Some(CastRuleHow::Relabel),
            _ => Some(CastRuleHow::ViaText),
        };
        add(oid::UNKNOWN, t, CastContext::Implicit, how);
    }
    out
}

fn to_oid(v: i64) -> Result<Datum> {
    u32::try_from(v).map(Datum::Oid).map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "OID out of range"))
}
/// Rounds half to even, then checks the range [min, max): the bounds are powers of two, exact as floats.
fn float_to_int(v: f64, min: f64, max: f64, e: fn() -> pamir_types::Error) -> Result<i64> {
    let r = v.round_ties_even();
    if r.is_nan() || r < min || r >= max { Err(e()) } else { Ok(r as i64) }
}
fn f_to_i2(v: f64) -> Result<Datum> {
    float_to_int(v, -32768.0, 32768.0, int2_range).map(|v| Datum::Int2(v as i16))
}
fn f_to_i4(v: f64) -> Result<Datum> {
    float_to_int(v, -2147483648.0, 2147483648.0, int4_range).map(|v| Datum::Int4(v as i32))
}
fn f_to_i8(v: f64) -> Result<Datum> {
    float_to_int(v, -9223372036854775808.0, 9223372036854775808.0, int8_range).map(Datum::Int8)
}
fn d_to_f(v: f64) -> Result<Datum> {
    let r = v as f32;
    if r.is_infinite() && v.is_finite() {
        return Err(arith::overflow());
    }
    if r == 0.0 && v != 0.0 {
        return Err(arith::underflow());
    }
    Ok(Datum::Float4(r))
}
fn numeric_to_f8(v: &Numeric) -> Result<Datum> {
    let r = v.to_f64();
    if r.is_infinite() && !matches!(v, Numeric::PosInf | Numeric::NegInf) {
        let s = v.to_string();
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "\"{s}\" is out of range for type double precision");
    }
    Ok(Datum::Float8(r))
}
fn numeric_to_f4(v: &Numeric) -> Result<Datum> {
    let special = matches!(v, Numeric::PosInf | Numeric::NegInf | Numeric::NaN);
    let s = v.to_string();
    let r: f32 = if special { v.to_f64() as f32 } else { s.parse().unwrap_or(f32::NAN) };
    if !special && (r.is_infinite() || (r == 0.0 && !v.is_zero())) {
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "\"{s}\" is out of range for type real");
    }
    Ok(Datum::Float4(r))
}

/// varchar(n): too long is 22001 unless explicit or only blanks are cut.
fn varchar(s: &std::sync::Arc<str>, typmod: i32, explicit: bool) -> Result<Datum> {
    let max = typmod.saturating_sub(4);
    if typmod < 4 || s.len() <= max as usize || string::char_len(s) <= max as usize {
        return Ok(Datum::Text(s.clone()));
    }
    let cut = string::substr(s, 1, Some(max))?;
    if !explicit && s.get(cut.len()..).is_some_and(|r| r.bytes().any(|b| b != b' ')) {
        bail!(STRING_DATA_RIGHT_TRUNCATION, "value too long for type character varying({max})");
    }
    Ok(string::text(cut))
}
/// character(n): cut like varchar, padded with blanks.
fn bpchar(s: &std::sync::Arc<str>, typmod: i32, explicit: bool) -> Result<Datum> {
    // No column's, but the function may be called by its name.
    if typmod > super::string::MAX_VALUE as i32 {
        return Err(super::string::alloc_size(typmod as usize));
    }
    pamir_types::memory::admit(2 * typmod.max(0) as usize)?;
    let max = typmod.saturating_sub(4);
    if typmod < 4 {
        return Ok(Datum::Text(s.clone()));
    }
    let len = string::char_len(s);
    if len == max as usize {
        return Ok(Datum::Text(s.clone()));
    }
    if len < max as usize {
        let mut out = String::with_capacity(s.len() + (max as usize - len));
        out.push_str(s);
        out.extend(std::iter::repeat_n(' ', max as usize - len));
        return Ok(out.into());
    }
    let cut = string::substr(s, 1, Some(max))?;
    if !explicit && s.get(cut.len()..).is_some_and(|r| r.bytes().any(|b| b != b' ')) {
        bail!(STRING_DATA_RIGHT_TRUNCATION, "value too long for type character({max})");
    }
    Ok(string::text(cut))
}
fn to_name(s: &str) -> Datum {
    string::text(pamir_types::text::cut_name(s))
}
fn length_args(args: &[Datum]) -> Option<(&std::sync::Arc<str>, i32, bool)> {
    match args {
        [Datum::Text(s), Datum::Int4(m), Datum::Bool(e)] => Some((s, *m, *e)),
        [Datum::Text(s), Datum::Int4(m)] => Some((s, *m, false)),
        _ => None,
    }
}
fn date_to_ts(d: i32) -> Result<i64> {
    match d {
        i32::MIN => Ok(i64::MIN),
        i32::MAX => Ok(i64::MAX),
        d => match i64::from(d).checked_mul(USECS_PER_DAY) {
            Some(v) if v < TIMESTAMP_END => Ok(v),
            _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range for timestamp"),
        },
    }
}
/// 294277-01-01 00:00, the first instant past the timestamp's range.
const TIMESTAMP_END: i64 = 9223371331200000000;
pub fn ts_to_date(v: i64) -> i32 {
    match v {
        i64::MIN => i32::MIN,
        i64::MAX => i32::MAX,
        v => v.div_euclid(USECS_PER_DAY) as i32,
    }
}
fn ts_time(v: i64) -> Datum {
    if is_infinite(v) { Datum::Null } else { Datum::Time(v.rem_euclid(USECS_PER_DAY)) }
}
pub fn is_infinite(v: i64) -> bool {
    v == i64::MIN || v == i64::MAX
}
fn to_local(v: i64, env: &mut dyn Env) -> i64 {
    if is_infinite(v) { v } else { datetime::timestamptz_to_local(v, &env.text_ctx().dt.tz) }
}
pub fn to_instant(v: i64, env: &mut dyn Env) -> Result<i64> {
    if is_infinite(v) { Ok(v) } else { datetime::local_to_timestamptz(v, &env.text_ctx().dt.tz) }
}
/// Seconds west of UTC at an instant.
fn zone_at(v: i64, env: &mut dyn Env) -> i32 {
    -datetime::utc_offset(v, &env.text_ctx().dt.tz)
}
fn scaled(v: i64, m: i32) -> i64 {
    if is_infinite(v) { v } else { datetime::apply_time_typmod(v, m) }
}
fn to_char(v: &str) -> Datum {
    let b = v.as_bytes();
    Datum::Char(match b {
        [b'\\', x @ b'0'..=b'3', y @ b'0'..=b'7', z @ b'0'..=b'7', ..] => {
            (x - b'0') << 6 | (y - b'0') << 3 | (z - b'0')
        }
        _ => b.first().copied().unwrap_or(0),
    })
}
fn char_text(c: u8) -> String {
    match c {
        0 => String::new(),
        c @ 0x80.. => format!("\\{c:03o}"),
        c => (c as char).to_string(),
    }
}

funcs! { pub FUNCS {
    i2toi4 (a: Int2) -> i32::from(*a);
    i4toi2 (a: Int4) => i16::try_from(*a).map(Datum::Int2).map_err(|_| int2_range());
    int28 (a: Int2) -> i64::from(*a);
    int82 (a: Int8) => i16::try_from(*a).map(Datum::Int2).map_err(|_| int2_range());
    int48 (a: Int4) -> i64::from(*a);
    int84 (a: Int8) => i32::try_from(*a).map(Datum::Int4).map_err(|_| int4_range());
    i8tooid (a: Int8) => to_oid(*a);
    oidtoi8 (a: Oid) -> i64::from(*a);
    i2tof (a: Int2) -> Datum::Float4(f32::from(*a));
    i4tof (a: Int4) -> Datum::Float4(*a as f32);
    i8tof (a: Int8) -> Datum::Float4(*a as f32);
    i2tod (a: Int2) -> f64::from(*a);
    i4tod (a: Int4) -> f64::from(*a);
    i8tod (a: Int8) -> *a as f64;
    ftod (a: Float4) -> f64::from(*a);
    dtof (a: Float8) => d_to_f(*a);
    ftoi2 (a: Float4) => f_to_i2(f64::from(*a));
    ftoi4 (a: Float4) => f_to_i4(f64::from(*a));
    ftoi8 (a: Float4) => f_to_i8(f64::from(*a));
    dtoi2 (a: Float8) => f_to_i2(*a);
    dtoi4 (a: Float8) => f_to_i4(*a);
    dtoi8 (a: Float8) => f_to_i8(*a);
    int2_numeric (a: Int2) -> Datum::Numeric(Numeric::from_i64((*a).into()));
    int4_numeric (a: Int4) -> Datum::Numeric(Numeric::from_i64((*a).into()));
    int8_numeric (a: Int8) -> Datum::Numeric(Numeric::from_i64(*a));
    float4_numeric (a: Float4) -> Datum::Numeric(Numeric::from_f32(*a));
    float8_numeric (a: Float8) -> Datum::Numeric(Numeric::from_f64(*a));
    numeric_int2 (a: Numeric) => a.to_i16().map(Datum::Int2);
    numeric_int4 (a: Numeric) => a.to_i32().map(Datum::Int4);
    numeric_int8 (a: Numeric) => a.to_i64().map(Datum::Int8);
    numeric_float4 (a: Numeric) => numeric_to_f4(a);
    numeric_float8 (a: Numeric) => numeric_to_f8(a);
    numeric (a: Numeric, m: Int4) => a.apply_typmod(*m).map(Datum::Numeric);
    bool_int4 (a: Bool) -> i32::from(*a);
    int4_bool (a: Int4) -> *a != 0;
    booltext (a: Bool) -> if *a { "true" } else { "false" };
    char_text (a: Char) -> char_text(*a);
    char_bpchar (a: Char) -> char_text(*a);
    text_char (a: Text) -> to_char(a);
    chartoi4 (a: Char) -> i32::from(*a as i8);
    i4tochar (a: Int4) => match i8::try_from(*a) { Ok(v) => Ok(Datum::Char(v as u8)), Err(_) => Err(err!(NUMERIC_VALUE_OUT_OF_RANGE, "\"char\" out of range")) };
    name_text (a: Text) -> Datum::Text(a.clone());
    name_bpchar (a: Text) -> Datum::Text(a.clone());
    text_name (a: Text) -> to_name(a);
    bpchar_name (a: Text) -> to_name(a.trim_end_matches(' '));
    varchar raw = |_, args, _| match length_args(args) { Some((s, m, e)) => varchar(s, m, e), None => Err(bad_args("varchar", args)) };
    bpchar raw = |_, args, _| match length_args(args) { Some((s, m, e)) => bpchar(s, m, e), None => Err(bad_args("bpchar", args)) };

    date_timestamp (d: Date) => date_to_ts(*d).map(Datum::Timestamp);
    date_timestamptz (_ci env; d: Date) => to_instant(date_to_ts(*d)?, env).map(Datum::TimestampTz);
    timestamp_date (t: Timestamp) -> Datum::Date(ts_to_date(*t));
    timestamptz_date (_ci env; t: TimestampTz) -> Datum::Date(ts_to_date(to_local(*t, env)));
    timestamp_timestamptz (_ci env; t: Timestamp) => to_instant(*t, env).map(Datum::TimestampTz);
    timestamptz_timestamp (_ci env; t: TimestampTz) -> Datum::Timestamp(to_local(*t, env));
    timestamp_time (t: Timestamp) -> ts_time(*t);
    timestamptz_time (_ci env; t: TimestampTz) -> if is_infinite(*t) { Datum::Null } else { ts_time(to_local(*t, env)) };
    timestamptz_timetz (_ci env; t: TimestampTz) -> if is_infinite(*t) { Datum::Null } else {
        Datum::TimeTz(to_local(*t, env).rem_euclid(USECS_PER_DAY), zone_at(*t, env))
    };
    time_timetz (_ci env; t: Time) -> { let now = env.txn_time(); Datum::TimeTz(*t, zone_at(now, env)) };
    timetz_time raw = |_, args, _| match args { [Datum::TimeTz(t, _)] => Ok(Datum::Time(*t)), _ => Err(bad_args("time", args)) };
    time_interval (t: Time) -> Datum::Interval(Interval { months: 0, days: 0, micros: *t });
    interval_time (i: Interval) -> Datum::Time(i.micros.rem_euclid(USECS_PER_DAY));
    timestamp_scale (t: Timestamp, m: Int4) -> Datum::Timestamp(scaled(*t, *m));
    timestamptz_scale (t: TimestampTz, m: Int4) -> Datum::TimestampTz(scaled(*t, *m));
    time_scale (t: Time, m: Int4) -> Datum::Time(datetime::apply_time_typmod(*t, *m));
    timetz_scale raw = |_, args, _| match args {
        [Datum::TimeTz(t, z), Datum::Int4(m)] => Ok(Datum::TimeTz(datetime::apply_time_typmod(*t, *m), *z)),
        _ => Err(bad_args("timetz", args)),
    };
    interval_scale (i: Interval, m: Int4) => datetime::apply_interval_typmod(*i, *m).map(Datum::Interval);
} }
