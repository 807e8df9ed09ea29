//! money: cents in 64 bits, written as the C locale and en_US write dollars (cash.c).
//!
//! In memory a value is [`crate::Datum::Int8`], so order, keys and rows are bigint's. lc_monetary is always one whose signs are these.
use crate::number_text::is_space;
use crate::{Error, Result, err};
use std::io::Write;

/// Digits behind the point.
pub const DIGITS: u32 = 2;

fn out_of_range(s: &str) -> Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{s}\" is out of range for type money")
}
/// cash_in
pub fn parse(s: &str) -> Result<i64> {
    let b = s.as_bytes();
    let mut at = 0;
    let blanks = |at: &mut usize| *at += b[*at..].iter().take_while(|c| is_space(**c)).count();
    let skip = |at: &mut usize, c: u8| {
        let hit = b.get(*at) == Some(&c);
        *at += usize::from(hit);
        hit
    };
    blanks(&mut at);
    skip(&mut at, b'$');
    blanks(&mut at);
    let mut negative = skip(&mut at, b'-') || skip(&mut at, b'(');
    if !negative {
        skip(&mut at, b'+');
    }
    blanks(&mut at);
    skip(&mut at, b'$');
    blanks(&mut at);
    // Accumulated below zero, where there is room for the least value.
    let mut v = 0i64;
    let mut point = false;
    let mut decimals = 0;
    let push = |v: i64, digit: u8| {
        v.checked_mul(10).and_then(|v| v.checked_sub(i64::from(digit))).ok_or_else(|| out_of_range(s))
    };
    loop {
        match b.get(at) {
            Some(c @ b'0'..=b'9') if !point || decimals < DIGITS => {
                v = push(v, c - b'0')?;
                decimals += u32::from(point);
            }
            Some(b'.') if !point => point = true,
            Some(b',') => {}
            _ => break,
        }
        at += 1;
    }
    if matches!(b.get(at), Some(b'5'..=b'9')) {
        v = v.checked_sub(1).ok_or_else(|| out_of_range(s))?;
    }
    for _ in decimals..DIGITS {
        v = push(v, 0)?;
    }
    at += b[at..].iter().take_while(|c| c.is_ascii_digit()).count();
    for c in &b[at..] {
        match c {
            b'-' => negative = true,
            b')' | b'+' | b'$' => {}
            c if is_space(*c) => {}
            _ => return Err(crate::number_text::invalid_syntax("money", s)),
        }
    }
    if negative { Ok(v) } else { v.checked_neg().ok_or_else(|| out_of_range(s)) }
}
/// cash_out: `-$1,234.50`.
pub fn format(v: i64, out: &mut Vec<u8>) {
    let cents = v.unsigned_abs();
    out.extend_from_slice(if v < 0 { b"-$" } else { b"$" });
    let whole = (cents / 100).to_string();
    for (i, c) in whole.bytes().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(b',');
        }
        out.push(c);
    }
    let _ = write!(out, ".{:02}", cents % 100);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn both_ways() {
        for (text, cents, shown) in [
            ("1234.5", 123_450, "$1,234.50"),
            ("-$1,234.567", -123_457, "-$1,234.57"),
            ("($.01)", -1, "-$0.01"),
            ("92233720368547758.07", i64::MAX, "$92,233,720,368,547,758.07"),
            ("-92233720368547758.08", i64::MIN, "-$92,233,720,368,547,758.08"),
            ("", 0, "$0.00"),
        ] {
            assert_eq!(parse(text).unwrap(), cents, "{text}");
            let mut out = Vec::new();
            format(cents, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), shown);
        }
        for bad in ["92233720368547758.08", "x", "1x", "1.2.3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
