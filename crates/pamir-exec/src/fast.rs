//! Prepared point statements without operators: no tree is built, nothing is allocated per row where the transaction allows it.
//!
//! | form | what happens |
//! |---|---|
//! | SELECT columns WHERE full primary key | key from parameters -> `Txn::get` -> columns' bytes to the sink |
//! | SELECT columns over a primary key range, in its order | the same per entry of a scan |
//! | the same [DISTINCT] ... ORDER BY columns | see [`super::fast_sort`] |
//! | UPDATE ... SET plain columns WHERE full primary key | lock, newest version, SET over only the columns it reads, row re-encoded by splicing |
//! | DELETE WHERE full primary key | lock, index entries from only the indexed columns |
//! | INSERT of one VALUES row | straight into [`super::dml::insert_row`] |
//!
//! The planner decides, from the finished plan: tables with CHECKs, generated columns or foreign keys that the statement concerns take the general way.
use super::ExecCtx;
use super::dml::{
    Entry, Inserted, Seen, WriteBuf, Wx, assign, change_entry, command, delete_entries, insert_row, may_write, reaches,
    update_lock,
};
use super::fast_sort::{self, SortScratch};
use super::fk::Checks;
use super::scan;
use pamir_catalog::usage::Of;
use pamir_catalog::{Catalog, Table};
use pamir_expr::access;
use pamir_expr::env::Env;
use pamir_expr::expr::{self, Cx, Px};
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Fast, ModifyKind, ModifySpec, Part, ScanSpec, Src};
use pamir_expr::ranges::{Fit, fit};
use pamir_expr::sink::RowSink;
use pamir_txn::Keys;
use pamir_txn::face::BATCH_KEYS;
use pamir_txn::shard::Isolation;
use pamir_types::row::{self, RawCol, RowRef};
use pamir_types::work;
use pamir_types::{Datum, Error, Result, Type, bail, err, key, oid};

/// Buffers kept between statements.
#[derive(Default)]
pub struct Scratch {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub row: Vec<Datum>,
    pub value2: Vec<u8>,
    /// The row as it will be, and one of its index entries before and after.
    changed: Vec<Datum>,
    was: Entry,
    is: Entry,
    pub sort: SortScratch,
}

/// Larger buffers are not kept.
const KEPT_SCRATCH: usize = 1 << 20;

impl Scratch {
    /// Gives large buffers and values back.
    pub fn shrink(&mut self) {
        self.row.clear();
        self.changed.clear();
        let entries = [&mut self.was, &mut self.is].into_iter().flat_map(|e| [&mut e.key, &mut e.value]);
        for b in [&mut self.key, &mut self.value, &mut self.value2].into_iter().chain(entries) {
            if b.capacity() > KEPT_SCRATCH {
                *b = Vec::new();
            }
        }
    }
}

/// Slots of one table row: `cols` maps positions to slots.
struct FastCx<'a, 'e> {
    cols: &'a [(usize, u32)],
    row: &'a [Datum],
    params: &'a [Datum],
    env: &'e mut dyn Env,
}
impl Cx for FastCx<'_, '_> {
    fn slot(&self, i: u32) -> Option<&Datum> {
        self.cols.iter().find(|c| c.1 == i).and_then(|c| self.row.get(c.0))
    }
    fn param(&self, i: u16) -> Option<&Datum> {
        self.params.get(i as usize)
    }
    fn env(&mut self) -> &mut dyn Env {
        self.env
    }
    fn sub(&mut self, _: usize) -> Result<Datum> {
        Err(Error::internal("subquery in a point statement"))
    }
}

/// The key of a point; false when no row can match (a NULL, or a number out of the column's range).
fn point_key(s: &ScanSpec, params: &[Datum], out: &mut Vec<u8>) -> Result<bool> {
    out.clear();
    let b = access::layout(&s.table);
    let Some(lay) = s.index.and_then(|i| b.indexes.get(i)) else { return Ok(false) };
    for (p, c) in s.bounds.parts.iter().zip(&lay.cols) {
        let d = match p {
            Part::Eq(Px::Const(d)) => d,
            Part::Eq(Px::Param(i)) => match params.get(*i as usize) {
                Some(d) => d,
                None => bail!(UNDEFINED_PARAMETER, "there is no parameter ${}", i + 1),
            },
            _ => return Err(Error::internal("point key")),
        };
        let Fit::Value(d) = fit(d.clone(), c.ty) else { return Ok(false) };
        key::encode_search(&d, c.ty, c.ord, out)?;
    }
    Ok(true)
}

/// Types whose stored bytes are what both wire formats show.
#[inline]
fn is_text(t: Type) -> bool {
    matches!(t.oid, oid::TEXT | oid::VARCHAR | oid::BPCHAR | oid::NAME | oid::JSON)
}
#[inline]
pub(super) fn send(t: &Table, row: RowRef, cols: &[(usize, Type)], sink: &mut dyn RowSink) -> Result<()> {
    sink.begin_row(cols.len());
    for (c, ty) in cols {
        match row.raw(*c)? {
            RawCol::Null => sink.null(),
            RawCol::Value(b) if is_text(*ty) => sink.bytes(b),
            RawCol::Value(b) => sink.datum(&pamir_types::row::decode_value(b, *ty)?, *ty),
            RawCol::Absent => match t.columns.get(*c).map(Catalog::missing_value).transpose()? {
                None | Some(Datum::Null) => sink.null(),
                Some(d) => sink.datum(&d, *ty),
            },
        }
    }
    sink.end_row()
}

/// The whole of a prepared point statement in one call, reusing `scratch`; None: the plan has no such form.
pub fn run_fast(plan: &Plan, cx: &mut ExecCtx, scratch: &mut Scratch, sink: &mut dyn RowSink) -> Option<Result<u64>> {
    Some(match plan.root.fast.as_ref()? {
        Fast::PointSelect { scan, cols } => point_select(scan, cols, cx, scratch, sink),
        Fast::RangeSelect { scan, cols } => range_select(scan, cols, cx, sink),
        Fast::SortedRange { scan, cols, keys, distinct } => {
            return fast_sort::run(scan, cols, keys, *distinct, cx, &mut scratch.sort, sink);
        }
        Fast::PointModify { scan, spec } => written(point_modify(scan, spec, cx, scratch), cx),
        Fast::InsertRow { values, spec } => {
            let Some(row) = values.rows.first() else { return Some(Ok(0)) };
            written(insert_one(row, &values.slots, spec, cx, scratch), cx)
        }
    })
}
#[inline]
fn written(r: Result<u64>, cx: &ExecCtx) -> Result<u64> {
    let n = r?;
    cx.txn.flush()?;
    Ok(n)
}
fn point_select(
    s: &ScanSpec,
    cols: &[(usize, Type)],
    cx: &mut ExecCtx,
    scratch: &mut Scratch,
    sink: &mut dyn RowSink,
) -> Result<u64> {
    if !point_key(s, cx.params, &mut scratch.key)? {
        return Ok(0);
    }
    if !cx.txn.get(&cx.snapshot, s.table.tree(), &scratch.key, &mut scratch.value)? {
        scan::usage_of(s).scanned(1, 0, 0);
        return Ok(0);
    }
    scan::usage_of(s).scanned(1, 1, 1);
    send(&s.table, RowRef(&scratch.value), cols, sink)?;
    Ok(1)
}
fn range_select(s: &ScanSpec, cols: &[(usize, Type)], cx: &mut ExecCtx, sink: &mut dyn RowSink) -> Result<u64> {
    let b = access::layout(&s.table);
    let Some(lay) = s.index.and_then(|i| b.indexes.get(i)) else {
        return Err(Error::internal("range without an index"));
    };
    let mut ranges = Vec::new();
    pamir_expr::ranges::ranges(
        &s.bounds,
        &lay.cols,
        &mut expr::ParamCx { params: cx.params, env: cx.env },
        &mut ranges,
    )?;
    if s.dir == pamir_storage::store::Dir::Backward {
        ranges.reverse();
    }
    let mut n = 0u64;
    let mut value = Vec::new();
    let mut ask_at = 0;
    for (i, r) in ranges.iter().enumerate() {
        if s.bounds.point {
            if cx.txn.far() && i.is_multiple_of(BATCH_KEYS) {
                let mut keys = Keys::default();
                ranges[i..].iter().take(BATCH_KEYS).for_each(|r| keys.push(s.table.tree(), &r.lo, &[]));
                cx.txn.read_ahead(&cx.snapshot, &keys)?;
            }
            if cx.txn.get(&cx.snapshot, s.table.tree(), &r.lo, &mut value)? {
                send(&s.table, RowRef(&value), cols, sink)?;
                n += 1;
            }
            continue;
        }
        if cx.txn.far() && ranges.len() > 1 && i == ask_at {
            ask_at = i + scan::rows_ahead(s, &ranges[i..], cx.txn, &cx.snapshot)?;
        }
        let mut it = cx.txn.scan(&cx.snapshot, s.table.tree(), &r.lo, r.hi.as_deref(), s.dir)?;
        while let Some((_, v)) = it.next(cx.txn)? {
            send(&s.table, RowRef(v), cols, sink)?;
            n += 1;
            if work::spend(work::ROW) {
                super::breathe(cx.env)?;
            }
        }
    }
    scan::usage_of(s).scanned(1, n, n);
    Ok(n)
}
fn insert_one(exprs: &[Px], slots: &[u32], spec: &ModifySpec, cx: &mut ExecCtx, scratch: &mut Scratch) -> Result<u64> {
    may_write(cx.txn, &spec.table, "INSERT")?;
    let ModifyKind::Insert { columns, defaults, .. } = &spec.op else { return Ok(0) };
    let t = &spec.table;
    let mut row = std::mem::take(&mut scratch.row);
    row.clear();
    row.resize(t.columns.len(), Datum::Null);
    let mut pcx = expr::ParamCx { params: cx.params, env: cx.env };
    for (c, s) in columns {
        let Some(e) = slots.iter().position(|x| x == s).and_then(|i| exprs.get(i)) else { continue };
        let d = expr::eval(e, &mut pcx)?;
        if let Some(r) = row.get_mut(*c) {
            *r = d;
        }
    }
    assign(&mut row, defaults, &mut pcx)?;
    let mut checks = Checks::default();
    let mut buf = WriteBuf {
        key: std::mem::take(&mut scratch.key),
        value: std::mem::take(&mut scratch.value),
        ..WriteBuf::default()
    };
    let mut wx = Wx::of(cx);
    if wx.txn.far() {
        super::gather::claim(t, std::slice::from_mut(&mut row), &mut wx)?;
    }
    let r = match insert_row(t, &mut row, None, &mut wx, &mut checks, &mut buf) {
        Ok(Inserted::Done) => checks.run(&mut wx).map(|()| 1),
        Ok(Inserted::Conflict { .. }) => Ok(0),
        Err(e) => Err(e),
    };
    scratch.key = buf.key;
    scratch.value = buf.value;
    scratch.row = row;
    r
}

fn point_modify(s: &ScanSpec, spec: &ModifySpec, cx: &mut ExecCtx, scratch: &mut Scratch) -> Result<u64> {
    let t = &spec.table;
    let (set, old_cols) = match &spec.op {
        ModifyKind::Update { set, old_cols, .. } => (Some(set), old_cols),
        ModifyKind::Delete { old_cols, .. } => (None, old_cols),
        ModifyKind::Insert { .. } | ModifyKind::Merge { .. } => return Ok(0),
    };
    may_write(cx.txn, &spec.table, command(&spec.op))?;
    if !point_key(s, cx.params, &mut scratch.key)? {
        return Ok(0);
    }
    let mode = match set {
        Some(v) => update_lock(t, v.iter().map(|s| s.0)),
        None => pamir_txn::RowLock::Update,
    };
    let iso = cx.txn.isolation();
    // At REPEATABLE READ a row that the snapshot does not see is no target, whatever became of it.
    if iso == Isolation::RepeatableRead && !cx.txn.get(&cx.snapshot, t.tree(), &scratch.key, &mut scratch.value)? {
        return Ok(0);
    }
    let latest = cx.txn.claim(t.tree(), &scratch.key, mode, &mut scratch.value)?;
    if !latest.own && latest.ts > cx.snapshot.ts() && iso == Isolation::RepeatableRead {
        let what = if latest.exists || latest.moved { "update" } else { "delete" };
        bail!(SERIALIZATION_FAILURE, "could not serialize access due to concurrent {what}");
    }
    scan::usage_of(s).scanned(1, u64::from(latest.exists), u64::from(latest.exists));
    // READ COMMITTED: the key is the whole condition. It still holds on the newest version, and not on that of a row that has another key now.
    if !latest.exists {
        return Ok(0);
    }
    let b = access::layout(t);
    let row = RowRef(&scratch.value);
    // Only the columns that SET reads and affected indexes hold are decoded.
    let affected = |i: usize| -> bool {
        if Some(i) == b.pk {
            return false;
        }
        let Some(set) = set else { return true };
        let (lay, ix) = (&b.indexes[i], &t.indexes[i]);
        reaches(lay, ix, |c| set.iter().any(|s| s.0 == c))
    };
    scratch.row.clear();
    scratch.row.resize(t.columns.len(), Datum::Null);
    let mut have = smallvec::SmallVec::<[usize; 16]>::new();
    let mut load = |c: usize, out: &mut Vec<Datum>| -> Result<()> {
        if !have.contains(&c) && c < out.len() {
            have.push(c);
            out[c] = access::decode_col(t, b, row, c)?;
        }
        Ok(())
    };
    for (i, lay) in b.indexes.iter().enumerate() {
        if affected(i) {
            for c in lay.cols.iter().filter_map(|c| c.attr) {
                load(c, &mut scratch.row)?;
            }
            for a in &t.indexes[i].include {
                load((*a - 1) as usize, &mut scratch.row)?;
            }
        }
    }
    let Some(set) = set else {
        let mut wx = Wx::of(cx);
        let Scratch { key, row, was, .. } = scratch;
        delete_entries(t, key, row, &mut wx, was)?;
        return Ok(1);
    };
    for l in s.pre.iter().chain(&s.post) {
        if let Src::Row(c) = l.src
            && set.iter().any(|(_, e)| reads(e, l.slot))
        {
            load(c, &mut scratch.row)?;
        }
    }
    let seen = Seen::new(latest, cx.env);
    let mut new: smallvec::SmallVec<[(usize, Datum); 4]> = smallvec::SmallVec::new();
    {
        let mut fcx = FastCx { cols: old_cols, row: &scratch.row, params: cx.params, env: cx.env };
        for (c, e) in set {
            new.push((*c, expr::eval(e, &mut fcx)?));
        }
    }
    let mut wx = Wx::of(cx);
    seen.is_as_it_was(t, &scratch.key, "updated", &mut wx, &mut scratch.value2)?;
    // A NULL where none may be: the general way makes the message.
    if new.iter().any(|(c, d)| d.is_null() && t.columns.get(*c).is_some_and(|c| c.not_null)) {
        let mut full = Vec::new();
        access::decode_row(t, &scratch.value, &mut full)?;
        for (c, d) in new {
            full[c] = d;
        }
        let mut wx = Wx::of(cx);
        super::dml::check_row(t, &mut full, &mut wx)?;
        return Err(err!(NOT_NULL_VIOLATION, "null value violates not-null constraint"));
    }
    if (0..t.indexes.len()).any(affected) {
        let Scratch { key, value2, row, changed, was, is, .. } = &mut *scratch;
        changed.clone_from(row);
        for (c, d) in &new {
            if let Some(s) = changed.get_mut(*c) {
                s.clone_from(d);
            }
        }
        for i in (0..t.indexes.len()).filter(|i| affected(*i)) {
            if change_entry(t, i, (row, key), (changed, key), &mut wx, was, is, value2)? {
                is.put(wx.txn)?;
            }
        }
    }
    replace(t, RowRef(&scratch.value), &new, &mut scratch.value2)?;
    cx.txn.put(t.tree(), &scratch.key, &scratch.value2)?;
    t.usage.add(Of::Updated, 1);
    Ok(1)
}
fn reads(e: &Px, slot: u32) -> bool {
    match e {
        Px::Slot(s) => *s == slot,
        Px::Const(_) | Px::Param(_) => false,
        Px::Call(b) => b.1.iter().any(|a| reads(a, slot)),
        Px::Cast(b) => reads(&b.0, slot),
        // Anything else may read anything.
        _ => true,
    }
}

/// A row with some columns replaced: spliced where it can be, else decoded and encoded whole.
fn replace(t: &Table, old: RowRef, new: &[(usize, Datum)], out: &mut Vec<u8>) -> Result<()> {
    let dropped = |c: usize| t.columns[c].dropped;
    if row::splice(t.version as u16, &access::layout(t).types, dropped, old, new, out)? {
        return Ok(());
    }
    let mut whole = Vec::new();
    access::decode_row(t, old.0, &mut whole)?;
    for (c, d) in new {
        if let Some(s) = whole.get_mut(*c) {
            *s = d.clone();
        }
    }
    access::encode_row(t, &whole, out)
}
