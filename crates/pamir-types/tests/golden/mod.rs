//! Reads the golden tables: tab-separated lines whose last field is what PostgreSQL 15 answered.
//!
//! Errors stand as `ERROR sqlstate message | detail ! hint`; backslash, tab and newline are escaped.
#![allow(dead_code)] // each test binary uses what it needs
use pamir_types::{Error, Result};

pub fn unescape(s: &str) -> String {
    let mut out = String::new();
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('v') => out.push('\x0b'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

pub fn show_error(e: &Error) -> String {
    let mut s = format!("ERROR {} {}", e.code().as_str(), e.message());
    if let Some(d) = &e.data().detail {
        s += &format!(" | {d}");
    }
    if let Some(h) = &e.data().hint {
        s += &format!(" ! {h}");
    }
    s
}

/// Runs every line of `table` and fails with all the differences.
pub fn check(table: &str, eval: impl Fn(&[String]) -> Result<String>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let mut fields: Vec<String> = line.split('\t').map(unescape).collect();
        let want = fields.pop().unwrap_or_default();
        count += 1;
        let got = match eval(&fields) {
            Ok(v) => v,
            Err(e) => show_error(&e),
        };
        if got != want {
            wrong.push(format!("{}\n  want {want}\n  got  {got}", fields.join(" ; ")));
        }
    }
    assert!(count > 0, "empty table");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
