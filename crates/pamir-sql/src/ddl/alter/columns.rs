//! ADD, DROP and RENAME COLUMN, SET and DROP DEFAULT, SET and DROP NOT NULL.
use super::super::build::is_empty;
use super::super::eval::{RowExpr, bind_text, text_of, used_columns, volatility};
use super::super::rewrite::rewrite;
use super::super::{DdlCtx, column, constraint, extended, remove, sequence, trigger, view};
use super::{attnum, constraints, current, no_column};
use pamir_catalog::depend::ObjectRef;
use pamir_catalog::{Index, IndexColumn, Kind, SqlText, Table};
use pamir_expr::func::Volatility;
use pamir_parse::tree::{ColumnDefinition, Expr};
use pamir_txn::TreeId;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};

pub fn add(oid: Oid, def: &ColumnDefinition, if_not_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let old = current(oid, cx)?;
    let name = &def.name;
    if old.column_by_name(name).is_some() {
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
    cx.without_places(|cx| column::finish(&mut t, &mut pending, cx))?;
    let Some(col) = t.columns.last().cloned() else { return Err(Error::internal("no column was added")) };
    fill_new(&old, &mut t, col.attnum, cx)?;
    let forms = view::forms_on(&[oid], cx)?;
    cx.put_table(t)?;
    view::write_forms(forms, cx)?;
    for k in &pending.keys {
        constraints::add_key(oid, k, cx)?;
    }
    for c in &pending.checks {
        constraints::add_check(oid, c, cx)?;
    }
    for f in &pending.foreign_keys {
        constraints::add_foreign_key(oid, f, cx)?;
    }
    Ok(())
}
/// Gives the rows that there are their value of a new column.
pub(super) fn fill_new(old: &Table, t: &mut Table, attnum: i16, cx: &mut DdlCtx) -> Result<()> {
    if is_empty(cx, old)? { Ok(()) } else { fill_column(old, t, attnum, cx) }
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
        let domain = t.declared.domain(attnum);
        let bound = bind_text(g, Some(t), Some(col.ty), cx)?;
        let e = RowExpr::new(&bound);
        let not_null = col.not_null;
        let name_error = null_error(t);
        return rewrite(cx, old, t, &mut |cx, row| {
            let v = e.eval(row, &mut *cx.env)?;
            if let Some(domain) = domain {
                pamir_expr::domains::check(&v, domain, &mut *cx.env)?;
            }
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
            let v = cx.engine.seq_next(s.storage, &s.def)?;
            if let Some(d) = row.get_mut(slot) {
                *d = integer(v, col.ty)?;
            }
            Ok(())
        });
    }
    let domain = t.declared.domain(attnum);
    let default = col.default.clone().or_else(|| domain.and_then(|d| cx.catalog.domain_default(d)).cloned());
    let Some(default) = &default else {
        if let Some(d) = domain {
            pamir_expr::domains::check(&Datum::Null, d, &mut *cx.env)?;
        }
        return if col.not_null { Err(null_error(t)) } else { Ok(()) };
    };
    let bound = bind_text(default, None, Some(col.ty), cx)?;
    let e = RowExpr::new(&bound);
    if volatility(&bound) == Volatility::Volatile {
        let name_error = null_error(t);
        return rewrite(cx, old, t, &mut |cx, row| {
            let v = e.eval(&[], &mut *cx.env)?;
            if let Some(d) = domain {
                pamir_expr::domains::check(&v, d, &mut *cx.env)?;
            }
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
    if let Some(d) = domain {
        pamir_expr::domains::check(&v, d, &mut *cx.env)?;
    }
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
pub fn drop(oid: Oid, name: &str, if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    let Some(col) = t.column_by_name(name).cloned() else {
        let e = no_column(&t, name);
        if !if_exists {
            return Err(e);
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
        return Ok(());
    };
    super::super::fall::drop(&[ObjectRef::column(oid, col.attnum)], cascade, false, cx)
}
/// Takes a column out of a locked table, with what of the table is over it.
pub fn take(oid: Oid, attnum: i16, cx: &mut DdlCtx) -> Result<()> {
    let t = current(oid, cx)?;
    let Some(col) = t.column(attnum).cloned() else { return Ok(()) };
    let mut indexes = vec![];
    for i in &t.indexes {
        if index_uses(&t, i, attnum, cx)? {
            indexes.push(i.clone());
        }
    }
    let index_oids: Vec<Oid> = indexes.iter().map(|i| i.oid).collect();
    let own_fks: Vec<Oid> = t.foreign_keys.iter().filter(|f| f.columns.contains(&attnum)).map(|f| f.oid).collect();
    for f in own_fks {
        remove::drop_foreign_key(oid, f, cx)?;
    }
    let before = current(oid, cx)?;
    extended::drop_of_column(&before, col.attnum, cx)?;
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
        cx.txn.drop_tree(TreeId(i.tree))?;
    }
    let old_layout = Table {
        indexes: before.indexes.iter().filter(|i| i.primary || !index_oids.contains(&i.oid)).cloned().collect(),
        ..before.clone()
    };
    new.indexes.retain(|i| !index_oids.contains(&i.oid));
    for s in sequence::owned(cx, &before, Some(col.attnum)) {
        cx.remove(Kind::Sequence, s.oid)?;
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
    let forms = view::forms_on(&[oid], cx)?;
    cx.put_table(new)?;
    view::write_forms(forms, cx)
}
/// Stored expressions name columns: a rename rewrites them.
pub fn rename(oid: Oid, old: &str, new: &str, cx: &mut DdlCtx) -> Result<()> {
    let before = current(oid, cx)?;
    let a = before
        .column_by_name(old)
        .map(|c| c.attnum)
        .ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{old}\" does not exist"))?;
    column::check_name(new)?;
    if before.column_by_name(new).is_some() {
        bail!(DUPLICATE_COLUMN, "column \"{new}\" of relation \"{}\" already exists", before.name);
    }
    let readers = super::super::reshape::Readers::of_column(oid, old, cx)?;
    let forms = view::forms_on(&[oid], cx)?;
    let conditions = trigger::conditions(&before, cx)?;
    let mut t = before.clone();
    if let Some(c) = column::column_mut(&mut t, a) {
        c.name = new.into();
    }
    if t.view.is_some() {
        view::write_own(t, cx)?;
        return view::write_forms(forms, cx);
    }
    let after = t.clone();
    let renamed = |text: &mut SqlText, cx: &mut DdlCtx| -> Result<()> {
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
    for text in t.declared.key_texts_mut() {
        renamed(text, cx)?;
    }
    extended::rewrite(&before, &after, cx)?;
    cx.put_table(t)?;
    trigger::write_conditions(conditions, cx)?;
    view::write_forms(forms, cx)?;
    readers.write(cx)
}
/// Binds and sets a column's default; None takes it away.
pub fn set_default(oid: Oid, name: &str, default: Option<&Expr>, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    let kind = match (c.identity.is_some(), c.generated.is_some()) {
        (true, _) => Some(("an identity", "IDENTITY")),
        (_, true) => Some(("a generated", "EXPRESSION")),
        _ => None,
    };
    if let Some((kind, word)) = kind {
        let e = err!(SYNTAX_ERROR, "column \"{name}\" of relation \"{}\" is {kind} column", t.name);
        return Err(match default {
            Some(_) => e,
            None => e.hint(format!("Use ALTER TABLE ... ALTER COLUMN ... DROP {word} instead.")),
        });
    }
    match default {
        Some(e) => cx.without_places(|cx| column::set_default(&mut t, a, e, cx))?,
        None => c.default = None,
    }
    cx.put_table(t)?;
    Ok(())
}
pub fn set_not_null(oid: Oid, name: &str, not_null: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let Some(col) = t.column(a) else { return Err(no_column(&t, name)) };
    if not_null {
        if col.not_null {
            return Ok(());
        }
        constraint::validate_not_null(cx, &t, &[a])?;
    } else {
        if t.declared_primary_key().is_some_and(|p| constraint::plain_columns(p).is_some_and(|c| c.contains(&a))) {
            bail!(INVALID_TABLE_DEFINITION, "column \"{name}\" is in a primary key");
        }
        if col.identity.is_some() {
            bail!(SYNTAX_ERROR, "column \"{name}\" of relation \"{}\" is an identity column", t.name);
        }
    }
    if let Some(c) = column::column_mut(&mut t, a) {
        c.not_null = not_null;
    }
    cx.put_table(t)?;
    Ok(())
}
