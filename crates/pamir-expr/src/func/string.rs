//! Functions of text and bytea (varlena.c, oracle_compat.c, formatting helpers of quote.c and encode.c).
//!
//! Positions and lengths count characters for text and bytes for bytea. Letter case follows the C collation: ASCII letters only.
use super::registry::{bad_args, funcs};
use super::*;
use pamir_types::encoding::Encoding;
use pamir_types::memory::{admit, admit_growth};
use pamir_types::{Error, bail, err, long};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization;

/// PostgreSQL's MaxAllocSize: no value is longer.
pub const MAX_VALUE: usize = 0x3fff_ffff;

/// As PostgreSQL's palloc refuses what is larger than [`MAX_VALUE`].
pub fn alloc_size(bytes: usize) -> pamir_types::Error {
    err!(INTERNAL_ERROR, "invalid memory alloc request size {bytes}")
}
/// As PostgreSQL's string buffers refuse to grow beyond [`MAX_VALUE`].
pub fn cannot_enlarge(bytes: usize, by: usize) -> pamir_types::Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "out of memory")
        .detail(format!("Cannot enlarge string buffer containing {bytes} bytes by {by} more bytes."))
}
/// PostgreSQL's varlena header, which counts where it asks for memory.
const HEADER: usize = 4;
/// What a character takes at most: PostgreSQL asks for so much before it knows the characters.
const WIDEST: usize = 4;
/// Refuses a value of `bytes` as PostgreSQL's palloc does.
fn admit_value(bytes: usize) -> Result<()> {
    if bytes.saturating_add(HEADER) > MAX_VALUE {
        return Err(alloc_size(bytes.saturating_add(HEADER)));
    }
    admit(2 * bytes)
}
pub fn too_long() -> pamir_types::Error {
    err!(PROGRAM_LIMIT_EXCEEDED, "requested length too large")
}

/// `foo` or `"Foo bar"`.
pub use pamir_catalog::defs::quote_ident;
/// `'it''s'`, or `E'...'` when there is a backslash.
pub fn quote_literal(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    if s.contains('\\') {
        out.push('E');
    }
    out.push('\'');
    for c in s.chars() {
        if c == '\'' || c == '\\' {
            out.push(c);
        }
        out.push(c);
    }
    out.push('\'');
    out
}

/// Byte offset of character `n` (the end when there are fewer).
fn offset(s: &str, n: usize) -> usize {
    if s.is_ascii() { n.min(s.len()) } else { s.char_indices().nth(n).map_or(s.len(), |x| x.0) }
}
pub fn char_len(s: &str) -> usize {
    if s.is_ascii() { s.len() } else { s.chars().count() }
}
/// SQL's substring: characters [start, start + len) of 1-based positions, clipped; 22011 when len < 0.
pub fn substr(s: &str, start: i32, len: Option<i32>) -> Result<&str> {
    let (from, to) = span(start, len)?;
    let a = offset(s, from);
    let rest = s.get(a..).unwrap_or("");
    Ok(match to {
        None => rest,
        Some(to) => rest.get(..offset(rest, to - from)).unwrap_or(""),
    })
}
/// The zero-based [from, to) of a SQL substring.
fn span(start: i32, len: Option<i32>) -> Result<(usize, Option<usize>)> {
    let from = (i64::from(start) - 1).max(0) as usize;
    match len {
        None => Ok((from, None)),
        Some(l) => {
            if l < 0 {
                bail!(SUBSTRING_ERROR, "negative substring length not allowed");
            }
            let end = (i64::from(start) - 1 + i64::from(l)).max(from as i64) as usize;
            Ok((from, Some(end)))
        }
    }
}
fn substr_bytes(s: &[u8], start: i32, len: Option<i32>) -> Result<Datum> {
    let (from, to) = span(start, len)?;
    let (a, b) = (from.min(s.len()), to.unwrap_or(usize::MAX).min(s.len()));
    Ok(bytes(s.get(a..b).unwrap_or(&[])))
}
pub fn bytes(b: &[u8]) -> Datum {
    Datum::Bytea(long::bytes_at_last(b))
}
pub fn text(s: &str) -> Datum {
    Datum::Text(long::shared_at_last(s))
}
fn overlay(s: &str, by: &str, start: i32, len: i32) -> Result<String> {
    if start <= 0 {
        bail!(SUBSTRING_ERROR, "negative substring length not allowed");
    }
    let end = start.checked_add(len).ok_or_else(arith::int4_range)?;
    admit_value(s.len() + by.len())?;
    let mut out = substr(s, 1, Some(start - 1))?.to_string();
    out.push_str(by);
    out.push_str(substr(s, end, None)?);
    Ok(out)
}
fn overlay_bytes(s: &[u8], by: &[u8], start: i32, len: i32) -> Result<Datum> {
    if start <= 0 {
        bail!(SUBSTRING_ERROR, "negative substring length not allowed");
    }
    let end = start.checked_add(len).ok_or_else(arith::int4_range)?;
    let (from, to) = ((start as usize - 1).min(s.len()), ((i64::from(end) - 1).max(0) as usize).min(s.len()));
    Ok(Datum::Bytea([s.get(..from).unwrap_or(&[]), by, s.get(to..).unwrap_or(&[])].concat().into()))
}
/// Strips the characters of `set` from the chosen ends.
fn trim<'a>(s: &'a str, set: &str, left: bool, right: bool) -> &'a str {
    let many: FxHashSet<char> = if set.len() > 16 { set.chars().collect() } else { FxHashSet::default() };
    let inside = |c: char| if many.is_empty() { set.contains(c) } else { many.contains(&c) };
    let s = if left { s.trim_start_matches(inside) } else { s };
    if right { s.trim_end_matches(inside) } else { s }
}
fn trim_bytes<'a>(mut s: &'a [u8], bytes: &[u8], left: bool, right: bool) -> &'a [u8] {
    let mut set = [false; 256];
    for b in bytes {
        set[*b as usize] = true;
    }
    while let (true, [b, rest @ ..]) = (left, s) {
        if !set[*b as usize] {
            break;
        }
        s = rest;
    }
    while let (true, [rest @ .., b]) = (right, s) {
        if !set[*b as usize] {
            break;
        }
        s = rest;
    }
    s
}
fn pad(s: &str, len: i32, fill: &str, left: bool) -> Result<Datum> {
    let mut want = len.max(0) as usize;
    if fill.is_empty() {
        want = want.min(char_len(s));
    }
    if want * WIDEST + HEADER > MAX_VALUE {
        return Err(too_long());
    }
    // The widest character of the filling decides, and the value is copied once.
    let widest = fill.chars().map(char::len_utf8).max().unwrap_or(0);
    admit(2 * (s.len() + widest * want))?;
    let have = char_len(s);
    if have >= want || fill.is_empty() {
        return Ok(text(s.get(..offset(s, want)).unwrap_or(s)));
    }
    let padding = fill.chars().cycle().take(want - have);
    let mut out = String::with_capacity(s.len() + (want - have));
    if left {
        out.extend(padding);
        out.push_str(s);
    } else {
        out.push_str(s);
        out.extend(padding);
    }
    Ok(out.into())
}
fn left(s: &str, n: i32) -> &str {
    let n = if n >= 0 { n as usize } else { (char_len(s) as i64 + i64::from(n)).max(0) as usize };
    s.get(..offset(s, n)).unwrap_or(s)
}
fn right(s: &str, n: i32) -> &str {
    let len = char_len(s) as i64;
    let skip = if n >= 0 { (len - i64::from(n)).max(0) } else { i64::from(n.unsigned_abs()).min(len) };
    s.get(offset(s, skip as usize)..).unwrap_or("")
}
fn repeat(s: &str, n: i32) -> Result<Datum> {
    let n = n.max(0) as usize;
    match s.len().checked_mul(n) {
        Some(l) if l <= MAX_VALUE => {
            admit(2 * l)?;
            Ok(Datum::Text(long::shared(&repeated(s, n)?)?))
        }
        _ => Err(too_long()),
    }
}
/// `s.repeat(n)`, with breaths between pieces: who is to end ends.
fn repeated(s: &str, n: usize) -> Result<String> {
    let at_once = (long::PIECE / s.len().max(1)).max(1);
    if n <= at_once {
        return Ok(s.repeat(n));
    }
    let piece = s.repeat(at_once);
    let mut out = String::with_capacity(s.len() * n);
    for _ in 0..n / at_once {
        out.push_str(&piece);
        long::charge_copy(piece.len())?;
    }
    out.push_str(piece.get(..s.len() * (n % at_once)).unwrap_or_default());
    Ok(out)
}
fn split_part<'a>(s: &'a str, sep: &str, n: i32) -> Result<&'a str> {
    if n == 0 {
        bail!(INVALID_PARAMETER_VALUE, "field position must not be zero");
    }
    if s.is_empty() {
        return Ok("");
    }
    if sep.is_empty() {
        return Ok(if n == 1 || n == -1 { s } else { "" });
    }
    let k = (i64::from(n).unsigned_abs() - 1) as usize;
    Ok(if n > 0 { s.split(sep).nth(k) } else { s.rsplit(sep).nth(k) }.unwrap_or(""))
}
fn translate(s: &str, from: &str, to: &str) -> Result<String> {
    if s.len() * WIDEST > i32::MAX as usize {
        return Err(too_long());
    }
    if s.len() * WIDEST + HEADER > MAX_VALUE {
        return Err(alloc_size(s.len() * WIDEST + HEADER));
    }
    let to: Vec<char> = to.chars().collect();
    // The first of equal characters counts.
    let mut places: FxHashMap<char, usize> = FxHashMap::default();
    for (i, f) in from.chars().enumerate() {
        places.entry(f).or_insert(i);
    }
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match places.get(&c) {
            None => out.push(c),
            Some(i) => out.extend(to.get(*i)),
        }
    }
    Ok(out)
}
fn initcap(s: &str) -> String {
    let mut inside = false;
    s.chars()
        .map(|c| {
            let r = if inside { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            inside = c.is_ascii_alphanumeric();
            r
        })
        .collect()
}
fn chr(n: i32) -> Result<Datum> {
    match u32::try_from(n) {
        Err(_) => bail!(INVALID_PARAMETER_VALUE, "character number must be positive"),
        Ok(0) => bail!(PROGRAM_LIMIT_EXCEEDED, "null character not permitted"),
        Ok(v) => match char::from_u32(v) {
            Some(c) => Ok(c.to_string().into()),
            None if v > 0x10ffff => {
                bail!(PROGRAM_LIMIT_EXCEEDED, "requested character too large for encoding: {n}")
            }
            None => bail!(PROGRAM_LIMIT_EXCEEDED, "requested character not valid for encoding: {n}"),
        },
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// MIME base64: a line break after every 76 characters.
pub(super) fn base64_encode(v: &[u8]) -> String {
    let mut out = String::with_capacity(v.len() * 4 / 3 + 8);
    for (i, c) in v.chunks(3).enumerate() {
        if i > 0 && i % 19 == 0 {
            out.push('\n');
        }
        let n = c.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - c.len()));
        for k in 0..4 {
            out.push(if k <= c.len() { BASE64[(n >> (18 - 6 * k)) as usize & 63] as char } else { '=' });
        }
    }
    out
}
fn base64_decode(s: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len() * 3 / 4);
    let (mut buf, mut pos, mut end) = (0u32, 0, 0);
    for c in s.chars() {
        let v = match c {
            ' ' | '\t' | '\n' | '\r' => continue,
            '=' => {
                if end == 0 {
                    end = match pos {
                        2 => 1,
                        3 => 2,
                        _ => bail!(INVALID_PARAMETER_VALUE, "unexpected \"=\" while decoding base64 sequence"),
                    };
                }
                0
            }
            c => match BASE64.iter().position(|b| *b as char == c) {
                Some(v) if end == 0 => v as u32,
                _ => bail!(INVALID_PARAMETER_VALUE, "invalid symbol \"{c}\" found while decoding base64 sequence"),
            },
        };
        buf = buf << 6 | v;
        pos += 1;
        if pos == 4 {
            out.push((buf >> 16) as u8);
            if end != 1 {
                out.push((buf >> 8) as u8);
            }
            if end == 0 {
                out.push(buf as u8);
            }
            (buf, pos) = (0, 0);
        }
    }
    if pos != 0 {
        return Err(err!(INVALID_PARAMETER_VALUE, "invalid base64 end sequence")
            .hint("Input data is missing padding, is truncated, or is otherwise corrupted."));
    }
    Ok(out)
}
pub fn hex(v: &[u8]) -> String {
    let mut out = String::with_capacity(v.len() * 2);
    for b in v {
        let _ = write!(out, "{b:02x}");
    }
    out
}
fn hex_decode(s: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len() / 2);
    let mut high: Option<u32> = None;
    for c in s.chars() {
        if c.is_ascii_whitespace() {
            continue;
        }
        let Some(d) = c.to_digit(16) else { bail!(INVALID_PARAMETER_VALUE, "invalid hexadecimal digit: \"{c}\"") };
        match high.take() {
            None => high = Some(d),
            Some(h) => out.push((h << 4 | d) as u8),
        }
    }
    if high.is_some() {
        bail!(INVALID_PARAMETER_VALUE, "invalid hexadecimal data: odd number of digits");
    }
    Ok(out)
}
/// encode()'s escape format: zero and high-bit bytes as octal, backslash doubled.
fn escape_encode(v: &[u8]) -> String {
    let mut out = String::with_capacity(v.len());
    for b in v {
        match b {
            0 | 0x80.. => {
                let _ = write!(out, "\\{b:03o}");
            }
            b'\\' => out.push_str("\\\\"),
            b => out.push(*b as char),
        }
    }
    out
}
fn escape_decode(s: &str) -> Result<Vec<u8>> {
    let b = s.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(b.len()), 0);
    while let Some(&c) = b.get(i) {
        if c != b'\\' {
            out.push(c);
            i += 1;
        } else if b.get(i + 1) == Some(&b'\\') {
            out.push(b'\\');
            i += 2;
        } else if let Some([x @ b'0'..=b'3', y @ b'0'..=b'7', z @ b'0'..=b'7']) = b.get(i + 1..i + 4) {
            out.push((x - b'0') << 6 | (y - b'0') << 3 | (z - b'0'));
            i += 4;
        } else {
            bail!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type bytea");
        }
    }
    Ok(out)
}
fn unrecognized(name: &str) -> pamir_types::Error {
    err!(INVALID_PARAMETER_VALUE, "unrecognized encoding: \"{name}\"")
}
fn encode(v: &[u8], format: &str) -> Result<Datum> {
    let format_name = format.to_ascii_lowercase();
    let size = match format_name.as_str() {
        "hex" => v.len() * 2,
        "base64" => v.len().div_ceil(3) * 4 + v.len() / 57,
        // Octal escapes are the longest form.
        _ => v.iter().map(|b| if *b == 0 || *b >= 0x80 { 4 } else { 1 + usize::from(*b == b'\\') }).sum(),
    };
    if size + HEADER > MAX_VALUE {
        bail!(PROGRAM_LIMIT_EXCEEDED, "result of encoding conversion is too large");
    }
    // It is copied once.
    admit(2 * size)?;
    Ok(match format_name.as_str() {
        "hex" => hex(v),
        "base64" => base64_encode(v),
        "escape" => escape_encode(v),
        _ => return Err(unrecognized(format)),
    }
    .into())
}
fn decode(s: &str, format: &str) -> Result<Datum> {
    let v = match format.to_ascii_lowercase().as_str() {
        "hex" => hex_decode(s)?,
        "base64" => base64_decode(s)?,
        "escape" => escape_decode(s)?,
        _ => return Err(unrecognized(format)),
    };
    Ok(Datum::Bytea(v.into()))
}
fn source(name: &str) -> Result<Encoding> {
    Encoding::by_name(name).ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "invalid source encoding name \"{name}\""))
}
fn destination(name: &str) -> Result<Encoding> {
    Encoding::by_name(name).ok_or_else(|| err!(INVALID_PARAMETER_VALUE, "invalid destination encoding name \"{name}\""))
}
fn convert_from(v: &[u8], from: &str) -> Result<Datum> {
    let mut out = String::new();
    source(from)?.decode(v, &mut out)?;
    Ok(out.into())
}
fn convert_to(s: &str, to: &str) -> Result<Datum> {
    let mut out = Vec::new();
    destination(to)?.encode(s, &mut out)?;
    Ok(bytes(&out))
}
/// convert(): PostgreSQL has conversions between UTF8 and all others, and between some others.
fn convert(v: &[u8], from: &str, to: &str) -> Result<Datum> {
    let (source, destination) = (source(from)?, destination(to)?);
    if !source.reaches(destination) {
        let (from, to) = (source.name(), destination.name());
        bail!(UNDEFINED_FUNCTION, "default conversion function for encoding \"{from}\" to \"{to}\" does not exist");
    }
    let (mut text, mut out) = (String::new(), Vec::new());
    source.decode(v, &mut text)?;
    destination.encode(&text, &mut out)?;
    Ok(bytes(&out))
}
/// length(bytea, encoding)
fn length_in(v: &[u8], encoding: &str) -> Result<Datum> {
    let Some(encoding) = Encoding::by_name(encoding) else {
        bail!(INVALID_PARAMETER_VALUE, "invalid encoding name \"{encoding}\"");
    };
    let mut text = String::new();
    encoding.decode(v, &mut text)?;
    Ok(Datum::Int4(char_len(&text) as i32))
}

/// Before the text of values is made: room for it, and not more than a value may have.
pub fn admit_text<'a>(values: impl IntoIterator<Item = &'a Datum>) -> Result<()> {
    let mut size = 0usize;
    for d in values {
        pamir_types::quoted::admit(d)?;
        size = size.saturating_add(pamir_types::record::weight(d));
    }
    if size > MAX_VALUE {
        return Err(pamir_types::memory::out_of_memory(size));
    }
    admit(2 * size)
}
/// `s` with every `from` replaced: the result may be longer than both by orders of magnitude.
fn replace_all(s: &str, from: &str, to: &str) -> Result<String> {
    if from.is_empty() {
        return Ok(s.to_string());
    }
    if to.len() > from.len() && s.len().saturating_mul(to.len()) / from.len() >= pamir_types::memory::LARGE {
        let (mut size, mut end) = (0usize, 0);
        for (at, _) in s.match_indices(from) {
            for more in [at - end, to.len()] {
                if size + more > MAX_VALUE {
                    return Err(cannot_enlarge(size, more));
                }
                size += more;
            }
            end = at + from.len();
        }
        size += s.len() - end;
        if size > MAX_VALUE {
            return Err(cannot_enlarge(size - (s.len() - end), s.len() - end));
        }
        admit(2 * size)?;
    }
    let mut out = String::new();
    let (mut end, mut breath) = (0, 0);
    for (at, _) in s.match_indices(from) {
        out.push_str(s.get(end..at).unwrap_or_default());
        out.push_str(to);
        end = at + from.len();
        if end - breath > long::PIECE {
            long::charge_copy((end - breath).max(to.len()))?;
            breath = end;
        }
    }
    out.push_str(s.get(end..).unwrap_or_default());
    Ok(out)
}
/// [`admit_text`] for values that are put behind one another, with a separator of so many bytes between: 54000 where PostgreSQL's buffer ends.
fn admit_joined(separator: usize, values: &[Datum]) -> Result<()> {
    let mut size = 0usize;
    for d in values.iter().filter(|d| !d.is_null()) {
        pamir_types::quoted::admit(d)?;
        let bytes = match d {
            Datum::Text(s) => s.len(),
            d => pamir_types::record::weight(d),
        };
        for more in [if size > 0 { separator } else { 0 }, bytes] {
            if size.saturating_add(more) > MAX_VALUE {
                return Err(cannot_enlarge(size, more));
            }
            size += more;
        }
    }
    admit(2 * size)
}
fn concat(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    admit_joined(0, args)?;
    let mut out = Vec::new();
    for (i, a) in args.iter().enumerate() {
        if !a.is_null() {
            put(a, arg_type(ci, i), env, &mut out)?;
        }
    }
    joined(out)
}
/// Appends a value's text; of a long one with breaths between.
fn put(d: &Datum, ty: Type, env: &mut dyn Env, out: &mut Vec<u8>) -> Result<()> {
    match d {
        Datum::Text(s) => long::append(out, s.as_bytes()),
        d => {
            reg::output(d, ty, env, out);
            Ok(())
        }
    }
}
fn joined(out: Vec<u8>) -> Result<Datum> {
    if out.len() <= long::PIECE {
        return Ok(reg::to_text(out));
    }
    let mut text = String::new();
    match long::append_utf8(&mut text, &out)? {
        Ok(()) => Ok(Datum::Text(long::shared(&text)?)),
        Err(_) => Ok(reg::to_text(out)),
    }
}
fn concat_ws(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let Some(Datum::Text(sep)) = args.first() else { return Ok(Datum::Null) };
    admit_joined(sep.len(), &args[1..])?;
    admit(sep.len().saturating_mul(args.len()))?;
    let (mut out, mut first) = (Vec::new(), true);
    for (i, a) in args.iter().enumerate().skip(1) {
        if a.is_null() {
            continue;
        }
        if !first {
            long::append(&mut out, sep.as_bytes())?;
        }
        first = false;
        put(a, arg_type(ci, i), env, &mut out)?;
    }
    joined(out)
}
/// The type of argument `i` at this call (variadic arguments included).
pub fn arg_type(ci: &CallInfo, i: usize) -> Type {
    ci.arg_types.get(i).or(ci.arg_types.last()).copied().unwrap_or(Type::TEXT)
}

/// Appends `n` spaces, however many.
fn spaces(n: usize, out: &mut String) -> Result<()> {
    const CHUNK: usize = 64 << 10;
    let chunk = " ".repeat(n.min(CHUNK));
    for _ in 0..n / CHUNK {
        pamir_types::work::charge(CHUNK / 4)?;
        out.push_str(&chunk);
    }
    out.push_str(chunk.get(..n % CHUNK).unwrap_or(""));
    Ok(())
}
/// format(): `%[position$][-][width]{s|I|L|%}`; width may be `*` or `*n$`.
fn format_text(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let Some(Datum::Text(fmt)) = args.first() else { return Ok(Datum::Null) };
    let mut out = String::with_capacity(fmt.len() + 16);
    let mut next = 0usize;
    let mut it = fmt.chars().peekable();
    while let Some(c) = it.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        if it.next_if_eq(&'%').is_some() {
            out.push('%');
            continue;
        }
        let place = format_place(&mut it, &mut next, ci, args, env)?;
        let Some(conv) = it.next() else {
            return Err(err!(INVALID_PARAMETER_VALUE, "unterminated format() type specifier")
                .hint("For a single \"%\" use \"%%\"."));
        };
        if !matches!(conv, 's' | 'I' | 'L') {
            return Err(err!(INVALID_PARAMETER_VALUE, "unrecognized format() type specifier \"{conv}\"")
                .hint("For a single \"%\" use \"%%\"."));
        }
        let at = place.position.unwrap_or(next + 1);
        next = at;
        let Some(arg) = args.get(at) else { return Err(too_few_arguments()) };
        let piece = if arg.is_null() {
            match conv {
                'I' => bail!(NULL_VALUE_NOT_ALLOWED, "null values cannot be formatted as an SQL identifier"),
                'L' => "NULL".to_string(),
                _ => String::new(),
            }
        } else {
            pamir_types::quoted::admit(arg)?;
            let mut v = Vec::new();
            reg::output(arg, arg_type(ci, at), env, &mut v);
            let s = String::from_utf8(v).unwrap_or_default();
            match conv {
                'I' => quote_ident(&s).into_owned(),
                'L' => quote_literal(&s),
                _ => s,
            }
        };
        let (minus, width) = (place.minus || place.width < 0, place.width.unsigned_abs() as usize);
        let fill = width.saturating_sub(char_len(&piece));
        if out.len() + fill + piece.len() > MAX_VALUE {
            return Err(cannot_enlarge(out.len(), if fill > 0 { fill } else { piece.len() }));
        }
        admit_growth(out.capacity(), out.len() + fill + piece.len())?;
        if minus {
            out.push_str(&piece);
        }
        spaces(fill, &mut out)?;
        if !minus {
            out.push_str(&piece);
        }
    }
    Ok(out.into())
}
/// What stands between format()'s `%` and the letter.
struct FormatPlace {
    position: Option<usize>,
    minus: bool,
    width: i64,
}
type FormatChars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn too_few_arguments() -> Error {
    err!(INVALID_PARAMETER_VALUE, "too few arguments for format()")
}
fn format_place(
    it: &mut FormatChars,
    next: &mut usize,
    ci: &CallInfo,
    args: &[Datum],
    env: &mut dyn Env,
) -> Result<FormatPlace> {
    let zero = || err!(INVALID_PARAMETER_VALUE, "format specifies argument 0, but arguments are numbered from 1");
    let mut place = FormatPlace { position: None, minus: false, width: 0 };
    let mut n = format_number(it)?;
    if n.is_some() && it.next_if_eq(&'$').is_some() {
        place.position = n.take();
        if place.position == Some(0) {
            return Err(zero());
        }
    }
    if n.is_none() {
        while it.next_if_eq(&'-').is_some() {
            place.minus = true;
        }
        if it.next_if_eq(&'*').is_none() {
            n = format_number(it)?;
        } else {
            *next = match format_number(it)? {
                Some(0) => return Err(zero()),
                Some(_) if it.next() != Some('$') => {
                    bail!(INVALID_PARAMETER_VALUE, "width argument position must be ended by \"$\"")
                }
                Some(w) => w,
                None => *next + 1,
            };
            place.width = format_width(ci, args, *next, env)?;
        }
    }
    if let Some(n) = n {
        place.width = n as i64;
    }
    Ok(place)
}
fn format_number(it: &mut FormatChars) -> Result<Option<usize>> {
    let mut n: Option<usize> = None;
    while let Some(d) = it.peek().and_then(|c| c.to_digit(10)) {
        let v = n.unwrap_or(0).checked_mul(10).and_then(|v| v.checked_add(d as usize));
        match v {
            Some(v) if v <= i32::MAX as usize => n = Some(v),
            _ => bail!(NUMERIC_VALUE_OUT_OF_RANGE, "number is out of range"),
        }
        it.next();
    }
    Ok(n)
}
/// A width that is an argument.
fn format_width(ci: &CallInfo, args: &[Datum], at: usize, env: &mut dyn Env) -> Result<i64> {
    match args.get(at) {
        None => Err(too_few_arguments()),
        Some(Datum::Null) => Ok(0),
        Some(Datum::Int2(v)) => Ok(i64::from(*v)),
        Some(Datum::Int4(v)) => Ok(i64::from(*v)),
        Some(d) => {
            let mut v = Vec::new();
            reg::output(d, arg_type(ci, at), env, &mut v);
            let s = String::from_utf8_lossy(&v).into_owned();
            s.trim()
                .parse::<i32>()
                .map(i64::from)
                .map_err(|_| err!(INVALID_TEXT_REPRESENTATION, "invalid input syntax for type integer: \"{s}\""))
        }
    }
}

/// parse_ident(): the dot-separated parts of a qualified name.
fn parse_ident(s: &str, strict: bool) -> Result<Datum> {
    let fail = |detail: &str| {
        let e = err!(INVALID_PARAMETER_VALUE, "string is not a valid identifier: \"{s}\"");
        if detail.is_empty() { e } else { e.detail(detail) }
    };
    let mut parts = Vec::new();
    let mut rest = s.trim_start();
    let mut after_dot = false;
    loop {
        let first = rest.chars().next();
        if first == Some('"') {
            let mut part = String::new();
            let body = &rest[1..];
            let mut i = 0;
            loop {
                let Some(p) = body[i..].find('"') else { return Err(fail("String has unclosed double quotes.")) };
                part.push_str(&body[i..i + p]);
                i += p + 1;
                if body[i..].starts_with('"') {
                    part.push('"');
                    i += 1;
                } else {
                    break;
                }
            }
            if part.is_empty() {
                return Err(fail("Quoted identifier must not be empty."));
            }
            parts.push(Datum::from(part));
            rest = &body[i..];
        } else if first.is_some_and(|c| c.is_alphabetic() || c == '_' || !c.is_ascii()) {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()))
                .unwrap_or(rest.len());
            parts.push(Datum::from(rest[..end].to_ascii_lowercase()));
            rest = &rest[end..];
        } else if first == Some('.') {
            return Err(fail("No valid identifier before \".\"."));
        } else if after_dot {
            return Err(fail("No valid identifier after \".\"."));
        } else {
            return Err(fail(""));
        }
        rest = rest.trim_start();
        if let Some(r) = rest.strip_prefix('.') {
            after_dot = true;
            rest = r.trim_start();
        } else if rest.is_empty() || !strict {
            break;
        } else {
            return Err(fail(""));
        }
    }
    Ok(array::text_array(parts))
}
/// normalize() and IS NORMALIZED (`ask`), in one of Unicode's four forms (Unicode Standard Annex 15).
fn normalized(args: &[Datum], ask: bool) -> Result<Datum> {
    let (s, form) = match args {
        [Datum::Text(s)] => (s, "NFC"),
        [Datum::Text(s), Datum::Text(f)] => (s, &**f),
        _ => return Err(bad_args("normalize", args)),
    };
    let of = |s: &str| -> Result<String> {
        admit(s.len())?;
        let mut out = String::with_capacity(s.len());
        let mut put = |chars: &mut dyn Iterator<Item = char>| -> Result<()> {
            for c in chars {
                pamir_types::work::charge(1)?;
                if out.len() + c.len_utf8() > MAX_VALUE {
                    return Err(alloc_size(out.len() + c.len_utf8() + HEADER));
                }
                admit_growth(out.capacity(), out.len() + c.len_utf8())?;
                out.push(c);
            }
            Ok(())
        };
        match form.to_ascii_uppercase().as_str() {
            "NFC" => put(&mut s.nfc())?,
            "NFD" => put(&mut s.nfd())?,
            "NFKC" => put(&mut s.nfkc())?,
            "NFKD" => put(&mut s.nfkd())?,
            _ => bail!(INVALID_PARAMETER_VALUE, "invalid normalization form: {form}"),
        }
        Ok(out)
    };
    let n = of(s)?;
    Ok(if ask { Datum::Bool(n == **s) } else { n.into() })
}
/// unistr(): `\XXXX`, `\+XXXXXX`, `\uXXXX`, `\UXXXXXXXX`.
fn unistr(s: &str) -> Result<String> {
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    let mut pair: Option<u32> = None;
    while let Some(i) = rest.find('\\') {
        if pair.is_some() && i > 0 {
            bail!(SYNTAX_ERROR, "invalid Unicode surrogate pair");
        }
        out.push_str(&rest[..i]);
        rest = &rest[i + 1..];
        if let Some(r) = rest.strip_prefix('\\') {
            out.push('\\');
            rest = r;
            continue;
        }
        let (skip, n) = match rest.as_bytes().first() {
            Some(b'+') => (1, 6),
            Some(b'u') => (1, 4),
            Some(b'U') => (1, 8),
            _ => (0, 4),
        };
        let code = rest.get(skip..skip + n).and_then(|h| u32::from_str_radix(h, 16).ok());
        let Some(code) = code else {
            return Err(err!(SYNTAX_ERROR, "invalid Unicode escape")
                .hint("Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX."));
        };
        rest = &rest[skip + n..];
        match (pair.take(), code) {
            (None, 0xd800..=0xdbff) => pair = Some(code),
            (Some(h), 0xdc00..=0xdfff) => {
                out.extend(char::from_u32(0x10000 + ((h - 0xd800) << 10) + (code - 0xdc00)));
            }
            (None, c) => match char::from_u32(c) {
                Some(c) if c != '\0' => out.push(c),
                _ => bail!(INVALID_PARAMETER_VALUE, "invalid Unicode code point: {c:04X}"),
            },
            _ => bail!(SYNTAX_ERROR, "invalid Unicode surrogate pair"),
        }
    }
    if pair.is_some() {
        bail!(SYNTAX_ERROR, "invalid Unicode surrogate pair");
    }
    out.push_str(rest);
    Ok(out)
}
fn bit_at(len: usize, n: i64) -> Result<(usize, u32)> {
    if n < 0 || n >= len as i64 * 8 {
        bail!(ARRAY_SUBSCRIPT_ERROR, "index {n} out of valid range, 0..{}", len as i64 * 8 - 1);
    }
    Ok((n as usize / 8, (n % 8) as u32))
}
fn byte_at(len: usize, n: i32) -> Result<usize> {
    if n < 0 || n as usize >= len {
        bail!(ARRAY_SUBSCRIPT_ERROR, "index {n} out of valid range, 0..{}", len as i64 - 1);
    }
    Ok(n as usize)
}
fn find_bytes(s: &[u8], p: &[u8]) -> i32 {
    memchr::memmem::find(s, p).map_or(0, |i| i as i32 + 1)
}
fn position(s: &str, p: &str) -> i32 {
    s.find(p).map_or(0, |i| char_len(&s[..i]) as i32 + 1)
}
/// `any || text` (textanycat, anytextcat): the other operand as its cast to text.
fn cast_text(d: &Datum, ty: Type, env: &mut dyn Env, out: &mut Vec<u8>) {
    match d {
        Datum::Bool(b) => out.extend_from_slice(if *b { b"true" } else { b"false" }),
        Datum::Text(s) if ty.oid == pamir_types::oid::BPCHAR => {
            out.extend_from_slice(s.trim_end_matches(' ').as_bytes())
        }
        Datum::Text(s) if ty.oid == pamir_types::oid::XML => out.extend_from_slice(s.as_bytes()),
        d => reg::output(d, ty, env, out),
    }
}
fn any_concat(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let [a, b] = args else { return Err(bad_args("||", args)) };
    if a.is_null() || b.is_null() {
        return Ok(Datum::Null);
    }
    admit_text(args)?;
    let mut out = Vec::new();
    cast_text(a, arg_type(ci, 0), env, &mut out);
    cast_text(b, arg_type(ci, 1), env, &mut out);
    Ok(reg::to_text(out))
}
fn quote_any(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match args {
        [Datum::Null] => Ok(text("NULL")),
        [d] => {
            pamir_types::quoted::admit(d)?;
            let mut out = Vec::new();
            cast_text(d, arg_type(ci, 0), env, &mut out);
            Ok(quote_literal(&String::from_utf8_lossy(&out)).into())
        }
        _ => Err(bad_args("quote_literal", args)),
    }
}
fn text_concat2(a: &str, b: &str) -> Result<Datum> {
    admit_value(a.len() + b.len())?;
    let mut s = String::with_capacity(a.len() + b.len());
    s.push_str(a);
    s.push_str(b);
    Ok(s.into())
}
fn bpchar_len(s: &str) -> i32 {
    char_len(s.trim_end_matches(' ')) as i32
}
/// The hash of `b`, in pieces with breaths between.
pub fn hashed<D: md5::Digest>(b: &[u8]) -> Result<md5::digest::Output<D>> {
    let mut d = D::new();
    for piece in b.chunks(long::PIECE) {
        d.update(piece);
        // Some 500 MB a second.
        pamir_types::work::charge(2 * piece.len())?;
    }
    Ok(d.finalize())
}
fn md5_hex(b: &[u8]) -> Result<Datum> {
    hashed::<md5::Md5>(b).map(|h| hex(&h).into())
}

funcs! { pub FUNCS {
    textcat (a: Text, b: Text) => text_concat2(a, b);
    textanycat_2003 raw = any_concat;
    anytextcat_2004 raw = any_concat;
    text_concat raw = concat;
    text_concat_ws raw = concat_ws;
    text_format raw = format_text;
    text_format_nv raw = format_text;
    textlen (s: Text) -> char_len(s) as i32;
    bpcharlen (s: Text) -> bpchar_len(s);
    textoctetlen (s: Text) -> s.len() as i32;
    bpcharoctetlen (s: Text) -> s.len() as i32;
    bit_length_1811 (s: Text) -> s.len() as i32 * 8;
    bit_length_1810 (s: Bytea) -> s.len() as i32 * 8;
    upper (s: Text) -> s.to_ascii_uppercase();
    lower (s: Text) -> s.to_ascii_lowercase();
    initcap (s: Text) -> initcap(s);
    text_substr (s: Text, a: Int4, n: Int4) => substr(s, *a, Some(*n)).map(text);
    text_substr_no_len (s: Text, a: Int4) => substr(s, *a, None).map(text);
    textpos (s: Text, p: Text) -> position(s, p);
    textoverlay (s: Text, by: Text, a: Int4, n: Int4) => overlay(s, by, *a, *n).map(Datum::from);
    textoverlay_no_len (s: Text, by: Text, a: Int4) => overlay(s, by, *a, char_len(by) as i32).map(Datum::from);
    btrim (s: Text, set: Text) -> trim(s, set, true, true);
    btrim1 (s: Text) -> trim(s, " ", true, true);
    ltrim (s: Text, set: Text) -> trim(s, set, true, false);
    ltrim1 (s: Text) -> trim(s, " ", true, false);
    rtrim (s: Text, set: Text) -> trim(s, set, false, true);
    rtrim1 (s: Text) -> trim(s, " ", false, true);
    lpad (s: Text, n: Int4, fill: Text) => pad(s, *n, fill, true);
    lpad_879 (s: Text, n: Int4) => pad(s, *n, " ", true);
    rpad (s: Text, n: Int4, fill: Text) => pad(s, *n, fill, false);
    rpad_880 (s: Text, n: Int4) => pad(s, *n, " ", false);
    text_left (s: Text, n: Int4) -> left(s, *n);
    text_right (s: Text, n: Int4) -> right(s, *n);
    repeat (s: Text, n: Int4) => repeat(s, *n);
    replace_text (s: Text, from: Text, to: Text) => Ok(replace_all(s, from, to)?.into());
    text_reverse (s: Text) -> s.chars().rev().collect::<String>();
    split_part (s: Text, sep: Text, n: Int4) => split_part(s, sep, *n).map(text);
    translate (s: Text, from: Text, to: Text) => translate(s, from, to).map(Datum::from);
    quote_ident (s: Text) -> &*quote_ident(s);
    quote_literal (s: Text) => {
        // PostgreSQL's worst case: all are doubled, within E''.
        admit_value(s.len() * 2 + 3)?;
        Ok(quote_literal(s).into())
    };
    quote_nullable raw = quote_any;
    quote_literal_1285 raw = quote_any;
    quote_nullable_1290 raw = quote_any;
    md5_text (s: Text) => md5_hex(s.as_bytes());
    md5_bytea (s: Bytea) => md5_hex(s);
    sha224_bytea (s: Bytea) => hashed::<sha2::Sha224>(s).map(|h| bytes(&h));
    sha256_bytea (s: Bytea) => hashed::<sha2::Sha256>(s).map(|h| bytes(&h));
    sha384_bytea (s: Bytea) => hashed::<sha2::Sha384>(s).map(|h| bytes(&h));
    sha512_bytea (s: Bytea) => hashed::<sha2::Sha512>(s).map(|h| bytes(&h));
    binary_encode (v: Bytea, f: Text) => encode(v, f);
    binary_decode (s: Text, f: Text) => decode(s, f);
    ascii (s: Text) -> s.chars().next().map_or(0, |c| c as i32);
    chr (n: Int4) => chr(*n);
    to_hex32 (n: Int4) -> format!("{n:x}");
    to_hex64 (n: Int8) -> format!("{n:x}");
    pg_convert_from (v: Bytea, e: Text) => convert_from(v, e);
    pg_convert_to (s: Text, e: Text) => convert_to(s, e);
    pg_convert (v: Bytea, from: Text, to: Text) => convert(v, from, to);
    unicode_normalize_func raw = |_, args, _| normalized(args, false);
    unicode_is_normalized raw = |_, args, _| normalized(args, true);
    unistr (s: Text) => unistr(s).map(Datum::from);
    parse_ident raw = |_, args, _| match args {
        [Datum::Text(s)] => parse_ident(s, true),
        [Datum::Text(s), Datum::Bool(strict)] => parse_ident(s, *strict),
        _ => Err(bad_args("parse_ident", args)),
    };
    length_in_encoding (v: Bytea, e: Text) => length_in(v, e);

    // bytea
    byteacat (a: Bytea, b: Bytea) => {
        admit_value(a.len() + b.len())?;
        Ok(bytes(&[&**a, &**b].concat()))
    };
    byteaoctetlen (a: Bytea) -> a.len() as i32;
    bytea_substr (s: Bytea, a: Int4, n: Int4) => substr_bytes(s, *a, Some(*n));
    bytea_substr_no_len (s: Bytea, a: Int4) => substr_bytes(s, *a, None);
    byteaoverlay (s: Bytea, by: Bytea, a: Int4, n: Int4) => overlay_bytes(s, by, *a, *n);
    byteaoverlay_no_len (s: Bytea, by: Bytea, a: Int4) => overlay_bytes(s, by, *a, by.len() as i32);
    byteapos (s: Bytea, p: Bytea) -> find_bytes(s, p);
    byteatrim (s: Bytea, set: Bytea) -> bytes(trim_bytes(s, set, true, true));
    bytealtrim (s: Bytea, set: Bytea) -> bytes(trim_bytes(s, set, true, false));
    byteartrim (s: Bytea, set: Bytea) -> bytes(trim_bytes(s, set, false, true));
    bytea_bit_count (s: Bytea) -> s.iter().map(|b| i64::from(b.count_ones())).sum::<i64>();
    byteaGetByte (s: Bytea, n: Int4) => byte_at(s.len(), *n).map(|i| Datum::Int4(s.get(i).map_or(0, |b| i32::from(*b))));
    byteaGetBit (s: Bytea, n: Int8) => bit_at(s.len(), *n).map(|(i, b)| Datum::Int4(s.get(i).map_or(0, |x| i32::from(x >> b & 1))));
    byteaSetByte (s: Bytea, n: Int4, v: Int4) => byte_at(s.len(), *n).map(|i| {
        let mut o = s.to_vec();
        if let Some(x) = o.get_mut(i) { *x = *v as u8; }
        Datum::Bytea(o.into())
    });
    byteaSetBit (s: Bytea, n: Int8, v: Int4) => {
        if *v != 0 && *v != 1 { bail!(INVALID_PARAMETER_VALUE, "new bit must be 0 or 1"); }
        let (i, b) = bit_at(s.len(), *n)?;
        let mut o = s.to_vec();
        if let Some(x) = o.get_mut(i) { *x = *x & !(1 << b) | (*v as u8) << b; }
        Ok(Datum::Bytea(o.into()))
    };
} }
