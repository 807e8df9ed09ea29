//! ALTER COLUMN TYPE.
use super::super::build::is_empty;
use super::super::eval::{RowExpr, bind_expr_in, bind_text, no_subquery, text_of, used_columns};
use super::super::rewrite::rewrite;
use super::super::{DdlCtx, column, constraint, index};
use pamir_catalog::{Column, IndexColumn, Table};
use pamir_parse::tree::{At, Expr, ExprKind, TypeName};
use pamir_types::error::state;
use pamir_types::{Error, Result, Type, bail, err};

/// Rows are rewritten unless only the modifier grows.
pub fn change(
    old: Table,
    a: i16,
    to: &TypeName,
    collation: Option<&[String]>,
    using: Option<&Expr>,
    cx: &mut DdlCtx,
) -> Result<()> {
    let Some(col) = old.column(a).cloned() else { return Ok(()) };
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
    for c in old.live_columns().filter(|c| c.attnum != a) {
        if let Some(g) = &c.generated
            && used_columns(&bind_text(g, Some(&old), None, cx)?).contains(&a)
        {
            return Err(err!(FEATURE_NOT_SUPPORTED, "cannot alter type of a column used by a generated column")
                .detail(format!("Column \"{}\" is used by generated column \"{}\".", col.name, c.name)));
        }
    }
    let itself = Expr { kind: ExprKind::Column { path: vec![col.name.clone()], star: false }, at: At::NOWHERE };
    let source = using.unwrap_or(&itself);
    no_subquery(source, "transform expression", cx)?;
    let shown_type = pamir_types::text::type_display(declared);
    let bound =
        bind_expr_in(source, Some(&old), Some(declared), Some("transform expressions"), cx).map_err(|e| {
            match e.code() == state::DATATYPE_MISMATCH {
                true => not_castable(&col, &shown_type, using.is_some()),
                false => e,
            }
        })?;
    let mut new = old.clone();
    new.declared.set_collation(a, collation);
    new.declared.set_domain(a, (ty != declared).then_some(declared.oid));
    index::check_classes(&new, a, ty)?;
    if let Some(c) = column::column_mut(&mut new, a) {
        c.ty = ty;
        c.missing = None;
    }
    // The default must fit the new type.
    if let (Some(d), None) = (&col.default, col.sequence) {
        let rebound = bind_text(d, None, Some(ty), cx).map_err(|_| {
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
