//! CREATE, ALTER, DROP of databases and schemas.
use super::cx::{Name, Space, ident, one_name};
use super::own::DatabaseOptions;
use super::{DdlCtx, remove};
use crate::catalog::acl::{self, Grants};
use crate::catalog::{Database, Kind, Object, Schema, well_known};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err};
use sqlparser::ast::{self, ObjectName};
use std::sync::Arc;

pub fn create_schema(name: &ast::SchemaName, if_not_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    let (name, owner) = match name {
        ast::SchemaName::Simple(n) => (one_name(n)?, None),
        ast::SchemaName::UnnamedAuthorization(r) => (ident(r), Some(ident(r))),
        ast::SchemaName::NamedAuthorization(n, r) => (one_name(n)?, Some(ident(r))),
    };
    let owner = match owner {
        Some(r) => cx.role_named(&r)?.oid,
        None => cx.user()?.oid,
    };
    let database = cx.database();
    may_create_schemas(cx)?;
    let user = cx.user()?.oid;
    if !acl::is_member(cx.catalog, user, owner, database) {
        let owner = cx.catalog.role(owner).map_or("", |r| &r.name);
        bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{owner}\"");
    }
    if name.starts_with("pg_") {
        return Err(err!(RESERVED_NAME, "unacceptable schema name \"{name}\"")
            .detail("The prefix \"pg_\" is reserved for system schemas."));
    }
    let n = Name { space: Space::Schema, parent: database, name: name.clone() };
    if cx.catalog.schema_by_name(database, &name).is_some_and(|s| s.database == 0) || cx.name_taken(&n)? {
        if if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok("CREATE SCHEMA");
        }
        return Err(n.taken());
    }
    let oid = cx.new_oid()?;
    cx.put(Object::Schema(Arc::new(Schema { oid, database, name, owner, comment: None })))?;
    Ok("CREATE SCHEMA")
}
fn may_create_schemas(cx: &DdlCtx) -> Result<()> {
    if cx.who()?.on_database(cx.catalog, cx.database(), acl::CREATE) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for database {}", cx.env.database());
    }
    Ok(())
}
fn schema_named(name: &str, cx: &mut DdlCtx) -> Result<Arc<Schema>> {
    let Some(s) = cx.catalog.schema_by_name(cx.database(), name).cloned() else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{name}\" does not exist")
    };
    if s.database == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {name}");
    }
    cx.check_owner(s.owner, "schema", name)?;
    cx.lock_schema(s.oid, RowLock::Update)
}
pub fn alter_schema(a: &ast::AlterSchema, cx: &mut DdlCtx) -> Result<&'static str> {
    let name = one_name(&a.name)?;
    for op in &a.operations {
        let mut s = (*schema_named(&name, cx)?).clone();
        match op {
            ast::AlterSchemaOperation::Rename { name: new } => {
                s.name = one_name(new)?;
                may_create_schemas(cx)?;
                if s.name.starts_with("pg_") {
                    return Err(err!(RESERVED_NAME, "unacceptable schema name \"{}\"", s.name)
                        .detail("The prefix \"pg_\" is reserved for system schemas."));
                }
            }
            ast::AlterSchemaOperation::OwnerTo { owner } => {
                s.owner = cx.owner_from(owner)?;
                cx.check_new_owner(s.owner, None)?;
                may_create_schemas(cx)?;
            }
            other => return Err(Error::unsupported(format!("ALTER SCHEMA {other}"))),
        }
        cx.put(Object::Schema(Arc::new(s)))?;
    }
    Ok("ALTER SCHEMA")
}

fn may_create_databases(cx: &DdlCtx) -> Result<()> {
    let u = cx.user()?;
    if u.superuser || u.createdb {
        Ok(())
    } else {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to create database")
    }
}
/// An empty database with its schema public. Templates with tables of their own cannot be copied yet.
pub fn create_database(
    name: &ObjectName,
    if_not_exists: bool,
    owner: Option<&str>,
    template: Option<&str>,
    options: &DatabaseOptions,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let name = one_name(name)?;
    may_create_databases(cx)?;
    let owner = match owner {
        Some(o) => cx.role_named(o)?.oid,
        None => cx.user()?.oid,
    };
    if !acl::is_member(cx.catalog, cx.user()?.oid, owner, cx.database()) {
        let owner = cx.catalog.role(owner).map_or("", |r| &r.name);
        bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{owner}\"");
    }
    let template = template.unwrap_or("template1");
    let source = cx.catalog.database_by_name(template);
    if let Some(d) = source
        && !d.is_template
        && !cx.who()?.has_role(d.owner)
    {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to copy database \"{template}\"");
    }
    let Some(from) = source.map(|d| d.oid) else {
        bail!(INVALID_CATALOG_NAME, "template database \"{template}\" does not exist")
    };
    if !cx.catalog.tables(from).is_empty() || !cx.catalog.sequences(from).is_empty() {
        return Err(Error::unsupported(format!("CREATE DATABASE from a template with relations (\"{template}\")")));
    }
    let n = Name { space: Space::Database, parent: 0, name: name.clone() };
    if cx.name_taken(&n)? {
        if if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok("CREATE DATABASE");
        }
        return Err(n.taken());
    }
    let oid = cx.new_oid()?;
    let mut d = Database::new(oid, name, owner);
    apply(&mut d, options)?;
    cx.put(Object::Database(Arc::new(d)))?;
    let schemas: Vec<Schema> = cx.catalog.schemas(from).into_iter().filter(|s| s.database == from).cloned().collect();
    for s in schemas {
        let id = cx.new_oid()?;
        let kept = cx.catalog.grants(s.oid).cloned();
        cx.put(Object::Schema(Arc::new(Schema { oid: id, database: oid, ..s })))?;
        if let Some(g) = kept {
            cx.put(Object::Grants(Arc::new(Grants { oid: id, ..g })))?;
        }
    }
    Ok("CREATE DATABASE")
}
fn database_named(name: &str, cx: &mut DdlCtx) -> Result<Arc<Database>> {
    let Some(d) = cx.catalog.database_by_name(name).cloned() else {
        bail!(INVALID_CATALOG_NAME, "database \"{name}\" does not exist")
    };
    cx.check_owner(d.owner, "database", name)?;
    match cx.lock_object(Kind::Database, d.oid, RowLock::Update)? {
        Some(Object::Database(d)) => Ok(d),
        _ => bail!(INVALID_CATALOG_NAME, "database \"{name}\" does not exist"),
    }
}
/// How often, and seconds apart, a database is looked at whether others still use it: five seconds, as in PostgreSQL.
const IN_USE_LOOKS: u32 = 50;
const IN_USE_PAUSE: f64 = 0.1;

/// 55006 while other sessions stay connected, or transactions prepared in it.
fn not_in_use(name: &str, cx: &mut DdlCtx) -> Result<()> {
    let prepared = cx.shard.prepared().iter().filter(|p| p.database == name).count();
    if prepared > 0 {
        let detail = if prepared == 1 {
            "There is 1 prepared transaction using the database.".to_string()
        } else {
            format!("There are {prepared} prepared transactions using the database.")
        };
        return Err(err!(OBJECT_IN_USE, "database \"{name}\" is being accessed by other users").detail(detail));
    }
    let me = cx.env.backend_pid();
    let mut others = 0;
    // Sessions that have been told to end, or whose client has just left, are given the time to.
    for look in 0..IN_USE_LOOKS {
        if look > 0 {
            cx.env.sleep(IN_USE_PAUSE)?;
        }
        others = cx.env.activity().iter().filter(|a| a.database == name && a.pid != me && !a.background).count();
        if others == 0 {
            return Ok(());
        }
    }
    let detail = if others == 1 {
        "There is 1 other session using the database.".to_string()
    } else {
        format!("There are {others} other sessions using the database.")
    };
    Err(err!(OBJECT_IN_USE, "database \"{name}\" is being accessed by other users").detail(detail))
}
pub fn drop_database(name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    if if_exists && cx.catalog.database_by_name(name).is_none() {
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("database \"{name}\" does not exist, skipping"));
        return Ok(());
    }
    let d = database_named(name, cx)?;
    if d.oid == well_known::TEMPLATE0_DB || d.oid == well_known::TEMPLATE1_DB {
        bail!(WRONG_OBJECT_TYPE, "cannot drop a template database");
    }
    if d.oid == cx.database() {
        bail!(OBJECT_IN_USE, "cannot drop the currently open database");
    }
    not_in_use(name, cx)?;
    remove::drop_contents(d.oid, cx)?;
    cx.remove(Kind::Database, d.oid)
}
pub fn rename_database(name: &str, new: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let d = database_named(name, cx)?;
    may_create_databases(cx).map_err(|_| err!(INSUFFICIENT_PRIVILEGE, "permission denied to rename database"))?;
    if d.oid == cx.database() {
        bail!(FEATURE_NOT_SUPPORTED, "current database cannot be renamed");
    }
    not_in_use(name, cx)?;
    cx.put(Object::Database(Arc::new(Database { name: new.into(), ..(*d).clone() })))?;
    Ok("ALTER DATABASE")
}
pub fn database_owner(name: &str, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let d = database_named(name, cx)?;
    cx.check_new_owner(owner, None)?;
    if owner != d.owner {
        may_create_databases(cx)
            .map_err(|_| err!(INSUFFICIENT_PRIVILEGE, "permission denied to change owner of database"))?;
    }
    cx.put(Object::Database(Arc::new(Database { owner, ..(*d).clone() })))?;
    Ok("ALTER DATABASE")
}
fn apply(d: &mut Database, o: &DatabaseOptions) -> Result<()> {
    d.is_template = o.is_template.unwrap_or(d.is_template);
    d.allow_connections = o.allow_connections.unwrap_or(d.allow_connections);
    if let Some(n) = o.connection_limit {
        d.connection_limit = super::role::connection_limit(n)?;
    }
    Ok(())
}
/// ALTER DATABASE ... WITH options.
pub fn options(name: &str, o: &DatabaseOptions, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut d = (*database_named(name, cx)?).clone();
    if o.allow_connections == Some(false) && d.oid == cx.database() {
        bail!(INVALID_PARAMETER_VALUE, "cannot disallow connections for current database");
    }
    apply(&mut d, o)?;
    cx.put(Object::Database(Arc::new(d)))?;
    Ok("ALTER DATABASE")
}
/// ALTER DATABASE ... SET and RESET.
pub fn set(name: &str, change: &(Option<String>, Option<String>), cx: &mut DdlCtx) -> Result<&'static str> {
    let mut d = (*database_named(name, cx)?).clone();
    super::role::apply_setting(&mut d.settings, change, cx)?;
    cx.put(Object::Database(Arc::new(d)))?;
    Ok("ALTER DATABASE")
}
