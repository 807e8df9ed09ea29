//! Functions over the statistics: the figures of one relation, and resets. pg_stat_statements' come with an extension in PostgreSQL; here they are built in.
use super::registry::{OwnRow, STABLE, STRICT, VOLATILE, bad_args};
use super::{Body, CallInfo};
use crate::env::Env;
use pamir_catalog::usage::{Analyzed, Of, Usage};
use pamir_catalog::{Relation, Table};
use pamir_storage::task;
use pamir_types::{Datum, Oid, Result, err, oid};
use std::sync::Arc;
use std::time::Duration;

/// A statement that waits for a backup looks this often whether it is cancelled.
const BACKUP_LOOK: Duration = Duration::from_millis(100);

macro_rules! own {
    ($($oid:literal $name:literal ($($arg:ident),*) -> $ret:ident $flags:expr, $body:expr;)*) => {
        &[$(OwnRow { oid: $oid, name: $name, args: &[$(oid::$arg),*], ret: oid::$ret, flags: $flags, body: Body::scalar($body) }),*]
    };
}
/// Of a relation's counters.
macro_rules! figure {
    ($what:ident) => {
        |_, args, env| figure(args, env, |u, _| u.get(Of::$what))
    };
}

pub static OWN: &[OwnRow] = own! {
    1928 "pg_stat_get_numscans" (OID) -> INT8 STRICT | STABLE, figure!(Scans);
    1929 "pg_stat_get_tuples_returned" (OID) -> INT8 STRICT | STABLE, figure!(Read);
    1930 "pg_stat_get_tuples_fetched" (OID) -> INT8 STRICT | STABLE, figure!(Fetched);
    1931 "pg_stat_get_tuples_inserted" (OID) -> INT8 STRICT | STABLE, figure!(Inserted);
    1932 "pg_stat_get_tuples_updated" (OID) -> INT8 STRICT | STABLE, figure!(Updated);
    1933 "pg_stat_get_tuples_deleted" (OID) -> INT8 STRICT | STABLE, figure!(Deleted);
    2878 "pg_stat_get_live_tuples" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, live_rows);
    2879 "pg_stat_get_dead_tuples" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |_, _| 0);
    3177 "pg_stat_get_mod_since_analyze" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |u, _| u.changes_since_analyze());
    1972 "pg_stat_get_tuples_hot_updated" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |_, _| 0);
    2781 "pg_stat_get_last_vacuum_time" (OID) -> TIMESTAMPTZ STRICT | STABLE, |_, args, env| time(args, env, |a| a.vacuum_last);
    2782 "pg_stat_get_last_autovacuum_time" (OID) -> TIMESTAMPTZ STRICT | STABLE, |_, args, env| time(args, env, |_| None);
    2783 "pg_stat_get_last_analyze_time" (OID) -> TIMESTAMPTZ STRICT | STABLE, |_, args, env| time(args, env, |a| a.last);
    2784 "pg_stat_get_last_autoanalyze_time" (OID) -> TIMESTAMPTZ STRICT | STABLE, |_, args, env| time(args, env, |a| a.auto_last);
    3054 "pg_stat_get_vacuum_count" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |u, _| u.analyzed().vacuum_count);
    3055 "pg_stat_get_autovacuum_count" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |_, _| 0);
    3056 "pg_stat_get_analyze_count" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |u, _| u.analyzed().count);
    3057 "pg_stat_get_autoanalyze_count" (OID) -> INT8 STRICT | STABLE, |_, args, env| figure(args, env, |u, _| u.analyzed().auto_count);
    2274 "pg_stat_reset" () -> VOID VOLATILE, reset;
    2230 "pg_stat_clear_snapshot" () -> VOID VOLATILE, nothing;
    2137 "pg_stat_force_next_flush" () -> VOID VOLATILE, nothing;
    3776 "pg_stat_reset_single_table_counters" (OID) -> VOID STRICT | VOLATILE, reset_relation;
    15020 "pamir_backup" (TEXT) -> TEXT STRICT | VOLATILE, backup;
    15021 "pamir_backup" (TEXT, INT8) -> TEXT STRICT | VOLATILE, backup;
    15010 "pg_stat_statements_reset" () -> VOID VOLATILE, reset_statements;
    15011 "pg_stat_statements_reset" (OID) -> VOID STRICT | VOLATILE, reset_statements;
    15012 "pg_stat_statements_reset" (OID, OID) -> VOID STRICT | VOLATILE, reset_statements;
    15013 "pg_stat_statements_reset" (OID, OID, INT8) -> VOID STRICT | VOLATILE, reset_statements;
};

/// Rows of a table as ANALYZE found them, with what came and went since.
pub fn live_rows(u: &Usage, t: &Table) -> u64 {
    let known = t.stats.as_ref().map_or(0, |s| s.rows as i64);
    known.saturating_add(u.growth_since_analyze()).max(0) as u64
}
fn counted(relation: Oid, env: &dyn Env) -> Option<(Usage, Arc<Table>)> {
    match env.catalog().relation(relation)? {
        Relation::Table(t) => Some((t.usage.clone(), t)),
        Relation::Index(t, i) => Some((t.index(i)?.usage.clone(), t)),
        _ => None,
    }
}
fn figure(args: &[Datum], env: &mut dyn Env, f: impl Fn(&Usage, &Table) -> u64) -> Result<Datum> {
    let [Datum::Oid(relation)] = args else { return Err(bad_args("pg_stat_get", args)) };
    // As PostgreSQL's, of what does not exist it is zero.
    Ok(Datum::Int8(counted(*relation, env).map_or(0, |(u, t)| f(&u, &t)) as i64))
}
/// When something was last done with a relation; NULL for never.
fn time(args: &[Datum], env: &mut dyn Env, f: impl Fn(&Analyzed) -> Option<i64>) -> Result<Datum> {
    let [Datum::Oid(relation)] = args else { return Err(bad_args("pg_stat_get", args)) };
    Ok(counted(*relation, env).and_then(|(u, _)| f(&u.analyzed())).map_or(Datum::Null, Datum::TimestampTz))
}
fn superuser_only(function: &str, env: &dyn Env) -> Result<()> {
    if env.catalog().role_by_name(env.current_user()).is_some_and(|r| r.superuser) {
        return Ok(());
    }
    Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied for function {function}"))
}
/// Counters are told at once, and read as they are.
fn nothing(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Ok(Datum::text(""))
}
/// Forgets what was counted of the database's relations.
fn reset(_: &CallInfo, _: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    superuser_only("pg_stat_reset", env)?;
    for t in env.catalog().tables(env.scope().database) {
        t.usage.reset();
        t.indexes.iter().for_each(|i| i.usage.reset());
    }
    Ok(Datum::text(""))
}
fn reset_relation(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    superuser_only("pg_stat_reset_single_table_counters", env)?;
    let [Datum::Oid(relation)] = args else { return Err(bad_args("pg_stat_reset_single_table_counters", args)) };
    if let Some((u, _)) = counted(*relation, env) {
        u.reset();
    }
    Ok(Datum::text(""))
}
/// Makes a base backup into a store and waits for it; a canceled statement cancels it. Returns its id.
fn backup(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    superuser_only("pamir_backup", env)?;
    let (Some(Datum::Text(target)), rate) = (args.first(), args.get(1)) else {
        return Err(bad_args("pamir_backup", args));
    };
    let rate = match rate {
        None => None,
        Some(Datum::Int8(n)) if *n >= 0 => Some(*n as u64),
        _ => return Err(err!(INVALID_PARAMETER_VALUE, "the rate of a backup cannot be negative")),
    };
    let backend = env.backend()?;
    let pid = backend.pid();
    let job = backend.backups()?.begin(target, rate, pid)?;
    loop {
        // Looked at again and again, for the statement to hear of its end.
        let done = task::wait(Some(task::now() + BACKUP_LOOK), |w| job.poll(w));
        if let Some(id) = done {
            return id.map(Datum::text);
        }
        if let Err(e) = env.check_cancel() {
            job.cancel();
            return Err(e);
        }
    }
}
fn reset_statements(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    superuser_only("pg_stat_statements_reset", env)?;
    let oid = |n: usize| if let Some(Datum::Oid(o)) = args.get(n) { *o } else { 0 };
    let query = if let Some(Datum::Int8(n)) = args.get(2) { *n } else { 0 };
    env.backend()?.reset_statement_statistics(oid(0), oid(1), query);
    Ok(Datum::text(""))
}
