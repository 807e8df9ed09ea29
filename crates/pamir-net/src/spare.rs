//! Buffers that no connection of this worker uses now.
//!
//! A statement takes one when its bytes arrive and gives it back when its connection goes idle, last in first out: a handful of buffers serve any
//! number of connections, and stay in the processor's caches. Limit: [`SPARES`] of each kind a worker; what does not fit is freed.
use std::cell::RefCell;

const SPARES: usize = 32;
/// Larger buffers are not kept.
pub const LARGEST: usize = 64 << 10;

pub type Spares = RefCell<Vec<Vec<u8>>>;

thread_local! {
    /// Wholly initialized; their content means nothing.
    pub static INPUT: Spares = const { RefCell::new(Vec::new()) };
    /// Empty.
    pub static OUTPUT: Spares = const { RefCell::new(Vec::new()) };
}

/// A buffer, perhaps without capacity.
pub fn take(s: &Spares) -> Vec<u8> {
    s.borrow_mut().pop().unwrap_or_default()
}

/// Keeps `buf` for others unless it is large.
pub fn keep(s: &Spares, buf: Vec<u8>) {
    let mut s = s.borrow_mut();
    if (1..=LARGEST).contains(&buf.capacity()) && s.len() < SPARES {
        s.push(buf);
    }
}
