//! The atomics and mutexes that models replace: loom's for [`super::horizon`] (`tests/loom.rs`), shuttle's for the lock manager (feature `model`).
pub(crate) use std::sync::atomic::{AtomicU64, Ordering, fence};

/// What the lock manager is built from.
#[cfg(not(feature = "model"))]
pub(crate) mod lock {
    pub(crate) use parking_lot::{Mutex, MutexGuard};
    pub(crate) use std::sync::atomic;
}
#[cfg(feature = "model")]
pub(crate) mod lock {
    pub(crate) use shuttle::sync::{MutexGuard, atomic};

    /// Shuttle's, with parking_lot's face.
    #[derive(Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);
    impl<T> Mutex<T> {
        pub fn new(v: T) -> Mutex<T> {
            Mutex(shuttle::sync::Mutex::new(v))
        }
        pub fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(|e| e.into_inner())
        }
    }
}
