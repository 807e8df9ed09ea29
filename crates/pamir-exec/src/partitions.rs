//! The scans of a partitioned table's partitions, into the same slots: those that the values of the moment leave.
//!
//! [`Append`] reads one after the other, and opens each when it comes to it: where the partitions' bounds are the order that is wanted, a LIMIT leaves the later ones
//! alone. [`Merge`] takes the first of all of them, whose rows are in one order: it holds a row of each.
use super::sort::compare_keys;
use super::{Op, Rt};
use pamir_expr::expr;
use pamir_expr::plan::node::{Gate, KeySpec, PNode};
use pamir_types::{Datum, Result};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Scans of partitions, made when they are first needed.
pub struct Arms {
    arms: Arc<Vec<PNode>>,
    children: Arc<Vec<usize>>,
    gates: Arc<Vec<Gate>>,
    analyze: bool,
    /// By arm.
    made: Vec<Option<Box<dyn Op>>>,
}
impl Arms {
    pub fn new(arms: Arc<Vec<PNode>>, children: Arc<Vec<usize>>, gates: Arc<Vec<Gate>>, analyze: bool) -> Arms {
        let made = (0..arms.len()).map(|_| None).collect();
        Arms { arms, children, gates, analyze, made }
    }
    /// Those that have rows for the conditions, in their order.
    fn live(&self, rt: &mut Rt) -> Result<Vec<usize>> {
        let gates = self.gates.clone();
        let mut live: Option<Vec<bool>> = None;
        for g in gates.iter() {
            let parts = pamir_expr::partition::parts(&g.parent, rt.env)?;
            let live = live.get_or_insert_with(|| vec![true; parts.children.len()]);
            parts.leave_out(&g.bounds, rt, live)?;
        }
        let is_live = |i: &usize| match (&live, self.children.get(*i)) {
            (Some(l), Some(c)) => l.get(*c).copied().unwrap_or(true),
            _ => true,
        };
        Ok((0..self.arms.len()).filter(is_live).collect())
    }
    fn open(&mut self, i: usize, rt: &mut Rt) -> Result<()> {
        if let (Some(node), Some(made)) = (self.arms.get(i), self.made.get_mut(i)) {
            made.get_or_insert_with(|| super::build(node, self.analyze)).open(rt)?;
        }
        Ok(())
    }
    fn get(&mut self, i: usize) -> Option<&mut Box<dyn Op>> {
        self.made.get_mut(i)?.as_mut()
    }
}

/// One arm after the other.
pub struct Append {
    arms: Arms,
    /// Arms that are still to be read, the last one first.
    open: Vec<usize>,
    at: Option<usize>,
}
impl Append {
    pub fn new(arms: Arms) -> Append {
        Append { arms, open: Vec::new(), at: None }
    }
    /// The arm that is read, or the next one; None: there is none.
    fn current(&mut self, rt: &mut Rt) -> Result<Option<usize>> {
        if self.at.is_none()
            && let Some(i) = self.open.pop()
        {
            self.arms.open(i, rt)?;
            self.at = Some(i);
        }
        Ok(self.at)
    }
}
impl Op for Append {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.at = None;
        self.open = self.arms.live(rt)?;
        self.open.reverse();
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        while let Some(at) = self.current(rt)? {
            if let Some(op) = self.arms.get(at)
                && op.next(rt)?
            {
                return Ok(true);
            }
            self.at = None;
        }
        Ok(false)
    }
    fn pass(&mut self, max: u64, rt: &mut Rt) -> Result<u64> {
        let mut n = 0;
        while n < max
            && let Some(at) = self.current(rt)?
            && let Some(op) = self.arms.get(at)
        {
            n += op.pass(max - n, rt)?;
            if n < max {
                self.at = None;
            }
        }
        Ok(n)
    }
}

/// The next row of an arm.
struct Head {
    order: Arc<Vec<KeySpec>>,
    keys: Vec<Datum>,
    /// By slot of the output.
    row: Vec<Datum>,
    arm: usize,
}
impl Ord for Head {
    /// The first in order is the greatest, which is what a heap gives.
    fn cmp(&self, other: &Head) -> Ordering {
        compare_keys(&other.keys, &self.keys, &self.order).then(other.arm.cmp(&self.arm))
    }
}
impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Head {}

/// All arms merged, by what each is ordered by.
pub struct Merge {
    arms: Arms,
    order: Arc<Vec<KeySpec>>,
    slots: Vec<u32>,
    heads: BinaryHeap<Head>,
    /// Whose row is out: it is asked for its next one when that is needed, since it puts that into the same slots.
    out: Option<usize>,
}
impl Merge {
    pub fn new(arms: Arms, order: Arc<Vec<KeySpec>>, slots: Vec<u32>) -> Merge {
        Merge { arms, order, slots, heads: BinaryHeap::new(), out: None }
    }
    fn pull(&mut self, arm: usize, rt: &mut Rt) -> Result<()> {
        rt.tick()?;
        if let Some(op) = self.arms.get(arm)
            && op.next(rt)?
        {
            let keys = self.order.iter().map(|k| expr::eval(&k.e, rt)).collect::<Result<_>>()?;
            let row = self.slots.iter().map(|s| rt.get(*s).clone()).collect();
            self.heads.push(Head { order: self.order.clone(), keys, row, arm });
        }
        Ok(())
    }
}
impl Op for Merge {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.heads.clear();
        self.out = None;
        for i in self.arms.live(rt)? {
            self.arms.open(i, rt)?;
            self.pull(i, rt)?;
        }
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if let Some(arm) = self.out.take() {
            self.pull(arm, rt)?;
        }
        let Some(head) = self.heads.pop() else { return Ok(false) };
        self.slots.iter().zip(head.row).for_each(|(s, d)| rt.set(*s, d));
        self.out = Some(head.arm);
        Ok(true)
    }
}
