//! Dates, times and intervals against PostgreSQL 15's answers.
mod golden;
use pamir_types::datetime::{self as dt, DateOrder, DateStyle, DateTimeStyle, Interval, IntervalStyle};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Result, Type, oid};

fn ctx(zone: &str) -> TextCtx {
    let tz = dt::parse_zone(zone).unwrap();
    TextCtx { dt: DateTimeStyle { tz, ..DateTimeStyle::default() }, ..TextCtx::default() }
}
fn order(s: &str) -> DateOrder {
    match s {
        "DMY" => DateOrder::Dmy,
        "YMD" => DateOrder::Ymd,
        _ => DateOrder::Mdy,
    }
}
fn type_named(s: &str) -> Type {
    Type::new(match s {
        "date" => oid::DATE,
        "time" => oid::TIME,
        "timetz" => oid::TIMETZ,
        "timestamp" => oid::TIMESTAMP,
        "timestamptz" => oid::TIMESTAMPTZ,
        _ => oid::INTERVAL,
    })
}
fn read(s: &str, ty: Type, cx: &TextCtx) -> Result<Datum> {
    text::parse(s, ty, cx)
}

#[test]
fn input() {
    golden::check(include_str!("golden/datetime_in.tsv"), |f| {
        let mut ty = type_named(&f[0]);
        let mut cx = ctx("UTC");
        match f[0].as_str() {
            "date" => cx.dt.order = order(&f[1]),
            _ => ty.typmod = f[1].parse().unwrap(),
        }
        if f[0].starts_with("timestamp") {
            cx = ctx(&f[2]);
        }
        Ok(text::to_string(&read(&f[f.len() - 1], ty, &cx)?, ty, &cx))
    });
}

#[test]
fn output() {
    golden::check(include_str!("golden/datetime_out.tsv"), |f| {
        let plain = ctx("America/New_York");
        let mut cx = plain.clone();
        cx.dt.order = order(&f[2]);
        cx.dt.date_style = match f[1].as_str() {
            "SQL" => DateStyle::Sql,
            "Postgres" => DateStyle::Postgres,
            "German" => DateStyle::German,
            _ => DateStyle::Iso,
        };
        cx.dt.interval_style = match f[1].as_str() {
            "postgres_verbose" => IntervalStyle::PostgresVerbose,
            "sql_standard" => IntervalStyle::SqlStandard,
            "iso_8601" => IntervalStyle::Iso8601,
            _ => IntervalStyle::Postgres,
        };
        let ty = type_named(&f[0]);
        Ok(text::to_string(&read(&f[3], ty, &plain)?, ty, &cx))
    });
}

#[test]
fn functions() {
    let kolkata = ctx("Asia/Kolkata");
    let new_york = ctx("America/New_York");
    let show =
        |d: Datum, ty: Type, cx: &TextCtx| if d.is_null() { "<null>".into() } else { text::to_string(&d, ty, cx) };
    golden::check(include_str!("golden/datetime_fn.tsv"), |f| {
        let interval = |s: &str| dt::parse_interval(s, -1);
        let timestamp = |s: &str| match read(s, type_named("timestamp"), &kolkata)? {
            Datum::Timestamp(v) => Ok::<i64, pamir_types::Error>(v),
            _ => unreachable!(),
        };
        let shown = |v: Interval| show(Datum::Interval(v), type_named("interval"), &kolkata);
        Ok(match f[0].as_str() {
            "extract" => {
                let v = read(&f[3], type_named(&f[2]), &kolkata)?;
                show(dt::extract(&f[1], &v, &kolkata.dt.tz)?, Type::NUMERIC, &kolkata)
            }
            "trunc" => {
                let ty = type_named(&f[2]);
                let v = match read(&f[3], ty, &kolkata)? {
                    Datum::Timestamp(v) => Datum::Timestamp(dt::date_trunc_timestamp(&f[1], v)?),
                    Datum::TimestampTz(v) => Datum::TimestampTz(dt::date_trunc_timestamptz(&f[1], v, &kolkata.dt.tz)?),
                    Datum::Interval(v) => Datum::Interval(dt::date_trunc_interval(&f[1], &v)?),
                    _ => unreachable!(),
                };
                show(v, ty, &kolkata)
            }
            "age" => shown(dt::timestamp_age(timestamp(&f[1])?, timestamp(&f[2])?)?),
            "sub" => shown(dt::timestamp_sub(timestamp(&f[1])?, timestamp(&f[2])?)?),
            "add" => {
                let ty = type_named(&f[1]);
                let v = match read(&f[2], ty, &new_york)? {
                    Datum::Timestamp(v) => Datum::Timestamp(dt::timestamp_add(v, &interval(&f[3])?)?),
                    Datum::TimestampTz(v) => {
                        Datum::TimestampTz(dt::timestamptz_add(v, &interval(&f[3])?, &new_york.dt.tz)?)
                    }
                    _ => unreachable!(),
                };
                show(v, ty, &new_york)
            }
            "imul" => shown(dt::interval_mul(&interval(&f[1])?, text::parse_f64(&f[2])?)?),
            "idiv" => shown(dt::interval_div(&interval(&f[1])?, text::parse_f64(&f[2])?)?),
            "justify_hours" => shown(dt::justify_hours(&interval(&f[1])?)?),
            "justify_days" => shown(dt::justify_days(&interval(&f[1])?)?),
            "justify_interval" => shown(dt::justify_interval(&interval(&f[1])?)?),
            other => panic!("unknown function {other}"),
        })
    });
}

/// 'now' and its kin are the transaction's start in the session's zone.
#[test]
fn relative_words() {
    let mut cx = ctx("America/New_York");
    let plain = ctx("UTC");
    let Datum::TimestampTz(now) = read("2024-02-29 02:34:56.789+00", type_named("timestamptz"), &plain).unwrap() else {
        panic!()
    };
    cx.now = now;
    let check = |ty: &str, s: &str, want: &str| {
        let ty = type_named(ty);
        assert_eq!(text::to_string(&read(s, ty, &cx).unwrap(), ty, &cx), want, "{s}");
    };
    check("timestamptz", "now", "2024-02-28 21:34:56.789-05");
    check("timestamp", "NOW", "2024-02-28 21:34:56.789");
    check("date", "now", "2024-02-28");
    check("date", "today", "2024-02-28");
    check("date", "tomorrow", "2024-02-29");
    check("date", "yesterday", "2024-02-27");
    check("timestamp", "tomorrow 04:05", "2024-02-29 04:05:00");
    check("timestamptz", "tomorrow allballs", "2024-02-28 19:00:00-05");
    check("time", "now", "21:34:56.789");
    check("timetz", "now", "21:34:56.789-05");
    check("timestamptz", "epoch", "1969-12-31 19:00:00-05");
}

#[test]
fn zones() {
    let offset = |name: &str, at: &str| {
        let tz = dt::parse_zone(name)?;
        let Datum::TimestampTz(v) = read(at, type_named("timestamptz"), &ctx("UTC"))? else { panic!() };
        Ok::<i32, pamir_types::Error>(dt::utc_offset(v, &tz) / 60)
    };
    assert_eq!(offset("utc", "2020-07-01").unwrap(), 0);
    assert_eq!(offset("EST", "2020-07-01").unwrap(), -300);
    assert_eq!(offset("EST5EDT", "2020-07-01").unwrap(), -240);
    assert_eq!(offset("europe/berlin", "2020-07-01").unwrap(), 120);
    assert_eq!(offset("Europe/Berlin", "12020-07-01").unwrap(), 120);
    assert_eq!(offset("CET", "2020-07-01").unwrap(), 60);
    // A bare offset is a POSIX zone without a name and counts west; hours that TimeZone is set to count east, as make_timestamptz's do.
    assert_eq!(offset("+05:30", "2020-07-01").unwrap(), -330);
    assert_eq!(offset("-8", "2020-07-01").unwrap(), 480);
    assert_eq!(dt::utc_offset(0, &dt::parse_zone_setting("-8").unwrap()), -8 * 3600);
    assert_eq!(dt::parse_zone_of_instant("-08").unwrap().utc_offset(0), -8 * 3600);
    let e = offset("Mars/Olympus", "2020-07-01").unwrap_err();
    assert_eq!(golden::show_error(&e), "ERROR 22023 time zone \"Mars/Olympus\" not recognized");
    assert!(dt::parse_zone_setting("CET").unwrap().to_fixed_offset().is_err());
    let e = dt::parse_zone_setting("PST").unwrap_err();
    assert_eq!(golden::show_error(&e), "ERROR 22023 invalid value for parameter \"TimeZone\": \"PST\"");
}
