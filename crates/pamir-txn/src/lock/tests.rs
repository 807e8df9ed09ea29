//! The lock manager against its promises: no two conflicting grants, nobody forgotten in a queue, every deadlock found.
use super::*;
use crate::{Cancel, CancelReason};
use pamir_storage::store::TreeId;
use pamir_testkit::chance::{self, Rng};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

const T: TreeId = TreeId(100);

pub(super) struct Actor {
    pub owner: Arc<Owner>,
    pub held: HeldLocks,
    pub cancel: Arc<Cancel>,
}
impl Actor {
    pub fn new(id: u64) -> Actor {
        Actor { owner: Arc::new(Owner::new(id)), held: HeldLocks::default(), cancel: Arc::default() }
    }
    pub fn row(
        &mut self,
        lm: &LockManager,
        key: &[u8],
        mode: RowLock,
        policy: WaitPolicy,
        timeout: Option<Duration>,
    ) -> pamir_error::Result<LockOutcome> {
        let held = self.held.row(T, key);
        if held.is_some_and(|h| h >= mode) {
            return Ok(LockOutcome::Granted);
        }
        let p = Patience { lock_timeout: timeout, deadline: None, cancel: &self.cancel };
        let r = lm.lock_row(&self.owner, T, key, mode, policy, &p)?;
        if r == LockOutcome::Granted {
            self.held.add_row(T, key, mode, held);
        }
        Ok(r)
    }
    /// Takes an intent if it may: as if it had written so many entries.
    pub fn intend(&mut self, lm: &LockManager) -> bool {
        (0..INTENT_FROM).any(|_| self.held.follows(&self.owner, lm, T))
    }
    /// Writes an entry that follows a row.
    pub fn entry(&mut self, lm: &LockManager, key: &[u8]) -> pamir_error::Result<LockOutcome> {
        if self.held.follows(&self.owner, lm, T) {
            return Ok(LockOutcome::Granted);
        }
        self.row(lm, key, RowLock::NoKeyUpdate, WaitPolicy::NoWait, None)
    }
    pub fn range(
        &mut self,
        lm: &LockManager,
        lo: &[u8],
        hi: Option<&[u8]>,
        timeout: Option<Duration>,
    ) -> pamir_error::Result<()> {
        let p = Patience { lock_timeout: timeout, deadline: None, cancel: &self.cancel };
        lm.lock_range(&self.owner, T, lo, hi, &p)?;
        self.held.add_range(T, lo, hi);
        Ok(())
    }
    pub fn table(
        &mut self,
        lm: &LockManager,
        table: u64,
        mode: TableLock,
        timeout: Option<Duration>,
    ) -> pamir_error::Result<LockOutcome> {
        let p = Patience { lock_timeout: timeout, deadline: None, cancel: &self.cancel };
        let r = lm.lock_table(&self.owner, table, mode, WaitPolicy::Block, &p)?;
        self.held.add_table(table, mode);
        Ok(r)
    }
    pub fn end(&mut self, lm: &LockManager) {
        let mut wake = vec![];
        self.held.release_all(&self.owner, lm, &mut wake);
        wake.into_iter().for_each(Waker::wake);
    }
}
const SHORT: Option<Duration> = Some(Duration::from_millis(5));

#[test]
fn conflict_tables_are_symmetric() {
    use RowLock::*;
    for a in [KeyShare, Share, NoKeyUpdate, Update] {
        for b in [KeyShare, Share, NoKeyUpdate, Update] {
            assert_eq!(a.conflicts(b), b.conflicts(a), "{a:?} {b:?}");
        }
    }
    assert!(!KeyShare.conflicts(NoKeyUpdate) && !Share.conflicts(Share) && NoKeyUpdate.conflicts(NoKeyUpdate));
    for a in TableLock::ALL {
        for b in TableLock::ALL {
            assert_eq!(a.conflicts(b), b.conflicts(a), "{a:?} {b:?}");
        }
    }
    assert!(TableLock::Share.conflicts(TableLock::RowExclusive) && !TableLock::Share.conflicts(TableLock::Share));
    assert!(TableLock::ShareUpdateExclusive.conflicts(TableLock::ShareUpdateExclusive));
}

#[test]
fn nowait_skip_timeout_cancel() {
    let lm = LockManager::new();
    let (mut a, mut b) = (Actor::new(1), Actor::new(2));
    a.row(&lm, b"k", RowLock::Update, WaitPolicy::Block, None).unwrap();
    assert_eq!(b.row(&lm, b"k", RowLock::KeyShare, WaitPolicy::Skip, None).unwrap(), LockOutcome::Skipped);
    assert_eq!(b.row(&lm, b"k", RowLock::KeyShare, WaitPolicy::NoWait, None).unwrap_err().code().as_str(), "55P03");
    let e = b.row(&lm, b"k", RowLock::KeyShare, WaitPolicy::Block, SHORT).unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("55P03", "canceling statement due to lock timeout"));
    let p = Patience { lock_timeout: None, deadline: Some(Instant::now()), cancel: &b.cancel };
    let e = lm.lock_row(&b.owner, T, b"k", RowLock::Share, WaitPolicy::Block, &p).unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("57014", "canceling statement due to statement timeout"));
    let cancel = b.cancel.clone();
    let t = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(5));
        cancel.request(CancelReason::User);
    });
    let e = b.row(&lm, b"k", RowLock::Share, WaitPolicy::Block, None).unwrap_err();
    assert_eq!(e.code().as_str(), "57014");
    t.join().unwrap();
    a.end(&lm);
    assert_eq!(lm.counts(), (0, 0, 0));
}

#[test]
fn upgrade_overtakes_those_who_wait_for_it() {
    let lm = Arc::new(LockManager::new());
    let mut a = Actor::new(1);
    a.row(&lm, b"k", RowLock::KeyShare, WaitPolicy::Block, None).unwrap();
    let t = std::thread::spawn({
        let lm = lm.clone();
        move || {
            let mut b = Actor::new(2);
            b.row(&lm, b"k", RowLock::Update, WaitPolicy::Block, None).unwrap();
            b.end(&lm);
        }
    });
    while lm.counts().2 == 0 {
        std::thread::yield_now();
    }
    // Others stand in line behind the waiter; the holder does not.
    let mut c = Actor::new(3);
    assert_eq!(c.row(&lm, b"k", RowLock::NoKeyUpdate, WaitPolicy::Skip, None).unwrap(), LockOutcome::Skipped);
    // A shared lock joins the holder's.
    assert_eq!(c.row(&lm, b"k", RowLock::Share, WaitPolicy::Skip, None).unwrap(), LockOutcome::Granted);
    c.end(&lm);
    a.row(&lm, b"k", RowLock::Update, WaitPolicy::NoWait, None).unwrap();
    lm.assert_compatible();
    a.end(&lm);
    t.join().unwrap();
    assert_eq!(lm.counts(), (0, 0, 0));
}

#[test]
fn rollback_to_savepoint_weakens() {
    let lm = LockManager::new();
    let (mut a, mut b) = (Actor::new(1), Actor::new(2));
    a.row(&lm, b"k", RowLock::KeyShare, WaitPolicy::Block, None).unwrap();
    let mark = a.held.mark();
    a.row(&lm, b"k", RowLock::Update, WaitPolicy::Block, None).unwrap();
    for i in 0..30u8 {
        a.row(&lm, &[i], RowLock::Update, WaitPolicy::Block, None).unwrap();
    }
    assert!(b.row(&lm, b"k", RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).is_err());
    let mut wake = vec![];
    let Actor { owner, held, .. } = &mut a;
    held.release_to(mark, owner, &lm, &mut wake);
    assert_eq!(a.held.row(T, b"k"), Some(RowLock::KeyShare));
    assert_eq!(a.held.row(T, &[3]), None);
    b.row(&lm, b"k", RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).unwrap();
    b.row(&lm, &[3], RowLock::Update, WaitPolicy::NoWait, None).unwrap();
    assert!(b.row(&lm, b"k", RowLock::Update, WaitPolicy::NoWait, None).is_err());
    a.end(&lm);
    b.end(&lm);
    assert_eq!(lm.counts(), (0, 0, 0));
}

#[test]
fn ranges_meet_writers() {
    let lm = LockManager::new();
    let (mut a, mut b) = (Actor::new(1), Actor::new(2));
    a.range(&lm, b"b", Some(b"d"), None).unwrap();
    assert!(b.row(&lm, b"c", RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).is_err());
    b.row(&lm, b"c", RowLock::Share, WaitPolicy::NoWait, None).unwrap();
    b.row(&lm, b"d", RowLock::Update, WaitPolicy::NoWait, None).unwrap();
    b.row(&lm, b"a", RowLock::Update, WaitPolicy::NoWait, None).unwrap();
    assert!(a.range(&lm, b"b", None, SHORT).is_err());
    b.range(&lm, b"a", Some(b"c"), SHORT).unwrap();
    // The holder of the range may write inside it only when no other reader is there.
    assert!(a.row(&lm, b"b", RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).is_err());
    b.end(&lm);
    a.row(&lm, b"b", RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).unwrap();
    a.end(&lm);
    assert_eq!(lm.counts(), (0, 0, 0));
}

/// Many row locks of one transaction become one lock on the tree, as strong as the strongest of them.
#[test]
fn escalation() {
    use RowLock::*;
    let lm = LockManager::new();
    let take = |a: &mut Actor, rows: std::ops::Range<u8>, mode| {
        rows.for_each(|i| assert_eq!(a.row(&lm, &[i], mode, WaitPolicy::NoWait, None).unwrap(), LockOutcome::Granted))
    };
    let refused = |a: &mut Actor, row: u8, mode| a.row(&lm, &[row], mode, WaitPolicy::NoWait, None).is_err();
    let (mut a, mut b) = (Actor::new(1), Actor::new(2));
    take(&mut b, 200..201, KeyShare);
    take(&mut a, 0..20, NoKeyUpdate);
    assert!(!a.held.many(20) && a.held.many(19));
    // Somebody else has a lock in the tree, though it would be compatible.
    assert_eq!(a.held.escalate(&a.owner, &lm, 19), 0);
    assert!(!a.held.many(19), "not to be tried again at once");
    b.end(&lm);
    assert_eq!(a.held.escalate(&a.owner, &lm, 20), 0);
    assert_eq!(a.held.escalate(&a.owner, &lm, 19), 20 * (ROW_LOCK_OVERHEAD + 2));
    assert_eq!((lm.counts(), a.held.rows().count()), ((1, 0, 0), 0));
    assert_eq!(a.held.row(T, b"any"), Some(NoKeyUpdate));
    // Compatible modes still are.
    take(&mut b, 0..3, KeyShare);
    assert!(refused(&mut b, 5, Share) && refused(&mut b, 250, Update));
    assert!(b.range(&lm, b"", None, SHORT).is_err());
    assert!(a.held.covers(T, b"", None));
    // A stronger mode is a row's own.
    assert!(refused(&mut a, 1, Update));
    let mark = a.held.mark();
    take(&mut a, 30..40, Update);
    assert!(refused(&mut b, 30, KeyShare));
    let mut wake = vec![];
    a.held.release_to(mark, &a.owner, &lm, &mut wake);
    assert_eq!(a.held.row(T, &[30]), Some(NoKeyUpdate));
    take(&mut b, 30..31, KeyShare);
    lm.assert_compatible();
    b.end(&lm);
    take(&mut a, 30..40, Update);
    a.held.escalate(&a.owner, &lm, 5);
    assert!(refused(&mut b, 77, KeyShare));
    // Its first lock is older than the savepoint: it stays. Else it goes.
    a.held.release_to(mark, &a.owner, &lm, &mut wake);
    assert_eq!(a.held.row(T, b"any"), Some(Update));
    a.held.release_to(LockMark::default(), &a.owner, &lm, &mut wake);
    assert_eq!((lm.counts(), a.held.is_empty()), ((0, 0, 0), true));
    take(&mut b, 77..78, Update);
    b.end(&lm);
    assert_eq!(lm.counts(), (0, 0, 0));
}

/// Who waits for an escalated lock is found by deadlock detection and served when it goes.
#[test]
fn escalated_locks_are_waited_for() {
    let lm = Arc::new(LockManager::new());
    let mut a = Actor::new(1);
    a.table(&lm, 7, TableLock::AccessShare, None).unwrap();
    for i in 0..10u8 {
        a.row(&lm, &[i], RowLock::NoKeyUpdate, WaitPolicy::Block, None).unwrap();
    }
    a.held.escalate(&a.owner, &lm, 5);
    let t = std::thread::spawn({
        let lm = lm.clone();
        move || {
            let mut b = Actor::new(2);
            b.table(&lm, 8, TableLock::AccessExclusive, None).unwrap();
            b.row(&lm, b"elsewhere", RowLock::Update, WaitPolicy::Block, Some(Duration::from_secs(20))).unwrap();
            lm.assert_compatible();
            b.end(&lm);
        }
    });
    while lm.counts().2 == 0 {
        std::thread::yield_now();
    }
    let e = a.table(&lm, 8, TableLock::AccessShare, Some(Duration::from_secs(20))).unwrap_err();
    assert_eq!(e.code().as_str(), "40P01");
    a.end(&lm);
    t.join().unwrap();
    assert_eq!(lm.counts(), (0, 0, 0));
}

#[test]
fn two_close_a_cycle_one_survives() {
    for round in 0..30 {
        let lm = Arc::new(LockManager::new());
        let barrier = Arc::new(std::sync::Barrier::new(3));
        let threads: Vec<_> = (0..3u8)
            .map(|i| {
                let (lm, barrier) = (lm.clone(), barrier.clone());
                std::thread::spawn(move || {
                    let mut a = Actor::new(i as u64 + 1);
                    a.row(&lm, &[i], RowLock::Update, WaitPolicy::Block, None).unwrap();
                    barrier.wait();
                    let r =
                        a.row(&lm, &[(i + 1) % 3], RowLock::Update, WaitPolicy::Block, Some(Duration::from_secs(20)));
                    a.end(&lm);
                    r.err()
                })
            })
            .collect();
        let errors: Vec<_> = threads.into_iter().filter_map(|t| t.join().unwrap()).collect();
        assert_eq!(errors.len(), 1, "round {round}: {errors:?}");
        let d = errors[0].data();
        assert_eq!((d.code.as_str(), d.message.as_str()), ("40P01", "deadlock detected"));
        assert_eq!(d.hint.as_deref(), Some("See server log for query details."));
        let detail = d.detail.clone().unwrap();
        assert_eq!(detail.lines().count(), 3, "{detail}");
        for l in detail.lines() {
            assert!(
                l.starts_with("Process ")
                    && l.contains(" waits for ShareLock on transaction ")
                    && l.contains("; blocked by process "),
                "{l}"
            );
        }
        assert_eq!(lm.counts(), (0, 0, 0));
    }
}

#[test]
fn table_locks_wait_and_deadlock() {
    let lm = Arc::new(LockManager::new());
    let (mut a, mut b) = (Actor::new(1), Actor::new(2));
    for m in [TableLock::AccessShare, TableLock::RowShare, TableLock::RowExclusive] {
        a.table(&lm, 7, m, None).unwrap();
        b.table(&lm, 7, m, None).unwrap();
    }
    assert_eq!(b.table(&lm, 7, TableLock::AccessExclusive, SHORT).unwrap_err().code().as_str(), "55P03");
    // Both want to upgrade: the second closes the cycle.
    let t = std::thread::spawn({
        let lm = lm.clone();
        move || {
            let r = b.table(&lm, 7, TableLock::AccessExclusive, Some(Duration::from_secs(20)));
            b.end(&lm);
            r.map(|_| ())
        }
    });
    while lm.counts().2 == 0 {
        std::thread::yield_now();
    }
    let e = a.table(&lm, 7, TableLock::AccessExclusive, Some(Duration::from_secs(20))).unwrap_err();
    assert_eq!(e.code().as_str(), "40P01");
    assert!(e.data().detail.as_deref().unwrap().contains("AccessExclusiveLock on relation 7"));
    a.end(&lm);
    t.join().unwrap().unwrap();
}

/// One lock for many entries: beside other writers, against those who read under lock, taken only where there are none.
#[test]
fn intents() {
    use RowLock::*;
    let lm = LockManager::new();
    let (mut a, mut b, mut c) = (Actor::new(1), Actor::new(2), Actor::new(3));
    let write = |a: &mut Actor, keys: std::ops::Range<u32>| {
        keys.for_each(|k| assert_eq!(a.entry(&lm, &k.to_be_bytes()).unwrap(), LockOutcome::Granted));
        lm.assert_compatible();
        (a.held.rows().count(), a.held.intents().count())
    };
    let (few, many) = (INTENT_FROM - 1, 2 * INTENT_FROM - 1);
    let key = |n: u32| n.to_be_bytes();
    assert_eq!(write(&mut a, 0..few), (few as usize, 0));
    assert_eq!(write(&mut a, few..1000), (few as usize, 1));
    // Another writer has one too, and single entries are locked beside it.
    assert_eq!(write(&mut b, 2000..3000), (few as usize, 1));
    c.row(&lm, &key(500), Update, WaitPolicy::NoWait, None).unwrap();
    // Not so readers under lock, wherever they read.
    for mode in [KeyShare, Share] {
        assert!(c.row(&lm, &key(9999), mode, WaitPolicy::NoWait, None).is_err());
    }
    assert!(c.range(&lm, &key(8000), None, SHORT).is_err());
    b.end(&lm);
    c.end(&lm);
    // Nor does a tree become somebody's beside it.
    assert!(b.intend(&lm) && b.held.rows().next().is_none());
    assert_eq!(a.held.escalate(&a.owner, &lm, 1), 0);
    b.end(&lm);
    // A savepoint before the intent takes it back, one after it does not.
    let mut wake = vec![];
    let after = a.held.mark();
    a.held.release_to(after, &a.owner, &lm, &mut wake);
    assert_eq!(a.held.intents().count(), 1);
    assert!(c.range(&lm, &key(8000), None, SHORT).is_err());
    a.held.release_to(LockMark::default(), &a.owner, &lm, &mut wake);
    assert_eq!((a.held.is_empty(), lm.counts()), (true, (0, 0, 0)));
    let mut e = Actor::new(5);
    assert_eq!(write(&mut e, 0..10), (10, 0));
    let before = e.held.mark();
    assert_eq!(write(&mut e, 10..100), (few as usize, 1));
    e.held.release_to(before, &e.owner, &lm, &mut wake);
    assert_eq!((e.held.rows().count(), e.held.intents().count(), lm.counts()), (10, 0, (10, 0, 0)));
    e.end(&lm);
    // Where somebody reads there is none; it is asked for again at twice as many.
    c.range(&lm, &key(8000), None, SHORT).unwrap();
    let mut d = Actor::new(4);
    assert_eq!(write(&mut d, 0..many), (many as usize, 0));
    c.end(&lm);
    c.row(&lm, &key(9999), KeyShare, WaitPolicy::NoWait, None).unwrap();
    assert_eq!(write(&mut d, many..2 * many), (2 * many as usize, 0));
    c.end(&lm);
    assert_eq!(write(&mut d, 2 * many..4 * many), (2 * many as usize + 1, 1));
    d.end(&lm);
    assert_eq!((d.held.is_empty(), lm.counts()), (true, (0, 0, 0)));
}

/// Who waits for an intent is found by deadlock detection, and served when it goes. Whoever holds the tree whole overtakes, for a stronger lock, who waits for the tree.
#[test]
fn intents_and_trees_are_waited_for() {
    for whole in [false, true] {
        let lm = Arc::new(LockManager::new());
        let mut a = Actor::new(1);
        for k in 0..INTENT_FROM {
            let key = k.to_be_bytes();
            match whole {
                true => a.row(&lm, &key, RowLock::NoKeyUpdate, WaitPolicy::NoWait, None).map(drop),
                false => a.entry(&lm, &key).map(drop),
            }
            .unwrap();
        }
        if whole {
            assert!(a.held.escalate(&a.owner, &lm, 5) > 0);
        }
        let t = std::thread::spawn({
            let lm = lm.clone();
            move || {
                let (mut b, wait) = (Actor::new(2), Some(Duration::from_secs(20)));
                b.table(&lm, 8, TableLock::AccessExclusive, None).unwrap();
                b.row(&lm, b"elsewhere", RowLock::Share, WaitPolicy::Block, wait).unwrap();
                lm.assert_compatible();
                b.end(&lm);
            }
        });
        while lm.counts().2 == 0 {
            std::thread::yield_now();
        }
        let wait = Some(Duration::from_secs(20));
        a.row(&lm, b"elsewhere", RowLock::Update, WaitPolicy::Block, wait).unwrap();
        let e = a.table(&lm, 8, TableLock::AccessShare, wait).unwrap_err();
        assert_eq!(e.code().as_str(), "40P01");
        a.end(&lm);
        t.join().unwrap();
        assert_eq!(lm.counts(), (0, 0, 0));
    }
}

/// Nobody else has a range. Sharers are not looked at: whoever changes a lock to a stronger one is counted as one for a moment still.
fn only_mine(ranged: &[AtomicI64], mine: &[i64]) -> bool {
    ranged.iter().zip(mine).all(|(all, mine)| all.load(Ordering::SeqCst) == *mine)
}
/// Many threads take random locks; a shadow count per row checks every grant, and everybody gets on: a lost wake-up or an
/// unseen deadlock would end in the timeout.
#[test]
fn storm() {
    let seed = chance::seed(7);
    let lm = Arc::new(LockManager::new());
    const ROWS: usize = 6;
    // Per row: > 0 sharers, -1 a writer (Share against NoKeyUpdate).
    let shadow: Arc<Vec<AtomicI64>> = Arc::new((0..ROWS).map(|_| AtomicI64::new(0)).collect());
    // Per row: locked ranges that contain it.
    let ranged: Arc<Vec<AtomicI64>> = Arc::new((0..ROWS).map(|_| AtomicI64::new(0)).collect());
    // Sessions with an intent on all rows.
    let intents = Arc::new(AtomicI64::new(0));
    let ids = Arc::new(AtomicU64::new(1));
    let threads: Vec<_> = (0..4u64)
        .map(|n| {
            let (lm, shadow, ranged, ids) = (lm.clone(), shadow.clone(), ranged.clone(), ids.clone());
            let intents = intents.clone();
            std::thread::spawn(move || {
                let mut r = Rng::new(seed * 1000 + n);
                let (mut done, mut deadlocks, mut taken) = (0, 0, 0);
                for _ in 0..1500 {
                    let mut a = Actor::new(ids.fetch_add(1, Ordering::Relaxed));
                    let mut mine: Vec<(usize, bool)> = vec![];
                    let mut my_ranges = [0; ROWS];
                    let mut intent = false;
                    let mut ok = true;
                    let wait = Some(Duration::from_secs(20));
                    for _ in 0..3 {
                        if r.below(4) == 0 {
                            a.held.escalate(&a.owner, &lm, 0);
                        }
                        if r.below(8) == 0 && a.intend(&lm) && !intent {
                            intent = true;
                            intents.fetch_add(1, Ordering::SeqCst);
                            taken += 1;
                        }
                        assert!(!intent || only_mine(&ranged, &my_ranges), "seed {seed}: a reader beside an intent");
                        let row = r.below(ROWS as u64) as usize;
                        let other = match r.below(10) {
                            0 => {
                                let hi = (row + 1 + r.below(3) as usize).min(ROWS);
                                let r = a.range(&lm, &[row as u8], Some(&[hi as u8]), wait);
                                if r.is_ok() {
                                    for i in row..hi {
                                        ranged[i].fetch_add(1, Ordering::SeqCst);
                                        my_ranges[i] += 1;
                                        let own = mine.iter().any(|m| m.0 == i && m.1);
                                        assert!(own || shadow[i].load(Ordering::SeqCst) >= 0, "seed {seed}");
                                    }
                                    assert_eq!(intents.load(Ordering::SeqCst), intent as i64, "seed {seed}");
                                }
                                Some(r)
                            }
                            1 => Some(a.table(&lm, r.below(2), TableLock::ALL[r.below(8) as usize], wait).map(|_| ())),
                            _ => None,
                        };
                        if let Some(r) = other {
                            if let Err(e) = r {
                                assert_eq!(e.code().as_str(), "40P01", "seed {seed}: {e}");
                                ok = false;
                                break;
                            }
                            continue;
                        }
                        let exclusive = r.below(2) == 0;
                        let have = mine.iter().position(|m| m.0 == row);
                        let mode = if exclusive { RowLock::NoKeyUpdate } else { RowLock::Share };
                        match a.row(&lm, &[row as u8], mode, WaitPolicy::Block, wait) {
                            Ok(_) => match have {
                                _ if exclusive && ranged[row].load(Ordering::SeqCst) != my_ranges[row] => {
                                    panic!("seed {seed}: a writer inside somebody's range")
                                }
                                Some(i) if exclusive && !mine[i].1 => {
                                    assert_eq!(shadow[row].swap(-1, Ordering::SeqCst), 1, "seed {seed}");
                                    mine[i].1 = true;
                                }
                                Some(_) => {}
                                None => {
                                    let old = if exclusive {
                                        shadow[row].swap(-1, Ordering::SeqCst)
                                    } else {
                                        shadow[row].fetch_add(1, Ordering::SeqCst)
                                    };
                                    assert!(if exclusive { old == 0 } else { old >= 0 }, "seed {seed}: {old}");
                                    let others = intents.load(Ordering::SeqCst) - intent as i64;
                                    assert!(exclusive || others == 0, "seed {seed}: a reader beside an intent");
                                    mine.push((row, exclusive));
                                }
                            },
                            Err(e) => {
                                assert_eq!(e.code().as_str(), "40P01", "seed {seed}: {e}");
                                ok = false;
                                break;
                            }
                        }
                    }
                    for (i, n) in my_ranges.into_iter().enumerate() {
                        ranged[i].fetch_sub(n, Ordering::SeqCst);
                    }
                    for (row, exclusive) in mine {
                        if exclusive {
                            shadow[row].store(0, Ordering::SeqCst)
                        } else {
                            shadow[row].fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                    intents.fetch_sub(intent as i64, Ordering::SeqCst);
                    a.end(&lm);
                    if ok { done += 1 } else { deadlocks += 1 }
                }
                (done, deadlocks, taken)
            })
        })
        .collect();
    let counts = threads.into_iter().map(|t| t.join().unwrap());
    let (done, taken) = counts.fold((0, 0), |n, of| (n.0 + of.0, n.1 + of.2));
    assert!(taken > 50, "only {taken} intents");
    lm.assert_compatible();
    assert_eq!(lm.counts(), (0, 0, 0));
    assert!(done > 1000, "only {done} got through");
}
