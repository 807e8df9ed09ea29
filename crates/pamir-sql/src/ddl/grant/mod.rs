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
//! Limits: system catalogs, the server's own types, languages and what else has no owner of its own here: 0A000.
use super::DdlCtx;
use super::cx::one_name;
use pamir_catalog::acl::{self, Acl, DefaultAcl, Grants, Mode, ObjectKind, PUBLIC, Who};
use pamir_catalog::{Kind, Object, Relation, Table};
use pamir_parse::tree::{DefaultPrivileges, Grant, GrantTarget, ObjectKind as Of, QualifiedName, Role, RoleSpec};
use pamir_txn::RowLock;
use pamir_types::error::Severity;
use pamir_types::{Error, Oid, Result, SqlState, bail, err};
use std::sync::Arc;

mod large_objects;
mod lists;
mod owned;
mod roles;
pub use large_objects::with_owner;
pub use owned::{dependents, drop_owned, reassign};
pub use roles::{add_members, grant_role, remove_members};

/// A role's OID; PUBLIC is 0 where it is allowed.
fn role_oid(r: &RoleSpec, public: bool, cx: &DdlCtx) -> Result<Oid> {
    if public && r.role == Role::Public { Ok(PUBLIC) } else { cx.owner_from(r) }
}
pub fn role_oids(list: &[RoleSpec], public: bool, cx: &DdlCtx) -> Result<Vec<Oid>> {
    list.iter().map(|r| role_oid(r, public, cx)).collect()
}
fn warn(code: SqlState, message: String, cx: &mut DdlCtx) {
    cx.env.notice(Error::new(code, message).severity(Severity::Warning));
}

/// What a statement asks for, for one kind of object.
struct Asked<'a> {
    g: &'a Grant,
    grantees: Vec<Oid>,
    all: bool,
    mode: Mode,
}

fn asked<'a>(g: &'a Grant, kind: ObjectKind, cx: &DdlCtx) -> Result<Asked<'a>> {
    let grantees = role_oids(&g.grantees, true, cx)?;
    let all = g.privileges.is_empty() && g.all_columns.is_empty();
    let mut mode = if all { kind.all() } else { 0 };
    let of_columns = |columns: &[String]| {
        if !columns.is_empty() && kind != ObjectKind::Table {
            bail!(INVALID_GRANT_OPERATION, "column privileges are only valid for relations");
        }
        Ok(!columns.is_empty())
    };
    of_columns(&g.all_columns)?;
    for p in &g.privileges {
        // Their names are looked at beside the columns'.
        if of_columns(&p.columns)? {
            continue;
        }
        let m = mode_named(&p.name)?;
        check_mode(m, kind)?;
        mode |= m;
    }
    Ok(Asked { g, grantees, all, mode })
}
/// A privilege by its name in a statement.
fn mode_named(name: &str) -> Result<Mode> {
    if name == "temp" {
        return Ok(acl::TEMPORARY);
    }
    match acl::NAMES.iter().position(|n| n.to_ascii_lowercase() == name) {
        Some(bit) => Ok(1 << bit),
        None => bail!(SYNTAX_ERROR, "unrecognized privilege type \"{name}\""),
    }
}
/// A privilege's name in messages.
fn mode_name(m: Mode) -> &'static str {
    if m == acl::TEMPORARY {
        return "TEMP";
    }
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

/// GRANT and REVOKE of privileges.
pub fn grant(g: &Grant, cx: &mut DdlCtx) -> Result<&'static str> {
    if let Some(by) = &g.granted_by
        && role_oid(by, false, cx)? != cx.user()?.oid
    {
        bail!(FEATURE_NOT_SUPPORTED, "grantor must be current user");
    }
    match &g.target {
        GrantTarget::Objects(Of::Table, names) => {
            let relations = relations(names, false, cx)?;
            on_relations(&relations, &asked(g, ObjectKind::Table, cx)?, cx)?;
        }
        GrantTarget::Objects(Of::Sequence, names) => {
            let relations = relations(names, true, cx)?;
            on_relations(&relations, &asked(g, ObjectKind::Sequence, cx)?, cx)?;
        }
        GrantTarget::Objects(Of::Schema, names) => {
            let mut found = Vec::new();
            for n in names {
                let n = one_name(&n.parts)?;
                match cx.catalog.schema_by_name(cx.database(), &n) {
                    Some(s) => found.push((s.oid, s.owner, n)),
                    None => bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist"),
                }
            }
            let a = asked(g, ObjectKind::Schema, cx)?;
            for (oid, owner, name) in found {
                cx.lock_object(Kind::Schema, oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Schema, oid, owner, &name, &a, cx)?;
            }
        }
        GrantTarget::Objects(Of::Database, names) => {
            let mut found = Vec::new();
            for n in names {
                let n = one_name(&n.parts)?;
                match cx.catalog.database_by_name(&n) {
                    Some(d) => found.push((d.oid, d.owner, n)),
                    None => bail!(INVALID_CATALOG_NAME, "database \"{n}\" does not exist"),
                }
            }
            let a = asked(g, ObjectKind::Database, cx)?;
            for (oid, owner, name) in found {
                cx.lock_object(Kind::Database, oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Database, oid, owner, &name, &a, cx)?;
            }
        }
        GrantTarget::AllIn(of, schemas) => {
            let kind = match of {
                Of::Table => ObjectKind::Table,
                Of::Sequence => ObjectKind::Sequence,
                _ => ObjectKind::Function,
            };
            let relations = relations_in(kind, schemas, cx)?;
            if kind == ObjectKind::Function {
                let a = asked(g, kind, cx)?;
                for f in super::routine::in_schemas(*of, schemas, cx)? {
                    on_object(kind, f.oid, f.owner, &f.name, &a, cx)?;
                }
                return Ok(if g.revoke { "REVOKE" } else { "GRANT" });
            }
            on_relations(&relations, &asked(g, kind, cx)?, cx)?;
        }
        GrantTarget::Routines(of, refs) => {
            let mut found = Vec::new();
            for r in refs {
                found.push(super::routine::known(*of, r, cx)?);
            }
            let a = asked(g, ObjectKind::Function, cx)?;
            for f in found {
                cx.lock_object(Kind::Function, f.oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Function, f.oid, f.owner, &f.name, &a, cx)?;
            }
        }
        GrantTarget::Objects(of @ (Of::Type | Of::Domain), names) => {
            let found = names.iter().map(|n| super::types::granted(*of, &n.parts, cx)).collect::<Result<Vec<_>>>()?;
            let a = asked(g, ObjectKind::Type, cx)?;
            for t in found {
                cx.lock_object(Kind::Type, t.oid, RowLock::KeyShare)?;
                on_object(ObjectKind::Type, t.oid, t.owner, &t.name, &a, cx)?;
            }
        }
        GrantTarget::Objects(other, _) | GrantTarget::Default(other) => {
            return Err(Error::unsupported(format!("GRANT ON {}", other.words())));
        }
        GrantTarget::LargeObjects(list) => large_objects::grant(list, g, cx)?,
    }
    Ok(if g.revoke { "REVOKE" } else { "GRANT" })
}
/// ALL ... IN SCHEMA; of functions there are none to be granted.
fn relations_in(kind: ObjectKind, schemas: &[String], cx: &DdlCtx) -> Result<Vec<Relation>> {
    let (db, mut found) = (cx.database(), Vec::new());
    for n in schemas {
        let Some(s) = cx.catalog.schema_by_name(db, n) else {
            bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
        };
        if !cx.catalog.may_use_schema(cx.env.scope(), s.oid) {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {n}");
        }
        match kind {
            ObjectKind::Table => {
                let tables = cx.catalog.tables_and_views(db).into_iter().filter(|t| t.schema == s.oid);
                found.extend(tables.cloned().map(Relation::Table));
            }
            ObjectKind::Sequence => {
                let sequences = cx.catalog.sequences(db).into_iter().filter(|q| q.schema == s.oid);
                found.extend(sequences.cloned().map(Relation::Sequence));
            }
            _ => {}
        }
    }
    Ok(found)
}
fn relations(names: &[QualifiedName], sequence: bool, cx: &DdlCtx) -> Result<Vec<Relation>> {
    names.iter().map(|n| relation(&n.parts, sequence, cx)).collect()
}
fn relation(n: &[String], sequence: bool, cx: &DdlCtx) -> Result<Relation> {
    let (schema, name) = cx.split(n)?;
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Index(..) => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is an index"),
        Relation::Virtual(_) => Err(Error::unsupported("GRANT on a system catalog")),
        Relation::Table(_) if sequence => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a sequence"),
        r => Ok(r),
    }
}

fn on_relations(all: &[Relation], a: &Asked, cx: &mut DdlCtx) -> Result<()> {
    all.iter().try_for_each(|r| on_relation(r, a, cx))
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
    let mut add = |columns: &[String], mode: Mode| -> Result<()> {
        for c in columns {
            let Some(c) = t.column_by_name(c) else {
                bail!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{}\" does not exist", t.name)
            };
            match out.iter_mut().find(|x| x.0 == c.attnum) {
                Some(x) => x.1 |= mode,
                None => out.push((c.attnum, mode)),
            }
        }
        Ok(())
    };
    let all = ObjectKind::Column.all();
    add(&a.g.all_columns, all)?;
    for p in a.g.privileges.iter().filter(|p| !p.columns.is_empty()) {
        let mode = mode_named(&p.name)?;
        if mode & !all != 0 {
            bail!(INVALID_GRANT_OPERATION, "invalid privilege type {} for column", mode_name(mode));
        }
        add(&p.columns, mode)?;
    }
    // Who loses a privilege on the table loses it on every column.
    if a.g.revoke {
        let mode = a.mode & all;
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
        if a.g.revoke && old.is_none() && a.mode & mode == mode {
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
    match (!a.g.revoke, granted == 0) {
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
        if !a.g.revoke && a.g.grant_option && *grantee == PUBLIC {
            bail!(INVALID_GRANT_OPERATION, "grant options can only be granted to roles");
        }
        lists::change(&mut list, *grantee, grantor, owner, mode, a.g.into())?;
    }
    Ok(list)
}

/// ALTER DEFAULT PRIVILEGES: for roles (none: the current one), in schemas (none: all).
pub fn default_privileges(d: &DefaultPrivileges, cx: &mut DdlCtx) -> Result<&'static str> {
    let (g, schemas) = (&d.grant, &d.schemas);
    let kind = match &g.target {
        GrantTarget::Default(Of::Table) => ObjectKind::Table,
        GrantTarget::Default(Of::Sequence) => ObjectKind::Sequence,
        GrantTarget::Default(Of::Function) => ObjectKind::Function,
        GrantTarget::Default(Of::Type) => ObjectKind::Type,
        GrantTarget::Default(Of::Schema) => ObjectKind::Schema,
        _ => return Err(Error::internal("default privileges without a kind of object")),
    };
    if !g.all_columns.is_empty() || g.privileges.iter().any(|p| !p.columns.is_empty()) {
        bail!(INVALID_GRANT_OPERATION, "default privileges cannot be set for columns");
    }
    let a = asked(g, kind, cx)?;
    if a.mode & acl::USAGE != 0 && kind == ObjectKind::Table {
        bail!(INVALID_GRANT_OPERATION, "invalid privilege type USAGE for relation");
    }
    let me = cx.user()?.oid;
    let roles = if d.roles.is_empty() { vec![me] } else { role_oids(&d.roles, false, cx)? };
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
