//! The optimizer: bound statements to physical plans.
//!
//! ```text
//! BoundStatement --prepare--> CTEs inlined, column aliases, columns used
//!                --plan_rel--> top-down: conditions and the wanted order travel down, nodes with estimates come back
//!                     tables ............ [`path`]: sequential, index and index-only scans by cost
//!                     join blocks ....... [`join`]: inner joins and filters flattened, order by dynamic programming ([`search`])
//!                     EXISTS, IN ........ semi and anti joins; other subqueries become sub-plans (`sub`)
//!                     the rest .......... `group`, `project`, `modify`
//!                --fast-------> point statements that need no operators
//! ```
//! A [`ColId`] is a slot. `SELECT a AS x` makes no work: `x` becomes an alias of `a`'s slot.
//!
//! Plans are generic, parameters stay parameters and estimates assume nothing about their values, unless values were put in their places before ([`give`]).
//!
//! Limits: merge joins are not made; grouping hashes unless its input comes ordered or an aggregate keeps rows (DISTINCT, ORDER BY); no partition or parallel plans.
mod catalogs;
mod classes;
pub mod explain;
mod fast;
mod group;
pub mod inverted;
mod join;
mod modify;
mod order;
mod partition;
mod path;
mod prepare;
mod project;
mod ranges;
mod search;
mod secured;
mod selectivity;
mod strip;
mod sub;
mod values;
mod window;

use self::prepare::has_volatile_subquery;
pub use self::values::{give, shape};

use pamir_catalog::{Catalog, Table};
use pamir_expr::expr::{self, Px, Resolve};
use pamir_expr::fold;
use pamir_expr::ir::*;
use pamir_expr::plan::node::*;
use pamir_expr::plan::{Plan, hash_compatible, walk};
use pamir_expr::rels::*;
use pamir_expr::sink::Field;
use pamir_types::work;
use pamir_types::{Datum, Error, Result, Type, oid};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

pub use explain::{ExplainFormat, ExplainOptions, Timings, explain};

/// Optimizer settings of the session (enable_seqscan, ...).
#[derive(Clone, Debug)]
pub struct PlanSettings {
    pub enable_partition_pruning: bool,
    pub enable_seqscan: bool,
    pub enable_indexscan: bool,
    pub enable_indexonlyscan: bool,
    pub enable_tidscan: bool,
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
            enable_partition_pruning: true,
            enable_seqscan: true,
            enable_indexscan: true,
            enable_indexonlyscan: true,
            enable_tidscan: true,
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
/// Stands for a column's position where the column is a row's place.
pub const ROW_KEY: usize = usize::MAX;
pub const DISABLED: f64 = 1e10;
pub const CPU_TUPLE: f64 = 0.01;
pub const CPU_INDEX_TUPLE: f64 = 0.005;
pub const CPU_OPERATOR: f64 = 0.0025;
pub const SEQ_PAGE: f64 = 1.0;
/// A range of a tree against the walk over all of it, at most.
pub const PART_OF_WHOLE: f64 = 0.99;
/// A leaf at some place: in memory, and where it must be read.
pub const MEMORY_PAGE: f64 = 0.1;
pub const RANDOM_PAGE: f64 = 1.3;
/// One level of a descent to a key.
pub const DESCENT_LEVEL: f64 = 0.05;
/// A row found through an index, beside its descent: measured, 0.4 to 0.6 microseconds where a row that a walk meets takes 0.1.
pub const FETCH_TUPLE: f64 = 0.06;
/// What it costs more where the table is far larger than the processor's caches and more rows are wanted than it has leaves: 0.75 microseconds in a million rows in no
/// order, where a walk's row takes 0.055.
pub const FETCH_FAR: f64 = 0.2;
/// Leaves that such caches hold: 32 MiB.
pub const CACHED_PAGES: f64 = 2048.0;
/// Elements that an array of unknown size is taken to have.
pub const ARRAY_ELEMENTS: f64 = 10.0;

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
    /// Rows in this order are wanted even where others cost less: few of them will be read.
    pub ordered: bool,
}
impl Want {
    /// Rows in this order, if that costs nothing more.
    pub fn order(order: Vec<WantKey>, limit: Option<f64>) -> Want {
        Want { order, limit, ordered: false }
    }
    /// The first few of the rows, whichever they are.
    pub fn first(limit: f64) -> Want {
        Want { limit: Some(limit), ..Want::default() }
    }
    /// The same order, all rows.
    fn whole(&self) -> Want {
        Want { order: self.order.clone(), limit: None, ordered: self.ordered }
    }
    /// What a plan costs more that does not keep the order.
    fn disorder(&self) -> f64 {
        if self.ordered && !self.order.is_empty() { DISABLED } else { 0.0 }
    }
}

pub struct Planner<'a> {
    pub catalog: &'a Arc<Catalog>,
    pub sizes: &'a dyn TableSizes,
    pub settings: &'a PlanSettings,
    alias: FxHashMap<ColId, ColId>,
    used: FxHashSet<ColId>,
    types: FxHashMap<ColId, Type>,
    names: FxHashMap<u32, (String, String)>,
    computed: FxHashMap<u32, Expr>,
    /// Base columns: table and column position.
    pub origin: FxHashMap<ColId, (Arc<Table>, usize)>,
    /// What the table in hand is looked up by: columns of other relations, which have one value while it is read.
    given: FxHashSet<ColId>,
    subs: Vec<SubPlan>,
    /// Sub-plans by their columns. A condition is compiled once for every plan that is tried, and the fields of SET (a, b) = (SELECT ...) share one.
    sub_plans: FxHashMap<Vec<ColId>, usize>,
    /// How deep in second plans this is, and how many there were.
    replans: u32,
    onces: u32,
    alternatives: u32,
    check: &'a dyn Fn() -> Result<()>,
    /// What estimates of stable expressions ask.
    moment: pamir_expr::no_session::NoSession,
    ctes: Vec<Cte>,
    cte_plans: Vec<Option<CtePlan>>,
    size_cache: FxHashMap<u64, (f64, f64, f64)>,
    /// The first column that the statement does not have.
    next_col: ColId,
}

/// Where table sizes come from: the engine, or a test.
pub trait TableSizes {
    /// Entries in a whole tree.
    fn entries(&self, tree: u64) -> u64;
    /// (leaf pages, height)
    fn pages(&self, tree: u64) -> (u64, u32);
    /// Entries in [lo, hi).
    fn range(&self, tree: u64, lo: &[u8], hi: Option<&[u8]>) -> u64;
    /// Pages that memory has room for.
    fn cache_pages(&self) -> u64 {
        u64::MAX
    }
}
impl TableSizes for Arc<dyn pamir_txn::Engine> {
    fn entries(&self, tree: u64) -> u64 {
        pamir_txn::Engine::entries(&**self, pamir_txn::TreeId(tree)).unwrap_or(0)
    }
    fn cache_pages(&self) -> u64 {
        pamir_txn::Engine::cache_pages(&**self)
    }
    fn pages(&self, tree: u64) -> (u64, u32) {
        self.tree_size(pamir_txn::TreeId(tree)).unwrap_or((1, 1))
    }
    fn range(&self, tree: u64, lo: &[u8], hi: Option<&[u8]>) -> u64 {
        self.estimate(pamir_txn::TreeId(tree), lo, hi).unwrap_or(0)
    }
}

/// Plans a statement. Parameters stay parameters: the plan is generic. Sizes come from a shard, or from anywhere; `text` is how the session reads
/// values, and its time, for estimates of what is compared with `now()`; `check` is asked now and then whether to go on.
pub fn plan(
    mut stmt: BoundStatement,
    catalog: &Arc<Catalog>,
    sizes: &dyn TableSizes,
    settings: &PlanSettings,
    text: pamir_types::text::TextCtx,
    check: &dyn Fn() -> Result<()>,
) -> Result<Plan> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (first, other) in std::mem::take(&mut stmt.beside) {
        let made = Arc::new(plan(other, catalog, sizes, settings, text.clone(), check)?);
        if first { before.push(made) } else { after.push(made) }
    }
    let mut made = plan_one(stmt, catalog, sizes, settings, text, check)?;
    if !before.is_empty() || !after.is_empty() {
        made.root.fast = None;
    }
    Ok(Plan { before, after, ..made })
}
/// Plans a statement without what rules have put beside it.
fn plan_one(
    mut stmt: BoundStatement,
    catalog: &Arc<Catalog>,
    sizes: &dyn TableSizes,
    settings: &PlanSettings,
    text: pamir_types::text::TextCtx,
    check: &dyn Fn() -> Result<()>,
) -> Result<Plan> {
    let mut p = Planner {
        catalog,
        sizes,
        settings,
        alias: FxHashMap::default(),
        used: FxHashSet::default(),
        types: FxHashMap::default(),
        names: FxHashMap::default(),
        computed: FxHashMap::default(),
        origin: FxHashMap::default(),
        given: FxHashSet::default(),
        subs: Vec::new(),
        sub_plans: FxHashMap::default(),
        replans: 0,
        onces: 0,
        alternatives: 0,
        check,
        moment: pamir_expr::no_session::NoSession::with_text(text),
        ctes: Vec::new(),
        cte_plans: Vec::new(),
        size_cache: FxHashMap::default(),
        next_col: stmt.next_col,
    };
    let mut ctes = std::mem::take(&mut stmt.ctes);
    let originals = ctes.clone();
    for c in &mut ctes {
        // Who reads one is not known yet: all of it is read.
        p.used.extend(rel_cols(&c.rel).iter().map(|c| c.id));
        // One that is inlined is prepared where it stands then.
        if !inlined(c) {
            p.prepare(&mut c.rel, &originals)?;
        }
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
        p.keep_cte(i, &c)?;
    }
    let mut node = p.plan_rel(&rel, Vec::new(), &Want::default())?;
    let out: Vec<u32> = stmt.output.iter().map(|o| p.slot_of(o.id)).collect();
    let types: Vec<Type> = stmt.output.iter().map(|o| o.ty).collect();
    let count = p.number_nodes(&mut node);
    let slot_types = p.slot_types();
    let nslots = slot_types.len();
    let mut root = Root {
        node,
        out,
        types,
        nslots,
        onces: p.onces,
        subs: std::mem::take(&mut p.subs),
        ctes: std::mem::take(&mut p.cte_plans),
        nodes: count,
        returns_rows: !stmt.output.is_empty() || !modifies,
        fast: None,
        names: std::mem::take(&mut p.names),
        computed: std::mem::take(&mut p.computed),
        slot_types,
    };
    if modifies && stmt.output.is_empty() {
        root.returns_rows = false;
    }
    root.fast = fast::detect(&root);
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
        deep: false,
        before: Vec::new(),
        after: Vec::new(),
    })
}

impl Planner<'_> {
    /// Gives each node of the plan, its subqueries' and its CTEs' among them, its number; how many there are.
    fn number_nodes(&mut self, root: &mut PNode) -> usize {
        let mut count = 0;
        root.number(&mut count);
        for s in &mut self.subs {
            s.node.number(&mut count);
            if let Some(h) = &mut s.hashed {
                h.node.number(&mut count);
                if let Some((_, empty)) = &mut h.value {
                    empty.number(&mut count);
                }
            }
        }
        for c in self.cte_plans.iter_mut().flatten() {
            c.node.number(&mut count);
        }
        count
    }
}

/// What a step of planning costs.
const STEP: u32 = 2000;
/// How many relations, each inside the other, are planned more than once.
const MAX_REPLANS: u32 = 2;
/// How often a statement's relations are planned once more, all together: relations inside one another would else take a power of their number.
const MAX_ALTERNATIVES: u32 = 500;
/// Stack that must be left to go one relation deeper: what the operators of the finished plan, which are as deep, need. Common table expressions that
/// read one another make relations far deeper than the text's own nesting.
const STACK_RESERVE: usize = 3 << 20;
fn check_stack() -> Result<()> {
    if pamir_storage::task::stack_left().is_some_and(|n| n < STACK_RESERVE) {
        return Err(pamir_expr::deep::too_deep());
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
    exprs(r, &mut |e| v |= is_volatile(e));
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
    /// The types of all slots.
    fn slot_types(&self) -> Vec<Type> {
        let most = self.types.keys().max().map_or(0, |m| *m as usize + 1);
        let mut types = vec![Type::UNKNOWN; most.max(self.next_col as usize)];
        for (c, t) in &self.types {
            if let Some(s) = types.get_mut(*c as usize) {
                *s = *t;
            }
        }
        types
    }
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
    /// A column of the planner's own.
    fn fresh(&mut self, ty: Type) -> OutCol {
        let above = self.types.keys().max().map_or(0, |m| *m + 1);
        let id = self.next_col.max(above);
        self.next_col = id + 1;
        self.types.insert(id, ty);
        self.used.insert(id);
        OutCol { id, name: String::new(), ty, origin: None }
    }
    fn note(&mut self, o: &OutCol) {
        self.types.insert(o.id, o.ty);
        if !o.name.is_empty() {
            self.names.entry(o.id).or_insert_with(|| (String::new(), o.name.clone()));
        }
    }
    /// Called by everything that can be many: the statement may have been cancelled meanwhile.
    pub fn tick(&mut self) -> Result<()> {
        if work::spend(STEP) {
            work::breathe()?;
            (self.check)()?;
        }
        Ok(())
    }
    /// May this relation be planned once more, with other conditions or in another order? Relations in relations would be planned 2^depth
    /// times, so only tables always may.
    pub fn may_replan(&self, r: &Rel) -> bool {
        fn small(r: &Rel) -> bool {
            match r {
                Rel::Table { .. } | Rel::Virtual { .. } | Rel::Values { .. } | Rel::One | Rel::CteScan { .. } => true,
                Rel::Filter { input, cond } | Rel::Secured { input, cond } => !has_subquery(cond) && small(input),
                Rel::Project { input, exprs } => !exprs.iter().any(|e| has_subquery(&e.0)) && small(input),
                // A table with its children.
                Rel::SetOp { op: SetOp::Union, all: true, left, right, .. } => small(left) && small(right),
                _ => false,
            }
        }
        self.may_try() || small(r)
    }
    /// May another plan be tried for what may be of any size?
    fn may_try(&self) -> bool {
        self.replans < MAX_REPLANS && self.alternatives < MAX_ALTERNATIVES
    }
    fn begin_again(&mut self) {
        self.replans += 1;
        self.alternatives += 1;
    }
    /// `r` planned again, with more conditions; where that may not be, the plan at hand under a filter.
    pub fn replan(&mut self, r: &Rel, plain: &PNode, own: Vec<Expr>, more: Vec<Expr>, want: &Want) -> Result<PNode> {
        if !self.may_replan(r) {
            return self.add_filter(plain.clone(), more);
        }
        self.begin_again();
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
    pub fn plan_rel(&mut self, r: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        check_stack()?;
        self.tick()?;
        if conds.iter().any(|c| matches!(c, Expr::Const(Datum::Bool(false) | Datum::Null, _))) {
            let out = self.out_slots(r);
            return Ok(PNode { kind: Kind::Empty, est: Est::default(), out, id: 0 });
        }
        match r {
            Rel::Table { parts: Some(_), .. } => self.plan_partitions(r, conds, want),
            Rel::Table { .. } => self.plan_table(r, conds, want),
            Rel::Filter { .. } | Rel::Join { .. } => self.plan_block(r, conds, want),
            Rel::Secured { input, cond } => self.plan_secured(input, cond, conds, want),
            Rel::One => {
                let n = PNode {
                    kind: Kind::One,
                    est: Est { total: CPU_TUPLE, rows: 1.0, ..Est::default() },
                    out: vec![],
                    id: 0,
                };
                self.add_filter(n, conds)
            }
            Rel::Virtual { table, alias, cols } => self.plan_virtual(table, alias, cols, conds),
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
            Rel::FunctionScan { f, args, cols, ordinality } => self.plan_function(f, args, cols, ordinality, conds),
            Rel::SideBySide { items, ordinality } => self.plan_side_by_side(items, ordinality.as_ref(), conds),
            Rel::Project { input, exprs } => self.plan_project(input, exprs, conds, want),
            Rel::Aggregate { input, groups, aggs, sets } => self.plan_aggregate(input, groups, aggs, sets, conds),
            Rel::Sort { input, keys } => {
                let order = self.want_of(keys);
                let limit = want.limit;
                let node = self.plan_rel(input, conds, &Want::order(order.clone().unwrap_or_default(), limit))?;
                let node = match &order {
                    Some(o) => match self.relies(node, o)? {
                        Ok(ordered) => return Ok(ordered),
                        Err(node) => node,
                    },
                    None => node,
                };
                self.add_sort(node, keys, None)
            }
            Rel::Limit { input, limit, offset, with_ties } => self.plan_limit(input, limit, offset, *with_ties, conds),
            Rel::Distinct { input, on } => self.plan_distinct(input, on, conds, want),
            Rel::SetOp { left, right, .. } => self.plan_set_operation(r, left, right, conds, want),
            Rel::With { input, defs } => {
                for d in defs {
                    if let Some(c) = self.ctes.get_mut(d.index) {
                        *c = d.cte.clone();
                    }
                    self.keep_cte(d.index, &d.cte)?;
                }
                let input = self.plan_rel(input, conds, want)?;
                if defs.is_empty() {
                    return Ok(input);
                }
                let (est, out) = (input.est, input.out.clone());
                let ctes = defs.iter().map(|d| d.index).collect();
                Ok(PNode { kind: Kind::With { input: Box::new(input), ctes }, est, out, id: 0 })
            }
            Rel::CteScan { cte, cols, varies } => {
                let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
                let (name, rows) = match self.cte_plans.get(*cte) {
                    Some(Some(c)) => (c.name.clone(), c.node.est.rows),
                    _ => (self.ctes.get(*cte).map_or_else(String::new, |c| c.name.clone()), 100.0),
                };
                let est = Est { startup: 0.0, total: rows * CPU_TUPLE * 2.0, rows, width: self.width(&slots) };
                let n = PNode {
                    kind: Kind::CteScan { cte: *cte, name, cols: Arc::new(slots.clone()), varies: varies.is_some() },
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
            Rel::LockRows { input, targets } => self.plan_lock_rows(input, targets, conds, want),
        }
    }
    fn plan_function(
        &mut self,
        f: &pamir_expr::func::FunctionRef,
        args: &[Expr],
        cols: &[OutCol],
        ordinality: &Option<OutCol>,
        conds: Vec<Expr>,
    ) -> Result<PNode> {
        let slots: Vec<u32> = cols.iter().map(|c| c.id).collect();
        let mut out = slots.clone();
        out.extend(ordinality.as_ref().map(|o| o.id));
        let rows = pamir_expr::func::json_record::row_type(f, args, cols);
        let expand = rows.is_some().then(|| cols.iter().map(|c| c.ty).collect());
        let one = cols.len() == 1 && !oid::is_composite(self.catalog.base_type(Type::new(f.ret)).oid);
        let ret = rows.unwrap_or_else(|| if one { cols[0].ty } else { Type::new(f.ret) });
        let spec = FunctionSpec {
            f: f.clone(),
            expand,
            args: self.compile_all(args)?,
            arg_types: args.iter().map(Expr::ty).collect(),
            ret,
            slots,
            ordinality: ordinality.as_ref().map(|o| o.id),
        };
        let rows = function_rows(f, args);
        let est = Est { startup: 0.0, total: rows * CPU_TUPLE, rows, width: self.width(&out) };
        let node = PNode { kind: Kind::Function(Arc::new(spec)), est, out, id: 0 };
        self.add_filter(node, conds)
    }
    /// ROWS FROM: as many rows as the item with the most.
    fn plan_side_by_side(&mut self, items: &[Rel], ordinality: Option<&OutCol>, conds: Vec<Expr>) -> Result<PNode> {
        let mut nodes = Vec::with_capacity(items.len());
        for r in items {
            nodes.push(self.plan_rel(r, Vec::new(), &Want::default())?);
        }
        // Beside one that is called anew for each row outside, the others are called once.
        if nodes.iter().any(walk::node_depends) {
            for n in &mut nodes {
                if !walk::node_depends(n) {
                    let (est, out) = (n.est, n.out.clone());
                    let input = std::mem::replace(n, PNode { kind: Kind::One, est, out, id: 0 });
                    n.kind = Kind::Materialize { input: Box::new(input) };
                }
            }
        }
        let out: Vec<u32> = nodes.iter().flat_map(|n| n.out.clone()).chain(ordinality.map(|o| o.id)).collect();
        let rows = nodes.iter().map(|n| n.est.rows).fold(1.0, f64::max);
        let total = nodes.iter().map(|n| n.est.total).sum();
        let est = Est { startup: 0.0, total, rows, width: self.width(&out) };
        let kind = Kind::SideBySide { items: nodes, ordinality: ordinality.map(|o| o.id) };
        self.add_filter(PNode { kind, est, out, id: 0 }, conds)
    }
    fn plan_distinct(&mut self, input: &Rel, on: &Option<Vec<Expr>>, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let keys: Vec<Expr> = match on {
            Some(v) => v.clone(),
            None => rel_cols(input).iter().map(|c| Expr::Col(c.id, c.ty)).collect(),
        };
        // A condition on what is distinct commutes with it, unless it counts how often it is asked; DISTINCT ON keeps the first row, so nothing passes
        // below.
        let (down, up) = conds.into_iter().partition(|c| on.is_none() && !is_volatile(c) && !has_volatile_subquery(c));
        let node = self.plan_rel(input, down, &want.whole())?;
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
    fn plan_set_operation(&mut self, r: &Rel, left: &Rel, right: &Rel, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let Rel::SetOp { op, all, cols, .. } = r else { return Err(Error::internal("not a set operation")) };
        let (lc, rc) = (rel_cols(left), rel_cols(right));
        let mut sides = Vec::new();
        let pushable = conds.iter().all(|c| !has_subquery(c) && !is_volatile(c));
        for (side, sc) in [(left, &lc), (right, &rc)] {
            let mut down = Vec::new();
            if pushable {
                let map: FxHashMap<ColId, Expr> =
                    cols.iter().zip(sc).map(|(o, i)| (o.id, Expr::Col(i.id, i.ty))).collect();
                for c in &conds {
                    let mut c = c.clone();
                    substitute(&mut c, &map);
                    down.push(c);
                }
            }
            let limit = want.limit.filter(|_| *op == SetOp::Union && *all && want.order.is_empty());
            sides.push(self.plan_rel(side, down, &Want { limit, ..Want::default() })?);
        }
        let (Some(r), Some(l)) = (sides.pop(), sides.pop()) else {
            return Err(Error::internal("set operation"));
        };
        if *op == SetOp::Union && *all && is_nothing(&l) && is_nothing(&r) {
            let out = cols.iter().map(|c| self.slot_of(c.id)).collect();
            return Ok(PNode { kind: Kind::Empty, est: Est::default(), out, id: 0 });
        }
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
    fn out_slots(&self, r: &Rel) -> Vec<u32> {
        let mut s = FxHashSet::default();
        produced(r, &mut s);
        let mut v: Vec<u32> = s.into_iter().map(|c| self.slot_of(c)).collect();
        v.sort_unstable();
        v.dedup();
        v
    }
}

/// Is it known to have no rows?
pub(super) fn is_nothing(n: &PNode) -> bool {
    match &n.kind {
        Kind::Empty => true,
        Kind::Compute { input, .. } => is_nothing(input),
        _ => false,
    }
}
/// About how many rows a function in FROM gives.
fn function_rows(f: &pamir_expr::func::Function, args: &[Expr]) -> f64 {
    const UNKNOWN: f64 = 1000.0;
    if !f.body.is_set() {
        return 1.0;
    }
    let int = |e: &Expr| if let Expr::Const(d, _) = e { expr::int_of(d) } else { None };
    match (f.own_name(), args) {
        ("unnest", args) => {
            let elements = |e: &Expr| match e {
                Expr::Const(Datum::Array(a), _) => a.items.len() as f64,
                Expr::Array(v, _) => v.len() as f64,
                _ => ARRAY_ELEMENTS,
            };
            args.iter().map(elements).fold(1.0, f64::max)
        }
        ("generate_series", [from, to, step @ ..]) => match (int(from), int(to), step.first().map_or(Some(1), int)) {
            (Some(a), Some(b), Some(s)) if s != 0 => ((b as f64 - a as f64) / s as f64 + 1.0).floor().max(1.0),
            _ => UNKNOWN,
        },
        _ => UNKNOWN,
    }
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
