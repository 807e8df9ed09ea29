//! The budget of work: how code that may run long says so, and how it is interrupted.
//!
//! ```text
//! loop { work::charge(cost)?; ... }         cost: about a nanosecond each
//!              |  every BREATH of them
//!              v
//!        the thread's listener: others have their turn when the slice is over; cancel, timeout, the end of the session come back as an error
//! ```
//! Everything whose length a user decides charges: rows, expressions, functions over long values, casts, the parser, COPY lines. A charge is a subtraction in a
//! thread-local counter; only once in [`BREATH`] the clock is read. What a charge is worth need not be exact, only not ten times too small.
//!
//! Invariants: no latch, mutex, page pin or borrow of a thread-local is held across a charge, since other sessions of the thread may run inside it. Work that must go
//! through once begun (a commit, a rollback) charges nothing.
//!
//! Who listens is the thread's affair ([`set_listener`]): a server worker suspends the coroutine, a helper looks at the cancel flag of whom it works for, and on a plain thread nobody
//! does. This crate only counts.
use crate::{Error, Result};
use std::cell::Cell;
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Work between two looks at the clock: some 50 microseconds.
pub const BREATH: u32 = 50_000;
/// What a row costs that is passed from one operator to another.
pub const ROW: u32 = 250;
/// What the call of a function costs, beside what it does with long values.
pub const CALL: u32 = 30;

/// Takes a breath for the code that runs on this thread.
pub type Listener = fn() -> Result<()>;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(BREATH) };
    static LISTENER: Cell<Option<Listener>> = const { Cell::new(None) };
}

/// Who is asked on this thread when a breath is due.
pub fn set_listener(l: Listener) {
    LISTENER.set(Some(l));
}

/// The next breath is due after so much work, whatever was counted so far: for simulations, whose seeds choose the moments.
pub fn due_after(work: u32) {
    LEFT.set(work);
}

/// Counts work. True: a breath is due, and the caller takes it.
#[inline]
pub fn spend(cost: u32) -> bool {
    LEFT.with(|left| match left.get().checked_sub(cost) {
        Some(n) => {
            left.set(n);
            false
        }
        None => {
            left.set(BREATH);
            true
        }
    })
}

/// Counts work and takes the breath that is due.
#[inline]
pub fn charge(cost: usize) -> Result<()> {
    if spend(cost.min(u32::MAX as usize) as u32) { breathe() } else { Ok(()) }
}

/// Lets others have their turn if it is theirs, and fails if this statement is to end.
#[cold]
pub fn breathe() -> Result<()> {
    match LISTENER.get() {
        Some(l) => l(),
        None => Ok(()),
    }
}

/// Carries a breath's error through code that knows no errors.
struct Interrupted(Error);

/// Runs `f`, a library's loop that calls back into ours: [`charge_within`] ends it by unwinding. So nothing may be on the stack between the two that minds.
pub fn unwinding<R>(f: impl FnOnce() -> R) -> Result<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| match panic.downcast::<Interrupted>() {
        Ok(i) => i.0,
        Err(panic) => resume_unwind(panic),
    })
}
/// [`charge`] within [`unwinding`].
#[inline]
pub fn charge_within(cost: u32) {
    if spend(cost) {
        breathe_within();
    }
}
#[cold]
fn breathe_within() {
    if let Err(e) = breathe() {
        // No panic's hook: nothing is wrong.
        resume_unwind(Box::new(Interrupted(e)));
    }
}

/// `sort_unstable_by` of a slice of any size: `compare` says what it cost, too. After an error the slice has all its elements, in no order: the order must be total until the end, so
/// the last comparison unwinds.
pub fn sort_unstable_by<T>(v: &mut [T], mut compare: impl FnMut(&T, &T) -> (Ordering, u32)) -> Result<()> {
    // Counted here: a thread-local for each comparison of numbers would be felt.
    let mut left = BREATH;
    unwinding(|| {
        v.sort_unstable_by(|a, b| {
            let (order, cost) = compare(a, b);
            match left.checked_sub(cost) {
                Some(n) => left = n,
                None => {
                    left = BREATH;
                    breathe_within();
                }
            }
            order
        })
    })?;
    charge((BREATH - left) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breath_is_due_once_in_so_much_work() {
        std::thread::spawn(|| {
            thread_local!(static BREATHS: Cell<u32> = const { Cell::new(0) });
            set_listener(|| {
                BREATHS.set(BREATHS.get() + 1);
                if BREATHS.get() == 4 { Err(crate::Error::internal("enough")) } else { Ok(()) }
            });
            for _ in 0..BREATH {
                charge(3).unwrap();
            }
            assert_eq!(BREATHS.get(), 2, "three times a breath's work, less what is left of the third");
            assert!(charge(BREATH as usize + 1).is_ok() && BREATHS.get() == 3);
            assert!(charge(usize::MAX).is_err(), "the listener's error comes back");
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_sort_is_interrupted() {
        std::thread::spawn(|| {
            thread_local!(static BREATHS: Cell<u32> = const { Cell::new(0) });
            set_listener(|| {
                BREATHS.set(BREATHS.get() + 1);
                if BREATHS.get() == 4 { Err(crate::Error::internal("enough")) } else { Ok(()) }
            });
            let mut v: Vec<u32> = (0..1000).map(|i| i * 7919 % 1000).collect();
            sort_unstable_by(&mut v, |a, b| (a.cmp(b), 1)).unwrap();
            assert!(v.is_sorted() && BREATHS.get() <= 1);
            let mut v: Vec<u32> = (0..100_000).map(|i| i * 7919 % 100_000).collect();
            let e = sort_unstable_by(&mut v, |a, b| (a.cmp(b), 1000)).unwrap_err();
            assert_eq!((e.message(), BREATHS.get()), ("enough", 4));
            v.sort_unstable();
            assert!(v.iter().copied().eq(0..100_000), "nothing is lost");
            let panicked = std::panic::catch_unwind(|| sort_unstable_by(&mut [3, 1, 2], |_, _| panic!("a comparison")));
            assert!(panicked.is_err());
        })
        .join()
        .unwrap();
    }
}
