//! The binder: AST to bound statements.
//!
//! ```text
//! ast::Statement --dml / select--> relations   (from: FROM items and joins; select: one SELECT, set operations, WITH)
//!                     |
//!                     +--expr----> expressions (scope: what a name means; coerce: types, casts, overloads)
//! ```
//! One [`Binder`] binds one statement. It keeps a stack of [`scope::Scope`]s, innermost last: a name is looked up from the top downwards, and a column found
//! below the top is a correlated (or lateral) reference: simply a [`ColId`] that the subquery's own relation does not produce.
//!
//! Literals of unknown type and parameters travel as type `unknown` until something gives them one ([`coerce`]); a literal is then read by that type's input function
//! at once, as PostgreSQL does. What nothing types becomes `text`.
//!
//! Aggregates are taken out of their expressions when met and stand as columns of [`Rel::Aggregate`]; grouping expressions are recognized afterwards, by structure
//! ([`group`]).
mod coerce;
pub mod dml;
mod expr;
mod family;
mod from;
mod group;
mod inline;
mod overload;
pub mod policy;
mod presence;
pub mod record;
mod scope;
pub mod select;
#[cfg(test)]
mod tests;
mod types;
mod uses;
mod variable;
mod walk;
pub mod window;

use pamir_catalog::{Catalog, NameScope, SqlText, Table};
use pamir_expr::env::Env;
use pamir_expr::func::CastContext;
use pamir_expr::ir::{AggCall, BoundKind, BoundStatement, ColId, Cte, Expr, OutCol, WindowCall};
use pamir_parse::tree::{self, At, Statement};
use pamir_txn::TableLock;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use scope::{Scope, SubScope};
use std::sync::Arc;

pub use coerce::{Resolved, resolve_function};
pub use expr::figure_name;
pub use scope::bare_row;
pub use types::bind_type;
pub use variable::{bind_call, bind_cast, bind_simple, only_target};

/// What binding needs to know.
pub struct BindCtx<'a> {
    pub catalog: &'a Catalog,
    pub scope: &'a NameScope,
    /// Declared parameter types (0 = infer); extended as $n are met.
    pub params: Vec<Oid>,
    /// For folding casts of literals and reg* look-ups.
    pub env: &'a mut dyn Env,
    /// The statement's text, for error positions.
    pub text: &'a str,
}

/// Binds a query, INSERT, UPDATE, DELETE, MERGE (also VALUES, TABLE, WITH).
pub fn bind(stmt: &Statement, cx: &mut BindCtx) -> Result<BoundStatement> {
    let (mut bound, branches) = bind_step(stmt, Vec::new(), cx)?;
    if branches.is_empty() {
        return Ok(bound);
    }
    if bound.ctes.iter().any(|c| matches!(c.rel, pamir_expr::ir::Rel::Modify(..))) {
        let what = "rules of several statements for a query with data-modifying statements in WITH";
        return Err(Error::unsupported(what));
    }
    let mut all = Vec::new();
    bind_others(stmt, &mut Vec::new(), None, &branches, &mut all, cx)?;
    let mut before = true;
    for other in all {
        let Some(other) = other else {
            before = false;
            continue;
        };
        bound.tables.extend(other.tables.iter().cloned());
        bound.uses.extend(other.uses.iter().cloned());
        bound.effects |= other.effects;
        bound.folded += other.folded;
        if bound.failed.is_none() {
            bound.failed.clone_from(&other.failed);
        }
        bound.beside.push((before, other));
    }
    Ok(bound)
}
/// The most statements that rules make of one.
const MAX_RULED: usize = 1000;
/// All statements that rules make of one, in their order. `bound`: the one at the end of `branches`, which were met behind `path`; None: the one that answers.
fn bind_others(
    stmt: &Statement,
    path: &mut Vec<usize>,
    mut bound: Option<BoundStatement>,
    branches: &[(usize, usize)],
    out: &mut Vec<Option<BoundStatement>>,
    cx: &mut BindCtx,
) -> Result<()> {
    let Some(((n, main), rest)) = branches.split_first() else {
        out.push(bound);
        return Ok(());
    };
    for step in 0..*n {
        path.push(step);
        if step == *main {
            bind_others(stmt, path, bound.take(), rest, out, cx)?;
        } else {
            if out.len() >= MAX_RULED {
                bail!(STATEMENT_TOO_COMPLEX, "rules make more than {MAX_RULED} statements of this one");
            }
            let (other, deeper) = bind_step(stmt, path.clone(), cx)?;
            bind_others(stmt, path, Some(other), &deeper, out, cx)?;
        }
        path.pop();
    }
    Ok(())
}
/// One of the statements that rules make of `stmt`: where they branch the one that `path` names, and behind its end the one that answers, with what there was to
/// choose from.
#[allow(clippy::type_complexity)]
fn bind_step(stmt: &Statement, path: Vec<usize>, cx: &mut BindCtx) -> Result<(BoundStatement, Vec<(usize, usize)>)> {
    let mut b = Binder::knowing_names(cx);
    b.ruled.given = path;
    let (kind, output) = match stmt {
        Statement::Select(q) => {
            let q = b.query(q, None, true)?;
            (BoundKind::Select(q.rel), q.cols)
        }
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) | Statement::Merge(_) => {
            let m = b.modify(stmt)?;
            let out = m.returning.iter().flatten().map(|(_, c)| c.clone()).collect();
            (BoundKind::Modify(m), out)
        }
        _ => return Err(Error::internal("this statement is not bound here")),
    };
    if let Some(n) = b.cx.params.iter().position(|t| *t == 0 || *t == oid::UNKNOWN) {
        bail!(INDETERMINATE_DATATYPE, "could not determine data type of parameter ${}", n + 1);
    }
    let params = b.cx.params.iter().map(|t| Type::new(*t)).collect();
    // A record's typmod names its fields inside the statement; clients know none.
    let output =
        output.into_iter().map(|c| if c.ty.oid == oid::RECORD { OutCol { ty: c.ty.base(), ..c } } else { c }).collect();
    // Functions that write (nextval) refuse by themselves.
    let read_only = matches!(kind, BoundKind::Select(_)) && b.tables.iter().all(|t| t.1 == TableLock::AccessShare);
    let uses = b.uses.done();
    let mut bound = BoundStatement {
        kind,
        ctes: b.ctes,
        output,
        params,
        next_col: b.next_col,
        tables: b.tables,
        read_only,
        effects: b.effects,
        uses,
        failed: None,
        folded: 0,
        beside: Vec::new(),
    };
    let branches = b.ruled.found;
    if let Err(e) = pamir_expr::fold::eager::statement(&mut bound, cx.env) {
        // A cancel, a shortage, a lost leader are this moment's; what a function says, a user's with any code, is said by each run of the statement.
        if ["08", "40", "53", "57", "58", "XX"].iter().any(|class| e.code().as_str().starts_with(class)) {
            return Err(e);
        }
        bound.failed = Some(e);
    }
    Ok((bound, branches))
}

/// The attnums that a table's stored expression reads, in the order of their first appearance.
pub fn columns_of_stored(text: &str, t: &Table, cx: &mut BindCtx) -> Result<Vec<i16>> {
    let e = crate::parser::parse_stored_expr(text)?;
    let cols: Vec<(i16, ColId)> = t.live_columns().map(|c| (c.attnum, c.attnum as ColId)).collect();
    let bound = bind_table_expr(&e, Some((t, &cols)), None, cx)?;
    let mut found: Vec<i16> = Vec::new();
    pamir_expr::expr::each_col(&bound, &mut |c| {
        if !found.contains(&(c as i16)) {
            found.push(c as i16);
        }
    });
    Ok(found)
}

/// Binds an expression over one table's columns: defaults, CHECKs, index expressions and predicates. `cols` maps attnum to the ColId it is to use. `target`: assignment-cast the result.
pub fn bind_table_expr(
    e: &tree::Expr,
    table: Option<(&Table, &[(i16, ColId)])>,
    target: Option<Type>,
    cx: &mut BindCtx,
) -> Result<Expr> {
    bind_table_expr_in(e, table, target, None, false, cx)
}
/// As [`bind_table_expr`], where aggregates and set-returning functions are refused as such in `place`; `inlined`: with the bodies of SQL functions in the
/// place of calls where a query would have them, which says how changeable the value is.
pub fn bind_table_expr_in(
    e: &tree::Expr,
    table: Option<(&Table, &[(i16, ColId)])>,
    target: Option<Type>,
    place: Option<&'static str>,
    inlined: bool,
    cx: &mut BindCtx,
) -> Result<Expr> {
    let mut b = Binder { inlining: inlined.then(Vec::new), ..Binder::new(cx) };
    let mut s = Scope::default();
    if let Some((t, cols)) = table {
        s.add(scope::Rte::table_cols(&t.name, t, cols));
    }
    b.scopes.push(s);
    if place.is_some() {
        (b.level().no_agg, b.level().no_srf) = (place, place);
    }
    let e = match target {
        Some(t) => b.row_for(e, t)?,
        None => b.expr(e)?,
    };
    if b.has_subquery {
        return Err(Error::unsupported("a subquery in a table's expression"));
    }
    match target {
        Some(t) => {
            let from = e.ty().oid;
            match b.try_coerce(e, t, CastContext::Assignment)? {
                Some(e) => Ok(e),
                None => bail!(
                    DATATYPE_MISMATCH,
                    "expression is of type {} and cannot be converted to type {}",
                    coerce::show(from),
                    coerce::show(t.oid)
                ),
            }
        }
        None => b.known(e),
    }
}

/// Binds an expression that `table` stores, with slot = attnum - 1.
pub fn bind_stored(table: &Table, text: &SqlText, target: Option<Type>, env: &mut dyn Env) -> Result<Expr> {
    let cols: Vec<(i16, ColId)> = table.live_columns().map(|c| (c.attnum, (c.attnum - 1) as ColId)).collect();
    let catalog = env.catalog().clone();
    let scope = NameScope::stored(env.scope().database);
    let tree = crate::parser::parse_stored_expr(&text.0)?;
    let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env, text: &text.0 };
    bind_table_expr(&tree, Some((table, &cols)), target, &mut cx)
}

/// What a column of an index over a stored expression is called.
pub fn name_of_stored(text: &SqlText) -> String {
    let tree = crate::parser::parse_stored_expr(&text.0);
    tree.ok().and_then(|e| figure_name(&e)).unwrap_or_else(|| "expr".into())
}
/// An argument of EXECUTE, for the parameter `number` of type `ty`.
pub fn bind_argument(e: &tree::Expr, number: usize, ty: Type, cx: &mut BindCtx) -> Result<Expr> {
    let mut b = Binder::new(cx);
    b.scopes.push(Scope::default());
    let place = "EXECUTE parameters";
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let x = b.expr(e)?;
    if b.has_subquery {
        return Err(b.at(err!(FEATURE_NOT_SUPPORTED, "cannot use subquery in EXECUTE parameter"), e.leftmost()));
    }
    let from = x.ty().oid;
    let x = b.try_coerce(x, ty, CastContext::Assignment).map_err(|x| b.place(x, e.leftmost()))?;
    x.ok_or_else(|| {
        let (from, to) = (coerce::show(from), coerce::show(ty.oid));
        let x =
            err!(DATATYPE_MISMATCH, "parameter ${number} of type {from} cannot be coerced to the expected type {to}");
        b.at(x.hint("You will need to rewrite or cast the expression."), e.leftmost())
    })
}

/// The condition of COPY FROM over `table`'s columns, with slot = attnum - 1.
pub fn bind_copy_condition(e: &tree::Expr, table: &Table, cx: &mut BindCtx) -> Result<Expr> {
    let cols: Vec<(i16, ColId)> = table.live_columns().map(|c| (c.attnum, (c.attnum - 1) as ColId)).collect();
    let mut b = Binder::new(cx);
    let mut s = Scope::default();
    s.add(scope::Rte::table_cols(&table.name, table, &cols));
    b.scopes.push(s);
    let place = "COPY FROM WHERE conditions";
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let bound = b.expr(e)?;
    if b.has_subquery {
        bail!(FEATURE_NOT_SUPPORTED, "cannot use subquery in COPY FROM WHERE condition");
    }
    b.to_bool(bound, "WHERE").map_err(|x| b.place(x, e.leftmost()))
}

/// A trigger's condition over the rows `old` and `new`: columns as [`pamir_expr::access::whens`] numbers them.
pub fn bind_trigger_condition(e: &tree::Expr, table: &Table, cx: &mut BindCtx) -> Result<Expr> {
    let mut b = Binder::new(cx);
    let mut s = Scope::default();
    for (name, base) in [("old", 0), ("new", pamir_expr::access::NEW)] {
        let cols: Vec<(i16, ColId)> =
            table.live_columns().map(|c| (c.attnum, base + (c.attnum - 1) as ColId)).collect();
        s.add(scope::Rte::table_cols(name, table, &cols));
    }
    b.scopes.push(s);
    let place = "trigger WHEN conditions";
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let bound = b.expr(e)?;
    if b.has_subquery {
        bail!(FEATURE_NOT_SUPPORTED, "cannot use subquery in trigger WHEN condition");
    }
    b.to_bool(bound, "WHEN").map_err(|x| b.place(x, e.leftmost()))
}
/// A rule's condition: of an INSERT's rows there are new ones alone, of a DELETE's old ones.
pub fn bind_rule_condition(
    e: &tree::Expr,
    table: &Table,
    event: pamir_catalog::rule::Event,
    cx: &mut BindCtx,
) -> Result<Expr> {
    use pamir_catalog::rule::Event;
    let mut b = Binder::new(cx);
    let mut s = Scope::default();
    for (name, base, hidden) in
        [("old", 0, event == Event::Insert), ("new", pamir_expr::access::NEW, event == Event::Delete)]
    {
        let cols: Vec<(i16, ColId)> =
            table.live_columns().map(|c| (c.attnum, base + (c.attnum - 1) as ColId)).collect();
        let rte = scope::Rte { hidden, ..scope::Rte::table_cols(name, table, &cols) };
        if hidden { s.rtes.push(rte) } else { s.add(rte) }
    }
    b.scopes.push(s);
    let place = "WHERE";
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let bound = b.expr(e)?;
    b.to_bool(bound, "WHERE").map_err(|x| b.place(x, e.leftmost()))
}
/// The same of one that is stored.
pub fn bind_when(table: &Table, text: &SqlText, env: &mut dyn Env) -> Result<Expr> {
    let catalog = env.catalog().clone();
    let scope = NameScope::stored(env.scope().database);
    let tree = crate::parser::parse_stored_expr(&text.0)?;
    let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env, text: &text.0 };
    bind_trigger_condition(&tree, table, &mut cx)
}

/// A name made by WITH.
struct CteName {
    name: String,
    index: usize,
    /// Inside its own recursive body: a reference is the working table.
    working: bool,
    cols: Vec<OutCol>,
    /// Where it was referred to.
    refs: Vec<At>,
    /// It depends on columns outside: see [`Rel::With`].
    varies: Option<ColId>,
}
/// A call of GROUPING().
#[derive(Clone)]
struct GroupingCall {
    /// The column that stands for it.
    id: ColId,
    args: Vec<Expr>,
    /// Where the first argument stands.
    at: At,
}

/// What one query level collects while its expressions are bound.
#[derive(Default)]
struct Level {
    aggs: Vec<AggCall>,
    windows: Vec<WindowCall>,
    /// The WINDOW clause.
    named_windows: Vec<(String, window::Spec)>,
    /// Window functions may stand here: in the select list and ORDER BY.
    window_ok: bool,
    /// Inside a window function's arguments or its window.
    in_window: bool,
    /// Why window functions are not allowed just now, where aggregates are.
    no_window: Option<&'static str>,
    /// Inside an aggregate's arguments.
    in_agg: bool,
    /// Its FROM has the working table of a recursive query.
    reads_itself: bool,
    /// Why aggregates are not allowed just now (`WHERE`).
    no_agg: Option<&'static str>,
    /// Why set-returning functions are not allowed just now.
    no_srf: Option<&'static str>,
    has_srf: bool,
    /// The last set-returning function.
    set_at: Option<At>,
    /// Columns referenced outside aggregates, with where.
    refs: Vec<(ColId, At)>,
    /// Direct arguments of ordered-set aggregates: grouped columns only.
    direct_args: Vec<Expr>,
    /// Calls of GROUPING(), resolved by `group`.
    grouping: Vec<GroupingCall>,
    /// Scopes that were visible when the level began: they are the outer levels'.
    base: usize,
}

struct Binder<'c, 'a> {
    cx: &'c mut BindCtx<'a>,
    next_col: ColId,
    tables: Vec<(Arc<Table>, TableLock)>,
    uses: uses::Uses,
    ctes: Vec<Cte>,
    cte_names: Vec<CteName>,
    /// Names that WITH gives to queries behind the one that is bound.
    coming: Vec<String>,
    scopes: Vec<Scope>,
    levels: Vec<Level>,
    /// Columns of outer scopes that were referenced, in order.
    outer_refs: Vec<ColId>,
    /// Whole rows read whose relations do not give their presence yet: the column for it, and one of the relation's own.
    presences: Vec<(ColId, ColId)>,
    /// CTEs read whose rows depend on something outside of them, in the order of the references.
    varying: Vec<usize>,
    /// Aggregates written in a subquery that belong to an outer level: result column and level.
    outer_aggs: Vec<(ColId, usize)>,
    volatile: bool,
    /// A function was called that may change or lock something.
    effects: bool,
    has_subquery: bool,
    /// The system columns that the text may name: looked for once, not for each relation.
    named: std::cell::OnceCell<from::Named>,
    depth: usize,
    /// Which of several expressions did not fit, for the error's place.
    culprit: Option<usize>,
    /// Keeps what is said, where the text is asked for.
    recorder: Option<Box<record::Recorder>>,
    /// The views that it is inside of.
    views: Vec<Oid>,
    /// Whose policies count of the tables that are read: a view's owner; None: the user's.
    reader: Option<Oid>,
    /// The table whose policy is bound within itself: a subquery there would never end.
    no_subquery: Option<String>,
    /// Tables read with their policies.
    guarded: Vec<policy::Guarded>,
    /// Tables read with those that inherit from them.
    families: Vec<family::Scanned>,
    /// Names of a function's variables (see [`variable`]).
    names: Option<Arc<pamir_expr::names::Names>>,
    /// A procedure may be called: the statement is CALL.
    calling: bool,
    /// The call is as it was written: what has OUT parameters needs an argument for each.
    outs_written: bool,
    /// Functions in whose bodies it is, for inlining them; None: calls stay as they are written.
    inlining: Option<Vec<pamir_types::Oid>>,
    /// Which of the statements that rules make of this one it is (see [`dml::ruled`]).
    ruled: dml::ruled::Path,
    /// Inside of WITH.
    in_cte: bool,
    /// What MERGE sets is bound.
    merging: bool,
}

/// Nesting of expressions and queries in the binder (the parser bounds it first; stored expressions come here too).
const MAX_DEPTH: usize = 6000;
/// Stack that must be left to go one query level deeper: what planning and running the statement need.
const STACK_RESERVE: usize = 3 << 20;

impl<'c, 'a> Binder<'c, 'a> {
    fn new(cx: &'c mut BindCtx<'a>) -> Self {
        Binder {
            cx,
            next_col: 1,
            tables: Vec::new(),
            uses: uses::Uses::default(),
            ctes: Vec::new(),
            cte_names: Vec::new(),
            coming: Vec::new(),
            scopes: Vec::new(),
            levels: vec![Level::default()],
            outer_refs: Vec::new(),
            presences: Vec::new(),
            varying: Vec::new(),
            outer_aggs: Vec::new(),
            volatile: false,
            effects: false,
            has_subquery: false,
            named: Default::default(),
            depth: 0,
            culprit: None,
            recorder: None,
            views: Vec::new(),
            reader: None,
            no_subquery: None,
            guarded: Vec::new(),
            families: Vec::new(),
            names: None,
            calling: false,
            outs_written: false,
            inlining: None,
            ruled: Default::default(),
            in_cte: false,
            merging: false,
        }
    }
    fn new_col(&mut self) -> ColId {
        self.next_col += 1;
        self.next_col - 1
    }
    fn out(&mut self, name: impl Into<String>, ty: Type) -> OutCol {
        OutCol { id: self.new_col(), name: name.into(), ty, origin: None }
    }
    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let n = self.levels.len() - 1;
        &mut self.levels[n]
    }
    fn position(&self, at: At) -> Option<u32> {
        crate::parser::position(self.cx.text, at)
    }
    /// Gives an error the place of a node, unless it has one.
    fn place(&self, e: Error, at: At) -> Error {
        if e.data().position.is_some() { e } else { self.at(e, at) }
    }
    fn at(&self, e: Error, at: At) -> Error {
        e.at(self.position(at))
    }
    fn use_table(&mut self, t: &Arc<Table>, lock: TableLock) {
        if let Some(x) = self.tables.iter_mut().find(|x| x.0.oid == t.oid) {
            x.1 = x.1.max(lock);
        } else {
            self.tables.push((t.clone(), lock));
        }
    }
    /// Binds something nested under its own query level; `f` runs with the scopes as they are.
    fn subquery_level<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, Vec<ColId>)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH || pamir_storage::task::stack_left().is_some_and(|n| n < STACK_RESERVE) {
            self.depth -= 1;
            return Err(pamir_expr::deep::too_deep());
        }
        let start = self.next_col;
        let mark = self.outer_refs.len();
        self.levels.push(Level { base: self.scopes.len(), ..Level::default() });
        let r = f(self);
        self.levels.pop();
        self.depth -= 1;
        let r = r?;
        let here = self.levels.len();
        let mut outer: Vec<ColId> = self.outer_refs[mark..]
            .iter()
            .copied()
            .filter(|c| match self.outer_aggs.iter().find(|a| a.0 == *c) {
                Some((_, level)) => *level < here,
                None => *c < start,
            })
            .collect();
        outer.sort_unstable();
        outer.dedup();
        self.outer_refs.truncate(mark);
        self.outer_refs.extend_from_slice(&outer);
        Ok((r, outer))
    }
    /// A stored expression (default, generated column) of `table`, bound with positions off.
    fn stored(&mut self, sql: &str, table: Option<(&Table, &[(i16, ColId)])>, target: Type) -> Result<Expr> {
        let ast = crate::parser::parse_stored_expr(sql)?;
        let scope = NameScope::stored(self.cx.scope.database);
        let mut cx =
            BindCtx { catalog: self.cx.catalog, scope: &scope, params: Vec::new(), env: &mut *self.cx.env, text: "" };
        bind_table_expr(&ast, table, Some(target), &mut cx)
    }
    fn sub_scope(&mut self, s: Scope) -> SubScope {
        self.scopes.push(s);
        SubScope(self.scopes.len())
    }
    fn leave(&mut self, s: SubScope) -> Scope {
        self.scopes.truncate(s.0);
        self.scopes.pop().unwrap_or_default()
    }
}
