//! What became of a transaction: `pamir_catalog.transaction_outcome`, and PostgreSQL's txid_status over the same.
//!
//! The number is that of txid_current(), which a COMMIT answered with 08007 says in its detail. Any session of any node may ask; the node that leads answers.
//!
//! Limits: as in `pamir_txn::outcome`; a node without a cluster knows prepared transactions alone.
use super::registry::{OwnRow, STRICT, VOLATILE, bad_args};
use super::{Body, CallInfo};
use crate::env::Env;
use pamir_txn::Outcome;
use pamir_types::{Datum, Result, bail, oid};

pub static OWN: &[OwnRow] = &[OwnRow {
    oid: 15100,
    name: "transaction_outcome",
    args: &[oid::INT8],
    ret: oid::TEXT,
    flags: STRICT | VOLATILE,
    body: Body::scalar(transaction_outcome),
}];

fn of(id: i64, env: &mut dyn Env) -> Result<Outcome> {
    let Ok(id) = u64::try_from(id) else { bail!(INVALID_PARAMETER_VALUE, "transaction ID {id} is negative") };
    env.engine()?.outcome(id)
}
fn transaction_outcome(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [Datum::Int8(id)] = args else { return Err(bad_args("transaction_outcome", args)) };
    Ok(Datum::text(of(*id, env)?.name()))
}
/// NULL where nothing is known, as PostgreSQL has it.
pub fn status(id: i64, env: &mut dyn Env) -> Result<Datum> {
    if env.txn().is_some_and(|t| Ok(t.id()) == u64::try_from(id)) {
        return Ok(Datum::text(Outcome::InProgress.name()));
    }
    let o = of(id, env)?;
    Ok(if o == Outcome::Unknown { Datum::Null } else { Datum::text(o.name()) })
}
