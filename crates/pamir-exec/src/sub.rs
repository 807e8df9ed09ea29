//! Subqueries in expressions, common table expressions, recursion.
//!
//! An uncorrelated subquery runs once per execution and its answer is kept; a correlated one restarts for each evaluation and reads the
//! outer row's slots. A CTE is computed as far as its readers ask (a recursive one may be endless), except data-modifying ones, which run
//! to their end before the main query starts. Rows of CTEs and of recursion's rounds spill (see [`super::store`]); the rows that UNION has seen in a
//! recursion, and those of a hashed `IN (SELECT ...)`, stay in memory.
use super::rows::{Charge, RowSet, datum_size};
use super::store::{Reader, RowStore};
use super::{Op, Rt, build};
use pamir_expr::expr::{self, Fun};
use pamir_expr::ir::CmpOp;
use pamir_expr::plan::node::{HashedSub, SetOpSpec, SubKind, SubPlan};
use pamir_types::array::Array;
use pamir_types::record::admit_elements;
use pamir_types::{Datum, Error, Result, bail};
use std::sync::Arc;

#[derive(Default)]
pub struct SubState {
    op: Option<Box<dyn Op>>,
    /// Uncorrelated: the answer (scalar, exists, array) or the rows (ANY, ALL).
    value: Option<Datum>,
    rows: Option<RowSet>,
    any_null: bool,
    /// Row: for which row of the modification `value` was computed.
    set_row: u64,
    running: bool,
    /// What may be hashed: how often it ran, and the table of its keys.
    runs: u64,
    keys: Keys,
}
/// The table of a [`HashedSub`].
#[derive(Default)]
enum Keys {
    #[default]
    NotYet,
    Made(Table),
    /// They do not fit into memory, or a key that nobody asks for has no value but an error: it stays with the look-ups.
    Cannot,
}
struct Table {
    keys: RowSet,
    /// An aggregate's value for each key, and that of no rows.
    values: Vec<Datum>,
    none: Datum,
    charge: Charge,
}

pub fn run(i: usize, rt: &mut Rt) -> Result<Datum> {
    let plan = rt.st.plan.clone();
    let Some(sp) = plan.root.subs.get(i) else { return Err(Error::internal("no such subplan")) };
    if !sp.correlated
        && let Some(v) = rt.st.subs.get(i).and_then(|s| s.value.as_ref())
    {
        return Ok(v.clone());
    }
    if matches!(sp.kind, SubKind::Row { shared: true })
        && let Some(s) = rt.st.subs.get(i)
        && s.set_row == rt.st.set_row
        && let Some(v) = &s.value
    {
        return Ok(v.clone());
    }
    // Taken out while it runs, so that the operators may borrow the state.
    let Some(slot) = rt.st.subs.get_mut(i) else { return Err(Error::internal("no such subplan")) };
    let mut s = std::mem::take(slot);
    if s.running {
        return Err(Error::internal("subplan entered twice"));
    }
    rt.st.subs[i].running = true;
    let r = evaluate(sp, &mut s, rt);
    rt.st.subs[i] = s;
    r
}

fn evaluate(sp: &SubPlan, s: &mut SubState, rt: &mut Rt) -> Result<Datum> {
    let analyze = rt.st.stats.is_some();
    let v = match &sp.kind {
        SubKind::Any { left, ops, rows, all, hashable } => {
            // The left side is evaluated first: the subquery may use its slots' neighbours, never its own.
            let mut l = Vec::with_capacity(left.len());
            for e in left {
                l.push(expr::eval(e, rt)?);
            }
            return any_all(sp, s, &l, (ops, rows.as_ref()), *all, *hashable, rt);
        }
        kind => {
            if let Some(h) = &sp.hashed {
                s.runs += 1;
                if let Some(v) = from_table(h, s, rt)? {
                    return Ok(v);
                }
            }
            let op = s.op.get_or_insert_with(|| build(&sp.node, analyze));
            op.open(rt)?;
            match kind {
                SubKind::Exists => Datum::Bool(op.next(rt)?),
                SubKind::Scalar => {
                    if op.next(rt)? {
                        let d = sp.out.first().map_or(Datum::Null, |o| rt.get(*o).clone());
                        if op.next(rt)? {
                            bail!(
                                CARDINALITY_VIOLATION,
                                "more than one row returned by a subquery used as an expression"
                            );
                        }
                        d
                    } else {
                        Datum::Null
                    }
                }
                SubKind::Array(elem) => {
                    let mut items = Vec::new();
                    let mut charge = Charge::default();
                    while op.next(rt)? {
                        let d = sp.out.first().map_or(Datum::Null, |o| rt.get(*o).clone());
                        charge.add(datum_size(&d), &rt.work.memory)?;
                        items.push(d);
                    }
                    // A column of arrays gives one of one more dimension; elements are no arrays otherwise.
                    if sp.types.first().is_some_and(|t| t.is_array()) {
                        pamir_expr::func::stack_arrays(*elem, &items)?
                    } else {
                        admit_elements(&items)?;
                        Datum::Array(Arc::new(Array::from_vec(*elem, items)))
                    }
                }
                SubKind::Row { .. } => {
                    let row = |rt: &Rt| {
                        let fields = sp.out.iter().zip(&sp.types).map(|(o, t)| (*t, rt.get(*o).clone()));
                        Datum::record(fields.collect())
                    };
                    if op.next(rt)? {
                        let d = row(rt)?;
                        if op.next(rt)? {
                            bail!(
                                CARDINALITY_VIOLATION,
                                "more than one row returned by a subquery used as an expression"
                            );
                        }
                        d
                    } else {
                        Datum::Null
                    }
                }
                SubKind::Any { .. } => Datum::Null,
            }
        }
    };
    if !sp.correlated {
        s.value = Some(v.clone());
        s.op = None;
    } else if matches!(sp.kind, SubKind::Row { shared: true }) {
        s.value = Some(v.clone());
        s.set_row = rt.st.set_row;
    }
    Ok(v)
}

/// The value for these keys. None: the table is not there (yet).
fn from_table(h: &HashedSub, s: &mut SubState, rt: &mut Rt) -> Result<Option<Datum>> {
    if matches!(s.keys, Keys::NotYet) && s.runs > h.after {
        s.keys = match make_table(h, rt) {
            Ok(Some(t)) => {
                s.op = None;
                Keys::Made(t)
            }
            Ok(None) => Keys::Cannot,
            // An error of the data (class 22) may be that of a key that nobody asks for.
            Err(e) if h.value.is_some() && e.code().as_str().starts_with("22") => Keys::Cannot,
            Err(e) => return Err(e),
        };
    }
    let Keys::Made(t) = &s.keys else { return Ok(None) };
    let found = key_of(&h.outside, rt)?.and_then(|key| t.keys.find(&key));
    Ok(Some(match (&h.value, found) {
        (None, found) => Datum::Bool(found.is_some()),
        (Some(_), Some(i)) => t.values.get(i).cloned().unwrap_or(Datum::Null),
        (Some(_), None) => t.none.clone(),
    }))
}
/// None: it does not fit into memory.
fn make_table(h: &HashedSub, rt: &mut Rt) -> Result<Option<Table>> {
    let analyze = rt.st.stats.is_some();
    let mut t =
        Table { keys: RowSet::new(h.types.clone()), values: Vec::new(), none: Datum::Null, charge: Charge::default() };
    let mut op = build(&h.node, analyze);
    op.open(rt)?;
    while op.next(rt)? {
        rt.tick()?;
        let Some(key) = key_of(&h.inside, rt)? else { continue };
        if t.keys.bytes() as u64 + t.charge.bytes() > rt.work.hash_mem as u64 {
            return Ok(None);
        }
        let Ok((_, new)) = t.keys.insert(&key, rt) else { return Ok(None) };
        if let (Some((slot, _)), true) = (&h.value, new) {
            let v = rt.get(*slot).clone();
            if t.charge.add(datum_size(&v), &rt.work.memory).is_err() {
                return Ok(None);
            }
            t.values.push(v);
        }
    }
    if let Some((slot, none)) = &h.value {
        let mut op = build(none, analyze);
        op.open(rt)?;
        if op.next(rt)? {
            t.none = rt.get(*slot).clone();
        }
    }
    Ok(Some(t))
}
/// None: one is NULL, which equals nothing.
fn key_of(e: &[expr::Px], rt: &mut Rt) -> Result<Option<Vec<Datum>>> {
    let mut key = Vec::with_capacity(e.len());
    for e in e {
        let d = expr::eval(e, rt)?;
        if d.is_null() {
            return Ok(None);
        }
        key.push(d);
    }
    Ok(Some(key))
}

/// `left op ANY (rows)`: true if some row gives true, else unknown if some gives unknown, else false. ALL the other way round.
fn any_all(
    sp: &SubPlan,
    s: &mut SubState,
    left: &[Datum],
    ops: Compare<'_>,
    all: bool,
    hashable: bool,
    rt: &mut Rt,
) -> Result<Datum> {
    let analyze = rt.st.stats.is_some();
    if !sp.correlated {
        if s.rows.is_none() {
            let mut set = RowSet::new(sp.types.clone());
            let mut op = build(&sp.node, analyze);
            op.open(rt)?;
            while op.next(rt)? {
                rt.tick()?;
                let row: Vec<Datum> = sp.out.iter().map(|o| rt.get(*o).clone()).collect();
                s.any_null |= row.iter().any(Datum::is_null);
                set.insert(&row, rt)?;
            }
            s.rows = Some(set);
        }
        let Some(set) = &s.rows else { return Ok(Datum::Null) };
        if set.rows.is_empty() {
            return Ok(Datum::Bool(all));
        }
        if hashable && !all && !left.iter().any(Datum::is_null) {
            if set.find(left).is_some() {
                return Ok(Datum::Bool(true));
            }
            if !s.any_null {
                return Ok(Datum::Bool(false));
            }
            if left.len() == 1 {
                return Ok(Datum::Null);
            }
        }
        let mut unknown = false;
        for i in 0..set.rows.len() {
            match compare_row(left, set.rows.row(i), ops, rt)? {
                Some(b) if b != all => return Ok(Datum::Bool(b)),
                None => unknown = true,
                _ => {}
            }
        }
        return Ok(if unknown { Datum::Null } else { Datum::Bool(all) });
    }
    let op = s.op.get_or_insert_with(|| build(&sp.node, analyze));
    op.open(rt)?;
    let mut unknown = false;
    while op.next(rt)? {
        rt.tick()?;
        let row: Vec<Datum> = sp.out.iter().map(|o| rt.get(*o).clone()).collect();
        match compare_row(left, &row, ops, rt)? {
            Some(b) if b != all => return Ok(Datum::Bool(b)),
            None => unknown = true,
            _ => {}
        }
    }
    Ok(if unknown { Datum::Null } else { Datum::Bool(all) })
}
/// Each column's operator; of rows that are not compared for equality how, and each column's `<`.
type Compare<'a> = (&'a [Fun], Option<&'a (CmpOp, Vec<Fun>)>);
fn compare_row(left: &[Datum], row: &[Datum], (ops, rows): Compare<'_>, rt: &mut Rt) -> Result<Option<bool>> {
    let mut unknown = false;
    if let Some((op, less)) = rows {
        // The first columns that differ decide; of `<>` any that do.
        for (i, ((l, r), f)) in left.iter().zip(row).zip(ops).enumerate() {
            if l.is_null() || r.is_null() {
                if *op != CmpOp::Ne {
                    return Ok(None);
                }
                unknown = true;
                continue;
            }
            let holds = matches!(f.call(&[l.clone(), r.clone()], rt.env)?, Datum::Bool(true));
            match less.get(i) {
                None if holds => return Ok(Some(true)),
                Some(less) if !holds => {
                    let less = matches!(less.call(&[l.clone(), r.clone()], rt.env)?, Datum::Bool(true));
                    return Ok(Some(less == matches!(op, CmpOp::Lt | CmpOp::Le)));
                }
                _ => {}
            }
        }
        return Ok(if unknown { None } else { Some(matches!(op, CmpOp::Le | CmpOp::Ge)) });
    }
    for ((l, r), f) in left.iter().zip(row).zip(ops) {
        if l.is_null() || r.is_null() {
            unknown = true;
            continue;
        }
        match f.call(&[l.clone(), r.clone()], rt.env)? {
            Datum::Bool(true) => {}
            Datum::Bool(false) => return Ok(Some(false)),
            _ => unknown = true,
        }
    }
    Ok(if unknown { None } else { Some(true) })
}

#[derive(Default)]
pub struct CteState {
    op: Option<Box<dyn Op>>,
    rows: RowStore,
    started: bool,
    done: bool,
    /// The rows that WITH RECURSIVE's own name stands for in the current round.
    pub working: Option<RowStore>,
}

/// Computes CTE `cte` until it has more than `n` rows or ends; true if row `n` is there.
fn ensure(cte: usize, n: usize, rt: &mut Rt) -> Result<bool> {
    let Some(s) = rt.st.ctes.get_mut(cte) else { return Err(Error::internal("no such CTE")) };
    if s.rows.len() > n {
        return Ok(true);
    }
    if s.done {
        return Ok(false);
    }
    let plan = rt.st.plan.clone();
    let Some(Some(c)) = plan.root.ctes.get(cte) else { return Err(Error::internal("no such CTE")) };
    let analyze = rt.st.stats.is_some();
    let s = &mut rt.st.ctes[cte];
    let started = std::mem::replace(&mut s.started, true);
    let op = s.op.take();
    let mut op = match op {
        Some(op) => op,
        None if started => return Err(Error::internal("CTE reads itself")),
        None => build(&c.node, analyze),
    };
    if !started {
        rt.st.ctes[cte].rows = RowStore::new(c.out.len());
        op.open(rt)?;
    }
    let more = op.next(rt)?;
    if more {
        let mut rows = std::mem::take(&mut rt.st.ctes[cte].rows);
        let r = rows.push_slots(&c.out, rt);
        rt.st.ctes[cte].rows = rows;
        r?;
        rt.st.ctes[cte].op = Some(op);
    } else {
        rt.st.ctes[cte].done = true;
    }
    Ok(more)
}

/// Runs the data-modifying CTEs to their ends.
pub fn start_modifying(rt: &mut Rt) -> Result<()> {
    let plan = rt.st.plan.clone();
    for (i, c) in plan.root.ctes.iter().enumerate() {
        if c.as_ref().is_some_and(|c| c.modifies) {
            let mut n = 0;
            while ensure(i, n, rt)? {
                n += 1;
            }
            rt.txn.flush()?;
        }
    }
    Ok(())
}

/// Starts its CTEs anew with each start of its input: they read a row outside.
pub struct With {
    input: Box<dyn Op>,
    ctes: Arc<[usize]>,
}
impl With {
    pub fn new(input: Box<dyn Op>, ctes: Arc<[usize]>) -> With {
        With { input, ctes }
    }
}
impl Op for With {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        for i in self.ctes.iter() {
            if let Some(c) = rt.st.ctes.get_mut(*i) {
                *c = CteState { op: c.op.take(), ..CteState::default() };
            }
        }
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        self.input.next(rt)
    }
}

pub struct CteScan {
    cte: usize,
    cols: Arc<Vec<u32>>,
    reader: Reader,
}
impl CteScan {
    pub fn new(cte: usize, cols: Arc<Vec<u32>>) -> CteScan {
        CteScan { cte, cols, reader: Reader::default() }
    }
}
impl Op for CteScan {
    fn open(&mut self, _: &mut Rt) -> Result<()> {
        self.reader.rewind();
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        rt.tick()?;
        if !ensure(self.cte, self.reader.at(), rt)? {
            return Ok(false);
        }
        let Some(c) = rt.st.ctes.get(self.cte) else { return Ok(false) };
        let Some(row) = self.reader.next(&c.rows)? else { return Ok(false) };
        for (s, d) in self.cols.iter().zip(row) {
            if let Some(slot) = rt.st.slots.get_mut(*s as usize) {
                slot.clone_from(d);
            }
        }
        Ok(true)
    }
}

pub struct WorkTable {
    cte: usize,
    cols: Arc<Vec<u32>>,
    reader: Reader,
}
impl WorkTable {
    pub fn new(cte: usize, cols: Arc<Vec<u32>>) -> WorkTable {
        WorkTable { cte, cols, reader: Reader::default() }
    }
}
impl Op for WorkTable {
    fn open(&mut self, _: &mut Rt) -> Result<()> {
        self.reader.rewind();
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        rt.tick()?;
        let Some(w) = rt.st.ctes.get(self.cte).and_then(|c| c.working.as_ref()) else { return Ok(false) };
        let Some(row) = self.reader.next(w)? else { return Ok(false) };
        for (s, d) in self.cols.iter().zip(row) {
            if let Some(slot) = rt.st.slots.get_mut(*s as usize) {
                slot.clone_from(d);
            }
        }
        Ok(true)
    }
}

/// base UNION [ALL] recursive part: each round reads the rows that the round before produced.
pub struct RecursiveUnion {
    cte: usize,
    base: Box<dyn Op>,
    rec: Box<dyn Op>,
    spec: Arc<SetOpSpec>,
    seen: Option<RowSet>,
    next_round: RowStore,
    in_base: bool,
}
impl RecursiveUnion {
    pub fn new(cte: usize, base: Box<dyn Op>, rec: Box<dyn Op>, spec: Arc<SetOpSpec>) -> RecursiveUnion {
        let w = spec.types.len();
        RecursiveUnion { cte, base, rec, spec, seen: None, next_round: RowStore::new(w), in_base: true }
    }
}
impl Op for RecursiveUnion {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.seen = (!self.spec.all).then(|| RowSet::new(self.spec.types.clone()));
        self.next_round = RowStore::new(self.spec.types.len());
        self.in_base = true;
        self.base.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            rt.tick()?;
            let (more, slots) =
                if self.in_base { (self.base.next(rt)?, &spec.left) } else { (self.rec.next(rt)?, &spec.right) };
            if more {
                let row: Vec<Datum> = slots.iter().map(|s| rt.get(*s).clone()).collect();
                if let Some(seen) = &mut self.seen
                    && !seen.insert(&row, rt)?.1
                {
                    continue;
                }
                for (s, d) in spec.out.iter().zip(&row) {
                    rt.set(*s, d.clone());
                }
                self.next_round.push(row, rt.work)?;
                return Ok(true);
            }
            if self.next_round.is_empty() {
                return Ok(false);
            }
            self.in_base = false;
            let round = std::mem::replace(&mut self.next_round, RowStore::new(spec.types.len()));
            if let Some(c) = rt.st.ctes.get_mut(self.cte) {
                c.working = Some(round);
            }
            self.rec.open(rt)?;
        }
    }
}
