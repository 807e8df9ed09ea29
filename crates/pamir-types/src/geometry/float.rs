//! Arithmetic and comparisons of geometry (float.h, geo_decls.h).
use crate::{Error, Result, err};

/// Numbers that differ by this much are one number.
pub const EPSILON: f64 = 1.0e-6;

pub fn zero(a: f64) -> bool {
    a.abs() <= EPSILON
}
pub fn eq(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= EPSILON
}
/// Not the opposite of [`eq`] where there is no number.
pub fn ne(a: f64, b: f64) -> bool {
    a != b && (a - b).abs() > EPSILON
}
pub fn lt(a: f64, b: f64) -> bool {
    a + EPSILON < b
}
pub fn le(a: f64, b: f64) -> bool {
    a <= b + EPSILON
}
pub fn gt(a: f64, b: f64) -> bool {
    a > b + EPSILON
}
pub fn ge(a: f64, b: f64) -> bool {
    a + EPSILON >= b
}

#[cold]
fn overflow() -> Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow")
}
#[cold]
fn underflow() -> Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow")
}
fn checked(v: f64, overflows: bool, underflows: bool) -> Result<f64> {
    match v {
        v if v.is_infinite() && overflows => Err(overflow()),
        0.0 if underflows => Err(underflow()),
        v => Ok(v),
    }
}
pub fn add(a: f64, b: f64) -> Result<f64> {
    checked(a + b, a.is_finite() && b.is_finite(), false)
}
pub fn sub(a: f64, b: f64) -> Result<f64> {
    checked(a - b, a.is_finite() && b.is_finite(), false)
}
pub fn mul(a: f64, b: f64) -> Result<f64> {
    checked(a * b, !a.is_infinite() && !b.is_infinite(), a != 0.0 && b != 0.0)
}
pub fn div(a: f64, b: f64) -> Result<f64> {
    if b == 0.0 && !a.is_nan() {
        return Err(err!(DIVISION_BY_ZERO, "division by zero"));
    }
    checked(a / b, !a.is_infinite(), a != 0.0 && !b.is_infinite())
}
/// pg_hypot
pub fn hypot(x: f64, y: f64) -> Result<f64> {
    if x.is_infinite() || y.is_infinite() {
        return Ok(f64::INFINITY);
    }
    if x.is_nan() || y.is_nan() {
        return Ok(f64::NAN);
    }
    let (x, y) = (x.abs(), y.abs());
    let (x, y) = if x < y { (y, x) } else { (x, y) };
    if y == 0.0 {
        return Ok(x);
    }
    let yx = y / x;
    checked(x * (1.0 + yx * yx).sqrt(), true, true)
}
/// Equal as PostgreSQL's floats are: NaN is one value.
pub fn same(a: f64, b: f64) -> bool {
    if a.is_nan() { b.is_nan() } else { a == b }
}
/// Less as PostgreSQL's floats are: NaN is the greatest.
pub fn less(a: f64, b: f64) -> bool {
    !a.is_nan() && (b.is_nan() || a < b)
}
pub fn min(a: f64, b: f64) -> f64 {
    if less(a, b) { a } else { b }
}
pub fn max(a: f64, b: f64) -> f64 {
    if less(b, a) { a } else { b }
}
