//! Constant folding that reports errors, as PostgreSQL's eval_const_expressions: `SELECT 1/0 FROM t` fails before any row is read.
//!
//! Immutable calls on constants are evaluated where the statement is bound, with the session's environment. What a constant before it decides is
//! not looked at: CASE branches after one that is true, the arms of AND and OR after one that settles them, COALESCE after its first value. A
//! branch under a condition that is not constant is folded all the same, and its error is raised: PostgreSQL does that too.
use crate::env::Env;
use crate::expr::children_mut;
use crate::func::{Body, Volatility};
use crate::ir::{BoundKind, BoundStatement, CastHow, Expr, Rel};
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;

/// Whose settings the calls see, and how much they made.
struct Folding<'a> {
    env: &'a mut dyn Env,
    bytes: usize,
}

/// Folds every expression of a bound statement, which is told how long the constants are that came of it.
pub fn statement(b: &mut BoundStatement, env: &mut dyn Env) -> Result<()> {
    let cx = &mut Folding { env, bytes: 0 };
    let folded = parts(b, cx);
    b.folded = cx.bytes;
    folded
}

/// Folds one expression in the same way, so that it compares with those of statements.
pub fn stored(e: &mut Expr, env: &mut dyn Env) -> Result<()> {
    expr(e, &mut Folding { env, bytes: 0 })
}

fn parts(b: &mut BoundStatement, cx: &mut Folding) -> Result<()> {
    for c in &mut b.ctes {
        rel(&mut c.rel, cx)?;
    }
    match &mut b.kind {
        BoundKind::Select(r) => rel(r, cx),
        kind => {
            let BoundKind::Modify(m) = std::mem::replace(kind, BoundKind::Select(Rel::One)) else { return Ok(()) };
            let mut r = Rel::Modify(Box::new(m), Vec::new());
            let folded = rel(&mut r, cx);
            if let Rel::Modify(m, _) = r {
                *kind = BoundKind::Modify(*m);
            }
            folded
        }
    }
}

fn rel(r: &mut Rel, cx: &mut Folding) -> Result<()> {
    let mut result = Ok(());
    crate::rels::all_exprs_mut(r, &mut |e| {
        if result.is_ok() {
            result = expr(e, cx);
        }
    });
    result
}

fn truth(e: &Expr) -> Option<Option<bool>> {
    match e {
        Expr::Const(Datum::Bool(b), _) => Some(Some(*b)),
        Expr::Const(Datum::Null, _) => Some(None),
        _ => None,
    }
}
fn typed(e: Expr, ty: Type) -> Expr {
    match e {
        Expr::Const(d, _) => Expr::Const(d, ty),
        e if e.ty() == ty => e,
        e => Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty, explicit: false },
    }
}

/// Kept small: chains of operators make this recursion as deep as the parser allows.
fn expr(e: &mut Expr, cx: &mut Folding) -> Result<()> {
    match e {
        Expr::Const(..) | Expr::Col(..) | Expr::Param(..) | Expr::Default => Ok(()),
        Expr::And(..) | Expr::Or(..) | Expr::Case { .. } | Expr::Coalesce(..) | Expr::Subquery(_) => special(e, cx),
        _ => {
            let mut state = (Ok(()), true, false);
            children_mut(e, &mut |x| child(x, &mut state, cx));
            state.0?;
            evaluate(e, state.1, state.2, cx)
        }
    }
}
/// `state`: the error so far, whether all parts are constant, whether one is NULL.
fn child(x: &mut Expr, state: &mut (Result<()>, bool, bool), cx: &mut Folding) {
    if state.0.is_ok() {
        state.0 = expr(x, cx);
    }
    match x {
        Expr::Const(d, _) => state.2 |= d.is_null(),
        _ => state.1 = false,
    }
}
#[inline(never)]
fn evaluate(e: &mut Expr, constant: bool, null: bool, cx: &mut Folding) -> Result<()> {
    if let Expr::Call { f, ty, .. } = e
        && f.strict
        && null
        && f.volatility == Volatility::Immutable
        && matches!(f.body, Body::Scalar(_))
    {
        *e = Expr::Const(Datum::Null, *ty);
        return Ok(());
    }
    if !constant || !pure(e) {
        return Ok(());
    }
    let d = crate::expr::eval_const(e, &[], cx.env)?;
    // What it was made of goes.
    children_mut(e, &mut |x| {
        if let Expr::Const(part, _) = x {
            cx.bytes = cx.bytes.saturating_sub(crate::long::size(part));
        }
    });
    cx.bytes = cx.bytes.saturating_add(crate::long::size(&d));
    *e = Expr::Const(d, e.ty());
    Ok(())
}

/// What decides by itself which of its parts are looked at.
#[inline(never)]
fn special(e: &mut Expr, cx: &mut Folding) -> Result<()> {
    match e {
        Expr::And(v) => return logic(v, false, cx).map(|x| x.map_or((), |x| *e = x)),
        Expr::Or(v) => return logic(v, true, cx).map(|x| x.map_or((), |x| *e = x)),
        Expr::Case { whens, otherwise, ty } => {
            let ty = *ty;
            let mut kept = Vec::with_capacity(whens.len());
            let mut decided = None;
            for (mut cond, mut value) in std::mem::take(whens) {
                expr(&mut cond, cx)?;
                match truth(&cond) {
                    Some(Some(true)) => {
                        expr(&mut value, cx)?;
                        decided = Some(value);
                        break;
                    }
                    Some(_) => {}
                    None => {
                        expr(&mut value, cx)?;
                        kept.push((cond, value));
                    }
                }
            }
            match decided {
                Some(v) => **otherwise = v,
                None => expr(otherwise, cx)?,
            }
            if kept.is_empty() {
                let x = std::mem::replace(&mut **otherwise, Expr::Default);
                *e = typed(x, ty);
            } else {
                *whens = kept;
            }
            return Ok(());
        }
        Expr::Coalesce(v, ty) => {
            let ty = *ty;
            let mut kept = Vec::with_capacity(v.len());
            for mut x in std::mem::take(v) {
                expr(&mut x, cx)?;
                match x {
                    Expr::Const(Datum::Null, _) => {}
                    Expr::Const(..) => {
                        kept.push(x);
                        break;
                    }
                    x => kept.push(x),
                }
            }
            *v = kept;
            match v.len() {
                0 => *e = Expr::Const(Datum::Null, ty),
                1 => {
                    if let Some(x) = v.pop() {
                        *e = typed(x, ty)
                    }
                }
                _ => {}
            }
            return Ok(());
        }
        Expr::Subquery(s) => {
            let s = Arc::make_mut(s);
            rel(&mut s.rel, cx)?;
            if let crate::ir::SubqueryKind::Any { left, .. } | crate::ir::SubqueryKind::All { left, .. } = &mut s.kind {
                for x in left {
                    expr(x, cx)?;
                }
            }
            return Ok(());
        }
        _ => {}
    }
    Ok(())
}

/// AND (`settles` false) or OR: the folded arms up to one that settles it; Some when a single expression is left.
fn logic(v: &mut Vec<Expr>, settles: bool, cx: &mut Folding) -> Result<Option<Expr>> {
    let mut kept = Vec::with_capacity(v.len());
    for mut x in std::mem::take(v) {
        expr(&mut x, cx)?;
        match truth(&x) {
            Some(Some(b)) if b == settles => return Ok(Some(Expr::Const(Datum::Bool(b), Type::BOOL))),
            Some(Some(_)) => {}
            _ => kept.push(x),
        }
    }
    Ok(match kept.len() {
        0 => Some(Expr::Const(Datum::Bool(!settles), Type::BOOL)),
        1 => kept.pop(),
        _ => {
            *v = kept;
            None
        }
    })
}

/// A node over constants whose value depends on nothing else.
fn pure(e: &Expr) -> bool {
    let immutable =
        |f: &crate::func::Function| f.volatility == Volatility::Immutable && matches!(f.body, Body::Scalar(_));
    match e {
        Expr::Call { f, args, ty } => {
            immutable(f) && ty.oid != oid::VOID && !args.iter().any(|a| a.ty().oid == oid::RECORD)
        }
        Expr::Cast { e, f, ty, .. } => pure_cast(f, e.ty(), *ty),
        Expr::Not(_)
        | Expr::IsNull(..)
        | Expr::IsBool(..)
        | Expr::Extreme(..)
        | Expr::Array(..)
        | Expr::Subscript { .. } => true,
        Expr::IsDistinct { eq, .. } | Expr::NullIf { eq, .. } | Expr::InList { eq, .. } => immutable(eq),
        Expr::AnyAll { op, .. } => immutable(op),
        _ => false,
    }
}
fn pure_cast(how: &CastHow, from: Type, to: Type) -> bool {
    match how {
        CastHow::Relabel => !matches!(to.oid, oid::RECORD),
        CastHow::Func(f) => f.volatility == Volatility::Immutable,
        CastHow::ViaText => plain_text(from.oid) && plain_text(to.oid),
        CastHow::Typmod => true,
        // What it asks is the catalog's.
        CastHow::Domain | CastHow::Row(_) => false,
        CastHow::Array(inner) => match (from.element(), to.element()) {
            (Some(a), Some(b)) => pure_cast(inner, a, b),
            _ => false,
        },
    }
}
/// Types whose text form depends on no setting and no catalog.
fn plain_text(t: Oid) -> bool {
    matches!(
        t,
        oid::TEXT
            | oid::VARCHAR
            | oid::BPCHAR
            | oid::NAME
            | oid::UNKNOWN
            | oid::INT2
            | oid::INT4
            | oid::INT8
            | oid::NUMERIC
            | oid::BOOL
            | oid::UUID
            | oid::JSON
            | oid::JSONB
            | oid::OID
            | oid::FLOAT8
            | oid::FLOAT4
            | oid::CHAR
    )
}
