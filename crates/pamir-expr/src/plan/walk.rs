//! Walks over finished plans: the expressions of a node, the slots and sub-plans that they read.
use super::node::*;
use crate::expr::Px;
use crate::ir::JoinKind;
use rustc_hash::FxHashSet;

impl PNode {
    /// Calls `f` for each expression of this node (not of its inputs, nor of sub-plans).
    pub fn each_px<'a>(&'a self, f: &mut dyn FnMut(&'a Px)) {
        match &self.kind {
            Kind::Scan(s) => {
                s.bounds.each_px(f);
                s.union.iter().map(|(_, b)| b).chain(&s.places).for_each(|b| b.each_px(f));
                s.inverted.iter().flat_map(|i| &i.asks).for_each(|a| f(&a.query));
                s.tests.iter().map(|t| &t.px).chain(&s.filter).for_each(f);
            }
            Kind::Append { gates, keys, .. } => {
                gates.iter().flat_map(|g| &g.bounds).for_each(|b| b.each_px(f));
                keys.iter().for_each(|k| f(&k.e));
            }
            Kind::Values(v) => v.rows.iter().flatten().for_each(f),
            Kind::Virtual(v) => {
                let any = v.any.iter().flat_map(|a| &a.1);
                v.keys.iter().map(|k| &k.1).chain(any).chain(&v.filter).for_each(f)
            }
            Kind::Function(x) => x.args.iter().for_each(f),
            Kind::Filter { cond, .. } => f(cond),
            Kind::Compute { exprs, .. } => exprs.iter().for_each(|x| f(&x.0)),
            Kind::ProjectSet { spec, .. } => spec.exprs.iter().for_each(|x| match &x.0 {
                SetExpr::Plain(p) => f(p),
                SetExpr::Set { args, .. } => args.iter().for_each(&mut *f),
            }),
            Kind::NestLoop { spec, .. } | Kind::HashJoin { spec, .. } => {
                spec.cond.iter().chain(&spec.left_keys).chain(&spec.right_keys).for_each(f)
            }
            Kind::Agg { spec, .. } => {
                spec.groups.iter().for_each(|g| f(&g.0));
                for a in &spec.aggs {
                    a.args.iter().chain(&a.filter).for_each(&mut *f);
                    a.order_by.iter().for_each(|k| f(&k.e));
                }
            }
            Kind::Sort { keys, .. } | Kind::Ordered { keys, .. } => keys.iter().for_each(|k| f(&k.e)),
            Kind::Limit { spec, .. } => spec.limit.iter().chain(&spec.offset).for_each(f),
            Kind::Window { spec, .. } => {
                spec.keys.iter().for_each(|k| f(&k.e));
                spec.calls.iter().for_each(|c| c.exprs(f));
            }
            Kind::Distinct { keys, .. } => keys.iter().for_each(|k| f(&k.0)),
            Kind::LockRows { targets, .. } => {
                targets.iter().for_each(|t| t.recheck.iter().chain(t.outer.iter().map(|o| &o.0)).for_each(&mut *f))
            }
            Kind::Modify { spec, .. } => {
                spec.returning.iter().flatten().for_each(|r| f(&r.0));
                spec.checks.iter().chain(&spec.guards).for_each(|c| f(&c.1));
                match &spec.op {
                    ModifyKind::Insert { defaults, conflict, .. } => {
                        defaults.iter().for_each(|d| f(&d.1));
                        conflict.iter().flat_map(|c| &c.asks).for_each(&mut *f);
                        if let Some(u) = conflict.as_ref().and_then(|c| c.update.as_ref()) {
                            let shown = u.shown.iter().map(|c| &c.1);
                            u.set.iter().map(|s| &s.1).chain(&u.cond).chain(shown).chain(u.guards.each()).for_each(f);
                        }
                    }
                    ModifyKind::Update { set, recheck, .. } => {
                        set.iter().map(|s| &s.1).chain(recheck).for_each(f);
                    }
                    ModifyKind::Delete { recheck, .. } => recheck.iter().for_each(f),
                    ModifyKind::Merge { on, whens, .. } => {
                        f(on);
                        for w in whens {
                            w.cond.iter().chain(w.guards.each()).for_each(&mut *f);
                            if let MergeKind::Update(set) | MergeKind::Insert(set) = &w.action {
                                set.iter().for_each(|s| f(&s.1));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Does the plan read slots that it does not produce (so that its rows depend on a row outside)?
pub fn node_depends(n: &PNode) -> bool {
    fn walk(n: &PNode, reads: &mut FxHashSet<u32>, makes: &mut FxHashSet<u32>) -> bool {
        makes.extend(&n.out);
        match &n.kind {
            Kind::WorkTable { .. } | Kind::CteScan { varies: true, .. } | Kind::With { .. } => return true,
            Kind::Scan(s) => makes.extend(
                s.pre
                    .iter()
                    .chain(&s.post)
                    .map(|l| l.slot)
                    .chain(s.tests.iter().flat_map(|t| t.cols.iter().map(|c| c.1))),
            ),
            _ => {}
        }
        // What a modification computes reads rows that it makes itself.
        if !matches!(n.kind, Kind::Modify { .. } | Kind::LockRows { .. }) {
            n.each_px(&mut |p| px_slots(p, reads));
        }
        n.inputs().into_iter().any(|i| walk(i, reads, makes))
    }
    let (mut reads, mut makes) = (FxHashSet::default(), FxHashSet::default());
    walk(n, &mut reads, &mut makes) || reads.iter().any(|r| !makes.contains(r))
}
/// Slots an expression reads. A sub-plan counts as reading one that nobody makes: it may be correlated.
pub fn px_slots(p: &Px, out: &mut FxHashSet<u32>) {
    px_each(p, &mut |p| match p {
        Px::Slot(s) => {
            out.insert(*s);
        }
        Px::Sub(_) => {
            out.insert(u32::MAX);
        }
        _ => {}
    });
}
/// The sub-plans of an expression, in its order.
pub fn px_subs(p: &Px, out: &mut Vec<usize>) {
    px_each(p, &mut |p| {
        if let Px::Sub(i) = p
            && !out.contains(i)
        {
            out.push(*i);
        }
    });
}
/// Calls `f` for an expression and all within.
pub fn px_each(p: &Px, f: &mut dyn FnMut(&Px)) {
    f(p);
    let mut all = |v: &[Px]| v.iter().for_each(|p| px_each(p, f));
    match p {
        Px::Const(_) | Px::Param(_) | Px::Slot(_) | Px::Sub(_) => {}
        Px::Call(b) => all(&b.1),
        Px::IntCmp(_, b) => {
            px_each(&b.0, f);
            px_each(&b.1, f)
        }
        Px::And(v) | Px::Or(v) | Px::Coalesce(v) | Px::Extreme(v, _, _) | Px::Array(v, _) => all(v),
        Px::Not(x) | Px::IsNull(x, _) | Px::IsBool(x, _, _) | Px::Field(x, _) | Px::Once(_, x) => px_each(x, f),
        Px::IsDistinct(b, _) | Px::NullIf(b) | Px::AnyAll(b, _) => {
            px_each(&b.1, f);
            px_each(&b.2, f)
        }
        Px::Case(w, o) => {
            for (a, b) in w {
                px_each(a, f);
                px_each(b, f)
            }
            px_each(o, f)
        }
        Px::Cast(b) => px_each(&b.0, f),
        Px::Like(b) => px_each(&b.text, f),
        Px::InList(b) => {
            all(&b.list);
            px_each(&b.x, f)
        }
        Px::Row(v) => v.iter().for_each(|x| px_each(&x.0, f)),
        Px::RowCmp(_, v) => v.iter().for_each(|x| {
            px_each(&x.0, f);
            px_each(&x.1, f)
        }),
        Px::Subscript(b) => {
            all(&b.1);
            px_each(&b.0, f)
        }
    }
}

/// Marks the parts of a condition that have one value for all rows, calls without columns, sub-plans and volatile functions, as to be computed once. `count`: how
/// many there are in the statement.
pub fn mark_once(p: &mut Px, count: &mut u32) {
    match p {
        Px::And(v) | Px::Or(v) => v.iter_mut().for_each(|x| mark_once(x, count)),
        Px::Not(x) => mark_once(x, count),
        Px::IntCmp(_, b) => {
            mark_side(&mut b.0, count);
            mark_side(&mut b.1, count);
        }
        Px::Call(b) => b.1.iter_mut().for_each(|x| mark_side(x, count)),
        _ => {}
    }
}
fn mark_side(p: &mut Px, count: &mut u32) {
    let (mut calls, mut columns) = (false, false);
    px_each(p, &mut |x| {
        calls |= matches!(x, Px::Call(_) | Px::Cast(_));
        columns |= matches!(x, Px::Slot(_) | Px::Sub(_) | Px::Once(..));
    });
    if calls && !columns && p.is_plain() {
        let x = std::mem::replace(p, Px::Const(pamir_types::Datum::Null));
        *p = Px::Once(*count, Box::new(x));
        *count += 1;
    }
}

/// Is it certain that the node gives no more than one row, whatever is in the tables?
pub fn at_most_one(n: &PNode) -> bool {
    match &n.kind {
        Kind::One | Kind::Empty => true,
        Kind::Scan(s) => s.bounds.single_point(),
        Kind::Values(v) => v.rows.len() <= 1,
        Kind::Function(f) => !f.f.body.is_set(),
        Kind::Agg { spec, .. } if spec.groups.is_empty() => spec.sets.len() <= 1,
        Kind::Limit { input, spec } => {
            let one = matches!(&spec.limit, Some(Px::Const(d)) if crate::expr::int_of(d).is_some_and(|v| v <= 1));
            one && spec.ties.is_none() || at_most_one(input)
        }
        Kind::Filter { input, .. }
        | Kind::Compute { input, .. }
        | Kind::Materialize { input }
        | Kind::Ordered { input, .. }
        | Kind::Sort { input, .. }
        | Kind::Distinct { input, .. }
        | Kind::Window { input, .. }
        | Kind::With { input, .. }
        | Kind::LockRows { input, .. } => at_most_one(input),
        Kind::NestLoop { left, right, spec } | Kind::HashJoin { left, right, spec } => match spec.kind {
            JoinKind::Semi | JoinKind::Anti => at_most_one(left),
            JoinKind::Inner | JoinKind::Cross | JoinKind::Left => at_most_one(left) && at_most_one(right),
            JoinKind::Right | JoinKind::Full => false,
        },
        _ => false,
    }
}
/// Does the node read all of a table (or of something else that nothing bounds) each time it starts?
pub fn reads_whole(n: &PNode) -> bool {
    match &n.kind {
        Kind::Scan(s) => s.union.is_empty() && s.places.is_none() && s.inverted.is_none() && !s.bounds.bounded(),
        Kind::Virtual(v) => v.keys.is_empty() && v.any.is_none(),
        Kind::CteScan { .. } | Kind::WorkTable { .. } => true,
        // What a limit stops, where nothing below has to come to its end first.
        Kind::Limit { input, spec } if matches!(&spec.limit, Some(Px::Const(_))) => match &input.kind {
            Kind::Scan(_) => false,
            _ => reads_whole(input),
        },
        _ => n.inputs().into_iter().any(reads_whole),
    }
}
