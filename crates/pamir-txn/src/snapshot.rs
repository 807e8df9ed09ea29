//! Snapshots: who reads at which timestamp, and how far back history must be kept.
//!
//! A snapshot is a timestamp: it sees every commit at or below it. While somebody may read through it, it stands in a *slot* of the
//! registry; the *horizon* is the least timestamp in any slot (or `applied_ts` when there is none). Whatever was overwritten or
//! deleted at or below the horizon is seen by nobody any more and may be forgotten: old versions, tombstones, dropped trees.
//!
//! ```text
//!   slots   [ 107 ][ IDLE ][ 103 ][ 107 ][ IDLE ] ...       horizon = 103
//!   history ... 101  102 | 103  104  105  106  107 = applied_ts
//!            forgettable | kept
//! ```
//!
//! # The race, and why it is harmless
//! A reader must not pick a timestamp that the applier has just decided to forget. Both sides fence:
//!
//! ```text
//!   reader                                applier
//!   R1: t := applied_ts                   H1: h := applied_ts
//!   R2: slot := t                         H2: fence(SeqCst)
//!   R3: fence(SeqCst)                     H3: read all slots; horizon = min(h, slots)
//!   R4: if applied_ts != t: back to R1
//! ```
//! The fences R3 and H2 are totally ordered. If R3 is first, H3 reads `t` from the slot (or something newer the same reader stored
//! there later, which is subject to the same argument), so horizon <= t. If H2 is first, R4 reads a value at least as new as H1's
//! `h`, because `applied_ts` only grows; the reader continues only if that value is `t`, so t >= h >= horizon. Either way
//! the snapshot is not below the horizon. Slots are cleared with Release, so the reads made through the snapshot happen before
//! the applier sees it gone.
//!
//! # Too old
//! When old versions take more memory than allowed, the applier raises `floor` *before* it drops them. A reader checks, after each
//! page or chain it read, that its timestamp is not below `floor`; otherwise it fails with 72000. So a stuck reader neither
//! stops writers nor sees a wrong row.
use crate::horizon::{self, IDLE};
use crate::padded::Padded;
use crate::shard::Ts;
use pamir_error::{Result, bail};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, OnceLock, Weak};

/// The first chunk has this many slots, each further one twice as many as the one before.
const FIRST_CHUNK: usize = 64;
const CHUNKS: usize = 24;

/// All registered snapshots of a shard.
pub(crate) struct Registry {
    /// Newest timestamp all of whose commit is in the trees. Written by the applier alone.
    applied: Padded<AtomicU64>,
    /// Snapshots below it can no longer be served.
    floor: Padded<AtomicU64>,
    chunks: [OnceLock<Box<[Padded<AtomicU64>]>>; CHUNKS],
    /// Slots ever used; the horizon looks at no others.
    high: AtomicUsize,
    free: Mutex<Vec<u32>>,
}

impl Registry {
    pub fn new(applied: Ts) -> Registry {
        Registry {
            applied: Padded(AtomicU64::new(applied)),
            floor: Padded(AtomicU64::new(0)),
            chunks: [const { OnceLock::new() }; CHUNKS],
            high: AtomicUsize::new(0),
            free: Mutex::new(Vec::new()),
        }
    }
    #[inline]
    pub fn applied(&self) -> Ts {
        self.applied.load(Ordering::Acquire)
    }
    /// Publishes a commit whose writes are all in the trees.
    pub fn publish(&self, ts: Ts) {
        // A snapshot taken meanwhile would lose what it has seen.
        assert!(ts >= self.applied.load(Ordering::Relaxed), "timestamps are applied in order");
        self.applied.store(ts, Ordering::Release);
    }
    #[inline]
    pub fn floor(&self) -> Ts {
        self.floor.load(Ordering::Acquire)
    }
    /// Gives up all snapshots below `ts`; to be called before the first version they need is dropped.
    pub fn raise_floor(&self, ts: Ts) {
        horizon::raise_floor(&self.floor, ts);
    }
    /// 72000 when history needed by `ts` is gone. To be called after the page or chain was read.
    #[inline]
    pub fn check(&self, ts: Ts) -> Result<()> {
        if horizon::is_served(&self.floor, ts) { Ok(()) } else { too_old() }
    }
    fn slot(&self, n: usize) -> &AtomicU64 {
        // Chunk c holds slots [64 * (2^c - 1), 64 * (2^(c+1) - 1)).
        let c = (n / FIRST_CHUNK + 1).ilog2() as usize;
        let base = FIRST_CHUNK * ((1 << c) - 1);
        let chunk =
            self.chunks[c].get_or_init(|| (0..FIRST_CHUNK << c).map(|_| Padded(AtomicU64::new(IDLE))).collect());
        &chunk[n - base].0
    }
    fn take_slot(&self) -> u32 {
        if let Some(n) = self.free.lock().pop() {
            return n;
        }
        let n = self.high.fetch_add(1, Ordering::SeqCst);
        self.slot(n);
        n as u32
    }
    /// Registers the newest snapshot in `slot`; see the module's text for the argument.
    #[inline]
    fn register(&self, slot: &AtomicU64) -> Ts {
        horizon::register(&self.applied, slot)
    }
    /// Everything overwritten or deleted at or below the result is seen by no snapshot that will still be served.
    pub fn horizon(&self) -> Ts {
        horizon::horizon(&self.applied, &self.floor, || self.high.load(Ordering::SeqCst), |n| self.slot(n))
    }
    /// The newest applied timestamp and, in order, those below it of all snapshots that will still be served. One that is taken from now on is not below the first, by the
    /// argument above: this is the horizon's reading of the slots, with all of them kept.
    pub fn registered_at(&self) -> (Ts, Vec<Ts>) {
        let applied = self.applied.load(Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let floor = self.floor();
        let slots = (0..self.high.load(Ordering::SeqCst)).map(|n| self.slot(n).load(Ordering::Acquire));
        let mut seen: Vec<Ts> = slots.filter(|s| (floor..applied).contains(s)).collect();
        seen.sort_unstable();
        seen.dedup();
        (applied, seen)
    }
    /// About how many transactions have read and not ended yet.
    pub fn pinned(&self) -> usize {
        let free = self.free.lock().len();
        self.high.load(Ordering::Relaxed).saturating_sub(free)
    }
    pub fn registered(&self) -> u64 {
        (0..self.high.load(Ordering::Relaxed)).filter(|n| self.slot(*n).load(Ordering::Relaxed) != IDLE).count() as u64
    }
}

#[cold]
fn too_old() -> Result<()> {
    bail!(SNAPSHOT_TOO_OLD, "snapshot too old")
}

/// A slot in the registry and the timestamp it protects; given back when dropped.
///
/// A transaction keeps its pin from statement to statement. At READ COMMITTED the slot must not hold history between statements, so the last open
/// [`Snapshot`] clears it (`open` falls to 0). A cleared pin is never opened again before `renew`, which needs the only reference.
pub(crate) struct Pin {
    registry: Arc<Registry>,
    slot: u32,
    ts: Ts,
    /// Cleared with its last snapshot, not with the transaction.
    statement_long: bool,
    /// Snapshots that read through it.
    open: AtomicU32,
}
impl Pin {
    pub fn new(registry: &Arc<Registry>, statement_long: bool) -> Pin {
        let slot = registry.take_slot();
        let ts = registry.register(registry.slot(slot as usize));
        Pin { registry: registry.clone(), slot, ts, statement_long, open: AtomicU32::new(0) }
    }
    /// Moves this pin to the newest snapshot; nobody else may hold it.
    #[inline]
    pub fn renew(&mut self) {
        self.ts = self.registry.register(self.registry.slot(self.slot as usize));
    }
    #[inline]
    pub fn ts(&self) -> Ts {
        self.ts
    }
    /// Is history held for it?
    pub fn is_registered(&self) -> bool {
        !self.statement_long || self.open.load(Ordering::Acquire) > 0
    }
}
impl Drop for Pin {
    fn drop(&mut self) {
        horizon::clear(self.registry.slot(self.slot as usize));
        self.registry.free.lock().push(self.slot);
    }
}

/// What a transaction sees, for others to see too, as long as that transaction lasts.
#[derive(Clone)]
pub struct Exported(pub(crate) Weak<Pin>);
impl Exported {
    /// Is there still somebody who holds it?
    pub fn stands(&self) -> bool {
        self.0.strong_count() > 0
    }
    /// Its timestamp; 0 once nobody holds it.
    pub fn number(&self) -> u64 {
        self.0.upgrade().map_or(0, |p| p.ts())
    }
}

/// A registered snapshot: what it sees is kept until the last clone is dropped.
pub struct Snapshot {
    hold: Hold,
    statement: u32,
}
/// What keeps it.
enum Hold {
    Pin(Arc<Pin>),
    /// Elsewhere, for as long as this lives.
    Far(Arc<dyn FarSnapshot>),
}
/// A snapshot that is registered elsewhere, until this is dropped.
pub trait FarSnapshot: Send + Sync {
    /// 0 until the far side has told it, which it does with its first answer to a call that follows [`crate::Transaction::statement`].
    fn ts(&self) -> Ts;
}
impl Snapshot {
    /// Through a pin that is registered: fresh, renewed, or not of the kind that is cleared.
    pub(crate) fn new(pin: Arc<Pin>, statement: u32) -> Snapshot {
        pin.open.fetch_add(1, Ordering::Relaxed);
        Snapshot { hold: Hold::Pin(pin), statement }
    }
    pub fn elsewhere(far: Arc<dyn FarSnapshot>, statement: u32) -> Snapshot {
        Snapshot { hold: Hold::Far(far), statement }
    }
    /// Whether both see the same, of this transaction too.
    #[inline]
    pub(crate) fn same(&self, other: &Snapshot) -> bool {
        let held = match (&self.hold, &other.hold) {
            (Hold::Pin(a), Hold::Pin(b)) => Arc::ptr_eq(a, b),
            (Hold::Far(a), Hold::Far(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        held && self.statement == other.statement
    }
    /// Another one beside those that are open; None when there is none and the pin may be cleared.
    pub(crate) fn beside(pin: &Arc<Pin>, statement: u32) -> Option<Snapshot> {
        let more = |n: u32| if n > 0 { Some(n + 1) } else { None };
        pin.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Snapshot { hold: Hold::Pin(pin.clone()), statement })
    }
    #[inline]
    pub fn ts(&self) -> Ts {
        match &self.hold {
            Hold::Pin(pin) => pin.ts,
            Hold::Far(far) => far.ts(),
        }
    }
    /// The statement that took it: own writes of this and later statements are unseen through it.
    #[inline]
    pub fn statement(&self) -> u32 {
        self.statement
    }
}
impl Clone for Snapshot {
    fn clone(&self) -> Snapshot {
        match &self.hold {
            Hold::Pin(pin) => Snapshot::new(pin.clone(), self.statement),
            Hold::Far(far) => Snapshot::elsewhere(far.clone(), self.statement),
        }
    }
}
impl Drop for Snapshot {
    fn drop(&mut self) {
        let Hold::Pin(pin) = &self.hold else { return };
        // AcqRel: the reads of the other snapshots, dropped before, come before the slot is cleared. The store cannot hit a renewed pin, since we
        // hold a reference until after it.
        if pin.open.fetch_sub(1, Ordering::AcqRel) == 1 && pin.statement_long {
            horizon::clear(pin.registry.slot(pin.slot as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horizon_follows_the_oldest() {
        let r = Arc::new(Registry::new(5));
        assert_eq!(r.horizon(), 5);
        let a = Pin::new(&r, false);
        r.publish(7);
        let b = Pin::new(&r, false);
        r.publish(9);
        assert_eq!((a.ts(), b.ts(), r.horizon()), (5, 7, 5));
        drop(a);
        assert_eq!(r.horizon(), 7);
        r.raise_floor(8);
        assert_eq!(r.horizon(), 9);
        assert_eq!(r.check(b.ts()).unwrap_err().code().as_str(), "72000");
        drop(b);
        assert_eq!(r.registered(), 0);
    }

    #[test]
    fn an_idle_read_committed_transaction_holds_nothing() {
        let r = Arc::new(Registry::new(1));
        let mut pin = Arc::new(Pin::new(&r, true));
        let s = Snapshot::new(pin.clone(), 1);
        r.publish(4);
        assert_eq!(r.horizon(), 1);
        drop(s);
        assert_eq!(r.horizon(), 4);
        Arc::get_mut(&mut pin).unwrap().renew();
        assert_eq!((pin.ts(), r.registered()), (4, 1));
    }

    #[test]
    fn many_slots() {
        let r = Arc::new(Registry::new(3));
        let pins: Vec<Pin> = (0..1000).map(|_| Pin::new(&r, false)).collect();
        r.publish(10);
        assert_eq!((r.horizon(), r.registered()), (3, 1000));
        drop(pins);
        assert_eq!((r.horizon(), r.registered()), (10, 0));
    }

    /// No reader ever holds a timestamp below a horizon that was computed while it was registered.
    #[test]
    fn race_with_the_horizon() {
        let r = Arc::new(Registry::new(1));
        let forgotten = Arc::new(AtomicU64::new(0));
        let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let readers: Vec<_> = (0..2)
            .map(|_| {
                let (r, forgotten, stop) = (r.clone(), forgotten.clone(), stop.clone());
                std::thread::spawn(move || {
                    let mut pin = Pin::new(&r, true);
                    while !stop.load(Ordering::Relaxed) {
                        pin.renew();
                        for _ in 0..20 {
                            assert!(forgotten.load(Ordering::SeqCst) <= pin.ts());
                        }
                    }
                })
            })
            .collect();
        for ts in 2..if cfg!(miri) { 200 } else { 40_000 } {
            r.publish(ts);
            forgotten.fetch_max(r.horizon(), Ordering::SeqCst);
        }
        stop.store(true, Ordering::Relaxed);
        for t in readers {
            t.join().unwrap();
        }
    }
}
