//! Functions of the catalog ([`pamir_catalog::function`]) as the binder and expressions know functions.
//!
//! ```text
//!   descriptor --make, once a version--> Function whose body asks the session to run it, by OID ([`crate::spi::Spi::call`])
//! ```
//! The body looks the descriptor up anew with each call: CREATE OR REPLACE changes what runs, not who calls.
use super::*;
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
    let out = f.outputs().map(|p| (p.name.clone().into(), p.ty.oid)).collect();
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
        ..Function::new(f.name.clone(), args, f.ret.oid, body(f, variadic.is_some(), inputs.len()))
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
