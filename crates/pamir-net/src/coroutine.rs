//! Stackful coroutines: a connection's messages are handled on a stack of its own, so that a statement may wait anywhere in ordinary code.
//!
//! A coroutine is a loop that takes one connection, runs it, and hands it back, or runs a job that has no client; between jobs it lies in the worker's pool. Making one
//! costs an mmap; a job costs two stack switches. Stacks are committed page by page as they are touched and end in a guard page.
//!
//! A statement that runs long is interrupted when it takes a breath (`pamir_error::work`): after each [`SLICE`] others have their turn, and whoever asked for its end is
//! heard. A statement that needs more room than a stack has runs on a larger one of its own (`pamir_storage::task::with_stack`).
//!
//! While a job runs, the coroutine's [`Parker`] is installed for the thread: `pamir_storage::task::wait` inside a statement ends in
//! [`TaskParker::park`], which switches back to the worker. In a simulation ([`crate::simulation`]) the same coroutines go by its clock and take breaths as its seed says.
use crate::connection::{Connection, Next, Work};
use crate::simulation::Clock;
use crate::stats::count;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder, on_stack};
use pamir_error::Result;
use pamir_storage::task::{Errand, Parker, with_parker};
use pamir_txn::Cancel;
use std::cell::{Cell, RefCell};
use std::io;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

/// Address space of one stack. Only what was touched is memory; unoptimized code has frames several times larger.
pub const STACK_SIZE: usize = if cfg!(debug_assertions) { 32 << 20 } else { 8 << 20 };

/// How long a statement runs before others of its thread have their turn, counted from its first breath. A short one that has just come waits no longer than that.
const SLICE: Duration = Duration::from_micros(500);

/// What a coroutine is for.
pub enum Job {
    Serve(Box<dyn Connection>),
    Work(Work, Arc<Cancel>),
}
impl Job {
    /// The session's number, if it is one's.
    pub fn id(&self) -> Option<i32> {
        match self {
            Job::Serve(conn) => conn.id(),
            Job::Work(..) => None,
        }
    }
    fn cancel(&self) -> Option<&Arc<Cancel>> {
        match self {
            Job::Serve(conn) => conn.link().cancel.as_ref(),
            Job::Work(_, cancel) => Some(cancel),
        }
    }
}

enum Resume {
    Job(Job),
    Continue,
    Exit,
}

/// Why the coroutine came back.
pub enum Suspend {
    /// Until its waker is woken or the deadline passes.
    Parked(Option<Instant>),
    /// It wants others to run first.
    Yielded,
    /// With the connection, if that was the job.
    Done(Option<Box<dyn Connection>>, Next),
}

struct TaskParker {
    /// Null until the first job starts.
    yielder: Cell<*const Yielder<Resume, Suspend>>,
    waker: RefCell<Waker>,
    stack_limit: Cell<usize>,
    /// Whom the job listens to: its own, or its connection's; None while that has no session.
    cancel: RefCell<Option<Arc<Cancel>>>,
    /// When the first breath of the present slice was taken.
    slice: Cell<Option<Instant>>,
    /// The simulation that it is part of.
    simulated: Option<Arc<Clock>>,
}

impl TaskParker {
    fn suspend(&self, why: Suspend) {
        let y = self.yielder.get();
        if y.is_null() {
            return;
        }
        // SAFETY: the pointer was set by the coroutine's own body from the reference it was given, which lives as long as the body runs. This
        // parker is installed only while that coroutine runs (`Task::resume`), so the caller is on its stack, inside the body.
        let _ = unsafe { &*y }.suspend(why);
    }
}

impl Parker for TaskParker {
    fn waker(&self) -> Waker {
        self.waker.borrow().clone()
    }
    fn park(&self, deadline: Option<Instant>) {
        self.suspend(Suspend::Parked(deadline));
    }
    fn now(&self) -> Instant {
        self.simulated.as_ref().map_or_else(Instant::now, |c| c.now())
    }
    fn is_simulation(&self) -> bool {
        self.simulated.is_some()
    }
    fn yield_now(&self) {
        self.suspend(Suspend::Yielded);
    }
    fn wake_at_rest(&self, w: &Waker) {
        AT_REST.with_borrow_mut(|all| {
            if !all.iter().any(|a| a.will_wake(w)) {
                all.push(w.clone());
            }
        });
    }
    fn run_at_rest(&self, errand: &Arc<dyn Errand>) -> bool {
        ERRAND.with_borrow_mut(|e| {
            e.get_or_insert_with(|| errand.clone());
        });
        true
    }
    fn breathe(&self) -> Result<()> {
        if let Some(c) = &self.simulated {
            if c.breath() {
                self.suspend(Suspend::Yielded);
            }
        } else {
            let now = Instant::now();
            match self.slice.get() {
                None => self.slice.set(Some(now)),
                Some(since) if now.saturating_duration_since(since) >= SLICE => self.suspend(Suspend::Yielded),
                Some(_) => {}
            }
        }
        self.cancel.borrow().as_ref().map_or(Ok(()), |c| c.listen())
    }
    fn on_larger_stack(&self, size: usize, f: &mut dyn FnMut()) {
        let Ok(stack) = DefaultStack::new(size) else { return };
        struct Back<'a>(&'a Cell<usize>, usize);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        // Also when `f` panics.
        let _back = Back(&self.stack_limit, self.stack_limit.replace(stack.limit().get()));
        on_stack(stack, f)
    }
    fn stack_limit(&self) -> Option<usize> {
        Some(self.stack_limit.get())
    }
}

thread_local! {
    /// What this worker's tasks want done when it has nothing else to do: there is one kind, the log's.
    static ERRAND: RefCell<Option<Arc<dyn Errand>>> = const { RefCell::new(None) };
    /// Whom this worker's tasks want woken when it rests; none or one, as a rule.
    static AT_REST: RefCell<Vec<Waker>> = const { RefCell::new(Vec::new()) };
}
/// The tasks have had their turn.
pub fn at_rest() {
    while let Some(w) = AT_REST.with_borrow_mut(Vec::pop) {
        w.wake();
    }
}

/// What the worker may do itself before it sleeps.
pub fn errand() -> Option<Arc<dyn Errand>> {
    ERRAND.with_borrow_mut(Option::take)
}

fn serve(conn: &mut dyn Connection) -> Next {
    catch_unwind(AssertUnwindSafe(|| conn.run())).unwrap_or_else(|_| {
        count(|c| c.panics.add(1));
        if catch_unwind(AssertUnwindSafe(|| conn.panicked())).is_err() {
            tracing::error!("closing a connection after a panic panicked");
        }
        Next::Close
    })
}

/// A coroutine, pooled or with a job on it.
///
/// Dropping one that is suspended in a job leaks its stack and what is on it (that happens only when a shutdown gives up waiting);
/// [`Task::retire`] ends a pooled one properly.
pub struct Task {
    co: ManuallyDrop<Coroutine<Resume, Suspend, ()>>,
    parker: Rc<TaskParker>,
    /// Whose job it has.
    pid: Option<i32>,
}

impl Task {
    pub fn new() -> io::Result<Task> {
        Task::make(None)
    }
    /// One whose jobs go by a simulation's clock.
    pub(crate) fn simulated(clock: Arc<Clock>) -> io::Result<Task> {
        Task::make(Some(clock))
    }
    fn make(simulated: Option<Arc<Clock>>) -> io::Result<Task> {
        let stack = DefaultStack::new(STACK_SIZE)?;
        let parker = Rc::new(TaskParker {
            yielder: Cell::new(std::ptr::null()),
            waker: RefCell::new(Waker::noop().clone()),
            stack_limit: Cell::new(stack.limit().get()),
            cancel: RefCell::default(),
            slice: Cell::new(None),
            simulated,
        });
        let inner = parker.clone();
        let co = Coroutine::with_stack(stack, move |yielder, first| {
            inner.yielder.set(yielder);
            let mut input = first;
            loop {
                input = match input {
                    Resume::Job(Job::Serve(mut conn)) => {
                        let next = serve(&mut *conn);
                        yielder.suspend(Suspend::Done(Some(conn), next))
                    }
                    Resume::Job(Job::Work(work, cancel)) => {
                        if catch_unwind(AssertUnwindSafe(|| work(&cancel))).is_err() {
                            count(|c| c.panics.add(1));
                            tracing::error!("a background job panicked");
                        }
                        yielder.suspend(Suspend::Done(None, Next::Close))
                    }
                    Resume::Continue => yielder.suspend(Suspend::Parked(None)),
                    Resume::Exit => return,
                };
            }
        });
        Ok(Task { co: ManuallyDrop::new(co), parker, pid: None })
    }
    /// Whose job it has, or had last.
    pub fn pid(&self) -> Option<i32> {
        self.pid
    }

    /// Starts a job; `waker` is its own.
    pub fn start(&mut self, job: Job, waker: Waker) -> Suspend {
        self.pid = job.id();
        *self.parker.waker.borrow_mut() = waker;
        *self.parker.cancel.borrow_mut() = job.cancel().cloned();
        self.switch(Resume::Job(job))
    }
    /// Goes on with a suspended job.
    pub fn resume(&mut self) -> Suspend {
        self.switch(Resume::Continue)
    }
    fn switch(&mut self, input: Resume) -> Suspend {
        let co = &mut self.co;
        self.parker.slice.set(None);
        match with_parker(&*self.parker, || co.resume(input)) {
            CoroutineResult::Yield(y) => y,
            // The body returns only on Exit, which only `retire` sends: there is no job that this could be the end of.
            CoroutineResult::Return(()) => Suspend::Done(None, Next::Close),
        }
    }
    /// Ends a coroutine that has no job and frees its stack.
    pub fn retire(mut self) {
        if self.co.started() {
            let _ = self.co.resume(Resume::Exit);
        }
        // SAFETY: `self` is consumed and has no destructor of its own, so `co` is dropped once and not used again.
        unsafe { ManuallyDrop::drop(&mut self.co) };
    }
}
