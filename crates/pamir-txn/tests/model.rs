//! The shard against a model: a map from key to the list of its versions. Random interleaved transactions in one thread, stepping the machines.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::shard::Submitted;
use pamir_txn::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Key = (u64, Vec<u8>);
type Value = Option<Vec<u8>>;
type Own = BTreeMap<Key, Value>;
#[derive(Default)]
struct Model {
    rows: BTreeMap<Key, Vec<(Ts, Value)>>,
}
impl Model {
    fn at(&self, key: &Key, ts: Ts) -> Value {
        self.rows.get(key)?.iter().rev().find(|v| v.0 <= ts)?.1.clone()
    }
    fn view(&self, own: &Own, tree: u64, lo: &[u8], hi: Option<&[u8]>, ts: Ts) -> Rows {
        let keys: BTreeSet<&Key> = self
            .rows
            .keys()
            .chain(own.keys())
            .filter(|k| k.0 == tree && *k.1 >= *lo && hi.is_none_or(|h| *k.1 < *h))
            .collect();
        keys.into_iter()
            .filter_map(|k| own.get(k).cloned().unwrap_or_else(|| self.at(k, ts)).map(|v| (k.1.clone(), v)))
            .collect()
    }
}
struct View {
    snap: Snapshot,
    own: Own,
    /// Savepoints open when it was taken.
    depth: usize,
}
struct Client {
    txn: LocalTxn,
    iso: Isolation,
    views: Vec<View>,
    own: Own,
    locks: BTreeSet<Key>,
    saves: Vec<(SavepointId, Own, BTreeSet<Key>)>,
    scan: Option<(LocalScan, Rows)>,
}
struct Flying {
    handle: Submitted,
    own: Own,
    locks: BTreeSet<Key>,
}

/// A prepared transaction.
struct Prepared {
    gid: String,
    own: Own,
    locks: BTreeSet<Key>,
}
/// Enters the commits that are decided into the model.
/// Some keys' deletes name another key, always the same.
fn moves(key: &[u8]) -> bool {
    key.iter().map(|b| *b as u32).sum::<u32>() % 2 == 1
}
fn moved_to(key: &[u8]) -> Vec<u8> {
    [b"to ", key].concat()
}

fn settle(shard: &Shard, flying: &mut Vec<Flying>, model: &mut Model, at: &str) {
    flying.retain(|f| match f.handle.poll(shard) {
        None => true,
        Some(ts) => {
            let ts = ts.unwrap();
            for (k, v) in &f.own {
                model.rows.entry(k.clone()).or_default().push((ts, v.clone()));
            }
            assert!(f.own.is_empty() || ts <= shard.applied_ts(), "{at}");
            false
        }
    });
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    /// Old versions have 2000 bytes of memory, the rest goes to disk; where that is little, readers meet 72000.
    LittleVersionMemory,
    /// Nearly every commit is a large one, applied a few operations at a time.
    Large,
    /// The smallest cache there is, and rows that outgrow it, some with overflow pages.
    LittleCache,
}

fn run(seed: u64, steps: usize, kind: Kind) {
    let small_memory = kind == Kind::LittleVersionMemory;
    // None on disk, little, enough: with enough nobody is told that it is too old.
    let history = [0, 20_000, 1 << 24][seed as usize % 3];
    let told = small_memory && history < 1 << 24;
    let r = &mut Rng::new(seed ^ 0xABCD_0000);
    let disk = SimDisk::new(seed);
    let opts = ShardOptions {
        version_memory: if small_memory { 2000 } else { 1 << 30 },
        version_disk: if small_memory { history } else { 1 << 30 },
        checkpoint_bytes: if kind == Kind::LittleCache { 300_000 } else { 20_000 },
        cache_size: if kind == Kind::LittleCache { 0 } else { options().cache_size },
        large_commit_bytes: match kind {
            Kind::Large => [40, 200][seed as usize % 2],
            // Deletions that keep what they deleted on the page, which goes to disk when the key is written again.
            Kind::LittleVersionMemory if seed.is_multiple_of(4) => 40,
            _ => 3000,
        },
        slice_ops: 1 + (seed % 5) as u32,
        part_cache: [0, 500, 1 << 20][seed as usize % 3],
        // Every other seed: what a transaction wrote lies in its file most of the time.
        write_set_spill: if seed.is_multiple_of(2) { 200 } else { options().write_set_spill },
        ..options()
    };
    let mut shard = stepped(&disk, opts.clone());
    let (mut evicted, mut large) = (0, 0);
    let mut prepared: Vec<Prepared> = vec![];
    let mut model = Model::default();
    let trees: Vec<TreeId> = {
        let t = begin(&shard, Isolation::ReadCommitted);
        let trees = (0..2).map(|_| t.create_tree().unwrap()).collect();
        t.commit().unwrap();
        trees
    };
    assert_eq!(trees[0], pamir_txn::shard::FIRST_USER_TREE);
    let mut clients: Vec<Client> = vec![];
    let mut flying: Vec<Flying> = vec![];
    let mut too_old = 0;
    let key = |r: &mut Rng| -> Vec<u8> {
        if kind == Kind::LittleCache {
            return (r.below(300) as u16).to_be_bytes().to_vec();
        }
        let n = r.below(30);
        if n < 25 { vec![b'a' + n as u8] } else { vec![b'a' + (n - 25) as u8; 300] }
    };
    for step in 0..steps {
        let at = format!("seed {seed} step {step}");
        let op = r.below(100);
        if op < 8 && clients.len() < 5 {
            let iso = if r.chance(2) { Isolation::ReadCommitted } else { Isolation::RepeatableRead };
            let txn = begin(&shard, iso);
            clients.push(Client {
                txn,
                iso,
                views: vec![],
                own: Own::new(),
                locks: BTreeSet::new(),
                saves: vec![],
                scan: None,
            });
            continue;
        }
        if op < 12 {
            match r.below(5) {
                0 => {
                    shard.step_log();
                }
                1 | 2 => {
                    shard.step_applier();
                }
                3 => {
                    shard.step_checkpoint();
                }
                _ => {
                    shard.step_forget().unwrap();
                }
            }
            settle(&shard, &mut flying, &mut model, &at);
            continue;
        }
        if op == 12 && r.chance(8) {
            // A clean restart.
            clients.clear();
            while shard.step_log() + shard.step_applier() > 0 {}
            for f in flying.drain(..) {
                let ts = f.handle.poll(&shard).unwrap().unwrap();
                f.own.into_iter().for_each(|(k, v)| model.rows.entry(k).or_default().push((ts, v)));
            }
            if r.chance(2) {
                shard.close().unwrap();
            }
            evicted += shard.stats().into_iter().find(|x| x.0 == "pages_evicted").unwrap().1;
            large += shard.stats().into_iter().find(|x| x.0 == "large_commits").unwrap().1;
            drop(shard);
            shard = stepped(&disk, opts.clone());
            let mut gids: Vec<_> = prepared.iter().map(|p| p.gid.clone()).collect();
            gids.sort();
            assert_eq!(shard.prepared().into_iter().map(|p| p.gid).collect::<Vec<_>>(), gids, "{at}");
            continue;
        }
        if op == 13 && r.chance(2) && !clients.is_empty() && prepared.len() < 3 {
            // Two-phase: its views end, its locks stay.
            let c = clients.swap_remove(r.below(clients.len() as u64) as usize);
            drop(c.scan);
            drop(c.views);
            let gid = format!("g{step}");
            c.txn.prepare(&gid, "o", "d").unwrap();
            settle(&shard, &mut flying, &mut model, &at);
            prepared.push(Prepared { gid, own: c.own, locks: c.locks });
            continue;
        }
        if op == 14 && r.chance(2) && !prepared.is_empty() {
            let p = prepared.swap_remove(r.below(prepared.len() as u64) as usize);
            if r.chance(3) {
                shard.rollback_prepared(&p.gid).unwrap();
                settle(&shard, &mut flying, &mut model, &at);
            } else if r.chance(2) {
                // On its way; it may hand its locks over.
                let handle = shard.submit_prepared(&p.gid).unwrap();
                flying.push(Flying { handle, own: p.own, locks: p.locks });
                assert_eq!(shard.commit_prepared(&p.gid).unwrap_err().code().as_str(), "55000", "{at}");
                continue;
            } else {
                let ts = shard.commit_prepared(&p.gid).unwrap();
                settle(&shard, &mut flying, &mut model, &at);
                assert!(ts <= shard.applied_ts(), "{at}");
                p.own.into_iter().for_each(|(k, v)| model.rows.entry(k).or_default().push((ts, v)));
            }
            assert_eq!(shard.commit_prepared(&p.gid).unwrap_err().code().as_str(), "42704", "{at}");
            continue;
        }
        if clients.is_empty() {
            continue;
        }
        let n = r.below(clients.len() as u64) as usize;
        let tree = trees[r.below(2) as usize];
        // Locks of commits on their way may have passed to those at READ COMMITTED, or not: the model follows.
        let passing: BTreeSet<Key> = flying.iter().flat_map(|f| f.locks.iter().cloned()).collect();
        let others: BTreeSet<Key> = clients
            .iter()
            .enumerate()
            .filter(|c| c.0 != n)
            .flat_map(|c| c.1.locks.iter().cloned())
            .chain(prepared.iter().flat_map(|p| p.locks.iter().cloned()))
            .collect();
        let c = &mut clients[n];
        if c.views.is_empty() || op < 25 {
            // Who follows a commit on its way waits for it here.
            let snap = c.txn.statement();
            settle(&shard, &mut flying, &mut model, &at);
            if c.iso == Isolation::ReadCommitted || c.views.is_empty() && c.saves.is_empty() && c.own.is_empty() {
                assert!(snap.ts() <= shard.applied_ts());
            }
            if c.iso == Isolation::ReadCommitted {
                assert_eq!(snap.ts(), shard.applied_ts(), "{at}");
            } else if let Some(v) = c.views.first() {
                assert_eq!(snap.ts(), v.snap.ts(), "{at}");
            }
            c.views.push(View { snap, own: c.own.clone(), depth: c.saves.len() });
            if c.views.len() > 4 {
                let i = r.below(4) as usize;
                c.views.remove(i);
            }
            continue;
        }
        match op {
            25..50 => {
                let k = key(r);
                let most = if kind != Kind::LittleCache {
                    60
                } else if r.chance(10) {
                    25_000
                } else {
                    6000
                };
                let v = (!r.chance(4)).then(|| vec![r.below(256) as u8; r.below(most) as usize]);
                let id = (tree.0, k.clone());
                let got = match &v {
                    Some(v) => c.txn.put(tree, &k, v),
                    None if moves(&k) => c.txn.delete_moved(tree, &k, &moved_to(&k)),
                    None => c.txn.delete(tree, &k),
                };
                if passing.contains(&id)
                    && !others.contains(&id)
                    && !c.locks.contains(&id)
                    && c.iso == Isolation::ReadCommitted
                    && let Err(e) = &got
                {
                    // Not handed over.
                    assert_eq!(e.code().as_str(), "55P03", "{at}");
                } else if others.contains(&id)
                    || passing.contains(&id) && !c.locks.contains(&id) && c.iso != Isolation::ReadCommitted
                {
                    assert_eq!(got.unwrap_err().code().as_str(), "55P03", "{at}");
                } else {
                    got.unwrap();
                    c.own.insert(id.clone(), v);
                    c.locks.insert(id);
                }
            }
            50..65 => {
                let v = r.choose(&c.views);
                let k = (tree.0, key(r));
                let mut out = vec![9];
                match c.txn.get(&v.snap, tree, &k.1, &mut out) {
                    Ok(found) => {
                        let want = v.own.get(&k).cloned().unwrap_or_else(|| model.at(&k, v.snap.ts()));
                        assert_eq!(found.then_some(out), want, "{at} {k:?}");
                    }
                    Err(e) => {
                        assert!(told && e.code().as_str() == "72000", "{at}: {e}");
                        too_old += 1;
                    }
                }
            }
            65..80 => {
                let v = r.choose(&c.views);
                let (lo, hi) = (key(r), if r.chance(3) { None } else { Some(key(r)) });
                let dir = if r.chance(2) { Dir::Forward } else { Dir::Backward };
                let scan = c.txn.scan(&v.snap, tree, &lo, hi.as_deref(), dir).unwrap();
                let mut want = model.view(&v.own, tree.0, &lo, hi.as_deref(), v.snap.ts());
                if dir == Dir::Backward {
                    want.reverse();
                }
                if r.chance(3) {
                    // Read it later, piece by piece, while other things happen.
                    c.scan = Some((scan, want));
                    continue;
                }
                match collect(&c.txn, scan) {
                    Ok(rows) => assert_eq!(rows, want, "{at} {lo:?}..{hi:?} {dir:?}"),
                    Err(e) => {
                        assert!(told && e.code().as_str() == "72000", "{at}: {e}");
                        too_old += 1;
                    }
                }
            }
            80..84 => {
                let Some((scan, want)) = &mut c.scan else { continue };
                for _ in 0..2 {
                    // Whole entries, values alone, or only how many there are.
                    let many = 1 + r.below(9);
                    let n = *r.choose(&[1, 1, many]);
                    let some: Rows = want.drain(..want.len().min(n as usize)).collect();
                    let read = match r.below(2) {
                        _ if n > 1 => scan.pass(n, &c.txn).map(|n| assert_eq!(n, some.len() as u64, "{at}")),
                        0 => scan.next_value(&c.txn).map(|v| assert_eq!(v, some.first().map(|e| &e.1[..]), "{at}")),
                        _ => {
                            scan.next(&c.txn).map(|e| assert_eq!(e, some.first().map(|e| (&e.0[..], &e.1[..])), "{at}"))
                        }
                    };
                    if let Err(e) = read {
                        assert!(told && e.code().as_str() == "72000", "{at}: {e}");
                        c.scan = None;
                        break;
                    }
                }
            }
            84..88 => {
                let k = (tree.0, key(r));
                let mut out = vec![];
                // Without its lock, a row of a commit on its way is seen as before or after it.
                if others.contains(&k) || passing.contains(&k) && !c.locks.contains(&k) {
                    continue;
                }
                match c.txn.get_latest(tree, &k.1, &mut out) {
                    Ok(l) => {
                        let committed = model.rows.get(&k).and_then(|v| v.last());
                        let coming = flying.iter().rev().find_map(|f| f.own.get(&k)).map(|v| (l.ts, v.clone()));
                        let newest = coming.as_ref().or(committed);
                        let want = c.own.get(&k).cloned().unwrap_or_else(|| newest.and_then(|n| n.1.clone()));
                        if !l.exists && (l.own || l.ts != 0) {
                            let to = if moves(&k.1) { moved_to(&k.1) } else { vec![] };
                            assert_eq!((l.moved, &out), (!to.is_empty(), &to), "{at}");
                        } else {
                            assert!(!l.moved, "{at}");
                        }
                        assert_eq!(l.exists.then_some(out), want, "{at}");
                        assert_eq!(l.own, c.own.contains_key(&k), "{at}");
                        if let Some((ts, v)) = newest {
                            assert!(l.ts == *ts || l.ts == 0 && v.is_none(), "{at}: {l:?}");
                        }
                    }
                    Err(e) => assert!(told && e.code().as_str() == "72000", "{at}: {e}"),
                }
            }
            88..90 => c.saves.push((c.txn.savepoint(), c.own.clone(), c.locks.clone())),
            90..92 => {
                if !c.saves.is_empty() {
                    let i = r.below(c.saves.len() as u64) as usize;
                    c.txn.rollback_to(c.saves[i].0);
                    c.saves.truncate(i + 1);
                    (c.own, c.locks) = (c.saves[i].1.clone(), c.saves[i].2.clone());
                    c.views.retain(|v| v.depth <= i);
                    c.scan = None;
                }
            }
            92..97 => {
                let c = clients.swap_remove(n);
                drop(c.scan);
                drop(c.views);
                let handle = c.txn.submit().unwrap();
                flying.push(Flying { handle, own: c.own, locks: c.locks });
                settle(&shard, &mut flying, &mut model, &at);
            }
            97..99 => drop(clients.swap_remove(n)),
            _ => {
                let snap = c.txn.advance_statement();
                settle(&shard, &mut flying, &mut model, &at);
                c.views.push(View { snap, own: c.own.clone(), depth: c.saves.len() });
            }
        }
    }
    drop(clients);
    while shard.step_log() + shard.step_applier() > 0 {}
    for f in flying.drain(..) {
        let ts = f.handle.poll(&shard).unwrap().unwrap();
        f.own.into_iter().for_each(|(k, v)| model.rows.entry(k).or_default().push((ts, v)));
    }
    for p in prepared.drain(..) {
        let ts = shard.commit_prepared(&p.gid).unwrap();
        p.own.into_iter().for_each(|(k, v)| model.rows.entry(k).or_default().push((ts, v)));
    }
    while shard.step_forget().unwrap() {}
    let stats: BTreeMap<_, _> = shard.stats().into_iter().collect();
    assert_eq!(shard.store().trees().len(), OWN_TREES.len() + trees.len(), "seed {seed}: before-images are left");
    assert!(kind != Kind::Large || large + stats["large_commits"] > 0, "seed {seed}");
    for name in ["large_commit_in_progress", "snapshots", "versions", "version_bytes", "row_locks", "write_set_bytes"] {
        assert_eq!(stats[name], 0, "seed {seed}: {name}");
    }
    for t in &trees {
        assert_eq!(all(&shard, *t), model.view(&Own::new(), t.0, b"", None, Ts::MAX), "seed {seed}");
        // Nothing is left of deleted keys.
        let mut cursor = shard.store().cursor(*t, None, Dir::Backward).unwrap();
        let mut left = 0;
        while cursor.next().unwrap().is_some() {
            left += 1;
        }
        assert_eq!(left, all(&shard, *t).len(), "seed {seed}");
    }
    evicted += stats["pages_evicted"];
    assert!(kind != Kind::LittleCache || evicted > 0, "seed {seed}: nothing was evicted");
    shard.close().unwrap();
    let _ = too_old;
    let _: Arc<Shard> = shard;
}

#[test]
fn random_transactions() {
    for seed in seeds(60) {
        run(seed, 1200, Kind::Plain);
    }
}
#[test]
fn random_transactions_with_little_version_memory() {
    for seed in seeds(30) {
        run(seed + 1_000_000, 1200, Kind::LittleVersionMemory);
    }
}
#[test]
fn random_large_transactions() {
    for seed in seeds(60) {
        run(seed + 3_000_000, 1500, Kind::Large);
    }
}
#[test]
fn random_transactions_with_a_little_cache() {
    for seed in seeds(6) {
        run(seed + 2_000_000, 6000, Kind::LittleCache);
    }
}
