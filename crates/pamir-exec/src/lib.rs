//! The executor: operators over one register file.
//!
//! ```text
//!            RowSink <- root's out slots
//!               ^
//!   Execution { plan, State { slots: [Datum; n], sub-plans, CTEs, counters } , tree of Op }
//!               |            ^ every operator reads and writes slots in place
//!              Op::next(&mut Rt) -> is there a row? (its columns are in their slots)
//! ```
//! - Every column of the statement has one slot. An operator that returns `true` has left its columns in their slots; they stay there
//!   until it is asked again. Joins therefore copy nothing; correlated parts and parameterized index look-ups read outer columns where
//!   they are. Operators that keep rows (sort, hash, materialize) copy the slots of their input into a [`rows::Rows`] and back.
//! - [`Op::open`] (re)starts an operator; it may be called any number of times.
//! - Code is synchronous; what must wait suspends underneath (`pamir_storage::task`). Long loops call [`Rt::tick`].
//! - [`expr`]: expressions. [`scan`]: tables and indexes. [`join`], [`hash_join`], [`agg`], [`distinct`], [`sort`], [`ops`]: the other operators.
//!   [`long`]: functions over long values.
//!   [`dml`], [`fk`], [`copy`]: writes and constraints. [`fast`]: prepared point statements without operators. [`bulk`]: rows of literals.
//! - What grows with the input spills past its budget ([`Work`]) to temporary files: [`spill`], [`store`].
//!
//! Invariant: nothing here holds a borrow of the session between calls of [`Execution::run`].
pub mod agg;
pub mod backfill;
pub mod bulk;
pub mod copy;
pub mod distinct;
pub mod dml;
pub mod exclusion;
pub mod fast;
pub mod fast_sort;
pub mod fk;
pub mod fk_types;
pub mod gather;
pub mod hash_join;
pub mod inverted;
mod join;
pub mod ops;
mod partitions;
pub mod rows;
pub mod scan;
pub mod sort;
mod sort_groups;
pub mod spill;
pub mod store;
pub mod sub;
pub mod trigger;
mod unique;
mod window;

use pamir_expr::deep::on_stack_for;
use pamir_expr::env::Env;
use pamir_expr::expr;
use pamir_expr::ir::SetOp;
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Kind, PNode, Root};
use pamir_expr::plan::{NodeStats, RunStats};
use pamir_expr::sink::RowSink;
use pamir_txn::{MemoryAccount, Snapshot, Txn};
use pamir_types::{Datum, Result, work};
use std::sync::Arc;
use std::time::Instant;

pub use copy::CopyInsert;
pub use fast::{Scratch, run_fast};
pub use fk::{DeferredChecks, DeferredMark, run_deferred, settle_unique};
pub use rows::datum_size;
pub use spill::{Quota, TempSpace};

/// All that a running statement may touch. `env.txn()` is this same transaction.
pub struct ExecCtx<'a> {
    pub txn: &'a Txn,
    pub snapshot: Snapshot,
    pub env: &'a mut dyn Env,
    pub params: &'a [Datum],
    pub work: &'a Work,
    /// Constraint checks put off to the end of the transaction; the session keeps them and clears them at its end.
    pub deferred: &'a mut DeferredChecks,
}

/// What an operator may hold: in memory before it spills, and where it spills to.
pub struct Work {
    pub memory: Arc<MemoryAccount>,
    /// work_mem in bytes: one sort, one set of kept rows
    pub mem: usize,
    /// work_mem times hash_mem_multiplier: one hash table
    pub hash_mem: usize,
    pub temp: Arc<TempSpace>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// All rows are out; rows returned or affected since the start.
    Done(u64),
    /// `max` rows were sent; more may follow.
    Suspended,
}

/// What an execution keeps between calls, apart from the operators.
pub struct State {
    pub slots: Vec<Datum>,
    /// Values that are computed once, as far as they are.
    onces: Vec<Option<Datum>>,
    pub plan: Arc<Plan>,
    pub subs: Vec<sub::SubState>,
    pub ctes: Vec<sub::CteState>,
    /// Foreign keys that the statement's end has to see to.
    pub(crate) checks: fk::Checks,
    pub stats: Option<RunStats>,
    /// Counts the rows that a modification computes new values for: a SET (a, b) = (SELECT ...) runs once in each.
    pub set_row: u64,
    /// Rows written by the statement's own top-level modification.
    pub affected: u64,
    /// The operator that locks rows, all of which are asked for.
    pub whole: Option<usize>,
    /// Nested loops whose rows are all asked for.
    pub whole_loops: Vec<usize>,
}
impl State {
    pub fn new(plan: Arc<Plan>, stats: Option<RunStats>) -> State {
        let root = &plan.root;
        State {
            slots: vec![Datum::Null; root.nslots],
            onces: vec![None; root.onces as usize],
            subs: root.subs.iter().map(|_| sub::SubState::default()).collect(),
            ctes: root.ctes.iter().map(|_| sub::CteState::default()).collect(),
            checks: fk::Checks::default(),
            stats,
            set_row: 0,
            affected: 0,
            whole: None,
            whole_loops: Vec::new(),
            plan,
        }
    }
    pub fn root(&self) -> &Root {
        &self.plan.root
    }
}

/// What operators work with during one call.
pub struct Rt<'a> {
    pub txn: &'a Txn,
    pub snapshot: Snapshot,
    pub env: &'a mut dyn Env,
    pub params: &'a [Datum],
    pub work: &'a Work,
    pub deferred: &'a mut DeferredChecks,
    pub st: &'a mut State,
}
impl expr::Cx for Rt<'_> {
    #[inline]
    fn slot(&self, i: u32) -> Option<&Datum> {
        self.st.slots.get(i as usize)
    }
    #[inline]
    fn param(&self, i: u16) -> Option<&Datum> {
        self.params.get(i as usize)
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, i: usize) -> Result<Datum> {
        sub::run(i, self)
    }
    #[inline]
    fn known(&self, i: u32) -> Option<&Datum> {
        self.st.onces.get(i as usize)?.as_ref()
    }
    fn keep(&mut self, i: u32, value: &Datum) {
        if let Some(place) = self.st.onces.get_mut(i as usize) {
            *place = Some(value.clone());
        }
    }
}

impl expr::encoded::Slots for Rt<'_> {
    #[inline]
    fn slot_mut(&mut self, slot: u32) -> Option<&mut Datum> {
        self.st.slots.get_mut(slot as usize)
    }
}

/// Takes a breath where there is a session: it hears of its end on plain threads too.
#[cold]
pub fn breathe(env: &dyn Env) -> Result<()> {
    work::breathe()?;
    env.check_cancel()
}

impl Rt<'_> {
    /// Called once per row by everything that can loop long.
    #[inline]
    pub fn tick(&mut self) -> Result<()> {
        if work::spend(work::ROW) { breathe(self.env) } else { Ok(()) }
    }
    #[inline]
    pub fn set(&mut self, slot: u32, d: Datum) {
        if let Some(s) = self.st.slots.get_mut(slot as usize) {
            *s = d;
        }
    }
    #[inline]
    pub fn get(&self, slot: u32) -> &Datum {
        const NULL: &Datum = &Datum::Null;
        self.st.slots.get(slot as usize).unwrap_or(NULL)
    }
    /// The value of a slot, which is NULL from then on.
    pub fn take(&mut self, slot: u32) -> Datum {
        self.st.slots.get_mut(slot as usize).map_or(Datum::Null, |s| std::mem::replace(s, Datum::Null))
    }
    pub fn stat(&mut self, id: usize, f: impl FnOnce(&mut NodeStats)) {
        if let Some(s) = &mut self.st.stats
            && let Some(n) = s.nodes.get_mut(id)
        {
            f(n)
        }
    }
}

/// A physical operator. It is opened, read to the end or not, and opened again, any number of times:
///
/// - Every `open` starts from the beginning, whatever was read before, with the slots and parameters as they are now. `next` is called only after it, and goes on
///   saying false after the end.
/// - An operator that keeps something over `open`, because making it again costs (the table of a hash join, a materialized input), does so only where the
///   planner has seen that nothing below reads a slot from outside or a working table ([`pamir_expr::plan::walk::node_depends`]). What is kept must then be whole again: read without
///   taking from it, or made anew when it was used up (tapes of a spilled join).
/// - All else (sorts, groups, sets of seen rows, counters, rows read ahead) is forgotten at `open`.
/// - What it produced last must stand in its slots when `next` is called again: a nested loop reads on from its left row there. Who gives out rows that it
///   kept (windows, sorts by groups) puts the row it read last back before it reads on; debug builds check it.
pub trait Op: Send {
    /// (Re)starts.
    fn open(&mut self, rt: &mut Rt) -> Result<()>;
    /// Produces the next row into its slots; false at the end.
    fn next(&mut self, rt: &mut Rt) -> Result<bool>;
    /// Where calls are dear: adds what an opening with the slots as they are would read first.
    fn ahead(&self, _rt: &mut Rt, _wanted: &mut scan::Wanted) {}
    /// Passes over up to `max` rows, as so many calls of `next`, for those who want to know no more than how many there are: fewer only at the end. No row need stand
    /// in its slots afterwards.
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        let mut n = 0;
        while n < max && self.next(rt)? {
            rt.tick()?;
            n += 1;
        }
        Ok(n)
    }
}

/// Counts and times another operator.
struct Instrumented {
    inner: Box<dyn Op>,
    id: usize,
    started: bool,
    loop_nanos: u64,
}
impl Instrumented {
    fn measured<R>(&mut self, rt: &mut Rt, f: impl FnOnce(&mut dyn Op, &mut Rt) -> R) -> (R, u64) {
        let (t, before) = (Instant::now(), rt.txn.page_counts());
        let r = f(&mut *self.inner, rt);
        let (n, after) = (t.elapsed().as_nanos() as u64, rt.txn.page_counts());
        rt.stat(self.id, |s| {
            s.nanos += n;
            s.pages.0 += after.0.saturating_sub(before.0);
            s.pages.1 += after.1.saturating_sub(before.1);
        });
        (r, n)
    }
}
impl Op for Instrumented {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        let (r, n) = self.measured(rt, |op, rt| op.open(rt));
        self.started = false;
        self.loop_nanos = n;
        rt.stat(self.id, |s| s.loops += 1);
        r
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let (r, n) = self.measured(rt, |op, rt| op.next(rt));
        let first = !std::mem::replace(&mut self.started, true);
        let so_far = self.loop_nanos + n;
        rt.stat(self.id, |s| {
            if first {
                s.first_nanos += so_far;
            }
            if matches!(r, Ok(true)) {
                s.rows += 1
            }
        });
        r
    }
    fn ahead(&self, rt: &mut Rt, wanted: &mut scan::Wanted) {
        self.inner.ahead(rt, wanted)
    }
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        let (r, n) = self.measured(rt, |op, rt| op.pass(max, rt));
        let first = !std::mem::replace(&mut self.started, true);
        let so_far = self.loop_nanos + n;
        rt.stat(self.id, |s| {
            if first {
                s.first_nanos += so_far;
            }
            s.rows += *r.as_ref().unwrap_or(&0);
        });
        r
    }
}

/// The sides of nested UNION ALLs, one beside the other: a row passes one operator however many there are. `from` are the slots of `n`'s rows, `to` those that
/// they go to. Under EXPLAIN ANALYZE every node has its own operator, which counts.
fn appended(n: &PNode, from: &[u32], to: &[u32], analyze: bool, out: &mut Vec<distinct::Side>) {
    match &n.kind {
        Kind::SetOp { left, right, spec } if spec.op == SetOp::Union && spec.all => {
            for (side, slots) in [(left, &spec.left), (right, &spec.right)] {
                // `from` names columns of the union by their slots.
                let places =
                    from.iter().map(|f| spec.out.iter().position(|o| o == f).and_then(|i| slots.get(i).copied()));
                let places: Vec<u32> = places.map(|p| p.unwrap_or(u32::MAX)).collect();
                if analyze {
                    out.push(distinct::Side::new(build(side, analyze), &places, to));
                } else {
                    appended(side, &places, to, analyze, out);
                }
            }
        }
        _ => out.push(distinct::Side::new(build(n, analyze), from, to)),
    }
}

/// Makes the operator of a plan node.
pub fn build(n: &PNode, analyze: bool) -> Box<dyn Op> {
    #[cfg(feature = "rescans")]
    if ANEW.get() {
        return Box::new(Anew { node: n.clone(), op: None });
    }
    make(n, analyze)
}
fn make(n: &PNode, analyze: bool) -> Box<dyn Op> {
    let b = |n: &PNode| build(n, analyze);
    let op: Box<dyn Op> = match &n.kind {
        Kind::One => Box::new(ops::One::default()),
        Kind::Empty => Box::new(ops::Empty),
        Kind::Scan(s) => Box::new(scan::TableScan::new(s.clone(), n.id)),
        Kind::Values(s) => Box::new(ops::Values::new(s.clone(), false)),
        Kind::Virtual(s) => Box::new(ops::VirtualScan::new(s.clone(), n.id)),
        Kind::Function(s) => Box::new(ops::FunctionScan::new(s.clone())),
        Kind::SideBySide { items, ordinality } => {
            let items = items.iter().map(|i| (b(i), i.out.clone())).collect();
            Box::new(ops::SideBySide::new(items, *ordinality))
        }
        Kind::Filter { input, cond, .. } => Box::new(ops::Filter { input: b(input), cond: cond.clone(), id: n.id }),
        Kind::Compute { input, exprs } => Box::new(ops::Compute { input: b(input), exprs: exprs.clone() }),
        Kind::ProjectSet { input, spec } => Box::new(ops::ProjectSet::new(b(input), spec.clone())),
        Kind::NestLoop { left, right, spec } => {
            let ahead = gather::reads_keys(right).then(|| join::Ahead::new(left));
            Box::new(join::NestLoop::new(b(left), b(right), spec.clone(), n.id, ahead))
        }
        Kind::HashJoin { left, right, spec } => {
            Box::new(hash_join::HashJoin::new(b(left), b(right), spec.clone(), n.id))
        }
        Kind::Materialize { input } => Box::new(ops::Materialize::new(b(input), input.out.clone())),
        Kind::Agg { input, spec } => Box::new(agg::Agg::new(b(input), spec.clone(), input.out.clone(), n.id)),
        Kind::Sort { input, keys, presorted, limit } if *presorted > 0 => {
            Box::new(sort_groups::GroupSort::new(b(input), keys.clone(), *presorted, limit.clone(), input.out.clone()))
        }
        Kind::Sort { input, keys, limit, .. } => {
            Box::new(sort::Sort::new(b(input), keys.clone(), limit.clone(), input.out.clone(), n.id))
        }
        Kind::Ordered { input, keys } => Box::new(ops::Ordered::new(b(input), keys.clone())),
        Kind::Limit { input, spec } => Box::new(ops::Limit::new(b(input), spec.clone())),
        Kind::Window { input, spec } => Box::new(window::Window::new(b(input), spec.clone())),
        Kind::Distinct { input, keys, sorted: false } => {
            Box::new(distinct::Distinct::new(b(input), keys.clone(), input.out.clone(), n.id))
        }
        Kind::Distinct { input, keys, sorted: true } => Box::new(distinct::Unique::new(b(input), keys.clone())),
        Kind::Append { arms, gates, ways, keys, one_by_one } => {
            let keys = if *one_by_one { Arc::default() } else { keys.clone() };
            let arms = partitions::Arms::new(arms.clone(), gates.clone(), ways.clone(), analyze);
            match keys.is_empty() {
                true => Box::new(partitions::Append::new(arms)),
                false => Box::new(partitions::Merge::new(arms, &keys, n.out.clone())),
            }
        }
        Kind::SetOp { spec, .. } if spec.op == SetOp::Union && spec.all => {
            let mut sides = Vec::new();
            appended(n, &spec.out, &spec.out, analyze, &mut sides);
            Box::new(distinct::Append::new(sides))
        }
        Kind::SetOp { left, right, spec } if spec.op == SetOp::Union => {
            Box::new(distinct::Union::new(b(left), b(right), spec.clone(), n.id))
        }
        Kind::SetOp { left, right, spec } => {
            Box::new(distinct::SetOperation::new(b(left), b(right), spec.clone(), n.id))
        }
        Kind::CteScan { cte, cols, .. } => Box::new(sub::CteScan::new(*cte, cols.clone())),
        Kind::With { input, ctes } => Box::new(sub::With::new(b(input), ctes.clone())),
        Kind::WorkTable { cte, cols, .. } => Box::new(sub::WorkTable::new(*cte, cols.clone())),
        Kind::RecursiveUnion { cte, base, rec, spec } => {
            Box::new(sub::RecursiveUnion::new(*cte, b(base), b(rec), spec.clone()))
        }
        Kind::Modify { input, spec } => {
            let from: Box<dyn Op> = match &input.kind {
                Kind::Values(s) if !analyze => Box::new(ops::Values::new(s.clone(), true)),
                _ => b(input),
            };
            Box::new(dml::ModifyOp::new(from, spec.clone(), input))
        }
        Kind::LockRows { input, targets } => {
            Box::new(dml::LockRows::new(b(input), targets.clone(), input.out.clone(), n.id))
        }
    };
    if analyze { Box::new(Instrumented { inner: op, id: n.id, started: false, loop_nanos: 0 }) } else { op }
}

#[cfg(feature = "rescans")]
thread_local! {
    static ANEW: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}
/// Runs `f` with operators that are made anew at each opening, if `on`: what opening again must come to.
#[cfg(feature = "rescans")]
pub fn anew<R>(on: bool, f: impl FnOnce() -> R) -> R {
    let was = ANEW.replace(on);
    let r = f();
    ANEW.set(was);
    r
}
#[cfg(feature = "rescans")]
struct Anew {
    node: PNode,
    op: Option<Box<dyn Op>>,
}
#[cfg(feature = "rescans")]
impl Op for Anew {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.op.insert(make(&self.node, false)).open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        self.op.as_mut().map_or(Ok(false), |op| op.next(rt))
    }
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        self.op.as_mut().map_or(Ok(0), |op| op.pass(max, rt))
    }
}

/// Runs plans whose rows nobody reads, each of which sees what those before it did.
fn run_all(plans: &[Arc<Plan>], cx: &mut ExecCtx) -> Result<()> {
    for p in plans {
        let snapshot = cx.txn.statement();
        let (txn, params, work) = (cx.txn, cx.params, cx.work);
        let (env, deferred) = (&mut *cx.env, &mut *cx.deferred);
        let mut inner = ExecCtx { txn, snapshot, env, params, work, deferred };
        Execution::new(p.clone(), false).run(&mut inner, 0, &mut Nowhere)?;
    }
    Ok(())
}
/// Takes rows and keeps none.
struct Nowhere;
impl RowSink for Nowhere {
    fn begin_row(&mut self, _: usize) {}
    fn null(&mut self) {}
    fn datum(&mut self, _: &Datum, _: pamir_types::Type) {}
    fn bytes(&mut self, _: &[u8]) {}
    fn end_row(&mut self) -> Result<()> {
        Ok(())
    }
}

/// One execution of a plan: a portal's inside. Holds no borrow of the session, so that portals survive between messages.
pub struct Execution {
    st: State,
    op: Option<Box<dyn Op>>,
    opened: bool,
    done: bool,
    sent: u64,
    analyze: bool,
    /// The snapshot of the first call: a portal reads on in the past of its start.
    snapshot: Option<Snapshot>,
}
impl Execution {
    pub fn new(plan: Arc<Plan>, analyze: bool) -> Execution {
        let nodes = plan.root.nodes;
        let stats = analyze.then(|| RunStats { nodes: vec![NodeStats::default(); nodes], total_nanos: 0 });
        let st = State::new(plan, stats);
        Execution { st, op: None, opened: false, done: false, sent: 0, analyze, snapshot: None }
    }
    /// Runs until `max` more rows were sent (0: no limit) or the end. The first call starts the operators (and, for DML, runs it whole and keeps RETURNING rows for later calls when suspended).
    pub fn run(&mut self, cx: &mut ExecCtx, max: u64, sink: &mut dyn RowSink) -> Result<RunState> {
        let started = Instant::now();
        let deep = self.st.plan.deep;
        let r = on_stack_for(deep, || self.run_inner(cx, max, sink));
        if let Some(s) = &mut self.st.stats {
            s.total_nanos += started.elapsed().as_nanos() as u64;
        }
        r
    }
    fn run_inner(&mut self, cx: &mut ExecCtx, max: u64, sink: &mut dyn RowSink) -> Result<RunState> {
        let plan = self.st.plan.clone();
        let root = &plan.root;
        if !self.opened && !plan.before.is_empty() {
            run_all(&plan.before, cx)?;
            cx.snapshot = cx.txn.statement();
        }
        let snapshot = self.snapshot.get_or_insert_with(|| cx.snapshot.clone()).clone();
        if self.done {
            return Ok(RunState::Done(self.count(root)));
        }
        let analyze = self.analyze;
        self.st.whole = if max == 0 && cx.txn.far() { gather::locks_all(&root.node) } else { None };
        if cx.txn.far() && !self.opened {
            gather::whole_loops(&root.node, max == 0, &mut self.st.whole_loops);
        }
        let mut rt = Rt {
            txn: cx.txn,
            snapshot,
            env: &mut *cx.env,
            params: cx.params,
            work: cx.work,
            deferred: &mut *cx.deferred,
            st: &mut self.st,
        };
        let op = self.op.get_or_insert_with(|| build(&root.node, analyze));
        if !self.opened {
            self.opened = true;
            sub::start_modifying(&mut rt)?;
            op.open(&mut rt)?;
            // What all of the statement's changes ask for: one in WITH may refer to a row that another makes.
            let mut checks = std::mem::take(&mut rt.st.checks);
            if !checks.is_empty() {
                checks.run(&mut rt.wx())?;
            }
            rt.txn.flush()?;
            if !plan.after.is_empty() {
                let snapshot = rt.txn.statement();
                let (txn, params, work) = (rt.txn, rt.params, rt.work);
                let (env, deferred) = (&mut *rt.env, &mut *rt.deferred);
                run_all(&plan.after, &mut ExecCtx { txn, snapshot, env, params, work, deferred })?;
            }
        }
        let mut n = 0;
        let needs_lease = rt.txn.needs_lease();
        loop {
            if max > 0 && n == max {
                return Ok(RunState::Suspended);
            }
            if !op.next(&mut rt)? {
                break;
            }
            if root.returns_rows {
                sink.begin_row(root.out.len());
                for (s, ty) in root.out.iter().zip(&root.types) {
                    match rt.get(*s) {
                        Datum::Null => sink.null(),
                        d => sink.datum(d, *ty),
                    }
                }
                if (needs_lease || rt.txn.tied()) && sink.leaves() {
                    rt.txn.settle()?;
                }
                sink.end_row()?;
                self.sent += 1;
            }
            n += 1;
        }
        self.done = true;
        self.op = None;
        Ok(RunState::Done(self.count(root)))
    }
    fn count(&self, root: &Root) -> u64 {
        if matches!(root.node.kind, Kind::Modify { .. }) { self.st.affected } else { self.sent }
    }
    pub fn stats(&self) -> Option<&RunStats> {
        self.st.stats.as_ref()
    }
}
