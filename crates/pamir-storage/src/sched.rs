//! What a thread asks of the kernel's scheduler: to go before others, or after them.
//!
//! ```text
//!                                      nice        slice
//!   short statements, alone             0          the kernel's
//!   short statements beside long ones   0          SHORT_SLICE    whoever wakes with a shorter slice interrupts a longer one at once (EEVDF, Linux 6.12 and later)
//!   long ones                         LONG_NICE    the kernel's
//! ```
//! Not always the short slice: it would interrupt clients on the same processors, too, and take their statements one by one instead of by the batch, which costs half as much CPU again.
//!
//! Both beside the process's own weight. Where the kernel knows no slices, or does not let a thread have its weight back, things stay as they are: the first costs latency, the second is for
//! the caller to see. A process that was started under another policy than the usual one is left alone.
use std::sync::OnceLock;

/// How much nicer threads of long statements are than those of short ones.
const LONG_NICE: i32 = 5;
/// The shortest that kernels allow, in nanoseconds.
const SHORT_SLICE: u64 = 100_000;

/// What the calling thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    Short,
    ShortBesideLong,
    Long,
}

const MOST_NICE: i32 = 19;

/// How nice the process's first thread is: what the operator made it.
fn of_process() -> i32 {
    static NICE: OnceLock<i32> = OnceLock::new();
    // SAFETY: plain system calls without memory.
    *NICE.get_or_init(|| unsafe { libc::getpriority(libc::PRIO_PROCESS, libc::getpid() as libc::id_t) })
}

/// As the kernel's `struct sched_attr`, first version.
#[repr(C)]
#[derive(Default)]
struct Attr {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime: u64,
    deadline: u64,
    period: u64,
}

/// Tells the kernel. False: it did not let the thread have its weight back.
pub fn set(what: Runs) -> bool {
    // SAFETY: plain system calls on numbers, here and in `of_process`. 0 is the calling thread.
    if unsafe { libc::sched_getscheduler(0) } != libc::SCHED_OTHER {
        return true;
    }
    let (nice, runtime) = match what {
        Runs::Short => (of_process(), 0),
        Runs::ShortBesideLong => (of_process(), SHORT_SLICE),
        Runs::Long => ((of_process() + LONG_NICE).min(MOST_NICE), 0),
    };
    let attr = Attr { size: size_of::<Attr>() as u32, nice, runtime, ..Attr::default() };
    // SAFETY: 0 is the calling thread; the structure outlives the call and says its size.
    let set = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &attr as *const Attr, 0u32) } == 0;
    // SAFETY: a plain system call on numbers. 0 is the calling thread, as Linux counts.
    set || unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_goes_after_others_and_before_them() {
        std::thread::spawn(|| {
            // SAFETY: a plain system call on numbers.
            let nice = || unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
            let was = nice();
            assert!(set(Runs::Long));
            assert!(nice() >= was.max(LONG_NICE));
            assert_eq!(set(Runs::ShortBesideLong), nice() <= of_process());
            assert_eq!(set(Runs::Short), nice() <= of_process(), "who may not have its weight back hears of it");
        })
        .join()
        .unwrap();
    }
}
