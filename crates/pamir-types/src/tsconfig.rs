//! Names of text search configurations and dictionaries: those that PostgreSQL's initdb makes.
//!
//! regconfig and regdictionary hold their OIDs, which are PostgreSQL 15's, or those of users' objects, which the catalog knows (pamir-catalog's `text_search`): what is
//! read and written here is for where there is no catalog.
use crate::{Error, Oid, Result, err, oid};

/// A configuration's OID, its name, the OID of its dictionary; that has the name with `_stem` behind it.
pub const LANGUAGES: [(Oid, &str, Oid); 28] = [
    (13152, "arabic", 13151),
    (13154, "armenian", 13153),
    (13156, "basque", 13155),
    (13158, "catalan", 13157),
    (13160, "danish", 13159),
    (13162, "dutch", 13161),
    (13164, "english", 13163),
    (13166, "finnish", 13165),
    (13168, "french", 13167),
    (13170, "german", 13169),
    (13172, "greek", 13171),
    (13174, "hindi", 13173),
    (13176, "hungarian", 13175),
    (13178, "indonesian", 13177),
    (13180, "irish", 13179),
    (13182, "italian", 13181),
    (13184, "lithuanian", 13183),
    (13186, "nepali", 13185),
    (13188, "norwegian", 13187),
    (13190, "portuguese", 13189),
    (13192, "romanian", 13191),
    (13194, "russian", 13193),
    (13196, "serbian", 13195),
    (13198, "spanish", 13197),
    (13200, "swedish", 13199),
    (13202, "tamil", 13201),
    (13204, "turkish", 13203),
    (13206, "yiddish", 13205),
];
pub const SIMPLE_CONFIG: Oid = 3748;
pub const SIMPLE_DICTIONARY: Oid = 3765;

/// Is it regconfig or regdictionary?
#[inline]
pub fn is_one(ty: Oid) -> bool {
    matches!(ty, oid::REGCONFIG | oid::REGDICTIONARY)
}
/// What a value of regconfig or regdictionary is called; None: nothing of the OID.
pub fn name(ty: Oid, value: Oid) -> Option<String> {
    match (ty, value) {
        (oid::REGCONFIG, SIMPLE_CONFIG) | (oid::REGDICTIONARY, SIMPLE_DICTIONARY) => Some("simple".into()),
        (oid::REGCONFIG, v) => LANGUAGES.iter().find(|l| l.0 == v).map(|l| l.1.into()),
        (_, v) => LANGUAGES.iter().find(|l| l.2 == v).map(|l| format!("{}_stem", l.1)),
    }
}
/// A name as identifiers are written, its schema before it or not.
fn find(ty: Oid, s: &str) -> Option<Oid> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for c in crate::number_text::trim(s).chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            c if quoted => part.push(c),
            c => part.extend(c.to_lowercase()),
        }
    }
    if parts.iter().any(|p| p != "pg_catalog") || parts.len() > 1 {
        return None;
    }
    match ty {
        oid::REGCONFIG if part == "simple" => Some(SIMPLE_CONFIG),
        oid::REGDICTIONARY if part == "simple" => Some(SIMPLE_DICTIONARY),
        oid::REGCONFIG => LANGUAGES.iter().find(|l| l.1 == part).map(|l| l.0),
        _ => LANGUAGES.iter().find(|l| part.strip_suffix("_stem") == Some(l.1)).map(|l| l.2),
    }
}
/// The input functions of regconfig and regdictionary: digits, `-`, a name.
pub fn parse(ty: Oid, s: &str) -> Result<Oid> {
    if s == "-" {
        return Ok(0);
    }
    if !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit()) {
        return s.parse().map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{s}\" is out of range for type oid"));
    }
    if s.trim().is_empty() {
        return Err(err!(INVALID_NAME, "invalid name syntax"));
    }
    find(ty, s).ok_or_else(|| missing(ty, s))
}
fn missing(ty: Oid, s: &str) -> Error {
    let what = if ty == oid::REGCONFIG { "configuration" } else { "dictionary" };
    err!(UNDEFINED_OBJECT, "text search {what} \"{s}\" does not exist")
}
