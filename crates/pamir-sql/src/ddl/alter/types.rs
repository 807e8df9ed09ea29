//! ALTER COLUMN TYPE.
use super::super::build::is_empty;
use super::super::eval::{RowExpr, bind_expr_in, bind_text, no_subquery, text_of, used_columns};
use super::super::rewrite::rewrite;
use super::super::{DdlCtx, column, constraint, exclude, index, trigger, view};
use pamir_catalog::{Column, IndexColumn, Table};
use pamir_expr::casts::pathway;
use pamir_expr::func::CastContext;
use pamir_parse::tree::{At, Expr, ExprKind, TypeName};
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};

/// A column's change of type, bound over the table as it is before the statement.
pub struct Change {
    attnum: i16,
    declared: Type,
    ty: Type,
    collation: Option<Oid>,
    value: RowExpr,
    reads: Vec<i16>,
}
impl Change {
    pub fn attnum(&self) -> i16 {
        self.attnum
    }
    /// Does the new value come from this column?
    pub fn reads(&self, a: i16) -> bool {
        self.reads.contains(&a)
    }
}
pub fn prepare(
    old: &Table,
    a: i16,
    to: &TypeName,
    collation: Option<&[String]>,
    using: Option<&Expr>,
    cx: &mut DdlCtx,
) -> Result<Change> {
    let Some(col) = old.column(a).cloned() else { return Err(Error::internal("no such column")) };
    let declared = cx.without_places(|cx| column::type_of(&col.name, to, cx))?;
    super::super::types::hold(declared, cx)?;
    let ty = cx.catalog.base_type(declared);
    if col.identity.is_some() && !matches!(ty, Type::INT2 | Type::INT4 | Type::INT8) {
        bail!(INVALID_PARAMETER_VALUE, "identity column type must be smallint, integer, or bigint");
    }
    let collation = collation.map(|c| column::collation(c, ty)).transpose()?;
    if col.generated.is_some() && using.is_some() {
        bail!(INVALID_COLUMN_DEFINITION, "cannot specify USING when altering type of generated column");
    }
    let itself = Expr { kind: ExprKind::Column { path: vec![col.name.clone()], star: false }, at: At::NOWHERE };
    let source = using.unwrap_or(&itself);
    no_subquery(source, "transform expression", cx)?;
    let shown_type = pamir_types::text::type_display(declared);
    let bound =
        bind_expr_in(source, Some(old), Some(declared), Some("transform expressions"), cx).map_err(|e| {
            match e.code() == state::DATATYPE_MISMATCH {
                true => not_castable(&col, &shown_type, using.is_some()),
                false => e,
            }
        })?;
    let reads = used_columns(&bound);
    Ok(Change { attnum: a, declared, ty, collation, value: RowExpr::new(&bound), reads })
}

/// Rows are rewritten, all columns at once, from what they were.
pub fn apply(oid: Oid, changes: Vec<Change>, cx: &mut DdlCtx) -> Result<()> {
    let old = super::current(oid, cx)?;
    let mut new = old.clone();
    let mut done: Vec<&Change> = Vec::new();
    for c in &changes {
        let Some(col) = old.column(c.attnum).filter(|c| !c.dropped) else { continue };
        view::refuse_type_change(&old, c.attnum, cx)?;
        trigger::refuse_type_change(&old, c.attnum, cx)?;
        if done.iter().any(|d| d.attnum == c.attnum) {
            bail!(FEATURE_NOT_SUPPORTED, "cannot alter type of column \"{}\" twice", col.name);
        }
        retype(&old, &mut new, col, c, cx)?;
        done.push(c);
    }
    rebind(&mut new, &done, cx)?;
    exclude::rebind(&mut new, cx)?;
    let not_null = |c: &&Change| old.column(c.attnum).is_some_and(|c| c.not_null);
    // An absent value of an old row is filled in by the rewrite, so every column's `missing` is spent.
    if is_empty(cx, &old)? {
        new.cache = Default::default();
    } else {
        let mut values = Vec::with_capacity(done.len());
        rewrite(cx, &old, &mut new, &mut |cx, row| {
            values.clear();
            for c in &done {
                values.push(c.value.eval(row, &mut *cx.env)?);
            }
            for (c, v) in std::iter::zip(&done, values.drain(..)) {
                if v.is_null() && not_null(c) {
                    let name = old.column(c.attnum).map_or("", |c| &c.name);
                    let table = &old.name;
                    bail!(NOT_NULL_VIOLATION, "column \"{name}\" of relation \"{table}\" contains null values");
                }
                if let Some(d) = row.get_mut(c.attnum as usize - 1) {
                    *d = v;
                }
            }
            Ok(())
        })?;
    }
    let new = cx.put_table(new)?;
    for c in new.checks.iter().filter(|c| !c.not_valid) {
        constraint::validate_check(cx, &new, c)?;
    }
    done.iter().try_for_each(|c| constraint::validate_keys_of(cx, &new, c.attnum))
}
/// The column's descriptor under its new type.
fn retype(old: &Table, new: &mut Table, col: &Column, change: &Change, cx: &mut DdlCtx) -> Result<()> {
    let (a, ty, declared) = (change.attnum, change.ty, change.declared);
    for c in old.live_columns().filter(|c| c.attnum != a) {
        if let Some(g) = &c.generated
            && used_columns(&bind_text(g, Some(old), None, cx)?).contains(&a)
        {
            return Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a generated column")
                .detail(format!("Column \"{}\" is used by generated column \"{}\".", col.name, c.name)));
        }
    }
    new.declared.set_collation(a, change.collation);
    new.declared.set_domain(a, (ty != declared).then_some(declared.oid));
    index::check_classes(new, a, ty, cx)?;
    if let Some(c) = column::column_mut(new, a) {
        c.ty = ty;
        c.missing = None;
    }
    // The default must fit the new type.
    let misfit = |_: Error| {
        let shown = pamir_types::text::type_display(declared);
        err!(DATATYPE_MISMATCH, "default for column \"{}\" cannot be cast automatically to type {shown}", col.name)
    };
    match (&col.default, col.sequence) {
        (Some(d), None) => {
            let rebound = bind_text(d, None, Some(ty), cx).map_err(misfit)?;
            let text = text_of(&rebound, None, cx);
            if let Some(c) = column::column_mut(new, a) {
                c.default = Some(text);
            }
        }
        (Some(_), Some(_)) if pathway(oid::INT8, ty.oid, CastContext::Assignment).is_none() => {
            return Err(misfit(Error::internal("a sequence's numbers")));
        }
        _ => {}
    }
    if let Some(s) = &mut new.stats {
        s.columns.retain(|(x, _)| *x != a);
    }
    Ok(())
}
/// Expressions over the columns are bound again under the new types, so that what no longer fits fails now, and shown as they are bound now.
fn rebind(new: &mut Table, done: &[&Change], cx: &mut DdlCtx) -> Result<()> {
    let changed = |e: &pamir_expr::ir::Expr| {
        let used = used_columns(e);
        done.iter().any(|c| used.contains(&c.attnum))
    };
    let mut indexes = new.indexes.clone();
    for i in &mut indexes {
        for (c, _) in &mut i.columns {
            match c {
                IndexColumn::Attr(x) => {
                    if let Some(d) = done.iter().find(|d| d.attnum == *x) {
                        constraint::check_orderable(d.ty)?;
                    }
                }
                IndexColumn::Expr(e, t) => {
                    let bound = bind_text(e, Some(new), None, cx)?;
                    *t = bound.ty();
                    if changed(&bound) {
                        *e = text_of(&bound, Some(new), cx);
                    }
                }
            }
        }
        if let Some(p) = &mut i.predicate {
            let bound = bind_text(p, Some(new), None, cx)?;
            if changed(&bound) {
                *p = text_of(&bound, Some(new), cx);
            }
        }
    }
    new.indexes = indexes;
    let mut checks = new.checks.clone();
    for c in &mut checks {
        let bound = bind_text(&c.expr, Some(new), None, cx)?;
        if changed(&bound) {
            c.expr = text_of(&bound, Some(new), cx);
        }
    }
    new.checks = checks;
    Ok(())
}
/// There is no assignment cast from a column, or from what USING makes of it, to its new type.
fn not_castable(col: &Column, shown_type: &str, using: bool) -> Error {
    let name = &col.name;
    if using {
        return err!(
            DATATYPE_MISMATCH,
            "result of USING clause for column \"{name}\" cannot be cast automatically to type {shown_type}"
        )
        .hint("You might need to add an explicit cast.");
    }
    err!(DATATYPE_MISMATCH, "column \"{name}\" cannot be cast automatically to type {shown_type}")
        .hint(format!("You might need to specify \"USING {}::{shown_type}\".", pamir_catalog::defs::quote_ident(name)))
}
