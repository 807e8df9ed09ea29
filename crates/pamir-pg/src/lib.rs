//! PostgreSQL's wire protocol 3.0 over the session layer, on the workers of `pamir-net`.
//!
//! ```text
//!  pamir-net: worker --Connection::run, on a coroutine--> conn: messages --> service: a session of pamir-sql
//!                ^                                           |                     |
//!                +-- Link: input, output, socket, TLS <------+------- io: rows <---+
//! ```
//! - [`server`]: configuration, start, shutdown, counters. - [`conn`]: one connection's state machine. - [`io`]: the session's view of its client; rows into the output buffer.
//! - [`proto`], [`startup`]: frames and fields. - [`scram`]: authentication; [`scram_client`]: the client's half, for the command line. - [`service`]: what the protocol needs of SQL. - [`stats`]: what the protocol counts.
//!
//! All of SQL runs as ordinary synchronous code on a coroutine's stack (`pamir_net`); this crate knows no thread and no worker.
//!
//! This crate knows no table, plan or transaction: it moves messages between connections and sessions.
pub mod conn;
pub mod io;
mod md5;
pub mod proto;
pub mod scram;
pub mod scram_client;
pub mod server;
pub mod service;
pub mod startup;
pub mod stats;

#[cfg(test)]
mod tests;

pub use server::{AUTH_DELAY, Ask, Config, Server};
