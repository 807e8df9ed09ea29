//! Functions and casts over long values: their work is counted, and what a worker could not interrupt goes to a helper thread.
//!
//! Only the arguments' sizes are looked at, and only where their types can be long. A call moves if it asks nothing of its session but how to read and write values
//! (immutable functions, casts through text); what else is long (concat, format, to_json) costs no more than a copy. Memory for a long result is asked for before the call.
use crate::env::Env;
use crate::func::{CallInfo, Eval, Function, Volatility};
use crate::no_session::NoSession;
use pamir_storage::helpers;
use pamir_types::numeric::Numeric;
use pamir_types::{Datum, Oid, Result, Type, memory, oid, text, work};

/// Work that a worker does not do itself, in bytes of arguments.
const MOVES: usize = 256 << 10;
/// What a digit of a numeric costs beside a byte of text: products and quotients are quadratic.
const DIGIT: usize = 16;
/// Bytes a nanosecond, with room for functions that are slow.
const BYTES: usize = 4;

/// How a function's work grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grows {
    /// All arguments are of fixed width.
    Not,
    WithArguments,
    /// repeat(): the first times the second.
    AsProduct,
    /// lpad() and rpad(), array_fill(): to the second.
    ToSecond,
    /// factorial()
    AsSquare,
}

/// Can a value of the type be long?
fn is_long(o: Oid) -> bool {
    !matches!(
        o,
        oid::BOOL
            | oid::INT2
            | oid::INT4
            | oid::INT8
            | oid::FLOAT4
            | oid::FLOAT8
            | oid::DATE
            | oid::TIME
            | oid::TIMETZ
            | oid::TIMESTAMP
            | oid::TIMESTAMPTZ
            | oid::INTERVAL
            | oid::OID
            | oid::CHAR
            | oid::NAME
            | oid::UUID
    )
}
pub fn grows(f: &Function, args: &[Type]) -> Grows {
    match f.name {
        "repeat" => Grows::AsProduct,
        "lpad" | "rpad" => Grows::ToSecond,
        "factorial" => Grows::AsSquare,
        _ if args.iter().any(|t| is_long(t.oid)) => Grows::WithArguments,
        _ => Grows::Not,
    }
}

/// About how many bytes.
fn size(d: &Datum) -> usize {
    match d {
        Datum::Text(s) => s.len(),
        Datum::Bytea(b) => b.len(),
        Datum::Numeric(Numeric::Big(n)) => n.0.bits() as usize / 8 * DIGIT,
        Datum::Array(a) => a.items.len() * 32 + a.items.first().map_or(0, size),
        Datum::Jsonb(j) => j.weight(),
        Datum::Record(f) => f.len() * 32,
        _ => 0,
    }
}
fn work_of(how: Grows, args: &[Datum]) -> usize {
    let n = |i: usize| args.get(i).and_then(super::expr::int_of).map_or(0, |v| v.max(0) as usize);
    match how {
        Grows::Not => 0,
        Grows::WithArguments => args.iter().map(size).fold(0, usize::saturating_add),
        Grows::AsProduct => args.first().map_or(0, size).saturating_mul(n(1)),
        Grows::ToSecond => n(1),
        Grows::AsSquare => n(0).saturating_mul(n(0)) / 64,
    }
}

/// Calls a function whose arguments may be long.
pub fn call(
    f: &'static Function,
    eval: Eval,
    how: Grows,
    types: &[Type],
    ret: Type,
    args: &[Datum],
    env: &mut dyn Env,
) -> Result<Datum> {
    let n = work_of(how, args);
    work::charge(work::CALL as usize + n / BYTES)?;
    if how == Grows::WithArguments && is_long(ret.oid) {
        // What it gives may be as long as what it gets, and is made before it is put where it is counted. Those whose result may be longer ask for themselves.
        memory::admit(n.saturating_mul(2))?;
    }
    if n < MOVES || f.volatility != Volatility::Immutable {
        return eval(&CallInfo { arg_types: types, ret }, args, env);
    }
    let (types, args, cx) = (types.to_vec(), args.to_vec(), env.text_ctx().clone());
    helpers::run(move || eval(&CallInfo { arg_types: &types, ret }, &args, &mut NoSession::with_text(cx)))?
}

/// A value's conversion by way of its text.
pub fn via_text(d: Datum, from: Type, to: Type, env: &mut dyn Env) -> Result<Datum> {
    crate::func::string::admit_text([&d])?;
    let n = size(&d);
    work::charge(work::CALL as usize + n / BYTES)?;
    if n < MOVES {
        let cx = env.text_ctx();
        return text::parse(&text::to_string(&d, from, cx), to, cx);
    }
    let cx = env.text_ctx().clone();
    helpers::run(move || text::parse(&text::to_string(&d, from, &cx), to, &cx))?
}
