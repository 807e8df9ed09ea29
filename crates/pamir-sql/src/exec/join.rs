//! Joins: nested loop (with parameterized inner side) and hash.
//!
//! Both keep the left side outermost. A match leaves both sides' columns in their slots. Outer joins fill the missing side's slots with
//! NULL; semi and anti joins produce the left side's columns only.
use super::expr;
use super::rows::{HashIndex, NONE, Rows, hash_row};
use super::{Op, Rt};
use crate::ir::JoinKind;
use crate::plan::node::JoinSpec;
use pamir_types::{Datum, Result};
use std::sync::Arc;

fn nulls(slots: &[u32], rt: &mut Rt) {
    for s in slots {
        rt.set(*s, Datum::Null);
    }
}
fn holds(spec: &JoinSpec, id: usize, rt: &mut Rt) -> Result<bool> {
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
}
impl NestLoop {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<JoinSpec>, id: usize) -> NestLoop {
        NestLoop {
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
        }
    }
}
impl Op for NestLoop {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.in_right = false;
        self.tail = false;
        self.any_left = false;
        self.seen.clear();
        self.left.open(rt)
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
                if !self.left.next(rt)? {
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
            }
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

/// Builds a table of the right side, probes it with the left.
pub struct HashJoin {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<JoinSpec>,
    id: usize,
    rows: Rows,
    /// Key values of each right row.
    keys: Rows,
    index: HashIndex,
    built: bool,
    probe: Vec<Datum>,
    chain: u32,
    active: bool,
    matched: bool,
    seen: Vec<bool>,
    tail: Option<usize>,
}
impl HashJoin {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<JoinSpec>, id: usize) -> HashJoin {
        HashJoin {
            rows: Rows::new(spec.right_slots.len()),
            keys: Rows::new(spec.right_keys.len()),
            index: HashIndex::default(),
            left,
            right,
            spec,
            id,
            built: false,
            probe: Vec::new(),
            chain: NONE,
            active: false,
            matched: false,
            seen: Vec::new(),
            tail: None,
        }
    }
    fn fill(&mut self, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.rows.clear();
        self.keys.clear();
        self.index.clear();
        self.right.open(rt)?;
        let keep = matches!(spec.kind, JoinKind::Right | JoinKind::Full);
        while self.right.next(rt)? {
            rt.tick()?;
            let mut k = Vec::with_capacity(spec.right_keys.len());
            for e in &spec.right_keys {
                k.push(expr::eval(e, rt)?);
            }
            // A NULL key never matches; it is kept only where unmatched rows are produced.
            if k.iter().any(Datum::is_null) && !keep {
                continue;
            }
            self.index.add(hash_row(&k, &spec.key_types));
            self.keys.push(k, rt)?;
            self.rows.push_slots(&spec.right_slots, rt)?;
        }
        Ok(())
    }
}
impl Op for HashJoin {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.active = false;
        self.tail = None;
        // The right side does not depend on columns of the left; under a parameterized parent it may on others, so it is built anew.
        if !self.built || self.spec.lateral {
            self.fill(rt)?;
            self.built = true;
        }
        self.seen.clear();
        if matches!(self.spec.kind, JoinKind::Right | JoinKind::Full) {
            self.seen.resize(self.rows.len(), false);
        }
        self.left.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            if let Some(at) = self.tail {
                for i in at..self.rows.len() {
                    if !self.seen.get(i).copied().unwrap_or(true) {
                        self.rows.load(i, &spec.right_slots, rt);
                        nulls(&spec.left_slots, rt);
                        self.tail = Some(i + 1);
                        return Ok(true);
                    }
                }
                self.tail = Some(self.rows.len());
                return Ok(false);
            }
            if !self.active {
                if !self.left.next(rt)? {
                    if matches!(spec.kind, JoinKind::Right | JoinKind::Full) {
                        self.tail = Some(0);
                        continue;
                    }
                    return Ok(false);
                }
                rt.tick()?;
                self.probe.clear();
                for e in &spec.left_keys {
                    let d = expr::eval(e, rt)?;
                    self.probe.push(d);
                }
                self.chain = if self.probe.iter().any(Datum::is_null) {
                    NONE
                } else {
                    self.index.first(hash_row(&self.probe, &spec.key_types))
                };
                self.active = true;
                self.matched = false;
            }
            while self.chain != NONE {
                let i = self.chain as usize;
                self.chain = self.index.after(self.chain);
                let same = self
                    .keys
                    .row(i)
                    .iter()
                    .zip(&self.probe)
                    .zip(&spec.key_types)
                    .all(|((a, b), t)| !a.is_null() && same_key(a, b, *t));
                if !same {
                    continue;
                }
                rt.tick()?;
                self.rows.load(i, &spec.right_slots, rt);
                if !holds(&spec, self.id, rt)? {
                    continue;
                }
                self.matched = true;
                if let Some(s) = self.seen.get_mut(i) {
                    *s = true;
                }
                match spec.kind {
                    JoinKind::Semi => {
                        self.active = false;
                        return Ok(true);
                    }
                    JoinKind::Anti => {
                        self.chain = NONE;
                        break;
                    }
                    _ => return Ok(true),
                }
            }
            self.active = false;
            match spec.kind {
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
/// Integers of different widths may meet.
#[inline]
fn same_key(a: &Datum, b: &Datum, ty: pamir_types::Type) -> bool {
    match (expr::int_of(a), expr::int_of(b)) {
        (Some(x), Some(y)) => x == y,
        _ => expr::compare(a, b, ty).is_eq(),
    }
}
