//! The lock manager under shuttle: the very code, over shuttle's mutexes and atomics, in many thousand random schedules, each replayable by its seed.
//!
//! `cargo test -p pamir-txn --features model --lib lock::model` (PAMIR_MODEL_SCHEDULES sets how many a model). A waiter that nobody wakes ends a schedule as
//! shuttle's "deadlock"; two conflicting holders, a lock that nobody holds and everybody waits for, and a deadlock that was not found end it by an assertion.
//!
//! **That they can fail** was tried by breaking the code one place at a time; each of these makes the models named fail:
//! - `Owner::grant` takes no waker: `handed_over`, `withdrawals`, `cycles`;
//! - `wait_granted` looks whether it was granted before it registers its waker: the same three;
//! - `wait_granted` returns the error although the withdrawal came too late: `withdrawals`;
//! - `wait` enters the graph only after the walk: `cycles`, `stopped`;
//! - `stop` wakes nobody: `stopped`;
//! - a range is locked beside an intent, an intent is taken beside a range, or one that goes wakes nobody: `intents`.
use super::tests::Actor;
use super::*;
use crate::CancelReason;
use pamir_storage::task::{self, Parker};
use shuttle::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Wake, Waker};
use std::time::Instant;

/// Parks the shuttle thread that runs. One serves all: shuttle runs its threads on one thread of the system.
struct ShuttleParker;
struct Unpark(thread::Thread);
impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark()
    }
}
impl Parker for ShuttleParker {
    fn waker(&self) -> Waker {
        Waker::from(Arc::new(Unpark(thread::current())))
    }
    fn park(&self, _: Option<Instant>) {
        thread::park()
    }
}
fn check(model: fn()) {
    let n = std::env::var("PAMIR_MODEL_SCHEDULES").ok().and_then(|s| s.parse().ok()).unwrap_or(3000);
    task::with_parker(&ShuttleParker, || {
        shuttle::check_random(model, n);
        shuttle::check_pct(model, n, 3);
    });
}
const KEYS: [&[u8]; 2] = [b"a", b"b"];

/// Who is inside, per key: readers above 0, one writer -1.
#[derive(Default)]
struct Inside([AtomicI64; 2]);
impl Inside {
    fn visit(&self, key: usize, writer: bool) {
        let before = if writer {
            self.0[key].compare_exchange(0, -1, Ordering::SeqCst, Ordering::SeqCst).unwrap_or_else(|n| n)
        } else {
            self.0[key].fetch_add(1, Ordering::SeqCst)
        };
        assert!(if writer { before == 0 } else { before >= 0 }, "conflicting locks on a row: {before} inside");
        thread::yield_now();
        self.0[key].fetch_add(if writer { 1 } else { -1 }, Ordering::SeqCst);
    }
}
fn join(threads: Vec<thread::JoinHandle<()>>, lm: &LockManager) {
    threads.into_iter().for_each(|t| t.join().unwrap());
    lm.assert_compatible();
    assert_eq!(lm.counts(), (0, 0, 0), "something is left behind");
}

/// One row, three transactions, two rounds each: nobody is inside with a conflicting one, nobody is forgotten.
#[test]
fn handed_over() {
    check(|| {
        let (lm, inside) = (Arc::new(LockManager::new()), Arc::new(Inside::default()));
        let run = |id: u64, writer: bool| {
            let (lm, inside) = (lm.clone(), inside.clone());
            thread::spawn(move || {
                let mut a = Actor::new(id);
                for _ in 0..2 {
                    let mode = if writer { RowLock::Update } else { RowLock::Share };
                    a.row(&lm, KEYS[0], mode, WaitPolicy::Block, None).unwrap();
                    inside.visit(0, writer);
                    a.end(&lm);
                }
            })
        };
        join(vec![run(1, true), run(2, true), run(3, false)], &lm);
    });
}

/// A waiter is cancelled while its lock may be granted at the same moment: granted it holds the lock, cancelled it left the queue, and who waits behind it gets on.
#[test]
fn withdrawals() {
    check(|| {
        let (lm, inside) = (Arc::new(LockManager::new()), Arc::new(Inside::default()));
        let mut first = Actor::new(1);
        first.row(&lm, KEYS[0], RowLock::Share, WaitPolicy::Block, None).unwrap();
        let mut second = Actor::new(2);
        let cancel = second.cancel.clone();
        let mut threads = vec![];
        let (m, i) = (lm.clone(), inside.clone());
        threads.push(thread::spawn(move || {
            match second.row(&m, KEYS[0], RowLock::Update, WaitPolicy::Block, None) {
                Ok(_) => i.visit(0, true),
                Err(e) => assert_eq!(e.code().as_str(), "57014"),
            }
            second.end(&m);
        }));
        let (m, i) = (lm.clone(), inside.clone());
        threads.push(thread::spawn(move || {
            // Compatible with the first, behind the second.
            let mut third = Actor::new(3);
            third.row(&m, KEYS[0], RowLock::Share, WaitPolicy::Block, None).unwrap();
            i.visit(0, false);
            third.end(&m);
        }));
        threads.push(thread::spawn(move || cancel.request(CancelReason::User)));
        thread::yield_now();
        first.end(&lm);
        join(threads, &lm);
    });
}

/// Three transactions take two rows, a table and a range in conflicting orders: every cycle is found, one victim of it gives up, the others go on.
#[test]
fn cycles() {
    check(|| {
        let lm = Arc::new(LockManager::new());
        let run = |id: u64| {
            let lm = lm.clone();
            thread::spawn(move || {
                let mut a = Actor::new(id);
                let order = if id == 1 { [0, 1] } else { [1, 0] };
                let mut r = Ok(LockOutcome::Granted);
                for key in order {
                    r = r.and_then(|_| a.row(&lm, KEYS[key], RowLock::Update, WaitPolicy::Block, None));
                }
                let r = match id {
                    1 => r.and_then(|_| a.table(&lm, 9, TableLock::Exclusive, None).map(drop)),
                    _ => r.map(drop),
                };
                if let Err(e) = r {
                    assert_eq!(e.code().as_str(), "40P01", "{e}");
                }
                a.end(&lm);
            })
        };
        let (m, mut c) = (lm.clone(), Actor::new(3));
        let third = thread::spawn(move || {
            let r = c.table(&m, 9, TableLock::Share, None).map(drop).and_then(|()| c.range(&m, b"", None, None));
            if let Err(e) = r {
                assert_eq!(e.code().as_str(), "40P01", "{e}");
            }
            c.end(&m);
        });
        join(vec![run(1), run(2), third], &lm);
    });
}

/// Two write many entries of a tree, two read a range of it: writers are inside together, never beside a reader, and nobody is forgotten.
#[test]
fn intents() {
    check(|| {
        // Readers above 0, writers below.
        let (lm, inside) = (Arc::new(LockManager::new()), Arc::new(AtomicI64::new(0)));
        let visit = |inside: &AtomicI64, step: i64| {
            let before = inside.fetch_add(step, Ordering::SeqCst);
            assert!(before * step >= 0, "{before} inside beside {step}");
            thread::yield_now();
            inside.fetch_sub(step, Ordering::SeqCst);
        };
        let run = |id: u64, writer: bool| {
            let (lm, inside) = (lm.clone(), inside.clone());
            thread::spawn(move || {
                let mut a = Actor::new(id);
                if writer {
                    if a.intend(&lm) {
                        visit(&inside, -1);
                    }
                } else {
                    a.range(&lm, KEYS[0], None, None).unwrap();
                    visit(&inside, 1);
                }
                a.end(&lm);
            })
        };
        join(vec![run(1, true), run(2, true), run(3, false), run(4, false)], &lm);
    });
}

/// The shard fails while somebody waits for a lock that will never be released.
#[test]
fn stopped() {
    check(|| {
        let lm = Arc::new(LockManager::new());
        let mut first = Actor::new(1);
        first.row(&lm, KEYS[0], RowLock::Update, WaitPolicy::Block, None).unwrap();
        let m = lm.clone();
        let waiter = thread::spawn(move || {
            let mut a = Actor::new(2);
            let e = a.row(&m, KEYS[0], RowLock::Update, WaitPolicy::Block, None).unwrap_err();
            assert_eq!(e.code().as_str(), "57P02");
        });
        lm.stop();
        waiter.join().unwrap();
        first.end(&lm);
    });
}
