//! Sorting: in memory while it fits into work_mem, then by merging sorted runs from a temporary file; top-N when a limit is known.
//!
//! ```text
//! rows      flat datums: keys, then what is carried        order   (8-byte prefix of the first key, row number)
//! run       a spill tape of rows in order                   merge   a heap of run heads, at most a budget's worth of runs at a time
//! ```
//! Most comparisons end at the prefix, an integer whose order never contradicts the first key's: the leading bytes of a text, a whole integer, a
//! numeric's sign, magnitude and first digits. A value that has none (a list, a numeric of forty digits) takes them from all rows of its sort.
//! Equal prefixes go on to the datums, equal keys to the row number, so that the sort is stable, on disk too. Many rows are brought in the order of their
//! prefixes by counting bytes ([`radix`]).
use super::agg::order;
use super::rows::{Charge, datum_size};
use super::spill::{self, Cursor, Spill, Tape};
use super::{Op, Rt, Work, ops};
use pamir_expr::expr;
use pamir_expr::expr::Px;
use pamir_expr::plan::node::{KeySpec, LimitSpec};
use pamir_txn::MemoryAccount;
use pamir_types::json::Jsonb;
use pamir_types::{Datum, Error, Result, Type, oid, work};
use std::cmp::Ordering;
use std::sync::Arc;

pub fn compare_keys(a: &[Datum], b: &[Datum], keys: &[KeySpec]) -> Ordering {
    for ((x, y), k) in a.iter().zip(b).zip(keys) {
        let o = order(x, y, k.ty, k.desc, k.nulls_first);
        if o.is_ne() {
            return o;
        }
    }
    Ordering::Equal
}

/// How one column sorts.
#[derive(Clone, Copy, Debug)]
pub struct KeyOrder {
    pub ty: Type,
    pub desc: bool,
    pub nulls_first: bool,
}
impl From<&KeySpec> for KeyOrder {
    fn from(k: &KeySpec) -> KeyOrder {
        KeyOrder { ty: k.ty, desc: k.desc, nulls_first: k.nulls_first }
    }
}
fn compare(a: &[Datum], b: &[Datum], keys: &[KeyOrder]) -> Ordering {
    for ((x, y), k) in a.iter().zip(b).zip(keys) {
        let o = order(x, y, k.ty, k.desc, k.nulls_first);
        if o.is_ne() {
            return o;
        }
    }
    Ordering::Equal
}
/// The first eight bytes, zeros behind the end.
#[inline]
pub fn byte_prefix(b: &[u8]) -> u64 {
    match b.first_chunk::<8>() {
        Some(c) => u64::from_be_bytes(*c),
        None => {
            let mut c = [0; 8];
            c[..b.len()].copy_from_slice(b);
            u64::from_be_bytes(c)
        }
    }
}
/// An integer in the order of `d` among the values of the key, where it is not the same for two of them. None: nothing short is known of it.
#[inline]
fn prefix(d: &Datum, k: &KeyOrder) -> Option<u64> {
    let int = |v: i64| v as u64 ^ (1 << 63);
    let p = match d {
        Datum::Null => return Some(if k.nulls_first { 0 } else { u64::MAX }),
        Datum::Int4(v) | Datum::Date(v) => int(i64::from(*v)),
        Datum::Int8(v) | Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => int(*v),
        Datum::Int2(v) => int(i64::from(*v)),
        Datum::Float4(v) => float_prefix(f64::from(*v)),
        Datum::Float8(v) => float_prefix(*v),
        Datum::Numeric(v) => v.order_prefix()?,
        Datum::Bool(v) => u64::from(*v),
        Datum::Oid(v) => u64::from(*v),
        // A padded value sorts without its blanks.
        Datum::Text(s) if k.ty.oid == oid::BPCHAR => byte_prefix(s.trim_end_matches(' ').as_bytes()),
        Datum::Text(s) => byte_prefix(s.as_bytes()),
        Datum::Bytea(b) => byte_prefix(b),
        Datum::Uuid(b) => byte_prefix(b),
        _ => return None,
    };
    Some(if k.desc { !p } else { p })
}
/// Minus zero is zero, every NaN the greatest.
fn float_prefix(v: f64) -> u64 {
    let bits = if v.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { (v + 0.0).to_bits() };
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}
/// Whether values of a type are equal wherever their prefixes are; the least and the greatest prefix are NULL's too.
fn is_whole(t: Type) -> bool {
    matches!(
        t.oid,
        oid::INT2
            | oid::INT4
            | oid::INT8
            | oid::DATE
            | oid::TIME
            | oid::TIMESTAMP
            | oid::TIMESTAMPTZ
            | oid::FLOAT4
            | oid::FLOAT8
    )
}

/// What it costs to compare two rows by prefix.
const PREFIX: u32 = 5;
/// What it costs to compare a row with another one by these keys, at most.
fn cost(keys: &[Datum]) -> u32 {
    let one = |d: &Datum| match d {
        Datum::Text(s) => s.len() / 16,
        Datum::Bytea(b) => b.len() / 16,
        Datum::Array(a) => a.items.len() * 4,
        Datum::Jsonb(j) => match &**j {
            Jsonb::Array(v) => v.len() * 8,
            Jsonb::Object(m) => m.len() * 16,
            Jsonb::String(s) => s.len() / 16,
            _ => 0,
        },
        Datum::Record(f) => f.len() * 20,
        _ => 0,
    };
    keys.iter().map(one).sum::<usize>().saturating_add(30).try_into().unwrap_or(u32::MAX)
}

/// Fewer rows are as quickly sorted by comparing.
const RADIX_MIN: usize = 512;
/// Elements between two charges, and what one costs.
const RADIX_STEP: usize = 4096;
const RADIX: usize = 3;

/// Sorts by the integers, stably, a byte at a time from the least, through as much memory again (`scratch`); bytes that are the same in all take no pass. False: that would take
/// more passes than comparing is worth, or there is no memory; nothing has happened. After an error the slice holds anything.
fn radix(v: &mut Vec<(u64, u32)>, memory: &Arc<MemoryAccount>) -> Result<bool> {
    if v.len() < RADIX_MIN {
        return Ok(false);
    }
    let (mut any, mut all) = (0, u64::MAX);
    for (p, _) in v.iter() {
        (any, all) = (any | p, all & p);
    }
    let varying: Vec<u32> = (0..8).map(|b| b * 8).filter(|b| (any ^ all) >> b & 0xff != 0).collect();
    if varying.len() * 3 > v.len().ilog2() as usize {
        return Ok(false);
    }
    let mut charge = Charge::default();
    if charge.add(std::mem::size_of_val(&v[..]), memory).is_err() {
        return Ok(false);
    }
    let mut scratch = vec![(0, 0); v.len()];
    for shift in varying {
        let mut places = [0usize; 256];
        for some in v.chunks(RADIX_STEP) {
            work::charge(some.len())?;
            some.iter().for_each(|(p, _)| places[(p >> shift) as u8 as usize] += 1);
        }
        let mut at = 0;
        for place in &mut places {
            at += std::mem::replace(place, at);
        }
        for some in v.chunks(RADIX_STEP) {
            work::charge(some.len() * RADIX)?;
            for e in some {
                let place = &mut places[(e.0 >> shift) as u8 as usize];
                if let Some(to) = scratch.get_mut(*place) {
                    *to = *e;
                }
                *place += 1;
            }
        }
        std::mem::swap(v, &mut scratch);
    }
    Ok(true)
}

/// The fewest runs that one merge takes.
const MIN_FAN_IN: usize = 6;

/// Sorts rows of any number, within a budget of memory.
pub struct Sorter {
    keys: Arc<[KeyOrder]>,
    width: usize,
    data: Vec<Datum>,
    order: Vec<(u64, u32)>,
    /// A first key had no prefix: none says anything.
    blind: bool,
    charge: Charge,
    spill: Option<Spill>,
    runs: Vec<Tape>,
    merge: Option<Merge>,
    at: usize,
    /// Rows taken out of `data` together, so that the processor waits for many places of memory at a time; how many datums of them were given out.
    ahead: Vec<Datum>,
    given: usize,
    /// Largest size in memory.
    peak: u64,
    buf: Vec<u8>,
}
/// Rows that are taken out together.
const AHEAD: usize = 32;
impl Sorter {
    /// Rows of `width` datums, the keys first.
    pub fn new(keys: Arc<[KeyOrder]>, width: usize) -> Sorter {
        Sorter {
            keys,
            width,
            data: Vec::new(),
            order: Vec::new(),
            blind: false,
            charge: Charge::default(),
            spill: None,
            runs: Vec::new(),
            merge: None,
            at: 0,
            ahead: Vec::new(),
            given: 0,
            peak: 0,
            buf: Vec::new(),
        }
    }
    pub fn clear(&mut self) {
        self.data.clear();
        self.order.clear();
        self.blind = false;
        self.charge.clear();
        self.spill = None;
        self.runs.clear();
        self.merge = None;
        self.at = 0;
        self.ahead.clear();
        self.given = 0;
        self.peak = 0;
    }
    /// Rows in memory.
    pub fn len(&self) -> usize {
        self.order.len()
    }
    pub fn is_empty(&self) -> bool {
        self.order.is_empty() && self.runs.is_empty()
    }
    /// Appends one row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Datum>, work: &Work) -> Result<()> {
        self.push_with(|data| data.extend(row), work)
    }
    /// The same; `fill` appends the row.
    #[inline]
    fn push_with(&mut self, fill: impl FnOnce(&mut Vec<Datum>), work: &Work) -> Result<()> {
        let at = self.data.len();
        fill(&mut self.data);
        // A row is as wide as was said, whatever the caller gave.
        if self.data.len() != at + self.width {
            self.data.resize(at + self.width, Datum::Null);
        }
        let row = &self.data[at..];
        let p = match (row.first(), self.keys.first()) {
            (Some(d), Some(k)) => prefix(d, k).unwrap_or_else(|| {
                self.blind = true;
                0
            }),
            _ => 0,
        };
        let size: usize = row.iter().map(datum_size).sum();
        self.order.push((p, self.order.len() as u32));
        self.charge.add(size + 16, &work.memory)?;
        if self.charge.bytes() as usize > work.mem { self.write_run(work) } else { Ok(()) }
    }
    fn sort(&mut self, work: &Work) -> Result<()> {
        if self.blind {
            self.order.iter_mut().for_each(|o| o.0 = 0);
        }
        // By whole integers first, then those that are alike by what these do not say. Rows stand in the order they came, so that a stable sort need not look at it; after
        // `truncate` too.
        if !radix(&mut self.order, &work.memory)? {
            work::sort_unstable_by(&mut self.order, |a, b| (a.cmp(b), PREFIX))?;
        }
        let (w, data, keys) = (self.width, &self.data, &self.keys);
        let n = keys.len().min(w);
        let whole = !self.blind && n > 0 && keys.first().is_some_and(|k| is_whole(k.ty));
        for alike in self.order.chunk_by_mut(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            // NULL and the extreme value share a prefix.
            let done = usize::from(whole && alike.first().is_some_and(|o| o.0 != 0 && o.0 != u64::MAX));
            let Some(rest @ [_, ..]) = keys.get(done..n) else { continue };
            let row = |i: u32| data.get(i as usize * w + done..i as usize * w + n).unwrap_or(&[]);
            work::sort_unstable_by(alike, |a, b| {
                let (x, y) = (row(a.1), row(b.1));
                (compare(x, y, rest).then_with(|| a.1.cmp(&b.1)), cost(x))
            })?;
        }
        Ok(())
    }
    #[cold]
    fn write_run(&mut self, work: &Work) -> Result<()> {
        self.peak = self.peak.max(self.charge.bytes());
        self.sort(work)?;
        let spill = match &self.spill {
            Some(s) => s,
            None => self.spill.insert(Spill::new(&work.temp, work.mem)?),
        };
        let mut tape = spill.tape();
        for (_, i) in &self.order {
            let at = *i as usize * self.width;
            spill::encode(0, self.data.get(at..at + self.width).unwrap_or(&[]), &mut self.buf)?;
            tape.push(&self.buf)?;
        }
        self.runs.push(tape);
        self.data.clear();
        self.order.clear();
        self.blind = false;
        self.charge.clear();
        Ok(())
    }
    /// Keeps the first `n` rows in order.
    pub fn truncate(&mut self, n: usize, work: &Work) -> Result<()> {
        self.sort(work)?;
        self.order.truncate(n);
        let mut data = Vec::with_capacity(self.data.capacity());
        self.charge.clear();
        for (k, (_, i)) in self.order.iter_mut().enumerate() {
            let at = std::mem::replace(i, k as u32) as usize * self.width;
            for d in self.data.get_mut(at..at + self.width).unwrap_or(&mut []) {
                self.charge.add(datum_size(d), &work.memory)?;
                data.push(std::mem::replace(d, Datum::Null));
            }
        }
        self.data = data;
        Ok(())
    }
    /// The keys of the last row in order, after [`Sorter::truncate`].
    fn last(&self) -> Option<&[Datum]> {
        let (_, i) = self.order.last()?;
        self.data.get(*i as usize * self.width..)?.get(..self.keys.len())
    }
    /// No more rows come: sorts, or begins to merge.
    pub fn finish(&mut self, work: &Work) -> Result<()> {
        self.at = 0;
        if self.runs.is_empty() {
            self.peak = self.peak.max(self.charge.bytes());
            return self.sort(work);
        }
        if !self.order.is_empty() {
            self.write_run(work)?;
        }
        let block = self.spill.as_ref().map_or(1, Spill::block);
        let fan_in = (work.mem / block).max(MIN_FAN_IN);
        while self.runs.len() > fan_in {
            let mut merged = Vec::new();
            let mut rest = std::mem::take(&mut self.runs).into_iter();
            loop {
                let some: Vec<Tape> = rest.by_ref().take(fan_in).collect();
                if some.is_empty() {
                    break;
                }
                let Some(spill) = &self.spill else { break };
                let mut tape = spill.tape();
                let mut m = Merge::new(some, self.keys.clone())?;
                while let Some(frame) = m.top() {
                    tape.push(frame)?;
                    m.pop()?;
                }
                merged.push(tape);
            }
            self.runs = merged;
        }
        self.merge = Some(Merge::new(std::mem::take(&mut self.runs), self.keys.clone())?);
        Ok(())
    }
    /// The next row in order; the caller may take its datums out.
    #[allow(clippy::should_implement_trait)] // rows lent out one at a time are no Iterator
    pub fn next(&mut self) -> Result<Option<&mut [Datum]>> {
        if let Some(m) = &mut self.merge {
            return m.next();
        }
        if self.width == 0 {
            self.at += 1;
            let row: &mut [Datum] = &mut [];
            return Ok((self.at <= self.order.len()).then_some(row));
        }
        if self.given == self.ahead.len() {
            self.ahead.clear();
            self.given = 0;
            let rest = self.order.get(self.at..).unwrap_or(&[]);
            for (_, i) in rest.iter().take(AHEAD) {
                let at = *i as usize * self.width;
                let row = self.data.get_mut(at..at + self.width).unwrap_or(&mut []);
                self.ahead.extend(row.iter_mut().map(|d| std::mem::replace(d, Datum::Null)));
            }
            self.at += rest.len().min(AHEAD);
        }
        let at = self.given;
        self.given = (at + self.width).min(self.ahead.len());
        Ok(self.ahead.get_mut(at..self.given).filter(|r| !r.is_empty()))
    }
    fn note(&self, top_n: bool) -> String {
        match &self.spill {
            None => format!(
                "Sort Method: {}  Memory: {}kB",
                if top_n { "top-N heapsort" } else { "quicksort" },
                self.peak.div_ceil(1024).max(25)
            ),
            Some(s) => format!("Sort Method: external merge  Disk: {}kB", s.disk_kb()),
        }
    }
}

/// Merges runs: a binary heap of the runs by their heads.
struct Merge {
    keys: Arc<[KeyOrder]>,
    runs: Vec<Run>,
    heap: Vec<u32>,
    out: Vec<Datum>,
}
struct Run {
    tape: Tape,
    at: Cursor,
    frame: Vec<u8>,
    head: Vec<Datum>,
}
impl Run {
    /// Loads the next row; false at the end.
    fn advance(&mut self) -> Result<bool> {
        let Some(f) = self.at.next(&self.tape)? else { return Ok(false) };
        self.frame.clear();
        self.frame.extend_from_slice(f);
        spill::decode(f, &mut self.head)?;
        Ok(true)
    }
}
impl Merge {
    fn new(tapes: Vec<Tape>, keys: Arc<[KeyOrder]>) -> Result<Merge> {
        let mut m = Merge { keys, runs: Vec::new(), heap: Vec::new(), out: Vec::new() };
        for tape in tapes {
            let mut r = Run { tape, at: Cursor::default(), frame: Vec::new(), head: Vec::new() };
            if r.advance()? {
                m.heap.push(m.runs.len() as u32);
                m.runs.push(r);
            }
        }
        for i in (0..m.heap.len() / 2).rev() {
            m.sift(i);
        }
        Ok(m)
    }
    /// Earlier runs first among equals: the merge is stable.
    fn less(&self, a: u32, b: u32) -> bool {
        let (Some(x), Some(y)) = (self.runs.get(a as usize), self.runs.get(b as usize)) else { return false };
        compare(&x.head, &y.head, &self.keys).then(a.cmp(&b)).is_lt()
    }
    fn sift(&mut self, mut i: usize) {
        loop {
            let mut least = i;
            for c in [2 * i + 1, 2 * i + 2] {
                if c < self.heap.len() && self.less(self.heap[c], self.heap[least]) {
                    least = c;
                }
            }
            if least == i {
                return;
            }
            self.heap.swap(i, least);
            i = least;
        }
    }
    /// The encoded least row.
    fn top(&self) -> Option<&[u8]> {
        self.runs.get(*self.heap.first()? as usize).map(|r| r.frame.as_slice())
    }
    fn pop(&mut self) -> Result<()> {
        let Some(r) = self.heap.first().and_then(|i| self.runs.get_mut(*i as usize)) else { return Ok(()) };
        if !r.advance()? {
            self.heap.swap_remove(0);
        }
        self.sift(0);
        Ok(())
    }
    fn next(&mut self) -> Result<Option<&mut [Datum]>> {
        let Some(r) = self.heap.first().and_then(|i| self.runs.get_mut(*i as usize)) else { return Ok(None) };
        self.out.clear();
        self.out.append(&mut r.head);
        self.pop()?;
        Ok(Some(&mut self.out))
    }
}

/// Above this many rows a limit is no longer worth a bounded sort.
pub(super) const TOP_N_MAX: u64 = 10_000;

pub struct Sort {
    input: Box<dyn Op>,
    keys: Arc<Vec<KeySpec>>,
    limit: Option<Arc<LimitSpec>>,
    /// Columns that are keys and come back from them.
    from_keys: Vec<(usize, u32)>,
    /// The other columns that rows carry.
    slots: Vec<u32>,
    id: usize,
    sorter: Sorter,
    /// The key values of the row in hand.
    row: Vec<Datum>,
    /// What a row must come before to be among the first N.
    bound: Vec<Datum>,
}
impl Sort {
    pub fn new(
        input: Box<dyn Op>,
        keys: Arc<Vec<KeySpec>>,
        limit: Option<Arc<LimitSpec>>,
        slots: Vec<u32>,
        id: usize,
    ) -> Sort {
        let orders: Arc<[KeyOrder]> = keys.iter().map(KeyOrder::from).collect();
        let column = |(i, k): (usize, &KeySpec)| match k.e {
            Px::Slot(s) if slots.contains(&s) => Some((i, s)),
            _ => None,
        };
        let from_keys: Vec<(usize, u32)> = keys.iter().enumerate().filter_map(column).collect();
        let slots: Vec<u32> = slots.into_iter().filter(|s| from_keys.iter().all(|(_, k)| k != s)).collect();
        let sorter = Sorter::new(orders, keys.len() + slots.len());
        Sort { input, keys, limit, from_keys, slots, id, sorter, row: Vec::new(), bound: Vec::new() }
    }
}
impl Op for Sort {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.sorter.clear();
        let mut keep = match &self.limit {
            Some(l) if l.ties.is_none() => match ops::limits(l, rt)? {
                (Some(n), skip) if n.saturating_add(skip) <= TOP_N_MAX => Some(n.saturating_add(skip) as usize),
                _ => None,
            },
            _ => None,
        };
        self.input.open(rt)?;
        if keep == Some(0) {
            return Ok(());
        }
        let top_n = keep.is_some();
        let keys = self.keys.clone();
        self.bound.clear();
        let mut first_bound = None;
        let [first, rest @ ..] = &keys[..] else {
            return Err(Error::internal("a sort has no keys"));
        };
        let first_order = KeyOrder::from(first);
        // A later key that may fail is computed for every row, kept or not.
        let rest_is_plain = rest.iter().all(|k| matches!(k.e, Px::Slot(_) | Px::Const(_)));
        while self.input.next(rt)? {
            rt.tick()?;
            let beyond = |d: &Datum| first_bound.is_some_and(|b| prefix(d, &first_order).is_some_and(|p| p > b));
            self.row.clear();
            if let (Px::Slot(i), true) = (&first.e, rest_is_plain)
                && beyond(rt.get(*i))
            {
                continue;
            }
            let d = expr::eval(&first.e, rt)?;
            if rest_is_plain && beyond(&d) {
                continue;
            }
            self.row.push(d);
            for k in rest {
                let d = expr::eval(&k.e, rt)?;
                self.row.push(d);
            }
            if let Some(n) = keep {
                // Once N rows were sorted, a row that comes after the last of them, then or later, is not among the first N.
                if !self.bound.is_empty() && compare_keys(&self.row, &self.bound, &keys).is_ge() {
                    continue;
                }
                if self.sorter.len() >= 2 * n {
                    self.sorter.truncate(n, rt.work)?;
                    self.bound.clear();
                    self.bound.extend_from_slice(self.sorter.last().unwrap_or(&[]));
                    first_bound = self.bound.first().and_then(|d| prefix(d, &first_order));
                    // Rows so wide that even these do not fit are sorted as any others.
                    if self.sorter.charge.bytes() as usize > rt.work.mem / 2 {
                        keep = None;
                    }
                    if compare_keys(&self.row, &self.bound, &keys).is_ge() {
                        continue;
                    }
                }
            }
            let Sort { sorter, row, slots, .. } = self;
            let fill = |data: &mut Vec<Datum>| {
                data.append(row);
                for s in slots.iter() {
                    data.push(rt.get(*s).clone());
                }
            };
            sorter.push_with(fill, rt.work)?;
        }
        self.sorter.finish(rt.work)?;
        rt.stat(self.id, |s| s.note = Some(self.sorter.note(top_n)));
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        rt.tick()?;
        let Some(row) = self.sorter.next()? else { return Ok(false) };
        for (s, d) in self.slots.iter().zip(row.iter_mut().skip(self.keys.len())) {
            rt.set(*s, std::mem::replace(d, Datum::Null));
        }
        for (i, s) in &self.from_keys {
            if let Some(d) = row.get_mut(*i) {
                rt.set(*s, std::mem::replace(d, Datum::Null));
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::spill::{Quota, TempSpace};
    use super::*;
    use pamir_storage::disk::sim::SimDisk;
    use pamir_testkit::Rng;

    fn number(r: &mut Rng) -> Datum {
        match r.below(6) {
            0 => Datum::Null,
            1 => Datum::Int8(if r.below(2) == 0 { i64::MIN } else { i64::MAX }),
            2 => Datum::Int8(r.below(u64::MAX) as i64),
            _ => Datum::Int8(r.below(7) as i64 - 3),
        }
    }
    fn float(r: &mut Rng) -> Datum {
        let special = [f64::NAN, -f64::NAN, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE];
        match r.below(3) {
            0 => Datum::Null,
            1 => Datum::Float8(*r.choose(&special)),
            _ => Datum::Float8(r.below(40) as f64 / 4.0 - 5.0),
        }
    }
    /// Now and then one without a prefix.
    fn numeric(r: &mut Rng) -> Datum {
        let text = match r.below(200) {
            0..20 => return Datum::Null,
            20 => "1.0000000000000000000000000000000000000000000000001".to_string(),
            21..25 => "NaN".to_string(),
            n @ 25..40 => format!("1.{}", "0".repeat(n as usize - 24)),
            _ => format!("{}e{}", r.below(400) as i64 - 200, r.below(5) as i64 - 3),
        };
        Datum::Numeric(pamir_types::numeric::Numeric::parse(&text).unwrap())
    }
    fn string(r: &mut Rng) -> Datum {
        let chars = [" ", "a", "b", "\t", "\u{0}", "prefixed", "é"];
        match r.below(8) {
            0 => Datum::Null,
            _ => Datum::from((0..r.below(9)).map(|_| *r.choose(&chars)).collect::<String>()),
        }
    }

    /// The order of the integers, then that of the rows; or nothing at all.
    #[test]
    fn counting_bytes_sorts_stably() {
        let memory = MemoryAccount::root("test", 1 << 30);
        let mut taken = 0;
        for seed in 0..60 {
            let r = &mut Rng::new(seed + 7);
            let n = r.below(6000) as u32;
            let bits = 1 + r.below(30);
            let (range, shift) = (1 + r.below(1 << bits), r.below(34));
            let base = r.below(u64::MAX) & !(u64::MAX >> 2);
            let mut v: Vec<(u64, u32)> = (0..n).map(|i| (base | r.below(range) << shift, i)).collect();
            let (before, mut want) = (v.clone(), v.clone());
            want.sort();
            if radix(&mut v, &memory).unwrap() {
                taken += 1;
                assert_eq!(v, want, "seed {seed}");
            } else {
                assert_eq!(v, before, "seed {seed}");
            }
        }
        assert!((10..60).contains(&taken), "{taken} of 60");
        let mut v: Vec<(u64, u32)> = (0..10_000).map(|i| (u64::from(i) % 7, i)).collect();
        assert!(
            !radix(&mut v, &MemoryAccount::root("test", 1 << 10)).unwrap(),
            "what there is no memory for is left alone"
        );
    }

    /// However little memory there is, rows come in the order of the keys and equal ones in the order they came.
    #[test]
    fn sorts_as_a_stable_sort_does() {
        for seed in 0..200 {
            let r = &mut Rng::new(seed * 1000 + 1);
            let mem = 200 + r.below(40_000) as usize;
            let temp = Arc::new(TempSpace::new(Arc::new(SimDisk::new(1)), Quota::new(u64::MAX), Default::default()));
            let memory = pamir_txn::MemoryAccount::root("test", 1 << 30);
            let work = Work { memory, mem, hash_mem: mem, temp };
            let text = Type::new(if r.below(2) == 0 { oid::BPCHAR } else { oid::TEXT });
            let (first, make): (Type, fn(&mut Rng) -> Datum) = match r.below(3) {
                0 => (Type::INT8, number),
                1 => (Type::new(oid::FLOAT8), float),
                _ => (Type::new(oid::NUMERIC), numeric),
            };
            let mut flag = || r.below(2) == 0;
            let mut keys = vec![
                KeyOrder { ty: first, desc: flag(), nulls_first: flag() },
                KeyOrder { ty: text, desc: flag(), nulls_first: flag() },
            ];
            let swap = flag();
            let n = r.below(600) as i32;
            let mut rows: Vec<Vec<Datum>> = (0..n).map(|i| vec![make(r), string(r), Datum::Int4(i)]).collect();
            if swap {
                keys.swap(0, 1);
                rows.iter_mut().for_each(|r| r.swap(0, 1));
            }
            let keys: Arc<[KeyOrder]> = keys.into();
            let mut s = Sorter::new(keys.clone(), 3);
            for r in &rows {
                s.push(r.iter().cloned(), &work).unwrap();
            }
            s.finish(&work).unwrap();
            rows.sort_by(|a, b| compare(&a[..2], &b[..2], &keys));
            for want in &rows {
                let got = s.next().unwrap().expect("a row").to_vec();
                assert_eq!(format!("{want:?}"), format!("{got:?}"), "seed {seed}");
            }
            assert!(s.next().unwrap().is_none(), "seed {seed}");
        }
    }
}
