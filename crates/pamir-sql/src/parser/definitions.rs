//! Clauses of table definitions that sqlparser lacks, hidden in ones that it has; [`super::rewrite`] says as what.
use super::rewrite::{at, is_word, keyword, mark, plain};
use super::{MARK, fold_str, position};
use pamir_types::{Result, err, work};
use sqlparser::ast;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

/// Opens the names of columns that ON DELETE SET NULL or SET DEFAULT sets, among the referenced ones.
const SET_COLUMN: &str = "\u{1}set:";
/// A column's collation that is the name of its identity's sequence, `"\u{1}sequence".schema.name`.
pub(crate) const SEQUENCE_NAME: &str = "\u{1}sequence";
/// ... that makes its UNIQUE one of NULLS NOT DISTINCT.
pub(crate) const NULLS_NOT_DISTINCT: &str = "\u{1}nulls_not_distinct";
/// Takes a collation and an expression: `ALTER c TYPE t COLLATE x USING e`.
const COLLATED: &str = "\u{1}collate";

fn is(t: Option<&TokenWithSpan>, what: &Token) -> bool {
    t.is_some_and(|t| t.token == *what)
}
/// `COLLATE` a name, behind token `i`.
fn collate(tokens: &mut Vec<TokenWithSpan>, i: usize, name: &str, more: Vec<TokenWithSpan>, span: Span) {
    let new = [plain("COLLATE", Keyword::COLLATE, span), mark(&name[MARK.len_utf8()..], span)];
    tokens.splice(i..i, new.into_iter().chain(more));
}

/// Where the list or statement that `from` stands in has its next comma, or ends.
fn end_of_element(tokens: &[TokenWithSpan], from: usize) -> usize {
    let mut depth = 0;
    for (i, t) in tokens.iter().enumerate().skip(from) {
        match t.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return i,
            Token::RParen | Token::RBracket => depth -= 1,
            Token::Comma | Token::SemiColon | Token::EOF if depth == 0 => return i,
            _ => {}
        }
    }
    tokens.len()
}

/// `ALTER c TYPE t COLLATE x [USING e]`: `i` is TYPE.
pub(super) fn collated_type(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let mut column = i.wrapping_sub(1);
    if i > 2 && is_word(tokens.get(i - 1), "data") && is_word(tokens.get(i - 2), "set") {
        column = i - 3;
    }
    // ALTER [COLUMN] stands before the column; else TYPE is a name.
    let before = |n: usize| column.checked_sub(n).and_then(|j| tokens.get(j)).map(keyword);
    if !matches!((before(2), before(1)), (_, Some(Keyword::ALTER)) | (Some(Keyword::ALTER), Some(Keyword::COLUMN))) {
        return;
    }
    let end = end_of_element(tokens, i + 1);
    let Some(at_collate) = (i + 2..end).find(|j| keyword(&tokens[*j]) == Keyword::COLLATE) else { return };
    // One within USING is the expression's.
    if tokens[i..at_collate].iter().any(|t| keyword(t) == Keyword::USING) {
        return;
    }
    let Some(name) = tokens.get(column).filter(|t| matches!(t.token, Token::Word(_))).cloned() else { return };
    let mut after = at_collate + 2;
    while is(tokens.get(after), &Token::Period) {
        after += 2;
    }
    let value = match tokens.get(after) {
        Some(t) if after < end && keyword(t) == Keyword::USING => tokens[after + 1..end].to_vec(),
        _ if after == end => vec![name],
        _ => return,
    };
    let span = tokens[at_collate].span;
    let mut new =
        vec![plain("USING", Keyword::USING, span), mark(&COLLATED[MARK.len_utf8()..], span), at(Token::LParen, span)];
    new.extend_from_slice(&tokens[at_collate + 1..after]);
    new.push(at(Token::Comma, span));
    new.extend(value);
    new.push(at(Token::RParen, span));
    tokens.splice(at_collate..end, new);
}
/// The collation and the expression that [`collated_type`] hid in USING.
pub(crate) fn collation_of_type(using: &ast::Expr) -> Option<(ast::ObjectName, &ast::Expr)> {
    use ast::{FunctionArg::Unnamed, FunctionArgExpr};
    let ast::Expr::Function(f) = using else { return None };
    let [ast::ObjectNamePart::Identifier(n)] = f.name.0.as_slice() else { return None };
    let ast::FunctionArguments::List(l) = &f.args else { return None };
    match l.args.as_slice() {
        [Unnamed(FunctionArgExpr::Expr(c)), Unnamed(FunctionArgExpr::Expr(e))] if n.value == COLLATED => {
            let parts = match c {
                ast::Expr::Identifier(i) => vec![i.clone()],
                ast::Expr::CompoundIdentifier(v) => v.clone(),
                _ => return None,
            };
            Some((ast::ObjectName(parts.into_iter().map(ast::ObjectNamePart::Identifier).collect()), e))
        }
        _ => None,
    }
}

/// TABLESPACE of an index, `USING heap` of a table: there is one of each. `i` is the word; true: it and what follows are gone.
pub(super) fn storage_clause(tokens: &mut Vec<TokenWithSpan>, i: usize, of_index: bool) -> Result<bool> {
    let named = |t: Option<&TokenWithSpan>| match t.map(|t| &t.token) {
        Some(Token::Word(w)) => Some(fold_str(&w.value, w.quote_style.is_some())),
        _ => None,
    };
    let place = keyword(&tokens[i]) == Keyword::TABLESPACE;
    let of_constraint = i > 1 && keyword(&tokens[i - 1]) == Keyword::INDEX && keyword(&tokens[i - 2]) == Keyword::USING;
    let Some(name) = named(tokens.get(i + 1)) else { return Ok(false) };
    work::charge(i)?;
    let depth = tokens[..i].iter().fold(0i32, |d, t| match t.token {
        Token::LParen => d + 1,
        Token::RParen => d - 1,
        _ => d,
    });
    let at_end = depth == 0 && is(tokens.get(i - 1), &Token::RParen);
    match (place, of_constraint) {
        (true, true) => {}
        (true, false) if of_index && depth == 0 => {}
        (false, _) if !of_index && at_end => {
            if name != "heap" {
                return Err(err!(UNDEFINED_OBJECT, "access method \"{name}\" does not exist"));
            }
        }
        _ => return Ok(false),
    }
    if place && name != "pg_default" {
        return Err(err!(UNDEFINED_OBJECT, "tablespace \"{name}\" does not exist"));
    }
    tokens.drain(if of_constraint { i - 2 } else { i }..i + 2);
    Ok(true)
}

/// `REFERENCES p (a) ON DELETE SET NULL (b)`: `i` is SET.
pub(super) fn set_columns(tokens: &mut Vec<TokenWithSpan>, i: usize, text: &str) -> Result<()> {
    if i < 2
        || keyword(&tokens[i - 2]) != Keyword::ON
        || !tokens.get(i + 1).is_some_and(|t| matches!(keyword(t), Keyword::NULL | Keyword::DEFAULT))
        || !is(tokens.get(i + 2), &Token::LParen)
    {
        return Ok(());
    }
    let on = tokens[i - 2].span;
    match keyword(&tokens[i - 1]) {
        Keyword::DELETE => {}
        Keyword::UPDATE => {
            let action = if keyword(&tokens[i + 1]) == Keyword::NULL { "SET NULL" } else { "SET DEFAULT" };
            return Err(err!(
                FEATURE_NOT_SUPPORTED,
                "a column list with {action} is only supported for ON DELETE actions"
            )
            .at(position(text, on.start)));
        }
        _ => return Ok(()),
    }
    let mut names = Vec::new();
    let mut end = i + 3;
    while let Some(Token::Word(w)) = tokens.get(end).map(|t| &t.token) {
        names.push(mark(&format!("set:{}", fold_str(&w.value, w.quote_style.is_some())), tokens[end].span));
        end += 1;
        if !is(tokens.get(end), &Token::Comma) {
            break;
        }
        end += 1;
    }
    if names.is_empty() || !is(tokens.get(end), &Token::RParen) {
        return Ok(());
    }
    let Some(mut open) = tokens[..i].iter().rposition(|t| keyword(t) == Keyword::REFERENCES).map(|r| r + 1) else {
        return Ok(());
    };
    tokens.drain(i + 2..=end);
    // Behind the table's name.
    while is(tokens.get(open + 1), &Token::Period) {
        open += 2;
    }
    open += 1;
    let span = tokens[i].span;
    let listed = is(tokens.get(open), &Token::LParen);
    let mut new = Vec::with_capacity(2 * names.len() + 2);
    if !listed {
        new.push(at(Token::LParen, span));
    }
    for (n, name) in names.into_iter().enumerate() {
        if n > 0 {
            new.push(at(Token::Comma, span));
        }
        new.push(name);
    }
    new.push(at(if listed { Token::Comma } else { Token::RParen }, span));
    let place = open + usize::from(listed);
    tokens.splice(place..place, new);
    Ok(())
}
/// The columns that ON DELETE sets, and the referenced ones, from what [`set_columns`] made one list.
pub(crate) fn referenced(list: &[ast::Ident]) -> (Vec<String>, Vec<String>) {
    let (mut set, mut columns) = (Vec::new(), Vec::new());
    for i in list {
        match i.value.strip_prefix(SET_COLUMN) {
            Some(n) => set.push(n.to_string()),
            None => columns.push(super::fold(i)),
        }
    }
    (set, columns)
}

/// SEQUENCE NAME among the options of an identity column, which begin at `from`.
pub(super) fn sequence_name(tokens: &mut Vec<TokenWithSpan>, from: usize) {
    let Some(close) = tokens.iter().skip(from).position(|t| t.token == Token::RParen).map(|c| c + from) else { return };
    let Some(i) = (from..close).find(|i| is_word(tokens.get(*i), "sequence") && is_word(tokens.get(i + 1), "name"))
    else {
        return;
    };
    let mut end = i + 3;
    while end + 1 < close && is(tokens.get(end), &Token::Period) {
        end += 2;
    }
    if end > close {
        return;
    }
    let span = tokens[i].span;
    let name: Vec<TokenWithSpan> = tokens.drain(i..end).skip(2).collect();
    let mut close = close - (end - i);
    // Nothing is left: sqlparser takes no empty list.
    if close == from && is(tokens.get(from.wrapping_sub(1)), &Token::LParen) {
        tokens.drain(from - 1..=close);
        close = from - 1;
    } else {
        close += 1;
    }
    let more = [at(Token::Period, span)].into_iter().chain(name).collect();
    collate(tokens, close, SEQUENCE_NAME, more, span);
}

/// A column's `UNIQUE NULLS [NOT] DISTINCT`: `i` is UNIQUE.
pub(super) fn unique_nulls(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let not = is_word(tokens.get(i + 2), "not");
    let last = i + 2 + usize::from(not);
    if !is_word(tokens.get(i + 1), "nulls")
        || !is_word(tokens.get(last), "distinct")
        || is(tokens.get(last + 1), &Token::LParen)
    {
        return;
    }
    let span = tokens[i].span;
    tokens.drain(i + 1..=last);
    if not {
        collate(tokens, i + 1, NULLS_NOT_DISTINCT, Vec::new(), span);
    }
}

/// `WITH (a, toast.b = 1)`: parameters without a value are true, and a namespace is part of the name. `i` is WITH.
pub(super) fn parameters(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let mut at_name = i + 2;
    while matches!(tokens.get(at_name).map(|t| &t.token), Some(Token::Word(_))) {
        if is(tokens.get(at_name + 1), &Token::Period)
            && let (Some(Token::Word(a)), Some(Token::Word(b))) =
                (tokens.get(at_name).map(|t| &t.token), tokens.get(at_name + 2).map(|t| &t.token))
        {
            let name = [a, b].map(|w| fold_str(&w.value, w.quote_style.is_some())).join(".");
            let mut one = mark("", tokens[at_name].span);
            if let Token::Word(w) = &mut one.token {
                w.value = name;
            }
            tokens.splice(at_name..at_name + 3, [one]);
        }
        if matches!(tokens.get(at_name + 1).map(|t| &t.token), Some(Token::Comma | Token::RParen)) {
            let span = tokens[at_name].span;
            tokens.splice(at_name + 1..at_name + 1, [at(Token::Eq, span), plain("true", Keyword::TRUE, span)]);
        }
        while tokens.get(at_name).is_some_and(|t| !matches!(t.token, Token::Comma | Token::RParen)) {
            at_name += 1;
        }
        if !is(tokens.get(at_name), &Token::Comma) {
            return;
        }
        at_name += 1;
    }
}
