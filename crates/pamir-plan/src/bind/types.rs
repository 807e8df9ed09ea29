//! Types by their names.
//!
//! The grammar makes the standard's spellings names in pg_catalog (`integer` is `pg_catalog.int4`), so that a name here is pg_type's own or none: `"integer"` is no
//! type, and `"char"` is the one of a byte.
//!
//! Users' types, and tables' rows, are looked for where the server has no type of the name.
use pamir_catalog::system::types::{collation_named, collation_of};
use pamir_catalog::{Catalog, NameScope};
use pamir_expr::casts::show;
use pamir_expr::func;
use pamir_parse::tree::{Expr, ExprKind, Literal, QualifiedName, TypeName};
use pamir_types::{Error, Oid, Result, Type, bail, err, oid};
use smallvec::SmallVec;

/// A type as written in DDL or a cast (42704 `type "x" does not exist`). Its errors have no place: it is the name's.
pub fn bind_type(t: &TypeName, catalog: &Catalog, scope: &NameScope) -> Result<Type> {
    if t.of_column {
        return Err(Error::unsupported("%TYPE"));
    }
    let name = match t.parts.as_slice() {
        [n] => n,
        [s, n] if s == "pg_catalog" => n,
        _ => return users(t, catalog, scope),
    };
    let Some(o) = by_name(name) else {
        if t.parts.len() == 1
            && let Some(found) = catalog.find_type(scope, None, name)?
        {
            return with_array(found, t);
        }
        return Err(missing(t));
    };
    let typmod = typmod(o, t)?;
    if t.array.is_empty() {
        return Ok(Type::with_mod(o, typmod));
    }
    // However many dimensions: int[][] is int[].
    oid::array_of(o).map(|a| Type::with_mod(a, typmod)).ok_or_else(|| missing(t))
}

/// A type of a schema that is written.
fn users(t: &TypeName, catalog: &Catalog, scope: &NameScope) -> Result<Type> {
    let (schema, name) = match t.parts.as_slice() {
        [s, n] => (s, n),
        [db, s, n] if catalog.database(scope.database).is_some_and(|d| d.name == *db) => (s, n),
        [_, _, _] => {
            bail!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: {}", t.parts.join("."))
        }
        _ => return Err(missing(t)),
    };
    if catalog.schema_by_name(scope.database, schema).is_none() {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist");
    }
    match catalog.find_type(scope, Some(schema), name)? {
        Some(found) => with_array(found, t),
        None => Err(missing(t)),
    }
}
fn with_array(found: Oid, t: &TypeName) -> Result<Type> {
    if !t.modifiers.is_empty() {
        bail!(SYNTAX_ERROR, "type modifier is not allowed for type \"{}\"", t.parts.join("."));
    }
    if t.array.is_empty() {
        return Ok(Type::new(found));
    }
    oid::array_of(found).map(Type::new).ok_or_else(|| missing(t))
}

fn missing(t: &TypeName) -> Error {
    let array = if t.array.is_empty() { "" } else { "[]" };
    err!(UNDEFINED_OBJECT, "type \"{}{array}\" does not exist", t.parts.join("."))
}

/// A name of pg_type; an array's is `_int4`.
fn by_name(name: &str) -> Option<Oid> {
    if name == "char" {
        return Some(oid::CHAR);
    }
    // The table of names has the standard's too.
    func::type_by_name(name).filter(|o| oid::type_name(*o).as_deref() == Some(name))
}

/// What the numbers behind the name, and an interval's fields, make of it.
fn typmod(o: Oid, t: &TypeName) -> Result<i32> {
    /// Of an interval: what stands for all fields, and for all digits.
    const FULL: i32 = 0x7fff;
    const FULL_PRECISION: i32 = 0xffff;
    if t.modifiers.is_empty() && t.fields.is_none() {
        return Ok(-1);
    }
    let mods = t.modifiers.iter().map(modifier).collect::<Result<SmallVec<[i32; 2]>>>()?;
    match (o, mods.as_slice()) {
        (oid::INTERVAL, [] | [_]) => {
            let fields = t.fields.map_or(FULL, |f| f.0);
            let digits = mods.first().map_or(Ok(FULL_PRECISION), |p| precision(*p, "INTERVAL", ""))?;
            Ok(fields << 16 | digits)
        }
        (oid::TIME, [p]) => precision(*p, "TIME", ""),
        (oid::TIMETZ, [p]) => precision(*p, "TIME", " WITH TIME ZONE"),
        (oid::TIMESTAMP, [p]) => precision(*p, "TIMESTAMP", ""),
        (oid::TIMESTAMPTZ, [p]) => precision(*p, "TIMESTAMP", " WITH TIME ZONE"),
        (oid::VARCHAR, [n]) => length(*n, "varchar"),
        (oid::BPCHAR, [n]) => length(*n, "char"),
        (oid::BIT, [n]) => bits(*n, "bit"),
        (oid::VARBIT, [n]) => bits(*n, "varbit"),
        (oid::NUMERIC, [p]) => numeric(*p, 0),
        (oid::NUMERIC, [p, s]) => numeric(*p, *s),
        (oid::NUMERIC, _) => bail!(INVALID_PARAMETER_VALUE, "invalid NUMERIC type modifier"),
        (oid::INTERVAL, _) => bail!(INVALID_PARAMETER_VALUE, "invalid INTERVAL type modifier"),
        (
            oid::TIME
            | oid::TIMETZ
            | oid::TIMESTAMP
            | oid::TIMESTAMPTZ
            | oid::VARCHAR
            | oid::BPCHAR
            | oid::BIT
            | oid::VARBIT,
            _,
        ) => {
            bail!(INVALID_PARAMETER_VALUE, "invalid type modifier")
        }
        _ => bail!(SYNTAX_ERROR, "type modifier is not allowed for type \"{}\"", t.parts.join(".")),
    }
}

fn modifier(e: &Expr) -> Result<i32> {
    let text = match &e.kind {
        ExprKind::Literal(Literal::Integer(n)) => return Ok(*n),
        ExprKind::Literal(Literal::Float(s) | Literal::String(s)) => s,
        ExprKind::Column { path, star: false } if path.len() == 1 => &path[0],
        _ => bail!(SYNTAX_ERROR, "type modifiers must be simple constants or identifiers"),
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.parse().map_err(|_| match !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        true => err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{text}\" is out of range for type integer"),
        false => err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type integer: \"{text}\""),
    })
}
/// Precisions above 6 are 6, with a warning that is not sent.
fn precision(p: i32, name: &str, zone: &str) -> Result<i32> {
    if p < 0 {
        bail!(INVALID_PARAMETER_VALUE, "{name}({p}){zone} precision must not be negative");
    }
    Ok(p.min(6))
}
fn length(n: i32, name: &str) -> Result<i32> {
    const MAX: i32 = pamir_types::text::MAX_LENGTH;
    match n {
        ..1 => bail!(INVALID_PARAMETER_VALUE, "length for type {name} must be at least 1"),
        1..=MAX => Ok(n + 4),
        _ => bail!(INVALID_PARAMETER_VALUE, "length for type {name} cannot exceed {MAX}"),
    }
}
fn bits(n: i32, name: &str) -> Result<i32> {
    /// Bits of PostgreSQL's MaxAttrSize.
    const MAX: i32 = pamir_types::text::MAX_LENGTH * 8;
    match n {
        ..1 => bail!(INVALID_PARAMETER_VALUE, "length for type {name} must be at least 1"),
        1..=MAX => Ok(n),
        _ => bail!(INVALID_PARAMETER_VALUE, "length for type {name} cannot exceed {MAX}"),
    }
}
fn numeric(p: i32, s: i32) -> Result<i32> {
    if !(1..=1000).contains(&p) {
        bail!(INVALID_PARAMETER_VALUE, "NUMERIC precision {p} must be between 1 and 1000");
    }
    if !(-1000..=1000).contains(&s) {
        bail!(INVALID_PARAMETER_VALUE, "NUMERIC scale {s} must be between -1000 and 1000");
    }
    Ok((p << 16 | s & 0x7ff) + 4)
}

/// `integer[]`, `pg_catalog.int4`, `character varying(5)`: the text form of regtype.
pub(super) fn type_from_text(s: &str, catalog: &Catalog, scope: &NameScope) -> Result<Type> {
    if let Some(t) = func::reg::find_type(s, catalog, scope) {
        return Ok(Type::new(t));
    }
    let t = s.trim();
    if let Some(base) = t.strip_suffix("[]") {
        let e = type_from_text(base, catalog, scope)?;
        return oid::array_of(e.oid)
            .map(Type::new)
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{s}\" does not exist"));
    }
    let t = t.split('(').next().unwrap_or(t).trim();
    if t.contains('"') {
        let shown = || func::reg::split_name(t).map_or_else(|_| t.to_string(), |parts| parts.join("."));
        return func::type_by_name(t)
            .map(Type::new)
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown()));
    }
    let name = t.strip_prefix("pg_catalog.").unwrap_or(t).to_ascii_lowercase();
    func::type_by_name(&name).map(Type::new).ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{name}\" does not exist"))
}

/// 42704 for a collation that there is not.
pub(in crate::bind) fn known_collation(name: &QualifiedName) -> Result<()> {
    let found = match name.parts.as_slice() {
        [n] => collation_named(n),
        [s, n] if s == "pg_catalog" => collation_named(n),
        _ => None,
    };
    if found.is_some() {
        return Ok(());
    }
    if let [s, _] = name.parts.as_slice()
        && !matches!(s.as_str(), "public" | "information_schema" | "pg_catalog")
    {
        bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist");
    }
    let shown = name.parts.join(".");
    bail!(UNDEFINED_OBJECT, "collation \"{shown}\" for encoding \"UTF8\" does not exist")
}
/// The same, and 42804 for a type that has none.
pub(in crate::bind) fn collatable(name: &QualifiedName, ty: Type) -> Result<()> {
    known_collation(name)?;
    if collation_of(ty.oid) == 0 {
        bail!(DATATYPE_MISMATCH, "collations are not supported by type {}", show(ty.oid));
    }
    Ok(())
}
