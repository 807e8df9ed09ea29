//! What the tests of several crates share: random numbers from a seed ([`chance`]), and the runner of golden scripts ([`golden`]).
pub mod chance;
pub mod golden;

pub use chance::Rng;
