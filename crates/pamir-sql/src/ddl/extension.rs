//! CREATE, ALTER and DROP EXTENSION: the record that a database has one; what it has is built in (pamir-catalog's `extension`).
//!
//! Limits: plpgsql cannot be dropped; stored expressions and views that use members hold the extension, CASCADE or not, and its schema.
use super::cx::Space;
use super::remove::refuse_or_tell;
use super::types::Part;
use super::{DdlCtx, types};
use pamir_catalog::acl;
use pamir_catalog::extension::{Available, Extension, PLPGSQL, available};
use pamir_catalog::{IndexColumn, Kind, Object, SqlText, defs};
use pamir_expr::func;
use pamir_parse::tree::{DefElem, DefValue};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

/// An option's word; 42601 for one that is there twice.
struct Options<'a> {
    schema: Option<&'a str>,
    version: Option<&'a str>,
}
fn options<'a>(list: &'a [DefElem], cx: &DdlCtx) -> Result<Options<'a>> {
    let mut o = Options { schema: None, version: None };
    let mut seen: Vec<&str> = Vec::new();
    for d in list {
        if seen.contains(&d.name.as_str()) {
            return Err(cx.place(err!(SYNTAX_ERROR, "conflicting or redundant options"), d.at));
        }
        seen.push(&d.name);
        let value = match &d.value {
            Some(DefValue::String(s)) => Some(s.as_str()),
            _ => None,
        };
        match d.name.as_str() {
            "schema" => o.schema = value,
            "new_version" => o.version = value,
            _ => {}
        }
    }
    Ok(o)
}
fn not_available(name: &str) -> Error {
    err!(FEATURE_NOT_SUPPORTED, "extension \"{name}\" is not available")
        .detail(format!(
            "Could not open extension control file \"/usr/share/postgresql/15/extension/{name}.control\": No such file or directory."
        ))
        .hint("The extension must first be installed on the system where PostgreSQL is running.")
}

pub fn create(name: &str, if_not_exists: bool, list: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    if name == PLPGSQL || cx.catalog.extension_named(cx.database(), name).is_some() {
        let e = err!(DUPLICATE_OBJECT, "extension \"{name}\" already exists");
        if !if_not_exists {
            return Err(e);
        }
        cx.notice_exists(&e);
        return Ok("CREATE EXTENSION");
    }
    let o = options(list, cx)?;
    let a = available(name).ok_or_else(|| not_available(name))?;
    let version = o.version.unwrap_or(a.version);
    if !a.versions.contains(&version) {
        bail!(
            INVALID_PARAMETER_VALUE,
            "extension \"{name}\" has no installation script nor update path for version \"{version}\""
        );
    }
    let schema = match o.schema {
        Some(s) => match cx.catalog.schema_by_name(cx.database(), s) {
            Some(s) => s.oid,
            None => bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist"),
        },
        None => match cx.catalog.creation_schema(cx.env.scope()) {
            Some(s) => s.oid,
            None => bail!(INVALID_SCHEMA_NAME, "no schema has been selected to create in"),
        },
    };
    let database = cx.database();
    if cx.who()?.on_database(cx.catalog, database, acl::CREATE) == 0 {
        return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to create extension \"{name}\"")
            .hint("Must have CREATE privilege on current database to create this extension."));
    }
    cx.lock_schema(schema, RowLock::KeyShare)?;
    let e = Extension {
        oid: cx.new_oid()?,
        database,
        schema,
        name: name.into(),
        version: version.into(),
        owner: cx.user()?.oid,
        comment: Some(a.comment.into()),
        cache: Default::default(),
    };
    cx.put(Object::Extension(Arc::new(e)))?;
    Ok("CREATE EXTENSION")
}

/// The extension, locked; None, with a notice, where it need not be there.
fn open(name: &str, if_exists: bool, mode: RowLock, cx: &mut DdlCtx) -> Result<Option<Arc<Extension>>> {
    if name == PLPGSQL {
        return Err(Error::unsupported("changing the extension plpgsql"));
    }
    let Some(e) = cx.catalog.extension_named(cx.database(), name).cloned() else {
        if !if_exists {
            bail!(UNDEFINED_OBJECT, "extension \"{name}\" does not exist");
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("extension \"{name}\" does not exist, skipping"));
        return Ok(None);
    };
    cx.check_owner(e.owner, "extension", name)?;
    match cx.lock_object(Kind::Extension, e.oid, mode)? {
        Some(Object::Extension(e)) => Ok(Some(e)),
        _ => bail!(UNDEFINED_OBJECT, "extension \"{name}\" does not exist"),
    }
}
/// Does a stored expression name the column, outside of constants?
fn names_column(text: &str, column: &str) -> bool {
    let quoted = defs::quote_ident(column);
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    text.split('\'').step_by(2).any(|code| {
        code.match_indices(&*quoted)
            .any(|(at, found)| !code[..at].ends_with(part) && !code[at + found.len()..].starts_with(part))
    })
}
/// What uses a function or operator of the extension: stored texts name them with their schema.
fn user_of(e: &Extension, cx: &DdlCtx) -> Option<String> {
    let schema = &cx.catalog.schema(e.schema)?.name;
    let m = func::extension::members(e);
    let calls = m.functions.keys().chain(m.aggregates.keys()).map(|n| format!("{}(", defs::qualified(schema, n)));
    let operators = m.operators.keys().map(|o| format!("OPERATOR({}.{o})", defs::quote_ident(schema)));
    let all: Vec<String> = calls.chain(operators).collect();
    let uses = |t: &SqlText| all.iter().any(|n| t.0.contains(n));
    let types = available(&e.name).map_or(&[][..], |a| a.types);
    for t in cx.catalog.tables(e.database) {
        // What reads a column of the extension's type goes with that.
        let of_types = |c: &&pamir_catalog::Column| types.iter().any(|ty| pamir_catalog::types::uses(c.ty.oid, *ty));
        let columns: Vec<&str> = t.live_columns().filter(of_types).map(|c| c.name.as_str()).collect();
        let has = |e: &SqlText| uses(e) && !columns.iter().any(|c| names_column(&e.0, c));
        let index = |c: &(IndexColumn, _)| matches!(&c.0, IndexColumn::Expr(e, _) if has(e));
        let columns =
            t.columns.iter().any(|c| c.default.as_ref().is_some_and(has) || c.generated.as_ref().is_some_and(has));
        let indexes = t.indexes.iter().any(|i| i.predicate.as_ref().is_some_and(has) || i.columns.iter().any(index));
        if columns || indexes || t.checks.iter().any(|c| has(&c.expr)) {
            return Some(format!("an expression of table {}", cx.shown(t.oid)));
        }
    }
    let views = cx.catalog.views(e.database);
    let v = views.into_iter().find(|v| v.view.as_ref().is_some_and(|v| uses(&v.text)))?;
    Some(format!("view {}", cx.shown(v.oid)))
}
pub fn drop(names: &[String], if_exists: bool, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut found: Vec<Arc<Extension>> = Vec::new();
    for n in names {
        if let Some(e) = open(n, if_exists, RowLock::Update, cx)?
            && found.iter().all(|f| f.oid != e.oid)
        {
            found.push(e);
        }
    }
    let what = match found.as_slice() {
        [] => return Ok(()),
        [one] => format!("extension {}", one.name),
        _ => "desired object(s)".to_string(),
    };
    drop_all(&found, &what, cascade, cx)
}
/// Drops extensions with the columns of their types.
fn drop_all(found: &[Arc<Extension>], what: &str, cascade: bool, cx: &mut DdlCtx) -> Result<()> {
    for e in found {
        if let Some(user) = user_of(e, cx) {
            let name = format!("extension {}", e.name);
            return Err(err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop {name} because other objects depend on it")
                .detail(format!("{user} depends on {name}"))
                .hint("Drop or change that first: CASCADE does not drop what uses functions of extensions yet."));
        }
    }
    let types = found.iter().filter_map(|e| available(&e.name)).flat_map(|a| a.types);
    let (mut going, mut told): (Vec<Oid>, Vec<_>) = (types.copied().collect(), Vec::new());
    let own = going.len();
    let mut parts = types::with_dependents(&mut going, &[], &mut told, cx)?;
    // A check goes with the column that it reads, without a word.
    let columns: Vec<(Oid, String)> = parts
        .iter()
        .filter_map(|p| match p {
            Part::Column(t, c) => Some((*t, c.clone())),
            _ => None,
        })
        .collect();
    let goes = |t: Oid, name: &str, cx: &DdlCtx| {
        let check = cx.catalog.table(t).and_then(|t| t.checks.iter().find(|c| c.name == name));
        check.is_some_and(|k| columns.iter().any(|(of, c)| *of == t && names_column(&k.expr.0, c)))
    };
    parts.retain(|p| match p {
        Part::Constraint(t, name) if goes(*t, name, cx) => {
            let what = format!("constraint {name} on table {}", cx.shown(*t));
            told.retain(|d| d.what != what);
            false
        }
        _ => true,
    });
    refuse_or_tell(what, &told, cascade, cx)?;
    for p in parts {
        types::drop_part(p, cx)?;
    }
    for t in &going[own..] {
        cx.remove(Kind::Type, *t)?;
    }
    for e in found {
        cx.remove(Kind::Extension, e.oid)?;
    }
    Ok(())
}
/// DROP SCHEMA: 2BP01 where extensions are in it.
pub fn check_schema(schema: Oid, name: &str, cx: &DdlCtx) -> Result<()> {
    let Some(e) = cx.catalog.extensions_in(schema).first().map(|e| e.name.clone()) else { return Ok(()) };
    Err(err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop schema {name} because other objects depend on it")
        .detail(format!("extension {e} depends on schema {name}"))
        .hint("Drop the extension first: CASCADE does not drop extensions yet."))
}
/// ALTER EXTENSION UPDATE
pub fn update(name: &str, list: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let o = options(list, cx)?;
    let Some(e) = open(name, false, RowLock::NoKeyUpdate, cx)? else { return Ok("ALTER EXTENSION") };
    let a: &Available = available(name).ok_or_else(|| not_available(name))?;
    let to = o.version.unwrap_or(a.version);
    if to == e.version {
        cx.notice(
            state::SUCCESSFUL_COMPLETION,
            format!("version \"{to}\" of extension \"{name}\" is already installed"),
        );
        return Ok("ALTER EXTENSION");
    }
    let place = |v: &str| a.versions.iter().position(|x| *x == v);
    if place(to).is_none() || place(to) < place(&e.version) {
        let from = &e.version;
        bail!(
            INVALID_PARAMETER_VALUE,
            "extension \"{name}\" has no update path from version \"{from}\" to version \"{to}\""
        );
    }
    cx.put(Object::Extension(Arc::new(Extension { version: to.into(), ..(*e).clone() })))?;
    Ok("ALTER EXTENSION")
}
/// ALTER EXTENSION SET SCHEMA
pub fn set_schema(name: &str, schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let Some(e) = open(name, false, RowLock::Update, cx)? else { return Ok("ALTER EXTENSION") };
    let Some(s) = cx.catalog.schema_by_name(cx.database(), schema).cloned() else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    cx.check_create_in(s.oid)?;
    if user_of(&e, cx).is_some() {
        return Err(Error::unsupported("another schema for an extension that views or tables use"));
    }
    cx.lock_schema(s.oid, RowLock::KeyShare)?;
    cx.put(Object::Extension(Arc::new(Extension { schema: s.oid, ..(*e).clone() })))?;
    Ok("ALTER EXTENSION")
}
pub fn comment(name: &str, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let Some(e) = open(name, false, RowLock::NoKeyUpdate, cx)? else { return Ok(()) };
    cx.put(Object::Extension(Arc::new(Extension { comment: text, ..(*e).clone() })))
}
/// The names that an extension holds: its own, and its types' in its schema.
pub fn names_of(e: &Extension) -> Vec<super::cx::Name> {
    let types = available(&e.name).map_or(&[][..], |a| a.types);
    let name = |space, parent, name: String| super::cx::Name { space, parent, name };
    let types = types.iter().filter_map(|t| pamir_types::oid::type_name(*t));
    types.map(|t| name(Space::Type, e.schema, t)).chain([name(Space::Extension, e.database, e.name.clone())]).collect()
}
