//! What the columns of FROM's items are called (ruleutils.c: set_using_names, set_relation_column_names, set_join_column_names).
//!
//! USING joins by names. So a column that it shares keeps the name that it is shared under, whatever its table calls it now, and nothing else may have that name:
//! the table gets an alias with a list of columns.
//!
//! ```text
//! t JOIN u USING (a), t.a is aa now     t t(a, c) JOIN u USING (a)
//! ```
use super::{Deparser, Layout, Queries};
use crate::ir::Expr;
use crate::query::{Body, From, Item, ItemKind, Query, Record, Shared};
use pamir_catalog::Catalog;
use pamir_types::Oid;

impl<'a> Queries<'a> {
    pub(super) fn new(record: &'a Record, layout: Layout, names: Vec<String>, catalog: &Catalog) -> Queries<'a> {
        let columns = record.items.iter().map(|i| own_names(i, catalog)).collect();
        let lists = record.items.iter().map(|i| own_list(i, catalog)).collect();
        let taken = vec![vec!["old".into(), "new".into()]];
        Queries {
            record,
            layout,
            names,
            columns,
            lists,
            taken,
            indent: 0,
            inside: Vec::new(),
            failed: None,
            bare: None,
        }
    }
}
/// The names of an item's columns where no join asks for others.
fn own_names(item: &Item, catalog: &Catalog) -> Vec<String> {
    let ItemKind::Relation { oid, attnums, .. } = &item.kind else {
        return item.cols.iter().map(|c| c.0.clone()).collect();
    };
    let t = catalog.table(*oid);
    let own =
        |n: usize| item.written.get(n).cloned().flatten().or_else(|| Some(t?.column(*attnums.get(n)?)?.name.clone()));
    item.cols.iter().enumerate().map(|(n, c)| own(n).unwrap_or_else(|| c.0.clone())).collect()
}
/// The list that an item's alias has by itself.
fn own_list(item: &Item, catalog: &Catalog) -> Vec<String> {
    match &item.kind {
        ItemKind::Functions { calls, .. } if super::is_xml_table(calls) && !item.renamed => Vec::new(),
        ItemKind::Functions { defined, places, .. } if defined.is_empty() => function_list(item, places, catalog),
        _ if item.renamed => item.cols.iter().map(|c| c.0.clone()).collect(),
        _ => Vec::new(),
    }
}
/// The list of functions' columns: without those that a function's table has no more, and with its new ones where other columns follow.
fn function_list(item: &Item, places: &[Option<(Oid, i16)>], catalog: &Catalog) -> Vec<String> {
    let own: Vec<String> = item.cols.iter().map(|c| c.0.clone()).collect();
    let mut out = Vec::with_capacity(own.len());
    for (n, name) in own.iter().enumerate() {
        let Some((table, attnum)) = places.get(n).copied().flatten() else {
            out.push(name.clone());
            continue;
        };
        let Some(t) = catalog.table(table) else { continue };
        if t.column(attnum).is_some_and(|c| !c.dropped) {
            out.push(name.clone());
        }
        let next = places.get(n + 1).copied().flatten();
        let goes_on = next.is_some_and(|(t, a)| t == table && a > attnum);
        if !goes_on && n + 1 < own.len() {
            let new = t.live_columns().filter(|c| c.attnum > attnum).map(|c| unique(&c.name, &[&own]));
            out.extend(new);
        }
    }
    out
}

/// A column of an item or a join as it stands in `*`: its name, and what it was when the query was bound.
type Star = (String, Option<Expr>);

struct Columns<'b, 'a> {
    queries: &'b mut Queries<'a>,
    catalog: &'b Catalog,
    /// Names that joins ask of columns: (item, place).
    wanted: Vec<((usize, usize), String)>,
    /// The names that the joins around an item share.
    around: Vec<(usize, Vec<String>)>,
    /// All shared names, where each is alone in its FROM: what no side's column is, is shown without an item's name.
    alone: Option<Vec<String>>,
}

impl Deparser<'_> {
    /// Names the columns of a query's FROM.
    pub(super) fn name_columns(&mut self, q: &Query) {
        let Body::Select(s) = &q.body else { return };
        let catalog = self.catalog();
        let queries = self.queries();
        let alone = s.from.iter().any(|f| computes(f, queries.record)).then(Vec::new);
        let mut c = Columns { queries, catalog, wanted: Vec::new(), around: Vec::new(), alone };
        s.from.iter().for_each(|f| c.share(f, &[], &[]));
        s.from.iter().for_each(|f| drop(c.settle(f)));
    }
}
/// Is a column of USING none of the sides' own (has_dangerous_join_using)?
fn computes(f: &From, record: &Record) -> bool {
    let From::Join { left, right, shared, .. } = f else { return false };
    let merged = shared.is_some_and(|i| record.items[i].cols.iter().any(|c| !matches!(c.1, Expr::Col(..))));
    merged || computes(left, record) || computes(right, record)
}
fn same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Col(x, _), Expr::Col(y, _)) => x == y,
        (Expr::Col(..), _) | (_, Expr::Col(..)) => false,
        (a, b) => format!("{a:?}") == format!("{b:?}"),
    }
}
/// A name that none of these has: the name itself, or with a number.
fn unique(name: &str, taken: &[&[String]]) -> String {
    let is_taken = |n: &String| taken.iter().any(|t| t.contains(n));
    let mut out = name.to_string();
    let mut n = 0;
    while is_taken(&out) {
        n += 1;
        out = format!("{name}_{n}");
    }
    out
}

impl<'a> Columns<'_, 'a> {
    fn item(&self, i: usize) -> &'a Item {
        let record: &'a Record = self.queries.record;
        &record.items[i]
    }
    fn want(&mut self, item: usize, wants: &[(Expr, String)]) {
        for (n, (_, own)) in self.item(item).cols.iter().enumerate() {
            if let Some((_, name)) = wants.iter().find(|w| same(&w.0, own)) {
                self.wanted.push(((item, n), name.clone()));
            }
        }
    }
    fn wanted(&self, item: usize, n: usize) -> Option<&String> {
        self.wanted.iter().find(|w| w.0 == (item, n)).map(|w| &w.1)
    }
    /// Chooses the names that USING shares and asks them of what is joined. `wants`: those asked of this; `around`: those shared around it.
    fn share(&mut self, f: &From, wants: &[(Expr, String)], around: &[String]) {
        match f {
            From::Item(i) => {
                self.want(*i, wants);
                self.around.push((*i, around.to_vec()));
            }
            From::Join { left, right, using, shared, alias, .. } => {
                alias.iter().for_each(|a| self.want(*a, wants));
                let mut inner = if alias.is_some() { Vec::new() } else { wants.to_vec() };
                let mut around = around.to_vec();
                if let Some(shared) = shared {
                    self.choose(using, *shared, *alias, &mut inner, &mut around);
                }
                self.share(left, &inner, &around);
                self.share(right, &inner, &around);
            }
        }
    }
    /// The names of one USING.
    fn choose(
        &mut self,
        using: &[Shared],
        shared: usize,
        alias: Option<usize>,
        inner: &mut Vec<(Expr, String)>,
        around: &mut Vec<String>,
    ) {
        for (k, u) in using.iter().enumerate() {
            let Some((_, merged)) = self.item(shared).cols.get(k) else { continue };
            let at = alias.and_then(|a| Some((a, self.item(a).cols.iter().position(|c| same(&c.1, merged))?)));
            let asked = match at {
                Some((a, n)) => self.wanted(a, n).cloned(),
                None => inner.iter().find(|w| same(&w.0, merged)).map(|w| w.1.clone()),
            };
            let name = asked.unwrap_or_else(|| {
                let written = at.and_then(|(a, n)| self.item(a).written.get(n)?.as_ref());
                let here: Vec<String> = inner.iter().map(|w| w.1.clone()).collect();
                let name = unique(written.unwrap_or(&u.name), &[&here, around, self.alone.as_deref().unwrap_or(&[])]);
                self.alone.iter_mut().for_each(|a| a.push(name.clone()));
                name
            });
            self.queries.columns[shared][k].clone_from(&name);
            around.push(name.clone());
            inner.push((u.left.clone(), name.clone()));
            inner.push((u.right.clone(), name));
        }
    }
    /// Names all columns, those of sides before those of the join, and gives them as `*` has them.
    fn settle(&mut self, f: &From) -> Vec<Star> {
        match f {
            From::Item(i) => self.settle_item(*i),
            From::Join { left, right, using, shared, alias, .. } => {
                let (mut left, mut right) = (self.settle(left), self.settle(right));
                let is = |s: &Star, e: &Expr| s.1.as_ref().is_some_and(|x| same(x, e));
                left.retain(|s| !using.iter().any(|u| is(s, &u.left)));
                right.retain(|s| !using.iter().any(|u| is(s, &u.right)));
                let mut star: Vec<Star> = Vec::new();
                if let Some(i) = shared {
                    let own = self.item(*i).cols.iter().map(|c| Some(c.1.clone()));
                    star.extend(std::iter::zip(self.queries.columns[*i].iter().cloned(), own));
                }
                star.extend(left);
                star.extend(right);
                match alias {
                    Some(a) => self.settle_join(*a, star),
                    None => star,
                }
            }
        }
    }
    fn settle_item(&mut self, i: usize) -> Vec<Star> {
        let item = self.item(i);
        let star = |names: &[String]| {
            let own = item.cols.iter().map(|c| Some(c.1.clone()));
            std::iter::zip(names.iter().cloned(), own).collect()
        };
        let ItemKind::Relation { oid, attnums, .. } = &item.kind else { return star(&self.queries.columns[i]) };
        let Some(t) = self.catalog.table(*oid) else { return star(&self.queries.columns[i]) };
        let columns = t.live_columns().map(|c| {
            let n = attnums.iter().position(|a| *a == c.attnum);
            let own = n.and_then(|n| self.queries.columns[i].get(n)).unwrap_or(&c.name);
            (n, own.clone())
        });
        let columns = columns.collect();
        let named = self.name_all(i, columns);
        let differs = std::iter::zip(&named, t.live_columns()).any(|(n, c)| n.0 != c.name);
        self.queries.lists[i] = if differs { named.iter().map(|n| n.0.clone()).collect() } else { Vec::new() };
        named
    }
    /// The columns of a join's alias.
    fn settle_join(&mut self, a: usize, star: Vec<Star>) -> Vec<Star> {
        let item = self.item(a);
        let columns = star.iter().map(|(inner, e)| {
            let n = e.as_ref().and_then(|e| item.cols.iter().position(|c| same(&c.1, e)));
            let own = n.and_then(|n| item.written.get(n)?.as_ref()).unwrap_or(inner);
            (n, own.clone())
        });
        let named = self.name_all(a, columns.collect());
        let differs = item.renamed || std::iter::zip(&named, &star).any(|(n, s)| n.0 != s.0);
        self.queries.lists[a] = if differs { named.iter().map(|n| n.0.clone()).collect() } else { Vec::new() };
        named
    }
    /// Settles the names of an item's columns as there are now: (place among those of then, name of its own).
    fn name_all(&mut self, i: usize, columns: Vec<(Option<usize>, String)>) -> Vec<Star> {
        let item = self.item(i);
        let mut taken: Vec<String> = self.wanted.iter().filter(|w| w.0.0 == i).map(|w| w.1.clone()).collect();
        taken.extend(self.around.iter().filter(|a| a.0 == i).flat_map(|a| a.1.iter().cloned()));
        taken.extend(self.alone.iter().flatten().cloned());
        let mut choose = |asked: Option<String>, own: &str| {
            let name = asked.unwrap_or_else(|| unique(own, &[&taken]));
            taken.push(name.clone());
            name
        };
        for (n, own) in &columns {
            if let Some(n) = *n {
                self.queries.columns[i][n] = choose(self.wanted(i, n).cloned(), own);
            }
        }
        let names = &self.queries.columns[i];
        let named = columns.iter().map(|(n, own)| match *n {
            Some(n) => (names[n].clone(), Some(item.cols[n].1.clone())),
            None => (choose(None, own), None),
        });
        named.collect()
    }
}
