//! Constant folding: calls of immutable functions on constants, and boolean simplification.
//!
//! Folding needs no session: functions are called with an environment that refuses every question, and a call that asks (or fails) is left
//! for run time, so that `CASE WHEN false THEN 1/0 END` stays harmless.
use crate::expr::children_mut;
use crate::func::{Body, CallInfo, Volatility};
use crate::ir::Expr;
use crate::no_session::NoSession;
use pamir_types::{Datum, Type, oid};

pub fn fold(e: &mut Expr) {
    if matches!(e, Expr::Subquery(_)) {
        children_mut(e, &mut fold);
        return;
    }
    children_mut(e, &mut fold);
    let bool_const = |b| Expr::Const(Datum::Bool(b), Type::BOOL);
    match e {
        Expr::Not(x) => {
            if let Expr::Const(Datum::Bool(b), _) = **x {
                *e = bool_const(!b);
            }
        }
        Expr::And(v) => {
            if v.iter().any(|x| matches!(x, Expr::Const(Datum::Bool(false), _))) {
                *e = bool_const(false);
                return;
            }
            v.retain(|x| !matches!(x, Expr::Const(Datum::Bool(true), _)));
            match v.len() {
                0 => *e = bool_const(true),
                1 => {
                    if let Some(x) = v.pop() {
                        *e = x
                    }
                }
                _ => {}
            }
        }
        Expr::Or(v) => {
            if v.iter().any(|x| matches!(x, Expr::Const(Datum::Bool(true), _))) {
                *e = bool_const(true);
                return;
            }
            v.retain(|x| !matches!(x, Expr::Const(Datum::Bool(false), _)));
            match v.len() {
                0 => *e = bool_const(false),
                1 => {
                    if let Some(x) = v.pop() {
                        *e = x
                    }
                }
                _ => {}
            }
        }
        Expr::IsNull(..) | Expr::Coalesce(..) | Expr::Case { .. } => fold_choice(e),
        Expr::Call { f, args, ty } if foldable(f.own_name()) && f.volatility == Volatility::Immutable => {
            let mut vals = Vec::with_capacity(args.len());
            for a in args.iter() {
                match a {
                    Expr::Const(d, _) => vals.push(d.clone()),
                    _ => return,
                }
            }
            let Body::Scalar(code) = &f.body else { return };
            if f.strict && vals.iter().any(Datum::is_null) {
                *e = Expr::Const(Datum::Null, *ty);
                return;
            }
            let types: Vec<Type> = args.iter().map(Expr::ty).collect();
            let r = code.call(&CallInfo { arg_types: &types, ret: *ty }, &vals, &mut NoSession::empty());
            if let Ok(d) = r {
                *e = Expr::Const(d, *ty);
            }
        }
        Expr::IsDistinct { left, right, negated, .. } if left.ty().oid != oid::RECORD => {
            let same = *negated;
            let x = match (&mut **left, &mut **right) {
                (x, Expr::Const(Datum::Null, _)) | (Expr::Const(Datum::Null, _), x) => x,
                _ => return,
            };
            *e = Expr::IsNull(Box::new(std::mem::replace(x, Expr::Default)), !same);
        }
        Expr::Cast { e: x, f: crate::ir::CastHow::Relabel, ty, .. } => {
            if let Expr::Const(d, _) = &**x {
                *e = Expr::Const(d.clone(), *ty);
            }
        }
        Expr::Cast { e: x, f: crate::ir::CastHow::Func(f), ty, .. }
            if f.args.len() == 1
                && f.volatility == Volatility::Immutable
                && plain_number(&f.args)
                && plain_number(&[ty.oid]) =>
        {
            let Expr::Const(d, from) = &**x else { return };
            let Body::Scalar(code) = &f.body else { return };
            if d.is_null() {
                *e = Expr::Const(Datum::Null, *ty);
                return;
            }
            if let Ok(d) =
                code.call(&CallInfo { arg_types: &[*from], ret: *ty }, std::slice::from_ref(d), &mut NoSession::empty())
            {
                *e = Expr::Const(d, *ty);
            }
        }
        _ => {}
    }
}

/// What decides by constants, NULL among them, is what it comes to.
fn fold_choice(e: &mut Expr) {
    match e {
        // Of a row it asks about the fields.
        Expr::IsNull(x, not) => {
            if let Expr::Const(d, ty) = &**x
                && ty.oid != oid::RECORD
                && !matches!(d, Datum::Record(_))
            {
                *e = Expr::Const(Datum::Bool(d.is_null() != *not), Type::BOOL);
            }
        }
        Expr::Coalesce(list, ty) => {
            list.retain(|x| !matches!(x, Expr::Const(Datum::Null, _)));
            match list.first_mut() {
                None => *e = Expr::Const(Datum::Null, *ty),
                Some(x @ Expr::Const(..)) => *e = std::mem::replace(x, Expr::Default),
                Some(_) => {}
            }
        }
        Expr::Case { whens, otherwise, .. } => {
            whens.retain(|(when, _)| !matches!(when, Expr::Const(Datum::Bool(false) | Datum::Null, _)));
            if let Some(i) = whens.iter().position(|(when, _)| matches!(when, Expr::Const(Datum::Bool(true), _))) {
                let (_, then) = whens.swap_remove(i);
                whens.truncate(i);
                **otherwise = then;
            }
            if whens.is_empty() {
                *e = std::mem::replace(&mut **otherwise, Expr::Default);
            }
        }
        _ => {}
    }
}

/// A condition that only lets rows pass is as good when it is NULL as when it is false: there `x IS NOT DISTINCT FROM 5` is `x = 5`.
pub fn fold_condition(e: &mut Expr) {
    match e {
        Expr::And(v) | Expr::Or(v) => v.iter_mut().for_each(fold_condition),
        Expr::IsDistinct { eq, left, right, negated: true } if left.ty().oid != oid::RECORD => {
            let known = |e: &Expr| matches!(e, Expr::Const(d, _) if !d.is_null());
            if known(left) || known(right) {
                let args = [left, right].map(|x| std::mem::replace(&mut **x, Expr::Default)).into();
                *e = Expr::Call { f: eq.clone(), args, ty: Type::BOOL };
            }
        }
        _ => {}
    }
}

/// Functions that never ask the environment: the arithmetic and comparisons behind operators.
fn foldable(name: &str) -> bool {
    const SUFFIXES: &[&str] = &["pl", "mi", "mul", "div", "mod", "um", "up", "eq", "ne", "lt", "le", "gt", "ge"];
    const PREFIXES: &[&str] = &[
        "int2", "int4", "int8", "int24", "int42", "int48", "int84", "int28", "int82", "float8", "float4", "numeric_",
        "text",
    ];
    PREFIXES.iter().any(|p| name.strip_prefix(p).is_some_and(|rest| SUFFIXES.contains(&rest)))
}
fn plain_number(t: &[pamir_types::Oid]) -> bool {
    use pamir_types::oid::*;
    t.iter().all(|t| matches!(*t, INT2 | INT4 | INT8 | FLOAT4 | FLOAT8 | NUMERIC))
}

pub mod eager;
