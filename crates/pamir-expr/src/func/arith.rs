//! Arithmetic and bit operators of integers, floats and numerics.
//!
//! Integer operators check for overflow (22003 `integer out of range`) and never allocate; float ones report overflow, underflow and
//! division by zero as PostgreSQL's float8_pl and friends do.
use super::registry::funcs;
use super::*;
use pamir_types::err;
use pamir_types::numeric::Numeric;

#[cold]
pub fn int2_range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "smallint out of range")
}
#[cold]
pub fn int4_range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "integer out of range")
}
#[cold]
pub fn int8_range() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "bigint out of range")
}
#[cold]
pub fn zero() -> pamir_types::Error {
    err!(DIVISION_BY_ZERO, "division by zero")
}
#[cold]
pub fn overflow() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: overflow")
}
#[cold]
pub fn underflow() -> pamir_types::Error {
    err!(NUMERIC_VALUE_OUT_OF_RANGE, "value out of range: underflow")
}

macro_rules! float_ops {
    ($t:ident, $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        #[inline]
        pub fn $add(a: $t, b: $t) -> Result<$t> {
            let r = a + b;
            if r.is_infinite() && !a.is_infinite() && !b.is_infinite() {
                return Err(overflow());
            }
            Ok(r)
        }
        #[inline]
        pub fn $sub(a: $t, b: $t) -> Result<$t> {
            $add(a, -b)
        }
        #[inline]
        pub fn $mul(a: $t, b: $t) -> Result<$t> {
            let r = a * b;
            if r.is_infinite() && !a.is_infinite() && !b.is_infinite() {
                return Err(overflow());
            }
            if r == 0.0 && a != 0.0 && b != 0.0 {
                return Err(underflow());
            }
            Ok(r)
        }
        #[inline]
        pub fn $div(a: $t, b: $t) -> Result<$t> {
            if b == 0.0 && !a.is_nan() {
                return Err(zero());
            }
            let r = a / b;
            if r.is_infinite() && !a.is_infinite() {
                return Err(overflow());
            }
            if r == 0.0 && a != 0.0 && !b.is_infinite() {
                return Err(underflow());
            }
            Ok(r)
        }
    };
}
float_ops!(f32, f4_add, f4_sub, f4_mul, f4_div);
float_ops!(f64, f8_add, f8_sub, f8_mul, f8_div);

funcs! { pub FUNCS {
    // int2
    int2pl (a: Int2, b: Int2) => a.checked_add(*b).map(Datum::Int2).ok_or_else(int2_range);
    int2mi (a: Int2, b: Int2) => a.checked_sub(*b).map(Datum::Int2).ok_or_else(int2_range);
    int2mul (a: Int2, b: Int2) => a.checked_mul(*b).map(Datum::Int2).ok_or_else(int2_range);
    int2div (a: Int2, b: Int2) => if *b == 0 { Err(zero()) } else { a.checked_div(*b).map(Datum::Int2).ok_or_else(int2_range) };
    int2mod (a: Int2, b: Int2) => if *b == 0 { Err(zero()) } else { Ok(Datum::Int2(a.wrapping_rem(*b))) };
    int2um (a: Int2) => a.checked_neg().map(Datum::Int2).ok_or_else(int2_range);
    int2up (a: Int2) -> *a;
    int2abs (a: Int2) => a.checked_abs().map(Datum::Int2).ok_or_else(int2_range);
    int2and (a: Int2, b: Int2) -> a & b;
    int2or (a: Int2, b: Int2) -> a | b;
    int2xor (a: Int2, b: Int2) -> a ^ b;
    int2not (a: Int2) -> !*a;
    int2shl (a: Int2, b: Int4) -> i32::from(*a).wrapping_shl(*b as u32) as i16;
    int2shr (a: Int2, b: Int4) -> i32::from(*a).wrapping_shr(*b as u32) as i16;
    // int4
    int4pl (a: Int4, b: Int4) => a.checked_add(*b).map(Datum::Int4).ok_or_else(int4_range);
    int4mi (a: Int4, b: Int4) => a.checked_sub(*b).map(Datum::Int4).ok_or_else(int4_range);
    int4mul (a: Int4, b: Int4) => a.checked_mul(*b).map(Datum::Int4).ok_or_else(int4_range);
    int4div (a: Int4, b: Int4) => if *b == 0 { Err(zero()) } else { a.checked_div(*b).map(Datum::Int4).ok_or_else(int4_range) };
    int4mod (a: Int4, b: Int4) => if *b == 0 { Err(zero()) } else { Ok(Datum::Int4(a.wrapping_rem(*b))) };
    int4um (a: Int4) => a.checked_neg().map(Datum::Int4).ok_or_else(int4_range);
    int4up (a: Int4) -> *a;
    int4abs (a: Int4) => a.checked_abs().map(Datum::Int4).ok_or_else(int4_range);
    int4and (a: Int4, b: Int4) -> a & b;
    int4or (a: Int4, b: Int4) -> a | b;
    int4xor (a: Int4, b: Int4) -> a ^ b;
    int4not (a: Int4) -> !*a;
    int4shl (a: Int4, b: Int4) -> a.wrapping_shl(*b as u32);
    int4shr (a: Int4, b: Int4) -> a.wrapping_shr(*b as u32);
    // int8
    int8pl (a: Int8, b: Int8) => a.checked_add(*b).map(Datum::Int8).ok_or_else(int8_range);
    int8mi (a: Int8, b: Int8) => a.checked_sub(*b).map(Datum::Int8).ok_or_else(int8_range);
    int8mul (a: Int8, b: Int8) => a.checked_mul(*b).map(Datum::Int8).ok_or_else(int8_range);
    int8div (a: Int8, b: Int8) => if *b == 0 { Err(zero()) } else { a.checked_div(*b).map(Datum::Int8).ok_or_else(int8_range) };
    int8mod (a: Int8, b: Int8) => if *b == 0 { Err(zero()) } else { Ok(Datum::Int8(a.wrapping_rem(*b))) };
    int8um (a: Int8) => a.checked_neg().map(Datum::Int8).ok_or_else(int8_range);
    int8up (a: Int8) -> *a;
    int8abs (a: Int8) => a.checked_abs().map(Datum::Int8).ok_or_else(int8_range);
    int8and (a: Int8, b: Int8) -> a & b;
    int8or (a: Int8, b: Int8) -> a | b;
    int8xor (a: Int8, b: Int8) -> a ^ b;
    int8not (a: Int8) -> !*a;
    int8shl (a: Int8, b: Int4) -> a.wrapping_shl(*b as u32);
    int8shr (a: Int8, b: Int4) -> a.wrapping_shr(*b as u32);
    // mixed widths: the result is the wider type
    int24pl (a: Int2, b: Int4) => i32::from(*a).checked_add(*b).map(Datum::Int4).ok_or_else(int4_range);
    int24mi (a: Int2, b: Int4) => i32::from(*a).checked_sub(*b).map(Datum::Int4).ok_or_else(int4_range);
    int24mul (a: Int2, b: Int4) => i32::from(*a).checked_mul(*b).map(Datum::Int4).ok_or_else(int4_range);
    int24div (a: Int2, b: Int4) => if *b == 0 { Err(zero()) } else { i32::from(*a).checked_div(*b).map(Datum::Int4).ok_or_else(int4_range) };
    int28pl (a: Int2, b: Int8) => i64::from(*a).checked_add(*b).map(Datum::Int8).ok_or_else(int8_range);
    int28mi (a: Int2, b: Int8) => i64::from(*a).checked_sub(*b).map(Datum::Int8).ok_or_else(int8_range);
    int28mul (a: Int2, b: Int8) => i64::from(*a).checked_mul(*b).map(Datum::Int8).ok_or_else(int8_range);
    int28div (a: Int2, b: Int8) => if *b == 0 { Err(zero()) } else { i64::from(*a).checked_div(*b).map(Datum::Int8).ok_or_else(int8_range) };
    int42pl (a: Int4, b: Int2) => a.checked_add(i32::from(*b)).map(Datum::Int4).ok_or_else(int4_range);
    int42mi (a: Int4, b: Int2) => a.checked_sub(i32::from(*b)).map(Datum::Int4).ok_or_else(int4_range);
    int42mul (a: Int4, b: Int2) => a.checked_mul(i32::from(*b)).map(Datum::Int4).ok_or_else(int4_range);
    int42div (a: Int4, b: Int2) => if *b == 0 { Err(zero()) } else { a.checked_div(i32::from(*b)).map(Datum::Int4).ok_or_else(int4_range) };
    int48pl (a: Int4, b: Int8) => i64::from(*a).checked_add(*b).map(Datum::Int8).ok_or_else(int8_range);
    int48mi (a: Int4, b: Int8) => i64::from(*a).checked_sub(*b).map(Datum::Int8).ok_or_else(int8_range);
    int48mul (a: Int4, b: Int8) => i64::from(*a).checked_mul(*b).map(Datum::Int8).ok_or_else(int8_range);
    int48div (a: Int4, b: Int8) => if *b == 0 { Err(zero()) } else { i64::from(*a).checked_div(*b).map(Datum::Int8).ok_or_else(int8_range) };
    int82pl (a: Int8, b: Int2) => a.checked_add(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int82mi (a: Int8, b: Int2) => a.checked_sub(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int82mul (a: Int8, b: Int2) => a.checked_mul(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int82div (a: Int8, b: Int2) => if *b == 0 { Err(zero()) } else { a.checked_div(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range) };
    int84pl (a: Int8, b: Int4) => a.checked_add(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int84mi (a: Int8, b: Int4) => a.checked_sub(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int84mul (a: Int8, b: Int4) => a.checked_mul(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range);
    int84div (a: Int8, b: Int4) => if *b == 0 { Err(zero()) } else { a.checked_div(i64::from(*b)).map(Datum::Int8).ok_or_else(int8_range) };
    // floats
    float4pl (a: Float4, b: Float4) => f4_add(*a, *b).map(Datum::Float4);
    float4mi (a: Float4, b: Float4) => f4_sub(*a, *b).map(Datum::Float4);
    float4mul (a: Float4, b: Float4) => f4_mul(*a, *b).map(Datum::Float4);
    float4div (a: Float4, b: Float4) => f4_div(*a, *b).map(Datum::Float4);
    float8pl (a: Float8, b: Float8) => f8_add(*a, *b).map(Datum::Float8);
    float8mi (a: Float8, b: Float8) => f8_sub(*a, *b).map(Datum::Float8);
    float8mul (a: Float8, b: Float8) => f8_mul(*a, *b).map(Datum::Float8);
    float8div (a: Float8, b: Float8) => f8_div(*a, *b).map(Datum::Float8);
    float48pl (a: Float4, b: Float8) => f8_add(f64::from(*a), *b).map(Datum::Float8);
    float48mi (a: Float4, b: Float8) => f8_sub(f64::from(*a), *b).map(Datum::Float8);
    float48mul (a: Float4, b: Float8) => f8_mul(f64::from(*a), *b).map(Datum::Float8);
    float48div (a: Float4, b: Float8) => f8_div(f64::from(*a), *b).map(Datum::Float8);
    float84pl (a: Float8, b: Float4) => f8_add(*a, f64::from(*b)).map(Datum::Float8);
    float84mi (a: Float8, b: Float4) => f8_sub(*a, f64::from(*b)).map(Datum::Float8);
    float84mul (a: Float8, b: Float4) => f8_mul(*a, f64::from(*b)).map(Datum::Float8);
    float84div (a: Float8, b: Float4) => f8_div(*a, f64::from(*b)).map(Datum::Float8);
    float4um (a: Float4) -> Datum::Float4(-*a);
    float4up (a: Float4) -> Datum::Float4(*a);
    float4abs (a: Float4) -> Datum::Float4(a.abs());
    float8um (a: Float8) -> -*a;
    float8up (a: Float8) -> *a;
    float8abs (a: Float8) -> a.abs();
    // numeric
    numeric_add (a: Numeric, b: Numeric) -> Datum::Numeric(a.add(b));
    numeric_sub (a: Numeric, b: Numeric) -> Datum::Numeric(a.sub(b));
    numeric_mul (a: Numeric, b: Numeric) -> Datum::Numeric(a.mul(b));
    numeric_div (a: Numeric, b: Numeric) => a.div(b).map(Datum::Numeric);
    numeric_mod (a: Numeric, b: Numeric) => a.rem(b).map(Datum::Numeric);
    numeric_div_trunc (a: Numeric, b: Numeric) => a.div_trunc(b).map(Datum::Numeric);
    numeric_uminus (a: Numeric) -> Datum::Numeric(a.neg());
    numeric_uplus (a: Numeric) -> Datum::Numeric(a.clone());
    numeric_abs (a: Numeric) -> Datum::Numeric(a.abs());
    numeric_inc (a: Numeric) -> Datum::Numeric(a.add(&Numeric::from_i64(1)));
    int8inc (a: Int8) => a.checked_add(1).map(Datum::Int8).ok_or_else(int8_range);
    int8dec (a: Int8) => a.checked_sub(1).map(Datum::Int8).ok_or_else(int8_range);
    int4inc (a: Int4) => a.checked_add(1).map(Datum::Int4).ok_or_else(int4_range);
} }
