//! Functions and casts over long values: their work is counted, and what a worker could not interrupt goes to a helper thread.
//!
//! Only the arguments' sizes are looked at, and only where their types can be long. A call moves if it asks nothing of its session but how to read and write values
//! (immutable functions, casts through text, stable ones of plain values). Memory for a long result is asked for before the call.
use crate::env::Env;
use crate::func::{CallInfo, Function, Scalar, Volatility};
use crate::no_session::NoSession;
use pamir_storage::helpers;
use pamir_types::numeric::Numeric;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Oid, Result, Type, memory, oid, text, work};
use std::sync::Arc;

/// Work that a worker does not do itself, in bytes of arguments.
const MOVES: usize = 256 << 10;
/// What a digit of a numeric costs beside a byte of text: products and quotients are quadratic.
const DIGIT: usize = 16;
/// What a letter of a picture costs beside one of a text.
const PICTURE: usize = 256;
/// What a letter of a regular expression costs beside one of a text.
const PATTERN: usize = 64;
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
    /// lpad(), rpad(), bpchar(): to the second.
    ToSecond,
    /// factorial()
    AsSquare,
    /// Regular expressions: patterns cost far more than what they are held against.
    WithPattern,
    /// exp(), ln() and what is made of them: with the square of their digits and more.
    WithDigits,
    /// to_char() and its likes: each letter of a picture is looked for among the key words.
    WithPicture,
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
    match f.own_name() {
        "repeat" => Grows::AsProduct,
        "lpad" | "rpad" => Grows::ToSecond,
        "bpchar" if args.len() == 3 => Grows::ToSecond,
        "factorial" => Grows::AsSquare,
        "substring" if args.get(1).is_some_and(|t| is_long(t.oid)) => Grows::WithPattern,
        name if name.contains("regex") || name.starts_with("similar") => Grows::WithPattern,
        "exp" | "ln" | "log" | "log10" | "pow" | "power" | "numeric_power" | "sqrt"
            if args.iter().any(|t| t.oid == oid::NUMERIC) =>
        {
            Grows::WithDigits
        }
        "to_char" | "to_number" | "to_date" | "to_timestamp" if args.len() == 2 => Grows::WithPicture,
        _ if args.iter().any(|t| is_long(t.oid)) => Grows::WithArguments,
        _ => Grows::Not,
    }
}

/// Does a call ask nothing of its session but how to read and write values?
fn moves(f: &Function, types: &[Type]) -> bool {
    let plain = |t: &Type| {
        !is_long(t.oid)
            || matches!(t.oid, oid::TEXT | oid::VARCHAR | oid::BPCHAR | oid::UNKNOWN)
            || matches!(t.oid, oid::BYTEA | oid::NUMERIC | oid::JSON | oid::JSONB)
    };
    match f.volatility {
        Volatility::Immutable => true,
        Volatility::Stable => {
            let of_text = matches!(
                f.own_name(),
                "to_char"
                    | "to_number"
                    | "to_date"
                    | "to_timestamp"
                    | "concat"
                    | "concat_ws"
                    | "format"
                    | "to_json"
                    | "to_jsonb"
            );
            of_text && types.iter().all(plain)
        }
        Volatility::Volatile => false,
    }
}

/// About how many bytes a value has whose length a user decides.
pub fn size(d: &Datum) -> usize {
    match d {
        Datum::Text(s) => s.len(),
        Datum::Bytea(b) => b.len(),
        Datum::Numeric(Numeric::Big(n)) => n.0.bits() as usize / 8 * DIGIT,
        Datum::Array(a) => a.items.len() * 32 + a.items.first().map_or(0, size),
        Datum::Jsonb(j) => j.weight(),
        Datum::Record(f) => f.len() * 32,
        Datum::Bits(b) => b.bytes().len(),
        Datum::Citext(v) => 2 * v.text.len(),
        Datum::Multirange(m) => m.ranges.len() * 64,
        _ => 0,
    }
}
fn work_of(how: Grows, args: &[Datum]) -> usize {
    let n = |i: usize| args.get(i).and_then(super::expr::int_of).map_or(0, |v| v.max(0) as usize);
    match how {
        Grows::Not => 0,
        Grows::WithPicture => args.iter().map(size).fold(0, usize::saturating_add).saturating_mul(PICTURE),
        Grows::WithArguments => args.iter().map(size).fold(0, usize::saturating_add),
        Grows::AsProduct => args.first().map_or(0, size).saturating_mul(n(1)),
        Grows::ToSecond => n(1),
        Grows::WithPattern => {
            let pattern = args.get(1).map_or(0, size);
            args.iter().map(size).fold(pattern.saturating_mul(PATTERN), usize::saturating_add)
        }
        Grows::WithDigits => {
            let digits = args.iter().map(size).fold(0, usize::saturating_add);
            digits.saturating_mul(digits) / DIGIT
        }
        Grows::AsSquare => n(0).saturating_mul(n(0)) / 64,
    }
}

/// Calls a function whose arguments may be long.
pub fn call(
    f: &Function,
    code: &Scalar,
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
    if n < MOVES || !moves(f, types) {
        return code.call(&CallInfo { arg_types: types, ret }, args, env);
    }
    let (types, args, cx, code) = (types.to_vec(), args.to_vec(), env.text_ctx().clone(), code.clone());
    helpers::run(move || code.call(&CallInfo { arg_types: &types, ret }, &args, &mut NoSession::with_text(cx)))?
}

/// A value's text is read: `'...'::jsonb`, a parameter, a field of COPY.
pub fn parse(s: &str, ty: Type, env: &mut dyn Env) -> Result<Datum> {
    work::charge(s.len() / BYTES)?;
    // What is only copied is copied in pieces.
    if s.len() < MOVES || matches!(ty.oid, oid::TEXT | oid::VARCHAR | oid::UNKNOWN) {
        return text::parse(s, ty, env.text_ctx());
    }
    memory::admit(2 * s.len())?;
    let (s, cx) = (pamir_types::long::string(s)?, env.text_ctx().clone());
    helpers::run(move || text::parse(&s, ty, &cx))?
}

/// Does its text name objects, as the session calls them?
fn names_objects(d: &Datum, ty: Type) -> bool {
    match d {
        Datum::Oid(_) => text::is_reg(ty.oid),
        Datum::Array(a) => text::is_reg(a.elem) || matches!(a.items.first(), Some(Datum::Record(_))),
        Datum::Record(_) => true,
        _ => false,
    }
}
/// A value's conversion by way of its text.
pub fn via_text(d: Datum, from: Type, to: Type, env: &mut dyn Env) -> Result<Datum> {
    crate::func::string::admit_text([&d])?;
    let n = size(&d);
    work::charge(work::CALL as usize + n / BYTES)?;
    let named = names_objects(&d, from).then(|| {
        let names = crate::func::reg::Names { catalog: env.catalog().clone(), scope: env.scope().clone() };
        TextCtx { names: Some(Arc::new(names)), ..env.text_ctx().clone() }
    });
    if n < MOVES {
        let cx = named.as_ref().unwrap_or_else(|| env.text_ctx());
        return text::parse(&text::to_string(&d, from, cx), to, cx);
    }
    let cx = named.unwrap_or_else(|| env.text_ctx().clone());
    helpers::run(move || text::parse(&text::to_string(&d, from, &cx), to, &cx))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::func::{self, Body};
    use std::cell::Cell;
    use std::time::Duration;

    /// Work between two breaths, of the thread's own time: unoptimized code takes some twenty times as long.
    const GAP: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1500 } else { 75 });
    /// Bytes of a text: far less than what is sent elsewhere, enough for what grows faster to show it.
    const LONG: usize = MOVES / 6;
    /// Breaths after which a call has shown that it takes them.
    const ENOUGH: u32 = 40;

    fn cpu() -> Duration {
        // Nanoseconds on a processor, nanoseconds of waiting for one, slices.
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        Duration::from_nanos(stat.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
    }
    thread_local! {
        static LAST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static WORST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static BREATHS: Cell<u32> = const { Cell::new(0) };
    }
    fn listen() -> Result<()> {
        let now = cpu();
        WORST.set(WORST.get().max(now - LAST.replace(now)));
        BREATHS.set(BREATHS.get() + 1);
        if BREATHS.get() > ENOUGH { Err(pamir_types::Error::internal("enough")) } else { Ok(()) }
    }

    /// Values that are just not long enough to be sent elsewhere, and numbers that ask for long results; `kind` of them.
    fn argument(o: Oid, kind: usize) -> Option<Datum> {
        let text = |n: usize| match kind {
            0 => "9".repeat(n),
            1 => "a,(%s{".repeat(n / 6),
            _ => "\u{e4}[\"".repeat(n / 4),
        };
        let cx = text::TextCtx::default();
        Some(match o {
            oid::INT2 => Datum::Int2([i16::MAX, 1, 100][kind]),
            oid::INT4 => Datum::Int4([i32::MAX, 100_000_000, 3][kind]),
            oid::INT8 => Datum::Int8([i64::MAX, 100_000_000, 3][kind]),
            oid::FLOAT8 => Datum::Float8([1e300, 100_000_000.0, 0.5][kind]),
            oid::NUMERIC => {
                Datum::Numeric(Numeric::parse(&["9".repeat(8000), "1e-8000".into(), "123456.789".into()][kind]).ok()?)
            }
            oid::TEXT | oid::VARCHAR | oid::BPCHAR | oid::UNKNOWN | oid::NAME => Datum::from(text(LONG)),
            oid::BYTEA => Datum::Bytea(text(LONG).into_bytes().into()),
            oid::JSON => Datum::from(format!("[{}1]", "1,".repeat(MOVES / 8 - 8))),
            oid::JSONB => text::parse(&format!("[{}1]", "1,".repeat(MOVES / 80)), Type::new(oid::JSONB), &cx).ok()?,
            oid::BOOL => Datum::Bool(kind == 0),
            o if oid::element_of(o).is_some() || matches!(o, oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY) => {
                let element = oid::element_of(o).unwrap_or(oid::INT4);
                let one = argument(element, 2)
                    .filter(|d| size(d) < 100)
                    .or_else(|| (element == oid::TEXT).then(|| "x".into()))?;
                Datum::Array(pamir_types::array::Array::from_vec(element, vec![one; MOVES / 40]).into())
            }
            oid::ANY | oid::ANYELEMENT | oid::ANYCOMPATIBLE | oid::ANYNONARRAY => Datum::Int4(7),
            oid::ANYRANGE => text::parse(["[1,9)", "(,7)", "[3,)"][kind], Type::new(oid::INT4RANGE), &cx).ok()?,
            oid::ANYMULTIRANGE => {
                let many: Vec<String> = (0..MOVES / 40).map(|i| format!("[{},{})", 3 * i, 3 * i + 1 + kind)).collect();
                text::parse(&format!("{{{}}}", many.join(",")), Type::new(oid::INT4MULTIRANGE), &cx).ok()?
            }
            o => text::parse(["1", "2001-02-03 04:05:06", "a"][kind], Type::new(o), &cx).ok()?,
        })
    }
    fn concrete(o: Oid) -> Oid {
        match o {
            oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY => oid::array_of(oid::INT4).unwrap_or(o),
            oid::ANY | oid::ANYELEMENT | oid::ANYCOMPATIBLE | oid::ANYNONARRAY => oid::INT4,
            oid::ANYRANGE => oid::INT4RANGE,
            oid::ANYMULTIRANGE => oid::INT4MULTIRANGE,
            o => o,
        }
    }

    /// Every scalar function, with arguments as long as a worker takes them and with numbers that ask for long results: it takes breaths, it ends soon, or it goes to a helper.
    #[test]
    fn no_function_holds_a_worker() {
        let calls = std::thread::spawn(|| {
            work::set_listener(listen);
            let (mut slow, mut calls) = (Vec::new(), 0);
            for f in func::all_functions() {
                let Body::Scalar(eval) = &f.body else { continue };
                if f.volatility == Volatility::Volatile {
                    continue;
                }
                // The first argument of one kind, the others of another.
                for kind in [0, 1, 4, 5, 6] {
                    let args: Option<Vec<Datum>> = f
                        .args
                        .iter()
                        .enumerate()
                        .map(|(i, o)| argument(*o, if i == 0 { kind / 3 } else { kind % 3 }))
                        .collect();
                    let Some(args) = args else { continue };
                    let types: Vec<Type> = f.args.iter().map(|o| Type::new(concrete(*o))).collect();
                    let how = grows(f, &types);
                    let elsewhere = work_of(how, &args) >= MOVES && moves(f, &types);
                    if elsewhere || (f.args.len() < 2 && kind % 3 > 0) {
                        continue;
                    }
                    BREATHS.set(0);
                    WORST.set(Duration::ZERO);
                    LAST.set(cpu());
                    calls += 1;
                    let env = &mut NoSession::with_text(text::TextCtx::default());
                    let ret = Type::new(concrete(f.ret));
                    let r = match how {
                        Grows::Not => eval.call(&CallInfo { arg_types: &types, ret }, &args, env),
                        how => call(f, eval, how, &types, ret, &args, env),
                    };
                    drop(r);
                    let worst = WORST.get().max(cpu() - LAST.get());
                    if worst > GAP {
                        eprintln!("{} of kind {kind}: {worst:?}", func::signature(f));
                        slow.push(format!("{} of kind {kind}: {worst:?}", func::signature(f)));
                    }
                }
            }
            assert!(slow.is_empty(), "{slow:#?}");
            calls
        });
        assert!(calls.join().unwrap() > 2000);
    }
}
