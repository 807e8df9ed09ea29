//! Text out: EncodeDateOnly, EncodeTimeOnly, EncodeDateTime and EncodeInterval of datetime.c.
use super::*;
use std::io::Write;

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn two(v: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'0' + (v / 10 % 10) as u8, b'0' + (v % 10) as u8]);
}
/// The year as shown, at least four digits; BC years count back from 1.
fn year(y: i32, out: &mut Vec<u8>) {
    let y = if y > 0 { y } else { 1 - y };
    if y < 10_000 {
        two(y as u32 / 100, out);
        two(y as u32 % 100, out);
    } else {
        crate::number_text::format_int(y as i64, out);
    }
}
fn fraction(micros: u32, out: &mut Vec<u8>) {
    if micros != 0 {
        out.push(b'.');
        let (mut rest, mut unit) = (micros, 100_000);
        while rest != 0 {
            out.push(b'0' + (rest / unit % 10) as u8);
            rest %= unit;
            unit /= 10;
        }
    }
}
fn clock(f: &Fields, out: &mut Vec<u8>) {
    two(f.hour, out);
    out.push(b':');
    two(f.minute, out);
    out.push(b':');
    two(f.second, out);
    fraction(f.micros, out);
}
/// `east` as +hh[:mm[:ss]].
fn zone(east: i32, out: &mut Vec<u8>) {
    out.push(if east < 0 { b'-' } else { b'+' });
    let z = east.unsigned_abs();
    two(z / 3600, out);
    if !z.is_multiple_of(3600) {
        out.push(b':');
        two(z / 60 % 60, out);
        if !z.is_multiple_of(60) {
            out.push(b':');
            two(z % 60, out);
        }
    }
}
type Put<'a> = &'a dyn Fn(&mut Vec<u8>);
fn join(sep: u8, parts: [Put; 3], out: &mut Vec<u8>) {
    parts[0](out);
    out.push(sep);
    parts[1](out);
    out.push(sep);
    parts[2](out);
}
/// The date in `style`, without BC.
fn date_part(f: &Fields, style: DateStyle, order: DateOrder, out: &mut Vec<u8>) {
    let (y, m, d) =
        (&|o: &mut Vec<u8>| year(f.year, o), &|o: &mut Vec<u8>| two(f.month, o), &|o: &mut Vec<u8>| two(f.day, o));
    match (style, order) {
        (DateStyle::Iso, _) => join(b'-', [y, m, d], out),
        (DateStyle::German, _) => join(b'.', [d, m, y], out),
        (DateStyle::Sql, DateOrder::Dmy) => join(b'/', [d, m, y], out),
        (DateStyle::Sql, _) => join(b'/', [m, d, y], out),
        (DateStyle::Postgres, DateOrder::Dmy) => join(b'-', [d, m, y], out),
        (DateStyle::Postgres, _) => join(b'-', [m, d, y], out),
    }
}
fn infinity(negative: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if negative { b"-infinity" } else { b"infinity" });
}

pub fn format_date(v: i32, st: &DateTimeStyle, out: &mut Vec<u8>) {
    if v == i32::MIN || v == i32::MAX {
        return infinity(v < 0, out);
    }
    let f = date_to_fields(v);
    date_part(&f, st.date_style, st.order, out);
    if f.year <= 0 {
        out.extend_from_slice(b" BC");
    }
}
pub fn format_time(v: i64, out: &mut Vec<u8>) {
    let (hour, minute, second, micros) = split_time(v);
    clock(&Fields { hour, minute, second, micros, ..Fields::default() }, out);
}
/// `zone` is in seconds west of UTC.
pub fn format_timetz(v: i64, west: i32, out: &mut Vec<u8>) {
    format_time(v, out);
    zone(-west, out);
}
pub fn format_timestamp(v: i64, st: &DateTimeStyle, out: &mut Vec<u8>) {
    if is_infinite(v) {
        return infinity(v < 0, out);
    }
    date_time(v, None, st, out);
}
pub fn format_timestamptz(v: i64, st: &DateTimeStyle, out: &mut Vec<u8>) {
    if is_infinite(v) {
        return infinity(v < 0, out);
    }
    date_time(timestamptz_to_local(v, &st.tz), Some(v), st, out);
}
/// A local time, with the zone at `instant` if there is one.
fn date_time(local: i64, instant: Option<i64>, st: &DateTimeStyle, out: &mut Vec<u8>) {
    let f = timestamp_to_fields(local);
    match st.date_style {
        DateStyle::Postgres => {
            let day = day_of_week(local.div_euclid(USECS_PER_DAY) as i32);
            out.extend_from_slice(DAYS[day as usize % 7].as_bytes());
            out.push(b' ');
            let month = MONTHS[(f.month as usize + 11) % 12];
            let _ = match st.order {
                DateOrder::Dmy => write!(out, "{:02} {month} ", f.day),
                _ => write!(out, "{month} {:02} ", f.day),
            };
            clock(&f, out);
            out.push(b' ');
            year(f.year, out);
        }
        style => {
            date_part(&f, style, st.order, out);
            out.push(b' ');
            clock(&f, out);
        }
    }
    if let Some(v) = instant {
        if st.date_style == DateStyle::Iso {
            zone(utc_offset(v, &st.tz), out);
        } else {
            out.push(b' ');
            out.extend_from_slice(zone_abbreviation(v, &st.tz).as_bytes());
        }
    }
    if f.year <= 0 {
        out.extend_from_slice(b" BC");
    }
}

/// An interval's fields; all of the time carry its sign.
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
}

pub fn format_interval(v: &Interval, st: &DateTimeStyle, out: &mut Vec<u8>) {
    let t = v.micros;
    let p = Parts {
        year: (v.months / 12) as i64,
        month: (v.months % 12) as i64,
        day: v.days as i64,
        hour: t / USECS_PER_HOUR,
        minute: t / USECS_PER_MIN % 60,
        second: t / USECS_PER_SEC % 60,
        micros: t % USECS_PER_SEC,
    };
    match st.interval_style {
        IntervalStyle::Postgres => interval_postgres(&p, t, out),
        IntervalStyle::PostgresVerbose => interval_verbose(&p, out),
        IntervalStyle::SqlStandard => interval_sql(p, out),
        IntervalStyle::Iso8601 => interval_iso(&p, v, out),
    }
}
/// Seconds with their fraction, unsigned; two digits when `fill`.
fn seconds(p: &Parts, fill: bool, out: &mut Vec<u8>) {
    let s = p.second.unsigned_abs();
    if fill {
        two(s as u32, out);
    } else {
        crate::number_text::format_int(s as i64, out);
    }
    fraction(p.micros.unsigned_abs() as u32, out);
}
fn interval_postgres(p: &Parts, t: i64, out: &mut Vec<u8>) {
    let (mut first, mut before) = (true, false);
    for (value, name) in [(p.year, "year"), (p.month, "mon"), (p.day, "day")] {
        if value == 0 {
            continue;
        }
        let _ = write!(
            out,
            "{}{}{value} {name}{}",
            if first { "" } else { " " },
            if before && value > 0 { "+" } else { "" },
            if value != 1 { "s" } else { "" }
        );
        // A positive value after a negative one shows its sign.
        before = value < 0;
        first = false;
    }
    if first || t != 0 {
        let sign = if t < 0 {
            "-"
        } else if before {
            "+"
        } else {
            ""
        };
        let _ = write!(
            out,
            "{}{sign}{:02}:{:02}:",
            if first { "" } else { " " },
            p.hour.unsigned_abs(),
            p.minute.unsigned_abs()
        );
        seconds(p, true, out);
    }
}
fn interval_verbose(p: &Parts, out: &mut Vec<u8>) {
    let (mut zero, mut before) = (true, false);
    out.push(b'@');
    let units = [(p.year, "year"), (p.month, "mon"), (p.day, "day"), (p.hour, "hour"), (p.minute, "min")];
    for (mut value, name) in units {
        if value == 0 {
            continue;
        }
        if zero {
            before = value < 0;
            value = value.abs();
        } else if before {
            value = -value;
        }
        let _ = write!(out, " {value} {name}{}", if value != 1 { "s" } else { "" });
        zero = false;
    }
    if p.second != 0 || p.micros != 0 {
        out.push(b' ');
        if p.second < 0 || p.micros < 0 {
            if zero {
                before = true;
            } else if !before {
                out.push(b'-');
            }
        } else if before {
            out.push(b'-');
        }
        seconds(p, false, out);
        let _ = write!(out, " sec{}", if p.second.abs() != 1 || p.micros != 0 { "s" } else { "" });
        zero = false;
    }
    if zero {
        out.extend_from_slice(b" 0");
    }
    if before {
        out.extend_from_slice(b" ago");
    }
}
fn interval_iso(p: &Parts, v: &Interval, out: &mut Vec<u8>) {
    if v.months == 0 && v.days == 0 && v.micros == 0 {
        return out.extend_from_slice(b"PT0S");
    }
    out.push(b'P');
    let put = |value: i64, unit: char, out: &mut Vec<u8>| {
        if value != 0 {
            let _ = write!(out, "{value}{unit}");
        }
    };
    put(p.year, 'Y', out);
    put(p.month, 'M', out);
    put(p.day, 'D', out);
    if v.micros != 0 {
        out.push(b'T');
        put(p.hour, 'H', out);
        put(p.minute, 'M', out);
        if p.second != 0 || p.micros != 0 {
            if p.second < 0 || p.micros < 0 {
                out.push(b'-');
            }
            seconds(p, false, out);
            out.push(b'S');
        }
    }
}
fn interval_sql(mut p: Parts, out: &mut Vec<u8>) {
    let all = [p.year, p.month, p.day, p.hour, p.minute, p.second, p.micros];
    let negative = all.iter().any(|v| *v < 0);
    let positive = all.iter().any(|v| *v > 0);
    let year_month = p.year != 0 || p.month != 0;
    let day_time = all[2..].iter().any(|v| *v != 0);
    let mixed = negative && positive || year_month && day_time;
    if !negative && !positive {
        return out.push(b'0');
    }
    let abs = |v: i64| v.unsigned_abs();
    if mixed {
        let sign = |neg: bool| if neg { '-' } else { '+' };
        let _ = write!(
            out,
            "{}{}-{} {}{} {}{}:{:02}:",
            sign(p.year < 0 || p.month < 0),
            abs(p.year),
            abs(p.month),
            sign(p.day < 0),
            abs(p.day),
            sign(p.hour < 0 || p.minute < 0 || p.second < 0 || p.micros < 0),
            abs(p.hour),
            abs(p.minute)
        );
        return seconds(&p, true, out);
    }
    if negative {
        out.push(b'-');
        for v in [&mut p.year, &mut p.month, &mut p.day, &mut p.hour, &mut p.minute] {
            *v = -*v;
        }
    }
    if year_month {
        let _ = write!(out, "{}-{}", p.year, p.month);
        return;
    }
    if p.day != 0 {
        let _ = write!(out, "{} ", p.day);
    }
    let _ = write!(out, "{}:{:02}:", p.hour, p.minute);
    seconds(&p, true, out);
}
