//! What `datetime()` reads: dates and times with what zone they were written in, how they compare and print.
use super::super::format_read::{self, Standard};
use jiff::tz::TimeZone;
use pamir_types::datetime::{self as dt, DateStyle, DateTimeStyle, USECS_PER_DAY, USECS_PER_SEC};
use pamir_types::{Error, Result, bail, err};
use std::cmp::Ordering;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) enum Moment {
    /// Days.
    Date(i32),
    /// Microseconds of the day.
    Time(i64),
    /// The same, and seconds east of UTC.
    TimeTz(i64, i32),
    Timestamp(i64),
    /// In UTC; the zone it was written in, seconds east.
    TimestampTz(i64, i32),
}

impl Moment {
    pub fn type_name(self) -> &'static str {
        match self {
            Moment::Date(_) => "date",
            Moment::Time(_) => "time without time zone",
            Moment::TimeTz(..) => "time with time zone",
            Moment::Timestamp(_) => "timestamp without time zone",
            Moment::TimestampTz(..) => "timestamp with time zone",
        }
    }
    /// As JSON has it (JsonEncodeDateTime).
    pub fn text(self) -> String {
        let style = DateTimeStyle { date_style: DateStyle::Iso, ..DateTimeStyle::default() };
        let mut out = Vec::new();
        let zone = match self {
            Moment::Date(d) => {
                dt::format_date(d, &style, &mut out);
                None
            }
            Moment::Time(t) => {
                dt::format_time(t, &mut out);
                None
            }
            Moment::TimeTz(t, z) => {
                dt::format_time(t, &mut out);
                Some(z)
            }
            Moment::Timestamp(v) => {
                dt::format_timestamp(v, &style, &mut out);
                None
            }
            Moment::TimestampTz(v, z) => {
                dt::format_timestamp(v.saturating_add(i64::from(z) * USECS_PER_SEC), &style, &mut out);
                Some(z)
            }
        };
        let mut s = String::from_utf8_lossy(&out).into_owned();
        if matches!(self, Moment::Timestamp(_) | Moment::TimestampTz(..)) {
            s = s.replacen(' ', "T", 1);
        }
        if let Some(z) = zone {
            let (sign, z) = (if z < 0 { '-' } else { '+' }, z.abs());
            let mut zone = format!("{sign}{:02}:{:02}", z / 3600, z % 3600 / 60);
            if z % 60 != 0 {
                zone.push_str(&format!(":{:02}", z % 60));
            }
            let at = s.len() - if s.ends_with(" BC") { 3 } else { 0 };
            s.insert_str(at, &zone);
        }
        s
    }
}

/// The formats of a `datetime()` without a template.
const FORMATS: [&str; 19] = [
    "yyyy-mm-dd",
    "HH24:MI:SS.USTZH:TZM",
    "HH24:MI:SS.USTZH",
    "HH24:MI:SSTZH:TZM",
    "HH24:MI:SSTZH",
    "HH24:MI:SS.US",
    "HH24:MI:SS",
    "yyyy-mm-dd HH24:MI:SS.USTZH:TZM",
    "yyyy-mm-dd HH24:MI:SS.USTZH",
    "yyyy-mm-dd HH24:MI:SSTZH:TZM",
    "yyyy-mm-dd HH24:MI:SSTZH",
    "yyyy-mm-dd\"T\"HH24:MI:SS.USTZH:TZM",
    "yyyy-mm-dd\"T\"HH24:MI:SS.USTZH",
    "yyyy-mm-dd\"T\"HH24:MI:SSTZH:TZM",
    "yyyy-mm-dd\"T\"HH24:MI:SSTZH",
    "yyyy-mm-dd HH24:MI:SS.US",
    "yyyy-mm-dd HH24:MI:SS",
    "yyyy-mm-dd\"T\"HH24:MI:SS.US",
    "yyyy-mm-dd\"T\"HH24:MI:SS",
];
pub fn recognize(s: &str) -> Result<Moment> {
    for f in FORMATS {
        match read(s, f) {
            Ok(m) => return Ok(m),
            Err(e) if !e.code().as_str().starts_with("22") => return Err(e),
            Err(_) => {}
        }
    }
    Err(err!(INVALID_ARGUMENT_FOR_SQL_JSON_DATETIME_FUNCTION, "datetime format is not recognized: \"{s}\"")
        .hint("Use a datetime template argument to specify the input data format."))
}
/// The errors of a template, which nobody is silent about.
pub fn check(template: &str) -> Result<()> {
    format_read::standard_picture(template).map(drop)
}
/// parse_datetime, strictly.
pub fn read(s: &str, template: &str) -> Result<Moment> {
    let r: Standard = format_read::standard(s, template)?;
    let zone = |ty: &str| -> Result<i32> {
        match r.zone {
            Some(z) => i32::try_from(z).map_err(|_| Error::internal("a time zone beyond its range")),
            None => bail!(INVALID_DATETIME_FORMAT, "missing time zone in input string for type {ty}"),
        }
    };
    let rounded = |v: i64| if r.precision > 0 { dt::apply_time_typmod(v, r.precision) } else { v };
    match (r.dated, r.timed, r.zoned) {
        (true, true, zoned) => {
            let z = if zoned { zone("timestamptz")? } else { 0 };
            let name = if zoned { "timestamptz" } else { "timestamp" };
            let out = || err!(DATETIME_FIELD_OVERFLOW, "{name} out of range");
            let v = r.days.and_then(|d| d.checked_mul(USECS_PER_DAY)?.checked_add(r.time)).ok_or_else(out)?;
            let v = dt::check_timestamp(v - i64::from(z) * USECS_PER_SEC).map_err(|_| out())?;
            let v = rounded(v);
            Ok(if zoned { Moment::TimestampTz(v, z) } else { Moment::Timestamp(v) })
        }
        (true, false, true) => bail!(INVALID_DATETIME_FORMAT, "datetime format is zoned but not timed"),
        (true, false, false) => match r.days.and_then(|d| i32::try_from(d).ok()).map(dt::check_date) {
            Some(Ok(d)) => Ok(Moment::Date(d)),
            _ => bail!(DATETIME_FIELD_OVERFLOW, "date out of range: \"{s}\""),
        },
        (false, true, true) => Ok(Moment::TimeTz(rounded(r.time), zone("timetz")?)),
        (false, true, false) => Ok(Moment::Time(rounded(r.time))),
        _ => bail!(INVALID_DATETIME_FORMAT, "datetime format is not dated and not timed"),
    }
}

/// compareDatetime: None: they do not compare. `zone`: the session's and the moment of now, where they may be asked.
pub fn compare(a: Moment, b: Moment, zone: Option<(&TimeZone, i64)>) -> Result<Option<Ordering>> {
    let need = |from: &str, to: &str| match zone {
        Some(z) => Ok(z),
        None => Err(err!(FEATURE_NOT_SUPPORTED, "cannot convert value from {from} to {to} without time zone usage")
            .hint("Use *_tz() function for time zone support.")),
    };
    let midnight = |d: i32| i64::from(d).saturating_mul(USECS_PER_DAY);
    use Moment::*;
    Ok(Some(match (a, b) {
        (Date(a), Date(b)) => a.cmp(&b),
        (Date(a), Timestamp(b)) => midnight(a).cmp(&b),
        (Timestamp(a), Date(b)) => a.cmp(&midnight(b)),
        (Date(a), TimestampTz(b, _)) => local(midnight(a), need("date", "timestamptz")?)?.cmp(&b),
        (TimestampTz(a, _), Date(b)) => a.cmp(&local(midnight(b), need("date", "timestamptz")?)?),
        (Timestamp(a), Timestamp(b)) => a.cmp(&b),
        (Timestamp(a), TimestampTz(b, _)) => local(a, need("timestamp", "timestamptz")?)?.cmp(&b),
        (TimestampTz(a, _), Timestamp(b)) => a.cmp(&local(b, need("timestamp", "timestamptz")?)?),
        (TimestampTz(a, _), TimestampTz(b, _)) => a.cmp(&b),
        (Time(a), Time(b)) => a.cmp(&b),
        (TimeTz(..), TimeTz(..)) => timetz(a).cmp(&timetz(b)),
        (Time(a), TimeTz(..)) => timetz(today(a, need("time", "timetz")?)).cmp(&timetz(b)),
        (TimeTz(..), Time(b)) => timetz(a).cmp(&timetz(today(b, need("time", "timetz")?))),
        _ => return Ok(None),
    }))
}
fn local(v: i64, zone: (&TimeZone, i64)) -> Result<i64> {
    dt::local_to_timestamptz(v, zone.0)
}
/// As timetz compares: by the moment in UTC, then by the zone.
fn timetz(m: Moment) -> (i64, i32) {
    match m {
        Moment::TimeTz(t, z) => (t - i64::from(z) * USECS_PER_SEC, -z),
        _ => (0, 0),
    }
}
/// A time in the session's zone as it is now.
fn today(t: i64, zone: (&TimeZone, i64)) -> Moment {
    Moment::TimeTz(t, dt::utc_offset(zone.1, zone.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn moments_keep_their_zone() {
        let m = recognize("2017-03-10T12:34:56.5+03:00").unwrap();
        assert_eq!(m.text(), "2017-03-10T12:34:56.5+03:00");
        assert_eq!(recognize("12:34:56-02").unwrap().text(), "12:34:56-02:00");
        assert!(recognize("12:34").is_err());
        assert!(matches!(recognize("2017-03-10").unwrap(), Moment::Date(_)));
    }
}
