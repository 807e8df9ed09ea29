//! CREATE, ALTER, DROP ROLE and USER; GRANT and REVOKE.
//!
//! Limits: memberships and privileges are not kept. GRANT and REVOKE check that every role they name exists and change nothing: owners and superusers
//! may change objects, every role may read and write every table.
use super::cx::{Name, Space, ident, one_name};
use super::{DdlCtx, scram};
use crate::catalog::{Kind, Object, Role, well_known};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Error, Result, bail, err};
use sqlparser::ast::{self, Expr, RoleOption, Value};
use std::sync::Arc;

/// The attributes a statement sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    pub superuser: Option<bool>,
    pub login: Option<bool>,
    pub createdb: Option<bool>,
    pub createrole: Option<bool>,
    /// Inner None: PASSWORD NULL.
    pub password: Option<Option<String>>,
}
impl Attributes {
    fn apply(&self, r: &mut Role) -> Result<()> {
        r.superuser = self.superuser.unwrap_or(r.superuser);
        r.login = self.login.unwrap_or(r.login);
        r.createdb = self.createdb.unwrap_or(r.createdb);
        r.createrole = self.createrole.unwrap_or(r.createrole);
        match &self.password {
            None => {}
            Some(None) => r.password = None,
            Some(Some(p)) => r.password = Some(scram::to_store(p)?),
        }
        Ok(())
    }
}
fn string(e: &Expr) -> Result<String> {
    if let Expr::Value(v) = e
        && let Value::SingleQuotedString(s) | Value::EscapedStringLiteral(s) | Value::UnicodeStringLiteral(s) = &v.value
    {
        return Ok(s.clone());
    }
    bail!(SYNTAX_ERROR, "syntax error at or near \"{e}\"")
}
fn password(p: &ast::Password) -> Result<Option<String>> {
    match p {
        ast::Password::NullPassword => Ok(None),
        ast::Password::Password(e) => string(e).map(Some),
    }
}
fn may_manage(cx: &DdlCtx, wants_superuser: bool, what: &str) -> Result<()> {
    let u = cx.user()?;
    if wants_superuser && !u.superuser {
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

pub fn create(c: &ast::CreateRole, cx: &mut DdlCtx) -> Result<&'static str> {
    let a = Attributes {
        superuser: c.superuser,
        login: c.login,
        createdb: c.create_db,
        createrole: c.create_role,
        password: c.password.as_ref().map(password).transpose()?,
    };
    for r in c.in_role.iter().chain(&c.in_group).chain(&c.role).chain(&c.user).chain(&c.admin) {
        cx.role_named(&ident(r))?;
    }
    for n in &c.names {
        create_one(&one_name(n)?, &a, c.if_not_exists, cx)?;
    }
    Ok("CREATE ROLE")
}
pub fn create_one(name: &str, a: &Attributes, if_not_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    check_name(name)?;
    may_manage(cx, a.superuser == Some(true), "create")?;
    let n = Name { space: Space::Role, parent: 0, name: name.into() };
    if cx.name_taken(&n)? {
        if if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok(());
        }
        return Err(n.taken());
    }
    let mut r = Role {
        oid: cx.new_oid()?,
        name: name.into(),
        superuser: false,
        login: false,
        createdb: false,
        createrole: false,
        password: None,
    };
    a.apply(&mut r)?;
    cx.put(Object::Role(Arc::new(r)))
}
/// CREATE USER as the general parser reads it (its options are of another dialect): only the plain form; see [`super::own`] for the rest.
pub fn create_user(c: &ast::CreateUser, cx: &mut DdlCtx) -> Result<&'static str> {
    if !c.options.options.is_empty() {
        return Err(Error::unsupported("these CREATE USER options"));
    }
    create_one(&ident(&c.name), &Attributes { login: Some(true), ..Attributes::default() }, c.if_not_exists, cx)?;
    Ok("CREATE ROLE")
}
pub fn alter_user(a: &ast::AlterUser, cx: &mut DdlCtx) -> Result<&'static str> {
    match (&a.rename_to, &a.password) {
        (Some(n), _) => rename(&ident(&a.name), &ident(n), cx),
        (None, Some(p)) => {
            change(&ident(&a.name), &Attributes { password: Some(p.password.clone()), ..Attributes::default() }, cx)
        }
        _ => Err(Error::unsupported("these ALTER USER options")),
    }
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
    let r = locked(name, cx)?;
    let only_own_password =
        r.oid == cx.user()?.oid && *a == (Attributes { password: a.password.clone(), ..Attributes::default() });
    if !only_own_password {
        may_manage(cx, r.superuser || a.superuser.is_some(), "alter")?;
    }
    let mut r = (*r).clone();
    a.apply(&mut r)?;
    cx.put(Object::Role(Arc::new(r)))?;
    Ok("ALTER ROLE")
}
pub fn rename(name: &str, new: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    check_name(new)?;
    let r = locked(name, cx)?;
    may_manage(cx, r.superuser, "rename")?;
    if r.name == cx.env.session_user() {
        bail!(FEATURE_NOT_SUPPORTED, "session user cannot be renamed");
    }
    cx.put(Object::Role(Arc::new(Role { name: new.into(), ..(*r).clone() })))?;
    Ok("ALTER ROLE")
}
pub fn alter(name: &ast::Ident, op: &ast::AlterRoleOperation, cx: &mut DdlCtx) -> Result<&'static str> {
    let name = ident(name);
    match op {
        ast::AlterRoleOperation::RenameRole { role_name } => rename(&name, &ident(role_name), cx),
        ast::AlterRoleOperation::WithOptions { options } => {
            let mut a = Attributes::default();
            for o in options {
                match o {
                    RoleOption::SuperUser(b) => a.superuser = Some(*b),
                    RoleOption::Login(b) => a.login = Some(*b),
                    RoleOption::CreateDB(b) => a.createdb = Some(*b),
                    RoleOption::CreateRole(b) => a.createrole = Some(*b),
                    RoleOption::Password(p) => a.password = Some(password(p)?),
                    RoleOption::ValidUntil(_) | RoleOption::ConnectionLimit(_) | RoleOption::Inherit(_) => {}
                    RoleOption::Replication(_) | RoleOption::BypassRLS(_) => {}
                }
            }
            change(&name, &a, cx)
        }
        ast::AlterRoleOperation::AddMember { member_name } | ast::AlterRoleOperation::DropMember { member_name } => {
            cx.role_named(&name)?;
            cx.role_named(&ident(member_name))?;
            Ok("ALTER ROLE")
        }
        ast::AlterRoleOperation::Set { .. } | ast::AlterRoleOperation::Reset { .. } => {
            Err(Error::unsupported("ALTER ROLE ... SET"))
        }
    }
}
pub fn drop(name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let name = resolve(name, cx);
    if cx.catalog.role_by_name(&name).is_none() {
        if if_exists {
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("role \"{name}\" does not exist, skipping"));
            return Ok(());
        }
        bail!(UNDEFINED_OBJECT, "role \"{name}\" does not exist");
    }
    let r = locked(&name, cx)?;
    may_manage(cx, r.superuser, "drop")?;
    if r.name == cx.env.current_user() {
        bail!(OBJECT_IN_USE, "current user cannot be dropped");
    }
    if r.name == cx.env.session_user() {
        bail!(OBJECT_IN_USE, "session user cannot be dropped");
    }
    if r.oid == well_known::POSTGRES_ROLE {
        bail!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop role {name} because it is required by the database system");
    }
    let mut owned = vec![];
    for d in cx.catalog.databases() {
        if d.owner == r.oid {
            owned.push(format!("owner of database {}", d.name));
        }
        let tables = cx
            .catalog
            .tables(d.oid)
            .into_iter()
            .filter(|t| t.owner == r.oid)
            .map(|t| format!("owner of table {}", t.name));
        let schemas = cx
            .catalog
            .schemas(d.oid)
            .into_iter()
            .filter(|s| s.database != 0 && s.owner == r.oid)
            .map(|s| format!("owner of schema {}", s.name));
        owned.extend(schemas.chain(tables));
        owned.extend(
            cx.catalog
                .sequences(d.oid)
                .into_iter()
                .filter(|s| s.owner == r.oid && s.owned_by.is_none())
                .map(|s| format!("owner of sequence {}", s.name)),
        );
    }
    if !owned.is_empty() {
        return Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "role \"{name}\" cannot be dropped because some objects depend on it"
        )
        .detail(owned.join("\n")));
    }
    cx.remove(Kind::Role, r.oid)
}

fn check_grantees(list: &[ast::Grantee], cx: &DdlCtx) -> Result<()> {
    for g in list {
        if let Some(ast::GranteeName::ObjectName(n)) = &g.name {
            let name = resolve(&one_name(n)?, cx);
            if name != "public" {
                cx.role_named(&name)?;
            }
        }
    }
    Ok(())
}
fn check_objects(o: Option<&ast::GrantObjects>, cx: &mut DdlCtx) -> Result<()> {
    match o {
        Some(ast::GrantObjects::Tables(names)) => {
            for n in names {
                let (schema, name) = cx.split(n)?;
                cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)?;
            }
        }
        Some(ast::GrantObjects::Schemas(names)) => {
            for n in names {
                let n = one_name(n)?;
                if cx.catalog.schema_by_name(cx.database(), &n).is_none() {
                    bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist");
                }
            }
        }
        _ => {}
    }
    Ok(())
}
pub fn grant(g: &ast::Grant, cx: &mut DdlCtx) -> Result<&'static str> {
    check_objects(g.objects.as_ref(), cx)?;
    check_grantees(&g.grantees, cx)?;
    // GRANT role TO role has no object.
    Ok(if g.objects.is_none() { "GRANT ROLE" } else { "GRANT" })
}
pub fn revoke(r: &ast::Revoke, cx: &mut DdlCtx) -> Result<&'static str> {
    check_objects(r.objects.as_ref(), cx)?;
    check_grantees(&r.grantees, cx)?;
    Ok(if r.objects.is_none() { "REVOKE ROLE" } else { "REVOKE" })
}
