//! DROP TABLE, VIEW, INDEX, SEQUENCE, SCHEMA, DATABASE, EXTENSION: names to objects, and how a table goes.
//!
//! Here is what each kind of DROP asks of what it names; what hangs on that, who is told of it and how it goes is [`fall`]'s.
use super::cx::one_name;
use super::{
    DdlCtx, absent, column, database, event_trigger, extended, extension, fall, inherit, operator, policy, routine,
    rule, sequence, text_search, trigger, types,
};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::{Kind, Relation, Sequence, Table};
use pamir_parse::tree::{Drop, DropBehavior, Object, ObjectKind};
use pamir_txn::{RowLock, TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let cascade = d.behavior == DropBehavior::Cascade;
    let names = || {
        d.objects.iter().filter_map(|o| match o {
            Object::Named(_, n) => Some(n.parts.as_slice()),
            _ => None,
        })
    };
    match d.kind {
        ObjectKind::Table => {
            let mut set = DropSet::default();
            for n in names() {
                if let Some(t) = find_table(n, d.if_exists, cx)? {
                    set.add(ObjectRef::relation(t.oid));
                }
            }
            set.execute(cascade, cx)?;
            Ok("DROP TABLE")
        }
        ObjectKind::Sequence => {
            let mut set = DropSet::default();
            for n in names() {
                let (schema, name) = cx.split(n)?;
                match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
                    None => missing("sequence", schema.as_deref(), &name, d.if_exists, cx)?,
                    Some(Relation::Sequence(_)) => {
                        if let Some(s) = sequence::find(n, d.if_exists, cx)? {
                            set.add_sequence(&s, cx)?;
                        }
                    }
                    Some(r) => return Err(wrong_kind(&r, &name, "sequence")),
                }
            }
            set.execute(cascade, cx)?;
            Ok("DROP SEQUENCE")
        }
        ObjectKind::Index => {
            if d.concurrently && d.objects.len() > 1 {
                bail!(FEATURE_NOT_SUPPORTED, "DROP INDEX CONCURRENTLY does not support dropping multiple objects");
            }
            if d.concurrently && cascade {
                bail!(FEATURE_NOT_SUPPORTED, "DROP INDEX CONCURRENTLY does not support CASCADE");
            }
            for n in names() {
                drop_index(n, d.if_exists, cascade, d.concurrently, cx)?;
            }
            Ok("DROP INDEX")
        }
        ObjectKind::View | ObjectKind::MaterializedView => drop_kind_of_view(d, cx),
        ObjectKind::Schema => {
            let mut set = DropSet::default();
            for n in names() {
                set.add_schema(&one_name(n)?, d.if_exists, cx)?;
            }
            set.execute(cascade, cx)?;
            Ok("DROP SCHEMA")
        }
        ObjectKind::Database => {
            for n in names() {
                database::drop_database(&one_name(n)?, d.if_exists, d.force, cx)?;
            }
            Ok("DROP DATABASE")
        }
        ObjectKind::Extension => {
            let all = names().map(one_name).collect::<Result<Vec<_>>>()?;
            extension::drop(&all, d.if_exists, cascade, cx)?;
            Ok("DROP EXTENSION")
        }
        ObjectKind::Type | ObjectKind::Domain => {
            let types = d.objects.iter().filter_map(|o| match o {
                Object::Type(_, t) => Some(t),
                _ => None,
            });
            types::drop(d.kind, &types.collect::<Vec<_>>(), d.if_exists, d.behavior, cx)?;
            Ok(if d.kind == ObjectKind::Type { "DROP TYPE" } else { "DROP DOMAIN" })
        }
        ObjectKind::Statistics => extended::drop(d, cx),
        ObjectKind::Function | ObjectKind::Procedure | ObjectKind::Routine | ObjectKind::Aggregate => {
            routine::drop(d, cx)
        }
        ObjectKind::Operator => operator::drop(d, cx),
        ObjectKind::Cast => operator::drop_cast(d, cx),
        ObjectKind::EventTrigger => event_trigger::drop(names().map(one_name), d.if_exists, cx),
        ObjectKind::Rule => {
            for o in &d.objects {
                if let Object::On { name, of, .. } = o {
                    rule::drop(name, &of.parts, d.if_exists, cx)?;
                }
            }
            Ok("DROP RULE")
        }
        ObjectKind::Trigger => trigger::drop(d, cx),
        ObjectKind::Policy => policy::drop(d, cx),
        kind => match text_search::what(kind) {
            Some(what) => text_search::drop(d, what, cx),
            None => absent::drop(d, cx),
        },
    }
}

/// DROP VIEW, DROP MATERIALIZED VIEW.
fn drop_kind_of_view(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let (word, tag, materialized) = match d.kind {
        ObjectKind::View => ("view", "DROP VIEW", false),
        _ => ("materialized view", "DROP MATERIALIZED VIEW", true),
    };
    let mut set = DropSet::default();
    for o in &d.objects {
        let Object::Named(_, n) = o else { continue };
        let n = n.parts.as_slice();
        let (schema, name) = cx.split(n)?;
        match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
            None => missing(word, schema.as_deref(), &name, d.if_exists, cx)?,
            Some(Relation::Table(t)) if t.view.as_ref().is_some_and(|v| v.materialized == materialized) => {
                cx.check_dropper(t.owner, t.schema, word, &t.name)?;
                if let Some(t) = cx.lock_table_if_exists(t.oid, TableLock::AccessExclusive)? {
                    cx.check_idle(&t, tag)?;
                    set.add(ObjectRef::relation(t.oid));
                }
            }
            Some(r) => return Err(wrong_kind(&r, &name, word)),
        }
    }
    set.execute(d.behavior == DropBehavior::Cascade, cx)?;
    Ok(tag)
}
/// `"x" is not a table`, with PostgreSQL's hint.
fn wrong_kind(r: &Relation, name: &str, wanted: &str) -> Error {
    let (is, command) = match r {
        Relation::Table(t) if t.plain_view().is_some() => ("view", "DROP VIEW"),
        Relation::Table(t) if t.view.is_some() => ("materialized view", "DROP MATERIALIZED VIEW"),
        Relation::Table(_) | Relation::Virtual(_) => ("table", "DROP TABLE"),
        Relation::Sequence(_) => ("sequence", "DROP SEQUENCE"),
        Relation::Index(..) => ("index", "DROP INDEX"),
    };
    let article = if wanted == "index" { "an" } else { "a" };
    err!(WRONG_OBJECT_TYPE, "\"{name}\" is not {article} {wanted}")
        .hint(format!("Use {command} to remove {} {is}.", if is == "index" { "an" } else { "a" }))
}
/// DROP's own words for what is not there: `table "x" does not exist`; IF EXISTS makes a notice of it, for a missing schema too.
fn missing(kind: &str, schema: Option<&str>, name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let e = match schema {
        Some(s) if cx.catalog.schema_of_relations(cx.database(), s).is_none() => {
            err!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist")
        }
        _ => {
            let code = if kind == "index" { state::UNDEFINED_OBJECT } else { state::UNDEFINED_TABLE };
            Error::new(code, format!("{kind} \"{name}\" does not exist"))
        }
    };
    if !if_exists {
        return Err(e);
    }
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
    Ok(())
}
fn find_table(n: &[String], if_exists: bool, cx: &mut DdlCtx) -> Result<Option<Arc<Table>>> {
    let (schema, name) = cx.split(n)?;
    match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
        Some(Relation::Table(t)) if t.view.is_none() => {
            cx.check_dropper(t.owner, t.schema, "table", &t.name)?;
            match cx.lock_table_if_exists(t.oid, TableLock::AccessExclusive)? {
                Some(t) => {
                    cx.check_idle(&t, "DROP TABLE")?;
                    Ok(Some(t))
                }
                None => missing("table", schema.as_deref(), &name, if_exists, cx).map(|()| None),
            }
        }
        Some(Relation::Virtual(_)) => {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{name}\" is a system catalog")
        }
        Some(r) => Err(wrong_kind(&r, &name, "table")),
        None if cx
            .catalog
            .find_type(cx.env.scope(), schema.as_deref(), &name)?
            .is_some_and(|t| cx.catalog.composite_of(t).is_some()) =>
        {
            Err(err!(WRONG_OBJECT_TYPE, "\"{name}\" is not a table").hint("Use DROP TYPE to remove a type."))
        }
        None => missing("table", schema.as_deref(), &name, if_exists, cx).map(|()| None),
    }
}
/// An index by name: its table and OID.
pub fn find_index(n: &[String], cx: &mut DdlCtx) -> Result<(Arc<Table>, Oid)> {
    let (schema, name) = cx.split(n)?;
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Index(t, i) => {
            cx.check_owner(t.owner, "index", &name)?;
            Ok((t, i))
        }
        _ => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not an index"),
    }
}
fn drop_index(n: &[String], if_exists: bool, cascade: bool, concurrently: bool, cx: &mut DdlCtx) -> Result<()> {
    match droppable(n, if_exists, concurrently, TableLock::AccessExclusive, cx)? {
        Some((_, oid)) => fall::drop(&[ObjectRef::relation(oid)], cascade, false, cx),
        None => Ok(()),
    }
}
/// The index of this name and its table, locked, when it may go by itself; None: there is none, and that is no error.
pub fn droppable(
    n: &[String],
    if_exists: bool,
    concurrently: bool,
    lock: TableLock,
    cx: &mut DdlCtx,
) -> Result<Option<(Arc<Table>, Oid)>> {
    let (schema, name) = cx.split(n)?;
    let none = |cx: &mut DdlCtx| missing("index", schema.as_deref(), &name, if_exists, cx).map(|()| None);
    let (t, oid) = match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
        Some(Relation::Index(t, oid)) => (t, oid),
        Some(r) => return Err(wrong_kind(&r, &name, "index")),
        None => return none(cx),
    };
    cx.check_dropper(t.owner, t.schema, "index", &name)?;
    let t = cx.lock_table(t.oid, lock)?;
    let Some(index) = t.index(oid).cloned() else { return none(cx) };
    if concurrently && t.is_partitioned() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot drop partitioned index \"{name}\" concurrently");
    }
    let above = t.index_parent(oid).and_then(|of| Some(cx.catalog.partition_parent(&t)?.index(of)?.name.clone()));
    if let Some(of) = above {
        let e = format!("cannot drop index {name} because index {of} requires it");
        return Err(
            Error::new(state::DEPENDENT_OBJECTS_STILL_EXIST, e).hint(format!("You can drop index {of} instead."))
        );
    }
    if index.constraint {
        return Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop index {name} because constraint {name} on table {} requires it",
            cx.shown(t.oid)
        )
        .hint(format!("You can drop constraint {name} on table {} instead.", cx.shown(t.oid))));
    }
    Ok(Some((t, oid)))
}

/// Removes a foreign key from its table and from the table it refers to.
pub fn drop_foreign_key(table: Oid, fk: Oid, cx: &mut DdlCtx) -> Result<()> {
    let t = cx.lock_table(table, TableLock::AccessExclusive)?;
    let Some(f) = t.foreign_keys.iter().find(|f| f.oid == fk).cloned() else { return Ok(()) };
    let mut new = (*t).clone();
    new.foreign_keys.retain(|f| f.oid != fk);
    new.referenced_by.retain(|r| *r != (table, fk));
    cx.put_table(new)?;
    if f.ref_table != table {
        let p = cx.lock_table(f.ref_table, TableLock::AccessExclusive)?;
        let mut p = (*p).clone();
        p.referenced_by.retain(|r| *r != (table, fk));
        cx.put_table(p)?;
    }
    Ok(())
}

/// What one DROP names.
#[derive(Default)]
struct DropSet {
    roots: Vec<ObjectRef>,
}
impl DropSet {
    fn add(&mut self, o: ObjectRef) {
        if !self.roots.contains(&o) {
            self.roots.push(o);
        }
    }
    fn add_sequence(&mut self, s: &Arc<Sequence>, cx: &mut DdlCtx) -> Result<()> {
        if s.identity
            && let Some((t, a)) = s.owned_by
            && let Some(t) = cx.catalog.table(t)
        {
            let (column, table) = (t.column(a).map_or("", |c| &c.name), cx.shown(t.oid));
            let name = cx.shown(s.oid);
            return Err(err!(
                DEPENDENT_OBJECTS_STILL_EXIST,
                "cannot drop sequence {name} because column {column} of table {table} requires it"
            )
            .hint(format!("You can drop column {column} of table {table} instead.")));
        }
        self.add(ObjectRef::relation(s.oid));
        Ok(())
    }
    fn add_schema(&mut self, name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
        let Some(s) = cx.catalog.schema_by_name(cx.database(), name).cloned() else {
            let e = err!(INVALID_SCHEMA_NAME, "schema \"{name}\" does not exist");
            if !if_exists {
                return Err(e);
            }
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            return Ok(());
        };
        if s.database == 0 {
            bail!(
                DEPENDENT_OBJECTS_STILL_EXIST,
                "cannot drop schema {name} because it is required by the database system"
            );
        }
        cx.check_owner(s.owner, "schema", name)?;
        cx.lock_schema(s.oid, RowLock::Update)?;
        self.add(ObjectRef::new(Class::Schema, s.oid));
        Ok(())
    }
    fn execute(self, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
        fall::drop(&self.roots, cascade, false, cx)
    }
}
/// What roles own in this database (DROP OWNED).
pub fn drop_owned(roles: &[Oid], cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let db = cx.database();
    let mut set = DropSet::default();
    let schemas: Vec<String> = cx
        .catalog
        .schemas(db)
        .iter()
        .filter(|s| s.database == db && roles.contains(&s.owner))
        .map(|s| s.name.clone())
        .collect();
    let tables: Vec<Oid> =
        cx.catalog.tables_and_views(db).iter().filter(|t| roles.contains(&t.owner)).map(|t| t.oid).collect();
    for t in tables {
        if let Some(t) = cx.lock_table_if_exists(t, TableLock::AccessExclusive)? {
            set.add(ObjectRef::relation(t.oid));
        }
    }
    let sequences: Vec<Arc<Sequence>> =
        cx.catalog.sequences(db).into_iter().filter(|s| roles.contains(&s.owner)).cloned().collect();
    for s in sequences {
        set.add(ObjectRef::relation(s.oid));
    }
    let types: Vec<Oid> =
        cx.catalog.user_types(db).iter().filter(|t| roles.contains(&t.owner)).map(|t| t.oid).collect();
    for t in types {
        cx.lock_object(Kind::Type, t, RowLock::Update)?;
        set.add(ObjectRef::new(Class::Type, t));
    }
    text_search::of_owners(roles, cx).into_iter().for_each(|o| set.add(o));
    for s in schemas {
        set.add_schema(&s, false, cx)?;
    }
    event_trigger::remove_of(roles, cx)?;
    set.execute(cascade, cx)
}
/// Temporary tables, and sequences and functions if `all`, with all that depends on them: what ends by itself says nothing.
pub fn drop_temporary(tables: &[Arc<Table>], all: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut roots: Vec<ObjectRef> = tables.iter().map(|t| ObjectRef::relation(t.oid)).collect();
    if all {
        roots.extend(cx.catalog.temporary_sequences().into_iter().map(|s| ObjectRef::relation(s.oid)));
        roots.extend(cx.catalog.temporary_functions().into_iter().map(|f| ObjectRef::new(Class::Function, f.oid)));
    }
    fall::drop(&roots, true, true, cx)
}
/// A column that owned a dropped sequence no longer names it.
pub fn forget_owner(s: &Sequence, cx: &mut DdlCtx) -> Result<()> {
    let Some((t, a)) = s.owned_by else { return Ok(()) };
    let Some(t) = cx.catalog.table(t).cloned() else { return Ok(()) };
    if t.column(a).is_some_and(|c| c.sequence == Some(s.oid)) {
        let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
        let mut t = (*t).clone();
        if let Some(c) = column::column_mut(&mut t, a) {
            c.sequence = None;
        }
        cx.put_table(t)?;
    }
    Ok(())
}
/// Removes a locked table: its trees, its row, its marks on tables it refers to.
pub fn drop_table(t: &Table, cx: &mut DdlCtx) -> Result<()> {
    let t = cx.catalog.table(t.oid).cloned().unwrap_or_else(|| Arc::new(t.clone()));
    for f in t.foreign_keys.iter().filter(|f| f.ref_table != t.oid) {
        if let Some(p) = cx.lock_table_if_exists(f.ref_table, TableLock::AccessExclusive)? {
            let mut p = (*p).clone();
            p.referenced_by.retain(|r| *r != (t.oid, f.oid));
            cx.put_table(p)?;
        }
    }
    for p in t.parents() {
        inherit::remove_child(*p, t.oid, cx)?;
    }
    extended::drop_of_table(t.oid, cx)?;
    rule::drop_of(t.oid, cx)?;
    policy::drop_of(t.oid, cx)?;
    trigger::remove_all(&t, cx)?;
    for i in t.indexes.iter().filter(|i| !i.primary) {
        cx.txn.drop_tree(TreeId(i.tree))?;
    }
    if t.plain_view().is_none() {
        cx.txn.drop_tree(t.tree())?;
    }
    for tree in t.declared.online.iter().flat_map(|o| &o.freeing) {
        cx.txn.drop_tree(TreeId(*tree))?;
    }
    cx.remove(Kind::Table, t.oid)
}
/// Every object of a database (DROP DATABASE).
pub fn drop_contents(db: Oid, cx: &mut DdlCtx) -> Result<()> {
    let tables: Vec<Arc<Table>> = cx.catalog.tables_and_views(db).into_iter().cloned().collect();
    for t in &tables {
        cx.lock_table_if_exists(t.oid, TableLock::AccessExclusive)?;
    }
    for t in &tables {
        drop_table(t, cx)?;
    }
    let events: Vec<Oid> = cx.catalog.event_triggers(db).iter().map(|t| t.oid).collect();
    for t in events {
        cx.remove(Kind::EventTrigger, t)?;
    }
    let sequences: Vec<Oid> = cx.catalog.sequences(db).iter().map(|s| s.oid).collect();
    for s in sequences {
        cx.remove(Kind::Sequence, s)?;
    }
    let types: Vec<Oid> = cx.catalog.user_types(db).iter().map(|t| t.oid).collect();
    for t in types {
        cx.remove(Kind::Type, t)?;
    }
    let casts: Vec<Oid> = cx.catalog.casts(db).iter().map(|c| c.oid).collect();
    let operators: Vec<Oid> = cx.catalog.operators(db).iter().map(|o| o.oid).collect();
    let functions: Vec<Oid> = cx.catalog.functions(db).iter().map(|f| f.oid).collect();
    for (kind, list) in [(Kind::Cast, casts), (Kind::Operator, operators), (Kind::Function, functions)] {
        for oid in list {
            cx.remove(kind, oid)?;
        }
    }
    let configs: Vec<Oid> = cx.catalog.ts_configs(db).iter().map(|c| c.oid).collect();
    let dictionaries: Vec<Oid> = cx.catalog.ts_dictionaries(db).iter().map(|d| d.oid).collect();
    configs.into_iter().try_for_each(|c| cx.remove(Kind::TsConfig, c))?;
    dictionaries.into_iter().try_for_each(|d| cx.remove(Kind::TsDictionary, d))?;
    let extensions: Vec<Oid> = cx.catalog.extensions(db).iter().map(|e| e.oid).collect();
    for e in extensions {
        cx.remove(Kind::Extension, e)?;
    }
    let defaults: Vec<Oid> = cx.catalog.default_acls().iter().filter(|d| d.database == db).map(|d| d.oid).collect();
    for d in defaults {
        cx.remove(Kind::DefaultAcl, d)?;
    }
    super::comment::forget_database(db, cx)?;
    super::large_object::drop_all(db, cx)?;
    let schemas: Vec<Oid> = cx.catalog.schemas(db).iter().filter(|s| s.database == db).map(|s| s.oid).collect();
    for s in schemas {
        cx.remove(Kind::Schema, s)?;
    }
    Ok(())
}
