//! As much of RFC 3986 as the names of namespaces are asked: is it a reference at all, and has it a scheme?

/// None: no reference. Otherwise whether it has a scheme.
pub fn absolute(s: &str) -> Option<bool> {
    let (scheme, rest) = match s.find([':', '/', '?', '#']) {
        Some(n) if s.as_bytes().get(n) == Some(&b':') && is_scheme(&s[..n]) => (true, &s[n + 1..]),
        _ => (false, s),
    };
    let (path, fragment) = rest.split_once('#').map_or((rest, None), |(p, f)| (p, Some(f)));
    if fragment.is_some_and(|f| !all(f, "/?[]")) {
        return None;
    }
    let (path, query) = path.split_once('?').map_or((path, None), |(p, q)| (p, Some(q)));
    if query.is_some_and(|q| !all(q, "/?[]")) {
        return None;
    }
    let path = match path.strip_prefix("//") {
        Some(p) => {
            let (host, path) = p.find('/').map_or((p, ""), |n| p.split_at(n));
            if !all(host, "[]") {
                return None;
            }
            path
        }
        None => path,
    };
    // The first step of a reference without a scheme has no colon.
    if !scheme && !path.starts_with('/') && path.split('/').next().is_some_and(|step| step.contains(':')) {
        return None;
    }
    all(path, "/").then_some(scheme)
}
fn is_scheme(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic())
        && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}
/// Unreserved and reserved characters within a part, escapes, and `also`.
fn all(s: &str, also: &str) -> bool {
    let b = s.as_bytes();
    let hex = |i: usize| b.get(i).is_some_and(u8::is_ascii_hexdigit);
    (0..b.len()).all(|i| match b[i] {
        b'%' => hex(i + 1) && hex(i + 2),
        c => c.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&c) || also.as_bytes().contains(&c),
    })
}
