//! Names of users' functions in stored expressions, as they are shown.
//!
//! A stored text names a user's function with its schema, since it must mean the same whatever the search path is; PostgreSQL shows the schema only where the
//! bare name would mean something else:
//!
//! ```text
//! (public.isp(a) AND ('public.x('::text = b))   ->   (isp(a) AND ('public.x('::text = b))
//! ```
//! The text has no types of arguments, so this looks at names alone: the schema stays where another schema of the path, before it, has a routine of that
//! name, though that may take other arguments.
use super::*;
use crate::routines::Class;
use std::borrow::Cow;

/// A text without the schemas of calls that need none.
pub fn shown(catalog: &Catalog, scope: &NameScope, text: String) -> String {
    if !text.contains('.') || !(catalog.has_routines() || catalog.has_extensions()) || scope.search_path.is_empty() {
        return text;
    }
    let b = text.as_bytes();
    let (mut out, mut from, mut i) = (String::with_capacity(text.len()), 0, 0);
    while i < b.len() {
        let end = token(b, i);
        let starts = is_name(b[i]) && (i == 0 || b[i - 1] != b'.');
        if starts && b.get(end) == Some(&b'.') && b.get(end + 1).is_some_and(|c| is_name(*c)) {
            let behind = token(b, end + 1);
            let (schema, name) = (&text[i..end], &text[end + 1..behind]);
            if b.get(behind) == Some(&b'(') && is_bare(catalog, scope, &unquoted(schema), &unquoted(name)) {
                out.push_str(&text[from..i]);
                from = end + 1;
            }
            i = behind;
            continue;
        }
        i = end;
    }
    out.push_str(&text[from..]);
    out
}
fn is_name(c: u8) -> bool {
    c == b'"' || c == b'_' || c.is_ascii_alphabetic() || !c.is_ascii()
}
/// Where the name, the literal or the single byte at `i` ends.
fn token(b: &[u8], i: usize) -> usize {
    match b[i] {
        q @ (b'\'' | b'"') => {
            // A doubled quote ends one piece and begins the next.
            let close = |at: usize| b[at..].iter().position(|c| *c == q).map(|n| at + n + 1);
            let mut end = close(i + 1);
            while let Some(e) = end.filter(|e| b.get(*e) == Some(&q)) {
                end = close(e + 1);
            }
            end.unwrap_or(b.len())
        }
        c if is_name(c) => {
            let more = |c: &u8| is_name(*c) && *c != b'"' || c.is_ascii_digit() || *c == b'$';
            i + 1 + b[i + 1..].iter().take_while(|c| more(c)).count()
        }
        _ => i + 1,
    }
}
fn unquoted(name: &str) -> Cow<'_, str> {
    match name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) {
        Some(n) => n.replace("\"\"", "\"").into(),
        None => name.into(),
    }
}
/// Does the bare name mean the routine of that schema?
fn is_bare(catalog: &Catalog, scope: &NameScope, schema: &str, name: &str) -> bool {
    let all = catalog.routines(Class::Function, name);
    let has = |s: &str| {
        let Some(s) = catalog.schema_of_relations(scope.database, s) else { return false };
        all.iter().any(|r| r.schema == s.oid) || !catalog.extensions_in(s.oid).is_empty()
    };
    scope.search_path.iter().find(|s| has(s)).is_some_and(|s| s == schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_literals() {
        for (text, ends) in [("abc.d", 3), ("\"a\"\"b\".c", 6), ("'it''s'x", 7), ("(a", 1), ("a$1(", 3), ("'open", 5)] {
            assert_eq!(token(text.as_bytes(), 0), ends, "{text}");
        }
        assert_eq!(unquoted("\"A\"\"b\""), "A\"b");
        assert_eq!(unquoted("ab"), "ab");
    }
}
