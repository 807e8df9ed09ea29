//! Ports for servers that a test starts, stops and starts again.
//!
//! A port that the system draws (port 0) and that is closed again may be drawn anew, by whoever connects to somewhere in the meantime. These are from below the range that the system draws from, each
//! given out once in a process; processes that run at once begin at different places.
use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// The first one, and how many there are.
const FIRST: u16 = 18_000;
const COUNT: u16 = 14_000;
/// Ports between the places where two processes with neighbouring numbers begin.
const APART: u32 = 61;

/// A port of 127.0.0.1 on which nobody listens, and that is given to nobody else in this process.
///
/// # Panics
/// Where none is free.
pub fn port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    let start = (std::process::id().wrapping_mul(APART) % u32::from(COUNT)) as u16;
    for _ in 0..COUNT {
        let n = GIVEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (start + n) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ports_are_given_once() {
        let some: std::collections::BTreeSet<u16> = (0..50).map(|_| super::port()).collect();
        assert_eq!(some.len(), 50);
        assert!(some.iter().all(|p| (super::FIRST..super::FIRST + super::COUNT).contains(p)));
    }
}
