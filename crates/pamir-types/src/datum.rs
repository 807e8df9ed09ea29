//! One SQL value in memory. The declared [`crate::Type`] travels beside it, never inside it.
use crate::array::Array;
use crate::bits::Bits;
use crate::datetime::Interval;
use crate::json::Jsonb;
use crate::long;
use crate::multirange::Multirange;
use crate::numeric::Numeric;
use crate::oid::Oid;
use crate::range::Range;
use std::sync::Arc;

/// Time units: dates are days and timestamps microseconds since 2000-01-01 (PostgreSQL's epoch);
/// `i32::MIN/MAX`, `i64::MIN/MAX` are -infinity/infinity. Times are microseconds since midnight.
#[derive(Clone, Debug)]
pub enum Datum {
    Null,
    Bool(bool),
    Int2(i16),
    Int4(i32),
    Int8(i64),
    Float4(f32),
    Float8(f64),
    Numeric(Numeric),
    /// text, varchar, bpchar (padded to its length), name, unknown, json (kept as written).
    Text(Arc<str>),
    Bytea(Arc<[u8]>),
    Date(i32),
    Time(i64),
    /// Microseconds since midnight, zone in seconds WEST of UTC (as PostgreSQL stores it).
    TimeTz(i64, i32),
    Timestamp(i64),
    TimestampTz(i64),
    Interval(Interval),
    Uuid([u8; 16]),
    Jsonb(Arc<Jsonb>),
    /// oid, regclass, regtype, regproc, regnamespace, regrole, xid, cid ...
    Oid(Oid),
    /// The one-byte type "char".
    Char(u8),
    Array(Arc<Array>),
    /// An enum's value: its place in the type's order. Its label is the catalog's.
    Enum(u64),
    /// bit, bit varying.
    Bits(Arc<Bits>),
    Range(Arc<Range>),
    Multirange(Arc<Multirange>),
    Citext(Arc<crate::citext::Citext>),
    /// A composite value: each field with its type.
    Record(crate::record::Record),
}

impl Datum {
    pub fn text(s: impl Into<Arc<str>>) -> Datum {
        Datum::Text(s.into())
    }
    pub fn is_null(&self) -> bool {
        matches!(self, Datum::Null)
    }
    /// Takes the value that stands there, part by part where it is a number.
    #[inline]
    pub fn take_from(&mut self, v: &mut Datum) {
        match v {
            Datum::Int4(v) => *self = Datum::Int4(*v),
            Datum::Int8(v) => *self = Datum::Int8(*v),
            Datum::Bool(v) => *self = Datum::Bool(*v),
            Datum::Float8(v) => *self = Datum::Float8(*v),
            v => *self = std::mem::replace(v, Datum::Null),
        }
    }
}
impl From<bool> for Datum {
    fn from(v: bool) -> Datum {
        Datum::Bool(v)
    }
}
impl From<i16> for Datum {
    fn from(v: i16) -> Datum {
        Datum::Int2(v)
    }
}
impl From<i32> for Datum {
    fn from(v: i32) -> Datum {
        Datum::Int4(v)
    }
}
impl From<i64> for Datum {
    fn from(v: i64) -> Datum {
        Datum::Int8(v)
    }
}
impl From<f64> for Datum {
    fn from(v: f64) -> Datum {
        Datum::Float8(v)
    }
}
impl From<&str> for Datum {
    fn from(v: &str) -> Datum {
        Datum::Text(long::shared_at_last(v))
    }
}
impl From<String> for Datum {
    fn from(v: String) -> Datum {
        Datum::Text(long::shared_at_last(&v))
    }
}
impl From<Bits> for Datum {
    fn from(v: Bits) -> Datum {
        Datum::Bits(Arc::new(v))
    }
}
impl From<Range> for Datum {
    fn from(v: Range) -> Datum {
        Datum::Range(Arc::new(v))
    }
}
impl From<Multirange> for Datum {
    fn from(v: Multirange) -> Datum {
        Datum::Multirange(Arc::new(v))
    }
}
impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(v: Option<T>) -> Datum {
        v.map_or(Datum::Null, Into::into)
    }
}
