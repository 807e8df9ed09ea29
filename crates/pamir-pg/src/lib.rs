//! PostgreSQL's wire protocol 3.0 over the session layer, and the runtime that drives it.
//!
//! ```text
//!  acceptor --sockets--> worker 0..n: epoll loop (changes threads, leaving    other threads (log, applier)
//!                          |          what runs long where it is)                 |
//!                          |  readable: fill the input buffer                     |
//!                          |  a message is complete: take a coroutine             | wake
//!                          v                                                      v
//!                       coroutine: Conn::run -> Session -> pamir_storage::task::wait  =  suspend / run queue
//! ```
//! - [`server`]: configuration, start, shutdown, counters. - [`runtime`]: workers, their threads, coroutines, timers, the acceptor.
//! - [`conn`]: one connection's state machine. - [`io`]: the session's view of its client; rows into the output buffer.
//! - [`wire`]: socket, buffers, TLS. - [`proto`], [`startup`]: frames and fields. - [`scram`], [`tls`]: authentication and keys.
//! - [`service`]: what the protocol needs of SQL.
//!
//! All of SQL runs as ordinary synchronous code on a coroutine's stack; a session between two messages has no stack at all, also
//! inside an open transaction, so idle connections cost their buffers and nothing else.
//!
//! This crate knows no table, plan or transaction: it moves messages between sockets and sessions.
pub mod conn;
pub mod io;
pub mod proto;
pub mod runtime;
pub mod scram;
pub mod server;
pub mod service;
mod spare;
pub mod startup;
pub mod stats;
pub mod tls;
pub mod wire;

pub use server::{AUTH_DELAY, Ask, Config, MAX_NEWCOMERS, Server};
