//! Types whose values are bytes of a form of their own in [`crate::Datum::Bytea`]: geometric ones, tsvector, tsquery, hstore.
//!
//! Rows and keys hold the bytes as they are. Those of tsvector, tsquery and hstore order as their values do; geometric types have no order, and nothing asks for one.
use crate::text::TextCtx;
use crate::{Error, Oid, Result, geometry, hstore, oid, tsquery, tsvector};

/// Is a value of the type such bytes?
#[inline]
pub fn is_packed(ty: Oid) -> bool {
    matches!(ty, oid::TSVECTOR | oid::TSQUERY | oid::HSTORE) || geometry::is_geometric(ty)
}
/// Has the type an order?
#[inline]
pub fn is_ordered(ty: Oid) -> bool {
    matches!(ty, oid::TSVECTOR | oid::TSQUERY | oid::HSTORE)
}
/// Are they bytes of a value of the type?
pub fn fits(b: &[u8], ty: Oid) -> bool {
    match ty {
        oid::TSVECTOR => tsvector::Vector::unpack(b).is_some(),
        oid::TSQUERY => tsquery::fits(b),
        oid::HSTORE => hstore::fits(b),
        _ => geometry::fits(b, ty),
    }
}
/// The input functions.
pub fn parse(s: &str, ty: Oid) -> Result<Vec<u8>> {
    match ty {
        oid::TSVECTOR => tsvector::Vector::parse(s)?.pack(),
        oid::TSQUERY => tsquery::parse(s).map(|q| q.pack()),
        oid::HSTORE => hstore::Pairs::parse(s).map(|p| p.pack()),
        t if geometry::is_geometric(t) => geometry::io::parse(s, t),
        _ => Err(Error::internal("no packed type")),
    }
}
/// The output functions.
pub fn format(b: &[u8], ty: Oid, cx: &TextCtx, out: &mut Vec<u8>) {
    match ty {
        oid::TSVECTOR => tsvector::Vector::unpack(b).unwrap_or_default().format(out),
        oid::TSQUERY => tsquery::Query::unpack(b).unwrap_or_default().format(out),
        oid::HSTORE => hstore::Pairs::unpack(b).unwrap_or_default().format(out),
        _ => geometry::io::format(b, ty, cx.extra_float_digits, out),
    }
}
/// The receive functions.
pub fn decode(b: &[u8], ty: Oid) -> Result<Vec<u8>> {
    match ty {
        oid::TSVECTOR => tsvector::Vector::decode(b)?.pack(),
        oid::TSQUERY => tsquery::decode(b).map(|q| q.pack()),
        oid::HSTORE => hstore::Pairs::decode(b).map(|p| p.pack()),
        _ => geometry::decode(b, ty),
    }
}
/// The send functions.
pub fn encode(b: &[u8], ty: Oid, out: &mut Vec<u8>) {
    match ty {
        oid::TSVECTOR => tsvector::Vector::unpack(b).unwrap_or_default().encode(out),
        oid::TSQUERY => tsquery::Query::unpack(b).unwrap_or_default().encode(out),
        oid::HSTORE => hstore::Pairs::unpack(b).unwrap_or_default().encode(out),
        _ => out.extend_from_slice(b),
    }
}
