//! The scans of a partitioned table's partitions, into the same slots: those that the values of the moment leave.
//!
//! [`Append`] reads one after the other, and opens each when it comes to it: where the partitions' bounds are the order that is wanted, a LIMIT leaves the later ones
//! alone. [`Merge`] takes the first of all of them, whose rows are in one order: it holds a row of each.
use super::agg::order;
use super::rows::{Charge, datum_size};
use super::sort::KeyOrder;
use super::{Op, Rt};
use pamir_expr::expr::Px;
use pamir_expr::plan::node::{Gate, KeySpec, PNode};
use pamir_types::{Datum, Error, Result};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Scans of partitions, made when they are first needed.
pub struct Arms {
    arms: Arc<Vec<PNode>>,
    gates: Arc<Vec<Gate>>,
    ways: Arc<Vec<Vec<(usize, usize)>>>,
    analyze: bool,
    /// By arm.
    made: Vec<Option<Box<dyn Op>>>,
}
impl Arms {
    pub fn new(
        arms: Arc<Vec<PNode>>,
        gates: Arc<Vec<Gate>>,
        ways: Arc<Vec<Vec<(usize, usize)>>>,
        analyze: bool,
    ) -> Arms {
        let made = (0..arms.len()).map(|_| None).collect();
        Arms { arms, gates, ways, analyze, made }
    }
    /// Those that have rows for the conditions, in their order.
    fn live(&self, rt: &mut Rt) -> Result<Vec<usize>> {
        let mut live = Vec::with_capacity(self.gates.len());
        for g in self.gates.iter() {
            let parts = pamir_expr::partition::parts(&g.parent, rt.env)?;
            let mut children = vec![true; parts.children.len()];
            for b in &g.bounds {
                parts.leave_out(b, rt, &mut children)?;
            }
            live.push(children);
        }
        let is_live = |way: &Vec<(usize, usize)>| {
            way.iter().all(|(g, child)| live.get(*g).and_then(|l| l.get(*child)).copied().unwrap_or(true))
        };
        Ok(self.ways.iter().enumerate().filter(|w| is_live(w.1)).map(|w| w.0).collect())
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

/// What rows are ordered by: where that is in a row, and how it sorts.
type Order = Vec<(usize, KeyOrder)>;
/// The next row of an arm.
struct Head {
    order: Arc<Order>,
    /// By slot of the output.
    row: Vec<Datum>,
    bytes: usize,
    arm: usize,
}
impl Head {
    fn key(&self, at: usize) -> &Datum {
        self.row.get(at).unwrap_or(&Datum::Null)
    }
}
impl Ord for Head {
    /// The first in order is the greatest, which is what a heap gives.
    fn cmp(&self, other: &Head) -> Ordering {
        let by = |(at, k): &(usize, KeyOrder)| order(other.key(*at), self.key(*at), k.ty, k.desc, k.nulls_first);
        self.order.iter().map(by).find(|o| o.is_ne()).unwrap_or(other.arm.cmp(&self.arm))
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

/// All arms merged, by what each is ordered by. Rows are moved between their slots and here, not copied.
pub struct Merge {
    arms: Arms,
    /// None: by something that is not put out.
    order: Option<Arc<Order>>,
    slots: Vec<u32>,
    heads: BinaryHeap<Head>,
    /// Bytes that the heads have, and the most that they had, which are charged.
    bytes: usize,
    most: usize,
    charge: Charge,
    /// Whose row is out: it is asked for its next one when that is needed, since it puts that into the same slots.
    out: Option<usize>,
    /// A row that is not used.
    spare: Vec<Datum>,
}
impl Merge {
    /// `keys`: slots of the output.
    pub fn new(arms: Arms, keys: &[KeySpec], slots: Vec<u32>) -> Merge {
        let place = |k: &KeySpec| match k.e {
            Px::Slot(s) => slots.iter().position(|x| *x == s),
            _ => None,
        };
        let order = keys.iter().map(|k| Some((place(k)?, KeyOrder::from(k)))).collect::<Option<Order>>().map(Arc::new);
        let (heads, charge, spare) = (BinaryHeap::new(), Charge::default(), Vec::new());
        Merge { arms, order, slots, heads, bytes: 0, most: 0, charge, out: None, spare }
    }
    fn pull(&mut self, arm: usize, rt: &mut Rt) -> Result<()> {
        rt.tick()?;
        let Some(order) = &self.order else { return Err(Error::internal("an order by what is not put out")) };
        if let Some(op) = self.arms.get(arm)
            && op.next(rt)?
        {
            let mut row = std::mem::take(&mut self.spare);
            row.extend(self.slots.iter().map(|s| rt.take(*s)));
            let bytes = row.iter().map(datum_size).sum();
            self.bytes += bytes;
            if self.bytes > self.most {
                self.charge.add(self.bytes - self.most, &rt.work.memory)?;
                self.most = self.bytes;
            }
            self.heads.push(Head { order: order.clone(), row, bytes, arm });
        }
        Ok(())
    }
}
impl Op for Merge {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.heads.clear();
        (self.bytes, self.out) = (0, None);
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
        let Some(mut head) = self.heads.pop() else { return Ok(false) };
        self.slots.iter().zip(head.row.drain(..)).for_each(|(s, d)| rt.set(*s, d));
        (self.out, self.spare) = (Some(head.arm), head.row);
        self.bytes -= head.bytes;
        Ok(true)
    }
}
