//! extract, date_trunc and age.
use super::tokens::{self, Unit};
use super::*;
use crate::numeric::Numeric;
use crate::{Datum, Type, oid};

fn type_of(v: &Datum) -> Type {
    Type::new(match v {
        Datum::Date(_) => oid::DATE,
        Datum::Time(_) => oid::TIME,
        Datum::TimeTz(..) => oid::TIMETZ,
        Datum::Timestamp(_) => oid::TIMESTAMP,
        Datum::TimestampTz(_) => oid::TIMESTAMPTZ,
        _ => oid::INTERVAL,
    })
}
#[cold]
fn not_recognized(unit: &str, ty: Type) -> Error {
    let ty = crate::text::type_display(ty);
    err!(INVALID_PARAMETER_VALUE, "unit \"{unit}\" not recognized for type {ty}")
}
#[cold]
fn not_supported(unit: &str, ty: Type) -> Error {
    let ty = crate::text::type_display(ty);
    err!(FEATURE_NOT_SUPPORTED, "unit \"{unit}\" not supported for type {ty}")
}

/// Monday of ISO week 1 of `year`.
fn iso_year_start(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - (day_of_week(fourth as i32) as i64 + 6) % 7
}
/// ISO year and week of a day.
fn iso_week(days: i64) -> (i64, i64) {
    let (y, _, _) = civil_from_days(days);
    let mut year = y as i64;
    if days >= iso_year_start(year + 1) {
        year += 1;
    } else if days < iso_year_start(year) {
        year -= 1;
    }
    (year, (days - iso_year_start(year)) / 7 + 1)
}
/// Astronomical years as the calendar numbers them: there is no year 0.
fn shown_year(y: i64) -> i64 {
    if y > 0 { y } else { y - 1 }
}
fn century(y: i64) -> i64 {
    if y > 0 { (y + 99) / 100 } else { -((99 - (y - 1)) / 100) }
}
fn millennium(y: i64) -> i64 {
    if y > 0 { (y + 999) / 1000 } else { -((999 - (y - 1)) / 1000) }
}
fn decade(y: i64) -> i64 {
    if y >= 0 { y / 10 } else { -((8 - (y - 1)) / 10) }
}

fn int(v: i64) -> Datum {
    Datum::Numeric(Numeric::from_i64(v))
}
fn scaled(v: i64, scale: u16) -> Datum {
    Datum::Numeric(Numeric::Small(v, scale))
}
/// Second, millisecond and microsecond of a time of day (or an interval's time).
fn seconds(unit: Unit, second: i64, micros: i64) -> Option<Datum> {
    let us = second * USECS_PER_SEC + micros;
    match unit {
        Unit::Second => Some(scaled(us, 6)),
        Unit::Millisecond => Some(scaled(us, 3)),
        Unit::Microsecond => Some(int(us)),
        _ => None,
    }
}

/// extract(field from v) as numeric; v is Date, Time, TimeTz, Timestamp, TimestampTz or Interval. NULL for a field that infinity lacks.
pub fn extract(field: &str, v: &Datum, tz: &TimeZone) -> Result<Datum> {
    let name = field.to_ascii_lowercase();
    let ty = type_of(v);
    let unit = tokens::extract_unit(&name).ok_or_else(|| not_recognized(&name, ty))?;
    let refuse = || not_supported(&name, ty);
    match v {
        Datum::Null => Ok(Datum::Null),
        Datum::Date(d) => {
            use Unit::*;
            if matches!(
                unit,
                Microsecond | Millisecond | Second | Minute | Hour | Timezone | TimezoneHour | TimezoneMinute
            ) {
                return Err(refuse());
            }
            if *d == i32::MIN || *d == i32::MAX {
                return Ok(extract_infinite(unit, *d < 0));
            }
            match unit {
                Epoch => Ok(int((*d as i64 + UNIX_EPOCH_DAYS as i64) * 86_400)),
                Julian => Ok(int(*d as i64 + EPOCH_JULIAN as i64)),
                u => extract_date(u, *d as i64).ok_or_else(refuse),
            }
        }
        Datum::Timestamp(t) => {
            if is_infinite(*t) {
                return Ok(extract_infinite(unit, *t < 0));
            }
            if matches!(unit, Unit::Timezone | Unit::TimezoneHour | Unit::TimezoneMinute) {
                return Err(refuse());
            }
            if unit == Unit::Epoch {
                return Ok(epoch(*t));
            }
            extract_local(unit, *t).ok_or_else(refuse)
        }
        Datum::TimestampTz(t) => {
            if is_infinite(*t) {
                return Ok(extract_infinite(unit, *t < 0));
            }
            let offset = utc_offset(*t, tz) as i64;
            match unit {
                Unit::Timezone => Ok(int(offset)),
                Unit::TimezoneHour => Ok(int(offset / 3600)),
                Unit::TimezoneMinute => Ok(int(offset / 60 % 60)),
                Unit::Epoch => Ok(epoch(*t)),
                u => extract_local(u, timestamptz_to_local(*t, tz)).ok_or_else(refuse),
            }
        }
        Datum::Time(t) => match unit {
            Unit::Epoch => Ok(scaled(*t, 6)),
            u => extract_time(u, *t).ok_or_else(refuse),
        },
        Datum::TimeTz(t, west) => match unit {
            Unit::Timezone => Ok(int(-*west as i64)),
            Unit::TimezoneHour => Ok(int(-*west as i64 / 3600)),
            Unit::TimezoneMinute => Ok(int(-*west as i64 / 60 % 60)),
            Unit::Epoch => Ok(scaled(t + *west as i64 * USECS_PER_SEC, 6)),
            u => extract_time(u, *t).ok_or_else(refuse),
        },
        Datum::Interval(i) => {
            let (years, months) = ((i.months / 12) as i64, (i.months % 12) as i64);
            let t = i.micros;
            Ok(match unit {
                Unit::Minute => int(t / USECS_PER_MIN % 60),
                Unit::Hour => int(t / USECS_PER_HOUR),
                Unit::Day => int(i.days as i64),
                Unit::Month => int(months),
                Unit::Quarter => int(months / 3 + 1),
                Unit::Year => int(years),
                Unit::Decade => int(years / 10),
                Unit::Century => int(years / 100),
                Unit::Millennium => int(years / 1000),
                Unit::Epoch => {
                    // A year counts 365.25 days here, a month 30.
                    let quarter_days = 1461 * years + 120 * months + 4 * i.days as i64;
                    let secs = quarter_days as i128 * 21_600;
                    let us = secs * USECS_PER_SEC as i128 + t as i128;
                    Datum::Numeric(Numeric::from_i128(us).mul(&Numeric::Small(1, 6)))
                }
                u => seconds(u, t / USECS_PER_SEC % 60, t % USECS_PER_SEC).ok_or_else(refuse)?,
            })
        }
        v => Err(Error::internal(format!("extract from {v:?}"))),
    }
}
/// Seconds since 1970 with six digits.
fn epoch(t: i64) -> Datum {
    let us = t as i128 + UNIX_EPOCH_DAYS as i128 * USECS_PER_DAY as i128;
    match i64::try_from(us) {
        Ok(us) => scaled(us, 6),
        Err(_) => Datum::Numeric(Numeric::from_i128(us).mul(&Numeric::Small(1, 6))),
    }
}
fn extract_infinite(unit: Unit, negative: bool) -> Datum {
    use Unit::*;
    match unit {
        Year | Decade | Century | Millennium | Julian | IsoYear | Epoch => {
            Datum::Numeric(if negative { Numeric::NegInf } else { Numeric::PosInf })
        }
        _ => Datum::Null,
    }
}
fn extract_date(unit: Unit, days: i64) -> Option<Datum> {
    let (y, m, d) = civil_from_days(days);
    let y = y as i64;
    Some(int(match unit {
        Unit::Day => d as i64,
        Unit::Month => m as i64,
        Unit::Quarter => (m as i64 - 1) / 3 + 1,
        Unit::Week => iso_week(days).1,
        Unit::Year => shown_year(y),
        Unit::Decade => decade(y),
        Unit::Century => century(y),
        Unit::Millennium => millennium(y),
        Unit::IsoYear => shown_year(iso_week(days).0),
        Unit::Dow => day_of_week(days as i32) as i64,
        Unit::IsoDow => (day_of_week(days as i32) as i64 + 6) % 7 + 1,
        Unit::Doy => days - days_from_civil(y, 1, 1) + 1,
        _ => return None,
    }))
}
fn extract_time(unit: Unit, t: i64) -> Option<Datum> {
    let (h, m, s, us) = split_time(t);
    match unit {
        Unit::Hour => Some(int(h as i64)),
        Unit::Minute => Some(int(m as i64)),
        u => seconds(u, s as i64, us as i64),
    }
}
fn extract_local(unit: Unit, t: i64) -> Option<Datum> {
    let (days, time) = (t.div_euclid(USECS_PER_DAY), t.rem_euclid(USECS_PER_DAY));
    if unit == Unit::Julian {
        let day = Numeric::from_i64(days + EPOCH_JULIAN as i64);
        let part = Numeric::from_i64(time).div(&Numeric::from_i64(USECS_PER_DAY)).ok()?;
        return Some(Datum::Numeric(day.add(&part)));
    }
    extract_date(unit, days).or_else(|| extract_time(unit, time))
}

/// The start of the unit that holds the local time `f`; None when the unit does not truncate.
fn trunc_fields(unit: Unit, f: &Fields) -> Option<Fields> {
    let midnight = Fields { year: f.year, month: f.month, day: f.day, ..Fields::default() };
    let year_start = |y: i32| Fields { year: y, month: 1, day: 1, ..Fields::default() };
    let y = f.year;
    Some(match unit {
        Unit::Microsecond => *f,
        Unit::Millisecond => Fields { micros: f.micros / 1000 * 1000, ..*f },
        Unit::Second => Fields { micros: 0, ..*f },
        Unit::Minute => Fields { micros: 0, second: 0, ..*f },
        Unit::Hour => Fields { micros: 0, second: 0, minute: 0, ..*f },
        Unit::Day => midnight,
        Unit::Week => {
            let days = days_from_civil(y as i64, f.month as i64, f.day as i64);
            let (year, month, day) = civil_from_days(days - (day_of_week(days as i32) as i64 + 6) % 7);
            Fields { year, month, day, ..Fields::default() }
        }
        Unit::Month => Fields { day: 1, ..midnight },
        Unit::Quarter => Fields { day: 1, month: (f.month - 1) / 3 * 3 + 1, ..midnight },
        Unit::Year => year_start(y),
        Unit::Decade => year_start(if y > 0 { y / 10 * 10 } else { -((8 - (y - 1)) / 10) * 10 }),
        Unit::Century => year_start(if y > 0 { (y + 99) / 100 * 100 - 99 } else { -((99 - (y - 1)) / 100) * 100 + 1 }),
        Unit::Millennium => {
            year_start(if y > 0 { (y + 999) / 1000 * 1000 - 999 } else { -((999 - (y - 1)) / 1000) * 1000 + 1 })
        }
        _ => return None,
    })
}
fn trunc_unit(name: &str, ty: Type) -> Result<(Unit, String)> {
    let name = name.to_ascii_lowercase();
    match tokens::unit(&name) {
        Some(u) => Ok((u, name)),
        None => Err(not_recognized(&name, ty)),
    }
}
pub fn date_trunc_timestamp(unit: &str, v: i64) -> Result<i64> {
    // Infinity is its own start, whatever the unit.
    if is_infinite(v) {
        return Ok(v);
    }
    let ty = Type::new(oid::TIMESTAMP);
    let (unit, name) = trunc_unit(unit, ty)?;
    let f = timestamp_to_fields(v);
    let Some(f) = trunc_fields(unit, &f) else { return Err(not_supported(&name, ty)) };
    fields_to_timestamp(&f)
}
pub fn date_trunc_timestamptz(unit: &str, v: i64, tz: &TimeZone) -> Result<i64> {
    // Infinity is its own start, whatever the unit.
    if is_infinite(v) {
        return Ok(v);
    }
    let ty = Type::new(oid::TIMESTAMPTZ);
    let (unit, name) = trunc_unit(unit, ty)?;
    let f = timestamp_to_fields(timestamptz_to_local(v, tz));
    let Some(f) = trunc_fields(unit, &f) else { return Err(not_supported(&name, ty)) };
    let local = fields_to_timestamp(&f)?;
    match unit {
        // Below a day the zone stays as it is; from a day on it is that of the new date.
        Unit::Microsecond | Unit::Millisecond | Unit::Second | Unit::Minute | Unit::Hour => {
            check_timestamp(local - utc_offset(v, tz) as i64 * USECS_PER_SEC)
        }
        _ => local_to_timestamptz(local, tz),
    }
}
pub fn date_trunc_interval(unit: &str, v: &Interval) -> Result<Interval> {
    let ty = Type::new(oid::INTERVAL);
    let (unit, name) = trunc_unit(unit, ty)?;
    let months = |n: i32| Interval { months: v.months / n * n, days: 0, micros: 0 };
    let time = |n: i64| Interval { micros: v.micros / n * n, ..*v };
    Ok(match unit {
        Unit::Millennium => months(12_000),
        Unit::Century => months(1200),
        Unit::Decade => months(120),
        Unit::Year => months(12),
        Unit::Quarter => months(3),
        Unit::Month => months(1),
        Unit::Day => Interval { micros: 0, ..*v },
        Unit::Hour => time(USECS_PER_HOUR),
        Unit::Minute => time(USECS_PER_MIN),
        Unit::Second => time(USECS_PER_SEC),
        Unit::Millisecond => time(1000),
        Unit::Microsecond => *v,
        Unit::Week => {
            return Err(not_supported(&name, ty).detail("Months usually have fractional weeks."));
        }
        _ => return Err(not_supported(&name, ty)),
    })
}

/// age(a, b): the symbolic difference in years, months, days. PostgreSQL 15 takes infinity for the instant its number stands for, and so
/// does this.
pub fn timestamp_age(a: i64, b: i64) -> Result<Interval> {
    if a == i64::MIN || b == i64::MIN {
        return Err(timestamp_out_of_range());
    }
    let (x, y) = (timestamp_to_fields(a), timestamp_to_fields(b));
    let flip = a < b;
    let diff = |x: u32, y: u32| if flip { y as i64 - x as i64 } else { x as i64 - y as i64 };
    let mut years = if flip { y.year as i64 - x.year as i64 } else { x.year as i64 - y.year as i64 };
    let (mut months, mut days) = (diff(x.month, y.month), diff(x.day, y.day));
    let mut time = diff(x.hour, y.hour) * USECS_PER_HOUR
        + diff(x.minute, y.minute) * USECS_PER_MIN
        + diff(x.second, y.second) * USECS_PER_SEC
        + diff(x.micros, y.micros);
    if time < 0 {
        time += USECS_PER_DAY;
        days -= 1;
    }
    // The month borrowed from is the earlier date's.
    let earlier = if flip { &x } else { &y };
    while days < 0 {
        days += days_in_month(earlier.year, earlier.month) as i64;
        months -= 1;
    }
    while months < 0 {
        months += 12;
        years -= 1;
    }
    let total = i32::try_from(years * 12 + months).map_err(|_| interval_out_of_range())?;
    let v = Interval { months: total, days: days as i32, micros: time };
    if flip { interval_neg(&v) } else { Ok(v) }
}
