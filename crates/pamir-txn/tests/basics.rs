//! The shard's promises one by one.
mod common;
use common::*;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn new() -> (SimDisk, Arc<Shard>, TreeId) {
    with(options())
}
fn with(options: ShardOptions) -> (SimDisk, Arc<Shard>, TreeId) {
    let disk = SimDisk::new(1);
    let s = stepped(&disk, options);
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    (disk, s, tree)
}
fn set(s: &Arc<Shard>, tree: TreeId, key: &[u8], value: &[u8]) -> Ts {
    let t = begin(s, Isolation::ReadCommitted);
    t.put(tree, key, value).unwrap();
    t.commit().unwrap()
}
fn get(t: &LocalTxn, tree: TreeId, key: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![];
    t.get(&t.statement(), tree, key, &mut out).unwrap().then_some(out)
}

#[test]
fn a_snapshot_stays() {
    let (_d, s, tree) = new();
    set(&s, tree, b"k", b"1");
    let rr = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&rr, tree, b"k").unwrap(), b"1");
    let rc = begin(&s, Isolation::ReadCommitted);
    let open = rc.statement();
    set(&s, tree, b"k", b"2");
    let d = begin(&s, Isolation::ReadCommitted);
    d.delete(tree, b"k").unwrap();
    let ts = d.commit().unwrap();
    assert_eq!(get(&rr, tree, b"k").unwrap(), b"1");
    assert_eq!(get(&rc, tree, b"k"), None);
    let mut out = vec![];
    assert!(rc.get(&open, tree, b"k", &mut out).unwrap());
    assert_eq!(out, b"1");
    let l = rr.get_latest(tree, b"k", &mut out).unwrap();
    assert_eq!(l, Latest { ts, exists: false, own: false, statement: 0, moved: false });
}

#[test]
fn a_moved_key_names_the_new_one() {
    let (d, s, tree) = new();
    set(&s, tree, b"a", b"row");
    let reader = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&reader, tree, b"a").unwrap(), b"row");
    let t = begin(&s, Isolation::ReadCommitted);
    let mut out = vec![];
    // Own moves are known at once, and forgotten with their savepoint.
    let sp = t.savepoint();
    t.delete_moved(tree, b"a", b"x").unwrap();
    let l = t.get_latest(tree, b"a", &mut out).unwrap();
    assert!(l.own && l.moved && !l.exists && out == b"x");
    assert_eq!(get(&t, tree, b"a"), None);
    t.rollback_to(sp);
    assert!(t.get_latest(tree, b"a", &mut out).unwrap().exists);
    t.delete_moved(tree, b"a", b"b").unwrap();
    t.put(tree, b"b", b"row 2").unwrap();
    t.commit().unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    t.delete_moved(tree, b"b", b"c").unwrap();
    t.put(tree, b"c", b"row 3").unwrap();
    t.prepare("gid", "", "").unwrap();
    let ts = s.commit_prepared("gid").unwrap();
    let check = |s: &Arc<Shard>| {
        let t = begin(s, Isolation::ReadCommitted);
        let mut out = vec![];
        let l = t.get_latest(tree, b"a", &mut out).unwrap();
        assert!(l.moved && !l.exists && l.ts < ts && out == b"b", "{l:?} {out:?}");
        let l = t.get_latest(tree, b"b", &mut out).unwrap();
        assert_eq!((l, &out[..]), (Latest { ts, exists: false, own: false, statement: 0, moved: true }, &b"c"[..]));
        assert_eq!(all(s, tree), [(b"c".to_vec(), b"row 3".to_vec())]);
    };
    check(&s);
    assert_eq!(get(&reader, tree, b"a").unwrap(), b"row");
    assert_eq!(get(&reader, tree, b"b"), None);
    drop(reader);
    drop(s);
    // From the log, then (nothing was forgotten in between) from a checkpoint.
    let s = stepped(&d, options());
    check(&s);
    s.request_checkpoint();
    while s.step_checkpoint() {}
    drop(s);
    let s = stepped(&d, options());
    check(&s);
    while s.step_forget().unwrap() {}
    let t = begin(&s, Isolation::ReadCommitted);
    let l = t.get_latest(tree, b"a", &mut out).unwrap();
    assert_eq!(l, Latest { ts: 0, exists: false, own: false, statement: 0, moved: false });
}

#[test]
fn created_and_dropped_trees() {
    let (d, s, _) = new();
    let t = begin(&s, Isolation::ReadCommitted);
    let a = t.create_tree().unwrap();
    let gone = t.create_tree().unwrap();
    for i in (0..3000u32).rev() {
        t.put(a, &i.to_be_bytes(), b"x").unwrap();
        t.put(gone, &i.to_be_bytes(), b"x").unwrap();
    }
    t.delete(a, &7u32.to_be_bytes()).unwrap();
    t.drop_tree(gone).unwrap();
    assert_eq!(get(&t, a, &9u32.to_be_bytes()).unwrap(), b"x");
    let snap = t.statement();
    assert_eq!(collect(&t, t.scan(&snap, a, b"", None, Dir::Backward).unwrap()).unwrap().len(), 2999);
    drop(snap);
    t.commit().unwrap();
    assert_eq!(all(&s, a).len(), 2999);
    // A dropped tree lives as long as somebody may read it.
    let reader = begin(&s, Isolation::RepeatableRead);
    let snap = reader.statement();
    let t = begin(&s, Isolation::ReadCommitted);
    t.drop_tree(a).unwrap();
    t.commit().unwrap();
    assert_eq!(collect(&reader, reader.scan(&snap, a, b"", None, Dir::Forward).unwrap()).unwrap().len(), 2999);
    assert!(s.store().tree_exists(a));
    drop((snap, reader));
    while s.step_forget().unwrap() {}
    assert!(!s.store().tree_exists(a) && !s.store().tree_exists(gone));
    drop(s);
    let s = stepped(&d, options());
    while s.step_forget().unwrap() {}
    assert!(!s.store().tree_exists(a));
    let t = begin(&s, Isolation::ReadCommitted);
    assert!(t.create_tree().unwrap() > a, "tree ids are not used twice");
}

#[test]
fn sequences() {
    let (d, s, _) = new();
    let def = SequenceDef { start: 5, increment: 3, min: 1, max: 1000, cycle: false };
    assert_eq!(s.seq_read(1).unwrap(), None);
    let got: Vec<i64> = (0..50).map(|_| s.seq_next(1, &def).unwrap()).collect();
    assert_eq!(got, (0..50).map(|i| 5 + 3 * i).collect::<Vec<_>>());
    assert_eq!(s.seq_read(1).unwrap(), Some((152, true)));
    let ids: Vec<u64> = (0..5000).map(|_| s.next_id(9).unwrap()).collect();
    assert_eq!(ids, (1..=5000).collect::<Vec<_>>());
    drop(s);
    d.crash();
    let s = stepped(&d, options());
    let next = s.seq_next(1, &def).unwrap();
    assert!(next > 152 && (next - 5) % 3 == 0 && next <= 152 + 3 * 65, "{next}");
    assert!(s.next_id(9).unwrap() > 5000);
    s.seq_set(1, 998, true).unwrap();
    let e = s.seq_next(1, &def).unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("2200H", "nextval: reached maximum value of sequence"));
    s.seq_set(1, 10, false).unwrap();
    assert_eq!(s.seq_next(1, &def).unwrap(), 10);
    let down = SequenceDef { start: 2, increment: -1, min: 1, max: 3, cycle: true };
    let got: Vec<i64> = (0..8).map(|_| s.seq_next(2, &down).unwrap()).collect();
    assert_eq!(got, [2, 1, 3, 2, 1, 3, 2, 1]);
    s.seq_set(3, 77, true).unwrap();
    drop(s);
    d.crash();
    assert_eq!(stepped(&d, options()).seq_read(3).unwrap(), Some((77, true)));
}

#[test]
fn what_is_too_large_to_be_prepared_is_rolled_back() {
    let (_d, s, tree) = with(ShardOptions { prepared_size: 10_000, ..options() });
    let t = begin(&s, Isolation::ReadCommitted);
    (0..10).for_each(|i| t.put(tree, &[i], &[7; 1000]).unwrap());
    let e = t.prepare("gid", "", "").unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("54000", "the transaction is too large to be prepared"));
    assert_eq!(all(&s, tree), []);
    let t = begin(&s, Isolation::ReadCommitted);
    (0..9).for_each(|i| t.put(tree, &[i], &[7; 1000]).unwrap());
    t.prepare("gid", "", "").unwrap();
    s.commit_prepared("gid").unwrap();
    assert_eq!(all(&s, tree).len(), 9);
}

#[test]
fn prepared_transactions_survive() {
    let (d, s, tree) = new();
    set(&s, tree, b"a", b"old");
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"a", b"new").unwrap();
    t.lock_table(7, TableLock::RowExclusive, WaitPolicy::Block).unwrap();
    t.prepare("one", "me", "db").unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"b", b"b").unwrap();
    t.prepare("two", "me", "db").unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    assert_eq!(t.prepare("two", "me", "db").unwrap_err().code().as_str(), "42710");
    assert_eq!(
        s.commit_prepared("three").unwrap_err().message(),
        "prepared transaction with identifier \"three\" does not exist"
    );
    let mut s = s;
    for round in 0..3 {
        if round == 1 {
            s.checkpoint().unwrap();
        }
        drop(s);
        d.crash();
        s = stepped(&d, options());
        let infos = s.prepared();
        assert_eq!(
            infos.iter().map(|p| (&*p.gid, &*p.owner, &*p.database)).collect::<Vec<_>>(),
            [("one", "me", "db"), ("two", "me", "db")]
        );
        let t = begin(&s, Isolation::ReadCommitted);
        assert_eq!(get(&t, tree, b"a").unwrap(), b"old");
        assert_eq!(t.put(tree, b"a", b"x").unwrap_err().code().as_str(), "55P03");
        assert!(t.lock_table(7, TableLock::AccessExclusive, WaitPolicy::NoWait).is_err());
    }
    s.rollback_prepared("two").unwrap();
    s.commit_prepared("one").unwrap();
    drop(s);
    d.crash();
    s = stepped(&d, options());
    assert!(s.prepared().is_empty());
    assert_eq!(all(&s, tree), [(b"a".to_vec(), b"new".to_vec())]);
    set(&s, tree, b"a", b"x");
    set(&s, tree, b"b", b"x");
}

#[test]
fn callbacks_run_between_visibility_and_release() {
    let (_d, s, tree) = new();
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"k", b"v").unwrap();
    let seen = Arc::new(AtomicU64::new(0));
    let (seen2, s2) = (seen.clone(), s.clone());
    let sp = t.savepoint();
    t.on_commit(Box::new(|_| panic!("rolled back")));
    t.rollback_to(sp);
    t.on_commit(Box::new(move |ts| {
        assert_eq!(s2.applied_ts(), ts);
        assert_eq!(s2.stats().iter().find(|s| s.0 == "row_locks").unwrap().1, 1);
        seen2.store(ts, Ordering::SeqCst);
    }));
    let ts = t.commit().unwrap();
    assert_eq!(seen.load(Ordering::SeqCst), ts);
}

#[test]
fn tombstones_are_purged_also_after_a_crash() {
    let (d, s, tree) = new();
    for i in 0..2000u32 {
        set(&s, tree, &i.to_be_bytes(), b"v");
    }
    let reader = begin(&s, Isolation::RepeatableRead);
    let snap = reader.statement();
    let t = begin(&s, Isolation::ReadCommitted);
    for i in 0..1999u32 {
        t.delete(tree, &i.to_be_bytes()).unwrap();
    }
    t.commit().unwrap();
    assert_eq!(collect(&reader, reader.scan(&snap, tree, b"", None, Dir::Forward).unwrap()).unwrap().len(), 2000);
    s.checkpoint().unwrap();
    drop((snap, reader, s));
    d.crash();
    let s = stepped(&d, options());
    while s.step_forget().unwrap() {}
    assert_eq!(s.stats().iter().find(|s| s.0 == "purged").unwrap().1, 1999);
    let mut c = s.store().cursor(tree, None, Dir::Backward).unwrap();
    let mut n = 0;
    while c.next().unwrap().is_some() {
        n += 1;
    }
    assert_eq!(n, 1);
}

#[test]
fn a_stuck_reader_is_told() {
    let (_d, s0, _) = new();
    drop(s0);
    let disk = SimDisk::new(3);
    let s = stepped(&disk, ShardOptions { version_memory: 20_000, version_disk: 0, ..options() });
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    set(&s, tree, b"k", b"v");
    let old = begin(&s, Isolation::RepeatableRead);
    assert!(get(&old, tree, b"k").is_some());
    for i in 0..1000u32 {
        set(&s, tree, b"k", &i.to_be_bytes());
    }
    let e = old.get(&old.statement(), tree, b"k", &mut vec![]).unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("72000", "snapshot too old"));
    // Also for keys that are not there, and for locking reads.
    assert_eq!(old.get(&old.statement(), tree, b"zz", &mut vec![]).unwrap_err().code().as_str(), "72000");
    assert_eq!(old.get_latest(tree, b"zz", &mut vec![]).unwrap_err().code().as_str(), "72000");
    let stats: BTreeMap<_, _> = s.stats().into_iter().collect();
    assert!(stats["version_bytes"] <= 20_000);
    let fresh = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&fresh, tree, b"k").unwrap(), 999u32.to_be_bytes());
}

#[test]
fn old_versions_on_disk_end_with_the_process() {
    let disk = SimDisk::new(4);
    let opts = ShardOptions { version_memory: 2_000, version_disk: 1 << 20, ..options() };
    let s = stepped(&disk, opts.clone());
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    set(&s, tree, b"k", b"first");
    let trees = s.store().trees().len();
    let old = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&old, tree, b"k").unwrap(), b"first");
    for i in 0..1000u32 {
        set(&s, tree, b"k", &i.to_be_bytes());
        set(&s, tree, &i.to_be_bytes(), b"new");
    }
    assert_eq!(get(&old, tree, b"k").unwrap(), b"first");
    assert_eq!(get(&old, tree, &7u32.to_be_bytes()), None);
    assert_eq!(collect(&old, old.scan(&old.statement(), tree, b"", None, Dir::Forward).unwrap()).unwrap().len(), 1);
    let stats: BTreeMap<_, _> = s.stats().into_iter().collect();
    assert!(stats["version_bytes"] <= 2_000 && stats["versions_moved"] > 1000 && stats["snapshots_given_up"] == 0);
    // Of the row's thousand versions one has a value.
    assert!(stats["version_disk_bytes"] < 100_000, "{}", stats["version_disk_bytes"]);
    assert!(s.store().trees().len() > trees);
    s.checkpoint().unwrap();
    drop((old, s));
    let s = stepped(&disk, opts);
    while s.step_forget().unwrap() {}
    assert_eq!(s.store().trees().len(), trees, "history is not dropped");
    let fresh = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&fresh, tree, b"k").unwrap(), 999u32.to_be_bytes());
    assert_eq!(
        collect(&fresh, fresh.scan(&fresh.statement(), tree, b"", None, Dir::Forward).unwrap()).unwrap().len(),
        1001
    );
}

#[test]
fn failed_sync_stops_everything() {
    let (d, s, tree) = new();
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"k", b"v").unwrap();
    d.set_faults(pamir_storage::disk::sim::Faults { fail_sync_after: Some(0), ..Default::default() });
    assert_eq!(t.commit().unwrap_err().code().as_str(), "08007");
    assert_eq!(s.failure().unwrap().code().as_str(), "58030");
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"other", b"v").unwrap();
    assert_eq!(t.commit().unwrap_err().code().as_str(), "58030");
    assert!(s.seq_next(1, &SequenceDef { start: 1, increment: 1, min: 1, max: 9, cycle: false }).is_err());
    assert!(s.checkpoint().is_err());
    assert!(s.close().is_err());
}

#[test]
fn serializable_reads_lock() {
    let (_d, s, tree) = new();
    set(&s, tree, b"a", b"1");
    set(&s, tree, b"c", b"1");
    let t1 = begin(&s, Isolation::Serializable);
    let t2 = begin(&s, Isolation::Serializable);
    let snap = t1.statement();
    assert_eq!(collect(&t1, t1.scan(&snap, tree, b"a", Some(b"d"), Dir::Forward).unwrap()).unwrap().len(), 2);
    // No phantom, no change below a reader, from whatever level.
    assert_eq!(t2.put(tree, b"b", b"x").unwrap_err().code().as_str(), "55P03");
    let rc = begin(&s, Isolation::ReadCommitted);
    assert_eq!(rc.delete(tree, b"c").unwrap_err().code().as_str(), "55P03");
    t2.put(tree, b"d", b"x").unwrap();
    assert_eq!(get(&t2, tree, b"a").unwrap(), b"1");
    assert_eq!(t1.put(tree, b"a", b"x").unwrap_err().code().as_str(), "55P03");
    assert!(t1.scan(&snap, tree, b"a", None, Dir::Forward).is_err());
    drop(t2);
    t1.put(tree, b"a", b"x").unwrap();
    // A read-only one needs no locks: it reads a snapshot, a prefix of the serial order.
    let ro = s.begin(Isolation::Serializable, true, Arc::default());
    assert_eq!(get(&ro, tree, b"a").unwrap(), b"1");
    t1.commit().unwrap();
    assert_eq!(get(&ro, tree, b"a").unwrap(), b"1");
}

#[test]
fn large_values_and_write_set_limit() {
    let disk = SimDisk::new(3);
    let s = stepped(&disk, ShardOptions { write_set_memory: 3 << 20, ..options() });
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let big = vec![7; 2 << 20];
    set(&s, tree, b"big", &big);
    let rr = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&rr, tree, b"big").unwrap(), big);
    set(&s, tree, b"big", b"small");
    assert_eq!(get(&rr, tree, b"big").unwrap(), big);
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"x", &big).unwrap();
    assert_eq!(t.put(tree, b"y", &big).unwrap_err().code().as_str(), "53200");
    drop(t);
    assert_eq!(s.stats().iter().find(|s| s.0 == "write_set_bytes").unwrap().1, 0);
}

/// A transaction that does not fit into its share of memory: own reads, savepoints, two-phase commit, and nothing left on disk.
#[test]
fn large_transactions_spill() {
    let disk = SimDisk::new(5);
    let opts = ShardOptions { write_set_spill: 30_000, lock_escalation: 700, ..options() };
    let s = stepped(&disk, opts.clone());
    let files = || disk.list().unwrap().iter().filter(|n| n.starts_with("write-set.")).count();
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let key = |i: u32| (i.wrapping_mul(7919) % 5000).to_be_bytes();
    let t = begin(&s, Isolation::ReadCommitted);
    t.statement();
    for i in 0..2000 {
        t.put(tree, &key(i), b"first").unwrap();
    }
    let save = t.savepoint();
    t.statement();
    for i in 1000..5000 {
        t.put(tree, &key(i), b"second").unwrap();
    }
    assert_eq!(files(), 1);
    assert_eq!(get(&t, tree, &key(1500)).unwrap(), b"second");
    t.rollback_to(save);
    assert_eq!(get(&t, tree, &key(1500)).unwrap(), b"first");
    assert_eq!(get(&t, tree, &key(2500)), None);
    t.statement();
    for i in 0..500 {
        t.delete(tree, &key(i)).unwrap();
    }
    let snap = t.statement();
    let rows = collect(&t, t.scan(&snap, tree, b"", None, Dir::Backward).unwrap()).unwrap();
    assert_eq!(rows.len(), 1500);
    // The locks of all rows are one: others wait for any row, and are served after the end.
    let stats = |name| s.stats().iter().find(|s| s.0 == name).unwrap().1;
    assert!(stats("row_locks") < 1000, "{} row locks", stats("row_locks"));
    let other = begin(&s, Isolation::ReadCommitted);
    assert_eq!(other.put(tree, b"other", b"x").unwrap_err().code().as_str(), "55P03");
    t.prepare("large", "o", "d").unwrap();
    assert_eq!(files(), 0);
    assert_eq!(other.put(tree, b"other", b"x").unwrap_err().code().as_str(), "55P03");
    drop(other);
    drop(s);
    disk.crash();
    disk.open("write-set.77", true).unwrap();
    let s = stepped(&disk, opts);
    assert_eq!(files(), 0);
    let other = begin(&s, Isolation::ReadCommitted);
    assert_eq!(other.put(tree, b"other", b"x").unwrap_err().code().as_str(), "55P03");
    s.commit_prepared("large").unwrap();
    other.put(tree, b"other", b"x").unwrap();
    other.commit().unwrap();
    assert_eq!(all(&s, tree).len(), 1501);
    assert_eq!(s.stats().iter().find(|s| s.0 == "row_locks").unwrap().1, 0);
}

/// Many entries that follow rows are under one lock: beside other writers, against who reads under lock; prepared and after a crash too, when they are locked one by one.
#[test]
fn entries_that_follow_rows() {
    const MANY: u32 = 300;
    let (d, s, tree) = new();
    let key = |i: u32| i.to_be_bytes();
    let stat = |s: &Arc<Shard>, name| s.stats().iter().find(|s| s.0 == name).unwrap().1;
    let code = |r: pamir_error::Result<()>| r.unwrap_err().code().as_str().to_string();
    let write = |s: &Arc<Shard>, from: u32| {
        let t = begin(s, Isolation::ReadCommitted);
        (from..from + MANY).for_each(|i| t.put_entry(tree, &key(i), b"v").unwrap());
        t
    };
    let read = |s: &Arc<Shard>, from: u32, to: u32| -> pamir_error::Result<()> {
        let t = begin(s, Isolation::Serializable);
        let snap = t.statement();
        collect(&t, t.scan(&snap, tree, &key(from), Some(&key(to)), Dir::Forward)?).map(drop)
    };
    let (a, b) = (write(&s, 0), write(&s, 1000));
    assert!(stat(&s, "row_locks") < 150, "{} row locks", stat(&s, "row_locks"));
    // Anywhere: the intent does not say which entries.
    assert_eq!([code(read(&s, 100, 101)), code(read(&s, 5000, 5001))], ["55P03", "55P03"]);
    let reader = begin(&s, Isolation::Serializable);
    let mut out = vec![];
    assert_eq!(reader.get(&reader.statement(), tree, &key(5000), &mut out).unwrap_err().code().as_str(), "55P03");
    drop(reader);
    a.prepare("a", "o", "d").unwrap();
    drop(b);
    let mut s = s;
    for round in 0..2 {
        assert_eq!(code(read(&s, MANY - 1, MANY)), "55P03", "round {round}");
        drop(s);
        d.crash();
        s = stepped(&d, options());
        // What is locked is known again.
        read(&s, 5000, 5001).unwrap();
    }
    s.commit_prepared("a").unwrap();
    read(&s, 0, 5000).unwrap();
    assert_eq!((all(&s, tree).len(), stat(&s, "row_locks")), (MANY as usize, 0));
    // Who reads keeps others from what it has read, though they write many.
    let reader = begin(&s, Isolation::Serializable);
    let snap = reader.statement();
    collect(&reader, reader.scan(&snap, tree, &key(2100), Some(&key(2101)), Dir::Forward).unwrap()).unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    (2000..2100).for_each(|i| t.put_entry(tree, &key(i), b"v").unwrap());
    assert_eq!(code(t.put_entry(tree, &key(2100), b"v")), "55P03");
    assert_eq!(code(t.delete_entry(tree, &key(2100))), "55P03");
}

#[test]
fn threads_open_close_reopen() {
    let dir = tempfile::tempdir().unwrap();
    let disk = || pamir_storage::disk::real::RealDisk::open(dir.path()).unwrap();
    let s = Shard::open(disk(), options()).unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    for i in 0..100u32 {
        set(&s, tree, &i.to_be_bytes(), b"v");
    }
    s.checkpoint().unwrap();
    set(&s, tree, b"last", b"v");
    s.close().unwrap();
    s.close().unwrap();
    let t = begin(&s, Isolation::ReadCommitted);
    t.put(tree, b"late", b"v").unwrap();
    assert_eq!(t.commit().unwrap_err().code().as_str(), "57P01");
    drop(s);
    let s = Shard::open(disk(), options()).unwrap();
    assert_eq!(all(&s, tree).len(), 101);
    std::thread::sleep(Duration::from_millis(1));
}

/// Far more changes than page memory, in one commit and between two checkpoints; then recovery of all of it.
#[test]
fn data_larger_than_the_cache() {
    let disk = SimDisk::new(11);
    let opts = ShardOptions { cache_size: 2 << 20, checkpoint_bytes: 8 << 20, log_segment_size: 1 << 20, ..options() };
    let open = || Shard::open(Arc::new(disk.clone()), opts.clone()).unwrap();
    let s = open();
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let key = |i: u32| i.wrapping_mul(2_654_435_761).to_be_bytes();
    for part in 0..4u32 {
        let t = begin(&s, Isolation::ReadCommitted);
        for i in 0..5000 {
            t.put(tree, &key(part * 5000 + i), &[part as u8; 300]).unwrap();
        }
        t.commit().unwrap();
    }
    for i in 0..300u32 {
        set(&s, tree, &key(i * 13), &[9; 300]);
    }
    drop(s);
    disk.crash();
    let s = open();
    let rows = all(&s, tree);
    assert_eq!(rows.len(), 20_000);
    assert_eq!(rows.iter().filter(|r| r.1[0] == 9).count(), 300);
    s.close().unwrap();
}

/// More tombstones than a checkpoint lists: their tree is swept after the restart.
#[test]
fn a_sweep_finds_what_the_checkpoint_did_not_list() {
    let disk = SimDisk::new(12);
    let opts = ShardOptions { log_segment_size: 4 << 20, cache_size: 32 << 20, ..options() };
    let s = stepped(&disk, opts.clone());
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    const N: u32 = 70_000;
    for i in 0..N {
        t.put(tree, &i.to_be_bytes(), b"v").unwrap();
    }
    t.commit().unwrap();
    let reader = begin(&s, Isolation::RepeatableRead);
    let snap = reader.statement();
    let t = begin(&s, Isolation::ReadCommitted);
    for i in 0..N {
        t.delete(tree, &i.to_be_bytes()).unwrap();
    }
    t.commit().unwrap();
    s.checkpoint().unwrap();
    drop((snap, reader, s));
    disk.crash();
    let s = stepped(&disk, opts);
    while s.step_forget().unwrap() {}
    assert_eq!(s.stats().iter().find(|s| s.0 == "purged").unwrap().1, N as u64);
    assert!(s.store().cursor(tree, None, Dir::Forward).unwrap().next().unwrap().is_none());
    assert_eq!(s.memory().used(), 0);
}

/// A tree built after a snapshot has no versions for it: an error that says so, not an empty table.
#[test]
fn a_sequence_with_other_steps_gives_no_value_twice() {
    let (d, s, _) = new();
    let by = |increment| SequenceDef { start: 1, increment, min: -1000, max: 1_000_000, cycle: false };
    let mut seen = Vec::new();
    let mut shard = Some(s);
    for steps in [[1, 10], [3, 100], [1, 7]] {
        let s = shard.take().unwrap();
        for increment in steps {
            seen.extend((0..5).map(|_| s.seq_next(1, &by(increment)).unwrap()));
        }
        drop(s);
        shard = Some(stepped(&d, options()));
    }
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
    let s = shard.unwrap();
    let down: Vec<i64> = (0..3).map(|_| s.seq_next(1, &by(-1)).unwrap()).collect();
    assert!(down.is_sorted_by(|a, b| a > b) && down[0] >= seen[seen.len() - 1] - 1, "{down:?} after {seen:?}");
}

#[test]
fn a_snapshot_older_than_the_tree() {
    let (_d, s, tree) = new();
    let old = begin(&s, Isolation::RepeatableRead);
    assert_eq!(get(&old, tree, b"k"), None);
    let t = begin(&s, Isolation::ReadCommitted);
    let young = t.create_tree().unwrap();
    t.put(young, b"k", b"v").unwrap();
    t.put(young, b"l", &[7; 5000]).unwrap();
    t.commit().unwrap();
    let snap = old.statement();
    assert_eq!(old.get(&snap, young, b"k", &mut vec![]).unwrap_err().code().as_str(), "40001");
    let scan = old.scan(&snap, young, b"", None, Dir::Forward).unwrap();
    assert_eq!(collect(&old, scan).unwrap_err().code().as_str(), "40001");
    // What is not there may have been there for the snapshot: an index built of the newest rows lacks older ones.
    assert_eq!(old.get(&snap, young, b"a", &mut vec![]).unwrap_err().code().as_str(), "40001");
    let scan = old.scan(&snap, young, b"x", Some(b"z"), Dir::Forward).unwrap();
    assert_eq!(collect(&old, scan).unwrap_err().code().as_str(), "40001");
    assert_eq!(get(&begin(&s, Isolation::RepeatableRead), young, b"a"), None);
    assert_eq!(all(&s, young), [(b"k".to_vec(), b"v".to_vec()), (b"l".to_vec(), vec![7; 5000])]);
    // Built by a prepared transaction.
    let t = begin(&s, Isolation::ReadCommitted);
    let young = t.create_tree().unwrap();
    t.put(young, b"k", b"v").unwrap();
    t.prepare("g", "o", "d").unwrap();
    s.commit_prepared("g").unwrap();
    assert_eq!(all(&s, young), [(b"k".to_vec(), b"v".to_vec())]);
}

/// Pages of a checkpoint may hold changes that come after its position in the log. Should the log not hold them, that is told, not built upon.
#[test]
fn a_log_that_ends_before_the_checkpoint_is_refused() {
    let (d, s, tree) = new();
    set(&s, tree, b"k", b"before");
    s.request_checkpoint();
    assert!(s.step_checkpoint());
    set(&s, tree, b"k", b"beside");
    while s.step_checkpoint() {}
    drop(s);
    assert_eq!(all(&stepped(&d, options()), tree), [(b"k".to_vec(), b"beside".to_vec())]);
    let find = |name: &String| d.content(name).unwrap().windows(6).position(|w| w == b"beside");
    let logs = || d.list().unwrap().into_iter().filter(|n| n.starts_with(pamir_storage::log::SEGMENT_PREFIX));
    let (log, at) = logs().find_map(|n| find(&n).map(|at| (n, at))).unwrap();
    d.flip_bit(&log, at as u64 * 8);
    let damaged = d.content(&log);
    for _ in 0..2 {
        let e = Shard::open_stepped(Arc::new(d.clone()) as Arc<dyn Disk>, options()).err().unwrap();
        assert_eq!(e.code().as_str(), "XX001", "{e}");
        assert!(e.to_string().contains("the newest checkpoint holds changes up to"), "{e}");
        assert_eq!(d.content(&log), damaged);
    }
    d.flip_bit(&log, at as u64 * 8);
    assert_eq!(all(&stepped(&d, options()), tree), [(b"k".to_vec(), b"beside".to_vec())]);
}

/// Locks that a rollback to a savepoint gives back are not charged any more: a loop over one goes on for ever.
#[test]
fn a_loop_of_savepoints_and_locks() {
    let (_d, s, tree) = with(ShardOptions { write_set_memory: 1 << 20, ..options() });
    let t = begin(&s, Isolation::ReadCommitted);
    drop(t.statement());
    let sp = t.savepoint();
    for _ in 0..500 {
        for i in 0..200u32 {
            t.lock_row(tree, &i.to_be_bytes(), RowLock::Update, WaitPolicy::Block).unwrap();
        }
        t.rollback_to(sp);
    }
    // What is held is charged all the same.
    let e = (0..10_000u32).find_map(|i| t.lock_row(tree, &i.to_be_bytes(), RowLock::Update, WaitPolicy::Block).err());
    assert_eq!(e.expect("the limit").code().as_str(), "53200");
    drop(t);
    assert_eq!(s.memory().used(), 0);
}
