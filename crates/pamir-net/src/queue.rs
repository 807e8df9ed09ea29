//! A worker's mailbox: who has come (sockets, jobs without a client), and sessions that were woken.
//!
//! ```text
//! waker, any thread:  queued := true (was false?) -> push token -> full := true -> sleeping was true? write eventfd
//! worker:             sleeping := true -> full? -> epoll_wait(0 if full) -> sleeping := false -> take all
//! ```
//! Both sides store before they load (sequentially consistent), so either the worker sees the token or the waker sees it asleep. A batch of
//! wakes costs one eventfd write at most; a worker that is awake costs none.
use crate::connection::{Protocol, Work};
use crate::epoll::{Epoll, Poke};
use crate::runtime::Counted;
use mio::net::TcpStream;
use pamir_txn::Cancel;
use parking_lot::Mutex;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;

/// The epoll token of the mailbox's eventfd; sessions' tokens never reach it.
pub const POKE: usize = usize::MAX;

/// Who has come to a worker.
pub(crate) enum Newcomer {
    Client { socket: TcpStream, peer: SocketAddr, protocol: Arc<dyn Protocol>, counted: Counted },
    Work { job: Work, cancel: Arc<Cancel> },
}

#[derive(Default)]
struct Mail {
    woken: Vec<usize>,
    newcomers: Vec<Newcomer>,
}

pub struct RemoteQueue {
    mail: Mutex<Mail>,
    full: AtomicBool,
    sleeping: AtomicBool,
    stop: AtomicBool,
    poke: Poke,
}

impl RemoteQueue {
    pub fn new(epoll: &Epoll) -> io::Result<RemoteQueue> {
        let poke = Poke::new(epoll, POKE)?;
        Ok(RemoteQueue {
            mail: Mutex::default(),
            full: AtomicBool::new(false),
            sleeping: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            poke,
        })
    }
    /// There is something for the worker.
    pub fn notify(&self) {
        self.full.store(true, Ordering::SeqCst);
        if self.sleeping.swap(false, Ordering::SeqCst) {
            self.poke();
        }
    }
    /// As far as is known.
    pub fn asleep(&self) -> bool {
        self.sleeping.load(Ordering::Relaxed)
    }
    /// As far as is known.
    pub fn has_mail(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }
    pub fn poke(&self) {
        if let Err(e) = self.poke.poke() {
            tracing::error!("could not wake a worker: {e}");
        }
    }
    pub(crate) fn deal(&self, newcomer: Newcomer) {
        self.mail.lock().newcomers.push(newcomer);
        self.notify();
    }
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.notify();
    }
    pub fn stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
    /// Announces that the worker is about to wait. False: there is mail, do not.
    pub fn sleep(&self) -> bool {
        self.sleeping.store(true, Ordering::SeqCst);
        !self.full.load(Ordering::SeqCst)
    }
    pub fn awake(&self) {
        self.sleeping.store(false, Ordering::SeqCst);
    }
    /// Moves the mail out (both vectors come in empty and keep their capacity between calls). True: the worker was notified since the last call.
    pub(crate) fn take(&self, woken: &mut Vec<usize>, newcomers: &mut Vec<Newcomer>) -> bool {
        let notified = self.full.load(Ordering::Relaxed) && self.full.swap(false, Ordering::SeqCst);
        if notified {
            let mut mail = self.mail.lock();
            std::mem::swap(&mut mail.woken, woken);
            std::mem::swap(&mut mail.newcomers, newcomers);
        }
        notified
    }
}

/// The waker of one session.
pub struct SessionWaker {
    token: usize,
    queued: AtomicBool,
    queue: Arc<RemoteQueue>,
}

impl SessionWaker {
    pub fn new(token: usize, queue: Arc<RemoteQueue>) -> Arc<SessionWaker> {
        Arc::new(SessionWaker { token, queued: AtomicBool::new(false), queue })
    }
    /// Called before the session runs: a wake from now on queues it again.
    pub fn running(&self) {
        self.queued.store(false, Ordering::SeqCst);
    }
}

impl Wake for SessionWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        if !self.queued.swap(true, Ordering::SeqCst) {
            self.queue.mail.lock().woken.push(self.token);
            self.queue.notify();
        }
    }
}
