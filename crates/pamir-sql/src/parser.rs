//! From text to statements (skeleton).
use pamir_types::Result;
use sqlparser::ast;

/// One statement with its text (for pg_stat_activity, EXPLAIN and error positions).
#[derive(Clone, Debug)]
pub struct Parsed { pub text: String, /// byte offset of `text` in the whole string
    pub offset: usize, pub stmt: Stmt }
/// sqlparser's statement, or one that it does not know.
#[derive(Clone, Debug)]
pub enum Stmt {
    Sql(Box<ast::Statement>),
    PrepareTransaction(String),
    CommitPrepared(String),
    RollbackPrepared(String),
    /// CHECKPOINT, and others without arguments
    Checkpoint,
    /// LISTEN etc. that sqlparser lacks: the feature's name for 0A000
    Unsupported(String),
}
/// Splits and parses. Syntax errors: 42601 `syntax error at or near "x"` with position, or `syntax error at end of input`.
#[allow(unused_variables)]
pub fn parse(sql: &str) -> Result<Vec<Parsed>> { todo!() }
/// Parses one expression (stored defaults, checks, index expressions).
#[allow(unused_variables)]
pub fn parse_expr(sql: &str) -> Result<ast::Expr> { todo!() }
