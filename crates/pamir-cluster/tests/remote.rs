//! Transactions of a node that does not lead, at the leader's host in the same process: the same answers as a local one's, what is told and what is called, waits that end, and lines that break.
#[path = "../../pamir-txn/tests/common/mod.rs"]
mod common;
#[path = "../../pamir-txn/tests/random_calls/mod.rs"]
mod random_calls;
use common::*;
use pamir_cluster::remote::rig::{Fate, Inline, LEADER, NEAR, Pool, Rig};
use pamir_cluster::remote::wire::Kind;
use pamir_error::Error;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A rig over a shard with threads.
fn rig(late: Option<Duration>) -> (Rig, TreeId) {
    rig_with(options(), late)
}
fn rig_of(options: ShardOptions) -> (Rig, TreeId) {
    rig_with(options, None)
}
fn rig_with(options: ShardOptions, late: Option<Duration>) -> (Rig, TreeId) {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), options).unwrap();
    let rig = Rig::new(shard, Arc::<Pool>::default(), late).unwrap();
    let t = begin_far(&rig);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    (rig, tree)
}
fn begin_far(rig: &Rig) -> Txn {
    rig.engine.begin(Isolation::ReadCommitted, false, Arc::default())
}
fn code(e: &Error) -> String {
    e.code().as_str().to_string()
}
fn put(rig: &Rig, tree: TreeId, key: &[u8], value: &[u8]) {
    let t = begin_far(rig);
    t.put(tree, key, value).unwrap();
    t.commit().unwrap();
}
fn read(rig: &Rig, tree: TreeId, key: &[u8]) -> Option<Vec<u8>> {
    let t = begin_far(rig);
    let (s, mut out) = (t.statement(), vec![]);
    t.get(&s, tree, key, &mut out).unwrap().then_some(out)
}
fn stat(rig: &Rig, name: &str) -> u64 {
    rig.shard.stats().iter().find(|s| s.0 == name).unwrap().1
}
fn soon(what: &str, f: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !f() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn as_a_local_transaction() {
    random_calls::as_a_local_transaction(200, &|shard| Rig::new(shard, Arc::new(Inline), None).unwrap().engine);
}

/// What is begun and not used costs nothing; notes ride on calls.
#[test]
fn messages() {
    let (rig, tree) = rig(None);
    soon("the first one is over", || rig.is_empty());
    let (requests, notes) = (&rig.between.requests_sent, &rig.between.notes_sent);
    let counted = |f: &dyn Fn()| {
        let before = (requests.load(Ordering::SeqCst), notes.load(Ordering::SeqCst));
        f();
        (requests.load(Ordering::SeqCst) - before.0, notes.load(Ordering::SeqCst) - before.1)
    };
    let idle = || {
        let t = begin_far(&rig);
        t.set_process(7);
        t.set_limits(Some(Duration::from_secs(1)), None);
        for _ in 0..10 {
            let (s, sp) = (t.statement(), t.savepoint());
            drop(s);
            t.rollback_to(sp);
            t.release(sp);
        }
        t.expect_writes(1, 2);
        t.commit().unwrap();
        begin_far(&rig).rollback();
    };
    assert_eq!(counted(&idle), (0, 0));
    let select = || {
        let t = begin_far(&rig);
        let s = t.statement();
        assert!(!t.get(&s, tree, b"a", &mut vec![]).unwrap());
        assert_eq!(s.ts(), rig.shard.applied_ts());
        t.settle().unwrap();
        drop(s);
        t.commit().unwrap();
    };
    assert_eq!(counted(&select), (1, 1));
    let update = || {
        let t = begin_far(&rig);
        t.statement();
        t.claim(tree, b"a", RowLock::NoKeyUpdate, &mut vec![]).unwrap();
        t.put(tree, b"a", b"1").unwrap();
        t.commit().unwrap();
    };
    assert_eq!(counted(&update), (3, 0));
    assert_eq!(read(&rig, tree, b"a").unwrap(), b"1");
    assert!(rig.is_empty());
    assert_eq!(rig.engine.open_transactions(), 0);
}

/// An idle transaction holds no history back.
#[test]
fn snapshots_that_are_dropped() {
    let (rig, tree) = rig(None);
    let t = begin_far(&rig);
    let s = t.statement();
    t.get(&s, tree, b"a", &mut vec![]).unwrap();
    put(&rig, tree, b"a", b"1");
    assert!(!t.get(&s, tree, b"a", &mut vec![]).unwrap());
    assert_eq!(stat(&rig, "snapshots"), 1);
    drop(s);
    rig.engine.tell_idle();
    soon("the snapshot is given up", || stat(&rig, "snapshots") == 0);
    let s = t.statement();
    assert!(t.get(&s, tree, b"a", &mut vec![]).unwrap());
    drop((s, t));
    assert!(rig.is_empty());
}

#[test]
fn callbacks_and_catalogs() {
    let (rig, tree) = rig(None);
    rig.catalog_version.store(7, Ordering::SeqCst);
    let t = begin_far(&rig);
    t.lock_table(5, TableLock::AccessShare, WaitPolicy::Block).unwrap();
    assert_eq!(rig.signpost.catalogs.lock().last(), Some(&7));
    let ran = Arc::new(AtomicU64::new(0));
    let guide = rig.signpost.clone();
    let note = |ran: &Arc<AtomicU64>| {
        let (ran, guide) = (ran.clone(), guide.clone());
        Box::new(move |ts: Ts| {
            assert_eq!(guide.applied.lock().last(), Some(&ts));
            ran.store(ts, Ordering::SeqCst);
        })
    };
    t.on_commit(note(&ran));
    let undone = Arc::new(AtomicU64::new(0));
    let sp = t.savepoint();
    t.on_commit(note(&undone));
    t.put(tree, b"b", b"").unwrap();
    assert!(t.has_writes());
    t.rollback_to(sp);
    assert!(!t.has_writes());
    t.put(tree, b"a", b"1").unwrap();
    let ts = t.commit().unwrap();
    assert_eq!((ran.load(Ordering::SeqCst), undone.load(Ordering::SeqCst)), (ts, 0));
    assert_eq!(read(&rig, tree, b"b"), None);
    // Those of a prepared one run when it is committed.
    let t = begin_far(&rig);
    t.put(tree, b"c", b"1").unwrap();
    t.on_commit(note(&ran));
    t.prepare("gid", "me", "db").unwrap();
    assert_eq!(ran.load(Ordering::SeqCst), ts);
    assert_eq!(rig.engine.prepared().unwrap().len(), 1);
    let later = rig.engine.commit_prepared("gid").unwrap();
    assert_eq!(ran.load(Ordering::SeqCst), later);
    assert_eq!(code(&rig.engine.rollback_prepared("gid").unwrap_err()), "42704");
    assert!(rig.is_empty());
}

/// A table's lock goes with the first call, and that call is made for the newest definitions or not at all.
#[test]
fn table_locks_with_the_first_call() {
    let (rig, tree) = rig(None);
    put(&rig, tree, b"a", b"1");
    let requests = &rig.between.requests_sent;
    let select = |share: TableLock| {
        let t = begin_far(&rig);
        t.set_process(7);
        t.lock_table_ahead(90, share).unwrap();
        let s = t.statement();
        let mut value = vec![];
        let got = t.get(&s, tree, b"a", &mut value).map(|_| value);
        drop(s);
        (t, got)
    };
    let before = requests.load(Ordering::SeqCst);
    let (t, got) = select(TableLock::AccessShare);
    assert_eq!(got.unwrap(), b"1");
    assert_eq!(t.tables_read(), Some(vec![90]));
    // What is known to be held is not asked for, what is stronger is.
    t.lock_table(90, TableLock::AccessShare, WaitPolicy::Block).unwrap();
    assert_eq!(requests.load(Ordering::SeqCst) - before, 1);
    t.lock_table_ahead(90, TableLock::RowExclusive).unwrap();
    assert_eq!(requests.load(Ordering::SeqCst) - before, 2);
    let here = rig.shard.begin(Isolation::ReadCommitted, false, Arc::default());
    assert_eq!(here.lock_table(90, TableLock::AccessExclusive, WaitPolicy::Skip).unwrap(), LockOutcome::Skipped);
    t.commit().unwrap();
    // Whoever changes the table is waited for, and the snapshot is younger than what that one did.
    here.lock_table(90, TableLock::AccessExclusive, WaitPolicy::Block).unwrap();
    here.put(tree, b"a", b"2").unwrap();
    std::thread::scope(|s| {
        let waits = s.spawn(|| select(TableLock::AccessShare).1.unwrap());
        soon("it waits", || !rig.shard.waiting_processes().is_empty());
        here.commit().unwrap();
        assert_eq!(waits.join().unwrap(), b"2");
    });
    // Definitions that are newer than the plan's.
    let changed = rig.shard.applied_ts() + 1;
    rig.catalog_version.store(changed, Ordering::SeqCst);
    let (t, got) = select(TableLock::AccessShare);
    let e = got.unwrap_err();
    assert!(e.is_of_lost_leader() && code(&e) == "40001", "{e:?}");
    assert_eq!(rig.signpost.catalogs.lock().last(), Some(&changed));
    assert!(t.get(&t.statement(), tree, b"a", &mut vec![]).is_err(), "it is over");
    drop(t);
    // A transaction that was heard of takes its locks at once, and hears of the catalog.
    let t = begin_far(&rig);
    assert!(t.get(&t.statement(), tree, b"a", &mut vec![]).unwrap());
    let before = requests.load(Ordering::SeqCst);
    t.lock_table_ahead(90, TableLock::RowShare).unwrap();
    assert_eq!(requests.load(Ordering::SeqCst) - before, 1);
    drop(t);
    assert!(rig.is_empty());
}

/// Whatever ends a wait here ends it at the host.
#[test]
fn waits_end() {
    let (rig, tree) = rig(None);
    let holder = begin_far(&rig);
    holder.claim(tree, b"k", RowLock::Update, &mut vec![]).unwrap();
    let blocked = |cancel: Arc<Cancel>, limits: (Option<Duration>, Option<Duration>)| {
        let t = rig.engine.begin(Isolation::ReadCommitted, false, cancel);
        t.set_limits(limits.0, limits.1.map(|d| Instant::now() + d));
        let sp = t.savepoint();
        t.put(tree, b"other", b"").unwrap();
        t.flush().unwrap();
        let e = t.claim(tree, b"k", RowLock::Update, &mut vec![]).unwrap_err();
        (t, sp, code(&e))
    };
    let ms = |n| Some(Duration::from_millis(n));
    let (t, sp, e) = blocked(Arc::default(), (ms(30), None));
    assert_eq!(e, "55P03");
    // It goes on from the savepoint.
    t.rollback_to(sp);
    t.put(tree, b"free", b"1").unwrap();
    t.commit().unwrap();
    let (t, _, e) = blocked(Arc::default(), (None, ms(60)));
    assert_eq!(e, "57014");
    soon("the deadline ends the wait there", || stat(&rig, "lock_waiting") == 0);
    drop(t);
    for why in [CancelReason::User, CancelReason::Terminate] {
        let cancel = Arc::<Cancel>::default();
        let (t, sp, e) = std::thread::scope(|s| {
            let c = cancel.clone();
            let rig = &rig;
            s.spawn(move || {
                soon("it waits", || stat(rig, "lock_waiting") == 1);
                c.request(why);
            });
            blocked(cancel.clone(), (None, None))
        });
        assert_eq!(e, if why == CancelReason::User { "57014" } else { "57P01" });
        soon("a cancel ends the wait there", || stat(&rig, "lock_waiting") == 0);
        if why == CancelReason::User {
            cancel.reset();
            t.rollback_to(sp);
            assert!(!t.claim(tree, b"other", RowLock::Update, &mut vec![]).unwrap().exists);
            t.commit().unwrap();
        }
    }
    drop(holder);
    assert_eq!(read(&rig, tree, b"free").unwrap(), b"1");
    assert!(rig.is_empty());
}

/// Of two that wait for each other one is told, with the processes that its sessions said.
#[test]
fn deadlocks() {
    let (rig, tree) = rig(None);
    let [a, b] = [1, 2].map(|pid| {
        let t = begin_far(&rig);
        t.set_process(pid);
        t.claim(tree, &[pid as u8], RowLock::Update, &mut vec![]).unwrap();
        t
    });
    let e = std::thread::scope(|s| {
        let rig = &rig;
        let one = s.spawn(move || a.claim(tree, &[2], RowLock::Update, &mut vec![]).map(|_| a));
        soon("it waits", || stat(rig, "lock_waiting") == 1);
        assert_eq!(rig.engine.waiting_processes(), [(1, LockTarget::Row(tree))]);
        let e = b.claim(tree, &[1], RowLock::Update, &mut vec![]).unwrap_err();
        drop(b);
        one.join().unwrap().unwrap();
        e
    });
    assert_eq!(code(&e), "40P01");
    assert!(e.data().detail.as_deref().unwrap().contains("Process 2 waits"), "{e:?}");
    assert!(rig.is_empty());
}

#[test]
fn many_large_values() {
    let (rig, tree) = rig(None);
    let value = vec![7; 100_000];
    let mut keys = Keys::default();
    let t = begin_far(&rig);
    for i in 0..40u8 {
        t.put(tree, &[i], &value).unwrap();
        keys.push(tree, &[i], &[]);
    }
    t.commit().unwrap();
    let t = begin_far(&rig);
    let s = t.statement();
    let mut values = Values::default();
    t.get_many(&s, &keys, &mut values).unwrap();
    assert!(values.len() == 40 && values.iter().all(|v| v.0 && v.2 == value));
    let mut claims = Claims::default();
    t.claim_many(&keys, RowLock::Update, Until::End, &mut claims).unwrap();
    assert!(claims.len() == 40 && claims.iter().all(|c| c.0.exists && c.2 == value));
    let mut claims = Claims::default();
    t.claim_many(&keys, RowLock::Update, Until::Taken, &mut claims).unwrap();
    assert_eq!(claims.len(), 1);
    let mut scan = t.scan(&s, tree, b"", None, Dir::Backward).unwrap();
    let mut n = 0;
    while let Some((k, v)) = scan.next(&t).unwrap() {
        assert!(k == [39 - n] && v == value);
        n += 1;
    }
    assert_eq!(n, 40);
    // One that is not read to its end is given up.
    let mut scan = t.scan(&s, tree, b"", None, Dir::Forward).unwrap();
    assert!(scan.next(&t).unwrap().is_some());
    drop((scan, s, t));
    assert!(rig.is_empty());
}

/// Long messages go in pieces; where there is no room they wait, and so do notes.
#[test]
fn pieces_and_no_room() {
    let (rig, tree) = rig(None);
    let value: Vec<u8> = (0..9 << 20).map(|i: u32| (i % 251) as u8).collect();
    let full = &rig.between.full;
    std::thread::scope(|s| {
        full.store(true, Ordering::SeqCst);
        s.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            full.store(false, Ordering::SeqCst);
        });
        put(&rig, tree, b"long", &value);
    });
    let t = begin_far(&rig);
    t.claim(tree, b"long", RowLock::Update, &mut vec![]).unwrap();
    full.store(true, Ordering::SeqCst);
    drop(t);
    assert_eq!(rig.host.counts().0, 1);
    full.store(false, Ordering::SeqCst);
    rig.requests.flush();
    assert_eq!(rig.host.counts().0, 0);
    assert!(read(&rig, tree, b"long").unwrap() == value);
    // Who may not wait any longer is told that the line is lost.
    let t = begin_far(&rig);
    t.set_limits(None, Some(Instant::now() + Duration::from_millis(20)));
    full.store(true, Ordering::SeqCst);
    assert_eq!(code(&t.claim(tree, b"long", RowLock::Update, &mut vec![]).unwrap_err()), "40001");
    drop(t);
    full.store(false, Ordering::SeqCst);
    rig.requests.flush();
    assert!(rig.is_empty());
}

#[test]
fn sequences_and_ids() {
    let (rig, _) = rig(None);
    let def = SequenceDef { start: 5, increment: -2, min: -100, max: 100, cycle: false };
    let e = &rig.engine;
    assert_eq!(e.seq_read(9).unwrap(), None);
    assert_eq!((e.seq_next(9, &def).unwrap(), e.seq_next(9, &def).unwrap()), (5, 3));
    let mut many = vec![];
    e.seq_next_many(9, &def, 60, &mut many).unwrap();
    assert_eq!((many[0], *many.last().unwrap(), many.len()), (1, -99, 51));
    e.seq_set(9, -7, true).unwrap();
    assert_eq!(e.seq_read(9).unwrap(), Some((-7, true)));
    let (a, b) = (e.next_id(3).unwrap(), e.next_id(3).unwrap());
    assert!(a < b);
    let mut ids = vec![];
    begin_far(&rig).next_ids(3, 3000, &mut ids).unwrap();
    assert!(ids.len() == 3000 && ids[0] > b && ids.is_sorted());
    assert!(rig.is_empty());
}

#[test]
fn session_locks() {
    let (rig, _) = rig(None);
    let mode = TableLock::Exclusive;
    let mut a = rig.engine.session_locks();
    let mut b = rig.engine.session_locks();
    let t = begin_far(&rig);
    t.join(&a);
    let take = |t: &Txn, l: &mut SessionLocks, p| t.lock_for_session(l, 77, mode, p);
    assert_eq!(take(&t, &mut a, WaitPolicy::Block).unwrap(), LockOutcome::Granted);
    assert_eq!(take(&t, &mut a, WaitPolicy::Block).unwrap(), LockOutcome::Granted);
    // Own locks are not in a session's own way.
    assert_eq!(t.lock_table(77, mode, WaitPolicy::NoWait).unwrap(), LockOutcome::Granted);
    t.commit().unwrap();
    let t = begin_far(&rig);
    t.join(&b);
    assert_eq!(take(&t, &mut b, WaitPolicy::Skip).unwrap(), LockOutcome::Skipped);
    assert!(a.unlock(77, mode) && a.holds(77));
    assert_eq!(take(&t, &mut b, WaitPolicy::Skip).unwrap(), LockOutcome::Skipped);
    assert!(a.unlock(77, mode) && !a.holds(77) && !a.unlock(77, mode));
    assert_eq!(take(&t, &mut b, WaitPolicy::Skip).unwrap(), LockOutcome::Granted);
    // A wait for one ends when it is freed by its session's end.
    let waits = begin_far(&rig);
    std::thread::scope(|s| {
        let a = &mut a;
        let w = s.spawn(move || take(&waits, a, WaitPolicy::Block).unwrap());
        soon("it waits", || stat(&rig, "lock_waiting") == 1);
        drop(b);
        assert_eq!(w.join().unwrap(), LockOutcome::Granted);
    });
    drop(t);
    // Lost with the leader.
    let t = begin_far(&rig);
    let mut d = rig.engine.session_locks();
    t.lock_for_session(&mut d, 79, mode, WaitPolicy::Block).unwrap();
    drop(t);
    rig.between.cut();
    assert!(d.holds(79) && !d.unlock(79, mode) && !d.holds(79));
    drop(d);
    rig.reconnect();
    let mut c = rig.engine.session_locks();
    let t = begin_far(&rig);
    assert_eq!(take(&t, &mut c, WaitPolicy::Skip).unwrap(), LockOutcome::Granted);
    assert_eq!(take(&t, &mut a, WaitPolicy::Skip).unwrap(), LockOutcome::Skipped);
    assert!(!a.holds(77));
    c.unlock_all();
    assert_eq!(take(&t, &mut a, WaitPolicy::Skip).unwrap(), LockOutcome::Granted);
    // Where this node leads itself by now, they are its own.
    drop(t);
    rig.signpost.leads.store(true, Ordering::SeqCst);
    let t = begin_far(&rig);
    assert!(!t.far());
    assert_eq!(take(&t, &mut c, WaitPolicy::Skip).unwrap(), LockOutcome::Skipped);
    assert_eq!(t.lock_for_session(&mut c, 78, mode, WaitPolicy::Skip).unwrap(), LockOutcome::Granted);
    drop((t, a, c));
    assert!(rig.is_empty());
}

// ---- lines that break ----
#[test]
fn a_line_that_is_lost() {
    let (rig, tree) = rig(None);
    let t = begin_far(&rig);
    t.put(tree, b"a", b"1").unwrap();
    t.flush().unwrap();
    rig.between.cut();
    let e = t.get_latest(tree, b"b", &mut vec![]).unwrap_err();
    assert_eq!(code(&e), "40001");
    assert!(e.data().hint.is_some());
    assert_eq!(code(&t.commit().unwrap_err()), "40001");
    // Without a connection, and without a leader.
    let soon_over = || {
        let t = begin_far(&rig);
        t.set_limits(None, Some(Instant::now() + Duration::from_millis(50)));
        t
    };
    assert_eq!(code(&soon_over().claim(tree, b"a", RowLock::Update, &mut vec![]).unwrap_err()), "40001");
    rig.signpost.set_line(None);
    let t = begin_far(&rig);
    t.set_limits(None, Some(Instant::now() + Duration::from_millis(20)));
    assert_eq!(code(&t.claim(tree, b"a", RowLock::Update, &mut vec![]).unwrap_err()), "57014");
    drop(t);
    rig.reconnect();
    assert_eq!(read(&rig, tree, b"a"), None);
    assert!(rig.is_empty());
}

/// A transaction that nobody has heard of waits for a leader, with all that it noted.
#[test]
fn a_first_call_finds_the_next_leader() {
    let (rig, tree) = rig(None);
    put(&rig, tree, b"a", b"1");
    for to in [LEADER, NEAR] {
        rig.between.fault(Some(Box::new(move |at, _| if at == to { Fate::Cut } else { Fate::Deliver })));
        let t = begin_far(&rig);
        t.set_process(5);
        let snap = t.statement();
        let sp = t.savepoint();
        std::thread::scope(|s| {
            s.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                rig.between.fault(None);
                rig.host.end_all();
                rig.reconnect();
                std::thread::sleep(Duration::from_millis(30));
                rig.host.begin();
            });
            let mut out = vec![];
            assert!(t.get(&snap, tree, b"a", &mut out).unwrap() && out == b"1");
        });
        assert_eq!(snap.ts(), rig.shard.applied_ts());
        t.put(tree, b"b", b"1").unwrap();
        t.flush().unwrap();
        t.rollback_to(sp);
        t.put(tree, b"c", b"1").unwrap();
        drop(snap);
        t.commit().unwrap();
        assert!(read(&rig, tree, b"b").is_none() && read(&rig, tree, b"c").is_some());
        assert!(rig.is_empty() && rig.engine.open_transactions() == 0);
    }
}

/// The outcome of a commit whose answer is lost is unknown, and said so.
#[test]
fn a_commit_that_is_lost() {
    let (rig, tree) = rig(None);
    for (to, fate, there) in [(NEAR, Fate::Cut, true), (LEADER, Fate::Cut, false)] {
        let key = [there as u8];
        let t = begin_far(&rig);
        t.put(tree, &key, b"1").unwrap();
        t.flush().unwrap();
        let id = t.id();
        // Nobody can be asked before this.
        t.set_limits(None, Some(Instant::now() + Duration::from_millis(50)));
        rig.between.fault(Some(Box::new(move |at, kind| {
            if at == to && matches!(kind, Kind::Request | Kind::Answer) { fate } else { Fate::Deliver }
        })));
        let e = t.commit().unwrap_err();
        assert_eq!(code(&e), "08007");
        assert!(e.data().detail.as_deref().unwrap().contains(&id.to_string()), "{e:?}");
        rig.between.fault(None);
        rig.reconnect();
        assert_eq!(read(&rig, tree, &key).is_some(), there);
    }
    assert!(rig.is_empty());
}

/// Where somebody can be asked in time, it is told: the outcome is what is there.
#[test]
fn a_commit_that_is_lost_and_asked_for() {
    let (rig, tree) = rig_of(ShardOptions { outcomes: true, ..options() });
    for (n, to) in [NEAR, LEADER, NEAR, LEADER].into_iter().enumerate() {
        let (key, there) = ([n as u8], to == NEAR);
        // Half of them hear of the next leader in time.
        let in_time = n < 2;
        let t = begin_far(&rig);
        t.put(tree, &key, b"1").unwrap();
        t.flush().unwrap();
        let id = t.id();
        assert_eq!(rig.engine.outcome(id).unwrap(), Outcome::InProgress);
        t.set_limits(None, Some(Instant::now() + Duration::from_millis(if in_time { 10_000 } else { 50 })));
        rig.between.fault(Some(Box::new(move |at, kind| {
            if at == to && matches!(kind, Kind::Request | Kind::Answer) { Fate::Cut } else { Fate::Deliver }
        })));
        let got = std::thread::scope(|s| {
            s.spawn(|| {
                std::thread::sleep(Duration::from_millis(if in_time { 20 } else { 500 }));
                rig.between.fault(None);
                rig.reconnect();
            });
            t.commit()
        });
        match (in_time, there) {
            (true, true) => assert!(got.is_ok(), "{got:?}"),
            (true, false) => {
                assert!(got.as_ref().is_err_and(|e| e.is_of_lost_leader() && code(e) == "40001"), "{got:?}")
            }
            (false, _) => {
                let e = got.unwrap_err();
                assert!(code(&e) == "08007" && !e.is_of_lost_leader(), "{e:?}");
                assert!(e.data().hint.as_deref().is_some_and(|h| h.contains(&format!("transaction_outcome({id})"))));
            }
        }
        assert_eq!(read(&rig, tree, &key).is_some(), there);
        let want = if there { Outcome::Committed } else { Outcome::Aborted };
        assert_eq!(rig.engine.outcome(id).unwrap(), want);
    }
    // A commit that waits at the host is not called void before it is.
    let t = begin_far(&rig);
    t.put(tree, b"late", b"1").unwrap();
    t.flush().unwrap();
    let id = t.id();
    rig.between.fault(Some(Box::new(
        |at, kind| if at == LEADER && kind == Kind::Request { Fate::Hold } else { Fate::Deliver },
    )));
    std::thread::scope(|s| {
        let rig = &rig;
        let c = s.spawn(move || t.commit());
        std::thread::sleep(Duration::from_millis(50));
        rig.between.fault(None);
        assert_eq!(rig.engine.outcome(id).unwrap(), Outcome::InProgress);
        rig.between.release();
        c.join().unwrap().unwrap();
    });
    assert_eq!(rig.engine.outcome(id).unwrap(), Outcome::Committed);
    // PREPARE TRANSACTION likewise.
    let t = begin_far(&rig);
    t.put(tree, b"prepared", b"1").unwrap();
    t.flush().unwrap();
    let id = t.id();
    rig.between
        .fault(Some(Box::new(|at, kind| if at == NEAR && kind == Kind::Answer { Fate::Cut } else { Fate::Deliver })));
    std::thread::scope(|s| {
        s.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            rig.between.fault(None);
            rig.reconnect();
        });
        t.prepare("g", "o", "d").unwrap();
    });
    assert_eq!(rig.engine.outcome(id).unwrap(), Outcome::Prepared);
    rig.engine.rollback_prepared("g").unwrap();
    assert_eq!(rig.engine.outcome(id).unwrap(), Outcome::Aborted);
    assert!(rig.is_empty());
}

/// A transaction that has only read is not missed when its leader goes; one that holds something is.
#[test]
fn what_a_lost_transaction_held() {
    let (rig, tree) = rig(None);
    put(&rig, tree, b"a", b"1");
    let share = TableLock::AccessShare;
    for holds in [false, true] {
        let t = begin_far(&rig);
        let s = t.statement();
        t.lock_table(90, share, WaitPolicy::Block).unwrap();
        assert!(t.get(&s, tree, b"a", &mut vec![]).unwrap());
        assert_eq!(t.tables_read(), Some(vec![90]));
        if holds {
            t.lock_row(tree, b"a", RowLock::KeyShare, WaitPolicy::Block).unwrap();
            assert_eq!(t.tables_read(), None);
        }
        rig.between.cut();
        let e = t.get(&s, tree, b"b", &mut vec![]).unwrap_err();
        assert!(e.is_of_lost_leader(), "{e:?}");
        drop(s);
        assert_eq!(t.commit().is_ok(), !holds);
        rig.reconnect();
    }
    assert!(rig.is_empty());
}

/// While the leadership is about to go nothing begins, and what is open goes on.
#[test]
fn a_hold() {
    let (rig, tree) = rig_of(ShardOptions { outcomes: true, ..options() });
    let open = begin_far(&rig);
    open.put(tree, b"a", b"1").unwrap();
    open.flush().unwrap();
    rig.host.hold(true);
    assert!(!rig.shard.is_quiet());
    std::thread::scope(|s| {
        let new = s.spawn(|| put(&rig, tree, b"b", b"1"));
        std::thread::sleep(Duration::from_millis(50));
        assert!(!new.is_finished());
        open.put(tree, b"c", b"1").unwrap();
        open.commit().unwrap();
        assert!(rig.shard.is_quiet());
        assert!(!new.is_finished());
        rig.host.hold(false);
        new.join().unwrap();
    });
    assert!(read(&rig, tree, b"b").is_some() && read(&rig, tree, b"c").is_some() && rig.is_empty());
}

/// An answer after the call was given up changes nothing.
#[test]
fn answers_that_come_late() {
    let (rig, tree) = rig(None);
    put(&rig, tree, b"a", b"1");
    let cancel = Arc::<Cancel>::default();
    let t = rig.engine.begin(Isolation::ReadCommitted, false, cancel.clone());
    let sp = t.savepoint();
    let s = t.statement();
    rig.between.fault(Some(Box::new(|at, _| if at == NEAR { Fate::Hold } else { Fate::Deliver })));
    let e = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            cancel.request(CancelReason::User);
        });
        t.get(&s, tree, b"a", &mut vec![]).unwrap_err()
    });
    assert_eq!(code(&e), "57014");
    rig.between.fault(None);
    rig.between.release();
    cancel.reset();
    t.rollback_to(sp);
    let mut out = vec![];
    assert!(t.get(&s, tree, b"a", &mut out).unwrap() && out == b"1");
    drop(s);
    t.put(tree, b"a", b"2").unwrap();
    t.commit().unwrap();
    assert_eq!(read(&rig, tree, b"a").unwrap(), b"2");
    assert!(rig.is_empty());
}

/// A note that is missing ends the transaction: what follows it may rest on it.
#[test]
fn a_note_that_is_missing() {
    let (rig, tree) = rig(None);
    let t = begin_far(&rig);
    t.put(tree, b"a", b"1").unwrap();
    t.flush().unwrap();
    let sp = t.savepoint();
    t.put(tree, b"b", b"1").unwrap();
    t.flush().unwrap();
    rig.between.fault(Some(Box::new(|_, kind| if kind == Kind::Note { Fate::Hold } else { Fate::Deliver })));
    t.rollback_to(sp);
    rig.between.fault(None);
    assert_eq!(code(&t.commit().unwrap_err()), "40001");
    rig.between.release();
    assert_eq!(read(&rig, tree, b"a"), None);
    assert!(rig.is_empty());
}

#[test]
fn the_leader_leads_no_longer() {
    let (rig, tree) = rig(None);
    let holder = begin_far(&rig);
    holder.claim(tree, b"k", RowLock::Update, &mut vec![]).unwrap();
    let mut locks = rig.engine.session_locks();
    holder.lock_for_session(&mut locks, 5, TableLock::Share, WaitPolicy::Block).unwrap();
    std::thread::scope(|s| {
        let waiters: Vec<_> = (0..4)
            .map(|_| {
                let rig = &rig;
                s.spawn(move || begin_far(rig).claim(tree, b"k", RowLock::Update, &mut vec![]).unwrap_err())
            })
            .collect();
        soon("they wait", || stat(&rig, "lock_waiting") == 4);
        rig.host.end_all();
        for w in waiters {
            assert_eq!(code(&w.join().unwrap()), "40001");
        }
    });
    assert_eq!(code(&holder.put(tree, b"k", b"").and_then(|()| holder.flush()).unwrap_err()), "40001");
    assert!(rig.is_empty());
    let soon_over = || {
        let t = begin_far(&rig);
        t.set_limits(None, Some(Instant::now() + Duration::from_millis(50)));
        t.claim(tree, b"k", RowLock::Update, &mut vec![]).unwrap_err()
    };
    assert_eq!(code(&soon_over()), "40001");
    drop(holder);
    rig.host.begin();
    rig.requests.lost(LEADER);
    assert_eq!(code(&soon_over()), "40001");
    rig.signpost.set_line(Some(rig.requests.line(LEADER)));
    put(&rig, tree, b"k", b"1");
    drop(locks);
    assert!(rig.is_empty());
}

/// A group of one replica, whose log is nowhere.
struct Alone;
impl Journal for Alone {
    fn state(&self) -> Vec<u8> {
        vec![]
    }
    fn durable(&self) -> u64 {
        u64::MAX
    }
    fn release(&self, _: u64, _: &Entered) -> pamir_error::Result<()> {
        Ok(())
    }
    fn failed(&self) -> bool {
        false
    }
}
/// Its batches are decided at once, as long as `ends` does not say otherwise.
fn decide(shard: &Shard, ends: &AtomicU64) {
    let (mut lsn, mut index) = (1000, 1);
    while ends.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(Duration::from_micros(200));
        while let Some(batch) = shard.close_batch(1 << 20) {
            let ends: Vec<u64> = batch
                .records()
                .map(|r| {
                    lsn += r.len() as u64;
                    lsn
                })
                .collect();
            (lsn, index) = (lsn + 1, index + 1);
            shard.decided(batch, &ends, Entered { id: EntryId { term: 1, index }, group: Arc::new([]) }, lsn);
        }
    }
}

/// Has it end, also where a test fails.
struct End<'a>(&'a AtomicU64);
impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(1, Ordering::SeqCst);
    }
}

/// What was read is told only while no other node can lead.
#[test]
fn leases() {
    let disk = Arc::new(SimDisk::new(1));
    let waker = std::task::Waker::noop().clone();
    let shard = ReplicaRecovery::begin(disk, options(), Arc::new(Alone), waker, false).unwrap().finish(0).unwrap();
    shard.lead();
    let lease = || shard.extend_lease(Instant::now() + Duration::from_secs(60));
    lease();
    let ends = AtomicU64::new(0);
    std::thread::scope(|s| {
        s.spawn(|| decide(&shard, &ends));
        let _end = End(&ends);
        let rig = Arc::new(Rig::new(shard.clone(), Arc::<Pool>::default(), None).unwrap());
        let t = begin_far(&rig);
        let tree = t.create_tree().unwrap();
        t.put(tree, b"a", b"1").unwrap();
        t.commit().unwrap();
        shard.end_lease();
        let of = rig.clone();
        let reader = s.spawn(move || read(&of, tree, b"a"));
        std::thread::sleep(Duration::from_millis(30));
        assert!(!reader.is_finished());
        lease();
        assert_eq!(reader.join().unwrap().unwrap(), b"1");
        // Not longer than it may take.
        shard.end_lease();
        let t = begin_far(&rig);
        t.set_limits(None, Some(Instant::now() + Duration::from_millis(30)));
        let snap = t.statement();
        assert_eq!(code(&t.get(&snap, tree, b"a", &mut vec![]).unwrap_err()), "57014");
        drop((snap, t));
        // Another node leads.
        lease();
        let writer = begin_far(&rig);
        writer.put(tree, b"a", b"2").unwrap();
        writer.flush().unwrap();
        shard.end_lease();
        let t = begin_far(&rig);
        let get = s.spawn(move || t.get_latest(tree, b"a", &mut vec![]).unwrap_err());
        std::thread::sleep(Duration::from_millis(30));
        assert!(!get.is_finished());
        let mut locks = shard.session_locks();
        let local = Txn::from(shard.begin(Isolation::ReadCommitted, false, Arc::default()));
        local.lock_for_session(&mut locks, 9, TableLock::Share, WaitPolicy::Block).unwrap();
        assert!(locks.holds(9));
        shard.follow();
        drop(local);
        assert_eq!(code(&get.join().unwrap()), "40001");
        assert_eq!(code(&writer.commit().unwrap_err()), "40001");
        rig.host.end_all();
        assert!(!locks.holds(9) && !locks.unlock(9, TableLock::Share));
        drop(locks);
        assert!(rig.is_empty());
    });
}

/// Sessions count up rows while the line breaks again and again: each hears one clear error or that it is done; nothing hangs, nothing is held, and the sum is what they were told.
#[test]
fn counting_over_lines_that_break() {
    for seed in seeds(3) {
        let late = (seed % 2 == 1).then_some(Duration::from_micros(200));
        let (rig, tree) = rig_with(ShardOptions { outcomes: seed != 0, ..options() }, late);
        const ROWS: u64 = 4;
        for k in 0..ROWS {
            put(&rig, tree, &[k as u8], &0u64.to_le_bytes());
        }
        let (done, unknown) = (AtomicU64::new(0), AtomicU64::new(0));
        let end = Instant::now() + Duration::from_secs(2);
        std::thread::scope(|s| {
            for n in 0..4 {
                let (rig, done, unknown) = (&rig, &done, &unknown);
                s.spawn(move || {
                    let mut r = Rng::new(seed * 100 + n);
                    while Instant::now() < end {
                        let cancel = Arc::<Cancel>::default();
                        let t = rig.engine.begin(Isolation::ReadCommitted, false, cancel);
                        t.set_limits(Some(Duration::from_secs(1)), Some(Instant::now() + Duration::from_secs(5)));
                        let mut add = || {
                            let s = t.statement();
                            let mut value = vec![];
                            t.get(&s, tree, &[r.below(ROWS) as u8], &mut value)?;
                            let key = [r.below(ROWS) as u8];
                            t.claim(tree, &key, RowLock::NoKeyUpdate, &mut value)?;
                            let sp = t.savepoint();
                            t.put(tree, &key, b"nothing")?;
                            t.flush()?;
                            t.rollback_to(sp);
                            t.claim(tree, &key, RowLock::NoKeyUpdate, &mut value)?;
                            let n = u64::from_le_bytes(value.as_slice().try_into().unwrap());
                            t.put(tree, &key, &(n + 1).to_le_bytes())
                        };
                        match add().and_then(|()| t.commit()) {
                            Ok(_) => _ = done.fetch_add(1, Ordering::SeqCst),
                            Err(e) => match code(&e).as_str() {
                                "08007" => _ = unknown.fetch_add(1, Ordering::SeqCst),
                                "40001" | "57P03" | "57014" => {}
                                other => panic!("{other}: {e:?}"),
                            },
                        }
                    }
                });
            }
            let mut r = Rng::new(seed);
            while Instant::now() < end {
                std::thread::sleep(Duration::from_millis(1 + r.below(20)));
                let (to, fate) = (*r.choose(&[NEAR, LEADER]), *r.choose(&[Fate::Cut, Fate::DeliverAndCut]));
                match r.below(4) {
                    0 => {
                        rig.host.end_all();
                        rig.host.begin();
                    }
                    1 => rig.between.cut(),
                    _ => rig.between.fault(Some(Box::new(move |at, _| if at == to { fate } else { Fate::Deliver }))),
                }
                std::thread::sleep(Duration::from_millis(r.below(5)));
                rig.between.fault(None);
                rig.between.cut();
                rig.reconnect();
            }
        });
        rig.between.fault(None);
        rig.between.cut();
        rig.reconnect();
        let number = |k| u64::from_le_bytes(read(&rig, tree, &[k]).unwrap().try_into().unwrap());
        let sum: u64 = (0..ROWS as u8).map(number).sum();
        let (done, unknown) = (done.into_inner(), unknown.into_inner());
        assert!(done > 0, "seed {seed}");
        assert!((done..=done + unknown).contains(&sum), "seed {seed}: {sum} of {done} and {unknown}");
        assert!(rig.is_empty(), "seed {seed}");
    }
}

/// Bytes that no node of ours would send are refused, whatever they are.
#[test]
fn random_bytes() {
    let (rig, tree) = rig(None);
    let t = begin_far(&rig);
    t.put(tree, b"a", b"1").unwrap();
    t.commit().unwrap();
    let r = &mut Rng::new(chance::seed(1));
    let end = chance::end(1);
    while Instant::now() < end {
        let n = r.index(60);
        let mut bytes: Vec<u8> = (0..n).map(|_| r.below(256) as u8).collect();
        if n > 8 {
            // Close to what is right: a request of a transaction, its first.
            bytes[..8].copy_from_slice(&[Kind::Request as u8, 5, 1, r.below(30) as u8, 3, 0, 1 + r.below(3) as u8, 1]);
        }
        let _ = pamir_cluster::remote::deliver(&rig.requests, &rig.host, NEAR, &bytes);
    }
    rig.host.lost(NEAR);
    assert_eq!(read(&rig, tree, b"a").unwrap(), b"1");
    assert!(rig.is_empty());
}

/// Microseconds of a far point select and update, over a line in this process: `--ignored --nocapture`.
#[test]
#[ignore]
fn microseconds() {
    const N: u32 = 20_000;
    for (name, inline) in [("inline", true), ("threads", false)] {
        let shard = stepped(&SimDisk::new(1), options());
        let spawn: Arc<dyn pamir_cluster::remote::Spawn> =
            if inline { Arc::new(Inline) } else { Arc::<Pool>::default() };
        let rig = Rig::new(shard, spawn, None).unwrap();
        let t = begin_far(&rig);
        let tree = t.create_tree().unwrap();
        (0..1000u32).for_each(|k| t.put(tree, &k.to_be_bytes(), &[7; 100]).unwrap());
        t.commit().unwrap();
        let engines: [(&str, Arc<dyn Engine>); 2] = [("local", rig.shard.clone()), (name, rig.engine.clone())];
        for (name, engine) in engines {
            let mut out = vec![];
            let begun = Instant::now();
            for i in 0..N {
                let t = engine.begin(Isolation::ReadCommitted, false, Arc::default());
                t.lock_table(9, TableLock::AccessShare, WaitPolicy::Block).unwrap();
                let s = t.statement();
                assert!(t.get(&s, tree, &(i % 1000).to_be_bytes(), &mut out).unwrap());
                t.settle().unwrap();
                drop(s);
                t.commit().unwrap();
            }
            let select = begun.elapsed() / N;
            let begun = Instant::now();
            for i in 0..N {
                let t = engine.begin(Isolation::ReadCommitted, false, Arc::default());
                t.lock_table(9, TableLock::RowExclusive, WaitPolicy::Block).unwrap();
                t.statement();
                let key = (i % 1000).to_be_bytes();
                t.claim(tree, &key, RowLock::NoKeyUpdate, &mut out).unwrap();
                t.put(tree, &key, &[8; 100]).unwrap();
                t.commit().unwrap();
            }
            println!("{name}: select {select:?}, update {:?}", begun.elapsed() / N);
        }
    }
}
