//! Several reads of a direct file, or writes to sockets, in one call: Linux's native asynchronous I/O, used synchronously.
//!
//! ```text
//!   io_submit(n reads)  -> the block layer gets all of them in one go      -> io_getevents(n) -> one wake-up
//!   io_submit(n writes) -> each is done at once, as write(2) would do it   -> io_getevents(n) -> the results are there
//! ```
//! A thread that reads one page at a time costs a system call, a context switch and (on a virtual disk) a trap to the host for each; a batch shares them. A thread that answers one
//! client at a time is likely to lose its processor to each client it wakes, on the way out of the system call; after a batch it loses it once.
//!
//! It is the older interface rather than io_uring because it needs no shared rings and is permitted where that one is switched off. Where it is not to be had either, the
//! caller goes one by one.
//!
//! All unsafe asynchronous I/O is here. **Soundness**: the kernel uses the buffers until it has reported each operation; [`read_many`] and [`write_many`]
//! borrow them (mutably for reads) and return only after the kernel has reported all that it took, or has torn down the context, which waits for them.
use std::cell::RefCell;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

/// Operations in one batch at most.
pub const BATCH: usize = 16;

/// `struct iocb` of linux/aio_abi.h (little-endian).
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Iocb {
    data: u64,
    key: u32,
    rw_flags: i32,
    opcode: u16,
    priority: i16,
    fd: u32,
    buf: u64,
    len: u64,
    offset: i64,
    reserved: u64,
    flags: u32,
    resfd: u32,
}
/// `struct io_event`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Event {
    data: u64,
    obj: u64,
    result: i64,
    result2: i64,
}
const PREAD: u16 = 0;
const PWRITE: u16 = 1;
/// The result of what was begun and not reported: for a write nobody knows how much of it was done.
const UNKNOWN: i64 = -(libc::EIO as i64);
const _: () = assert!(size_of::<Iocb>() == 64 && size_of::<Event>() == 32);

/// A thread's context; `None` in the cell: not to be had.
struct Context(libc::c_ulong);
impl Context {
    fn new() -> Option<Context> {
        let mut ctx: libc::c_ulong = 0;
        // SAFETY: the kernel writes one word, to `ctx`.
        let r = unsafe { libc::syscall(libc::SYS_io_setup, BATCH as libc::c_long, &mut ctx as *mut libc::c_ulong) };
        (r == 0).then_some(Context(ctx))
    }
}
impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: a context of ours, used no more; the call waits for what is still under way.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.0) };
    }
}
enum State {
    Untried,
    Refused,
    Ready(Context),
}
thread_local! { static CONTEXT: RefCell<State> = const { RefCell::new(State::Untried) }; }

/// Reads into each buffer from its offset, all at once; buffers, lengths and offsets are aligned as the file wants it. The result of each: bytes read, or an error. None: not
/// possible here, nothing was read.
pub(crate) fn read_many(fd: RawFd, reads: &mut [(&mut [u8], u64)]) -> Option<Vec<io::Result<usize>>> {
    let mut blocks = [Iocb::default(); BATCH];
    for ((buf, offset), b) in reads.iter_mut().zip(&mut blocks) {
        *b = Iocb {
            opcode: PREAD,
            fd: fd as u32,
            buf: buf.as_mut_ptr() as u64,
            len: buf.len() as u64,
            offset: *offset as i64,
            ..Iocb::default()
        };
    }
    // SAFETY: each control block names memory that `reads` borrows mutably for longer than the call.
    let results = unsafe { run(blocks.get_mut(..reads.len())?) }?;
    if results.contains(&UNKNOWN) {
        return None;
    }
    Some(results.into_iter().take(reads.len()).map(outcome).collect())
}

/// Writes to each non-blocking socket what it takes now. The result of each: bytes written, or an error ([`io::ErrorKind::Interrupted`]: it was not tried). None:
/// not possible here, nothing was written.
pub fn write_many(writes: &[(BorrowedFd, &[u8])]) -> Option<impl Iterator<Item = io::Result<usize>> + use<>> {
    let mut blocks = [Iocb::default(); BATCH];
    for ((fd, bytes), b) in writes.iter().zip(&mut blocks) {
        *b = Iocb {
            opcode: PWRITE,
            fd: fd.as_raw_fd() as u32,
            buf: bytes.as_ptr() as u64,
            len: bytes.len() as u64,
            ..Iocb::default()
        };
    }
    // SAFETY: each control block names memory that `writes` borrows for longer than the call; the kernel only reads it.
    let results = unsafe { run(blocks.get_mut(..writes.len())?) }?;
    Some(results.into_iter().take(writes.len()).map(outcome))
}

fn outcome(result: i64) -> io::Result<usize> {
    usize::try_from(result).map_err(|_| io::Error::from_raw_os_error(-result as i32))
}

/// The kernel's result of each block: a count or a negated error number. None: nothing was done.
///
/// # Safety
/// Each block names memory that outlives the call, and that nothing else uses meanwhile if the block is a read.
unsafe fn run(blocks: &mut [Iocb]) -> Option<[i64; BATCH]> {
    if blocks.len() > BATCH || cfg!(miri) || cfg!(target_endian = "big") {
        return None;
    }
    CONTEXT.with_borrow_mut(|state| {
        if let State::Untried = state {
            *state = Context::new().map_or(State::Refused, State::Ready);
        }
        let State::Ready(ctx) = state else { return None };
        let mut list = [std::ptr::null_mut::<Iocb>(); BATCH];
        let n = blocks.len();
        for (i, (p, b)) in list.iter_mut().zip(blocks).enumerate() {
            b.data = i as u64;
            *p = b;
        }
        // SAFETY: `list` points to `n` (at most BATCH) filled control blocks, which the kernel copies during the call; the memory they name
        // is the caller's promise, and this function ends only after all are reported (see the module's words).
        let taken = unsafe { libc::syscall(libc::SYS_io_submit, ctx.0, n as libc::c_long, list.as_mut_ptr()) };
        if taken <= 0 {
            return None;
        }
        let taken = taken as usize;
        let mut out = [-i64::from(libc::EINTR); BATCH];
        out.iter_mut().take(taken).for_each(|o| *o = UNKNOWN);
        let mut reported = 0;
        while reported < taken {
            let mut events = [Event::default(); BATCH];
            let want = (taken - reported) as libc::c_long;
            let no_timeout = std::ptr::null_mut::<libc::timespec>();
            // SAFETY: the kernel writes at most `want` <= BATCH events.
            let n =
                unsafe { libc::syscall(libc::SYS_io_getevents, ctx.0, want, want, events.as_mut_ptr(), no_timeout) };
            if n < 0 {
                let e = io::Error::last_os_error();
                if e.kind() == io::ErrorKind::Interrupted {
                    continue;
                }
                // Dropping the context waits for the rest: only then may the buffers go back.
                *state = State::Refused;
                break;
            }
            for e in events.iter().take(n as usize) {
                reported += 1;
                if let Some(o) = out.get_mut(e.data as usize) {
                    *o = e.result;
                }
            }
        }
        Some(out)
    })
}
