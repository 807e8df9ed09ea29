//! The pretty form of a stored expression (`pg_get_expr(..., true)`, what psql's \d shows): without the parentheses that nobody needs.
//!
//! Stored expressions have all parentheses. Here, on their text, go the pair around the whole and those around the operands of AND and OR, as PostgreSQL's:
//!
//! ```text
//! ((a > 0) AND ((b IS NULL) OR (c < 3)))   ->   a > 0 AND (b IS NULL OR c < 3)
//! ```
//! Limits: parentheses inside arithmetic stay (`(a + 1) + 2`, where PostgreSQL leaves out what precedence says); an implicit cast around the whole, which keeps
//! its pair in PostgreSQL, is not seen in the text.

/// The byte position behind the quoted piece that begins at `i`, or `i` + 1.
fn skip(s: &[u8], i: usize) -> usize {
    let q = s[i];
    if q != b'\'' && q != b'"' {
        return i + 1;
    }
    // A doubled quote ends one piece and begins the next.
    s.iter().skip(i + 1).position(|c| *c == q).map_or(s.len(), |n| i + n + 2)
}
/// Without the parentheses that enclose all of `s`.
fn stripped(s: &str) -> Option<&str> {
    let b = s.as_bytes();
    if b.first() != Some(&b'(') {
        return None;
    }
    let (mut depth, mut i) = (0, 0);
    while i < b.len() {
        match b[i] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return if i + 1 == b.len() { s.get(1..i) } else { None };
                }
            }
            _ => {}
        }
        i = skip(b, i);
    }
    None
}
/// Operands of a chain of ANDs or ORs outside all parentheses.
fn operands<'s>(s: &'s str, word: &str) -> Vec<&'s str> {
    let b = s.as_bytes();
    let (mut depth, mut i, mut from) = (0i32, 0, 0);
    let mut out = Vec::new();
    while i < b.len() {
        match b[i] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && s.is_char_boundary(i) && s[i..].starts_with(word) {
            out.push(&s[from..i]);
            i += word.len();
            from = i;
            continue;
        }
        i = skip(b, i);
    }
    out.push(&s[from..]);
    out
}

/// Without the parentheses around names and calls that are cast: `(a)::text` is `a::text`.
pub fn plain_casts(s: &str) -> String {
    let b = s.as_bytes();
    let (mut out, mut i, mut from) = (String::with_capacity(s.len()), 0, 0);
    while i < b.len() {
        if b[i] != b'(' {
            i = skip(b, i);
            continue;
        }
        let Some(close) = closing(b, i) else { break };
        let inner = plain_casts(&s[i + 1..close]);
        let of_call = i > 0 && (b[i - 1].is_ascii_alphanumeric() || matches!(b[i - 1], b'_' | b'"'));
        out.push_str(&s[from..i]);
        if s[close + 1..].starts_with("::") && !of_call && simple(&inner) {
            out.push_str(&inner);
        } else {
            out.push('(');
            out.push_str(&inner);
            out.push(')');
        }
        (i, from) = (close + 1, close + 1);
    }
    out.push_str(&s[from..]);
    out
}
/// Where the parenthesis at `open` closes.
fn closing(b: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut i) = (0, open);
    while i < b.len() {
        match b[i] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
        i = skip(b, i);
    }
    None
}
/// A name, or a call of a function.
fn simple(s: &str) -> bool {
    let b = s.as_bytes();
    let mut i = 0;
    while i < b.len() && (b[i].is_ascii_alphanumeric() || !b[i].is_ascii() || matches!(b[i], b'_' | b'.' | b'"')) {
        i = skip(b, i);
    }
    i > 0 && (i == b.len() || (b[i] == b'(' && closing(b, i) == Some(b.len() - 1)))
}

pub fn pretty(s: &str) -> String {
    logic(&plain_casts(s))
}
/// What stands behind the operand of a test.
const TESTS: [&str; 8] = [
    " IS NULL",
    " IS NOT NULL",
    " IS TRUE",
    " IS NOT TRUE",
    " IS FALSE",
    " IS NOT FALSE",
    " IS UNKNOWN",
    " IS NOT UNKNOWN",
];
fn logic(s: &str) -> String {
    let whole = stripped(s).unwrap_or(s);
    if let Some((x, test)) = TESTS.iter().find_map(|t| Some((stripped(whole.strip_suffix(t)?)?, t))) {
        return format!("({}){test}", logic(x));
    }
    for (word, inner_or) in [(" OR ", false), (" AND ", true)] {
        let parts = operands(whole, word);
        if parts.len() < 2 {
            continue;
        }
        // CASE has its own words; leave what does not look like operands alone.
        if parts.iter().any(|p| stripped(p).is_none() && p.contains(' ')) {
            return whole.to_string();
        }
        let shown = parts.iter().map(|p| match stripped(p) {
            Some(inner) if inner_or && operands(inner, " OR ").len() > 1 => format!("({})", logic(p)),
            Some(_) => logic(p),
            None => p.to_string(),
        });
        return shown.collect::<Vec<_>>().join(word);
    }
    whole.to_string()
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn parentheses() {
        for (stored, shown) in [
            ("(a > 10)", "a > 10"),
            ("a", "a"),
            ("nextval('x'::regclass)", "nextval('x'::regclass)"),
            ("('x'::text || 'y'::text)", "'x'::text || 'y'::text"),
            ("((b IS NOT NULL) AND (a > 3))", "b IS NOT NULL AND a > 3"),
            ("((a > 0) AND ((b IS NULL) OR (c < 3)))", "a > 0 AND (b IS NULL OR c < 3)"),
            ("((a > 0) OR ((b IS NULL) AND c))", "a > 0 OR b IS NULL AND c"),
            ("(a = ' AND ('::text)", "a = ' AND ('::text"),
            ("(a)::text", "a::text"),
            ("lower((\"A b\")::text)", "lower(\"A b\"::text)"),
            ("(upper((a)::text))::varchar", "upper(a::text)::varchar"),
            ("((a + 1))::text", "((a + 1))::text"),
            ("f(a)::text", "f(a)::text"),
            ("((((a = 1) OR (b = 2)) AND c) IS NOT NULL)", "((a = 1 OR b = 2) AND c) IS NOT NULL"),
            ("((a + 1) IS NULL)", "(a + 1) IS NULL"),
            ("((a)::text = '(b)::text'::text)", "a::text = '(b)::text'::text"),
            ("((a + 1) > (b * 2))", "(a + 1) > (b * 2)"),
            ("((a = 'x'')'::text) OR (b = ANY (ARRAY[1, 2])))", "a = 'x'')'::text OR b = ANY (ARRAY[1, 2])"),
            ("", ""),
        ] {
            assert_eq!(pretty(stored), shown, "{stored}");
        }
    }
}
