//! Frames: what a connection between nodes is made of, in bytes. All numbers are little-endian.
//!
//! ```text
//!  0         4         8      9       10              10 + length
//!  +---------+---------+------+-------+----------------+
//!  | length  | CRC-32  | kind | flags | payload        |
//!  +---------+---------+------+-------+----------------+
//!   u32       u32       u8     u8
//!             |         '------ of all this -----------'
//!             of kind, flags and payload
//!
//!  kind  1 Hello    hello.rs               first frame, both ways
//!        2 Refused  hello.rs               instead of an answer, or any time before the end
//!        3 Ping     u64 mark               answered at once
//!        4 Pong     u64 mark, i64 clock    the mark that came; microseconds since 1970 where it is answered
//!        5 Taken    u8 class, u64 bytes    so many of the class are no longer held where they were sent to (link.rs)
//!        6 Control  7 Log  8 Bulk          a message of the class, or a piece of one
//!        9 Request  10 Answer              of a connection made to ask one question; pieces as above
//!  flags bit 0: the message goes on in the next frame of this kind; the other bits are 0
//! ```
//! The header, Hello and Refused are read by every version that there will ever be: two versions with nothing in common tell each other so.
//!
//! *Invariants*: a payload has at most [`MAX_FRAME`] bytes; a length is believed only once its bytes are there (what waits grows with what came). A frame is wholly right or ends the
//! connection: nothing after a wrong CRC can be trusted to begin where it seems to.
use pamir_error::{Error, Result, err};

/// Bytes of a frame before its payload.
pub const HEADER: usize = 10;
/// The longest payload of one frame: longer messages go in pieces, and others between them.
pub const MAX_FRAME: usize = 64 << 10;
/// The message goes on in the next frame of this kind.
pub const MORE: u8 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    Hello = 1,
    Refused = 2,
    Ping = 3,
    Pong = 4,
    Taken = 5,
    Control = 6,
    Log = 7,
    Bulk = 8,
    Request = 9,
    Answer = 10,
}
impl Kind {
    fn of(byte: u8) -> Option<Kind> {
        use Kind::*;
        [Hello, Refused, Ping, Pong, Taken, Control, Log, Bulk, Request, Answer].into_iter().find(|k| *k as u8 == byte)
    }
}

/// Writes a frame; `payload` has at most [`MAX_FRAME`] bytes.
pub fn write(out: &mut Vec<u8>, kind: Kind, flags: u8, payload: &[u8]) {
    debug_assert!(payload.len() <= MAX_FRAME);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&[kind as u8, flags]);
    crc.update(payload);
    out.reserve(HEADER + payload.len());
    out.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    out.extend_from_slice(&crc.finalize().to_le_bytes());
    out.extend_from_slice(&[kind as u8, flags]);
    out.extend_from_slice(payload);
}

/// A frame at the start of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    pub kind: Kind,
    pub more: bool,
    pub payload: &'a [u8],
}
impl Frame<'_> {
    /// Bytes it takes on the wire.
    pub fn size(&self) -> usize {
        HEADER + self.payload.len()
    }
}

/// What the other side's bytes say that no node says.
pub fn violation(what: impl std::fmt::Display) -> Error {
    err!(PROTOCOL_VIOLATION, "the other node sent what the protocol does not have: {what}")
}

/// The frame at the start of `b`; None: it is not all there yet.
pub fn read(b: &[u8]) -> Result<Option<Frame<'_>>> {
    let Some((length, rest)) = b.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_FRAME {
        return Err(violation(format_args!("a frame of {length} bytes, where {MAX_FRAME} are allowed")));
    }
    let Some((crc, rest)) = rest.split_first_chunk::<4>() else { return Ok(None) };
    let Some(covered) = rest.get(..2 + length) else { return Ok(None) };
    if crc32fast::hash(covered) != u32::from_le_bytes(*crc) {
        return Err(violation("a frame with a wrong CRC"));
    }
    let [kind, flags, payload @ ..] = covered else { return Ok(None) };
    let Some(kind) = Kind::of(*kind) else {
        return Err(violation(format_args!("a frame of kind {kind}")));
    };
    if flags & !MORE != 0 {
        return Err(violation(format_args!("a frame with flags {flags:#x}")));
    }
    Ok(Some(Frame { kind, more: flags & MORE != 0, payload }))
}

/// Numbers and short texts at the start of a payload, one after the other.
pub struct Fields<'a>(pub &'a [u8]);
impl<'a> Fields<'a> {
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(n).ok_or_else(|| violation("a frame that ends too early"))?;
        self.0 = rest;
        Ok(bytes)
    }
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or_else(|| violation("a frame that ends too early"))?;
        self.0 = rest;
        Ok(*bytes)
    }
    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }
    pub fn i64(&mut self) -> Result<i64> {
        Ok(i64::from_le_bytes(self.array()?))
    }
    /// A text behind its length, as [`text`] writes it. It goes to logs and to people: what is no UTF-8 or a control character is shown as such.
    pub fn text(&mut self) -> Result<String> {
        let n = self.u16()?;
        let text = String::from_utf8_lossy(self.bytes(n.into())?);
        if !text.contains(char::is_control) {
            return Ok(text.into_owned());
        }
        let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        Ok(text.chars().map(shown).collect())
    }
}
/// Writes a text behind its length, cut at `max` bytes.
pub fn text(out: &mut Vec<u8>, text: &str, max: u16) {
    let text = &text[..text.floor_char_boundary(max.into())];
    out.extend_from_slice(&(text.len() as u16).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_in_bytes() {
        let mut out = Vec::new();
        write(&mut out, Kind::Log, MORE, b"abc");
        assert_eq!(out[..4], [3, 0, 0, 0]);
        assert_eq!(out[4..8], crc32fast::hash(b"\x07\x01abc").to_le_bytes());
        assert_eq!(out[8..], *b"\x07\x01abc");
        assert_eq!(read(&out).unwrap(), Some(Frame { kind: Kind::Log, more: true, payload: b"abc" }));
        for n in 0..out.len() {
            assert_eq!(read(&out[..n]).unwrap(), None);
        }
        // Every damaged bit is seen, but for those of the length, behind which more is waited for.
        for bit in 32..out.len() * 8 {
            let mut b = out.clone();
            b[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&b).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn what_no_frame_is() {
        let mut long = (MAX_FRAME as u32 + 1).to_le_bytes().to_vec();
        assert!(read(&long).is_err(), "a length over the limit is seen before anything else came");
        long[..4].copy_from_slice(&(MAX_FRAME as u32).to_le_bytes());
        assert_eq!(read(&long).unwrap(), None);
        for (kind, flags) in [(0, 0), (11, 0), (255, 0), (7, 2), (7, 0x80)] {
            let mut b = vec![0; 4];
            b.extend_from_slice(&crc32fast::hash(&[kind, flags]).to_le_bytes());
            b.extend_from_slice(&[kind, flags]);
            assert!(read(&b).is_err(), "kind {kind}, flags {flags}");
        }
    }

    #[test]
    fn texts_are_cut_and_cleaned() {
        let mut out = Vec::new();
        text(&mut out, "a\nb", 100);
        text(&mut out, "zürich", 2);
        out.extend_from_slice(&[2, 0, 0xff, b'x', 9, 0]);
        let mut f = Fields(&out);
        assert_eq!(f.text().unwrap(), "a\\nb");
        assert_eq!(f.text().unwrap(), "z");
        assert_eq!(f.text().unwrap(), "\u{fffd}x");
        assert!(f.text().is_err() && Fields(&[]).u64().is_err());
    }
}
