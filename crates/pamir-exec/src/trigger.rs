//! Triggers: which fire for a change, what they are handed, and when.
//!
//! ```text
//!   a statement begins   BEFORE STATEMENT
//!     each row           BEFORE ROW: gives another row, or none -> written -> AFTER ROW: queued among the foreign keys' events; kept for transition tables
//!   it has ended         AFTER STATEMENT: queued
//!   then                 the queue, in its order ([`super::fk::Checks::run`]); what that changes queues more
//!   COMMIT               events of constraint triggers that were put off ([`super::fk::run_deferred`])
//! ```
//! A table without triggers has [`Table::triggers`] `None`: nothing here is asked for it. One with triggers takes the operators' way, row by row, wherever its data is.
//!
//! Whether a trigger fires (session_replication_role, UPDATE OF, WHEN) is decided when the event happens, not when its turn comes. Statement triggers fire once for a table and
//! an event, however many parts of the statement, foreign keys' actions among them, make such changes ([`Kept`]).
//!
//! *Invariants*: rows are handed over whole, a datum for each column by attnum; a row that a BEFORE trigger gave is tested by its columns' domains and, as any other, by
//! NOT NULL, generated columns and CHECKs after all of them have fired.
//!
//! Limits: queued rows are in memory, charged to the session.
use super::Rt;
use super::dml::{Seen, WriteBuf, Wx, delete_row, update_lock, update_row};
use super::fk::Checks;
use super::rows::{Charge, datum_size};
use pamir_catalog::Table;
use pamir_catalog::defs::{TSVECTOR_UPDATE, TSVECTOR_UPDATE_COLUMN};
use pamir_catalog::trigger::{Event, Timing, Trigger, Triggers};
use pamir_expr::access;
use pamir_expr::env::Env;
use pamir_expr::expr::{self, Cx};
use pamir_expr::plan::node::{MergeKind, ModifyKind};
use pamir_expr::spi::{Changed, Firing};
use pamir_expr::tsearch::document;
use pamir_txn::{RowLock, WaitPolicy};
use pamir_types::{Datum, Error, Oid, Result, SqlState, err};
use std::sync::Arc;

/// suppress_redundant_updates_trigger()
pub const SUPPRESS_REDUNDANT: Oid = 1291;
const PROTOCOL_VIOLATED: SqlState = SqlState::new("39P01");

/// What becomes of a row.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub event: Event,
    /// Columns (attnum - 1) that the statement sets.
    pub set: &'a [usize],
    pub old: Option<&'a [Datum]>,
    pub new: Option<&'a [Datum]>,
}
impl Change<'_> {
    /// Of a statement as a whole.
    pub fn of(event: Event, set: &[usize]) -> Change<'_> {
        Change { event, set, old: None, new: None }
    }
}
/// `old` and `new` of a condition.
struct Rows<'a, 'e> {
    old: &'a [Datum],
    new: &'a [Datum],
    env: &'e mut dyn Env,
}
impl Cx for Rows<'_, '_> {
    fn slot(&self, i: u32) -> Option<&Datum> {
        match i.checked_sub(access::NEW) {
            Some(n) => self.new.get(n as usize),
            None => self.old.get(i as usize),
        }
    }
    fn param(&self, _: u16) -> Option<&Datum> {
        None
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, _: usize) -> Result<Datum> {
        Err(Error::unsupported("a subquery in a trigger's condition"))
    }
}
/// Does UPDATE OF name a generated column that is computed from one that is set?
fn of_generated(t: &Table, g: &Trigger, c: &Change, env: &mut dyn Env) -> Result<bool> {
    let computed = |(column, from): &(usize, Vec<usize>)| {
        g.columns.contains(&(*column as i16 + 1)) && from.iter().any(|f| c.set.contains(f))
    };
    Ok(c.event == Event::Update && access::generated_from(t, env)?.iter().any(computed))
}
/// Does the trigger at `at` of the table's list fire for this?
fn fires(t: &Table, at: usize, g: &Trigger, c: &Change, env: &mut dyn Env) -> Result<bool> {
    if !g.enabled.fires(env.is_replica()) || !g.of_columns(c.event, c.set) && !of_generated(t, g, c, env)? {
        return Ok(false);
    }
    if g.when.is_none() {
        return Ok(true);
    }
    let Some(Some(when)) = access::whens(t, env)?.get(at) else { return Ok(true) };
    let mut rows = Rows { old: c.old.unwrap_or(&[]), new: c.new.unwrap_or(&[]), env };
    Ok(expr::eval_bool(when, &mut rows)? == Some(true))
}
fn fire(
    g: &Arc<Trigger>,
    t: &Arc<Table>,
    c: &Change,
    changed: Option<&Arc<Changed>>,
    wx: &mut Wx,
) -> Result<Option<Vec<Datum>>> {
    if g.function == SUPPRESS_REDUNDANT {
        return suppress_redundant(g, t, c);
    }
    wx.env.check_cancel()?;
    if matches!(g.function, TSVECTOR_UPDATE | TSVECTOR_UPDATE_COLUMN) {
        return update_document(g, t, c, wx.env);
    }
    let f = Firing { table: t, trigger: g, event: c.event, old: c.old, new: c.new, changed };
    wx.env.spi()?.fire(&f)
}
/// tsvector_update_trigger, tsvector_update_trigger_column
fn update_document(g: &Trigger, t: &Table, c: &Change, env: &mut dyn Env) -> Result<Option<Vec<Datum>>> {
    let wrong = |what: &str| Err(Error::internal(format!("tsvector_update_trigger: must be fired {what}")));
    let new = match (c.event, c.new) {
        (_, _) if !g.each_row => return wrong("for row"),
        (_, _) if g.timing != Timing::Before => return wrong("BEFORE event"),
        (Event::Insert | Event::Update, Some(new)) => new,
        _ => return wrong("for INSERT or UPDATE"),
    };
    let is_set = |i: usize| c.set.contains(&i);
    let row =
        document::Row { table: t, values: new, is_set: if c.event == Event::Update { Some(&is_set) } else { None } };
    let changed = document::update(&row, &g.args, g.function == TSVECTOR_UPDATE_COLUMN, env)?;
    let mut out = new.to_vec();
    if let Some((at, value)) = changed
        && let Some(slot) = out.get_mut(at)
    {
        *slot = value;
    }
    Ok(Some(out))
}
fn suppress_redundant(g: &Trigger, t: &Table, c: &Change) -> Result<Option<Vec<Datum>>> {
    let wrong = |what: &str| {
        Err(Error::new(PROTOCOL_VIOLATED, format!("suppress_redundant_updates_trigger: must be called {what}")))
    };
    let (Some(old), Some(new)) = (c.old, c.new) else {
        return match (c.event, g.timing) {
            (Event::Update, Timing::Before) => wrong("for each row"),
            (Event::Update, _) => wrong("before update"),
            _ => wrong("on update"),
        };
    };
    if g.timing != Timing::Before {
        return wrong("before update");
    }
    let (mut a, mut b) = (Vec::new(), Vec::new());
    access::encode_row(t, old, &mut a)?;
    access::encode_row(t, new, &mut b)?;
    Ok((a != b).then(|| new.to_vec()))
}

/// Fires BEFORE ROW triggers, whose row goes to `new`; false: nothing is to be done with the row.
pub(super) fn before_row(
    t: &Arc<Table>,
    event: Event,
    set: &[usize],
    old: Option<&[Datum]>,
    new: Option<&mut [Datum]>,
    wx: &mut Wx,
) -> Result<bool> {
    row_by(t, Timing::Before, event, set, old, new, wx)
}
/// The same of INSTEAD OF triggers of a view, whose row it is.
pub fn instead_of_row(
    t: &Arc<Table>,
    event: Event,
    old: Option<&[Datum]>,
    new: Option<&mut [Datum]>,
    wx: &mut Wx,
) -> Result<bool> {
    row_by(t, Timing::InsteadOf, event, &[], old, new, wx)
}
fn row_by(
    t: &Arc<Table>,
    timing: Timing,
    event: Event,
    set: &[usize],
    old: Option<&[Datum]>,
    mut new: Option<&mut [Datum]>,
    wx: &mut Wx,
) -> Result<bool> {
    let Some(all) = &t.triggers else { return Ok(true) };
    let mut given = false;
    for (at, g) in all.of(timing, true, event) {
        let c = Change { event, set, old, new: new.as_deref() };
        if !fires(t, at, g, &c, wx.env)? {
            continue;
        }
        let Some(row) = fire(g, t, &c, None, wx)? else { return Ok(false) };
        if let Some(new) = &mut new {
            given = true;
            std::iter::zip(new.iter_mut(), row).for_each(|(slot, d)| *slot = d);
        }
    }
    if let Some(new) = new.filter(|_| given) {
        for (attnum, domain) in &t.declared.domains {
            if let Some(d) = new.get(*attnum as usize - 1) {
                pamir_expr::domains::check(d, *domain, wx.env)?;
            }
        }
    }
    Ok(true)
}
/// A changed row as its BEFORE triggers would have it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proposed {
    /// It stays where it is; `fired`: triggers were asked.
    Here {
        fired: bool,
    },
    Refused,
    /// Its partition does not take it any more.
    Elsewhere,
}
/// What became of a row that was to be changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Updated {
    Done,
    /// A trigger would not have it.
    Refused,
    /// Nothing yet: its partition does not take it any more ([`super::dml::route::leave`]).
    Elsewhere,
}
/// Changes a row that is locked in `mode` as its triggers let it.
#[allow(clippy::too_many_arguments)] // As `update_row`.
pub(super) fn update(
    t: &Arc<Table>,
    key: &[u8],
    seen: Option<Seen>,
    old: &[Datum],
    new: &mut [Datum],
    set: &[usize],
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<Updated> {
    match propose(t, old, new, set, wx)? {
        Proposed::Refused => Ok(Updated::Refused),
        Proposed::Elsewhere => Ok(Updated::Elsewhere),
        Proposed::Here { fired } => {
            write(t, key, seen, (old, new), (set, fired), wx, checks, buf).map(|()| Updated::Done)
        }
    }
}
/// Fires the BEFORE triggers of a change, whose row goes to `new`.
pub(super) fn propose(
    t: &Arc<Table>,
    old: &[Datum],
    new: &mut [Datum],
    set: &[usize],
    wx: &mut Wx,
) -> Result<Proposed> {
    let fired = t.triggers.as_ref().is_some_and(|a| a.any(Timing::Before, true, Event::Update));
    if fired && !before_row(t, Event::Update, set, Some(old), Some(new), wx)? {
        return Ok(Proposed::Refused);
    }
    let decides = t.bound().is_some() && (fired || pamir_expr::partition::decides(t, set, wx.env)?);
    if decides && !pamir_expr::partition::accepts(t, new, wx.env)? {
        return Ok(Proposed::Elsewhere);
    }
    Ok(Proposed::Here { fired })
}
/// Writes a changed row whose BEFORE triggers, if it has any, have `fired`.
#[allow(clippy::too_many_arguments)] // As `update_row`.
pub(super) fn write(
    t: &Arc<Table>,
    key: &[u8],
    seen: Option<Seen>,
    (old, new): (&[Datum], &mut [Datum]),
    (set, fired): (&[usize], bool),
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<()> {
    if !fired {
        return update_row(t, key, seen, old, new, set, wx, checks, buf);
    }
    // What a trigger has set counts for the row's keys, but not for UPDATE OF.
    let types = &access::layout(t).types;
    let differs = |i: &usize| {
        let ty = types.get(*i).copied().unwrap_or(pamir_types::Type::UNKNOWN);
        let (a, b) = (old.get(*i).unwrap_or(&Datum::Null), new.get(*i).unwrap_or(&Datum::Null));
        !expr::compare(a, b, ty).is_eq()
    };
    let other: Vec<usize> = (0..t.columns.len()).filter(|i| set.contains(i) || differs(i)).collect();
    if update_lock(t, other.iter().copied()) == RowLock::Update {
        wx.txn.lock_row(t.tree(), key, RowLock::Update, WaitPolicy::Block)?;
    }
    let every: Vec<usize> = (0..t.columns.len()).collect();
    checks.sets(set);
    update_row(t, key, seen, old, new, &every, wx, checks, buf)
}
/// Deletes a locked row as its triggers let it; false: one of them would not have it.
pub(super) fn delete(
    t: &Arc<Table>,
    key: &[u8],
    seen: Option<Seen>,
    old: &[Datum],
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<bool> {
    if !before_row(t, Event::Delete, &[], Some(old), None, wx)? {
        return Ok(false);
    }
    if let Some(s) = seen {
        s.is_as_it_was(t, key, "deleted", wx, &mut buf.found)?;
    }
    delete_row(t, key, old, wx, checks, buf).map(|()| true)
}

// ---- what is queued ----

/// An AFTER trigger that is to fire.
#[derive(Clone)]
pub(super) struct Queued {
    pub table: Arc<Table>,
    pub trigger: Arc<Trigger>,
    event: Event,
    old: Option<Arc<[Datum]>>,
    new: Option<Arc<[Datum]>>,
    /// Its part of [`Fired`].
    kept: usize,
}
impl Queued {
    pub fn size(&self) -> usize {
        let of = |r: &Option<Arc<[Datum]>>| r.iter().flat_map(|r| r.iter()).map(datum_size).sum::<usize>();
        size_of::<Queued>() + of(&self.old) + of(&self.new)
    }
    pub fn run(&self, fired: Option<&mut Fired>, wx: &mut Wx) -> Result<()> {
        let changed = fired.and_then(|f| f.sealed(self.kept, &self.trigger));
        let c = Change { event: self.event, set: &[], old: self.old.as_deref(), new: self.new.as_deref() };
        fire(&self.trigger, &self.table, &c, changed.as_ref(), wx).map(drop)
    }
}
/// AFTER STATEMENT triggers that are to fire.
#[derive(Clone)]
pub(super) struct Statement {
    pub table: Arc<Table>,
    event: Event,
    set: Vec<usize>,
    kept: usize,
    /// Queued anew since: then it is another's turn.
    turn: u32,
}
impl Statement {
    pub fn run(&self, fired: &mut Fired, wx: &mut Wx) -> Result<()> {
        if fired.kept.get(self.kept).is_none_or(|k| k.turn != self.turn) {
            return Ok(());
        }
        let Some(all) = &self.table.triggers else { return Ok(()) };
        let c = Change::of(self.event, &self.set);
        for (at, g) in all.of(Timing::After, false, self.event) {
            if fires(&self.table, at, g, &c, wx.env)? {
                let changed = fired.sealed(self.kept, g);
                fire(g, &self.table, &c, changed.as_ref(), wx)?;
            }
        }
        fired.close(self.kept);
        Ok(())
    }
}
/// What one statement has of a table and an event: until its AFTER STATEMENT triggers have fired, or what it changed was handed out, all such changes belong to it.
struct Kept {
    table: Oid,
    event: Event,
    /// BEFORE STATEMENT has fired.
    begun: bool,
    rows: Changed,
    closed: Option<Arc<Changed>>,
    turn: u32,
}
/// A statement's triggers.
#[derive(Default)]
pub(super) struct Fired {
    kept: Vec<Kept>,
    charge: Charge,
}
impl Fired {
    fn place(&mut self, table: Oid, event: Event) -> usize {
        let open = |k: &Kept| k.table == table && k.event == event && k.closed.is_none();
        self.kept.iter().rposition(open).unwrap_or_else(|| {
            self.kept.push(Kept { table, event, begun: false, rows: Changed::default(), closed: None, turn: 0 });
            self.kept.len() - 1
        })
    }
    fn close(&mut self, at: usize) -> Option<Arc<Changed>> {
        let k = self.kept.get_mut(at)?;
        let rows = &mut k.rows;
        Some(k.closed.get_or_insert_with(|| Arc::new(std::mem::take(rows))).clone())
    }
    /// What a trigger's transition tables show.
    fn sealed(&mut self, at: usize, g: &Trigger) -> Option<Arc<Changed>> {
        (g.old_table.is_some() || g.new_table.is_some()).then(|| self.close(at)).flatten()
    }
    /// A statement begins to change the table: false if it had begun before.
    fn begins(&mut self, table: Oid, event: Event) -> bool {
        let at = self.place(table, event);
        !std::mem::replace(&mut self.kept[at].begun, true)
    }
    pub fn ends(&mut self, table: &Arc<Table>, event: Event, set: &[usize]) -> Option<Statement> {
        table.triggers.as_ref().filter(|a| a.any(Timing::After, false, event))?;
        let kept = self.place(table.oid, event);
        self.kept[kept].turn += 1;
        let turn = self.kept[kept].turn;
        Some(Statement { table: table.clone(), event, set: set.to_vec(), kept, turn })
    }
    /// A row was changed: keeps it for transition tables, and says which triggers are to fire, by name.
    pub fn row(&mut self, t: &Arc<Table>, all: &Triggers, c: &Change, wx: &mut Wx) -> Result<Vec<Queued>> {
        let keeps = |new: bool| all.list.iter().any(|g| g.keeps(c.event, new) && g.enabled.fires(wx.env.is_replica()));
        let (keep_old, keep_new) = (c.old.filter(|_| keeps(false)), c.new.filter(|_| keeps(true)));
        let mut fire = Vec::new();
        for (at, g) in all.of(Timing::After, true, c.event) {
            if fires(t, at, g, c, wx.env)? {
                fire.push(g.clone());
            }
        }
        if fire.is_empty() && keep_old.is_none() && keep_new.is_none() {
            return Ok(Vec::new());
        }
        let mut shared = |row: Option<&[Datum]>| -> Result<Option<Arc<[Datum]>>> {
            let Some(row) = row else { return Ok(None) };
            self.charge.add(row.iter().map(datum_size).sum::<usize>() + size_of::<Queued>(), wx.memory)?;
            Ok(Some(Arc::from(row)))
        };
        let (old, new) = (shared(c.old)?, shared(c.new)?);
        let kept = self.place(t.oid, c.event);
        let rows = &mut self.kept[kept].rows;
        if keep_old.is_some() {
            rows.old.extend(old.clone());
        }
        if keep_new.is_some() {
            rows.new.extend(new.clone());
        }
        let one =
            |trigger| Queued { table: t.clone(), trigger, event: c.event, old: old.clone(), new: new.clone(), kept };
        Ok(fire.into_iter().map(one).collect())
    }
}
impl Fired {
    /// Keeps a changed row, which is in another table, for the transition tables of `t`. `own`: a row as `t` has it.
    pub fn keep(
        &mut self,
        t: &Arc<Table>,
        event: Event,
        (old, new): (Option<&[Datum]>, Option<&[Datum]>),
        own: &dyn Fn(&[Datum]) -> Vec<Datum>,
        wx: &mut Wx,
    ) -> Result<()> {
        let Some(all) = &t.triggers else { return Ok(()) };
        let keeps = |new: bool| all.list.iter().any(|g| g.keeps(event, new) && g.enabled.fires(wx.env.is_replica()));
        let (old, new) = (old.filter(|_| keeps(false)).map(own), new.filter(|_| keeps(true)).map(own));
        if old.is_none() && new.is_none() {
            return Ok(());
        }
        for row in [&old, &new].into_iter().flatten() {
            self.charge.add(row.iter().map(datum_size).sum::<usize>() + size_of::<Queued>(), wx.memory)?;
        }
        let kept = self.place(t.oid, event);
        let rows = &mut self.kept[kept].rows;
        rows.old.extend(old.map(Arc::from));
        rows.new.extend(new.map(Arc::from));
        Ok(())
    }
}
/// Fires the BEFORE STATEMENT triggers of a change that begins.
pub(super) fn begin(t: &Arc<Table>, event: Event, set: &[usize], checks: &mut Checks, wx: &mut Wx) -> Result<()> {
    let Some(all) = &t.triggers else { return Ok(()) };
    if !checks.fired().begins(t.oid, event) {
        return Ok(());
    }
    let c = Change::of(event, set);
    for (at, g) in all.of(Timing::Before, false, event) {
        if fires(t, at, g, &c, wx.env)? {
            fire(g, t, &c, None, wx)?;
        }
    }
    Ok(())
}
/// What a statement's operator does to its table, in the order in which BEFORE STATEMENT triggers fire.
pub(super) fn events(op: &ModifyKind) -> Vec<(Event, Vec<usize>)> {
    let columns = |set: &[(usize, expr::Px)]| set.iter().map(|s| s.0).collect::<Vec<usize>>();
    match op {
        ModifyKind::Insert { conflict, .. } => {
            let update = conflict.as_ref().and_then(|c| c.update.as_ref()).map(|u| (Event::Update, columns(&u.set)));
            std::iter::once((Event::Insert, Vec::new())).chain(update).collect()
        }
        ModifyKind::Update { set, .. } => vec![(Event::Update, columns(set))],
        ModifyKind::Delete { .. } => vec![(Event::Delete, Vec::new())],
        ModifyKind::Merge { whens, .. } => {
            let (mut insert, mut update, mut delete) = (false, None::<Vec<usize>>, false);
            for w in whens {
                match &w.action {
                    MergeKind::Insert(_) => insert = true,
                    MergeKind::Delete => delete = true,
                    MergeKind::Update(set) => update.get_or_insert_default().extend(columns(set)),
                    MergeKind::Nothing => {}
                }
            }
            let of = |there: bool, e| there.then(|| (e, Vec::new()));
            let update = update.map(|u| (Event::Update, u));
            [of(insert, Event::Insert), update, of(delete, Event::Delete)].into_iter().flatten().collect()
        }
    }
}
/// TRUNCATE's triggers of a table.
pub fn truncate(t: &Arc<Table>, timing: Timing, cx: &mut super::ExecCtx) -> Result<()> {
    let Some(all) = &t.triggers else { return Ok(()) };
    let mut wx = Wx::of(cx);
    let c = Change::of(Event::Truncate, &[]);
    for (at, g) in all.of(timing, false, Event::Truncate) {
        if fires(t, at, g, &c, wx.env)? {
            fire(g, t, &c, None, &mut wx)?;
        }
    }
    Ok(())
}
/// 27000: a trigger, or what one called, has changed the row that the statement comes to.
pub(super) fn changed_meanwhile(what: &str) -> Error {
    err!(
        TRIGGERED_DATA_CHANGE_VIOLATION,
        "tuple to be {what} was already modified by an operation triggered by the current command"
    )
    .hint("Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.")
}

impl Rt<'_> {
    /// The statement triggers of an operator that begins.
    pub(super) fn begin_triggers(&mut self, t: &Arc<Table>, op: &ModifyKind, checks: &mut Checks) -> Result<()> {
        if t.triggers.is_none() {
            return Ok(());
        }
        events(op).iter().try_for_each(|(e, set)| begin(t, *e, set, checks, &mut self.wx()))
    }
    /// ... that has ended.
    pub(super) fn end_triggers(&mut self, t: &Arc<Table>, op: &ModifyKind, checks: &mut Checks) {
        if t.triggers.is_some() {
            events(op).iter().rev().for_each(|(e, set)| checks.end_statement(t, *e, set));
        }
    }
}
