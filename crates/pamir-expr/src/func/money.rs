//! Functions, operators and casts of money (cash.c), whose values are cents ([`pamir_types::money`]).
//!
//! What leaves 64 bits is an error (22003).
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::numeric::Numeric;
use pamir_types::{bail, err};
use std::cmp::Ordering;

const CENTS: i64 = 10i64.pow(pamir_types::money::DIGITS);

fn order(args: &[Datum], holds: fn(Ordering) -> bool) -> Result<Datum> {
    match args {
        [Datum::Int8(a), Datum::Int8(b)] => Ok(Datum::Bool(holds(a.cmp(b)))),
        _ => Err(bad_args("money comparison", args)),
    }
}
fn out_of_range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "money out of range")
}
fn checked(v: Option<i64>) -> Result<Datum> {
    v.map(Datum::Int8).ok_or_else(out_of_range)
}
/// rint.
fn whole(v: f64) -> Result<Datum> {
    let r = v.round_ties_even();
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&r);
    if fits { Ok(Datum::Int8(r as i64)) } else { Err(out_of_range()) }
}
fn division_by_zero() -> pamir_types::Error {
    err!(DIVISION_BY_ZERO, "division by zero")
}
fn parted(a: i64, by: f64) -> Result<Datum> {
    if by == 0.0 { Err(division_by_zero()) } else { whole(a as f64 / by) }
}
fn shared(a: i64, by: i64) -> Result<Datum> {
    if by == 0 { Err(division_by_zero()) } else { checked(a.checked_div(by)) }
}
fn ratio(a: i64, b: i64) -> Result<Datum> {
    if b == 0 { Err(division_by_zero()) } else { Ok(Datum::Float8(a as f64 / b as f64)) }
}
fn of_dollars(n: i64) -> Result<Datum> {
    match n.checked_mul(CENTS) {
        Some(v) => Ok(Datum::Int8(v)),
        None => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "bigint out of range"),
    }
}
fn of_numeric(n: &Numeric) -> Result<Datum> {
    n.mul(&Numeric::from_i64(CENTS)).to_i64().map(Datum::Int8)
}
fn to_numeric(v: i64) -> Result<Datum> {
    Ok(Datum::Numeric(Numeric::from_i64(v).mul(&Numeric::parse("0.01")?)))
}

/// sum(money), each step of which may leave 64 bits.
pub(super) struct Sum(pub Option<i64>);
impl AggState for Sum {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        let [Datum::Int8(v)] = args else { return Err(bad_args("sum", args)) };
        self.0 = Some(self.0.unwrap_or(0).checked_add(*v).ok_or_else(out_of_range)?);
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(self.0.map_or(Datum::Null, Datum::Int8))
    }
}

const SMALL: [&str; 28] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
];
/// A number below 1000 (num_word).
fn words(n: u64) -> String {
    let small = |n: u64| SMALL.get(n as usize).copied().unwrap_or("");
    let tens = |n: u64| small(n + 18);
    let rest = n % 100;
    if n <= 20 {
        return small(n).into();
    }
    if rest == 0 {
        return format!("{} hundred", small(n / 100));
    }
    let hundreds = if n > 99 { format!("{} hundred ", small(n / 100)) } else { String::new() };
    let and = if n > 99 { "and " } else { "" };
    match rest {
        r if n.is_multiple_of(10) && r > 10 => format!("{hundreds}{}", tens(r / 10)),
        r if r < 20 => format!("{hundreds}{and}{}", small(r)),
        r => format!("{hundreds}{} {}", tens(r / 10), small(r % 10)),
    }
}
/// cash_words: `One hundred twenty three dollars and forty five cents`.
fn in_words(v: i64) -> String {
    let cents = v.unsigned_abs();
    let mut out = String::from(if v < 0 { "minus " } else { "" });
    let sign = out.len();
    let dollars = cents / 100;
    for (power, name) in [(5, "quadrillion"), (4, "trillion"), (3, "billion"), (2, "million"), (1, "thousand")]
        .map(|(p, n)| (1000u64.pow(p), n))
    {
        let part = dollars / power % 1000;
        if part != 0 {
            out.push_str(&format!("{} {name} ", words(part)));
        }
    }
    if !dollars.is_multiple_of(1000) {
        out.push_str(&words(dollars % 1000));
    }
    if out.len() == sign {
        out.push_str("zero");
    }
    out.push_str(if dollars == 1 { " dollar and " } else { " dollars and " });
    out.push_str(&words(cents % 100));
    out.push_str(if cents % 100 == 1 { " cent" } else { " cents" });
    out[..1].to_ascii_uppercase() + &out[1..]
}

funcs! { pub FUNCS {
    cash_eq raw = |_, a, _| order(a, Ordering::is_eq);
    cash_ne raw = |_, a, _| order(a, Ordering::is_ne);
    cash_lt raw = |_, a, _| order(a, Ordering::is_lt);
    cash_le raw = |_, a, _| order(a, Ordering::is_le);
    cash_gt raw = |_, a, _| order(a, Ordering::is_gt);
    cash_ge raw = |_, a, _| order(a, Ordering::is_ge);
    cash_cmp (a: Int8, b: Int8) -> a.cmp(b) as i32;
    cash_pl (a: Int8, b: Int8) => checked(a.checked_add(*b));
    cash_mi (a: Int8, b: Int8) => checked(a.checked_sub(*b));
    cash_div_cash (a: Int8, b: Int8) => ratio(*a, *b);
    cash_mul_flt8 (a: Int8, f: Float8) => whole(*a as f64 * f);
    flt8_mul_cash (f: Float8, a: Int8) => whole(f * *a as f64);
    cash_div_flt8 (a: Int8, f: Float8) => parted(*a, *f);
    cash_mul_flt4 (a: Int8, f: Float4) => whole(*a as f64 * f64::from(*f));
    flt4_mul_cash (f: Float4, a: Int8) => whole(f64::from(*f) * *a as f64);
    cash_div_flt4 (a: Int8, f: Float4) => parted(*a, f64::from(*f));
    cash_mul_int8 (a: Int8, n: Int8) => checked(a.checked_mul(*n));
    int8_mul_cash (n: Int8, a: Int8) => checked(a.checked_mul(*n));
    cash_div_int8 (a: Int8, n: Int8) => shared(*a, *n);
    cash_mul_int4 (a: Int8, n: Int4) => checked(a.checked_mul(i64::from(*n)));
    int4_mul_cash (n: Int4, a: Int8) => checked(a.checked_mul(i64::from(*n)));
    cash_div_int4 (a: Int8, n: Int4) => shared(*a, i64::from(*n));
    cash_mul_int2 (a: Int8, n: Int2) => checked(a.checked_mul(i64::from(*n)));
    int2_mul_cash (n: Int2, a: Int8) => checked(a.checked_mul(i64::from(*n)));
    cash_div_int2 (a: Int8, n: Int2) => shared(*a, i64::from(*n));
    cashlarger (a: Int8, b: Int8) -> *a.max(b);
    cashsmaller (a: Int8, b: Int8) -> *a.min(b);
    cash_words (a: Int8) -> in_words(*a);
    cash_numeric (a: Int8) => to_numeric(*a);
    numeric_cash (n: Numeric) => of_numeric(n);
    int4_cash (n: Int4) => of_dollars(i64::from(*n));
    int8_cash (n: Int8) => of_dollars(*n);
} }
