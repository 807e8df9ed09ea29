//! How rows of [`super::tables`] become functions: each pg_proc row names the C function that implements it in PostgreSQL (`prosrc`);
//! the topical modules list their evaluators under the same names, and the registry joins the two once, on first use.
//!
//! ```text
//! tables::PROCS (oid, name, prosrc, types, flags) --+
//!                                                   +-- by prosrc --> &'static [Function] --> hash by name, hash by oid
//! arith::FUNCS, string::FUNCS ... (prosrc, Body) ---+
//! ```
//! A row without an evaluator stays resolvable and answers 0A000 with its name when called, so overload resolution is PostgreSQL's own.
//! Pamir's additions (CURRENT_DATE as a function, casts that PostgreSQL does by relabelling but that change our representation) have
//! OIDs from [`OWN_OIDS`] on, which PostgreSQL leaves unused.
use super::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

pub const STRICT: u8 = 1;
pub const SET: u8 = 2;
pub const VARIADIC: u8 = 4;
pub const STABLE: u8 = 8;
pub const VOLATILE: u8 = 16;
/// First OID of functions that PostgreSQL does not have.
pub const OWN_OIDS: Oid = 9000;

pub struct ProcRow {
    pub oid: Oid,
    pub name: &'static str,
    pub src: &'static str,
    pub args: &'static [Oid],
    pub ret: Oid,
    pub flags: u8,
    pub optional: usize,
    pub out: &'static [(&'static str, Oid)],
    missing: (Eval, EvalSet),
}
/// (oid, name, left, right, result, function, commutator, negator)
pub type OpRow = (Oid, &'static str, Oid, Oid, Oid, Oid, &'static str, &'static str);
/// (source, target, function or 0, context, method)
pub type CastRow = (Oid, Oid, Oid, char, char);
/// (oid, name, arguments, result)
pub type AggRow = (Oid, &'static str, &'static [Oid], Oid);

#[allow(clippy::too_many_arguments)]
pub const fn proc<const OID: Oid>(
    name: &'static str,
    src: &'static str,
    args: &'static [Oid],
    ret: Oid,
    flags: u8,
    optional: usize,
    out: &'static [(&'static str, Oid)],
) -> ProcRow {
    ProcRow { oid: OID, name, src, args, ret, flags, optional, out, missing: (missing::<OID>, missing_set::<OID>) }
}
fn missing_error(oid: Oid) -> pamir_types::Error {
    match function_by_oid(oid) {
        Some(f) => pamir_types::Error::unsupported(format!("function {}", signature(f))),
        None => pamir_types::Error::unsupported(format!("function {}", super::extension::name_of(oid))),
    }
}
pub(super) fn missing<const OID: Oid>(_: &CallInfo, _: &[Datum], _: &mut dyn Env) -> Result<Datum> {
    Err(missing_error(OID))
}
fn missing_set<const OID: Oid>(
    _: &CallInfo,
    _: &[Datum],
    _: &mut dyn Env,
    _: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    Err(missing_error(OID))
}
/// `name(integer, text)`
pub fn signature(f: &Function) -> String {
    let args: Vec<String> = f.args.iter().map(|a| pamir_types::text::type_named(*a)).collect();
    format!("{}({})", f.name, args.join(", "))
}

/// What one topical module contributes: evaluators by PostgreSQL's C name.
pub type FuncList = &'static [(&'static str, Body)];

/// A function of Pamir's own: OID, then as in pg_proc.
pub struct OwnRow {
    pub oid: Oid,
    pub name: &'static str,
    pub args: &'static [Oid],
    pub ret: Oid,
    pub flags: u8,
    pub body: Body,
}

fn volatility(flags: u8) -> Volatility {
    match flags {
        f if f & VOLATILE != 0 => Volatility::Volatile,
        f if f & STABLE != 0 => Volatility::Stable,
        _ => Volatility::Immutable,
    }
}

pub struct Registry {
    pub functions: &'static [Function],
    pub operators: &'static [Operator],
    pub casts: &'static [CastRule],
    pub aggregates: &'static [Aggregate],
    by_oid: FxHashMap<Oid, &'static Function>,
    spread: FxHashMap<Oid, &'static Function>,
    fn_names: FxHashMap<&'static str, Vec<&'static Function>>,
    op_names: FxHashMap<&'static str, Vec<&'static Operator>>,
    agg_names: FxHashMap<&'static str, Vec<&'static Aggregate>>,
    cast_pairs: FxHashMap<(Oid, Oid), &'static CastRule>,
    orderings: FxHashMap<Oid, (&'static Function, &'static Function)>,
    categories: FxHashMap<Oid, (char, bool)>,
    type_names: FxHashMap<String, Oid>,
}

fn named(out: &[(&'static str, Oid)]) -> Vec<(Name, Oid)> {
    out.iter().map(|(n, t)| ((*n).into(), *t)).collect()
}

/// The function of a row; one without an evaluator says so when it is called.
pub fn make(p: &ProcRow, schema: Oid, body: Option<Body>) -> Function {
    let body = match body {
        Some(b) => b,
        None if p.flags & SET != 0 => Body::set(p.missing.1),
        None => Body::scalar(p.missing.0),
    };
    Function {
        oid: p.oid,
        schema,
        variadic: p.flags & VARIADIC != 0,
        optional: p.optional,
        out: named(p.out),
        spread: false,
        // What repeats is an array to PostgreSQL: NULLs in it are this function's to refuse.
        strict: p.flags & STRICT != 0 && p.src != "multirange_constructor2",
        volatility: volatility(p.flags),
        ..Function::new(p.name, p.args, p.ret, body)
    }
}

fn leak<T>(v: Vec<T>) -> &'static [T] {
    Vec::leak(v)
}

/// Built once and never freed: a handle of what it has is a `&'static` reference into it.
pub fn get() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(build)
}

fn build() -> Registry {
    let mut bodies: FxHashMap<&'static str, Body> = FxHashMap::default();
    for list in super::BODIES {
        for (name, body) in *list {
            bodies.insert(name, body.clone());
        }
    }
    let mut functions = Vec::with_capacity(tables::PROCS.len() + 64);
    functions.extend(tables::PROCS.iter().map(|p| make(p, PG_CATALOG, bodies.get(p.src).cloned())));
    for list in super::OWN {
        for o in *list {
            functions.push(Function {
                oid: o.oid,
                schema: if o.name.starts_with("_pg_") {
                    pamir_catalog::well_known::INFORMATION_SCHEMA
                } else {
                    PG_CATALOG
                },
                variadic: o.flags & VARIADIC != 0,
                out: named(super::srf::own_columns(o.oid)),
                strict: o.flags & STRICT != 0,
                volatility: volatility(o.flags),
                ..Function::new(o.name, o.args, o.ret, o.body.clone())
            });
        }
    }
    let known: FxHashSet<Oid> = functions.iter().map(|f| f.oid).collect();
    functions.extend(super::io::for_registry().into_iter().filter(|f| !known.contains(&f.oid)));
    let functions = leak(functions);
    let extensions: &'static [Function] = leak(super::extension::for_registry());
    let spread: FxHashMap<Oid, &'static Function> = super::variadic::forms(functions);
    let by_oid: FxHashMap<Oid, &'static Function> = functions.iter().chain(extensions).map(|f| (f.oid, f)).collect();
    let mut fn_names: FxHashMap<&'static str, Vec<&'static Function>> = FxHashMap::default();
    for f in functions {
        fn_names.entry(&f.name).or_default().push(f);
    }
    let some = |s: &'static str| if s.is_empty() { None } else { Some(s.into()) };
    let operators = leak(
        tables::OPERATORS
            .iter()
            .filter_map(|&(oid, name, left, right, ret, f, com, neg)| {
                let (f, name) = ((*by_oid.get(&f)?).into(), name.into());
                let (commutator, negator) = (some(com), some(neg));
                Some(Operator { oid, schema: PG_CATALOG, name, left, right, ret, f, commutator, negator })
            })
            .collect(),
    );
    let mut op_names: FxHashMap<&'static str, Vec<&'static Operator>> = FxHashMap::default();
    for o in operators {
        op_names.entry(&o.name).or_default().push(o);
    }
    let casts = leak(casts::build(&by_oid));
    let cast_pairs = casts.iter().map(|c| ((c.from, c.to), c)).collect();
    let aggregates = leak(
        tables::AGGREGATES
            .iter()
            .map(|&(oid, name, args, ret)| {
                let (strict, state) = aggregate::constructor(name, args);
                let state = Code::Plain(state);
                let extreme = match name {
                    "min" => Some(true),
                    "max" => Some(false),
                    _ => None,
                };
                let (schema, name, args) = (PG_CATALOG, name.into(), args.into());
                Aggregate { oid, schema, name, args, ret, strict, extreme, ordered: None, hypothetical: false, state }
            })
            .collect(),
    );
    let mut agg_names: FxHashMap<&'static str, Vec<&'static Aggregate>> = FxHashMap::default();
    for a in aggregates {
        agg_names.entry(&a.name).or_default().push(a);
    }
    let classes: FxHashMap<Oid, (&'static Function, &'static Function)> = tables::ORDERINGS
        .iter()
        .chain(super::extension::classes())
        .filter_map(|(t, eq, lt)| Some((*t, (*by_oid.get(eq)?, *by_oid.get(lt)?))))
        .collect();
    // Every type, arrays included, gets the entry of the class it uses.
    let orderings = pamir_types::oid::TYPES
        .iter()
        .chain(pamir_types::oid::EXTENSION_TYPES)
        .flat_map(|(t, array, _)| [*t, *array])
        .filter_map(|t| Some((t, *classes.get(&types::ordering_type(t))?)))
        .collect();
    let extension_types = pamir_types::oid::EXTENSION_TYPES.iter().flat_map(|(t, array, _)| {
        let own = if *t == pamir_types::oid::CITEXT { 'S' } else { 'U' };
        [(*t, (own, false)), (*array, ('A', false))]
    });
    let categories = tables::CATEGORIES.iter().map(|(t, c, p)| (*t, (*c, *p))).chain(extension_types).collect();
    Registry {
        functions,
        operators,
        casts,
        aggregates,
        by_oid,
        spread,
        fn_names,
        op_names,
        agg_names,
        cast_pairs,
        orderings,
        categories,
        type_names: types::names(),
    }
}

impl Registry {
    pub fn functions_named(&'static self, name: &str) -> &'static [&'static Function] {
        self.fn_names.get(name).map_or(&[], |v| v)
    }
    pub fn operators_named(&'static self, name: &str) -> &'static [&'static Operator] {
        self.op_names.get(name).map_or(&[], |v| v)
    }
    pub fn aggregates_named(&'static self, name: &str) -> &'static [&'static Aggregate] {
        self.agg_names.get(name).map_or(&[], |v| v)
    }
    pub fn cast(&self, from: Oid, to: Oid) -> Option<&'static CastRule> {
        self.cast_pairs.get(&(from, to)).copied()
    }
    pub fn function(&self, oid: Oid) -> Option<&'static Function> {
        self.by_oid.get(&oid).copied()
    }
    pub fn spread(&self, oid: Oid) -> Option<&'static Function> {
        self.spread.get(&oid).copied()
    }
    /// The equality and less-than functions of a type's default B-tree operator class.
    pub fn ordering(&self, ty: Oid) -> Option<(&'static Function, &'static Function)> {
        let ty = if pamir_types::oid::is_user(ty) { types::ordering_type(ty) } else { ty };
        self.orderings.get(&ty).copied()
    }
    pub fn category(&self, ty: Oid) -> (char, bool) {
        use pamir_types::oid::{UserClass, user_class};
        match user_class(ty) {
            Some(UserClass::Enum) => return ('E', false),
            Some(UserClass::Composite | UserClass::Row) => return ('C', false),
            Some(UserClass::Range | UserClass::Multirange) => return ('R', false),
            _ => {}
        }
        self.categories.get(&ty).copied().unwrap_or(('U', false))
    }
    pub fn type_named(&self, name: &str) -> Option<Oid> {
        self.type_names.get(name).copied()
    }
}

/// True when the type (already reduced by `types::ordering_type`) has a default B-tree operator class.
pub fn has_class(ty: Oid) -> bool {
    ty == pamir_types::oid::ANYARRAY
        || tables::ORDERINGS.iter().any(|o| o.0 == ty)
        || super::extension::classes().any(|o| o.0 == ty)
}

/// An evaluator met datums that are not of its argument types: the caller's fault, reported rather than assumed away.
#[cold]
#[inline(never)]
pub fn bad_args(name: &str, args: &[Datum]) -> pamir_types::Error {
    pamir_types::Error::internal(format!("function {name} was called with unexpected arguments {args:?}"))
}

/// Declares a module's evaluators, named as PostgreSQL's C functions.
///
/// `NAME (a: Int4, b: Int4) -> value;` for those that cannot fail (anything `Into<Datum>`), `=> result;` for `Result<Datum>`;
/// `(ci env; a: Text)` for those that use their call site or the session; `NAME raw = path;` for plain functions over
/// `(&CallInfo, &[Datum], &mut dyn Env)`; `NAME set = path;` for set-returning ones, `NAME series = path;` for those of [`super::series`].
macro_rules! funcs {
    ($vis:vis $table:ident { $($n:ident $args:tt $arrow:tt $e:expr;)* }) => {
        $vis static $table: $crate::func::registry::FuncList = &[$((stringify!($n), $crate::func::registry::func_body!($n $args $arrow $e)),)*];
    };
}
macro_rules! func_body {
    ($n:ident raw = $e:expr) => { $crate::func::Body::scalar($e) };
    ($n:ident set = $e:expr) => { $crate::func::Body::set($e) };
    ($n:ident series = $e:expr) => { $crate::func::Body::series($e) };
    ($n:ident ($($v:ident : $t:ident),*) -> $e:expr) => {
        $crate::func::Body::scalar(|_, args, _| match args {
            [$(Datum::$t($v)),*] => Ok(Datum::from($e)), _ => Err($crate::func::registry::bad_args(stringify!($n), args)) })
    };
    ($n:ident ($($v:ident : $t:ident),*) => $e:expr) => {
        $crate::func::Body::scalar(|_, args, _| match args {
            [$(Datum::$t($v)),*] => $e, _ => Err($crate::func::registry::bad_args(stringify!($n), args)) })
    };
    ($n:ident ($ci:ident $env:ident; $($v:ident : $t:ident),*) -> $e:expr) => {
        $crate::func::Body::scalar(|$ci, args, $env| { let _ = ($ci, &$env); match args {
            [$(Datum::$t($v)),*] => Ok(Datum::from($e)), _ => Err($crate::func::registry::bad_args(stringify!($n), args)) } })
    };
    ($n:ident ($ci:ident $env:ident; $($v:ident : $t:ident),*) => $e:expr) => {
        $crate::func::Body::scalar(|$ci, args, $env| { let _ = ($ci, &$env); match args {
            [$(Datum::$t($v)),*] => $e, _ => Err($crate::func::registry::bad_args(stringify!($n), args)) } })
    };
}
pub(crate) use {func_body, funcs};
