//! Exact, unbounded decimal numbers with PostgreSQL's display scale, NaN and infinities (src/backend/utils/adt/numeric.c).
use crate::Result;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// value = mantissa / 10^scale; `scale` is PostgreSQL's dscale (digits shown after the point).
/// Small mantissas live inline. Equality and hashing follow the value: 1.0 == 1.00; NaN == NaN, greatest of all.
#[derive(Clone, Debug)]
pub enum Numeric {
    Small(i64, u16),
    Big(Box<(BigInt, u16)>),
    NaN,
    PosInf,
    NegInf,
}

#[allow(unused_variables)]
impl Numeric {
    pub fn parse(s: &str) -> Result<Numeric> {
        todo!()
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        todo!()
    }
    pub(crate) fn encode_row(&self, out: &mut Vec<u8>) {
        todo!()
    }
    pub(crate) fn decode_row(b: &[u8]) -> Option<Numeric> {
        todo!()
    }
    pub(crate) fn encode_key(&self, out: &mut Vec<u8>) {
        todo!()
    }
    pub(crate) fn key_flip(class: u8) -> Option<u8> {
        todo!()
    }
    pub(crate) fn key_exponent_extra(b: u8) -> usize {
        todo!()
    }
    pub(crate) fn from_wire(weight: i16, sign: u16, dscale: u16, digits: &[u8]) -> Result<Numeric> {
        todo!()
    }
    pub(crate) fn to_wire(&self, out: &mut Vec<u8>) {
        todo!()
    }
    pub fn from_i64(v: i64) -> Numeric {
        Numeric::Small(v, 0)
    }
    pub fn from_i128(v: i128) -> Numeric {
        todo!()
    }
    /// Shortest decimal that reads back as `v` limited to 15 significant digits, as PostgreSQL's float8_numeric.
    pub fn from_f64(v: f64) -> Numeric {
        todo!()
    }
    pub fn from_f32(v: f32) -> Numeric {
        todo!()
    }
    pub fn to_f64(&self) -> f64 {
        todo!()
    }
    /// Rounded half away from zero; 22003 "bigint out of range" (integer, smallint) when it does not fit; 0A000 "cannot convert NaN to bigint".
    pub fn to_i64(&self) -> Result<i64> {
        todo!()
    }
    pub fn to_i32(&self) -> Result<i32> {
        todo!()
    }
    pub fn to_i16(&self) -> Result<i16> {
        todo!()
    }
    pub fn is_nan(&self) -> bool {
        matches!(self, Numeric::NaN)
    }
    pub fn is_zero(&self) -> bool {
        todo!()
    }
    pub fn scale(&self) -> u16 {
        todo!()
    }
    /// -1, 0, 1 (NaN: 1).
    pub fn sign(&self) -> i32 {
        todo!()
    }
    pub fn add(&self, o: &Numeric) -> Numeric {
        todo!()
    }
    pub fn sub(&self, o: &Numeric) -> Numeric {
        todo!()
    }
    pub fn mul(&self, o: &Numeric) -> Numeric {
        todo!()
    }
    /// PostgreSQL's result scale (select_div_scale); 22012 on zero.
    pub fn div(&self, o: &Numeric) -> Result<Numeric> {
        todo!()
    }
    /// Truncated integer quotient (the function div()).
    pub fn div_trunc(&self, o: &Numeric) -> Result<Numeric> {
        todo!()
    }
    pub fn rem(&self, o: &Numeric) -> Result<Numeric> {
        todo!()
    }
    pub fn neg(&self) -> Numeric {
        todo!()
    }
    pub fn abs(&self) -> Numeric {
        todo!()
    }
    /// Half away from zero; negative `scale` rounds left of the point.
    pub fn round(&self, scale: i32) -> Numeric {
        todo!()
    }
    pub fn trunc(&self, scale: i32) -> Numeric {
        todo!()
    }
    pub fn ceil(&self) -> Numeric {
        todo!()
    }
    pub fn floor(&self) -> Numeric {
        todo!()
    }
    pub fn sqrt(&self) -> Result<Numeric> {
        todo!()
    }
    pub fn power(&self, o: &Numeric) -> Result<Numeric> {
        todo!()
    }
    pub fn exp(&self) -> Result<Numeric> {
        todo!()
    }
    pub fn ln(&self) -> Result<Numeric> {
        todo!()
    }
    /// log(base, x)
    pub fn log(base: &Numeric, x: &Numeric) -> Result<Numeric> {
        todo!()
    }
    /// Applies a numeric(p,s) typmod: rounds, 22003 "numeric field overflow" with PostgreSQL's detail.
    pub fn apply_typmod(&self, typmod: i32) -> Result<Numeric> {
        todo!()
    }
    /// Trailing fractional zeros removed (trim_scale()).
    pub fn trim_scale(&self) -> Numeric {
        todo!()
    }
    pub fn min_scale(&self) -> u16 {
        todo!()
    }
}
#[allow(unused_variables)]
impl PartialEq for Numeric {
    fn eq(&self, o: &Numeric) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for Numeric {}
impl PartialOrd for Numeric {
    fn partial_cmp(&self, o: &Numeric) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
#[allow(unused_variables)]
impl Ord for Numeric {
    fn cmp(&self, o: &Numeric) -> Ordering {
        todo!()
    }
}
#[allow(unused_variables)]
impl std::hash::Hash for Numeric {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        todo!()
    }
}
#[allow(unused_variables)]
impl std::fmt::Display for Numeric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        todo!()
    }
}
#[allow(unused_variables)]
pub(crate) fn typmod_scale(m: i32) -> i32 {
    todo!()
}
