//! A tree of a session's own against an ordinary one: the same random calls in the same transactions answer alike.
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{Rng, seeds};
use pamir_txn::{
    Cancel, Dir, Engine, Isolation, MemoryAccount, PrivateData, PrivateEngine, RowLock, SavepointId, Scan, Shard,
    ShardOptions, Snapshot, TreeId, Txn,
};
use std::sync::Arc;

const KEYS: u64 = 24;
fn key(r: &mut Rng) -> Vec<u8> {
    vec![b'k', r.below(KEYS) as u8]
}
fn value(r: &mut Rng) -> Vec<u8> {
    let n = r.index(6);
    r.bytes(n, 256)
}
fn all(scan: &mut Scan, txn: &Txn, most: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut out = Vec::new();
    while out.len() < most
        && let Some((k, v)) = scan.next(txn).expect("next")
    {
        out.push((k.to_vec(), v.to_vec()));
    }
    out
}

struct Pair {
    engine: Arc<dyn Engine>,
    txn: Option<Txn>,
    trees: [TreeId; 2],
    savepoints: Vec<SavepointId>,
    /// Snapshots of open cursors, with scans that have begun.
    cursors: Vec<(Snapshot, [Scan; 2])>,
}
impl Pair {
    fn begin(&mut self) {
        self.txn = Some(self.engine.begin(Isolation::ReadCommitted, false, Arc::new(Cancel::default())));
    }
    fn end(&mut self, commit: bool) {
        self.cursors.clear();
        self.savepoints.clear();
        let txn = self.txn.take().expect("one is open");
        if commit {
            txn.commit().expect("commit");
        } else {
            txn.rollback();
        }
        self.begin();
    }
    fn step(&mut self, r: &mut Rng) {
        let txn = self.txn.as_ref().expect("one is open");
        let dir = if r.chance(2) { Dir::Forward } else { Dir::Backward };
        match r.below(22) {
            0..=6 => {
                let (k, v) = (key(r), value(r));
                self.trees.iter().for_each(|t| txn.put(*t, &k, &v).expect("put"));
            }
            7..=9 => {
                let k = key(r);
                self.trees.iter().for_each(|t| txn.delete(*t, &k).expect("delete"));
            }
            10 => {
                let (k, to) = (key(r), key(r));
                self.trees.iter().for_each(|t| txn.delete_moved(*t, &k, &to).expect("move"));
            }
            11 => drop(txn.statement()),
            12..=13 => {
                let (snap, k) = (txn.statement(), key(r));
                let found = self.trees.map(|t| {
                    let mut out = Vec::new();
                    txn.get(&snap, t, &k, &mut out).expect("get").then_some(out)
                });
                assert_eq!(found[0], found[1]);
            }
            14 => {
                let k = key(r);
                let found = self.trees.map(|t| {
                    let mut out = Vec::new();
                    let l = txn.claim(t, &k, RowLock::Update, &mut out).expect("claim");
                    // Where a row moved in an earlier transaction is for others who waited.
                    let moved = l.own && l.moved;
                    (l.exists, l.own, l.statement, moved, if l.exists || moved { out } else { Vec::new() })
                });
                assert_eq!(found[0], found[1]);
            }
            15 => {
                let (snap, a, b) = (txn.statement(), key(r), key(r));
                let (lo, hi) = (a.clone().min(b.clone()), a.max(b));
                let hi = (!r.chance(3)).then_some(&hi[..]);
                let mut scans = self.trees.map(|t| txn.scan(&snap, t, &lo, hi, dir).expect("scan"));
                let rows = scans.each_mut().map(|s| all(s, txn, usize::MAX));
                assert_eq!(rows[0], rows[1]);
                scans.iter_mut().for_each(|s| txn.scan_again(&snap, s, &[], None).expect("again"));
                let passed = scans.each_mut().map(|s| s.pass(3, txn).expect("pass"));
                assert_eq!(passed[0], passed[1]);
                let rows = scans.each_mut().map(|s| all(s, txn, usize::MAX));
                assert_eq!(rows[0], rows[1]);
            }
            16 => {
                let rows = self.trees.map(|t| all(&mut txn.scan_latest(t, &[], None, dir).expect("scan"), txn, 1000));
                assert_eq!(rows[0], rows[1]);
            }
            17 => {
                let snap = txn.statement();
                let scans = self.trees.map(|t| txn.scan(&snap, t, &[], None, dir).expect("scan"));
                self.cursors.push((snap, scans));
            }
            18..=19 => {
                if let Some((_, scans)) = self.cursors.first_mut() {
                    let rows = scans.each_mut().map(|s| all(s, txn, 2));
                    assert_eq!(rows[0], rows[1]);
                }
            }
            20 => self.savepoints.push(txn.savepoint()),
            _ => {
                let Some(sp) = self.savepoints.get(r.index(self.savepoints.len())).copied() else { return };
                self.savepoints.retain(|s| *s <= sp);
                // Cursors may be younger than the savepoint: those end.
                self.cursors.clear();
                if r.chance(3) {
                    txn.release(sp);
                    self.savepoints.retain(|s| *s < sp);
                } else {
                    txn.rollback_to(sp);
                }
            }
        }
    }
}

#[test]
fn own_trees_answer_as_others() {
    for seed in seeds(60) {
        let mut r = Rng::new(seed);
        let shard = Shard::open(Arc::new(SimDisk::new(seed)), ShardOptions::default()).expect("shard");
        let account = MemoryAccount::root("test", 1 << 30);
        let data = PrivateData::new(account.clone(), 1 << 30);
        let engine: Arc<dyn Engine> = Arc::new(PrivateEngine::new(shard, data.clone()));
        let txn = engine.begin(Isolation::ReadCommitted, false, Arc::new(Cancel::default()));
        let trees = [txn.create_tree().expect("tree"), txn.create_private_tree(&data)];
        txn.commit().expect("commit");
        let mut pair = Pair { engine, txn: None, trees, savepoints: Vec::new(), cursors: Vec::new() };
        pair.begin();
        for _ in 0..600 {
            if r.chance(40) {
                let commit = !r.chance(3);
                pair.end(commit);
            }
            pair.step(&mut r);
        }
        pair.end(true);
        let txn = pair.txn.take().expect("one is open");
        txn.drop_tree(trees[1]).expect("drop");
        txn.commit().expect("commit");
        assert_eq!(data.used(), 0, "what is dropped is given back");
        drop((pair, data));
        assert_eq!(account.used(), 0);
    }
}

/// A tree made or dropped in a transaction that is rolled back is not there, or is.
#[test]
fn trees_come_and_go_with_their_transaction() {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let data = PrivateData::new(MemoryAccount::root("test", 1 << 30), 1 << 30);
    let engine: Arc<dyn Engine> = Arc::new(PrivateEngine::new(shard, data.clone()));
    let begin = || engine.begin(Isolation::RepeatableRead, false, Arc::new(Cancel::default()));
    let txn = begin();
    let tree = txn.create_private_tree(&data);
    txn.put(tree, b"a", b"1").expect("put");
    txn.rollback();
    assert!(engine.entries(tree).is_err());
    let txn = begin();
    let tree = txn.create_private_tree(&data);
    let sp = txn.savepoint();
    txn.put(tree, b"a", b"1").expect("put");
    txn.rollback_to(sp);
    txn.put(tree, b"b", b"1").expect("put");
    txn.put(tree, b"b", b"2").expect("put");
    assert_eq!(txn.written_twice(tree).expect("read"), Some(b"b".to_vec()));
    txn.commit().expect("commit");
    assert_eq!(engine.entries(tree).expect("tree"), 1);
    let txn = begin();
    txn.drop_tree(tree).expect("drop");
    txn.rollback();
    let txn = begin();
    txn.empty_private_tree(tree).expect("empty");
    txn.put(tree, b"c", b"1").expect("put");
    assert!(txn.has_private_writes() && !txn.has_writes());
    txn.commit().expect("commit");
    assert_eq!((engine.entries(tree).expect("tree"), data.used()), (0, 0));
}
