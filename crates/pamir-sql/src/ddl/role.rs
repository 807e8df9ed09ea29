//! CREATE, ALTER, DROP ROLE and USER. GRANT and REVOKE are [`super::grant`]'s.
use super::cx::{Name, Space};
use super::grant::{self, RoleSpec};
use super::{DdlCtx, scram};
use crate::catalog::{Kind, Object, Role, RoleSetting, well_known};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Datum, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

/// The attributes a statement sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    pub superuser: Option<bool>,
    pub login: Option<bool>,
    pub createdb: Option<bool>,
    pub createrole: Option<bool>,
    pub inherit: Option<bool>,
    pub replication: Option<bool>,
    pub bypassrls: Option<bool>,
    pub connection_limit: Option<i64>,
    /// As written.
    pub valid_until: Option<String>,
    /// Inner None: PASSWORD NULL.
    pub password: Option<Option<String>>,
    /// IN ROLE: roles that the new one joins.
    pub in_roles: Vec<RoleSpec>,
    /// ROLE, USER: who joins the new role; ADMIN: with the right to let others join.
    pub members: Vec<RoleSpec>,
    pub admins: Vec<RoleSpec>,
}
impl Attributes {
    fn apply(&self, r: &mut Role, cx: &mut DdlCtx) -> Result<()> {
        r.superuser = self.superuser.unwrap_or(r.superuser);
        r.login = self.login.unwrap_or(r.login);
        r.createdb = self.createdb.unwrap_or(r.createdb);
        r.createrole = self.createrole.unwrap_or(r.createrole);
        r.inherit = self.inherit.unwrap_or(r.inherit);
        r.replication = self.replication.unwrap_or(r.replication);
        r.bypassrls = self.bypassrls.unwrap_or(r.bypassrls);
        if let Some(n) = self.connection_limit {
            r.connection_limit = connection_limit(n)?;
        }
        if let Some(text) = &self.valid_until {
            match pamir_types::text::parse(text, Type::new(oid::TIMESTAMPTZ), cx.env.text_ctx())? {
                Datum::TimestampTz(t) => r.valid_until = Some(t),
                _ => r.valid_until = None,
            }
        }
        match &self.password {
            None => {}
            Some(None) => r.password = None,
            Some(Some(p)) if p.is_empty() => {
                cx.notice(
                    state::SUCCESSFUL_COMPLETION,
                    "empty string is not a valid password, clearing password".into(),
                );
                r.password = None;
            }
            Some(Some(p)) => r.password = Some(scram::to_store(p)?),
        }
        Ok(())
    }
}
/// CONNECTION LIMIT's value.
pub fn connection_limit(n: i64) -> Result<i32> {
    match i32::try_from(n) {
        Ok(n) if n >= -1 => Ok(n),
        _ => bail!(INVALID_PARAMETER_VALUE, "invalid connection limit: {n}"),
    }
}
fn may_manage(cx: &DdlCtx, superuser: bool, what: &str) -> Result<()> {
    let u = cx.user()?;
    if superuser && !u.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to {what} superusers");
    }
    if u.superuser || u.createrole { Ok(()) } else { bail!(INSUFFICIENT_PRIVILEGE, "permission denied to {what} role") }
}
fn check_name(name: &str) -> Result<()> {
    if name.starts_with("pg_") {
        return Err(err!(RESERVED_NAME, "role name \"{name}\" is reserved")
            .detail("Role names starting with \"pg_\" are reserved."));
    }
    if matches!(name, "public" | "none") {
        bail!(RESERVED_NAME, "role name \"{name}\" is reserved");
    }
    Ok(())
}

pub fn create(name: &str, a: &Attributes, cx: &mut DdlCtx) -> Result<()> {
    let u = cx.user()?;
    let (superuser, me) = (u.superuser, u.oid);
    let first = [
        (a.superuser == Some(true), "superusers"),
        (a.replication == Some(true), "replication users"),
        (a.bypassrls == Some(true), "bypassrls users"),
    ];
    if let Some((_, what)) = first.iter().find(|f| f.0)
        && !superuser
    {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to create {what}");
    }
    may_manage(cx, false, "create")?;
    check_name(name)?;
    let n = Name { space: Space::Role, parent: 0, name: name.into() };
    if cx.name_taken(&n)? {
        return Err(n.taken());
    }
    let mut r = Role::new(cx.new_oid()?, name);
    a.apply(&mut r, cx)?;
    let oid = r.oid;
    cx.put(Object::Role(Arc::new(r)))?;
    for parent in grant::role_oids(&a.in_roles, false, cx)? {
        grant::add_members(parent, &[oid], me, false, cx)?;
    }
    let (admins, members) = (grant::role_oids(&a.admins, false, cx)?, grant::role_oids(&a.members, false, cx)?);
    grant::add_members(oid, &admins, me, true, cx)?;
    grant::add_members(oid, &members, me, false, cx)
}
/// CURRENT_USER and SESSION_USER stand for names.
fn resolve(name: &str, cx: &DdlCtx) -> String {
    match name {
        "current_user" | "current_role" => cx.env.current_user().to_string(),
        "session_user" => cx.env.session_user().to_string(),
        n => n.to_string(),
    }
}
fn locked(name: &str, cx: &mut DdlCtx) -> Result<Arc<Role>> {
    let name = resolve(name, cx);
    let oid = cx.role_named(&name)?.oid;
    match cx.lock_object(Kind::Role, oid, RowLock::Update)? {
        Some(Object::Role(r)) => Ok(r),
        _ => bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist"),
    }
}
pub fn change(name: &str, a: &Attributes, cx: &mut DdlCtx) -> Result<&'static str> {
    if resolve(name, cx).starts_with("pg_") {
        return Err(err!(RESERVED_NAME, "role name \"{name}\" is reserved").detail("Cannot alter reserved roles."));
    }
    let r = locked(name, cx)?;
    let u = cx.user()?;
    if !u.superuser {
        if r.superuser || a.superuser.is_some() {
            bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to alter superuser roles or change superuser attribute");
        }
        if r.replication || a.replication.is_some() {
            bail!(
                INSUFFICIENT_PRIVILEGE,
                "must be superuser to alter replication roles or change replication attribute"
            );
        }
        if a.bypassrls.is_some() {
            bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to change bypassrls attribute");
        }
        let own_password = *a == (Attributes { password: a.password.clone(), ..Attributes::default() })
            && a.password.is_some()
            && r.oid == u.oid;
        if !u.createrole && !own_password {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied");
        }
    }
    if r.oid == well_known::POSTGRES_ROLE && a.superuser == Some(false) {
        bail!(FEATURE_NOT_SUPPORTED, "permission denied: bootstrap user must be superuser");
    }
    let mut r = (*r).clone();
    a.apply(&mut r, cx)?;
    let (oid, me) = (r.oid, cx.user()?.oid);
    cx.put(Object::Role(Arc::new(r)))?;
    let members = grant::role_oids(&a.members, false, cx)?;
    grant::add_members(oid, &members, me, false, cx)?;
    Ok("ALTER ROLE")
}
pub fn rename(name: &str, new: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let r = locked(name, cx)?;
    if r.name == cx.env.session_user() {
        bail!(FEATURE_NOT_SUPPORTED, "session user cannot be renamed");
    }
    if r.name == cx.env.current_user() {
        bail!(FEATURE_NOT_SUPPORTED, "current user cannot be renamed");
    }
    check_name(&r.name)?;
    check_name(new)?;
    if cx.name_taken(&Name { space: Space::Role, parent: 0, name: new.into() })? {
        bail!(DUPLICATE_OBJECT, "role \"{new}\" already exists");
    }
    may_manage(cx, r.superuser, "rename")?;
    cx.put(Object::Role(Arc::new(Role { name: new.into(), ..(*r).clone() })))?;
    Ok("ALTER ROLE")
}
/// ALTER ROLE ... [IN DATABASE] SET and RESET. `change`: (setting, its value); no value: RESET; no setting: RESET ALL.
pub fn set(
    name: &str,
    database: Option<&str>,
    change: &(Option<String>, Option<String>),
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let r = locked(name, cx)?;
    let u = cx.user()?;
    if r.superuser && !u.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to alter superusers");
    }
    if !u.superuser && !u.createrole && u.oid != r.oid {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied");
    }
    let database = match database {
        Some(d) => match cx.catalog.database_by_name(d) {
            Some(d) => d.oid,
            None => bail!(INVALID_CATALOG_NAME, "database \"{d}\" does not exist"),
        },
        None => 0,
    };
    let mut r = (*r).clone();
    let mut own: Vec<(String, String)> =
        r.settings.iter().filter(|s| s.database == database).map(|s| (s.name.clone(), s.value.clone())).collect();
    apply_setting(&mut own, change, cx)?;
    r.settings.retain(|s| s.database != database);
    r.settings.extend(own.into_iter().map(|(name, value)| RoleSetting { database, name, value }));
    cx.put(Object::Role(Arc::new(r)))?;
    Ok("ALTER ROLE")
}
/// One change to a list of kept settings.
pub fn apply_setting(
    list: &mut Vec<(String, String)>,
    change: &(Option<String>, Option<String>),
    cx: &DdlCtx,
) -> Result<()> {
    let superuser = cx.user()?.superuser;
    match change {
        (None, _) => list.clear(),
        (Some(name), value) => {
            let shown = crate::session::settings::check(name, value.as_deref(), superuser)?;
            list.retain(|s| !s.0.eq_ignore_ascii_case(&shown));
            if let Some(v) = value {
                list.push((shown, v.clone()));
            }
        }
    }
    Ok(())
}
pub fn drop(name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let u = cx.user()?;
    if !u.superuser && !u.createrole {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to drop role");
    }
    let name = resolve(name, cx);
    if cx.catalog.role_by_name(&name).is_none() {
        if if_exists {
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("role \"{name}\" does not exist, skipping"));
            return Ok(());
        }
        bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist");
    }
    let r = locked(&name, cx)?;
    if r.name == cx.env.current_user() {
        bail!(OBJECT_IN_USE, "current user cannot be dropped");
    }
    if r.name == cx.env.session_user() {
        bail!(OBJECT_IN_USE, "session user cannot be dropped");
    }
    may_manage(cx, r.superuser, "drop")?;
    if r.oid < pamir_types::oid::FIRST_USER {
        bail!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop role {name} because it is required by the database system");
    }
    let dependents = grant::dependents(r.oid, cx);
    if !dependents.is_empty() {
        return Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "role \"{name}\" cannot be dropped because some objects depend on it"
        )
        .detail(dependents.join("\n")));
    }
    let members: Vec<Oid> =
        cx.catalog.roles().iter().filter(|m| m.member_of.iter().any(|x| x.role == r.oid)).map(|m| m.oid).collect();
    for m in members {
        if let Some(Object::Role(m)) = cx.lock_object(Kind::Role, m, RowLock::Update)? {
            let mut m = (*m).clone();
            m.member_of.retain(|x| x.role != r.oid);
            cx.put(Object::Role(Arc::new(m)))?;
        }
    }
    cx.remove(Kind::Role, r.oid)
}
