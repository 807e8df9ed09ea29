//! GRANT and REVOKE ... ON LARGE OBJECT, and what becomes of large objects' lists where roles go.
use super::{Shown, asked, grantor, lists, merge};
use crate::ddl::{DdlCtx, large_object};
use pamir_catalog::acl::{Acl, ObjectKind};
use pamir_catalog::large_object::Metadata;
use pamir_expr::large_object::{Object, change_each, each};
use pamir_parse::tree::{DefValue, Grant};
use pamir_txn::RowLock;
use pamir_types::{Oid, Result};

pub(super) fn grant(list: &[DefValue], g: &Grant, cx: &mut DdlCtx) -> Result<()> {
    let mut found = Vec::with_capacity(list.len());
    for v in list {
        let oid = large_object::number(v)?;
        large_object::known(oid, cx)?;
        found.push(oid);
    }
    let kind = ObjectKind::LargeObject;
    let a = asked(g, kind, cx)?;
    for oid in found {
        let txn = cx.txn;
        let object = Object::newest(txn, cx.database(), oid);
        let m = object.claim(RowLock::NoKeyUpdate)?;
        let (plain, old) = (format!("large object {oid}"), m.list().into_owned());
        let quoted = format!("\"{plain}\"");
        let (grantor, mode) = grantor(kind, a.mode, &old, m.owner, &Shown { plain: &plain, quoted: &quoted }, &a, cx)?;
        let acl = Some(merge(old, grantor, m.owner, mode, &a)?);
        object.put(&Metadata { acl, ..m })?;
    }
    Ok(())
}
/// It with another owner: the old one's items of its list are the new one's.
pub fn with_owner(m: &Metadata, owner: Oid) -> Metadata {
    let acl = m.acl.as_ref().map(|a| lists::with_owner(a, m.owner, owner));
    Metadata { owner, acl, comment: m.comment.clone() }
}

/// REASSIGN OWNED.
pub(super) fn reassign(roles: &[Oid], to: Oid, cx: &DdlCtx) -> Result<()> {
    let mine = |m: &Metadata| roles.contains(&m.owner);
    change_each(cx.txn, cx.database(), &mine, &mut |object, m| object.put(&with_owner(&m, to)))
}
/// DROP OWNED: the roles' objects go, and what was granted to the roles on others.
pub(super) fn drop_owned(roles: &[Oid], cx: &DdlCtx) -> Result<()> {
    let mine = |m: &Metadata| roles.contains(&m.owner);
    let named = |m: &Metadata| roles.iter().any(|r| m.names(*r));
    change_each(cx.txn, cx.database(), &|m| mine(m) || named(m), &mut |object, m| {
        if mine(&m) {
            return object.remove();
        }
        let left = |i: &&pamir_catalog::acl::AclItem| !roles.contains(&i.grantee) && !roles.contains(&i.grantor);
        let acl = m.acl.as_ref().map(|a| a.iter().filter(left).copied().collect::<Acl>());
        object.put(&Metadata { acl, ..m })
    })
}
/// The large objects of a database that keep a role from being dropped, and whether it owns them.
pub(super) fn each_of(role: Oid, database: Oid, cx: &DdlCtx, say: &mut dyn FnMut(Oid, bool)) -> Result<()> {
    each(cx.txn, None, database, &mut |oid, m| {
        if m.owner == role || m.names(role) {
            say(oid, m.owner == role);
        }
        Ok(true)
    })
}
