//! Types of expressions: coercion, common types, overload resolution (PostgreSQL manual, chapter 10; parse_coerce.c, parse_oper.c, parse_func.c).
use super::Binder;
use super::overload::{self, Overloads};
use pamir_expr::env::Env;
use pamir_expr::func::{
    self, Aggregate, AggregateRef, Body, CallInfo, CastContext, Found, Function, FunctionRef, OperatorRef, lookup,
};
use pamir_expr::ir::{CastHow, Expr};
use pamir_types::bits::Bits;
use pamir_types::numeric::Numeric;
use pamir_types::text;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use smallvec::SmallVec;

use pamir_expr::casts::Ways;
pub use pamir_expr::casts::{category, is_array, show};

pub(super) fn show_list(ts: &[Oid]) -> String {
    ts.iter().map(|t| show(*t)).collect::<Vec<_>>().join(", ")
}

/// How errors call the branch `i` of a construct: ELSE is the first of a CASE's.
fn branch(what: &str, i: usize) -> &str {
    match (what, i) {
        ("CASE", 0) => "CASE/ELSE",
        ("CASE", _) => "CASE/WHEN",
        _ => what,
    }
}
pub(super) fn can_coerce(ways: Ways, from: Oid, to: Oid, ctx: CastContext) -> bool {
    let to = ways.base(to);
    if from == to || from == oid::UNKNOWN {
        return to != oid::UNKNOWN || from == to;
    }
    match to {
        oid::ANY | oid::ANYELEMENT | oid::ANYCOMPATIBLE => true,
        // The vectors of the catalogs are arrays here, though no array types.
        oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY => oid::element_of(from).is_some(),
        oid::ANYNONARRAY => oid::element_of(from).is_none(),
        oid::ANYENUM => oid::is_enum(from),
        oid::RECORD if oid::is_composite(from) => true,
        // Whether its fields fit is seen when it is done.
        _ if from == oid::RECORD && oid::is_composite(to) => true,
        oid::ANYRANGE => oid::range_subtype(from).is_some(),
        oid::ANYMULTIRANGE => oid::range_of_multirange(from).is_some(),
        _ => ways.pathway(from, to, ctx).is_some(),
    }
}

/// One way to call something.
pub(super) struct Cand<T> {
    pub args: SmallVec<[Oid; 4]>,
    pub item: T,
}
pub(super) enum Choice {
    One(usize),
    None,
    Ambiguous,
}

/// Picks among overloads (func_match_argtypes, func_select_candidate). `given`: the arguments' types, `actual`: of domains what they are over.
pub(super) fn choose<T>(ways: Ways, cands: &[Cand<T>], given: &[Oid], actual: &[Oid]) -> Choice {
    let exact = |types: &[Oid]| cands.iter().position(|c| c.args.as_slice() == types);
    if let Some(i) = exact(given).or_else(|| if given == actual { None } else { exact(actual) }) {
        return Choice::One(i);
    }
    let category = |t: Oid| category(ways.base(t));
    let mut live: Vec<usize> = (0..cands.len())
        .filter(|&i| {
            cands[i].args.len() == actual.len()
                && std::iter::zip(actual, &cands[i].args).all(|(a, t)| can_coerce(ways, *a, *t, CastContext::Implicit))
                && consistent(ways, &cands[i].args, actual)
        })
        .collect();
    let keep_best = |live: &mut Vec<usize>, score: &dyn Fn(&[Oid]) -> usize| {
        let best = live.iter().map(|&i| score(&cands[i].args)).max().unwrap_or(0);
        live.retain(|&i| score(&cands[i].args) == best);
    };
    match live.len() {
        0 => return Choice::None,
        1 => return Choice::One(live[0]),
        _ => {}
    }
    keep_best(&mut live, &|args| std::iter::zip(actual, args).filter(|(a, t)| **a != oid::UNKNOWN && a == t).count());
    if live.len() == 1 {
        return Choice::One(live[0]);
    }
    keep_best(&mut live, &|args| {
        std::iter::zip(actual, args)
            .filter(|(a, t)| {
                **a != oid::UNKNOWN
                    && (a == t || {
                        let (c, p) = category(**t);
                        p && c == category(**a).0
                    })
            })
            .count()
    });
    if live.len() == 1 {
        return Choice::One(live[0]);
    }
    let unknowns: Vec<usize> = (0..actual.len()).filter(|&i| actual[i] == oid::UNKNOWN).collect();
    if unknowns.is_empty() {
        return Choice::Ambiguous;
    }
    // The category each unknown should take.
    let mut wanted: Vec<(usize, char, bool)> = Vec::new();
    let mut resolved = true;
    for &pos in &unknowns {
        let cats: Vec<(char, bool)> = live.iter().map(|&i| category(cands[i].args[pos])).collect();
        let cat = if cats.iter().any(|c| c.0 == 'S') {
            'S'
        } else if cats.iter().all(|c| c.0 == cats[0].0) {
            cats[0].0
        } else {
            resolved = false;
            break;
        };
        wanted.push((pos, cat, cats.iter().any(|c| c.0 == cat && c.1)));
    }
    if resolved {
        let kept: Vec<usize> = live
            .iter()
            .copied()
            .filter(|&i| {
                wanted.iter().all(|&(pos, cat, pref)| {
                    let (c, p) = category(cands[i].args[pos]);
                    c == cat && (!pref || p)
                })
            })
            .collect();
        if !kept.is_empty() {
            live = kept;
        }
        if live.len() == 1 {
            return Choice::One(live[0]);
        }
    }
    // Last: all known inputs of one type; the unknowns may be of it too.
    let mut known = actual.iter().filter(|t| **t != oid::UNKNOWN);
    if let Some(k) = known.next().filter(|k| known.all(|t| t == *k)) {
        let assumed: SmallVec<[Oid; 4]> = SmallVec::from_elem(*k, actual.len());
        let fit: Vec<usize> = live
            .iter()
            .copied()
            .filter(|&i| {
                unknowns.iter().all(|&pos| can_coerce(ways, *k, cands[i].args[pos], CastContext::Implicit))
                    && consistent(ways, &cands[i].args, &assumed)
            })
            .collect();
        if fit.len() == 1 {
            return Choice::One(fit[0]);
        }
    }
    Choice::Ambiguous
}

/// check_generic_type_consistency.
fn consistent(ways: Ways, args: &[Oid], actual: &[Oid]) -> bool {
    let (mut elem, mut range) = (0, 0);
    let mut compatible: SmallVec<[Oid; 4]> = SmallVec::new();
    for (t, a) in std::iter::zip(args, actual) {
        if *a == oid::UNKNOWN {
            continue;
        }
        let e = match *t {
            oid::ANYCOMPATIBLE => {
                compatible.push(*a);
                continue;
            }
            oid::ANYCOMPATIBLEARRAY => {
                compatible.push(oid::element_of(*a).unwrap_or(0));
                continue;
            }
            oid::ANYELEMENT | oid::ANYNONARRAY | oid::ANYENUM => *a,
            oid::ANYARRAY => oid::element_of(*a).unwrap_or(0),
            // Ranges of one subtype may differ, so they are held against each other too.
            oid::ANYRANGE | oid::ANYMULTIRANGE => {
                let r = range_given(*t, *a);
                if range != 0 && range != r {
                    return false;
                }
                range = r;
                oid::range_subtype(r).unwrap_or(0)
            }
            _ => continue,
        };
        if elem != 0 && elem != e {
            return false;
        }
        elem = e;
    }
    compatible.len() < 2
        || common_type(ways, &compatible)
            .is_ok_and(|t| compatible.iter().all(|c| can_coerce(ways, *c, t, CastContext::Implicit)))
}

/// The range type that an argument of anyrange or anymultirange says.
fn range_given(declared: Oid, actual: Oid) -> Oid {
    if declared == oid::ANYRANGE { actual } else { oid::range_of_multirange(actual).unwrap_or(0) }
}

/// Nothing tells what a polymorphic type stands for; PostgreSQL blames no place of the text.
pub(super) fn unknown_polymorphic() -> Error {
    err!(DATATYPE_MISMATCH, "could not determine polymorphic type because input has type unknown").nowhere()
}

/// The concrete argument types and result type of a polymorphic signature (enforce_generic_type_consistency).
pub(super) fn instantiate(ways: Ways, args: &mut [Oid], actual: &[Oid], ret: Oid) -> Result<Oid> {
    if !args.iter().any(|t| oid::is_polymorphic(*t)) && !oid::is_polymorphic(ret) {
        return Ok(ret);
    }
    let (mut elem, mut range) = (0, 0);
    let mut compat: Vec<Oid> = Vec::new();
    let mut compat_used = false;
    for (t, a) in std::iter::zip(args.iter(), actual) {
        match *t {
            oid::ANYELEMENT | oid::ANYNONARRAY | oid::ANYENUM if *a != oid::UNKNOWN => elem = *a,
            oid::ANYARRAY if *a != oid::UNKNOWN => elem = oid::element_of(*a).unwrap_or(0),
            oid::ANYRANGE | oid::ANYMULTIRANGE if *a != oid::UNKNOWN => {
                range = range_given(*t, *a);
                elem = oid::range_subtype(range).unwrap_or(0);
            }
            oid::ANYCOMPATIBLE => {
                compat_used = true;
                compat.push(*a);
            }
            oid::ANYCOMPATIBLEARRAY => {
                compat_used = true;
                if *a != oid::UNKNOWN {
                    compat.push(oid::element_of(*a).unwrap_or(0));
                }
            }
            _ => {}
        }
    }
    let common = if compat_used { common_type(ways, &compat).unwrap_or(oid::TEXT) } else { 0 };
    let needs_range = |t: Oid| matches!(t, oid::ANYRANGE | oid::ANYMULTIRANGE);
    let needs_elem =
        |t: Oid| matches!(t, oid::ANYELEMENT | oid::ANYARRAY | oid::ANYNONARRAY | oid::ANYENUM) || needs_range(t);
    if elem == 0 && (args.iter().any(|t| needs_elem(*t)) || needs_elem(ret)) {
        return Err(unknown_polymorphic());
    }
    if range == 0 && (args.iter().any(|t| needs_range(*t)) || needs_range(ret)) {
        bail!(DATATYPE_MISMATCH, "could not determine polymorphic type anyrange because input has type unknown");
    }
    let concrete = |t: Oid, a: Oid| -> Result<Oid> {
        let array = |e: Oid| {
            oid::array_of(e)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "could not find array type for data type {}", show(e)))
        };
        Ok(match t {
            oid::ANYELEMENT | oid::ANYNONARRAY | oid::ANYENUM => elem,
            oid::ANYARRAY => array(elem)?,
            oid::ANYRANGE => range,
            oid::ANYMULTIRANGE => oid::multirange_of(range).unwrap_or(0),
            oid::ANYCOMPATIBLE => common,
            oid::ANYCOMPATIBLEARRAY => array(common)?,
            oid::ANY => {
                if a == oid::UNKNOWN {
                    oid::TEXT
                } else {
                    a
                }
            }
            t => t,
        })
    };
    for (t, a) in std::iter::zip(args.iter_mut(), actual) {
        *t = concrete(*t, *a)?;
    }
    concrete(ret, oid::UNKNOWN)
}

/// select_common_type: the type that UNION, CASE, VALUES... give. Err: the two that do not match.
pub(super) fn common_type(ways: Ways, types: &[Oid]) -> std::result::Result<Oid, (Oid, Oid)> {
    let mut known = types.iter().copied().filter(|t| *t != oid::UNKNOWN);
    let Some(mut best) = known.next() else { return Ok(oid::TEXT) };
    let (mut cat, mut preferred) = category(best);
    for t in known {
        if t == best {
            continue;
        }
        let (c, p) = category(t);
        if c != cat {
            return Err((best, t));
        }
        let fits = |from, to| can_coerce(ways, from, to, CastContext::Implicit);
        if !preferred && fits(best, t) && !fits(t, best) {
            best = t;
            cat = c;
            preferred = p;
        }
    }
    Ok(best)
}

impl Binder<'_, '_> {
    /// Coerces or tells that there is no way (None).
    pub(super) fn try_coerce(&mut self, e: Expr, to: Type, ctx: CastContext) -> Result<Option<Expr>> {
        let from = e.ty().oid;
        if from == to.oid || !oid::is_user(from) && !oid::is_user(to.oid) {
            return self.coerce_stored(e, to, ctx);
        }
        let e = if to.oid == oid::ANY { e } else { self.stored_as(e) };
        if !self.cx.catalog.holds_domain(to.oid) {
            return self.coerce_stored(e, to, ctx);
        }
        // As what the domain is over, and then looked at.
        let checked = |e| Expr::Cast {
            e: Box::new(e),
            f: CastHow::Domain,
            ty: to.base(),
            explicit: ctx == CastContext::Explicit,
        };
        if let Expr::Param(n, _) = e
            && from == oid::UNKNOWN
        {
            self.set_param(n, to.oid)?;
            return Ok(Some(checked(Expr::Param(n, to))));
        }
        let base = self.cx.catalog.base_type(to);
        let literal = from == oid::UNKNOWN && !oid::is_domain(to.oid);
        let Some(e) = self.coerce_stored(e, base, ctx)? else { return Ok(None) };
        // Items and fields of a literal are looked at as it is read.
        if let Expr::Const(d, _) = &e
            && literal
        {
            pamir_expr::domains::check(d, to.oid, self.cx.env)?;
        }
        Ok(Some(checked(e)))
    }
    /// An expression of a domain, or of arrays of one, as one of what the domain is over.
    pub(super) fn stored_as(&self, e: Expr) -> Expr {
        let ty = e.ty();
        if !oid::is_user(ty.oid) {
            return e;
        }
        let base = self.cx.catalog.base_type(ty);
        if base.oid == ty.oid {
            return e;
        }
        Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty: base, explicit: false }
    }
    /// A type's OID as operators and functions see it: of a domain what it is over.
    pub(super) fn base_oid(&self, ty: Oid) -> Oid {
        if oid::is_user(ty) { self.cx.catalog.base_type(Type::new(ty)).oid } else { ty }
    }
    pub(super) fn ways(&self) -> Ways<'_> {
        Ways { catalog: self.cx.catalog, database: self.cx.scope.database }
    }
    fn coerce_stored(&mut self, e: Expr, to: Type, ctx: CastContext) -> Result<Option<Expr>> {
        let from = e.ty();
        let explicit = ctx == CastContext::Explicit;
        if from.oid == to.oid && from.oid != oid::UNKNOWN {
            return self.typmod(e, to, explicit).map(Some);
        }
        if from.oid == oid::UNKNOWN {
            match e {
                Expr::Const(Datum::Null, _) => return Ok(Some(Expr::Const(Datum::Null, to))),
                Expr::Const(Datum::Text(s), _) => return self.fold_literal(&s, to, explicit).map(Some),
                Expr::Param(n, _) => {
                    self.set_param(n, to.oid)?;
                    let t = self.param_type(n);
                    // Neither unknown nor a polymorphic type says what it is: who takes the expression does.
                    if t.oid == oid::UNKNOWN {
                        return Ok(Some(Expr::Param(n, t)));
                    }
                    return self.try_coerce(Expr::Param(n, t), to, ctx);
                }
                Expr::Default => return Ok(Some(e)),
                // A column of unknown type holds text.
                e => {
                    return Ok(Some(Expr::Cast {
                        e: Box::new(Expr::Cast {
                            e: Box::new(e),
                            f: CastHow::Relabel,
                            ty: Type::TEXT,
                            explicit: false,
                        }),
                        f: CastHow::ViaText,
                        ty: to,
                        explicit,
                    }));
                }
            }
        }
        if to.oid == oid::ANY || to.oid == oid::UNKNOWN {
            return Ok(Some(e));
        }
        if oid::is_composite(to.oid) && from.oid == oid::RECORD {
            return self.to_composite(e, to, to.oid, ctx);
        }
        if oid::is_composite(from.oid) && to.oid == oid::RECORD {
            // The fields keep their names.
            let to = self.cx.catalog.fields_of(from.oid).map_or(to, func::rowtype::of);
            return Ok(Some(Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty: to, explicit }));
        }
        if oid::is_polymorphic(to.oid) {
            return Ok(can_coerce(self.ways(), from.oid, to.oid, ctx).then_some(e));
        }
        if let Expr::Const(d, _) = &e
            && from.oid != oid::MONEY
            && let Some(d) = fold_number(d, to.oid)
        {
            return self.typmod(Expr::Const(d.map_err(Error::nowhere)?, to.base()), to, explicit).map(Some);
        }
        // ARRAY[...] of constants casts its elements, so that unknown literals fold.
        if let (Expr::Array(items, _), Some(elem)) = (&e, to.element())
            && explicit
            && items.iter().all(|i| !i.ty().is_array())
        {
            let Expr::Array(items, _) = e else { return Ok(None) };
            let mut out = Vec::with_capacity(items.len());
            for i in items {
                match self.try_coerce(i, elem, ctx)? {
                    Some(i) => out.push(i),
                    None => return Ok(None),
                }
            }
            return Ok(Some(Expr::Array(out, to)));
        }
        let Some(how) = self.ways().pathway(from.oid, to.oid, ctx) else { return Ok(None) };
        // Of a number as many bits are made as the type has: cut or filled up behind, they would be others.
        let whole = to.oid == oid::BIT && category(from.oid).0 == 'N';
        let cast = Expr::Cast { e: Box::new(e), f: how, ty: if whole { to } else { to.base() }, explicit };
        let cast = self.fold_cast(cast);
        self.typmod(cast, to, explicit).map(Some)
    }

    /// Coerces to a type that is known to be reachable, or fails as `what` does.
    pub(super) fn coerce(&mut self, e: Expr, to: Type, ctx: CastContext) -> Result<Expr> {
        let from = e.ty().oid;
        match self.try_coerce(e, to, ctx)? {
            Some(e) => Ok(e),
            None => Err(err!(CANNOT_COERCE, "cannot cast type {} to {}", show(from), show(to.oid))),
        }
    }

    /// Applies a length or precision.
    fn typmod(&mut self, e: Expr, to: Type, explicit: bool) -> Result<Expr> {
        if to.typmod == -1 || e.ty().typmod == to.typmod {
            return Ok(e);
        }
        match &e {
            Expr::Const(Datum::Null, _) => return Ok(Expr::Const(Datum::Null, to)),
            Expr::Const(Datum::Text(s), _)
                if matches!(to.oid, oid::VARCHAR) && s.chars().count() as i32 <= to.typmod - 4 =>
            {
                let Expr::Const(d, _) = e else { return Err(Error::internal("constant expected")) };
                return Ok(Expr::Const(d, to));
            }
            Expr::Const(Datum::Numeric(n), _) if to.oid == oid::NUMERIC => {
                return Ok(Expr::Const(Datum::Numeric(n.apply_typmod(to.typmod).map_err(Error::nowhere)?), to));
            }
            _ => {}
        }
        Ok(Expr::Cast { e: Box::new(e), f: CastHow::Typmod, ty: to, explicit })
    }

    /// A literal of unknown type read by the input function of `to`, now (as PostgreSQL does: `'now'::timestamp` is the moment of parsing).
    pub(super) fn fold_literal(&mut self, s: &str, to: Type, explicit: bool) -> Result<Expr> {
        match to.oid {
            oid::UNKNOWN => return Ok(Expr::Const(s.into(), Type::UNKNOWN)),
            oid::TEXT => return Ok(Expr::Const(s.into(), to)),
            oid::VARCHAR | oid::BPCHAR if to.typmod > 4 => {
                let n = to.typmod as usize - 4;
                if explicit && s.chars().count() > n {
                    let cut: String = s.chars().take(n).collect();
                    return Ok(Expr::Const(text::parse(&cut, to, self.cx.env.text_ctx())?, to));
                }
            }
            oid::INT4 => {
                if let Ok(v) = s.parse::<i32>() {
                    return Ok(Expr::Const(Datum::Int4(v), to));
                }
            }
            oid::BIT | oid::VARBIT if explicit && to.typmod > 0 => {
                let b = Bits::parse(s, to.base())?.apply_typmod(to, true)?;
                return Ok(Expr::Const(b.into(), to));
            }
            oid::REGCLASS => return self.regclass(s, to),
            // Digits are an OID: text input reads them.
            _ if s.bytes().all(|b| b.is_ascii_digit()) => {}
            oid::REGTYPE if s.trim() != "-" => {
                let t = super::types::type_from_text(s, self.cx.catalog, self.cx.scope)?;
                return Ok(Expr::Const(Datum::Oid(t.oid), to));
            }
            oid::REGPROC
            | oid::REGPROCEDURE
            | oid::REGOPER
            | oid::REGOPERATOR
            | oid::REGNAMESPACE
            | oid::REGROLE
            | oid::REGCOLLATION
            | oid::REGCONFIG
            | oid::REGDICTIONARY => {
                let found = func::reg::parse_in(s, to.oid, self.names())?;
                self.uses.text_search(to.oid, found);
                return Ok(Expr::Const(Datum::Oid(found), to));
            }
            _ => {}
        }
        // Names in an array are looked up as single ones are.
        if to.element().is_some_and(|e| text::is_reg(e.oid)) {
            let names = Type::new(oid::array_of(oid::TEXT).unwrap_or(oid::TEXT));
            let d = text::parse(s, names, self.cx.env.text_ctx())?;
            return self.coerce(Expr::Const(d, names), to, CastContext::Explicit);
        }
        // Elements are cut to their length after they are read.
        let read_as = if to.is_array() { to.base() } else { to };
        let d = text::parse(s, read_as, self.cx.env.text_ctx()).map_err(|e| {
            // PostgreSQL reads the literal as the type, and then makes it as long as the column.
            let fits = read_as.typmod != -1
                && read_as.oid != oid::INTERVAL
                && text::parse(s, read_as.base(), self.cx.env.text_ctx()).is_ok();
            if fits { e.nowhere() } else { e }
        })?;
        if let (oid::JSONPATH, Datum::Text(path)) = (to.oid, &d) {
            func::jsonpath::check_patterns(path)?;
        }
        let of_time = matches!(to.oid, oid::DATE | oid::TIME | oid::TIMETZ | oid::TIMESTAMP | oid::TIMESTAMPTZ);
        if (of_time || matches!(d, Datum::Array(_))) && names_a_moment(s) {
            self.cx.env.read_a_moment();
        }
        self.typmod(Expr::Const(d, read_as), to, explicit)
    }

    /// Names are those of the catalog that is bound with, which a definition under way has changed.
    fn names(&self) -> func::reg::Place<'_> {
        func::reg::Place { catalog: self.cx.catalog, scope: self.cx.scope }
    }
    pub(super) fn regclass(&mut self, s: &str, to: Type) -> Result<Expr> {
        func::reg::parse_in(s, oid::REGCLASS, self.names()).map(|o| Expr::Const(Datum::Oid(o), to))
    }

    /// Evaluates a cast of a constant when that cannot depend on anything.
    fn fold_cast(&mut self, e: Expr) -> Expr {
        let Expr::Cast { e: inner, f, ty, .. } = &e else { return e };
        let Expr::Const(d, from) = inner.as_ref() else { return e };
        // What is written stays to be shown.
        if self.recording() && from.oid != oid::UNKNOWN && !d.is_null() {
            return e;
        }
        match f {
            CastHow::Relabel => Expr::Const(d.clone(), *ty),
            _ if d.is_null() => Expr::Const(Datum::Null, *ty),
            CastHow::Func(f) if f.volatility == func::Volatility::Immutable => {
                match call(f, &[*from], *ty, std::slice::from_ref(d), self.cx.env) {
                    Some(Ok(v)) => Expr::Const(v, *ty),
                    _ => e,
                }
            }
            _ => e,
        }
    }

    /// Types of several branches made one; `what` names the construct in errors (`CASE`, `UNION`, `COALESCE`).
    pub(super) fn unify(&mut self, exprs: Vec<Expr>, what: &str) -> Result<(Vec<Expr>, Type)> {
        // All of one domain stay so.
        let first = exprs.first().map_or(0, |e| e.ty().oid);
        let exprs: Vec<Expr> = match exprs.iter().all(|e| e.ty().oid == first) {
            true => exprs,
            false => exprs.into_iter().map(|e| self.stored_as(e)).collect(),
        };
        let types: Vec<Oid> = exprs.iter().map(|e| e.ty().oid).collect();
        self.culprit = None;
        let oid = common_type(self.ways(), &types).map_err(|(a, b)| {
            self.culprit = types.iter().position(|t| *t == b);
            err!(DATATYPE_MISMATCH, "{what} types {} and {} cannot be matched", show(a), show(b))
        })?;
        // A modifier that all share survives.
        let ty = match exprs.first().map(|e| e.ty()) {
            Some(t) if t.oid == oid && exprs.iter().all(|e| e.ty() == t) => t,
            _ => Type::new(oid),
        };
        let mut out = Vec::with_capacity(exprs.len());
        for (i, e) in exprs.into_iter().enumerate() {
            let from = e.ty().oid;
            self.culprit = Some(i);
            match self.try_coerce(e, ty, CastContext::Implicit)? {
                Some(e) => out.push(e),
                None => {
                    bail!(CANNOT_COERCE, "{} could not convert type {} to {}", branch(what, i), show(from), show(oid))
                }
            }
        }
        self.culprit = None;
        Ok((out, ty))
    }

    /// An unknown literal or parameter that nothing gives a type becomes text.
    pub(super) fn known(&mut self, e: Expr) -> Result<Expr> {
        if e.ty().oid == oid::UNKNOWN && !matches!(e, Expr::Default) {
            self.coerce(e, Type::TEXT, CastContext::Implicit)
        } else {
            Ok(e)
        }
    }

    /// A condition; `what` as in `argument of WHERE must be type boolean, not type integer`.
    pub(super) fn to_bool(&mut self, e: Expr, what: &str) -> Result<Expr> {
        let from = e.ty().oid;
        match self.try_coerce(e, Type::BOOL, CastContext::Assignment)? {
            Some(e) => Ok(e),
            None => Err(err!(DATATYPE_MISMATCH, "argument of {what} must be type boolean, not type {}", show(from))),
        }
    }

    /// Binds a binary (or, without left, prefix) operator. On an error the culprit is the operand that does not fit, if it is one.
    pub(super) fn operator(&mut self, name: &str, left: Option<Expr>, right: Expr) -> Result<Expr> {
        self.culprit = None;
        let (op, name) = self.find_operator(name, left.as_ref().map(|e| e.ty().oid), right.ty().oid)?;
        let types = left.iter().map(|e| e.ty().oid).chain([right.ty().oid]);
        let actual: SmallVec<[Oid; 2]> = types.map(|t| self.base_oid(t)).collect();
        let mut want: SmallVec<[Oid; 2]> =
            if left.is_some() { SmallVec::from_slice(&[op.left, op.right]) } else { SmallVec::from_slice(&[op.right]) };
        let ret = instantiate(self.ways(), &mut want, &actual, op.ret)?;
        let args = self.fit(left.into_iter().chain([right]).collect(), &want)?;
        if op.left == oid::TID && matches!(name, "<" | "<=" | ">" | ">=") {
            self.refuse_blocks(&args)?;
        }
        self.effects |= op.f.has_effects();
        if op.schema != pamir_catalog::well_known::PG_CATALOG {
            self.uses.call(op.f.oid);
            self.uses.operator(op.oid);
            self.volatile |= op.f.volatility == func::Volatility::Volatile;
        }
        Ok(Expr::Call { f: op.f.clone(), args, ty: Type::new(ret) })
    }

    /// Arguments as a function takes them. On an error the culprit is the one that does not fit.
    fn fit(&mut self, mut args: Vec<Expr>, want: &[Oid]) -> Result<Vec<Expr>> {
        for (i, (e, t)) in std::iter::zip(&mut args, want).enumerate() {
            self.culprit = Some(i);
            let given = std::mem::replace(e, Expr::Default);
            *e = self.coerce(given, Type::new(*t), CastContext::Implicit)?;
        }
        self.culprit = None;
        Ok(args)
    }

    /// `ctid < '(100,0)'` asks for a table's first blocks. Rows with a primary key are in none, and a program that goes from block to block would not meet them.
    fn refuse_blocks(&self, args: &[Expr]) -> Result<()> {
        let keyed = |e: &Expr| {
            let Expr::Col(id, _) = e else { return false };
            let mut items = self.scopes.iter().flat_map(|s| &s.rtes).filter(|r| r.ctid == Some(*id));
            items.any(|r| r.table.as_ref().is_some_and(|t| t.indexes.iter().any(|i| i.primary)))
        };
        let fixed = |e: &Expr| match e {
            Expr::Cast { e, .. } => matches!(**e, Expr::Const(..) | Expr::Param(..)),
            e => matches!(e, Expr::Const(..) | Expr::Param(..)),
        };
        match args {
            [a, b] if keyed(a) && fixed(b) || fixed(a) && keyed(b) => {
                Err(Error::unsupported("a range of ctid in a table with a primary key")
                    .hint("Its rows are found by their key: use ranges of the primary key."))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn find_operator<'n>(
        &mut self,
        name: &'n str,
        left: Option<Oid>,
        right: Oid,
    ) -> Result<(OperatorRef, &'n str)> {
        // A symbol has no dot.
        let (schema, symbol) = name.rsplit_once('.').map_or((None, name), |(s, n)| (Some(s), n));
        let ops = lookup::find::<func::Operator>(self.cx.catalog, self.cx.scope, schema, symbol);
        let exact = |l: Oid, r: Oid| ops.iter().find(|o| o.left == l && o.right == r);
        let (shown_l, shown_r) = (left.unwrap_or(0), right);
        let (l, r) = (self.base_oid(shown_l), self.base_oid(shown_r));
        let hit = match (l, r) {
            (oid::UNKNOWN, oid::UNKNOWN) => None,
            (oid::UNKNOWN, r) => exact(r, r),
            (l, oid::UNKNOWN) if l != 0 => exact(l, l),
            (l, r) => exact(l, r),
        };
        if let Some(o) = hit {
            return Ok((o, name));
        }
        let cands: Vec<Cand<OperatorRef>> = ops
            .iter()
            .filter(|o| (o.left == 0) == left.is_none())
            .map(|o| Cand {
                args: if o.left == 0 {
                    SmallVec::from_slice(&[o.right])
                } else {
                    SmallVec::from_slice(&[o.left, o.right])
                },
                item: o,
            })
            .collect();
        let actual: SmallVec<[Oid; 2]> =
            if left.is_some() { SmallVec::from_slice(&[l, r]) } else { SmallVec::from_slice(&[r]) };
        let shown = || {
            if left.is_some() {
                format!("{} {name} {}", show(shown_l), show(shown_r))
            } else {
                format!("{name} {}", show(shown_r))
            }
        };
        let given: SmallVec<[Oid; 2]> =
            if left.is_some() { SmallVec::from_slice(&[shown_l, shown_r]) } else { SmallVec::from_slice(&[shown_r]) };
        match choose(self.ways(), &cands, &given, &actual) {
            Choice::One(i) => Ok((cands[i].item.clone(), name)),
            Choice::None => {
                Err(err!(UNDEFINED_FUNCTION, "operator does not exist: {}", shown()).hint(if left.is_some() {
                    "No operator matches the given name and argument types. You might need to add explicit type casts."
                } else {
                    "No operator matches the given name and argument type. You might need to add an explicit type cast."
                }))
            }
            Choice::Ambiguous => Err(err!(AMBIGUOUS_FUNCTION, "operator is not unique: {}", shown())
                .hint("Could not choose a best candidate operator. You might need to add explicit type casts.")),
        }
    }

    /// The equality of two expressions for IN, NULLIF, USING, IS DISTINCT FROM: both coerced to what `=` takes.
    pub(super) fn equality(&mut self, left: Expr, right: Expr) -> Result<(FunctionRef, Expr, Expr)> {
        self.equality_by("=", left, right)
    }
    /// The same by an operator that may have a schema.
    pub(super) fn equality_by(&mut self, name: &str, left: Expr, right: Expr) -> Result<(FunctionRef, Expr, Expr)> {
        match self.operator(name, Some(left), right)? {
            Expr::Call { f, mut args, .. } if args.len() == 2 => {
                let r = args.pop().unwrap_or(Expr::Default);
                let l = args.pop().unwrap_or(Expr::Default);
                Ok((f, l, r))
            }
            _ => Err(Error::internal("an equality operator was expected")),
        }
    }

    /// Picks a function; the arguments come back coerced. On an error the culprit is the argument that does not fit, if it is one's.
    pub(super) fn function(&mut self, name: &str, args: Vec<Expr>, variadic: bool) -> Result<Expr> {
        self.invoke(Callee::own(name), args, variadic)
    }
    /// The same for a name that the statement has written.
    pub(super) fn invoke(&mut self, callee: Callee, args: Vec<Expr>, variadic: bool) -> Result<Expr> {
        self.invoke_by(callee, args, &[], variadic)
    }
    /// The same with what each argument is called; no names: all are by place.
    pub(super) fn invoke_by(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        names: &[Option<&str>],
        variadic: bool,
    ) -> Result<Expr> {
        self.culprit = None;
        self.check_schema(callee)?;
        let name = callee.name;
        let given: SmallVec<[Oid; 4]> = args.iter().map(|e| e.ty().oid).collect();
        let actual: SmallVec<[Oid; 4]> = given.iter().map(|t| self.base_oid(*t)).collect();
        let Overloads { cands, doubled } = self.candidates(callee, actual.len(), names, variadic);
        if let (Some(e), [from], true) = (args.first(), given.as_slice(), names.is_empty() && !variadic)
            && !cands.iter().any(|c| c.args.as_slice() == given.as_slice())
            && let Some(t) = self.cast_called(callee, *from)?
        {
            self.culprit = Some(0);
            let cast = self.try_coerce(e.clone(), t, CastContext::Explicit)?;
            self.culprit = None;
            if let Some(e) = cast {
                return Ok(e);
            }
        }
        let choice = match choose(self.ways(), &cands, &given, &actual) {
            Choice::One(i) if doubled.contains(&i) => Choice::Ambiguous,
            choice => choice,
        };
        let i = match choice {
            Choice::One(i) => i,
            Choice::None => {
                let any =
                    |f: FunctionRef| f.variadic && f.args.len() == actual.len() && f.args.last() == Some(&oid::ANY);
                if variadic && self.overloads::<Function>(callee).iter().any(any) {
                    self.culprit = Some(actual.len() - 1);
                    bail!(DATATYPE_MISMATCH, "VARIADIC argument must be an array");
                }
                return Err(self.no_overload(callee, &given, names));
            }
            Choice::Ambiguous => {
                let shown = overload::shown(&given, names);
                return Err(err!(AMBIGUOUS_FUNCTION, "function {callee}({shown}) is not unique")
                    .hint("Could not choose a best candidate function. You might need to add explicit type casts."));
            }
        };
        let Some(called) = cands.get(i) else { return Err(Error::internal("a function was chosen that there is not")) };
        let mut f = called.item.clone();
        let placed = if names.is_empty() { None } else { overload::places(&f, names, variadic) };
        if variadic {
            let last = actual.last().copied().unwrap_or(oid::UNKNOWN);
            if f.args.last() == Some(&oid::ANY) && !is_array(last) {
                self.culprit = Some(actual.len() - 1);
                bail!(DATATYPE_MISMATCH, "VARIADIC argument must be an array");
            }
            f = func::spread(&f).ok_or_else(|| Error::unsupported(format!("VARIADIC in a call of {name}")))?;
        }
        let mut want = called.args.clone();
        let ret = instantiate(self.ways(), &mut want, &actual, f.ret)?;
        // The fields' names of a row that is given are those of the row that comes back.
        let row = (f.ret == oid::ANYELEMENT && ret == oid::RECORD)
            .then(|| {
                let row = |e: &Expr| e.ty().element().unwrap_or(e.ty());
                args.iter().map(row).find(|t| t.oid == oid::RECORD && t.typmod >= 0)
            })
            .flatten();
        let row = match f.row_of {
            0 => row,
            t => self
                .cx
                .catalog
                .table(t)
                .map(|t| func::rowtype::of(t.live_columns().map(|c| (c.name.clone(), c.ty)).collect())),
        };
        // pg_typeof tells that nothing gave a literal a type.
        let typeless = |e: &Expr| matches!(e, Expr::Const(..)) && e.ty().oid == oid::UNKNOWN;
        let of_domain = |e: &Expr| e.ty().oid != self.base_oid(e.ty().oid);
        let as_it_is = f.own_name() == "pg_typeof" && args.iter().all(|e| typeless(e) || of_domain(e));
        let mut out = if as_it_is { args } else { self.fit(args, &want)? };
        if let Some(places) = placed {
            out = self.in_places(&called.item, &places, out)?;
        }
        self.complete(&f, callee, &actual, &mut out)?;
        if f.volatility == func::Volatility::Volatile {
            self.volatile = true;
        }
        self.effects |= f.has_effects();
        Ok(Expr::Call { f, args: out, ty: row.unwrap_or(Type::new(ret)) })
    }

    /// `text(1)`, `cidr('10.0.0.0/8')`: what is called like a type casts to it, where that calls no function (func_get_detail).
    fn cast_called(&self, callee: Callee, from: Oid) -> Result<Option<Type>> {
        let own = if callee.may_be_own() { func::type_by_name(callee.name) } else { None };
        let schema = callee.schema.filter(|_| !callee.may_be_own());
        let Some(t) = (match own {
            Some(t) => Some(t),
            None if callee.written => self.cx.catalog.find_type(self.cx.scope, schema, callee.name)?,
            None => None,
        }) else {
            return Ok(None);
        };
        if oid::is_composite(t) {
            return Ok(None);
        }
        let base = self.base_oid(from);
        let is = from == oid::UNKNOWN
            || match self.ways().pathway(base, self.base_oid(t), CastContext::Explicit) {
                Some(CastHow::Relabel) => true,
                // Numbers are what the names of objects stand for.
                Some(CastHow::Func(_)) if base == oid::INT4 && pamir_types::text::is_reg(t) => true,
                Some(CastHow::ViaText) => category(t).0 != 'S' || base != oid::RECORD && !oid::is_composite(base),
                _ => false,
            };
        Ok(is.then_some(Type::new(t)))
    }

    /// What is left out of a user's function has its default; who calls it must be allowed to, and a procedure is not called in an expression.
    fn complete(&mut self, f: &FunctionRef, callee: Callee, actual: &[Oid], out: &mut Vec<Expr>) -> Result<()> {
        if out.len() < f.args.len() && f.defaults.len() == f.optional {
            let left_out = f.args.len() - out.len();
            for (e, t) in std::iter::zip(&f.defaults, &f.args[f.args.len() - f.optional..]).skip(f.optional - left_out)
            {
                let to = if oid::is_polymorphic(*t) { e.ty() } else { Type::new(*t) };
                out.push(self.coerce(e.clone(), to, CastContext::Implicit)?);
            }
        }
        if f.schema != pamir_catalog::well_known::PG_CATALOG {
            self.uses.call(f.oid);
        }
        if f.procedure && !self.calling {
            let args = show_list(actual);
            return Err(
                err!(WRONG_OBJECT_TYPE, "{callee}({args}) is a procedure").hint("To call a procedure, use CALL.")
            );
        }
        if out.len() < f.args.len() && f.default_texts.len() == f.optional {
            for at in out.len()..f.args.len() {
                if let Some(e) = self.argument_default(f, at)? {
                    out.push(e);
                }
            }
        }
        Ok(())
    }

    /// Picks an aggregate, as [`Binder::function`] does a function.
    pub(super) fn aggregate(&mut self, callee: Callee, args: Vec<Expr>) -> Result<(AggregateRef, Vec<Expr>, Type)> {
        self.culprit = None;
        self.check_schema(callee)?;
        let actual: SmallVec<[Oid; 4]> = args.iter().map(|e| self.base_oid(e.ty().oid)).collect();
        let cands: Vec<Cand<AggregateRef>> = self
            .overloads::<Aggregate>(callee)
            .iter()
            .filter(|a| a.args.len() == actual.len())
            .map(|a| Cand { args: SmallVec::from_slice(&a.args), item: a })
            .collect();
        let given: SmallVec<[Oid; 4]> = args.iter().map(|e| e.ty().oid).collect();
        match choose(self.ways(), &cands, &given, &actual) {
            Choice::One(i) => {
                let mut want = cands[i].args.clone();
                let a = cands[i].item.clone();
                let ret = instantiate(self.ways(), &mut want, &actual, a.ret)?;
                if a.schema != pamir_catalog::well_known::PG_CATALOG {
                    self.uses.call(a.oid);
                }
                Ok((a, self.fit(args, &want)?, Type::new(ret)))
            }
            Choice::None => Err(no_function_of(callee, &actual)),
            Choice::Ambiguous => {
                Err(err!(AMBIGUOUS_FUNCTION, "function {callee}({}) is not unique", show_list(&actual))
                    .hint("Could not choose a best candidate function. You might need to add explicit type casts."))
            }
        }
    }

    /// What a user's function takes for an argument that is not given.
    pub(super) fn argument_default(&mut self, f: &Function, at: usize) -> Result<Option<Expr>> {
        let Some(i) = at.checked_sub(f.args.len() - f.optional) else { return Ok(None) };
        if let Some(e) = f.defaults.get(i) {
            return Ok(Some(e.clone()));
        }
        let Some(text) = f.default_texts.get(i) else { return Ok(None) };
        let t = f.args[at];
        if oid::is_polymorphic(t) {
            return Err(Error::unsupported("a default of a polymorphic parameter"));
        }
        self.stored(&text.0, None, Type::new(t)).map(Some)
    }

    pub(super) fn overloads<T: lookup::Kind>(&self, callee: Callee) -> Found<T> {
        lookup::find(self.cx.catalog, self.cx.scope, callee.schema, callee.name)
    }
    /// A schema that is written is there, and may be used.
    pub(super) fn check_schema(&self, callee: Callee) -> Result<()> {
        let Some(s) = callee.schema.filter(|_| !callee.may_be_own()) else { return Ok(()) };
        match self.cx.catalog.schema_of_relations(self.cx.scope.database, s) {
            // What a session without temporary objects has there is nothing.
            None if s == pamir_catalog::temporary::ALIAS => Ok(()),
            None => bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist"),
            Some(x) if !self.cx.catalog.may_use_schema(self.cx.scope, x.oid) => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {s}")
            }
            Some(_) => Ok(()),
        }
    }

    /// The type of `$n+1` so far.
    pub(super) fn param_type(&self, n: u16) -> Type {
        match self.cx.params.get(n as usize) {
            Some(0) | None => Type::UNKNOWN,
            Some(t) => Type::new(*t),
        }
    }
    fn set_param(&mut self, n: u16, t: Oid) -> Result<()> {
        if t == oid::UNKNOWN || oid::is_polymorphic(t) {
            return Ok(());
        }
        match self.cx.params.get_mut(n as usize) {
            Some(p) if *p == 0 || *p == oid::UNKNOWN => {
                *p = t;
                Ok(())
            }
            Some(p) if *p == t => Ok(()),
            Some(p) => Err(err!(AMBIGUOUS_PARAMETER, "inconsistent types deduced for parameter ${}", n + 1)
                .detail(format!("{} versus {}", show(*p), show(t)))),
            None => Err(err!(UNDEFINED_PARAMETER, "there is no parameter ${}", n + 1)),
        }
    }
}

/// What is called: a name, and the schema that is written before it.
#[derive(Clone, Copy)]
pub(super) struct Callee<'a> {
    pub schema: Option<&'a str>,
    pub name: &'a str,
    written: bool,
}
impl<'a> Callee<'a> {
    /// One of the server's own functions, that the statement did not name.
    pub fn own(name: &'a str) -> Callee<'a> {
        Callee { schema: Some("pg_catalog"), name, written: false }
    }
    pub fn in_schema(schema: &'a str, name: &'a str) -> Callee<'a> {
        Callee { schema: Some(schema), name, written: true }
    }
    pub fn of(parts: &'a [String]) -> Result<Callee<'a>> {
        match parts {
            [name] => Ok(Callee { schema: None, name, written: true }),
            [schema, name] => Ok(Callee { schema: Some(schema), name, written: true }),
            _ => Err(Error::unsupported("functions of other databases")),
        }
    }
    /// May it be one of the server's own?
    pub fn may_be_own(self) -> bool {
        self.schema.is_none_or(|s| matches!(s, "pg_catalog" | "information_schema" | "pamir_catalog"))
    }
    /// The name by which the server knows its own; empty for what can be none of them.
    pub fn own_name(self) -> &'a str {
        if self.may_be_own() { self.name } else { "" }
    }
}
impl std::fmt::Display for Callee<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.schema {
            Some(s) if self.written => write!(f, "{s}.{}", self.name),
            _ => f.write_str(self.name),
        }
    }
}

pub(super) fn no_function(name: &str, actual: &[Oid]) -> Error {
    no_function_of(Callee::own(name), actual)
}
pub(super) fn no_function_of(callee: Callee, actual: &[Oid]) -> Error {
    let name = callee.own_name();
    if func::lacks_function(name) {
        return Error::unsupported(format!("function {name}"));
    }
    err!(UNDEFINED_FUNCTION, "function {callee}({}) does not exist", show_list(actual))
        .hint("No function matches the given name and argument types. You might need to add explicit type casts.")
}

/// A function by its name and its arguments' types.
pub struct Resolved {
    pub f: FunctionRef,
    /// The arguments as the function takes them; polymorphic ones only where they were given so.
    pub args: Vec<Oid>,
    pub ret: Oid,
}
/// The function that a call with arguments of these types means, for definitions that name one; None: there is none.
pub fn resolve_function(name: &[String], types: &[Oid], cx: &mut super::BindCtx) -> Result<Option<Resolved>> {
    let b = Binder::new(cx);
    let callee = Callee::of(name)?;
    b.check_schema(callee)?;
    let found = b.overloads::<Function>(callee);
    let actual: SmallVec<[Oid; 4]> = types.iter().map(|t| b.base_oid(*t)).collect();
    let mut cands: Vec<Cand<FunctionRef>> = Vec::new();
    for f in found.iter().filter(|f| !f.variadic) {
        if let Some(args) = spread(&f, types.len(), false) {
            cands.push(Cand { args, item: f });
        }
    }
    let given = types.iter().any(|t| oid::is_polymorphic(*t));
    let at = match given {
        true => cands.iter().position(|c| c.args.as_slice() == types),
        false => match choose(b.ways(), &cands, types, &actual) {
            Choice::One(i) => Some(i),
            Choice::None => None,
            Choice::Ambiguous => {
                return Err(err!(AMBIGUOUS_FUNCTION, "function {callee}({}) is not unique", show_list(types)));
            }
        },
    };
    let Some(c) = at.and_then(|i| cands.into_iter().nth(i)) else { return Ok(None) };
    let mut args = c.args.to_vec();
    let ret = if given { c.item.ret } else { instantiate(b.ways(), &mut args, &actual, c.item.ret)? };
    Ok(Some(Resolved { f: c.item, args, ret }))
}

/// The argument types of `f` when called with `n` arguments.
pub(super) fn spread(f: &Function, n: usize, variadic: bool) -> Option<SmallVec<[Oid; 4]>> {
    let len = f.args.len();
    if variadic {
        if !f.variadic || n != len {
            return None;
        }
        let mut v = SmallVec::from_slice(&f.args);
        let last = v.last_mut()?;
        *last = match *last {
            oid::ANY | oid::ANYELEMENT => oid::ANYARRAY,
            oid::ANYCOMPATIBLE => oid::ANYCOMPATIBLEARRAY,
            t => oid::array_of(t)?,
        };
        return Some(v);
    }
    if f.variadic && n >= len {
        let mut v: SmallVec<[Oid; 4]> = SmallVec::from_slice(&f.args);
        let last = *v.last()?;
        v.resize(n, last);
        return Some(v);
    }
    (n <= len && n + f.optional >= len).then(|| SmallVec::from_slice(&f.args[..n]))
}

/// Calls a scalar function with constants.
pub(super) fn call(
    f: &Function,
    arg_types: &[Type],
    ret: Type,
    args: &[Datum],
    env: &mut dyn Env,
) -> Option<Result<Datum>> {
    match &f.body {
        Body::Scalar(code) => {
            if f.strict && args.iter().any(Datum::is_null) {
                return Some(Ok(Datum::Null));
            }
            Some(code.call(&CallInfo { arg_types, ret }, args, env))
        }
        Body::Set(_) | Body::Series(_) => None,
    }
}

/// Casts between numbers that need no function table; None where they do.
fn fold_number(d: &Datum, to: Oid) -> Option<Result<Datum>> {
    Some(match (d, to) {
        (Datum::Int4(v), oid::INT8) => Ok(Datum::Int8(*v as i64)),
        (Datum::Int4(v), oid::INT2) => {
            i16::try_from(*v).map(Datum::Int2).map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "smallint out of range"))
        }
        (Datum::Int8(v), oid::INT4) => {
            i32::try_from(*v).map(Datum::Int4).map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range"))
        }
        (Datum::Int4(v), oid::NUMERIC) => Ok(Datum::Numeric(Numeric::from_i64(*v as i64))),
        (Datum::Int8(v), oid::NUMERIC) => Ok(Datum::Numeric(Numeric::from_i64(*v))),
        (Datum::Int4(v), oid::FLOAT8) => Ok(Datum::Float8(*v as f64)),
        (Datum::Int4(v), oid::FLOAT4) => Ok(Datum::Float4(*v as f32)),
        (Datum::Numeric(v), oid::FLOAT8) if v.to_f64().is_finite() => Ok(Datum::Float8(v.to_f64())),
        (Datum::Int4(v), oid::OID) if *v >= 0 => Ok(Datum::Oid(*v as u32)),
        _ => return None,
    })
}

/// Whether text means another time each time it is read: the words of PostgreSQL's datetime input that do, in whatever else it says.
fn names_a_moment(s: &str) -> bool {
    let s = s.to_ascii_lowercase();
    ["now", "today", "tomorrow", "yesterday"].iter().any(|w| s.contains(w))
}
