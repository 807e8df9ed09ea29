//! Calls of SQL functions replaced by their bodies (PostgreSQL's inline_function), so that plans see through them.
//!
//! ```text
//!   f(x + 1)      f(a int): select a % 3      -->      (x + 1) % 3
//! ```
//! Done while a statement is bound, not where its text is kept (views, defaults, indexes), so that what is stored names the function. A body is inlined that is
//! one SELECT of one expression over its parameters alone, of a function without SET and SECURITY DEFINER, where that says the same as the call:
//!
//! - what is declared immutable or stable holds nothing that is less; what is strict is strict in each parameter;
//! - an argument that would stand in several places is neither volatile nor costly.
//!
//! *Invariant*: whose EXECUTE was asked for is asked for still, and that of the functions that the body calls.
//!
//! What is polymorphic is of the types that it is called with.
//!
//! Limits: rows and domains as parameters and results, functions that return sets. A function over which a table of the statement has an index stays a call, for
//! the index's expression is one.
use super::{BindCtx, Binder, variable};
use pamir_catalog::function::{Function as Stored, FunctionKind};
use pamir_catalog::{IndexColumn, defs};
use pamir_expr::expr::{any, children, children_mut, each};
use pamir_expr::func::{FunctionRef, Volatility};
use pamir_expr::ir::{CastHow, Expr};
use pamir_expr::names::{Conflict, Entry, Names, What};
use pamir_expr::rels;
use pamir_parse::tree::Statement;
use pamir_types::{Oid, Result, Type, oid};
use std::sync::Arc;

/// Functions inlined in one another.
const MAX_DEPTH: usize = 8;
/// Calls that an argument may cost which stands in several places.
const CHEAP: usize = 10;

fn is_plain(t: Oid) -> bool {
    let of = oid::element_of(t).unwrap_or(t);
    let row = oid::is_composite(of) || oid::is_domain(of);
    let pseudo = [oid::RECORD, oid::VOID, oid::TRIGGER, oid::ANYELEMENT, oid::ANYARRAY, oid::ANYNONARRAY];
    let more = [oid::ANYENUM, oid::ANYRANGE, oid::ANYMULTIRANGE, oid::ANYCOMPATIBLE, oid::ANYCOMPATIBLEARRAY, oid::ANY];
    !row && !pseudo.contains(&t) && !more.contains(&t)
}
fn may_be_inlined(f: &Stored) -> bool {
    f.language == "sql"
        && f.kind == FunctionKind::Function
        && !f.set
        && !f.security_definer
        && f.settings.is_empty()
        && f.outputs().next().is_none()
        && f.params.iter().all(|p| p.mode == pamir_catalog::function::ParamMode::In)
}
/// A parameter's or result's own type, or what a polymorphic one is in a call.
fn concrete(declared: Type, given: Type) -> Type {
    let one = [oid::ANYELEMENT, oid::ANYARRAY, oid::ANYNONARRAY, oid::ANYENUM, oid::ANYRANGE, oid::ANYMULTIRANGE];
    let of_several = [oid::ANYCOMPATIBLE, oid::ANYCOMPATIBLEARRAY];
    let polymorphic = one.contains(&declared.oid) || of_several.contains(&declared.oid);
    if polymorphic { Type::new(given.oid) } else { declared }
}

impl Binder<'_, '_> {
    /// A call of a user's function, or its body in its place.
    pub(super) fn inlined(&mut self, e: Expr) -> Expr {
        let Expr::Call { f, args, ty } = &e else { return e };
        if self.inlining.is_none() || self.recording() || f.schema == pamir_catalog::well_known::PG_CATALOG {
            return e;
        }
        let Some(stored) = self.cx.catalog.function(f.oid).cloned().filter(|s| may_be_inlined(s)) else { return e };
        if self.is_indexed(&stored) {
            return e;
        }
        match self.body_for(&stored, args, *ty) {
            Ok(Some(body)) => body,
            // The call will tell.
            _ => e,
        }
    }
    /// Has a table of the statement an index over calls of it?
    fn is_indexed(&self, f: &Stored) -> bool {
        let Some(schema) = self.cx.catalog.schema(f.schema) else { return true };
        let call = format!("{}(", defs::qualified(&schema.name, &f.name));
        self.tables.iter().flat_map(|t| &t.0.indexes).any(|i| {
            let of = |c: &(IndexColumn, _)| matches!(&c.0, IndexColumn::Expr(e, _) if e.0.contains(&call));
            i.predicate.as_ref().is_some_and(|p| p.0.contains(&call)) || i.columns.iter().any(of)
        })
    }
    fn body_for(&mut self, f: &Stored, args: &[Expr], ty: Type) -> Result<Option<Expr>> {
        let active = self.inlining.clone().unwrap_or_default();
        if active.contains(&f.oid) || active.len() >= MAX_DEPTH || f.inputs().count() != args.len() {
            return Ok(None);
        }
        let script = crate::parser::parse(&f.body)?;
        let [p] = script.statements.as_slice() else { return Ok(None) };
        let Statement::Select(q) = &p.stmt else { return Ok(None) };
        let types: Vec<Type> = std::iter::zip(f.inputs(), args).map(|(p, a)| concrete(p.ty, a.ty())).collect();
        let ret = concrete(f.ret, ty);
        if !is_plain(ret.oid) || !types.iter().all(|t| is_plain(t.oid)) {
            return Ok(None);
        }
        let entry = |(i, p): (usize, &pamir_catalog::function::Param)| Entry {
            name: p.name.clone(),
            number: i as u16,
            what: What::Plain,
        };
        let entries: Vec<Entry> = f.inputs().enumerate().filter(|(_, p)| !p.name.is_empty()).map(entry).collect();
        let args_of = (0..types.len() as u16).collect();
        let scopes = vec![(Some(f.name.clone()), entries)];
        let names = Arc::new(Names { scopes, types, args: args_of, conflict: Conflict::Column });
        let mut scope = self.cx.scope.clone();
        if let Some(path) = &f.more.path {
            scope.search_path = path.split(',').map(|s| s.trim().trim_matches('"').to_string()).collect();
        }
        let before = self.cx.env.set_names(Some(names));
        let mut cx = BindCtx {
            catalog: self.cx.catalog,
            scope: &scope,
            params: Vec::new(),
            env: &mut *self.cx.env,
            text: &p.text,
        };
        let nested: Vec<Oid> = active.iter().copied().chain([f.oid]).collect();
        let bound = variable::bind_simple_within(q, Some(ret), nested, &mut cx);
        self.cx.env.set_names(before);
        let Some((mut body, called)) = bound? else { return Ok(None) };
        if body.ty().oid != ty.oid || !says_the_same(f, &body, args) {
            return Ok(None);
        }
        for oid in called {
            self.uses.call(oid);
        }
        put_in(&mut body, args);
        Ok(Some(body))
    }
}
/// Arguments in the place of parameters.
fn put_in(e: &mut Expr, args: &[Expr]) {
    if let Expr::Param(n, _) = e {
        if let Some(a) = args.get(usize::from(*n)) {
            *e = a.clone();
        }
        return;
    }
    children_mut(e, &mut |x| put_in(x, args));
}
fn says_the_same(f: &Stored, body: &Expr, args: &[Expr]) -> bool {
    let changes = match f.volatility {
        b'i' => any(body, &may_change),
        b's' => rels::is_volatile(body),
        _ => false,
    };
    if changes || f.strict && !is_strict(body) {
        return false;
    }
    let mut uses = vec![0usize; args.len()];
    each(body, &mut |e| {
        if let Expr::Param(n, _) = e
            && let Some(u) = uses.get_mut(usize::from(*n))
        {
            *u += 1;
        }
    });
    std::iter::zip(uses, args).all(|(n, a)| match n {
        0 => !f.strict,
        1 => true,
        _ => !rels::is_volatile(a) && is_cheap(a),
    })
}
/// Is it, by itself, not immutable?
fn may_change(e: &Expr) -> bool {
    let of = |f: &FunctionRef| f.volatility != Volatility::Immutable;
    match e {
        Expr::Call { f, .. } => of(f),
        Expr::Cast { f: CastHow::Func(f), .. } => of(f),
        Expr::Cast { f: CastHow::Relabel | CastHow::Typmod, .. } => false,
        Expr::Cast { .. } => true,
        _ => false,
    }
}
/// Is it NULL whenever one of its parameters is?
fn is_strict(e: &Expr) -> bool {
    let itself = match e {
        Expr::Call { f, .. } => f.strict,
        Expr::Cast { f: CastHow::Domain | CastHow::Array(_), .. } => false,
        Expr::Cast { .. } | Expr::Const(..) | Expr::Param(..) => true,
        _ => false,
    };
    let mut all = itself;
    children(e, &mut |x| all = all && is_strict(x));
    all
}
fn is_cheap(e: &Expr) -> bool {
    let (mut calls, mut users) = (0, false);
    each(e, &mut |x| match x {
        Expr::Call { f, .. } => {
            calls += 1;
            users |= f.own_name().is_empty();
        }
        Expr::Subquery(_) => users = true,
        _ => {}
    });
    calls <= CHEAP && !users
}
