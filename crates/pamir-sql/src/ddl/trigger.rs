//! CREATE, ALTER and DROP of triggers (trigger.c); which of a table's fire.
//!
//! ```text
//!   CREATE TRIGGER --rules of its kind, WHEN bound over old and new, the function--> descriptor [Trigger, OID]; the table's row is written again, for its version
//! ```
//! Everything that becomes of a trigger raises its table's version: what is kept of the table's triggers (conditions, compiled functions) is made anew with it.
use super::cx::{Name, Space};
use super::{DdlCtx, absent, eval};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::trigger::{Constraint, Enabled, Event, Timing, Trigger};
use pamir_catalog::{Kind, Object, Relation, SqlText, Table, acl};
use pamir_expr::access::NEW;
use pamir_expr::deparse::{Naming, deparse_when};
use pamir_expr::expr::{each, each_col, each_mut};
use pamir_expr::func::{self, lookup};
use pamir_expr::ir::{CastHow, Expr};
use pamir_parse::tree::{self, CreateTrigger, Drop, FireMode, QualifiedName, TriggerEvent, TriggerTiming, Which};
use pamir_plan::bind::{self, BindCtx};
use pamir_txn::{RowLock, TableLock};
use pamir_types::{Error, Oid, Result, bail, err, oid};
use std::sync::Arc;

/// A relation that is to have a trigger, or has one.
fn relation(parts: &[String], cx: &DdlCtx) -> Result<Arc<Table>> {
    let (schema, name) = cx.split(parts)?;
    let unfit = |what: &str| {
        err!(WRONG_OBJECT_TYPE, "relation \"{name}\" cannot have triggers")
            .detail(format!("This operation is not supported for {what}."))
    };
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &name)? {
        Relation::Table(t) if t.view.as_ref().is_some_and(|v| v.materialized) => Err(unfit("materialized views")),
        Relation::Table(t) => Ok(t),
        Relation::Sequence(_) => Err(unfit("sequences")),
        Relation::Index(..) => Err(err!(WRONG_OBJECT_TYPE, "\"{name}\" is an index")),
        Relation::Virtual(_) => {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{name}\" is a system catalog")
        }
    }
}
fn check_privilege(t: &Table, cx: &DdlCtx) -> Result<()> {
    if cx.who()?.on_table(cx.catalog, t, acl::TRIGGER) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", t.word(), t.name);
    }
    Ok(())
}
fn event_of(e: &TriggerEvent) -> Event {
    match e {
        TriggerEvent::Insert => Event::Insert,
        TriggerEvent::Delete => Event::Delete,
        TriggerEvent::Truncate => Event::Truncate,
        TriggerEvent::Update(_) => Event::Update,
    }
}

pub fn create(c: &CreateTrigger, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = relation(&c.table.parts, cx)?;
    let t = cx.lock_table(t.oid, TableLock::ShareRowExclusive)?;
    check_kind(c, &t)?;
    let from = match &c.from_table {
        Some(r) => match cx.resolve(&r.parts)? {
            Some(Relation::Sequence(_) | Relation::Index(..) | Relation::Virtual(_)) => {
                return Err(Error::unsupported("CREATE CONSTRAINT TRIGGER ... FROM what is no table"));
            }
            _ => Some(relation(&r.parts, cx)?),
        },
        None => None,
    };
    check_privilege(&t, cx)?;
    if let Some(f) = &from {
        check_privilege(f, cx)?;
    }
    let events = c.events.iter().map(|e| event_of(e).bit()).fold(0, |a, b| a | b);
    let has = |e: Event| events & e.bit() != 0;
    if has(Event::Truncate) && c.each_row {
        bail!(FEATURE_NOT_SUPPORTED, "TRUNCATE FOR EACH ROW triggers are not supported");
    }
    let of: &[String] =
        c.events.iter().find_map(|e| if let TriggerEvent::Update(v) = e { Some(&v[..]) } else { None }).unwrap_or(&[]);
    if c.timing == TriggerTiming::InsteadOf {
        let wrong = match () {
            () if !c.each_row => "must be FOR EACH ROW",
            () if c.when.is_some() => "cannot have WHEN conditions",
            () if !of.is_empty() => "cannot have column lists",
            () => "",
        };
        if !wrong.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "INSTEAD OF triggers {wrong}");
        }
    }
    if t.is_partitioned() && c.each_row && !c.transitions.is_empty() {
        return Err(err!(FEATURE_NOT_SUPPORTED, "\"{}\" is a partitioned table", t.name)
            .detail("ROW triggers with transition tables are not supported on partitioned tables."));
    }
    if t.bound().is_some() && c.each_row && !c.transitions.is_empty() {
        bail!(FEATURE_NOT_SUPPORTED, "ROW triggers with transition tables are not supported on partitions");
    }
    let (old_table, new_table) = transitions(c, &t, events, of)?;
    let (when, depends) = match &c.when {
        Some(e) => condition(e, c, &t, events, cx)?,
        None => (None, Vec::new()),
    };
    let function = function(&c.function, oid::TRIGGER, "trigger", cx)?;
    let old = standing(c, &t, cx)?;
    let columns = columns(of, &t)?;
    let constraint = match (c.constraint, &old) {
        (false, _) => None,
        (true, _) => Some(Constraint {
            oid: cx.new_oid_in(t.schema)?,
            from: from.map_or(0, |f| f.oid),
            deferrable: c.attributes.deferrable,
            initially_deferred: c.attributes.initially_deferred,
        }),
    };
    let new = Trigger {
        oid: match &old {
            Some(o) => o.oid,
            None => cx.new_oid_in(t.schema)?,
        },
        table: t.oid,
        name: c.name.clone(),
        function,
        timing: match c.timing {
            TriggerTiming::Before => Timing::Before,
            TriggerTiming::After => Timing::After,
            TriggerTiming::InsteadOf => Timing::InsteadOf,
        },
        each_row: c.each_row,
        events,
        columns,
        when,
        args: c.args.clone(),
        old_table,
        new_table,
        constraint,
        enabled: Enabled::Origin,
        depends,
        comment: old.as_ref().and_then(|o| o.comment.clone()),
    };
    put(new.clone(), cx)?;
    if t.is_partitioned() && new.each_row {
        let Some(t) = cx.catalog.table(t.oid).cloned() else { return Ok("CREATE TRIGGER") };
        t.children().iter().try_for_each(|c| give(&t, &new, *c, cx))?;
    }
    Ok("CREATE TRIGGER")
}
/// Which triggers tables have, and which views.
fn check_kind(c: &CreateTrigger, t: &Table) -> Result<()> {
    let wrong = |is: &str, detail: &str| Err(err!(WRONG_OBJECT_TYPE, "\"{}\" is {is}", t.name).detail(detail));
    let instead = c.timing == TriggerTiming::InsteadOf;
    if t.view.is_none() {
        return if instead { wrong("a table", "Tables cannot have INSTEAD OF triggers.") } else { Ok(()) };
    }
    if !instead && c.each_row {
        return wrong("a view", "Views cannot have row-level BEFORE or AFTER triggers.");
    }
    if c.events.contains(&TriggerEvent::Truncate) {
        return wrong("a view", "Views cannot have TRUNCATE triggers.");
    }
    Ok(())
}
fn transitions(c: &CreateTrigger, t: &Table, events: u8, of: &[String]) -> Result<(Option<String>, Option<String>)> {
    let (mut old, mut new) = (None::<String>, None::<String>);
    let has = |e: Event| events & e.bit() != 0;
    for x in &c.transitions {
        if !x.table {
            return Err(err!(FEATURE_NOT_SUPPORTED, "ROW variable naming in the REFERENCING clause is not supported")
                .hint("Use OLD TABLE or NEW TABLE for naming transition tables."));
        }
        if t.view.is_some() {
            return Err(err!(WRONG_OBJECT_TYPE, "\"{}\" is a view", t.name)
                .detail("Triggers on views cannot have transition tables."));
        }
        if c.timing != TriggerTiming::After {
            bail!(INVALID_OBJECT_DEFINITION, "transition table name can only be specified for an AFTER trigger");
        }
        if has(Event::Truncate) {
            bail!(FEATURE_NOT_SUPPORTED, "TRUNCATE triggers with transition tables are not supported");
        }
        if events.count_ones() != 1 {
            bail!(FEATURE_NOT_SUPPORTED, "transition tables cannot be specified for triggers with more than one event");
        }
        if !of.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "transition tables cannot be specified for triggers with column lists");
        }
        let (word, other, slot) =
            if x.new { ("NEW", Event::Insert, &mut new) } else { ("OLD", Event::Delete, &mut old) };
        if !has(other) && !has(Event::Update) {
            let other = if x.new { "an INSERT" } else { "a DELETE" };
            bail!(INVALID_OBJECT_DEFINITION, "{word} TABLE can only be specified for {other} or UPDATE trigger");
        }
        if slot.replace(x.name.clone()).is_some() {
            bail!(INVALID_OBJECT_DEFINITION, "{word} TABLE cannot be specified multiple times");
        }
    }
    if old.is_some() && old == new {
        bail!(INVALID_OBJECT_DEFINITION, "OLD TABLE name and NEW TABLE name cannot be the same");
    }
    Ok((old, new))
}
/// Which columns of `old` and of `new` a bound condition reads.
fn reads(e: &Expr) -> (Vec<i16>, Vec<i16>) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    each_col(e, &mut |c| {
        let (list, at) = if c < NEW { (&mut old, c) } else { (&mut new, c - NEW) };
        let attnum = at as i16 + 1;
        if !list.contains(&attnum) {
            list.push(attnum);
        }
    });
    (old, new)
}
/// WHEN: its text, and what it names.
fn condition(
    e: &tree::Expr,
    c: &CreateTrigger,
    t: &Table,
    events: u8,
    cx: &mut DdlCtx,
) -> Result<(Option<SqlText>, Vec<ObjectRef>)> {
    eval::no_subquery(e, "trigger WHEN condition", cx)?;
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let bound = {
        let text = cx.text;
        let mut bcx = BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text };
        let bound = bind::bind_trigger_condition(e, t, &mut bcx)?;
        if !bcx.params.is_empty() {
            bail!(UNDEFINED_PARAMETER, "there is no parameter $1");
        }
        bound
    };
    let (old, new) = reads(&bound);
    let at = |side: Option<&str>, cx: &DdlCtx, e2: Error| match eval::first_column_of(e, side) {
        Some(at) => cx.place(e2, at),
        None => e2,
    };
    if !c.each_row && (!old.is_empty() || !new.is_empty()) {
        let x = err!(INVALID_OBJECT_DEFINITION, "statement trigger's WHEN condition cannot reference column values");
        return Err(at(None, cx, x));
    }
    for (event, columns, side) in [(Event::Insert, &old, "old"), (Event::Delete, &new, "new")] {
        if events & event.bit() != 0 && !columns.is_empty() {
            let (event, side2) = (event.word(), side.to_uppercase());
            let x = err!(INVALID_OBJECT_DEFINITION, "{event} trigger's WHEN condition cannot reference {side2} values");
            return Err(at(Some(side), cx, x));
        }
    }
    let generated = |a: &&i16| t.column(**a).is_some_and(|x| x.generated.is_some());
    if c.timing == TriggerTiming::Before
        && let Some(g) = new.iter().find(generated)
    {
        let x =
            err!(INVALID_OBJECT_DEFINITION, "BEFORE trigger's WHEN condition cannot reference NEW generated columns");
        let whole = new.len() == t.live_columns().count() && new.len() > 1;
        let x = match t.column(*g) {
            Some(col) if !whole => x.detail(format!("Column \"{}\" is a generated column.", col.name)),
            _ => x.detail("A whole-row reference is used and the table contains generated columns."),
        };
        return Err(at(Some("new"), cx, x));
    }
    let depends = named(&bound, t, cx);
    let text = SqlText(cx.regclass_to_oid(deparse_when(&bound, t, Naming::Full(cx.catalog))));
    Ok((Some(text), depends))
}
/// A rule's condition: its text, and what it names.
pub fn rule_condition(
    e: &tree::Expr,
    t: &Table,
    event: pamir_catalog::rule::Event,
    cx: &mut DdlCtx,
) -> Result<(SqlText, Vec<ObjectRef>)> {
    if eval::has_subquery(e) {
        return Err(Error::unsupported("subqueries in the condition of a rule"));
    }
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let text = cx.text;
    let mut bcx = BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text };
    let bound = bind::bind_rule_condition(e, t, event, &mut bcx)?;
    if !bcx.params.is_empty() {
        bail!(UNDEFINED_PARAMETER, "there is no parameter $1");
    }
    let depends = named(&bound, t, cx);
    Ok((SqlText(cx.regclass_to_oid(deparse_when(&bound, t, Naming::Full(cx.catalog)))), depends))
}
/// What a condition names.
fn named(bound: &Expr, t: &Table, cx: &DdlCtx) -> Vec<ObjectRef> {
    let mut depends: Vec<ObjectRef> = Vec::new();
    let mut add = |r: ObjectRef| {
        if !depends.contains(&r) {
            depends.push(r);
        }
    };
    // A whole row is its table's, whatever columns that has.
    let mut alone = bound.clone();
    each_mut(&mut alone, &mut |x| {
        if let Expr::Cast { e, f: CastHow::Relabel, ty, .. } = x
            && matches!(&**e, Expr::Row(f) if f.iter().all(|f| matches!(f, Expr::Col(..))))
        {
            *x = Expr::Const(pamir_types::Datum::Null, *ty);
        }
    });
    let (old, new) = reads(&alone);
    old.iter().chain(&new).for_each(|a| add(ObjectRef::column(t.oid, *a)));
    each(bound, &mut |x| {
        if let Expr::Call { f, .. } = x
            && cx.catalog.function(f.oid).is_some()
        {
            add(ObjectRef { class: Class::Function, oid: f.oid, sub: 0 });
        }
        if oid::is_user(x.ty().oid) {
            add(ObjectRef { class: Class::Type, oid: oid::element_of(x.ty().oid).unwrap_or(x.ty().oid), sub: 0 });
        }
    });
    depends
}
fn columns(of: &[String], t: &Table) -> Result<Vec<i16>> {
    let mut out = Vec::new();
    for n in of {
        let Some(c) = t.column_by_name(n) else {
            bail!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", t.name)
        };
        if out.contains(&c.attnum) {
            bail!(DUPLICATE_COLUMN, "column \"{n}\" specified more than once");
        }
        out.push(c.attnum);
    }
    Ok(out)
}
/// The function without arguments that a name means, which must return `ret`.
pub fn function(parts: &[String], ret: Oid, word: &str, cx: &DdlCtx) -> Result<Oid> {
    let (schema, name) = cx.split(parts)?;
    let found = lookup::find::<func::Function>(cx.catalog, cx.env.scope(), schema.as_deref(), &name);
    let shown = super::cx::shown_name(parts);
    let Some(f) = found.iter().find(|f| f.args.is_empty() && !f.procedure) else {
        if let Some(s) = &schema
            && cx.catalog.schema_by_name(cx.database(), s).is_none()
        {
            bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist");
        }
        bail!(UNDEFINED_FUNCTION, "function {shown}() does not exist")
    };
    if let Some(def) = cx.catalog.function(f.oid) {
        let who = cx.who()?;
        let kind = acl::ObjectKind::Function;
        if !who.superuser && who.on(cx.catalog, kind, def.oid, def.owner, acl::EXECUTE, false) == 0 {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for function {}", def.name);
        }
    }
    if f.ret != ret {
        bail!(INVALID_OBJECT_DEFINITION, "function {shown} must return type {word}");
    }
    Ok(f.oid)
}
/// The trigger that has the name already; 42710 where it may not be replaced.
fn standing(c: &CreateTrigger, t: &Table, cx: &mut DdlCtx) -> Result<Option<Arc<Trigger>>> {
    let name = Name { space: Space::Trigger, parent: t.oid, name: c.name.clone() };
    let taken = !t.is_temporary() && cx.name_taken(&name)?;
    let old = t.trigger(&c.name).cloned();
    let Some(old) = old else {
        return if taken { Err(exists(&c.name, t)) } else { Ok(None) };
    };
    let Some(Object::Trigger(old)) = cx.lock_object(Kind::Trigger, old.oid, RowLock::Update)? else { return Ok(None) };
    if !c.replace {
        return Err(exists(&c.name, t));
    }
    if old.constraint.is_some() {
        bail!(DUPLICATE_OBJECT, "trigger \"{}\" for relation \"{}\" is a constraint trigger", c.name, t.name);
    }
    if cx.waiting.contains(&t.oid) {
        bail!(OBJECT_IN_USE, "cannot CREATE OR REPLACE TRIGGER \"{}\" because it has pending trigger events", t.name);
    }
    Ok(Some(old))
}
fn exists(name: &str, t: &Table) -> Error {
    err!(DUPLICATE_OBJECT, "trigger \"{name}\" for relation \"{}\" already exists", t.name)
}
fn missing(name: &str, t: &Table) -> Error {
    err!(UNDEFINED_OBJECT, "trigger \"{name}\" for table \"{}\" does not exist", t.name)
}
/// Writes a trigger, and its table anew.
fn put(g: Trigger, cx: &mut DdlCtx) -> Result<()> {
    let table = g.table;
    cx.put(Object::Trigger(Arc::new(g)))?;
    again(table, cx)
}
fn again(table: Oid, cx: &mut DdlCtx) -> Result<()> {
    if let Some(t) = cx.catalog.table(table).cloned() {
        cx.put_table((*t).clone())?;
    }
    Ok(())
}

// ---- of partitions ----

/// Gives a partition, and those below it, the row triggers of its parent.
pub fn give_all(parent: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let Some(p) = cx.catalog.table(parent).cloned() else { return Ok(()) };
    p.all_triggers().iter().filter(|g| g.each_row).try_for_each(|g| give(&p, g, child, cx))
}
fn give(p: &Table, g: &Trigger, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let t = cx.lock_table(child, TableLock::ShareRowExclusive)?;
    if let Some(old) = t.trigger(&g.name) {
        if t.trigger_parent(old.oid) == Some(g.oid) {
            return Ok(());
        }
        return Err(exists(&g.name, &t));
    }
    let to = pamir_catalog::partition::places(p, &t);
    let moved = |a: i16| to.get((a as usize).wrapping_sub(1)).map_or(0, |c| (*c + 1) as i16);
    let oid = cx.new_oid_in(t.schema)?;
    let constraint = match &g.constraint {
        Some(c) => Some(Constraint { oid: cx.new_oid_in(t.schema)?, ..c.clone() }),
        None => None,
    };
    let depends = g.depends.iter().map(|r| match r.class {
        Class::Relation if r.oid == p.oid && r.sub > 0 => ObjectRef::column(t.oid, moved(r.sub)),
        _ => *r,
    });
    let new = Trigger {
        oid,
        table: t.oid,
        columns: g.columns.iter().map(|a| moved(*a)).collect(),
        constraint,
        depends: depends.collect(),
        comment: None,
        ..g.clone()
    };
    let mut t = (*t).clone();
    t.change_partition(|x| x.triggers.push((oid, g.oid)));
    let children = t.children().to_vec();
    cx.put_table(t)?;
    put(new.clone(), cx)?;
    let Some(t) = cx.catalog.table(child).cloned() else { return Ok(()) };
    children.into_iter().try_for_each(|c| give(&t, &new, c, cx))
}
/// Removes from partitions what they have of a trigger of their parent.
fn take(t: &Table, g: Oid, cx: &mut DdlCtx) -> Result<()> {
    for c in t.children().to_vec() {
        let Some(child) = cx.catalog.table(c).cloned() else { continue };
        let own = child.partition().and_then(|x| x.triggers.iter().find(|e| e.1 == g)).map(|e| e.0);
        let Some(own) = own else { continue };
        take(&child, own, cx)?;
        let Some(x) = child.all_triggers().iter().find(|x| x.oid == own).cloned() else { continue };
        remove(&[x], cx)?;
        if let Some(child) = cx.catalog.table(c).cloned() {
            let mut child = (*child).clone();
            child.change_partition(|x| x.triggers.retain(|e| e.0 != own));
            cx.put_table(child)?;
        }
    }
    Ok(())
}

/// Removes what a partition that leaves its parent has of that parent's triggers.
pub fn remove_given(t: &Table, given: &[Arc<Trigger>], cx: &mut DdlCtx) -> Result<()> {
    for g in given {
        take(t, g.oid, cx)?;
    }
    remove(given, cx)
}

// ---- ALTER, DROP ----

/// The table of `ON table`, which must be the user's.
fn table_of(of: &[String], lock: TableLock, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let t = relation(of, cx)?;
    cx.check_owner(t.owner, t.word(), &t.name)?;
    cx.lock_table(t.oid, lock)
}
pub fn rename(name: &str, of: &QualifiedName, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = table_of(&of.parts, TableLock::AccessExclusive, cx)?;
    let Some(g) = t.trigger(name).cloned() else { return Err(missing(name, &t)) };
    if to != name {
        if t.trigger(to).is_some() {
            return Err(exists(to, &t));
        }
        put(Trigger { name: to.into(), ..(*g).clone() }, cx)?;
    }
    Ok("ALTER TRIGGER")
}
pub fn comment(name: &str, of: &QualifiedName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let t = table_of(&of.parts, TableLock::ShareUpdateExclusive, cx)?;
    let Some(g) = t.trigger(name).cloned() else { return Err(missing(name, &t)) };
    cx.put(Object::Trigger(Arc::new(Trigger { comment: text, ..(*g).clone() })))
}
pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    for o in &d.objects {
        if let tree::Object::On { name, of, .. } = o
            && !drop_one(name, of, cx)?
        {
            absent::one(d, o, cx)?;
        }
    }
    Ok("DROP TRIGGER")
}
/// Drops one that is there; false: there is no such table or trigger.
fn drop_one(name: &str, of: &QualifiedName, cx: &mut DdlCtx) -> Result<bool> {
    let (schema, table) = cx.split(&of.parts)?;
    let Some(Relation::Table(t)) = cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &table)? else {
        return Ok(false);
    };
    let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
    let Some(g) = t.trigger(name).cloned() else { return Ok(false) };
    cx.check_owner(t.owner, "relation", &t.name)?;
    cx.check_idle(&t, "DROP TRIGGER")?;
    if let Some(above) = t.trigger_parent(g.oid) {
        let of = cx.catalog.partition_parent(&t).cloned();
        let of = of.and_then(|p| p.all_triggers().iter().find(|x| x.oid == above).cloned());
        let of = of.map_or_else(String::new, |x| described(&x, cx));
        let own = described(&g, cx);
        let e = err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop {own} because {of} requires it");
        return Err(e.hint(format!("You can drop {of} instead.")));
    }
    take(&t, g.oid, cx)?;
    remove(&[g], cx)?;
    Ok(true)
}
/// Removes triggers, whose tables stay.
pub fn remove(triggers: &[Arc<Trigger>], cx: &mut DdlCtx) -> Result<()> {
    for g in triggers {
        cx.lock_table_if_exists(g.table, TableLock::AccessExclusive)?;
        cx.remove(Kind::Trigger, g.oid)?;
        again(g.table, cx)?;
    }
    Ok(())
}
/// Removes those of a table that goes.
pub fn remove_all(t: &Table, cx: &mut DdlCtx) -> Result<()> {
    let all: Vec<Oid> = t.all_triggers().iter().map(|g| g.oid).chain(cx.catalog.keys_entry(t.oid)).collect();
    all.into_iter().try_for_each(|g| cx.remove(Kind::Trigger, g))
}
/// `trigger x on table t`
pub fn described(g: &Trigger, cx: &DdlCtx) -> String {
    let word = cx.catalog.table(g.table).map_or("table", |t| t.word());
    format!("trigger {} on {word} {}", g.name, cx.shown(g.table))
}
/// The triggers that name a column: in UPDATE OF or in their conditions.
pub fn on_column(t: &Table, attnum: i16) -> Vec<Arc<Trigger>> {
    let on = ObjectRef::column(t.oid, attnum);
    let names = |g: &&Arc<Trigger>| g.columns.contains(&attnum) || g.depends.contains(&on);
    let mut all: Vec<Arc<Trigger>> = t.all_triggers().iter().filter(names).cloned().collect();
    all.sort_by_key(|g| g.oid);
    all
}
/// The conditions of a table's triggers, bound before its columns' names change; [`write_conditions`] writes them with the new ones.
pub fn conditions(t: &Table, cx: &mut DdlCtx) -> Result<Vec<(Arc<Trigger>, Expr)>> {
    let mut out = Vec::new();
    for g in t.all_triggers() {
        if let Some(text) = &g.when {
            out.push((g.clone(), cx.env.bind_when(t, text)?));
        }
    }
    Ok(out)
}
pub fn write_conditions(list: Vec<(Arc<Trigger>, Expr)>, cx: &mut DdlCtx) -> Result<()> {
    for (g, e) in list {
        let Some(t) = cx.catalog.table(g.table).cloned() else { continue };
        let text = SqlText(cx.regclass_to_oid(deparse_when(&e, &t, Naming::Full(cx.catalog))));
        if g.when.as_ref() != Some(&text) {
            cx.put(Object::Trigger(Arc::new(Trigger { when: Some(text), ..(*g).clone() })))?;
        }
    }
    Ok(())
}

// ---- ENABLE, DISABLE ----

pub fn enabled(mode: FireMode) -> Enabled {
    match mode {
        FireMode::Enabled => Enabled::Origin,
        FireMode::Disabled => Enabled::Disabled,
        FireMode::Replica => Enabled::Replica,
        FireMode::Always => Enabled::Always,
    }
}
pub fn enable(table: Oid, which: &Which, mode: FireMode, only: bool, cx: &mut DdlCtx) -> Result<()> {
    let Some(t) = cx.catalog.table(table).cloned() else { return Ok(()) };
    let to = enabled(mode);
    let chosen: Vec<Arc<Trigger>> = match which {
        Which::Named(n) => match t.trigger(n) {
            Some(g) => vec![g.clone()],
            None => return Err(missing(n, &t)),
        },
        Which::All | Which::User => t.all_triggers().to_vec(),
    };
    let keys = matches!(which, Which::All) && !(t.foreign_keys.is_empty() && t.referenced_by.is_empty());
    if keys {
        if !cx.who()?.superuser {
            let key = t.foreign_keys.first().map(|f| f.oid).or(t.referenced_by.first().map(|r| r.1)).unwrap_or(0);
            let number = pamir_catalog::trigger::of_key(key, 0);
            let name = format!("{}c_{number}", pamir_catalog::trigger::KEYS);
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{name}\" is a system trigger");
        }
        set_keys(&t, to, cx)?;
    }
    for g in chosen.iter().filter(|g| g.enabled != to) {
        cx.put(Object::Trigger(Arc::new(Trigger { enabled: to, ..(**g).clone() })))?;
    }
    again(table, cx)?;
    if only {
        return Ok(());
    }
    // What partitions have of them goes along.
    for c in t.children() {
        let Some(child) = cx.catalog.table(*c).cloned() else { continue };
        for g in chosen.iter().filter(|g| g.each_row) {
            let own = child.all_triggers().iter().find(|x| child.trigger_parent(x.oid) == Some(g.oid)).cloned();
            if let Some(own) = own {
                cx.lock_table(child.oid, TableLock::ShareRowExclusive)?;
                enable(child.oid, &Which::Named(own.name.clone()), mode, false, cx)?;
            }
        }
    }
    Ok(())
}
fn set_keys(t: &Table, to: Enabled, cx: &mut DdlCtx) -> Result<()> {
    let old = cx.catalog.keys_entry(t.oid);
    if to == Enabled::Origin {
        return old.map_or(Ok(()), |o| cx.remove(Kind::Trigger, o));
    }
    let oid = match old {
        Some(o) => o,
        None => cx.new_oid_in(t.schema)?,
    };
    let entry = Trigger {
        oid,
        table: t.oid,
        name: String::new(),
        function: 0,
        timing: Timing::After,
        each_row: true,
        events: 0,
        columns: Vec::new(),
        when: None,
        args: Vec::new(),
        old_table: None,
        new_table: None,
        constraint: None,
        enabled: to,
        depends: Vec::new(),
        comment: None,
    };
    cx.put(Object::Trigger(Arc::new(entry)))
}
/// 0A000 for a change of type of a column that a trigger names.
pub fn refuse_type_change(t: &Table, attnum: i16, cx: &DdlCtx) -> Result<()> {
    match on_column(t, attnum).first() {
        None => Ok(()),
        Some(g) => {
            let column = t.column(attnum).map_or("", |c| c.name.as_str());
            Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used in a trigger definition")
                .detail(format!("{} depends on column \"{column}\"", described(g, cx))))
        }
    }
}
