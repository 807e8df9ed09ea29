//! SELECT, VALUES, set operations, FROM.
use super::{At, Expr, Name, QualifiedName, Relation, SortBy, Statement, TypeName, Window};

/// A query with what goes around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    pub with: Option<With>,
    pub body: SelectBody,
    pub order_by: Vec<SortBy>,
    pub limit: Option<Expr>,
    /// `LIMIT ALL` is a limit of NULL, as in PostgreSQL.
    pub with_ties: bool,
    pub offset: Option<Expr>,
    pub locking: Vec<Locking>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum SelectBody {
    Select(Box<SelectCore>),
    Values(Vec<Vec<Expr>>),
    SetOp { op: SetOp, all: bool, left: Box<Select>, right: Box<Select> },
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    Union,
    Intersect,
    Except,
}
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SelectCore {
    pub distinct: Distinct,
    pub targets: Vec<Target>,
    pub into: Option<Box<Into>>,
    pub from: Vec<TableRef>,
    pub filter: Option<Expr>,
    pub group_by: Vec<GroupItem>,
    pub group_distinct: bool,
    pub having: Option<Expr>,
    pub windows: Vec<Window>,
}
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Distinct {
    #[default]
    All,
    Distinct,
    On(Vec<Expr>),
}
/// `expr [AS name]`
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub expr: Expr,
    pub name: Option<Name>,
    pub at: At,
}
/// SELECT INTO
#[derive(Clone, Debug, PartialEq)]
pub struct Into {
    pub relation: Relation,
    pub persistence: Persistence,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Persistence {
    #[default]
    Permanent,
    Unlogged,
    Temporary,
}
#[derive(Clone, Debug, PartialEq)]
pub enum GroupItem {
    Expr(Expr),
    /// `()`
    Empty(At),
    Rollup(Vec<Expr>, At),
    Cube(Vec<Expr>, At),
    Sets(Vec<GroupItem>, At),
}

#[derive(Clone, Debug, PartialEq)]
pub struct With {
    pub recursive: bool,
    pub ctes: Vec<Cte>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Cte {
    pub name: Name,
    pub columns: Vec<Name>,
    pub materialized: Option<bool>,
    pub query: Statement,
    pub search: Option<Search>,
    pub cycle: Option<Box<Cycle>>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    pub breadth_first: bool,
    pub columns: Vec<Name>,
    pub set: Name,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    pub columns: Vec<Name>,
    pub set: Name,
    pub mark: Expr,
    pub default: Expr,
    pub path: Name,
    pub at: At,
}

/// FOR UPDATE and its kin
#[derive(Clone, Debug, PartialEq)]
pub struct Locking {
    pub strength: Strength,
    /// Empty: all
    pub of: Vec<Relation>,
    pub wait: Wait,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    KeyShare,
    Share,
    NoKeyUpdate,
    Update,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wait {
    #[default]
    Block,
    SkipLocked,
    NoWait,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TableRef {
    pub kind: TableKind,
    pub alias: Option<Alias>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub name: Name,
    pub columns: Vec<Name>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TableKind {
    Relation(Relation, Option<Box<TableSample>>),
    Subquery {
        query: Box<Select>,
        lateral: bool,
    },
    /// One function, or several of ROWS FROM
    Functions {
        items: Vec<TableFunction>,
        rows_from: bool,
        lateral: bool,
        ordinality: bool,
        columns: Vec<ColumnType>,
    },
    Join(Box<Join>),
    XmlTable {
        table: Box<XmlTable>,
        lateral: bool,
    },
}
/// XMLTABLE(XMLNAMESPACES(...), path PASSING document COLUMNS ...)
#[derive(Clone, Debug, PartialEq)]
pub struct XmlTable {
    /// URIs and their prefixes; None: DEFAULT.
    pub namespaces: Vec<(Expr, Option<Name>)>,
    pub rows: Expr,
    pub document: Expr,
    pub columns: Vec<XmlColumn>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct XmlColumn {
    pub name: Name,
    /// None: FOR ORDINALITY.
    pub ty: Option<TypeName>,
    pub path: Option<Expr>,
    pub default: Option<Expr>,
    pub not_null: bool,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct TableFunction {
    /// A call or one of the special expressions (`current_date`)
    pub call: Expr,
    /// Of ROWS FROM: `AS (a int, b text)`
    pub columns: Vec<ColumnType>,
}
/// `name type [COLLATE c]` of record functions and composite types
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnType {
    pub name: Name,
    pub ty: TypeName,
    pub collation: Option<QualifiedName>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct TableSample {
    pub method: Vec<Name>,
    pub args: Vec<Expr>,
    pub repeatable: Option<Expr>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub kind: JoinKind,
    pub natural: bool,
    pub left: TableRef,
    pub right: TableRef,
    pub on: Option<Expr>,
    pub using: Vec<Name>,
    /// `USING (...) AS name`
    pub using_alias: Option<Name>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    /// Inner too, but its conditions are none
    Cross,
    Left,
    Right,
    Full,
}
