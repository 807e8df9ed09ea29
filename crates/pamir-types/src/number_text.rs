//! How numbers are read and written, and what the texts of all types share: blanks, the error of a text that is none.
use crate::{Error, Result, bail, err};
use std::io::Write;

/// C's isspace in the C locale.
#[inline]
pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}
pub(crate) fn trim(s: &str) -> &str {
    s.trim_matches(|c: char| c.is_ascii() && is_space(c as u8))
}

#[cold]
#[inline(never)]
pub(crate) fn invalid_syntax(ty: &str, s: &str) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type {ty}: \"{s}\"")
}
#[cold]
#[inline(never)]
pub(crate) fn out_of_range(ty: &str, s: &str) -> Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{s}\" is out of range for type {ty}")
}

/// pg_strtoint: white space around, a sign, decimal digits. Overflow is noticed before trailing garbage.
pub(crate) fn parse_int(s: &str, ty: &str, min: i64, max: i64) -> Result<i64> {
    let b = s.as_bytes();
    let mut i = 0;
    while i < b.len() && is_space(b[i]) {
        i += 1;
    }
    let negative = b.get(i) == Some(&b'-');
    if negative || b.get(i) == Some(&b'+') {
        i += 1;
    }
    let digits = i;
    // Accumulated below zero, where there is room for the least value.
    let mut v = 0i64;
    while let Some(d) = b.get(i).filter(|c| c.is_ascii_digit()) {
        match v.checked_mul(10).and_then(|v| v.checked_sub((d - b'0') as i64)) {
            Some(n) if n >= min => v = n,
            _ => return Err(out_of_range(ty, s)),
        }
        i += 1;
    }
    if i == digits || b[i..].iter().any(|c| !is_space(*c)) {
        return Err(invalid_syntax(ty, s));
    }
    if negative {
        return Ok(v);
    }
    match v.checked_neg() {
        Some(v) if v <= max => Ok(v),
        _ => Err(out_of_range(ty, s)),
    }
}

/// Decimal digits.
pub fn format_int(v: i64, out: &mut Vec<u8>) {
    let mut buf = [0u8; 20];
    let mut at = buf.len();
    let mut n = v.unsigned_abs();
    loop {
        at -= 1;
        buf[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    if v < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&buf[at..]);
}

/// The part of `s` that is a decimal floating point number, and whether its digits are not all zero.
fn float_prefix(s: &str) -> (usize, bool) {
    let b = s.as_bytes();
    let mut i = usize::from(matches!(b.first(), Some(b'+' | b'-')));
    let mut digits = 0;
    let mut nonzero = false;
    let mut point = false;
    while let Some(c) = b.get(i) {
        match c {
            b'0'..=b'9' => {
                digits += 1;
                nonzero |= *c != b'0';
            }
            b'.' if !point => point = true,
            _ => break,
        }
        i += 1;
    }
    if digits == 0 {
        return (0, false);
    }
    if matches!(b.get(i), Some(b'e' | b'E')) {
        let mut j = i + 1 + usize::from(matches!(b.get(i + 1), Some(b'+' | b'-')));
        if b.get(j).is_some_and(|c| c.is_ascii_digit()) {
            while b.get(j).is_some_and(|c| c.is_ascii_digit()) {
                j += 1;
            }
            i = j;
        }
    }
    (i, nonzero)
}

/// float8in and float4in: `read` is the standard library's parser, whose result is infinite or zero out of range.
fn parse_float<F: std::str::FromStr>(
    s: &str,
    ty: &str,
    special: fn(f64) -> F,
    bad: fn(&F) -> (bool, bool),
) -> Result<F> {
    let t = trim(s);
    let (len, nonzero) = float_prefix(t);
    if len == 0 {
        let (sign, word) = match t.as_bytes().first() {
            Some(b'-') => (-1.0, &t[1..]),
            Some(b'+') => (1.0, &t[1..]),
            _ => (1.0, t),
        };
        return match word.to_ascii_lowercase().as_str() {
            "nan" => Ok(special(f64::NAN)),
            "inf" | "infinity" => Ok(special(sign * f64::INFINITY)),
            _ => Err(invalid_syntax(ty, s)),
        };
    }
    let Ok(v) = t[..len].parse::<F>() else { return Err(invalid_syntax(ty, s)) };
    let (infinite, zero) = bad(&v);
    if infinite || (zero && nonzero) {
        bail!(
            NUMERIC_VALUE_OUT_OF_RANGE,
            "\"{}\" is out of range for type {ty}",
            if ty == "real" { t } else { &t[..len] }
        );
    }
    if len < t.len() {
        return Err(invalid_syntax(ty, s));
    }
    Ok(v)
}
pub fn parse_f64(s: &str) -> Result<f64> {
    parse_float(s, "double precision", |v| v, |v: &f64| (v.is_infinite(), *v == 0.0))
}
pub fn parse_f32(s: &str) -> Result<f32> {
    parse_float(s, "real", |v| v as f32, |v: &f32| (v.is_infinite(), *v == 0.0))
}

pub fn format_f64(v: f64, extra_float_digits: i32, out: &mut Vec<u8>) {
    if special_float(v, out) {
        return;
    }
    if extra_float_digits > 0 {
        let bits = v.to_bits();
        let (exp, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (m, e) = if exp == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exp - 1075) };
        let reads_back = |s: &str| s.parse() == Ok(v);
        layout_float(&shortest(format!("{v:e}"), m, e, 17, &|p| format!("{v:.p$e}"), &reads_back), 15, out);
    } else {
        let precision = (15 + extra_float_digits).max(1) as usize;
        layout_float(&format!("{v:.*e}", precision - 1), precision as i32, out);
    }
}
pub fn format_f32(v: f32, extra_float_digits: i32, out: &mut Vec<u8>) {
    if special_float(v as f64, out) {
        return;
    }
    if extra_float_digits > 0 {
        let bits = v.to_bits();
        let (exp, fraction) = ((bits >> 23 & 0xff) as i32, (bits & ((1 << 23) - 1)) as u64);
        let (m, e) = if exp == 0 { (fraction, -149) } else { (fraction | 1 << 23, exp - 150) };
        let reads_back = |s: &str| s.parse() == Ok(v);
        layout_float(&shortest(format!("{v:e}"), m, e, 9, &|p| format!("{v:.p$e}"), &reads_back), 6, out);
    } else {
        let precision = (6 + extra_float_digits).max(1) as usize;
        layout_float(&format!("{v:.*e}", precision - 1), precision as i32, out);
    }
}
/// PostgreSQL's shortest digits lie strictly between the midpoints to the neighbouring floats; the standard library's may be
/// a midpoint itself (1e23), which reads back only thanks to rounding half to even. Then a digit more is shown.
/// The float is m * 2^e; `digits` writes it with so many digits after the first.
fn shortest(
    s: String,
    m: u64,
    e: i32,
    max_digits: usize,
    digits: &dyn Fn(usize) -> String,
    reads_back: &dyn Fn(&str) -> bool,
) -> String {
    let on_midpoint = |s: &str| {
        let Some((mantissa, exp)) = s.split_once('e') else { return false };
        let all: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        let point = all.len() as i32 - 1;
        let Some(d) = std::str::from_utf8(&all).ok().and_then(|d| d.parse::<u128>().ok()) else { return false };
        let Ok(exp) = exp.parse::<i32>() else { return false };
        let k = exp - point;
        // d * 10^k = (2m +- 1) * 2^(e-1): the left side's odd part and power of two must be the right's.
        let (odd, twos) = match u32::try_from(k) {
            Ok(k) => match 5u128.checked_pow(k).and_then(|p| p.checked_mul(d)) {
                Some(v) if v > 0 => (v >> v.trailing_zeros(), v.trailing_zeros() as i32 + k as i32),
                _ => return false,
            },
            Err(_) => match 5u128.checked_pow(k.unsigned_abs()) {
                Some(p) if d > 0 && d % p == 0 => {
                    let v = d / p;
                    (v >> v.trailing_zeros(), v.trailing_zeros() as i32 + k)
                }
                _ => return false,
            },
        };
        let two_m = 2 * m as u128;
        // Below a power of two the lower neighbour is half as far.
        let low = m.is_power_of_two() && odd == 2 * two_m - 1 && twos == e - 2;
        twos == e - 1 && (odd == two_m + 1 || odd + 1 == two_m) || low
    };
    // Only an even mantissa wins a tie.
    if m == 0 || m % 2 == 1 || !on_midpoint(&s) {
        return s;
    }
    let have = s.split('e').next().map_or(0, |m| m.bytes().filter(u8::is_ascii_digit).count());
    (have..max_digits).map(digits).find(|s| reads_back(s) && !on_midpoint(s)).unwrap_or(s)
}
fn special_float(v: f64, out: &mut Vec<u8>) -> bool {
    let word: &[u8] = match v {
        v if v.is_nan() => b"NaN",
        f64::INFINITY => b"Infinity",
        f64::NEG_INFINITY => b"-Infinity",
        _ => return false,
    };
    out.extend_from_slice(word);
    true
}
/// Lays "d.ddde-7" out as C's %g does: plain from 1e-4 up to 10^`limit`, else with an exponent of two digits or more.
fn layout_float(e: &str, limit: i32, out: &mut Vec<u8>) {
    let (mantissa, exp) = e.split_once('e').unwrap_or((e, "0"));
    let exp: i32 = exp.parse().unwrap_or(0);
    let mantissa = match mantissa.strip_prefix('-') {
        Some(m) => {
            out.push(b'-');
            m
        }
        None => mantissa,
    };
    // At most 17 digits.
    let mut digits = mantissa.bytes().filter(|b| *b != b'.').collect::<Vec<u8>>();
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    if exp < -4 || exp >= limit {
        out.push(digits[0]);
        if digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        let _ = write!(out, "e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.abs());
    } else if exp < 0 {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + (-exp - 1) as usize, b'0');
        out.extend_from_slice(&digits);
    } else {
        let int = exp as usize + 1;
        if digits.len() <= int {
            out.extend_from_slice(&digits);
            out.resize(out.len() + int - digits.len(), b'0');
        } else {
            out.extend_from_slice(&digits[..int]);
            out.push(b'.');
            out.extend_from_slice(&digits[int..]);
        }
    }
}
