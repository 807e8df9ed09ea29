//! PostgreSQL's text formats: every type's input and output function.
use crate::datetime::DateTimeStyle;
use crate::{Datum, Result, Type};

/// Session settings that text forms depend on.
#[derive(Clone)]
pub struct TextCtx { pub dt: DateTimeStyle, /// 'escape' instead of hex bytea output
    pub bytea_escape: bool, /// extra_float_digits (1: shortest exact; <= 0: that many fewer digits)
    pub extra_float_digits: i32, /// transaction start, microseconds since 2000-01-01 UTC
    pub now: i64 }
impl Default for TextCtx { fn default() -> Self { TextCtx { dt: DateTimeStyle::default(), bytea_escape: false, extra_float_digits: 1, now: 0 } } }

/// The input function of `ty`, its typmod applied (varchar(n) 22001, bpchar padding, numeric rounding...).
/// reg* types take digits only here (names are looked up by pamir-sql).
#[allow(unused_variables)]
pub fn parse(s: &str, ty: Type, cx: &TextCtx) -> Result<Datum> { todo!() }
/// The output function of `ty`. `d` must not be Null.
#[allow(unused_variables)]
pub fn format(d: &Datum, ty: Type, cx: &TextCtx, out: &mut Vec<u8>) { todo!() }
/// `format` into a String.
pub fn to_string(d: &Datum, ty: Type, cx: &TextCtx) -> String { let mut v = Vec::new(); format(d, ty, cx, &mut v); String::from_utf8_lossy(&v).into_owned() }
/// SQL name with modifier, as format_type(): `character varying(20)`, `numeric(10,2)`, `timestamp(3) without time zone`, `integer[]`.
#[allow(unused_variables)]
pub fn type_display(ty: Type) -> String { todo!() }
