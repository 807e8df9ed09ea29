//! Functions and operators of bit and bit varying (varbit.c): what they do to bits is [`pamir_types::bits`]'.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::bits::Bits;
use pamir_types::{bail, oid};
use std::cmp::Ordering;

fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [Datum::Bits(a), Datum::Bits(b)] => Ok(Datum::Bool(holds(a.compare(b)))),
        _ => Err(bad_args("bit comparison", args)),
    }
}
/// By an index that there is (2202E).
fn index(b: &Bits, i: i32) -> Result<usize> {
    match usize::try_from(i) {
        Ok(n) if n < b.len() => Ok(n),
        _ => bail!(ARRAY_SUBSCRIPT_ERROR, "bit index {i} out of valid range (0..{})", b.len() as i64 - 1),
    }
}
/// bitsubstring; no length: to the end.
fn substring(b: &Bits, from: i32, len: Option<i32>) -> Result<Bits> {
    let end = match len {
        None => i64::MAX,
        Some(n) if n < 0 => bail!(SUBSTRING_ERROR, "negative substring length not allowed"),
        Some(n) => i64::from(from) + i64::from(n),
    };
    let begin = i64::from(from).max(1);
    Ok(if end <= begin { b.slice(0, 0) } else { b.slice(begin as usize - 1, (end - 1).min(b.len() as i64) as usize) })
}
fn overlay(a: &Bits, b: &Bits, from: i32, len: i32) -> Result<Bits> {
    if from <= 0 {
        bail!(SUBSTRING_ERROR, "negative substring length not allowed");
    }
    let Some(rest) = from.checked_add(len) else {
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range");
    };
    substring(a, 1, Some(from - 1))?.concat(b)?.concat(&substring(a, rest, None)?)
}
fn shift(b: &Bits, by: i64) -> Bits {
    match by {
        0.. => b.shifted_left(by as usize),
        _ => b.shifted_right(by.unsigned_abs() as usize),
    }
}
fn to_length(args: &[Datum], of: Oid) -> Result<Datum> {
    match args {
        [Datum::Bits(b), Datum::Int4(n), Datum::Bool(explicit)] => {
            let b: Bits = (**b).clone();
            Ok(b.apply_typmod(Type::with_mod(of, *n), *explicit)?.into())
        }
        _ => Err(bad_args("bit", args)),
    }
}
fn of_number(v: i64, len: i32) -> Result<Datum> {
    const MAX: i32 = i32::MAX - 8;
    let len = if (1..=MAX).contains(&len) { len } else { 1 };
    Ok(Bits::of_number(v, len as usize)?.into())
}
fn number(b: &Bits, digits: usize, name: &str) -> Result<u64> {
    if b.len() > digits {
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "{name} out of range");
    }
    Ok(b.number())
}

funcs! { pub FUNCS {
    biteq raw = |_, a, _| order(a, Ordering::is_eq);
    bitne raw = |_, a, _| order(a, Ordering::is_ne);
    bitlt raw = |_, a, _| order(a, Ordering::is_lt);
    bitle raw = |_, a, _| order(a, Ordering::is_le);
    bitgt raw = |_, a, _| order(a, Ordering::is_gt);
    bitge raw = |_, a, _| order(a, Ordering::is_ge);
    bitcmp (a: Bits, b: Bits) -> a.compare(b) as i32;
    bit_and (a: Bits, b: Bits) => Ok(a.combine(b, "AND", |a, b| a & b)?.into());
    bit_or (a: Bits, b: Bits) => Ok(a.combine(b, "OR", |a, b| a | b)?.into());
    bitxor (a: Bits, b: Bits) => Ok(a.combine(b, "XOR", |a, b| a ^ b)?.into());
    bitnot (a: Bits) -> a.complement();
    bitcat (a: Bits, b: Bits) => Ok(a.concat(b)?.into());
    bitshiftleft (a: Bits, n: Int4) -> shift(a, i64::from(*n));
    bitshiftright (a: Bits, n: Int4) -> shift(a, -i64::from(*n));
    bitlength (a: Bits) -> a.len() as i32;
    bit_length_1812 (a: Bits) -> a.len() as i32;
    bitoctetlength (a: Bits) -> a.bytes().len() as i32;
    bit_bit_count (a: Bits) -> a.count();
    bitgetbit (a: Bits, n: Int4) -> i32::from(a.get(index(a, *n)?));
    bitsetbit (a: Bits, n: Int4, v: Int4) => {
        let at = index(a, *n)?;
        if !(0..=1).contains(v) {
            bail!(INVALID_PARAMETER_VALUE, "new bit must be 0 or 1");
        }
        let mut out: Bits = (**a).clone();
        out.set(at, *v == 1);
        Ok(out.into())
    };
    bitsubstr (a: Bits, from: Int4, len: Int4) => Ok(substring(a, *from, Some(*len))?.into());
    bitsubstr_no_len (a: Bits, from: Int4) => Ok(substring(a, *from, None)?.into());
    bitoverlay (a: Bits, b: Bits, from: Int4, len: Int4) => Ok(overlay(a, b, *from, *len)?.into());
    bitoverlay_no_len (a: Bits, b: Bits, from: Int4) => Ok(overlay(a, b, *from, b.len() as i32)?.into());
    bitposition (a: Bits, b: Bits) => Ok(Datum::Int4(a.position(b)? as i32));
    bit raw = |_, a, _| to_length(a, oid::BIT);
    varbit raw = |_, a, _| to_length(a, oid::VARBIT);
    bitfromint4 (a: Int4, n: Int4) => of_number(i64::from(*a), *n);
    bitfromint8 (a: Int8, n: Int4) => of_number(*a, *n);
    bittoint4 (a: Bits) => Ok(Datum::Int4(number(a, 32, "integer")? as u32 as i32));
    bittoint8 (a: Bits) => Ok(Datum::Int8(number(a, 64, "bigint")? as i64));
} }
