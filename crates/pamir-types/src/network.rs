//! Addresses of hosts and networks: inet and cidr (network.c, inet_net_pton.c, inet_net_ntop.c).
//!
//! In memory they are [`crate::Datum::Bytea`], laid out so that bytes order as PostgreSQL's network_cmp does (family, network, length of its prefix, address);
//! so order, equality, hash, keys and rows are those of bytes:
//!
//! ```text
//! 2 or 3 | the address with what is behind its prefix cleared, 4 or 16 bytes | bits of the prefix | the address, 4 or 16 bytes
//! ```
//! A cidr is an inet whose address has nothing behind its prefix; the type alone tells them apart. An [`Inet`] is one taken apart.
use crate::oid::{self, Oid};
use crate::{Error, Result, bail, err};
use std::fmt::Write;

/// PostgreSQL's numbers of the families, which the binary format has.
pub const V4: u8 = 2;
pub const V6: u8 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inet {
    pub family: u8,
    pub bits: u8,
    /// The first four of them where the family is [`V4`].
    pub addr: [u8; 16],
}
pub fn is_network(ty: Oid) -> bool {
    matches!(ty, oid::INET | oid::CIDR)
}
fn type_name(ty: Oid) -> &'static str {
    if ty == oid::CIDR { "cidr" } else { "inet" }
}

impl Inet {
    pub fn new(family: u8, bits: u8, octets: &[u8]) -> Inet {
        let mut addr = [0; 16];
        for (a, o) in addr.iter_mut().zip(octets) {
            *a = *o;
        }
        Inet { family, bits, addr }
    }
    /// Octets of an address.
    pub fn size(&self) -> usize {
        if self.family == V4 { 4 } else { 16 }
    }
    pub fn max_bits(&self) -> u8 {
        if self.family == V4 { 32 } else { 128 }
    }
    pub fn octets(&self) -> &[u8] {
        &self.addr[..self.size()]
    }
    /// The octet `i` of a mask of the prefix.
    pub fn mask(&self, i: usize) -> u8 {
        let set = usize::from(self.bits).saturating_sub(8 * i).min(8);
        !(0xffu16 >> set) as u8
    }
    /// Octet by octet, which may look at the mask.
    pub fn map(&self, f: impl Fn(u8, u8) -> u8) -> Inet {
        let made: Vec<u8> = self.octets().iter().enumerate().map(|(i, a)| f(*a, self.mask(i))).collect();
        Inet::new(self.family, self.bits, &made)
    }
    /// Without what is behind the prefix: a cidr.
    pub fn network(&self) -> Inet {
        self.map(|a, m| a & m)
    }
    pub fn with_bits(&self, bits: u8) -> Inet {
        Inet { bits, ..*self }
    }
    /// How many of the first `most` bits two addresses have in common.
    pub fn common_bits(&self, other: &Inet, most: u8) -> u8 {
        let mut n = 0;
        for (a, b) in self.octets().iter().zip(other.octets()) {
            let same = (a ^ b).leading_zeros() as u8;
            n += same;
            if same < 8 || n >= most {
                break;
            }
        }
        n.min(most)
    }
    /// `<<=`, and `<<` where the prefix is longer too.
    pub fn within(&self, other: &Inet, strictly: bool) -> bool {
        self.family == other.family
            && (self.bits > other.bits || !strictly && self.bits == other.bits)
            && self.common_bits(other, other.bits) == other.bits
    }
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 + 2 * self.size());
        out.push(self.family);
        out.extend_from_slice(self.network().octets());
        out.push(self.bits);
        out.extend_from_slice(self.octets());
        out
    }
    /// None: no value of these types.
    pub fn unpack(v: &[u8]) -> Option<Inet> {
        let (family, rest) = v.split_first()?;
        let size = match *family {
            V4 => 4,
            V6 => 16,
            _ => return None,
        };
        let (bits, octets) = rest.get(size..)?.split_first()?;
        let out = Inet::new(*family, *bits, octets);
        (octets.len() == size && *bits <= out.max_bits()).then_some(out)
    }

    // ---- text ----------------------------------------------------------------------------------------------------

    pub fn parse(s: &str, ty: Oid) -> Result<Inet> {
        let bad = || err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type {}: \"{s}\"", type_name(ty));
        let v = match (s.contains(':'), ty) {
            (true, _) => v6(s),
            (_, oid::CIDR) => cidr_v4(s.as_bytes()),
            _ => inet_v4(s.as_bytes()),
        };
        let v = v.ok_or_else(bad)?;
        if ty == oid::CIDR && v.network() != v {
            return Err(err!(INVALID_TEXT_REPRESENTATION, "invalid cidr value: \"{s}\"")
                .detail("Value has bits set to right of mask."));
        }
        Ok(v)
    }
    /// The address alone.
    pub fn host(&self) -> String {
        if self.family == V4 {
            let o = self.octets();
            return format!("{}.{}.{}.{}", o[0], o[1], o[2], o[3]);
        }
        format_v6(&self.addr)
    }
    /// With the length of the prefix, always.
    pub fn full(&self) -> String {
        format!("{}/{}", self.host(), self.bits)
    }
    /// inet_out; cidr_out is [`Inet::full`].
    pub fn short(&self) -> String {
        if self.bits == self.max_bits() { self.host() } else { self.full() }
    }
    /// What abbrev(cidr) gives: octets behind the prefix are left out.
    pub fn abbreviated(&self) -> String {
        let mut out = if self.family == V4 { self.abbreviated_v4() } else { self.abbreviated_v6() };
        let _ = write!(out, "/{}", self.bits);
        out
    }
    fn abbreviated_v4(&self) -> String {
        let shown = usize::from(self.bits).div_ceil(8).max(1);
        let net = self.network();
        net.octets()[..shown].iter().map(u8::to_string).collect::<Vec<_>>().join(".")
    }
    /// inet_cidr_ntop_ipv6, in its own order.
    fn abbreviated_v6(&self) -> String {
        if self.bits == 0 {
            return "::".into();
        }
        let net = self.network();
        let s = net.octets();
        let words = usize::from(self.bits).div_ceil(16).max(2);
        let word = |p: usize| u16::from(s[2 * p]) << 8 | u16::from(s[2 * p + 1]);
        let (begin, len) = longest_zeros(words, &word);
        let v4 = len != words
            && begin == 0
            && (len == 6 || len == 5 && word(5) == 0xffff || len == 7 && s[14] != 0 && s[15] != 1);
        let mut out = String::new();
        for p in 0..words {
            if len != 0 && (begin..begin + len).contains(&p) {
                if p == begin {
                    out.push(':');
                }
                if p == words - 1 {
                    out.push(':');
                }
            } else if v4 && p > 5 {
                let _ = write!(out, "{}{}", if p == 6 { ':' } else { '.' }, s[2 * p]);
                if p != 7 || self.bits > 120 {
                    let _ = write!(out, ".{}", s[2 * p + 1]);
                }
            } else {
                if !out.is_empty() {
                    out.push(':');
                }
                let _ = write!(out, "{:x}", word(p));
            }
        }
        out
    }

    // ---- binary --------------------------------------------------------------------------------------------------

    pub fn encode(&self, ty: Oid, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.family, self.bits, u8::from(ty == oid::CIDR), self.size() as u8]);
        out.extend_from_slice(self.octets());
    }
    /// network_recv: of exactly these bytes.
    pub fn decode(b: &[u8], ty: Oid) -> Result<Inet> {
        let name = type_name(ty);
        let (head, octets) =
            b.split_first_chunk::<4>().ok_or_else(|| err!(PROTOCOL_VIOLATION, "insufficient data left in message"))?;
        let [family, bits, _, size] = *head;
        if !matches!(family, V4 | V6) {
            bail!(INVALID_BINARY_REPRESENTATION, "invalid address family in external \"{name}\" value");
        }
        let v = Inet::new(family, bits, octets);
        if bits > v.max_bits() {
            bail!(INVALID_BINARY_REPRESENTATION, "invalid bits in external \"{name}\" value");
        }
        if usize::from(size) != v.size() {
            bail!(INVALID_BINARY_REPRESENTATION, "invalid length in external \"{name}\" value");
        }
        if octets.len() < v.size() {
            bail!(PROTOCOL_VIOLATION, "insufficient data left in message");
        }
        if octets.len() > v.size() {
            bail!(INVALID_BINARY_REPRESENTATION, "incorrect binary data format");
        }
        if ty == oid::CIDR && v.network() != v {
            return Err(err!(INVALID_BINARY_REPRESENTATION, "invalid external \"cidr\" value")
                .detail("Value has bits set to right of mask."));
        }
        Ok(v)
    }
}
/// Not a value: rows and callers that are broken.
pub fn corrupt() -> Error {
    err!(DATA_CORRUPTED, "corrupted network address")
}

/// Where the longest run of words that are zero begins, and how long it is.
fn longest_zeros(words: usize, word: &dyn Fn(usize) -> u16) -> (usize, usize) {
    let (mut best, mut run) = ((0, 0), (0, 0));
    for p in 0..words {
        if word(p) != 0 {
            run = (0, 0);
            continue;
        }
        run = if run.1 == 0 { (p, 1) } else { (run.0, run.1 + 1) };
        if run.1 > best.1 {
            best = run;
        }
    }
    best
}
/// inet_net_ntop_ipv6 without the length.
fn format_v6(addr: &[u8; 16]) -> String {
    let word = |p: usize| u16::from(addr[2 * p]) << 8 | u16::from(addr[2 * p + 1]);
    let (begin, len) = longest_zeros(8, &word);
    let zeros = if len >= 2 { begin..begin + len } else { 0..0 };
    let mut out = String::new();
    for p in 0..8 {
        if zeros.contains(&p) {
            if p == zeros.start {
                out.push(':');
            }
            continue;
        }
        if p != 0 {
            out.push(':');
        }
        let v4 = len >= 2 && begin == 0 && (len == 6 || len == 7 && word(7) != 1 || len == 5 && word(5) == 0xffff);
        if p == 6 && v4 {
            let _ = write!(out, "{}.{}.{}.{}", addr[12], addr[13], addr[14], addr[15]);
            return out;
        }
        let _ = write!(out, "{:x}", word(p));
    }
    if zeros.end == 8 {
        out.push(':');
    }
    out
}

/// Digits from `at` on as a number of at most `max`; None also where there are none.
fn decimal(b: &[u8], at: &mut usize, max: u32) -> Option<u8> {
    let from = *at;
    let mut v = 0u32;
    while let Some(d) = b.get(*at).filter(|c| c.is_ascii_digit()) {
        v = v * 10 + u32::from(d - b'0');
        if v > max {
            return None;
        }
        *at += 1;
    }
    if *at == from { None } else { u8::try_from(v).ok() }
}
/// `/bits` to the end, if it is there: Some(None) where the text ends at `at`.
fn prefix(b: &[u8], at: usize, max: u32) -> Option<Option<u8>> {
    if at == b.len() {
        return Some(None);
    }
    let mut at = at + 1;
    if b.get(at - 1) != Some(&b'/') {
        return None;
    }
    let bits = decimal(b, &mut at, max)?;
    (at == b.len()).then_some(Some(bits))
}
/// inet_net_pton_ipv4: fewer than four octets with a length of a prefix that they cover; a dot may end them.
fn inet_v4(b: &[u8]) -> Option<Inet> {
    let mut octets = Vec::new();
    let mut at = 0;
    while b.get(at).is_some_and(u8::is_ascii_digit) {
        octets.push(decimal(b, &mut at, 255)?);
        if octets.len() > 4 {
            return None;
        }
        match b.get(at) {
            Some(b'.') => at += 1,
            None | Some(b'/') => break,
            _ => return None,
        }
    }
    let bits = match prefix(b, at, 32)? {
        Some(bits) => bits,
        None if octets.len() == 4 => 32,
        None => return None,
    };
    let fits = !octets.is_empty() && usize::from(bits / 8) <= octets.len();
    fits.then(|| Inet::new(V4, bits, &octets))
}
/// inet_cidr_pton_ipv4: what the length is without one says the class of the network.
fn cidr_v4(b: &[u8]) -> Option<Inet> {
    let mut octets = Vec::new();
    let mut at = 0;
    if let [b'0', b'x' | b'X', d, ..] = b
        && d.is_ascii_hexdigit()
    {
        at = 2;
        let digits: Vec<u8> = b[2..].iter().map_while(|c| (*c as char).to_digit(16)).map(|d| d as u8).take(9).collect();
        at += digits.len();
        octets.extend(digits.chunks(2).map(|p| p[0] << 4 | p.get(1).copied().unwrap_or(0)));
    } else {
        loop {
            octets.push(decimal(b, &mut at, 255)?);
            match b.get(at) {
                Some(b'.') => at += 1,
                None | Some(b'/') => break,
                _ => return None,
            }
        }
    }
    let first = *octets.first().filter(|_| octets.len() <= 4)?;
    let bits = match prefix(b, at, 32)? {
        Some(bits) => bits,
        None => {
            let class = match first {
                240.. => 32,
                224.. => 8,
                192.. => 24,
                128.. => 16,
                _ => 8,
            };
            let bits = class.max(8 * octets.len() as u8);
            if bits == 8 && first == 224 { 4 } else { bits }
        }
    };
    Some(Inet::new(V4, bits, &octets))
}
fn v6(s: &str) -> Option<Inet> {
    let (addr, bits) = match s.split_once('/') {
        Some((a, bits)) => {
            // No leading zeros here.
            let plain = bits.len() == 1 || !bits.starts_with('0');
            let mut at = 0;
            let n = decimal(bits.as_bytes(), &mut at, 128).filter(|_| plain && at == bits.len())?;
            (a, n)
        }
        None => (s, 128),
    };
    let addr: std::net::Ipv6Addr = addr.parse().ok()?;
    Some(Inet::new(V6, bits, &addr.octets()))
}
