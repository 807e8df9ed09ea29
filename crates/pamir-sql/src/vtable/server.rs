//! The server's state: settings, sessions, prepared transactions, time zones.
use super::ServerEnv;
use super::objects::text_array;
use super::{Rows, RowsFn};
use crate::session::settings::in_unit;
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
/// PostgreSQL's settings as `name, unit, category, short_desc, extra_desc, context, vartype, min_val, max_val, enumvals, boot_val`.
pub(crate) const SETTINGS: &str = include_str!("data/pg_settings.tsv");

/// Who may change a setting, as pg_settings.context says; None: PostgreSQL has none of that name.
pub fn setting_context(name: &str) -> Option<&'static str> {
    SETTINGS.lines().find(|l| l.split('\t').next() == Some(name))?.split('\t').nth(5)
}

/// Those of PostgreSQL's settings that the session knows.
fn settings(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let mut out = Rows::catalog("pg_settings", push);
    for line in SETTINGS.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let [name, unit, category, short, extra, context, kind, min, max, enums, boot] = f.as_slice() else { continue };
        let Some(value) = env.setting(name) else { continue };
        let value = in_unit(&value, unit).map_or(value, |v| v.to_string());
        let (source, reset) = env.backend()?.setting_source(name).unwrap_or(("default", value.clone()));
        let reset = in_unit(&reset, unit).map_or(reset, |v| v.to_string());
        let or_null = |s: &str| if s == "\\N" { Datum::Null } else { Datum::from(s) };
        out.add(|r| {
            r.set("name", *name)
                .set("setting", &*value)
                .set("unit", or_null(unit))
                .set("category", *category)
                .set("short_desc", *short)
                .set("extra_desc", or_null(extra));
            r.set("context", *context).set("vartype", *kind).set("source", source);
            r.set("min_val", or_null(min)).set("max_val", or_null(max));
            if let Some(list) = enums.strip_prefix('{').and_then(|e| e.strip_suffix('}')) {
                r.set("enumvals", text_array(&list.split(',').map(|s| s.trim_matches('"')).collect::<Vec<_>>()));
            }
            r.set("boot_val", or_null(boot)).set("reset_val", &*reset).set("pending_restart", false);
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
    let list = env.engine()?.prepared();
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
