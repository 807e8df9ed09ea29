//! Threads, sockets and coroutines.
//!
//! - [`worker`]: an epoll loop over connections. - [`host`]: the thread that runs it, and the statements' coroutines; [`crew`]: all these threads; `place`: how a worker goes from one to another.
//! - [`queue`]: how other threads reach a worker.
//! - [`coroutine`]: stacks, and the parker that suspends them. - [`acceptor`]: takes sockets and deals them round robin.
//! - [`desk`]: a worker's idle connections and unhandled events, where peers can take them over; [`peers`]: when they do. - [`epoll`]: the kernel's side of waiting; `spin`: a look before it. - [`watch`]: sees who holds a worker, and has another thread go on with it.
//!
//! A statement runs to its end on one thread, suspended or not; between two statements a connection may go to another. So sessions are `Send`, which the compiler checks, and
//! what they share with others of their thread is either theirs alone while they run or safe to share between threads.
pub mod acceptor;
pub mod coroutine;
pub mod crew;
pub mod desk;
pub mod epoll;
pub mod host;
pub mod peers;
mod place;
pub mod queue;
mod spin;
pub mod watch;
pub mod worker;

#[cfg(test)]
mod tests;
