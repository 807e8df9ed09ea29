//! INSERT, UPDATE, DELETE, MERGE.
use super::{At, Expr, IndexElement, Name, Relation, Select, Step, TableRef, Target, With};

#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    pub with: Option<With>,
    pub into: Relation,
    pub alias: Option<Name>,
    /// None: all, in order
    pub columns: Option<Vec<Place>>,
    pub overriding: Option<Overriding>,
    /// None: DEFAULT VALUES
    pub source: Option<Select>,
    pub on_conflict: Option<OnConflict>,
    pub returning: Vec<Target>,
}
/// A column, or a part of it, that is assigned to
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub column: Name,
    pub steps: Vec<Step>,
    pub at: At,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overriding {
    User,
    System,
}
#[derive(Clone, Debug, PartialEq)]
pub struct OnConflict {
    pub target: ConflictTarget,
    /// None: DO NOTHING
    pub update: Option<(Vec<Assignment>, Option<Expr>)>,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum ConflictTarget {
    Any,
    Index { elements: Vec<IndexElement>, filter: Option<Expr>, at: At },
    Constraint(Name, At),
}
/// `place = value` or `(places) = row`
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    pub places: Vec<Place>,
    /// Were there parentheses around the places?
    pub row: bool,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    pub with: Option<With>,
    pub table: Relation,
    pub alias: Option<Name>,
    pub set: Vec<Assignment>,
    pub from: Vec<TableRef>,
    pub filter: Option<Expr>,
    pub returning: Vec<Target>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    pub with: Option<With>,
    pub from: Relation,
    pub alias: Option<Name>,
    pub using: Vec<TableRef>,
    pub filter: Option<Expr>,
    pub returning: Vec<Target>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    pub with: Option<With>,
    pub into: Relation,
    pub alias: Option<Name>,
    pub using: TableRef,
    pub on: Expr,
    pub whens: Vec<MergeWhen>,
}
#[derive(Clone, Debug, PartialEq)]
pub struct MergeWhen {
    pub matched: bool,
    pub condition: Option<Expr>,
    pub action: MergeAction,
}
#[derive(Clone, Debug, PartialEq)]
pub enum MergeAction {
    Nothing,
    Update(Vec<Assignment>),
    Delete,
    Insert { columns: Option<Vec<Place>>, overriding: Option<Overriding>, values: Option<Vec<Expr>> },
}
