//! What sqlparser takes and PostgreSQL's grammar does not (42601 with its place), and VARIADIC, which sqlparser lacks.
use super::near_location;
use super::rewrite::{at, keyword, mark};
use pamir_types::Result;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The name of the call that stands for VARIADIC before an argument.
pub(crate) const VARIADIC: &str = "\u{1}variadic";

/// The token that opens what the bracket at `close` closes.
fn opener(tokens: &[TokenWithSpan], close: usize) -> Option<usize> {
    let mut depth = 0;
    tokens[..=close].iter().rposition(|t| {
        match t.token {
            Token::RParen | Token::RBracket => depth += 1,
            Token::LParen | Token::LBracket => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// INSERT wants its INTO.
pub(super) fn insert(tokens: &[TokenWithSpan], i: usize, text: &str) -> Result<()> {
    let begins = i == 0
        || tokens[i - 1].token == Token::LParen
        || matches!(keyword(&tokens[0]), Keyword::WITH | Keyword::EXPLAIN | Keyword::PREPARE)
            && (tokens[i - 1].token == Token::RParen
                || matches!(
                    keyword(&tokens[i - 1]),
                    Keyword::EXPLAIN | Keyword::ANALYZE | Keyword::VERBOSE | Keyword::AS
                ));
    match tokens.get(i + 1) {
        Some(t) if begins && matches!(t.token, Token::Word(_)) && keyword(t) == Keyword::NoKeyword => {
            Err(near_location(text, t.span.start))
        }
        _ => Ok(()),
    }
}

/// A subscript at `i` may follow a column, a parameter and what is in parentheses: no constructor, no literal, no call. `types`: calls may be types with modifiers.
pub(super) fn subscript(tokens: &[TokenWithSpan], i: usize, text: &str, types: bool) -> Result<()> {
    let Some(before) = i.checked_sub(1) else { return Ok(()) };
    let word_before = |open: usize| open.checked_sub(1).and_then(|w| tokens.get(w));
    let wrong = match &tokens[before].token {
        Token::Number(..) | Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) => true,
        Token::RBracket => opener(tokens, before).and_then(word_before).is_some_and(|t| keyword(t) == Keyword::ARRAY),
        Token::RParen => match opener(tokens, before) {
            Some(open) => match word_before(open) {
                Some(t) if keyword(t) == Keyword::ARRAY => true,
                Some(t) if matches!(t.token, Token::Word(_)) && keyword(t) == Keyword::NoKeyword && !types => {
                    let mut first = open - 1;
                    while first > 1 && tokens[first - 1].token == Token::Period {
                        first -= 2;
                    }
                    let of_a_type = first
                        .checked_sub(1)
                        .is_some_and(|f| tokens[f].token == Token::DoubleColon || keyword(&tokens[f]) == Keyword::AS);
                    !of_a_type && tokens.get(i + 1).is_some_and(|t| t.token != Token::RBracket)
                }
                _ => false,
            },
            None => false,
        },
        _ => false,
    };
    if wrong { Err(near_location(text, tokens[i].span.start)) } else { Ok(()) }
}

/// `f(a, VARIADIC b)` becomes `f(a, "\u{1}variadic"(b))`: the last argument, before ORDER BY if there is one.
pub(super) fn variadic(tokens: &mut Vec<TokenWithSpan>, i: usize, text: &str) -> Result<()> {
    if i == 0 || !matches!(tokens[i - 1].token, Token::LParen | Token::Comma) {
        return Ok(());
    }
    let mut depth = 0;
    let end = tokens[i + 1..].iter().position(|t| {
        match t.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && (t.token == Token::Comma || keyword(t) == Keyword::ORDER)
    });
    let Some(end) = end.map(|e| e + i + 1) else { return Ok(()) };
    if tokens[end].token == Token::Comma || end == i + 1 {
        return Err(near_location(text, tokens[end].span.start));
    }
    let span = tokens[i].span;
    let after = tokens[end].span;
    tokens.insert(end, at(Token::RParen, after));
    tokens.splice(i..i + 1, [mark("variadic", span), at(Token::LParen, span)]);
    Ok(())
}

/// What PostgreSQL's grammar has and sqlparser's has not, by its name; asked when a statement was not understood.
pub(super) fn absent(tokens: &[TokenWithSpan]) -> Option<&'static str> {
    let pair = |a: &str, b: &str| {
        tokens.windows(2).any(|w| super::rewrite::is_word(w.first(), a) && super::rewrite::is_word(w.get(1), b))
    };
    let begins = |words: &[&str]| words.iter().enumerate().all(|(i, w)| super::rewrite::is_word(tokens.get(i), w));
    let first = tokens.first().map(keyword)?;
    match first {
        Keyword::ALTER
            if begins(&["alter", "table"]) && (pair("attach", "partition") || pair("detach", "partition")) =>
        {
            Some("ATTACH and DETACH PARTITION")
        }
        Keyword::ALTER
            if begins(&["alter", "table"]) && tokens.iter().any(|t| super::rewrite::is_word(Some(t), "inherit")) =>
        {
            Some("INHERIT")
        }
        Keyword::UPDATE | Keyword::DELETE if pair("current", "of") => Some("WHERE CURRENT OF"),
        Keyword::CREATE if begins(&["create", "schema"]) => {
            let more = tokens.iter().skip(2).any(|t| matches!(keyword(t), Keyword::CREATE | Keyword::GRANT));
            more.then_some("CREATE SCHEMA with its objects")
        }
        Keyword::CREATE if pair("as", "execute") => Some("CREATE TABLE AS EXECUTE"),
        Keyword::CREATE if begins(&["create", "index"]) || begins(&["create", "unique", "index"]) => {
            pair("on", "only").then_some("CREATE INDEX ON ONLY")
        }
        Keyword::WITH if pair("search", "breadth") || pair("search", "depth") => Some("SEARCH of recursive queries"),
        Keyword::WITH
            if begins(&["with", "recursive"])
                && tokens
                    .windows(2)
                    .any(|w| w[0].token == Token::RParen && super::rewrite::is_word(w.get(1), "cycle")) =>
        {
            Some("CYCLE of recursive queries")
        }
        _ => None,
    }
}
