//! A connection's end of its wire: input, output, and the waits for a client that does not send or does not read.
//!
//! ```text
//!   socket --Wire::fill--> input                       fill: what is there; read_more: waits for it
//!   out --flush--> Wire --> socket                     waits until the kernel has it all
//!   out --defer--> Wire (with the next answer, or by the worker if the next statement waits)
//!   out --leave--> Wire (by the worker, together with other connections' answers)
//! ```
//! Output goes out once a run, at its end, or when it passes [`HIGH_WATER`] ([`Link::back_pressure`]): then the statement is suspended until the peer has read.
//!
//! A connection that waits for its client holds no buffers: they are the worker's, and the next statement finds them warm in the caches, whoever sent it (`spare.rs`).
//!
//! *Invariant*: `out` is handed over at the ends of messages only. Limits: waits happen on a coroutine; on a plain thread (tests, simulations), which no worker tells of its socket, they
//! look at it every [`PLAIN_LOOK`].
use crate::runtime::Counted;
use crate::spare;
use crate::wire::{self, Fill, InBuf, Interest, Wire};
use pamir_error::error::{Severity, state};
use pamir_error::{Error, Result, err, memory, work};
use pamir_storage::task;
use pamir_txn::{Cancel, MemoryAccount};
use parking_lot::Mutex;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Buffered output that is written without waiting for the end of the statement.
pub const HIGH_WATER: usize = 64 << 10;
/// Charged for a connection as such; its buffers beyond that are charged as they grow.
pub const CONNECTION_BASE: u64 = 32 << 10;
/// From one look at the socket to the next, where no worker tells of it.
const PLAIN_LOOK: Duration = Duration::from_millis(5);

pub struct Link {
    pub wire: Arc<Mutex<Wire>>,
    pub input: InBuf,
    pub out: Vec<u8>,
    /// How often output was handed over: what came before is not to be had back.
    pub handed: u64,
    /// The peer is gone: nothing can be sent or read any more.
    pub broken: bool,
    /// Ends what the session does; set once there is a session. The worker asks for it when the client has gone, and at a shutdown.
    pub cancel: Option<Arc<Cancel>>,
    account: Option<Arc<MemoryAccount>>,
    charged: u64,
    /// Its place among the open sockets.
    _counted: Option<Counted>,
}

fn lost() -> Error {
    err!(CONNECTION_FAILURE, "connection to client lost").severity(Severity::Fatal)
}

/// As [`task::wait`], also where nobody wakes who waits for a socket.
fn wait<T>(deadline: Option<Instant>, mut poll: impl FnMut(&Waker) -> Poll<T>) -> Option<T> {
    if task::is_task() {
        return task::wait(deadline, poll);
    }
    loop {
        let look = Instant::now() + PLAIN_LOOK;
        let r = task::wait(Some(deadline.map_or(look, |d| d.min(look))), &mut poll);
        if r.is_some() || deadline.is_some_and(|d| Instant::now() >= d) {
            return r;
        }
    }
}

/// Waits until the kernel has all that was handed over. With an error: has the peer gone, and not only been too slow?
fn wait_sent(
    wire: &Mutex<Wire>,
    cancel: Option<&Arc<Cancel>>,
    interruptible: bool,
    idle: Option<Instant>,
) -> std::result::Result<(), (Error, bool)> {
    let deadline = match interruptible {
        true => cancel.and_then(|c| c.deadline()),
        false => idle,
    };
    let r = wait(deadline, |w| {
        if let Some(c) = cancel {
            c.register(w);
            if let Err(e) = c.check()
                && (interruptible || e.data().severity == Severity::Fatal)
            {
                return Poll::Ready(Err(e));
            }
        }
        let mut wire = wire.lock();
        match wire.resume_send() {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => {
                wire.interest = Interest::Write;
                Poll::Pending
            }
            Err(_) => Poll::Ready(Err(lost())),
        }
    });
    wire.lock().interest = Interest::None;
    match r {
        Some(Ok(())) => Ok(()),
        None if interruptible => Err((err!(QUERY_CANCELED, "canceling statement due to statement timeout"), false)),
        // It stays for a client that has not taken its answers: the caller says what that means.
        None => Err((lost(), false)),
        Some(Err(e)) => Err((e, true)),
    }
}
/// Sends whole messages beside what a connection's [`Link`] holds, which is whole messages too; suspends while the peer does not read.
pub fn send_beside(wire: &Mutex<Wire>, bytes: &mut Vec<u8>, cancel: &Arc<Cancel>) -> Result<()> {
    let sent = wire.lock().send(bytes);
    match sent {
        Ok(true) => Ok(()),
        Ok(false) => wait_sent(wire, Some(cancel), true, None).map_err(|e| e.0),
        Err(_) => Err(lost()),
    }
}

impl Link {
    /// 53200 when the account has no room for another connection.
    pub fn new(wire: Arc<Mutex<Wire>>, account: Option<Arc<MemoryAccount>>) -> Result<Link> {
        if let Some(a) = &account {
            a.charge(CONNECTION_BASE)?;
        }
        let charged = if account.is_some() { CONNECTION_BASE } else { 0 };
        Ok(Link {
            wire,
            input: InBuf::default(),
            out: Vec::new(),
            handed: 0,
            broken: false,
            cancel: None,
            account,
            charged,
            _counted: None,
        })
    }
    pub(crate) fn counted(mut self, counted: Counted) -> Link {
        self._counted = Some(counted);
        self
    }

    /// Brings the account in line with the buffers.
    fn charge(&mut self) -> Result<()> {
        let Some(a) = &self.account else { return Ok(()) };
        let now = (self.input.capacity() + self.out.capacity()) as u64;
        let now = now.max(CONNECTION_BASE);
        if now > self.charged {
            a.charge(now - self.charged)?;
        } else {
            a.release(self.charged - now);
        }
        self.charged = now;
        Ok(())
    }

    /// Reads what is there; `hint` as in [`Wire::fill`]. An error of the socket is an end of file.
    pub fn fill(&mut self, hint: usize) -> Result<Fill> {
        let before = self.input.capacity();
        // A large message's buffer doubles as its bytes arrive.
        if self.input.is_full() {
            memory::admit(2 * before).map_err(|e| e.severity(Severity::Fatal))?;
        }
        if self.out.capacity() == 0 {
            self.out = spare::OUTPUT.with(spare::take);
        }
        let r = self.wire.lock().fill(&mut self.input, hint).unwrap_or(Fill::Eof);
        if self.input.capacity() != before {
            self.charge().map_err(|e| e.severity(Severity::Fatal))?;
        }
        Ok(r)
    }
    /// Waits for more input, in the middle of a run; the output goes out before that. False: the peer has closed its side, and the link is broken.
    pub fn read_more(&mut self, hint: usize) -> Result<bool> {
        loop {
            match self.fill(hint)? {
                // Others have their turn between the pieces of a long message.
                Fill::Read => return work::charge(self.input.data().len().min(wire::MAX_READ) / 4).map(|()| true),
                Fill::WouldBlock => self.wait_readable()?,
                Fill::Eof => {
                    self.lose();
                    return Ok(false);
                }
            }
        }
    }
    fn wait_readable(&mut self) -> Result<()> {
        self.flush(true)?;
        let (wire, cancel) = (&self.wire, &self.cancel);
        let plain = !task::is_task();
        let mut looked = false;
        let r = wait(cancel.as_ref().and_then(|c| c.deadline()), |w| {
            if let Some(c) = cancel {
                c.register(w);
                if let Err(e) = c.check() {
                    return Poll::Ready(Err(e));
                }
            }
            let mut wire = wire.lock();
            if wire.more || (plain && std::mem::replace(&mut looked, true)) {
                return Poll::Ready(Ok(()));
            }
            wire.interest = Interest::Read;
            Poll::Pending
        });
        self.wire.lock().interest = Interest::None;
        r.unwrap_or_else(|| cancel.as_ref().map_or(Ok(()), |c| c.listen()))
    }

    /// Sends all output, suspending while the socket is full. `interruptible`: a user's cancel ends the wait too (the output
    /// stays buffered); otherwise only a termination does.
    pub fn flush(&mut self, interruptible: bool) -> Result<()> {
        self.flush_until(interruptible, None)
    }
    /// As [`Link::flush`]. `idle`: when a client that does not take its answers has idled for too long, for a flush that is not interruptible.
    fn flush_until(&mut self, interruptible: bool, idle: Option<Instant>) -> Result<()> {
        if self.broken {
            self.out.clear();
            return Err(lost());
        }
        self.handed += 1;
        let sent = self.wire.lock().send(&mut self.out);
        match sent {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(_) => return Err(self.lose()),
        }
        match wait_sent(&self.wire, self.cancel.as_ref(), interruptible, idle) {
            Err((e, gone)) => {
                if gone && e.code() == state::CONNECTION_FAILURE {
                    self.lose();
                }
                Err(e)
            }
            Ok(()) => Ok(()),
        }
    }
    fn lose(&mut self) -> Error {
        self.broken = true;
        self.out.clear();
        lost()
    }
    /// Writes what is in the buffer when it is large; suspends while the peer does not read.
    #[inline]
    pub fn back_pressure(&mut self) -> Result<()> {
        if self.out.len() < HIGH_WATER {
            return Ok(());
        }
        self.charge()?;
        self.flush(true)
    }

    /// As [`Link::flush`] at the end of the last statement that has come: the worker sends it, together with other connections' answers, if that is possible.
    pub fn leave(&mut self, idle: Option<Instant>) -> Result<()> {
        self.handed += 1;
        if !self.broken && self.wire.lock().leave(&mut self.out) {
            return Ok(());
        }
        self.flush_until(false, idle)
    }
    /// Finished replies with more messages to come: sent together with those, or by the worker if the next statement waits.
    pub fn defer(&mut self) -> Result<()> {
        self.handed += 1;
        let unsent = {
            let mut wire = self.wire.lock();
            wire.defer(&mut self.out);
            wire.unsent()
        };
        if unsent >= HIGH_WATER { self.flush(false) } else { Ok(()) }
    }
    /// The last of it. Not [`Link::flush`]: a peer that does not read must not keep the stack.
    pub fn close(&mut self) {
        let mut wire = self.wire.lock();
        if !self.broken {
            let _ = wire.send(&mut self.out);
        }
        wire.close();
    }

    /// Gives the buffers back when the connection goes idle.
    pub fn shrink(&mut self) {
        self.input.shrink();
        if self.out.is_empty() {
            spare::OUTPUT.with(|s| spare::keep(s, std::mem::take(&mut self.out)));
        }
        self.wire.lock().shrink();
        if self.charged > CONNECTION_BASE {
            let _ = self.charge();
        }
    }

    /// Nothing is on its way to the client, and it is there: another worker may look after it.
    pub(crate) fn is_quiet(&self) -> bool {
        self.wire.try_lock().is_some_and(|w| !w.posted && !w.hangup && w.unsent() == 0)
    }
    /// Set by a termination request that came while idle.
    pub fn terminated(&self) -> Option<Error> {
        self.cancel.as_ref()?.check().err().filter(|e| e.data().severity == Severity::Fatal)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(a) = &self.account {
            a.release(self.charged);
        }
    }
}
