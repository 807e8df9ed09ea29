//! COPY FROM STDIN and COPY TO STDOUT in PostgreSQL's three formats ("COPY", section File Formats).
//!
//! Input is read chunk by chunk through [`Client::copy_in_read`] and rows go straight into [`CopyInsert`]: memory holds one chunk and one row, never the file.
use super::Session;
use super::copy_file::{self, Source, Target};
use super::copy_options::{Format, Options, options};
use super::query::input;
use super::statement::{PreparedStmt, Told};
use super::utility::schema_and_name;
use crate::client::{Client, RowSink};
use pamir_catalog::{Table, acl};
use pamir_exec::{CopyInsert, Execution, RunState};
use pamir_parse::tree::{
    At, Copy, CopySource, CopyTarget, Expr, ExprKind, Relation, Select, SelectBody, SelectCore, Statement, TableKind,
    TableRef, Target as Column,
};
use pamir_plan::bind::BindCtx;
use pamir_txn::{TableLock, WaitPolicy};
use pamir_types::encoding::{Encoding, UTF8};
use pamir_types::long::PIECE;
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Result, Type, bail, encoding, err, work};
use std::sync::Arc;

/// The longest line or binary field COPY takes, in bytes.
const MAX_COPY_LINE: usize = 1 << 30;
/// Bytes that are searched in a nanosecond.
const SEARCH: usize = 8;
const BINARY_SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// Runs a COPY statement; returns its tag. `whole`: the statement as it was sent.
pub fn run(session: &mut Session, c: &Copy, whole: &PreparedStmt, client: &mut dyn Client) -> Result<String> {
    let mut o = options(&c.options, &whole.text)?;
    o.encoding.get_or_insert(session.state.settings.text.encoding);
    let mut path = None;
    match &c.target {
        CopyTarget::Client => {}
        CopyTarget::File(p) => {
            session.state.refresh_catalog();
            copy_file::may(&session.state.who(), c.to)?;
            path = Some(p.as_str());
        }
        CopyTarget::Program(_) => {
            return Err(Error::unsupported("COPY with a program").hint("Use STDIN or STDOUT, or psql's \\copy."));
        }
    }
    let rows = match &c.source {
        CopySource::Query(q) => {
            if matches!(q, Statement::Select(s) if s.into_clause().is_some()) {
                bail!(FEATURE_NOT_SUPPORTED, "COPY (SELECT INTO) is not supported");
            }
            copy_out(session, q.clone(), whole, &o, path, client)?
        }
        CopySource::Table(name, columns) if c.to => {
            let (table, cols) = target_columns(session, &name.parts, columns)?;
            let names = cols.iter().filter_map(|a| table.column(*a)).map(|c| c.name.clone());
            copy_out(session, select(names, name), whole, &o, path, client)?
        }
        CopySource::Table(name, columns) => {
            let condition = c.filter.as_ref().map(|e| (e, whole.text.as_str()));
            copy_in(session, &name.parts, columns, condition, &o, path, client)?
        }
    };
    Ok(format!("COPY {rows}"))
}

/// `SELECT columns FROM table`
fn select(columns: impl Iterator<Item = String>, table: &Relation) -> Statement {
    let column = |name| Column {
        expr: Expr { kind: ExprKind::Column { path: vec![name], star: false }, at: At::NOWHERE },
        name: None,
        at: At::NOWHERE,
    };
    let from = TableRef { kind: TableKind::Relation(table.clone(), None), alias: None, at: table.at };
    let core = SelectCore { targets: columns.map(column).collect(), from: vec![from], ..SelectCore::default() };
    Statement::Select(Box::new(Select {
        with: None,
        body: SelectBody::Select(Box::new(core)),
        order_by: Vec::new(),
        limit: None,
        with_ties: false,
        offset: None,
        locking: Vec::new(),
        at: At::NOWHERE,
    }))
}

/// The columns that COPY is over: those named, or all that are not generated.
fn target_columns(session: &mut Session, name: &[String], columns: &[String]) -> Result<(Arc<Table>, Vec<i16>)> {
    let (schema, n) = schema_and_name(name);
    let state = &mut session.state;
    state.refresh_catalog();
    let table = state.catalog.resolve_table(&state.scope, schema, n)?;
    let cols = if columns.is_empty() {
        table.live_columns().filter(|c| c.generated.is_none()).map(|c| c.attnum).collect()
    } else {
        let mut v: Vec<i16> = Vec::new();
        for c in columns {
            let col = table
                .column_by_name(c)
                .ok_or_else(|| err!(UNDEFINED_COLUMN, "column \"{c}\" of relation \"{n}\" does not exist"))?;
            if v.contains(&col.attnum) {
                bail!(DUPLICATE_COLUMN, "column \"{c}\" specified more than once");
            }
            if col.generated.is_some() {
                return Err(err!(INVALID_COLUMN_REFERENCE, "column \"{c}\" is a generated column")
                    .detail("Generated columns cannot be used in COPY."));
            }
            v.push(col.attnum);
        }
        v
    };
    Ok((table, cols))
}

// ---- out ----

/// Turns rows into CopyData messages, one a row.
struct Out<'a> {
    client: &'a mut dyn Client,
    file: Option<Target>,
    /// The line in the encoding that was asked for.
    encoded: Vec<u8>,
    error: Option<Error>,
    o: &'a Options,
    cx: TextCtx,
    line: Vec<u8>,
    value: Vec<u8>,
    column: usize,
    force: Vec<bool>,
    single: bool,
    /// The binary format's header, until it has gone: it shares a message with what comes first.
    head: Vec<u8>,
}

impl Out<'_> {
    fn encoding(&self) -> Encoding {
        self.o.encoding.unwrap_or(UTF8)
    }
    fn separator(&mut self) {
        if self.column > 0 {
            self.line.push(self.o.delimiter);
        }
        self.column += 1;
    }

    fn text_value(&mut self) {
        let value = std::mem::take(&mut self.value);
        let quote = self.force.get(self.column).copied().unwrap_or(false);
        self.separator();
        match self.o.format {
            Format::Csv => self.csv(&value, quote),
            _ => {
                for &b in &value {
                    match b {
                        b'\\' => self.line.extend_from_slice(b"\\\\"),
                        b'\n' => self.line.extend_from_slice(b"\\n"),
                        b'\r' => self.line.extend_from_slice(b"\\r"),
                        b'\t' => self.line.extend_from_slice(b"\\t"),
                        8 => self.line.extend_from_slice(b"\\b"),
                        12 => self.line.extend_from_slice(b"\\f"),
                        11 => self.line.extend_from_slice(b"\\v"),
                        b if b == self.o.delimiter => self.line.extend_from_slice(&[b'\\', b]),
                        b => self.line.push(b),
                    }
                }
            }
        }
        self.value = value;
        self.value.clear();
    }

    fn csv(&mut self, value: &[u8], force: bool) {
        let o = self.o;
        let special = |b: &u8| *b == o.delimiter || *b == o.quote || matches!(*b, b'\n' | b'\r');
        // A lone \. would end old-protocol data, so PostgreSQL quotes it.
        if force || value.iter().any(special) || value == o.null.as_bytes() || (self.single && value == b"\\.") {
            self.line.push(o.quote);
            for &b in value {
                if b == o.quote || b == o.escape {
                    self.line.push(o.escape);
                }
                self.line.push(b);
            }
            self.line.push(o.quote);
        } else {
            self.line.extend_from_slice(value);
        }
    }
}

impl Out<'_> {
    /// Room for a binary value's length; where it is.
    fn begin_value(&mut self) -> usize {
        self.line.extend_from_slice(&[0; 4]);
        self.line.len()
    }
    fn end_value(&mut self, at: usize) {
        let len = (self.line.len() - at) as i32;
        self.line[at - 4..at].copy_from_slice(&len.to_be_bytes());
    }
}
impl RowSink for Out<'_> {
    fn begin_row(&mut self, columns: usize) {
        self.line.clear();
        self.column = 0;
        if self.o.format == Format::Binary {
            self.line.append(&mut self.head);
            self.line.extend_from_slice(&(columns as i16).to_be_bytes());
        }
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        if d.is_null() {
            return self.null();
        }
        if self.o.format == Format::Binary {
            let at = self.begin_value();
            match self.encoding().converts() {
                true => {
                    let mut value = Vec::new();
                    pamir_types::binary::encode(d, ty, &mut value);
                    let r = encoding::encode_binary(self.encoding(), ty.oid, &value, &mut self.line);
                    self.error = self.error.take().or(r.err());
                }
                false => pamir_types::binary::encode(d, ty, &mut self.line),
            }
            return self.end_value(at);
        }
        self.value.clear();
        if let Err(e) = pamir_types::quoted::admit(d) {
            self.error = self.error.take().or(Some(e));
            return self.text_value();
        }
        pamir_types::text::format(d, ty, &self.cx, &mut self.value);
        self.text_value();
    }
    fn bytes(&mut self, b: &[u8]) {
        if self.o.format == Format::Binary {
            let at = self.begin_value();
            let r = encoding::encode_binary(self.encoding(), pamir_types::oid::TEXT, b, &mut self.line);
            self.error = self.error.take().or(r.err());
            return self.end_value(at);
        }
        self.value.clear();
        self.value.extend_from_slice(b);
        self.text_value();
    }
    fn null(&mut self) {
        if self.o.format == Format::Binary {
            self.line.extend_from_slice(&(-1i32).to_be_bytes());
            return;
        }
        self.separator();
        self.line.extend_from_slice(self.o.null.as_bytes());
    }
    fn end_row(&mut self) -> Result<()> {
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        let mut line = &self.line;
        if self.o.format != Format::Binary {
            self.line.push(b'\n');
            line = &self.line;
            if self.o.encoding.is_some_and(Encoding::converts) {
                self.encoded.clear();
                self.o.encoding.unwrap_or(UTF8).encode(encoding::utf8(&self.line)?, &mut self.encoded)?;
                line = &self.encoded;
            }
        }
        match &mut self.file {
            Some(f) => f.write(line),
            None => self.client.copy_data(line),
        }
    }
}

fn copy_out(
    session: &mut Session,
    q: Statement,
    whole: &PreparedStmt,
    o: &Options,
    path: Option<&str>,
    client: &mut dyn Client,
) -> Result<u64> {
    let changes = !matches!(q, Statement::Select(_));
    let stmt = PreparedStmt::new(whole.text.clone(), Some(q), Vec::new()).with_depth(whole.deep);
    let planned = session.locked_plan(&stmt, None, Told::Nothing)?;
    planned.takes(&[])?;
    let fields = &planned.plan.fields;
    if changes && fields.is_empty() {
        bail!(FEATURE_NOT_SUPPORTED, "COPY query must have a RETURNING clause");
    }
    let txn = session.state.begin_if_needed();
    let snapshot = txn.statement();
    let file = path.map(Target::open).transpose()?;
    if file.is_none() {
        client.copy_out_begin(o.format == Format::Binary, fields.len())?;
    }
    let cx = session.naming_ctx();
    let single = fields.len() == 1;
    let mut out = Out {
        client,
        file,
        encoded: Vec::new(),
        error: None,
        o,
        cx,
        line: Vec::new(),
        value: Vec::new(),
        column: 0,
        force: Vec::new(),
        single,
        head: Vec::new(),
    };
    if o.format == Format::Binary {
        out.head.extend_from_slice(BINARY_SIGNATURE);
        out.head.extend_from_slice(&[0; 8]);
    }
    if o.header {
        out.begin_row(fields.len());
        for f in fields {
            out.bytes(f.name.as_bytes());
        }
        out.end_row()?;
    }
    // The header's names are never quoted by force.
    out.force = fields.iter().map(|f| o.force_quote_all || o.force_quote.contains(&f.name)).collect();
    let mut execution = Execution::new(planned.plan.clone(), false);
    let r = session.in_exec(&txn, snapshot, &[], |cx| execution.run(cx, 0, &mut out))?;
    if o.format == Format::Binary {
        let mut end = std::mem::take(&mut out.head);
        end.extend_from_slice(&(-1i16).to_be_bytes());
        match &mut out.file {
            Some(f) => f.write(&end)?,
            None => out.client.copy_data(&end)?,
        }
    }
    match &mut out.file {
        Some(f) => f.flush()?,
        None => out.client.copy_done()?,
    }
    match r {
        RunState::Done(n) => Ok(n),
        RunState::Suspended => Err(Error::internal("execution stopped early")),
    }
}

// ---- in ----

/// The byte stream of CopyData payloads.
struct Input<'a> {
    client: &'a mut dyn Client,
    file: Option<Source>,
    buf: Vec<u8>,
    pos: usize,
    end: bool,
    /// What the bytes are in, if they are text and it is not UTF-8.
    encoding: Option<Encoding>,
    /// Not converted yet.
    raw: Vec<u8>,
}

impl Input<'_> {
    fn fill(&mut self) -> Result<bool> {
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
    fn line(&mut self, o: &Options) -> Result<Option<std::ops::Range<usize>>> {
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

    fn at_end(&mut self) -> Result<bool> {
        while self.buf.len() == self.pos {
            if !self.fill()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn take(&mut self, n: usize) -> Result<&[u8]> {
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

/// COPY FROM's WHERE over the table's rows. Who names columns there must be allowed to read them.
fn bind_condition(session: &mut Session, e: &Expr, text: &str, table: &Arc<Table>) -> Result<pamir_expr::expr::Px> {
    let state = &mut session.state;
    let (catalog, scope) = (state.catalog.clone(), state.scope.clone());
    let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: &mut *state, text };
    let bound = pamir_plan::bind::bind_copy_condition(e, table, &mut cx)?;
    if !cx.params.is_empty() {
        bail!(UNDEFINED_PARAMETER, "there is no parameter $1");
    }
    let mut u = acl::Use { relation: table.oid, ..acl::Use::default() };
    pamir_expr::expr::each_col(&bound, &mut |c| acl::Use::add(&mut u.selected, c as i16 + 1));
    if !u.selected.is_empty() {
        u.required = acl::SELECT;
        state.who().check(&state.catalog, &u)?;
    }
    pamir_expr::expr::compile_simple(&bound)
}

fn copy_in(
    session: &mut Session,
    name: &[String],
    columns: &[String],
    condition: Option<(&Expr, &str)>,
    o: &Options,
    path: Option<&str>,
    client: &mut dyn Client,
) -> Result<u64> {
    let txn = session.state.begin_if_needed();
    if session.state.read_only {
        bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute COPY FROM in a read-only transaction");
    }
    // The table may change until its lock is held.
    let (table, cols) = loop {
        let (t, c) = target_columns(session, name, columns)?;
        let mut u = acl::Use { relation: t.oid, required: acl::INSERT, ..acl::Use::default() };
        u.inserted.extend(c.iter().copied());
        session.state.who().check(&session.state.catalog, &u)?;
        txn.lock_table(u64::from(t.oid), TableLock::RowExclusive, WaitPolicy::Block)?;
        let v = session.state.catalog.version;
        session.state.refresh_catalog();
        if v == session.state.catalog.version {
            break (t, c);
        }
    };
    let types: Vec<Type> = cols.iter().filter_map(|a| table.column(*a)).map(|c| c.ty).collect();
    let names: Vec<String> = cols.iter().filter_map(|a| table.column(*a)).map(|c| c.name.clone()).collect();
    let snapshot = txn.statement();
    let condition = match condition {
        Some((e, text)) => Some(bind_condition(session, e, text, &table)?),
        None => None,
    };
    let file = path.map(Source::open).transpose()?;
    if file.is_none() {
        client.copy_in_begin(o.format == Format::Binary, cols.len())?;
    }
    let mut reader = Input { client, file, buf: Vec::new(), pos: 0, end: false, encoding: None, raw: Vec::new() };
    let foreign = o.encoding.filter(|e| e.converts());
    reader.encoding = foreign.filter(|_| o.format != Format::Binary);
    let mut line_no = 0u64;
    let result = session.in_exec(&txn, snapshot, &[], |cx| -> Result<u64> {
        let mut sink = CopyInsert::new(&table, &cols, condition, cx)?;
        if o.format == Format::Binary {
            binary_rows(&mut reader, &types, foreign, |row| {
                line_no += 1;
                sink.row(row, cx)
            })?;
        } else {
            let mut fields = Fields::default();
            let mut row = Vec::with_capacity(types.len());
            let mut first = true;
            while let Some(line) = reader.line(o)? {
                let line = &reader.buf[line];
                line_no += 1;
                if std::mem::take(&mut first) && o.header {
                    continue;
                }
                if work::spend(work::ROW) {
                    pamir_exec::breathe(cx.env)?;
                }
                if o.format == Format::Csv {
                    fields.split_csv(line, o)?
                } else {
                    fields.split_text(line, o)?
                }
                row.clear();
                if fields.len() > types.len() && !(types.is_empty() && line.is_empty()) {
                    bail!(BAD_COPY_FILE_FORMAT, "extra data after last expected column");
                }
                for (i, ty) in types.iter().enumerate() {
                    let Some((bytes, quoted)) = fields.get(i) else {
                        bail!(BAD_COPY_FILE_FORMAT, "missing data for column \"{}\"", names[i]);
                    };
                    let is_null = match o.format {
                        Format::Csv => {
                            (!quoted && bytes == o.null.as_bytes() && !o.force_not_null.contains(&names[i]))
                                || (quoted && bytes == o.null.as_bytes() && o.force_null.contains(&names[i]))
                        }
                        _ => fields.is_null(i),
                    };
                    row.push(if is_null {
                        Datum::Null
                    } else {
                        let s = encoding::utf8_text(bytes)?;
                        input(&s, *ty, cx.env).map_err(|e| {
                            e.context(format!("COPY {}, line {line_no}, column {}: \"{s}\"", table.name, names[i]))
                        })?
                    });
                }
                sink.row(&mut row, cx)?;
            }
        }
        sink.finish(cx)
    });
    let rows = result.map_err(|e| {
        if e.data().context.is_none() && line_no > 0 {
            e.context(format!("COPY {}, line {line_no}", table.name))
        } else {
            e
        }
    })?;
    // What follows the end mark is read and dropped.
    while !reader.end {
        reader.buf.clear();
        reader.pos = 0;
        reader.fill()?;
    }
    Ok(rows)
}

fn binary_rows(
    r: &mut Input,
    types: &[Type],
    foreign: Option<Encoding>,
    mut each: impl FnMut(&mut Vec<Datum>) -> Result<()>,
) -> Result<()> {
    if r.take(11)? != BINARY_SIGNATURE {
        bail!(BAD_COPY_FILE_FORMAT, "COPY file signature not recognized");
    }
    let int = |b: &[u8]| i32::from_be_bytes([b[0], b[1], b[2], b[3]]);
    let flags = int(r.take(4)?);
    if flags as u32 >> 16 != 0 {
        bail!(BAD_COPY_FILE_FORMAT, "unrecognized critical flags in COPY file header");
    }
    let extension = int(r.take(4)?);
    if extension < 0 {
        bail!(BAD_COPY_FILE_FORMAT, "invalid COPY file header (missing length)");
    }
    r.take(extension as usize)?;
    let mut row = Vec::with_capacity(types.len());
    loop {
        // Some clients end the data without the trailer; PostgreSQL takes that as the end too.
        if r.at_end()? {
            return Ok(());
        }
        let b = r.take(2)?;
        let n = i16::from_be_bytes([b[0], b[1]]);
        if n == -1 {
            return Ok(());
        }
        if n as usize != types.len() {
            bail!(BAD_COPY_FILE_FORMAT, "row field count is {n}, expected {}", types.len());
        }
        row.clear();
        for ty in types {
            let len = int(r.take(4)?);
            row.push(match len {
                -1 => Datum::Null,
                len if len < 0 || len as usize > MAX_COPY_LINE => bail!(BAD_COPY_FILE_FORMAT, "invalid field size"),
                len => {
                    let b = r.take(len as usize)?;
                    match foreign {
                        None => pamir_types::binary::decode(b, *ty)?,
                        Some(e) => pamir_types::binary::decode(&encoding::decode_binary(e, ty.oid, b)?, *ty)?,
                    }
                }
            });
        }
        each(&mut row)?;
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
struct Fields {
    bytes: Vec<u8>,
    /// (end offset, quoted, is the null string)
    ends: Vec<(usize, bool, bool)>,
}

impl Fields {
    fn len(&self) -> usize {
        self.ends.len()
    }
    fn get(&self, i: usize) -> Option<(&[u8], bool)> {
        let (end, quoted, _) = *self.ends.get(i)?;
        let start = if i == 0 { 0 } else { self.ends[i - 1].0 };
        Some((&self.bytes[start..end], quoted))
    }
    fn is_null(&self, i: usize) -> bool {
        self.ends.get(i).is_some_and(|e| e.2)
    }

    fn split_text(&mut self, line: &[u8], o: &Options) -> Result<()> {
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

    fn split_csv(&mut self, line: &[u8], o: &Options) -> Result<()> {
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
    use super::*;
    use pamir_parse::tree::{DefAction, DefElem, DefValue};

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
        struct Pieces(std::vec::IntoIter<Vec<u8>>);
        let all = |text: &[u8], o: &Options, size: usize| {
            let pieces = text.chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>();
            let mut client = Pieces(pieces.into_iter());
            let mut input =
                Input { client: &mut client, file: None, buf: vec![], pos: 0, end: false, encoding: None, raw: vec![] };
            let mut lines = vec![];
            while let Some(r) = input.line(o).unwrap() {
                lines.push(String::from_utf8(input.buf[r].to_vec()).unwrap());
            }
            lines
        };
        impl pamir_expr::sink::RowSink for Pieces {
            fn begin_row(&mut self, _: usize) {}
            fn datum(&mut self, _: &Datum, _: Type) {}
            fn bytes(&mut self, _: &[u8]) {}
            fn null(&mut self) {}
            fn end_row(&mut self) -> Result<()> {
                Ok(())
            }
        }
        impl Client for Pieces {
            fn copy_in_read(&mut self, buf: &mut Vec<u8>) -> Result<bool> {
                self.0.next().map_or(Ok(false), |p| {
                    buf.extend_from_slice(&p);
                    Ok(true)
                })
            }
            fn row_description(&mut self, _: &[pamir_expr::sink::Field], _: &[i16]) {}
            fn set_formats(&mut self, _: &[i16], _: &[Type]) {}
            fn command_complete(&mut self, _: &str) {}
            fn empty_query(&mut self) {}
            fn portal_suspended(&mut self) {}
            fn notice(&mut self, _: &Error) {}
            fn parameter_status(&mut self, _: &str, _: &str) {}
            fn set_text_ctx(&mut self, _: &TextCtx) {}
            fn copy_out_begin(&mut self, _: bool, _: usize) -> Result<()> {
                Ok(())
            }
            fn copy_data(&mut self, _: &[u8]) -> Result<()> {
                Ok(())
            }
            fn copy_done(&mut self) -> Result<()> {
                Ok(())
            }
            fn copy_in_begin(&mut self, _: bool, _: usize) -> Result<()> {
                Ok(())
            }
        }
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
