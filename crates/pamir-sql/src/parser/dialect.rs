//! PostgreSQL's dialect as sqlparser has it, and one thing more: each expression charges work.
//!
//! sqlparser has no place where a parse could be interrupted but the dialect, which it asks before each expression. A breath's error is kept here, since sqlparser has errors
//! of its own kind, and what it gets instead is its recursion limit: the one error that it does not take for a reason to try something else.
//!
//! Limits: lists of bare names (columns of an INSERT, tables of a FROM) are parsed without a charge, which is linear.
use pamir_types::{Error, work};
use sqlparser::ast::Expr;
use sqlparser::dialect::{Dialect, PostgreSqlDialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use std::any::TypeId;
use std::cell::RefCell;

/// What an expression costs: a few tokens.
const EXPRESSION: usize = 500;

/// For one parse.
#[derive(Debug, Default)]
pub(super) struct Charging {
    inner: PostgreSqlDialect,
    ended: RefCell<Option<Error>>,
}

impl Charging {
    /// Why the parse is to end, if it is.
    pub fn ended(self) -> Option<Error> {
        self.ended.into_inner()
    }
}

/// Hands on what PostgreSQL's dialect says of itself; what is not named here is what any dialect says.
macro_rules! as_postgres {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        $(fn $name(&self $(, $arg: $ty)*) -> $ret { self.inner.$name($($arg),*) })*
    };
}

impl Dialect for Charging {
    fn dialect(&self) -> TypeId {
        self.inner.dialect()
    }
    fn parse_prefix(&self, parser: &mut Parser) -> Option<Result<Expr, ParserError>> {
        let ended = self.ended.borrow().is_some();
        // Not while it is borrowed: others have their turn in a breath.
        if let (false, Err(e)) = (ended, work::charge(EXPRESSION)) {
            *self.ended.borrow_mut() = Some(e);
        } else if !ended {
            return self.inner.parse_prefix(parser);
        }
        Some(Err(ParserError::RecursionLimitExceeded))
    }
    /// `a::text COLLATE "C"`: sqlparser knows its precedence, but reads it behind a plain operand only.
    fn parse_infix(&self, parser: &mut Parser, expr: &Expr, _: u8) -> Option<Result<Expr, ParserError>> {
        parser.parse_keyword(Keyword::COLLATE).then(|| {
            let collation = parser.parse_object_name(false)?;
            Ok(Expr::Collate { expr: Box::new(expr.clone()), collation })
        })
    }
    as_postgres! {
        identifier_quote_style(identifier: &str) -> Option<char>;
        is_delimited_identifier_start(ch: char) -> bool;
        is_identifier_start(ch: char) -> bool;
        is_identifier_part(ch: char) -> bool;
        is_custom_operator_part(ch: char) -> bool;
        is_reserved_for_identifier(kw: Keyword) -> bool;
        is_table_alias(kw: &Keyword, parser: &mut Parser) -> bool;
        get_next_precedence(parser: &Parser) -> Option<Result<u8, ParserError>>;
        prec_value(prec: Precedence) -> u8;
        supports_unicode_string_literal() -> bool;
        supports_filter_during_aggregation() -> bool;
        supports_group_by_expr() -> bool;
        supports_alter_user_as_alter_role() -> bool;
        allow_extract_custom() -> bool;
        allow_extract_single_quotes() -> bool;
        supports_create_index_with_clause() -> bool;
        supports_explain_with_utility_options() -> bool;
        supports_listen_notify() -> bool;
        supports_exclude_constraint() -> bool;
        supports_factorial_operator() -> bool;
        supports_bitwise_shift_operators() -> bool;
        supports_comment_on() -> bool;
        supports_load_extension() -> bool;
        supports_named_fn_args_with_colon_operator() -> bool;
        supports_named_fn_args_with_expr_name() -> bool;
        supports_empty_projections() -> bool;
        supports_nested_comments() -> bool;
        supports_string_escape_constant() -> bool;
        supports_numeric_literal_underscores() -> bool;
        supports_array_typedef_with_brackets() -> bool;
        supports_geometric_types() -> bool;
        supports_order_by_using_operator() -> bool;
        supports_set_names() -> bool;
        supports_alter_column_type_using() -> bool;
        supports_left_associative_joins_without_parens() -> bool;
        supports_notnull_operator() -> bool;
        supports_interval_options() -> bool;
        supports_insert_table_alias() -> bool;
        supports_create_table_like_parenthesized() -> bool;
        supports_select_wildcard_with_alias() -> bool;
        supports_comma_separated_trim() -> bool;
        supports_xml_expressions() -> bool;
        supports_aliased_function_args() -> bool;
        supports_comment_optimizer_hint() -> bool;
    }
}
