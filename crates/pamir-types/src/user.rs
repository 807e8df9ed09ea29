//! Values of users' types as text: what a catalog must say of them, and PostgreSQL's record_in (rowtypes.c).
//!
//! pamir-types knows no catalog. Who reads or writes values of such types hands one in as [`Types`]; without it an enum prints as its number
//! and nothing of the kind is read.
use crate::number_text::is_space;
use crate::text::{self, TextCtx};
use crate::{Datum, Error, Oid, Result, Type, bail, err, oid};

/// What a moment's catalog says of users' types.
pub trait Types: Send + Sync {
    /// The type's name as the reader must write it (format_type), without its array's brackets.
    fn name(&self, ty: Oid) -> Option<String>;
    /// The label of an enum's value.
    fn label(&self, ty: Oid, value: u64) -> Option<&str>;
    /// The value that has the label.
    fn value(&self, ty: Oid, label: &str) -> Option<u64>;
    /// Is it a value that a transaction still open has added?
    fn is_new(&self, _ty: Oid, _value: u64) -> bool {
        false
    }
    /// The fields of a composite type, as they are stored: those of domains as what the domains are over.
    fn fields(&self, ty: Oid) -> Option<Vec<Type>>;
    /// The fields of a composite type as they were declared.
    fn declared(&self, ty: Oid) -> Option<Vec<Type>>;
    /// What a domain is over.
    fn base(&self, ty: Oid) -> Option<Type>;
}

/// A name that stands for a user's type where no catalog is at hand: who has one puts its name there.
pub(crate) fn placeholder(ty: Oid) -> String {
    format!("{OPEN}{ty}{CLOSE}")
}
const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';

#[cold]
fn unknown(ty: Type) -> Error {
    err!(UNDEFINED_OBJECT, "type with OID {} does not exist", ty.oid)
}

/// The input functions of users' types. Domains are read as what they are over: their checks are the caller's.
pub(crate) fn parse(s: &str, ty: Type, cx: &TextCtx, depth: usize) -> Result<Datum> {
    let Some(types) = &cx.types else { return Err(Error::unsupported("values of users' types here")) };
    if depth > crate::record::DEEPEST {
        bail!(STATEMENT_TOO_COMPLEX, "values are nested too deeply");
    }
    if oid::is_enum(ty.oid) {
        return enum_value(s, ty.oid, &**types).map(Datum::Enum);
    }
    if oid::is_domain(ty.oid) {
        let base = types.base(ty.oid).ok_or_else(|| unknown(ty))?;
        return text::parse_nested(s, base, cx, depth + 1);
    }
    if oid::is_composite(ty.oid) {
        let fields = types.fields(ty.oid).ok_or_else(|| unknown(ty))?;
        return record(s, &fields, cx, depth);
    }
    Err(Error::unsupported(format!("type {}", text::type_display(ty))))
}
/// enum_in
pub fn enum_value(s: &str, ty: Oid, types: &dyn Types) -> Result<u64> {
    let value = types.value(ty, s).ok_or_else(|| {
        err!(INVALID_TEXT_REPRESENTATION, "invalid input value for enum {}: \"{s}\"", text::type_named(ty))
    })?;
    if types.is_new(ty, value) { Err(unsafe_use(s, ty)) } else { Ok(value) }
}
/// 55P04
#[cold]
pub fn unsafe_use(label: &str, ty: Oid) -> Error {
    err!(UNSAFE_NEW_ENUM_VALUE_USAGE, "unsafe use of new value \"{label}\" of enum type {}", text::type_named(ty))
        .hint("New enum values must be committed before they can be used.")
}

#[cold]
fn malformed(s: &str, detail: &str) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "malformed record literal: \"{s}\"").detail(detail)
}
/// record_in: `(1,"a ""b""",,)`.
fn record(s: &str, fields: &[Type], cx: &TextCtx, depth: usize) -> Result<Datum> {
    let space = |c: char| c.is_ascii() && is_space(c as u8);
    let Some(mut rest) = s.trim_start_matches(space).strip_prefix('(') else {
        return Err(malformed(s, "Missing left parenthesis."));
    };
    let mut out = Vec::new();
    let mut first = true;
    for ty in fields {
        if !std::mem::take(&mut first) {
            rest = rest.strip_prefix(',').ok_or_else(|| malformed(s, "Too few columns."))?;
        }
        let text;
        (text, rest) = field(s, rest)?;
        let d = match text {
            Some(t) => text::parse_nested(&t, *ty, cx, depth + 1)?,
            None => Datum::Null,
        };
        out.push((*ty, d));
    }
    let Some(rest) = rest.strip_prefix(')') else { return Err(malformed(s, "Too many columns.")) };
    if !rest.trim_start_matches(space).is_empty() {
        return Err(malformed(s, "Junk after right parenthesis."));
    }
    Datum::record(out)
}
/// One field's text (None: NULL) and what follows it, which begins with a comma or a parenthesis.
fn field<'a>(whole: &str, s: &'a str) -> Result<(Option<String>, &'a str)> {
    if s.starts_with([',', ')']) {
        return Ok((None, s));
    }
    let (mut text, mut quoted) = (String::new(), false);
    let mut chars = s.char_indices().peekable();
    while let Some(&(at, c)) = chars.peek() {
        if !quoted && matches!(c, ',' | ')') {
            return Ok((Some(text), &s[at..]));
        }
        chars.next();
        match c {
            '\\' => match chars.next() {
                Some((_, c)) => text.push(c),
                None => break,
            },
            '"' if !quoted => quoted = true,
            '"' => match chars.next_if(|n| n.1 == '"') {
                Some(_) => text.push('"'),
                None => quoted = false,
            },
            c => text.push(c),
        }
    }
    Err(malformed(whole, "Unexpected end of input."))
}
