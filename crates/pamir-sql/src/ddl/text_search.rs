//! CREATE, ALTER, DROP TEXT SEARCH CONFIGURATION and DICTIONARY, and what DROP asks of their use.
//!
//! ```text
//!   name, options --checked by the template (pamir_expr::tsearch::dictionary)--> Dictionary
//!   COPY, mappings --names to numbers--> Config { kind of token -> dictionaries }
//!   DROP of a dictionary  ->  configurations with it in their maps          (and its template's extension with it)
//!   DROP of a configuration  ->  whose texts name it (`'16390'::regconfig`)
//! ```
//! A change of a configuration or a dictionary is a new catalog: plans and folded constants are made anew, rows and index entries that were computed before stay
//! as they are, as in PostgreSQL.
//!
//! Invariants: a dictionary's options are always such as its template takes; it is locked against being dropped before a configuration names it.
//!
//! Limits: none in pg_temp; PARSER and TEMPLATE are written in C and refused; the server's own objects and those of extensions are not changed, nor dropped by themselves.
use super::cx::{Name, Space, shown_name};
use super::{DdlCtx, def, operator};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::text_search::{self as ts, Config, Dictionary, Setting, What, named_in};
use pamir_catalog::well_known::POSTGRES_ROLE;
use pamir_catalog::{Kind, Object, temporary};
use pamir_expr::func::reg::split_name;
use pamir_expr::tsearch::{config, dictionary, parser};
use pamir_parse::tree::{AlterMapping, DefElem, DefValue, Drop, MappingChange, Object as Named, ObjectKind};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::oid::FIRST_USER;
use pamir_types::{Error, Oid, Result, bail, err, work};
use std::sync::Arc;

const ALTER_CONFIG: &str = "ALTER TEXT SEARCH CONFIGURATION";
const ALTER_DICTIONARY: &str = "ALTER TEXT SEARCH DICTIONARY";

/// What a kind of object is here; None: it is nothing of text search.
pub fn what(kind: ObjectKind) -> Option<What> {
    Some(match kind {
        ObjectKind::TextSearchConfiguration => What::Config,
        ObjectKind::TextSearchDictionary => What::Dictionary,
        ObjectKind::TextSearchParser => What::Parser,
        ObjectKind::TextSearchTemplate => What::Template,
        _ => return None,
    })
}
/// The class of a configuration, a dictionary.
fn class(what: What) -> Class {
    if what == What::Config { Class::TsConfig } else { Class::TsDictionary }
}
fn kind_of(what: What) -> Kind {
    if what == What::Config { Kind::TsConfig } else { Kind::TsDictionary }
}
fn find(what: What, parts: &[String], cx: &DdlCtx) -> Result<Oid> {
    cx.catalog.ts_named(cx.env.scope(), what, parts)
}
/// The name that makes a user's object unique.
pub fn name(what: What, schema: Oid, name: &str) -> Name {
    let space = if what == What::Config { Space::TsConfig } else { Space::TsDictionary };
    Name { space, parent: schema, name: name.into() }
}

// ---- CREATE ----

pub fn create(kind: ObjectKind, parts: &[String], definition: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let (schema, n) = cx.creation_name(parts)?;
    if schema == temporary::SCHEMA {
        return Err(Error::unsupported("temporary objects of this kind"));
    }
    if kind == ObjectKind::TextSearchDictionary {
        let (template, options) = template_and_options(definition, cx)?;
        dictionary::init(template, &options)?;
        if template == ts::UNACCENT {
            hold(What::Dictionary, ts::UNACCENT_DICTIONARY, cx)?;
        }
        check_new(What::Dictionary, schema, &n, cx)?;
        let (oid, database, owner) = (cx.new_oid_in(schema)?, cx.database(), cx.user()?.oid);
        let d = Dictionary { oid, database, schema, name: n, owner, template, options };
        cx.put(Object::TsDictionary(Arc::new(d)))?;
        return Ok("CREATE TEXT SEARCH DICTIONARY");
    }
    let map = new_map(definition, cx)?;
    for d in map.iter().flat_map(|m| &m.1) {
        hold(What::Dictionary, *d, cx)?;
    }
    check_new(What::Config, schema, &n, cx)?;
    let (oid, database, owner) = (cx.new_oid_in(schema)?, cx.database(), cx.user()?.oid);
    let c = Config { oid, database, schema, name: n, owner, map };
    cx.put(Object::TsConfig(Arc::new(c)))?;
    Ok("CREATE TEXT SEARCH CONFIGURATION")
}
/// 23505 where the name is taken, as PostgreSQL's index over its catalog says it.
fn check_new(what: What, schema: Oid, n: &str, cx: &DdlCtx) -> Result<()> {
    let taken = name(what, schema, n);
    if cx.name_taken(&taken)? {
        return Err(taken.taken());
    }
    Ok(())
}
/// What [`Name::taken`] says.
pub fn taken(what: What, schema: Oid, n: &str) -> Error {
    let (table, column) = if what == What::Config { ("pg_ts_config", "cfg") } else { ("pg_ts_dict", "dict") };
    let index = format!("{table}_{column}name_index");
    err!(UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"{index}\"")
        .detail(format!("Key ({column}name, {column}namespace)=({n}, {schema}) already exists."))
        .table("pg_catalog", table)
        .constraint(index)
}
/// An option of a dictionary; without a value it takes one away.
fn setting(d: &DefElem) -> Result<Setting> {
    let number = matches!(d.value, Some(DefValue::Integer(_) | DefValue::Float(_)));
    Ok(Setting { name: d.name.clone(), value: def::string(d)?, number })
}
fn template_and_options(definition: &[DefElem], cx: &DdlCtx) -> Result<(Oid, Vec<Setting>)> {
    let (mut template, mut options) = (None, Vec::new());
    for d in definition {
        match d.name.as_str() {
            "template" => template = Some(find(What::Template, &operator::name_option(d)?, cx)?),
            _ => options.push(d),
        }
    }
    let missing = || err!(INVALID_OBJECT_DEFINITION, "text search template is required");
    let template = template.ok_or_else(missing)?;
    Ok((template, options.into_iter().map(setting).collect::<Result<_>>()?))
}
fn new_map(definition: &[DefElem], cx: &DdlCtx) -> Result<Vec<(u8, Vec<Oid>)>> {
    let (mut parser, mut source) = (false, None);
    for d in definition {
        match d.name.as_str() {
            "parser" => {
                find(What::Parser, &operator::name_option(d)?, cx)?;
                parser = true;
            }
            "copy" => source = Some(find(What::Config, &operator::name_option(d)?, cx)?),
            other => bail!(SYNTAX_ERROR, "text search configuration parameter \"{other}\" not recognized"),
        }
    }
    match source {
        Some(_) if parser => bail!(SYNTAX_ERROR, "cannot specify both PARSER and COPY options"),
        Some(c) => Ok(config::map_of(c, cx.catalog).unwrap_or_default()),
        None if parser => Ok(Vec::new()),
        None => bail!(INVALID_OBJECT_DEFINITION, "text search parser is required"),
    }
}
/// Keeps a dictionary that is about to be named from being dropped.
fn hold(what: What, oid: Oid, cx: &mut DdlCtx) -> Result<()> {
    let gone = || err!(UNDEFINED_OBJECT, "{} with OID {oid} does not exist", what.words());
    if oid == ts::UNACCENT_DICTIONARY {
        let db = cx.database();
        let e = cx.catalog.extension_named(db, "unaccent").map(|e| e.oid).ok_or_else(gone)?;
        return cx.lock_object(Kind::Extension, e, RowLock::KeyShare)?.map(drop_it).ok_or_else(gone);
    }
    if oid < FIRST_USER {
        return Ok(());
    }
    cx.lock_object(kind_of(what), oid, RowLock::KeyShare)?.map(drop_it).ok_or_else(gone)
}
fn drop_it(_: Object) {}

// ---- ALTER ----

/// A user's object, locked and owned.
struct Open {
    schema: Oid,
    name: String,
    owner: Oid,
    object: Object,
}
/// `shown`: as the message calls it that says who must own it; empty: by its name alone.
fn open(what: What, parts: &[String], shown: &str, cx: &mut DdlCtx) -> Result<Open> {
    let oid = find(what, parts, cx)?;
    let (_, owner, name) = owned(what, oid, cx);
    cx.check_owner(owner, what.words(), if shown.is_empty() { &name } else { shown })?;
    let missing = || err!(UNDEFINED_OBJECT, "{} \"{}\" does not exist", what.words(), shown_name(parts));
    if !is_users(what, oid, cx) {
        return Err(Error::unsupported(format!("changing {} {}", what.words(), shown_name(parts))));
    }
    let object = cx.lock_object(kind_of(what), oid, RowLock::Update)?.ok_or_else(missing)?;
    let (schema, name, owner) = match &object {
        Object::TsConfig(c) => (c.schema, c.name.clone(), c.owner),
        Object::TsDictionary(d) => (d.schema, d.name.clone(), d.owner),
        _ => return Err(missing()),
    };
    Ok(Open { schema, name, owner, object })
}
fn is_users(what: What, oid: Oid, cx: &DdlCtx) -> bool {
    match what {
        What::Config => cx.catalog.ts_config(oid).is_some(),
        What::Dictionary => cx.catalog.ts_dictionary(oid).is_some(),
        _ => false,
    }
}
/// (schema, owner, name)
fn owned(what: What, oid: Oid, cx: &DdlCtx) -> (Oid, Oid, String) {
    let c = &cx.catalog;
    let (schema, name) = c.ts_place(cx.database(), what, oid).unwrap_or_default();
    let owner = match what {
        What::Config => c.ts_config(oid).map(|c| c.owner),
        _ => c.ts_dictionary(oid).map(|d| d.owner),
    };
    (schema, owner.unwrap_or(POSTGRES_ROLE), name)
}
pub fn alter_dictionary(parts: &[String], options: &[DefElem], cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(What::Dictionary, parts, &shown_name(parts), cx)?;
    let Object::TsDictionary(d) = o.object else { return Ok(ALTER_DICTIONARY) };
    let mut new = (*d).clone();
    for d in options {
        new.options.retain(|o| o.name != d.name);
        if d.value.is_some() {
            new.options.push(setting(d)?);
        }
    }
    dictionary::init(new.template, &new.options)?;
    cx.put(Object::TsDictionary(Arc::new(new)))?;
    Ok(ALTER_DICTIONARY)
}
/// The kinds of tokens of these names, each once.
fn kinds(tokens: &[String]) -> Result<Vec<(u8, &str)>> {
    let mut out: Vec<(u8, &str)> = Vec::new();
    for t in tokens {
        match parser::KINDS.iter().position(|k| k.0 == t.as_str()) {
            Some(k) if out.iter().any(|o| usize::from(o.0) == k + 1) => {}
            Some(k) => out.push((k as u8 + 1, t)),
            None => bail!(INVALID_PARAMETER_VALUE, "token type \"{t}\" does not exist"),
        }
    }
    Ok(out)
}
pub fn alter_mapping(parts: &[String], m: &AlterMapping, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(What::Config, parts, &shown_name(parts), cx)?;
    let Object::TsConfig(c) = o.object else { return Ok(ALTER_CONFIG) };
    let mut new = (*c).clone();
    let tokens = kinds(&m.tokens)?;
    let is_meant = |k: u8| tokens.is_empty() || tokens.iter().any(|t| t.0 == k);
    let mut found = |names: &[&pamir_parse::tree::QualifiedName]| -> Result<Vec<Oid>> {
        let list = names.iter().map(|n| find(What::Dictionary, &n.parts, cx)).collect::<Result<Vec<_>>>()?;
        list.iter().try_for_each(|d| hold(What::Dictionary, *d, cx))?;
        Ok(list)
    };
    match &m.change {
        MappingChange::Replace(old, by) => {
            let list = found(&[old, by])?;
            let [old, by] = list[..] else { return Ok(ALTER_CONFIG) };
            for d in new.map.iter_mut().filter(|m| is_meant(m.0)).flat_map(|m| &mut m.1) {
                if *d == old {
                    *d = by;
                }
            }
        }
        MappingChange::Drop { if_exists } => {
            for (kind, token) in &tokens {
                let before = new.map.len();
                new.map.retain(|m| m.0 != *kind);
                if new.map.len() < before {
                    continue;
                }
                let e = err!(UNDEFINED_OBJECT, "mapping for token type \"{token}\" does not exist");
                if !if_exists {
                    return Err(e);
                }
                cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            }
        }
        MappingChange::Add(list) | MappingChange::Alter(list) => {
            let list = found(&list.iter().collect::<Vec<_>>())?;
            work::charge(list.len() * tokens.len())?;
            if matches!(m.change, MappingChange::Alter(_)) {
                new.map.retain(|m| !is_meant(m.0));
            }
            for (kind, _) in tokens {
                match new.map.binary_search_by_key(&kind, |m| m.0) {
                    Ok(_) => return Err(mapped(new.oid, kind)),
                    Err(at) => new.map.insert(at, (kind, list.clone())),
                }
            }
        }
    }
    cx.put(Object::TsConfig(Arc::new(new)))?;
    Ok(ALTER_CONFIG)
}
/// What PostgreSQL's index over the mappings says of one that is there.
fn mapped(config: Oid, kind: u8) -> Error {
    const INDEX: &str = "pg_ts_config_map_index";
    err!(UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"{INDEX}\"")
        .detail(format!("Key (mapcfg, maptokentype, mapseqno)=({config}, {kind}, 1) already exists."))
        .table("pg_catalog", "pg_ts_config_map")
        .constraint(INDEX)
}
fn tag(what: What) -> &'static str {
    if what == What::Config { ALTER_CONFIG } else { ALTER_DICTIONARY }
}
/// Writes an object with another name, schema or owner.
fn put(o: &Open, name: String, schema: Oid, owner: Oid, cx: &mut DdlCtx) -> Result<()> {
    cx.put(match &o.object {
        Object::TsConfig(c) => Object::TsConfig(Arc::new(Config { name, schema, owner, ..(**c).clone() })),
        Object::TsDictionary(d) => Object::TsDictionary(Arc::new(Dictionary { name, schema, owner, ..(**d).clone() })),
        _ => return Ok(()),
    })
}
fn check_free(what: What, schema: Oid, n: &str, cx: &DdlCtx) -> Result<()> {
    if !cx.name_taken(&name(what, schema, n))? {
        return Ok(());
    }
    let schema = cx.catalog.schema(schema).map_or("", |s| &s.name);
    bail!(DUPLICATE_OBJECT, "{} \"{n}\" already exists in schema \"{schema}\"", what.words())
}
pub fn rename(what: What, parts: &[String], to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(what, parts, "", cx)?;
    cx.check_create_in(o.schema)?;
    check_free(what, o.schema, to, cx)?;
    put(&o, to.into(), o.schema, o.owner, cx)?;
    Ok(tag(what))
}
pub fn set_schema(what: What, parts: &[String], schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(what, parts, "", cx)?;
    let Some(to) = cx.catalog.schema_of_relations(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    if to == temporary::SCHEMA {
        bail!(FEATURE_NOT_SUPPORTED, "cannot move objects into or out of temporary schemas");
    }
    if to == o.schema {
        return Ok(tag(what));
    }
    cx.use_schema(to, &o.name)?;
    check_free(what, to, &o.name, cx)?;
    put(&o, o.name.clone(), to, o.owner, cx)?;
    Ok(tag(what))
}
pub fn set_owner(what: What, parts: &[String], owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let o = open(what, parts, "", cx)?;
    if o.owner != owner {
        cx.check_new_owner(owner, Some(o.schema))?;
        put(&o, o.name.clone(), o.schema, owner, cx)?;
    }
    Ok(tag(what))
}
/// REASSIGN OWNED
pub fn reassign(mine: impl Fn(Oid) -> bool, to: Oid, cx: &mut DdlCtx) -> Result<()> {
    for what in [What::Config, What::Dictionary] {
        for (oid, _) in all_of(what, &mine, cx) {
            let Some(object) = cx.lock_object(kind_of(what), oid, RowLock::Update)? else { continue };
            let (schema, owner, name) = owned(what, oid, cx);
            put(&Open { schema, name: name.clone(), owner, object }, name, schema, to, cx)?;
        }
    }
    Ok(())
}
/// The database's objects of these owners: OIDs and owners.
fn all_of(what: What, mine: &impl Fn(Oid) -> bool, cx: &DdlCtx) -> Vec<(Oid, Oid)> {
    let (c, db) = (&cx.catalog, cx.database());
    let all: Vec<(Oid, Oid)> = match what {
        What::Config => c.ts_configs(db).iter().map(|c| (c.oid, c.owner)).collect(),
        _ => c.ts_dictionaries(db).iter().map(|d| (d.oid, d.owner)).collect(),
    };
    all.into_iter().filter(|o| mine(o.1)).collect()
}
/// What DROP OWNED drops.
pub fn of_owners(roles: &[Oid], cx: &DdlCtx) -> Vec<ObjectRef> {
    let mine = |o: Oid| roles.contains(&o);
    let of = |what: What| all_of(what, &mine, cx).into_iter().map(move |o| ObjectRef::new(class(what), o.0));
    of(What::Config).chain(of(What::Dictionary)).collect()
}
pub fn comment(what: What, parts: &[String], text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let oid = find(what, parts, cx)?;
    if matches!(what, What::Parser | What::Template) {
        if !cx.user()?.superuser {
            bail!(INSUFFICIENT_PRIVILEGE, "must be superuser");
        }
    } else {
        let (_, owner, _) = owned(what, oid, cx);
        cx.check_owner(owner, what.words(), &shown_name(parts))?;
    }
    super::comment::keep((what.catalog(), oid), cx.database(), text, cx)
}

// ---- DROP ----

pub fn drop(d: &Drop, what: What, cx: &mut DdlCtx) -> Result<&'static str> {
    let mut roots: Vec<ObjectRef> = Vec::new();
    for o in &d.objects {
        let Named::Named(_, n) = o else { continue };
        let oid = match find(what, &n.parts, cx) {
            Ok(oid) => oid,
            Err(e) if d.if_exists && matches!(e.code(), state::UNDEFINED_OBJECT | state::INVALID_SCHEMA_NAME) => {
                cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
                continue;
            }
            Err(e) => return Err(e),
        };
        let (schema, owner, name) = owned(what, oid, cx);
        cx.check_dropper(owner, schema, what.words(), &shown_name(&n.parts))?;
        if !is_users(what, oid, cx) {
            return Err(not_alone(what, oid, &name));
        }
        let object = ObjectRef::new(class(what), oid);
        if cx.lock_object(kind_of(what), oid, RowLock::Update)?.is_some() && !roots.contains(&object) {
            roots.push(object);
        }
    }
    let cascade = d.behavior == pamir_parse::tree::DropBehavior::Cascade;
    super::fall::drop(&roots, cascade, false, cx)?;
    Ok(match what {
        What::Config => "DROP TEXT SEARCH CONFIGURATION",
        What::Dictionary => "DROP TEXT SEARCH DICTIONARY",
        What::Parser => "DROP TEXT SEARCH PARSER",
        What::Template => "DROP TEXT SEARCH TEMPLATE",
    })
}
/// Why the server's own and extensions' objects are not dropped.
fn not_alone(what: What, oid: Oid, name: &str) -> Error {
    let (words, name) = (what.words(), pamir_catalog::defs::quote_ident(name));
    if matches!(oid, ts::UNACCENT | ts::UNACCENT_DICTIONARY) {
        return err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop {words} {name} because extension unaccent requires it"
        )
        .hint("You can drop extension unaccent instead.");
    }
    err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop {words} {name} because it is required by the database system")
}
/// As messages call an object that something depends on.
pub fn described(o: ObjectRef, cx: &DdlCtx) -> String {
    let what = match o.class {
        Class::TsConfig => What::Config,
        Class::TsDictionary => What::Dictionary,
        _ => What::Template,
    };
    let name = cx.catalog.ts_name(cx.env.scope(), what, o.oid).unwrap_or_default();
    format!("{} {name}", what.words())
}
/// The configurations that have a dictionary, the dictionaries that are of a template.
pub fn users_of(on: ObjectRef, cx: &DdlCtx) -> Vec<ObjectRef> {
    let (c, db) = (&cx.catalog, cx.database());
    match on.class {
        Class::TsDictionary => {
            let has = |x: &&&Arc<Config>| x.map.iter().any(|m| m.1.contains(&on.oid));
            c.ts_configs(db).iter().filter(has).map(|x| ObjectRef::new(Class::TsConfig, x.oid)).collect()
        }
        Class::TsTemplate => {
            let of = c.ts_dictionaries(db).into_iter().filter(|d| d.template == on.oid);
            of.map(|d| ObjectRef::new(Class::TsDictionary, d.oid)).collect()
        }
        _ => Vec::new(),
    }
}
/// Does a stored text name it?
pub fn is_named_in(on: ObjectRef, text: &str) -> bool {
    let what = if on.class == Class::TsConfig { What::Config } else { What::Dictionary };
    named_in(text).contains(&(what, on.oid))
}
/// What a role owns in a database.
pub fn owned_by(role: Oid, db: Oid, cx: &DdlCtx) -> Vec<(What, Oid)> {
    let c = &cx.catalog;
    let configs = c.ts_configs(db).into_iter().filter(|c| c.owner == role).map(|c| (What::Config, c.oid));
    let dictionaries = c.ts_dictionaries(db).into_iter().filter(|d| d.owner == role);
    configs.chain(dictionaries.map(|d| (What::Dictionary, d.oid))).collect()
}
/// Tells of a configuration that a kept setting names and that is not there; true: it has told.
pub fn tell_missing(name: &str, cx: &mut DdlCtx) -> bool {
    let found = split_name(name).and_then(|parts| find(What::Config, &parts, cx));
    if let Err(e) = found {
        cx.notice(state::UNDEFINED_OBJECT, e.message().to_string());
        return true;
    }
    false
}
