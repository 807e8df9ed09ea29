//! Functions of pg_snapshot and txid_snapshot ([`pamir_types::xid_snapshot`]), whose values are texts.
//!
//! pg_current_snapshot(): a transaction that asks for its number gets one then, and what was told is kept until every snapshot sees it (`pamir_txn::told`).
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::octets::number;
use pamir_types::oid;
use pamir_types::xid_snapshot::Snapshot;

/// xid8 of the pg_ functions, bigint of the txid_ ones.
fn as_number(ret: Oid, v: u64) -> Datum {
    match ret {
        oid::XID8 => Datum::Bytea(v.to_be_bytes().as_slice().into()),
        _ => Datum::Int8(v as i64),
    }
}
fn part(ci: &CallInfo, args: &[Datum], of: fn(&Snapshot) -> u64) -> Result<Datum> {
    match args {
        [Datum::Text(s)] => Ok(as_number(ci.ret.oid, of(&Snapshot::parse(s)?))),
        _ => Err(bad_args("pg_snapshot", args)),
    }
}
fn running(
    ci: &CallInfo,
    args: &[Datum],
    _: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let [Datum::Text(s)] = args else { return Err(bad_args("pg_snapshot_xip", args)) };
    Snapshot::parse(s)?.running.into_iter().try_for_each(|v| push(vec![as_number(ci.ret.oid, v)]))
}
fn visible(args: &[Datum]) -> Result<Datum> {
    let (xid, s) = match args {
        [Datum::Bytea(b), Datum::Text(s)] => (number(b), s),
        [Datum::Int8(v), Datum::Text(s)] => (*v as u64, s),
        _ => return Err(bad_args("pg_visible_in_snapshot", args)),
    };
    Ok(Datum::Bool(Snapshot::parse(s)?.sees(xid)))
}

fn current(env: &mut dyn Env) -> Result<Datum> {
    let Some(t) = env.txn_begun() else {
        return Err(pamir_types::Error::unsupported("pg_current_snapshot outside a transaction"));
    };
    let x = t.xids()?;
    Ok(Datum::text(Snapshot { xmin: x.xmin, xmax: x.xmax, running: x.running }.text()))
}

funcs! { pub FUNCS {
    pg_current_snapshot (_ci env;) => current(env);
    pg_snapshot_xmin raw = |ci, a, _| part(ci, a, |s| s.xmin);
    pg_snapshot_xmax raw = |ci, a, _| part(ci, a, |s| s.xmax);
    pg_snapshot_xip set = running;
    pg_visible_in_snapshot raw = |_, a, _| visible(a);
} }
