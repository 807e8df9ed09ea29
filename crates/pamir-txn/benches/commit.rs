//! One transaction's way through a shard that the benchmark steps itself, over an in-memory disk: CPU of lock, write set, record, log and apply without a thread's hand-off.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::*;
use std::hint::black_box;
use std::sync::Arc;

const ROWS: u32 = 100_000;

fn key(n: u32) -> [u8; 4] {
    (n.wrapping_mul(2_654_435_761) % ROWS).to_be_bytes()
}
fn shard() -> (Arc<Shard>, TreeId) {
    let opts = ShardOptions { io_threads: 0, checkpoint_bytes: 64 << 20, ..ShardOptions::default() };
    let s = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("open");
    let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
    let tree = t.create_tree().expect("a tree");
    for i in 0..ROWS {
        t.put(tree, &i.to_be_bytes(), &[7; 100]).expect("a row");
    }
    t.commit().expect("commit");
    (s, tree)
}
/// A transaction of `puts` updates of random rows, committed.
fn commit(puts: u32) -> Box<dyn FnMut()> {
    let ((s, tree), mut n) = (shard(), 0u32);
    Box::new(move || {
        let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
        for _ in 0..puts {
            n = n.wrapping_add(1);
            black_box(t.put(tree, &key(n), &[n as u8; 100]).is_ok());
        }
        t.commit().expect("commit");
        if n % 64 < puts {
            while s.step_checkpoint() {}
            black_box(s.step_forget().is_ok());
        }
    })
}

const OPS: &[Op] = &[
    Op {
        name: "begin, snapshot, get, end",
        budget: 900,
        units: 1,
        make: || {
            let ((s, tree), mut n, mut out) = (shard(), 0u32, Vec::new());
            Box::new(move || {
                n = n.wrapping_add(1);
                let t = s.begin(Isolation::ReadCommitted, true, Arc::default());
                let snap = t.statement();
                black_box(t.get(&snap, tree, &key(n), &mut out).is_ok());
                drop(snap);
                black_box(t.commit().is_ok());
            })
        },
    },
    Op {
        name: "put with its lock, a row of 100, rolled back",
        budget: 700,
        units: 100,
        make: || {
            let ((s, tree), mut n) = (shard(), 0u32);
            Box::new(move || {
                let t = s.begin(Isolation::ReadCommitted, false, Arc::default());
                for _ in 0..100 {
                    n = n.wrapping_add(1);
                    black_box(t.put(tree, &key(n), &[8; 100]).is_ok());
                }
            })
        },
    },
    Op { name: "commit of one put, applied", budget: 2500, units: 1, make: || commit(1) },
    Op { name: "commit of 100 puts, applied, a put", budget: 1500, units: 100, make: || commit(100) },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn transaction(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}
fn main() {
    budget::main();
}
