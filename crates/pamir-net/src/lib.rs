//! The runtime that serves clients: workers over sockets, statements on coroutines, and the buffered wire. Which protocol is spoken it does not know.
//!
//! ```text
//!  a listener's thread --sockets--> worker 0..n: epoll loop (changes threads, leaving    other threads (log, applier)
//!    (one a protocol)                 |          what runs long where it is)                 |
//!                                     |  readable: fill the input buffer                     |
//!                                     |  something is due: take a coroutine                  | wake
//!                                     v                                                      v
//!                                  coroutine: Connection::run -> ... -> pamir_storage::task::wait  =  suspend / run queue
//! ```
//! - [`connection`]: what a protocol provides, and the life of a connection. - [`runtime`]: configuration, start, listeners, [`Runtime::spawn`], shutdown, counters.
//! - [`link`]: a connection's buffers. - [`wire`]: its socket, what could not be sent yet, TLS; [`tls`]: keys. - `spare`: buffers that nobody uses now.
//! - [`worker`]: an epoll loop over connections. - [`host`]: the thread that runs it, and the statements' coroutines; [`crew`]: all these threads; `place`: how a worker goes from one to another.
//! - [`queue`]: how other threads reach a worker. - [`coroutine`]: stacks, and the parker that suspends them. - [`acceptor`]: takes sockets and deals them round robin.
//! - [`desk`]: a worker's idle connections and unhandled events, where peers can take them over; [`peers`]: when they do. - [`epoll`]: the kernel's side of waiting; `spin`: a look before it.
//! - [`simulation`]: the same coroutines on one thread, in an order that a seed draws. - [`watch`]: sees who holds a worker, and has another thread go on with it. - [`stats`]: counters of one thread.
//!
//! All that a protocol does for a statement runs as ordinary synchronous code on a coroutine's stack; a connection between two messages has no stack at all, also inside an open
//! transaction, so idle connections cost their buffers and nothing else.
//!
//! A statement runs to its end on one thread, suspended or not; between two statements a connection may go to another. So connections are `Send`, which the compiler checks, and
//! what they share with others of their thread is either theirs alone while they run or safe to share between threads ([`Application`]).
//!
//! *Invariants*: no statement, no row, no message of any protocol. Workers serve connections of all protocols alike: they call them through `dyn Connection`, some ten times a run and never
//! for a row.
pub mod acceptor;
pub mod connection;
pub mod coroutine;
pub mod crew;
pub mod desk;
pub mod epoll;
pub mod host;
pub mod link;
pub mod peers;
mod place;
pub mod queue;
pub mod runtime;
pub mod simulation;
mod spare;
mod spin;
pub mod stats;
pub mod tls;
pub mod watch;
pub mod wire;
pub mod worker;

#[cfg(test)]
mod tests;

pub use connection::{Application, Connection, End, Need, Next, Protocol};
pub use link::Link;
pub use peers::Pace;
pub use runtime::{Config, MAX_NEWCOMERS, Runtime, Spawner, StatsHandle};
