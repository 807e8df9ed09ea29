//! How long the text of rows within rows becomes: each level quotes the quotes of those in it, so forty levels of `ROW(...)` around a number are a terabyte.
use crate::{Datum, Error, Result, err, memory};

/// A value's text takes no more.
pub const MAX_TEXT: usize = 0x3fff_ffff;
/// Of so many bytes of jsonb one is taken for a quote: keys and strings have two each.
const QUOTE_OF_JSONB: usize = 8;

/// Bytes of a text, and how many of them are quotes and backslashes.
#[derive(Clone, Copy, Default)]
struct Measure {
    bytes: usize,
    quotes: usize,
}

/// About the bytes of a value's text, exact in what quoting adds; of values that are short by themselves only what is around them counts.
pub fn length(d: &Datum) -> usize {
    measure(d).bytes
}
/// 54000 for a value whose text would be longer than a text may be, 53200 for one that there is no memory for. Only what nests can be.
pub fn admit(d: &Datum) -> Result<()> {
    match d {
        Datum::Record(_) => {}
        Datum::Array(a) if matches!(a.items.first(), Some(Datum::Record(_))) => {}
        _ => return Ok(()),
    }
    let bytes = length(d);
    if bytes > MAX_TEXT { Err(too_long()) } else { memory::admit(bytes.saturating_mul(4)) }
}
fn too_long() -> Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "out of memory")
        .detail(format!("Cannot enlarge string buffer containing {} bytes by 1 more bytes.", MAX_TEXT - 1))
}

fn measure(d: &Datum) -> Measure {
    match d {
        Datum::Text(s) => Measure { bytes: s.len(), quotes: s.bytes().filter(|b| matches!(b, b'"' | b'\\')).count() },
        Datum::Citext(v) => measure(&Datum::Text(v.text.clone())),
        Datum::Bytea(b) => Measure { bytes: 2 * b.len(), quotes: 1 },
        Datum::Jsonb(j) => {
            let bytes = j.size();
            Measure { bytes, quotes: bytes / QUOTE_OF_JSONB }
        }
        Datum::Bits(b) => Measure { bytes: b.len(), quotes: 0 },
        Datum::Range(r) => Measure { bytes: 48, quotes: if r.empty { 0 } else { 2 } },
        Datum::Multirange(m) => Measure { bytes: 48 * m.ranges.len(), quotes: 2 * m.ranges.len() },
        Datum::Record(fields) => around(fields.iter().map(|(_, d)| d)),
        Datum::Array(a) => around(a.items.iter()),
        _ => Measure::default(),
    }
}
fn around<'a>(parts: impl Iterator<Item = &'a Datum>) -> Measure {
    let mut all = Measure { bytes: 2, quotes: 0 };
    for d in parts {
        let m = measure(d);
        all.bytes = all.bytes.saturating_add(m.bytes).saturating_add(1);
        if m.quotes > 0 || matches!(d, Datum::Record(_)) {
            all.bytes = all.bytes.saturating_add(m.quotes).saturating_add(2);
            all.quotes = all.quotes.saturating_add(m.quotes.saturating_mul(2)).saturating_add(2);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{TextCtx, to_string};
    use crate::{Type, oid};

    #[test]
    fn quotes_of_rows_within_rows() {
        let mut d = Datum::text("a\"b".to_string());
        for level in 1..16 {
            let inner = if level == 1 { Type::new(oid::TEXT) } else { Type::new(oid::RECORD) };
            d = Datum::record(vec![(inner, d)]).unwrap();
            let text = to_string(&d, Type::new(oid::RECORD), &TextCtx::default());
            let n = length(&d);
            assert!(n >= text.len() && n <= text.len() + 16, "level {level}: {n} for {}", text.len());
            assert!(admit(&d).is_ok());
        }
        for _ in 0..100 {
            d = Datum::record(vec![(Type::new(oid::RECORD), d)]).unwrap();
        }
        assert_eq!(admit(&d).unwrap_err().code().as_str(), "54000");
    }
}
