//! Rows, keys and wire values: what every row read or written pays for its form.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use pamir_types::key::{self, KeyOrder};
use pamir_types::row::{self, RowRef};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Type, binary};
use std::hint::black_box;

/// sysbench's row: two integers, 119 and 59 characters.
fn row() -> (Vec<Datum>, Vec<Type>) {
    let d = vec![Datum::Int4(4711), Datum::Int4(99), Datum::text("c".repeat(119)), Datum::text("p".repeat(59))];
    (d, vec![Type::INT4, Type::INT4, Type::TEXT, Type::TEXT])
}
fn encoded() -> Vec<u8> {
    let ((d, t), mut out) = (row(), Vec::new());
    row::encode_row(1, &d, &t, &mut out).expect("a row");
    out
}

const OPS: &[Op] = &[
    Op {
        name: "row encode, 4 columns",
        budget: 40,
        units: 1,
        make: || {
            let ((d, t), mut out) = (row(), Vec::new());
            Box::new(move || {
                black_box(row::encode_row(1, black_box(&d), &t, &mut out).is_ok());
            })
        },
    },
    Op {
        name: "row decode, its integer column",
        budget: 10,
        units: 1,
        make: || {
            let b = encoded();
            Box::new(move || {
                black_box(RowRef(black_box(&b)).datum(1, Type::INT4).is_ok());
            })
        },
    },
    Op {
        name: "row decode, its 119 characters",
        budget: 50,
        units: 1,
        make: || {
            let b = encoded();
            Box::new(move || {
                black_box(RowRef(black_box(&b)).datum(2, Type::TEXT).is_ok());
            })
        },
    },
    Op {
        name: "key encode, int4",
        budget: 15,
        units: 1,
        make: || {
            let (d, mut out) = (Datum::Int4(4711), Vec::new());
            Box::new(move || {
                out.clear();
                black_box(key::encode(black_box(&d), Type::INT4, KeyOrder::ASC, &mut out).is_ok());
            })
        },
    },
    Op {
        name: "key encode, text of 20",
        budget: 40,
        units: 1,
        make: || {
            let (d, mut out) = (Datum::text("customer number 4711"), Vec::new());
            Box::new(move || {
                out.clear();
                black_box(key::encode(black_box(&d), Type::TEXT, KeyOrder::ASC, &mut out).is_ok());
            })
        },
    },
    Op {
        name: "key decode, int4",
        budget: 15,
        units: 1,
        make: || {
            let mut b = Vec::new();
            key::encode(&Datum::Int4(4711), Type::INT4, KeyOrder::ASC, &mut b).expect("a key");
            Box::new(move || {
                black_box(key::decode(black_box(&b), Type::INT4, KeyOrder::ASC).is_ok());
            })
        },
    },
    Op {
        name: "binary parameter decode, int4",
        budget: 10,
        units: 1,
        make: || {
            Box::new(|| {
                black_box(binary::decode(black_box(&4711i32.to_be_bytes()), Type::INT4).is_ok());
            })
        },
    },
    Op {
        name: "text parameter parse, int4",
        budget: 20,
        units: 1,
        make: || {
            let cx = TextCtx::default();
            Box::new(move || {
                black_box(text::parse(black_box("4711"), Type::INT4, &cx).is_ok());
            })
        },
    },
    Op {
        name: "text format, int4",
        budget: 15,
        units: 1,
        make: || {
            let (cx, d, mut out) = (TextCtx::default(), Datum::Int4(4711), Vec::new());
            Box::new(move || {
                out.clear();
                text::format(black_box(&d), Type::INT4, &cx, &mut out);
            })
        },
    },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn codec(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}
fn main() {
    budget::main();
}
