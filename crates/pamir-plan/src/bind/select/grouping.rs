//! GROUP BY: its items, GROUPING SETS, ROLLUP and CUBE.
use super::super::coerce::show;
use super::super::expr::output_name;
use super::super::group::same;
use super::super::{Binder, GroupingCall};
use super::{Target, bare_name, constant};
use pamir_expr::expr::{children_mut, each_col};
use pamir_expr::func;
use pamir_expr::ir::{ColId, Cte, Expr, OutCol};
use pamir_expr::query::Group;
use pamir_parse::tree::{self, ExprKind, GroupItem};
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};

/// GROUPING() of what is no key.
pub(super) fn not_grouped() -> Error {
    err!(GROUPING_ERROR, "arguments to GROUPING must be grouping expressions of the associated query level")
}
/// The most arguments of GROUPING(), one a bit.
const MAX_GROUPING: usize = 31;
/// The most elements of CUBE, whose sets are all subsets of them.
const MAX_CUBE: usize = 12;
/// The most grouping sets that clauses come to.
const MAX_SETS: usize = 4096;

/// What is grouped by.
pub(super) struct Keys {
    pub groups: Vec<(Expr, OutCol)>,
    /// The output column that each stands for.
    targets: Vec<Option<usize>>,
    /// Equal expressions of several output columns are keys of their own: a grouping set may have one without the other.
    apart: bool,
}
impl Keys {
    /// The keys whose expression one before them has.
    fn twins(&self, ctes: &[Cte]) -> impl Iterator<Item = usize> {
        let again = |i: &usize| self.groups[..*i].iter().any(|g| same(ctes, &g.0, &self.groups[*i].0));
        (0..if self.apart { self.groups.len() } else { 0 }).filter(again)
    }
    pub(super) fn has_twins(&self, ctes: &[Cte]) -> bool {
        self.twins(ctes).next().is_some()
    }
    /// Output columns whose key is not the first of its kind read their own.
    pub(super) fn own_columns(&self, ctes: &[Cte], targets: &mut [Target]) {
        for i in self.twins(ctes) {
            if let Some(t) = self.targets[i].and_then(|t| targets.get_mut(t)) {
                let out = &self.groups[i].1;
                t.e = Expr::Col(out.id, out.ty);
            }
        }
    }
}

impl Binder<'_, '_> {
    /// The grouping expressions, the sets, and whether it is a plain list.
    pub(super) fn group_by(
        &mut self,
        items: &[GroupItem],
        distinct: bool,
        targets: &[Target],
    ) -> Result<(Keys, Vec<Vec<usize>>, bool)> {
        let plain = items.iter().all(|i| matches!(i, GroupItem::Expr(_)));
        let mut keys = Keys { groups: Vec::new(), targets: Vec::new(), apart: !plain };
        let mut elements: Vec<Vec<Vec<usize>>> = Vec::with_capacity(items.len());
        for item in items {
            elements.push(self.sets_of(item, targets, &mut keys)?);
        }
        if plain {
            return Ok((keys, Vec::new(), true));
        }
        // The cross product of the elements.
        if elements.iter().try_fold(1usize, |n, e| n.checked_mul(e.len())).is_none_or(|n| n > MAX_SETS) {
            bail!(STATEMENT_TOO_COMPLEX, "too many grouping sets present (maximum {MAX_SETS})");
        }
        let mut sets: Vec<Vec<usize>> = vec![vec![]];
        for e in elements {
            sets = sets
                .iter()
                .flat_map(|s| {
                    e.iter().map(move |x| {
                        let mut v = s.clone();
                        v.extend(x.iter().filter(|i| !s.contains(i)));
                        v
                    })
                })
                .collect();
        }
        for s in &mut sets {
            let mut seen = Vec::new();
            s.retain(|i| {
                let new = !seen.contains(i);
                seen.push(*i);
                new
            });
        }
        if distinct {
            let mut seen: Vec<Vec<usize>> = Vec::new();
            sets.retain(|s| {
                let mut s = s.clone();
                s.sort_unstable();
                let new = !seen.contains(&s);
                seen.push(s);
                new
            });
        }
        Ok((keys, sets, false))
    }

    /// The grouping sets that an item stands for.
    fn sets_of(&mut self, item: &GroupItem, targets: &[Target], keys: &mut Keys) -> Result<Vec<Vec<usize>>> {
        let before = self.recorder.as_ref().map_or(0, |r| r.groups.len());
        let sets = match item {
            GroupItem::Empty(_) => vec![vec![]],
            GroupItem::Expr(e) => vec![self.group_list(e, targets, keys)?],
            GroupItem::Rollup(list, _) => {
                let parts = self.group_lists(list, targets, keys)?;
                (0..=parts.len()).rev().map(|n| parts[..n].concat()).collect()
            }
            GroupItem::Cube(list, at) => {
                let n = list.len();
                if n > MAX_CUBE {
                    return Err(self.at(err!(TOO_MANY_COLUMNS, "CUBE is limited to {MAX_CUBE} elements"), *at));
                }
                let parts = self.group_lists(list, targets, keys)?;
                let subset = |bits: usize| {
                    (0..n).filter(|i| bits >> (n - 1 - i) & 1 == 1).flat_map(|i| parts[i].clone()).collect()
                };
                (0..1usize << n).rev().map(subset).collect()
            }
            GroupItem::Sets(items, _) => {
                let mut all = Vec::new();
                for i in items {
                    all.extend(self.sets_of(i, targets, keys)?);
                }
                all
            }
        };
        self.record_group(item, before);
        Ok(sets)
    }
    /// What is said of a grouping set; its parts are on the stack from `before` on.
    fn record_group(&mut self, item: &GroupItem, before: usize) {
        let Some(r) = &mut self.recorder else { return };
        let parts = r.groups.split_off(before);
        match item {
            GroupItem::Empty(_) => r.groups.push(Group::Empty),
            GroupItem::Expr(_) => r.groups.extend(parts),
            GroupItem::Rollup(..) => r.groups.push(Group::Rollup(parts)),
            GroupItem::Cube(..) => r.groups.push(Group::Cube(parts)),
            GroupItem::Sets(..) => r.groups.push(Group::Sets(parts)),
        }
    }
    fn group_lists(&mut self, list: &[tree::Expr], targets: &[Target], keys: &mut Keys) -> Result<Vec<Vec<usize>>> {
        list.iter().map(|e| self.group_list(e, targets, keys)).collect()
    }
    /// An expression, or several in parentheses.
    fn group_list(&mut self, e: &tree::Expr, targets: &[Target], keys: &mut Keys) -> Result<Vec<usize>> {
        let before = self.recorder.as_ref().map_or(0, |r| r.groups.len());
        let all = match &e.kind {
            ExprKind::Row { fields, explicit: false } => {
                let mut all = Vec::with_capacity(fields.len());
                for f in fields {
                    all.extend(self.group_list(f, targets, keys)?);
                }
                all
            }
            _ => vec![self.group_item(e, targets, keys)?],
        };
        if let Some(r) = &mut self.recorder {
            r.groups.truncate(before);
            r.groups.push(Group::List(all.iter().map(|i| keys.groups[*i].0.clone()).collect()));
        }
        Ok(all)
    }

    fn group_item(&mut self, e: &tree::Expr, targets: &[Target], keys: &mut Keys) -> Result<usize> {
        let was = self.level().no_agg.replace("GROUP BY");
        let bound = self.group_value(e, targets);
        self.level().no_agg = was;
        let (named, bound) = bound?;
        let bound = self.known(bound)?;
        let aggs: Vec<ColId> = self.level().aggs.iter().map(|a| a.out.id).collect();
        let mut has_agg = false;
        each_col(&bound, &mut |c| has_agg |= aggs.contains(&c));
        if has_agg {
            return Err(
                self.place(err!(GROUPING_ERROR, "aggregate functions are not allowed in GROUP BY"), e.leftmost())
            );
        }
        let windows: Vec<ColId> = self.level().windows.iter().map(|w| w.out.id).collect();
        let mut has_window = false;
        each_col(&bound, &mut |c| has_window |= windows.contains(&c));
        if has_window {
            return Err(self.place(err!(WINDOWING_ERROR, "window functions are not allowed in GROUP BY"), e.leftmost()));
        }
        if func::equality(bound.ty().oid).is_none() && !bound.ty().is_array() && bound.ty().oid != oid::RECORD {
            return Err(self.place(
                err!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(bound.ty().oid)),
                e.leftmost(),
            ));
        }
        let target = named.or_else(|| targets.iter().position(|t| same(&self.ctes, &t.e, &bound)));
        let known =
            |i: &usize| same(&self.ctes, &keys.groups[*i].0, &bound) && (!keys.apart || keys.targets[*i] == target);
        if let Some(i) = (0..keys.groups.len()).find(known) {
            return Ok(i);
        }
        let out = self.out(output_name(e), bound.ty());
        keys.groups.push((bound, out));
        keys.targets.push(target);
        Ok(keys.groups.len() - 1)
    }

    /// What is grouped by, and which output column it was named as: an output column by its number or, where no input column has it, its name, or an expression.
    fn group_value(&mut self, e: &tree::Expr, targets: &[Target]) -> Result<(Option<usize>, Expr)> {
        if let Some(l) = constant(e) {
            return self.ordinal(l, e.at, targets.len(), "GROUP BY").map(|i| (Some(i), targets[i].e.clone()));
        }
        if let Some(n) = bare_name(e)
            && !self.local_column(n)
            && let Some(i) = self.output_named(n, e.at, targets, "GROUP BY")?
        {
            return Ok((Some(i), targets[i].e.clone()));
        }
        Ok((None, self.expr(e)?))
    }

    /// GROUPING()'s values: bits of the keys absent from the set, the last argument's the lowest. A key of its own, which is never NULL, goes into each set
    /// with the key that it stands for: where it comes out as NULL the set has neither.
    pub(super) fn grouping_values(
        &mut self,
        calls: Vec<GroupingCall>,
        groups: &mut Vec<(Expr, OutCol)>,
        sets: &mut [Vec<usize>],
    ) -> Result<Vec<(ColId, Expr)>> {
        let int = |n: i32| Expr::Const(Datum::Int4(n), Type::INT4);
        let mut marks: Vec<(usize, OutCol)> = Vec::new();
        let mut out = Vec::with_capacity(calls.len());
        for GroupingCall { id, args, at: written } in calls {
            if args.len() > MAX_GROUPING {
                bail!(TOO_MANY_ARGUMENTS, "GROUPING must have fewer than {} arguments", MAX_GROUPING + 1);
            }
            let mut value = int(0);
            for (i, a) in args.iter().rev().enumerate() {
                let Some(at) = groups.iter().position(|g| same(&self.ctes, &g.0, a)) else {
                    return Err(self.at(not_grouped(), written));
                };
                if sets.is_empty() {
                    continue;
                }
                let mark = match marks.iter().find(|m| m.0 == at) {
                    Some(m) => m.1.clone(),
                    None => {
                        let mark = self.out("grouping", Type::INT4);
                        groups.push((int(1), mark.clone()));
                        let place = groups.len() - 1;
                        sets.iter_mut().filter(|s| s.contains(&at)).for_each(|s| s.push(place));
                        marks.push((at, mark.clone()));
                        mark
                    }
                };
                let absent = Expr::IsNull(Box::new(Expr::Col(mark.id, mark.ty)), false);
                let bit =
                    Expr::Case { whens: vec![(absent, int(1 << i))], otherwise: Box::new(int(0)), ty: Type::INT4 };
                value = self.operator("+", Some(value), bit)?;
            }
            out.push((id, value));
        }
        Ok(out)
    }

    fn local_column(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|s| s.star.iter().any(|at| s.col(*at).name == name))
    }
}

/// Replaces columns by expressions.
pub(super) fn replace(e: &mut Expr, by: &[(ColId, Expr)]) {
    if let Expr::Col(id, _) = e {
        if let Some((_, x)) = by.iter().find(|x| x.0 == *id) {
            *e = x.clone();
        }
        return;
    }
    children_mut(e, &mut |c| replace(c, by));
}
