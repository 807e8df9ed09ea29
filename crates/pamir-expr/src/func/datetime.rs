//! Date, time and interval operators and functions (date.c, timestamp.c) over pamir-types' calendar arithmetic.
//!
//! CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, LOCALTIME and LOCALTIMESTAMP are functions of those names here, with an optional precision.
use super::casts::{is_infinite, to_instant, ts_to_date};
use super::registry::{OWN_OIDS, OwnRow, STABLE, STRICT, bad_args, func_body, funcs};
use super::*;
use pamir_types::datetime::{self as dt, Fields, Interval, USECS_PER_DAY, USECS_PER_SEC};
use pamir_types::{bail, err, oid};

/// Days from 4714-11-24 BC, the first day PostgreSQL knows, to 2000-01-01.
const FIRST_DAY: i64 = -2_451_545;
/// One past the last day.
const END_DAY: i64 = 2_147_483_494 - 2_451_545;
const USECS_PER_HOUR: i64 = 3600 * USECS_PER_SEC;

pub static OWN: &[OwnRow] = &[
    OwnRow {
        oid: OWN_OIDS + 40,
        name: "current_date",
        args: &[],
        ret: oid::DATE,
        flags: STRICT | STABLE,
        body: func_body!(current_date (_ci env;) -> Datum::Date(ts_to_date(local_now(env)))),
    },
    OwnRow {
        oid: OWN_OIDS + 41,
        name: "current_time",
        args: &[],
        ret: oid::TIMETZ,
        flags: STRICT | STABLE,
        body: Body::scalar(current_time),
    },
    OwnRow {
        oid: OWN_OIDS + 42,
        name: "current_time",
        args: &[oid::INT4],
        ret: oid::TIMETZ,
        flags: STRICT | STABLE,
        body: Body::scalar(current_time),
    },
    OwnRow {
        oid: OWN_OIDS + 43,
        name: "current_timestamp",
        args: &[],
        ret: oid::TIMESTAMPTZ,
        flags: STRICT | STABLE,
        body: func_body!(current_timestamp (_ci env;) -> Datum::TimestampTz(env.txn_time())),
    },
    OwnRow {
        oid: OWN_OIDS + 44,
        name: "current_timestamp",
        args: &[oid::INT4],
        ret: oid::TIMESTAMPTZ,
        flags: STRICT | STABLE,
        body: func_body!(current_timestamp (_ci env; p: Int4) -> Datum::TimestampTz(dt::apply_time_typmod(env.txn_time(), (*p).clamp(0, 6)))),
    },
    OwnRow {
        oid: OWN_OIDS + 45,
        name: "localtime",
        args: &[],
        ret: oid::TIME,
        flags: STRICT | STABLE,
        body: func_body!(localtime (_ci env;) -> Datum::Time(local_now(env).rem_euclid(USECS_PER_DAY))),
    },
    OwnRow {
        oid: OWN_OIDS + 46,
        name: "localtime",
        args: &[oid::INT4],
        ret: oid::TIME,
        flags: STRICT | STABLE,
        body: func_body!(localtime (_ci env; p: Int4) -> Datum::Time(dt::apply_time_typmod(local_now(env).rem_euclid(USECS_PER_DAY), (*p).clamp(0, 6)))),
    },
    OwnRow {
        oid: OWN_OIDS + 47,
        name: "localtimestamp",
        args: &[],
        ret: oid::TIMESTAMP,
        flags: STRICT | STABLE,
        body: func_body!(localtimestamp (_ci env;) -> Datum::Timestamp(local_now(env))),
    },
    OwnRow {
        oid: OWN_OIDS + 48,
        name: "localtimestamp",
        args: &[oid::INT4],
        ret: oid::TIMESTAMP,
        flags: STRICT | STABLE,
        body: func_body!(localtimestamp (_ci env; p: Int4) -> Datum::Timestamp(dt::apply_time_typmod(local_now(env), (*p).clamp(0, 6)))),
    },
];

fn local_now(env: &dyn Env) -> i64 {
    dt::timestamptz_to_local(env.txn_time(), &env.text_ctx().dt.tz)
}
fn current_time(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let t = local_now(env).rem_euclid(USECS_PER_DAY);
    let t = match args {
        [Datum::Int4(p)] => dt::apply_time_typmod(t, (*p).clamp(0, 6)),
        _ => t,
    };
    Ok(Datum::TimeTz(t, -dt::utc_offset(env.txn_time(), &env.text_ctx().dt.tz)))
}

fn date_range() -> pamir_types::Error {
    err!(DATETIME_FIELD_OVERFLOW, "date out of range")
}
fn interval_range() -> pamir_types::Error {
    err!(DATETIME_FIELD_OVERFLOW, "interval out of range")
}
fn date_shift(d: i32, n: i64) -> Result<Datum> {
    if d == i32::MIN || d == i32::MAX {
        return Ok(Datum::Date(d));
    }
    match i64::from(d) + n {
        v if (FIRST_DAY..END_DAY).contains(&v) => Ok(Datum::Date(v as i32)),
        _ => Err(date_range()),
    }
}
fn date_diff(a: i32, b: i32) -> Result<Datum> {
    let inf = |d: i32| d == i32::MIN || d == i32::MAX;
    if inf(a) || inf(b) {
        bail!(DATETIME_FIELD_OVERFLOW, "cannot subtract infinite dates");
    }
    a.checked_sub(b).map(Datum::Int4).ok_or_else(date_range)
}
fn date_ts(d: i32) -> Result<i64> {
    match d {
        i32::MIN => Ok(i64::MIN),
        i32::MAX => Ok(i64::MAX),
        d => i64::from(d)
            .checked_mul(USECS_PER_DAY)
            .filter(|v| *v < 9_223_371_331_200_000_000)
            .ok_or_else(|| err!(DATETIME_FIELD_OVERFLOW, "date out of range for timestamp")),
    }
}
fn date_time(d: i32, t: i64) -> Result<i64> {
    let v = date_ts(d)?;
    Ok(if is_infinite(v) { v } else { v + t })
}
fn neg(i: &Interval) -> Result<Interval> {
    dt::interval_neg(i)
}
fn wrap(t: i64) -> i64 {
    t.rem_euclid(USECS_PER_DAY)
}
fn ts_add(v: i64, i: &Interval) -> Result<Datum> {
    dt::timestamp_add(v, i).map(Datum::Timestamp)
}
fn tz_add(v: i64, i: &Interval, env: &dyn Env) -> Result<Datum> {
    dt::timestamptz_add(v, i, &env.text_ctx().dt.tz).map(Datum::TimestampTz)
}
/// date_part's float8 of extract's numeric.
fn part(args: &[Datum], env: &dyn Env, float: bool) -> Result<Datum> {
    let [Datum::Text(f), v] = args else { return Err(bad_args("extract", args)) };
    let r = dt::extract(f, v, &env.text_ctx().dt.tz)?;
    Ok(match r {
        Datum::Numeric(n) if float => Datum::Float8(n.to_f64()),
        r => r,
    })
}
fn instants(args: &[Datum]) -> Result<(i64, i64)> {
    match args {
        [Datum::Timestamp(a) | Datum::TimestampTz(a), Datum::Timestamp(b) | Datum::TimestampTz(b)] => Ok((*a, *b)),
        _ => Err(bad_args("timestamp", args)),
    }
}
fn make_date(y: i32, m: i32, d: i32) -> Result<i32> {
    let bad = || err!(DATETIME_FIELD_OVERFLOW, "date field value out of range: {y}-{m:02}-{d:02}");
    // Negative years are BC; there is no year zero.
    let year = match y {
        0 => return Err(bad()),
        y if y < 0 => y.checked_add(1).ok_or_else(bad)?,
        y => y,
    };
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let days = match m {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return Err(bad()),
    };
    if d < 1 || d > days {
        return Err(bad());
    }
    if !(-4713..=5_874_897).contains(&year) {
        bail!(DATETIME_FIELD_OVERFLOW, "date out of range: {y}-{m:02}-{d:02}");
    }
    let f = Fields { year, month: m as u32, day: d as u32, ..Fields::default() };
    dt::fields_to_date(&f).map_err(|_| err!(DATETIME_FIELD_OVERFLOW, "date out of range: {y}-{m:02}-{d:02}"))
}
fn make_time(h: i32, m: i32, s: f64) -> Result<i64> {
    let bad = || err!(DATETIME_FIELD_OVERFLOW, "time field value out of range: {h}:{m:02}:{}", two_digits(s));
    if s.is_nan() || h < 0 || !(0..60).contains(&m) || !(0.0..=60.0).contains(&s) || h > 24 {
        return Err(bad());
    }
    if h == 24 && (m > 0 || s > 0.0) {
        return Err(bad());
    }
    Ok(i64::from(h) * USECS_PER_HOUR + i64::from(m) * 60 * USECS_PER_SEC + (s * 1e6).round_ties_even() as i64)
}
/// C's %02g.
fn two_digits(s: f64) -> String {
    let t = format!("{s}");
    if t.len() < 2 { format!("0{t}") } else { t }
}
fn make_timestamp(args: &[Datum]) -> Result<i64> {
    match args {
        [Datum::Int4(y), Datum::Int4(mo), Datum::Int4(d), Datum::Int4(h), Datum::Int4(mi), Datum::Float8(s), ..] => {
            let day = make_date(*y, *mo, *d)?;
            let t = make_time(*h, *mi, *s)?;
            i64::from(day).checked_mul(USECS_PER_DAY).and_then(|v| v.checked_add(t)).ok_or_else(|| {
                err!(
                    DATETIME_FIELD_OVERFLOW,
                    "timestamp out of range: {y}-{mo:02}-{d:02} {h}:{mi:02}:{}",
                    two_digits(*s)
                )
            })
        }
        _ => Err(bad_args("make_timestamp", args)),
    }
}
fn make_interval(args: &[Datum]) -> Result<Datum> {
    let int = |i: usize| match args.get(i) {
        Some(Datum::Int4(v)) => i64::from(*v),
        _ => 0,
    };
    let secs = match args.get(6) {
        Some(Datum::Float8(v)) => *v,
        _ => 0.0,
    };
    if !secs.is_finite() {
        return Err(interval_range());
    }
    let months = i32::try_from(int(0) * 12 + int(1)).map_err(|_| interval_range())?;
    let days = i32::try_from(int(2) * 7 + int(3)).map_err(|_| interval_range())?;
    let micros = i128::from(int(4)) * i128::from(USECS_PER_HOUR)
        + i128::from(int(5)) * i128::from(60 * USECS_PER_SEC)
        + (secs * 1e6).round_ties_even() as i128;
    let micros = i64::try_from(micros).map_err(|_| interval_range())?;
    Ok(Datum::Interval(Interval { months, days, micros }))
}
/// `to_timestamp(float8)`: seconds since 1970.
fn from_epoch(s: f64) -> Result<Datum> {
    if s.is_nan() {
        bail!(DATETIME_FIELD_OVERFLOW, "timestamp cannot be NaN");
    }
    if s.is_infinite() {
        return Ok(Datum::TimestampTz(if s > 0.0 { i64::MAX } else { i64::MIN }));
    }
    let since = (s - f64::from(dt::UNIX_EPOCH_DAYS) * 86_400.0) * 1e6;
    let r = since.round_ties_even();
    if !(-211_813_488_000_000_000.0..9_223_371_331_200_000_000.0).contains(&r) {
        bail!(DATETIME_FIELD_OVERFLOW, "timestamp out of range: \"{s}\"");
    }
    Ok(Datum::TimestampTz(r as i64))
}
/// Seconds east of UTC of an interval used as a zone.
fn interval_zone(i: &Interval) -> Result<i64> {
    if i.months != 0 || i.days != 0 {
        let mut v = Vec::new();
        dt::format_interval(i, &dt::DateTimeStyle::default(), &mut v);
        bail!(
            INVALID_PARAMETER_VALUE,
            "interval time zone \"{}\" must not include months or days",
            String::from_utf8_lossy(&v)
        );
    }
    Ok(i.micros / USECS_PER_SEC)
}
fn shift(v: i64, seconds: i64) -> Result<i64> {
    if is_infinite(v) {
        return Ok(v);
    }
    v.checked_add(seconds * USECS_PER_SEC).ok_or_else(|| err!(DATETIME_FIELD_OVERFLOW, "timestamp out of range"))
}
/// date_bin(stride, source, origin)
fn date_bin(i: &Interval, args: (i64, i64)) -> Result<i64> {
    let (src, origin) = args;
    if is_infinite(src) {
        return Ok(src);
    }
    if is_infinite(origin) {
        bail!(DATETIME_FIELD_OVERFLOW, "origin out of range");
    }
    if i.months != 0 {
        bail!(FEATURE_NOT_SUPPORTED, "timestamps cannot be binned into intervals containing months or years");
    }
    let stride = i64::from(i.days)
        .checked_mul(USECS_PER_DAY)
        .and_then(|d| d.checked_add(i.micros))
        .ok_or_else(interval_range)?;
    if stride <= 0 {
        bail!(DATETIME_FIELD_OVERFLOW, "stride must be greater than zero");
    }
    let diff = src.checked_sub(origin).ok_or_else(interval_range)?;
    let bin = i128::from(diff) - i128::from(diff).rem_euclid(i128::from(stride));
    let out = i64::try_from(bin + i128::from(origin)).ok().and_then(|t| pamir_types::datetime::check_timestamp(t).ok());
    out.ok_or_else(|| err!(DATETIME_FIELD_OVERFLOW, "timestamp out of range"))
}
/// SQL's OVERLAPS of (s1, e1) and (s2, e2), NULL endpoints included.
fn overlaps(v: [&Datum; 4]) -> Datum {
    use pamir_types::cmp::compare;
    let order = |s: &Datum, e: &Datum| match (s.is_null(), e.is_null()) {
        (true, true) => None,
        (true, false) => Some((e.clone(), None)),
        (false, true) => Some((s.clone(), None)),
        (false, false) if compare(s, e).is_gt() => Some((e.clone(), Some(s.clone()))),
        _ => Some((s.clone(), Some(e.clone()))),
    };
    let (Some((s1, e1)), Some((s2, e2))) = (order(v[0], v[1]), order(v[2], v[3])) else { return Datum::Null };
    let within = |s: &Datum, e: &Option<Datum>, other_end: &Option<Datum>| match e {
        None => Datum::Null,
        Some(e) if compare(s, e).is_lt() => Datum::Bool(true),
        Some(_) if other_end.is_none() => Datum::Null,
        Some(_) => Datum::Bool(false),
    };
    match compare(&s1, &s2) {
        std::cmp::Ordering::Greater => within(&s1, &e2, &e1),
        std::cmp::Ordering::Less => within(&s2, &e1, &e2),
        std::cmp::Ordering::Equal if e1.is_none() || e2.is_none() => Datum::Null,
        std::cmp::Ordering::Equal => Datum::Bool(true),
    }
}
/// OVERLAPS whose second members may be lengths: they become ends first.
fn overlaps_any(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [s1, e1, s2, e2] = args else { return Err(bad_args("overlaps", args)) };
    let end = |s: &Datum, e: &Datum, env: &dyn Env| -> Result<Datum> {
        match (s, e) {
            (Datum::Timestamp(s), Datum::Interval(i)) => ts_add(*s, i),
            (Datum::TimestampTz(s), Datum::Interval(i)) => tz_add(*s, i, env),
            (Datum::Time(s), Datum::Interval(i)) => Ok(Datum::Time(wrap(s + i.micros))),
            (_, Datum::Interval(_)) => Ok(Datum::Null),
            (_, e) => Ok(e.clone()),
        }
    };
    let (e1, e2) = (end(s1, e1, env)?, end(s2, e2, env)?);
    Ok(overlaps([s1, &e1, s2, &e2]))
}
fn finite_date(d: i32) -> bool {
    d != i32::MIN && d != i32::MAX
}
fn time_of_day(env: &dyn Env) -> String {
    let tz = &env.text_ctx().dt.tz;
    let now = env.clock();
    let f = dt::timestamp_to_fields(dt::timestamptz_to_local(now, tz));
    let day = ts_to_date(dt::timestamptz_to_local(now, tz));
    const DAYS: [&str; 7] = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let zone = pamir_types::datetime::zone_abbreviation(now, tz);
    format!(
        "{} {} {:02} {:02}:{:02}:{:02}.{:06} {:04} {zone}",
        DAYS.get(day.rem_euclid(7) as usize).unwrap_or(&""),
        MONTHS.get((f.month as usize).wrapping_sub(1)).unwrap_or(&""),
        f.day,
        f.hour,
        f.minute,
        f.second,
        f.micros,
        f.year
    )
}
/// The midnight that begins the transaction's day.
fn today(env: &dyn Env) -> i64 {
    let n = local_now(env);
    n - n.rem_euclid(USECS_PER_DAY)
}
fn mul(i: &Interval, f: f64) -> Result<Datum> {
    dt::interval_mul(i, f).map(Datum::Interval)
}

funcs! { pub FUNCS {
    now (_ci env;) -> Datum::TimestampTz(env.txn_time());
    statement_timestamp (_ci env;) -> Datum::TimestampTz(env.statement_time());
    clock_timestamp (_ci env;) -> Datum::TimestampTz(env.clock());
    timeofday (_ci env;) -> time_of_day(env);

    // date
    date_pli (d: Date, n: Int4) => date_shift(*d, (*n).into());
    date_mii (d: Date, n: Int4) => date_shift(*d, -i64::from(*n));
    integer_pl_date_2550 (n: Int4, d: Date) => date_shift(*d, (*n).into());
    date_mi (a: Date, b: Date) => date_diff(*a, *b);
    date_pl_interval (d: Date, i: Interval) => ts_add(date_ts(*d)?, i);
    date_mi_interval (d: Date, i: Interval) => ts_add(date_ts(*d)?, &neg(i)?);
    interval_pl_date_2546 (i: Interval, d: Date) => ts_add(date_ts(*d)?, i);
    datetime_timestamp (d: Date, t: Time) => date_time(*d, *t).map(Datum::Timestamp);
    timedate_pl_1296 (t: Time, d: Date) => date_time(*d, *t).map(Datum::Timestamp);
    timestamptz_1176 (_ci env; d: Date, t: Time) => to_instant(date_time(*d, *t)?, env).map(Datum::TimestampTz);
    datetimetz_timestamptz raw = |_, args, _| match args {
        [Datum::Date(d), Datum::TimeTz(t, z)] => Ok(Datum::TimestampTz(shift(date_time(*d, *t)?, (*z).into())?)),
        _ => Err(bad_args("datetimetz_pl", args)),
    };
    timetzdate_pl_1298 raw = |_, args, _| match args {
        [Datum::TimeTz(t, z), Datum::Date(d)] => Ok(Datum::TimestampTz(shift(date_time(*d, *t)?, (*z).into())?)),
        _ => Err(bad_args("timetzdate_pl", args)),
    };
    date_finite (d: Date) -> finite_date(*d);
    make_date (y: Int4, m: Int4, d: Int4) => make_date(*y, *m, *d).map(Datum::Date);

    // timestamp, timestamptz
    timestamp_pl_interval (t: Timestamp, i: Interval) => ts_add(*t, i);
    timestamp_mi_interval (t: Timestamp, i: Interval) => ts_add(*t, &neg(i)?);
    interval_pl_timestamp_2548 (i: Interval, t: Timestamp) => ts_add(*t, i);
    timestamptz_pl_interval (_ci env; t: TimestampTz, i: Interval) => tz_add(*t, i, env);
    timestamptz_mi_interval (_ci env; t: TimestampTz, i: Interval) => tz_add(*t, &neg(i)?, env);
    interval_pl_timestamptz_2549 (_ci env; i: Interval, t: TimestampTz) => tz_add(*t, i, env);
    timestamp_mi raw = |_, args, _| { let (a, b) = instants(args)?; dt::timestamp_sub(a, b).map(Datum::Interval) };
    timestamp_age raw = |_, args, _| { let (a, b) = instants(args)?; dt::timestamp_age(a, b).map(Datum::Interval) };
    timestamptz_age (_ci env; a: TimestampTz, b: TimestampTz) => {
        let tz = &env.text_ctx().dt.tz;
        dt::timestamp_age(dt::timestamptz_to_local(*a, tz), dt::timestamptz_to_local(*b, tz)).map(Datum::Interval)
    };
    age_2059 (_ci env; a: Timestamp) => dt::timestamp_age(today(env), *a).map(Datum::Interval);
    age_1386 (_ci env; a: TimestampTz) => dt::timestamp_age(today(env), dt::timestamptz_to_local(*a, &env.text_ctx().dt.tz)).map(Datum::Interval);
    timestamp_finite raw = |_, args, _| match args {
        [Datum::Timestamp(t) | Datum::TimestampTz(t)] => Ok(Datum::Bool(!is_infinite(*t))),
        _ => Err(bad_args("isfinite", args)),
    };
    make_timestamp raw = |_, args, _| make_timestamp(args).map(Datum::Timestamp);
    make_timestamptz raw = |_, args, env| to_instant(make_timestamp(args)?, env).map(Datum::TimestampTz);
    make_timestamptz_at_timezone raw = |_, args, _| match args {
        [.., Datum::Text(z)] => dt::parse_zone_of_instant(z)?.from_local(make_timestamp(args)?).map(Datum::TimestampTz),
        _ => Err(bad_args("make_timestamptz", args)),
    };
    float8_timestamptz (s: Float8) => from_epoch(*s);
    timestamp_trunc (u: Text, t: Timestamp) => if is_infinite(*t) { Ok(Datum::Timestamp(*t)) } else { dt::date_trunc_timestamp(u, *t).map(Datum::Timestamp) };
    timestamptz_trunc (_ci env; u: Text, t: TimestampTz) => if is_infinite(*t) { Ok(Datum::TimestampTz(*t)) } else { dt::date_trunc_timestamptz(u, *t, &env.text_ctx().dt.tz).map(Datum::TimestampTz) };
    timestamptz_trunc_zone (u: Text, t: TimestampTz, z: Text) => if is_infinite(*t) { Ok(Datum::TimestampTz(*t)) } else { dt::date_trunc_timestamptz(u, *t, &dt::parse_zone(z)?).map(Datum::TimestampTz) };
    interval_trunc (u: Text, i: Interval) => dt::date_trunc_interval(u, i).map(Datum::Interval);
    timestamp_bin (i: Interval, t: Timestamp, o: Timestamp) => date_bin(i, (*t, *o)).map(Datum::Timestamp);
    timestamptz_bin (i: Interval, t: TimestampTz, o: TimestampTz) => date_bin(i, (*t, *o)).map(Datum::TimestampTz);
    timestamp_zone (z: Text, t: Timestamp) => if is_infinite(*t) { Ok(Datum::TimestampTz(*t)) } else { dt::parse_named_zone(z)?.from_local(*t).map(Datum::TimestampTz) };
    timestamptz_zone (z: Text, t: TimestampTz) => Ok(Datum::Timestamp(if is_infinite(*t) { *t } else { dt::parse_named_zone(z)?.to_local(*t) }));
    timestamp_izone (z: Interval, t: Timestamp) => if is_infinite(*t) { Ok(Datum::TimestampTz(*t)) } else { shift(*t, -interval_zone(z)?).map(Datum::TimestampTz) };
    timestamptz_izone (z: Interval, t: TimestampTz) => if is_infinite(*t) { Ok(Datum::Timestamp(*t)) } else { shift(*t, interval_zone(z)?).map(Datum::Timestamp) };
    timetz_zone raw = |_, args, env| match args {
        [Datum::Text(z), Datum::TimeTz(t, w)] => {
            let west = -dt::parse_named_zone(z)?.utc_offset(env.txn_time());
            Ok(Datum::TimeTz(wrap(t + i64::from(w - west) * USECS_PER_SEC), west))
        }
        _ => Err(bad_args("timezone", args)),
    };
    timetz_izone raw = |_, args, _| match args {
        [Datum::Interval(z), Datum::TimeTz(t, w)] => {
            let west = -(interval_zone(z)? as i32);
            Ok(Datum::TimeTz(wrap(t + i64::from(w - west) * USECS_PER_SEC), west))
        }
        _ => Err(bad_args("timezone", args)),
    };

    // time
    time_pl_interval (t: Time, i: Interval) -> Datum::Time(wrap(t.wrapping_add(i.micros % USECS_PER_DAY)));
    time_mi_interval (t: Time, i: Interval) -> Datum::Time(wrap(t.wrapping_sub(i.micros % USECS_PER_DAY)));
    interval_pl_time_1848 (i: Interval, t: Time) -> Datum::Time(wrap(t.wrapping_add(i.micros % USECS_PER_DAY)));
    time_mi_time (a: Time, b: Time) -> Datum::Interval(Interval { months: 0, days: 0, micros: a - b });
    timetz_pl_interval raw = |_, args, _| match args {
        [Datum::TimeTz(t, z), Datum::Interval(i)] => Ok(Datum::TimeTz(wrap(t + i.micros % USECS_PER_DAY), *z)),
        _ => Err(bad_args("timetz_pl_interval", args)),
    };
    interval_pl_timetz_2547 raw = |_, args, _| match args {
        [Datum::Interval(i), Datum::TimeTz(t, z)] => Ok(Datum::TimeTz(wrap(t + i.micros % USECS_PER_DAY), *z)),
        _ => Err(bad_args("interval_pl_timetz", args)),
    };
    timetz_mi_interval raw = |_, args, _| match args {
        [Datum::TimeTz(t, z), Datum::Interval(i)] => Ok(Datum::TimeTz(wrap(t - i.micros % USECS_PER_DAY), *z)),
        _ => Err(bad_args("timetz_mi_interval", args)),
    };
    make_time (h: Int4, m: Int4, s: Float8) => make_time(*h, *m, *s).map(Datum::Time);

    // interval
    interval_pl (a: Interval, b: Interval) => dt::interval_add(a, b).map(Datum::Interval);
    interval_mi (a: Interval, b: Interval) => dt::interval_add(a, &neg(b)?).map(Datum::Interval);
    interval_um (a: Interval) => neg(a).map(Datum::Interval);
    interval_mul (a: Interval, f: Float8) => mul(a, *f);
    mul_d_interval (f: Float8, a: Interval) => mul(a, *f);
    interval_div (a: Interval, f: Float8) => if *f == 0.0 { Err(arith::zero()) } else { dt::interval_div(a, *f).map(Datum::Interval) };
    interval_justify_hours (a: Interval) => dt::justify_hours(a).map(Datum::Interval);
    interval_justify_days (a: Interval) => dt::justify_days(a).map(Datum::Interval);
    interval_justify_interval (a: Interval) => dt::justify_interval(a).map(Datum::Interval);
    interval_finite raw = |_, _, _| Ok(Datum::Bool(true));
    make_interval raw = |_, args, _| make_interval(args);

    // extract, date_part
    extract_date raw = |_, args, env| part(args, env, false);
    extract_time raw = |_, args, env| part(args, env, false);
    extract_timetz raw = |_, args, env| part(args, env, false);
    extract_timestamp raw = |_, args, env| part(args, env, false);
    extract_timestamptz raw = |_, args, env| part(args, env, false);
    extract_interval raw = |_, args, env| part(args, env, false);
    time_part raw = |_, args, env| part(args, env, true);
    timetz_part raw = |_, args, env| part(args, env, true);
    timestamp_part raw = |_, args, env| part(args, env, true);
    timestamptz_part raw = |_, args, env| part(args, env, true);
    interval_part raw = |_, args, env| part(args, env, true);
    // PostgreSQL's date_part(text, date) works on the timestamp at midnight.
    date_part_1384 raw = |_, args, env| match args {
        [f, Datum::Date(d)] => part(&[f.clone(), Datum::Timestamp(date_ts(*d)?)], env, true),
        _ => Err(bad_args("date_part", args)),
    };

    overlaps_time raw = overlaps_any;
    overlaps_timetz raw = overlaps_any;
    overlaps_timestamp raw = overlaps_any;
    overlaps_1305 raw = overlaps_any;
    overlaps_1306 raw = overlaps_any;
    overlaps_1307 raw = overlaps_any;
    overlaps_1309 raw = overlaps_any;
    overlaps_1310 raw = overlaps_any;
    overlaps_1311 raw = overlaps_any;
    overlaps_2042 raw = overlaps_any;
    overlaps_2043 raw = overlaps_any;
    overlaps_2044 raw = overlaps_any;
} }
