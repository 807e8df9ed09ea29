//! What a node asks of the machine besides its disk: the time, random bytes, how many processors there are.
//!
//! ```text
//!   ShardOptions::platform --> Shard --Engine::platform--> databases, sessions, functions (through their environment)
//!        |
//!        +-- Real: the kernel's clock and entropy
//!        +-- Sim:  a clock that goes on by a step each time it is read, bytes and processors from a seed
//! ```
//! Over a simulated disk and a simulated platform a node whose machines are stepped ([`crate::task`]) does the same with the same calls: its log has the same bytes.
//!
//! *Invariant*: what is written to the log, or decides what is, comes of these and of the calls alone. So maps that such code iterates over do not hash with random keys.
//!
//! Deadlines (`statement_timeout`, `lock_timeout`, sleeps) are of [`crate::task::now`]: the processor's clock, which no record is written from, or that of the simulation whose task
//! asks (`pamir-net/src/simulation.rs`).
//!
//! Limits: durations that are only reported are of the processor's own clock.
use pamir_error::{Result, err};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub trait Platform: Send + Sync + Debug {
    /// Microseconds since 1970-01-01 UTC.
    fn time(&self) -> i64;
    /// Fills `out` with bytes that nobody can guess (58000 where there are none).
    fn random(&self, out: &mut [u8]) -> Result<()>;
    /// Processors that threads may run on, at least 1.
    fn processors(&self) -> usize;
}

/// The machine itself.
#[derive(Debug, Default)]
pub struct Real;
impl Real {
    pub fn shared() -> Arc<dyn Platform> {
        Arc::new(Real)
    }
}
impl Platform for Real {
    fn time(&self) -> i64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros() as i64)
    }
    fn random(&self, out: &mut [u8]) -> Result<()> {
        getrandom::fill(out).map_err(|e| err!(SYSTEM_ERROR, "could not read random bytes: {e}"))
    }
    fn processors(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |n| n.get())
    }
}

/// When a simulated clock begins: 2024-01-01.
const SIM_START: i64 = 1_704_067_200_000_000;
/// By how much it goes on each time it is read, in microseconds.
const SIM_STEP: i64 = 1_000;

/// A machine that a seed makes.
#[derive(Debug)]
pub struct Sim {
    time: AtomicI64,
    state: AtomicU64,
    processors: usize,
}
impl Sim {
    pub fn new(seed: u64) -> Sim {
        Sim {
            time: AtomicI64::new(SIM_START + (seed % (1 << 20)) as i64 * SIM_STEP),
            state: AtomicU64::new(seed),
            processors: 1 + (seed % 4) as usize,
        }
    }
    /// Lets time pass, or go back.
    pub fn pass(&self, micros: i64) {
        self.time.fetch_add(micros, Ordering::Relaxed);
    }
    /// A number below `n`, which is not 0.
    pub fn below(&self, n: u64) -> u64 {
        self.next() % n
    }
    /// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    fn next(&self) -> u64 {
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.state.fetch_add(GAMMA, Ordering::Relaxed).wrapping_add(GAMMA);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
impl Platform for Sim {
    fn time(&self) -> i64 {
        self.time.fetch_add(SIM_STEP, Ordering::Relaxed)
    }
    fn random(&self, out: &mut [u8]) -> Result<()> {
        for part in out.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
    fn processors(&self) -> usize {
        self.processors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(p: &dyn Platform) -> (Vec<i64>, [u8; 21], usize) {
        let mut bytes = [0; 21];
        p.random(&mut bytes).expect("bytes");
        ((0..5).map(|_| p.time()).collect(), bytes, p.processors())
    }

    #[test]
    fn a_seed_makes_a_machine() {
        assert_eq!(trace(&Sim::new(7)), trace(&Sim::new(7)));
        assert_ne!(trace(&Sim::new(7)), trace(&Sim::new(8)));
        let s = Sim::new(1);
        let before = s.time();
        s.pass(-5 * SIM_STEP);
        assert_eq!(s.time(), before - 4 * SIM_STEP);
    }

    #[test]
    fn the_real_one_goes_on() {
        let (a, b) = (trace(&Real), trace(&Real));
        assert!(a.0.is_sorted() && a.0 < b.0 && a.1 != b.1 && a.2 > 0);
        assert!(a.0[0] > SIM_START);
    }
}
