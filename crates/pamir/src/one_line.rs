//! How this program tells of an error.

/// An error as one line: message, detail, hint.
pub fn line(e: pamir_types::Error) -> String {
    let d = e.data();
    let parts = [Some(&d.message), d.detail.as_ref(), d.hint.as_ref()];
    let mut s = String::new();
    for part in parts.into_iter().flatten() {
        if !s.is_empty() {
            s.push_str(if s.ends_with(['.', '!', '?']) { " " } else { ". " });
        }
        s.push_str(&part.replace('\n', " "));
    }
    s
}
