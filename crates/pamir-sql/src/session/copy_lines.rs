//! COPY's input: a stream of bytes, its lines, a line's fields.
//!
//! ```text
//! CopyData or a file -> raw -> (converted to UTF-8) -> buf [ ...pos | line | ... ] -> Fields
//! ```
//! A line lies in the buffer as one piece; it is looked for eight bytes at a time and charged piece by piece. *Invariant*: what stands before `pos` is done with.
//! Limits: [`MAX_COPY_LINE`].
use super::copy_file::Source;
use super::copy_options::{Format, Options};
use crate::client::Client;
use pamir_types::encoding::Encoding;
use pamir_types::long::PIECE;
use pamir_types::{Result, bail, work};

/// The longest line or binary field COPY takes, in bytes.
pub(super) const MAX_COPY_LINE: usize = 1 << 30;
/// Bytes that are searched in a nanosecond.
const SEARCH: usize = 8;

/// The byte stream of CopyData payloads.
pub(super) struct Input<'a> {
    pub(super) client: &'a mut dyn Client,
    pub(super) file: Option<Source>,
    pub(super) buf: Vec<u8>,
    pub(super) pos: usize,
    pub(super) end: bool,
    /// What the bytes are in, if they are text and it is not UTF-8.
    pub(super) encoding: Option<Encoding>,
    /// Not converted yet.
    pub(super) raw: Vec<u8>,
}

impl Input<'_> {
    pub(super) fn fill(&mut self) -> Result<bool> {
        if self.end {
            return Ok(false);
        }
        if self.pos > 0 {
            self.buf.drain(..self.pos);
            self.pos = 0;
        }
        if self.buf.len() > MAX_COPY_LINE {
            bail!(PROGRAM_LIMIT_EXCEEDED, "COPY line is longer than {MAX_COPY_LINE} bytes");
        }
        // A line longer than what has come so far doubles it.
        pamir_types::memory::admit(self.buf.capacity())?;
        let Some(encoding) = self.encoding else {
            self.end = !Input::read(self.client, &self.file, &mut self.buf)?;
            return Ok(true);
        };
        self.end = !Input::read(self.client, &self.file, &mut self.raw)?;
        let whole = if self.end { self.raw.len() } else { encoding.whole(&self.raw) };
        let mut text = String::new();
        encoding.decode(&self.raw[..whole], &mut text)?;
        self.raw.drain(..whole);
        pamir_types::long::append(&mut self.buf, text.as_bytes())?;
        Ok(true)
    }
    fn read(client: &mut dyn Client, file: &Option<Source>, out: &mut Vec<u8>) -> Result<bool> {
        match file {
            Some(f) => f.read(out),
            None => client.copy_in_read(out),
        }
    }

    /// The next line without its newline, as a part of the buffer; in CSV a quoted newline does not end it. None at the end of data or at `\.`.
    pub(super) fn line(&mut self, o: &Options) -> Result<Option<std::ops::Range<usize>>> {
        let csv = o.format == Format::Csv;
        let special = if csv { [b'\n', o.quote, o.escape] } else { [b'\n', b'\\', b'\\'] };
        let (mut scan, mut quoted) = (0, false);
        let (start, mut end, next) = loop {
            let rest = &self.buf[self.pos..];
            let mut found = None;
            while scan < rest.len() {
                let piece = &rest[scan..rest.len().min(scan + PIECE)];
                let Some(n) = find_any(piece, special) else {
                    scan += piece.len();
                    work::charge(piece.len() / SEARCH)?;
                    continue;
                };
                scan += n;
                match rest[scan] {
                    b if csv && b == o.quote => quoted = !quoted,
                    // An escape takes the next byte with it, be it a newline.
                    b if b == special[2] && b != b'\n' => scan += (!csv || quoted) as usize,
                    _ if quoted => {}
                    _ => {
                        found = Some(scan);
                        break;
                    }
                }
                scan += 1;
            }
            if let Some(n) = found {
                break (self.pos, self.pos + n, self.pos + n + 1);
            }
            scan = scan.max(rest.len());
            if !self.fill()? {
                if self.pos == self.buf.len() {
                    return Ok(None);
                }
                if quoted {
                    bail!(BAD_COPY_FILE_FORMAT, "unterminated CSV quoted field");
                }
                break (self.pos, self.buf.len(), self.buf.len());
            }
        };
        if next > end && self.buf[start..end].ends_with(b"\r") {
            end -= 1;
        }
        self.pos = next;
        Ok((&self.buf[start..end] != b"\\.").then_some(start..end))
    }

    pub(super) fn at_end(&mut self) -> Result<bool> {
        while self.buf.len() == self.pos {
            if !self.fill()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn take(&mut self, n: usize) -> Result<&[u8]> {
        while self.buf.len() - self.pos < n {
            if !self.fill()? {
                bail!(BAD_COPY_FILE_FORMAT, "unexpected EOF in COPY data");
            }
        }
        let at = self.pos;
        self.pos += n;
        Ok(&self.buf[at..at + n])
    }
}

/// The first place of any of three bytes, eight bytes at a time.
fn find_any(hay: &[u8], needles: [u8; 3]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = LOW << 7;
    let words = needles.map(|b| LOW * b as u64);
    let (chunks, rest) = hay.as_chunks::<8>();
    for (i, c) in chunks.iter().enumerate() {
        let x = u64::from_le_bytes(*c);
        // The lowest bit that is set is that of the first zero byte; only bits above it can be wrong.
        let zero = |v: u64| v.wrapping_sub(LOW) & !v & HIGH;
        let hit = zero(x ^ words[0]) | zero(x ^ words[1]) | zero(x ^ words[2]);
        if hit != 0 {
            return Some(i * 8 + hit.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|b| needles.contains(b))?;
    Some(hay.len() - rest.len() + at)
}

/// One line's fields, unescaped into one buffer.
#[derive(Default)]
pub(super) struct Fields {
    bytes: Vec<u8>,
    /// (end offset, quoted, is the null string)
    ends: Vec<(usize, bool, bool)>,
}

impl Fields {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
    pub(super) fn get(&self, i: usize) -> Option<(&[u8], bool)> {
        let (end, quoted, _) = *self.ends.get(i)?;
        let start = if i == 0 { 0 } else { self.ends[i - 1].0 };
        Some((&self.bytes[start..end], quoted))
    }
    pub(super) fn is_null(&self, i: usize) -> bool {
        self.ends.get(i).is_some_and(|e| e.2)
    }

    pub(super) fn split_text(&mut self, line: &[u8], o: &Options) -> Result<()> {
        self.bytes.clear();
        self.ends.clear();
        let mut i = 0;
        let mut raw_start = 0;
        loop {
            let piece = &line[i..line.len().min(i + PIECE)];
            let n = find_any(piece, [o.delimiter, b'\\', b'\\']).unwrap_or(piece.len());
            self.bytes.extend_from_slice(&piece[..n]);
            work::charge(1 + n / SEARCH)?;
            i += n;
            if n == piece.len() && i < line.len() {
                continue;
            }
            if i >= line.len() || line[i] == o.delimiter {
                // The null string is compared before escapes are undone.
                let null = &line[raw_start..i] == o.null.as_bytes();
                self.ends.push((self.bytes.len(), false, null));
                if i >= line.len() {
                    return Ok(());
                }
                i += 1;
                raw_start = i;
                continue;
            }
            i += 1;
            if i >= line.len() {
                self.bytes.push(b'\\');
                continue;
            }
            let c = line[i];
            i += 1;
            let out = match c {
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'v' => 11,
                b'0'..=b'7' => {
                    let mut v = u32::from(c - b'0');
                    for _ in 0..2 {
                        match line.get(i) {
                            Some(d @ b'0'..=b'7') => {
                                v = v * 8 + u32::from(d - b'0');
                                i += 1;
                            }
                            _ => break,
                        }
                    }
                    v as u8
                }
                b'x' if line.get(i).is_some_and(u8::is_ascii_hexdigit) => {
                    let mut v = 0u32;
                    for _ in 0..2 {
                        match line.get(i).and_then(|d| (*d as char).to_digit(16)) {
                            Some(d) => {
                                v = v * 16 + d;
                                i += 1;
                            }
                            None => break,
                        }
                    }
                    v as u8
                }
                c => c,
            };
            self.bytes.push(out);
        }
    }

    pub(super) fn split_csv(&mut self, line: &[u8], o: &Options) -> Result<()> {
        self.bytes.clear();
        self.ends.clear();
        let mut i = 0;
        loop {
            let (mut in_quote, mut was_quoted) = (false, false);
            let begun = i;
            while i < line.len() {
                let b = line[i];
                if (i - begun) % PIECE == PIECE - 1 {
                    work::charge(PIECE)?;
                }
                if in_quote {
                    if b == o.escape && line.get(i + 1).is_some_and(|n| *n == o.quote || *n == o.escape) {
                        self.bytes.push(line[i + 1]);
                        i += 2;
                        continue;
                    }
                    if b == o.quote {
                        in_quote = false;
                        i += 1;
                        continue;
                    }
                } else if b == o.delimiter {
                    break;
                } else if b == o.quote {
                    in_quote = true;
                    was_quoted = true;
                    i += 1;
                    continue;
                }
                self.bytes.push(b);
                i += 1;
            }
            if in_quote {
                bail!(BAD_COPY_FILE_FORMAT, "unterminated CSV quoted field");
            }
            self.ends.push((self.bytes.len(), was_quoted, false));
            if i >= line.len() {
                return Ok(());
            }
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::copy_options::options;
    use super::*;
    use crate::transcript::Transcript;
    use pamir_parse::tree::{At, DefAction, DefElem, DefValue};

    fn opts(format: Format) -> Options {
        let csv = DefValue::String("csv".to_string());
        let d =
            DefElem { namespace: None, name: "format".into(), value: Some(csv), action: DefAction::None, at: At(0) };
        options(if format == Format::Csv { std::slice::from_ref(&d) } else { &[] }, "").unwrap()
    }

    #[test]
    fn bytes_are_found() {
        for len in 0..40 {
            for at in 0..len {
                for b in [0u8, 1, b'\n', 0x80, 0xff] {
                    let mut hay = vec![b'x'; len];
                    hay[at] = b;
                    hay[len - 1] = b;
                    assert_eq!(find_any(&hay, [b'a', b'b', b]), Some(at), "{len} {at} {b}");
                    assert_eq!(find_any(&hay[at..], [b; 3]), Some(0));
                    assert_eq!(find_any(&hay, [b ^ 1, b ^ 0x80, b'y']), None);
                }
            }
        }
    }

    /// Lines as they come out, whatever the pieces they came in.
    #[test]
    fn lines() {
        let all = |text: &[u8], o: &Options, size: usize| {
            let mut client = Transcript::default();
            client.feed(text, size);
            let mut input =
                Input { client: &mut client, file: None, buf: vec![], pos: 0, end: false, encoding: None, raw: vec![] };
            let mut lines = vec![];
            while let Some(r) = input.line(o).unwrap() {
                lines.push(String::from_utf8(input.buf[r].to_vec()).unwrap());
            }
            lines
        };
        let text = opts(Format::Text);
        let csv = opts(Format::Csv);
        let escaped = Options { escape: b'!', ..csv.clone() };
        for size in 1..20 {
            let t = |s: &[u8]| all(s, &text, size);
            assert_eq!(
                t(b"a\tb\r\n\nlong enough for words\\\nstill\nlast"),
                ["a\tb", "", "long enough for words\\\nstill", "last"]
            );
            assert_eq!(t(b"a\\\\\nb\n\\.\nnot read\n"), ["a\\\\", "b"]);
            assert_eq!(t(b"end\\"), ["end\\"]);
            let c = |s: &[u8]| all(s, &csv, size);
            assert_eq!(c(b"a,\"x\ny\"\"\nz\",b\r\n\"q\"\n"), ["a,\"x\ny\"\"\nz\",b", "\"q\""]);
            assert_eq!(all(b"\"a!\"\nb\",!\nc", &escaped, size), ["\"a!\"\nb\",!", "c"]);
        }
    }

    #[test]
    fn text_fields() {
        let mut f = Fields::default();
        f.split_text(b"1\t\\N\ta\\tb\\\\\\101\t", &opts(Format::Text)).unwrap();
        assert_eq!(f.len(), 4);
        assert!(f.is_null(1) && !f.is_null(0) && !f.is_null(3));
        assert_eq!(f.get(2).unwrap().0, b"a\tb\\A");
        assert_eq!(f.get(3).unwrap().0, b"");
    }

    #[test]
    fn csv_fields() {
        let mut f = Fields::default();
        f.split_csv(b"1,\"a \"\"q\"\", b\",,\"\"", &opts(Format::Csv)).unwrap();
        let v: Vec<_> = (0..f.len()).map(|i| (f.get(i).unwrap().0.to_vec(), f.get(i).unwrap().1)).collect();
        assert_eq!(
            v,
            [(b"1".to_vec(), false), (b"a \"q\", b".to_vec(), true), (b"".to_vec(), false), (b"".to_vec(), true)]
        );
        assert!(f.split_csv(b"\"open", &opts(Format::Csv)).is_err());
    }
}
