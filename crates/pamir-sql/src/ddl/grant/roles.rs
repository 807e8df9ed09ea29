//! GRANT role TO role.
use super::{role_oid, role_oids};
use crate::ddl::DdlCtx;
use pamir_catalog::acl::{self, predefined};
use pamir_catalog::{Kind, Membership, Object, Role};
use pamir_parse::tree::GrantRole;
use pamir_txn::RowLock;
use pamir_types::error::{Severity, state};
use pamir_types::{Error, Oid, Result, bail};
use std::sync::Arc;

pub fn grant_role(g: &GrantRole, cx: &mut DdlCtx) -> Result<&'static str> {
    let grantor = match &g.granted_by {
        Some(r) => role_oid(r, false, cx)?,
        None => cx.user()?.oid,
    };
    let members = role_oids(&g.grantees, false, cx)?;
    for r in &g.roles {
        if !r.columns.is_empty() {
            bail!(INVALID_GRANT_OPERATION, "column names cannot be included in GRANT/REVOKE ROLE");
        }
        let role = cx.role_named(&r.name)?.oid;
        if g.revoke {
            remove_members(role, &members, grantor, g.admin, cx)?;
        } else {
            add_members(role, &members, grantor, g.admin, cx)?;
        }
    }
    Ok(if g.revoke { "REVOKE ROLE" } else { "GRANT ROLE" })
}
fn name(role: Oid, cx: &DdlCtx) -> String {
    cx.catalog.role(role).map_or_else(|| role.to_string(), |r| r.name.clone())
}
fn may_change(role: Oid, grantor: Oid, cx: &DdlCtx) -> Result<()> {
    let user = cx.user()?;
    let superuser = cx.catalog.role(role).is_some_and(|r| r.superuser);
    if superuser && !user.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to alter superusers");
    }
    if !superuser && !user.superuser && !user.createrole && !acl::is_admin(cx.catalog, grantor, role) {
        bail!(INSUFFICIENT_PRIVILEGE, "must have admin option on role \"{}\"", name(role, cx));
    }
    Ok(())
}
/// The row of a role, to be changed.
fn locked(role: Oid, cx: &mut DdlCtx) -> Result<Role> {
    match cx.lock_object(Kind::Role, role, RowLock::Update)? {
        Some(Object::Role(r)) => Ok((*r).clone()),
        _ => bail!(UNDEFINED_OBJECT, "role with OID {role} does not exist"),
    }
}
pub fn add_members(role: Oid, members: &[Oid], grantor: Oid, admin: bool, cx: &mut DdlCtx) -> Result<()> {
    if members.is_empty() {
        return Ok(());
    }
    may_change(role, grantor, cx)?;
    if role == predefined::DATABASE_OWNER {
        bail!(INVALID_GRANT_OPERATION, "role \"{}\" cannot have explicit members", name(role, cx));
    }
    if grantor != cx.user()?.oid && !cx.user()?.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to set grantor");
    }
    for &member in members {
        if member == predefined::DATABASE_OWNER {
            bail!(INVALID_GRANT_OPERATION, "role \"{}\" cannot be a member of any role", name(member, cx));
        }
        if acl::is_member_nosuper(cx.catalog, role, member, 0) {
            let (a, b) = (name(role, cx), name(member, cx));
            bail!(INVALID_GRANT_OPERATION, "role \"{a}\" is a member of role \"{b}\"");
        }
        let mut r = locked(member, cx)?;
        match r.member_of.iter_mut().find(|m| m.role == role) {
            Some(m) if !admin || m.admin => {
                let text = format!("role \"{}\" is already a member of role \"{}\"", r.name, name(role, cx));
                cx.notice(state::SUCCESSFUL_COMPLETION, text);
                continue;
            }
            Some(m) => (m.admin, m.grantor) = (true, grantor),
            None => r.member_of.push(Membership { role, grantor, admin }),
        }
        cx.put(Object::Role(Arc::new(r)))?;
    }
    Ok(())
}
pub fn remove_members(role: Oid, members: &[Oid], grantor: Oid, admin: bool, cx: &mut DdlCtx) -> Result<()> {
    may_change(role, grantor, cx)?;
    for &member in members {
        let mut r = locked(member, cx)?;
        let Some(at) = r.member_of.iter().position(|m| m.role == role) else {
            let text = format!("role \"{}\" is not a member of role \"{}\"", r.name, name(role, cx));
            cx.env.notice(Error::new(state::WARNING, text).severity(Severity::Warning));
            continue;
        };
        match r.member_of.get_mut(at) {
            Some(m) if admin => m.admin = false,
            _ => drop(r.member_of.remove(at)),
        }
        cx.put(Object::Role(Arc::new(r)))?;
    }
    Ok(())
}
