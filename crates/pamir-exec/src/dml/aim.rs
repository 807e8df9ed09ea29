//! The tables that the rows of an UPDATE or DELETE are in: the one that was named, and those that inherit from it.
//!
//! A row comes with its key and, where there are several tables, with the number of its own. An [`Aim`] is one table with where the named table's
//! columns are in it; everything else (the slots, what SET computes, what is tested again) is the statement's, and the same for all of them.
use super::{ModifySpec, RowLock, Wx, columns_to_delete, failing, update_lock};
use crate::Rt;
use pamir_catalog::Table;
use pamir_expr::env::Env;
use pamir_expr::expr::{self, Px};
use pamir_expr::plan::node::ModifyKind;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::sync::Arc;

pub(super) struct Aim<'a> {
    pub table: &'a Arc<Table>,
    /// (attnum - 1 in `table`, slot)
    pub old_cols: Cow<'a, [(usize, u32)]>,
    pub row_cols: Cow<'a, [(usize, u32)]>,
    /// By column of the named table, that of `table`; None: it is the named one.
    pub places: Option<&'a [usize]>,
    pub mode: RowLock,
    /// Columns (attnum - 1) that SET changes.
    pub changed: Vec<usize>,
    /// A row that is only deleted need not be decoded whole.
    pub some: Option<Vec<usize>>,
}
impl<'a> Aim<'a> {
    pub fn new(
        spec: &'a ModifySpec,
        table: &'a Arc<Table>,
        places: Option<&'a [usize]>,
        wx: &mut Wx,
    ) -> Result<Aim<'a>> {
        let at = |c: usize| place(places, c);
        let mapped = |cols: &'a [(usize, u32)]| match places {
            None => Cow::Borrowed(cols),
            Some(_) => Cow::Owned(cols.iter().map(|(c, s)| (at(*c), *s)).collect()),
        };
        let (old_cols, set) = match &spec.op {
            ModifyKind::Update { old_cols, set, .. } => (&old_cols[..], Some(set)),
            ModifyKind::Delete { old_cols, .. } => (&old_cols[..], None),
            ModifyKind::Insert { .. } | ModifyKind::Merge { .. } => (&[][..], None),
        };
        let changed: Vec<usize> = set.iter().flat_map(|s| s.iter()).map(|s| at(s.0)).collect();
        let mode = match set {
            Some(_) => update_lock(table, changed.iter().copied()),
            None => RowLock::Update,
        };
        let some = match set {
            None if spec.returning.is_none() => columns_to_delete(table, wx)?,
            _ => None,
        };
        Ok(Aim { table, old_cols: mapped(old_cols), row_cols: mapped(&spec.row_cols), places, mode, changed, some })
    }
    /// An error about a row of a child shows it as one of the table that was named.
    pub fn shown_as(&self, e: Error, spec: &ModifySpec, row: &[Datum], env: &dyn Env) -> Error {
        if self.places.is_none() || !matches!(e.code(), state::NOT_NULL_VIOLATION | state::CHECK_VIOLATION) {
            return e;
        }
        let mut e = e;
        if e.data().detail.is_some() && e.data().detail == failing(self.table, row, env) {
            e.data_mut().detail = failing(&spec.table, &as_named(spec, &self.row_cols, row), env);
        }
        e
    }
    /// Computes what SET says of a row of the table.
    pub fn assign(&self, row: &mut [Datum], set: &[(usize, Px)], rt: &mut Rt) -> Result<()> {
        assign(row, set, self.places, rt)
    }
}
pub(super) fn assign(row: &mut [Datum], set: &[(usize, Px)], places: Option<&[usize]>, rt: &mut Rt) -> Result<()> {
    for (c, e) in set {
        let d = expr::eval(e, rt)?;
        if let Some(r) = row.get_mut(place(places, *c)) {
            *r = d;
        }
    }
    Ok(())
}
/// A row of a member, whose columns go to these slots, as one of the table that was named.
pub(super) fn as_named(spec: &ModifySpec, row_cols: &[(usize, u32)], row: &[Datum]) -> Vec<Datum> {
    let mut out = vec![Datum::Null; spec.table.columns.len()];
    for ((to, _), (from, _)) in std::iter::zip(&spec.row_cols, row_cols) {
        if let (Some(d), Some(v)) = (out.get_mut(*to), row.get(*from)) {
            *d = v.clone();
        }
    }
    out
}
#[inline]
pub(super) fn place(places: Option<&[usize]>, c: usize) -> usize {
    places.map_or(c, |p| p.get(c).copied().unwrap_or(usize::MAX))
}
/// The aims of a statement: those of other tables than the named one are made when a row is in them.
pub(super) struct Aims<'a> {
    own: Aim<'a>,
    others: FxHashMap<Oid, Aim<'a>>,
}
impl<'a> Aims<'a> {
    pub fn new(spec: &'a ModifySpec, wx: &mut Wx) -> Result<Aims<'a>> {
        Ok(Aims { own: Aim::new(spec, &spec.table, None, wx)?, others: FxHashMap::default() })
    }
    pub fn own(&self) -> &Aim<'a> {
        &self.own
    }
    /// That of the row in hand.
    pub fn of_row(&mut self, spec: &'a ModifySpec, rt: &mut Rt) -> Result<&Aim<'a>> {
        let Some((t, places)) = spec.members.as_ref().and_then(|m| m.of_row(rt.get(m.slot))) else {
            return Ok(&self.own);
        };
        Ok(match self.others.entry(t.oid) {
            Entry::Occupied(aim) => aim.into_mut(),
            Entry::Vacant(place) => place.insert(Aim::new(spec, t, Some(places), &mut rt.wx())?),
        })
    }
}
