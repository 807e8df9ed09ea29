//! Exact, unbounded decimal numbers with PostgreSQL's display scale, NaN and infinities (src/backend/utils/adt/numeric.c).
//!
//! A finite value is a whole *mantissa* divided by a power of ten, the *scale*, which is also PostgreSQL's dscale: the digits shown
//! after the point. 1.0 and 1.00 are the same value (equal, hashing alike, one index key) and keep their own scales.
//!
//! ```text
//! 12.50   Small(1250, 2)              the mantissa fits 64 bits: no allocation, a few nanoseconds an operation
//! 10^30   Big(Box(10^30, 0))          the rest
//! ```
//!
//! - this file: the type, input and output, comparison, rounding, typmods;
//! - `numeric/arith.rs`: + - * / % and integer division, with PostgreSQL's result scales;
//! - `numeric/math.rs`: sqrt, exp, ln, log, power;
//! - `numeric/codec.rs`: row, key and wire bytes.
//!
//! Invariants: a mantissa that fits i64 is `Small`, whatever the operation; a scale is at most [`MAX_SCALE`].
//! Limits: PostgreSQL's: [`MAX_INT_DIGITS`] before the point and [`MAX_SCALE`] after it. Parsing, division and the functions that can
//! fail refuse more; the results of `add`, `sub` and `mul` are put to [`Numeric::check`].
mod arith;
mod codec;
mod math;
mod prefix;

use crate::number_text::{invalid_syntax, trim};
use crate::{Error, Result, bail, err};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// value = mantissa / 10^scale; `scale` is PostgreSQL's dscale (digits shown after the point).
/// Small mantissas live inline. Equality and hashing follow the value: 1.0 == 1.00; NaN == NaN, greatest of all.
#[derive(Clone, Debug)]
pub enum Numeric {
    Small(i64, u16),
    Big(Box<(BigInt, u16)>),
    NaN,
    PosInf,
    NegInf,
}

/// The most digits after the point (NUMERIC_DSCALE_MAX).
pub const MAX_SCALE: i64 = 0x3fff;
/// The most digits before the point (a base-10000 weight of 15 bits).
pub const MAX_INT_DIGITS: i64 = 131_072;
/// No value has a digit left of this place; rounding there may still carry into it.
const LEAST_ROUND: i32 = -(MAX_INT_DIGITS as i32) - 1;
/// What typmods add (VARHDRSZ).
const TYPMOD_HEADER: i32 = 4;

const POW10: [i128; 39] = {
    let mut t = [1i128; 39];
    let mut i = 1;
    while i < 39 {
        t[i] = t[i - 1] * 10;
        i += 1;
    }
    t
};

fn pow10(n: u32) -> BigInt {
    match POW10.get(n as usize) {
        Some(p) => BigInt::from(*p),
        None => BigInt::from(10).pow(n),
    }
}

#[cold]
fn overflow() -> Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value overflows numeric format")
}

/// n / d (d > 0) rounded half away from zero.
fn div_round(n: &BigInt, d: &BigInt) -> BigInt {
    let half: BigInt = d >> 1u32;
    if n.sign() == Sign::Minus { (n - half) / d } else { (n + half) / d }
}

fn div_round_i128(n: i128, d: i128) -> i128 {
    let q = n / d;
    let r = (n % d).unsigned_abs();
    if r >= d.unsigned_abs() - r { if (n < 0) == (d < 0) { q + 1 } else { q - 1 } } else { q }
}

/// The scale in a typmod less its header: 11 bits, signed.
pub(crate) fn typmod_scale(m: i32) -> i32 {
    ((m & 0x7ff) ^ 1024) - 1024
}

impl Numeric {
    pub const ZERO: Numeric = Numeric::Small(0, 0);
    pub const ONE: Numeric = Numeric::Small(1, 0);

    /// numeric_in without a typmod.
    pub fn parse(s: &str) -> Result<Numeric> {
        let t = trim(s);
        let b = t.as_bytes();
        let invalid = || invalid_syntax("numeric", s);
        let mut i = 0;
        let negative = match b.first() {
            Some(b'-') => true,
            Some(b'+') => false,
            Some(b'0'..=b'9' | b'.') => false,
            _ => return Numeric::parse_special(t).ok_or_else(invalid),
        };
        if matches!(b[0], b'-' | b'+') {
            i = 1;
            if matches!(b.get(1), Some(b'i' | b'I')) {
                return Numeric::parse_special(t).ok_or_else(invalid);
            }
        }
        let start = i;
        let mut point = None;
        let mut small = 0u64;
        let mut digits = 0usize;
        while let Some(c) = b.get(i) {
            match c {
                b'0'..=b'9' => {
                    small = small.wrapping_mul(10).wrapping_add((c - b'0') as u64);
                    digits += 1;
                }
                b'.' if point.is_none() => point = Some(i),
                _ => break,
            }
            i += 1;
        }
        if digits == 0 {
            return Err(invalid());
        }
        let body = &b[start..i];
        let mut scale = point.map_or(0, |p| (i - p - 1) as i64);
        if matches!(b.get(i), Some(b'e' | b'E')) {
            i += 1;
            let minus = b.get(i) == Some(&b'-');
            i += usize::from(matches!(b.get(i), Some(b'-' | b'+')));
            let first = i;
            let mut exp = 0i64;
            while let Some(c) = b.get(i).filter(|c| c.is_ascii_digit()) {
                exp = (exp * 10 + (c - b'0') as i64).min(i64::MAX / 100);
                i += 1;
            }
            if i == first {
                return Err(invalid());
            }
            if exp >= i32::MAX as i64 / 2 {
                return Err(overflow());
            }
            scale -= if minus { -exp } else { exp };
        }
        if i < b.len() {
            return Err(invalid());
        }
        if scale > MAX_SCALE {
            return Err(overflow());
        }
        let out_scale = scale.max(0) as u16;
        if digits <= 18 && scale >= 0 {
            let m = small as i64;
            return Ok(Numeric::Small(if negative { -m } else { m }, out_scale));
        }
        let text: Vec<u8> = body.iter().copied().filter(|c| *c != b'.').skip_while(|c| *c == b'0').collect();
        if text.is_empty() {
            return Ok(Numeric::Small(0, out_scale));
        }
        if text.len() as i64 - scale > MAX_INT_DIGITS {
            return Err(overflow());
        }
        let mut m = BigInt::parse_bytes(&text, 10).ok_or_else(invalid)?;
        if scale < 0 {
            m *= pow10(-scale as u32);
        }
        Ok(Numeric::from_parts(if negative { -m } else { m }, out_scale))
    }

    fn parse_special(t: &str) -> Option<Numeric> {
        match t.to_ascii_lowercase().as_str() {
            "nan" => Some(Numeric::NaN),
            "infinity" | "+infinity" | "inf" | "+inf" => Some(Numeric::PosInf),
            "-infinity" | "-inf" => Some(Numeric::NegInf),
            _ => None,
        }
    }

    /// Keeps the invariant that what fits i64 is Small.
    fn from_parts(m: BigInt, scale: u16) -> Numeric {
        match i64::try_from(&m) {
            Ok(v) => Numeric::Small(v, scale),
            Err(_) => Numeric::Big(Box::new((m, scale))),
        }
    }
    fn from_i128_parts(m: i128, scale: u16) -> Numeric {
        match i64::try_from(m) {
            Ok(v) => Numeric::Small(v, scale),
            Err(_) => Numeric::Big(Box::new((BigInt::from(m), scale))),
        }
    }
    /// The mantissa of a finite value.
    fn mantissa(&self) -> Option<BigInt> {
        match self {
            Numeric::Small(m, _) => Some(BigInt::from(*m)),
            Numeric::Big(b) => Some(b.0.clone()),
            _ => None,
        }
    }
    /// Mantissa and scale, of a finite value (0 for the others).
    fn parts(&self) -> (BigInt, u16) {
        (self.mantissa().unwrap_or_default(), self.scale())
    }
    pub fn is_finite(&self) -> bool {
        matches!(self, Numeric::Small(..) | Numeric::Big(_))
    }
    /// 22003 when a result has more digits than PostgreSQL's format holds.
    pub fn check(self) -> Result<Numeric> {
        if let Numeric::Big(b) = &self {
            // log10(2) from above: cheap, and exact only near the limit.
            let digits = b.0.bits() as i64 * 30_103 / 100_000 + 1;
            if digits - b.1 as i64 >= MAX_INT_DIGITS && self.int_digits() > MAX_INT_DIGITS {
                return Err(overflow());
            }
        }
        Ok(self)
    }

    pub fn from_i64(v: i64) -> Numeric {
        Numeric::Small(v, 0)
    }
    pub fn from_i128(v: i128) -> Numeric {
        Numeric::from_i128_parts(v, 0)
    }
    /// Shortest decimal that reads back as `v` limited to 15 significant digits, as PostgreSQL's float8_numeric.
    pub fn from_f64(v: f64) -> Numeric {
        let mut s = Vec::new();
        crate::number_text::format_f64(v, 0, &mut s);
        Numeric::from_float_text(&s)
    }
    pub fn from_f32(v: f32) -> Numeric {
        let mut s = Vec::new();
        crate::number_text::format_f32(v, 0, &mut s);
        Numeric::from_float_text(&s)
    }
    fn from_float_text(s: &[u8]) -> Numeric {
        std::str::from_utf8(s).ok().and_then(|s| Numeric::parse(s).ok()).unwrap_or(Numeric::NaN)
    }
    pub fn to_f64(&self) -> f64 {
        match self {
            // Both operands are exact, so the division rounds once.
            Numeric::Small(m, s) if m.unsigned_abs() < 1 << 53 && *s <= 22 => *m as f64 / POW10[*s as usize] as f64,
            Numeric::NaN => f64::NAN,
            Numeric::PosInf => f64::INFINITY,
            Numeric::NegInf => f64::NEG_INFINITY,
            _ => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }
    pub fn to_f32(&self) -> f32 {
        match self {
            Numeric::NaN => f32::NAN,
            Numeric::PosInf => f32::INFINITY,
            Numeric::NegInf => f32::NEG_INFINITY,
            _ => self.to_string().parse().unwrap_or(f32::NAN),
        }
    }
    /// Rounded half away from zero; 22003 "bigint out of range" (integer, smallint) when it does not fit; 0A000 "cannot convert NaN to bigint".
    pub fn to_i64(&self) -> Result<i64> {
        self.to_int("bigint", i64::MIN, i64::MAX)
    }
    pub fn to_i32(&self) -> Result<i32> {
        self.to_int("integer", i32::MIN as i64, i32::MAX as i64).map(|v| v as i32)
    }
    pub fn to_i16(&self) -> Result<i16> {
        self.to_int("smallint", i16::MIN as i64, i16::MAX as i64).map(|v| v as i16)
    }
    fn to_int(&self, ty: &str, min: i64, max: i64) -> Result<i64> {
        let v = match self {
            Numeric::Small(m, 0) => Some(*m),
            Numeric::NaN => bail!(FEATURE_NOT_SUPPORTED, "cannot convert NaN to {ty}"),
            Numeric::PosInf | Numeric::NegInf => bail!(FEATURE_NOT_SUPPORTED, "cannot convert infinity to {ty}"),
            n => match n.round(0) {
                Numeric::Small(m, _) => Some(m),
                _ => None,
            },
        };
        match v {
            Some(v) if v >= min && v <= max => Ok(v),
            _ => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "{ty} out of range"),
        }
    }
    pub fn is_nan(&self) -> bool {
        matches!(self, Numeric::NaN)
    }
    pub fn is_zero(&self) -> bool {
        matches!(self, Numeric::Small(0, _))
    }
    pub fn scale(&self) -> u16 {
        match self {
            Numeric::Small(_, s) => *s,
            Numeric::Big(b) => b.1,
            _ => 0,
        }
    }
    /// -1, 0, 1 (NaN: 1).
    pub fn sign(&self) -> i32 {
        match self {
            Numeric::Small(m, _) => m.signum() as i32,
            Numeric::Big(b) if b.0.sign() == Sign::Minus => -1,
            Numeric::NegInf => -1,
            _ => 1,
        }
    }
    pub fn neg(&self) -> Numeric {
        match self {
            Numeric::Small(m, s) => match m.checked_neg() {
                Some(m) => Numeric::Small(m, *s),
                None => Numeric::from_i128_parts(-(*m as i128), *s),
            },
            Numeric::Big(b) => Numeric::from_parts(-&b.0, b.1),
            Numeric::NaN => Numeric::NaN,
            Numeric::PosInf => Numeric::NegInf,
            Numeric::NegInf => Numeric::PosInf,
        }
    }
    pub fn abs(&self) -> Numeric {
        if self.sign() < 0 { self.neg() } else { self.clone() }
    }
    /// Half away from zero; negative `scale` rounds left of the point.
    pub fn round(&self, scale: i32) -> Numeric {
        self.rescale(scale.clamp(LEAST_ROUND, MAX_SCALE as i32) as i64, true)
    }
    pub fn trunc(&self, scale: i32) -> Numeric {
        self.rescale(scale.clamp(LEAST_ROUND, MAX_SCALE as i32) as i64, false)
    }
    /// The value at `to` digits after the point; a negative `to` gives zeros before it and scale 0.
    fn rescale(&self, to: i64, round: bool) -> Numeric {
        let from = match self {
            Numeric::Small(_, s) => *s as i64,
            Numeric::Big(b) => b.1 as i64,
            special => return special.clone(),
        };
        let to = to.min(MAX_SCALE);
        if to == from {
            return self.clone();
        }
        if let Numeric::Small(m, _) = self {
            let m = *m as i128;
            if to > from && to - from <= 18 {
                return Numeric::from_i128_parts(m * POW10[(to - from) as usize], to as u16);
            }
            if to < from && from - to <= 37 {
                let d = POW10[(from - to) as usize];
                let q = if round { div_round_i128(m, d) } else { m / d };
                if to >= 0 {
                    return Numeric::from_i128_parts(q, to as u16);
                }
                if -to <= 18 {
                    return Numeric::from_i128_parts(q * POW10[-to as usize], 0);
                }
            }
        }
        let (m, _) = self.parts();
        // A digit is at least three bits: nothing is left of what has fewer than are dropped.
        if to < from && from - to > m.bits() as i64 / 3 + 1 {
            return Numeric::Small(0, to.max(0) as u16);
        }
        if to > from {
            return Numeric::from_parts(m * pow10((to - from) as u32), to as u16);
        }
        let d = pow10((from - to) as u32);
        let q = if round { div_round(&m, &d) } else { m / d };
        if to >= 0 { Numeric::from_parts(q, to as u16) } else { Numeric::from_parts(q * pow10(-to as u32), 0) }
    }
    pub fn ceil(&self) -> Numeric {
        let t = self.trunc(0);
        if self.is_finite() && t < *self { t.add(&Numeric::ONE) } else { t }
    }
    pub fn floor(&self) -> Numeric {
        let t = self.trunc(0);
        if self.is_finite() && t > *self { t.sub(&Numeric::ONE) } else { t }
    }
    /// Applies a numeric(p,s) typmod: rounds, 22003 "numeric field overflow" with PostgreSQL's detail.
    pub fn apply_typmod(&self, typmod: i32) -> Result<Numeric> {
        if typmod < TYPMOD_HEADER {
            return Ok(self.clone());
        }
        let m = typmod - TYPMOD_HEADER;
        let (precision, scale) = (m >> 16 & 0xffff, typmod_scale(m));
        let overflow = |rest: String| {
            Err(err!(NUMERIC_VALUE_OUT_OF_RANGE, "numeric field overflow")
                .detail(format!("A field with precision {precision}, scale {scale} {rest}.")))
        };
        match self {
            Numeric::NaN => return Ok(Numeric::NaN),
            Numeric::PosInf | Numeric::NegInf => return overflow("cannot hold an infinite value".into()),
            _ => {}
        }
        let v = self.rescale(scale as i64, true);
        let max = precision - scale;
        let fits = match &v {
            Numeric::Small(m, _) if precision <= 18 && scale >= 0 => {
                (m.unsigned_abs() as u128) < POW10[precision as usize] as u128
            }
            v => v.is_zero() || v.int_digits() <= max as i64,
        };
        if !fits {
            let limit = if max != 0 { format!("10^{max}") } else { "1".into() };
            return overflow(format!("must round to an absolute value less than {limit}"));
        }
        Ok(v)
    }
    /// Digits before the point; zero or less for values below 1 (0.01: -1). Finite, non-zero values only.
    fn int_digits(&self) -> i64 {
        match self {
            Numeric::Small(m, s) => m.unsigned_abs().checked_ilog10().map_or(0, |l| l as i64 + 1) - *s as i64,
            Numeric::Big(b) => b.0.magnitude().to_string().len() as i64 - b.1 as i64,
            _ => 0,
        }
    }
    /// Trailing fractional zeros removed (trim_scale()).
    pub fn trim_scale(&self) -> Numeric {
        match self {
            Numeric::Small(m, s) => {
                let (mut m, mut s) = (*m, *s);
                while s > 0 && m % 10 == 0 {
                    m /= 10;
                    s -= 1;
                }
                Numeric::Small(m, s)
            }
            Numeric::Big(b) => {
                let digits = b.0.magnitude().to_string();
                let zeros = digits.len() - digits.trim_end_matches('0').len();
                let drop = zeros.min(b.1 as usize) as u32;
                if drop == 0 {
                    return self.clone();
                }
                Numeric::from_parts(&b.0 / pow10(drop), b.1 - drop as u16)
            }
            special => special.clone(),
        }
    }
    pub fn min_scale(&self) -> u16 {
        self.trim_scale().scale()
    }

    /// Appends the text form.
    pub fn format(&self, out: &mut Vec<u8>) {
        let (text, scale, negative);
        let mut buf = [0u8; 20];
        let digits: &[u8] = match self {
            Numeric::Small(m, 0) => return crate::number_text::format_int(*m, out),
            Numeric::Small(m, s) => {
                let mut at = buf.len();
                let mut n = m.unsigned_abs();
                while n > 0 {
                    at -= 1;
                    buf[at] = b'0' + (n % 10) as u8;
                    n /= 10;
                }
                (scale, negative) = (*s as usize, *m < 0);
                &buf[at..]
            }
            Numeric::Big(b) => {
                (scale, negative) = (b.1 as usize, b.0.sign() == Sign::Minus);
                text = b.0.magnitude().to_string();
                text.as_bytes()
            }
            Numeric::NaN => return out.extend_from_slice(b"NaN"),
            Numeric::PosInf => return out.extend_from_slice(b"Infinity"),
            Numeric::NegInf => return out.extend_from_slice(b"-Infinity"),
        };
        if negative {
            out.push(b'-');
        }
        let int = digits.len().saturating_sub(scale);
        if int == 0 {
            out.push(b'0');
        }
        out.extend_from_slice(&digits[..int]);
        if scale > 0 {
            out.push(b'.');
            out.resize(out.len() + scale.saturating_sub(digits.len()), b'0');
            out.extend_from_slice(&digits[int..]);
        }
    }
}

impl PartialEq for Numeric {
    fn eq(&self, o: &Numeric) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for Numeric {}
impl PartialOrd for Numeric {
    fn partial_cmp(&self, o: &Numeric) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Numeric {
    fn cmp(&self, o: &Numeric) -> Ordering {
        use Numeric::*;
        match (self, o) {
            (Small(a, s), Small(b, t)) if s == t => a.cmp(b),
            (Small(a, s), Small(b, t)) if s.abs_diff(*t) <= 18 => {
                let a = *a as i128 * POW10[t.saturating_sub(*s) as usize];
                let b = *b as i128 * POW10[s.saturating_sub(*t) as usize];
                a.cmp(&b)
            }
            (NaN, NaN) | (PosInf, PosInf) | (NegInf, NegInf) => Ordering::Equal,
            (NaN, _) | (_, NegInf) => Ordering::Greater,
            (_, NaN) | (NegInf, _) => Ordering::Less,
            (PosInf, _) => Ordering::Greater,
            (_, PosInf) => Ordering::Less,
            (a, b) if a.sign() != b.sign() => a.sign().cmp(&b.sign()),
            (a, b) => {
                let ((a, s), (b, t)) = (a.parts(), b.parts());
                match s.cmp(&t) {
                    Ordering::Equal => a.cmp(&b),
                    Ordering::Less => (a * pow10((t - s) as u32)).cmp(&b),
                    Ordering::Greater => a.cmp(&(b * pow10((s - t) as u32))),
                }
            }
        }
    }
}
impl std::hash::Hash for Numeric {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        match self.trim_scale() {
            Numeric::Small(0, _) => h.write_u8(0),
            Numeric::Small(m, s) => {
                h.write_i64(m);
                h.write_u16(s);
            }
            Numeric::Big(b) => {
                h.write(&b.0.to_signed_bytes_le());
                h.write_u16(b.1);
            }
            Numeric::NaN => h.write_u8(1),
            Numeric::PosInf => h.write_u8(2),
            Numeric::NegInf => h.write_u8(3),
        }
    }
}
impl std::fmt::Display for Numeric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = Vec::new();
        self.format(&mut s);
        f.write_str(std::str::from_utf8(&s).unwrap_or("?"))
    }
}
