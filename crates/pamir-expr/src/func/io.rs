//! The functions that read and write types' texts, called by name: `uuid_in(md5(x)::cstring)`.
//!
//! They are made for every type that PostgreSQL has such a function for ([`internal`]); polymorphic ones are named alone.
use super::registry::bad_args;
use super::{Body, CallInfo, Function, Volatility, reg};
use crate::env::Env;
use crate::long;
use pamir_catalog::system::internal;
use pamir_catalog::well_known::PG_CATALOG;
use pamir_types::text::MAX_LENGTH;
use pamir_types::{Datum, Result, Type, bail, oid, text};

/// Those that PostgreSQL has, each for a type.
pub fn for_registry() -> Vec<Function> {
    let reads = |f: &&internal::Internal| matches!(f.args[..], [oid::CSTRING] | [oid::CSTRING, oid::OID, oid::INT4]);
    // Pseudo-types have no values of their own; records and the like are read by what they are declared as.
    let plain = |f: &&internal::Internal| !f.of_pseudo_type;
    let made = |f: &'static internal::Internal| Function {
        oid: f.oid,
        schema: PG_CATALOG,
        strict: true,
        volatility: if f.stable { Volatility::Stable } else { Volatility::Immutable },
        ..Function::new(f.name, &f.args, f.ret, Body::scalar(read))
    };
    let modifier = |f: &internal::Internal| f.name.ends_with("typmodout");
    let writes = |f: &&internal::Internal| f.ret == oid::CSTRING && f.args.len() == 1 && !modifier(f);
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
    if matches!(ci.ret.oid, oid::BPCHAR | oid::VARCHAR) && typmod.saturating_sub(4) > MAX_LENGTH {
        bail!(INVALID_PARAMETER_VALUE, "length for type {} cannot exceed {MAX_LENGTH}", text::type_named(ci.ret.oid));
    }
    long::via_text(Datum::Text(s.clone()), Type::TEXT, Type::with_mod(ci.ret.oid, typmod), env)
}
fn write(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let ([d], [ty]) = (args, ci.arg_types) else { return Err(bad_args("an output function", args)) };
    long::via_text(d.clone(), *ty, Type::TEXT, env)
}
