//! The tree of a body. Variables, expressions and scopes are numbers in their function's lists.
use crate::{Ready, VarType};
use pamir_expr::names::{Conflict, Entry, Names, What};
use pamir_types::{Error, SqlState, Type, oid};
use parking_lot::Mutex;

/// Of what may not be assigned to.
const ERROR_IN_ASSIGNMENT: SqlState = SqlState::new("22005");

/// A function as it was read.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// `name(integer)`, for CONTEXT.
    pub signature: String,
    pub vars: Vec<Var>,
    /// Variables of `$1`, `$2`, ...
    pub args: Vec<usize>,
    /// Variables of the parameters that a call gives values to.
    pub inputs: Vec<usize>,
    pub scopes: Vec<Scope>,
    pub body: Block,
    /// How many expressions and statements have a place in a frame's list.
    pub sqls: usize,
    pub found: usize,
    pub returns: Returns,
    /// Variables of OUT parameters, in order.
    pub out: Vec<usize>,
    pub conflict: Conflict,
    /// Variables that belong to triggers.
    pub trigger: Option<TriggerVars>,
    /// `#print_strict_params`
    pub print_strict: bool,
    /// Its text has WHERE CURRENT OF: loops over cursors say where they are.
    pub current_of: bool,
    /// What is told of it when it is made.
    pub warnings: Vec<pamir_types::Error>,
}
#[derive(Debug, Clone, Copy)]
pub struct TriggerVars {
    pub new: usize,
    pub old: usize,
    /// TG_NAME and the others, in [`crate::parse::TG`]'s order, from here on.
    pub first: usize,
}
/// What a call gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Returns {
    pub ty: Type,
    pub set: bool,
    /// Its fields, where it is a row.
    pub row: Option<Type>,
    pub procedure: bool,
}
#[derive(Debug)]
pub struct Var {
    pub name: String,
    pub ty: VarType,
    pub constant: bool,
    pub not_null: bool,
    pub default: Option<Sql>,
    pub line: u32,
    pub cursor: Option<Box<BoundCursor>>,
}
impl Var {
    /// 22005: it cannot be assigned to.
    pub fn is_constant(&self) -> Error {
        Error::new(ERROR_IN_ASSIGNMENT, format!("variable \"{}\" is declared CONSTANT", self.name))
    }
}
#[derive(Debug)]
pub struct BoundCursor {
    pub query: Sql,
    pub args: Vec<usize>,
    pub scroll: Option<bool>,
}
/// A block's names: what it declares, and the scope around it.
#[derive(Debug)]
pub struct Scope {
    pub label: Option<String>,
    pub vars: Vec<(String, usize)>,
    pub outer: Option<usize>,
}
/// SQL of a body.
#[derive(Debug)]
pub struct Sql {
    pub text: String,
    /// What stands before it in its statement, of what is assigned: `x := `.
    pub before: String,
    pub scope: usize,
    /// Variables of the scope that are declared up to here.
    pub upto: usize,
    /// Its place in a frame's list.
    pub number: usize,
    pub kind: SqlKind,
    /// What the host made of it, for calls to come.
    pub slot: Mutex<Option<Ready>>,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlKind {
    /// A query without its SELECT.
    Expr,
    Statement,
}

#[derive(Debug)]
pub struct Block {
    pub line: u32,
    pub label: Option<String>,
    /// Variables that get their defaults when it begins.
    pub declares: Vec<usize>,
    pub body: Vec<Stmt>,
    pub handlers: Option<Handlers>,
}
#[derive(Debug)]
pub struct Handlers {
    pub sqlstate: usize,
    pub sqlerrm: usize,
    pub list: Vec<Handler>,
}
#[derive(Debug)]
pub struct Handler {
    pub conditions: Vec<Condition>,
    pub body: Vec<Stmt>,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Others,
    State(SqlState),
}

/// What CONTEXT calls a statement: a word, where a text would be two.
pub type Name = &'static &'static str;

#[derive(Debug)]
pub struct Stmt {
    pub line: u32,
    pub kind: StmtKind,
}
#[derive(Debug)]
pub enum StmtKind {
    Block(Block),
    Assign(Target, Sql),
    If(Vec<(Sql, Vec<Stmt>)>, Vec<Stmt>),
    Case {
        subject: Option<(usize, Sql)>,
        whens: Vec<(Sql, Vec<Stmt>)>,
        otherwise: Option<Vec<Stmt>>,
    },
    Loop(Option<String>, Vec<Stmt>),
    While(Option<String>, Sql, Vec<Stmt>),
    ForInt {
        label: Option<String>,
        var: usize,
        reverse: bool,
        from: Sql,
        to: Sql,
        by: Option<Sql>,
        body: Vec<Stmt>,
    },
    ForQuery {
        label: Option<String>,
        into: Into,
        query: Query,
        body: Vec<Stmt>,
    },
    ForCursor {
        label: Option<String>,
        var: usize,
        cursor: usize,
        args: Vec<Sql>,
        body: Vec<Stmt>,
    },
    Foreach {
        label: Option<String>,
        into: Into,
        slice: u32,
        array: Sql,
        body: Vec<Stmt>,
    },
    Exit {
        exit: bool,
        label: Option<String>,
        when: Option<Sql>,
    },
    Return(Option<Sql>),
    ReturnNext(Option<Sql>),
    ReturnQuery(Query),
    Raise(Raise),
    Assert(Sql, Option<Sql>),
    Execute {
        sql: Sql,
        into: Option<Into>,
        strict: bool,
        name: Name,
    },
    Dynamic {
        query: Sql,
        using: Vec<Sql>,
        into: Option<Into>,
        strict: bool,
    },
    Perform(Sql),
    Call {
        sql: Sql,
        name: Name,
    },
    Diagnostics {
        stacked: bool,
        items: Vec<(Target, Diagnostic)>,
    },
    /// `backward`: not of one that says NO SCROLL.
    Open {
        cursor: usize,
        query: Option<Query>,
        args: Vec<Sql>,
        backward: bool,
    },
    Fetch {
        cursor: usize,
        how: FetchHow,
        count: Option<Sql>,
        into: Option<Into>,
    },
    Close(usize),
    Transaction {
        commit: bool,
        chain: bool,
    },
    Null,
}
impl StmtKind {
    /// Are there statements in it?
    pub fn nests(&self) -> bool {
        use StmtKind as K;
        matches!(
            self,
            K::Block(_)
                | K::If(..)
                | K::Case { .. }
                | K::Loop(..)
                | K::While(..)
                | K::ForInt { .. }
                | K::ForQuery { .. }
                | K::ForCursor { .. }
                | K::Foreach { .. }
        )
    }
}
#[derive(Debug)]
pub enum Query {
    Static(Sql),
    Dynamic(Sql, Vec<Sql>),
}
/// What is assigned to: a variable, or what the steps lead to in it.
#[derive(Debug)]
pub struct Target {
    pub var: usize,
    pub steps: Vec<Step>,
}
impl Target {
    pub fn whole(var: usize) -> Target {
        Target { var, steps: Vec::new() }
    }
}
#[derive(Debug)]
pub enum Step {
    Field(String),
    Index(Sql),
    Slice(Option<Sql>, Option<Sql>),
}
/// INTO.
#[derive(Debug)]
pub enum Into {
    /// One record or row.
    Record(usize),
    List(Vec<Target>),
}
#[derive(Debug)]
pub struct Raise {
    pub level: Level,
    pub format: Option<String>,
    pub args: Vec<Sql>,
    pub condition: Option<SqlState>,
    /// The condition's name, which is the message where there is no other.
    pub name: Option<String>,
    pub options: Vec<(RaiseOption, Sql)>,
    /// RAISE alone.
    pub again: bool,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Debug,
    Log,
    Info,
    Notice,
    Warning,
    Error,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RaiseOption {
    Errcode,
    Message,
    Detail,
    Hint,
    Column,
    Constraint,
    Datatype,
    Table,
    Schema,
}
impl RaiseOption {
    pub fn name(self) -> &'static str {
        use RaiseOption::*;
        match self {
            Errcode => "ERRCODE",
            Message => "MESSAGE",
            Detail => "DETAIL",
            Hint => "HINT",
            Column => "COLUMN",
            Constraint => "CONSTRAINT",
            Datatype => "DATATYPE",
            Table => "TABLE",
            Schema => "SCHEMA",
        }
    }
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Diagnostic {
    RowCount,
    Context,
    Sqlstate,
    Message,
    Detail,
    Hint,
    ErrorContext,
    Column,
    Constraint,
    Datatype,
    Table,
    Schema,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchHow {
    Forward,
    Backward,
    Absolute,
    Relative,
    All,
    BackwardAll,
    /// First, last: absolute places.
    First,
    Last,
    Move(Motion),
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Forward,
    Backward,
    Absolute,
    Relative,
    All,
    BackwardAll,
    First,
    Last,
}

impl Function {
    /// The variables' types when a call begins.
    pub fn types(&self) -> Vec<Type> {
        let of = |v: &Var| match v.ty {
            VarType::Plain(t) | VarType::Row(t) => t,
            VarType::Record => Type::new(oid::RECORD),
        };
        self.vars.iter().map(of).collect()
    }
    /// The names that SQL at its place sees, with the types that the variables have now.
    pub fn names(&self, sql: &Sql, types: &[Type]) -> Names {
        let mut list = Vec::new();
        let (mut at, mut upto) = (Some(sql.scope), sql.upto);
        while let Some(s) = at.and_then(|i| self.scopes.get(i)) {
            // A later declaration hides an earlier one of the same block's.
            let vars = s.vars.iter().take(upto).rev().map(|(name, n)| {
                let what = match self.vars.get(*n).map(|v| v.ty) {
                    Some(VarType::Row(_)) => What::Row,
                    Some(VarType::Record) => What::Record,
                    _ => What::Plain,
                };
                Entry { name: name.clone(), number: *n as u16, what }
            });
            list.push((s.label.clone(), vars.collect()));
            (at, upto) = (s.outer, usize::MAX);
        }
        Names {
            scopes: list,
            types: types.to_vec(),
            args: self.args.iter().map(|n| *n as u16).collect(),
            conflict: self.conflict,
        }
    }
}
