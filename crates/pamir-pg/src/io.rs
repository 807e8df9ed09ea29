//! The session's view of its client: messages encoded straight into the output buffer, COPY data read from the input.
//!
//! Rows are written in place: a DataRow's length and each value's length are patched once they are known, so a row costs no
//! allocation and one copy. When the buffer passes [`HIGH_WATER`] it is written, and if the socket is full the session is suspended until
//! the peer has read ([`Link::back_pressure`]): that is the back-pressure of [`RowSink::end_row`].
//!
//! Invariant: [`Link::out`] holds whole messages, except for the row between `begin_row` and `end_row`, which starts at `row`.
use crate::proto::{self, Body, Frame, HEADER};
use pamir_net::Link;
use pamir_net::link::HIGH_WATER;
use pamir_net::wire;
use pamir_sql::client::{Client, Field, Lane, Mark, RowSink, TcpSettings};
use pamir_storage::helpers;
use pamir_types::error::Severity;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Oid, Result, Type, encoding, err, long, memory, oid};
use smallvec::SmallVec;

/// Type, length and number of columns of a DataRow.
const ROW_HEAD: usize = 7;

pub struct Io {
    pub link: Link,
    row: Option<usize>,
    column: usize,
    formats: SmallVec<[i16; 32]>,
    cx: TextCtx,
    /// The columns' types, where text is converted.
    types: Vec<Oid>,
    /// There was no memory for one of the row's values.
    short: Option<Error>,
    tcp: TcpSettings,
    /// Rows are values of function calls.
    function: bool,
}

impl Io {
    pub fn new(link: Link) -> Io {
        Io {
            link,
            row: None,
            column: 0,
            formats: SmallVec::new(),
            cx: TextCtx::default(),
            types: Vec::new(),
            short: None,
            tcp: TcpSettings::default(),
            function: false,
        }
    }

    /// Starts a message; returns where its length goes.
    fn begin(&mut self, kind: u8) -> usize {
        self.link.out.extend_from_slice(&[kind, 0, 0, 0, 0]);
        self.link.out.len() - 4
    }
    fn end(&mut self, at: usize) {
        patch(&mut self.link.out, at, 0);
    }
    fn cstr(&mut self, s: &str) {
        if let Err(e) = cstr(&mut self.link.out, s, &self.cx) {
            // Heard with the next row.
            self.short = Some(e);
        }
    }
    fn i16(&mut self, v: i16) {
        self.link.out.extend_from_slice(&v.to_be_bytes());
    }
    fn i32(&mut self, v: i32) {
        self.link.out.extend_from_slice(&v.to_be_bytes());
    }

    /// A message without a body.
    pub fn simple(&mut self, kind: u8) {
        self.link.out.extend_from_slice(&[kind, 0, 0, 0, 4]);
    }
    pub fn ready(&mut self, status: u8) {
        self.link.out.extend_from_slice(&[b'Z', 0, 0, 0, 5, status]);
    }
    /// AuthenticationXxx: code and what follows it.
    pub fn authentication(&mut self, code: i32, data: &[u8]) {
        let at = self.begin(b'R');
        self.i32(code);
        self.link.out.extend_from_slice(data);
        self.end(at);
    }
    pub fn backend_key(&mut self, pid: i32, secret: i32) {
        let at = self.begin(b'K');
        self.i32(pid);
        self.i32(secret);
        self.end(at);
    }
    pub fn negotiate(&mut self, options: &[String]) {
        let at = self.begin(b'v');
        self.i32(3 << 16);
        self.i32(options.len() as i32);
        for o in options {
            self.cstr(o);
        }
        self.end(at);
    }
    pub fn parameter_description(&mut self, params: &[pamir_types::Oid]) {
        let at = self.begin(b't');
        self.i16(params.len() as u16 as i16);
        for p in params {
            self.i32(*p as i32);
        }
        self.end(at);
    }

    /// ErrorResponse; a row that was begun is dropped.
    pub fn error(&mut self, e: &Error) {
        if let Some(row) = self.row.take() {
            self.link.out.truncate(row);
        }
        self.report(b'E', e);
    }
    fn report(&mut self, kind: u8, e: &Error) {
        report(&mut self.link.out, kind, e, &self.cx);
    }

    fn format(&self) -> i16 {
        match self.formats.as_slice() {
            [] => 0,
            [f] => *f,
            all => all.get(self.column).copied().unwrap_or(0),
        }
    }

    /// The next frontend message of a COPY FROM STDIN, waiting for it: its type and size.
    fn next_message(&mut self) -> Result<(u8, usize)> {
        loop {
            let hint = match proto::frame(self.link.input.data(), false)? {
                Frame::Complete { kind, total } => return Ok((kind, total)),
                Frame::Partial(hint) => hint,
            };
            // COPY comes in a stream: larger reads than one message needs.
            if !self.link.read_more(hint.max(HIGH_WATER))? {
                return Err(err!(CONNECTION_FAILURE, "unexpected EOF on client connection with an open transaction")
                    .severity(Severity::Fatal));
            }
        }
    }
}

/// Writes at `at` the distance from there to the end, less `less`: a message's length counts itself, a value's does not.
fn patch(out: &mut [u8], at: usize, less: usize) {
    let len = (out.len() - at - less) as u32;
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&len.to_be_bytes());
    }
}

/// A text and its zero, in the client's encoding; an error: it has characters that the encoding lacks, and has gone without them.
fn cstr(out: &mut Vec<u8>, s: &str, cx: &TextCtx) -> Result<()> {
    let mut foreign = Vec::new();
    let (mut b, mut r) = (s.as_bytes(), Ok(()));
    if cx.encoding.converts() && !b.is_ascii() {
        if let Err(e) = cx.encoding.encode(s, &mut foreign) {
            r = Err(e);
            foreign = s.chars().map(|c| if c.is_ascii() { c as u8 } else { b'?' }).collect();
        }
        b = &foreign;
    }
    // A zero inside would end the string early and shift the message's later fields.
    if b.contains(&0) {
        out.extend(b.iter().filter(|b| **b != 0));
    } else {
        out.extend_from_slice(b);
    }
    out.push(0);
    r
}
/// What takes the place of an error that the client's encoding has no characters for.
fn untranslatable(e: &Error, cx: &TextCtx) -> Option<Error> {
    if !cx.encoding.converts() {
        return None;
    }
    let d = e.data();
    let texts = [Some(&d.message), d.detail.as_ref(), d.hint.as_ref(), d.context.as_ref()];
    let names = [&d.schema, &d.table, &d.column, &d.datatype, &d.constraint].map(|n| n.as_ref());
    let mut all = texts.into_iter().chain(names).flatten().filter(|t| !t.is_ascii());
    all.find_map(|t| cx.encoding.encode(t, &mut Vec::new()).err()).map(|new| new.severity(d.severity))
}
/// ErrorResponse or NoticeResponse.
fn report(out: &mut Vec<u8>, kind: u8, e: &Error, cx: &TextCtx) {
    if let Some(e) = untranslatable(e, cx) {
        return report(out, kind, &e, cx);
    }
    let mut digits = Digits::default();
    out.extend_from_slice(&[kind, 0, 0, 0, 0]);
    let at = out.len() - 4;
    for (field, text) in fields(e, &mut digits) {
        if let Some(text) = text {
            out.push(field);
            // It can be said, as was seen.
            let _ = cstr(out, text, cx);
        }
    }
    out.push(0);
    patch(out, at, 0);
}
/// The wire, for messages that do not wait for what the connection's buffer holds.
struct WireLane(std::sync::Arc<parking_lot::Mutex<wire::Wire>>);
impl Lane for WireLane {
    fn notices(&self, list: &[Error], cx: &TextCtx, cancel: &std::sync::Arc<pamir_txn::Cancel>) -> Result<()> {
        let mut out = Vec::new();
        list.iter().for_each(|e| report(&mut out, b'N', e, cx));
        pamir_net::link::send_beside(&self.0, &mut out, cancel)
    }
}

/// Room for the digits of an error's position and line.
type Digits = [[u8; 20]; 2];
/// An error's fields, those that have no text too.
fn fields<'a>(e: &'a Error, [position, line]: &'a mut Digits) -> [(u8, Option<&'a str>); 18] {
    let d = e.data();
    let (file, number, routine) = e.source();
    let line = digits(number as u64, line);
    let severity = match d.severity {
        Severity::Error => "ERROR",
        Severity::Fatal => "FATAL",
        Severity::Panic => "PANIC",
        Severity::Warning => "WARNING",
        Severity::Notice => "NOTICE",
        Severity::Debug => "DEBUG",
        Severity::Info => "INFO",
        Severity::Log => "LOG",
    };
    // An error has one of the two.
    let inner = d.inner.as_ref().filter(|_| d.position.is_none());
    let at = d.position.or(inner.map(|i| i.0)).map(|p| digits(p as u64, position));
    let (position, inner_position) = if inner.is_some() { (None, at) } else { (at, None) };
    [
        (b'S', Some(severity)),
        (b'V', Some(severity)),
        (b'C', Some(d.code.as_str())),
        (b'M', Some(&d.message)),
        (b'D', d.detail.as_deref()),
        (b'H', d.hint.as_deref()),
        (b'P', position),
        (b'p', inner_position),
        (b'q', inner.map(|i| i.1.as_str())),
        (b'W', d.context.as_deref()),
        (b's', d.schema.as_deref()),
        (b't', d.table.as_deref()),
        (b'c', d.column.as_deref()),
        (b'd', d.datatype.as_deref()),
        (b'n', d.constraint.as_deref()),
        (b'F', Some(file)),
        (b'L', Some(line)),
        (b'R', Some(routine)),
    ]
}

/// An ErrorResponse for a client of whom nothing is known yet.
pub fn error_response(e: &Error) -> Vec<u8> {
    let (mut out, mut digits) = (vec![b'E', 0, 0, 0, 0], Digits::default());
    for (field, text) in fields(e, &mut digits) {
        if let Some(text) = text {
            out.push(field);
            out.extend(text.bytes().filter(|b| *b != 0));
            out.push(0);
        }
    }
    out.push(0);
    patch(&mut out, 1, 0);
    out
}

/// Decimal digits of `v` at the end of `buf`.
fn digits(mut v: u64, buf: &mut [u8; 20]) -> &str {
    let mut at = buf.len();
    loop {
        at -= 1;
        buf[at] = b'0' + (v % 10) as u8;
        v /= 10;
        if v == 0 {
            break;
        }
    }
    std::str::from_utf8(&buf[at..]).unwrap_or("0")
}

/// `pg_type.typlen`: bytes of a fixed-width type, -1 variable, -2 zero-terminated.
fn type_len(o: pamir_types::Oid) -> i16 {
    match o {
        oid::BOOL | oid::CHAR => 1,
        oid::INT2 => 2,
        oid::INT4 | oid::FLOAT4 | oid::DATE | oid::OID | oid::XID | oid::CID | oid::VOID => 4,
        oid::REGPROC
        | oid::REGPROCEDURE
        | oid::REGOPER
        | oid::REGCLASS
        | oid::REGTYPE
        | oid::REGNAMESPACE
        | oid::REGROLE
        | oid::REGCOLLATION
        | oid::REGOPERATOR
        | oid::REGCONFIG
        | oid::REGDICTIONARY => 4,
        oid::TID => 6,
        oid::INT8 | oid::FLOAT8 | oid::MONEY | oid::TIME | oid::TIMESTAMP | oid::TIMESTAMPTZ => 8,
        oid::TIMETZ => 12,
        oid::INTERVAL | oid::UUID => 16,
        oid::NAME => 64,
        oid::CSTRING | oid::UNKNOWN => -2,
        _ => -1,
    }
}

impl RowSink for Io {
    fn begin_row(&mut self, columns: usize) {
        self.row = Some(self.link.out.len());
        self.column = 0;
        let [hi, lo] = (columns as u16).to_be_bytes();
        self.link.out.extend_from_slice(&[b'D', 0, 0, 0, 0, hi, lo]);
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        if let Datum::Null = d {
            return self.null();
        }
        let text = self.format() == 0;
        if text && let Err(e) = pamir_types::quoted::admit(d) {
            self.short = Some(e);
            return self.null();
        }
        let bytes = length(d, text);
        // A value's text takes up to four times its bytes (bytea's escapes), and the buffer doubles.
        if let Err(e) = memory::admit_growth(self.link.out.capacity(), 4 * bytes) {
            self.short = Some(e);
            return self.null();
        }
        let at = self.link.out.len();
        self.link.out.extend_from_slice(&[0; 4]);
        if bytes > long::PIECE {
            if let Err(e) = self.long_datum(d, ty) {
                self.short = Some(e);
            }
        } else if self.format() == 1 {
            pamir_types::binary::encode_with(d, ty, self.cx.types.as_deref(), &mut self.link.out);
        } else {
            match d {
                Datum::Int4(v) => int(*v as i64, &mut self.link.out),
                Datum::Int8(v) if ty.oid != oid::MONEY => int(*v, &mut self.link.out),
                Datum::Int2(v) => int(*v as i64, &mut self.link.out),
                Datum::Text(s) if ty.oid != oid::XML => self.link.out.extend_from_slice(s.as_bytes()),
                Datum::Bool(b) => self.link.out.push(if *b { b't' } else { b'f' }),
                d => pamir_types::text::format(d, ty, &self.cx, &mut self.link.out),
            }
        }
        patch(&mut self.link.out, at, 4);
        self.column += 1;
    }
    fn bytes(&mut self, b: &[u8]) {
        self.link.out.extend_from_slice(&(b.len() as u32).to_be_bytes());
        self.link.out.extend_from_slice(b);
        self.column += 1;
    }
    fn null(&mut self) {
        self.i32(-1);
        self.column += 1;
    }
    fn end_row(&mut self) -> Result<()> {
        let Some(row) = self.row.take() else { return Ok(()) };
        if let Some(e) = self.short.take() {
            self.link.out.truncate(row);
            return Err(e);
        }
        if self.cx.encoding.converts()
            && let Err(e) = self.encode_row(row)
        {
            self.link.out.truncate(row);
            return Err(e);
        }
        if self.link.out.len() - row > proto::MAX_LARGE_MESSAGE {
            self.link.out.truncate(row);
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "row is too large to be sent")
                .detail(format!("A row may take at most {} bytes in the protocol.", proto::MAX_LARGE_MESSAGE)));
        }
        if self.function {
            self.make_function_result(row);
        }
        patch(&mut self.link.out, row + 1, 0);
        self.link.back_pressure()
    }
    fn leaves(&self) -> bool {
        self.link.out.len() >= HIGH_WATER
    }
}

impl Io {
    /// Makes a FunctionCallResponse of a row of one value: the same but for its type and the number of columns.
    fn make_function_result(&mut self, row: usize) {
        if let Some(kind) = self.link.out.get_mut(row) {
            *kind = b'V';
        }
        self.link.out.drain(row + HEADER..row + ROW_HEAD);
    }
    /// Converts the row that begins at `row` to the client's encoding.
    fn encode_row(&mut self, row: usize) -> Result<()> {
        let (encoding, old) = (self.cx.encoding, self.link.out.split_off(row));
        let (head, mut values) = old.split_at(ROW_HEAD.min(old.len()));
        self.link.out.extend_from_slice(head);
        self.column = 0;
        while let Some((len, rest)) = values.split_first_chunk::<4>() {
            values = rest;
            let at = self.link.out.len();
            self.link.out.extend_from_slice(len);
            // -1: NULL.
            let Ok(len) = usize::try_from(i32::from_be_bytes(*len)) else {
                self.column += 1;
                continue;
            };
            let (value, rest) = values.split_at(len.min(values.len()));
            values = rest;
            if value.is_ascii() {
                long::append(&mut self.link.out, value)?;
            } else if self.format() == 1 {
                let ty = self.types.get(self.column).copied().unwrap_or(oid::TEXT);
                encoding::encode_binary(encoding, ty, value, &mut self.link.out)?;
            } else {
                encoding.encode(encoding::utf8(value)?, &mut self.link.out)?;
            }
            patch(&mut self.link.out, at, 4);
            self.column += 1;
        }
        Ok(())
    }
    /// The message at the start of the input is `total` bytes long. Its strings are converted from the client's encoding, in place; its length then. (Bind's values are not: their types
    /// say what is text.)
    pub fn decode_message(&mut self, kind: u8, total: usize) -> Result<usize> {
        let (raw, strings) = match kind {
            b'Q' | b'E' => (0, 1),
            b'P' | b'B' => (0, 2),
            b'D' | b'C' => (1, 1),
            _ => return Ok(total),
        };
        let body = self.link.input.data().get(HEADER..total).unwrap_or_default();
        let (head, mut rest) = body.split_at(raw.min(body.len()));
        let mut out = vec![kind, 0, 0, 0, 0];
        out.extend_from_slice(head);
        for _ in 0..strings {
            // What is no message is told later.
            let Ok(s) = std::ffi::CStr::from_bytes_until_nul(rest) else { return Ok(total) };
            let mut text = String::new();
            self.cx.encoding.decode(s.to_bytes(), &mut text)?;
            rest = rest.get(s.count_bytes() + 1..).unwrap_or_default();
            long::append(&mut out, text.as_bytes())?;
            out.push(0);
        }
        long::append(&mut out, rest)?;
        patch(&mut out, 1, 0);
        let total = out.len();
        let old = body.len() + HEADER;
        self.link.input.replace(old, out);
        Ok(total)
    }
    /// Is what the client sends to be converted?
    #[inline]
    pub fn decodes(&self) -> bool {
        self.cx.encoding.converts()
    }

    /// A long value: what is copied is copied in pieces, what must be made of it is made by a helper.
    fn long_datum(&mut self, d: &Datum, ty: Type) -> Result<()> {
        let binary = self.format() == 1;
        match d {
            // As it is, in both formats.
            Datum::Text(s) if ty.oid != oid::XML => long::append(&mut self.link.out, s.as_bytes()),
            Datum::Bytea(b) if binary => long::append(&mut self.link.out, b),
            d => {
                let (d, cx) = (d.clone(), self.cx.clone());
                let made = helpers::run(move || {
                    let mut made = Vec::new();
                    match binary {
                        true => pamir_types::binary::encode_with(&d, ty, cx.types.as_deref(), &mut made),
                        false => pamir_types::text::format(&d, ty, &cx, &mut made),
                    }
                    made
                })?;
                long::append(&mut self.link.out, &made)
            }
        }
    }
}

/// Bytes of a value that may be long.
fn length(d: &Datum, text: bool) -> usize {
    match d {
        Datum::Text(s) => s.len(),
        Datum::Bytea(b) => b.len(),
        Datum::Array(a) => a.items.iter().map(|d| length(d, text) + 8).sum(),
        Datum::Record(_) if text => pamir_types::quoted::length(d),
        Datum::Record(r) => r.iter().map(|(_, d)| length(d, text) + 8).sum(),
        Datum::Jsonb(j) => j.size(),
        Datum::Bits(b) => b.len(),
        Datum::Citext(v) => v.text.len(),
        Datum::Multirange(_) => pamir_types::quoted::length(d),
        _ => 0,
    }
}

fn int(v: i64, out: &mut Vec<u8>) {
    if v < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits(v.unsigned_abs(), &mut [0; 20]).as_bytes());
}

impl Client for Io {
    fn lane(&self) -> Option<std::sync::Arc<dyn Lane>> {
        Some(std::sync::Arc::new(WireLane(self.link.wire.clone())))
    }
    fn mark(&self) -> Option<Mark> {
        Some(Mark { left: self.link.handed, kept: self.link.out.len() })
    }
    fn take_back(&mut self, to: Mark) -> bool {
        if self.link.broken || self.link.handed != to.left || self.link.out.len() < to.kept {
            return false;
        }
        self.link.out.truncate(to.kept);
        (self.row, self.short) = (None, None);
        true
    }
    fn row_description(&mut self, fields: &[Field], formats: &[i16]) {
        if self.decodes() {
            self.types = fields.iter().map(|f| f.ty.oid).collect();
        }
        self.formats.clear();
        self.formats.extend_from_slice(formats);
        let at = self.begin(b'T');
        self.i16(fields.len() as u16 as i16);
        for (i, f) in fields.iter().enumerate() {
            self.column = i;
            self.cstr(&f.name);
            self.i32(f.table as i32);
            self.i16(f.attnum);
            self.i32(f.ty.oid as i32);
            self.i16(type_len(f.ty.oid));
            self.i32(f.ty.typmod);
            self.i16(self.format());
        }
        self.end(at);
    }
    fn set_formats(&mut self, formats: &[i16], types: &[Type]) {
        if self.decodes() {
            self.types = types.iter().map(|t| t.oid).collect();
        }
        self.formats.clear();
        self.formats.extend_from_slice(formats);
    }
    fn function_result(&mut self, on: bool) {
        self.function = on;
    }
    fn command_complete(&mut self, tag: &str) {
        if self.function {
            return;
        }
        let at = self.begin(b'C');
        self.cstr(tag);
        self.end(at);
    }
    fn empty_query(&mut self) {
        self.simple(b'I');
    }
    fn portal_suspended(&mut self) {
        self.simple(b's');
    }
    fn notice(&mut self, e: &Error) {
        self.report(b'N', e);
    }
    fn parameter_status(&mut self, name: &str, value: &str) {
        let at = self.begin(b'S');
        self.cstr(name);
        self.cstr(value);
        self.end(at);
    }
    fn notification(&mut self, pid: i32, channel: &str, payload: &str) {
        let at = self.begin(b'A');
        self.i32(pid);
        self.cstr(channel);
        self.cstr(payload);
        self.end(at);
    }
    fn set_text_ctx(&mut self, cx: &TextCtx) {
        self.cx = cx.clone();
    }
    fn set_tcp(&mut self, s: TcpSettings) {
        if s == self.tcp {
            return;
        }
        self.tcp = s;
        let TcpSettings { idle, interval, count, user_timeout } = s;
        let s = wire::TcpSettings { idle, interval, count, user_timeout };
        if let Err(e) = self.link.wire.lock().set_tcp(s) {
            tracing::debug!("TCP settings: {e}");
        }
    }
    fn copy_out_begin(&mut self, binary: bool, columns: usize) -> Result<()> {
        self.copy_begin(b'H', binary, columns);
        Ok(())
    }
    fn copy_data(&mut self, b: &[u8]) -> Result<()> {
        if b.len() > proto::MAX_LARGE_MESSAGE - 4 {
            return Err(err!(PROGRAM_LIMIT_EXCEEDED, "row is too large to be sent"));
        }
        let at = self.begin(b'd');
        self.link.out.extend_from_slice(b);
        self.end(at);
        self.link.back_pressure()
    }
    fn copy_done(&mut self) -> Result<()> {
        self.simple(b'c');
        Ok(())
    }
    fn copy_in_begin(&mut self, binary: bool, columns: usize) -> Result<()> {
        self.copy_begin(b'G', binary, columns);
        self.link.flush(true)
    }
    fn copy_in_read(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        loop {
            let (kind, total) = self.next_message()?;
            let body = self.link.input.data().get(HEADER..total).unwrap_or_default();
            let r = match kind {
                b'd' => {
                    memory::admit_growth(out.capacity(), out.len() + body.len())?;
                    long::append(out, body)?;
                    Some(Ok(true))
                }
                b'c' => Some(Ok(false)),
                b'f' => Some(Err(match Body::new(body).cstr() {
                    Ok(why) => err!(QUERY_CANCELED, "COPY from stdin failed: {why}"),
                    Err(e) => e,
                })),
                // Clients of the extended protocol may send them before they learn that COPY began.
                b'H' | b'S' => None,
                k => return Err(err!(PROTOCOL_VIOLATION, "unexpected message type 0x{k:02X} during COPY from stdin")),
            };
            self.link.input.consume(total);
            if let Some(r) = r {
                return r;
            }
        }
    }
}

impl Io {
    fn copy_begin(&mut self, kind: u8, binary: bool, columns: usize) {
        let at = self.begin(kind);
        self.link.out.push(binary as u8);
        self.i16(columns as u16 as i16);
        for _ in 0..columns {
            self.i16(binary as i16);
        }
        self.end(at);
    }
}
