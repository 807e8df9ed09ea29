//! MERGE: each row of the source, with the target's row where there is one, goes to the first action whose condition holds.
//!
//! ```text
//!   row ── target row? ── no ───────────────────────────────► NOT MATCHED: insert, or nothing
//!              │ yes                                               ▲
//!          MATCHED: an action? ─ lock ─ as it was read: act        │ gone, or ON does not hold any more
//!              ▲                  └─── newer (READ COMMITTED) ─────┤
//!              └──────────────────────── ON still holds ───────────┘
//! ```
//! A row is locked for the action that was chosen; a newer version is asked all conditions again. What this statement has changed or inserted once cannot be changed
//! again (21000). Rows go one by one: nothing is asked for ahead.
use super::*;
use pamir_expr::plan::node::{MergeKind, MergeSpec};

impl ModifyOp {
    pub(super) fn merge_all(&mut self, rt: &mut Rt, checks: &mut Checks) -> Result<u64> {
        let spec = self.spec.clone();
        let ModifyKind::Merge { key, old_cols, whens, .. } = &spec.op else { return Ok(0) };
        let (mut buf, mut n) = (WriteBuf::default(), 0);
        while self.input.next(rt)? {
            rt.tick()?;
            rt.st.set_row += 1;
            let matched = match rt.get(*key).clone() {
                Datum::Bytea(row) => {
                    // Newer versions take its place in the slots: a join below goes on with the row that it left there.
                    let read = save_cols(old_cols, rt);
                    let done = self.matched(row, rt, checks, &mut buf)?;
                    restore_cols(read, old_cols, rt);
                    done
                }
                _ => None,
            };
            n += u64::from(match matched {
                Some(changed) => changed,
                None => self.not_matched(whens, rt, checks, &mut buf)?,
            });
        }
        Ok(n)
    }
    /// Some(changed?); None: there is no such row any more.
    fn matched(
        &mut self,
        mut key: Arc<[u8]>,
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<Option<bool>> {
        let spec = self.spec.clone();
        let ModifyKind::Merge { key: key_slot, old_cols, on, whens, .. } = &spec.op else { return Ok(None) };
        let member = spec.members.as_ref().and_then(|m| m.of_row(rt.get(m.slot)));
        let (t, places) = member.map_or((&spec.table, None), |m| (&m.0, Some(&m.1[..])));
        let at = |c: usize| aim::place(places, c);
        let (mut bytes, mut old): (Vec<u8>, Vec<Datum>) = Default::default();
        // The newer version that ON and the conditions were asked of.
        let mut asked = None;
        loop {
            let Some(when) = choose(whens, true, rt)? else { return Ok(Some(false)) };
            let action = &when.action;
            guard::hold(&when.guards.old, rt)?;
            let mode = match action {
                MergeKind::Update(set) => update_lock(t, set.iter().map(|s| at(s.0))),
                MergeKind::Delete => RowLock::Update,
                MergeKind::Nothing | MergeKind::Insert(_) => return Ok(Some(false)),
            };
            rt.txn.lock_row(t.tree(), &key, mode, WaitPolicy::Block)?;
            let newest = newest_target(t, &mut key, mode, WaitPolicy::Block, false, &rt.wx(), &mut bytes)?;
            let Some((state, latest)) = newest else { return Ok(None) };
            if self.mine.is_not(t, &key, &latest, rt) {
                let what = if matches!(action, MergeKind::Delete) { "deleted" } else { "updated" };
                return Err(trigger::changed_meanwhile(what));
            }
            if latest.own && latest.statement >= rt.snapshot.statement() {
                return Err(err!(CARDINALITY_VIOLATION, "MERGE command cannot affect row a second time")
                    .hint("Ensure that not more than one source row matches any one target row."));
            }
            let seen = Seen::new(latest, rt.env);
            match state {
                Target::Skip | Target::Moved => return Ok(None),
                Target::Same => access::decode_row(t, &bytes, &mut old)?,
                Target::Newer => {
                    access::decode_row(t, &bytes, &mut old)?;
                    if asked.replace(latest.ts) != Some(latest.ts) {
                        for (c, s) in old_cols {
                            rt.set(*s, old.get(at(*c)).cloned().unwrap_or(Datum::Null));
                        }
                        if !holds_again(Some(on), *key_slot, rt)? {
                            return Ok(None);
                        }
                        continue;
                    }
                }
            }
            let done = match action {
                MergeKind::Update(set) => {
                    let mut new = old.clone();
                    rt.st.set_row += 1;
                    aim::assign(&mut new, set, places, rt)?;
                    let changed: Vec<usize> = set.iter().map(|s| at(s.0)).collect();
                    let (rows, guards) = ((&old[..], &mut new[..]), &when.guards.new[..]);
                    match self.update_guarded((t, places), &key, seen, rows, &changed, guards, rt, checks, buf)? {
                        Updated::Done => {
                            self.mine.add(t, &buf.key, rt)?;
                            true
                        }
                        Updated::Refused => false,
                        Updated::Elsewhere => self.leave(t, &key, Some(seen), (&old, &new), guards, rt, checks, buf)?,
                    }
                }
                _ => trigger::delete(t, &key, Some(seen), &old, &mut rt.wx(), checks, buf)?,
            };
            self.mine.add(t, &key, rt)?;
            return Ok(Some(done));
        }
    }
    /// Was a row inserted?
    fn not_matched(
        &mut self,
        whens: &[MergeSpec],
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<bool> {
        let Some(when) = choose(whens, false, rt)? else { return Ok(false) };
        let (MergeKind::Insert(values), guards) = (&when.action, &when.guards.new[..]) else { return Ok(false) };
        let t = self.spec.table.clone();
        let mut row = vec![Datum::Null; t.columns.len()];
        assign(&mut row, values, rt)?;
        if t.is_partitioned() {
            let (to, own) = route::place(&t, &row, &mut rt.wx())?;
            let mut row = own.unwrap_or(row);
            if !route::before_insert(&to, &mut row, &mut rt.wx())? {
                return Ok(false);
            }
            let spec = self.spec.clone();
            let places = spec.members.as_ref().and_then(|m| m.get(to.oid)).map(|x| &x.1[..]);
            self.guard_new(&to, places, &mut row, guards, rt)?;
            route::insert_placed(&t, &to, &mut row, &mut rt.wx(), checks, buf)?;
            return self.mine.add(&to, &buf.key, rt).map(|()| true);
        }
        if t.triggers.is_some() && !trigger::before_row(&t, Event::Insert, &[], None, Some(&mut row), &mut rt.wx())? {
            return Ok(false);
        }
        self.guard_new(&t, None, &mut row, guards, rt)?;
        insert_row(&t, &mut row, None, &mut rt.wx(), checks, buf)?;
        self.mine.add(&t, &buf.key, rt)?;
        Ok(true)
    }
}
/// The action of the first WHEN that holds.
fn choose<'w>(whens: &'w [MergeSpec], matched: bool, rt: &mut Rt) -> Result<Option<&'w MergeSpec>> {
    for w in whens.iter().filter(|w| w.matched == matched) {
        let holds = match &w.cond {
            Some(c) => expr::eval_bool(c, rt)? == Some(true),
            None => true,
        };
        if holds {
            return Ok(Some(w));
        }
    }
    Ok(None)
}
