//! Row locks of SELECT: each row that comes is locked, and looked at again where it has changed meanwhile.
use super::*;

/// SELECT ... FOR UPDATE and its kin.
pub struct LockRows {
    input: Box<dyn Op>,
    targets: Arc<Vec<LockSpec>>,
    id: usize,
    /// Slots overwritten by newer versions: the operators below go on with what they left there.
    seen: Vec<(u32, Datum)>,
    gather: Gather,
}
impl LockRows {
    /// `slots`: of the input's rows.
    pub fn new(input: Box<dyn Op>, targets: Arc<Vec<LockSpec>>, slots: Vec<u32>, id: usize) -> LockRows {
        LockRows { input, targets, id, seen: Vec::new(), gather: Gather::new(slots) }
    }
    /// Locks are taken ahead where all rows are asked for, and all are waited for in the same way.
    fn gathers(&self, rt: &Rt) -> Option<RowLock> {
        if !rt.txn.far() || rt.st.whole != Some(self.id) || self.targets.iter().any(|l| l.members.is_some()) {
            return None;
        }
        let mode = self.targets.first()?.mode;
        self.targets.iter().all(|l| l.mode == mode && l.wait == WaitPolicy::Block).then_some(mode)
    }
    fn next_input(&mut self, rt: &mut Rt) -> Result<bool> {
        match self.gathers(rt) {
            None => self.input.next(rt),
            Some(mode) => {
                let keys: smallvec::SmallVec<[(u32, TreeId); 4]> =
                    self.targets.iter().map(|l| (l.key, l.table.tree())).collect();
                self.gather.next(&mut *self.input, &keys, mode, rt)
            }
        }
    }
    fn overwrite(&mut self, slot: u32, d: Datum, rt: &mut Rt) {
        self.seen.push((slot, rt.get(slot).clone()));
        rt.set(slot, d);
    }
    fn restore(&mut self, rt: &mut Rt) {
        while let Some((s, d)) = self.seen.pop() {
            rt.set(s, d);
        }
    }
    /// Locks the row of target `l`. Some(newer): go on; None: the row is gone or left out. A newer version is in its slots then.
    fn lock(&mut self, l: &LockSpec, rt: &mut Rt) -> Result<Option<bool>> {
        // The NULL-extended side of an outer join has no row to lock.
        let Datum::Bytea(mut key) = rt.get(l.key).clone() else { return Ok(Some(false)) };
        let member = l.members.as_ref().and_then(|m| m.of_row(rt.get(m.slot)));
        let table = member.map_or(&l.table, |m| &m.0);
        let read = key.clone();
        let wx = rt.wx();
        if lock_target(table, &key, l.mode, l.wait, &wx)? == LockOutcome::Skipped {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let Some((state, latest)) = newest_target(table, &mut key, l.mode, l.wait, true, &wx, &mut bytes)? else {
            return Ok(None);
        };
        if latest.own {
            return Ok(latest.exists.then_some(false));
        }
        match state {
            Target::Same => Ok(Some(false)),
            Target::Skip | Target::Moved => Ok(None),
            Target::Newer => {
                if key != read {
                    self.overwrite(l.key, Datum::Bytea(key), rt);
                }
                let mut row = Vec::new();
                access::decode_row(table, &bytes, &mut row)?;
                for (c, s) in &l.cols {
                    let at = member.map_or(Some(*c), |m| m.1.get(*c).copied());
                    let d = at.and_then(|c| row.get(c)).cloned().unwrap_or(Datum::Null);
                    self.overwrite(*s, d, rt);
                }
                Ok(Some(true))
            }
        }
    }
    /// Do the newest versions, all of them locked now, still make this row? (PostgreSQL's EvalPlanQual.)
    fn still_holds(&mut self, newer: &[&LockSpec], rt: &mut Rt) -> Result<bool> {
        // A newer version is at another place than the one that was found (`holds_again`).
        let places: smallvec::SmallVec<[Datum; 2]> = newer.iter().map(|l| rt.take(l.key)).collect();
        let r = self.all_hold(newer, rt);
        for (l, place) in newer.iter().zip(places) {
            rt.set(l.key, place);
        }
        r
    }
    fn all_hold(&mut self, newer: &[&LockSpec], rt: &mut Rt) -> Result<bool> {
        for l in newer {
            for (on, other) in &l.outer {
                if expr::eval_bool(on, rt)? != Some(true) {
                    for s in other {
                        self.overwrite(*s, Datum::Null, rt);
                    }
                }
            }
        }
        for l in newer {
            if let Some(c) = &l.recheck
                && expr::eval_bool(c, rt)? != Some(true)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
impl Op for LockRows {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.targets.iter().try_for_each(|l| may_write(rt.txn, &l.table, "SELECT FOR UPDATE"))?;
        self.seen.clear();
        self.gather.clear();
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let targets = self.targets.clone();
        'rows: loop {
            self.restore(rt);
            if !self.next_input(rt)? {
                return Ok(false);
            }
            rt.tick()?;
            let mut newer = Vec::new();
            for l in targets.iter() {
                match self.lock(l, rt)? {
                    None => continue 'rows,
                    Some(true) => newer.push(l),
                    Some(false) => {}
                }
            }
            if newer.is_empty() || self.still_holds(&newer, rt)? {
                return Ok(true);
            }
        }
    }
}
