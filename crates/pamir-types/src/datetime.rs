//! Dates, times, timestamps and intervals: PostgreSQL's ranges, parsing (datetime.c) and arithmetic (timestamp.c).
use crate::{Datum, Result};

/// Months, days and microseconds are kept apart; comparison takes a month as 30 days and a day as 24 hours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interval {
    pub months: i32,
    pub days: i32,
    pub micros: i64,
}

pub const USECS_PER_SEC: i64 = 1_000_000;
pub const USECS_PER_DAY: i64 = 86_400 * USECS_PER_SEC;
/// Days from 1970-01-01 to 2000-01-01.
pub const UNIX_EPOCH_DAYS: i32 = 10_957;

/// The session's DateStyle, IntervalStyle and TimeZone: all that date/time text depends on.
#[derive(Clone)]
pub struct DateTimeStyle {
    pub date_style: DateStyle,
    pub order: DateOrder,
    pub interval_style: IntervalStyle,
    pub tz: jiff::tz::TimeZone,
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
            tz: jiff::tz::TimeZone::UTC,
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

#[allow(unused_variables)]
mod api {
    use super::*;
    pub fn parse_interval_styled(s: &str, typmod: i32, style: IntervalStyle) -> Result<Interval> {
        todo!()
    }
    pub(crate) fn interval_typmod_display(m: i32) -> String {
        todo!()
    }
    pub(crate) fn check_date(v: i32) -> Result<i32> {
        todo!()
    }
    pub(crate) fn check_timestamp(v: i64) -> Result<i64> {
        todo!()
    }
    pub fn parse_date(s: &str, cx: &ParseCtx) -> Result<i32> {
        todo!()
    }
    pub fn parse_time(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
        todo!()
    }
    pub fn parse_timetz(s: &str, typmod: i32, cx: &ParseCtx) -> Result<(i64, i32)> {
        todo!()
    }
    pub fn parse_timestamp(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
        todo!()
    }
    pub fn parse_timestamptz(s: &str, typmod: i32, cx: &ParseCtx) -> Result<i64> {
        todo!()
    }
    pub fn parse_interval(s: &str, typmod: i32) -> Result<Interval> {
        todo!()
    }
    pub fn format_date(v: i32, st: &DateTimeStyle, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn format_time(v: i64, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn format_timetz(v: i64, zone: i32, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn format_timestamp(v: i64, st: &DateTimeStyle, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn format_timestamptz(v: i64, st: &DateTimeStyle, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn format_interval(v: &Interval, st: &DateTimeStyle, out: &mut Vec<u8>) {
        todo!()
    }
    /// Fields of a local timestamp (None: infinite) and back (22008 out of range).
    pub fn timestamp_to_fields(v: i64) -> Fields {
        todo!()
    }
    pub fn fields_to_timestamp(f: &Fields) -> Result<i64> {
        todo!()
    }
    pub fn date_to_fields(v: i32) -> Fields {
        todo!()
    }
    pub fn fields_to_date(f: &Fields) -> Result<i32> {
        todo!()
    }
    pub fn timestamptz_to_local(v: i64, tz: &jiff::tz::TimeZone) -> i64 {
        todo!()
    }
    pub fn local_to_timestamptz(v: i64, tz: &jiff::tz::TimeZone) -> Result<i64> {
        todo!()
    }
    /// Seconds EAST of UTC at instant `v`.
    pub fn utc_offset(v: i64, tz: &jiff::tz::TimeZone) -> i32 {
        todo!()
    }
    pub fn parse_zone(name: &str) -> Result<jiff::tz::TimeZone> {
        todo!()
    }
    pub fn timestamp_add(v: i64, i: &Interval) -> Result<i64> {
        todo!()
    }
    pub fn timestamptz_add(v: i64, i: &Interval, tz: &jiff::tz::TimeZone) -> Result<i64> {
        todo!()
    }
    pub fn timestamp_sub(a: i64, b: i64) -> Result<Interval> {
        todo!()
    }
    pub fn interval_add(a: &Interval, b: &Interval) -> Result<Interval> {
        todo!()
    }
    pub fn interval_neg(a: &Interval) -> Result<Interval> {
        todo!()
    }
    pub fn interval_mul(a: &Interval, f: f64) -> Result<Interval> {
        todo!()
    }
    pub fn interval_div(a: &Interval, f: f64) -> Result<Interval> {
        todo!()
    }
    /// Total for comparison: months as 30 days, days as 24 h, in microseconds.
    pub fn interval_cmp_value(a: &Interval) -> i128 {
        (a.months as i128 * 30 + a.days as i128) * USECS_PER_DAY as i128 + a.micros as i128
    }
    pub fn justify_hours(a: &Interval) -> Result<Interval> {
        todo!()
    }
    pub fn justify_days(a: &Interval) -> Result<Interval> {
        todo!()
    }
    pub fn justify_interval(a: &Interval) -> Result<Interval> {
        todo!()
    }
    /// age(a, b): the symbolic difference in years, months, days.
    pub fn timestamp_age(a: i64, b: i64) -> Result<Interval> {
        todo!()
    }
    /// extract(field from v) as numeric; v is Date, Time, TimeTz, Timestamp, TimestampTz or Interval. `as_float`: date_part's float8.
    pub fn extract(field: &str, v: &Datum, tz: &jiff::tz::TimeZone) -> Result<Datum> {
        todo!()
    }
    pub fn date_trunc_timestamp(unit: &str, v: i64) -> Result<i64> {
        todo!()
    }
    pub fn date_trunc_timestamptz(unit: &str, v: i64, tz: &jiff::tz::TimeZone) -> Result<i64> {
        todo!()
    }
    pub fn date_trunc_interval(unit: &str, v: &Interval) -> Result<Interval> {
        todo!()
    }
    /// Rounds to the typmod's fractional digits.
    pub fn apply_time_typmod(v: i64, typmod: i32) -> i64 {
        todo!()
    }
    pub fn apply_interval_typmod(v: Interval, typmod: i32) -> Result<Interval> {
        todo!()
    }
}
pub use api::*;
