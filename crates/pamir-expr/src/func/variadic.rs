//! `f(a, VARIADIC b)`: functions whose last arguments repeat, called with an array of them.
//!
//! Evaluators get variadic arguments flattened. So each such function has a second form that takes the array, and flattens it when it is called. It has the same OID and name; only
//! the binder, which asks for it, and who prints expressions tell them apart.
use super::registry::bad_args;
use super::*;
use pamir_types::oid;
use rustc_hash::FxHashMap;

/// The variadic functions of pg_proc that are there.
static FORMS: &[(Oid, Eval)] = &[
    (438, spread::<438>),
    (440, spread::<440>),
    (3058, spread::<3058>),
    (3059, spread::<3059>),
    (3198, spread::<3198>),
    (3200, spread::<3200>),
    (3217, spread::<3217>),
    (3271, spread::<3271>),
    (3273, spread::<3273>),
    (3343, spread::<3343>),
    (FORMAT, spread::<FORMAT>),
    (3940, spread::<3940>),
    (3951, spread::<3951>),
    (3953, spread::<3953>),
    (4282, super::range::construct_of_array),
    (4285, super::range::construct_of_array),
    (4288, super::range::construct_of_array),
    (4291, super::range::construct_of_array),
    (4294, super::range::construct_of_array),
    (4297, super::range::construct_of_array),
];
/// format(text, VARIADIC "any"): the only one for which no array is an empty one, not NULL.
const FORMAT: Oid = 3539;

pub(super) fn forms(functions: &'static [Function]) -> FxHashMap<Oid, &'static Function> {
    let form = |(oid, eval): &(Oid, Eval)| -> Option<(Oid, &'static Function)> {
        let f = functions.iter().find(|f| f.oid == *oid && f.variadic)?;
        let (last, first) = f.args.split_last()?;
        let array = if *last == oid::ANY { oid::ANYARRAY } else { oid::array_of(*last)? };
        let args: Vec<Oid> = first.iter().copied().chain([array]).collect();
        let form = Function {
            oid: f.oid,
            schema: f.schema,
            name: f.name.clone(),
            args: args.into(),
            arg_names: Vec::new(),
            variadic: false,
            optional: 0,
            defaults: Vec::new(),
            default_texts: Vec::new(),
            procedure: false,
            row_of: 0,
            ret: f.ret,
            out: f.out.clone(),
            spread: true,
            strict: f.strict,
            volatility: f.volatility,
            body: Body::scalar(*eval),
        };
        Some((*oid, Box::leak(Box::new(form))))
    };
    FORMS.iter().filter_map(form).collect()
}

fn spread<const OID: Oid>(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let f = function_by_oid(OID);
    let Some(Function { body: Body::Scalar(code), .. }) = f else { return Err(bad_args("VARIADIC", args)) };
    flattened(code, OID == FORMAT, ci, args, env)
}

/// A user's variadic function as one that takes an array: one that is written in SQL as it is, others get its items.
pub(super) fn form_of(f: &FunctionRef) -> Option<FunctionRef> {
    let (last, first) = f.args.split_last()?;
    let array = match *last {
        oid::ANY | oid::ANYELEMENT => oid::ANYARRAY,
        oid::ANYCOMPATIBLE => oid::ANYCOMPATIBLEARRAY,
        t => oid::array_of(t)?,
    };
    let oid = f.oid;
    let body = match &f.body {
        Body::Scalar(code) => {
            let code = code.clone();
            let call: Arc<ScalarFn> = Arc::new(move |ci, args, env| match stored_strict(oid, env) {
                Some(true) if args.iter().any(Datum::is_null) => Ok(Datum::Null),
                Some(_) => env.spi()?.call(oid, ci, args),
                None => flattened(&code, false, ci, args, env),
            });
            Body::Scalar(Code::Closure(call))
        }
        Body::Set(code) => {
            let code = code.clone();
            let call: Arc<SetFn> = Arc::new(move |ci, args, env, push| match stored_strict(oid, env) {
                Some(true) if args.iter().any(Datum::is_null) => Ok(()),
                Some(_) => env.spi()?.call_set(oid, ci, args, push),
                None => match flat(false, ci, args)? {
                    Some((types, args)) => code.call(&CallInfo { arg_types: &types, ret: ci.ret }, &args, env, push),
                    None => Ok(()),
                },
            });
            Body::Set(Code::Closure(call))
        }
        _ => return None,
    };
    let args: Vec<Oid> = first.iter().copied().chain([array]).collect();
    let form = Function {
        oid: f.oid,
        schema: f.schema,
        spread: true,
        strict: f.strict,
        volatility: f.volatility,
        ..Function::new(f.name.clone(), args, f.ret, body)
    };
    Some(Arc::new(form).into())
}

/// Is the function written in SQL, and strict?
fn stored_strict(oid: Oid, env: &dyn Env) -> Option<bool> {
    env.catalog().function(oid).map(|f| f.strict)
}
/// Calls with the array's items for the array; NULL for one gives NULL, or is none where `null_is_empty`.
fn flattened(code: &Scalar, null_is_empty: bool, ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match flat(null_is_empty, ci, args)? {
        Some((types, args)) => code.call(&CallInfo { arg_types: &types, ret: ci.ret }, &args, env),
        None => Ok(Datum::Null),
    }
}
/// The arguments with the array's items for the array; None: it is NULL.
#[allow(clippy::type_complexity)]
fn flat(null_is_empty: bool, ci: &CallInfo, args: &[Datum]) -> Result<Option<(Vec<Type>, Vec<Datum>)>> {
    let Some((last, first)) = args.split_last() else { return Err(bad_args("VARIADIC", args)) };
    let items = match last {
        Datum::Array(a) => a.items.as_slice(),
        Datum::Null if null_is_empty => &[],
        Datum::Null => return Ok(None),
        _ => return Err(bad_args("VARIADIC", args)),
    };
    pamir_types::work::charge(size_of_val(items))?;
    pamir_types::memory::admit(items.len() * (size_of::<Datum>() + size_of::<Type>()))?;
    let given = ci.arg_types.get(..first.len()).unwrap_or(&[]);
    let of_items = ci.arg_types.last().and_then(|t| t.element()).unwrap_or(Type::TEXT);
    let types: Vec<Type> = given.iter().copied().chain(items.iter().map(|_| of_items)).collect();
    Ok(Some((types, first.iter().chain(items).cloned().collect())))
}
