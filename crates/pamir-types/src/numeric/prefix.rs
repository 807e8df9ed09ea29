//! Eight bytes in the order of numerics, so that most comparisons of a sort are of integers.
//!
//! ```text
//! 2^63 + (place of the first digit + 256) << 54 | the first sixteen digits      for what is greater than zero; less than zero: 2^63 - the same
//! ```
//! Equal values have equal prefixes whatever their scales, and a lesser prefix is a lesser value. Magnitudes beyond the places share the last one.
use super::{Numeric, POW10};
use num_bigint::Sign;

const ZERO: u64 = 1 << 63;
/// Digits kept: the most that 54 bits hold.
const DIGITS: i64 = 16;
/// Places of the first digit are told apart between these.
const PLACES: std::ops::RangeInclusive<i64> = -255..=254;

impl Numeric {
    /// An integer in the order of the values, where it is not the same for two of them. None: the mantissa is over 128 bits wide.
    #[inline]
    pub fn order_prefix(&self) -> Option<u64> {
        let (negative, m, scale) = match self {
            Numeric::Small(0, _) => return Some(ZERO),
            Numeric::Small(m, s) => (*m < 0, u128::from(m.unsigned_abs()), *s),
            Numeric::Big(b) => (b.0.sign() == Sign::Minus, u128::try_from(b.0.magnitude()).ok()?, b.1),
            Numeric::NaN | Numeric::PosInf => return Some(u64::MAX),
            Numeric::NegInf => return Some(0),
        };
        let size = magnitude(m, scale);
        Some(if negative { ZERO - size } else { ZERO + size })
    }
}

/// Where `m / 10^scale` stands among what is greater than zero.
fn magnitude(m: u128, scale: u16) -> u64 {
    // Division of 64 bits is much the quicker one.
    let digits = match u64::try_from(m) {
        Ok(m) => m.checked_ilog10(),
        Err(_) => m.checked_ilog10(),
    };
    let Some(digits) = digits.map(|d| i64::from(d) + 1) else { return 0 };
    let place = digits - i64::from(scale);
    if place > *PLACES.end() {
        return ZERO - 1;
    }
    if place < *PLACES.start() {
        return 1;
    }
    let power = |n: i64| POW10.get(n as usize).map_or(1, |p| p.unsigned_abs());
    let first = match (digits <= DIGITS, u64::try_from(m)) {
        (true, Ok(m)) => m * power(DIGITS - digits) as u64,
        (false, Ok(m)) => m / power(digits - DIGITS) as u64,
        (_, Err(_)) => (m / power(digits - DIGITS)) as u64,
    };
    ((place + 256) as u64) << 54 | first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every two of many values, each written with several scales.
    #[test]
    fn prefixes_never_contradict_the_order() {
        let mut texts: Vec<String> =
            ["0", "0.000", "NaN", "Infinity", "-Infinity", "12345678901234567", "12345678901234568"]
                .map(String::from)
                .to_vec();
        for m in
            ["1", "9", "10", "99", "100", "12345", "9223372036854775807", "9223372036854775808", "18446744073709551616"]
        {
            for tail in
                ["", ".0", ".5", ".00000000000000000001", ".0000000000000000000000000000000000000000000000000001"]
            {
                texts.extend(["", "-"].map(|sign| format!("{sign}{m}{tail}")));
            }
            for e in ["e-300", "e-257", "e-255", "e-20", "e20", "e250", "e254", "e300"] {
                texts.extend(["", "-"].map(|sign| format!("{sign}{m}{e}")));
            }
        }
        let values: Vec<Numeric> = texts.iter().map(|t| Numeric::parse(t).unwrap()).collect();
        let mut known = 0;
        for (a, x) in values.iter().zip(&texts) {
            for (b, y) in values.iter().zip(&texts) {
                let (Some(p), Some(q)) = (a.order_prefix(), b.order_prefix()) else { continue };
                known += 1;
                assert!(p == q || p.cmp(&q) == a.cmp(b), "{x} and {y}");
                assert!(a != b || p == q, "{x} and {y} are equal");
            }
        }
        assert!(known > values.len() * values.len() / 4);
        let p = |s: &str| Numeric::parse(s).unwrap().order_prefix();
        assert!(p("1.25") < p("1.26") && p("-1.26") < p("-1.25") && p("9.99") < p("10") && p("0.09") < p("0.1"));
    }
}
