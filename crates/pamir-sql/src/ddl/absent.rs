//! DROP of what is not there: triggers of one's own are not built yet, so PostgreSQL's answer is that there is none of that name,
//! a notice where IF EXISTS asks for no more. Tools send these before they create anything.
use super::DdlCtx;
use super::cx::shown_name;
use pamir_parse::tree::{Drop, Object, ObjectKind as Kind, ParameterMode, QualifiedName, RoutineRef, TypeName};
use pamir_plan::bind::bind_type;
use pamir_types::error::state;
use pamir_types::text::type_display;
use pamir_types::{Error, Result, err};

/// The tags of what is known to be absent; None: it is not even known.
fn tag(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Collation => "DROP COLLATION",
        Kind::Function => "DROP FUNCTION",
        Kind::Procedure => "DROP PROCEDURE",
        Kind::Routine => "DROP ROUTINE",
        Kind::Aggregate => "DROP AGGREGATE",
        Kind::Trigger => "DROP TRIGGER",
        Kind::Rule => "DROP RULE",
        Kind::Policy => "DROP POLICY",
        _ => return None,
    })
}

pub fn drop(d: &Drop, cx: &mut DdlCtx) -> Result<&'static str> {
    let Some(tag) = tag(d.kind) else { return Err(Error::unsupported(format!("DROP {}", d.kind.words()))) };
    for o in &d.objects {
        one(d, o, cx)?;
    }
    Ok(tag)
}
/// Says that one of them is not there.
pub fn one(d: &Drop, o: &Object, cx: &mut DdlCtx) -> Result<()> {
    let tag = tag(d.kind).unwrap_or("DROP");
    let e = match o {
        Object::Named(_, n) => collation(n, d.if_exists, cx),
        Object::Routine(_, r) | Object::Aggregate(r) => routine(d.kind, d.if_exists, tag, r, cx)?,
        Object::On { kind, name, of, .. } => on_table(*kind, name, of, d.if_exists, cx)?,
        _ => return Err(Error::unsupported(tag)),
    };
    if !d.if_exists {
        return Err(e);
    }
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
    Ok(())
}
/// What is said of a routine that is not there.
pub fn no_routine(kind: Kind, r: &RoutineRef, cx: &DdlCtx) -> Result<Error> {
    routine(kind, false, "ALTER", r, cx)
}

/// What is said of a name whose schema does not exist.
fn no_schema(parts: &[String], cx: &DdlCtx) -> Option<Error> {
    match parts {
        [.., s, _] if cx.catalog.schema_of_relations(cx.database(), s).is_none() => {
            Some(err!(INVALID_SCHEMA_NAME, "schema \"{s}\" does not exist"))
        }
        _ => None,
    }
}
fn collation(n: &QualifiedName, if_exists: bool, cx: &DdlCtx) -> Error {
    let shown = shown_name(&n.parts);
    no_schema(&n.parts, cx).unwrap_or_else(|| {
        let encoding = if if_exists { "" } else { " for encoding \"UTF8\"" };
        err!(UNDEFINED_OBJECT, "collation \"{shown}\"{encoding} does not exist")
    })
}

/// A type's name as messages show it (TypeNameToString).
fn shown_type(t: &TypeName) -> String {
    let percent = if t.of_column { "%TYPE" } else { "" };
    let array = if t.array.is_empty() { "" } else { "[]" };
    format!("{}{percent}{array}", shown_name(&t.parts))
}
/// `e` is why there is no such type.
fn missing_type(t: &TypeName, e: Error, cx: &DdlCtx) -> Result<Error> {
    if e.code() != state::UNDEFINED_OBJECT && e.code() != state::INVALID_SCHEMA_NAME {
        return Err(e);
    }
    let missing = || err!(UNDEFINED_OBJECT, "type \"{}\" does not exist", shown_type(t));
    Ok(no_schema(&t.parts, cx).unwrap_or_else(missing))
}

fn routine(kind: Kind, if_exists: bool, tag: &str, r: &RoutineRef, cx: &DdlCtx) -> Result<Error> {
    let last = r.name.last().map_or("", String::as_str);
    if !pamir_expr::func::functions(last).is_empty() || !pamir_expr::func::aggregates(last).is_empty() {
        return Err(Error::unsupported(format!("{tag} of what is built in")));
    }
    let shown = shown_name(&r.name);
    if if_exists && let Some(e) = no_schema(&r.name, cx) {
        return Ok(e);
    }
    let mut types = Vec::new();
    for p in r.args.iter().flatten().filter(|p| p.mode != ParameterMode::Out) {
        match bind_type(&p.ty, cx.catalog, cx.env.scope()) {
            Ok(_) if if_exists => types.push(shown_type(&p.ty)),
            Ok(ty) => types.push(type_display(ty.base())),
            Err(e) => return missing_type(&p.ty, e, cx),
        }
    }
    // A notice shows the types as they were written.
    if if_exists {
        let word = kind.words().to_ascii_lowercase();
        return Ok(err!(UNDEFINED_FUNCTION, "{word} {shown}({}) does not exist", types.join(",")));
    }
    if let Some(e) = no_schema(&r.name, cx) {
        return Ok(e);
    }
    let (article, word) = match kind {
        Kind::Procedure => ("a", "procedure"),
        Kind::Aggregate => ("an", "aggregate"),
        _ => ("a", "function"),
    };
    Ok(match &r.args {
        None => err!(UNDEFINED_FUNCTION, "could not find {article} {word} named \"{shown}\""),
        Some(_) if types.is_empty() && kind == Kind::Aggregate => {
            err!(UNDEFINED_FUNCTION, "aggregate {shown}(*) does not exist")
        }
        Some(_) => err!(UNDEFINED_FUNCTION, "{word} {shown}({}) does not exist", types.join(", ")),
    })
}

/// A trigger, a rule, a policy.
fn on_table(kind: Kind, name: &str, of: &QualifiedName, if_exists: bool, cx: &DdlCtx) -> Result<Error> {
    let (schema, table) = cx.split(&of.parts)?;
    let shown = shown_name(&of.parts);
    if cx.catalog.resolve(cx.env.scope(), schema.as_deref(), &table)?.is_none() {
        let missing = || err!(UNDEFINED_TABLE, "relation \"{shown}\" does not exist");
        return Ok(no_schema(&of.parts, cx).unwrap_or_else(missing));
    }
    let word = kind.words().to_ascii_lowercase();
    Ok(if if_exists {
        err!(UNDEFINED_OBJECT, "{word} \"{name}\" for relation \"{shown}\" does not exist")
    } else {
        let of = if kind == Kind::Rule { "relation" } else { "table" };
        err!(UNDEFINED_OBJECT, "{word} \"{name}\" for {of} \"{table}\" does not exist")
    })
}
