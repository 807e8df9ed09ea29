//! Table and index scans.
//!
//! A scan computes its key ranges when it opens (from constants, parameters and outer columns), then walks them in order:
//! ```text
//! clustered:   entry of the table's tree -> row
//! index:       entry -> row key -> row (one look-up in the table's tree)
//! index-only:  entry -> columns from the key bytes, the extra part and the row key
//! point:       a full unique key -> get, no cursor
//! union:       entries of several indexes -> row keys, sorted, each once -> rows
//! places:      values of `ctid` -> row keys, sorted, each once -> rows
//! ```
//! Columns are decoded in two steps: those of the filter, then, for rows that pass, the rest. Conditions that can be tested on a stored row
//! ([`expr::encoded`]) come before both.
//!
//! Key ranges: `col = v` extends the prefix by v's key bytes; a lower (upper) bound becomes the inclusive (exclusive) end of the byte
//! range, or the successor of the prefix; on a descending column the two change places. NULLs sort at one end of the
//! column and are cut off whenever there is a range condition.
use super::expr::{self, Cx, Px};
use super::rows::Charge;
use super::{Op, Rt};
use crate::access::{self, Bound as TableBound, IndexLayout, KeyCol};
use crate::plan::node::{Bound, Bounds, Load, Part, ScanSpec, Src};
use crate::stats::usage::Usage;
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::shard::Scan;
use pamir_types::row::RowRef;
use pamir_types::{Datum, Error, Result, Type, key, memory, oid, work};
use std::sync::Arc;

/// A value as a key column's value.
pub enum Fit {
    Value(Datum),
    Null,
    /// Out of the column type's range: below or above all of its values.
    Below,
    Above,
}
/// Converts an integer of another width to the column's type; everything else is of the column's type already.
pub fn fit(d: Datum, ty: Type) -> Fit {
    if d.is_null() {
        return Fit::Null;
    }
    let Some(v) = expr::int_of(&d) else { return Fit::Value(d) };
    let lim = |lo: i64, hi: i64, make: fn(i64) -> Datum| {
        if v < lo {
            Fit::Below
        } else if v > hi {
            Fit::Above
        } else {
            Fit::Value(make(v))
        }
    };
    match ty.oid {
        oid::INT2 => lim(i16::MIN as i64, i16::MAX as i64, |v| Datum::Int2(v as i16)),
        oid::INT4 => lim(i32::MIN as i64, i32::MAX as i64, |v| Datum::Int4(v as i32)),
        oid::INT8 => Fit::Value(Datum::Int8(v)),
        _ => Fit::Value(d),
    }
}

/// A byte range of a tree: [lo, hi), hi None: to the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub lo: Vec<u8>,
    pub hi: Option<Vec<u8>>,
}

/// What a range takes, about: two short keys.
const RANGE_BYTES: usize = std::mem::size_of::<Range>() + 2 * (16 + ALLOCATION_BYTES);
/// What the allocator takes beside a key's bytes, about.
const ALLOCATION_BYTES: usize = 16;
/// The most keys that several lists may multiply to. The list that would make more of them stays a condition, as do the columns behind it: the plan
/// tests them all ([`crate::plan::ranges`]).
pub const MAX_POINTS: usize = 1 << 20;

/// The ranges that `b` means now, ascending and disjoint. For points, `lo` is the key.
pub fn ranges<C: Cx + ?Sized>(b: &Bounds, cols: &[KeyCol], c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    out.clear();
    if b.arms.is_empty() {
        return one_arm(b, cols, c, out);
    }
    for arm in &b.arms {
        one_arm(arm, cols, c, out)?;
        memory::check(out.len() * RANGE_BYTES)?;
    }
    // Overlapping alternatives must not give a row twice.
    if b.point {
        out.sort_unstable();
        out.dedup();
    } else {
        merge(out);
    }
    Ok(())
}
/// The rows' keys that values of `ctid` are, ascending, each once. What was read from a text may be no row's.
fn places<C: Cx + ?Sized>(b: &Bounds, c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    out.clear();
    let mut add = |d: Datum| {
        if let Datum::Bytea(k) = d {
            out.push(Range { lo: k.to_vec(), hi: None });
        }
        work::charge(work::ROW as usize)
    };
    for p in std::iter::once(b).chain(&b.arms).flat_map(|b| &b.parts) {
        match p {
            Part::Eq(e) => add(expr::eval(e, c)?)?,
            Part::In(list) => {
                for e in list {
                    add(expr::eval(e, c)?)?;
                }
            }
            Part::Any(e) => {
                if let Datum::Array(a) = expr::eval(e, c)? {
                    memory::admit(a.items.len().saturating_mul(RANGE_BYTES))?;
                    a.items.iter().try_for_each(|d| add(d.clone()))?;
                }
            }
            Part::Null => {}
        }
    }
    out.sort_unstable();
    out.dedup();
    Ok(())
}
/// Sorts ranges and joins those that overlap or touch.
fn merge(out: &mut Vec<Range>) {
    out.sort_unstable();
    let mut merged: Vec<Range> = Vec::with_capacity(out.len());
    for r in out.drain(..) {
        match merged.last_mut() {
            Some(last) if last.hi.as_ref().is_none_or(|h| *h >= r.lo) => {
                if last.hi.is_some() && (r.hi.is_none() || r.hi > last.hi) {
                    last.hi = r.hi;
                }
            }
            _ => merged.push(r),
        }
    }
    *out = merged;
}

/// Appends the ranges of bounds without alternatives.
fn one_arm<C: Cx + ?Sized>(b: &Bounds, cols: &[KeyCol], c: &mut C, out: &mut Vec<Range>) -> Result<()> {
    let mut prefixes: Vec<Vec<u8>> = vec![Vec::new()];
    let (mut multi, mut whole) = (false, true);
    for (p, col) in b.parts.iter().zip(cols) {
        match p {
            Part::Eq(e) => {
                let Fit::Value(d) = fit(expr::eval(e, c)?, col.ty) else { return Ok(()) };
                for k in &mut prefixes {
                    key::encode_search(&d, col.ty, col.ord, k)?;
                }
            }
            Part::Null => {
                for k in &mut prefixes {
                    key::encode_search(&Datum::Null, col.ty, col.ord, k)?;
                }
            }
            Part::In(_) | Part::Any(_) => {
                let mut vals = Vec::new();
                match p {
                    Part::In(list) => {
                        for e in list {
                            vals.push(expr::eval(e, c)?);
                        }
                    }
                    Part::Any(e) => match expr::eval(e, c)? {
                        Datum::Array(a) => vals.extend(a.items.iter().cloned()),
                        _ => return Ok(()),
                    },
                    _ => {}
                }
                let keys = prefixes.len().saturating_mul(vals.len());
                if multi && keys > MAX_POINTS {
                    whole = false;
                    break;
                }
                multi = true;
                memory::admit(keys.saturating_mul(RANGE_BYTES))?;
                let mut next = Vec::with_capacity(prefixes.len() * vals.len());
                for v in vals {
                    work::charge(work::ROW as usize * prefixes.len())?;
                    let Fit::Value(d) = fit(v, col.ty) else { continue };
                    for k in &prefixes {
                        let mut k = k.clone();
                        key::encode_search(&d, col.ty, col.ord, &mut k)?;
                        next.push(k);
                    }
                }
                prefixes = next;
            }
        }
    }
    if multi {
        prefixes.sort_unstable();
        prefixes.dedup();
    }
    if b.point && whole {
        out.extend(prefixes.into_iter().map(|lo| Range { lo, hi: None }));
        return Ok(());
    }
    let ranged =
        (whole && (b.lo.is_some() || b.hi.is_some() || !b.or.is_empty())).then(|| cols.get(b.parts.len())).flatten();
    let Some(col) = ranged else {
        for lo in prefixes {
            let mut hi = lo.clone();
            let hi = key::prefix_successor(&mut hi).then_some(hi);
            out.push(Range { lo, hi });
        }
        return Ok(());
    };
    if b.or.is_empty() {
        return column_ranges(&prefixes, col, &b.lo, &b.hi, c, out);
    }
    for (lo, hi) in &b.or {
        column_ranges(&prefixes, col, lo, hi, c, out)?;
    }
    // Other alternatives' ranges before these are none of the call's concern.
    merge(out);
    Ok(())
}

/// The ranges of one column's bounds behind each prefix.
fn column_ranges<C: Cx + ?Sized>(
    prefixes: &[Vec<u8>],
    col: &KeyCol,
    b_lo: &Option<Bound>,
    b_hi: &Option<Bound>,
    c: &mut C,
    out: &mut Vec<Range>,
) -> Result<()> {
    // (value, inclusive); in the order of the bytes.
    let mut low: Option<(Datum, bool)> = None;
    let mut high: Option<(Datum, bool)> = None;
    for (bound, is_lo) in [(b_lo, true), (b_hi, false)] {
        let Some(bound) = bound else { continue };
        match (fit(expr::eval(&bound.e, c)?, col.ty), is_lo) {
            (Fit::Null, _) | (Fit::Above, true) | (Fit::Below, false) => return Ok(()),
            (Fit::Below, true) | (Fit::Above, false) => {}
            (Fit::Value(d), lo) => {
                let v = Some((d, bound.inclusive));
                if lo != col.ord.desc { low = v } else { high = v }
            }
        }
    }
    for p in prefixes {
        let mut lo = p.clone();
        match &low {
            Some((d, incl)) => {
                key::encode_search(d, col.ty, col.ord, &mut lo)?;
                if !incl && !key::prefix_successor(&mut lo) {
                    continue;
                }
            }
            None if col.ord.nulls_first => {
                key::encode_search(&Datum::Null, col.ty, col.ord, &mut lo)?;
                if !key::prefix_successor(&mut lo) {
                    continue;
                }
            }
            None => {}
        }
        let mut hi = p.clone();
        let hi = match &high {
            Some((d, incl)) => {
                key::encode_search(d, col.ty, col.ord, &mut hi)?;
                if *incl { key::prefix_successor(&mut hi).then_some(hi) } else { Some(hi) }
            }
            None if !col.ord.nulls_first => {
                key::encode_search(&Datum::Null, col.ty, col.ord, &mut hi)?;
                Some(hi)
            }
            None => key::prefix_successor(&mut hi).then_some(hi),
        };
        if hi.as_ref().is_none_or(|h| *h > lo) {
            out.push(Range { lo, hi });
        }
    }
    Ok(())
}

/// Decodes what `loads` want from an index entry, skipping the rest.
fn load_entry(
    loads: &[Load],
    lay: &IndexLayout,
    pk: Option<&IndexLayout>,
    k: &[u8],
    v: &[u8],
    rt: &mut Rt,
) -> Result<()> {
    let last_key = loads.iter().filter_map(|l| if let Src::Key(i) = l.src { Some(i) } else { None }).max();
    if let Some(last) = last_key {
        let mut rest = k;
        for (i, c) in lay.cols.iter().enumerate().take(last + 1) {
            match loads.iter().find(|l| l.src == Src::Key(i)) {
                Some(l) => {
                    let (d, r) = key::decode(rest, c.ty, c.ord)?;
                    rt.set(l.slot, d);
                    rest = r;
                }
                None => rest = key::skip(rest, c.ty, c.ord)?,
            }
        }
    }
    let last_pk = loads.iter().filter_map(|l| if let Src::Pk(i) = l.src { Some(i) } else { None }).max();
    if let (Some(last), Some(pk)) = (last_pk, pk) {
        let mut rest = access::entry_pk(lay, k, v)?;
        for (i, c) in pk.cols.iter().enumerate().take(last + 1) {
            match loads.iter().find(|l| l.src == Src::Pk(i)) {
                Some(l) => {
                    let (d, r) = key::decode(rest, c.ty, c.ord)?;
                    rt.set(l.slot, d);
                    rest = r;
                }
                None => rest = key::skip(rest, c.ty, c.ord)?,
            }
        }
    }
    for l in loads {
        if let Src::Extra(i) = l.src {
            let ty = lay.extra_types.get(i).copied().unwrap_or(Type::UNKNOWN);
            let d = RowRef(access::entry_extra(v)?).datum(i, ty)?.unwrap_or(Datum::Null);
            rt.set(l.slot, d);
        }
    }
    Ok(())
}

#[inline]
fn load_row(loads: &[Load], spec: &ScanSpec, b: &TableBound, row: &[u8], rt: &mut Rt) -> Result<()> {
    let r = RowRef(row);
    for l in loads {
        if let Src::Row(c) = l.src {
            let Some(slot) = rt.st.slots.get_mut(l.slot as usize) else { continue };
            access::load_col(&spec.table, b, r, c, slot)?;
        }
    }
    Ok(())
}
/// Whether all conditions hold of a stored row; loads the columns that they need.
#[inline]
fn passes(spec: &ScanSpec, b: &TableBound, id: usize, row: &[u8], rt: &mut Rt) -> Result<bool> {
    for t in &spec.tests {
        if !t.holds(RowRef(row), &spec.table, b, rt)? {
            rt.stat(id, |s| s.removed += 1);
            return Ok(false);
        }
    }
    load_row(&spec.pre, spec, b, row, rt)?;
    match &spec.filter {
        Some(f) => filtered(f, spec, id, rt),
        None => Ok(true),
    }
}
fn filtered(f: &Px, spec: &ScanSpec, id: usize, rt: &mut Rt) -> Result<bool> {
    if let Some(s) = spec.tableoid {
        rt.set(s, Datum::Oid(spec.table.oid));
    }
    let holds = expr::eval_bool(f, rt)? == Some(true);
    if !holds {
        rt.stat(id, |s| s.removed += 1);
    }
    Ok(holds)
}

pub struct TableScan {
    spec: Arc<ScanSpec>,
    id: usize,
    ranges: Vec<Range>,
    /// Memory of a union's keys.
    charge: Charge,
    /// `ranges` are a union's keys, or places.
    by_key: bool,
    /// The table's own entries are read, in ranges, and their keys are of no interest.
    rows_only: bool,
    at: usize,
    /// Kept from range to range for its memory; `within` one of them or not.
    scan: Option<Scan>,
    within: bool,
    row: Vec<u8>,
    entry: Vec<u8>,
    counted: Counted,
}
/// What a scan has done since it last told its table.
#[derive(Default)]
struct Counted {
    scans: u64,
    read: u64,
    fetched: u64,
}
impl Counted {
    fn tell(&mut self, spec: &ScanSpec) {
        let Counted { scans, read, fetched } = std::mem::take(self);
        if scans > 0 || read > 0 || fetched > 0 {
            usage_of(spec).scanned(scans, read, fetched);
        }
    }
}
/// Where the scan is counted: at its index, or at the table for one that reads it whole.
pub(super) fn usage_of(spec: &ScanSpec) -> &Usage {
    spec.index.and_then(|i| spec.table.indexes.get(i)).map_or(&spec.table.usage, |i| &i.usage)
}
impl Drop for TableScan {
    fn drop(&mut self) {
        self.counted.tell(&self.spec);
    }
}
impl TableScan {
    pub fn new(spec: Arc<ScanSpec>, id: usize) -> TableScan {
        TableScan {
            spec,
            id,
            ranges: Vec::new(),
            charge: Charge::default(),
            by_key: false,
            rows_only: false,
            at: 0,
            scan: None,
            within: false,
            row: Vec::new(),
            entry: Vec::new(),
            counted: Counted::default(),
        }
    }
    /// Collects the keys of the rows that any of the union's parts has. Too many for the statement's memory: the whole table is read instead, which
    /// is right because the filter has all conditions.
    fn unite(&mut self, rt: &mut Rt) -> Result<()> {
        self.ranges.clear();
        self.charge.clear();
        self.by_key = true;
        let b = access::bound(&self.spec.table);
        let mut parts = Vec::new();
        let mut bytes = 0usize;
        for (i, bounds) in &self.spec.union {
            let (Some(lay), Some(ix)) = (b.indexes.get(*i), self.spec.table.indexes.get(*i)) else {
                return Err(Error::internal("no such index"));
            };
            ranges(bounds, &lay.cols, rt, &mut parts)?;
            let tree = TreeId(if ix.primary { self.spec.table.tree } else { ix.tree });
            let mut read = 0;
            for r in &parts {
                // A point is the whole key of one entry.
                let mut end = r.lo.clone();
                let end = if bounds.point { key::prefix_successor(&mut end).then_some(end) } else { r.hi.clone() };
                let mut scan = rt.shard.scan(rt.txn, &rt.snapshot, tree, &r.lo, end.as_deref(), Dir::Forward)?;
                while let Some((k, v)) = scan.next(rt.shard, rt.txn)? {
                    rt.tick()?;
                    read += 1;
                    let lo = if ix.primary { k } else { access::entry_pk(lay, k, v)? }.to_vec();
                    let size = lo.len() + std::mem::size_of::<Range>() + ALLOCATION_BYTES;
                    bytes += size;
                    if bytes > rt.work.mem || self.charge.add(size, &rt.work.memory).is_err() {
                        self.charge.clear();
                        self.ranges = vec![Range { lo: Vec::new(), hi: None }];
                        self.by_key = false;
                        return Ok(());
                    }
                    self.ranges.push(Range { lo, hi: None });
                }
            }
            ix.usage.scanned(1, read, 0);
        }
        self.ranges.sort_unstable();
        self.ranges.dedup();
        Ok(())
    }
}
/// The next range in the scan's direction.
fn next_range<'r>(ranges: &'r [Range], at: &mut usize, dir: Dir) -> Option<&'r Range> {
    let i = *at;
    *at += 1;
    if dir == Dir::Forward { ranges.get(i) } else { ranges.get(ranges.len().checked_sub(i + 1)?) }
}
/// Loads the columns, tests the filter. `k` and `v` are the entry; `row` the table's row when there is one.
fn accept(
    spec: &ScanSpec,
    id: usize,
    k: &[u8],
    v: &[u8],
    row: Option<&[u8]>,
    row_key: &[u8],
    rt: &mut Rt,
) -> Result<bool> {
    let b = access::bound(&spec.table);
    if spec.key_first
        && let Some(s) = spec.key_slot
    {
        rt.set(s, Datum::Bytea(row_key.into()));
    }
    match row {
        Some(r) => {
            if !passes(spec, b, id, r, rt)? {
                return Ok(false);
            }
            load_row(&spec.post, spec, b, r, rt)?;
        }
        None => {
            let Some(lay) = spec.index.and_then(|i| b.indexes.get(i)) else { return Ok(false) };
            let pk = b.pk.and_then(|p| b.indexes.get(p));
            load_entry(&spec.pre, lay, pk, k, v, rt)?;
            if let Some(f) = &spec.filter
                && !filtered(f, spec, id, rt)?
            {
                return Ok(false);
            }
            load_entry(&spec.post, lay, pk, k, v, rt)?;
        }
    }
    if let Some(s) = spec.tableoid {
        rt.set(s, Datum::Oid(spec.table.oid));
    }
    if let Some(s) = spec.key_slot.filter(|_| !spec.key_first) {
        rt.set(s, Datum::Bytea(row_key.into()));
    }
    Ok(true)
}

impl TableScan {
    /// Goes on to the next range; false when there is none.
    fn start_range(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = &self.spec;
        let Some(r) = next_range(&self.ranges, &mut self.at, spec.dir) else { return Ok(false) };
        let hi = r.hi.as_deref();
        match &mut self.scan {
            Some(scan) => rt.shard.scan_again(rt.txn, &rt.snapshot, scan, &r.lo, hi)?,
            none => {
                let tree = match spec.index {
                    Some(i) if !spec.clustered => TreeId(spec.table.indexes.get(i).map_or(0, |i| i.tree)),
                    _ => spec.table.tree(),
                };
                *none = Some(rt.shard.scan(rt.txn, &rt.snapshot, tree, &r.lo, hi, spec.dir)?)
            }
        }
        self.within = true;
        Ok(true)
    }
    /// Up to `max` of the table's own rows, of which only the last one's columns are needed, and those only if `load`.
    fn rows(&mut self, max: u64, load: bool, rt: &mut Rt) -> Result<u64> {
        let mut n = 0;
        while n < max {
            if !self.within && !self.start_range(rt)? {
                break;
            }
            // The parts are borrowed apart: no reference count changes with a row.
            let TableScan { spec, id, scan, within, counted, .. } = self;
            let (spec, id) = (&**spec, *id);
            let b = access::bound(&spec.table);
            let Some(scan) = scan else { break };
            let before = (n, counted.read);
            if !load && !spec.filters() {
                let passed = scan.pass(max - n, rt.shard, rt.txn)?;
                counted.read += passed;
                n += passed;
            } else {
                while n < max {
                    let Some(row) = scan.next_value(rt.shard, rt.txn)? else { break };
                    counted.read += 1;
                    rt.tick()?;
                    if passes(spec, b, id, row, rt)? {
                        n += 1;
                        if load {
                            load_row(&spec.post, spec, b, row, rt)?;
                        }
                    }
                }
            }
            counted.fetched += if spec.index.is_some() { counted.read - before.1 } else { 0 };
            *within = n == max;
        }
        Ok(n)
    }
}

impl Op for TableScan {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.within = false;
        self.at = 0;
        let b = access::bound(&self.spec.table);
        match self.spec.index.and_then(|i| b.indexes.get(i)) {
            Some(lay) => ranges(&self.spec.bounds, &lay.cols, rt, &mut self.ranges)?,
            None if !self.spec.union.is_empty() => self.unite(rt)?,
            None if self.spec.places.is_some() => {
                if let Some(b) = &self.spec.places {
                    places(b, rt, &mut self.ranges)?;
                }
                self.by_key = true;
            }
            None => {
                self.ranges.clear();
                self.ranges.push(Range { lo: Vec::new(), hi: None });
            }
        }
        let spec = &self.spec;
        self.rows_only = !(spec.bounds.point || self.by_key)
            && (spec.clustered || spec.index.is_none())
            && spec.key_slot.is_none()
            && spec.tableoid.is_none();
        // The parts of a union are counted at their indexes.
        self.counted.scans += u64::from(!self.by_key);
        Ok(())
    }
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        if self.rows_only {
            return self.rows(max, false, rt);
        }
        let mut n = 0;
        while n < max && self.next(rt)? {
            n += 1;
        }
        Ok(n)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if self.rows_only {
            return Ok(self.rows(1, true, rt)? == 1);
        }
        let tree = match self.spec.index {
            Some(i) if !self.spec.clustered => TreeId(self.spec.table.indexes.get(i).map_or(0, |i| i.tree)),
            _ => self.spec.table.tree(),
        };
        loop {
            rt.tick()?;
            let ranged = !(self.spec.bounds.point || self.by_key);
            if ranged && !self.within && !self.start_range(rt)? {
                return Ok(false);
            }
            // The parts are borrowed apart: no reference count changes with a row.
            let TableScan { spec, id, ranges, by_key, at, scan: kept, within, row, entry, counted, .. } = self;
            let (spec, id) = (&**spec, *id);
            let b = access::bound(&spec.table);
            if !ranged {
                let Some(Range { lo: k, .. }) = next_range(ranges, at, spec.dir) else { return Ok(false) };
                let out = if spec.clustered { &mut *row } else { &mut *entry };
                if !rt.shard.get(rt.txn, &rt.snapshot, tree, k, out)? {
                    continue;
                }
                counted.read += u64::from(!*by_key);
                if spec.clustered {
                    counted.fetched += 1;
                    if accept(spec, id, k, &[], Some(row), k, rt)? {
                        return Ok(true);
                    }
                    continue;
                }
                let lay = spec.index.and_then(|i| b.indexes.get(i));
                let Some(lay) = lay else { return Ok(false) };
                let pk = access::entry_pk(lay, k, entry)?;
                if !spec.only && !rt.shard.get(rt.txn, &rt.snapshot, spec.table.tree(), pk, row)? {
                    continue;
                }
                counted.fetched += u64::from(!spec.only);
                let row = if spec.only { None } else { Some(row.as_slice()) };
                if accept(spec, id, k, entry, row, pk, rt)? {
                    return Ok(true);
                }
                continue;
            }
            let Some(scan) = &mut *kept else { return Ok(false) };
            let Some((k, v)) = scan.next(rt.shard, rt.txn)? else {
                *within = false;
                continue;
            };
            counted.read += 1;
            if spec.clustered || spec.index.is_none() {
                counted.fetched += u64::from(spec.index.is_some());
                if accept(spec, id, k, v, Some(v), k, rt)? {
                    return Ok(true);
                }
                continue;
            }
            let Some(lay) = spec.index.and_then(|i| b.indexes.get(i)) else { return Ok(false) };
            let pk = access::entry_pk(lay, k, v)?;
            if spec.only {
                if accept(spec, id, k, v, None, pk, rt)? {
                    return Ok(true);
                }
                continue;
            }
            if !rt.shard.get(rt.txn, &rt.snapshot, spec.table.tree(), pk, row)? {
                // The entry is of a version that the snapshot does not see (it was deleted by this very statement).
                continue;
            }
            counted.fetched += 1;
            if accept(spec, id, k, v, Some(row), pk, rt)? {
                return Ok(true);
            }
        }
    }
}
