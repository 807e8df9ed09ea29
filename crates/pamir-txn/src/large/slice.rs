//! The operations of a large commit, slice by slice: bottom-up into empty trees, else in runs with before-images, deletions in place.
//!
//! *Invariants*: a slice ends between two operations, so that a job's place (part and byte) says exactly what is applied; a before-image holds what an operation replaces
//! before the operation is on its page; a tree under construction is settled before anybody else changes or copies it.
use super::job::{Bytes, Job, Source};
use crate::applier::{Applier, TOMBSTONE, VALUE_HEADER};
use crate::core::Core;
use crate::purge::Purge;
use crate::record::{self, Op, PART_OPS_AT, Reader, Record};
use pamir_error::{Result, bail};
use pamir_storage::store::{Build, TreeId};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Operations that are looked at together: first what they replace is read, then the before-image is written, then they are applied; so each of the
/// three trees' walks stays at its place.
const RUN: usize = 64;
const _: () = assert!(RUN <= crate::in_place::MOST);
/// Leaves of a tree built bottom-up (2 GiB): what is above them is made in one go.
const BUILD_LEAVES: usize = 1 << 18;

/// Key, value (of a tombstone: where the row lives on), flags.
type Change<'a> = (&'a [u8], &'a [u8], u8);
/// What an operation does to an entry of `tree`; None: it does something else.
fn change(op: Option<Op>, tree: TreeId) -> Option<Change> {
    match op {
        Some(Op::Put(t, k, v)) if t == tree => Some((k, v, 0)),
        Some(Op::Delete(t, k)) if t == tree => Some((k, &[], TOMBSTONE)),
        Some(Op::Move(t, k, to)) if t == tree => Some((k, to, TOMBSTONE)),
        _ => None,
    }
}

/// Of a row that does not live on elsewhere.
fn is_deletion(c: &Change) -> bool {
    c.2 & TOMBSTONE != 0 && c.1.is_empty()
}

/// How much a slice may do.
pub(super) struct Budget {
    pub(super) ops: u64,
    pub(super) bytes: u64,
    pub(super) deadline: Option<Instant>,
}
impl Budget {
    pub(super) const ALL: Budget = Budget { ops: u64::MAX, bytes: u64::MAX, deadline: None };
    fn spent(&self) -> bool {
        self.ops == 0 || self.bytes == 0 || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
    fn take(&mut self, ops: usize, bytes: usize) {
        self.ops = self.ops.saturating_sub(ops as u64);
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}

impl Applier {
    /// Applies operations until the budget is spent; true: that was the last.
    pub(super) fn work(&mut self, core: &Core, job: &mut Job, live: bool, budget: &mut Budget) -> Result<bool> {
        while !budget.spent() {
            let Some(bytes) = self.part_bytes(job)? else {
                self.end_build(job)?;
                return Ok(true);
            };
            let ops = Reader(bytes.get(job.at..).unwrap_or_default());
            let mut rest = ops;
            let Some(op) = record::next_op(&mut rest)? else {
                self.next_part(core, job);
                continue;
            };
            match op {
                Op::CreateTree(t) => {
                    core.next_tree.fetch_max(t.0 + 1, Ordering::Relaxed);
                    if live {
                        core.note_young(t, job.ts);
                        job.created.push(t);
                    }
                    self.writer.create_tree(t)?;
                    budget.take(1, 0);
                }
                Op::DropTree(t) => {
                    job.drops.push(t);
                    budget.take(1, 0);
                }
                Op::Load(..) => return Reader::damaged(),
                Op::Put(crate::MESSAGE_TREE, _, value) => {
                    if live {
                        job.messages.push(value.into());
                    }
                    budget.take(1, value.len());
                }
                Op::Put(tree, ..) | Op::Delete(tree, _) | Op::Move(tree, ..) => {
                    job.catalog |= tree == crate::CATALOG_TREE;
                    if job.tree != Some(tree) {
                        self.end_build(job)?;
                        job.tree = Some(tree);
                        job.build = self.writer.start_build(tree)?;
                        self.large.building = job.build.as_ref().map(|b| b.tree());
                    }
                    let before = ops.0.len();
                    rest = match job.build.take() {
                        Some(b) => self.build_run(job, b, ops, budget)?,
                        None => self.put_run(core, job, tree, ops, live, budget)?,
                    };
                    if rest.0.len() >= before {
                        bail!(INTERNAL_ERROR, "a slice of the large commit {} does not advance", job.ts);
                    }
                }
            }
            job.at = bytes.len() - rest.0.len();
        }
        Ok(false)
    }
    /// The bytes of the part that is worked on; None: it was the last.
    fn part_bytes(&mut self, job: &mut Job) -> Result<Option<Bytes>> {
        if let Some(b) = &job.bytes {
            return Ok(Some(b.clone()));
        }
        let (of, parts) = match &job.source {
            Source::Parts(txn, parts) => (*txn, parts),
            Source::Prepared(cell) => {
                job.bytes = (job.part == 0).then(|| Bytes::Prepared(cell.clone()));
                return Ok(job.bytes.clone());
            }
        };
        let Some(p) = parts.get(job.part) else { return Ok(None) };
        let bytes = match &p.bytes {
            Some(b) => b.clone(),
            None => Arc::new(self.reader.read(p.after, p.end)?),
        };
        match record::read(&bytes)? {
            Record::Part { txn, seq, .. } if txn == of && seq as usize == job.part => {}
            _ => bail!(DATA_CORRUPTED, "the log record that ends at {} is not part {} of {of}", p.end, job.part),
        }
        job.bytes = Some(Bytes::Part(bytes));
        Ok(job.bytes.clone())
    }
    fn next_part(&mut self, core: &Core, job: &mut Job) {
        job.bytes = None;
        if let Source::Parts(_, parts) = &mut job.source
            && let Some(p) = parts.get_mut(job.part)
        {
            core.store.unreserve(std::mem::take(&mut p.pages));
        }
        if let Source::Parts(_, parts) = &mut job.source
            && let Some(b) = parts.get_mut(job.part).and_then(|p| p.bytes.take())
        {
            self.large.cached -= b.len();
        }
        job.part += 1;
        job.at = PART_OPS_AT;
    }
    /// Some puts (and deletes, of what never was) into the tree under construction; returns what follows.
    fn build_run<'a>(
        &mut self,
        job: &mut Job,
        mut b: Build,
        ops: Reader<'a>,
        budget: &mut Budget,
    ) -> Result<Reader<'a>> {
        let tree = b.tree();
        let mut head = [0; VALUE_HEADER];
        head[..8].copy_from_slice(&job.ts.to_le_bytes());
        let mut rest = ops;
        for _ in 0..RUN {
            let mut next = rest;
            let Some((key, value, flags)) = change(record::next_op(&mut next)?, tree) else { break };
            head[8] = flags;
            self.writer.build_more(&mut b, key, [&head, value])?;
            if flags & TOMBSTONE != 0 {
                self.purge_later(job, tree, key);
            }
            rest = next;
            budget.take(1, key.len() + value.len());
            if budget.ops == 0 || budget.bytes == 0 {
                break;
            }
        }
        let full = b.leaves() >= BUILD_LEAVES;
        job.build = Some(b);
        if full {
            self.end_build(job)?;
        }
        Ok(rest)
    }
    /// Some puts and deletes, one by one, into `tree`; returns what follows.
    fn put_run<'a>(
        &mut self,
        core: &Core,
        job: &mut Job,
        tree: TreeId,
        ops: Reader<'a>,
        live: bool,
        budget: &mut Budget,
    ) -> Result<Reader<'a>> {
        let mut run: Vec<Change> = Vec::with_capacity(RUN);
        let mut rest = ops;
        while run.len() < RUN && budget.ops > 0 && budget.bytes > 0 {
            let mut next = rest;
            let Some(c) = change(record::next_op(&mut next)?, tree) else { break };
            budget.take(1, c.0.len() + c.1.len());
            run.push(c);
            rest = next;
        }
        let deletes: Vec<&[u8]> = run.iter().filter(|c| is_deletion(c)).map(|c| c.0).collect();
        let mut in_place = self.delete_in_place(core, job.ts, tree, &deletes, live)?;
        run.retain(|c| {
            let mut done = false;
            if is_deletion(c) {
                done = in_place & 1 != 0;
                in_place >>= 1;
            }
            if done {
                self.purge_later(job, tree, c.0);
            }
            !done
        });
        if live {
            self.keep_before(core, job, tree, &run)?;
        }
        for (key, value, flags) in run {
            self.set_value(job.ts, flags, value);
            self.writer.put(tree, key, &self.value, &mut |_| {})?;
            if flags & TOMBSTONE != 0 {
                self.purge_later(job, tree, key);
            }
        }
        Ok(rest)
    }
    /// Copies what the run is about to replace into the before-image.
    fn keep_before(&mut self, core: &Core, job: &mut Job, tree: TreeId, run: &[Change]) -> Result<()> {
        let mut value = std::mem::take(&mut self.value);
        let mut bytes = Vec::new();
        let mut found: Vec<(&[u8], usize, usize)> = Vec::new();
        for (key, ..) in run {
            // A tombstone as well: a snapshot may be older than the deletion.
            if self.writer.get(tree, key, &mut value)? {
                found.push((key, bytes.len(), bytes.len() + value.len()));
                bytes.extend_from_slice(&value);
            }
        }
        self.value = value;
        if found.is_empty() {
            return Ok(());
        }
        let before = match core.large.before(job.ts, tree).flatten() {
            Some(b) => b,
            None => {
                let b = core.local_tree();
                self.writer.create_tree(b)?;
                job.before.push(b);
                core.large.known.write().entry(job.ts).or_default().insert(tree, b);
                b
            }
        };
        for (key, from, to) in found {
            self.writer.put(before, key, &bytes[from..to], &mut |_| {})?;
            job.before_bytes += (key.len() + to - from) as u64;
        }
        Ok(())
    }
    fn purge_later(&mut self, job: &mut Job, tree: TreeId, key: &[u8]) {
        if self.purge.is_full_with(&job.purge) {
            job.sweeps.insert(tree);
        } else {
            job.purge.push_back(Purge { ts: job.ts, tree, key });
        }
    }
    fn end_build(&mut self, job: &mut Job) -> Result<()> {
        self.large.building = None;
        job.build.take().map_or(Ok(()), |b| self.writer.end_build(b))
    }
    /// Somebody else is about to change the tree under construction, or wants the trees as they are.
    pub(crate) fn settle_build(&mut self) -> Result<()> {
        self.large.building = None;
        let build = self.large.jobs.front_mut().and_then(|j| j.build.take());
        build.map_or(Ok(()), |b| self.writer.end_build(b))
    }
    /// Drops the before-images that no snapshot needs; the oldest snapshots are given up when they are too many. Returns whether there were any.
    pub(crate) fn drop_before_images(&mut self, core: &Core) -> Result<bool> {
        if self.large.retired.is_empty() {
            return Ok(false);
        }
        let kept: u64 = self.large.retired.iter().map(|r| r.2).sum();
        if kept > core.opts.version_disk
            && let Some((ts, ..)) = self.large.retired.front()
            && *ts > core.snapshots.floor()
        {
            core.snapshots.raise_floor(*ts);
            core.stats.snapshots_given_up.fetch_add(1, Ordering::Relaxed);
        }
        let horizon = core.snapshots.horizon();
        let mut did = false;
        while let Some((ts, trees, _)) = self.large.retired.pop_front_if(|r| r.0 <= horizon) {
            core.large.known.write().remove(&ts);
            for t in trees {
                self.writer.drop_tree(t)?;
            }
            did = true;
        }
        Ok(did)
    }
}
