//! Small clauses that sqlparser does not know, rewritten to ones that it does.
//!
//! | written | given to sqlparser |
//! |---|---|
//! | `FOR NO KEY UPDATE OF a, b` | `FOR UPDATE OF "\u{1}lock:n".a.b` (every row-locking clause becomes one) |
//! | `BETWEEN SYMMETRIC a AND b` | `BETWEEN "\u{1}symmetric"(a) AND b` |
//! | `TRIM(LEADING FROM a)` | `TRIM(LEADING ' ' FROM a)` |
//! | `SUBSTRING(a SIMILAR b ESCAPE c)` | `SUBSTRING(a FROM b FOR c)` |
//! | `OVERRIDING SYSTEM VALUE` | `PARTITION ("\u{1}system")` |
//! | `OPERATOR(pg_catalog.=)` | `=` |
//! | `RANGE '1 day'::interval PRECEDING` | `RANGE ('1 day'::interval) PRECEDING` |
//! | `OVER (w ROWS 1 PRECEDING EXCLUDE TIES)` | `OVER (w PARTITION BY "\u{1}exclude:ties" ROWS 1 PRECEDING)` |
//! | `BEGIN ... DEFERRABLE` | `BEGIN ...` (strict two-phase locking never has to wait for a safe snapshot) |
//! | `FETCH FIRST (a + 1) ROWS ONLY` | `LIMIT (a + 1)` |
//! | `FETCH FIRST (a + 1) ROWS WITH TIES` | `LIMIT (a + 1) FETCH FIRST ROWS WITH TIES` |
//! | `SELECT` alone | `SELECT FROM (VALUES (1)) AS "\u{1}row"` |
//! | `DROP INDEX CONCURRENTLY i` | `DROP INDEX "\u{1}concurrently", i` |
//! | `AS IDENTITY (SEQUENCE NAME s.x)` | `AS IDENTITY COLLATE "\u{1}sequence".s.x` |
//! | `REFERENCES p (x) ON DELETE SET NULL (a)` | `REFERENCES p ("\u{1}set:a", x) ON DELETE SET NULL` |
//! | `a int UNIQUE NULLS NOT DISTINCT` | `a int UNIQUE COLLATE "\u{1}nulls_not_distinct"` |
//! | `ROWS FROM (f(a), g(b))` | `LATERAL (SELECT f(a), g(b)) AS "\u{1}rows"` |
//! | `ALTER c TYPE t COLLATE x` | `ALTER c TYPE t USING "\u{1}collate"(x, c)` |
//! | `CREATE INDEX ... TABLESPACE pg_default`, `CREATE TABLE ... USING heap` | `CREATE INDEX ...`, `CREATE TABLE ...` |
//! | `f(a := 1)` | `f(a => 1)` |
//! | `ON CONFLICT (lower(a)) WHERE p DO` | `ON CONFLICT ("\u{1}lower(a)\u{1}p") DO` |
//!
//! | `SELECT (t).*` | `SELECT (t)."\u{1}*"` |
//! | `f(a, VARIADIC b)` | `f(a, "\u{1}variadic"(b))` |
//! | `t.* IS NULL` | `t."\u{1}*" IS NULL` |
//! | `UPDATE t SET a[1:2] = x`, `INSERT INTO t (a[1])` | `UPDATE t SET a."\u{1}[1:2]" = x`, `INSERT INTO t (a."\u{1}[1]")` |
//!
//! [`MARK`] cannot occur in a name that a user wrote unless he means mischief, and then only his own statement is misread.
//!
//! Limits: each of these may look at all tokens and move them, which it charges: texts with very many of them are slow, but can be interrupted.
use super::{definitions, rows_from, strict};
use pamir_types::{Result, work};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

/// Opens every name made here.
pub(crate) const MARK: char = '\u{1}';

/// What it costs to look at a token, or to move it.
const LOOK: usize = 4;

/// May what begins with this token be rewritten?
fn may_be_rewritten(tokens: &[TokenWithSpan], i: usize) -> bool {
    match keyword(&tokens[i]) {
        Keyword::NoKeyword => is_word(tokens.get(i), "overriding"),
        Keyword::SELECT => alone(tokens.get(i + 1)),
        Keyword::BETWEEN => is_word(tokens.get(i + 1), "symmetric") || is_word(tokens.get(i + 1), "asymmetric"),
        k => matches!(
            k,
            Keyword::OPERATOR
                | Keyword::FOR
                | Keyword::ONLY
                | Keyword::IDENTITY
                | Keyword::TABLE
                | Keyword::INTERVAL
                | Keyword::TRIM
                | Keyword::EXCLUDE
                | Keyword::PRECEDING
                | Keyword::FOLLOWING
                | Keyword::FETCH
                | Keyword::SUBSTRING
                | Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
                | Keyword::ROLLUP
                | Keyword::CUBE
                | Keyword::SETS
                | Keyword::SET
                | Keyword::INTO
                | Keyword::CONFLICT
                | Keyword::VARIADIC
                | Keyword::UNIQUE
                | Keyword::WITH
                | Keyword::ROWS
                | Keyword::TYPE
                | Keyword::TABLESPACE
                | Keyword::USING
        ),
    }
}

pub(super) fn rewrite(tokens: &mut Vec<TokenWithSpan>, text: &str) -> Result<()> {
    // TABLE name
    if keyword(&tokens[0]) == Keyword::TABLE {
        let span = tokens[0].span;
        tokens.splice(0..1, select_star(span));
    }
    let first = keyword(&tokens[0]);
    match first {
        Keyword::BEGIN | Keyword::START | Keyword::SET => return deferrable(tokens),
        Keyword::DROP => {
            drop_concurrently(tokens);
            return Ok(());
        }
        _ => {}
    }
    if !matches!(
        first,
        Keyword::SELECT
            | Keyword::WITH
            | Keyword::INSERT
            | Keyword::NoKeyword
            | Keyword::EXPLAIN
            | Keyword::PREPARE
            | Keyword::DECLARE
            | Keyword::COPY
            | Keyword::VALUES
            | Keyword::UPDATE
            | Keyword::DELETE
            | Keyword::CREATE
            | Keyword::ALTER
    ) {
        return Ok(());
    }
    let of_index = tokens.iter().take(4).find_map(|t| match keyword(t) {
        Keyword::INDEX => Some(true),
        Keyword::TABLE => Some(false),
        _ => None,
    });
    let mut i = 0;
    while i < tokens.len() {
        if may_be_rewritten(tokens, i) {
            work::charge(tokens.len() * LOOK)?;
        }
        match keyword(&tokens[i]) {
            // Operators live in pg_catalog only.
            Keyword::OPERATOR
                if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen)
                    && is_word(tokens.get(i + 2), "pg_catalog")
                    && tokens.get(i + 3).is_some_and(|t| t.token == Token::Period)
                    && tokens.get(i + 5).is_some_and(|t| t.token == Token::RParen) =>
            {
                let op = tokens[i + 4].clone();
                tokens.splice(i..i + 6, [op]);
            }
            Keyword::FOR if !matches!(first, Keyword::CREATE | Keyword::ALTER) => lock_clause(tokens, i),
            Keyword::NoKeyword if is_word(tokens.get(i), "overriding") && is_word(tokens.get(i + 2), "value") => {
                let which = if is_word(tokens.get(i + 1), "system") { "system" } else { "user" };
                let span = tokens[i].span;
                let new = [
                    plain("PARTITION", Keyword::PARTITION, span),
                    at(Token::LParen, span),
                    mark(which, span),
                    at(Token::RParen, span),
                ];
                tokens.splice(i..i + 3, new);
            }
            // No table has descendants: ONLY says nothing.
            Keyword::ONLY
                if i > 0
                    && matches!(keyword(&tokens[i - 1]), Keyword::FROM | Keyword::JOIN | Keyword::UPDATE)
                    && tokens.get(i + 1).is_some_and(|t| matches!(t.token, Token::Word(_))) =>
            {
                tokens.remove(i);
            }
            Keyword::BETWEEN if is_word(tokens.get(i + 1), "symmetric") => between_symmetric(tokens, i + 1),
            Keyword::BETWEEN if is_word(tokens.get(i + 1), "asymmetric") => {
                tokens.remove(i + 1);
            }
            Keyword::IDENTITY if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) => {
                definitions::sequence_name(tokens, i + 2);
                if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) {
                    identity_options(tokens, i + 2)
                }
            }
            Keyword::SET if matches!(first, Keyword::CREATE | Keyword::ALTER) => {
                definitions::set_columns(tokens, i, text)?
            }
            Keyword::TYPE if first == Keyword::ALTER => definitions::collated_type(tokens, i),
            Keyword::TABLESPACE | Keyword::USING
                if i > 2
                    && (first == Keyword::CREATE && of_index.is_some()
                        || first == Keyword::ALTER && keyword(&tokens[i]) == Keyword::TABLESPACE) =>
            {
                let gone = definitions::storage_clause(tokens, i, of_index == Some(true))?;
                i = if gone { i.saturating_sub(2) } else { i + 1 };
                continue;
            }
            Keyword::UNIQUE if matches!(first, Keyword::CREATE | Keyword::ALTER) => {
                definitions::unique_nulls(tokens, i)
            }
            Keyword::WITH
                if first == Keyword::CREATE && tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) =>
            {
                definitions::parameters(tokens, i)
            }
            Keyword::WITHOUT if first == Keyword::CREATE && is_word(tokens.get(i + 1), "oids") => {
                tokens.drain(i..i + 2);
                continue;
            }
            Keyword::TABLE if first == Keyword::CREATE && i < 4 => column_names(tokens, i + 1),
            Keyword::TABLE if i > 0 && table_command(&tokens[i - 1], tokens.get(i + 1)) => {
                let span = tokens[i].span;
                tokens.splice(i..i + 1, select_star(span));
            }
            Keyword::INTERVAL if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) => {
                interval_precision(tokens, i)
            }
            Keyword::TRIM if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) => trim_from(tokens, i + 2),
            Keyword::EXCLUDE if tokens.get(i + 1).is_some_and(|t| matches!(t.token, Token::Word(_))) => {
                frame_exclusion(tokens, i)
            }
            Keyword::PRECEDING | Keyword::FOLLOWING => i += frame_offset(tokens, i),
            Keyword::FETCH => fetch_first(tokens, i),
            Keyword::SUBSTRING if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) => {
                substring_similar(tokens, i + 2)
            }
            // Not PostgreSQL's: a name like others.
            Keyword::IGNORE | Keyword::RESPECT if is_word(tokens.get(i + 1), "nulls") => {
                if let Token::Word(w) = &mut tokens[i].token {
                    w.keyword = Keyword::NoKeyword;
                }
            }
            Keyword::SELECT if alone(tokens.get(i + 1)) => {
                let span = tokens[i].span;
                let row = [
                    plain("FROM", Keyword::FROM, span),
                    at(Token::LParen, span),
                    plain("VALUES", Keyword::VALUES, span),
                    at(Token::LParen, span),
                    at(Token::Number("1".into(), false), span),
                    at(Token::RParen, span),
                    at(Token::RParen, span),
                    plain("AS", Keyword::AS, span),
                    mark("row", span),
                ];
                tokens.splice(i + 1..i + 1, row);
            }
            // `f(x) AS (a int, b text)`: an alias is due in sqlparser's grammar.
            Keyword::AS
                if i > 0
                    && tokens[i - 1].token == Token::RParen
                    && tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen)
                    && clause_before(tokens, i) == Keyword::FROM =>
            {
                if let Some(name) = called(tokens, i - 1) {
                    tokens.insert(i + 1, name);
                }
            }
            Keyword::VALUES if i > 1 && tokens[i - 1].token == Token::LParen && is_operand(tokens, i - 1) => {
                values_operand(tokens, i)
            }
            Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT if i > 0 && tokens[i - 1].token == Token::RParen => {
                i += set_operand(tokens, i)
            }
            Keyword::ROLLUP | Keyword::CUBE | Keyword::SETS
                if tokens.get(i + 1).is_some_and(|t| t.token == Token::LParen) =>
            {
                grouping_elements(tokens, i + 1)
            }
            Keyword::SET if !matches!(first, Keyword::CREATE | Keyword::ALTER) => set_list(tokens, i + 1, text)?,
            Keyword::INTO if i > 0 && keyword(&tokens[i - 1]) == Keyword::INSERT => {
                insert_columns(tokens, i + 1, text)?
            }
            Keyword::CONFLICT if i > 0 && keyword(&tokens[i - 1]) == Keyword::ON => conflict_target(tokens, i, text),
            Keyword::ROWS if i > 0 && tokens.get(i + 1).is_some_and(|t| keyword(t) == Keyword::FROM) => {
                rows_from::rewrite(tokens, i)?
            }
            Keyword::INSERT => strict::insert(tokens, i, text)?,
            Keyword::VARIADIC => strict::variadic(tokens, i, text)?,
            // Of named arguments sqlparser takes only the newer form where it stands.
            _ if tokens[i].token == Token::Assignment => tokens[i].token = Token::RArrow,
            _ if tokens[i].token == Token::LBracket => {
                let closes = i > 0 && matches!(tokens[i - 1].token, Token::RParen | Token::RBracket);
                if closes {
                    work::charge(i * LOOK)?;
                }
                strict::subscript(tokens, i, text, matches!(first, Keyword::CREATE | Keyword::ALTER))?
            }
            _ if tokens[i].token == Token::Mul && i > 1 && tokens[i - 1].token == Token::Period => whole_row(tokens, i),
            _ => {}
        }
        i += 1;
    }
    Ok(())
}

/// `.*` behind an expression, or where a value is wanted.
fn whole_row(tokens: &mut [TokenWithSpan], i: usize) {
    let equals = |t: &TokenWithSpan| matches!(t.token, Token::Eq | Token::Neq);
    let mut name = i - 2;
    while name > 1 && tokens[name - 1].token == Token::Period {
        name -= 2;
    }
    if tokens[i - 2].token == Token::RParen
        || name > 0 && equals(&tokens[name - 1])
        || tokens.get(i + 1).is_some_and(|t| keyword(t) == Keyword::IS || equals(t))
    {
        tokens[i] = mark("*", tokens[i].span);
    }
}

/// Does a SELECT before this token have neither a select list nor a FROM?
fn alone(next: Option<&TokenWithSpan>) -> bool {
    next.is_none_or(|t| {
        matches!(t.token, Token::RParen)
            || matches!(keyword(t), Keyword::WHERE | Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT)
    })
}

/// The mode [NOT] DEFERRABLE, with the comma that parts it from its neighbour, leaves BEGIN, START TRANSACTION and SET TRANSACTION.
fn deferrable(tokens: &mut Vec<TokenWithSpan>) -> Result<()> {
    let modes = matches!(keyword(&tokens[0]), Keyword::BEGIN | Keyword::START)
        || tokens.iter().take(5).any(|t| keyword(t) == Keyword::TRANSACTION);
    while modes && let Some(to) = tokens.iter().position(|t| is_word(Some(t), "deferrable")) {
        work::charge(tokens.len() * LOOK)?;
        let from = if to > 0 && keyword(&tokens[to - 1]) == Keyword::NOT { to - 1 } else { to };
        let comma = |t: Option<&TokenWithSpan>| t.is_some_and(|t| t.token == Token::Comma);
        let before = from > 0 && comma(tokens.get(from - 1));
        let after = !before && comma(tokens.get(to + 1));
        tokens.drain(from - usize::from(before)..to + 1 + usize::from(after));
    }
    Ok(())
}

fn drop_concurrently(tokens: &mut Vec<TokenWithSpan>) {
    if !is_word(tokens.get(1), "index") || !is_word(tokens.get(2), "concurrently") {
        return;
    }
    let span = tokens.remove(2).span;
    let name = if is_word(tokens.get(2), "if") && is_word(tokens.get(3), "exists") { 4 } else { 2 };
    if tokens.get(name).is_some_and(|t| matches!(t.token, Token::Word(_))) {
        tokens.splice(name..name, [mark("concurrently", span), at(Token::Comma, span)]);
    }
}

/// `FETCH FIRST (expression) ROWS ONLY`: sqlparser knows constants without parentheses.
fn fetch_first(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let open = i + 2;
    if !tokens.get(i + 1).is_some_and(|t| matches!(keyword(t), Keyword::FIRST | Keyword::NEXT))
        || tokens.get(open).is_none_or(|t| t.token != Token::LParen)
    {
        return;
    }
    let mut depth = 0;
    let close = tokens.iter().skip(open).position(|t| {
        match t.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(close) = close.map(|c| c + open) else { return };
    if close == open + 2 && matches!(tokens[open + 1].token, Token::Number(..) | Token::Placeholder(_)) {
        tokens.remove(close);
        tokens.remove(open);
    } else if tokens.get(close + 1).is_some_and(|t| matches!(keyword(t), Keyword::ROW | Keyword::ROWS)) {
        let span = tokens[i].span;
        match tokens.get(close + 2).map(keyword) {
            Some(Keyword::ONLY) => drop(tokens.drain(close + 1..close + 3)),
            Some(Keyword::WITH) => {
                let fetch = [plain("FETCH", Keyword::FETCH, span), plain("FIRST", Keyword::FIRST, span)];
                tokens.splice(close + 1..close + 1, fetch);
            }
            _ => return,
        }
        tokens.splice(i..i + 2, [plain("LIMIT", Keyword::LIMIT, span)]);
    }
}

/// `at_word` is SYMMETRIC; the lower bound ends at the AND outside of parentheses and CASE.
fn between_symmetric(tokens: &mut Vec<TokenWithSpan>, at_word: usize) {
    let mut depth = 0i32;
    let mut end = None;
    for (i, t) in tokens.iter().enumerate().skip(at_word + 1) {
        match &t.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => match keyword(t) {
                Keyword::CASE => depth += 1,
                Keyword::END => depth -= 1,
                Keyword::AND if depth == 0 => {
                    end = Some(i);
                    break;
                }
                _ => {}
            },
        }
        if depth < 0 {
            return;
        }
    }
    let Some(end) = end else { return };
    let span = tokens[at_word].span;
    tokens.insert(end, at(Token::RParen, span));
    tokens.splice(at_word..at_word + 1, [mark("symmetric", span), at(Token::LParen, span)]);
}

/// Brings the options of `AS IDENTITY (...)`, which may stand in any order, into the one that sqlparser wants.
fn identity_options(tokens: &mut [TokenWithSpan], from: usize) {
    let Some(len) = tokens.iter().skip(from).position(|t| t.token == Token::RParen) else { return };
    let Some(body) = tokens.get_mut(from..from + len) else { return };
    let rank = |t: &TokenWithSpan| match &t.token {
        Token::Word(w) if w.quote_style.is_none() => ["increment", "minvalue", "maxvalue", "start", "cache", "cycle"]
            .iter()
            .position(|x| w.value.eq_ignore_ascii_case(x)),
        _ => None,
    };
    let mut groups: Vec<(usize, Vec<TokenWithSpan>)> = Vec::new();
    let mut negated = None;
    for t in body.iter() {
        match rank(t) {
            Some(r) => groups.push((r, negated.take().into_iter().chain([t.clone()]).collect())),
            None if is_word(Some(t), "no") => negated = Some(t.clone()),
            None => match groups.last_mut() {
                Some(g) => g.1.push(t.clone()),
                None => return,
            },
        }
    }
    groups.sort_by_key(|g| g.0);
    let sorted: Vec<TokenWithSpan> = groups.into_iter().flat_map(|g| g.1).collect();
    if sorted.len() == body.len() {
        body.clone_from_slice(&sorted);
    }
}

/// `CREATE TABLE t (a, b) AS`: the names get a type, which is not looked at, because sqlparser wants one.
fn column_names(tokens: &mut Vec<TokenWithSpan>, mut i: usize) {
    while tokens.get(i).is_some_and(|t| t.token != Token::LParen) {
        if !matches!(tokens[i].token, Token::Word(_) | Token::Period) || keyword(&tokens[i]) == Keyword::AS {
            return;
        }
        i += 1;
    }
    let mut names = Vec::new();
    let mut at_name = i + 1;
    loop {
        if !matches!(tokens.get(at_name).map(|t| &t.token), Some(Token::Word(_))) {
            return;
        }
        names.push(at_name);
        match tokens.get(at_name + 1).map(|t| &t.token) {
            Some(Token::Comma) => at_name += 2,
            Some(Token::RParen) => break,
            _ => return,
        }
    }
    if tokens.get(at_name + 2).is_none_or(|t| keyword(t) != Keyword::AS) {
        return;
    }
    for n in names.into_iter().rev() {
        let span = tokens[n].span;
        tokens.insert(n + 1, plain("text", Keyword::TEXT, span));
    }
}

/// A frame's offset that begins with a string is put in parentheses; sqlparser takes the string alone for an interval. Returns the number of tokens put before `i`.
fn frame_offset(tokens: &mut Vec<TokenWithSpan>, i: usize) -> usize {
    let opens = |t: &TokenWithSpan| {
        matches!(keyword(t), Keyword::ROWS | Keyword::RANGE | Keyword::GROUPS | Keyword::BETWEEN | Keyword::AND)
    };
    let Some(from) = tokens.iter().take(i).rposition(opens).map(|f| f + 1) else { return 0 };
    if i < from + 2 || !tokens.get(from).is_some_and(|t| matches!(t.token, Token::SingleQuotedString(_))) {
        return 0;
    }
    let span = tokens[from].span;
    tokens.insert(i, at(Token::RParen, span));
    tokens.insert(from, at(Token::LParen, span));
    2
}

/// A frame's EXCLUDE clause, the last thing in a window, becomes its first partition expression.
fn frame_exclusion(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let word = |n: usize, w: &str| is_word(tokens.get(i + n), w);
    let (what, len) = match () {
        () if word(1, "current") && word(2, "row") => ("exclude:current", 3),
        () if word(1, "no") && word(2, "others") => ("exclude:no", 3),
        () if word(1, "group") => ("exclude:group", 2),
        () if word(1, "ties") => ("exclude:ties", 2),
        () => return,
    };
    if tokens.get(i + len).is_none_or(|t| t.token != Token::RParen) {
        return;
    }
    let mut depth = 0;
    let open = tokens.iter().take(i).rposition(|t| match t.token {
        Token::RParen => {
            depth += 1;
            false
        }
        Token::LParen => {
            depth -= 1;
            depth < 0
        }
        _ => false,
    });
    let Some(open) = open else { return };
    let span = tokens[i].span;
    tokens.drain(i..i + len);
    // Behind the name of the window that this one refers to.
    let named = tokens.get(open + 1).is_some_and(|t| {
        matches!(t.token, Token::Word(_))
            && !matches!(
                keyword(t),
                Keyword::PARTITION | Keyword::ORDER | Keyword::ROWS | Keyword::RANGE | Keyword::GROUPS
            )
    });
    let at_parts = open + 1 + usize::from(named);
    if tokens.get(at_parts).is_some_and(|t| keyword(t) == Keyword::PARTITION) {
        tokens.splice(at_parts + 2..at_parts + 2, [mark(what, span), at(Token::Comma, span)]);
    } else {
        let by = [plain("PARTITION", Keyword::PARTITION, span), plain("BY", Keyword::BY, span), mark(what, span)];
        tokens.splice(at_parts..at_parts, by);
    }
}

/// `i` follows the parenthesis of TRIM. Blanks are what is trimmed when nothing is said.
fn trim_from(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let side =
        tokens.get(i).is_some_and(|t| matches!(keyword(t), Keyword::BOTH | Keyword::LEADING | Keyword::TRAILING));
    let from = if side { i + 1 } else { i };
    if tokens.get(from).is_none_or(|t| keyword(t) != Keyword::FROM) {
        return;
    }
    let span = tokens[from].span;
    tokens.insert(from, at(Token::SingleQuotedString(" ".into()), span));
    if !side {
        tokens.insert(from, plain("BOTH", Keyword::BOTH, span));
    }
}

/// `i` follows the parenthesis of SUBSTRING. The two forms are one function.
fn substring_similar(tokens: &mut [TokenWithSpan], i: usize) {
    let mut depth = 0;
    let mut similar = None;
    for at in i..tokens.len() {
        match (&tokens[at].token, keyword(&tokens[at])) {
            (Token::LParen, _) => depth += 1,
            (Token::RParen, _) if depth == 0 => return,
            (Token::RParen, _) => depth -= 1,
            (_, Keyword::SIMILAR) if depth == 0 && tokens.get(at + 1).is_none_or(|t| keyword(t) != Keyword::TO) => {
                similar = Some(at);
            }
            (_, Keyword::ESCAPE) if depth == 0 => {
                let Some(s) = similar else { return };
                tokens[s] = plain("FROM", Keyword::FROM, tokens[s].span);
                tokens[at] = plain("FOR", Keyword::FOR, tokens[at].span);
                return;
            }
            _ => {}
        }
    }
}

/// `INTERVAL(p) '...'` becomes `CAST('...' AS INTERVAL(p))`: sqlparser forgets the precision.
fn interval_precision(tokens: &mut Vec<TokenWithSpan>, i: usize) {
    let is = |n: usize, f: fn(&Token) -> bool| tokens.get(i + n).is_some_and(|t| f(&t.token));
    let literal = |t: &Token| matches!(t, Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_));
    if !is(2, |t| matches!(t, Token::Number(..))) || !is(3, |t| *t == Token::RParen) || !is(4, literal) {
        return;
    }
    let span = tokens[i].span;
    let value = tokens.remove(i + 4);
    tokens.insert(i + 4, at(Token::RParen, span));
    tokens.splice(
        i..i,
        [plain("CAST", Keyword::CAST, span), at(Token::LParen, span), value, plain("AS", Keyword::AS, span)],
    );
}

fn select_star(span: Span) -> [TokenWithSpan; 3] {
    [plain("SELECT", Keyword::SELECT, span), at(Token::Mul, span), plain("FROM", Keyword::FROM, span)]
}
/// Is a TABLE between these tokens the command `TABLE name`?
fn table_command(before: &TokenWithSpan, after: Option<&TokenWithSpan>) -> bool {
    let place = matches!(before.token, Token::LParen | Token::RParen)
        || matches!(
            keyword(before),
            Keyword::UNION | Keyword::ALL | Keyword::DISTINCT | Keyword::INTERSECT | Keyword::EXCEPT | Keyword::AS
        );
    place && matches!(after.map(|t| &t.token), Some(Token::Word(_)))
}

/// `((SELECT ...) UNION ...)` where an expression is due: `(SELECT * FROM ((SELECT ...) UNION ...) AS x)`. `at_word` is the set operation's place; how many tokens
/// came in before it.
fn set_operand(tokens: &mut Vec<TokenWithSpan>, at_word: usize) -> usize {
    let mut depth = 0;
    let opens = tokens[..at_word].iter().rposition(|t| {
        match t.token {
            Token::RParen => depth += 1,
            Token::LParen => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(outer) = opens.and_then(|o| o.checked_sub(1)).filter(|o| tokens[*o].token == Token::LParen) else {
        return 0;
    };
    let a_query_is_due = outer.checked_sub(1).is_none_or(|before| {
        matches!(
            keyword(&tokens[before]),
            Keyword::FROM
                | Keyword::JOIN
                | Keyword::LATERAL
                | Keyword::IN
                | Keyword::EXISTS
                | Keyword::ARRAY
                | Keyword::AS
                | Keyword::UNION
                | Keyword::INTERSECT
                | Keyword::EXCEPT
        )
    });
    let body = tokens[outer + 2..].iter().find(|t| t.token != Token::LParen).map(keyword);
    if a_query_is_due || !matches!(body, Some(Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::TABLE)) {
        return 0;
    }
    let mut depth = 0;
    let closes = tokens[outer..].iter().position(|t| {
        match t.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(close) = closes.map(|c| outer + c) else { return 0 };
    let span = tokens[close].span;
    tokens.splice(close..close, [at(Token::RParen, span), plain("AS", Keyword::AS, span), mark("set", span)]);
    let span = tokens[outer].span;
    let [select, star, from] = select_star(span);
    tokens.splice(outer + 1..outer + 1, [select, star, from, at(Token::LParen, span)]);
    4
}

/// `CUBE ((a)::int, b)`: sqlparser takes an element that begins with a parenthesis for a list of columns. Such an element gets a pair of its own.
fn grouping_elements(tokens: &mut Vec<TokenWithSpan>, open: usize) {
    let (mut depth, mut start, mut closed) = (0usize, open + 1, None);
    let mut i = open;
    while let Some(t) = tokens.get(i) {
        let ends = match t.token {
            Token::LParen => {
                depth += 1;
                false
            }
            Token::RParen => {
                depth -= 1;
                if depth == 1 && closed.is_none() {
                    closed = Some(i);
                }
                depth == 0
            }
            Token::Comma => depth == 1,
            _ => false,
        };
        if ends {
            let first = &tokens[start];
            if first.token == Token::LParen && closed.is_some_and(|c| c + 1 < i) {
                let (a, b) = (first.span, tokens[i - 1].span);
                tokens.insert(i, at(Token::RParen, b));
                tokens.insert(start, at(Token::LParen, a));
                i += 2;
            }
            if depth == 0 {
                return;
            }
            (start, closed) = (i + 1, None);
        }
        i += 1;
    }
}

/// The name of the function whose call ends at the parenthesis `close`.
fn called(tokens: &[TokenWithSpan], close: usize) -> Option<TokenWithSpan> {
    let mut depth = 0;
    let open = tokens[..=close].iter().rposition(|t| {
        match t.token {
            Token::RParen => depth += 1,
            Token::LParen => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let name = tokens.get(open.checked_sub(1)?)?;
    match &name.token {
        Token::Word(w) if w.keyword == Keyword::NoKeyword || w.quote_style.is_some() => Some(name.clone()),
        _ => None,
    }
}

/// Does an expression's operand open at `open` (a scalar subquery), and no FROM item, CTE or operand of UNION?
fn is_operand(tokens: &[TokenWithSpan], open: usize) -> bool {
    let Some(before) = open.checked_sub(1) else { return false };
    match &tokens[before].token {
        Token::LParen => {
            // `f((values (1)))`, `in ((values (1)))`; not `from ((values (1)) v join ...)`.
            before.checked_sub(1).is_some_and(|b| match &tokens[b].token {
                Token::Word(w) => !matches!(w.keyword, Keyword::FROM | Keyword::JOIN | Keyword::LATERAL | Keyword::AS),
                Token::Comma => clause_before(tokens, b) != Keyword::FROM,
                Token::LParen => false,
                _ => true,
            })
        }
        Token::Comma => clause_before(tokens, before) != Keyword::FROM,
        Token::Word(w) => matches!(
            w.keyword,
            Keyword::SELECT
                | Keyword::WHERE
                | Keyword::HAVING
                | Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::ON
                | Keyword::CASE
                | Keyword::WHEN
                | Keyword::THEN
                | Keyword::ELSE
                | Keyword::BY
                | Keyword::LIKE
                | Keyword::BETWEEN
                | Keyword::LIMIT
                | Keyword::OFFSET
                | Keyword::RETURNING
        ),
        Token::RParen | Token::Period | Token::Colon | Token::DoubleColon | Token::SemiColon => false,
        _ => true,
    }
}

/// The clause of its query level that token `i` stands in; inside the parentheses of a call NoKeyword.
fn clause_before(tokens: &[TokenWithSpan], i: usize) -> Keyword {
    let mut depth = 0;
    for t in tokens[..i].iter().rev() {
        match t.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return Keyword::NoKeyword,
            Token::LParen => depth -= 1,
            _ if depth == 0 => {
                let k = keyword(t);
                if matches!(
                    k,
                    Keyword::SELECT
                        | Keyword::FROM
                        | Keyword::WHERE
                        | Keyword::BY
                        | Keyword::SET
                        | Keyword::RETURNING
                        | Keyword::USING
                ) {
                    return if k == Keyword::USING { Keyword::FROM } else { k };
                }
            }
            _ => {}
        }
    }
    Keyword::NoKeyword
}

/// `(VALUES ...)` as an operand: sqlparser reads subqueries there that begin with SELECT or WITH.
fn values_operand(tokens: &mut Vec<TokenWithSpan>, at_values: usize) {
    let mut depth = 1;
    let close = tokens[at_values..].iter().position(|t| {
        match t.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(close) = close.map(|c| at_values + c) else { return };
    let span = tokens[close].span;
    tokens.splice(close..close, [at(Token::RParen, span), plain("AS", Keyword::AS, span), mark("set", span)]);
    let span = tokens[at_values].span;
    let [select, star, from] = select_star(span);
    tokens.splice(at_values..at_values, [select, star, from, at(Token::LParen, span)]);
}

/// Has the query level of the row lock at `at_for` nothing behind its select list?
fn only_a_select_list(tokens: &[TokenWithSpan], at_for: usize) -> bool {
    let mut depth = 0;
    for t in tokens[..at_for].iter().rev() {
        match t.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return false,
            Token::LParen => depth -= 1,
            _ if depth == 0 => match keyword(t) {
                Keyword::SELECT => return true,
                Keyword::FROM
                | Keyword::WHERE
                | Keyword::BY
                | Keyword::HAVING
                | Keyword::LIMIT
                | Keyword::OFFSET
                | Keyword::FETCH
                | Keyword::VALUES
                | Keyword::UPDATE
                | Keyword::SHARE => return false,
                _ => {}
            },
            _ => {}
        }
    }
    false
}

fn lock_clause(tokens: &mut Vec<TokenWithSpan>, at_for: usize) {
    let k = |n: usize| tokens.get(at_for + n).map_or(Keyword::NoKeyword, keyword);
    let (mode, used) = match (k(1), k(2), k(3)) {
        (Keyword::UPDATE, ..) => ("u", 2),
        (Keyword::SHARE, ..) => ("s", 2),
        (Keyword::NO, Keyword::KEY, Keyword::UPDATE) => ("n", 4),
        (Keyword::KEY, Keyword::SHARE, _) => ("k", 3),
        _ => return,
    };
    let span = tokens[at_for].span;
    let mut new = Vec::new();
    if only_a_select_list(tokens, at_for) {
        // FOR would be taken for an alias.
        new.extend([plain("WHERE", Keyword::WHERE, span), plain("TRUE", Keyword::TRUE, span)]);
    }
    new.extend([
        plain("FOR", Keyword::FOR, span),
        plain("UPDATE", Keyword::UPDATE, span),
        plain("OF", Keyword::OF, span),
        mark(&format!("lock:{mode}"), span),
    ]);
    let mut end = at_for + used;
    if tokens.get(end).is_some_and(|t| keyword(t) == Keyword::OF) {
        end += 1;
        while let Some(t) = tokens.get(end).filter(|t| matches!(t.token, Token::Word(_))) {
            new.push(at(Token::Period, span));
            new.push(t.clone());
            end += 1;
            match tokens.get(end) {
                Some(t) if t.token == Token::Comma => end += 1,
                _ => break,
            }
        }
    }
    tokens.splice(at_for..end, new);
}

/// The subscripts behind the name that begins at `i` become one more name. Gives the token after.
fn subscripted(tokens: &mut Vec<TokenWithSpan>, mut i: usize, text: &str) -> Result<usize> {
    let is = |t: Option<&TokenWithSpan>, what: &Token| t.is_some_and(|t| t.token == *what);
    while matches!(tokens.get(i).map(|t| &t.token), Some(Token::Word(_))) {
        i += 1;
        if !is(tokens.get(i), &Token::Period) {
            break;
        }
        i += 1;
    }
    let open = i;
    while is(tokens.get(i), &Token::LBracket) {
        let mut depth = 0;
        loop {
            match tokens.get(i).map(|t| &t.token) {
                Some(Token::LBracket) => depth += 1,
                Some(Token::RBracket) => depth -= 1,
                None => return Ok(i),
                _ => {}
            }
            i += 1;
            if depth == 0 {
                break;
            }
        }
    }
    if i == open {
        return Ok(i);
    }
    work::charge(tokens.len() * LOOK + text.len())?;
    let subs = super::slice(text, tokens[open].span.start, tokens[i - 1].span.end);
    let span = tokens[open].span;
    let new = [at(Token::Period, span), mark(subs, span)];
    tokens.splice(open..i, new);
    Ok(open + 2)
}

/// Subscripts of the targets of `SET a[1] = x, (b[2], c) = (y, z)`.
fn set_list(tokens: &mut Vec<TokenWithSpan>, mut i: usize, text: &str) -> Result<()> {
    loop {
        if tokens.get(i).is_some_and(|t| t.token == Token::LParen) {
            loop {
                i = subscripted(tokens, i + 1, text)?;
                if tokens.get(i).is_none_or(|t| t.token != Token::Comma) {
                    break;
                }
            }
            i += 1;
        } else {
            i = subscripted(tokens, i, text)?;
        }
        // The value: up to a comma outside of parentheses.
        let mut depth = 0;
        loop {
            let Some(t) = tokens.get(i) else { return Ok(()) };
            match &t.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth == 0 => return Ok(()),
                Token::RParen | Token::RBracket => depth -= 1,
                Token::Comma if depth == 0 => break,
                Token::Word(_) if depth == 0 => match keyword(t) {
                    Keyword::WHERE | Keyword::RETURNING => return Ok(()),
                    Keyword::FROM if keyword(&tokens[i - 1]) != Keyword::DISTINCT => return Ok(()),
                    _ => {}
                },
                _ => {}
            }
            i += 1;
        }
        i += 1;
    }
}

/// Subscripts in an INSERT's list of columns.
fn insert_columns(tokens: &mut Vec<TokenWithSpan>, mut i: usize, text: &str) -> Result<()> {
    let word = |i: usize| matches!(tokens.get(i).map(|t| &t.token), Some(Token::Word(_)));
    while word(i) && tokens.get(i + 1).is_some_and(|t| t.token == Token::Period) {
        i += 2;
    }
    if !word(i) {
        return Ok(());
    }
    i += 1;
    if tokens.get(i).is_some_and(|t| keyword(t) == Keyword::AS) {
        i += 2;
    }
    while matches!(tokens.get(i).map(|t| &t.token), Some(Token::LParen | Token::Comma)) {
        i = subscripted(tokens, i + 1, text)?;
    }
    Ok(())
}

/// Leaves plain column lists alone.
fn conflict_target(tokens: &mut Vec<TokenWithSpan>, at_conflict: usize, text: &str) {
    let open = at_conflict + 1;
    if tokens.get(open).is_none_or(|t| t.token != Token::LParen) {
        return;
    }
    let mut depth = 0;
    let mut plain_list = true;
    let mut close = open;
    for (i, t) in tokens.iter().enumerate().skip(open) {
        match &t.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            Token::Comma | Token::Word(_) => {}
            _ => plain_list = false,
        }
        if depth > 1 {
            plain_list = false;
        }
        if depth == 0 {
            close = i;
            break;
        }
    }
    if close == open {
        return;
    }
    let mut end = close + 1;
    let mut predicate = "";
    if tokens.get(end).is_some_and(|t| keyword(t) == Keyword::WHERE) {
        let from = end;
        while tokens.get(end).is_some_and(|t| keyword(t) != Keyword::DO) {
            end += 1;
        }
        if let (Some(a), Some(b)) = (tokens.get(from), tokens.get(end)) {
            predicate = super::slice(text, a.span.end, b.span.start);
        }
        plain_list = false;
    }
    if plain_list {
        return;
    }
    let target = super::slice(text, tokens[open].span.end, tokens[close].span.start);
    let span = tokens[open].span;
    let new = [at(Token::LParen, span), mark(&format!("{target}{MARK}{predicate}"), span), at(Token::RParen, span)];
    tokens.splice(open..end, new);
}

pub(super) fn keyword(t: &TokenWithSpan) -> Keyword {
    match &t.token {
        Token::Word(w) => w.keyword,
        _ => Keyword::NoKeyword,
    }
}
pub(super) fn is_word(t: Option<&TokenWithSpan>, word: &str) -> bool {
    matches!(t.map(|t| &t.token), Some(Token::Word(w)) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(word))
}
pub(super) fn at(token: Token, span: Span) -> TokenWithSpan {
    TokenWithSpan { token, span }
}
pub(super) fn plain(value: &str, keyword: Keyword, span: Span) -> TokenWithSpan {
    at(Token::Word(Word { value: value.into(), quote_style: None, keyword }), span)
}
pub(super) fn mark(value: &str, span: Span) -> TokenWithSpan {
    at(Token::Word(Word { value: format!("{MARK}{value}"), quote_style: Some('"'), keyword: Keyword::NoKeyword }), span)
}
