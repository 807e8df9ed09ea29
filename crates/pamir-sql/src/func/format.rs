//! to_char, to_number, to_date, to_timestamp: format pictures (formatting.c).
//!
//! Numbers follow NUM_processor step by step: the picture is read twice, once to count digits and flags, once to write. Dates are written token
//! by token; reading them covers calendar and time tokens, not ISO week dates (0A000).
use super::casts::is_infinite;
use super::registry::funcs;
use super::*;
use pamir_types::datetime::{self as dt, Fields, Interval, USECS_PER_DAY, USECS_PER_SEC};
use pamir_types::numeric::Numeric;
use pamir_types::{Error, bail, err};
use std::cell::RefCell;
use std::rc::Rc;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const ROMAN_MONTHS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
/// Julian day number of 2000-01-01.
const JULIAN_2000: i64 = 2_451_545;
/// Significant digits of float8 and float4 that to_char trusts.
const FLOAT8_DIGITS: usize = 15;
const FLOAT4_DIGITS: usize = 6;

/// The zone's abbreviation at an instant.
pub fn zone_abbreviation(v: i64, tz: &jiff::tz::TimeZone) -> String {
    let secs = v.div_euclid(USECS_PER_SEC) + i64::from(dt::UNIX_EPOCH_DAYS) * 86_400;
    match jiff::Timestamp::from_second(secs) {
        Ok(t) => tz.to_offset_info(t).abbreviation().to_string(),
        Err(_) => "UTC".to_string(),
    }
}

// ---- date pictures ----

/// Date keywords; longer ones before their prefixes. Each also exists in lower case.
const DATE_KEYS: &[&str] = &[
    "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "CC", "DAY", "DDD", "DD", "DY", "D", "FF1", "FF2", "FF3", "FF4", "FF5",
    "FF6", "FX", "HH24", "HH12", "HH", "IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I", "J", "MI", "MM", "MONTH", "MON",
    "MS", "OF", "P.M.", "PM", "Q", "RM", "SSSSS", "SSSS", "SS", "TZH", "TZM", "TZ", "US", "WW", "W", "Y,YYY", "YYYY",
    "YYY", "YY", "Y",
];
#[derive(Clone, Copy, PartialEq, Debug)]
enum Case {
    Upper,
    Lower,
    Title,
}
#[derive(Debug)]
enum Token {
    Text(String),
    Key { key: &'static str, case: Case, fill: bool, th: Option<bool> },
}
/// As [`date_tokens`]; the one in use is kept, since whole columns are written by one picture.
fn date_picture(fmt: &str) -> Rc<[Token]> {
    /// Longer ones are read anew each time.
    const KEPT: usize = 1000;
    thread_local!(static LAST: RefCell<(String, Rc<[Token]>)> = RefCell::new((String::new(), Rc::new([]))));
    LAST.with_borrow_mut(|last| {
        if last.0 != fmt {
            let tokens: Rc<[Token]> = date_tokens(fmt).into();
            if fmt.len() > KEPT {
                return tokens;
            }
            *last = (fmt.to_string(), tokens);
        }
        last.1.clone()
    })
}
fn date_tokens(fmt: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut s = fmt;
    let push = |out: &mut Vec<Token>, c: char| match out.last_mut() {
        Some(Token::Text(t)) => t.push(c),
        _ => out.push(Token::Text(c.to_string())),
    };
    while let Some(first) = s.chars().next() {
        let mut rest = s;
        let mut fill = false;
        loop {
            if let Some(r) = rest.strip_prefix("FM").or_else(|| rest.strip_prefix("fm")) {
                (rest, fill) = (r, true);
            } else if let Some(r) = rest.strip_prefix("TM").or_else(|| rest.strip_prefix("tm")) {
                rest = r;
            } else {
                break;
            }
        }
        let found = DATE_KEYS.iter().find_map(|k| {
            let head = rest.get(..k.len())?;
            let case = if head == *k {
                Case::Upper
            } else if head.bytes().eq(k.bytes().map(|b| b.to_ascii_lowercase())) {
                Case::Lower
            } else {
                return None;
            };
            Some((*k, case))
        });
        let title = [("Month", "MONTH"), ("Mon", "MON"), ("Day", "DAY"), ("Dy", "DY")]
            .iter()
            .find(|(t, _)| rest.starts_with(t))
            .map(|(_, k)| (*k, Case::Title));
        if let Some((key, case)) = title.or(found) {
            rest = &rest[key.len()..];
            let mut th = None;
            if let Some(r) = rest.strip_prefix("TH") {
                (rest, th) = (r, Some(true));
            } else if let Some(r) = rest.strip_prefix("th") {
                (rest, th) = (r, Some(false));
            }
            if key != "FX" {
                out.push(Token::Key { key, case, fill, th });
            }
            s = rest;
            continue;
        }
        if rest.len() != s.len() {
            s = rest;
            continue;
        }
        if first == '"' {
            let mut it = s[1..].char_indices();
            let mut end = s.len();
            while let Some((i, c)) = it.next() {
                match c {
                    '"' => {
                        end = i + 2;
                        break;
                    }
                    '\\' => {
                        if let Some((_, c)) = it.next() {
                            push(&mut out, c);
                        }
                    }
                    c => push(&mut out, c),
                }
            }
            s = s.get(end..).unwrap_or("");
            continue;
        }
        if first == '\\' && s[1..].starts_with('"') {
            push(&mut out, '"');
            s = &s[2..];
            continue;
        }
        push(&mut out, first);
        s = &s[first.len_utf8()..];
    }
    out
}
fn ordinal(digits: &str, upper: bool) -> &'static str {
    let b = digits.as_bytes();
    let teen = b.len() > 1 && b.get(b.len().wrapping_sub(2)) == Some(&b'1');
    let s = match b.last() {
        _ if teen => ("TH", "th"),
        Some(b'1') => ("ST", "st"),
        Some(b'2') => ("ND", "nd"),
        Some(b'3') => ("RD", "rd"),
        _ => ("TH", "th"),
    };
    if upper { s.0 } else { s.1 }
}
fn cased(s: &str, case: Case) -> String {
    match case {
        Case::Upper => s.to_ascii_uppercase(),
        Case::Lower => s.to_ascii_lowercase(),
        Case::Title => s.to_string(),
    }
}
/// What a picture can show of a moment or an interval.
struct Moment<'a> {
    f: Fields,
    /// Hours may exceed a day for intervals.
    hour: i64,
    /// None for intervals: no calendar.
    day: Option<i64>,
    years: i64,
    /// For timestamptz: the instant, and where its clock hangs.
    zone: Option<(i64, &'a jiff::tz::TimeZone)>,
}
impl Moment<'_> {
    /// Seconds east of UTC.
    fn east(&self) -> i32 {
        self.zone.map_or(0, |(v, tz)| dt::utc_offset(v, tz))
    }
}
fn interval_only(key: &str) -> Error {
    let _ = key;
    err!(INVALID_DATETIME_FORMAT, "invalid format specification for an interval value")
        .hint("Intervals are not tied to specific calendar dates.")
}
fn day_of_year(m: &Moment) -> i64 {
    let jan1 = Fields { year: m.f.year, month: 1, day: 1, ..Fields::default() };
    let first = dt::fields_to_date(&jan1).map(i64::from).unwrap_or(0);
    m.day.unwrap_or(0) - first + 1
}
/// (ISO year, week, day 1..7 from Monday)
fn iso_week(m: &Moment) -> (i64, i64, i64) {
    let day = m.day.unwrap_or(0);
    // 2000-01-03 was a Monday.
    let dow = (day - 2).rem_euclid(7);
    let thursday = day - dow + 3;
    let f = dt::date_to_fields(thursday as i32);
    let jan1 = Fields { year: f.year, month: 1, day: 1, ..Fields::default() };
    let first = dt::fields_to_date(&jan1).map(i64::from).unwrap_or(0);
    (i64::from(f.year), (thursday - first) / 7 + 1, dow + 1)
}
fn write_date(fmt: &str, m: &Moment) -> Result<String> {
    let mut out = String::with_capacity(fmt.len() + 16);
    // In the displayed era years count from one.
    let display = |y: i64| if m.day.is_some() && y <= 0 { 1 - y } else { y };
    let year = display(m.years);
    for t in date_picture(fmt).iter() {
        let (key, case, fill, th) = match t {
            Token::Text(s) => {
                out.push_str(s);
                continue;
            }
            Token::Key { key, case, fill, th } => (*key, *case, *fill, *th),
        };
        let num = |v: i64, width: usize| -> String {
            let w = if fill {
                0
            } else if v < 0 {
                width + 1
            } else {
                width
            };
            format!("{v:0w$}")
        };
        let name = |s: &str, width: usize| -> String {
            let s = cased(s, case);
            if fill { s } else { format!("{s:<width$}") }
        };
        let needs_day = || m.day.ok_or_else(|| interval_only(key));
        let dow = |d: i64| (d - 1).rem_euclid(7); // 2000-01-02 was a Sunday
        let month_name = |full: bool| -> Result<String> {
            let n = MONTHS.get((m.f.month as usize).wrapping_sub(1)).copied().unwrap_or("");
            Ok(if full { name(n, 9) } else { cased(n.get(..3).unwrap_or(""), case) })
        };
        let h12 = if m.hour % 12 == 0 { 12 } else { m.hour % 12 };
        let micros = i64::from(m.f.micros);
        let text = match key {
            "A.M." | "P.M." => cased(if m.hour % 24 >= 12 { "P.M." } else { "A.M." }, case),
            "AM" | "PM" => cased(if m.hour % 24 >= 12 { "PM" } else { "AM" }, case),
            "HH" | "HH12" => num(h12, 2),
            "HH24" => num(m.hour, 2),
            "MI" => num(m.f.minute.into(), 2),
            "SS" => num(m.f.second.into(), 2),
            "MS" => num(micros / 1000, 3),
            "US" => num(micros, 6),
            "FF1" => num(micros / 100_000, 1),
            "FF2" => num(micros / 10_000, 2),
            "FF3" => num(micros / 1000, 3),
            "FF4" => num(micros / 100, 4),
            "FF5" => num(micros / 10, 5),
            "FF6" => num(micros, 6),
            "SSSS" | "SSSSS" => num(m.hour * 3600 + i64::from(m.f.minute) * 60 + i64::from(m.f.second), 0),
            "TZ" => {
                needs_day()?;
                match m.zone {
                    Some((v, tz)) => {
                        cased(&zone_abbreviation(v, tz), if case == Case::Lower { case } else { Case::Title })
                    }
                    None => continue,
                }
            }
            "TZH" => {
                needs_day()?;
                let z = m.east();
                format!("{}{:02}", if z < 0 { '-' } else { '+' }, z.abs() / 3600)
            }
            "TZM" => {
                needs_day()?;
                format!("{:02}", m.east().abs() % 3600 / 60)
            }
            "OF" => {
                needs_day()?;
                let z = m.east();
                let mut s = format!("{}{:02}", if z < 0 { '-' } else { '+' }, z.abs() / 3600);
                if z.abs() % 3600 != 0 {
                    s.push_str(&format!(":{:02}", z.abs() % 3600 / 60));
                }
                s
            }
            "AD" | "BC" => {
                needs_day()?;
                cased(if m.years <= 0 { "BC" } else { "AD" }, case)
            }
            "A.D." | "B.C." => {
                needs_day()?;
                cased(if m.years <= 0 { "B.C." } else { "A.D." }, case)
            }
            "MONTH" | "MON" => {
                needs_day()?;
                month_name(key == "MONTH")?
            }
            "MM" => num(m.f.month.into(), 2),
            "DAY" => name(DAYS.get(dow(needs_day()?) as usize).copied().unwrap_or(""), 9),
            "DY" => cased(DAYS.get(dow(needs_day()?) as usize).and_then(|d| d.get(..3)).unwrap_or(""), case),
            "DDD" => match m.day {
                Some(_) => num(day_of_year(m), 3),
                None => num(i64::from(m.f.day) + i64::from(m.f.month) * 30 + m.years * 360, 3),
            },
            "IDDD" => {
                needs_day()?;
                let (_, w, d) = iso_week(m);
                num((w - 1) * 7 + d, 3)
            }
            "DD" => num(m.f.day.into(), 2),
            "D" => (dow(needs_day()?) + 1).to_string(),
            "ID" => {
                needs_day()?;
                iso_week(m).2.to_string()
            }
            "WW" => {
                needs_day()?;
                num((day_of_year(m) - 1) / 7 + 1, 2)
            }
            "IW" => {
                needs_day()?;
                num(iso_week(m).1, 2)
            }
            "W" => ((i64::from(m.f.day) - 1) / 7 + 1).to_string(),
            "Q" => {
                if m.f.month == 0 {
                    continue;
                }
                ((m.f.month - 1) / 3 + 1).to_string()
            }
            "CC" => {
                let y = m.years;
                let c = if m.day.is_none() {
                    y / 100
                } else if y > 0 {
                    (y - 1) / 100 + 1
                } else {
                    y / 100 - 1
                };
                if c.abs() < 100 { num(c, 2) } else { c.to_string() }
            }
            "Y,YYY" => format!("{},{:03}", year / 1000, year % 1000),
            "YYYY" => num(year, 4),
            "YYY" => num(year % 1000, 3),
            "YY" => num(year % 100, 2),
            "Y" => (year % 10).to_string(),
            "IYYY" | "IYY" | "IY" | "I" => {
                needs_day()?;
                let y = display(iso_week(m).0);
                match key {
                    "IYYY" => num(y, 4),
                    "IYY" => num(y % 1000, 3),
                    "IY" => num(y % 100, 2),
                    _ => (y % 10).to_string(),
                }
            }
            "RM" => match ROMAN_MONTHS.get((m.f.month as usize).wrapping_sub(1)) {
                Some(r) if fill => cased(r, case),
                Some(r) => format!("{:<4}", cased(r, case)),
                None => continue,
            },
            "J" => (needs_day()? + JULIAN_2000).to_string(),
            _ => continue,
        };
        out.push_str(&text);
        if let (Some(upper), Some(b)) = (th, text.bytes().last())
            && b.is_ascii_digit()
        {
            out.push_str(ordinal(&text, upper));
        }
    }
    Ok(out)
}
fn ts_char(v: i64, fmt: &str, zone: Option<(i64, &jiff::tz::TimeZone)>) -> Result<Datum> {
    if fmt.is_empty() || is_infinite(v) {
        return Ok(Datum::Null);
    }
    let f = dt::timestamp_to_fields(v);
    let m = Moment { hour: f.hour.into(), day: Some(v.div_euclid(USECS_PER_DAY)), years: f.year.into(), zone, f };
    write_date(fmt, &m).map(Datum::from)
}
fn tz_char(v: i64, fmt: &str, env: &dyn Env) -> Result<Datum> {
    if is_infinite(v) {
        return Ok(Datum::Null);
    }
    let tz = &env.text_ctx().dt.tz;
    ts_char(dt::timestamptz_to_local(v, tz), fmt, Some((v, tz)))
}
fn interval_char(i: &Interval, fmt: &str) -> Result<Datum> {
    if fmt.is_empty() {
        return Ok(Datum::Null);
    }
    let secs = i.micros.div_euclid(USECS_PER_SEC).abs();
    let f = Fields {
        year: i.months / 12,
        month: (i.months % 12).unsigned_abs(),
        day: i.days.unsigned_abs(),
        hour: 0,
        minute: (secs / 60 % 60) as u32,
        second: (secs % 60) as u32,
        micros: i.micros.rem_euclid(USECS_PER_SEC) as u32,
    };
    if i.micros < 0 || i.months < 0 || i.days < 0 {
        return Err(Error::unsupported("to_char of a negative interval"));
    }
    write_date(fmt, &Moment { hour: secs / 3600, day: None, years: i64::from(i.months / 12), zone: None, f })
        .map(Datum::from)
}

// ---- reading dates ----

#[derive(Default)]
struct Read {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    yday: Option<i64>,
    julian: Option<i64>,
    hour: Option<i64>,
    minute: i64,
    second: i64,
    micros: i64,
    seconds: Option<i64>,
    pm: Option<bool>,
    twelve: bool,
    bc: bool,
    zone: Option<i64>,
}
fn two_digit_year(y: i64, digits: usize) -> i64 {
    match digits {
        1 | 2 if y < 70 => y + 2000,
        1 | 2 => y + 1900,
        3 if y >= 520 => y + 1000,
        3 => y + 2000,
        _ => y,
    }
}
fn read_date(s: &str, fmt: &str) -> Result<Read> {
    let mut r = Read::default();
    let b = s.as_bytes();
    let mut i = 0usize;
    let tokens = date_picture(fmt);
    for (n, t) in tokens.iter().enumerate() {
        while b.get(i).is_some_and(u8::is_ascii_whitespace) {
            i += 1;
        }
        let (key, fill) = match t {
            Token::Text(t) => {
                for c in t.chars() {
                    let sep = !c.is_ascii_alphanumeric();
                    match s.get(i..).and_then(|r| r.chars().next()) {
                        // A separator matches any separator, or none.
                        Some(x) if sep && !x.is_ascii_alphanumeric() && !(matches!(x, '+' | '-') && c == ' ') => {
                            i += x.len_utf8()
                        }
                        Some(x) if !sep => i += x.len_utf8(),
                        _ => {}
                    }
                }
                continue;
            }
            Token::Key { key, fill, .. } => (*key, *fill),
        };
        if i >= b.len() {
            break;
        }
        // Separators that the picture does not mention are skipped.
        while !matches!(key, "TZH" | "TZ" | "OF" | "YYYY") && b.get(i).is_some_and(|c| !c.is_ascii_alphanumeric()) {
            i += 1;
        }
        let adjacent = matches!(tokens.get(n + 1), Some(Token::Key { .. }));
        let mut digits = 0usize;
        let mut int =
            |width: usize, i: &mut usize| -> Result<i64> {
                let start = *i;
                let sign = if b.get(*i) == Some(&b'-') {
                    *i += 1;
                    -1
                } else {
                    1
                };
                let from = *i;
                let limit = if adjacent && !fill { width } else { usize::MAX };
                while b.get(*i).is_some_and(u8::is_ascii_digit) && *i - from < limit {
                    *i += 1;
                }
                digits = *i - from;
                let t = s.get(from..*i).unwrap_or("");
                if t.is_empty() {
                    let end = (start + width).min(s.len());
                    return Err(err!(
                        INVALID_DATETIME_FORMAT,
                        "invalid value \"{}\" for \"{key}\"",
                        s.get(start..end).unwrap_or("")
                    )
                    .detail("Value must be an integer."));
                }
                t.parse::<i64>().map(|v| v * sign).map_err(|_| {
                    err!(DATETIME_FIELD_OVERFLOW, "value for \"{key}\" in source string is out of range")
                        .detail(format!("Value must be in the range {} to {}.", i32::MIN, i32::MAX))
                })
            };
        let word = |names: &[&str], short: bool, i: &mut usize| -> Result<i64> {
            let rest = s.get(*i..).unwrap_or("");
            for (k, n) in names.iter().enumerate() {
                let n = if short { n.get(..3).unwrap_or(n) } else { n };
                if rest.get(..n.len()).is_some_and(|h| h.eq_ignore_ascii_case(n)) {
                    *i += n.len();
                    return Ok(k as i64);
                }
            }
            let shown: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            Err(err!(INVALID_DATETIME_FORMAT, "invalid value \"{shown}\" for \"{key}\"")
                .detail("The given value did not match any of the allowed values for this field."))
        };
        match key {
            "YYYY" => {
                let v = int(4, &mut i)?;
                r.year = Some(if digits < 4 && digits > 0 && v >= 0 { two_digit_year(v, digits) } else { v });
            }
            "YYY" | "YY" | "Y" => {
                let v = int(key.len(), &mut i)?;
                r.year = Some(two_digit_year(v, digits));
            }
            "Y,YYY" => {
                let k = int(9, &mut i)?;
                i += 1;
                r.year = Some(k * 1000 + int(3, &mut i)?);
            }
            "MM" => r.month = Some(int(2, &mut i)?),
            "MONTH" => r.month = Some(word(&MONTHS, false, &mut i)? + 1),
            "MON" => r.month = Some(word(&MONTHS, true, &mut i)? + 1),
            "DAY" => {
                word(&DAYS, false, &mut i)?;
            }
            "DY" => {
                word(&DAYS, true, &mut i)?;
            }
            "RM" => {
                let mut order: Vec<usize> = (0..12).collect();
                order.sort_by_key(|k| std::cmp::Reverse(ROMAN_MONTHS[*k].len()));
                let rest = s.get(i..).unwrap_or("").to_ascii_uppercase();
                if let Some(k) = order.into_iter().find(|k| rest.starts_with(ROMAN_MONTHS[*k])) {
                    i += ROMAN_MONTHS[k].len();
                    r.month = Some(k as i64 + 1);
                }
            }
            "DD" => r.day = Some(int(2, &mut i)?),
            "DDD" => r.yday = Some(int(3, &mut i)?),
            "D" | "Q" | "W" => {
                int(1, &mut i)?;
                if key == "W" {
                    return Err(Error::unsupported("W in to_date"));
                }
            }
            "J" => r.julian = Some(int(9, &mut i)?),
            "HH24" => r.hour = Some(int(2, &mut i)?),
            "HH" | "HH12" => {
                r.hour = Some(int(2, &mut i)?);
                r.twelve = true;
            }
            "MI" => r.minute = int(2, &mut i)?,
            "SS" => r.second = int(2, &mut i)?,
            "SSSS" | "SSSSS" => r.seconds = Some(int(5, &mut i)?),
            "MS" | "US" | "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => {
                let width = match key {
                    "MS" => 3,
                    "US" => 6,
                    k => k[2..].parse().unwrap_or(6),
                };
                let v = int(width, &mut i)?;
                // The digits are a fraction: .5 read as MS is 500.
                r.micros += v * 10i64.pow(6u32.saturating_sub(digits.min(6) as u32));
            }
            "AM" | "PM" => {
                r.pm = Some(word(&["am", "pm"], false, &mut i)? == 1);
                r.twelve = true;
            }
            "A.M." | "P.M." => {
                r.pm = Some(word(&["a.m.", "p.m."], false, &mut i)? == 1);
                r.twelve = true;
            }
            "AD" | "BC" => r.bc = word(&["ad", "bc"], false, &mut i)? == 1,
            "A.D." | "B.C." => r.bc = word(&["a.d.", "b.c."], false, &mut i)? == 1,
            "TZH" => {
                let sign = match b.get(i) {
                    Some(b'-') => -1,
                    _ => 1,
                };
                if matches!(b.get(i), Some(b'+' | b'-' | b' ')) {
                    i += 1;
                }
                r.zone = Some(sign * int(2, &mut i)? * 3600);
            }
            "TZM" => {
                let v = int(2, &mut i)? * 60;
                let z = r.zone.unwrap_or(0);
                r.zone = Some(if z < 0 { z - v } else { z + v });
            }
            k => return Err(Error::unsupported(format!("{k} in to_date or to_timestamp"))),
        }
    }
    Ok(r)
}
fn out_of_range(s: &str) -> Error {
    err!(DATETIME_FIELD_OVERFLOW, "date/time field value out of range: \"{s}\"")
}
impl Read {
    fn date(&self, s: &str) -> Result<i64> {
        if let Some(j) = self.julian {
            return Ok(j - JULIAN_2000);
        }
        let mut year = self.year.unwrap_or(0);
        if self.bc && year > 0 {
            year = 1 - year;
        } else if self.year.is_some() && year < 0 {
            year += 1;
        } else if self.year.is_none() || year == 0 {
            year = if self.year.is_none() && !self.bc { 0 } else { year };
        }
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let y = i32::try_from(year).map_err(|_| out_of_range(s))?;
        let leap = y.rem_euclid(4) == 0 && (y.rem_euclid(100) != 0 || y.rem_euclid(400) == 0);
        let length = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return Err(out_of_range(s)),
        };
        if !(1..=length).contains(&day) {
            return Err(out_of_range(s));
        }
        let f = Fields { year: y, month: month as u32, day: day as u32, ..Fields::default() };
        match (self.yday, self.month) {
            (Some(n), None) => {
                if !(1..=if leap { 366 } else { 365 }).contains(&n) {
                    return Err(out_of_range(s));
                }
                Ok(i64::from(dt::fields_to_date(&Fields { month: 1, day: 1, ..f })?) + n - 1)
            }
            _ => dt::fields_to_date(&f).map(i64::from),
        }
    }
    fn time(&self, s: &str) -> Result<i64> {
        if let Some(n) = self.seconds {
            if !(0..86_400).contains(&n) {
                return Err(out_of_range(s));
            }
            return Ok(n * USECS_PER_SEC + self.micros);
        }
        let mut h = self.hour.unwrap_or(0);
        if self.twelve {
            if self.hour.is_some() && !(1..=12).contains(&h) {
                return Err(err!(INVALID_DATETIME_FORMAT, "hour \"{h}\" is invalid for the 12-hour clock")
                    .hint("Use the 24-hour clock, or give an hour between 1 and 12."));
            }
            match self.pm {
                Some(true) if h < 12 => h += 12,
                Some(false) if h == 12 => h = 0,
                _ => {}
            }
        }
        if !(0..24).contains(&h) || !(0..60).contains(&self.minute) || !(0..60).contains(&self.second) {
            return Err(out_of_range(s));
        }
        Ok((h * 3600 + self.minute * 60 + self.second) * USECS_PER_SEC + self.micros)
    }
}
fn to_date(s: &str, fmt: &str) -> Result<Datum> {
    let d = read_date(s, fmt)?.date(s)?;
    i32::try_from(d).map(Datum::Date).map_err(|_| out_of_range(s))
}
fn to_timestamp(s: &str, fmt: &str, env: &dyn Env) -> Result<Datum> {
    let r = read_date(s, fmt)?;
    let v = r.date(s)?.checked_mul(USECS_PER_DAY).and_then(|d| d.checked_add(r.time(s).ok()?));
    let Some(v) = v else {
        r.time(s)?;
        return Err(out_of_range(s));
    };
    match r.zone {
        Some(z) => Ok(Datum::TimestampTz(v - z * USECS_PER_SEC)),
        None => dt::local_to_timestamptz(v, &env.text_ctx().dt.tz).map(Datum::TimestampTz),
    }
}

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
        if c == '\\' && s.len() > 1 {
            let next = s[1..].chars().next().unwrap_or('\\');
            out.push(NumToken::Text(next));
            s = &s[1 + next.len_utf8()..];
            continue;
        }
        let key = NUMBER_KEYS.iter().find(|k| s.starts_with(**k) || s.starts_with(&k.to_ascii_lowercase()));
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
fn scientific(v: &Numeric, p: &Picture) -> Result<String> {
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
        Some(l) => format!("{}.{}", &all[l..=l], &all[l + 1..]),
    };
    let m = Numeric::parse(body.trim_end_matches('.'))?.round(p.post as i32);
    let (m, exp) = if m >= Numeric::from_i64(10) {
        (m.div(&Numeric::from_i64(10))?.round(p.post as i32), exp + 1)
    } else {
        (m, exp)
    };
    Ok(format!("{sign}{m}e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.abs()))
}
fn number_char(v: &Numeric, fmt: &str, float_digits: Option<usize>) -> Result<Datum> {
    if fmt.is_empty() {
        return Ok(Datum::text(""));
    }
    let (tokens, p) = number_tokens(fmt);
    let mut p = p?;
    if let Some(lower) = p.roman {
        let n = v.round(0).to_i64().unwrap_or(0);
        let r = roman(n);
        let r = if lower { r.to_ascii_lowercase() } else { r };
        return Ok(if p.fill { r } else { format!("{r:>15}") }.into());
    }
    if p.eeee {
        return scientific(v, &p).map(Datum::from);
    }
    let mut x = v.clone();
    if p.v {
        x = x.mul(&Numeric::from_i64(10).power(&Numeric::from_i64(p.multi as i64))?);
        p.pre += p.multi;
    }
    if let Some(max) = float_digits {
        let whole = x.abs().round(0).to_string().len();
        p.post = if whole >= max { 0 } else { p.post.min(max - whole) };
    }
    let s = x.round(p.post as i32).to_string();
    let (negative, digits) = match s.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, s.as_str()),
    };
    let tokens: Vec<NumToken> =
        tokens.into_iter().filter(|t| !matches!(t, NumToken::Key("V" | "FM" | "B" | "C" | "SP", _))).collect();
    Ok(write_number(&tokens, p, negative, digits).into())
}
/// to_number(): the digits, sign and point of the input, as far as the picture has places for them.
fn to_number(s: &str, fmt: &str) -> Result<Datum> {
    if fmt.is_empty() {
        return Ok(Datum::Null);
    }
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
    let mut n = Numeric::parse(digits.trim_end_matches('.'))?.round(p.post as i32);
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
    timestamp_to_char (v: Timestamp, f: Text) => ts_char(*v, f, None);
    timestamptz_to_char (_ci env; v: TimestampTz, f: Text) => tz_char(*v, f, env);
    interval_to_char (v: Interval, f: Text) => interval_char(v, f);
    to_date (s: Text, f: Text) => to_date(s, f);
    to_timestamp (_ci env; s: Text, f: Text) => to_timestamp(s, f, env);
    numeric_to_char (v: Numeric, f: Text) => number_char(v, f, None);
    int4_to_char (v: Int4, f: Text) => number_char(&Numeric::from_i64((*v).into()), f, None);
    int8_to_char (v: Int8, f: Text) => number_char(&Numeric::from_i64(*v), f, None);
    float4_to_char (v: Float4, f: Text) => number_char(&float_decimal((*v).into())?, f, Some(FLOAT4_DIGITS));
    float8_to_char (v: Float8, f: Text) => number_char(&float_decimal(*v)?, f, Some(FLOAT8_DIGITS));
    numeric_to_number (s: Text, f: Text) => to_number(s, f);
} }
