//! Expressions in DDL: bound for validation, stored as text, evaluated over rows where a statement checks or rewrites them.
use super::DdlCtx;
use pamir_catalog::temporary::is_temporary;
use pamir_catalog::{NameScope, SqlText, Table};
use pamir_expr::deparse::{Naming, deparse_over};
use pamir_expr::env::Env;
use pamir_expr::expr::{each, each_col, each_mut};
use pamir_expr::func::Volatility;
use pamir_expr::ir::{CastHow, ColId, Expr};
use pamir_parse::tree::{self, At, ExprKind, FrameBound, Step};
use pamir_plan::bind::{self, BindCtx};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

/// The columns an expression may use, each under its attnum.
fn columns_of(t: &Table) -> Vec<(i16, ColId)> {
    t.live_columns().map(|c| (c.attnum, c.attnum as ColId)).collect()
}

/// Binds an expression over a table's columns (or none).
pub fn bind_expr(e: &tree::Expr, table: Option<&Table>, target: Option<Type>, cx: &mut DdlCtx) -> Result<Expr> {
    bind_expr_in(e, table, target, None, cx)
}
/// As [`bind_expr`], where aggregates and set-returning functions are refused as such in `place`.
pub fn bind_expr_in(
    e: &tree::Expr,
    table: Option<&Table>,
    target: Option<Type>,
    place: Option<&'static str>,
    cx: &mut DdlCtx,
) -> Result<Expr> {
    let scope = cx.scope();
    bind_in(e, table, target, place, cx.text, scope, cx)
}
/// Does an expression bound by [`bind_expr_in`] with the same arguments always say the same of the same row? A call of an SQL function says what its body
/// does, where the body may stand in its place; else what the function is marked as.
pub fn is_immutable(
    bound: &Expr,
    e: &tree::Expr,
    table: Option<&Table>,
    target: Option<Type>,
    place: Option<&'static str>,
    cx: &mut DdlCtx,
) -> Result<bool> {
    if volatility(bound) == Volatility::Immutable {
        return Ok(true);
    }
    let (scope, text) = (cx.scope(), cx.text);
    let (catalog, cols) = (cx.catalog.clone(), table.map(columns_of).unwrap_or_default());
    let mut bcx = BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text };
    let bodies = bind::bind_table_expr_in(e, table.map(|t| (t, cols.as_slice())), target, place, true, &mut bcx)?;
    Ok(volatility(&bodies) == Volatility::Immutable)
}
/// `text`: what the expression's places are in.
fn bind_in(
    e: &tree::Expr,
    table: Option<&Table>,
    target: Option<Type>,
    place: Option<&'static str>,
    text: &str,
    scope: NameScope,
    cx: &mut DdlCtx,
) -> Result<Expr> {
    let (catalog, cols) = (cx.catalog.clone(), table.map(columns_of).unwrap_or_default());
    let mut bcx = BindCtx { catalog: &catalog, scope: &scope, params: vec![], env: &mut *cx.env, text };
    let bound = bind::bind_table_expr_in(e, table.map(|t| (t, cols.as_slice())), target, place, false, &mut bcx)?;
    if !bcx.params.is_empty() {
        bail!(UNDEFINED_PARAMETER, "there is no parameter $1")
    }
    // Other sessions do not have it.
    let mut temporary = false;
    each(&bound, &mut |e| temporary |= matches!(e, Expr::Call { f, .. } if is_temporary(f.oid)));
    if temporary && !table.is_some_and(|t| t.is_temporary()) {
        return Err(Error::unsupported("a temporary function in what is not temporary"));
    }
    Ok(bound)
}
/// The text to store for a bound expression: normalized, relations in regclass literals by OID.
pub fn text_of(e: &Expr, table: Option<&Table>, cx: &DdlCtx) -> SqlText {
    let name =
        |c: ColId| table.and_then(|t| t.column(c as i16)).map_or_else(|| "?column?".to_string(), |c| c.name.clone());
    SqlText(cx.regclass_to_oid(deparse_over(e, &name, table, Naming::Full(cx.catalog))))
}
/// Binds a stored expression again. Its places are none of the statement's.
pub fn bind_text(text: &SqlText, table: Option<&Table>, target: Option<Type>, cx: &mut DdlCtx) -> Result<Expr> {
    let e = pamir_plan::parser::parse_stored_expr(&text.0)?;
    let scope = NameScope::stored(cx.scope().database);
    bind_in(&e, table, target, None, "", scope, cx)
}

/// The columns (attnums) an expression bound by [`bind_expr`] uses, in order of first use.
pub fn used_columns(e: &Expr) -> Vec<i16> {
    let mut out = vec![];
    each_col(e, &mut |c| {
        if !out.contains(&(c as i16)) {
            out.push(c as i16)
        }
    });
    out
}
/// The most changeable function in an expression.
pub fn volatility(e: &Expr) -> Volatility {
    let mut worst = Volatility::Immutable;
    each(e, &mut |e| {
        let v = match e {
            // `any || text` does no more than its operands' output functions.
            Expr::Call { f, args, .. } if matches!(f.own_name(), "textanycat" | "anytextcat") => {
                args.iter().map(|a| output_volatility(a.ty())).max().unwrap_or(f.volatility)
            }
            // What XML has of the grammar is no function to PostgreSQL, and is not asked.
            Expr::Call { f, .. } if pamir_expr::func::xml::is_grammar(f) => Volatility::Immutable,
            Expr::Call { f, .. } => f.volatility,
            Expr::Cast { e, f, ty, .. } => cast_volatility(f, e.ty(), *ty),
            _ => Volatility::Immutable,
        };
        worst = worst.max(v);
    });
    worst
}
fn cast_volatility(how: &CastHow, from: Type, to: Type) -> Volatility {
    match how {
        CastHow::Func(f) => f.volatility,
        CastHow::ViaText => output_volatility(from).max(input_volatility(to)),
        CastHow::Array(item) => cast_volatility(item, from.element().unwrap_or(from), to.element().unwrap_or(to)),
        CastHow::Relabel | CastHow::Typmod | CastHow::Domain | CastHow::Row(_) => Volatility::Immutable,
    }
}
/// A type's output function (pg_proc.provolatile of pg_type.typoutput): what hangs on DateStyle, IntervalStyle, TimeZone or the catalog is stable.
fn output_volatility(t: Type) -> Volatility {
    let stable = t.is_array()
        || matches!(t.oid, oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::INTERVAL | oid::RECORD | oid::ACLITEM)
        || pamir_types::row::is_oidlike(t.oid) && !matches!(t.oid, oid::OID | oid::XID | oid::CID);
    if stable { Volatility::Stable } else { Volatility::Immutable }
}
/// As [`output_volatility`], of the input function; times of the day know `now`.
fn input_volatility(t: Type) -> Volatility {
    if matches!(t.oid, oid::TIME | oid::TIMETZ) { Volatility::Stable } else { output_volatility(t) }
}
/// 0A000 for a subquery in `place` (`check constraint`, `index expression`, `column generation expression`).
pub fn no_subquery(e: &tree::Expr, place: &str, cx: &DdlCtx) -> Result<()> {
    match first_subquery(e) {
        Some(at) => Err(cx.place(err!(FEATURE_NOT_SUPPORTED, "cannot use subquery in {place}"), at)),
        None => Ok(()),
    }
}
pub fn has_subquery(e: &tree::Expr) -> bool {
    first_subquery(e).is_some()
}
fn first_subquery(e: &tree::Expr) -> Option<At> {
    first(e, |k| matches!(k, ExprKind::SubLink(_)))
}
/// Where an expression has its first column.
pub fn first_column(e: &tree::Expr) -> Option<At> {
    first(e, |k| matches!(k, ExprKind::Column { .. }))
}
/// ... its first column of `of`, which is written before it; None: any.
pub fn first_column_of(e: &tree::Expr, of: Option<&str>) -> Option<At> {
    first(e, |k| matches!(k, ExprKind::Column { path, .. } if of.is_none() || path.first().map(String::as_str) == of))
}
/// Where an expression has its first part of a kind. Chains of operators are as long as they like to be: no recursion.
fn first(e: &tree::Expr, kind: impl Fn(&ExprKind) -> bool) -> Option<At> {
    let (mut open, mut first) = (vec![e], None::<At>);
    while let Some(e) = open.pop() {
        if kind(&e.kind) {
            first = Some(first.map_or(e.at, |f| f.min(e.at)));
        }
        parts(e, &mut open);
    }
    first
}
/// The expressions directly in an expression, those in a subquery not among them.
fn parts<'a>(e: &'a tree::Expr, out: &mut Vec<&'a tree::Expr>) {
    use ExprKind::*;
    match &e.kind {
        Column { .. } | Param(_) | Literal(_) | Value(_) | SubLink(_) | Default | CurrentOf(_) => {}
        Xml(x) => out.extend(x.parts()),
        Operator { left, right, .. } => {
            out.extend(left.as_deref());
            out.push(right);
        }
        ArrayOperator { left, right, .. } | Distinct { left, right, .. } | NullIf(left, right) => {
            out.extend([&**left, &**right])
        }
        And(v) | Or(v) | Array(v) | Coalesce(v) | Grouping(v) | Row { fields: v, .. } | MinMax { args: v, .. } => {
            out.extend(v)
        }
        Not(e) | IsNull { arg: e, .. } | IsBool { arg: e, .. } | Cast { arg: e, .. } | Collate { arg: e, .. } => {
            out.push(e)
        }
        In { arg, list, .. } => {
            out.push(arg);
            out.extend(list);
        }
        Between { arg, low, high, .. } => out.extend([&**arg, &**low, &**high]),
        Like { arg, pattern, escape, .. } => {
            out.extend([&**arg, &**pattern]);
            out.extend(escape.as_deref());
        }
        Indirection { arg, steps } => {
            out.push(arg);
            for s in steps {
                match s {
                    Step::Field(_) | Step::Star => {}
                    Step::Index(e) => out.push(e),
                    Step::Slice(a, b) => out.extend(a.iter().chain(b)),
                }
            }
        }
        Case { arg, whens, default } => {
            out.extend(arg.as_deref());
            out.extend(whens.iter().flat_map(|(w, t)| [w, t]));
            out.extend(default.as_deref());
        }
        Call(f) => {
            out.extend(f.args.iter().map(|a| &a.value));
            out.extend(f.order_by.iter().map(|s| &s.expr));
            out.extend(f.filter.as_deref());
            if let Some(w) = &f.over {
                out.extend(&w.partition_by);
                out.extend(w.order_by.iter().map(|s| &s.expr));
                for b in w.frame.iter().flat_map(|f| [Some(&f.start), f.end.as_ref()]).flatten() {
                    if let FrameBound::Preceding(e) | FrameBound::Following(e) = b {
                        out.push(e);
                    }
                }
            }
        }
    }
}

/// An expression over a row: its columns became parameters, so a row is a parameter list.
pub struct RowExpr(Expr);
impl RowExpr {
    pub fn new(e: &Expr) -> RowExpr {
        let mut e = e.clone();
        each_mut(&mut e, &mut |e| {
            if let Expr::Col(c, ty) = e {
                *e = Expr::Param((*c as u16).saturating_sub(1), *ty)
            }
        });
        RowExpr(e)
    }
    /// `row`: one datum per column by attnum.
    pub fn eval(&self, row: &[Datum], env: &mut dyn Env) -> Result<Datum> {
        pamir_expr::expr::eval_const(&self.0, row, env)
    }
    /// A CHECK's verdict: false only for FALSE, not for NULL.
    pub fn holds(&self, row: &[Datum], env: &mut dyn Env) -> Result<bool> {
        Ok(!matches!(self.eval(row, env)?, Datum::Bool(false)))
    }
}
