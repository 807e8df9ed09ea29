//! Frames of PostgreSQL's protocol 3.0 ("Message Formats"): finding them in a byte stream and reading their fields.
//!
//! ```text
//! startup packet:      | length: i32 | code: i32 | body ...      |     length counts itself
//! every later message: | type: u8 | length: i32 | body ...       |     length counts itself, not the type
//! ```
//! Nothing here allocates: a frame is a range of the input buffer, its fields are slices of it. A claimed length is
//! checked against the limit of its type before a single byte of it is waited for, and never reserved.
use pamir_types::encoding::{self, utf8};
use pamir_types::error::Severity;
use pamir_types::long::PIECE;
use pamir_types::{Error, Result, err, work};

/// Longest startup packet (PostgreSQL's MAX_STARTUP_PACKET_LENGTH).
pub const MAX_STARTUP_PACKET: usize = 10_000;
/// Longest message that carries a query, parameters or COPY data (PostgreSQL's PQ_LARGE_MESSAGE_LIMIT).
pub const MAX_LARGE_MESSAGE: usize = (1 << 30) - 1;
/// Longest of the other messages (PostgreSQL's PQ_SMALL_MESSAGE_LIMIT).
pub const MAX_SMALL_MESSAGE: usize = 10_000;
/// Longest password or SASL message.
pub const MAX_AUTH_MESSAGE: usize = 65_535;
/// Type byte and length word.
pub const HEADER: usize = 5;

/// Bytes that are searched in a nanosecond.
const SEARCH: usize = 16;

pub const SSL_REQUEST: u32 = 80_877_103;
pub const GSSENC_REQUEST: u32 = 80_877_104;
pub const CANCEL_REQUEST: u32 = 80_877_102;

/// A FATAL 08P01: the stream can no longer be trusted and the connection closes.
pub fn violation(message: impl Into<String>) -> Error {
    Error::new(pamir_types::error::state::PROTOCOL_VIOLATION, message).severity(Severity::Fatal)
}

/// What [`frame`] found at the start of the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// Not complete; at least this many bytes are needed in all before it can be.
    Partial(usize),
    /// A message of this type; `total` bytes with its header.
    Complete { kind: u8, total: usize },
}

fn be_u32(b: &[u8]) -> Option<u32> {
    b.first_chunk::<4>().map(|b| u32::from_be_bytes(*b))
}

/// The message that starts at `b`, while authentication runs (`authenticating`) or after it.
pub fn frame(b: &[u8], authenticating: bool) -> Result<Frame> {
    let Some((&kind, rest)) = b.split_first() else { return Ok(Frame::Partial(HEADER)) };
    // The type is judged before the length arrives: what is not a message must not be waited for.
    let max = if authenticating {
        match kind {
            b'p' => MAX_AUTH_MESSAGE,
            b'X' => MAX_SMALL_MESSAGE,
            k => return Err(violation(format!("expected SASL response, got message type {k}"))),
        }
    } else {
        match kind {
            b'Q' | b'P' | b'B' | b'F' | b'd' => MAX_LARGE_MESSAGE,
            b'C' | b'D' | b'E' | b'H' | b'S' | b'X' | b'c' | b'f' => MAX_SMALL_MESSAGE,
            k => return Err(violation(format!("invalid frontend message type {k}"))),
        }
    };
    let Some(len) = be_u32(rest) else { return Ok(Frame::Partial(HEADER)) };
    let len = len as usize;
    if len < 4 || len > max {
        return Err(violation("invalid message length"));
    }
    let total = len + 1;
    Ok(if b.len() >= total { Frame::Complete { kind, total } } else { Frame::Partial(total) })
}

/// Length of the startup packet at `b`: complete (`Ok(Ok(total))`) or needing so many bytes (`Ok(Err(n))`).
pub fn startup_frame(b: &[u8]) -> Result<Result<usize, usize>> {
    let Some(len) = be_u32(b) else { return Ok(Err(8)) };
    let len = len as usize;
    if !(8..=MAX_STARTUP_PACKET).contains(&len) {
        return Err(violation("invalid length of startup packet"));
    }
    Ok(if b.len() >= len { Ok(len) } else { Err(len) })
}

/// Reads the fields of one message body.
#[derive(Clone, Copy)]
pub struct Body<'a>(&'a [u8]);

fn short() -> Error {
    err!(PROTOCOL_VIOLATION, "insufficient data left in message")
}

impl<'a> Body<'a> {
    pub fn new(b: &'a [u8]) -> Body<'a> {
        Body(b)
    }
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(short)?;
        self.0 = tail;
        Ok(head)
    }
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk::<N>().ok_or_else(short)?;
        self.0 = tail;
        Ok(*head)
    }
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.chunk::<1>()?[0])
    }
    pub fn i16(&mut self) -> Result<i16> {
        Ok(i16::from_be_bytes(self.chunk()?))
    }
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.chunk()?))
    }
    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.chunk()?))
    }
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.chunk()?))
    }
    /// A zero-terminated string, without the zero.
    pub fn cstr(&mut self) -> Result<&'a str> {
        // A loader's query text is long: this searches a word at a time.
        let end = std::ffi::CStr::from_bytes_until_nul(self.0)
            .map_err(|_| err!(PROTOCOL_VIOLATION, "invalid string in message"))?
            .count_bytes();
        let (head, tail) = self.0.split_at(end);
        self.0 = &tail[1..];
        utf8(head)
    }
    /// Appends a zero-terminated string to `text`: one that is long in pieces, with breaths between.
    pub fn cstr_into(&mut self, text: &mut String) -> Result<()> {
        if self.0.len() <= PIECE {
            text.push_str(self.cstr()?);
            return Ok(());
        }
        let mut end = 0;
        let found = self.0.chunks(PIECE).find_map(|piece| match std::ffi::CStr::from_bytes_until_nul(piece) {
            Ok(s) => Some(Ok(end + s.count_bytes())),
            Err(_) => {
                end += piece.len();
                work::charge(piece.len() / SEARCH).err().map(Err)
            }
        });
        let end = found.ok_or_else(|| err!(PROTOCOL_VIOLATION, "invalid string in message"))??;
        let (head, tail) = self.0.split_at(end);
        self.0 = tail.get(1..).unwrap_or_default();
        encoding::append_utf8(text, head)
    }
    /// A length-prefixed value; None for length -1 (NULL).
    pub fn value(&mut self) -> Result<Option<&'a [u8]>> {
        match self.i32()? {
            -1 => Ok(None),
            n => Ok(Some(self.take(usize::try_from(n).map_err(|_| short())?)?)),
        }
    }
    /// 08P01 unless everything was read.
    pub fn end(&self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(err!(PROTOCOL_VIOLATION, "invalid message format")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Found = (Vec<(u8, Vec<u8>)>, Option<String>, usize);
    /// All messages of `b`, or the error that ends it; and what is left over.
    fn messages(b: &[u8]) -> Found {
        let (mut at, mut out) = (0, Vec::new());
        loop {
            match frame(&b[at..], false) {
                Ok(Frame::Complete { kind, total }) => {
                    out.push((kind, b[at + HEADER..at + total].to_vec()));
                    at += total;
                }
                Ok(Frame::Partial(_)) => return (out, None, at),
                Err(e) => return (out, Some(e.message().to_string()), at),
            }
        }
    }

    fn message() -> impl Strategy<Value = Vec<u8>> {
        (prop::sample::select(b"QPBEDCHSXdcf".to_vec()), prop::collection::vec(any::<u8>(), 0..200)).prop_map(
            |(kind, body)| {
                let mut v = vec![kind];
                v.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
                v.extend_from_slice(&body);
                v
            },
        )
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(b in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = messages(&b);
            let _ = startup_frame(&b);
            let _ = frame(&b, true);
            let mut body = Body::new(&b);
            while body.value().is_ok_and(|v| v.is_some()) {}
            let _ = (body.cstr(), body.i16(), body.u16(), body.i32(), body.u32(), body.u8(), body.end());
        }

        #[test]
        fn any_split_gives_the_same_messages(
            all in prop::collection::vec(message(), 0..12),
            tail in prop::collection::vec(any::<u8>(), 0..8),
            cuts in prop::collection::vec(1usize..64, 1..40),
        ) {
            let mut stream = all.concat();
            stream.extend_from_slice(&tail);
            let whole = messages(&stream);
            // Fed piece by piece, keeping only what is not yet consumed.
            let (mut buf, mut got, mut error, mut at) = (Vec::new(), Vec::new(), None, 0);
            let mut cuts = cuts.iter().cycle();
            while at < stream.len() && error.is_none() {
                let n = (*cuts.next().unwrap()).min(stream.len() - at);
                buf.extend_from_slice(&stream[at..at + n]);
                at += n;
                let (m, e, used) = messages(&buf);
                got.extend(m);
                error = e;
                buf.drain(..used);
            }
            prop_assert_eq!(&got, &whole.0);
            prop_assert_eq!(&error, &whole.1);
        }
    }

    #[test]
    fn lengths_are_limited() {
        let claim = |kind: u8, len: u32| {
            let mut v = vec![kind];
            v.extend_from_slice(&len.to_be_bytes());
            v
        };
        assert_eq!(frame(&claim(b'Q', 1 << 20), false).unwrap(), Frame::Partial((1 << 20) + 1));
        assert_eq!(frame(&claim(b'Q', u32::MAX), false).unwrap_err().message(), "invalid message length");
        assert_eq!(frame(&claim(b'Q', 3), false).unwrap_err().message(), "invalid message length");
        assert_eq!(frame(&claim(b'S', 20_000), false).unwrap_err().message(), "invalid message length");
        let e = frame(b"z", false).unwrap_err();
        assert_eq!(
            (e.code().as_str(), e.message(), e.data().severity),
            ("08P01", "invalid frontend message type 122", Severity::Fatal)
        );
        assert!(startup_frame(&10_001u32.to_be_bytes()).is_err());
        assert!(startup_frame(&7u32.to_be_bytes()).is_err());
        assert_eq!(startup_frame(&8u32.to_be_bytes()).unwrap(), Err(8));
    }

    #[test]
    fn fields() {
        let mut b = Body::new(b"ab\0\x00\x00\x00\x02xy\xff\xff\xff\xff");
        assert_eq!(b.cstr().unwrap(), "ab");
        assert_eq!(b.value().unwrap(), Some(&b"xy"[..]));
        assert_eq!(b.value().unwrap(), None);
        b.end().unwrap();
        assert_eq!(Body::new(b"ab").cstr().unwrap_err().message(), "invalid string in message");
        assert_eq!(Body::new(b"\x00\x00\x00\x05x").value().unwrap_err().message(), "insufficient data left in message");
        assert_eq!(Body::new(b"\xff\xff\xff\xfe").value().unwrap_err().code().as_str(), "08P01");
        assert_eq!(utf8(b"a\xe3\x81").unwrap_err().message(), "invalid byte sequence for encoding \"UTF8\": 0xe3 0x81");
    }
}
