//! How code waits. Everything that must wait (a lock, a commit, a page) registers a [`std::task::Waker`] where the
//! event will happen and parks. What parking means is the thread's affair: a server worker installs a [`Parker`] that suspends the
//! session's coroutine and runs others; a plain thread parks itself; a simulation steps its machines.
//!
//! Invariant: no latch, mutex or page pin is held across [`wait`].
use pamir_error::Result;
use parking_lot::{Condvar, MutexGuard};
use std::cell::Cell;
use std::sync::Arc;
use std::task::{Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// Suspends the current task until its waker is woken or the deadline passes. May return early (spuriously).
pub trait Parker {
    fn waker(&self) -> Waker;
    fn park(&self, deadline: Option<Instant>);
    /// The clock of its tasks' deadlines.
    fn now(&self) -> Instant {
        Instant::now()
    }
    /// Is it a simulation's? It steps the machines of shards without threads while its tasks wait, and no helper thread (`helpers`) does their work.
    fn is_simulation(&self) -> bool {
        false
    }
    /// Gives other tasks of this thread a turn.
    fn yield_now(&self) {}
    /// A breath is due (`pamir_error::work`): gives others a turn if this task's slice is over; an error if its statement is to end.
    fn breathe(&self) -> Result<()> {
        Ok(())
    }
    /// Runs `f`, once, on a stack of `size` bytes, or where it is if that does not matter here; not at all if there is none.
    fn on_larger_stack(&self, _size: usize, f: &mut dyn FnMut()) {
        f()
    }
    /// Wakes `w` when this thread's tasks have had their turn, or at once.
    fn wake_at_rest(&self, w: &Waker) {
        w.wake_by_ref();
    }
    /// Takes on `errand` for when this thread has nothing else to do; false: it is not for this thread to do.
    fn run_at_rest(&self, _errand: &Arc<dyn Errand>) -> bool {
        false
    }
    /// The lowest address of the stack that tasks of this parker run on.
    fn stack_limit(&self) -> Option<usize> {
        None
    }
}

/// A helper's work that a thread may do itself when it would only wait for it: two hand-overs between threads less.
pub trait Errand: Send + Sync {
    /// Does it, here and now; this may take as long as a sync of the disk.
    fn run(&self);
    /// Wakes the helper, which does it then.
    fn hand_over(&self);
}

thread_local! {
    static CURRENT: Cell<Option<*const dyn Parker>> = const { Cell::new(None) };
    /// Pages that the task in hand has touched and read from disk; put aside while it is suspended, since others run meanwhile.
    pub(crate) static PAGES: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Runs `f` with `p` as this thread's parker. A coroutine scheduler calls it around each resume.
pub fn with_parker<R>(p: &dyn Parker, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<*const dyn Parker>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0)
        }
    }
    // SAFETY: only the lifetime is erased; the pointer is cleared before `p`'s borrow ends (Restore, even on unwind), and
    // CURRENT is private to this thread.
    let erased: *const dyn Parker =
        unsafe { std::mem::transmute::<*const (dyn Parker + '_), *const (dyn Parker + 'static)>(p) };
    let _restore = Restore(CURRENT.replace(Some(erased)));
    f()
}

struct ThreadWaker(std::thread::Thread);
impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark()
    }
}

/// Calls `poll` until it is ready (Some) or the deadline passes (None). `poll` must keep the waker it is given and have it woken on a change.
pub fn wait<T>(deadline: Option<Instant>, mut poll: impl FnMut(&Waker) -> Poll<T>) -> Option<T> {
    let current = CURRENT.get();
    // SAFETY: set only by `with_parker`, whose borrow outlives everything that runs inside it on this thread.
    let parker: Option<&dyn Parker> = current.map(|p| unsafe { &*p });
    let waker = match parker {
        Some(p) => p.waker(),
        None => Waker::from(Arc::new(ThreadWaker(std::thread::current()))),
    };
    let now = || parker.map_or_else(Instant::now, |p| p.now());
    loop {
        if let Poll::Ready(v) = poll(&waker) {
            return Some(v);
        }
        if deadline.is_some_and(|d| now() >= d) {
            return None;
        }
        match parker {
            Some(p) => {
                let pages = PAGES.get();
                p.park(deadline);
                PAGES.set(pages);
            }
            None => match deadline {
                Some(d) => std::thread::park_timeout(d.saturating_duration_since(Instant::now())),
                None => std::thread::park(),
            },
        }
    }
}

/// Sleeps without blocking the worker. True if `poll` said to stop early.
pub fn sleep(d: Duration, mut stop: impl FnMut(&Waker) -> bool) -> bool {
    wait(Some(now() + d), |w| if stop(w) { Poll::Ready(()) } else { Poll::Pending }).is_some()
}

/// The time that deadlines are compared with: the processor's, or the simulation's that this runs in.
pub fn now() -> Instant {
    // SAFETY: as in `wait`.
    CURRENT.get().map_or_else(Instant::now, |p| unsafe { &*p }.now())
}

/// Does this run as a task of a [`Parker`]?
pub fn is_task() -> bool {
    CURRENT.get().is_some()
}

/// Does this run as a task whose work helper threads may do?
pub(crate) fn has_helpers() -> bool {
    // SAFETY: as in `wait`.
    CURRENT.get().is_some_and(|p| !unsafe { &*p }.is_simulation())
}

/// Does this run as a task of a simulation?
pub fn is_simulated() -> bool {
    // SAFETY: as in `wait`.
    CURRENT.get().is_some_and(|p| unsafe { &*p }.is_simulation())
}

/// The work budget's listener on threads that have a [`Parker`].
pub fn listen() -> Result<()> {
    // SAFETY: as in `wait`.
    let Some(p) = CURRENT.get() else { return Ok(()) };
    let pages = PAGES.get();
    let r = unsafe { &*p }.breathe();
    PAGES.set(pages);
    r
}

/// Lets other tasks of this worker run; long scans call it every few hundred microseconds.
pub fn yield_now() {
    // SAFETY: as in `wait`.
    if let Some(p) = CURRENT.get() {
        let pages = PAGES.get();
        unsafe { &*p }.yield_now();
        PAGES.set(pages);
    }
}

/// Has this thread do `errand` once it has nothing else to do. False: somebody else is to be woken for it.
pub fn run_at_rest(errand: &Arc<dyn Errand>) -> bool {
    // SAFETY: as in `wait`.
    CURRENT.get().is_some_and(|p| unsafe { &*p }.run_at_rest(errand))
}

/// What a helper thread (the log's, a page reader) sleeps on until tasks have work for it.
///
/// A task that gives it work and then waits calls it with [`Bell::ring_at_rest`]: the helper wakes no later than the task's thread has nothing else to run. So one call
/// serves all tasks of a round, and the helper neither takes the processor from them nor begins with the work of the first alone.
pub struct Bell {
    condvar: Arc<CondvarWaker>,
    waker: Waker,
}
#[derive(Default)]
struct CondvarWaker(Condvar);
impl Wake for CondvarWaker {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        self.0.notify_one();
    }
}
impl Default for Bell {
    fn default() -> Bell {
        let condvar = Arc::<CondvarWaker>::default();
        Bell { waker: Waker::from(condvar.clone()), condvar }
    }
}
impl Bell {
    /// Sleeps until rung (or spuriously); the work is behind the guard's mutex.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        self.condvar.0.wait(guard);
    }
    /// Wakes one sleeper at once.
    pub fn ring(&self) {
        self.condvar.0.notify_one();
    }
    pub fn ring_all(&self) {
        self.condvar.0.notify_all();
    }
    pub fn ring_at_rest(&self) {
        wake_at_rest(&self.waker)
    }
}
/// Wakes `w` no later than this task's thread has nothing else to run; at once on a plain thread.
pub fn wake_at_rest(w: &Waker) {
    match CURRENT.get() {
        // SAFETY: as in `wait`.
        Some(p) => unsafe { &*p }.wake_at_rest(w),
        None => w.wake_by_ref(),
    }
}

/// Bytes of stack left below the caller; None on a plain thread, whose stack is not known here. Recursion over what a user wrote asks it
/// and gives up with 54001 in time: a coroutine that runs into its guard page takes the process down.
#[inline]
pub fn stack_left() -> Option<usize> {
    let p = CURRENT.get()?;
    // SAFETY: as in `wait`.
    let limit = unsafe { &*p }.stack_limit()?;
    let here = 0u8;
    Some((std::hint::black_box(&here) as *const u8 as usize).saturating_sub(limit))
}

/// Runs `f` on a stack of its own of `size` bytes, which it may use to the end; only what it touches is memory. On a plain thread it runs where it is. None: there is no such stack.
pub fn with_stack<R>(size: usize, f: impl FnOnce() -> R) -> Option<R> {
    if stack_left().is_none() {
        return Some(f());
    }
    // SAFETY: as in `wait`; `stack_left` found it.
    let p = unsafe { &*CURRENT.get()? };
    let (mut f, mut r) = (Some(f), None);
    p.on_larger_stack(size, &mut || {
        if let Some(f) = f.take() {
            r = Some(f());
        }
    });
    r
}
