//! Numbers and strings as the node log and messages write them: integers little-endian or as LEB128 varints, strings with their length in front.
use pamir_error::{Error, Result, bail, err};

/// From this one on messages and records say their format (version.rs).
pub const SAYS_FORMAT: u64 = 2;
/// The bit of a kind behind which the format stands.
pub const FORMAT_BIT: u8 = 0x80;

/// 0A000: bytes of a later format than this program reads.
pub fn newer(what: &str, format: u64, reads: u64) -> Error {
    err!(FEATURE_NOT_SUPPORTED, "{what} has format {format}, which this program does not know")
        .detail(format!("It reads formats up to {reads}."))
        .hint("Start the build that wrote it, or a later one.")
}

pub fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
pub fn put_bytes(out: &mut Vec<u8>, b: &[u8]) {
    put_varint(out, b.len() as u64);
    out.extend_from_slice(b);
}

/// A kind, and from [`SAYS_FORMAT`] on the format behind it.
pub fn put_kind(out: &mut Vec<u8>, kind: u8, format: u64) {
    if format < SAYS_FORMAT {
        out.push(kind);
    } else {
        out.push(kind | FORMAT_BIT);
        put_varint(out, format);
    }
}

/// Reads what the functions above wrote. Whatever does not fit is an error that names `what`.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub rest: &'a [u8],
    what: &'static str,
}
impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], what: &'static str) -> Reader<'a> {
        Reader { rest: bytes, what }
    }
    pub fn damaged<T>(&self) -> Result<T> {
        bail!(DATA_CORRUPTED, "{} is damaged", self.what)
    }
    /// 0A000 where a version is later than what this program reads; XX001 where it is none.
    pub fn version(&mut self, reads: u8) -> Result<()> {
        match self.u8()? {
            v if v == reads => Ok(()),
            v if v > reads => Err(newer(self.what, v.into(), reads.into())),
            _ => self.damaged(),
        }
    }
    /// A kind, behind which its format may stand; 0A000 where that is above `newest`.
    pub fn kind(&mut self, newest: u64) -> Result<u8> {
        let kind = self.u8()?;
        if kind & FORMAT_BIT == 0 {
            return Ok(kind);
        }
        match self.varint()? {
            f if f > newest => Err(newer(self.what, f, newest)),
            f if f < SAYS_FORMAT => self.damaged(),
            _ => Ok(kind & !FORMAT_BIT),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
    pub fn u8(&mut self) -> Result<u8> {
        let Some((b, rest)) = self.rest.split_first() else { return self.damaged() };
        self.rest = rest;
        Ok(*b)
    }
    pub fn u32(&mut self) -> Result<u32> {
        let Some((b, rest)) = self.rest.split_first_chunk::<4>() else { return self.damaged() };
        self.rest = rest;
        Ok(u32::from_le_bytes(*b))
    }
    pub fn varint(&mut self) -> Result<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let b = self.u8()?;
            n |= ((b & 0x7f) as u64) << shift;
            if b < 0x80 {
                return Ok(n);
            }
        }
        self.damaged()
    }
    pub fn take(&mut self, n: u64) -> Result<&'a [u8]> {
        if n > self.rest.len() as u64 {
            return self.damaged();
        }
        let (b, rest) = self.rest.split_at(n as usize);
        self.rest = rest;
        Ok(b)
    }
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let n = self.varint()?;
        self.take(n)
    }
    pub fn string(&mut self) -> Result<String> {
        match std::str::from_utf8(self.bytes()?) {
            Ok(s) => Ok(s.to_string()),
            Err(_) => self.damaged(),
        }
    }
    /// A list: its length, then each by `f`. No longer than its bytes can hold.
    pub fn list<T>(&mut self, mut f: impl FnMut(&mut Reader<'a>) -> Result<T>) -> Result<Vec<T>> {
        let n = self.varint()?;
        if n > self.rest.len() as u64 {
            return self.damaged();
        }
        (0..n).map(|_| f(self)).collect()
    }
    /// Nothing follows.
    pub fn end(&self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { self.damaged() }
    }
}
/// Writes a list's length, then each of it by `f`.
pub fn put_list<T>(out: &mut Vec<u8>, items: &[T], mut f: impl FnMut(&mut Vec<u8>, &T)) {
    put_varint(out, items.len() as u64);
    items.iter().for_each(|i| f(out, i));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let mut out = Vec::new();
        for n in [0, 1, 127, 128, 1 << 32, u64::MAX] {
            put_varint(&mut out, n);
        }
        put_bytes(&mut out, b"text");
        put_list(&mut out, &[3u64, 4], |out, n| put_varint(out, *n));
        let mut r = Reader::new(&out, "a test");
        let numbers: Vec<u64> = (0..6).map(|_| r.varint().unwrap()).collect();
        assert_eq!(numbers, [0, 1, 127, 128, 1 << 32, u64::MAX]);
        assert_eq!((r.string().unwrap().as_str(), r.list(|r| r.varint()).unwrap()), ("text", vec![3, 4]));
        r.end().unwrap();
        for n in 0..out.len() {
            let mut r = Reader::new(&out[..n], "a test");
            let all = (0..6).try_for_each(|_| r.varint().map(drop)).and_then(|()| r.string().map(drop));
            assert!(all.and_then(|()| r.list(|r| r.varint()).map(drop)).is_err());
        }
        // A length that no bytes stand behind.
        assert!(Reader::new(&[0xff, 0xff, 0xff, 0xff, 0x0f], "a test").list(|r| r.u8()).is_err());
    }
}
