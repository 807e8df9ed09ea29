//! The syntax tree: what a statement says, before anything is looked up.
//!
//! It has the shape of PostgreSQL's raw parse trees (parsenodes.h), so that its documentation and its analysis can be followed: types of the standard's own
//! spelling are names in `pg_catalog` (`integer` is `pg_catalog.int4`), special syntax of functions is a call of the function (`position(a in b)` calls
//! `pg_catalog.position(b, a)`) that remembers how it was written, `TABLE t` is `SELECT * FROM t`, AND and OR are lists, parentheses are gone.
//!
//! Places ([`At`]) are bytes of the statement's text. Names are folded and cut.
//!
//! *Invariant*: plain data. Nothing here knows a catalog, a session or a value's type.
mod ddl;
mod dml;
mod expr;
mod query;
mod tag;
mod utility;

pub use ddl::*;
pub use dml::*;
pub use expr::*;
pub use query::*;
pub use utility::*;

/// A byte of the statement's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct At(pub u32);
impl At {
    /// Of what was not written.
    pub const NOWHERE: At = At(u32::MAX);
}

/// An identifier as it is looked up.
pub type Name = String;

/// `a.b.c`
#[derive(Clone, Debug, PartialEq)]
pub struct QualifiedName {
    pub parts: Vec<Name>,
    pub at: At,
}

/// `[catalog.][schema.]relation`, with ONLY or not
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    pub parts: Vec<Name>,
    /// Without the tables that inherit from it
    pub only: bool,
    pub at: At,
}

/// A role: by name or by what it is to the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    Named(Name),
    Public,
    CurrentRole,
    CurrentUser,
    SessionUser,
}
#[derive(Clone, Debug, PartialEq)]
pub struct RoleSpec {
    pub role: Role,
    pub at: At,
}

/// RESTRICT, what is meant where nothing is said, or CASCADE
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DropBehavior {
    #[default]
    Restrict,
    Cascade,
}

/// A name and what it is set to, as `WITH (fillfactor = 70)` and the options of many statements have them (PostgreSQL's DefElem).
#[derive(Clone, Debug, PartialEq)]
pub struct DefElem {
    pub namespace: Option<Name>,
    pub name: Name,
    /// None: nothing was said.
    pub value: Option<DefValue>,
    pub action: DefAction,
    pub at: At,
}
#[derive(Clone, Debug, PartialEq)]
pub enum DefValue {
    Integer(i32),
    /// A number that is no `Integer`: its text, with a sign
    Float(String),
    /// A string, or a word that stands for one
    String(String),
    Type(TypeName),
    /// An operator's name, qualified or not
    Operator(Vec<Name>),
    Star,
    List(Vec<DefValue>),
    Bool(bool),
}
/// What ALTER ... OPTIONS does with it
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DefAction {
    #[default]
    None,
    Set,
    Add,
    Drop,
}

/// A statement of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Select(Box<Select>),
    Insert(Box<Insert>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    Merge(Box<Merge>),
    Transaction(Transaction),
    Set(Box<SetStatement>),
    Show(Name),
    Explain(Box<Explain>),
    Prepare(Box<Prepare>),
    Execute(Box<Execute>),
    /// None: all
    Deallocate(Option<Name>),
    Declare(Box<Declare>),
    Fetch(Fetch),
    /// None: all
    Close(Option<Name>),
    Copy(Box<Copy>),
    Create(Box<Create>),
    Alter(Box<Alter>),
    Drop(Box<Drop>),
    Truncate(Box<Truncate>),
    Comment(Box<Comment>),
    Grant(Box<Grant>),
    GrantRole(Box<GrantRole>),
    Reassign {
        from: Vec<RoleSpec>,
        to: RoleSpec,
    },
    DropRole {
        roles: Vec<RoleSpec>,
        if_exists: bool,
    },
    DropOwned {
        of: Vec<RoleSpec>,
        behavior: DropBehavior,
    },
    Lock(Box<Lock>),
    Vacuum(Box<Vacuum>),
    Cluster(Box<Cluster>),
    Reindex(Box<Reindex>),
    Refresh(Box<Refresh>),
    Constraints {
        names: Option<Vec<Relation>>,
        deferred: bool,
    },
    Checkpoint,
    Discard(Discard),
    Load(String),
    Notify {
        channel: Name,
        payload: Option<String>,
    },
    Listen(Name),
    /// None: all
    Unlisten(Option<Name>),
    Call(Box<FuncCall>),
    /// DO: (name, value) of its options
    Do(Vec<DefElem>),
    /// RETURN of a function's body
    Return(Box<Expr>),
    /// A statement that is recognized and has no tree yet: by its command tag
    Other(&'static str),
}
