//! Arithmetic and comparisons of plain values without a call through the function table.
//!
//! ```text
//! 2 * k + id % 7 > 10      integers stay i64 from the slots to the answer
//! n * m, t = 'x', d < ..   operands are borrowed where they stand: slots, constants, parameters
//! ```
//! What an operator is is found when the expression is compiled. The answers, errors included, are those of the operator's function: what
//! this module does not compute (mantissas over 64 bits, long texts) goes to it.
use super::{Cx, Fun, Px, eval, holds, int_of};
use crate::func::{FunctionRef, Operator, arith};
use crate::ir::CmpOp;
use pamir_types::numeric::Numeric;
use pamir_types::{Datum, Result, Type, cmp, oid};
use std::cmp::Ordering;

/// Texts up to so many bytes are compared here; comparing longer ones is charged by the byte.
const SHORT_TEXT: usize = 1024;

/// What an operator of two operands is, if it is one of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direct {
    /// None of these.
    #[default]
    No,
    /// Integers of any width, with the width of the result.
    Int(Arith, Width),
    Float(Arith),
    Numeric(Arith),
    /// Two values of one type; with padded text or not.
    Cmp(CmpOp, bool),
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    W2,
    W4,
    W8,
}

/// The comparison that an operator of this name is.
pub fn cmp_named(name: &str) -> Option<CmpOp> {
    Some(match name {
        "=" => CmpOp::Eq,
        "<>" | "!=" => CmpOp::Ne,
        "<" => CmpOp::Lt,
        "<=" => CmpOp::Le,
        ">" => CmpOp::Gt,
        ">=" => CmpOp::Ge,
        _ => return None,
    })
}

/// What the operator is, by its name and the types that its function declares.
pub fn of(o: &Operator) -> Direct {
    let [a, b] = &*o.f.args else { return Direct::No };
    if let Some(op) = cmp_named(&o.name) {
        let one_order = matches!(
            *a,
            oid::TEXT
                | oid::BPCHAR
                | oid::NUMERIC
                | oid::FLOAT4
                | oid::FLOAT8
                | oid::DATE
                | oid::TIME
                | oid::TIMESTAMP
                | oid::TIMESTAMPTZ
                | oid::BOOL
                | oid::UUID
                | oid::OID
        );
        return if a == b && one_order { Direct::Cmp(op, *a == oid::BPCHAR) } else { Direct::No };
    }
    let op = match &*o.name {
        "+" => Arith::Add,
        "-" => Arith::Sub,
        "*" => Arith::Mul,
        "/" => Arith::Div,
        "%" => Arith::Rem,
        _ => return Direct::No,
    };
    if super::is_int(*a) && super::is_int(*b) {
        return match o.f.ret {
            oid::INT2 => Direct::Int(op, Width::W2),
            oid::INT4 => Direct::Int(op, Width::W4),
            oid::INT8 => Direct::Int(op, Width::W8),
            _ => Direct::No,
        };
    }
    match (*a, *b) {
        (oid::FLOAT8, oid::FLOAT8) if op != Arith::Rem => Direct::Float(op),
        (oid::NUMERIC, oid::NUMERIC) => Direct::Numeric(op),
        _ => Direct::No,
    }
}

/// The value of a slot, constant or parameter where it stands.
#[inline]
pub fn peek<'v, C: Cx + ?Sized>(e: &'v Px, c: &'v C) -> Option<&'v Datum> {
    match e {
        Px::Slot(i) => c.slot(*i),
        Px::Const(d) => Some(d),
        Px::Param(i) => c.param(*i),
        Px::Once(i, _) => c.known(*i),
        _ => None,
    }
}

#[inline]
fn int_op(op: Arith, w: Width, a: i64, b: i64) -> Result<i64> {
    // Quotients of short integers take the processor a third of the time.
    if let (Arith::Div | Arith::Rem, Ok(x), Ok(y @ (1.. | ..-1))) = (op, i32::try_from(a), i32::try_from(b)) {
        return Ok(i64::from(if op == Arith::Div { x / y } else { x % y }));
    }
    let r = match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div | Arith::Rem if b == 0 => return Err(arith::zero()),
        Arith::Div => a.checked_div(b),
        Arith::Rem => Some(a.wrapping_rem(b)),
    };
    match (w, r) {
        (Width::W4, Some(r)) if i32::try_from(r).is_ok() => Ok(r),
        (Width::W8, Some(r)) => Ok(r),
        (Width::W2, Some(r)) if i16::try_from(r).is_ok() => Ok(r),
        (Width::W2, _) => Err(arith::int2_range()),
        (Width::W4, _) => Err(arith::int4_range()),
        (Width::W8, None) => Err(arith::int8_range()),
    }
}
/// The value of an expression over integers; None is NULL.
#[inline]
pub fn int<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Option<i64>> {
    match peek(e, c).and_then(int_of) {
        Some(v) => Ok(Some(v)),
        None => computed_int(e, c),
    }
}
fn computed_int<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Option<i64>> {
    if let Px::Call(call) = e
        && let (Fun { direct: Direct::Int(op, w), .. }, [a, b]) = (&call.0, &*call.1)
    {
        return match (int(a, c)?, int(b, c)?) {
            (Some(a), Some(b)) => int_op(*op, *w, a, b).map(Some),
            _ => Ok(None),
        };
    }
    if let Px::Case(whens, otherwise) = e {
        return int(super::case(whens, otherwise, c)?, c);
    }
    Ok(int_of(&eval(e, c)?))
}
/// The value of an expression over double precision; None is NULL.
fn float<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Option<f64>> {
    if let Some(Datum::Float8(v)) = peek(e, c) {
        return Ok(Some(*v));
    }
    if let Px::Call(call) = e
        && let (Fun { direct: Direct::Float(op), .. }, [a, b]) = (&call.0, &*call.1)
    {
        return match (float(a, c)?, float(b, c)?) {
            (Some(a), Some(b)) => float_op(*op, a, b).map(Some),
            _ => Ok(None),
        };
    }
    Ok(match eval(e, c)? {
        Datum::Float8(v) => Some(v),
        _ => None,
    })
}
#[inline]
fn float_op(op: Arith, a: f64, b: f64) -> Result<f64> {
    match op {
        Arith::Add => arith::f8_add(a, b),
        Arith::Sub => arith::f8_sub(a, b),
        Arith::Mul => arith::f8_mul(a, b),
        Arith::Div | Arith::Rem => arith::f8_div(a, b),
    }
}
fn numeric_op(op: Arith, a: &Numeric, b: &Numeric) -> Result<Numeric> {
    Ok(match op {
        Arith::Add => a.add(b),
        Arith::Sub => a.sub(b),
        Arith::Mul => a.mul(b),
        Arith::Div => a.div(b)?,
        Arith::Rem => a.rem(b)?,
    })
}
/// How two values of one type compare; None where that is the function's to say.
#[inline]
fn order(a: &Datum, b: &Datum, padded: bool) -> Option<Ordering> {
    Some(match (a, b) {
        (Datum::Text(a), Datum::Text(b)) => {
            if a.len() > SHORT_TEXT || b.len() > SHORT_TEXT {
                return None;
            }
            if padded { cmp::compare_bpchar(a, b) } else { a.as_bytes().cmp(b.as_bytes()) }
        }
        (Datum::Numeric(a @ Numeric::Small(..)), Datum::Numeric(b @ Numeric::Small(..))) => a.cmp(b),
        (Datum::Numeric(_), _) | (_, Datum::Numeric(_)) => return None,
        (Datum::Date(a), Datum::Date(b)) => a.cmp(b),
        (Datum::Timestamp(a), Datum::Timestamp(b)) | (Datum::TimestampTz(a), Datum::TimestampTz(b)) => a.cmp(b),
        (a, b) => cmp::compare(a, b),
    })
}
/// Whether two values are equal, where equality is all that is asked.
#[inline]
fn test(op: CmpOp, padded: bool, a: &Datum, b: &Datum) -> Option<bool> {
    match (op, a, b) {
        (CmpOp::Eq | CmpOp::Ne, Datum::Text(a), Datum::Text(b)) if !padded && a.len() != b.len() => {
            Some(op == CmpOp::Ne)
        }
        _ => order(a, b, padded).map(|o| holds(op, o)),
    }
}

/// Both operands: those that must be computed first, then all borrowed. `f` says None for what the function is to compute.
#[inline]
fn operands<C: Cx + ?Sized, R>(
    fun: &Fun,
    a: &Px,
    b: &Px,
    c: &mut C,
    null: R,
    f: impl FnOnce(&Datum, &Datum) -> Result<Option<R>>,
    from: impl FnOnce(Datum) -> R,
) -> Result<R> {
    let plain = |e: &Px| matches!(e, Px::Slot(_) | Px::Const(_) | Px::Param(_));
    let x = if plain(a) { None } else { Some(eval(a, c)?) };
    let y = if plain(b) { None } else { Some(eval(b, c)?) };
    if let (Some(p), Some(q)) = (x.as_ref().or_else(|| peek(a, c)), y.as_ref().or_else(|| peek(b, c))) {
        if p.is_null() || q.is_null() {
            return Ok(null);
        }
        if let Some(r) = f(p, q)? {
            return Ok(r);
        }
    }
    let x = x.map_or_else(|| eval(a, c), Ok)?;
    let y = y.map_or_else(|| eval(b, c), Ok)?;
    fun.call(&[x, y], c.env()).map(from)
}

/// The value of an integers' operator to its place.
pub fn int_to<C: Cx + ?Sized>(op: Arith, w: Width, a: &Px, b: &Px, c: &mut C, out: &mut Datum) -> Result<()> {
    let (Some(a), Some(b)) = (int(a, c)?, int(b, c)?) else {
        *out = Datum::Null;
        return Ok(());
    };
    let v = int_op(op, w, a, b)?;
    match w {
        Width::W2 => *out = Datum::Int2(v as i16),
        Width::W4 => *out = Datum::Int4(v as i32),
        Width::W8 => *out = Datum::Int8(v),
    }
    Ok(())
}
/// The value of a call that is direct.
pub fn value<C: Cx + ?Sized>(fun: &Fun, a: &Px, b: &Px, c: &mut C) -> Result<Datum> {
    match fun.direct {
        Direct::Int(op, w) => match (int(a, c)?, int(b, c)?) {
            (Some(a), Some(b)) => {
                let v = int_op(op, w, a, b)?;
                Ok(match w {
                    Width::W2 => Datum::Int2(v as i16),
                    Width::W4 => Datum::Int4(v as i32),
                    Width::W8 => Datum::Int8(v),
                })
            }
            _ => Ok(Datum::Null),
        },
        Direct::Float(op) => match (float(a, c)?, float(b, c)?) {
            (Some(a), Some(b)) => float_op(op, a, b).map(Datum::Float8),
            _ => Ok(Datum::Null),
        },
        Direct::Numeric(op) => {
            let f = |a: &Datum, b: &Datum| match (a, b) {
                (Datum::Numeric(a @ Numeric::Small(..)), Datum::Numeric(b @ Numeric::Small(..))) => {
                    numeric_op(op, a, b).map(|v| Some(Datum::Numeric(v)))
                }
                _ => Ok(None),
            };
            operands(fun, a, b, c, Datum::Null, f, |d| d)
        }
        Direct::Cmp(op, padded) => Ok(compared(fun, op, padded, a, b, c)?.map_or(Datum::Null, Datum::Bool)),
        Direct::No => {
            let args = [eval(a, c)?, eval(b, c)?];
            fun.call(&args, c.env())
        }
    }
}
/// The answer of a comparison that is direct; None is unknown.
pub fn compared<C: Cx + ?Sized>(fun: &Fun, op: CmpOp, padded: bool, a: &Px, b: &Px, c: &mut C) -> Result<Option<bool>> {
    let from = |d: Datum| if let Datum::Bool(v) = d { Some(v) } else { None };
    operands(fun, a, b, c, None, |a, b| Ok(test(op, padded, a, b).map(Some)), from)
}

/// Whether two values that are not NULL are equal by a function that is direct; None: the function must say.
#[inline]
pub fn equal(fun: &Fun, a: &Datum, b: &Datum) -> Option<bool> {
    match fun.direct {
        Direct::Cmp(CmpOp::Eq, padded) => test(CmpOp::Eq, padded, a, b),
        _ => None,
    }
}

/// A function call of an operator, with what it is.
pub fn fun(o: Option<&Operator>, f: &FunctionRef, types: Vec<Type>, ret: Type) -> Result<Fun> {
    let mut fun = Fun::new(f.clone(), types, ret)?;
    if let Some(o) = o
        && fun.strict
    {
        fun.direct = of(o);
    }
    Ok(fun)
}

#[cfg(test)]
mod tests {
    use super::super::{RowCx, eval_bool};
    use super::*;
    use crate::func::{self, testing};

    /// Values of a type, with those where arithmetic ends.
    fn values(t: pamir_types::Oid) -> Vec<Datum> {
        let texts = |v: &[&str]| v.iter().map(|s| Datum::from(s.to_string())).collect::<Vec<_>>();
        let numbers = |v: &[&str]| v.iter().map(|s| Datum::Numeric(Numeric::parse(s).unwrap())).collect::<Vec<_>>();
        let floats = [0.0, -0.0, 1.5, -7.25, 1e300, -1e300, 1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let mut v = match t {
            oid::INT2 => [0, 1, -1, 7, i16::MAX, i16::MIN].map(Datum::Int2).to_vec(),
            oid::INT4 => [0, 1, -1, 7, 46341, i32::MAX, i32::MIN].map(Datum::Int4).to_vec(),
            oid::INT8 => [0, 1, -1, 7, 3_037_000_500, i64::MAX, i64::MIN].map(Datum::Int8).to_vec(),
            oid::FLOAT4 => floats.iter().map(|f| Datum::Float4(*f as f32)).collect(),
            oid::FLOAT8 => floats.map(Datum::Float8).to_vec(),
            oid::NUMERIC => numbers(&[
                "0",
                "0.000",
                "1",
                "1.00",
                "-1.5",
                "99.99",
                "9223372036854775807",
                "-9223372036854775808.0",
                "0.0000000001",
                "123456789012345678901234567890.5",
                "NaN",
                "Infinity",
                "-Infinity",
            ]),
            oid::TEXT | oid::BPCHAR => {
                texts(&["", " ", "a", "a ", "ab", "a\t", "é", "x".repeat(SHORT_TEXT + 1).as_str()])
            }
            oid::DATE => [i32::MIN, -1, 0, 1, i32::MAX].map(Datum::Date).to_vec(),
            oid::TIME => [0, 1, 86_400_000_000].map(Datum::Time).to_vec(),
            oid::TIMESTAMP => [i64::MIN, -1, 0, i64::MAX].map(Datum::Timestamp).to_vec(),
            oid::TIMESTAMPTZ => [i64::MIN, -1, 0, i64::MAX].map(Datum::TimestampTz).to_vec(),
            oid::BOOL => [false, true].map(Datum::Bool).to_vec(),
            oid::UUID => [[0; 16], [1; 16]].map(Datum::Uuid).to_vec(),
            oid::OID => [0, 1, u32::MAX].map(Datum::Oid).to_vec(),
            _ => panic!("no values of type {t}"),
        };
        v.push(Datum::Null);
        v
    }
    fn said<T: std::fmt::Debug>(r: Result<T>) -> String {
        match r {
            Ok(d) => format!("{d:?}"),
            Err(e) => format!("{e:?}"),
        }
    }

    /// Whatever is computed here is what the operator's function computes, to the scale of a number and the words of an error.
    #[test]
    fn direct_operators_are_their_functions() {
        let (mut env, mut operators, mut cases) = (testing::env(), 0, 0);
        for o in func::all_operators() {
            if of(o) == Direct::No {
                continue;
            }
            operators += 1;
            let [ta, tb] = *o.f.args.as_ref() else { panic!("{} has two operands", o.name) };
            let types = || vec![Type::new(ta), Type::new(tb)];
            let ret = Type::new(o.ret);
            let table = Fun::new(o.f.clone(), types(), ret).unwrap();
            for (a, b) in values(ta).iter().flat_map(|a| values(tb).into_iter().map(move |b| (a.clone(), b))) {
                cases += 1;
                let want = said(table.call(&[a.clone(), b.clone()], &mut env));
                // The operands as a column and a constant, and as what must be computed first.
                let computed = |i: u32, d: &Datum| {
                    Px::Case(Box::new([(Px::Const(Datum::Bool(true)), Px::Slot(i))]), Box::new(Px::Const(d.clone())))
                };
                let ways = [
                    [Px::Slot(0), Px::Const(b.clone())],
                    [computed(0, &b), Px::Slot(1)],
                    [Px::Slot(0), computed(1, &a)],
                    [computed(0, &b), computed(1, &a)],
                ];
                for args in ways {
                    let call = Px::Call(Box::new((fun(Some(o), &o.f, types(), ret).unwrap(), Box::new(args))));
                    let row = [a.clone(), b.clone()];
                    let mut c = RowCx { row: &row, env: &mut env };
                    assert_eq!(said(eval(&call, &mut c)), want, "{a:?} {} {b:?}", o.name);
                    if o.ret == oid::BOOL {
                        let truth = said(eval_bool(&call, &mut c).map(|v| v.map_or(Datum::Null, Datum::Bool)));
                        assert_eq!(truth, want, "{a:?} {} {b:?}", o.name);
                    }
                }
            }
        }
        assert!(operators > 100 && cases > 4000, "{operators} operators, {cases} cases");
    }
}
