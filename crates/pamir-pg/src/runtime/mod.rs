//! Threads, sockets and coroutines.
//!
//! - [`worker`]: one thread's epoll loop over its connections. - [`queue`]: how other threads reach a worker.
//! - [`coroutine`]: stacks, and the parker that suspends them. - [`acceptor`]: takes sockets and deals them round robin.
//!
//! A session stays on the worker it was dealt to: its coroutine, buffers and session are touched by one thread only and need no lock.
pub mod acceptor;
pub mod coroutine;
pub mod queue;
pub mod worker;

#[cfg(test)]
mod tests;
