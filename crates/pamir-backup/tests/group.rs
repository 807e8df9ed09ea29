//! The archive of a cluster: replicas of one log, some behind, some of which believe to lead when they do not, over a store that fails. Whoever archives, the pieces make up the decided log, without a gap
//! and without a fork.
mod common;
use common::*;
use pamir_backup::archive::{self, Archiver, Step};
use pamir_backup::check::stretches;
use pamir_backup::objects::{Fault, Objects, Outcome, Pace};
use pamir_backup::piece::{self, Item};
use pamir_backup::plant::{self, Bug};
use pamir_backup::source::{Extent, Pinned, Source};
use pamir_backup::store::Store;
use pamir_backup::{Kind, Place, SystemId};
use pamir_error::{Result, bail};
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Hold, Holds};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SYSTEM: SystemId = [0x77; 16];

/// What the group has decided, and when it is.
#[derive(Default)]
struct Group {
    log: Mutex<Vec<Item>>,
    clock: AtomicI64,
}
/// A replica: how much of it it knows to be decided, and what of it is gone.
struct Replica {
    group: Arc<Group>,
    known: AtomicU64,
    oldest: AtomicU64,
    leads: AtomicU64,
    holds: Arc<Holds>,
}
impl Replica {
    /// Gives up what nobody holds.
    fn truncate(&self) {
        let upto = self.holds.lowest().min(self.known.load(Relaxed));
        self.oldest.fetch_max(upto, Relaxed);
    }
}
impl Source for Replica {
    fn kind(&self) -> Kind {
        Kind::Group
    }
    fn system(&self) -> SystemId {
        SYSTEM
    }
    fn time(&self) -> i64 {
        self.group.clock.fetch_add(1_000, Relaxed)
    }
    fn pin(&self) -> Result<Option<Pinned>> {
        bail!(INTERNAL_ERROR, "no pages here")
    }
    fn extent(&self, after: u64) -> Result<Extent> {
        let log = self.group.log.lock().unwrap();
        let known = self.known.load(Relaxed);
        let newest = known.checked_sub(1).map_or_else(Place::default, |n| log[n as usize].place);
        let bytes = log.iter().take(known as usize).skip(after as usize).map(Item::size).sum::<usize>() as u64;
        Ok(Extent { oldest: self.oldest.load(Relaxed), newest, bytes, leads: self.leads.load(Relaxed) == 1 })
    }
    fn read(&self, after: Place, upto: u64, most: usize) -> Result<Vec<Item>> {
        if after.position < self.oldest.load(Relaxed) {
            bail!(DATA_CORRUPTED, "entry {} is gone", after.position + 1);
        }
        let upto = upto.min(self.known.load(Relaxed));
        let mut left = most as i64;
        let log = self.group.log.lock().unwrap();
        let some = log.iter().take(upto as usize).skip(after.position as usize).take_while(|i| {
            let fits = left > 0;
            left -= i.size() as i64;
            fits
        });
        Ok(some.cloned().collect())
    }
    fn term_at(&self, position: u64) -> Result<Option<u64>> {
        let log = self.group.log.lock().unwrap();
        Ok(position.checked_sub(1).and_then(|n| log.get(n as usize)).map(|i| i.place.term))
    }
    fn hold(&self, position: u64) -> Hold {
        self.holds.hold(position)
    }
}

/// The store, without its faults.
struct Peek(Arc<Faulty>);
impl Objects for Peek {
    fn put(&self, _: &str, _: &[u8], _: bool, _: Pace) -> Outcome<()> {
        Err(Fault::Refused("only looked at".into()))
    }
    fn get(&self, name: &str) -> Outcome<Vec<u8>> {
        self.0.inner.get(name)
    }
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
        self.0.inner.get_range(name, from, len)
    }
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
        self.0.inner.list(prefix)
    }
    fn delete(&self, _: &str) -> Outcome<()> {
        Ok(())
    }
    fn describe(&self) -> String {
        self.0.describe()
    }
}

fn run(seed: u64) {
    let r = &mut Rng::new(seed);
    let faulty = Faulty::new(seed);
    let group = Arc::new(Group { clock: AtomicI64::new(1 << 50), ..Group::default() });
    let replicas: Vec<Arc<Replica>> = (0..3)
        .map(|_| {
            let (known, oldest, leads) = Default::default();
            Arc::new(Replica { group: group.clone(), known, oldest, leads, holds: Arc::default() })
        })
        .collect();
    let start = |n: usize| {
        let o = archive::Options { timeout: Duration::from_secs(2), piece_bytes: 400, lag: 0 };
        Archiver::new(faulty.store(), replicas[n].clone(), o, None, None)
    };
    let mut archivers: Vec<Archiver> = (0..3).map(start).collect();
    let mut term = 1;
    for _ in 0..800 {
        let n = r.index(3);
        match r.below(12) {
            0..=3 => {
                let mut log = group.log.lock().unwrap();
                let place = Place { position: log.len() as u64 + 1, term };
                let records = (0..r.below(3)).map(|_| r.bytes(60, 256).into()).collect();
                log.push(Item { place, time: group.clock.load(Relaxed), records });
                // A quorum knows it.
                let len = log.len() as u64;
                drop(log);
                let skip = r.index(4);
                replicas.iter().enumerate().filter(|(i, _)| *i != skip).for_each(|(_, p)| p.known.store(len, Relaxed));
            }
            4..=6 => {
                let all = r.chance(3);
                // It may fail; it may never believe the archive to be another's.
                if let Err(e) = archivers[n].step(all) {
                    assert!(!e.message().contains("history"), "seed {seed}: {e}");
                }
            }
            // Another one leads; the one before may not have heard.
            7 if r.chance(3) => {
                term += r.below(2) + 1;
                if r.chance(2) {
                    replicas.iter().for_each(|p| p.leads.store(0, Relaxed));
                }
                replicas[n].leads.store(1, Relaxed);
                let len = group.log.lock().unwrap().len() as u64;
                replicas[n].known.store(len, Relaxed);
            }
            8 => faulty.fail(3),
            9 => faulty.heal(),
            10 if r.chance(4) => archivers[n] = start(n),
            // Started anew, in order or killed: what is behind its checkpoint is gone, but others have it.
            11 if r.chance(6) => {
                let ended = r.chance(2)
                    && (0..99).find_map(|_| match archivers[n].step(true) {
                        Ok(Step::Went) => None,
                        r => Some(r.is_ok()),
                    }) == Some(true);
                let inner = Store::new(Arc::new(Peek(faulty.clone())));
                let end = stretches(&inner, &SYSTEM).unwrap().last().map_or(0, |s| s.to);
                let others = (0..3).all(|m| m == n || replicas[m].oldest.load(Relaxed) <= end);
                if ended || others {
                    archivers[n] = start(n);
                    let known = replicas[n].known.load(Relaxed);
                    replicas[n].oldest.fetch_max(r.below(known + 1), Relaxed);
                    replicas[n].leads.store(0, Relaxed);
                }
            }
            _ => group.clock.store(group.clock.load(Relaxed) + r.below(300_000) as i64, Relaxed),
        }
        // What is held cannot go; a replica that never looked holds nothing, and does not give up what it may be asked for.
        if archivers[n].figures().lock().position > 0 {
            replicas[n].truncate();
        }
    }
    faulty.heal();
    replicas[0].leads.store(1, Relaxed);
    let len = group.log.lock().unwrap().len() as u64;
    replicas.iter().for_each(|p| p.known.store(len, Relaxed));
    let store = faulty.store();
    for _ in 0..300 {
        group.clock.fetch_add(500_000, Relaxed);
        for a in &mut archivers {
            a.step(false).unwrap();
        }
        if stretches(&store, &SYSTEM).unwrap().last().map(|s| s.to) == Some(len) {
            break;
        }
    }
    let all = stretches(&store, &SYSTEM).unwrap();
    assert!(all.len() <= 1, "seed {seed}: {all:?}");
    let log = group.log.lock().unwrap();
    let mut at = archive::pieces(&store, &SYSTEM).unwrap().first().copied().unwrap_or(0);
    for from in archive::pieces(&store, &SYSTEM).unwrap() {
        let name = archive::name(&SYSTEM, from);
        let (_, items) = piece::read(&name, &store.get(&name).unwrap()).unwrap();
        for i in &items {
            if i.place.position <= at {
                continue;
            }
            assert_eq!(*i, log[at as usize], "seed {seed}: entry {}", at + 1);
            at += 1;
        }
    }
    assert_eq!(at, len, "seed {seed}: the archive does not come to its end");
}

#[test]
fn failovers_leave_no_gap_and_no_fork() {
    chance::seeds(300).for_each(run);
}

#[test]
fn planted_bugs_are_found() {
    for bug in [Bug::FollowerHoldsNothing, Bug::NobodyStandsIn, Bug::NothingHeld, Bug::PieceOverwritten] {
        plant::plant(Some(bug));
        let found = (1..500).find(|s| std::panic::catch_unwind(|| run(*s)).is_err());
        plant::plant(None);
        assert!(found.is_some(), "{bug:?} is not found");
    }
}
