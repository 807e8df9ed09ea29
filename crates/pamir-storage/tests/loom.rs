//! The page state's protocol (`src/store/state.rs`, compiled here over loom's atomics) in every schedule and every reordering the memory model allows,
//! within loom's bound on preemptions.
//!
//! Each model runs three times: as the code stands it passes; with the readers' fence left out, and with the writers' fence left out, it must find a torn
//! or foreign image. So the tests would notice if either went missing.
#![allow(clippy::duplicate_mod)] // the same source over different fences is the point
use loom::model::Builder;
use loom::thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The protocol as it stands.
#[path = "../src/store"]
mod real {
    mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU64, Ordering, fence};
    }
    #[allow(dead_code)]
    #[path = "state.rs"]
    pub mod state;
}
/// Acquire fences do nothing: a reader may validate before it has read.
#[path = "../src/store"]
mod no_acquire {
    mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
        pub(crate) fn fence(o: Ordering) {
            if o != Ordering::Acquire {
                loom::sync::atomic::fence(o)
            }
        }
    }
    #[allow(dead_code)]
    #[path = "state.rs"]
    pub mod state;
}
/// Release fences do nothing: words may be seen before the lock.
#[path = "../src/store"]
mod no_release {
    mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
        pub(crate) fn fence(o: Ordering) {
            if o != Ordering::Release {
                loom::sync::atomic::fence(o)
            }
        }
    }
    #[allow(dead_code)]
    #[path = "state.rs"]
    pub mod state;
}

fn bounded() -> Builder {
    let mut b = Builder::new();
    b.preemption_bound = Some(3);
    b
}
fn fails(model: fn()) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let r = catch_unwind(AssertUnwindSafe(|| bounded().check(model)));
    std::panic::set_hook(hook);
    assert!(r.is_err(), "the model does not notice that a fence is missing");
}

/// The models, once for each variant of the protocol.
macro_rules! models {
    ($variant:ident) => {
        pub mod $variant {
            use super::*;
            use crate::$variant::state::*;
            use loom::sync::atomic::{AtomicU64, Ordering::*};

            /// One page of two words, changed twice: whatever a reader validates is one image.
            pub fn reader_and_writer() {
                let page = Arc::new((AtomicU64::new(RESIDENT), [AtomicU64::new(0), AtomicU64::new(0)]));
                let writer = {
                    let page = page.clone();
                    thread::spawn(move || {
                        for v in 1..=2 {
                            let s = page.0.load(Acquire);
                            assert!(try_lock(&page.0, s), "the only one who locks");
                            before_words();
                            page.1[0].store(v, Relaxed);
                            page.1[1].store(v, Relaxed);
                            publish(&page.0, s, 0);
                        }
                    })
                };
                let seen = begin_read(&page.0);
                if is_readable(seen) {
                    let (a, b) = (page.1[0].load(Relaxed), page.1[1].load(Relaxed));
                    if still(&page.0, seen) {
                        assert_eq!(a, b, "a torn image");
                    }
                }
                writer.join().unwrap();
            }

            /// Page 1 is in the frame; an evictor takes it and loads page 2 there. Whoever reads either page never takes the other's words for its own.
            pub fn reader_and_eviction() {
                let w = Arc::new((AtomicU64::new(RESIDENT), AtomicU64::new(0), AtomicU64::new(1)));
                let evictor = {
                    let w = w.clone();
                    thread::spawn(move || {
                        let (page1, page2, word) = (&w.0, &w.1, &w.2);
                        let s = page1.load(Acquire);
                        assert!(try_evict(page1, s));
                        let s = page2.load(Acquire);
                        assert!(try_lock(page2, s));
                        before_words();
                        word.store(2, Relaxed);
                        publish(page2, s, 0);
                    })
                };
                for (state, mine) in [(&w.0, 1), (&w.1, 2)] {
                    let seen = begin_read(state);
                    if is_readable(seen) {
                        let word = w.2.load(Relaxed);
                        if still(state, seen) {
                            assert_eq!(word, mine, "another page's words");
                        }
                    }
                }
                evictor.join().unwrap();
            }

            /// The page is freed, its frame serves someone else, and its id becomes a new page in another frame: a reader that began before takes
            /// neither frame's new words for the old page.
            pub fn reader_and_reuse() {
                let w = Arc::new((AtomicU64::new(RESIDENT), [AtomicU64::new(1), AtomicU64::new(0)]));
                let writer = {
                    let w = w.clone();
                    thread::spawn(move || {
                        let s = w.0.load(Acquire);
                        assert!(try_lock(&w.0, s));
                        retire(&w.0, s);
                        let s = w.0.load(Acquire);
                        before_words();
                        w.1[0].store(7, Relaxed);
                        let was = try_take(&w.0, s, 1).expect("nobody else");
                        before_words();
                        w.1[1].store(2, Relaxed);
                        publish(&w.0, was, 1);
                    })
                };
                let seen = begin_read(&w.0);
                if is_readable(seen) {
                    let word = w.1[frame_of(seen)].load(Relaxed);
                    if still(&w.0, seen) {
                        assert_eq!(word, frame_of(seen) as u64 + 1, "words of another life of the page");
                    }
                }
                writer.join().unwrap();
            }

            /// One copies the page out, one changes it: only one at a time holds the lock, and each sees what the other finished.
            pub fn lock_excludes() {
                let page = Arc::new((AtomicU64::new(RESIDENT), AtomicU64::new(0)));
                let copier = {
                    let page = page.clone();
                    thread::spawn(move || {
                        let s = page.0.load(Acquire);
                        if is_readable(s) && try_lock(&page.0, s) {
                            let (a, b) = (page.1.load(Relaxed), page.1.load(Relaxed));
                            assert_eq!(a, b, "changed under a lock");
                            unlock(&page.0, s);
                        }
                    })
                };
                let s = page.0.load(Acquire);
                if is_readable(s) && try_lock(&page.0, s) {
                    before_words();
                    page.1.store(1, Relaxed);
                    page.1.store(2, Relaxed);
                    publish(&page.0, s, 0);
                }
                copier.join().unwrap();
            }
        }
    };
}
#[allow(dead_code)]
mod models {
    use super::*;
    models!(real);
    models!(no_acquire);
    models!(no_release);
}

#[test]
fn a_validated_image_is_not_torn() {
    bounded().check(models::real::reader_and_writer);
    fails(models::no_acquire::reader_and_writer);
    fails(models::no_release::reader_and_writer);
}
#[test]
fn a_recycled_frame_is_noticed() {
    bounded().check(models::real::reader_and_eviction);
    fails(models::no_acquire::reader_and_eviction);
    fails(models::no_release::reader_and_eviction);
}
#[test]
fn a_recycled_id_is_noticed() {
    bounded().check(models::real::reader_and_reuse);
    fails(models::no_acquire::reader_and_reuse);
    fails(models::no_release::reader_and_reuse);
}
#[test]
fn one_at_a_time_holds_the_lock() {
    bounded().check(models::real::lock_excludes);
}
