//! Threads for what is long and cannot be interrupted: one call of a library over a value of megabytes, the parse of a text of megabytes.
//!
//! ```text
//! session's task:  queue the job -> wait (its worker runs others) -> the result
//! helper:                           job, at a lower priority, on a stack of HELPER_STACK
//! ```
//! A session that is to end gives its job up: nobody waits for it any more, and it ends with its next breath (`pamir_error::work`) or by itself. So what a job works on belongs to it.
//!
//! Limits: [`helpers`] threads, begun when there is work and kept; what comes beyond them waits for its turn. A job that was given up and takes no breath keeps its thread, but no other
//! job waiting: one more thread is begun in its stead, for up to [`helpers`] of them. Not for more: each takes its share of the processors and may hold a value of any length. A plain thread (no [`Parker`](crate::task::Parker)) does the work itself.
use crate::task;
use pamir_error::{Error, Result, work};
use parking_lot::{Condvar, Mutex};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Address space of a helper's stack; only what was touched is memory.
pub const HELPER_STACK: usize = if cfg!(debug_assertions) { 1 << 30 } else { 256 << 20 };
/// How much nicer than the workers they are: short statements go first.
const NICE: i32 = 5;
/// Between two looks at whether the session is to end.
const LISTEN_EVERY: Duration = Duration::from_millis(10);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    /// Threads that are in jobs which were given up.
    abandoned: usize,
}
impl Queue {
    fn may_have(&self) -> usize {
        helpers() + self.abandoned.min(helpers())
    }
}
#[derive(Default)]
struct Pool {
    queue: Mutex<Queue>,
    bell: Condvar,
}
fn pool() -> &'static Arc<Pool> {
    static POOL: OnceLock<Arc<Pool>> = OnceLock::new();
    POOL.get_or_init(Arc::default)
}
/// How many there are at most.
fn helpers() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().max(2))
}

/// What a job and who waits for it share.
struct Shared<R> {
    done: Mutex<Done<R>>,
    given_up: AtomicBool,
}
struct Done<R> {
    result: Option<std::thread::Result<R>>,
    waker: Option<Waker>,
    stage: Stage,
}
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Queued,
    Running,
    /// Running, and counted in [`Queue::abandoned`].
    Abandoned,
    Ended,
}

thread_local! {
    /// Set when nobody waits for the helper's present job any more.
    static GIVEN_UP: RefCell<Option<Box<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}
fn listen() -> Result<()> {
    match GIVEN_UP.with_borrow(|g| g.as_ref().is_some_and(|g| g())) {
        true => Err(Error::internal("nobody waits for this any more")),
        false => Ok(()),
    }
}

/// Would [`run`] run something elsewhere?
pub fn are_there() -> bool {
    task::has_helpers()
}

/// Runs `f` on a helper while this task waits. An error if its session is to end before that.
pub fn run<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> Result<R> {
    if !task::has_helpers() {
        return Ok(f());
    }
    let done = Mutex::new(Done { result: None, waker: None, stage: Stage::Queued });
    let shared = Arc::new(Shared { done, given_up: AtomicBool::new(false) });
    let theirs = shared.clone();
    let job = Box::new(move || {
        {
            let mut done = theirs.done.lock();
            if theirs.given_up.load(Ordering::Relaxed) {
                return;
            }
            done.stage = Stage::Running;
        }
        let flag = theirs.clone();
        GIVEN_UP.set(Some(Box::new(move || flag.given_up.load(Ordering::Relaxed))));
        let r = catch_unwind(AssertUnwindSafe(f));
        GIVEN_UP.set(None);
        let (waker, stage) = {
            let mut done = theirs.done.lock();
            done.result = Some(r);
            (done.waker.take(), std::mem::replace(&mut done.stage, Stage::Ended))
        };
        if stage == Stage::Abandoned {
            pool().queue.lock().abandoned -= 1;
        }
        if let Some(w) = waker {
            w.wake();
        }
    });
    submit(job)?;
    struct GiveUp<'a, R>(&'a Shared<R>);
    impl<R> Drop for GiveUp<'_, R> {
        fn drop(&mut self) {
            let mut done = self.0.done.lock();
            self.0.given_up.store(true, Ordering::Relaxed);
            if done.stage == Stage::Running {
                done.stage = Stage::Abandoned;
                drop(done);
                abandon();
            }
        }
    }
    let _give_up = GiveUp(&shared);
    loop {
        let r = task::wait(Some(Instant::now() + LISTEN_EVERY), |w| {
            let mut done = shared.done.lock();
            match done.result.take() {
                Some(r) => Poll::Ready(r),
                None => {
                    done.waker = Some(w.clone());
                    Poll::Pending
                }
            }
        });
        match r {
            Some(Ok(r)) => return Ok(r),
            Some(Err(panic)) => resume_unwind(panic),
            None => work::breathe()?,
        }
    }
}

fn submit(job: Job) -> Result<()> {
    let pool = pool();
    let mut q = pool.queue.lock();
    q.jobs.push_back(job);
    if q.idle >= q.jobs.len() || q.threads >= q.may_have() {
        pool.bell.notify_one();
        return Ok(());
    }
    // Those that run will come to it, if there are any.
    begin(pool, &mut q).or_else(|e| if q.threads > 0 { Ok(()) } else { q.jobs.pop_back().map_or(Ok(()), |_| Err(e)) })
}
fn begin(pool: &'static Arc<Pool>, q: &mut Queue) -> Result<()> {
    let begun = std::thread::Builder::new().name("pg-long".into()).stack_size(HELPER_STACK).spawn(move || help(pool));
    begun.map_err(|e| pamir_error::err!(INSUFFICIENT_RESOURCES, "could not start a thread: {e}"))?;
    q.threads += 1;
    Ok(())
}
/// A job that runs was given up: what waits behind it is another thread's.
fn abandon() {
    let pool = pool();
    let mut q = pool.queue.lock();
    q.abandoned += 1;
    if !q.jobs.is_empty() && q.idle == 0 && q.threads < q.may_have() {
        // Without one it waits, as it did.
        let _ = begin(pool, &mut q);
    }
}

fn help(pool: &'static Arc<Pool>) {
    work::set_listener(listen);
    be_nice();
    loop {
        let job = {
            let mut q = pool.queue.lock();
            if q.threads > q.may_have() {
                q.threads -= 1;
                return;
            }
            q.idle += 1;
            while q.jobs.is_empty() {
                pool.bell.wait(&mut q);
            }
            q.idle -= 1;
            q.jobs.pop_front()
        };
        if let Some(job) = job {
            job();
        }
    }
}

/// Lowers this thread's priority; where that is not possible it stays as it is.
fn be_nice() {
    // SAFETY: a plain system call on numbers. 0 is the calling thread, as Linux counts.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICE) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Parker, with_parker};

    /// A task whose session ends after so many breaths.
    struct Session {
        breaths: std::cell::Cell<u32>,
    }
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    impl Parker for Session {
        fn waker(&self) -> Waker {
            Waker::from(Arc::new(Unpark(std::thread::current())))
        }
        fn park(&self, deadline: Option<Instant>) {
            let d = deadline.map_or(Duration::from_secs(10), |d| d.saturating_duration_since(Instant::now()));
            std::thread::park_timeout(d);
        }
        fn breathe(&self) -> Result<()> {
            match self.breaths.get() {
                0 => Err(Error::internal("cancelled")),
                n => {
                    self.breaths.set(n - 1);
                    Ok(())
                }
            }
        }
    }

    #[test]
    fn a_job_runs_elsewhere_and_its_result_comes_back() {
        let here = std::thread::current().id();
        assert!(run(move || std::thread::current().id() == here).unwrap(), "a plain thread works itself");
        let s = Session { breaths: 1000.into() };
        with_parker(&s, || {
            assert!(run(move || std::thread::current().id() != here).unwrap());
            let panicked = catch_unwind(|| run(|| panic!("in the job")));
            assert!(panicked.is_err(), "a job's panic is its session's");
            assert_eq!(run(|| 7).unwrap(), 7, "the helper lives on");
        });
    }

    #[test]
    fn jobs_that_nobody_waits_for_keep_no_others_waiting() {
        work::set_listener(task::listen);
        let over = Arc::new(AtomicBool::new(false));
        // As many as there are threads, and they do not listen.
        for _ in 0..helpers() {
            let over = over.clone();
            let s = Session { breaths: 2.into() };
            let r = with_parker(&s, || {
                run(move || {
                    while !over.load(Ordering::SeqCst) {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                })
            });
            // Beside other tests it may not have begun before it was given up.
            assert!(r.is_err());
        }
        let s = Session { breaths: 1000.into() };
        assert_eq!(with_parker(&s, || run(|| 7)).unwrap(), 7, "another thread does it");
        over.store(true, Ordering::SeqCst);
        let until = Instant::now() + Duration::from_secs(10);
        while pool().queue.lock().abandoned > 0 {
            assert!(Instant::now() < until, "threads are counted for jobs that have ended");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_job_that_nobody_waits_for_ends() {
        work::set_listener(task::listen);
        let ended = Arc::new(AtomicBool::new(false));
        let flag = ended.clone();
        let s = Session { breaths: 2.into() };
        let r = with_parker(&s, || {
            run(move || {
                while work::charge(1000).is_ok() {}
                flag.store(true, Ordering::SeqCst);
            })
        });
        assert!(r.is_err());
        let until = Instant::now() + Duration::from_secs(10);
        while !ended.load(Ordering::SeqCst) {
            assert!(Instant::now() < until, "the helper still works");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
