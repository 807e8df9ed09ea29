//! What an operator orders of the cluster: `pamir_catalog.cluster_remove` and its neighbours. For superusers; they return when it has happened, or say that it has begun.
use super::registry::{OwnRow, STRICT, VOLATILE, bad_args};
use super::{Body, CallInfo};
use crate::cluster::{Order, no_cluster};
use crate::env::Env;
use pamir_types::{Datum, Result, err, oid};

/// Seconds between two looks.
const LOOK: f64 = 0.02;

macro_rules! own {
    ($($oid:literal $name:literal ($($arg:ident),*), $order:expr, $done:literal, $begun:literal;)*) => {
        &[$(OwnRow {
            oid: $oid,
            name: $name,
            args: &[$(oid::$arg),*],
            ret: oid::TEXT,
            flags: STRICT | VOLATILE,
            body: Body::scalar(|_: &CallInfo, args, env| {
                let order: fn(&[Datum]) -> Option<Order> = $order;
                give($name, order(args).ok_or_else(|| bad_args($name, args))?, env, [$done, $begun])
            }),
        }),*]
    };
}
pub static OWN: &[OwnRow] = own! {
    15200 "cluster_remove" (INT8), remove, "removed", "removal has begun";
    15201 "cluster_remove" (INT8, BOOL), remove, "removed", "removal has begun";
    15202 "cluster_drain" (INT8), |a| Some(Order::Drain { node: node(a)? }), "draining", "draining; it still leads";
    15203 "cluster_undrain" (INT8), |a| Some(Order::Undrain { node: node(a)? }), "serving", "serving again has begun";
    15204 "cluster_transfer_leader" (INT8), |a| Some(Order::Transfer { node: node(a)? }), "leader", "transfer has begun";
    15205 "cluster_finalize_upgrade" (), |_| Some(Order::FinalizeUpgrade), "newest format", "the format is to rise";
};
fn node(args: &[Datum]) -> Option<i64> {
    if let Some(Datum::Int8(n)) = args.first() { Some(*n) } else { None }
}
fn remove(args: &[Datum]) -> Option<Order> {
    let force = match args.get(1) {
        None => false,
        Some(Datum::Bool(b)) => *b,
        Some(_) => return None,
    };
    Some(Order::Remove { node: node(args)?, force })
}
fn give(function: &str, order: Order, env: &mut dyn Env, [done, begun]: [&'static str; 2]) -> Result<Datum> {
    if !env.catalog().role_by_name(env.current_user()).is_some_and(|r| r.superuser) {
        return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied for function {function}"));
    }
    let cluster = env.backend()?.cluster().ok_or_else(no_cluster)?;
    // It may end the leadership that this transaction is of.
    env.backend()?.let_go(function)?;
    let happened = cluster.steer(order, &mut || {
        env.check_cancel()?;
        env.sleep(LOOK)
    })?;
    Ok(Datum::text(if happened { done } else { begun }))
}
