//! numeric against PostgreSQL 15's answers.
mod golden;
use pamir_types::numeric::Numeric;
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Type, binary, oid};

fn hex(b: &[u8]) -> String {
    b.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn matches_postgres() {
    let cx = TextCtx::default();
    golden::check(include_str!("golden/numeric.tsv"), |f| {
        let n = |i: usize| Numeric::parse(&f[i]);
        let int = |i: usize| f[i].parse::<i32>().unwrap();
        Ok(match f[0].as_str() {
            "parse" => n(1)?.to_string(),
            "add" => n(1)?.add(&n(2)?).to_string(),
            "sub" => n(1)?.sub(&n(2)?).to_string(),
            "mul" => n(1)?.mul(&n(2)?).to_string(),
            "div" => n(1)?.div(&n(2)?)?.to_string(),
            "rem" => n(1)?.rem(&n(2)?)?.to_string(),
            "divtrunc" => n(1)?.div_trunc(&n(2)?)?.to_string(),
            "cmp" => (n(1)?.cmp(&n(2)?) as i8).to_string(),
            "round" => n(1)?.round(int(2)).to_string(),
            "trunc" => n(1)?.trunc(int(2)).to_string(),
            "ceil" => n(1)?.ceil().to_string(),
            "floor" => n(1)?.floor().to_string(),
            "sqrt" => n(1)?.sqrt()?.to_string(),
            "exp" => n(1)?.exp()?.to_string(),
            "ln" => n(1)?.ln()?.to_string(),
            "neg" => n(1)?.neg().to_string(),
            "abs" => n(1)?.abs().to_string(),
            "trim" => n(1)?.trim_scale().to_string(),
            "minscale" if !n(1)?.is_finite() => "<null>".into(),
            "minscale" => n(1)?.min_scale().to_string(),
            "sign" if n(1)?.is_nan() => "NaN".into(),
            "sign" => n(1)?.sign().to_string(),
            "int8" => n(1)?.to_i64()?.to_string(),
            "int4" => n(1)?.to_i32()?.to_string(),
            "int2" => n(1)?.to_i16()?.to_string(),
            "f64" => text::to_string(&Datum::Float8(n(1)?.to_f64()), Type::FLOAT8, &cx),
            "f32" => text::to_string(&Datum::Float4(n(1)?.to_f32()), Type::FLOAT4, &cx),
            "power" => n(1)?.power(&n(2)?)?.to_string(),
            "log" => Numeric::log(&n(1)?, &n(2)?)?.to_string(),
            "typmod" => {
                let typmod = (int(2) << 16 | int(3) & 0x7ff) + 4;
                n(1)?.apply_typmod(typmod)?.to_string()
            }
            "fromf64" => Numeric::from_f64(text::parse_f64(&f[1])?).to_string(),
            "fromf32" => Numeric::from_f32(text::parse_f32(&f[1])?).to_string(),
            "wire" => {
                let mut b = Vec::new();
                binary::encode(&Datum::Numeric(n(1)?), Type::NUMERIC, &mut b);
                let Datum::Numeric(back) = binary::decode(&b, Type::new(oid::NUMERIC))? else { unreachable!() };
                assert_eq!(back.to_string(), n(1)?.to_string());
                hex(&b)
            }
            op => panic!("unknown operation {op}"),
        })
    });
}
