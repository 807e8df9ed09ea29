//! The parser: one function for each production, or each group of them, of PostgreSQL 15's grammar (its gram.y).
//!
//! It is a recursive descent over a list of tokens. Where several productions begin alike, the tokens ahead decide, two or three of them; where that does not
//! suffice (a parenthesis may begin a query, an expression or a row) what is common is read once and the decision made behind it. Nothing is read twice, so a
//! parse is linear, and the token at which it fails is the first one that no statement could have there, which is PostgreSQL's place too.
//!
//! Operators go by precedence climbing ([`expr`]); the levels are PostgreSQL's.
//!
//! Limits: how deep trees may grow ([`Limits`]). What is too deep is 54001; the caller may try again on a larger stack.
mod alter;
mod create;
mod dml;
mod drop;
mod expr;
mod from;
mod func;
mod names;
mod object;
mod query;
mod role;
mod routine;
mod table;
mod types;
mod unbuilt;
mod utility;
mod xml;

use crate::keywords::Keyword as K;
use crate::lexer::{self, Kind, Token};
use crate::tree::*;
use pamir_types::{Error, Result, err, memory, work};

/// How large a text's trees may grow: both what is read by recursion and what is dropped by it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Levels of expressions, queries and tables within one another
    pub depth: usize,
    /// Operators that follow one another: each is a level of the tree.
    pub chain: usize,
    /// UNIONs and the like that follow one another
    pub sets: usize,
}
/// What fits the stack of a session.
pub const PLAIN: Limits = Limits { depth: 60, chain: 500, sets: 100 };
/// What PostgreSQL takes with its default of max_stack_depth, or more: for a stack of some 256 MiB.
pub const DEEP: Limits = Limits { depth: 6000, chain: 10_000, sets: 6000 };
/// Bytes of tree that a token may make: an expression. Most make less, lists that grow make up for it.
const NODE: usize = size_of::<Expr>();
/// What a level of nesting costs, in units of work.
const LEVEL: usize = 100;

/// Where an expression stands, if that decides which words end it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Plain,
    /// In a target list: a word may be the column's name.
    Target,
    /// The first argument of SUBSTRING, behind which SIMILAR may be no operator
    Substring,
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The token to be read
    i: usize,
    /// Why the tokens end early
    broken: Option<Error>,
    /// Where the statement's text begins: places count from here.
    base: u32,
    limits: Limits,
    depth: usize,
    context: Context,
    /// Forms of stored expressions that the grammar lacks are taken.
    pub stored: bool,
    /// Within CREATE SCHEMA, which holds fewer kinds of CREATE
    in_schema: bool,
    /// What is to be said though nothing is wrong: names that were cut
    pub notices: Vec<Error>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, limits: Limits) -> Result<Parser<'a>> {
        let t = lexer::tokens(text)?;
        memory::admit(t.list.len() * NODE)?;
        Ok(Parser {
            text,
            tokens: t.list,
            i: 0,
            broken: t.error,
            base: 0,
            limits,
            depth: 0,
            context: Context::Plain,
            stored: false,
            in_schema: false,
            notices: Vec::new(),
        })
    }

    // ---- tokens ----

    fn token(&self) -> Token {
        self.tokens[self.i]
    }
    fn kind(&self) -> Kind {
        self.tokens[self.i].kind
    }
    /// The kind of a token `n` further on.
    fn ahead(&self, n: usize) -> Kind {
        self.tokens.get(self.i + n).map_or(Kind::End, |t| t.kind)
    }
    fn at(&self) -> At {
        self.place(self.token())
    }
    fn place(&self, t: Token) -> At {
        At(t.start - self.base)
    }
    fn bump(&mut self) -> Token {
        let t = self.tokens[self.i];
        // The last token stays.
        if self.i + 1 < self.tokens.len() {
            self.i += 1;
        }
        t
    }
    fn is(&self, k: Kind) -> bool {
        self.kind() == k
    }
    fn eat(&mut self, k: Kind) -> bool {
        let is = self.kind() == k;
        if is {
            self.bump();
        }
        is
    }
    fn expect(&mut self, k: Kind) -> Result<Token> {
        if self.kind() == k { Ok(self.bump()) } else { self.unexpected() }
    }
    fn word(&self) -> Option<K> {
        match self.kind() {
            Kind::Keyword(k) => Some(k),
            _ => None,
        }
    }
    fn is_word(&self, k: K) -> bool {
        self.kind() == Kind::Keyword(k)
    }
    fn word_ahead(&self, n: usize, k: K) -> bool {
        self.ahead(n) == Kind::Keyword(k)
    }
    fn eat_word(&mut self, k: K) -> bool {
        self.eat(Kind::Keyword(k))
    }
    fn expect_word(&mut self, k: K) -> Result<Token> {
        self.expect(Kind::Keyword(k))
    }
    /// All of them, one after the other.
    fn expect_words(&mut self, words: &[K]) -> Result<()> {
        words.iter().try_for_each(|k| self.expect_word(*k).map(drop))
    }
    /// All of them, or none is taken.
    fn eat_words(&mut self, words: &[K]) -> bool {
        let all = words.iter().enumerate().all(|(n, k)| self.word_ahead(n, *k));
        if all {
            self.i += words.len();
        }
        all
    }
    /// One of them.
    fn one_of(&mut self, words: &[K]) -> Option<K> {
        let k = self.word().filter(|k| words.contains(k))?;
        self.bump();
        Some(k)
    }
    fn expect_one_of(&mut self, words: &[K]) -> Result<K> {
        match self.one_of(words) {
            Some(k) => Ok(k),
            None => self.unexpected(),
        }
    }

    // ---- errors ----

    /// The token ahead cannot be there.
    fn unexpected<T>(&mut self) -> Result<T> {
        Err(self.wrong("syntax error"))
    }
    /// `message at or near "..."`, of the token ahead.
    fn wrong(&mut self, message: &str) -> Error {
        let t = self.token();
        match (t.kind, self.broken.take()) {
            (Kind::Error, Some(e)) => e,
            (Kind::End, _) => {
                err!(SYNTAX_ERROR, "{message} at end of input").at(Some(lexer::position(self.text, t.start as usize)))
            }
            _ => {
                let near = &self.text[t.start as usize..t.end as usize];
                err!(SYNTAX_ERROR, "{message} at or near \"{near}\"")
                    .at(Some(lexer::position(self.text, t.start as usize)))
            }
        }
    }
    /// Gives the error the place `at`.
    fn at_place(&self, e: Error, at: At) -> Error {
        if at == At::NOWHERE { e } else { e.at(Some(lexer::position(self.text, (at.0 + self.base) as usize))) }
    }
    fn too_deep<T>(&self) -> Result<T> {
        Err(err!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded")
            .hint("The statement nests more than this server takes."))
    }
    /// Runs `f` a level deeper.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        work::charge(LEVEL)?;
        if self.depth >= self.limits.depth {
            return self.too_deep();
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        r
    }

    // ---- lists ----

    /// `item, item, ...`
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut out = vec![item(self)?];
        while self.eat(Kind::Comma) {
            out.push(item(self)?);
        }
        Ok(out)
    }
    /// `(item, item, ...)`
    fn parenthesized<T>(&mut self, item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect(Kind::LParen)?;
        let out = self.list(item)?;
        self.expect(Kind::RParen)?;
        Ok(out)
    }
    /// `[(item, ...)]`
    fn opt_parenthesized<T>(&mut self, item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if self.is(Kind::LParen) { self.parenthesized(item) } else { Ok(Vec::new()) }
    }

    // ---- statements ----

    /// All statements of the text, each with the bytes that it takes.
    pub fn statements(&mut self) -> Result<Vec<(Statement, std::ops::Range<usize>)>> {
        let mut out = Vec::new();
        let mut start = 0;
        loop {
            self.base = start as u32;
            if !matches!(self.kind(), Kind::Semicolon | Kind::End) {
                let stmt = self.toplevel()?;
                out.push((stmt, start..self.token().start as usize));
            }
            match self.kind() {
                Kind::Semicolon => start = self.bump().end as usize,
                Kind::End => return Ok(out),
                _ => return self.unexpected(),
            }
        }
    }
    pub fn whole_expr(&mut self) -> Result<Expr> {
        self.expr()
    }
    pub fn whole_type(&mut self) -> Result<TypeName> {
        self.type_name()
    }
    /// Nothing may follow.
    pub fn end(&mut self) -> Result<()> {
        if self.is(Kind::End) { Ok(()) } else { self.unexpected() }
    }
    fn toplevel(&mut self) -> Result<Statement> {
        match self.word() {
            Some(K::Begin) => {
                self.bump();
                self.opt_transaction();
                Ok(Statement::Transaction(Transaction::Begin(self.opt_transaction_modes()?)))
            }
            Some(K::End) => {
                self.bump();
                self.opt_transaction();
                Ok(Statement::Transaction(Transaction::Commit { chain: self.opt_chain()? }))
            }
            _ => self.statement(),
        }
    }
    fn statement(&mut self) -> Result<Statement> {
        if self.is(Kind::LParen) || self.is(Kind::WithLa) {
            return self.preparable();
        }
        let Some(k) = self.word() else { return self.unexpected() };
        match k {
            K::Select | K::Values | K::Table | K::With | K::Insert | K::Update | K::Delete | K::Merge => {
                self.preparable()
            }
            K::Create => self.create(),
            K::Alter => self.alter(),
            K::Drop => self.drop_statement(),
            K::Set => self.set(),
            K::Reset => self.reset().map(|s| Statement::Set(Box::new(s))),
            K::Show => self.show(),
            K::Abort | K::Start | K::Commit | K::Rollback | K::Savepoint | K::Release => {
                self.transaction().map(Statement::Transaction)
            }
            K::Prepare => self.prepare(),
            K::Execute => self.execute().map(|e| Statement::Execute(Box::new(e))),
            K::Deallocate => self.deallocate(),
            K::Explain => self.explain(),
            K::Declare => self.declare(),
            K::Fetch | K::Move => self.fetch(),
            K::Close => self.close(),
            K::Copy => self.copy(),
            K::Truncate => self.truncate(),
            K::Comment => self.comment(),
            K::Security => self.security_label(),
            K::Grant => self.grant(),
            K::Revoke => self.revoke(),
            K::Reassign => self.reassign(),
            K::Lock => self.lock(),
            K::Vacuum => self.vacuum(),
            K::Analyze | K::Analyse => self.analyze(),
            K::Cluster => self.cluster(),
            K::Reindex => self.reindex(),
            K::Refresh => self.refresh().map(|r| Statement::Refresh(Box::new(r))),
            K::Checkpoint => self.only(Statement::Checkpoint),
            K::Discard => self.discard(),
            K::Load => self.load(),
            K::Notify => self.notify(),
            K::Listen => self.listen(),
            K::Unlisten => self.unlisten(),
            K::Call => self.call_statement(),
            K::Do => self.do_statement(),
            K::Import => self.import_foreign_schema(),
            _ => self.unexpected(),
        }
    }
    /// A statement of one word
    fn only(&mut self, s: Statement) -> Result<Statement> {
        self.bump();
        Ok(s)
    }
}
