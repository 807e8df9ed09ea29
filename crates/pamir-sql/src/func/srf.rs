//! Set-returning functions: generate_series, unnest, generate_subscripts, and table forms of split functions.
use super::registry::{bad_args, funcs};
use super::*;
use crate::catalog::acl::{self, Who};
use pamir_types::bail;
use pamir_types::datetime::{self as dt, Interval};
use pamir_types::numeric::Numeric;
use pamir_types::oid;

/// Rows between two looks at a pending cancel.
const CANCEL_EVERY: u32 = 1024;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

fn zero_step<T>() -> Result<T> {
    bail!(INVALID_PARAMETER_VALUE, "step size cannot equal zero")
}
/// start, start + step ... while not past `stop`; ends quietly where the type's range does.
fn series(
    start: i64,
    stop: i64,
    step: i64,
    limit: (i64, i64),
    env: &mut dyn Env,
    row: &mut dyn FnMut(i64) -> Result<()>,
) -> Result<()> {
    if step == 0 {
        return zero_step();
    }
    let (mut v, mut n) = (start, 0u32);
    while if step > 0 { v <= stop } else { v >= stop } {
        row(v)?;
        n = n.wrapping_add(1);
        if n.is_multiple_of(CANCEL_EVERY) {
            env.check_cancel()?;
        }
        match v.checked_add(step) {
            Some(next) if (limit.0..=limit.1).contains(&next) => v = next,
            _ => break,
        }
    }
    Ok(())
}
fn int4_series(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let (a, b, s) = match args {
        [Datum::Int4(a), Datum::Int4(b)] => (*a, *b, 1),
        [Datum::Int4(a), Datum::Int4(b), Datum::Int4(s)] => (*a, *b, *s),
        _ => return Err(bad_args("generate_series", args)),
    };
    series(a.into(), b.into(), s.into(), (i32::MIN.into(), i32::MAX.into()), env, &mut |v| {
        push(vec![Datum::Int4(v as i32)])
    })
}
fn int8_series(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let (a, b, s) = match args {
        [Datum::Int8(a), Datum::Int8(b)] => (*a, *b, 1),
        [Datum::Int8(a), Datum::Int8(b), Datum::Int8(s)] => (*a, *b, *s),
        _ => return Err(bad_args("generate_series", args)),
    };
    series(a, b, s, (i64::MIN, i64::MAX), env, &mut |v| push(vec![Datum::Int8(v)]))
}
fn numeric_series(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let one = Numeric::from_i64(1);
    let (a, b, s) = match args {
        [Datum::Numeric(a), Datum::Numeric(b)] => (a, b, &one),
        [Datum::Numeric(a), Datum::Numeric(b), Datum::Numeric(s)] => (a, b, s),
        _ => return Err(bad_args("generate_series", args)),
    };
    for (v, what) in [(a, "start value"), (b, "stop value"), (s, "step size")] {
        match v {
            Numeric::NaN => bail!(INVALID_PARAMETER_VALUE, "{what} cannot be NaN"),
            Numeric::PosInf | Numeric::NegInf => bail!(INVALID_PARAMETER_VALUE, "{what} cannot be infinity"),
            _ => {}
        }
    }
    if s.is_zero() {
        return zero_step();
    }
    let (up, mut v, mut n) = (s.sign() > 0, a.clone(), 0u32);
    while if up { v <= *b } else { v >= *b } {
        let next = v.add(s);
        push(vec![Datum::Numeric(v)])?;
        v = next;
        n = n.wrapping_add(1);
        if n.is_multiple_of(CANCEL_EVERY) {
            env.check_cancel()?;
        }
    }
    Ok(())
}
fn time_series(args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let (a, b, step, tz) = match args {
        [Datum::Timestamp(a), Datum::Timestamp(b), Datum::Interval(s)] => (*a, *b, s, false),
        [Datum::TimestampTz(a), Datum::TimestampTz(b), Datum::Interval(s)] => (*a, *b, s, true),
        _ => return Err(bad_args("generate_series", args)),
    };
    let sign = dt::interval_cmp_value(step).cmp(&dt::interval_cmp_value(&Interval::default()));
    if sign.is_eq() {
        return zero_step();
    }
    let (mut v, mut n) = (a, 0u32);
    while if sign.is_gt() { v <= b } else { v >= b } {
        push(vec![if tz { Datum::TimestampTz(v) } else { Datum::Timestamp(v) }])?;
        n = n.wrapping_add(1);
        if n.is_multiple_of(CANCEL_EVERY) {
            env.check_cancel()?;
        }
        v = if tz { dt::timestamptz_add(v, step, &env.text_ctx().dt.tz)? } else { dt::timestamp_add(v, step)? };
        if casts::is_infinite(v) {
            env.check_cancel()?;
        }
    }
    Ok(())
}
fn unnest(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Array(a)] = args else { return Err(bad_args("unnest", args)) };
    for d in &a.items {
        push(vec![d.clone()])?;
    }
    Ok(())
}
/// unnest of several arrays in FROM: side by side, the shorter ones filled up with NULLs.
pub const UNNEST_MANY: &str = "pamir_unnest";
/// `SELECT ... FROM a_sequence`: last_value, log_cnt, is_called.
pub const SEQUENCE_STATE: &str = "pamir_sequence_state";
pub static OWN: &[registry::OwnRow] = &[
    registry::OwnRow {
        oid: registry::OWN_OIDS + 61,
        name: UNNEST_MANY,
        args: &[pamir_types::oid::ANY],
        ret: pamir_types::oid::RECORD,
        flags: registry::VARIADIC | registry::SET,
        body: Body::Set(unnest_many),
    },
    registry::OwnRow {
        oid: registry::OWN_OIDS + 63,
        name: SEQUENCE_STATE,
        args: &[pamir_types::oid::OID],
        ret: pamir_types::oid::RECORD,
        flags: registry::VOLATILE | registry::STRICT | registry::SET,
        body: Body::Set(sequence_state),
    },
    // information_schema._pg_expandarray, by the array's type.
    expand_row(64, &[oid::INT2VECTOR]),
    expand_row(65, &[oid::OIDVECTOR]),
    expand_row(66, &[1005]),
    expand_row(67, &[1007]),
    expand_row(68, &[1016]),
    expand_row(69, &[1028]),
    expand_row(70, &[1009]),
    expand_row(71, &[1003]),
];
const fn expand_row(n: Oid, args: &'static [Oid]) -> registry::OwnRow {
    registry::OwnRow {
        oid: registry::OWN_OIDS + n,
        name: "_pg_expandarray",
        args,
        ret: oid::RECORD,
        flags: registry::STRICT | registry::SET,
        body: Body::Set(expand_array),
    }
}
/// OUT columns of Pamir's own functions.
pub fn own_columns(function: Oid) -> &'static [(&'static str, Oid)] {
    match function.wrapping_sub(registry::OWN_OIDS) {
        64 => &[("x", oid::INT2), ("n", oid::INT4)],
        65 => &[("x", oid::OID), ("n", oid::INT4)],
        66 => &[("x", oid::INT2), ("n", oid::INT4)],
        67 => &[("x", oid::INT4), ("n", oid::INT4)],
        68 => &[("x", oid::INT8), ("n", oid::INT4)],
        69 => &[("x", oid::OID), ("n", oid::INT4)],
        70 => &[("x", oid::TEXT), ("n", oid::INT4)],
        71 => &[("x", oid::NAME), ("n", oid::INT4)],
        super::privilege::ACLEXPLODE => {
            &[("grantor", oid::OID), ("grantee", oid::OID), ("privilege_type", oid::TEXT), ("is_grantable", oid::BOOL)]
        }
        _ => &[],
    }
}
/// An array's elements with their places, counted from 1.
fn expand_array(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Array(a)] = args else { return Err(bad_args("_pg_expandarray", args)) };
    for (n, d) in (1..).zip(&a.items) {
        push(vec![d.clone(), Datum::Int4(n)])?;
    }
    Ok(())
}
fn sequence_state(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let [Datum::Oid(o)] = args else { return Err(bad_args(SEQUENCE_STATE, args)) };
    let Some((storage, start)) = env.catalog().sequence(*o).map(|s| (s.storage, s.def.start)) else {
        bail!(UNDEFINED_TABLE, "could not open relation with OID {o}")
    };
    let (c, who) = (env.catalog(), Who::of(env.catalog(), env.scope()));
    if env.scope().user != 0
        && let Some(s) = c.sequence(*o)
        && who.on_sequence(c, s, acl::SELECT) == 0
    {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for sequence {}", s.name);
    }
    // Never used: it stands before its first value.
    let (last, called) = env.shard()?.seq_read(storage)?.unwrap_or((start, false));
    push(vec![Datum::Int8(last), Datum::Int8(0), Datum::Bool(called)])
}
fn unnest_many(_: &CallInfo, args: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    let items = |d: &Datum| match d {
        Datum::Array(a) => a.items.len(),
        _ => 0,
    };
    for i in 0..args.iter().map(items).max().unwrap_or(0) {
        let row = args.iter().map(|d| match d {
            Datum::Array(a) => a.items.get(i).cloned().unwrap_or(Datum::Null),
            _ => Datum::Null,
        });
        push(row.collect())?;
    }
    Ok(())
}
/// PostgreSQL's key words: word, category, bare label?, and both in words.
fn keywords(_: &CallInfo, _: &[Datum], _: &mut dyn Env, push: Push) -> Result<()> {
    for line in include_str!("keywords.tsv").lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let [word, category, bare, described, bare_described] = f.as_slice() else { continue };
        let category = category.bytes().next().unwrap_or(b' ');
        push(vec![
            (*word).into(),
            Datum::Char(category),
            Datum::Bool(*bare == "t"),
            (*described).into(),
            (*bare_described).into(),
        ])?;
    }
    Ok(())
}
fn subscripts(_: &CallInfo, args: &[Datum], env: &mut dyn Env, push: Push) -> Result<()> {
    let (a, dim, reverse) = match args {
        [Datum::Array(a), Datum::Int4(d)] => (a, *d, false),
        [Datum::Array(a), Datum::Int4(d), Datum::Bool(r)] => (a, *d, *r),
        _ => return Err(bad_args("generate_subscripts", args)),
    };
    let Some((len, lower)) = usize::try_from(dim).ok().and_then(|d| a.dims.get(d.wrapping_sub(1))) else {
        return Ok(());
    };
    let (lo, hi) = (i64::from(*lower), i64::from(*lower) + i64::from(*len) - 1);
    let (from, to, step) = if reverse { (hi, lo, -1) } else { (lo, hi, 1) };
    series(from, to, step, (i64::MIN, i64::MAX), env, &mut |v| push(vec![Datum::Int4(v as i32)]))
}

funcs! { pub FUNCS {
    generate_series_int4 set = int4_series;
    generate_series_step_int4 set = int4_series;
    generate_series_int8 set = int8_series;
    generate_series_step_int8 set = int8_series;
    generate_series_numeric set = numeric_series;
    generate_series_step_numeric set = numeric_series;
    generate_series_timestamp set = |_, args, env, push| time_series(args, env, push);
    generate_series_timestamptz set = |_, args, env, push| time_series(args, env, push);
    array_unnest set = unnest;
    pg_get_keywords set = keywords;
    generate_subscripts set = subscripts;
    generate_subscripts_nodir set = subscripts;
    text_to_table set = |_, args, _, push| array::split_each(args, &mut |d| push(vec![d]));
    text_to_table_null set = |_, args, _, push| array::split_each(args, &mut |d| push(vec![d]));
} }
