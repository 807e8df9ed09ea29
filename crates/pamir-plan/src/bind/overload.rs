//! The overloads that a call may mean: arguments by place and by name, defaults, VARIADIC (PostgreSQL's FuncnameGetCandidates).
//!
//! ```text
//!   f(1, c => 2)     f(a, b = 5, c)        types as the call has them: a, c      places: 0, 2
//!                    f(a, c text)                                      a, c              0, 1        which of the two: their types
//! ```
//! Two that take the same types in the same order are one call's only if something sets them apart: an earlier schema of the search path, or that one of them is not
//! variadic. Otherwise, where defaults made them alike, the call is ambiguous, if no third one fits better.
use super::Binder;
use super::coerce::{self, Callee, Cand, show, spread};
use pamir_expr::func::{Function, FunctionRef};
use pamir_expr::ir::Expr;
use pamir_parse::tree::Arg;
use pamir_types::{Error, Oid, Result, Type, err};
use smallvec::SmallVec;

/// Names of the server's own functions' arguments, with what is taken for one that is left out before the last.
struct Names {
    function: &'static str,
    arguments: &'static [&'static str],
    defaults: &'static [(&'static str, &'static str)],
}
const fn names(
    function: &'static str,
    arguments: &'static [&'static str],
    defaults: &'static [(&'static str, &'static str)],
) -> Names {
    Names { function, arguments, defaults }
}
const PATH: &[&str] = &["target", "path", "vars", "silent"];
const PATH_DEFAULTS: &[(&str, &str)] = &[("vars", "'{}'::jsonb")];
const INTERVAL: &[&str] = &["years", "months", "weeks", "days", "hours", "mins", "secs"];
const INTERVAL_DEFAULTS: &[(&str, &str)] =
    &[("years", "0"), ("months", "0"), ("weeks", "0"), ("days", "0"), ("hours", "0"), ("mins", "0")];
const NAMES: &[Names] = &[
    names("make_interval", INTERVAL, INTERVAL_DEFAULTS),
    names("make_date", &["year", "month", "day"], &[]),
    names("make_time", &["hour", "min", "sec"], &[]),
    names("make_timestamp", &["year", "month", "mday", "hour", "min", "sec"], &[]),
    names("make_timestamptz", &["year", "month", "mday", "hour", "min", "sec", "timezone"], &[]),
    names("jsonb_set", &["jsonb_in", "path", "replacement", "create_if_missing"], &[]),
    names(
        "jsonb_set_lax",
        &["jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment"],
        &[("create_if_missing", "true")],
    ),
    names("jsonb_insert", &["jsonb_in", "path", "replacement", "insert_after"], &[]),
    names("jsonb_path_exists", PATH, PATH_DEFAULTS),
    names("jsonb_path_exists_tz", PATH, PATH_DEFAULTS),
    names("jsonb_path_match", PATH, PATH_DEFAULTS),
    names("jsonb_path_match_tz", PATH, PATH_DEFAULTS),
    names("jsonb_path_query", PATH, PATH_DEFAULTS),
    names("jsonb_path_query_tz", PATH, PATH_DEFAULTS),
    names("jsonb_path_query_array", PATH, PATH_DEFAULTS),
    names("jsonb_path_query_array_tz", PATH, PATH_DEFAULTS),
    names("jsonb_path_query_first", PATH, PATH_DEFAULTS),
    names("jsonb_path_query_first_tz", PATH, PATH_DEFAULTS),
    names("json_array_elements", &["from_json"], &[]),
    names("json_array_elements_text", &["from_json"], &[]),
    names("json_each", &["from_json"], &[]),
    names("json_each_text", &["from_json"], &[]),
    names("jsonb_array_elements", &["from_json"], &[]),
    names("jsonb_array_elements_text", &["from_json"], &[]),
    names("jsonb_each", &["from_json"], &[]),
    names("jsonb_each_text", &["from_json"], &[]),
    names("json_populate_record", &["base", "from_json", "use_json_as_text"], &[]),
    names("json_populate_recordset", &["base", "from_json", "use_json_as_text"], &[]),
    names("parse_ident", &["str", "strict"], &[]),
    names("pg_terminate_backend", &["pid", "timeout"], &[]),
    names("cluster_remove", &["node", "force"], &[]),
];
fn own_names(f: &Function) -> Option<&'static Names> {
    let own = f.schema == pamir_catalog::well_known::PG_CATALOG || f.arg_names.is_empty();
    own.then(|| NAMES.iter().find(|n| n.function == f.name)).flatten()
}
/// The place of the argument of this name.
fn place_of(f: &Function, name: &str) -> Option<usize> {
    match own_names(f) {
        Some(n) => n.arguments.iter().position(|a| *a == name).filter(|i| *i < f.args.len()),
        None => f.arg_names.iter().position(|n| *n == name),
    }
}
/// Is there something to take for an argument that is not given?
fn has_default(f: &Function, at: usize) -> bool {
    let has = f.defaults.len().max(f.default_texts.len());
    let own = |n: &Names| n.arguments.get(at).is_some_and(|a| n.defaults.iter().any(|d| d.0 == *a));
    at.checked_sub(f.args.len() - f.optional).is_some_and(|i| i < has) || own_names(f).is_some_and(own)
}

/// What each argument of a call is called; empty: all are by place.
pub(super) type ArgNames<'t> = SmallVec<[Option<&'t str>; 4]>;
pub(super) fn names_of(args: &[Arg]) -> ArgNames<'_> {
    match args.iter().any(|a| a.name.is_some()) {
        true => args.iter().map(|a| a.name.as_deref()).collect(),
        false => SmallVec::new(),
    }
}
/// `integer, flag => boolean`: a call's arguments, for errors.
pub(super) fn shown(types: &[Oid], names: &[Option<&str>]) -> String {
    let one = |(i, t): (usize, &Oid)| match names.get(i).copied().flatten() {
        Some(n) => format!("{n} => {}", show(*t)),
        None => show(*t),
    };
    types.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}
/// Where the arguments of a call go in `f`; None: it cannot be called so.
pub(super) fn places(f: &Function, names: &[Option<&str>], variadic: bool) -> Option<SmallVec<[u16; 4]>> {
    if f.variadic != variadic {
        return None;
    }
    let mut out: SmallVec<[u16; 4]> = SmallVec::new();
    for (i, n) in names.iter().enumerate() {
        let at = match n {
            None => i,
            Some(n) => place_of(f, n)?,
        };
        if at >= f.args.len() || out.contains(&(at as u16)) {
            return None;
        }
        out.push(at as u16);
    }
    if variadic && out.last().is_none_or(|p| usize::from(*p) + 1 != f.args.len()) {
        return None;
    }
    let given = |i: usize| out.iter().any(|p| usize::from(*p) == i);
    // The server's own have an overload for each number of arguments: what is behind the last one given is another's.
    let own = own_names(f).is_some();
    let last = out.iter().max().map_or(0, |p| usize::from(*p) + 1);
    if own && last != f.args.len() && !(f.optional > 0 && last + f.optional >= f.args.len()) {
        return None;
    }
    let end = if own { last } else { f.args.len() };
    (0..end).all(|i| given(i) || has_default(f, i)).then_some(out)
}

/// The overloads of a call, and which of them others are just like.
pub(super) struct Overloads {
    pub cands: Vec<Cand<FunctionRef>>,
    pub doubled: SmallVec<[usize; 2]>,
}

impl Binder<'_, '_> {
    /// Those that a call with `n` arguments may mean, in the order of the search path.
    pub(super) fn candidates(&self, callee: Callee, n: usize, names: &[Option<&str>], variadic: bool) -> Overloads {
        let mut cands: Vec<Cand<FunctionRef>> = Vec::new();
        let mut plain = true;
        for f in self.overloads::<Function>(callee).iter() {
            let args = match names.is_empty() {
                true => spread(&f, n, variadic),
                false => places(&f, names, variadic).and_then(|p| {
                    let types = if variadic { spread(&f, f.args.len(), true)? } else { SmallVec::from_slice(&f.args) };
                    Some(p.iter().map(|p| types[usize::from(*p)]).collect())
                }),
            };
            if let Some(args) = args.filter(|_| !self.outs_written || !self.has_outs(&f)) {
                plain &= !f.variadic && f.args.len() == n && f.schema == pamir_catalog::well_known::PG_CATALOG;
                cands.push(Cand { args, item: f });
            }
        }
        let mut out = Overloads { cands: Vec::with_capacity(cands.len()), doubled: SmallVec::new() };
        if plain {
            out.cands = cands;
            return out;
        }
        for c in cands {
            let Some(i) = out.cands.iter().position(|p| p.args == c.args) else {
                out.cands.push(c);
                continue;
            };
            let p = &mut out.cands[i];
            match (p.item.schema == c.item.schema, p.item.variadic, c.item.variadic) {
                (false, ..) | (true, false, true) => {}
                (true, true, false) => *p = c,
                _ => out.doubled.push(i),
            }
        }
        out
    }
    fn has_outs(&self, f: &FunctionRef) -> bool {
        self.cx.catalog.function(f.oid).is_some_and(|f| f.params.iter().any(|p| !p.mode.is_input()))
    }
    /// The arguments in the function's order, with defaults in the holes between them; what is left out behind the last is the caller's to fill.
    pub(super) fn in_places(&mut self, f: &Function, places: &[u16], args: Vec<Expr>) -> Result<Vec<Expr>> {
        let n = places.iter().max().map_or(0, |p| usize::from(*p) + 1);
        let mut slots: Vec<Option<Expr>> = (0..n).map(|_| None).collect();
        for (p, e) in std::iter::zip(places, args) {
            slots[usize::from(*p)] = Some(e);
        }
        let mut out = Vec::with_capacity(n);
        for (at, e) in slots.into_iter().enumerate() {
            out.push(match e {
                Some(e) => e,
                None => self.left_out(f, at)?,
            });
        }
        Ok(out)
    }
    fn left_out(&mut self, f: &Function, at: usize) -> Result<Expr> {
        if let Some(n) = own_names(f)
            && let Some(d) = n.arguments.get(at).and_then(|a| n.defaults.iter().find(|d| d.0 == *a))
        {
            return self.stored(d.1, None, Type::new(f.args[at]));
        }
        match self.argument_default(f, at)? {
            Some(e) => Ok(e),
            None => Err(Error::internal("an argument without a default was left out")),
        }
    }
    /// The error for a call that no overload fits.
    pub(super) fn no_overload(&self, callee: Callee, types: &[Oid], names: &[Option<&str>]) -> Error {
        if names.is_empty() {
            return coerce::no_function_of(callee, types);
        }
        err!(UNDEFINED_FUNCTION, "function {callee}({}) does not exist", shown(types, names))
            .hint("No function matches the given name and argument types. You might need to add explicit type casts.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_places() {
        let f = |name: &str, n: usize| {
            pamir_expr::func::functions(name).iter().copied().find(|f| f.args.len() == n).expect("there is one")
        };
        let of = |name: &str, n: usize, names: &[Option<&str>]| places(f(name, n), names, false).map(|p| p.to_vec());
        assert_eq!(of("make_date", 3, &[Some("day"), Some("month"), Some("year")]), Some(vec![2, 1, 0]));
        assert_eq!(of("make_date", 3, &[None, Some("month"), Some("day")]), Some(vec![0, 1, 2]));
        assert_eq!(of("make_date", 3, &[None, Some("year"), Some("day")]), None);
        assert_eq!(of("make_date", 3, &[Some("day")]), None);
        assert_eq!(of("make_date", 3, &[Some("hour"), Some("month"), Some("year")]), None);
    }
}
