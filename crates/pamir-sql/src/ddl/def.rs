//! Options as statements write them, `name = value` (PostgreSQL's define.c).
use super::DdlCtx;
use pamir_parse::tree::{DefElem, DefValue};
use pamir_types::{Error, Result, bail, err};

/// Nothing said is true.
pub fn boolean(d: &DefElem) -> Result<bool> {
    let word = match &d.value {
        None | Some(DefValue::Integer(1)) => return Ok(true),
        Some(DefValue::Integer(0)) => return Ok(false),
        Some(DefValue::Bool(b)) => return Ok(*b),
        Some(DefValue::String(s)) => s.to_ascii_lowercase(),
        Some(_) => String::new(),
    };
    match word.as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => bail!(SYNTAX_ERROR, "{} requires a Boolean value", d.name),
    }
}
pub fn string(d: &DefElem) -> Result<String> {
    match &d.value {
        Some(DefValue::String(s) | DefValue::Float(s)) => Ok(s.clone()),
        Some(DefValue::Integer(n)) => Ok(n.to_string()),
        Some(DefValue::Bool(b)) => Ok(b.to_string()),
        _ => bail!(SYNTAX_ERROR, "{} requires a parameter", d.name),
    }
}
pub fn integer(d: &DefElem) -> Result<i32> {
    match &d.value {
        Some(DefValue::Integer(n)) => Ok(*n),
        _ => bail!(SYNTAX_ERROR, "{} requires an integer value", d.name),
    }
}
/// The `n`th option must not have been given before.
pub fn once(options: &[DefElem], n: usize, cx: &DdlCtx) -> Result<()> {
    match options.split_at_checked(n) {
        Some((before, [d, ..])) if before.iter().any(|b| b.name == d.name) => {
            Err(wrong(err!(SYNTAX_ERROR, "conflicting or redundant options"), d, cx))
        }
        _ => Ok(()),
    }
}
/// An error that points at the option.
pub fn wrong(e: Error, d: &DefElem, cx: &DdlCtx) -> Error {
    cx.place(e, d.at)
}
