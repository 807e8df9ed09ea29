//! Mathematical functions over floats, numerics and integers (float.c, numeric.c, int.c).
use super::arith::{int4_range, int8_range, overflow, underflow};
use super::compare::float_cmp;
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::numeric::Numeric;
use pamir_types::{bail, err};

/// The greatest argument of factorial() whose result numeric can hold in PostgreSQL.
const MAX_FACTORIAL: i64 = 32177;

fn range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "input is out of range")
}
/// A result that must not be infinite or vanish where the argument was ordinary.
fn checked(r: f64, finite_in: bool, zero_ok: bool) -> Result<Datum> {
    if r.is_infinite() && finite_in {
        return Err(overflow());
    }
    if r == 0.0 && !zero_ok {
        return Err(underflow());
    }
    Ok(Datum::Float8(r))
}
fn sqrt(a: f64) -> Result<Datum> {
    if a < 0.0 {
        bail!(INVALID_ARGUMENT_FOR_POWER, "cannot take square root of a negative number");
    }
    Ok(Datum::Float8(a.sqrt()))
}
fn log(a: f64, f: fn(f64) -> f64) -> Result<Datum> {
    if a == 0.0 {
        bail!(INVALID_ARGUMENT_FOR_LOG, "cannot take logarithm of zero");
    }
    if a < 0.0 {
        bail!(INVALID_ARGUMENT_FOR_LOG, "cannot take logarithm of a negative number");
    }
    checked(f(a), a.is_finite(), true)
}
fn power(a: f64, b: f64) -> Result<Datum> {
    if a.is_nan() || b.is_nan() {
        // NaN ^ 0 = 1, 1 ^ NaN = 1
        return Ok(Datum::Float8(if b == 0.0 || a == 1.0 { 1.0 } else { f64::NAN }));
    }
    if a == 0.0 && b < 0.0 {
        bail!(INVALID_ARGUMENT_FOR_POWER, "zero raised to a negative power is undefined");
    }
    if a < 0.0 && b.floor() != b {
        bail!(INVALID_ARGUMENT_FOR_POWER, "a negative number raised to a non-integer power yields a complex result");
    }
    let r = a.powf(b);
    checked(r, a.is_finite() && b.is_finite(), a == 0.0 || a.is_infinite() || b.is_infinite())
}
fn trig(a: f64, f: fn(f64) -> f64) -> Result<Datum> {
    if a.is_infinite() { Err(range()) } else { Ok(Datum::Float8(f(a))) }
}
fn arc(a: f64, f: fn(f64) -> f64) -> Result<Datum> {
    if (-1.0..=1.0).contains(&a) || a.is_nan() { Ok(Datum::Float8(f(a))) } else { Err(range()) }
}
/// Exact at multiples of 30 and 45 degrees, as PostgreSQL's sind and friends.
fn sind(a: f64) -> f64 {
    let r = a % 360.0;
    let (r, sign) = if r < 0.0 { (-r, -1.0) } else { (r, 1.0) };
    let (r, sign) = if r > 180.0 { (360.0 - r, -sign) } else { (r, sign) };
    let r = if r > 90.0 { 180.0 - r } else { r };
    let v = match r {
        0.0 => 0.0,
        30.0 => 0.5,
        90.0 => 1.0,
        r if r <= 45.0 => r.to_radians().sin(),
        r => (90.0 - r).to_radians().cos(),
    };
    sign * v
}
fn cosd(a: f64) -> f64 {
    let r = (a % 360.0).abs();
    let r = if r > 180.0 { 360.0 - r } else { r };
    let (r, sign) = if r > 90.0 { (180.0 - r, -1.0) } else { (r, 1.0) };
    let v = match r {
        0.0 => 1.0,
        60.0 => 0.5,
        90.0 => 0.0,
        r if r <= 45.0 => r.to_radians().cos(),
        r => (90.0 - r).to_radians().sin(),
    };
    sign * v
}
fn tand(a: f64) -> f64 {
    match a % 180.0 {
        r if r == 45.0 || r == -135.0 => 1.0,
        r if r == 135.0 || r == -45.0 => -1.0,
        _ => no_minus_zero(sind(a) / cosd(a)),
    }
}
fn cotd(a: f64) -> f64 {
    match a % 180.0 {
        r if r.abs() == 45.0 || r.abs() == 135.0 => 1.0 / tand(a),
        _ => no_minus_zero(cosd(a) / sind(a)),
    }
}
fn no_minus_zero(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { v }
}
/// Inverse functions in degrees, exact where the forward ones are.
fn degrees_exact(v: f64) -> f64 {
    let d = v.to_degrees();
    let r = d.round();
    if (d - r).abs() < 1e-13 { r } else { d }
}
fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
fn lcm(a: i128, b: i128) -> i128 {
    if a == 0 || b == 0 { 0 } else { (a / gcd(a, b) * b).abs() }
}
fn narrow4(v: i128) -> Result<Datum> {
    i32::try_from(v).map(Datum::Int4).map_err(|_| int4_range())
}
fn narrow8(v: i128) -> Result<Datum> {
    i64::try_from(v).map(Datum::Int8).map_err(|_| int8_range())
}
fn finite(n: &Numeric) -> bool {
    matches!(n, Numeric::Small(..) | Numeric::Big(_))
}
fn numeric_gcd(a: &Numeric, b: &Numeric) -> Result<Numeric> {
    if !finite(a) || !finite(b) {
        return Ok(Numeric::NaN);
    }
    let scale = i32::from(a.scale().max(b.scale()));
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        let r = a.rem(&b)?;
        (a, b) = (b, r);
    }
    Ok(a.round(scale))
}
fn numeric_lcm(a: &Numeric, b: &Numeric) -> Result<Numeric> {
    if !finite(a) || !finite(b) {
        return Ok(Numeric::NaN);
    }
    let scale = i32::from(a.scale().max(b.scale()));
    if a.is_zero() || b.is_zero() {
        return Ok(Numeric::from_i64(0).round(scale));
    }
    a.div_trunc(&numeric_gcd(a, b)?)?.mul(b).abs().round(scale).check()
}
fn factorial(n: i64) -> Result<Datum> {
    if n < 0 {
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "factorial of a negative number is undefined");
    }
    if n > MAX_FACTORIAL {
        bail!(NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format");
    }
    let mut r = Numeric::from_i64(1);
    for i in 2..=n {
        r = r.mul(&Numeric::from_i64(i));
    }
    Ok(Datum::Numeric(r))
}
fn bucket_error(msg: &str) -> pamir_types::Error {
    err!(INVALID_ARGUMENT_FOR_WIDTH_BUCKET, "{msg}")
}
fn width_bucket(x: f64, lo: f64, hi: f64, n: i32) -> Result<Datum> {
    if n <= 0 {
        return Err(bucket_error("count must be greater than zero"));
    }
    if x.is_nan() || lo.is_nan() || hi.is_nan() {
        return Err(bucket_error("operand, lower bound, and upper bound cannot be NaN"));
    }
    if lo.is_infinite() || hi.is_infinite() {
        return Err(bucket_error("lower and upper bounds must be finite"));
    }
    if lo == hi {
        return Err(bucket_error("lower bound cannot equal upper bound"));
    }
    let (below, above) = if lo < hi { (x < lo, x >= hi) } else { (x > lo, x <= hi) };
    if below {
        return Ok(Datum::Int4(0));
    }
    if above {
        return n.checked_add(1).map(Datum::Int4).ok_or_else(int4_range);
    }
    let share = (x / 2.0 - lo / 2.0) / (hi / 2.0 - lo / 2.0);
    Ok(Datum::Int4(((f64::from(n) * share) as i32).min(n - 1) + 1))
}
fn width_bucket_numeric(x: &Numeric, lo: &Numeric, hi: &Numeric, n: i32) -> Result<Datum> {
    if n <= 0 {
        return Err(bucket_error("count must be greater than zero"));
    }
    if x.is_nan() || lo.is_nan() || hi.is_nan() {
        return Err(bucket_error("operand, lower bound, and upper bound cannot be NaN"));
    }
    if !finite(lo) || !finite(hi) {
        return Err(bucket_error("lower and upper bounds must be finite"));
    }
    if lo == hi {
        return Err(bucket_error("lower bound cannot equal upper bound"));
    }
    let (below, above) = if lo < hi { (x < lo, x >= hi) } else { (x > lo, x <= hi) };
    if below {
        return Ok(Datum::Int4(0));
    }
    if above {
        return n.checked_add(1).map(Datum::Int4).ok_or_else(int4_range);
    }
    let q = x.sub(lo).mul(&Numeric::from_i64(i64::from(n))).div_trunc(&hi.sub(lo))?;
    Ok(Datum::Int4(q.floor().to_i32()?.min(n - 1) + 1))
}
fn width_bucket_array(args: &[Datum]) -> Result<Datum> {
    let [x, Datum::Array(a)] = args else { return Err(bad_args("width_bucket", args)) };
    if a.dims.len() > 1 {
        bail!(ARRAY_SUBSCRIPT_ERROR, "thresholds must be one-dimensional array");
    }
    if a.items.iter().any(Datum::is_null) {
        bail!(NULL_VALUE_NOT_ALLOWED, "thresholds array must not contain NULLs");
    }
    Ok(Datum::Int4(a.items.partition_point(|t| pamir_types::cmp::compare(t, x).is_le()) as i32))
}
fn asinh(a: f64) -> f64 {
    a.asinh()
}

funcs! { pub FUNCS {
    dceil (a: Float8) -> a.ceil();
    dfloor (a: Float8) -> a.floor();
    dround (a: Float8) -> a.round_ties_even();
    dtrunc (a: Float8) -> a.trunc();
    dsign (a: Float8) -> match float_cmp(*a, 0.0) { _ if a.is_nan() => 0.0, o => f64::from(o as i8) };
    dsqrt (a: Float8) => sqrt(*a);
    dcbrt (a: Float8) -> a.cbrt();
    dpow (a: Float8, b: Float8) => power(*a, *b);
    dexp (a: Float8) => checked(a.exp(), a.is_finite(), a.is_infinite());
    dlog1 (a: Float8) => log(*a, f64::ln);
    dlog10 (a: Float8) => log(*a, f64::log10);
    dsin (a: Float8) => trig(*a, f64::sin);
    dcos (a: Float8) => trig(*a, f64::cos);
    dtan (a: Float8) => trig(*a, f64::tan);
    dcot (a: Float8) => trig(*a, |x| 1.0 / x.tan());
    dasin (a: Float8) => arc(*a, f64::asin);
    dacos (a: Float8) => arc(*a, f64::acos);
    datan (a: Float8) -> a.atan();
    datan2 (a: Float8, b: Float8) -> a.atan2(*b);
    dsinh (a: Float8) -> a.sinh();
    dcosh (a: Float8) -> a.cosh();
    dtanh (a: Float8) -> a.tanh();
    dasinh (a: Float8) -> asinh(*a);
    dacosh (a: Float8) => if *a < 1.0 { Err(range()) } else { Ok(Datum::Float8(a.acosh())) };
    datanh (a: Float8) => if *a < -1.0 || *a > 1.0 { Err(range()) } else { Ok(Datum::Float8(a.atanh())) };
    dsind (a: Float8) => trig(*a, sind);
    dcosd (a: Float8) => trig(*a, cosd);
    dtand (a: Float8) => trig(*a, tand);
    dcotd (a: Float8) => trig(*a, cotd);
    dasind (a: Float8) => arc(*a, |x| degrees_exact(x.asin()));
    dacosd (a: Float8) => arc(*a, |x| degrees_exact(x.acos()));
    datand (a: Float8) -> degrees_exact(a.atan());
    datan2d (a: Float8, b: Float8) -> degrees_exact(a.atan2(*b));
    degrees (a: Float8) => checked(a / (std::f64::consts::PI / 180.0), a.is_finite(), true);
    radians (a: Float8) -> a * (std::f64::consts::PI / 180.0);
    dpi () -> std::f64::consts::PI;
    drandom (_ci env;) -> env.random();
    setseed (_ci env; s: Float8) => {
        if !(-1.0..=1.0).contains(s) {
            bail!(INVALID_PARAMETER_VALUE, "setseed parameter {s} is out of allowed range [-1,1]");
        }
        env.backend()?.set_seed(*s);
        Ok(Datum::text(""))
    };
    int4gcd (a: Int4, b: Int4) => narrow4(gcd((*a).into(), (*b).into()));
    int8gcd (a: Int8, b: Int8) => narrow8(gcd((*a).into(), (*b).into()));
    int4lcm (a: Int4, b: Int4) => narrow4(lcm((*a).into(), (*b).into()));
    int8lcm (a: Int8, b: Int8) => narrow8(lcm((*a).into(), (*b).into()));
    width_bucket_float8 (x: Float8, lo: Float8, hi: Float8, n: Int4) => width_bucket(*x, *lo, *hi, *n);
    width_bucket_numeric (x: Numeric, lo: Numeric, hi: Numeric, n: Int4) => width_bucket_numeric(x, lo, hi, *n);
    width_bucket_array raw = |_, args, _| width_bucket_array(args);

    numeric_ceil (a: Numeric) -> Datum::Numeric(a.ceil());
    numeric_floor (a: Numeric) -> Datum::Numeric(a.floor());
    numeric_round (a: Numeric, n: Int4) -> Datum::Numeric(a.round(*n).check()?);
    round_1708 (a: Numeric) -> Datum::Numeric(a.round(0));
    numeric_trunc (a: Numeric, n: Int4) -> Datum::Numeric(a.trunc(*n));
    trunc_1710 (a: Numeric) -> Datum::Numeric(a.trunc(0));
    numeric_sign (a: Numeric) -> Datum::Numeric(if a.is_nan() { Numeric::NaN } else { Numeric::from_i64(i64::from(a.sign())) });
    numeric_sqrt (a: Numeric) => a.sqrt().map(Datum::Numeric);
    numeric_exp (a: Numeric) => a.exp().map(Datum::Numeric);
    numeric_ln (a: Numeric) => a.ln().map(Datum::Numeric);
    numeric_log (b: Numeric, a: Numeric) => Numeric::log(b, a).map(Datum::Numeric);
    log_1741 (a: Numeric) => Numeric::log(&Numeric::from_i64(10), a).map(Datum::Numeric);
    log10_1481 (a: Numeric) => Numeric::log(&Numeric::from_i64(10), a).map(Datum::Numeric);
    numeric_power (a: Numeric, b: Numeric) => a.power(b).map(Datum::Numeric);
    numeric_scale (a: Numeric) -> finite(a).then(|| i32::from(a.scale()));
    numeric_min_scale (a: Numeric) -> finite(a).then(|| i32::from(a.min_scale()));
    numeric_trim_scale (a: Numeric) -> Datum::Numeric(a.trim_scale());
    numeric_gcd (a: Numeric, b: Numeric) => numeric_gcd(a, b).map(Datum::Numeric);
    numeric_lcm (a: Numeric, b: Numeric) => numeric_lcm(a, b).map(Datum::Numeric);
    numeric_fac (n: Int8) => factorial(*n);
} }
