//! The statistics views: what sessions do now, and what was counted since the server started.
//!
//! Counters are `crate::stats`', `pamir_txn::Engine::stats`' and the store's. Not shown, because it is not counted: pages by relation (pg_statio_*: NULL), counters of the
//! open transaction (pg_stat_xact_*: empty), catalogs (pg_stat_sys_*: empty), the time of single page reads. n_live_tup is what ANALYZE found and what came and went
//! since, rolled-back rows included; there are no dead rows, for there is nothing to vacuum.
use super::ServerEnv;
use super::privileges::sees_sessions_of;
use super::row::array;
use super::{Rows, RowsFn};
use pamir_catalog::acl::Who;
use pamir_catalog::usage::{Of, OfDatabase};
use pamir_catalog::{Catalog, Index, Table};
use pamir_expr::env::Activity;
use pamir_expr::func::stats::live_rows;
use pamir_expr::func::system::address;
use pamir_txn::LockTarget;
use pamir_types::numeric::Numeric;
use pamir_types::{Datum, Oid, Result, oid};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "pg_stat_activity" => activity,
        "pg_stat_ssl" => ssl,
        "pg_stat_gssapi" => gssapi,
        "pg_locks" => locks,
        "pg_prepared_statements" => prepared_statements,
        "pg_stat_all_tables" | "pg_stat_user_tables" => tables,
        "pg_stat_all_indexes" | "pg_stat_user_indexes" => indexes,
        "pg_statio_all_tables" | "pg_statio_user_tables" => tables_io,
        "pg_statio_all_indexes" | "pg_statio_user_indexes" => indexes_io,
        "pg_stat_database" => database,
        "pg_stat_database_conflicts" => conflicts,
        "pg_stat_bgwriter" => bgwriter,
        "pg_stat_wal" => wal,
        "pg_stat_archiver" => archiver,
        "pg_stat_progress_basebackup" => basebackup,
        "pg_stat_statements" => statements,
        "pg_stat_statements_info" => statements_info,
        _ => return None,
    })
}

fn time(micros: i64) -> Datum {
    Datum::TimestampTz(micros)
}
fn time_or_null(micros: Option<i64>) -> Datum {
    micros.map_or(Datum::Null, Datum::TimestampTz)
}
fn int(n: u64) -> Datum {
    Datum::Int8(i64::try_from(n).unwrap_or(i64::MAX))
}
fn millis_of(micros: u64) -> Datum {
    Datum::Float8(micros as f64 / 1e3)
}
fn big(n: u64) -> Datum {
    Datum::Numeric(Numeric::from_i128(i128::from(n)))
}
/// The shard's and the store's counters by name.
struct Counts(Vec<(&'static str, u64)>);
impl Counts {
    fn of(env: &dyn ServerEnv) -> Result<Counts> {
        Ok(Counts(env.engine()?.stats()))
    }
    fn get(&self, name: &str) -> u64 {
        let found = self.0.iter().find(|c| c.0 == name);
        debug_assert!(found.is_some(), "no counter {name}");
        found.map_or(0, |c| c.1)
    }
}
fn database_oid(c: &Catalog, name: &str) -> Datum {
    c.database_by_name(name).map_or(Datum::Null, |d| Datum::Oid(d.oid))
}

/// What a session waits for: (type, event).
/// Is it the number of an advisory lock? Those are above every OID (`func::system`).
fn is_advisory(number: u64) -> bool {
    number > u64::from(Oid::MAX)
}
fn wait_of(a: &Activity, waiting: &[(u32, LockTarget)]) -> Option<(&'static str, &'static str)> {
    if a.state != "active" {
        return Some(("Client", "ClientRead"));
    }
    match waiting.iter().find(|w| i64::from(w.0) == i64::from(a.pid)) {
        Some((_, LockTarget::Table(t))) if is_advisory(*t) => Some(("Lock", "advisory")),
        Some((_, LockTarget::Table(_))) => Some(("Lock", "relation")),
        Some((_, LockTarget::Row(_))) => Some(("Lock", "transactionid")),
        None => a.wait,
    }
}

fn activity(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, list) = (env.catalog().clone(), env.backend()?.activity());
    let engine = env.engine()?;
    let waiting = engine.waiting_processes();
    let writers = writers(&engine.locks());
    let who = Who::of(&c, env.scope());
    let mut out = Rows::catalog("pg_stat_activity", push);
    for a in list {
        let seen = sees_sessions_of(&who, c.role_by_name(&a.user).map(|r| r.oid));
        let wait = wait_of(&a, &waiting);
        let peer = a.client.as_ref();
        out.add(|r| {
            r.set("datid", database_oid(&c, &a.database))
                .set("datname", &*a.database)
                .set("pid", a.pid)
                .set("usesysid", c.role_by_name(&a.user).map_or(Datum::Null, |x| Datum::Oid(x.oid)))
                .set("usename", &*a.user)
                .set("application_name", &*a.application);
            if !seen {
                r.set("query", "<insufficient privilege>");
                return;
            }
            r.set("client_addr", peer.map_or(Datum::Null, |p| address(&p.host)))
                .set("client_port", peer.map_or(Datum::Null, |p| Datum::Int4(i32::from(p.port))))
                .set("backend_start", time(a.backend_start))
                .set("xact_start", time_or_null(a.xact_start))
                .set("query_start", time(a.query_start))
                .set("state_change", time(a.state_change))
                .set("wait_event_type", wait.map_or(Datum::Null, |w| Datum::from(w.0)))
                .set("wait_event", wait.map_or(Datum::Null, |w| Datum::from(w.1)))
                .set("state", a.state);
            let xid = writers.iter().find(|w| w.0 == a.pid as u32);
            r.set("backend_xid", xid.map_or(Datum::Null, |w| Datum::Oid(w.1 as u32)))
                .set("query_id", a.query_id.map_or(Datum::Null, Datum::Int8))
                .set("query", &*a.query)
                .set("backend_type", "client backend");
        })?;
    }
    Ok(())
}
fn ssl(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let list = env.backend()?.activity();
    let mut out = Rows::catalog("pg_stat_ssl", push);
    for a in list {
        let tls = a.client.as_ref().and_then(|p| p.tls.as_ref());
        out.add(|r| {
            r.set("pid", a.pid).set("ssl", tls.is_some());
            if let Some(t) = tls {
                r.set("version", &*t.version).set("cipher", &*t.cipher).set("bits", t.bits);
            }
        })?;
    }
    Ok(())
}
fn gssapi(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let list = env.backend()?.activity();
    let mut out = Rows::catalog("pg_stat_gssapi", push);
    list.iter().try_for_each(|a| {
        out.add(|r| {
            r.set("pid", a.pid).set("gss_authenticated", false).set("encrypted", false);
        })
    })
}

/// Transactions that write or lock rows, by process: those that have a number of their own in PostgreSQL.
fn writers(locks: &[pamir_txn::LockLine]) -> Vec<(u32, u64)> {
    let mut all: Vec<(u32, u64)> = locks
        .iter()
        .filter(|l| !(l.mode == "AccessShareLock" && matches!(l.on, LockTarget::Table(_))))
        .filter_map(|l| Some((l.process?, l.txn)))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
fn locks(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let lines = env.engine()?.locks();
    let mut out = Rows::catalog("pg_locks", push);
    let mut transactions: Vec<(Option<u32>, u64)> = lines.iter().map(|l| (l.process, l.txn)).collect();
    transactions.sort_unstable();
    transactions.dedup();
    let writing = writers(&lines);
    let virtual_of = |process: Option<u32>, txn: u64| format!("{}/{txn}", process.map_or(-1, i64::from));
    let by = |r: &mut super::Row, process: Option<u32>, txn: u64, mode: &str, granted: bool, fast: bool| {
        r.set("virtualtransaction", virtual_of(process, txn))
            .set("pid", process.map_or(Datum::Null, |p| Datum::Int4(p as i32)))
            .set("mode", mode)
            .set("granted", granted)
            .set("fastpath", fast);
    };
    for (process, txn) in &transactions {
        out.add(|r| {
            r.set("locktype", "virtualxid").set("virtualxid", virtual_of(*process, *txn));
            by(r, *process, *txn, "ExclusiveLock", true, true);
        })?;
        if process.is_none_or(|p| writing.contains(&(p, *txn))) {
            out.add(|r| {
                r.set("locktype", "transactionid").set("transactionid", Datum::Oid(*txn as u32));
                by(r, *process, *txn, "ExclusiveLock", true, false);
            })?;
        }
    }
    for l in &lines {
        if let LockTarget::Table(n) = l.on
            && is_advisory(n)
        {
            let key = pamir_expr::func::system::advisory_of(n);
            out.add(|r| {
                r.set("locktype", "advisory");
                if let Some(k) = key {
                    r.oid("database", k.database)
                        .oid("classid", (k.key >> 32) as u32)
                        .oid("objid", k.key as u32)
                        .set("objsubid", Datum::Int2(1 + i16::from(k.two)));
                }
                by(r, l.process, l.txn, l.mode, l.granted, false);
            })?;
            continue;
        }
        let table = match l.on {
            LockTarget::Table(t) => c.table(t as Oid),
            LockTarget::Row(t) => c.table_of_tree(t),
        };
        let relation = match l.on {
            LockTarget::Table(t) => t as Oid,
            LockTarget::Row(_) => table.map_or(0, |t| t.oid),
        };
        let row = matches!(l.on, LockTarget::Row(_));
        out.add(|r| {
            r.set("locktype", if row { "tuple" } else { "relation" })
                .set("database", table.map_or(Datum::Oid(0), |t| Datum::Oid(t.database)))
                .oid("relation", relation);
            // PostgreSQL takes the row's lock and then waits for the transaction.
            // As PostgreSQL keeps weak locks that nobody is in the way of.
            let weak = matches!(l.mode, "AccessShareLock" | "RowShareLock" | "RowExclusiveLock");
            by(r, l.process, l.txn, l.mode, l.granted || row, l.granted && weak);
        })?;
        if let (true, Some((_, blocker))) = (row, l.blockers.first()) {
            out.add(|r| {
                r.set("locktype", "transactionid").set("transactionid", Datum::Oid(*blocker as u32));
                by(r, l.process, l.txn, "ShareLock", false, false);
            })?;
        }
    }
    Ok(())
}
fn prepared_statements(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let list = env.backend()?.prepared_statements();
    let mut out = Rows::catalog("pg_prepared_statements", push);
    for p in list {
        let types = p.types.iter().map(|t| Datum::Oid(*t)).collect();
        out.add(|r| {
            r.set("name", &*p.name)
                .set("statement", &*p.statement)
                .set("prepare_time", time(p.prepared))
                .set("parameter_types", array(oid::REGTYPE, types))
                .set("from_sql", p.from_sql)
                // One plan serves all values, as a rule; it is not counted.
                .set("generic_plans", 0i64)
                .set("custom_plans", 0i64);
        })?;
    }
    Ok(())
}

fn schema_name(c: &Catalog, oid: Oid) -> &str {
    c.schema(oid).map_or("", |s| &s.name)
}
fn user_tables(env: &dyn ServerEnv) -> (Arc<Catalog>, Vec<Arc<Table>>) {
    let c = env.catalog().clone();
    let list = c.tables(env.scope().database).into_iter().cloned().collect();
    (c, list)
}
fn tables(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, list) = user_tables(env);
    let mut out = Rows::catalog("pg_stat_all_tables", push);
    for t in list {
        let (u, a) = (&t.usage, t.usage.analyzed());
        let of_indexes = |what: Of| t.indexes.iter().map(|i| i.usage.get(what)).sum::<u64>();
        out.add(|r| {
            r.oid("relid", t.oid).set("schemaname", schema_name(&c, t.schema)).set("relname", &*t.name);
            r.set("seq_scan", int(u.get(Of::Scans))).set("seq_tup_read", int(u.get(Of::Read)));
            if !t.indexes.is_empty() {
                r.set("idx_scan", int(of_indexes(Of::Scans)))
                    .set("idx_tup_fetch", int(of_indexes(Of::Fetched) + u.get(Of::Fetched)));
            }
            r.set("n_tup_ins", int(u.get(Of::Inserted)))
                .set("n_tup_upd", int(u.get(Of::Updated)))
                .set("n_tup_del", int(u.get(Of::Deleted)))
                .set("n_tup_hot_upd", 0i64)
                .set("n_live_tup", int(live_rows(u, &t)))
                .set("n_dead_tup", 0i64)
                .set("n_mod_since_analyze", int(u.changes_since_analyze()))
                .set("n_ins_since_vacuum", int(u.get(Of::Inserted)))
                .set("last_analyze", time_or_null(a.last))
                .set("last_autoanalyze", time_or_null(a.auto_last))
                .set("last_vacuum", time_or_null(a.vacuum_last))
                .set("vacuum_count", int(a.vacuum_count))
                .set("autovacuum_count", 0i64)
                .set("analyze_count", int(a.count))
                .set("autoanalyze_count", int(a.auto_count));
        })?;
    }
    Ok(())
}
/// Every index of the database, with what all views of indexes begin with.
fn each_index(env: &dyn ServerEnv, out: &mut Rows, f: impl Fn(&mut super::Row, &Index)) -> Result<()> {
    let (c, list) = user_tables(env);
    for t in list {
        for i in &t.indexes {
            out.add(|r| {
                r.oid("relid", t.oid)
                    .oid("indexrelid", i.oid)
                    .set("schemaname", schema_name(&c, t.schema))
                    .set("relname", &*t.name)
                    .set("indexrelname", &*i.name);
                f(r, i);
            })?;
        }
    }
    Ok(())
}
fn indexes(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    each_index(env, &mut Rows::catalog("pg_stat_all_indexes", push), |r, i| {
        r.set("idx_scan", int(i.usage.get(Of::Scans)))
            .set("idx_tup_read", int(i.usage.get(Of::Read)))
            .set("idx_tup_fetch", int(i.usage.get(Of::Fetched)));
    })
}
fn tables_io(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (c, list) = user_tables(env);
    let mut out = Rows::catalog("pg_statio_all_tables", push);
    list.iter().try_for_each(|t| {
        out.add(|r| {
            r.oid("relid", t.oid).set("schemaname", schema_name(&c, t.schema)).set("relname", &*t.name);
        })
    })
}
fn indexes_io(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    each_index(env, &mut Rows::catalog("pg_statio_all_indexes", push), |_, _| {})
}

fn database(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(server) = env.server().cloned() else { return Ok(()) };
    let (c, sessions, now) = (env.catalog().clone(), env.backend()?.activity(), env.clock());
    let mut out = Rows::catalog("pg_stat_database", push);
    for d in c.databases() {
        let u = server.usage_of(d.oid);
        let n = |what| u.often.of_database(what);
        let (mut returned, mut fetched, mut changed) = (0, 0, [0; 3]);
        for t in c.tables(d.oid) {
            returned += t.usage.get(Of::Read);
            fetched += t.usage.get(Of::Fetched);
            for i in &t.indexes {
                returned += i.usage.get(Of::Read);
                fetched += i.usage.get(Of::Fetched);
            }
            for (sum, what) in changed.iter_mut().zip([Of::Inserted, Of::Updated, Of::Deleted]) {
                *sum += t.usage.get(what);
            }
        }
        let here: Vec<&Activity> = sessions.iter().filter(|a| a.database == d.name).collect();
        let running: i64 = here.iter().map(|a| now.saturating_sub(a.backend_start).max(0)).sum();
        let (touched, read) = (n(OfDatabase::Pages), n(OfDatabase::PagesRead));
        out.add(|r| {
            r.oid("datid", d.oid).set("datname", &*d.name).set("numbackends", here.len() as i64);
            r.set("xact_commit", int(n(OfDatabase::Commits))).set("xact_rollback", int(n(OfDatabase::Rollbacks)));
            r.set("blks_read", int(read)).set("blks_hit", int(touched.saturating_sub(read)));
            r.set("tup_returned", int(returned)).set("tup_fetched", int(fetched));
            r.set("tup_inserted", int(changed[0]))
                .set("tup_updated", int(changed[1]))
                .set("tup_deleted", int(changed[2]));
            r.set("conflicts", 0i64)
                .set("temp_files", int(n(OfDatabase::TempFiles)))
                .set("temp_bytes", int(n(OfDatabase::TempBytes)))
                .set("deadlocks", int(u.deadlocks.load(Relaxed)))
                .set("checksum_failures", 0i64)
                .set("blk_read_time", Datum::Float8(0.0))
                .set("blk_write_time", Datum::Float8(0.0))
                .set("session_time", millis_of(u.session_micros.load(Relaxed) + running as u64))
                .set("active_time", millis_of(n(OfDatabase::ActiveMicros)))
                .set("idle_in_transaction_time", millis_of(u.idle_in_transaction_micros.load(Relaxed)))
                .set("sessions", int(n(OfDatabase::Sessions)))
                .set("sessions_abandoned", int(u.abandoned.load(Relaxed)))
                .set("sessions_fatal", int(u.fatal.load(Relaxed)))
                .set("sessions_killed", int(u.killed.load(Relaxed)))
                .set("stats_reset", time(server.started_at));
        })?;
    }
    Ok(())
}
fn conflicts(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let c = env.catalog().clone();
    let mut out = Rows::catalog("pg_stat_database_conflicts", push);
    c.databases().iter().try_for_each(|d| {
        out.add(|r| {
            r.oid("datid", d.oid).set("datname", &*d.name);
            // There is no standby whose replay could conflict.
            for n in ["confl_tablespace", "confl_lock", "confl_snapshot", "confl_bufferpin", "confl_deadlock"] {
                r.set(n, 0i64);
            }
        })
    })
}
fn started_at(env: &dyn ServerEnv) -> Datum {
    env.server().map_or(Datum::Null, |s| time(s.started_at))
}
/// Bytes of a page.
const PAGE: u64 = pamir_storage::store::PAGE_SIZE as u64;

fn bgwriter(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (n, reset) = (Counts::of(env)?, started_at(env));
    Rows::catalog("pg_stat_bgwriter", push).add(|r| {
        // Checkpoints begin when the log has grown, never by the clock.
        r.set("checkpoints_timed", 0i64)
            .set("checkpoints_req", int(n.get("checkpoints")))
            .set("checkpoint_write_time", Datum::Float8(0.0))
            .set("checkpoint_sync_time", millis_of(n.get("data_sync_micros")))
            .set("buffers_checkpoint", int(n.get("checkpoint_bytes") / PAGE))
            .set("buffers_clean", int(n.get("eviction_writes")))
            .set("maxwritten_clean", 0i64)
            .set("buffers_backend", 0i64)
            .set("buffers_backend_fsync", 0i64)
            .set("buffers_alloc", int(n.get("pages_read")))
            .set("stats_reset", reset);
    })
}
fn wal(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let (n, reset) = (Counts::of(env)?, started_at(env));
    Rows::catalog("pg_stat_wal", push).add(|r| {
        r.set("wal_records", int(n.get("log_records")))
            .set("wal_fpi", 0i64)
            .set("wal_bytes", big(n.get("log_bytes")))
            .set("wal_buffers_full", 0i64)
            .set("wal_write", int(n.get("log_syncs")))
            .set("wal_sync", int(n.get("log_syncs")))
            .set("wal_write_time", Datum::Float8(0.0))
            .set("wal_sync_time", millis_of(n.get("log_sync_micros")))
            .set("stats_reset", reset);
    })
}
fn archiver(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let reset = started_at(env);
    let a = env.server().and_then(|s| s.backups.get()?.archive()).unwrap_or_default();
    Rows::catalog("pg_stat_archiver", push).add(|r| {
        r.set("archived_count", int(a.archived));
        if let Some((name, at)) = &a.last {
            r.set("last_archived_wal", Datum::text(name.as_str()))
                .set("last_archived_time", time(crate::session::since_2000(*at)));
        }
        r.set("failed_count", int(a.failed));
        if let Some((name, at)) = &a.last_failed {
            r.set("last_failed_wal", Datum::text(name.as_str()))
                .set("last_failed_time", time(crate::session::since_2000(*at)));
        }
        r.set("stats_reset", reset);
    })
}
fn basebackup(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(b) = env.server().and_then(|s| s.backups.get()?.running()) else { return Ok(()) };
    Rows::catalog("pg_stat_progress_basebackup", push).add(|r| {
        r.set("pid", b.pid).set("phase", Datum::text(b.phase));
        r.set("backup_total", int(b.total)).set("backup_streamed", int(b.streamed));
        r.set("tablespaces_total", 1i64).set("tablespaces_streamed", i64::from(b.streamed >= b.total));
    })
}

fn statements(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(server) = env.server().cloned() else { return Ok(()) };
    let c = env.catalog().clone();
    let who = Who::of(&c, env.scope());
    let mut out = Rows::catalog("pg_stat_statements", push);
    for (e, n) in server.statement_stats.read() {
        let shown = sees_sessions_of(&who, Some(e.key.user));
        out.add(|r| {
            r.oid("userid", e.key.user).oid("dbid", e.key.database).set("toplevel", true);
            r.set("queryid", if shown { Datum::Int8(e.key.query) } else { Datum::Null });
            r.set("query", if shown { &*e.text } else { "<insufficient privilege>" }).set("plans", 0i64);
            for name in ["total_plan_time", "min_plan_time", "max_plan_time", "mean_plan_time", "stddev_plan_time"] {
                r.set(name, Datum::Float8(0.0));
            }
            r.set("calls", int(n.calls))
                .set("total_exec_time", Datum::Float8(n.total))
                .set("min_exec_time", Datum::Float8(n.min))
                .set("max_exec_time", Datum::Float8(n.max))
                .set("mean_exec_time", Datum::Float8(n.mean))
                .set("stddev_exec_time", Datum::Float8(n.stddev()))
                .set("rows", int(n.rows))
                .set("shared_blks_hit", int(n.pages.saturating_sub(n.pages_read)))
                .set("shared_blks_read", int(n.pages_read));
            for name in [
                "shared_blks_dirtied",
                "shared_blks_written",
                "local_blks_hit",
                "local_blks_read",
                "local_blks_dirtied",
                "local_blks_written",
                "temp_blks_read",
                "temp_blks_written",
            ] {
                r.set(name, 0i64);
            }
            for name in ["blk_read_time", "blk_write_time", "temp_blk_read_time", "temp_blk_write_time"] {
                r.set(name, Datum::Float8(0.0));
            }
            r.set("wal_records", 0i64).set("wal_fpi", 0i64).set("wal_bytes", big(0));
            for what in ["functions", "inlining_count", "optimization_count", "emission_count"] {
                r.set(&format!("jit_{what}"), 0i64);
            }
            for what in ["generation", "inlining", "optimization", "emission"] {
                r.set(&format!("jit_{what}_time"), Datum::Float8(0.0));
            }
        })?;
    }
    Ok(())
}
fn statements_info(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some((dealloc, reset)) = env.server().map(|s| s.statement_stats.info()) else { return Ok(()) };
    Rows::catalog("pg_stat_statements_info", push).add(|r| {
        r.set("dealloc", int(dealloc)).set("stats_reset", time(reset));
    })
}
