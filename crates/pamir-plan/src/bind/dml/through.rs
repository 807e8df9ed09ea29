//! Changes of rows through views: PostgreSQL's automatically updatable ones.
//!
//! A statement is bound as if the view were a table. Then the view is taken apart, down to the table whose rows it shows, and the statement is put on that:
//!
//! ```text
//! UPDATE v SET x = x + 1 WHERE y > 2         v: SELECT a AS x, b * 2 AS y FROM w WHERE a > 0        w: SELECT * FROM t WHERE c
//!    -> UPDATE t SET a = a + 1 WHERE c AND a > 0 AND b * 2 > 2
//! ```
//! *Invariants*: what stands for a view's column in the statement's expressions is what the view says it is, over columns of the base table; each view's own privileges
//! are asked of whoever stands above it, those of what it reads of its owner. Behind a security barrier conditions from above are asked only of rows
//! that the view shows.
//!
//! Which row is checked by what: conditions of views decide which rows UPDATE and DELETE meet; a WITH CHECK OPTION is asked of the rows that INSERT and
//! UPDATE leave ([`pamir_expr::ir::ViewCheck`]). ON CONFLICT DO UPDATE meets rows that the view does not show and fails, as in PostgreSQL.
use super::super::from::rename;
use super::super::record;
use super::super::scope::Scope;
use super::super::select::Target;
use super::super::{BindCtx, Binder};
use super::conflict::Inference;
use super::{Columns, instead_of};
use pamir_catalog::acl::{self, Use};
use pamir_catalog::{CheckOption, Relation, Table};
use pamir_expr::expr::{children_mut, each, each_col};
use pamir_expr::ir::{ColId, Expr, Modify, ModifyOp, Rel, ViewCheck};
use pamir_expr::rels::{all_exprs_mut, conjunction, has_subquery, rel_cols};
use pamir_parse::tree::{self, Overriding, SelectBody, TableKind, TableRef};
use pamir_txn::TableLock;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Which change of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Insert,
    Update,
    Delete,
}
const MANY: &str = "Views that do not select from a single table or view are not automatically updatable.";
const AGGREGATES: &str = "Views that return aggregate functions are not automatically updatable.";
const WINDOWS: &str = "Views that return window functions are not automatically updatable.";
const SETS: &str = "Views that return set-returning functions are not automatically updatable.";
const NO_COLUMNS: &str = "Views that have no updatable columns are not automatically updatable.";

/// A view's columns and conditions, over the columns of its base table.
pub(super) struct Through {
    pub base: Arc<Table>,
    /// Without the tables that inherit from it.
    only: bool,
    /// Whose policies count of it ([`Binder::reader`]), and whether rows of it are read.
    reader: Option<Oid>,
    reads: bool,
    /// What stands for the base table's columns in the expressions.
    ids: Vec<(i16, ColId)>,
    /// By the view's column: what it is, and which column of the base table that is.
    columns: Vec<(Expr, Option<i16>)>,
    /// The views, innermost first.
    levels: Vec<Level>,
}
struct Level {
    view: Arc<Table>,
    /// By column, those of the base table.
    places: Vec<Option<i16>>,
    cond: Option<Expr>,
    barrier: bool,
    checked: bool,
}
/// What is asked of the view: its use, its columns that get values.
struct Asked {
    used: Use,
    changed: Vec<i16>,
    change: Change,
}
/// What a view says of the relation that it shows.
struct Shown {
    t: Arc<Table>,
    ids: Vec<(i16, ColId)>,
    targets: Vec<Target>,
    cond: Option<Expr>,
    /// The number of its use.
    at: usize,
}
/// What is known of the statement beside its bound form.
#[derive(Default)]
pub(super) struct Given {
    /// By column of an INSERT: did anything but DEFAULT stand there?
    pub set: Vec<bool>,
    pub overriding: Option<Overriding>,
    pub inference: Option<Inference>,
}

/// 55000: the view is not one that rows are changed through.
fn refused(v: &Table, change: Change, why: &'static str) -> Error {
    let (what, doing, event) = match change {
        Change::Insert => ("insert into", "inserting into", "INSERT"),
        Change::Update => ("update", "updating", "UPDATE"),
        Change::Delete => ("delete from", "deleting from", "DELETE"),
    };
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot {what} view \"{}\"", v.name).detail(why).hint(format!(
        "To enable {doing} the view, provide an INSTEAD OF {event} trigger or an unconditional ON {event} DO INSTEAD rule."
    ))
}
/// What of a query's clauses keeps rows from being changed through it.
fn plain(q: &tree::Select) -> std::result::Result<&tree::SelectCore, &'static str> {
    let core = match &q.body {
        SelectBody::Select(s) => s,
        SelectBody::SetOp { .. } => {
            return Err("Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.");
        }
        SelectBody::Values(_) => return Err(MANY),
    };
    let wrong = [
        (!matches!(core.distinct, tree::Distinct::All), "Views containing DISTINCT are not automatically updatable."),
        (!core.group_by.is_empty(), "Views containing GROUP BY are not automatically updatable."),
        (core.having.is_some(), "Views containing HAVING are not automatically updatable."),
        (q.with.is_some(), "Views containing WITH are not automatically updatable."),
        (q.limit.is_some() || q.offset.is_some(), "Views containing LIMIT or OFFSET are not automatically updatable."),
    ];
    wrong.into_iter().find(|w| w.0).map_or(Ok(core), |w| Err(w.1))
}
/// The only relation of a FROM.
fn single(core: &tree::SelectCore) -> Option<(&tree::Relation, Option<&tree::Alias>)> {
    match core.from.as_slice() {
        [TableRef { kind: TableKind::Relation(r, None), alias, .. }] => Some((r, alias.as_ref())),
        _ => None,
    }
}

/// Puts expressions in the place of columns, those that subqueries name included.
pub(super) fn put(e: &mut Expr, map: &FxHashMap<ColId, Expr>) {
    match e {
        Expr::Col(c, _) => {
            if let Some(x) = map.get(c) {
                *e = x.clone();
            }
            return;
        }
        Expr::Subquery(s) => {
            let mut outer = Vec::with_capacity(s.outer.len());
            for c in &s.outer {
                match map.get(c) {
                    Some(x) => each_col(x, &mut |c| outer.push(c)),
                    None => outer.push(*c),
                }
            }
            outer.sort_unstable();
            outer.dedup();
            let s = Arc::make_mut(s);
            s.outer = outer;
            put_all(&mut s.rel, map);
        }
        _ => {}
    }
    children_mut(e, &mut |x| put(x, map));
}
pub(super) fn put_all(r: &mut Rel, map: &FxHashMap<ColId, Expr>) {
    all_exprs_mut(r, &mut |e| put(e, map));
}
fn made(e: &Expr, map: &FxHashMap<ColId, Expr>) -> Expr {
    let mut e = e.clone();
    put(&mut e, map);
    e
}
/// Most parts that the expressions of a view may have over its base table: views over views that name a column twice double them.
const MAX_PARTS: usize = 200_000;
/// 54001 before what replaces columns grows too long.
fn bounded<'e>(v: &Table, map: &FxHashMap<ColId, Expr>, all: impl Iterator<Item = &'e Expr>) -> Result<()> {
    let sizes: FxHashMap<ColId, usize> = map
        .iter()
        .map(|(id, e)| {
            let mut n = 0;
            each(e, &mut |_| n += 1);
            (*id, n)
        })
        .collect();
    let mut parts = 0usize;
    for e in all {
        each_col(e, &mut |c| parts = parts.saturating_add(sizes.get(&c).copied().unwrap_or(1)));
    }
    pamir_types::work::charge(parts)?;
    if parts > MAX_PARTS {
        return Err(err!(STATEMENT_TOO_COMPLEX, "the columns of view \"{}\" are too long over its base table", v.name));
    }
    Ok(())
}
/// Puts a relation in the place that was left for it: the first of a FROM.
pub(super) fn plant(source: &mut Rel, scan: Rel) {
    match source {
        Rel::Join { left, .. } => plant(left, scan),
        other => *other = scan,
    }
}
fn at_most_once(columns: &[i16], base: &Table) -> Result<()> {
    for (i, a) in columns.iter().enumerate() {
        if columns[..i].contains(a) {
            let name = base.column(*a).map_or("", |c| &c.name);
            bail!(SYNTAX_ERROR, "multiple assignments to same column \"{name}\"");
        }
    }
    Ok(())
}

impl Through {
    /// The expressions of the view's columns where `ids` are the base table's.
    fn over(&self, ids: &[(i16, ColId)]) -> FxHashMap<ColId, Expr> {
        let ty = |a: i16| self.base.column(a).map_or(Type::UNKNOWN, |c| c.ty);
        let of = |a: i16| ids.iter().find(|i| i.0 == a).map(|i| Expr::Col(i.1, ty(a)));
        self.ids.iter().filter_map(|(a, id)| Some((*id, of(*a)?))).collect()
    }
    /// What a row of the view's, whose columns are `own`, is where `ids` are the base table's.
    fn row(&self, own: &[(i16, ColId)], ids: &[(i16, ColId)]) -> FxHashMap<ColId, Expr> {
        let map = self.over(ids);
        std::iter::zip(own, &self.columns).map(|((_, id), (e, _))| (*id, made(e, &map))).collect()
    }
    fn place(&self, v: i16) -> Result<i16> {
        let p = self.columns.get((v as usize).wrapping_sub(1)).and_then(|c| c.1);
        p.ok_or_else(|| Error::internal("a column of a view without its place"))
    }
    /// The conditions of the views, and `own` of the statement's, in the order in which they may be asked.
    fn conditions(&self, ids: &[(i16, ColId)], own: Option<Expr>) -> (Vec<Expr>, Option<Expr>) {
        let map = self.over(ids);
        let mut all: Vec<Expr> = Vec::new();
        let mut guard: Option<Expr> = None;
        let behind = |e: Expr, guard: &Option<Expr>| match guard {
            None => e,
            Some(g) => Expr::Case {
                whens: vec![(g.clone(), e)],
                otherwise: Box::new(Expr::Const(false.into(), Type::BOOL)),
                ty: Type::BOOL,
            },
        };
        for l in &self.levels {
            if let Some(c) = &l.cond {
                all.push(behind(made(c, &map), &guard));
            }
            if l.barrier {
                guard = conjunction(all.clone());
            }
        }
        let own = own.map(|e| behind(e, &guard));
        (all, own)
    }
    /// The rows of the base table that the views show. What is asked of them above goes below a security barrier where it tells nothing.
    fn shown(&self, scan: Rel, ids: &[(i16, ColId)]) -> Rel {
        let map = self.over(ids);
        let mut rel = scan;
        for l in &self.levels {
            if let Some(c) = &l.cond {
                rel = Rel::Filter { input: Box::new(rel), cond: made(c, &map) };
            }
            if l.barrier {
                rel = Rel::Secured { input: Box::new(rel), cond: Expr::Const(true.into(), Type::BOOL) };
            }
        }
        rel
    }
    /// What is asked of rows that are written, as `ids`.
    fn checks(&self, ids: &[(i16, ColId)]) -> Vec<ViewCheck> {
        self.asked(ids, |l| l.checked)
    }
    /// The conditions of the levels that `which` takes, each with its view.
    fn asked(&self, ids: &[(i16, ColId)], which: impl Fn(&Level) -> bool) -> Vec<ViewCheck> {
        let map = self.over(ids);
        let levels = self.levels.iter().filter(|l| which(l));
        levels
            .filter_map(|l| Some(ViewCheck { view: l.view.name.clone(), cond: made(l.cond.as_ref()?, &map) }))
            .collect()
    }
}

impl Binder<'_, '_> {
    /// A change of a view's rows as one of its base table's. `target`: the number of the view's use.
    pub(super) fn through(&mut self, m: Modify, target: usize, given: Given) -> Result<Modify> {
        let v = m.table.clone();
        let used = self.uses.get(target);
        let of = |set: &[(i16, Expr)]| set.iter().map(|s| s.0).collect::<Vec<i16>>();
        let (change, changed) = match &m.op {
            ModifyOp::Insert { columns, on_conflict, .. } => {
                let mut all = columns.clone();
                all.extend(v.columns.iter().filter(|c| c.default.is_some()).map(|c| c.attnum));
                all.extend(on_conflict.iter().flat_map(|c| &c.update).flat_map(|u| of(&u.set)));
                (Change::Insert, all)
            }
            ModifyOp::Update { set, .. } => (Change::Update, of(set)),
            ModifyOp::Delete { .. } => (Change::Delete, Vec::new()),
            ModifyOp::Merge { .. } => return Err(Error::internal("MERGE into a view")),
        };
        let asked = Asked { used, changed, change };
        let x = self.taken_apart(&v, &asked.used, &asked.changed, change, false)?;
        let base = x.base.clone();
        let Modify { op, mut returning, row_cols, .. } = m;
        let (base_row, _) = self.row(&base, &base.name);
        let written = self.another(&x, &v, &asked)?;
        let map = written.as_ref().unwrap_or(&x).row(&row_cols, &base_row);
        bounded(&v, &map, returning.iter().flatten().map(|r| &r.0))?;
        let checks = match change {
            Change::Delete => Vec::new(),
            _ => self.another(&x, &v, &asked)?.as_ref().unwrap_or(&x).checks(&base_row),
        };
        let (op, more) = match op {
            ModifyOp::Insert { .. } => (self.insert_through(op, &x, given, &v, &asked)?, FxHashMap::default()),
            op => self.change_through(op, &x, &v, &asked)?,
        };
        let members = match &op {
            ModifyOp::Update { key, .. } | ModifyOp::Delete { key, .. } => self.members(*key),
            _ => self.partitions(&base),
        };
        for (e, _) in returning.iter_mut().flatten() {
            put(e, &map);
            put(e, &more);
        }
        let mut m = Modify {
            table: base,
            op,
            returning,
            row_cols: base_row,
            system: Default::default(),
            checks,
            guards: Vec::new(),
            uncounted: false,
            members,
        };
        let own = std::mem::replace(&mut self.reader, x.reader);
        let restricted = self.restrict(&mut m, x.reads);
        self.reader = own;
        restricted.map(|()| m)
    }

    /// The view taken apart once more, if it has subqueries: what they are made of must not have one name for two rows.
    fn another(&mut self, x: &Through, v: &Arc<Table>, asked: &Asked) -> Result<Option<Through>> {
        let all = x.columns.iter().map(|c| &c.0).chain(x.levels.iter().flat_map(|l| &l.cond));
        if !all.into_iter().any(has_subquery) {
            return Ok(None);
        }
        self.taken_apart(v, &asked.used, &asked.changed, asked.change, false).map(Some)
    }
    /// UPDATE and DELETE; also what the columns of the row before are.
    fn change_through(
        &mut self,
        op: ModifyOp,
        x: &Through,
        v: &Arc<Table>,
        asked: &Asked,
    ) -> Result<(ModifyOp, FxHashMap<ColId, Expr>)> {
        let (source, own_cols, set, own) = match op {
            ModifyOp::Update { source, old_cols, set, recheck, .. } => (source, old_cols, Some(set), recheck),
            ModifyOp::Delete { source, old_cols, recheck, .. } => (source, old_cols, None, recheck),
            _ => return Err(Error::internal("this statement changes no rows")),
        };
        let mut source = source;
        let base = x.base.clone();
        let (scan, key, old_cols, _) = self.dml_scan(&base, x.only, &base.name, 0)?;
        let map = x.row(&own_cols, &old_cols);
        bounded(&base, &map, set.iter().flatten().map(|s| &s.1).chain(&own))?;
        put_all(&mut source, &map);
        let own = own.map(|e| made(&e, &map));
        plant(&mut source, x.shown(scan, &old_cols));
        if let Some(cond) = own.clone() {
            source = Rel::Filter { input: Box::new(source), cond };
        }
        // What is asked again of a row is asked while others are being read.
        let again = self.another(x, v, asked)?;
        let (conds, own) = again.as_ref().unwrap_or(x).conditions(&old_cols, own);
        let recheck = conjunction(conds.into_iter().chain(own).collect());
        let op = match set {
            None => ModifyOp::Delete { source, key, old_cols, recheck },
            Some(set) => {
                let set = self.set_through(set, x, &[&map])?;
                ModifyOp::Update { source, key, old_cols, set, recheck }
            }
        };
        Ok((op, map))
    }
    /// SET's columns as the base table's.
    fn set_through(
        &mut self,
        set: Vec<(i16, Expr)>,
        x: &Through,
        maps: &[&FxHashMap<ColId, Expr>],
    ) -> Result<Vec<(i16, Expr)>> {
        let mut out: Vec<(i16, Expr)> = Vec::with_capacity(set.len());
        for (a, mut e) in set {
            let place = x.place(a)?;
            let Some(c) = x.base.column(place).cloned() else { continue };
            Self::settable(&c)?;
            if matches!(e, Expr::Default) {
                // Only an INSERT looks for defaults below the view, as PostgreSQL's.
                let own = x.levels.last().and_then(|l| l.view.column(a)).and_then(|c| c.default.clone());
                e = match own {
                    Some(_) => self.default_through(x, a)?,
                    None => self.into_domain(Expr::Const(Datum::Null, c.ty), &x.base, &c)?,
                };
            } else {
                maps.iter().for_each(|m| put(&mut e, m));
                e = self.domain_through(e, x, a, place)?;
            }
            out.push((place, e));
        }
        at_most_once(&out.iter().map(|s| s.0).collect::<Vec<_>>(), &x.base)?;
        Ok(out)
    }
    /// A value of the view's column, looked at by the base column's domain where the view's has none.
    fn domain_through(&mut self, e: Expr, x: &Through, own: i16, place: i16) -> Result<Expr> {
        let view = x.levels.last().map(|l| l.view.clone());
        let domain = x.base.declared.domain(place);
        let seen = view.is_some_and(|v| v.declared.domain(own) == domain);
        match x.base.column(place).cloned() {
            Some(c) if domain.is_some() && !seen => self.into_domain(e, &x.base, &c),
            _ => Ok(e),
        }
    }
    /// The default of a view's column: its own, or that of what it shows.
    fn default_through(&mut self, x: &Through, own: i16) -> Result<Expr> {
        let place = x.place(own)?;
        for l in x.levels.iter().rev() {
            let at = l.places.iter().position(|p| *p == Some(place));
            // The outermost view's column is known by number: two of its columns may show the same.
            let at = if std::ptr::eq(l, x.levels.last().unwrap_or(l)) { Some(own as usize - 1) } else { at };
            let Some(c) = at.and_then(|i| l.view.columns.get(i)).cloned() else { continue };
            if let Some(d) = &c.default {
                let e = self.stored(&d.0, None, c.ty)?;
                let Some(b) = x.base.column(place).cloned() else { continue };
                return self.into_domain(e, &x.base, &b);
            }
        }
        let Some(c) = x.base.column(place).cloned() else { return Ok(Expr::Const(Datum::Null, Type::TEXT)) };
        if c.generated.is_some() {
            return Ok(Expr::Const(Datum::Null, c.ty));
        }
        self.default_of(&x.base, &c)
    }

    fn insert_through(
        &mut self,
        op: ModifyOp,
        x: &Through,
        given: Given,
        v: &Arc<Table>,
        asked: &Asked,
    ) -> Result<ModifyOp> {
        let ModifyOp::Insert { mut source, columns: own, on_conflict, .. } = op else {
            return Err(Error::internal("an INSERT was expected"));
        };
        let base = x.base.clone();
        let mut columns = own.iter().map(|a| x.place(*a)).collect::<Result<Vec<i16>>>()?;
        at_most_once(&columns, &base)?;
        let mut defaults: Vec<Option<Expr>> = vec![None; own.len()];
        if let Rel::Values { rows, .. } = &mut source {
            for row in rows {
                for (n, e) in row.iter_mut().enumerate() {
                    if matches!(e, Expr::Default) {
                        let d = match defaults[n].take() {
                            Some(d) => d,
                            None => self.default_through(x, own[n])?,
                        };
                        defaults[n] = Some(d.clone());
                        *e = d;
                    } else {
                        let value = std::mem::replace(e, Expr::Default);
                        *e = self.domain_through(value, x, own[n], columns[n])?;
                    }
                }
            }
        } else {
            let cols = rel_cols(&source);
            let mut targets = Vec::with_capacity(cols.len());
            for (n, o) in cols.iter().enumerate() {
                let e = match (own.get(n), columns.get(n)) {
                    (Some(a), Some(b)) => self.domain_through(Expr::Col(o.id, o.ty), x, *a, *b)?,
                    _ => Expr::Col(o.id, o.ty),
                };
                targets.push(Target { e, name: o.name.clone(), origin: None });
            }
            if targets.iter().any(|t| !matches!(t.e, Expr::Col(..))) {
                source = self.project(source, targets).rel;
            }
        }
        let list = columns.iter().filter_map(|a| base.column(*a)).cloned().collect();
        let cols = Columns { table: base.clone(), written: None, list, given: columns.len(), set: given.set };
        let mut filled = columns.clone();
        self.settle_columns(&mut source, &mut columns, &cols, given.overriding)?;
        let mut defaults = Vec::new();
        for l in x.levels.iter().rev() {
            for (c, p) in std::iter::zip(&l.view.columns, &l.places) {
                if let (Some(d), Some(p)) = (&c.default, p)
                    && !filled.contains(p)
                {
                    let Some(b) = base.column(*p).cloned() else { continue };
                    Self::settable(&b)?;
                    let e = self.stored(&d.0, None, c.ty)?;
                    defaults.push((*p, self.into_domain(e, &base, &b)?));
                    filled.push(*p);
                }
            }
        }
        defaults.extend(self.defaults_beside(&base, &filled)?);
        let on_conflict = match on_conflict {
            None => None,
            Some(mut c) => {
                if let Some(i) = given.inference {
                    let ids: Vec<(i16, ColId)> = base.live_columns().map(|c| (c.attnum, c.attnum as ColId)).collect();
                    let v = x.levels.last().map(|l| l.view.clone()).unwrap_or_else(|| base.clone());
                    let own: Vec<(i16, ColId)> = v.columns.iter().map(|c| (c.attnum, c.attnum as ColId)).collect();
                    let map = x.row(&own, &ids);
                    let i = Inference {
                        items: i.items.iter().map(|e| made(e, &map)).collect(),
                        predicate: i.predicate.as_ref().map(|e| made(e, &map)),
                    };
                    (c.arbiters, c.asks) = self.arbiters(&i, &base)?;
                }
                if let Some(u) = &mut c.update {
                    let (old, _) = self.row(&base, &base.name);
                    let (excluded, _) = self.row(&base, "excluded");
                    let other = self.another(x, v, asked)?;
                    let maps = [&x.row(&u.old_cols, &old), &other.as_ref().unwrap_or(x).row(&u.excluded, &excluded)];
                    u.set = self.set_through(std::mem::take(&mut u.set), x, &maps)?;
                    u.cond.iter_mut().for_each(|e| maps.iter().for_each(|m| put(e, m)));
                    u.shown = self.another(x, v, asked)?.as_ref().unwrap_or(x).asked(&old, |_| true);
                    (u.old_cols, u.excluded) = (old, excluded);
                }
                Some(c)
            }
        };
        Ok(ModifyOp::Insert { source, columns, defaults, on_conflict })
    }

    /// `used`: what is asked of the view; `changed`: its columns that get values; `cascaded`: a view above checks what this one shows.
    fn taken_apart(
        &mut self,
        v: &Arc<Table>,
        used: &Use,
        changed: &[i16],
        change: Change,
        cascaded: bool,
    ) -> Result<Through> {
        let Some(view) = v.view.clone() else { return Err(Error::internal("a view was expected")) };
        let q = record::stored_query(&view.text.0)?;
        let core = plain(&q).map_err(|why| refused(v, change, why))?;
        let checked = cascaded || view.check.is_some();
        let cascaded = cascaded || view.check == Some(CheckOption::Cascaded);
        self.inside_view(v, &view, |b| {
            let apart = b.subquery_level(|b| {
                let Shown { t, ids, targets, cond, at } =
                    b.shown_by(v, &q, core, used)?.map_err(|why| refused(v, change, why))?;
                let places = places(&ids, &targets);
                may_change(v, &targets, &places, changed, change)?;
                let below = |list: &[i16]| -> Vec<i16> {
                    list.iter().filter_map(|a| *places.get((*a as usize).wrapping_sub(1))?).collect()
                };
                b.uses.settle(at, used.required, &below(&used.inserted), &below(&used.updated));
                let mut x = match &t.view {
                    None => {
                        let column = |(a, id): &(i16, ColId)| {
                            (Expr::Col(*id, t.column(*a).map_or(Type::UNKNOWN, |c| c.ty)), Some(*a))
                        };
                        let columns = ids.iter().map(column).collect();
                        let only = single(core).is_some_and(|(r, _)| r.only);
                        let (reader, reads) = (b.reader, used.required & acl::SELECT != 0);
                        let (ids, levels) = (ids.clone(), Vec::new());
                        Through { base: t.clone(), only, reader, reads, ids, columns, levels }
                    }
                    Some(_) => {
                        let mut changed = below(changed);
                        if change == Change::Insert {
                            changed.extend(t.columns.iter().filter(|c| c.default.is_some()).map(|c| c.attnum));
                        }
                        let used = b.uses.get(at);
                        b.taken_apart(&t, &used, &changed, change, cascaded)?
                    }
                };
                // The columns of what is below, as those of the base table.
                let inner = std::iter::zip(&ids, &x.columns);
                let map: FxHashMap<ColId, Expr> = inner.map(|((_, id), (e, _))| (*id, e.clone())).collect();
                bounded(v, &map, targets.iter().map(|t| &t.e).chain(&cond))?;
                let deep = |p: &Option<i16>| {
                    let i = ids.iter().position(|i| Some(i.0) == *p)?;
                    x.columns.get(i)?.1
                };
                let places: Vec<Option<i16>> = places.iter().map(deep).collect();
                let columns = std::iter::zip(&targets, &places).map(|(t, p)| (made(&t.e, &map), *p)).collect();
                let cond = cond.map(|c| made(&c, &map));
                x.columns = columns;
                x.levels.push(Level { view: v.clone(), places, cond, barrier: view.barrier, checked });
                Ok(x)
            })?;
            Ok(apart.0)
        })
    }
    /// What a view shows; or why no rows are changed through it.
    fn shown_by(
        &mut self,
        v: &Table,
        q: &tree::Select,
        core: &tree::SelectCore,
        used: &Use,
    ) -> Result<std::result::Result<Shown, &'static str>> {
        let Some((r, alias)) = single(core) else { return self.why_many(q).map(Err) };
        let (schema, name) = self.relation_parts(r)?;
        let t = match self.resolve(schema, name, r.at)? {
            Some(Relation::Table(t)) if t.view.as_ref().is_none_or(|v| !v.materialized) => t,
            Some(Relation::Virtual(s)) if !s.view => {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied: \"{name}\" is a system catalog")
            }
            _ => return self.why_many(q).map(Err),
        };
        // Those of a table are for what the change has become.
        if t.view.is_some() && !self.cx.catalog.rules_of(t.oid).is_empty() {
            return Err(Error::unsupported("rules of a view under a view"));
        }
        if [acl::INSERT, acl::UPDATE, acl::DELETE].iter().any(|mode| instead_of(&t, *mode)) {
            return Err(Error::unsupported("INSTEAD OF triggers of a view under a view"));
        }
        self.use_table(&t, TableLock::RowExclusive);
        let (ids, mut rte) = self.row(&t, alias.map_or(&t.name, |a| &a.name));
        if let Some(a) = alias {
            rename(&mut rte, "table", a)?;
        }
        self.uses.begin(t.oid, used.required);
        let at = self.uses.newest();
        self.uses.columns_of(at, &t, &rte);
        let mut s = Scope::default();
        s.add(rte);
        let sub = self.sub_scope(s);
        let bound = self.typed_targets(core, None, true).and_then(|targets| {
            let cond = core.filter.as_ref().map(|w| self.condition(w, "WHERE")).transpose()?;
            Ok((targets, cond))
        });
        self.leave(sub);
        let (targets, cond) = bound?;
        let level = self.level();
        let wrong = [(!level.aggs.is_empty(), AGGREGATES), (!level.windows.is_empty(), WINDOWS), (level.has_srf, SETS)];
        if let Some((_, why)) = wrong.into_iter().find(|w| w.0) {
            return Ok(Err(why));
        }
        if targets.len() != v.columns.len() {
            return Err(err!(DATA_CORRUPTED, "view \"{}\" has other columns than its query", v.name));
        }
        Ok(Ok(Shown { t, ids, targets, cond, at }))
    }
    /// Why rows are not changed through a query of not just one relation.
    fn why_many(&mut self, q: &tree::Select) -> Result<&'static str> {
        let (b, _) = self.subquery_level(|b| b.query(q, None, true))?;
        fn why(r: &Rel) -> Option<&'static str> {
            match r {
                Rel::Aggregate { .. } => Some(AGGREGATES),
                Rel::Window { .. } => Some(WINDOWS),
                Rel::Project { input, exprs } => {
                    let set = |e: &Expr| matches!(e, Expr::Call { f, .. } if f.body.is_set());
                    why(input).or_else(|| exprs.iter().any(|(e, _)| set(e)).then_some(SETS))
                }
                Rel::Filter { input, .. } | Rel::Sort { input, .. } => why(input),
                _ => None,
            }
        }
        Ok(why(&b.rel).unwrap_or(MANY))
    }
}

/// A relation, and by column of a view which of its columns that is.
pub type Shows = (Oid, Vec<Option<i16>>);
/// By column of a view, that of the relation it shows.
fn places(ids: &[(i16, ColId)], targets: &[Target]) -> Vec<Option<i16>> {
    let place = |t: &Target| match t.e {
        Expr::Col(id, _) => ids.iter().find(|i| i.1 == id).map(|i| i.0),
        _ => None,
    };
    targets.iter().map(place).collect()
}
/// The relation that a view shows, and which of its columns those of the view are; or why no rows are changed through the view. `columns`: there must be
/// one for whoever inserts and updates.
pub fn shown(v: &Arc<Table>, cx: &mut BindCtx) -> Result<std::result::Result<Shows, &'static str>> {
    let Some(view) = v.view.clone() else { return Err(Error::internal("a view was expected")) };
    let q = record::stored_query(&view.text.0)?;
    let core = match plain(&q) {
        Ok(core) => core,
        Err(why) => return Ok(Err(why)),
    };
    let mut b = Binder::new(cx);
    b.inside_view(v, &view, |b| {
        let (shown, _) = b.subquery_level(|b| b.shown_by(v, &q, core, &Use::default()))?;
        Ok(shown.map(|s| (s.t.oid, places(&s.ids, &s.targets))))
    })
}
/// Why WITH CHECK OPTION cannot be asked of a view.
pub fn why_not(v: &Arc<Table>, cx: &mut BindCtx) -> Result<Option<&'static str>> {
    Ok(match shown(v, cx)? {
        Err(why) => Some(why),
        Ok((_, places)) => places.iter().all(Option::is_none).then_some(NO_COLUMNS),
    })
}

/// 0A000 for the first column that gets a value and is none of the relation below, 55000 where none is.
fn may_change(v: &Table, targets: &[Target], places: &[Option<i16>], changed: &[i16], change: Change) -> Result<()> {
    if change == Change::Delete {
        return Ok(());
    }
    if places.iter().all(Option::is_none) {
        return Err(refused(v, change, NO_COLUMNS));
    }
    for (i, c) in v.columns.iter().enumerate() {
        if !changed.contains(&c.attnum) || places.get(i).is_some_and(Option::is_some) {
            continue;
        }
        let what = if change == Change::Insert { "insert into" } else { "update" };
        let whole = matches!(targets.get(i).map(|t| &t.e), Some(Expr::Cast { e, explicit: false, .. }) if matches!(**e, Expr::Row(_)));
        let why = match whole {
            true => "View columns that return whole-row references are not updatable.",
            false => "View columns that are not columns of their base relation are not updatable.",
        };
        return Err(
            err!(FEATURE_NOT_SUPPORTED, "cannot {what} column \"{}\" of view \"{}\"", c.name, v.name).detail(why)
        );
    }
    Ok(())
}
