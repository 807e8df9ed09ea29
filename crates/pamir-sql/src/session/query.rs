//! Portals, and planning and running statements that have plans (SELECT, INSERT, UPDATE, DELETE).
use super::cursor::{Cursor, Listed};
use super::follower::Taken;
use super::literals::{self, Known, Scanned};
use super::observe::Finished;
use super::shared::Origin;
use super::state::Block;
use super::statement::{Planned, PreparedStmt, Tag, Told};
use super::{ExecuteOutcome, Session};
use crate::client::{Client, Field, RowSink};
use pamir_exec::{Execution, RunState};
use pamir_expr::deep::on_stack_for;
use pamir_expr::env::CursorInfo;
use pamir_expr::ir::OutCol;
use pamir_expr::plan::{Plan, RunStats};
use pamir_txn::Held;
use pamir_types::encoding::Encoding;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, encoding, err, work};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a statement costs that does next to nothing.
const STATEMENT: usize = 2000;

thread_local! {
    /// Buffers for the fast forms of plans: of the thread, so that they are warm in the caches whichever session runs.
    static SCRATCH: Cell<Option<Box<pamir_exec::Scratch>>> = const { Cell::new(None) };
}

/// Rows of a replica's: none leaves before it is known that it may be told.
struct Leased<'a> {
    sink: &'a mut dyn RowSink,
    txn: &'a pamir_txn::Txn,
}
impl RowSink for Leased<'_> {
    fn begin_row(&mut self, columns: usize) {
        self.sink.begin_row(columns)
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        self.sink.datum(d, ty)
    }
    fn bytes(&mut self, b: &[u8]) {
        self.sink.bytes(b)
    }
    fn null(&mut self) {
        self.sink.null()
    }
    fn end_row(&mut self) -> Result<()> {
        if self.sink.leaves() {
            self.txn.settle()?;
        }
        self.sink.end_row()
    }
    fn leaves(&self) -> bool {
        self.sink.leaves()
    }
}

enum Fast {
    /// So many rows.
    Done(u64),
    No(pamir_txn::Snapshot),
}

enum Run {
    Ready,
    Started(Box<Execution>, pamir_txn::Snapshot, u64),
    Done,
    /// Its transaction is over.
    Ended,
}

/// A bound statement ready to run, or part-way.
pub struct Portal {
    stmt: Arc<PreparedStmt>,
    planned: Option<Arc<Planned>>,
    pub params: Vec<Datum>,
    pub formats: Vec<i16>,
    types: Vec<Type>,
    /// Result columns of statements without a plan (SHOW, EXPLAIN, FETCH).
    other_fields: Option<Vec<Field>>,
    run: Run,
    /// DECLAREd.
    pub(super) cursor: Option<Box<Cursor>>,
    /// Time that calls took so far, of one that is not at its end.
    spent: Duration,
    /// Counters of its run, for auto_explain.
    stats: Option<Box<RunStats>>,
    /// How many savepoints were open when it was made: rolling back to one set later leaves it.
    pub(super) level: usize,
    /// Named portals stand in pg_cursors.
    listed: Option<Listed>,
    /// ... and are charged to the session.
    _memory: Option<Held>,
}
/// A portal before its run.
pub(super) struct Fresh {
    planned: Option<Arc<Planned>>,
    params: Vec<Datum>,
}
/// What a named portal is charged, beside its parameters.
const PORTAL_MEMORY: u64 = 1 << 10;

impl Portal {
    pub fn fields(&self) -> Option<&[Field]> {
        match &self.planned {
            Some(p) => p.has_rows.then_some(&p.plan.fields[..p.plan.fields.len() - self.hidden()]),
            None => self.other_fields.as_deref(),
        }
    }
    /// The transaction is over: nothing of it is kept but buffers.
    pub fn end(&mut self) {
        self.run = Run::Ended;
    }
    /// A cursor over `stmt` (DECLARE).
    pub(super) fn cursor(
        stmt: Arc<PreparedStmt>,
        planned: Arc<Planned>,
        params: Vec<Datum>,
        format: i16,
        cursor: Cursor,
        listed: Listed,
        level: usize,
    ) -> Portal {
        let shown = planned.plan.fields.len() - cursor.hidden();
        let types = planned.plan.fields.iter().take(shown).map(|f| f.ty).collect();
        let formats = vec![format; shown];
        Portal {
            stmt,
            planned: Some(planned),
            params,
            formats,
            types,
            other_fields: None,
            run: Run::Ready,
            cursor: Some(Box::new(cursor)),
            spent: Duration::ZERO,
            stats: None,
            level,
            listed: Some(listed),
            _memory: None,
        }
    }
    pub(super) fn statement(&self) -> &PreparedStmt {
        &self.stmt
    }
    /// It has not begun to run, or is of rows that outlive transactions.
    pub(super) fn stands_alone(&self) -> bool {
        match &self.cursor {
            Some(c) => c.is_held(),
            None => matches!(self.run, Run::Ready | Run::Done | Run::Ended),
        }
    }
    /// What it takes to run it from the beginning once more; None: it has begun before.
    pub(super) fn fresh(&self) -> Option<Fresh> {
        let fresh = self.cursor.is_none() && matches!(self.run, Run::Ready);
        fresh.then(|| Fresh {
            planned: self.planned.clone(),
            // Of a statement with a plan they stay where they are.
            params: if self.planned.is_none() { self.params.clone() } else { Vec::new() },
        })
    }
    /// It has not run.
    pub(super) fn refresh(&mut self, of: &Fresh) {
        (self.run, self.spent, self.stats) = (Run::Ready, Duration::ZERO, None);
        self.planned = of.planned.clone();
        if of.planned.is_none() {
            self.params = of.params.clone();
        }
    }
    pub(super) fn plan(&self) -> Option<&Arc<Plan>> {
        self.planned.as_ref().map(|p| &p.plan)
    }
    fn hidden(&self) -> usize {
        self.cursor.as_ref().map_or(0, |c| c.hidden())
    }
    pub(super) fn listed(&self) -> Option<&Listed> {
        self.listed.as_ref()
    }
    /// The types of the rows as the executor makes them.
    pub(super) fn row_types(&self) -> &[Type] {
        self.planned.as_ref().map_or(&[], |p| &p.plan.root.types)
    }
}

impl Session {
    /// Parameter types and result fields, as Describe shows them.
    pub fn describe(&mut self, stmt: &PreparedStmt) -> Result<(Vec<Oid>, Option<Vec<Field>>)> {
        if !stmt.is_query() {
            let types = match stmt.inner() {
                Some(query) => self.state.plan_for(query)?.param_types.iter().map(|t| t.oid).collect(),
                None => stmt.parameter_types(),
            };
            return Ok((types, self.utility_fields(stmt)?));
        }
        let p = self.state.plan_for(stmt)?;
        Ok((p.param_types.iter().map(|t| t.oid).collect(), p.has_rows.then(|| p.plan.fields.clone())))
    }

    /// `values` are the raw parameter values as sent. 08P01 on a wrong count, 26000 on an unknown statement.
    pub fn bind(
        &mut self,
        portal: &str,
        statement: &str,
        param_formats: &[i16],
        values: &[Option<&[u8]>],
        result_formats: &[i16],
        _client: &mut dyn Client,
    ) -> Result<()> {
        self.bind_portal(portal, statement, param_formats, values, result_formats).inspect_err(|_| {
            if let Ok(stmt) = self.statement(statement) {
                self.shown(&stmt.text);
            }
        })
    }
    fn bind_portal(
        &mut self,
        portal: &str,
        statement: &str,
        param_formats: &[i16],
        values: &[Option<&[u8]>],
        result_formats: &[i16],
    ) -> Result<()> {
        self.state.start_extended()?;
        let stmt = self.statement(statement)?;
        self.check_failed(&stmt)?;
        if !portal.is_empty() && self.portals.contains_key(portal) {
            bail!(DUPLICATE_CURSOR, "cursor \"{portal}\" already exists");
        }
        let planned = if stmt.is_query() { Some(self.state.plan_for(&stmt)?) } else { None };
        let inner = if planned.is_none() { stmt.inner() } else { None };
        let inner = inner.map(|query| self.state.plan_for(query)).transpose()?;
        let typed = planned.as_ref().or(inner.as_ref());
        let own = if typed.is_none() { stmt.parameter_types() } else { Vec::new() };
        let param_count = typed.map_or(own.len(), |p| p.param_types.len());
        if values.len() != param_count {
            bail!(
                PROTOCOL_VIOLATION,
                "bind message supplies {} parameters, but prepared statement \"{statement}\" requires {param_count}",
                values.len()
            );
        }
        if param_formats.len() > 1 && param_formats.len() != values.len() {
            bail!(
                PROTOCOL_VIOLATION,
                "bind message has {} parameter formats but {} parameters",
                param_formats.len(),
                values.len()
            );
        }
        // Buffers of the previous unnamed portal are used again.
        let (mut params, mut formats, mut types) = match self.unnamed_portal.take() {
            Some(p) if portal.is_empty() => (p.params, p.formats, p.types),
            other => {
                self.unnamed_portal = other;
                Default::default()
            }
        };
        params.clear();
        formats.clear();
        types.clear();
        let untyped = |t: Oid| if t == 0 { Type::TEXT } else { Type::new(t) };
        let types_of = |i: usize| typed.map_or_else(|| untyped(own[i]), |p| p.param_types[i]);
        self.read_params(param_formats, values, &types_of, &mut params)?;
        let other_fields = if planned.is_none() { self.utility_fields(&stmt)? } else { None };
        {
            let fields = match &planned {
                Some(p) if p.has_rows => &p.plan.fields[..],
                _ => other_fields.as_deref().unwrap_or(&[]),
            };
            types.extend(fields.iter().map(|f| f.ty));
            let n = types.len();
            match result_formats {
                [] => formats.resize(n, 0),
                [one] => formats.resize(n, *one),
                many if many.len() == n => formats.extend_from_slice(many),
                many => bail!(
                    PROTOCOL_VIOLATION,
                    "bind message has {} result formats but query has {n} columns",
                    many.len()
                ),
            }
            if let Some(f) = formats.iter().find(|f| !(0..=1).contains(*f)) {
                bail!(INVALID_PARAMETER_VALUE, "unsupported format code: {f}");
            }
        }
        let level = self.state.frames.len();
        let listed = (!portal.is_empty()).then(|| {
            let info = CursorInfo {
                statement: stmt.text.clone(),
                holdable: false,
                binary: false,
                scrollable: false,
                created: self.state.statement_time,
                row: None,
            };
            Listed::new(&self.state.cursors, portal, info)
        });
        let _memory = match portal.is_empty() {
            true => None,
            false => {
                let values: usize = params.iter().map(pamir_exec::datum_size).sum();
                Some(self.state.work().memory.hold(PORTAL_MEMORY + values as u64)?)
            }
        };
        let run = Run::Ready;
        let (cursor, spent, stats) = Default::default();
        let p = Portal {
            stmt,
            planned,
            params,
            formats,
            types,
            other_fields,
            run,
            cursor,
            spent,
            stats,
            level,
            listed,
            _memory,
        };
        if portal.is_empty() {
            self.unnamed_portal = Some(p)
        } else {
            drop(self.portals.insert(portal.to_string(), p))
        }
        Ok(())
    }

    /// A message's parameters.
    fn read_params(
        &mut self,
        formats: &[i16],
        values: &[Option<&[u8]>],
        types: &dyn Fn(usize) -> Type,
        out: &mut Vec<Datum>,
    ) -> Result<()> {
        let (converted, slices);
        let mut values = values;
        let encoding = self.state.settings.text.encoding;
        if encoding.converts() {
            converted = decoded(encoding, formats, values, types)?;
            slices = converted.iter().map(Option::as_deref).collect::<Vec<_>>();
            values = &slices;
        }
        for (i, v) in values.iter().enumerate() {
            let format = match formats {
                [] => 0,
                [one] => *one,
                many => many[i],
            };
            out.push(match v {
                None => Datum::Null,
                Some(b) => self.read_param(b, format, types(i), i)?,
            });
        }
        Ok(())
    }
    fn read_param(&mut self, b: &[u8], format: i16, ty: Type, i: usize) -> Result<Datum> {
        match format {
            0 => {
                let s = encoding::utf8_text(b).map_err(|e| of_parameter(e, i))?;
                input(&s, ty, &mut self.state)
            }
            1 => pamir_types::binary::decode_with(b, ty, self.state.settings.text.types.as_deref())
                .map_err(|e| of_parameter(e, i)),
            f => Err(err!(INVALID_PARAMETER_VALUE, "unsupported format code: {f}")),
        }
    }

    pub fn execute(&mut self, portal: &str, max_rows: u64, client: &mut dyn Client) -> Result<ExecuteOutcome> {
        self.state.start_extended()?;
        // The portal is taken out while it runs, so that the statement may use the session freely.
        let taken = if portal.is_empty() { self.unnamed_portal.take() } else { self.portals.remove(portal) };
        // Portals went with the transaction that failed; PostgreSQL keeps them to say that it did.
        let gone = || match self.state.failed {
            true => super::aborted(),
            false => err!(INVALID_CURSOR_NAME, "portal \"{portal}\" does not exist"),
        };
        let mut p = taken.filter(|p| !matches!(p.run, Run::Ended)).ok_or_else(gone)?;
        self.shown(&p.stmt.text);
        let types = p.planned.as_ref().map_or(&[][..], |p| &p.param_types);
        self.log_start(&p.stmt, &p.stmt.text, (&p.params, types), Some(portal));
        let r = self.execute_steadily(portal, &mut p, max_rows, client);
        if r.is_err() {
            let types = p.planned.as_ref().map_or(&[][..], |p| &p.param_types);
            self.keep_failed_values((&p.params, types));
        }
        self.state.flush_notices(client);
        // A COMMIT or ROLLBACK run through this portal ended all portals.
        if self.state.block == Block::Idle {
            p.end();
        }
        if portal.is_empty() {
            self.unnamed_portal = Some(p)
        } else {
            drop(self.portals.insert(portal.to_string(), p))
        }
        r.map(|()| ExecuteOutcome::Sent)
    }

    pub(super) fn execute_portal(&mut self, p: &mut Portal, max_rows: u64, client: &mut dyn Client) -> Result<()> {
        let stmt = p.stmt.clone();
        if stmt.stmt.is_none() {
            client.empty_query();
            return Ok(());
        }
        self.check_failed(&stmt)?;
        self.set_formats(client, &p.formats, &p.types);
        if p.planned.is_none() {
            let params = std::mem::take(&mut p.params);
            self.extended = true;
            let r = on_stack_for(stmt.deep, || self.run_utility(&stmt, &params, client, false));
            self.extended = false;
            self.state.stop_clock();
            return r;
        }
        let mut tag = String::new();
        let state = match p.cursor.take() {
            Some(mut c) => {
                let r = c.execute(max_rows, client, p, self);
                p.cursor = Some(c);
                r?
            }
            None => self.run_portal(p, max_rows, client)?,
        };
        match state {
            RunState::Done(rows) => {
                self.state.stop_clock();
                p.planned.as_ref().map_or(Tag::Select, |x| x.tag).write(rows, &mut tag);
                self.state.flush_notices(client);
                client.command_complete(&tag);
                if let Some(planned) = &p.planned {
                    let values = (&p.params[..], &planned.param_types[..]);
                    let (before, planned) = (p.spent, Some(&**planned));
                    let stats = p.stats.as_deref();
                    self.finished(&Finished { stmt: &stmt, text: &stmt.text, planned, values, rows, before, stats });
                }
            }
            RunState::Suspended => {
                p.spent += self.state.current.started.elapsed();
                client.portal_suspended()
            }
        }
        Ok(())
    }

    /// Announces the formats of rows; where they hold reg* values the client gets the catalog's names to print them with.
    pub fn set_formats(&self, client: &mut dyn Client, formats: &[i16], types: &[Type]) {
        client.set_formats(formats, types);
        if let Some(cx) = self.names_for(types) {
            client.set_text_ctx(&cx);
        }
    }
    /// The text settings with names, where values of these types may need them.
    pub fn names_for(&self, types: &[Type]) -> Option<pamir_types::text::TextCtx> {
        types.iter().any(|t| may_hold_reg(*t)).then(|| self.naming_ctx())
    }
    /// The text settings, with names for reg* values.
    pub fn naming_ctx(&self) -> pamir_types::text::TextCtx {
        self.state.naming_ctx()
    }

    /// Runs a plan without operators if it has such a form; the statement's snapshot otherwise.
    fn run_fast(&mut self, plan: &Plan, params: &[Datum], sink: &mut dyn RowSink) -> Result<Fast> {
        let txn = self.state.begin_if_needed();
        let snapshot = txn.statement();
        let mut scratch = SCRATCH.take().unwrap_or_default();
        let mut leased = Leased { sink, txn: &txn };
        // Where no lease is needed the rows go straight to the client.
        let sink: &mut dyn RowSink = if txn.needs_lease() { &mut leased } else { &mut *leased.sink };
        let r = match plan.deep {
            true => None,
            false => {
                self.in_exec(&txn, snapshot.clone(), params, |cx| pamir_exec::run_fast(plan, cx, &mut scratch, sink))
            }
        };
        scratch.shrink();
        SCRATCH.set(Some(scratch));
        match r {
            Some(r) => r.map(Fast::Done),
            None => Ok(Fast::No(snapshot)),
        }
    }

    /// Starts or continues a portal with a plan.
    pub fn run_portal(&mut self, p: &mut Portal, max_rows: u64, sink: &mut dyn RowSink) -> Result<RunState> {
        match &p.run {
            Run::Done => return Ok(RunState::Done(0)),
            Run::Ended => bail!(INVALID_CURSOR_STATE, "portal's transaction has ended"),
            Run::Ready => {
                let mut planned =
                    self.state.locked_plan(&p.stmt, p.planned.take(), Told::Result, Taken::of_limit(max_rows))?;
                if let Some(custom) = self.state.custom_plan(&p.stmt, &planned, &p.params)? {
                    planned = custom;
                }
                let plan = planned.plan.clone();
                p.planned = Some(planned);
                let analyze = self.state.settings.observe.analyzes();
                let snapshot = if max_rows == 0 && !analyze {
                    match self.run_fast(&plan, &p.params, sink)? {
                        Fast::Done(rows) => {
                            p.run = Run::Done;
                            return Ok(RunState::Done(rows));
                        }
                        Fast::No(snapshot) => snapshot,
                    }
                } else {
                    self.state.begin_if_needed().statement()
                };
                p.run = Run::Started(Box::new(Execution::new(plan, analyze)), snapshot, 0);
            }
            Run::Started(..) => {}
        }
        let Run::Started(mut execution, snapshot, sent) = std::mem::replace(&mut p.run, Run::Ended) else {
            return Err(Error::internal("portal is not running"));
        };
        let txn = self.state.begin_if_needed();
        let r = self.in_exec(&txn, snapshot.clone(), &p.params, |cx| execution.run(cx, max_rows, sink))?;
        p.run = match r {
            RunState::Done(_) => {
                p.stats = execution.stats().map(|s| Box::new(s.clone()));
                Run::Done
            }
            RunState::Suspended => Run::Started(execution, snapshot, sent + max_rows),
        };
        // A continued portal's tag counts the rows of this Execute only, as PostgreSQL's does.
        Ok(match r {
            RunState::Done(n) => RunState::Done(n.saturating_sub(sent)),
            s => s,
        })
    }

    /// Runs `f` with an execution context over `txn` and `snapshot`.
    pub fn in_exec<R>(
        &mut self,
        txn: &pamir_txn::Txn,
        snapshot: pamir_txn::Snapshot,
        params: &[Datum],
        f: impl FnOnce(&mut pamir_exec::ExecCtx) -> R,
    ) -> R {
        let work = self.state.work();
        let mut deferred = self.state.deferred.lend();
        self.state.running = self.state.catalog.has_routines().then(|| snapshot.clone());
        let r = f(&mut pamir_exec::ExecCtx {
            txn,
            snapshot,
            env: &mut self.state,
            params,
            work: &work,
            deferred: &mut deferred,
        });
        self.state.deferred.take_back(deferred);
        self.state.end_nested();
        r
    }

    /// Runs a simple query whose plan does not depend on its literals with the plan of its shape; None: it must go the ordinary way (see `literals.rs`).
    pub fn run_shape(&mut self, sql: &str, client: &mut dyn Client) -> Option<Result<()>> {
        let mut shape = std::mem::take(&mut self.shapes.scratch);
        let r = match literals::scan(sql, &mut shape) {
            Scanned::No => None,
            // Uncommitted DDL: plans are made anew each time, which many rows are worth.
            Scanned::Whole if self.state.private => None,
            Scanned::Whole => self.run_scanned(sql, &shape, client),
            Scanned::Rows(at) => self.run_rows(sql, at, &mut shape.key, client),
        };
        self.shapes.scratch = shape;
        r
    }
    fn run_scanned(&mut self, sql: &str, shape: &literals::Shape, client: &mut dyn Client) -> Option<Result<()>> {
        self.shapes.renew(self.state.catalog.version, self.state.context());
        let stmt = match self.shapes.find(&shape.key)? {
            Known::Plain => return None,
            Known::Prepared(stmt) => stmt,
            Known::Seen => {
                let (text, declared) = literals::template(sql, shape);
                let stmt = self.prepare_template(text, declared).map(|p| p.0);
                let known = stmt.as_ref().map_or(Known::Plain, |s| Known::Prepared(s.clone()));
                self.shapes.set(&shape.key, known);
                stmt?
            }
        };
        // Before the literals are read: 'now' is one.
        self.started(sql);
        let planned =
            self.state.plan_for(&stmt).ok().filter(|p| literals::serves_others(&p.plan) && stmt.serves_new())?;
        let mut params: SmallVec<[Datum; 8]> = SmallVec::new();
        for (l, ty) in shape.literals.iter().zip(&planned.param_types) {
            params.push(input(&l.value(sql)?, *ty, &mut self.state).ok()?);
        }
        match self.run_with_shape(sql, &stmt, planned, &params, client) {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(e) => Some(Err(e)),
        }
    }
    /// False: nothing has happened, and the ordinary way is to be taken.
    fn run_with_shape(
        &mut self,
        sql: &str,
        stmt: &PreparedStmt,
        read_for: Arc<Planned>,
        params: &[Datum],
        client: &mut dyn Client,
    ) -> Result<bool> {
        self.check_failed(stmt)?;
        let planned = self.state.locked_plan(stmt, Some(read_for.clone()), Told::Nothing, Taken::Whole)?;
        // While it waited for the table, the columns may have become others than those the literals were read for.
        if !Arc::ptr_eq(&planned, &read_for) {
            return Ok(false);
        }
        let stop = literals::computes_nothing_without_a_row(&planned.plan);
        self.log_start(stmt, sql, (&[], &[]), None);
        let Some((rows, stats)) = self.run_planned(&planned, params, true, stop, client)? else { return Ok(false) };
        self.state.db.shapes_reused.fetch_add(1, Ordering::Relaxed);
        let values = (&[][..], &[][..]);
        let (before, stats, planned) = (Duration::ZERO, stats.as_deref(), Some(&*planned));
        self.finished(&Finished { stmt, text: sql, planned, values, rows, before, stats });
        Ok(true)
    }
    /// The statement for a shape, planned; None: not one whose plan may serve other literals.
    pub(super) fn prepare_template(
        &mut self,
        text: String,
        declared: Vec<Oid>,
    ) -> Option<(Arc<PreparedStmt>, Arc<Planned>)> {
        // Another session may have made it, for this or as a prepared statement.
        let found = self.state.shared(Origin::Parse, &text, &declared);
        let new = found.is_none();
        let stmt = match found {
            Some(stmt) => stmt,
            None => {
                let mut script = pamir_plan::parser::parse(&text).ok()?;
                let parsed = script.statements.pop()?;
                // Whoever sends a name that is cut is told each time.
                if parsed.deep || !script.notices.is_empty() {
                    return None;
                }
                Arc::new(PreparedStmt::new(text, Some(parsed.stmt), declared))
            }
        };
        if !stmt.is_query() {
            return None;
        }
        let planned = self.state.plan_for(&stmt).ok()?;
        if !literals::serves_others(&planned.plan) || planned.param_types.len() != stmt.declared().len() {
            return None;
        }
        if new {
            self.state.share(Origin::Parse, &stmt.text, true, &stmt);
        }
        Some((stmt, planned))
    }

    /// Runs one statement of a simple query (or EXECUTE's target) from start to tag. `last`: commit an implicit transaction before the tag goes out.
    pub fn run_statement(
        &mut self,
        stmt: &Arc<PreparedStmt>,
        params: &[Datum],
        told: Told,
        last: bool,
        client: &mut dyn Client,
    ) -> Result<()> {
        if stmt.stmt.is_none() {
            client.empty_query();
            return Ok(());
        }
        self.check_failed(stmt)?;
        // A hundred thousand statements in one message are one long one to others.
        work::charge(STATEMENT)?;
        if !stmt.is_query() {
            return self.run_utility(stmt, params, client, last);
        }
        let mut planned = self.state.locked_plan(stmt, None, told, Taken::Whole)?;
        planned.takes(params)?;
        if let Some(custom) = self.state.custom_plan(stmt, &planned, params)? {
            planned = custom;
        }
        let ran = self.run_planned(&planned, params, last, false, client)?;
        if let Some((rows, stats)) = ran {
            let (values, before, stats) = ((params, &planned.param_types[..]), Duration::ZERO, stats.as_deref());
            self.finished(&Finished { stmt, text: &stmt.text, planned: Some(&planned), values, rows, before, stats });
        }
        Ok(())
    }
    /// `stop_without_row`: a fast plan that found no row ends in silence, None, and has had no effect. The rows, and the counters of its operators where
    /// auto_explain wants them.
    #[allow(clippy::type_complexity)]
    fn run_planned(
        &mut self,
        planned: &Planned,
        params: &[Datum],
        last: bool,
        stop_without_row: bool,
        client: &mut dyn Client,
    ) -> Result<Option<(u64, Option<Box<RunStats>>)>> {
        if planned.has_rows {
            let fields = &planned.plan.fields;
            let types: SmallVec<[Type; 16]> = fields.iter().map(|f| f.ty).collect();
            // EXECUTE through a portal: Bind chose the formats, and they are set.
            if !self.extended {
                let formats: SmallVec<[i16; 16]> = SmallVec::from_elem(0, types.len());
                client.row_description(fields, &formats);
                self.set_formats(client, &formats, &types);
            }
        } else {
            client.set_formats(&[], &[]);
        }
        let mut stats = None;
        let analyze = self.state.settings.observe.analyzes();
        let ran = if analyze && !stop_without_row {
            Fast::No(self.state.begin_if_needed().statement())
        } else {
            self.run_fast(&planned.plan, params, client)?
        };
        let rows = match ran {
            Fast::Done(0) if stop_without_row => return Ok(None),
            Fast::Done(rows) => rows,
            Fast::No(snapshot) => {
                let mut execution = Execution::new(planned.plan.clone(), analyze);
                let txn = self.state.begin_if_needed();
                match self.in_exec(&txn, snapshot, params, |cx| execution.run(cx, 0, client))? {
                    RunState::Done(n) => {
                        stats = execution.stats().map(|s| Box::new(s.clone()));
                        n
                    }
                    RunState::Suspended => return Err(Error::internal("execution stopped early")),
                }
            }
        };
        self.finish_statement(planned, rows, last, client)?;
        Ok(Some((rows, stats)))
    }
    /// All rows are written or sent: the end of an implicit transaction, and the tag.
    pub(super) fn finish_statement(
        &mut self,
        planned: &Planned,
        rows: u64,
        last: bool,
        client: &mut dyn Client,
    ) -> Result<()> {
        self.end_statement(last)?;
        self.state.flush_notices(client);
        let mut text = String::new();
        planned.tag.write(rows, &mut text);
        client.command_complete(&text);
        Ok(())
    }
}

fn may_hold_reg(t: Type) -> bool {
    use pamir_types::{oid, text::is_reg};
    // Asked for every column of every statement: the types that most have are told apart at once.
    let plain = matches!(t.oid, oid::INT2 | oid::INT4 | oid::INT8 | oid::TEXT | oid::VARCHAR | oid::BPCHAR | oid::BOOL)
        || matches!(t.oid, oid::FLOAT8 | oid::NUMERIC | oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ | oid::UUID);
    !plain
        && (is_reg(t.oid) || oid::is_user(t.oid) || t.oid == oid::RECORD || oid::element_of(t.oid).is_some_and(is_reg))
}

/// The input function of `ty`; names of the reg* types are looked up in the catalog, which pamir-types cannot do.
pub fn input(s: &str, ty: Type, env: &mut dyn pamir_expr::env::Env) -> Result<Datum> {
    use pamir_expr::func::{self, Body, CallInfo, CastRuleHow};
    use pamir_types::oid;
    if pamir_types::text::is_reg(ty.oid)
        && let Some(rule) = func::cast(oid::TEXT, ty.oid)
        && let CastRuleHow::Func(f) = rule.how
        && let Body::Scalar(code) = &f.body
    {
        return code.call(&CallInfo { arg_types: &[Type::TEXT], ret: ty }, &[Datum::from(s)], env);
    }
    pamir_expr::long::parse(s, ty, env)
}

pub fn fields_of(cols: &[OutCol]) -> Vec<Field> {
    cols.iter()
        .map(|c| Field {
            name: c.name.clone(),
            table: c.origin.map_or(0, |o| o.0),
            attnum: c.origin.map_or(0, |o| o.1),
            // A record's modifier is our own note of its field names.
            ty: if c.ty.oid == pamir_types::oid::RECORD { c.ty.base() } else { c.ty },
        })
        .collect()
}

fn of_parameter(e: Error, i: usize) -> Error {
    e.context(format!("unnamed portal parameter ${}", i + 1))
}
/// Parameters in the client's encoding, as the server has them.
fn decoded<'a>(
    encoding: Encoding,
    formats: &[i16],
    values: &[Option<&'a [u8]>],
    types: &dyn Fn(usize) -> Type,
) -> Result<Vec<Option<Cow<'a, [u8]>>>> {
    let of = |(i, v): (usize, &Option<&'a [u8]>)| {
        let Some(b) = *v else { return Ok(None) };
        if formats.get(i).or(formats.first()) == Some(&1) {
            return encoding::decode_binary(encoding, types(i).oid, b).map(Some).map_err(|e| of_parameter(e, i));
        }
        let mut s = String::new();
        encoding.decode(b, &mut s).map_err(|e| of_parameter(e, i))?;
        Ok(Some(s.into_bytes().into()))
    };
    values.iter().enumerate().map(of).collect()
}
