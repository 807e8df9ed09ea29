//! SQL's syntax: PostgreSQL 15's grammar, read by hand, to a tree of PostgreSQL's shape.
//!
//! ```text
//! text --lexer--> tokens --grammar--> tree          errors: 42601 with PostgreSQL's words and place
//! ```
//! Every statement that PostgreSQL 15 knows is recognized; those that have no tree yet come back as [`tree::Statement::Other`] with their command tag.
//!
//! - [`keywords`]: the words and what each may name
//! - `lexer`: tokens, strings, numbers, operators
//! - `grammar`: the productions
//! - [`tree`]: what comes of it
//!
//! The proof is PostgreSQL itself, which parses a text before it refuses to run it in a failed transaction: `tests/differential/parser` sends texts made from its
//! own grammar, half of them broken, and compares acceptance, message and place.
//!
//! *Invariant*: no catalog, no session, no value of any type but strings and numbers.
mod grammar;
pub mod keywords;
pub mod lexer;
pub mod tree;

pub use grammar::{DEEP, Limits, PLAIN};
pub use lexer::position;

use grammar::Parser;
use pamir_types::{Error, Result};
use std::ops::Range;

/// The statements of a string, each with the bytes that it takes (without its semicolon), and notices about names that were cut.
#[derive(Debug)]
pub struct Parsed {
    pub statements: Vec<(tree::Statement, Range<usize>)>,
    pub notices: Vec<Error>,
}

/// Parses a string of statements. Errors: 42601 and others of the grammar, with places in the whole string; 54001 for what nests deeper than `limits`.
pub fn parse(text: &str, limits: Limits) -> Result<Parsed> {
    let mut p = Parser::new(text, limits)?;
    let statements = p.statements()?;
    Ok(Parsed { statements, notices: p.notices })
}

/// Parses one expression.
pub fn parse_expr(text: &str, limits: Limits) -> Result<tree::Expr> {
    let mut p = Parser::new(text, limits)?;
    let e = p.whole_expr()?;
    p.end()?;
    Ok(e)
}

/// Parses an expression that a catalog holds. Beside the grammar's it takes forms that were stored by earlier versions: `position(a, b)`, `user()`, `numeric(a)` and
/// other words that the grammar has a syntax for as plain calls, and elements of what calls, CASE and constructors give without parentheses (`f(a)[1]`).
pub fn parse_stored_expr(text: &str, limits: Limits) -> Result<tree::Expr> {
    match parse_expr(text, limits) {
        Err(e) if e.code() == pamir_types::error::state::SYNTAX_ERROR => {}
        r => return r,
    }
    let mut p = Parser::new(text, limits)?;
    p.stored = true;
    let e = p.whole_expr()?;
    p.end()?;
    Ok(e)
}

/// Parses a type's name as `regtype` and `format_type` know it.
pub fn parse_type(text: &str, limits: Limits) -> Result<tree::TypeName> {
    let mut p = Parser::new(text, limits)?;
    let t = p.whole_type()?;
    p.end()?;
    Ok(t)
}

/// Parses an expression of PL/pgSQL: a query without its SELECT (`PLpgSQL_Expr`).
pub fn parse_plpgsql_expr(text: &str, limits: Limits) -> Result<tree::Select> {
    let mut p = Parser::new(text, limits)?;
    let q = p.plpgsql_expr()?;
    p.end()?;
    Ok(q)
}
