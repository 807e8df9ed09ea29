//! How much memory the process may take, and how to ask before taking much of it.
//!
//! The binary's allocator counts what is in use; [`limit_to`] tells how much that may become. Who is about to make something large (a value, a buffer that doubles,
//! a parsed text) asks with [`admit`] first, who adds small things without end asks with [`check`] now and then; both answer 53200 instead of letting
//! the process end. Without [`limit_to`] (tests, tools) there is no limit.
//!
//! ```text
//! 0                                                limit - limit / SPARE_SHARE        limit
//! | page cache | versions | statements, sessions ...            |  what is small only  |
//! ```
//! Large requests leave the last part alone: one session that wants a gigabyte gets its error before the others' small needs are touched.
//!
//! Limits: requests below [`LARGE`] are admitted unasked. An answer is about this moment: others may take the memory meanwhile, which the spare part is for.
use crate::{Error, Result, err};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Requests of fewer bytes are admitted unasked.
pub const LARGE: usize = 1 << 20;
/// This part of the limit is for requests that are not [`LARGE`].
const SPARE_SHARE: u64 = 8;

/// What the allocator knows.
pub struct Gauge {
    /// Bytes in use.
    pub used: fn() -> u64,
    /// The operating system has refused memory, and the allocator lives on its reserve.
    pub exhausted: fn() -> bool,
}

static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static GAUGE: OnceLock<Gauge> = OnceLock::new();

/// From now on the process is to use at most `bytes`.
pub fn limit_to(bytes: u64, gauge: Gauge) {
    let _ = GAUGE.set(gauge);
    LIMIT.store(bytes, Ordering::Release);
}

/// (bytes in use, the limit), where there is one.
pub fn state() -> Option<(u64, u64)> {
    let gauge = GAUGE.get()?;
    Some(((gauge.used)(), LIMIT.load(Ordering::Acquire)))
}

/// 53200, as PostgreSQL says it.
pub fn out_of_memory(bytes: usize) -> Error {
    err!(OUT_OF_MEMORY, "out of memory").detail(format!("Failed on request of size {bytes}."))
}

/// To be asked before `bytes` are taken at once; 53200 if they are not to be had.
#[inline]
pub fn admit(bytes: usize) -> Result<()> {
    if bytes < LARGE { Ok(()) } else { admit_large(bytes) }
}
#[cold]
fn admit_large(bytes: usize) -> Result<()> {
    let Some(gauge) = GAUGE.get() else { return Ok(()) };
    let limit = LIMIT.load(Ordering::Acquire);
    let after = (gauge.used)().saturating_add(bytes as u64);
    if after > limit - limit / SPARE_SHARE || (gauge.exhausted)() {
        return Err(out_of_memory(bytes));
    }
    // Untouched, so it costs the system call alone. The address space may be limited too.
    let mut probe: Vec<u8> = Vec::new();
    probe.try_reserve_exact(bytes).map_err(|_| out_of_memory(bytes))
}

/// [`admit`] for a buffer about to grow to `len` bytes: asked once for each doubling.
#[inline]
pub fn admit_growth(capacity: usize, len: usize) -> Result<()> {
    if len <= capacity || len < LARGE { Ok(()) } else { admit_large(len.max(capacity.saturating_mul(2))) }
}

/// For what grows in small steps, `bytes` since it was asked last: 53200 once the limit is reached.
pub fn check(bytes: usize) -> Result<()> {
    let Some(gauge) = GAUGE.get() else { return Ok(()) };
    let after = (gauge.used)().saturating_add(bytes as u64);
    if after > LIMIT.load(Ordering::Acquire) || (gauge.exhausted)() {
        return Err(out_of_memory(bytes));
    }
    Ok(())
}
