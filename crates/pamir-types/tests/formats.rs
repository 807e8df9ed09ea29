//! Text and binary forms, json and type names against PostgreSQL 15's answers.
mod golden;
use pamir_types::json::{self, Jsonb};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Type, binary, oid};

fn type_named(s: &str) -> Type {
    match s {
        "varchar3" => return Type::with_mod(oid::VARCHAR, 7),
        "bpchar3" => return Type::with_mod(oid::BPCHAR, 7),
        "bytea_esc" => return Type::new(oid::BYTEA),
        _ => {}
    }
    let s = s.split(':').next().unwrap();
    let find = |n: &str| oid::TYPES.iter().find(|t| t.2 == n).unwrap().0;
    match s.strip_suffix("[]") {
        Some(elem) => Type::new(oid::array_of(find(elem)).unwrap()),
        None => Type::new(find(s)),
    }
}

#[test]
fn text_forms() {
    golden::check(include_str!("golden/text.tsv"), |f| {
        let mut cx = TextCtx { bytea_escape: f[0] == "bytea_esc", ..TextCtx::default() };
        if let Some((_, digits)) = f[0].split_once(':') {
            cx.extra_float_digits = digits.parse().unwrap();
        }
        let ty = type_named(&f[0]);
        let shown = text::to_string(&text::parse(&f[1], ty, &cx)?, ty, &cx);
        // char(n) sheds its blanks on the way to text.
        Ok(match (f[0].as_str(), shown.as_str()) {
            ("bpchar3", s) => s.trim_end_matches(' ').to_string(),
            // The cast to text spells booleans out; the output function does not.
            ("bool", "t") => "true".into(),
            ("bool", "f") => "false".into(),
            (_, s) => s.to_string(),
        })
    });
}

#[test]
fn binary_forms() {
    let cx = TextCtx::default();
    golden::check(include_str!("golden/binary.tsv"), |f| {
        let ty = type_named(&f[0]);
        let d = text::parse(&f[1], ty, &cx)?;
        let mut b = Vec::new();
        binary::encode(&d, ty, &mut b);
        let back = binary::decode(&b, ty)?;
        assert_eq!(text::to_string(&back, ty, &cx), text::to_string(&d, ty, &cx));
        Ok(b.iter().map(|b| format!("{b:02x}")).collect())
    });
}

#[test]
fn json_forms() {
    let context = |e: pamir_types::Error| {
        let at = e.data().context.as_ref().map_or(String::new(), |c| format!(" @ {c}"));
        golden::show_error(&e) + &at
    };
    golden::check(include_str!("golden/json.tsv"), |f| {
        Ok(match f[0].as_str() {
            "json" => json::validate(&f[1]).map_or_else(context, |_| f[1].clone()),
            "jsonb" => match Jsonb::parse(&f[1]) {
                Ok(v) => {
                    let mut out = Vec::new();
                    v.format(&mut out);
                    String::from_utf8(out).unwrap()
                }
                Err(e) => context(e),
            },
            _ => (Jsonb::parse(&f[1])?.cmp(&Jsonb::parse(&f[2])?) as i8).to_string(),
        })
    });
}

#[test]
fn type_names() {
    golden::check(include_str!("golden/type_names.tsv"), |f| {
        Ok(text::type_display(Type::with_mod(f[0].parse().unwrap(), f[1].parse().unwrap())))
    });
}

#[test]
fn datum_is_small() {
    assert!(size_of::<Datum>() <= 24);
    assert!(size_of::<pamir_types::Result<i64>>() <= 16);
}

/// The reader must fit the small stacks that sessions run on.
#[test]
fn deep_json_is_refused() {
    let run = || {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        let v = Jsonb::parse(&deep(json::MAX_DEPTH)).unwrap();
        let d = Datum::Jsonb(v.into());
        let ty = Type::new(oid::JSONB);
        let mut row = Vec::new();
        pamir_types::row::encode_value(&d, ty, &mut row).unwrap();
        let back = pamir_types::row::decode_value(&row, ty).unwrap();
        assert!(pamir_types::cmp::compare(&d, &back).is_eq());
        assert_eq!(Jsonb::parse(&deep(100_000)).unwrap_err().code().as_str(), "54001");
        assert_eq!(json::validate(&"{\"a\":".repeat(100_000)).unwrap_err().code().as_str(), "54001");
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}
