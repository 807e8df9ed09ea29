//! Large commits in a checkpoint's meta:
//!
//! ```text
//!   n v, (txn u64, parts)...                                   undecided
//!   n v, (ts u64, txn u64, part v, byte v, parts)...           decided and not finished
//!   n v, (ts u64, byte v, gid bytes)...                        prepared, committed and not finished
//!   parts := n v, (after v, end v)...                          positions in the log
//! ```
//! *Invariant*: what the meta names of the log is kept: [`Applier::first_part`] is told to the checkpoint.
use super::job::{Job, Source};
use super::parts::PartRef;
use crate::applier::Applier;
use crate::core::Core;
use crate::record::{Reader, put_bytes, put_varint};
use crate::shard::Ts;
use pamir_error::Result;
use pamir_storage::log::Lsn;
use pamir_storage::store::TreeId;

impl Applier {
    /// Trees that are of no use after a restart, with the timestamps at which they go.
    pub(crate) fn leftover_before_images(&self) -> Vec<(Ts, TreeId)> {
        let retired = self.large.retired.iter().flat_map(|(ts, trees, _)| trees.iter().map(|t| (*ts, *t)));
        let jobs = self.large.jobs.iter().flat_map(|j| j.before.iter().map(|t| (j.ts, *t)));
        retired.chain(jobs).collect()
    }
    /// The log must be kept from here on; None: not because of large commits.
    pub(crate) fn first_part(&self) -> Option<Lsn> {
        let undecided = self.large.undecided.values().filter_map(|p| p.first());
        let jobs = self.large.jobs.iter().filter_map(|j| match &j.source {
            Source::Parts(_, parts) => parts.get(j.part),
            Source::Prepared(_) => None,
        });
        undecided.chain(jobs).map(|p| p.after).min()
    }
    pub(crate) fn write_large(&self, out: &mut Vec<u8>) {
        let parts = |out: &mut Vec<u8>, parts: &[PartRef]| {
            put_varint(out, parts.len() as u64);
            for p in parts {
                put_varint(out, p.after);
                put_varint(out, p.end);
            }
        };
        put_varint(out, self.large.undecided.len() as u64);
        for (txn, p) in &self.large.undecided {
            out.extend_from_slice(&txn.to_le_bytes());
            parts(out, p);
        }
        let (mut of_parts, mut of_prepared) = (Vec::new(), Vec::new());
        for j in &self.large.jobs {
            match &j.source {
                Source::Parts(txn, parts) => of_parts.push((j, *txn, parts)),
                // All done: its bytes are over.
                Source::Prepared(c) => of_prepared.push((j, if j.part > 0 { c.body.ops.len() } else { j.at }, c)),
            }
        }
        put_varint(out, of_parts.len() as u64);
        for (j, txn, p) in of_parts {
            out.extend_from_slice(&j.ts.to_le_bytes());
            out.extend_from_slice(&txn.to_le_bytes());
            put_varint(out, j.part as u64);
            put_varint(out, j.at as u64);
            parts(out, p);
        }
        put_varint(out, of_prepared.len() as u64);
        for (j, at, cell) in of_prepared {
            out.extend_from_slice(&j.ts.to_le_bytes());
            put_varint(out, at as u64);
            put_bytes(out, cell.body.gid.as_bytes());
        }
    }
    pub(crate) fn read_large(&mut self, core: &Core, r: &mut Reader) -> Result<()> {
        let parts = |r: &mut Reader| -> Result<Vec<PartRef>> {
            let mut parts = Vec::new();
            for _ in 0..r.varint()? {
                parts.push(PartRef { after: r.varint()?, end: r.varint()?, bytes: None, pages: 0, so_far: (0, 0) });
            }
            Ok(parts)
        };
        for _ in 0..r.varint()? {
            let txn = r.u64()?;
            self.large.undecided.insert(txn, parts(r)?);
        }
        for _ in 0..r.varint()? {
            let (ts, txn, part, at) = (r.u64()?, r.u64()?, r.varint()? as usize, r.varint()? as usize);
            self.large.jobs.push_back(Job { part, at, ..Job::new(ts, Source::Parts(txn, parts(r)?)) });
        }
        for _ in 0..r.varint()? {
            let (ts, at, gid) = (r.u64()?, r.varint()? as usize, r.string()?);
            let Some(cell) = core.prepared.lock().get(&gid).cloned() else { return Reader::damaged() };
            self.large.jobs.push_back(Job { at, ..Job::new(ts, Source::Prepared(cell)) });
        }
        Ok(())
    }
}
