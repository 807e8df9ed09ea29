//! Names and families of types: what `CREATE TABLE` and casts write, and which operators a type shares.
use super::registry;
use pamir_types::oid::{self, Oid};
use rustc_hash::FxHashMap;

/// The SQL standard's spellings beside pg_type's own names.
const SQL_NAMES: &[(&str, Oid)] = &[
    ("boolean", oid::BOOL),
    ("smallint", oid::INT2),
    ("int", oid::INT4),
    ("integer", oid::INT4),
    ("bigint", oid::INT8),
    ("real", oid::FLOAT4),
    ("float", oid::FLOAT8),
    ("double precision", oid::FLOAT8),
    ("double", oid::FLOAT8),
    ("decimal", oid::NUMERIC),
    ("dec", oid::NUMERIC),
    ("character varying", oid::VARCHAR),
    ("char varying", oid::VARCHAR),
    ("national character varying", oid::VARCHAR),
    ("nchar varying", oid::VARCHAR),
    ("character", oid::BPCHAR),
    ("char", oid::BPCHAR),
    ("nchar", oid::BPCHAR),
    ("national character", oid::BPCHAR),
    ("\"char\"", oid::CHAR),
    ("time without time zone", oid::TIME),
    ("time with time zone", oid::TIMETZ),
    ("timestamp without time zone", oid::TIMESTAMP),
    ("timestamp with time zone", oid::TIMESTAMPTZ),
    ("bit varying", oid::VARBIT),
];

pub fn names() -> FxHashMap<String, Oid> {
    let mut m = FxHashMap::default();
    for (ty, array, name) in oid::TYPES {
        m.insert((*name).to_string(), *ty);
        if *array != 0 {
            m.insert(format!("_{name}"), *array);
        }
    }
    // The standard's `char` hides pg_catalog."char", as in PostgreSQL's grammar.
    for (name, ty) in SQL_NAMES {
        m.insert((*name).to_string(), *ty);
    }
    m
}

/// `int`, `pg_catalog.int4`, `text[]`, `"char"`, in any letter case; no modifier.
pub fn by_name(name: &str) -> Option<Oid> {
    let r = registry::get();
    if let Some(t) = r.type_named(name) {
        return Some(t);
    }
    let mut s = name.trim();
    let mut array = false;
    while let Some(rest) = s.strip_suffix("[]") {
        (s, array) = (rest.trim_end(), true);
    }
    if s.len() > 6 && s.get(..6).is_some_and(|p| p.eq_ignore_ascii_case("array ")) {
        return None;
    }
    if s.contains('"') {
        let parts = super::reg::split_name(s).ok()?;
        let t = match parts.as_slice() {
            [n] => n,
            [schema, n] if schema == "pg_catalog" => n,
            _ => return None,
        };
        // What stands in quotes is pg_type's own name, not the standard's.
        let own = |n: &str| if n == "char" { Some(oid::CHAR) } else { Some(oid::TYPES.iter().find(|x| x.2 == n)?.0) };
        let t = own(t).or_else(|| own(t.strip_prefix('_')?).and_then(oid::array_of))?;
        return if array { oid::array_of(t) } else { Some(t) };
    }
    let words: Vec<String> = s.split_whitespace().map(str::to_ascii_lowercase).collect();
    let mut s = words.join(" ");
    if let Some(rest) = s.strip_prefix("pg_catalog.") {
        s = match rest {
            "char" => "\"char\"".to_string(),
            _ => rest.to_string(),
        };
    }
    let t = r.type_named(&s)?;
    if array { oid::array_of(t) } else { Some(t) }
}

/// The type whose default operator class a type uses: itself, or what it is binary coercible to.
pub fn ordering_type(ty: Oid) -> Oid {
    match ty {
        oid::VARCHAR | oid::UNKNOWN | oid::CSTRING => oid::TEXT,
        oid::REGPROC
        | oid::REGPROCEDURE
        | oid::REGOPER
        | oid::REGCLASS
        | oid::REGTYPE
        | oid::REGNAMESPACE
        | oid::REGROLE
        | oid::REGCOLLATION
        | oid::REGOPERATOR
        | oid::REGCONFIG
        | oid::REGDICTIONARY => oid::OID,
        oid::CIDR => oid::INET,
        oid::OIDVECTOR => oid::OIDVECTOR,
        t if oid::range_subtype(t).is_some() => oid::ANYRANGE,
        t if oid::range_of_multirange(t).is_some() => oid::ANYMULTIRANGE,
        t if oid::element_of(t).is_some() => match oid::element_of(t).map(ordering_type) {
            // An array orders when its elements do.
            Some(e) if registry::has_class(e) => oid::ANYARRAY,
            _ => t,
        },
        t if oid::is_enum(t) => oid::ANYENUM,
        t if oid::is_composite(t) => oid::RECORD,
        t => t,
    }
}

/// The element type of an array type, `ty` itself otherwise.
pub fn element_type(ty: Oid) -> Oid {
    oid::element_of(ty).unwrap_or(ty)
}
