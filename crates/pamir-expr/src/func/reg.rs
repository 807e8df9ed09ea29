//! The object identifier types (regclass, regtype, regproc, regnamespace, regrole ...): names to OIDs and back through the catalog.
//!
//! [`output`] is the output function of any value where these types may occur: pamir-types, which knows no catalog, writes them as digits.
use super::lookup::Only;
use super::registry::{bad_args, funcs};
use super::string::quote_ident;
use super::*;
use pamir_catalog::system::internal;
use pamir_catalog::text_search::What;
use pamir_catalog::{Catalog, NameScope, Relation, defs};
use pamir_types::oid::{self, Oid};
use pamir_types::{bail, err};
use std::sync::Arc;

/// Text already known to be UTF-8 as a datum.
pub(super) fn to_text(v: Vec<u8>) -> Datum {
    match String::from_utf8(v) {
        Ok(s) => Datum::from(s),
        Err(e) => Datum::from(String::from_utf8_lossy(e.as_bytes()).into_owned()),
    }
}

/// The output function of `ty`. `d` must not be Null.
pub fn output(d: &Datum, ty: Type, env: &mut dyn Env, out: &mut Vec<u8>) {
    match d {
        Datum::Text(s) if ty.oid != oid::XML => out.extend_from_slice(s.as_bytes()),
        Datum::Oid(v) if casts::REG.contains(&ty.oid) => out.extend_from_slice(name(*v, ty.oid, env).as_bytes()),
        Datum::Array(a) if casts::REG.contains(&a.elem) => {
            let elem = a.elem;
            a.format(
                &mut |d, o| {
                    if let Datum::Oid(v) = d {
                        o.extend_from_slice(name(*v, elem, env).as_bytes())
                    }
                },
                out,
            );
        }
        d => pamir_types::text::format(d, ty, env.text_ctx(), out),
    }
}
/// `output` into a String.
pub fn output_string(d: &Datum, ty: Type, env: &mut dyn Env) -> String {
    let mut v = Vec::new();
    output(d, ty, env, &mut v);
    String::from_utf8(v).unwrap_or_default()
}

/// The names of one moment's catalog, for text formats that are written without an [`Env`].
pub struct Names {
    pub catalog: Arc<Catalog>,
    pub scope: NameScope,
}
impl pamir_types::text::RegNames for Names {
    fn name(&self, ty: Oid, value: Oid) -> String {
        name_in(value, ty, &self.catalog, &self.scope)
    }
}

/// What a reg* value prints as: the object's name, `-` for 0, the number when there is no such object.
pub fn name(v: Oid, ty: Oid, env: &dyn Env) -> String {
    name_in(v, ty, env.catalog(), env.scope())
}
/// A function's or aggregate's name as the scope must write it, and the types of its arguments.
fn routine_name(v: Oid, catalog: &Catalog, scope: &NameScope) -> Option<(String, Vec<Oid>)> {
    fn named<T: lookup::Kind>(t: &T, catalog: &Catalog, scope: &NameScope) -> String {
        lookup::qualifier(catalog, Some(scope), t) + &quote_ident(t.place().1)
    }
    if let Some(f) = lookup::by_oid::<Function>(catalog, v) {
        return Some((named(&*f, catalog, scope), f.declared_args()));
    }
    if let Some(a) = lookup::by_oid::<Aggregate>(catalog, v) {
        return Some((named(&*a, catalog, scope), a.args.to_vec()));
    }
    internal::by_oid(v).map(|f| (quote_ident(f.name).into_owned(), f.args.clone()))
}
/// A function's bare name where it names one function alone; else with its schema.
fn alone(name: String, catalog: &Catalog, scope: &NameScope) -> String {
    let Some(parts) = defs::split_name(&name) else { return name };
    let [n] = parts.as_slice() else { return name };
    let f = lookup::find::<Function>(catalog, scope, None, n);
    let a = lookup::find::<Aggregate>(catalog, scope, None, n);
    let schema = match (f.only(), a.only()) {
        (Only::One(_), Only::Nothing) | (Only::Nothing, Only::One(_)) => return name,
        (Only::Nothing, Only::Nothing) => return name,
        _ => f.iter().map(|f| f.schema).chain(a.iter().map(|a| a.schema)).next(),
    };
    match schema.and_then(|s| catalog.schema(s)) {
        Some(s) => format!("{}.{name}", quote_ident(&s.name)),
        None => format!("pg_catalog.{name}"),
    }
}
pub(super) fn name_in(v: Oid, ty: Oid, catalog: &Catalog, scope: &NameScope) -> String {
    if v == 0 {
        return if matches!(ty, oid::REGOPER | oid::REGOPERATOR) { "0" } else { "-" }.to_string();
    }
    let found = match ty {
        oid::REGCLASS => catalog.display_name(scope, v),
        oid::REGTYPE if oid::is_user(v) || oid::is_of_extension(v) => catalog.type_name(scope, v),
        oid::REGTYPE => oid::type_name(v).map(|_| pamir_types::text::type_named(v)),
        oid::REGPROC => routine_name(v, catalog, scope).map(|n| alone(n.0, catalog, scope)),
        oid::REGPROCEDURE => routine_name(v, catalog, scope).map(|(name, args)| {
            let args: Vec<String> = args
                .iter()
                .map(|a| pamir_catalog::types::shown(catalog, scope, &pamir_types::text::type_named(*a)))
                .collect();
            format!("{name}({})", args.join(","))
        }),
        oid::REGOPER => {
            lookup::by_oid::<Operator>(catalog, v).map(|o| {
                // Bare only where the name alone says it.
                if lookup::find::<Operator>(catalog, scope, None, &o.name).iter().nth(1).is_none()
                    && lookup::is_visible(catalog, scope, &*o)
                {
                    return o.name.to_string();
                }
                let schema = catalog.schema(o.schema).map_or("pg_catalog", |s| &s.name);
                format!("{}.{}", quote_ident(schema), o.name)
            })
        }
        oid::REGOPERATOR => lookup::by_oid::<Operator>(catalog, v).map(|o| {
            let side = |t: Oid| match t {
                0 => "NONE".to_string(),
                t => pamir_catalog::types::shown(catalog, scope, &pamir_types::text::type_named(t)),
            };
            let qualifier = lookup::qualifier(catalog, Some(scope), &*o);
            format!("{qualifier}{}({},{})", o.name, side(o.left), side(o.right))
        }),
        oid::REGCONFIG => catalog.ts_name(scope, What::Config, v),
        oid::REGDICTIONARY => catalog.ts_name(scope, What::Dictionary, v),
        oid::REGNAMESPACE => catalog.schema(v).map(|s| quote_ident(&s.name).into_owned()),
        oid::REGROLE => catalog.role(v).map(|r| quote_ident(&r.name).into_owned()),
        oid::REGCOLLATION => match v {
            100 => Some("\"default\"".to_string()),
            950 => Some("\"C\"".to_string()),
            951 => Some("\"POSIX\"".to_string()),
            _ => None,
        },
        _ => None,
    };
    found.unwrap_or_else(|| v.to_string())
}
pub(super) fn out(args: &[Datum], ty: Oid, env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Oid(v)] => Ok(name(*v, ty, env).into()),
        _ => Err(bad_args("reg_to_text", args)),
    }
}

pub fn split_name(s: &str) -> Result<Vec<String>> {
    defs::split_name(s).ok_or_else(|| err!(INVALID_NAME, "invalid name syntax"))
}

/// The same of a text search object's name, of which something must be there.
pub fn split_text_search(s: &str) -> Result<Vec<String>> {
    if s.trim().is_empty() {
        bail!(INVALID_NAME, "invalid name syntax");
    }
    split_name(s)
}
fn relation_oid(r: &Relation) -> Oid {
    match r {
        Relation::Table(t) => t.oid,
        Relation::Sequence(s) => s.oid,
        Relation::Index(_, o) => *o,
        Relation::Virtual(v) => v.oid,
    }
}
/// Where names are looked up.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub catalog: &'a Catalog,
    pub scope: &'a NameScope,
}
fn place(env: &dyn Env) -> Place<'_> {
    Place { catalog: env.catalog(), scope: env.scope() }
}
/// A possibly qualified relation name's OID, as the session knows it; None: no such relation (or schema).
pub fn find_relation(s: &str, env: &dyn Env) -> Result<Option<Oid>> {
    relation(s, place(env))
}
/// A reg* value of a text, as the session knows names.
pub fn parse(s: &str, ty: Oid, env: &dyn Env) -> Result<Oid> {
    parse_in(s, ty, place(env))
}
fn relation(s: &str, at: Place) -> Result<Option<Oid>> {
    let parts = split_name(s)?;
    let (schema, rel) = match parts.as_slice() {
        [rel] => (None, rel),
        [schema, rel] => (Some(schema.as_str()), rel),
        [db, schema, rel] if at.catalog.database(at.scope.database).is_some_and(|d| d.name == *db) => {
            (Some(schema.as_str()), rel)
        }
        [_, _, _] => {
            bail!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: \"{}\"", parts.join("."))
        }
        _ => bail!(SYNTAX_ERROR, "improper relation name (too many dotted names): {}", parts.join(".")),
    };
    Ok(at.catalog.resolve(at.scope, schema, rel)?.map(|r| relation_oid(&r)))
}
/// A function by name alone: Err when there are several.
fn find_function(s: &str, at: Place) -> Result<Option<Oid>> {
    let parts = split_name(s)?;
    let Some((schema, n)) = schema_and_name(&parts) else { return Ok(None) };
    let f = lookup::find::<Function>(at.catalog, at.scope, schema, n);
    let a = lookup::find::<Aggregate>(at.catalog, at.scope, schema, n);
    match (f.only(), a.only()) {
        (Only::One(f), Only::Nothing) => Ok(Some(f.oid)),
        (Only::Nothing, Only::One(a)) => Ok(Some(a.oid)),
        (Only::Nothing, Only::Nothing) if schema.is_none_or(|s| s == "pg_catalog") => {
            let mut found = internal::named(n);
            match (found.next(), found.next()) {
                (f, None) => Ok(f.map(|f| f.oid)),
                _ => bail!(AMBIGUOUS_FUNCTION, "more than one function named \"{s}\""),
            }
        }
        (Only::Nothing, Only::Nothing) => Ok(None),
        _ => bail!(AMBIGUOUS_FUNCTION, "more than one function named \"{s}\""),
    }
}
/// `name` or `schema.name` in its parts.
fn schema_and_name(parts: &[String]) -> Option<(Option<&str>, &str)> {
    match parts {
        [n] => Some((None, n)),
        [s, n] => Some((Some(s), n)),
        _ => None,
    }
}
/// `name(type, type)`
fn find_procedure(s: &str, at: Place) -> Result<Option<Oid>> {
    let Some((n, rest)) = s.split_once('(') else { bail!(INVALID_TEXT_REPRESENTATION, "expected a left parenthesis") };
    let Some(list) = rest.trim_end().strip_suffix(')') else {
        bail!(INVALID_TEXT_REPRESENTATION, "expected a right parenthesis")
    };
    let mut types = Vec::new();
    for t in list.split(',').filter(|t| !t.trim().is_empty()) {
        let t = t.trim();
        types.push(
            find_type(t, at.catalog, at.scope).ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{t}\" does not exist"))?,
        );
    }
    let parts = split_name(n)?;
    let Some((schema, n)) = schema_and_name(&parts) else { return Ok(None) };
    let (catalog, scope) = (at.catalog, at.scope);
    if let Some(f) = lookup::find::<Function>(catalog, scope, schema, n).iter().find(|f| f.declared_args() == types) {
        return Ok(Some(f.oid));
    }
    let aggregate =
        lookup::find::<Aggregate>(catalog, scope, schema, n).iter().find(|a| *a.args == *types).map(|a| a.oid);
    let of_server = schema.is_none_or(|s| s == "pg_catalog");
    Ok(aggregate.or_else(|| internal::named(n).find(|f| of_server && f.args == types).map(|f| f.oid)))
}
/// `+(integer,integer)`, `!(none,boolean)`
fn find_operator(s: &str, at: Place) -> Result<Option<Oid>> {
    let Some((n, rest)) = s.split_once('(') else { bail!(INVALID_TEXT_REPRESENTATION, "expected a left parenthesis") };
    let Some(list) = rest.trim_end().strip_suffix(')') else {
        bail!(INVALID_TEXT_REPRESENTATION, "expected a right parenthesis")
    };
    let mut types = Vec::new();
    for t in list.split(',').map(str::trim).filter(|t| !t.is_empty()) {
        types.push(match t {
            t if t.eq_ignore_ascii_case("none") => 0,
            t => find_type(t, at.catalog, at.scope)
                .ok_or_else(|| err!(UNDEFINED_OBJECT, "type \"{t}\" does not exist"))?,
        });
    }
    let (left, right) = match types.as_slice() {
        [_] => {
            return Err(err!(UNDEFINED_PARAMETER, "missing argument")
                .hint("Use NONE to denote the missing argument of a unary operator."));
        }
        [l, r] => (*l, *r),
        _ => {
            return Err(err!(TOO_MANY_ARGUMENTS, "too many arguments").hint("Provide two argument types for operator."));
        }
    };
    let (schema, n) = match n.trim().rsplit_once('.') {
        Some((schema, n)) => (split_name(schema)?.pop(), n),
        None => (None, n.trim()),
    };
    let found = lookup::find::<Operator>(at.catalog, at.scope, schema.as_deref(), n);
    Ok(found.iter().find(|o| o.left == left && o.right == right).map(|o| o.oid))
}
/// A type by its name, `[]` behind it for its array: a user's where no type of the server's own has the name.
pub fn find_type(s: &str, catalog: &Catalog, scope: &NameScope) -> Option<Oid> {
    let s = s.trim();
    // A modifier is accepted and dropped: regtype names types, not columns.
    let bare = match (s.find('('), s.find(')')) {
        (Some(a), Some(b)) if a < b => format!("{}{}", &s[..a], &s[b + 1..]),
        _ => s.to_string(),
    };
    if let Some(t) = type_by_name(&bare) {
        return Some(t);
    }
    let (mut name, mut array) = (bare.trim_end(), false);
    while let Some(rest) = name.strip_suffix("[]") {
        (name, array) = (rest.trim_end(), true);
    }
    let parts = defs::split_name(name)?;
    let (schema, name) = schema_and_name(&parts)?;
    let t = catalog.find_type(scope, schema, name).ok()??;
    if array { oid::array_of(t) } else { Some(t) }
}
fn find(s: &str, ty: Oid, at: Place) -> Result<Option<Oid>> {
    match ty {
        oid::REGCLASS => relation(s, at),
        oid::REGTYPE => Ok(find_type(s, at.catalog, at.scope)),
        oid::REGPROC => find_function(s, at),
        oid::REGPROCEDURE => find_procedure(s, at),
        oid::REGOPER => {
            let (schema, n) = match s.rsplit_once('.') {
                Some((schema, n)) => (split_name(schema)?.pop(), n),
                None => (None, s),
            };
            match lookup::find::<Operator>(at.catalog, at.scope, schema.as_deref(), n).only() {
                Only::Nothing => Ok(None),
                Only::One(o) => Ok(Some(o.oid)),
                Only::Several => bail!(AMBIGUOUS_FUNCTION, "more than one operator named {s}"),
            }
        }
        oid::REGOPERATOR => find_operator(s, at),
        oid::REGCONFIG => at.catalog.ts_named(at.scope, What::Config, &split_text_search(s)?).map(Some),
        oid::REGDICTIONARY => at.catalog.ts_named(at.scope, What::Dictionary, &split_text_search(s)?).map(Some),
        oid::REGNAMESPACE => {
            let parts = split_name(s)?;
            let [n] = parts.as_slice() else { bail!(INVALID_NAME, "invalid name syntax") };
            Ok(at.catalog.schema_by_name(at.scope.database, n).map(|s| s.oid))
        }
        oid::REGROLE => {
            let parts = split_name(s)?;
            let [n] = parts.as_slice() else { bail!(INVALID_NAME, "invalid name syntax") };
            Ok(at.catalog.role_by_name(n).map(|r| r.oid))
        }
        oid::REGCOLLATION => {
            let parts = split_name(s)?;
            Ok(match parts.last().map(String::as_str) {
                Some("default") => Some(100),
                Some("C") => Some(950),
                Some("POSIX") => Some(951),
                _ => None,
            })
        }
        _ => Ok(None),
    }
}
fn no_schema(name: &str, at: Place) -> bool {
    !matches!(name, "pg_temp" | "pg_toast") && at.catalog.schema_by_name(at.scope.database, name).is_none()
}
/// The input function of a reg* type: a number, `-`, or a name.
pub fn parse_in(s: &str, ty: Oid, at: Place) -> Result<Oid> {
    let t = s.trim();
    // An operator has this name.
    if t == "-" && !matches!(ty, oid::REGOPER | oid::REGOPERATOR) {
        return Ok(0);
    }
    if !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()) {
        return t.parse().map_err(|_| err!(NUMERIC_VALUE_OUT_OF_RANGE, "value \"{s}\" is out of range for type oid"));
    }
    match find(s, ty, at)? {
        Some(o) => Ok(o),
        None => Err(match ty {
            oid::REGCLASS => {
                let parts = split_name(s)?;
                match parts.as_slice() {
                    [.., schema, _] if parts.len() < 4 && no_schema(schema, at) => {
                        err!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
                    }
                    [_, _, _, _, ..] => {
                        let name = parts.join(".");
                        err!(SYNTAX_ERROR, "improper relation name (too many dotted names): {name}")
                    }
                    _ => err!(UNDEFINED_TABLE, "relation \"{}\" does not exist", parts.join(".")),
                }
            }
            oid::REGTYPE => err!(UNDEFINED_OBJECT, "type \"{s}\" does not exist"),
            oid::REGPROC | oid::REGPROCEDURE => err!(UNDEFINED_FUNCTION, "function \"{s}\" does not exist"),
            oid::REGOPERATOR => err!(UNDEFINED_FUNCTION, "operator does not exist: {s}"),
            oid::REGOPER => err!(UNDEFINED_FUNCTION, "operator does not exist: {s}"),
            oid::REGNAMESPACE => err!(INVALID_SCHEMA_NAME, "schema \"{}\" does not exist", split_name(s)?.join(".")),
            oid::REGROLE => err!(UNDEFINED_OBJECT, "role \"{}\" does not exist", split_name(s)?.join(".")),
            oid::REGCOLLATION => err!(UNDEFINED_OBJECT, "collation \"{s}\" for encoding \"UTF8\" does not exist"),
            _ => err!(UNDEFINED_OBJECT, "\"{s}\" does not exist"),
        }),
    }
}
pub(super) fn parse_datum(args: &[Datum], ty: Oid, env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Text(s)] => parse(s, ty, env).map(Datum::Oid),
        _ => Err(bad_args("text_to_reg", args)),
    }
}
/// to_regclass and friends: NULL instead of an error for what does not exist.
fn to_reg(s: &Arc<str>, ty: Oid, env: &mut dyn Env) -> Result<Datum> {
    let numeric = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if s.as_ref() == "-" || numeric {
        return Ok(if numeric { Datum::Oid(s.parse().unwrap_or(0)) } else { Datum::Null });
    }
    Ok(find(s, ty, place(env))?.map_or(Datum::Null, Datum::Oid))
}

funcs! { pub FUNCS {
    text_regclass (_ci env; s: Text) => parse(s, oid::REGCLASS, env).map(Datum::Oid);
    to_regclass (_ci env; s: Text) => to_reg(s, oid::REGCLASS, env);
    to_regtype (_ci env; s: Text) => to_reg(s, oid::REGTYPE, env);
    to_regproc (_ci env; s: Text) => to_reg(s, oid::REGPROC, env).or(Ok(Datum::Null));
    to_regprocedure (_ci env; s: Text) => to_reg(s, oid::REGPROCEDURE, env);
    to_regoper (_ci env; s: Text) => to_reg(s, oid::REGOPER, env).or(Ok(Datum::Null));
    to_regoperator (_ci env; s: Text) => to_reg(s, oid::REGOPERATOR, env);
    to_regnamespace (_ci env; s: Text) => to_reg(s, oid::REGNAMESPACE, env);
    to_regrole (_ci env; s: Text) => to_reg(s, oid::REGROLE, env);
    to_regcollation (_ci env; s: Text) => to_reg(s, oid::REGCOLLATION, env);
} }
