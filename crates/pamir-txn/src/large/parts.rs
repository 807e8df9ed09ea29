//! Parts of a large commit: pushed by the session, kept by the applier until their transaction is decided.
//!
//! A part is one log record without effect. The session never has more than [`PARTS_IN_FLIGHT`] on their way; each is tied to the one before it, so that one that is refused
//! takes those behind it along and leaves no gap. What a part will change in the page file is reserved when it becomes durable: without room the transaction ends there (53100).
//!
//! *Invariant*: the parts kept of a transaction are numbered from 0 without a gap. Limits: 2^32 parts a transaction.
use crate::applier::Applier;
use crate::commit::{After, Pending};
use crate::core::Core;
use crate::local::each_op;
use crate::lock::Owner;
use crate::record::{self, Op, Reader, Record};
use crate::reign::ReignNumber;
use crate::txn::LocalTxn;
use pamir_error::{Result, bail};
use pamir_storage::log::Lsn;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Parts of one commit between the session and the applier.
pub const PARTS_IN_FLIGHT: usize = 4;
/// A large commit has at least so many parts.
const PARTS_AT_LEAST: u64 = 4;

/// Writes the transaction's changes to the log as parts, and waits until they are durable; returns how many. After an error they are forgotten.
pub(crate) fn push_parts(core: &Core, txn: &LocalTxn) -> Result<u32> {
    let size = (core.opts.large_commit_bytes / PARTS_AT_LEAST).max(1) as usize;
    let mut w = Parts {
        core,
        txn: txn.id(),
        reign: txn.owner.reign(),
        size,
        seq: 0,
        record: Vec::new(),
        flying: VecDeque::new(),
    };
    let written = each_op(txn, false, &mut |op| w.add(op)).and_then(|()| w.push());
    let landed = w.land(0);
    match written.and(landed) {
        Ok(()) => Ok(w.seq),
        Err(e) => {
            forget_parts(core, txn);
            Err(e)
        }
    }
}
/// No CommitParts will follow. All parts have landed.
pub(crate) fn forget_parts(core: &Core, txn: &LocalTxn) {
    core.applier.lock().drop_parts(core, txn.id());
    if core.replica.is_some() {
        // Others keep them, and their logs for them. Where this finds no place another node leads, and the parts are void.
        let owner = Arc::new(Owner::of_transaction(0, false, txn.owner.reign()));
        let _ = core.push(Pending::new(record::forget(txn.id()), &owner, After::Part));
    }
}
struct Parts<'a> {
    core: &'a Core,
    txn: u64,
    reign: ReignNumber,
    size: usize,
    seq: u32,
    record: Vec<u8>,
    flying: VecDeque<Arc<Owner>>,
}
impl Parts<'_> {
    fn add(&mut self, op: Op) -> Result<()> {
        if self.record.is_empty() {
            self.record = record::part_header(self.txn, self.seq, self.size);
        }
        record::push_op(&mut self.record, op);
        if self.record.len() >= self.size { self.push() } else { Ok(()) }
    }
    fn push(&mut self) -> Result<()> {
        if self.record.is_empty() {
            return Ok(());
        }
        self.land(PARTS_IN_FLIGHT - 1)?;
        let owner = Arc::new(Owner::of_transaction(0, false, self.reign));
        if let Some(last) = self.flying.back() {
            // Refused meanwhile, it must not leave a gap in the log.
            owner.tie_to(last);
        }
        self.core.push(Pending::new(std::mem::take(&mut self.record), &owner, After::Part))?;
        self.flying.push_back(owner);
        self.seq = match self.seq.checked_add(1) {
            Some(n) => n,
            None => bail!(PROGRAM_LIMIT_EXCEEDED, "a transaction's changes take more than {} log records", u32::MAX),
        };
        Ok(())
    }
    /// Waits until at most `n` parts are on their way; all of them, after an error.
    fn land(&mut self, n: usize) -> Result<()> {
        let mut first = Ok(());
        while self.flying.len() > if first.is_ok() { n } else { 0 } {
            let Some(owner) = self.flying.pop_front() else { break };
            if let Err(e) = self.core.await_outcome(&owner) {
                // Nothing is in doubt: without its last record the commit does not exist.
                first = first.and(Err(self.core.failure().unwrap_or(e)));
            }
        }
        first
    }
}

/// Where a part lies in the log (see [`pamir_storage::log::LogReader::read`]), and its bytes while there is room for them.
#[derive(Clone)]
pub(crate) struct PartRef {
    pub(super) after: Lsn,
    pub(super) end: Lsn,
    pub(super) bytes: Option<Arc<Vec<u8>>>,
    /// Reserved in the page file for what it will change.
    pub(super) pages: u64,
    /// Changes and bytes of this part and those before it.
    pub(super) so_far: (u64, u64),
}

impl Applier {
    /// A part is durable, and was counted as so many changes and bytes; or it is replayed. It begins after what was applied so far.
    pub(crate) fn keep_part(
        &mut self,
        core: &Core,
        record: impl AsRef<[u8]> + Into<Vec<u8>>,
        end: Lsn,
        changes: Option<(u64, u64)>,
    ) -> Result<()> {
        let live = changes.is_some();
        let Record::Part { txn, seq, .. } = record::read(record.as_ref())? else { return Reader::damaged() };
        core.next_txn.fetch_max(txn.saturating_add(1), Ordering::Relaxed);
        let parts = self.large.undecided.entry(txn).or_default();
        if live && self.large.refused.contains(&txn) {
            self.applied_lsn = end;
            return Err(core.refusal());
        }
        if parts.len() != seq as usize && !live {
            // Of a commit that was given up; one that was not will miss it.
            self.applied_lsn = end;
            return Ok(());
        }
        if parts.len() != seq as usize {
            bail!(DATA_CORRUPTED, "part {seq} of transaction {txn} stands in the log after {} others", parts.len());
        }
        let len = record.as_ref().len();
        // The batch's reservation ends with the batch; a part needs one of its own until it is applied, and without room for it the commit ends here (53100).
        // Many parts may touch the same leaves: what is reserved grows with the whole, not with the sum of its parts.
        let before = parts.last().map_or((0, 0), |p| p.so_far);
        let (ops, size) = changes.unwrap_or_default();
        let so_far = (before.0 + ops, before.1 + size);
        let reserved = if live { core.store.reserve_more(before, so_far) } else { Ok(0) };
        let pages = match reserved {
            Ok(pages) => pages,
            Err(e) => {
                // The parts that are on their way behind it share its fate.
                *core.refusal.lock() = Some(e.clone());
                self.large.refused.insert(txn);
                self.applied_lsn = end;
                return Err(e);
            }
        };
        let room = (self.large.cached + len) as u64 <= core.opts.part_cache;
        // Recovery drops most of what it replays; it reads what it needs.
        let bytes = (live && room).then(|| Arc::new(record.into()));
        if bytes.is_some() {
            self.large.cached += len;
        }
        parts.push(PartRef { after: self.applied_lsn, end, bytes, pages, so_far });
        self.applied_lsn = end;
        Ok(())
    }
    /// No transaction that has parts will be committed.
    pub(crate) fn drop_all_parts(&mut self, core: &Core) {
        let all: Vec<u64> = self.large.undecided.keys().copied().collect();
        all.into_iter().for_each(|t| self.drop_parts(core, t));
    }
    /// Parts of a transaction that will not be committed.
    pub(crate) fn drop_parts(&mut self, core: &Core, txn: u64) {
        self.large.refused.remove(&txn);
        for p in self.large.undecided.remove(&txn).into_iter().flatten() {
            core.store.unreserve(p.pages);
            self.large.cached -= p.bytes.map_or(0, |b| b.len());
        }
    }
}
