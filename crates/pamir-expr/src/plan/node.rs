//! Physical plans as data: what the planner makes, the executor runs and EXPLAIN prints.
//!
//! Every column of the statement has one slot; a node *produces* the slots of `out`. Parts that the executor keeps beside its own
//! state are `Arc`s, so that a portal can outlive the call that started it without borrowing the plan.
use crate::access::TableExprs;
use crate::expr::encoded::Test;
use crate::expr::{Fun, Px};
use crate::func::{AggregateRef, FunctionRef};
use crate::inverted::{Class, Strategy};
use pamir_catalog::Table;

use crate::ir::{CmpOp, ColId, Exclude, Expr, FrameUnits, JoinKind, RowSystem, SetOp, WindowFn};
use pamir_catalog::system::VirtualTable;
use pamir_storage::store::Dir;
use pamir_txn::{RowLock, WaitPolicy};
use pamir_types::{Datum, Oid, Type};
use std::sync::Arc;

/// Estimates in PostgreSQL's cost units (1.0: one sequential page).
#[derive(Clone, Copy, Debug, Default)]
pub struct Est {
    pub startup: f64,
    pub total: f64,
    pub rows: f64,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct PNode {
    pub kind: Kind,
    pub est: Est,
    /// Slots produced.
    pub out: Vec<u32>,
    /// Place in the counters of EXPLAIN ANALYZE; given when the plan is complete.
    pub id: usize,
}

/// One sort key: value, type, direction.
#[derive(Debug)]
pub struct KeySpec {
    pub e: Px,
    pub ty: Type,
    pub desc: bool,
    pub nulls_first: bool,
    pub ir: Expr,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// One row without columns.
    One,
    /// No row.
    Empty,
    Scan(Arc<ScanSpec>),
    Values(Arc<ValuesSpec>),
    Virtual(Arc<VirtualSpec>),
    Function(Arc<FunctionSpec>),
    /// Rows of several in step; those that have ended give NULLs.
    SideBySide {
        items: Vec<PNode>,
        ordinality: Option<u32>,
    },
    Filter {
        input: Box<PNode>,
        cond: Arc<Px>,
        ir: Arc<Vec<Expr>>,
    },
    Compute {
        input: Box<PNode>,
        exprs: Arc<Vec<(Px, u32)>>,
    },
    ProjectSet {
        input: Box<PNode>,
        spec: Arc<ProjectSetSpec>,
    },
    NestLoop {
        left: Box<PNode>,
        right: Box<PNode>,
        spec: Arc<JoinSpec>,
    },
    HashJoin {
        left: Box<PNode>,
        right: Box<PNode>,
        spec: Arc<JoinSpec>,
    },
    Materialize {
        input: Box<PNode>,
    },
    Agg {
        input: Box<PNode>,
        spec: Arc<AggSpec>,
    },
    Sort {
        input: Box<PNode>,
        keys: Arc<Vec<KeySpec>>,
        /// How many of the first keys the input is ordered by.
        presorted: usize,
        limit: Option<Arc<LimitSpec>>,
    },
    /// Debug builds only: rows are seen to come in the order that the node above relies on (see [`super::path`], `relies`).
    Ordered {
        input: Box<PNode>,
        keys: Arc<Vec<KeySpec>>,
    },
    Limit {
        input: Box<PNode>,
        spec: Arc<LimitSpec>,
    },
    Distinct {
        input: Box<PNode>,
        keys: Arc<Vec<(Px, Type)>>,
        /// Input comes ordered by the keys: the result is too.
        sorted: bool,
    },
    /// Input sorted by partition, then order.
    Window {
        input: Box<PNode>,
        spec: Arc<WindowSpec>,
    },
    SetOp {
        left: Box<PNode>,
        right: Box<PNode>,
        spec: Arc<SetOpSpec>,
    },
    CteScan {
        cte: usize,
        name: String,
        cols: Arc<Vec<u32>>,
        /// It is computed anew for each row outside.
        varies: bool,
    },
    /// Starts `ctes` anew with each of its own starts.
    With {
        input: Box<PNode>,
        ctes: Arc<[usize]>,
    },
    WorkTable {
        cte: usize,
        name: String,
        cols: Arc<Vec<u32>>,
    },
    RecursiveUnion {
        cte: usize,
        base: Box<PNode>,
        rec: Box<PNode>,
        spec: Arc<SetOpSpec>,
    },
    /// Scans of a partitioned table's partitions, each into the same slots.
    Append {
        arms: Arc<Vec<PNode>>,
        /// What the conditions say of partition keys, by values that are known when it opens.
        gates: Arc<Vec<Gate>>,
        /// Of each arm, which child of which gate's table leads to it.
        ways: Arc<Vec<Vec<(usize, usize)>>>,
        /// What the rows come in the order of, as each arm's do; none: as they come, one arm after the other.
        keys: Arc<Vec<KeySpec>>,
        /// One arm after the other has them in that order; else they are merged.
        one_by_one: bool,
    },
    Modify {
        input: Box<PNode>,
        spec: Arc<ModifySpec>,
    },
    LockRows {
        input: Box<PNode>,
        targets: Arc<Vec<LockSpec>>,
    },
}

/// Where a scan takes a column from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Src {
    /// Column (attnum - 1) of the row.
    Row(usize),
    /// Key column of the index entry.
    Key(usize),
    /// Part of the entry's extra.
    Extra(usize),
    /// Primary key column, from the entry's row key.
    Pk(usize),
}
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub src: Src,
    pub slot: u32,
}

#[derive(Debug)]
pub struct ScanSpec {
    pub table: Arc<Table>,
    pub alias: String,
    /// Position in `table.indexes`; None: the table's tree, whole.
    pub index: Option<usize>,
    /// The index is the table's own tree (primary key).
    pub clustered: bool,
    pub bounds: Bounds,
    /// Parts of several indexes (position in `table.indexes`) instead: the keys found in any of them are looked up once, in key order.
    pub union: Vec<(usize, Bounds)>,
    /// Rows at these places (`ctid = ..`) instead: the parts are of keys' bytes, each looked up once, in key order.
    pub places: Option<Bounds>,
    /// The rows that an inverted index leaves instead.
    pub inverted: Option<Inverted>,
    pub dir: Dir,
    /// The entry alone has all columns.
    pub only: bool,
    /// Few rows come whatever the values in `bounds` are: the plan serves other values as well.
    pub few: bool,
    /// Columns loaded before and after the filter.
    pub pre: Vec<Load>,
    pub post: Vec<Load>,
    pub key_slot: Option<u32>,
    /// The filter reads it.
    pub key_first: bool,
    pub tableoid: Option<u32>,
    /// The first conditions, where they can be tested on stored rows, and the other ones.
    pub tests: Vec<Test>,
    pub filter: Option<Px>,
    pub cond_ir: Vec<Expr>,
    pub filter_ir: Vec<Expr>,
}
/// What an inverted index (its position in `table.indexes`) is asked: all of it.
#[derive(Debug)]
pub struct Inverted {
    pub index: usize,
    pub asks: Vec<Ask>,
}
/// A condition on one of its columns.
#[derive(Debug)]
pub struct Ask {
    pub column: u8,
    pub class: Class,
    pub strategy: Strategy,
    pub query: Px,
    /// The query's type.
    pub ty: Oid,
}
/// A partitioned table whose children some conditions leave.
#[derive(Debug)]
pub struct Gate {
    /// Its [`crate::partition::Parts`] are at hand.
    pub parent: Arc<Table>,
    /// Of its key: all of them hold.
    pub bounds: Vec<Bounds>,
}

impl ScanSpec {
    /// Are there conditions beside the bounds?
    pub fn filters(&self) -> bool {
        self.filter.is_some() || !self.tests.is_empty()
    }
}

/// The part of a tree to read: equal on the first columns, then a range on the next.
#[derive(Debug, Default)]
pub struct Bounds {
    pub parts: Vec<Part>,
    pub lo: Option<RangeEnd>,
    pub hi: Option<RangeEnd>,
    /// Several ranges instead of `lo` and `hi`: `a BETWEEN 1 AND 2 OR a BETWEEN 5 AND 6`.
    pub or: Vec<(Option<RangeEnd>, Option<RangeEnd>)>,
    /// Alternatives of one index instead of all the above, in any order and perhaps overlapping: `(a, b) IN ((1, 2), (3, 4))`, `(a, b) > (1, 2)`.
    pub arms: Vec<Bounds>,
    /// How many leading columns have one and the same value in all arms.
    pub fixed: usize,
    /// `parts` (of every alternative) cover all columns of a unique index.
    pub point: bool,
}
impl Bounds {
    /// One row at most.
    pub fn single_point(&self) -> bool {
        self.point && self.arms.is_empty() && self.parts.iter().all(|p| matches!(p, Part::Eq(_)))
    }
    /// Which leading columns have a single value; whether there may be several prefixes.
    pub fn single(&self) -> (Vec<bool>, bool) {
        if !self.arms.is_empty() {
            return (vec![true; self.fixed], true);
        }
        let v: Vec<bool> = self.parts.iter().map(|p| matches!(p, Part::Eq(_) | Part::Null)).collect();
        let multi = v.iter().any(|s| !s);
        (v, multi)
    }
    /// Less than the whole tree?
    pub fn bounded(&self) -> bool {
        let ends = self.lo.is_some() || self.hi.is_some() || !self.or.is_empty();
        ends || !self.parts.is_empty() || !self.arms.is_empty()
    }
    /// Calls `f` for each value.
    pub fn each_px<'a>(&'a self, f: &mut dyn FnMut(&'a Px)) {
        for p in &self.parts {
            match p {
                Part::Eq(x) | Part::Any(x) => f(x),
                Part::In(v) => v.iter().for_each(&mut *f),
                Part::Null => {}
            }
        }
        let ends = self.lo.iter().chain(&self.hi).chain(self.or.iter().flat_map(|(l, h)| l.iter().chain(h)));
        ends.for_each(|b| f(&b.e));
        self.arms.iter().for_each(|a| a.each_px(f));
    }
}
#[derive(Debug)]
pub enum Part {
    Eq(Px),
    In(Vec<Px>),
    /// Elements of an array value.
    Any(Px),
    Null,
}
#[derive(Debug)]
pub struct RangeEnd {
    pub e: Px,
    pub inclusive: bool,
}

#[derive(Debug)]
pub struct ValuesSpec {
    pub rows: Vec<Vec<Px>>,
    pub slots: Vec<u32>,
}
/// Window functions over one partitioning and order. `keys`: the partition's (`parts` of them), then the order's.
#[derive(Debug)]
pub struct WindowSpec {
    pub keys: Vec<KeySpec>,
    pub parts: usize,
    pub calls: Vec<WindowOne>,
    /// Slots of an input row.
    pub input: Vec<u32>,
}
#[derive(Debug)]
pub struct WindowOne {
    pub f: WindowFn,
    pub args: Vec<Px>,
    pub arg_types: Vec<Type>,
    pub filter: Option<Px>,
    pub ret: Type,
    pub slot: u32,
    pub units: FrameUnits,
    pub start: FrameEnd,
    pub end: FrameEnd,
    pub exclude: Exclude,
    /// RANGE with an offset: the ordering column as the bounds' values are, and that type.
    pub key: Option<(Px, Type)>,
}
#[derive(Debug)]
pub enum FrameEnd {
    Unbounded,
    Current,
    /// `value`: RANGE's bound, from the current row.
    Offset {
        e: Px,
        ty: Type,
        following: bool,
        value: Option<Px>,
    },
}
impl WindowOne {
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Px)) {
        self.args.iter().chain(&self.filter).for_each(&mut *f);
        self.key.iter().for_each(|k| f(&k.0));
        for b in [&self.start, &self.end] {
            if let FrameEnd::Offset { e, value, .. } = b {
                f(e);
                value.iter().for_each(&mut *f);
            }
        }
    }
}
#[derive(Debug)]
pub struct VirtualSpec {
    pub table: &'static VirtualTable,
    /// Columns that must have values which are known when the scan opens: rows with others need not be made.
    pub keys: Vec<(usize, Px)>,
    /// One more, whose value is one of these or an item of one of these that is an array.
    pub any: Option<(usize, Vec<Px>)>,
    pub alias: String,
    pub cols: Vec<(usize, u32)>,
    pub filter: Option<Px>,
    pub filter_ir: Vec<Expr>,
}
#[derive(Debug)]
pub struct FunctionSpec {
    pub f: FunctionRef,
    pub args: Vec<Px>,
    pub arg_types: Vec<Type>,
    pub ret: Type,
    pub slots: Vec<u32>,
    pub ordinality: Option<u32>,
    /// It gives rows, whose fields are the item's columns, of these types.
    pub expand: Option<Vec<Type>>,
}
#[derive(Debug)]
pub struct ProjectSetSpec {
    /// A plain expression, or a set-returning function with its arguments.
    pub exprs: Vec<(SetExpr, u32)>,
}
#[derive(Debug)]
pub enum SetExpr {
    Plain(Px),
    Set { f: FunctionRef, args: Vec<Px>, arg_types: Vec<Type>, ret: Type },
}
#[derive(Debug)]
pub struct JoinSpec {
    pub kind: JoinKind,
    /// Hash join: the keys, pairwise equal; types for hashing.
    pub left_keys: Vec<Px>,
    pub right_keys: Vec<Px>,
    pub key_types: Vec<Type>,
    /// What else must hold for a pair.
    pub cond: Option<Px>,
    pub left_slots: Vec<u32>,
    pub right_slots: Vec<u32>,
    /// The left side's first row comes cheaper than the right side: without one the right side need not be read.
    pub probe_first: bool,
    /// The right side reads columns of the left, so it restarts for each of its rows.
    pub lateral: bool,
    pub hash_ir: Vec<Expr>,
    pub cond_ir: Vec<Expr>,
}
#[derive(Debug)]
pub struct AggSpec {
    pub groups: Vec<(Px, Type, u32)>,
    pub aggs: Vec<AggOne>,
    /// Grouping sets as positions in `groups`; empty: one set of all.
    pub sets: Vec<Vec<usize>>,
    /// Input comes ordered by the groups: one group at a time.
    pub sorted: bool,
    pub group_ir: Vec<Expr>,
}
#[derive(Debug)]
pub struct AggOne {
    pub f: AggregateRef,
    pub args: Vec<Px>,
    pub arg_types: Vec<Type>,
    pub distinct: bool,
    pub order_by: Vec<KeySpec>,
    pub filter: Option<Px>,
    pub ret: Type,
    pub slot: u32,
    /// The arguments, for EXPLAIN.
    pub ir: Vec<Expr>,
}
#[derive(Debug)]
pub struct LimitSpec {
    pub limit: Option<Px>,
    pub offset: Option<Px>,
    /// WITH TIES: the sort keys that make a tie.
    pub ties: Option<Vec<KeySpec>>,
}
#[derive(Debug)]
pub struct SetOpSpec {
    pub op: SetOp,
    pub all: bool,
    pub left: Vec<u32>,
    pub right: Vec<u32>,
    pub out: Vec<u32>,
    pub types: Vec<Type>,
}
#[derive(Debug)]
pub struct LockSpec {
    pub table: Arc<Table>,
    pub key: u32,
    pub mode: RowLock,
    pub wait: WaitPolicy,
    /// (attnum - 1, slot)
    pub cols: Vec<(usize, u32)>,
    /// Conditions on the table's columns, tested again on a row that changed.
    pub recheck: Option<Px>,
    /// Outer joins that keep the table: when a changed row no longer meets the condition, these slots of the other side are NULL.
    pub outer: Vec<(Px, Vec<u32>)>,
    pub members: Option<MembersSpec>,
}
/// See [`crate::ir::Members`]: the slot of the table's number, and each table with where the parent's columns are in it.
#[derive(Debug)]
pub struct MembersSpec {
    pub slot: u32,
    tables: rustc_hash::FxHashMap<Oid, (Arc<Table>, Vec<usize>)>,
}
impl MembersSpec {
    pub fn new(slot: u32, tables: impl Iterator<Item = (Arc<Table>, Vec<usize>)>) -> MembersSpec {
        MembersSpec { slot, tables: tables.map(|t| (t.0.oid, t)).collect() }
    }
    /// The table of this number that is not the named one.
    pub fn get(&self, oid: Oid) -> Option<&(Arc<Table>, Vec<usize>)> {
        self.tables.get(&oid)
    }
    pub fn each(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values().map(|t| &t.0)
    }
    /// The same for what the slot has.
    pub fn of_row(&self, table: &Datum) -> Option<&(Arc<Table>, Vec<usize>)> {
        if let Datum::Oid(oid) = table { self.get(*oid) } else { None }
    }
}

/// INSERT, UPDATE, DELETE, MERGE.
#[derive(Debug)]
pub struct ModifySpec {
    pub table: Arc<Table>,
    pub op: ModifyKind,
    /// (attnum - 1, slot) of the new (DELETE: old) row, for RETURNING.
    pub row_cols: Vec<(usize, u32)>,
    pub system: RowSystem<u32>,
    pub returning: Option<Vec<(Px, u32)>>,
    /// Slots that RETURNING's rows consist of.
    pub ret_slots: Vec<u32>,
    /// See [`crate::ir::Modify::checks`].
    pub checks: Vec<(String, Px)>,
    /// See [`crate::ir::Modify::guards`].
    pub guards: Vec<(String, Px)>,
    /// See [`crate::ir::Modify::uncounted`].
    pub uncounted: bool,
    pub members: Option<MembersSpec>,
}
#[derive(Debug)]
pub enum ModifyKind {
    Insert {
        /// (attnum - 1, source slot)
        columns: Vec<(usize, u32)>,
        /// (attnum - 1, default)
        defaults: Vec<(usize, Px)>,
        conflict: Option<ConflictSpec>,
    },
    Update {
        key: u32,
        old_cols: Vec<(usize, u32)>,
        set: Vec<(usize, Px)>,
        recheck: Option<Px>,
    },
    Delete {
        key: u32,
        old_cols: Vec<(usize, u32)>,
        recheck: Option<Px>,
    },
    Merge {
        /// The target's row; NULL: there is none.
        key: u32,
        old_cols: Vec<(usize, u32)>,
        on: Px,
        whens: Vec<MergeSpec>,
    },
}
impl ModifyKind {
    /// See [`crate::ir::ModifyOp::changes_nothing`].
    pub fn changes_nothing(&self) -> bool {
        matches!(self, ModifyKind::Merge { whens, .. } if whens.iter().all(|w| matches!(w.action, MergeKind::Nothing)))
    }
}
/// See [`crate::ir::MergeWhen`].
#[derive(Debug)]
pub struct MergeSpec {
    pub matched: bool,
    pub cond: Option<Px>,
    pub action: MergeKind,
    pub guards: GuardSpec,
}
/// See [`crate::ir::Guards`].
#[derive(Debug, Default)]
pub struct GuardSpec {
    pub old: Vec<(String, Px)>,
    pub new: Vec<(String, Px)>,
}
impl GuardSpec {
    pub fn each(&self) -> impl Iterator<Item = &Px> {
        self.old.iter().chain(&self.new).map(|g| &g.1)
    }
}
#[derive(Debug)]
pub enum MergeKind {
    Nothing,
    Update(Vec<(usize, Px)>),
    Delete,
    Insert(Vec<(usize, Px)>),
}
#[derive(Debug)]
pub struct ConflictSpec {
    pub arbiters: Vec<Oid>,
    /// What must hold of parameters for these to be the ones.
    pub asks: Vec<Px>,
    pub update: Option<ConflictUpdate>,
}
#[derive(Debug)]
pub struct ConflictUpdate {
    pub set: Vec<(usize, Px)>,
    pub cond: Option<Px>,
    /// See [`crate::ir::OnConflictUpdate::shown`].
    pub shown: Vec<(String, Px)>,
    pub guards: GuardSpec,
    pub old_cols: Vec<(usize, u32)>,
    pub excluded: Vec<(usize, u32)>,
}

/// A subquery inside an expression.
#[derive(Debug)]
pub struct SubPlan {
    pub node: PNode,
    pub kind: SubKind,
    /// Result slots.
    pub out: Vec<u32>,
    pub types: Vec<Type>,
    /// Reads columns of the query around it: runs again for each row.
    pub correlated: bool,
    /// The columns of the subquery that this is, for EXPLAIN.
    pub ids: Vec<ColId>,
    /// A correlated EXISTS or aggregate may be answered from a table of all its keys instead, once it has run often.
    pub hashed: Option<HashedSub>,
}
/// The rows of a subquery without the conditions that reach outside, told apart by what these compare: PostgreSQL's AlternativeSubPlan, but the choice
/// is made while it runs, by the number of evaluations so far. Of an EXISTS the keys are enough; of an aggregate (`SELECT 0.2 * avg(x) FROM t WHERE t.k = outside`)
/// there is a group for each key.
#[derive(Debug)]
pub struct HashedSub {
    pub node: PNode,
    /// Pairwise equal, inside and outside.
    pub inside: Vec<Px>,
    pub outside: Vec<Px>,
    pub types: Vec<Type>,
    /// Evaluations by `SubPlan::node` before the table is made.
    pub after: u64,
    /// An aggregate: where its value is, and the plan that gives it for no rows at all.
    pub value: Option<(u32, PNode)>,
}
#[derive(Debug)]
pub enum SubKind {
    Scalar,
    Exists,
    Any {
        left: Vec<Px>,
        ops: Vec<Fun>,
        /** a comparison of rows that is no equality: the operator, and each column's `<` (see [`crate::ir::RowOp`]) */
        rows: Option<(CmpOp, Vec<Fun>)>,
        all: bool,
        /** every operator is an equality of like types */
        hashable: bool,
    },
    Array(Oid),
    /// A record; shared: computed once per row of the modification.
    Row {
        shared: bool,
    },
}

/// A common table expression that is materialized.
#[derive(Debug)]
pub struct CtePlan {
    pub name: String,
    pub node: PNode,
    pub out: Vec<u32>,
    pub types: Vec<Type>,
    /// Data-modifying: runs to its end whether it is read or not.
    pub modifies: bool,
}

/// A statement that [`pamir_exec::run_fast`] can run without operators.
#[derive(Debug)]
pub enum Fast {
    /// SELECT columns WHERE full unique key = values.
    PointSelect { scan: Arc<ScanSpec>, cols: Vec<(usize, Type)> },
    /// SELECT columns over a range of the primary key, in its order.
    RangeSelect { scan: Arc<ScanSpec>, cols: Vec<(usize, Type)> },
    /// SELECT [DISTINCT] columns over a range of the primary key, sorted by some of its columns.
    SortedRange { scan: Arc<ScanSpec>, cols: Vec<(usize, Type)>, keys: Vec<FastKey>, distinct: bool },
    /// UPDATE / DELETE by full primary key.
    PointModify { scan: Arc<ScanSpec>, spec: Arc<ModifySpec> },
    /// INSERT of one VALUES row.
    InsertRow { values: Arc<ValuesSpec>, spec: Arc<ModifySpec> },
}

/// A sort key that is compared as it lies in the row.
#[derive(Clone, Copy, Debug)]
pub struct FastKey {
    /// Column (attnum - 1).
    pub col: usize,
    pub kind: RawKind,
    pub desc: bool,
    pub nulls_first: bool,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawKind {
    Bytes,
    /// Bytes without the blanks at the end.
    Padded,
    /// Little-endian, signed.
    Int,
}

/// A complete plan.
#[derive(Debug)]
pub struct Root {
    pub node: PNode,
    /// Result slots in order.
    pub out: Vec<u32>,
    pub types: Vec<Type>,
    pub nslots: usize,
    /// How many values are computed once ([`Px::Once`]).
    pub onces: u32,
    pub subs: Vec<SubPlan>,
    pub ctes: Vec<Option<CtePlan>>,
    pub nodes: usize,
    pub returns_rows: bool,
    pub fast: Option<Fast>,
    /// Column names by slot, for EXPLAIN: (relation alias, column).
    pub names: rustc_hash::FxHashMap<u32, (String, String)>,
    /// What slots hold that projections compute, for EXPLAIN (VERBOSE).
    pub computed: rustc_hash::FxHashMap<u32, Expr>,
    /// Types by slot, for spilling.
    pub slot_types: Vec<Type>,
}

impl std::fmt::Debug for TableExprs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TableExprs")
    }
}

/// The inputs of a node, by reference or mutably.
macro_rules! inputs {
    ($kind:expr) => {
        match $kind {
            Kind::Filter { input, .. }
            | Kind::Compute { input, .. }
            | Kind::ProjectSet { input, .. }
            | Kind::Materialize { input }
            | Kind::Agg { input, .. }
            | Kind::Sort { input, .. }
            | Kind::Ordered { input, .. }
            | Kind::Limit { input, .. }
            | Kind::Distinct { input, .. }
            | Kind::Window { input, .. }
            | Kind::Modify { input, .. }
            | Kind::With { input, .. }
            | Kind::LockRows { input, .. } => vec![input],
            Kind::NestLoop { left, right, .. }
            | Kind::HashJoin { left, right, .. }
            | Kind::SetOp { left, right, .. } => vec![left, right],
            Kind::RecursiveUnion { base, rec, .. } => vec![base, rec],
            Kind::SideBySide { items, .. } => items.into_iter().collect(),
            _ => vec![],
        }
    };
}
impl PNode {
    /// Inputs, in the order EXPLAIN prints them.
    pub fn inputs(&self) -> Vec<&PNode> {
        if let Kind::Append { arms, .. } = &self.kind {
            return arms.iter().collect();
        }
        inputs!(&self.kind)
    }
    fn inputs_mut(&mut self) -> Vec<&mut PNode> {
        match &mut self.kind {
            Kind::Append { arms, .. } => Arc::make_mut(arms).iter_mut().collect(),
            kind => inputs!(kind),
        }
    }
    /// Numbers the nodes of this tree from `next`.
    pub fn number(&mut self, next: &mut usize) {
        self.id = *next;
        *next += 1;
        self.inputs_mut().into_iter().for_each(|i| i.number(next));
    }
}
