//! Where a thread lays down what another one may go on with.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Holds one value or none. Only one thread puts, whoever takes gets it.
pub struct Place<T>(AtomicPtr<T>);

impl<T> Default for Place<T> {
    fn default() -> Place<T> {
        Place(AtomicPtr::new(null_mut()))
    }
}
// SAFETY: it owns its value as a Box does, and gives it out once, by an atomic exchange.
unsafe impl<T: Send> Send for Place<T> {}
// SAFETY: as above; nobody gets a reference to the value while it is here.
unsafe impl<T: Send> Sync for Place<T> {}

impl<T> Place<T> {
    /// The place must be empty: what was here would be lost.
    pub fn put(&self, v: Box<T>) {
        debug_assert!(self.0.load(Ordering::Relaxed).is_null());
        self.0.store(Box::into_raw(v), Ordering::Release);
    }
    /// As far as is known.
    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed).is_null()
    }
    pub fn take(&self) -> Option<Box<T>> {
        let p = self.0.swap(null_mut(), Ordering::AcqRel);
        // SAFETY: put here by `put` from a Box, and by the exchange this caller is the only one who has it.
        (!p.is_null()).then(|| unsafe { Box::from_raw(p) })
    }
}
impl<T> Drop for Place<T> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn whoever_takes_it_has_it_alone() {
        let (place, taken) = (Arc::new(Place::default()), AtomicUsize::new(0));
        const ROUNDS: usize = if cfg!(miri) { 50 } else { 10_000 };
        std::thread::scope(|s| {
            let thief = s.spawn(|| {
                while taken.load(Ordering::Relaxed) < ROUNDS {
                    if let Some(n) = place.take() {
                        assert_eq!(*n, taken.fetch_add(1, Ordering::Relaxed));
                    }
                }
            });
            for n in 0..ROUNDS {
                place.put(Box::new(n));
                while taken.load(Ordering::Relaxed) <= n {
                    if let Some(mine) = place.take() {
                        assert_eq!(*mine, n);
                        taken.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
            thief.join().unwrap();
        });
        place.put(Box::new(7));
        assert_eq!(Arc::into_inner(place).and_then(|p| p.take()).as_deref(), Some(&7));
    }
}
