//! Nodes of one process as their operator sees and steers them: every node shows the same, whoever is asked; leadership goes where it is sent; draining, removal and what is refused.
use pamir_cluster::NodeId;
use pamir_cluster::cluster::{Cluster, Condition, Done, Picture, SNAPSHOT_RATE, Settings};
use pamir_cluster::log::Keep;
use pamir_cluster::members::NodeInfo;
use pamir_cluster::version::Build;
use pamir_cluster::watch::{Order, Role};
use pamir_error::{Error, Result};
use pamir_storage::disk::real::RealDisk;
use pamir_testkit::port;
use pamir_txn::*;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn settings(port: u16, join: &[u16]) -> Settings {
    let at = |p: u16| format!("127.0.0.1:{p}");
    Settings {
        listen: at(port).parse().unwrap(),
        info: NodeInfo { address: at(port), sql: at(port + 1), name: String::new() },
        join: join.iter().map(|p| at(*p)).collect(),
        tls: None,
        insecure: false,
        snapshot_rate: SNAPSHOT_RATE,
        keep: Keep::default(),
        room: Some(Arc::new(|| Some((3 << 30, 4 << 30)))),
        build: Build::OWN,
        options: ShardOptions {
            cache_size: 8 << 20,
            io_threads: 1,
            log_segment_size: 1 << 20,
            ..ShardOptions::default()
        },
    }
}
fn once(dir: &Path, s: &Settings) -> Result<Arc<Cluster>> {
    Cluster::open(RealDisk::open(dir)?, s.clone(), &|_| {})
}
/// Opens a node, again and again while snapshots come that it must start from.
fn open(dir: &Path, s: &Settings) -> Arc<Cluster> {
    let end = Instant::now() + PATIENCE;
    let mut c = once(dir, s).unwrap_or_else(|e| panic!("{e}"));
    loop {
        assert!(Instant::now() < end, "a node does not take part");
        std::thread::sleep(Duration::from_millis(20));
        if c.must_restart() {
            close(c);
            c = once(dir, s).unwrap_or_else(|e| panic!("{e}"));
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
fn steer(c: &Cluster, order: Order) -> Result<Done> {
    c.steer(order, &mut || {
        std::thread::sleep(Duration::from_millis(5));
        Ok(())
    })
}
fn refused(r: Result<Done>) -> (String, Error) {
    let e = r.expect_err("it is refused");
    (e.code().as_str().to_string(), e)
}
fn put(all: &[&Arc<Cluster>], tree: &mut Option<TreeId>, key: u32) {
    until("a commit", || {
        let Some(c) = all.iter().find(|c| c.shard().leads()) else { return false };
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
/// Leader, and each node with what all of them must say alike.
type Shown = (NodeId, bool, usize, Vec<(NodeId, Role, bool, bool, String)>);
fn shown(p: &Picture) -> Shown {
    let members = p.members.iter().map(|(info, m)| (m.node, m.role, m.votes, m.draining, info.address.clone()));
    (p.leader, p.quorum, p.voters, members.collect())
}
fn alike(all: &[&Arc<Cluster>]) -> Picture {
    let mut seen = None;
    until("the same picture at all nodes", || {
        let pictures: Vec<Picture> = all.iter().map(|c| c.picture()).collect();
        let whole = |p: &Picture| {
            p.leader != 0 && p.age.is_some() && p.members.iter().all(|(_, m)| !m.version.is_empty() && m.lag.is_some())
        };
        let same = pictures.iter().all(|p| whole(p) && shown(p) == shown(&pictures[0]));
        seen = pictures.into_iter().next();
        same
    });
    seen.unwrap()
}

#[test]
fn seen_and_steered_from_any_node() {
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let of = |i: usize| settings(ports[i], if i == 0 { &[] } else { &ports[..1] });
    let first = open(dirs[0].path(), &of(0));
    // One alone: nobody to hand over to, nobody to leave.
    until("a leader", || first.leads_surely());
    assert_eq!(refused(steer(&first, Order::Remove { node: 1, force: true })).0, "55000");
    let (code, e) = refused(steer(&first, Order::Drain { node: 1, on: true }));
    assert!(code == "55000" && e.message().contains("take over") && !first.is_draining(), "{e}");
    let mut tree = None;
    (0..50).for_each(|k| put(&[&first], &mut tree, k));
    let second = open(dirs[1].path(), &of(1));
    let third = open(dirs[2].path(), &of(2));
    let all = [&first, &second, &third];
    until("three voters", || all.iter().all(|c| c.view().members.conf.voters.len() == 3));
    // They all show the same.
    let p = alike(&all);
    assert_eq!((p.members.len(), p.voters, p.quorum), (3, 3, true));
    for (info, m) in &p.members {
        let others = m.node != p.leader;
        assert_eq!((m.votes, m.silent, m.health()), (true, false, "ok"), "{m:?}");
        assert_eq!(m.role, if others { Role::Follower } else { Role::Leader });
        assert_eq!(m.disk, Some((3 << 30, 4 << 30)));
        assert!(!info.sql.is_empty() && (m.contact.is_some() == others), "{m:?}");
    }
    // A follower that has everything lacks nothing; positions come to rest alike.
    until("no lag", || {
        let p = second.picture();
        let newest = p.members.iter().filter_map(|(_, m)| m.stored).max();
        p.members.iter().all(|(_, m)| {
            m.stored == newest
                && m.applied == newest
                && m.lag.is_some_and(|l| (l.entries, l.bytes) == (0, 0) && l.time.is_zero())
        })
    });
    let led = all.iter().find(|c| c.leads_surely()).unwrap();
    let (log, rows) = (led.figures().reading.log, led.figures().reading);
    assert!(log.1 > log.0 && rows.counts.proposed > 0 && rows.counts.proposed_bytes > 0 && rows.progress.len() == 3);

    // Each measures itself and its links, and none is slow.
    until("figures of speed", || {
        put(&all, &mut tree, 99);
        all.iter().all(|c| {
            let s = c.figures().speed;
            s.disk.is_some() && s.late.is_some() && s.round_trips.len() == 2 && !s.slow && s.moves == 0
        })
    });

    // Whoever is asked, the leadership goes where it is sent.
    for (asked, to) in [(&third, 2), (&third, 3), (&second, 1), (&first, 1), (&first, 3)] {
        assert_eq!(steer(asked, Order::Transfer { node: to }).unwrap(), Done::Done);
        assert_eq!(asked.view().leader, to);
        until("it serves", || all[to as usize - 1].leads_surely());
        put(&all, &mut tree, 100 + to as u32);
    }
    // The way that the leadership goes may be another: then nobody takes it meanwhile.
    let asked = Arc::new(AtomicU64::new(0));
    let (n, this) = (asked.clone(), Arc::downgrade(&third));
    third.set_hand_over(Arc::new(move |to| {
        n.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(300));
        if let Some(c) = this.upgrade() {
            c.transfer(to).unwrap();
        }
    }));
    assert_eq!(steer(&first, Order::Transfer { node: 2 }).unwrap(), Done::Done);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    until("it serves", || second.leads_surely());
    assert_eq!(steer(&first, Order::Transfer { node: 3 }).unwrap(), Done::Done);
    until("it serves", || third.leads_surely());
    assert_eq!(refused(steer(&second, Order::Transfer { node: 9 })).0, "22023");
    assert_eq!(refused(steer(&second, Order::Remove { node: 9, force: true })).0, "22023");

    // One that drains gives the leadership away, and does not get it.
    assert_eq!(steer(&first, Order::Drain { node: 3, on: true }).unwrap(), Done::Done);
    assert_eq!(third.condition(), Condition::Draining);
    let p = alike(&all);
    assert_ne!(p.leader, 3);
    assert!(p.members[2].1.draining && p.members[2].1.health() == "draining");
    let (code, e) = refused(steer(&first, Order::Transfer { node: 3 }));
    assert!(code == "55000" && e.data().detail.as_deref().is_some_and(|d| d.contains("draining")), "{e}");
    assert_eq!(steer(&second, Order::Drain { node: 3, on: false }).unwrap(), Done::Done);
    until("a follower", || third.condition() == Condition::Follower);
    until("others know", || alike(&all).members.iter().all(|(_, m)| !m.draining));
    assert_eq!(steer(&second, Order::Transfer { node: 1 }).unwrap(), Done::Done);
    alike(&all);
    until("it serves", || first.leads_surely());
    assert_eq!((first.condition(), second.condition()), (Condition::Leader, Condition::Follower));
    assert!(first.leads_surely() && !second.leads_surely());

    // One is gone. Without the other one there would be no majority.
    let gone = dirs[2].path();
    close(third);
    let rest = [&first, &second];
    until("its silence", || rest.iter().all(|c| c.picture().members.iter().any(|(_, m)| m.node == 3 && m.silent)));
    let p = second.picture();
    let silent = &p.members[2].1;
    assert_eq!((silent.role, silent.health(), p.quorum), (Role::Unknown, "silent", true));
    for node in [1, 2] {
        let (code, e) = refused(steer(&second, Order::Remove { node, force: false }));
        assert_eq!(code, "55000");
        let d = e.data();
        assert!(d.detail.as_deref().is_some_and(|d| d.contains("node 3")) && d.hint.is_some(), "{d:?}");
    }
    assert_eq!(refused(steer(&second, Order::Transfer { node: 3 })).0, "55000");
    assert_eq!(steer(&second, Order::Remove { node: 3, force: false }).unwrap(), Done::Done);
    assert_eq!(alike(&rest).members.len(), 2);
    // It comes back, is refused, and never opens again.
    let back = once(gone, &of(2)).unwrap();
    until("it knows", || back.was_removed());
    assert_eq!(back.condition(), Condition::Removed);
    back.take_leave().unwrap();
    close(back);
    let e = once(gone, &of(2)).err().expect("a removed node's directory");
    assert!(e.code().as_str() == "55000" && e.message().contains("removed"), "{e}");

    // The leader itself goes: it hands over first, and hears of it at once.
    assert_eq!(steer(&second, Order::Remove { node: 1, force: false }).unwrap(), Done::Done);
    until("it knows", || first.was_removed());
    until("the other one serves", || second.leads_surely());
    put(&[&second], &mut tree, 1000);
    assert_eq!(alike(&[&second]).members.len(), 1);
    close(first);
    close(second);
}
