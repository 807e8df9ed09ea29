//! INHERITS: what a new table gets from its parents, and how columns and CHECKs of the same name are made one (PostgreSQL's MergeAttributes).
//!
//! ```text
//!   CREATE TABLE c (b text NOT NULL, x int) INHERITS (p, q)        p (a int, b text)    q (b text DEFAULT 'q', d date)
//!     parents, in their order:  a of p | b of p, q ("merging multiple inherited definitions") | d of q
//!     then what is written:     b is merged ("merging column"), x is appended
//!   c (a, b, d, x)      a: 1 parent; b: 2 parents, local; d: 1 parent; x: its own
//! ```
//! A default is the child's own, or what all parents that have one agree on. Expressions are kept as text over names, and names are the same in the
//! whole family, so what a child gets is a copy. ALTER TABLE in families: `alter/family.rs`.
//!
//! Limits: a temporary table inherits from temporary ones only.
use super::{DdlCtx, column};
use pamir_catalog::family::Origin;
use pamir_catalog::types::Field;
use pamir_catalog::{Check, Column, Relation, Table};
use pamir_parse::tree;
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::text::type_display;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

/// A type as errors name it, users' ones too.
pub(super) fn shown_type(ty: Type, cx: &DdlCtx) -> String {
    pamir_catalog::types::shown(cx.catalog, cx.env.scope(), &type_display(ty))
}
/// A table that a child names as its parent, locked.
pub(super) fn open_parent(name: &tree::Relation, temporary: bool, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    let (schema, n) = cx.split(&name.parts)?;
    let t = match cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &n)? {
        Some(Relation::Table(t)) if t.view.is_none() => t,
        None => cx.catalog.resolve_table(cx.env.scope(), schema.as_deref(), &n)?,
        Some(_) => bail!(WRONG_OBJECT_TYPE, "inherited relation \"{n}\" is not a table or foreign table"),
    };
    let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
    if t.of_type().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot inherit from typed table \"{}\"", t.name);
    }
    if t.is_partitioned() {
        bail!(WRONG_OBJECT_TYPE, "cannot inherit from partitioned table \"{}\"", t.name);
    }
    if t.bound().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot inherit from partition \"{}\"", t.name);
    }
    if t.is_temporary() && !temporary {
        bail!(WRONG_OBJECT_TYPE, "cannot inherit from temporary relation \"{}\"", t.name);
    }
    cx.check_owner(t.owner, "table", &t.name)?;
    if temporary && !t.is_temporary() {
        return Err(Error::unsupported("a temporary table that inherits from a permanent one"));
    }
    Ok(t)
}
/// Gives a new partition, which has no columns yet, those of its parent, and its bound.
pub fn partition_of(
    name: &tree::Relation,
    written: &tree::PartitionBound,
    t: &mut Table,
    cx: &mut DdlCtx,
) -> Result<()> {
    let p = super::partition::open_parent(name, t.is_temporary(), cx)?;
    let bound = super::partition::bound(&p, written, cx)?;
    super::partition::check_free(&p, &t.name, &bound, written, cx)?;
    super::partition::check_default_against(&p, &bound, cx)?;
    t.change_family(|f| f.parents.push(p.oid));
    let mut conflicts = Vec::new();
    for c in p.live_columns() {
        merge_column(&p, c, t, &mut conflicts, cx)?;
    }
    for k in p.checks.iter().filter(|k| !p.is_no_inherit(k.oid)) {
        merge_check(k, t, cx)?;
    }
    t.checks.sort_by(|a, b| a.name.cmp(&b.name));
    t.change_partition(|p| p.bound = Some(bound));
    Ok(())
}
/// Gives a new table, which has no columns yet, those of its parents. The columns whose parents' defaults differ are returned.
pub fn merge_parents(names: &[tree::Relation], t: &mut Table, cx: &mut DdlCtx) -> Result<Vec<i16>> {
    let mut conflicts = Vec::new();
    for n in names {
        let p = open_parent(n, t.is_temporary(), cx)?;
        if t.parents().contains(&p.oid) {
            bail!(DUPLICATE_TABLE, "relation \"{}\" would be inherited from more than once", p.name);
        }
        t.change_family(|f| f.parents.push(p.oid));
        for c in p.live_columns() {
            merge_column(&p, c, t, &mut conflicts, cx)?;
        }
        for k in p.checks.iter().filter(|k| !p.is_no_inherit(k.oid)) {
            merge_check(k, t, cx)?;
        }
    }
    t.checks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(conflicts)
}
fn merge_column(p: &Table, c: &Column, t: &mut Table, conflicts: &mut Vec<i16>, cx: &mut DdlCtx) -> Result<()> {
    let name = &c.name;
    let Some(old) = t.column_by_name(name).cloned() else {
        if t.columns.len() >= column::MAX_COLUMNS {
            bail!(TOO_MANY_COLUMNS, "tables can have at most {} columns", column::MAX_COLUMNS);
        }
        let attnum = t.columns.len() as i16 + 1;
        t.columns.push(inherited(c, attnum));
        copy_declared(p, c.attnum, t, attnum);
        t.set_column_origin(attnum, Origin::INHERITED);
        return Ok(());
    };
    let say = format!("merging multiple inherited definitions of column \"{name}\"");
    cx.notice(state::SUCCESSFUL_COMPLETION, say);
    let (a, b) = (t.declared_type(&old), p.declared_type(c));
    if a != b {
        return Err(err!(DATATYPE_MISMATCH, "inherited column \"{name}\" has a type conflict").detail(format!(
            "{} versus {}",
            shown_type(a, cx),
            shown_type(b, cx)
        )));
    }
    if t.declared.collation(old.attnum) != p.declared.collation(c.attnum) {
        bail!(COLLATION_MISMATCH, "inherited column \"{name}\" has a collation conflict");
    }
    same_storage("inherited column", (p, c.attnum), (t, old.attnum))?;
    merge_compression("inherited column", (p, c.attnum), t, old.attnum)?;
    if old.generated.is_some() != c.generated.is_some() {
        bail!(DATATYPE_MISMATCH, "inherited column \"{name}\" has a generation conflict");
    }
    let origin = t.column_origin(old.attnum).with_one();
    t.set_column_origin(old.attnum, origin);
    let Some(mine) = column::column_mut(t, old.attnum) else { return Ok(()) };
    mine.not_null |= c.not_null;
    for (mine, theirs) in [(&mut mine.default, &c.default), (&mut mine.generated, &c.generated)] {
        if mine.is_none() {
            mine.clone_from(theirs);
        } else if theirs.is_some() && mine != theirs {
            conflicts.push(old.attnum);
        }
    }
    Ok(())
}
/// 42804 where two definitions store a column's values in two ways.
pub(super) fn same_storage(what: &str, (from, a): (&Table, i16), (to, b): (&Table, i16)) -> Result<()> {
    let way = |t: &Table, a: i16| {
        let own = || pamir_catalog::system::types::layout_of(t.column(a).map_or(0, |c| c.ty.oid)).storage;
        match t.declared.more.storage(a).unwrap_or_else(own) {
            b'p' => "PLAIN",
            b'e' => "EXTERNAL",
            b'm' => "MAIN",
            _ => "EXTENDED",
        }
    };
    let (theirs, mine) = (way(from, a), way(to, b));
    if theirs == mine {
        return Ok(());
    }
    let name = to.column(b).map_or("", |c| &c.name);
    let e = err!(DATATYPE_MISMATCH, "{what} \"{name}\" has a storage parameter conflict");
    Err(e.detail(format!("{mine} versus {theirs}")))
}
/// Gives a column another definition's way to be compressed; 42804 where both say one.
pub(super) fn merge_compression(what: &str, (from, a): (&Table, i16), to: &mut Table, b: i16) -> Result<()> {
    match (from.declared.more.compression(a), to.declared.more.compression(b)) {
        (Some(theirs), Some(mine)) if theirs != mine => {
            let name = to.column(b).map_or("", |c| &c.name);
            let e = err!(DATATYPE_MISMATCH, "{what} \"{name}\" has a compression method conflict");
            Err(e.detail(format!("{} versus {}", method(mine), method(theirs))))
        }
        (theirs @ Some(_), None) => {
            to.declared.more.set_compression(b, theirs);
            Ok(())
        }
        _ => Ok(()),
    }
}
fn method(letter: u8) -> &'static str {
    if letter == b'l' { "lz4" } else { "pglz" }
}
/// Is a CHECK one that parents gave, and nothing else?
pub(super) fn is_given_check(t: &Table, oid: Oid) -> bool {
    let origin = t.check_origin(oid);
    origin.parents > 0 && !origin.local
}
/// The column that a child gets of a parent's; identity is not passed on.
pub(super) fn inherited(c: &Column, attnum: i16) -> Column {
    let mut new = column::blank(attnum, c.name.clone(), c.ty);
    (new.not_null, new.default, new.generated) = (c.not_null, c.default.clone(), c.generated.clone());
    new
}
/// What else definitions say of a column.
pub(super) fn copy_declared(from: &Table, a: i16, to: &mut Table, b: i16) {
    to.declared.set_collation(b, from.declared.collation(a));
    to.declared.set_domain(b, from.declared.domain(a));
    to.declared.more.set_storage(b, from.declared.more.storage(a));
    to.declared.more.set_compression(b, from.declared.more.compression(a));
}
fn merge_check(k: &Check, t: &mut Table, cx: &mut DdlCtx) -> Result<()> {
    if let Some(old) = t.checks.iter().find(|x| x.name == k.name).cloned() {
        if old.expr != k.expr {
            let name = &k.name;
            bail!(
                DUPLICATE_OBJECT,
                "check constraint name \"{name}\" appears multiple times but with different expressions"
            );
        }
        let origin = t.check_origin(old.oid).with_one();
        t.set_check_origin(old.oid, origin);
        return Ok(());
    }
    let oid = cx.new_oid_in(t.schema)?;
    t.checks.push(Check { oid, not_valid: false, ..k.clone() });
    t.set_check_origin(oid, Origin::INHERITED);
    Ok(())
}
/// The column that a written one is merged with, which parents gave the new table.
pub(super) fn given(t: &Table, name: &str) -> Option<Column> {
    let c = t.column_by_name(name)?;
    let origin = t.column_origin(c.attnum);
    (origin.parents > 0 && !origin.local).then(|| c.clone())
}
/// What else is written of a column.
#[derive(Default)]
pub(super) struct Written {
    pub defaulted: bool,
    pub generated: bool,
    pub compressed: Option<u8>,
}
/// Makes a written column one with that which parents gave.
pub(super) fn merge_written(
    new: Column,
    (declared, collation): (Type, Option<Oid>),
    with: Written,
    t: &mut Table,
    cx: &mut DdlCtx,
) -> Result<()> {
    let name = &new.name;
    let Some(old) = t.column(new.attnum).cloned() else { return Ok(()) };
    let written = t.live_columns().filter(|c| t.column_origin(c.attnum).local).count() as i16 + 1;
    if written == old.attnum {
        let say = format!("merging column \"{name}\" with inherited definition");
        cx.notice(state::SUCCESSFUL_COMPLETION, say);
    } else {
        let say = format!("moving and merging column \"{name}\" with inherited definition");
        let n = super::cx::notice(state::SUCCESSFUL_COMPLETION, say);
        cx.env.notice(n.detail("User-specified column moved to the position of the inherited column."));
    }
    let was = t.declared_type(&old);
    if was != declared {
        return Err(err!(DATATYPE_MISMATCH, "column \"{name}\" has a type conflict").detail(format!(
            "{} versus {}",
            shown_type(was, cx),
            shown_type(declared, cx)
        )));
    }
    if collation.is_some_and(|c| {
        Some(c) != t.declared.collation(old.attnum).or(Some(pamir_catalog::declared::DEFAULT_COLLATION))
    }) {
        bail!(COLLATION_MISMATCH, "column \"{name}\" has a collation conflict");
    }
    if let Some(mine) = with.compressed {
        let theirs = t.declared.more.compression(old.attnum);
        if theirs.is_some_and(|x| x != mine) {
            let e = err!(DATATYPE_MISMATCH, "column \"{name}\" has a compression method conflict");
            return Err(e.detail(format!("{} versus {}", method(theirs.unwrap_or(mine)), method(mine))));
        }
        t.declared.more.set_compression(old.attnum, Some(mine));
    }
    if old.generated.is_some() {
        if with.generated {
            return Err(err!(INVALID_COLUMN_DEFINITION, "child column \"{name}\" specifies generation expression").hint(
                "Omit the generation expression in the definition of the child table column to inherit the generation expression from the parent table.",
            ));
        }
        if with.defaulted {
            bail!(INVALID_COLUMN_DEFINITION, "column \"{name}\" inherits from generated column but specifies default");
        }
        if new.identity.is_some() {
            bail!(INVALID_COLUMN_DEFINITION, "column \"{name}\" inherits from generated column but specifies identity");
        }
    }
    t.set_column_origin(old.attnum, Origin { local: true, ..t.column_origin(old.attnum) });
    if let Some(c) = column::column_mut(t, old.attnum) {
        c.not_null |= new.not_null;
        if new.default.is_some() {
            c.default = new.default;
        }
        c.identity = new.identity.or(c.identity);
        if new.comment.is_some() {
            c.comment = new.comment;
        }
    }
    Ok(())
}
/// 42611 for columns whose parents have different defaults, and which say none themselves.
pub(super) fn no_conflicts(conflicts: &[i16], p: &column::Pending, t: &Table) -> Result<()> {
    for a in conflicts {
        if p.defaults.iter().chain(&p.generated).any(|d| d.0 == *a) {
            continue;
        }
        let Some(c) = t.column(*a) else { continue };
        let (what, hint) = match c.generated {
            Some(_) => ("generation expressions", "a generation expression"),
            None => ("default values", "a default"),
        };
        let e = err!(INVALID_COLUMN_DEFINITION, "column \"{}\" inherits conflicting {what}", c.name);
        return Err(e.hint(format!("To resolve the conflict, specify {hint} explicitly.")));
    }
    Ok(())
}
/// Names a new child in its parents.
pub(super) fn tell_parents(t: &Table, cx: &mut DdlCtx) -> Result<()> {
    t.parents().to_vec().into_iter().try_for_each(|p| add_child(p, t.oid, cx))
}
pub(super) fn add_child(parent: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let mut p = (*cx.lock_table(parent, TableLock::ShareUpdateExclusive)?).clone();
    p.change_family(|f| {
        f.children.push(child);
        f.children.sort_unstable();
    });
    cx.put_table(p)?;
    Ok(())
}
/// Takes a child out of its parent's list.
pub(super) fn remove_child(parent: Oid, child: Oid, cx: &mut DdlCtx) -> Result<()> {
    let Some(p) = cx.lock_table_if_exists(parent, TableLock::ShareUpdateExclusive)? else { return Ok(()) };
    let mut p = (*p).clone();
    p.change_family(|f| f.children.retain(|c| *c != child));
    cx.put_table(p)?;
    Ok(())
}

// ---- typed tables ----

/// A composite type by its name, and its fields.
pub(super) fn composite(name: &tree::QualifiedName, cx: &DdlCtx) -> Result<(Oid, Vec<Field>)> {
    let (parts, at) = (name.parts.clone(), tree::At::NOWHERE);
    let (modifiers, array) = (Vec::new(), Vec::new());
    let named = tree::TypeName { parts, setof: false, of_column: false, modifiers, fields: None, array, at };
    let ty = column::bound_type(&named, cx)?;
    let of_users = pamir_types::oid::user_class(ty.oid) == Some(pamir_types::oid::UserClass::Composite);
    match cx.catalog.composite_of(ty.oid).filter(|_| of_users) {
        Some(c) => Ok((ty.oid, c.fields.clone())),
        None => bail!(WRONG_OBJECT_TYPE, "type {} is not a composite type", shown_type(ty, cx)),
    }
}
/// Gives a new table the columns of a composite type.
pub fn of_type(name: &tree::QualifiedName, t: &mut Table, cx: &mut DdlCtx) -> Result<()> {
    let (oid, fields) = composite(name, cx)?;
    super::types::hold(Type::new(oid), cx)?;
    t.change_family(|f| f.of_type = Some(oid));
    for f in fields {
        let attnum = t.columns.len() as i16 + 1;
        let ty = cx.catalog.base_type(f.ty);
        t.columns.push(column::blank(attnum, f.name, ty));
        t.declared.set_domain(attnum, (ty != f.ty).then_some(f.ty.oid));
    }
    Ok(())
}
/// What a typed table says of a column of its type.
pub fn typed_column<'a>(
    def: &'a tree::ColumnDefinition,
    t: &mut Table,
    out: &mut column::Pending<'a>,
    cx: &mut DdlCtx,
) -> Result<()> {
    let Some(mut col) = t.column_by_name(&def.name).cloned() else {
        bail!(UNDEFINED_COLUMN, "column \"{}\" does not exist", def.name);
    };
    if out.typed.contains(&col.attnum) {
        bail!(DUPLICATE_COLUMN, "column \"{}\" specified more than once", def.name);
    }
    out.typed.push(col.attnum);
    for c in def.constraints.iter().filter(|_| t.of_type().is_some()) {
        let what = match c.kind {
            tree::ColumnConstraintKind::Identity { .. } => "identity columns are",
            tree::ColumnConstraintKind::Generated(_) => "generated columns are",
            _ => continue,
        };
        bail!(FEATURE_NOT_SUPPORTED, "{what} not supported on typed tables");
    }
    column::constraints(def, t, &mut col, false, out, cx)?;
    if let Some(c) = column::column_mut(t, col.attnum) {
        *c = col;
    }
    Ok(())
}
