//! Rows of literals into a table: an INSERT of many VALUES, with the plan of the INSERT of one.
//!
//! ```text
//!   plan of INSERT ... VALUES ($1, $2, DEFAULT)   --RowShape-->  given: $1 -> column a, $2 -> column b      computed: column c, other defaults
//!                                                                  |                                           |
//!   first all rows: values read and cast to their columns ---> Rows (nothing written yet)                      |
//!   then row by row: given values + computed ones -----------> insert_row <------------------------------------+
//! ```
//! Every value is converted before the first row is written: a constant that its column refuses is an error of the statement's constants, which comes
//! before those of its rows. What is computed (defaults, sequences) is computed with its row, in the order of the columns, as [`super::dml`] does.
//!
//! Invariant: the plans of one statement's shapes insert into the same version of the same table.
use super::ExecCtx;
use super::dml::{Inserted, WriteBuf, Wx, assign, insert_row, may_write};
use super::fk::Checks;
use super::gather;
use pamir_expr::env::Env;
use pamir_expr::expr::{self, CastPx, Px};
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Fast, ModifyKind, ModifySpec};
use pamir_txn::face::BATCH_KEYS;
use pamir_types::work;
use pamir_types::{Datum, Error, Oid, Result, Type};
use std::sync::Arc;

/// How rows of one shape are made: the plan of an INSERT of one row whose parameters are whole values of its VALUES.
pub struct RowShape {
    plan: Arc<Plan>,
    /// By parameter; None: nothing takes it.
    given: Vec<Option<Given>>,
    /// (attnum - 1, position among the values)
    computed: Vec<(usize, usize)>,
}
#[derive(Clone, Copy)]
struct Given {
    /// attnum - 1
    column: usize,
    /// Position among the values.
    value: usize,
    /// The expression is the parameter itself.
    plain: bool,
    /// A length or precision is all that is applied to the parameter: the type with it.
    limited: Option<Type>,
}

/// Converted rows that wait to be written.
#[derive(Default)]
pub struct Rows {
    /// The given values, row after row.
    values: Vec<Datum>,
    /// Each row's shape, by its position.
    shapes: Vec<u8>,
}
impl Rows {
    pub fn reserve(&mut self, rows: usize, values: usize) {
        self.shapes.reserve(rows);
        self.values.reserve(rows.saturating_mul(values));
    }
    /// The row whose values were pushed last is complete.
    pub fn end_row(&mut self, shape: u8) {
        self.shapes.push(shape);
    }
}

/// The parameter that a value is, cast or not.
fn param_of(e: &Px) -> Option<u16> {
    match e {
        Px::Param(i) => Some(*i),
        Px::Cast(c) => param_of(&c.0),
        _ => None,
    }
}

impl RowShape {
    /// None: no plan of this kind.
    pub fn new(plan: &Arc<Plan>, params: usize) -> Option<RowShape> {
        let (exprs, slots, spec) = parts(plan)?;
        let ModifyKind::Insert { columns, .. } = &spec.op else { return None };
        let mut given = vec![None; params];
        let mut computed = Vec::new();
        for (column, slot) in columns {
            let value = slots.iter().position(|s| s == slot)?;
            let e = exprs.get(value)?;
            let Some(p) = param_of(e) else {
                computed.push((*column, value));
                continue;
            };
            let limited = match e {
                Px::Cast(c) => match (&c.0, &c.1) {
                    (Px::Param(_), CastPx::Typmod { ty, explicit: false }) => Some(*ty),
                    _ => None,
                },
                _ => None,
            };
            let g = Given { column: *column, value, plain: matches!(e, Px::Param(_)), limited };
            if given.get_mut(p as usize)?.replace(g).is_some() {
                return None;
            }
        }
        Some(RowShape { plan: plan.clone(), given, computed })
    }
    /// Values that a row keeps until it is written.
    pub fn kept(&self) -> usize {
        self.given.iter().flatten().count()
    }
    /// The type to read parameter `i` as when it is a string, if that leaves nothing to be done: the column's, its length or precision with it.
    pub fn limited(&self, i: usize) -> Option<Type> {
        self.given.get(i).copied().flatten().and_then(|g| g.limited)
    }
    /// Takes parameter `i` of the row in the making. `done`: it is as the column wants it.
    #[inline]
    pub fn push(&self, i: usize, d: Datum, done: bool, env: &mut dyn Env, rows: &mut Rows) -> Result<()> {
        let Some(g) = self.given.get(i).copied().flatten() else { return Ok(()) };
        rows.values.push(if done || g.plain { d } else { self.cast(g, d, env)? });
        Ok(())
    }
    fn cast(&self, g: Given, d: Datum, env: &mut dyn Env) -> Result<Datum> {
        let e = parts(&self.plan).and_then(|p| p.0.get(g.value)).ok_or_else(|| Error::internal("value of no row"))?;
        expr::eval(e, &mut OneParam { value: &d, env })
    }
    /// The sequences that a row draws from.
    fn sequences(&self) -> Vec<(Oid, bool)> {
        let Some((exprs, _, spec)) = parts(&self.plan) else { return Vec::new() };
        let ModifyKind::Insert { defaults, .. } = &spec.op else { return Vec::new() };
        let computed = self.computed.iter().filter_map(|(_, v)| exprs.get(*v));
        gather::sequences(computed.chain(defaults.iter().map(|d| &d.1)))
    }
    fn fill(&self, given: &mut std::vec::IntoIter<Datum>, row: &mut [Datum], env: &mut dyn Env) -> Result<()> {
        let Some((exprs, _, spec)) = parts(&self.plan) else { return Ok(()) };
        let ModifyKind::Insert { defaults, .. } = &spec.op else { return Ok(()) };
        for g in self.given.iter().flatten() {
            if let (Some(r), Some(d)) = (row.get_mut(g.column), given.next()) {
                *r = d;
            }
        }
        let mut cx = expr::ParamCx { params: &[], env };
        let computed = self.computed.iter().filter_map(|(c, v)| exprs.get(*v).map(|e| (*c, e)));
        for (c, e) in computed {
            let d = expr::eval(e, &mut cx)?;
            if let Some(r) = row.get_mut(c) {
                *r = d;
            }
        }
        assign(row, defaults, &mut cx)
    }
}
/// The one row's values, their slots, and the table.
fn parts(plan: &Plan) -> Option<(&[Px], &[u32], &ModifySpec)> {
    match &plan.root.fast {
        Some(Fast::InsertRow { values, spec }) => Some((values.rows.first()?, &values.slots, spec)),
        _ => None,
    }
}

/// Whatever the parameter's number, this is its value.
struct OneParam<'a, 'e> {
    value: &'a Datum,
    env: &'e mut dyn Env,
}
impl expr::Cx for OneParam<'_, '_> {
    fn slot(&self, _: u32) -> Option<&Datum> {
        None
    }
    fn param(&self, _: u16) -> Option<&Datum> {
        Some(self.value)
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, _: usize) -> Result<Datum> {
        Err(Error::internal("subquery among literals"))
    }
}

/// Takes what the next rows will draw from sequences.
fn draw_ahead(drawn: &[Vec<(Oid, bool)>], of: impl Iterator<Item = u8>, cx: &mut ExecCtx) {
    let mut all: Vec<((Oid, bool), usize)> = Vec::new();
    for seq in of.filter_map(|s| drawn.get(s as usize)).flatten() {
        match all.iter_mut().find(|a| a.0 == *seq) {
            Some(a) => a.1 += 1,
            None => all.push((*seq, 1)),
        }
    }
    for ((seq, checked), n) in all.into_iter().filter(|a| a.1 > 1) {
        cx.env.nextval_ahead(seq, checked, n);
    }
}
/// Writes the rows as one statement; how many there were.
pub fn insert_rows(shapes: &[RowShape], rows: Rows, cx: &mut ExecCtx) -> Result<u64> {
    let r = insert_all(shapes, rows, cx);
    cx.env.nextval_ahead(0, false, 0);
    r
}
fn insert_all(shapes: &[RowShape], rows: Rows, cx: &mut ExecCtx) -> Result<u64> {
    let Some((_, _, spec)) = shapes.first().and_then(|s| parts(&s.plan)) else { return Ok(0) };
    let t = &spec.table;
    may_write(cx.txn, t, "INSERT")?;
    let mut batch = gather::Rows::new(t, cx.txn.far());
    let (mut checks, mut buf) = (Checks::default(), WriteBuf::default());
    let n = rows.shapes.len() as u64;
    let mut given = rows.values.into_iter();
    let mut of = rows.shapes.into_iter();
    let drawn: Vec<_> = if cx.txn.far() { shapes.iter().map(RowShape::sequences).collect() } else { Vec::new() };
    // Rows whose values of sequences are still to be taken begin here.
    let mut upto = if drawn.iter().any(|d| !d.is_empty()) { 0 } else { usize::MAX };
    let mut more = Ok(true);
    loop {
        while matches!(more, Ok(true))
            && !batch.is_full()
            && let Some(s) = of.next()
        {
            if work::spend(work::ROW) {
                super::breathe(cx.env)?;
            }
            let row = n as usize - of.len() - 1;
            if row == upto {
                draw_ahead(&drawn, std::iter::once(s).chain(of.clone()).take(BATCH_KEYS), cx);
                upto += BATCH_KEYS;
            }
            let shape = shapes.get(s as usize).ok_or_else(|| Error::internal("row without a shape"))?;
            more = batch.add_with(|row| shape.fill(&mut given, row, cx.env).map(|()| true));
        }
        let mut wx = Wx::of(cx);
        let made = batch.claim(t, &mut wx)?;
        if made.is_empty() {
            // What ended the rows comes after what the rows before it met.
            more?;
            checks.run(&mut wx)?;
            return cx.txn.flush().map(|()| n);
        }
        for row in made {
            match insert_row(t, row, None, &mut wx, &mut checks, &mut buf)? {
                Inserted::Done => {}
                Inserted::Conflict { .. } => return Err(Error::internal("conflict without ON CONFLICT")),
            }
        }
    }
}
