//! COPY in both of its spellings: `WITH (option value, ...)` and the words of PostgreSQL before 9.0.
use super::Cur;
use crate::parser::{Copy, CopySource, CopyTarget, Stmt, parse_sql};
use pamir_types::{Result, err};
use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

pub(super) fn copy(c: &mut Cur) -> Result<Stmt> {
    let mut options: Vec<(String, Vec<String>)> = Vec::new();
    if c.word("binary") {
        options.push(("format".into(), vec!["binary".into()]));
    }
    let source = if c.token(&Token::LParen) { query(c)? } else { table(c)? };
    let to = if c.word("to") {
        true
    } else {
        c.expect("from")?;
        false
    };
    let target = if c.word("stdin") || c.word("stdout") {
        CopyTarget::Client
    } else if c.word("program") {
        CopyTarget::Program(c.string()?)
    } else {
        CopyTarget::File(c.string()?)
    };
    let with = c.word("with");
    if c.token(&Token::LParen) {
        loop {
            let name = c.name()?;
            options.push((name, argument(c)?));
            if c.token(&Token::RParen) {
                break;
            }
            if !c.token(&Token::Comma) {
                return Err(c.error());
            }
        }
    } else {
        old_options(c, &mut options, with)?;
    }
    let mut condition = None;
    let at_where = c.i;
    if c.word("where") {
        if to {
            c.i = at_where;
            return Err(c.mistake(err!(SYNTAX_ERROR, "WHERE clause not allowed with COPY TO")));
        }
        condition = Some(expression(c)?);
    }
    for (i, (name, _)) in options.iter().enumerate() {
        if options[..i].iter().any(|o| &o.0 == name) {
            return Err(err!(SYNTAX_ERROR, "conflicting or redundant options"));
        }
    }
    c.done(Stmt::Copy(Box::new(Copy { source, to, target, options, condition })))
}

fn query(c: &mut Cur) -> Result<CopySource> {
    let from = c.i;
    let mut depth = 1;
    while depth > 0 {
        match c.next()? {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
    }
    let mut inner = c.tokens[from..c.i - 1].to_vec();
    Ok(CopySource::Query(Box::new(parse_sql(&mut inner, c.text, super::super::PLAIN)?)))
}

/// What is left of the statement, as an expression: SELECT's only column.
fn expression(c: &mut Cur) -> Result<ast::Expr> {
    let rest = c.tokens.get(c.i..).unwrap_or_default();
    let Some(first) = rest.first() else { return Err(c.error()) };
    let word = Word { value: "SELECT".into(), quote_style: None, keyword: Keyword::SELECT };
    // In parentheses nothing can follow it.
    let (open, close) = (first.span, rest.last().unwrap_or(first).span);
    let mut tokens = vec![
        TokenWithSpan { token: Token::Word(word), span: open },
        TokenWithSpan { token: Token::LParen, span: open },
    ];
    tokens.extend_from_slice(rest);
    tokens.push(TokenWithSpan { token: Token::RParen, span: close });
    let stmt = parse_sql(&mut tokens, c.text, super::super::PLAIN)?;
    c.i = c.tokens.len();
    if let ast::Statement::Query(q) = stmt
        && let ast::SetExpr::Select(mut s) = *q.body
        && let Some(ast::SelectItem::UnnamedExpr(ast::Expr::Nested(e))) = s.projection.pop()
    {
        return Ok(*e);
    }
    Err(err!(SYNTAX_ERROR, "syntax error in the condition of COPY"))
}

fn table(c: &mut Cur) -> Result<CopySource> {
    let name = c.qualified()?;
    let mut columns = Vec::new();
    if c.token(&Token::LParen) {
        columns = names(c)?;
        if !c.token(&Token::RParen) {
            return Err(c.error());
        }
    }
    Ok(CopySource::Table { name, columns })
}

fn names(c: &mut Cur) -> Result<Vec<String>> {
    let mut v = vec![c.name()?];
    while c.token(&Token::Comma) {
        v.push(c.name()?);
    }
    Ok(v)
}

/// `*`, `(a, b)`, a word, number or string, or nothing.
fn argument(c: &mut Cur) -> Result<Vec<String>> {
    if c.token(&Token::Mul) {
        return Ok(vec!["*".into()]);
    }
    if c.token(&Token::LParen) {
        let v = names(c)?;
        return if c.token(&Token::RParen) { Ok(v) } else { Err(c.error()) };
    }
    match c.peek() {
        Some(Token::Comma | Token::RParen) => Ok(Vec::new()),
        _ => Ok(vec![c.value()?]),
    }
}

fn old_options(c: &mut Cur, options: &mut Vec<(String, Vec<String>)>, with: bool) -> Result<()> {
    let mut any = false;
    while c.peek().is_some() {
        let mut text = |c: &mut Cur, name: &str| -> Result<()> {
            c.word("as");
            options.push((name.into(), vec![c.string()?]));
            Ok(())
        };
        if c.word("delimiter") || c.word("delimiters") {
            text(c, "delimiter")?;
        } else if c.word("null") {
            text(c, "null")?;
        } else if c.word("quote") {
            text(c, "quote")?;
        } else if c.word("escape") {
            text(c, "escape")?;
        } else if c.word("encoding") {
            text(c, "encoding")?;
        } else if c.word("csv") {
            options.push(("format".into(), vec!["csv".into()]));
        } else if c.word("binary") {
            options.push(("format".into(), vec!["binary".into()]));
        } else if c.word("header") {
            options.push(("header".into(), Vec::new()));
        } else if c.word("freeze") {
            options.push(("freeze".into(), Vec::new()));
        } else if c.word("force") {
            let name = if c.word("quote") {
                "force_quote"
            } else if c.word("not") {
                c.expect("null")?;
                "force_not_null"
            } else {
                c.expect("null")?;
                "force_null"
            };
            let list = if c.token(&Token::Mul) { vec!["*".into()] } else { names(c)? };
            options.push((name.into(), list));
        } else if any || !with {
            break;
        } else {
            return Err(c.error());
        }
        any = true;
    }
    Ok(())
}
