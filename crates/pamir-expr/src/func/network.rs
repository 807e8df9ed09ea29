//! Functions and operators of inet and cidr (network.c): what an address is, is [`pamir_types::network`]'s.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::network::{Inet, V4, corrupt};
use pamir_types::{bail, err};
use std::cmp::Ordering;

fn taken(v: &[u8]) -> Result<Inet> {
    Inet::unpack(v).ok_or_else(corrupt)
}
fn value(v: Inet) -> Datum {
    Datum::Bytea(v.pack().into())
}
fn one<T: Into<Datum>>(args: &[Datum], f: impl Fn(Inet) -> T) -> Result<Datum> {
    match args {
        [Datum::Bytea(a)] => Ok(f(taken(a)?).into()),
        _ => Err(bad_args("network function", args)),
    }
}
fn two(args: &[Datum]) -> Result<(Inet, Inet)> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok((taken(a)?, taken(b)?)),
        _ => Err(bad_args("network operator", args)),
    }
}
fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(Datum::Bool(holds(a.cmp(b)))),
        _ => Err(bad_args("network comparison", args)),
    }
}
fn outer(args: &[Datum], wanted: Ordering) -> Result<Datum> {
    match args {
        [Datum::Bytea(a), Datum::Bytea(b)] => Ok(if a.cmp(b) == wanted { args[0].clone() } else { args[1].clone() }),
        _ => Err(bad_args("larger", args)),
    }
}
fn related(args: &[Datum], holds: impl Fn(&Inet, &Inet) -> bool) -> Result<Datum> {
    let (a, b) = two(args)?;
    Ok(Datum::Bool(holds(&a, &b)))
}
fn overlap(a: &Inet, b: &Inet) -> bool {
    let bits = a.bits.min(b.bits);
    a.family == b.family && a.common_bits(b, bits) == bits
}
fn combine(args: &[Datum], name: &str, f: impl Fn(u8, u8) -> u8) -> Result<Datum> {
    let (a, b) = two(args)?;
    if a.family != b.family {
        bail!(INVALID_PARAMETER_VALUE, "cannot {name} inet values of different sizes");
    }
    let octets: Vec<u8> = a.octets().iter().zip(b.octets()).map(|(a, b)| f(*a, *b)).collect();
    Ok(value(Inet::new(a.family, a.bits.max(b.bits), &octets)))
}
fn number(a: &Inet) -> u128 {
    a.octets().iter().fold(0, |n, o| n << 8 | u128::from(*o))
}
fn out_of_range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "result is out of range")
}
fn moved(a: &[u8], by: i128) -> Result<Datum> {
    let a = taken(a)?;
    let v = number(&a).checked_add_signed(by).ok_or_else(out_of_range)?;
    if a.family == V4 && v > u128::from(u32::MAX) {
        return Err(out_of_range());
    }
    Ok(value(Inet::new(a.family, a.bits, &v.to_be_bytes()[16 - a.size()..])))
}
fn distance(args: &[Datum]) -> Result<Datum> {
    let (a, b) = two(args)?;
    if a.family != b.family {
        bail!(INVALID_PARAMETER_VALUE, "cannot subtract inet values of different sizes");
    }
    let (x, y) = (number(&a), number(&b));
    let size = x.abs_diff(y);
    let v = match i128::try_from(size) {
        Ok(v) if x >= y => v,
        Ok(v) => -v,
        Err(_) => return Err(out_of_range()),
    };
    i64::try_from(v).map(Datum::Int8).map_err(|_| out_of_range())
}
fn with_length(args: &[Datum], cidr: bool) -> Result<Datum> {
    let [Datum::Bytea(a), Datum::Int4(n)] = args else { return Err(bad_args("set_masklen", args)) };
    let a = taken(a)?;
    let bits = match u8::try_from(*n) {
        Ok(bits) if bits <= a.max_bits() => bits,
        _ if *n == -1 => a.max_bits(),
        _ => bail!(INVALID_PARAMETER_VALUE, "invalid mask length: {n}"),
    };
    let v = a.with_bits(bits);
    Ok(value(if cidr { v.network() } else { v }))
}
fn merge(args: &[Datum]) -> Result<Datum> {
    let (a, b) = two(args)?;
    if a.family != b.family {
        bail!(INVALID_PARAMETER_VALUE, "cannot merge addresses from different families");
    }
    let bits = a.common_bits(&b, a.bits.min(b.bits));
    Ok(value(a.with_bits(bits).network()))
}
fn whole(v: Inet) -> Inet {
    v.with_bits(v.max_bits())
}

funcs! { pub FUNCS {
    network_eq raw = |_, a, _| order(a, Ordering::is_eq);
    network_ne raw = |_, a, _| order(a, Ordering::is_ne);
    network_lt raw = |_, a, _| order(a, Ordering::is_lt);
    network_le raw = |_, a, _| order(a, Ordering::is_le);
    network_gt raw = |_, a, _| order(a, Ordering::is_gt);
    network_ge raw = |_, a, _| order(a, Ordering::is_ge);
    network_cmp (a: Bytea, b: Bytea) -> a.cmp(b) as i32;
    network_larger raw = |_, a, _| outer(a, Ordering::Greater);
    network_smaller raw = |_, a, _| outer(a, Ordering::Less);
    network_sub raw = |_, a, _| related(a, |a, b| a.within(b, true));
    network_subeq raw = |_, a, _| related(a, |a, b| a.within(b, false));
    network_sup raw = |_, a, _| related(a, |a, b| b.within(a, true));
    network_supeq raw = |_, a, _| related(a, |a, b| b.within(a, false));
    network_overlap raw = |_, a, _| related(a, overlap);
    inet_same_family raw = |_, a, _| related(a, |a, b| a.family == b.family);
    inet_merge raw = |_, a, _| merge(a);
    inet_abbrev raw = |_, a, _| one(a, |v| v.short());
    cidr_abbrev raw = |_, a, _| one(a, |v| v.abbreviated());
    network_host raw = |_, a, _| one(a, |v| v.host());
    network_show raw = |_, a, _| one(a, |v| v.full());
    network_family raw = |_, a, _| one(a, |v| if v.family == V4 { 4 } else { 6 });
    network_masklen raw = |_, a, _| one(a, |v| i32::from(v.bits));
    network_broadcast raw = |_, a, _| one(a, |v| value(v.map(|a, m| a | !m)));
    network_network raw = |_, a, _| one(a, |v| value(v.network()));
    network_netmask raw = |_, a, _| one(a, |v| value(whole(v.map(|_, m| m))));
    network_hostmask raw = |_, a, _| one(a, |v| value(whole(v.map(|_, m| !m))));
    inet_to_cidr raw = |_, a, _| one(a, |v| value(v.network()));
    inet_set_masklen raw = |_, a, _| with_length(a, false);
    cidr_set_masklen raw = |_, a, _| with_length(a, true);
    inetnot raw = |_, a, _| one(a, |v| value(v.map(|a, _| !a)));
    inetand raw = |_, a, _| combine(a, "AND", |a, b| a & b);
    inetor raw = |_, a, _| combine(a, "OR", |a, b| a | b);
    inetpl (a: Bytea, n: Int8) => moved(a, i128::from(*n));
    inetmi_int8 (a: Bytea, n: Int8) => moved(a, i128::from(n.wrapping_neg()));
    int8pl_inet_2631 (n: Int8, a: Bytea) => moved(a, i128::from(*n));
    inetmi raw = |_, a, _| distance(a);
} }
