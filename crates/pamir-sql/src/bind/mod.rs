//! The binder: AST to bound statements (skeleton).
use crate::catalog::{Catalog, NameScope, Table};
use crate::env::Env;
use crate::ir::{BoundStatement, ColId, Expr};
use pamir_types::{Oid, Result, Type};
use sqlparser::ast;

/// What binding needs to know.
pub struct BindCtx<'a> { pub catalog: &'a Catalog, pub scope: &'a NameScope, /// declared parameter types (0 = infer); extended as $n are met
    pub params: Vec<Oid>, /// for folding casts of literals and reg* look-ups
    pub env: &'a mut dyn Env, /// the statement's text, for error positions
    pub text: &'a str }

/// Binds a query, INSERT, UPDATE, DELETE (also VALUES, TABLE, WITH).
#[allow(unused_variables)]
pub fn bind(stmt: &ast::Statement, cx: &mut BindCtx) -> Result<BoundStatement> { todo!() }
/// Binds an expression over one table's columns: defaults, CHECKs, index expressions and predicates. `cols` maps attnum to the ColId it is to use. `target`: assignment-cast the result.
#[allow(unused_variables)]
pub fn bind_table_expr(e: &ast::Expr, table: Option<(&Table, &[(i16, ColId)])>, target: Option<Type>, cx: &mut BindCtx) -> Result<Expr> { todo!() }
/// A type as written in DDL or a cast (42704 `type "x" does not exist`).
#[allow(unused_variables)]
pub fn bind_type(t: &ast::DataType, cx: &Catalog) -> Result<Type> { todo!() }
/// Adds an assignment cast (42804 `column "a" is of type integer but expression is of type text`).
#[allow(unused_variables)]
pub fn assignment_cast(e: Expr, to: Type, column: &str) -> Result<Expr> { todo!() }
/// An expression back to SQL as pg_get_expr prints it; `name` gives a column's name.
#[allow(unused_variables)]
pub fn deparse(e: &Expr, name: &dyn Fn(ColId) -> String) -> String { todo!() }
