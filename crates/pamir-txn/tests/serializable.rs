//! Random concurrent transactions at SERIALIZABLE, by real threads over few keys: the history must be the serial one of their commit timestamps.
//!
//! Every write carries a value nobody else writes, and a transaction notes what it read: single keys, absent ones too, and whole ranges. Strict two-phase
//! locking promises more than some serial order: commit order is one. So the committed transactions are replayed alone in the order of their timestamps, and
//! each must read exactly what it read then; one that wrote nothing stands behind the timestamp its commit returned. PAMIR_SECONDS sets how long it runs.
mod common;
use common::*;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const THREADS: u64 = 6;
const KEYS: u64 = 8;
const SECONDS: u64 = 2;

type State = BTreeMap<(u64, Vec<u8>), Vec<u8>>;

#[derive(Debug)]
enum Event {
    Get(u64, Vec<u8>, Option<Vec<u8>>),
    Scan(u64, Vec<u8>, Option<Vec<u8>>, Rows),
    Write(u64, Vec<u8>, Option<Vec<u8>>),
    Savepoint,
    /// What was written since the savepoint is gone; what was read was read.
    Back,
}
struct Done {
    ts: Ts,
    wrote: bool,
    /// A snapshot reader stands at its snapshot.
    events: Vec<Event>,
    thread: u64,
}

fn key(r: &mut Rng) -> Vec<u8> {
    vec![b'a' + r.below(KEYS) as u8]
}

/// One transaction; None: it was a victim, or rolled back.
fn transaction(
    s: &Arc<Shard>,
    trees: &[TreeId],
    r: &mut Rng,
    unique: &AtomicU64,
    thread: u64,
) -> pamir_error::Result<Option<Done>> {
    let read_only = r.chance(6);
    let t = s.begin(Isolation::Serializable, read_only, Arc::default());
    t.set_limits(Some(Duration::from_secs(30)), None);
    let mut events = Vec::new();
    let mut snapshot = 0;
    let mut wrote = false;
    let mut saved = None;
    for _ in 0..1 + r.below(6) {
        let tree = *r.choose(trees);
        let snap = t.statement();
        snapshot = snap.ts();
        match r.below(if read_only { 6 } else { 12 }) {
            0..3 => {
                let (k, mut out) = (key(r), vec![]);
                let found = t.get(&snap, tree, &k, &mut out)?;
                events.push(Event::Get(tree.0, k, found.then_some(out)));
            }
            3..6 => {
                let (lo, hi) = (key(r), if r.chance(3) { None } else { Some(key(r)) });
                let dir = if r.chance(2) { Dir::Forward } else { Dir::Backward };
                let mut rows = collect(&t, t.scan(&snap, tree, &lo, hi.as_deref(), dir)?)?;
                if dir == Dir::Backward {
                    rows.reverse();
                }
                events.push(Event::Scan(tree.0, lo, hi, rows));
            }
            6..11 => {
                let k = key(r);
                // The value tells the writer; deletes cannot, but a range read shows them.
                let v = (!r.chance(4)).then(|| unique.fetch_add(1, Ordering::Relaxed).to_le_bytes().to_vec());
                match &v {
                    Some(v) => t.put(tree, &k, v)?,
                    None => t.delete(tree, &k)?,
                }
                wrote = true;
                events.push(Event::Write(tree.0, k, v));
            }
            _ => match saved.take() {
                None => {
                    saved = Some((t.savepoint(), wrote));
                    events.push(Event::Savepoint);
                }
                Some((sp, w)) => {
                    t.rollback_to(sp);
                    events.push(Event::Back);
                    wrote = w;
                }
            },
        }
        if r.chance(3) {
            std::thread::yield_now();
        }
    }
    if r.chance(10) {
        t.rollback();
        return Ok(None);
    }
    let ts = t.commit()?;
    Ok(Some(Done { ts: if read_only { snapshot } else { ts }, wrote, events, thread }))
}

fn replay(history: &[Done]) {
    let mut state = State::new();
    for (n, d) in history.iter().enumerate() {
        let mut own = state.clone();
        let mut saved = state;
        for e in &d.events {
            let at = || {
                format!("transaction {n} of thread {} at {} is not where it belongs: {:?}", d.thread, d.ts, d.events)
            };
            match e {
                Event::Get(t, k, v) => assert_eq!(own.get(&(*t, k.clone())), v.as_ref(), "{}", at()),
                Event::Scan(t, lo, hi, rows) => {
                    let want: Rows = own
                        .iter()
                        .filter(|((tree, k), _)| tree == t && k >= lo && hi.as_ref().is_none_or(|h| k < h))
                        .map(|((_, k), v)| (k.clone(), v.clone()))
                        .collect();
                    assert_eq!(&want, rows, "{}", at());
                }
                Event::Write(t, k, Some(v)) => drop(own.insert((*t, k.clone()), v.clone())),
                Event::Write(t, k, None) => drop(own.remove(&(*t, k.clone()))),
                Event::Savepoint => saved = own.clone(),
                Event::Back => own = saved.clone(),
            }
        }
        state = own;
    }
}

#[test]
fn histories_are_serial() {
    let disk = SimDisk::new(11);
    let opts = ShardOptions { checkpoint_bytes: 200_000, ..options() };
    let s = Shard::open(Arc::new(disk) as Arc<dyn Disk>, opts).unwrap();
    let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
    let trees: Vec<TreeId> = (0..2).map(|_| t.create_tree().unwrap()).collect();
    t.commit().unwrap();
    let (unique, victims) = (AtomicU64::new(1), AtomicU64::new(0));
    let end = chance::end(SECONDS);
    let mut history: Vec<Done> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|n| {
                let (s, trees, unique, victims) = (&s, &trees, &unique, &victims);
                scope.spawn(move || {
                    let (mut r, mut done) = (Rng::new(n * 77 + 1), Vec::new());
                    while Instant::now() < end {
                        match transaction(s, trees, &mut r, unique, n) {
                            Ok(d) => done.extend(d),
                            Err(e) => {
                                assert!(matches!(e.code().as_str(), "40P01" | "40001"), "{e}");
                                victims.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                    done
                })
            })
            .collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    // Readers stand behind the writer of their timestamp.
    history.sort_by_key(|d| (d.ts, !d.wrote));
    replay(&history);
    let writers = history.iter().filter(|d| d.wrote).count();
    println!("{} committed, {writers} of them wrote, {} victims", history.len(), victims.load(Ordering::Relaxed));
    assert!(writers > 20 && history.len() > writers);
    s.close().unwrap();
}
