//! Encodings of text: what is inside is UTF-8, what clients send and get is in the encoding of their choice (client_encoding).
//!
//! [`Encoding::decode`] and [`Encoding::encode`] convert as PostgreSQL 15 does: 22021 for bytes that are no character of the encoding, 22P05 for characters that the other one does not have.
//! SQL_ASCII stands for no conversion: bytes must be UTF-8 all the same. Not there: EUC_TW, EUC_JIS_2004, SHIFT_JIS_2004, JOHAB, GB18030.
use crate::long::{self, PIECE};
use crate::{Error, Oid, Result, err, memory, oid, work};
use std::borrow::Cow;
use std::sync::OnceLock;

mod double;
#[rustfmt::skip]
mod single;
use double::Double;

/// By PostgreSQL's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding(u8);

pub const SQL_ASCII: Encoding = Encoding(0);
pub const EUC_JP: Encoding = Encoding(1);
pub const EUC_CN: Encoding = Encoding(2);
pub const EUC_KR: Encoding = Encoding(3);
pub const UTF8: Encoding = Encoding(6);
pub const SJIS: Encoding = Encoding(35);
pub const BIG5: Encoding = Encoding(36);
pub const GBK: Encoding = Encoding(37);
pub const UHC: Encoding = Encoding(38);
const MULE_INTERNAL: Encoding = Encoding(7);

/// Names by number, and the most bytes of a character.
const NAMES: [(&str, u8); 42] = [
    ("SQL_ASCII", 1),
    ("EUC_JP", 3),
    ("EUC_CN", 2),
    ("EUC_KR", 3),
    ("EUC_TW", 4),
    ("EUC_JIS_2004", 3),
    ("UTF8", 4),
    ("MULE_INTERNAL", 4),
    ("LATIN1", 1),
    ("LATIN2", 1),
    ("LATIN3", 1),
    ("LATIN4", 1),
    ("LATIN5", 1),
    ("LATIN6", 1),
    ("LATIN7", 1),
    ("LATIN8", 1),
    ("LATIN9", 1),
    ("LATIN10", 1),
    ("WIN1256", 1),
    ("WIN1258", 1),
    ("WIN866", 1),
    ("WIN874", 1),
    ("KOI8R", 1),
    ("WIN1251", 1),
    ("WIN1252", 1),
    ("ISO_8859_5", 1),
    ("ISO_8859_6", 1),
    ("ISO_8859_7", 1),
    ("ISO_8859_8", 1),
    ("WIN1250", 1),
    ("WIN1253", 1),
    ("WIN1254", 1),
    ("WIN1255", 1),
    ("WIN1257", 1),
    ("KOI8U", 1),
    ("SJIS", 2),
    ("BIG5", 2),
    ("GBK", 2),
    ("UHC", 2),
    ("GB18030", 4),
    ("JOHAB", 3),
    ("SHIFT_JIS_2004", 2),
];
/// Other names, without what is neither letter nor digit.
const ALIASES: [(&str, &str); 42] = [
    ("abc", "WIN1258"),
    ("alt", "WIN866"),
    ("iso88591", "LATIN1"),
    ("iso885910", "LATIN6"),
    ("iso885913", "LATIN7"),
    ("iso885914", "LATIN8"),
    ("iso885915", "LATIN9"),
    ("iso885916", "LATIN10"),
    ("iso88592", "LATIN2"),
    ("iso88593", "LATIN3"),
    ("iso88594", "LATIN4"),
    ("iso88599", "LATIN5"),
    ("koi8", "KOI8R"),
    ("mskanji", "SJIS"),
    ("muleinternal", "MULE_INTERNAL"),
    ("shiftjis", "SJIS"),
    ("shiftjis2004", "SHIFT_JIS_2004"),
    ("tcvn", "WIN1258"),
    ("tcvn5712", "WIN1258"),
    ("unicode", "UTF8"),
    ("vscii", "WIN1258"),
    ("win", "WIN1251"),
    ("win932", "SJIS"),
    ("win936", "GBK"),
    ("win949", "UHC"),
    ("win950", "BIG5"),
    ("windows1250", "WIN1250"),
    ("windows1251", "WIN1251"),
    ("windows1252", "WIN1252"),
    ("windows1253", "WIN1253"),
    ("windows1254", "WIN1254"),
    ("windows1255", "WIN1255"),
    ("windows1256", "WIN1256"),
    ("windows1257", "WIN1257"),
    ("windows1258", "WIN1258"),
    ("windows866", "WIN866"),
    ("windows874", "WIN874"),
    ("windows932", "SJIS"),
    ("windows936", "GBK"),
    ("windows949", "UHC"),
    ("windows950", "BIG5"),
    ("sqlascii", "SQL_ASCII"),
];
/// What is converted by way of UTF-8 though neither side is it: PostgreSQL has conversions between these.
const FAMILIES: [&[&str]; 3] =
    [&["LATIN2", "WIN1250"], &["KOI8R", "WIN1251", "WIN866", "ISO_8859_5"], &["SJIS", "EUC_JP"]];

fn clean(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl Encoding {
    /// As PostgreSQL finds it: by letters and digits alone.
    pub fn by_name(name: &str) -> Option<Encoding> {
        let name = clean(name);
        let of = |name: &str| NAMES.iter().position(|(n, _)| clean(n) == name).map(|n| Encoding(n as u8));
        of(&name).or_else(|| ALIASES.iter().find(|(a, _)| *a == name).and_then(|(_, n)| of(&clean(n))))
    }
    pub fn by_number(n: i32) -> Option<Encoding> {
        u8::try_from(n).ok().filter(|n| (*n as usize) < NAMES.len()).map(Encoding)
    }
    pub fn number(self) -> i32 {
        self.0.into()
    }
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize].0
    }
    /// The most bytes of a character.
    pub fn max_length(self) -> i32 {
        NAMES[self.0 as usize].1.into()
    }
    /// Does text change on its way?
    #[inline]
    pub fn converts(self) -> bool {
        self != UTF8 && self != SQL_ASCII
    }
    fn single(self) -> Option<&'static [u16; 128]> {
        single::TABLES.get(usize::from(self.0.wrapping_sub(single::FIRST))).copied()
    }
    fn is_double(self) -> bool {
        matches!(self, EUC_JP | EUC_CN | EUC_KR | SJIS | BIG5 | GBK | UHC)
    }
    /// Is it known how to convert it?
    pub fn is_there(self) -> bool {
        !self.converts() || self.single().is_some() || self.is_double()
    }
    /// PostgreSQL cannot convert it either.
    pub fn is_internal(self) -> bool {
        self == MULE_INTERNAL
    }
    /// Does PostgreSQL have a conversion between the two?
    pub fn reaches(self, to: Encoding) -> bool {
        let both = |f: &&&[&str]| f.contains(&self.name()) && f.contains(&to.name());
        self == to || !self.converts() || !to.converts() || FAMILIES.iter().any(|f| both(&f))
    }
    /// 0A000 for those that are not there.
    fn known(self) -> Result<()> {
        if self.is_there() { Ok(()) } else { Err(Error::unsupported(format_args!("encoding \"{}\"", self.name()))) }
    }

    /// Appends what `b` says. 22021, 22P05.
    pub fn decode(self, b: &[u8], out: &mut String) -> Result<()> {
        self.known()?;
        if !self.converts() {
            return append_utf8(out, b);
        }
        memory::admit_growth(out.capacity(), out.len() + b.len())?;
        let (single, double) = (self.single(), self.is_double().then(|| Double::of(self)));
        let (mut rest, mut counted) = (b, 0usize);
        while let Some(&first) = rest.first() {
            let len = self.length(first);
            let Some(one) = rest.get(..len).filter(|one| {
                first != 0 && (single.is_some() || len == 1 && first < 0x80 || double::is_valid(self, one))
            }) else {
                return Err(self.invalid(rest));
            };
            let c = match (single, double) {
                _ if first < 0x80 => Some(char::from(first)),
                (Some(t), _) => char::from_u32(t[usize::from(first & 0x7f)].into()).filter(|c| *c != '\0'),
                (None, Some(d)) => d.char(double::code(one)),
                (None, None) => None,
            };
            out.push(c.ok_or_else(|| untranslatable(one, self, UTF8))?);
            rest = &rest[len..];
            counted += 1;
            if counted.is_multiple_of(PIECE) {
                work::charge(PIECE * CHAR)?;
            }
        }
        Ok(())
    }
    /// Appends `s`. 22P05.
    pub fn encode(self, s: &str, out: &mut Vec<u8>) -> Result<()> {
        self.known()?;
        if !self.converts() {
            return long::append(out, s.as_bytes());
        }
        memory::admit_growth(out.capacity(), out.len() + s.len())?;
        let (single, double) = (self.written(), self.is_double().then(|| Double::of(self)));
        for (i, c) in s.chars().enumerate() {
            if i % PIECE == PIECE - 1 {
                work::charge(PIECE * CHAR)?;
            }
            if c.is_ascii() {
                out.push(c as u8);
                continue;
            }
            let code = match (single, double) {
                (Some(codes), _) => {
                    codes.binary_search_by_key(&(c as u32), |p| p.0).ok().map(|i| u16::from(codes[i].1))
                }
                (None, Some(d)) => d.code(c),
                (None, None) => None,
            };
            match code {
                Some(code) => double::push(self, code, out),
                None => return Err(untranslatable(c.encode_utf8(&mut [0; 4]).as_bytes(), UTF8, self)),
            }
        }
        Ok(())
    }
    /// The characters of a single-byte encoding with their bytes.
    fn written(self) -> Option<&'static [(u32, u8)]> {
        static WRITTEN: [OnceLock<Vec<(u32, u8)>>; single::TABLES.len()] =
            [const { OnceLock::new() }; single::TABLES.len()];
        let table = self.single()?;
        let codes = WRITTEN[usize::from(self.0 - single::FIRST)].get_or_init(|| {
            let mut all: Vec<(u32, u8)> =
                (0x80..=0xff).zip(table).filter(|(_, c)| **c != 0).map(|(b, c)| (u32::from(*c), b)).collect();
            all.sort_unstable();
            all
        });
        Some(codes)
    }
    /// How many bytes of `b` are whole characters, as far as their first bytes say: a stream that is converted in pieces is cut there.
    pub fn whole(self, b: &[u8]) -> usize {
        if !self.is_double() {
            return b.len();
        }
        let mut at = 0;
        while let Some(first) = b.get(at) {
            let next = at + self.length(*first);
            if next > b.len() {
                break;
            }
            at = next;
        }
        at
    }
    fn length(self, first: u8) -> usize {
        if self.is_double() { double::length(self, first) } else { 1 }
    }
    /// 22021: `b` begins with what is no character.
    fn invalid(self, b: &[u8]) -> Error {
        let shown = b.get(..self.length(b.first().copied().unwrap_or(0))).unwrap_or(b);
        err!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"{}\": {}", self.name(), hex(shown))
    }
}

/// What a character costs to be converted, in nanoseconds.
const CHAR: usize = 10;

fn hex(b: &[u8]) -> String {
    b.iter().map(|c| format!("0x{c:02x}")).collect::<Vec<_>>().join(" ")
}
fn untranslatable(b: &[u8], from: Encoding, to: Encoding) -> Error {
    err!(
        UNTRANSLATABLE_CHARACTER,
        "character with byte sequence {} in encoding \"{}\" has no equivalent in encoding \"{}\"",
        hex(b),
        from.name(),
        to.name()
    )
}

/// Is the binary form of the type its text?
pub fn is_text(ty: Oid) -> bool {
    matches!(
        ty,
        oid::TEXT
            | oid::VARCHAR
            | oid::BPCHAR
            | oid::NAME
            | oid::UNKNOWN
            | oid::CSTRING
            | oid::JSON
            | oid::JSONB
            | oid::XML
    )
}
/// The binary form of a value, on its way to a client: text in it is converted. 0A000 where that is deeper than the value itself.
pub fn encode_binary(e: Encoding, ty: Oid, b: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let deep = !is_text(ty) && (oid::element_of(ty).is_some_and(is_text) || ty == oid::RECORD);
    if b.is_ascii() || !is_text(ty) && !deep {
        return long::append(out, b);
    }
    if deep {
        return Err(deep_text(e));
    }
    e.encode(utf8(b)?, out)
}
/// The binary form of a value, as a client sends it.
pub fn decode_binary(e: Encoding, ty: Oid, b: &[u8]) -> Result<Cow<'_, [u8]>> {
    if b.is_ascii() || !(is_text(ty) || oid::element_of(ty).is_some_and(is_text) || ty == oid::RECORD) {
        return Ok(b.into());
    }
    if !is_text(ty) {
        return Err(deep_text(e));
    }
    let mut s = String::new();
    e.decode(b, &mut s)?;
    Ok(s.into_bytes().into())
}
fn deep_text(e: Encoding) -> Error {
    Error::unsupported(format_args!("the binary format of arrays and records in client encoding \"{}\"", e.name()))
}

/// 22021 with PostgreSQL's wording: the bytes of the first character that is not UTF-8.
pub fn utf8(b: &[u8]) -> Result<&str> {
    std::str::from_utf8(b).map_err(|e| invalid_utf8(b.get(e.valid_up_to()..).unwrap_or_default()))
}
/// 22021: `b` begins with what is no character.
fn invalid_utf8(b: &[u8]) -> Error {
    // PostgreSQL shows as many bytes as the first one announces.
    let announced = match b.first() {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        _ => 1,
    };
    let shown = b.get(..announced).unwrap_or(b);
    err!(CHARACTER_NOT_IN_REPERTOIRE, "invalid byte sequence for encoding \"UTF8\": {}", hex(shown))
}

/// [`utf8`] of a value, in which no byte is zero either; long ones in pieces.
pub fn utf8_text(b: &[u8]) -> Result<Cow<'_, str>> {
    if b.len() > PIECE {
        let mut s = String::new();
        append_utf8(&mut s, b)?;
        return Ok(s.into());
    }
    let s = utf8(b)?;
    if b.contains(&0) { Err(invalid_utf8(&[0])) } else { Ok(s.into()) }
}

/// Appends a value's text to `out`, in pieces.
pub fn append_utf8(out: &mut String, b: &[u8]) -> Result<()> {
    memory::admit_growth(out.capacity(), out.len() + b.len())?;
    long::append_utf8(out, b)?.map_err(|at| invalid_utf8(b.get(at..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(name: &str) -> Encoding {
        Encoding::by_name(name).unwrap()
    }
    fn decoded(name: &str, b: &[u8]) -> String {
        let mut s = String::new();
        match encoding(name).decode(b, &mut s) {
            Ok(()) => s,
            Err(e) => format!("{} {}", e.code().as_str(), e.message()),
        }
    }

    #[test]
    fn names_are_found_as_postgresql_finds_them() {
        for (name, found) in [
            ("latin-1", "LATIN1"),
            ("ISO_8859-15", "LATIN9"),
            ("Windows-1252", "WIN1252"),
            ("koi8", "KOI8R"),
            ("unicode", "UTF8"),
            ("Shift_JIS", "SJIS"),
        ] {
            assert_eq!(encoding(name).name(), found);
        }
        assert!(Encoding::by_name("iso885911").is_none() && Encoding::by_name("").is_none());
        assert!(NAMES.iter().enumerate().all(|(i, (n, _))| encoding(n).number() == i as i32));
    }
    /// What is read is written as it was, but for codes of which another one has the same character.
    #[test]
    fn characters_come_back() {
        for n in 0..NAMES.len() as u8 {
            let e = Encoding(n);
            if !e.is_there() || !e.converts() {
                continue;
            }
            let (mut read, mut same) = (0, 0);
            for code in 0x80..=0xffffu32 {
                let b = code.to_be_bytes();
                let b = if code < 0x100 { &b[3..] } else { &b[2..] };
                let mut s = String::new();
                if e.whole(b) != b.len() || e.decode(b, &mut s).is_err() || s.chars().count() != 1 {
                    continue;
                }
                let mut out = Vec::new();
                read += 1;
                same += usize::from(e.encode(&s, &mut out).is_ok() && out == b);
            }
            let duplicates = if e == SJIS { 398 } else { 30 };
            assert!(read > 80 && same + duplicates >= read, "{}: {same} of {read}", e.name());
        }
    }
    #[test]
    fn bytes_and_characters() {
        assert_eq!(decoded("LATIN1", b"\x80\xe4\xff"), "\u{80}äÿ");
        assert_eq!(decoded("WIN1252", b"\x80"), "€");
        assert_eq!(
            decoded("WIN1252", b"\x81"),
            "22P05 character with byte sequence 0x81 in encoding \"WIN1252\" has no equivalent in encoding \"UTF8\""
        );
        assert_eq!(decoded("EUC_JP", b"a\xa4\xa2\x8f\xb0\xa1"), "aあ丂");
        assert_eq!(decoded("EUC_JP", b"\x80\x80"), "22021 invalid byte sequence for encoding \"EUC_JP\": 0x80 0x80");
        assert_eq!(decoded("SJIS", b"\x83\x5c\xb1"), "ソｱ");
        assert_eq!(decoded("GBK", b"A\x80"), "22021 invalid byte sequence for encoding \"GBK\": 0x80");
        assert_eq!(decoded("EUC_KR", b"\xc9\xa1").get(..5), Some("22P05"));
        assert_eq!(decoded("LATIN1", b"a\0"), "22021 invalid byte sequence for encoding \"LATIN1\": 0x00");
        let mut out = Vec::new();
        encoding("EUC_JP").encode("丂あ", &mut out).unwrap();
        assert_eq!(out, b"\x8f\xb0\xa1\xa4\xa2");
        let e = encoding("LATIN1").encode("a€", &mut out).unwrap_err();
        assert_eq!(
            e.message(),
            "character with byte sequence 0xe2 0x82 0xac in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\""
        );
        assert_eq!((SJIS.whole(b"a\x83\x5c\x83"), encoding("LATIN1").whole(b"\x83")), (3, 1));
    }
}
