//! CREATE, ALTER and DROP of operators and casts (operatorcmds.c, pg_operator.c; CreateCast of functioncmds.c).
//!
//! An operator is a name for a function with its operands' types; a cast says how values of one type become those of another, and whether that is done unasked.
//!
//! Limits: a commutator or negator that is not there is kept by its name, not as an operator that is only a shell; planners do not ask for hints.
use super::cx::shown_name;
use super::dependents::signature;
use super::{DdlCtx, def, fall};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::operator::{Cast, CastContext, CastHow, Operator};
use pamir_catalog::system::internal;
use pamir_catalog::{Kind, Object};
use pamir_expr::func::{self, Function, FunctionRef, lookup};
use pamir_parse::tree::{self, DefElem, DefValue, Drop, DropBehavior, OperatorName, OperatorRef, RoutineRef, TypeName};
use pamir_plan::bind::bind_type;
use pamir_txn::RowLock;
use pamir_types::error::{Severity, state};
use pamir_types::text::{type_display, type_named};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

/// The letters of an operator's name.
const SYMBOLS: &str = "+-*/<>=~!@#%^&|`?";
fn written(n: &OperatorName) -> Vec<String> {
    n.schema.iter().cloned().chain([n.symbol.as_str().to_string()]).collect()
}
/// A function with exactly these arguments.
pub fn exact_function(name: &[String], types: &[Oid], cx: &mut DdlCtx) -> Result<FunctionRef> {
    let (schema, own) = cx.split(name)?;
    let scope = cx.scope();
    let found = lookup::find::<Function>(cx.catalog, &scope, schema.as_deref(), &own);
    match found.iter().find(|f| f.args.as_ref() == types && !f.variadic && !f.procedure) {
        Some(f) => Ok(f),
        None => {
            let args: Vec<String> = types.iter().map(|t| type_named(*t)).collect();
            Err(err!(UNDEFINED_FUNCTION, "function {}({}) does not exist", shown_name(name), args.join(", ")))
        }
    }
}
/// 42501 unless the user may execute it.
pub fn may_execute(f: &Function, cx: &DdlCtx) -> Result<()> {
    let Some(stored) = cx.catalog.function(f.oid) else { return Ok(()) };
    let who = cx.who()?;
    let (kind, privilege) = (pamir_catalog::acl::ObjectKind::Function, pamir_catalog::acl::EXECUTE);
    if who.superuser || who.on(cx.catalog, kind, stored.oid, stored.owner, privilege, false) != 0 {
        return Ok(());
    }
    bail!(INSUFFICIENT_PRIVILEGE, "permission denied for function {}", stored.name)
}
/// The type that an option says.
pub fn type_option(d: &DefElem, cx: &DdlCtx) -> Result<(Type, bool)> {
    let of = |parts: Vec<String>| TypeName { parts, ..blank_type(d) };
    let t = match &d.value {
        Some(DefValue::Type(t)) => t.clone(),
        Some(DefValue::String(s)) => of(vec![s.clone()]),
        Some(_) => bail!(SYNTAX_ERROR, "argument of {} must be a type name", d.name),
        None => bail!(SYNTAX_ERROR, "{} requires a parameter", d.name),
    };
    let ty = bind_type(&t, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, t.at))?;
    Ok((ty.base(), t.setof))
}
fn blank_type(d: &DefElem) -> TypeName {
    TypeName {
        parts: Vec::new(),
        setof: false,
        array: Vec::new(),
        of_column: false,
        modifiers: Vec::new(),
        fields: None,
        at: d.at,
    }
}
/// The name that an option says (defGetQualifiedName).
pub fn name_option(d: &DefElem) -> Result<Vec<String>> {
    match &d.value {
        Some(DefValue::Type(t)) => Ok(t.parts.clone()),
        Some(DefValue::String(s)) => Ok(vec![s.clone()]),
        Some(DefValue::Operator(parts)) => Ok(parts.clone()),
        Some(_) => bail!(SYNTAX_ERROR, "argument of {} must be a name", d.name),
        None => bail!(SYNTAX_ERROR, "{} requires a parameter", d.name),
    }
}
fn warning(cx: &mut DdlCtx, code: pamir_types::SqlState, message: String) {
    cx.env.notice(Error::new(code, message).severity(Severity::Warning));
}
fn invalid(message: &str) -> Error {
    Error::new(state::INVALID_FUNCTION_DEFINITION, message.to_string())
}

/// What the options say.
#[derive(Default)]
struct Options {
    left: Option<Oid>,
    right: Option<Oid>,
    function: Option<Vec<String>>,
    commutator: Option<Vec<String>>,
    negator: Option<Vec<String>>,
    restrict: Option<Vec<String>>,
    join: Option<Vec<String>>,
    hashes: bool,
    merges: bool,
}
fn options(list: &[DefElem], cx: &mut DdlCtx) -> Result<Options> {
    let mut o = Options::default();
    for d in list {
        match d.name.as_str() {
            "leftarg" | "rightarg" => {
                let (ty, setof) = type_option(d, cx)?;
                if setof {
                    return Err(invalid("SETOF type not allowed for operator argument"));
                }
                let side = if d.name == "leftarg" { &mut o.left } else { &mut o.right };
                *side = Some(ty.oid);
            }
            "function" | "procedure" => o.function = Some(name_option(d)?),
            "commutator" => o.commutator = Some(name_option(d)?),
            "negator" => o.negator = Some(name_option(d)?),
            "restrict" => o.restrict = Some(name_option(d)?),
            "join" => o.join = Some(name_option(d)?),
            "hashes" => o.hashes = def::boolean(d)?,
            "merges" => o.merges = def::boolean(d)?,
            "sort1" | "sort2" | "ltcmp" | "gtcmp" => o.merges = true,
            other => warning(cx, state::SYNTAX_ERROR, format!("operator attribute \"{other}\" not recognized")),
        }
    }
    Ok(o)
}
fn estimator(name: &Option<Vec<String>>, join: bool, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    let Some(n) = name else { return Ok(None) };
    let own = n.last().map_or("", String::as_str);
    let five = [oid::INTERNAL, oid::OID, oid::INTERNAL, oid::INT2, oid::INTERNAL];
    let four = [oid::INTERNAL, oid::OID, oid::INTERNAL, oid::INT4];
    let args: &[Oid] = if join { &five } else { &four };
    if let Some(e) = internal::named(own).find(|f| f.args == args) {
        return Ok(Some(e.oid));
    }
    exact_function(n, args, cx).map(|f| Some(f.oid))
}
/// A name of another operator, with the schema that it is in, or would be.
fn other(name: &Option<Vec<String>>, here: Oid, cx: &DdlCtx) -> Result<Option<(Oid, String)>> {
    let Some(n) = name else { return Ok(None) };
    let (schema, own) = cx.split(n)?;
    let schema = match schema {
        None => here,
        Some(s) => match cx.catalog.schema_by_name(cx.database(), &s) {
            Some(s) => s.oid,
            None => bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist"),
        },
    };
    Ok(Some((schema, own)))
}

pub fn create(name: &OperatorName, definition: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let (schema, symbol) = cx.creation_name(&written(name))?;
    let o = options(definition, cx)?;
    let Some(function) = &o.function else { return Err(invalid("operator function must be specified")) };
    let Some(right) = o.right else {
        return Err(match o.left {
            None => invalid("operator argument types must be specified"),
            Some(_) => {
                invalid("operator right argument type must be specified").detail("Postfix operators are not supported.")
            }
        });
    };
    let left = o.left.unwrap_or(0);
    let types: Vec<Oid> = o.left.into_iter().chain([right]).collect();
    let f = exact_function(function, &types, cx)?;
    may_execute(&f, cx)?;
    if symbol.is_empty() || !symbol.chars().all(|c| SYMBOLS.contains(c)) {
        bail!(INVALID_NAME, "\"{symbol}\" is not a valid operator name");
    }
    let (restrict, join) = (estimator(&o.restrict, false, cx)?, estimator(&o.join, true, cx)?);
    let only = |is: bool, which: &str, what: &str| -> Result<()> {
        if is { Err(invalid(&format!("only {which} operators can {what}"))) } else { Ok(()) }
    };
    if left == 0 {
        only(o.commutator.is_some(), "binary", "have commutators")?;
        only(join.is_some(), "binary", "have join selectivity")?;
        only(o.merges, "binary", "merge join")?;
        only(o.hashes, "binary", "hash")?;
    }
    let negator = other(&o.negator, schema, cx)?;
    if negator.as_ref().is_some_and(|n| n.0 == schema && n.1 == symbol) {
        return Err(invalid("operator cannot be its own negator"));
    }
    if f.ret != oid::BOOL {
        only(o.negator.is_some(), "boolean", "have negators")?;
        only(restrict.is_some(), "boolean", "have restriction selectivity")?;
        only(join.is_some(), "boolean", "have join selectivity")?;
        only(o.merges, "boolean", "merge join")?;
        only(o.hashes, "boolean", "hash")?;
    }
    let commutator = other(&o.commutator, schema, cx)?;
    let made = Operator {
        oid: cx.new_oid()?,
        database: cx.database(),
        schema,
        name: symbol,
        owner: cx.user()?.oid,
        left,
        right,
        ret: f.ret,
        function: f.oid,
        commutator,
        negator,
        restrict,
        join,
        hashes: o.hashes,
        merges: o.merges,
        comment: None,
        cache: Default::default(),
    };
    hold(&made.depends(), cx)?;
    cx.put(Object::Operator(Arc::new(made)))?;
    Ok("CREATE OPERATOR")
}
/// Keeps what is named from being dropped meanwhile.
pub fn hold(list: &[ObjectRef], cx: &mut DdlCtx) -> Result<()> {
    for o in list {
        let kind = match o.class {
            Class::Function => Kind::Function,
            Class::Operator => Kind::Operator,
            Class::Type => Kind::Type,
            Class::TsConfig => Kind::TsConfig,
            Class::TsDictionary => Kind::TsDictionary,
            _ => continue,
        };
        let there = cx.catalog.object(kind, o.oid).is_some();
        if there && cx.lock_object(kind, o.oid, RowLock::KeyShare)?.is_none() {
            bail!(UNDEFINED_OBJECT, "an object that the definition names was dropped");
        }
    }
    Ok(())
}

/// The operator that a statement names, among users'. Err: what it would mean does not exist.
fn find(r: &OperatorRef, cx: &mut DdlCtx) -> Result<std::result::Result<Arc<Operator>, Error>> {
    let parts = written(&r.name);
    let (schema, symbol) = cx.split(&parts)?;
    let side = |t: &Option<TypeName>| match t {
        None => Ok(0),
        Some(t) => bind_type(t, cx.catalog, cx.env.scope()).map(|t| t.oid).map_err(|e| cx.place(e, t.at)),
    };
    let (left, right) = (side(&r.left)?, side(&r.right)?);
    let shown = shown_name(&parts);
    let absent = match (left, right) {
        (_, 0) => {
            let e = err!(SYNTAX_ERROR, "postfix operators are not supported");
            return Err(cx.place(e, r.at));
        }
        (0, r) => format!("{shown} {}", type_named(r)),
        (l, r) => format!("{} {shown} {}", type_named(l), type_named(r)),
    };
    let scope = cx.scope();
    let found = lookup::find::<func::Operator>(cx.catalog, &scope, schema.as_deref(), &symbol);
    let Some(o) = found.iter().find(|o| o.left == left && o.right == right) else {
        return Ok(Err(err!(UNDEFINED_FUNCTION, "operator does not exist: {absent}")));
    };
    match cx.catalog.operator(o.oid) {
        Some(o) => Ok(Ok(o.clone())),
        None => Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop operator {shown}({},{}) because it is required by the database system",
            if left == 0 { "NONE".into() } else { type_named(left) },
            type_named(right)
        )),
    }
}
pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut found: Vec<Arc<Operator>> = Vec::new();
    for o in &d.objects {
        let tree::Object::Operator(r) = o else { return Err(Error::internal("an operator was expected")) };
        match find(r, cx) {
            Ok(Ok(o)) => {
                cx.check_dropper(o.owner, o.schema, "operator", &o.name)?;
                found.push(o);
            }
            Ok(Err(_)) if d.if_exists => {
                let m = format!("operator {} does not exist, skipping", shown_name(&written(&r.name)));
                cx.notice(state::SUCCESSFUL_COMPLETION, m);
            }
            Ok(Err(e)) => return Err(e),
            Err(e) if d.if_exists && e.code() == state::UNDEFINED_OBJECT => {
                cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            }
            Err(e) => return Err(e),
        }
    }
    let roots: Vec<ObjectRef> = found.iter().map(|o| ObjectRef::new(Class::Operator, o.oid)).collect();
    fall::drop(&roots, d.behavior == DropBehavior::Cascade, false, cx)?;
    Ok("DROP OPERATOR")
}
fn open(r: &OperatorRef, cx: &mut DdlCtx) -> Result<Operator> {
    let o = find(r, cx)??;
    cx.check_owner(o.owner, "operator", &o.name)?;
    match cx.lock_object(Kind::Operator, o.oid, RowLock::Update)? {
        Some(Object::Operator(o)) => Ok((*o).clone()),
        _ => bail!(UNDEFINED_FUNCTION, "operator does not exist: {}", o.name),
    }
}
fn put(o: Operator, cx: &mut DdlCtx) -> Result<()> {
    cx.put(Object::Operator(Arc::new(o)))
}
pub fn set_owner(r: &OperatorRef, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(r, cx)?;
    if o.owner != owner {
        cx.check_new_owner(owner, Some(o.schema))?;
        put(Operator { owner, ..o }, cx)?;
    }
    Ok("ALTER OPERATOR")
}
pub fn set_schema(r: &OperatorRef, schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(r, cx)?;
    let Some(to) = cx.catalog.schema_by_name(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    if to == o.schema {
        return Ok("ALTER OPERATOR");
    }
    cx.use_schema(to, &o.name)?;
    let used = super::web::Web::default().edges(ObjectRef::new(Class::Operator, o.oid), cx)?;
    if !used.is_empty() {
        return Err(Error::unsupported("another schema for an operator that views or expressions use"));
    }
    let made = Operator { schema: to, ..o };
    let same = |x: &&Arc<Operator>| x.schema == to && x.unique_name() == made.unique_name();
    if cx.catalog.operators(cx.database()).iter().any(same) {
        bail!(DUPLICATE_FUNCTION, "operator {} already exists in schema \"{schema}\"", signature(&made, cx));
    }
    put(made, cx)?;
    Ok("ALTER OPERATOR")
}
pub fn comment(r: &OperatorRef, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let o = open(r, cx)?;
    put(Operator { comment: text, ..o }, cx)
}

// ---- casts ----

fn wrong(message: impl Into<String>) -> Error {
    Error::new(state::INVALID_OBJECT_DEFINITION, message.into())
}
fn side(t: &TypeName, which: &str, cx: &DdlCtx) -> Result<Type> {
    let ty = bind_type(t, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, t.at))?;
    if is_pseudo(ty.oid) {
        bail!(WRONG_OBJECT_TYPE, "{which} data type {} is a pseudo-type", type_display(ty.base()));
    }
    Ok(ty.base())
}
pub fn is_pseudo(t: Oid) -> bool {
    matches!(
        t,
        oid::RECORD
            | oid::CSTRING
            | oid::ANY
            | oid::ANYARRAY
            | oid::VOID
            | oid::TRIGGER
            | oid::INTERNAL
            | oid::INDEX_AM_HANDLER
            | oid::TABLE_AM_HANDLER
            | oid::ANYELEMENT
            | oid::ANYNONARRAY
            | oid::ANYENUM
            | oid::ANYRANGE
            | oid::ANYMULTIRANGE
            | oid::ANYCOMPATIBLE
            | oid::ANYCOMPATIBLEARRAY
            | oid::UNKNOWN
    )
}
/// Is a value of `from` one of `to` as it is (IsBinaryCoercible)?
pub fn is_binary_coercible(from: Oid, to: Oid, cx: &DdlCtx) -> bool {
    let from = cx.catalog.base_type(Type::new(from)).oid;
    if from == to || to == oid::ANY || to == oid::ANYELEMENT || to == oid::ANYCOMPATIBLE {
        return true;
    }
    if matches!(to, oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY) {
        return oid::element_of(from).is_some();
    }
    if to == oid::RECORD && oid::is_composite(from) {
        return true;
    }
    let ways = pamir_expr::casts::Ways { catalog: cx.catalog, database: cx.database() };
    let found = func::cast(from, to).is_some() || cx.catalog.cast(cx.database(), from, to).is_some();
    let how = ways.pathway(from, to, func::CastContext::Implicit);
    found && matches!(how, Some(pamir_expr::ir::CastHow::Relabel))
}
fn cast_function(r: &RoutineRef, from: Type, to: Type, cx: &mut DdlCtx) -> Result<FunctionRef> {
    let (schema, name) = cx.split(&r.name)?;
    let scope = cx.scope();
    let found = lookup::find::<Function>(cx.catalog, &scope, schema.as_deref(), &name);
    let f = match &r.args {
        None => {
            let mut all = found.iter();
            match (all.next(), all.next()) {
                (Some(f), None) => f,
                (None, _) => bail!(UNDEFINED_FUNCTION, "could not find a function named \"{}\"", shown_name(&r.name)),
                _ => {
                    return Err(err!(AMBIGUOUS_FUNCTION, "function name \"{}\" is not unique", shown_name(&r.name))
                        .hint("Specify the argument list to select the function unambiguously."));
                }
            }
        }
        Some(args) => {
            let mut types = Vec::with_capacity(args.len());
            for p in args {
                let ty = bind_type(&p.ty, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, p.ty.at))?;
                types.push(ty.oid);
            }
            exact_function(&r.name, &types, cx)?
        }
    };
    may_execute(&f, cx)?;
    let n = f.args.len();
    if !(1..=3).contains(&n) {
        return Err(wrong("cast function must take one to three arguments"));
    }
    if !is_binary_coercible(from.oid, f.args[0], cx) {
        return Err(wrong("argument of cast function must match or be binary-coercible from source data type"));
    }
    if n > 1 && f.args[1] != oid::INT4 {
        return Err(wrong(format!("second argument of cast function must be type {}", "integer")));
    }
    if n > 2 && f.args[2] != oid::BOOL {
        return Err(wrong(format!("third argument of cast function must be type {}", "boolean")));
    }
    if !is_binary_coercible(f.ret, to.oid, cx) {
        return Err(wrong("return data type of cast function must match or be binary-coercible to target data type"));
    }
    if f.procedure {
        return Err(wrong("cast function must be a normal function"));
    }
    if f.body.is_set() {
        return Err(wrong("cast function must not return a set"));
    }
    if from.oid == to.oid && n < 2 {
        return Err(wrong("source data type and target data type are the same"));
    }
    Ok(f)
}
/// WITHOUT FUNCTION: may one be taken for the other?
fn check_binary(from: Type, to: Type, cx: &DdlCtx) -> Result<()> {
    if !cx.user()?.superuser {
        bail!(INSUFFICIENT_PRIVILEGE, "must be superuser to create a cast WITHOUT FUNCTION");
    }
    // Length and alignment, as PostgreSQL stores them.
    let physical = |t: Oid| match t {
        t if oid::is_enum(t) => (4, b'i'),
        t if oid::is_composite(t) => (-1, b'd'),
        t => {
            let l = pamir_catalog::system::types::layout(cx.catalog.base_type(Type::new(t)).oid);
            (l.len, l.align)
        }
    };
    if physical(from.oid) != physical(to.oid) {
        return Err(wrong("source and target data types are not physically compatible"));
    }
    let any = |is: &dyn Fn(Oid) -> bool| is(from.oid) || is(to.oid);
    if any(&oid::is_composite) {
        return Err(wrong("composite data types are not binary-compatible"));
    }
    if any(&oid::is_enum) {
        return Err(wrong("enum data types are not binary-compatible"));
    }
    if any(&|t| oid::element_of(t).is_some()) {
        return Err(wrong("array data types are not binary-compatible"));
    }
    if any(&oid::is_domain) {
        return Err(wrong("domain data types must not be marked binary-compatible"));
    }
    if from.oid == to.oid {
        return Err(wrong("source data type and target data type are the same"));
    }
    let text = |t: Oid| matches!(t, oid::TEXT | oid::VARCHAR | oid::BPCHAR);
    if text(from.oid) && text(to.oid) {
        return Ok(());
    }
    Err(Error::unsupported("CREATE CAST WITHOUT FUNCTION between these types"))
}
pub fn create_cast(
    from: &TypeName,
    to: &TypeName,
    function: Option<&RoutineRef>,
    inout: bool,
    context: tree::CastContext,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (source, target) = (side(from, "source", cx)?, side(to, "target", cx)?);
    check_type_owners(source, target, cx)?;
    for (t, which) in [(source, "source"), (target, "target")] {
        if oid::is_domain(t.oid) {
            let m = format!("cast will be ignored because the {which} data type is a domain");
            warning(cx, state::WRONG_OBJECT_TYPE, m);
            break;
        }
    }
    let how = match function {
        Some(r) => CastHow::Function(cast_function(r, source, target, cx)?.oid),
        None if inout => {
            if source.oid == target.oid {
                return Err(wrong("source data type and target data type are the same"));
            }
            CastHow::InOut
        }
        None => {
            check_binary(source, target, cx)?;
            CastHow::Binary
        }
    };
    let there = func::cast(source.oid, target.oid).is_some()
        || cx.catalog.cast(cx.database(), source.oid, target.oid).is_some();
    if there {
        bail!(
            DUPLICATE_OBJECT,
            "cast from type {} to type {} already exists",
            type_display(source),
            type_display(target)
        );
    }
    let context = match context {
        tree::CastContext::Explicit => CastContext::Explicit,
        tree::CastContext::Assignment => CastContext::Assignment,
        tree::CastContext::Implicit => CastContext::Implicit,
    };
    let (oid, database) = (cx.new_oid()?, cx.database());
    let c = Cast { oid, database, from: source.oid, to: target.oid, how, context, comment: None };
    hold(&c.depends(), cx)?;
    cx.put(Object::Cast(Arc::new(c)))?;
    Ok("CREATE CAST")
}
fn check_type_owners(from: Type, to: Type, cx: &DdlCtx) -> Result<()> {
    let who = cx.who()?;
    let owns = |t: Type| match cx.catalog.user_type(t.oid) {
        Some(u) => who.has_role(u.owner),
        None => false,
    };
    if who.superuser || owns(from) || owns(to) {
        return Ok(());
    }
    let (from, to) = (type_display(from), type_display(to));
    bail!(INSUFFICIENT_PRIVILEGE, "must be owner of type {from} or type {to}")
}
fn find_cast(from: &TypeName, to: &TypeName, cx: &DdlCtx) -> Result<std::result::Result<Arc<Cast>, Error>> {
    let of = |t: &TypeName| bind_type(t, cx.catalog, cx.env.scope()).map_err(|e| cx.place(e, t.at));
    let (from, to) = (of(from)?.base(), of(to)?.base());
    let (f, t) = (type_display(from), type_display(to));
    match cx.catalog.cast(cx.database(), from.oid, to.oid) {
        Some(c) => {
            check_type_owners(from, to, cx)?;
            Ok(Ok(c.clone()))
        }
        None if func::cast(from.oid, to.oid).is_some() => Err(err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop cast from {f} to {t} because it is required by the database system"
        )),
        None => Ok(Err(err!(UNDEFINED_OBJECT, "cast from type {f} to type {t} does not exist"))),
    }
}
pub fn drop_cast(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut roots = Vec::new();
    for o in &d.objects {
        let tree::Object::Cast(from, to) = o else { return Err(Error::internal("a cast was expected")) };
        match find_cast(from, to, cx) {
            Ok(Ok(c)) => roots.push(ObjectRef { class: Class::Cast, oid: c.oid, sub: 0 }),
            Ok(Err(_)) if d.if_exists => {
                let (from, to) = (shown_name(&from.parts), shown_name(&to.parts));
                let m = format!("cast from type {from} to type {to} does not exist, skipping");
                cx.notice(state::SUCCESSFUL_COMPLETION, m);
            }
            Err(e) if d.if_exists && e.code() == state::UNDEFINED_OBJECT => {
                cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            }
            Ok(Err(e)) | Err(e) => return Err(e),
        }
    }
    fall::drop(&roots, d.behavior == DropBehavior::Cascade, false, cx)?;
    Ok("DROP CAST")
}
pub fn comment_cast(from: &TypeName, to: &TypeName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let c = find_cast(from, to, cx)??;
    match cx.lock_object(Kind::Cast, c.oid, RowLock::Update)? {
        Some(Object::Cast(c)) => cx.put(Object::Cast(Arc::new(Cast { comment: text, ..(*c).clone() }))),
        _ => Ok(()),
    }
}
