//! Functions, operators, casts and aggregates: what expressions are made of.
//!
//! One table of [`Function`]s in the manner of pg_proc, one of operators (pg_operator), of casts (pg_cast) and of aggregates
//! (pg_aggregate), with PostgreSQL 15's names, OIDs, argument types, strictness and volatility. `tables` holds the rows (generated from a
//! server), the topical modules hold the evaluators, [`registry`] joins the two on first use; every look-up after that is one hash probe.
//! Users' functions are held by the catalog's snapshot; [`lookup`] finds both. Who keeps one keeps a [`Handle`]: the registry's for ever, a
//! user's for as long as a plan has it.
//!
//! - [`arith`] int, float and numeric arithmetic; [`math`] the functions over them. [`compare`] comparison operators of every type.
//! - [`string`] text and bytea, [`like`] LIKE, [`regexp`] regular expressions. [`datetime`], [`format`] (to_char, to_number, to_date).
//! - [`json`], [`array`], [`range`], [`geometry`], [`tsearch`], [`tsearch_json`], [`bit`], [`octets`], [`network`], [`series`] and [`srf`] (set-returning). [`system`] sessions, settings, sequences, sizes; [`catalog_info`] pg_get_*def and friends.
//! - [`xml`] xml, its grammar's functions and XPath.
//! - [`casts`] conversions, [`reg`] the reg* types' names. [`aggregate`] aggregates. [`types`] names and categories of types.
//!
//! Invariants: an evaluator is given datums of its declared argument types (the binder casts), one per argument, variadic ones flattened; a
//! strict one never sees a NULL. The hot ones (integer, text and boolean comparison and arithmetic) do not allocate. No evaluator panics: what a
//! user can cause is an [`pamir_types::Error`] with PostgreSQL's SQLSTATE and words. A pg_proc row without an evaluator answers 0A000.
use crate::env::Env;
use crate::ir::Expr;
use pamir_catalog::well_known::PG_CATALOG;
use pamir_types::{Datum, Oid, Result, Type, work};
use std::borrow::Cow;
use std::sync::Arc;

pub mod addresses;
mod aggregate;
pub mod arith;
pub mod array;
pub mod array_set;
mod bit;
pub mod casts;
pub mod catalog_info;
mod cluster;
mod compare;
mod crypt;
mod crypto;
mod datetime;
pub mod enums;
pub mod extension;
mod format;
mod format_date;
mod format_read;
mod geometry;
mod handle;
pub(crate) mod hashing;
pub mod info_schema;
mod io;
mod json;
pub mod json_record;
pub mod jsonpath;
mod large_object;
pub mod like;
pub mod lookup;
mod math;
mod money;
mod network;
mod octets;
pub mod ordered_set;
mod outcome;
mod partitions;
pub mod privilege;
mod range;
pub mod reg;
mod regexp;
pub mod registry;
pub mod rowtype;
pub mod sample;
pub mod series;
pub mod srf;
pub mod stored;
pub mod string;
pub mod system;
pub mod user_aggregate;
#[rustfmt::skip]
mod tables;
pub mod stats;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod tsearch;
mod tsearch_json;
mod types;
mod uuids;
mod variadic;
mod xid_snapshot;
pub mod xml;

pub use handle::Handle;
pub use lookup::Found;
pub use registry::signature;
pub use types::element_type;

/// Every module's evaluators.
static BODIES: &[registry::FuncList] = &[
    aggregate::FUNCS,
    arith::FUNCS,
    array::FUNCS,
    bit::FUNCS,
    casts::FUNCS,
    addresses::FUNCS,
    catalog_info::FUNCS,
    compare::FUNCS,
    datetime::FUNCS,
    enums::FUNCS,
    format::FUNCS,
    format_date::FUNCS,
    format_read::FUNCS,
    geometry::FUNCS,
    hashing::FUNCS,
    json::FUNCS,
    json_record::FUNCS,
    jsonpath::FUNCS,
    large_object::FUNCS,
    like::FUNCS,
    math::FUNCS,
    money::FUNCS,
    network::FUNCS,
    octets::FUNCS,
    range::FUNCS,
    reg::FUNCS,
    regexp::FUNCS,
    series::FUNCS,
    srf::FUNCS,
    string::FUNCS,
    system::FUNCS,
    tsearch::FUNCS,
    tsearch_json::FUNCS,
    xid_snapshot::FUNCS,
    xml::FUNCS,
];
/// Functions PostgreSQL does not have.
static OWN: &[&[registry::OwnRow]] = &[
    casts::OWN,
    datetime::OWN,
    system::OWN,
    privilege::OWN,
    array::OWN,
    array_set::OWN,
    srf::OWN,
    sample::OWN,
    stats::OWN,
    outcome::OWN,
    crypto::OWN,
    cluster::OWN,
    extension::OWN,
    uuids::OWN,
    geometry::OWN,
    info_schema::OWN,
    xml::OWN,
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Volatility {
    Immutable,
    Stable,
    Volatile,
}

/// What an evaluation knows of its call site.
pub struct CallInfo<'a> {
    pub arg_types: &'a [Type],
    pub ret: Type,
}

pub type Eval = fn(&CallInfo, &[Datum], &mut dyn Env) -> Result<Datum>;
/// A set-returning function pushes its rows (one Vec per row).
pub type EvalSet = fn(&CallInfo, &[Datum], &mut dyn Env, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()>;
/// One that makes its rows as they are asked for.
pub type EvalSeries = fn(&CallInfo, &[Datum], &mut dyn Env) -> Result<Box<dyn series::Series>>;

/// The same as closures, which hold what a user's function is made of.
pub type ScalarFn = dyn Fn(&CallInfo, &[Datum], &mut dyn Env) -> Result<Datum> + Send + Sync;
pub type SetFn =
    dyn Fn(&CallInfo, &[Datum], &mut dyn Env, &mut dyn FnMut(Vec<Datum>) -> Result<()>) -> Result<()> + Send + Sync;
pub type SeriesFn = dyn Fn(&CallInfo, &[Datum], &mut dyn Env) -> Result<Box<dyn series::Series>> + Send + Sync;

/// What computes a function: a plain one of the server's, or a closure.
pub enum Code<F, C: ?Sized> {
    Plain(F),
    Closure(Arc<C>),
}
impl<F: Copy, C: ?Sized> Clone for Code<F, C> {
    fn clone(&self) -> Self {
        match self {
            Code::Plain(f) => Code::Plain(*f),
            Code::Closure(c) => Code::Closure(c.clone()),
        }
    }
}
pub type Scalar = Code<Eval, ScalarFn>;
impl Scalar {
    #[inline]
    pub fn call(&self, ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
        match self {
            Code::Plain(f) => f(ci, args, env),
            Code::Closure(f) => f(ci, args, env),
        }
    }
}
impl Code<EvalSet, SetFn> {
    pub fn call(
        &self,
        ci: &CallInfo,
        args: &[Datum],
        env: &mut dyn Env,
        push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
    ) -> Result<()> {
        match self {
            Code::Plain(f) => f(ci, args, env, push),
            Code::Closure(f) => f(ci, args, env, push),
        }
    }
}
impl Code<EvalSeries, SeriesFn> {
    pub fn call(&self, ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Box<dyn series::Series>> {
        match self {
            Code::Plain(f) => f(ci, args, env),
            Code::Closure(f) => f(ci, args, env),
        }
    }
}

#[derive(Clone)]
pub enum Body {
    Scalar(Scalar),
    Set(Code<EvalSet, SetFn>),
    Series(Code<EvalSeries, SeriesFn>),
}
impl Body {
    pub const fn scalar(f: Eval) -> Body {
        Body::Scalar(Code::Plain(f))
    }
    pub const fn set(f: EvalSet) -> Body {
        Body::Set(Code::Plain(f))
    }
    pub const fn series(f: EvalSeries) -> Body {
        Body::Series(Code::Plain(f))
    }
    /// Does it return a set?
    pub fn is_set(&self) -> bool {
        !matches!(self, Body::Scalar(_))
    }
}

pub type FunctionRef = Handle<Function>;
pub type OperatorRef = Handle<Operator>;
pub type AggregateRef = Handle<Aggregate>;
/// The server's names are part of it, users' are owned.
pub type Name = Cow<'static, str>;

/// One overload. Polymorphic argument and result types (anyelement, anyarray, any, anycompatible...) are resolved by the binder.
#[derive(Clone)]
pub struct Function {
    pub oid: Oid,
    /// pg_catalog for the server's own.
    pub schema: Oid,
    pub name: Name,
    pub args: Cow<'static, [Oid]>,
    /// What the arguments are called by `name => value`: of a user's function; empty: they have no names.
    pub arg_names: Vec<Name>,
    /// The last of `args` repeats (its OID is the element type).
    pub variadic: bool,
    /// How many trailing arguments may be left out (the evaluator sees fewer datums).
    pub optional: usize,
    /// What the last arguments are where they are left out: of a user's function, whose evaluator sees all of them. As many as `optional`, or none.
    pub defaults: Vec<Expr>,
    /// The same as texts, of a function that the catalog stores; as many as `optional`.
    pub default_texts: Vec<pamir_catalog::SqlText>,
    /// CALL runs it, and nothing else.
    pub procedure: bool,
    /// The table whose rows it returns; 0: none.
    pub row_of: Oid,
    pub ret: Oid,
    /// Names and types of OUT columns: of a record-returning set function, or the one name of a scalar one (json_array_elements: `value`).
    pub out: Vec<(Name, Oid)>,
    /// The last argument is an array of what [`Self::variadic`] repeats: `f(a, VARIADIC b)`.
    pub spread: bool,
    /// NULL in, NULL out, without a call.
    pub strict: bool,
    pub volatility: Volatility,
    pub body: Body,
}
impl Function {
    /// A user's function to be registered: not strict, volatile, without a place and an OID, which registering gives it.
    pub fn new(name: impl Into<Name>, args: impl Into<Cow<'static, [Oid]>>, ret: Oid, body: Body) -> Function {
        Function {
            oid: 0,
            schema: 0,
            name: name.into(),
            args: args.into(),
            arg_names: Vec::new(),
            variadic: false,
            optional: 0,
            defaults: Vec::new(),
            default_texts: Vec::new(),
            procedure: false,
            row_of: 0,
            ret,
            out: Vec::new(),
            spread: false,
            strict: false,
            volatility: Volatility::Volatile,
            body,
        }
    }
    /// The types of its arguments as pg_proc has them: of VARIADIC ones that of the array.
    pub fn declared_args(&self) -> Vec<Oid> {
        let mut args = self.args.to_vec();
        if let Some(last) = args.last_mut().filter(|_| self.variadic) {
            *last = pamir_types::oid::array_of(*last).unwrap_or(*last);
        }
        args
    }
    /// The name by which the server itself knows a function of its own; a user's has none.
    #[inline]
    pub fn own_name(&self) -> &str {
        if self.schema == PG_CATALOG { &self.name } else { "" }
    }
    /// May a call change or lock something, or need a transaction that can? What a user's does is not known, unless it says that it is not volatile.
    pub fn has_effects(&self) -> bool {
        match self.own_name() {
            "" => self.volatility == Volatility::Volatile,
            "nextval" | "setval" | "txid_current" | "pg_current_xact_id" => true,
            // Numbers and what is known of them are the leader's.
            "txid_current_snapshot" | "pg_current_snapshot" => true,
            "txid_current_if_assigned" | "pg_current_xact_id_if_assigned" => true,
            name => name.contains("advisory") || name.starts_with("lo_") || matches!(name, "loread" | "lowrite"),
        }
    }
}
/// Expressions that are printed alike are taken for one: a name and arguments say what the server's own function is, an OID what a user's is.
impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.schema != PG_CATALOG {
            write!(f, "{}:", self.oid)?;
        }
        write!(f, "{}({:?})", self.name, self.args)
    }
}

/// An operator: its name, operand types (left 0 for prefix) and function.
pub struct Operator {
    pub oid: Oid,
    /// As [`Function::schema`].
    pub schema: Oid,
    pub name: Name,
    pub left: Oid,
    pub right: Oid,
    pub ret: Oid,
    /// A user's operator has its function to itself, so that it tells what was written.
    pub f: FunctionRef,
    pub commutator: Option<Name>,
    pub negator: Option<Name>,
}
impl Operator {
    /// A user's operator to be registered; `left` 0: a prefix.
    pub fn new(name: impl Into<Name>, left: Oid, right: Oid, f: FunctionRef) -> Operator {
        Operator { oid: 0, schema: 0, name: name.into(), left, right, ret: f.ret, f, commutator: None, negator: None }
    }
}
impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({}, {})", self.name, self.left, self.right)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CastContext {
    Implicit,
    Assignment,
    Explicit,
}
/// One conversion. A cast function with two or three arguments takes the typmod second and "is explicit" third.
pub struct CastRule {
    pub from: Oid,
    pub to: Oid,
    pub context: CastContext,
    pub how: CastRuleHow,
}
#[derive(Clone, Copy)]
pub enum CastRuleHow {
    Relabel,
    Func(&'static Function),
    ViaText,
}

/// An aggregate's state, one per group. `update` sees the argument values (a strict aggregate never sees NULLs).
pub trait AggState: Send {
    fn update(&mut self, args: &[Datum], env: &mut dyn Env) -> Result<()>;
    /// As many updates without arguments.
    fn repeat(&mut self, n: u64, env: &mut dyn Env) -> Result<()> {
        for _ in 0..n {
            work::charge(work::CALL as usize)?;
            self.update(&[], env)?;
        }
        Ok(())
    }
    /// The result. Called once: it may take the state apart.
    fn finish(&mut self, env: &mut dyn Env) -> Result<Datum>;
    /// The result so far, after which the state goes on (window frames).
    fn current(&mut self, env: &mut dyn Env) -> Result<Datum> {
        self.finish(env)
    }
    /// Undoes the oldest update (a frame's first row left); false: cannot, the state is as it was.
    fn remove(&mut self, _args: &[Datum]) -> Result<bool> {
        Ok(false)
    }
    /// Bytes held, for the memory account.
    fn size(&self) -> usize {
        64
    }
}
/// What makes the state of a group: of the server's own aggregates, and of users'.
pub type OwnState = fn(&CallInfo) -> Box<dyn AggState>;
pub type StateFn = dyn Fn(&CallInfo) -> Box<dyn AggState> + Send + Sync;
pub struct Aggregate {
    pub oid: Oid,
    /// As [`Function::schema`].
    pub schema: Oid,
    pub name: Name,
    pub args: Cow<'static, [Oid]>,
    pub ret: Oid,
    pub strict: bool,
    /// min/max: the optimizer may read one end of an index: Some(true) = min
    pub extreme: Option<bool>,
    /// Of a user's ordered-set aggregate: how many of `args` are direct ones.
    pub ordered: Option<usize>,
    /// ... and what is compared with the rows as one of them.
    pub hypothetical: bool,
    pub state: Code<OwnState, StateFn>,
}
impl Aggregate {
    /// A user's aggregate to be registered: not strict. Over a window's frame its states are asked for results ([`AggState::current`]) and go on.
    pub fn new(
        name: impl Into<Name>,
        args: impl Into<Cow<'static, [Oid]>>,
        ret: Oid,
        state: impl Fn(&CallInfo) -> Box<dyn AggState> + Send + Sync + 'static,
    ) -> Aggregate {
        let state: Arc<StateFn> = Arc::new(state);
        let state = Code::Closure(state);
        Aggregate {
            oid: 0,
            schema: 0,
            name: name.into(),
            args: args.into(),
            ret,
            strict: false,
            extreme: None,
            ordered: None,
            hypothetical: false,
            state,
        }
    }
    /// The state of a group that begins.
    pub fn begin(&self, ci: &CallInfo) -> Box<dyn AggState> {
        match &self.state {
            Code::Plain(f) => f(ci),
            Code::Closure(f) => f(ci),
        }
    }
    /// May its state grow with its input, and its result depend on the input's order? Nothing is known of a user's.
    pub fn collects(&self) -> bool {
        self.schema != PG_CATALOG || self.name.ends_with("_agg")
    }
}
impl std::fmt::Debug for Aggregate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({:?})", self.name, self.args)
    }
}

/// All overloads of a name that the server has; [`lookup`] finds users' too.
pub fn functions(name: &str) -> &'static [&'static Function] {
    registry::get().functions_named(name)
}
pub fn operators(name: &str) -> &'static [&'static Operator] {
    registry::get().operators_named(name)
}
pub fn aggregates(name: &str) -> &'static [&'static Aggregate] {
    registry::get().aggregates_named(name)
}
/// The rule that converts between two different types, whatever its context.
pub fn cast(from: Oid, to: Oid) -> Option<&'static CastRule> {
    registry::get().cast(from, to)
}
/// The length coercion of `ty` to a typmod: a function of (value, typmod) or (value, typmod, explicit).
pub fn length_coercion(ty: Oid) -> Option<&'static CastRule> {
    registry::get().cast(ty, ty)
}
pub fn function_by_oid(oid: Oid) -> Option<&'static Function> {
    registry::get().function(oid)
}
/// The form of a variadic function that takes an array for what repeats.
pub fn spread(f: &FunctionRef) -> Option<FunctionRef> {
    match f {
        Handle::Own(f) => registry::get().spread(f.oid).map(Handle::Own),
        Handle::Users(_) => variadic::form_of(f),
    }
}
pub use aggregate::stack_arrays;
pub fn all_functions() -> &'static [Function] {
    registry::get().functions
}
pub fn all_operators() -> &'static [Operator] {
    registry::get().operators
}
pub fn all_aggregates() -> &'static [Aggregate] {
    registry::get().aggregates
}
pub fn all_casts() -> &'static [CastRule] {
    registry::get().casts
}
/// Equality and less-than of one type (the default B-tree operators); None when it has none.
pub fn equality(ty: Oid) -> Option<&'static Function> {
    registry::get().ordering(ty).map(|o| o.0)
}
pub fn less_than(ty: Oid) -> Option<&'static Function> {
    registry::get().ordering(ty).map(|o| o.1)
}
/// Type category and preferred flag (pg_type.typcategory / typispreferred), for overload resolution.
pub fn type_category(ty: Oid) -> (char, bool) {
    registry::get().category(ty)
}
/// Whether PostgreSQL has a function of this name that is not there yet: 0A000 then, not "does not exist".
pub fn lacks_function(name: &str) -> bool {
    include_str!("missing.txt").lines().any(|l| l == name)
}
/// Resolves a SQL type name as written (`int`, `character varying`, `timestamptz`, `double precision`) to its OID.
pub fn type_by_name(name: &str) -> Option<Oid> {
    types::by_name(name)
}
