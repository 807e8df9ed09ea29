//! A single node over a simulated disk, with crashes, and a store that fails: whatever base backup says it is done restores, together with the archive, to exactly what was there at any later time.
//!
//! Everything happens in one thread in an order drawn from the seed: `PAMIR_SEED=n cargo test -p pamir-backup --test own`.
mod common;
use common::*;
use pamir_backup::archive::{self, Archiver, Step};
use pamir_backup::base::{self, Progress};
use pamir_backup::check::{check, prune, stretches};
use pamir_backup::plant::{self, Bug};
use pamir_backup::restore::{Target, backups, restore};
use pamir_backup::source::{OwnLog, Source};
use pamir_backup::store::Store;
use pamir_error::Result;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::{Faults, SimDisk};
use pamir_storage::platform::{Platform, Sim};
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, TreeId};
use std::sync::Arc;
use std::time::Duration;

/// A commit: the clock before it, and after it was acknowledged; what is there with it; where the log ended then.
struct Commit {
    before: i64,
    after: i64,
    position: u64,
    map: Map,
}
struct World {
    r: Rng,
    disk: SimDisk,
    platform: Arc<Sim>,
    shard: Option<Arc<Shard>>,
    source: Option<Arc<OwnLog>>,
    archiver: Option<Archiver>,
    trees: Vec<TreeId>,
    history: Vec<Commit>,
    faulty: Arc<Faulty>,
}
impl World {
    fn new(seed: u64) -> World {
        let disk = SimDisk::new(seed);
        let platform = Arc::new(Sim::new(seed));
        let mut w = World {
            r: Rng::new(seed.wrapping_mul(0x5851_F42D_4C95_7F2D)),
            disk,
            platform,
            shard: None,
            source: None,
            archiver: None,
            trees: Vec::new(),
            history: Vec::new(),
            faulty: Faulty::new(seed),
        };
        w.open();
        let before = w.platform.time();
        let t = begin(w.shard());
        w.trees = (0..2).map(|_| t.create_tree().unwrap()).collect();
        t.commit().unwrap();
        w.note(before, Map::new());
        w
    }
    fn shard(&self) -> &Arc<Shard> {
        self.shard.as_ref().unwrap()
    }
    fn open(&mut self) {
        let mut options = options(Some(self.platform.clone()));
        options.stamps = true;
        let disk: Arc<dyn Disk> = Arc::new(self.disk.clone());
        let hold = archive::read_mark(&*disk).unwrap().map(|at| options.holds.hold(at));
        let shard = Shard::open_stepped(disk.clone(), options).unwrap();
        let source = Arc::new(OwnLog::new(shard.clone()).unwrap());
        let o = archive::Options { timeout: Duration::from_millis(50), piece_bytes: 6_000, ..Default::default() };
        self.archiver = Some(Archiver::new(self.faulty.store(), source.clone(), o, Some(disk), hold));
        (self.shard, self.source) = (Some(shard), Some(source));
    }
    fn note(&mut self, before: i64, map: Map) {
        let position = self.shard().log_durable().unwrap();
        self.history.push(Commit { before, after: self.platform.time(), position, map });
    }
    fn commit(&mut self) {
        let mut map = self.history.last().unwrap().map.clone();
        let before = self.platform.time();
        let shard = self.shard().clone();
        let t = begin(&shard);
        let n = if self.r.chance(15) { 60 } else { 1 + self.r.below(4) };
        for _ in 0..n {
            let tree = *self.r.choose(&self.trees);
            let k = (self.r.below(300) as u32).to_be_bytes().to_vec();
            if self.r.chance(4) {
                t.delete(tree, &k).unwrap();
                map.remove(&(tree.0, k));
            } else {
                let len = if self.r.chance(40) { 9_000 } else { self.r.below(150) };
                let v = vec![self.history.len() as u8; len as usize];
                t.put(tree, &k, &v).unwrap();
                map.insert((tree.0, k), v);
            }
        }
        // Two commits never leave the same.
        let mark = (self.trees[0].0, b"mark".to_vec());
        let v = (self.history.len() as u64).to_le_bytes().to_vec();
        t.put(self.trees[0], &mark.1, &v).unwrap();
        map.insert(mark, v);
        t.commit().unwrap();
        self.note(before, map);
    }
    fn archive(&mut self, all: bool) -> Result<Step> {
        self.archiver.as_mut().unwrap().step(all)
    }
    fn backup(&mut self) -> Result<String> {
        let source = self.source.clone().unwrap();
        base::create(&self.faulty.store(), &*source, &*self.platform, &Progress::default()).map(|b| b.0)
    }
    fn crash(&mut self) {
        (self.archiver, self.source, self.shard) = (None, None, None);
        self.disk.crash();
        self.open();
    }
    /// Everything that is durable is archived.
    fn archive_all(&mut self) {
        self.faulty.heal();
        for _ in 0..1_000 {
            if self.archive(true).unwrap() == Step::Idle {
                return;
            }
        }
        panic!("the archiver does not come to its end");
    }
    fn store(&self) -> Store {
        self.faulty.store()
    }
    fn restore(&self, seed: u64, target: Target) -> Result<Map> {
        let disk = SimDisk::new(seed);
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        restore(&self.store(), None, None, target, &shared, SEGMENT, &|_| ())?;
        Ok(content(&disk, &self.trees))
    }
    /// How many commits a restored content has.
    fn count(&self, seed: u64, map: &Map) -> usize {
        let n = self.history.iter().rposition(|c| c.map == *map);
        n.unwrap_or_else(|| panic!("seed {seed}: what was restored was never there"))
    }
}

fn run(seed: u64) {
    let mut w = World::new(seed);
    // The archive begins; before the first backup, or some could not be gone on from.
    w.archive_all();
    let mut done: Vec<(String, i64)> = Vec::new();
    for _ in 0..120 {
        w.platform.pass(w.r.below(20_000) as i64);
        match w.r.below(20) {
            0 => drop(w.shard().checkpoint()),
            1..=4 => {
                let all = w.r.chance(4);
                drop(w.archive(all));
            }
            5 => match w.backup() {
                Ok(id) => {
                    let now = w.platform.time();
                    done.push((id, now));
                }
                Err(e) => {
                    assert!(w.faulty.store().list("").is_err() || e.code().as_str() == "58030", "seed {seed}: {e}")
                }
            },
            6 => w.crash(),
            7 => w.faulty.fail(2),
            8 => w.faulty.kill_after(w.r.below(12)),
            9 => w.faulty.heal(),
            _ => w.commit(),
        }
    }
    w.faulty.heal();
    if done.is_empty() {
        w.archive_all();
        let id = w.backup().unwrap();
        let now = w.platform.time();
        done.push((id, now));
        (0..10).for_each(|_| w.commit());
    }
    w.archive_all();
    // What was said to be done is there, and nothing else is whole.
    let store = w.store();
    let system = w.source.as_ref().unwrap().system();
    let listed: Vec<String> =
        backups(&store, &system).unwrap().into_iter().map(|(id, m)| m.map(|_| id).unwrap()).collect();
    assert!(done.iter().all(|(id, _)| listed.contains(id)), "seed {seed}: {done:?} {listed:?}");
    let report = check(&store, &system).unwrap();
    assert_eq!(report.problems, [] as [String; 0], "seed {seed}");
    assert_eq!(stretches(&store, &system).unwrap().len(), 1, "seed {seed}: a gap");
    // All there is.
    let last = w.history.len() - 1;
    let latest = w.restore(seed, Target::Latest).unwrap();
    assert_eq!(w.count(seed, &latest), last, "seed {seed}");
    // Any time since the first backup was done: what was acknowledged is there, what was not begun is not.
    let (first, end) = (done[0].1, w.history[last].after);
    for _ in 0..3 {
        let t = first + w.r.below((end - first).max(1) as u64) as i64;
        let Ok(map) = w.restore(seed ^ 1, Target::Time(t)) else {
            panic!("seed {seed}: no restore to {t}: {}", w.restore(seed, Target::Time(t)).unwrap_err())
        };
        let n = w.count(seed, &map);
        assert!(w.history.get(n + 1).is_none_or(|c| c.after > t), "seed {seed}: {t} lacks an acknowledged commit");
        assert!(w.history[n].before <= t, "seed {seed}: {t} has a commit of later");
    }
    // A position.
    let reach = backups(&store, &system).unwrap().into_iter().map(|b| b.1.unwrap().reach.position).min().unwrap();
    let behind: Vec<usize> = (0..=last).filter(|n| w.history[*n].position >= reach).collect();
    if let Some(n) = behind.get(w.r.index(behind.len().max(1))) {
        let map = w.restore(seed ^ 2, Target::Position(w.history[*n].position)).unwrap();
        assert_eq!(w.count(seed, &map), *n, "seed {seed}");
    }
    // With less kept, the newest still restores.
    prune(&store, &system, 1, w.platform.time()).unwrap();
    assert_eq!(backups(&store, &system).unwrap().len(), 1);
    let latest = w.restore(seed ^ 3, Target::Latest).unwrap();
    assert_eq!(w.count(seed, &latest), last, "seed {seed}: after prune");
}

#[test]
fn what_is_done_restores() {
    chance::seeds(200).for_each(run);
}

/// A small world with a backup and some log behind it.
fn small(seed: u64) -> World {
    let mut w = World::new(seed);
    w.archive_all();
    (0..20).for_each(|_| w.commit());
    w.backup().unwrap();
    (0..20).for_each(|_| w.commit());
    w.archive_all();
    w
}

/// A restore that is killed at any step leaves a directory that nobody opens.
#[test]
fn a_killed_restore_is_none() {
    let w = small(5);
    let mut whole = 0;
    for n in 0..400 {
        let disk = SimDisk::new(n);
        disk.set_faults(Faults { fail_write_after: Some(n), ..Faults::default() });
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let ended = restore(&w.store(), None, None, Target::Latest, &shared, SEGMENT, &|_| ());
        disk.set_faults(Faults::default());
        disk.crash();
        match ended {
            Ok(_) => {
                assert_eq!(content(&disk, &w.trees), w.history.last().unwrap().map);
                whole += 1;
                break;
            }
            Err(_) if disk.list().unwrap().is_empty() => {}
            Err(_) => {
                let opened = Shard::open_stepped(Arc::new(disk.clone()), options(None));
                assert!(opened.is_err(), "killed after {n} writes, and opened");
            }
        }
    }
    assert_eq!(whole, 1, "no restore came to its end");
}

/// Every object, damaged or gone: an error that names it, never another content.
#[test]
fn damaged_objects_are_named() {
    let w = small(6);
    let store = w.store();
    let system = w.source.as_ref().unwrap().system();
    let want = &w.history.last().unwrap().map;
    for (name, len) in store.list("").unwrap() {
        let good = store.get(&name).unwrap();
        for damage in 0..4 {
            match damage {
                0 => store.delete(&name).unwrap(),
                1 => store.put(&name, &good[..good.len() / 2]).unwrap(),
                2 => {
                    let mut b = good.clone();
                    b[len as usize * 2 / 3] ^= 4;
                    store.put(&name, &b).unwrap();
                }
                _ => store.put(&name, b"").unwrap(),
            }
            match w.restore(7, Target::Latest) {
                // Not needed: of before the backup, or the end of the archive.
                Ok(map) if map == *want => {}
                Ok(map) => {
                    assert!(damage == 0, "{name} damaged, and restored without a word");
                    let n = w.count(7, &map);
                    let last = archive::pieces(&store, &system).unwrap().pop().unwrap();
                    assert!(w.history[n + 1].position > last, "{name} is gone, and others were left out with it");
                }
                Err(e) => {
                    let gone = damage == 0
                        && (e.message().contains("gap")
                            || e.message().contains("no backup")
                            || e.message().contains("no base"));
                    assert!(gone || e.message().contains(&name), "{name}: {e}");
                }
            }
            if damage > 0 {
                assert!(!check(&store, &system).unwrap().problems.is_empty(), "{name}");
            }
            store.put(&name, &good).unwrap();
        }
    }
    assert_eq!(w.restore(8, Target::Latest).unwrap(), *want);
}

/// A copy of the directory that goes on by itself does not write into the archive.
#[test]
fn a_copy_does_not_fork_the_archive() {
    let mut w = small(9);
    let copy = SimDisk::new(10);
    for name in w.disk.list().unwrap() {
        let file = copy.open(&name, true).unwrap();
        file.write_at(&w.disk.content(&name).unwrap(), 0).unwrap();
        file.sync().unwrap();
    }
    copy.sync_dir().unwrap();
    // The original goes on.
    (0..5).for_each(|_| w.commit());
    w.archive_all();
    let (before, want) = (w.store().list("").unwrap(), w.history.last().unwrap().map.clone());
    // So does the copy, further.
    let mut c = World { disk: copy, faulty: w.faulty.clone(), ..World::new(11) };
    c.open();
    c.trees = w.trees.clone();
    (0..50).for_each(|_| c.commit());
    let e = c.archive(true).and_then(|_| c.archive(true)).and_then(|_| c.archive(true));
    assert!(e.unwrap_err().message().contains("not of this directory's history"));
    assert_eq!(w.store().list("").unwrap(), before);
    assert_eq!(w.restore(12, Target::Latest).unwrap(), want);
}

/// Base backups of one system and log of another: refused.
#[test]
fn what_does_not_belong_together_is_refused() {
    let (a, b) = (small(20), small(21));
    let (of_a, of_b) = (a.source.as_ref().unwrap().system(), b.source.as_ref().unwrap().system());
    // Pieces of one under the other's name.
    let store = a.store();
    for from in archive::pieces(&store, &of_a).unwrap() {
        store.delete(&archive::name(&of_a, from)).unwrap();
    }
    for from in archive::pieces(&b.store(), &of_b).unwrap() {
        let bytes = b.store().get(&archive::name(&of_b, from)).unwrap();
        store.put(&archive::name(&of_a, from), &bytes).unwrap();
    }
    let e = a.restore(1, Target::Latest).unwrap_err();
    assert_eq!(e.code().as_str(), "XX001", "{e}");
    assert!(!check(&store, &of_a).unwrap().problems.is_empty());
    // Two systems in one store: one is to be named.
    let both = small(22);
    for (name, _) in b.store().list("").unwrap() {
        both.store().put(&name, &b.store().get(&name).unwrap()).unwrap();
    }
    assert!(both.restore(1, Target::Latest).unwrap_err().message().contains("several systems"));
}

/// A store that is away for more log than is kept: the log goes, the gap is told, and a new base backup makes it good.
#[test]
fn a_gap_is_told() {
    let mut w = small(30);
    let system = w.source.as_ref().unwrap().system();
    let source = w.source.clone().unwrap();
    let o = archive::Options { lag: 40_000, piece_bytes: 6_000, ..Default::default() };
    let disk: Arc<dyn Disk> = Arc::new(w.disk.clone());
    w.archiver = Some(Archiver::new(w.faulty.store(), source, o, Some(disk), None));
    w.archive_all();
    let before = w.history.last().unwrap().position;
    w.faulty.kill_after(0);
    while w.history.last().unwrap().position < before + 100_000 {
        w.commit();
        let _ = w.archive(true);
    }
    w.shard().checkpoint().unwrap();
    assert!(w.archiver.as_ref().unwrap().figures().lock().gaps >= 1);
    w.archive_all();
    (0..5).for_each(|_| w.commit());
    w.archive_all();
    let store = w.store();
    assert!(stretches(&store, &system).unwrap().len() > 1);
    let e = w.restore(1, Target::Latest).unwrap_err();
    assert!(e.message().contains("gap"), "{e}");
    assert!(check(&store, &system).unwrap().problems.iter().any(|p| p.contains("gap")));
    w.backup().unwrap();
    (0..5).for_each(|_| w.commit());
    w.archive_all();
    assert_eq!(w.restore(2, Target::Latest).unwrap(), w.history.last().unwrap().map);
}

/// What is beyond the archive is refused rather than left out.
#[test]
fn targets_beyond_the_archive_are_refused() {
    let w = small(40);
    let c = w.history.last().unwrap();
    let e = w.restore(1, Target::Time(c.after + 3_600_000_000)).unwrap_err();
    assert!(e.message().contains("ends before the target time"), "{e}");
    let e = w.restore(1, Target::Position(c.position + 10_000)).unwrap_err();
    assert!(e.message().contains("before the target"), "{e}");
    let e = w.restore(1, Target::Time(w.history[0].before)).unwrap_err();
    assert!(e.message().contains("no base backup at or before"), "{e}");
    let disk: Arc<dyn Disk> = Arc::new(SimDisk::new(1));
    disk.open("something", true).unwrap();
    let e = restore(&w.store(), None, None, Target::Latest, &disk, SEGMENT, &|_| ()).unwrap_err();
    assert!(e.message().contains("not empty"), "{e}");
}

/// Commits go on while the checkpoint is written and copied: the pages alone are of no one time, with the log beside them they are.
#[test]
fn beside_commits() {
    const KEYS: u64 = 2_000;
    let touched = |n: u64| [n.wrapping_mul(7919) % KEYS, n.wrapping_mul(104_729) % KEYS];
    let key = |k: u64| k.to_be_bytes();
    let value = |n: u64| [&n.to_le_bytes()[..], &[7; 700]].concat();
    for seed in 0..4 {
        let disk = SimDisk::new(seed);
        let options = pamir_txn::ShardOptions { checkpoint_bytes: 1 << 30, log_segment_size: 1 << 20, ..options(None) };
        let shard = Shard::open(Arc::new(disk.clone()), options).unwrap();
        let t = begin(&shard);
        let tree = t.create_tree().unwrap();
        (0..KEYS).for_each(|k| t.put(tree, &key(k), &value(0)).unwrap());
        t.commit().unwrap();
        let source = OwnLog::new(shard.clone()).unwrap();
        let store = Faulty::new(seed).store();
        let over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|s| {
            s.spawn(|| {
                for n in 1.. {
                    if over.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                    let t = begin(&shard);
                    touched(n).iter().for_each(|k| t.put(tree, &key(*k), &value(n)).unwrap());
                    t.commit().unwrap();
                }
            });
            std::thread::sleep(Duration::from_millis(50));
            let made = base::create(&store, &source, &pamir_storage::platform::Real, &Progress::default());
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            made.unwrap();
        });
        shard.close().unwrap();
        let disk = SimDisk::new(seed);
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        restore(&store, None, None, Target::Latest, &shared, SEGMENT, &|_| ()).unwrap();
        let got: Vec<u64> =
            content(&disk, &[tree]).values().map(|v| u64::from_le_bytes(v[..8].try_into().unwrap())).collect();
        let newest = got.iter().copied().max().unwrap();
        let mut want = vec![0; KEYS as usize];
        (1..=newest).for_each(|n| touched(n).iter().for_each(|k| want[*k as usize] = n));
        assert!(newest > 0 && got == want, "seed {seed}: pages of several times");
    }
}

/// Does any of it notice the bug?
fn is_found(bug: Bug) -> bool {
    let tests: [fn(); 8] = [
        || (1..60).for_each(run),
        a_killed_restore_is_none,
        damaged_objects_are_named,
        a_copy_does_not_fork_the_archive,
        what_does_not_belong_together_is_refused,
        a_gap_is_told,
        targets_beyond_the_archive_are_refused,
        beside_commits,
    ];
    plant::plant(Some(bug));
    // One of them has threads, which may not meet.
    let found = (0..5).any(|_| tests.iter().any(|t| std::panic::catch_unwind(t).is_err()));
    plant::plant(None);
    found
}
/// Each bug that can be planted in what a single node does is found.
#[test]
fn planted_bugs_are_found() {
    let quiet = |_: &std::panic::PanicHookInfo| ();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(quiet));
    let missed: Vec<Bug> = Bug::ALL
        .into_iter()
        .filter(|b| ![Bug::FollowerHoldsNothing, Bug::NobodyStandsIn].contains(b))
        .filter(|b| !is_found(*b))
        .collect();
    std::panic::set_hook(before);
    assert_eq!(missed, []);
}
