//! A numeric's bytes in rows, in keys and on the wire.
//!
//! ```text
//! row    scale u16 LE | mantissa: two's complement, little-endian, fewest bytes (none for zero)
//!        scale ffff NaN, fffe +infinity, fffd -infinity
//! key    class | exponent | digits | 00           memcmp order; one value has one key whatever its scale
//!        class 01 -inf, 02 negative, 03 zero, 04 positive, 05 +inf, 06 NaN; only 02 and 04 go on, and all bytes after 02
//!        are complemented.
//!        The value is 0.d1d2d3.. * 10^exponent with d1 not 0 and no zeros at the end.
//!        exponent -62..=62: one byte, 80 + exponent; less: 08 and 3 bytes; more: f0 and 3 bytes (biased by 2^23)
//!        digits: two a byte, 1 + 10 * d1 + d2 (01..64)
//! wire   see binary.rs
//! ```
use super::{MAX_SCALE, Numeric, pow10};
use crate::{Result, bail};
use num_bigint::{BigInt, Sign};

const ROW_NAN: u16 = 0xffff;
const ROW_POS_INF: u16 = 0xfffe;
const ROW_NEG_INF: u16 = 0xfffd;

const KEY_NEG_INF: u8 = 1;
const KEY_NEGATIVE: u8 = 2;
const KEY_ZERO: u8 = 3;
const KEY_POSITIVE: u8 = 4;
const KEY_POS_INF: u8 = 5;
const KEY_NAN: u8 = 6;
const KEY_SHORT_EXP: i64 = 62;
const KEY_EXP_LOW: u8 = 0x08;
const KEY_EXP_HIGH: u8 = 0xf0;

const WIRE_POSITIVE: u16 = 0;
const WIRE_NEGATIVE: u16 = 0x4000;
const WIRE_NAN: u16 = 0xc000;
const WIRE_POS_INF: u16 = 0xd000;
const WIRE_NEG_INF: u16 = 0xf000;
/// The dscale PostgreSQL happens to send with an infinity.
const WIRE_INF_DSCALE: u16 = 32;
const NBASE: u16 = 10_000;

impl Numeric {
    pub(crate) fn encode_row(&self, out: &mut Vec<u8>) {
        match self {
            Numeric::Small(m, s) => {
                out.extend_from_slice(&s.to_le_bytes());
                let bits = 64 - if *m < 0 { m.leading_ones() } else { m.leading_zeros() };
                let len = if *m == 0 { 0 } else { bits as usize / 8 + 1 };
                out.extend_from_slice(&m.to_le_bytes()[..len]);
            }
            Numeric::Big(b) => {
                out.extend_from_slice(&b.1.to_le_bytes());
                out.extend_from_slice(&b.0.to_signed_bytes_le());
            }
            Numeric::NaN => out.extend_from_slice(&ROW_NAN.to_le_bytes()),
            Numeric::PosInf => out.extend_from_slice(&ROW_POS_INF.to_le_bytes()),
            Numeric::NegInf => out.extend_from_slice(&ROW_NEG_INF.to_le_bytes()),
        }
    }
    /// A finite value that fits a machine word, from its bytes in a row; None: it is another, or damaged.
    #[inline]
    pub fn small_of_row(b: &[u8]) -> Option<Numeric> {
        let (head, m) = b.split_first_chunk::<2>()?;
        let scale = u16::from_le_bytes(*head);
        if m.len() > 8 || i64::from(scale) > MAX_SCALE {
            return None;
        }
        let fill = if m.last().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
        let mut bytes = [fill; 8];
        bytes[..m.len()].copy_from_slice(m);
        Some(Numeric::Small(i64::from_le_bytes(bytes), scale))
    }
    pub(crate) fn decode_row(b: &[u8]) -> Option<Numeric> {
        let (head, m) = b.split_first_chunk::<2>()?;
        match u16::from_le_bytes(*head) {
            ROW_NAN if m.is_empty() => Some(Numeric::NaN),
            ROW_POS_INF if m.is_empty() => Some(Numeric::PosInf),
            ROW_NEG_INF if m.is_empty() => Some(Numeric::NegInf),
            s if s as i64 > MAX_SCALE => None,
            _ if m.len() <= 8 => Numeric::small_of_row(b),
            s => Some(Numeric::from_parts(BigInt::from_signed_bytes_le(m), s)),
        }
    }

    pub(crate) fn encode_key(&self, out: &mut Vec<u8>) {
        let class = match self {
            Numeric::NaN => KEY_NAN,
            Numeric::PosInf => KEY_POS_INF,
            Numeric::NegInf => KEY_NEG_INF,
            n => match n.sign() {
                0 => KEY_ZERO,
                1 => KEY_POSITIVE,
                _ => KEY_NEGATIVE,
            },
        };
        out.push(class);
        if !matches!(class, KEY_POSITIVE | KEY_NEGATIVE) {
            return;
        }
        let at = out.len();
        let mut buf = [0u8; 20];
        let text;
        let digits = self.ascii_digits(&mut buf);
        let digits = match digits {
            Ok(d) => d,
            Err(big) => {
                text = big;
                text.as_bytes()
            }
        };
        let exp = digits.len() as i64 - self.scale() as i64;
        if (-KEY_SHORT_EXP..=KEY_SHORT_EXP).contains(&exp) {
            out.push((0x80 + exp) as u8);
        } else {
            out.push(if exp < 0 { KEY_EXP_LOW } else { KEY_EXP_HIGH });
            out.extend_from_slice(&((exp + (1 << 23)) as u32).to_be_bytes()[1..]);
        }
        let end = digits.iter().rposition(|d| *d != b'0').map_or(0, |p| p + 1);
        for pair in digits[..end].chunks(2) {
            let low = pair.get(1).map_or(0, |d| d - b'0');
            out.push(1 + 10 * (pair[0] - b'0') + low);
        }
        out.push(0);
        if class == KEY_NEGATIVE {
            for b in &mut out[at..] {
                *b = !*b;
            }
        }
    }
    /// What the bytes after `class` are complemented with; None when there are none.
    pub(crate) fn key_flip(class: u8) -> Option<u8> {
        match class {
            KEY_POSITIVE => Some(0),
            KEY_NEGATIVE => Some(0xff),
            _ => None,
        }
    }
    /// Bytes that follow the exponent's first.
    pub(crate) fn key_exponent_extra(b: u8) -> usize {
        if matches!(b, KEY_EXP_LOW | KEY_EXP_HIGH) { 3 } else { 0 }
    }

    /// The mantissa's decimal digits: in `buf` for Small (nothing for zero), as a String for Big.
    fn ascii_digits<'b>(&self, buf: &'b mut [u8; 20]) -> Result<&'b [u8], String> {
        match self {
            Numeric::Small(m, _) => {
                let mut at = buf.len();
                let mut n = m.unsigned_abs();
                while n > 0 {
                    at -= 1;
                    buf[at] = b'0' + (n % 10) as u8;
                    n /= 10;
                }
                Ok(&buf[at..])
            }
            Numeric::Big(b) => Err(b.0.magnitude().to_string()),
            _ => Ok(&buf[20..]),
        }
    }

    /// numeric_send.
    /// Digits of base 10,000 as PostgreSQL keeps them, without zeros at either end, and the weight of the first. No digits: zero, or no number.
    pub fn wire_digits(&self) -> (Vec<i16>, i16) {
        let mut wire = Vec::with_capacity(32);
        self.to_wire(&mut wire);
        let word = |i: usize| wire.get(i..i + 2).map_or(0, |b| i16::from_be_bytes([b[0], b[1]]));
        let digits = (0..word(0) as usize).map(|i| word(8 + 2 * i)).collect();
        (digits, word(2))
    }
    /// Bytes of PostgreSQL's own form, its header of four included (numeric.c, make_result).
    pub(crate) fn varlena_size(&self) -> usize {
        let mut wire = Vec::with_capacity(32);
        self.to_wire(&mut wire);
        let word = |i: usize| wire.get(i..i + 2).map_or(0, |b| i16::from_be_bytes([b[0], b[1]]));
        let (digits, weight, dscale) = (word(0) as usize, word(2), word(6));
        let short = (-64..=63).contains(&weight) && dscale <= 0x3f;
        4 + if short { 2 } else { 4 } + 2 * digits
    }
    pub(crate) fn to_wire(&self, out: &mut Vec<u8>) {
        let mut put = |v: u16| out.extend_from_slice(&v.to_be_bytes());
        let special = match self {
            Numeric::NaN => Some((WIRE_NAN, 0)),
            Numeric::PosInf => Some((WIRE_POS_INF, WIRE_INF_DSCALE)),
            Numeric::NegInf => Some((WIRE_NEG_INF, WIRE_INF_DSCALE)),
            _ => None,
        };
        if let Some((sign, dscale)) = special {
            [0, 0, sign, dscale].into_iter().for_each(put);
            return;
        }
        let mut buf = [0u8; 20];
        let text;
        let digits = match self.ascii_digits(&mut buf) {
            Ok(d) => d,
            Err(big) => {
                text = big;
                text.as_bytes()
            }
        };
        let end = digits.iter().rposition(|d| *d != b'0').map_or(0, |p| p + 1);
        let scale = self.scale();
        if end == 0 {
            [0, 0, WIRE_POSITIVE, scale].into_iter().for_each(put);
            return;
        }
        // The decimal exponent of the first digit, and the base-10000 digit it belongs to.
        let exp = digits.len() as i64 - 1 - scale as i64;
        let weight = exp.div_euclid(4);
        let lead = (exp - 4 * weight + 1) as usize;
        let groups = 1 + end.saturating_sub(lead).div_ceil(4);
        put(groups as u16);
        put(weight as i16 as u16);
        put(if self.sign() < 0 { WIRE_NEGATIVE } else { WIRE_POSITIVE });
        put(scale);
        let mut at = 0;
        let mut want = lead;
        for _ in 0..groups {
            let mut v = 0;
            for _ in 0..want {
                v = v * 10 + digits.get(at).map_or(0, |d| (d - b'0') as u16);
                at += 1;
            }
            put(v);
            want = 4;
        }
    }
    /// numeric_recv: `digits` is big-endian u16s in base 10000.
    pub(crate) fn from_wire(weight: i16, sign: u16, dscale: u16, digits: &[u8]) -> Result<Numeric> {
        match sign {
            WIRE_POSITIVE | WIRE_NEGATIVE => {}
            WIRE_NAN => return Ok(Numeric::NaN),
            WIRE_POS_INF => return Ok(Numeric::PosInf),
            WIRE_NEG_INF => return Ok(Numeric::NegInf),
            _ => bail!(INVALID_BINARY_REPRESENTATION, "invalid sign in external \"numeric\" value"),
        }
        if dscale as i64 > MAX_SCALE {
            bail!(INVALID_BINARY_REPRESENTATION, "invalid scale in external \"numeric\" value");
        }
        let mut m = BigInt::default();
        let mut small = 0u64;
        let count = digits.len() as i64 / 2;
        let mut text = Vec::new();
        for d in digits.chunks_exact(2) {
            let d = u16::from_be_bytes([d[0], d[1]]);
            if d >= NBASE {
                bail!(INVALID_BINARY_REPRESENTATION, "invalid digit in external \"numeric\" value");
            }
            if count <= 4 {
                small = small * NBASE as u64 + d as u64;
            } else {
                text.extend_from_slice(format!("{d:04}").as_bytes());
            }
        }
        if count <= 4 {
            m += small;
        } else if let Some(v) = BigInt::parse_bytes(&text, 10) {
            m = v;
        }
        if m.sign() == Sign::NoSign {
            return Ok(Numeric::Small(0, dscale));
        }
        // m * 10^shift is the mantissa at dscale digits; digits beyond dscale are cut off, as trunc_var does.
        let shift = 4 * (weight as i64 - (count - 1)) + dscale as i64;
        if shift >= 0 {
            m *= pow10(shift as u32);
        } else if -shift > 4 * count {
            m = BigInt::default();
        } else {
            m /= pow10(-shift as u32);
        }
        Numeric::from_parts(if sign == WIRE_NEGATIVE { -m } else { m }, dscale).check()
    }
}
