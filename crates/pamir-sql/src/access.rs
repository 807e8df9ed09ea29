//! A table's rows and index entries as bytes: the one place that knows how SQL rows become tree entries.
//!
//! ```text
//! table tree    key: primary key columns, or 8-byte big-endian hidden row id     value: row::encode of all columns by attnum
//! index tree    unique, no NULL in its columns (or NULLS NOT DISTINCT):  key: columns                    value: u16 length, primary key bytes, extra
//!               otherwise:                                               key: columns, primary key bytes value: u16 0, extra
//! extra: row::encode of (columns whose type is not key-decodable, then INCLUDE columns), absent when there are none
//! ```
//! (skeleton)
use crate::catalog::{Index, Table};
use crate::env::Env;
use pamir_types::{Datum, Result};

/// Bound defaults, checks, index expressions and predicates of one table version, made on first use.
#[derive(Clone, Default)]
pub struct TableCache(pub std::sync::Arc<std::sync::OnceLock<Bound>>);
impl std::fmt::Debug for TableCache { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("TableCache") } }
/// (filled by the executor's owner)
pub struct Bound {}

/// Encodes a full row (one datum per column by attnum, dropped ones NULL).
#[allow(unused_variables)]
pub fn encode_row(table: &Table, row: &[Datum], out: &mut Vec<u8>) -> Result<()> { todo!() }
/// Decodes all columns; absent ones take their missing value.
#[allow(unused_variables)]
pub fn decode_row(table: &Table, value: &[u8], out: &mut Vec<Datum>) -> Result<()> { todo!() }
/// The primary key's bytes of a row; `None` primary key: `rowid`.
#[allow(unused_variables)]
pub fn row_key(table: &Table, row: &[Datum], rowid: u64, out: &mut Vec<u8>) -> Result<()> { todo!() }
/// An index entry. Returns None when the partial index's predicate excludes the row, else whether the key alone is the unique one.
#[allow(unused_variables)]
pub fn index_entry(table: &Table, index: &Index, row: &[Datum], pk: &[u8], env: &mut dyn Env, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<Option<bool>> { todo!() }
/// The primary key bytes of an index entry.
#[allow(unused_variables)]
pub fn entry_row_key<'a>(table: &Table, index: &Index, key: &'a [u8], value: &'a [u8]) -> Result<&'a [u8]> { todo!() }
