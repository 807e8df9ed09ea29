//! What depends on functions, operators and types, beside tables: functions, aggregates, operators, casts, views ([`pamir_catalog::depend`]).
//!
//! ```text
//!   function f  <- operator over f, aggregate of f, cast by f, view that calls f        type t <- function with t, cast of t ...
//! ```
//! Found depth first, the newest first, and told the other way round: each before what depends on it, as PostgreSQL tells them.
//!
//! What the expressions of tables and rules name is [`super::named`]'s, what triggers fire [`super::trigger`]'s.
use super::remove::{Dependent, drop_views};
use super::{DdlCtx, event_trigger, routine};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::operator::{Cast, Operator};
use pamir_catalog::{Kind, Table};
use pamir_txn::RowLock;
use pamir_types::text::type_named;
use pamir_types::{Oid, Result, oid};
use std::sync::Arc;

/// Something that goes with what it depends on.
pub enum Going {
    View(Arc<Table>),
    Function(Oid),
    Operator(Oid),
    Cast(Oid),
}
impl Going {
    pub fn oid(&self) -> Oid {
        match self {
            Going::View(t) => t.oid,
            Going::Function(o) | Going::Operator(o) | Going::Cast(o) => *o,
        }
    }
    fn of(oid: Oid, cx: &DdlCtx) -> Option<Going> {
        let c = &cx.catalog;
        if let Some(t) = c.table(oid) {
            return t.view.is_some().then(|| Going::View(t.clone()));
        }
        if c.function(oid).is_some() {
            return Some(Going::Function(oid));
        }
        if c.operator(oid).is_some() {
            return Some(Going::Operator(oid));
        }
        c.cast_by_oid(oid).map(|_| Going::Cast(oid))
    }
    pub fn function(&self) -> Option<Oid> {
        match self {
            Going::Function(o) => Some(*o),
            _ => None,
        }
    }
    /// As what others depend on it.
    fn as_ref(&self) -> ObjectRef {
        let of = |class, oid| ObjectRef { class, oid, sub: 0 };
        match self {
            Going::View(t) => ObjectRef::relation(t.oid),
            Going::Function(o) => of(Class::Function, *o),
            Going::Operator(o) => of(Class::Operator, *o),
            Going::Cast(o) => of(Class::Cast, *o),
        }
    }
    pub fn shown(&self, cx: &DdlCtx) -> String {
        match self {
            Going::View(t) => format!("{} {}", t.word(), cx.shown(t.oid)),
            o => shown(o.as_ref(), cx),
        }
    }
}
/// An object as messages call it.
pub fn shown(o: ObjectRef, cx: &DdlCtx) -> String {
    let c = &cx.catalog;
    match o.class {
        Class::Function => c.function(o.oid).map_or_else(String::new, |f| routine::described(f, cx)),
        Class::Operator => c.operator(o.oid).map_or_else(String::new, |o| format!("operator {}", signature(o, cx))),
        Class::Cast => c.cast_by_oid(o.oid).map_or_else(String::new, |c| cast_shown(c)),
        Class::Type => format!("type {}", type_named(o.oid)),
        // Whose rows a function takes.
        Class::Relation => {
            let row = pamir_catalog::types::row_type(o.oid);
            if row == 0 { format!("table {}", cx.shown(o.oid)) } else { format!("type {}", type_named(row)) }
        }
        _ => String::new(),
    }
}
pub fn cast_shown(c: &Cast) -> String {
    format!("cast from {} to {}", type_named(c.from), type_named(c.to))
}
/// `schema.+(integer,integer)`, the schema where the name alone does not mean it.
pub fn signature(o: &Operator, cx: &DdlCtx) -> String {
    let schema = cx.catalog.schema(o.schema).map_or("", |s| &s.name);
    let visible = cx.env.scope().search_path.iter().any(|s| s == schema);
    let prefix = if visible { String::new() } else { format!("{}.", pamir_catalog::defs::quote_ident(schema)) };
    let left = if o.left == 0 { "NONE".to_string() } else { type_named(o.left) };
    format!("{prefix}{}({left},{})", o.name, type_named(o.right))
}

/// All that depends on `roots`, but what goes anyway; and as messages tell of it.
pub fn on(roots: &[ObjectRef], anyway: &[Oid], cx: &DdlCtx) -> (Vec<Going>, Vec<Dependent>) {
    fn go(on: ObjectRef, met: &mut Vec<Oid>, cx: &DdlCtx, out: &mut Vec<(Going, ObjectRef)>) {
        let found: Vec<Oid> = match on.sub {
            0 => cx.catalog.all_dependents(on.class, on.oid),
            _ => {
                let mut all = cx.catalog.all_dependents(on.class, on.oid);
                all.retain(|o| {
                    cx.catalog.table(*o).is_some_and(|t| t.depends.contains(&on))
                        || cx.catalog.function(*o).is_some_and(|f| f.more.depends.contains(&on))
                });
                all
            }
        };
        for oid in found.into_iter().rev() {
            if met.contains(&oid) {
                continue;
            }
            let Some(g) = Going::of(oid, cx) else { continue };
            met.push(oid);
            go(g.as_ref(), met, cx, out);
            out.push((g, on));
        }
    }
    let mut all = Vec::new();
    let mut met: Vec<Oid> = roots.iter().map(|r| r.oid).chain(anyway.iter().copied()).collect();
    for r in roots.iter().rev() {
        go(*r, &mut met, cx, &mut all);
    }
    all.reverse();
    let told = all.iter().map(|(g, on)| match g {
        Going::View(v) if matches!(on.class, Class::Relation) => Dependent::view(v, *on, cx),
        g => {
            let named = |f: &Arc<pamir_catalog::function::Function>| f.more.depends.iter().any(|d| d.oid == on.oid);
            if on.class == Class::Relation && cx.catalog.function(g.oid()).is_some_and(named) {
                let table = cx.catalog.table(on.oid);
                let whole = format!("{} {}", table.map_or("table", |t| t.word()), cx.shown(on.oid));
                let on = match table.and_then(|t| t.column(on.sub)) {
                    Some(c) => format!("column {} of {whole}", c.name),
                    None => whole,
                };
                return Dependent { foreign_key: None, default: None, what: g.shown(cx), on };
            }
            let by_array = on.class == Class::Type && !has_type(g.oid(), on.oid, cx);
            let on = match oid::array_of(on.oid).filter(|_| by_array) {
                Some(array) => format!("type {}", type_named(array)),
                None => shown(*on, cx),
            };
            Dependent { foreign_key: None, default: None, what: g.shown(cx), on }
        }
    });
    let told = told.collect();
    (all.into_iter().map(|x| x.0).collect(), told)
}
/// Drops them, the last first.
pub fn drop(going: Vec<Going>, cx: &mut DdlCtx) -> Result<()> {
    for g in going.into_iter().rev() {
        match g {
            Going::View(v) => drop_views(&[v], cx)?,
            Going::Function(o) => {
                event_trigger::remove_on(o, cx)?;
                remove(Kind::Function, o, cx)?;
            }
            Going::Operator(o) => remove(Kind::Operator, o, cx)?,
            Going::Cast(o) => remove(Kind::Cast, o, cx)?,
        }
    }
    Ok(())
}
/// The same of one, by its OID; it may be gone.
pub fn drop_by_oid(oid: Oid, cx: &mut DdlCtx) -> Result<()> {
    match Going::of(oid, cx) {
        Some(g) => drop(vec![g], cx),
        None => Ok(()),
    }
}
/// Does a function, an operator or a cast have the type itself, not its array or element?
fn has_type(oid: Oid, ty: Oid, cx: &DdlCtx) -> bool {
    let c = &cx.catalog;
    if let Some(f) = c.function(oid) {
        let states = f.more.aggregate.iter().flat_map(|a| std::iter::once(&a.plain).chain(&a.moving));
        return f
            .params
            .iter()
            .map(|p| p.ty.oid)
            .chain([f.ret.oid])
            .chain(states.map(|m| m.state.oid))
            .any(|t| t == ty);
    }
    if let Some(o) = c.operator(oid) {
        return [o.left, o.right, o.ret].contains(&ty);
    }
    c.cast_by_oid(oid).is_some_and(|c| c.from == ty || c.to == ty)
}
fn remove(kind: Kind, oid: Oid, cx: &mut DdlCtx) -> Result<()> {
    cx.lock_object(kind, oid, RowLock::Update)?;
    cx.remove(kind, oid)
}
