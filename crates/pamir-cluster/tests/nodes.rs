//! Nodes of one process over real sockets and directories: a cluster of one grows to three, loses its leader, goes on, and gets it back.
use pamir_cluster::cluster::{Cluster, SNAPSHOT_RATE, Settings};
use pamir_cluster::log::Keep;
use pamir_cluster::members::NodeInfo;
use pamir_cluster::version::{Build, NEWEST, Waits};
use pamir_cluster::watch::Order;
use pamir_storage::disk::Disk;
use pamir_storage::disk::gated::{Calls, Gate, GatedDisk, Pace};
use pamir_storage::disk::real::RealDisk;
use pamir_storage::store::DATA_FILE;
use pamir_testkit::port;
use pamir_txn::*;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn settings(port: u16, join: &[u16]) -> Settings {
    let at = |p: u16| format!("127.0.0.1:{p}");
    Settings {
        listen: at(port).parse().unwrap(),
        info: NodeInfo { address: at(port), sql: String::new(), name: String::new() },
        join: join.iter().map(|p| at(*p)).collect(),
        tls: None,
        insecure: false,
        snapshot_rate: SNAPSHOT_RATE,
        keep: Keep::default(),
        room: None,
        build: Build::OWN,
        options: ShardOptions {
            cache_size: 8 << 20,
            io_threads: 1,
            log_segment_size: 1 << 20,
            ..ShardOptions::default()
        },
    }
}
/// Opens a node, again and again while snapshots come that it must start from.
fn open(dir: &Path, s: &Settings) -> Arc<Cluster> {
    open_over(&|| RealDisk::open(dir).unwrap(), s)
}
fn open_over(disk: &dyn Fn() -> Arc<dyn Disk>, s: &Settings) -> Arc<Cluster> {
    let end = Instant::now() + PATIENCE;
    let once = || Cluster::open(disk(), s.clone(), &|_| {}).unwrap_or_else(|e| panic!("{e}"));
    let mut c = once();
    loop {
        assert!(Instant::now() < end, "a node does not take part");
        std::thread::sleep(Duration::from_millis(20));
        if c.must_restart() {
            close(c);
            c = once();
        } else if !c.view().members.nodes.is_empty() && c.shard().is_readable() {
            return c;
        }
    }
}
fn close(c: Arc<Cluster>) {
    c.stop();
    c.shard().close().unwrap();
    let mut c = Some(c);
    let end = Instant::now() + PATIENCE;
    // The directory's lock goes with the last who knows it.
    while let Some(last) = c.take() {
        match Arc::try_unwrap(last) {
            Ok(last) => drop(last),
            Err(other) if Instant::now() < end => c = Some(other),
            Err(_) => panic!("a node is still in use"),
        }
    }
}
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}
fn leader(all: &[Arc<Cluster>]) -> Arc<Cluster> {
    let mut found = None;
    until("a leader", || {
        found = all.iter().find(|c| c.shard().leads()).cloned();
        found.is_some()
    });
    found.unwrap()
}
/// Puts a row, whoever leads.
fn put(all: &[Arc<Cluster>], tree: &mut Option<TreeId>, key: u32) {
    until("a commit", || {
        let c = leader(all);
        let t = c.shard().begin(Isolation::ReadCommitted, false, Arc::default());
        let id = match *tree {
            Some(t) => t,
            None => t.create_tree().unwrap(),
        };
        if t.put(id, &key.to_be_bytes(), b"value").is_err() || t.commit().is_err() {
            return false;
        }
        *tree = Some(id);
        true
    });
}
fn rows(c: &Cluster, tree: TreeId) -> usize {
    let t = c.shard().begin(Isolation::ReadCommitted, true, Arc::default());
    let s = t.statement();
    if !c.shard().store().tree_exists(tree) {
        return 0;
    }
    let mut scan = t.scan(&s, tree, b"", None, Dir::Forward).unwrap();
    let mut n = 0;
    while scan.next(&t).unwrap().is_some() {
        n += 1;
    }
    n
}
fn voters(c: &Cluster) -> usize {
    c.view().members.conf.voters.len()
}

#[test]
fn three_nodes() {
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let of = |i: usize| settings(ports[i], if i == 0 { &[] } else { &ports[..1] });
    let mut tree = None;
    let mut all = vec![open(dirs[0].path(), &of(0))];
    for key in 0..100 {
        put(&all, &mut tree, key);
    }
    // What no message could carry is refused, and nothing else.
    let t = all[0].shard().begin(Isolation::ReadCommitted, false, Arc::default());
    t.put(tree.unwrap(), b"long", &vec![1; 30 << 20]).unwrap();
    assert_eq!(t.commit().unwrap_err().code().as_str(), "54000");
    for i in 1..3 {
        all.push(open(dirs[i].path(), &of(i)));
        until("a voter", || voters(&all[0]) == i + 1);
    }
    for key in 100..200 {
        put(&all, &mut tree, key);
    }
    let t = tree.unwrap();
    for c in &all {
        until("every row", || rows(c, t) == 200);
    }
    // The leader goes without a word.
    let at = all.iter().position(|c| c.shard().leads()).unwrap();
    let gone = all.remove(at);
    close(gone);
    let since = Instant::now();
    put(&all, &mut tree, 200);
    eprintln!("writes went on after {:?}", since.elapsed());
    for key in 201..300 {
        put(&all, &mut tree, key);
    }
    // It comes back to its own directory.
    all.push(open(dirs[at].path(), &of(at)));
    for c in &all {
        until("every row", || rows(c, t) == 300);
    }
    // The leadership is handed over.
    let old = leader(&all);
    let to = all.iter().find(|c| c.me() != old.me()).unwrap().me();
    old.transfer(to).unwrap();
    until("the new leader", || all.iter().any(|c| c.me() == to && c.shard().leads()));
    put(&all, &mut tree, 300);
    // One is taken out.
    let leads = leader(&all);
    let out = all.iter().find(|c| c.me() != leads.me()).unwrap().me();
    leads.remove(out).unwrap();
    until("two members", || voters(&leads) == 2 && leads.view().members.nodes.len() == 2);
    drop((old, leads));
    all.into_iter().for_each(close);
}

/// A follower whose disk gives no page, and that has none in memory, stores the log and answers for it.
#[test]
fn a_follower_that_can_read_no_page_still_acknowledges() {
    const ROWS: u32 = 2_000;
    let dirs: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..2).map(|_| port()).collect();
    let of = |i: usize| settings(ports[i], if i == 0 { &[] } else { &ports[..1] });
    let first = open(dirs[0].path(), &of(0));
    let second = open(dirs[1].path(), &of(1));
    until("two voters", || voters(&first) == 2);
    let mut tree = None;
    put(std::slice::from_ref(&first), &mut tree, 0);
    let t = tree.unwrap();
    let fill = first.shard().begin(Isolation::ReadCommitted, false, Arc::default());
    (0..ROWS).for_each(|k| fill.put(t, &k.to_be_bytes(), &[7; 100]).unwrap());
    fill.commit().unwrap();
    until("every row", || rows(&second, t) == ROWS as usize);
    second.shard().checkpoint().unwrap();
    close(second);
    let held: Mutex<Option<Gate>> = Mutex::new(None);
    let second = open_over(
        &|| {
            let (disk, gate) =
                GatedDisk::new(RealDisk::open(dirs[1].path()).unwrap(), Calls::Reads, |n| n == DATA_FILE);
            *held.lock().unwrap() = Some(gate);
            disk
        },
        &of(1),
    );
    let gate = held.lock().unwrap().take().unwrap();
    until("a leader that knows of two", || first.shard().leads() && voters(&first) == 2);
    gate.set(Pace::Never);
    // Each on a leaf of its own; both members are needed for a majority.
    let commits = std::thread::spawn({
        let leads = [first.clone()];
        move || (0..20).for_each(|n| put(&leads, &mut Some(t), n * (ROWS / 20)))
    });
    until("commits", || commits.is_finished());
    commits.join().unwrap();
    until("a read that waits", || gate.is_held());
    put(std::slice::from_ref(&first), &mut tree, ROWS);
    assert!(gate.is_held() && first.shard().leads());
    gate.set(Pace::Quick);
    until("every row", || rows(&second, t) == ROWS as usize + 1);
    [first, second].into_iter().for_each(close);
}

/// Sessions at every node count up the same rows while the leadership goes round: what they were told is what is there.
#[test]
fn sessions_of_all_nodes() {
    const ROWS: u64 = 8;
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let mut all = vec![open(dirs[0].path(), &settings(ports[0], &[]))];
    let tree = {
        let leads = leader(&all);
        let t = leads.shard().begin(Isolation::ReadCommitted, false, Arc::default());
        let tree = t.create_tree().unwrap();
        (0..ROWS).for_each(|k| t.put(tree, &[k as u8], &0u64.to_le_bytes()).unwrap());
        t.commit().unwrap();
        tree
    };
    for i in 1..3 {
        all.push(open(dirs[i].path(), &settings(ports[i], &ports[..1])));
        until("a voter", || voters(&all[0]) == i + 1);
    }
    let (done, unknown) = (AtomicU64::new(0), AtomicU64::new(0));
    let far = AtomicU64::new(0);
    let end = Instant::now() + Duration::from_secs(4);
    std::thread::scope(|s| {
        for n in 0..6 {
            let (engine, done, unknown, far) = (all[n % 3].engine().unwrap(), &done, &unknown, &far);
            s.spawn(move || {
                let mut row = n as u64;
                while Instant::now() < end {
                    row = (row * 5 + 3) % ROWS;
                    let key = [row as u8];
                    let t = engine.begin(Isolation::ReadCommitted, false, Arc::default());
                    t.set_limits(None, Some(Instant::now() + Duration::from_secs(20)));
                    let is_far = t.far();
                    let add = || {
                        t.statement();
                        let mut value = vec![];
                        t.claim(tree, &key, RowLock::NoKeyUpdate, &mut value)?;
                        let n = u64::from_le_bytes(value.as_slice().try_into().unwrap());
                        t.put(tree, &key, &(n + 1).to_le_bytes())
                    };
                    match add().and_then(|()| t.commit()) {
                        Ok(_) => {
                            done.fetch_add(1, Ordering::SeqCst);
                            far.fetch_add(u64::from(is_far), Ordering::SeqCst);
                        }
                        Err(e) => match e.code().as_str() {
                            "08007" => _ = unknown.fetch_add(1, Ordering::SeqCst),
                            // Another node leads, or none does yet.
                            "40001" | "57P03" | "25006" => {}
                            other => panic!("{other}: {e:?}"),
                        },
                    }
                }
            });
        }
        for round in 0..5 {
            std::thread::sleep(Duration::from_millis(600));
            let old = leader(&all);
            let to = all[round % 3].me();
            if to != old.me() && old.transfer(to).is_ok() {
                until("the new leader", || all.iter().any(|c| c.me() == to && c.shard().leads()));
            }
        }
    });
    let (done, unknown, far) = (done.into_inner(), unknown.into_inner(), far.into_inner());
    // Every node reads the same, wherever the data is.
    for c in &all {
        let engine = c.engine().unwrap();
        let t = engine.begin(Isolation::RepeatableRead, true, Arc::default());
        let (snap, mut sum) = (t.statement(), 0);
        for k in 0..ROWS {
            let mut value = vec![];
            assert!(t.get(&snap, tree, &[k as u8], &mut value).unwrap());
            sum += u64::from_le_bytes(value.as_slice().try_into().unwrap());
        }
        drop((snap, t));
        assert!((done..=done + unknown).contains(&sum), "{sum} of {done} and {unknown}");
        assert_eq!(engine.open_transactions(), 0);
    }
    assert!(far > 0 && far < done, "{far} of {done}");
    eprintln!("{done} increments, {far} of them far, {unknown} of unknown outcome");
    all.into_iter().for_each(close);
}

/// Three nodes of the build before, upgraded one by one; held down, finalized; then the old build comes too late, at each door.
#[test]
fn a_rolling_upgrade() {
    let old = |s: Settings| Settings { build: Build::FIRST, ..s };
    let holding = |s: Settings| Settings { build: Build { holds: true, ..Build::OWN }, ..s };
    let dirs: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..4).map(|_| port()).collect();
    let of = |i: usize| settings(ports[i], if i == 0 { &[] } else { &ports[..1] });
    let (mut tree, mut key) = (None, 0);
    let mut all: Vec<Arc<Cluster>> = Vec::new();
    for i in 0..3 {
        all.push(open(dirs[i].path(), &old(of(i))));
        until("a voter", || voters(&all[0]) == i + 1);
    }
    let mut more = |all: &[Arc<Cluster>]| {
        for _ in 0..20 {
            put(all, &mut tree, key);
            key += 1;
        }
        (tree.unwrap(), key as usize)
    };
    more(&all);
    let mut again = |all: &mut Vec<Arc<Cluster>>, i: usize, s: &Settings| {
        close(all.remove(i));
        all.insert(i, open(dirs[i].path(), s));
        more(all)
    };
    // To the new build, back, and there again.
    for (i, s) in [(1, holding(of(1))), (2, holding(of(2))), (1, old(of(1))), (1, holding(of(1)))] {
        again(&mut all, i, &s);
        assert!(all.iter().all(|c| c.view().members.format == 1));
    }
    until("the old one", || leader(&all).picture().format_waits == Some(Waits::Old(vec![1])));
    let mut pause = || {
        std::thread::sleep(Duration::from_millis(10));
        Ok(())
    };
    let e = all[1].steer(Order::Finalize, &mut pause).unwrap_err();
    assert_eq!((e.code().as_str(), e.data().detail.as_ref().unwrap().ends_with(": 1.")), ("55000", true));
    again(&mut all, 0, &holding(of(0)));
    until("those that hold", || leader(&all).picture().format_waits == Some(Waits::Held(vec![1, 2, 3])));
    assert!(all.iter().all(|c| c.view().members.format == 1));
    all[1].steer(Order::Finalize, &mut pause).unwrap();
    until("the format", || all.iter().all(|c| c.view().members.format == NEWEST && c.picture().format_waits.is_none()));
    let (t, n) = again(&mut all, 2, &of(2));
    for c in &all {
        until("every row", || rows(c, t) == n);
    }
    // Too late: one that would join, and one that was there.
    let refused = |i: usize| match Cluster::open(RealDisk::open(dirs[i].path()).unwrap(), old(of(i)), &|_| {}) {
        Ok(_) => panic!("node {} is of a build that is too old", i + 1),
        Err(e) => e,
    };
    let e = refused(3);
    assert_eq!(e.code().as_str(), "0A000", "{e}");
    assert!(e.data().hint.as_ref().is_some_and(|h| h.contains("build of the other nodes")), "{e:?}");
    close(all.remove(2));
    let e = refused(2);
    assert_eq!(e.code().as_str(), "0A000", "{e}");
    all.push(open(dirs[2].path(), &of(2)));
    let (t, n) = more(&all);
    for c in &all {
        until("every row", || rows(c, t) == n);
    }
    all.into_iter().for_each(close);
}

struct Stop<'a>(&'a AtomicBool);
impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
/// Its pages take long, and beside them more is written than is kept for a follower that is behind.
#[test]
fn a_node_joins_beside_many_writes() {
    let dirs: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..2).map(|_| port()).collect();
    let of = |i: usize| {
        let mut s = settings(ports[i], if i == 0 { &[] } else { &ports[..1] });
        s.keep = Keep { log: 1 << 20, ..Keep::default() };
        s.snapshot_rate = 4 << 20;
        s.options.checkpoint_bytes = 1 << 20;
        s
    };
    let first = open(dirs[0].path(), &of(0));
    until("a leader", || first.shard().leads());
    let t = first.shard().begin(Isolation::ReadCommitted, false, Arc::default());
    let tree = t.create_tree().unwrap();
    for key in 0..8_000_u32 {
        t.put(tree, &key.to_be_bytes(), &[7; 1_000]).unwrap();
    }
    t.commit().unwrap();
    let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let write = || {
        for key in 0.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let t = first.shard().begin(Isolation::ReadCommitted, false, Arc::default());
            t.put(tree, &(key % 8_000_u32).to_be_bytes(), &[key as u8; 1_000]).unwrap();
            t.commit().unwrap();
            written.fetch_add(1, Ordering::Relaxed);
        }
    };
    let second = std::thread::scope(|s| {
        s.spawn(write);
        // Also when something below fails.
        let _stop = Stop(&stop);
        let at = written.load(Ordering::Relaxed);
        let second = open(dirs[1].path(), &of(1));
        until("a voter", || voters(&first) == 2);
        eprintln!("{} commits beside it", written.load(Ordering::Relaxed) - at);
        second
    });
    until("every row", || rows(&second, tree) == 8_000);
    close(second);
    close(first);
}
