//! GROUP BY: its items, GROUPING SETS, ROLLUP and CUBE.
use super::super::Binder;
use super::super::coerce::show;
use super::super::expr::output_name;
use super::super::group::{children_mut, columns, same};
use super::Target;
use crate::func;
use crate::ir::{ColId, Expr, OutCol};
use crate::parser::fold;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use sqlparser::ast;

/// The most arguments of GROUPING(), one a bit.
const MAX_GROUPING: usize = 31;

impl Binder<'_, '_> {
    /// The grouping expressions, the sets, and whether it is a plain list.
    #[allow(clippy::type_complexity)]
    pub(super) fn group_by(
        &mut self,
        g: &ast::GroupByExpr,
        targets: &[Target],
    ) -> Result<(Vec<(Expr, OutCol)>, Vec<Vec<usize>>, bool)> {
        let mut groups: Vec<(Expr, OutCol)> = Vec::new();
        let ast::GroupByExpr::Expressions(items, modifiers) = g else {
            return Err(Error::unsupported("GROUP BY ALL"));
        };
        let mut elements: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut special = false;
        let all = items.iter().chain(
            modifiers
                .iter()
                .filter_map(|m| if let ast::GroupByWithModifier::GroupingSets(e) = m { Some(e) } else { None }),
        );
        for item in all {
            match item {
                ast::Expr::Rollup(sets) => {
                    special = true;
                    let parts = self.group_lists(sets, targets, &mut groups)?;
                    elements.push((0..=parts.len()).rev().map(|n| parts[..n].concat()).collect());
                }
                ast::Expr::Cube(sets) => {
                    special = true;
                    let parts = self.group_lists(sets, targets, &mut groups)?;
                    /// PostgreSQL's limit.
                    const MAX_CUBE: usize = 12;
                    if parts.len() > MAX_CUBE {
                        bail!(TOO_MANY_COLUMNS, "CUBE is limited to {MAX_CUBE} elements");
                    }
                    let n = parts.len();
                    elements.push(
                        (0..1usize << n)
                            .rev()
                            .map(|bits| {
                                (0..n).filter(|i| bits >> (n - 1 - i) & 1 == 1).flat_map(|i| parts[i].clone()).collect()
                            })
                            .collect(),
                    );
                }
                ast::Expr::GroupingSets(sets) => {
                    special = true;
                    let mut lists = Vec::new();
                    for s in sets {
                        match s.as_slice() {
                            [ast::Expr::Rollup(inner)] => {
                                let parts = self.group_lists(inner, targets, &mut groups)?;
                                lists.extend((0..=parts.len()).rev().map(|n| parts[..n].concat()));
                            }
                            [ast::Expr::Cube(inner)] => {
                                let parts = self.group_lists(inner, targets, &mut groups)?;
                                let n = parts.len();
                                lists.extend((0..1usize << n).rev().map(|bits| {
                                    (0..n)
                                        .filter(|i| bits >> (n - 1 - i) & 1 == 1)
                                        .flat_map(|i| parts[i].clone())
                                        .collect::<Vec<_>>()
                                }));
                            }
                            _ => lists.extend(self.group_lists(std::slice::from_ref(s), targets, &mut groups)?),
                        }
                    }
                    elements.push(lists);
                }
                ast::Expr::Tuple(es) if es.is_empty() => {
                    special = true;
                    elements.push(vec![vec![]]);
                }
                ast::Expr::Tuple(es) => {
                    let l = self.group_lists(std::slice::from_ref(es), targets, &mut groups)?;
                    elements.push(l);
                }
                e => {
                    let i = self.group_item(e, targets, &mut groups)?;
                    elements.push(vec![vec![i]]);
                }
            }
        }
        if !special {
            return Ok((groups, Vec::new(), true));
        }
        // The cross product of the elements.
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
        Ok((groups, sets, false))
    }

    fn group_lists(
        &mut self,
        lists: &[Vec<ast::Expr>],
        targets: &[Target],
        groups: &mut Vec<(Expr, OutCol)>,
    ) -> Result<Vec<Vec<usize>>> {
        let mut out = Vec::new();
        for l in lists {
            let mut v = Vec::new();
            for e in l {
                match e {
                    ast::Expr::Tuple(es) => {
                        for e in es {
                            v.push(self.group_item(e, targets, groups)?);
                        }
                    }
                    ast::Expr::Nested(e) => v.push(self.group_item(e, targets, groups)?),
                    e => v.push(self.group_item(e, targets, groups)?),
                }
            }
            out.push(v);
        }
        Ok(out)
    }

    pub(super) fn group_item(
        &mut self,
        e: &ast::Expr,
        targets: &[Target],
        groups: &mut Vec<(Expr, OutCol)>,
    ) -> Result<usize> {
        let was = (self.level().no_agg.replace("GROUP BY"), self.level().no_srf.replace("GROUP BY"));
        let bound = match e {
            ast::Expr::Value(v) if matches!(v.value, ast::Value::Number(..)) => {
                self.ordinal(v, targets.len(), "GROUP BY").map(|i| targets[i].e.clone())
            }
            ast::Expr::Value(v) if !matches!(v.value, ast::Value::Placeholder(_) | ast::Value::Null) => {
                Err(self.at(err!(SYNTAX_ERROR, "non-integer constant in GROUP BY"), v.span))
            }
            ast::Expr::Identifier(id) => match self.local_column(&fold(id)) {
                // An input column comes before an output name.
                true => self.column(id),
                false => {
                    let n = fold(id);
                    match targets.iter().find(|t| t.name == n) {
                        Some(t) => Ok(t.e.clone()),
                        None => self.column(id),
                    }
                }
            },
            e => self.expr(e),
        };
        (self.level().no_agg, self.level().no_srf) = was;
        let bound = self.known(bound?)?;
        let aggs: Vec<ColId> = self.level().aggs.iter().map(|a| a.out.id).collect();
        let mut has_agg = false;
        columns(&bound, &mut |c| has_agg |= aggs.contains(&c));
        if has_agg {
            return Err(self.place(err!(GROUPING_ERROR, "aggregate functions are not allowed in GROUP BY"), e));
        }
        let windows: Vec<ColId> = self.level().windows.iter().map(|w| w.out.id).collect();
        let mut has_window = false;
        columns(&bound, &mut |c| has_window |= windows.contains(&c));
        if has_window {
            return Err(self.place(err!(WINDOWING_ERROR, "window functions are not allowed in GROUP BY"), e));
        }
        if func::equality(bound.ty().oid).is_none() && !bound.ty().is_array() && bound.ty().oid != oid::RECORD {
            return Err(self.place(
                err!(UNDEFINED_FUNCTION, "could not identify an equality operator for type {}", show(bound.ty().oid)),
                e,
            ));
        }
        if let Some(i) = groups.iter().position(|g| same(&g.0, &bound)) {
            return Ok(i);
        }
        let out = self.out(output_name(e), bound.ty());
        groups.push((bound, out));
        Ok(groups.len() - 1)
    }

    /// GROUPING()'s values: bits of the keys absent from the set, the last argument's the lowest. A key of its own, which is never NULL, goes into each set
    /// with the key that it stands for: where it comes out as NULL the set has neither.
    pub(super) fn grouping_values(
        &mut self,
        calls: Vec<(ColId, Vec<Expr>)>,
        groups: &mut Vec<(Expr, OutCol)>,
        sets: &mut [Vec<usize>],
    ) -> Result<Vec<(ColId, Expr)>> {
        let int = |n: i32| Expr::Const(Datum::Int4(n), Type::INT4);
        let mut marks: Vec<(usize, OutCol)> = Vec::new();
        let mut out = Vec::with_capacity(calls.len());
        for (id, args) in calls {
            if args.len() > MAX_GROUPING {
                bail!(TOO_MANY_ARGUMENTS, "GROUPING must have fewer than {} arguments", MAX_GROUPING + 1);
            }
            let mut value = int(0);
            for (i, a) in args.iter().rev().enumerate() {
                let Some(at) = groups.iter().position(|g| same(&g.0, a)) else {
                    bail!(
                        GROUPING_ERROR,
                        "arguments to GROUPING must be grouping expressions of the associated query level"
                    );
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
pub(super) fn replace(e: &mut Expr, by: &[(ColId, Expr)]) -> Result<()> {
    if let Expr::Col(id, _) = e
        && let Some((_, x)) = by.iter().find(|x| x.0 == *id)
    {
        *e = x.clone();
        return Ok(());
    }
    children_mut(e, &mut |c| replace(c, by))
}
