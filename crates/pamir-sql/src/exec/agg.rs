//! Grouping: hash and sorted aggregation, DISTINCT, set operations.
use super::expr;
use super::rows::{Charge, RowSet};
use super::{Op, Rt};
use crate::func::{AggState, CallInfo};
use crate::ir::SetOp;
use crate::plan::node::{AggOne, AggSpec, SetOpSpec};
use pamir_types::{Datum, Result, Type};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// One aggregate of one group.
struct One {
    state: Box<dyn AggState>,
    /// DISTINCT: the argument rows seen.
    distinct: Option<RowSet>,
    /// ORDER BY: (keys, arguments) to be fed in order at the end.
    ordered: Vec<(Vec<Datum>, Vec<Datum>)>,
}
impl One {
    fn new(a: &AggOne) -> One {
        let info = CallInfo { arg_types: &a.arg_types, ret: a.ret };
        One {
            state: (a.f.new)(&info),
            distinct: a.distinct.then(|| RowSet::new(a.arg_types.clone())),
            ordered: Vec::new(),
        }
    }
    fn feed(&mut self, a: &AggOne, rt: &mut Rt, charge: &mut Charge) -> Result<()> {
        if let Some(f) = &a.filter
            && expr::eval_bool(f, rt)? != Some(true)
        {
            return Ok(());
        }
        let mut args: SmallVec<[Datum; 2]> = SmallVec::new();
        for e in &a.args {
            args.push(expr::eval(e, rt)?);
        }
        if a.f.strict && args.iter().any(Datum::is_null) {
            return Ok(());
        }
        if let Some(d) = &mut self.distinct
            && !d.insert(&args, rt)?.1
        {
            return Ok(());
        }
        if !a.order_by.is_empty() {
            let mut keys = Vec::with_capacity(a.order_by.len());
            for k in &a.order_by {
                keys.push(expr::eval(&k.e, rt)?);
            }
            let size: usize = keys.iter().chain(&args).map(super::rows::datum_size).sum();
            charge.add(size, rt.memory)?;
            self.ordered.push((keys, args.into_vec()));
            return Ok(());
        }
        self.state.update(&args, rt.env)
    }
    fn finish(&mut self, a: &AggOne, rt: &mut Rt) -> Result<Datum> {
        if !self.ordered.is_empty() {
            let mut rows = std::mem::take(&mut self.ordered);
            rows.sort_by(|x, y| super::sort::compare_keys(&x.0, &y.0, &a.order_by));
            for (_, args) in rows {
                self.state.update(&args, rt.env)?;
            }
        }
        self.state.finish(rt.env)
    }
}

pub struct Agg {
    input: Box<dyn Op>,
    spec: Arc<AggSpec>,
    /// Finished groups of all sets: key values, then states.
    groups: Vec<(SetGroups, Vec<usize>)>,
    at: (usize, usize),
    /// Sorted mode: the first row of the next group is in the slots.
    pending: Option<Vec<Datum>>,
    ended: bool,
    charge: Charge,
}
struct SetGroups {
    keys: RowSet,
    states: Vec<Vec<One>>,
}
/// What a group is charged beyond its key.
const GROUP_BYTES: usize = 96;

impl Agg {
    pub fn new(input: Box<dyn Op>, spec: Arc<AggSpec>) -> Agg {
        Agg { input, spec, groups: Vec::new(), at: (0, 0), pending: None, ended: false, charge: Charge::default() }
    }
    fn emit(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            let (set, i) = self.at;
            let Some((g, members)) = self.groups.get_mut(set) else { return Ok(false) };
            if i >= g.states.len() {
                self.at = (set + 1, 0);
                continue;
            }
            self.at.1 += 1;
            rt.tick()?;
            // Columns outside the grouping set are NULL.
            for (_, _, slot) in &spec.groups {
                rt.set(*slot, Datum::Null);
            }
            for (m, d) in members.iter().zip(g.keys.rows.row(i)) {
                if let Some((_, _, slot)) = spec.groups.get(*m) {
                    rt.set(*slot, d.clone());
                }
            }
            let states = std::mem::take(&mut g.states[i]);
            for (mut s, a) in states.into_iter().zip(&spec.aggs) {
                let d = s.finish(a, rt)?;
                rt.set(a.slot, d);
            }
            return Ok(true);
        }
    }
    fn group_keys(&self, rt: &mut Rt) -> Result<Vec<Datum>> {
        let spec = self.spec.clone();
        spec.groups.iter().map(|(e, _, _)| expr::eval(e, rt)).collect()
    }
    fn next_sorted(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        let key = match self.pending.take() {
            Some(k) => k,
            None if self.ended => return Ok(false),
            None => {
                if !self.input.next(rt)? {
                    self.ended = true;
                    return Ok(false);
                }
                self.group_keys(rt)?
            }
        };
        let mut states: Vec<One> = spec.aggs.iter().map(One::new).collect();
        loop {
            for (s, a) in states.iter_mut().zip(&spec.aggs) {
                s.feed(a, rt, &mut self.charge)?;
            }
            rt.tick()?;
            if !self.input.next(rt)? {
                self.ended = true;
                break;
            }
            let k = self.group_keys(rt)?;
            let same = k.iter().zip(&key).zip(&spec.groups).all(|((a, b), g)| expr::compare(a, b, g.1).is_eq());
            if !same {
                self.pending = Some(k);
                break;
            }
        }
        // The next group's first row stays in the input's slots: finishing reads only the states.
        for (s, a) in states.iter_mut().zip(&spec.aggs) {
            let d = s.finish(a, rt)?;
            rt.set(a.slot, d);
        }
        for ((_, _, slot), d) in spec.groups.iter().zip(key) {
            rt.set(*slot, d);
        }
        Ok(true)
    }
}
impl Op for Agg {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.at = (0, 0);
        self.groups.clear();
        self.pending = None;
        self.ended = false;
        self.charge.clear();
        self.input.open(rt)?;
        if spec.sorted {
            return Ok(());
        }
        let all: Vec<usize> = (0..spec.groups.len()).collect();
        let sets: Vec<Vec<usize>> = if spec.sets.is_empty() { vec![all] } else { spec.sets.clone() };
        for s in sets {
            let types: Vec<Type> = s.iter().filter_map(|i| spec.groups.get(*i)).map(|g| g.1).collect();
            let mut g = SetGroups { keys: RowSet::new(types), states: Vec::new() };
            if s.is_empty() {
                // One group even without input.
                g.keys.insert(&[], rt)?;
                g.states.push(spec.aggs.iter().map(One::new).collect());
            }
            self.groups.push((g, s));
        }
        let mut key: SmallVec<[Datum; 4]> = SmallVec::new();
        let mut part: SmallVec<[Datum; 4]> = SmallVec::new();
        while self.input.next(rt)? {
            rt.tick()?;
            key.clear();
            for (e, _, _) in &spec.groups {
                key.push(expr::eval(e, rt)?);
            }
            for (g, members) in &mut self.groups {
                part.clear();
                part.extend(members.iter().filter_map(|i| key.get(*i).cloned()));
                let (i, new) = if members.is_empty() { (0, false) } else { g.keys.insert(&part, rt)? };
                if new {
                    self.charge.add(GROUP_BYTES * (1 + spec.aggs.len()), rt.memory)?;
                    g.states.push(spec.aggs.iter().map(One::new).collect());
                }
                if let Some(states) = g.states.get_mut(i) {
                    for (s, a) in states.iter_mut().zip(&spec.aggs) {
                        s.feed(a, rt, &mut self.charge)?;
                    }
                }
            }
        }
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if self.spec.sorted { self.next_sorted(rt) } else { self.emit(rt) }
    }
}

/// DISTINCT and DISTINCT ON: the first row of each key, in input order.
pub struct Distinct {
    input: Box<dyn Op>,
    keys: Arc<Vec<(expr::Px, Type)>>,
    seen: RowSet,
}
impl Distinct {
    pub fn new(input: Box<dyn Op>, keys: Arc<Vec<(expr::Px, Type)>>) -> Distinct {
        Distinct { input, seen: RowSet::new(keys.iter().map(|k| k.1).collect()), keys }
    }
}
impl Op for Distinct {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.seen.clear();
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while self.input.next(rt)? {
            rt.tick()?;
            let mut row: SmallVec<[Datum; 4]> = SmallVec::new();
            for (e, _) in self.keys.iter() {
                row.push(expr::eval(e, rt)?);
            }
            if self.seen.insert(&row, rt)?.1 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// UNION, INTERSECT, EXCEPT [ALL].
pub struct SetOperation {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<SetOpSpec>,
    phase: u8,
    set: RowSet,
    /// INTERSECT / EXCEPT: how often the right side has each row of `set`.
    counts: Vec<u64>,
    emitted: Vec<bool>,
}
impl SetOperation {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<SetOpSpec>) -> SetOperation {
        let set = RowSet::new(spec.types.clone());
        SetOperation { left, right, spec, phase: 0, set, counts: Vec::new(), emitted: Vec::new() }
    }
}
fn row_of(slots: &[u32], rt: &Rt) -> SmallVec<[Datum; 8]> {
    slots.iter().map(|s| rt.get(*s).clone()).collect()
}
fn put_row(row: SmallVec<[Datum; 8]>, slots: &[u32], rt: &mut Rt) {
    for (s, d) in slots.iter().zip(row) {
        rt.set(*s, d);
    }
}
impl Op for SetOperation {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.phase = 0;
        self.set.clear();
        self.counts.clear();
        self.emitted.clear();
        let spec = self.spec.clone();
        if spec.op != SetOp::Union {
            self.right.open(rt)?;
            while self.right.next(rt)? {
                rt.tick()?;
                let row = row_of(&spec.right, rt);
                let (i, new) = self.set.insert(&row, rt)?;
                if new {
                    self.counts.push(0);
                    self.emitted.push(false);
                }
                if let Some(c) = self.counts.get_mut(i) {
                    *c += 1;
                }
            }
        }
        self.left.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            rt.tick()?;
            if self.phase == 0 {
                if !self.left.next(rt)? {
                    if spec.op != SetOp::Union {
                        return Ok(false);
                    }
                    self.phase = 1;
                    self.right.open(rt)?;
                    continue;
                }
                let row = row_of(&spec.left, rt);
                let emit = match (spec.op, spec.all) {
                    (SetOp::Union, true) => true,
                    (SetOp::Union, false) => self.set.insert(&row, rt)?.1,
                    (SetOp::Intersect, all) => match self.set.find(&row) {
                        None => false,
                        Some(i) if all => {
                            let c = &mut self.counts[i];
                            let yes = *c > 0;
                            *c = c.saturating_sub(1);
                            yes
                        }
                        Some(i) => !std::mem::replace(&mut self.emitted[i], true),
                    },
                    (SetOp::Except, all) => match self.set.find(&row) {
                        Some(i) if all => {
                            let c = &mut self.counts[i];
                            let yes = *c == 0;
                            *c = c.saturating_sub(1);
                            yes
                        }
                        Some(_) => false,
                        None if all => true,
                        None => {
                            // Later duplicates of the left side find it with a count.
                            self.set.insert(&row, rt)?;
                            self.counts.push(1);
                            self.emitted.push(true);
                            true
                        }
                    },
                };
                if emit {
                    put_row(row, &spec.out, rt);
                    return Ok(true);
                }
                continue;
            }
            if !self.right.next(rt)? {
                return Ok(false);
            }
            let row = row_of(&spec.right, rt);
            if spec.all || self.set.insert(&row, rt)?.1 {
                put_row(row, &spec.out, rt);
                return Ok(true);
            }
        }
    }
}

/// NULL-aware order of one key.
#[inline]
pub fn order(a: &Datum, b: &Datum, ty: Type, desc: bool, nulls_first: bool) -> Ordering {
    match (a.is_null(), b.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => {
            if nulls_first {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (false, true) => {
            if nulls_first {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        _ => {
            let o = expr::compare(a, b, ty);
            if desc { o.reverse() } else { o }
        }
    }
}
