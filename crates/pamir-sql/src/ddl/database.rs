//! CREATE, ALTER, DROP of databases and schemas.
use super::cx::{Name, Space};
use super::{DdlCtx, def, remove, role, view};
use pamir_catalog::acl::{self, DefaultAcl, Grants};
use pamir_catalog::extension::Extension;
use pamir_catalog::text_search as ts;
use pamir_catalog::{Database, Kind, Object, Schema, well_known};
use pamir_parse::tree::{Create, DefElem, DefValue, RoleSpec, SetStatement, Statement};
use pamir_txn::RowLock;
use pamir_types::encoding::{self, Encoding};
use pamir_types::error::{Severity, state};
use pamir_types::{Error, Oid, Result, bail, err};
use std::sync::Arc;

/// Without a name it is its owner's.
pub fn create_schema(
    name: Option<&str>,
    owner: Option<&RoleSpec>,
    if_not_exists: bool,
    elements: &[Statement],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    if !elements.is_empty() {
        return Err(Error::internal("the objects of a schema are made by who runs statements"));
    }
    make_schema(name, owner, if_not_exists, cx)?;
    Ok("CREATE SCHEMA")
}
/// The new schema's name and owner.
pub fn make_schema(
    name: Option<&str>,
    owner: Option<&RoleSpec>,
    if_not_exists: bool,
    cx: &mut DdlCtx,
) -> Result<(String, Oid)> {
    let owner = match owner {
        Some(r) => cx.owner_from(r)?,
        None => cx.user()?.oid,
    };
    let name = match (name, cx.catalog.role(owner)) {
        (Some(n), _) => n.to_string(),
        (None, Some(r)) => r.name.clone(),
        (None, None) => return Err(Error::internal("a schema's owner is no role")),
    };
    let database = cx.database();
    may_create_schemas(cx)?;
    let user = cx.user()?.oid;
    if !acl::is_member(cx.catalog, user, owner, database) {
        let owner = cx.catalog.role(owner).map_or("", |r| &r.name);
        bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{owner}\"");
    }
    check_schema_name(&name)?;
    let n = Name { space: Space::Schema, parent: database, name: name.clone() };
    if cx.catalog.schema_by_name(database, &name).is_some_and(|s| s.database == 0) || cx.name_taken(&n)? {
        if if_not_exists {
            cx.notice_exists(&n.taken());
            return Ok((name, owner));
        }
        return Err(n.taken());
    }
    let oid = cx.new_oid()?;
    cx.put(Object::Schema(Arc::new(Schema { oid, database, name: name.clone(), owner, comment: None })))?;
    Ok((name, owner))
}
/// CREATE SCHEMA's objects in the order in which they are made: what others need comes first (transformCreateSchemaStmt). 42P15 for one of another schema.
pub fn in_order<'s>(schema: &str, elements: &'s [Statement]) -> Result<Vec<&'s Statement>> {
    let mut out: Vec<(u8, &Statement)> = Vec::with_capacity(elements.len());
    for s in elements {
        let (turn, of) = match s {
            Statement::Create(c) => match &**c {
                Create::Sequence { name, .. } => (0, Some(name)),
                Create::Table(t) => (1, Some(&t.name)),
                Create::View(v) => (2, Some(&v.name)),
                Create::Index(i) => (3, Some(&i.table)),
                Create::Trigger(t) => (4, Some(&t.table)),
                _ => (5, None),
            },
            _ => (5, None),
        };
        if let Some([.., written, _]) = of.map(|n| n.parts.as_slice())
            && written != schema
        {
            bail!(
                INVALID_SCHEMA_DEFINITION,
                "CREATE specifies a schema ({written}) different from the one being created ({schema})"
            );
        }
        out.push((turn, s));
    }
    out.sort_by_key(|x| x.0);
    Ok(out.into_iter().map(|x| x.1).collect())
}
fn check_schema_name(name: &str) -> Result<()> {
    if name == pamir_catalog::PAMIR_CATALOG {
        return Err(err!(RESERVED_NAME, "unacceptable schema name \"{name}\"")
            .detail("It is the schema of the server's own views and functions."));
    }
    if name.starts_with("pg_") {
        return Err(err!(RESERVED_NAME, "unacceptable schema name \"{name}\"")
            .detail("The prefix \"pg_\" is reserved for system schemas."));
    }
    Ok(())
}
fn may_create_schemas(cx: &DdlCtx) -> Result<()> {
    if cx.who()?.on_database(cx.catalog, cx.database(), acl::CREATE) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for database {}", cx.env.database());
    }
    Ok(())
}
fn schema_named(name: &str, cx: &mut DdlCtx) -> Result<Arc<Schema>> {
    let Some(s) = cx.catalog.schema_by_name(cx.database(), name).cloned() else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{name}\" does not exist")
    };
    if s.database == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {name}");
    }
    cx.check_owner(s.owner, "schema", name)?;
    cx.lock_schema(s.oid, RowLock::Update)
}
pub fn rename_schema(name: &str, new: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let s = schema_named(name, cx)?;
    may_create_schemas(cx)?;
    check_schema_name(new)?;
    let all = cx.catalog.tables_and_views(cx.database()).into_iter().filter(|t| t.schema == s.oid);
    let inside: Vec<Oid> = all.map(|t| t.oid).collect();
    let forms = view::forms_on(&inside, cx)?;
    cx.put(Object::Schema(Arc::new(Schema { name: new.into(), ..(*s).clone() })))?;
    view::write_forms(forms, cx)?;
    Ok("ALTER SCHEMA")
}
pub fn schema_owner(name: &str, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let s = schema_named(name, cx)?;
    cx.check_new_owner(owner, None)?;
    may_create_schemas(cx)?;
    cx.put(Object::Schema(Arc::new(Schema { owner, ..(*s).clone() })))?;
    Ok("ALTER SCHEMA")
}

/// What CREATE and ALTER DATABASE say; DEFAULT is said by its value.
#[derive(Default)]
struct Options {
    owner: Option<String>,
    template: Option<String>,
    is_template: Option<bool>,
    allow_connections: Option<bool>,
    connection_limit: Option<i32>,
}
impl Options {
    fn read(list: &[DefElem], create: bool, cx: &mut DdlCtx) -> Result<Options> {
        let mut o = Options::default();
        for (n, d) in list.iter().enumerate() {
            def::once(list, n, cx)?;
            let said = d.value.is_some();
            match d.name.as_str() {
                "is_template" => o.is_template = Some(said && def::boolean(d)?),
                "allow_connections" => o.allow_connections = Some(!said || def::boolean(d)?),
                "connection_limit" => {
                    let n = if said { def::integer(d)? } else { -1 };
                    o.connection_limit = Some(role::connection_limit(n)?);
                }
                // There is one place for data.
                "tablespace" if create => {}
                "tablespace" if list.len() > 1 => {
                    let e = err!(FEATURE_NOT_SUPPORTED, "option \"tablespace\" cannot be specified with other options");
                    return Err(def::wrong(e, d, cx));
                }
                "tablespace" => {}
                "owner" if create && said => o.owner = Some(def::string(d)?),
                "template" if create && said => o.template = Some(def::string(d)?),
                "encoding" if create && said => check_encoding(d, cx)?,
                "owner" | "template" | "encoding" | "strategy" | "locale" | "lc_collate" | "lc_ctype"
                | "icu_locale" | "locale_provider" | "collation_version" | "oid"
                    if create => {}
                "location" if create => {
                    let e = def::wrong(err!(FEATURE_NOT_SUPPORTED, "LOCATION is not supported anymore"), d, cx)
                        .severity(Severity::Warning)
                        .hint("Consider using tablespaces instead.");
                    cx.env.notice(e);
                }
                other => return Err(def::wrong(err!(SYNTAX_ERROR, "option \"{other}\" not recognized"), d, cx)),
            }
        }
        Ok(o)
    }
    fn apply(&self, d: &mut Database) {
        d.is_template = self.is_template.unwrap_or(d.is_template);
        d.allow_connections = self.allow_connections.unwrap_or(d.allow_connections);
        d.connection_limit = self.connection_limit.unwrap_or(d.connection_limit);
    }
}
/// The server's one encoding.
fn check_encoding(d: &DefElem, cx: &DdlCtx) -> Result<()> {
    /// KOI8U; those behind it are clients' only.
    const LAST: i32 = 34;
    let shown = def::string(d)?;
    let (what, found) = match d.value {
        Some(DefValue::Integer(n)) => ("code", Encoding::by_number(n)),
        _ => ("name", Encoding::by_name(&shown)),
    };
    match found.filter(|e| e.number() <= LAST) {
        None => Err(def::wrong(err!(UNDEFINED_OBJECT, "{shown} is not a valid encoding {what}"), d, cx)),
        Some(encoding::UTF8) => Ok(()),
        Some(e) => Err(Error::unsupported(format!("encoding \"{}\"", e.name()))),
    }
}
fn may_create_databases(cx: &DdlCtx) -> Result<()> {
    let u = cx.user()?;
    if u.superuser || u.createdb {
        Ok(())
    } else {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to create database")
    }
}
/// 0A000 for a template with objects that are not copied, which the detail names.
fn can_copy(template: Oid, name: &str, cx: &DdlCtx) -> Result<()> {
    let c = &*cx.catalog;
    let relations = c.tables_and_views(template).into_iter().map(|t| (t.word(), t.name.clone()));
    let sequences = c.sequences(template).into_iter().map(|s| ("sequence", s.name.clone()));
    let types = c.user_types(template).into_iter().map(|t| ("type", t.name.clone()));
    let functions = c.functions(template).into_iter().map(|f| ("function", f.name.clone()));
    let operators = c.operators(template).into_iter().map(|o| ("operator", o.name.clone()));
    let triggers = c.event_triggers(template).into_iter().map(|t| ("event trigger", t.name.clone()));
    let cast = c.casts(template).into_iter().map(|x| {
        let of = pamir_types::text::type_named;
        ("cast", format!("{} as {}", of(x.from), of(x.to)))
    });
    let configs = c.ts_configs(template).into_iter().map(|x| (ts::What::Config.words(), x.name.clone()));
    let dictionaries = c.ts_dictionaries(template).into_iter().map(|d| (ts::What::Dictionary.words(), d.name.clone()));
    let large = super::large_object::first(template, cx)?.into_iter().map(|o| ("large object", o.to_string()));
    let all = relations.chain(sequences).chain(types).chain(functions).chain(operators).chain(triggers).chain(cast);
    let mut all = all.chain(large).chain(configs).chain(dictionaries);
    let Some((word, first)) = all.next() else { return Ok(()) };
    let more = match all.count() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    Err(Error::unsupported(format!("CREATE DATABASE from a template with objects of its own (\"{name}\")"))
        .detail(format!("It has {word} \"{first}\"{more}."))
        .hint("Use TEMPLATE template0 for an empty database."))
}
/// A database with the template's schemas and extensions.
pub fn create_database(name: &str, options: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let o = Options::read(options, true, cx)?;
    let owner = match &o.owner {
        Some(n) => cx.role_named(n)?.oid,
        None => cx.user()?.oid,
    };
    may_create_databases(cx)?;
    if !acl::is_member(cx.catalog, cx.user()?.oid, owner, cx.database()) {
        let owner = cx.catalog.role(owner).map_or("", |r| &r.name);
        bail!(INSUFFICIENT_PRIVILEGE, "must be member of role \"{owner}\"");
    }
    let template = o.template.as_deref().unwrap_or("template1");
    let source = cx.catalog.database_by_name(template);
    if let Some(d) = source
        && !d.is_template
        && !cx.who()?.has_role(d.owner)
    {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied to copy database \"{template}\"");
    }
    let Some(from) = source.map(|d| d.oid) else {
        bail!(INVALID_CATALOG_NAME, "template database \"{template}\" does not exist")
    };
    can_copy(from, template, cx)?;
    let n = Name { space: Space::Database, parent: 0, name: name.into() };
    if cx.name_taken(&n)? {
        return Err(n.taken());
    }
    let oid = cx.new_oid()?;
    let mut d = Database::new(oid, name.into(), owner);
    o.apply(&mut d);
    cx.put(Object::Database(Arc::new(d)))?;
    let schemas = cx.catalog.schemas(from).into_iter().filter(|s| s.database == from);
    let schemas: Vec<Schema> = schemas.cloned().collect();
    copy_defaults((from, 0), (oid, 0), cx)?;
    for s in schemas {
        copy_schema(s, oid, cx)?;
    }
    Ok("CREATE DATABASE")
}
/// A template's schema with its privileges and its extensions.
fn copy_schema(s: Schema, database: Oid, cx: &mut DdlCtx) -> Result<()> {
    let (from, id) = ((s.database, s.oid), cx.new_oid()?);
    let kept = cx.catalog.grants(s.oid).cloned();
    let extensions: Vec<Extension> = cx.catalog.extensions_in(s.oid).into_iter().map(|e| (**e).clone()).collect();
    cx.put(Object::Schema(Arc::new(Schema { oid: id, database, ..s })))?;
    if let Some(g) = kept {
        cx.put(Object::Grants(Arc::new(Grants { oid: id, ..g })))?;
    }
    for e in extensions {
        let (oid, cache) = (cx.new_oid()?, Default::default());
        cx.put(Object::Extension(Arc::new(Extension { oid, database, schema: id, cache, ..e })))?;
    }
    copy_defaults(from, (database, id), cx)
}
/// Default privileges of a (database, schema); schema 0: of all of them.
fn copy_defaults(from: (Oid, Oid), to: (Oid, Oid), cx: &mut DdlCtx) -> Result<()> {
    let of = cx.catalog.default_acls().into_iter().filter(|d| (d.database, d.schema) == from);
    let of: Vec<DefaultAcl> = of.cloned().collect();
    for d in of {
        let (database, schema) = to;
        cx.put(Object::DefaultAcl(Arc::new(DefaultAcl { oid: cx.new_oid()?, database, schema, ..d })))?;
    }
    Ok(())
}
fn database_named(name: &str, cx: &mut DdlCtx) -> Result<Arc<Database>> {
    let Some(d) = cx.catalog.database_by_name(name).cloned() else {
        bail!(INVALID_CATALOG_NAME, "database \"{name}\" does not exist")
    };
    cx.check_owner(d.owner, "database", name)?;
    match cx.lock_object(Kind::Database, d.oid, RowLock::Update)? {
        Some(Object::Database(d)) => Ok(d),
        _ => bail!(INVALID_CATALOG_NAME, "database \"{name}\" does not exist"),
    }
}
/// How often, and seconds apart, a database is looked at whether others still use it: five seconds, as in PostgreSQL.
const IN_USE_LOOKS: u32 = 50;
const IN_USE_PAUSE: f64 = 0.1;

/// How many transactions are prepared in a database, as an error's detail says it; None where there are none.
fn prepared_in(name: &str, cx: &DdlCtx) -> Result<Option<String>> {
    Ok(match cx.engine.prepared()?.iter().filter(|p| p.database == name).count() {
        0 => None,
        1 => Some("There is 1 prepared transaction using the database.".to_string()),
        n => Some(format!("There are {n} prepared transactions using the database.")),
    })
}
/// The other sessions of a database.
fn sessions_of(name: &str, cx: &mut DdlCtx) -> Result<Vec<i32>> {
    let backend = cx.env.backend()?;
    let me = backend.pid();
    let others = backend.activity().into_iter().filter(|a| a.database == name && a.pid != me && !a.background);
    Ok(others.map(|a| a.pid).collect())
}
/// DROP DATABASE ... WITH (FORCE): tells the database's other sessions to end; all of them or, where the user may not, none.
fn end_sessions(name: &str, cx: &mut DdlCtx) -> Result<()> {
    if let Some(detail) = prepared_in(name, cx)? {
        return Err(err!(OBJECT_IN_USE, "database \"{name}\" is being used by prepared transactions").detail(detail));
    }
    let others = sessions_of(name, cx)?;
    let backend = cx.env.backend()?;
    others.iter().try_for_each(|pid| backend.may_signal(*pid, true))?;
    others.iter().try_for_each(|pid| backend.signal(*pid, true).map(drop))
}

/// 55006 while other sessions stay connected, or transactions prepared in it.
fn not_in_use(name: &str, cx: &mut DdlCtx) -> Result<()> {
    if let Some(detail) = prepared_in(name, cx)? {
        return Err(err!(OBJECT_IN_USE, "database \"{name}\" is being accessed by other users").detail(detail));
    }
    let mut others = 0;
    // Sessions that have been told to end, or whose client has just left, are given the time to.
    for look in 0..IN_USE_LOOKS {
        if look > 0 {
            cx.env.sleep(IN_USE_PAUSE)?;
        }
        others = sessions_of(name, cx)?.len();
        if others == 0 {
            return Ok(());
        }
    }
    let detail = if others == 1 {
        "There is 1 other session using the database.".to_string()
    } else {
        format!("There are {others} other sessions using the database.")
    };
    Err(err!(OBJECT_IN_USE, "database \"{name}\" is being accessed by other users").detail(detail))
}
pub fn drop_database(name: &str, if_exists: bool, force: bool, cx: &mut DdlCtx) -> Result<()> {
    if if_exists && cx.catalog.database_by_name(name).is_none() {
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("database \"{name}\" does not exist, skipping"));
        return Ok(());
    }
    let d = database_named(name, cx)?;
    if d.oid == well_known::TEMPLATE0_DB || d.oid == well_known::TEMPLATE1_DB {
        bail!(WRONG_OBJECT_TYPE, "cannot drop a template database");
    }
    if d.oid == cx.database() {
        bail!(OBJECT_IN_USE, "cannot drop the currently open database");
    }
    if force {
        end_sessions(name, cx)?;
    }
    not_in_use(name, cx)?;
    remove::drop_contents(d.oid, cx)?;
    cx.remove(Kind::Database, d.oid)
}
pub fn rename_database(name: &str, new: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let d = database_named(name, cx)?;
    may_create_databases(cx).map_err(|_| err!(INSUFFICIENT_PRIVILEGE, "permission denied to rename database"))?;
    if d.oid == cx.database() {
        bail!(FEATURE_NOT_SUPPORTED, "current database cannot be renamed");
    }
    not_in_use(name, cx)?;
    cx.put(Object::Database(Arc::new(Database { name: new.into(), ..(*d).clone() })))?;
    Ok("ALTER DATABASE")
}
pub fn database_owner(name: &str, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let d = database_named(name, cx)?;
    cx.check_new_owner(owner, None)?;
    if owner != d.owner {
        may_create_databases(cx)
            .map_err(|_| err!(INSUFFICIENT_PRIVILEGE, "permission denied to change owner of database"))?;
    }
    cx.put(Object::Database(Arc::new(Database { owner, ..(*d).clone() })))?;
    Ok("ALTER DATABASE")
}
/// ALTER DATABASE ... WITH options, and SET TABLESPACE, which changes nothing.
pub fn alter_database(name: &str, options: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let o = Options::read(options, false, cx)?;
    let mut d = (*database_named(name, cx)?).clone();
    if o.allow_connections == Some(false) && d.oid == cx.database() {
        bail!(INVALID_PARAMETER_VALUE, "cannot disallow connections for current database");
    }
    o.apply(&mut d);
    cx.put(Object::Database(Arc::new(d)))?;
    Ok("ALTER DATABASE")
}
/// ALTER DATABASE ... SET and RESET.
pub fn alter_database_set(name: &str, set: &SetStatement, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut d = (*database_named(name, cx)?).clone();
    role::apply_setting(&mut d.settings, set, cx)?;
    cx.put(Object::Database(Arc::new(d)))?;
    Ok("ALTER DATABASE")
}
