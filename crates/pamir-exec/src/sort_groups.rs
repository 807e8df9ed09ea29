//! Sorting input that comes in the order of the first keys already: one group of equal first keys at a time, so that a reader that wants a few rows causes
//! little more than these to be read (PostgreSQL's incremental sort).
//!
//! ```text
//! ORDER BY placed, id      input by an index on placed:  | 1 1 1 | 2 | 3 3 |     each group is sorted by itself
//! ```
//! Limit: a group that does not fit into work_mem is sorted by runs on disk, as any sort.
use super::sort::{KeyOrder, Sorter, TOP_N_MAX, compare_keys};
use super::{Op, Rt, ops};
use pamir_expr::expr;
use pamir_expr::plan::node::{KeySpec, LimitSpec};
use pamir_types::{Datum, Result};
use std::sync::Arc;

pub struct GroupSort {
    input: Box<dyn Op>,
    keys: Arc<Vec<KeySpec>>,
    /// How many keys the input is ordered by.
    presorted: usize,
    limit: Option<Arc<LimitSpec>>,
    slots: Vec<u32>,
    sorter: Sorter,
    /// The first row of the next group: keys, then what is carried.
    ahead: Option<Vec<Datum>>,
    /// The first keys of the group in hand.
    group: Vec<Datum>,
    /// The group is sorted and on its way out.
    out: bool,
    ended: bool,
    /// Rows of a group that can be wanted.
    keep: Option<usize>,
}
impl GroupSort {
    pub fn new(
        input: Box<dyn Op>,
        keys: Arc<Vec<KeySpec>>,
        presorted: usize,
        limit: Option<Arc<LimitSpec>>,
        slots: Vec<u32>,
    ) -> GroupSort {
        let orders: Arc<[KeyOrder]> = keys.iter().map(KeyOrder::from).collect();
        let sorter = Sorter::new(orders, keys.len() + slots.len());
        GroupSort {
            input,
            keys,
            presorted,
            limit,
            slots,
            sorter,
            ahead: None,
            group: Vec::new(),
            out: false,
            ended: false,
            keep: None,
        }
    }
    fn push(&mut self, row: Vec<Datum>, rt: &Rt) -> Result<()> {
        if let Some(n) = self.keep
            && self.sorter.len() >= 2 * n.max(1)
        {
            self.sorter.truncate(n, rt.work)?;
        }
        self.sorter.push(row, rt.work)
    }
    /// Reads and sorts the next group; false at the end.
    fn fill(&mut self, rt: &mut Rt) -> Result<bool> {
        self.sorter.clear();
        let mut any = false;
        if let Some(row) = self.ahead.take() {
            self.group.clear();
            self.group.extend(row.iter().take(self.presorted).cloned());
            // The rows given out stood in the input's slots, which it reads on from (the outer row of a nested loop).
            for (s, d) in self.slots.iter().zip(row.iter().skip(self.keys.len())) {
                rt.set(*s, d.clone());
            }
            self.push(row, rt)?;
            any = true;
        }
        let keys = self.keys.clone();
        while !self.ended {
            rt.tick()?;
            if !self.input.next(rt)? {
                self.ended = true;
                break;
            }
            let mut row = Vec::with_capacity(keys.len() + self.slots.len());
            for k in keys.iter() {
                row.push(expr::eval(&k.e, rt)?);
            }
            row.extend(self.slots.iter().map(|s| rt.get(*s).clone()));
            let first = row.get(..self.presorted).unwrap_or(&[]);
            if !any {
                self.group.clear();
                self.group.extend_from_slice(first);
            } else {
                let o = compare_keys(&self.group, first, &keys);
                debug_assert!(
                    o.is_le(),
                    "the input of a sort by groups is not in order: {:?} before {first:?}",
                    self.group
                );
                if o.is_ne() {
                    self.ahead = Some(row);
                    break;
                }
            }
            any = true;
            self.push(row, rt)?;
        }
        if any {
            self.sorter.finish(rt.work)?;
        }
        Ok(any)
    }
}
impl Op for GroupSort {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.sorter.clear();
        self.ahead = None;
        self.group.clear();
        (self.out, self.ended) = (false, false);
        self.keep = match &self.limit {
            Some(l) if l.ties.is_none() => match ops::limits(l, rt)? {
                (Some(n), skip) => usize::try_from(n.saturating_add(skip)).ok().filter(|n| *n as u64 <= TOP_N_MAX),
                _ => None,
            },
            _ => None,
        };
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        loop {
            if self.out {
                if let Some(row) = self.sorter.next()? {
                    for (s, d) in self.slots.iter().zip(row.iter_mut().skip(self.keys.len())) {
                        rt.set(*s, std::mem::replace(d, Datum::Null));
                    }
                    return Ok(true);
                }
                self.out = false;
            }
            if !self.fill(rt)? {
                return Ok(false);
            }
            self.out = true;
        }
    }
}
