//! COPY FROM's sink.
use super::ExecCtx;
use super::dml::{Inserted, WriteBuf, Wx, insert_row, may_write};
use super::fk::Checks;
use super::gather;
use super::trigger;
use pamir_catalog::Table;
use pamir_catalog::trigger::Event;
use pamir_expr::access;
use pamir_expr::expr::{self, Px, RowCx};
use pamir_expr::ranges::{Fit, fit};
use pamir_types::work;
use pamir_types::{Datum, Oid, Result, bail};
use std::sync::Arc;

/// COPY FROM's sink: rows (one datum per listed column) into a table, with defaults, constraints and indexes, in batches.
/// Foreign keys are checked every [`CHECK_BATCH`] rows, so that the queue stays short.
pub struct CopyInsert {
    table: Arc<Table>,
    columns: Vec<usize>,
    /// Columns that take their default.
    rest: Vec<usize>,
    /// Rows for which it is not true are left out.
    condition: Option<Px>,
    /// What the defaults draw from sequences, if they are computed for the rows of a batch.
    drawn: Vec<(Oid, bool)>,
    rows: gather::Rows,
    buf: WriteBuf,
    checks: Checks,
    /// Columns whose values hold some of domains.
    domains: Vec<(usize, Oid)>,
    /// Of columns that are not given: what their domains say.
    domain_defaults: Vec<(usize, Px)>,
    n: u64,
    /// Rows given, and of each that waits to be written which it was.
    given: u64,
    waiting: Vec<u64>,
    failed: Option<u64>,
}
/// Rows between two rounds of foreign key checks.
const CHECK_BATCH: u64 = 1000;

/// Computes the columns that take their default.
fn complete(t: &Table, rest: &[usize], row: &mut [Datum], cx: &mut ExecCtx) -> Result<()> {
    let ex = access::exprs(t, cx.env)?;
    for c in rest {
        let d = match (ex.defaults.get(*c), t.columns.get(*c)) {
            (Some(Some(p)), _) => expr::eval(p, &mut RowCx { row: &[], env: cx.env })?,
            (_, Some(col)) => {
                // An identity column: its sequence, in the column's own width.
                let Some(seq) = col.sequence else { continue };
                match fit(Datum::Int8(cx.env.nextval(seq, false)?), col.ty) {
                    Fit::Value(d) => d,
                    _ => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range"),
                }
            }
            _ => continue,
        };
        if let Some(s) = row.get_mut(*c) {
            *s = d;
        }
    }
    Ok(())
}
impl CopyInsert {
    pub fn new(table: &Arc<Table>, columns: &[i16], condition: Option<Px>, cx: &mut ExecCtx) -> Result<CopyInsert> {
        may_write(cx.txn, table, "COPY FROM")?;
        let columns: Vec<usize> = columns.iter().map(|a| (*a as usize).wrapping_sub(1)).collect();
        let ex = access::exprs(table, cx.env)?;
        let rest: Vec<usize> = (0..table.columns.len())
            .filter(|i| {
                let identity = table.columns.get(*i).is_some_and(|c| c.identity.is_some() && c.sequence.is_some());
                !columns.contains(i) && (identity || ex.defaults.get(*i).is_some_and(Option::is_some))
            })
            .collect();
        let drawn = if cx.txn.far()
            && table.triggers.is_none()
            && !table.is_partitioned()
            && condition.is_none()
            && table.declared.domains.is_empty()
        {
            let of = |c: &usize| match (ex.defaults.get(*c), table.columns.get(*c).and_then(|c| c.sequence)) {
                (Some(Some(p)), _) => p.sequence(),
                (_, identity) => identity.map(|s| (s, false)),
            };
            rest.iter().filter_map(of).collect()
        } else {
            Vec::new()
        };
        let mut domain_defaults = Vec::new();
        let catalog = cx.env.catalog().clone();
        for (attnum, domain) in &table.declared.domains {
            let c = *attnum as usize - 1;
            if !columns.contains(&c)
                && !rest.contains(&c)
                && let (Some(text), Some(col)) = (catalog.domain_default(*domain), table.columns.get(c))
            {
                let bound = cx.env.bind_stored(table, text, Some(col.ty))?;
                domain_defaults.push((c, expr::compile_simple(&bound)?));
            }
        }
        let mut checks = Checks::default();
        checks.changes_of(table.is_partitioned().then(|| table.clone()));
        trigger::begin(table, Event::Insert, &[], &mut checks, &mut Wx::of(cx))?;
        Ok(CopyInsert {
            domains: pamir_expr::domains::columns(table, &catalog),
            domain_defaults,
            table: table.clone(),
            columns,
            rest,
            condition,
            drawn,
            rows: gather::Rows::new(table, cx.txn.far() && table.triggers.is_none() && !table.is_partitioned()),
            buf: WriteBuf::default(),
            checks,
            n: 0,
            given: 0,
            waiting: Vec::new(),
            failed: None,
        })
    }
    /// Takes the values out of `values`.
    pub fn row(&mut self, values: &mut Vec<Datum>, cx: &mut ExecCtx) -> Result<()> {
        self.given += 1;
        let made = self.make(values, cx);
        if !matches!(made, Ok(true)) {
            self.rows.take_back();
            return made.map(|_| ());
        }
        if cx.txn.far() && self.table.triggers.is_none() && !self.table.is_partitioned() {
            self.waiting.push(self.given);
        }
        if self.rows.is_full() { self.write(cx) } else { Ok(()) }
    }
    /// Makes a row; false: it is left out.
    fn make(&mut self, values: &mut Vec<Datum>, cx: &mut ExecCtx) -> Result<bool> {
        let row = self.rows.add();
        for (c, d) in self.columns.iter().zip(values.drain(..)) {
            if let Some(s) = row.get_mut(*c) {
                *s = d;
            }
        }
        if self.drawn.is_empty() {
            complete(&self.table, &self.rest, row, cx)?;
        }
        for (c, default) in &self.domain_defaults {
            let d = expr::eval(default, &mut RowCx { row: &[], env: cx.env })?;
            if let Some(s) = row.get_mut(*c) {
                *s = d;
            }
        }
        for (c, domain) in &self.domains {
            if let Some(d) = row.get(*c) {
                pamir_expr::domains::check_held(d, *domain, cx.env)?;
            }
        }
        if let Some(c) = &self.condition
            && !matches!(expr::eval(c, &mut RowCx { row, env: cx.env })?, Datum::Bool(true))
        {
            if work::spend(work::ROW) {
                super::breathe(cx.env)?;
            }
            return Ok(false);
        }
        Ok(true)
    }
    /// Draws the values of sequences of the rows that wait, and computes their other defaults.
    fn draw(&mut self, cx: &mut ExecCtx) -> Result<()> {
        let n = self.rows.waiting();
        if n > 1 {
            self.drawn.iter().for_each(|(seq, checked)| cx.env.nextval_ahead(*seq, *checked, n));
        }
        let r = self.rows.complete(|row| complete(&self.table, &self.rest, row, cx));
        cx.env.nextval_ahead(0, false, 0);
        r
    }
    /// Writes the rows that wait.
    pub fn write(&mut self, cx: &mut ExecCtx) -> Result<()> {
        let drawn = if self.drawn.is_empty() { Ok(()) } else { self.draw(cx) };
        let mut wx = Wx::of(cx);
        let mut written = 0;
        for (i, row) in self.rows.claim(&self.table, &mut wx)?.iter_mut().enumerate() {
            self.failed = self.waiting.get(i).copied();
            written = i + 1;
            if self.table.view.is_some() {
                let done = trigger::instead_of_row(&self.table, Event::Insert, None, Some(row), &mut wx)?;
                self.n += u64::from(done);
                continue;
            }
            if self.table.triggers.is_some()
                && !self.table.is_partitioned()
                && !trigger::before_row(&self.table, Event::Insert, &[], None, Some(row), &mut wx)?
            {
                continue;
            }
            if self.table.is_partitioned() {
                let (t, checks, buf) = (&self.table, &mut self.checks, &mut self.buf);
                self.n += u64::from(super::dml::route::insert(t, row, &mut wx, checks, buf)?.is_some());
            } else {
                match insert_row(&self.table, row, None, &mut wx, &mut self.checks, &mut self.buf)? {
                    Inserted::Done | Inserted::Conflict { .. } => self.n += 1,
                }
            }
            if work::spend(work::ROW) {
                super::breathe(wx.env)?;
            }
            if self.n.is_multiple_of(CHECK_BATCH) && self.table.triggers.is_none() {
                // A self-referencing table may name rows that come later: only at the end.
                if !self.table.foreign_keys.iter().any(|f| f.ref_table == self.table.oid) {
                    self.checks.run(&mut wx)?;
                }
            }
        }
        self.failed = if drawn.is_err() { self.waiting.get(written).copied() } else { None };
        self.waiting.clear();
        drawn
    }
    /// Which of the rows given, counted from 1, could not be written, if it had to wait.
    pub fn failed(&self) -> Option<u64> {
        self.failed
    }
    /// How many rows were written.
    pub fn finish(&mut self, cx: &mut ExecCtx) -> Result<u64> {
        self.write(cx)?;
        let mut wx = Wx::of(cx);
        self.checks.end_statement(&self.table, Event::Insert, &[]);
        self.checks.run(&mut wx)?;
        cx.txn.flush()?;
        Ok(self.n)
    }
}
