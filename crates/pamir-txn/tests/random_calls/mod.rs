//! Random calls to a far transaction and the same to a local one, on two equal shards: the same answers, the same rows left.
//!
//! One side is a [`LocalTxn`]; the other goes through the near side to whatever is far, and is told ahead what will be asked, now and then. Another transaction commits between
//! statements, where both sides hold the same locks.
#![allow(dead_code)]
use crate::common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::sync::Arc;

const TREES: u64 = 2;
const KEYS: u64 = 12;

/// What makes an engine whose transactions are elsewhere of a shard.
pub type MakeFar<'a> = &'a dyn Fn(Arc<Shard>) -> Arc<dyn Engine>;

pub struct Side {
    pub shard: Arc<Shard>,
    pub engine: Arc<dyn Engine>,
    pub trees: Vec<TreeId>,
}
impl Side {
    pub fn new(seed: u64, far: Option<MakeFar>) -> Side {
        let shard = stepped(&SimDisk::new(seed), options());
        let t = begin(&shard, Isolation::ReadCommitted);
        let trees = (0..TREES).map(|_| t.create_tree().unwrap()).collect();
        t.commit().unwrap();
        let engine = far.map_or_else(|| shard.clone() as Arc<dyn Engine>, |f| f(shard.clone()));
        Side { shard, engine, trees }
    }
    pub fn begin(&self, iso: Isolation) -> Txn {
        let t = self.engine.begin(iso, false, Arc::default());
        t.set_limits(Some(std::time::Duration::ZERO), None);
        t
    }
}
fn rows(txn: &Txn, mut scan: Scan) -> Rows {
    let mut rows = vec![];
    while let Some((k, v)) = scan.next(txn).unwrap() {
        rows.push((k.to_vec(), v.to_vec()));
    }
    rows
}
/// Up to three keys from this one on, or all to the end; ranges of one tree overlap.
fn range(k: &[u8]) -> (Vec<u8>, Option<Vec<u8>>, Dir) {
    let to = k.last().map_or(0, |b| b % 4);
    let hi = (to > 0).then(|| {
        let mut hi = k.to_vec();
        *hi.last_mut().unwrap() += to;
        hi
    });
    (k.to_vec(), hi, Dir::Forward)
}
#[derive(Clone, Debug)]
enum Step {
    Put(usize, Vec<u8>, Vec<u8>),
    Delete(usize, Vec<u8>),
    Move(usize, Vec<u8>, Vec<u8>),
    Get(usize, Vec<u8>),
    GetLatest(usize, Vec<u8>),
    Lock(usize, Vec<u8>, RowLock, WaitPolicy),
    Claim(usize, Vec<u8>, RowLock),
    Scan(usize),
    ScanLatest(usize),
    Meet(usize, Vec<u8>),
    Range(usize, Vec<u8>, bool),
    ClaimAhead(Vec<(usize, Vec<u8>)>, RowLock, Until),
    /// What is there now stays so: its locks are taken.
    LatestAhead(Vec<(usize, Vec<u8>)>),
    ClaimEachAhead(Vec<(usize, Vec<u8>, Want)>),
    RangesAhead(Vec<(usize, Vec<u8>)>, bool, usize),
    ReadAhead(Vec<(usize, Vec<u8>)>),
    Savepoint,
    RollbackTo(u64),
    Release(u64),
    Statement,
    OldSnapshot,
    Flush,
    HasWrites,
    Other(usize, Vec<u8>, Vec<u8>),
}
fn key(r: &mut Rng) -> Vec<u8> {
    format!("k{:02}", r.below(KEYS)).into_bytes()
}
fn step(r: &mut Rng) -> Step {
    let tree = r.below(TREES) as usize;
    let mode = *r.choose(&[RowLock::KeyShare, RowLock::Share, RowLock::NoKeyUpdate, RowLock::Update]);
    let keys = |r: &mut Rng| (0..1 + r.below(6)).map(|_| (r.below(TREES) as usize, key(r))).collect::<Vec<_>>();
    let value = |r: &mut Rng| format!("v{}", r.below(1000)).into_bytes();
    match r.below(50) {
        0..=6 => Step::Put(tree, key(r), value(r)),
        7..=8 => Step::Delete(tree, key(r)),
        9 => Step::Move(tree, key(r), key(r)),
        10..=13 => Step::Get(tree, key(r)),
        14..=16 => Step::GetLatest(tree, key(r)),
        17..=18 => {
            Step::Lock(tree, key(r), mode, *r.choose(&[WaitPolicy::Block, WaitPolicy::Skip, WaitPolicy::NoWait]))
        }
        19..=21 => Step::Claim(tree, key(r), mode),
        22 => Step::Scan(tree),
        23 => Step::ScanLatest(tree),
        24..=26 => Step::ClaimAhead(keys(r), mode, if r.below(2) == 0 { Until::End } else { Until::Taken }),
        27..=28 => Step::ReadAhead(keys(r)),
        29 => Step::Savepoint,
        30 => Step::RollbackTo(r.below(4)),
        31 => Step::Release(r.below(4)),
        32..=34 => Step::Statement,
        35 => Step::OldSnapshot,
        36 => Step::Flush,
        37 => Step::HasWrites,
        40..=41 => Step::Meet(tree, key(r)),
        42..=44 => Step::Range(tree, key(r), r.below(2) == 0),
        45 => {
            let modes = [None, Some(mode), Some(RowLock::Update)];
            let all = keys(r).into_iter().map(|(t, k)| {
                let there = [None, None, Some(true), Some(false)][r.below(4) as usize];
                (t, k, Want { lock: modes[r.below(3) as usize], there })
            });
            Step::ClaimEachAhead(all.collect())
        }
        48..=49 => Step::LatestAhead(keys(r)),
        46..=47 => Step::RangesAhead(keys(r), r.below(2) == 0, 1 + r.below(20) as usize),
        _ => Step::Other(tree, key(r), value(r)),
    }
}
/// Begins a statement, which reads: a snapshot that is elsewhere is taken by the first call.
fn statement(t: &Txn, side: &Side) -> Snapshot {
    let snap = t.statement();
    t.get(&snap, side.trees[0], b"", &mut vec![]).unwrap();
    snap
}
/// One side's open transaction.
struct Open {
    txn: Txn,
    snaps: Vec<Snapshot>,
    saves: Vec<SavepointId>,
}
impl Open {
    fn new(side: &Side, iso: Isolation) -> Open {
        let txn = side.begin(iso);
        let snaps = vec![statement(&txn, side)];
        Open { txn, snaps, saves: vec![] }
    }
    /// What the step answers.
    fn run(&mut self, side: &Side, s: &Step, iso: Isolation) -> String {
        let (t, tree, mut out) = (&self.txn, |i: &usize| side.trees[*i], vec![]);
        let all = |keys: &[(usize, Vec<u8>)]| {
            let mut all = Keys::default();
            keys.iter().for_each(|(t, k)| all.push(side.trees[*t], k, &[]));
            all
        };
        let snap = self.snaps.last().unwrap();
        match s {
            Step::Put(i, k, v) => t.put(tree(i), k, v).map(|()| String::new()).unwrap(),
            Step::Delete(i, k) => t.delete(tree(i), k).map(|()| String::new()).unwrap(),
            Step::Move(i, k, to) => t.delete_moved(tree(i), k, to).map(|()| String::new()).unwrap(),
            Step::Get(i, k) => {
                let found = t.get(snap, tree(i), k, &mut out).unwrap();
                if found { format!("{out:?}") } else { "none".into() }
            }
            Step::GetLatest(i, k) => format!("{:?} {out:?}", t.get_latest(tree(i), k, &mut out).unwrap()),
            Step::Lock(i, k, mode, policy) => format!("{:?}", t.lock_row(tree(i), k, *mode, *policy).unwrap()),
            Step::Claim(i, k, mode) => {
                let latest = t.claim(tree(i), k, *mode, &mut out).unwrap();
                format!("{latest:?} {out:?}")
            }
            Step::Scan(i) => format!("{:?}", rows(t, t.scan(snap, tree(i), b"", None, Dir::Forward).unwrap())),
            Step::ScanLatest(i) => {
                format!("{:?}", rows(t, t.scan_latest(tree(i), b"", None, Dir::Backward).unwrap()))
            }
            Step::Meet(i, k) => format!("{:?} {out:?}", t.meet(tree(i), k, &mut out).unwrap().1),
            Step::Range(i, k, seen) => {
                let (lo, hi, dir) = range(k);
                let scan = if *seen {
                    t.scan(snap, tree(i), &lo, hi.as_deref(), dir)
                } else {
                    t.scan_latest(tree(i), &lo, hi.as_deref(), dir)
                };
                format!("{:?}", rows(t, scan.unwrap()))
            }
            Step::RangesAhead(keys, seen, max) => {
                let mut all = Ranges::default();
                for (i, k) in keys {
                    let (lo, hi, _) = range(k);
                    all.push((tree(i), hi.is_some()), &lo, hi.as_deref().unwrap_or_default());
                }
                t.ranges_ahead(seen.then_some(snap), &all, Dir::Forward, *max).map(|_| String::new()).unwrap()
            }
            Step::LatestAhead(keys) => {
                let mut all = Keys::default();
                for (i, k) in keys {
                    t.lock_row(tree(i), k, RowLock::Update, WaitPolicy::Block).unwrap();
                    t.get_latest(tree(i), k, &mut out).unwrap();
                    all.push(tree(i), k, &out);
                }
                t.latest_ahead(&all).map(|()| String::new()).unwrap()
            }
            Step::ClaimEachAhead(keys) => {
                let mut wants = Wants::default();
                keys.iter().for_each(|(i, k, want)| wants.push((tree(i), *want), k, &[]));
                if t.far() { t.claim_each_ahead(&wants) } else { t.claim_each(&wants, &mut Met::default()) }
                    .map(|()| String::new())
                    .unwrap()
            }
            // Here the same locks are taken at once.
            Step::ClaimAhead(keys, mode, until) if !t.far() => {
                t.claim_many(&all(keys), *mode, *until, &mut Claims::default()).map(|()| String::new()).unwrap()
            }
            Step::ClaimAhead(keys, mode, until) => {
                t.claim_ahead(&all(keys), *mode, *until).map(|()| String::new()).unwrap()
            }
            Step::ReadAhead(keys) => t.read_ahead(snap, &all(keys)).map(|()| String::new()).unwrap(),
            Step::Savepoint => {
                self.saves.push(t.savepoint());
                String::new()
            }
            Step::RollbackTo(n) => {
                let Some(sp) = self.saves.get(*n as usize).copied() else { return String::new() };
                // There the locks of what is undone stay, those of unsent writes too.
                if iso == Isolation::Serializable {
                    t.flush().unwrap();
                }
                t.rollback_to(sp);
                self.saves.truncate(*n as usize + 1);
                String::new()
            }
            Step::Release(n) => {
                if let Some(sp) = self.saves.get(*n as usize).copied() {
                    t.release(sp);
                    self.saves.truncate(*n as usize);
                }
                String::new()
            }
            Step::Statement => {
                let snap = statement(t, side);
                self.snaps = vec![snap];
                String::new()
            }
            // A cursor's, beside the statement's.
            Step::OldSnapshot => {
                let snap = statement(t, side);
                self.snaps.insert(0, snap);
                String::new()
            }
            Step::Flush => t.flush().map(|()| String::new()).unwrap(),
            Step::HasWrites => t.has_writes().to_string(),
            Step::Other(i, k, v) => {
                t.flush().unwrap();
                let other = begin(&side.shard, Isolation::ReadCommitted);
                let r = match other.put(tree(i), k, v) {
                    Ok(()) => other.commit().map(|_| "written".to_string()),
                    Err(e) => Err(e),
                };
                // A new statement begins: what was claimed with weak locks may have changed.
                let snap = statement(t, side);
                self.snaps = vec![snap];
                r.unwrap_or_else(|e| format!("{:?}", e.code()))
            }
        }
    }
}

/// So many seeds.
pub fn as_a_local_transaction(n: u64, far: MakeFar) {
    for seed in seeds(n) {
        let mut r = Rng::new(seed);
        let sides = [Side::new(seed, None), Side::new(seed, Some(far))];
        assert_eq!(sides[0].trees, sides[1].trees);
        for n in 0..6 {
            let iso = *r.choose(&[Isolation::ReadCommitted, Isolation::RepeatableRead, Isolation::Serializable]);
            let mut open = sides.each_ref().map(|s| Open::new(s, iso));
            let mut steps = vec![];
            for _ in 0..r.below(60) {
                let s = step(&mut r);
                steps.push(s.clone());
                let [a, b] = [0, 1].map(|i| open[i].run(&sides[i], &s, iso));
                assert_eq!(a, b, "seed {seed}, transaction {n}, {iso:?}: {steps:#?}");
            }
            let commit = r.below(4) > 0;
            let [a, b] = open.map(|o| {
                // What holds history is no longer there than elsewhere.
                drop(o.snaps);
                if commit {
                    return o.txn.commit().map(|_| ());
                }
                o.txn.rollback();
                Ok(())
            });
            assert_eq!(a.is_ok(), b.is_ok(), "seed {seed}");
            for t in &sides[0].trees {
                assert_eq!(all(&sides[0].shard, *t), all(&sides[1].shard, *t), "seed {seed}: {steps:#?}");
            }
        }
    }
}
