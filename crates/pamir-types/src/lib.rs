//! The ground floor: SQL types and values, and every byte form they take.
//!
//! - [`error`]: errors with SQLSTATE, message, detail, hint.
//! - [`oid`], [`ty`]: 32-bit type OIDs (PostgreSQL's own numbers) and `Type` = OID + typmod.
//! - [`datum`]: one SQL value in memory.
//! - [`numeric`], [`datetime`], [`json`], [`array`], [`uuid`], [`bytea`]: the types that need arithmetic or parsing.
//! - [`text`], [`binary`]: PostgreSQL's text and binary wire formats for every type.
//! - [`key`]: order-preserving key encoding. - [`row`]: row encoding, decoded column by column.
//! - [`long`]: copies of long values. - [`work`]: how long-running code lets others run and hears that it is to end.
//!
//! This crate does no I/O, knows no clock, no session, no catalog.
pub mod array;
pub mod binary;
pub mod bytea;
pub mod cmp;
pub mod datetime;
pub mod datum;
pub mod encoding;
pub mod error;
pub mod json;
pub mod key;
pub mod long;
pub mod memory;
pub mod numeric;
pub mod oid;
pub mod row;
pub mod text;
pub mod tid;
pub mod ty;
pub mod uuid;
pub mod work;

pub use datum::Datum;
pub use error::{Error, Result, SqlState};
pub use oid::Oid;
pub use ty::Type;
