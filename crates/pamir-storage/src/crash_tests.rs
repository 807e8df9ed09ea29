//! A small engine of log and store under crashes, kills and faults, from a seed.
//!
//! The engine keeps a map: operation i is logged as (i, key, value), acknowledged when synced, then applied to a tree. Checkpoints run in steps beside
//! it and cut the log. For spells the disk is full: then operations are refused before they are logged and checkpoints are put off, and all goes on
//! when there is room again. At random moments the machine crashes (unsynced sectors and names are lost), the process is killed (they are not) or the disk fails;
//! recovery must then find the operations 0..m for some m from the acknowledged count to the appended one, and a tree that is exactly their sum.
//!
//! The same run with one sync point made to do nothing must fail for some seed: that is how we know that each is needed and tested.
use crate::disk::sim::{Faults, SimDisk};
use crate::disk::{Disk, is_full, sync_point};
use crate::log::{Log, LogOptions, Lsn};
use crate::store::check::check;
use crate::store::{Checkpoint, Dir, FIRST_TREE, Store, StoreOptions, TreeId, Writer};
use pamir_testkit::chance::{self, Rng};
use std::collections::BTreeMap;
use std::sync::Arc;

const T: TreeId = TreeId(FIRST_TREE);
type Op = (Vec<u8>, Vec<u8>);

struct Engine {
    store: Arc<Store>,
    writer: Writer,
    log: Option<Log>,
    /// operations applied, and the position behind the last
    applied: usize,
    applied_lsn: Lsn,
    checkpoint: Option<(Checkpoint, usize)>,
}
/// An engine step failed: an injected fault (fine) or a broken promise (not).
enum Stop {
    Fault,
    Broken(String),
}
type Step<T = ()> = Result<T, Stop>;

fn encode(i: usize, op: &Op) -> Vec<u8> {
    let mut r = (i as u64).to_le_bytes().to_vec();
    r.extend((op.0.len() as u32).to_le_bytes());
    r.extend(&op.0);
    r.extend(&op.1);
    r
}
fn decode(r: &[u8]) -> (usize, Op) {
    let i = u64::from_le_bytes(r[..8].try_into().unwrap()) as usize;
    let n = u32::from_le_bytes(r[8..12].try_into().unwrap()) as usize;
    (i, (r[12..12 + n].to_vec(), r[12 + n..].to_vec()))
}
fn apply(w: &mut Writer, op: &Op) -> pamir_error::Result<()> {
    if op.1.is_empty() { w.remove(T, &op.0).map(|_| ()) } else { w.put(T, &op.0, &op.1, &mut |_| {}) }
}

/// Opens and verifies. `logless`: only checkpoints make anything durable.
fn recover(disk: &SimDisk, ops: &[Op], acked: usize, logless: bool, faulty: bool) -> Step<Engine> {
    let broken = |e: &dyn std::fmt::Debug| if faulty { Stop::Fault } else { Stop::Broken(format!("recovery: {e:?}")) };
    let d: Arc<dyn Disk> = Arc::new(disk.clone());
    if disk.exists(crate::store::SUPER_FILE).unwrap_or(false) {
        let report = check(d.clone()).map_err(|e| broken(&e))?;
        if !report.is_clean() {
            return Err(Stop::Broken(format!("check: {:?}", report.problems)));
        }
    }
    let o = Store::open(d.clone(), StoreOptions { cache_size: 0, io_threads: 0 }).map_err(|e| broken(&e))?;
    let (store, mut writer) = (o.store, o.writer);
    if !logless {
        writer.follow_log();
    }
    let mut applied = if o.meta.is_empty() { 0 } else { u64::from_le_bytes(o.meta[..8].try_into().unwrap()) as usize };
    let mut applied_lsn = o.lsn;
    let mut log = None;
    let result = (|| -> pamir_error::Result<Result<(), String>> {
        if !store.tree_exists(T) {
            writer.create_tree(T)?;
        }
        if !logless {
            let mut bad = None;
            let opts = LogOptions { segment_size: 12 << 10 };
            log = Some(Log::open_keeping(d, opts, o.lsn, o.lsn, o.reach, Arc::default(), &mut |lsn, r| {
                let (i, op) = decode(r);
                if i != applied || ops.get(i) != Some(&op) {
                    bad.get_or_insert(format!("operation {i} replayed where {applied} belongs"));
                }
                apply(&mut writer, &op)?;
                applied = i + 1;
                applied_lsn = lsn;
                Ok(())
            })?);
            if let Some(b) = bad {
                return Ok(Err(b));
            }
        }
        if applied < acked {
            return Ok(Err(format!("{acked} operations were acknowledged, {applied} are there")));
        }
        let mut model = BTreeMap::new();
        for (k, v) in &ops[..applied] {
            if v.is_empty() {
                model.remove(k)
            } else {
                model.insert(k, v)
            };
        }
        let mut c = store.cursor(T, None, Dir::Forward)?;
        let mut want = model.into_iter();
        while let Some((k, v)) = c.next()? {
            if want.next() != Some((&k.to_vec(), &v.to_vec())) {
                return Ok(Err(format!("the tree differs from the model at {k:?}")));
            }
        }
        Ok(match want.next() {
            Some((k, _)) => Err(format!("the tree lacks {k:?}")),
            None => Ok(()),
        })
    })();
    match result {
        Ok(Ok(())) => Ok(Engine { store, writer, log, applied, applied_lsn, checkpoint: None }),
        Ok(Err(b)) => Err(Stop::Broken(b)),
        Err(e) => Err(broken(&e)),
    }
}

fn random_op(r: &mut Rng, keys: u64) -> Op {
    let key = match r.below(8) {
        0 => vec![b'k'; r.below(600) as usize],
        _ => r.below(keys).to_be_bytes().to_vec(),
    };
    let len = match r.below(30) {
        0 => 9000 + r.below(14_000),
        1..4 => r.below(3000),
        4..8 => 0,
        _ => 1 + r.below(100),
    };
    let fill = r.below(250) as u8;
    (key, (0..len).map(|i| fill.wrapping_add(i as u8)).collect())
}

/// Room for operations `first..` in the log and in the page file: pages reserved. None: the disk is full, and nothing has changed.
fn make_room(e: &mut Engine, ops: &[Op], first: usize) -> Step<Option<u64>> {
    let Some(log) = &mut e.log else { return Ok(Some(0)) };
    let lengths: Vec<usize> = ops.iter().enumerate().skip(first).map(|(i, op)| encode(i, op).len()).collect();
    let bytes = lengths.iter().sum::<usize>() as u64;
    match log.reserve(lengths.iter().copied()).and_then(|_| e.store.reserve(lengths.len() as u64, bytes)) {
        Ok(pages) => Ok(Some(pages)),
        Err(e) if is_full(&e) && log.failure().is_none() => Ok(None),
        Err(_) => Err(Stop::Fault),
    }
}

fn step(e: &mut Engine, r: &mut Rng, keys: u64, ops: &mut Vec<Op>, acked: &mut usize) -> Step {
    let fault = |_| Stop::Fault;
    match r.below(12) {
        0..6 => {
            let first = ops.len();
            for _ in 0..1 + r.below(3) {
                let op = random_op(r, keys);
                ops.push(op);
            }
            let Some(reserved) = make_room(e, ops, first)? else {
                ops.truncate(first);
                return Ok(());
            };
            let mut lsns = Vec::new();
            if let Some(log) = &mut e.log {
                for (i, op) in ops.iter().enumerate().skip(first) {
                    lsns.push(log.append(&encode(i, op)).map_err(fault)?);
                }
                if r.below(10) == 0 {
                    return Err(Stop::Fault); // die between append and sync
                }
                log.sync().map_err(fault)?;
                *acked = ops.len();
            }
            for (n, op) in ops.iter().enumerate().skip(first) {
                apply(&mut e.writer, op).map_err(fault)?;
                e.applied = n + 1;
                e.applied_lsn = lsns.get(n - first).copied().unwrap_or(n as u64 + 1);
            }
            e.store.unreserve(reserved);
        }
        6..8 if e.checkpoint.is_none() => {
            let meta = (e.applied as u64).to_le_bytes();
            e.checkpoint = Some((e.writer.begin_checkpoint(e.applied_lsn, &meta).map_err(fault)?, e.applied));
        }
        8..11 => {
            if let Some((c, _)) = &mut e.checkpoint {
                match c.step(1 + r.below(4) as usize) {
                    Err(full) if put_off(e, &full) => e.checkpoint = None,
                    r => drop(r.map_err(fault)?),
                }
            }
        }
        11 => {
            if let Some((mut c, n)) = e.checkpoint.take() {
                if let Some(log) = &e.log {
                    c.reaches(log.durable());
                }
                let lsn = match c.finish() {
                    Err(full) if put_off(e, &full) => return Ok(()),
                    r => r.map_err(fault)?,
                };
                *acked = (*acked).max(n);
                if let Some(log) = &mut e.log {
                    log.truncate_before(lsn).map_err(fault)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// The checkpoint met a full disk and nothing worse.
fn put_off(e: &Engine, error: &pamir_error::Error) -> bool {
    e.log.is_some() && is_full(error) && e.store.failure().is_none()
}

fn run(seed: u64, skip: Option<&'static str>) -> Result<(), String> {
    run_on(&SimDisk::new(seed), seed, skip)
}
fn run_on(disk: &SimDisk, seed: u64, skip: Option<&'static str>) -> Result<(), String> {
    let mut r = Rng::new(seed ^ 0x5eed);
    let logless = seed % 4 == 3;
    // some trees outgrow the cache
    let keys = if seed % 16 < 12 { 60 } else { 5000 };
    let most = if seed % 16 < 12 { 40 } else { 400 };
    let base = Faults { skip_sync: skip, ..Faults::default() };
    disk.set_faults(base.clone());
    let (mut ops, mut acked): (Vec<Op>, usize) = (Vec::new(), 0);
    for _life in 0..6 {
        // sometimes the disk fails in the middle of things, recovery included
        let (write, sync) = match r.below(4) {
            0 => (Some(r.below(60)), None),
            1 => (None, Some(r.below(30))),
            _ => (None, None),
        };
        let faulty = write.is_some() || sync.is_some();
        disk.set_faults(Faults { fail_write_after: write, fail_sync_after: sync, ..base.clone() });
        match recover(disk, &ops, acked, logless, faulty) {
            Err(Stop::Broken(b)) => return Err(b),
            Err(Stop::Fault) => {}
            Ok(mut e) => {
                // what recovery showed counts from now on
                ops.truncate(e.applied);
                acked = acked.max(if logless { 0 } else { e.applied });
                // once in a while the disk is full for a spell, and in some of them even for pages of a file that is there
                let spell = if r.below(3) == 0 { Some((r.below(most), r.below(most), r.below(4))) } else { None };
                for n in 0..r.below(most) {
                    if let Some((from, to, kind)) = spell
                        && !faulty
                        && !logless
                    {
                        if n == from {
                            let room = disk.used() + r.below(60_000);
                            let no_space_after = (kind == 0).then(|| r.below(40));
                            disk.set_faults(Faults { disk_full_at: Some(room), no_space_after, ..base.clone() });
                        }
                        if n == from + to {
                            disk.set_faults(base.clone());
                        }
                    }
                    match step(&mut e, &mut r, keys, &mut ops, &mut acked) {
                        Ok(()) => {}
                        Err(Stop::Broken(b)) => return Err(b),
                        Err(Stop::Fault) => break,
                    }
                }
                drop(e.checkpoint.take());
                drop(e.store);
            }
        }
        disk.set_faults(base.clone());
        if r.below(3) == 0 { disk.kill() } else { disk.crash() }
    }
    disk.crash();
    match recover(disk, &ops, acked, logless, false) {
        Ok(_) => Ok(()),
        Err(Stop::Broken(b)) => Err(b),
        Err(Stop::Fault) => Err("a fault without faults".into()),
    }
}

#[test]
fn crashes_lose_nothing() {
    for seed in chance::seeds(400) {
        if let Err(e) = run(seed, None) {
            panic!("seed {seed}: {e}");
        }
    }
}
/// Whatever syncs does so under a name of its own, or skipping it could not be tested; and a run reaches all of them.
#[test]
fn every_sync_has_a_name() {
    let mut reached = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let disk = SimDisk::new(seed);
        run_on(&disk, seed, None).unwrap();
        reached.extend(disk.sync_counts().into_keys());
    }
    assert_eq!(reached, sync_point::ALL.into_iter().collect());
}
#[test]
fn every_sync_is_needed() {
    for point in sync_point::ALL {
        let broken = (0..20_000).find_map(|seed| {
            let r = std::panic::catch_unwind(|| run(seed, Some(point))).unwrap_or_else(|_| Err("panicked".into()));
            r.err().map(|e| (seed, e))
        });
        match broken {
            Some((seed, e)) => println!("without {point}: seed {seed}: {e}"),
            None => panic!("no seed notices that {point} does not sync"),
        }
    }
}
