//! Queries back to SQL as pg_get_viewdef prints them (ruleutils.c: get_query_def and what it calls).
//!
//! Every column is shown with its item's name, since the rule of a view has two items more (`old` and `new`). A name that an enclosing query has, too, gets a
//! number: `t_1`. What stands in expressions: [`exprs`].
mod change;
mod exprs;
mod names;

pub use change::change_text;

use super::{Deparser, Naming};
use crate::ir::{CastHow, ColId, Expr, SetOp};
use crate::query::{Body, From, Group, Item, ItemKind, JoinWord, Query, Record, Select, Sort, With};
use pamir_catalog::defs;
use pamir_types::{Datum, Error, Result, work};

/// Spaces that a clause is indented by, a join, a column (ruleutils.c's PRETTYINDENT_STD, _JOIN, _VAR).
const STEP: i32 = 8;
const JOIN: i32 = 4;
const VAR: i32 = 4;
/// From here on indentation begins anew (PRETTYINDENT_LIMIT).
const INDENT_LIMIT: i32 = 40;

/// How a definition is laid out: `pretty` leaves out parentheses, `wrap` is the width that columns are put together up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    pub pretty: bool,
    pub wrap: usize,
}

pub(super) struct Queries<'a> {
    record: &'a Record,
    layout: Layout,
    /// What each item is called here.
    names: Vec<String>,
    /// What each item's columns are called here, and the lists of aliases to print.
    columns: Vec<Vec<String>>,
    lists: Vec<Vec<String>>,
    /// The names of the queries around.
    taken: Vec<Vec<String>>,
    indent: i32,
    /// Aliases of joins whose inside is being printed.
    inside: Vec<usize>,
    failed: Option<String>,
    /// The item whose columns go without its name outside of subqueries.
    bare: Option<usize>,
}

/// The text of a recorded query with its columns called `columns`; 0A000 for what it cannot say.
pub fn query_text(q: &Query, record: &Record, columns: &[String], naming: Naming, layout: Layout) -> Result<String> {
    let none = |_: ColId| String::new();
    let names = vec![String::new(); record.items.len()];
    let queries = Queries::new(record, layout, names, naming.catalog());
    let mut d = Deparser { name: &none, naming, out: String::new(), table: None, q: Some(queries), rows: None };
    d.query(q, Some(columns), true, 0);
    match d.q.and_then(|q| q.failed) {
        Some(what) => Err(Error::unsupported(format!("a view whose query has {what}"))),
        None => Ok(d.out),
    }
}

/// The condition of a recorded query of one table alone, whose own columns go without its name but in subqueries.
pub fn condition_text(q: &Query, record: &Record, naming: Naming, layout: Layout) -> Result<String> {
    let none = |_: ColId| String::new();
    let names = vec![String::new(); record.items.len()];
    let mut queries = Queries::new(record, layout, names, naming.catalog());
    queries.bare = q.items.first().copied();
    let mut d = Deparser { name: &none, naming, out: String::new(), table: None, q: Some(queries), rows: None };
    d.name_items(q);
    d.name_columns(q);
    if let Body::Select(s) = &q.body {
        s.filter.iter().for_each(|e| d.expr(e));
    }
    match d.q.and_then(|q| q.failed) {
        Some(what) => Err(Error::unsupported(format!("a condition that has {what}"))),
        None => Ok(d.out),
    }
}

impl<'a> Queries<'a> {
    pub(super) fn record(&self) -> &'a Record {
        self.record
    }
}
impl<'a> Deparser<'a> {
    fn queries(&mut self) -> &mut Queries<'a> {
        match &mut self.q {
            Some(q) => q,
            None => unreachable!("asked of a query's printer alone"),
        }
    }
    fn cannot(&mut self, what: &str) {
        self.queries().failed.get_or_insert_with(|| what.to_string());
    }
    fn record(&mut self) -> &'a Record {
        self.queries().record
    }
    /// appendContextKeyword: a new line with `word`, indented by `plus` more.
    fn line(&mut self, word: &str, before: i32, after: i32, plus: i32) {
        let n = self.out.trim_end_matches(' ').len();
        self.out.truncate(n);
        let q = self.queries();
        q.indent += before;
        let mut spaces = q.indent.max(0) + plus;
        if q.indent >= INDENT_LIMIT {
            spaces = (INDENT_LIMIT + (q.indent - INDENT_LIMIT) / (STEP / 2)) % INDENT_LIMIT + plus;
        }
        q.indent = (q.indent + after).max(0);
        self.push("\n");
        self.push(&" ".repeat(spaces.max(0) as usize));
        self.push(word);
    }
    /// Prints with `f` and gives what it printed.
    fn apart(&mut self, f: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        f(self);
        std::mem::replace(&mut self.out, before)
    }
    /// Appends an element of a list, on a new line where the line would be too long; `more`: or where that is to be anyway.
    fn wrapped(&mut self, item: &str, first: bool, more: bool) {
        if item.starts_with('\n') {
            let n = self.out.trim_end_matches(' ').len();
            self.out.truncate(n);
        } else {
            let line = self.out.len() - self.out.rfind('\n').map_or(0, |i| i + 1);
            let wrap = self.queries().layout.wrap;
            if !first && (line + item.len() > wrap || more) {
                self.line("", -STEP, STEP, VAR);
            }
        }
        self.push(item);
    }
    fn ident(&mut self, name: &str) {
        self.push(&defs::quote_ident(name));
    }
    fn idents(&mut self, names: &[String]) {
        let all: Vec<_> = names.iter().map(|n| defs::quote_ident(n)).collect();
        self.push(&all.join(", "));
    }
    /// A count, which was an integer before it was converted.
    fn number(&mut self, e: &Expr) {
        match e {
            Expr::Const(d, t) if super::whole(d, *t).is_some_and(|s| !s.starts_with('-')) => {
                self.push(&super::whole(d, *t).unwrap_or_default())
            }
            Expr::Cast { e, explicit: false, .. } => self.expr(e),
            e => self.expr(e),
        }
    }
    /// `columns`: what the result's columns are called; `seen`: their names matter to somebody.
    fn query(&mut self, q: &Query, columns: Option<&[String]>, seen: bool, indent: i32) {
        if work::charge(200).is_err() || self.queries().failed.is_some() {
            return self.cannot("an interrupted definition");
        }
        let before = std::mem::replace(&mut self.queries().indent, indent);
        self.name_items(q);
        self.name_columns(q);
        self.with_clause(q);
        let by_number = match &q.body {
            Body::Select(s) => {
                self.select(s, columns, seen);
                false
            }
            Body::Values(rows) => {
                self.queries().indent += STEP;
                self.push(" ");
                self.values(rows);
                false
            }
            Body::SetOp { .. } => {
                self.set_operation(q, columns, seen);
                true
            }
        };
        if !q.order_by.is_empty() {
            self.line(" ORDER BY ", -STEP, STEP, 1);
            self.sort_keys(&q.order_by, by_number);
        }
        if let Some(e) = &q.offset {
            self.line(" OFFSET ", -STEP, STEP, 0);
            self.number(e);
        }
        if let Some(e) = &q.limit {
            if q.with_ties {
                self.line(" FETCH FIRST ", -STEP, STEP, 0);
                self.push("(");
                self.number(e);
                self.push(") ROWS WITH TIES");
            } else {
                self.line(" LIMIT ", -STEP, STEP, 0);
                match e {
                    Expr::Const(Datum::Null, _) => self.push("ALL"),
                    e => self.number(e),
                }
            }
        }
        for (clause, item) in &q.locks {
            let (words, wait) = match clause.find(" NOWAIT").or(clause.find(" SKIP")) {
                Some(at) => clause.split_at(at),
                None => (clause.as_str(), ""),
            };
            self.line(&format!(" {words}"), -STEP, STEP, 0);
            self.push(" OF ");
            self.item_name(*item);
            self.push(wait);
        }
        self.queries().taken.pop();
        self.queries().indent = before;
    }

    /// set_rtable_names
    fn name_items(&mut self, q: &Query) {
        let record = self.record();
        let catalog = self.catalog();
        let queries = self.queries();
        let mut own: Vec<String> = Vec::new();
        for i in &q.items {
            let item = &record.items[*i];
            let name = match (&item.alias, &item.kind) {
                (Some(a), _) => a.clone(),
                (None, ItemKind::Relation { oid, .. }) => {
                    catalog.relation_name(*oid).map_or(String::new(), |n| n.1.to_string())
                }
                (None, ItemKind::Cte(n)) => n.clone(),
                (None, ItemKind::Functions { .. } | ItemKind::Query(_) | ItemKind::Join) => String::new(),
            };
            let mut unique = name.clone();
            let mut n = 0;
            while !name.is_empty() && (own.contains(&unique) || queries.taken.iter().any(|t| t.contains(&unique))) {
                n += 1;
                unique = format!("{name}_{n}");
            }
            if !name.is_empty() {
                own.push(unique.clone());
            }
            queries.names[*i] = unique;
        }
        queries.taken.push(own);
    }

    fn with_clause(&mut self, q: &Query) {
        if q.with.is_empty() {
            return;
        }
        self.queries().indent += STEP;
        self.push(" ");
        let mut sep = if q.recursive { "WITH RECURSIVE " } else { "WITH " };
        for With { name, columns, materialized, query } in &q.with {
            self.push(sep);
            sep = ", ";
            self.ident(name);
            if !columns.is_empty() {
                self.push("(");
                self.idents(columns);
                self.push(")");
            }
            self.push(" AS ");
            self.push(match materialized {
                None => "",
                Some(true) => "MATERIALIZED ",
                Some(false) => "NOT MATERIALIZED ",
            });
            self.push("(");
            self.line("", 0, 0, 0);
            let indent = self.queries().indent;
            self.query(query, None, true, indent);
            self.line("", 0, 0, 0);
            self.push(")");
        }
        self.queries().indent -= STEP;
        self.line("", 0, 0, 0);
    }

    fn set_operation(&mut self, q: &Query, columns: Option<&[String]>, seen: bool) {
        let Body::SetOp { op, all, left, right } = &q.body else {
            let inside = !q.with.is_empty() || !q.order_by.is_empty() || q.limit.is_some() || q.offset.is_some();
            self.push(if inside { "(" } else { "" });
            let indent = self.queries().indent;
            self.query(q, columns, seen, indent);
            return self.push(if inside { ")" } else { "" });
        };
        let nested = |q: &Query| matches!(q.body, Body::SetOp { .. }) && is_bare(q);
        let other = |q: &Query| !matches!(&q.body, Body::SetOp { op: o, all: a, .. } if o == op && a == all);
        let parens = nested(left) && other(left);
        let mut step = 0;
        if parens {
            self.push("(");
            step = STEP;
            self.line("", step, 0, 0);
        }
        self.arm(left, columns, seen);
        self.line(if parens { ") " } else { "" }, -step, 0, 0);
        self.push(match op {
            SetOp::Union => "UNION ",
            SetOp::Intersect => "INTERSECT ",
            SetOp::Except => "EXCEPT ",
        });
        self.push(if *all { "ALL " } else { "" });
        let parens = nested(right);
        step = 0;
        if parens {
            self.push("(");
            step = STEP;
        }
        self.line("", step, 0, 0);
        self.arm(right, columns, false);
        self.queries().indent -= step;
        if parens {
            self.line(")", 0, 0, 0);
        }
    }
    /// One side of a set operation.
    fn arm(&mut self, q: &Query, columns: Option<&[String]>, seen: bool) {
        if matches!(q.body, Body::SetOp { .. }) && is_bare(q) {
            return self.set_operation(q, columns, seen);
        }
        let parens = !is_bare(q);
        self.push(if parens { "(" } else { "" });
        let indent = self.queries().indent;
        self.query(q, columns, seen, indent);
        self.push(if parens { ")" } else { "" });
    }

    fn values(&mut self, rows: &[Vec<Expr>]) {
        self.push("VALUES ");
        for (i, row) in rows.iter().enumerate() {
            self.push(if i > 0 { ", (" } else { "(" });
            for (n, e) in row.iter().enumerate() {
                self.push(if n > 0 { "," } else { "" });
                self.field(e);
            }
            self.push(")");
        }
    }

    fn select(&mut self, s: &Select, columns: Option<&[String]>, seen: bool) {
        self.queries().indent += STEP;
        self.push(" ");
        self.push("SELECT");
        match &s.distinct {
            None => {}
            Some(on) if on.is_empty() => self.push(" DISTINCT"),
            Some(on) => {
                self.push(" DISTINCT ON (");
                self.group_list(on);
                self.push(")");
            }
        }
        self.targets(s, columns, seen);
        self.from_clause(&s.from);
        if let Some(e) = &s.filter {
            self.line(" WHERE ", -STEP, STEP, 1);
            self.expr(e);
        }
        if !s.group.is_empty() {
            self.line(" GROUP BY ", -STEP, STEP, 1);
            self.push(if s.group_distinct { "DISTINCT " } else { "" });
            self.groups(&s.group, true);
        }
        if let Some(e) = &s.having {
            self.line(" HAVING ", -STEP, STEP, 0);
            self.expr(e);
        }
        for (i, (name, over, call)) in s.windows.iter().enumerate() {
            if i == 0 {
                self.line(" WINDOW ", -STEP, STEP, 1);
            } else {
                self.push(", ");
            }
            self.ident(name);
            self.push(" AS ");
            match call {
                Some(c) => self.window(c, over),
                None => self.cannot("a window that nothing uses"),
            }
        }
    }

    fn targets(&mut self, s: &Select, columns: Option<&[String]>, seen: bool) {
        let mut many_lines = false;
        for (i, (e, name)) in s.targets.iter().enumerate() {
            self.push(if i > 0 { ", " } else { " " });
            let field = self.apart(|d| {
                let own = match e {
                    Expr::Col(id, _) => d.column_name(*id),
                    _ => None,
                };
                let var = own.is_some();
                let merged = if var { None } else { d.merged(e).map(|m| m.1) };
                d.field(e);
                let shown = own.or(merged).or_else(|| (!seen).then(|| "?column?".into()));
                let name = columns.and_then(|c| c.get(i)).unwrap_or(name);
                if shown.as_ref() != Some(name) {
                    d.push(" AS ");
                    d.ident(name);
                }
            });
            self.wrapped(&field, i == 0, many_lines);
            many_lines = field.trim_start_matches('\n').contains('\n');
        }
    }

    fn from_clause(&mut self, from: &[From]) {
        for (i, f) in from.iter().enumerate() {
            if i == 0 {
                self.line(" FROM ", -STEP, STEP, 2);
                self.from(f);
                continue;
            }
            self.push(", ");
            let item = self.apart(|d| d.from(f));
            self.wrapped(&item, false, false);
        }
    }

    fn from(&mut self, f: &From) {
        match f {
            From::Item(i) => {
                let record = self.record();
                self.item(*i, &record.items[*i]);
            }
            From::Join { kind, left, right, on, using, shared, using_alias, alias } => {
                let pretty = self.queries().layout.pretty;
                let parens = !pretty || alias.is_some();
                self.push(if parens { "(" } else { "" });
                self.queries().inside.extend(*alias);
                self.from(left);
                let word = match kind {
                    JoinWord::Inner if on.is_none() && using.is_empty() => " CROSS JOIN ",
                    JoinWord::Inner => " JOIN ",
                    JoinWord::Left => " LEFT JOIN ",
                    JoinWord::Right => " RIGHT JOIN ",
                    JoinWord::Full => " FULL JOIN ",
                };
                self.line(word, -STEP, STEP, JOIN);
                let around = pretty && matches!(&**right, From::Join { alias: None, .. });
                self.push(if around { "(" } else { "" });
                self.from(right);
                self.push(if around { ")" } else { "" });
                if !using.is_empty() {
                    self.push(" USING (");
                    let names = shared.map_or(Vec::new(), |i| self.queries().columns[i].clone());
                    self.idents(&names);
                    self.push(")");
                    if let Some(a) = using_alias {
                        self.push(" AS ");
                        self.ident(a);
                    }
                } else if let Some(e) = on {
                    self.push(if pretty { " ON " } else { " ON (" });
                    self.expr(e);
                    self.push(if pretty { "" } else { ")" });
                } else if *kind != JoinWord::Inner {
                    self.push(if pretty { " ON true" } else { " ON (true)" });
                }
                self.push(if parens { ")" } else { "" });
                if let Some(a) = alias {
                    self.queries().inside.pop();
                    self.push(" ");
                    self.item_name(*a);
                    self.item_columns(*a);
                }
            }
        }
    }
    fn item_name(&mut self, i: usize) {
        let name = self.queries().names[i].clone();
        self.ident(&name);
    }
    /// The list of an alias, where it has one.
    fn item_columns(&mut self, i: usize) {
        let names = self.queries().lists[i].clone();
        if names.is_empty() {
            return;
        }
        self.push("(");
        self.idents(&names);
        self.push(")");
    }

    fn item(&mut self, i: usize, item: &Item) {
        self.push(if item.lateral { "LATERAL " } else { "" });
        let name = self.queries().names[i].clone();
        let mut shown = item.alias.is_some();
        shown |= !self.queries().lists[i].is_empty();
        match &item.kind {
            ItemKind::Relation { oid, only, .. } => {
                let text = self.relation(*oid);
                self.push(if *only { "ONLY " } else { "" });
                self.push(&text);
                shown |= self.catalog().relation_name(*oid).is_none_or(|n| n.1 != name);
            }
            ItemKind::Cte(cte) => {
                self.ident(cte);
                shown |= *cte != name;
            }
            ItemKind::Query(q) => {
                self.push("(");
                let indent = self.queries().indent;
                self.query(q, None, true, indent);
                self.push(")");
                shown = true;
            }
            ItemKind::Functions { calls, unnest: true, ordinality, .. } => {
                self.push("UNNEST(");
                for (n, (e, _)) in calls.iter().enumerate() {
                    self.push(if n > 0 { ", " } else { "" });
                    match e {
                        Expr::Call { args, .. } => self.list(args, ", "),
                        _ => self.cannot("an unnest of this kind"),
                    }
                }
                self.push(if *ordinality { ") WITH ORDINALITY" } else { ")" });
                shown = true;
            }
            ItemKind::Functions { calls, .. } if is_xml_table(calls) => {
                for (e, _) in calls {
                    self.expr(e);
                }
                shown = !self.queries().lists[i].is_empty() || name != "xmltable";
            }
            ItemKind::Functions { calls, ordinality, defined, .. } => {
                let rows_from = calls.len() > 1 || calls.iter().any(|c| !c.1.is_empty());
                self.push(if rows_from { "ROWS FROM(" } else { "" });
                for (n, (e, defs)) in calls.iter().enumerate() {
                    self.push(if n > 0 { ", " } else { "" });
                    self.called(e);
                    if !defs.is_empty() {
                        self.push(" AS ");
                        self.defined(defs);
                    }
                }
                self.push(if rows_from { ")" } else { "" });
                self.push(if *ordinality { " WITH ORDINALITY" } else { "" });
                shown = true;
                if !defined.is_empty() {
                    self.push(" ");
                    self.ident(&name);
                    return self.defined(defined);
                }
            }
            ItemKind::Join => return self.cannot("a join's alias out of place"),
        }
        if shown {
            self.push(" ");
            self.ident(&name);
        }
        self.item_columns(i);
        if let Some(s) = &item.sample {
            self.push(&format!(" TABLESAMPLE {} (", s.method));
            self.number(&s.percent);
            self.push(")");
            if let Some(seed) = &s.seed {
                self.push(" REPEATABLE (");
                self.number(seed);
                self.push(")");
            }
        }
    }
    /// What stands in FROM as a function (get_rule_expr_funccall).
    fn called(&mut self, e: &Expr) {
        let call = match e {
            Expr::Call { f, args, .. } => self.operator(f, args.len()).is_none(),
            Expr::Coalesce(..) | Expr::NullIf { .. } => true,
            // Values of the session, which have words of their own.
            Expr::Const(..) | Expr::Cast { .. } => false,
            _ => true,
        };
        if call {
            return self.expr(e);
        }
        let inner = match e {
            Expr::Cast { e: x, explicit: true, .. } => x,
            e => e,
        };
        self.push("CAST(");
        self.expr(inner);
        self.push(&format!(" AS {})", self.type_name(e.ty())));
    }
    fn defined(&mut self, defs: &[crate::query::Defined]) {
        let all: Vec<String> =
            defs.iter().map(|d| format!("{} {}", defs::quote_ident(&d.name), self.type_name(d.ty))).collect();
        self.push(&format!("({})", all.join(", ")));
    }
    fn relation(&mut self, oid: pamir_types::Oid) -> String {
        match self.naming {
            Naming::Short(catalog, scope) => catalog.quoted_name(scope, oid).unwrap_or_default(),
            Naming::Full(catalog) => {
                let Some((schema, name)) = catalog.relation_name(oid) else { return String::new() };
                match catalog.schema(schema) {
                    Some(s) => defs::qualified(&s.name, name),
                    None => defs::qualified(pamir_catalog::PAMIR_CATALOG, name),
                }
            }
        }
    }

    // ---- clauses of expressions ----

    /// get_rule_sortgroupclause
    fn group_item(&mut self, e: &Expr) {
        let column = matches!(e, Expr::Col(id, _) if self.column_name(*id).is_some());
        match e {
            Expr::Const(Datum::Int4(_) | Datum::Text(_), _) => {
                let text = self.apart(|d| d.expr(e));
                self.push(&if text.contains("::") { text } else { format!("{text}::{}", self.type_name(e.ty())) });
            }
            Expr::Call { f, args, .. } if self.operator(f, args.len()).is_none() => self.in_parens(e),
            Expr::Cast { f: CastHow::Func(_) | CastHow::Typmod, .. } => self.in_parens(e),
            Expr::Col(..) if !column => self.in_parens(e),
            e => match self.queries().layout.pretty && !column {
                true => self.in_parens(e),
                false => self.expr(e),
            },
        }
    }
    fn in_parens(&mut self, e: &Expr) {
        self.push("(");
        self.expr(e);
        self.push(")");
    }
    fn group_list(&mut self, list: &[Expr]) {
        for (i, e) in list.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            self.group_item(e);
        }
    }
    fn groups(&mut self, list: &[Group], bare: bool) {
        for (i, g) in list.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            match g {
                Group::Expr(e) => self.group_item(e),
                Group::Empty => self.push("()"),
                Group::List(v) => {
                    let parens = !bare || v.len() != 1;
                    self.push(if parens { "(" } else { "" });
                    self.group_list(v);
                    self.push(if parens { ")" } else { "" });
                }
                Group::Rollup(v) | Group::Cube(v) | Group::Sets(v) => {
                    self.push(match g {
                        Group::Rollup(_) => "ROLLUP(",
                        Group::Cube(_) => "CUBE(",
                        _ => "GROUPING SETS (",
                    });
                    self.groups(v, !matches!(g, Group::Sets(_)));
                    self.push(")");
                }
            }
        }
    }
    fn sort_keys(&mut self, keys: &[Sort], by_number: bool) {
        for (i, k) in keys.iter().enumerate() {
            self.push(if i > 0 { ", " } else { "" });
            match k.number {
                Some(n) if by_number => self.push(&(n + 1).to_string()),
                _ => self.group_item(&k.e),
            }
            self.push(match (k.desc, k.nulls_first) {
                (false, false) => "",
                (false, true) => " NULLS FIRST",
                (true, true) => " DESC",
                (true, false) => " DESC NULLS LAST",
            });
        }
    }
    fn keys_of(&mut self, keys: &[crate::ir::SortKey]) {
        let keys: Vec<Sort> = keys
            .iter()
            .map(|k| Sort { e: k.e.clone(), number: None, desc: k.desc, nulls_first: k.nulls_first })
            .collect();
        self.sort_keys(&keys, false);
    }
}

/// Without WITH, ORDER BY, LIMIT and OFFSET.
fn is_bare(q: &Query) -> bool {
    q.with.is_empty() && q.order_by.is_empty() && q.limit.is_none() && q.offset.is_none() && q.locks.is_empty()
}

/// Is it XMLTABLE, whose columns are named in its parentheses?
fn is_xml_table(calls: &[(Expr, Vec<crate::query::Defined>)]) -> bool {
    matches!(calls, [(Expr::Call { f, .. }, _)] if f.name == crate::func::xml::TABLE)
}
