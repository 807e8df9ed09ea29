//! Functions of the catalog ([`pamir_catalog::function`]) as the binder and expressions know functions.
//!
//! ```text
//!   descriptor --make, once a version--> Function whose body asks the session to run it, by OID ([`crate::spi::Spi::call`])
//! ```
//! The body looks the descriptor up anew with each call: CREATE OR REPLACE changes what runs, not who calls.
use super::*;
use pamir_catalog::defs::{self, qualified, quote_ident};
use pamir_catalog::function::{Function as Stored, FunctionKind, ParamMode};
use pamir_types::array::Array;
use pamir_types::oid;

/// The function, kept with its descriptor.
pub fn of(f: &Stored) -> Arc<Function> {
    f.cache.get_or_init(|| Arc::new(make(f))).clone()
}

fn make(f: &Stored) -> Function {
    let inputs: Vec<_> = f.inputs().collect();
    let variadic = inputs.last().filter(|p| p.mode == ParamMode::Variadic);
    let mut args: Vec<Oid> = inputs.iter().map(|p| p.ty.oid).collect();
    if let (Some(p), Some(last)) = (variadic, args.last_mut()) {
        *last = match p.ty.oid {
            oid::ANYARRAY => oid::ANYELEMENT,
            oid::ANYCOMPATIBLEARRAY => oid::ANYCOMPATIBLE,
            t => oid::element_of(t).unwrap_or(oid::ANY),
        };
    }
    let named = inputs.iter().any(|p| !p.name.is_empty());
    let arg_names = if named { inputs.iter().map(|p| p.name.clone().into()).collect() } else { Vec::new() };
    // One row is what the function returns, not a column of it.
    let out = match oid::is_composite(f.ret.oid) {
        true => Vec::new(),
        false => f.outputs().map(|p| (p.name.clone().into(), p.ty.oid)).collect(),
    };
    let default_texts: Vec<_> = inputs.iter().filter_map(|p| p.default.clone()).collect();
    let volatility = match f.volatility {
        b'i' => Volatility::Immutable,
        b's' => Volatility::Stable,
        _ => Volatility::Volatile,
    };
    Function {
        oid: f.oid,
        schema: f.schema,
        arg_names,
        variadic: variadic.is_some(),
        optional: if variadic.is_some() { 0 } else { default_texts.len() },
        default_texts,
        out,
        // A NULL among what repeats is none of the array that the function gets.
        strict: f.strict && variadic.is_none(),
        volatility,
        procedure: f.kind == FunctionKind::Procedure,
        row_of: f.ret_row_of,
        ..Function::new(f.name.clone(), args, f.ret.oid, body(f, variadic.is_some(), inputs.len()))
    }
}

/// An operator that the catalog stores, with a function of its own by which a call that was written as the operator is known; None: its function is gone.
pub fn operator(o: &pamir_catalog::operator::Operator, catalog: &pamir_catalog::Catalog) -> Option<Arc<Operator>> {
    let make = || {
        let f = lookup::by_oid::<Function>(catalog, o.function)?;
        let name = |n: &Option<(Oid, String)>| n.as_ref().map(|n| n.1.clone().into());
        Some(Arc::new(Operator {
            oid: o.oid,
            schema: o.schema,
            name: o.name.clone().into(),
            left: o.left,
            right: o.right,
            ret: o.ret,
            // Its schema tells that it is no one of the server's own.
            f: Arc::new(Function { schema: o.schema, ..(*f).clone() }).into(),
            commutator: name(&o.commutator),
            negator: name(&o.negator),
        }))
    };
    match o.cache.get::<Arc<Operator>>() {
        Some(kept) => Some(kept.clone()),
        None => make().map(|new| o.cache.get_or_init(|| new).clone()),
    }
}

fn body(f: &Stored, variadic: bool, n: usize) -> Body {
    let (oid, strict) = (f.oid, f.strict && variadic);
    if f.set {
        let call: Arc<SetFn> = Arc::new(move |ci, args, env, push| {
            if variadic {
                let (types, args) = packed(ci, args, n)?;
                let null = strict && args.iter().any(Datum::is_null);
                let ci = CallInfo { arg_types: &types, ret: ci.ret };
                return if null { Ok(()) } else { env.spi()?.call_set(oid, &ci, &args, push) };
            }
            env.spi()?.call_set(oid, ci, args, push)
        });
        return Body::Set(Code::Closure(call));
    }
    let call: Arc<ScalarFn> = Arc::new(move |ci, args, env| {
        if variadic {
            let (types, args) = packed(ci, args, n)?;
            let null = strict && args.iter().any(Datum::is_null);
            let ci = CallInfo { arg_types: &types, ret: ci.ret };
            return if null { Ok(Datum::Null) } else { env.spi()?.call(oid, &ci, &args) };
        }
        env.spi()?.call(oid, ci, args)
    });
    Body::Scalar(Code::Closure(call))
}

/// The arguments that repeat as the array that the function takes.
fn packed(ci: &CallInfo, args: &[Datum], n: usize) -> Result<(Vec<Type>, Vec<Datum>)> {
    let fixed = n.saturating_sub(1).min(args.len());
    let (first, rest) = args.split_at(fixed);
    work::charge(size_of_val(rest))?;
    pamir_types::memory::admit(size_of_val(rest))?;
    let elem = ci.arg_types.get(fixed).map_or(oid::TEXT, |t| t.oid);
    let array = Array::from_vec(elem, rest.to_vec());
    let mut types: Vec<Type> = ci.arg_types.iter().take(fixed).copied().collect();
    types.push(Type::new(oid::array_of(elem).unwrap_or(oid::ANYARRAY)));
    Ok((types, first.iter().cloned().chain([Datum::Array(Arc::new(array))]).collect()))
}

// ---- what is shown of them ----

fn type_name(t: Type, row_of: Oid, env: &dyn Env) -> String {
    match row_of {
        0 if oid::is_user(t.oid) => env.catalog().type_name(env.scope(), t.oid).unwrap_or_else(|| "???".into()),
        0 => pamir_types::text::type_named(t.oid),
        r => env.catalog().quoted_name(env.scope(), r).unwrap_or_else(|| "-".into()),
    }
}
/// `a integer, OUT b text`; `identity`: without defaults.
pub fn arguments(f: &Stored, identity: bool, env: &dyn Env) -> String {
    let one = |p: &pamir_catalog::function::Param| {
        let mode = match p.mode {
            ParamMode::In if f.kind == FunctionKind::Procedure => "IN ",
            ParamMode::In | ParamMode::Table => "",
            ParamMode::Out => "OUT ",
            ParamMode::InOut => "INOUT ",
            ParamMode::Variadic => "VARIADIC ",
        };
        let name = if p.name.is_empty() { String::new() } else { format!("{} ", quote_ident(&p.name)) };
        let default = p.default.as_ref().filter(|_| !identity).map_or(String::new(), |d| format!(" DEFAULT {}", d.0));
        format!("{mode}{name}{}{default}", type_name(p.ty, p.row_of, env))
    };
    let shown: Vec<String> = f.params.iter().filter(|p| p.mode != ParamMode::Table).map(one).collect();
    let ordered = f.more.aggregate.as_ref().filter(|a| a.kind != b'n').map(|a| usize::from(a.direct));
    match ordered {
        Some(n) if n <= shown.len() => {
            let (direct, sorted) = shown.split_at(n);
            let direct = direct.join(", ");
            let gap = if n > 0 { " " } else { "" };
            format!("{direct}{gap}ORDER BY {}", sorted.join(", "))
        }
        _ => shown.join(", "),
    }
}
/// `SETOF text`, `TABLE(a integer)`; None: a procedure's.
pub fn result(f: &Stored, env: &dyn Env) -> Option<String> {
    if f.kind == FunctionKind::Procedure {
        return None;
    }
    let table: Vec<String> = (f.params.iter().filter(|p| p.mode == ParamMode::Table))
        .map(|p| format!("{} {}", quote_ident(&p.name), type_name(p.ty, p.row_of, env)))
        .collect();
    if !table.is_empty() {
        return Some(format!("TABLE({})", table.join(", ")));
    }
    let set = if f.set { "SETOF " } else { "" };
    Some(format!("{set}{}", type_name(f.ret, f.ret_row_of, env)))
}
/// pg_get_functiondef
pub fn definition_of(o: Oid, env: &dyn Env) -> Result<Datum> {
    let Some(f) = env.catalog().function(o) else { return Ok(Datum::Null) };
    if f.kind == FunctionKind::Aggregate {
        return Err(pamir_types::err!(WRONG_OBJECT_TYPE, "\"{}\" is an aggregate function", f.name));
    }
    Ok(definition(f, env).into())
}
/// The statement that makes it.
pub fn definition(f: &Stored, env: &dyn Env) -> String {
    let (word, quote) = match f.kind {
        FunctionKind::Function => ("FUNCTION", "$function"),
        FunctionKind::Procedure => ("PROCEDURE", "$procedure"),
        FunctionKind::Aggregate => ("AGGREGATE", "$aggregate"),
    };
    let schema = env.catalog().schema(f.schema).map_or("", |s| &s.name);
    let mut out = format!("CREATE OR REPLACE {word} {}({})\n", qualified(schema, &f.name), arguments(f, false, env));
    if let Some(r) = result(f, env) {
        out += &format!(" RETURNS {r}\n");
    }
    out += &format!(" LANGUAGE {}\n", f.language);
    let mut flags = String::new();
    flags += match f.volatility {
        b'i' => " IMMUTABLE",
        b's' => " STABLE",
        _ => "",
    };
    flags += match f.parallel {
        b's' => " PARALLEL SAFE",
        b'r' => " PARALLEL RESTRICTED",
        _ => "",
    };
    for (is, word) in [(f.strict, " STRICT"), (f.security_definer, " SECURITY DEFINER"), (f.leakproof, " LEAKPROOF")] {
        if is {
            flags += word;
        }
    }
    if f.cost != 100.0 {
        flags += &format!(" COST {}", f.cost);
    }
    if f.set && f.rows != 1000.0 {
        flags += &format!(" ROWS {}", f.rows);
    }
    if !flags.is_empty() {
        out += &flags;
        out.push('\n');
    }
    for (name, value) in &f.settings {
        let value = match name.as_str() {
            "search_path" | "temp_tablespaces" | "session_preload_libraries" => {
                let names = value.split(',').map(|n| n.trim().trim_matches('"'));
                names.map(defs::literal).collect::<Vec<_>>().join(", ")
            }
            _ => defs::literal(value),
        };
        out += &format!(" SET {} TO {value}\n", quote_ident(name));
    }
    if let Some(body) = sql_body(f) {
        return out + &body + "\n";
    }
    let mut quote = quote.to_string();
    while f.body.contains(&quote) {
        quote.push('x');
    }
    quote.push('$');
    out + "AS " + &quote + &f.body + &quote + "\n"
}

/// RETURN or BEGIN ATOMIC as it was written; None: the body is a string (pg_get_function_sqlbody).
pub(super) fn sql_body(f: &pamir_catalog::function::Function) -> Option<String> {
    f.sql_body.then(|| match f.body.strip_prefix("SELECT ").filter(|b| !b.contains(';')) {
        Some(e) => format!("RETURN {e}"),
        None => format!("BEGIN ATOMIC\n {}\nEND", f.body.trim()),
    })
}
