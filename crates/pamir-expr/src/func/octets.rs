//! Functions and operators of pg_lsn, xid8, macaddr and macaddr8 (pg_lsn.c, xid.c, mac.c, mac8.c), whose values are bytes ([`pamir_types::octets`]).
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::numeric::Numeric;
use pamir_types::octets::{mac_of_mac8, number};
use pamir_types::{bail, err};
use std::cmp::Ordering;

fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(Datum::Bool(holds(a.cmp(b)))),
        _ => Err(bad_args("comparison", args)),
    }
}
fn compared(args: &[Datum]) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(Datum::Int4(a.cmp(b) as i32)),
        _ => Err(bad_args("comparison", args)),
    }
}
fn outer(args: &[Datum], wanted: Ordering) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(if a.cmp(b) == wanted { args[0].clone() } else { args[1].clone() }),
        _ => Err(bad_args("larger", args)),
    }
}
fn bytes(v: Vec<u8>) -> Datum {
    Datum::Bytea(v.into())
}
fn each(args: &[Datum], f: impl Fn(usize, u8) -> u8) -> Result<Datum> {
    match args {
        [Datum::Bytea(a)] => Ok(bytes(a.iter().enumerate().map(|(i, b)| f(i, *b)).collect())),
        _ => Err(bad_args("macaddr", args)),
    }
}
fn both(args: &[Datum], f: impl Fn(u8, u8) -> u8) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(bytes(a.iter().zip(b.iter()).map(|(a, b)| f(*a, *b)).collect())),
        _ => Err(bad_args("macaddr", args)),
    }
}
/// The number of the place in the log.
fn place(v: &[u8]) -> Numeric {
    Numeric::from_i128(i128::from(number(v)))
}
fn lsn(n: &Numeric) -> Result<Datum> {
    if n.is_nan() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot convert NaN to pg_lsn");
    }
    if n.to_f64().is_infinite() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot convert infinity to pg_lsn");
    }
    let out = || err!(INVALID_PARAMETER_VALUE, "pg_lsn out of range");
    let mut text = Vec::new();
    n.round(0).format(&mut text);
    let v: u64 = std::str::from_utf8(&text).ok().and_then(|s| s.parse().ok()).ok_or_else(out)?;
    Ok(bytes(v.to_be_bytes().to_vec()))
}
fn moved(at: &[u8], by: &Numeric, forward: bool) -> Result<Datum> {
    if by.is_nan() {
        let how = if forward { "add NaN to" } else { "subtract NaN from" };
        bail!(FEATURE_NOT_SUPPORTED, "cannot {how} pg_lsn");
    }
    lsn(&if forward { place(at).add(by) } else { place(at).sub(by) })
}

funcs! { pub FUNCS {
    pg_lsn_eq raw = |_, a, _| order(a, Ordering::is_eq);
    pg_lsn_ne raw = |_, a, _| order(a, Ordering::is_ne);
    pg_lsn_lt raw = |_, a, _| order(a, Ordering::is_lt);
    pg_lsn_le raw = |_, a, _| order(a, Ordering::is_le);
    pg_lsn_gt raw = |_, a, _| order(a, Ordering::is_gt);
    pg_lsn_ge raw = |_, a, _| order(a, Ordering::is_ge);
    pg_lsn_cmp raw = |_, a, _| compared(a);
    pg_lsn_larger raw = |_, a, _| outer(a, Ordering::Greater);
    pg_lsn_smaller raw = |_, a, _| outer(a, Ordering::Less);
    pg_lsn_mi (a: Bytea, b: Bytea) => Ok(Datum::Numeric(place(a).sub(&place(b))));
    pg_wal_lsn_diff (a: Bytea, b: Bytea) => Ok(Datum::Numeric(place(a).sub(&place(b))));
    pg_lsn_pli (a: Bytea, n: Numeric) => moved(a, n, true);
    pg_lsn_mii (a: Bytea, n: Numeric) => moved(a, n, false);
    numeric_pl_pg_lsn_5023 (n: Numeric, a: Bytea) => moved(a, n, true);
    numeric_pg_lsn (n: Numeric) => lsn(n);
    xid8eq raw = |_, a, _| order(a, Ordering::is_eq);
    xid8ne raw = |_, a, _| order(a, Ordering::is_ne);
    xid8lt raw = |_, a, _| order(a, Ordering::is_lt);
    xid8le raw = |_, a, _| order(a, Ordering::is_le);
    xid8gt raw = |_, a, _| order(a, Ordering::is_gt);
    xid8ge raw = |_, a, _| order(a, Ordering::is_ge);
    xid8cmp raw = |_, a, _| compared(a);
    xid8_larger raw = |_, a, _| outer(a, Ordering::Greater);
    xid8_smaller raw = |_, a, _| outer(a, Ordering::Less);
    xid8toxid (a: Bytea) -> Datum::Oid(number(a) as u32);
    macaddr_eq raw = |_, a, _| order(a, Ordering::is_eq);
    macaddr_ne raw = |_, a, _| order(a, Ordering::is_ne);
    macaddr_lt raw = |_, a, _| order(a, Ordering::is_lt);
    macaddr_le raw = |_, a, _| order(a, Ordering::is_le);
    macaddr_gt raw = |_, a, _| order(a, Ordering::is_gt);
    macaddr_ge raw = |_, a, _| order(a, Ordering::is_ge);
    macaddr_cmp raw = |_, a, _| compared(a);
    macaddr_not raw = |_, a, _| each(a, |_, b| !b);
    macaddr_and raw = |_, a, _| both(a, |a, b| a & b);
    macaddr_or raw = |_, a, _| both(a, |a, b| a | b);
    macaddr_trunc raw = |_, a, _| each(a, |i, b| if i < 3 { b } else { 0 });
    macaddrtomacaddr8 (a: Bytea) -> match a.split_at_checked(3) { Some((x, y)) => bytes([x, &[0xff, 0xfe], y].concat()), None => Datum::Null };
    macaddr8_eq raw = |_, a, _| order(a, Ordering::is_eq);
    macaddr8_ne raw = |_, a, _| order(a, Ordering::is_ne);
    macaddr8_lt raw = |_, a, _| order(a, Ordering::is_lt);
    macaddr8_le raw = |_, a, _| order(a, Ordering::is_le);
    macaddr8_gt raw = |_, a, _| order(a, Ordering::is_gt);
    macaddr8_ge raw = |_, a, _| order(a, Ordering::is_ge);
    macaddr8_cmp raw = |_, a, _| compared(a);
    macaddr8_not raw = |_, a, _| each(a, |_, b| !b);
    macaddr8_and raw = |_, a, _| both(a, |a, b| a & b);
    macaddr8_or raw = |_, a, _| both(a, |a, b| a | b);
    macaddr8_trunc raw = |_, a, _| each(a, |i, b| if i < 3 { b } else { 0 });
    macaddr8_set7bit raw = |_, a, _| each(a, |i, b| if i == 0 { b | 2 } else { b });
    macaddr8tomacaddr (a: Bytea) => mac_of_mac8(a).map(bytes);
} }
