//! From a client's text to statements: [`pamir_parse`] on a stack that is large enough for the text, with its memory asked for first.
//!
//! Most texts stay within [`pamir_parse::PLAIN`], for which a session's own stack is large enough. A text that does not is parsed again, within
//! [`pamir_parse::DEEP`], on a helper thread with a larger one, and its statements say that they are deep: they are to be bound, planned and run on a larger stack
//! too. Long texts are parsed there as well.
//!
//! Positions: places in a tree are bytes of [`Parsed::text`]; add the characters before [`Parsed::offset`] for a position in the whole string. An error returned by
//! [`parse`] itself is already relative to the whole string.
use pamir_catalog::defs::quote_ident;
use pamir_parse::tree::{At, Expr, IntervalFields, SetValue, Statement, TypeName};
use pamir_parse::{DEEP, Limits, PLAIN};
use pamir_storage::helpers;
use pamir_types::error::state;
use pamir_types::{Error, Result, long};

/// Longer texts are not parsed by a worker, and memory is asked for first.
pub const LONG_TEXT: usize = 64 << 10;

/// One statement with its text (for pg_stat_activity, EXPLAIN and error positions).
#[derive(Clone, Debug)]
pub struct Parsed {
    pub text: String,
    /// Byte offset of `text` in the whole string.
    pub offset: usize,
    pub stmt: Statement,
    /// It needs [`pamir_expr::deep::DEEP_STACK`].
    pub deep: bool,
}

/// The statements of a string, and what is to be said though nothing is wrong: names that were cut.
#[derive(Clone, Debug)]
pub struct Script {
    pub statements: Vec<Parsed>,
    pub notices: Vec<Error>,
}

/// Splits and parses. Syntax errors: 42601 `syntax error at or near "x"` with position, or `syntax error at end of input`.
pub fn parse(sql: &str) -> Result<Script> {
    if sql.len() <= LONG_TEXT {
        match within(sql, PLAIN) {
            Err(e) if is_too_deep(&e) && helpers::are_there() => {}
            r => return r,
        }
    } else if !helpers::are_there() {
        return within(sql, PLAIN);
    }
    let sql = long::string(sql)?;
    helpers::run(move || match within(&sql, PLAIN) {
        Err(e) if is_too_deep(&e) => {
            let mut all = within(&sql, DEEP)?;
            all.statements.iter_mut().for_each(|p| p.deep = true);
            Ok(all)
        }
        r => r,
    })?
}
fn is_too_deep(e: &Error) -> bool {
    e.code() == state::STATEMENT_TOO_COMPLEX
}
fn within(sql: &str, limits: Limits) -> Result<Script> {
    let p = pamir_parse::parse(sql, limits)?;
    let mut statements = Vec::with_capacity(p.statements.len());
    for (stmt, range) in p.statements {
        let text = long::string(sql.get(range.clone()).unwrap_or(""))?;
        statements.push(Parsed { text, offset: range.start, stmt, deep: false });
    }
    Ok(Script { statements, notices: p.notices })
}

/// Parses a stored expression: a default, a check, an index expression.
pub fn parse_stored_expr(sql: &str) -> Result<Expr> {
    pamir_parse::parse_stored_expr(sql, PLAIN)
}
/// Parses a type's name.
pub fn parse_type(sql: &str) -> Result<TypeName> {
    pamir_parse::parse_type(sql, PLAIN)
}

/// Character position (1-based) of a place in its statement's text; None for what was not written.
pub fn position(text: &str, at: At) -> Option<u32> {
    (at != At::NOWHERE && !text.is_empty()).then(|| pamir_parse::position(text, at.0 as usize))
}

/// The values of a setting as one text. The elements of search_path are names, which stay what they are when the text is taken apart.
pub fn setting_text(name: &str, values: &[SetValue]) -> Result<String> {
    let one = |v: &SetValue| {
        Ok(match v {
            SetValue::Integer(n) => n.to_string(),
            SetValue::Float(s) | SetValue::String(s) => s.clone(),
            SetValue::Interval(text, fields, precision) => zone_interval(text, *fields, *precision)?,
        })
    };
    let names = name.eq_ignore_ascii_case("search_path");
    let element = |v| one(v).map(|s| if names { quote_ident(&s).into_owned() } else { s });
    Ok(values.iter().map(element).collect::<Result<Vec<_>>>()?.join(", "))
}
/// SET TIME ZONE INTERVAL's value as the setting takes it.
fn zone_interval(text: &str, fields: Option<IntervalFields>, precision: Option<i32>) -> Result<String> {
    let precision = precision.map_or(0xffff, |p| p.clamp(0, 6));
    let typmod = match (fields, precision) {
        (None, 0xffff) => -1,
        (f, p) => f.map_or(0x7fff, |f| f.0) << 16 | p,
    };
    let v = pamir_types::datetime::parse_interval(text, typmod)?;
    Ok(format!("INTERVAL '{} months {} days {} us'", v.months, v.days, v.micros))
}
