//! SEARCH and CYCLE of recursive queries, written as what they mean (PostgreSQL's rewriteSearchAndCycle):
//!
//! ```text
//! q(a, b) AS (L UNION ALL R) SEARCH DEPTH FIRST BY a SET s CYCLE a SET m USING p
//!   L  ->  SELECT l.a, l.b, ARRAY[ROW(l.a)], false, ARRAY[ROW(l.a)] FROM (L) l(a, b)
//!   R  ->  SELECT r.a, r.b, r.s || ARRAY[ROW(r.a)], CASE WHEN ROW(r.a) = ANY (r.p) THEN true ELSE false END, r.p || ARRAY[ROW(r.a)]
//!          FROM (R with q.s, q.m, q.p behind its columns, WHERE ... AND q.m <> true) r(a, b, s, m, p)
//! ```
//! SEARCH BREADTH FIRST has records of the depth and the columns instead of paths: `(0, l.a)`, and `(depth of r.s + 1, r.a)`, whose depth is read by way of
//! JSON, since a record without a type has no fields by name.
//!
//! Limits: `*` over more than the query itself in R, and both clauses in a view.
use super::super::coerce::{self, show};
use super::super::{Binder, figure_name};
use pamir_catalog::defs::quote_ident;
use pamir_expr::func;
use pamir_parse::tree::{
    self, Alias, At, Cte, Cycle, Expr, ExprKind, Literal, OperatorName, Search, Select, SelectBody, SelectCore,
    Statement, Symbol, TableKind, TableRef, Target,
};
use pamir_types::{Error, Result, bail, err, oid};

/// What the two sides are called; no written name is.
const LEFT: &str = "*TLOCRN*";
const RIGHT: &str = "*TROCRN*";

fn of(kind: ExprKind) -> Expr {
    Expr { kind, at: At::NOWHERE }
}
fn column(table: &str, name: &str) -> Expr {
    of(ExprKind::Column { path: vec![table.into(), name.into()], star: false })
}
fn row(table: &str, columns: &[String]) -> Expr {
    of(ExprKind::Row { fields: columns.iter().map(|c| column(table, c)).collect(), explicit: true })
}
fn operator(symbol: &'static str, left: Expr, right: Expr) -> Expr {
    let op = OperatorName { schema: vec!["pg_catalog".into()], symbol: Symbol::Known(symbol) };
    of(ExprKind::Operator { op, left: Some(Box::new(left)), right: Box::new(right) })
}
/// A path with a row more.
fn longer(path: Expr, row: Expr) -> Expr {
    operator("||", path, of(ExprKind::Array(vec![row])))
}
fn case(when: Expr, then: &Expr, otherwise: &Expr) -> Expr {
    let whens = vec![(when, then.clone())];
    of(ExprKind::Case { arg: None, whens, default: Some(Box::new(otherwise.clone())) })
}
fn target(expr: Expr, name: &str) -> Target {
    Target { expr, name: Some(name.into()), at: At::NOWHERE }
}
/// `SELECT targets FROM (query) name(columns)`
fn around(query: Select, name: &str, columns: Vec<String>, targets: Vec<Target>) -> Select {
    let at = query.at;
    let kind = TableKind::Subquery { query: Box::new(query), lateral: false };
    let from = vec![TableRef { kind, alias: Some(Alias { name: name.into(), columns }), at }];
    let core = SelectCore { targets, from, ..SelectCore::default() };
    Select {
        with: None,
        body: SelectBody::Select(Box::new(core)),
        order_by: Vec::new(),
        limit: None,
        with_ties: false,
        offset: None,
        locking: Vec::new(),
        at,
    }
}
/// What the FROM item is called that names the query; not within subqueries.
fn called<'t>(t: &'t TableRef, name: &str) -> Option<&'t str> {
    match &t.kind {
        TableKind::Relation(r, None) if matches!(r.parts.as_slice(), [n] if n == name) => {
            Some(t.alias.as_ref().map_or(r.parts.last()?.as_str(), |a| a.name.as_str()))
        }
        TableKind::Join(j) => called(&j.left, name).or_else(|| called(&j.right, name)),
        _ => None,
    }
}

impl Binder<'_, '_> {
    /// The query without the clauses; None where it has none.
    /// With it, what is wrong with the clauses where nothing is with the query under them.
    pub(super) fn searched(&mut self, c: &Cte, recursive: bool) -> Result<Option<(Cte, Option<Error>)>> {
        let Some(at) = c.search.as_ref().map(|s| s.at).or(c.cycle.as_ref().map(|c| c.at)) else { return Ok(None) };
        let refuse = |b: &Self, text: &str| Err(b.at(err!(FEATURE_NOT_SUPPORTED, "{text}"), at));
        if !recursive {
            return Err(self.at(err!(SYNTAX_ERROR, "WITH query is not recursive"), c.at));
        }
        let Statement::Select(q) = &c.query else { return Err(Error::unsupported("SEARCH and CYCLE here")) };
        let SelectBody::SetOp { op: tree::SetOp::Union, left, right, .. } = &q.body else {
            return Err(self.at(err!(SYNTAX_ERROR, "WITH query is not recursive"), c.at));
        };
        let (SelectBody::Select(_) | SelectBody::Values(_), None) = (&left.body, &left.with) else {
            return refuse(self, "with a SEARCH or CYCLE clause, the left side of the UNION must be a SELECT");
        };
        let (SelectBody::Select(core), None) = (&right.body, &right.with) else {
            return refuse(self, "with a SEARCH or CYCLE clause, the right side of the UNION must be a SELECT");
        };
        if self.recording() {
            return Err(Error::unsupported("a view whose query has SEARCH or CYCLE"));
        }
        let Some(own) = core.from.iter().find_map(|t| called(t, &c.name)).map(String::from) else {
            let name = &c.name;
            return Err(Error::new(
                pamir_types::error::state::FEATURE_NOT_SUPPORTED,
                format!(
                    "with a SEARCH or CYCLE clause, the recursive reference to WITH query \"{name}\" must be at the top level of its right-hand SELECT"
                ),
            ));
        };
        let names = self.names_of(c, left)?;
        self.check_search(c.search.as_ref(), &names)?;
        self.check_cycle(c, &names)?;
        if let Some(y) = &c.cycle {
            self.check_marks(y)?;
        }
        let fault = self.check_added(c, &names).err();
        let added = added(c);
        let new_left = around((**left).clone(), LEFT, names.clone(), left_targets(c, &names)?);
        let mut inner = (**right).clone();
        if let SelectBody::Select(core) = &mut inner.body {
            self.spell_out(core, &own, &names)?;
            core.targets.extend(added.iter().map(|n| target(column(&own, n), n)));
            if let Some(y) = &c.cycle {
                let goes_on = operator("<>", column(&own, &y.set), y.mark.clone());
                core.filter = Some(match core.filter.take() {
                    None => goes_on,
                    Some(f) => of(ExprKind::And(vec![f, goes_on])),
                });
            }
        }
        let all: Vec<String> = names.iter().chain(&added).cloned().collect();
        let new_right = around(inner, RIGHT, all.clone(), right_targets(c, &names)?);
        let mut out = c.clone();
        (out.search, out.cycle, out.columns) = (None, None, all);
        if let Statement::Select(q) = &mut out.query
            && let SelectBody::SetOp { left, right, .. } = &mut q.body
        {
            (**left, **right) = (new_left, new_right);
        }
        Ok(Some((out, fault)))
    }
    /// The columns of the query before anything is added: those that are listed, then the left side's own names.
    fn names_of(&mut self, c: &Cte, left: &Select) -> Result<Vec<String>> {
        let star = |t: &Target| {
            t.name.is_none()
                && match &t.expr.kind {
                    ExprKind::Column { star, .. } => *star,
                    ExprKind::Indirection { steps, .. } => matches!(steps.last(), Some(tree::Step::Star)),
                    _ => false,
                }
        };
        let mut names: Vec<String> = match &left.body {
            SelectBody::Select(first) if !first.targets.iter().any(star) => {
                let own = |t: &Target| t.name.clone().or_else(|| figure_name(&t.expr));
                first.targets.iter().map(|t| own(t).unwrap_or_else(|| "?column?".into())).collect()
            }
            // Bound for its names alone.
            _ => {
                let (b, _) = self.subquery_level(|b| b.query(left, None, true))?;
                b.cols.into_iter().map(|c| c.name).collect()
            }
        };
        for (n, listed) in names.iter_mut().zip(&c.columns) {
            n.clone_from(listed);
        }
        Ok(names)
    }
    /// `q.*`, and `*` over nothing else, is of the columns that were written.
    fn spell_out(&self, core: &mut SelectCore, own: &str, names: &[String]) -> Result<()> {
        let alone = matches!(core.from.as_slice(), [t] if !matches!(t.kind, TableKind::Join(_)));
        let mut out = Vec::with_capacity(core.targets.len());
        for t in std::mem::take(&mut core.targets) {
            match &t.expr.kind {
                ExprKind::Column { path, star: true } => match path.as_slice() {
                    [] if !alone => return Err(Error::unsupported("* of several tables beside SEARCH or CYCLE")),
                    [n] if n != own => out.push(t),
                    [] | [_] => out.extend(names.iter().map(|n| target(column(own, n), n))),
                    _ => out.push(t),
                },
                _ => out.push(t),
            }
        }
        core.targets = out;
        Ok(())
    }
    fn check_columns(&self, word: &str, listed: &[String], at: At, names: &[String]) -> Result<()> {
        for (i, n) in listed.iter().enumerate() {
            if !names.contains(n) {
                let e = err!(SYNTAX_ERROR, "{word} column \"{n}\" not in WITH query column list");
                return Err(self.at(e, at));
            }
            if listed[..i].contains(n) {
                return Err(self.at(err!(DUPLICATE_COLUMN, "{word} column \"{n}\" specified more than once"), at));
            }
        }
        Ok(())
    }
    fn check_new(&self, what: &str, name: &String, at: At, names: &[String]) -> Result<()> {
        if names.contains(name) {
            let e = err!(SYNTAX_ERROR, "{what} column name \"{name}\" already used in WITH query column list");
            return Err(self.at(e, at));
        }
        Ok(())
    }
    fn check_search(&self, s: Option<&Search>, names: &[String]) -> Result<()> {
        let Some(s) = s else { return Ok(()) };
        self.check_columns("search", &s.columns, s.at, names)
    }
    fn check_added(&self, c: &Cte, names: &[String]) -> Result<()> {
        if let Some(s) = &c.search {
            self.check_new("search sequence", &s.set, s.at, names)?;
        }
        if let Some(y) = &c.cycle {
            self.check_new("cycle mark", &y.set, y.at, names)?;
            self.check_new("cycle path", &y.path, y.at, names)?;
        }
        Ok(())
    }
    /// The mark's two values are of one type, which has an equality.
    fn check_marks(&mut self, y: &Cycle) -> Result<()> {
        let (mark, default) = (self.expr(&y.mark)?.ty().oid, self.expr(&y.default)?.ty().oid);
        let common = coerce::common_type(self.ways(), &[mark, default]).map_err(|(a, b)| {
            let e = err!(DATATYPE_MISMATCH, "CYCLE types {} and {} cannot be matched", show(a), show(b));
            self.at(e, y.default.leftmost())
        })?;
        if func::equality(common).is_none() && oid::element_of(common).is_none() {
            bail!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(common));
        }
        Ok(())
    }
    fn check_cycle(&self, c: &Cte, names: &[String]) -> Result<()> {
        let Some(y) = &c.cycle else { return Ok(()) };
        self.check_columns("cycle", &y.columns, y.at, names)?;
        let same = |what: &str| Err(self.at(err!(SYNTAX_ERROR, "{what} are the same"), y.at));
        if y.set == y.path {
            return same("cycle mark column name and cycle path column name");
        }
        match &c.search {
            Some(s) if s.set == y.set => {
                let e = err!(SYNTAX_ERROR, "search sequence column name and cycle mark column name are the same");
                Err(self.at(e, s.at))
            }
            Some(s) if s.set == y.path => {
                let e = err!(SYNTAX_ERROR, "search sequence column name and cycle path column name are the same");
                Err(self.at(e, s.at))
            }
            _ => Ok(()),
        }
    }
}
/// The columns that the clauses add, in their order.
fn added(c: &Cte) -> Vec<String> {
    let mut out: Vec<String> = c.search.iter().map(|s| s.set.clone()).collect();
    out.extend(c.cycle.iter().flat_map(|y| [y.set.clone(), y.path.clone()]));
    out
}
/// A record of the depth, which is `depth`, and the columns; its fields have PostgreSQL's names.
fn deep(depth: &str, table: &str, columns: &[String]) -> Result<Expr> {
    let field = |c: &String| format!(", {}.{} AS {}", quote_ident(table), quote_ident(c), quote_ident(c));
    let fields: String = columns.iter().map(field).collect();
    crate::parser::parse_stored_expr(&format!("(SELECT x FROM (SELECT {depth} AS \"*DEPTH*\"{fields}) x)"))
}
fn left_targets(c: &Cte, names: &[String]) -> Result<Vec<Target>> {
    let mut out: Vec<Target> = names.iter().map(|n| target(column(LEFT, n), n)).collect();
    let path = |columns: &[String]| of(ExprKind::Array(vec![row(LEFT, columns)]));
    if let Some(s) = &c.search {
        let e = if s.breadth_first { deep("0::pg_catalog.int8", LEFT, &s.columns)? } else { path(&s.columns) };
        out.push(target(e, &s.set));
    }
    if let Some(y) = &c.cycle {
        let never = of(ExprKind::Literal(Literal::Bool(false)));
        // So that both values decide about the type.
        out.push(target(case(never, &y.mark, &y.default), &y.set));
        out.push(target(path(&y.columns), &y.path));
    }
    Ok(out)
}
fn right_targets(c: &Cte, names: &[String]) -> Result<Vec<Target>> {
    let mut out: Vec<Target> = names.iter().map(|n| target(column(RIGHT, n), n)).collect();
    let on = |path: &str, columns: &[String]| longer(column(RIGHT, path), row(RIGHT, columns));
    if let Some(s) = &c.search {
        let above = format!("pg_catalog.row_to_json({}.{})", quote_ident(RIGHT), quote_ident(&s.set));
        let depth = format!(
            "({above} OPERATOR(pg_catalog.->>) '*DEPTH*')::pg_catalog.int8 OPERATOR(pg_catalog.+) 1::pg_catalog.int8"
        );
        let e = if s.breadth_first { deep(&depth, RIGHT, &s.columns)? } else { on(&s.set, &s.columns) };
        out.push(target(e, &s.set));
    }
    if let Some(y) = &c.cycle {
        let y: &Cycle = y;
        let op = OperatorName { schema: vec!["pg_catalog".into()], symbol: Symbol::Known("=") };
        let (left, right) = (Box::new(row(RIGHT, &y.columns)), Box::new(column(RIGHT, &y.path)));
        let met = of(ExprKind::ArrayOperator { op, all: false, left, right });
        out.push(target(case(met, &y.mark, &y.default), &y.set));
        out.push(target(on(&y.path, &y.columns), &y.path));
    }
    Ok(out)
}
