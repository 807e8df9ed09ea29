//! DISTINCT and set operations, by hash or over sorted input.
//!
//! | operator | keeps | order |
//! |---|---|---|
//! | [`Unique`] | the row before | its input's, which is sorted by the keys |
//! | [`Distinct`], [`Union`] | the distinct rows | its input's while they fit; past that what was put off follows in passes |
//! | [`SetOperation`] | the left side's distinct rows with counts | any |
//!
//! Rows that find no room go to tapes by their hash ([`spill::Passes`]). From the first of them on, a pass adds nothing to its set, so a key's
//! rows are either all in it or all put off, still in input order: DISTINCT ON keeps the first row of each key. The planner takes [`Unique`]
//! wherever the order of the result matters.
use super::agg::hash_note;
use super::rows::RowSet;
use super::spill::Passes;
use super::{Op, Rt};
use pamir_expr::expr;
use pamir_expr::ir::SetOp;
use pamir_expr::plan::node::SetOpSpec;
use pamir_types::{Datum, Result, Type};
use smallvec::SmallVec;
use std::sync::Arc;

type Row = SmallVec<[Datum; 8]>;

/// Keys seen, within a budget of memory.
struct Seen {
    set: RowSet,
    passes: Passes,
    full: bool,
    /// Rows of passes are being read.
    again: bool,
    row: Vec<Datum>,
    peak: usize,
}
impl Seen {
    fn new(types: Vec<Type>) -> Seen {
        Seen { set: RowSet::new(types), passes: Passes::default(), full: false, again: false, row: Vec::new(), peak: 0 }
    }
    fn clear(&mut self) {
        self.set.clear();
        self.passes.clear();
        self.full = false;
        self.again = false;
        self.peak = 0;
    }
    /// Is the key new? A row that must wait is put off with the slots it carries.
    fn offer(&mut self, key: &[Datum], hash: Option<u64>, carried: &[u32], rt: &Rt) -> Result<bool> {
        let h = hash.unwrap_or_else(|| self.set.hash(key));
        if self.set.find_hashed(key, h).is_some() {
            return Ok(false);
        }
        if self.full {
            let slots = carried.iter().map(|s| rt.get(*s));
            self.passes.put(h, key.iter().chain(slots), &rt.work.temp, rt.work.hash_mem)?;
            return Ok(false);
        }
        self.set.add(key, h, &rt.work.memory)?;
        let bytes = self.set.bytes();
        self.peak = self.peak.max(bytes);
        self.full = bytes > rt.work.hash_mem;
        Ok(true)
    }
    /// After the input's end: the next new row among those put off, its carried slots loaded; its key. None: there are no more.
    fn replay(&mut self, carried: &[u32], rt: &mut Rt) -> Result<Option<Vec<Datum>>> {
        loop {
            let mut row = std::mem::take(&mut self.row);
            let Some(h) = (if self.again { self.passes.next(&mut row)? } else { None }) else {
                self.row = row;
                if !self.passes.advance() {
                    self.again = false;
                    return Ok(None);
                }
                self.again = true;
                self.set.clear();
                self.full = false;
                continue;
            };
            rt.tick()?;
            let slots = row.split_off(self.set.types.len().min(row.len()));
            for (s, d) in carried.iter().zip(slots) {
                rt.set(*s, d);
            }
            if self.offer(&row, Some(h), carried, rt)? {
                return Ok(Some(row));
            }
            self.row = row;
        }
    }
    fn report(&self, id: usize, rt: &mut Rt) {
        let (batches, kb, disk) =
            (1 + self.passes.batches, self.peak.div_ceil(1024).max(24) as u64, self.passes.disk_kb());
        rt.stat(id, |s| s.note = Some(hash_note(batches, kb, disk)));
    }
}

/// DISTINCT and DISTINCT ON: the first row of each key.
pub struct Distinct {
    input: Box<dyn Op>,
    keys: Arc<Vec<(expr::Px, Type)>>,
    carried: Vec<u32>,
    id: usize,
    seen: Seen,
    ended: bool,
}
impl Distinct {
    pub fn new(input: Box<dyn Op>, keys: Arc<Vec<(expr::Px, Type)>>, carried: Vec<u32>, id: usize) -> Distinct {
        Distinct { input, seen: Seen::new(keys.iter().map(|k| k.1).collect()), keys, carried, id, ended: false }
    }
}
impl Op for Distinct {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.seen.clear();
        self.ended = false;
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while !self.ended && self.input.next(rt)? {
            rt.tick()?;
            let mut row: Row = SmallVec::new();
            for (e, _) in self.keys.iter() {
                row.push(expr::eval(e, rt)?);
            }
            if self.seen.offer(&row, None, &self.carried, rt)? {
                return Ok(true);
            }
        }
        self.ended = true;
        let more = self.seen.replay(&self.carried, rt)?.is_some();
        if !more {
            self.seen.report(self.id, rt);
        }
        Ok(more)
    }
}

/// The first row of each run of equal keys.
pub struct Unique {
    input: Box<dyn Op>,
    keys: Arc<Vec<(expr::Px, Type)>>,
    last: Vec<Datum>,
    row: Vec<Datum>,
    any: bool,
}
impl Unique {
    pub fn new(input: Box<dyn Op>, keys: Arc<Vec<(expr::Px, Type)>>) -> Unique {
        Unique { input, keys, last: Vec::new(), row: Vec::new(), any: false }
    }
}
impl Op for Unique {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.any = false;
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while self.input.next(rt)? {
            self.row.clear();
            for (e, _) in self.keys.iter() {
                let d = expr::eval(e, rt)?;
                self.row.push(d);
            }
            let same = self.any
                && self
                    .row
                    .iter()
                    .zip(&self.last)
                    .zip(self.keys.iter())
                    .all(|((a, b), k)| expr::compare(a, b, k.1).is_eq());
            if !same {
                self.any = true;
                std::mem::swap(&mut self.row, &mut self.last);
                return Ok(true);
            }
            rt.tick()?;
        }
        Ok(false)
    }
}

fn row_of(slots: &[u32], rt: &Rt) -> Row {
    slots.iter().map(|s| rt.get(*s).clone()).collect()
}
fn put_row(row: impl IntoIterator<Item = Datum>, slots: &[u32], rt: &mut Rt) {
    for (s, d) in slots.iter().zip(row) {
        rt.set(*s, d);
    }
}

/// One side of UNION ALL: its rows' slots, and where they go.
pub struct Side {
    op: Box<dyn Op>,
    slots: Box<[(u32, u32)]>,
}
impl Side {
    pub fn new(op: Box<dyn Op>, from: &[u32], to: &[u32]) -> Side {
        Side { op, slots: from.iter().copied().zip(to.iter().copied()).collect() }
    }
}
/// UNION ALL: one side after the other.
pub struct Append {
    sides: Vec<Side>,
    at: usize,
}
impl Append {
    pub fn new(sides: Vec<Side>) -> Append {
        Append { sides, at: 0 }
    }
    fn advance(&mut self, rt: &mut Rt) -> Result<()> {
        self.at += 1;
        self.sides.get_mut(self.at).map_or(Ok(()), |s| s.op.open(rt))
    }
}
impl Op for Append {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.at = 0;
        self.sides.first_mut().map_or(Ok(()), |s| s.op.open(rt))
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while let Some(side) = self.sides.get_mut(self.at) {
            rt.tick()?;
            if side.op.next(rt)? {
                for (from, to) in &side.slots {
                    let d = rt.get(*from).clone();
                    rt.set(*to, d);
                }
                return Ok(true);
            }
            self.advance(rt)?;
        }
        Ok(false)
    }
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        let mut n = 0;
        while n < max
            && let Some(side) = self.sides.get_mut(self.at)
        {
            rt.tick()?;
            n += side.op.pass(max - n, rt)?;
            // Fewer: that was its end.
            if n < max {
                self.advance(rt)?;
            }
        }
        Ok(n)
    }
}

/// UNION.
pub struct Union {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<SetOpSpec>,
    id: usize,
    /// 0: left, 1: right, 2: rows that were put off
    phase: u8,
    seen: Seen,
}
impl Union {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<SetOpSpec>, id: usize) -> Union {
        Union { left, right, seen: Seen::new(spec.types.clone()), spec, id, phase: 0 }
    }
}
impl Op for Union {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.phase = 0;
        self.seen.clear();
        self.left.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        while self.phase < 2 {
            rt.tick()?;
            let (side, slots) =
                if self.phase == 0 { (&mut self.left, &spec.left) } else { (&mut self.right, &spec.right) };
            if !side.next(rt)? {
                self.phase += 1;
                if self.phase == 1 {
                    self.right.open(rt)?;
                }
                continue;
            }
            let row = row_of(slots, rt);
            if self.seen.offer(&row, None, &[], rt)? {
                put_row(row, &spec.out, rt);
                return Ok(true);
            }
        }
        match self.seen.replay(&[], rt)? {
            Some(row) => {
                put_row(row, &spec.out, rt);
                Ok(true)
            }
            None => {
                self.seen.report(self.id, rt);
                Ok(false)
            }
        }
    }
}

/// INTERSECT and EXCEPT [ALL]: how often each side has each row.
pub struct SetOperation {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<SetOpSpec>,
    id: usize,
    set: RowSet,
    /// Times in the left and in the right input.
    counts: Vec<(u64, u64)>,
    at: usize,
    /// Times that row `at` is still to be returned.
    left_over: Option<u64>,
    passes: Passes,
    full: bool,
    peak: usize,
}
impl SetOperation {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<SetOpSpec>, id: usize) -> SetOperation {
        SetOperation {
            set: RowSet::new(spec.types.clone()),
            left,
            right,
            spec,
            id,
            counts: Vec::new(),
            at: 0,
            left_over: None,
            passes: Passes::default(),
            full: false,
            peak: 0,
        }
    }
    fn start_pass(&mut self) {
        self.set.clear();
        self.counts.clear();
        self.at = 0;
        self.left_over = None;
        self.full = false;
    }
    fn count(&mut self, row: &[Datum], hash: Option<u64>, right: bool, rt: &Rt) -> Result<()> {
        let h = hash.unwrap_or_else(|| self.set.hash(row));
        let i = match self.set.find_hashed(row, h) {
            Some(i) => i,
            // Only its left rows are ever returned. One that the left side was to have is found, or was put off.
            None if right && !self.full => return Ok(()),
            None if self.full => {
                let side = Datum::Bool(right);
                return self.passes.put(h, row.iter().chain([&side]), &rt.work.temp, rt.work.hash_mem);
            }
            None => {
                self.counts.push((0, 0));
                let i = self.set.add(row, h, &rt.work.memory)?;
                let bytes = self.set.bytes() + self.counts.len() * 16;
                self.peak = self.peak.max(bytes);
                self.full = bytes > rt.work.hash_mem;
                i
            }
        };
        if let Some(c) = self.counts.get_mut(i) {
            *(if right { &mut c.1 } else { &mut c.0 }) += 1;
        }
        Ok(())
    }
    fn next_pass(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.passes.advance() {
            return Ok(false);
        }
        self.start_pass();
        let mut row = Vec::new();
        while let Some(h) = self.passes.next(&mut row)? {
            rt.tick()?;
            let right = matches!(row.pop(), Some(Datum::Bool(true)));
            self.count(&row, Some(h), right, rt)?;
        }
        Ok(true)
    }
}
impl Op for SetOperation {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.passes.clear();
        self.peak = 0;
        self.start_pass();
        self.left.open(rt)?;
        while self.left.next(rt)? {
            rt.tick()?;
            let row = row_of(&spec.left, rt);
            self.count(&row, None, false, rt)?;
        }
        self.right.open(rt)?;
        while self.right.next(rt)? {
            rt.tick()?;
            let row = row_of(&spec.right, rt);
            self.count(&row, None, true, rt)?;
        }
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            rt.tick()?;
            let Some((l, r)) = self.counts.get(self.at).copied() else {
                if self.next_pass(rt)? {
                    continue;
                }
                let (batches, disk) = (1 + self.passes.batches, self.passes.disk_kb());
                let kb = self.peak.div_ceil(1024).max(24) as u64;
                rt.stat(self.id, |s| s.note = disk.map(|d| hash_note(batches, kb, Some(d))));
                return Ok(false);
            };
            let times = *self.left_over.get_or_insert(match (spec.op, spec.all) {
                (SetOp::Intersect, true) => l.min(r),
                (SetOp::Intersect, false) => u64::from(l > 0 && r > 0),
                (SetOp::Except, true) => l.saturating_sub(r),
                (_, _) => u64::from(l > 0 && r == 0),
            });
            if times == 0 {
                self.at += 1;
                self.left_over = None;
                continue;
            }
            self.left_over = Some(times - 1);
            put_row(self.set.rows.row(self.at).iter().cloned(), &spec.out, rt);
            return Ok(true);
        }
    }
}
