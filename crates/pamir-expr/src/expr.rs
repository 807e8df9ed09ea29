//! Expressions in executable form: columns are slots of one register file, parameters are indexes, functions are pointers.
//!
//! ```text
//! ir::Expr --compile--> Px --eval(Cx)--> Datum         Cx: slots, parameters, environment, subplans
//! ```
//! A statement's [`crate::ir::ColId`]s are its slots (after the planner resolved aliases), so a row is never copied between operators:
//! a scan writes its columns' slots, everything above reads them.
//! Evaluation of fixed-width types allocates nothing; arguments of calls live on the stack up to four.
//!
//! Limits: sub-plans exist only under a running statement; [`compile_simple`] refuses them.
mod direct;
pub mod encoded;
pub mod hash_index;
pub mod like;
mod members;
mod walk;

use super::long::{self, Grows};
use crate::env::Env;
use crate::func::{self, Body, CallInfo, Code, Eval, Function, FunctionRef, Operator};
use crate::ir::{CastHow, CmpOp, ColId, Expr};
use direct::Direct;
pub use direct::cmp_named;
use pamir_types::array::Array;
use pamir_types::record::admit_elements;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, cmp, err, oid, work};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

pub use walk::{any, children, children_mut, each, each_col, each_mut};

/// What evaluation reads from.
pub trait Cx {
    fn slot(&self, i: u32) -> Option<&Datum>;
    fn param(&self, i: u16) -> Option<&Datum>;
    fn env(&mut self) -> &mut dyn Env;
    /// Runs sub-plan `i`.
    fn sub(&mut self, i: usize) -> Result<Datum>;
    /// The value of [`Px::Once`] `i`, of one that has been computed.
    fn known(&self, _i: u32) -> Option<&Datum> {
        None
    }
    /// Keeps that value for as long as a statement runs, where there is a place for it.
    fn keep(&mut self, _i: u32, _value: &Datum) {}
}

/// One row of a table as the slot file (stored expressions).
pub struct RowCx<'a, 'e> {
    pub row: &'a [Datum],
    pub env: &'e mut dyn Env,
}
impl Cx for RowCx<'_, '_> {
    #[inline]
    fn slot(&self, i: u32) -> Option<&Datum> {
        self.row.get(i as usize)
    }
    fn param(&self, _: u16) -> Option<&Datum> {
        None
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, _: usize) -> Result<Datum> {
        Err(Error::unsupported("a subquery in this place"))
    }
}
/// Parameters only.
pub struct ParamCx<'a, 'e> {
    pub params: &'a [Datum],
    pub env: &'e mut dyn Env,
}
impl Cx for ParamCx<'_, '_> {
    fn slot(&self, _: u32) -> Option<&Datum> {
        None
    }
    #[inline]
    fn param(&self, i: u16) -> Option<&Datum> {
        self.params.get(i as usize)
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, _: usize) -> Result<Datum> {
        Err(Error::unsupported("a subquery in this place"))
    }
}

/// A function at one call site.
#[derive(Debug)]
pub struct Fun {
    pub f: FunctionRef,
    strict: bool,
    /// Is it `eval` and nothing else, whatever the arguments?
    plain: bool,
    eval: Eval,
    arg_types: Box<[Type]>,
    ret: Type,
    grows: Grows,
    direct: Direct,
}
impl Fun {
    pub fn new(f: FunctionRef, arg_types: Vec<Type>, ret: Type) -> Result<Fun> {
        match &f.body {
            Body::Scalar(code) => {
                let (grows, direct, strict) = (long::grows(&f, &arg_types), Direct::No, f.strict);
                let (eval, closure) = match code {
                    Code::Plain(eval) => (*eval, false),
                    Code::Closure(_) => (not_plain as Eval, true),
                };
                let plain = !closure && grows == Grows::Not;
                Ok(Fun { strict, plain, eval, grows, direct, arg_types: arg_types.into(), ret, f })
            }
            Body::Set(_) | Body::Series(_) => {
                Err(err!(FEATURE_NOT_SUPPORTED, "set-valued function called in context that cannot accept a set"))
            }
        }
    }
    #[inline]
    pub fn call(&self, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
        if self.strict && args.iter().any(Datum::is_null) {
            return Ok(Datum::Null);
        }
        if !self.plain {
            return self.call_rest(args, env);
        }
        (self.eval)(&CallInfo { arg_types: &self.arg_types, ret: self.ret }, args, env)
    }
    /// A call whose arguments may be long, or of a closure.
    fn call_rest(&self, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
        let Body::Scalar(code) = &self.f.body else { return Err(Error::internal("a scalar function was expected")) };
        if self.grows != Grows::Not {
            return long::call(&self.f, code, self.grows, &self.arg_types, self.ret, args, env);
        }
        code.call(&CallInfo { arg_types: &self.arg_types, ret: self.ret }, args, env)
    }
    fn test(&self, a: &Datum, b: &Datum, env: &mut dyn Env) -> Result<Option<bool>> {
        Ok(match self.call(&[a.clone(), b.clone()], env)? {
            Datum::Bool(v) => Some(v),
            _ => None,
        })
    }
}

/// What stands for the code of a closure, which [`Fun::call_rest`] calls.
fn not_plain(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Err(Error::internal("a closure was called as a plain function"))
}

#[derive(Debug)]
pub enum CastPx {
    Relabel,
    Func { fun: Fun, arity: usize, typmod: i32, explicit: bool },
    ViaText { from: Type, to: Type },
    Typmod { ty: Type, explicit: bool },
    Array { each: Box<CastPx>, elem: Oid },
    Domain(Oid),
    Row(std::sync::Arc<[usize]>),
}

/// One pair of a row comparison: sides, equality, less-than.
pub type Pair = (Px, Px, Fun, Option<Fun>);

#[derive(Debug)]
pub enum Px {
    Const(Datum),
    Slot(u32),
    Param(u16),
    Call(Box<(Fun, Box<[Px]>)>),
    /// Comparison of two integers of any width.
    IntCmp(CmpOp, Box<(Px, Px)>),
    And(Box<[Px]>),
    Or(Box<[Px]>),
    Not(Box<Px>),
    IsNull(Box<Px>, bool),
    IsBool(Box<Px>, Option<bool>, bool),
    IsDistinct(Box<(Fun, Px, Px)>, bool),
    Case(Box<[(Px, Px)]>, Box<Px>),
    Coalesce(Box<[Px]>),
    NullIf(Box<(Fun, Px, Px)>),
    Extreme(Box<[Px]>, bool, Type),
    Cast(Box<(Px, CastPx)>),
    InList(Box<members::InList>),
    AnyAll(Box<(Fun, Px, Px)>, bool),
    Array(Box<[Px]>, Oid),
    Row(Box<[(Px, Type)]>),
    RowCmp(CmpOp, Box<[Pair]>),
    Subscript(Box<(Px, Box<[Px]>)>),
    Field(Box<Px>, usize),
    Sub(usize),
    Like(Box<Like>),
    /// What has the same value for all rows of a statement, `now() - interval '1 day'` beside a column: computed for the first row that asks.
    Once(u32, Box<Px>),
}
impl Px {
    /// Can it be evaluated once more and nobody notices? Not what is volatile or has a sub-plan.
    pub fn is_plain(&self) -> bool {
        let still = |f: &Fun| f.f.volatility != func::Volatility::Volatile;
        let all = |v: &[Px]| v.iter().all(Px::is_plain);
        match self {
            Px::Const(_) | Px::Slot(_) | Px::Param(_) => true,
            Px::Call(c) => still(&c.0) && all(&c.1),
            Px::IntCmp(_, c) => c.0.is_plain() && c.1.is_plain(),
            Px::And(v) | Px::Or(v) | Px::Coalesce(v) | Px::Extreme(v, ..) | Px::Array(v, _) => all(v),
            Px::Not(e) | Px::IsNull(e, _) | Px::IsBool(e, ..) | Px::Field(e, _) => e.is_plain(),
            Px::IsDistinct(c, _) | Px::NullIf(c) | Px::AnyAll(c, _) => still(&c.0) && c.1.is_plain() && c.2.is_plain(),
            Px::Case(whens, otherwise) => {
                whens.iter().all(|(a, b)| a.is_plain() && b.is_plain()) && otherwise.is_plain()
            }
            Px::Cast(c) => {
                let how = match &c.1 {
                    CastPx::Func { fun, .. } => still(fun),
                    CastPx::Array { each, .. } => matches!(**each, CastPx::Relabel | CastPx::Typmod { .. }),
                    _ => true,
                };
                how && c.0.is_plain()
            }
            Px::InList(l) => l.x.is_plain() && all(&l.list),
            Px::Row(v) => v.iter().all(|e| e.0.is_plain()),
            Px::Subscript(c) => c.0.is_plain() && all(&c.1),
            Px::Like(l) => l.text.is_plain(),
            Px::Once(_, e) => e.is_plain(),
            Px::RowCmp(..) | Px::Sub(_) => false,
        }
    }
    /// The sequence of which each evaluation draws one value, and whether the user must be allowed to.
    pub fn sequence(&self) -> Option<(Oid, bool)> {
        match self {
            Px::Cast(c) => c.0.sequence(),
            Px::Call(c) => {
                let [Px::Const(Datum::Oid(seq))] = &*c.1 else { return None };
                let checked = c.0.f.name != func::system::IDENTITY_NEXTVAL;
                (!checked || c.0.f.oid == func::system::NEXTVAL).then_some((*seq, checked))
            }
            _ => None,
        }
    }
}
/// LIKE or NOT LIKE with a constant pattern.
#[derive(Debug)]
pub struct Like {
    pub text: Px,
    pattern: Datum,
    matcher: like::Matcher,
    /// For long texts.
    fun: Fun,
}
impl Like {
    fn test<C: Cx + ?Sized>(&self, c: &mut C) -> Result<Option<bool>> {
        let made;
        let d = match direct::peek(&self.text, c) {
            Some(d) => d,
            None => {
                made = eval(&self.text, c)?;
                &made
            }
        };
        match d {
            Datum::Null => Ok(None),
            Datum::Text(s) if s.len() <= like::LONG => Ok(Some(self.matcher.test(s.as_bytes()))),
            d => self.fun.test(&d.clone(), &self.pattern, c.env()),
        }
    }
}

/// Turns an ir expression into a Px; the planner resolves aliases and sub-plans.
pub trait Resolve {
    fn slot(&mut self, c: ColId) -> Result<u32>;
    fn sub(&mut self, s: &crate::ir::Subquery) -> Result<usize>;
}
struct Simple;
impl Resolve for Simple {
    fn slot(&mut self, c: ColId) -> Result<u32> {
        Ok(c)
    }
    fn sub(&mut self, _: &crate::ir::Subquery) -> Result<usize> {
        Err(err!(FEATURE_NOT_SUPPORTED, "cannot use subquery in this expression"))
    }
}
/// Compiles without aliases and sub-plans: ColIds are slots.
pub fn compile_simple(e: &Expr) -> Result<Px> {
    compile(e, &mut Simple)
}

fn fun2(f: &FunctionRef, a: Type, b: Type) -> Result<Fun> {
    Fun::new(f.clone(), vec![a, b], Type::BOOL)
}

pub fn compile(e: &Expr, r: &mut dyn Resolve) -> Result<Px> {
    let many = |v: &[Expr], r: &mut dyn Resolve| -> Result<Box<[Px]>> { v.iter().map(|e| compile(e, r)).collect() };
    Ok(match e {
        Expr::Const(d, _) => Px::Const(d.clone()),
        Expr::Col(c, _) => Px::Slot(r.slot(*c)?),
        Expr::Param(n, _) => Px::Param(*n),
        Expr::Call { f, args, ty } => {
            let op = if args.len() == 2 { operator_of(f) } else { None };
            if let [a, b] = args.as_slice()
                && let Some(op) = op.and_then(|o| direct::cmp_named(&o.name))
                && is_int(a.ty().oid)
                && is_int(b.ty().oid)
            {
                return Ok(Px::IntCmp(op, Box::new((compile(a, r)?, compile(b, r)?))));
            }
            let types: Vec<Type> = args.iter().map(Expr::ty).collect();
            if let ([text, Expr::Const(pattern, _)], Some(matcher)) = (args.as_slice(), like::Matcher::of(f, args)) {
                let (text, pattern) = (compile(text, r)?, pattern.clone());
                return Ok(Px::Like(Box::new(Like { text, pattern, matcher, fun: Fun::new(f.clone(), types, *ty)? })));
            }
            Px::Call(Box::new((direct::fun(op, f, types, *ty)?, many(args, r)?)))
        }
        Expr::And(v) => Px::And(many(v, r)?),
        Expr::Or(v) => Px::Or(many(v, r)?),
        Expr::Not(x) => Px::Not(Box::new(compile(x, r)?)),
        Expr::IsNull(x, n) => Px::IsNull(Box::new(compile(x, r)?), *n),
        Expr::IsBool(x, b, n) => Px::IsBool(Box::new(compile(x, r)?), *b, *n),
        Expr::IsDistinct { eq, left, right, negated } => Px::IsDistinct(
            Box::new((fun2(eq, left.ty(), right.ty())?, compile(left, r)?, compile(right, r)?)),
            *negated,
        ),
        Expr::Case { whens, otherwise, .. } => {
            let mut w = Vec::with_capacity(whens.len());
            for (c, v) in whens {
                w.push((compile(c, r)?, compile(v, r)?));
            }
            Px::Case(w.into(), Box::new(compile(otherwise, r)?))
        }
        Expr::Coalesce(v, _) => Px::Coalesce(many(v, r)?),
        Expr::NullIf { eq, left, right } => {
            Px::NullIf(Box::new((fun2(eq, left.ty(), right.ty())?, compile(left, r)?, compile(right, r)?)))
        }
        Expr::Extreme(v, g, t) => Px::Extreme(many(v, r)?, *g, *t),
        Expr::Cast { e, f, ty, explicit } => {
            let inner = compile(e, r)?;
            match compile_cast(f, e.ty(), *ty, *explicit)? {
                CastPx::Relabel => inner,
                c => Px::Cast(Box::new((inner, c))),
            }
        }
        Expr::InList { eq, e, list } => {
            let ty = list.first().map_or(e.ty(), Expr::ty);
            let members = members::Members::of(eq, e.ty(), list);
            let eq = direct::fun(operator_of(eq), eq, vec![e.ty(), ty], Type::BOOL)?;
            Px::InList(Box::new(members::InList { eq, x: compile(e, r)?, list: many(list, r)?, members }))
        }
        Expr::AnyAll { op, left, array, all } => {
            let elem = array.ty().element().unwrap_or(left.ty());
            Px::AnyAll(Box::new((fun2(op, left.ty(), elem)?, compile(left, r)?, compile(array, r)?)), *all)
        }
        Expr::Array(v, t) => Px::Array(many(v, r)?, oid::element_of(t.oid).unwrap_or(oid::TEXT)),
        Expr::Row(v) => {
            let mut out = Vec::new();
            for x in v {
                out.push((compile(x, r)?, x.ty()));
            }
            Px::Row(out.into())
        }
        Expr::RowCompare { op, pairs, eqs, lts } => {
            let mut out = Vec::new();
            for (i, (a, b)) in pairs.iter().enumerate() {
                let eq = eqs.get(i).ok_or_else(|| Error::internal("row comparison without equality"))?;
                let lt = match lts.get(i) {
                    Some(f) => Some(fun2(f, a.ty(), b.ty())?),
                    None => None,
                };
                out.push((compile(a, r)?, compile(b, r)?, fun2(eq, a.ty(), b.ty())?, lt));
            }
            Px::RowCmp(*op, out.into())
        }
        Expr::Subscript { array, index, .. } => Px::Subscript(Box::new((compile(array, r)?, many(index, r)?))),
        Expr::Field { record, index, .. } => Px::Field(Box::new(compile(record, r)?), *index),
        Expr::Subquery(s) => Px::Sub(r.sub(s)?),
        Expr::Default => return Err(err!(SYNTAX_ERROR, "DEFAULT is not allowed in this context")),
    })
}

fn compile_cast(f: &CastHow, from: Type, to: Type, explicit: bool) -> Result<CastPx> {
    Ok(match f {
        CastHow::Relabel => CastPx::Relabel,
        CastHow::Func(f) => CastPx::Func {
            fun: Fun::new(f.clone(), f.args.iter().map(|o| Type::new(*o)).collect(), to)?,
            arity: f.args.len().max(1),
            typmod: to.typmod,
            explicit,
        },
        CastHow::ViaText => CastPx::ViaText { from, to },
        CastHow::Domain => CastPx::Domain(to.oid),
        CastHow::Row(fields) => CastPx::Row(fields.clone()),
        CastHow::Typmod => CastPx::Typmod { ty: to, explicit },
        CastHow::Array(inner) => {
            let (fe, te) = (from.element().unwrap_or(Type::TEXT), to.element().unwrap_or(Type::TEXT));
            CastPx::Array { each: Box::new(compile_cast(inner, fe, te, explicit)?), elem: te.oid }
        }
    })
}

/// The operator that a function implements, if any.
pub fn operator_of(f: &Function) -> Option<&'static Operator> {
    static MAP: OnceLock<FxHashMap<(Oid, &'static str), &'static Operator>> = OnceLock::new();
    let m: &FxHashMap<(Oid, &str), &'static Operator> = MAP.get_or_init(|| {
        let mut m = FxHashMap::default();
        for o in func::all_operators() {
            if let FunctionRef::Own(f) = &o.f {
                m.entry((f.oid, &*f.name)).or_insert(o);
            }
        }
        m
    });
    m.get(&(f.oid, &*f.name)).copied()
}
/// The comparison that a two-argument function is, by the order and the equality of its types: those of geometric types (of areas, of numbers of points) are none.
pub fn cmp_of(f: &Function) -> Option<CmpOp> {
    // An oidvector has no lower bound to its comparisons, an array of the same values has.
    if f.args.first().is_some_and(|t| *t == oid::OIDVECTOR || pamir_types::geometry::is_geometric(*t)) {
        return None;
    }
    direct::cmp_named(&operator_of(f)?.name)
}
pub fn is_int(o: Oid) -> bool {
    matches!(o, oid::INT2 | oid::INT4 | oid::INT8)
}
/// The value of an integer of any width.
#[inline]
pub fn int_of(d: &Datum) -> Option<i64> {
    match d {
        Datum::Int4(v) => Some(*v as i64),
        Datum::Int8(v) => Some(*v),
        Datum::Int2(v) => Some(*v as i64),
        _ => None,
    }
}
#[inline]
pub fn holds(op: CmpOp, o: Ordering) -> bool {
    match op {
        CmpOp::Eq => o.is_eq(),
        CmpOp::Ne => o.is_ne(),
        CmpOp::Lt => o.is_lt(),
        CmpOp::Le => o.is_le(),
        CmpOp::Gt => o.is_gt(),
        CmpOp::Ge => o.is_ge(),
    }
}

#[inline]
fn holds_int(op: CmpOp, a: i64, b: i64) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Lt => a < b,
        CmpOp::Le => a <= b,
        CmpOp::Gt => a > b,
        CmpOp::Ge => a >= b,
    }
}

/// What a comparison with one item of a list costs.
const LIST_ITEM: usize = 10;

type Args = SmallVec<[Datum; 4]>;

/// A condition's value: None is unknown.
#[inline]
pub fn eval_bool<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Option<bool>> {
    match e {
        Px::IntCmp(op, ab) => Ok(match (direct::int(&ab.0, c)?, direct::int(&ab.1, c)?) {
            (Some(a), Some(b)) => Some(holds_int(*op, a, b)),
            _ => None,
        }),
        Px::Call(call) => match (&call.0, &*call.1) {
            (fun @ Fun { direct: Direct::Cmp(op, padded), .. }, [a, b]) => direct::compared(fun, *op, *padded, a, b, c),
            _ => Ok(truth(&eval_rest(e, c)?)),
        },
        Px::And(v) => {
            let mut unknown = false;
            for x in v {
                match eval_bool(x, c)? {
                    Some(false) => return Ok(Some(false)),
                    None => unknown = true,
                    Some(true) => {}
                }
            }
            Ok(if unknown { None } else { Some(true) })
        }
        Px::Or(v) => {
            let mut unknown = false;
            for x in v {
                match eval_bool(x, c)? {
                    Some(true) => return Ok(Some(true)),
                    None => unknown = true,
                    Some(false) => {}
                }
            }
            Ok(if unknown { None } else { Some(false) })
        }
        Px::Like(like) => like.test(c),
        _ => Ok(truth(&eval(e, c)?)),
    }
}
#[inline]
fn truth(d: &Datum) -> Option<bool> {
    match d {
        Datum::Bool(b) => Some(*b),
        _ => None,
    }
}

/// The value of an expression.
#[inline]
pub fn eval<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Datum> {
    match (direct::peek(e, c), e) {
        (Some(d), _) => Ok(d.clone()),
        (None, Px::Case(whens, otherwise)) => eval(case(whens, otherwise, c)?, c),
        _ => eval_rest(e, c),
    }
}
/// [`eval`] to a place that has a value. What is small is written there at once, tag and number: a value that is returned and moved is copied as a whole
/// right after its parts were written, and the processor waits for them.
#[inline]
pub fn eval_to<C: Cx + ?Sized>(e: &Px, c: &mut C, out: &mut Datum) -> Result<()> {
    if let Px::Call(call) = e
        && let (fun, [a, b]) = (&call.0, &*call.1)
        && let direct::Direct::Int(op, w) = fun.direct
    {
        return direct::int_to(op, w, a, b, c, out);
    }
    match e {
        Px::IntCmp(..) | Px::And(_) | Px::Or(_) => {
            let v = eval_bool(e, c)?;
            *out = v.map_or(Datum::Null, Datum::Bool);
        }
        _ => match direct::peek(e, c) {
            Some(Datum::Int4(v)) => *out = Datum::Int4(*v),
            Some(d) => *out = d.clone(),
            None => *out = eval_rest(e, c)?,
        },
    }
    Ok(())
}
/// The arm that a CASE takes.
#[inline]
fn case<'v, C: Cx + ?Sized>(whens: &'v [(Px, Px)], otherwise: &'v Px, c: &mut C) -> Result<&'v Px> {
    for (w, v) in whens {
        if eval_bool(w, c)? == Some(true) {
            return Ok(v);
        }
    }
    Ok(otherwise)
}
#[inline(never)]
fn eval_rest<C: Cx + ?Sized>(e: &Px, c: &mut C) -> Result<Datum> {
    Ok(match e {
        Px::Const(d) => d.clone(),
        Px::Slot(i) => match c.slot(*i) {
            Some(d) => d.clone(),
            None => return Err(Error::internal(format!("column slot {i} is not there"))),
        },
        Px::Param(i) => match c.param(*i) {
            Some(d) => d.clone(),
            None => bail!(UNDEFINED_PARAMETER, "there is no parameter ${}", i + 1),
        },
        Px::Call(b) => {
            let (fun, args) = &**b;
            match &**args {
                [a] => {
                    let a = eval(a, c)?;
                    fun.call(&[a], c.env())?
                }
                [a, b] => direct::value(fun, a, b, c)?,
                args => {
                    let mut v = Args::new();
                    for a in args {
                        v.push(eval(a, c)?);
                    }
                    fun.call(&v, c.env())?
                }
            }
        }
        Px::Once(i, x) => match c.known(*i) {
            Some(d) => d.clone(),
            None => {
                let d = eval(x, c)?;
                c.keep(*i, &d);
                d
            }
        },
        Px::IntCmp(..) | Px::And(_) | Px::Or(_) | Px::Like(_) => eval_bool(e, c)?.map_or(Datum::Null, Datum::Bool),
        Px::Not(x) => match eval_bool(x, c)? {
            Some(b) => Datum::Bool(!b),
            None => Datum::Null,
        },
        Px::IsNull(x, negated) => {
            let d = eval(x, c)?;
            let null = match &d {
                // A row IS NULL when all of its fields are, IS NOT NULL when none is.
                Datum::Record(f) if *negated => return Ok(Datum::Bool(f.iter().all(|(_, d)| !d.is_null()))),
                Datum::Record(f) => f.iter().all(|(_, d)| d.is_null()),
                d => d.is_null(),
            };
            Datum::Bool(null != *negated)
        }
        Px::IsBool(x, want, negated) => Datum::Bool((eval_bool(x, c)? == *want) != *negated),
        Px::IsDistinct(b, negated) => {
            let (a, d) = (eval(&b.1, c)?, eval(&b.2, c)?);
            let distinct = match (a.is_null(), d.is_null()) {
                (true, true) => false,
                (false, false) => b.0.test(&a, &d, c.env())? != Some(true),
                _ => true,
            };
            Datum::Bool(distinct != *negated)
        }
        Px::Case(whens, otherwise) => return eval(case(whens, otherwise, c)?, c),
        Px::Coalesce(v) => {
            for x in v {
                let d = eval(x, c)?;
                if !d.is_null() {
                    return Ok(d);
                }
            }
            Datum::Null
        }
        Px::NullIf(b) => {
            let (a, d) = (eval(&b.1, c)?, eval(&b.2, c)?);
            if !a.is_null() && !d.is_null() && b.0.test(&a, &d, c.env())? == Some(true) { Datum::Null } else { a }
        }
        Px::Extreme(v, greatest, ty) => {
            let mut best = Datum::Null;
            for x in v {
                let d = eval(x, c)?;
                if d.is_null() {
                    continue;
                }
                let better = best.is_null() || {
                    let o = compare(&d, &best, *ty);
                    if *greatest { o.is_gt() } else { o.is_lt() }
                };
                if better {
                    best = d;
                }
            }
            best
        }
        Px::Cast(b) => {
            let d = eval(&b.0, c)?;
            cast(d, &b.1, c.env())?
        }
        Px::InList(b) => {
            let members::InList { eq, x, list, members } = &**b;
            let d = eval(x, c)?;
            if d.is_null() {
                return Ok(Datum::Null);
            }
            if let Some(m) = members {
                let found = m.contains(&d);
                return Ok(if !found && m.null { Datum::Null } else { Datum::Bool(found) });
            }
            let mut unknown = false;
            for y in list {
                work::charge(LIST_ITEM)?;
                let made;
                let v = match direct::peek(y, c) {
                    Some(v) => v,
                    None => {
                        made = eval(y, c)?;
                        &made
                    }
                };
                if v.is_null() {
                    unknown = true;
                    continue;
                }
                let hit = match (int_of(&d), int_of(v)) {
                    (Some(a), Some(b)) => a == b,
                    _ => match direct::equal(eq, &d, v) {
                        Some(b) => b,
                        None => match eq.test(&d, &v.clone(), c.env())? {
                            Some(b) => b,
                            None => {
                                unknown = true;
                                false
                            }
                        },
                    },
                };
                if hit {
                    return Ok(Datum::Bool(true));
                }
            }
            if unknown { Datum::Null } else { Datum::Bool(false) }
        }
        Px::AnyAll(b, all) => {
            let (op, x, arr) = &**b;
            let d = eval(x, c)?;
            let Datum::Array(arr) = eval(arr, c)? else { return Ok(Datum::Null) };
            let mut unknown = false;
            for v in &arr.items {
                work::charge(LIST_ITEM)?;
                let r = if d.is_null() || v.is_null() {
                    // Non-strict operators see NULLs; the usual ones answer NULL.
                    if op.strict { None } else { op.test(&d, v, c.env())? }
                } else {
                    op.test(&d, v, c.env())?
                };
                match r {
                    Some(b) if b != *all => return Ok(Datum::Bool(b)),
                    None => unknown = true,
                    _ => {}
                }
            }
            if unknown { Datum::Null } else { Datum::Bool(*all) }
        }
        Px::Array(v, elem) => {
            let mut items = Vec::with_capacity(v.len());
            for x in v {
                items.push(eval(x, c)?);
            }
            make_array(*elem, items)?
        }
        Px::Row(v) => {
            let mut out = Vec::with_capacity(v.len());
            for (x, t) in v {
                out.push((*t, eval(x, c)?));
            }
            Datum::record(out)?
        }
        Px::RowCmp(op, pairs) => row_cmp(*op, pairs, c)?,
        Px::Subscript(b) => {
            let Datum::Array(a) = eval(&b.0, c)? else { return Ok(Datum::Null) };
            let mut idx: SmallVec<[i64; 2]> = SmallVec::new();
            for x in &b.1 {
                match int_of(&eval(x, c)?) {
                    Some(i) => idx.push(i),
                    None => return Ok(Datum::Null),
                }
            }
            if idx.len() != a.dims.len() {
                return Ok(Datum::Null);
            }
            let mut pos = 0i64;
            for (i, (len, lower)) in idx.iter().zip(&a.dims) {
                let off = i - *lower as i64;
                if off < 0 || off >= *len as i64 {
                    return Ok(Datum::Null);
                }
                pos = pos * *len as i64 + off;
            }
            a.items.get(pos as usize).cloned().unwrap_or(Datum::Null)
        }
        Px::Field(x, i) => match eval(x, c)? {
            Datum::Record(f) => f.get(*i).map_or(Datum::Null, |(_, d)| d.clone()),
            _ => Datum::Null,
        },
        Px::Sub(i) => c.sub(*i)?,
    })
}

fn make_array(elem: Oid, items: Vec<Datum>) -> Result<Datum> {
    // ARRAY[ARRAY[..], ..] makes a higher dimension of equal sub-arrays.
    if let Some(Datum::Array(first)) = items.first()
        && first.elem == elem
    {
        let inner = first.dims.clone();
        let mut flat = Vec::new();
        for i in &items {
            match i {
                Datum::Array(a) if a.dims == inner => flat.extend(a.items.iter().cloned()),
                _ => bail!(
                    ARRAY_SUBSCRIPT_ERROR,
                    "multidimensional arrays must have array expressions with matching dimensions"
                ),
            }
        }
        let mut dims = vec![(items.len() as i32, 1)];
        dims.extend(inner);
        if flat.is_empty() {
            dims.clear();
        }
        admit_elements(&flat)?;
        return Ok(Datum::Array(Arc::new(Array { elem, dims, items: flat })));
    }
    admit_elements(&items)?;
    Ok(Datum::Array(Arc::new(Array::from_vec(elem, items))))
}

fn row_cmp<C: Cx + ?Sized>(op: CmpOp, pairs: &[Pair], c: &mut C) -> Result<Datum> {
    match op {
        CmpOp::Eq | CmpOp::Ne => {
            let mut unknown = false;
            for (a, b, eq, _) in pairs {
                let (x, y) = (eval(a, c)?, eval(b, c)?);
                let r = if x.is_null() || y.is_null() { None } else { eq.test(&x, &y, c.env())? };
                match r {
                    Some(false) => return Ok(Datum::Bool(op == CmpOp::Ne)),
                    None => unknown = true,
                    Some(true) => {}
                }
            }
            Ok(if unknown { Datum::Null } else { Datum::Bool(op == CmpOp::Eq) })
        }
        _ => {
            let last = pairs.len().saturating_sub(1);
            for (i, (a, b, eq, lt)) in pairs.iter().enumerate() {
                let (x, y) = (eval(a, c)?, eval(b, c)?);
                if x.is_null() || y.is_null() {
                    return Ok(Datum::Null);
                }
                let equal = eq.test(&x, &y, c.env())? == Some(true);
                if equal && i < last {
                    continue;
                }
                if equal {
                    return Ok(Datum::Bool(matches!(op, CmpOp::Le | CmpOp::Ge)));
                }
                let Some(lt) = lt else { return Err(Error::internal("row comparison without ordering")) };
                let less = lt.test(&x, &y, c.env())? == Some(true);
                return Ok(Datum::Bool(less == matches!(op, CmpOp::Lt | CmpOp::Le)));
            }
            Ok(Datum::Null)
        }
    }
}

fn cast(d: Datum, how: &CastPx, env: &mut dyn Env) -> Result<Datum> {
    if let CastPx::Domain(ty) = how {
        crate::domains::check(&d, *ty, env)?;
        return Ok(d);
    }
    if d.is_null() && !matches!(how, CastPx::Func { fun, .. } if !fun.strict) {
        return Ok(Datum::Null);
    }
    Ok(match how {
        CastPx::Relabel | CastPx::Domain(_) => d,
        CastPx::Row(fields) => match &d {
            Datum::Record(all) => Datum::record(fields.iter().filter_map(|f| all.get(*f).cloned()).collect())?,
            _ => d,
        },
        CastPx::Func { fun, arity, typmod, explicit } => match arity {
            1 => fun.call(&[d], env)?,
            2 => fun.call(&[d, Datum::Int4(*typmod)], env)?,
            _ => fun.call(&[d, Datum::Int4(*typmod), Datum::Bool(*explicit)], env)?,
        },
        CastPx::ViaText { from, to } => long::via_text(d, *from, *to, env)?,
        CastPx::Typmod { ty, explicit } => apply_typmod(d, *ty, *explicit)?,
        CastPx::Array { each, elem } => {
            let Datum::Array(a) = d else { return Ok(Datum::Null) };
            let mut items = Vec::with_capacity(a.items.len());
            for i in &a.items {
                items.push(cast(i.clone(), each, env)?);
            }
            Datum::Array(Arc::new(Array { elem: *elem, dims: a.dims.clone(), items }))
        }
    })
}

/// Length or precision coercion. An explicit cast truncates strings silently; an assignment only trailing blanks.
pub fn apply_typmod(d: Datum, ty: Type, explicit: bool) -> Result<Datum> {
    if ty.typmod < 0 {
        return Ok(d);
    }
    Ok(match (ty.oid, d) {
        (oid::VARCHAR | oid::BPCHAR, Datum::Text(s)) => {
            let max = (ty.typmod - 4).max(0) as usize;
            let pad = ty.oid == oid::BPCHAR;
            // Bytes bound characters from above: most values are settled without counting.
            if !pad && s.len() <= max {
                return Ok(Datum::Text(s));
            }
            let n = s.chars().count();
            if n > max {
                let cut = s.char_indices().nth(max).map_or(s.len(), |(i, _)| i);
                if !explicit && s[cut..].bytes().any(|b| b != b' ') {
                    let name = if pad { "character" } else { "character varying" };
                    bail!(STRING_DATA_RIGHT_TRUNCATION, "value too long for type {name}({max})");
                }
                Datum::Text(s[..cut].into())
            } else if pad && n < max {
                let mut v = String::with_capacity(s.len() + max - n);
                v.push_str(&s);
                v.extend(std::iter::repeat_n(' ', max - n));
                Datum::Text(v.into())
            } else {
                Datum::Text(s)
            }
        }
        (oid::NUMERIC, Datum::Numeric(n)) => Datum::Numeric(n.apply_typmod(ty.typmod)?),
        (oid::TIME, Datum::Time(v)) => Datum::Time(pamir_types::datetime::apply_time_typmod(v, ty.typmod)),
        (oid::TIMETZ, Datum::TimeTz(v, z)) => Datum::TimeTz(pamir_types::datetime::apply_time_typmod(v, ty.typmod), z),
        (oid::TIMESTAMP, Datum::Timestamp(v)) if v != i64::MAX && v != i64::MIN => {
            Datum::Timestamp(pamir_types::datetime::apply_time_typmod(v, ty.typmod))
        }
        (oid::TIMESTAMPTZ, Datum::TimestampTz(v)) if v != i64::MAX && v != i64::MIN => {
            Datum::TimestampTz(pamir_types::datetime::apply_time_typmod(v, ty.typmod))
        }
        (oid::BIT | oid::VARBIT, Datum::Bits(b)) => Arc::unwrap_or_clone(b).apply_typmod(ty, explicit)?.into(),
        (oid::INTERVAL, Datum::Interval(v)) => {
            Datum::Interval(pamir_types::datetime::apply_interval_typmod(v, ty.typmod)?)
        }
        // An array's is its elements'.
        (_, Datum::Array(a)) if ty.is_array() => {
            let elem = Type::with_mod(a.elem, ty.typmod);
            let mut items = Vec::with_capacity(a.items.len());
            for i in &a.items {
                items.push(apply_typmod(i.clone(), elem, explicit)?);
            }
            Datum::Array(Arc::new(Array { items, ..(*a).clone() }))
        }
        (_, d) => d,
    })
}

/// Total order of two datums of one type (NULL last): integers inline, bpchar without trailing blanks.
#[inline]
pub fn compare(a: &Datum, b: &Datum, ty: Type) -> Ordering {
    match (a, b) {
        (Datum::Int4(x), Datum::Int4(y)) => x.cmp(y),
        (Datum::Int8(x), Datum::Int8(y)) => x.cmp(y),
        (Datum::Text(x), Datum::Text(y)) => {
            if ty.oid == oid::BPCHAR {
                cmp::compare_bpchar(x, y)
            } else {
                x.as_bytes().cmp(y.as_bytes())
            }
        }
        _ => cmp::compare(a, b),
    }
}

/// Hash that agrees with [`compare`] == Equal.
#[inline]
pub fn hash(d: &Datum, ty: Type, h: &mut rustc_hash::FxHasher) {
    use std::hash::{Hash, Hasher};
    match d {
        Datum::Int4(v) => h.write_u64(*v as i64 as u64),
        Datum::Int8(v) => h.write_u64(*v as u64),
        Datum::Int2(v) => h.write_u64(*v as i64 as u64),
        Datum::Text(s) if ty.oid == oid::BPCHAR => s.trim_end_matches(' ').hash(h),
        Datum::Text(s) => (**s).hash(h),
        d => cmp::hash(d, h),
    }
}

/// Evaluates what [`compile_simple`] made.
pub fn eval_with(p: &Px, params: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    eval(p, &mut ParamCx { params, env })
}
/// Evaluates an expression without columns (EXECUTE's arguments, defaults, LIMIT).
pub fn eval_const(e: &Expr, params: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let p = compile_simple(e)?;
    eval(&p, &mut ParamCx { params, env })
}
