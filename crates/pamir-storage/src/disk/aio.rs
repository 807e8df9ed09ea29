//! Several reads of a direct file at once: Linux's native asynchronous I/O, used synchronously.
//!
//! ```text
//!   io_submit(n reads) -> the block layer gets all of them in one go -> io_getevents(n) -> one wake-up
//! ```
//! A thread that reads one page at a time costs a system call, a context switch and (on a virtual disk) a trap to the host for each; a batch shares them. It is the older
//! interface rather than io_uring because it needs no shared rings and is permitted where that one is switched off. Where it is not to be had either, the
//! caller reads one by one.
//!
//! All of this crate's unsafe asynchronous I/O is here. **Soundness**: the kernel writes into the buffers until it has reported each read; [`read_many`]
//! borrows them mutably and returns only after the kernel has reported all that it took, or has torn down the context, which waits for them.
use std::cell::RefCell;
use std::io;
use std::os::fd::RawFd;

/// Reads in one batch at most.
pub(crate) const BATCH: usize = 16;

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
    if reads.len() > BATCH || cfg!(miri) || cfg!(target_endian = "big") {
        return None;
    }
    CONTEXT.with_borrow_mut(|state| {
        if let State::Untried = state {
            *state = Context::new().map_or(State::Refused, State::Ready);
        }
        let State::Ready(ctx) = state else { return None };
        let mut blocks = [Iocb::default(); BATCH];
        let mut list = [std::ptr::null_mut::<Iocb>(); BATCH];
        for (i, ((buf, offset), b)) in reads.iter_mut().zip(&mut blocks).enumerate() {
            *b = Iocb {
                data: i as u64,
                opcode: PREAD,
                fd: fd as u32,
                buf: buf.as_mut_ptr() as u64,
                len: buf.len() as u64,
                offset: *offset as i64,
                ..Iocb::default()
            };
        }
        for (p, b) in list.iter_mut().zip(&mut blocks) {
            *p = b;
        }
        // SAFETY: `list` points to `reads.len()` (at most BATCH) filled control blocks, which the kernel copies during the call; each names memory that
        // `reads` borrows mutably for longer than this function runs, which ends only after all are reported (see the module's words).
        let taken =
            unsafe { libc::syscall(libc::SYS_io_submit, ctx.0, reads.len() as libc::c_long, list.as_mut_ptr()) };
        if taken <= 0 {
            return None;
        }
        let taken = taken as usize;
        let mut out: Vec<io::Result<usize>> = Vec::new();
        out.resize_with(reads.len(), || Err(io::ErrorKind::Interrupted.into()));
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
                // dropping the context waits for the rest: only then may the buffers go back
                *state = State::Refused;
                return None;
            }
            for e in events.iter().take(n as usize) {
                reported += 1;
                if let Some(o) = out.get_mut(e.data as usize) {
                    *o = match e.result {
                        n if n >= 0 => Ok(n as usize),
                        n => Err(io::Error::from_raw_os_error((-n) as i32)),
                    };
                }
            }
        }
        Some(out)
    })
}
