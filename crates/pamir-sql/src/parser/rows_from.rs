//! `ROWS FROM (f(a), g(b)) WITH ORDINALITY`: functions side by side, the shorter ones filled up with NULLs. A select list's set-returning functions go side by side in the same way, so it
//! becomes `LATERAL (SELECT f(a), g(b))`, with a row number where ORDINALITY is wanted.
//!
//! Limits (0A000): column definition lists, and functions of one value beside ones of sets, whose value a select list would repeat.
use super::fold_str;
use super::rewrite::{at, is_word, keyword, mark, plain};
use crate::func;
use pamir_types::{Error, Result};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

/// The place of the bracket that closes the one at `open`.
fn closer(tokens: &[TokenWithSpan], open: usize) -> Option<usize> {
    let mut depth = 0;
    let found = tokens[open..].iter().position(|t| {
        match t.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    found.map(|f| open + f)
}
/// Parts between the commas that are in no brackets.
fn parts(tokens: &[TokenWithSpan]) -> Vec<&[TokenWithSpan]> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (i, t) in tokens.iter().enumerate() {
        match t.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            Token::Comma if depth == 0 => {
                out.push(&tokens[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(&tokens[from..]);
    out
}

/// One function's items of the select list; false: it has one value. None: it is no call, the parser is to say so.
fn item(call: &[TokenWithSpan], span: Span, out: &mut Vec<Vec<TokenWithSpan>>) -> Result<Option<bool>> {
    let Some(open) = call.iter().position(|t| t.token == Token::LParen) else { return Ok(None) };
    let (Some(close), Some(Token::Word(name))) = (closer(call, open), open.checked_sub(1).map(|n| &call[n].token))
    else {
        return Ok(None);
    };
    match call.get(close + 1) {
        None => {}
        Some(t) if keyword(t) == Keyword::AS => {
            return Err(Error::unsupported("a column definition list in ROWS FROM"));
        }
        Some(_) => return Ok(None),
    }
    let name = fold_str(&name.value, name.quote_style.is_some());
    let arguments = &call[open + 1..close];
    if name == "unnest" && parts(arguments).len() > 1 {
        for a in parts(arguments) {
            let mut one = call[..=open].to_vec();
            one.extend_from_slice(a);
            one.push(call[close].clone());
            out.push(one);
        }
        return Ok(Some(true));
    }
    let forms = func::functions(&name);
    let set = forms.iter().any(|f| f.body.is_set());
    if forms.iter().any(|f| f.out.len() > 1) {
        let mut all = vec![at(Token::LParen, span)];
        all.extend_from_slice(call);
        all.extend([at(Token::RParen, span), at(Token::Period, span), mark("*", span)]);
        out.push(all);
    } else {
        out.push(call.to_vec());
    }
    Ok(Some(set))
}

/// `i` is ROWS.
pub(super) fn rewrite(tokens: &mut Vec<TokenWithSpan>, i: usize) -> Result<()> {
    let open = i + 2;
    if tokens.get(i + 1).is_none_or(|t| keyword(t) != Keyword::FROM)
        || tokens.get(open).is_none_or(|t| t.token != Token::LParen)
    {
        return Ok(());
    }
    let Some(close) = closer(tokens, open) else { return Ok(()) };
    let span = tokens[i].span;
    let mut items = Vec::new();
    let (mut sets, mut values) = (false, false);
    for call in parts(&tokens[open + 1..close]) {
        match item(call, span, &mut items)? {
            Some(true) => sets = true,
            Some(false) => values = true,
            None => return Ok(()),
        }
    }
    if sets && values {
        return Err(Error::unsupported("a function of one value beside a set-returning one in ROWS FROM"));
    }
    let word = |w: &str, k: Keyword| plain(w, k, span);
    let mut select = vec![word("SELECT", Keyword::SELECT)];
    for (n, item) in items.into_iter().enumerate() {
        if n > 0 {
            select.push(at(Token::Comma, span));
        }
        select.extend(item);
    }
    let mut end = close + 1;
    let ordinality = is_word(tokens.get(end), "with") && is_word(tokens.get(end + 1), "ordinality");
    let mut new = Vec::with_capacity(select.len() + 24);
    if i == 0 || keyword(&tokens[i - 1]) != Keyword::LATERAL {
        new.push(word("LATERAL", Keyword::LATERAL));
    }
    new.push(at(Token::LParen, span));
    if ordinality {
        end += 2;
        let numbered = [
            word("SELECT", Keyword::SELECT),
            at(Token::Mul, span),
            at(Token::Comma, span),
            word("row_number", Keyword::NoKeyword),
            at(Token::LParen, span),
            at(Token::RParen, span),
            word("OVER", Keyword::OVER),
            at(Token::LParen, span),
            at(Token::RParen, span),
            word("AS", Keyword::AS),
            word("ordinality", Keyword::NoKeyword),
            word("FROM", Keyword::FROM),
            at(Token::LParen, span),
        ];
        new.extend(numbered);
        new.extend(select);
        new.extend([at(Token::RParen, span), word("AS", Keyword::AS), mark("rows", span)]);
    } else {
        new.extend(select);
    }
    new.push(at(Token::RParen, span));
    let named = tokens.get(end).is_some_and(|t| match &t.token {
        Token::Word(w) => w.quote_style.is_some() || matches!(w.keyword, Keyword::AS | Keyword::NoKeyword),
        _ => false,
    });
    if !named {
        new.extend([word("AS", Keyword::AS), mark("rows", span)]);
    }
    tokens.splice(i..end, new);
    Ok(())
}
