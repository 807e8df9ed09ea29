//! XPath 1.0 over the trees of `pamir_types::xml`.
//!
//! ```text
//!   text --- parse::parse ---> tree::Expr --- eval::Eval ---> Value: nodes in document order, a number, a string, a boolean
//!                                                '--- functions: the core library
//! ```
//! An expression is compiled once ([`parse`]) and run for as many context nodes as are asked ([`run`]). Errors are what libxml2 calls them, which is what
//! PostgreSQL shows as the detail; [`Failure`] has them apart from what ends a statement.
//!
//! Invariants: every node looked at is charged as work; expressions nest [`parse::MAX_DEPTH`] deep, and evaluating one nests no deeper. Nothing outside of the
//! document is read.
//!
//! Limits: no variables, and no functions but the core library's.
pub mod eval;
mod functions;
mod number;
pub mod parse;
mod tree;

pub use eval::{Item, Value, run};
pub use number::to_string as number_to_string;
use pamir_types::Error;
pub use parse::parse;
use rustc_hash::FxHashMap;
use std::sync::Arc;
pub use tree::Expr;

/// Prefixes and the URIs that they stand for in an expression.
pub type Namespaces = FxHashMap<String, Arc<str>>;

/// Why there is no value.
#[derive(Debug)]
pub enum Failure {
    /// The expression's fault, in libxml2's words; empty where it has none.
    Of(&'static str),
    /// The statement ends.
    Ended(Error),
}
impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        Failure::Ended(e)
    }
}
pub type Outcome<T> = std::result::Result<T, Failure>;

pub(crate) const INVALID_EXPRESSION: Failure = Failure::Of("Invalid expression");
pub(crate) const INVALID_TYPE: Failure = Failure::Of("Invalid type");
