//! Numbers of transactions that SQL was told (`pg_current_xact_id`), and which of them a snapshot sees (`pg_current_snapshot`).
//!
//! A snapshot is a timestamp, which a transaction gets when it commits; numbers are given before that, in another order. What connects the two is noted for the numbers that somebody was told, and for those alone:
//!
//! ```text
//!   begin         id 17, which nobody knows
//!   tell          number 23, the next free one; noted as open
//!   commit        its record has the number; noted as committed at 105, before 105 is published
//!   forget        once no snapshot is below 105, or it was rolled back: what is not noted has ended
//!
//!   at ts         seen(number)  :=  not noted, or noted as committed at or below ts
//!                 xmax = the highest that is seen + 1      xip = those below that are not      xmin = the least of those, the own one included; or xmax
//! ```
//! So who keeps a transaction's number with its rows, and reads those below a snapshot's xmin in their order, misses none: a row with such a number is visible to that snapshot, or never will be.
//!
//! **Writers without a number** run by the id that they began with, which is below every number told since: who waits until xmin is above a number that it was told waits for all that wrote before that, as with
//! PostgreSQL, where writers have numbers. They are found by the tables that they hold, when somebody asks; one that is told a number after it wrote is noted by both.
//!
//! Invariants:
//! - A number is given under the mutex under which it is noted. One below xmax was given before the snapshot was asked for its numbers: it is noted, or has ended. One that is given later is not below it.
//! - A commit is noted before a snapshot can see it, and until no snapshot that is served is below it.
//! - Of a leadership that is over nothing is noted. What can still commit from then is prepared, or decided and not visible: both are noted when the next one begins.
//!
//! Source: "pg_snapshot Components" in PostgreSQL's documentation; GetSnapshotData in its procarray.c.
//!
//! Limits: [`MOST_NOTED`] numbers. Where an old snapshot keeps more of them, those that are visible to new snapshots are forgotten, and old ones are refused their numbers (72000).
use crate::core::Core;
use crate::lock::Owner;
use crate::shard::Ts;
use pamir_error::{Result, bail};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// Numbers that are noted at most, some 12 MiB.
pub const MOST_NOTED: usize = 1 << 18;
/// So few are not worth being looked through.
const FEW: usize = 64;

/// What a snapshot sees, in the numbers that were told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Xids {
    /// Every number below has ended.
    pub xmin: u64,
    /// None from here on has.
    pub xmax: u64,
    /// Those between that have not, in order.
    pub running: Vec<u64>,
}

enum Fate {
    /// Whose owner is gone, or refused, has left no trace.
    Open(Weak<Owner>),
    Committed(Ts),
}
impl Fate {
    fn is_seen_at(&self, ts: Ts) -> bool {
        matches!(self, Fate::Committed(c) if *c <= ts)
    }
    fn has_ended(&self, horizon: Ts) -> bool {
        match self {
            // A prepared one's outcome so far is 1.
            Fate::Open(owner) => {
                owner.upgrade().is_none_or(|o| o.refused() || o.outcome().flatten().is_some_and(|ts| ts > 1))
            }
            Fate::Committed(ts) => *ts <= horizon,
        }
    }
}
#[derive(Default)]
struct Noted {
    all: BTreeMap<u64, Fate>,
    /// The highest that is not noted any more.
    ended: u64,
    /// From so many on they are looked through.
    many: usize,
    /// What snapshots below this see is not known.
    lost: Ts,
    /// Commits that asked in vain.
    vain: usize,
}
impl Noted {
    fn forget(&mut self, horizon: Ts) {
        let Noted { all, ended, .. } = self;
        all.retain(|number, fate| {
            let ended_now = fate.has_ended(horizon);
            if ended_now {
                *ended = (*ended).max(*number);
            }
            !ended_now
        });
        self.many = (2 * self.all.len()).clamp(FEW, MOST_NOTED);
    }
}

#[derive(Default)]
pub(crate) struct Told {
    /// Is any noted? Whoever commits one has noted it, so no lock is needed to see that there is none.
    any: AtomicBool,
    noted: Mutex<Noted>,
}
impl Told {
    /// Forgets what is known: numbers from `first` on are those that are told from now on. What goes on is given: open ones, and those that are visible from a timestamp on.
    pub fn begin(&self, first: u64, open: Vec<(u64, Weak<Owner>)>, decided: Vec<(u64, Ts)>) {
        let mut noted = self.noted.lock();
        let open = open.into_iter().map(|(n, o)| (n, Fate::Open(o)));
        noted.all = open.chain(decided.into_iter().map(|(n, ts)| (n, Fate::Committed(ts)))).collect();
        (noted.ended, noted.many) = (first.saturating_sub(1), FEW);
        self.any.store(!noted.all.is_empty(), Ordering::Relaxed);
    }
    /// Gives `owner` a number and notes it.
    fn tell(&self, core: &Core, owner: &Arc<Owner>, give: impl FnOnce() -> u64) {
        let mut noted = self.noted.lock();
        let number = give();
        if owner.has_written() {
            noted.all.insert(owner.id, Fate::Open(Arc::downgrade(owner)));
        }
        owner.set_number(number);
        noted.all.insert(number, Fate::Open(Arc::downgrade(owner)));
        self.any.store(true, Ordering::Relaxed);
        if noted.all.len() >= noted.many.max(FEW) {
            noted.forget(core.snapshots.horizon());
        }
        if noted.all.len() >= MOST_NOTED {
            noted.lost = core.snapshots.applied();
            let lost = noted.lost;
            noted.forget(lost);
        }
    }
    /// It commits at `ts`, which is not published yet.
    #[inline]
    pub fn committed(&self, core: &Core, number: u64, ts: Ts) {
        if self.any.load(Ordering::Relaxed) {
            self.note(core, number, ts);
        }
    }
    #[cold]
    fn note(&self, core: &Core, number: u64, ts: Ts) {
        let mut noted = self.noted.lock();
        if let Some(fate) = noted.all.get_mut(&number) {
            *fate = Fate::Committed(ts);
            return;
        }
        noted.vain += 1;
        if noted.vain >= FEW {
            // Those that commit without a number need not ask for the sake of some that have ended long ago.
            noted.vain = 0;
            self.forget(&mut noted, core);
        }
    }
    fn forget(&self, noted: &mut Noted, core: &Core) {
        noted.forget(core.snapshots.horizon());
        self.any.store(!noted.all.is_empty(), Ordering::Relaxed);
    }
    /// What a snapshot at `ts` sees, which is registered; `own`: who asks; `untold`: ids of writers without a number, from before.
    fn seen_at(&self, core: &Core, ts: Ts, own: &Owner, untold: Vec<u64>) -> Result<Xids> {
        let mut noted = self.noted.lock();
        if ts < noted.lost {
            bail!(SNAPSHOT_TOO_OLD, "snapshot too old");
        }
        self.forget(&mut noted, core);
        let seen = noted.all.iter().rev().find(|(_, f)| f.is_seen_at(ts)).map_or(0, |n| *n.0);
        let xmax = seen.max(noted.ended) + 1;
        let mut running: Vec<u64> = noted.all.range(..xmax).filter(|(_, f)| !f.is_seen_at(ts)).map(|n| *n.0).collect();
        running.extend(untold.into_iter().filter(|n| *n < xmax));
        running.sort_unstable();
        let xmin = running.first().copied().unwrap_or(xmax);
        running.retain(|n| ![own.id, own.number()].contains(n));
        Ok(Xids { xmin, xmax, running })
    }
}

impl Core {
    /// A leadership begins, or a shard of its own: the numbers from now on begin with `first`.
    pub fn begin_told(&self, first: u64) {
        let open = self.prepared.lock().values().map(|c| (c.body.txn, Arc::downgrade(&c.owner))).collect();
        let decided = self.outcomes.as_ref().map(|o| o.hidden(self.snapshots.applied())).unwrap_or_default();
        self.told.begin(first, open, decided);
    }
    /// The transaction's number for SQL, from now on: of those given so far the highest.
    pub fn tell(&self, owner: &Arc<Owner>, give: impl FnOnce() -> u64) -> u64 {
        if !owner.is_told() {
            self.told.tell(self, owner, give);
        }
        owner.number()
    }
    pub fn xids(&self, ts: Ts, own: &Owner) -> Result<Xids> {
        // Looked for first: who is told a number meanwhile is noted when that is looked at.
        let untold = self.locks.untold_writers();
        self.told.seen_at(self, ts, own, untold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::{Isolation, Shard, ShardOptions};
    use crate::txn::LocalTxn;
    use crate::{Cancel, Dir};
    use pamir_storage::disk::sim::SimDisk;
    use pamir_storage::store::TreeId;
    use std::time::{Duration, Instant};

    fn options() -> ShardOptions {
        ShardOptions { io_threads: 0, cache_size: 8 << 20, ..ShardOptions::default() }
    }
    fn begin(s: &Shard, iso: Isolation) -> LocalTxn {
        s.begin(iso, false, Arc::<Cancel>::default())
    }
    fn sees(x: &Xids, number: u64) -> bool {
        number < x.xmin || number < x.xmax && !x.running.contains(&number)
    }
    fn put(t: &LocalTxn, tree: TreeId, number: u64) {
        t.put(tree, &number.to_be_bytes(), b"").unwrap();
    }

    #[test]
    fn numbers_rise_as_they_are_told() {
        let s = Shard::open_stepped(Arc::new(SimDisk::new(1)), options()).unwrap();
        let make = begin(&s, Isolation::ReadCommitted);
        let tree = make.create_tree().unwrap();
        make.commit().unwrap();
        let look = || {
            let t = begin(&s, Isolation::RepeatableRead);
            t.statement();
            t
        };
        let (a, b, c, old) = (begin(&s, Isolation::ReadCommitted), look(), look(), look());
        assert!(!a.is_told());
        // The last to begin is told first.
        let (nc, nb, na) = (c.tell().unwrap(), b.tell().unwrap(), a.tell().unwrap());
        assert!(nc < nb && nb < na && a.is_told() && a.tell().unwrap() == na && a.id() == na);
        // Nobody has ended: all are at xmax or above it.
        assert!(old.xids().unwrap().xmax <= nc);
        put(&b, tree, nb);
        b.commit().unwrap();
        let new = look();
        let seen = new.xids().unwrap();
        assert_eq!(seen, Xids { xmin: nc, xmax: nb + 1, running: vec![nc] });
        assert_eq!([nc, nb, na].map(|n| sees(&seen, n)), [false, true, false]);
        // An older snapshot does not see it, and says the same as before; one that rolls back is not waited for.
        assert_eq!([nc, nb, na].map(|n| sees(&old.xids().unwrap(), n)), [false; 3]);
        drop(c);
        assert_eq!(look().xids().unwrap(), Xids { xmin: nb + 1, xmax: nb + 1, running: vec![] });
        assert_eq!(new.xids().unwrap(), seen);
        // Its own number is not among those that run, and counts for the least.
        let first = look();
        let no = first.tell().unwrap();
        put(&a, tree, na);
        a.commit().unwrap();
        assert_eq!(first.xids().unwrap(), Xids { xmin: nb + 1, xmax: nb + 1, running: vec![] });
        let own = look();
        let n = own.tell().unwrap();
        assert!(n > no);
        let last = look();
        let nl = last.tell().unwrap();
        put(&last, tree, nl);
        last.commit().unwrap();
        let now = look().xids().unwrap();
        assert_eq!((now.xmin, now.xmax, now.running), (no, nl + 1, vec![no, n]));
        drop((old, new, first, own));
        assert_eq!(s.core.snapshots.registered(), 0);
    }

    #[test]
    fn prepared_ones_run_on_and_over_a_start() {
        let disk = Arc::new(SimDisk::new(1));
        let s = Shard::open_stepped(disk.clone(), options()).unwrap();
        let t = begin(&s, Isolation::ReadCommitted);
        let tree = t.create_tree().unwrap();
        t.commit().unwrap();
        let seen = |s: &Shard| begin(s, Isolation::ReadCommitted).xids().unwrap();
        let end = |s: &Shard| {
            let t = begin(s, Isolation::ReadCommitted);
            let n = t.tell().unwrap();
            put(&t, tree, n);
            t.commit().unwrap();
            n
        };
        let t = begin(&s, Isolation::ReadCommitted);
        let prepared = t.tell().unwrap();
        put(&t, tree, prepared);
        t.prepare("g", "o", "d").unwrap();
        let after = end(&s);
        assert_eq!(seen(&s), Xids { xmin: prepared, xmax: after + 1, running: vec![prepared] });
        drop(s);
        let s = Shard::open_stepped(disk, options()).unwrap();
        let after = end(&s);
        assert_eq!(seen(&s), Xids { xmin: prepared, xmax: after + 1, running: vec![prepared] });
        s.commit_prepared("g").unwrap();
        assert_eq!(seen(&s), Xids { xmin: after + 1, xmax: after + 1, running: vec![] });
    }

    #[test]
    fn what_is_noted_is_bounded() {
        let s = Shard::open_stepped(Arc::new(SimDisk::new(1)), options()).unwrap();
        let core = &s.core;
        let old = begin(&s, Isolation::RepeatableRead);
        old.statement();
        let noted = || core.told.noted.lock().all.len();
        // Nobody looks, nothing is kept for long.
        for _ in 0..1000 {
            begin(&s, Isolation::ReadCommitted).tell().unwrap();
        }
        assert!(noted() <= FEW, "{}", noted());
        // Commits of others are rid of them soon.
        (0..FEW as u64).for_each(|n| core.told.committed(core, n << 50, 1));
        assert!(noted() == 0 && !core.told.any.load(Ordering::Relaxed));
        // As many as fit, committed behind an old snapshot.
        let owner = Arc::new(Owner::new(1));
        for n in 0..MOST_NOTED as u64 + 10 {
            core.told.tell(core, &owner, || 1 << 40 | n);
            core.told.committed(core, 1 << 40 | n, 1 + n / 1000);
            if n % 1000 == 999 {
                core.snapshots.publish(1 + n / 1000);
            }
        }
        assert!(noted() < MOST_NOTED / 2, "{}", noted());
        assert_eq!(old.xids().unwrap_err().code().as_str(), "72000");
        assert!(begin(&s, Isolation::ReadCommitted).xids().unwrap().xmin > 1 << 40);
    }

    /// Writers keep their numbers as keys; readers compare what they see with what the numbers say, and one follows them as a queue's reader does: below xmin, in order.
    #[test]
    fn numbers_say_what_is_there() {
        let s = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions { large_commit_bytes: 2000, ..options() }).unwrap();
        let t = begin(&s, Isolation::ReadCommitted);
        let tree = t.create_tree().unwrap();
        t.commit().unwrap();
        let end = Instant::now() + Duration::from_millis(1500);
        let read = |t: &LocalTxn, from: u64| -> Vec<u64> {
            let snap = t.statement();
            let mut scan = t.scan(&snap, tree, &from.to_be_bytes(), None, Dir::Forward).unwrap();
            let mut out = Vec::new();
            while let Some((k, _)) = scan.next(t).unwrap() {
                out.push(u64::from_be_bytes(k[..8].try_into().unwrap()));
            }
            out
        };
        std::thread::scope(|scope| {
            for w in 0..3u64 {
                let s = &s;
                scope.spawn(move || {
                    for n in 0u64.. {
                        if Instant::now() > end {
                            break;
                        }
                        let t = begin(s, Isolation::ReadCommitted);
                        if n % 3 == w {
                            std::thread::yield_now();
                        }
                        let number = t.tell().unwrap();
                        put(&t, tree, number);
                        match n % 7 {
                            0 => t.rollback(),
                            // A large commit, visible only later.
                            1 => {
                                for k in 0..100u8 {
                                    t.put(tree, &[&number.to_be_bytes()[..], &[k]].concat(), b"").unwrap();
                                }
                                t.commit().unwrap();
                            }
                            2 => {
                                let gid = format!("{w}-{n}");
                                t.prepare(&gid, "o", "d").unwrap();
                                s.commit_prepared(&gid).unwrap();
                            }
                            _ => {
                                t.commit().unwrap();
                            }
                        }
                    }
                });
            }
            for iso in [Isolation::ReadCommitted, Isolation::RepeatableRead] {
                let (s, read) = (&s, &read);
                scope.spawn(move || {
                    let mut looked = 0;
                    while Instant::now() < end {
                        let t = begin(s, iso);
                        let snap = t.statement();
                        let seen = t.xids().unwrap();
                        drop(snap);
                        if iso == Isolation::RepeatableRead {
                            let there = read(&t, 0);
                            looked += there.len();
                            assert!(there.iter().all(|n| sees(&seen, *n)), "seen, but said to run: {seen:?}");
                            assert_eq!(seen, t.xids().unwrap());
                            // What is said to have ended and is not there never comes.
                            let later = begin(s, iso);
                            let new = read(&later, 0);
                            let missed = new.iter().find(|n| sees(&seen, **n) && there.binary_search(n).is_err());
                            assert_eq!(missed, None, "{seen:?}");
                        }
                    }
                    assert!(iso == Isolation::ReadCommitted || looked > 0);
                });
            }
            let (s, read) = (&s, &read);
            scope.spawn(move || {
                let (mut upto, mut taken) = (0, Vec::new());
                while Instant::now() < end {
                    let t = begin(s, Isolation::RepeatableRead);
                    let mut there = read(&t, upto);
                    let xmin = t.xids().unwrap().xmin;
                    there.retain(|n| *n < xmin);
                    there.dedup();
                    taken.append(&mut there);
                    upto = xmin;
                }
                let mut all = read(&begin(s, Isolation::RepeatableRead), 0);
                all.retain(|n| *n < upto);
                all.dedup();
                assert!(!all.is_empty() && all == taken, "{} of {}", taken.len(), all.len());
            });
        });
    }
}
