//! ALTER TABLE, ALTER INDEX: each action in the order written, on a copy of the table's descriptor, then rows checked or rewritten once.
//!
//! PostgreSQL runs actions in passes (drops, type changes, additions); here the written order is kept, which differs only in what such mixtures
//! accept. Actions that need rows rewritten do so at once.
use super::build::is_empty;
use super::constraint::{CheckSpec, FkSpec, KeySpec};
use super::cx::{Name, ident};
use super::eval::{RowExpr, bind_expr, bind_text, no_subquery, text_of, used_columns, volatility};
use super::rewrite::rewrite;
use super::{DdlCtx, build, column, constraint, remove, sequence};
use crate::catalog::{Identity, Index, IndexColumn, Object, Relation, Table};
use crate::func::Volatility;
use pamir_txn::{TableLock, TreeId};
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use sqlparser::ast::{self, AlterColumnOperation as ColOp, AlterTableOperation as Op, ObjectName};
use std::sync::Arc;

const TAG: &str = "ALTER TABLE";

/// The lock an action takes (PostgreSQL's AlterTableGetLockLevel, without the finer cases).
fn lock_of(op: &Op) -> TableLock {
    match op {
        Op::AddConstraint { constraint: ast::TableConstraint::ForeignKey(_), .. } => TableLock::ShareRowExclusive,
        Op::ValidateConstraint { .. } | Op::SetOptionsParens { .. } => TableLock::ShareUpdateExclusive,
        _ => TableLock::AccessExclusive,
    }
}

pub fn execute(a: &ast::AlterTable, cx: &mut DdlCtx) -> Result<&'static str> {
    if let [Op::RenameTable { table_name: ast::RenameTableNameKind::To(new) | ast::RenameTableNameKind::As(new) }] =
        a.operations.as_slice()
    {
        return rename_relation(&a.name, new, a.if_exists, TAG, cx);
    }
    // What pg_dump writes for a sequence's owner.
    if let [Op::OwnerTo { new_owner }] = a.operations.as_slice()
        && let Some(Relation::Sequence(_)) = cx.resolve(&a.name)?
    {
        let owner = cx.owner_from(new_owner)?;
        let Some(role) = cx.catalog.role(owner).map(|r| r.name.to_string()) else {
            return Err(Error::internal("an owner without a role"));
        };
        super::own::alter_sequence(&a.name, a.if_exists, &super::own::SequenceAction::Owner(role), cx)?;
        return Ok(TAG);
    }
    let lock = a.operations.iter().map(lock_of).max().unwrap_or(TableLock::AccessExclusive);
    let Some(oid) = open(&a.name, a.if_exists, lock, cx)? else { return Ok(TAG) };
    for op in &a.operations {
        action(oid, op, cx)?;
    }
    Ok(TAG)
}
/// Locks the table of ALTER TABLE; None when IF EXISTS met nothing. Sequences and indexes are reached through ALTER TABLE only to be renamed or owned.
pub fn open(name: &ObjectName, if_exists: bool, lock: TableLock, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    match cx.resolve(name)? {
        None if if_exists => {
            let (schema, n) = cx.split(name)?;
            let shown = schema.map_or(n.clone(), |s| format!("{s}.{n}"));
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("relation \"{shown}\" does not exist, skipping"));
            Ok(None)
        }
        Some(Relation::Index(..) | Relation::Sequence(_)) => {
            let (_, n) = cx.split(name)?;
            Err(err!(WRONG_OBJECT_TYPE, "\"{n}\" is not a table, composite type, or foreign table"))
        }
        _ => Ok(Some(cx.open_table(name, lock)?.oid)),
    }
}
/// The table as it is now, for another action to change.
fn current(oid: Oid, cx: &DdlCtx) -> Result<Table> {
    cx.catalog.table(oid).map(|t| (**t).clone()).ok_or_else(|| Error::internal("table vanished under its lock"))
}
fn no_column(t: &Table, n: &str) -> Error {
    err!(UNDEFINED_COLUMN, "column \"{n}\" of relation \"{}\" does not exist", t.name)
}
fn attnum(t: &Table, n: &str) -> Result<i16> {
    t.column_by_name(n).map(|c| c.attnum).ok_or_else(|| no_column(t, n))
}

fn action(oid: Oid, op: &Op, cx: &mut DdlCtx) -> Result<()> {
    match op {
        Op::AddColumn { if_not_exists, column_def, .. } => add_column(oid, column_def, *if_not_exists, cx),
        Op::DropColumn { column_names, if_exists, drop_behavior, .. } => {
            for c in column_names {
                drop_column(oid, &ident(c), *if_exists, matches!(drop_behavior, Some(ast::DropBehavior::Cascade)), cx)?;
            }
            Ok(())
        }
        Op::RenameColumn { old_column_name, new_column_name } => {
            rename_column(oid, &ident(old_column_name), &ident(new_column_name), cx)
        }
        Op::AlterColumn { column_name, op } => alter_column(oid, &ident(column_name), op, cx),
        Op::AddConstraint { constraint, not_valid } => add_constraint(oid, constraint, *not_valid, cx),
        Op::DropConstraint { if_exists, name, drop_behavior } => drop_constraint(
            oid,
            &ident(name),
            *if_exists,
            matches!(drop_behavior, Some(ast::DropBehavior::Cascade)),
            cx,
        ),
        Op::RenameConstraint { old_name, new_name } => rename_constraint(oid, &ident(old_name), &ident(new_name), cx),
        Op::ValidateConstraint { name } => validate(oid, &ident(name), cx),
        Op::RenameTable { table_name: ast::RenameTableNameKind::To(n) | ast::RenameTableNameKind::As(n) } => {
            let t = current(oid, cx)?;
            rename_to(&Relation::Table(Arc::new(t)), &super::cx::one_name(n)?, cx)
        }
        Op::OwnerTo { new_owner } => {
            let owner = cx.owner_from(new_owner)?;
            set_owner(oid, owner, cx)
        }
        Op::SetOptionsParens { options } => {
            let settings = super::options::of_ast(options)?;
            set_parameters(oid, oid, &settings, false, cx)
        }
        Op::SetLogged | Op::SetUnlogged => Ok(()),
        Op::ReplicaIdentity { .. } => Ok(()),
        // There is no row security and no user trigger: switching what does not exist off changes nothing.
        Op::DisableRowLevelSecurity | Op::NoForceRowLevelSecurity => Ok(()),
        Op::DisableTrigger { name } | Op::EnableTrigger { name } if matches!(ident(name).as_str(), "user" | "all") => {
            Err(Error::unsupported("ALTER TABLE ... DISABLE TRIGGER"))
        }
        other => Err(Error::unsupported(format!("ALTER TABLE {other}"))),
    }
}

/// SET (...) and RESET (...) of a table or one of its indexes.
pub fn set_parameters(
    table: Oid,
    relation: Oid,
    settings: &[super::options::Setting],
    reset: bool,
    cx: &mut DdlCtx,
) -> Result<()> {
    use super::options::Of;
    let mut t = current(table, cx)?;
    let of = match t.index(relation) {
        None => Of::Table,
        Some(i) if i.hash => Of::Hash,
        Some(_) => Of::Btree,
    };
    super::options::change(&mut t.declared.options, relation, of, settings, reset)?;
    cx.put_table(t)?;
    Ok(())
}

// ---- columns ----

fn add_column(oid: Oid, def: &ast::ColumnDef, if_not_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let name = ident(&def.name);
    if old.column_by_name(&name).is_some() {
        let e = err!(DUPLICATE_COLUMN, "column \"{name}\" of relation \"{}\" already exists", old.name);
        if !if_not_exists {
            return Err(e);
        }
        cx.notice_exists(&e);
        return Ok(());
    }
    let mut t = old.clone();
    let mut pending = column::Pending::default();
    column::define(def, &mut t, &mut pending, cx)?;
    column::finish(&mut t, &mut pending, cx)?;
    let Some(col) = t.columns.last().cloned() else { return Err(Error::internal("no column was added")) };
    let empty = is_empty(cx, &old)?;
    if !empty {
        fill_column(&old, &mut t, col.attnum, cx)?;
    }
    cx.put_table(t)?;
    for k in &pending.keys {
        add_key(oid, k, cx)?;
    }
    for c in &pending.checks {
        add_check(oid, c, cx)?;
    }
    for f in &pending.foreign_keys {
        add_foreign_key(oid, f, cx)?;
    }
    Ok(())
}
/// Gives the rows of a table that is not empty their value of a new column: one stored value for all of them, or rows rewritten.
fn fill_column(old: &Table, t: &mut Table, attnum: i16, cx: &mut DdlCtx) -> Result<()> {
    let Some(col) = t.column(attnum).cloned() else { return Ok(()) };
    let null_error = |t: &Table| {
        err!(NOT_NULL_VIOLATION, "column \"{}\" of relation \"{}\" contains null values", col.name, t.name)
            .table("public", &*t.name)
            .column(&*col.name)
    };
    let slot = attnum as usize - 1;
    if let Some(g) = &col.generated {
        let bound = bind_text(g, Some(t), Some(col.ty), cx)?;
        let e = RowExpr::new(&bound);
        let not_null = col.not_null;
        let name_error = null_error(t);
        return rewrite(cx, old, t, &mut |cx, row| {
            let v = e.eval(row, &mut *cx.env)?;
            if not_null && v.is_null() {
                return Err(name_error.clone());
            }
            if let Some(d) = row.get_mut(slot) {
                *d = v;
            }
            Ok(())
        });
    }
    if let (Some(seq), true) = (col.sequence, col.identity.is_some() || col.default.is_some()) {
        // serial and identity: every row its own number. The session's nextval works on the private catalog's sequence.
        let Some(s) = cx.catalog.sequence(seq).cloned() else {
            return Err(Error::internal("sequence of a new column is missing"));
        };
        return rewrite(cx, old, t, &mut |cx, row| {
            let v = cx.shard.seq_next(s.storage, &s.def)?;
            if let Some(d) = row.get_mut(slot) {
                *d = integer(v, col.ty)?;
            }
            Ok(())
        });
    }
    let Some(default) = &col.default else { return if col.not_null { Err(null_error(t)) } else { Ok(()) } };
    let bound = bind_text(default, None, Some(col.ty), cx)?;
    let e = RowExpr::new(&bound);
    if volatility(&bound) == Volatility::Volatile {
        let name_error = null_error(t);
        return rewrite(cx, old, t, &mut |cx, row| {
            let v = e.eval(&[], &mut *cx.env)?;
            if col.not_null && v.is_null() {
                return Err(name_error.clone());
            }
            if let Some(d) = row.get_mut(slot) {
                *d = v;
            }
            Ok(())
        });
    }
    let v = e.eval(&[], &mut *cx.env)?;
    if v.is_null() {
        return if col.not_null { Err(null_error(t)) } else { Ok(()) };
    }
    let mut bytes = Vec::new();
    pamir_types::row::encode_value(&v, col.ty, &mut bytes)?;
    if let Some(c) = column::column_mut(t, attnum) {
        c.missing = Some(bytes);
    }
    Ok(())
}
fn integer(v: i64, ty: Type) -> Result<Datum> {
    use pamir_types::oid;
    let out = match ty.oid {
        oid::INT2 => i16::try_from(v).ok().map(Datum::Int2),
        oid::INT4 => i32::try_from(v).ok().map(Datum::Int4),
        _ => Some(Datum::Int8(v)),
    };
    out.ok_or_else(|| err!(NUMERIC_VALUE_OUT_OF_RANGE, "{} out of range", pamir_types::text::type_display(ty)))
}

/// Does an index use the column?
fn index_uses(t: &Table, i: &Index, attnum: i16, cx: &mut DdlCtx) -> Result<bool> {
    if i.include.contains(&attnum) {
        return Ok(true);
    }
    for (c, _) in &i.columns {
        match c {
            IndexColumn::Attr(a) if *a == attnum => return Ok(true),
            IndexColumn::Attr(_) => {}
            IndexColumn::Expr(e, _) => {
                if used_columns(&bind_text(e, Some(t), None, cx)?).contains(&attnum) {
                    return Ok(true);
                }
            }
        }
    }
    match &i.predicate {
        Some(p) => Ok(used_columns(&bind_text(p, Some(t), None, cx)?).contains(&attnum)),
        None => Ok(false),
    }
}
fn drop_column(oid: Oid, name: &str, if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    let Some(col) = t.column_by_name(name).cloned() else {
        let e = no_column(&t, name);
        if !if_exists {
            return Err(e);
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
        return Ok(());
    };
    let shown = cx.shown(oid);
    // Indexes and own constraints go with the column; what refers to them from elsewhere, and generated columns, need CASCADE.
    let mut indexes = vec![];
    for i in &t.indexes {
        if index_uses(&t, i, col.attnum, cx)? {
            indexes.push(i.clone());
        }
    }
    let index_oids: Vec<Oid> = indexes.iter().map(|i| i.oid).collect();
    let mut dependents = remove::foreign_keys_on(&t, &index_oids, cx);
    dependents.retain(|d| {
        d.foreign_key.is_none_or(|(child, fk)| {
            child != oid || !t.foreign_keys.iter().any(|f| f.oid == fk && f.columns.contains(&col.attnum))
        })
    });
    for d in &mut dependents {
        d.on = format!("column {name} of table {shown}");
    }
    let mut generated = vec![];
    for c in t.live_columns().filter(|c| c.attnum != col.attnum) {
        if let Some(g) = &c.generated
            && used_columns(&bind_text(g, Some(&t), None, cx)?).contains(&col.attnum)
        {
            generated.push(c.attnum);
            dependents.push(remove::Dependent {
                foreign_key: None,
                default: None,
                what: format!("column {} of table {shown}", c.name),
                on: format!("column {name} of table {shown}"),
            });
        }
    }
    remove::refuse_or_tell(&format!("column {name} of table {shown}"), &dependents, cascade, cx)?;
    remove::drop_foreign_keys(&dependents, cx)?;
    let own_fks: Vec<Oid> = t.foreign_keys.iter().filter(|f| f.columns.contains(&col.attnum)).map(|f| f.oid).collect();
    for f in own_fks {
        remove::drop_foreign_key(oid, f, cx)?;
    }
    for g in generated {
        let n = current(oid, cx)?.column(g).map(|c| c.name.clone()).unwrap_or_default();
        drop_column(oid, &n, true, cascade, cx)?;
    }
    let before = current(oid, cx)?;
    let mut new = before.clone();
    let mut checks = vec![];
    for c in std::mem::take(&mut new.checks) {
        if !used_columns(&bind_text(&c.expr, Some(&before), None, cx)?).contains(&col.attnum) {
            checks.push(c);
        }
    }
    new.checks = checks;
    let lost_key = indexes.iter().any(|i| i.primary);
    for i in indexes.iter().filter(|i| !i.primary) {
        cx.shard.drop_tree(cx.txn, TreeId(i.tree))?;
    }
    let old_layout = Table {
        indexes: before.indexes.iter().filter(|i| i.primary || !index_oids.contains(&i.oid)).cloned().collect(),
        ..before.clone()
    };
    new.indexes.retain(|i| !index_oids.contains(&i.oid));
    for s in sequence::owned(cx, &before, Some(col.attnum)) {
        cx.remove(crate::catalog::Kind::Sequence, s.oid)?;
    }
    if let Some(c) = column::column_mut(&mut new, col.attnum) {
        c.dropped = true;
        c.name = format!("........pg.dropped.{}........", col.attnum);
        (c.not_null, c.default, c.identity, c.generated, c.sequence, c.comment, c.missing) =
            (false, None, None, None, None, None, None);
    }
    if let Some(s) = &mut new.stats {
        s.columns.retain(|(a, _)| *a != col.attnum);
    }
    if lost_key {
        rewrite(cx, &old_layout, &mut new, &mut |_, row| {
            if let Some(d) = row.get_mut(col.attnum as usize - 1) {
                *d = Datum::Null;
            }
            Ok(())
        })?;
    }
    cx.put_table(new)?;
    Ok(())
}
/// Stored expressions name columns: a rename rewrites them.
fn rename_column(oid: Oid, old: &str, new: &str, cx: &mut DdlCtx) -> Result<()> {
    let before = current(oid, cx)?;
    let a = before
        .column_by_name(old)
        .map(|c| c.attnum)
        .ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{old}\" does not exist"))?;
    if before.column_by_name(new).is_some() {
        bail!(DUPLICATE_COLUMN, "column \"{new}\" of relation \"{}\" already exists", before.name);
    }
    let mut t = before.clone();
    if let Some(c) = column::column_mut(&mut t, a) {
        c.name = new.into();
    }
    let after = t.clone();
    let renamed = |text: &mut crate::catalog::SqlText, cx: &mut DdlCtx| -> Result<()> {
        let bound = bind_text(text, Some(&before), None, cx)?;
        if used_columns(&bound).contains(&a) {
            *text = text_of(&bound, Some(&after), cx);
        }
        Ok(())
    };
    for c in &mut t.checks {
        renamed(&mut c.expr, cx)?;
    }
    for c in &mut t.columns {
        if let Some(g) = &mut c.generated {
            renamed(g, cx)?;
        }
    }
    for i in &mut t.indexes {
        for (c, _) in &mut i.columns {
            if let IndexColumn::Expr(e, _) = c {
                renamed(e, cx)?;
            }
        }
        if let Some(p) = &mut i.predicate {
            renamed(p, cx)?;
        }
    }
    cx.put_table(t)?;
    Ok(())
}
fn alter_column(oid: Oid, name: &str, op: &ColOp, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let Some(col) = t.column(a).cloned() else { return Err(no_column(&t, name)) };
    match op {
        ColOp::SetNotNull => {
            if !col.not_null {
                constraint::validate_not_null(cx, &t, &[a])?;
                if let Some(c) = column::column_mut(&mut t, a) {
                    c.not_null = true;
                }
                cx.put_table(t)?;
            }
        }
        ColOp::DropNotNull => {
            if t.primary_key().is_some_and(|p| constraint::plain_columns(p).is_some_and(|c| c.contains(&a))) {
                bail!(INVALID_TABLE_DEFINITION, "column \"{name}\" is in a primary key");
            }
            if col.identity.is_some() {
                bail!(SYNTAX_ERROR, "column \"{name}\" of relation \"{}\" is an identity column", t.name);
            }
            if let Some(c) = column::column_mut(&mut t, a) {
                c.not_null = false;
            }
            cx.put_table(t)?;
        }
        ColOp::SetDefault { .. } | ColOp::DropDefault if col.identity.is_some() => {
            let e = err!(SYNTAX_ERROR, "column \"{name}\" of relation \"{}\" is an identity column", t.name);
            return Err(if matches!(op, ColOp::DropDefault) {
                e.hint("Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead.")
            } else {
                e
            });
        }
        ColOp::SetDefault { .. } | ColOp::DropDefault if col.generated.is_some() => {
            let e = err!(SYNTAX_ERROR, "column \"{name}\" of relation \"{}\" is a generated column", t.name);
            return Err(if matches!(op, ColOp::DropDefault) {
                e.hint("Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead.")
            } else {
                e
            });
        }
        ColOp::SetDefault { value } => {
            column::set_default(&mut t, a, value, cx)?;
            cx.put_table(t)?;
        }
        ColOp::DropDefault => {
            if let Some(c) = column::column_mut(&mut t, a) {
                c.default = None;
            }
            cx.put_table(t)?;
        }
        ColOp::SetDataType { data_type, using, .. } => change_type(t, a, data_type, using.as_ref(), cx)?,
        ColOp::AddGenerated { generated_as, sequence_options } => {
            let identity = if matches!(generated_as, Some(ast::GeneratedAs::ByDefault)) {
                Identity::ByDefault
            } else {
                Identity::Always
            };
            let options = sequence::Options::from_ast(sequence_options.as_deref().unwrap_or(&[]))?;
            add_identity(t, a, identity, options, cx)?;
        }
    }
    Ok(())
}
pub fn add_identity(
    mut t: Table,
    a: i16,
    identity: Identity,
    options: sequence::Options,
    cx: &mut DdlCtx,
) -> Result<()> {
    let (Some(col), table) = (t.column(a).cloned(), t.name.clone()) else { return Ok(()) };
    if !col.not_null {
        bail!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "column \"{}\" of relation \"{table}\" must be declared NOT NULL before identity can be added",
            col.name
        );
    }
    if col.identity.is_some() {
        bail!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "column \"{}\" of relation \"{table}\" is already an identity column",
            col.name
        );
    }
    if col.default.is_some() {
        bail!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "column \"{}\" of relation \"{table}\" already has a default value",
            col.name
        );
    }
    let mut pending = column::Pending::default();
    if let Some(c) = column::column_mut(&mut t, a) {
        column::set_identity(c, identity, options, &mut pending)?;
    }
    column::finish(&mut t, &mut pending, cx)?;
    cx.put_table(t)?;
    Ok(())
}
pub fn drop_identity(oid: Oid, name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    if c.identity.is_none() {
        let message = format!("column \"{name}\" of relation \"{}\" is not an identity column", t.name);
        if !if_exists {
            return Err(Error::new(state::OBJECT_NOT_IN_PREREQUISITE_STATE, message));
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{message}, skipping"));
        return Ok(());
    }
    (c.identity, c.sequence) = (None, None);
    for s in sequence::owned(cx, &t, Some(a)) {
        cx.remove(crate::catalog::Kind::Sequence, s.oid)?;
    }
    cx.put_table(t)?;
    Ok(())
}
/// SET GENERATED, SET sequence options, RESTART of an identity column.
pub fn set_identity(
    oid: Oid,
    name: &str,
    generated: Option<Identity>,
    options: &sequence::Options,
    cx: &mut DdlCtx,
) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let table = t.name.clone();
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    if c.identity.is_none() {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "column \"{name}\" of relation \"{table}\" is not an identity column");
    }
    let seq = c.sequence;
    if let Some(g) = generated {
        c.identity = Some(g);
        cx.put_table(t)?;
    }
    if let Some(s) = seq {
        let s = cx.lock_sequence(s)?;
        sequence::change(&s, options, cx)?;
    }
    Ok(())
}
pub fn drop_expression(oid: Oid, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let table = t.name.clone();
    match column::column_mut(&mut t, a) {
        Some(c) if c.generated.is_some() => c.generated = None,
        _ => bail!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "column \"{name}\" of relation \"{table}\" is not a stored generated column"
        ),
    }
    cx.put_table(t)?;
    Ok(())
}

/// ALTER COLUMN TYPE. Rows are rewritten unless only the modifier grows.
fn change_type(
    old: Table,
    a: i16,
    data_type: &ast::DataType,
    using: Option<&ast::Expr>,
    cx: &mut DdlCtx,
) -> Result<()> {
    let Some(col) = old.column(a).cloned() else { return Ok(()) };
    let ty = crate::bind::bind_type(data_type, cx.catalog)?;
    column::check_type(&col.name, ty)?;
    if col.identity.is_some() && !matches!(ty, Type::INT2 | Type::INT4 | Type::INT8) {
        bail!(INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    }
    let collated = using.and_then(crate::parser::definitions::collation_of_type);
    let collation = collated.as_ref().map(|c| column::collation(&c.0, ty)).transpose()?;
    let itself = |e: &&ast::Expr| !matches!(e, ast::Expr::Identifier(i) if ident(i) == col.name);
    let using = if let Some(c) = &collated { Some(c.1).filter(itself) } else { using };
    if col.generated.is_some() && using.is_some() {
        bail!(INVALID_COLUMN_DEFINITION, "cannot specify USING when altering type of generated column");
    }
    for c in old.live_columns().filter(|c| c.attnum != a) {
        if let Some(g) = &c.generated
            && used_columns(&bind_text(g, Some(&old), None, cx)?).contains(&a)
        {
            return Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a generated column")
                .detail(format!("Column \"{}\" is used by generated column \"{}\".", col.name, c.name)));
        }
    }
    let name = ast::Expr::Identifier(ast::Ident::with_quote('"', &*col.name));
    let source = using.unwrap_or(&name);
    no_subquery(source, "transform expression")?;
    let shown_type = pamir_types::text::type_display(ty);
    let bound = bind_expr(source, Some(&old), Some(ty), cx).map_err(|e| {
        if e.code() != state::DATATYPE_MISMATCH {
            return e;
        }
        if using.is_some() {
            err!(
                DATATYPE_MISMATCH,
                "result of USING clause for column \"{}\" cannot be cast automatically to type {}",
                col.name,
                shown_type
            )
            .hint("You might need to add an explicit cast.")
        } else {
            err!(DATATYPE_MISMATCH, "column \"{}\" cannot be cast automatically to type {}", col.name, shown_type).hint(
                format!(
                    "You might need to specify \"USING {}::{}\".",
                    crate::catalog::defs::quote_ident(&col.name),
                    shown_type
                ),
            )
        }
    })?;
    let mut new = old.clone();
    new.declared.set_collation(a, collation);
    super::index::check_classes(&new, a, ty)?;
    if let Some(c) = column::column_mut(&mut new, a) {
        c.ty = ty;
        c.missing = None;
    }
    // The default must fit the new type.
    if let (Some(d), None) = (&col.default, col.sequence) {
        let parsed = crate::parser::parse_expr(&d.0)?;
        let rebound = bind_expr(&parsed, None, Some(ty), cx).map_err(|_| {
            err!(
                DATATYPE_MISMATCH,
                "default for column \"{}\" cannot be cast automatically to type {shown_type}",
                col.name
            )
        })?;
        let text = text_of(&rebound, None, cx);
        if let Some(c) = column::column_mut(&mut new, a) {
            c.default = Some(text);
        }
    }
    // Expressions over the column are bound again under its new type, so that what no longer fits fails now.
    let mut indexes = new.indexes.clone();
    for i in &mut indexes {
        for (c, _) in &mut i.columns {
            match c {
                IndexColumn::Attr(x) if *x == a => constraint::check_orderable(ty)?,
                IndexColumn::Attr(_) => {}
                IndexColumn::Expr(e, t) => *t = bind_text(e, Some(&new), None, cx)?.ty(),
            }
        }
        if let Some(p) = &i.predicate {
            bind_text(p, Some(&new), None, cx)?;
        }
    }
    new.indexes = indexes;
    for c in &new.checks.clone() {
        bind_text(&c.expr, Some(&new), None, cx)?;
    }
    if let Some(s) = &mut new.stats {
        s.columns.retain(|(x, _)| *x != a);
    }
    let slot = a as usize - 1;
    let e = RowExpr::new(&bound);
    // An absent value of an old row is filled in by the rewrite, so every column's `missing` is spent.
    let not_null = col.not_null;
    let error = err!(NOT_NULL_VIOLATION, "column \"{}\" of relation \"{}\" contains null values", col.name, old.name);
    if is_empty(cx, &old)? {
        new.cache = Default::default();
    } else {
        rewrite(cx, &old, &mut new, &mut |cx, row| {
            let v = e.eval(row, &mut *cx.env)?;
            if not_null && v.is_null() {
                return Err(error.clone());
            }
            if let Some(d) = row.get_mut(slot) {
                *d = v;
            }
            Ok(())
        })?;
    }
    let new = cx.put_table(new)?;
    for c in new.checks.iter().filter(|c| !c.not_valid) {
        constraint::validate_check(cx, &new, c)?;
    }
    constraint::validate_keys_of(cx, &new, a)
}

// ---- constraints ----

fn add_constraint(oid: Oid, c: &ast::TableConstraint, not_valid: bool, cx: &mut DdlCtx) -> Result<()> {
    use ast::TableConstraint::*;
    match c {
        PrimaryKeyUsingIndex(u) => return add_using_index(oid, u, true, cx),
        UniqueUsingIndex(u) => return add_using_index(oid, u, false, cx),
        _ => {}
    }
    let mut p = column::Pending::default();
    constraint::collect(c, not_valid, &mut p)?;
    for k in &p.keys {
        add_key(oid, k, cx)?;
    }
    for c in &p.checks {
        add_check(oid, c, cx)?;
    }
    for f in &p.foreign_keys {
        add_foreign_key(oid, f, cx)?;
    }
    Ok(())
}
fn add_check(oid: Oid, c: &CheckSpec, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let check = constraint::add_check(&mut t, c, cx)?;
    let t = cx.put_table(t)?;
    if check.not_valid { Ok(()) } else { constraint::validate_check(cx, &t, &check) }
}
fn add_foreign_key(oid: Oid, f: &FkSpec, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let fk = constraint::add_foreign_key(&mut t, f, cx)?;
    let t = cx.put_table(t)?;
    if fk.not_valid { Ok(()) } else { constraint::validate_foreign_key(cx, &t, &fk) }
}
/// A primary key clusters the table: its rows move into a tree ordered by it. A unique key gets a tree of its own.
pub fn add_key(oid: Oid, k: &KeySpec, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let mut t = old.clone();
    let was_nullable: Vec<i16> =
        k.columns.iter().filter_map(|n| old.column_by_name(n)).filter(|c| !c.not_null).map(|c| c.attnum).collect();
    let index = constraint::add_key(&mut t, k, cx)?;
    if k.primary {
        if is_empty(cx, &old)? {
            t.cache = Default::default();
        } else {
            if !was_nullable.is_empty() {
                constraint::validate_not_null(cx, &old, &was_nullable)?;
            }
            rewrite(cx, &old, &mut t, &mut |_, _| Ok(()))?;
        }
    } else {
        t.cache = Default::default();
        build::build_index(cx, &t, &index)?;
    }
    cx.put_table(t)?;
    Ok(())
}
fn add_using_index(oid: Oid, u: &ast::ConstraintUsingIndex, primary: bool, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let index_name = ident(&u.index_name);
    let Some(i) = old.indexes.iter().find(|i| i.name == index_name).cloned() else {
        bail!(UNDEFINED_OBJECT, "index \"{index_name}\" does not exist")
    };
    if i.constraint {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "index \"{index_name}\" is already associated with a constraint");
    }
    if !i.unique {
        return Err(err!(WRONG_OBJECT_TYPE, "\"{index_name}\" is not a unique index")
            .detail("Cannot create a primary key or unique constraint using such an index."));
    }
    let Some(columns) = constraint::plain_columns(&i) else {
        return Err(err!(WRONG_OBJECT_TYPE, "index \"{index_name}\" contains expressions")
            .detail("Cannot create a primary key or unique constraint using such an index."));
    };
    if i.predicate.is_some() {
        return Err(err!(WRONG_OBJECT_TYPE, "\"{index_name}\" is a partial index")
            .detail("Cannot create a primary key or unique constraint using such an index."));
    }
    let name = u.name.as_ref().map_or(index_name.clone(), ident);
    if name != index_name {
        cx.notice(
            state::SUCCESSFUL_COMPLETION,
            format!("ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index \"{index_name}\" to \"{name}\""),
        );
    }
    let mut t = old.clone();
    if !primary {
        for x in t.indexes.iter_mut().filter(|x| x.oid == i.oid) {
            x.constraint = true;
            x.name = name.clone();
        }
        cx.put_table(t)?;
        return Ok(());
    }
    // The clustered tree replaces the index's own.
    t.indexes.retain(|x| x.oid != i.oid);
    cx.shard.drop_tree(cx.txn, TreeId(i.tree))?;
    cx.put_table(t.clone())?;
    let names = |v: &[i16]| v.iter().filter_map(|a| old.column(*a)).map(|c| c.name.clone()).collect::<Vec<_>>();
    let mut spec = KeySpec::new(Some(name), true, names(&columns));
    spec.include = names(&i.include);
    add_key(oid, &spec, cx)
}
pub fn drop_constraint(oid: Oid, name: &str, if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    if t.checks.iter().any(|c| c.name == name) {
        let mut t = t;
        t.checks.retain(|c| c.name != name);
        cx.put_table(t)?;
        return Ok(());
    }
    if let Some(f) = t.foreign_keys.iter().find(|f| f.name == name) {
        return remove::drop_foreign_key(oid, f.oid, cx);
    }
    let Some(i) = t.indexes.iter().find(|i| i.constraint && i.name == name).cloned() else {
        let e = err!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name);
        if !if_exists {
            return Err(e);
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
        return Ok(());
    };
    let dependents = remove::foreign_keys_on(&t, &[i.oid], cx);
    let what = format!("constraint {name} on table {}", cx.shown(oid));
    remove::refuse_or_tell(&what, &dependents, cascade, cx)?;
    remove::drop_foreign_keys(&dependents, cx)?;
    let old = current(oid, cx)?;
    let mut new = old.clone();
    new.indexes.retain(|x| x.oid != i.oid);
    if !i.primary {
        cx.shard.drop_tree(cx.txn, TreeId(i.tree))?;
    } else if !is_empty(cx, &old)? {
        rewrite(cx, &old, &mut new, &mut |_, _| Ok(()))?;
    }
    cx.put_table(new)?;
    Ok(())
}
fn rename_constraint(oid: Oid, old: &str, new: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    if constraint::exists(&t, new) {
        bail!(DUPLICATE_OBJECT, "constraint \"{new}\" for relation \"{}\" already exists", t.name);
    }
    if !constraint::exists(&t, old) {
        bail!(UNDEFINED_OBJECT, "constraint \"{old}\" for table \"{}\" does not exist", t.name);
    }
    t.checks.iter_mut().filter(|c| c.name == old).for_each(|c| c.name = new.into());
    t.foreign_keys.iter_mut().filter(|c| c.name == old).for_each(|c| c.name = new.into());
    t.indexes.iter_mut().filter(|c| c.constraint && c.name == old).for_each(|c| c.name = new.into());
    cx.put_table(t)?;
    Ok(())
}
fn validate(oid: Oid, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    if let Some(c) = t.checks.iter().find(|c| c.name == name).cloned() {
        if c.not_valid {
            constraint::validate_check(cx, &t, &c)?;
            t.checks.iter_mut().filter(|x| x.oid == c.oid).for_each(|x| x.not_valid = false);
            cx.put_table(t)?;
        }
        return Ok(());
    }
    if let Some(f) = t.foreign_keys.iter().find(|c| c.name == name).cloned() {
        if f.not_valid {
            constraint::validate_foreign_key(cx, &t, &f)?;
            t.foreign_keys.iter_mut().filter(|x| x.oid == f.oid).for_each(|x| x.not_valid = false);
            cx.put_table(t)?;
        }
        return Ok(());
    }
    if constraint::exists(&t, name) {
        bail!(
            WRONG_OBJECT_TYPE,
            "constraint \"{name}\" of relation \"{}\" is not a foreign key or check constraint",
            t.name
        );
    }
    bail!(UNDEFINED_OBJECT, "constraint \"{name}\" of relation \"{}\" does not exist", t.name)
}

// ---- names, schemas, owners ----

/// ALTER TABLE / INDEX / SEQUENCE ... RENAME TO.
pub fn rename_relation(
    name: &ObjectName,
    new: &ObjectName,
    if_exists: bool,
    tag: &'static str,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let new = super::cx::one_name(new)?;
    let (schema, n) = cx.split(name)?;
    match cx.catalog.resolve_relation(cx.env.scope(), schema.as_deref(), &n) {
        Ok(Relation::Virtual(_)) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{n}\" is a system catalog"),
        Ok(r) => rename_to(&r, &new, cx)?,
        Err(e) if if_exists => cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message())),
        Err(e) => return Err(e),
    }
    Ok(tag)
}
fn rename_to(r: &Relation, new: &str, cx: &mut DdlCtx) -> Result<()> {
    match r {
        Relation::Table(t) => {
            cx.check_owner(t.owner, "table", &t.name)?;
            let t = cx.lock_table(t.oid, TableLock::AccessExclusive)?;
            let mut t = (*t).clone();
            t.name = new.into();
            cx.put_table(t)?;
        }
        Relation::Index(t, i) => {
            cx.check_owner(t.owner, "index", t.index(*i).map_or("", |i| &i.name))?;
            let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
            let mut t = (*t).clone();
            t.indexes.iter_mut().filter(|x| x.oid == *i).for_each(|x| x.name = new.into());
            cx.put_table(t)?;
        }
        Relation::Sequence(s) => {
            cx.check_owner(s.owner, "sequence", &s.name)?;
            let mut s = (*cx.lock_sequence(s.oid)?).clone();
            s.name = new.into();
            cx.put(Object::Sequence(Arc::new(s)))?;
        }
        Relation::Virtual(v) => bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{}\" is a system catalog", v.name),
    }
    Ok(())
}
pub fn rename_index(name: &ObjectName, new: &ObjectName, if_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    rename_relation(name, new, if_exists, "ALTER INDEX", cx)
}
/// A table's owner is its sequences' too.
pub fn set_owner(oid: Oid, owner: Oid, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    cx.check_new_owner(owner, Some(t.schema))?;
    t.owner = owner;
    let t = cx.put_table(t)?;
    for s in sequence::owned(cx, &t, None) {
        let s = cx.lock_sequence(s.oid)?;
        cx.put(Object::Sequence(Arc::new(crate::catalog::Sequence { owner, ..(*s).clone() })))?;
    }
    Ok(())
}
/// ALTER TABLE ... SET SCHEMA: the table, its indexes (they live in its schema) and its sequences.
pub fn set_schema(oid: Oid, schema: &str, cx: &mut DdlCtx) -> Result<()> {
    let Some(to) = cx.catalog.schema_by_name(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    let mut t = current(oid, cx)?;
    cx.use_schema(to, &t.name)?;
    if t.schema == to {
        return Ok(());
    }
    if cx.name_taken(&Name::relation(to, &t.name))? {
        bail!(DUPLICATE_TABLE, "relation \"{}\" already exists in schema \"{schema}\"", t.name);
    }
    let sequences = sequence::owned(cx, &t, None);
    t.schema = to;
    cx.put_table(t)?;
    for s in sequences {
        let s = cx.lock_sequence(s.oid)?;
        cx.put(Object::Sequence(Arc::new(crate::catalog::Sequence { schema: to, ..(*s).clone() })))?;
    }
    Ok(())
}
