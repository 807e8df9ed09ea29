//! Cursors: DECLARE, FETCH, MOVE, CLOSE.
//!
//! A cursor is a portal with a position. As PostgreSQL's, it stands before the first row, on a row, or after the last:
//!
//! ```text
//!   at_start          pos 0     before row 1
//!   neither           pos n     on row n
//!   at_end            pos n     after row n, the last
//!
//!   rows     1 2 3 4 5 6 7 8 9 ...
//!   buffer   [---------]                 kept rows, from `base` on
//!   live               ^ read            the execution gives the rows after those
//! ```
//! Rows come from the execution as they are asked for. Nothing is kept until somebody wants to go back: then the query starts again *with the same snapshot*
//! and from now on every row it gives goes to the buffer as well. That is what PostgreSQL's backward scans show, and costs a cursor that only goes forward nothing.
//! A SCROLL cursor whose plan PostgreSQL could not run backward (a join, an aggregation) keeps its rows from the start, like the Material node there: what is
//! computed once must not change when it is read again.
//!
//! Which cursors may go back: those declared SCROLL, and those declared neither way whose plan is a mere scan or sort ([`reads_backward`], PostgreSQL's rule).
//! WITH HOLD: at COMMIT the rows (of a cursor that cannot go back: the remaining ones) are put into the buffer, and the execution, the snapshot and the transaction let go.
//!
//! *Invariants*: `live.read` rows were taken from the execution; with a buffer, `base + buffered rows == live.read`. A failed execution leaves a cursor that only CLOSE touches.
//!
//! Limits: the buffer lives in memory, charged to the session (53200).
use super::Session;
use super::current;
use super::follower::Taken;
use super::query::Portal;
use super::statement::{Planned, PreparedStmt, Told};
use crate::client::{Client, Field, RowSink};
use pamir_exec::rows::{Charge, datum_size};
use pamir_exec::{Execution, RunState};
use pamir_expr::env::{CursorInfo, CursorRow, Env};
use pamir_expr::ir::SetOp;
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Kind, PNode};
use pamir_parse::tree::{Declare, Direction, Fetch, Sensitivity, Statement};
use pamir_plan::bind;
use pamir_txn::{MemoryAccount, Snapshot};
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Result, Type, bail, err};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The session's cursors by name: what pg_cursors shows.
pub type CursorList = Arc<Mutex<BTreeMap<String, CursorInfo>>>;

/// A cursor's line in the session's list; taken out when the cursor goes.
pub struct Listed {
    list: CursorList,
    name: String,
}
impl Listed {
    pub fn new(list: &CursorList, name: &str, info: CursorInfo) -> Listed {
        list.lock().insert(name.to_string(), info);
        Listed { list: list.clone(), name: name.to_string() }
    }
    /// Changes what UPDATE ... WHERE CURRENT OF finds.
    pub fn row(&self, f: impl FnOnce(&mut CursorRow)) {
        if let Some(r) = self.list.lock().get_mut(&self.name).and_then(|c| c.row.as_mut()) {
            f(r);
        }
    }
}
impl Drop for Listed {
    fn drop(&mut self) {
        self.list.lock().remove(&self.name);
    }
}

/// Rows kept for reading again.
struct RowBuffer {
    /// The number of rows before the first one here.
    base: u64,
    width: usize,
    data: Vec<Datum>,
    rows: u64,
    charge: Charge,
}
impl RowBuffer {
    fn new(base: u64, width: usize) -> RowBuffer {
        RowBuffer { base, width, data: Vec::new(), rows: 0, charge: Charge::default() }
    }
    fn end(&self) -> u64 {
        self.base + self.rows
    }
    /// The columns of row `n`, counted from 0.
    fn row(&self, n: u64) -> &[Datum] {
        let at = n.saturating_sub(self.base) as usize * self.width;
        self.data.get(at..at + self.width).unwrap_or(&[])
    }
}

struct Live {
    execution: Execution,
    /// Rows taken so far.
    read: u64,
}

pub struct Cursor {
    snapshot: Option<Snapshot>,
    /// None: all there will be is in the buffer.
    live: Option<Box<Live>>,
    buffer: Option<RowBuffer>,
    scroll: bool,
    hold: bool,
    /// Outlived its transaction.
    held: bool,
    /// Its execution failed; it can only be closed.
    failed: bool,
    at_start: bool,
    at_end: bool,
    pos: u64,
    /// Its last columns, which are places of rows (`current.rs`), and those of the row that was read last.
    hidden: usize,
    places: Vec<Datum>,
}

/// Where fetched rows go.
struct Output<'a, 'b> {
    buffer: Option<&'a mut RowBuffer>,
    /// None: MOVE.
    to: Option<&'b mut dyn RowSink>,
    memory: &'a Arc<MemoryAccount>,
    size: usize,
    /// How many columns are shown, and how many more of this row are.
    visible: usize,
    left: usize,
    places: &'a mut Vec<Datum>,
}
impl RowSink for Output<'_, '_> {
    fn begin_row(&mut self, columns: usize) {
        self.size = 0;
        self.left = self.visible.min(columns);
        self.places.clear();
        if let Some(to) = &mut self.to {
            to.begin_row(self.left)
        }
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        if let Some(t) = &mut self.buffer {
            self.size += datum_size(d);
            t.data.push(d.clone());
        }
        if self.left == 0 {
            self.places.push(d.clone());
            return;
        }
        self.left -= 1;
        if let Some(to) = &mut self.to {
            to.datum(d, ty)
        }
    }
    fn bytes(&mut self, b: &[u8]) {
        // Only statements that run without operators hand out bytes; cursors do not run so.
        debug_assert!(self.buffer.is_none());
        if let Some(to) = &mut self.to {
            to.bytes(b)
        }
    }
    fn null(&mut self) {
        if let Some(t) = &mut self.buffer {
            self.size += datum_size(&Datum::Null);
            t.data.push(Datum::Null);
        }
        if self.left == 0 {
            self.places.push(Datum::Null);
            return;
        }
        self.left -= 1;
        if let Some(to) = &mut self.to {
            to.null()
        }
    }
    fn end_row(&mut self) -> Result<()> {
        if let Some(t) = &mut self.buffer {
            t.rows += 1;
            t.charge.add(self.size, self.memory)?;
        }
        match &mut self.to {
            Some(to) => to.end_row(),
            None => Ok(()),
        }
    }
}

fn emit(row: &[Datum], types: &[Type], to: &mut dyn RowSink) -> Result<()> {
    to.begin_row(row.len());
    for (d, ty) in row.iter().zip(types) {
        match d {
            Datum::Null => to.null(),
            d => to.datum(d, *ty),
        }
    }
    to.end_row()
}

pub(super) fn only_forward() -> Error {
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cursor can only scan forward")
        .hint("Declare it with SCROLL option to enable backward scan.")
}

/// Could PostgreSQL run this plan backward? (Its ExecSupportsBackwardScan.)
fn reads_backward(n: &PNode) -> bool {
    match &n.kind {
        Kind::Scan(_)
        | Kind::Virtual(_)
        | Kind::Function(_)
        | Kind::SideBySide { .. }
        | Kind::CteScan { .. }
        | Kind::Sort { presorted: 0, .. }
        | Kind::Materialize { .. } => true,
        Kind::Values(v) => v.rows.len() > 1,
        Kind::Filter { input, .. }
        | Kind::Compute { input, .. }
        | Kind::Ordered { input, .. }
        | Kind::With { input, .. }
        | Kind::Limit { input, .. } => reads_backward(input),
        Kind::SetOp { left, right, spec } => {
            spec.op == SetOp::Union && spec.all && reads_backward(left) && reads_backward(right)
        }
        _ => false,
    }
}
fn locks_rows(n: &PNode) -> bool {
    matches!(n.kind, Kind::LockRows { .. }) || n.inputs().into_iter().any(locks_rows)
}

impl Cursor {
    /// Its rows are its own: no transaction is needed for them.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }
    /// `hidden`: how many of its last columns are places.
    fn new(plan: &Arc<Plan>, snapshot: Snapshot, d: &Declare, hidden: usize) -> Cursor {
        let backward = reads_backward(&plan.root.node);
        let scroll = d.scroll.unwrap_or(backward && !locks_rows(&plan.root.node));
        Cursor {
            snapshot: Some(snapshot),
            live: Some(Box::new(Live { execution: Execution::new(plan.clone(), false), read: 0 })),
            buffer: (scroll && !backward).then(|| RowBuffer::new(0, plan.root.out.len())),
            scroll,
            hold: d.hold,
            held: false,
            failed: false,
            at_start: true,
            at_end: false,
            pos: 0,
            hidden,
            places: Vec::new(),
        }
    }
    /// Columns that nobody sees.
    pub(super) fn hidden(&self) -> usize {
        self.hidden
    }
    /// Tells the session's list which row it is on.
    fn stand(&self, p: &Portal) {
        let Some(listed) = p.listed().filter(|_| self.hidden > 0) else { return };
        let on_row = !self.at_start && !self.at_end && self.pos > 0;
        let places = match &self.buffer {
            Some(t) if t.end() >= self.pos && self.pos > t.base => {
                let row = t.row(self.pos - 1);
                row[row.len().saturating_sub(self.hidden)..].to_vec()
            }
            _ => self.places.clone(),
        };
        listed.row(|r| r.places = on_row.then_some(places));
    }
    /// The next `n` rows (None: all that are left) go to `to`; how many there were.
    fn forward(
        &mut self,
        n: Option<u64>,
        mut to: Option<&mut dyn RowSink>,
        p: &Portal,
        s: &mut Session,
    ) -> Result<u64> {
        if self.at_end || n == Some(0) {
            return Ok(0);
        }
        let mut done = 0;
        // What was read before.
        if let Some(t) = &self.buffer {
            let types = p.row_types();
            let visible = types.len().saturating_sub(self.hidden);
            while self.pos + done < t.end() && n.is_none_or(|n| done < n) {
                if let Some(to) = &mut to {
                    emit(t.row(self.pos + done).get(..visible).unwrap_or(&[]), types, &mut **to)?;
                }
                done += 1;
                if done.is_multiple_of(1000) {
                    s.state.check_cancel()?;
                }
            }
        }
        let wanted = n.map(|n| n - done);
        if wanted != Some(0) {
            done += self.read(wanted.unwrap_or(0), to, p, s)?;
        }
        self.at_start &= done == 0;
        self.at_end = n.is_none_or(|n| done < n);
        self.pos += done;
        Ok(done)
    }
    /// Takes `max` rows (0: all) from the execution.
    fn read(&mut self, max: u64, to: Option<&mut dyn RowSink>, p: &Portal, s: &mut Session) -> Result<u64> {
        let (Some(live), Some(snapshot)) = (&mut self.live, &self.snapshot) else { return Ok(0) };
        let memory = s.state.work().memory.clone();
        let visible = p.row_types().len().saturating_sub(self.hidden);
        let places = &mut self.places;
        let mut out = Output { buffer: self.buffer.as_mut(), to, memory: &memory, size: 0, visible, left: 0, places };
        let txn = s.state.begin_if_needed();
        let r = s.in_exec(&txn, snapshot.clone(), &p.params, |cx| live.execution.run(cx, max, &mut out));
        let n = match r {
            Ok(RunState::Suspended) => max,
            Ok(RunState::Done(all)) => all.saturating_sub(live.read),
            Err(e) => {
                self.failed = true;
                self.live = None;
                return Err(e);
            }
        };
        live.read += n;
        Ok(n)
    }
    /// The execution starts again, with the same snapshot.
    fn restart(&mut self, p: &Portal) -> Result<()> {
        let Some(plan) = p.plan() else { return Err(Error::internal("cursor without a plan")) };
        self.live = Some(Box::new(Live { execution: Execution::new(plan.clone(), false), read: 0 }));
        Ok(())
    }
    /// The rows up to the position are in the buffer.
    fn want_buffer(&mut self, p: &Portal, s: &mut Session) -> Result<()> {
        if self.buffer.is_some() {
            return Ok(());
        }
        self.restart(p)?;
        self.buffer = Some(RowBuffer::new(0, p.row_types().len()));
        if self.pos > 0 {
            self.read(self.pos, None, p, s)?;
        }
        Ok(())
    }
    /// The `n` rows before the position, nearest first.
    fn backward(
        &mut self,
        n: Option<u64>,
        mut to: Option<&mut dyn RowSink>,
        p: &Portal,
        s: &mut Session,
    ) -> Result<u64> {
        if !self.scroll {
            return Err(only_forward());
        }
        if self.at_start || n == Some(0) {
            return Ok(0);
        }
        let there = if self.at_end { self.pos } else { self.pos.saturating_sub(1) };
        let done = n.map_or(there, |n| n.min(there));
        if to.is_some() {
            self.want_buffer(p, s)?;
        }
        if let (Some(to), Some(t)) = (&mut to, &self.buffer) {
            let visible = p.row_types().len().saturating_sub(self.hidden);
            for i in 1..=done {
                emit(t.row(there - i).get(..visible).unwrap_or(&[]), p.row_types(), &mut **to)?;
                if i.is_multiple_of(1000) {
                    s.state.check_cancel()?;
                }
            }
        }
        if n.is_none_or(|n| done < n) {
            self.at_start = true;
            self.pos = 0;
            self.at_end = false;
        } else {
            self.pos = there + 1 - done;
            self.at_end = false;
        }
        // Without a buffer the execution stands further on than the position.
        if self.buffer.is_none() {
            self.want_buffer(p, s)?;
        }
        Ok(done)
    }
    fn rewind(&mut self, p: &Portal) -> Result<()> {
        if self.at_start && !self.at_end {
            return Ok(());
        }
        if !self.scroll {
            return Err(only_forward());
        }
        (self.at_start, self.at_end, self.pos) = (true, false, 0);
        if self.buffer.is_none() { self.restart(p) } else { Ok(()) }
    }
    /// One FETCH or (without `to`) MOVE, as PostgreSQL's DoPortalRunFetch does it; the number of rows for the tag.
    pub fn fetch(&mut self, d: Direction, to: Option<&mut dyn RowSink>, p: &Portal, s: &mut Session) -> Result<u64> {
        use Direction::*;
        match d {
            Absolute(0) => {
                self.rewind(p)?;
                Ok(0)
            }
            Absolute(n) if n > 0 => {
                let n = n as u64;
                if n - 1 <= self.pos / 2 {
                    self.rewind(p)?;
                    self.forward(Some(n - 1), None, p, s)?;
                } else {
                    let pos = self.pos + u64::from(self.at_end);
                    if n <= pos {
                        self.backward(Some(pos - n + 1), None, p, s)?;
                    } else {
                        self.forward(Some(n - pos - 1), None, p, s)?;
                    }
                }
                self.forward(Some(1), to, p, s)
            }
            Absolute(n) => {
                self.forward(None, None, p, s)?;
                self.backward(Some(n.unsigned_abs() - 1), None, p, s)?;
                self.backward(Some(1), to, p, s)
            }
            Relative(n) if n > 0 => {
                self.forward(Some(n as u64 - 1), None, p, s)?;
                self.forward(Some(1), to, p, s)
            }
            Relative(n) if n < 0 => {
                self.backward(Some(n.unsigned_abs() - 1), None, p, s)?;
                self.backward(Some(1), to, p, s)
            }
            Relative(_) | Forward(0) | Backward(0) => {
                let on_row = !self.at_start && !self.at_end;
                if to.is_none() || !on_row {
                    return Ok(u64::from(on_row));
                }
                // The current row once more.
                self.backward(Some(1), None, p, s)?;
                self.forward(Some(1), to, p, s)
            }
            Forward(n) if n < 0 => self.backward(Some(n.unsigned_abs()), to, p, s),
            Backward(n) if n < 0 => self.forward(Some(n.unsigned_abs()), to, p, s),
            Forward(n) => self.forward((n != Direction::ALL).then_some(n as u64), to, p, s),
            Backward(Direction::ALL) if to.is_none() => {
                let n = if self.pos > 0 && !self.at_end { self.pos - 1 } else { self.pos };
                self.rewind(p)?;
                Ok(n)
            }
            Backward(n) => self.backward((n != Direction::ALL).then_some(n as u64), to, p, s),
        }
    }
    /// Execute of the extended protocol: forward.
    pub fn execute(&mut self, max: u64, to: &mut dyn RowSink, p: &Portal, s: &mut Session) -> Result<RunState> {
        if self.failed {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "portal cannot be run");
        }
        let n = self.forward((max > 0).then_some(max), Some(to), p, s)?;
        self.stand(p);
        Ok(if self.at_end { RunState::Done(n) } else { RunState::Suspended })
    }
    /// WITH HOLD, before COMMIT: all rows it may still show are in the buffer, nothing of the transaction is held.
    fn persist(&mut self, p: &Portal, s: &mut Session) -> Result<()> {
        if self.buffer.is_none() {
            if self.scroll {
                self.want_buffer(p, s)?;
            } else {
                self.buffer = Some(RowBuffer::new(self.pos, p.row_types().len()));
            }
        }
        self.read(0, None, p, s)?;
        self.live = None;
        self.snapshot = None;
        Ok(())
    }
}

/// Announces the rows of a FETCH with the first of them, so that one that fails before shows none, as PostgreSQL's.
struct Announced<'a> {
    client: &'a mut dyn Client,
    fields: &'a [Field],
    formats: &'a [i16],
    types: &'a [Type],
    /// Names for reg* values.
    names: Option<TextCtx>,
    /// The extended protocol described the rows before.
    begun: bool,
}
impl Announced<'_> {
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        self.client.row_description(self.fields, self.formats);
        self.client.set_formats(self.formats, self.types);
        if let Some(cx) = &self.names {
            self.client.set_text_ctx(cx);
        }
    }
}
impl RowSink for Announced<'_> {
    fn begin_row(&mut self, columns: usize) {
        self.begin();
        self.client.begin_row(columns)
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        self.client.datum(d, ty)
    }
    fn bytes(&mut self, b: &[u8]) {
        self.client.bytes(b)
    }
    fn null(&mut self) {
        self.client.null()
    }
    fn end_row(&mut self) -> Result<()> {
        self.client.end_row()
    }
}

/// What no cursor may be declared as, and for.
fn check_declaration(d: &Declare) -> Result<()> {
    if let Some((a, b)) = d.conflict {
        bail!(INVALID_CURSOR_DEFINITION, "cannot specify both {a} and {b}");
    }
    let q = &d.query;
    if q.with.as_ref().is_some_and(|w| w.ctes.iter().any(|c| !matches!(c.query, Statement::Select(_)))) {
        bail!(FEATURE_NOT_SUPPORTED, "DECLARE CURSOR must not contain data-modifying statements in WITH");
    }
    let Some(lock) = q.locking.first().map(bind::select::locking::lock_name) else { return Ok(()) };
    let refuse = |what: &str, detail: &str| {
        Err(err!(FEATURE_NOT_SUPPORTED, "DECLARE {what} ... {lock} is not supported").detail(detail))
    };
    if d.hold {
        return refuse("CURSOR WITH HOLD", "Holdable cursors must be READ ONLY.");
    }
    if d.scroll == Some(true) {
        return refuse("SCROLL CURSOR", "Scrollable cursors must be READ ONLY.");
    }
    if d.sensitivity == Some(Sensitivity::Insensitive) {
        return Err(err!(INVALID_CURSOR_DEFINITION, "DECLARE INSENSITIVE CURSOR ... {lock} is not valid")
            .detail("Insensitive cursors must be READ ONLY."));
    }
    Ok(())
}
/// A count below zero goes the other way.
fn normal(d: Direction) -> Direction {
    match d {
        Direction::Forward(n) if n < 0 => Direction::Backward(-n),
        Direction::Backward(n) if n < 0 => Direction::Forward(-n),
        d => d,
    }
}

impl Session {
    /// DECLARE.
    pub(super) fn declare_cursor(&mut self, d: &Declare, whole: &PreparedStmt, params: &[Datum]) -> Result<()> {
        check_declaration(d)?;
        let stmt = whole.inner().cloned().ok_or_else(pamir_expr::deep::too_deep)?;
        let (planned, row) = match self.with_places(d, whole) {
            Some((planned, row)) => (planned, Some(row)),
            None => (self.state.locked_plan(&stmt, None, Told::Nothing, Taken::InParts)?, None),
        };
        planned.takes(params)?;
        let name = &d.name;
        if name.is_empty() {
            bail!(INVALID_CURSOR_NAME, "invalid cursor name: must not be empty");
        }
        if !d.hold {
            self.state.require_more("DECLARE CURSOR")?;
        }
        if self.portals.contains_key(name) || self.state.has_function_cursor(name) {
            bail!(DUPLICATE_CURSOR, "cursor \"{name}\" already exists");
        }
        // The cursor's snapshot is taken now, not at the first FETCH.
        let snapshot = self.state.begin_if_needed().statement();
        let level = self.state.frames.len();
        let cursor = Cursor::new(&planned.plan, snapshot, d, row.as_ref().map_or(0, |r| r.tables.len()));
        let info = CursorInfo {
            statement: whole.shown().to_string(),
            holdable: d.hold,
            binary: d.binary,
            scrollable: cursor.scroll,
            created: self.state.statement_time,
            row,
        };
        let listed = Listed::new(&self.state.cursors, name, info);
        let portal = Portal::cursor(stmt, planned, params.to_vec(), i16::from(d.binary), cursor, listed, level);
        self.portals.insert(name.clone(), portal);
        Ok(())
    }

    /// The plan of a cursor's query with places behind its columns, where there are any.
    fn with_places(&mut self, d: &Declare, whole: &PreparedStmt) -> Option<(Arc<Planned>, CursorRow)> {
        let p = current::placed(&d.query, &self.state.catalog, &self.state.scope)?;
        let stmt = whole.with_query(Statement::Select(Box::new(p.query)));
        // Whatever is wrong is told of the query as it was written.
        let planned = self.state.locked_plan(&stmt, None, Told::Nothing, Taken::InParts).ok()?;
        let fits = p.locks || current::is_scan(&planned.plan.root.node);
        fits.then(|| (planned, CursorRow { locks: p.locks, tables: p.tables, ..CursorRow::default() }))
    }
    /// FETCH and MOVE; the tag.
    pub(super) fn fetch(&mut self, f: &Fetch, client: &mut dyn Client) -> Result<String> {
        let name = &f.cursor;
        if !self.portals.contains_key(name) && self.state.has_function_cursor(name) {
            return self.fetch_of_function(f, client);
        }
        let mut p =
            self.portals.remove(name).ok_or_else(|| err!(INVALID_CURSOR_NAME, "cursor \"{name}\" does not exist"))?;
        let r = self.fetch_from(name, &mut p, normal(f.direction), f.is_move, client);
        self.portals.insert(name.clone(), p);
        Ok(format!("{} {}", if f.is_move { "MOVE" } else { "FETCH" }, r?))
    }
    fn fetch_from(
        &mut self,
        name: &str,
        p: &mut Portal,
        direction: Direction,
        is_move: bool,
        client: &mut dyn Client,
    ) -> Result<u64> {
        let fields = p.fields().map(<[Field]>::to_vec).unwrap_or_default();
        let types: Vec<Type> = fields.iter().map(|f| f.ty).collect();
        let formats = p.formats.clone();
        let names = self.names_for(&types);
        let mut sink =
            Announced { client, fields: &fields, formats: &formats, types: &types, names, begun: self.extended };
        let to: Option<&mut dyn RowSink> = if is_move { None } else { Some(&mut sink) };
        let n = match p.cursor.take() {
            Some(c) if c.failed => {
                p.cursor = Some(c);
                bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "portal \"{name}\" cannot be run");
            }
            Some(mut c) => {
                let r = c.fetch(direction, to, p, self);
                c.stand(p);
                // Whatever went wrong: PostgreSQL's portal is a failed one then.
                c.failed |= r.is_err();
                p.cursor = Some(c);
                r?
            }
            None => self.fetch_portal(p, direction, to)?,
        };
        if !is_move {
            sink.begin();
        }
        Ok(n)
    }
    /// The same of a cursor that a function has opened.
    fn fetch_of_function(&mut self, f: &Fetch, client: &mut dyn Client) -> Result<String> {
        let Some(got) = self.state.fetch_of_function(&f.cursor, normal(f.direction), f.is_move) else {
            bail!(INVALID_CURSOR_NAME, "cursor \"{}\" does not exist", f.cursor)
        };
        let got = got?;
        let tag = format!("{} {}", if f.is_move { "MOVE" } else { "FETCH" }, got.processed);
        if f.is_move {
            return Ok(tag);
        }
        let fields = got.fields();
        let types: Vec<Type> = fields.iter().map(|f| f.ty).collect();
        let formats = vec![0; fields.len()];
        let names = self.names_for(&types);
        let begun = self.extended;
        let mut sink = Announced { client, fields: &fields, formats: &formats, types: &types, names, begun };
        sink.begin();
        for row in &got.rows {
            emit(row, &types, &mut sink)?;
        }
        Ok(tag)
    }
    /// FETCH from a portal of the extended protocol: forward only.
    fn fetch_portal(&mut self, p: &mut Portal, d: Direction, to: Option<&mut dyn RowSink>) -> Result<u64> {
        let n = match d {
            Direction::Forward(n) | Direction::Relative(n) if n >= 0 => n,
            _ => return Err(only_forward()),
        };
        // The executor's 0 means all rows.
        let max = if n == Direction::ALL { 0 } else { n as u64 };
        let r = match to {
            _ if n == 0 => return Ok(0),
            Some(to) => self.run_portal(p, max, to)?,
            None => {
                let memory = self.state.work().memory.clone();
                let (visible, places) = (usize::MAX, &mut Vec::new());
                self.run_portal(
                    p,
                    max,
                    &mut Output { buffer: None, to: None, memory: &memory, size: 0, visible, left: 0, places },
                )?
            }
        };
        Ok(match r {
            RunState::Done(k) => k,
            RunState::Suspended => max,
        })
    }

    /// No name: all.
    pub(super) fn close_cursor(&mut self, name: Option<&str>) -> Result<()> {
        match name {
            None => {
                self.portals.clear();
                self.state.close_function_cursor(None);
            }
            Some(n) if self.portals.remove(n).is_some() || self.state.close_function_cursor(Some(n)) => {}
            Some(n) => bail!(INVALID_CURSOR_NAME, "cursor \"{n}\" does not exist"),
        }
        Ok(())
    }

    /// Ends the transaction, committing it; cursors WITH HOLD stay. The tag is "ROLLBACK" when it had failed.
    pub(super) fn commit(&mut self) -> Result<&'static str> {
        if self.portals.is_empty() {
            let r = self.state.commit();
            self.drop_portals();
            return r;
        }
        if !self.state.failed
            && let Err(e) = self.persist_cursors()
        {
            let e = self.state.settled(e);
            self.drop_portals();
            self.state.rollback();
            return Err(e);
        }
        let r = self.state.commit();
        if matches!(r, Ok("COMMIT")) {
            for p in self.portals.values_mut() {
                if let Some(c) = p.cursor.as_mut().filter(|c| c.hold && !c.failed) {
                    c.held = true;
                    p.listed().into_iter().for_each(|l| l.row(|r| r.held = true));
                }
            }
        }
        self.drop_portals();
        r
    }
    fn persist_cursors(&mut self) -> Result<()> {
        let fresh = |p: &Portal| p.cursor.as_ref().is_some_and(|c| c.hold && !c.held && !c.failed);
        self.portals.retain(|_, p| fresh(p) || p.cursor.as_ref().is_some_and(|c| c.held));
        let names: Vec<String> = self.portals.iter().filter(|(_, p)| fresh(p)).map(|(n, _)| n.clone()).collect();
        for n in names {
            let Some(mut p) = self.portals.remove(&n) else { continue };
            let Some(mut c) = p.cursor.take() else { continue };
            c.persist(&p, self)?;
            p.cursor = Some(c);
            self.portals.insert(n, p);
        }
        Ok(())
    }
    /// A portal's execution holds the transaction's snapshot, so portals go with it, except cursors WITH HOLD that a commit left. The unnamed portal's
    /// buffers are kept for the next Bind.
    pub(super) fn drop_portals(&mut self) {
        if !self.portals.is_empty() {
            self.portals.retain(|_, p| p.cursor.as_ref().is_some_and(|c| c.held));
        }
        if let Some(p) = &mut self.unnamed_portal {
            p.end();
        }
    }
    /// PREPARE TRANSACTION: 0A000 with a new cursor WITH HOLD; the other portals go.
    pub(super) fn drop_portals_for_prepare(&mut self) -> Result<()> {
        if self.portals.values().any(|p| p.cursor.as_ref().is_some_and(|c| c.hold && !c.held)) {
            bail!(FEATURE_NOT_SUPPORTED, "cannot PREPARE a transaction that has created a cursor WITH HOLD");
        }
        self.drop_portals();
        Ok(())
    }
    /// After ROLLBACK TO: portals made under a savepoint that is gone, or since it was set, go.
    pub(super) fn portals_rolled_back(&mut self) {
        let open = self.state.frames.len();
        self.state.function_cursors_rolled_back(open.saturating_sub(1));
        self.portals.retain(|_, p| p.level < open || p.cursor.as_ref().is_some_and(|c| c.held));
        if let Some(p) = &mut self.unnamed_portal {
            p.end();
        }
    }
    /// After RELEASE: what was made under the savepoint belongs to what is around it.
    pub(super) fn portals_released(&mut self) {
        let open = self.state.frames.len();
        for p in self.portals.values_mut() {
            p.level = p.level.min(open);
        }
    }
}
