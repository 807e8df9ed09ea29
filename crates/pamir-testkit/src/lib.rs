//! What the tests of several crates share: random numbers from a seed, and the runner of golden scripts.
//!
//! A run is told by its seed alone: the same seed gives the same numbers everywhere, so a failure that prints its seed can be run again. Limits: `below` takes the remainder,
//! which favours small numbers by less than n / 2^64.
pub mod golden;

/// SplitMix64.
pub struct Rng(pub u64);
impl Rng {
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
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
}
