//! Identity columns: ADD GENERATED, SET GENERATED and the options of their sequences, DROP IDENTITY; and DROP EXPRESSION of generated ones.
use super::super::{DdlCtx, column, sequence};
use super::{attnum, current};
use pamir_catalog::{Identity, Kind};
use pamir_parse::tree::SequenceOption;
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail};

fn kind(always: bool) -> Identity {
    if always { Identity::Always } else { Identity::ByDefault }
}
pub fn add(oid: Oid, name: &str, always: bool, options: &[SequenceOption], cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let table = t.name.clone();
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    column::may_be_identity(c)?;
    let wrong = if !c.not_null {
        "must be declared NOT NULL before identity can be added"
    } else if c.identity.is_some() {
        "is already an identity column"
    } else if c.default.is_some() {
        "already has a default value"
    } else {
        ""
    };
    if !wrong.is_empty() {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "column \"{name}\" of relation \"{table}\" {wrong}");
    }
    let mut pending = column::Pending::default();
    column::set_identity(c, kind(always), sequence::options(options)?, &mut pending)?;
    column::finish(&mut t, &mut pending, cx)?;
    cx.put_table(t)?;
    Ok(())
}
pub fn drop(oid: Oid, name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    if c.identity.is_none() {
        let message = format!("column \"{name}\" of relation \"{}\" is not an identity column", t.name);
        return missing(message, if_exists, cx);
    }
    (c.identity, c.sequence) = (None, None);
    for s in sequence::owned(cx, &t, Some(a)) {
        cx.remove(Kind::Sequence, s.oid)?;
    }
    cx.put_table(t)?;
    Ok(())
}
/// What IF EXISTS makes a notice of.
fn missing(message: String, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    if !if_exists {
        return Err(Error::new(state::OBJECT_NOT_IN_PREREQUISITE_STATE, message));
    }
    cx.notice(state::SUCCESSFUL_COMPLETION, format!("{message}, skipping"));
    Ok(())
}
/// SET GENERATED, SET sequence options, RESTART of an identity column.
pub fn alter(oid: Oid, name: &str, options: &[SequenceOption], cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    let table = t.name.clone();
    let Some(c) = column::column_mut(&mut t, a) else { return Ok(()) };
    if c.identity.is_none() {
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "column \"{name}\" of relation \"{table}\" is not an identity column");
    }
    let seq = c.sequence;
    let mut generated = None;
    for o in options {
        if let SequenceOption::Generated { always } = o
            && generated.replace(kind(*always)).is_some()
        {
            bail!(SYNTAX_ERROR, "conflicting or redundant options");
        }
    }
    let options = sequence::options(options)?;
    if let Some(g) = generated {
        c.identity = Some(g);
        cx.put_table(t)?;
    }
    if let Some(s) = seq {
        let s = cx.lock_sequence(s)?;
        sequence::change(&s, &options, cx)?;
    }
    Ok(())
}
pub fn drop_expression(oid: Oid, name: &str, if_exists: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, name)?;
    match column::column_mut(&mut t, a) {
        Some(c) if c.generated.is_some() => c.generated = None,
        _ => {
            let message = format!("column \"{name}\" of relation \"{}\" is not a stored generated column", t.name);
            return missing(message, if_exists, cx);
        }
    }
    cx.put_table(t)?;
    Ok(())
}
