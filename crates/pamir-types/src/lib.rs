//! SQL types and values, and every byte form they take.
//!
//! - [`oid`], [`ty`]: 32-bit type OIDs (PostgreSQL's own numbers) and `Type` = OID + typmod.
//! - [`datum`]: one SQL value in memory.
//! - [`numeric`], [`datetime`], [`json`], [`jsonpath`], [`money`], [`xid_snapshot`], [`array`], [`bits`], [`range`], [`multirange`], [`uuid`], [`bytea`]: the types that need arithmetic or parsing.
//! - [`geometry`], [`tsvector`], [`tsquery`], [`hstore`]: types whose values are bytes of their own ([`packed`]).
//! - [`xml`]: what XML texts may be, and their trees.
//! - [`text`], [`binary`]: PostgreSQL's text and binary wire formats for every type.
//! - [`key`]: order-preserving key encoding. - [`row`]: row encoding, decoded column by column.
//!
//! Errors and budgets are `pamir-error`'s and go by their names here too.
//!
//! This crate does no I/O, knows no clock, no session, no catalog.
pub mod array;
pub mod binary;
pub mod bits;
pub mod bytea;
pub mod citext;
pub mod cmp;
pub mod datetime;
pub mod datum;
pub mod encoding;
pub mod geometry;
pub mod hstore;
pub mod json;
pub mod jsonpath;
pub mod key;
pub mod money;
pub mod multirange;
pub mod network;
mod number_text;
pub mod numeric;
pub mod octets;
pub mod oid;
pub mod packed;
pub mod quoted;
pub mod range;
pub mod record;
pub mod row;
pub mod text;
pub mod tid;
pub mod tsconfig;
pub mod tsquery;
pub mod tsvector;
pub mod ty;
pub mod user;
pub mod uuid;
pub mod xid_snapshot;
pub mod xml;

pub use datum::Datum;
// Everything here answers with these, so that who speaks of values needs no second name for them.
pub use oid::Oid;
pub use pamir_error::{Error, Result, SqlState, bail, err, error, long, memory, work};
pub use ty::Type;
