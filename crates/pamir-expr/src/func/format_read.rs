//! to_date and to_timestamp: reading by a format picture, as PostgreSQL's DCH_from_char and do_to_timestamp do (formatting.c).
//!
//! A picture is read node by node: fields, separators, blanks and other characters, each of which takes its part of the text. What the fields said is put together at the end, where it
//! may contradict itself (22007) or be no date (22008).
use super::format_date::{DAYS, JULIAN_2000, Key, MONTHS, Token, date_picture};
use super::registry::funcs;
use super::*;
use pamir_types::datetime::{self as dt, USECS_PER_SEC};
use pamir_types::{Error, bail, err};

const MERIDIEM: [&str; 2] = ["am", "pm"];
const MERIDIEM_DOTS: [&str; 2] = ["a.m.", "p.m."];
const ERA: [&str; 2] = ["ad", "bc"];
const ERA_DOTS: [&str; 2] = ["a.d.", "b.c."];
/// Longer ones before their prefixes.
const ROMAN_DESCENDING: [&str; 12] = ["xii", "xi", "x", "ix", "viii", "vii", "vi", "v", "iv", "iii", "ii", "i"];
/// MAX_TZDISP_HOUR
const MAX_ZONE_HOUR: i32 = 15;

#[derive(Clone, Copy, PartialEq)]
enum Calendar {
    Gregorian,
    IsoWeek,
}
fn calendar(key: &str) -> Option<Calendar> {
    match key {
        "IDDD" | "ID" | "IW" | "IYYY" | "IYY" | "IY" | "I" => Some(Calendar::IsoWeek),
        "DDD" | "DD" | "D" | "MM" | "MONTH" | "MON" | "RM" | "WW" | "W" | "Y,YYY" | "YYYY" | "YYY" | "YY" | "Y" => {
            Some(Calendar::Gregorian)
        }
        _ => None,
    }
}
/// Fields of digits alone: before them a number takes its own width and no more.
fn is_digits(key: &str) -> bool {
    !matches!(
        key,
        "A.D."
            | "A.M."
            | "AD"
            | "AM"
            | "B.C."
            | "BC"
            | "P.M."
            | "PM"
            | "DAY"
            | "DY"
            | "MONTH"
            | "MON"
            | "RM"
            | "FX"
            | "TZ"
            | "TZH"
            | "OF"
    )
}

/// What the fields said; zero where nothing did.
#[derive(Default)]
struct Read {
    calendar: Option<Calendar>,
    hh: i32,
    pm: i32,
    mi: i32,
    ss: i32,
    ssss: i32,
    d: i32,
    dd: i32,
    ddd: i32,
    mm: i32,
    ms: i32,
    us: i32,
    year: i32,
    bc: i32,
    ww: i32,
    w: i32,
    cc: i32,
    j: i32,
    year_width: i32,
    twelve: bool,
    zone_sign: i32,
    zone_hour: i32,
    zone_minute: i32,
    /// FF1 to FF6: how many digits of the seconds are kept.
    precision: i32,
}

/// The text that is read.
struct Source<'a> {
    text: &'a str,
    at: usize,
}
impl<'a> Source<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }
    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }
    fn skip_char(&mut self) {
        self.at += self.next().map_or(0, char::len_utf8);
    }
    fn skip_blanks(&mut self) -> i32 {
        let n = self.rest().bytes().take_while(|b| is_blank(*b)).count();
        self.at += n;
        n.try_into().unwrap_or(i32::MAX)
    }
    /// TH takes two characters, whatever they are.
    fn skip_th(&mut self, k: &Key) {
        if k.th.is_some() {
            for _ in 0..2 {
                self.skip_char();
            }
        }
    }
}
fn is_blank(b: u8) -> bool {
    b.is_ascii_whitespace() || b == 0x0b
}
fn is_separator(c: char) -> bool {
    c.is_ascii_graphic() && !c.is_ascii_alphanumeric()
}

fn wrong(shown: &str, k: &Key) -> Error {
    err!(INVALID_DATETIME_FORMAT, "invalid value \"{shown}\" for \"{}\"", k.written)
}
fn set(dest: &mut i32, value: i32, k: &Key) -> Result<()> {
    if *dest != 0 && *dest != value {
        return Err(err!(
            INVALID_DATETIME_FORMAT,
            "conflicting values for \"{}\" field in formatting string",
            k.written
        )
        .detail("This value contradicts a previous setting for the same field type."));
    }
    *dest = value;
    Ok(())
}
/// strtol: blanks, a sign, digits. The number (None: too large) and how many bytes it took; 0: none there.
fn leading_int(s: &str) -> (Option<i64>, usize) {
    let b = s.as_bytes();
    let mut i = b.iter().take_while(|c| is_blank(**c)).count();
    let sign = match b.get(i) {
        Some(b'-') => -1,
        _ => 1,
    };
    i += usize::from(matches!(b.get(i), Some(b'-' | b'+')));
    let digits = b.iter().skip(i).take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 {
        return (Some(0), 0);
    }
    let v = s.get(i..i + digits).and_then(|d| d.parse::<i64>().ok()).map(|v| v * sign);
    (v, i + digits)
}
/// The first `n` bytes, which may end within a character.
fn head(s: &str, n: usize) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(&s.as_bytes()[..n.min(s.len())])
}

/// One pass over a picture.
struct Reader<'a, 't> {
    s: Source<'a>,
    tokens: &'t [Token],
    r: Read,
    /// The standard's way: the text is as the picture says, to the letter, and has nothing more or less.
    standard: bool,
}
impl Reader<'_, '_> {
    /// Does anything but a digit follow the field at `n`?
    fn separated(&self, n: usize, k: &Key) -> bool {
        k.th.is_some()
            || match self.tokens.get(n + 1) {
                None => true,
                Some(Token::Key(next)) => !is_digits(next.key),
                Some(Token::Text(c, _)) => !c.is_ascii_digit(),
            }
    }
    /// A field of `len` digits; how many bytes it took, blanks included.
    fn int(&mut self, n: usize, k: &Key, len: usize) -> Result<(i32, usize)> {
        let init = self.s.at;
        let from_init = self.s.rest();
        self.s.skip_blanks();
        let copy = head(self.s.rest(), len);
        let value;
        if k.fill || self.separated(n, k) {
            let (v, used) = leading_int(from_init);
            (value, self.s.at) = (v, init + used);
        } else {
            let field = |used: usize, what: &str| format!("Field requires {len} characters, but only {used} {what}.");
            let hint = "If your source string is not fixed-width, try using the \"FM\" modifier.";
            let there = self.s.rest().len().min(len);
            if there < len {
                return Err(err!(
                    INVALID_DATETIME_FORMAT,
                    "source string too short for \"{}\" formatting field",
                    k.written
                )
                .detail(field(there, "remain"))
                .hint(hint));
            }
            let (v, used) = leading_int(&copy);
            if used > 0 && used < len {
                return Err(wrong(&copy, k).detail(field(used, "could be parsed")).hint(hint));
            }
            value = v;
            self.s.at += used;
        }
        if self.s.at == init {
            return Err(wrong(&copy, k).detail("Value must be an integer."));
        }
        match value.and_then(|v| i32::try_from(v).ok()) {
            Some(v) => Ok((v, self.s.at - init)),
            None => Err(err!(DATETIME_FIELD_OVERFLOW, "value for \"{}\" in source string is out of range", k.written)
                .detail(format!("Value must be in the range {} to {}.", i32::MIN, i32::MAX))),
        }
    }
    /// Which of these the text goes on with.
    fn word(&mut self, k: &Key, names: &[&str], len: usize) -> Result<i32> {
        let rest = self.s.rest();
        for (i, name) in names.iter().enumerate() {
            let name = name.get(..len).unwrap_or(name);
            if rest.get(..name.len()).is_some_and(|h| h.eq_ignore_ascii_case(name)) {
                self.s.at += name.len();
                return Ok(i as i32);
            }
        }
        let shown = rest.split(|c: char| c.is_ascii() && is_blank(c as u8)).next().unwrap_or("");
        Err(wrong(shown, k).detail("The given value did not match any of the allowed values for this field."))
    }

    fn read(&mut self) -> Result<()> {
        let mut fixed = self.standard;
        // Characters skipped beyond those that the picture has.
        let mut extra = 0i32;
        let tokens = self.tokens;
        for (n, t) in tokens.iter().enumerate() {
            if self.s.rest().is_empty() {
                if self.standard {
                    bail!(INVALID_DATETIME_FORMAT, "input string is too short for datetime format");
                }
                break;
            }
            let is_key = matches!(t, Token::Key(_));
            if !fixed && !matches!(t, Token::Key(Key { key: "FX", .. })) && (is_key || n == 0) {
                extra += self.s.skip_blanks();
            }
            match t {
                Token::Text(c, quoted) if self.standard => {
                    if self.s.next() != Some(*c) {
                        let what = if *quoted { "character" } else { "separator" };
                        bail!(INVALID_DATETIME_FORMAT, "unmatched format {what} \"{c}\"");
                    }
                    self.s.skip_char();
                }
                Token::Text(c, false) if is_separator(*c) || c.is_ascii() && is_blank(*c as u8) => {
                    if fixed {
                        self.s.skip_char();
                        continue;
                    }
                    extra -= 1;
                    if self.s.next().is_some_and(|c| is_separator(c) || c.is_ascii() && is_blank(c as u8)) {
                        self.s.skip_char();
                        extra += 1;
                    }
                }
                // What was skipped before may have been this.
                Token::Text(..) if !fixed && extra > 0 => extra -= 1,
                Token::Text(..) => self.s.skip_char(),
                Token::Key(k) => {
                    if let Some(c) = calendar(k.key) {
                        if self.r.calendar.is_some_and(|old| old != c) {
                            return Err(err!(INVALID_DATETIME_FORMAT, "invalid combination of date conventions")
                                .hint("Do not mix Gregorian and ISO week date conventions in a formatting template."));
                        }
                        self.r.calendar = Some(c);
                    }
                    if k.key == "FX" {
                        fixed = true;
                    } else {
                        self.field(n, k, extra)?;
                    }
                    if !fixed {
                        extra = self.s.skip_blanks();
                    }
                }
            }
        }
        if self.standard {
            self.s.skip_blanks();
            if !self.s.rest().is_empty() {
                bail!(INVALID_DATETIME_FORMAT, "trailing characters remain in input string after datetime format");
            }
        }
        Ok(())
    }

    fn field(&mut self, n: usize, k: &Key, extra: i32) -> Result<()> {
        match k.key {
            "AM" | "PM" | "A.M." | "P.M." => {
                let v = self.word(k, if k.key.contains('.') { &MERIDIEM_DOTS } else { &MERIDIEM }, usize::MAX)?;
                set(&mut self.r.pm, v, k)?;
                self.r.twelve = true;
            }
            "AD" | "BC" | "A.D." | "B.C." => {
                let v = self.word(k, if k.key.contains('.') { &ERA_DOTS } else { &ERA }, usize::MAX)?;
                set(&mut self.r.bc, v, k)?;
            }
            "MONTH" | "MON" => {
                let v = self.word(k, &MONTHS, if k.key == "MON" { 3 } else { usize::MAX })?;
                set(&mut self.r.mm, v + 1, k)?;
            }
            "RM" => {
                let v = self.word(k, &ROMAN_DESCENDING, usize::MAX)?;
                set(&mut self.r.mm, 12 - v, k)?;
            }
            "DAY" | "DY" => {
                let v = self.word(k, &DAYS, if k.key == "DY" { 3 } else { usize::MAX })?;
                set(&mut self.r.d, v, k)?;
                self.r.d += 1;
            }
            "TZ" | "OF" => {
                bail!(FEATURE_NOT_SUPPORTED, "formatting field \"{}\" is only supported in to_char", k.written)
            }
            "TZH" | "TZM" => self.zone(n, k, extra)?,
            "Y,YYY" => self.year_with_comma(k)?,
            _ => {
                self.number(n, k)?;
                self.s.skip_th(k);
            }
        }
        Ok(())
    }
    fn zone(&mut self, n: usize, k: &Key, extra: i32) -> Result<()> {
        if k.key == "TZM" {
            if self.r.zone_sign == 0 {
                self.r.zone_sign = 1;
            }
            let v = self.int(n, k, 2)?.0;
            return set(&mut self.r.zone_minute, v, k);
        }
        self.r.zone_sign = match self.s.next() {
            Some(c @ ('+' | '-' | ' ')) => {
                self.s.skip_char();
                if c == '-' { -1 } else { 1 }
            }
            // A minus may have been skipped as a separator.
            _ if extra > 0 && self.s.text.as_bytes().get(self.s.at.wrapping_sub(1)) == Some(&b'-') => -1,
            _ => 1,
        };
        let v = self.int(n, k, 2)?.0;
        set(&mut self.r.zone_hour, v, k)
    }
    fn year_with_comma(&mut self, k: &Key) -> Result<()> {
        let wrong = || err!(INVALID_DATETIME_FORMAT, "invalid input string for \"Y,YYY\"");
        let (thousands, used) = leading_int(self.s.rest());
        let after =
            self.s.rest().get(used..).and_then(|r| r.strip_prefix(',')).filter(|_| used > 0).ok_or_else(wrong)?;
        let (years, more) = leading_int(&head(after, 3));
        if more == 0 {
            return Err(wrong());
        }
        let year = thousands.and_then(|t| t.checked_mul(1000)?.checked_add(years?)).and_then(|y| i32::try_from(y).ok());
        let year = year.ok_or_else(|| {
            err!(DATETIME_FIELD_OVERFLOW, "value for \"{}\" in source string is out of range", k.written)
        })?;
        set(&mut self.r.year, year, k)?;
        self.r.year_width = 4;
        self.s.at += used + 1 + more;
        self.s.skip_th(k);
        Ok(())
    }
    fn number(&mut self, n: usize, k: &Key) -> Result<()> {
        let width = match k.key {
            "HH" | "HH12" | "HH24" => 2,
            "MS" | "FF3" | "IDDD" => 3,
            "US" => 6,
            "ID" => 1,
            key => match key.strip_prefix("FF") {
                Some(d) => d.parse().unwrap_or(6),
                None => key.len(),
            },
        };
        let (v, len) = self.int(n, k, width)?;
        let r = &mut self.r;
        match k.key {
            "HH" | "HH12" | "HH24" => {
                set(&mut r.hh, v, k)?;
                r.twelve |= k.key != "HH24";
            }
            "MI" => set(&mut r.mi, v, k)?,
            "SS" => set(&mut r.ss, v, k)?,
            "SSSS" | "SSSSS" => set(&mut r.ssss, v, k)?,
            "MS" => {
                set(&mut r.ms, v, k)?;
                // .5 is 500 milliseconds.
                r.ms = r.ms.saturating_mul(10i32.pow(3u32.saturating_sub(len as u32)));
            }
            "DDD" | "IDDD" => set(&mut r.ddd, v, k)?,
            "DD" => set(&mut r.dd, v, k)?,
            "D" => set(&mut r.d, v, k)?,
            "ID" => {
                set(&mut r.d, v, k)?;
                // As Gregorian days: Sunday is 1.
                r.d = if r.d >= 7 { 1 } else { r.d.saturating_add(1) };
            }
            "WW" | "IW" => set(&mut r.ww, v, k)?,
            "W" => set(&mut r.w, v, k)?,
            "CC" => set(&mut r.cc, v, k)?,
            "J" => set(&mut r.j, v, k)?,
            "MM" => set(&mut r.mm, v, k)?,
            // Read, and not used: which day of the quarter would it be?
            "Q" => {}
            key if key.starts_with('Y') || key.starts_with('I') => {
                set(&mut r.year, v, k)?;
                r.year_width = key.len() as i32;
                if key.len() < 4 && len < 4 {
                    r.year = near_2020(r.year);
                }
            }
            key => {
                if let Some(d) = key.strip_prefix("FF") {
                    r.precision = d.parse().unwrap_or(0);
                }
                set(&mut r.us, v, k)?;
                r.us = r.us.saturating_mul(10i32.pow(6u32.saturating_sub(len as u32)));
            }
        }
        Ok(())
    }
}
/// A year of fewer than four digits is the nearest to 2020.
fn near_2020(year: i32) -> i32 {
    match year {
        y if y < 70 => y + 2000,
        y if y < 100 => y + 1900,
        y if y < 520 => y + 2000,
        y if y < 1000 => y + 1000,
        y => y,
    }
}

/// A date and a time as the fields make them; months and days may not be the calendar's yet.
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    /// Microseconds of the day.
    time: i64,
    /// Seconds east of UTC.
    zone: Option<i64>,
    precision: i32,
}
fn out_of_range(s: &str) -> Error {
    err!(DATETIME_FIELD_OVERFLOW, "date/time field value out of range: \"{s}\"")
}
/// date2j: the Julian day of a date, months and days beyond the calendar's included.
fn julian(year: i64, month: i64, day: i64) -> i64 {
    let (y, m) = if month > 2 { (year + 4800, month + 1) } else { (year + 4799, month + 13) };
    let century = y / 100;
    y * 365 - 32167 + y / 4 - century + century / 4 + 7834 * m / 256 + day
}
/// The Julian day on which an ISO week begins.
fn iso_week_start(year: i64, week: i64) -> i64 {
    let day4 = julian(year, 1, 4);
    (week - 1) * 7 + day4 - day4.rem_euclid(7)
}
fn is_leap(y: i64) -> bool {
    y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
}
const DAYS_BEFORE: [[i64; 13]; 2] = [
    [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365],
    [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366],
];

fn parts(s: &str, fmt: &str) -> Result<Parts> {
    pamir_types::work::charge(s.len())?;
    parts_by(s, &date_picture(fmt)?, false)
}
/// What a text says, read the standard's way by a picture (parse_datetime): jsonpath's `datetime()`.
pub(super) struct Standard {
    /// Does the picture have a date, a time of the day, a zone?
    pub dated: bool,
    pub timed: bool,
    pub zoned: bool,
    /// Since 2000-01-01; None: beyond the calendar.
    pub days: Option<i64>,
    /// Microseconds of the day.
    pub time: i64,
    /// Seconds east of UTC.
    pub zone: Option<i64>,
    pub precision: i32,
}
/// A picture with the standard's separators alone.
pub(super) fn standard_picture(fmt: &str) -> Result<std::rc::Rc<[Token]>> {
    let tokens = date_picture(fmt)?;
    for t in tokens.iter() {
        if let Token::Text(c, false) = t
            && !"-./,':; ".contains(*c)
        {
            bail!(INVALID_DATETIME_FORMAT, "invalid datetime format separator: \"{c}\"");
        }
    }
    Ok(tokens)
}
pub(super) fn standard(s: &str, fmt: &str) -> Result<Standard> {
    pamir_types::work::charge(s.len() + fmt.len())?;
    let tokens = standard_picture(fmt)?;
    let (mut dated, mut timed, mut zoned) = (false, false, false);
    for t in tokens.iter() {
        match t {
            Token::Text(..) => {}
            Token::Key(k) => match k.key {
                "FX" => {}
                "A.M." | "AM" | "P.M." | "PM" | "HH" | "HH12" | "HH24" | "MI" | "SS" | "SSSS" | "SSSSS" | "MS"
                | "US" => timed = true,
                key if key.starts_with("FF") => timed = true,
                "TZ" | "TZH" | "TZM" | "OF" => zoned = true,
                _ => dated = true,
            },
        }
    }
    let p = parts_by(s, &tokens, true)?;
    Ok(Standard { dated, timed, zoned, days: days_of(&p), time: p.time, zone: p.zone, precision: p.precision })
}
fn parts_by(s: &str, tokens: &[Token], standard: bool) -> Result<Parts> {
    let mut reader = Reader { s: Source { text: s, at: 0 }, tokens, r: Read::default(), standard };
    reader.read()?;
    let r = reader.r;
    let time = time_of(&r, s)?;
    let (year, month, day) = date_of(&r, s)?;
    let mut zone = None;
    if r.zone_sign != 0 {
        if !(0..=MAX_ZONE_HOUR).contains(&r.zone_hour) || !(0..60).contains(&r.zone_minute) {
            bail!(INVALID_TIME_ZONE_DISPLACEMENT, "time zone displacement out of range: \"{s}\"");
        }
        zone = Some(i64::from(r.zone_sign) * (i64::from(r.zone_hour) * 3600 + i64::from(r.zone_minute) * 60));
    }
    Ok(Parts { year, month, day, time, zone, precision: r.precision })
}
fn time_of(r: &Read, s: &str) -> Result<i64> {
    let pick = |v: i32, of_day: i32| i64::from(if v != 0 { v } else { of_day });
    let mut hour = pick(r.hh, r.ssss / 3600);
    let minute = pick(r.mi, r.ssss % 3600 / 60);
    let second = pick(r.ss, r.ssss % 60);
    if r.twelve {
        if !(1..=12).contains(&hour) {
            return Err(err!(INVALID_DATETIME_FORMAT, "hour \"{hour}\" is invalid for the 12-hour clock")
                .hint("Use the 24-hour clock, or give an hour between 1 and 12."));
        }
        match r.pm {
            0 if hour == 12 => hour = 0,
            0 => {}
            _ if hour < 12 => hour += 12,
            _ => {}
        }
    }
    let micros = i64::from(r.ms) * 1000 + i64::from(r.us);
    if !(0..24).contains(&hour)
        || !(0..60).contains(&minute)
        || !(0..60).contains(&second)
        || !(0..USECS_PER_SEC).contains(&micros)
    {
        return Err(out_of_range(s));
    }
    Ok((hour * 3600 + minute * 60 + second) * USECS_PER_SEC + micros)
}
/// The year of YYYY, or of CC and YY, in the era; None: nobody said one.
fn year_of(r: &Read) -> Option<i64> {
    let (year, bc) = (i64::from(r.year), r.bc != 0);
    let cc = i64::from(if bc { r.cc.saturating_neg() } else { r.cc });
    if r.year == 0 && r.cc == 0 {
        return None;
    }
    Some(if r.year == 0 {
        // The first year of the century.
        if cc >= 0 { (cc - 1) * 100 + 1 } else { cc * 100 + 1 }
    } else if r.cc != 0 && r.year_width <= 2 {
        match (year % 100, cc >= 0) {
            (0, true) => cc * 100,
            (0, false) => cc * 100 + 1,
            (y, true) => y + (cc - 1) * 100,
            (y, false) => (cc + 1) * 100 - y + 1,
        }
    } else {
        // Years before Christ are counted from -1.
        let y = if bc { -year } else { year };
        if y < 0 { y + 1 } else { y }
    })
}
fn date_of(r: &Read, s: &str) -> Result<(i64, i64, i64)> {
    let (mut year, mut month, mut day) = (0, 1, 1);
    // Which of them somebody said.
    let mut said = (false, false, false);
    let from_julian = |j: i64| {
        let days = (j - JULIAN_2000).clamp(i64::from(i32::MIN) / 2, i64::from(i32::MAX) / 2);
        let f = dt::date_to_fields(days as i32);
        (i64::from(f.year), i64::from(f.month), i64::from(f.day))
    };
    if let Some(y) = year_of(r) {
        (year, said.0) = (y, true);
    }
    if r.j != 0 {
        (year, month, day) = from_julian(r.j.into());
        said = (true, true, true);
    }
    let mut ddd = i64::from(r.ddd);
    if r.ww != 0 {
        if r.calendar == Some(Calendar::IsoWeek) {
            let start = iso_week_start(year, r.ww.into());
            let weekday = match r.d {
                0 => 0,
                d if d > 1 => i64::from(d) - 2,
                _ => 6,
            };
            (year, month, day) = from_julian(start + weekday);
            said = (true, true, true);
        } else {
            ddd = (i64::from(r.ww) - 1) * 7 + 1;
        }
    }
    let dd = if r.w != 0 { (i64::from(r.w) - 1) * 7 + 1 } else { r.dd.into() };
    if dd != 0 {
        (day, said.2) = (dd, true);
    }
    if r.mm != 0 {
        (month, said.1) = (r.mm.into(), true);
    }
    if ddd != 0 && (month <= 1 || day <= 1) {
        if year == 0 && r.bc == 0 {
            bail!(INVALID_DATETIME_FORMAT, "cannot calculate day of year without year information");
        }
        if r.calendar == Some(Calendar::IsoWeek) {
            (year, month, day) = from_julian(iso_week_start(year, 1) - 1 + ddd);
            said = (true, true, true);
        } else {
            let before = &DAYS_BEFORE[usize::from(is_leap(year))];
            let i = (1..=12).find(|i| ddd <= before[*i]).unwrap_or(13);
            if month <= 1 {
                month = i as i64;
            }
            if day <= 1 {
                day = ddd - before[i - 1];
            }
            (said.1, said.2) = (true, true);
        }
    }
    let wrong = said.1 && !(1..=12).contains(&month)
        || said.2 && !(1..=31).contains(&day)
        || said == (true, true, true) && day > i64::from(dt::days_in_month(year as i32, month as u32));
    if wrong { Err(out_of_range(s)) } else { Ok((year, month, day)) }
}
/// Days since 2000-01-01; None: Julian days do not reach so far.
fn days_of(p: &Parts) -> Option<i64> {
    let valid = (p.year > -4713 || p.year == -4713 && p.month >= 11)
        && (p.year < 5_874_898 || p.year == 5_874_898 && p.month < 6);
    valid.then(|| julian(p.year, p.month, p.day) - JULIAN_2000)
}
fn to_date(s: &str, fmt: &str) -> Result<Datum> {
    let days = days_of(&parts(s, fmt)?).and_then(|d| i32::try_from(d).ok());
    match days.map(dt::check_date) {
        Some(Ok(d)) => Ok(Datum::Date(d)),
        _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range: \"{s}\""),
    }
}
fn to_timestamp(s: &str, fmt: &str, env: &dyn Env) -> Result<Datum> {
    let wrong = || err!(DATETIME_FIELD_OVERFLOW, "timestamp out of range");
    let p = parts(s, fmt)?;
    let local = days_of(&p).and_then(|d| d.checked_mul(dt::USECS_PER_DAY)?.checked_add(p.time)).ok_or_else(wrong)?;
    let v = match p.zone {
        Some(z) => local.checked_sub(z * USECS_PER_SEC).ok_or_else(wrong)?,
        None => dt::local_to_timestamptz(local, &env.text_ctx().dt.tz)?,
    };
    let v = dt::check_timestamp(v)?;
    Ok(Datum::TimestampTz(if p.precision > 0 { dt::apply_time_typmod(v, p.precision) } else { v }))
}

funcs! { pub FUNCS {
    to_date (s: Text, f: Text) => to_date(s, f);
    to_timestamp (_ci env; s: Text, f: Text) => to_timestamp(s, f, env);
} }
