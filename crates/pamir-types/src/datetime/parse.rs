//! Text in: ParseDateTime and DecodeDateTime of datetime.c.
//!
//! The text is cut into fields by their look (a number, a date with delimiters, a time with colons, a signed zone, a word); the fields are
//! then read in order, each claiming parts of the result (year, month, day, time, zone). A part claimed twice is a syntax error. What a bare
//! number means depends on the parts still missing and on DateStyle's order.
use super::tokens::{self, Word};
use super::*;
use crate::number_text::is_space;

/// What went wrong, before it is worded for the type (DTERR_*).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bad {
    Format,
    Field,
    /// A month or day out of range: another DateStyle might read it.
    MonthDay,
    Interval,
    Zone,
}
pub(super) type Decoded<T> = std::result::Result<T, Bad>;

#[cold]
pub(super) fn bad(b: Bad, ty: &str, s: &str) -> Error {
    match b {
        Bad::Format => err!(INVALID_DATETIME_FORMAT, "invalid input syntax for type {ty}: \"{s}\""),
        Bad::Field => err!(DATETIME_FIELD_OVERFLOW, "date/time field value out of range: \"{s}\""),
        Bad::MonthDay => err!(DATETIME_FIELD_OVERFLOW, "date/time field value out of range: \"{s}\"")
            .hint("Perhaps you need a different \"datestyle\" setting."),
        Bad::Interval => err!(INTERVAL_FIELD_OVERFLOW, "interval field value out of range: \"{s}\""),
        Bad::Zone => err!(INVALID_TIME_ZONE_DISPLACEMENT, "time zone displacement out of range: \"{s}\""),
    }
}

/// A field's look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Number,
    Date,
    Time,
    /// A sign and digits.
    Zone,
    Word,
    /// A sign and letters.
    Special,
}
pub(super) struct Field {
    pub kind: Kind,
    /// Lower case.
    pub text: String,
}

/// MAXDATEFIELDS.
const MAX_FIELDS: usize = 25;
/// Bytes of text looked at (MAXDATELEN and its working copies).
const MAX_TEXT: usize = 128 + MAX_FIELDS;

/// Cuts the text into fields.
pub(super) fn split(s: &str) -> Decoded<Vec<Field>> {
    let b = s.as_bytes();
    let mut fields: Vec<Field> = Vec::new();
    let mut i = 0;
    let digit = |i: usize| b.get(i).is_some_and(u8::is_ascii_digit);
    let alpha = |i: usize| b.get(i).is_some_and(u8::is_ascii_alphabetic);
    let any = |i: usize, set: &[u8]| b.get(i).is_some_and(|c| set.contains(c));
    while i < b.len() {
        if is_space(b[i]) {
            i += 1;
            continue;
        }
        let start = i;
        let mut skipped = 0..0;
        let kind = if digit(i) {
            while digit(i) {
                i += 1;
            }
            if any(i, b":") {
                while digit(i) || any(i, b":.") {
                    i += 1;
                }
                Kind::Time
            } else if any(i, b"-/.") {
                let delim = [b[i]];
                i += 1;
                if digit(i) {
                    while digit(i) {
                        i += 1;
                    }
                    if any(i, &delim) {
                        while digit(i) || any(i, &delim) {
                            i += 1;
                        }
                        Kind::Date
                    } else if delim == *b"." {
                        Kind::Number
                    } else {
                        Kind::Date
                    }
                } else if delim == *b"." && !alpha(i) {
                    Kind::Number
                } else {
                    while digit(i) || alpha(i) || any(i, &delim) {
                        i += 1;
                    }
                    Kind::Date
                }
            } else {
                Kind::Number
            }
        } else if any(i, b".") {
            i += 1;
            while digit(i) {
                i += 1;
            }
            Kind::Number
        } else if alpha(i) {
            while alpha(i) {
                i += 1;
            }
            let date = any(i, b"-/.")
                || ((any(i, b"+") || digit(i)) && tokens::word(&s[start..i].to_ascii_lowercase()).is_none());
            if date {
                while digit(i) || alpha(i) || any(i, b"+-/_.:") {
                    i += 1;
                }
                Kind::Date
            } else {
                Kind::Word
            }
        } else if any(i, b"+-") {
            i += 1;
            let from = i;
            while b.get(i).is_some_and(|c| is_space(*c)) {
                i += 1;
            }
            skipped = from..i;
            if digit(i) {
                while digit(i) || any(i, b":.-") {
                    i += 1;
                }
                Kind::Zone
            } else if alpha(i) {
                while alpha(i) {
                    i += 1;
                }
                Kind::Special
            } else {
                return Err(Bad::Format);
            }
        } else if b[i].is_ascii_punctuation() {
            i += 1;
            continue;
        } else {
            return Err(Bad::Format);
        };
        if fields.len() == MAX_FIELDS || i - start > MAX_TEXT {
            return Err(Bad::Format);
        }
        let mut text = s[start..skipped.start.max(start)].to_ascii_lowercase();
        text += &s[if skipped.end > 0 { skipped.end } else { start }..i].to_ascii_lowercase();
        if skipped.end == 0 {
            text = s[start..i].to_ascii_lowercase();
        }
        fields.push(Field { kind, text });
    }
    if b.len() > MAX_TEXT { Err(Bad::Format) } else { Ok(fields) }
}

/// Parts of a date/time, as bits.
const YEAR: u32 = 1;
const MONTH: u32 = 2;
const DAY: u32 = 4;
const DOY: u32 = 8;
const HOUR: u32 = 16;
const ZONE: u32 = 32;
const MERIDIAN: u32 = 64;
const ERA: u32 = 128;
const WEEKDAY: u32 = 256;
const DST: u32 = 512;
const MINUTE: u32 = 1024;
const SECOND: u32 = 2048;
const TIME: u32 = HOUR | MINUTE | SECOND;
const DATE: u32 = YEAR | MONTH | DAY;
const YEAR_MONTH: u32 = YEAR | MONTH;
const MONTH_DAY: u32 = MONTH | DAY;

/// A prefix ("J2451187", "T040506", the letters of "y2001m02d04") waiting for its number.
#[derive(PartialEq)]
enum Pending {
    None,
    Time,
    Julian,
    Part(tokens::Unit),
}

enum Zone {
    Session,
    /// Seconds west of UTC.
    Fixed(i32),
    Named(NamedZone),
}
enum Special {
    None,
    Epoch,
    Infinity,
    NegInfinity,
}
struct Decoder<'a> {
    cx: &'a ParseCtx<'a>,
    have: u32,
    year: i64,
    month: i64,
    day: i64,
    doy: i64,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    two_digit_year: bool,
    text_month: bool,
    bc: bool,
    meridian: Option<Word>,
    zone: Zone,
    special: Special,
    time_only: bool,
}

/// Leading digits and the rest. Too many are a range error.
fn number(s: &str) -> Decoded<(i64, &str)> {
    let len = s.bytes().take_while(u8::is_ascii_digit).count();
    if len == 0 {
        return Err(Bad::Format);
    }
    match s[..len].parse::<i32>() {
        Ok(v) => Ok((v as i64, &s[len..])),
        Err(_) => Err(Bad::Field),
    }
}
/// ".123456" in microseconds, rounded.
pub(super) fn fraction_micros(s: &str) -> Decoded<i64> {
    let digits = s.strip_prefix('.').ok_or(Bad::Format)?;
    if digits.is_empty() {
        return Ok(0);
    }
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Bad::Format);
    }
    let v: f64 = format!("0.{digits}").parse().map_err(|_| Bad::Format)?;
    Ok((v * 1e6).round_ties_even() as i64)
}

/// A time's hour, minute, second and microseconds (DecodeTime). `mm:ss.fff` is minutes to seconds.
pub(super) fn decode_time(s: &str) -> Decoded<(i64, i64, i64, i64)> {
    // An interval's hours may take 64 bits.
    let (mut hour, rest) = match s.find(|c: char| !c.is_ascii_digit()) {
        Some(p @ 1..) => (s[..p].parse::<i64>().map_err(|_| Bad::Field)?, &s[p..]),
        _ => return Err(Bad::Format),
    };
    let rest = rest.strip_prefix(':').ok_or(Bad::Format)?;
    let (mut minute, rest) = number(rest)?;
    let (mut second, mut micros) = (0, 0);
    if rest.starts_with('.') {
        micros = fraction_micros(rest)?;
        (second, minute, hour) = (minute, hour, 0);
    } else if let Some(rest) = rest.strip_prefix(':') {
        let (s, rest) = number(rest)?;
        second = s;
        if !rest.is_empty() {
            micros = fraction_micros(rest)?;
        }
    } else if !rest.is_empty() {
        return Err(Bad::Format);
    }
    if !(0..=59).contains(&minute) || second > 60 || micros > USECS_PER_SEC {
        return Err(Bad::Field);
    }
    Ok((hour, minute, second, micros))
}
/// A numeric zone (+hh, +hhmm, +hh:mm:ss) in seconds west of UTC.
pub(super) fn decode_zone(s: &str) -> Decoded<i32> {
    let digits = s.strip_prefix(['+', '-']).ok_or(Bad::Format)?;
    let zone_number = |s| number(s).map_err(|e| if e == Bad::Field { Bad::Zone } else { e });
    let (mut hour, mut rest) = zone_number(digits)?;
    let (mut minute, mut second) = (0, 0);
    // Nothing behind a colon is zero.
    let part = |r| if number(r).is_err_and(|e| e == Bad::Format) { Ok((0, r)) } else { zone_number(r) };
    if let Some(r) = rest.strip_prefix(':') {
        (minute, rest) = part(r)?;
        if let Some(r) = rest.strip_prefix(':') {
            (second, rest) = part(r)?;
        }
    } else if rest.is_empty() && s.len() > 3 {
        (hour, minute) = (hour / 100, hour % 100);
    }
    if hour > 15 || minute > 59 || second > 59 {
        return Err(Bad::Zone);
    }
    if !rest.is_empty() {
        return Err(Bad::Format);
    }
    let east = ((hour * 60 + minute) * 60 + second) as i32;
    Ok(if s.starts_with('-') { east } else { -east })
}

/// +hh[:mm[:ss]] of a POSIX zone, which counts west, in seconds east.
pub(super) fn posix_offset(s: &str) -> Option<i32> {
    let (hour, rest) = number(s.get(1..)?).ok()?;
    let part = |s: &'_ str| s.strip_prefix(':').and_then(|s| number(s).ok()).map(|(v, r)| (v, r.len()));
    let (minute, left) = if rest.is_empty() { (0, 0) } else { part(rest)? };
    let (second, left) = if left == 0 { (0, 0) } else { part(&rest[rest.len() - left..])? };
    if left != 0 || hour > 167 || minute > 59 || second > 59 {
        return None;
    }
    let west = ((hour * 60 + minute) * 60 + second) as i32;
    Some(if s.starts_with('-') { west } else { -west })
}

impl<'a> Decoder<'a> {
    fn new(cx: &'a ParseCtx<'a>, time_only: bool) -> Self {
        Decoder {
            cx,
            have: 0,
            year: 0,
            month: 0,
            day: 0,
            doy: 0,
            hour: 0,
            minute: 0,
            second: 0,
            micros: 0,
            two_digit_year: false,
            text_month: false,
            bc: false,
            meridian: None,
            zone: Zone::Session,
            special: Special::None,
            time_only,
        }
    }
    fn claim(&mut self, parts: u32) -> Decoded<()> {
        if self.have & parts != 0 {
            return Err(Bad::Format);
        }
        self.have |= parts;
        Ok(())
    }
    fn set_time(&mut self, t: (i64, i64, i64, i64)) -> Decoded<()> {
        self.claim(TIME)?;
        (self.hour, self.minute, self.second, self.micros) = t;
        Ok(())
    }
    fn set_date(&mut self, days: i64) -> Decoded<()> {
        self.claim(DATE)?;
        let (y, m, d) = civil_from_days(days);
        // Never a two-digit or BC year here.
        (self.year, self.month, self.day) = (y as i64, m as i64, d as i64);
        Ok(())
    }

    /// Words inside a date ("5-Jan-2020"), or a month's name on its own.
    fn month_name(&mut self, m: u32) -> Decoded<()> {
        // A number read as the month is the day when a name follows.
        if self.have & MONTH != 0 && !self.text_month && self.have & DAY == 0 && (1..=31).contains(&self.month) {
            self.day = self.month;
            self.have = self.have & !MONTH | DAY;
        }
        self.claim(MONTH)?;
        self.text_month = true;
        self.month = m as i64;
        Ok(())
    }

    /// A date with delimiters (DecodeDate).
    fn date(&mut self, s: &str) -> Decoded<()> {
        let mut parts = Vec::new();
        let b = s.as_bytes();
        let mut i = 0;
        while i < b.len() {
            while i < b.len() && !b[i].is_ascii_alphanumeric() {
                i += 1;
            }
            if i == b.len() {
                return Err(Bad::Format);
            }
            let start = i;
            let digits = b[i].is_ascii_digit();
            while i < b.len() && if digits { b[i].is_ascii_digit() } else { b[i].is_ascii_alphabetic() } {
                i += 1;
            }
            parts.push(&s[start..i]);
            // One delimiter goes; a letter after digits stays.
            if i < b.len() && !b[i].is_ascii_alphanumeric() {
                i += 1;
            }
        }
        for p in &parts {
            if p.as_bytes()[0].is_ascii_alphabetic() {
                match tokens::word(p) {
                    Some(Word::Month(m)) => {
                        self.claim(MONTH)?;
                        self.text_month = true;
                        self.month = m as i64;
                    }
                    Some(Word::Ignore) => {}
                    // PostgreSQL reads over a Z stuck to a date.
                    None if *p == "z" => {}
                    _ => return Err(Bad::Format),
                }
            }
        }
        for p in parts.iter().filter(|p| p.as_bytes()[0].is_ascii_digit()) {
            self.number(p)?;
        }
        // A date with delimiters comes before time, weekday and era; only a zone may precede it.
        if self.have & !(DOY | ZONE) != DATE { Err(Bad::Format) } else { Ok(()) }
    }

    /// A bare number (DecodeNumber).
    fn number(&mut self, s: &str) -> Decoded<()> {
        let len = s.len();
        let (v, rest) = number(s)?;
        if rest.starts_with('.') {
            if len - rest.len() > 2 {
                return self.run_together(s, self.have | DATE);
            }
            self.micros = fraction_micros(rest)?;
        } else if !rest.is_empty() {
            return Err(Bad::Format);
        }
        if len == 3 && self.have & DATE == YEAR && (1..=366).contains(&v) {
            self.claim(DOY | MONTH | DAY)?;
            self.doy = v;
            return Ok(());
        }
        let order = self.cx.style.order;
        let part = match self.have & DATE {
            0 if len >= 3 || order == DateOrder::Ymd => YEAR,
            0 if order == DateOrder::Dmy => DAY,
            0 => MONTH,
            YEAR => MONTH,
            MONTH if self.text_month && (len >= 3 || order == DateOrder::Ymd) => YEAR,
            MONTH => DAY,
            YEAR_MONTH => {
                if self.text_month && len >= 3 && self.two_digit_year {
                    // What was taken for the year was the day.
                    self.have |= DAY;
                    self.day = self.year;
                    self.year = v;
                    self.two_digit_year = false;
                    return Ok(());
                }
                DAY
            }
            DAY => MONTH,
            MONTH_DAY => YEAR,
            DATE => return self.run_together(s, self.have),
            _ => return Err(Bad::Format),
        };
        self.claim(part)?;
        match part {
            YEAR => {
                self.year = v;
                self.two_digit_year = len <= 2;
            }
            MONTH => self.month = v,
            _ => self.day = v,
        }
        Ok(())
    }
    /// yyyymmdd, hhmmss or hhmm (DecodeNumberField); `have` says what is settled.
    fn run_together(&mut self, s: &str, have: u32) -> Decoded<()> {
        let (digits, micros) = match s.find('.') {
            Some(p) => (&s[..p], Some(fraction_micros(&s[p..])?)),
            None => (s, None),
        };
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Bad::Format);
        }
        let int = |s: &str| s.parse::<i32>().map(|v| v as i64).map_err(|_| Bad::Field);
        let len = digits.len();
        if micros.is_none() && have & DATE != DATE && len >= 6 {
            self.claim(DATE)?;
            self.year = int(&digits[..len - 4])?;
            self.month = int(&digits[len - 4..len - 2])?;
            self.day = int(&digits[len - 2..])?;
            self.two_digit_year = len == 6;
            return Ok(());
        }
        if have & TIME == 0 && (len == 6 || len == 4) {
            let second = if len == 6 { int(&digits[4..])? } else { 0 };
            return self.set_time((int(&digits[..2])?, int(&digits[2..4])?, second, micros.unwrap_or(self.micros)));
        }
        Err(Bad::Format)
    }

    fn local_today(&self) -> i64 {
        timestamptz_to_local(self.cx.now, &self.cx.style.tz).div_euclid(USECS_PER_DAY)
    }

    /// Reads all fields. `Err(Err(e))` is an error already worded.
    fn run(&mut self, fields: &[Field]) -> std::result::Result<(), std::result::Result<Bad, Error>> {
        let mut pending = Pending::None;
        for (i, f) in fields.iter().enumerate() {
            let s = f.text.as_str();
            match f.kind {
                Kind::Date => self.date_field(s, self.date_may_stand(fields, i), &mut pending)?,
                Kind::Time => {
                    if matches!(pending, Pending::Part(_)) {
                        return Err(Ok(Bad::Format));
                    }
                    pending = Pending::None;
                    let t = decode_time(s).map_err(Ok)?;
                    // In a time alone it is checked at the end.
                    if !self.time_only && time_overflows(t) {
                        return Err(Ok(Bad::Field));
                    }
                    self.set_time(t).map_err(Ok)?;
                }
                Kind::Zone => {
                    self.claim(ZONE).map_err(Ok)?;
                    self.zone = Zone::Fixed(decode_zone(s).map_err(Ok)?);
                }
                Kind::Number => self.number_field(s, fields, i, &mut pending).map_err(Ok)?,
                Kind::Word | Kind::Special => {
                    let next = fields.get(i + 1).map(|f| f.kind);
                    self.word_field(f, next, &mut pending).map_err(Ok)?;
                }
            }
        }
        // The name of a part may stand at the end.
        if !matches!(pending, Pending::None | Pending::Part(_)) {
            return Err(Ok(Bad::Format));
        }
        self.finish().map_err(Ok)
    }

    /// A time takes a date only as its first field.
    fn date_may_stand(&self, fields: &[Field], i: usize) -> bool {
        !self.time_only
            || i == 0
                && fields.len() >= 2
                && (fields[fields.len() - 1].kind == Kind::Date || fields[1].kind == Kind::Time)
    }

    /// Parts between hyphens: a date, or where one is known already a time with its zone, or a zone's name.
    fn date_field(
        &mut self,
        s: &str,
        date_allowed: bool,
        pending: &mut Pending,
    ) -> std::result::Result<(), std::result::Result<Bad, Error>> {
        if matches!(pending, Pending::Julian | Pending::Part(_)) {
            return Err(Ok(Bad::Format));
        }
        if *pending != Pending::Time && self.have & (MONTH | DAY) != MONTH | DAY && date_allowed {
            return self.date(s).map_err(Ok);
        }
        if s.as_bytes()[0].is_ascii_digit() || *pending == Pending::Time {
            *pending = Pending::None;
            if self.have & TIME != 0 {
                return Err(Ok(Bad::Format));
            }
            let Some(p) = s.find('-') else { return Err(Ok(Bad::Format)) };
            self.zone = Zone::Fixed(decode_zone(&s[p..]).map_err(Ok)?);
            let settled = if self.time_only { self.have | DATE } else { self.have };
            self.run_together(&s[..p], settled).map_err(Ok)?;
        } else if self.have & ZONE != 0 {
            return Err(Ok(Bad::Format));
        } else {
            self.zone = Zone::Named(parse_named_zone(s).map_err(Err)?);
        }
        self.claim(ZONE).map_err(Ok)
    }

    fn number_field(&mut self, s: &str, fields: &[Field], i: usize, pending: &mut Pending) -> Decoded<()> {
        match std::mem::replace(pending, Pending::None) {
            Pending::Julian => {
                let (v, rest) = number(s)?;
                self.set_date(v - EPOCH_JULIAN as i64)?;
                if !rest.is_empty() {
                    let t: f64 = format!("0{rest}").parse().map_err(|_| Bad::Format)?;
                    let (h, m, s, us) = split_time((t * USECS_PER_DAY as f64) as i64);
                    self.set_time((h as i64, m as i64, s as i64, us as i64))?;
                }
                return Ok(());
            }
            Pending::Time => return self.run_together(s, self.have | DATE),
            Pending::Part(unit) => return self.part(unit, s),
            Pending::None => {}
        }
        let point = s.find('.');
        if self.time_only {
            let last_is_date = fields.len() >= 2 && fields[fields.len() - 1].kind == Kind::Date;
            return match point {
                Some(_) if i == 0 && last_is_date => self.date(s),
                Some(p) if p <= 2 => Err(Bad::Format),
                _ => self.run_together(s, self.have | DATE),
            };
        }
        if point.is_some() && self.have & DATE == 0 {
            self.date(s)
        } else if point.is_some_and(|p| p > 2) || (s.len() >= 6 && (self.have & DATE == 0 || self.have & TIME == 0)) {
            self.run_together(s, self.have)
        } else {
            self.number(s)
        }
    }

    /// The number of a part that was named. A month is a minute where there are a month and an hour; seconds may have a fraction.
    fn part(&mut self, unit: tokens::Unit, s: &str) -> Decoded<()> {
        use tokens::Unit;
        let (v, rest) = number(s)?;
        if rest.starts_with('.') && unit == Unit::Second {
            self.micros = fraction_micros(rest)?;
        } else if !rest.is_empty() {
            return Err(Bad::Format);
        }
        let (part, place) = match unit {
            Unit::Year => (YEAR, &mut self.year),
            Unit::Month if self.have & MONTH != 0 && self.have & HOUR != 0 => (MINUTE, &mut self.minute),
            Unit::Month => (MONTH, &mut self.month),
            Unit::Day => (DAY, &mut self.day),
            Unit::Hour => (HOUR, &mut self.hour),
            Unit::Minute => (MINUTE, &mut self.minute),
            Unit::Second => (SECOND, &mut self.second),
            _ => return Err(Bad::Format),
        };
        *place = v;
        self.claim(part)
    }

    /// `next`: what stands behind the word.
    fn word_field(&mut self, f: &Field, next: Option<Kind>, pending: &mut Pending) -> Decoded<()> {
        let s = f.text.as_str();
        if let Some(east) = tokens::zone_abbreviation(s) {
            self.claim(ZONE)?;
            self.zone = Zone::Fixed(-east);
            return Ok(());
        }
        let Some(word) = tokens::word(s) else {
            // Perhaps a zone's name.
            match parse_named_zone(s) {
                Ok(tz) if f.kind == Kind::Word => self.zone = Zone::Named(tz),
                _ => return Err(Bad::Format),
            }
            return self.claim(ZONE);
        };
        match word {
            Word::Month(_)
            | Word::DayName
            | Word::Today
            | Word::Tomorrow
            | Word::Yesterday
            | Word::Epoch
            | Word::Infinity
            | Word::NegInfinity
            | Word::Part(_)
                if self.time_only =>
            {
                Err(Bad::Format)
            }
            Word::Part(unit) => {
                *pending = Pending::Part(unit);
                Ok(())
            }
            Word::Ignore => Ok(()),
            Word::Month(m) => self.month_name(m),
            Word::DayName => self.claim(WEEKDAY),
            Word::Am | Word::Pm => {
                self.meridian = Some(word);
                self.claim(MERIDIAN)
            }
            Word::Ad | Word::Bc => {
                self.bc = word == Word::Bc;
                self.claim(ERA)
            }
            Word::Now => {
                let now = self.cx.now;
                let local = timestamptz_to_local(now, &self.cx.style.tz);
                let (h, m, s, us) = split_time(local.rem_euclid(USECS_PER_DAY));
                self.zone = Zone::Fixed(-utc_offset(now, &self.cx.style.tz));
                self.set_date(local.div_euclid(USECS_PER_DAY))
                    .and_then(|_| self.set_time((h as i64, m as i64, s as i64, us as i64)))
                    .and_then(|_| self.claim(ZONE))
            }
            Word::Today => self.set_date(self.local_today()),
            Word::Tomorrow => self.set_date(self.local_today() + 1),
            Word::Yesterday => self.set_date(self.local_today() - 1),
            Word::Allballs => {
                self.zone = Zone::Fixed(0);
                self.set_time((0, 0, 0, 0)).and_then(|_| self.claim(ZONE))
            }
            Word::Epoch | Word::Infinity | Word::NegInfinity => {
                self.special = match word {
                    Word::Epoch => Special::Epoch,
                    Word::Infinity => Special::Infinity,
                    _ => Special::NegInfinity,
                };
                self.claim(DATE | TIME | ZONE)
            }
            Word::IsoTime => {
                let time = matches!(next, Some(Kind::Number | Kind::Time | Kind::Date));
                if (!self.time_only && self.have & DATE != DATE) || !time {
                    Err(Bad::Format)
                } else {
                    *pending = Pending::Time;
                    Ok(())
                }
            }
            Word::Julian => {
                *pending = Pending::Julian;
                Ok(())
            }
            Word::DstModifier => {
                if let Zone::Fixed(west) = &mut self.zone {
                    *west -= 3600;
                }
                self.claim(DST)
            }
        }
    }

    /// ValidateDate and the clock's am and pm.
    fn finish(&mut self) -> Decoded<()> {
        if !matches!(self.special, Special::None) {
            return Ok(());
        }
        if self.have & YEAR != 0 {
            if self.bc {
                if self.year <= 0 {
                    return Err(Bad::Field);
                }
                self.year = 1 - self.year;
            } else if self.two_digit_year {
                self.year += if self.year < 70 { 2000 } else { 1900 };
            } else if self.year <= 0 && self.have & ERA == 0 && self.year == 0 {
                return Err(Bad::Field);
            }
        }
        if self.have & DOY != 0 {
            let (_, m, d) = civil_from_days(days_from_civil(self.year, 1, 1) + self.doy - 1);
            (self.month, self.day) = (m as i64, d as i64);
        }
        if self.have & MONTH != 0 && !(1..=12).contains(&self.month) {
            return Err(Bad::MonthDay);
        }
        if self.have & DAY != 0 && !(1..=31).contains(&self.day) {
            return Err(Bad::MonthDay);
        }
        if self.have & DATE == DATE && self.day > days_in_month(self.year as i32, self.month as u32) as i64 {
            return Err(Bad::Field);
        }
        match self.meridian {
            Some(_) if self.hour > 12 => return Err(Bad::Field),
            Some(Word::Am) if self.hour == 12 => self.hour = 0,
            Some(Word::Pm) if self.hour != 12 => self.hour += 12,
            _ => {}
        }
        if time_overflows((self.hour, self.minute, self.second, self.micros)) {
            return Err(Bad::Field);
        }
        // Without a date a zone with a history says no offset.
        if self.time_only
            && self.have & DATE != DATE
            && let Zone::Named(NamedZone::Zone(tz)) = &self.zone
            && tz.to_fixed_offset().is_err()
        {
            return Err(Bad::Format);
        }
        let need = if self.time_only { TIME } else { DATE };
        if self.have & need != need {
            return Err(Bad::Format);
        }
        Ok(())
    }
    fn time(&self) -> i64 {
        self.hour * USECS_PER_HOUR + self.minute * USECS_PER_MIN + self.second * USECS_PER_SEC + self.micros
    }
    fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }
}

fn time_overflows((h, m, s, us): (i64, i64, i64, i64)) -> bool {
    !(0..=24).contains(&h)
        || !(0..=59).contains(&m)
        || !(0..=60).contains(&s)
        || h * USECS_PER_HOUR + m * USECS_PER_MIN + s * USECS_PER_SEC + us > USECS_PER_DAY
}

fn decode<'a>(s: &str, ty: &str, cx: &'a ParseCtx<'a>, time_only: bool) -> Result<Decoder<'a>> {
    let mut d = Decoder::new(cx, time_only);
    let fields = split(s).map_err(|b| bad(b, ty, s))?;
    d.run(&fields).map_err(|e| match e {
        Ok(b) => bad(b, ty, s),
        Err(e) => e,
    })?;
    Ok(d)
}

pub fn parse_date(s: &str, cx: &ParseCtx) -> Result<i32> {
    let d = decode(s, "date", cx, false)?;
    match d.special {
        Special::Epoch => return Ok(-UNIX_EPOCH_DAYS),
        Special::Infinity => return Ok(i32::MAX),
        Special::NegInfinity => return Ok(i32::MIN),
        Special::None => {}
    }
    match i32::try_from(d.days()) {
        Ok(v) if (MIN_DATE..END_DATE).contains(&v) => Ok(v),
        _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range: \"{s}\""),
    }
}
pub fn parse_time(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
    let d = decode(s, "time", cx, true)?;
    if !matches!(d.special, Special::None) {
        return Err(bad(Bad::Format, "time", s));
    }
    Ok(apply_time_typmod(d.time(), typmod))
}
pub fn parse_timetz(s: &str, typmod: i32, cx: &ParseCtx) -> Result<(i64, i32)> {
    const TYPE: &str = "time with time zone";
    let d = decode(s, TYPE, cx, true)?;
    if !matches!(d.special, Special::None) {
        return Err(bad(Bad::Format, TYPE, s));
    }
    let days = if d.have & DATE == DATE { d.days() } else { d.local_today() };
    let local = days.saturating_mul(USECS_PER_DAY).saturating_add(d.time());
    let west = match &d.zone {
        Zone::Fixed(w) => *w,
        Zone::Named(tz) => -tz.local_offset(local),
        Zone::Session => -local_offset(local, &cx.style.tz),
    };
    Ok((apply_time_typmod(d.time(), typmod), west))
}
/// The local timestamp and its zone.
fn local_timestamp<'a>(s: &str, ty: &str, cx: &'a ParseCtx<'a>) -> Result<(i64, Zone)> {
    let d = decode(s, ty, cx, false)?;
    match d.special {
        Special::Epoch => return Ok((-(UNIX_EPOCH_DAYS as i64) * USECS_PER_DAY, Zone::Fixed(0))),
        Special::Infinity => return Ok((i64::MAX, Zone::Fixed(0))),
        Special::NegInfinity => return Ok((i64::MIN, Zone::Fixed(0))),
        Special::None => {}
    }
    let v = d.days().checked_mul(USECS_PER_DAY).and_then(|v| v.checked_add(d.time()));
    match v {
        // A zone may yet bring it into range: the caller checks again.
        Some(v) if (MIN_TIMESTAMP - USECS_PER_DAY..END_TIMESTAMP + USECS_PER_DAY).contains(&v) => Ok((v, d.zone)),
        _ => bail!(DATETIME_FIELD_OVERFLOW, "timestamp out of range: \"{s}\""),
    }
}
pub fn parse_timestamp(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
    let (v, _) = local_timestamp(s, "timestamp", cx)?;
    match check_timestamp(v) {
        Ok(v) => Ok(apply_time_typmod(v, typmod)),
        Err(_) => bail!(DATETIME_FIELD_OVERFLOW, "timestamp out of range: \"{s}\""),
    }
}
pub fn parse_timestamptz(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
    let (v, zone) = local_timestamp(s, "timestamp with time zone", cx)?;
    if is_infinite(v) {
        return Ok(v);
    }
    let east = match &zone {
        Zone::Fixed(west) => -west,
        Zone::Named(tz) => tz.local_offset(v),
        Zone::Session => local_offset(v, &cx.style.tz),
    };
    match check_timestamp(v - east as i64 * USECS_PER_SEC) {
        Ok(v) => Ok(apply_time_typmod(v, typmod)),
        Err(_) => bail!(DATETIME_FIELD_OVERFLOW, "timestamp out of range: \"{s}\""),
    }
}
