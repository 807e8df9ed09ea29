//! Threads that read missing pages, so that a worker with other sessions to run never blocks on the disk.
//!
//! A reader that misses joins the page's request (one a page, however many wait), parks through [`crate::task`] and restarts its traversal when woken. The page's
//! use count protects it until then. Where the file can read several pages at once, few threads take all that is queued, up to a batch: one system call,
//! one context switch and one trap to the disk for many pages. So a session that is about to park wakes them only when its worker has nothing else to run
//! ([`Bell::ring_at_rest`]): by then the misses of the worker's other sessions are queued too, and no I/O thread has pushed the worker off its processor for each.
//! The answers of a batch are likewise given out together. With no I/O threads the reader loads the page itself, which is what deterministic tests want.
use super::Shared;
use crate::task::{self, Bell};
use pamir_error::{Error, Result, err};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::thread::JoinHandle;

/// Threads that read batches: while one waits for its batch, the misses of the others' wakes gather to the next.
const BATCH_THREADS: usize = 2;

#[derive(Default)]
struct Request(Mutex<Answer>);
#[derive(Default)]
struct Answer {
    done: Option<Result<()>>,
    wakers: Vec<Waker>,
}
#[derive(Default)]
struct Work {
    queue: VecDeque<u64>,
    open: FxHashMap<u64, Arc<Request>>,
    threads: Vec<JoinHandle<()>>,
    stop: bool,
}
#[derive(Default)]
pub(crate) struct Queue {
    work: Mutex<Work>,
    bell: Bell,
}
impl Queue {
    /// Lets the threads finish what is queued and waits for them: then nobody holds the files.
    pub fn stop(&self) {
        let threads = {
            let mut w = self.work.lock();
            w.stop = true;
            std::mem::take(&mut w.threads)
        };
        self.bell.ring_all();
        let me = std::thread::current().id();
        for t in threads {
            // a waker may have held the last reference to the store
            if t.thread().id() != me {
                let _ = t.join();
            }
        }
    }
}

pub(crate) fn start(shared: &Arc<Shared>, threads: usize) -> Result<()> {
    let readers = if shared.pool.file.batch() > 1 { threads.min(BATCH_THREADS) } else { threads };
    for i in 0..readers {
        let s = shared.clone();
        let t = std::thread::Builder::new()
            .name(format!("pamir-read-{i}"))
            .spawn(move || serve(&s))
            .map_err(|e| err!(INSUFFICIENT_RESOURCES, "could not start an I/O thread: {e}"))?;
        shared.io.work.lock().threads.push(t);
    }
    if threads > 0 {
        let s = shared.clone();
        let t = std::thread::Builder::new()
            .name("pamir-clean".into())
            .spawn(move || super::evict::serve(&s))
            .map_err(|e| err!(INSUFFICIENT_RESOURCES, "could not start an I/O thread: {e}"))?;
        shared.io.work.lock().threads.push(t);
    }
    Ok(())
}
fn serve(s: &Shared) {
    let most = s.pool.file.batch();
    let mut pids = Vec::with_capacity(most);
    let mut wakers = Vec::new();
    loop {
        pids.clear();
        let mut w = s.io.work.lock();
        while w.queue.is_empty() {
            if w.stop {
                return;
            }
            s.io.bell.wait(&mut w);
        }
        let n = w.queue.len().min(most);
        pids.extend(w.queue.drain(..n));
        let more = !w.queue.is_empty();
        drop(w);
        if more {
            s.io.bell.ring();
        }
        let mut answered = 0;
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match &pids[..] {
            [one] => {
                let result = s.pool.load(*one);
                answered = 1;
                answer(s, *one, result, &mut wakers)
            }
            many => s.pool.load_many(many, &mut |pid, result| {
                answered += 1;
                answer(s, pid, result, &mut wakers)
            }),
        }));
        if read.is_err() || answered < pids.len() {
            // whoever was not answered yet; the others' requests are gone
            pids.iter().for_each(|pid| answer(s, *pid, Err(Error::internal("a page read panicked")), &mut wakers));
        }
        wakers.drain(..).for_each(Waker::wake);
    }
}
fn answer(s: &Shared, pid: u64, result: Result<()>, wakers: &mut Vec<Waker>) {
    let Some(r) = s.io.work.lock().open.remove(&pid) else { return };
    let mut a = r.0.lock();
    a.done = Some(result);
    wakers.append(&mut a.wakers);
}
/// The request for a page, queued by now; the second is true if this was its first. None: there are no threads.
fn request(s: &Shared, pid: u64) -> Option<(Arc<Request>, bool)> {
    let mut w = s.io.work.lock();
    if w.threads.is_empty() || w.stop {
        return None;
    }
    if let Some(r) = w.open.get(&pid) {
        return Some((r.clone(), false));
    }
    let r = Arc::new(Request::default());
    w.open.insert(pid, r.clone());
    w.queue.push_back(pid);
    Some((r, true))
}
/// Returns once the page was brought in (or its id freed: the caller's traversal will see).
pub(crate) fn wait(s: &Shared, pid: u64) -> Result<()> {
    let Some((r, new)) = request(s, pid) else { return s.pool.load(pid) };
    if new {
        s.io.bell.ring_at_rest();
    }
    let done = task::wait(None, |waker| {
        let mut a = r.0.lock();
        match &a.done {
            Some(r) => Poll::Ready(r.clone()),
            None => {
                if !a.wakers.iter().any(|w| w.will_wake(waker)) {
                    a.wakers.push(waker.clone());
                }
                Poll::Pending
            }
        }
    });
    super::pool::COUNTS.with(|c| c.set((c.get().0, c.get().1 + 1)));
    done.unwrap_or(Ok(()))
}
/// Asks for a page that will be needed soon. The caller goes on, so the read starts at once.
pub(crate) fn prefetch(s: &Shared, pid: u64) {
    if !s.pool.is_resident(pid) && request(s, pid).is_some_and(|(_, new)| new) {
        s.io.bell.ring();
    }
}
