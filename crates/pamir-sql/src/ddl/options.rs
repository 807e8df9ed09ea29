//! Storage parameters of tables, indexes and columns (reloptions.c): checked as PostgreSQL checks them, kept with the definition and shown again. They have no effect.
use pamir_catalog::Method;
use pamir_parse::tree::{DefElem, DefValue};
use pamir_types::{Oid, Result, bail, err};

/// `namespace.name = value`; no value is true, and nothing at all in RESET.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub namespace: Option<String>,
    pub name: String,
    pub value: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Of {
    Table,
    Btree,
    Hash,
    Gin,
    Brin,
    Gist,
    Column,
}
impl From<Method> for Of {
    fn from(m: Method) -> Of {
        match m {
            Method::Btree => Of::Btree,
            Method::Hash => Of::Hash,
            Method::Gin => Of::Gin,
            Method::Brin => Of::Brin,
            Method::Gist => Of::Gist,
        }
    }
}

enum Kind {
    Bool,
    Int(i32, i32),
    Real(f64, f64),
    /// on, off, auto and what means one of them.
    Switch,
}
use Kind::*;

const MAX: i32 = i32::MAX;
const TABLE: &[(&str, Kind)] = &[
    ("fillfactor", Int(10, 100)),
    ("autovacuum_enabled", Bool),
    ("user_catalog_table", Bool),
    ("vacuum_truncate", Bool),
    ("vacuum_index_cleanup", Switch),
    ("toast_tuple_target", Int(128, 8160)),
    ("parallel_workers", Int(0, 1024)),
    ("log_autovacuum_min_duration", Int(-1, MAX)),
    ("autovacuum_vacuum_threshold", Int(0, MAX)),
    ("autovacuum_vacuum_insert_threshold", Int(-1, MAX)),
    ("autovacuum_analyze_threshold", Int(0, MAX)),
    ("autovacuum_vacuum_cost_limit", Int(1, 10_000)),
    ("autovacuum_freeze_min_age", Int(0, 1_000_000_000)),
    ("autovacuum_multixact_freeze_min_age", Int(0, 1_000_000_000)),
    ("autovacuum_freeze_max_age", Int(100_000, 2_000_000_000)),
    ("autovacuum_multixact_freeze_max_age", Int(10_000, 2_000_000_000)),
    ("autovacuum_freeze_table_age", Int(0, 2_000_000_000)),
    ("autovacuum_multixact_freeze_table_age", Int(0, 2_000_000_000)),
    ("autovacuum_vacuum_cost_delay", Real(0.0, 100.0)),
    ("autovacuum_vacuum_scale_factor", Real(0.0, 100.0)),
    ("autovacuum_vacuum_insert_scale_factor", Real(0.0, 100.0)),
    ("autovacuum_analyze_scale_factor", Real(0.0, 100.0)),
];
const BTREE: &[(&str, Kind)] = &[("fillfactor", Int(10, 100)), ("deduplicate_items", Bool)];
const COLUMN: &[(&str, Kind)] = &[("n_distinct", Real(-1.0, f64::MAX)), ("n_distinct_inherited", Real(-1.0, f64::MAX))];
const GIN: &[(&str, Kind)] = &[("fastupdate", Bool), ("gin_pending_list_limit", Int(64, MAX))];
const BRIN: &[(&str, Kind)] = &[("autosummarize", Bool), ("pages_per_range", Int(1, 131_072))];
const GIST: &[(&str, Kind)] = &[("fillfactor", Int(10, 100)), ("buffering", Switch)];
const HASH: &[(&str, Kind)] = &[("fillfactor", Int(10, 100))];
/// Tables' parameters that hold for their TOAST tables too, when they are written `toast.name`.
const NOT_FOR_TOAST: &[&str] = &[
    "fillfactor",
    "user_catalog_table",
    "toast_tuple_target",
    "parallel_workers",
    "autovacuum_analyze_threshold",
    "autovacuum_analyze_scale_factor",
];

fn known(of: Of) -> &'static [(&'static str, Kind)] {
    match of {
        Of::Table => TABLE,
        Of::Btree => BTREE,
        Of::Hash => HASH,
        Of::Gin => GIN,
        Of::Brin => BRIN,
        Of::Gist => GIST,
        Of::Column => COLUMN,
    }
}

/// A prefix of one of these, as PostgreSQL's booleans are read.
pub(super) fn boolean(v: &str) -> Option<bool> {
    let v = v.to_ascii_lowercase();
    let prefix = |word: &str, least: usize| v.len() >= least && word.starts_with(&v);
    match v.as_str() {
        "1" => Some(true),
        "0" => Some(false),
        _ if prefix("true", 1) || prefix("yes", 1) || prefix("on", 2) => Some(true),
        _ if prefix("false", 1) || prefix("no", 1) || prefix("off", 2) => Some(false),
        _ => None,
    }
}
fn check_value(kind: &Kind, name: &str, v: &str) -> Result<()> {
    let wrong = |what: &str| err!(INVALID_PARAMETER_VALUE, "invalid value for {what} option \"{name}\": {v}");
    let bounds = |detail: String| {
        Err(err!(INVALID_PARAMETER_VALUE, "value {v} out of bounds for option \"{name}\"").detail(detail))
    };
    match kind {
        Bool => boolean(v).map(|_| ()).ok_or_else(|| wrong("boolean")),
        Int(least, most) => {
            let n = v.trim().parse::<f64>().ok().filter(|n| n.is_finite() && n.abs() <= f64::from(MAX));
            let n = n.map(f64::round_ties_even).ok_or_else(|| wrong("integer"))?;
            if n < f64::from(*least) || n > f64::from(*most) {
                return bounds(format!("Valid values are between \"{least}\" and \"{most}\"."));
            }
            Ok(())
        }
        Real(least, most) => {
            let n = v.trim().parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(|| wrong("floating point"))?;
            if n < *least || n > *most {
                return bounds(format!("Valid values are between \"{least:.6}\" and \"{most:.6}\"."));
            }
            Ok(())
        }
        Switch if boolean(v).is_some() || v.eq_ignore_ascii_case("auto") => Ok(()),
        Switch => Err(wrong("enum").detail("Valid values are \"on\", \"off\", and \"auto\".")),
    }
}

/// Checks what is set, gives those that are kept: (name, value).
pub fn check(of: Of, settings: &[Setting]) -> Result<Vec<(String, String)>> {
    let mut kept: Vec<(String, String)> = Vec::new();
    let mut seen: Vec<(&Option<String>, &str)> = Vec::new();
    for s in settings {
        let toast = match s.namespace.as_deref() {
            None => false,
            Some("toast") if of == Of::Table => true,
            Some(n) => bail!(INVALID_PARAMETER_VALUE, "unrecognized parameter namespace \"{n}\""),
        };
        let value = s.value.as_deref().unwrap_or("true");
        if of == Of::Table && !toast && s.name == "oids" {
            match boolean(value) {
                Some(false) => continue,
                Some(true) => bail!(FEATURE_NOT_SUPPORTED, "tables declared WITH OIDS are not supported"),
                None => bail!(SYNTAX_ERROR, "oids requires a Boolean value"),
            }
        }
        let Some((name, kind)) = known(of).iter().find(|k| k.0 == s.name && !(toast && NOT_FOR_TOAST.contains(&k.0)))
        else {
            bail!(INVALID_PARAMETER_VALUE, "unrecognized parameter \"{}\"", s.name);
        };
        if seen.contains(&(&s.namespace, name)) {
            bail!(INVALID_PARAMETER_VALUE, "parameter \"{name}\" specified more than once");
        }
        seen.push((&s.namespace, name));
        check_value(kind, name, value)?;
        // There is no TOAST table that could have them.
        if !toast {
            kept.push((s.name.clone(), value.to_string()));
        }
    }
    Ok(kept)
}
/// SET and RESET of the parameters of `relation`, whose others stay.
pub fn change(
    list: &mut Vec<(Oid, String, String)>,
    relation: Oid,
    of: Of,
    settings: &[Setting],
    reset: bool,
) -> Result<()> {
    if reset {
        if settings.iter().any(|s| s.value.is_some()) {
            bail!(SYNTAX_ERROR, "RESET must not include values for parameters");
        }
        // What RESET names need not be a parameter.
        list.retain(|e| e.0 != relation || !settings.iter().any(|s| s.namespace.is_none() && s.name == e.1));
        return Ok(());
    }
    let new = check(of, settings)?;
    list.retain(|e| e.0 != relation || !new.iter().any(|n| n.0 == e.1));
    list.extend(new.into_iter().map(|(n, v)| (relation, n, v)));
    Ok(())
}

/// What WITH (...), SET (...) and RESET (...) say.
pub fn settings(list: &[DefElem]) -> Vec<Setting> {
    let one = |d: &DefElem| Setting {
        namespace: d.namespace.clone(),
        name: d.name.clone(),
        value: d.value.as_ref().map(text),
    };
    list.iter().map(one).collect()
}
/// A value as text (defGetString).
fn text(v: &DefValue) -> String {
    match v {
        DefValue::Integer(n) => n.to_string(),
        DefValue::Float(s) | DefValue::String(s) => s.clone(),
        DefValue::Bool(b) => b.to_string(),
        DefValue::Type(t) => {
            let mut s = t.parts.join(".");
            s.push_str(if t.of_column { "%TYPE" } else { "" });
            s.push_str(if t.array.is_empty() { "" } else { "[]" });
            s
        }
        DefValue::Operator(parts) => parts.join("."),
        DefValue::Star => "*".into(),
        DefValue::List(list) => list.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}
