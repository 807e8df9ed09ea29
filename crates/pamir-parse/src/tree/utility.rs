//! Statements that neither ask nor define.
use super::*;

#[derive(Clone, Debug, PartialEq)]
pub enum Transaction {
    Begin(Vec<TransactionMode>),
    Start(Vec<TransactionMode>),
    Commit { chain: bool },
    Rollback { chain: bool },
    Savepoint(Name),
    Release(Name),
    RollbackTo(Name),
    Prepare(String),
    CommitPrepared(String),
    RollbackPrepared(String),
}
#[derive(Clone, Debug, PartialEq)]
pub enum TransactionMode {
    /// As PostgreSQL spells it: `read committed`
    Isolation(&'static str, At),
    ReadOnly(bool, At),
    Deferrable(bool, At),
}
/// SET and RESET
#[derive(Clone, Debug, PartialEq)]
pub struct SetStatement {
    pub local: bool,
    /// Written as RESET
    pub reset: bool,
    pub what: Setting,
}
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    Value {
        name: Name,
        values: Vec<SetValue>,
    },
    /// TO DEFAULT, and RESET
    Default(Name),
    FromCurrent(Name),
    ResetAll,
    /// SET TRANSACTION
    Transaction(Vec<TransactionMode>),
    SessionCharacteristics(Vec<TransactionMode>),
    Snapshot(String),
}
#[derive(Clone, Debug, PartialEq)]
pub enum SetValue {
    Integer(i32),
    Float(String),
    String(String),
    /// Of TIME ZONE: an interval's text and its fields
    Interval(String, Option<IntervalFields>, Option<i32>),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Explain {
    pub statement: Statement,
    pub options: Vec<DefElem>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Prepare {
    pub name: Name,
    pub types: Vec<TypeName>,
    pub statement: Statement,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Execute {
    pub name: Name,
    pub args: Vec<Expr>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Declare {
    pub name: Name,
    pub binary: bool,
    pub scroll: Option<bool>,
    pub hold: bool,
    pub sensitivity: Option<Sensitivity>,
    /// Two words that exclude each other were said, which the analysis tells of.
    pub conflict: Option<(&'static str, &'static str)>,
    pub query: Select,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    Insensitive,
    Asensitive,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    pub cursor: Name,
    pub direction: Direction,
    pub is_move: bool,
}
/// [`Direction::ALL`] stands for ALL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward(i64),
    Backward(i64),
    Absolute(i64),
    Relative(i64),
}
impl Direction {
    pub const ALL: i64 = i64::MAX;
}
#[derive(Clone, Debug, PartialEq)]
pub struct Copy {
    pub source: CopySource,
    pub to: bool,
    pub target: CopyTarget,
    pub options: Vec<DefElem>,
    pub filter: Option<Expr>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum CopySource {
    Table(Relation, Vec<Name>),
    Query(Statement),
}
#[derive(Clone, Debug, PartialEq)]
pub enum CopyTarget {
    /// STDIN or STDOUT
    Client,
    File(String),
    Program(String),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Truncate {
    pub tables: Vec<Relation>,
    pub restart_identity: bool,
    pub behavior: DropBehavior,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub on: Object,
    pub text: Option<String>,
    /// SECURITY LABEL: its provider, if one was said
    pub label: Option<Option<String>>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    pub tables: Vec<Relation>,
    pub mode: LockMode,
    pub nowait: bool,
}
/// Table locks, in the order of their strength
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockMode {
    AccessShare,
    RowShare,
    RowExclusive,
    ShareUpdateExclusive,
    Share,
    ShareRowExclusive,
    Exclusive,
    AccessExclusive,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Vacuum {
    /// VACUUM, and not ANALYZE alone
    pub vacuum: bool,
    pub options: Vec<DefElem>,
    pub tables: Vec<(Relation, Vec<Name>)>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    pub table: Option<Relation>,
    pub index: Option<Name>,
    pub options: Vec<DefElem>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Reindex {
    pub what: ReindexWhat,
    pub concurrently: bool,
    pub options: Vec<DefElem>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum ReindexWhat {
    Index(Relation),
    Table(Relation),
    Schema(Name),
    System(Name),
    Database(Name),
}
#[derive(Clone, Debug, PartialEq)]
pub struct Refresh {
    pub view: Relation,
    pub concurrently: bool,
    pub with_data: bool,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discard {
    All,
    Plans,
    Sequences,
    Temp,
}
