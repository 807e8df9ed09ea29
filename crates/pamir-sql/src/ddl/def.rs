//! Options as statements write them, `name = value` (PostgreSQL's define.c).
use super::DdlCtx;
use pamir_parse::tree::{At, DefElem, DefValue};
use pamir_types::{Error, Result, bail, err};

/// A switch (defGetBoolean): on where nothing is said.
pub fn boolean(d: &DefElem) -> Result<bool> {
    let wrong = || err!(SYNTAX_ERROR, "{} requires a Boolean value", d.name);
    match &d.value {
        None | Some(DefValue::Integer(1) | DefValue::Bool(true)) => Ok(true),
        Some(DefValue::Integer(0) | DefValue::Bool(false)) => Ok(false),
        Some(DefValue::Integer(_)) => Err(wrong()),
        Some(_) => match string(d)?.to_ascii_lowercase().as_str() {
            "true" | "on" => Ok(true),
            "false" | "off" => Ok(false),
            _ => Err(wrong()),
        },
    }
}
/// The value as text (defGetString).
pub fn string(d: &DefElem) -> Result<String> {
    fn shown(v: &DefValue) -> String {
        match v {
            DefValue::Integer(n) => n.to_string(),
            DefValue::Float(s) | DefValue::String(s) => s.clone(),
            DefValue::Type(t) => t.parts.join("."),
            DefValue::Operator(parts) => parts.join("."),
            DefValue::Star => "*".to_string(),
            DefValue::List(list) => list.iter().map(shown).collect::<Vec<_>>().join("."),
            DefValue::Bool(b) => b.to_string(),
        }
    }
    d.value.as_ref().map(shown).ok_or_else(|| err!(SYNTAX_ERROR, "{} requires a parameter", d.name))
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
/// An error with its place in `text`, unless it has one.
pub fn placed(e: Error, text: &str, at: At) -> Error {
    e.at(pamir_plan::parser::position(text, at))
}
