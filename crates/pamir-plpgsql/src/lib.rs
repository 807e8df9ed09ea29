//! PL/pgSQL: bodies of functions as PostgreSQL's procedural language has them (its documentation, chapter 43), read once and interpreted.
//!
//! ```text
//!   body --parse--> tree::Function: variables by number, statements, expressions as texts with the names that are visible there
//!   call --run----> a frame of values, one a variable -- Host --> compiled expressions and plans over the frame as their parameters
//! ```
//! Every expression and statement is SQL: the language only says which runs next. A variable is parameter number n of all SQL of its function, so a frame is
//! handed to it as it is, and nothing is gathered or copied for an expression. What a name means is decided when SQL is bound, by [`pamir_expr::names::Names`].
//!
//! - [`tree`]: what a body comes to. - [`parse`]: from text to tree, over pamir-parse's lexer. - [`conditions`]: the names of SQLSTATEs.
//! - [`run`]: the interpreter. - [`Host`]: what runs SQL for it.
//!
//! *Invariants*: the interpreter knows no plan, no transaction and no catalog: [`Host`] does. A loop charges work for each turn and each statement, so that it yields
//! and hears a cancel. A block with EXCEPTION is a subtransaction of the host's, begun and ended here on every way out.
//!
//! Limits: assignment to parts of jsonb answers 0A000.
pub mod conditions;
pub mod parse;
pub mod run;
pub mod tree;

use pamir_expr::func::rowtype::Shape;
use pamir_types::error::Severity;
use pamir_types::{Datum, Error, Result, Type};
use std::any::Any;
use std::sync::Arc;

/// Stack that a level of statements finds at least.
pub(crate) const LEVEL_STACK: usize = if cfg!(debug_assertions) { 512 << 10 } else { 64 << 10 };

/// What the host keeps of an expression or a statement: a compiled expression, a plan.
pub type Ready = Arc<dyn Any + Send + Sync>;

/// What a declaration's type is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum VarType {
    Plain(Type),
    /// Fields with names and types: of a table, a view, a composite type.
    Row(Type),
    /// RECORD: takes the shape of what is assigned.
    Record,
}

/// What the parser asks of the catalog.
pub trait Catalog {
    /// A type as it is written, `t%ROWTYPE` and `t.c%TYPE` among them.
    fn type_of(&mut self, written: &str) -> Result<VarType>;
}

/// What an expression's value is to become.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Want {
    Any,
    /// Converted as an assignment converts.
    As(Type),
}

/// SQL as it is to run: see [`tree::Sql`].
pub struct Asked<'a> {
    pub sql: &'a tree::Sql,
    /// What was made of it before, in this call.
    pub ready: &'a mut Option<Ready>,
    pub vars: &'a [Datum],
    pub types: &'a [Type],
    pub here: run::Here,
    /// Its rows are a cursor's or a loop's: PostgreSQL tells of no statement then.
    pub cursor: bool,
}

/// An OUT or INOUT parameter of a procedure that is called.
#[derive(Debug)]
pub struct Output {
    /// The place of its argument in the call; behind them all: it is left out.
    pub at: usize,
    /// Empty: it has none.
    pub name: String,
}
/// What looks at the outputs of a procedure before it runs.
pub type Look<'a> = dyn FnMut(&[Output]) -> Result<()> + 'a;

/// Rows and what ran.
#[derive(Default)]
pub struct Rows {
    /// Names and types; empty where it returns none.
    pub columns: Vec<(String, Type)>,
    pub rows: Vec<Vec<Datum>>,
    /// Rows returned, or written.
    pub processed: u64,
    pub has_rows: bool,
    /// What the rows are charged to.
    pub charged: Option<Box<dyn Any + Send>>,
}

/// Text that EXECUTE made, with its USING.
pub struct Dynamic<'a> {
    pub text: &'a str,
    pub params: &'a [(Type, Datum)],
    pub here: run::Here,
    /// As [`Asked::cursor`].
    pub cursor: bool,
}

/// A cursor that is to be opened.
#[derive(Clone, Copy)]
pub struct NewCursor<'a> {
    /// None: the session finds a name.
    pub name: Option<&'a str>,
    /// May it go backward? NO SCROLL says no.
    pub backward: bool,
}

/// Implemented by the session.
pub trait Host {
    /// The value of an expression to `out`; its type.
    fn eval(&mut self, f: &tree::Function, a: Asked, want: Want, out: &mut Datum) -> Result<Type>;
    /// Runs a statement. `limit`: rows to return at most; 0: all.
    fn query(&mut self, f: &tree::Function, a: Asked, limit: u64) -> Result<Rows>;
    fn dynamic(&mut self, d: Dynamic, limit: u64) -> Result<Rows>;
    /// Begins to read a query in parts; its number.
    fn open(&mut self, f: &tree::Function, a: Asked, new: NewCursor) -> Result<String>;
    fn open_dynamic(&mut self, d: Dynamic, new: NewCursor) -> Result<String>;
    /// Rows of an open cursor, `move_only`: they are passed over.
    fn fetch(&mut self, cursor: &str, how: tree::FetchHow, count: i64) -> Result<Rows>;
    fn close(&mut self, cursor: &str) -> Result<()>;
    fn cast(&mut self, value: Datum, from: Type, to: Type) -> Result<Datum>;
    /// The fields of a row's type; None: it is no row, or its fields have no names.
    fn shape(&self, ty: Type) -> Option<Shape>;
    /// What values of a type are stored as: of a domain what it is over.
    fn base(&self, ty: Type) -> Type;
    /// The value as text.
    fn text_of(&mut self, value: &Datum, ty: Type) -> Result<String>;
    fn savepoint(&mut self) -> Result<()>;
    fn release(&mut self) -> Result<()>;
    fn rollback_to(&mut self) -> Result<()>;
    /// COMMIT or ROLLBACK in a procedure.
    fn end_transaction(&mut self, commit: bool, chain: bool) -> Result<()>;
    /// Runs a procedure; its OUT arguments' values.
    fn call(&mut self, f: &tree::Function, a: Asked, look: &mut Look) -> Result<Rows>;
    /// A message of RAISE below ERROR, with the function's own line.
    fn say(&mut self, e: Error);
    /// The lines of those that called the function, innermost first.
    fn callers(&self) -> Vec<String>;
    /// Is ASSERT checked?
    fn asserts(&self) -> bool;
    /// How one of plpgsql.extra_warnings and plpgsql.extra_errors is told of, if it is.
    fn extra(&self, check: &str) -> Option<Severity>;
    fn check_cancel(&mut self) -> Result<()>;
}
