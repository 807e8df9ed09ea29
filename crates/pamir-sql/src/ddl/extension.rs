//! CREATE, ALTER and DROP EXTENSION: the record that a database has one; what it has is built in (pamir-catalog's `extension`).
//!
//! Limits: plpgsql cannot be dropped; what uses members depends on the extension itself, where PostgreSQL tells the member; it holds the extension's schema.
use super::DdlCtx;
use super::cx::Space;
use pamir_catalog::acl;
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::extension::{Available, Extension, PLPGSQL, available};
use pamir_catalog::{Kind, Object, SqlText, defs};
use pamir_expr::func;
use pamir_parse::tree::{DefElem, DefValue};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Error, Result, bail, err};
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
/// How stored texts write the functions and operators of an extension: with its schema.
pub struct Members(Vec<String>);
impl Members {
    pub fn new(e: &Extension, cx: &DdlCtx) -> Members {
        let schema = cx.catalog.schema(e.schema).map_or("", |s| &s.name);
        let m = func::extension::members(e);
        let calls = m.functions.keys().chain(m.aggregates.keys()).map(|n| format!("{}(", defs::qualified(schema, n)));
        let operators = m.operators.keys().map(|o| format!("OPERATOR({}.{o})", defs::quote_ident(schema)));
        Members(calls.chain(operators).collect())
    }
    pub fn are_in(&self, t: &SqlText) -> bool {
        self.0.iter().any(|n| t.0.contains(n))
    }
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
    let roots: Vec<ObjectRef> = found.iter().map(|e| ObjectRef::new(Class::Extension, e.oid)).collect();
    super::fall::drop(&roots, cascade, false, cx)
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
    if super::web::Web::default().is_used(&e, cx) {
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
