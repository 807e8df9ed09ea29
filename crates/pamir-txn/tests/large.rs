//! Large commits: in parts in the log, in slices in the trees, between other commits. With small limits, on stepped shards: what happens when is counted.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const ROWS: u32 = 400;

fn opts() -> ShardOptions {
    ShardOptions { large_commit_bytes: 2000, slice_ops: 3, part_cache: 600, log_segment_size: 8 << 10, ..options() }
}
fn key(i: u32) -> Vec<u8> {
    i.to_be_bytes().to_vec()
}
fn stat(s: &Shard, name: &str) -> u64 {
    s.stats().into_iter().find(|x| x.0 == name).unwrap().1
}
fn forget(s: &Shard) {
    while s.step_forget().unwrap() {}
}
/// A tree with ROWS rows "old".
fn loaded(disk: &SimDisk) -> (Arc<Shard>, TreeId) {
    let s = stepped(disk, opts());
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    for i in 0..ROWS {
        t.put(tree, &key(i), b"old").unwrap();
    }
    t.commit().unwrap();
    (s, tree)
}
/// Changes every second row, deletes every tenth, adds as many behind.
fn change(s: &Arc<Shard>, tree: TreeId) -> LocalTxn {
    let t = begin(s, Isolation::ReadCommitted);
    drop(t.statement());
    for i in (0..ROWS).step_by(2) {
        match i % 10 {
            0 => t.delete(tree, &key(i)).unwrap(),
            _ => t.put(tree, &key(i), b"new").unwrap(),
        }
        t.put(tree, &key(10 * ROWS + i), b"added").unwrap();
    }
    t
}
fn before() -> Rows {
    (0..ROWS).map(|i| (key(i), b"old".to_vec())).collect()
}
fn after() -> Rows {
    let old = (0..ROWS).filter(|i| i % 10 != 0);
    let mut rows: Rows = old.map(|i| (key(i), if i % 2 == 0 { b"new".to_vec() } else { b"old".to_vec() })).collect();
    rows.extend((0..ROWS).step_by(2).map(|i| (key(10 * ROWS + i), b"added".to_vec())));
    rows
}
fn rows_at(t: &LocalTxn, snap: &Snapshot, tree: TreeId) -> Rows {
    collect(t, t.scan(snap, tree, b"", None, Dir::Forward).unwrap()).unwrap()
}
fn put_one(s: &Arc<Shard>, tree: TreeId, k: &[u8], v: &[u8]) -> LocalTxn {
    let t = begin(s, Isolation::ReadCommitted);
    drop(t.statement());
    t.put(tree, k, v).unwrap();
    t
}

#[test]
fn small_commits_and_snapshots_pass_by() {
    let (s, tree) = loaded(&SimDisk::new(1));
    let reader = begin(&s, Isolation::RepeatableRead);
    let old = reader.statement();
    let large = change(&s, tree).submit().unwrap();
    let mut passed = 0;
    let mut during = vec![];
    for n in 0..10_000u32 {
        // One turn of each machine is enough for a small commit, whatever the large one still has to do.
        let k = key(20 * ROWS + n);
        let small = put_one(&s, tree, &k, b"small").submit().unwrap();
        s.step_log();
        s.step_applier();
        let ts = small.poll(&s).expect("a small commit had to wait").unwrap();
        assert!(s.applied_ts() >= ts);
        if large.poll(&s).is_some() {
            break;
        }
        passed += 1;
        if n % 7 == 0 {
            let t = begin(&s, Isolation::RepeatableRead);
            let snap = t.statement();
            during.push((n, t, snap));
        }
        let t = begin(&s, Isolation::ReadCommitted);
        let snap = t.statement();
        let mut out = vec![];
        assert!(t.get(&snap, tree, &k, &mut out).unwrap(), "its own commit is visible");
        for i in 0..ROWS {
            assert!(t.get(&snap, tree, &key(i), &mut out).unwrap() && out == b"old", "row {i} at turn {n}");
            assert!(!t.get(&snap, tree, &key(10 * ROWS + i), &mut out).unwrap());
        }
        assert_eq!(rows_at(&t, &snap, tree).len() as u32, ROWS + n + 1);
    }
    assert!(passed > 50, "{passed}");
    let t = large.poll(&s).unwrap().unwrap();
    assert!(s.applied_ts() >= t);
    // Everyone keeps its view, also after keys were written again by others.
    for i in [2, 4, 12] {
        put_one(&s, tree, &key(i), b"newer").commit().unwrap();
        put_one(&s, tree, &key(10 * ROWS + i), b"newer").commit().unwrap();
    }
    assert_eq!(rows_at(&reader, &old, tree), before());
    for (n, t, snap) in &during {
        let rows = rows_at(t, snap, tree);
        assert_eq!((rows.len() as u32, &rows[..ROWS as usize]), (ROWS + n + 1, &before()[..]));
        let mut back = collect(t, t.scan(snap, tree, b"", None, Dir::Backward).unwrap()).unwrap();
        back.reverse();
        assert_eq!(back, rows);
    }
    let now = begin(&s, Isolation::ReadCommitted);
    let snap = now.statement();
    let mut want: BTreeMap<_, _> = after().into_iter().collect();
    for i in [2, 4, 12] {
        want.insert(key(i), b"newer".to_vec());
        want.insert(key(10 * ROWS + i), b"newer".to_vec());
    }
    let got: Rows = rows_at(&now, &snap, tree).into_iter().filter(|r| *r.0 < *key(20 * ROWS)).collect();
    assert_eq!(got, want.into_iter().collect::<Rows>());
    // The before-image lives as long as somebody may need it.
    forget(&s);
    assert_eq!(s.store().trees().len(), OWN_TREES.len() + 2);
    drop((during, old, reader, snap, now));
    forget(&s);
    assert_eq!((s.store().trees().len(), stat(&s, "versions")), (OWN_TREES.len() + 1, 0));
    s.close().unwrap();
}

#[test]
fn locks_last_until_it_is_visible() {
    let (s, tree) = loaded(&SimDisk::new(2));
    let snapshot = begin(&s, Isolation::RepeatableRead);
    let snap = snapshot.statement();
    let large = change(&s, tree).submit().unwrap();
    let mut out = vec![];
    let mut turns = 0;
    while large.poll(&s).is_none() {
        s.step_log();
        for i in [2u32, 10, 398] {
            let t = begin(&s, Isolation::Serializable);
            let snap = t.statement();
            let e = t.get(&snap, tree, &key(i), &mut out).unwrap_err();
            assert_eq!(e.code().as_str(), "55P03", "a serializable reader waits");
            let t = begin(&s, Isolation::ReadCommitted);
            assert_eq!(t.put(tree, &key(i), b"x").unwrap_err().code().as_str(), "55P03");
            // Without a conflicting lock the newest visible version counts.
            let l = t.get_latest(tree, &key(i), &mut out).unwrap();
            assert!(l.exists && out == b"old" && l.ts <= snapshot.statement().ts(), "{l:?}");
            assert!(!t.get_latest(tree, &key(10 * ROWS + i), &mut out).unwrap().exists);
        }
        let t = begin(&s, Isolation::ReadCommitted);
        assert_eq!(collect(&t, t.scan_latest(tree, b"", None, Dir::Forward).unwrap()).unwrap(), before());
        let t = begin(&s, Isolation::Serializable);
        let snap = t.statement();
        assert_eq!(t.scan(&snap, tree, b"", None, Dir::Forward).err().unwrap().code().as_str(), "55P03");
        s.step_applier();
        turns += 1;
    }
    assert!(turns > 50);
    // REPEATABLE READ's conflict check: the row is newer than the snapshot. What it did not touch is not.
    let l = snapshot.get_latest(tree, &key(2), &mut out).unwrap();
    assert!(l.ts > snap.ts() && out == b"new");
    assert!(snapshot.get_latest(tree, &key(1), &mut out).unwrap().ts <= snap.ts());
    let t = begin(&s, Isolation::Serializable);
    let latest = t.statement();
    assert_eq!(rows_at(&t, &latest, tree), after());
    s.close().unwrap();
}

/// Restarts amid everything: after every turn of the machines, with a checkpoint begun at a turn and finished at a later one.
#[test]
fn a_restart_at_any_turn() {
    for (checkpoint, crash_at) in (0..30).flat_map(|c| [0, 1, 5, 30].map(|d| (c * 10, c * 10 + d))) {
        let at = format!("checkpoint at {checkpoint}, crash at {crash_at}");
        let disk = SimDisk::new(checkpoint * 1000 + crash_at);
        let (s, tree) = loaded(&disk);
        let t = begin(&s, Isolation::ReadCommitted);
        let empty = t.create_tree().unwrap();
        t.commit().unwrap();
        let t = change(&s, tree);
        let made = t.create_tree().unwrap();
        for tree in [empty, made] {
            for i in 0..200u32 {
                t.put(tree, &key(i), &[1; 50]).unwrap();
            }
        }
        let large = t.submit().unwrap();
        let mut smalls = 0u32;
        for turn in 0..crash_at {
            if turn == checkpoint {
                s.request_checkpoint();
            }
            s.step_checkpoint();
            put_one(&s, tree, &key(20 * ROWS + smalls), b"small").commit().unwrap();
            smalls += 1;
        }
        // Durable is decided, applied or not.
        s.step_log();
        let acknowledged = large.poll(&s).is_some();
        drop(s);
        disk.crash();
        for again in 0..2 {
            let s = stepped(&disk, opts());
            let mut want = after();
            want.extend((0..smalls).map(|n| (key(20 * ROWS + n), b"small".to_vec())));
            assert_eq!(all(&s, tree), want, "{at}, {again}, acknowledged {acknowledged}");
            for tree in [empty, made] {
                assert_eq!(all(&s, tree).len(), 200, "{at}, {again}, acknowledged {acknowledged}");
            }
            put_one(&s, tree, &key(20 * ROWS + smalls), b"small").commit().unwrap();
            smalls += 1;
            forget(&s);
            assert_eq!(s.store().trees().len(), OWN_TREES.len() + 3, "{at}");
            let mut cursor = s.store().cursor(tree, None, Dir::Forward).unwrap();
            let mut entries = 0;
            while cursor.next().unwrap().is_some() {
                entries += 1;
            }
            assert_eq!(entries, want.len() + 1, "{at}: tombstones are left");
            if again == 0 {
                drop(s);
                disk.crash();
            } else {
                s.close().unwrap();
            }
        }
    }
}

#[test]
fn parts_without_an_end_have_no_effect() {
    let mut seen = 0;
    for n in 0..40 {
        let disk = SimDisk::new(n);
        let (s, tree) = loaded(&disk);
        let t = change(&s, tree);
        let faults = pamir_storage::disk::sim::Faults { fail_write_after: Some(n), ..Default::default() };
        disk.set_faults(faults);
        let r = t.submit();
        seen += r.is_err() as u32;
        drop(s);
        disk.set_faults(Default::default());
        disk.crash();
        let s = stepped(&disk, opts());
        let got = all(&s, tree);
        assert!(got == before() || r.is_ok() && got == after(), "after {n} writes");
        // Nothing of them holds the log back or comes back.
        s.checkpoint().unwrap();
        s.close().unwrap();
        let s = stepped(&disk, opts());
        assert_eq!(all(&s, tree), got);
        s.close().unwrap();
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn an_empty_tree_is_built_beside_others() {
    for (other, checkpoint) in [(false, false), (true, false), (false, true), (true, true)] {
        let disk = SimDisk::new(5);
        let s = stepped(&disk, opts());
        let t = begin(&s, Isolation::ReadCommitted);
        let trees = [t.create_tree().unwrap(), t.create_tree().unwrap()];
        t.commit().unwrap();
        let reader = begin(&s, Isolation::RepeatableRead);
        let old = reader.statement();
        let t = begin(&s, Isolation::ReadCommitted);
        let made = t.create_tree().unwrap();
        for tree in trees.into_iter().chain([made]) {
            for i in 0..600u32 {
                t.put(tree, &key(2 * i), &[7; 40]).unwrap();
            }
        }
        let large = t.submit().unwrap();
        let mut turns = 0;
        while large.poll(&s).is_none() {
            s.step_log();
            s.step_applier();
            turns += 1;
            if other && turns == 50 {
                // Between two of its keys, into the tree under construction.
                put_one(&s, trees[0], &key(2 * 30 + 1), b"other").commit().unwrap();
            }
            if checkpoint && turns == 130 {
                s.checkpoint().unwrap();
            }
            for tree in trees {
                assert_eq!(rows_at(&reader, &old, tree), vec![]);
            }
        }
        assert!(turns > 300);
        assert_eq!(stat(&s, "versions"), other as u64, "nothing is kept for what was not there");
        assert_eq!(rows_at(&reader, &old, trees[1]), vec![]);
        // The tree it made has no past.
        let e = reader.get(&old, made, &key(4), &mut vec![]).unwrap_err();
        assert_eq!(e.code().as_str(), "40001");
        let mut want: Rows = (0..600u32).map(|i| (key(2 * i), vec![7; 40])).collect();
        assert!(all(&s, trees[1]) == want && all(&s, made) == want);
        let (leaves, _) = s.tree_size(trees[1]).unwrap();
        assert!(leaves < 600 * 64 / 8192 + 4, "{leaves} leaves: not built bottom-up");
        if other {
            want.insert(31, (key(61), b"other".to_vec()));
        }
        assert_eq!(all(&s, trees[0]), want);
        drop((old, reader));
        forget(&s);
        drop(s);
        disk.crash();
        let s = stepped(&disk, opts());
        assert!(all(&s, trees[0]) == want);
        s.close().unwrap();
    }
}

#[test]
fn several_at_once_and_a_close_amid_them() {
    let disk = SimDisk::new(6);
    let (s, tree) = loaded(&disk);
    let part = |from: u32| {
        let t = begin(&s, Isolation::ReadCommitted);
        for i in from..from + 100 {
            t.put(tree, &key(i), &from.to_be_bytes()).unwrap();
        }
        t.submit().unwrap()
    };
    let flying: Vec<_> = (0..4).map(|n| part(n * 100)).collect();
    let mut last = 0;
    while flying[1].poll(&s).is_none() {
        s.step_log();
        s.step_applier();
        let done = flying.iter().take_while(|f| f.poll(&s).is_some()).count();
        assert!(flying[done..].iter().all(|f| f.poll(&s).is_none()), "one after the other");
        put_one(&s, tree, &key(ROWS), b"between").commit().unwrap();
        assert!(s.applied_ts() > last);
        last = s.applied_ts();
    }
    assert!(flying[2].poll(&s).is_none());
    s.close().unwrap();
    assert!(flying.iter().all(|f| f.poll(&s).unwrap().is_ok()), "decided ones are finished at close");
    let e = put_one(&s, tree, &key(0), b"late").commit().unwrap_err();
    assert_eq!(e.code().as_str(), "57P01");
    drop(s);
    let s = stepped(&disk, opts());
    let want: Rows = (0..ROWS).map(|i| (key(i), (i / 100 * 100).to_be_bytes().to_vec())).collect();
    assert_eq!(all(&s, tree)[..ROWS as usize], want);
    assert!(s.applied_ts() > last, "timestamps go on behind the reserved ones");
    s.close().unwrap();
}

#[test]
fn a_reader_that_needs_too_much_is_told() {
    let disk = SimDisk::new(7);
    let s = stepped(&disk, ShardOptions { version_memory: 4000, version_disk: 64_000, ..opts() });
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let reader = begin(&s, Isolation::RepeatableRead);
    let old = reader.statement();
    for round in 0..20u8 {
        let t = begin(&s, Isolation::ReadCommitted);
        for i in 0..200u32 {
            t.put(tree, &key(i), &[round; 100]).unwrap();
        }
        let large = t.submit().unwrap();
        while large.poll(&s).is_none() {
            s.step_log();
            s.step_applier();
            // However much it replaces: a statement of now is served.
            let t = begin(&s, Isolation::ReadCommitted);
            let snap = t.statement();
            let rows = rows_at(&t, &snap, tree);
            assert!(rows.iter().all(|r| r.1 == rows[0].1), "half a commit is visible");
        }
        forget(&s);
        assert!(s.store().trees().len() < 10, "before-images pile up");
    }
    assert!(stat(&s, "snapshots_given_up") > 0);
    assert_eq!(reader.get(&old, tree, &key(4), &mut vec![]).unwrap_err().code().as_str(), "72000");
    let e = collect(&reader, reader.scan(&old, tree, b"", None, Dir::Forward).unwrap()).unwrap_err();
    assert_eq!(e.code().as_str(), "72000");
    s.close().unwrap();
}

/// With threads: readers and small writers beside large updates, all sums right at every moment.
#[test]
fn threads_beside_large_updates() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let disk = Arc::new(SimDisk::new(8));
    let s = Shard::open(disk.clone(), ShardOptions { checkpoint_bytes: 400_000, ..opts() }).unwrap();
    let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
    let (tree, side) = (t.create_tree().unwrap(), t.create_tree().unwrap());
    for i in 0..3000u32 {
        t.put(tree, &key(i), &[0]).unwrap();
    }
    t.commit().unwrap();
    let (stop, beside) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for w in 0..3u32 {
            let (s, stop, beside) = (&s, &stop, &beside);
            scope.spawn(move || {
                let mut n = 0u32;
                while !stop.load(Ordering::Relaxed) {
                    n += 1;
                    let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
                    drop(t.statement());
                    t.put(side, &key(w * 1000 + n % 50), &n.to_be_bytes()).unwrap();
                    t.commit().unwrap();
                    beside.fetch_add(stat(s, "large_commit_in_progress"), Ordering::Relaxed);
                    let t = s.begin(Isolation::RepeatableRead, true, Arc::default());
                    let snap = t.statement();
                    let rows = rows_at(&t, &snap, tree);
                    assert!(
                        rows.len() == 3000 && rows.iter().all(|r| r.1 == rows[0].1),
                        "a commit is visible by halves"
                    );
                }
            });
        }
        for round in 1..=6u8 {
            let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
            drop(t.statement());
            for i in 0..3000u32 {
                t.put(tree, &key(i), &[round]).unwrap();
            }
            t.commit().unwrap();
            let t = s.begin(Isolation::ReadCommitted, true, Arc::default());
            let snap = t.statement();
            let mut out = vec![];
            assert!(t.get(&snap, tree, &key(7), &mut out).unwrap() && out == [round], "its own commit is visible");
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(beside.load(Ordering::Relaxed) > 0, "no small commit while a large one was in progress");
    assert_eq!(stat(&s, "large_commits"), 7);
    s.close().unwrap();
    drop(s);
    let s = Shard::open(disk, opts()).unwrap();
    assert!(all(&s, tree).iter().all(|r| r.1 == [6]));
    s.close().unwrap();
}

#[test]
fn a_prepared_one_too() {
    let mut amid = 0;
    for turns in (0..400).step_by(23) {
        let disk = SimDisk::new(900 + turns);
        let (s, tree) = loaded(&disk);
        change(&s, tree).prepare("g", "o", "d").unwrap();
        let reader = begin(&s, Isolation::RepeatableRead);
        let old = reader.statement();
        let large = s.submit_prepared("g").unwrap();
        assert_eq!(s.rollback_prepared("g").unwrap_err().code().as_str(), "55000");
        let mut smalls = 0;
        for turn in 0..turns {
            if turn == turns / 2 {
                s.request_checkpoint();
            }
            s.step_checkpoint();
            let small = put_one(&s, tree, &key(20 * ROWS + smalls), b"small").submit().unwrap();
            s.step_log();
            s.step_applier();
            assert!(small.poll(&s).is_some(), "a small commit had to wait");
            smalls += 1;
        }
        assert_eq!(rows_at(&reader, &old, tree), before());
        s.step_log();
        amid += (smalls > 0 && large.poll(&s).is_none()) as u32;
        drop((old, reader, s));
        disk.crash();
        let s = stepped(&disk, opts());
        let mut want = after();
        want.extend((0..smalls).map(|n| (key(20 * ROWS + n), b"small".to_vec())));
        assert_eq!((all(&s, tree), s.prepared()), (want, vec![]), "after {turns} turns");
        // Its locks are gone.
        put_one(&s, tree, &key(2), b"free").commit().unwrap();
        s.close().unwrap();
    }
    assert!(amid > 3, "{amid}");
}

/// Wherever the disk is full, a large commit is refused as long as it is not decided, and never stops the shard; with room again everything goes on.
#[test]
fn a_full_disk() {
    use pamir_storage::disk::sim::Faults;
    let (mut done, mut refused) = (0, 0);
    for room in (0..40).map(|i| i * 160_000) {
        let disk = SimDisk::new(room);
        let opts = ShardOptions { large_commit_bytes: 20_000, slice_ops: 20, cache_size: 64 * 8192, ..opts() };
        let s = stepped(&disk, opts);
        let t = begin(&s, Isolation::ReadCommitted);
        let tree = t.create_tree().unwrap();
        for i in 0..ROWS {
            t.put(tree, &key(i), &[1; 1000]).unwrap();
        }
        t.commit().unwrap();
        s.checkpoint().unwrap();
        let healthy = Faults::default();
        disk.set_faults(Faults { disk_full_at: Some(disk.used() + room), ..healthy.clone() });
        let t = begin(&s, Isolation::ReadCommitted);
        drop(t.statement());
        for i in (0..ROWS).rev() {
            t.put(tree, &key(i), &[2; 1000]).unwrap();
            t.put(tree, &key(ROWS + i), &[3; 1000]).unwrap();
        }
        let rows = match t.commit() {
            Ok(_) => {
                done += 1;
                2 * ROWS
            }
            Err(e) => {
                assert_eq!(e.code().as_str(), "53100", "room {room}: {e}");
                refused += 1;
                ROWS
            }
        };
        assert!(s.failure().is_none(), "room {room}: {:?}", s.failure());
        disk.set_faults(healthy);
        put_one(&s, tree, &key(9 * ROWS), b"after").commit().unwrap();
        s.checkpoint().unwrap();
        let t = begin(&s, Isolation::ReadCommitted);
        let snap = t.statement();
        assert_eq!(rows_at(&t, &snap, tree).len() as u32, rows + 1, "room {room}");
        drop(snap);
        drop(t);
        s.close().unwrap();
    }
    assert!(done > 2 && refused > 2, "{done} done, {refused} refused");
}
