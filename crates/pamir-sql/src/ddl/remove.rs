//! DROP TABLE, VIEW, INDEX, SEQUENCE, SCHEMA, DATABASE, EXTENSION: what depends on what, RESTRICT's refusals and CASCADE's notices.
//!
//! ```text
//!   schema <- table, sequence          table <- foreign keys of other tables, owned sequences (dropped with it, never a reason to refuse)
//!   sequence <- column default         key index <- foreign keys that refer to it
//!   table, view, column <- views ([`pamir_catalog::depend`]), and what depends on these
//! ```
use super::cx::one_name;
use super::{
    DdlCtx, absent, column, database, dependents, event_trigger, extended, extension, inherit, named, operator,
    routine, rule, sequence, trigger, types, view,
};
use pamir_catalog::depend::{Class, ObjectRef, defaults_on};
use pamir_catalog::rule::Rule;
use pamir_catalog::types::row_type;
use pamir_catalog::{Kind, Relation, Sequence, Table};
use pamir_parse::tree::{Drop, DropBehavior, Object, ObjectKind};
use pamir_txn::{RowLock, TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err, oid};
use std::sync::Arc;

/// Most notices and detail lines that one DROP spells out (PostgreSQL's MAX_REPORTED_DEPS).
const MAX_REPORTED: usize = 100;

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
                    set.add_table(&t, None, cx)?;
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
                drop_index(n, d.if_exists, cascade, cx)?;
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
        _ => absent::drop(d, cx),
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
                    set.add_table(&t, None, cx)?;
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
fn drop_index(n: &[String], if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let (schema, name) = cx.split(n)?;
    let (t, oid) = match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &name)? {
        Some(Relation::Index(t, oid)) => (t, oid),
        Some(r) => return Err(wrong_kind(&r, &name, "index")),
        None => return missing("index", schema.as_deref(), &name, if_exists, cx),
    };
    cx.check_dropper(t.owner, t.schema, "index", &name)?;
    let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
    let Some(index) = t.index(oid).cloned() else { return missing("index", schema.as_deref(), &name, if_exists, cx) };
    if index.constraint {
        return Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop index {name} because constraint {name} on table {} requires it",
            cx.shown(t.oid)
        )
        .hint(format!("You can drop constraint {name} on table {} instead.", cx.shown(t.oid))));
    }
    let dependents = foreign_keys_on(&t, &[oid], cx);
    refuse_or_tell(&format!("index {name}"), &dependents, cascade, cx)?;
    drop_foreign_keys(&dependents, cx)?;
    let Some(t) = cx.catalog.table(t.oid).cloned() else { return Ok(()) };
    let mut new = (*t).clone();
    new.indexes.retain(|i| i.oid != oid);
    cx.txn.drop_tree(TreeId(index.tree))?;
    cx.put_table(new)?;
    Ok(())
}

/// Something that goes when another thing goes.
#[derive(Clone, Debug)]
pub struct Dependent {
    /// (table, constraint) of a foreign key.
    pub foreign_key: Option<(Oid, Oid)>,
    /// (table, attnum) of a column whose default uses a sequence.
    pub default: Option<(Oid, i16)>,
    /// `constraint x on table y`, `default value for column a of table t`, `table t`
    pub what: String,
    /// What it depends on: `table t`, `index i`.
    pub on: String,
}
impl Dependent {
    /// A view; `on` is what it depends on.
    pub fn view(v: &Table, on: ObjectRef, cx: &DdlCtx) -> Dependent {
        if on.class == Class::Function {
            let what = format!("{} {}", v.word(), cx.shown(v.oid));
            return Dependent { foreign_key: None, default: None, what, on: routine::shown(on.oid, cx) };
        }
        if on.class == Class::Constraint
            && let Some(t) = cx.catalog.index_table(on.oid)
        {
            let what = format!("{} {}", v.word(), cx.shown(v.oid));
            let name = t.index(on.oid).map_or("", |i| &i.name);
            let on = format!("constraint {name} on table {}", cx.shown(t.oid));
            return Dependent { foreign_key: None, default: None, what, on };
        }
        let shown = cx.shown(on.oid);
        let word = cx.catalog.table(on.oid).map_or("table", |t| t.word());
        let column = cx.catalog.table(on.oid).and_then(|t| t.column(on.sub));
        let on = match column {
            Some(c) => format!("column {} of {word} {shown}", c.name),
            None => format!("{word} {shown}"),
        };
        Dependent { foreign_key: None, default: None, what: format!("{} {}", v.word(), cx.shown(v.oid)), on }
    }
}
/// Views that go with something else.
pub fn drop_views(views: &[Arc<Table>], cx: &mut DdlCtx) -> Result<()> {
    for v in views {
        if let Some(v) = cx.lock_table_if_exists(v.oid, TableLock::AccessExclusive)? {
            drop_table(&v, cx)?;
        }
    }
    Ok(())
}
/// Foreign keys of any table that refer to one of the indexes.
pub fn foreign_keys_on(t: &Table, indexes: &[Oid], cx: &DdlCtx) -> Vec<Dependent> {
    let mut out = vec![];
    for (child, fk) in &t.referenced_by {
        let Some(c) = cx.catalog.table(*child) else { continue };
        let Some(f) = c.foreign_keys.iter().find(|f| f.oid == *fk) else { continue };
        if indexes.contains(&f.ref_index) {
            let index = t.index(f.ref_index).map_or("", |i| &i.name);
            out.push(Dependent {
                foreign_key: Some((*child, *fk)),
                default: None,
                what: format!("constraint {} on table {}", f.name, cx.shown(*child)),
                on: format!("index {index}"),
            });
        }
    }
    out
}
/// RESTRICT: 2BP01 with the dependents as its detail. CASCADE: one notice.
pub fn refuse_or_tell(what: &str, dependents: &[Dependent], cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    if dependents.is_empty() {
        return Ok(());
    }
    if !cascade {
        let lines: Vec<String> =
            dependents.iter().take(MAX_REPORTED).map(|d| format!("{} depends on {}", d.what, d.on)).collect();
        let them = if what == "desired object(s)" { "them" } else { "it" };
        return Err(err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop {what} because other objects depend on {them}")
            .detail(lines.join("\n"))
            .hint("Use DROP ... CASCADE to drop the dependent objects too."));
    }
    match dependents {
        [d] => cx.notice(state::SUCCESSFUL_COMPLETION, format!("drop cascades to {}", d.what)),
        many => {
            let lines: Vec<String> =
                many.iter().take(MAX_REPORTED).map(|d| format!("drop cascades to {}", d.what)).collect();
            let n = super::cx::notice(
                state::SUCCESSFUL_COMPLETION,
                format!("drop cascades to {} other objects", many.len()),
            )
            .detail(lines.join("\n"));
            cx.env.notice(n);
        }
    }
    Ok(())
}
pub fn drop_foreign_keys(dependents: &[Dependent], cx: &mut DdlCtx) -> Result<()> {
    for d in dependents {
        if let Some((table, fk)) = d.foreign_key {
            drop_foreign_key(table, fk, cx)?;
        }
    }
    Ok(())
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

/// Everything one DROP removes.
#[derive(Default)]
struct DropSet {
    schemas: Vec<(Oid, String)>,
    tables: Vec<Arc<Table>>,
    sequences: Vec<Arc<Sequence>>,
    types: Vec<Oid>,
    functions: Vec<Oid>,
    operators: Vec<Oid>,
    /// Tables and sequences that go only because their schema goes.
    dependents: Vec<Dependent>,
    /// What was named, for messages.
    named: Vec<String>,
    /// There are none.
    quiet: bool,
}
impl DropSet {
    fn add_table(&mut self, t: &Arc<Table>, because: Option<&str>, cx: &mut DdlCtx) -> Result<()> {
        if self.tables.iter().any(|x| x.oid == t.oid) {
            return Ok(());
        }
        let what = format!("{} {}", t.word(), cx.shown(t.oid));
        match because {
            None => self.named.push(what),
            Some(schema) => self.dependents.push(Dependent {
                foreign_key: None,
                default: None,
                what,
                on: format!("schema {schema}"),
            }),
        }
        self.tables.push(t.clone());
        pamir_types::work::charge(pamir_types::work::ROW as usize)?;
        for s in sequence::owned(cx, t, None) {
            let s = cx.lock_sequence(s.oid)?;
            if !self.sequences.iter().any(|x| x.oid == s.oid) {
                self.sequences.push(s);
            }
        }
        Ok(())
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
        self.named.push(format!("sequence {}", cx.shown(s.oid)));
        self.sequences.push(s.clone());
        Ok(())
    }
    /// `because`: it goes only because something else goes.
    fn add_type(&mut self, ty: Oid, because: Option<String>) {
        let what = format!("type {}", pamir_types::text::type_named(ty));
        match because {
            Some(on) => self.dependents.push(Dependent { foreign_key: None, default: None, what, on }),
            None => self.named.push(what),
        }
        self.types.push(ty);
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
        extension::check_schema(s.oid, name, cx)?;
        self.named.push(format!("schema {name}"));
        self.schemas.push((s.oid, name.into()));
        let tables: Vec<Oid> =
            cx.catalog.tables_and_views(cx.database()).iter().filter(|t| t.schema == s.oid).map(|t| t.oid).collect();
        // Told in the order in which they were made.
        let types =
            types::of_schema(s.oid, cx).into_iter().map(|t| (pamir_types::oid::user_number(t.oid), Some(t.oid)));
        let mut all: Vec<(Oid, Option<Oid>)> = tables.into_iter().map(|t| (t, None)).chain(types).collect();
        all.sort_unstable();
        for (oid, ty) in all {
            if let Some(t) = ty {
                cx.lock_object(Kind::Type, t, RowLock::Update)?;
                self.add_type(t, Some(format!("schema {name}")));
            } else if let Some(t) = cx.lock_table_if_exists(oid, TableLock::AccessExclusive)? {
                self.add_table(&t, Some(name), cx)?;
            }
        }
        let sequences: Vec<Arc<Sequence>> =
            cx.catalog.sequences(cx.database()).into_iter().filter(|q| q.schema == s.oid).cloned().collect();
        for q in sequences {
            if !self.sequences.iter().any(|x| x.oid == q.oid) {
                let what = format!("sequence {}", cx.shown(q.oid));
                self.dependents.push(Dependent {
                    foreign_key: None,
                    default: None,
                    what,
                    on: format!("schema {name}"),
                });
                self.sequences.push(q);
            }
        }
        let functions = cx.catalog.functions(cx.database()).into_iter().filter(|f| f.schema == s.oid);
        for f in functions.cloned().collect::<Vec<_>>() {
            let what = routine::described(&f, cx);
            let on = format!("schema {name}");
            self.dependents.push(Dependent { foreign_key: None, default: None, what, on });
            self.functions.push(f.oid);
        }
        let operators = cx.catalog.operators(cx.database()).into_iter().filter(|o| o.schema == s.oid);
        for o in operators.cloned().collect::<Vec<_>>() {
            let what = format!("operator {}", dependents::signature(&o, cx));
            let on = format!("schema {name}");
            self.dependents.push(Dependent { foreign_key: None, default: None, what, on });
            self.operators.push(o.oid);
        }
        Ok(())
    }
    /// Functions, operators, casts and their views that go because of what goes.
    fn others(&self, going: &[Oid], views: &[Arc<Table>], cx: &DdlCtx) -> (Vec<dependents::Going>, Vec<Dependent>) {
        let of = |class: Class| move |oid: &Oid| ObjectRef { class, oid: *oid, sub: 0 };
        let mut roots: Vec<ObjectRef> = self.functions.iter().map(of(Class::Function)).collect();
        roots.extend(self.operators.iter().map(of(Class::Operator)));
        roots.extend(self.tables.iter().map(|t| ObjectRef::relation(t.oid)));
        let anyway: Vec<Oid> = going.iter().copied().chain(views.iter().map(|v| v.oid)).collect();
        dependents::on(&roots, &anyway, cx)
    }
    /// Rules of other relations whose actions name one that goes.
    fn rules_naming(&mut self, going: &[Oid], more: &[Arc<Table>], cx: &DdlCtx) -> Vec<Arc<Rule>> {
        let mut all: Vec<Oid> = going.to_vec();
        all.extend(more.iter().map(|m| m.oid));
        let mut rules = rule::naming(Class::Relation, &all, cx);
        rules.retain(|r| !all.contains(&r.relation));
        for r in &rules {
            let on = r.depends.iter().find(|d| d.class == Class::Relation && all.contains(&d.oid));
            let on = on.map_or(0, |d| d.oid);
            let word = cx.catalog.table(on).map_or("table", |t| t.word());
            let on = format!("{word} {}", cx.shown(on));
            let what = rule::shown(r, cx);
            self.dependents.push(Dependent { foreign_key: None, default: None, what, on });
        }
        rules
    }
    /// The defaults that draw from its sequences, of tables that stay.
    fn add_defaults(&mut self, going: &[Oid], cx: &DdlCtx) {
        for s in &self.sequences {
            for t in cx.catalog.tables_and_views(s.database).into_iter().filter(|t| !going.contains(&t.oid)) {
                for c in defaults_on(t, s) {
                    self.dependents.push(Dependent {
                        foreign_key: None,
                        default: Some((t.oid, c.attnum)),
                        what: format!("default value for column {} of {} {}", c.name, t.word(), cx.shown(t.oid)),
                        on: format!("sequence {}", cx.shown(s.oid)),
                    });
                }
            }
        }
    }
    /// The tables that inherit from those that go, and have to go with them.
    fn add_children(&mut self, cx: &mut DdlCtx) -> Result<()> {
        // Told with what hangs on it before the next one.
        let below = |t: &Table| t.children().iter().rev().map(|c| (*c, t.oid)).collect::<Vec<_>>();
        let mut left: Vec<(Oid, Oid)> = self.tables.iter().rev().flat_map(|t| below(t)).collect();
        while let Some((child, parent)) = left.pop() {
            if self.tables.iter().any(|x| x.oid == child) {
                continue;
            }
            let Some(c) = cx.lock_table_if_exists(child, TableLock::AccessExclusive)? else { continue };
            let (what, on) = (format!("table {}", cx.shown(child)), format!("table {}", cx.shown(parent)));
            self.add_table(&c, Some(""), cx)?;
            if let Some(last) = self.dependents.last_mut() {
                *last = Dependent { foreign_key: None, default: None, what, on };
            }
            left.extend(below(&c));
        }
        Ok(())
    }
    fn execute(mut self, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
        if self.tables.iter().any(|t| !t.children().is_empty()) {
            self.add_children(cx)?;
        }
        let going: Vec<Oid> = self.tables.iter().map(|t| t.oid).collect();
        let mut more: Vec<Arc<Table>> = Vec::new();
        let mut triggers = Vec::new();
        for t in &self.tables {
            // As PostgreSQL has them: by number, each view with what depends on it.
            let mut found: Vec<(Oid, Dependent)> = Vec::new();
            for (child, fk) in &t.referenced_by {
                if going.contains(child) {
                    continue;
                }
                let Some(c) = cx.catalog.table(*child) else { continue };
                let name = c.foreign_keys.iter().find(|f| f.oid == *fk).map_or(String::new(), |f| f.name.clone());
                let d = Dependent {
                    foreign_key: Some((*child, *fk)),
                    default: None,
                    what: format!("constraint {name} on table {}", cx.shown(*child)),
                    on: format!("{} {}", t.word(), cx.shown(t.oid)),
                };
                found.push((*fk, d));
            }
            let mut at = 0;
            for (v, on) in view::dependents(ObjectRef::relation(t.oid), cx) {
                at = if on.oid == t.oid { v.oid } else { at };
                if going.contains(&v.oid) || more.iter().any(|m| m.oid == v.oid) {
                    continue;
                }
                found.push((at, Dependent::view(&v, on, cx)));
                more.push(v);
            }
            // Constraint triggers about a table go with it, and nothing is said of it.
            triggers.extend(trigger::dependents(ObjectRef::relation(t.oid), &going, cx).into_iter().map(|d| d.0));
            found.sort_by_key(|f| f.0);
            self.dependents.extend(found.into_iter().map(|f| f.1));
        }
        self.add_defaults(&going, cx);
        let (others, told) = self.others(&going, &more, cx);
        let mut others: Vec<(dependents::Going, Dependent)> = std::iter::zip(others, told).collect();
        let gone = others.iter().filter_map(|(g, _)| g.function());
        let functions: Vec<Oid> = self.functions.iter().copied().chain(gone).collect();
        for f in &functions {
            for (g, d) in trigger::dependents(ObjectRef { class: Class::Function, oid: *f, sub: 0 }, &going, cx) {
                self.dependents.push(d);
                triggers.push(g);
            }
            self.dependents.extend(event_trigger::dependents(*f, cx));
        }
        let mut named_parts = Vec::new();
        let mut rules = self.rules_naming(&going, &more, cx);
        for (d, goes) in named::on_functions(&functions, &going, cx)? {
            match goes {
                named::Goes::View(v) if more.iter().any(|m| m.oid == v.oid) => continue,
                named::Goes::View(v) => more.push(v),
                named::Goes::Part(p) => named_parts.push(p),
                named::Goes::Rule(r) => rules.push(r),
            }
            self.dependents.push(d);
        }
        others.retain(|(g, _)| !more.iter().any(|m| m.oid == g.oid()));
        let (others, told): (Vec<_>, Vec<_>) = others.into_iter().unzip();
        self.dependents.extend(told);
        let what = match self.named.as_slice() {
            [] => return Ok(()),
            [one] => one.clone(),
            _ => "desired object(s)".to_string(),
        };
        // What is of their row types goes with tables.
        self.types.extend(self.tables.iter().map(|t| row_type(t.oid)));
        let parts = types::with_dependents(&mut self.types, &going, &mut self.dependents, cx)?;
        self.types.retain(|t| oid::user_class(*t) != Some(oid::UserClass::Row));
        if !self.quiet {
            refuse_or_tell(&what, &self.dependents, cascade, cx)?;
        }
        drop_foreign_keys(&self.dependents, cx)?;
        trigger::remove(&triggers, cx)?;
        for p in parts.into_iter().chain(named_parts) {
            types::drop_part(p, cx)?;
        }
        dependents::drop(others, cx)?;
        for f in &self.functions {
            event_trigger::remove_on(*f, cx)?;
            cx.remove(Kind::Function, *f)?;
        }
        for o in &self.operators {
            cx.remove(Kind::Operator, *o)?;
        }
        for d in &self.dependents {
            if let Some((t, a)) = d.default {
                let t = cx.lock_table(t, TableLock::AccessExclusive)?;
                let mut t = (*t).clone();
                if let Some(c) = column::column_mut(&mut t, a) {
                    (c.default, c.sequence) = (None, None);
                }
                cx.put_table(t)?;
            }
        }
        for r in &rules {
            rule::remove(r, cx)?;
        }
        drop_views(&more, cx)?;
        for t in &self.tables {
            drop_table(t, cx)?;
        }
        for s in &self.sequences {
            forget_owner(s, cx)?;
            cx.remove(Kind::Sequence, s.oid)?;
        }
        for t in &self.types {
            cx.remove(Kind::Type, *t)?;
        }
        for (oid, _) in &self.schemas {
            cx.remove(Kind::Schema, *oid)?;
        }
        Ok(())
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
            set.add_table(&t, None, cx)?;
        }
    }
    let sequences: Vec<Arc<Sequence>> =
        cx.catalog.sequences(db).into_iter().filter(|s| roles.contains(&s.owner)).cloned().collect();
    for s in sequences {
        if !set.sequences.iter().any(|x| x.oid == s.oid) {
            set.named.push(format!("sequence {}", cx.shown(s.oid)));
            set.sequences.push(s);
        }
    }
    let types: Vec<Oid> =
        cx.catalog.user_types(db).iter().filter(|t| roles.contains(&t.owner)).map(|t| t.oid).collect();
    for t in types {
        cx.lock_object(Kind::Type, t, RowLock::Update)?;
        set.add_type(t, None);
    }
    for s in schemas {
        set.add_schema(&s, false, cx)?;
    }
    event_trigger::remove_of(roles, cx)?;
    set.execute(cascade, cx)
}
/// Temporary tables, and sequences if `all`, with all that depends on them: what ends by itself says nothing.
pub fn drop_temporary(tables: &[Arc<Table>], all: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut set = DropSet { quiet: true, ..DropSet::default() };
    for t in tables {
        set.add_table(t, None, cx)?;
    }
    if all {
        let more: Vec<Arc<Sequence>> = cx.catalog.temporary_sequences().into_iter().cloned().collect();
        set.sequences
            .extend(more.into_iter().filter(|s| !set.sequences.iter().any(|x| x.oid == s.oid)).collect::<Vec<_>>());
        set.named.push("temporary objects".into());
    }
    set.execute(true, cx)
}
/// A column that owned a dropped sequence no longer names it.
fn forget_owner(s: &Sequence, cx: &mut DdlCtx) -> Result<()> {
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
    trigger::remove_all(&t, cx)?;
    for i in t.indexes.iter().filter(|i| !i.primary) {
        cx.txn.drop_tree(TreeId(i.tree))?;
    }
    if t.plain_view().is_none() {
        cx.txn.drop_tree(t.tree())?;
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
    let defaults: Vec<Oid> = cx.catalog.default_acls().iter().filter(|d| d.database == db).map(|d| d.oid).collect();
    for d in defaults {
        cx.remove(Kind::DefaultAcl, d)?;
    }
    super::comment::forget_database(db, cx)?;
    let schemas: Vec<Oid> = cx.catalog.schemas(db).iter().filter(|s| s.database == db).map(|s| s.oid).collect();
    for s in schemas {
        cx.remove(Kind::Schema, s)?;
    }
    Ok(())
}
