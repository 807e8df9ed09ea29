//! ALTER TABLE where tables inherit: what goes on to children, what ONLY refuses, and INHERIT, NO INHERIT, OF, NOT OF.
//!
//! ```text
//!   action                            with children                          on what parents gave
//!   ADD COLUMN, ADD CHECK             each child gets it, or its own of      -
//!                                     that name is merged (one parent more)
//!   DROP COLUMN, DROP CONSTRAINT      a child's goes where it hangs on this  "cannot drop inherited ..."
//!                                     parent alone, else one parent less;
//!                                     ONLY: it becomes the child's own
//!   TYPE, RENAME                      all the family; refused where a child  "cannot ... inherited column"
//!                                     has it from a parent outside
//!   defaults, NOT NULL, STATISTICS,   all the family; ONLY: the table alone  allowed
//!   STORAGE, COMPRESSION
//!   anything else                     the table alone
//! ```
//! A table without family comes here for one look at its descriptor.
use super::super::{DdlCtx, column, constraint, fall, inherit};
use super::{action as alone, attnum, cascades, columns, constraints, current};
use pamir_catalog::depend::ObjectRef;
use pamir_catalog::family::Origin;
use pamir_catalog::{Check, Column, Table};
use pamir_parse::tree::{self, AlterTable, TableConstraintKind};
use pamir_txn::TableLock;
use pamir_types::error::state;
use pamir_types::{Oid, Result, Type, bail, err};
use std::collections::HashSet;
use std::sync::Arc;

pub fn action(oid: Oid, only: bool, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    use AlterTable as A;
    match c {
        A::Inherit { parent, no: false } => return add_parent(oid, parent, cx),
        A::Inherit { parent, no: true } => return leave_parent(oid, parent, cx),
        A::OfType(Some(ty)) => return set_type(oid, ty, cx),
        A::OfType(None) => return not_of(oid, cx),
        _ => {}
    }
    let t = current(oid, cx)?;
    if t.declared.family.is_none() {
        return alone(oid, c, cx);
    }
    typed(&t, c)?;
    partitioned(&t, only, c, cx)?;
    let children = !t.children().is_empty();
    match c {
        A::AddColumn { column, .. } if t.column_by_name(&column.name).is_none() => add_column(&t, only, column, c, cx),
        A::DropColumn { name, behavior, .. } if t.column_by_name(name).is_some() => {
            let a = attnum(&t, name)?;
            if t.column_origin(a).parents > 0 {
                bail!(INVALID_TABLE_DEFINITION, "cannot drop inherited column \"{name}\"");
            }
            let mut roots = columns_of_children(oid, name, only, cx)?;
            roots.push(ObjectRef::column(oid, a));
            fall::drop(&roots, cascades(behavior), false, cx)
        }
        A::SetDefault { .. }
        | A::SetNotNull { .. }
        | A::SetStatistics { .. }
        | A::SetStorage { .. }
        | A::SetCompression { .. } => {
            alone(oid, c, cx)?;
            if !only {
                for d in locked_descendants(&t, cx)? {
                    alone(d.oid, c, cx)?;
                }
            }
            Ok(())
        }
        A::Type { column: name, .. } => {
            if let Some(col) = t.column_by_name(name) {
                if t.column_origin(col.attnum).parents > 0 {
                    bail!(INVALID_TABLE_DEFINITION, "cannot alter inherited column \"{name}\"");
                }
                if only && children {
                    let e = "must be changed in child tables too";
                    bail!(INVALID_TABLE_DEFINITION, "type of inherited column \"{name}\" {e}");
                }
            }
            let family = locked_descendants(&t, cx)?;
            if let Some(x) = from_outside(&t, &family, name) {
                bail!(INVALID_TABLE_DEFINITION, "cannot alter inherited column \"{name}\" of relation \"{}\"", x.name);
            }
            alone(oid, c, cx)?;
            family.iter().try_for_each(|d| alone(d.oid, c, cx))
        }
        A::AddConstraint(k) if matches!(k.kind, TableConstraintKind::Check(_)) => {
            let passes = !k.attributes.no_inherit;
            if only && children && passes {
                bail!(INVALID_TABLE_DEFINITION, "constraint must be added to child tables too");
            }
            alone(oid, c, cx)?;
            if passes { give_checks(oid, &new_checks(&t, oid, cx)?, cx) } else { Ok(()) }
        }
        A::DropConstraint { name, .. } => drop_constraint(&t, only, name, c, cx),
        A::ValidateConstraint(name) => {
            let check = t.checks.iter().find(|k| k.name == *name);
            let passes = check.is_some_and(|k| k.not_valid && !t.is_no_inherit(k.oid));
            if passes && children {
                if only {
                    bail!(INVALID_TABLE_DEFINITION, "constraint must be validated on child tables too");
                }
                for d in locked_descendants(&t, cx)? {
                    if d.checks.iter().any(|k| k.name == *name) {
                        alone(d.oid, c, cx)?;
                    }
                }
            }
            alone(oid, c, cx)
        }
        A::DropExpression { column: name, .. } => {
            if only && children {
                let e = "ALTER TABLE / DROP EXPRESSION must be applied to child tables too";
                bail!(INVALID_TABLE_DEFINITION, "{e}");
            }
            if t.column_by_name(name).is_some_and(|x| t.column_origin(x.attnum).parents > 0) {
                bail!(INVALID_TABLE_DEFINITION, "cannot drop generation expression from inherited column");
            }
            alone(oid, c, cx)?;
            locked_descendants(&t, cx)?.iter().try_for_each(|d| alone(d.oid, c, cx))
        }
        A::Trigger { which, mode } => super::super::trigger::enable(oid, which, *mode, only, cx),
        A::AddConstraint(k) if t.is_partitioned() => add_to_partitions(&t, only, k, c, cx),
        A::AddConstraint(k) if children && !only => {
            // A primary key is the table's own; that its columns are never NULL holds for the children's, too.
            if let TableConstraintKind::PrimaryKey(tree::KeyOf::Columns { columns, .. }) = &k.kind {
                for d in locked_descendants(&t, cx)? {
                    columns.iter().try_for_each(|column| alone(d.oid, &not_null(column), cx))?;
                }
            }
            alone(oid, c, cx)
        }
        _ => alone(oid, c, cx),
    }
}
fn not_null(column: &str) -> AlterTable {
    AlterTable::SetNotNull { column: column.into(), not_null: true }
}
/// A key or a foreign key of a partitioned table, and with it of its partitions.
fn add_to_partitions(t: &Table, only: bool, k: &tree::TableConstraint, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    if matches!(k.kind, TableConstraintKind::ForeignKey { .. }) {
        if only {
            let e = "cannot use ONLY for foreign key on partitioned table \"";
            bail!(WRONG_OBJECT_TYPE, "{e}{}\" referencing relation \"{}\"", t.name, referenced(k));
        }
        if k.attributes.not_valid {
            let e = err!(
                WRONG_OBJECT_TYPE,
                "cannot add NOT VALID foreign key on partitioned table \"{}\" referencing relation \"{}\"",
                t.name,
                referenced(k)
            );
            return Err(e.detail("This feature is not yet supported on partitioned tables."));
        }
    }
    if only && let TableConstraintKind::PrimaryKey(tree::KeyOf::Columns { columns, .. }) = &k.kind {
        only_where_not_null(t, columns, cx)?;
    }
    alone(t.oid, c, cx)?;
    let now = current(t.oid, cx)?;
    for i in now.indexes.iter().filter(|i| t.index(i.oid).is_none()) {
        super::super::partition::check_unique(&now, i)?;
        if only && !now.children().is_empty() {
            let mut now = now.clone();
            now.change_partition(|p| p.invalid.push(i.oid));
            cx.put_table(now)?;
            continue;
        }
        for child in now.children() {
            super::super::partition::give_index(t.oid, i.oid, *child, cx)?;
        }
    }
    for f in now.foreign_keys.iter().filter(|f| !t.foreign_keys.iter().any(|x| x.oid == f.oid)) {
        for child in now.children() {
            super::partition::give_foreign_key(t.oid, f.oid, *child, cx)?;
        }
    }
    Ok(())
}
/// 42P16 where a key of a partitioned table alone would leave NULLs in its partitions.
fn only_where_not_null(t: &Table, columns: &[String], cx: &DdlCtx) -> Result<()> {
    for child in t.children().iter().filter_map(|c| cx.catalog.table(*c)) {
        for n in columns {
            if child.column_by_name(n).is_some_and(|c| !c.not_null) {
                let e = err!(INVALID_TABLE_DEFINITION, "constraint must be added to child tables too");
                let e = e.detail(format!("Column \"{n}\" of relation \"{}\" is not already NOT NULL.", child.name));
                return Err(e.hint("Do not specify the ONLY keyword."));
            }
        }
    }
    Ok(())
}
fn referenced(k: &tree::TableConstraint) -> String {
    match &k.kind {
        TableConstraintKind::ForeignKey { references: to, .. } => to.table.parts.last().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}
/// 42809 for what a table's type says.
fn typed(t: &Table, c: &AlterTable) -> Result<()> {
    if t.of_type().is_none() {
        return Ok(());
    }
    match c {
        AlterTable::AddColumn { .. } => bail!(WRONG_OBJECT_TYPE, "cannot add column to typed table"),
        AlterTable::DropColumn { .. } => bail!(WRONG_OBJECT_TYPE, "cannot drop column from typed table"),
        AlterTable::Type { .. } => bail!(WRONG_OBJECT_TYPE, "cannot alter column type of typed table"),
        _ => Ok(()),
    }
}
/// What a partition, or a partitioned table, refuses.
fn partitioned(t: &Table, only: bool, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    use AlterTable as A;
    if t.bound().is_some() {
        match c {
            A::AddColumn { .. } => bail!(WRONG_OBJECT_TYPE, "cannot add column to a partition"),
            A::SetNotNull { column, not_null: false } => {
                let parent = cx.catalog.partition_parent(t).and_then(|p| p.column_by_name(column));
                if parent.is_some_and(|c| c.not_null) {
                    bail!(INVALID_TABLE_DEFINITION, "column \"{column}\" is marked NOT NULL in parent table");
                }
            }
            _ => {}
        }
    }
    if t.scheme().is_none() {
        return Ok(());
    }
    let (word, name) = match c {
        A::DropColumn { name, .. } => ("drop", name),
        A::Type { column, .. } => ("alter", column),
        _ => return only_partitions(t, only, c),
    };
    // A partition's columns are its parent's, which is said first.
    if word != "drop" || t.bound().is_none() {
        not_of_key(t, word, name, cx)?;
    }
    only_partitions(t, only, c)?;
    // What hangs on the column is told after that.
    let below = if word == "drop" && !only { cx.catalog.descendants(t) } else { Vec::new() };
    below.iter().try_for_each(|t| not_of_key(t, word, name, cx))
}
/// 42P16 where a table is partitioned by the column.
fn not_of_key(t: &Table, word: &str, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let a = t.column_by_name(name).map(|c| c.attnum);
    for k in t.scheme().iter().flat_map(|s| &s.key) {
        let of_key = match &k.of {
            pamir_catalog::IndexColumn::Attr(x) => Some(*x) == a,
            pamir_catalog::IndexColumn::Expr(text, _) => {
                let bound = super::super::eval::bind_text(text, Some(t), None, cx)?;
                super::super::eval::used_columns(&bound).iter().any(|x| Some(*x) == a)
            }
        };
        if of_key {
            let e = "because it is part of the partition key of relation";
            bail!(INVALID_TABLE_DEFINITION, "cannot {word} column \"{name}\" {e} \"{}\"", t.name);
        }
    }
    Ok(())
}
/// ONLY, of what partitions must have as well.
fn only_partitions(t: &Table, only: bool, c: &AlterTable) -> Result<()> {
    if !only || t.children().is_empty() {
        return Ok(());
    }
    let hint = "Do not specify the ONLY keyword.";
    let e = match c {
        AlterTable::DropColumn { .. } => {
            err!(INVALID_TABLE_DEFINITION, "cannot drop column from only the partitioned table when partitions exist")
        }
        AlterTable::SetNotNull { not_null: true, .. } => {
            err!(INVALID_TABLE_DEFINITION, "constraint must be added to child tables too")
        }
        _ => return Ok(()),
    };
    Err(e.hint(hint))
}
/// The whole family below a table, each locked.
fn locked_descendants(t: &Table, cx: &mut DdlCtx) -> Result<Vec<Arc<Table>>> {
    let all = cx.catalog.descendants(t);
    all.iter().map(|d| lock_child(d.oid, cx)).collect()
}
fn lock_child(oid: Oid, cx: &mut DdlCtx) -> Result<Arc<Table>> {
    pamir_types::work::charge(pamir_types::work::ROW as usize)?;
    let t = cx.lock_table(oid, TableLock::AccessExclusive)?;
    cx.check_idle(&t, "ALTER TABLE")?;
    Ok(t)
}
/// What is done to a child: its parent as it is now, its number, and what came down to it; what goes on to its own children, or None.
type Visit<'a, T> = &'a mut dyn FnMut(&Table, Oid, &T, &mut DdlCtx) -> Result<Option<T>>;
/// Goes down a family, to each child before its own children; what `visit` gives goes on to these, and None ends the way there. It keeps its own stack:
/// a family may be as deep as it is large.
fn down<T>(root: Oid, first: T, cx: &mut DdlCtx, visit: Visit<T>) -> Result<()> {
    let mut open = vec![(current(root, cx)?, 0, first)];
    while let Some((parent, at, what)) = open.last_mut() {
        let Some(child) = parent.children().get(*at).copied() else {
            open.pop();
            continue;
        };
        *at += 1;
        if let Some(next) = visit(parent, child, what, cx)? {
            open.push((current(child, cx)?, 0, next));
        }
    }
    Ok(())
}
/// A table and those below it, by number.
fn within(t: &Table, family: &[Arc<Table>]) -> HashSet<Oid> {
    family.iter().map(|d| d.oid).chain([t.oid]).collect()
}
/// One of the family below `t` that has the column from a parent that is not of it.
fn from_outside<'a>(t: &Table, family: &'a [Arc<Table>], name: &str) -> Option<&'a Arc<Table>> {
    let within = within(t, family);
    family.iter().find(|d| {
        let here = d.parents().iter().filter(|p| within.contains(p)).count();
        d.column_by_name(name).is_some_and(|c| d.column_origin(c.attnum).parents as usize > here)
    })
}

// ---- columns ----

fn add_column(t: &Table, only: bool, def: &tree::ColumnDefinition, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    let children = !t.children().is_empty();
    if children {
        if def.constraints.iter().any(|k| matches!(k.kind, tree::ColumnConstraintKind::Identity { .. })) {
            let e = "cannot recursively add identity column to table that has child tables";
            bail!(INVALID_TABLE_DEFINITION, "{e}");
        }
        if only {
            bail!(INVALID_TABLE_DEFINITION, "column must be added to child tables too");
        }
    }
    alone(t.oid, c, cx)?;
    if children {
        // serial: every row of the family has its own number, of this table's sequence.
        let now = current(t.oid, cx)?;
        let sequence = now.column_by_name(&def.name).filter(|c| c.default.is_some()).and_then(|c| c.sequence);
        give_column(t.oid, &def.name, sequence, cx)?;
        give_checks(t.oid, &new_checks(t, t.oid, cx)?, cx)?;
    }
    Ok(())
}
/// Gives the children of a table its new column. `sequence`: of the values of rows that there are.
fn give_column(parent: Oid, name: &str, sequence: Option<Oid>, cx: &mut DdlCtx) -> Result<()> {
    down(parent, (), cx, &mut |p, child, (), cx| {
        let Some(col) = p.column_by_name(name) else { return Ok(None) };
        let old = lock_child(child, cx)?;
        let mut t = (*old).clone();
        if let Some(mine) = old.column_by_name(name) {
            if t.declared_type(mine) != p.declared_type(col) {
                bail!(DATATYPE_MISMATCH, "child table \"{}\" has different type for column \"{name}\"", t.name);
            }
            if t.declared.collation(mine.attnum) != p.declared.collation(col.attnum) {
                bail!(COLLATION_MISMATCH, "child table \"{}\" has different collation for column \"{name}\"", t.name);
            }
            let say = format!("merging definition of column \"{name}\" for child \"{}\"", t.name);
            t.set_column_origin(mine.attnum, t.column_origin(mine.attnum).with_one());
            cx.put_table(t)?;
            cx.notice(state::SUCCESSFUL_COMPLETION, say);
            return Ok(None);
        }
        if t.columns.len() >= column::MAX_COLUMNS {
            bail!(TOO_MANY_COLUMNS, "tables can have at most {} columns", column::MAX_COLUMNS);
        }
        let a = t.columns.len() as i16 + 1;
        t.columns.push(Column { sequence, ..inherit::inherited(col, a) });
        inherit::copy_declared(p, col.attnum, &mut t, a);
        t.set_column_origin(a, Origin::INHERITED);
        columns::fill_new(&old, &mut t, a, cx)?;
        if let Some(c) = column::column_mut(&mut t, a) {
            c.sequence = None;
        }
        cx.put_table(t)?;
        Ok(Some(()))
    })
}
/// The columns of children that go with their parent's; the others hang on it no longer.
fn columns_of_children(parent: Oid, name: &str, only: bool, cx: &mut DdlCtx) -> Result<Vec<ObjectRef>> {
    let mut gone = Vec::new();
    down(parent, only, cx, &mut |_, child, only, cx| {
        let mut t = (*lock_child(child, cx)?).clone();
        let Some(a) = t.column_by_name(name).map(|c| c.attnum) else { return Ok(None) };
        let origin = t.column_origin(a);
        if !only && origin.hangs_on_one() {
            // Behind those of its own children.
            gone.insert(0, ObjectRef::column(child, a));
            return Ok(Some(false));
        }
        let less = origin.without_one();
        t.set_column_origin(a, if *only { Origin { local: true, ..less } } else { less });
        cx.put_table(t)?;
        Ok(None)
    })?;
    Ok(gone)
}
pub fn rename_column(oid: Oid, only: bool, from: &str, to: &str, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    if t.declared.family.is_none() || t.view.is_some() {
        return columns::rename(oid, from, to, cx);
    }
    if t.of_type().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot rename column of typed table");
    }
    let Some(col) = t.column_by_name(from) else { return columns::rename(oid, from, to, cx) };
    if only && !t.children().is_empty() {
        bail!(INVALID_TABLE_DEFINITION, "inherited column \"{from}\" must be renamed in child tables too");
    }
    let family = locked_descendants(&t, cx)?;
    if t.column_origin(col.attnum).parents > 0 || from_outside(&t, &family, from).is_some() {
        bail!(INVALID_TABLE_DEFINITION, "cannot rename inherited column \"{from}\"");
    }
    for d in &family {
        columns::rename(d.oid, from, to, cx)?;
    }
    columns::rename(oid, from, to, cx)
}

// ---- CHECKs ----

/// The CHECKs that a table has and had not before.
fn new_checks(before: &Table, oid: Oid, cx: &DdlCtx) -> Result<Vec<Check>> {
    let now = current(oid, cx)?;
    let new = |k: &&Check| !before.checks.iter().any(|b| b.oid == k.oid) && !now.is_no_inherit(k.oid);
    Ok(now.checks.iter().filter(new).cloned().collect())
}
/// Gives the children of a table its new CHECKs.
fn give_checks(parent: Oid, checks: &[Check], cx: &mut DdlCtx) -> Result<()> {
    down(parent, checks.to_vec(), cx, &mut |_, child, checks, cx| {
        if checks.is_empty() {
            return Ok(None);
        }
        let mut t = (*lock_child(child, cx)?).clone();
        let mut fresh = Vec::new();
        for k in checks {
            fresh.extend(give_check(k, &mut t, cx)?);
        }
        t.checks.sort_by(|a, b| a.name.cmp(&b.name));
        let t = cx.put_table(t)?;
        for k in fresh.iter().filter(|k| !k.not_valid) {
            constraint::validate_check(cx, &t, k)?;
        }
        Ok(Some(fresh))
    })
}
/// Gives a child one CHECK, or makes it one with the child's own; the one that is new there.
fn give_check(k: &Check, t: &mut Table, cx: &mut DdlCtx) -> Result<Option<Check>> {
    let name = &k.name;
    match t.checks.iter().find(|x| x.name == *name).cloned() {
        Some(old) if old.expr != k.expr => {
            bail!(DUPLICATE_OBJECT, "constraint \"{name}\" for relation \"{}\" already exists", t.name)
        }
        Some(old) if t.is_no_inherit(old.oid) => bail!(
            INVALID_OBJECT_DEFINITION,
            "constraint \"{name}\" conflicts with non-inherited constraint on relation \"{}\"",
            t.name
        ),
        Some(old) if old.not_valid && !k.not_valid => bail!(
            INVALID_OBJECT_DEFINITION,
            "constraint \"{name}\" conflicts with NOT VALID constraint on relation \"{}\"",
            t.name
        ),
        Some(old) => {
            let origin = t.check_origin(old.oid).with_one();
            let local = origin.local && t.bound().is_none();
            t.set_check_origin(old.oid, Origin { local, ..origin });
            let say = format!("merging constraint \"{name}\" with inherited definition");
            cx.notice(state::SUCCESSFUL_COMPLETION, say);
            Ok(None)
        }
        None if constraint::exists(t, name) => {
            bail!(DUPLICATE_OBJECT, "constraint \"{name}\" for relation \"{}\" already exists", t.name)
        }
        None => {
            let new = Check { oid: cx.new_oid_in(t.schema)?, ..k.clone() };
            t.checks.push(new.clone());
            t.set_check_origin(new.oid, Origin::INHERITED);
            Ok(Some(new))
        }
    }
}
fn drop_constraint(t: &Table, only: bool, name: &str, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    let Some(k) = t.checks.iter().find(|k| k.name == name) else { return drop_key(t, name, c, cx) };
    if t.check_origin(k.oid).parents > 0 {
        bail!(INVALID_TABLE_DEFINITION, "cannot drop inherited constraint \"{name}\" of relation \"{}\"", t.name);
    }
    let passes = !t.is_no_inherit(k.oid);
    alone(t.oid, c, cx)?;
    if passes { take_check(t.oid, name, only, cx) } else { Ok(()) }
}
/// A key or a foreign key, and what partitions have of it.
fn drop_key(t: &Table, name: &str, c: &AlterTable, cx: &mut DdlCtx) -> Result<()> {
    let index = t.indexes.iter().find(|i| i.constraint && i.name == name).map(|i| i.oid);
    let fk = t.foreign_keys.iter().find(|f| f.name == name).map(|f| f.oid);
    let inherited =
        index.is_some_and(|i| t.index_parent(i).is_some()) || fk.is_some_and(|f| t.foreign_key_parent(f).is_some());
    if inherited {
        bail!(INVALID_TABLE_DEFINITION, "cannot drop inherited constraint \"{name}\" of relation \"{}\"", t.name);
    }
    if let Some(f) = fk.filter(|_| t.is_partitioned()) {
        take_foreign_key(t.oid, f, cx)?;
    }
    alone(t.oid, c, cx)
}
/// Takes from the partitions of a table what they have of its foreign key.
fn take_foreign_key(parent: Oid, fk: Oid, cx: &mut DdlCtx) -> Result<()> {
    let mut open = vec![(parent, fk)];
    while let Some((p, fk)) = open.pop() {
        for child in current(p, cx)?.children().to_vec() {
            let t = lock_child(child, cx)?;
            let mine = t.partition().and_then(|x| x.foreign_keys.iter().find(|e| e.1 == fk)).map(|e| e.0);
            let Some(mine) = mine else { continue };
            open.push((child, mine));
        }
        if p != parent {
            super::super::remove::drop_foreign_key(p, fk, cx)?;
        }
    }
    Ok(())
}
fn take_check(parent: Oid, name: &str, only: bool, cx: &mut DdlCtx) -> Result<()> {
    down(parent, only, cx, &mut |_, child, only, cx| {
        let mut t = (*lock_child(child, cx)?).clone();
        let Some(k) = t.checks.iter().find(|k| k.name == name).cloned() else {
            bail!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name);
        };
        let origin = t.check_origin(k.oid);
        if !only && origin.hangs_on_one() {
            constraints::drop(child, name, true, false, cx)?;
            return Ok(Some(false));
        }
        let less = origin.without_one();
        t.set_check_origin(k.oid, if *only { Origin { local: true, ..less } } else { less });
        cx.put_table(t)?;
        Ok(None)
    })
}
pub fn rename_constraint(oid: Oid, only: bool, from: &str, to: &str, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    let check = t.checks.iter().find(|k| k.name == from).filter(|_| t.declared.family.is_some());
    let Some(k) = check.filter(|k| !t.is_no_inherit(k.oid)) else { return constraints::rename(oid, from, to, cx) };
    if only && !t.children().is_empty() {
        bail!(INVALID_TABLE_DEFINITION, "inherited constraint \"{from}\" must be renamed in child tables too");
    }
    let family = locked_descendants(&t, cx)?;
    let within = within(&t, &family);
    let outside = family.iter().any(|d| {
        let here = d.parents().iter().filter(|p| within.contains(p)).count();
        d.checks.iter().any(|k| k.name == from && d.check_origin(k.oid).parents as usize > here)
    });
    if t.check_origin(k.oid).parents > 0 || outside {
        bail!(INVALID_TABLE_DEFINITION, "cannot rename inherited constraint \"{from}\"");
    }
    for d in family.iter().filter(|d| d.checks.iter().any(|k| k.name == from)) {
        constraints::rename(d.oid, from, to, cx)?;
    }
    constraints::rename(oid, from, to, cx)
}

// ---- INHERIT, NO INHERIT ----

fn not_partitioned(t: &Table) -> Result<()> {
    if t.is_partitioned() {
        bail!(WRONG_OBJECT_TYPE, "cannot change inheritance of partitioned table");
    }
    if t.bound().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot change inheritance of a partition");
    }
    Ok(())
}
fn add_parent(oid: Oid, parent: &tree::Relation, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    not_partitioned(&t)?;
    if t.of_type().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot change inheritance of typed table");
    }
    let p = inherit::open_parent(parent, t.is_temporary(), cx)?;
    if t.parents().contains(&p.oid) {
        bail!(DUPLICATE_TABLE, "relation \"{}\" would be inherited from more than once", p.name);
    }
    if p.oid == oid || cx.catalog.descendants(&t).iter().any(|d| d.oid == p.oid) {
        let e = err!(DUPLICATE_TABLE, "circular inheritance not allowed");
        return Err(e.detail(format!("\"{}\" is already a child of \"{}\".", p.name, t.name)));
    }
    let transition =
        |g: &&Arc<pamir_catalog::trigger::Trigger>| g.each_row && (g.old_table.is_some() || g.new_table.is_some());
    if let Some(g) = t.triggers.as_ref().and_then(|all| all.list.iter().find(transition)) {
        let e = err!(
            FEATURE_NOT_SUPPORTED,
            "trigger \"{}\" prevents table \"{}\" from becoming an inheritance child",
            g.name,
            t.name
        );
        return Err(e.detail("ROW triggers with transition tables are not supported in inheritance hierarchies."));
    }
    match_parent(&p, &mut t)?;
    t.change_family(|f| f.parents.push(p.oid));
    cx.put_table(t)?;
    inherit::add_child(p.oid, oid, cx)
}
/// Counts the columns and CHECKs of a table that is to be a child; 42804 where it lacks one of the parent's.
pub fn match_parent(p: &Table, t: &mut Table) -> Result<()> {
    for c in p.live_columns() {
        let name = &c.name;
        let Some(mine) = t.column_by_name(name).cloned() else {
            bail!(DATATYPE_MISMATCH, "child table is missing column \"{name}\"");
        };
        if t.declared_type(&mine) != p.declared_type(c) {
            bail!(DATATYPE_MISMATCH, "child table \"{}\" has different type for column \"{name}\"", t.name);
        }
        if t.declared.collation(mine.attnum) != p.declared.collation(c.attnum) {
            bail!(COLLATION_MISMATCH, "child table \"{}\" has different collation for column \"{name}\"", t.name);
        }
        if c.not_null && !mine.not_null {
            bail!(DATATYPE_MISMATCH, "column \"{name}\" in child table must be marked NOT NULL");
        }
        match (&c.generated, &mine.generated) {
            (Some(_), None) => {
                bail!(DATATYPE_MISMATCH, "column \"{name}\" in child table must be a generated column")
            }
            (Some(a), Some(b)) if a != b => {
                bail!(DATATYPE_MISMATCH, "column \"{name}\" in child table has a conflicting generation expression")
            }
            _ => {}
        }
        t.set_column_origin(mine.attnum, merged(p, t.column_origin(mine.attnum)));
    }
    for k in p.checks.iter().filter(|k| !p.is_no_inherit(k.oid)) {
        let name = &k.name;
        let Some(mine) = t.checks.iter().find(|x| x.name == *name).cloned() else {
            bail!(DATATYPE_MISMATCH, "child table is missing constraint \"{name}\"");
        };
        if mine.expr != k.expr {
            let e = "has different definition for check constraint";
            bail!(DATATYPE_MISMATCH, "child table \"{}\" {e} \"{name}\"", t.name);
        }
        let conflict = if t.is_no_inherit(mine.oid) {
            Some("non-inherited")
        } else {
            (mine.not_valid && !k.not_valid).then_some("NOT VALID")
        };
        if let Some(what) = conflict {
            let on = format!("conflicts with {what} constraint on child table");
            bail!(INVALID_OBJECT_DEFINITION, "constraint \"{name}\" {on} \"{}\"", t.name);
        }
        t.set_check_origin(mine.oid, merged(p, t.check_origin(mine.oid)));
    }
    Ok(())
}
/// One parent more has it; a partition has nothing of its own beside what that says.
fn merged(p: &Table, origin: Origin) -> Origin {
    let one = origin.with_one();
    if p.is_partitioned() { Origin { local: false, ..one } } else { one }
}
fn leave_parent(oid: Oid, parent: &tree::Relation, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    not_partitioned(&t)?;
    let (schema, n) = cx.split(&parent.parts)?;
    let p = cx.catalog.resolve_table(cx.env.scope(), schema.as_deref(), &n)?;
    if t.of_type().is_some() {
        bail!(WRONG_OBJECT_TYPE, "cannot change inheritance of typed table");
    }
    if !t.parents().contains(&p.oid) {
        bail!(UNDEFINED_TABLE, "relation \"{}\" is not a parent of relation \"{}\"", p.name, t.name);
    }
    let p = cx.lock_table(p.oid, TableLock::AccessShare)?;
    forget_parent(&p, &mut t);
    cx.put_table(t)?;
    inherit::remove_child(p.oid, oid, cx)
}
/// What `p` gave is one parent less in `t`.
pub fn forget_parent(p: &Table, t: &mut Table) {
    for c in p.live_columns() {
        if let Some(a) = t.column_by_name(&c.name).map(|c| c.attnum) {
            t.set_column_origin(a, t.column_origin(a).without_one());
        }
    }
    for k in p.checks.iter().filter(|k| !p.is_no_inherit(k.oid)) {
        if let Some(o) = t.checks.iter().find(|x| x.name == k.name).map(|x| x.oid) {
            t.set_check_origin(o, t.check_origin(o).without_one());
        }
    }
    t.change_family(|f| f.parents.retain(|o| *o != p.oid));
}

// ---- OF, NOT OF ----

fn set_type(oid: Oid, name: &tree::QualifiedName, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let (ty, fields) = inherit::composite(name, cx)?;
    if !t.parents().is_empty() {
        bail!(WRONG_OBJECT_TYPE, "typed tables cannot inherit");
    }
    super::super::types::hold(Type::new(ty), cx)?;
    let mut mine = t.live_columns();
    for f in &fields {
        let name = &f.name;
        let Some(c) = mine.next() else { bail!(DATATYPE_MISMATCH, "table is missing column \"{name}\"") };
        if c.name != *name {
            bail!(DATATYPE_MISMATCH, "table has column \"{}\" where type requires \"{name}\"", c.name);
        }
        if t.declared_type(c) != f.ty {
            bail!(DATATYPE_MISMATCH, "table \"{}\" has different type for column \"{name}\"", t.name);
        }
    }
    if let Some(extra) = mine.next() {
        bail!(DATATYPE_MISMATCH, "table has extra column \"{}\"", extra.name);
    }
    drop(mine);
    t.change_family(|f| f.of_type = Some(ty));
    cx.put_table(t).map(|_| ())
}
fn not_of(oid: Oid, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    if t.of_type().is_none() {
        bail!(WRONG_OBJECT_TYPE, "\"{}\" is not a typed table", t.name);
    }
    t.change_family(|f| f.of_type = None);
    cx.put_table(t).map(|_| ())
}
