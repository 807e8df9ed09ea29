//! Statements that the general parser does not know, or reads in another dialect's way: a small parser and their execution.
//!
//! [`parse_own`] looks at the first words; None leaves the statement to the general parser.
//!
//! ```text
//!   CREATE SEQUENCE (options in any order)      ALTER SEQUENCE      ALTER DATABASE ... RENAME TO | OWNER TO | SET ...
//!   CREATE DATABASE ... [WITH] options          DROP DATABASE ... WITH (FORCE)
//!   CREATE USER ... options                     ALTER TABLE ... SET SCHEMA | ALTER COLUMN c ADD/SET/DROP IDENTITY, RESTART, DROP EXPRESSION, SET STATISTICS | STORAGE
//!   ALTER INDEX ... RENAME | SET (..)           CREATE TABLE name (LIKE source INCLUDING ...)
//! ```
use super::cx::ident;
use super::grant::{self, GrantStatement};
use super::options::Setting;
use super::table::Like;
use super::{DdlCtx, absent, alter, database, role, role_parse, sequence, table};
use crate::catalog::{Identity, Object, Relation};
use pamir_txn::TableLock;
use pamir_types::{Error, Result, bail, err};
use sqlparser::ast::{DataType, Ident, ObjectName, ObjectNamePart};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum OwnStatement {
    CreateSequence { name: ObjectName, if_not_exists: bool, temporary: bool, options: sequence::Options },
    AlterSequence { name: ObjectName, if_exists: bool, action: SequenceAction },
    CreateDatabase { name: ObjectName, owner: Option<String>, template: Option<String>, options: DatabaseOptions },
    DropDatabase { name: ObjectName, if_exists: bool },
    DropAbsent(absent::DropAbsent),
    AlterDatabase { name: String, action: DatabaseAction },
    CreateUser { name: String, attributes: role::Attributes, login: bool },
    AlterUser { name: String, attributes: role::Attributes },
    RenameRole { name: String, new: String },
    RoleSetting { name: String, database: Option<String>, change: (Option<String>, Option<String>) },
    AlterGroup(super::grant::parse::GrantRoles),
    Grant(GrantStatement),
    AlterTable { name: ObjectName, if_exists: bool, action: TableAction },
    AlterIndex { name: ObjectName, if_exists: bool, action: IndexAction },
    CreateExtension { name: String, if_not_exists: bool },
    DropExtension { names: Vec<String>, if_exists: bool },
    CreateTableLike { name: ObjectName, if_not_exists: bool, source: ObjectName, like: Like },
}
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceAction {
    Options(Box<sequence::Options>),
    Rename(ObjectName),
    Owner(String),
    Schema(String),
}
#[derive(Clone, Debug, PartialEq)]
pub enum IndexAction {
    Rename(ObjectName),
    /// SET (...); true: RESET.
    Parameters(Vec<Setting>, bool),
    /// SET TABLESPACE: accepted.
    Accepted,
}
#[derive(Clone, Debug, PartialEq)]
pub enum DatabaseAction {
    Rename(String),
    Owner(String),
    /// SET and RESET of parameters.
    Parameter((Option<String>, Option<String>)),
    Options(DatabaseOptions),
    /// SET TABLESPACE, REFRESH COLLATION VERSION: accepted.
    Accepted,
}
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DatabaseOptions {
    pub is_template: Option<bool>,
    pub allow_connections: Option<bool>,
    pub connection_limit: Option<i64>,
}
#[derive(Clone, Debug, PartialEq)]
pub enum TableAction {
    SetSchema(String),
    AddIdentity {
        column: String,
        identity: Identity,
        options: Box<sequence::Options>,
    },
    SetIdentity {
        column: String,
        identity: Option<Identity>,
        options: Box<sequence::Options>,
    },
    DropIdentity {
        column: String,
        if_exists: bool,
    },
    DropExpression {
        column: String,
    },
    /// SET (...); true: RESET.
    Parameters(Vec<Setting>, bool),
    /// SET STATISTICS, SET STORAGE, CLUSTER ON, SET TABLESPACE: accepted without effect if the column (if any) exists.
    Accepted {
        column: Option<String>,
    },
}

impl DatabaseOptions {
    fn set(&mut self, option: &str, value: &str) -> Result<()> {
        let bool = || match value.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => Ok(true),
            "false" | "off" | "0" => Ok(false),
            _ => Err(err!(SYNTAX_ERROR, "{option} requires a Boolean value")),
        };
        match option {
            "is_template" => self.is_template = Some(bool()?),
            "allow_connections" => self.allow_connections = Some(bool()?),
            "connection" => {
                let n =
                    value.parse().map_err(|_| err!(INVALID_PARAMETER_VALUE, "invalid connection limit: {value}"))?;
                role::connection_limit(n)?;
                self.connection_limit = Some(n);
            }
            o => bail!(SYNTAX_ERROR, "option \"{o}\" not recognized"),
        }
        Ok(())
    }
}
/// A cursor over a statement's tokens.
pub(super) struct Tokens {
    pub list: Vec<Token>,
    pub at: usize,
}
impl Tokens {
    pub fn peek(&self) -> Option<&Token> {
        self.list.get(self.at)
    }
    pub fn word_is(&self, ahead: usize, w: &str) -> bool {
        matches!(self.list.get(self.at + ahead), Some(Token::Word(x)) if x.quote_style.is_none() && x.value.eq_ignore_ascii_case(w))
    }
    pub fn eat(&mut self, w: &str) -> bool {
        let yes = self.word_is(0, w);
        self.at += usize::from(yes);
        yes
    }
    /// All of the words, or none.
    pub fn eat_all(&mut self, words: &[&str]) -> bool {
        let yes = words.iter().enumerate().all(|(i, w)| self.word_is(i, w));
        self.at += if yes { words.len() } else { 0 };
        yes
    }
    pub fn token(&mut self, t: &Token) -> bool {
        let yes = self.peek() == Some(t);
        self.at += usize::from(yes);
        yes
    }
    pub fn error(&self) -> Error {
        match self.peek() {
            Some(t) => err!(SYNTAX_ERROR, "syntax error at or near \"{t}\""),
            None => err!(SYNTAX_ERROR, "syntax error at end of input"),
        }
    }
    pub fn expect(&mut self, w: &str) -> Result<()> {
        if self.eat(w) { Ok(()) } else { Err(self.error()) }
    }
    pub fn ident(&mut self) -> Result<Ident> {
        match self.peek() {
            Some(Token::Word(w)) => {
                let i = Ident {
                    value: w.value.clone(),
                    quote_style: w.quote_style,
                    span: sqlparser::tokenizer::Span::empty(),
                };
                self.at += 1;
                Ok(i)
            }
            _ => Err(self.error()),
        }
    }
    pub fn name(&mut self) -> Result<String> {
        Ok(ident(&self.ident()?))
    }
    pub fn qualified(&mut self) -> Result<ObjectName> {
        let mut parts = vec![ObjectNamePart::Identifier(self.ident()?)];
        while self.token(&Token::Period) {
            parts.push(ObjectNamePart::Identifier(self.ident()?));
        }
        Ok(ObjectName(parts))
    }
    pub fn number(&mut self) -> Result<i64> {
        let sign = if self.token(&Token::Minus) { "-" } else { "" };
        self.token(&Token::Plus);
        match self.peek() {
            Some(Token::Number(n, _)) => {
                let v = format!("{sign}{n}").parse().map_err(|_| {
                    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{sign}{n}\" is out of range for type bigint")
                })?;
                self.at += 1;
                Ok(v)
            }
            _ => Err(self.error()),
        }
    }
    pub fn string(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::SingleQuotedString(s) | Token::EscapedStringLiteral(s)) => {
                let s = s.clone();
                self.at += 1;
                Ok(s)
            }
            _ => Err(self.error()),
        }
    }
    pub fn done(&self) -> bool {
        self.at >= self.list.len()
    }
    pub fn end(&self) -> Result<()> {
        if self.done() { Ok(()) } else { Err(self.error()) }
    }
}

/// Parses one statement without its semicolon. None: the general parser's business.
pub fn parse_own(text: &str) -> Result<Option<OwnStatement>> {
    let first = text.trim_start().get(..5).unwrap_or("").to_ascii_lowercase();
    if !(first.starts_with("creat")
        || first.starts_with("alter")
        || first.starts_with("drop")
        || first.starts_with("grant")
        || first.starts_with("revok")
        || first.starts_with("reass")
        || first.starts_with("--")
        || first.starts_with("/*"))
    {
        return Ok(None);
    }
    let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize() else { return Ok(None) };
    let list: Vec<Token> =
        tokens.into_iter().filter(|t| !matches!(t, Token::Whitespace(_) | Token::SemiColon | Token::EOF)).collect();
    let mut t = Tokens { list, at: 0 };
    let s = if t.eat("create") {
        create(&mut t)?
    } else if t.eat("alter") {
        alter_statement(&mut t)?
    } else if t.word_is(0, "grant") || t.word_is(0, "revoke") {
        Some(OwnStatement::Grant(grant::parse::grant(&mut t)?))
    } else if t.eat_all(&["reassign", "owned", "by"]) {
        Some(OwnStatement::Grant(grant::parse::owned(&mut t, true)?))
    } else if t.eat_all(&["drop", "owned", "by"]) {
        Some(OwnStatement::Grant(grant::parse::owned(&mut t, false)?))
    } else if t.eat_all(&["drop", "database"]) {
        let if_exists = t.eat_all(&["if", "exists"]);
        let name = t.qualified()?;
        // FORCE would end other sessions; they are refused instead.
        t.eat("with");
        if t.token(&Token::LParen) {
            t.expect("force")?;
            if !t.token(&Token::RParen) {
                return Err(t.error());
            }
        }
        Some(OwnStatement::DropDatabase { name, if_exists })
    } else if t.eat_all(&["drop", "extension"]) {
        let if_exists = t.eat_all(&["if", "exists"]);
        let mut names = vec![t.name()?];
        while t.token(&Token::Comma) {
            names.push(t.name()?);
        }
        let _ = t.eat("cascade") || t.eat("restrict");
        Some(OwnStatement::DropExtension { names, if_exists })
    } else {
        None
    };
    if s.is_some() {
        t.end()?;
    }
    Ok(s)
}

fn create(t: &mut Tokens) -> Result<Option<OwnStatement>> {
    let temporary = t.eat("temporary") || t.eat("temp");
    if t.eat("sequence") {
        let if_not_exists = t.eat_all(&["if", "not", "exists"]);
        let name = t.qualified()?;
        let options = sequence_options(t)?;
        return Ok(Some(OwnStatement::CreateSequence { name, if_not_exists, temporary, options }));
    }
    if temporary {
        return Ok(None);
    }
    if t.eat("extension") {
        let if_not_exists = t.eat_all(&["if", "not", "exists"]);
        let name = t.name()?;
        t.eat("with");
        while !t.done() {
            // Where its functions are and which version they have cannot be chosen.
            if t.eat("schema") || t.eat("version") {
                if t.string().is_err() {
                    t.name()?;
                }
            } else {
                t.expect("cascade")?;
            }
        }
        return Ok(Some(OwnStatement::CreateExtension { name, if_not_exists }));
    }
    if t.eat("database") {
        let name = t.qualified()?;
        let (mut owner, mut template, mut options) = (None, None, DatabaseOptions::default());
        t.eat("with");
        while !t.done() {
            let option = t.name()?;
            if option == "connection" {
                t.expect("limit")?;
            }
            t.token(&Token::Eq);
            let value = match t.peek() {
                Some(Token::Word(_)) => t.name()?,
                Some(Token::SingleQuotedString(_)) => t.string()?,
                _ => t.number()?.to_string(),
            };
            match option.as_str() {
                "owner" if value != "default" => owner = Some(value),
                "template" if value != "default" => template = Some(value),
                "encoding"
                    if !matches!(value.to_ascii_lowercase().as_str(), "utf8" | "utf-8" | "unicode" | "default") =>
                {
                    return Err(Error::unsupported(format!("encoding \"{value}\"")));
                }
                "owner" | "template" | "encoding" | "strategy" | "locale" | "lc_collate" | "lc_ctype"
                | "icu_locale" | "locale_provider" | "collation_version" => {}
                "tablespace" | "oid" => {}
                "allow_connections" | "connection" | "is_template" => options.set(&option, &value)?,
                o => bail!(SYNTAX_ERROR, "option \"{o}\" not recognized"),
            }
        }
        return Ok(Some(OwnStatement::CreateDatabase { name, owner, template, options }));
    }
    if t.word_is(0, "user") && !t.word_is(1, "mapping") || t.word_is(0, "role") || t.word_is(0, "group") {
        let login = t.word_is(0, "user");
        t.at += 1;
        let name = t.name()?;
        let attributes = role_parse::attributes(t)?;
        return Ok(Some(OwnStatement::CreateUser { name, attributes, login }));
    }
    t.eat("unlogged");
    if t.eat("table") {
        let if_not_exists = t.eat_all(&["if", "not", "exists"]);
        let Ok(name) = t.qualified() else { return Ok(None) };
        if !t.token(&Token::LParen) || !t.eat("like") {
            return Ok(None);
        }
        let source = t.qualified()?;
        let mut like = Like::default();
        loop {
            let on = t.eat("including");
            if !on && !t.eat("excluding") {
                break;
            }
            match t.name()?.as_str() {
                "all" => {
                    like =
                        Like { defaults: on, constraints: on, indexes: on, identity: on, generated: on, comments: on }
                }
                "defaults" => like.defaults = on,
                "constraints" => like.constraints = on,
                "indexes" => like.indexes = on,
                "identity" => like.identity = on,
                "generated" => like.generated = on,
                "comments" => like.comments = on,
                "statistics" | "storage" | "compression" => {}
                _ => {
                    t.at -= 1;
                    return Err(t.error());
                }
            }
        }
        if t.token(&Token::Comma) {
            return Err(Error::unsupported("LIKE beside other columns"));
        }
        if !t.token(&Token::RParen) {
            return Err(t.error());
        }
        return Ok(Some(OwnStatement::CreateTableLike { name, if_not_exists, source, like }));
    }
    Ok(None)
}

/// Sequence options up to the end or a closing parenthesis.
fn sequence_options(t: &mut Tokens) -> Result<sequence::Options> {
    let mut o = sequence::Options::default();
    while !t.done() && t.peek() != Some(&Token::RParen) {
        if t.eat("as") {
            o.ty = Some(data_type(t)?);
        } else if t.eat("increment") {
            t.eat("by");
            o.increment = Some(t.number()?);
        } else if t.eat("minvalue") {
            o.min = Some(Some(t.number()?));
        } else if t.eat("maxvalue") {
            o.max = Some(Some(t.number()?));
        } else if t.eat("no") {
            if t.eat("minvalue") {
                o.min = Some(None);
            } else if t.eat("maxvalue") {
                o.max = Some(None);
            } else {
                t.expect("cycle")?;
                o.cycle = Some(false);
            }
        } else if t.eat("start") {
            t.eat("with");
            o.start = Some(t.number()?);
        } else if t.eat("restart") {
            t.eat("with");
            o.restart = Some(if matches!(t.peek(), Some(Token::Number(..) | Token::Minus | Token::Plus)) {
                Some(t.number()?)
            } else {
                None
            });
        } else if t.eat("cache") {
            o.cache = Some(t.number()?);
        } else if t.eat("cycle") {
            o.cycle = Some(true);
        } else if t.eat_all(&["owned", "by"]) {
            o.owned_by = Some(if t.eat("none") { None } else { Some(t.qualified()?) });
        } else if t.eat_all(&["sequence", "name"]) {
            o.name = Some(t.qualified()?);
        } else if t.eat("logged") || t.eat("unlogged") {
        } else {
            return Err(t.error());
        }
    }
    Ok(o)
}
/// A type's tokens are the general parser's to read.
fn data_type(t: &mut Tokens) -> Result<DataType> {
    let i = t.ident()?;
    Parser::new(&PostgreSqlDialect {})
        .try_with_sql(&i.to_string())
        .and_then(|mut p| p.parse_data_type())
        .map_err(|_| t.error())
}

fn alter_statement(t: &mut Tokens) -> Result<Option<OwnStatement>> {
    if t.eat("sequence") {
        let if_exists = t.eat_all(&["if", "exists"]);
        let name = t.qualified()?;
        let action = if t.eat_all(&["rename", "to"]) {
            SequenceAction::Rename(t.qualified()?)
        } else if t.eat_all(&["owner", "to"]) {
            SequenceAction::Owner(t.name()?)
        } else if t.eat_all(&["set", "schema"]) {
            SequenceAction::Schema(t.name()?)
        } else {
            SequenceAction::Options(Box::new(sequence_options(t)?))
        };
        return Ok(Some(OwnStatement::AlterSequence { name, if_exists, action }));
    }
    if t.eat("database") {
        let name = t.name()?;
        let action = if t.eat_all(&["rename", "to"]) {
            DatabaseAction::Rename(t.name()?)
        } else if t.eat_all(&["owner", "to"]) {
            DatabaseAction::Owner(t.name()?)
        } else if t.eat_all(&["set", "tablespace"]) {
            t.name()?;
            DatabaseAction::Accepted
        } else if t.eat_all(&["refresh", "collation", "version"]) {
            DatabaseAction::Accepted
        } else if let Some(change) = role_parse::setting(t)? {
            DatabaseAction::Parameter(change)
        } else {
            t.eat("with");
            let mut options = DatabaseOptions::default();
            while !t.done() {
                let option = t.name()?;
                if option == "connection" {
                    t.expect("limit")?;
                }
                t.token(&Token::Eq);
                let value = match t.peek() {
                    Some(Token::Word(_)) => t.name()?,
                    Some(Token::SingleQuotedString(_)) => t.string()?,
                    _ => t.number()?.to_string(),
                };
                options.set(&option, &value)?;
            }
            DatabaseAction::Options(options)
        };
        return Ok(Some(OwnStatement::AlterDatabase { name, action }));
    }
    if t.word_is(0, "user") && !t.word_is(1, "mapping") || t.word_is(0, "role") || t.word_is(0, "group") {
        let group = t.word_is(0, "group");
        t.at += 1;
        return role_parse::alter(t, group).map(Some);
    }
    if t.eat_all(&["default", "privileges"]) {
        return grant::parse::defaults(t).map(|g| Some(OwnStatement::Grant(g)));
    }
    if t.eat("index") {
        let if_exists = t.eat_all(&["if", "exists"]);
        let name = t.qualified()?;
        let action = if t.eat_all(&["rename", "to"]) {
            IndexAction::Rename(t.qualified()?)
        } else if t.eat_all(&["set", "tablespace"]) {
            t.name()?;
            IndexAction::Accepted
        } else if let Some((settings, reset)) = parameters(t)? {
            IndexAction::Parameters(settings, reset)
        } else {
            return Err(Error::unsupported("this ALTER INDEX"));
        };
        return Ok(Some(OwnStatement::AlterIndex { name, if_exists, action }));
    }
    if t.eat("table") {
        return alter_table(t);
    }
    Ok(None)
}
/// SET (...) and RESET (...) of storage parameters; None, and nothing read: something else.
fn parameters(t: &mut Tokens) -> Result<Option<(Vec<Setting>, bool)>> {
    let reset = t.word_is(0, "reset");
    if !(reset || t.word_is(0, "set")) || t.list.get(t.at + 1) != Some(&Token::LParen) {
        return Ok(None);
    }
    t.at += 2;
    let mut out = Vec::new();
    loop {
        let mut name = t.name()?;
        let mut namespace = None;
        if t.token(&Token::Period) {
            namespace = Some(std::mem::replace(&mut name, t.name()?));
        }
        let value = if t.token(&Token::Eq) { Some(parameter_value(t)?) } else { None };
        out.push(Setting { namespace, name, value });
        if !t.token(&Token::Comma) {
            break;
        }
    }
    if t.token(&Token::RParen) { Ok(Some((out, reset))) } else { Err(t.error()) }
}
fn parameter_value(t: &mut Tokens) -> Result<String> {
    let sign = if t.token(&Token::Minus) { "-" } else { "" };
    match t.peek() {
        Some(Token::Number(n, _)) => {
            let v = format!("{sign}{n}");
            t.at += 1;
            Ok(v)
        }
        _ if !sign.is_empty() => Err(t.error()),
        Some(Token::Word(_)) => t.name(),
        _ => t.string(),
    }
}
/// Only what the general parser has not, and only as the statement's one action.
fn alter_table(t: &mut Tokens) -> Result<Option<OwnStatement>> {
    let if_exists = t.eat_all(&["if", "exists"]);
    t.eat("only");
    let Ok(name) = t.qualified() else { return Ok(None) };
    t.token(&Token::Mul);
    let table = |action| Ok(Some(OwnStatement::AlterTable { name: name.clone(), if_exists, action }));
    if t.eat_all(&["set", "schema"]) {
        let s = t.name()?;
        return table(TableAction::SetSchema(s));
    }
    if t.eat_all(&["set", "tablespace"])
        || t.eat_all(&["cluster", "on"])
        || t.eat_all(&["set", "without"])
        || t.eat_all(&["set", "access", "method"])
    {
        t.name()?;
        return table(TableAction::Accepted { column: None });
    }
    // Beside other actions they are the general parser's.
    let start = t.at;
    if let Some((settings, reset)) = parameters(t)? {
        if t.done() {
            return table(TableAction::Parameters(settings, reset));
        }
        t.at = start;
    }
    if !t.eat("alter") {
        return Ok(None);
    }
    t.eat("column");
    let Ok(column) = t.name() else { return Ok(None) };
    if t.eat_all(&["drop", "identity"]) {
        let if_exists = t.eat_all(&["if", "exists"]);
        return table(TableAction::DropIdentity { column, if_exists });
    }
    if t.eat_all(&["drop", "expression"]) {
        t.eat_all(&["if", "exists"]);
        return table(TableAction::DropExpression { column });
    }
    if t.eat_all(&["set", "statistics"]) {
        t.number()?;
        return table(TableAction::Accepted { column: Some(column) });
    }
    if t.eat_all(&["set", "storage"]) || t.eat_all(&["set", "compression"]) {
        t.name()?;
        return table(TableAction::Accepted { column: Some(column) });
    }
    if t.eat_all(&["add", "generated"]) {
        let identity = generated(t)?;
        t.expect("as")?;
        t.expect("identity")?;
        let mut options = sequence::Options::default();
        if t.token(&Token::LParen) {
            options = sequence_options(t)?;
            if !t.token(&Token::RParen) {
                return Err(t.error());
            }
        }
        return table(TableAction::AddIdentity { column, identity, options: Box::new(options) });
    }
    if t.word_is(0, "restart")
        || t.word_is(0, "set")
            && ["generated", "increment", "minvalue", "maxvalue", "start", "restart", "cache", "cycle", "no"]
                .iter()
                .any(|w| t.word_is(1, w))
    {
        let (mut identity, mut options) = (None, sequence::Options::default());
        while !t.done() {
            if t.eat_all(&["set", "generated"]) {
                identity = Some(generated(t)?);
                continue;
            }
            t.eat("set");
            // One option at a time: each has its own SET.
            let rest = t
                .list
                .iter()
                .skip(t.at)
                .position(
                    |x| matches!(x, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case("set")),
                )
                .map_or(t.list.len(), |n| t.at + n);
            let mut part = Tokens { list: t.list.get(t.at..rest).unwrap_or(&[]).to_vec(), at: 0 };
            let o = sequence_options(&mut part)?;
            part.end()?;
            t.at = rest;
            merge(&mut options, o);
        }
        return table(TableAction::SetIdentity { column, identity, options: Box::new(options) });
    }
    Ok(None)
}
fn generated(t: &mut Tokens) -> Result<Identity> {
    if t.eat("always") {
        return Ok(Identity::Always);
    }
    t.expect("by")?;
    t.expect("default")?;
    Ok(Identity::ByDefault)
}
fn merge(a: &mut sequence::Options, b: sequence::Options) {
    a.increment = b.increment.or(a.increment);
    a.min = b.min.or(a.min);
    a.max = b.max.or(a.max);
    a.start = b.start.or(a.start);
    a.restart = b.restart.or(a.restart);
    a.cache = b.cache.or(a.cache);
    a.cycle = b.cycle.or(a.cycle);
}

/// The name for 25001, as [`super::forbidden_in_block`].
impl OwnStatement {
    pub fn forbidden_in_block(&self) -> Option<&'static str> {
        match self {
            OwnStatement::CreateDatabase { .. } => Some("CREATE DATABASE"),
            OwnStatement::DropDatabase { .. } => Some("DROP DATABASE"),
            _ => None,
        }
    }
}

/// Executes a statement of [`parse_own`]; returns the command tag.
pub fn execute_own(s: &OwnStatement, cx: &mut DdlCtx) -> Result<String> {
    if cx.txn.read_only() {
        let words: Vec<&str> = cx.text.split_whitespace().take(2).collect();
        bail!(
            READ_ONLY_SQL_TRANSACTION,
            "cannot execute {} in a read-only transaction",
            words.join(" ").to_ascii_uppercase()
        );
    }
    let tag = match s {
        OwnStatement::CreateSequence { name, if_not_exists, temporary, options } => {
            sequence::create_with(*temporary, *if_not_exists, name, options, cx)?
        }
        OwnStatement::AlterSequence { name, if_exists, action } => alter_sequence(name, *if_exists, action, cx)?,
        OwnStatement::CreateDatabase { name, owner, template, options } => {
            database::create_database(name, false, owner.as_deref(), template.as_deref(), options, cx)?
        }
        OwnStatement::DropDatabase { name, if_exists } => {
            database::drop_database(&super::cx::one_name(name)?, *if_exists, cx)?;
            "DROP DATABASE"
        }
        OwnStatement::DropAbsent(d) => absent::drop(d, cx)?,
        OwnStatement::AlterDatabase { name, action } => match action {
            DatabaseAction::Rename(new) => database::rename_database(name, new, cx)?,
            DatabaseAction::Owner(o) => {
                let o = cx.role_named(o)?.oid;
                database::database_owner(name, o, cx)?
            }
            DatabaseAction::Parameter(change) => database::set(name, change, cx)?,
            DatabaseAction::Options(options) => database::options(name, options, cx)?,
            DatabaseAction::Accepted => "ALTER DATABASE",
        },
        OwnStatement::CreateUser { name, attributes, login } => {
            let a = role::Attributes { login: attributes.login.or(Some(*login)), ..attributes.clone() };
            role::create(name, &a, cx)?;
            "CREATE ROLE"
        }
        OwnStatement::AlterUser { name, attributes } => role::change(name, attributes, cx)?,
        OwnStatement::RenameRole { name, new } => role::rename(name, new, cx)?,
        OwnStatement::RoleSetting { name, database, change } => role::set(name, database.as_deref(), change, cx)?,
        OwnStatement::AlterGroup(g) => {
            grant::execute(&GrantStatement::Roles(g.clone()), cx)?;
            "ALTER ROLE"
        }
        OwnStatement::Grant(g) => grant::execute(g, cx)?,
        OwnStatement::AlterTable { name, if_exists, action } => alter_table_own(name, *if_exists, action, cx)?,
        OwnStatement::AlterIndex { name, if_exists, action } => match action {
            IndexAction::Rename(new) => alter::rename_index(name, new, *if_exists, cx)?,
            action => alter_index(name, *if_exists, action, cx)?,
        },
        OwnStatement::CreateExtension { name, if_not_exists } => create_extension(name, *if_not_exists, cx)?,
        OwnStatement::DropExtension { names, if_exists } => drop_extension(names, *if_exists, cx)?,
        OwnStatement::CreateTableLike { name, if_not_exists, source, like } => {
            table::create_like(name, *if_not_exists, source, *like, cx)?
        }
    };
    Ok(tag.to_string())
}
/// Extensions whose functions are built in: creating them succeeds and changes nothing. What of them is missing says so by its name.
const BUILT_IN_EXTENSIONS: &[&str] = &["pgcrypto", "uuid-ossp"];
/// The one that every database of PostgreSQL has; dumps create it.
const DEFAULT_EXTENSION: &str = "plpgsql";

fn create_extension(name: &str, if_not_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    if name == DEFAULT_EXTENSION {
        let e = err!(DUPLICATE_OBJECT, "extension \"{name}\" already exists");
        if !if_not_exists {
            return Err(e);
        }
        cx.notice_exists(&e);
    } else if !BUILT_IN_EXTENSIONS.contains(&name) {
        return Err(Error::unsupported(format!("extension \"{name}\"")));
    }
    Ok("CREATE EXTENSION")
}
fn drop_extension(names: &[String], if_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    for name in names {
        if name == DEFAULT_EXTENSION || BUILT_IN_EXTENSIONS.contains(&name.as_str()) {
            return Err(Error::unsupported("DROP EXTENSION of what is built in"));
        }
        if !if_exists {
            bail!(UNDEFINED_OBJECT, "extension \"{name}\" does not exist");
        }
        cx.notice(
            pamir_types::error::state::SUCCESSFUL_COMPLETION,
            format!("extension \"{name}\" does not exist, skipping"),
        );
    }
    Ok("DROP EXTENSION")
}

pub(super) fn alter_sequence(
    name: &ObjectName,
    if_exists: bool,
    action: &SequenceAction,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    const TAG: &str = "ALTER SEQUENCE";
    match action {
        SequenceAction::Options(o) => return sequence::alter(name, if_exists, o, cx),
        SequenceAction::Rename(new) => return alter::rename_relation(name, new, if_exists, TAG, cx),
        _ => {}
    }
    let Some(s) = sequence::find(name, if_exists, cx)? else { return Ok(TAG) };
    let mut s = (*s).clone();
    // An owner who is the owner already may be named.
    let same = match action {
        SequenceAction::Owner(o) => cx.role_named(o)?.oid == s.owner,
        _ => false,
    };
    if let (Some((t, _)), false) = (s.owned_by, same) {
        let t = cx.shown(t);
        let what = if matches!(action, SequenceAction::Owner(_)) {
            "change owner of sequence"
        } else {
            "move an owned sequence into another schema"
        };
        let e = if matches!(action, SequenceAction::Owner(_)) {
            err!(FEATURE_NOT_SUPPORTED, "cannot {what} \"{}\"", s.name)
        } else {
            err!(FEATURE_NOT_SUPPORTED, "cannot {what}")
        };
        return Err(e.detail(format!("Sequence \"{}\" is linked to table \"{t}\".", s.name)));
    }
    match action {
        SequenceAction::Owner(o) => {
            s.owner = cx.role_named(o)?.oid;
            cx.check_new_owner(s.owner, Some(s.schema))?;
        }
        SequenceAction::Schema(n) => {
            let Some(to) = cx.catalog.schema_by_name(cx.database(), n).map(|s| s.oid) else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{n}\" does not exist")
            };
            cx.use_schema(to, &s.name)?;
            s.schema = to;
        }
        _ => {}
    }
    cx.put(Object::Sequence(Arc::new(s)))?;
    Ok(TAG)
}
fn alter_index(name: &ObjectName, if_exists: bool, action: &IndexAction, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "ALTER INDEX";
    if if_exists && cx.resolve(name)?.is_none() {
        let (_, shown) = cx.split(name)?;
        cx.notice(
            pamir_types::error::state::SUCCESSFUL_COMPLETION,
            format!("relation \"{shown}\" does not exist, skipping"),
        );
        return Ok(TAG);
    }
    let (t, index) = super::remove::find_index(name, cx)?;
    if let IndexAction::Parameters(settings, reset) = action {
        let t = cx.lock_table(t.oid, TableLock::ShareUpdateExclusive)?;
        alter::set_parameters(t.oid, index, settings, *reset, cx)?;
    }
    Ok(TAG)
}
fn alter_table_own(name: &ObjectName, if_exists: bool, action: &TableAction, cx: &mut DdlCtx) -> Result<&'static str> {
    const TAG: &str = "ALTER TABLE";
    // ALTER TABLE also takes a sequence or an index for SET SCHEMA and OWNER.
    if let (TableAction::SetSchema(s), Some(Relation::Sequence(_))) = (action, cx.resolve(name)?) {
        alter_sequence(name, if_exists, &SequenceAction::Schema(s.clone()), cx)?;
        return Ok(TAG);
    }
    let Some(oid) = alter::open(name, if_exists, TableLock::AccessExclusive, cx)? else { return Ok(TAG) };
    match action {
        TableAction::SetSchema(s) => alter::set_schema(oid, s, cx)?,
        TableAction::AddIdentity { column, identity, options } => {
            let Some(t) = cx.catalog.table(oid).map(|t| (**t).clone()) else { return Ok(TAG) };
            let Some(a) = t.column_by_name(column).map(|c| c.attnum) else {
                bail!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{}\" does not exist", t.name)
            };
            alter::add_identity(t, a, *identity, (**options).clone(), cx)?;
        }
        TableAction::SetIdentity { column, identity, options } => {
            alter::set_identity(oid, column, *identity, options, cx)?
        }
        TableAction::DropIdentity { column, if_exists } => alter::drop_identity(oid, column, *if_exists, cx)?,
        TableAction::DropExpression { column } => alter::drop_expression(oid, column, cx)?,
        TableAction::Parameters(settings, reset) => alter::set_parameters(oid, oid, settings, *reset, cx)?,
        TableAction::Accepted { column: Some(c) } => {
            if let Some(t) = cx.catalog.table(oid)
                && t.column_by_name(c).is_none()
            {
                bail!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{}\" does not exist", t.name);
            }
        }
        TableAction::Accepted { column: None } => {}
    }
    Ok(TAG)
}

#[cfg(test)]
mod tests {
    use super::*;
    fn own(s: &str) -> OwnStatement {
        parse_own(s).unwrap().unwrap_or_else(|| panic!("not recognized: {s}"))
    }
    #[test]
    fn sequences_with_options_in_any_order() {
        let OwnStatement::CreateSequence { name, options, .. } = own(
            "CREATE SEQUENCE public.s AS integer START WITH 5 INCREMENT BY -2 NO MINVALUE MAXVALUE 7 CACHE 3 NO CYCLE OWNED BY t.a",
        ) else {
            panic!()
        };
        assert_eq!(name.to_string(), "public.s");
        assert_eq!(
            (options.start, options.increment, options.min, options.max),
            (Some(5), Some(-2), Some(None), Some(Some(7)))
        );
        assert_eq!((options.cache, options.cycle), (Some(3), Some(false)));
        assert!(options.ty.is_some());
        assert_eq!(options.owned_by.unwrap().unwrap().to_string(), "t.a");
        let OwnStatement::AlterSequence { action: SequenceAction::Options(o), .. } = own("alter sequence s restart")
        else {
            panic!()
        };
        assert_eq!(o.restart, Some(None));
        assert!(parse_own("CREATE SEQUENCE s START x").is_err());
    }
    #[test]
    fn tables_are_left_alone_unless_needed() {
        assert_eq!(parse_own("CREATE TABLE t (a int)").unwrap(), None);
        assert_eq!(parse_own("ALTER TABLE t ADD COLUMN a int").unwrap(), None);
        assert_eq!(parse_own("ALTER TABLE t ALTER COLUMN a SET NOT NULL").unwrap(), None);
        assert_eq!(parse_own("SELECT 1").unwrap(), None);
        let OwnStatement::CreateTableLike { like, .. } = own("create table b (like a including all excluding indexes)")
        else {
            panic!()
        };
        assert!(like.defaults && !like.indexes);
        let OwnStatement::AlterTable { action, .. } = own(
            "ALTER TABLE ONLY public.t ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME public.t_id_seq START WITH 1 CACHE 1)",
        ) else {
            panic!()
        };
        assert!(matches!(action, TableAction::AddIdentity { identity: Identity::ByDefault, .. }));
        let OwnStatement::AlterTable { action: TableAction::SetIdentity { identity, options, .. }, .. } =
            own("alter table t alter id set generated always set increment by 3 restart with 9")
        else {
            panic!()
        };
        assert_eq!((identity, options.increment, options.restart), (Some(Identity::Always), Some(3), Some(Some(9))));
    }
    #[test]
    fn users_and_databases() {
        let OwnStatement::CreateUser { attributes, login, .. } =
            own("CREATE USER bob WITH ENCRYPTED PASSWORD 'x' CREATEDB")
        else {
            panic!()
        };
        assert!(login);
        assert_eq!((attributes.password, attributes.createdb), (Some(Some("x".into())), Some(true)));
        let OwnStatement::CreateDatabase { owner, .. } =
            own("create database d owner = bob encoding 'UTF8' template template0")
        else {
            panic!()
        };
        assert_eq!(owner.as_deref(), Some("bob"));
        assert!(matches!(
            own("drop database if exists d with (force)"),
            OwnStatement::DropDatabase { if_exists: true, .. }
        ));
        assert!(matches!(
            own("ALTER DATABASE a RENAME TO b"),
            OwnStatement::AlterDatabase { action: DatabaseAction::Rename(_), .. }
        ));
    }
}
