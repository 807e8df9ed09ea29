//! Row encoding: O(1) access to any column, no allocation to decode fixed-width ones.
//!
//! ```text
//! 0      2        4          4 + w*n             + ceil(n/8)
//! +------+--------+----------+-------------------+-----------+
//! | ver  | n | W  | end[n]   | null bitmap       | values    |   little-endian
//! +------+--------+----------+-------------------+-----------+
//! ver: schema version the row was written with (u16, wraps; informational)
//! n:   columns stored (15 bits, W = top bit); columns added later are absent and take their missing value
//! end: end offset of each column's value from the start of values (u16, or u32 when W is set)
//! ```
//! The value bytes of text, varchar, bpchar, name, json and bytea are the plain bytes; bool is one byte; ints and floats are
//! little-endian of their width; the remaining types are described with `encode_value`.
use crate::{Datum, Result, Type};

/// A borrowed, encoded row.
#[derive(Clone, Copy)]
pub struct RowRef<'a>(pub &'a [u8]);

/// One column's raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawCol<'a> { Null, Value(&'a [u8]), /// The row is older than the column.
    Absent }

#[allow(unused_variables)]
impl<'a> RowRef<'a> {
    /// Number of stored columns. Corrupt rows give XX001, never a panic.
    pub fn len(&self) -> Result<usize> { todo!() }
    pub fn raw(&self, col: usize) -> Result<RawCol<'a>> { todo!() }
    /// Decodes column `col`; None when absent.
    pub fn datum(&self, col: usize, ty: Type) -> Result<Option<Datum>> { todo!() }
}
/// Encodes a whole row, replacing `out`.
#[allow(unused_variables)]
pub fn encode(version: u16, cols: &[(Datum, Type)], out: &mut Vec<u8>) -> Result<()> { todo!() }
/// As `encode`, with types apart.
#[allow(unused_variables)]
pub fn encode_row(version: u16, cols: &[Datum], types: &[Type], out: &mut Vec<u8>) -> Result<()> { todo!() }
#[allow(unused_variables)]
pub fn encode_value(d: &Datum, ty: Type, out: &mut Vec<u8>) -> Result<()> { todo!() }
#[allow(unused_variables)]
pub fn decode_value(b: &[u8], ty: Type) -> Result<Datum> { todo!() }
