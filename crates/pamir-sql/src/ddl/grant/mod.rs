//! GRANT and REVOKE of privileges and roles, ALTER DEFAULT PRIVILEGES, REASSIGN and DROP OWNED.
//!
//! ```text
//!   statement -> privileges (bits, columns) x objects x grantees
//!   each object:  its list (kept or default) -> best grantor -> list with the grant merged in -> Grants entry
//! ```
//! The steps and messages are aclchk.c's: whose grant option counts (`best_grantor`), what a revoked grant option takes along (`lists::revoke_dependents`), what is
//! warned about and what refused.
//!
//! Invariants: an owner never loses grant options; a list keeps PostgreSQL's order of items, so that it prints alike.
//! Limits: system catalogs, functions, types, languages and what else has no owner of its own here: 0A000.
use super::DdlCtx;
use crate::catalog::acl::{self, Acl, DefaultAcl, Grants, Mode, ObjectKind, PUBLIC, Who};
use crate::catalog::{Kind, Object, Relation, Table};
use pamir_txn::RowLock;
use pamir_types::error::Severity;
use pamir_types::{Error, Oid, Result, SqlState, bail, err};
use sqlparser::ast::ObjectName;
use std::sync::Arc;

mod lists;
mod owned;
pub mod parse;
mod roles;
pub use owned::dependents;
pub use parse::{GrantPrivileges, GrantStatement, RoleSpec, Target};
pub use roles::add_members;

pub fn execute(s: &GrantStatement, cx: &mut DdlCtx) -> Result<&'static str> {
    match s {
        GrantStatement::Privileges(g, target) => privileges(g, target, cx),
        GrantStatement::Roles(g) => roles::execute(g, cx),
        GrantStatement::Defaults { roles, schemas, kind, grant } => defaults(roles, schemas, *kind, grant, cx),
        GrantStatement::ReassignOwned { roles, to } => owned::reassign(roles, to, cx),
        GrantStatement::DropOwned { roles, cascade } => owned::drop(roles, *cascade, cx),
    }
}

/// A role's OID; PUBLIC is 0 where it is allowed.
fn role_oid(r: &RoleSpec, public: bool, cx: &DdlCtx) -> Result<Oid> {
    Ok(match r {
        RoleSpec::Public if public => PUBLIC,
        RoleSpec::Public => bail!(UNDEFINED_OBJECT, "role \"public\" does not exist"),
        RoleSpec::Named(n) => cx.role_named(n)?.oid,
        RoleSpec::CurrentUser => cx.user()?.oid,
        RoleSpec::SessionUser => cx.role_named(cx.env.session_user())?.oid,
    })
}
pub fn role_oids(list: &[RoleSpec], public: bool, cx: &DdlCtx) -> Result<Vec<Oid>> {
    list.iter().map(|r| role_oid(r, public, cx)).collect()
}
fn warn(code: SqlState, message: String, cx: &mut DdlCtx) {
    cx.env.notice(Error::new(code, message).severity(Severity::Warning));
}

/// What a statement asks for, for one kind of object.
struct Asked<'a> {
    g: &'a GrantPrivileges,
    grantees: Vec<Oid>,
    all: bool,
    mode: Mode,
}

fn asked<'a>(g: &'a GrantPrivileges, kind: ObjectKind, cx: &DdlCtx) -> Result<Asked<'a>> {
    let grantees = role_oids(&g.grantees, true, cx)?;
    let all = g.privileges.iter().any(|p| p.mode.is_none() && p.columns.is_empty());
    let mut mode = if all { kind.all() } else { 0 };
    for p in &g.privileges {
        if !p.columns.is_empty() {
            if kind != ObjectKind::Table {
                bail!(INVALID_GRANT_OPERATION, "column privileges are only valid for relations");
            }
            continue;
        }
        if let Some(m) = p.mode {
            check_mode(m, kind)?;
            mode |= m;
        }
    }
    Ok(Asked { g, grantees, all, mode })
}
fn mode_name(m: Mode) -> &'static str {
    acl::NAMES.get(m.trailing_zeros() as usize).copied().unwrap_or("?")
}
fn check_mode(m: Mode, kind: ObjectKind) -> Result<()> {
    // A sequence may be named where a table is.
    let valid = if kind == ObjectKind::Table { kind.all() | acl::USAGE } else { kind.all() };
    if m & !valid != 0 {
        bail!(INVALID_GRANT_OPERATION, "invalid privilege type {} for {}", mode_name(m), plural(kind));
    }
    Ok(())
}
fn plural(kind: ObjectKind) -> &'static str {
    if kind == ObjectKind::Table { "relation" } else { kind.word() }
}

fn privileges(g: &GrantPrivileges, target: &Target, cx: &mut DdlCtx) -> Result<&'static str> {
    let tag = if g.is_grant { "GRANT" } else { "REVOKE" };
    if let Some(by) = &g.grantor
        && role_oid(by, false, cx)? != cx.user()?.oid
    {
        bail!(FEATURE_NOT_SUPPORTED, "grantor must be current user");
    }
    match target {
        Target::Tables(names) => {
            let mut relations = Vec::new();
            for n in names {
                relations.push(relation(n, false, cx)?);
            }
            let a = asked(g, ObjectKind::Table, cx)?;
            relations.into_iter().try_for_each(|r| on_relation(&r, &a, cx))?;
        }
        Target::Sequences(names) => {
            let mut relations = Vec::new();
            for n in names {
                relations.push(relation(n, true, cx)?);
            }
            let a = asked(g, ObjectKind::Sequence, cx)?;
            relations.into_iter().try_for_each(|r| on_relation(&r, &a, cx))?;
        }
        Target::Schemas(names) => {
            let mut found = Vec::new();
            for n in names {
                match cx.catalog.schema_by_name(cx.database(), n) {
                    Some(s) => found.push((s.oid, s.owner, n)),
                    None => bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist"),
                }
            }
            let a = asked(g, ObjectKind::Schema, cx)?;
            for (oid, owner, name) in found {
                cx.lock_object(Kind::Schema, oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Schema, oid, owner, name, &a, cx)?;
            }
        }
        Target::Databases(names) => {
            let mut found = Vec::new();
            for n in names {
                match cx.catalog.database_by_name(n) {
                    Some(d) => found.push((d.oid, d.owner, n)),
                    None => bail!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist"),
                }
            }
            let a = asked(g, ObjectKind::Database, cx)?;
            for (oid, owner, name) in found {
                cx.lock_object(Kind::Database, oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Database, oid, owner, name, &a, cx)?;
            }
        }
        Target::AllIn(kind, schemas) => {
            let a = asked(g, *kind, cx)?;
            let mut relations: Vec<Relation> = Vec::new();
            for n in schemas {
                let Some(s) = cx.catalog.schema_by_name(cx.database(), n).cloned() else {
                    bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
                };
                if !cx.catalog.may_use_schema(cx.env.scope(), s.oid) {
                    bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {n}");
                }
                let db = cx.database();
                match kind {
                    ObjectKind::Table => relations.extend(
                        cx.catalog.tables(db).into_iter().filter(|t| t.schema == s.oid).cloned().map(Relation::Table),
                    ),
                    ObjectKind::Sequence => relations.extend(
                        cx.catalog
                            .sequences(db)
                            .into_iter()
                            .filter(|q| q.schema == s.oid)
                            .cloned()
                            .map(Relation::Sequence),
                    ),
                    // There are none to be granted.
                    _ => {}
                }
            }
            relations.into_iter().try_for_each(|r| on_relation(&r, &a, cx))?;
        }
    }
    Ok(tag)
}

fn relation(n: &ObjectName, sequence: bool, cx: &mut DdlCtx) -> Result<Relation> {
    let (schema, name) = cx.split(n)?;
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Index(..) => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is an index"),
        Relation::Virtual(_) => Err(Error::unsupported("GRANT on a system catalog")),
        Relation::Table(_) if sequence => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a sequence"),
        r => Ok(r),
    }
}

fn on_relation(r: &Relation, a: &Asked, cx: &mut DdlCtx) -> Result<()> {
    match r {
        Relation::Table(t) => {
            cx.lock_object(Kind::Table, t.oid, RowLock::KeyShare)?;
            if a.mode & acl::USAGE != 0 {
                bail!(INVALID_GRANT_OPERATION, "invalid privilege type USAGE for table");
            }
            on_table(t, a, cx)
        }
        Relation::Sequence(s) => {
            cx.lock_object(Kind::Sequence, s.oid, RowLock::KeyShare)?;
            let kind = ObjectKind::Sequence;
            let mode = if a.all { kind.all() } else { a.mode & kind.all() };
            if !a.all && a.mode != mode {
                let text = format!("sequence \"{}\" only supports USAGE, SELECT, and UPDATE privileges", s.name);
                warn(pamir_types::error::state::INVALID_GRANT_OPERATION, text, cx);
            }
            let a = Asked { g: a.g, grantees: a.grantees.clone(), all: a.all, mode };
            on_object(kind, s.oid, s.owner, &s.name, &a, cx)
        }
        _ => Ok(()),
    }
}

/// The columns a statement names, each with what it asks for there.
fn columns_of(t: &Table, a: &Asked) -> Result<Vec<(i16, Mode)>> {
    let mut out: Vec<(i16, Mode)> = Vec::new();
    for p in a.g.privileges.iter().filter(|p| !p.columns.is_empty()) {
        let mode = match p.mode {
            None => ObjectKind::Column.all(),
            Some(m) if m & !ObjectKind::Column.all() != 0 => {
                bail!(INVALID_GRANT_OPERATION, "invalid privilege type {} for column", mode_name(m))
            }
            Some(m) => m,
        };
        for c in &p.columns {
            let Some(c) = t.column_by_name(c) else {
                bail!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{}\" does not exist", t.name)
            };
            match out.iter_mut().find(|x| x.0 == c.attnum) {
                Some(x) => x.1 |= mode,
                None => out.push((c.attnum, mode)),
            }
        }
    }
    // Who loses a privilege on the table loses it on every column.
    if !a.g.is_grant {
        let mode = a.mode & ObjectKind::Column.all();
        for c in t.live_columns().filter(|_| mode != 0) {
            match out.iter_mut().find(|x| x.0 == c.attnum) {
                Some(x) => x.1 |= mode,
                None => out.push((c.attnum, mode)),
            }
        }
    }
    out.sort_unstable();
    Ok(out)
}

fn on_table(t: &Arc<Table>, a: &Asked, cx: &mut DdlCtx) -> Result<()> {
    let columns = columns_of(t, a)?;
    if a.mode != 0 {
        on_object(ObjectKind::Table, t.oid, t.owner, &t.name, a, cx)?;
    }
    for (attnum, mode) in columns {
        let mut kept = kept(t.oid, cx)?;
        let old = kept.column(attnum).cloned();
        // Nothing to take away.
        if !a.g.is_grant && old.is_none() && a.mode & mode == mode {
            continue;
        }
        let old = old.unwrap_or_default();
        // The table's grant options count for its columns.
        let mut merged = cx.catalog.acl(ObjectKind::Table, t.oid, t.owner).into_owned();
        for i in &old {
            lists::add(&mut merged, *i);
        }
        let name = t.column(attnum).map_or("", |c| &c.name);
        let shown = format!("\"{name}\" of relation \"{}\"", t.name);
        let (grantor, mode) =
            grantor(ObjectKind::Column, mode, &merged, t.owner, &Shown { plain: &shown, quoted: &shown }, a, cx)?;
        let new = merge(old, grantor, t.owner, mode, a)?;
        kept.columns.retain(|c| c.0 != attnum);
        if !new.is_empty() {
            kept.columns.push((attnum, new));
            kept.columns.sort_by_key(|c| c.0);
        }
        keep(kept, cx)?;
    }
    Ok(())
}
fn on_object(kind: ObjectKind, oid: Oid, owner: Oid, name: &str, a: &Asked, cx: &mut DdlCtx) -> Result<()> {
    let mut kept = kept(oid, cx)?;
    let old = cx.catalog.acl(kind, oid, owner).into_owned();
    let quoted = format!("\"{name}\"");
    let (grantor, mode) = grantor(kind, a.mode, &old, owner, &Shown { plain: name, quoted: &quoted }, a, cx)?;
    kept.acl = Some(merge(old, grantor, owner, mode, a)?);
    keep(kept, cx)
}

/// An object's lists, locked, in their newest state.
fn kept(oid: Oid, cx: &mut DdlCtx) -> Result<Grants> {
    Ok(match cx.lock_object(Kind::Grants, oid, RowLock::Update)? {
        Some(Object::Grants(g)) => (*g).clone(),
        _ => Grants { oid, ..Grants::default() },
    })
}
fn keep(g: Grants, cx: &mut DdlCtx) -> Result<()> {
    if g.acl.is_none() && g.columns.is_empty() {
        return cx.remove(Kind::Grants, g.oid);
    }
    cx.put(Object::Grants(Arc::new(g)))
}

/// An object's name in messages.
struct Shown<'a> {
    plain: &'a str,
    quoted: &'a str,
}

/// As whom the user grants, and what of `mode` that role may (select_best_grantor, restrict_and_check_grant).
fn grantor(
    kind: ObjectKind,
    mode: Mode,
    list: &Acl,
    owner: Oid,
    shown: &Shown,
    a: &Asked,
    cx: &mut DdlCtx,
) -> Result<(Oid, Mode)> {
    let user = cx.user()?.oid;
    let who = Who::new(cx.catalog, user, cx.database());
    let (grantor, available) = lists::best_grantor(&who, mode, list, owner);
    if available == 0 {
        // Somebody who has no privilege at all is not to learn more.
        let by = Who::new(cx.catalog, grantor, cx.database());
        if !lists::any(&by, list, owner, kind.all()) && !by.reads_or_writes(kind) {
            if kind == ObjectKind::Column {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for column {}", shown.plain);
            }
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", kind.word(), shown.plain);
        }
    }
    let granted = mode & available;
    let name = if kind == ObjectKind::Column { format!("column {}", shown.quoted) } else { shown.quoted.to_string() };
    let part = !a.all && granted != mode;
    use pamir_types::error::state::{PRIVILEGE_NOT_GRANTED, PRIVILEGE_NOT_REVOKED};
    match (a.g.is_grant, granted == 0) {
        (true, true) => warn(PRIVILEGE_NOT_GRANTED, format!("no privileges were granted for {name}"), cx),
        (true, false) if part => warn(PRIVILEGE_NOT_GRANTED, format!("not all privileges were granted for {name}"), cx),
        (false, true) => warn(PRIVILEGE_NOT_REVOKED, format!("no privileges could be revoked for {name}"), cx),
        (false, false) if part => {
            warn(PRIVILEGE_NOT_REVOKED, format!("not all privileges could be revoked for {name}"), cx)
        }
        _ => {}
    }
    Ok((grantor, granted))
}
fn merge(mut list: Acl, grantor: Oid, owner: Oid, mode: Mode, a: &Asked) -> Result<Acl> {
    for grantee in &a.grantees {
        if a.g.is_grant && a.g.option && *grantee == PUBLIC {
            bail!(INVALID_GRANT_OPERATION, "grant options can only be granted to roles");
        }
        lists::change(&mut list, *grantee, grantor, owner, mode, a.g)?;
    }
    Ok(list)
}

/// ALTER DEFAULT PRIVILEGES.
fn defaults(
    roles: &[RoleSpec],
    schemas: &[String],
    kind: ObjectKind,
    g: &GrantPrivileges,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let a = asked(g, kind, cx)?;
    if a.mode & acl::USAGE != 0 && kind == ObjectKind::Table {
        bail!(INVALID_GRANT_OPERATION, "invalid privilege type USAGE for relation");
    }
    let me = cx.user()?.oid;
    let roles = if roles.is_empty() { vec![me] } else { role_oids(roles, false, cx)? };
    let mut places = Vec::new();
    for n in schemas {
        if kind == ObjectKind::Schema {
            bail!(INVALID_GRANT_OPERATION, "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS");
        }
        match cx.catalog.schema_by_name(cx.database(), n) {
            Some(s) => places.push(s.oid),
            None => bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist"),
        }
    }
    if places.is_empty() {
        places.push(0);
    }
    for role in roles {
        if !acl::is_member(cx.catalog, me, role, cx.database()) {
            let name = cx.catalog.role(role).map_or("", |r| &r.name);
            bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{name}\"");
        }
        for schema in &places {
            let plain = if *schema == 0 { acl::default_acl(kind, role) } else { Vec::new() };
            let database = cx.database();
            let found = default_of(role, database, *schema, kind, cx).cloned();
            let old = found.as_ref().map_or_else(|| plain.clone(), |d| d.acl.clone());
            let new = merge(old, role, role, a.mode, &a)?;
            let oid = found.as_ref().map(|d| d.oid);
            if lists::sorted(&new) == lists::sorted(&plain) {
                if let Some(oid) = oid {
                    cx.remove(Kind::DefaultAcl, oid)?;
                }
                continue;
            }
            let oid = match oid {
                Some(o) => o,
                None => cx.new_oid()?,
            };
            cx.put(Object::DefaultAcl(Arc::new(DefaultAcl { oid, role, database, schema: *schema, kind, acl: new })))?;
        }
    }
    Ok("ALTER DEFAULT PRIVILEGES")
}
fn default_of<'a>(role: Oid, database: Oid, schema: Oid, kind: ObjectKind, cx: &'a DdlCtx) -> Option<&'a DefaultAcl> {
    cx.catalog
        .default_acls()
        .into_iter()
        .find(|d| d.role == role && d.database == database && d.schema == schema && d.kind == kind)
}
/// Gives a new object the list that its owner's default privileges say.
pub fn start_with_defaults(
    kind: ObjectKind,
    oid: Oid,
    owner: Oid,
    database: Oid,
    schema: Oid,
    cx: &mut DdlCtx,
) -> Result<()> {
    let everywhere = default_of(owner, database, 0, kind, cx).map(|d| d.acl.clone());
    let here = if schema == 0 { None } else { default_of(owner, database, schema, kind, cx).map(|d| d.acl.clone()) };
    if everywhere.is_none() && here.is_none() {
        return Ok(());
    }
    let plain = acl::default_acl(kind, owner);
    let mut list = everywhere.unwrap_or_else(|| plain.clone());
    for i in here.iter().flatten() {
        lists::add(&mut list, *i);
    }
    let list = lists::sorted(&list);
    if list == lists::sorted(&plain) {
        return Ok(());
    }
    keep(Grants { oid, acl: Some(list), columns: Vec::new() }, cx)
}
/// An object got another owner: the old one's items become the new one's.
pub fn new_owner(oid: Oid, old: Oid, new: Oid, cx: &mut DdlCtx) -> Result<()> {
    if old == new {
        return Ok(());
    }
    let Some(g) = cx.catalog.grants(oid).cloned() else { return Ok(()) };
    let acl = g.acl.map(|a| lists::with_owner(&a, old, new));
    let columns = g.columns.into_iter().map(|(n, a)| (n, lists::with_owner(&a, old, new))).collect();
    keep(Grants { oid, acl, columns }, cx)
}
/// 2BP01
fn still_granted() -> Error {
    err!(DEPENDENT_OBJECTS_STILL_EXIST, "dependent privileges exist").hint("Use CASCADE to revoke them too.")
}
