//! ALTER LARGE OBJECT ... OWNER TO, COMMENT ON LARGE OBJECT, and what becomes of a database's large objects when it goes.
//!
//! What is said of one stands in its own entry (`pamir_catalog::large_object`): no definition of the catalog changes.
use super::{DdlCtx, grant};
use pamir_catalog::Kind;
use pamir_catalog::large_object::{Metadata, all_metadata, all_pages};
use pamir_catalog::store::key;
use pamir_expr::large_object::{Object, absent, delete_range, each};
use pamir_parse::tree::DefValue;
use pamir_txn::{CATALOG_TREE, RowLock, WaitPolicy};
use pamir_types::{Oid, Result, bail, err};

/// An OID as statements write it (oidparse).
pub fn number(v: &DefValue) -> Result<Oid> {
    match v {
        DefValue::Integer(n) => Ok(*n as Oid),
        DefValue::Float(f) => f.parse().map_err(|_| match f.parse::<f64>() {
            Ok(x) if x.fract() == 0.0 && !f.contains(['.', 'e', 'E']) => {
                err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{f}\" is out of range for type oid")
            }
            _ => err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type oid: \"{f}\""),
        }),
        _ => bail!(SYNTAX_ERROR, "a large object is named by its number"),
    }
}
/// 42704 for one that is not there.
pub fn known(oid: Oid, cx: &DdlCtx) -> Result<Metadata> {
    Object::newest(cx.txn, cx.database(), oid).metadata()?.ok_or_else(|| absent(oid))
}
/// Changes what is kept of one that is the user's.
fn change(oid: Oid, cx: &mut DdlCtx, f: impl FnOnce(Metadata, &mut DdlCtx) -> Result<Metadata>) -> Result<()> {
    known(oid, cx)?;
    let txn = cx.txn;
    let object = Object::newest(txn, cx.database(), oid);
    let m = object.claim(RowLock::NoKeyUpdate)?;
    cx.check_owner(m.owner, "large object", &oid.to_string())?;
    let m = f(m, cx)?;
    object.put(&m)
}
pub fn set_owner(v: &DefValue, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    change(number(v)?, cx, |m, cx| {
        if owner != m.owner {
            cx.check_new_owner(owner, None)?;
            // Who drops the role waits, and finds it.
            cx.txn.lock_row(CATALOG_TREE, &key(Kind::Role, owner), RowLock::KeyShare, WaitPolicy::Block)?;
        }
        Ok(grant::with_owner(&m, owner))
    })?;
    Ok("ALTER LARGE OBJECT")
}
pub fn comment(v: &DefValue, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    change(number(v)?, cx, |m, _| Ok(Metadata { comment: text, ..m }))
}
/// All of a database that goes.
pub fn drop_all(database: Oid, cx: &DdlCtx) -> Result<()> {
    delete_range(cx.txn, all_pages(database))?;
    delete_range(cx.txn, all_metadata(database))
}
/// One of a database's, if it has any.
pub fn first(database: Oid, cx: &DdlCtx) -> Result<Option<Oid>> {
    let mut found = None;
    each(cx.txn, None, database, &mut |oid, _| {
        found = Some(oid);
        Ok(false)
    })?;
    Ok(found)
}
