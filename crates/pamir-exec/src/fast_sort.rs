//! `SELECT [DISTINCT] columns ... WHERE primary key range ORDER BY columns` without operators and without datums.
//!
//! ```text
//! scan -> rows' bytes, one behind the other      heads: (prefix of the first key, offset, length), sorted
//!                                                 -> columns' bytes to the sink in that order
//! ```
//! Keys are compared as they lie in the row: texts as bytes, padded ones without their blanks, integers and times as numbers. DISTINCT leaves out
//! rows equal to the one before; its columns are all among the keys.
//!
//! Limit: rows that take more than work_mem are left to the operators, which spill: nothing was sent by then, and the scan begins again.
use super::ExecCtx;
use super::fast::send;
use super::rows::Charge;
use super::scan;
use super::sort::byte_prefix;
use pamir_expr::access;
use pamir_expr::expr;
use pamir_expr::plan::node::{FastKey, RawKind, ScanSpec};
use pamir_expr::sink::RowSink;
use pamir_storage::store::Dir;
use pamir_types::row::{RawCol, RowRef};
use pamir_types::work;
use pamir_types::{Error, Result, Type};
use std::cmp::Ordering;
use std::sync::Arc;

fn int(b: &[u8]) -> Option<i64> {
    Some(match b.len() {
        4 => i64::from(i32::from_le_bytes(*b.first_chunk()?)),
        8 => i64::from_le_bytes(*b.first_chunk()?),
        2 => i64::from(i16::from_le_bytes(*b.first_chunk()?)),
        _ => return None,
    })
}
fn trimmed(b: &[u8]) -> &[u8] {
    let n = b.iter().rposition(|c| *c != b' ').map_or(0, |i| i + 1);
    b.get(..n).unwrap_or(b)
}
fn corrupt() -> Error {
    Error::new(pamir_types::error::state::DATA_CORRUPTED, "corrupted row: value of the wrong length")
}
/// As the sort's prefixes: in the order of the key wherever two differ.
fn prefix(row: RowRef, k: &FastKey) -> Result<u64> {
    let p = match (row.raw(k.col)?, k.kind) {
        (RawCol::Null | RawCol::Absent, _) => return Ok(if k.nulls_first { 0 } else { u64::MAX }),
        (RawCol::Value(b), RawKind::Bytes) => byte_prefix(b),
        (RawCol::Value(b), RawKind::Padded) => byte_prefix(trimmed(b)),
        (RawCol::Value(b), RawKind::Int) => int(b).ok_or_else(corrupt)? as u64 ^ (1 << 63),
    };
    Ok(if k.desc { !p } else { p })
}
/// Rows were looked at by [`prefix`] before: what is broken in one of them is the same as NULL here.
fn value<'r>(row: RowRef<'r>, k: &FastKey) -> Option<&'r [u8]> {
    match row.raw(k.col) {
        Ok(RawCol::Value(v)) => Some(v),
        _ => None,
    }
}
fn compare(a: RowRef, b: RowRef, keys: &[FastKey]) -> Ordering {
    for k in keys {
        let nulls = |first: bool| if first { Ordering::Less } else { Ordering::Greater };
        let o = match (value(a, k), value(b, k)) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => nulls(k.nulls_first),
            (Some(_), None) => nulls(!k.nulls_first),
            (Some(x), Some(y)) => {
                let o = match k.kind {
                    RawKind::Bytes => x.cmp(y),
                    RawKind::Padded => trimmed(x).cmp(trimmed(y)),
                    RawKind::Int => int(x).cmp(&int(y)),
                };
                if k.desc { o.reverse() } else { o }
            }
        };
        if o.is_ne() {
            return o;
        }
    }
    Ordering::Equal
}

/// Buffers kept between statements.
#[derive(Default)]
pub struct SortScratch {
    rows: Vec<u8>,
    heads: Vec<(u64, u32, u32)>,
}
/// A larger buffer is given back after use.
const KEEP_BYTES: usize = 256 << 10;

/// None: the rows do not fit, the operators must sort them.
pub fn run(
    s: &Arc<ScanSpec>,
    cols: &[(usize, Type)],
    keys: &[FastKey],
    distinct: bool,
    cx: &mut ExecCtx,
    scratch: &mut SortScratch,
    sink: &mut dyn RowSink,
) -> Option<Result<u64>> {
    scratch.rows.clear();
    scratch.heads.clear();
    let r = match collect(s, keys, cx, scratch) {
        Ok(true) => {
            let n = scratch.heads.len() as u64;
            scan::usage_of(s).scanned(1, n, n);
            Some(put_out(s, cols, keys, distinct, scratch, sink))
        }
        Ok(false) => None,
        Err(e) => Some(Err(e)),
    };
    if scratch.rows.capacity() > KEEP_BYTES {
        *scratch = SortScratch::default();
    }
    r
}
/// Copies the rows of the range; false when they are too many.
fn collect(s: &ScanSpec, keys: &[FastKey], cx: &mut ExecCtx, scratch: &mut SortScratch) -> Result<bool> {
    let b = access::layout(&s.table);
    let Some(lay) = s.index.and_then(|i| b.indexes.get(i)) else {
        return Err(Error::internal("range without an index"));
    };
    let Some(first) = keys.first() else { return Err(Error::internal("sort without a key")) };
    let most = cx.work.mem.min(u32::MAX as usize);
    let SortScratch { rows, heads } = scratch;
    let mut charge = Charge::default();
    let mut add = |v: &[u8]| -> Result<bool> {
        let at = rows.len();
        if at + v.len() > most {
            return Ok(false);
        }
        charge.add(v.len() + 16, &cx.work.memory)?;
        heads.push((prefix(RowRef(v), first)?, at as u32, v.len() as u32));
        rows.extend_from_slice(v);
        Ok(true)
    };
    let mut ranges = Vec::new();
    pamir_expr::ranges::ranges(
        &s.bounds,
        &lay.cols,
        &mut expr::ParamCx { params: cx.params, env: cx.env },
        &mut ranges,
    )?;
    let (tree, mut value) = (s.table.tree(), Vec::new());
    for r in &ranges {
        if s.bounds.point {
            if cx.txn.get(&cx.snapshot, tree, &r.lo, &mut value)? && !add(&value)? {
                return Ok(false);
            }
            continue;
        }
        let mut it = cx.txn.scan(&cx.snapshot, tree, &r.lo, r.hi.as_deref(), Dir::Forward)?;
        while let Some((_, v)) = it.next(cx.txn)? {
            if !add(v)? {
                return Ok(false);
            }
            if work::spend(work::ROW) {
                super::breathe(cx.env)?;
            }
        }
    }
    Ok(true)
}
fn put_out(
    s: &ScanSpec,
    cols: &[(usize, Type)],
    keys: &[FastKey],
    distinct: bool,
    scratch: &mut SortScratch,
    sink: &mut dyn RowSink,
) -> Result<u64> {
    let SortScratch { rows, heads } = scratch;
    let row = |h: &(u64, u32, u32)| RowRef(rows.get(h.1 as usize..(h.1 + h.2) as usize).unwrap_or(&[]));
    work::sort_unstable_by(heads, |a, b| match a.0.cmp(&b.0) {
        Ordering::Equal => (compare(row(a), row(b), keys).then(a.1.cmp(&b.1)), 30 + a.2 / 16),
        order => (order, 5),
    })?;
    let mut n = 0;
    for (i, h) in heads.iter().enumerate() {
        if distinct
            && let Some(before) = i.checked_sub(1).and_then(|i| heads.get(i))
            && before.0 == h.0
            && compare(row(before), row(h), keys).is_eq()
        {
            continue;
        }
        send(&s.table, row(h), cols, sink)?;
        n += 1;
    }
    Ok(n)
}
