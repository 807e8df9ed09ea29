//! Hot rows: what a commit hands over before it is durable, and what nobody may learn of it until then. Stepped shards: nothing is written or applied
//! unless the test says so. A request that finds its lock taken fails at once (55P03), and leaves word that the lock is wanted.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::shard::Submitted;
use pamir_txn::*;
use std::sync::Arc;
use std::time::Duration;

const RC: Isolation = Isolation::ReadCommitted;

struct World {
    disk: SimDisk,
    s: Arc<Shard>,
    tree: TreeId,
}
fn world(seed: u64) -> World {
    let disk = SimDisk::new(seed);
    let s = stepped(&disk, options());
    let t = begin(&s, RC);
    let tree = t.create_tree().unwrap();
    t.put(tree, b"hot", &0u64.to_le_bytes()).unwrap();
    t.put(tree, b"other", b"old").unwrap();
    t.commit().unwrap();
    World { disk, s, tree }
}
fn code<T>(r: pamir_error::Result<T>) -> String {
    match r {
        Ok(_) => "ok".into(),
        Err(e) => e.code().as_str().into(),
    }
}
impl World {
    fn begin(&self) -> LocalTxn {
        begin(&self.s, RC)
    }
    fn lock(&self, t: &LocalTxn, key: &[u8], mode: RowLock) -> pamir_error::Result<LockOutcome> {
        t.lock_row(self.tree, key, mode, WaitPolicy::Block)
    }
    /// Somebody wants the row and goes away again.
    fn want(&self, key: &[u8]) {
        let t = self.begin();
        assert_eq!(code(self.lock(&t, key, RowLock::Update)), "55P03");
    }
    fn latest(&self, t: &LocalTxn, key: &[u8]) -> Option<Vec<u8>> {
        let mut out = vec![];
        t.get_latest(self.tree, key, &mut out).unwrap().exists.then_some(out)
    }
    /// As UPDATE hot = hot + 1 does it; what it read.
    fn increment(&self, t: &LocalTxn) -> pamir_error::Result<u64> {
        drop(t.statement());
        self.lock(t, b"hot", RowLock::NoKeyUpdate)?;
        let n = number(&self.latest(t, b"hot").unwrap());
        t.put(self.tree, b"hot", &(n + 1).to_le_bytes())?;
        Ok(n)
    }
    /// An increment that hands its lock over.
    fn hot(&self) -> (u64, Submitted) {
        let t = self.begin();
        let n = self.increment(&t).unwrap();
        self.want(b"hot");
        (n, t.submit().unwrap())
    }
    fn value(&self) -> u64 {
        let t = self.begin();
        let snap = t.statement();
        let mut out = vec![];
        assert!(t.get(&snap, self.tree, b"hot", &mut out).unwrap());
        number(&out)
    }
    fn stat(&self, name: &str) -> u64 {
        self.s.stats().iter().find(|s| s.0 == name).unwrap().1
    }
    fn step(&self) {
        self.s.step_log();
        self.s.step_applier();
    }
    fn crash(&mut self) {
        self.disk.crash();
        self.s = stepped(&self.disk, options());
    }
}
fn number(v: &[u8]) -> u64 {
    u64::from_le_bytes(v.try_into().unwrap())
}

#[test]
fn a_chain_in_one_sync() {
    let w = world(1);
    let syncs = w.stat("log_syncs");
    let chain: Vec<_> = (0..20).map(|_| w.hot()).collect();
    assert_eq!(chain.iter().map(|c| c.0).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
    // Snapshots know nothing of it.
    assert_eq!(w.value(), 0);
    assert!(chain.iter().all(|c| c.1.poll(&w.s).is_none()));
    assert_eq!(w.s.step_log(), 20);
    assert!(chain.iter().all(|c| c.1.poll(&w.s).is_none()), "durable, but not visible");
    w.s.step_applier();
    let ts: Vec<Ts> = chain.iter().map(|c| c.1.poll(&w.s).unwrap().unwrap()).collect();
    assert!(ts.is_sorted_by(|a, b| a < b));
    assert_eq!((w.value(), w.stat("log_syncs") - syncs, w.stat("lock_handovers")), (20, 1, 20));
    assert_eq!((w.stat("row_locks"), w.stat("lock_waiting")), (0, 0));
    // Nobody wants it: nothing is handed over, and who comes now waits for the apply.
    let t = w.begin();
    w.increment(&t).unwrap();
    let c = t.submit().unwrap();
    w.want(b"hot");
    w.step();
    assert!(c.poll(&w.s).is_some());
    assert_eq!((w.value(), w.stat("lock_handovers")), (21, 20));
}

#[test]
fn a_crash_keeps_a_first_part() {
    for seed in seeds(60) {
        let mut w = world(seed);
        let r = &mut Rng::new(seed);
        let (n, synced) = (1 + r.below(12), r.below(13));
        let mut chain = vec![];
        for i in 0..n {
            chain.push(w.hot().1);
            if i + 1 == synced {
                w.s.step_log();
                if r.chance(2) {
                    w.s.step_applier();
                }
            }
        }
        let acked = chain.iter().filter(|c| matches!(c.poll(&w.s), Some(Ok(_)))).count() as u64;
        w.crash();
        let sure = if synced <= n { synced } else { 0 };
        assert!(
            (sure..=n).contains(&w.value()) && acked <= w.value(),
            "seed {seed}: {} of {n}, {sure} synced",
            w.value()
        );
        // And life goes on from there.
        let before = w.value();
        assert_eq!(w.hot().0, before);
    }
}

#[test]
fn a_rollback_in_the_middle() {
    let w = world(1);
    let (_, a) = w.hot();
    let t = w.begin();
    assert_eq!(w.increment(&t).unwrap(), 1);
    let sp = t.savepoint();
    t.put(w.tree, b"hot", b"nonsense").unwrap();
    t.rollback_to(sp);
    t.rollback();
    // The lock is free again, but the commit before is still on its way.
    let t = w.begin();
    assert!(!t.tied());
    assert_eq!(w.increment(&t).unwrap(), 1);
    assert!(t.tied());
    let b = t.submit().unwrap();
    w.step();
    assert!(a.poll(&w.s).unwrap().unwrap() < b.poll(&w.s).unwrap().unwrap());
    assert_eq!(w.value(), 2);
}

#[test]
fn nothing_is_told_before_it_is_durable() {
    let w = world(1);
    let (_, a) = w.hot();
    // A transaction that only looked (FOR UPDATE) ends without a record of its own: its answer waits for what it saw.
    let t = w.begin();
    w.lock(&t, b"hot", RowLock::Update).unwrap();
    assert_eq!(w.latest(&t, b"hot").map(|v| number(&v)), Some(1));
    assert!(t.tied());
    let b = t.submit().unwrap();
    assert!(b.poll(&w.s).is_none());
    w.s.step_log();
    assert!(b.poll(&w.s).is_none() && a.poll(&w.s).is_none());
    w.s.step_applier();
    assert_eq!(b.poll(&w.s).unwrap().unwrap(), a.poll(&w.s).unwrap().unwrap());
    // In the middle of a transaction `settle` waits (here: drives the machines), once.
    let (_, a) = w.hot();
    let t = w.begin();
    assert_eq!(w.increment(&t).unwrap(), 2);
    assert!(t.tied() && a.poll(&w.s).is_none());
    t.settle().unwrap();
    assert!(!t.tied() && a.poll(&w.s).is_some());
    drop(t);
    // A commit without writes as well.
    let (_, a) = w.hot();
    let t = w.begin();
    w.lock(&t, b"hot", RowLock::Share).unwrap();
    t.commit().unwrap();
    assert!(a.poll(&w.s).is_some());
    // And PREPARE's vote.
    let (_, a) = w.hot();
    let t = w.begin();
    assert_eq!(w.increment(&t).unwrap(), 4);
    t.prepare("g", "o", "d").unwrap();
    assert!(a.poll(&w.s).is_some());
    w.want(b"hot");
    w.s.commit_prepared("g").unwrap();
    assert_eq!(w.value(), 5);
}

#[test]
fn a_prepared_transaction_hands_over_at_its_commit() {
    let w = world(1);
    let t = w.begin();
    w.increment(&t).unwrap();
    t.prepare("g", "o", "d").unwrap();
    // Prepared it may still be rolled back: nobody gets the row.
    w.want(b"hot");
    w.want(b"hot");
    let syncs = w.stat("log_syncs");
    let a = w.s.submit_prepared("g").unwrap();
    assert_eq!(code(w.s.commit_prepared("g")), "55000");
    // A snapshot's transaction waits for the apply; one at READ COMMITTED goes on.
    let rr = begin(&w.s, Isolation::RepeatableRead);
    assert_eq!(code(w.lock(&rr, b"hot", RowLock::Update)), "55P03");
    let (n, b) = w.hot();
    assert_eq!((n, w.value()), (1, 0));
    let t = w.begin();
    assert_eq!(w.increment(&t).unwrap(), 2);
    assert!(t.tied() && a.poll(&w.s).is_none() && b.poll(&w.s).is_none());
    let c = t.submit().unwrap();
    assert_eq!(w.s.step_log(), 3);
    assert!(a.poll(&w.s).is_none(), "durable, but not visible");
    w.s.step_applier();
    let ts: Vec<Ts> = [a, b, c].iter().map(|c| c.poll(&w.s).unwrap().unwrap()).collect();
    assert!(ts.is_sorted_by(|a, b| a < b));
    assert_eq!((w.value(), w.stat("log_syncs") - syncs, w.stat("lock_handovers")), (3, 1, 2));
    assert_eq!((w.stat("row_locks"), w.stat("prepared")), (0, 0));
    // A rollback hands nothing over.
    let t = w.begin();
    w.increment(&t).unwrap();
    t.prepare("g", "o", "d").unwrap();
    w.want(b"hot");
    w.s.rollback_prepared("g").unwrap();
    assert_eq!((w.hot().0, w.stat("lock_handovers")), (3, 3));
}

/// Chains of commits and commits of prepared transactions, cut by a crash: what is left is a first part, and the prepared transaction is committed or still there.
#[test]
fn a_crash_in_a_chain_with_prepared_ones() {
    for seed in seeds(100) {
        let mut w = world(seed);
        let r = &mut Rng::new(seed.wrapping_mul(0x9E37_79B9) | 1);
        let mut value = 0;
        for round in 0..4 {
            let gid = format!("g{round}");
            let t = w.begin();
            assert_eq!(w.increment(&t).unwrap(), value, "seed {seed}");
            t.prepare(&gid, "o", "d").unwrap();
            if r.chance(3) {
                // Its locks come from the log.
                w.crash();
                assert_eq!(w.s.prepared().len(), 1, "seed {seed}");
            }
            w.want(b"hot");
            let mut chain = vec![w.s.submit_prepared(&gid).unwrap()];
            for n in 0..r.below(6) {
                if r.chance(4) {
                    w.s.step_log();
                }
                if r.chance(6) {
                    w.s.step_applier();
                }
                let (was, c) = w.hot();
                assert_eq!(was, value + n + 1, "seed {seed}");
                chain.push(c);
            }
            let acked = chain.iter().filter(|c| matches!(c.poll(&w.s), Some(Ok(_)))).count() as u64;
            if r.chance(2) {
                w.crash();
            } else {
                while w.s.step_log() + w.s.step_applier() > 0 {}
                assert_eq!(w.value(), value + chain.len() as u64, "seed {seed}");
            }
            let kept = w.value() - value;
            assert!((acked..=chain.len() as u64).contains(&kept), "seed {seed}: {kept} of {}", chain.len());
            assert_eq!(w.s.prepared().len(), (kept == 0) as usize, "seed {seed}");
            if kept == 0 {
                w.want(b"hot");
                w.s.commit_prepared(&gid).unwrap();
            }
            value = w.value();
            assert_eq!(w.stat("row_locks"), 0, "seed {seed}");
        }
    }
}

#[test]
fn the_next_statement_sees_all_of_it() {
    let w = world(1);
    let t1 = w.begin();
    w.increment(&t1).unwrap();
    t1.put(w.tree, b"other", b"new").unwrap();
    w.want(b"hot");
    let t2 = w.begin();
    let snap = t2.statement();
    t1.submit().unwrap();
    w.lock(&t2, b"hot", RowLock::NoKeyUpdate).unwrap();
    let mut out = vec![];
    // The statement that waited keeps its view of other rows.
    assert!(t2.get(&snap, w.tree, b"other", &mut out).unwrap());
    assert_eq!(out, b"old");
    drop(snap);
    let snap = t2.statement();
    assert!(t2.get(&snap, w.tree, b"other", &mut out).unwrap());
    assert_eq!(out, b"new");
    assert!(!t2.tied());
}

#[test]
fn a_locked_row_as_a_mutex() {
    let w = world(1);
    let mut last = vec![];
    for i in 0..5u8 {
        let t = w.begin();
        drop(t.statement());
        w.lock(&t, b"other", RowLock::Update).unwrap();
        // What the mutex guards: read and written without a conflict on the rows themselves.
        let n = w.latest(&t, b"guarded").map_or(0, |v| v[0]);
        assert_eq!(n, i);
        t.put(w.tree, b"guarded", &[n + 1]).unwrap();
        w.want(b"other");
        last.push(t.submit().unwrap());
    }
    w.step();
    assert!(last.iter().all(|l| l.poll(&w.s).unwrap().is_ok()));
}

#[test]
fn unique_keys_and_ranges_are_those_of_the_newest_commit() {
    let w = world(1);
    let t = w.begin();
    for (k, v) in [(b"k1", b"a"), (b"k3", b"c"), (b"k5", b"e")] {
        t.put(w.tree, k, v).unwrap();
    }
    t.commit().unwrap();
    // On its way: k1 changed, k2 new, k3 gone.
    let t = w.begin();
    t.put(w.tree, b"k1", b"A").unwrap();
    w.lock(&t, b"k2", RowLock::Update).unwrap();
    t.put(w.tree, b"k2", b"B").unwrap();
    t.delete(w.tree, b"k3").unwrap();
    w.want(b"k1");
    let a = t.submit().unwrap();
    let t = w.begin();
    assert_eq!(code(w.lock(&t, b"k2", RowLock::Update)), "ok");
    assert_eq!(w.latest(&t, b"k2"), Some(b"B".to_vec()), "the key is taken");
    w.lock(&t, b"k3", RowLock::Update).unwrap();
    assert_eq!(w.latest(&t, b"k3"), None, "the key is free");
    let rows = |dir, lo: &[u8], hi: Option<&[u8]>| -> String {
        let rows = collect(&t, t.scan_latest(w.tree, lo, hi, dir).unwrap()).unwrap();
        rows.iter().map(|(k, v)| format!("{}={} ", String::from_utf8_lossy(k), String::from_utf8_lossy(v))).collect()
    };
    assert_eq!(rows(Dir::Forward, b"k", Some(b"l")), "k1=A k2=B k5=e ");
    assert_eq!(rows(Dir::Backward, b"k", Some(b"l")), "k5=e k2=B k1=A ");
    assert_eq!(rows(Dir::Forward, b"k2", Some(b"k4")), "k2=B ");
    // Own writes over both.
    t.put(w.tree, b"k3", b"mine").unwrap();
    t.put(w.tree, b"k0", b"mine").unwrap();
    t.delete(w.tree, b"k1").unwrap();
    assert_eq!(rows(Dir::Forward, b"k", Some(b"l")), "k0=mine k2=B k3=mine k5=e ");
    assert_eq!(rows(Dir::Backward, b"k", Some(b"l")), "k5=e k3=mine k2=B k0=mine ");
    assert_eq!(rows(Dir::Backward, b"k2", Some(b"k3")), "k2=B ");
    let before = rows(Dir::Forward, b"", None);
    // The same from the pages.
    w.step();
    assert!(a.poll(&w.s).is_some() && t.tied());
    assert_eq!(rows(Dir::Forward, b"", None), before);
}

/// A row that was given another key: gone under the old one, which tells where it went.
#[test]
fn moved_rows_are_followed() {
    let w = world(1);
    let t = w.begin();
    t.delete_moved(w.tree, b"other", b"elsewhere").unwrap();
    t.put(w.tree, b"elsewhere", b"moved").unwrap();
    w.want(b"other");
    t.submit().unwrap();
    let t = w.begin();
    w.lock(&t, b"other", RowLock::NoKeyUpdate).unwrap();
    let mut out = vec![];
    let l = t.get_latest(w.tree, b"other", &mut out).unwrap();
    assert_eq!((l.exists, l.moved, out.as_slice()), (false, true, &b"elsewhere"[..]));
    w.lock(&t, b"elsewhere", RowLock::NoKeyUpdate).unwrap();
    assert_eq!(w.latest(&t, b"elsewhere"), Some(b"moved".to_vec()));
    let rows = collect(&t, t.scan_latest(w.tree, b"a", Some(b"p"), Dir::Forward).unwrap()).unwrap();
    assert_eq!(rows.iter().map(|r| &r.0[..]).collect::<Vec<_>>(), [&b"elsewhere"[..], b"hot"]);
}

#[test]
fn snapshots_and_serializable_wait_for_the_apply() {
    for iso in [Isolation::RepeatableRead, Isolation::Serializable] {
        let w = world(1);
        let t = begin(&w.s, iso);
        let snap = t.statement();
        let (_, a) = w.hot();
        for mode in [RowLock::Share, RowLock::NoKeyUpdate] {
            assert_eq!(code(w.lock(&t, b"hot", mode)), "55P03", "{iso:?}");
        }
        assert_eq!(code(t.lock_range(w.tree, b"h", Some(b"i"))), "55P03", "{iso:?}");
        w.step();
        assert!(a.poll(&w.s).is_some());
        w.lock(&t, b"hot", RowLock::NoKeyUpdate).unwrap();
        assert!(!t.tied());
        let mut out = vec![];
        let l = t.get_latest(w.tree, b"hot", &mut out).unwrap();
        // 40001 at REPEATABLE READ.
        assert!(l.exists && l.ts > snap.ts() && number(&out) == 1);
    }
}

#[test]
fn ddl_and_large_commits_hand_nothing_over() {
    let w = world(1);
    let t = w.begin();
    w.increment(&t).unwrap();
    t.on_commit(Box::new(|_| ()));
    w.want(b"hot");
    t.submit().unwrap();
    w.want(b"hot");
    w.step();
    let t = w.begin();
    w.increment(&t).unwrap();
    for i in 0..100u8 {
        t.put(w.tree, &[i], b"").unwrap();
    }
    w.want(b"hot");
    t.submit().unwrap();
    w.want(b"hot");
    w.step();
    assert_eq!((w.value(), w.stat("lock_handovers")), (2, 0));
}

/// A failed write or sync: the shard stops, and whoever rests on what was lost hears an error.
#[test]
fn a_failed_sync_fails_the_chain() {
    let w = world(1);
    let (_, a) = w.hot();
    let (_, b) = w.hot();
    let (t, u, v) = (w.begin(), w.begin(), w.begin());
    w.lock(&v, b"hot", RowLock::KeyShare).unwrap();
    assert!(!v.tied(), "KEY SHARE asks nothing of those who change no key");
    v.rollback();
    assert_eq!(w.increment(&t).unwrap(), 2);
    w.disk.set_faults(pamir_storage::disk::sim::Faults { fail_sync_after: Some(0), ..Default::default() });
    w.s.step_log();
    assert!(w.s.failure().is_some());
    assert_eq!(code(a.poll(&w.s).unwrap()), "08007");
    assert_eq!(code(b.poll(&w.s).unwrap()), "08007");
    assert!(t.settle().is_err() && t.tied() && u.settle().is_ok());
    assert!(t.submit().is_err());
}

/// Two sessions that each hold what the other wants, one of them through a handed-over lock.
#[test]
fn deadlocks_are_found() {
    let w = world(1);
    let (_, a) = w.hot();
    let t = w.begin();
    w.increment(&t).unwrap();
    let u = w.begin();
    u.set_limits(None, None);
    w.lock(&u, b"other", RowLock::Update).unwrap();
    let done = std::thread::scope(|scope| {
        let w = &w;
        let waiting = scope.spawn(move || {
            let r = w.lock(&u, b"hot", RowLock::Update);
            (code(r), u.tied())
        });
        while w.stat("lock_waiting") == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        t.set_limits(None, None);
        let e = w.lock(&t, b"other", RowLock::Update).unwrap_err();
        assert_eq!((e.code().as_str(), e.data().detail.as_ref().unwrap().lines().count()), ("40P01", 2));
        t.rollback();
        waiting.join().unwrap()
    });
    assert_eq!(done, ("ok".into(), true));
    w.step();
    assert!(a.poll(&w.s).is_some());
}

/// Hot-row traffic with rollbacks, other isolation levels, steps in any order and crashes, against a counter.
#[test]
fn counts_like_a_counter() {
    for seed in seeds(300) {
        traffic(seed);
    }
}
fn traffic(seed: u64) {
    let r = &mut Rng::new(seed ^ 0xC0FFEE);
    let mut w = world(seed);
    // Value before the increment and handle, in order of submission.
    let mut flying: Vec<(u64, Submitted)> = vec![];
    let mut acked = 0;
    for _ in 0..2 + r.below(3) {
        let mut open: Vec<LocalTxn> = vec![];
        for _ in 0..r.below(120) {
            match r.below(16) {
                0..7 => {
                    let iso = if r.chance(5) { Isolation::RepeatableRead } else { RC };
                    let t = begin(&w.s, iso);
                    let snap = t.statement();
                    if w.lock(&t, b"hot", RowLock::NoKeyUpdate).is_err() {
                        continue;
                    }
                    let mut out = vec![];
                    let l = t.get_latest(w.tree, b"hot", &mut out).unwrap();
                    if iso == Isolation::RepeatableRead && l.ts > snap.ts() {
                        continue;
                    }
                    let n = number(&out);
                    assert_eq!(n, acked + flying.len() as u64, "seed {seed}: a lost update");
                    drop(snap);
                    t.put(w.tree, b"hot", &(n + 1).to_le_bytes()).unwrap();
                    t.put(w.tree, &[b"n", &n.to_be_bytes()[..]].concat(), b"").unwrap();
                    match r.below(6) {
                        0 => t.rollback(),
                        1 => open.push(t),
                        2 => flying.push((n, t.submit().unwrap())),
                        _ => {
                            w.want(b"hot");
                            flying.push((n, t.submit().unwrap()));
                        }
                    }
                }
                7 => {
                    if let Some(t) = open.pop() {
                        if t.tied() && r.chance(2) {
                            t.settle().unwrap();
                            // The transaction that holds the row has met all before it.
                            assert!(flying.iter().all(|f| f.1.poll(&w.s).is_some()), "seed {seed}");
                        }
                        let n = acked + flying.len() as u64;
                        flying.push((n, t.submit().unwrap()));
                    }
                }
                8 => drop(open.pop()),
                9..12 => {
                    w.s.step_log();
                }
                12..15 => {
                    w.s.step_applier();
                }
                _ => {
                    if r.chance(3) {
                        w.s.request_checkpoint();
                    }
                    w.s.step_checkpoint();
                }
            }
            while let Some(f) = flying.first()
                && let Some(ts) = f.1.poll(&w.s)
            {
                ts.unwrap();
                assert_eq!(f.0, acked, "seed {seed}");
                flying.remove(0);
                acked += 1;
                assert!(w.value() >= acked, "seed {seed}");
            }
        }
        drop(open);
        let most = acked + flying.len() as u64;
        w.crash();
        let now = w.value();
        assert!((acked..=most).contains(&now), "seed {seed}: {now}, acknowledged {acked}, submitted {most}");
        let rows = all(&w.s, w.tree).iter().filter(|r| r.0.starts_with(b"n")).count() as u64;
        assert_eq!(rows, now, "seed {seed}: a torn chain");
        flying.clear();
        acked = now;
    }
}

/// Real threads: every acknowledged increment counts once, and no two saw the same value.
#[test]
fn threads_on_one_row() {
    let disk = SimDisk::new(7);
    let s = Shard::open(Arc::new(disk.clone()), options()).unwrap();
    let t = s.begin(RC, false, Arc::default());
    let tree = t.create_tree().unwrap();
    t.put(tree, b"hot", &0u64.to_le_bytes()).unwrap();
    t.commit().unwrap();
    const EACH: u64 = 400;
    let mut seen: Vec<u64> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8)
            .map(|i| {
                let s = &s;
                scope.spawn(move || {
                    let mut seen = vec![];
                    for n in 0..EACH {
                        let t = s.begin(RC, false, Arc::default());
                        drop(t.statement());
                        t.lock_row(tree, b"hot", RowLock::NoKeyUpdate, WaitPolicy::Block).unwrap();
                        let mut out = vec![];
                        t.get_latest(tree, b"hot", &mut out).unwrap();
                        let v = number(&out);
                        if n % 7 == i {
                            // Somebody who changes their mind, and one who looks at a later statement's snapshot.
                            let snap = t.statement();
                            let mut seen = vec![];
                            assert!(t.get(&snap, tree, b"hot", &mut seen).unwrap());
                            assert_eq!(
                                number(&seen),
                                v,
                                "the row is locked: its newest version is what the statement sees"
                            );
                            continue;
                        }
                        t.put(tree, b"hot", &(v + 1).to_le_bytes()).unwrap();
                        t.commit().unwrap();
                        seen.push(v);
                    }
                    seen
                })
            })
            .collect();
        all.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    seen.sort();
    assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
    s.close().unwrap();
    drop(s);
    let s = Shard::open(Arc::new(disk), options()).unwrap();
    assert_eq!(number(&all(&s, tree)[0].1), seen.len() as u64);
    s.close().unwrap();
}
