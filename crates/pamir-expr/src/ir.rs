//! The bound form of statements: every name resolved, every expression typed, every cast explicit.
//!
//! Columns are named by [`ColId`]s, unique within one statement, so that correlation, reordering and push-down need no renaming: an expression is correlated
//! exactly when it uses a ColId that its input does not produce.
use crate::func::{AggregateRef, FunctionRef};
use pamir_catalog::Table;
use pamir_catalog::system::VirtualTable;
use pamir_txn::{RowLock, WaitPolicy};
use pamir_types::{Datum, Oid, Type};
use std::sync::Arc;

/// A column of some relation in this statement.
pub type ColId = u32;

#[derive(Clone, Debug)]
pub enum Expr {
    Const(Datum, Type),
    Col(ColId, Type),
    /// `$n`, zero-based.
    Param(u16, Type),
    /// Any function or operator. The arguments are cast to what `f` takes.
    Call {
        f: FunctionRef,
        args: Vec<Expr>,
        ty: Type,
    },
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
    IsNull(Box<Expr>, /** IS NOT NULL */ bool),
    /// IS [NOT] TRUE / FALSE / UNKNOWN (None = UNKNOWN).
    IsBool(Box<Expr>, Option<bool>, /** negated */ bool),
    /// `eq` is the equality function of the common type.
    IsDistinct {
        eq: FunctionRef,
        left: Box<Expr>,
        right: Box<Expr>,
        negated: bool,
    },
    /// Searched CASE (a simple CASE is bound to comparisons).
    Case {
        whens: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
        ty: Type,
    },
    Coalesce(Vec<Expr>, Type),
    NullIf {
        eq: FunctionRef,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// GREATEST (true) / LEAST; NULLs are ignored.
    Extreme(Vec<Expr>, /** greatest */ bool, Type),
    /// A conversion. `f` None: binary-coercible relabelling. `Text I/O` conversions are functions too.
    Cast {
        e: Box<Expr>,
        f: CastHow,
        ty: Type,
        /** written by the user */
        explicit: bool,
    },
    /// `e IN (list)` with a common type; `eq` compares. NOT IN is Not of it.
    InList {
        eq: FunctionRef,
        e: Box<Expr>,
        /// Shared: it may be long, and planning copies conditions.
        list: Arc<Vec<Expr>>,
    },
    /// `left op ANY/ALL (array)`.
    AnyAll {
        op: FunctionRef,
        left: Box<Expr>,
        array: Box<Expr>,
        all: bool,
    },
    Array(Vec<Expr>, /** array type */ Type),
    Row(Vec<Expr>),
    /// Row comparison (a,b) < (c,d): op over pairs, lexicographic. `op`: one of = <> < <= > >=.
    RowCompare {
        op: CmpOp,
        pairs: Vec<(Expr, Expr)>,
        /** equality function per pair */
        eqs: Vec<FunctionRef>,
        /** less-than function per pair */
        lts: Vec<FunctionRef>,
    },
    Subscript {
        array: Box<Expr>,
        index: Vec<Expr>,
        ty: Type,
    },
    Field {
        record: Box<Expr>,
        index: usize,
        ty: Type,
    },
    /// Shared: subqueries nest deep, and every relation around one would copy all of it.
    Subquery(Arc<Subquery>),
    /// The proposed row of ON CONFLICT DO UPDATE and system columns are plain Cols.
    Default,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}
impl CmpOp {
    /// The same comparison with its sides exchanged.
    pub fn flipped(self) -> CmpOp {
        match self {
            CmpOp::Lt => CmpOp::Gt,
            CmpOp::Le => CmpOp::Ge,
            CmpOp::Gt => CmpOp::Lt,
            CmpOp::Ge => CmpOp::Le,
            op => op,
        }
    }
}

#[derive(Clone, Debug)]
pub enum CastHow {
    /// Same representation; only the type changes.
    Relabel,
    Func(FunctionRef),
    /// Through the text form: output of the source type, input of the target.
    ViaText,
    /// Length / precision coercion to the target's typmod only (varchar(n), numeric(p,s), timestamp(p)).
    Typmod,
    /// Element by element.
    Array(Box<CastHow>),
    /// The row of a child, or of a table of a type, as one of its parent's, or of that type: which of its fields each field is.
    Row(std::sync::Arc<[usize]>),
    /// Same representation; the value must hold what the target, or a domain in it, asks ([`crate::domains`]).
    Domain,
}

#[derive(Clone, Debug)]
pub struct Subquery {
    pub kind: SubqueryKind,
    pub rel: Rel,
    /// ColIds used inside and produced outside
    pub outer: Vec<ColId>,
    pub ty: Type,
    /// Its query's number in the statement's record ([`crate::query::Record`]); 0: there is none.
    pub number: u32,
}
/// How several columns compare with a row of a subquery, but for equality: `<>` by the columns' own operators, an order by their equalities
/// and, where these do not hold, by `less` of the first such pair.
#[derive(Clone, Debug)]
pub struct RowOp {
    pub op: CmpOp,
    pub less: Vec<FunctionRef>,
}
#[derive(Clone, Debug)]
pub enum SubqueryKind {
    /// One column, at most one row (21000 `more than one row returned by a subquery used as an expression`).
    Scalar,
    Exists,
    /// `left op ANY (subquery)`; IN is `= ANY`; several columns compare as a row.
    Any {
        left: Vec<Expr>,
        ops: Vec<FunctionRef>,
        rows: Option<RowOp>,
    },
    All {
        left: Vec<Expr>,
        ops: Vec<FunctionRef>,
        rows: Option<RowOp>,
    },
    /// ARRAY(subquery)
    Array,
    /// At most one row, as a record: SET (a, b) = (SELECT ...), whose uses for one row of the statement share one run; `(a, b) = (SELECT ...)`.
    Row {
        shared: bool,
    },
}

#[derive(Clone, Debug)]
pub struct OutCol {
    pub id: ColId,
    pub name: String,
    pub ty: Type,
    /// (table OID, attnum) when it is a plain column: for RowDescription
    pub origin: Option<(Oid, i16)>,
}

#[derive(Clone, Debug)]
pub struct SortKey {
    pub e: Expr,
    pub desc: bool,
    pub nulls_first: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    /** produced by the optimizer */
    Semi,
    Anti,
    Cross,
}

/// A relational expression. `cols()` of each are the ColIds it produces.
#[derive(Clone, Debug)]
pub enum Rel {
    /// One row without columns (SELECT 1).
    One,
    /// `cols[i]` is (attnum, ColId) of each column the statement may use. `key` is a hidden column that holds the row's key bytes (Bytea): DML targets, FOR UPDATE, and `ctid`.
    Table {
        table: Arc<Table>,
        alias: String,
        cols: Vec<(i16, OutCol)>,
        key: Option<ColId>,
        tableoid: Option<ColId>,
        lock: Option<(RowLock, WaitPolicy)>,
        /// The tables at the lowest level whose rows a partitioned table has, in the order of their bounds.
        parts: Option<Arc<Vec<Arc<Table>>>>,
    },
    Virtual {
        table: &'static VirtualTable,
        alias: String,
        cols: Vec<(usize, OutCol)>,
    },
    Values {
        rows: Vec<Vec<Expr>>,
        cols: Vec<OutCol>,
    },
    /// A set-returning function in FROM. `ordinality`: WITH ORDINALITY's column.
    FunctionScan {
        f: FunctionRef,
        args: Vec<Expr>,
        cols: Vec<OutCol>,
        ordinality: Option<OutCol>,
    },
    /// ROWS FROM: items of functions in step; those that have ended give NULLs until all have.
    SideBySide {
        items: Vec<Rel>,
        ordinality: Option<OutCol>,
    },
    Join {
        kind: JoinKind,
        left: Box<Rel>,
        right: Box<Rel>,
        on: Option<Expr>,
        /** right may use left's columns */
        lateral: bool,
    },
    Filter {
        input: Box<Rel>,
        cond: Expr,
    },
    /// Rows of a table that row level security lets somebody see, or those of a view behind a security barrier. Of what is asked from above only that goes below which tells nothing of the rows that are left out.
    Secured {
        input: Box<Rel>,
        cond: Expr,
    },
    /// New columns computed; the input's columns are gone unless listed as `Expr::Col`. Set-returning functions may stand at the top of an expression (ProjectSet).
    Project {
        input: Box<Rel>,
        exprs: Vec<(Expr, OutCol)>,
    },
    /// No group keys and no aggregates in `groups` = one row. `sets`: GROUPING SETS as index lists into `groups` (empty: plain GROUP BY).
    Aggregate {
        input: Box<Rel>,
        groups: Vec<(Expr, OutCol)>,
        aggs: Vec<AggCall>,
        sets: Vec<Vec<usize>>,
    },
    Sort {
        input: Box<Rel>,
        keys: Vec<SortKey>,
    },
    Limit {
        input: Box<Rel>,
        limit: Option<Expr>,
        offset: Option<Expr>,
        with_ties: bool,
    },
    /// DISTINCT (`on` None: all columns) / DISTINCT ON.
    Distinct {
        input: Box<Rel>,
        on: Option<Vec<Expr>>,
    },
    /// `cols` line up with both sides' output columns by position (types already made equal).
    SetOp {
        op: SetOp,
        all: bool,
        left: Box<Rel>,
        right: Box<Rel>,
        cols: Vec<OutCol>,
    },
    /// Reads CTE number `cte` of the statement; `cols[i]` renames its i-th output column. `varies`: it stands in a [`Rel::With`], whose column of
    /// that name nobody computes: reading it is reading something outside.
    CteScan {
        cte: usize,
        cols: Vec<OutCol>,
        varies: Option<ColId>,
    },
    /// CTEs that depend on a row outside (or on a recursion's round): computed anew whenever `input` starts. All others stand in the statement's list.
    With {
        input: Box<Rel>,
        defs: Vec<WithDef>,
    },
    /// WITH RECURSIVE's working table.
    WorkTable {
        cte: usize,
        cols: Vec<OutCol>,
    },
    /// Data-modifying statement with RETURNING used as a relation (WITH x AS (INSERT ... RETURNING)).
    Modify(Box<Modify>, Vec<OutCol>),
    /// Window functions over an input; each adds its column.
    Window {
        input: Box<Rel>,
        calls: Vec<WindowCall>,
    },
    /// SELECT ... FOR UPDATE etc. at top level: locks the rows of the tables whose `lock` is set, by their `key` columns, after filtering and sorting, before LIMIT.
    LockRows {
        input: Box<Rel>,
        targets: Vec<LockTarget>,
    },
}
#[derive(Clone, Debug)]
pub struct LockTarget {
    pub table: Arc<Table>,
    pub key: ColId,
    pub mode: RowLock,
    pub wait: WaitPolicy,
    pub cols: Vec<(i16, ColId)>,
    /// The tables that inherit from it, whose rows are among those read.
    pub members: Option<Members>,
}
/// The tables that inherit from one that a statement changes or locks rows of, and the column that says of a row in which table it is. They have
/// its columns, by their names.
#[derive(Clone, Debug)]
pub struct Members {
    pub tableoid: ColId,
    pub tables: Vec<Arc<Table>>,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOp {
    Union,
    Intersect,
    Except,
}

#[derive(Clone, Debug)]
pub struct AggCall {
    pub f: AggregateRef,
    pub args: Vec<Expr>,
    pub distinct: bool,
    pub order_by: Vec<SortKey>,
    pub filter: Option<Expr>,
    pub out: OutCol,
}
/// A window function, or an aggregate over the window's frame.
#[derive(Clone, Debug)]
pub enum WindowFn {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    Lag,
    Lead,
    FirstValue,
    LastValue,
    NthValue,
    Agg(AggregateRef),
}
#[derive(Clone, Debug)]
pub struct WindowCall {
    pub f: WindowFn,
    pub args: Vec<Expr>,
    pub filter: Option<Expr>,
    pub partition_by: Vec<Expr>,
    pub order_by: Vec<SortKey>,
    pub frame: Frame,
    pub out: OutCol,
}
/// The rows of the partition that a call sees from each row.
#[derive(Clone, Debug)]
pub struct Frame {
    pub units: FrameUnits,
    pub start: FrameBound,
    pub end: FrameBound,
    pub exclude: Exclude,
    /// RANGE with an offset: the ordering column in the type of the bounds' values.
    pub key: Option<Expr>,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameUnits {
    Rows,
    Range,
    Groups,
}
#[derive(Clone, Debug)]
pub enum FrameBound {
    /// As the start: UNBOUNDED PRECEDING; as the end: UNBOUNDED FOLLOWING.
    Unbounded,
    Current,
    /// `value`: for RANGE, what the ordering column is compared with.
    Offset {
        e: Expr,
        following: bool,
        value: Option<Expr>,
    },
}
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Exclude {
    #[default]
    NoOthers,
    CurrentRow,
    Group,
    Ties,
}
impl WindowCall {
    pub fn exprs(&self, f: &mut dyn FnMut(&Expr)) {
        self.args.iter().chain(&self.filter).chain(&self.partition_by).for_each(&mut *f);
        self.order_by.iter().for_each(|k| f(&k.e));
        self.frame.key.iter().for_each(&mut *f);
        for b in [&self.frame.start, &self.frame.end] {
            if let FrameBound::Offset { e, value, .. } = b {
                f(e);
                value.iter().for_each(&mut *f);
            }
        }
    }
    pub fn exprs_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.args.iter_mut().chain(&mut self.filter).chain(&mut self.partition_by).for_each(&mut *f);
        self.order_by.iter_mut().for_each(|k| f(&mut k.e));
        self.frame.key.iter_mut().for_each(&mut *f);
        for b in [&mut self.frame.start, &mut self.frame.end] {
            if let FrameBound::Offset { e, value, .. } = b {
                f(e);
                value.iter_mut().for_each(&mut *f);
            }
        }
    }
}

/// `materialize`: MATERIALIZED written, or referenced more than once. `recursive`: body is SetOp(Union) of a base and a part with WorkTable.
#[derive(Clone, Debug)]
pub struct Cte {
    pub name: String,
    pub rel: Rel,
    pub cols: Vec<OutCol>,
    pub recursive: bool,
    pub materialize: bool,
}

/// A CTE of a [`Rel::With`], in the statement's place `index`.
#[derive(Clone, Debug)]
pub struct WithDef {
    pub index: usize,
    pub mark: ColId,
    pub cte: Cte,
}

/// INSERT, UPDATE, DELETE. The source produces what is needed per affected row.
#[derive(Clone, Debug)]
pub struct Modify {
    pub table: Arc<Table>,
    pub op: ModifyOp,
    /// RETURNING; its expressions see the row's new (for DELETE old) columns through `row_cols`, and the source's other columns.
    pub returning: Option<Vec<(Expr, OutCol)>>,
    /// ColIds that stand for the target row's columns in RETURNING, CHECKs and ON CONFLICT (attnum, ColId).
    pub row_cols: Vec<(i16, ColId)>,
    /// The system columns that RETURNING may name.
    pub system: RowSystem<ColId>,
    /// What the views that the row was written through ask of it, innermost first.
    pub checks: Vec<ViewCheck>,
    /// What policies ask of a row before it is written.
    pub guards: Vec<RowGuard>,
    /// Its rows do not count: a rule put it in the place of another command.
    pub uncounted: bool,
    /// The tables that inherit from it, whose rows are changed as well.
    pub members: Option<Members>,
}
/// A view's condition on a row: of its WITH CHECK OPTION, or for it to be seen through the view.
#[derive(Clone, Debug)]
pub struct ViewCheck {
    pub view: String,
    /// Over [`Modify::row_cols`], or [`OnConflictUpdate::old_cols`].
    pub cond: Expr,
}
/// What policies of row level security ask of a row, and the error for one of which it does not hold.
#[derive(Clone, Debug)]
pub struct RowGuard {
    pub message: String,
    /// Over [`Modify::row_cols`], or over the columns of the row that is there.
    pub cond: Expr,
}
/// What policies ask where one statement may do several things with a row: of the row that is there, and of what it becomes.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    pub old: Vec<RowGuard>,
    pub new: Vec<RowGuard>,
}
/// Columns that tell of a written row what its columns do not.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSystem<C> {
    /// Where the new (for DELETE old) row is.
    pub ctid: Option<C>,
    /// This transaction's number for a row that was there before and was changed by ON CONFLICT or deleted, else 0: so `xmax = 0` tells that a row
    /// was inserted. PostgreSQL's rows have the same there.
    pub xmax: Option<C>,
    /// The table that the row is in.
    pub tableoid: Option<C>,
}
impl<C: Copy> RowSystem<C> {
    pub fn map<D>(self, f: impl Fn(C) -> D) -> RowSystem<D> {
        RowSystem { ctid: self.ctid.map(&f), xmax: self.xmax.map(&f), tableoid: self.tableoid.map(&f) }
    }
    pub fn each(self) -> impl Iterator<Item = C> {
        self.ctid.into_iter().chain(self.xmax).chain(self.tableoid)
    }
}
/// One WHEN of MERGE: the first whose condition holds is a row's.
#[derive(Clone, Debug)]
pub struct MergeWhen {
    pub matched: bool,
    pub cond: Option<Expr>,
    pub action: MergeAction,
    pub guards: Guards,
}
#[derive(Clone, Debug)]
pub enum MergeAction {
    Nothing,
    Update(Vec<(i16, Expr)>),
    Delete,
    /// Values and defaults of columns; the others are NULL, or computed.
    Insert(Vec<(i16, Expr)>),
}
#[derive(Clone, Debug)]
pub enum ModifyOp {
    /// `source`: the data source joined with the target, whose `key` is NULL where it has no row. `on`: the join's condition, evaluated again on a row
    /// that changed meanwhile.
    Merge {
        source: Rel,
        key: ColId,
        old_cols: Vec<(i16, ColId)>,
        on: Expr,
        whens: Vec<MergeWhen>,
    },
    /// `columns[i]` (attnum) takes the source's i-th column; others their default. `overriding`: None, Some(true) = SYSTEM VALUE, Some(false) = USER VALUE. `Expr::Default` may stand in VALUES rows.
    Insert {
        source: Rel,
        columns: Vec<i16>,
        /** bound default expression of every other column (attnum) */
        defaults: Vec<(i16, Expr)>,
        on_conflict: Option<OnConflict>,
    },
    /// `source` contains Rel::Table for the target with `key` set and all columns in `row_cols_old`; joins and filters above it.
    /// `recheck`: the conditions that involve the target, to be re-evaluated on a row that changed meanwhile (READ COMMITTED).
    Update {
        source: Rel,
        key: ColId,
        old_cols: Vec<(i16, ColId)>,
        set: Vec<(i16, Expr)>,
        recheck: Option<Expr>,
    },
    Delete {
        source: Rel,
        key: ColId,
        old_cols: Vec<(i16, ColId)>,
        recheck: Option<Expr>,
    },
}
#[derive(Clone, Debug)]
pub struct OnConflict {
    /// The arbiter indexes (empty with DO NOTHING: any).
    pub arbiters: Vec<Oid>,
    /// What must hold of parameters for these to be the ones: `WHERE kind = $1`, where the index says `kind = 'main'`.
    pub asks: Vec<Expr>,
    /// None: DO NOTHING.
    pub update: Option<OnConflictUpdate>,
}
/// `excluded` are the proposed row's ColIds, `old_cols` the existing row's.
#[derive(Clone, Debug)]
pub struct OnConflictUpdate {
    pub set: Vec<(i16, Expr)>,
    pub cond: Option<Expr>,
    /// What the existing row must be, whether it is changed or not, to be met through views.
    pub shown: Vec<ViewCheck>,
    pub guards: Guards,
    pub old_cols: Vec<(i16, ColId)>,
    pub excluded: Vec<(i16, ColId)>,
}

/// A bound query or data modification.
#[derive(Clone, Debug)]
pub struct BoundStatement {
    pub kind: BoundKind,
    pub ctes: Vec<Cte>,
    /// Result columns; empty when the statement returns no rows.
    pub output: Vec<OutCol>,
    /// Types of $1.. (as declared or inferred).
    pub params: Vec<Type>,
    pub next_col: ColId,
    /// Every table used with the lock its use takes, for locking and plan invalidation.
    pub tables: Vec<(Arc<Table>, pamir_txn::TableLock)>,
    /// Changes no row and locks none: may run in a read-only transaction.
    pub read_only: bool,
    /// It calls functions that may change or lock something ([`crate::func::Function::has_effects`]).
    pub effects: bool,
    /// The privileges it needs.
    pub uses: Vec<pamir_catalog::acl::Use>,
    /// A constant of it has no value (class 22): no plan can be made of it, though it can be prepared and described.
    pub failed: Option<pamir_types::Error>,
    /// About how many bytes the constants have that were computed when it was bound.
    pub folded: usize,
    /// The other statements that rules make of it, in their order; true: before it.
    pub beside: Vec<(bool, BoundStatement)>,
}
#[derive(Clone, Debug)]
pub enum BoundKind {
    Select(Rel),
    Modify(Modify),
}

impl ModifyOp {
    /// A MERGE whose actions are all DO NOTHING.
    pub fn changes_nothing(&self) -> bool {
        matches!(self, ModifyOp::Merge { whens, .. } if whens.iter().all(|w| matches!(w.action, MergeAction::Nothing)))
    }
}

impl Expr {
    pub fn ty(&self) -> Type {
        match self {
            Expr::Const(_, t)
            | Expr::Col(_, t)
            | Expr::Param(_, t)
            | Expr::Coalesce(_, t)
            | Expr::Extreme(_, _, t)
            | Expr::Array(_, t) => *t,
            Expr::Call { ty, .. }
            | Expr::Case { ty, .. }
            | Expr::Cast { ty, .. }
            | Expr::Subscript { ty, .. }
            | Expr::Field { ty, .. } => *ty,
            Expr::NullIf { left, .. } => left.ty(),
            Expr::Subquery(s) => s.ty,
            Expr::Row(_) => Type::new(pamir_types::oid::RECORD),
            Expr::Default => Type::UNKNOWN,
            _ => Type::BOOL,
        }
    }
}
