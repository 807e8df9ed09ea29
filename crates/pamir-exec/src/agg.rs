//! Grouping: hash and sorted aggregation.
//!
//! ```text
//! hash      rows -> group in memory -> states          a group that finds no room: its rows go to tapes, each a later pass (spill::Passes)
//! sorted    rows in the order of the groups -> one group's states at a time
//! ```
//! Once a pass puts rows off it makes no new group, so that a group is wholly in one pass. DISTINCT and ORDER BY of an aggregate keep their
//! arguments: a set in memory first, beyond work_mem an external sort. The planner has grouping with such aggregates sorted, so that only one
//! group keeps any.
//!
//! Limits: with GROUPING SETS such aggregates are kept for all groups at once, and an aggregate that collects its input (array_agg) has it in
//! memory whole; both are charged to the session's account (53200).
use super::rows::{Charge, RowSet, datum_size};
use super::sort::{KeyOrder, Sorter};
use super::spill::Passes;
use super::{Op, Rt};
use pamir_expr::expr::hash_index::{INDEX_BYTES, same_row};
use pamir_expr::expr::{self, Px};
use pamir_expr::func::{AggState, CallInfo};
use pamir_expr::plan::node::{AggOne, AggSpec};
use pamir_types::{Datum, Result, Type};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// Does the result depend on the order of the input?
fn in_order(a: &AggOne) -> bool {
    collects(a)
}
/// Does the state grow with its input?
fn collects(a: &AggOne) -> bool {
    a.f.collects()
}

/// What an aggregate with DISTINCT or ORDER BY keeps until its group ends.
enum Kept {
    /// DISTINCT of which the order does not matter: arguments go to the state when they are new. Past the budget the set stays as it is, and what is
    /// not in it is sorted.
    Set(RowSet, Option<Sorter>),
    /// Sort keys, then arguments. `distinct`: equal neighbours count once.
    Sorted { rows: Sorter, keys: usize, distinct: bool },
}
/// One aggregate of one group.
struct One {
    state: Box<dyn AggState>,
    kept: Option<Box<Kept>>,
}
/// How an aggregate is fed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feed {
    /// Its argument is a column, borrowed where it stands.
    Column(u32),
    /// count(*)
    Row,
    /// Its argument is computed.
    Value,
    /// All else: [`One::feed`].
    General,
}
impl Feed {
    fn of(a: &AggOne) -> Feed {
        if a.filter.is_some() || a.distinct || !a.order_by.is_empty() || collects(a) {
            return Feed::General;
        }
        match a.args[..] {
            [] => Feed::Row,
            [Px::Slot(s)] => Feed::Column(s),
            [_] => Feed::Value,
            _ => Feed::General,
        }
    }
}
/// Feeds the row in the slots to one group's aggregates.
#[inline]
fn feed_all(feeds: &[Feed], group: &mut [One], aggs: &[AggOne], rt: &mut Rt, charge: &mut Charge) -> Result<()> {
    for ((how, one), a) in feeds.iter().zip(group).zip(aggs) {
        match how {
            Feed::Row => one.state.update(&[], rt.env)?,
            Feed::Column(s) => {
                if let Some(d) = rt.st.slots.get(*s as usize)
                    && !(a.f.strict && d.is_null())
                {
                    one.state.update(std::slice::from_ref(d), rt.env)?;
                }
            }
            Feed::Value => {
                if let Some(e) = a.args.first() {
                    let d = expr::eval(e, rt)?;
                    if !(a.f.strict && d.is_null()) {
                        one.state.update(std::slice::from_ref(&d), rt.env)?;
                    }
                }
            }
            Feed::General => one.feed(a, rt, charge)?,
        }
    }
    Ok(())
}
impl One {
    fn new(a: &AggOne) -> One {
        let info = CallInfo { arg_types: &a.arg_types, ret: a.ret };
        let asc = |ty: &Type| KeyOrder { ty: *ty, desc: false, nulls_first: false };
        let kept = if a.distinct && a.order_by.is_empty() && !in_order(a) {
            Some(Kept::Set(RowSet::new(a.arg_types.clone()), None))
        } else if a.distinct || !a.order_by.is_empty() {
            // Equal arguments have equal sort keys (they must be among the arguments), so they become neighbours.
            let mut keys: Vec<KeyOrder> = a.order_by.iter().map(KeyOrder::from).collect();
            let n = keys.len();
            if a.distinct {
                keys.extend(a.arg_types.iter().map(asc));
            }
            Some(Kept::Sorted { rows: Sorter::new(keys.into(), n + a.arg_types.len()), keys: n, distinct: a.distinct })
        } else {
            None
        };
        One { state: a.f.begin(&info), kept: kept.map(Box::new) }
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
        match self.kept.as_deref_mut() {
            None => {}
            Some(Kept::Set(set, over)) => {
                let h = set.hash(&args);
                if set.find_hashed(&args, h).is_some() {
                    return Ok(());
                }
                if over.is_some() || set.bytes() > rt.work.hash_mem {
                    let asc = |ty: &Type| KeyOrder { ty: *ty, desc: false, nulls_first: false };
                    let sorter = over
                        .get_or_insert_with(|| Sorter::new(a.arg_types.iter().map(asc).collect(), a.arg_types.len()));
                    return sorter.push(args, rt.work);
                }
                set.add(&args, h, &rt.work.memory)?;
            }
            Some(Kept::Sorted { rows, .. }) => {
                let mut keys: SmallVec<[Datum; 4]> = SmallVec::with_capacity(a.order_by.len());
                for k in &a.order_by {
                    keys.push(expr::eval(&k.e, rt)?);
                }
                return rows.push(keys.into_iter().chain(args), rt.work);
            }
        }
        if collects(a) {
            charge.add(args.iter().map(datum_size).sum(), &rt.work.memory)?;
        }
        self.state.update(&args, rt.env)
    }
    fn finish(&mut self, a: &AggOne, rt: &mut Rt) -> Result<Datum> {
        let (mut rows, keys, distinct) = match self.kept.take().map(|k| *k) {
            Some(Kept::Set(_, Some(rows))) => (rows, 0, true),
            Some(Kept::Sorted { rows, keys, distinct }) => (rows, keys, distinct),
            _ => return self.state.finish(rt.env),
        };
        rows.finish(rt.work)?;
        let mut charge = Charge::default();
        let mut last: Option<Vec<Datum>> = None;
        while let Some(row) = rows.next()? {
            rt.tick()?;
            let args = row.get(keys..).unwrap_or(&[]);
            if distinct {
                if last.as_ref().is_some_and(|l| same_row(l, args, &a.arg_types)) {
                    continue;
                }
                last = Some(args.to_vec());
            }
            if collects(a) {
                charge.add(args.iter().map(datum_size).sum(), &rt.work.memory)?;
            }
            self.state.update(args, rt.env)?;
        }
        self.state.finish(rt.env)
    }
}

struct SetGroups {
    /// Which of the statement's group keys belong to this set.
    members: Vec<usize>,
    keys: RowSet,
    /// Of each group in turn, one for each aggregate.
    states: Vec<One>,
}
/// What a group is charged beyond its key.
const GROUP_BYTES: usize = 96;

pub struct Agg {
    input: Box<dyn Op>,
    spec: Arc<AggSpec>,
    /// What a row on disk carries.
    carried: Vec<u32>,
    id: usize,
    feeds: Vec<Feed>,
    /// Some aggregate's state grows.
    growing: bool,
    /// The columns that are the keys of the one set of groups, where all keys are columns.
    columns: Option<Arc<[u32]>>,
    groups: Vec<SetGroups>,
    at: (usize, usize),
    /// Sorted mode: the first row of the next group is in the slots.
    pending: Option<Vec<Datum>>,
    ended: bool,
    charge: Charge,
    /// Bytes of this pass's groups.
    held: usize,
    peak: usize,
    passes: Passes,
    /// This pass makes no more groups.
    full: bool,
}

impl Agg {
    pub fn new(input: Box<dyn Op>, spec: Arc<AggSpec>, carried: Vec<u32>, id: usize) -> Agg {
        let column = |g: &(Px, Type, u32)| if let Px::Slot(s) = g.0 { Some(s) } else { None };
        let columns = if spec.sets.is_empty() { spec.groups.iter().map(column).collect() } else { None };
        let feeds: Vec<Feed> = spec.aggs.iter().map(Feed::of).collect();
        Agg {
            input,
            growing: feeds.contains(&Feed::General),
            feeds,
            columns,
            spec,
            carried,
            id,
            groups: Vec::new(),
            at: (0, 0),
            pending: None,
            ended: false,
            charge: Charge::default(),
            held: 0,
            peak: 0,
            passes: Passes::default(),
            full: false,
        }
    }
    /// Feeds the row in the slots, whose key for grouping set `set` is `key`, to its group, or puts it off.
    fn group(&mut self, spec: &AggSpec, set: usize, key: &[Datum], hash: Option<u64>, rt: &mut Rt) -> Result<()> {
        let Some(g) = self.groups.get(set) else { return Ok(()) };
        if g.members.is_empty() {
            return self.feed(spec, set, 0, rt);
        }
        let h = hash.unwrap_or_else(|| g.keys.hash(key));
        match g.keys.find_hashed(key, h) {
            Some(i) => self.feed(spec, set, i, rt),
            None => self.add_group(spec, set, key, h, rt),
        }
    }
    /// As [`Agg::group`] for a row whose key is in columns: none of it is copied unless the group is new.
    fn group_by_columns(&mut self, spec: &AggSpec, columns: &[u32], rt: &mut Rt) -> Result<()> {
        let Some(g) = self.groups.first() else { return Ok(()) };
        let (h, found) = match columns {
            [] => return self.feed(spec, 0, 0, rt),
            [s] => {
                let key = std::slice::from_ref(rt.get(*s));
                let h = g.keys.hash(key);
                (h, g.keys.find_hashed(key, h))
            }
            many => {
                let h = g.keys.hash_of(many.iter().map(|s| rt.get(*s)));
                (h, g.keys.find_with(h, || many.iter().map(|s| rt.get(*s))))
            }
        };
        match found {
            Some(i) => self.feed(spec, 0, i, rt),
            None => {
                let key: SmallVec<[Datum; 4]> = columns.iter().map(|s| rt.get(*s).clone()).collect();
                self.add_group(spec, 0, &key, h, rt)
            }
        }
    }
    /// Feeds the row in the slots to group `i` of a set.
    #[inline]
    fn feed(&mut self, spec: &AggSpec, set: usize, i: usize, rt: &mut Rt) -> Result<()> {
        let n = spec.aggs.len();
        let Some(group) = self.groups.get_mut(set).and_then(|g| g.states.get_mut(i * n..(i + 1) * n)) else {
            return Ok(());
        };
        if !self.growing {
            return feed_all(&self.feeds, group, &spec.aggs, rt, &mut self.charge);
        }
        let before = self.charge.bytes();
        feed_all(&self.feeds, group, &spec.aggs, rt, &mut self.charge)?;
        // What collecting aggregates hold counts as the groups' memory.
        self.held += (self.charge.bytes() - before) as usize;
        self.full |= self.held > rt.work.hash_mem;
        Ok(())
    }
    /// Makes the group of the row in the slots and feeds it, or puts the row off where there is no room.
    fn add_group(&mut self, spec: &AggSpec, set: usize, key: &[Datum], h: u64, rt: &mut Rt) -> Result<()> {
        let Some(g) = self.groups.get_mut(set) else { return Ok(()) };
        if self.full {
            let number = Datum::Int4(set as i32);
            let slots = self.carried.iter().map(|s| rt.get(*s));
            let row = std::iter::once(&number).chain(key).chain(slots);
            return self.passes.put(h, row, &rt.work.temp, rt.work.hash_mem);
        }
        let own = GROUP_BYTES * (1 + spec.aggs.len());
        self.charge.add(own, &rt.work.memory)?;
        self.held += own + INDEX_BYTES + key.iter().map(datum_size).sum::<usize>();
        self.peak = self.peak.max(self.held);
        self.full = self.held > rt.work.hash_mem;
        g.states.extend(spec.aggs.iter().map(One::new));
        let i = g.keys.add(key, h, &rt.work.memory)?;
        self.feed(spec, set, i, rt)
    }
    fn start_pass(&mut self, first: bool, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.at = (0, 0);
        self.groups.clear();
        self.charge.clear();
        self.held = 0;
        self.full = false;
        let all: Vec<usize> = (0..spec.groups.len()).collect();
        let sets: Vec<Vec<usize>> = if spec.sets.is_empty() { vec![all] } else { spec.sets.clone() };
        for members in sets {
            let types: Vec<Type> = members.iter().filter_map(|i| spec.groups.get(*i)).map(|g| g.1).collect();
            let mut g = SetGroups { members, keys: RowSet::new(types), states: Vec::new() };
            if g.members.is_empty() && first {
                // One group even without input.
                g.keys.insert(&[], rt)?;
                g.states.extend(spec.aggs.iter().map(One::new));
            }
            self.groups.push(g);
        }
        Ok(())
    }
    /// Reads a pass over rows that were put off; false when there is none.
    fn next_pass(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.passes.advance() {
            return Ok(false);
        }
        self.start_pass(false, rt)?;
        let spec = self.spec.clone();
        let mut row = Vec::new();
        while let Some(h) = self.passes.next(&mut row)? {
            rt.tick()?;
            let set = match row.first() {
                Some(Datum::Int4(n)) => *n as usize,
                _ => 0,
            };
            let n = 1 + self.groups.get(set).map_or(0, |g| g.members.len());
            let slots = row.split_off(n.min(row.len()));
            for (s, d) in self.carried.iter().zip(slots) {
                rt.set(*s, d);
            }
            self.group(&spec, set, row.get(1..).unwrap_or(&[]), Some(h), rt)?;
        }
        self.report(rt);
        Ok(true)
    }
    fn report(&self, rt: &mut Rt) {
        if self.spec.groups.is_empty() {
            return;
        }
        let (peak, batches, disk) = (self.peak.div_ceil(1024).max(24), 1 + self.passes.batches, self.passes.disk_kb());
        rt.stat(self.id, |s| s.note = Some(hash_note(batches, peak as u64, disk)));
    }
    fn emit(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            let (set, i) = self.at;
            let Some(g) = self.groups.get_mut(set) else {
                if !self.next_pass(rt)? {
                    return Ok(false);
                }
                continue;
            };
            if i >= g.keys.len() {
                self.at = (set + 1, 0);
                continue;
            }
            self.at.1 += 1;
            rt.tick()?;
            // Columns outside the grouping set are NULL.
            for (_, _, slot) in &spec.groups {
                rt.set(*slot, Datum::Null);
            }
            for (m, d) in g.members.iter().zip(g.keys.rows.row(i)) {
                if let Some((_, _, slot)) = spec.groups.get(*m) {
                    rt.set(*slot, d.clone());
                }
            }
            let n = spec.aggs.len();
            for (s, a) in g.states.iter_mut().skip(i * n).zip(&spec.aggs) {
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
        self.charge.clear();
        let mut states: Vec<One> = spec.aggs.iter().map(One::new).collect();
        loop {
            feed_all(&self.feeds, &mut states, &spec.aggs, rt, &mut self.charge)?;
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
        self.pending = None;
        self.ended = false;
        self.passes.clear();
        self.peak = 0;
        self.charge.clear();
        self.input.open(rt)?;
        if spec.sorted {
            return Ok(());
        }
        self.start_pass(true, rt)?;
        if spec.groups.is_empty() && spec.sets.is_empty() && self.feeds.iter().all(|f| *f == Feed::Row) {
            // Nobody asks for more than how many there are.
            let n = self.input.pass(u64::MAX, rt)?;
            let states = self.groups.iter_mut().flat_map(|g| &mut g.states);
            return states.into_iter().try_for_each(|s| s.state.repeat(n, rt.env));
        }
        let mut key: SmallVec<[Datum; 4]> = SmallVec::new();
        let mut part: SmallVec<[Datum; 4]> = SmallVec::new();
        let columns = self.columns.clone();
        while self.input.next(rt)? {
            rt.tick()?;
            if let Some(columns) = &columns {
                self.group_by_columns(&spec, columns, rt)?;
                continue;
            }
            key.clear();
            for (e, _, _) in &spec.groups {
                key.push(expr::eval(e, rt)?);
            }
            if spec.sets.is_empty() {
                self.group(&spec, 0, &key, None, rt)?;
                continue;
            }
            for (set, members) in spec.sets.iter().enumerate() {
                part.clear();
                part.extend(members.iter().filter_map(|i| key.get(*i).cloned()));
                self.group(&spec, set, &part, None, rt)?;
            }
        }
        self.report(rt);
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if self.spec.sorted { self.next_sorted(rt) } else { self.emit(rt) }
    }
}

/// What EXPLAIN ANALYZE says of a hash table of groups.
pub fn hash_note(batches: u64, memory_kb: u64, disk_kb: Option<u64>) -> String {
    match disk_kb {
        Some(d) => format!("Batches: {batches}  Memory Usage: {memory_kb}kB  Disk Usage: {d}kB"),
        None => format!("Batches: {batches}  Memory Usage: {memory_kb}kB"),
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
