//! The optimizer: bound statements to physical plans.
//!
//! ```text
//! BoundStatement --prepare--> CTEs inlined, column aliases, columns used
//!                --plan_rel--> top-down: conditions and the wanted order travel down, nodes with estimates come back
//!                     tables ............ [`path`]: sequential, index and index-only scans by cost
//!                     join blocks ....... [`join`]: inner joins and filters flattened, order by dynamic programming
//!                     EXISTS, IN ........ semi and anti joins; other subqueries become sub-plans
//!                --fast-------> point statements that need no operators
//! ```
//! A [`ColId`] is a slot. `SELECT a AS x` makes no work: `x` becomes an alias of `a`'s slot.
//!
//! Plans are generic: parameters stay parameters, estimates assume nothing about their values.
//!
//! Limits: merge joins are not made; grouping always hashes unless its input comes ordered; no partition or parallel plans.
pub mod explain;
pub mod fold;
pub mod join;
pub mod node;
pub mod path;
pub mod rels;
pub mod walk;
mod window;

use crate::catalog::{Catalog, Table};
use crate::client::Field;
use crate::exec::expr::{self, Px, Resolve};
use crate::func::Body;
use crate::ir::*;
use node::*;
use pamir_types::{Datum, Error, Result, Type, oid};
use rels::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use explain::{ExplainOptions, Timings, explain};

/// A physical plan: immutable, shared, cached.
pub struct Plan {
    pub fields: Vec<Field>,
    pub params: Vec<Type>,
    /// catalog version it was made under
    pub catalog_version: u64,
    /// needs no write, no lock
    pub read_only: bool,
    pub root: Root,
}
pub use node::Root;

/// Optimizer settings of the session (enable_seqscan, ...).
#[derive(Clone, Debug)]
pub struct PlanSettings {
    pub enable_seqscan: bool,
    pub enable_indexscan: bool,
    pub enable_indexonlyscan: bool,
    pub enable_hashjoin: bool,
    pub enable_mergejoin: bool,
    pub enable_nestloop: bool,
    pub enable_hashagg: bool,
    pub enable_sort: bool,
    pub join_collapse_limit: usize,
}
impl Default for PlanSettings {
    fn default() -> Self {
        PlanSettings {
            enable_seqscan: true,
            enable_indexscan: true,
            enable_indexonlyscan: true,
            enable_hashjoin: true,
            enable_mergejoin: true,
            enable_nestloop: true,
            enable_hashagg: true,
            enable_sort: true,
            join_collapse_limit: 8,
        }
    }
}

/// What a disabled kind of plan costs more.
pub const DISABLED: f64 = 1e10;
pub const CPU_TUPLE: f64 = 0.01;
pub const CPU_INDEX_TUPLE: f64 = 0.005;
pub const CPU_OPERATOR: f64 = 0.0025;
pub const SEQ_PAGE: f64 = 1.0;
/// A range of a tree against the walk over all of it, at most.
pub const PART_OF_WHOLE: f64 = 0.99;
/// The store keeps inner pages in memory and leaves mostly; a random leaf costs less than on a spinning disk.
pub const RANDOM_PAGE: f64 = 1.3;

/// An order that the parent would like: (column, descending, nulls first).
#[derive(Clone, Debug, PartialEq)]
pub struct WantKey {
    pub col: ColId,
    pub desc: bool,
    pub nulls_first: bool,
}
/// What travels down beside the conditions.
#[derive(Clone, Debug, Default)]
pub struct Want {
    pub order: Vec<WantKey>,
    /// About how many rows will be read.
    pub limit: Option<f64>,
}

pub struct Planner<'a> {
    pub catalog: &'a Arc<Catalog>,
    pub sizes: &'a dyn TableSizes,
    pub settings: &'a PlanSettings,
    alias: HashMap<ColId, ColId>,
    used: HashSet<ColId>,
    types: HashMap<ColId, Type>,
    names: HashMap<u32, (String, String)>,
    /// Base columns: table and column position.
    pub origin: HashMap<ColId, (Arc<Table>, usize)>,
    subs: Vec<SubPlan>,
    /// Sub-plans by their columns. A condition is compiled once for every plan that is tried, and the fields of SET (a, b) = (SELECT ...) share one.
    sub_plans: HashMap<Vec<ColId>, usize>,
    /// How many of the relations around the one in hand are being planned a second time.
    replans: u32,
    ticks: u32,
    check: &'a dyn Fn() -> Result<()>,
    ctes: Vec<Cte>,
    cte_plans: Vec<Option<CtePlan>>,
    size_cache: HashMap<u64, (f64, f64, f64)>,
}

/// Where table sizes come from: the shard, or a test.
pub trait TableSizes {
    /// Entries in a whole tree.
    fn entries(&self, tree: u64) -> u64;
    /// (leaf pages, height)
    fn pages(&self, tree: u64) -> (u64, u32);
    /// Entries in [lo, hi).
    fn range(&self, tree: u64, lo: &[u8], hi: Option<&[u8]>) -> u64;
}
impl TableSizes for pamir_txn::Shard {
    fn entries(&self, tree: u64) -> u64 {
        self.estimate(pamir_txn::TreeId(tree), &[], None).unwrap_or(0)
    }
    fn pages(&self, tree: u64) -> (u64, u32) {
        self.tree_size(pamir_txn::TreeId(tree)).unwrap_or((1, 1))
    }
    fn range(&self, tree: u64, lo: &[u8], hi: Option<&[u8]>) -> u64 {
        self.estimate(pamir_txn::TreeId(tree), lo, hi).unwrap_or(0)
    }
}

/// Plans a statement. Parameters stay parameters: the plan is generic.
pub fn plan(
    stmt: BoundStatement,
    catalog: &Arc<Catalog>,
    shard: &pamir_txn::Shard,
    settings: &PlanSettings,
    check: &dyn Fn() -> Result<()>,
) -> Result<Plan> {
    plan_with(stmt, catalog, shard, settings, check)
}

/// As [`plan`], sizes from anywhere. `check` is asked now and then whether to go on.
pub fn plan_with(
    mut stmt: BoundStatement,
    catalog: &Arc<Catalog>,
    sizes: &dyn TableSizes,
    settings: &PlanSettings,
    check: &dyn Fn() -> Result<()>,
) -> Result<Plan> {
    let mut p = Planner {
        catalog,
        sizes,
        settings,
        alias: HashMap::new(),
        used: HashSet::new(),
        types: HashMap::new(),
        names: HashMap::new(),
        origin: HashMap::new(),
        subs: Vec::new(),
        sub_plans: HashMap::new(),
        replans: 0,
        ticks: 0,
        check,
        ctes: Vec::new(),
        cte_plans: Vec::new(),
        size_cache: HashMap::new(),
    };
    let mut ctes = std::mem::take(&mut stmt.ctes);
    let originals = ctes.clone();
    for c in &mut ctes {
        // One that is inlined is prepared where it stands then.
        if !inlined(c) {
            p.prepare(&mut c.rel, &originals)?;
        }
        p.used.extend(rel_cols(&c.rel).iter().map(|c| c.id));
        for o in &c.cols {
            p.note(o);
        }
    }
    let writes = ctes.iter().any(|c| matches!(c.rel, Rel::Modify(..)));
    p.used.extend(stmt.output.iter().map(|o| o.id));
    let mut rel = match stmt.kind {
        BoundKind::Select(r) => r,
        BoundKind::Modify(m) => Rel::Modify(Box::new(m), stmt.output.clone()),
    };
    p.prepare(&mut rel, &originals)?;
    let modifies = matches!(rel, Rel::Modify(..));
    let locks = has_locks(&rel);
    p.ctes = ctes;
    p.cte_plans = p.ctes.iter().map(|_| None).collect();
    for i in 0..p.ctes.len() {
        if inlined(&p.ctes[i]) {
            continue;
        }
        let c = p.ctes[i].clone();
        let node = p.plan_cte(i, &c)?;
        let cols = rel_cols(&c.rel);
        let out = cols.iter().map(|o| p.slot_of(o.id)).collect();
        p.cte_plans[i] = Some(CtePlan {
            name: c.name.clone(),
            node,
            out,
            types: cols.iter().map(|c| c.ty).collect(),
            modifies: matches!(c.rel, Rel::Modify(..)),
        });
    }
    let mut node = p.plan_rel(&rel, Vec::new(), &Want::default())?;
    let out: Vec<u32> = stmt.output.iter().map(|o| p.slot_of(o.id)).collect();
    let types: Vec<Type> = stmt.output.iter().map(|o| o.ty).collect();
    let mut count = 0;
    node.number(&mut count);
    for s in &mut p.subs {
        s.node.number(&mut count);
    }
    for c in p.cte_plans.iter_mut().flatten() {
        c.node.number(&mut count);
    }
    let nslots = (stmt.next_col as usize).max(p.types.keys().max().map_or(0, |m| *m as usize + 1));
    let mut slot_types = vec![Type::UNKNOWN; nslots];
    for (c, t) in &p.types {
        if let Some(s) = slot_types.get_mut(*c as usize) {
            *s = *t;
        }
    }
    let mut root = Root {
        node,
        out,
        types,
        nslots,
        subs: std::mem::take(&mut p.subs),
        ctes: std::mem::take(&mut p.cte_plans),
        nodes: count,
        returns_rows: !stmt.output.is_empty() || !modifies,
        fast: None,
        names: std::mem::take(&mut p.names),
        slot_types,
    };
    if modifies && stmt.output.is_empty() {
        root.returns_rows = false;
    }
    root.fast = crate::exec::fast::detect(&root);
    let fields = stmt
        .output
        .iter()
        .map(|o| Field {
            name: o.name.clone(),
            table: o.origin.map_or(0, |o| o.0),
            attnum: o.origin.map_or(0, |o| o.1),
            ty: o.ty,
        })
        .collect();
    Ok(Plan {
        fields,
        params: stmt.params,
        catalog_version: catalog.version,
        read_only: stmt.read_only && !modifies && !locks && !writes,
        root,
    })
}

/// Steps of planning between two looks at the cancel flag.
const TICK_EVERY: u32 = 32;
/// How many relations, each inside the other, are planned more than once.
const MAX_REPLANS: u32 = 2;
/// Stack that must be left to go one relation deeper: what the operators of the finished plan, which are as deep, need. Common table expressions that
/// read one another make relations far deeper than the text's own nesting.
const STACK_RESERVE: usize = 3 << 20;
fn check_stack() -> Result<()> {
    if pamir_storage::task::stack_left().is_some_and(|n| n < STACK_RESERVE) {
        return Err(crate::parser::too_deep());
    }
    Ok(())
}

fn has_locks(r: &Rel) -> bool {
    matches!(r, Rel::LockRows { .. }) || inputs(r).into_iter().any(has_locks)
}
fn inlined(c: &Cte) -> bool {
    !c.materialize && !c.recursive && !matches!(c.rel, Rel::Modify(..)) && !rel_volatile(&c.rel)
}
fn rel_volatile(r: &Rel) -> bool {
    let mut v = matches!(r, Rel::LockRows { .. });
    node_exprs(r, &mut |e| v |= is_volatile(e));
    v || inputs(r).into_iter().any(rel_volatile)
}

impl Resolve for Planner<'_> {
    fn slot(&mut self, c: ColId) -> Result<u32> {
        Ok(self.slot_of(c))
    }
    fn sub(&mut self, s: &Subquery) -> Result<usize> {
        self.sub_plan(s)
    }
}

impl Planner<'_> {
    /// The slot behind a column: aliases resolved.
    pub fn slot_of(&self, mut c: ColId) -> u32 {
        // Aliases form chains without cycles; the bound is for a damaged statement.
        for _ in 0..1000 {
            match self.alias.get(&c) {
                Some(n) => c = *n,
                None => break,
            }
        }
        c
    }
    pub fn compile(&mut self, e: &Expr) -> Result<Px> {
        expr::compile(e, self)
    }
    fn compile_all(&mut self, v: &[Expr]) -> Result<Vec<Px>> {
        v.iter().map(|e| self.compile(e)).collect()
    }
    pub fn compile_and(&mut self, v: &[Expr]) -> Result<Option<Px>> {
        Ok(match v {
            [] => None,
            [e] => Some(self.compile(e)?),
            v => Some(Px::And(self.compile_all(v)?.into())),
        })
    }
    fn note(&mut self, o: &OutCol) {
        self.types.insert(o.id, o.ty);
        if !o.name.is_empty() {
            self.names.entry(o.id).or_insert_with(|| (String::new(), o.name.clone()));
        }
    }
    /// Called by everything that can be many: the statement may have been cancelled meanwhile.
    pub fn tick(&mut self) -> Result<()> {
        self.ticks += 1;
        if self.ticks.is_multiple_of(TICK_EVERY) {
            (self.check)()?;
            pamir_storage::task::yield_now();
        }
        Ok(())
    }
    /// May this relation be planned once more, with other conditions or in another order? Relations in relations would be planned 2^depth
    /// times, so only tables always may.
    pub fn may_replan(&self, r: &Rel) -> bool {
        fn small(r: &Rel) -> bool {
            match r {
                Rel::Table { .. } | Rel::Virtual { .. } | Rel::Values { .. } | Rel::One | Rel::CteScan { .. } => true,
                Rel::Filter { input, cond } => !has_subquery(cond) && small(input),
                Rel::Project { input, exprs } => !exprs.iter().any(|e| has_subquery(&e.0)) && small(input),
                _ => false,
            }
        }
        self.replans < MAX_REPLANS || small(r)
    }
    /// `r` planned again, with more conditions; where that may not be, the plan at hand under a filter.
    pub fn replan(&mut self, r: &Rel, plain: &PNode, own: Vec<Expr>, more: Vec<Expr>, want: &Want) -> Result<PNode> {
        if !self.may_replan(r) {
            return self.add_filter(plain.clone(), more);
        }
        self.replans += 1;
        let mut conds = own;
        conds.extend(more);
        let inner = matches!(r, Rel::Join { kind: JoinKind::Inner | JoinKind::Cross, .. });
        let n = if matches!(r, Rel::Join { .. }) && !inner {
            self.plan_join(r, conds, want)
        } else {
            self.plan_rel(r, conds, want)
        };
        self.replans -= 1;
        n
    }
    pub fn is_used(&self, c: ColId) -> bool {
        self.used.contains(&c)
    }

    /// Inlines CTEs, notes aliases, types, names and every column that is read.
    fn prepare(&mut self, r: &mut Rel, ctes: &[Cte]) -> Result<()> {
        check_stack()?;
        self.tick()?;
        if let Rel::CteScan { cte, cols } = r {
            let c = ctes.get(*cte).ok_or_else(|| Error::internal("no such CTE"))?;
            if inlined(c) {
                let exprs = c.cols.iter().zip(cols.iter()).map(|(i, o)| (Expr::Col(i.id, i.ty), o.clone())).collect();
                // The CTE's own columns may be those of its relation under other ids.
                let inner = rel_cols(&c.rel);
                for (a, b) in c.cols.iter().zip(&inner) {
                    if a.id != b.id {
                        self.alias.insert(a.id, b.id);
                    }
                    self.used.insert(b.id);
                    self.used.insert(a.id);
                }
                *r = Rel::Project { input: Box::new(c.rel.clone()), exprs };
            }
        }
        for o in rel_cols(r) {
            self.note(&o);
        }
        match r {
            Rel::Table { table, alias, cols, key, tableoid, .. } => {
                for (a, o) in cols.iter() {
                    self.origin.insert(o.id, (table.clone(), (*a as usize).wrapping_sub(1)));
                    let name = table.column(*a).map_or_else(|| o.name.clone(), |c| c.name.clone());
                    self.names.insert(o.id, (alias.clone(), name));
                }
                if let Some(k) = key {
                    self.types.insert(*k, Type::new(oid::BYTEA));
                }
                if let Some(k) = tableoid {
                    self.types.insert(*k, Type::OID);
                }
            }
            Rel::Project { exprs, .. } => {
                for (e, o) in exprs.iter() {
                    if let Expr::Col(c, _) = e
                        && *c != o.id
                    {
                        self.alias.insert(o.id, *c);
                    }
                }
            }
            Rel::SetOp { left, right, .. } => {
                for s in [left, right] {
                    self.used.extend(rel_cols(s).iter().map(|c| c.id));
                }
            }
            Rel::Distinct { input, on: None } => self.used.extend(rel_cols(input).iter().map(|c| c.id)),
            Rel::LockRows { targets, .. } => self.used.extend(targets.iter().map(|t| t.key)),
            Rel::Modify(m, cols) => {
                for c in cols.iter() {
                    self.note(c);
                }
                if let Some(ret) = &m.returning {
                    for (_, o) in ret {
                        self.types.insert(o.id, o.ty);
                        self.used.insert(o.id);
                    }
                }
                for (a, c) in &m.row_cols {
                    if let Some(col) = m.table.column(*a) {
                        self.types.insert(*c, col.ty);
                        self.names.entry(*c).or_insert_with(|| (m.table.name.clone(), col.name.clone()));
                    }
                }
                match &m.op {
                    ModifyOp::Insert { source, on_conflict, .. } => {
                        self.used.extend(rel_cols(source).iter().map(|c| c.id));
                        if let Some(u) = on_conflict.as_ref().and_then(|c| c.update.as_ref()) {
                            for (a, c) in u.old_cols.iter().chain(&u.excluded) {
                                if let Some(col) = m.table.column(*a) {
                                    self.types.insert(*c, col.ty);
                                }
                            }
                        }
                    }
                    ModifyOp::Update { key, .. } | ModifyOp::Delete { key, .. } => {
                        self.used.insert(*key);
                    }
                }
            }
            _ => {}
        }
        let used = &mut self.used;
        node_exprs(r, &mut |e| {
            expr::each_col(e, &mut |c| {
                used.insert(c);
            })
        });
        let mut result = Ok(());
        exprs_mut(r, &mut |e| {
            fold::fold(e);
            if result.is_ok() {
                result = self.prepare_subs(e, ctes);
            }
        });
        result?;
        for i in inputs_mut(r) {
            self.prepare(i, ctes)?;
        }
        Ok(())
    }
    fn prepare_subs(&mut self, e: &mut Expr, ctes: &[Cte]) -> Result<()> {
        if let Expr::Subquery(s) = e {
            self.used.extend(rel_cols(&s.rel).iter().map(|c| c.id));
            self.used.extend(s.outer.iter().copied());
            self.prepare(&mut s.rel, ctes)?;
        }
        let mut r = Ok(());
        expr::children_mut(e, &mut |x| {
            if r.is_ok() {
                r = self.prepare_subs(x, ctes);
            }
        });
        r
    }

    fn plan_cte(&mut self, i: usize, c: &Cte) -> Result<PNode> {
        if !c.recursive {
            return self.plan_rel(&c.rel, Vec::new(), &Want::default());
        }
        let Rel::SetOp { op: SetOp::Union, all, left, right, cols } = &c.rel else {
            return self.plan_rel(&c.rel, Vec::new(), &Want::default());
        };
        let base = self.plan_rel(left, Vec::new(), &Want::default())?;
        let rec = self.plan_rel(right, Vec::new(), &Want::default())?;
        let spec = self.set_spec(SetOp::Union, *all, left, right, cols);
        let rows = base.est.rows + 10.0 * rec.est.rows;
        let est = Est {
            startup: base.est.startup,
            total: base.est.total + 10.0 * rec.est.total,
            rows,
            width: base.est.width,
        };
        let out = spec.out.clone();
        Ok(PNode {
            kind: Kind::RecursiveUnion { cte: i, base: Box::new(base), rec: Box::new(rec), spec: Arc::new(spec) },
            est,
            out,
            id: 0,
        })
    }
    fn set_spec(&mut self, op: SetOp, all: bool, left: &Rel, right: &Rel, cols: &[OutCol]) -> SetOpSpec {
        let slots = |r: &Rel| rel_cols(r).iter().map(|c| self.slot_of(c.id)).collect::<Vec<_>>();
        SetOpSpec {
            op,
            all,
            left: slots(left),
            right: slots(right),
            out: cols.iter().map(|c| self.slot_of(c.id)).collect(),
            types: cols.iter().map(|c| c.ty).collect(),
        }
    }

    /// A subquery used as a value.
    fn sub_plan(&mut self, s: &Subquery) -> Result<usize> {
        let limit = match s.kind {
            SubqueryKind::Exists => Some(1.0),
            _ => None,
        };
        let cols = rel_cols(&s.rel);
        let ids: Vec<ColId> = cols.iter().map(|c| c.id).collect();
        if let Some(i) = self.sub_plans.get(&ids) {
            return Ok(*i);
        }
        let node = self.plan_rel(&s.rel, Vec::new(), &Want { order: vec![], limit })?;
        let kind = match &s.kind {
            SubqueryKind::Row => SubKind::Row,
            SubqueryKind::Scalar => SubKind::Scalar,
            SubqueryKind::Exists => SubKind::Exists,
            SubqueryKind::Array => SubKind::Array(oid::element_of(s.ty.oid).unwrap_or(oid::TEXT)),
            SubqueryKind::Any { left, ops } | SubqueryKind::All { left, ops } => {
                let all = matches!(s.kind, SubqueryKind::All { .. });
                let mut funs = Vec::new();
                let mut hashable = !all;
                for ((l, f), c) in left.iter().zip(ops).zip(&cols) {
                    hashable &= expr::cmp_of(f) == Some(CmpOp::Eq) && hash_compatible(l.ty(), c.ty);
                    funs.push(crate::exec::expr::Fun::new(f, vec![l.ty(), c.ty], Type::BOOL)?);
                }
                SubKind::Any { left: self.compile_all(left)?, ops: funs, all, hashable }
            }
        };
        let correlated = !free_cols(&s.rel).is_empty() || reads_work_table(&s.rel);
        let out = cols.iter().map(|c| self.slot_of(c.id)).collect();
        self.subs.push(SubPlan {
            node,
            kind,
            out,
            types: cols.iter().map(|c| c.ty).collect(),
            correlated,
            ids: ids.clone(),
        });
        let at = self.subs.len() - 1;
        // EXISTS may have no column to be known by.
        if !ids.is_empty() {
            self.sub_plans.insert(ids, at);
        }
        Ok(at)
    }

    /// Adds a filter above a node.
    pub fn add_filter(&mut self, input: PNode, mut conds: Vec<Expr>) -> Result<PNode> {
        order_conds(&mut conds);
        let Some(cond) = self.compile_and(&conds)? else { return Ok(input) };
        let sel: f64 = conds.iter().map(|c| self.selectivity(c)).product();
        let mut est = input.est;
        est.total += est.rows * CPU_OPERATOR * conds.len() as f64;
        est.rows = (est.rows * sel).max(1.0);
        let out = input.out.clone();
        Ok(PNode {
            kind: Kind::Filter { input: Box::new(input), cond: Arc::new(cond), ir: Arc::new(conds) },
            est,
            out,
            id: 0,
        })
    }

    pub fn width(&self, cols: &[u32]) -> u32 {
        cols.iter().map(|c| self.types.get(c).map_or(8, |t| type_width(*t))).sum()
    }

    /// Plans `r` with `conds` on top. Conditions may name columns from outside: those are values for it.
    pub fn plan_rel(&mut self, r: &Rel, mut conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        check_stack()?;
        self.tick()?;
        if conds.iter().any(|c| matches!(c, Expr::Const(Datum::Bool(false) | Datum::Null, _))) {
            let out = self.out_slots(r);
            return Ok(PNode { kind: Kind::Empty, est: Est::default(), out, id: 0 });
        }
        match r {
            Rel::Table { .. } => self.plan_table(r, conds, want),
            Rel::Filter { .. } | Rel::Join { .. } => self.plan_block(r, conds, want),
            Rel::One => {
                let n = PNode {
                    kind: Kind::One,
                    est: Est { total: CPU_TUPLE, rows: 1.0, ..Est::default() },
                    out: vec![],
                    id: 0,
                };
                self.add_filter(n, conds)
            }
            Rel::Virtual { table, alias, cols } => {
                let cols: Vec<(usize, u32)> = cols.iter().map(|(i, o)| (*i, o.id)).collect();
                for (i, s) in &cols {
                    if let Some((n, _)) = table.columns.get(*i) {
                        self.names.insert(*s, (alias.clone(), n.to_string()));
                    }
                }
                let kept: Vec<(usize, u32)> = cols.into_iter().filter(|c| self.used.contains(&c.1)).collect();
                let out: Vec<u32> = kept.iter().map(|c| c.1).collect();
                let sel: f64 = conds.iter().map(|c| self.selectivity(c)).product();
                let filter = self.compile_and(&conds)?;
                let est = Est { startup: 0.0, total: 20.0, rows: (100.0 * sel).max(1.0), width: self.width(&out) };
                let spec = VirtualSpec { table, alias: alias.clone(), cols: kept, filter, filter_ir: conds };
                Ok(PNode { kind: Kind::Virtual(Arc::new(spec)), est, out, id: 0 })
            }
            Rel::Values { rows, cols } => {
                let mut out_rows = Vec::with_capacity(rows.len());
                for row in rows {
                    out_rows.push(self.compile_all(row)?);
                }
                let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
                let n = rows.len() as f64;
                let est = Est { startup: 0.0, total: n * CPU_TUPLE, rows: n, width: self.width(&slots) };
                let node = PNode {
                    kind: Kind::Values(Arc::new(ValuesSpec { rows: out_rows, slots: slots.clone() })),
                    est,
                    out: slots,
                    id: 0,
                };
                self.add_filter(node, conds)
            }
            Rel::FunctionScan { f, args, cols, ordinality } => {
                let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
                let mut out = slots.clone();
                out.extend(ordinality.as_ref().map(|o| o.id));
                let ret = if cols.len() == 1 { cols[0].ty } else { Type::new(f.ret) };
                let spec = FunctionSpec {
                    f,
                    args: self.compile_all(args)?,
                    arg_types: args.iter().map(Expr::ty).collect(),
                    ret,
                    slots,
                    ordinality: ordinality.as_ref().map(|o| o.id),
                };
                let rows = if matches!(f.body, Body::Set(_)) { 1000.0 } else { 1.0 };
                let est = Est { startup: 0.0, total: rows * CPU_TUPLE, rows, width: self.width(&out) };
                let node = PNode { kind: Kind::Function(Arc::new(spec)), est, out, id: 0 };
                self.add_filter(node, conds)
            }
            Rel::Project { input, exprs } => self.plan_project(input, exprs, conds, want),
            Rel::Aggregate { input, groups, aggs, sets } => self.plan_aggregate(input, groups, aggs, sets, conds),
            Rel::Sort { input, keys } => {
                let order = self.want_of(keys);
                let limit = want.limit;
                let node = self.plan_rel(input, conds, &Want { order: order.clone().unwrap_or_default(), limit })?;
                if let Some(o) = &order
                    && self.delivers(&node, o)
                {
                    return Ok(node);
                }
                self.add_sort(node, keys, None)
            }
            Rel::Limit { input, limit, offset, with_ties } => self.plan_limit(input, limit, offset, *with_ties, conds),
            Rel::Distinct { input, on } => {
                let keys: Vec<Expr> = match on {
                    Some(v) => v.clone(),
                    None => rel_cols(input).iter().map(|c| Expr::Col(c.id, c.ty)).collect(),
                };
                // A condition on what is distinct commutes with it; DISTINCT ON keeps the first row, so nothing passes below.
                let (down, up) = if on.is_none() { (conds, vec![]) } else { (vec![], conds) };
                let node = self.plan_rel(input, down, &Want { order: want.order.clone(), limit: None })?;
                let (node, sorted) = match on {
                    Some(_) => self.sorted_on(node, input, &keys)?,
                    None => self.sorted_distinct(node, &keys, &want.order)?,
                };
                let mut px = Vec::new();
                for k in &keys {
                    px.push((self.compile(k)?, k.ty()));
                }
                let mut est = node.est;
                est.total += est.rows * CPU_OPERATOR * keys.len() as f64;
                est.rows = self.distinct_rows(&keys, est.rows).unwrap_or(est.rows * 0.5).max(1.0);
                let out = node.out.clone();
                let kind = Kind::Distinct { input: Box::new(node), keys: Arc::new(px), sorted };
                let n = PNode { kind, est, out, id: 0 };
                self.add_filter(n, up)
            }
            Rel::SetOp { op, all, left, right, cols } => {
                let (lc, rc) = (rel_cols(left), rel_cols(right));
                let mut sides = Vec::new();
                let pushable = conds.iter().all(|c| !has_subquery(c) && !is_volatile(c));
                for (side, sc) in [(left, &lc), (right, &rc)] {
                    let mut down = Vec::new();
                    if pushable {
                        let map: HashMap<ColId, Expr> =
                            cols.iter().zip(sc).map(|(o, i)| (o.id, Expr::Col(i.id, i.ty))).collect();
                        for c in &conds {
                            let mut c = c.clone();
                            substitute(&mut c, &map);
                            down.push(c);
                        }
                    }
                    sides.push(self.plan_rel(side, down, &Want { order: vec![], limit: None })?);
                }
                let (Some(r), Some(l)) = (sides.pop(), sides.pop()) else {
                    return Err(Error::internal("set operation"));
                };
                let spec = self.set_spec(*op, *all, left, right, cols);
                let rows = match op {
                    SetOp::Union => l.est.rows + r.est.rows,
                    SetOp::Intersect => l.est.rows.min(r.est.rows),
                    SetOp::Except => l.est.rows,
                };
                let est = Est {
                    startup: l.est.startup,
                    total: l.est.total + r.est.total + (l.est.rows + r.est.rows) * CPU_TUPLE,
                    rows: rows.max(1.0),
                    width: l.est.width,
                };
                let out = spec.out.clone();
                let n = PNode {
                    kind: Kind::SetOp { left: Box::new(l), right: Box::new(r), spec: Arc::new(spec) },
                    est,
                    out,
                    id: 0,
                };
                if pushable { Ok(n) } else { self.add_filter(n, conds) }
            }
            Rel::CteScan { cte, cols } => {
                let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
                let (name, rows) = match self.cte_plans.get(*cte) {
                    Some(Some(c)) => (c.name.clone(), c.node.est.rows),
                    _ => (self.ctes.get(*cte).map_or_else(String::new, |c| c.name.clone()), 100.0),
                };
                let est = Est { startup: 0.0, total: rows * CPU_TUPLE * 2.0, rows, width: self.width(&slots) };
                let n = PNode {
                    kind: Kind::CteScan { cte: *cte, name, cols: Arc::new(slots.clone()) },
                    est,
                    out: slots,
                    id: 0,
                };
                self.add_filter(n, conds)
            }
            Rel::WorkTable { cte, cols } => {
                let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
                let name = self.ctes.get(*cte).map_or_else(String::new, |c| c.name.clone());
                let est = Est { startup: 0.0, total: 1.0, rows: 10.0, width: self.width(&slots) };
                let n = PNode {
                    kind: Kind::WorkTable { cte: *cte, name, cols: Arc::new(slots.clone()) },
                    est,
                    out: slots,
                    id: 0,
                };
                self.add_filter(n, conds)
            }
            Rel::Modify(m, cols) => {
                let n = self.plan_modify(m, cols)?;
                self.add_filter(n, conds)
            }
            Rel::Window { input, calls } => self.plan_window(input, calls, conds),
            Rel::LockRows { input, targets } => {
                let up: Vec<Expr> = std::mem::take(&mut conds);
                let node = self.plan_rel(input, Vec::new(), &Want { order: vec![], limit: want.limit })?;
                let mut specs = Vec::new();
                for t in targets {
                    let own: HashSet<ColId> = t.cols.iter().map(|c| c.1).collect();
                    let mut found = Vec::new();
                    collect_conds(input, &own, &mut found);
                    let recheck = self.compile_and(&found)?;
                    let mut outer = Vec::new();
                    collect_outer(input, &own, &mut outer);
                    let outer = outer
                        .into_iter()
                        .map(|(on, r)| {
                            let slots = self.out_slots(r);
                            Ok((self.compile_and(&on)?, slots))
                        })
                        .collect::<Result<Vec<_>>>()?;
                    let outer = outer.into_iter().filter_map(|(on, s)| on.map(|on| (on, s))).collect();
                    let cols = t.cols.iter().map(|(a, c)| ((*a as usize).wrapping_sub(1), self.slot_of(*c))).collect();
                    let key = self.slot_of(t.key);
                    specs.push(LockSpec {
                        table: t.table.clone(),
                        key,
                        mode: t.mode,
                        wait: t.wait,
                        cols,
                        recheck,
                        outer,
                    });
                }
                let mut est = node.est;
                est.total += est.rows * CPU_TUPLE;
                let out = node.out.clone();
                let n =
                    PNode { kind: Kind::LockRows { input: Box::new(node), targets: Arc::new(specs) }, est, out, id: 0 };
                self.add_filter(n, up)
            }
        }
    }
    fn out_slots(&self, r: &Rel) -> Vec<u32> {
        let mut s = HashSet::new();
        produced(r, &mut s);
        let mut v: Vec<u32> = s.into_iter().map(|c| self.slot_of(c)).collect();
        v.sort_unstable();
        v.dedup();
        v
    }

    fn want_of(&self, keys: &[SortKey]) -> Option<Vec<WantKey>> {
        keys.iter()
            .map(|k| match &k.e {
                Expr::Col(c, _) => Some(WantKey { col: self.slot_of(*c), desc: k.desc, nulls_first: k.nulls_first }),
                _ => None,
            })
            .collect()
    }
    fn key_specs(&mut self, keys: &[SortKey]) -> Result<Vec<KeySpec>> {
        keys.iter()
            .map(|k| {
                Ok(KeySpec {
                    e: self.compile(&k.e)?,
                    ty: k.e.ty(),
                    desc: k.desc,
                    nulls_first: k.nulls_first,
                    ir: k.e.clone(),
                })
            })
            .collect()
    }
    fn add_sort(&mut self, input: PNode, keys: &[SortKey], limit: Option<Arc<LimitSpec>>) -> Result<PNode> {
        let specs = self.key_specs(keys)?;
        let n = input.est.rows.max(2.0);
        let mut est = input.est;
        est.startup = est.total + 2.0 * CPU_OPERATOR * n * n.log2();
        est.total = est.startup + CPU_OPERATOR * n;
        if !self.settings.enable_sort {
            est.startup += DISABLED;
            est.total += DISABLED;
        }
        let out = input.out.clone();
        Ok(PNode { kind: Kind::Sort { input: Box::new(input), keys: Arc::new(specs), limit }, est, out, id: 0 })
    }
    /// How many of `rows` differ in `keys`, as far as statistics tell.
    fn distinct_rows(&mut self, keys: &[Expr], rows: f64) -> Option<f64> {
        keys.iter().map(|k| self.distinct(k)).product::<Option<f64>>().map(|d| d.min(rows))
    }
    /// DISTINCT under ORDER BY: one sort may serve both. Hashing first pays when it leaves few rows to sort.
    fn sorted_distinct(&mut self, node: PNode, keys: &[Expr], order: &[WantKey]) -> Result<(PNode, bool)> {
        let slots: Vec<(u32, Type)> = keys
            .iter()
            .filter_map(|k| if let Expr::Col(c, t) = k { Some((self.slot_of(*c), *t)) } else { None })
            .collect();
        let order: Vec<WantKey> = order.iter().map(|k| WantKey { col: self.slot_of(k.col), ..k.clone() }).collect();
        let among = |k: &WantKey| slots.iter().find(|s| s.0 == k.col).map(|s| s.1);
        if order.is_empty() || slots.len() < keys.len() || order.iter().any(|k| among(k).is_none()) {
            return Ok((node, false));
        }
        let mut all = order;
        for (c, _) in &slots {
            if !all.iter().any(|k| k.col == *c) {
                all.push(WantKey { col: *c, desc: false, nulls_first: false });
            }
        }
        if self.delivers(&node, &all) {
            return Ok((node, true));
        }
        let sort = |n: f64| 2.0 * CPU_OPERATOR * n.max(2.0) * n.max(2.0).log2();
        let (n, each) = (node.est.rows, keys.len() as f64 * CPU_OPERATOR);
        if let Some(d) = self.distinct_rows(keys, n)
            && self.settings.enable_hashagg
            && n * each + sort(d) < sort(n)
        {
            return Ok((node, false));
        }
        let keys: Vec<SortKey> = all
            .iter()
            .map(|k| {
                let ty = self.types.get(&k.col).copied().unwrap_or(Type::UNKNOWN);
                SortKey { e: Expr::Col(k.col, among(k).unwrap_or(ty)), desc: k.desc, nulls_first: k.nulls_first }
            })
            .collect();
        Ok((self.add_sort(node, &keys, None)?, true))
    }
    /// DISTINCT ON: its input sorted by the keys. ORDER BY begins with them, or there is none.
    fn sorted_on(&mut self, node: PNode, input: &Rel, keys: &[Expr]) -> Result<(PNode, bool)> {
        let mut r = input;
        while let Rel::Project { input, .. } = r {
            r = input;
        }
        if let Rel::Sort { keys: order, .. } = r {
            let same = |a: &Expr, b: &Expr| path::same_expr(a, b, &|c| self.slot_of(c));
            let lead = order.get(..keys.len()).unwrap_or(order);
            let sorted = keys.iter().all(|k| lead.iter().any(|o| same(k, &o.e)));
            return Ok((node, sorted));
        }
        if keys.iter().any(is_volatile) {
            return Ok((node, false));
        }
        let order: Vec<SortKey> =
            keys.iter().map(|e| SortKey { e: e.clone(), desc: false, nulls_first: false }).collect();
        if let Some(w) = self.want_of(&order)
            && self.delivers(&node, &w)
        {
            return Ok((node, true));
        }
        Ok((self.add_sort(node, &order, None)?, true))
    }
    fn plan_limit(
        &mut self,
        input: &Rel,
        limit: &Option<Expr>,
        offset: &Option<Expr>,
        with_ties: bool,
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        let known = |e: &Option<Expr>| match e {
            Some(Expr::Const(d, _)) => expr::int_of(d).map(|v| v.max(0) as f64),
            Some(_) => Some(10.0),
            None => None,
        };
        let hint = known(limit).map(|l| l + known(offset).unwrap_or(0.0));
        let compile_opt = |p: &mut Self, e: &Option<Expr>| e.as_ref().map(|e| p.compile(e)).transpose();
        let (l, o) = (compile_opt(self, limit)?, compile_opt(self, offset)?);
        let mut ties = None;
        if with_ties && let Rel::Sort { keys, .. } = input {
            ties = Some(self.key_specs(keys)?);
        }
        let spec = Arc::new(LimitSpec { limit: l, offset: o, ties });
        let want = Want { order: vec![], limit: hint };
        let node = match input {
            // The sort learns how many rows it must keep.
            Rel::Sort { input: inner, keys } => {
                let order = self.want_of(keys);
                let n =
                    self.plan_rel(inner, Vec::new(), &Want { order: order.clone().unwrap_or_default(), limit: hint })?;
                match &order {
                    Some(o) if self.delivers(&n, o) => n,
                    _ => self.add_sort(n, keys, Some(spec.clone()))?,
                }
            }
            r => self.plan_rel(r, Vec::new(), &want)?,
        };
        let mut est = node.est;
        if let Some(h) = hint {
            let f = (h / est.rows.max(1.0)).min(1.0);
            est.total = est.startup + (est.total - est.startup) * f;
            est.rows = est.rows.min(known(limit).unwrap_or(est.rows)).max(1.0);
        }
        let out = node.out.clone();
        let n = PNode { kind: Kind::Limit { input: Box::new(node), spec }, est, out, id: 0 };
        self.add_filter(n, conds)
    }

    fn plan_project(&mut self, input: &Rel, exprs: &[(Expr, OutCol)], conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let set = exprs.iter().any(|(e, _)| matches!(e, Expr::Call { f, .. } if matches!(f.body, Body::Set(_))));
        let map: HashMap<ColId, Expr> =
            exprs.iter().filter(|(e, _)| !is_volatile(e) && !has_subquery(e)).map(|(e, o)| (o.id, e.clone())).collect();
        let own: HashSet<ColId> = exprs.iter().map(|e| e.1.id).collect();
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for c in conds {
            let cols = expr_free(&c);
            let ok = !set && cols.iter().all(|c| !own.contains(c) || map.contains_key(c));
            // Inside a subquery only renamed columns can be followed: by their slots.
            let plain = cols.iter().filter(|c| own.contains(c)).all(|c| matches!(map.get(c), Some(Expr::Col(..))));
            if ok && (!has_subquery(&c) || plain) {
                let mut c = c;
                substitute(&mut c, &map);
                down.push(c)
            } else {
                up.push(c)
            }
        }
        let node = self.plan_rel(input, down, want)?;
        let mut out = node.out.clone();
        if set {
            let mut list = Vec::new();
            for (e, o) in exprs {
                let item = match e {
                    Expr::Call { f, args, ty } if matches!(f.body, Body::Set(_)) => SetExpr::Set {
                        f,
                        args: self.compile_all(args)?,
                        arg_types: args.iter().map(Expr::ty).collect(),
                        ret: *ty,
                    },
                    Expr::Col(..) => continue,
                    e => SetExpr::Plain(self.compile(e)?),
                };
                out.push(o.id);
                list.push((item, o.id));
            }
            let mut est = node.est;
            est.rows *= 10.0;
            est.total += est.rows * CPU_TUPLE;
            est.width = self.width(&out);
            let n = PNode {
                kind: Kind::ProjectSet { input: Box::new(node), spec: Arc::new(ProjectSetSpec { exprs: list }) },
                est,
                out,
                id: 0,
            };
            return self.add_filter(n, up);
        }
        let mut list = Vec::new();
        for (e, o) in exprs {
            // Plain columns are aliases; what nobody reads is not computed, unless it does something.
            if matches!(e, Expr::Col(..)) || (!self.used.contains(&o.id) && !is_volatile(e)) {
                continue;
            }
            list.push((self.compile(e)?, o.id));
            out.push(o.id);
        }
        let mut est = node.est;
        est.width = self.width(&out);
        let n = if list.is_empty() {
            PNode { est, ..node }
        } else {
            est.total += est.rows * CPU_OPERATOR * list.len() as f64;
            PNode { kind: Kind::Compute { input: Box::new(node), exprs: Arc::new(list) }, est, out, id: 0 }
        };
        self.add_filter(n, up)
    }

    fn plan_aggregate(
        &mut self,
        input: &Rel,
        groups: &[(Expr, OutCol)],
        aggs: &[AggCall],
        sets: &[Vec<usize>],
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        if groups.is_empty()
            && sets.is_empty()
            && let Some(n) = self.plan_extremes(input, aggs)?
        {
            return self.add_filter(n, conds);
        }
        // A condition on group columns alone selects groups: it may as well select rows.
        let map: HashMap<ColId, Expr> = groups
            .iter()
            .filter(|(e, _)| !is_volatile(e) && !has_subquery(e))
            .map(|(e, o)| (o.id, e.clone()))
            .collect();
        let own: HashSet<ColId> = groups.iter().map(|g| g.1.id).chain(aggs.iter().map(|a| a.out.id)).collect();
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for mut c in conds {
            let cols = expr_free(&c);
            let uses_group = cols.iter().any(|c| own.contains(c));
            if sets.is_empty()
                && !groups.is_empty()
                && uses_group
                && !has_subquery(&c)
                && !is_volatile(&c)
                && cols.iter().all(|c| !own.contains(c) || map.contains_key(c))
            {
                substitute(&mut c, &map);
                down.push(c);
            } else {
                up.push(c);
            }
        }
        // min / max of one column: one end of an index.
        let mut node = None;
        if groups.is_empty()
            && sets.is_empty()
            && let [a] = aggs
            && let Some(min) = a.f.extreme
            && a.filter.is_none()
            && let [Expr::Col(c, ty)] = a.args.as_slice()
            && self.may_replan(input)
        {
            let order = vec![WantKey { col: self.slot_of(*c), desc: !min, nulls_first: !min }];
            let mut with = down.clone();
            with.push(Expr::IsNull(Box::new(Expr::Col(*c, *ty)), true));
            self.replans += 1;
            let n = self.plan_rel(input, with, &Want { order: order.clone(), limit: Some(1.0) });
            self.replans -= 1;
            let n = n?;
            if self.delivers(&n, &order) {
                let spec = LimitSpec { limit: Some(Px::Const(Datum::Int8(1))), offset: None, ties: None };
                let est = Est {
                    total: n.est.startup + (n.est.total - n.est.startup) / n.est.rows.max(1.0),
                    rows: 1.0,
                    ..n.est
                };
                let out = n.out.clone();
                node = Some(PNode { kind: Kind::Limit { input: Box::new(n), spec: Arc::new(spec) }, est, out, id: 0 });
            }
        }
        let order: Vec<WantKey> = groups
            .iter()
            .filter_map(|(e, _)| match e {
                Expr::Col(c, _) => Some(WantKey { col: self.slot_of(*c), desc: false, nulls_first: false }),
                _ => None,
            })
            .collect();
        let ordered = sets.is_empty() && !groups.is_empty() && order.len() == groups.len();
        let node = match node {
            Some(n) => n,
            None => self.plan_rel(input, down, &Want::default())?,
        };
        let mut sorted = ordered && self.delivers(&node, &order);
        // DISTINCT and ORDER BY of an aggregate keep rows for each group: one group at a time, as PostgreSQL has it.
        let keeps = aggs.iter().any(|a| a.distinct || !a.order_by.is_empty());
        let mut node = node;
        if keeps && !sorted && sets.is_empty() && !groups.is_empty() && !groups.iter().any(|g| is_volatile(&g.0)) {
            let keys: Vec<SortKey> =
                groups.iter().map(|g| SortKey { e: g.0.clone(), desc: false, nulls_first: false }).collect();
            node = self.add_sort(node, &keys, None)?;
            sorted = true;
        }
        let mut gs = Vec::new();
        for (e, o) in groups {
            gs.push((self.compile(e)?, o.ty, o.id));
        }
        let mut ags = Vec::new();
        for a in aggs {
            ags.push(AggOne {
                f: a.f,
                args: self.compile_all(&a.args)?,
                ir: a.args.clone(),
                arg_types: a.args.iter().map(Expr::ty).collect(),
                distinct: a.distinct,
                order_by: self.key_specs(&a.order_by)?,
                filter: a.filter.as_ref().map(|f| self.compile(f)).transpose()?,
                ret: a.out.ty,
                slot: a.out.id,
            });
        }
        let out: Vec<u32> = gs.iter().map(|g| g.2).chain(ags.iter().map(|a| a.slot)).collect();
        let rows = if groups.is_empty() {
            1.0
        } else {
            let d: f64 = groups.iter().map(|(e, _)| self.distinct(e).unwrap_or(200.0)).product();
            d.min(node.est.rows).max(1.0)
        };
        let cost = node.est.total + node.est.rows * CPU_OPERATOR * (groups.len() + aggs.len()) as f64;
        let est = Est {
            startup: if sorted { node.est.startup } else { cost },
            total: cost + rows * CPU_TUPLE,
            rows,
            width: self.width(&out),
        };
        let spec = AggSpec {
            groups: gs,
            aggs: ags,
            sets: sets.to_vec(),
            sorted,
            group_ir: groups.iter().map(|g| g.0.clone()).collect(),
        };
        let n = PNode { kind: Kind::Agg { input: Box::new(node), spec: Arc::new(spec) }, est, out, id: 0 };
        self.add_filter(n, up)
    }

    /// Several min and max: each reads one end of an index, if all of them can. Each has the input to itself and is done before the next begins, so
    /// that they may share its slots.
    fn plan_extremes(&mut self, input: &Rel, aggs: &[AggCall]) -> Result<Option<PNode>> {
        /// Beyond that one pass over the rows is likely as good, and planning costs.
        const MAX_EXTREMES: usize = 4;
        let one =
            |a: &AggCall| a.f.extreme.is_some() && a.filter.is_none() && matches!(a.args.as_slice(), [Expr::Col(..)]);
        if !(2..=MAX_EXTREMES).contains(&aggs.len())
            || !aggs.iter().all(one)
            || rel_volatile(input)
            || !self.may_replan(input)
        {
            return Ok(None);
        }
        let subs = self.subs.len();
        let mut all: Option<PNode> = None;
        for a in aggs {
            let n = self.plan_aggregate(input, &[], std::slice::from_ref(a), &[], Vec::new())?;
            if !matches!(&n.kind, Kind::Agg { input, .. } if matches!(input.kind, Kind::Limit { .. })) {
                self.subs.truncate(subs);
                self.sub_plans.retain(|_, i| *i < subs);
                return Ok(None);
            }
            all = Some(match all {
                None => n,
                Some(l) => {
                    let spec = JoinSpec {
                        kind: JoinKind::Inner,
                        left_keys: vec![],
                        right_keys: vec![],
                        key_types: vec![],
                        cond: None,
                        left_slots: l.out.clone(),
                        right_slots: n.out.clone(),
                        lateral: true,
                        hash_ir: vec![],
                        cond_ir: vec![],
                    };
                    let est = Est {
                        startup: l.est.total + n.est.total,
                        total: l.est.total + n.est.total + CPU_TUPLE,
                        rows: 1.0,
                        width: l.est.width + n.est.width,
                    };
                    let out = l.out.iter().chain(&n.out).copied().collect();
                    let kind = Kind::NestLoop { left: Box::new(l), right: Box::new(n), spec: Arc::new(spec) };
                    PNode { kind, est, out, id: 0 }
                }
            });
        }
        Ok(all)
    }

    fn plan_modify(&mut self, m: &Modify, cols: &[OutCol]) -> Result<PNode> {
        let t = &m.table;
        let pos = |a: i16| (a as usize).wrapping_sub(1);
        let (source, op) = match &m.op {
            ModifyOp::Insert { source, columns, defaults, on_conflict, .. } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let src = rel_cols(source);
                let columns: Vec<(usize, u32)> =
                    columns.iter().zip(&src).map(|(a, o)| (pos(*a), self.slot_of(o.id))).collect();
                let mut ds = Vec::new();
                for (a, e) in defaults {
                    if columns.iter().any(|c| c.0 == pos(*a)) || matches!(e, Expr::Default) {
                        continue;
                    }
                    ds.push((pos(*a), self.compile(e)?));
                }
                let conflict = match on_conflict {
                    None => None,
                    Some(c) => {
                        let update = match &c.update {
                            None => None,
                            Some(u) => {
                                let mut set = Vec::new();
                                for (a, e) in &u.set {
                                    set.push((pos(*a), self.compile(e)?));
                                }
                                Some(ConflictUpdate {
                                    set,
                                    cond: u.cond.as_ref().map(|c| self.compile(c)).transpose()?,
                                    old_cols: u.old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
                                    excluded: u.excluded.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
                                })
                            }
                        };
                        Some(ConflictSpec { arbiters: c.arbiters.clone(), update })
                    }
                };
                (node, ModifyKind::Insert { columns, defaults: ds, conflict })
            }
            ModifyOp::Update { source, key, old_cols, set, recheck } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let mut s = Vec::new();
                for (a, e) in set {
                    s.push((pos(*a), self.compile(e)?));
                }
                let old_cols = old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect();
                let recheck = recheck.as_ref().map(|r| self.compile(r)).transpose()?;
                (node, ModifyKind::Update { key: self.slot_of(*key), old_cols, set: s, recheck })
            }
            ModifyOp::Delete { source, key, old_cols, recheck } => {
                let node = self.plan_rel(source, Vec::new(), &Want::default())?;
                let old_cols = old_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect();
                let recheck = recheck.as_ref().map(|r| self.compile(r)).transpose()?;
                (node, ModifyKind::Delete { key: self.slot_of(*key), old_cols, recheck })
            }
        };
        let mut ret_slots = Vec::new();
        let returning = match &m.returning {
            None => None,
            Some(v) => {
                let mut out = Vec::new();
                for (i, (e, o)) in v.iter().enumerate() {
                    out.push((self.compile(e)?, o.id));
                    ret_slots.push(o.id);
                    // A reader may know the column by another id.
                    if let Some(c) = cols.get(i)
                        && c.id != o.id
                    {
                        self.alias.insert(c.id, o.id);
                    }
                }
                Some(out)
            }
        };
        let est = Est {
            startup: source.est.startup,
            total: source.est.total + source.est.rows * CPU_TUPLE,
            rows: if returning.is_some() { source.est.rows } else { 0.0 },
            width: 0,
        };
        let spec = ModifySpec {
            table: t.clone(),
            op,
            row_cols: m.row_cols.iter().map(|(a, c)| (pos(*a), self.slot_of(*c))).collect(),
            returning,
            ret_slots: ret_slots.clone(),
        };
        Ok(PNode { kind: Kind::Modify { input: Box::new(source), spec: Arc::new(spec) }, est, out: ret_slots, id: 0 })
    }
}

/// Conditions below a node that read any of `own` (to be tested again on a newer version of the row).
fn collect_conds(r: &Rel, own: &HashSet<ColId>, out: &mut Vec<Expr>) {
    let mut take = |e: &Expr| {
        let mut v = Vec::new();
        conjuncts(e.clone(), &mut v);
        out.extend(v.into_iter().filter(|c| expr_free(c).iter().any(|c| own.contains(c))));
    };
    match r {
        Rel::Filter { cond, .. } => take(cond),
        Rel::Join { kind: JoinKind::Inner | JoinKind::Cross, on: Some(on), .. } => take(on),
        _ => {}
    }
    if matches!(r, Rel::Filter { .. } | Rel::Join { .. } | Rel::Sort { .. } | Rel::Limit { .. } | Rel::Project { .. }) {
        inputs(r).into_iter().for_each(|i| collect_conds(i, own, out));
    }
}

/// Outer joins that have the table of the columns `own` on the side that is kept: the conditions that use it, and the other side. Innermost first.
fn collect_outer<'r>(r: &'r Rel, own: &HashSet<ColId>, out: &mut Vec<(Vec<Expr>, &'r Rel)>) {
    if matches!(r, Rel::Filter { .. } | Rel::Join { .. } | Rel::Sort { .. } | Rel::Limit { .. } | Rel::Project { .. }) {
        inputs(r).into_iter().for_each(|i| collect_outer(i, own, out));
    }
    let (on, other) = match r {
        Rel::Join { kind: JoinKind::Left, on: Some(on), right, .. } => (on, right),
        Rel::Join { kind: JoinKind::Right, on: Some(on), left, .. } => (on, left),
        _ => return,
    };
    let mut v = Vec::new();
    conjuncts(on.clone(), &mut v);
    v.retain(|c| expr_free(c).iter().any(|c| own.contains(c)));
    if !v.is_empty() {
        out.push((v, other));
    }
}

/// Can values of the two types meet in one hash table?
pub fn hash_compatible(a: Type, b: Type) -> bool {
    let text = |t: Type| matches!(t.oid, oid::TEXT | oid::VARCHAR | oid::NAME);
    a.oid == b.oid || (expr::is_int(a.oid) && expr::is_int(b.oid)) || (text(a) && text(b))
}
fn type_width(t: Type) -> u32 {
    match t.oid {
        oid::BOOL => 1,
        oid::INT2 => 2,
        oid::INT4 | oid::FLOAT4 | oid::DATE | oid::OID => 4,
        oid::INT8 | oid::FLOAT8 | oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::TIME => 8,
        oid::INTERVAL | oid::UUID => 16,
        oid::VARCHAR | oid::BPCHAR if t.typmod > 4 => (t.typmod - 4) as u32,
        _ => 32,
    }
}
pub(crate) fn inputs_mut(r: &mut Rel) -> Vec<&mut Rel> {
    match r {
        Rel::Join { left, right, .. } | Rel::SetOp { left, right, .. } => vec![left, right],
        Rel::Filter { input, .. }
        | Rel::Sort { input, .. }
        | Rel::Limit { input, .. }
        | Rel::Distinct { input, .. }
        | Rel::LockRows { input, .. }
        | Rel::Project { input, .. }
        | Rel::Aggregate { input, .. }
        | Rel::Window { input, .. } => vec![input],
        Rel::Modify(m, _) => match &mut m.op {
            ModifyOp::Insert { source, .. } | ModifyOp::Update { source, .. } | ModifyOp::Delete { source, .. } => {
                vec![source]
            }
        },
        _ => vec![],
    }
}
pub(crate) fn exprs_mut(r: &mut Rel, f: &mut dyn FnMut(&mut Expr)) {
    match r {
        Rel::Values { rows, .. } => rows.iter_mut().flatten().for_each(f),
        Rel::FunctionScan { args, .. } => args.iter_mut().for_each(f),
        Rel::Join { on, .. } => on.iter_mut().for_each(f),
        Rel::Filter { cond, .. } => f(cond),
        Rel::Project { exprs, .. } => exprs.iter_mut().for_each(|e| f(&mut e.0)),
        Rel::Aggregate { groups, aggs, .. } => {
            groups.iter_mut().for_each(|g| f(&mut g.0));
            for a in aggs {
                a.args.iter_mut().for_each(&mut *f);
                a.order_by.iter_mut().for_each(|k| f(&mut k.e));
                a.filter.iter_mut().for_each(&mut *f);
            }
        }
        Rel::Sort { keys, .. } => keys.iter_mut().for_each(|k| f(&mut k.e)),
        Rel::Window { calls, .. } => {
            calls.iter_mut().for_each(|c| c.exprs_mut(f));
        }
        Rel::Limit { limit, offset, .. } => limit.iter_mut().chain(offset).for_each(f),
        Rel::Distinct { on, .. } => on.iter_mut().flatten().for_each(f),
        Rel::Modify(m, _) => {
            m.returning.iter_mut().flatten().for_each(|e| f(&mut e.0));
            match &mut m.op {
                ModifyOp::Insert { source, columns, defaults, on_conflict, .. } => {
                    // DEFAULT in a VALUES row stands for the column's default.
                    if let Rel::Values { rows, .. } = source {
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
                    defaults.iter_mut().for_each(|d| f(&mut d.1));
                    if let Some(u) = on_conflict.as_mut().and_then(|c| c.update.as_mut()) {
                        u.set.iter_mut().for_each(|s| f(&mut s.1));
                        u.cond.iter_mut().for_each(f);
                    }
                }
                ModifyOp::Update { set, recheck, .. } => {
                    set.iter_mut().for_each(|s| f(&mut s.1));
                    recheck.iter_mut().for_each(f);
                }
                ModifyOp::Delete { recheck, .. } => recheck.iter_mut().for_each(f),
            }
        }
        _ => {}
    }
}
