//! Bit strings: bit and bit varying (varbit.c).
//!
//! A length in bits and the bits themselves, the first one highest in the first byte. What the last byte has beyond the length is zero, so that bytes compare
//! and hash as they are. Order: by bytes, then by length.
use crate::{Error, Result, Type, bail, err, memory, oid};
use std::cmp::Ordering;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    len: usize,
    bytes: Vec<u8>,
}
/// PostgreSQL's VARBITMAXLEN.
const MAX: usize = i32::MAX as usize - 8;

#[cold]
fn too_long() -> Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "bit string length exceeds the maximum allowed ({MAX})")
}
fn bad_digit(s: &str, at: usize, what: &str) -> Error {
    let c = s[at..].chars().next().unwrap_or(' ');
    err!(INVALID_TEXT_REPRESENTATION, "\"{c}\" is not a valid {what} digit")
}

impl Bits {
    pub fn zeros(len: usize) -> Result<Bits> {
        if len > MAX {
            return Err(too_long());
        }
        memory::admit(len.div_ceil(8))?;
        Ok(Bits { len, bytes: vec![0; len.div_ceil(8)] })
    }
    /// From bytes as they are stored; None where they are not of this length.
    pub fn from_bytes(len: usize, bytes: &[u8]) -> Option<Bits> {
        if bytes.len() != len.div_ceil(8) {
            return None;
        }
        let mut b = Bits { len, bytes: bytes.to_vec() };
        b.clear_rest();
        Some(b)
    }
    fn clear_rest(&mut self) {
        let used = self.len % 8;
        if used != 0
            && let Some(last) = self.bytes.last_mut()
        {
            *last &= 0xff << (8 - used);
        }
    }
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    pub fn get(&self, i: usize) -> bool {
        self.bytes.get(i / 8).is_some_and(|b| b & (0x80 >> (i % 8)) != 0)
    }
    pub fn set(&mut self, i: usize, on: bool) {
        if i < self.len
            && let Some(b) = self.bytes.get_mut(i / 8)
        {
            let bit = 0x80 >> (i % 8);
            if on { *b |= bit } else { *b &= !bit }
        }
    }
    pub fn compare(&self, other: &Bits) -> Ordering {
        let n = self.bytes.len().min(other.bytes.len());
        self.bytes[..n].cmp(&other.bytes[..n]).then(self.len.cmp(&other.len))
    }
    /// Bits `from` to before `to`, of those that there are.
    pub fn slice(&self, from: usize, to: usize) -> Bits {
        let to = to.min(self.len);
        let from = from.min(to);
        let mut out = self.shifted_left(from);
        out.resize(to - from);
        out
    }
    /// Cut, or filled up with zeros, at the end.
    pub fn resize(&mut self, len: usize) {
        self.len = len;
        self.bytes.resize(len.div_ceil(8), 0);
        self.clear_rest();
    }
    /// `<<`: the length stays.
    pub fn shifted_left(&self, by: usize) -> Bits {
        let mut out = Bits { len: self.len, bytes: vec![0; self.bytes.len()] };
        let (skip, shift) = (by / 8, by % 8);
        for (i, o) in out.bytes.iter_mut().enumerate() {
            let at = |i: usize| u16::from(self.bytes.get(i).copied().unwrap_or(0));
            *o = ((at(skip.saturating_add(i)) << 8 | at(skip.saturating_add(i + 1))) >> (8 - shift)) as u8;
        }
        out
    }
    /// `>>`
    pub fn shifted_right(&self, by: usize) -> Bits {
        let mut out = Bits { len: self.len, bytes: vec![0; self.bytes.len()] };
        let (skip, shift) = (by / 8, by % 8);
        for i in skip..out.bytes.len() {
            let before = if i > skip { self.bytes[i - skip - 1] } else { 0 };
            out.bytes[i] = ((u16::from(before) << 8 | u16::from(self.bytes[i - skip])) >> shift) as u8;
        }
        out.clear_rest();
        out
    }
    /// `||`
    pub fn concat(&self, other: &Bits) -> Result<Bits> {
        let len = self.len + other.len;
        if len > MAX {
            return Err(too_long());
        }
        memory::admit(len.div_ceil(8))?;
        let mut out = self.clone();
        out.resize(len);
        let (skip, shift) = (self.len / 8, self.len % 8);
        for (i, b) in other.bytes.iter().enumerate() {
            let wide = u16::from(*b) << (8 - shift);
            out.bytes[skip + i] |= (wide >> 8) as u8;
            if let Some(next) = out.bytes.get_mut(skip + i + 1) {
                *next |= wide as u8;
            }
        }
        Ok(out)
    }
    /// Bit by bit; `name`: what the operator is called where the lengths differ.
    pub fn combine(&self, other: &Bits, name: &str, f: impl Fn(u8, u8) -> u8) -> Result<Bits> {
        if self.len != other.len {
            bail!(STRING_DATA_LENGTH_MISMATCH, "cannot {name} bit strings of different sizes");
        }
        Ok(Bits { len: self.len, bytes: self.bytes.iter().zip(&other.bytes).map(|(a, b)| f(*a, *b)).collect() })
    }
    pub fn complement(&self) -> Bits {
        let mut out = Bits { len: self.len, bytes: self.bytes.iter().map(|b| !b).collect() };
        out.clear_rest();
        out
    }
    pub fn count(&self) -> i64 {
        self.bytes.iter().map(|b| i64::from(b.count_ones())).sum()
    }
    /// bitposition: where `sub` begins, from 1; 0: nowhere.
    pub fn position(&self, sub: &Bits) -> Result<usize> {
        if sub.is_empty() {
            return Ok(usize::from(self.len > 0));
        }
        if sub.len > self.len {
            return Ok(0);
        }
        for at in 0..=self.len - sub.len {
            crate::work::charge(1 + sub.bytes.len() / 8)?;
            if (0..sub.len).all(|i| self.get(at + i) == sub.get(i)) {
                return Ok(at + 1);
            }
        }
        Ok(0)
    }
    /// The lowest bits of a number; longer than it, its sign goes on.
    pub fn of_number(v: i64, len: usize) -> Result<Bits> {
        let mut out = Bits::zeros(len)?;
        if v < 0 {
            out.bytes.fill(0xff);
            out.clear_rest();
        }
        let digits = i64::BITS as usize;
        (0..digits.min(len)).for_each(|i| out.set(len - 1 - i, v >> i & 1 != 0));
        Ok(out)
    }
    /// As a number of up to 64 bits, without a sign.
    pub fn number(&self) -> u64 {
        (0..self.len).fold(0, |v, i| v << 1 | u64::from(self.get(i)))
    }

    /// bit_in, varbit_in: binary digits, also behind `b`, or hexadecimal ones behind `x`. `ty`: whose length counts.
    pub fn parse(s: &str, ty: Type) -> Result<Bits> {
        let (digits, hex) = match s.as_bytes().first() {
            Some(b'b' | b'B') => (&s[1..], false),
            Some(b'x' | b'X') => (&s[1..], true),
            _ => (s, false),
        };
        let len = if hex { digits.len().saturating_mul(4) } else { digits.len() };
        if len > MAX {
            return Err(too_long());
        }
        if ty.typmod > 0 {
            check_length(len, ty)?;
        }
        let mut out = Bits::zeros(len)?;
        for (i, c) in digits.bytes().enumerate() {
            if hex {
                let v = match c {
                    b'0'..=b'9' => c - b'0',
                    b'a'..=b'f' => c - b'a' + 10,
                    b'A'..=b'F' => c - b'A' + 10,
                    _ => return Err(bad_digit(digits, i, "hexadecimal")),
                };
                out.bytes[i / 2] |= if i % 2 == 0 { v << 4 } else { v };
            } else {
                match c {
                    b'0' => {}
                    b'1' => out.bytes[i / 8] |= 0x80 >> (i % 8),
                    _ => return Err(bad_digit(digits, i, "binary")),
                }
            }
        }
        if ty.oid == oid::BIT && ty.typmod > 0 {
            out.resize(ty.typmod as usize);
        }
        Ok(out)
    }
    pub fn format(&self, out: &mut Vec<u8>) {
        out.extend((0..self.len).map(|i| if self.get(i) { b'1' } else { b'0' }));
    }
    /// To a declared length: by an explicit cast cut or filled up, else 22026 and 22001.
    pub fn apply_typmod(self, ty: Type, explicit: bool) -> Result<Bits> {
        let Some(want) = usize::try_from(ty.typmod).ok().filter(|n| (1..=MAX).contains(n)) else { return Ok(self) };
        let fits = if ty.oid == oid::BIT { self.len == want } else { self.len <= want };
        if fits {
            return Ok(self);
        }
        if !explicit {
            check_length(self.len, ty)?;
        }
        let mut out = self;
        if ty.oid == oid::BIT && want > out.len {
            memory::admit(want.div_ceil(8))?;
        }
        out.resize(want);
        Ok(out)
    }
}
fn check_length(len: usize, ty: Type) -> Result<()> {
    let want = ty.typmod as usize;
    if ty.oid == oid::BIT && len != want {
        bail!(STRING_DATA_LENGTH_MISMATCH, "bit string length {len} does not match type bit({want})");
    }
    if len > want {
        bail!(STRING_DATA_RIGHT_TRUNCATION, "bit string too long for type bit varying({want})");
    }
    Ok(())
}
