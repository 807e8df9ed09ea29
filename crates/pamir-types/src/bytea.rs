//! bytea's hex and escape text forms.
use crate::Result;
#[allow(unused_variables)]
pub fn parse(s: &str) -> Result<Vec<u8>> { todo!() }
#[allow(unused_variables)]
pub fn format_hex(v: &[u8], out: &mut Vec<u8>) { todo!() }
#[allow(unused_variables)]
pub fn format_escape(v: &[u8], out: &mut Vec<u8>) { todo!() }
