//! to_char and to_number of numbers: format pictures (formatting.c). Those of dates are in [`super::format_date`].
//!
//! Numbers follow NUM_processor step by step: the picture is read twice, once to count digits and flags, once to write.
use super::format_date::ordinal;
use super::registry::funcs;
use super::*;
use pamir_types::memory::admit;
use pamir_types::numeric::Numeric;
use pamir_types::{bail, err};

/// Significant digits of float8 and float4 that to_char trusts.
const FLOAT8_DIGITS: usize = 15;
const FLOAT4_DIGITS: usize = 6;

// ---- number pictures ----

const NUMBER_KEYS: &[&str] =
    &[",", ".", "0", "9", "B", "C", "D", "EEEE", "FM", "G", "L", "MI", "PL", "PR", "RN", "SG", "SP", "S", "TH", "V"];
enum NumToken {
    Key(&'static str, bool),
    Text(char),
}
#[derive(Clone, Copy, PartialEq, Default)]
enum LSign {
    #[default]
    None,
    Pre,
    Post,
}
/// NUMDesc: what the picture says.
#[derive(Default)]
struct Picture {
    pre: usize,
    post: usize,
    multi: usize,
    zero: bool,
    zero_start: usize,
    zero_end: usize,
    decimal: bool,
    fill: bool,
    lsign: LSign,
    pre_lsign: usize,
    minus: bool,
    plus: bool,
    bracket: bool,
    roman: Option<bool>,
    v: bool,
    eeee: bool,
}
/// PostgreSQL's NUM_MAX_ITEM_SIZ: what a letter of a picture may become.
const MAX_ITEM: usize = 8;
/// Room for what is made of a picture: PostgreSQL takes it for the longest outcome.
fn admit_picture(fmt: &str) -> Result<()> {
    if fmt.len().saturating_mul(MAX_ITEM) > super::string::MAX_VALUE {
        return Err(super::string::alloc_size(fmt.len().saturating_mul(MAX_ITEM) + 5));
    }
    admit(fmt.len().saturating_mul(size_of::<NumToken>() + MAX_ITEM))
}
fn number_tokens(fmt: &str) -> (Vec<NumToken>, Result<Picture>) {
    let mut out = Vec::new();
    let mut s = fmt;
    let mut quoted = false;
    while let Some(c) = s.chars().next() {
        if c == '"' {
            quoted = !quoted;
            s = &s[1..];
            continue;
        }
        // Within quotes a backslash takes what follows as it is, outside of them a double quote.
        if c == '\\' && s.len() > 1 && (quoted || s[1..].starts_with('"')) {
            let next = s[1..].chars().next().unwrap_or('\\');
            out.push(NumToken::Text(next));
            s = &s[1 + next.len_utf8()..];
            continue;
        }
        let key = NUMBER_KEYS.iter().find(|k| {
            let head = s.as_bytes().get(..k.len()).unwrap_or_default();
            head == k.as_bytes() || k.bytes().map(|b| b.to_ascii_lowercase()).eq(head.iter().copied())
        });
        match key.filter(|_| !quoted) {
            Some(k) => {
                out.push(NumToken::Key(k, s.starts_with(|c: char| c.is_ascii_lowercase())));
                s = &s[k.len()..];
            }
            None => {
                out.push(NumToken::Text(c));
                s = &s[c.len_utf8()..];
            }
        }
    }
    let p = picture(&out);
    (out, p)
}
fn picture(tokens: &[NumToken]) -> Result<Picture> {
    let mut p = Picture::default();
    let together = "cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together";
    for t in tokens {
        let NumToken::Key(k, lower) = t else { continue };
        if p.eeee && *k != "EEEE" {
            bail!(SYNTAX_ERROR, "\"EEEE\" must be the last pattern used");
        }
        match *k {
            "9" | "0" if p.bracket => bail!(SYNTAX_ERROR, "\"{k}\" must be ahead of \"PR\""),
            "9" if p.v => p.multi += 1,
            "9" if p.decimal => p.post += 1,
            "9" => p.pre += 1,
            "0" => {
                if !p.zero && !p.decimal {
                    p.zero = true;
                    p.zero_start = p.pre + 1;
                }
                if p.decimal {
                    p.post += 1;
                } else {
                    p.pre += 1;
                }
                p.zero_end = p.pre + p.post;
            }
            "D" | "." => {
                if p.decimal {
                    bail!(SYNTAX_ERROR, "multiple decimal points");
                }
                if p.v {
                    bail!(SYNTAX_ERROR, "cannot use \"V\" and decimal point together");
                }
                p.decimal = true;
            }
            "FM" => p.fill = true,
            "S" => {
                if p.lsign != LSign::None {
                    bail!(SYNTAX_ERROR, "cannot use \"S\" twice");
                }
                if p.plus || p.minus || p.bracket {
                    bail!(SYNTAX_ERROR, "{together}");
                }
                if p.decimal {
                    p.lsign = LSign::Post;
                } else {
                    p.lsign = LSign::Pre;
                    p.pre_lsign = p.pre;
                }
            }
            "MI" | "PL" | "SG" | "PR" if p.lsign != LSign::None => match *k {
                "PR" => bail!(SYNTAX_ERROR, "cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together"),
                k => bail!(SYNTAX_ERROR, "cannot use \"S\" and \"{k}\" together"),
            },
            "MI" => p.minus = true,
            "PL" => p.plus = true,
            "SG" => (p.minus, p.plus) = (true, true),
            "PR" => p.bracket = true,
            "RN" => p.roman = Some(*lower),
            "V" => {
                if p.decimal {
                    bail!(SYNTAX_ERROR, "cannot use \"V\" and decimal point together");
                }
                p.v = true;
            }
            "EEEE" => {
                if p.eeee {
                    bail!(SYNTAX_ERROR, "cannot use \"EEEE\" twice");
                }
                if p.fill || p.lsign != LSign::None || p.bracket || p.minus || p.plus || p.roman.is_some() || p.v {
                    return Err(err!(SYNTAX_ERROR, "\"EEEE\" is incompatible with other formats")
                        .detail("\"EEEE\" may only be used together with digit and decimal point patterns."));
                }
                p.eeee = true;
            }
            _ => {}
        }
    }
    Ok(p)
}
fn roman(n: i64) -> String {
    if !(1..=3999).contains(&n) {
        return "#".repeat(15);
    }
    const R: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let (mut n, mut s) = (n, String::new());
    for (v, t) in R {
        while n >= v {
            s.push_str(t);
            n -= v;
        }
    }
    s
}
/// Writes `number` (digits, perhaps with a point, rounded to `p.post`) through the picture: NUM_processor and NUM_numpart_to_char.
fn write_number(tokens: &[NumToken], mut p: Picture, negative: bool, number: &str) -> String {
    let pre_len = number.find('.').unwrap_or(number.len());
    let mut num = number.as_bytes().to_vec();
    let mut spaces = 0usize;
    if pre_len < p.pre {
        spaces = p.pre - pre_len;
    } else if pre_len > p.pre {
        num = vec![b'#'; p.pre + p.post + 1];
        if let Some(b) = num.get_mut(p.pre) {
            *b = b'.';
        }
    }
    p.zero_start = p.zero_start.saturating_sub(1);
    let mut wrote;
    if p.plus || p.minus {
        wrote = !p.plus || p.minus;
    } else {
        if !negative && p.fill {
            p.bracket = false;
        }
        wrote = !negative && p.fill && p.lsign == LSign::None;
        if p.lsign == LSign::Pre && p.pre == p.pre_lsign {
            p.lsign = LSign::Post;
        }
    }
    let mut count = (p.post + p.pre) as i64 - 1;
    let mut last: Option<usize> = None;
    if p.fill && p.decimal {
        last = num.iter().position(|b| *b == b'.').map(|dot| {
            let tail = num.iter().enumerate().skip(dot + 1).filter(|(_, b)| **b != b'0').map(|x| x.0).next_back();
            tail.unwrap_or(dot)
        });
        if let Some(l) = last
            && p.zero_end > spaces
        {
            last = Some(l.max(p.zero_end - spaces));
        }
    }
    if !wrote && spaces == 0 {
        count += 1;
    }
    let is_point = |l: Option<usize>, num: &[u8]| l.is_some_and(|l| num.get(l) == Some(&b'.'));
    let (mut out, mut at, mut cur, mut inside) = (String::new(), 0usize, 0usize, false);
    let sign = if negative { '-' } else { '+' };
    for t in tokens {
        let (k, lower) = match t {
            NumToken::Text(c) => {
                out.push(*c);
                continue;
            }
            NumToken::Key(k, l) => (*k, *l),
        };
        match k {
            "9" | "0" | "." | "D" => {
                inside = false;
                let predec = !p.zero && at == 0 && num.first() == Some(&b'0') && p.post != 0;
                if !wrote && (cur >= spaces || (p.zero && p.zero_start == cur)) && (!predec || is_point(last, &num)) {
                    if p.lsign != LSign::None {
                        if p.lsign == LSign::Pre {
                            out.push(sign);
                            wrote = true;
                        }
                    } else if p.bracket {
                        out.push(if negative { '<' } else { ' ' });
                        wrote = true;
                    } else if !negative {
                        if !p.fill {
                            out.push(' ');
                        }
                        wrote = true;
                    } else {
                        out.push('-');
                        wrote = true;
                    }
                }
                if cur < spaces && (p.zero_start > cur || !p.zero) {
                    if !p.fill {
                        out.push(' ');
                    }
                } else if p.zero && cur < spaces && p.zero_start <= cur {
                    out.push('0');
                    inside = true;
                } else {
                    match num.get(at) {
                        Some(b'.') => {
                            if !is_point(last, &num) || p.fill {
                                out.push('.');
                            }
                        }
                        digit => {
                            if last.is_some_and(|l| at > l) && k != "0" {
                                // trailing zeros that FM drops
                            } else if predec {
                                if !p.fill {
                                    out.push(' ');
                                } else if is_point(last, &num) {
                                    out.push('0');
                                }
                            } else if let Some(d) = digit {
                                out.push(*d as char);
                                inside = true;
                            }
                        }
                    }
                    if at < num.len() {
                        at += 1;
                    }
                }
                let mut end = count + i64::from(spaces > 0) + i64::from(p.decimal);
                if last == Some(at) {
                    end = cur as i64;
                }
                if cur as i64 + 1 == end {
                    if wrote && p.bracket {
                        out.push(if negative { '>' } else { ' ' });
                    } else if p.lsign == LSign::Post {
                        out.push(sign);
                    }
                }
                cur += 1;
            }
            "," | "G" => {
                if inside {
                    out.push(',');
                } else if !p.fill {
                    out.push(' ');
                }
            }
            "L" => out.push(' '),
            "TH" if p.roman.is_none() && num.first() != Some(&b'#') && !negative && !p.decimal => {
                out.push_str(ordinal(&String::from_utf8_lossy(&num), !lower));
            }
            "MI" if negative => out.push('-'),
            "PL" if !negative => out.push('+'),
            "MI" | "PL" if !p.fill => {
                out.push(' ');
            }
            "SG" => out.push(sign),
            _ => {}
        }
    }
    out
}
/// Scientific notation of a decimal string, `post` digits after the point.
fn scientific(v: &Numeric, p: &Picture, kind: Kind) -> Result<String> {
    if !matches!(v, Numeric::Small(..) | Numeric::Big(_)) {
        let mut s = vec![b'#'; p.pre + p.post + 6];
        s[0] = b' ';
        if let Some(b) = s.get_mut(p.pre + 1) {
            *b = b'.';
        }
        return Ok(String::from_utf8_lossy(&s).into_owned());
    }
    let sign = if v.sign() < 0 { "-" } else { " " };
    let digits = v.abs().to_string();
    let all: String = digits.chars().filter(char::is_ascii_digit).collect();
    let point = digits.find('.').unwrap_or(digits.len()) as i64;
    let lead = all.find(|c| c != '0');
    let exp = match lead {
        None => 0,
        Some(l) => point - l as i64 - 1,
    };
    // Divide by 10^exp exactly by moving the point, then round.
    let body = match lead {
        None => "0".to_string(),
        // The first digit that is not printed decides about rounding.
        Some(l) => format!("{}.{}", &all[l..=l], &all[l + 1..all.len().min(l + p.post + 2)]),
    };
    let m = Numeric::parse(body.trim_end_matches('.'))?.round(p.post as i32);
    // PostgreSQL writes a numeric's 9.9996 as 10.000e+00, and other numbers' as 1.000e+01.
    let (m, exp) = if kind != Kind::Numeric && m >= Numeric::from_i64(10) {
        (m.div(&Numeric::from_i64(10))?.round(p.post as i32), exp + 1)
    } else {
        (m, exp)
    };
    Ok(format!("{sign}{m}e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.abs()))
}
/// What a number was before it became a numeric.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integer,
    /// The value as it is, and how many of its digits are to be trusted.
    Float(f64, usize),
    Numeric,
}
fn number_char(v: &Numeric, fmt: &str, kind: Kind) -> Result<Datum> {
    if fmt.is_empty() {
        return Ok(Datum::text(""));
    }
    admit_picture(fmt)?;
    let (tokens, p) = number_tokens(fmt);
    let mut p = p?;
    if let Some(lower) = p.roman {
        if kind == Kind::Numeric && !v.is_finite() {
            let what = if v.is_nan() { "NaN" } else { "infinity" };
            bail!(FEATURE_NOT_SUPPORTED, "cannot convert {what} to integer");
        }
        let n = v.round(0).to_i64().unwrap_or(0);
        let r = roman(n);
        let r = if lower { r.to_ascii_lowercase() } else { r };
        return Ok(if p.fill { r } else { format!("{r:>15}") }.into());
    }
    if p.eeee {
        return scientific(v, &p, kind).map(Datum::from);
    }
    let mut x = v.clone();
    if p.v {
        x = x.mul(&Numeric::from_i64(10).power(&Numeric::from_i64(p.multi as i64))?);
        p.pre += p.multi;
    }
    let mut s = match kind {
        // As printf writes it: ties of what a double holds go to even, and nothing below zero keeps its sign.
        Kind::Float(v, max) if v.is_finite() => {
            let v = if p.v { v * 10f64.powi(p.multi as i32) } else { v };
            let whole = format!("{:.0}", v.abs()).len();
            p.post = p.post.min(max.saturating_sub(whole));
            format!("{v:.*}", p.post)
        }
        _ => x.round(p.post as i32).to_string(),
    };
    // An integer has as many zeros as the picture has places, a numeric no more than its scale may have.
    let decimals = s.find('.').map_or(0, |dot| s.len() - dot - 1);
    if kind == Kind::Integer && decimals < p.post {
        s.push_str(if decimals == 0 { "." } else { "" });
        s.extend(std::iter::repeat_n('0', p.post - decimals));
    }
    let (negative, digits) = match s.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, s.as_str()),
    };
    if v.is_nan() && !p.decimal && tokens.iter().any(|t| matches!(t, NumToken::Key("TH", _))) {
        bail!(INVALID_TEXT_REPRESENTATION, "\"NaN\" is not a number");
    }
    let tokens: Vec<NumToken> =
        tokens.into_iter().filter(|t| !matches!(t, NumToken::Key("V" | "FM" | "B" | "C" | "SP", _))).collect();
    Ok(write_number(&tokens, p, negative, digits).into())
}
/// to_number(): the digits, sign and point of the input, as far as the picture has places for them.
fn to_number(s: &str, fmt: &str) -> Result<Datum> {
    if fmt.is_empty() {
        return Ok(Datum::Null);
    }
    admit_picture(fmt)?;
    let (_, p) = number_tokens(fmt);
    let p = p?;
    if p.eeee {
        bail!(FEATURE_NOT_SUPPORTED, "\"EEEE\" not supported for input");
    }
    if p.roman.is_some() {
        bail!(FEATURE_NOT_SUPPORTED, "\"RN\" not supported for input");
    }
    let (mut digits, mut negative, mut point) = (String::new(), false, false);
    let (mut pre, mut post) = (0usize, 0usize);
    let max_pre = p.pre + p.multi;
    for c in s.chars() {
        match c {
            '-' | '<' => negative = true,
            '.' if p.decimal && !point => {
                point = true;
                digits.push('.');
            }
            '.' => break,
            '0'..='9' if point && post < p.post => {
                digits.push(c);
                post += 1;
            }
            '0'..='9' if !point && pre < max_pre => {
                digits.push(c);
                pre += 1;
            }
            '0'..='9' => break,
            _ => {}
        }
    }
    if pre + post == 0 {
        bail!(
            INVALID_TEXT_REPRESENTATION,
            "invalid input syntax for type numeric: \"{}\"",
            if s.is_empty() { " " } else { s }
        );
    }
    // As many decimals as were there, not as the picture has.
    let mut n = Numeric::parse(digits.trim_end_matches('.'))?.round(post as i32);
    if p.v {
        n = n.div(&Numeric::from_i64(10).power(&Numeric::from_i64(p.multi as i64))?)?;
    }
    Ok(Datum::Numeric(if negative { n.neg() } else { n }))
}
/// The decimal digits a float prints with %f.
fn float_decimal(v: f64) -> Result<Numeric> {
    if v.is_finite() { Numeric::parse(&format!("{v:.20}")).map(|n| n.trim_scale()) } else { Ok(Numeric::from_f64(v)) }
}

funcs! { pub FUNCS {
    numeric_to_char (v: Numeric, f: Text) => number_char(v, f, Kind::Numeric);
    int4_to_char (v: Int4, f: Text) => number_char(&Numeric::from_i64((*v).into()), f, Kind::Integer);
    int8_to_char (v: Int8, f: Text) => number_char(&Numeric::from_i64(*v), f, Kind::Integer);
    float4_to_char (v: Float4, f: Text) => number_char(&float_decimal((*v).into())?, f, Kind::Float((*v).into(), FLOAT4_DIGITS));
    float8_to_char (v: Float8, f: Text) => number_char(&float_decimal(*v)?, f, Kind::Float(*v, FLOAT8_DIGITS));
    numeric_to_number (s: Text, f: Text) => to_number(s, f);
} }
