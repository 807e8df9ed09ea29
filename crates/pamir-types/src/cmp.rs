//! Ordering, equality and hashing of two datums of one type (the default B-tree operator class; C collation).
use crate::Datum;
use std::cmp::Ordering;

/// NULL sorts last and equals NULL here; SQL's three-valued comparison is the executor's business.
/// bpchar compares without trailing blanks only through [`compare_bpchar`].
#[allow(unused_variables)]
pub fn compare(a: &Datum, b: &Datum) -> Ordering { todo!() }
#[allow(unused_variables)]
pub fn compare_bpchar(a: &str, b: &str) -> Ordering { todo!() }
/// Consistent with `compare`: equal datums of one type hash alike (1.0 and 1.00, -0.0 and 0.0, '1 mon' and '30 days').
#[allow(unused_variables)]
pub fn hash<H: std::hash::Hasher>(d: &Datum, h: &mut H) { todo!() }
