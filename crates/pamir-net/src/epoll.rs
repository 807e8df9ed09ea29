//! An epoll instance that several threads may wait on at once, each event going to one of them, and the eventfd that interrupts a wait.
//!
//! Everything is edge-triggered: an event is reported once for each time that something arrives, whoever takes it.
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, epoll, eventfd, poll};
use rustix::io::Errno;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// Events taken with one call at most.
const EVENTS: usize = 256;

#[derive(Clone, Copy)]
pub struct Event {
    pub token: usize,
    pub readable: bool,
    pub writable: bool,
    pub hangup: bool,
}

pub struct Epoll(OwnedFd);

impl Epoll {
    pub fn new() -> io::Result<Epoll> {
        Ok(Epoll(epoll::create(epoll::CreateFlags::CLOEXEC)?))
    }
    /// Watches a socket; what is ready already is reported too.
    pub fn add(&self, fd: impl AsFd, token: usize) -> io::Result<()> {
        use epoll::EventFlags as F;
        let flags = F::IN | F::OUT | F::RDHUP | F::ET;
        Ok(epoll::add(&self.0, fd, epoll::EventData::new_u64(token as u64), flags)?)
    }
    pub fn remove(&self, fd: impl AsFd) -> io::Result<()> {
        Ok(epoll::delete(&self.0, fd)?)
    }
    /// Is there an event that nobody has taken?
    pub fn is_ready(&self) -> bool {
        let mut fds = [PollFd::new(&self.0, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|n| n > 0)
    }
    /// Waits for events and passes them on; None: as long as it takes.
    pub fn wait(&self, timeout: Option<Duration>, mut each: impl FnMut(Event)) -> io::Result<()> {
        use epoll::EventFlags as F;
        // Rounded up to the milliseconds that epoll_wait knows: who wakes too early finds nothing to do and waits again.
        let timeout = timeout.map(|t| {
            let ms = t.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as i64;
            Timespec { tv_sec: ms / 1000, tv_nsec: ms % 1000 * 1_000_000 }
        });
        let mut events = [const { MaybeUninit::<epoll::Event>::uninit() }; EVENTS];
        let (events, _) = match epoll::wait(&self.0, &mut events, timeout.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            r => r?,
        };
        for e in events {
            let (flags, data) = (e.flags, e.data);
            each(Event {
                token: data.u64() as usize,
                readable: flags.intersects(F::IN | F::PRI),
                writable: flags.contains(F::OUT),
                hangup: flags.intersects(F::RDHUP | F::HUP | F::ERR),
            });
        }
        Ok(())
    }
}

/// Interrupts the wait on an [`Epoll`].
pub struct Poke(OwnedFd);

impl Poke {
    /// Its events come with `token`.
    pub fn new(epoll: &Epoll, token: usize) -> io::Result<Poke> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        epoll.add(&fd, token)?;
        Ok(Poke(fd))
    }
    pub fn poke(&self) -> io::Result<()> {
        match rustix::io::write(&self.0, &1u64.to_ne_bytes()) {
            // The counter is full: back to zero, and again.
            Err(Errno::AGAIN) => {
                rustix::io::read(&self.0, &mut [0u8; 8])?;
                rustix::io::write(&self.0, &1u64.to_ne_bytes())?;
            }
            r => drop(r?),
        }
        Ok(())
    }
}
