//! The cluster in tables: pamir_catalog's views, and pg_stat_replication, which has a row for each node that follows this one. Of a server that is no node they are empty.
use super::ServerEnv;
use super::row::array;
use super::{Rows, RowsFn};
use pamir_catalog::acl::{Who, predefined};
use pamir_expr::cluster::{Node, Status};
use pamir_types::datetime::Interval;
use pamir_types::{Datum, Result, oid};
use std::time::Duration;

type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

pub(super) fn own_maker(name: &str) -> Option<RowsFn> {
    Some(match name {
        "cluster_nodes" => nodes,
        "cluster_status" => status,
        _ => return None,
    })
}
pub(super) fn maker(name: &str) -> Option<RowsFn> {
    (name == "pg_stat_replication").then_some(replication as RowsFn)
}
fn of(env: &dyn ServerEnv) -> Option<Status> {
    env.server().and_then(|s| s.cluster()).map(|c| c.status())
}
fn int(n: u64) -> Datum {
    Datum::Int8(i64::try_from(n).unwrap_or(i64::MAX))
}
fn or_null<T>(v: Option<T>, f: impl FnOnce(T) -> Datum) -> Datum {
    v.map_or(Datum::Null, f)
}
/// Seconds, to the millisecond: more nobody has measured.
fn seconds(d: Duration) -> Datum {
    Datum::Float8(d.as_millis() as f64 / 1e3)
}
fn text(s: &str) -> Datum {
    if s.is_empty() { Datum::Null } else { Datum::from(s) }
}

fn nodes(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(s) = of(env) else { return Ok(()) };
    let mut out = Rows::own("cluster_nodes", push);
    for n in &s.nodes {
        out.add(|r| {
            r.set("node", n.node)
                .set("name", text(&n.name))
                .set("address", text(&n.address))
                .set("sql_address", text(&n.sql_address))
                .set("role", n.role)
                .set("voter", n.votes)
                .set("term", int(n.term))
                .set("last_contact_seconds", or_null(n.last_contact, seconds))
                .set("match_index", or_null(n.stored, int))
                .set("applied_index", or_null(n.applied, int))
                .set("commit_index", or_null(n.committed, int));
            r.set("lag_entries", or_null(n.lag_entries, int))
                .set("lag_bytes", or_null(n.lag_bytes, int))
                .set("lag_seconds", or_null(n.lag, seconds))
                .set("disk_free_bytes", or_null(n.disk_free, int))
                .set("disk_bytes", or_null(n.disk_size, int))
                .set("version", text(&n.version))
                .set("snapshot_bytes", or_null(n.snapshot, |s| int(s.0)));
            let part =
                |(done, all): (u64, u64)| Datum::Float8((done as f64 / all.max(1) as f64 * 1000.0).round() / 10.0);
            r.set("snapshot_percent", or_null(n.snapshot, part))
                .set("draining", n.draining)
                .set("silent", n.silent)
                .set("health", &*n.health)
                .set("formats", or_null(n.formats, formats))
                .set("age_seconds", or_null(s.age, seconds));
        })?;
    }
    Ok(())
}
fn formats((oldest, newest): (u64, u64)) -> Datum {
    Datum::text(format!("{oldest}..{newest}"))
}
fn status(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(s) = of(env) else { return Ok(()) };
    let name = env.setting("cluster_name").unwrap_or_default();
    let silent = s.nodes.iter().filter(|n| n.silent).map(|n| Datum::Int8(n.node)).collect();
    Rows::own("cluster_status", push).add(|r| {
        r.set("cluster_id", &*s.cluster)
            .set("name", text(&name))
            .set("node", s.node)
            .set("role", s.condition)
            .set("leader", or_null(s.leader, Datum::Int8))
            .set("term", int(s.term))
            .set("members", s.nodes.len() as i64)
            .set("voters", int(s.voters))
            .set("quorum_healthy", s.quorum)
            .set("lease", s.lease)
            .set("silent_nodes", array(oid::INT8, silent))
            .set("format", int(s.format))
            .set("format_waits", text(&s.format_waits))
            .set("age_seconds", or_null(s.age, seconds));
    })
}

/// As PostgreSQL writes a position of its log.
fn place(lsn: u64) -> Datum {
    Datum::Bytea(lsn.to_be_bytes().as_slice().into())
}
fn interval(d: Duration) -> Datum {
    Datum::Interval(Interval { months: 0, days: 0, micros: i64::try_from(d.as_micros()).unwrap_or(i64::MAX) })
}
/// What PostgreSQL calls the state of a standby's connection.
fn state_of(n: &Node) -> &'static str {
    match () {
        () if n.snapshot.is_some() => "backup",
        () if n.lag_entries != Some(0) && n.lag.is_none_or(|l| l >= CATCHUP) => "catchup",
        () => "streaming",
    }
}
/// A follower that lacks what is older than this catches up.
const CATCHUP: Duration = Duration::from_secs(1);
/// At the leader; its followers send nothing on.
fn replication(env: &mut dyn ServerEnv, push: Push) -> Result<()> {
    let Some(s) = of(env).filter(|s| s.leader == Some(s.node)) else { return Ok(()) };
    let now = env.clock();
    // As in PostgreSQL others see that there is a row, and nothing of it.
    let sees = Who::of(env.catalog(), env.scope()).has_role(predefined::READ_ALL_STATS);
    let mut out = Rows::catalog("pg_stat_replication", push);
    for n in s.nodes.iter().filter(|n| n.node != s.node && !n.silent) {
        let host = n.address.rsplit_once(':').map_or(&*n.address, |a| a.0);
        let port = n.address.rsplit_once(':').and_then(|a| a.1.parse::<i32>().ok());
        let name = if n.name.is_empty() { format!("node {}", n.node) } else { n.name.clone() };
        let at = |i: usize| or_null(n.places.and_then(|p| p.get(i).copied()), place);
        out.add(|r| {
            // The node's number stands where PostgreSQL has its sender's process.
            r.set("pid", n.node);
            if !sees {
                return;
            }
            r.set("application_name", name)
                .set("client_addr", pamir_expr::func::system::address(host))
                .set("client_port", or_null(port, Datum::Int4))
                .set("state", state_of(n))
                .set("sent_lsn", at(0))
                .set("write_lsn", at(1))
                .set("flush_lsn", at(1))
                .set("replay_lsn", at(2));
            r.set("write_lag", or_null(n.lag, interval))
                .set("flush_lag", or_null(n.lag, interval))
                .set("replay_lag", or_null(n.replay_lag, interval))
                .set("sync_priority", i64::from(n.votes))
                .set("sync_state", if n.votes { "quorum" } else { "async" });
            let heard = n.last_contact.map(|d| now - i64::try_from(d.as_micros()).unwrap_or(0));
            r.set("reply_time", or_null(heard, Datum::TimestampTz));
        })?;
    }
    Ok(())
}
