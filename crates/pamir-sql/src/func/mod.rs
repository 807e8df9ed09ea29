//! Functions, operators, casts and aggregates (skeleton: the public shape).
//!
//! One table of [`Function`]s in the manner of pg_proc, one of operators (pg_operator), of casts (pg_cast) and of aggregates.
use crate::env::Env;
use pamir_types::{Datum, Oid, Result, Type};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Volatility { Immutable, Stable, Volatile }

/// What an evaluation knows of its call site.
pub struct CallInfo<'a> { pub arg_types: &'a [Type], pub ret: Type }

pub type Eval = fn(&CallInfo, &[Datum], &mut dyn Env) -> Result<Datum>;
/// A set-returning function pushes its rows (one Vec per row).
pub type EvalSet = fn(&CallInfo, &[Datum], &mut dyn Env, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()>;

#[derive(Clone, Copy)]
pub enum Body { Scalar(Eval), Set(EvalSet) }

/// One overload. Polymorphic argument and result types (anyelement, anyarray, any, anycompatible...) are resolved by the binder.
pub struct Function {
    pub oid: Oid,
    pub name: &'static str,
    pub args: &'static [Oid],
    /// The last of `args` repeats (its OID is the element type).
    pub variadic: bool,
    /// How many trailing arguments may be left out (the evaluator sees fewer datums).
    pub optional: usize,
    pub ret: Oid,
    /// Column names and types of a record-returning set function.
    pub out: &'static [(&'static str, Oid)],
    /// NULL in, NULL out, without a call.
    pub strict: bool,
    pub volatility: Volatility,
    pub body: Body,
}
impl std::fmt::Debug for Function { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}({:?})", self.name, self.args) } }

/// An operator: its name, operand types (left 0 for prefix) and function.
pub struct Operator { pub oid: Oid, pub name: &'static str, pub left: Oid, pub right: Oid, pub ret: Oid, pub f: &'static Function, pub commutator: Option<&'static str>, pub negator: Option<&'static str> }

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CastContext { Implicit, Assignment, Explicit }
/// `f` None: binary coercible. A cast function with two arguments takes the typmod second.
pub struct CastRule { pub from: Oid, pub to: Oid, pub context: CastContext, pub how: CastRuleHow }
#[derive(Clone, Copy)]
pub enum CastRuleHow { Relabel, Func(&'static Function), ViaText }

/// An aggregate's state, one per group. `update` sees the argument values (a strict aggregate never sees NULLs).
pub trait AggState: Send { 
    fn update(&mut self, args: &[Datum], env: &mut dyn Env) -> Result<()>;
    fn finish(&mut self, env: &mut dyn Env) -> Result<Datum>;
    /// Bytes held, for the memory account.
    fn size(&self) -> usize { 64 }
}
pub struct Aggregate { pub oid: Oid, pub name: &'static str, pub args: &'static [Oid], pub ret: Oid, pub strict: bool, /// min/max: the optimizer may read one end of an index: Some(true) = min
    pub extreme: Option<bool>, pub new: fn(&CallInfo) -> Box<dyn AggState> }
impl std::fmt::Debug for Aggregate { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}({:?})", self.name, self.args) } }

/// All overloads of a function name.
#[allow(unused_variables)]
pub fn functions(name: &str) -> &'static [&'static Function] { todo!() }
#[allow(unused_variables)]
pub fn operators(name: &str) -> &'static [&'static Operator] { todo!() }
#[allow(unused_variables)]
pub fn aggregates(name: &str) -> &'static [&'static Aggregate] { todo!() }
#[allow(unused_variables)]
pub fn cast(from: Oid, to: Oid) -> Option<&'static CastRule> { todo!() }
pub fn all_functions() -> &'static [Function] { todo!() }
pub fn all_operators() -> &'static [Operator] { todo!() }
pub fn all_aggregates() -> &'static [Aggregate] { todo!() }
pub fn all_casts() -> &'static [CastRule] { todo!() }
/// Equality and less-than of one type (the default B-tree operators); None when it has none.
#[allow(unused_variables)]
pub fn equality(ty: Oid) -> Option<&'static Function> { todo!() }
#[allow(unused_variables)]
pub fn less_than(ty: Oid) -> Option<&'static Function> { todo!() }
/// Type category and preferred flag (pg_type.typcategory / typispreferred), for overload resolution.
#[allow(unused_variables)]
pub fn type_category(ty: Oid) -> (char, bool) { todo!() }
/// Resolves a SQL type name as written (`int`, `character varying`, `timestamptz`, `double precision`) to its OID.
#[allow(unused_variables)]
pub fn type_by_name(name: &str) -> Option<Oid> { todo!() }
