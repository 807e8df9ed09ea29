//! Micro-benchmarks with budgets, shared by the crates' `benches/` (`#[path] mod`): divan shows the distribution, then each operation stands beside its budget.
//!
//! The verdict's figure is the best of many short batches, so that a busy machine does not count against the code; it is no timed test and fails nothing.
//! Budgets are for one core of a 2-core cloud machine. `cargo bench -p pamir-storage -- "get"` runs some.
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// One measured operation; `make` prepares it, untimed.
pub struct Op {
    pub name: &'static str,
    /// nanoseconds a unit
    pub budget: u64,
    /// units (rows, values) that one call handles
    pub units: u64,
    pub make: fn() -> Box<dyn FnMut()>,
}

const BATCH: Duration = Duration::from_millis(2);
const BATCHES: usize = 40;

static VERDICTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn time(f: &mut dyn FnMut(), n: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..n {
        f();
    }
    start.elapsed()
}

/// Runs the operation of this name under divan and notes how it stands.
pub fn run(bencher: divan::Bencher, ops: &[Op], name: &str) {
    let Some(op) = ops.iter().find(|o| o.name == name) else { return };
    let mut f = (op.make)();
    let mut n = 1;
    while time(&mut f, n) < BATCH {
        n *= 2;
    }
    let best = (0..BATCHES).map(|_| time(&mut f, n)).min().unwrap_or_default();
    let ns = best.as_nanos() as f64 / (n * op.units) as f64;
    let verdict = if ns <= op.budget as f64 { "within" } else { "OVER" };
    if let Ok(mut v) = VERDICTS.lock() {
        v.push(format!("{name:<52} {:>9} ns {ns:>11.1} ns  {verdict}", op.budget));
    }
    bencher.counter(divan::counter::ItemsCount::new(op.units)).bench_local(f);
}

/// The body of a bench's `main`.
pub fn main() {
    divan::main();
    let verdicts = VERDICTS.lock().map(|v| v.clone()).unwrap_or_default();
    if !verdicts.is_empty() {
        println!("\n{:<52} {:>12} {:>14}", "operation", "budget", "measured");
        verdicts.iter().for_each(|v| println!("{v}"));
    }
}
