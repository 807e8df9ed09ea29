//! REASSIGN OWNED and DROP OWNED: what roles own in this database, and what was granted to them.
use super::{keep, kept, large_objects, lists, role_oid, role_oids};
use crate::ddl::{DdlCtx, event_trigger, policy, remove, text_search};
use pamir_catalog::acl::{self, Acl, ObjectKind};
use pamir_catalog::function::Function;
use pamir_catalog::types::UserType;
use pamir_catalog::{Database, Kind, Object, Schema, Sequence, Table, well_known};
use pamir_parse::tree::{DropBehavior, RoleSpec};
use pamir_txn::{RowLock, TableLock};
use pamir_types::{Oid, Result, bail};
use std::sync::Arc;

fn check(roles: &[Oid], cx: &DdlCtx) -> Result<()> {
    for r in roles {
        if !cx.who()?.has_role(*r) {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied to reassign objects");
        }
    }
    Ok(())
}

pub fn reassign(roles: &[RoleSpec], to: &RoleSpec, cx: &mut DdlCtx) -> Result<&'static str> {
    let roles = role_oids(roles, false, cx)?;
    check(&roles, cx)?;
    not_pinned(&roles, "reassign ownership of objects owned", cx)?;
    let to = role_oid(to, false, cx)?;
    check(&[to], cx)?;
    let db = cx.database();
    let mine = |o: Oid| roles.contains(&o);
    let tables: Vec<Oid> = cx.catalog.tables_and_views(db).iter().filter(|t| mine(t.owner)).map(|t| t.oid).collect();
    for t in tables {
        if let Some(t) = cx.lock_table_if_exists(t, TableLock::AccessExclusive)? {
            cx.put_table(Table { owner: to, ..(*t).clone() })?;
        }
    }
    let sequences: Vec<Oid> = cx.catalog.sequences(db).iter().filter(|s| mine(s.owner)).map(|s| s.oid).collect();
    for s in sequences {
        let s = cx.lock_sequence(s)?;
        cx.put(Object::Sequence(Arc::new(Sequence { owner: to, ..(*s).clone() })))?;
    }
    let functions: Vec<_> = cx.catalog.functions(db).into_iter().filter(|f| mine(f.owner)).cloned().collect();
    for f in functions {
        cx.lock_object(Kind::Function, f.oid, RowLock::Update)?;
        cx.put(Object::Function(Arc::new(Function { owner: to, ..(*f).clone() })))?;
    }
    let types: Vec<_> = cx.catalog.user_types(db).into_iter().filter(|t| mine(t.owner)).cloned().collect();
    for t in types {
        cx.put(Object::Type(Arc::new(UserType { owner: to, ..(*t).clone() })))?;
    }
    let events: Vec<_> = cx.catalog.event_triggers(db).into_iter().filter(|t| mine(t.owner)).cloned().collect();
    for t in events {
        event_trigger::set_owner(&t.name, to, cx)?;
    }
    text_search::reassign(mine, to, cx)?;
    let schemas: Vec<Oid> = cx.catalog.schemas(db).iter().filter(|s| mine(s.owner)).map(|s| s.oid).collect();
    for s in schemas {
        let s = cx.lock_schema(s, RowLock::Update)?;
        cx.put(Object::Schema(Arc::new(Schema { owner: to, ..(*s).clone() })))?;
    }
    let databases: Vec<Database> = cx.catalog.databases().into_iter().filter(|d| mine(d.owner)).cloned().collect();
    for d in databases {
        cx.lock_object(Kind::Database, d.oid, RowLock::Update)?;
        cx.put(Object::Database(Arc::new(Database { owner: to, ..d })))?;
    }
    large_objects::reassign(&roles, to, cx)?;
    Ok("REASSIGN OWNED")
}

/// What the first role owns is not for wholesale: 2BP01.
fn not_pinned(roles: &[Oid], what: &str, cx: &DdlCtx) -> Result<()> {
    if roles.contains(&well_known::POSTGRES_ROLE) {
        let name = cx.catalog.role(well_known::POSTGRES_ROLE).map_or("", |r| &r.name);
        bail!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot {what} by role {name} because they are required by the database system"
        );
    }
    Ok(())
}

pub fn drop_owned(roles: &[RoleSpec], behavior: DropBehavior, cx: &mut DdlCtx) -> Result<&'static str> {
    let roles = role_oids(roles, false, cx)?;
    for r in &roles {
        if !cx.who()?.has_role(*r) {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied to drop objects");
        }
    }
    not_pinned(&roles, "drop objects owned", cx)?;
    let db = cx.database();
    let mine = |o: Oid| roles.contains(&o);
    // Privileges first: those on objects of others, here and shared.
    let objects: Vec<Oid> = cx.catalog.all_grants().iter().map(|g| g.oid).collect();
    for oid in objects {
        let Some((owner, database)) = owner_of(oid, cx) else { continue };
        if database != db && database != 0 {
            continue;
        }
        let mut g = kept(oid, cx)?;
        let before = g.clone();
        let without = |acl: &Acl| -> Acl {
            let mut out: Acl =
                acl.iter().filter(|i| mine(owner) || !mine(i.grantee) && !mine(i.grantor)).copied().collect();
            out.retain(|i| i.privs != 0);
            out
        };
        g.acl = g.acl.as_ref().map(without);
        g.columns = g.columns.iter().map(|(n, a)| (*n, without(a))).filter(|c| !c.1.is_empty()).collect();
        if g != before {
            keep(g, cx)?;
        }
    }
    let defaults: Vec<_> = cx.catalog.default_acls().into_iter().filter(|d| d.database == db).cloned().collect();
    for d in defaults {
        if mine(d.role) {
            cx.remove(Kind::DefaultAcl, d.oid)?;
            continue;
        }
        let left: Acl = d.acl.iter().filter(|i| !mine(i.grantee)).copied().collect();
        if left.len() == d.acl.len() {
            continue;
        }
        let plain = if d.schema == 0 { acl::default_acl(d.kind, d.role) } else { Vec::new() };
        if lists::sorted(&left) == lists::sorted(&plain) {
            cx.remove(Kind::DefaultAcl, d.oid)?;
        } else {
            cx.put(Object::DefaultAcl(Arc::new(acl::DefaultAcl { acl: left, ..d })))?;
        }
    }
    large_objects::drop_owned(&roles, cx)?;
    policy::forget_roles(&roles, cx)?;
    remove::drop_owned(&roles, behavior == DropBehavior::Cascade, cx)?;
    Ok("DROP OWNED")
}

/// (owner, database) of an object that has lists; database 0: shared.
pub fn owner_of(oid: Oid, cx: &DdlCtx) -> Option<(Oid, Oid)> {
    let c = &cx.catalog;
    if let Some(t) = c.table(oid) {
        return Some((t.owner, t.database));
    }
    if let Some(s) = c.sequence(oid) {
        return Some((s.owner, s.database));
    }
    if let Some(s) = c.schema(oid) {
        return Some((s.owner, s.database));
    }
    if let Some(t) = c.user_type(oid) {
        return Some((t.owner, t.database));
    }
    c.database(oid).map(|d| (d.owner, 0))
}

/// Objects that DROP ROLE's detail names (PostgreSQL's MAX_REPORTED_DEPS).
const MOST_NAMED: usize = 100;

/// What keeps a role from being dropped, as DROP ROLE's detail says it.
pub fn dependents(role: Oid, cx: &DdlCtx) -> Result<Vec<String>> {
    let (c, db) = (&cx.catalog, cx.database());
    let (mut out, mut more) = (Vec::new(), 0);
    let mut elsewhere: std::collections::BTreeMap<Oid, usize> = Default::default();
    let mut say = |database: Oid, text: String| {
        if database == db || database == 0 {
            if out.len() < MOST_NAMED {
                out.push(text);
            } else {
                more += 1;
            }
        } else {
            *elsewhere.entry(database).or_default() += 1;
        }
    };
    let named = |a: &Acl| a.iter().any(|i| i.grantee == role || i.grantor == role);
    let has = |oid: Oid| {
        c.grants(oid).is_some_and(|g| g.acl.as_ref().is_some_and(named) || g.columns.iter().any(|c| named(&c.1)))
    };
    for d in c.databases() {
        if d.owner == role {
            say(0, format!("owner of database {}", d.name));
        } else if has(d.oid) {
            say(0, format!("privileges for database {}", d.name));
        }
        for s in c.schemas(d.oid).into_iter().filter(|s| s.database == d.oid) {
            if s.owner == role {
                say(d.oid, format!("owner of schema {}", s.name));
            } else if has(s.oid) {
                say(d.oid, format!("privileges for schema {}", s.name));
            }
        }
        for t in c.tables_and_views(d.oid) {
            if t.owner == role {
                say(d.oid, format!("owner of {} {}", t.word(), cx.shown(t.oid)));
                continue;
            }
            let Some(g) = c.grants(t.oid) else { continue };
            if g.acl.as_ref().is_some_and(named) {
                say(d.oid, format!("privileges for table {}", cx.shown(t.oid)));
            }
            for (n, _) in g.columns.iter().filter(|x| named(&x.1)) {
                let column = t.column(*n).map_or("", |c| &c.name);
                say(d.oid, format!("privileges for column {column} of table {}", cx.shown(t.oid)));
            }
        }
        for p in c.policies(d.oid).into_iter().filter(|p| p.roles.contains(&role)) {
            say(d.oid, format!("target of {}", policy::shown(p, cx)));
        }
        for (what, oid) in text_search::owned_by(role, d.oid, cx) {
            let name = c.ts_name(cx.env.scope(), what, oid).unwrap_or_default();
            say(d.oid, format!("owner of {} {name}", what.words()));
        }
        for t in c.event_triggers(d.oid).into_iter().filter(|t| t.owner == role) {
            say(d.oid, format!("owner of event trigger {}", t.name));
        }
        for f in c.functions(d.oid) {
            let shown = crate::ddl::routine::described(f, cx);
            if f.owner == role {
                say(d.oid, format!("owner of {shown}"));
            } else if has(f.oid) {
                say(d.oid, format!("privileges for {shown}"));
            }
        }
        for t in c.user_types(d.oid) {
            let shown = c.type_name(cx.env.scope(), t.oid).unwrap_or_else(|| t.name.clone());
            if t.owner == role {
                say(d.oid, format!("owner of type {shown}"));
            } else if has(t.oid) {
                say(d.oid, format!("privileges for type {shown}"));
            }
        }
        for s in c.sequences(d.oid) {
            if s.owner == role {
                if s.owned_by.is_none() {
                    say(d.oid, format!("owner of sequence {}", cx.shown(s.oid)));
                }
            } else if has(s.oid) {
                say(d.oid, format!("privileges for sequence {}", cx.shown(s.oid)));
            }
        }
        large_objects::each_of(role, d.oid, cx, &mut |oid, owner| {
            say(d.oid, format!("{} large object {oid}", if owner { "owner of" } else { "privileges for" }));
        })?;
    }
    for d in c.default_acls() {
        let owner = c.role(d.role).map_or("", |r| &r.name);
        let things = match d.kind {
            ObjectKind::Table => "relations",
            ObjectKind::Sequence => "sequences",
            ObjectKind::Function => "functions",
            ObjectKind::Type => "types",
            _ => "schemas",
        };
        let place = c.schema(d.schema).map_or(String::new(), |s| format!(" in schema {}", s.name));
        let text = format!("default privileges on new {things} belonging to role {owner}{place}");
        if d.role == role {
            say(d.database, format!("owner of {text}"));
        } else if d.acl.iter().any(|i| i.grantee == role) {
            say(d.database, format!("privileges for {text}"));
        }
    }
    if more > 0 {
        out.push(format!("and {more} other object{} (see server log for list)", if more == 1 { "" } else { "s" }));
    }
    for (database, n) in elsewhere {
        let name = c.database(database).map_or("", |d| &d.name);
        out.push(format!("{n} object{} in database {name}", if n == 1 { "" } else { "s" }));
    }
    Ok(out)
}
