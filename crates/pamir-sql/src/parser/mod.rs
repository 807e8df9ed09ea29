//! From text to statements.
//!
//! ```text
//! text --tokenize--> tokens --split at ;--> one statement's tokens --special--> Stmt::PrepareTransaction, ...
//!                                                     |
//!                                                     +--rewrite--> sqlparser --> Stmt::Sql(ast)
//! ```
//! sqlparser knows most of the dialect. What it lacks is met in two ways: whole statements are recognized here ([`special`]) and small clauses are rewritten,
//! token by token, to something it parses and that the binder understands ([`rewrite`]). Statements of two words and a name of the client's own, new each
//! time (two-phase commit), are read without tokens when they are written plainly ([`special::plain`]).
//!
//! Positions: the spans in an AST are relative to [`Parsed::text`]; add the characters before [`Parsed::offset`] for a position in the whole string.
//! An error returned by [`parse`] itself is already relative to the whole string.
//!
//! Limits: nesting, chains of operators and set operations are bounded (54001), so that neither the parser, nor the binder, nor dropping a tree can exhaust a stack. Most texts stay
//! within [`PLAIN`], for which a session's own stack is large enough. A text that does not is parsed again, within [`DEEP`], on a helper thread with a larger one, and its statements
//! say that they are deep: they are to be bound, planned and run on a larger stack too. Long texts are parsed there as well. A parse charges work for its tokens and expressions, so that
//! it is interrupted like all else ([`dialect`]).
pub(crate) mod definitions;
mod dialect;
mod rewrite;
mod rows_from;
pub(crate) mod special;
mod strict;
#[cfg(test)]
mod tests;

use pamir_storage::helpers;
use pamir_types::error::state;
use pamir_types::{Error, Result, bail, err, long, work};
use sqlparser::ast;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

pub(crate) use rewrite::MARK;
pub(crate) use strict::VARIADIC;

/// How large a text's trees may grow.
#[derive(Clone, Copy)]
struct Limits {
    /// How deep expressions and subqueries may nest.
    depth: usize,
    /// How many infix operators may follow one another without a parenthesis, comma, AND or OR between; each level of a chain is a level of the bound tree.
    chain: usize,
    /// How many UNIONs and the like a text may have: each costs the stack of a whole query.
    sets: usize,
    /// How many ANDs and ORs may follow one another: bound without recursion, so only dropping the AST counts.
    logic: usize,
}
const PLAIN: Limits = Limits { depth: 60, chain: 500, sets: 100, logic: 2000 };
/// What PostgreSQL takes with its default of max_stack_depth, or more.
const DEEP: Limits = Limits { depth: 6000, chain: 10_000, sets: 6000, logic: 30_000 };
/// Longer texts are not parsed by a worker, and memory is asked for first.
pub(crate) const LONG_TEXT: usize = 64 << 10;
/// Stack for what is done with a deep statement.
pub const DEEP_STACK: usize = if cfg!(debug_assertions) { 1 << 30 } else { 256 << 20 };

static DIALECT: PostgreSqlDialect = PostgreSqlDialect {};

/// One statement with its text (for pg_stat_activity, EXPLAIN and error positions).
#[derive(Clone, Debug)]
pub struct Parsed {
    pub text: String,
    /// Byte offset of `text` in the whole string.
    pub offset: usize,
    pub stmt: Stmt,
    /// It needs [`DEEP_STACK`].
    pub deep: bool,
}

/// sqlparser's statement, or one that it does not know. Names are folded already.
#[derive(Clone, Debug)]
pub enum Stmt {
    Sql(Box<ast::Statement>),
    PrepareTransaction(String),
    CommitPrepared(String),
    RollbackPrepared(String),
    /// CHECKPOINT
    Checkpoint,
    /// VACUUM [(options)] [tables]; `analyze` when asked for.
    Vacuum {
        analyze: bool,
        tables: Vec<TableTarget>,
    },
    /// ANALYZE [(options)] [tables]
    Analyze {
        tables: Vec<TableTarget>,
    },
    Reindex {
        kind: ReindexKind,
        name: Vec<String>,
        concurrently: bool,
    },
    /// LOCK TABLE; the mode in PostgreSQL's words, upper case (`ACCESS EXCLUSIVE`).
    LockTable {
        tables: Vec<Vec<String>>,
        mode: pamir_txn::TableLock,
        nowait: bool,
    },
    /// DISCARD ALL | PLANS | SEQUENCES | TEMP
    Discard(Discard),
    /// SET CONSTRAINTS { ALL | names } { DEFERRED | IMMEDIATE }; empty names: ALL.
    SetConstraints {
        names: Vec<Vec<String>>,
        deferred: bool,
    },
    /// DECLARE name [BINARY] [[NO] SCROLL] CURSOR [WITH HOLD] FOR query
    DeclareCursor {
        name: String,
        options: crate::session::CursorOptions,
        query: Box<ast::Statement>,
    },
    /// FETCH or MOVE
    Fetch {
        cursor: String,
        direction: FetchDirection,
        is_move: bool,
    },
    /// CLOSE name; None: ALL
    Close(Option<String>),
    /// SET [LOCAL] parameter { TO | = } { values | DEFAULT }; None: DEFAULT.
    SetParam {
        name: String,
        values: Option<Vec<String>>,
        local: bool,
    },
    /// RESET name; None: ALL
    Reset(Option<String>),
    /// SHOW name (`all` for SHOW ALL)
    Show(String),
    /// COMMENT ON kind name IS text. `kind` in lower case (`column`, `table`, `constraint`).
    Comment {
        kind: String,
        name: Vec<String>,
        on: Option<Vec<String>>,
        text: Option<String>,
    },
    /// CREATE, ALTER and DROP forms that sqlparser lacks (options in any order, ALTER SEQUENCE, ...).
    Ddl(Box<crate::ddl::OwnStatement>),
    Copy(Box<Copy>),
    /// UNLISTEN: done at once, for nothing is ever listened to.
    Unlisten,
    /// Known to PostgreSQL and not supported: the feature's name for 0A000
    Unsupported(String),
}

/// COPY. Options are (name, values); no value stands for true.
#[derive(Clone, Debug)]
pub struct Copy {
    pub source: CopySource,
    pub to: bool,
    pub target: CopyTarget,
    pub options: Vec<(String, Vec<String>)>,
    /// FROM: which rows are taken.
    pub condition: Option<sqlparser::ast::Expr>,
}
#[derive(Clone, Debug)]
pub enum CopySource {
    /// Name parts and columns, folded.
    Table {
        name: Vec<String>,
        columns: Vec<String>,
    },
    Query(Box<ast::Statement>),
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyTarget {
    Client,
    /// The server's.
    File(String),
    Program(String),
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTarget {
    pub name: Vec<String>,
    pub columns: Vec<String>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReindexKind {
    Index,
    Table,
    Schema,
    Database,
    System,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discard {
    All,
    Plans,
    Sequences,
    Temp,
}
/// Row counts of FETCH; `i64::MAX` stands for ALL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchDirection {
    Forward(i64),
    Backward(i64),
    Absolute(i64),
    Relative(i64),
}

/// Splits and parses. Syntax errors: 42601 `syntax error at or near "x"` with position, or `syntax error at end of input`.
pub fn parse(sql: &str) -> Result<Vec<Parsed>> {
    if sql.len() <= LONG_TEXT {
        match parse_within(sql, PLAIN) {
            Err(e) if may_be_deep(sql, &e) && helpers::are_there() => {}
            r => return r,
        }
    } else if !helpers::are_there() {
        return parse_within(sql, PLAIN);
    }
    let sql = long::string(sql)?;
    helpers::run(move || match parse_within(&sql, PLAIN) {
        Err(e) if may_be_deep(&sql, &e) => {
            let mut all = parse_within(&sql, DEEP)?;
            all.iter_mut().for_each(|p| p.deep = true);
            Ok(all)
        }
        r => r,
    })?
}
/// Could `sql`, which met with `e` within [`PLAIN`], be one for [`DEEP`]? sqlparser takes a limit that it met for a reason to try something else, and then finds that wrong.
fn may_be_deep(sql: &str, e: &Error) -> bool {
    e.code() == state::STATEMENT_TOO_COMPLEX || (e.code() == state::SYNTAX_ERROR && sql.len() > 4 * PLAIN.depth)
}
fn parse_within(sql: &str, limits: Limits) -> Result<Vec<Parsed>> {
    if let Some(stmt) = special::plain(sql) {
        return Ok(vec![Parsed { text: one_text(sql).to_string(), offset: 0, stmt, deep: false }]);
    }
    let mut tokens = tokenize(sql)?;
    let mut out = Vec::with_capacity(1);
    // The common case: one statement, its tokens used as they are.
    let mut semis = tokens.iter().filter(|t| t.token == Token::SemiColon).count();
    if semis == 1 && tokens.last().is_some_and(|t| t.token == Token::SemiColon) {
        tokens.pop();
        semis = 0;
    }
    if semis == 0 {
        if tokens.is_empty() {
            return Ok(out);
        }
        let text = one_text(sql).to_string();
        let stmt = parse_one(tokens, sql, limits)?;
        out.push(Parsed { text, offset: 0, stmt, deep: false });
        return Ok(out);
    }
    let mut offsets = LineOffsets::new(sql);
    let mut start = Location { line: 1, column: 1 };
    let mut start_byte = 0;
    let mut part: Vec<TokenWithSpan> = Vec::new();
    let mut depth = 0i32;
    let mut chars_before = 0u32;
    for t in tokens.drain(..).map(Some).chain([None]) {
        match &t {
            Some(t) if t.token == Token::LParen => depth += 1,
            Some(t) if t.token == Token::RParen => depth -= 1,
            _ => {}
        }
        let end = match &t {
            Some(t) if t.token == Token::SemiColon => Some(offsets.byte(t.span.start)),
            None => Some(sql.len()),
            _ => None,
        };
        let Some(end_byte) = end else {
            if let Some(t) = t {
                part.push(t);
            }
            continue;
        };
        if depth > 0 && t.is_some() {
            let at = t.as_ref().map_or(sql.len(), |_| end_byte);
            return Err(err!(SYNTAX_ERROR, "syntax error at or near \";\"").at(Some(char_pos(sql, at))));
        }
        let text = &sql[start_byte..end_byte];
        if !part.is_empty() {
            for p in &mut part {
                relocate(&mut p.span.start, start);
                relocate(&mut p.span.end, start);
            }
            let stmt = parse_one(std::mem::take(&mut part), text, limits).map_err(|mut e| {
                if let Some(p) = &mut e.data_mut().position {
                    *p += chars_before;
                }
                e
            })?;
            out.push(Parsed { text: text.to_string(), offset: start_byte, stmt, deep: false });
        }
        if let Some(t) = t {
            chars_before += text.chars().count() as u32 + 1;
            start_byte = end_byte + 1;
            start = t.span.end;
        }
    }
    Ok(out)
}

/// The text of the only statement of a string: without its semicolon.
fn one_text(sql: &str) -> &str {
    sql.trim_end().strip_suffix(';').unwrap_or(sql)
}

/// Parses one expression (stored defaults, checks, index expressions).
pub fn parse_expr(sql: &str) -> Result<ast::Expr> {
    let mut tokens = tokenize(sql)?;
    // The one clause among those that are rewritten which is stored as it is written.
    let mut i = 0;
    while i < tokens.len() {
        if rewrite::keyword(&tokens[i]) == Keyword::VARIADIC {
            strict::variadic(&mut tokens, i, sql)?;
        }
        i += 1;
    }
    check_chains(&tokens, PLAIN)?;
    let mut p = Parser::new(&DIALECT).with_recursion_limit(PLAIN.depth).with_tokens_with_locations(tokens);
    let e = p.parse_expr().map_err(|e| parser_error(e, sql))?;
    match &p.peek_token_ref().token {
        Token::EOF => Ok(e),
        _ => Err(near(sql, p.peek_token_ref())),
    }
}

/// Parses the arguments of `ON CONFLICT (...)` and the like: comma-separated expressions.
pub(crate) fn parse_expr_list(sql: &str) -> Result<Vec<ast::Expr>> {
    let tokens = tokenize(sql)?;
    let mut p = Parser::new(&DIALECT).with_recursion_limit(PLAIN.depth).with_tokens_with_locations(tokens);
    p.parse_comma_separated(Parser::parse_expr).map_err(|e| parser_error(e, sql))
}

fn parse_one(mut tokens: Vec<TokenWithSpan>, text: &str, limits: Limits) -> Result<Stmt> {
    work::charge(tokens.len() * TOKEN as usize)?;
    check_chains(&tokens, limits)?;
    check_literals(&mut tokens, text)?;
    if let Some(s) = crate::ddl::parse_own(text)? {
        return Ok(Stmt::Ddl(Box::new(s)));
    }
    match special::first(&tokens) {
        special::First::Sql => {
            parse_sql(&mut tokens, text, limits).map(|s| Stmt::Sql(Box::new(s))).or_else(|e| absent(e, text))
        }
        special::First::Special => match special::recognize(&tokens, text)? {
            Some(s) => Ok(s),
            None => parse_sql(&mut tokens, text, limits).map(|s| Stmt::Sql(Box::new(s))).or_else(|e| absent(e, text)),
        },
        // sqlparser has a form of it, not all.
        special::First::Both => {
            let copy = tokens.clone();
            match parse_sql(&mut tokens, text, limits) {
                Ok(s) => Ok(Stmt::Sql(Box::new(s))),
                Err(e) => match special::recognize(&copy, text) {
                    Ok(Some(s)) => Ok(s),
                    Ok(None) => absent(e, text),
                    Err(e) => absent(e, text),
                },
            }
        }
    }
}

/// A statement that was not understood, because of something that is not there yet or because it is wrong.
fn absent(e: Error, text: &str) -> Result<Stmt> {
    if e.code() == state::SYNTAX_ERROR
        && text.len() <= LONG_TEXT
        && let Ok(tokens) = tokenize(text)
        && let Some(feature) = strict::absent(&tokens)
    {
        return Ok(Stmt::Unsupported(feature.into()));
    }
    Err(e)
}

impl Stmt {
    /// The command's name, for messages.
    pub fn feature(&self) -> &str {
        match self {
            Stmt::Sql(_) => "this statement",
            Stmt::PrepareTransaction(_) => "PREPARE TRANSACTION",
            Stmt::CommitPrepared(_) => "COMMIT PREPARED",
            Stmt::RollbackPrepared(_) => "ROLLBACK PREPARED",
            Stmt::Checkpoint => "CHECKPOINT",
            Stmt::Vacuum { .. } => "VACUUM",
            Stmt::Analyze { .. } => "ANALYZE",
            Stmt::Reindex { .. } => "REINDEX",
            Stmt::LockTable { .. } => "LOCK TABLE",
            Stmt::Discard(Discard::All) => "DISCARD ALL",
            Stmt::Discard(Discard::Plans) => "DISCARD PLANS",
            Stmt::Discard(Discard::Sequences) => "DISCARD SEQUENCES",
            Stmt::Discard(Discard::Temp) => "DISCARD TEMP",
            Stmt::SetConstraints { .. } => "SET CONSTRAINTS",
            Stmt::DeclareCursor { .. } => "DECLARE CURSOR",
            Stmt::Fetch { is_move: false, .. } => "FETCH",
            Stmt::Fetch { .. } => "MOVE",
            Stmt::Close(_) => "CLOSE CURSOR",
            Stmt::SetParam { .. } => "SET",
            Stmt::Reset(_) => "RESET",
            Stmt::Show(_) => "SHOW",
            Stmt::Comment { .. } => "COMMENT",
            Stmt::Copy(_) => "COPY",
            Stmt::Unlisten => "UNLISTEN",
            Stmt::Ddl(_) => "this DDL statement",
            Stmt::Unsupported(s) => s,
        }
    }
}

/// sqlparser proper, on rewritten tokens.
fn parse_sql(tokens: &mut Vec<TokenWithSpan>, text: &str, limits: Limits) -> Result<ast::Statement> {
    if tokens.is_empty() {
        return Err(err!(SYNTAX_ERROR, "syntax error at end of input").at(Some(char_pos(text, text.trim_end().len()))));
    }
    rewrite::rewrite(tokens, text)?;
    // COPY ... FROM STDIN expects the semicolon that separates it from inline data.
    if matches!(&tokens[0].token, Token::Word(w) if w.keyword == Keyword::COPY) {
        let span = tokens[tokens.len() - 1].span;
        tokens.push(TokenWithSpan { token: Token::SemiColon, span });
    }
    let dialect = dialect::Charging::default();
    let mut p =
        Parser::new(&dialect).with_recursion_limit(limits.depth).with_tokens_with_locations(std::mem::take(tokens));
    let stmt = p.parse_statement();
    let over = matches!(&p.peek_token_ref().token, Token::EOF | Token::SemiColon);
    let rest = (!over).then(|| p.peek_token_ref().clone());
    drop(p);
    match (dialect.ended(), stmt, rest) {
        (Some(e), ..) => Err(e),
        (None, Err(e), _) => Err(parser_error(e, text)),
        (None, Ok(stmt), None) => select_into(stmt),
        (None, Ok(_), Some(token)) => Err(near(text, &token)),
    }
}

/// Tokens without white space and comments.
fn tokenize(sql: &str) -> Result<Vec<TokenWithSpan>> {
    if sql.len() >= LONG_TEXT {
        pamir_types::memory::admit(estimate_tokens(sql).saturating_mul(TOKEN_MEMORY))?;
    }
    let mut tokens = Vec::with_capacity((sql.len() / 5 + 8).min(LONG_TEXT / 8));
    let made = work::unwinding(|| {
        Tokenizer::new(&DIALECT, sql).tokenize_with_location_into_buf_with_mapper(&mut tokens, |t| {
            work::charge_within(TOKEN);
            t
        })
    })?;
    if let Err(e) = made {
        return Err(token_error(&e, sql));
    }
    tokens.retain(|t| !matches!(t.token, Token::Whitespace(_) | Token::EOF));
    operators(&mut tokens, sql);
    Ok(tokens)
}

/// What a token costs: to be made, and to be looked at by what is done here before sqlparser has it.
const TOKEN: u32 = 50;
/// What a token and its part of the tree take, roughly: a number in an IN list.
const TOKEN_MEMORY: usize = 2 * size_of::<TokenWithSpan>() + 128;
/// How many tokens a text has, more or less: a long literal is one, whatever is in it.
fn estimate_tokens(sql: &str) -> usize {
    let (mut n, mut quoted, mut word) = (0, false, false);
    for b in sql.bytes() {
        if b == b'\'' {
            quoted = !quoted;
            n += 1;
        }
        if quoted {
            continue;
        }
        let in_word = b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        n += usize::from(!(in_word && word));
        word = in_word;
    }
    n
}

/// Makes operators what PostgreSQL's lexer makes of them: one of several characters ends with a sign only if it has one of `~!@#%^&|`?` (`x>-1` is `x > -1`),
/// and those that match patterns bind as tightly as all others that have no place of their own (`c ~ 'a' || 'b'` is `(c ~ 'a') || 'b'`), which to sqlparser
/// are operators that it does not know.
fn operators(tokens: &mut Vec<TokenWithSpan>, text: &str) {
    let mut offsets = LineOffsets::new(text);
    // What takes the places of tokens, in their order: put in at the end and at once, since there may be as many as tokens.
    let mut edits: Vec<(usize, Vec<TokenWithSpan>)> = Vec::new();
    for i in 0..tokens.len() {
        // With ANY and ALL sqlparser wants its own.
        let listed = tokens.get(i + 1).is_some_and(
            |t| matches!(&t.token, Token::Word(w) if matches!(w.keyword, Keyword::ANY | Keyword::ALL | Keyword::SOME)),
        );
        let name = match &tokens[i].token {
            _ if listed => None,
            Token::CustomBinaryOperator(s) if s.len() > 1 && s.ends_with(['+', '-']) => {
                let short = s.trim_end_matches(['+', '-']);
                if !short.is_empty() && !short.contains(['~', '!', '@', '#', '%', '^', '&', '|', '`', '?']) {
                    edits.push((i, split_signs(short, &s[short.len()..], tokens[i].span)));
                }
                None
            }
            // `!=-` is one operator: it has a `!`.
            Token::Neq
                if let Some(sign) = sign_after(tokens, i)
                    && text[offsets.byte(tokens[i].span.start)..].starts_with("!=") =>
            {
                tokens[i].span.end = tokens[i + 1].span.end;
                edits.push((i + 1, Vec::new()));
                Some(if sign == Token::Minus { "!=-" } else { "!=+" })
            }
            Token::TildeAsterisk => Some("~*"),
            Token::ExclamationMarkTilde => Some("!~"),
            Token::ExclamationMarkTildeAsterisk => Some("!~*"),
            Token::Tilde if i > 0 && ends_operand(&tokens[i - 1].token) => Some("~"),
            _ => None,
        };
        if let Some(name) = name {
            tokens[i].token = Token::CustomBinaryOperator(name.into());
        }
    }
    if edits.is_empty() {
        return;
    }
    let old = std::mem::take(tokens);
    tokens.reserve(old.len() + edits.len());
    let mut edits = edits.into_iter().peekable();
    for (i, t) in old.into_iter().enumerate() {
        match edits.next_if(|e| e.0 == i) {
            Some((_, new)) => tokens.extend(new),
            None => tokens.push(t),
        }
    }
}

/// A sign that touches token `i`.
fn sign_after(tokens: &[TokenWithSpan], i: usize) -> Option<Token> {
    let (t, next) = (tokens.get(i)?, tokens.get(i + 1)?);
    (t.span.end == next.span.start && matches!(next.token, Token::Minus | Token::Plus)).then(|| next.token.clone())
}

/// The operator and its signs, all plus and minus, as tokens of their own.
fn split_signs(operator: &str, signs: &str, span: sqlparser::tokenizer::Span) -> Vec<TokenWithSpan> {
    let token = match operator {
        "<" => Token::Lt,
        ">" => Token::Gt,
        "=" => Token::Eq,
        "<=" => Token::LtEq,
        ">=" => Token::GtEq,
        "<>" => Token::Neq,
        "*" => Token::Mul,
        "/" => Token::Div,
        _ => Token::CustomBinaryOperator(operator.into()),
    };
    let column = |n: usize| Location { line: span.start.line, column: span.start.column + n as u64 };
    let part = |token, from: usize, to: usize| TokenWithSpan {
        token,
        span: sqlparser::tokenizer::Span { start: column(from), end: column(to) },
    };
    let mut new = vec![part(token, 0, operator.len())];
    for (n, sign) in signs.bytes().enumerate() {
        let at = operator.len() + n;
        new.push(part(if sign == b'-' { Token::Minus } else { Token::Plus }, at, at + 1));
    }
    new
}

/// Is an operator behind this token infix?
fn ends_operand(t: &Token) -> bool {
    match t {
        Token::Word(w) if w.quote_style.is_none() => !matches!(
            w.keyword,
            Keyword::SELECT
                | Keyword::DISTINCT
                | Keyword::ALL
                | Keyword::WHERE
                | Keyword::HAVING
                | Keyword::ON
                | Keyword::BY
                | Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::IN
                | Keyword::LIKE
                | Keyword::ILIKE
                | Keyword::BETWEEN
                | Keyword::FROM
                | Keyword::CASE
                | Keyword::WHEN
                | Keyword::THEN
                | Keyword::ELSE
                | Keyword::RETURNING
                | Keyword::LIMIT
                | Keyword::OFFSET
                | Keyword::DEFAULT
        ),
        Token::Word(_)
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::EscapedStringLiteral(_)
        | Token::UnicodeStringLiteral(_)
        | Token::DollarQuotedString(_)
        | Token::Placeholder(_)
        | Token::RParen
        | Token::RBracket => true,
        _ => false,
    }
}

fn token_error(e: &sqlparser::tokenizer::TokenizerError, sql: &str) -> Error {
    let at = LineOffsets::new(sql).byte(e.location);
    let m = e.message.to_ascii_lowercase();
    // The location is where the token starts, or where it was given up.
    let what = if m.contains("unterminated string") || m.contains("unterminated encoded string") {
        "unterminated quoted string"
    } else if m.contains("expected close delimiter") {
        "unterminated quoted identifier"
    } else if m.contains("multi-line comment") {
        let at = sql.find("/*").unwrap_or(at);
        return err!(SYNTAX_ERROR, "unterminated /* comment at or near \"{}\"", &sql[at..]).at(Some(char_pos(sql, at)));
    } else if m.contains("dollar") {
        "unterminated dollar-quoted string"
    } else {
        "syntax error"
    };
    let rest = &sql[at..];
    let shown = if what == "syntax error" {
        rest.chars().next().map_or(String::new(), |c| c.to_string())
    } else {
        rest.to_string()
    };
    if shown.is_empty() {
        return err!(SYNTAX_ERROR, "syntax error at end of input").at(Some(char_pos(sql, sql.len())));
    }
    err!(SYNTAX_ERROR, "{what} at or near \"{shown}\"").at(Some(char_pos(sql, at)))
}

fn parser_error(e: ParserError, text: &str) -> Error {
    match e {
        ParserError::RecursionLimitExceeded => too_deep(),
        ParserError::TokenizerError(m) | ParserError::ParserError(m) => match located(&m) {
            Some(loc) if loc.line > 0 => near_location(text, loc),
            _ => err!(SYNTAX_ERROR, "syntax error at end of input").at(Some(char_pos(text, text.trim_end().len()))),
        },
    }
}

/// `... at Line: 1, Column: 8` at the end of sqlparser's messages.
fn located(m: &str) -> Option<Location> {
    let at = m.rfind("Line: ")?;
    let mut numbers = m[at..].split(|c: char| !c.is_ascii_digit()).filter(|s| !s.is_empty());
    Some(Location { line: numbers.next()?.parse().ok()?, column: numbers.next()?.parse().ok()? })
}

pub(crate) fn too_deep() -> Error {
    err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
        .hint("Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.")
}

fn near(text: &str, t: &TokenWithSpan) -> Error {
    if t.token == Token::EOF || t.span.start.line == 0 {
        return err!(SYNTAX_ERROR, "syntax error at end of input").at(Some(char_pos(text, text.trim_end().len())));
    }
    near_location(text, t.span.start)
}

/// The token that starts at `loc`, as PostgreSQL shows it.
fn near_location(text: &str, loc: Location) -> Error {
    let start = LineOffsets::new(text).byte(loc);
    let rest = text.get(start..).unwrap_or("");
    let mut first = Vec::new();
    let len = match Tokenizer::new(&DIALECT, rest).tokenize_with_location_into_buf(&mut first) {
        _ if !first.is_empty() => LineOffsets::new(rest).byte(first[0].span.end),
        _ => rest.len(),
    };
    let shown = rest.get(..len).unwrap_or(rest);
    if shown.trim().is_empty() {
        return err!(SYNTAX_ERROR, "syntax error at end of input").at(Some(char_pos(text, text.trim_end().len())));
    }
    err!(SYNTAX_ERROR, "syntax error at or near \"{shown}\"").at(Some(char_pos(text, start)))
}

/// What the lexer of PostgreSQL refuses and sqlparser's accepts: `12ab`, `0x1f`, `'a' 'b'` on one line. Strings on different lines become one.
fn check_literals(tokens: &mut Vec<TokenWithSpan>, text: &str) -> Result<()> {
    let mut offsets = LineOffsets::new(text);
    // Those before it have been looked at and stay.
    let mut kept = 0;
    for i in 0..tokens.len() {
        let span = tokens[i].span;
        let next = tokens.get(i + 1);
        let touches = next.is_some_and(|n| n.span.start == span.end);
        let junk = match &tokens[i].token {
            Token::Number(_, true) => Some(span.end),
            Token::Number(s, _) if s.contains('_') => Some(span.end),
            Token::Number(..) if touches => match next.map(|n| (&n.token, n.span.end)) {
                Some((Token::Word(w), end)) if w.quote_style.is_none() => Some(end),
                _ => None,
            },
            Token::HexStringLiteral(_) if text[offsets.byte(span.start)..].starts_with('0') => Some(span.end),
            _ => None,
        };
        if let Some(end) = junk {
            let at = LineOffsets::new(text).byte(span.start);
            return Err(err!(
                SYNTAX_ERROR,
                "trailing junk after numeric literal at or near \"{}\"",
                slice(text, span.start, end)
            )
            .at(Some(char_pos(text, at))));
        }
        let (before, rest) = tokens.split_at_mut(i);
        if let (Some(last), Token::SingleQuotedString(more)) = (before[..kept].last_mut(), &rest[0].token)
            && let Token::SingleQuotedString(s) | Token::EscapedStringLiteral(s) = &mut last.token
        {
            if span.start.line == last.span.end.line {
                return Err(near_location(text, span.start));
            }
            s.push_str(more);
            last.span.end = span.end;
            continue;
        }
        tokens.swap(kept, i);
        kept += 1;
    }
    tokens.truncate(kept);
    Ok(())
}

/// `SELECT ... INTO name FROM ...` is CREATE TABLE name AS SELECT ... FROM ...
fn select_into(stmt: ast::Statement) -> Result<ast::Statement> {
    let ast::Statement::Query(mut q) = stmt else { return Ok(stmt) };
    let mut body = q.body.as_mut();
    while let ast::SetExpr::SetOperation { left, .. } = body {
        body = left.as_mut();
    }
    let into = match body {
        ast::SetExpr::Select(s) => s.into.take(),
        _ => None,
    };
    let Some(into) = into else { return Ok(ast::Statement::Query(q)) };
    let [target] = into.targets.as_slice() else { bail!(SYNTAX_ERROR, "syntax error at or near \",\"") };
    let kind = if into.temporary { "TEMPORARY " } else { "" };
    let sql = format!("CREATE {kind}TABLE {target} AS SELECT 1");
    let made = Parser::new(&DIALECT)
        .try_with_sql(&sql)
        .and_then(|mut p| p.parse_statement())
        .map_err(|e| parser_error(e, &sql))?;
    match made {
        ast::Statement::CreateTable(mut t) => {
            t.query = Some(q);
            Ok(ast::Statement::CreateTable(t))
        }
        _ => Err(Error::internal("CREATE TABLE AS expected")),
    }
}

/// Refuses chains of operators whose left-deep tree would be too deep to walk recursively.
fn check_chains(tokens: &[TokenWithSpan], limits: Limits) -> Result<()> {
    let (mut run, mut logic, mut sets) = (0usize, 0usize, 0usize);
    for t in tokens {
        match &t.token {
            Token::Comma => (run, logic) = (0, 0),
            Token::LParen | Token::RParen => run = 0,
            Token::Word(w) if matches!(w.keyword, Keyword::AND | Keyword::OR) => {
                run = 0;
                logic += 1;
            }
            Token::Word(w) if matches!(w.keyword, Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT) => {
                (run, logic) = (0, 0);
                sets += 1;
            }
            Token::Word(w) if matches!(w.keyword, Keyword::SELECT | Keyword::WHERE | Keyword::FROM) => {
                (run, logic) = (0, 0)
            }
            Token::Word(w) if matches!(w.keyword, Keyword::WHEN | Keyword::THEN | Keyword::ELSE) => run = 0,
            Token::Word(w) if matches!(w.keyword, Keyword::IS | Keyword::JOIN) => run += 1,
            Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::StringConcat
            | Token::Caret
            | Token::DoubleColon
            | Token::LBracket => run += 1,
            Token::Arrow
            | Token::LongArrow
            | Token::HashArrow
            | Token::HashLongArrow
            | Token::Ampersand
            | Token::Pipe
            | Token::Sharp => run += 1,
            Token::ShiftLeft
            | Token::ShiftRight
            | Token::CustomBinaryOperator(_)
            | Token::Eq
            | Token::Neq
            | Token::Lt
            | Token::Gt => run += 1,
            _ => {}
        }
        if run > limits.chain || sets > limits.sets || logic > limits.logic {
            return Err(too_deep());
        }
    }
    Ok(())
}

/// Makes `l` relative to a text that starts at `start`.
fn relocate(l: &mut Location, start: Location) {
    if l.line == start.line {
        l.column -= start.column - 1;
    }
    l.line -= start.line - 1;
}

/// A 1-based character position of a byte offset.
fn char_pos(text: &str, byte: usize) -> u32 {
    text.get(..byte).unwrap_or(text).chars().count() as u32 + 1
}

/// Character position (1-based) of an AST location in its statement's text; None for synthesized nodes.
pub(crate) fn position(text: &str, loc: Location) -> Option<u32> {
    if loc.line == 0 || text.is_empty() {
        return None;
    }
    Some(char_pos(text, LineOffsets::new(text).byte(loc)))
}

/// Byte offsets of (line, column) locations, remembering the last one so that a walk in order is linear.
struct LineOffsets<'a> {
    text: &'a str,
    line: u64,
    column: u64,
    byte: usize,
}
impl<'a> LineOffsets<'a> {
    fn new(text: &'a str) -> Self {
        LineOffsets { text, line: 1, column: 1, byte: 0 }
    }
    fn byte(&mut self, loc: Location) -> usize {
        if (loc.line, loc.column) < (self.line, self.column) {
            *self = Self::new(self.text);
        }
        for c in self.text[self.byte..].chars() {
            if (self.line, self.column) >= (loc.line, loc.column) {
                break;
            }
            self.byte += c.len_utf8();
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.byte
    }
}

/// The source text between two tokens' starts.
pub(crate) fn slice(text: &str, from: Location, to: Location) -> &str {
    let mut o = LineOffsets::new(text);
    let a = o.byte(from);
    let b = o.byte(to);
    text.get(a..b).unwrap_or("")
}

/// An identifier as PostgreSQL folds it: unquoted ones in lower case, both cut at 63 bytes.
pub fn fold(id: &ast::Ident) -> String {
    fold_str(&id.value, id.quote_style.is_some())
}

/// NAMEDATALEN - 1.
pub const MAX_IDENT: usize = 63;

pub(crate) fn fold_str(s: &str, quoted: bool) -> String {
    let mut v = if quoted { s.to_string() } else { s.to_ascii_lowercase() };
    if v.len() > MAX_IDENT {
        let mut n = MAX_IDENT;
        while !v.is_char_boundary(n) {
            n -= 1;
        }
        v.truncate(n);
    }
    v
}

/// The folded parts of a name. 42601 for what is not plain identifiers.
pub fn name_parts(n: &ast::ObjectName) -> Result<Vec<String>> {
    let mut v = Vec::with_capacity(n.0.len());
    for p in &n.0 {
        match p.as_ident() {
            Some(i) => v.push(fold(i)),
            None => bail!(SYNTAX_ERROR, "syntax error at or near \"(\""),
        }
    }
    Ok(v)
}
