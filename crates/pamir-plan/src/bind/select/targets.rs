//! The SELECT list (and RETURNING): expressions with names, `*`, set-returning calls lifted below the projection.
use super::super::Binder;
use super::super::coerce::show;
use super::super::expr::output_name;
use super::super::group::same;
use super::super::scope::Scope;
use super::{Bound, Target};
use pamir_expr::expr::{any, children, children_mut, each, each_col};
use pamir_expr::ir::{AggCall, ColId, Expr, OutCol, Rel};
use pamir_expr::rels::{expr_free, produced, rel_cols, substitute};
use pamir_parse::tree::{self, At, ExprKind, SelectBody, Step};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most columns that rows of a query have (PostgreSQL's MaxTupleAttributeNumber); the protocol's number of columns has two bytes.
pub(super) const MAX_TARGETS: usize = 1664;
pub(super) fn too_many_targets() -> Error {
    err!(TOO_MANY_COLUMNS, "target lists can have at most {MAX_TARGETS} entries")
}

/// `*`, `t.*`, `(row).*`
pub(in crate::bind) fn is_star(e: &tree::Expr) -> bool {
    match &e.kind {
        ExprKind::Column { star, .. } => *star,
        ExprKind::Indirection { steps, .. } => steps.last() == Some(&Step::Star),
        _ => false,
    }
}
/// Where the output column `i` of these targets is written; behind a star with more after it nobody knows.
pub(super) fn target_at(targets: &[tree::Target], i: usize) -> At {
    match targets.iter().take(i + 1).position(|t| is_star(&t.expr)) {
        Some(star) if star + 1 == targets.len() => targets[star].expr.leftmost(),
        Some(_) => At::NOWHERE,
        None => targets.get(i).map_or(At::NOWHERE, |t| t.expr.leftmost()),
    }
}
/// Where the output column `i` of a query is written: in its first SELECT.
pub(in crate::bind) fn column_at(mut q: &tree::Select, i: usize) -> At {
    loop {
        match &q.body {
            SelectBody::Select(s) => return target_at(&s.targets, i),
            SelectBody::Values(_) => return At::NOWHERE,
            SelectBody::SetOp { left, .. } => q = left,
        }
    }
}

impl Binder<'_, '_> {
    /// SELECT list or RETURNING: the expressions with names, `*` expanded.
    pub(in crate::bind) fn targets(&mut self, items: &[tree::Target], what: &'static str) -> Result<Vec<Target>> {
        let mut out = Vec::with_capacity(items.len());
        for t in items {
            let e = &t.expr;
            match &e.kind {
                ExprKind::Column { path, star: true } => self.all_columns(path, e.at, what, &mut out)?,
                ExprKind::Indirection { arg, steps } if let [before @ .., Step::Star] = steps.as_slice() => {
                    self.fields_of(arg, before, &mut out)?;
                }
                kind => {
                    let x = self.expr(e)?;
                    let origin = if let ExprKind::Collate { .. } = kind { None } else { self.origin(&x) };
                    let name = t.name.clone().unwrap_or_else(|| output_name(e));
                    // Columns of domains are columns of what these are over.
                    let x = self.stored_as(x);
                    out.push(Target { e: x, name, origin });
                }
            }
        }
        if out.len() > MAX_TARGETS {
            return Err(too_many_targets());
        }
        Ok(out)
    }

    /// `*` or `t.*`.
    fn all_columns(&mut self, path: &[String], at: At, what: &str, out: &mut Vec<Target>) -> Result<()> {
        let (schema, table) = match path {
            [] => {
                let Some(scope) = self.scopes.last().filter(|s| !s.rtes.is_empty()) else {
                    let e = err!(SYNTAX_ERROR, "{what} * with no tables specified is not valid");
                    return Err(self.at(e, at));
                };
                let t = star(scope);
                self.note(&t, 0, at);
                out.extend(t);
                return Ok(());
            }
            [t] => (None, t.as_str()),
            [s, t] => (Some(s.as_str()), t.as_str()),
            [db, s, t] if db == self.cx.env.database() => (Some(s.as_str()), t.as_str()),
            [_, _, _] => {
                let shown = path.join(".");
                let e = err!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: {shown}.*");
                return Err(self.at(e, at));
            }
            _ => {
                let shown = path.join(".");
                let e = err!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {shown}.*");
                return Err(self.at(e, at));
            }
        };
        let found = self.scopes.iter().rev().enumerate().find_map(|(up, s)| s.rte(schema, table).map(|r| (up, r)));
        let Some((up, r)) = found else {
            if let Some(fields) = self.variable_fields(path) {
                out.extend(fields.into_iter().map(|(name, e)| Target { e, name, origin: None }));
                return Ok(());
            }
            let e = self.missing_table(schema, table);
            return Err(self.at(e, at));
        };
        if r.hidden {
            let hint = "it cannot be referenced from this part of the query.";
            let e = err!(UNDEFINED_TABLE, "invalid reference to FROM-clause entry for table \"{table}\"")
                .hint(format!("There is an entry for table \"{table}\", but {hint}"));
            return Err(self.at(e, at));
        }
        self.lateral_ok(r, at)?;
        let t: Vec<Target> =
            r.cols.iter().map(|c| Target { e: c.expr.clone(), name: c.name.clone(), origin: c.origin }).collect();
        self.note(&t, up, at);
        out.extend(t);
        Ok(())
    }

    /// `(row).*`: its fields, each a column. `before`: the steps to the row.
    fn fields_of(&mut self, root: &tree::Expr, before: &[Step], out: &mut Vec<Target>) -> Result<()> {
        let base = self.access(root, before)?;
        let ty = base.ty();
        let Some(shape) = self.shape(ty) else {
            if ty.oid == oid::RECORD {
                return Err(Error::unsupported("expansion of a record whose fields have no names"));
            }
            bail!(WRONG_OBJECT_TYPE, "type {} is not composite", show(ty.oid));
        };
        match self.row_fields(base) {
            Expr::Row(fields) if fields.len() == shape.len() => {
                for (e, (name, _)) in std::iter::zip(fields, shape.iter()) {
                    let origin = self.origin(&e);
                    let e = self.stored_as(e);
                    out.push(Target { e, name: name.clone(), origin });
                }
            }
            row => {
                for (index, (name, ty)) in shape.iter().enumerate() {
                    let e = Expr::Field { record: Box::new(row.clone()), index, ty: *ty };
                    out.push(Target { e, name: name.clone(), origin: None });
                }
            }
        }
        Ok(())
    }

    /// Remembers references made by `*` to the query level `up` further out.
    fn note(&mut self, t: &[Target], up: usize, at: At) {
        for x in t {
            let mut ids = Vec::new();
            each_col(&x.e, &mut |c| ids.push(c));
            for id in ids {
                self.uses.select_id(id);
                if up > 0 {
                    self.outer_refs.push(id);
                } else {
                    self.level().refs.push((id, at));
                }
            }
        }
    }

    fn origin(&self, e: &Expr) -> Option<(Oid, i16)> {
        let Expr::Col(id, _) = e else { return None };
        /// pg_attribute's number of tableoid.
        const TABLEOID: i16 = -6;
        if let Some(t) =
            self.scopes.iter().flat_map(|s| &s.rtes).find(|r| r.tableoid == Some(*id)).and_then(|r| r.table.as_ref())
        {
            return Some((t.oid, TABLEOID));
        }
        self.scopes
            .iter()
            .rev()
            .flat_map(|s| &s.rtes)
            .flat_map(|r| &r.cols)
            .find(|c| matches!(c.expr, Expr::Col(x, _) if x == *id))
            .and_then(|c| c.origin)
    }

    pub(in crate::bind) fn project(&mut self, rel: Rel, mut targets: Vec<Target>) -> Bound {
        let rel = if self.level().has_srf { self.lift_sets(rel, &mut targets) } else { rel };
        let mut cols = Vec::with_capacity(targets.len());
        let mut exprs = Vec::with_capacity(targets.len());
        for t in targets {
            let mut o = self.out(t.name, t.e.ty());
            o.origin = t.origin;
            cols.push(o.clone());
            exprs.push((t.e, o));
        }
        Bound { rel: Rel::Project { input: Box::new(rel), exprs }, cols }
    }

    /// Set-returning calls inside of other expressions are computed by projections of their own below: those without such calls in their arguments by the
    /// lowest, in step with each other, then those over them.
    pub(super) fn lift_sets(&mut self, mut rel: Rel, targets: &mut [Target]) -> Rel {
        let nested = |e: &Expr| {
            let mut yes = false;
            children(e, &mut |c| yes |= has_set_call(c));
            yes
        };
        while targets.iter().any(|t| nested(&t.e)) {
            let mut below: Vec<(Expr, OutCol)> = Vec::new();
            let mut shared = Vec::new();
            for t in targets.iter_mut() {
                let own = is_set_call(&t.e) && !nested(&t.e);
                self.lift(&mut t.e, &mut below, if own { None } else { Some(&mut shared) });
            }
            rel = self.beside_sets(rel, below, &mut targets.iter_mut().map(|t| &mut t.e));
        }
        rel
    }

    /// Takes the lowest set-returning calls out of an expression. `shared`: calls within other expressions; one that is there twice, as `(f()).*` is in
    /// each of its fields, is made once. A call that is a target itself is made for it alone.
    fn lift(&mut self, e: &mut Expr, below: &mut Vec<(Expr, OutCol)>, mut shared: Option<&mut Vec<ColId>>) {
        let mut lowest = is_set_call(e);
        if lowest {
            children(e, &mut |c| lowest &= !has_set_call(c));
        }
        if !lowest {
            return children_mut(e, &mut |c| self.lift(c, below, shared.as_deref_mut()));
        }
        let ty = e.ty();
        let usable = |id| shared.as_ref().is_some_and(|s| s.contains(&id));
        let known = below.iter().find(|b| usable(b.1.id) && same(&self.ctes, &b.0, e)).map(|b| b.1.id);
        let id = known.unwrap_or_else(|| {
            let o = self.out("?column?", ty);
            let id = o.id;
            below.push((e.clone(), o));
            id
        });
        if let Some(s) = shared {
            s.push(id);
        }
        *e = Expr::Col(id, ty);
    }

    /// A projection that computes `sets` over `rel`, and hands on what `above` reads of it.
    fn beside_sets(
        &mut self,
        rel: Rel,
        mut sets: Vec<(Expr, OutCol)>,
        above: &mut dyn Iterator<Item = &mut Expr>,
    ) -> Rel {
        let mut types: FxHashMap<ColId, Type> = rel_cols(&rel).into_iter().map(|c| (c.id, c.ty)).collect();
        let mut hidden = FxHashSet::default();
        produced(&rel, &mut hidden);
        let mut map: FxHashMap<ColId, Expr> = FxHashMap::default();
        for e in above {
            each(e, &mut |x| {
                if let Expr::Col(id, ty) = x
                    && hidden.contains(id)
                {
                    types.entry(*id).or_insert(*ty);
                }
            });
            let mut read: Vec<ColId> = expr_free(e).into_iter().collect();
            read.sort_unstable();
            for id in read {
                if let (false, Some(ty)) = (map.contains_key(&id), types.get(&id)) {
                    let o = self.out("?column?", *ty);
                    map.insert(id, Expr::Col(o.id, *ty));
                    sets.push((Expr::Col(id, *ty), o));
                }
            }
            substitute(e, &map);
        }
        Rel::Project { input: Box::new(rel), exprs: sets }
    }

    /// Keys of GROUP BY that return sets are computed below it; the aggregates read what is beside them.
    pub(super) fn sets_below_groups(&mut self, rel: Rel, groups: &mut [(Expr, OutCol)], aggs: &mut [AggCall]) -> Rel {
        let mut keys = Vec::new();
        for (e, o) in groups.iter_mut().filter(|g| has_set_call(&g.0)) {
            let c = self.out(o.name.clone(), o.ty);
            let key = std::mem::replace(e, Expr::Col(c.id, c.ty));
            keys.push((Target { e: key, name: String::new(), origin: None }, c));
        }
        // Where calls are within others, what the rest reads goes through each projection.
        let set = |(t, c): (Target, OutCol)| (t.e, c);
        let read = |e: &mut Expr, all: &mut Vec<Expr>| all.push(std::mem::replace(e, Expr::Default));
        let mut rest = Vec::new();
        each_above(groups, aggs, &mut |e| read(e, &mut rest));
        let (mut targets, cols): (Vec<Target>, Vec<OutCol>) = keys.into_iter().unzip();
        let sets = targets.len();
        targets.extend(rest.into_iter().map(|e| Target { e, name: String::new(), origin: None }));
        let rel = self.lift_sets(rel, &mut targets);
        let mut rest = targets.split_off(sets);
        let keys = std::iter::zip(targets, cols).map(set).collect();
        let rel = self.beside_sets(rel, keys, &mut rest.iter_mut().map(|t| &mut t.e));
        let mut rest = rest.into_iter();
        each_above(groups, aggs, &mut |e| *e = rest.next().map_or(Expr::Default, |t| t.e));
        rel
    }
}

/// What grouping reads of the relation below it.
fn each_above(groups: &mut [(Expr, OutCol)], aggs: &mut [AggCall], f: &mut dyn FnMut(&mut Expr)) {
    groups.iter_mut().for_each(|g| f(&mut g.0));
    for a in aggs {
        a.args.iter_mut().chain(&mut a.filter).for_each(&mut *f);
        a.order_by.iter_mut().for_each(|k| f(&mut k.e));
    }
}

fn is_set_call(e: &Expr) -> bool {
    matches!(e, Expr::Call { f, .. } if f.body.is_set())
}

fn star(s: &Scope) -> Vec<Target> {
    s.star
        .iter()
        .map(|at| s.col(*at))
        .map(|c| Target { e: c.expr.clone(), name: c.name.clone(), origin: c.origin })
        .collect()
}

pub(in crate::bind) fn has_set_call(e: &Expr) -> bool {
    any(e, &is_set_call)
}
