//! Queries back to SQL as pg_get_viewdef prints them (ruleutils.c: get_query_def and what it calls).
//!
//! Every column is shown with its item's name, since the rule of a view has two items more (`old` and `new`). A name that an enclosing query has, too, gets a
//! number: `t_1`.
use super::{Deparser, Naming, quote_ident};
use crate::ir::{
    AggCall, CastHow, CmpOp, ColId, Exclude, Expr, FrameBound, FrameUnits, SetOp, Subquery, SubqueryKind, WindowCall,
    WindowFn,
};
use crate::query::{Body, From, Group, Item, ItemKind, JoinWord, Over, Query, Record, Select, Sort, With};
use pamir_catalog::defs;
use pamir_types::{Datum, Error, Oid, Result, work};

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
    /// The names of the queries around.
    taken: Vec<Vec<String>>,
    indent: i32,
    /// Aliases of joins whose inside is being printed.
    inside: Vec<usize>,
    failed: Option<String>,
}

/// The text of a recorded query with its columns called `columns`; 0A000 for what it cannot say.
pub fn query_text(q: &Query, record: &Record, columns: &[String], naming: Naming, layout: Layout) -> Result<String> {
    let none = |_: ColId| String::new();
    let names = vec![String::new(); record.items.len()];
    let taken = vec![vec!["old".into(), "new".into()]];
    let queries = Queries { record, layout, names, taken, indent: 0, inside: Vec::new(), failed: None };
    let mut d = Deparser { name: &none, naming, out: String::new(), table: None, q: Some(queries) };
    d.query(q, Some(columns), true, 0);
    match d.q.and_then(|q| q.failed) {
        Some(what) => Err(Error::unsupported(format!("a view whose query has {what}"))),
        None => Ok(d.out),
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
                self.expr(e);
                self.push(") ROWS WITH TIES");
            } else {
                self.line(" LIMIT ", -STEP, STEP, 0);
                match e {
                    Expr::Const(Datum::Null, _) => self.push("ALL"),
                    e => self.number(e),
                }
            }
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
                self.expr(e);
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
                let merged = if var { None } else { d.merged(e) };
                match &merged {
                    Some(n) => d.ident(n),
                    None => d.expr(e),
                }
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
            From::Join { kind, left, right, on, using, alias } => {
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
                    self.idents(using);
                    self.push(")");
                } else if let Some(e) = on {
                    self.push(if pretty { " ON " } else { " ON (" });
                    self.expr(e);
                    self.push(if pretty { "" } else { ")" });
                } else if *kind != JoinWord::Inner {
                    self.push(" ON TRUE");
                }
                self.push(if parens { ")" } else { "" });
                if let Some(a) = alias {
                    self.queries().inside.pop();
                    let record = self.record();
                    let item = &record.items[*a];
                    self.push(" ");
                    self.item_name(*a);
                    if item.renamed {
                        self.item_columns(item);
                    }
                }
            }
        }
    }
    fn item_name(&mut self, i: usize) {
        let name = self.queries().names[i].clone();
        self.ident(&name);
    }
    fn item_columns(&mut self, item: &Item) {
        let names: Vec<String> = item.cols.iter().map(|c| c.0.clone()).collect();
        self.push("(");
        self.idents(&names);
        self.push(")");
    }

    fn item(&mut self, i: usize, item: &Item) {
        self.push(if item.lateral { "LATERAL " } else { "" });
        let name = self.queries().names[i].clone();
        let mut shown = item.alias.is_some();
        let mut columns = item.renamed;
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
                (shown, columns) = (true, true);
            }
            ItemKind::Functions { calls, ordinality, defined, .. } => {
                let rows_from = calls.len() > 1 || calls.iter().any(|c| !c.1.is_empty());
                self.push(if rows_from { "ROWS FROM(" } else { "" });
                for (n, (e, defs)) in calls.iter().enumerate() {
                    self.push(if n > 0 { ", " } else { "" });
                    self.expr(e);
                    if !defs.is_empty() {
                        self.push(" AS ");
                        self.defined(defs);
                    }
                }
                self.push(if rows_from { ")" } else { "" });
                self.push(if *ordinality { " WITH ORDINALITY" } else { "" });
                shown = true;
                columns = defined.is_empty();
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
        if columns {
            self.item_columns(item);
        }
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

    // ---- expressions that only queries have ----

    /// The item and the name of a column.
    fn find(&mut self, id: ColId) -> Option<(usize, String)> {
        let record = self.record();
        let catalog = self.catalog();
        let queries = self.queries();
        for (i, item) in record.items.iter().enumerate().rev() {
            // The join's shared columns are another's.
            if item.alias.is_none() && matches!(item.kind, ItemKind::Join) || queries.inside.contains(&i) {
                continue;
            }
            if let Some(n) = item.cols.iter().position(|c| matches!(c.1, Expr::Col(x, _) if x == id)) {
                let name = match &item.kind {
                    ItemKind::Relation { oid, attnums, .. } if !item.renamed => catalog
                        .table(*oid)
                        .and_then(|t| t.column(*attnums.get(n)?))
                        .map_or_else(|| item.cols[n].0.clone(), |c| c.name.clone()),
                    _ => item.cols[n].0.clone(),
                };
                return Some((i, name));
            }
            if let Some(s) = item.system.iter().find(|s| s.1 == id) {
                return Some((i, s.0.to_string()));
            }
        }
        None
    }
    fn column_name(&mut self, id: ColId) -> Option<String> {
        self.find(id).map(|f| f.1)
    }
    /// The name of a column that USING shares, where it is none of the sides' own.
    fn merged(&mut self, e: &Expr) -> Option<String> {
        if matches!(e, Expr::Col(..)) {
            return None;
        }
        let shape = format!("{e:?}");
        let joins = self.record().items.iter().filter(|i| i.alias.is_none() && matches!(i.kind, ItemKind::Join));
        let mut cols = joins.flat_map(|i| &i.cols);
        cols.find(|c| !matches!(c.1, Expr::Col(..)) && format!("{:?}", c.1) == shape).map(|c| c.0.clone())
    }
    /// The item whose whole row these fields are.
    fn row_of(&mut self, fields: &[Expr]) -> Option<usize> {
        let same = |a: &Expr, b: &Expr| matches!((a, b), (Expr::Col(x, _), Expr::Col(y, _)) if x == y);
        let record = self.record();
        record.items.iter().rposition(|i| {
            !matches!(i.kind, ItemKind::Join)
                && !fields.is_empty()
                && i.cols.len() == fields.len()
                && std::iter::zip(&i.cols, fields).all(|(c, f)| same(&c.1, f))
        })
    }
    /// Prints what expressions of tables cannot be; false: nothing of it.
    pub(super) fn query_expr(&mut self, e: &Expr) -> bool {
        if let Some(n) = self.merged(e) {
            self.ident(&n);
            return true;
        }
        match e {
            Expr::Col(id, _) => self.column(*id),
            Expr::Cast { e: x, f: CastHow::Relabel, ty, explicit: true } if x.ty() == *ty => {
                let shape = format!("{e:?}");
                let Some(c) = self.record().collations.iter().find(|c| c.0 == shape) else { return false };
                let pretty = self.queries().layout.pretty;
                self.push(if pretty { "" } else { "(" });
                self.expr(x);
                self.push(&format!(" COLLATE {}", c.1));
                self.push(if pretty { "" } else { ")" });
            }
            Expr::Cast { e: row, f: CastHow::Relabel, explicit: false, .. } if matches!(**row, Expr::Row(_)) => {
                let Expr::Row(fields) = &**row else { return false };
                match self.row_of(fields) {
                    Some(i) => {
                        self.item_name(i);
                        self.push(".*");
                    }
                    None => self.cannot("a row of this kind"),
                }
            }
            Expr::Case { whens, otherwise, .. } => {
                if !self.is_row(whens, otherwise) {
                    self.case(e, whens, otherwise);
                    return true;
                }
                let [(Expr::IsNull(c, true), row)] = whens.as_slice() else { return false };
                let Expr::Col(..) = **c else { return false };
                self.expr(row);
            }
            Expr::Subquery(s) => self.subquery(s),
            Expr::Not(x) if matches!(**x, Expr::InList { .. }) && !self.queries().layout.pretty => {
                let Expr::InList { e: x, list, .. } = &**x else { return false };
                self.push("(");
                self.expr(x);
                self.push(" <> ALL (ARRAY[");
                self.list(list, ", ");
                self.push("]))");
            }
            Expr::Param(..) => self.cannot("a parameter"),
            Expr::Field { .. } | Expr::Default => self.cannot("a field of a record"),
            Expr::Call { f, .. } if f.name.starts_with(|c: char| !c.is_ascii_alphanumeric() && c != '_') => {
                self.cannot(&format!("the internal function {}", f.name))
            }
            e if self.queries().layout.pretty => return self.pretty(e),
            _ => return false,
        }
        true
    }
    /// A whole row that an outer join may miss, rather than a CASE that was written.
    fn is_row(&mut self, whens: &[(Expr, Expr)], otherwise: &Expr) -> bool {
        let [(Expr::IsNull(c, true), Expr::Cast { e, .. })] = whens else { return false };
        let (Expr::Col(id, _), Expr::Row(_)) = (&**c, &**e) else { return false };
        self.find(*id).is_none() && matches!(otherwise, Expr::Const(Datum::Null, _))
    }
    fn case(&mut self, e: &Expr, whens: &[(Expr, Expr)], otherwise: &Expr) {
        let shape = format!("{e:?}");
        let operand = self.record().cases.iter().find(|c| c.0 == shape).map(|c| &c.1);
        self.line("CASE", 0, VAR, 0);
        if let Some(x) = operand {
            self.push(" ");
            self.expr(x);
        }
        for (cond, value) in whens {
            self.line("WHEN ", 0, 0, 0);
            match (operand, cond) {
                (Some(_), Expr::Call { args, .. }) if args.len() == 2 => self.expr(&args[1]),
                _ => self.expr(cond),
            }
            self.push(" THEN ");
            self.expr(value);
        }
        self.line("ELSE ", 0, 0, 0);
        self.expr(otherwise);
        self.line("END", -VAR, 0, 0);
    }
    /// The domain of an item's column.
    pub(super) fn item_domain(&self, id: ColId) -> Option<Oid> {
        let record = self.q.as_ref()?.record;
        let at = |i: &Item| i.cols.iter().position(|c| matches!(c.1, Expr::Col(x, _) if x == id));
        let (item, n) = record.items.iter().find_map(|i| Some((i, at(i)?)))?;
        let ItemKind::Relation { oid, attnums, .. } = &item.kind else { return None };
        self.catalog().table(*oid)?.declared.domain(*attnums.get(n)?)
    }
    /// Is it a column of an item, not an aggregate or the like?
    pub(super) fn is_item(&mut self, id: ColId) -> bool {
        self.q.is_none() || self.find(id).is_some()
    }
    fn column(&mut self, id: ColId) {
        if let Some((i, name)) = self.find(id) {
            self.item_name(i);
            self.push(".");
            return self.ident(&name);
        }
        let record = self.record();
        if let Some(a) = record.aggs.iter().find(|a| a.out.id == id) {
            self.aggregate(a)
        } else if let Some((w, over)) = record.windows.iter().find(|w| w.0.out.id == id) {
            self.window_call(w, over)
        } else if let Some((_, args)) = record.grouping.iter().find(|g| g.0 == id) {
            self.push("GROUPING(");
            self.list(args, ", ");
            self.push(")");
        } else {
            self.cannot("a column of this kind")
        }
    }
    fn aggregate(&mut self, a: &AggCall) {
        let name = self.qualifier(&*a.f) + &quote_ident(&a.f.name);
        self.push(&name);
        self.push("(");
        let direct = crate::func::ordered_set::direct_args(&a.f.name);
        if let Some(n) = direct {
            let n = n.min(a.args.len());
            self.list(&a.args[..n], ", ");
            self.push(") WITHIN GROUP (ORDER BY ");
            self.keys_of(&a.order_by);
        } else {
            self.push(if a.distinct { "DISTINCT " } else { "" });
            if a.args.is_empty() {
                self.push("*");
            }
            self.arguments(&a.f.args, &a.args);
            if !a.order_by.is_empty() {
                self.push(" ORDER BY ");
                self.keys_of(&a.order_by);
            }
        }
        self.push(")");
        self.filter(&a.filter);
    }
    fn filter(&mut self, filter: &Option<Expr>) {
        if let Some(f) = filter {
            self.push(" FILTER (WHERE ");
            self.expr(f);
            self.push(")");
        }
    }
    fn window_call(&mut self, w: &WindowCall, over: &Over) {
        let agg;
        let name = match &w.f {
            WindowFn::RowNumber => "row_number",
            WindowFn::Rank => "rank",
            WindowFn::DenseRank => "dense_rank",
            WindowFn::PercentRank => "percent_rank",
            WindowFn::CumeDist => "cume_dist",
            WindowFn::Ntile => "ntile",
            WindowFn::Lag => "lag",
            WindowFn::Lead => "lead",
            WindowFn::FirstValue => "first_value",
            WindowFn::LastValue => "last_value",
            WindowFn::NthValue => "nth_value",
            WindowFn::Agg(a) => {
                agg = self.qualifier(&**a) + &quote_ident(&a.name);
                &agg
            }
        };
        self.push(name);
        self.push("(");
        if w.args.is_empty() && matches!(w.f, WindowFn::Agg(_)) {
            self.push("*");
        }
        self.list(&w.args, ", ");
        self.push(")");
        self.filter(&w.filter);
        self.push(" OVER ");
        match over {
            Over::Named(n) => self.ident(n),
            over => self.window(w, over),
        }
    }
    /// get_rule_windowspec
    fn window(&mut self, w: &WindowCall, over: &Over) {
        let (base, copied) = match over {
            Over::Spec { base, copied_order } => (base.as_ref(), *copied_order),
            Over::Named(_) => (None, false),
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(base.map(|b| defs::quote_ident(b).into_owned()));
        if base.is_none() && !w.partition_by.is_empty() {
            parts.push("PARTITION BY ".to_string() + &self.apart(|d| d.group_list(&w.partition_by)));
        }
        if !copied && !w.order_by.is_empty() {
            parts.push("ORDER BY ".to_string() + &self.apart(|d| d.keys_of(&w.order_by)));
        }
        let f = &w.frame;
        let default = f.units == FrameUnits::Range
            && matches!((&f.start, &f.end), (FrameBound::Unbounded, FrameBound::Current))
            && f.exclude == Exclude::NoOthers;
        if !default {
            let units = match f.units {
                FrameUnits::Rows => "ROWS",
                FrameUnits::Range => "RANGE",
                FrameUnits::Groups => "GROUPS",
            };
            let (start, end) = (self.bound(&f.start, "PRECEDING"), self.bound(&f.end, "FOLLOWING"));
            let exclude = match f.exclude {
                Exclude::NoOthers => "",
                Exclude::CurrentRow => " EXCLUDE CURRENT ROW",
                Exclude::Group => " EXCLUDE GROUP",
                Exclude::Ties => " EXCLUDE TIES",
            };
            parts.push(format!("{units} BETWEEN {start} AND {end}{exclude}"));
        }
        self.push(&format!("({})", parts.join(" ")));
    }
    fn bound(&mut self, b: &FrameBound, unbounded: &str) -> String {
        match b {
            FrameBound::Unbounded => format!("UNBOUNDED {unbounded}"),
            FrameBound::Current => "CURRENT ROW".into(),
            FrameBound::Offset { e, following, .. } => {
                let text = self.apart(|d| d.number(e));
                format!("{text} {}", if *following { "FOLLOWING" } else { "PRECEDING" })
            }
        }
    }

    /// get_sublink_expr
    fn subquery(&mut self, s: &Subquery) {
        let record = self.record();
        let Some(q) = (s.number as usize).checked_sub(1).and_then(|n| record.subqueries.get(n)) else {
            return self.cannot("a subquery of this kind");
        };
        self.push(if matches!(s.kind, SubqueryKind::Array) { "ARRAY(" } else { "(" });
        let mut inner = true;
        match &s.kind {
            SubqueryKind::Exists => self.push("EXISTS "),
            SubqueryKind::Any { left, ops, rows } | SubqueryKind::All { left, ops, rows } => {
                match left.as_slice() {
                    [one] => self.expr(one),
                    many => {
                        self.push("(");
                        self.list(many, ", ");
                        self.push(")");
                    }
                }
                let op = match (rows, ops.first()) {
                    (Some(r), _) => Some(word_of(r.op).to_string()),
                    (None, Some(f)) => self.operator(f, 2),
                    (None, None) => None,
                };
                let Some(op) = op else { return self.cannot("an operator of this kind") };
                match (&s.kind, op.as_str()) {
                    (SubqueryKind::Any { .. }, "=") => self.push(" IN "),
                    (SubqueryKind::Any { .. }, op) => self.push(&format!(" {op} ANY ")),
                    (_, op) => self.push(&format!(" {op} ALL ")),
                }
            }
            SubqueryKind::Scalar | SubqueryKind::Array => inner = false,
            SubqueryKind::Row { .. } => return self.cannot("a comparison of a row with a subquery"),
        }
        self.push(if inner { "(" } else { "" });
        let indent = self.queries().indent;
        self.query(q, None, false, indent);
        self.push(if inner { "))" } else { ")" });
    }
}

fn word_of(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "=",
        CmpOp::Ne => "<>",
        CmpOp::Lt => "<",
        CmpOp::Le => "<=",
        CmpOp::Gt => ">",
        CmpOp::Ge => ">=",
    }
}
/// Without WITH, ORDER BY, LIMIT and OFFSET.
fn is_bare(q: &Query) -> bool {
    q.with.is_empty() && q.order_by.is_empty() && q.limit.is_none() && q.offset.is_none()
}
