//! The functions that read and write types' texts, called by name: `uuid_in(md5(x)::cstring)`.
//!
//! They are made for every type that PostgreSQL has such a function for ([`internal`]); polymorphic ones are named alone.
use super::registry::bad_args;
use super::{Body, CallInfo, Function, Volatility, reg};
use crate::env::Env;
use pamir_catalog::system::internal;
use pamir_types::{Datum, Result, Type, oid, text};

/// Those that PostgreSQL has, each for a type.
pub fn for_registry() -> Vec<Function> {
    let reads = |f: &&internal::Internal| matches!(f.args[..], [oid::CSTRING] | [oid::CSTRING, oid::OID, oid::INT4]);
    // Pseudo-types have no values of their own; records and the like are read by what they are declared as.
    let plain = |f: &&internal::Internal| !f.of_pseudo_type;
    let made = |f: &'static internal::Internal| Function {
        oid: f.oid,
        strict: true,
        volatility: if f.stable { Volatility::Stable } else { Volatility::Immutable },
        ..Function::new(f.name, &f.args, f.ret, Body::scalar(read))
    };
    let writes = |f: &&internal::Internal| f.ret == oid::CSTRING && f.args.len() == 1;
    let writer = |f: &'static internal::Internal| Function { body: Body::scalar(write), ..made(f) };
    let all = internal::all();
    all.iter().filter(reads).filter(plain).map(made).chain(all.iter().filter(writes).map(writer)).collect()
}
fn read(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (s, typmod) = match args {
        [Datum::Text(s)] => (s, -1),
        [Datum::Text(s), _, Datum::Int4(m)] => (s, *m),
        _ => return Err(bad_args("an input function", args)),
    };
    if text::is_reg(ci.ret.oid) {
        return reg::parse(s, ci.ret.oid, env).map(Datum::Oid);
    }
    text::parse(s, Type::with_mod(ci.ret.oid, typmod), env.text_ctx())
}
fn write(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let ([d], [ty]) = (args, ci.arg_types) else { return Err(bad_args("an output function", args)) };
    Ok(reg::output_string(d, *ty, env).into())
}
