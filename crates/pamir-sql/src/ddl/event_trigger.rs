//! CREATE, ALTER and DROP EVENT TRIGGER (event_trigger.c). What fires them: `session/functions/event_trigger.rs`.
use super::cx::{Name, Space};
use super::{DdlCtx, trigger};
use pamir_catalog::trigger::{Enabled, EventTrigger};
use pamir_catalog::{Kind, Object};
use pamir_parse::tree::{FireMode, ObjectKind, Statement};
use pamir_txn::RowLock;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail, err, oid};
use std::sync::Arc;

/// What is in no database, or not by itself.
const WITHOUT: [&str; 5] = ["DATABASE", "ROLE", "TABLESPACE", "EVENT TRIGGER", "SYSTEM"];
/// What CREATE, ALTER and DROP are followed by in tags that may be waited for.
const KINDS: [&str; 38] = [
    "ACCESS METHOD",
    "AGGREGATE",
    "CAST",
    "COLLATION",
    "CONSTRAINT",
    "CONVERSION",
    "DEFAULT PRIVILEGES",
    "DOMAIN",
    "EXTENSION",
    "FOREIGN DATA WRAPPER",
    "FOREIGN TABLE",
    "FUNCTION",
    "INDEX",
    "LANGUAGE",
    "LARGE OBJECT",
    "MATERIALIZED VIEW",
    "OPERATOR",
    "OPERATOR CLASS",
    "OPERATOR FAMILY",
    "OWNED",
    "POLICY",
    "PROCEDURE",
    "PUBLICATION",
    "ROUTINE",
    "RULE",
    "SCHEMA",
    "SEQUENCE",
    "SERVER",
    "STATISTICS",
    "SUBSCRIPTION",
    "TABLE",
    "TABLE AS",
    "TEXT SEARCH CONFIGURATION",
    "TEXT SEARCH DICTIONARY",
    "TRANSFORM",
    "TRIGGER",
    "TYPE",
    "VIEW",
];
/// Other tags that may be.
const OTHERS: [&str; 9] = [
    "COMMENT",
    "GRANT",
    "IMPORT FOREIGN SCHEMA",
    "REFRESH MATERIALIZED VIEW",
    "REVOKE",
    "SECURITY LABEL",
    "SELECT INTO",
    "ALTER USER MAPPING",
    "CREATE USER MAPPING",
];
/// Tags of statements that have no event triggers.
const NONE: [&str; 22] = [
    "ANALYZE",
    "BEGIN",
    "CALL",
    "CHECKPOINT",
    "CLUSTER",
    "COMMIT",
    "COPY",
    "DELETE",
    "DO",
    "EXPLAIN",
    "INSERT",
    "LISTEN",
    "LOCK TABLE",
    "MERGE",
    "NOTIFY",
    "REINDEX",
    "ROLLBACK",
    "SELECT",
    "SET",
    "TRUNCATE TABLE",
    "UPDATE",
    "VACUUM",
];
fn kind_of(tag: &str) -> Option<&str> {
    ["CREATE ", "ALTER ", "DROP "].iter().find_map(|w| tag.strip_prefix(w))
}
fn is_fit(tag: &str) -> bool {
    OTHERS.contains(&tag) || kind_of(tag).is_some_and(|k| KINDS.contains(&k))
}
/// Do event triggers fire for a statement?
pub fn supports(s: &Statement) -> bool {
    let global = |k: ObjectKind| {
        use ObjectKind::*;
        matches!(k, Database | Role | Tablespace | EventTrigger | Parameter)
    };
    match s {
        Statement::Comment(c) => !global(c.on.kind()),
        s => is_fit(s.tag()),
    }
}
fn tags(filters: &[(String, Vec<String>)]) -> Result<Vec<String>> {
    let mut out = Vec::new();
    for (i, (variable, values)) in filters.iter().enumerate() {
        if variable != "tag" {
            bail!(SYNTAX_ERROR, "unrecognized filter variable \"{variable}\"");
        }
        if i > 0 {
            bail!(SYNTAX_ERROR, "filter variable \"{variable}\" specified more than once");
        }
        for v in values {
            let tag = v.to_ascii_uppercase();
            if is_fit(&tag) {
                out.push(tag);
            } else if NONE.contains(&&*tag) || kind_of(&tag).is_some_and(|k| WITHOUT.contains(&k)) {
                bail!(FEATURE_NOT_SUPPORTED, "event triggers are not supported for {v}");
            } else {
                bail!(SYNTAX_ERROR, "filter value \"{v}\" not recognized for filter variable \"{variable}\"");
            }
        }
    }
    Ok(out)
}
pub fn create(
    name: &str,
    event: &str,
    filters: &[(String, Vec<String>)],
    function: &[String],
    cx: &mut DdlCtx,
) -> Result<&'static str> {
    let user = cx.user()?;
    let owner = user.oid;
    if !user.superuser {
        return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to create event trigger \"{name}\"")
            .hint("Must be superuser to create an event trigger."));
    }
    match event {
        "ddl_command_start" | "ddl_command_end" => {}
        "sql_drop" | "table_rewrite" => return Err(Error::unsupported(format!("event triggers of {event}"))),
        _ => bail!(SYNTAX_ERROR, "unrecognized event name \"{event}\""),
    }
    let tags = tags(filters)?;
    let key = Name { space: Space::EventTrigger, parent: cx.database(), name: name.into() };
    if cx.name_taken(&key)? {
        return Err(key.taken());
    }
    let function = trigger::function(function, oid::EVENT_TRIGGER, "event_trigger", cx)?;
    let new = EventTrigger {
        oid: cx.new_oid()?,
        database: cx.database(),
        name: name.into(),
        owner,
        event: event.into(),
        function,
        enabled: Enabled::Origin,
        tags,
        comment: None,
    };
    cx.put(Object::EventTrigger(Arc::new(new)))?;
    Ok("CREATE EVENT TRIGGER")
}
fn find(name: &str, cx: &DdlCtx) -> Option<Arc<EventTrigger>> {
    cx.catalog.event_triggers(cx.database()).into_iter().find(|t| t.name == name).cloned()
}
fn missing(name: &str) -> Error {
    err!(UNDEFINED_OBJECT, "event trigger \"{name}\" does not exist")
}
/// One that is the user's, locked.
fn open(name: &str, cx: &mut DdlCtx) -> Result<EventTrigger> {
    let Some(t) = find(name, cx) else { return Err(missing(name)) };
    cx.check_owner(t.owner, "event trigger", name)?;
    match cx.lock_object(Kind::EventTrigger, t.oid, RowLock::Update)? {
        Some(Object::EventTrigger(t)) => Ok((*t).clone()),
        _ => Err(missing(name)),
    }
}
fn change(name: &str, cx: &mut DdlCtx, f: impl FnOnce(&mut EventTrigger)) -> Result<&'static str> {
    let mut t = open(name, cx)?;
    f(&mut t);
    cx.put(Object::EventTrigger(Arc::new(t)))?;
    Ok("ALTER EVENT TRIGGER")
}
pub fn enable(name: &str, mode: FireMode, cx: &mut DdlCtx) -> Result<&'static str> {
    change(name, cx, |t| t.enabled = trigger::enabled(mode))
}
pub fn rename(name: &str, to: &str, cx: &mut DdlCtx) -> Result<&'static str> {
    change(name, cx, |t| t.name = to.into())
}
pub fn set_owner(name: &str, owner: Oid, cx: &mut DdlCtx) -> Result<&'static str> {
    open(name, cx)?;
    if !cx.catalog.role(owner).is_some_and(|r| r.superuser) {
        return Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to change owner of event trigger \"{name}\"")
            .hint("The owner of an event trigger must be a superuser."));
    }
    change(name, cx, |t| t.owner = owner)
}
pub fn comment(name: &str, text: Option<String>, cx: &mut DdlCtx) -> Result<()> {
    change(name, cx, |t| t.comment = text).map(|_| ())
}
pub fn drop(names: impl Iterator<Item = Result<String>>, if_exists: bool, cx: &mut DdlCtx) -> Result<&'static str> {
    for name in names {
        let name = name?;
        if find(&name, cx).is_none() && if_exists {
            let e = missing(&name);
            cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
            continue;
        }
        let t = open(&name, cx)?;
        cx.remove(Kind::EventTrigger, t.oid)?;
    }
    Ok("DROP EVENT TRIGGER")
}
/// Removes those that roles own (DROP OWNED).
pub fn remove_of(roles: &[Oid], cx: &mut DdlCtx) -> Result<()> {
    let all = cx.catalog.event_triggers(cx.database());
    let all: Vec<Oid> = all.into_iter().filter(|t| roles.contains(&t.owner)).map(|t| t.oid).collect();
    all.into_iter().try_for_each(|t| cx.remove(Kind::EventTrigger, t))
}
