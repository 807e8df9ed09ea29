//! ALTER ... RENAME TO, SET SCHEMA, OWNER TO: of whatever has a name, a schema, an owner. What is done to tables and indexes is [`super::alter`]'s.
use super::cx::one_name;
use super::{
    DdlCtx, alter, database, event_trigger, extended, large_object, matview, operator, role, routine, sequence,
    text_search, trigger, types,
};
use pamir_catalog::Relation;
use pamir_catalog::text_search::What;
use pamir_parse::tree::{Object, ObjectKind as Kind, RoleSpec};
use pamir_types::{Error, Result, bail};

pub fn rename(object: &Object, if_exists: bool, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    if let Some((kind, n)) = types::parts(object) {
        return types::rename(kind, n, to, cx);
    }
    match object {
        Object::Named(Kind::Table, n) => {
            alter::rename_relation(&n.parts, to, if_exists, cx)?;
            Ok("ALTER TABLE")
        }
        Object::Named(Kind::View, n) => {
            if let Some(r) = cx.resolve(&n.parts)?
                && !matches!(&r, Relation::Table(t) if t.plain_view().is_some())
            {
                let (_, name) = cx.split(&n.parts)?;
                bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a view");
            }
            alter::rename_relation(&n.parts, to, if_exists, cx)?;
            Ok("ALTER VIEW")
        }
        Object::Named(Kind::MaterializedView, n) => {
            if matview::open(&n.parts, if_exists, cx)?.is_some() {
                alter::rename_relation(&n.parts, to, if_exists, cx)?;
            }
            Ok("ALTER MATERIALIZED VIEW")
        }
        Object::Named(Kind::Index, n) => {
            alter::rename_relation(&n.parts, to, if_exists, cx)?;
            Ok("ALTER INDEX")
        }
        Object::Named(Kind::Sequence, n) => {
            if !matches!(cx.resolve(&n.parts)?, None | Some(Relation::Sequence(_))) {
                let (_, name) = cx.split(&n.parts)?;
                bail!(WRONG_OBJECT_TYPE, "\"{name}\" is not a sequence");
            }
            alter::rename_relation(&n.parts, to, if_exists, cx)?;
            Ok("ALTER SEQUENCE")
        }
        Object::Named(Kind::Schema, n) => database::rename_schema(&one_name(&n.parts)?, to, cx),
        Object::Named(Kind::Database, n) => database::rename_database(&one_name(&n.parts)?, to, cx),
        Object::Named(Kind::Role, n) => role::rename(&one_name(&n.parts)?, to, cx),
        Object::Named(Kind::Statistics, n) => extended::rename(&n.parts, to, cx),
        Object::Routine(kind, r) => routine::rename(*kind, r, to, cx),
        Object::Aggregate(r) => routine::rename(Kind::Aggregate, r, to, cx),
        Object::On { kind: Kind::Trigger, name, of, .. } => trigger::rename(name, of, to, cx),
        Object::Named(Kind::EventTrigger, n) => event_trigger::rename(&one_name(&n.parts)?, to, cx),
        Object::Named(kind, n) if text_search::what(*kind).is_some_and(is_made) => {
            text_search::rename(made(*kind), &n.parts, to, cx)
        }
        other => Err(absent(other)),
    }
}
pub fn set_schema(object: &Object, if_exists: bool, schema: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    if let Some((kind, n)) = types::parts(object) {
        return types::set_schema(kind, n, schema, cx);
    }
    match object {
        // ALTER TABLE takes a sequence too.
        Object::Named(Kind::Table, n) => {
            match cx.resolve(&n.parts)? {
                Some(Relation::Sequence(_)) => sequence::set_schema(&n.parts, if_exists, schema, cx)?,
                _ => alter::set_schema(&n.parts, schema, if_exists, cx)?,
            }
            Ok("ALTER TABLE")
        }
        Object::Named(Kind::View, n) => {
            alter::set_schema(&n.parts, schema, if_exists, cx)?;
            Ok("ALTER VIEW")
        }
        Object::Named(Kind::MaterializedView, n) => {
            if matview::open(&n.parts, if_exists, cx)?.is_some() {
                alter::set_schema(&n.parts, schema, if_exists, cx)?;
            }
            Ok("ALTER MATERIALIZED VIEW")
        }
        Object::Named(Kind::Sequence, n) => {
            sequence::set_schema(&n.parts, if_exists, schema, cx)?;
            Ok("ALTER SEQUENCE")
        }
        Object::Named(Kind::Statistics, n) => extended::set_schema(&n.parts, schema, cx),
        Object::Routine(kind, r) => routine::set_schema(*kind, r, schema, cx),
        Object::Aggregate(r) => routine::set_schema(Kind::Aggregate, r, schema, cx),
        Object::Operator(r) => operator::set_schema(r, schema, cx),
        Object::Named(kind, n) if text_search::what(*kind).is_some_and(is_made) => {
            text_search::set_schema(made(*kind), &n.parts, schema, cx)
        }
        other => Err(absent(other)),
    }
}
pub fn owner(object: &Object, to: &RoleSpec, cx: &mut DdlCtx) -> Result<&'static str> {
    let owner = cx.owner_from(to)?;
    if let Some((kind, n)) = types::parts(object) {
        return types::set_owner(kind, n, owner, cx);
    }
    match object {
        Object::Named(Kind::Sequence, n) => {
            sequence::set_owner(&n.parts, owner, cx)?;
            Ok("ALTER SEQUENCE")
        }
        Object::Named(Kind::Schema, n) => database::schema_owner(&one_name(&n.parts)?, owner, cx),
        Object::Named(Kind::Database, n) => database::database_owner(&one_name(&n.parts)?, owner, cx),
        Object::Named(Kind::Statistics, n) => extended::set_owner(&n.parts, owner, cx),
        Object::Routine(kind, r) => routine::set_owner(*kind, r, owner, cx),
        Object::Aggregate(r) => routine::set_owner(Kind::Aggregate, r, owner, cx),
        Object::Operator(r) => operator::set_owner(r, owner, cx),
        Object::LargeObject(v) => large_object::set_owner(v, owner, cx),
        Object::Named(Kind::EventTrigger, n) => event_trigger::set_owner(&one_name(&n.parts)?, owner, cx),
        Object::Named(kind, n) if text_search::what(*kind).is_some_and(is_made) => {
            text_search::set_owner(made(*kind), &n.parts, owner, cx)
        }
        other => Err(absent(other)),
    }
}
/// Is it of what users make?
fn is_made(what: What) -> bool {
    matches!(what, What::Config | What::Dictionary)
}
fn made(kind: Kind) -> What {
    text_search::what(kind).unwrap_or(What::Config)
}
fn absent(object: &Object) -> Error {
    Error::unsupported(format!("ALTER {}", object.kind().words()))
}
