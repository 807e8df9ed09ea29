//! hashint4, hashtext and the like: the support functions of hash operator classes, with PostgreSQL's numbers (hashfn.c, hashfunc.c; Bob Jenkins' lookup3).
//!
//! Nothing here uses them: tables are hashed by [`pamir_types::cmp::hash`]. Who partitions data by `hashtext(x) % n` gets the same partitions.
//!
//! Limits: enums, jsonb, network addresses and what else is not in the list answer 0A000.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::numeric::Numeric;
use pamir_types::range::Range;
use pamir_types::{Error, oid};

/// The three words that are mixed.
struct State([u32; 3]);

impl State {
    fn new(len: usize, seed: u64) -> State {
        let v = 0x9e37_79b9u32.wrapping_add(len as u32).wrapping_add(3_923_095);
        let mut s = State([v; 3]);
        if seed != 0 {
            s.0[0] = s.0[0].wrapping_add((seed >> 32) as u32);
            s.0[1] = s.0[1].wrapping_add(seed as u32);
            s.mix();
        }
        s
    }
    fn mix(&mut self) {
        let [mut a, mut b, mut c] = self.0;
        for (x, y, z) in [(4, 6, 8), (16, 19, 4)] {
            a = a.wrapping_sub(c) ^ c.rotate_left(x);
            c = c.wrapping_add(b);
            b = b.wrapping_sub(a) ^ a.rotate_left(y);
            a = a.wrapping_add(c);
            c = c.wrapping_sub(b) ^ b.rotate_left(z);
            b = b.wrapping_add(a);
        }
        self.0 = [a, b, c];
    }
    fn done(self) -> u64 {
        let [mut a, mut b, mut c] = self.0;
        let step = |x: u32, y: u32, n: u32| (x ^ y).wrapping_sub(y.rotate_left(n));
        c = step(c, b, 14);
        a = step(a, c, 11);
        b = step(b, a, 25);
        c = step(c, b, 16);
        a = step(a, c, 4);
        b = step(b, a, 14);
        c = step(c, b, 24);
        u64::from(b) << 32 | u64::from(c)
    }
    fn add(&mut self, words: [u32; 3]) {
        std::iter::zip(&mut self.0, words).for_each(|(s, w)| *s = s.wrapping_add(w));
    }
}
/// hash_bytes_extended; its lower half without a seed is hash_bytes.
fn bytes(b: &[u8], seed: u64) -> u64 {
    let mut s = State::new(b.len(), seed);
    let word = |w: &[u8]| w.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
    let (blocks, rest) = b.as_chunks::<12>();
    for k in blocks {
        s.add([word(&k[..4]), word(&k[4..8]), word(&k[8..])]);
        s.mix();
    }
    let part = |from: usize, to: usize| word(rest.get(from..to.min(rest.len())).unwrap_or(&[]));
    // The lowest byte of the last word is the length's.
    s.add([part(0, 4), part(4, 8), part(8, 11) << 8]);
    s.done()
}
fn word(v: u32, seed: u64) -> u64 {
    let mut s = State::new(4, seed);
    s.add([v, 0, 0]);
    s.done()
}
/// hashint8: as int4 where the value is one.
fn long(v: i64, seed: u64) -> u64 {
    let high = (v >> 32) as u32;
    word(v as u32 ^ if v >= 0 { high } else { !high }, seed)
}
fn float(v: f64, seed: u64) -> u64 {
    match v {
        0.0 => seed,
        v if v.is_nan() => bytes(&f64::NAN.to_le_bytes(), seed),
        v => bytes(&v.to_le_bytes(), seed),
    }
}
fn numeric(n: &Numeric, seed: u64) -> u64 {
    if n.is_nan() || !n.is_finite() {
        return seed;
    }
    let (digits, weight) = n.wire_digits();
    if digits.is_empty() {
        return seed.wrapping_sub(1);
    }
    let b: Vec<u8> = digits.iter().flat_map(|d| d.to_le_bytes()).collect();
    bytes(&b, seed) ^ (i64::from(weight) as u64)
}
/// Are values of a type hashed here as PostgreSQL hashes them?
pub(crate) fn knows(t: Type) -> bool {
    let simple = matches!(
        t.oid,
        oid::BOOL
            | oid::CHAR
            | oid::INT2
            | oid::INT4
            | oid::INT8
            | oid::DATE
            | oid::OID
            | oid::TIME
            | oid::TIMESTAMP
            | oid::TIMESTAMPTZ
            | oid::FLOAT4
            | oid::FLOAT8
            | oid::NUMERIC
            | oid::TEXT
            | oid::VARCHAR
            | oid::BPCHAR
            | oid::NAME
            | oid::UUID
            | oid::BYTEA
            | oid::MACADDR
            | oid::MACADDR8
            | oid::PG_LSN
            | oid::XID8
    );
    simple || t.element().is_some_and(knows)
}
/// A value's hash; without a seed the lower half counts.
pub(crate) fn value(d: &Datum, ty: Oid, seed: u64) -> Result<u64> {
    Ok(match d {
        Datum::Null => 0,
        Datum::Bool(b) => word(u32::from(*b), seed),
        Datum::Char(c) => word(*c as i8 as u32, seed),
        Datum::Int2(v) => word(i32::from(*v) as u32, seed),
        Datum::Int4(v) | Datum::Date(v) => word(*v as u32, seed),
        Datum::Oid(v) => word(*v, seed),
        Datum::Int8(v) | Datum::Time(v) | Datum::Timestamp(v) | Datum::TimestampTz(v) => long(*v, seed),
        Datum::Float4(v) => float(f64::from(*v), seed),
        Datum::Float8(v) => float(*v, seed),
        Datum::Numeric(n) => numeric(n, seed),
        Datum::Text(s) if ty == oid::BPCHAR => bytes(s.trim_end_matches(' ').as_bytes(), seed),
        Datum::Text(s) => bytes(s.as_bytes(), seed),
        Datum::Uuid(b) => bytes(b, seed),
        Datum::Bytea(b) if matches!(ty, oid::PG_LSN | oid::XID8) => long(pamir_types::octets::number(b) as i64, seed),
        Datum::Bytea(b) if matches!(ty, oid::BYTEA | oid::MACADDR | oid::MACADDR8) => bytes(b, seed),
        Datum::Array(a) => {
            let mut h = 1u64;
            for d in &a.items {
                work::charge(20)?;
                h = (h << 5).wrapping_sub(h).wrapping_add(value(d, a.elem, seed)?);
            }
            h
        }
        Datum::Record(fields) => {
            let mut h = 0u64;
            for (t, d) in fields.iter() {
                work::charge(20)?;
                h = (h << 5).wrapping_sub(h).wrapping_add(value(d, t.oid, seed)?);
            }
            h
        }
        Datum::Range(r) => range(r, seed)?,
        Datum::Multirange(m) => {
            let mut h = 1u64;
            for r in &m.ranges {
                h = (h << 5).wrapping_sub(h).wrapping_add(range(r, seed)?);
            }
            h
        }
        _ => {
            let shown = pamir_types::text::type_named(ty);
            return Err(Error::unsupported(format!("a hash of type {shown}")));
        }
    })
}
/// Both halves of a word are rotated by one bit, so that the lower one is what a 32-bit hash has.
fn range(r: &Range, seed: u64) -> Result<u64> {
    let sub = r.subtype().oid;
    let bound = |d: &Datum| if d.is_null() { Ok(0) } else { value(d, sub, seed) };
    let h = word(u32::from(r.flags()), seed) ^ bound(&r.lower.value)?;
    let h = h << 1 & 0xffff_fffe_ffff_fffe | h >> 31 & 0x1_0000_0001;
    Ok(h ^ bound(&r.upper.value)?)
}
fn hash(ci: &CallInfo, args: &[Datum]) -> Result<Datum> {
    let ty = |i: usize| ci.arg_types.get(i).map_or(oid::UNKNOWN, |t| t.oid);
    if let Some(s) = args.iter().find_map(|d| if let Datum::Text(s) = d { Some(s) } else { None }) {
        work::charge(s.len())?;
    }
    match args {
        [d] => Ok(Datum::Int4(value(d, ty(0), 0)? as u32 as i32)),
        [d, Datum::Int8(seed)] => Ok(Datum::Int8(value(d, ty(0), *seed as u64)? as i64)),
        _ => Err(bad_args("hash", args)),
    }
}

funcs! { pub FUNCS {
    hashchar raw = |ci, a, _| hash(ci, a);
    hashcharextended raw = |ci, a, _| hash(ci, a);
    hashint2 raw = |ci, a, _| hash(ci, a);
    hashint2extended raw = |ci, a, _| hash(ci, a);
    hashint4 raw = |ci, a, _| hash(ci, a);
    hashint4extended raw = |ci, a, _| hash(ci, a);
    hashint8 raw = |ci, a, _| hash(ci, a);
    hashint8extended raw = |ci, a, _| hash(ci, a);
    hashoid raw = |ci, a, _| hash(ci, a);
    hashoidextended raw = |ci, a, _| hash(ci, a);
    hashfloat4 raw = |ci, a, _| hash(ci, a);
    hashfloat4extended raw = |ci, a, _| hash(ci, a);
    hashfloat8 raw = |ci, a, _| hash(ci, a);
    hashfloat8extended raw = |ci, a, _| hash(ci, a);
    hashtext raw = |ci, a, _| hash(ci, a);
    hashtextextended raw = |ci, a, _| hash(ci, a);
    hashname raw = |ci, a, _| hash(ci, a);
    hashnameextended raw = |ci, a, _| hash(ci, a);
    hashbpchar raw = |ci, a, _| hash(ci, a);
    hashbpcharextended raw = |ci, a, _| hash(ci, a);
    hashmacaddr raw = |ci, a, _| hash(ci, a);
    hashmacaddrextended raw = |ci, a, _| hash(ci, a);
    hashmacaddr8 raw = |ci, a, _| hash(ci, a);
    hashmacaddr8extended raw = |ci, a, _| hash(ci, a);
    hash_numeric raw = |ci, a, _| hash(ci, a);
    hash_numeric_extended raw = |ci, a, _| hash(ci, a);
    hash_array raw = |ci, a, _| hash(ci, a);
    hash_array_extended raw = |ci, a, _| hash(ci, a);
    hash_record raw = |ci, a, _| hash(ci, a);
    hash_record_extended raw = |ci, a, _| hash(ci, a);
    hash_range raw = |ci, a, _| hash(ci, a);
    hash_range_extended raw = |ci, a, _| hash(ci, a);
    hash_multirange raw = |ci, a, _| hash(ci, a);
    hash_multirange_extended raw = |ci, a, _| hash(ci, a);
} }
