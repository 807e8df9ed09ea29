//! What policies of row level security ask of rows that are written, before anything else is asked of them.
//!
//! ```text
//!   INSERT    BEFORE triggers ─► generated columns ─► policies ─► NOT NULL, CHECKs, keys ─► the row is written
//!   UPDATE    the same; a row that goes to another partition is asked there, as it is inserted
//! ```
//! The order is PostgreSQL's, and it matters: what a key or a CHECK says of a row that one may not write tells of rows that one may not see.
use super::*;
use crate::trigger::Proposed;

/// 42501 for the first that does not hold; its columns are in their slots.
pub(super) fn hold(guards: &[(String, Px)], rt: &mut Rt) -> Result<()> {
    for (message, cond) in guards {
        if expr::eval_bool(cond, rt)? != Some(true) {
            return Err(err!(INSUFFICIENT_PRIVILEGE, "{message}"));
        }
    }
    Ok(())
}
impl ModifyOp {
    /// What policies ask of a row of `t` that is to be written. `places`: of the named table's columns, where it is another one.
    pub(super) fn guard_new(
        &self,
        t: &Table,
        places: Option<&[usize]>,
        row: &mut [Datum],
        guards: &[(String, Px)],
        rt: &mut Rt,
    ) -> Result<()> {
        if guards.is_empty() {
            return Ok(());
        }
        generate(t, row, &mut rt.wx())?;
        for (c, s) in &self.spec.row_cols {
            let d = row.get(aim::place(places, *c)).cloned().unwrap_or(Datum::Null);
            rt.set(*s, d);
        }
        hold(guards, rt)
    }
    /// As [`trigger::update`], with what policies ask of the new row.
    #[allow(clippy::too_many_arguments)] // As `update_row`.
    pub(super) fn update_guarded(
        &self,
        (t, places): (&Arc<Table>, Option<&[usize]>),
        key: &[u8],
        seen: Seen,
        (old, new): (&[Datum], &mut [Datum]),
        changed: &[usize],
        guards: &[(String, Px)],
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<Updated> {
        if guards.is_empty() {
            return trigger::update(t, key, Some(seen), old, new, changed, &mut rt.wx(), checks, buf);
        }
        match trigger::propose(t, old, new, changed, &mut rt.wx())? {
            Proposed::Refused => Ok(Updated::Refused),
            Proposed::Elsewhere => Ok(Updated::Elsewhere),
            Proposed::Here { fired } => {
                self.guard_new(t, places, new, guards, rt)?;
                let set = (changed, fired);
                trigger::write(t, key, Some(seen), (old, new), set, &mut rt.wx(), checks, buf)?;
                Ok(Updated::Done)
            }
        }
    }
}
