//! Numbers and their texts: XPath's, with libxml2's digits.

/// XPath's `number()` of a string; NaN where it is none. An exponent is taken, as that library does.
pub fn parse(s: &str) -> f64 {
    let t = s.trim_matches([' ', '\t', '\n', '\r']);
    let digits = t.strip_prefix('-').unwrap_or(t);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
        && digits.bytes().any(|b| b.is_ascii_digit());
    if plain { t.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// XPath's `string()` of a number: fifteen digits, with an exponent from 1e9 on and below 1e-5.
pub fn to_string(v: f64) -> String {
    if v.is_nan() {
        return "NaN".into();
    }
    if v.is_infinite() {
        return if v > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    if v == 0.0 {
        return "0".into();
    }
    if v.fract() == 0.0 && v > f64::from(i32::MIN) && v < f64::from(i32::MAX) {
        return format!("{}", v as i64);
    }
    let abs = v.abs();
    if !(1e-5..=1e9).contains(&abs) {
        let s = format!("{v:.14e}");
        let (m, e) = s.split_once('e').unwrap_or((&s, "0"));
        let e: i32 = e.parse().unwrap_or(0);
        return format!("{}e{}{:02}", trim(m), if e < 0 { '-' } else { '+' }, e.abs());
    }
    let place = abs.log10() as i32;
    let fraction = if place > 0 { 15 - place - 1 } else { 15 - place };
    trim(&format!("{v:.*}", fraction.max(0) as usize)).to_string()
}
fn trim(s: &str) -> &str {
    if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.') } else { s }
}
