//! to_char of dates, timestamps and intervals: format pictures (formatting.c), as PostgreSQL's DCH_to_char writes them. Reading is in [`super::format_read`].
use super::casts::is_infinite;
use super::registry::funcs;
use super::*;
use pamir_types::datetime::{self as dt, Fields, Interval, USECS_PER_DAY, USECS_PER_SEC};
use pamir_types::{Error, err};
use std::cell::RefCell;
use std::rc::Rc;

pub(super) const MONTHS: [&str; 12] = [
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
pub(super) const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const ROMAN_MONTHS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
/// Julian day number of 2000-01-01.
pub(super) const JULIAN_2000: i64 = 2_451_545;
/// The zone's abbreviation at an instant.
pub fn zone_abbreviation(v: i64, tz: &jiff::tz::TimeZone) -> String {
    let secs = v.div_euclid(USECS_PER_SEC) + i64::from(dt::UNIX_EPOCH_DAYS) * 86_400;
    match jiff::Timestamp::from_second(secs) {
        Ok(t) => tz.to_offset_info(t).abbreviation().to_string(),
        Err(_) => "UTC".to_string(),
    }
}

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
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// In upper case.
    pub key: &'static str,
    /// As it is written.
    pub written: Box<str>,
    case: Case,
    /// FM
    pub fill: bool,
    /// TM: names are not padded.
    names: bool,
    /// TH (true) or th
    pub th: Option<bool>,
}
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// A character; was it quoted?
    Text(char, bool),
    Key(Key),
}
/// PostgreSQL's DCH_MAX_ITEM_SIZ: what a letter of a picture may become.
const MAX_ITEM: usize = 12;
/// As [`date_tokens`]; the one in use is kept, since whole columns are written and read by one picture.
pub(super) fn date_picture(fmt: &str) -> Result<Rc<[Token]>> {
    /// Longer ones are read anew each time.
    const KEPT: usize = 1000;
    thread_local!(static LAST: RefCell<(String, Rc<[Token]>)> = RefCell::new((String::new(), Rc::new([]))));
    let kept = LAST.with_borrow(|last| (last.0 == fmt).then(|| last.1.clone()));
    if let Some(tokens) = kept {
        return Ok(tokens);
    }
    let tokens: Rc<[Token]> = date_tokens(fmt)?.into();
    if fmt.len() <= KEPT {
        LAST.with_borrow_mut(|last| *last = (fmt.to_string(), tokens.clone()));
    }
    Ok(tokens)
}
fn date_tokens(fmt: &str) -> Result<Vec<Token>> {
    if fmt.len().saturating_mul(MAX_ITEM) > super::string::MAX_VALUE {
        return Err(super::string::alloc_size(fmt.len().saturating_mul(MAX_ITEM) + 1));
    }
    pamir_types::work::charge(fmt.len() * 16)?;
    pamir_types::memory::admit(fmt.len().saturating_mul(size_of::<Token>()))?;
    let mut out: Vec<Token> = Vec::new();
    let mut s = fmt;
    while let Some(first) = s.chars().next() {
        let mut rest = s;
        let (mut fill, mut names) = (false, false);
        loop {
            if let Some(r) = rest.strip_prefix("FM").or_else(|| rest.strip_prefix("fm")) {
                (rest, fill) = (r, true);
            } else if let Some(r) = rest.strip_prefix("TM").or_else(|| rest.strip_prefix("tm")) {
                (rest, names) = (r, true);
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
            let (written, after) = rest.split_at(key.len());
            rest = after;
            let mut th = None;
            if let Some(r) = rest.strip_prefix("TH") {
                (rest, th) = (r, Some(true));
            } else if let Some(r) = rest.strip_prefix("th") {
                (rest, th) = (r, Some(false));
            }
            out.push(Token::Key(Key { key, written: written.into(), case, fill, names, th }));
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
                            out.push(Token::Text(c, true));
                        }
                    }
                    c => out.push(Token::Text(c, true)),
                }
            }
            s = s.get(end..).unwrap_or("");
            continue;
        }
        if first == '\\' && s[1..].starts_with('"') {
            out.push(Token::Text('"', false));
            s = &s[2..];
            continue;
        }
        out.push(Token::Text(first, false));
        s = &s[first.len_utf8()..];
    }
    Ok(out)
}
pub(super) fn ordinal(digits: &str, upper: bool) -> &'static str {
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
/// What a picture can show of a moment or an interval, whose parts may be negative and more than a clock or a calendar has.
struct Moment<'a> {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    /// Days since 2000-01-01; None for intervals: no calendar.
    date: Option<i64>,
    /// For timestamptz: the instant, and where its clock hangs.
    zone: Option<(i64, &'a jiff::tz::TimeZone)>,
}
#[cold]
fn interval_only() -> Error {
    err!(INVALID_DATETIME_FORMAT, "invalid format specification for an interval value")
        .hint("Intervals are not tied to specific calendar dates.")
}
fn first_of(year: i64) -> i64 {
    let jan1 = Fields { year: year as i32, month: 1, day: 1, ..Fields::default() };
    dt::fields_to_date(&jan1).map(i64::from).unwrap_or(0)
}
fn day_of_year(m: &Moment) -> i64 {
    match m.date {
        Some(d) => d - first_of(m.year) + 1,
        None => (m.year * 12 + m.month) * 30 + m.day,
    }
}
/// (ISO year, week, day 1..7 from Monday)
fn iso_week(day: i64) -> (i64, i64, i64) {
    // 2000-01-03 was a Monday.
    let dow = (day - 2).rem_euclid(7);
    let thursday = day - dow + 3;
    let year = i64::from(dt::date_to_fields(thursday as i32).year);
    (year, (thursday - first_of(year)) / 7 + 1, dow + 1)
}
/// Zeroes up to a width that a sign counts in, none with FM.
fn number(v: i64, width: usize, fill: bool) -> String {
    let w = if fill { 0 } else { width };
    format!("{v:0w$}")
}
fn write_date(fmt: &str, m: &Moment) -> Result<String> {
    let mut out = String::with_capacity(fmt.len() + 16);
    for t in date_picture(fmt)?.iter() {
        let k = match t {
            Token::Text(c, _) => {
                out.push(*c);
                continue;
            }
            Token::Key(k) => k,
        };
        pamir_types::memory::admit_growth(out.capacity(), out.len() + 16)?;
        let at = out.len();
        let counts = match time_part(k, m) {
            Some(text) => {
                out.push_str(&text);
                true
            }
            None => date_part(k, m, &mut out)?,
        };
        if let (true, Some(upper)) = (counts, k.th) {
            let digits = out.get(at..).unwrap_or("").to_string();
            if !digits.is_empty() {
                out.push_str(ordinal(&digits, upper));
            }
        }
    }
    Ok(out)
}
/// Hours and less.
fn time_part(k: &Key, m: &Moment) -> Option<String> {
    // A sign takes a place of its own, but not in a fraction.
    let num = |v: i64, width: usize| number(v, if v < 0 { width + 1 } else { width }, k.fill);
    Some(match k.key {
        "HH" | "HH12" => {
            number(if m.hour % 12 == 0 { 12 } else { m.hour % 12 }, if m.hour < 0 { 3 } else { 2 }, k.fill)
        }
        "HH24" => num(m.hour, 2),
        "MI" => num(m.minute, 2),
        "SS" => num(m.second, 2),
        "MS" | "FF3" => number(m.micros / 1000, 3, false),
        "US" | "FF6" => number(m.micros, 6, false),
        "FF1" => number(m.micros / 100_000, 1, false),
        "FF2" => number(m.micros / 10_000, 2, false),
        "FF4" => number(m.micros / 100, 4, false),
        "FF5" => number(m.micros / 10, 5, false),
        "SSSS" | "SSSSS" => (m.hour * 3600 + m.minute * 60 + m.second).to_string(),
        _ => return None,
    })
}
/// Writes what is not of a clock; does TH count it?
fn date_part(k: &Key, m: &Moment, out: &mut String) -> Result<bool> {
    let (key, case, fill) = (k.key, k.case, k.fill);
    let needs_day = || m.date.ok_or_else(interval_only);
    let dow = |d: i64| (d - 1).rem_euclid(7) as usize; // 2000-01-02 was a Sunday
    let name = |s: &str, width: usize| -> String {
        let s = cased(s, case);
        if fill || k.names { s } else { format!("{s:<width$}") }
    };
    let text = match key {
        "A.M." | "P.M." => cased(if m.hour % 24 >= 12 { "P.M." } else { "A.M." }, case),
        "AM" | "PM" => cased(if m.hour % 24 >= 12 { "PM" } else { "AM" }, case),
        "AD" | "BC" => {
            needs_day()?;
            cased(if m.year <= 0 { "BC" } else { "AD" }, case)
        }
        "A.D." | "B.C." => {
            needs_day()?;
            cased(if m.year <= 0 { "B.C." } else { "A.D." }, case)
        }
        "TZ" | "TZH" | "TZM" | "OF" => {
            needs_day()?;
            zone_part(k, m.zone)
        }
        "MONTH" | "MON" => {
            needs_day()?;
            let n = MONTHS.get((m.month as usize).wrapping_sub(1)).copied().unwrap_or("");
            if key == "MONTH" { name(n, 9) } else { cased(n.get(..3).unwrap_or(""), case) }
        }
        "DAY" => name(DAYS.get(dow(needs_day()?)).copied().unwrap_or(""), 9),
        "DY" => cased(DAYS.get(dow(needs_day()?)).and_then(|d| d.get(..3)).unwrap_or(""), case),
        "RM" => roman_month(m).map_or(String::new(), |r| {
            let r = cased(r, case);
            if fill { r } else { format!("{r:<4}") }
        }),
        _ => {
            out.push_str(&calendar_number(k, m)?);
            return Ok(true);
        }
    };
    out.push_str(&text);
    Ok(false)
}
/// In intervals twelve months are a year, so none is December; counted backwards, -1 is December.
fn roman_month(m: &Moment) -> Option<&'static str> {
    let descending = match m.month {
        0 if m.year == 0 => return None,
        0 if m.year > 0 => 0,
        0 => 11,
        n if n < 0 => -(n + 1),
        n => 12 - n,
    };
    usize::try_from(11 - descending).ok().and_then(|i| ROMAN_MONTHS.get(i)).copied()
}
fn zone_part(k: &Key, zone: Option<(i64, &jiff::tz::TimeZone)>) -> String {
    if k.key == "TZ" {
        let name = zone.map_or(String::new(), |(v, tz)| zone_abbreviation(v, tz));
        return if k.case == Case::Lower { name.to_ascii_lowercase() } else { name };
    }
    let z = zone.map_or(0, |(v, tz)| dt::utc_offset(v, tz));
    let sign = if z < 0 { '-' } else { '+' };
    match k.key {
        "TZH" => format!("{sign}{:02}", z.abs() / 3600),
        "TZM" => format!("{:02}", z.abs() % 3600 / 60),
        _ => {
            let mut s = format!("{sign}{}", number((z.abs() / 3600).into(), 2, k.fill));
            if z.abs() % 3600 != 0 {
                s.push_str(&format!(":{:02}", z.abs() % 3600 / 60));
            }
            s
        }
    }
}
fn calendar_number(k: &Key, m: &Moment) -> Result<String> {
    let needs_day = || m.date.ok_or_else(interval_only);
    let num = |v: i64, width: usize| number(v, if v < 0 { width + 1 } else { width }, k.fill);
    // In the displayed era years count from one.
    let display = |y: i64| if m.date.is_some() && y <= 0 { 1 - y } else { y };
    let year = display(m.year);
    // The sign of the whole year gives the width.
    let part = |y: i64, of: i64, width: usize| number(y % of, if year < 0 { width + 1 } else { width }, k.fill);
    let iso = || needs_day().map(iso_week);
    Ok(match k.key {
        "MM" => num(m.month, 2),
        "DD" => number(m.day, 2, k.fill),
        "DDD" => number(day_of_year(m), 3, k.fill),
        "IDDD" => {
            let (_, week, day) = iso()?;
            number((week - 1) * 7 + day, 3, k.fill)
        }
        "D" => ((needs_day()? - 1).rem_euclid(7) + 1).to_string(),
        "ID" => iso()?.2.to_string(),
        "WW" => number((day_of_year(m) - 1) / 7 + 1, 2, k.fill),
        "IW" => number(iso()?.1, 2, k.fill),
        "W" => ((m.day - 1) / 7 + 1).to_string(),
        "Q" if m.month == 0 => String::new(),
        "Q" => ((m.month - 1) / 3 + 1).to_string(),
        "CC" => {
            let c = match m.year {
                y if m.date.is_none() => y / 100,
                y if y > 0 => (y - 1) / 100 + 1,
                y => y / 100 - 1,
            };
            if c.abs() < 100 { num(c, 2) } else { c.to_string() }
        }
        "Y,YYY" => format!("{},{:03}", year / 1000, year % 1000),
        "YYYY" => num(year, 4),
        "YYY" => part(year, 1000, 3),
        "YY" => part(year, 100, 2),
        "Y" => (year % 10).to_string(),
        "IYYY" => num(display(iso()?.0), 4),
        "IYY" => part(display(iso()?.0), 1000, 3),
        "IY" => part(display(iso()?.0), 100, 2),
        "I" => (display(iso()?.0) % 10).to_string(),
        "J" => (needs_day()? + JULIAN_2000).to_string(),
        _ => String::new(),
    })
}
fn ts_char(v: i64, fmt: &str, zone: Option<(i64, &jiff::tz::TimeZone)>) -> Result<Datum> {
    if fmt.is_empty() || is_infinite(v) {
        return Ok(Datum::Null);
    }
    let f = dt::timestamp_to_fields(v);
    let m = Moment {
        year: f.year.into(),
        month: f.month.into(),
        day: f.day.into(),
        hour: f.hour.into(),
        minute: f.minute.into(),
        second: f.second.into(),
        micros: f.micros.into(),
        date: Some(v.div_euclid(USECS_PER_DAY)),
        zone,
    };
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
    let secs = i.micros / USECS_PER_SEC;
    let m = Moment {
        year: i64::from(i.months / 12),
        month: i64::from(i.months % 12),
        day: i.days.into(),
        hour: secs / 3600,
        minute: secs / 60 % 60,
        second: secs % 60,
        micros: i.micros % USECS_PER_SEC,
        date: None,
        zone: None,
    };
    write_date(fmt, &m).map(Datum::from)
}

funcs! { pub FUNCS {
    timestamp_to_char (v: Timestamp, f: Text) => ts_char(*v, f, None);
    timestamptz_to_char (_ci env; v: TimestampTz, f: Text) => tz_char(*v, f, env);
    interval_to_char (v: Interval, f: Text) => interval_char(v, f);
} }
