//! What the tests of several crates share: random numbers from a seed ([`chance`]), the runner of golden scripts ([`golden`]), and free ports ([`ports`]).
pub mod chance;
pub mod golden;
pub mod ports;

pub use chance::Rng;
pub use ports::port;
