//! SQL over a shard: parse, bind, plan, execute; catalog, DDL, functions, sessions.
//!
//! ```text
//! text --parser--> tree --bind--> BoundStatement (ir) --plan--> Plan --exec--> rows into a RowSink
//!                   |                                   ^
//!                   +--ddl (catalog changes)            +-- plan cache (session)
//! ```
//! - [`catalog`]: descriptors and the immutable catalog snapshot; [`ddl`]: its changes; [`vtable`]: pg_catalog, information_schema.
//! - [`ir`]: bound expressions, relations and statements: what bind makes and plan reads.
//! - [`func`]: functions, operators, casts, aggregates. - [`access`]: rows and index entries of a table as bytes.
//! - [`check`]: rows against index entries, offline.
//! - [`session`]: a connection's statements, portals, transactions, settings. [`client`]: what a protocol must provide.
//!
//! This crate knows no socket and no wire message; it reaches data only through [`pamir_txn::Shard`].
pub mod access;
pub mod bind;
pub mod catalog;
pub mod check;
pub mod client;
pub mod ddl;
pub mod env;
pub mod exec;
pub mod func;
pub mod ir;
pub mod no_session;
pub mod parser;
pub mod plan;
pub mod session;
pub mod stats;
pub mod vtable;
