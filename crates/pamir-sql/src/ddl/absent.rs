//! DROP of what cannot be there: types, domains, functions and triggers of one's own are not built yet, so PostgreSQL's answer is that there is none of that name,
//! a notice where IF EXISTS asks for no more. Tools send these before they create anything.
use super::DdlCtx;
use crate::catalog::Relation;
use pamir_types::error::state;
use pamir_types::{Error, Result, bail, err};

#[derive(Clone, PartialEq, Debug)]
pub struct DropAbsent {
    pub kind: AbsentKind,
    pub if_exists: bool,
    pub what: Vec<Absent>,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbsentKind {
    Domain,
    Function,
    Procedure,
    Routine,
    Aggregate,
    Trigger,
    Rule,
    Policy,
}
#[derive(Clone, PartialEq, Debug)]
pub struct Absent {
    /// Its parts, the schema first.
    pub name: Vec<String>,
    /// A function's, as written; None: none were.
    pub arguments: Option<String>,
    /// The table that a trigger, a rule or a policy is on.
    pub on: Option<Vec<String>>,
}

impl AbsentKind {
    /// As messages name it.
    fn word(self) -> &'static str {
        match self {
            AbsentKind::Domain => "type",
            AbsentKind::Function => "function",
            AbsentKind::Procedure => "procedure",
            AbsentKind::Routine => "routine",
            AbsentKind::Aggregate => "aggregate",
            AbsentKind::Trigger => "trigger",
            AbsentKind::Rule => "rule",
            AbsentKind::Policy => "policy",
        }
    }
    pub fn tag(self) -> &'static str {
        match self {
            AbsentKind::Domain => "DROP DOMAIN",
            AbsentKind::Function => "DROP FUNCTION",
            AbsentKind::Procedure => "DROP PROCEDURE",
            AbsentKind::Routine => "DROP ROUTINE",
            AbsentKind::Aggregate => "DROP AGGREGATE",
            AbsentKind::Trigger => "DROP TRIGGER",
            AbsentKind::Rule => "DROP RULE",
            AbsentKind::Policy => "DROP POLICY",
        }
    }
}

pub fn drop(d: &DropAbsent, cx: &mut DdlCtx) -> Result<&'static str> {
    for a in &d.what {
        let e = missing(d, a, cx)?;
        if !d.if_exists {
            return Err(e);
        }
        cx.notice(state::SUCCESSFUL_COMPLETION, format!("{}, skipping", e.message()));
    }
    Ok(d.kind.tag())
}
/// What is said of it; an error of its own where a name is something else.
fn missing(d: &DropAbsent, a: &Absent, cx: &DdlCtx) -> Result<Error> {
    let kind = d.kind;
    let (word, shown) = (kind.word(), a.name.join("."));
    let last = a.name.last().map_or("", String::as_str);
    if let Some(on) = &a.on {
        let (schema, table) = match on.as_slice() {
            [t] => (None, t.as_str()),
            [.., s, t] => (Some(s.as_str()), t.as_str()),
            [] => (None, ""),
        };
        return Ok(match cx.catalog.resolve(cx.env.scope(), schema, table)? {
            None => err!(UNDEFINED_TABLE, "relation \"{}\" does not exist", on.join(".")),
            Some(Relation::Table(t)) if kind == AbsentKind::Trigger && !d.if_exists => {
                err!(UNDEFINED_OBJECT, "trigger \"{last}\" for table \"{}\" does not exist", t.name)
            }
            Some(_) => err!(UNDEFINED_OBJECT, "{word} \"{last}\" for relation \"{table}\" does not exist"),
        });
    }
    Ok(match kind {
        AbsentKind::Domain => {
            if crate::func::type_by_name(last).is_some() {
                bail!(WRONG_OBJECT_TYPE, "\"{shown}\" is not a domain");
            }
            err!(UNDEFINED_OBJECT, "type \"{shown}\" does not exist")
        }
        _ => {
            if !crate::func::functions(last).is_empty() || !crate::func::aggregates(last).is_empty() {
                return Err(Error::unsupported(format!("{} of what is built in", kind.tag())));
            }
            match &a.arguments {
                Some(arguments) => err!(UNDEFINED_FUNCTION, "{word} {shown}({arguments}) does not exist"),
                None => err!(UNDEFINED_FUNCTION, "could not find a {word} named \"{shown}\""),
            }
        }
    })
}
