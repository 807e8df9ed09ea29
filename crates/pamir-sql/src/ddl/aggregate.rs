//! CREATE, ALTER and DROP of aggregates (aggregatecmds.c, pg_aggregate.c).
//!
//! An aggregate is a function of its own kind in the catalog, so that names, owners, schemas and privileges are [`super::routine`]'s; what it is beside
//! that stands in [`pamir_catalog::operator::Aggregate`]. Each function that it names is looked up here, once, and held against the state's type.
//!
//! Limits (0A000): states of type internal, whose functions are the server's own; hypothetical-set and VARIADIC aggregates.
use super::operator::{hold, is_binary_coercible, is_pseudo, may_execute, name_option, type_option};
use super::{DdlCtx, def, routine};
use pamir_catalog::Object;
use pamir_catalog::function::{Function, FunctionKind, Param};
use pamir_catalog::operator::{Aggregate, Machine};
use pamir_expr::func::FunctionRef;
use pamir_parse::tree::{AggregateArgs, At, DefElem, DefValue, Parameter, ParameterMode};
use pamir_plan::bind::{BindCtx, resolve_function};
use pamir_types::error::{Severity, state};
use pamir_types::text::{type_display, type_named};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

fn invalid(message: impl Into<String>) -> Error {
    Error::new(state::INVALID_FUNCTION_DEFINITION, message.into())
}

/// What the options say of one of the two ways to aggregate.
#[derive(Default)]
struct Way {
    step: Option<Vec<String>>,
    state: Option<Type>,
    space: i32,
    last: Option<Vec<String>>,
    extra: bool,
    modify: Option<u8>,
    initial: Option<String>,
}
#[derive(Default)]
struct Options {
    plain: Way,
    moving: Way,
    inverse: Option<Vec<String>>,
    combine: Option<Vec<String>>,
    serial: Option<Vec<String>>,
    deserial: Option<Vec<String>>,
    sort: Option<Vec<String>>,
    hypothetical: bool,
    /// Of the old form: the one argument, or none.
    base: Option<Option<Type>>,
    parallel: u8,
}
fn modify(d: &DefElem) -> Result<u8> {
    Ok(match def::string(d)?.as_str() {
        "read_only" => b'r',
        "shareable" => b's',
        "read_write" => b'w',
        _ => {
            let name = &d.name;
            bail!(SYNTAX_ERROR, "parameter \"{name}\" must be READ_ONLY, SHAREABLE, or READ_WRITE")
        }
    })
}
fn options(list: &[DefElem], cx: &mut DdlCtx) -> Result<Options> {
    let mut o = Options { parallel: b'u', ..Options::default() };
    for d in list {
        let (name, moving) = match d.name.as_str() {
            n @ ("msfunc" | "mstype" | "msspace" | "mfinalfunc" | "mfinalfunc_extra" | "mfinalfunc_modify"
            | "minitcond") => (&n[1..], true),
            n => (n, false),
        };
        let way = if moving { &mut o.moving } else { &mut o.plain };
        match name {
            "sfunc" | "sfunc1" => way.step = Some(name_option(d)?),
            "stype" | "stype1" => way.state = Some(type_option(d, cx)?.0),
            "sspace" => way.space = def::integer(d)?,
            "finalfunc" => way.last = Some(name_option(d)?),
            "finalfunc_extra" => way.extra = def::boolean(d)?,
            "finalfunc_modify" => way.modify = Some(modify(d)?),
            "initcond" | "initcond1" => way.initial = Some(def::string(d)?),
            "minvfunc" => o.inverse = Some(name_option(d)?),
            "combinefunc" => o.combine = Some(name_option(d)?),
            "serialfunc" => o.serial = Some(name_option(d)?),
            "deserialfunc" => o.deserial = Some(name_option(d)?),
            "sortop" => o.sort = Some(name_option(d)?),
            "hypothetical" => o.hypothetical = def::boolean(d)?,
            "basetype" => {
                let any = matches!(&d.value, Some(DefValue::String(s)) if s.eq_ignore_ascii_case("any"))
                    || matches!(&d.value, Some(DefValue::Type(t)) if matches!(t.parts.as_slice(), [n] if n.eq_ignore_ascii_case("any")));
                o.base = Some(if any { None } else { Some(type_option(d, cx)?.0) });
            }
            "parallel" => {
                o.parallel = match def::string(d)?.as_str() {
                    "safe" => b's',
                    "restricted" => b'r',
                    "unsafe" => b'u',
                    _ => bail!(SYNTAX_ERROR, "parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE"),
                }
            }
            other => {
                let m = format!("aggregate attribute \"{other}\" not recognized");
                cx.env.notice(Error::new(state::SYNTAX_ERROR, m).severity(Severity::Warning));
            }
        }
    }
    Ok(o)
}
/// What does not go together.
fn check(o: &Options) -> Result<()> {
    if o.plain.state.is_none() {
        return Err(invalid("aggregate stype must be specified"));
    }
    if o.plain.step.is_none() {
        return Err(invalid("aggregate sfunc must be specified"));
    }
    let m = &o.moving;
    if m.state.is_some() {
        if m.step.is_none() {
            return Err(invalid("aggregate msfunc must be specified when mstype is specified"));
        }
        if o.inverse.is_none() {
            return Err(invalid("aggregate minvfunc must be specified when mstype is specified"));
        }
        return Ok(());
    }
    let given = [
        (m.step.is_some(), "msfunc"),
        (o.inverse.is_some(), "minvfunc"),
        (m.last.is_some(), "mfinalfunc"),
        (m.space != 0, "msspace"),
        (m.initial.is_some(), "minitcond"),
    ];
    match given.iter().find(|g| g.0) {
        Some((_, name)) => Err(invalid(format!("aggregate {name} must not be specified without mstype"))),
        None => Ok(()),
    }
}
/// Of the polymorphic types one that a state can have: not ANY.
fn is_polymorphic(t: Oid) -> bool {
    t != oid::ANY && oid::is_polymorphic(t)
}
/// The state's type: none that is only a pseudo-type, but what the arguments say.
fn state_type(ty: Type, args: &[Oid], name: &str, cx: &DdlCtx) -> Result<Type> {
    if ty.oid == oid::INTERNAL && cx.user()?.superuser {
        return Err(Error::unsupported("aggregates whose state is of type internal"));
    }
    if is_pseudo(ty.oid) && !is_polymorphic(ty.oid) {
        return Err(invalid(format!("aggregate {name} cannot be {}", type_display(ty))));
    }
    if is_polymorphic(ty.oid) && !args.iter().any(|a| is_polymorphic(*a)) {
        let shown = type_display(ty);
        let m = "cannot determine transition data type";
        return Err(invalid(m).detail(format!(
            "A result of type {shown} requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange."
        )));
    }
    Ok(ty)
}
/// A function that takes these arguments as they are, and its result's type (lookup_agg_function).
fn function(name: &[String], types: &[Oid], cx: &mut DdlCtx) -> Result<(FunctionRef, Oid)> {
    let args = || types.iter().map(|t| type_named(*t)).collect::<Vec<_>>().join(", ");
    let shown = name.join(".");
    let (catalog, scope) = (cx.catalog.clone(), cx.scope());
    let mut b = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *cx.env, text: cx.text };
    let Some(r) = resolve_function(name, types, &mut b)? else {
        bail!(UNDEFINED_FUNCTION, "function {shown}({}) does not exist", args())
    };
    if r.f.body.is_set() {
        bail!(DATATYPE_MISMATCH, "function {shown}({}) returns a set", args());
    }
    let as_given = |(have, want): (&Oid, &Oid)| is_polymorphic(*want) || is_binary_coercible(*have, *want, cx);
    if !std::iter::zip(types, &r.args).all(as_given) {
        bail!(DATATYPE_MISMATCH, "function {shown}({}) requires run-time type coercion", args());
    }
    may_execute(&r.f, cx)?;
    Ok((r.f, r.ret))
}
/// What the aggregate is called with.
struct Inputs {
    all: Vec<Oid>,
    /// How many of an ordered set's are direct ones.
    direct: Option<usize>,
}
impl Inputs {
    /// The arguments of each step.
    fn stepped(&self) -> &[Oid] {
        &self.all[self.direct.unwrap_or(0)..]
    }
    /// The arguments of the last function, beside the state.
    fn last(&self, extra: bool) -> &[Oid] {
        match (extra, self.direct) {
            (true, _) => &self.all,
            (false, Some(n)) => &self.all[..n],
            (false, None) => &[],
        }
    }
}
/// One way to aggregate, its functions found; and what it gives.
fn machine(w: &Way, inputs: &Inputs, moving: bool, cx: &mut DdlCtx) -> Result<(Machine, Type)> {
    let (Some(step), Some(ty)) = (&w.step, w.state) else { return Err(Error::internal("no state")) };
    let what = if moving { "moving-aggregate transition data type" } else { "transition data type" };
    let state = state_type(ty, &inputs.all, what, cx)?;
    let types: Vec<Oid> = std::iter::once(state.oid).chain(inputs.stepped().iter().copied()).collect();
    let (f, ret) = function(step, &types, cx)?;
    let word = if moving { "moving-aggregate transition function" } else { "transition function" };
    if ret != state.oid {
        let shown = type_display(state);
        bail!(DATATYPE_MISMATCH, "return type of {word} {} is not {shown}", step.join("."));
    }
    if f.strict && w.initial.is_none() {
        let first = inputs.stepped().first();
        if !first.is_some_and(|a| is_polymorphic(*a) && *a == state.oid || is_binary_coercible(*a, state.oid, cx)) {
            let m = "must not omit initial value when transition function is strict and transition type is not compatible with input type";
            return Err(invalid(m));
        }
    }
    if let Some(text) = &w.initial
        && !is_pseudo(state.oid)
    {
        pamir_types::text::parse(text, state, cx.env.text_ctx()).map_err(|e| e.placed_at(None))?;
    }
    let (mut last, mut result) = (0, state);
    if let Some(name) = &w.last {
        let types: Vec<Oid> = std::iter::once(state.oid).chain(inputs.last(w.extra).iter().copied()).collect();
        let (g, ret) = function(name, &types, cx)?;
        if w.extra && g.strict {
            return Err(invalid("final function with extra arguments must not be declared STRICT"));
        }
        (last, result) = (g.oid, Type::new(ret));
    }
    let m = Machine {
        step: f.oid,
        state,
        space: w.space,
        last,
        extra: w.extra,
        modify: w.modify.unwrap_or(if inputs.direct.is_some() { b'w' } else { b'r' }),
        initial: w.initial.clone(),
    };
    Ok((m, result))
}
fn same_result(name: &[String], types: &[Oid], wanted: Type, word: &str, cx: &mut DdlCtx) -> Result<FunctionRef> {
    let (f, ret) = function(name, types, cx)?;
    if ret != wanted.oid {
        let shown = type_display(wanted);
        bail!(DATATYPE_MISMATCH, "return type of {word} function {} is not {shown}", name.join("."));
    }
    Ok(f)
}
/// The operator that sorts the input: min's and max's.
fn sort_operator(name: &[String], inputs: &Inputs, cx: &mut DdlCtx) -> Result<Oid> {
    let [one] = inputs.all.as_slice() else {
        return Err(invalid("sort operator can only be specified for single-argument aggregates"));
    };
    let (schema, symbol) = cx.split(name)?;
    let scope = cx.scope();
    let found =
        pamir_expr::func::lookup::find::<pamir_expr::func::Operator>(cx.catalog, &scope, schema.as_deref(), &symbol);
    match found.iter().find(|o| o.left == *one && o.right == *one) {
        Some(o) => Ok(o.oid),
        None if is_polymorphic(*one) => Err(Error::unsupported("SORTOP of polymorphic aggregates")),
        None => {
            let t = type_named(*one);
            bail!(UNDEFINED_FUNCTION, "operator does not exist: {t} {symbol} {t}")
        }
    }
}
/// The arguments' parameters.
fn parameters(args: Option<&AggregateArgs>, o: &Options, cx: &mut DdlCtx) -> Result<(Vec<Param>, Option<usize>)> {
    let Some(a) = args else {
        let Some(base) = o.base else { return Err(invalid("aggregate input type must be specified")) };
        let param = |ty| Param {
            name: String::new(),
            mode: pamir_catalog::function::ParamMode::In,
            ty,
            row_of: 0,
            default: None,
        };
        return Ok((base.into_iter().map(param).collect(), None));
    };
    if o.base.is_some() {
        return Err(invalid("basetype is redundant with aggregate input type specification"));
    }
    let list: Vec<Parameter> = a.direct.iter().chain(a.ordered.iter().flatten()).cloned().collect();
    if list.iter().any(|p| p.mode == ParameterMode::Variadic) {
        return Err(Error::unsupported("VARIADIC aggregates"));
    }
    Ok((routine::parameters(&list, &[], cx)?, a.ordered.as_ref().map(|_| a.direct.len())))
}

pub fn create(
    replace: bool,
    name: &[String],
    args: Option<&AggregateArgs>,
    definition: &[DefElem],
    _: At,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (schema, name) = cx.creation_name(name)?;
    let o = options(definition, cx)?;
    check(&o)?;
    let (params, direct) = parameters(args, &o, cx)?;
    if o.hypothetical {
        return match direct {
            Some(_) => Err(Error::unsupported("hypothetical-set aggregates of users")),
            None => Err(invalid("only ordered-set aggregates can be hypothetical")),
        };
    }
    let inputs = Inputs { all: params.iter().map(|p| p.ty.oid).collect(), direct };
    if let Some(p) = params.iter().find(|p| is_pseudo(p.ty.oid) && !is_polymorphic(p.ty.oid) && p.ty.oid != oid::ANY) {
        return Err(invalid(format!("aggregates cannot accept pseudo-type {}", type_display(p.ty))));
    }
    let (plain, ret) = machine(&o.plain, &inputs, false, cx)?;
    if is_polymorphic(ret.oid) && !inputs.all.iter().any(|t| is_polymorphic(*t)) {
        return Err(Error::new(state::DATATYPE_MISMATCH, "cannot determine result data type"));
    }
    let moving = match o.moving.state {
        None => None,
        Some(_) => {
            let (m, moved) = machine(&o.moving, &inputs, true, cx)?;
            if moved.oid != ret.oid {
                let (a, b) = (type_display(moved), type_display(ret));
                let m = "moving-aggregate implementation returns type {a}, but plain implementation returns type {b}";
                return Err(invalid(m.replace("{a}", &a).replace("{b}", &b)));
            }
            Some(m)
        }
    };
    let inverse = match (&o.inverse, &moving) {
        (Some(n), Some(m)) => {
            let types: Vec<Oid> = std::iter::once(m.state.oid).chain(inputs.stepped().iter().copied()).collect();
            let f = same_result(n, &types, m.state, "inverse transition", cx)?;
            let step = pamir_expr::func::lookup::by_oid::<pamir_expr::func::Function>(cx.catalog, m.step);
            if step.is_some_and(|s| s.strict != f.strict) {
                return Err(invalid("strictness of aggregate's forward and inverse transition functions must match"));
            }
            f.oid
        }
        _ => 0,
    };
    let state = plain.state;
    let combine = match &o.combine {
        Some(n) => same_result(n, &[state.oid, state.oid], state, "combine", cx)?.oid,
        None => 0,
    };
    if o.serial.is_some() || o.deserial.is_some() {
        let m = "serialization functions may be specified only when the aggregate transition data type is {}";
        return Err(invalid(m.replace("{}", "internal")));
    }
    let sort_operator = match &o.sort {
        Some(n) => sort_operator(n, &inputs, cx)?,
        None => 0,
    };
    let kind = if direct.is_some() { b'o' } else { b'n' };
    let direct = direct.unwrap_or(0) as u16;
    let (serial, deserial) = (0, 0);
    let aggregate = Aggregate { kind, direct, plain, moving, inverse, combine, serial, deserial, sort_operator };
    let f = blank(schema, name, params, ret, o.parallel, aggregate, cx)?;
    let f = match routine::taken(&f, cx)? {
        None => f,
        Some(old) => replaced(&old, f, replace, cx)?,
    };
    hold(&f.depends(), cx)?;
    cx.put(Object::Function(Arc::new(f)))?;
    Ok("CREATE AGGREGATE")
}
fn blank(
    schema: Oid,
    name: String,
    params: Vec<Param>,
    ret: Type,
    parallel: u8,
    a: Aggregate,
    cx: &mut DdlCtx,
) -> Result<Function> {
    Ok(Function {
        oid: cx.new_oid()?,
        database: cx.database(),
        schema,
        name,
        owner: cx.user()?.oid,
        kind: FunctionKind::Aggregate,
        language: "internal".into(),
        params,
        ret,
        ret_row_of: 0,
        set: false,
        body: "aggregate_dummy".into(),
        sql_body: false,
        strict: false,
        security_definer: false,
        leakproof: false,
        volatility: b'i',
        parallel,
        cost: 1.0,
        rows: 0.0,
        settings: Vec::new(),
        comment: None,
        more: pamir_catalog::function::More { aggregate: Some(a), ..Default::default() },
        cache: Default::default(),
    })
}
fn replaced(old: &Function, new: Function, replace: bool, cx: &mut DdlCtx) -> Result<Function> {
    let kind = |f: &Function| f.more.aggregate.as_ref().map(|a| (a.kind, a.direct));
    if replace
        && let (Some((was, before)), Some((is, now))) = (kind(old), kind(&new))
        && (was, before) != (is, now)
    {
        let words = if was == b'o' { "an ordered-set aggregate" } else { "an ordinary aggregate function" };
        let e = err!(WRONG_OBJECT_TYPE, "cannot change routine kind");
        return Err(e.detail(format!("\"{}\" is {words}.", old.name)));
    }
    routine::replaced(old, new, replace, cx)
}
