//! CREATE, ALTER, DROP ROLE, USER and GROUP, and the settings that roles and databases keep. GRANT and REVOKE are [`super::grant`]'s.
use super::cx::{Name, Space};
use super::{DdlCtx, grant, scram};
use pamir_catalog::{Kind, Object, Role, RoleSetting, well_known};
use pamir_parse::tree::{self, RoleOption, RoleSpec, RoleWord, SetStatement, Setting};
use pamir_plan::parser::setting_text;
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

pub use grant::{drop_owned, reassign};

/// The attributes a statement sets.
#[derive(Clone, Debug, Default, PartialEq)]
struct Attributes<'a> {
    superuser: Option<bool>,
    login: Option<bool>,
    createdb: Option<bool>,
    createrole: Option<bool>,
    inherit: Option<bool>,
    replication: Option<bool>,
    bypassrls: Option<bool>,
    connection_limit: Option<i32>,
    /// As written.
    valid_until: Option<&'a str>,
    /// Inner None: PASSWORD NULL.
    password: Option<Option<&'a str>>,
    /// IN ROLE: roles that the new one joins.
    in_roles: Option<&'a [RoleSpec]>,
    /// ROLE, USER: who joins the new role; ADMIN: with the right to let others join.
    members: Option<&'a [RoleSpec]>,
    admins: Option<&'a [RoleSpec]>,
}
impl<'a> Attributes<'a> {
    fn read(options: &'a [RoleOption], cx: &mut DdlCtx) -> Result<Attributes<'a>> {
        fn once<T>(slot: &mut Option<T>, value: T) -> Result<()> {
            if slot.replace(value).is_some() {
                bail!(SYNTAX_ERROR, "conflicting or redundant options");
            }
            Ok(())
        }
        let mut a = Attributes::default();
        for o in options {
            match o {
                RoleOption::Flag(name, on) => {
                    let slot = match *name {
                        "superuser" => &mut a.superuser,
                        "login" => &mut a.login,
                        "createdb" => &mut a.createdb,
                        "createrole" => &mut a.createrole,
                        "inherit" => &mut a.inherit,
                        "replication" => &mut a.replication,
                        "bypassrls" => &mut a.bypassrls,
                        other => return Err(Error::internal(format!("role option {other}"))),
                    };
                    once(slot, *on)?
                }
                RoleOption::Password(p) => once(&mut a.password, p.as_deref())?,
                RoleOption::ConnectionLimit(n) => once(&mut a.connection_limit, *n)?,
                RoleOption::ValidUntil(t) => once(&mut a.valid_until, t.as_str())?,
                RoleOption::Members(list) => once(&mut a.members, list.as_slice())?,
                RoleOption::Admin(list) => once(&mut a.admins, list.as_slice())?,
                RoleOption::InRoles(list) => once(&mut a.in_roles, list.as_slice())?,
                RoleOption::SysId => cx.notice(state::SUCCESSFUL_COMPLETION, "SYSID can no longer be specified".into()),
            }
        }
        Ok(a)
    }
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
        if let Some(text) = self.valid_until {
            match pamir_types::text::parse(text, Type::new(oid::TIMESTAMPTZ), cx.env.text_ctx())? {
                Datum::TimestampTz(t) => r.valid_until = Some(t),
                _ => r.valid_until = None,
            }
        }
        match self.password {
            None => {}
            Some(None) => r.password = None,
            Some(Some("")) => {
                cx.notice(
                    state::SUCCESSFUL_COMPLETION,
                    "empty string is not a valid password, clearing password".into(),
                );
                r.password = None;
            }
            Some(Some(p)) => r.password = Some(scram::to_store(p, cx.env)?),
        }
        Ok(())
    }
}
/// CONNECTION LIMIT's value.
pub fn connection_limit(n: i32) -> Result<i32> {
    if n < -1 {
        bail!(INVALID_PARAMETER_VALUE, "invalid connection limit: {n}");
    }
    Ok(n)
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
    Ok(())
}

/// CREATE ROLE, USER or GROUP: users may log in unless they are told not to.
pub fn create(word: RoleWord, name: &str, options: &[RoleOption], cx: &mut DdlCtx) -> Result<&'static str> {
    let mut a = Attributes::read(options, cx)?;
    a.login = a.login.or((word == RoleWord::User).then_some(true));
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
    for parent in grant::role_oids(a.in_roles.unwrap_or(&[]), false, cx)? {
        grant::add_members(parent, &[oid], me, false, cx)?;
    }
    let admins = grant::role_oids(a.admins.unwrap_or(&[]), false, cx)?;
    let members = grant::role_oids(a.members.unwrap_or(&[]), false, cx)?;
    grant::add_members(oid, &admins, me, true, cx)?;
    grant::add_members(oid, &members, me, false, cx)?;
    Ok("CREATE ROLE")
}
fn locked(name: &str, cx: &mut DdlCtx) -> Result<Arc<Role>> {
    let oid = cx.role_named(name)?.oid;
    match cx.lock_object(Kind::Role, oid, RowLock::Update)? {
        Some(Object::Role(r)) => Ok(r),
        _ => bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist"),
    }
}
/// The role that ALTER ROLE names, which must not be one of PostgreSQL's own.
fn altered(role: &RoleSpec, cx: &mut DdlCtx) -> Result<Arc<Role>> {
    let name = cx.role_of(role)?;
    if name.starts_with("pg_") {
        return Err(err!(RESERVED_NAME, "role name \"{name}\" is reserved").detail("Cannot alter reserved roles."));
    }
    locked(&name, cx)
}
/// ALTER ROLE with options.
pub fn alter(role: &RoleSpec, options: &[RoleOption], cx: &mut DdlCtx) -> Result<&'static str> {
    let a = Attributes::read(options, cx)?;
    let r = altered(role, cx)?;
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
        let own_password = a == (Attributes { password: a.password, ..Attributes::default() })
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
    let members = grant::role_oids(a.members.unwrap_or(&[]), false, cx)?;
    grant::add_members(oid, &members, me, false, cx)?;
    Ok("ALTER ROLE")
}
/// ALTER GROUP ... ADD or DROP USER
pub fn members(role: &RoleSpec, add: bool, members: &[RoleSpec], cx: &mut DdlCtx) -> Result<&'static str> {
    let (role, me) = (cx.owner_from(role)?, cx.user()?.oid);
    let members = grant::role_oids(members, false, cx)?;
    if add {
        grant::add_members(role, &members, me, false, cx)?;
    } else {
        grant::remove_members(role, &members, me, false, cx)?;
    }
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
    // The name is part of what MD5 made of the password.
    let keeps = !r.password.as_deref().is_some_and(scram::is_md5);
    if !keeps {
        cx.notice(state::SUCCESSFUL_COMPLETION, "MD5 password cleared because of role rename".into());
    }
    let password = r.password.clone().filter(|_| keeps);
    cx.put(Object::Role(Arc::new(Role { name: new.into(), password, ..(*r).clone() })))?;
    Ok("ALTER ROLE")
}
/// ALTER ROLE ... [IN DATABASE] SET and RESET. No role: ALL.
pub fn set(
    role: Option<&RoleSpec>,
    database: Option<&str>,
    set: &SetStatement,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let Some(role) = role else { return Err(Error::unsupported("ALTER ROLE ALL SET")) };
    let r = altered(role, cx)?;
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
    apply_setting(&mut own, set, cx)?;
    r.settings.retain(|s| s.database != database);
    r.settings.extend(own.into_iter().map(|(name, value)| RoleSetting { database, name, value }));
    cx.put(Object::Role(Arc::new(r)))?;
    Ok("ALTER ROLE")
}
/// One change to a list of kept settings.
pub fn apply_setting(list: &mut Vec<(String, String)>, set: &SetStatement, cx: &mut DdlCtx) -> Result<()> {
    let (name, value) = match &set.what {
        Setting::Value { name, values } => (name, Some(setting_text(name, values)?)),
        Setting::Default(name) => (name, None),
        Setting::ResetAll => {
            list.clear();
            return Ok(());
        }
        Setting::FromCurrent(_) => return Err(Error::unsupported("SET ... FROM CURRENT")),
        Setting::Transaction(_) | Setting::SessionCharacteristics(_) | Setting::Snapshot(_) => {
            return Err(Error::unsupported("SET TRANSACTION of a role or database"));
        }
    };
    let shown = crate::settings::check(name, value.as_deref(), cx.user()?.superuser)?;
    if let Some(v) = value.as_deref().filter(|_| shown == "default_text_search_config") {
        super::text_search::tell_missing(v, cx);
    }
    list.retain(|s| !s.0.eq_ignore_ascii_case(&shown));
    list.extend(value.map(|v| (shown, v)));
    Ok(())
}
pub fn drop(roles: &[RoleSpec], if_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    let u = cx.user()?;
    if !u.superuser && !u.createrole {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to drop role");
    }
    for r in roles {
        let tree::Role::Named(name) = &r.role else {
            bail!(INVALID_PARAMETER_VALUE, "cannot use special role specifier in DROP ROLE")
        };
        drop_one(name, if_exists, cx)?;
    }
    Ok("DROP ROLE")
}
fn drop_one(name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    if cx.catalog.role_by_name(name).is_none() {
        if if_exists {
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("role \"{name}\" does not exist, skipping"));
            return Ok(());
        }
        bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist");
    }
    let r = locked(name, cx)?;
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
    let dependents = grant::dependents(r.oid, cx)?;
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
