//! Functions in FROM: one, several of ROWS FROM or arrays of one `unnest`, with definitions of columns and WITH ORDINALITY.
//!
//! ```text
//! a set-returning function, or one of several columns    FunctionScan
//! a function of one value                                a projection of one row
//! several functions side by side                         SideBySide of the like of these; those that have ended are filled up with NULLs
//! ```
//! All see the items before them, as if LATERAL was said.
use super::super::coerce::{Callee, instantiate, no_function};
use super::super::expr::{is_void, output_name};
use super::super::scope::{Rte, Scope};
use super::super::types::collatable;
use super::super::{Binder, types};
use super::columns_of;
use pamir_expr::func;
use pamir_expr::ir::{Expr, OutCol, Rel};
use pamir_parse::tree::{self, Alias, ColumnType, ExprKind, FuncCall, TableFunction, TableKind, TableRef};
use pamir_types::{Datum, Error, Oid, Result, Type, err, oid};

/// What a call in FROM gives.
enum Called {
    One(Expr),
    /// unnest(a, b, ...): a column for each array.
    Arrays(Vec<Expr>),
}

impl Binder<'_, '_> {
    /// The functions of the item `t`; true when they use columns of `before`.
    pub(super) fn functions(&mut self, t: &TableRef, before: &Scope) -> Result<(Rel, Scope, bool)> {
        let TableKind::Functions { items, rows_from, ordinality, columns, .. } = &t.kind else {
            return Err(Error::internal("functions were expected"));
        };
        let [one] = items.as_slice() else {
            if let Some(c) = columns.first() {
                return Err(self.several_defined(true, c));
            }
            let (rel, s, lateral) = self.side_by_side(items, t.alias.as_ref(), *ordinality, before)?;
            self.record_functions(t, &s, false, *ordinality, columns)?;
            return Ok((rel, s, lateral));
        };
        let (called, lateral) = self.call_in_from(one, before)?;
        if let Some(c) = columns.first() {
            if let Called::Arrays(_) = called {
                return Err(self.several_defined(*rows_from, c));
            }
            if *ordinality {
                let e = err!(SYNTAX_ERROR, "WITH ORDINALITY cannot be used with a column definition list")
                    .hint("Put the column definition list inside ROWS FROM().");
                return Err(self.at(e, c.at));
            }
        }
        let defined = if columns.is_empty() { &one.columns } else { columns };
        let name = output_name(&one.call);
        let shown = t.alias.as_ref().map_or(name.as_str(), |a| a.name.as_str());
        let row = match &called {
            Called::One(Expr::Call { f, ty, .. }) if f.out.len() <= 1 => Some(*ty),
            _ => None,
        };
        let row = row.filter(|ty| oid::is_composite(self.cx.catalog.base_type(*ty).oid));
        let (rel, cols, scalar) = match called {
            Called::Arrays(list) => self.unnest(list, *ordinality).map_err(|e| self.place(e, one.call.at))?,
            Called::One(e) => self.one_function(e, &one.call, shown, defined, *ordinality)?,
        };
        let mut rte = self.aliased(cols, shown, t.alias.as_ref())?;
        rte.scalar = scalar && row.is_none() && defined.is_empty();
        rte.row = row;
        let s = scope_of(rte);
        self.record_functions(t, &s, false, *ordinality, columns)?;
        Ok((rel, s, lateral))
    }

    /// One list of definitions for several functions.
    fn several_defined(&self, rows_from: bool, first: &ColumnType) -> Error {
        let e = if rows_from {
            err!(SYNTAX_ERROR, "ROWS FROM() with multiple functions cannot have a column definition list")
                .hint("Put a separate column definition list for each function inside ROWS FROM().")
        } else {
            err!(SYNTAX_ERROR, "UNNEST() with multiple arguments cannot have a column definition list").hint(
                "Use separate UNNEST() calls inside ROWS FROM(), and attach a column definition list to each one.",
            )
        };
        self.at(e, first.at)
    }

    /// Binds what is called; true when it uses columns of `before`.
    fn call_in_from(&mut self, f: &TableFunction, before: &Scope) -> Result<(Called, bool)> {
        self.scopes.push(before.clone());
        let mark = self.outer_refs.len();
        let no_agg = self.level().no_agg.replace("functions in FROM");
        let has_srf = std::mem::take(&mut self.level().has_srf);
        let r = self.called(f);
        self.level().has_srf = has_srf;
        self.level().no_agg = no_agg;
        self.scopes.pop();
        let called = r?;
        if self.recording() {
            match &called {
                Called::One(e) => self.record_call([e.clone()]),
                Called::Arrays(list) => {
                    for a in list.clone() {
                        let e = self.function("unnest", vec![a], false)?;
                        self.record_call([e]);
                    }
                }
            }
        }
        let ids = columns_of(before);
        let mut lateral = self.outer_refs[mark..].iter().any(|o| ids.contains(o));
        let values = match &called {
            Called::One(e) => std::slice::from_ref(e),
            Called::Arrays(list) => list,
        };
        for e in values {
            pamir_expr::expr::each_col(e, &mut |c| lateral |= ids.contains(&c));
        }
        Ok((called, lateral))
    }
    fn called(&mut self, f: &TableFunction) -> Result<Called> {
        let e = &f.call;
        let ExprKind::Call(call) = &e.kind else { return self.expr(e).map(Called::One) };
        let Some(callee) = self.plain(call) else { return self.expr(e).map(Called::One) };
        let mut args = Vec::with_capacity(call.args.len());
        for a in &call.args {
            args.push(self.expr(&a.value)?);
            if self.level().has_srf {
                let x = err!(FEATURE_NOT_SUPPORTED, "set-returning functions must appear at top level of FROM");
                return Err(self.at(x, a.value.leftmost()));
            }
        }
        args.retain(|a| !is_void(a));
        if calls_of(f) > 1 {
            return Ok(Called::Arrays(args));
        }
        let r = self.invoke(callee, args, call.variadic);
        r.map(Called::One).map_err(|x| {
            let culprit = self.culprit.and_then(|i| call.args.get(i));
            self.place(x, culprit.map_or(e.at, |a| a.value.leftmost()))
        })
    }

    /// A function that its arguments alone decide about: no aggregate, and nothing but values in its parentheses.
    fn plain<'t>(&self, f: &'t FuncCall) -> Option<Callee<'t>> {
        let callee = Callee::of(&f.name).ok()?;
        let values = !f.star && !f.distinct && f.order_by.is_empty() && f.args.iter().all(|a| a.name.is_none());
        let behind = f.filter.is_some() || f.over.is_some() || f.within_group;
        let aggregate = self.is_aggregate(callee, f) || func::ordered_set::direct_args(callee.own_name()).is_some();
        (values && !behind && !aggregate).then_some(callee)
    }

    /// A call's rows and columns, and whether it gives plain values. `shown`: the name that a column without one takes.
    fn one_function(
        &mut self,
        e: Expr,
        written: &tree::Expr,
        shown: &str,
        defined: &[ColumnType],
        ordinality: bool,
    ) -> Result<(Rel, Vec<OutCol>, bool)> {
        let ty = e.ty();
        let (f, args) = match e {
            Expr::Call { f, args, .. } => (f, args),
            // A cast written as a function, or the like.
            e => {
                if let Some(c) = defined.first() {
                    let x = err!(
                        SYNTAX_ERROR,
                        "a column definition list is only allowed for functions returning \"record\""
                    );
                    return Err(self.at(x, c.at));
                }
                return Ok(self.one_row(e, shown, ordinality));
            }
        };
        let base = self.cx.catalog.base_type(ty);
        // One OUT parameter is what the function returns, a row too.
        let whole = f.out.is_empty() || f.out.len() == 1 && oid::is_composite(base.oid);
        let shape = self.shape(base).filter(|_| whole);
        let record = ty.oid == oid::RECORD && f.out.is_empty() && shape.is_none();
        match defined.first() {
            Some(c) if !record => {
                let what = if !f.out.is_empty() {
                    "redundant for a function with OUT parameters"
                } else if shape.is_some() {
                    "redundant for a function returning a named composite type"
                } else {
                    "only allowed for functions returning \"record\""
                };
                return Err(self.at(err!(SYNTAX_ERROR, "a column definition list is {what}"), c.at));
            }
            None if record => return Err(self.undefined_record(written)),
            _ => {}
        }
        // One row with OUT parameters has columns as well.
        let fields = f.ret == oid::RECORD && !f.out.is_empty();
        if !f.body.is_set() && !record && !fields && shape.is_none() {
            let out = f
                .out
                .first()
                .map(|o| o.0.to_string())
                .filter(|n| f.schema != pamir_catalog::well_known::PG_CATALOG && !n.is_empty());
            return Ok(self.one_row(Expr::Call { f, args, ty }, out.as_deref().unwrap_or(shown), ordinality));
        }
        let cols: Vec<OutCol> = if record {
            self.defined_columns(defined)?
        } else if let Some(shape) = shape {
            shape.iter().map(|(n, t)| self.out(n.clone(), self.cx.catalog.base_type(*t))).collect()
        } else if f.out.is_empty() {
            vec![self.out(shown, ty)]
        } else {
            let fields = self.out_columns(&f, &args, ty);
            fields.into_iter().map(|(n, t)| self.out(n, t)).collect()
        };
        self.record_rows(ty, &cols);
        let ord = ordinality.then(|| self.out("ordinality", Type::INT8));
        let mut all = cols.clone();
        all.extend(ord.clone());
        let scalar = all.len() == 1;
        Ok((Rel::FunctionScan { f, args, cols, ordinality: ord }, all, scalar))
    }
    fn undefined_record(&self, call: &tree::Expr) -> Error {
        let e = err!(SYNTAX_ERROR, "a column definition list is required for functions returning \"record\"");
        self.at(e, call.leftmost())
    }

    /// The columns of `AS (a int, b text)`.
    fn defined_columns(&mut self, defined: &[ColumnType]) -> Result<Vec<OutCol>> {
        let mut cols = Vec::with_capacity(defined.len());
        for c in defined {
            let ty = types::bind_type(&c.ty, self.cx.catalog, self.cx.scope).map_err(|e| self.place(e, c.ty.at))?;
            if c.ty.setof {
                let e = err!(INVALID_TABLE_DEFINITION, "column \"{}\" cannot be declared SETOF", c.name);
                return Err(self.at(e, c.at));
            }
            if let Some(collation) = &c.collation {
                collatable(collation, ty).map_err(|e| self.place(e, collation.at))?;
            }
            cols.push(self.out(c.name.clone(), ty));
        }
        Ok(cols)
    }

    /// unnest(a, b, ...): one column per array.
    fn unnest(&mut self, arrays: Vec<Expr>, ordinality: bool) -> Result<(Rel, Vec<OutCol>, bool)> {
        let mut cols = Vec::with_capacity(arrays.len());
        for a in &arrays {
            let Some(elem) = a.ty().element() else {
                return Err(no_function("unnest", &[a.ty().oid]));
            };
            cols.push(self.out("unnest", elem));
        }
        let Some(f) = func::functions(func::srf::UNNEST_MANY).first() else {
            return Err(Error::internal("unnest is not registered"));
        };
        let ord = ordinality.then(|| self.out("ordinality", Type::INT8));
        let mut all = cols.clone();
        all.extend(ord.clone());
        Ok((Rel::FunctionScan { f: (*f).into(), args: arrays, cols, ordinality: ord }, all, false))
    }

    /// One value: a row, the first.
    fn one_row(&mut self, e: Expr, shown: &str, ordinality: bool) -> (Rel, Vec<OutCol>, bool) {
        let value = self.out(shown, e.ty());
        let mut exprs = vec![(e, value)];
        if ordinality {
            let ord = self.out("ordinality", Type::INT8);
            exprs.push((Expr::Const(Datum::Int8(1), Type::INT8), ord));
        }
        let cols: Vec<OutCol> = exprs.iter().map(|x| x.1.clone()).collect();
        (Rel::Project { input: Box::new(Rel::One), exprs }, cols, !ordinality)
    }

    /// Several functions of ROWS FROM: each is called once, as if it stood alone.
    fn side_by_side(
        &mut self,
        items: &[TableFunction],
        alias: Option<&Alias>,
        ordinality: bool,
        before: &Scope,
    ) -> Result<(Rel, Scope, bool)> {
        let (mut rels, mut cols, mut lateral) = (Vec::with_capacity(items.len()), Vec::new(), false);
        for item in items {
            let (called, lat) = self.call_in_from(item, before)?;
            lateral |= lat;
            let (rel, own, _) = match called {
                Called::Arrays(list) => self.unnest(list, false).map_err(|e| self.place(e, item.call.at))?,
                Called::One(e) => {
                    let name = output_name(&item.call);
                    self.one_function(e, &item.call, &name, &item.columns, false)?
                }
            };
            rels.push(rel);
            cols.extend(own);
        }
        let ordinality = ordinality.then(|| self.out("ordinality", Type::INT8));
        cols.extend(ordinality.clone());
        let first = items.first().map_or_else(String::new, |f| output_name(&f.call));
        let name = alias.map_or(first.as_str(), |a| a.name.as_str());
        let rte = self.aliased(cols, name, alias)?;
        Ok((Rel::SideBySide { items: rels, ordinality }, scope_of(rte), lateral))
    }
}

impl Binder<'_, '_> {
    /// Names and types of a function's OUT columns: polymorphic ones take what the arguments make of them, those without a name their number.
    pub(in crate::bind) fn out_columns(&self, f: &func::Function, args: &[Expr], result: Type) -> Vec<(String, Type)> {
        let actual: Vec<Oid> = args.iter().map(|e| self.base_oid(e.ty().oid)).collect();
        let of = |t: Oid| {
            if !oid::is_polymorphic(t) {
                return Type::new(t);
            }
            if result.oid != oid::RECORD || f.args.len() != actual.len() {
                return result;
            }
            instantiate(self.ways(), &mut f.args.to_vec(), &actual, t).map_or(result, Type::new)
        };
        let name = |i: usize, n: &str| if n.is_empty() { format!("column{}", i + 1) } else { n.to_string() };
        f.out.iter().enumerate().map(|(i, (n, t))| (name(i, n), of(*t))).collect()
    }
}

/// How many calls one that is written is: unnest(a, b) is two.
pub(in crate::bind) fn calls_of(f: &TableFunction) -> usize {
    match &f.call.kind {
        ExprKind::Call(c) if matches!(c.name.as_slice(), [n] if n == "unnest") => {
            let plain = !c.star && !c.distinct && c.order_by.is_empty() && c.args.iter().all(|a| a.name.is_none());
            if plain && !c.variadic && f.columns.is_empty() { c.args.len().max(1) } else { 1 }
        }
        _ => 1,
    }
}
fn scope_of(rte: Rte) -> Scope {
    let mut s = Scope::default();
    s.add(rte);
    s
}
