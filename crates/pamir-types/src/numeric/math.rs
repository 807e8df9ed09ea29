//! sqrt, exp, ln, log and power, to the scales PostgreSQL gives them (at least 16 significant digits, and never fewer digits
//! than the arguments show).
//!
//! PostgreSQL computes these with a few guard digits in base 10000; here they are computed in fixed point on whole numbers with
//! more guard digits, and rounded once. The results agree but where PostgreSQL's own last digit is off.
//!
//! - exp: the argument is halved until it is small, a Taylor series, then squared back.
//! - ln: x = f * 10^p; eight square roots bring f next to 1, where 2 atanh((y-1)/(y+1)) converges fast.
use super::arith::{DEC_DIGITS, MAX_DISPLAY_SCALE, MIN_SIG_DIGITS};
use super::{MAX_INT_DIGITS, Numeric, div_round, overflow, pow10};
use crate::{Result, bail};
use num_bigint::{BigInt, Sign};

const LOG10_E: f64 = std::f64::consts::LOG10_E;
/// Bounds exp()'s argument thrice (NUMERIC_MAX_RESULT_SCALE).
const MAX_RESULT_SCALE: f64 = 2000.0;
/// Digits computed beyond those shown.
const GUARD: i64 = 20;

/// Clamps a chosen scale between what the arguments show and what results may.
fn result_scale(want: i64, args: &[&Numeric]) -> i64 {
    args.iter().fold(want, |s, a| s.max(a.scale() as i64)).clamp(0, MAX_DISPLAY_SCALE)
}

/// `v` at `from` digits rounded to `to` digits.
fn to_numeric(v: &BigInt, from: i64, to: i64) -> Numeric {
    let m = if from >= to { div_round(v, &pow10((from - to) as u32)) } else { v * pow10((to - from) as u32) };
    Numeric::from_parts(m, to as u16)
}

/// e^(x / 10^scale) for x >= 0, with `digits` digits after the point.
fn exp_fixed(x: &BigInt, scale: i64, digits: i64) -> BigInt {
    const HALVINGS: u32 = 24;
    let work = digits + GUARD;
    let one = pow10(work as u32);
    // x / 2^24 is below 0.0004 for every x that exp() lets in.
    let x = ((x * pow10(work as u32)) / pow10(scale as u32)) >> HALVINGS;
    let (mut sum, mut term, mut i) = (one.clone(), one.clone(), 1u32);
    loop {
        term = term * &x / &one / i;
        if term.sign() == Sign::NoSign {
            break;
        }
        sum += &term;
        i += 1;
    }
    for _ in 0..HALVINGS {
        sum = &sum * &sum / &one;
    }
    sum / pow10(GUARD as u32)
}

/// ln(f / 10^work) for 1 <= f / 10^work <= 10, with `work` digits after the point (the last few inexact).
fn ln_fixed(f: &BigInt, work: i64) -> BigInt {
    const ROOTS: u32 = 8;
    let one = pow10(work as u32);
    let mut y = f.clone();
    for _ in 0..ROOTS {
        y = (y * &one).sqrt();
    }
    let z = (&y - &one) * &one / (&y + &one);
    let z2 = &z * &z / &one;
    let (mut sum, mut power, mut i) = (z.clone(), z, 3u32);
    loop {
        power = power * &z2 / &one;
        let term = &power / i;
        if term.sign() == Sign::NoSign {
            break;
        }
        sum += term;
        i += 2;
    }
    sum << (ROOTS + 1)
}

impl Numeric {
    /// Decimal exponent of the first digit of ln(self), estimated as PostgreSQL does (estimate_ln_dweight).
    fn ln_weight(&self) -> i64 {
        if self.sign() <= 0 {
            return 0;
        }
        if *self >= Numeric::Small(9, 1) && *self <= Numeric::Small(11, 1) {
            let x = self.sub(&Numeric::ONE);
            if x.is_zero() {
                return 0;
            }
            let (weight, first) = x.leading();
            return weight * DEC_DIGITS + (first as f64).log10() as i64;
        }
        let (weight, first) = self.leading();
        let lead = self.int_digits() - weight * DEC_DIGITS; // digits in `first`
        let (mut digits, mut dweight) = (first, weight * DEC_DIGITS);
        if self.base_digits() > 1 {
            digits = self.leading_digits((lead + DEC_DIGITS) as usize);
            dweight -= DEC_DIGITS;
        }
        let ln = (digits as f64).ln() + dweight as f64 * std::f64::consts::LN_10;
        ln.abs().log10() as i64
    }
    /// How many base-10000 digits PostgreSQL would store.
    fn base_digits(&self) -> i64 {
        let (m, s) = self.parts();
        let text = m.magnitude().to_string();
        let end = text.trim_end_matches('0').len() as i64;
        let exp = text.len() as i64 - 1 - s as i64;
        let last = exp - (end - 1).max(0);
        exp.div_euclid(DEC_DIGITS) - last.div_euclid(DEC_DIGITS) + 1
    }

    pub fn sqrt(&self) -> Result<Numeric> {
        if self.sign() < 0 {
            bail!(INVALID_ARGUMENT_FOR_POWER, "cannot take square root of a negative number");
        }
        if !self.is_finite() {
            return Ok(self.clone());
        }
        let weight = self.leading().0 * DEC_DIGITS / 2 + 1;
        self.sqrt_at(result_scale(MIN_SIG_DIGITS - weight, &[self]) as u16)
    }
    /// The square root rounded once, to `scale` digits after the point. The number must be finite and not negative; `scale` at least half its own.
    pub fn sqrt_at(&self, scale: u16) -> Result<Numeric> {
        let scale = i64::from(scale);
        let (m, s) = self.parts();
        let n = m * pow10((2 * scale - s as i64) as u32);
        let r = n.sqrt();
        let up = &n - &r * &r > r;
        Ok(Numeric::from_parts(if up { r + 1 } else { r }, scale as u16))
    }

    pub fn exp(&self) -> Result<Numeric> {
        match self {
            Numeric::NegInf => return Ok(Numeric::ZERO),
            n if !n.is_finite() => return Ok(n.clone()),
            _ => {}
        }
        let weight = (self.to_f64() * LOG10_E).clamp(-MAX_RESULT_SCALE, MAX_RESULT_SCALE);
        self.exp_at(result_scale(MIN_SIG_DIGITS - weight as i64, &[self]))
    }
    fn exp_at(&self, scale: i64) -> Result<Numeric> {
        let x = self.to_f64();
        if x.abs() >= 3.0 * MAX_RESULT_SCALE {
            if x > 0.0 {
                return Err(overflow());
            }
            return Ok(Numeric::Small(0, scale as u16));
        }
        let (m, s) = self.parts();
        let magnitude = BigInt::from(m.magnitude().clone());
        // Significant digits: those after the point and those before it.
        let before = (x.abs() * LOG10_E) as i64 + 1;
        let digits = scale + before + 10;
        let e = exp_fixed(&magnitude, s as i64, digits);
        if m.sign() == Sign::Minus {
            let inverse = pow10((2 * digits) as u32) / e;
            return Ok(to_numeric(&inverse, digits, scale));
        }
        to_numeric(&e, digits, scale).check()
    }

    pub fn ln(&self) -> Result<Numeric> {
        self.check_log()?;
        if !self.is_finite() {
            return Ok(self.clone());
        }
        Ok(self.ln_at(result_scale(MIN_SIG_DIGITS - self.ln_weight(), &[self])))
    }
    fn check_log(&self) -> Result<()> {
        match self.sign() {
            0 => bail!(INVALID_ARGUMENT_FOR_LOG, "cannot take logarithm of zero"),
            -1 => bail!(INVALID_ARGUMENT_FOR_LOG, "cannot take logarithm of a negative number"),
            _ => Ok(()),
        }
    }
    /// ln(self) at `scale` digits; self is finite and positive.
    fn ln_at(&self, scale: i64) -> Numeric {
        let (v, digits) = self.ln_digits(scale.max(0));
        to_numeric(&v, digits, scale.max(0))
    }
    /// ln(self) in fixed point, good to more than `scale` digits, and the digits it has.
    fn ln_digits(&self, scale: i64) -> (BigInt, i64) {
        let work = scale + GUARD;
        let (m, s) = self.parts();
        let len = m.magnitude().to_string().len() as i64;
        let p = len - 1 - s as i64;
        // f = m / 10^(len - 1), in [1, 10)
        let f = (m * pow10(work as u32)) / pow10((len - 1) as u32);
        let mut ln = ln_fixed(&f, work);
        if p != 0 {
            ln += ln_fixed(&pow10((work + 1) as u32), work) * p;
        }
        (ln, work)
    }
    /// log(base, x)
    pub fn log(base: &Numeric, x: &Numeric) -> Result<Numeric> {
        if base.is_nan() || x.is_nan() {
            return Ok(Numeric::NaN);
        }
        if x.sign() < 0 && !x.is_finite() {
            x.check_log()?;
        }
        base.check_log()?;
        x.check_log()?;
        match (base, x) {
            (Numeric::PosInf, Numeric::PosInf) => return Ok(Numeric::NaN),
            (Numeric::PosInf, _) => return Ok(Numeric::ZERO),
            (_, Numeric::PosInf) => return Ok(Numeric::PosInf),
            _ => {}
        }
        let (wb, wx) = (base.ln_weight(), x.ln_weight());
        let scale = result_scale(MIN_SIG_DIGITS - (wx - wb), &[base, x]);
        let digits = (scale + wx - wb - wb.min(wx) + 8).max(scale + 8);
        let (b, _) = base.ln_digits(digits);
        let (n, _) = x.ln_digits(digits);
        if b.sign() == Sign::NoSign {
            bail!(DIVISION_BY_ZERO, "division by zero");
        }
        let n = n * pow10(scale as u32);
        let q = if b.sign() == Sign::Minus { div_round(&-n, &-b) } else { div_round(&n, &b) };
        Ok(Numeric::from_parts(q, scale as u16))
    }

    pub fn power(&self, o: &Numeric) -> Result<Numeric> {
        use Numeric::*;
        let one = |n: &Numeric| n.is_finite() && *n == Numeric::ONE;
        match (self, o) {
            (NaN, e) => return Ok(if e.is_zero() { Numeric::ONE } else { NaN }),
            (b, NaN) => return Ok(if one(b) { Numeric::ONE } else { NaN }),
            _ => {}
        }
        let (sign, esign) = (self.sign(), o.sign());
        if sign == 0 && esign < 0 {
            bail!(INVALID_ARGUMENT_FOR_POWER, "zero raised to a negative power is undefined");
        }
        if sign < 0 && !o.is_integral() {
            bail!(
                INVALID_ARGUMENT_FOR_POWER,
                "a negative number raised to a non-integer power yields a complex result"
            );
        }
        if !self.is_finite() || !o.is_finite() {
            return Ok(match (self, o) {
                (b, _) if one(b) => Numeric::ONE,
                (_, e) if e.is_zero() => Numeric::ONE,
                (b, _) if b.is_zero() => Numeric::ZERO,
                (b, PosInf | NegInf) => {
                    if b.is_finite() && *b == Numeric::Small(-1, 0) {
                        return Ok(Numeric::ONE);
                    }
                    if (b.abs() > Numeric::ONE) == (esign > 0) { PosInf } else { Numeric::ZERO }
                }
                _ if esign < 0 => Numeric::ZERO,
                (NegInf, e) if e.is_odd() => NegInf,
                _ => PosInf,
            });
        }
        if o.is_integral()
            && let Small(e, _) = o.trunc(0)
            && let Ok(e) = i32::try_from(e)
        {
            return self.power_int(e);
        }
        if sign == 0 {
            return Ok(Small(0, MIN_SIG_DIGITS as u16));
        }
        let base = self.abs();
        let weight = base.ln_weight();
        // As many as eight significant digits of the logarithm need: more than can be shown, where the base is next to one.
        let low_scale = (8 - weight).clamp(0, super::MAX_SCALE);
        let val = base.ln_at(low_scale).mul(o).rescale(low_scale, true).to_f64();
        if val.abs() > MAX_RESULT_SCALE * 3.01 {
            if val > 0.0 {
                return Err(overflow());
            }
            return Ok(Small(0, MAX_DISPLAY_SCALE as u16));
        }
        let val = (val * LOG10_E) as i64;
        let scale = result_scale(MIN_SIG_DIGITS - val, &[self, o]);
        // The product's error is the logarithm's times the exponent: give it the exponent's digits too.
        let extra = if o.is_zero() { 0 } else { o.int_digits().max(0) };
        let (ln, digits) = base.ln_digits((scale + val).max(0) + extra + 10);
        let (e, es) = o.parts();
        let product = ln * e;
        let keep = digits + es as i64;
        let x = if keep > super::MAX_SCALE {
            Numeric::from_parts(div_round(&product, &pow10((keep - super::MAX_SCALE) as u32)), super::MAX_SCALE as u16)
        } else {
            Numeric::from_parts(product, keep as u16)
        };
        let r = x.exp_at(scale)?;
        Ok(if sign < 0 && o.is_odd() { r.neg() } else { r })
    }

    /// A whole power by squaring, with as many digits as the result needs (power_var_int). PostgreSQL 15 shows at least 16 digits
    /// after the point, whatever stands before it.
    fn power_int(&self, e: i32) -> Result<Numeric> {
        let weight = if self.is_zero() {
            0.0
        } else {
            let have = self.int_digits();
            let digits = self.leading_digits(16) as f64;
            e as f64 * (digits.log10() + (have - 16) as f64)
        };
        if weight > MAX_INT_DIGITS as f64 {
            return Err(overflow());
        }
        let scale = result_scale(MIN_SIG_DIGITS, &[self]);
        if weight + 1.0 < -(scale as f64) {
            return Ok(Numeric::Small(0, scale as u16));
        }
        match e {
            0 => return Ok(Numeric::ONE.rescale(scale, true)),
            1 => return Ok(self.rescale(scale, true)),
            -1 => return Ok(Numeric::ONE.div_at(self, scale, true)),
            _ if self.is_zero() => return Ok(Numeric::Small(0, scale as u16)),
            _ => {}
        }
        // m * 10^-s, kept to `sig` digits while squaring.
        let sig = scale + weight as i64 + (e.unsigned_abs() as f64).ln() as i64 + GUARD;
        let cut = |m: &mut BigInt, s: &mut i64| {
            let len = (m.bits() as f64 * std::f64::consts::LOG10_2) as i64;
            if len > sig + 2 {
                let drop = len - sig;
                *m = div_round(m, &pow10(drop as u32));
                *s -= drop;
            }
        };
        let (mut b, s) = self.parts();
        let (mut bs, mut r, mut rs) = (s as i64, BigInt::from(1), 0i64);
        let mut n = e.unsigned_abs();
        loop {
            if n & 1 == 1 {
                r *= &b;
                rs += bs;
                cut(&mut r, &mut rs);
            }
            n >>= 1;
            if n == 0 {
                break;
            }
            b = &b * &b;
            bs *= 2;
            cut(&mut b, &mut bs);
        }
        // r * 10^-rs, or its inverse, at `scale` digits.
        let m = if e > 0 {
            match scale - rs {
                up @ 0.. => r * pow10(up as u32),
                down => div_round(&r, &pow10(-down as u32)),
            }
        } else {
            let negative = r.sign() == Sign::Minus;
            let r = BigInt::from(r.magnitude().clone());
            let q = match scale + rs {
                up @ 0.. => div_round(&pow10(up as u32), &r),
                _ => BigInt::default(),
            };
            if negative { -q } else { q }
        };
        Numeric::from_parts(m, scale as u16).check()
    }
}
