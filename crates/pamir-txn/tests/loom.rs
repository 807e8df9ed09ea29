//! Registering a snapshot against computing the horizon and raising the floor (`src/horizon.rs`, compiled here over loom's atomics), in every schedule
//! and every reordering the memory model allows, within loom's bound on preemptions.
//!
//! With the SeqCst fences left out, and with the reader's second look left out, the models must find a snapshot below what was forgotten: so the tests
//! would notice if either went missing.
#![allow(clippy::duplicate_mod)] // the same source over different fences is the point
use loom::model::Builder;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The protocol as it stands.
#[path = "../src"]
mod real {
    mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU64, Ordering, fence};
    }
    #[allow(dead_code)]
    #[path = "horizon.rs"]
    pub mod horizon;
}
/// Without the SeqCst fences: the slot's store may hide behind the reader's second look, and the slots' loads before the horizon's.
#[path = "../src"]
mod no_fence {
    mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
        pub(crate) fn fence(o: Ordering) {
            if o != Ordering::SeqCst {
                loom::sync::atomic::fence(o)
            }
        }
    }
    #[allow(dead_code)]
    #[path = "horizon.rs"]
    pub mod horizon;
}
/// A reader that takes the newest timestamp and does not look again.
fn register_once(applied: &AtomicU64, slot: &AtomicU64) -> u64 {
    let t = applied.load(Ordering::Acquire);
    slot.store(t, Ordering::Release);
    loom::sync::atomic::fence(Ordering::SeqCst);
    t
}
/// The timestamp at which the world begins.
const FIRST: u64 = 1;

struct World {
    applied: AtomicU64,
    floor: AtomicU64,
    slot: AtomicU64,
    /// The version that a snapshot at FIRST needs; 0 once it is dropped.
    version: AtomicU64,
}
impl World {
    fn new() -> Arc<World> {
        Arc::new(World {
            applied: AtomicU64::new(FIRST),
            floor: AtomicU64::new(0),
            slot: AtomicU64::new(u64::MAX),
            version: AtomicU64::new(FIRST),
        })
    }
}
type Register = fn(&AtomicU64, &AtomicU64) -> u64;
type Horizon = fn(&World) -> u64;

/// A commit is applied while a reader registers: the old version goes only when the horizon has passed it, and then the reader does not need it.
fn reader_and_applier(register: Register, horizon: Horizon) {
    let w = World::new();
    let applier = {
        let w = w.clone();
        thread::spawn(move || {
            w.applied.store(FIRST + 1, Ordering::Release);
            if horizon(&w) > FIRST {
                w.version.store(0, Ordering::Relaxed);
            }
        })
    };
    let ts = register(&w.applied, &w.slot);
    if ts == FIRST {
        assert_eq!(w.version.load(Ordering::Relaxed), FIRST, "a registered snapshot lost its version");
    }
    real::horizon::clear(&w.slot);
    applier.join().unwrap();
}
fn horizon_real(w: &World) -> u64 {
    real::horizon::horizon(&w.applied, &w.floor, || 1, |_| &w.slot)
}
fn horizon_no_fence(w: &World) -> u64 {
    no_fence::horizon::horizon(&w.applied, &w.floor, || 1, |_| &w.slot)
}

/// Memory is short: the floor rises over a registered snapshot and its version goes. Whoever finds it gone must also find that it is not served any more.
fn reader_and_floor(check_first: bool) {
    let w = World::new();
    w.slot.store(FIRST, Ordering::Relaxed);
    let applier = {
        let w = w.clone();
        thread::spawn(move || {
            real::horizon::raise_floor(&w.floor, FIRST + 1);
            w.version.store(0, Ordering::Relaxed);
        })
    };
    let early = check_first && real::horizon::is_served(&w.floor, FIRST);
    let found = w.version.load(Ordering::Relaxed);
    let served = if check_first { early } else { real::horizon::is_served(&w.floor, FIRST) };
    if served {
        assert_eq!(found, FIRST, "a served snapshot did not find its version");
    }
    applier.join().unwrap();
}

fn bounded() -> Builder {
    let mut b = Builder::new();
    b.preemption_bound = Some(3);
    b
}
fn fails(model: impl Fn() + Send + Sync + 'static) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let r = catch_unwind(AssertUnwindSafe(|| bounded().check(model)));
    std::panic::set_hook(hook);
    assert!(r.is_err(), "the model does not notice what is missing");
}

#[test]
fn a_registered_snapshot_keeps_its_versions() {
    bounded().check(|| reader_and_applier(real::horizon::register, horizon_real));
    fails(|| reader_and_applier(no_fence::horizon::register, horizon_real));
    fails(|| reader_and_applier(real::horizon::register, horizon_no_fence));
    fails(|| reader_and_applier(register_once, horizon_real));
}
#[test]
fn a_snapshot_that_was_given_up_notices() {
    bounded().check(|| reader_and_floor(false));
    fails(|| reader_and_floor(true));
}
