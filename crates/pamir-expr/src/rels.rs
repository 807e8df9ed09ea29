//! Walks over bound relations: columns, references, conjuncts, substitution.
use crate::expr::{any, children, children_mut, each};
use crate::func::Volatility;
use crate::ir::{
    CastHow, ColId, Cte, Expr, JoinKind, MergeAction, Modify, ModifyOp, OutCol, Rel, Subquery, SubqueryKind, WithDef,
};
use pamir_types::{Datum, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The columns a relation produces, in order.
pub fn rel_cols(r: &Rel) -> Vec<OutCol> {
    match r {
        Rel::One => vec![],
        Rel::Table { cols, .. } => cols.iter().map(|c| c.1.clone()).collect(),
        Rel::Virtual { cols, .. } => cols.iter().map(|c| c.1.clone()).collect(),
        Rel::Values { cols, .. }
        | Rel::CteScan { cols, .. }
        | Rel::WorkTable { cols, .. }
        | Rel::SetOp { cols, .. } => cols.clone(),
        Rel::FunctionScan { cols, ordinality, .. } => cols.iter().cloned().chain(ordinality.clone()).collect(),
        Rel::SideBySide { items, ordinality } => items.iter().flat_map(rel_cols).chain(ordinality.clone()).collect(),
        Rel::Join { kind, left, right, .. } => {
            let mut v = rel_cols(left);
            if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
                v.extend(rel_cols(right));
            }
            v
        }
        Rel::Filter { input, .. }
        | Rel::Secured { input, .. }
        | Rel::Sort { input, .. }
        | Rel::Limit { input, .. }
        | Rel::Distinct { input, .. }
        | Rel::With { input, .. }
        | Rel::LockRows { input, .. } => rel_cols(input),
        Rel::Project { exprs, .. } => exprs.iter().map(|e| e.1.clone()).collect(),
        Rel::Aggregate { groups, aggs, .. } => {
            groups.iter().map(|g| g.1.clone()).chain(aggs.iter().map(|a| a.out.clone())).collect()
        }
        Rel::Modify(_, cols) => cols.clone(),
        Rel::Window { input, calls } => {
            let mut v = rel_cols(input);
            v.extend(calls.iter().map(|c| c.out.clone()));
            v
        }
    }
}

/// Every column id that the relation produces, hidden ones (row key, tableoid) included.
pub fn produced(r: &Rel, out: &mut FxHashSet<ColId>) {
    out.extend(rel_cols(r).iter().map(|c| c.id));
    match r {
        Rel::Table { key, tableoid, .. } => {
            out.extend(*key);
            out.extend(*tableoid);
        }
        Rel::Join { kind, left, right, .. } => {
            produced(left, out);
            if !matches!(kind, JoinKind::Semi | JoinKind::Anti) {
                produced(right, out);
            }
        }
        Rel::Filter { input, .. }
        | Rel::Secured { input, .. }
        | Rel::Sort { input, .. }
        | Rel::Limit { input, .. }
        | Rel::Distinct { input, .. }
        | Rel::With { input, .. }
        | Rel::LockRows { input, .. } => produced(input, out),
        // The row key passes through a projection that does not list it.
        Rel::Project { input, .. } => hidden(input, out),
        _ => {}
    }
}
fn hidden(r: &Rel, out: &mut FxHashSet<ColId>) {
    match r {
        Rel::Table { key, tableoid, .. } => {
            out.extend(*key);
            out.extend(*tableoid);
        }
        _ => inputs(r).into_iter().for_each(|i| hidden(i, out)),
    }
}

/// The relations directly in one, by reference or mutably: CTEs before what reads them.
macro_rules! inputs {
    ($r:expr, $iter:ident $(, $mut:tt)?) => {
        match $r {
            Rel::Join { left, right, .. } | Rel::SetOp { left, right, .. } => vec![left, right],
            Rel::Filter { input, .. }
            | Rel::Secured { input, .. }
            | Rel::Sort { input, .. }
            | Rel::Limit { input, .. }
            | Rel::Distinct { input, .. }
            | Rel::LockRows { input, .. }
            | Rel::Project { input, .. }
            | Rel::Aggregate { input, .. }
            | Rel::Window { input, .. } => vec![input],
            Rel::SideBySide { items, .. } => items.$iter().collect(),
            Rel::With { input, defs } => defs.$iter().map(|d| &$($mut)? d.cte.rel).chain([&$($mut)? **input]).collect(),
            Rel::Modify(m, _) => match &$($mut)? m.op {
                ModifyOp::Insert { source, .. }
                | ModifyOp::Update { source, .. }
                | ModifyOp::Delete { source, .. }
                | ModifyOp::Merge { source, .. } => {
                    vec![source]
                }
            },
            Rel::One
            | Rel::Table { .. }
            | Rel::Virtual { .. }
            | Rel::Values { .. }
            | Rel::FunctionScan { .. }
            | Rel::CteScan { .. }
            | Rel::WorkTable { .. } => vec![],
        }
    };
}
/// The expressions directly in a relation, by reference or mutably.
macro_rules! exprs {
    ($r:expr, $f:expr, $iter:ident, $window:ident $(, $mut:tt)?) => {{
        let f = $f;
        match $r {
            Rel::Values { rows, .. } => rows.$iter().flatten().for_each(f),
            Rel::FunctionScan { args, .. } => args.$iter().for_each(f),
            Rel::Join { on, .. } => on.$iter().for_each(f),
            Rel::Filter { cond, .. } | Rel::Secured { cond, .. } => f(cond),
            Rel::Project { exprs, .. } => exprs.$iter().for_each(|e| f(&$($mut)? e.0)),
            Rel::Aggregate { groups, aggs, .. } => {
                groups.$iter().for_each(|g| f(&$($mut)? g.0));
                for a in aggs {
                    a.args.$iter().for_each(&mut *f);
                    a.order_by.$iter().for_each(|k| f(&$($mut)? k.e));
                    a.filter.$iter().for_each(&mut *f);
                }
            }
            Rel::Sort { keys, .. } => keys.$iter().for_each(|k| f(&$($mut)? k.e)),
            Rel::Window { calls, .. } => calls.$iter().for_each(|c| c.$window(f)),
            Rel::Limit { limit, offset, .. } => limit.$iter().chain(offset).for_each(f),
            Rel::Distinct { on, .. } => on.$iter().flatten().for_each(f),
            Rel::Modify(m, _) => {
                m.returning.$iter().flatten().for_each(|e| f(&$($mut)? e.0));
                m.checks.$iter().for_each(|c| f(&$($mut)? c.cond));
                m.guards.$iter().for_each(|c| f(&$($mut)? c.cond));
                match &$($mut)? m.op {
                    ModifyOp::Insert { defaults, on_conflict, .. } => {
                        defaults.$iter().for_each(|d| f(&$($mut)? d.1));
                        for u in on_conflict.$iter().flat_map(|c| &$($mut)? c.update) {
                            u.set.$iter().for_each(|s| f(&$($mut)? s.1));
                            u.cond.$iter().for_each(&mut *f);
                            u.shown.$iter().for_each(|c| f(&$($mut)? c.cond));
                            u.guards.old.$iter().for_each(|c| f(&$($mut)? c.cond));
                            u.guards.new.$iter().for_each(|c| f(&$($mut)? c.cond));
                        }
                    }
                    ModifyOp::Update { set, recheck, .. } => {
                        set.$iter().for_each(|s| f(&$($mut)? s.1));
                        recheck.$iter().for_each(f);
                    }
                    ModifyOp::Delete { recheck, .. } => recheck.$iter().for_each(f),
                    ModifyOp::Merge { on, whens, .. } => {
                        f(on);
                        for w in whens {
                            w.cond.$iter().for_each(&mut *f);
                            w.guards.old.$iter().for_each(|c| f(&$($mut)? c.cond));
                            w.guards.new.$iter().for_each(|c| f(&$($mut)? c.cond));
                            if let MergeAction::Update(set) | MergeAction::Insert(set) = &$($mut)? w.action {
                                set.$iter().for_each(|s| f(&$($mut)? s.1));
                            }
                        }
                    }
                }
            }
            Rel::One
            | Rel::Table { .. }
            | Rel::Virtual { .. }
            | Rel::CteScan { .. }
            | Rel::WorkTable { .. }
            | Rel::SideBySide { .. }
            | Rel::SetOp { .. }
            | Rel::With { .. }
            | Rel::LockRows { .. } => {}
        }
    }};
}
/// The relations that `r` reads.
pub fn inputs(r: &Rel) -> Vec<&Rel> {
    inputs!(r, iter)
}
/// As [`inputs`], mutably.
pub fn inputs_mut(r: &mut Rel) -> Vec<&mut Rel> {
    inputs!(r, iter_mut, mut)
}
/// Calls `f` for every expression of `r` itself.
pub fn exprs(r: &Rel, f: &mut dyn FnMut(&Expr)) {
    exprs!(r, f, iter, exprs)
}
/// As [`exprs`], mutably.
pub fn exprs_mut(r: &mut Rel, f: &mut dyn FnMut(&mut Expr)) {
    if let Rel::Modify(m, _) = r {
        put_defaults(m);
    }
    exprs!(r, f, iter_mut, exprs_mut, mut)
}
/// DEFAULT in a VALUES row stands for the column's default.
fn put_defaults(m: &mut Modify) {
    let ModifyOp::Insert { source: Rel::Values { rows, .. }, columns, defaults, .. } = &mut m.op else { return };
    for row in rows {
        for (e, a) in row.iter_mut().zip(columns.iter()) {
            if matches!(e, Expr::Default) {
                let d = defaults.iter().find(|d| d.0 == *a).map(|d| d.1.clone());
                let ty = m.table.column(*a).map_or(Type::UNKNOWN, |c| c.ty);
                *e = d.unwrap_or(Expr::Const(Datum::Null, ty));
            }
        }
    }
}
/// Calls `f` for every expression of `r` and of what it reads (not into subqueries' relations).
pub fn all_exprs_mut(r: &mut Rel, f: &mut dyn FnMut(&mut Expr)) {
    exprs_mut(r, f);
    for i in inputs_mut(r) {
        all_exprs_mut(i, f);
    }
}

/// Every column that an expression mentions, in subqueries too.
pub fn deep_cols(e: &Expr, f: &mut dyn FnMut(ColId)) {
    match e {
        Expr::Col(c, _) => f(*c),
        Expr::Subquery(s) => rel_refs(&s.rel, f),
        _ => {}
    }
    children(e, &mut |x| deep_cols(x, f));
}
pub fn rel_refs(r: &Rel, f: &mut dyn FnMut(ColId)) {
    exprs(r, &mut |e| deep_cols(e, f));
    if let Rel::CteScan { varies: Some(c), .. } = r {
        f(*c);
    }
    inputs(r).into_iter().for_each(|i| rel_refs(i, f));
}
fn all_produced(r: &Rel, out: &mut FxHashSet<ColId>) {
    produced(r, out);
    exprs(r, &mut |e| sub_produced(e, out));
    match r {
        Rel::Modify(m, _) => out.extend(m.row_cols.iter().map(|c| c.1).chain(m.system.each())),
        Rel::With { defs, .. } => out.extend(defs.iter().map(|d| d.mark)),
        _ => {}
    }
    inputs(r).into_iter().for_each(|i| all_produced(i, out));
}
fn sub_produced(e: &Expr, out: &mut FxHashSet<ColId>) {
    each(e, &mut |x| {
        if let Expr::Subquery(s) = x {
            all_produced(&s.rel, out);
        }
    });
}
/// Calls `f` for the id of every column that `r` itself makes, hidden ones included; its expressions are left as they are. False: changes and row locks,
/// whose columns this does not know.
fn made_mut(r: &mut Rel, f: &mut dyn FnMut(&mut ColId)) -> bool {
    match r {
        Rel::Table { cols, key, tableoid, .. } => {
            cols.iter_mut().for_each(|c| f(&mut c.1.id));
            key.iter_mut().chain(tableoid).for_each(f);
        }
        Rel::Virtual { cols, .. } => cols.iter_mut().for_each(|c| f(&mut c.1.id)),
        Rel::Values { cols, .. }
        | Rel::SetOp { cols, .. }
        | Rel::CteScan { cols, .. }
        | Rel::WorkTable { cols, .. } => {
            cols.iter_mut().for_each(|c| f(&mut c.id));
        }
        Rel::FunctionScan { cols, ordinality, .. } => cols.iter_mut().chain(ordinality).for_each(|c| f(&mut c.id)),
        Rel::SideBySide { ordinality, .. } => ordinality.iter_mut().for_each(|c| f(&mut c.id)),
        Rel::Project { exprs, .. } => exprs.iter_mut().for_each(|e| f(&mut e.1.id)),
        Rel::Aggregate { groups, aggs, .. } => {
            groups.iter_mut().for_each(|g| f(&mut g.1.id));
            aggs.iter_mut().for_each(|a| f(&mut a.out.id));
        }
        Rel::Window { calls, .. } => calls.iter_mut().for_each(|c| f(&mut c.out.id)),
        Rel::One
        | Rel::Join { .. }
        | Rel::Filter { .. }
        | Rel::Secured { .. }
        | Rel::Sort { .. }
        | Rel::Limit { .. }
        | Rel::Distinct { .. } => {}
        Rel::With { defs, .. } => {
            for d in defs {
                f(&mut d.mark);
                d.cte.cols.iter_mut().for_each(|c| f(&mut c.id));
            }
        }
        Rel::LockRows { .. } | Rel::Modify(..) => return false,
    }
    true
}
/// Gives other ids to columns, where they are made and where they are read; takes the numbers of subqueries' queries away. False: see [`made_mut`].
fn renumber(r: &mut Rel, map: &FxHashMap<ColId, ColId>) -> bool {
    fn within(e: &mut Expr, map: &FxHashMap<ColId, ColId>) -> bool {
        let to = |c: &mut ColId| *c = map.get(c).copied().unwrap_or(*c);
        let mut known = true;
        match e {
            Expr::Col(c, _) => to(c),
            Expr::Subquery(s) => {
                let s = Arc::make_mut(s);
                s.outer.iter_mut().for_each(to);
                s.number = 0;
                known = renumber(&mut s.rel, map);
            }
            _ => {}
        }
        children_mut(e, &mut |x| known = within(x, map) && known);
        known
    }
    let to = |c: &mut ColId| *c = map.get(c).copied().unwrap_or(*c);
    let mut known = made_mut(r, &mut |c| to(c));
    if let Rel::CteScan { varies: Some(c), .. } = r {
        to(c);
    }
    exprs_mut(r, &mut |e| known = within(e, map) && known);
    inputs_mut(r).into_iter().all(|i| renumber(i, map)) && known
}
/// An expression in which the columns that its subqueries make have numbers by the order in which they were made, and the CTEs of `ctes` (the statement's
/// list) stand where they are first read: what is written alike over the same columns is then equal. None: see [`made_mut`].
pub fn numbered_by_place(e: &Expr, ctes: &[Cte]) -> Option<Expr> {
    let mut e = e.clone();
    define(&mut e, ctes, &mut FxHashMap::default());
    let mut own = FxHashSet::default();
    sub_produced(&e, &mut own);
    let mut own: Vec<ColId> = own.into_iter().collect();
    own.sort_unstable();
    // From the end of the numbers down, which no statement's columns reach.
    let map = own.into_iter().zip((0..=ColId::MAX).rev()).collect();
    let mut known = true;
    crate::expr::each_mut(&mut e, &mut |x| {
        if let Expr::Subquery(s) = x {
            let s = Arc::make_mut(s);
            s.number = 0;
            known = renumber(&mut s.rel, &map) && known;
        }
    });
    known.then_some(e)
}
/// Puts the definition of each CTE that an expression's subqueries read where the first of them reads it. `places`: each one's number among those met.
fn define(e: &mut Expr, ctes: &[Cte], places: &mut FxHashMap<usize, usize>) {
    if let Expr::Subquery(s) = e {
        define_in(&mut Arc::make_mut(s).rel, ctes, places);
    }
    children_mut(e, &mut |x| define(x, ctes, places));
}
fn define_in(r: &mut Rel, ctes: &[Cte], places: &mut FxHashMap<usize, usize>) {
    fn place(cte: &mut usize, places: &mut FxHashMap<usize, usize>) -> bool {
        let next = places.len();
        let known = places.contains_key(cte);
        *cte = *places.entry(*cte).or_insert(next);
        !known
    }
    match r {
        Rel::CteScan { cte, varies, .. } => {
            let number = *cte;
            let first = place(cte, places);
            if let (true, None, Some(def)) = (first, varies, ctes.get(number)) {
                let mut def = def.clone();
                define_in(&mut def.rel, ctes, places);
                let defs = vec![WithDef { index: *cte, mark: ColId::MAX, cte: def }];
                *r = Rel::With { input: Box::new(std::mem::replace(r, Rel::One)), defs };
            }
            return;
        }
        Rel::WorkTable { cte, .. } => {
            place(cte, places);
        }
        Rel::With { defs, .. } => defs.iter_mut().for_each(|d| {
            place(&mut d.index, places);
        }),
        _ => {}
    }
    exprs_mut(r, &mut |e| define(e, ctes, places));
    inputs_mut(r).into_iter().for_each(|i| define_in(i, ctes, places));
}
/// Columns that the relation reads and does not produce anywhere inside.
pub fn free_cols(r: &Rel) -> FxHashSet<ColId> {
    let mut own = FxHashSet::default();
    all_produced(r, &mut own);
    let mut free = FxHashSet::default();
    rel_refs(r, &mut |c| {
        if !own.contains(&c) {
            free.insert(c);
        }
    });
    free
}
/// Columns that an expression needs from outside: those of its subqueries' insides are left out.
pub fn expr_free(e: &Expr) -> FxHashSet<ColId> {
    let mut own = FxHashSet::default();
    sub_produced(e, &mut own);
    let mut free = FxHashSet::default();
    deep_cols(e, &mut |c| {
        if !own.contains(&c) {
            free.insert(c);
        }
    });
    free
}
/// Does it read a recursive CTE's working table, subqueries included?
pub fn reads_work_table(r: &Rel) -> bool {
    let within = |e: &Expr| any(e, &|x| matches!(x, Expr::Subquery(s) if reads_work_table(&s.rel)));
    let mut yes = matches!(r, Rel::WorkTable { .. });
    exprs(r, &mut |e| yes = yes || within(e));
    yes || inputs(r).into_iter().any(reads_work_table)
}

/// Splits a condition into its conjuncts.
pub fn conjuncts(e: Expr, out: &mut Vec<Expr>) {
    match e {
        Expr::And(v) => v.into_iter().for_each(|e| conjuncts(e, out)),
        Expr::Const(pamir_types::Datum::Bool(true), _) => {}
        e => out.push(e),
    }
}
pub fn conjunction(mut v: Vec<Expr>) -> Option<Expr> {
    match v.len() {
        0 => None,
        1 => v.pop(),
        _ => Some(Expr::And(v)),
    }
}

/// Replaces columns by expressions; inside of subqueries a column must stand for it. Conditions go to relations by the columns that they read: one that kept
/// the name which a projection gave would belong to none.
pub fn substitute(e: &mut Expr, map: &FxHashMap<ColId, Expr>) {
    match e {
        Expr::Col(c, _) => {
            if let Some(x) = map.get(c) {
                *e = x.clone();
            }
            return;
        }
        Expr::Subquery(s) => {
            let s = Arc::make_mut(s);
            for c in &mut s.outer {
                if let Some(Expr::Col(x, _)) = map.get(c) {
                    *c = *x;
                }
            }
            all_exprs_mut(&mut s.rel, &mut |e| substitute(e, map));
        }
        _ => {}
    }
    children_mut(e, &mut |x| substitute(x, map));
}

pub fn has_subquery(e: &Expr) -> bool {
    any(e, &|x| matches!(x, Expr::Subquery(_)))
}
pub fn is_volatile(e: &Expr) -> bool {
    any(e, &|x| match x {
        Expr::Call { f, .. } => f.volatility == Volatility::Volatile || f.body.is_set(),
        Expr::Cast { f: CastHow::Func(f), .. } => f.volatility == Volatility::Volatile,
        _ => false,
    })
}
/// A comparison subquery whose every operator is an equality: IN.
pub fn is_in(s: &Subquery) -> bool {
    matches!(&s.kind, SubqueryKind::Any { ops, rows: None, .. } if ops.iter().all(|f| crate::expr::cmp_of(f) == Some(crate::ir::CmpOp::Eq)))
}

/// What an expression costs to evaluate, in calls; a subquery counts as very many.
fn calls(e: &Expr) -> usize {
    let mut n = 0;
    each(e, &mut |x| {
        n += match x {
            Expr::Subquery(_) => 1000,
            Expr::Call { .. } | Expr::InList { .. } | Expr::AnyAll { .. } | Expr::RowCompare { .. } => 1,
            _ => 0,
        }
    });
    n
}
/// Cheap conditions first, otherwise as written (PostgreSQL's order_qual_clauses).
pub fn order_conds(v: &mut [Expr]) {
    v.sort_by_key(calls);
}
