//! Random numbers from a seed, which seeds run, and how long.
//!
//! A run is told by its seed alone: the same seed gives the same numbers everywhere. A test that fails says the seed of every generator it holds; the environment
//! runs it again: [`SEED`]`=n` picks a seed, [`SEEDS`]`=n` makes many seeds of few, [`SECONDS`]`=n` sets how long a test goes on that ends by the clock.
//!
//! Limits: [`Rng::below`] takes the remainder, which favours small numbers by less than n / 2^64.
use std::ops::Range;
use std::time::{Duration, Instant};

/// The environment's variable that picks one seed.
pub const SEED: &str = "PAMIR_SEED";
/// The environment's variable that says how many seeds run.
pub const SEEDS: &str = "PAMIR_SEEDS";
/// The environment's variable that says how many seconds a test goes on that ends by the clock.
pub const SECONDS: &str = "PAMIR_SECONDS";

fn var(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|s| s.parse().ok())
}
/// The seeds of a test that runs so many of them; only the environment's, where it picks one.
pub fn seeds(normal: u64) -> Range<u64> {
    match var(SEED) {
        Some(s) => s..s + 1,
        None => 0..var(SEEDS).unwrap_or(normal),
    }
}
/// The seed of a test that has one.
pub fn seed(normal: u64) -> u64 {
    var(SEED).unwrap_or(normal)
}
/// When a test is to end that goes on for so many seconds.
pub fn end(normal: u64) -> Instant {
    Instant::now() + Duration::from_secs(var(SECONDS).unwrap_or(normal))
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub struct Rng {
    seed: u64,
    state: u64,
}
impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng { seed, state: seed }
    }
    pub fn seed(&self) -> u64 {
        self.seed
    }
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// A place among `n`; 0 where there is none.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n.max(1) as u64) as usize
    }
    /// True once in `of` times.
    pub fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
    /// One of them; there must be some.
    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }
    /// So many bytes, each below `top`.
    pub fn bytes(&mut self, n: usize, top: u64) -> Vec<u8> {
        (0..n).map(|_| self.below(top) as u8).collect()
    }
    /// Any order of them, each as likely as another (Fisher, Yates).
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.index(i + 1));
        }
    }
}
impl Drop for Rng {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("random numbers of seed {}", self.seed);
        }
    }
}
