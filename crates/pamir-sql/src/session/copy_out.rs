//! COPY TO: rows as lines or in the binary format, one message a row, in the encoding that was asked for.
//!
//! *Invariant*: the binary format's header goes with the first row, or with the trailer where there is none.
use super::Session;
use super::copy::BINARY_SIGNATURE;
use super::copy_file::Target;
use super::copy_options::{Format, Options};
use super::follower::Taken;
use super::statement::{PreparedStmt, Told};
use crate::client::{Client, RowSink};
use pamir_catalog::Relation;
use pamir_catalog::rule::Event;
use pamir_exec::{Execution, RunState};
use pamir_parse::tree::Statement;
use pamir_types::encoding::{Encoding, UTF8};
use pamir_types::text::TextCtx;
use pamir_types::{Datum, Error, Result, Type, bail, encoding};

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
                    pamir_types::binary::encode_with(d, ty, self.cx.types.as_deref(), &mut value);
                    let r = encoding::encode_binary(self.encoding(), ty.oid, &value, &mut self.line);
                    self.error = self.error.take().or(r.err());
                }
                false => pamir_types::binary::encode_with(d, ty, self.cx.types.as_deref(), &mut self.line),
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

/// 0A000 where rules make anything but one statement of a change.
fn no_rules(session: &mut Session, q: &Statement) -> Result<()> {
    let (table, event, returning) = match q {
        Statement::Insert(i) => (&i.into, Event::Insert, &i.returning),
        Statement::Update(u) => (&u.table, Event::Update, &u.returning),
        Statement::Delete(d) => (&d.from, Event::Delete, &d.returning),
        _ => return Ok(()),
    };
    let state = &mut session.state;
    state.refresh_catalog();
    let (schema, name) = super::utility::schema_and_name(&table.parts);
    let Some(Relation::Table(t)) = state.catalog.resolve(&state.scope, schema, name)? else { return Ok(()) };
    let rules: Vec<_> = state.catalog.rules_of(t.oid).into_iter().filter(|r| r.event == event && r.fires()).collect();
    let actions: usize = rules.iter().map(|r| r.actions.len()).sum();
    let instead = rules.iter().any(|r| r.stands_for_all());
    let what = match actions + usize::from(!instead) {
        // Of a change without rows none are given: that is said first.
        0 if !returning.is_empty() => return Ok(()),
        0 => "DO INSTEAD NOTHING rules are not supported for COPY",
        1 => return Ok(()),
        _ if rules.iter().any(|r| r.instead && r.cond.is_some()) => {
            "conditional DO INSTEAD rules are not supported for COPY"
        }
        _ if rules.iter().any(|r| !r.instead) => "DO ALSO rules are not supported for COPY",
        _ => "multi-statement DO INSTEAD rules are not supported for COPY",
    };
    bail!(FEATURE_NOT_SUPPORTED, "{what}")
}
/// Gives the number of rows.
pub(super) fn copy_out(
    session: &mut Session,
    q: Statement,
    whole: &PreparedStmt,
    o: &Options,
    path: Option<&str>,
    client: &mut dyn Client,
) -> Result<u64> {
    let changes = !matches!(q, Statement::Select(_));
    no_rules(session, &q)?;
    let stmt = PreparedStmt::new(whole.text.clone(), Some(q), Vec::new()).with_depth(whole.deep);
    let planned = session.state.locked_plan(&stmt, None, Told::Nothing, Taken::Whole)?;
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
