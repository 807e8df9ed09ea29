//! PostgreSQL's binary wire formats (each type's send / recv function), without the length word.
use crate::{Datum, Result, Type};

/// 22P03 on bad lengths or contents; never allocates what a length merely claims.
#[allow(unused_variables)]
pub fn decode(b: &[u8], ty: Type) -> Result<Datum> { todo!() }
/// `d` must not be Null.
#[allow(unused_variables)]
pub fn encode(d: &Datum, ty: Type, out: &mut Vec<u8>) { todo!() }
