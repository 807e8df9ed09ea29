//! The atomics and mutexes that the models replace: loom's for [`super::horizon`] (`tests/loom.rs`), shuttle's for the lock manager (feature `model`).
pub(crate) use std::sync::atomic::{AtomicU64, Ordering, fence};
