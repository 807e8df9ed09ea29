//! Statements recognized without sqlparser.
mod absent;
mod copy;

use super::rewrite::is_word;
use super::{Discard, FetchDirection, ReindexKind, Stmt, TableTarget, fold_str, near, parse_sql};
use pamir_txn::TableLock;
use pamir_types::datetime::parse_interval;
use pamir_types::{Result, err};
use sqlparser::ast::IntervalFields;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// A cursor over one statement's tokens.
struct Cur<'a> {
    tokens: &'a [TokenWithSpan],
    i: usize,
    text: &'a str,
}

/// Who parses a statement that starts with a word.
pub(super) enum First {
    Sql,
    Special,
    Both,
}

pub(super) fn first(tokens: &[TokenWithSpan]) -> First {
    let Some(Token::Word(w)) = tokens.first().map(|t| &t.token) else { return First::Sql };
    let is = |list: &[&str]| list.iter().any(|x| w.value.eq_ignore_ascii_case(x));
    if w.quote_style.is_some() || is(&["select", "insert", "update", "delete", "with", "values", "begin"]) {
        return First::Sql;
    }
    let second = |x: &str| is_word(tokens.get(1), x);
    if is(&[
        "checkpoint",
        "copy",
        "vacuum",
        "analyze",
        "analyse",
        "reindex",
        "lock",
        "create",
        "drop",
        "alter",
        "merge",
        "call",
        "do",
        "cluster",
        "load",
        "import",
        "reassign",
        "listen",
        "unlisten",
        "notify",
        "security",
        "refresh",
        "move",
        "declare",
        "fetch",
        "close",
    ]) || (is(&["prepare"]) && second("transaction"))
        || (is(&["commit", "end", "rollback", "abort"]) && second("prepared"))
        || (is(&["set"]) && second("constraints"))
    {
        return First::Special;
    }
    if is(&["set", "reset", "show", "discard", "comment"]) { First::Both } else { First::Sql }
}

/// The statements about prepared transactions, if `sql` is nothing but one of them and written plainly: words and a string without quotes inside, white
/// space between, perhaps a semicolon. Everything else, errors among it, takes the way through the tokens ([`recognize`]), which says the same of these.
pub(super) fn plain(sql: &str) -> Option<Stmt> {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let (first, rest) = sql.trim_start_matches(SPACE).split_once(SPACE)?;
    let is = |word: &str| first.eq_ignore_ascii_case(word);
    let (second, make): (&str, fn(String) -> Stmt) = if is("prepare") {
        ("transaction", Stmt::PrepareTransaction)
    } else if is("commit") {
        ("prepared", Stmt::CommitPrepared)
    } else if is("rollback") {
        ("prepared", Stmt::RollbackPrepared)
    } else {
        return None;
    };
    let (word, rest) = rest.trim_start_matches(SPACE).split_once(SPACE)?;
    let (gid, end) = rest.trim_start_matches(SPACE).strip_prefix('\'')?.split_once('\'')?;
    let end = end.trim_matches(SPACE);
    (word.eq_ignore_ascii_case(second) && (end.is_empty() || end == ";")).then(|| make(gid.into()))
}

/// None: sqlparser's business.
pub(super) fn recognize(tokens: &[TokenWithSpan], text: &str) -> Result<Option<Stmt>> {
    let mut c = Cur { tokens, i: 0, text };
    let Some(Token::Word(w)) = c.peek() else { return Ok(None) };
    if w.quote_style.is_some() {
        return Ok(None);
    }
    let first = w.value.to_ascii_lowercase();
    c.i = 1;
    Ok(Some(match first.as_str() {
        "select" | "insert" | "update" | "delete" | "with" | "values" | "begin" | "create" | "drop" => {
            return create_like(&mut c, &first);
        }
        "prepare" if c.word("transaction") => {
            let g = c.string()?;
            c.done(Stmt::PrepareTransaction(g))?
        }
        "commit" | "end" if c.word("prepared") => {
            let g = c.string()?;
            c.done(Stmt::CommitPrepared(g))?
        }
        "rollback" | "abort" if c.word("prepared") => {
            let g = c.string()?;
            c.done(Stmt::RollbackPrepared(g))?
        }
        "checkpoint" => c.done(Stmt::Checkpoint)?,
        "copy" => copy::copy(&mut c)?,
        "vacuum" => vacuum(&mut c)?,
        "analyze" | "analyse" => {
            if c.token(&Token::LParen) {
                while !c.token(&Token::RParen) {
                    c.next()?;
                }
            } else {
                c.word("verbose");
            }
            let tables = c.table_targets()?;
            c.done(Stmt::Analyze { tables })?
        }
        "reindex" => reindex(&mut c)?,
        "lock" => lock(&mut c)?,
        "discard" => {
            let what = c.name()?;
            let d = match what.as_str() {
                "all" => Discard::All,
                "plans" => Discard::Plans,
                "sequences" => Discard::Sequences,
                "temp" | "temporary" => Discard::Temp,
                _ => return Err(c.back_error()),
            };
            c.done(Stmt::Discard(d))?
        }
        "set" => return set(&mut c),
        "reset" => {
            if c.word("session") {
                if c.word("authorization") {
                    return Ok(Some(c.done(Stmt::Reset(Some("session_authorization".into())))?));
                }
                return Err(c.error());
            }
            if c.word("time") {
                if c.word("zone") {
                    return Ok(Some(c.done(Stmt::Reset(Some("timezone".into())))?));
                }
                return Err(c.error());
            }
            let n = c.setting_name()?;
            c.done(Stmt::Reset(if n == "all" { None } else { Some(n) }))?
        }
        "show" => {
            let n = if c.word("time") {
                c.expect("zone")?;
                "timezone".to_string()
            } else if c.word("transaction") {
                c.expect("isolation")?;
                c.expect("level")?;
                "transaction_isolation".to_string()
            } else if c.word("session") {
                c.expect("authorization")?;
                "session_authorization".to_string()
            } else {
                c.setting_name()?
            };
            c.done(Stmt::Show(n))?
        }
        "declare" => declare(&mut c)?,
        "fetch" | "move" => fetch(&mut c, first == "move")?,
        "close" => {
            let n = c.name()?;
            let all = n == "all" && c.tokens[c.i - 1].token.to_string() != "\"all\"";
            c.done(Stmt::Close(if all { None } else { Some(n) }))?
        }
        "comment" => return comment(&mut c),
        "unlisten" => {
            if !c.token(&Token::Mul) {
                c.name()?;
            }
            c.done(Stmt::Unlisten)?
        }
        "listen" | "notify" => Stmt::Unsupported(first.to_ascii_uppercase()),
        "merge" | "call" | "do" | "cluster" | "load" | "import" | "reassign" => {
            Stmt::Unsupported(first.to_ascii_uppercase())
        }
        "security" if c.word("label") => Stmt::Unsupported("SECURITY LABEL".into()),
        "refresh" if c.word("materialized") => Stmt::Unsupported("REFRESH MATERIALIZED VIEW".into()),
        "alter" => return alter_like(&mut c),
        _ => return Ok(None),
    }))
}

/// Objects that are known and not supported, so that the answer is not a syntax error.
fn create_like(c: &mut Cur, first: &str) -> Result<Option<Stmt>> {
    if first != "create" && first != "drop" {
        return Ok(None);
    }
    let verb = if first == "create" { "CREATE" } else { "DROP" };
    if first == "create" && c.word("or") {
        c.word("replace");
    }
    if first == "drop" {
        if let Some(s) = absent::drop(c)? {
            return Ok(Some(s));
        }
        // sqlparser reads these.
        if is_word(c.tokens.get(c.i), "type") || is_word(c.tokens.get(c.i), "collation") {
            return Ok(None);
        }
    }
    let procedural = c.word("procedural") | c.word("trusted");
    for (word, shown) in [
        ("language", "LANGUAGE"),
        ("rule", "RULE"),
        ("aggregate", "AGGREGATE"),
        ("cast", "CAST"),
        ("conversion", "CONVERSION"),
        ("publication", "PUBLICATION"),
        ("subscription", "SUBSCRIPTION"),
        ("statistics", "STATISTICS"),
        ("tablespace", "TABLESPACE"),
        ("transform", "TRANSFORM"),
        ("foreign", "FOREIGN DATA WRAPPER"),
        ("server", "SERVER"),
        ("trigger", "TRIGGER"),
        ("function", "FUNCTION"),
        ("procedure", "PROCEDURE"),
        ("domain", "DOMAIN"),
        ("type", "TYPE"),
        ("operator", "OPERATOR"),
        ("collation", "COLLATION"),
        ("policy", "POLICY"),
        ("text", "TEXT SEARCH"),
        ("event", "EVENT TRIGGER"),
        ("access", "ACCESS METHOD"),
        ("owned", "OWNED"),
        ("constraint", "CONSTRAINT TRIGGER"),
    ] {
        if is_word(c.tokens.get(c.i), word) {
            return Ok(Some(Stmt::Unsupported(format!("{verb} {shown}"))));
        }
    }
    if procedural {
        return Ok(Some(Stmt::Unsupported(format!("{verb} LANGUAGE"))));
    }
    Ok(None)
}

fn alter_like(c: &mut Cur) -> Result<Option<Stmt>> {
    for (word, shown) in [
        ("system", "SYSTEM"),
        ("default", "DEFAULT PRIVILEGES"),
        ("function", "FUNCTION"),
        ("procedure", "PROCEDURE"),
        ("type", "TYPE"),
        ("domain", "DOMAIN"),
        ("extension", "EXTENSION"),
        ("publication", "PUBLICATION"),
        ("subscription", "SUBSCRIPTION"),
        ("aggregate", "AGGREGATE"),
        ("operator", "OPERATOR"),
        ("collation", "COLLATION"),
        ("policy", "POLICY"),
        ("trigger", "TRIGGER"),
        ("rule", "RULE"),
        ("language", "LANGUAGE"),
        ("tablespace", "TABLESPACE"),
        ("statistics", "STATISTICS"),
        ("large", "LARGE OBJECT"),
        ("server", "SERVER"),
        ("foreign", "FOREIGN TABLE"),
        ("event", "EVENT TRIGGER"),
        ("text", "TEXT SEARCH"),
    ] {
        if is_word(c.tokens.get(c.i), word) {
            return Ok(Some(Stmt::Unsupported(format!("ALTER {shown}"))));
        }
    }
    Ok(None)
}

fn vacuum(c: &mut Cur) -> Result<Stmt> {
    let mut analyze = false;
    if c.token(&Token::LParen) {
        while !c.token(&Token::RParen) {
            if c.word("analyze") || c.word("analyse") {
                analyze = !(c.word("false") || c.word("off"));
            } else {
                c.next()?;
            }
        }
    } else {
        loop {
            if c.word("analyze") || c.word("analyse") {
                analyze = true;
            } else if !(c.word("full") || c.word("freeze") || c.word("verbose")) {
                break;
            }
        }
    }
    let tables = c.table_targets()?;
    c.done(Stmt::Vacuum { analyze, tables })
}

fn reindex(c: &mut Cur) -> Result<Stmt> {
    if c.token(&Token::LParen) {
        while !c.token(&Token::RParen) {
            c.next()?;
        }
    }
    let kind = match c.name()?.as_str() {
        "index" => ReindexKind::Index,
        "table" => ReindexKind::Table,
        "schema" => ReindexKind::Schema,
        "database" => ReindexKind::Database,
        "system" => ReindexKind::System,
        _ => return Err(c.back_error()),
    };
    let concurrently = c.word("concurrently");
    let name = c.qualified()?;
    c.done(Stmt::Reindex { kind, name, concurrently })
}

fn lock(c: &mut Cur) -> Result<Stmt> {
    c.word("table");
    let mut tables = Vec::new();
    loop {
        c.word("only");
        tables.push(c.qualified()?);
        c.token(&Token::Mul);
        if !c.token(&Token::Comma) {
            break;
        }
    }
    let mut mode = TableLock::AccessExclusive;
    if c.word("in") {
        let mut words = Vec::new();
        while !c.word("mode") {
            words.push(c.name()?);
        }
        mode = match words.join(" ").as_str() {
            "access share" => TableLock::AccessShare,
            "row share" => TableLock::RowShare,
            "row exclusive" => TableLock::RowExclusive,
            "share update exclusive" => TableLock::ShareUpdateExclusive,
            "share" => TableLock::Share,
            "share row exclusive" => TableLock::ShareRowExclusive,
            "exclusive" => TableLock::Exclusive,
            "access exclusive" => TableLock::AccessExclusive,
            _ => {
                c.i -= 1;
                return Err(c.back_error());
            }
        };
    }
    let nowait = c.word("nowait");
    c.done(Stmt::LockTable { tables, mode, nowait })
}

/// SET in all its forms, except SET TRANSACTION, ROLE and SESSION AUTHORIZATION, which sqlparser parses.
fn set(c: &mut Cur) -> Result<Option<Stmt>> {
    if c.word("constraints") {
        let mut names = Vec::new();
        if !c.word("all") {
            names.push(c.qualified()?);
            while c.token(&Token::Comma) {
                names.push(c.qualified()?);
            }
        }
        let deferred = match c.name()?.as_str() {
            "deferred" => true,
            "immediate" => false,
            _ => return Err(c.back_error()),
        };
        return c.done(Stmt::SetConstraints { names, deferred }).map(Some);
    }
    let mut local = false;
    if c.word("local") {
        local = true;
    } else if is_word(c.tokens.get(c.i), "session")
        && !is_word(c.tokens.get(c.i + 1), "characteristics")
        && !is_word(c.tokens.get(c.i + 1), "authorization")
    {
        c.i += 1;
    }
    if ["transaction", "role", "session"].iter().any(|w| is_word(c.tokens.get(c.i), w))
        && !matches!(c.tokens.get(c.i + 1).map(|t| &t.token), Some(Token::Eq))
    {
        return Ok(None);
    }
    let name = if is_word(c.tokens.get(c.i), "time") && is_word(c.tokens.get(c.i + 1), "zone") {
        c.i += 2;
        let values = if c.word("default") || c.word("local") { None } else { Some(c.zone()?) };
        return c.done(Stmt::SetParam { name: "timezone".into(), values, local }).map(Some);
    } else if c.word("names") {
        let values = if c.word("default") || c.i >= c.tokens.len() { None } else { Some(vec![c.value()?]) };
        return c.done(Stmt::SetParam { name: "client_encoding".into(), values, local }).map(Some);
    } else if c.word("schema") {
        let values = Some(vec![c.value()?]);
        return c.done(Stmt::SetParam { name: "search_path".into(), values, local }).map(Some);
    } else {
        c.setting_name()?
    };
    if !c.token(&Token::Eq) && !c.word("to") {
        return Err(c.error());
    }
    if c.word("default") {
        return c.done(Stmt::SetParam { name, values: None, local }).map(Some);
    }
    let mut values = vec![c.value()?];
    while c.token(&Token::Comma) {
        values.push(c.value()?);
    }
    c.done(Stmt::SetParam { name, values: Some(values), local }).map(Some)
}

fn declare(c: &mut Cur) -> Result<Stmt> {
    let name = c.name()?;
    let mut o = crate::session::CursorOptions::default();
    let mut asensitive = false;
    loop {
        if c.word("binary") {
            o.binary = true;
        } else if c.word("insensitive") {
            o.insensitive = true;
        } else if c.word("asensitive") {
            asensitive = true;
        } else if c.word("no") {
            c.expect("scroll")?;
            cursor_conflict(o.scroll == Some(true), "SCROLL", "NO SCROLL")?;
            o.scroll = Some(false);
        } else if c.word("scroll") {
            cursor_conflict(o.scroll == Some(false), "SCROLL", "NO SCROLL")?;
            o.scroll = Some(true);
        } else {
            break;
        }
    }
    cursor_conflict(asensitive && o.insensitive, "ASENSITIVE", "INSENSITIVE")?;
    c.expect("cursor")?;
    if c.word("with") {
        c.expect("hold")?;
        o.hold = true;
    } else if c.word("without") {
        c.expect("hold")?;
    }
    c.expect("for")?;
    let queries = ["select", "with", "values", "table"];
    let query = matches!(c.tokens.get(c.i).map(|t| &t.token), Some(Token::LParen))
        || queries.iter().any(|w| is_word(c.tokens.get(c.i), w));
    if !query {
        return Err(c.error());
    }
    let mut rest = c.tokens[c.i..].to_vec();
    let query = Box::new(parse_sql(&mut rest, c.text, super::PLAIN)?);
    Ok(Stmt::DeclareCursor { name, options: o, query })
}
fn cursor_conflict(both: bool, a: &str, b: &str) -> Result<()> {
    if both {
        return Err(err!(INVALID_CURSOR_DEFINITION, "cannot specify both {a} and {b}"));
    }
    Ok(())
}

fn fetch(c: &mut Cur, is_move: bool) -> Result<Stmt> {
    use FetchDirection::*;
    let from = |c: &mut Cur| c.word("from") || c.word("in");
    let direction = if c.word("next") {
        Forward(1)
    } else if c.word("prior") {
        Backward(1)
    } else if c.word("first") {
        Absolute(1)
    } else if c.word("last") {
        Absolute(-1)
    } else if c.word("absolute") {
        Absolute(c.integer()?)
    } else if c.word("relative") {
        Relative(c.integer()?)
    } else if c.word("all") {
        Forward(i64::MAX)
    } else if c.word("forward") {
        if c.word("all") { Forward(i64::MAX) } else { Forward(c.maybe_integer().unwrap_or(1)) }
    } else if c.word("backward") {
        if c.word("all") { Backward(i64::MAX) } else { Backward(c.maybe_integer().unwrap_or(1)) }
    } else {
        Forward(c.maybe_integer().unwrap_or(1))
    };
    let direction = match direction {
        Forward(n) if n < 0 => Backward(-n),
        Backward(n) if n < 0 => Forward(-n),
        d => d,
    };
    from(c);
    let cursor = c.name()?;
    c.done(Stmt::Fetch { cursor, direction, is_move })
}

fn comment(c: &mut Cur) -> Result<Option<Stmt>> {
    c.expect("on")?;
    let mut kind = c.name()?;
    if kind == "materialized" {
        c.expect("view")?;
        kind = "materialized view".into();
    }
    if !matches!(
        kind.as_str(),
        "table"
            | "column"
            | "index"
            | "sequence"
            | "schema"
            | "database"
            | "role"
            | "view"
            | "constraint"
            | "extension"
            | "materialized view"
    ) {
        return Ok(Some(Stmt::Unsupported(format!("COMMENT ON {}", kind.to_ascii_uppercase()))));
    }
    let name = c.qualified()?;
    let on = if kind == "constraint" {
        c.expect("on")?;
        Some(c.qualified()?)
    } else {
        None
    };
    c.expect("is")?;
    let text = if c.word("null") { None } else { Some(c.string()?) };
    c.done(Stmt::Comment { kind, name, on, text }).map(Some)
}

impl<'a> Cur<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.i).map(|t| &t.token)
    }
    fn next(&mut self) -> Result<&'a Token> {
        let t = self.peek().ok_or_else(|| self.error())?;
        self.i += 1;
        Ok(t)
    }
    fn error(&self) -> pamir_types::Error {
        match self.tokens.get(self.i) {
            Some(t) => near(self.text, t),
            None => err!(SYNTAX_ERROR, "syntax error at end of input")
                .at(Some(super::char_pos(self.text, self.text.trim_end().len()))),
        }
    }
    /// An error at the token in hand.
    fn mistake(&self, e: pamir_types::Error) -> pamir_types::Error {
        e.at(self.tokens.get(self.i).and_then(|t| super::position(self.text, t.span.start)))
    }
    /// An error at the token just taken.
    fn back_error(&mut self) -> pamir_types::Error {
        self.i = self.i.saturating_sub(1);
        self.error()
    }
    fn word(&mut self, w: &str) -> bool {
        let yes = is_word(self.tokens.get(self.i), w);
        self.i += yes as usize;
        yes
    }
    fn expect(&mut self, w: &str) -> Result<()> {
        if self.word(w) { Ok(()) } else { Err(self.error()) }
    }
    fn token(&mut self, t: &Token) -> bool {
        let yes = self.peek() == Some(t);
        self.i += yes as usize;
        yes
    }
    fn name(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(w)) => {
                self.i += 1;
                Ok(fold_str(&w.value, w.quote_style.is_some()))
            }
            _ => Err(self.error()),
        }
    }
    fn qualified(&mut self) -> Result<Vec<String>> {
        let mut v = vec![self.name()?];
        while self.token(&Token::Period) {
            v.push(self.name()?);
        }
        Ok(v)
    }
    fn setting_name(&mut self) -> Result<String> {
        Ok(self.qualified()?.join("."))
    }
    fn string(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::SingleQuotedString(s) | Token::EscapedStringLiteral(s) | Token::UnicodeStringLiteral(s)) => {
                self.i += 1;
                Ok(s.clone())
            }
            Some(Token::DollarQuotedString(s)) => {
                self.i += 1;
                Ok(s.value.clone())
            }
            _ => Err(self.error()),
        }
    }
    fn maybe_integer(&mut self) -> Option<i64> {
        let at = self.i;
        let r = self.integer().ok();
        if r.is_none() {
            self.i = at;
        }
        r
    }
    fn integer(&mut self) -> Result<i64> {
        let negative = self.token(&Token::Minus);
        if !negative {
            self.token(&Token::Plus);
        }
        match self.peek() {
            Some(Token::Number(n, _)) => {
                let v: i64 = n.parse().map_err(|_| self.error())?;
                self.i += 1;
                Ok(if negative { -v } else { v })
            }
            _ => Err(self.error()),
        }
    }
    /// A setting's value as text.
    fn value(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(w)) => {
                self.i += 1;
                Ok(if w.quote_style.is_some() { w.value.clone() } else { w.value.to_ascii_lowercase() })
            }
            Some(Token::Number(n, _)) => {
                self.i += 1;
                Ok(n.clone())
            }
            Some(Token::Minus | Token::Plus) => {
                let sign = if self.token(&Token::Minus) {
                    "-"
                } else {
                    self.i += 1;
                    ""
                };
                match self.next()? {
                    Token::Number(n, _) => Ok(format!("{sign}{n}")),
                    _ => Err(self.back_error()),
                }
            }
            _ => self.string(),
        }
    }
    /// SET TIME ZONE's value: a name, a number, or INTERVAL '+01:00' HOUR TO MINUTE.
    fn zone(&mut self) -> Result<Vec<String>> {
        if self.word("interval") {
            let s = self.string()?;
            let fields = if self.peek().is_none() {
                None
            } else if !self.word("hour") {
                return Err(self.error());
            } else if self.word("to") {
                if !self.word("minute") {
                    return Err(self.error());
                }
                Some(IntervalFields::HourToMinute)
            } else {
                Some(IntervalFields::Hour)
            };
            return Ok(vec![zone_interval(&s, fields)?]);
        }
        Ok(vec![self.value()?])
    }
    fn table_targets(&mut self) -> Result<Vec<TableTarget>> {
        let mut out = Vec::new();
        if self.peek().is_none() {
            return Ok(out);
        }
        loop {
            let name = self.qualified()?;
            let mut columns = Vec::new();
            if self.token(&Token::LParen) {
                loop {
                    columns.push(self.name()?);
                    if self.token(&Token::RParen) {
                        break;
                    }
                    if !self.token(&Token::Comma) {
                        return Err(self.error());
                    }
                }
            }
            out.push(TableTarget { name, columns });
            if !self.token(&Token::Comma) {
                return Ok(out);
            }
        }
    }
    fn done(&self, s: Stmt) -> Result<Stmt> {
        if self.i < self.tokens.len() { Err(self.error()) } else { Ok(s) }
    }
}

/// The fields of an interval as its type modifier has them (INTERVAL_MASK).
pub fn interval_mask(f: &IntervalFields) -> i32 {
    use pamir_types::datetime::interval_range::{DAY, HOUR, MINUTE, MONTH, SECOND, YEAR};
    match f {
        IntervalFields::Year => YEAR,
        IntervalFields::Month => MONTH,
        IntervalFields::Day => DAY,
        IntervalFields::Hour => HOUR,
        IntervalFields::Minute => MINUTE,
        IntervalFields::Second => SECOND,
        IntervalFields::YearToMonth => YEAR | MONTH,
        IntervalFields::DayToHour => DAY | HOUR,
        IntervalFields::DayToMinute => DAY | HOUR | MINUTE,
        IntervalFields::DayToSecond => DAY | HOUR | MINUTE | SECOND,
        IntervalFields::HourToMinute => HOUR | MINUTE,
        IntervalFields::HourToSecond => HOUR | MINUTE | SECOND,
        IntervalFields::MinuteToSecond => MINUTE | SECOND,
    }
}

/// SET TIME ZONE INTERVAL's value as the setting takes it.
pub fn zone_interval(text: &str, fields: Option<IntervalFields>) -> Result<String> {
    let v = parse_interval(text, fields.map_or(-1, |f| interval_mask(&f) << 16 | 0xffff))?;
    Ok(format!("INTERVAL '{} months {} days {} us'", v.months, v.days, v.micros))
}
