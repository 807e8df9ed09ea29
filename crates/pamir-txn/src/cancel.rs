//! How a session's work is stopped from outside: a cancel request, a timeout, a shutdown. One per session, shared with whoever may stop it.
use pamir_error::{Result, bail};
use pamir_storage::task;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::Waker;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CancelReason {
    None = 0,
    User = 1,
    StatementTimeout = 2,
    Shutdown = 3,
    LockTimeout = 4,
    Terminate = 5,
}

#[derive(Default)]
pub struct Cancel {
    reason: AtomicU8,
    /// statement_timeout has a moment, for who waits without knowing statements (a client that does not read).
    limited: AtomicBool,
    deadline: Mutex<Option<Instant>>,
    waker: Mutex<Option<Waker>>,
}

impl Cancel {
    /// Asks the session to stop what it is doing; wakes it if it waits.
    pub fn request(&self, why: CancelReason) {
        let ends = |r: u8| r == CancelReason::Shutdown as u8 || r == CancelReason::Terminate as u8;
        // The end of the session stays asked for, whatever is asked for after it.
        let _ = self.reason.fetch_update(Ordering::AcqRel, Ordering::Acquire, |now| {
            (!ends(now) || ends(why as u8)).then_some(why as u8)
        });
        // Not in one expression: the mutex must be free when the task wakes.
        let waker = self.waker.lock().take();
        if let Some(w) = waker {
            w.wake()
        }
    }
    /// Wakes the session, if it waits or idles, and asks nothing of it.
    pub fn nudge(&self) {
        let waker = self.waker.lock().take();
        if let Some(w) = waker {
            w.wake()
        }
    }
    /// Forgets a request to stop one statement; called when a new one starts. The end of the session stays asked for.
    pub fn reset(&self) {
        if !self.pending() {
            return;
        }
        for r in [CancelReason::User, CancelReason::StatementTimeout, CancelReason::LockTimeout] {
            let _ = self.reason.compare_exchange(r as u8, 0, Ordering::AcqRel, Ordering::Relaxed);
        }
    }
    /// When the statement that runs now is over at the latest.
    pub fn set_deadline(&self, t: Option<Instant>) {
        if t.is_none() && !self.limited.load(Ordering::Relaxed) {
            return;
        }
        *self.deadline.lock() = t;
        self.limited.store(t.is_some(), Ordering::Relaxed);
    }
    pub fn deadline(&self) -> Option<Instant> {
        if self.limited.load(Ordering::Relaxed) { *self.deadline.lock() } else { None }
    }
    /// As [`Cancel::check`], and 57014 when the statement's time is up.
    pub fn listen(&self) -> Result<()> {
        self.check()?;
        if self.deadline().is_some_and(|d| task::now() >= d) {
            bail!(QUERY_CANCELED, "canceling statement due to statement timeout");
        }
        Ok(())
    }
    /// Registers the waiting task.
    pub fn register(&self, w: &Waker) {
        *self.waker.lock() = Some(w.clone())
    }
    pub fn pending(&self) -> bool {
        self.reason.load(Ordering::Acquire) != 0
    }
    /// 57014 or 57P01 when a stop was asked for. One atomic load otherwise.
    #[inline]
    pub fn check(&self) -> Result<()> {
        match self.reason.load(Ordering::Acquire) {
            0 => Ok(()),
            1 => bail!(QUERY_CANCELED, "canceling statement due to user request"),
            2 => bail!(QUERY_CANCELED, "canceling statement due to statement timeout"),
            4 => bail!(LOCK_NOT_AVAILABLE, "canceling statement due to lock timeout"),
            _ => Err(pamir_error::err!(ADMIN_SHUTDOWN, "terminating connection due to administrator command")
                .severity(pamir_error::error::Severity::Fatal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_at_its_deadline() {
        let c = Cancel::default();
        assert!(c.listen().is_ok());
        c.set_deadline(Some(Instant::now() + std::time::Duration::from_secs(60)));
        assert!(c.listen().is_ok());
        c.set_deadline(Some(Instant::now()));
        assert_eq!(c.listen().unwrap_err().code().as_str(), "57014");
        assert!(c.check().is_ok(), "nobody asked for it to end");
        c.set_deadline(None);
        assert!(c.listen().is_ok());
    }

    #[test]
    fn a_new_statement_forgets_cancels_but_not_the_end() {
        let c = Cancel::default();
        c.request(CancelReason::User);
        c.reset();
        assert!(!c.pending());
        for ends in [CancelReason::Terminate, CancelReason::Shutdown] {
            let c = Cancel::default();
            c.request(ends);
            c.reset();
            assert!(c.pending());
            c.request(CancelReason::User);
            c.reset();
            assert!(c.pending(), "a cancel request does not take back {ends:?}");
        }
    }
}
