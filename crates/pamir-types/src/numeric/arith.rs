//! Arithmetic with PostgreSQL's result scales: sums take the greater scale, products the sum of both, quotients what
//! select_div_scale chooses (at least 16 significant digits).
use super::{MAX_SCALE, Numeric, POW10, div_round, div_round_i128, pow10};
use crate::{Result, bail};
use num_bigint::{BigInt, Sign};

/// Significant digits that inexact results have at least (NUMERIC_MIN_SIG_DIGITS).
pub(super) const MIN_SIG_DIGITS: i64 = 16;
/// The most digits after the point that inexact results are given (NUMERIC_MAX_DISPLAY_SCALE).
pub(super) const MAX_DISPLAY_SCALE: i64 = 1000;
/// Decimal digits of PostgreSQL's base, in which it estimates scales.
pub(super) const DEC_DIGITS: i64 = 4;

impl Numeric {
    pub fn add(&self, o: &Numeric) -> Numeric {
        use Numeric::*;
        match (self, o) {
            (Small(a, s), Small(b, t)) => {
                if s == t
                    && let Some(v) = a.checked_add(*b)
                {
                    return Small(v, *s);
                }
                if s.abs_diff(*t) <= 18 {
                    let a = *a as i128 * POW10[t.saturating_sub(*s) as usize];
                    let b = *b as i128 * POW10[s.saturating_sub(*t) as usize];
                    return Numeric::from_i128_parts(a + b, *s.max(t));
                }
            }
            (NaN, _) | (_, NaN) | (PosInf, NegInf) | (NegInf, PosInf) => return NaN,
            (PosInf, _) | (_, PosInf) => return PosInf,
            (NegInf, _) | (_, NegInf) => return NegInf,
            _ => {}
        }
        let ((mut a, s), (mut b, t)) = (self.parts(), o.parts());
        if s < t {
            a *= pow10((t - s) as u32);
        } else if t < s {
            b *= pow10((s - t) as u32);
        }
        Numeric::from_parts(a + b, s.max(t))
    }
    pub fn sub(&self, o: &Numeric) -> Numeric {
        if let (Numeric::Small(a, s), Numeric::Small(b, t)) = (self, o)
            && s == t
            && let Some(v) = a.checked_sub(*b)
        {
            return Numeric::Small(v, *s);
        }
        self.add(&o.neg())
    }
    pub fn mul(&self, o: &Numeric) -> Numeric {
        use Numeric::*;
        match (self, o) {
            (Small(a, s), Small(b, t)) if s + t <= MAX_SCALE as u16 => {
                return Numeric::from_i128_parts(*a as i128 * *b as i128, s + t);
            }
            (NaN, _) | (_, NaN) => return NaN,
            (PosInf | NegInf, _) | (_, PosInf | NegInf) => {
                return match self.sign() * o.sign() {
                    0 => NaN,
                    1 => PosInf,
                    _ => NegInf,
                };
            }
            _ => {}
        }
        let out = self.mul_exact(o);
        let (m, scale) = out.parts();
        let scale = i64::from(scale);
        if scale > MAX_SCALE {
            return Numeric::from_parts(div_round(&m, &pow10((scale - MAX_SCALE) as u32)), MAX_SCALE as u16);
        }
        out
    }
    /// The product with all its digits, of finite numbers that have up to [`MAX_SCALE`] decimals each: a step of a calculation, no value.
    pub fn mul_exact(&self, o: &Numeric) -> Numeric {
        let ((a, s), (b, t)) = (self.parts(), o.parts());
        Numeric::from_parts(a * b, s.saturating_add(t))
    }

    /// The quotients that involve NaN or an infinity; `None` for two finite numbers. 22012 on a zero divisor.
    fn div_special(&self, o: &Numeric) -> Result<Option<Numeric>> {
        use Numeric::*;
        Ok(Some(match (self, o) {
            (NaN, _) | (_, NaN) | (PosInf | NegInf, PosInf | NegInf) => NaN,
            (_, o) if o.is_zero() => bail!(DIVISION_BY_ZERO, "division by zero"),
            (PosInf | NegInf, o) if self.sign() == o.sign() => PosInf,
            (PosInf | NegInf, _) => NegInf,
            (_, PosInf | NegInf) => Numeric::ZERO,
            _ => return Ok(None),
        }))
    }
    /// PostgreSQL's result scale (select_div_scale); 22012 on zero.
    pub fn div(&self, o: &Numeric) -> Result<Numeric> {
        if let Some(v) = self.div_special(o)? {
            return Ok(v);
        }
        let scale = self.div_scale(o);
        self.div_at(o, scale, true).check()
    }
    /// select_div_scale().
    fn div_scale(&self, o: &Numeric) -> i64 {
        let ((w1, d1), (w2, d2)) = (self.leading(), o.leading());
        let weight = w1 - w2 - i64::from(d1 <= d2);
        (MIN_SIG_DIGITS - weight * DEC_DIGITS)
            .max(self.scale() as i64)
            .max(o.scale() as i64)
            .clamp(0, MAX_DISPLAY_SCALE)
    }
    /// The quotient at `scale` digits (not above [`MAX_SCALE`]); both finite, `o` not zero.
    pub(super) fn div_at(&self, o: &Numeric, scale: i64, round: bool) -> Numeric {
        let shift = scale - self.scale() as i64 + o.scale() as i64;
        if let (Numeric::Small(a, _), Numeric::Small(b, _)) = (self, o)
            && let Some(p) = usize::try_from(shift).ok().and_then(|s| POW10.get(s))
            && let Some(n) = (*a as i128).checked_mul(*p)
        {
            let b = *b as i128;
            return Numeric::from_i128_parts(if round { div_round_i128(n, b) } else { n / b }, scale as u16);
        }
        let ((mut a, _), (mut b, _)) = (self.parts(), o.parts());
        if shift >= 0 {
            a *= pow10(shift as u32);
        } else {
            b *= pow10(-shift as u32);
        }
        if b.sign() == Sign::Minus {
            (a, b) = (-a, -b);
        }
        let q = if round { div_round(&a, &b) } else { a / b };
        Numeric::from_parts(q, scale as u16)
    }
    /// Truncated integer quotient (the function div()).
    pub fn div_trunc(&self, o: &Numeric) -> Result<Numeric> {
        if let Some(v) = self.div_special(o)? {
            return Ok(v);
        }
        self.div_at(o, 0, false).check()
    }
    pub fn rem(&self, o: &Numeric) -> Result<Numeric> {
        use Numeric::*;
        match (self, o) {
            (NaN, _) | (_, NaN) => return Ok(NaN),
            (_, o) if o.is_zero() => bail!(DIVISION_BY_ZERO, "division by zero"),
            (PosInf | NegInf, _) => return Ok(NaN),
            (a, PosInf | NegInf) => return Ok(a.clone()),
            (Small(a, s), Small(b, t)) if s.abs_diff(*t) <= 18 => {
                let a = *a as i128 * POW10[t.saturating_sub(*s) as usize];
                let b = *b as i128 * POW10[s.saturating_sub(*t) as usize];
                return Ok(Numeric::from_i128_parts(a % b, *s.max(t)));
            }
            _ => {}
        }
        let ((mut a, s), (mut b, t)) = (self.parts(), o.parts());
        if s < t {
            a *= pow10((t - s) as u32);
        } else {
            b *= pow10((s - t) as u32);
        }
        Ok(Numeric::from_parts(a % b, s.max(t)))
    }

    /// Weight and value of the first non-zero digit in base 10000, as PostgreSQL stores it ((0, 0) for zero).
    pub(super) fn leading(&self) -> (i64, i64) {
        if self.is_zero() {
            return (0, 0);
        }
        let exp = self.int_digits() - 1;
        let weight = exp.div_euclid(DEC_DIGITS);
        let want = (exp - weight * DEC_DIGITS + 1) as usize;
        (weight, self.leading_digits(want))
    }
    /// The first `want` decimal digits as a number (zeros follow a shorter mantissa); want <= 18.
    pub(super) fn leading_digits(&self, want: usize) -> i64 {
        let (have, m) = match self {
            Numeric::Small(m, _) => {
                let m = m.unsigned_abs();
                (m.checked_ilog10().map_or(1, |l| l as usize + 1), m as i128)
            }
            Numeric::Big(b) => {
                let text = b.0.magnitude().to_string();
                let text = &text[..text.len().min(want)];
                (text.len(), text.parse().unwrap_or(0))
            }
            _ => (1, 0),
        };
        let v = if have > want { m / POW10[have - want] } else { m * POW10[want - have] };
        v as i64
    }
    /// Whole numbers and infinities (numeric_is_integral).
    pub(super) fn is_integral(&self) -> bool {
        !self.is_nan() && self.min_scale() == 0
    }
    pub(super) fn is_odd(&self) -> bool {
        self.is_integral() && (self.trunc(0).parts().0 % BigInt::from(2)).sign() != Sign::NoSign
    }
}
