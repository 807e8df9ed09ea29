//! Statements that functions run (PostgreSQL's documentation, "Server Programming Interface").
//!
//! ```text
//!   SELECT f(x) FROM t          the outer statement, snapshot s
//!      f --Env::spi--> execute("INSERT ...")      a statement of its own in the same transaction: sees what the outer one wrote so far, and its
//!                      execute("SELECT ...")      writes are not seen by the outer one, whose snapshot is older
//!      f --Env::spi--> savepoint ... rollback_to  a subtransaction
//! ```
//! A statement is parsed and planned as a client's is, with the session's user, search path and settings, and its plan is kept as theirs are.
//!
//! *Invariants*: the transaction is the caller's; it is neither begun nor ended here. Subtransactions nest, and whoever begins one ends it.
//!
//! Limits: one statement a call, of those that have plans (SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE, WITH); others are refused (0A000), those that end transactions
//! as PostgreSQL does (2D000). Statements nest [`MAX_DEPTH`] deep (54001).
use crate::func::CallInfo;
use pamir_catalog::Table;
use pamir_catalog::trigger::{Event, Trigger};
use pamir_types::{Datum, Error, Oid, Result, Type};
use std::any::Any;
use std::sync::Arc;

/// Statements of functions in functions of statements, one in another.
pub const MAX_DEPTH: usize = 1000;

/// A statement to run.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub text: &'a str,
    /// $1, $2, ...
    pub params: &'a [(Type, Datum)],
    /// Refuse statements that write (0A000), and see what the caller's statement sees.
    pub read_only: bool,
    /// Rows to return at most, after which the statement ends; 0: all. One that writes writes all the same.
    pub limit: u64,
}
impl<'a> Query<'a> {
    pub fn new(text: &'a str, params: &'a [(Type, Datum)]) -> Query<'a> {
        Query { text, params, read_only: false, limit: 0 }
    }
}

/// What it gave.
#[derive(Default, Debug)]
pub struct Answer {
    /// Names and types; empty where it returns none.
    pub columns: Vec<(String, Type)>,
    pub rows: Vec<Vec<Datum>>,
    /// Rows returned, or written.
    pub processed: u64,
    /// Does the statement return rows?
    pub has_rows: bool,
    /// What the rows are charged to, for as long as they are here.
    pub charged: Option<Box<dyn Any + Send>>,
}

/// A trigger that fires. Rows have one datum for each column by attnum.
pub struct Firing<'a> {
    pub table: &'a Arc<Table>,
    pub trigger: &'a Arc<Trigger>,
    pub event: Event,
    pub old: Option<&'a [Datum]>,
    pub new: Option<&'a [Datum]>,
    /// What the statement changed, for who names its transition tables.
    pub changed: Option<&'a Arc<Changed>>,
}
/// The rows that a statement changed of a table, by one kind of event: before and after.
#[derive(Default, Debug)]
pub struct Changed {
    pub old: Vec<Arc<[Datum]>>,
    pub new: Vec<Arc<[Datum]>>,
}

/// Takes a row.
pub type Push<'a> = &'a mut dyn FnMut(Vec<Datum>) -> Result<()>;

/// Implemented by the session.
pub trait Spi {
    fn execute(&mut self, q: &Query) -> Result<Answer>;
    /// Begins a subtransaction.
    fn savepoint(&mut self) -> Result<()>;
    /// Ends the innermost one, whose effects stay.
    fn release(&mut self) -> Result<()>;
    /// Ends the innermost one and undoes what was done in it.
    fn rollback_to(&mut self) -> Result<()>;
    /// Runs a function of the catalog.
    fn call(&mut self, f: Oid, _: &CallInfo, _: &[Datum]) -> Result<Datum> {
        Err(Error::unsupported(format!("function {f} in this place")))
    }
    /// Runs a trigger's function; the row that it gave, None where that is NULL or there is no row.
    fn fire(&mut self, f: &Firing) -> Result<Option<Vec<Datum>>> {
        Err(Error::unsupported(format!("trigger {} in this place", f.trigger.name)))
    }
    /// What the innermost trigger under way calls so: the table whose columns it has, and the rows, the new ones of them or the old ones.
    fn transition_table(&self, _name: &str) -> Option<(Arc<Table>, Arc<Changed>, bool)> {
        None
    }
    /// The same of one that returns a set, whose rows are pushed.
    fn call_set(&mut self, f: Oid, _: &CallInfo, _: &[Datum], _: Push) -> Result<()> {
        Err(Error::unsupported(format!("function {f} in this place")))
    }
}
