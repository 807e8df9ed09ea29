//! The tree and the log over an in-memory disk: 250,000 rows of 200 bytes, all in cache. The budgets are those of `pamir_storage::store`.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::log::{Log, LogOptions};
use pamir_storage::store::{Dir, FIRST_TREE, Store, StoreOptions, TreeId, Writer};
use pamir_testkit::Rng;
use std::hint::black_box;
use std::sync::Arc;

const ROWS: u64 = 250_000;
const TREE: TreeId = TreeId(FIRST_TREE);

fn key(i: u64) -> [u8; 9] {
    let mut k = [1; 9];
    k[1..].copy_from_slice(&(i | 1 << 63).to_be_bytes());
    k
}
/// Numbers below ROWS.
fn random() -> impl FnMut() -> u64 {
    let mut r = Rng::new(1);
    move || r.below(ROWS)
}
fn tree() -> (Arc<Store>, Writer) {
    let o = Store::open(Arc::new(SimDisk::new(1)), StoreOptions { cache_size: 1 << 30, io_threads: 2 }).expect("open");
    let mut w = o.writer;
    w.create_tree(TREE).expect("a tree");
    for i in 0..ROWS {
        w.put(TREE, &key(i), &[7; 200], &mut |_| {}).expect("a row");
    }
    (o.store, w)
}

const OPS: &[Op] = &[
    Op {
        name: "random get",
        budget: 500,
        units: 1,
        make: || {
            let ((store, w), mut next, mut out) = (tree(), random(), Vec::new());
            Box::new(move || {
                let _ = &w;
                black_box(store.get(TREE, &key(next()), &mut out).is_ok());
            })
        },
    },
    Op {
        name: "seek and one row",
        budget: 1000,
        units: 1,
        make: || {
            let ((store, w), mut next) = (tree(), random());
            let mut c = store.cursor(TREE, None, Dir::Forward).expect("a cursor");
            Box::new(move || {
                let _ = &w;
                black_box(c.seek(TREE, Some(&key(next())), None, Dir::Forward).is_ok());
                black_box(c.next().is_ok());
            })
        },
    },
    Op {
        name: "scan, a row of 1000",
        budget: 50,
        units: 1000,
        make: || {
            let ((store, w), mut next) = (tree(), random());
            let mut c = store.cursor(TREE, None, Dir::Forward).expect("a cursor");
            Box::new(move || {
                let _ = &w;
                black_box(c.seek(TREE, Some(&key(next().min(ROWS - 1000))), None, Dir::Forward).is_ok());
                for _ in 0..1000 {
                    black_box(c.next().is_ok());
                }
            })
        },
    },
    Op {
        name: "random replace, same size",
        budget: 1000,
        units: 1,
        make: || {
            let ((store, mut w), mut next, mut n) = (tree(), random(), 0u8);
            Box::new(move || {
                let _ = &store;
                n = n.wrapping_add(1);
                black_box(w.put(TREE, &key(next()), &[n; 200], &mut |_| {}).is_ok());
            })
        },
    },
    Op {
        name: "insert and remove, random places",
        budget: 1500,
        units: 1,
        make: || {
            let ((store, mut w), mut next) = (tree(), random());
            Box::new(move || {
                let _ = &store;
                let mut k = key(next()).to_vec();
                k.push(1);
                black_box(w.put(TREE, &k, &[7; 200], &mut |_| {}).is_ok());
                black_box(w.remove(TREE, &k).is_ok());
            })
        },
    },
    Op {
        name: "log, a record of 200 bytes in a synced batch of 30",
        budget: 150,
        units: 30,
        make: || {
            let mut log =
                Log::open(Arc::new(SimDisk::new(1)), LogOptions::default(), 0, &mut |_, _| Ok(())).expect("a log");
            Box::new(move || {
                for _ in 0..30 {
                    black_box(log.append(&[7; 200]).is_ok());
                }
                black_box(log.sync().is_ok());
            })
        },
    },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn tree_and_log(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}
fn main() {
    budget::main();
}
