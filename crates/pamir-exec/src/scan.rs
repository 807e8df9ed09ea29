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
//! inverted:    lists of an inverted index -> row keys, sorted, each once -> rows
//! ```
//! Columns are decoded in two steps: those of the filter, then, for rows that pass, the rest. Conditions that can be tested on a stored row
//! ([`expr::encoded`]) come before both.
use super::inverted::Reader;
use super::rows::Charge;
use super::{Op, Rt};
use pamir_catalog::usage::Usage;
use pamir_expr::access::{self, IndexLayout, TableLayout};
use pamir_expr::expr::{self, Px};
use pamir_expr::inverted::{self, Need};
use pamir_expr::plan::node::{Load, ScanSpec, Src};
use pamir_expr::ranges::{ALLOCATION_BYTES, Range, places, ranges};
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::face::{BATCH_KEYS, SCAN_FIRST, SCAN_MOST};
use pamir_txn::{Entries, Isolation, Keys, Ranges, Scan, Snapshot, Txn};
use pamir_types::row::RowRef;
use pamir_types::{Datum, Error, Result, Type, err, key};
use std::sync::Arc;

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
fn load_row(loads: &[Load], spec: &ScanSpec, b: &TableLayout, row: &[u8], rt: &mut Rt) -> Result<()> {
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
fn passes(spec: &ScanSpec, b: &TableLayout, id: usize, row: &[u8], rt: &mut Rt) -> Result<bool> {
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
    /// `ranges` are a union's keys, an inverted index's, or places.
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
    /// Entries of an index whose rows are read together, where calls are dear.
    entries: Entries,
    entry_at: usize,
    /// The place of the range from which on ranges are to be read ahead, and entries to be asked for then.
    ask_at: usize,
    ask_for: usize,
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
            entries: Entries::default(),
            entry_at: 0,
            ask_at: 0,
            ask_for: 0,
        }
    }
    fn tree(&self) -> TreeId {
        match self.spec.index {
            Some(i) if !self.spec.clustered => TreeId(self.spec.table.indexes.get(i).map_or(0, |i| i.tree)),
            _ => self.spec.table.tree(),
        }
    }
    /// Collects the keys of the rows that any of the union's parts has. Too many for the statement's memory: the whole table is read instead, which
    /// is right because the filter has all conditions.
    fn unite(&mut self, rt: &mut Rt) -> Result<()> {
        self.ranges.clear();
        self.charge.clear();
        self.by_key = true;
        let b = access::layout(&self.spec.table);
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
                let mut scan = rt.txn.scan(&rt.snapshot, tree, &r.lo, end.as_deref(), Dir::Forward)?;
                while let Some((k, v)) = scan.next(rt.txn)? {
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
impl TableScan {
    /// Collects the keys of the rows that an inverted index leaves. All rows are read where it leaves all, or they are too many for the statement's memory.
    fn invert(&mut self, rt: &mut Rt) -> Result<()> {
        self.ranges.clear();
        self.charge.clear();
        let spec = self.spec.clone();
        let b = access::layout(&spec.table);
        let Some(inv) = &spec.inverted else { return Ok(()) };
        let (Some(lay), Some(ix)) = (b.indexes.get(inv.index), spec.table.indexes.get(inv.index)) else {
            return Err(Error::internal("no such index"));
        };
        let mut needs = Vec::with_capacity(inv.asks.len());
        for a in &inv.asks {
            let query = expr::eval(&a.query, rt)?;
            let setting = |name: &str| rt.env.setting(name);
            needs.push(inverted::need(a.class, a.strategy, a.column, (&query, a.ty), &setting)?);
        }
        let (tree, charge, room) = (TreeId(ix.tree), &mut self.charge, rt.work.mem);
        let (snapshot, memory) = (Some(&rt.snapshot), &rt.work.memory);
        let mut reader = Reader { txn: rt.txn, snapshot, memory, tree, lay, charge, read: 0, bytes: 0, room };
        let found = reader.rows(&Need::all(needs), usize::MAX)?;
        ix.usage.scanned(1, reader.read, 0);
        self.by_key = found.is_ok();
        match found {
            Ok(keys) => self.ranges.extend(keys.into_iter().map(|lo| Range { lo, hi: None })),
            Err(_) => {
                self.charge.clear();
                self.ranges.push(Range { lo: Vec::new(), hi: None });
            }
        }
        Ok(())
    }
}
/// The next range in the scan's direction.
fn next_range<'r>(ranges: &'r [Range], at: &mut usize, dir: Dir) -> Option<&'r Range> {
    let i = *at;
    *at += 1;
    if dir == Dir::Forward { ranges.get(i) } else { ranges.get(ranges.len().checked_sub(i + 1)?) }
}
/// Entries of an index read ahead at first, where their rows are elsewhere; later twice as many each time.
const ROWS_FIRST: usize = 16;
/// The next entry of an index; the rows of a batch of them are read ahead.
fn next_of_batch<'a>(
    scan: &mut Scan,
    entries: &'a mut Entries,
    at: &mut usize,
    spec: &ScanSpec,
    snap: &Snapshot,
    txn: &Txn,
) -> Result<Option<(&'a [u8], &'a [u8])>> {
    if *at >= entries.len() {
        let most = (2 * entries.len()).clamp(ROWS_FIRST, BATCH_KEYS);
        *at = 0;
        entries.clear();
        let b = access::layout(&spec.table);
        let Some(lay) = spec.index.and_then(|i| b.indexes.get(i)) else { return Ok(None) };
        let mut keys = Keys::default();
        while entries.len() < most
            && !entries.is_full()
            && let Some((k, v)) = scan.next(txn)?
        {
            keys.push(spec.table.tree(), access::entry_pk(lay, k, v)?, &[]);
            entries.push((), k, v);
        }
        txn.read_ahead(snap, &keys)?;
    }
    *at += 1;
    Ok(entries.get(*at - 1).map(|(_, k, v)| (k, v)))
}
/// Reads the next points' entries, then those entries' rows.
#[cold]
fn points_ahead(spec: &ScanSpec, tree: TreeId, ranges: &[Range], at: usize, rt: &mut Rt) -> Result<()> {
    // Reads that lock are made one by one.
    if rt.txn.isolation() == Isolation::Serializable {
        return Ok(());
    }
    let mut keys = Keys::default();
    let mut i = at;
    while keys.len() < BATCH_KEYS
        && let Some(r) = next_range(ranges, &mut i, spec.dir)
    {
        keys.push(tree, &r.lo, &[]);
    }
    read_points(spec, &keys, rt.txn, &rt.snapshot)
}
/// The index whose entries lead to rows elsewhere.
fn leads(spec: &ScanSpec) -> Option<&IndexLayout> {
    let b = access::layout(&spec.table);
    spec.index.and_then(|i| b.indexes.get(i)).filter(|_| !spec.clustered && !spec.only)
}
fn read_points(spec: &ScanSpec, keys: &Keys, txn: &Txn, snap: &Snapshot) -> Result<()> {
    txn.read_ahead(snap, keys)?;
    let Some(lay) = leads(spec) else { return Ok(()) };
    let (mut rows, mut entry) = (Keys::default(), Vec::new());
    for (tree, k, _) in keys.iter() {
        if txn.get(snap, tree, k, &mut entry)? {
            rows.push(spec.table.tree(), access::entry_pk(lay, k, &entry)?, &[]);
        }
    }
    txn.read_ahead(snap, &rows)
}
/// Reads ranges, then the rows of their entries; how many ranges they were.
fn read_ranges(spec: &ScanSpec, asked: &Ranges, max: usize, txn: &Txn, snap: &Snapshot) -> Result<usize> {
    let n = txn.ranges_ahead(Some(snap), asked, spec.dir, max)?;
    let Some(lay) = leads(spec) else { return Ok(n) };
    let (mut rows, mut entries) = (Keys::default(), Entries::default());
    for ((tree, bounded), lo, hi) in asked.iter().take(n) {
        entries.clear();
        txn.at_hand(Some(snap), tree, lo, bounded.then_some(hi), spec.dir, &mut entries)?;
        for (_, k, v) in entries.iter() {
            rows.push(spec.table.tree(), access::entry_pk(lay, k, v)?, &[]);
        }
        if rows.is_full() {
            break;
        }
    }
    txn.read_ahead(snap, &rows)?;
    Ok(n)
}
/// Some of many ranges, to be read ahead, and how many entries that may be.
fn to_ask<'r>(tree: TreeId, next: impl Iterator<Item = &'r Range>, most: usize) -> (Ranges, usize) {
    let mut asked = Ranges::default();
    next.take(BATCH_KEYS).for_each(|r| asked.push((tree, r.hi.is_some()), &r.lo, r.hi.as_deref().unwrap_or_default()));
    // Ranges of few entries are the rule.
    let most = most.max(2 * asked.len()).min(SCAN_MOST);
    (asked, most)
}
/// Reads ranges of a table's own tree ahead, from the first of them on; how many they were, one at least.
pub(super) fn rows_ahead(spec: &ScanSpec, ranges: &[Range], txn: &Txn, snap: &Snapshot) -> Result<usize> {
    let (asked, most) = to_ask(spec.table.tree(), ranges.iter(), SCAN_FIRST);
    Ok(txn.ranges_ahead(Some(snap), &asked, spec.dir, most)?.max(1))
}
/// What the openings of one scan will read.
#[derive(Default)]
pub struct Wanted {
    spec: Option<Arc<ScanSpec>>,
    points: Keys,
    ranges: Ranges,
}
impl Wanted {
    pub fn is_full(&self) -> bool {
        self.points.is_full() || self.ranges.is_full()
    }
    /// Reads it. Ranges that are too long for it are left to scans of their own.
    pub fn read(&self, rt: &mut Rt) -> Result<()> {
        let Some(spec) = &self.spec else { return Ok(()) };
        if !self.points.is_empty() {
            read_points(spec, &self.points, rt.txn, &rt.snapshot)?;
        }
        if !self.ranges.is_empty() {
            read_ranges(spec, &self.ranges, SCAN_MOST, rt.txn, &rt.snapshot)?;
        }
        Ok(())
    }
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
    let b = access::layout(&spec.table);
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
    #[cold]
    fn ranges_ahead(&mut self, rt: &mut Rt) -> Result<()> {
        let mut at = self.at;
        let next = std::iter::from_fn(|| next_range(&self.ranges, &mut at, self.spec.dir));
        let (asked, most) = to_ask(self.tree(), next, self.ask_for);
        let n = read_ranges(&self.spec, &asked, most, rt.txn, &rt.snapshot)?;
        self.ask_for = (2 * most).min(SCAN_MOST);
        self.ask_at = self.at + n.max(1);
        Ok(())
    }
    /// Goes on to the next range; false when there is none.
    fn start_range(&mut self, rt: &mut Rt) -> Result<bool> {
        if rt.txn.far() && self.ranges.len() > 1 && self.at == self.ask_at {
            self.ranges_ahead(rt)?;
        }
        let spec = &self.spec;
        let Some(r) = next_range(&self.ranges, &mut self.at, spec.dir) else { return Ok(false) };
        let hi = r.hi.as_deref();
        match &mut self.scan {
            Some(scan) => rt.txn.scan_again(&rt.snapshot, scan, &r.lo, hi)?,
            none => {
                let tree = match spec.index {
                    Some(i) if !spec.clustered => TreeId(spec.table.indexes.get(i).map_or(0, |i| i.tree)),
                    _ => spec.table.tree(),
                };
                *none = Some(rt.txn.scan(&rt.snapshot, tree, &r.lo, hi, spec.dir)?)
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
            let b = access::layout(&spec.table);
            let Some(scan) = scan else { break };
            let before = (n, counted.read);
            if !load && !spec.filters() {
                let passed = scan.pass(max - n, rt.txn)?;
                counted.read += passed;
                n += passed;
            } else {
                while n < max {
                    let Some(row) = scan.next_value(rt.txn)? else { break };
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

/// 40001 where an index that was built beside writers may lack what a snapshot taken before its end sees.
fn whole(spec: &ScanSpec, rt: &Rt) -> Result<()> {
    let parts = spec.union.iter().map(|u| u.0).chain(spec.inverted.as_ref().map(|i| i.index)).chain(spec.index);
    for ix in parts.filter_map(|i| spec.table.indexes.get(i)) {
        let since = spec.table.whole_since(ix);
        // One of elsewhere that has not told its time yet is new.
        let seen = rt.snapshot.ts();
        if since > 0 && seen > 0 && seen < since {
            return Err(err!(SERIALIZATION_FAILURE, "could not serialize access due to concurrent update")
                .detail("The table or index was created or rebuilt after the transaction's snapshot was taken.")
                .hint("The transaction might succeed if retried."));
        }
    }
    Ok(())
}

impl Op for TableScan {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.within = false;
        self.at = 0;
        self.entries.clear();
        self.entry_at = 0;
        (self.ask_at, self.ask_for) = (0, SCAN_FIRST);
        let b = access::layout(&self.spec.table);
        if self.spec.table.declared.online.is_some() {
            whole(&self.spec, rt)?;
        }
        match self.spec.index.and_then(|i| b.indexes.get(i)) {
            Some(lay) => ranges(&self.spec.bounds, &lay.cols, rt, &mut self.ranges)?,
            None if !self.spec.union.is_empty() => self.unite(rt)?,
            None if self.spec.inverted.is_some() => self.invert(rt)?,
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
    fn ahead(&self, rt: &mut Rt, wanted: &mut Wanted) {
        let spec = &self.spec;
        let b = access::layout(&spec.table);
        let Some(lay) = spec.index.and_then(|i| b.indexes.get(i)) else { return };
        let mut plain = true;
        spec.bounds.each_px(&mut |e| plain &= e.is_plain());
        let mut all = Vec::new();
        // What cannot be computed says so when its turn comes.
        if !plain || ranges(&spec.bounds, &lay.cols, rt, &mut all).is_err() {
            return;
        }
        let tree = self.tree();
        for r in all.iter().take(BATCH_KEYS) {
            if spec.bounds.point {
                wanted.points.push(tree, &r.lo, &[]);
            } else {
                wanted.ranges.push((tree, r.hi.is_some()), &r.lo, r.hi.as_deref().unwrap_or_default());
            }
        }
        wanted.spec.get_or_insert_with(|| spec.clone());
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
            let TableScan {
                spec,
                id,
                ranges,
                by_key,
                at,
                scan: kept,
                within,
                row,
                entry,
                counted,
                entries,
                entry_at,
                ..
            } = self;
            let (spec, id) = (&**spec, *id);
            let b = access::layout(&spec.table);
            if !ranged {
                if rt.txn.far() && at.is_multiple_of(BATCH_KEYS) && ranges.len() > 1 {
                    points_ahead(spec, tree, ranges, *at, rt)?;
                }
                let Some(Range { lo: k, .. }) = next_range(ranges, at, spec.dir) else { return Ok(false) };
                let out = if spec.clustered { &mut *row } else { &mut *entry };
                if !rt.txn.get(&rt.snapshot, tree, k, out)? {
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
                if !spec.only && !rt.txn.get(&rt.snapshot, spec.table.tree(), pk, row)? {
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
            let next = if rt.txn.far() && !(spec.clustered || spec.only || spec.index.is_none()) {
                next_of_batch(scan, entries, entry_at, spec, &rt.snapshot, rt.txn)?
            } else {
                scan.next(rt.txn)?
            };
            let Some((k, v)) = next else {
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
            if !rt.txn.get(&rt.snapshot, spec.table.tree(), pk, row)? {
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
