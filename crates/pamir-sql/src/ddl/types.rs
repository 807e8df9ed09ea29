//! CREATE, ALTER, DROP of types: enums and composite types, and what all kinds of types have: names, schemas, owners, comments. Domains' own
//! business is [`super::domain`]'s.
//!
//! ```text
//!   CREATE TYPE mood AS ENUM (...)      lock schema row (KEY SHARE); names [Type, schema, "mood"], of a composite type [Relation, ...] too
//!   column of type mood                 lock the type's row (KEY SHARE), so that DROP TYPE (UPDATE) waits and then finds the column
//! ```
//! What depends on a type is found by a walk over the database's tables and types ([`super::web`]).
//!
//! Limits: attributes of composite types that columns have cannot get another type (as in PostgreSQL).
use super::cx::{Name, Space, shown_name};
use super::{DdlCtx, alter, column};
use pamir_catalog::acl::{self, Who};
use pamir_catalog::depend::{Class, ObjectRef};
use pamir_catalog::types::{Body, Composite, Enum, Field, Label, UserType};
use pamir_catalog::{Kind, Object};
use pamir_parse::tree::{
    self, AlterAttribute, At, ColumnDefinition, ColumnType, DropBehavior, ObjectKind, QualifiedName, TypeDefinition,
    TypeName,
};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::oid::{self, UserClass};
use pamir_types::text::MAX_NAME;
use pamir_types::{Error, Oid, Result, Type, bail, err};
use std::sync::Arc;

pub fn create(name: &QualifiedName, definition: &TypeDefinition, cx: &mut DdlCtx) -> Result<&'static str> {
    match definition {
        TypeDefinition::Enum(labels) => create_enum(name, labels, cx)?,
        TypeDefinition::Composite(columns) => create_composite(name, columns, cx)?,
        TypeDefinition::Range(options) => super::range_type::create(name, options, cx)?,
        TypeDefinition::Shell | TypeDefinition::Base(_) => return Err(Error::unsupported("CREATE TYPE of base types")),
    }
    Ok("CREATE TYPE")
}

/// The OID of a new type of a class.
pub fn new_type_oid(class: UserClass, cx: &DdlCtx) -> Result<Oid> {
    oid::user_type(class, cx.new_oid()?).ok_or_else(|| err!(PROGRAM_LIMIT_EXCEEDED, "out of type identifiers"))
}
/// The schema and the name of a new type, which no type and no table has.
pub fn new_name(name: &QualifiedName, cx: &mut DdlCtx) -> Result<(Oid, String)> {
    let (schema, name) = cx.creation_name(&name.parts)?;
    check_free(schema, &name, cx)?;
    Ok((schema, name))
}
pub(super) fn check_free(schema: Oid, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let own = Name { space: Space::Type, parent: schema, name: name.into() };
    if cx.name_taken(&own)? || cx.catalog.named_type_in(schema, name).is_some() {
        return Err(own.taken());
    }
    Ok(())
}
/// 42P07, or 42710 for its type, where the new name of a relation is taken; `typed`: it has a row type.
pub fn check_relation_name(schema: Oid, name: &str, typed: bool, cx: &mut DdlCtx) -> Result<()> {
    let own = Name::relation(schema, name);
    if cx.name_taken(&own)? {
        return Err(own.taken());
    }
    if typed { check_free(schema, name, cx) } else { Ok(()) }
}
/// The same where something comes to another schema with its name.
pub fn check_move(name: &Name, schema: &str, cx: &mut DdlCtx) -> Result<()> {
    let of_relation = name.space == Space::Type && cx.catalog.named_type_in(name.parent, &name.name).is_some();
    if !cx.name_taken(name)? && !of_relation {
        return Ok(());
    }
    let e = name.taken();
    Err(Error::new(e.code(), format!("{} in schema \"{schema}\"", e.message())))
}
/// 42710 where a new table would have the name of a type.
pub fn check_table_name(schema: Oid, name: &str, cx: &mut DdlCtx) -> Result<()> {
    let own = Name { space: Space::Type, parent: schema, name: name.into() };
    if !cx.name_taken(&own)? {
        return Ok(());
    }
    Err(own.taken().hint(
        "A relation has an associated type of the same name, so you must use a name that doesn't conflict with any existing type.",
    ))
}
pub fn put_new(oid: Oid, schema: Oid, name: String, body: Body, cx: &mut DdlCtx) -> Result<()> {
    let (database, owner) = (cx.database(), cx.user()?.oid);
    let t = UserType { oid, database, schema, name, owner, comment: None, body, cache: Default::default() };
    cx.put(Object::Type(Arc::new(t)))
}

fn check_label(label: &str) -> Result<()> {
    if label.len() > MAX_NAME {
        return Err(err!(INVALID_NAME, "invalid enum label \"{label}\"")
            .detail(format!("Labels must be {MAX_NAME} bytes or less.")));
    }
    Ok(())
}
fn create_enum(name: &QualifiedName, labels: &[String], cx: &mut DdlCtx) -> Result<()> {
    let (schema, name) = new_name(name, cx)?;
    let oid = new_type_oid(UserClass::Enum, cx)?;
    let mut list = Vec::with_capacity(labels.len());
    let mut seen = std::collections::BTreeSet::new();
    for l in labels {
        check_label(l)?;
        if !seen.insert(l.as_str()) {
            return Err(err!(
                UNIQUE_VIOLATION,
                "duplicate key value violates unique constraint \"pg_enum_typid_label_index\""
            )
            .detail(format!("Key (enumtypid, enumlabel)=({oid}, {l}) already exists."))
            .table("pg_catalog", "pg_enum")
            .constraint("pg_enum_typid_label_index"));
        }
        list.push((cx.new_oid()?, l.clone()));
    }
    put_new(oid, schema, name, Body::Enum(Enum::new(list)), cx)
}
fn create_composite(name: &QualifiedName, columns: &[ColumnType], cx: &mut DdlCtx) -> Result<()> {
    // As a type first, then as a relation.
    let (schema, name) = new_name(name, cx)?;
    let relation = Name::relation(schema, &name);
    if cx.name_taken(&relation)? {
        return Err(relation.taken());
    }
    let mut fields: Vec<Field> = Vec::with_capacity(columns.len());
    for c in columns {
        let f = new_field(c, fields.len() as i16 + 1, cx)?;
        if fields.iter().any(|x| x.name == f.name) {
            bail!(DUPLICATE_COLUMN, "column \"{}\" specified more than once", f.name);
        }
        fields.push(f);
    }
    let oid = new_type_oid(UserClass::Composite, cx)?;
    put_new(oid, schema, name, Body::Composite(Composite { relation: cx.new_oid()?, fields }), cx)
}
fn new_field(c: &ColumnType, attnum: i16, cx: &mut DdlCtx) -> Result<Field> {
    let ty = column::type_of(&c.name, &c.ty, cx)?;
    let collation = attribute_collation(c.collation.as_ref().map(|n| n.parts.as_slice()), ty)?;
    hold(ty, cx)?;
    Ok(Field { attnum, name: c.name.clone(), ty, comment: None, collation })
}
/// The collation that is written for an attribute.
fn attribute_collation(name: Option<&[String]>, ty: Type) -> Result<Option<Oid>> {
    name.map(|n| column::collation(n, ty)).transpose()
}

/// Keeps a type from being dropped while something that has it is made.
pub fn hold(ty: Type, cx: &mut DdlCtx) -> Result<()> {
    let one = oid::element_of(ty.oid).unwrap_or(ty.oid);
    match oid::user_class(one) {
        None => return Ok(()),
        Some(UserClass::Row) => {
            let table = oid::user_number(one);
            if cx.catalog.table(table).is_none_or(|t| t.is_temporary()) {
                return Err(Error::unsupported("columns of this relation's row type"));
            }
            cx.lock_table(table, pamir_txn::TableLock::AccessShare)?;
            return Ok(());
        }
        Some(_) => {}
    }
    check_usage(one, cx)?;
    match cx.lock_object(Kind::Type, one, RowLock::KeyShare)? {
        Some(_) => Ok(()),
        None => bail!(UNDEFINED_OBJECT, "type with OID {one} does not exist"),
    }
}

// ---- finding ----

/// What a type's name finds: 42704 where nothing.
pub fn find(parts: &[String], cx: &DdlCtx) -> Result<Oid> {
    let (schema, name) = cx.split(parts)?;
    let missing = || err!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown_name(parts));
    if let Some(s) = &schema
        && cx.catalog.schema_by_name(cx.database(), s).is_none()
    {
        bail!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist");
    }
    if schema.as_deref().is_none_or(|s| s == "pg_catalog")
        && let Some(t) = pamir_expr::func::type_by_name(&name)
    {
        return Ok(t);
    }
    cx.catalog.find_type(cx.env.scope(), schema.as_deref(), &name)?.ok_or_else(missing)
}
/// A type that GRANT ON TYPE or ON DOMAIN names.
pub fn granted(kind: ObjectKind, parts: &[String], cx: &mut DdlCtx) -> Result<Arc<UserType>> {
    let oid = find(parts, cx)?;
    let named = pamir_types::text::type_named(oid);
    if oid::element_of(oid).is_some() {
        return Err(err!(INVALID_GRANT_OPERATION, "cannot set privileges of array types")
            .hint("Set the privileges of the element type instead."));
    }
    if kind == ObjectKind::Domain && !oid::is_domain(oid) {
        bail!(WRONG_OBJECT_TYPE, "\"{}\" is not a domain", parts.last().map_or("", |n| n));
    }
    match cx.catalog.user_type(oid) {
        Some(t) => Ok(t.clone()),
        None => Err(Error::unsupported(format!("GRANT ON TYPE {named}"))),
    }
}
/// 42501 where the user may not make anything of the type.
pub fn check_usage(ty: Oid, cx: &DdlCtx) -> Result<()> {
    let one = oid::element_of(ty).unwrap_or(ty);
    let Some(t) = cx.catalog.user_type(one) else { return Ok(()) };
    let who = Who::new(cx.catalog, cx.user()?.oid, cx.database());
    if who.on(cx.catalog, acl::ObjectKind::Type, t.oid, t.owner, acl::USAGE, false) == 0 {
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for type {}", pamir_types::text::type_named(t.oid));
    }
    Ok(())
}
/// A user's type for ALTER, with its row locked; refuses what is no type of its own.
fn open(parts: &[String], lock: RowLock, cx: &mut DdlCtx) -> Result<Arc<UserType>> {
    let oid = find(parts, cx)?;
    let named = pamir_types::text::type_named(oid);
    match oid::user_class(oid) {
        Some(UserClass::Row) => {
            return Err(err!(WRONG_OBJECT_TYPE, "{named} is a table's row type").hint("Use ALTER TABLE instead."));
        }
        None if oid::is_user(oid) => {
            let e = pamir_types::text::type_named(oid & !1);
            return Err(err!(WRONG_OBJECT_TYPE, "cannot alter array type {named}")
                .hint(format!("You can alter type {e}, which will alter the array type as well.")));
        }
        None => bail!(INSUFFICIENT_PRIVILEGE, "must be owner of type {named}"),
        Some(_) => {}
    }
    let Some(t) = cx.catalog.user_type(oid).cloned() else {
        bail!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown_name(parts))
    };
    cx.check_owner(t.owner, "type", &named)?;
    match cx.lock_object(Kind::Type, oid, lock)? {
        Some(Object::Type(t)) => Ok(t),
        _ => bail!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown_name(parts)),
    }
}
/// For ALTER TYPE or ALTER DOMAIN: 42809 where the second does not name a domain.
pub fn open_as(kind: ObjectKind, parts: &[String], cx: &mut DdlCtx) -> Result<Arc<UserType>> {
    if kind == ObjectKind::Domain {
        let oid = find(parts, cx)?;
        if !oid::is_domain(oid) {
            bail!(WRONG_OBJECT_TYPE, "{} is not a domain", pamir_types::text::type_named(oid));
        }
    }
    open(parts, RowLock::Update, cx)
}
pub fn put(t: UserType, cx: &mut DdlCtx) -> Result<()> {
    cx.put(Object::Type(Arc::new(UserType { cache: Default::default(), ..t })))
}
fn tag(kind: ObjectKind) -> &'static str {
    if kind == ObjectKind::Domain { "ALTER DOMAIN" } else { "ALTER TYPE" }
}

// ---- names, schemas, owners, comments ----

pub fn rename(kind: ObjectKind, parts: &[String], to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = open_as(kind, parts, cx)?;
    cx.check_create_in(t.schema)?;
    if let Body::Composite(_) = t.body {
        let relation = Name::relation(t.schema, to);
        if cx.name_taken(&relation)? {
            return Err(relation.taken());
        }
    }
    check_free(t.schema, to, cx)?;
    put(UserType { name: to.into(), ..(*t).clone() }, cx)?;
    Ok(tag(kind))
}
pub fn set_schema(kind: ObjectKind, parts: &[String], schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = open_as(kind, parts, cx)?;
    let Some(to) = cx.catalog.schema_by_name(cx.database(), schema).map(|s| s.oid) else {
        bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
    };
    if to == t.schema {
        return Ok(tag(kind));
    }
    cx.use_schema(to, &t.name)?;
    check_move(&Name { space: Space::Type, parent: to, name: t.name.clone() }, schema, cx)?;
    if let Body::Composite(_) = t.body {
        check_move(&Name::relation(to, &t.name), schema, cx)?;
    }
    put(UserType { schema: to, ..(*t).clone() }, cx)?;
    Ok(tag(kind))
}
pub fn set_owner(kind: ObjectKind, parts: &[String], owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    let t = open_as(kind, parts, cx)?;
    cx.check_new_owner(owner, Some(t.schema))?;
    put(UserType { owner, ..(*t).clone() }, cx)?;
    Ok(tag(kind))
}
pub fn comment(kind: ObjectKind, t: &TypeName, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    let t = open_as(kind, &t.parts, cx)?;
    put(UserType { comment: text, ..(*t).clone() }, cx)
}
/// COMMENT ON COLUMN of a composite type; false: there is none of that name.
pub fn comment_attribute(parts: &[String], column: &str, text: &Option<String>, cx: &mut DdlCtx) -> Result<bool> {
    let (schema, name) = cx.split(parts)?;
    let found = cx.catalog.find_type(cx.env.scope(), schema.as_deref(), &name)?;
    if found.is_none_or(|t| cx.catalog.composite_of(t).is_none()) {
        return Ok(false);
    }
    let (t, mut c) = open_composite(parts, cx)?;
    let Some(f) = c.fields.iter_mut().find(|f| f.name == column) else {
        bail!(UNDEFINED_COLUMN, "column \"{column}\" of relation \"{}\" does not exist", t.name)
    };
    f.comment = text.clone();
    put(UserType { body: Body::Composite(c), ..(*t).clone() }, cx)?;
    Ok(true)
}

// ---- enums ----

fn open_enum(name: &QualifiedName, cx: &mut DdlCtx) -> Result<(Arc<UserType>, Enum)> {
    let oid = find(&name.parts, cx)?;
    if !oid::is_enum(oid) {
        bail!(WRONG_OBJECT_TYPE, "{} is not an enum", pamir_types::text::type_named(oid));
    }
    let t = open(&name.parts, RowLock::Update, cx)?;
    match &t.body {
        Body::Enum(e) => Ok((t.clone(), e.clone())),
        _ => Err(Error::internal("an enum's OID is of another type")),
    }
}
fn position(e: &Enum, label: &str) -> Result<usize> {
    let at = e.labels.iter().position(|l| l.name == label);
    at.ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "\"{label}\" is not an existing enum label"))
}
pub fn add_value(
    name: &QualifiedName,
    if_not_exists: bool,
    value: &str,
    neighbour: Option<&(bool, String)>,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (t, mut e) = open_enum(name, cx)?;
    check_label(value)?;
    if e.named(value).is_some() {
        let x = err!(DUPLICATE_OBJECT, "enum label \"{value}\" already exists");
        if !if_not_exists {
            return Err(x);
        }
        cx.notice_exists(&x);
        return Ok("ALTER TYPE");
    }
    let at = match neighbour {
        None => e.labels.len(),
        Some((before, n)) => position(&e, n)? + usize::from(!before),
    };
    let Some(order) = e.place(at) else {
        bail!(PROGRAM_LIMIT_EXCEEDED, "no room for another label at this place of the enum")
    };
    let label = cx.new_oid()?;
    e.labels.insert(at, Label { oid: label, order, name: value.into() });
    put(UserType { body: Body::Enum(e), ..(*t).clone() }, cx)?;
    Arc::make_mut(cx.catalog).new_labels.push(label);
    Ok("ALTER TYPE")
}
pub fn rename_value(name: &QualifiedName, from: &str, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    let (t, mut e) = open_enum(name, cx)?;
    check_label(to)?;
    let at = position(&e, from)?;
    if e.named(to).is_some() {
        bail!(DUPLICATE_OBJECT, "enum label \"{to}\" already exists");
    }
    e.labels[at].name = to.into();
    put(UserType { body: Body::Enum(e), ..(*t).clone() }, cx)?;
    Ok("ALTER TYPE")
}

// ---- composite types ----

fn open_composite(parts: &[String], cx: &mut DdlCtx) -> Result<(Arc<UserType>, Composite)> {
    let (schema, name) = cx.split(parts)?;
    let missing = || err!(UNDEFINED_TABLE, "relation \"{}\" does not exist", shown_name(parts));
    let found = cx.catalog.find_type(cx.env.scope(), schema.as_deref(), &name)?.ok_or_else(missing)?;
    match oid::user_class(found) {
        Some(UserClass::Composite) => {}
        Some(UserClass::Row) => bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a composite type"),
        _ => return Err(missing()),
    }
    let t = open(parts, RowLock::Update, cx)?;
    match &t.body {
        Body::Composite(c) => Ok((t.clone(), c.clone())),
        _ => Err(missing()),
    }
}
/// 0A000 where a column has values of the type, in whatever they are.
fn check_unused(t: &UserType, cx: &DdlCtx) -> Result<()> {
    if let Some((table, column)) = super::reshape::user(t.oid, t.database, cx.catalog) {
        bail!(FEATURE_NOT_SUPPORTED, "cannot alter type \"{}\" because column \"{table}.{column}\" uses it", t.name);
    }
    Ok(())
}
/// The tables of a type, which change with it; 2BP01 without CASCADE.
fn typed_tables(t: &UserType, behavior: DropBehavior, cx: &DdlCtx) -> Result<Vec<Oid>> {
    let all: Vec<Oid> =
        cx.catalog.tables(t.database).into_iter().filter(|x| x.of_type() == Some(t.oid)).map(|x| x.oid).collect();
    if !all.is_empty() && behavior != DropBehavior::Cascade {
        let e = err!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot alter type \"{}\" because it is the type of a typed table",
            t.name
        );
        return Err(e.hint("Use ALTER ... CASCADE to alter the typed tables too."));
    }
    Ok(all)
}
/// What is done to a type's attributes is done to the columns of its tables.
fn alter_typed(tables: &[Oid], commands: &[AlterAttribute], cx: &mut DdlCtx) -> Result<()> {
    use pamir_parse::tree::AlterTable as A;
    for oid in tables {
        cx.lock_table(*oid, pamir_txn::TableLock::AccessExclusive)?;
        for command in commands {
            let action = match command.clone() {
                AlterAttribute::Add(c, _) => A::AddColumn {
                    if_not_exists: false,
                    column: ColumnDefinition {
                        name: c.name,
                        ty: Some(c.ty),
                        compression: None,
                        options: Vec::new(),
                        collation: c.collation,
                        constraints: Vec::new(),
                        at: At::NOWHERE,
                    },
                },
                AlterAttribute::Drop { name, behavior, .. } => A::DropColumn { name, if_exists: true, behavior },
                AlterAttribute::Type { name, ty, collation, .. } => {
                    A::Type { column: name, ty, collation, using: None, at: At::NOWHERE }
                }
            };
            alter::action(*oid, &action, cx)?;
        }
    }
    Ok(())
}
pub fn alter_attributes(name: &QualifiedName, commands: &[AlterAttribute], cx: &mut DdlCtx) -> Result<&'static str> {
    let (t, mut c) = open_composite(&name.parts, cx)?;
    let (before, old) = (cx.catalog.clone(), c.clone());
    let missing = |c: &str| err!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{}\" does not exist", t.name);
    let mut typed = Vec::new();
    for command in commands {
        let (AlterAttribute::Add(_, behavior)
        | AlterAttribute::Drop { behavior, .. }
        | AlterAttribute::Type { behavior, .. }) = command;
        typed = typed_tables(&t, *behavior, cx)?;
        match command {
            AlterAttribute::Add(column, _) => {
                if c.field(&column.name).is_some() {
                    bail!(DUPLICATE_COLUMN, "column \"{}\" of relation \"{}\" already exists", column.name, t.name);
                }
                let attnum = c.fields.iter().chain(&old.fields).map(|f| f.attnum).max().unwrap_or(0) + 1;
                let f = new_field(column, attnum, cx)?;
                if super::reshape::holds(cx.catalog, f.ty.oid, t.oid) {
                    bail!(INVALID_TABLE_DEFINITION, "composite type {} cannot be made a member of itself", t.name);
                }
                c.fields.push(f);
            }
            AlterAttribute::Drop { name, if_exists, .. } => {
                if c.field(name).is_none() {
                    if !if_exists {
                        return Err(missing(name));
                    }
                    cx.notice(
                        state::SUCCESSFUL_COMPLETION,
                        format!("column \"{name}\" of relation \"{}\" does not exist, skipping", t.name),
                    );
                }
                c.fields.retain(|f| f.name != *name);
            }
            AlterAttribute::Type { name, ty, collation, .. } => {
                check_unused(&t, cx)?;
                let to = column::type_of(name, ty, cx)?;
                let collation = attribute_collation(collation.as_ref().map(|n| n.parts.as_slice()), to)?;
                hold(to, cx)?;
                match c.fields.iter_mut().find(|f| f.name == *name) {
                    Some(f) => (f.ty, f.collation) = (to, collation),
                    None => return Err(missing(name)),
                }
            }
        }
    }
    put(UserType { body: Body::Composite(c.clone()), ..(*t).clone() }, cx)?;
    super::reshape::reshape(t.oid, &old, &c, &before, cx)?;
    alter_typed(&typed, commands, cx)?;
    Ok("ALTER TYPE")
}
pub fn rename_attribute(
    parts: &[String],
    (from, to): (&str, &str),
    behavior: DropBehavior,
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let (t, mut c) = open_composite(parts, cx)?;
    for table in typed_tables(&t, behavior, cx)? {
        cx.lock_table(table, pamir_txn::TableLock::AccessExclusive)?;
        alter::rename_typed(table, from, to, cx)?;
    }
    if c.field(from).is_none() {
        bail!(UNDEFINED_COLUMN, "column \"{from}\" does not exist");
    }
    if c.field(to).is_some() {
        bail!(DUPLICATE_COLUMN, "column \"{to}\" of relation \"{}\" already exists", t.name);
    }
    let readers = super::reshape::Readers::of(from, cx)?;
    c.fields.iter_mut().filter(|f| f.name == from).for_each(|f| f.name = to.into());
    put(UserType { body: Body::Composite(c), ..(*t).clone() }, cx)?;
    readers.write(cx)?;
    Ok("ALTER TYPE")
}

// ---- DROP ----

pub fn drop(
    kind: ObjectKind,
    names: &[&TypeName],
    if_exists: bool,
    behavior: DropBehavior,
    cx: &mut DdlCtx,
) -> Result<()> {
    let cascade = behavior == DropBehavior::Cascade;
    let mut going: Vec<Oid> = Vec::new();
    for n in names {
        if let Some(t) = find_to_drop(kind, n, if_exists, cx)?
            && !going.contains(&t)
        {
            going.push(t);
        }
    }
    let roots: Vec<ObjectRef> = going.into_iter().map(|t| ObjectRef::new(Class::Type, t)).collect();
    super::fall::drop(&roots, cascade, false, cx)
}
fn find_to_drop(kind: ObjectKind, n: &TypeName, if_exists: bool, cx: &mut DdlCtx) -> Result<Option<Oid>> {
    let shown = format!("{}{}", shown_name(&n.parts), if n.array.is_empty() { "" } else { "[]" });
    let found = match pamir_plan::bind::bind_type(n, cx.catalog, cx.env.scope()) {
        Ok(t) => t.oid,
        Err(e) if e.code() == state::UNDEFINED_OBJECT || e.code() == state::INVALID_SCHEMA_NAME => {
            let e = if e.code() == state::UNDEFINED_OBJECT {
                err!(UNDEFINED_OBJECT, "type \"{shown}\" does not exist")
            } else {
                e
            };
            if !if_exists {
                return Err(e);
            }
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            return Ok(None);
        }
        Err(e) => return Err(e),
    };
    if kind == ObjectKind::Domain && !oid::is_domain(found) {
        bail!(WRONG_OBJECT_TYPE, "\"{shown}\" is not a domain");
    }
    let named = pamir_types::text::type_named(found);
    let requires = |by: String, instead: String| {
        err!(DEPENDENT_OBJECTS_STILL_EXIST, "cannot drop type {named} because {by} requires it")
            .hint(format!("You can drop {instead} instead."))
    };
    match oid::user_class(found) {
        Some(UserClass::Row) => {
            let table = format!("table {}", cx.shown(oid::user_number(found)));
            return Err(requires(table.clone(), table));
        }
        Some(UserClass::Multirange) => {
            let e = format!("type {}", pamir_types::text::type_named(oid::range_of_multirange(found).unwrap_or(0)));
            return Err(requires(e.clone(), e));
        }
        None if oid::is_user(found) => {
            let e = format!("type {}", pamir_types::text::type_named(found & !1));
            return Err(requires(e.clone(), e));
        }
        None => bail!(
            DEPENDENT_OBJECTS_STILL_EXIST,
            "cannot drop type {} because it is required by the database system",
            pamir_types::text::type_display(Type::new(found))
        ),
        Some(_) => {}
    }
    let Some(t) = cx.catalog.user_type(found).cloned() else { return Ok(None) };
    cx.check_dropper(t.owner, t.schema, "type", &named)?;
    Ok(cx.lock_object(Kind::Type, found, RowLock::Update)?.map(|_| found))
}
/// The parts of a type's name as ALTER has it.
pub fn parts(o: &tree::Object) -> Option<(ObjectKind, &[String])> {
    match o {
        tree::Object::Named(k @ (ObjectKind::Type | ObjectKind::Domain), n) => Some((*k, &n.parts)),
        tree::Object::Type(k, t) => Some((*k, &t.parts)),
        _ => None,
    }
}
