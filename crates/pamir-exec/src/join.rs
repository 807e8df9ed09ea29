//! Nested loops, with parameterized inner side. [`super::hash_join`] is the other join.
//!
//! Both keep the left side outermost. A match leaves both sides' columns in their slots. Outer joins fill the missing side's slots with
//! NULL; semi and anti joins produce the left side's columns only.
use super::gather::{self, Gather};
use super::scan::Wanted;
use super::{Op, Rt};
use pamir_expr::expr;
use pamir_expr::ir::JoinKind;
use pamir_expr::plan::node::{JoinSpec, PNode};
use pamir_txn::Isolation;
use pamir_txn::face::BATCH_KEYS;
use pamir_types::{Datum, Result};
use std::sync::Arc;

/// Left rows of a nested loop whose right sides are read ahead, where calls are dear: batch by batch, in growing steps where not all rows may be asked for.
pub(super) struct Ahead {
    rows: Gather,
    /// More left rows may be read than are asked for.
    still: bool,
    most: usize,
}
/// Left rows of the first batch.
const AHEAD_FIRST: usize = 16;
impl Ahead {
    pub fn new(left: &PNode) -> Ahead {
        Ahead { rows: Gather::new(left.out.clone()), still: gather::is_still(left), most: 0 }
    }
    fn start(&mut self, id: usize, rt: &Rt) {
        self.rows.clear();
        self.most = if rt.st.whole_loops.contains(&id) {
            BATCH_KEYS
        } else if self.still {
            AHEAD_FIRST
        } else {
            1
        };
    }
    fn next(&mut self, left: &mut dyn Op, right: &dyn Op, rt: &mut Rt) -> Result<bool> {
        // Reads that lock are made one by one.
        if self.most <= 1 || rt.txn.isolation() == Isolation::Serializable {
            return left.next(rt);
        }
        if self.rows.kept(rt)?.is_some() {
            return Ok(true);
        }
        let mut wanted = Wanted::default();
        let n = self.rows.fill(left, self.most, rt, &mut |rt| {
            right.ahead(rt, &mut wanted);
            !wanted.is_full()
        })?;
        self.most = (2 * self.most).min(BATCH_KEYS);
        // One is read when its turn comes.
        if n > 1 {
            wanted.read(rt)?;
        }
        Ok(self.rows.kept(rt)?.is_some())
    }
}
pub(super) fn nulls(slots: &[u32], rt: &mut Rt) {
    for s in slots {
        rt.set(*s, Datum::Null);
    }
}
pub(super) fn holds(spec: &JoinSpec, id: usize, rt: &mut Rt) -> Result<bool> {
    match &spec.cond {
        Some(c) if expr::eval_bool(c, rt)? != Some(true) => {
            rt.stat(id, |s| s.removed += 1);
            Ok(false)
        }
        _ => Ok(true),
    }
}

/// For each left row the right side restarts. RIGHT and FULL joins keep a note of each right row that matched; their right side
/// is not parameterized (the planner sees to it) and gives its rows in the same order each time.
pub struct NestLoop {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<JoinSpec>,
    id: usize,
    in_right: bool,
    matched: bool,
    seen: Vec<bool>,
    right_at: usize,
    /// The left side has ended: unmatched right rows follow.
    tail: bool,
    any_left: bool,
    ahead: Option<Ahead>,
    /// The left row while the right side is read: nobody may have changed it since the last call.
    #[cfg(debug_assertions)]
    left_row: Vec<Datum>,
}
impl NestLoop {
    #[cfg(debug_assertions)]
    fn check_left(&self, rt: &Rt) -> Result<()> {
        for (s, d) in self.spec.left_slots.iter().zip(&self.left_row) {
            if format!("{d:?}") != format!("{:?}", rt.get(*s)) {
                return Err(pamir_types::Error::internal(format!(
                    "slot {s} of a nested loop's left row became {:?} while its right side is read, was {d:?}",
                    rt.get(*s)
                )));
            }
        }
        Ok(())
    }

    pub(super) fn new(
        left: Box<dyn Op>,
        right: Box<dyn Op>,
        spec: Arc<JoinSpec>,
        id: usize,
        ahead: Option<Ahead>,
    ) -> NestLoop {
        NestLoop {
            ahead,
            left,
            right,
            spec,
            id,
            in_right: false,
            matched: false,
            seen: Vec::new(),
            right_at: 0,
            tail: false,
            any_left: false,
            #[cfg(debug_assertions)]
            left_row: Vec::new(),
        }
    }
}
impl Op for NestLoop {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.in_right = false;
        self.tail = false;
        self.any_left = false;
        self.seen.clear();
        if let Some(a) = self.ahead.as_mut().filter(|_| rt.txn.far()) {
            a.start(self.id, rt);
        }
        self.left.open(rt)
    }
    fn ahead(&self, rt: &mut Rt, wanted: &mut Wanted) {
        self.left.ahead(rt, wanted)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        let kind = spec.kind;
        let keep_right = matches!(kind, JoinKind::Right | JoinKind::Full);
        loop {
            if self.tail {
                while self.right.next(rt)? {
                    let i = self.right_at;
                    self.right_at += 1;
                    if !self.seen.get(i).copied().unwrap_or(false) {
                        nulls(&spec.left_slots, rt);
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            if !self.in_right {
                let more = match &mut self.ahead {
                    Some(a) if rt.txn.far() => a.next(&mut *self.left, &*self.right, rt)?,
                    _ => self.left.next(rt)?,
                };
                if !more {
                    if keep_right {
                        self.tail = true;
                        self.right_at = 0;
                        self.right.open(rt)?;
                        continue;
                    }
                    return Ok(false);
                }
                self.any_left = true;
                self.in_right = true;
                self.matched = false;
                self.right_at = 0;
                self.right.open(rt)?;
                #[cfg(debug_assertions)]
                {
                    self.left_row = spec.left_slots.iter().map(|s| rt.get(*s).clone()).collect();
                }
            }
            #[cfg(debug_assertions)]
            self.check_left(rt)?;
            while self.right.next(rt)? {
                rt.tick()?;
                let i = self.right_at;
                self.right_at += 1;
                if keep_right && self.seen.len() <= i {
                    self.seen.push(false);
                }
                if !holds(&spec, self.id, rt)? {
                    continue;
                }
                self.matched = true;
                if keep_right && let Some(s) = self.seen.get_mut(i) {
                    *s = true;
                }
                match kind {
                    JoinKind::Semi => {
                        self.in_right = false;
                        return Ok(true);
                    }
                    JoinKind::Anti => break,
                    _ => return Ok(true),
                }
            }
            self.in_right = false;
            match kind {
                JoinKind::Anti if !self.matched => return Ok(true),
                JoinKind::Left | JoinKind::Full if !self.matched => {
                    nulls(&spec.right_slots, rt);
                    return Ok(true);
                }
                _ => {}
            }
        }
    }
}
