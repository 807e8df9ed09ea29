//! What became of a transaction, for who has lost sight of it: a client whose COMMIT was answered with 08007, a node whose line to the leader broke while it waited.
//!
//! ```text
//!   transaction id (a replica's)  :=  term of the leadership, 23 bits | number in it, 40 bits
//!
//!   kept      floor ···[ chunk ][ chunk ]  [ chunk ]···      a bit for each id that is committed, 2^16 ids a chunk; set by the applier, on every replica
//!   open      seats of a few threads each: the transactions that may still ask for a commit
//!
//!   outcome(id)   its bit is set                      committed (if it is large and not visible yet: in progress)
//!                 it is prepared                      prepared
//!                 id < first of this leadership       below the floor: unknown; else aborted
//!                 it is open                          in progress
//!                 else: an empty record goes through the log; then its bit is set, or it is aborted
//! ```
//! - **The id is the token.** Commit records carry it as it is, so a commit is not a byte longer. No two transactions of a group have the same one: a term has one leader, and its ids begin with the term's number ([`first_of_term`]).
//! - **"aborted" is said only where no commit with this id can come any more.** Of an earlier leadership: whoever leads has applied an entry of its own term, and with it everything that terms before have brought
//!   into the log; records get their place under the reign that their transaction belongs to (`reign.rs`), so nothing of it comes later. Of this leadership: a transaction leaves the open ones after its record has its place in
//!   the queue, and the empty record that the question pushes comes behind all that has one. If the leadership ends meanwhile, nothing is said.
//! - **Ids are given under the lock of the seat where they are noted**, so one that was given before the question is found. A transaction that tells SQL its number gets a new id then (`told.rs`), under the same lock.
//!
//! Invariants: a bit once set stays until its chunk is forgotten; what is forgotten is unknown, never aborted; an id is given after its reign was looked at, so one that may commit in a reign is at or above its first.
//!
//! Limits: the newest [`MOST_CHUNKS`] chunks, 16 million ids in 2 MiB, are kept in memory and in checkpoints (and so come to new replicas with the snapshot); that is about three minutes at a hundred thousand transactions a second. A shard with a log of its own keeps nothing, and pays nothing: it answers "unknown".
use crate::commit::{After, Pending};
use crate::core::Core;
use crate::lock::Owner;
use crate::record::{self, Reader, put_bytes, put_varint};
use crate::reign::{self, ReignNumber};
use crate::shard::{Shard, Ts};
use pamir_error::Result;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Chunks that are kept.
pub const MOST_CHUNKS: usize = 256;
/// Ids of a chunk, as a power of two.
const CHUNK_BITS: u32 = 16;
const WORDS: usize = 1 << (CHUNK_BITS - 6);
/// Numbers of a leadership's transactions, as a power of two,
const NUMBER_BITS: u32 = 40;
/// and the last term that has ids of its own: SQL counts them in signed numbers.
const LAST_TERM: u64 = (1 << (63 - NUMBER_BITS)) - 1;
/// Threads beyond these share seats.
const SEATS: usize = 16;

/// What became of a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Committed,
    /// It has left no trace, and never will.
    Aborted,
    /// PREPARE TRANSACTION is done, its end is to come.
    Prepared,
    InProgress,
    /// It was too long ago, or there was no such transaction yet.
    Unknown,
}
impl Outcome {
    pub const ALL: [Outcome; 5] =
        [Outcome::Committed, Outcome::Aborted, Outcome::Prepared, Outcome::InProgress, Outcome::Unknown];
    /// As `pamir_catalog.transaction_outcome` says it.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Committed => "committed",
            Outcome::Aborted => "aborted",
            Outcome::Prepared | Outcome::InProgress => "in progress",
            Outcome::Unknown => "unknown",
        }
    }
}

/// The first id of a term's transactions.
pub(crate) fn first_of_term(term: u64) -> u64 {
    term.min(LAST_TERM) << NUMBER_BITS
}

/// Where a transaction is noted as open.
pub(crate) type Seat = u8;
fn seat() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed) % SEATS);
    }
    OWN.get()
}

type Chunk = Box<[u64; WORDS]>;
/// Ids that are committed.
#[derive(Default)]
struct Kept {
    chunks: BTreeMap<u64, Chunk>,
    /// Of ids below, only that they are committed is known, if anything is.
    floor: u64,
    /// Those that are visible from this timestamp on.
    large: Vec<(Ts, u64)>,
}
impl Kept {
    fn set(&mut self, id: u64) {
        let chunk = id >> CHUNK_BITS;
        if chunk < self.floor >> CHUNK_BITS {
            return;
        }
        let words = self.chunks.entry(chunk).or_insert_with(|| Box::new([0; WORDS]));
        let bit = id as usize % (1 << CHUNK_BITS);
        if let Some(w) = words.get_mut(bit / 64) {
            *w |= 1 << (bit % 64);
        }
        if self.chunks.len() > MOST_CHUNKS
            && let Some((oldest, _)) = self.chunks.pop_first()
        {
            self.floor = self.floor.max((oldest + 1) << CHUNK_BITS);
        }
    }
    fn has(&self, id: u64) -> bool {
        let bit = id as usize % (1 << CHUNK_BITS);
        let word = self.chunks.get(&(id >> CHUNK_BITS)).and_then(|c| c.get(bit / 64));
        word.is_some_and(|w| w >> (bit % 64) & 1 != 0)
    }
}

/// What a shard knows of outcomes.
#[derive(Default)]
pub(crate) struct Outcomes {
    kept: Mutex<Kept>,
    open: [Mutex<FxHashSet<u64>>; SEATS],
    /// The first id of this leadership.
    first: AtomicU64,
}
impl Outcomes {
    /// A transaction begins: its id, and where it is noted.
    pub fn begin(&self, next: &AtomicU64) -> (u64, Seat) {
        let seat = seat();
        let mut open = self.open[seat].lock();
        let id = next.fetch_add(1, Ordering::Relaxed);
        open.insert(id);
        (id, seat as Seat)
    }
    /// It has its place in the queue, or will never ask for one.
    pub fn end(&self, id: u64, seat: Seat) {
        if let Some(open) = self.open.get(usize::from(seat)) {
            open.lock().remove(&id);
        }
    }
    /// One that is open gets another id, by `next`.
    pub fn renumber(&self, id: u64, seat: Seat, next: impl FnOnce() -> u64) -> u64 {
        let Some(open) = self.open.get(usize::from(seat)) else { return id };
        let mut open = open.lock();
        let new = next();
        open.remove(&id);
        open.insert(new);
        new
    }
    /// Those that are decided, and visible only from a timestamp above `applied` on.
    pub fn hidden(&self, applied: Ts) -> Vec<(u64, Ts)> {
        self.kept.lock().large.iter().filter(|l| l.0 > applied).map(|l| (l.1, l.0)).collect()
    }
    fn is_open(&self, id: u64) -> bool {
        self.open.iter().any(|o| o.lock().contains(&id))
    }
    /// Is there an open transaction of this leadership?
    pub fn any_open(&self) -> bool {
        let first = self.first.load(Ordering::SeqCst);
        self.open.iter().any(|o| o.lock().iter().any(|id| *id >= first))
    }
    /// The ids of the leadership that begins now are from here on.
    pub fn begin_reign(&self, first: u64) {
        self.first.store(first, Ordering::SeqCst);
    }
    /// A transaction's commit is applied, and visible.
    pub fn committed(&self, id: u64) {
        self.kept.lock().set(id);
    }
    /// It is decided, and visible from `ts` on.
    pub fn decided(&self, id: u64, ts: Ts, applied: Ts) {
        let mut kept = self.kept.lock();
        kept.set(id);
        kept.large.retain(|l| l.0 > applied);
        kept.large.push((ts, id));
    }
    /// Nothing is known of ids below.
    pub fn know_from(&self, floor: u64) {
        let mut kept = self.kept.lock();
        kept.floor = kept.floor.max(floor);
    }
    /// What is certain of `id` by what was applied alone.
    fn known(&self, id: u64, applied: Ts) -> Option<Outcome> {
        let kept = self.kept.lock();
        let hidden = || kept.large.iter().any(|l| l.1 == id && l.0 > applied);
        kept.has(id).then(|| if hidden() { Outcome::InProgress } else { Outcome::Committed })
    }
    /// Of an id whose commit is not there and cannot come.
    fn absent(&self, id: u64) -> Outcome {
        if id < self.kept.lock().floor { Outcome::Unknown } else { Outcome::Aborted }
    }

    // ---- in a checkpoint: floor u64, n v, (chunk v, bytes)...; the bytes are the bits, or two for each id that is set if they are fewer ----
    pub fn write(&self, out: &mut Vec<u8>) {
        let kept = self.kept.lock();
        out.extend_from_slice(&kept.floor.to_le_bytes());
        put_varint(out, kept.chunks.len() as u64);
        for (chunk, words) in &kept.chunks {
            put_varint(out, *chunk);
            let set: u32 = words.iter().map(|w| w.count_ones()).sum();
            let bytes: Vec<u8> = match (set as usize) < WORDS * 8 / 2 {
                true => (0..=u16::MAX)
                    .filter(|bit| words.get(usize::from(*bit) / 64).is_some_and(|w| w >> (bit % 64) & 1 != 0))
                    .flat_map(u16::to_le_bytes)
                    .collect(),
                false => words.iter().flat_map(|w| w.to_le_bytes()).collect(),
            };
            put_bytes(out, &bytes);
        }
    }
    pub fn read(&self, r: &mut Reader) -> Result<()> {
        let mut kept = Kept { floor: r.u64()?, ..Kept::default() };
        for _ in 0..r.varint()? {
            let (chunk, bytes) = (r.varint()?, r.bytes()?);
            if chunk > u64::MAX >> CHUNK_BITS || kept.chunks.len() >= MOST_CHUNKS {
                return Reader::damaged();
            }
            let words = kept.chunks.entry(chunk).or_insert_with(|| Box::new([0; WORDS]));
            if bytes.len() == WORDS * 8 {
                for (w, b) in words.iter_mut().zip(bytes.chunks_exact(8)) {
                    *w = u64::from_le_bytes(b.try_into().unwrap_or_default());
                }
                continue;
            }
            for b in bytes.chunks_exact(2) {
                let bit = usize::from(u16::from_le_bytes(b.try_into().unwrap_or_default()));
                if let Some(w) = words.get_mut(bit / 64) {
                    *w |= 1 << (bit % 64);
                }
            }
        }
        *self.kept.lock() = kept;
        Ok(())
    }
}

impl Core {
    /// The commit of a transaction is applied.
    #[inline]
    pub fn note_commit(&self, id: u64) {
        if let Some(o) = &self.outcomes {
            o.committed(id);
        }
    }
    #[inline]
    pub fn note_decided(&self, id: u64, ts: Ts) {
        self.told.committed(self, id, ts);
        if let Some(o) = &self.outcomes {
            o.decided(id, ts, self.snapshots.applied());
        }
    }
    /// Waits until everything that has a place in the queue of this reign is applied. An error: nothing is known.
    fn pass_through(&self, reign: ReignNumber) -> Result<()> {
        let owner = Arc::new(Owner::of_transaction(0, false, reign));
        self.push(Pending::new(record::empty(), &owner, After::Part))?;
        self.await_outcome(&owner).map(drop)
    }
    fn is_prepared(&self, id: u64) -> bool {
        self.prepared.lock().values().any(|c| c.body.txn == id && c.ready.load(Ordering::Acquire))
    }
}
impl Shard {
    /// What became of the transaction `id`, and a timestamp whose snapshots see it if it is committed. Asked of the leader; at one that leads no longer (40001) nothing is said. Waits for the log if the transaction is of this leadership.
    pub fn outcome(&self, id: u64) -> Result<(Outcome, Ts)> {
        let core = &*self.core;
        let Some(o) = &core.outcomes else {
            let prepared = core.is_prepared(id);
            return Ok((if prepared { Outcome::Prepared } else { Outcome::Unknown }, core.snapshots.applied()));
        };
        let reign = core.reign.now();
        // What has its place before the first look is applied before the last one.
        let seen = || {
            let prepared = core.is_prepared(id);
            o.known(id, core.snapshots.applied()).or(prepared.then_some(Outcome::Prepared))
        };
        let said = match seen() {
            Some(known) => known,
            None if core.replica.is_some() && !reign::is_led(reign) => return Err(reign::over()),
            None if id >= core.next_txn.load(Ordering::SeqCst) => Outcome::Unknown,
            None if id < o.first.load(Ordering::SeqCst) => {
                // Everything before this leadership is applied; and it is still this one whose first id that was.
                if core.reign.still(reign) { seen().unwrap_or_else(|| o.absent(id)) } else { Outcome::InProgress }
            }
            None if o.is_open(id) => Outcome::InProgress,
            None => match core.pass_through(reign) {
                Ok(()) => seen().unwrap_or_else(|| o.absent(id)),
                Err(_) => Outcome::InProgress,
            },
        };
        Ok((said, core.snapshots.applied()))
    }
    /// Nothing is open, and nothing waits for a place in the log: the leadership may go without an error for anybody. (Sessions' reads of what every replica has are not asked.)
    pub fn is_quiet(&self) -> bool {
        let open = self.core.outcomes.as_ref().is_some_and(Outcomes::any_open);
        !open && self.core.queue.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancel, Isolation, ShardOptions};
    use pamir_storage::disk::sim::SimDisk;

    fn options() -> ShardOptions {
        ShardOptions { io_threads: 0, cache_size: 8 << 20, outcomes: true, ..ShardOptions::default() }
    }

    #[test]
    fn ids_are_kept_and_forgotten() {
        let o = Outcomes::default();
        let ids: Vec<u64> = (0..70_000).step_by(3).chain([1 << 40, (1 << 40) + 65_536]).collect();
        ids.iter().for_each(|id| o.committed(*id));
        let mut bytes = Vec::new();
        o.write(&mut bytes);
        let again = Outcomes::default();
        again.read(&mut Reader(&bytes)).unwrap();
        for id in (0..70_000).chain([1 << 40, (1 << 40) + 1]) {
            let want = ids.contains(&id).then_some(Outcome::Committed);
            assert_eq!((o.known(id, 1), again.known(id, 1)), (want, want), "{id}");
            assert_eq!(again.absent(id), Outcome::Aborted);
        }
        (0..bytes.len()).for_each(|cut| assert!(again.read(&mut Reader(&bytes[..cut])).is_err(), "{cut}"));
        // The oldest chunks go, and nothing is said of them from then on.
        let base = 1u64 << 41;
        (0..MOST_CHUNKS as u64).for_each(|c| o.committed(base + (c << CHUNK_BITS)));
        assert_eq!(o.known(3, 1), None);
        assert_eq!((o.absent(4), o.absent(base - 1)), (Outcome::Unknown, Outcome::Aborted));
        assert_eq!(o.known(base, 1), Some(Outcome::Committed));
        o.committed(5);
        assert_eq!(o.known(5, 1), None);
        o.decided(base + 1, 50, 10);
        assert_eq!(
            (o.known(base + 1, 49), o.known(base + 1, 50)),
            (Some(Outcome::InProgress), Some(Outcome::Committed))
        );
    }

    #[test]
    fn what_became_of_transactions() {
        let disk = Arc::new(SimDisk::new(1));
        let s = Shard::open_stepped(disk.clone(), options()).unwrap();
        let begin = |s: &Shard| s.begin(Isolation::ReadCommitted, false, Arc::<Cancel>::default());
        let of = |s: &Shard, id| s.outcome(id).unwrap().0;
        let t = begin(&s);
        let tree = t.create_tree().unwrap();
        let made = t.id();
        assert_eq!(of(&s, made), Outcome::InProgress);
        t.commit().unwrap();
        let (gone, open, queued, ready) = (begin(&s), begin(&s), begin(&s), begin(&s));
        let ids = [gone.id(), open.id(), queued.id(), ready.id()];
        for (i, t) in [&gone, &open, &queued, &ready].into_iter().enumerate() {
            t.put(tree, &[i as u8], b"").unwrap();
        }
        gone.rollback();
        ready.prepare("g", "o", "d").unwrap();
        queued.submit().unwrap();
        assert_eq!(
            ids.map(|id| of(&s, id)),
            [Outcome::Aborted, Outcome::InProgress, Outcome::Committed, Outcome::Prepared]
        );
        assert_eq!((of(&s, made), of(&s, ids[3] + 1)), (Outcome::Committed, Outcome::Unknown));
        assert!(!s.is_quiet());
        drop(open);
        assert!(s.is_quiet());
        s.commit_prepared("g").unwrap();
        assert_eq!(of(&s, ids[3]), Outcome::Committed);
        // What the log still has is known after a start.
        drop(s);
        let s = Shard::open_stepped(disk, options()).unwrap();
        assert_eq!(of(&s, ids[2]), Outcome::Committed);
        assert_ne!(of(&s, ids[1]), Outcome::Committed);
    }
}
