//! Deletions of very many rows: applied in place, a leaf at a time, with the rows still there for whoever may see them.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Several leaves of them.
const ROWS: u32 = 1500;
/// Views are looked at after so many turns.
const LOOK: u32 = 5;

fn opts() -> ShardOptions {
    ShardOptions { large_commit_bytes: 2000, slice_ops: 100, part_cache: 600, ..options() }
}
fn key(i: u32) -> Vec<u8> {
    i.to_be_bytes().to_vec()
}
fn value(i: u32) -> Vec<u8> {
    match i % 97 {
        // On pages of its own.
        0 => vec![7; 9000],
        _ => format!("row {i}").repeat(1 + i as usize % 9).into_bytes(),
    }
}
fn stat(s: &Shard, name: &str) -> u64 {
    s.stats().into_iter().find(|x| x.0 == name).unwrap().1
}
fn forget(s: &Shard) {
    while s.step_forget().unwrap() {}
}
type Model = BTreeMap<Vec<u8>, Vec<u8>>;
/// One commit of writes (None: a delete); small enough ones are not large commits.
fn change(
    s: &Arc<Shard>,
    tree: TreeId,
    m: &mut Model,
    writes: impl IntoIterator<Item = (u32, Option<Vec<u8>>)>,
) -> LocalTxn {
    let t = begin(s, Isolation::ReadCommitted);
    drop(t.statement());
    for (i, v) in writes {
        match v {
            Some(v) => {
                t.put(tree, &key(i), &v).unwrap();
                m.insert(key(i), v);
            }
            None => {
                t.delete(tree, &key(i)).unwrap();
                m.remove(&key(i));
            }
        }
    }
    t
}
fn loaded(disk: &SimDisk, opts: ShardOptions) -> (Arc<Shard>, TreeId, Model) {
    let s = stepped(disk, opts);
    let t = begin(&s, Isolation::ReadCommitted);
    let tree = t.create_tree().unwrap();
    t.commit().unwrap();
    let mut m = Model::new();
    change(&s, tree, &mut m, (0..ROWS).map(|i| (i, Some(value(i))))).commit().unwrap();
    (s, tree, m)
}
/// A snapshot and what it sees.
struct View(LocalTxn, Snapshot, Model);
fn view(s: &Arc<Shard>, m: &Model) -> View {
    let t = begin(s, Isolation::RepeatableRead);
    let snap = t.statement();
    View(t, snap, m.clone())
}
fn holds(tree: TreeId, v: &View, at: &str) {
    let View(t, snap, m) = v;
    let rows = collect(t, t.scan(snap, tree, b"", None, Dir::Forward).unwrap()).unwrap();
    assert!(rows.iter().map(|r| (&r.0, &r.1)).eq(m.iter()), "{at}: {} rows for {}", rows.len(), m.len());
    let mut back = collect(t, t.scan(snap, tree, &key(ROWS / 3), None, Dir::Backward).unwrap()).unwrap();
    back.reverse();
    assert!(back.iter().map(|r| (&r.0, &r.1)).eq(m.range(key(ROWS / 3)..)), "{at}: backward");
    let mut out = vec![];
    for i in (0..ROWS).step_by(7) {
        assert_eq!(t.get(snap, tree, &key(i), &mut out).unwrap(), m.contains_key(&key(i)), "{at}: row {i}");
        assert!(m.get(&key(i)).is_none_or(|v| *v == out), "{at}: row {i}");
    }
}
fn entries(s: &Shard, tree: TreeId) -> usize {
    let mut cursor = s.store().cursor(tree, None, Dir::Forward).unwrap();
    let mut n = 0;
    while cursor.next().unwrap().is_some() {
        n += 1;
    }
    n
}

/// Everybody keeps their view: while the deletion is applied, after it, when its keys are written and deleted again by small and by large commits, and when old versions go
/// to disk.
#[test]
fn snapshots_before_beside_and_after() {
    for little in [false, true] {
        let memory = if little { 3000 } else { 1 << 20 };
        let (s, tree, mut m) = loaded(&SimDisk::new(1), ShardOptions { version_memory: memory, ..opts() });
        let mut views = vec![view(&s, &m)];
        // Newer than the oldest snapshot: these need a before-image.
        change(&s, tree, &mut m, (100..140).map(|i| (i, Some(vec![1; 30])))).commit().unwrap();
        views.push(view(&s, &m));
        let mut trees = 0;
        for round in 0..3u32 {
            let doomed = move |i: u32| round % 2 == 0 || !i.is_multiple_of(5);
            let old = m.clone();
            let large =
                change(&s, tree, &mut m, (50..1400).filter(|i| doomed(*i)).map(|i| (i, None))).submit().unwrap();
            let mut turns = 0;
            while large.poll(&s).is_none() {
                s.step_log();
                s.step_applier();
                turns += 1;
                let at = format!("round {round} turn {turns}");
                if turns % LOOK == 1 && large.poll(&s).is_none() {
                    views.push(view(&s, &old));
                    holds(tree, &view(&s, &old), &at);
                    let t = begin(&s, Isolation::ReadCommitted);
                    let latest = collect(&t, t.scan_latest(tree, b"", None, Dir::Forward).unwrap()).unwrap();
                    assert!(
                        latest.iter().map(|r| (&r.0, &r.1)).eq(old.iter()),
                        "{at}: what is not visible is not the latest"
                    );
                    for i in (0..ROWS).step_by(13) {
                        let mut out = vec![];
                        let l = t.get_latest(tree, &key(i), &mut out).unwrap();
                        assert!(
                            l.exists == old.contains_key(&key(i)) && l.ts <= s.applied_ts() && !l.moved,
                            "{at}: {l:?}"
                        );
                        assert!(old.get(&key(i)).is_none_or(|v| *v == out), "{at}: row {i}");
                    }
                }
                if turns % LOOK == 2 {
                    views.iter().for_each(|v| holds(tree, v, &at));
                }
            }
            assert!(turns > 10);
            trees = trees.max(s.store().trees().len());
            views.push(view(&s, &m));
            let t = begin(&s, Isolation::ReadCommitted);
            let l = t.get_latest(tree, &key(61), &mut vec![]).unwrap();
            assert!(!l.exists && !l.moved && l.ts == large.poll(&s).unwrap().unwrap(), "gone, not moved: {l:?}");
            drop(t);
            // Some keys come back: one by one, and many at once.
            for i in [51, 60, 97, 120, 700] {
                change(&s, tree, &mut m, [(i, Some(vec![round as u8; 40]))]).commit().unwrap();
                views.push(view(&s, &m));
                change(&s, tree, &mut m, [(i, None)]).commit().unwrap();
            }
            change(&s, tree, &mut m, (60..1300).map(|i| (i, Some(value(i + round))))).commit().unwrap();
            views.push(view(&s, &m));
            forget(&s);
            views.iter().for_each(|v| holds(tree, v, &format!("after round {round}")));
        }
        assert!(trees >= 4, "what is newer than a snapshot has a before-image");
        assert!(!little || stat(&s, "versions_moved") > 0, "no old version went to disk");
        // From the oldest on and from the newest: the horizon comes by.
        while let Some(v) = views.pop() {
            drop(v);
            forget(&s);
            let at = format!("{} views left", views.len());
            views.iter().take(3).for_each(|v| holds(tree, v, &at));
        }
        assert_eq!(
            (s.store().trees().len(), stat(&s, "versions"), entries(&s, tree)),
            (OWN_TREES.len() + 1, 0, m.len())
        );
        s.close().unwrap();
    }
}

/// Nothing is copied for a deletion of rows that every snapshot sees, and what it leaves is purged, pages and all.
#[test]
fn no_before_image_and_no_pages_left() {
    let disk = SimDisk::new(2);
    let (s, tree, mut m) = loaded(&disk, opts());
    let reader = view(&s, &m);
    let (leaves, _) = s.tree_size(tree).unwrap();
    let plain = |i: &u32| !i.is_multiple_of(97);
    let large = change(&s, tree, &mut m, (200..1200).filter(plain).map(|i| (i, None))).submit().unwrap();
    while large.poll(&s).is_none() {
        s.step_log();
        s.step_applier();
        assert_eq!(
            (s.store().trees().len(), s.tree_size(tree).unwrap().0),
            (OWN_TREES.len() + 1, leaves),
            "a page was made"
        );
    }
    holds(tree, &reader, "after");
    assert_eq!(entries(&s, tree), ROWS as usize);
    drop(reader);
    forget(&s);
    assert_eq!((entries(&s, tree), stat(&s, "purged")), (m.len(), 1000 - 10));
    let left = s.tree_size(tree).unwrap().0;
    assert!(left * 2 <= leaves + 4, "{left} of {leaves} leaves are left");
    s.close().unwrap();
}

/// Restarts amid deletions and purges, with a checkpoint begun at a turn and finished at a later one.
#[test]
fn a_restart_at_any_turn() {
    for (checkpoint, crash_at) in (0..12).flat_map(|c| [0, 1, 3, 9].map(|d| (c * 3, c * 3 + d))) {
        let at = format!("checkpoint at {checkpoint}, crash at {crash_at}");
        let disk = SimDisk::new(checkpoint * 1000 + crash_at);
        let (s, tree, mut m) = loaded(&disk, opts());
        change(&s, tree, &mut m, (300..340).map(|i| (i, Some(vec![9; 50])))).commit().unwrap();
        // With and without somebody who needs before-images, and who holds the purge back.
        let reader = (crash_at % 2 == 0).then(|| view(&s, &m));
        change(&s, tree, &mut m, (320..360).map(|i| (i, Some(vec![8; 50])))).commit().unwrap();
        let large = change(&s, tree, &mut m, (10..1400).filter(|i| i % 11 > 0).map(|i| (i, None))).submit().unwrap();
        for turn in 0..crash_at {
            if turn == checkpoint {
                s.request_checkpoint();
            }
            s.step_checkpoint();
            s.step_log();
            s.step_applier();
        }
        s.step_log();
        if large.poll(&s).is_some() {
            s.step_forget().unwrap();
            change(&s, tree, &mut m, (20..30).map(|i| (i, Some(b"again".to_vec())))).commit().unwrap();
        }
        drop(reader);
        drop(s);
        disk.crash();
        for again in 0..2 {
            let s = stepped(&disk, opts());
            let got = all(&s, tree);
            assert!(got.iter().map(|r| (&r.0, &r.1)).eq(m.iter()), "{at}, {again}: {} rows for {}", got.len(), m.len());
            forget(&s);
            assert_eq!(
                (s.store().trees().len(), entries(&s, tree)),
                (OWN_TREES.len() + 1, m.len()),
                "{at}: something is left"
            );
            if again == 0 {
                drop(s);
                disk.crash();
            } else {
                s.close().unwrap();
            }
        }
    }
}

/// Commits that are not large do many deletions in place as well: beside snapshots from before and after the rows were written, with keys that are written again, and that never were.
#[test]
fn small_commits_of_many_deletions() {
    for seed in seeds(12) {
        let mut r = Rng::new(seed);
        let (s, tree, mut m) =
            loaded(&SimDisk::new(seed), ShardOptions { large_commit_bytes: 1 << 30, part_cache: 600, ..options() });
        let mut views: Vec<View> = Vec::new();
        for round in 0..40 {
            let at = format!("seed {seed} round {round}");
            if r.chance(3) {
                views.push(view(&s, &m));
            }
            let from = r.below(u64::from(ROWS)) as u32;
            let to = from + r.below(80) as u32;
            let mut writes = BTreeMap::new();
            for i in from..to {
                match r.below(8) {
                    0 => _ = writes.insert(i, Some(vec![r.below(256) as u8; r.below(60) as usize])),
                    1..6 => _ = writes.insert(i, None),
                    _ => {}
                }
            }
            change(&s, tree, &mut m, writes).commit().unwrap();
            if r.chance(3) && !views.is_empty() {
                views.swap_remove(r.index(views.len()));
            }
            if r.chance(2) {
                forget(&s);
            }
            views.iter().for_each(|v| holds(tree, v, &at));
            holds(tree, &view(&s, &m), &at);
        }
        assert_eq!(stat(&s, "large_commits"), 0);
        views.clear();
        forget(&s);
        assert_eq!(entries(&s, tree), m.len(), "seed {seed}");
    }
}
