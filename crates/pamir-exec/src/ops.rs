//! The small operators: constants, VALUES, functions, filter, projection, limit, materialize.
use super::rows::Rows;
use super::scan::Wanted;
use super::sort::compare_keys;
use super::store::{Reader, RowStore};
use super::{Op, Rt};
use pamir_expr::expr::{self, int_of};
use pamir_expr::func::rowtype;
use pamir_expr::func::series::Series;
use pamir_expr::func::{Body, CallInfo, Function};
use pamir_expr::plan::node::{FunctionSpec, KeySpec, LimitSpec, ProjectSetSpec, SetExpr, ValuesSpec, VirtualSpec};
use pamir_txn::face::BATCH_KEYS;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid, text, work};
use std::sync::Arc;

#[derive(Default)]
pub struct One {
    done: bool,
}
impl Op for One {
    fn open(&mut self, _: &mut Rt) -> Result<()> {
        self.done = false;
        Ok(())
    }
    fn next(&mut self, _: &mut Rt) -> Result<bool> {
        Ok(!std::mem::replace(&mut self.done, true))
    }
}
pub struct Empty;
impl Op for Empty {
    fn open(&mut self, _: &mut Rt) -> Result<()> {
        Ok(())
    }
    fn next(&mut self, _: &mut Rt) -> Result<bool> {
        Ok(false)
    }
}

pub struct Values {
    spec: Arc<ValuesSpec>,
    at: usize,
    /// All rows are read: what they draw from sequences may be taken ahead.
    whole: bool,
}
impl Values {
    pub fn new(spec: Arc<ValuesSpec>, whole: bool) -> Values {
        Values { spec, at: 0, whole }
    }
    /// Takes what the next rows will draw from sequences.
    #[cold]
    fn draw(&self, rt: &mut Rt) {
        let rows = self.spec.rows.iter().skip(self.at).take(BATCH_KEYS);
        let mut drawn: Vec<((Oid, bool), usize)> = Vec::new();
        for seq in rows.flatten().filter_map(expr::Px::sequence) {
            match drawn.iter_mut().find(|d| d.0 == seq) {
                Some(d) => d.1 += 1,
                None => drawn.push((seq, 1)),
            }
        }
        for ((seq, checked), n) in drawn.into_iter().filter(|d| d.1 > 1) {
            rt.env.nextval_ahead(seq, checked, n);
        }
    }
}
impl Op for Values {
    fn open(&mut self, _: &mut Rt) -> Result<()> {
        self.at = 0;
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        let Some(row) = spec.rows.get(self.at) else { return Ok(false) };
        if self.whole && self.at.is_multiple_of(BATCH_KEYS) && rt.txn.far() {
            self.draw(rt);
        }
        self.at += 1;
        rt.tick()?;
        for (e, s) in row.iter().zip(&spec.slots) {
            let d = expr::eval(e, rt)?;
            rt.set(*s, d);
        }
        Ok(true)
    }
}

/// Rows that the session makes: once a statement, however often they are read, for they are those of its beginning.
pub struct VirtualScan {
    spec: Arc<VirtualSpec>,
    rows: Rows,
    /// Which rows those are: all with these keys.
    made: Option<Vec<(&'static str, Datum)>>,
    at: usize,
    id: usize,
    slots: Vec<u32>,
}
impl VirtualScan {
    pub fn new(spec: Arc<VirtualSpec>, id: usize) -> VirtualScan {
        let slots: Vec<u32> = spec.cols.iter().map(|c| c.1).collect();
        VirtualScan { rows: Rows::new(slots.len()), made: None, spec, at: 0, id, slots }
    }
}
type Keys = Vec<(&'static str, Datum)>;
/// Which rows are made one after the other: all with the keys or, where few values of one more are asked for, all with each of them.
fn asked(
    spec: &VirtualSpec,
    keys: &[(&'static str, Datum)],
    any: Option<(usize, Vec<Datum>)>,
) -> Vec<(Keys, Option<(usize, Datum)>)> {
    /// Beyond so many a walk over everything costs no more.
    const FEW: usize = 100;
    let whole = || vec![(keys.to_vec(), None)];
    let Some((i, wanted)) = any else { return whole() };
    let count = |d: &Datum| if let Datum::Array(a) = d { a.items.len() } else { 1 };
    let few = wanted.iter().map(count).sum::<usize>() <= FEW;
    let (Some(column), true) = (spec.table.columns.get(i), few) else { return whole() };
    let each = |d: Datum| if let Datum::Array(a) = d { a.items.to_vec() } else { vec![d] };
    // Nothing equals NULL.
    let mut items: Vec<Datum> = wanted.into_iter().flat_map(each).filter(|d| !d.is_null()).collect();
    items.sort_by(pamir_types::cmp::compare);
    items.dedup_by(|a, b| pamir_types::cmp::compare(a, b).is_eq());
    let one = |d: Datum| (keys.iter().cloned().chain([(column.0, d.clone())]).collect(), Some((i, d)));
    items.into_iter().map(one).collect()
}
impl Op for VirtualScan {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.at = 0;
        let mut keys = Vec::with_capacity(self.spec.keys.len());
        for (i, e) in &self.spec.keys {
            let v = expr::eval(e, rt)?;
            keys.extend(self.spec.table.columns.get(*i).map(|c| (c.0, v)));
        }
        let any = match &self.spec.any {
            Some((i, values)) => Some((*i, values.iter().map(|e| expr::eval(e, rt)).collect::<Result<Vec<_>>>()?)),
            None => None,
        };
        // What they were made for is told by these, too.
        let own = keys.len();
        keys.extend(any.iter().flat_map(|a| &a.1).map(|v| ("", v.clone())));
        let same = |made: &Vec<(&'static str, Datum)>| {
            std::iter::zip(made, &keys).all(|(a, b)| pamir_types::cmp::compare(&a.1, &b.1).is_eq())
        };
        if self.made.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.rows.clear();
        self.made = None;
        // Nothing equals NULL.
        if keys[..own].iter().any(|k| k.1.is_null()) {
            return Ok(());
        }
        let mut all = Vec::new();
        for (key, item) in asked(&self.spec, &keys[..own], any) {
            rt.env.backend()?.virtual_rows(self.spec.table, key, &mut |r| {
                // Others may come along, which another item asks for.
                let is = |(i, v): &(usize, Datum)| r.get(*i).is_some_and(|d| pamir_types::cmp::compare(d, v).is_eq());
                if item.as_ref().is_none_or(is) {
                    all.push(r);
                }
                Ok(())
            })?;
        }
        let (own, width) = (Datum::Oid(self.spec.table.oid), self.spec.table.columns.len());
        for r in all {
            let value = |i: usize| if i == width { Some(&own) } else { r.get(i) };
            self.rows.push(self.spec.cols.iter().map(|(i, _)| value(*i).cloned().unwrap_or(Datum::Null)), rt)?;
        }
        self.made = Some(keys);
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while self.at < self.rows.len() {
            self.rows.load(self.at, &self.slots, rt);
            self.at += 1;
            rt.tick()?;
            match &self.spec.filter {
                Some(f) if expr::eval_bool(f, rt)? != Some(true) => rt.stat(self.id, |s| s.removed += 1),
                _ => return Ok(true),
            }
        }
        Ok(false)
    }
}

/// The rows of a function that makes them as they are asked for; None: it is not one.
fn series(f: &Function, args: &[Datum], arg_types: &[Type], ret: Type, rt: &mut Rt) -> Result<Option<Box<dyn Series>>> {
    match &f.body {
        Body::Series(g) if !(f.strict && args.iter().any(Datum::is_null)) => {
            g.call(&CallInfo { arg_types, ret }, args, rt.env).map(Some)
        }
        _ => Ok(None),
    }
}
/// Runs a set-returning (or plain) function and hands over its rows.
pub fn call_set(
    f: &Function,
    args: &[Datum],
    arg_types: &[Type],
    ret: Type,
    rt: &mut Rt,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let info = CallInfo { arg_types, ret };
    let null = f.strict && args.iter().any(Datum::is_null);
    match &f.body {
        Body::Set(_) | Body::Series(_) if null => Ok(()),
        Body::Set(g) => g.call(&info, args, rt.env, &mut |row| {
            work::charge(work::ROW as usize)?;
            push(row)
        }),
        Body::Series(g) => {
            let mut series = g.call(&info, args, rt.env)?;
            while let Some(d) = series.next(rt.env)? {
                rt.tick()?;
                push(vec![d])?;
            }
            Ok(())
        }
        Body::Scalar(_) if null => push(vec![Datum::Null]),
        Body::Scalar(g) => {
            let d = g.call(&info, args, rt.env)?;
            push(match d {
                // A domain's value is a record where the domain is over a composite type.
                Datum::Record(fields) if !f.out.is_empty() || oid::is_composite(f.ret) || oid::is_domain(f.ret) => {
                    fields.iter().map(|(_, d)| d.clone()).collect()
                }
                d => vec![d],
            })
        }
    }
}

pub struct FunctionScan {
    spec: Arc<FunctionSpec>,
    rows: RowStore,
    reader: Reader,
    /// Instead of kept rows, and how many it has given.
    series: Option<(Box<dyn Series>, i64)>,
}
impl FunctionScan {
    pub fn new(spec: Arc<FunctionSpec>) -> FunctionScan {
        FunctionScan { rows: RowStore::new(spec.slots.len()), spec, reader: Reader::default(), series: None }
    }
}
/// 42804 unless a row has the fields that the query gave names to.
fn check_fields(fields: &[(Type, Datum)], want: &[Type]) -> Result<()> {
    let detail = if fields.len() != want.len() {
        let s = if fields.len() == 1 { "" } else { "s" };
        format!("Returned row contains {} attribute{s}, but query expects {}.", fields.len(), want.len())
    } else if let Some(i) = (0..want.len()).find(|i| !(fields[*i].0.oid == want[*i].oid || fields[*i].1.is_null())) {
        let (got, want) = (text::type_named(fields[i].0.oid), text::type_named(want[i].oid));
        format!("Returned type {got} at ordinal position {}, but query expects {want}.", i + 1)
    } else {
        return Ok(());
    };
    Err(err!(DATATYPE_MISMATCH, "function return row and query-specified return row do not match").detail(detail))
}
impl Op for FunctionScan {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.rows.clear();
        self.reader.rewind();
        let spec = self.spec.clone();
        let mut args = Vec::new();
        for a in &spec.args {
            args.push(expr::eval(a, rt)?);
        }
        self.series = series(&spec.f, &args, &spec.arg_types, spec.ret, rt)?.map(|s| (s, 0));
        if self.series.is_some() {
            return Ok(());
        }
        let (work, w) = (rt.work, spec.slots.len());
        let rows = &mut self.rows;
        call_set(&spec.f, &args, &spec.arg_types, spec.ret, rt, &mut |mut r| {
            if let [Datum::Record(fields)] = r.as_slice()
                && let Some(want) = &spec.expand
            {
                check_fields(fields, want)?;
                r = fields.iter().map(|f| f.1.clone()).collect();
            }
            r.resize(w, Datum::Null);
            rows.push(r, work)
        })
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if let Some((series, n)) = &mut self.series {
            let Some(d) = series.next(rt.env)? else { return Ok(false) };
            *n += 1;
            let n = *n;
            match (d, &self.spec.expand) {
                (Datum::Record(fields), Some(want)) => {
                    check_fields(&fields, want)?;
                    for (s, f) in self.spec.slots.iter().zip(fields.iter()) {
                        rt.set(*s, f.1.clone());
                    }
                }
                (d, Some(_)) => {
                    debug_assert!(d.is_null());
                    self.spec.slots.iter().for_each(|s| rt.set(*s, Datum::Null));
                }
                (d, None) => self.spec.slots.iter().for_each(|s| rt.set(*s, d.clone())),
            }
            if let Some(o) = self.spec.ordinality {
                rt.set(o, Datum::Int8(n));
            }
            rt.tick()?;
            return Ok(true);
        }
        if !self.reader.load(&self.rows, &self.spec.slots, rt)? {
            return Ok(false);
        }
        rt.tick()?;
        if let Some(o) = self.spec.ordinality {
            rt.set(o, Datum::Int8(self.reader.at() as i64));
        }
        Ok(true)
    }
}

/// ROWS FROM: each item's next row beside those of the others, until all have ended.
pub struct SideBySide {
    items: Vec<Item>,
    ordinality: Option<u32>,
    at: i64,
}
struct Item {
    op: Box<dyn Op>,
    slots: Vec<u32>,
    ended: bool,
}
impl SideBySide {
    /// Each with the slots that it fills.
    pub fn new(items: Vec<(Box<dyn Op>, Vec<u32>)>, ordinality: Option<u32>) -> SideBySide {
        let items = items.into_iter().map(|(op, slots)| Item { op, slots, ended: false }).collect();
        SideBySide { items, ordinality, at: 0 }
    }
}
impl Op for SideBySide {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.at = 0;
        for i in &mut self.items {
            i.ended = false;
            i.op.open(rt)?;
        }
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        rt.tick()?;
        let mut any = false;
        for i in &mut self.items {
            if !i.ended && i.op.next(rt)? {
                any = true;
                continue;
            }
            i.ended = true;
            i.slots.iter().for_each(|s| rt.set(*s, Datum::Null));
        }
        self.at += 1;
        if let Some(o) = self.ordinality.filter(|_| any) {
            rt.set(o, Datum::Int8(self.at));
        }
        Ok(any)
    }
}

pub struct Filter {
    pub input: Box<dyn Op>,
    pub cond: Arc<expr::Px>,
    pub id: usize,
}
impl Op for Filter {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while self.input.next(rt)? {
            if expr::eval_bool(&self.cond, rt)? == Some(true) {
                return Ok(true);
            }
            rt.stat(self.id, |s| s.removed += 1);
            rt.tick()?;
        }
        Ok(false)
    }
    fn ahead(&self, rt: &mut Rt, wanted: &mut Wanted) {
        self.input.ahead(rt, wanted)
    }
}

pub struct Compute {
    pub input: Box<dyn Op>,
    pub exprs: Arc<Vec<(expr::Px, u32)>>,
}
impl Op for Compute {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.input.next(rt)? {
            return Ok(false);
        }
        for (e, s) in self.exprs.iter() {
            let d = expr::eval(e, rt)?;
            rt.set(*s, d);
        }
        Ok(true)
    }
    fn ahead(&self, rt: &mut Rt, wanted: &mut Wanted) {
        self.input.ahead(rt, wanted)
    }
}

/// What is left of one set of a select list.
enum Set {
    Rows(std::vec::IntoIter<Datum>),
    Series(Box<dyn Series>),
}
/// Set-returning functions in a select list run in step; shorter ones give NULL when they have ended.
pub struct ProjectSet {
    input: Box<dyn Op>,
    spec: Arc<ProjectSetSpec>,
    /// Those of the input's present row that have not ended, by their place in the list.
    sets: Vec<Option<Set>>,
}
impl ProjectSet {
    pub fn new(input: Box<dyn Op>, spec: Arc<ProjectSetSpec>) -> ProjectSet {
        ProjectSet { input, spec, sets: Vec::new() }
    }
    /// Calls the functions for the input's row.
    fn start(&mut self, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.sets.clear();
        for (e, _) in &spec.exprs {
            let SetExpr::Set { f, args, arg_types, ret } = e else { continue };
            let mut vals = Vec::new();
            for a in args {
                vals.push(expr::eval(a, rt)?);
            }
            let set = match series(f, &vals, arg_types, *ret, rt)? {
                Some(s) => Set::Series(s),
                None => {
                    let mut got = Vec::new();
                    let catalog = rt.env.catalog();
                    let base = catalog.base_type(*ret);
                    let shape = match oid::is_composite(base.oid) && f.own_name().is_empty() {
                        true => rowtype::fields_in(base, catalog).map(|s| {
                            s.iter().map(|(n, t)| (n.clone(), catalog.base_type(*t))).collect::<rowtype::Shape>()
                        }),
                        false => rowtype::fields(*ret).filter(|_| f.row_of != 0),
                    };
                    call_set(f, &vals, arg_types, *ret, rt, &mut |mut r| {
                        got.push(if let Some(shape) = &shape {
                            Datum::record(r.drain(..).zip(shape.iter()).map(|(d, (_, t))| (*t, d)).collect())?
                        } else if f.out.len() > 1 {
                            Datum::record(r.drain(..).zip(&f.out).map(|(d, (_, t))| (Type::new(*t), d)).collect())?
                        } else {
                            r.pop().unwrap_or(Datum::Null)
                        });
                        Ok(())
                    })?;
                    Set::Rows(got.into_iter())
                }
            };
            self.sets.push(Some(set));
        }
        Ok(())
    }
    /// The sets' next values into their slots; false: all have ended.
    fn step(&mut self, rt: &mut Rt) -> Result<bool> {
        let slots = self.spec.exprs.iter().filter(|(e, _)| matches!(e, SetExpr::Set { .. })).map(|(_, s)| *s);
        let mut any = false;
        for (set, slot) in self.sets.iter_mut().zip(slots) {
            let d = match set {
                None => None,
                Some(Set::Rows(rows)) => rows.next(),
                Some(Set::Series(s)) => s.next(rt.env)?,
            };
            match d {
                Some(d) => {
                    any = true;
                    rt.set(slot, d);
                }
                None => {
                    *set = None;
                    rt.set(slot, Datum::Null);
                }
            }
        }
        Ok(any)
    }
}
impl Op for ProjectSet {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.sets.clear();
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        loop {
            rt.tick()?;
            if self.step(rt)? {
                let spec = self.spec.clone();
                for (e, s) in &spec.exprs {
                    if let SetExpr::Plain(p) = e {
                        let d = expr::eval(p, rt)?;
                        rt.set(*s, d)
                    }
                }
                return Ok(true);
            }
            if !self.input.next(rt)? {
                return Ok(false);
            }
            self.start(rt)?;
        }
    }
}

/// Fails where its input does not come in the order that was claimed.
pub struct Ordered {
    input: Box<dyn Op>,
    keys: Arc<Vec<KeySpec>>,
    last: Option<Vec<Datum>>,
}
impl Ordered {
    pub fn new(input: Box<dyn Op>, keys: Arc<Vec<KeySpec>>) -> Ordered {
        Ordered { input, keys, last: None }
    }
}
impl Op for Ordered {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.last = None;
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.input.next(rt)? {
            return Ok(false);
        }
        let now: Vec<Datum> = self.keys.iter().map(|k| expr::eval(&k.e, rt)).collect::<Result<_>>()?;
        if let Some(last) = &self.last
            && compare_keys(last, &now, &self.keys).is_gt()
        {
            return Err(Error::internal(format!("rows out of order: {last:?} before {now:?}")));
        }
        self.last = Some(now);
        Ok(true)
    }
}

/// Evaluates LIMIT and OFFSET: (rows to return, rows to skip).
pub fn limits(spec: &LimitSpec, rt: &mut Rt) -> Result<(Option<u64>, u64)> {
    let mut one = |e: &Option<expr::Px>, offset: bool| -> Result<Option<u64>> {
        let Some(e) = e else { return Ok(None) };
        match int_of(&expr::eval(e, rt)?) {
            None => Ok(None),
            Some(v) if v >= 0 => Ok(Some(v as u64)),
            Some(_) if offset => bail!(INVALID_ROW_COUNT_IN_OFFSET, "OFFSET must not be negative"),
            Some(_) => bail!(INVALID_ROW_COUNT_IN_LIMIT, "LIMIT must not be negative"),
        }
    };
    let l = one(&spec.limit, false)?;
    let o = one(&spec.offset, true)?;
    Ok((l, o.unwrap_or(0)))
}

pub struct Limit {
    input: Box<dyn Op>,
    spec: Arc<LimitSpec>,
    left: Option<u64>,
    skip: u64,
    /// WITH TIES: the last row's keys once the count is reached.
    tie: Option<Vec<Datum>>,
}
impl Limit {
    pub fn new(input: Box<dyn Op>, spec: Arc<LimitSpec>) -> Limit {
        Limit { input, spec, left: None, skip: 0, tie: None }
    }
    fn keys(keys: &[KeySpec], rt: &mut Rt) -> Result<Vec<Datum>> {
        keys.iter().map(|k| expr::eval(&k.e, rt)).collect()
    }
}
impl Op for Limit {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        (self.left, self.skip) = limits(&self.spec, rt)?;
        self.tie = None;
        if self.left == Some(0) {
            return Ok(());
        }
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if self.left == Some(0) {
            let (Some(keys), Some(last)) = (&self.spec.ties, &self.tie) else { return Ok(false) };
            if !self.input.next(rt)? {
                return Ok(false);
            }
            let now = Limit::keys(keys, rt)?;
            let same = now.iter().zip(last).zip(keys).all(|((a, b), k)| expr::compare(a, b, k.ty).is_eq());
            if !same {
                self.tie = None;
            }
            return Ok(same);
        }
        if self.skip > 0 {
            let skip = std::mem::take(&mut self.skip);
            if self.input.pass(skip, rt)? < skip {
                return Ok(false);
            }
        }
        if !self.input.next(rt)? {
            return Ok(false);
        }
        if let Some(l) = &mut self.left {
            *l -= 1;
            if *l == 0
                && let Some(keys) = &self.spec.ties
            {
                self.tie = Some(Limit::keys(keys, rt)?);
            }
        }
        Ok(true)
    }
}

/// Keeps its input's rows for a rescan. The input must not read columns of an enclosing join.
pub struct Materialize {
    input: Box<dyn Op>,
    slots: Vec<u32>,
    rows: RowStore,
    reader: Reader,
    filled: bool,
}
impl Materialize {
    pub fn new(input: Box<dyn Op>, slots: Vec<u32>) -> Materialize {
        Materialize { input, rows: RowStore::new(slots.len()), slots, reader: Reader::default(), filled: false }
    }
}
impl Op for Materialize {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.reader.rewind();
        if !self.filled {
            self.rows.clear();
            self.input.open(rt)?;
            while self.input.next(rt)? {
                self.rows.push_slots(&self.slots, rt)?;
            }
            self.filled = true;
        }
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        self.reader.load(&self.rows, &self.slots, rt)
    }
}
