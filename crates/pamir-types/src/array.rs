//! Multi-dimensional arrays with lower bounds, PostgreSQL's array_in / array_out (arrayfuncs.c).
use crate::{Datum, Oid, Result};

/// `dims` is (length, lower bound) per dimension, empty for '{}'. `items` are in row-major order.
#[derive(Clone, Debug)]
pub struct Array { pub elem: Oid, pub dims: Vec<(i32, i32)>, pub items: Vec<Datum> }

/// PostgreSQL's MAXDIM.
pub const MAX_DIM: usize = 6;

#[allow(unused_variables)]
impl Array {
    pub fn from_vec(elem: Oid, items: Vec<Datum>) -> Array { Array { elem, dims: if items.is_empty() { vec![] } else { vec![(items.len() as i32, 1)] }, items } }
    /// `item` reads one element's text.
    pub fn parse(s: &str, elem: Oid, item: &mut dyn FnMut(&str) -> Result<Datum>) -> Result<Array> { todo!() }
    /// `item` writes one element's text; quoting is done here.
    pub fn format(&self, item: &mut dyn FnMut(&Datum, &mut Vec<u8>), out: &mut Vec<u8>) { todo!() }
}
