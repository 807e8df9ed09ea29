//! uuid's text form.
use crate::Result;
#[allow(unused_variables)]
pub fn parse(s: &str) -> Result<[u8; 16]> { todo!() }
#[allow(unused_variables)]
pub fn format(v: &[u8; 16], out: &mut Vec<u8>) { todo!() }
