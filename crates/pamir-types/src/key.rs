//! Order-preserving key encoding: memcmp of two keys orders them as SQL orders their columns.
use crate::{Datum, Result, Type};

/// How one key column sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct KeyOrder { pub desc: bool, pub nulls_first: bool }
impl KeyOrder { pub const ASC: KeyOrder = KeyOrder { desc: false, nulls_first: false }; }

/// The longest key a tree takes, in bytes (54000 beyond it; PostgreSQL's B-tree limit is alike).
pub const MAX_KEY: usize = 2048;

/// Appends one column. Prefix-free per column, so keys of more columns extend keys of fewer.
#[allow(unused_variables)]
pub fn encode(d: &Datum, ty: Type, ord: KeyOrder, out: &mut Vec<u8>) -> Result<()> { todo!() }
/// Decodes one column and returns the rest. Only for types where [`is_decodable`].
#[allow(unused_variables)]
pub fn decode<'a>(b: &'a [u8], ty: Type, ord: KeyOrder) -> Result<(Datum, &'a [u8])> { todo!() }
/// Skips one column whatever its type.
#[allow(unused_variables)]
pub fn skip<'a>(b: &'a [u8], ty: Type, ord: KeyOrder) -> Result<&'a [u8]> { todo!() }
/// False where equality is not identity (numeric, float, interval, bpchar, jsonb, timetz): the entry then stores the datum beside the key.
#[allow(unused_variables)]
pub fn is_decodable(ty: Type) -> bool { todo!() }
/// False for types without a default B-tree operator class (json, ...).
#[allow(unused_variables)]
pub fn is_orderable(ty: Type) -> bool { todo!() }
/// Turns `key` into the smallest byte string greater than every key that starts with it; false if there is none.
pub fn prefix_successor(key: &mut Vec<u8>) -> bool {
    while let Some(last) = key.last_mut() { if *last < 0xff { *last += 1; return true; } key.pop(); }
    false
}
