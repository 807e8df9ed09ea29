//! From a body to its tree, by the rules of PostgreSQL's `pl_gram.y`.
//!
//! ```text
//!   body --pamir_parse::lexer--> tokens --declare, statement--> tree::Function
//!                                  '--> pieces of SQL, up to the word that ends them, parsed once to see that they are SQL
//! ```
//! Words are the language's only where a statement begins, and there only if nothing is assigned to them: `if := 1` assigns to a variable.
//!
//! - [`declare`]: DECLARE. - [`statement`]: statements, [`into`]: what they assign to, and the ends of SQL within them.
mod declare;
mod into;
mod statement;

pub(crate) use statement::state_of;

use crate::tree::{Block, Function, Returns, Scope, Sql, SqlKind, TriggerVars, Var};
use crate::{Catalog, VarType};
use pamir_expr::names::Conflict;
use pamir_parse::lexer::{self, Kind, Token};
use pamir_parse::{Limits, PLAIN};
use pamir_types::error::Severity;
use pamir_types::{Error, Oid, Result, Type, bail, err, oid, work};

/// What there is to know of a function beside its body.
pub struct Header<'a> {
    pub name: &'a str,
    pub signature: String,
    /// (name, type, is it an OUT parameter, is it an IN parameter) of each parameter.
    pub params: Vec<Param>,
    pub returns: Returns,
    pub fires: Fires,
    pub settings: Settings,
}
/// What the session's settings say of how a body is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// plpgsql.variable_conflict
    pub conflict: Conflict,
    /// plpgsql.print_strict_params
    pub print_strict: bool,
    /// Is it told, or an error, where a variable hides another one? (plpgsql.extra_warnings, extra_errors)
    pub shadowed: Option<Severity>,
}
/// Is it a trigger's function?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fires {
    No,
    /// ... of a table.
    Rows,
    /// ... of definitions: its arguments are TG_EVENT and TG_TAG.
    Events,
}
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: VarType,
    pub input: bool,
    pub output: bool,
}

/// Variables of triggers, with their types.
pub const TG: &[(&str, Oid)] = &[
    ("tg_name", oid::NAME),
    ("tg_when", oid::TEXT),
    ("tg_level", oid::TEXT),
    ("tg_op", oid::TEXT),
    ("tg_relid", oid::OID),
    ("tg_relname", oid::NAME),
    ("tg_table_name", oid::NAME),
    ("tg_table_schema", oid::NAME),
    ("tg_nargs", oid::INT4),
    ("tg_argv", 1009),
];

/// May its statements say CURRENT OF?
fn names_current(body: &str) -> bool {
    let word = b"current";
    body.as_bytes().windows(word.len()).any(|w| w.eq_ignore_ascii_case(word))
}
/// Reads a body.
pub fn parse(body: &str, h: Header, catalog: &mut dyn Catalog) -> Result<Function> {
    let tokens = lexer::tokens(body)?;
    let mut lines = vec![0];
    lines.extend(body.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 as u32 + 1));
    let function = Function {
        name: h.name.to_string(),
        signature: h.signature,
        vars: Vec::new(),
        args: Vec::new(),
        inputs: Vec::new(),
        scopes: vec![Scope { label: Some(h.name.to_string()), vars: Vec::new(), outer: None }],
        body: Block { line: 1, label: None, declares: Vec::new(), body: Vec::new(), handlers: None },
        sqls: 0,
        found: 0,
        returns: h.returns,
        out: Vec::new(),
        conflict: h.settings.conflict,
        trigger: None,
        print_strict: h.settings.print_strict,
        current_of: names_current(body),
        warnings: Vec::new(),
    };
    let mut p = Parser {
        text: body,
        tokens: tokens.list,
        error: tokens.error,
        lines,
        at: 0,
        f: function,
        scope: 0,
        labels: Vec::new(),
        depth: 0,
        shadowed: h.settings.shadowed,
        catalog,
    };
    p.parameters(h.params, h.fires)?;
    p.options()?;
    let block = p.outer_block()?;
    p.f.body = block;
    Ok(p.f)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    error: Option<Error>,
    /// Where lines begin.
    lines: Vec<u32>,
    at: usize,
    f: Function,
    scope: usize,
    /// Labels that are open, with whether they are loops'; a loop without one has none.
    labels: Vec<(Option<String>, bool)>,
    depth: usize,
    shadowed: Option<Severity>,
    catalog: &'a mut dyn Catalog,
}

/// Statements within statements.
const MAX_DEPTH: usize = 300;
const LIMITS: Limits = PLAIN;

impl Parser<'_> {
    fn parameters(&mut self, params: Vec<Param>, fires: Fires) -> Result<()> {
        for (i, p) in params.into_iter().enumerate() {
            let name = if p.name.is_empty() { format!("${}", i + 1) } else { p.name };
            let n = self.variable(&name, p.ty, 0)?;
            self.f.args.push(n);
            if p.input {
                self.f.inputs.push(n);
            }
            if p.output {
                self.f.out.push(n);
            }
        }
        self.f.found = self.variable("found", VarType::Plain(Type::BOOL), 0)?;
        if fires == Fires::Events {
            for name in ["tg_event", "tg_tag"] {
                let n = self.variable(name, VarType::Plain(Type::TEXT), 0)?;
                self.f.inputs.push(n);
            }
        }
        if fires == Fires::Rows {
            let new = self.variable("new", VarType::Record, 0)?;
            let old = self.variable("old", VarType::Record, 0)?;
            let first = self.f.vars.len();
            for (name, ty) in TG {
                self.variable(name, VarType::Plain(Type::new(*ty)), 0)?;
            }
            self.f.trigger = Some(TriggerVars { new, old, first });
        }
        Ok(())
    }
    /// A new variable of the present scope.
    fn variable(&mut self, name: &str, ty: VarType, line: u32) -> Result<usize> {
        let n = self.f.vars.len();
        if n >= usize::from(u16::MAX) - 1 {
            bail!(PROGRAM_LIMIT_EXCEEDED, "a function has too many variables");
        }
        let (constant, not_null, default, cursor) = Default::default();
        self.f.vars.push(Var { name: name.to_string(), ty, constant, not_null, default, line, cursor });
        if let Some(s) = self.f.scopes.get_mut(self.scope) {
            s.vars.push((name.to_string(), n));
        }
        Ok(n)
    }
    fn push_scope(&mut self, label: Option<String>) -> usize {
        self.f.scopes.push(Scope { label, vars: Vec::new(), outer: Some(self.scope) });
        std::mem::replace(&mut self.scope, self.f.scopes.len() - 1)
    }
    /// `#variable_conflict use_column` and its like.
    fn options(&mut self) -> Result<()> {
        while self.text_of(self.now()) == "#" {
            self.bump()?;
            let (what, how) = (self.any_word()?, self.any_word()?);
            match (what.as_str(), how.as_str()) {
                ("variable_conflict", "error") => self.f.conflict = Conflict::Error,
                ("variable_conflict", "use_variable") => self.f.conflict = Conflict::Variable,
                ("variable_conflict", "use_column") => self.f.conflict = Conflict::Column,
                ("print_strict_params", v @ ("on" | "off")) => self.f.print_strict = v == "on",
                ("option", "dump") => {}
                _ => return self.unexpected_before(),
            }
        }
        Ok(())
    }
    fn outer_block(&mut self) -> Result<Block> {
        let label = self.label()?;
        let block = self.block(label)?;
        self.eat(Kind::Semicolon)?;
        match self.now().kind {
            Kind::End => Ok(block),
            _ => self.unexpected(),
        }
    }

    // ---- tokens ----

    fn now(&self) -> Token {
        self.ahead(0)
    }
    fn ahead(&self, n: usize) -> Token {
        let last = Token { kind: Kind::End, start: self.text.len() as u32, end: self.text.len() as u32 };
        self.tokens.get(self.at + n).or(self.tokens.last()).copied().unwrap_or(last)
    }
    fn kind(&self) -> Kind {
        self.now().kind
    }
    fn text_of(&self, t: Token) -> &str {
        self.text.get(t.start as usize..t.end as usize).unwrap_or("")
    }
    fn line_of(&self, t: Token) -> u32 {
        self.lines.partition_point(|l| *l <= t.start) as u32
    }
    fn line(&self) -> u32 {
        self.line_of(self.now())
    }
    fn bump(&mut self) -> Result<Token> {
        work::charge(20)?;
        let t = self.now();
        if t.kind == Kind::Error
            && let Some(e) = self.error.take()
        {
            return Err(e);
        }
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        Ok(t)
    }
    fn eat(&mut self, k: Kind) -> Result<bool> {
        let hit = self.kind() == k;
        if hit {
            self.bump()?;
        }
        Ok(hit)
    }
    fn expect(&mut self, k: Kind) -> Result<Token> {
        if self.kind() == k { self.bump() } else { self.unexpected() }
    }
    /// The word that an unquoted token is, in lower case.
    fn word_at(&self, n: usize) -> Option<String> {
        let t = self.ahead(n);
        let s = self.text_of(t);
        let plain = match t.kind {
            Kind::Keyword(_) | Kind::NotLa | Kind::NullsLa | Kind::WithLa => true,
            Kind::Ident => !s.starts_with('"') && !s.get(..2).is_some_and(|u| u.eq_ignore_ascii_case("u&")),
            _ => false,
        };
        plain.then(|| s.to_lowercase())
    }
    fn is(&self, word: &str) -> bool {
        self.is_at(0, word)
    }
    fn is_at(&self, n: usize, word: &str) -> bool {
        let t = self.ahead(n);
        !matches!(t.kind, Kind::Str | Kind::End) && self.text_of(t).eq_ignore_ascii_case(word)
    }
    fn eat_word(&mut self, word: &str) -> Result<bool> {
        let hit = self.is(word);
        if hit {
            self.bump()?;
        }
        Ok(hit)
    }
    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { self.unexpected() }
    }
    /// A word or a name.
    fn any_word(&mut self) -> Result<String> {
        let t = self.now();
        match t.kind {
            Kind::Ident => {
                self.bump()?;
                Ok(lexer::name(self.text, t)?.0)
            }
            Kind::Keyword(_) | Kind::NotLa | Kind::NullsLa | Kind::WithLa => {
                self.bump()?;
                Ok(self.text_of(t).to_lowercase())
            }
            _ => self.unexpected(),
        }
    }
    fn string(&mut self) -> Result<String> {
        let t = self.expect(Kind::Str)?;
        lexer::string(self.text, t)
    }
    fn unexpected<T>(&mut self) -> Result<T> {
        self.unexpected_at(self.now())
    }
    fn unexpected_before<T>(&mut self) -> Result<T> {
        let t = self.tokens.get(self.at.saturating_sub(1)).copied().unwrap_or(self.now());
        self.unexpected_at(t)
    }
    fn unexpected_at<T>(&mut self, t: Token) -> Result<T> {
        if t.kind == Kind::Error
            && let Some(e) = self.error.take()
        {
            return Err(e);
        }
        let e = match t.kind {
            Kind::End => err!(SYNTAX_ERROR, "syntax error at end of input"),
            _ => err!(SYNTAX_ERROR, "syntax error at or near \"{}\"", self.text_of(t)),
        };
        Err(self.place(e, t))
    }
    /// An error at a token.
    fn place(&self, e: Error, t: Token) -> Error {
        e.at(Some(lexer::position(self.text, t.start as usize)))
    }
    /// An error at a token, which its message names.
    fn near(&self, e: Error, t: Token) -> Error {
        let whole = format!("{} at or near \"{}\"", e.message(), self.text_of(t));
        self.place(Error::new(e.code(), whole), t)
    }
    /// An error that tells of its line alone.
    fn on_line(&self, e: Error, t: Token) -> Error {
        let line = self.line_of(t);
        e.context(format!("compilation of PL/pgSQL function \"{}\" near line {line}", self.f.name))
    }
    /// `<<label>>`, before a block or a loop.
    fn label(&mut self) -> Result<Option<String>> {
        if self.text_of(self.now()) != "<<" {
            return Ok(None);
        }
        self.bump()?;
        let name = self.any_word()?;
        if self.text_of(self.now()) != ">>" {
            return self.unexpected();
        }
        self.bump()?;
        Ok(Some(name))
    }
    /// The label behind END, which must be the one before it.
    fn end_label(&mut self, label: &Option<String>) -> Result<()> {
        if matches!(self.kind(), Kind::Semicolon | Kind::End) {
            return Ok(());
        }
        let t = self.now();
        let end = self.any_word()?;
        let e = match label {
            Some(l) if *l == end => return Ok(()),
            Some(l) => err!(SYNTAX_ERROR, "end label \"{end}\" differs from block's label \"{l}\""),
            None => err!(SYNTAX_ERROR, "end label \"{end}\" specified for unlabeled block"),
        };
        Err(self.place(e, t))
    }

    // ---- names ----

    /// What a variable's path means here: the variable, and the rest of the path.
    fn find<'p>(&self, path: &'p [String]) -> Option<(usize, &'p [String])> {
        let (first, rest) = path.split_first()?;
        let mut at = Some(self.scope);
        while let Some(s) = at.and_then(|i| self.f.scopes.get(i)) {
            if let Some(v) = s.vars.iter().rev().find(|v| v.0 == *first) {
                return Some((v.1, rest));
            }
            if s.label.as_ref() == Some(first)
                && let Some((second, rest)) = rest.split_first()
                && let Some(v) = s.vars.iter().rev().find(|v| v.0 == *second)
            {
                return Some((v.1, rest));
            }
            at = s.outer;
        }
        None
    }
    fn is_row(&self, var: usize) -> bool {
        matches!(self.f.vars.get(var).map(|v| v.ty), Some(VarType::Record | VarType::Row(_)))
    }

    // ---- SQL ----

    /// The tokens up to one that `ends` at no depth of parentheses; they are passed.
    fn piece(&mut self, ends: &dyn Fn(&Self) -> bool, what: &str) -> Result<(u32, u32)> {
        let start = self.now().start;
        let (mut end, mut depth) = (start, 0usize);
        loop {
            if depth == 0 && ends(self) {
                return Ok((start, end));
            }
            match self.kind() {
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RParen | Kind::RBracket => match depth.checked_sub(1) {
                    Some(d) => depth = d,
                    None => return self.unexpected(),
                },
                Kind::End | Kind::Semicolon => {
                    let e = if depth > 0 {
                        err!(SYNTAX_ERROR, "mismatched parentheses")
                    } else if self.kind() == Kind::Semicolon {
                        err!(SYNTAX_ERROR, "missing \"{what}\" at end of SQL expression")
                    } else {
                        return self.unexpected();
                    };
                    return Err(self.place(e, self.now()));
                }
                _ => {}
            }
            end = self.now().end;
            self.bump()?;
        }
    }
    /// An expression that ends before one of the words or kinds.
    fn expr_until(&mut self, ends: &[&str]) -> Result<Sql> {
        let what = ends.first().copied().unwrap_or(";");
        let at = self.now();
        let (start, end) = self.piece(&|p| ends.iter().any(|e| p.is(e)), &what.to_uppercase())?;
        if start == end {
            return Err(self.near(err!(SYNTAX_ERROR, "missing expression"), at));
        }
        self.sql_of(start, end, SqlKind::Expr)
    }
    /// The expression up to the end of a statement, which may be none: that is a query without columns.
    fn expr_or_none(&mut self) -> Result<Sql> {
        let (start, end) = self.piece(&|p| p.kind() == Kind::Semicolon, ";")?;
        self.sql_of(start, end, SqlKind::Expr)
    }
    fn sql_of(&mut self, start: u32, end: u32, kind: SqlKind) -> Result<Sql> {
        let text = self.text.get(start as usize..end as usize).unwrap_or("").to_string();
        self.checked(text, start, kind)
    }
    /// SQL of a text that stands at `start`, if it is SQL.
    fn checked(&mut self, text: String, start: u32, kind: SqlKind) -> Result<Sql> {
        let r = match kind {
            SqlKind::Expr => pamir_parse::parse_plpgsql_expr(&text, LIMITS).map(|_| ()),
            SqlKind::Statement => pamir_parse::parse(&text, LIMITS).map(|_| ()),
        };
        if let Err(e) = r {
            let chars = lexer::position(self.text, start as usize);
            let at = e.data().position.map(|p| p + chars - 1);
            return Err(e.placed_at(at));
        }
        Ok(self.unchecked(text, kind))
    }
    fn unchecked(&mut self, text: String, kind: SqlKind) -> Sql {
        let upto = self.f.scopes.get(self.scope).map_or(0, |s| s.vars.len());
        let number = self.f.sqls;
        self.f.sqls += 1;
        Sql { text, before: String::new(), scope: self.scope, upto, number, kind, slot: Default::default() }
    }
}

#[cfg(test)]
mod tests;
