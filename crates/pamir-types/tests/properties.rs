//! What must hold for every value: keys order as values compare, every byte form reads back, and no bytes make a decoder panic.
use num_bigint::BigInt;
use pamir_types::array::Array;
use pamir_types::bits::Bits;
use pamir_types::datetime::{self as dt, Interval};
use pamir_types::json::Jsonb;
use pamir_types::key::{self, KeyOrder};
use pamir_types::multirange::Multirange;
use pamir_types::network::{self, Inet};
use pamir_types::numeric::Numeric;
use pamir_types::range::{Bound, Range};
use pamir_types::row::{self, RawCol, RowRef};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Type, binary, cmp, oid};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

const TYPES: &[u32] = &[
    oid::BOOL,
    oid::INT2,
    oid::INT4,
    oid::INT8,
    oid::FLOAT4,
    oid::FLOAT8,
    oid::NUMERIC,
    oid::TEXT,
    oid::BPCHAR,
    oid::BYTEA,
    oid::DATE,
    oid::TIME,
    oid::TIMETZ,
    oid::TIMESTAMP,
    oid::TIMESTAMPTZ,
    oid::INTERVAL,
    oid::UUID,
    oid::JSONB,
    oid::OID,
    oid::CHAR,
    oid::INT4RANGE,
    oid::NUMRANGE,
    oid::DATERANGE,
    oid::TSRANGE,
    oid::INT4MULTIRANGE,
    oid::NUMMULTIRANGE,
    oid::VARBIT,
    oid::INET,
    oid::PG_LSN,
    oid::MACADDR,
];

fn numeric() -> impl Strategy<Value = Numeric> {
    prop_oneof![
        (any::<i64>(), 0u16..25).prop_map(|(m, s)| Numeric::Small(m, s)),
        (-2000i64..2000, 0u16..4).prop_map(|(m, s)| Numeric::Small(m, s)),
        "-?[0-9]{1,50}(\\.[0-9]{1,30})?".prop_map(|s| Numeric::parse(&s).unwrap()),
        "-?[1-9](\\.[0-9])?e-?[0-9]{1,2}".prop_map(|s| Numeric::parse(&s).unwrap()),
        prop_oneof![
            Just(Numeric::NaN),
            Just(Numeric::PosInf),
            Just(Numeric::NegInf),
            Just(Numeric::parse("1e200").unwrap())
        ],
    ]
}
fn string() -> impl Strategy<Value = String> {
    prop_oneof!["[ab\u{1}\u{2} ]{0,5}", "\\PC{0,12}", "[a-c\"\\\\{},() ]{0,8}", Just("NULL".to_string())]
}
fn jsonb() -> impl Strategy<Value = Jsonb> {
    let leaf = prop_oneof![
        Just(Jsonb::Null),
        any::<bool>().prop_map(Jsonb::Bool),
        numeric().prop_filter_map("finite", |n| n.is_finite().then_some(Jsonb::Number(n))),
        string().prop_map(|s| Jsonb::String(s.into())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Jsonb::Array),
            prop::collection::vec(("[ab]{0,2}", inner), 0..4)
                .prop_map(|v| Jsonb::object(v.into_iter().map(|(k, v)| (k.into(), v)).collect())),
        ]
    })
}
fn timestamp() -> impl Strategy<Value = i64> {
    prop_oneof![
        dt::MIN_TIMESTAMP..dt::END_TIMESTAMP,
        -1_000_000_000_000_000i64..1_000_000_000_000_000,
        Just(i64::MIN),
        Just(i64::MAX),
        -3i64..3
    ]
}
/// A value of the scalar type `o`.
fn scalar(o: u32) -> BoxedStrategy<Datum> {
    match o {
        oid::BOOL => any::<bool>().prop_map(Datum::Bool).boxed(),
        oid::INT2 => any::<i16>().prop_map(Datum::Int2).boxed(),
        oid::INT4 => prop_oneof![any::<i32>(), -2..3i32].prop_map(Datum::Int4).boxed(),
        oid::INT8 => prop_oneof![any::<i64>(), -2..3i64].prop_map(Datum::Int8).boxed(),
        oid::FLOAT4 => prop_oneof![any::<f32>(), Just(0.0), Just(-0.0), Just(f32::NAN), Just(f32::INFINITY)]
            .prop_map(Datum::Float4)
            .boxed(),
        oid::FLOAT8 => {
            prop_oneof![any::<f64>(), Just(0.0), Just(-0.0), Just(f64::NAN), Just(f64::NEG_INFINITY), -9.0..9.0f64]
                .prop_map(Datum::Float8)
                .boxed()
        }
        oid::NUMERIC => numeric().prop_map(Datum::Numeric).boxed(),
        oid::TEXT | oid::BPCHAR => string().prop_map(Datum::from).boxed(),
        oid::BYTEA => prop_oneof![prop::collection::vec(0u8..4, 0..6), prop::collection::vec(any::<u8>(), 0..20)]
            .prop_map(|v| Datum::Bytea(v.into()))
            .boxed(),
        oid::DATE => prop_oneof![dt::MIN_DATE..dt::END_DATE, -9999..9999i32, Just(i32::MIN), Just(i32::MAX)]
            .prop_map(Datum::Date)
            .boxed(),
        oid::TIME => (0..=dt::USECS_PER_DAY).prop_map(Datum::Time).boxed(),
        oid::TIMETZ => {
            let close = (0..5i64, -2..2i32).prop_map(|(t, z)| (t * dt::USECS_PER_HOUR, z * 3600));
            let any = (0..=dt::USECS_PER_DAY, -57599..57600i32);
            prop_oneof![any, close].prop_map(|(t, z)| Datum::TimeTz(t, z)).boxed()
        }
        oid::TIMESTAMP => timestamp().prop_map(Datum::Timestamp).boxed(),
        oid::TIMESTAMPTZ => timestamp().prop_map(Datum::TimestampTz).boxed(),
        oid::INTERVAL => prop_oneof![
            (any::<i32>(), any::<i32>(), any::<i64>()),
            (-2..2i32, -60..60i32, (-2..3i64).prop_map(|d| d * dt::USECS_PER_DAY)),
            (-40..40i32, -60..60i32, -99_999_999_999..99_999_999_999i64),
        ]
        // PostgreSQL writes the least number of microseconds but does not read it.
        .prop_map(|(months, days, micros)| Datum::Interval(Interval { months, days, micros: micros.max(-i64::MAX) }))
        .boxed(),
        oid::UUID => any::<[u8; 16]>().prop_map(Datum::Uuid).boxed(),
        oid::JSONB => jsonb().prop_map(|v| Datum::Jsonb(Arc::new(v))).boxed(),
        oid::OID => any::<u32>().prop_map(Datum::Oid).boxed(),
        oid::CHAR => (0u8..128).prop_map(Datum::Char).boxed(),
        oid::VARBIT => {
            prop_oneof![prop::collection::vec(any::<bool>(), 0..20), prop::collection::vec(Just(false), 0..20)]
                .prop_map(|v| {
                    let text: String = v.iter().map(|b| if *b { '1' } else { '0' }).collect();
                    Bits::parse(&text, Type::new(oid::VARBIT)).unwrap().into()
                })
                .boxed()
        }
        oid::INET => (any::<bool>(), prop_oneof![0u8..=32, 7u8..10], prop::collection::vec(0u8..3, 16))
            .prop_map(|(v4, bits, addr)| {
                let family = if v4 { network::V4 } else { network::V6 };
                let size = if v4 { 4 } else { 16 };
                Datum::Bytea(Inet::new(family, if v4 { bits } else { bits * 4 }, &addr[..size]).pack().into())
            })
            .boxed(),
        oid::PG_LSN => any::<u64>().prop_map(|v| Datum::Bytea(v.to_be_bytes().as_slice().into())).boxed(),
        oid::MACADDR => any::<[u8; 6]>().prop_map(|v| Datum::Bytea(v.as_slice().into())).boxed(),
        o => match oid::range_of_multirange(o) {
            Some(r) => prop::collection::vec(range(r), 0..4)
                .prop_map(move |ranges| Multirange::new(o, ranges).unwrap().into())
                .boxed(),
            None => range(o).prop_map(Datum::from).boxed(),
        },
    }
}
/// A range of the type `o`, often of small values.
fn range(o: u32) -> BoxedStrategy<Range> {
    let sub = oid::range_subtype(o).unwrap();
    let value = match sub {
        oid::INT4 => (-6..6i32).prop_map(Datum::Int4).boxed(),
        oid::DATE => prop_oneof![(-6..6i32).prop_map(Datum::Date), Just(Datum::Date(i32::MAX))].boxed(),
        o => scalar(o),
    };
    let bound = (prop_oneof![1 => Just(Datum::Null), 4 => value], any::<bool>())
        .prop_map(|(value, inclusive)| Bound { value, inclusive });
    (bound.clone(), bound).prop_map(move |(a, b)| Range::new(o, a, b).unwrap_or_else(|_| Range::empty(o))).boxed()
}
fn nullable(o: u32) -> BoxedStrategy<Datum> {
    prop_oneof![1 => Just(Datum::Null), 6 => scalar(o)].boxed()
}
fn array(elem: u32) -> BoxedStrategy<Datum> {
    let flat = prop::collection::vec(nullable(elem), 0..4).prop_map(move |v| Array::from_vec(elem, v));
    let square = (prop::collection::vec(nullable(elem), 4), -2..3i32).prop_map(move |(items, lower)| Array {
        elem,
        dims: vec![(2, lower), (2, 1)],
        items,
    });
    prop_oneof![flat, square].prop_map(|a| Datum::Array(Arc::new(a))).boxed()
}
/// A type, and two values of it.
fn pair() -> impl Strategy<Value = (Type, Datum, Datum)> {
    (prop::sample::select(TYPES), any::<bool>()).prop_flat_map(|(o, is_array)| {
        let ty = Type::new(if is_array { oid::array_of(o).unwrap() } else { o });
        let value = if is_array { prop_oneof![1 => Just(Datum::Null), 6 => array(o)].boxed() } else { nullable(o) };
        (Just(ty), value.clone(), value)
    })
}
fn compare(ty: Type, a: &Datum, b: &Datum) -> Ordering {
    match (a, b) {
        (Datum::Text(a), Datum::Text(b)) if ty.oid == oid::BPCHAR => cmp::compare_bpchar(a, b),
        _ => cmp::compare(a, b),
    }
}
fn show(d: &Datum, ty: Type) -> String {
    if d.is_null() { "NULL".into() } else { text::to_string(d, ty, &TextCtx::default()) }
}
/// The hash of bpchar is of its trimmed text: the caller's part.
fn hash_of(d: &Datum, ty: Type) -> u64 {
    let mut h = DefaultHasher::new();
    match d {
        Datum::Text(s) if ty.oid == oid::BPCHAR => cmp::hash(&Datum::from(s.trim_end_matches(' ')), &mut h),
        d => cmp::hash(d, &mut h),
    }
    h.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keys_order_as_values((ty, a, b) in pair(), desc: bool, nulls_first: bool) {
        let ord = KeyOrder { desc, nulls_first };
        let encode = |d: &Datum| {
            let mut k = Vec::new();
            key::encode(d, ty, ord, &mut k).map(|_| k)
        };
        let (ka, kb) = (encode(&a).unwrap(), encode(&b).unwrap());
        let want = match (a.is_null(), b.is_null()) {
            (true, true) => Ordering::Equal,
            (true, false) => if nulls_first { Ordering::Less } else { Ordering::Greater },
            (false, true) => if nulls_first { Ordering::Greater } else { Ordering::Less },
            _ if desc => compare(ty, &b, &a),
            _ => compare(ty, &a, &b),
        };
        prop_assert_eq!(ka.cmp(&kb), want, "{} {}", show(&a, ty), show(&b, ty));
        prop_assert!(ka == kb || !ka.starts_with(&kb) && !kb.starts_with(&ka));
        if want.is_eq() {
            prop_assert_eq!(hash_of(&a, ty), hash_of(&b, ty));
        }
        // A column can be skipped and, where the type allows, read, whatever follows it.
        let mut longer = ka.clone();
        longer.extend_from_slice(&kb);
        prop_assert_eq!(key::skip(&longer, ty, ord).unwrap(), &kb[..]);
        if key::is_decodable(ty) {
            let (back, rest) = key::decode(&longer, ty, ord).unwrap();
            prop_assert_eq!(rest, &kb[..]);
            prop_assert_eq!(show(&back, ty), show(&a, ty));
        }
    }

    #[test]
    fn forms_read_back((ty, a, _) in pair()) {
        if !a.is_null() {
            let cx = TextCtx::default();
            let text = show(&a, ty);
            let from_text = text::parse(&text, ty, &cx).unwrap();
            prop_assert_eq!(compare(ty, &from_text, &a), Ordering::Equal, "text {}", text);
            prop_assert_eq!(show(&from_text, ty), text.clone());
            let mut b = Vec::new();
            binary::encode(&a, ty, &mut b);
            prop_assert_eq!(show(&binary::decode(&b, ty).unwrap(), ty), text.clone());
            let mut v = Vec::new();
            row::encode_value(&a, ty, &mut v).unwrap();
            prop_assert_eq!(show(&row::decode_value(&v, ty).unwrap(), ty), text);
        }
    }

    #[test]
    fn rows_read_back(cols in prop::collection::vec(pair(), 0..20), long in 0usize..3, version: u16) {
        let mut values: Vec<Datum> = cols.iter().map(|c| c.1.clone()).collect();
        let mut types: Vec<Type> = cols.iter().map(|c| c.0).collect();
        if long > 0 {
            values.push(Datum::from("x".repeat(long * 40_000)));
            types.push(Type::TEXT);
        }
        let mut b = vec![1, 2, 3];
        row::encode_row(version, &values, &types, &mut b).unwrap();
        let r = RowRef(&b);
        prop_assert_eq!(r.len().unwrap(), values.len());
        prop_assert_eq!(r.version().unwrap(), version);
        for (i, (d, ty)) in values.iter().zip(&types).enumerate() {
            let back = r.datum(i, *ty).unwrap().unwrap();
            prop_assert_eq!(show(&back, *ty), show(d, *ty));
            prop_assert_eq!(r.raw(i).unwrap() == RawCol::Null, d.is_null());
        }
        prop_assert_eq!(r.raw(values.len()).unwrap(), RawCol::Absent);
        // Cut anywhere: an error or a value, never a panic.
        for cut in 0..b.len().min(64) {
            for (i, ty) in types.iter().enumerate() {
                let _ = RowRef(&b[..cut]).datum(i, *ty);
            }
        }
    }

    /// A spliced row is the one that is encoded whole, byte for byte.
    #[test]
    fn rows_are_spliced(cols in prop::collection::vec(pair(), 0..20), what in prop::collection::vec((0u8..5, any::<prop::sample::Index>()), 20), long: bool, version: u16) {
        let mut types: Vec<Type> = cols.iter().map(|c| c.0).collect();
        let mut old: Vec<Datum> = cols.into_iter().map(|c| c.1).collect();
        if long {
            types.push(Type::TEXT);
            old.push(Datum::from("x".repeat(70_000)));
        }
        let (mut new, mut want, mut dropped) = (Vec::new(), old.clone(), vec![false; old.len()]);
        for (c, (what, other)) in what.into_iter().enumerate().take(old.len()) {
            let other = other.index(old.len());
            let d = match what {
                0 => Datum::Null,
                1 if types[other] == types[c] => old[other].clone(),
                2 => old[c].clone(),
                3 => {
                    dropped[c] = true;
                    want[c] = Datum::Null;
                    continue;
                }
                _ => continue,
            };
            want[c] = d.clone();
            new.push((c, d));
        }
        let (mut from, mut whole, mut spliced) = (Vec::new(), Vec::new(), vec![7; 3]);
        row::encode_row(version.wrapping_add(1), &old, &types, &mut from).unwrap();
        row::encode_row(version, &want, &types, &mut whole).unwrap();
        let done = row::splice(version, &types, |c| dropped[c], RowRef(&from), &new, &mut spliced).unwrap();
        prop_assert_eq!(done, from.len() <= 60_000);
        if done {
            prop_assert_eq!(&spliced, &whole);
        }
        // One that lacks a column is not spliced.
        types.push(Type::INT4);
        prop_assert!(!row::splice(version, &types, |_| false, RowRef(&from), &[], &mut spliced).unwrap());
    }

    #[test]
    fn decoders_survive_anything(b in prop::collection::vec(any::<u8>(), 0..64), small in prop::collection::vec(0u8..8, 0..40), desc: bool) {
        let ord = KeyOrder { desc, nulls_first: false };
        for b in [&b, &small] {
            for &o in TYPES {
                for ty in [Type::new(o), Type::new(oid::array_of(o).unwrap()), Type::new(oid::RECORD)] {
                    if let Ok(d) = binary::decode(b, ty) {
                        show(&d, ty);
                    }
                    if let Ok(d) = row::decode_value(b, ty) {
                        show(&d, ty);
                    }
                    let _ = key::skip(b, ty, ord);
                    let _ = key::decode(b, ty, ord);
                    if let Ok(Some(d)) = RowRef(b).datum(1, ty) {
                        show(&d, ty);
                    }
                }
            }
        }
    }

    #[test]
    fn parsers_survive_anything(a in "\\PC{0,20}", b in "[-+:./0-9TZPYMDHSadeimnorwy ,\"{}\\[\\]\\\\=é]{0,24}") {
        let cx = TextCtx::default();
        for s in [&a, &b] {
            for &o in TYPES {
                for ty in [Type::new(o), Type::new(oid::array_of(o).unwrap())] {
                    if let Ok(d) = text::parse(s, ty, &cx) {
                        let text = show(&d, ty);
                        let again = text::parse(&text, ty, &cx);
                        prop_assert!(again.is_ok(), "{} -> {} -> {:?}", s, text, again);
                    }
                }
            }
            let _ = pamir_types::json::validate(s);
            let _ = dt::parse_zone(s);
        }
    }

    /// Sums, products and comparisons against whole numbers at a common scale.
    #[test]
    fn numeric_arithmetic_is_exact(a in "-?[0-9]{1,40}", s in 0u16..20, b in "-?[0-9]{1,40}", t in 0u16..20) {
        let int = |s: &str| BigInt::parse_bytes(s.as_bytes(), 10).unwrap();
        let at = |m: &str, s: u16| Numeric::parse(&format!("{m}e-{s}")).unwrap();
        let (x, y) = (at(&a, s), at(&b, t));
        let scale = s.max(t);
        let ten = BigInt::from(10);
        let (ma, mb) = (int(&a) * ten.pow((scale - s) as u32), int(&b) * ten.pow((scale - t) as u32));
        let shown = |m: BigInt, s: u16| Numeric::parse(&format!("{m}e-{s}")).unwrap().to_string();
        prop_assert_eq!(x.add(&y).to_string(), shown(&ma + &mb, scale));
        prop_assert_eq!(x.sub(&y).to_string(), shown(&ma - &mb, scale));
        prop_assert_eq!(x.mul(&y).to_string(), shown(int(&a) * int(&b), s + t));
        prop_assert_eq!(x.cmp(&y), ma.cmp(&mb));
        if mb != BigInt::from(0) {
            prop_assert_eq!(x.rem(&y).unwrap().to_string(), shown(&ma % &mb, scale));
            prop_assert_eq!(x.div_trunc(&y).unwrap().to_string(), (&ma / &mb).to_string());
            // The quotient is within half a unit of its last place.
            let q = x.div(&y).unwrap();
            let half = Numeric::parse(&format!("5e-{}", q.scale() as u32 + 1)).unwrap();
            prop_assert!(q.mul(&y).sub(&x).abs() <= half.mul(&y.abs()));
            prop_assert!(q.scale() >= scale);
        }
    }

    #[test]
    fn floats_are_shortest(v in any::<f64>(), w in any::<f32>()) {
        let s = show(&Datum::Float8(v), Type::FLOAT8);
        prop_assert!(v.is_nan() || text::parse_f64(&s).unwrap() == v);
        let s = show(&Datum::Float4(w), Type::FLOAT4);
        prop_assert!(w.is_nan() || text::parse_f32(&s).unwrap() == w);
    }

    #[test]
    fn calendar_inverts(v in dt::MIN_TIMESTAMP..dt::END_TIMESTAMP) {
        let f = dt::timestamp_to_fields(v);
        prop_assert_eq!(dt::fields_to_timestamp(&f).unwrap(), v);
    }
}

#[test]
fn long_keys_are_refused() {
    let mut k = Vec::new();
    let e = key::encode(&Datum::from("x".repeat(key::MAX_KEY)), Type::TEXT, KeyOrder::ASC, &mut k).unwrap_err();
    assert_eq!(e.code().as_str(), "54000");
    let zeros = Datum::Bytea(vec![0; 100_000].into());
    assert!(key::encode(&zeros, Type::new(oid::BYTEA), KeyOrder::ASC, &mut Vec::new()).is_err());
}

/// A key that is looked for may be of any length; against what a tree can hold it compares as it would whole.
#[test]
fn long_search_keys_compare_as_whole_ones() {
    let long = "x".repeat(5_000);
    let stored =
        ["", "a", "x", &long[..2_000], &(long[..2_000].to_string() + "y"), &(long[..2_000].to_string() + "a"), "y"];
    for ord in [KeyOrder::ASC, KeyOrder::DESC, KeyOrder { desc: true, nulls_first: false }] {
        for (d, ty) in [
            (Datum::from(long.clone()), Type::TEXT),
            (Datum::Bytea(long.clone().into_bytes().into()), Type::new(oid::BYTEA)),
            (
                Datum::record(vec![(Type::TEXT, Datum::from(long.clone())), (Type::INT4, Datum::Int4(1))]).unwrap(),
                Type::new(oid::RECORD),
            ),
        ] {
            let (mut cut, mut behind) = (vec![], vec![]);
            key::encode_search(&d, ty, ord, &mut cut).unwrap();
            assert_eq!(cut.len(), key::MAX_KEY + 1);
            for part in [&d, &Datum::Null] {
                key::encode_search(part, ty, ord, &mut behind).unwrap();
            }
            assert_eq!(cut, behind, "what follows a cut column does not matter");
            for s in stored {
                let other = match &d {
                    Datum::Bytea(_) => Datum::Bytea(s.as_bytes().to_vec().into()),
                    Datum::Record(_) => {
                        Datum::record(vec![(Type::TEXT, Datum::from(s)), (Type::INT4, Datum::Int4(1))]).unwrap()
                    }
                    _ => Datum::from(s),
                };
                let mut k = vec![];
                key::encode(&other, ty, ord, &mut k).unwrap();
                let wanted = if ord.desc { long.as_str().cmp(s).reverse() } else { long.as_str().cmp(s) };
                assert_eq!(cut.cmp(&k), wanted, "{ty:?} {ord:?} {s:?}");
            }
        }
    }
}

#[test]
fn wrong_datums_are_not_stored() {
    let e = row::encode_value(&Datum::Int4(1), Type::INT8, &mut Vec::new()).unwrap_err();
    assert_eq!(e.code().as_str(), "XX000");
}
