//! Values of every type: text and binary input, output, keys, rows.
use crate::fine;
use pamir_types::key::{self, KeyOrder};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Type, binary, cmp, oid, row};
use std::cmp::Ordering;

fn type_of(choice: u8) -> Type {
    let (scalar, array, _) = oid::TYPES[choice as usize % oid::TYPES.len()];
    Type::new(if choice >= 128 { array } else { scalar })
}
fn same(a: &Datum, b: &Datum) -> bool {
    cmp::compare(a, b) == Ordering::Equal || matches!(a, Datum::Text(_))
}
/// What a value of any origin must do: print, read back, travel in binary, be a key and a row.
fn value(d: &Datum, ty: Type) {
    let cx = TextCtx::default();
    let printed = text::to_string(d, ty, &cx);
    // reg* types print names only with a catalog, and records have no input function.
    if let Ok(again) = text::parse(&printed, ty, &cx) {
        assert!(same(d, &again), "{ty:?}: {printed:?} reads back as {:?}", text::to_string(&again, ty, &cx));
        assert_eq!(text::to_string(&again, ty, &cx), printed, "{ty:?}");
    } else {
        assert!(text::is_reg(ty.oid) || ty.oid == oid::RECORD, "{ty:?}: {printed:?} does not read back");
    }
    let mut bytes = Vec::new();
    binary::encode(d, ty, &mut bytes);
    // PostgreSQL too cannot read what it sends of an empty vector.
    let vector = ty.oid == oid::OIDVECTOR || ty.oid == oid::INT2VECTOR;
    if !vector && let Some(again) = fine(binary::decode(&bytes, ty), &printed) {
        assert!(same(d, &again), "{ty:?}: {printed:?} in binary");
    }
    let mut stored = Vec::new();
    if row::encode_row(1, std::slice::from_ref(d), &[ty], &mut stored).is_ok() {
        let back = row::RowRef(&stored).datum(0, ty).expect("a row just written").expect("a value");
        assert!(same(d, &back), "{ty:?}: {printed:?} in a row");
    }
    for order in [KeyOrder::ASC, KeyOrder::DESC] {
        let mut k = Vec::new();
        if key::is_orderable(ty) && key::encode(d, ty, order, &mut k).is_ok() {
            // Arrays of a type without an order have keys only while they are empty.
            let Ok(rest) = key::skip(&k, ty, order) else { continue };
            assert!(rest.is_empty());
            if key::is_decodable(ty) {
                let (back, rest) = key::decode(&k, ty, order).expect("a key just written");
                assert!(rest.is_empty() && same(d, &back), "{ty:?}: {printed:?} as a key");
            }
        }
    }
}
/// The first byte chooses the type, the rest is the text.
pub fn text(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let Ok(s) = std::str::from_utf8(data) else { return };
    let ty = type_of(choice);
    if let Some(d) = fine(text::parse(s, ty, &TextCtx::default()), s) {
        value(&d, ty);
    }
}
/// The first byte chooses the type and what the rest is: a binary value, a stored value, a key, or a row.
pub fn binary(data: &[u8]) {
    let [kind, choice, data @ ..] = data else { return };
    let ty = type_of(*choice);
    match kind % 4 {
        0 => {
            let decoded = binary::decode(data, ty);
            // PostgreSQL's jsonb_recv says so as well.
            if decoded.as_ref().is_err_and(|e| e.message().starts_with("unsupported jsonb version")) {
                return;
            }
            if let Some(d) = fine(decoded, "binary") {
                value(&d, ty);
            }
        }
        1 => drop(row::decode_value(data, ty)),
        2 => {
            let order = if kind & 4 == 0 { KeyOrder::ASC } else { KeyOrder::DESC };
            if key::is_decodable(ty) {
                let _ = key::decode(data, ty, order);
            }
            let _ = key::skip(data, ty, order);
        }
        _ => {
            let r = row::RowRef(data);
            let _ = (r.version(), r.len());
            for i in 0..8 {
                let _ = (r.raw(i), r.datum(i, ty));
            }
        }
    }
}
