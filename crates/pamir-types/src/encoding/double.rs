//! Encodings of two bytes a character, and of three in EUC_JP, as PostgreSQL 15 converts them.
//!
//! The tables are texts (made by generate.py): a line is a code in hexadecimal and the characters of it and those behind it. `<` marks codes that are only read, `>` characters that
//! are only written. A code of three bytes, 8f xx yy, is xx and yy without its high bit. EUC_KR is what UHC has in rows and columns from a1 to fe, but for the two rows of private use.
use super::{EUC_CN, EUC_JP, EUC_KR, Encoding, GBK, SJIS, UHC};
use std::sync::OnceLock;

/// Rows of UHC that EUC_KR does not have.
const PRIVATE: [u16; 2] = [0xc9, 0xfe];

pub struct Double {
    /// Characters by code; 0: none.
    chars: Vec<u32>,
    /// Codes by character.
    codes: Vec<(u32, u16)>,
}

impl Double {
    /// The tables of an encoding, read when they are first asked for.
    pub fn of(e: Encoding) -> &'static Double {
        static TABLES: [OnceLock<Double>; 7] = [const { OnceLock::new() }; 7];
        let (place, text): (usize, &str) = match e {
            EUC_JP => (0, include_str!("euc_jp.txt")),
            EUC_CN => (1, include_str!("euc_cn.txt")),
            EUC_KR => (2, include_str!("uhc.txt")),
            UHC => (3, include_str!("uhc.txt")),
            GBK => (4, include_str!("gbk.txt")),
            SJIS => (5, include_str!("sjis.txt")),
            _ => (6, include_str!("big5.txt")),
        };
        TABLES[place].get_or_init(|| {
            let mut d = Double::read(text);
            if e == EUC_KR {
                let has = |code: u16| code & 0xff >= 0xa1 && code >> 8 >= 0xa1 && !PRIVATE.contains(&(code >> 8));
                d.codes.retain(|(_, code)| has(*code));
                d.chars.iter_mut().enumerate().filter(|(i, _)| !has(*i as u16)).for_each(|(_, c)| *c = 0);
            }
            d
        })
    }
    fn read(text: &str) -> Double {
        let mut d = Double { chars: vec![0; 1 << 16], codes: Vec::new() };
        for line in text.lines() {
            let (read, written) = (!line.starts_with('>'), !line.starts_with('<'));
            let Some((code, chars)) = line.trim_start_matches(['<', '>']).split_once(' ') else { continue };
            let Ok(first) = u16::from_str_radix(code, 16) else { continue };
            for (i, c) in (0..).zip(chars.chars()) {
                let code = first.wrapping_add(i);
                if read {
                    d.chars[code as usize] = c as u32;
                }
                if written {
                    d.codes.push((c as u32, code));
                }
            }
        }
        d.codes.sort_unstable();
        d
    }
    pub fn char(&self, code: u16) -> Option<char> {
        char::from_u32(self.chars[code as usize]).filter(|c| *c != '\0')
    }
    pub fn code(&self, c: char) -> Option<u16> {
        let i = self.codes.binary_search_by_key(&(c as u32), |p| p.0).ok()?;
        Some(self.codes[i].1)
    }
}

/// How many bytes the character that begins with `first` has.
pub fn length(e: Encoding, first: u8) -> usize {
    match (e, first) {
        (_, 0..=0x7f) => 1,
        (EUC_JP, 0x8f) => 3,
        (SJIS, 0xa1..=0xdf) => 1,
        _ => 2,
    }
}
/// Could these bytes be a character of the encoding? They are as many as [`length`] says, of its first byte.
pub fn is_valid(e: Encoding, b: &[u8]) -> bool {
    let euc = |b: &u8| (0xa1..=0xfe).contains(b);
    match (e, b) {
        (EUC_JP, [0x8e, b]) => (0xa1..=0xdf).contains(b),
        (EUC_JP, [0x8f, rest @ ..]) => rest.iter().all(euc),
        (EUC_JP | EUC_KR | EUC_CN, b) => b.iter().all(euc),
        (SJIS, [_]) => true,
        (SJIS, [a, b]) => matches!(a, 0x81..=0x9f | 0xe0..=0xfc) && matches!(b, 0x40..=0x7e | 0x80..=0xfc),
        (_, rest) => rest.iter().all(|b| *b != 0),
    }
}
/// The table's number of a character.
pub fn code(b: &[u8]) -> u16 {
    match *b {
        [a] => a.into(),
        [a, b] => u16::from_be_bytes([a, b]),
        [_, a, b] => u16::from_be_bytes([a, b & 0x7f]),
        _ => 0,
    }
}
/// The bytes of a table's number.
pub fn push(e: Encoding, code: u16, out: &mut Vec<u8>) {
    let [a, b] = code.to_be_bytes();
    match (a, b) {
        (0, b) => out.push(b),
        (a, b) if e == EUC_JP && b < 0x80 => out.extend_from_slice(&[0x8f, a, b | 0x80]),
        (a, b) => out.extend_from_slice(&[a, b]),
    }
}
