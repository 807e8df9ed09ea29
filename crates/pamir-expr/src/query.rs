//! What a query says, beside what it computes: the form that definitions of views are printed from.
//!
//! The bound tree ([`crate::ir::Rel`]) is algebra: it has forgotten which clauses there were, who had which alias and which join was written with USING. A binder that
//! is asked to keeps all that in a [`Record`], whose expressions are bound ones, as PostgreSQL's Query has them:
//!
//! ```text
//! SELECT o.id, sum(i.n) FROM o JOIN i USING (id) GROUP BY o.id
//!   Record.items   [o: columns 1, 2] [i: columns 3, 4] [join: id = column 1]
//!   Record.aggs    column 5 = sum(column 4)
//!   Query          targets [column 1, column 5], from [Join(0, 1, USING id)], group [column 1]
//! ```
//! [`crate::deparse::query_text`] prints it. Expressions are taken before grouping replaces them: an aggregate stands in them as its column.
//!
//! Invariants: a column belongs to one item, but those of an aliased join, which comes after what it joins and is found first.
use crate::ir::{AggCall, ColId, Expr, SortKey, WindowCall};
use pamir_catalog::depend::ObjectRef;
use pamir_types::{Oid, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinWord {
    Inner,
    Left,
    Right,
    Full,
}

/// All that the items of a statement are called.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub items: Vec<Item>,
    pub aggs: Vec<AggCall>,
    pub windows: Vec<(WindowCall, Over)>,
    pub grouping: Vec<(ColId, Vec<Expr>)>,
    /// `rank(1) WITHIN GROUP (ORDER BY a)` and its like, which are bound to counts.
    pub hypothetical: Vec<Hypothetical>,
    /// CASE expressions that were written with an operand, as they print for debugging, and the operand.
    pub cases: Vec<(String, Expr)>,
    /// `x COLLATE c`, which is bound to a cast of `x` to its own type: how that prints for debugging, and the collation.
    pub collations: Vec<(String, String)>,
    /// The queries of subqueries in expressions, by [`crate::ir::Subquery::number`].
    pub subqueries: Vec<Query>,
    /// Relations, columns and functions that it names.
    pub depends: Vec<ObjectRef>,
}
/// A hypothetical-set aggregate: the value of each key that the row would have.
#[derive(Clone, Debug)]
pub struct Hypothetical {
    pub id: ColId,
    pub name: String,
    pub direct: Vec<Expr>,
    pub keys: Vec<SortKey>,
    pub filter: Option<Expr>,
}
/// TABLESAMPLE: the method, its share in percent, REPEATABLE.
#[derive(Clone, Debug)]
pub struct Sample {
    pub method: String,
    pub percent: Expr,
    pub seed: Option<Expr>,
}
/// Something of FROM that names columns.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    /// As written.
    pub alias: Option<String>,
    /// The alias's list of columns, as written.
    pub renamed: bool,
    pub cols: Vec<(String, Expr)>,
    /// Of a relation or a join: the names that its alias gives the columns, where they are not their own.
    pub written: Vec<Option<String>>,
    /// tableoid, ctid and the like.
    pub system: Vec<(&'static str, ColId)>,
    pub lateral: bool,
    pub sample: Option<Sample>,
}
#[derive(Clone, Debug)]
pub enum ItemKind {
    Relation {
        oid: Oid,
        attnums: Vec<i16>,
        only: bool,
    },
    Cte(String),
    Query(Box<Query>),
    /// `unnest`: they are one UNNEST's of several arrays.
    Functions {
        calls: Vec<(Expr, Vec<Defined>)>,
        unnest: bool,
        ordinality: bool,
        defined: Vec<Defined>,
        /// Of functions that give a table's rows: which column of the table each column is.
        places: Vec<Option<(Oid, i16)>>,
    },
    /// What an alias of a join, or USING, names.
    Join,
}
/// `name type` of a function that returns records.
#[derive(Clone, Debug)]
pub struct Defined {
    pub name: String,
    pub ty: Type,
}
/// A column of USING: its name as written, and what it is on either side.
#[derive(Clone, Debug)]
pub struct Shared {
    pub name: String,
    pub left: Expr,
    pub right: Expr,
}
/// FROM's tree; numbers are places in [`Record::items`].
#[derive(Clone, Debug)]
pub enum From {
    Item(usize),
    Join {
        kind: JoinWord,
        left: Box<From>,
        right: Box<From>,
        on: Option<Expr>,
        using: Vec<Shared>,
        /// The item whose columns are those of USING.
        shared: Option<usize>,
        /// `USING (a) AS x`
        using_alias: Option<String>,
        /// The item of the join's alias.
        alias: Option<usize>,
    },
}
#[derive(Clone, Debug)]
pub enum Over {
    Named(String),
    /// (the window it is made from, whether its order is that one's)
    Spec {
        base: Option<String>,
        copied_order: bool,
    },
}
/// INSERT, UPDATE or DELETE as an action of a rule. The last of the record's items is the target.
#[derive(Clone, Debug)]
pub struct Change {
    pub modify: crate::ir::Modify,
    /// What an INSERT selects.
    pub query: Option<Query>,
    pub record: Record,
}
#[derive(Clone, Debug)]
pub struct Query {
    pub recursive: bool,
    pub with: Vec<With>,
    pub body: Body,
    pub order_by: Vec<Sort>,
    pub limit: Option<Expr>,
    pub offset: Option<Expr>,
    pub with_ties: bool,
    /// Row locks: the clause, and of which item.
    pub locks: Vec<(String, usize)>,
    /// The items that its own FROM has, in their order, and its columns' names.
    pub items: Vec<usize>,
    pub columns: Vec<String>,
}
#[derive(Clone, Debug)]
pub struct With {
    pub name: String,
    pub columns: Vec<String>,
    pub materialized: Option<bool>,
    pub query: Query,
}
#[derive(Clone, Debug)]
pub enum Body {
    Select(Box<Select>),
    Values(Vec<Vec<Expr>>),
    SetOp { op: crate::ir::SetOp, all: bool, left: Box<Query>, right: Box<Query> },
}
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// None: no DISTINCT; of DISTINCT ON the expressions.
    pub distinct: Option<Vec<Expr>>,
    pub targets: Vec<(Expr, String)>,
    pub from: Vec<From>,
    pub filter: Option<Expr>,
    pub group: Vec<Group>,
    pub group_distinct: bool,
    pub having: Option<Expr>,
    pub windows: Vec<(String, Over, Option<WindowCall>)>,
}
#[derive(Clone, Debug)]
pub enum Group {
    Expr(Expr),
    Empty,
    List(Vec<Expr>),
    Rollup(Vec<Group>),
    Cube(Vec<Group>),
    Sets(Vec<Group>),
}
/// A key of ORDER BY: of a set operation or VALUES the number of a column.
#[derive(Clone, Debug)]
pub struct Sort {
    pub e: Expr,
    pub number: Option<usize>,
    pub desc: bool,
    pub nulls_first: bool,
}
