//! Intervals: text in (DecodeInterval, ISO 8601), typmods, arithmetic, justification.
//!
//! Fields are read from the last to the first, so that a unit is known before its number. Fractions of a unit spill into smaller ones: of
//! years into months, of months into days (30 a month) and microseconds, of weeks and days into microseconds.
use super::parse::{Bad, Decoded, Kind, bad, decode_time, split};
use super::tokens::{self, Unit};
use super::*;

const TYPE: &str = "interval";
/// Bits of an interval typmod's range: its upper half names the fields (PostgreSQL's INTERVAL_MASK).
pub mod interval_range {
    pub const MONTH: i32 = 1 << 1;
    pub const YEAR: i32 = 1 << 2;
    pub const DAY: i32 = 1 << 3;
    pub const HOUR: i32 = 1 << 10;
    pub const MINUTE: i32 = 1 << 11;
    pub const SECOND: i32 = 1 << 12;
}
const FULL_RANGE: i32 = 0x7fff;
const FULL_PRECISION: i32 = 0xffff;

fn typmod_range(typmod: i32) -> i32 {
    if typmod < 0 { FULL_RANGE } else { typmod >> 16 & FULL_RANGE }
}

/// " year to month", "(3)", ... as intervaltypmodout.
pub(crate) fn interval_typmod_display(m: i32) -> String {
    if m < 0 {
        return String::new();
    }
    const YM: i32 = interval_range::YEAR | interval_range::MONTH;
    const DH: i32 = interval_range::DAY | interval_range::HOUR;
    const DM: i32 = DH | interval_range::MINUTE;
    const DS: i32 = DM | interval_range::SECOND;
    const HM: i32 = interval_range::HOUR | interval_range::MINUTE;
    const HS: i32 = HM | interval_range::SECOND;
    const MS: i32 = interval_range::MINUTE | interval_range::SECOND;
    let fields = match typmod_range(m) {
        interval_range::YEAR => " year",
        interval_range::MONTH => " month",
        interval_range::DAY => " day",
        interval_range::HOUR => " hour",
        interval_range::MINUTE => " minute",
        interval_range::SECOND => " second",
        YM => " year to month",
        DH => " day to hour",
        DM => " day to minute",
        DS => " day to second",
        HM => " hour to minute",
        HS => " hour to second",
        MS => " minute to second",
        _ => "",
    };
    match m & FULL_PRECISION {
        FULL_PRECISION => fields.to_string(),
        p => format!("{fields}({p})"),
    }
}

/// Cuts what the range leaves out and rounds to the precision (AdjustIntervalForTypmod).
pub fn apply_interval_typmod(mut v: Interval, typmod: i32) -> Result<Interval> {
    if typmod < 0 {
        return Ok(v);
    }
    let range = typmod_range(typmod);
    let keep = |unit: i64, t: i64| t / unit * unit;
    if range != FULL_RANGE {
        if range & (interval_range::DAY | interval_range::HOUR | interval_range::MINUTE | interval_range::SECOND) == 0 {
            (v.days, v.micros) = (0, 0);
            if range == interval_range::YEAR {
                v.months = v.months / 12 * 12;
            }
        } else if range & interval_range::SECOND == 0 {
            v.micros = if range & interval_range::MINUTE != 0 {
                keep(USECS_PER_MIN, v.micros)
            } else if range & interval_range::HOUR != 0 {
                keep(USECS_PER_HOUR, v.micros)
            } else {
                0
            };
        }
    }
    let precision = typmod & FULL_PRECISION;
    if precision < MAX_PRECISION {
        v.micros = apply_time_typmod(v.micros, precision);
    }
    Ok(v)
}

pub fn parse_interval(s: &str, typmod: i32) -> Result<Interval> {
    parse_interval_styled(s, typmod, IntervalStyle::Postgres)
}
/// With the session's IntervalStyle: under sql_standard a leading minus covers every field.
pub fn parse_interval_styled(s: &str, typmod: i32, style: IntervalStyle) -> Result<Interval> {
    let decoded = decode(s, typmod_range(typmod), style);
    let decoded = match decoded {
        Err(Bad::Format) => decode_iso(s),
        d => d,
    };
    let acc = decoded.map_err(|b| bad(if b == Bad::Field { Bad::Interval } else { b }, TYPE, s))?;
    let v = acc.interval().ok_or_else(interval_out_of_range)?;
    apply_interval_typmod(v, typmod)
}

/// Fields being summed.
#[derive(Default)]
struct Sum {
    years: i32,
    months: i32,
    days: i32,
    micros: i64,
}
fn small(v: i64) -> Decoded<i32> {
    i32::try_from(v).map_err(|_| Bad::Field)
}
impl Sum {
    fn interval(&self) -> Option<Interval> {
        let months = i32::try_from(self.years as i64 * 12 + self.months as i64).ok()?;
        Some(Interval { months, days: self.days, micros: self.micros })
    }
    fn add_micros(&mut self, v: i64, fraction: f64, unit: i64) -> Decoded<()> {
        let whole = v.checked_mul(unit).and_then(|m| self.micros.checked_add(m)).ok_or(Bad::Field)?;
        let f = fraction * unit as f64;
        let mut us = f as i64;
        let rest = f - us as f64;
        if rest > 0.5 {
            us += 1;
        } else if rest < -0.5 {
            us -= 1;
        }
        self.micros = whole.checked_add(us).ok_or(Bad::Field)?;
        Ok(())
    }
    fn add_days(&mut self, v: i64, fraction: f64, scale: i32) -> Decoded<()> {
        let f = fraction * scale as f64;
        let whole = small(v)?.checked_mul(scale).and_then(|d| self.days.checked_add(d)).ok_or(Bad::Field)?;
        self.days = whole.checked_add(f as i32).ok_or(Bad::Field)?;
        self.add_micros(0, f - f.trunc(), USECS_PER_DAY)
    }
    fn add_months(&mut self, v: i64, fraction: f64) -> Decoded<()> {
        self.months = self.months.checked_add(small(v)?).ok_or(Bad::Field)?;
        self.add_days(0, fraction, 30)
    }
    fn add_years(&mut self, v: i64, fraction: f64, scale: i32) -> Decoded<()> {
        let y = small(v)?.checked_mul(scale).ok_or(Bad::Field)?;
        self.years = self.years.checked_add(y).ok_or(Bad::Field)?;
        let months = (fraction * scale as f64 * 12.0).round_ties_even() as i32;
        self.months = self.months.checked_add(months).ok_or(Bad::Field)?;
        Ok(())
    }
    fn add(&mut self, unit: Unit, v: i64, fraction: f64) -> Decoded<()> {
        match unit {
            Unit::Microsecond => self.add_micros(v, fraction, 1),
            Unit::Millisecond => self.add_micros(v, fraction, 1000),
            Unit::Second => self.add_micros(v, fraction, USECS_PER_SEC),
            Unit::Minute => self.add_micros(v, fraction, USECS_PER_MIN),
            Unit::Hour => self.add_micros(v, fraction, USECS_PER_HOUR),
            Unit::Day => self.add_days(v, fraction, 1),
            Unit::Week => self.add_days(v, fraction, 7),
            Unit::Month => self.add_months(v, fraction),
            Unit::Year => self.add_years(v, fraction, 1),
            Unit::Decade => self.add_years(v, fraction, 10),
            Unit::Century => self.add_years(v, fraction, 100),
            Unit::Millennium => self.add_years(v, fraction, 1000),
            _ => Err(Bad::Format),
        }
    }
    fn negate(&mut self) -> Decoded<()> {
        self.years = self.years.checked_neg().ok_or(Bad::Field)?;
        self.months = self.months.checked_neg().ok_or(Bad::Field)?;
        self.days = self.days.checked_neg().ok_or(Bad::Field)?;
        self.micros = self.micros.checked_neg().ok_or(Bad::Field)?;
        Ok(())
    }
}

/// Which parts a unit takes; seconds with a fraction take the smaller ones too.
fn unit_bit(u: Unit, fraction: f64) -> u32 {
    const SECONDS: u32 = 0b111;
    match u {
        Unit::Microsecond => 1,
        Unit::Millisecond => 2,
        Unit::Second if fraction != 0.0 => SECONDS,
        Unit::Second => 4,
        Unit::Minute => 8,
        Unit::Hour => 16,
        Unit::Day => 32,
        Unit::Week => 64,
        Unit::Month => 128,
        Unit::Year => 256,
        Unit::Decade => 512,
        Unit::Century => 1024,
        Unit::Millennium => 2048,
        _ => 4096,
    }
}
const TIME_BITS: u32 = 1 | 2 | 4 | 8 | 16;

/// The unit a last bare number has: the smallest of the typmod's range.
fn default_unit(range: i32) -> Unit {
    if range == interval_range::YEAR {
        Unit::Year
    } else if range == interval_range::MONTH || range == interval_range::YEAR | interval_range::MONTH {
        Unit::Month
    } else if range & interval_range::SECOND != 0 {
        Unit::Second
    } else if range & interval_range::MINUTE != 0 {
        Unit::Minute
    } else if range & interval_range::HOUR != 0 {
        Unit::Hour
    } else if range == interval_range::DAY {
        Unit::Day
    } else {
        Unit::Second
    }
}

fn time_micros(s: &str, range: i32) -> Decoded<i64> {
    let (mut h, mut m, mut sec, us) = decode_time(s)?;
    // hh:mm under MINUTE TO SECOND is mm:ss.
    if range == interval_range::MINUTE | interval_range::SECOND && s.matches(':').count() == 1 && !s.contains('.') {
        (h, m, sec) = (0, h, m);
    }
    h.checked_mul(USECS_PER_HOUR)
        .and_then(|t| t.checked_add(m * USECS_PER_MIN + sec * USECS_PER_SEC + us))
        .ok_or(Bad::Field)
}

fn decode(s: &str, range: i32, style: IntervalStyle) -> Decoded<Sum> {
    let fields = split(s)?;
    let signed = |t: &str| t.starts_with(['-', '+']);
    let force_negative = style == IntervalStyle::SqlStandard
        && fields.first().is_some_and(|f| f.text.starts_with('-'))
        && !fields.iter().skip(1).any(|f| signed(&f.text));
    let mut sum = Sum::default();
    let mut have = 0u32;
    let mut unit: Option<Unit> = None;
    let mut before = false;
    for f in fields.iter().rev() {
        let text = f.text.as_str();
        let bits = match f.kind {
            Kind::Time => {
                let t = time_micros(text, range)?;
                // As in PostgreSQL a time replaces what fractions of units after it came to.
                sum.micros = if force_negative { -t } else { t };
                unit = Some(Unit::Day);
                TIME_BITS
            }
            Kind::Zone if text[1..].contains(':') && time_micros(&text[1..], range).is_ok() => {
                let t = time_micros(&text[1..], range)?;
                sum.micros = if text.starts_with('-') { -t } else { t };
                unit = Some(Unit::Day);
                TIME_BITS
            }
            Kind::Zone | Kind::Number | Kind::Date => {
                let mut u = unit.unwrap_or_else(|| default_unit(range));
                let negative = text.starts_with('-');
                let body = text.strip_prefix(['-', '+']).unwrap_or(text);
                let len = body.bytes().take_while(u8::is_ascii_digit).count();
                let (digits, rest) = body.split_at(len);
                let minus = negative || force_negative;
                // With its sign: the least number has no positive one.
                let mut v = match digits {
                    "" if rest.starts_with('.') => 0,
                    "" => return Err(Bad::Format),
                    d if minus => format!("-{d}").parse::<i64>().map_err(|_| Bad::Field)?,
                    d => d.parse::<i64>().map_err(|_| Bad::Field)?,
                };
                let mut fraction = 0.0;
                if let Some(months) = rest.strip_prefix('-') {
                    if months.is_empty() || !months.bytes().all(|b| b.is_ascii_digit()) {
                        return Err(Bad::Format);
                    }
                    let months = months.parse::<i64>().ok().filter(|m| *m < 12).ok_or(Bad::Field)?;
                    u = Unit::Month;
                    let months = if minus { -months } else { months };
                    v = v.checked_mul(12).and_then(|v| v.checked_add(months)).ok_or(Bad::Field)?;
                } else if let Some(digits) = rest.strip_prefix('.') {
                    if !digits.bytes().all(|b| b.is_ascii_digit()) {
                        return Err(Bad::Format);
                    }
                    fraction = format!("0{rest}0").parse().map_err(|_| Bad::Format)?;
                } else if !rest.is_empty() {
                    return Err(Bad::Format);
                }
                if minus {
                    fraction = -fraction;
                }
                sum.add(u, v, fraction)?;
                // An hour before a bare number makes that number days.
                unit = Some(if u == Unit::Hour { Unit::Day } else { u });
                unit_bit(u, fraction)
            }
            Kind::Word | Kind::Special => {
                match text {
                    "ago" => {
                        before = true;
                        // It is no unit: a bare number before it has none.
                        unit = Some(Unit::Timezone);
                    }
                    "at" | "on" => {}
                    t => match tokens::unit(t.trim_start_matches('@')) {
                        Some(Unit::Quarter | Unit::Timezone | Unit::TimezoneHour | Unit::TimezoneMinute) | None => {
                            return Err(Bad::Format);
                        }
                        u => unit = u,
                    },
                }
                0
            }
        };
        if have & bits != 0 {
            return Err(Bad::Format);
        }
        have |= bits;
    }
    if have == 0 {
        return Err(Bad::Format);
    }
    if before {
        sum.negate()?;
    }
    Ok(sum)
}

/// A number as strtod takes it, `1.5e4` included: the whole part and the fraction, and what follows.
fn iso_number(s: &str) -> Decoded<(i64, f64, &str)> {
    /// Beyond this the whole part would not be exact.
    const MAX: f64 = 1.0e15;
    let b = s.as_bytes();
    if !b.first().is_some_and(|c| c.is_ascii_digit() || matches!(c, b'-' | b'.')) {
        return Err(Bad::Format);
    }
    let digits = |from: usize| b.iter().skip(from).take_while(|c| c.is_ascii_digit()).count();
    let start = usize::from(b[0] == b'-');
    let whole = digits(start);
    let mut end = start + whole;
    let mut fraction = 0;
    if b.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return Err(Bad::Format);
    }
    if matches!(b.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(b.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let (number, rest) = s.split_at(end);
    let v: f64 = number.parse().map_err(|_| Bad::Format)?;
    if !(-MAX..=MAX).contains(&v) {
        return Err(Bad::Field);
    }
    Ok((v.trunc() as i64, v - v.trunc(), rest))
}

/// P1Y2M3DT4H5M6S, P1W, and the alternatives P0001-02-03T04:05:06 and P00010203T040506 (DecodeISO8601Interval).
fn decode_iso(s: &str) -> Decoded<Sum> {
    let mut rest = s.strip_prefix('P').filter(|r| !r.is_empty()).ok_or(Bad::Format)?;
    let mut sum = Sum::default();
    // Has this part, of the date or of the time, had a field?
    let (mut date, mut have) = (true, false);
    while !rest.is_empty() {
        if let Some(r) = rest.strip_prefix('T') {
            (date, have, rest) = (false, false, r);
            continue;
        }
        let field = rest;
        let width = field.trim_start_matches('-').bytes().take_while(u8::is_ascii_digit).count();
        let (v, fraction, after) = iso_number(field)?;
        let designator = after.chars().next();
        let unit = match (date, designator) {
            (true, Some('Y')) => Unit::Year,
            (true, Some('M')) => Unit::Month,
            (true, Some('W')) => Unit::Week,
            (true, Some('D')) => Unit::Day,
            (false, Some('H')) => Unit::Hour,
            (false, Some('M')) => Unit::Minute,
            (false, Some('S')) => Unit::Second,
            (true, Some('T') | None) if width == 8 && !have => {
                sum.add(Unit::Year, v / 10_000, 0.0)?;
                sum.add(Unit::Month, v / 100 % 100, 0.0)?;
                sum.add(Unit::Day, v % 100, fraction)?;
                rest = after;
                continue;
            }
            (false, None) if width == 6 && !have => {
                sum.add(Unit::Hour, v / 10_000, 0.0)?;
                sum.add(Unit::Minute, v / 100 % 100, 0.0)?;
                sum.add(Unit::Second, v % 100, 0.0)?;
                sum.add(Unit::Microsecond, 0, fraction)?;
                return Ok(sum);
            }
            (true, Some('-' | 'T') | None) if !have => {
                rest = iso_series(&mut sum, [Unit::Year, Unit::Month, Unit::Day], '-', field)?;
                if !(rest.is_empty() || rest.starts_with('T')) {
                    return Err(Bad::Format);
                }
                continue;
            }
            (false, Some(':') | None) if !have => {
                rest = iso_series(&mut sum, [Unit::Hour, Unit::Minute, Unit::Second], ':', field)?;
                if !rest.is_empty() {
                    return Err(Bad::Format);
                }
                continue;
            }
            _ => return Err(Bad::Format),
        };
        sum.add(unit, v, fraction)?;
        have = true;
        rest = after.get(1..).unwrap_or("");
    }
    Ok(sum)
}
/// Up to three numbers with a sign between them; what follows.
fn iso_series<'a>(sum: &mut Sum, units: [Unit; 3], between: char, mut s: &'a str) -> Decoded<&'a str> {
    for (i, unit) in units.into_iter().enumerate() {
        if i > 0 {
            match s.strip_prefix(between) {
                Some(r) => s = r,
                None => return Ok(s),
            }
        }
        let (v, fraction, rest) = iso_number(s)?;
        sum.add(unit, v, fraction)?;
        s = rest;
    }
    Ok(s)
}

// ---- arithmetic ----------------------------------------------------------------------------------------------

pub fn interval_add(a: &Interval, b: &Interval) -> Result<Interval> {
    match (a.months.checked_add(b.months), a.days.checked_add(b.days), a.micros.checked_add(b.micros)) {
        (Some(months), Some(days), Some(micros)) => Ok(Interval { months, days, micros }),
        _ => Err(interval_out_of_range()),
    }
}
pub fn interval_sub(a: &Interval, b: &Interval) -> Result<Interval> {
    match (a.months.checked_sub(b.months), a.days.checked_sub(b.days), a.micros.checked_sub(b.micros)) {
        (Some(months), Some(days), Some(micros)) => Ok(Interval { months, days, micros }),
        _ => Err(interval_out_of_range()),
    }
}
pub fn interval_neg(a: &Interval) -> Result<Interval> {
    match (a.months.checked_neg(), a.days.checked_neg(), a.micros.checked_neg()) {
        (Some(months), Some(days), Some(micros)) => Ok(Interval { months, days, micros }),
        _ => Err(interval_out_of_range()),
    }
}
pub fn interval_mul(a: &Interval, f: f64) -> Result<Interval> {
    scale(a, |v| v * f)
}
pub fn interval_div(a: &Interval, f: f64) -> Result<Interval> {
    if f == 0.0 {
        bail!(DIVISION_BY_ZERO, "division by zero");
    }
    scale(a, |v| v / f)
}
/// Scales each part; fractions of months go to days, of days to the time.
fn scale(a: &Interval, by: impl Fn(f64) -> f64) -> Result<Interval> {
    let whole = |v: f64| {
        if v.is_nan() || v < i32::MIN as f64 || v >= 2_147_483_648.0 {
            Err(interval_out_of_range())
        } else {
            Ok(v as i32)
        }
    };
    let micro = |v: f64| (v * 1e6).round_ties_even() / 1e6;
    let (m, d) = (by(a.months as f64), by(a.days as f64));
    let (months, mut days) = (whole(m)?, whole(d)?);
    let month_rest = micro((m - months as f64) * 30.0);
    let mut secs = micro((d - days as f64 + month_rest - month_rest.trunc()) * 86_400.0);
    if secs.abs() >= 86_400.0 {
        let extra = (secs / 86_400.0) as i32;
        days = days.checked_add(extra).ok_or_else(interval_out_of_range)?;
        secs -= extra as f64 * 86_400.0;
    }
    days = days.checked_add(month_rest as i32).ok_or_else(interval_out_of_range)?;
    let t = (by(a.micros as f64) + secs * 1e6).round_ties_even();
    if t.is_nan() || !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&t) {
        return Err(interval_out_of_range());
    }
    Ok(Interval { months, days, micros: t as i64 })
}
/// Total for comparison: months as 30 days, days as 24 h, in microseconds.
pub fn interval_cmp_value(a: &Interval) -> i128 {
    (a.months as i128 * 30 + a.days as i128) * USECS_PER_DAY as i128 + a.micros as i128
}
pub fn justify_hours(a: &Interval) -> Result<Interval> {
    let whole = (a.micros / USECS_PER_DAY) as i32;
    let mut micros = a.micros % USECS_PER_DAY;
    let mut days = a.days.checked_add(whole).ok_or_else(interval_out_of_range)?;
    if days > 0 && micros < 0 {
        micros += USECS_PER_DAY;
        days -= 1;
    } else if days < 0 && micros > 0 {
        micros -= USECS_PER_DAY;
        days += 1;
    }
    Ok(Interval { months: a.months, days, micros })
}
pub fn justify_days(a: &Interval) -> Result<Interval> {
    let mut months = a.months.checked_add(a.days / 30).ok_or_else(interval_out_of_range)?;
    let mut days = a.days % 30;
    if months > 0 && days < 0 {
        days += 30;
        months -= 1;
    } else if months < 0 && days > 0 {
        days -= 30;
        months += 1;
    }
    Ok(Interval { months, days, micros: a.micros })
}
pub fn justify_interval(a: &Interval) -> Result<Interval> {
    let total = a.days as i64 + a.micros / USECS_PER_DAY;
    let mut micros = a.micros % USECS_PER_DAY;
    let mut months = i32::try_from(a.months as i64 + total / 30).map_err(|_| interval_out_of_range())?;
    let mut days = (total % 30) as i32;
    if months > 0 && (days < 0 || (days == 0 && micros < 0)) {
        days += 30;
        months -= 1;
    } else if months < 0 && (days > 0 || (days == 0 && micros > 0)) {
        days -= 30;
        months += 1;
    }
    if days > 0 && micros < 0 {
        micros += USECS_PER_DAY;
        days -= 1;
    } else if days < 0 && micros > 0 {
        micros -= USECS_PER_DAY;
        days += 1;
    }
    Ok(Interval { months, days, micros })
}
