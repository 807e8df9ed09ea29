//! The server's state: settings, sessions, prepared transactions, time zones.
use super::ServerEnv;
use super::objects::text_array;
use super::{Rows, RowsFn};
use crate::settings::{Kind, SETTINGS, in_unit};
use pamir_types::{Datum, Result};

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_settings" => settings,
        "pg_cursors" => cursors,
        "pg_prepared_xacts" => prepared,
        "pg_timezone_names" => time_zones,
        _ => return None,
    })
}
fn settings(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let mut out = Rows::catalog("pg_settings", push);
    for s in SETTINGS.iter().filter(|s| s.is_listed()) {
        let Some(value) = env.setting(s.name) else { continue };
        let (source, reset) = env.backend()?.setting_source(s.name).unwrap_or(("default", value.clone()));
        let (value, reset, boot) = (in_unit(s, value), in_unit(s, reset), in_unit(s, s.default.to_string()));
        let or_null = |s: &str| if s.is_empty() { Datum::Null } else { Datum::from(s) };
        let (unit, range) = match s.kind {
            Kind::Int { min, max, unit } => (unit.name(), Some((min.to_string(), max.to_string()))),
            Kind::Real { min, max: f64::MAX } => ("", Some((min.to_string(), "1.79769e+308".into()))),
            Kind::Real { min, max } => ("", Some((min.to_string(), max.to_string()))),
            Kind::Bool | Kind::Enum(_) | Kind::Text => ("", None),
        };
        out.add(|r| {
            r.set("name", s.name)
                .set("setting", &*value)
                .set("unit", or_null(unit))
                .set("category", s.category)
                .set("short_desc", s.description)
                .set("extra_desc", or_null(s.more));
            r.set("context", s.context.name()).set("vartype", s.kind.name()).set("source", source);
            if let Some((min, max)) = range {
                r.set("min_val", &*min).set("max_val", &*max);
            }
            if let Kind::Enum(values) = s.kind {
                r.set("enumvals", text_array(values));
            }
            r.set("boot_val", &*boot).set("reset_val", &*reset).set("pending_restart", false);
        })?;
    }
    Ok(())
}
fn cursors(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let list = env.backend()?.cursors();
    let mut out = Rows::catalog("pg_cursors", push);
    for (name, c) in list {
        out.add(|r| {
            r.set("name", &*name)
                .set("statement", &*c.statement)
                .set("is_holdable", c.holdable)
                .set("is_binary", c.binary)
                .set("is_scrollable", c.scrollable)
                .set("creation_time", Datum::TimestampTz(c.created));
        })?;
    }
    Ok(())
}
/// Microseconds from 1970, from where prepared transactions count, to 2000.
const UNIX_TO_2000: i64 = 946_684_800_000_000;
fn prepared(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let list = env.engine()?.prepared()?;
    let mut out = Rows::catalog("pg_prepared_xacts", push);
    for (n, p) in list.into_iter().enumerate() {
        out.add(|r| {
            // No transaction number outlives its session here: a running number stands for it.
            r.oid("transaction", n as u32 + 1)
                .set("gid", &*p.gid)
                .set("prepared", Datum::TimestampTz(p.prepared_at - UNIX_TO_2000))
                .set("owner", &*p.owner)
                .set("database", &*p.database);
        })?;
    }
    Ok(())
}
fn time_zones(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    const EPOCH_2000: i64 = 946_684_800;
    let now = jiff::Timestamp::from_second(env.txn_time().div_euclid(1_000_000).saturating_add(EPOCH_2000))
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let mut out = Rows::catalog("pg_timezone_names", push);
    let db = jiff::tz::db();
    for name in db.available() {
        let Ok(tz) = db.get(name.as_str()) else { continue };
        let info = tz.to_offset_info(now);
        let offset = pamir_types::datetime::Interval {
            months: 0,
            days: 0,
            micros: i64::from(info.offset().seconds()) * 1_000_000,
        };
        out.add(|r| {
            r.set("name", name.as_str())
                .set("abbrev", info.abbreviation())
                .set("utc_offset", Datum::Interval(offset))
                .set("is_dst", info.dst().is_dst());
        })?;
    }
    Ok(())
}
