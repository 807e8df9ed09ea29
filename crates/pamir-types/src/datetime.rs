//! Dates, times, timestamps and intervals: PostgreSQL's ranges, parsing (datetime.c) and arithmetic (timestamp.c).
//!
//! Everything counts from 2000-01-01: dates in days, timestamps in microseconds; the extreme integers are the infinities. The calendar is
//! the proleptic Gregorian one, computed in whole numbers; only time zones come from a library (`jiff`).
//!
//! - this file: the types, the calendar, time zones, ranges;
//! - `datetime/parse.rs`: text in (dates, times, timestamps); `datetime/tokens.rs`: the words and abbreviations it knows;
//! - `datetime/interval.rs`: intervals, text in and arithmetic;
//! - `datetime/format.rs`: text out, every DateStyle and IntervalStyle;
//! - `datetime/fields.rs`: extract, date_trunc, age.
//!
//! Time zones: where a local time exists twice the later (standard) reading counts, where it does not exist the offset before the gap, as in
//! PostgreSQL. Beyond the year 9999 the rules of the Gregorian cycle's same year (400 years earlier) apply.
use crate::{Error, Result, bail, err};
use jiff::tz::TimeZone;

mod fields;
mod format;
mod interval;
mod parse;
mod tokens;

pub use fields::*;
pub use format::*;
pub use interval::*;
pub use parse::*;

/// Months, days and microseconds are kept apart; comparison takes a month as 30 days and a day as 24 hours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interval {
    pub months: i32,
    pub days: i32,
    pub micros: i64,
}

pub const USECS_PER_SEC: i64 = 1_000_000;
pub const USECS_PER_MIN: i64 = 60 * USECS_PER_SEC;
pub const USECS_PER_HOUR: i64 = 3600 * USECS_PER_SEC;
pub const USECS_PER_DAY: i64 = 86_400 * USECS_PER_SEC;
/// Days from 1970-01-01 to 2000-01-01.
pub const UNIX_EPOCH_DAYS: i32 = 10_957;
/// Julian day of 2000-01-01 (POSTGRES_EPOCH_JDATE).
pub const EPOCH_JULIAN: i32 = 2_451_545;

/// 4713-11-24 BC, Julian day 0.
pub const MIN_DATE: i32 = -EPOCH_JULIAN;
/// The first day after 5874897-12-31.
pub const END_DATE: i32 = 2_147_483_494 - EPOCH_JULIAN;
pub const MIN_TIMESTAMP: i64 = -211_813_488_000_000_000;
/// The first microsecond after the year 294276.
pub const END_TIMESTAMP: i64 = 9_223_371_331_200_000_000;
/// The most fractional digits of a second.
pub const MAX_PRECISION: i32 = 6;
const DAYS_PER_CYCLE: i64 = 146_097;

/// The session's DateStyle, IntervalStyle and TimeZone: all that date/time text depends on.
#[derive(Clone)]
pub struct DateTimeStyle {
    pub date_style: DateStyle,
    pub order: DateOrder,
    pub interval_style: IntervalStyle,
    pub tz: TimeZone,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateStyle {
    Iso,
    Sql,
    Postgres,
    German,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateOrder {
    Mdy,
    Dmy,
    Ymd,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntervalStyle {
    Postgres,
    PostgresVerbose,
    SqlStandard,
    Iso8601,
}
impl Default for DateTimeStyle {
    fn default() -> Self {
        DateTimeStyle {
            date_style: DateStyle::Iso,
            order: DateOrder::Mdy,
            interval_style: IntervalStyle::Postgres,
            tz: TimeZone::UTC,
        }
    }
}

/// Broken-down time. `year` is astronomical (0 = 1 BC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    pub year: i32,
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    pub micros: u32,
}

/// What parsing needs beside the text. `now` is the transaction's start, microseconds since 2000-01-01 UTC
/// ('now', 'today', 'tomorrow', 'yesterday').
pub struct ParseCtx<'a> {
    pub style: &'a DateTimeStyle,
    pub now: i64,
}

// ---- the calendar --------------------------------------------------------------------------------------------

/// Days since 2000-01-01 of a proleptic Gregorian date (H. Hinnant, "chrono-compatible low-level date algorithms").
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let yoe = y - era * 400;
    let doy = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    era * DAYS_PER_CYCLE + doe - 719_468 - UNIX_EPOCH_DAYS as i64
}
pub(crate) fn civil_from_days(days: i64) -> (i32, u32, u32) {
    let z = days + UNIX_EPOCH_DAYS as i64 + 719_468;
    let era = z.div_euclid(DAYS_PER_CYCLE);
    let doe = z - era * DAYS_PER_CYCLE;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    (year as i32, month as u32, day as u32)
}
pub(crate) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}
pub fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year as i64) => 29,
        2 => 28,
        _ => 31,
    }
}
/// 0 is Sunday.
pub fn day_of_week(days: i32) -> u32 {
    (days as i64 + 6).rem_euclid(7) as u32
}

#[cold]
pub(crate) fn timestamp_out_of_range() -> Error {
    err!(DATETIME_FIELD_OVERFLOW, "timestamp out of range")
}
#[cold]
pub(crate) fn interval_out_of_range() -> Error {
    err!(DATETIME_FIELD_OVERFLOW, "interval out of range")
}
pub fn is_infinite(v: i64) -> bool {
    v == i64::MIN || v == i64::MAX
}
/// 22008 unless infinite or in range.
pub fn check_timestamp(v: i64) -> Result<i64> {
    if is_infinite(v) || (MIN_TIMESTAMP..END_TIMESTAMP).contains(&v) { Ok(v) } else { Err(timestamp_out_of_range()) }
}
/// 22008 unless infinite or in range.
pub fn check_date(v: i32) -> Result<i32> {
    if v == i32::MIN || v == i32::MAX || (MIN_DATE..END_DATE).contains(&v) {
        Ok(v)
    } else {
        bail!(DATETIME_FIELD_OVERFLOW, "date out of range")
    }
}

/// Fields of a local timestamp.
pub fn timestamp_to_fields(v: i64) -> Fields {
    let (days, time) = (v.div_euclid(USECS_PER_DAY), v.rem_euclid(USECS_PER_DAY));
    let (year, month, day) = civil_from_days(days);
    let (hour, minute, second, micros) = split_time(time);
    Fields { year, month, day, hour, minute, second, micros }
}
pub(crate) fn split_time(t: i64) -> (u32, u32, u32, u32) {
    let secs = t / USECS_PER_SEC;
    ((secs / 3600) as u32, (secs / 60 % 60) as u32, (secs % 60) as u32, (t % USECS_PER_SEC) as u32)
}
/// 22008 "timestamp out of range".
pub fn fields_to_timestamp(f: &Fields) -> Result<i64> {
    let days = days_from_civil(f.year as i64, f.month as i64, f.day as i64);
    let time = f.hour as i64 * USECS_PER_HOUR
        + f.minute as i64 * USECS_PER_MIN
        + f.second as i64 * USECS_PER_SEC
        + f.micros as i64;
    let v = days.checked_mul(USECS_PER_DAY).and_then(|d| d.checked_add(time)).ok_or_else(timestamp_out_of_range)?;
    if (MIN_TIMESTAMP..END_TIMESTAMP).contains(&v) { Ok(v) } else { Err(timestamp_out_of_range()) }
}
pub fn date_to_fields(v: i32) -> Fields {
    let (year, month, day) = civil_from_days(v as i64);
    Fields { year, month, day, ..Fields::default() }
}
/// 22008 "date out of range".
pub fn fields_to_date(f: &Fields) -> Result<i32> {
    let days = days_from_civil(f.year as i64, f.month as i64, f.day as i64);
    match i32::try_from(days) {
        Ok(d) if (MIN_DATE..END_DATE).contains(&d) => Ok(d),
        _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range"),
    }
}

// ---- time zones ----------------------------------------------------------------------------------------------

/// The instant for the library, whose years end at 9999.
fn jiff_timestamp(v: i64) -> jiff::Timestamp {
    /// Seconds since 1970 of 9999-01-01.
    const END: i64 = 253_370_764_800;
    const CYCLE: i64 = DAYS_PER_CYCLE * 86_400;
    let mut secs = v.div_euclid(USECS_PER_SEC) + UNIX_EPOCH_DAYS as i64 * 86_400;
    if secs >= END {
        secs -= ((secs - END) / CYCLE + 1) * CYCLE;
    }
    jiff::Timestamp::from_second(secs).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}
/// Seconds EAST of UTC at instant `v`.
pub fn utc_offset(v: i64, tz: &TimeZone) -> i32 {
    if is_infinite(v) || *tz == TimeZone::UTC {
        return 0;
    }
    tz.to_offset(jiff_timestamp(v)).seconds()
}
/// The zone's abbreviation at instant `v`.
pub fn zone_abbreviation(v: i64, tz: &TimeZone) -> String {
    tz.to_offset_info(jiff_timestamp(v)).abbreviation().to_string()
}
pub fn timestamptz_to_local(v: i64, tz: &TimeZone) -> i64 {
    if is_infinite(v) { v } else { v.saturating_add(utc_offset(v, tz) as i64 * USECS_PER_SEC) }
}
/// Seconds east of UTC of the local time `v`.
pub fn local_offset(v: i64, tz: &TimeZone) -> i32 {
    if is_infinite(v) || *tz == TimeZone::UTC {
        return 0;
    }
    let f = timestamp_to_fields(v);
    let year = if f.year > 9998 { 9600 + f.year % 400 } else { f.year };
    let year = if year > 9998 { year - 400 } else { year };
    let local = jiff::civil::DateTime::new(
        year as i16,
        f.month as i8,
        f.day as i8,
        f.hour as i8,
        f.minute as i8,
        f.second as i8,
        0,
    );
    let Ok(local) = local else { return 0 };
    match tz.to_ambiguous_timestamp(local).offset() {
        jiff::tz::AmbiguousOffset::Unambiguous { offset } => offset.seconds(),
        jiff::tz::AmbiguousOffset::Gap { before, .. } => before.seconds(),
        jiff::tz::AmbiguousOffset::Fold { after, .. } => after.seconds(),
    }
}
pub fn local_to_timestamptz(v: i64, tz: &TimeZone) -> Result<i64> {
    if is_infinite(v) {
        return Ok(v);
    }
    check_timestamp(v.saturating_sub(local_offset(v, tz) as i64 * USECS_PER_SEC))
}

/// The most changes of a zone's clocks that are looked at for an abbreviation's meaning.
const MAX_TRANSITIONS: usize = 1024;

/// A zone as texts and AT TIME ZONE name it.
#[derive(Clone, Debug, PartialEq)]
pub enum NamedZone {
    Zone(TimeZone),
    /// What an abbreviation means in a zone: its use at the time, or the last one before, or the first one after; the zone's own offset where it never had one.
    Abbreviation(TimeZone, String),
}
impl NamedZone {
    /// Seconds east of UTC at instant `v`.
    pub fn utc_offset(&self, v: i64) -> i32 {
        match self {
            NamedZone::Zone(tz) => utc_offset(v, tz),
            NamedZone::Abbreviation(tz, a) => abbreviated_offset(v, tz, a).unwrap_or_else(|| utc_offset(v, tz)),
        }
    }
    /// Seconds east of UTC of the local time `v`.
    pub fn local_offset(&self, v: i64) -> i32 {
        match self {
            NamedZone::Zone(tz) => local_offset(v, tz),
            NamedZone::Abbreviation(tz, a) => {
                let own = local_offset(v, tz);
                let instant = v.saturating_sub(own as i64 * USECS_PER_SEC);
                abbreviated_offset(instant, tz, a).unwrap_or(own)
            }
        }
    }
    pub fn to_local(&self, v: i64) -> i64 {
        if is_infinite(v) { v } else { v.saturating_add(self.utc_offset(v) as i64 * USECS_PER_SEC) }
    }
    pub fn from_local(&self, v: i64) -> Result<i64> {
        if is_infinite(v) {
            return Ok(v);
        }
        check_timestamp(v.saturating_sub(self.local_offset(v) as i64 * USECS_PER_SEC))
    }
}
fn abbreviated_offset(v: i64, tz: &TimeZone, abbreviation: &str) -> Option<i32> {
    if is_infinite(v) {
        return None;
    }
    let at = jiff_timestamp(v);
    let now = tz.to_offset_info(at);
    if now.abbreviation().eq_ignore_ascii_case(abbreviation) {
        return Some(now.offset().seconds());
    }
    let means = |t: &jiff::tz::TimeZoneTransition| t.abbreviation().eq_ignore_ascii_case(abbreviation);
    let before = tz.preceding(at).take(MAX_TRANSITIONS).find(means);
    let found = before.or_else(|| tz.following(at).take(MAX_TRANSITIONS).find(means));
    found.map(|t| t.offset().seconds())
}

/// When summer is where a POSIX rule names a summer zone and does not say.
const DEFAULT_SUMMER: &str = ",M3.2.0,M11.1.0";
/// Hours in a POSIX rule, at most.
const MAX_ZONE_HOURS: i32 = 167;

/// [`parse_zone`], with what an abbreviation means.
pub fn parse_named_zone(name: &str) -> Result<NamedZone> {
    let tz = parse_zone(name)?;
    Ok(match tokens::abbreviated_zone(&name.to_ascii_lowercase()) {
        Some(_) => NamedZone::Abbreviation(tz, name.to_string()),
        None => NamedZone::Zone(tz),
    })
}
/// A zone as AT TIME ZONE takes it: by abbreviation (EST), name (America/New_York, any case) or POSIX rule (EST5EDT); a bare number is a POSIX rule
/// without a name, so hours west. 22023 `time zone "x" not recognized`.
pub fn parse_zone(name: &str) -> Result<TimeZone> {
    let fixed = |secs: i32| jiff::tz::Offset::from_seconds(secs).ok().map(TimeZone::fixed);
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "utc" | "gmt" | "z" | "zulu" | "ut" | "etc/utc" | "uct") {
        return Ok(TimeZone::UTC);
    }
    if let Some(secs) = tokens::zone_abbreviation(&lower)
        && let Some(tz) = fixed(secs)
    {
        return Ok(tz);
    }
    if let Some(zone) = tokens::abbreviated_zone(&lower)
        && let Ok(tz) = TimeZone::get(zone)
    {
        return Ok(tz);
    }
    let not_known = || err!(INVALID_PARAMETER_VALUE, "time zone \"{name}\" not recognized");
    if let Ok(west) = name.parse::<i32>() {
        if !(-MAX_ZONE_HOURS..=MAX_ZONE_HOURS).contains(&west) {
            return Err(not_known());
        }
        return fixed(west * -3600).ok_or_else(not_known);
    }
    // Digits with colons are a POSIX zone too.
    if name.starts_with(['+', '-']) || name.contains(':') && name.bytes().all(|b| b.is_ascii_digit() || b == b':') {
        let signed = if name.starts_with(['+', '-']) { name.to_string() } else { format!("+{name}") };
        // A POSIX zone without a name: its sign counts west.
        return match parse::decode_zone(&signed) {
            // Read as +east it would give `west`; here the sign is turned.
            Ok(west) => fixed(west).ok_or_else(not_known),
            Err(_) => Err(not_known()),
        };
    }
    if !name.is_empty() && name.is_ascii() {
        if let Ok(tz) = TimeZone::get(name) {
            return Ok(tz);
        }
        // A POSIX rule without summer time is one offset, counted west. Its name is of letters, or of anything in <>.
        let letters = match name.strip_prefix('<') {
            Some(quoted) => quoted.find('>').map_or(0, |end| end + 2),
            None => name.bytes().take_while(u8::is_ascii_alphabetic).count(),
        };
        if letters > 0 && letters < name.len() {
            let rest = &name[letters..];
            let signed = if rest.starts_with(['+', '-']) { rest.to_string() } else { format!("+{rest}") };
            if rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b':'))
                && let Some(west) = parse::posix_offset(&signed)
            {
                return fixed(west).ok_or_else(not_known);
            }
        }
        if name.bytes().any(|b| b.is_ascii_digit())
            && let Ok(tz) = TimeZone::posix(name).or_else(|_| TimeZone::posix(&format!("{name}{DEFAULT_SUMMER}")))
        {
            return Ok(tz);
        }
    }
    Err(not_known())
}

/// A zone as make_timestamptz takes it: as [`parse_zone`], but a number has a sign and counts east, as in a timestamp's text.
pub fn parse_zone_of_instant(name: &str) -> Result<NamedZone> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(err!(INVALID_PARAMETER_VALUE, "invalid input syntax for type numeric time zone: \"{name}\"")
            .hint("Numeric time zones must have \"-\" or \"+\" as first character."));
    }
    if !name.starts_with(['+', '-']) {
        return parse_named_zone(name);
    }
    match parse::decode_zone(name) {
        Ok(west) => jiff::tz::Offset::from_seconds(-west)
            .map(|o| NamedZone::Zone(TimeZone::fixed(o)))
            .map_err(|_| err!(INVALID_PARAMETER_VALUE, "numeric time zone \"{name}\" out of range")),
        Err(parse::Bad::Zone) => bail!(INVALID_PARAMETER_VALUE, "numeric time zone \"{name}\" out of range"),
        Err(_) => parse_named_zone(name),
    }
}

fn hours_east(hours: f64) -> Option<TimeZone> {
    let there = hours.abs() <= f64::from(MAX_ZONE_HOURS);
    jiff::tz::Offset::from_seconds(if there { (hours * 3600.0) as i32 } else { return None }).ok().map(TimeZone::fixed)
}
/// A zone as SET TimeZone takes it: a number (hours east), a name or a POSIX rule, but no abbreviation; CET is the zone with its
/// summers, not the offset. 22023 `invalid value for parameter "TimeZone": "x"`.
pub fn parse_zone_setting(name: &str) -> Result<TimeZone> {
    let tz = match TimeZone::get(name) {
        _ if matches!(name.to_ascii_lowercase().as_str(), "utc" | "gmt") => Ok(TimeZone::UTC),
        Ok(tz) => Ok(tz),
        Err(_) if let Ok(hours) = name.parse::<f64>() => hours_east(hours).ok_or_else(|| {
            err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"TimeZone\": \"{name}\"")
                .detail("UTC timezone offset is out of range.")
        }),
        Err(_) if name.bytes().any(|b| b.is_ascii_digit()) => parse_zone(name)
            .map_err(|_| err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"TimeZone\": \"{name}\"")),
        Err(_) => bail!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"TimeZone\": \"{name}\""),
    }?;
    // Nobody's midnight has seconds, but where they leap.
    if utc_offset(0, &tz) % 60 != 0 {
        return Err(err!(INVALID_PARAMETER_VALUE, "time zone \"{name}\" appears to use leap seconds")
            .detail("PostgreSQL does not support leap seconds."));
    }
    Ok(tz)
}

/// The name that TimeZone shows and clients are told for what SET was given: they look it up in lists of their own, where letters'
/// case counts. A zone's name as the database spells it, `<-07>+07` for hours east, a POSIX rule in capitals.
pub fn zone_setting_name(given: &str) -> Result<String> {
    let invalid = || err!(INVALID_PARAMETER_VALUE, "invalid value for parameter \"TimeZone\": \"{given}\"");
    let east = if given.get(..8).is_some_and(|s| s.eq_ignore_ascii_case("interval")) {
        let quoted =
            given[8..].trim_start().strip_prefix('\'').and_then(|s| s.strip_suffix('\'')).ok_or_else(invalid)?;
        let v = parse_interval(quoted, -1)?;
        if v.months != 0 || v.days != 0 {
            let what = if v.months != 0 { "months" } else { "days" };
            return Err(invalid().detail(format!("Cannot specify {what} in time zone interval.")));
        }
        i32::try_from(v.micros / USECS_PER_SEC).ok()
    } else {
        parse_zone_setting(given)?;
        given.parse::<f64>().ok().map(|hours| (hours * 3600.0) as i32)
    };
    if let Some(secs) = east {
        if secs.unsigned_abs() > MAX_ZONE_HOURS as u32 * 3600 {
            return Err(invalid());
        }
        let (east, west) = if secs >= 0 { ('+', '-') } else { ('-', '+') };
        let size = secs.unsigned_abs();
        let mut digits = format!("{:02}", size / 3600);
        if size % 3600 != 0 {
            digits += &format!(":{:02}", size / 60 % 60);
        }
        if size % 60 != 0 {
            digits += &format!(":{:02}", size % 60);
        }
        return Ok(format!("<{east}{digits}>{west}{digits}"));
    }
    if given.eq_ignore_ascii_case("utc") || given.eq_ignore_ascii_case("gmt") {
        return Ok(given.to_ascii_uppercase());
    }
    let named = TimeZone::get(given).ok();
    Ok(named.as_ref().and_then(TimeZone::iana_name).map_or_else(|| given.to_ascii_uppercase(), str::to_string))
}

/// Rounds to the typmod's fractional digits, half away from zero.
pub fn apply_time_typmod(v: i64, typmod: i32) -> i64 {
    if !(0..MAX_PRECISION).contains(&typmod) || is_infinite(v) {
        return v;
    }
    let unit = 10i64.pow((MAX_PRECISION - typmod) as u32);
    let half = unit / 2;
    if v >= 0 {
        v.saturating_add(half) / unit * unit
    } else {
        -((v.saturating_neg().saturating_add(half)) / unit * unit)
    }
}

// ---- arithmetic of timestamps --------------------------------------------------------------------------------

/// Adds months to a local timestamp, keeping the day within the month.
fn add_months(v: i64, months: i32) -> Result<i64> {
    let mut f = timestamp_to_fields(v);
    let total = f.year as i64 * 12 + f.month as i64 - 1 + months as i64;
    f.year = i32::try_from(total.div_euclid(12)).map_err(|_| timestamp_out_of_range())?;
    f.month = total.rem_euclid(12) as u32 + 1;
    f.day = f.day.min(days_in_month(f.year, f.month));
    fields_to_timestamp(&f)
}
fn add_days(v: i64, days: i32) -> Result<i64> {
    // More days than microseconds of one number hold may lead from one end of time to the other.
    let sum = i128::from(v) + i128::from(days) * i128::from(USECS_PER_DAY);
    i64::try_from(sum).map_err(|_| timestamp_out_of_range()).and_then(check_timestamp)
}
pub fn timestamp_add(v: i64, i: &Interval) -> Result<i64> {
    if is_infinite(v) {
        return Ok(v);
    }
    let v = if i.months != 0 { add_months(v, i.months)? } else { v };
    let v = if i.days != 0 { add_days(v, i.days)? } else { v };
    match v.checked_add(i.micros) {
        Some(v) if !is_infinite(v) => check_timestamp(v),
        _ => Err(timestamp_out_of_range()),
    }
}
/// Months and days move the local clock, microseconds the instant.
pub fn timestamptz_add(v: i64, i: &Interval, tz: &TimeZone) -> Result<i64> {
    if is_infinite(v) {
        return Ok(v);
    }
    let v =
        if i.months != 0 { local_to_timestamptz(add_months(timestamptz_to_local(v, tz), i.months)?, tz)? } else { v };
    let v = if i.days != 0 { local_to_timestamptz(add_days(timestamptz_to_local(v, tz), i.days)?, tz)? } else { v };
    match v.checked_add(i.micros) {
        Some(v) if !is_infinite(v) => check_timestamp(v),
        _ => Err(timestamp_out_of_range()),
    }
}
/// a - b in days and microseconds.
pub fn timestamp_sub(a: i64, b: i64) -> Result<Interval> {
    if is_infinite(a) || is_infinite(b) {
        bail!(DATETIME_FIELD_OVERFLOW, "cannot subtract infinite timestamps");
    }
    let micros = a.checked_sub(b).ok_or_else(interval_out_of_range)?;
    justify_hours(&Interval { micros, ..Interval::default() })
}
