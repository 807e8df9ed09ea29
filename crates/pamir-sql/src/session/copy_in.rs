//! COPY FROM: fields become values and rows, which go straight into [`CopyInsert`].
//!
//! An error says which line it is of, and of which column where a value is wrong. The table's lock is taken before its columns count: they may change until then.
use super::Session;
use super::copy::{BINARY_SIGNATURE, target_columns};
use super::copy_file::Source;
use super::copy_lines::{Fields, Input, MAX_COPY_LINE};
use super::copy_options::{Format, Options};
use super::query::input;
use crate::client::Client;
use pamir_catalog::{Table, acl};
use pamir_exec::{CopyInsert, ExecCtx};
use pamir_parse::tree::Expr;
use pamir_plan::bind::{BindCtx, policy};
use pamir_txn::{TableLock, WaitPolicy};
use pamir_types::encoding::Encoding;
use pamir_types::{Datum, Oid, Result, Type, bail, encoding, err, work};
use std::sync::Arc;

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

/// COPY FREEZE is for a table that nobody else knows yet, or whose rows nobody has.
fn freezable(session: &Session, t: &Table) -> Result<()> {
    if t.is_partitioned() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot perform COPY FREEZE on a partitioned table");
    }
    let before = session.state.db.catalog();
    if t.is_temporary() || before.table(t.oid).is_some_and(|b| b.tree == t.tree) {
        let when = "because the table was not created or truncated in the current subtransaction";
        bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot perform COPY FREEZE {when}");
    }
    Ok(())
}

/// Gives the number of rows.
pub(super) fn copy_in(
    session: &mut Session,
    name: &[String],
    columns: &[String],
    condition: Option<(&Expr, &str)>,
    o: &Options,
    path: Option<&str>,
    client: &mut dyn Client,
) -> Result<u64> {
    let txn = session.state.begin_if_needed();
    // The table may change until its lock is held.
    let (table, cols) = loop {
        let (t, c) = target_columns(session, name, columns, "to")?;
        if session.state.read_only && !t.is_temporary() {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute COPY FROM in a read-only transaction");
        }
        let mut u = acl::Use { relation: t.oid, required: acl::INSERT, ..acl::Use::default() };
        u.inserted.extend(c.iter().copied());
        session.state.who().check(&session.state.catalog, &u)?;
        let (catalog, user) = (session.state.catalog.clone(), session.state.scope.user);
        if policy::is_held(&t, &catalog, user, &session.state)? {
            let e = err!(FEATURE_NOT_SUPPORTED, "COPY FROM not supported with row-level security");
            return Err(e.hint("Use INSERT statements instead."));
        }
        if t.is_temporary() {
            break (t, c);
        }
        txn.lock_table(u64::from(t.oid), TableLock::RowExclusive, WaitPolicy::Block)?;
        if t.is_partitioned() {
            for part in session.state.catalog.descendants(&t) {
                txn.lock_table(u64::from(part.oid), TableLock::RowExclusive, WaitPolicy::Block)?;
            }
        }
        let v = session.state.catalog.version;
        session.state.refresh_catalog();
        if v == session.state.catalog.version {
            break (t, c);
        }
    };
    if o.freeze {
        freezable(session, &table)?;
    }
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
    let users = session.state.settings.text.types.clone();
    let mut line_no = 0u64;
    let result = session.in_exec(&txn, snapshot, &[], |cx| -> Result<u64> {
        let mut sink = CopyInsert::new(&table, &cols, condition, cx)?;
        let read = if o.format == Format::Binary {
            binary_rows(&mut reader, &types, foreign, users.as_deref(), |row| {
                line_no += 1;
                sink.row(row, cx)
            })
        } else {
            text_rows(&mut reader, o, (&names, &types), &table, &mut line_no, &mut sink, cx)
        };
        let mut r = read.and_then(|()| sink.finish(cx));
        // Rows that wait come before what made the reading end.
        if r.is_err()
            && sink.failed().is_none()
            && let Err(e) = sink.write(cx)
        {
            r = Err(e);
        }
        if let Some(row) = sink.failed() {
            line_no = row + u64::from(o.header);
        }
        r
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
/// HEADER MATCH: the columns' names, in order.
fn check_header(line: &[u8], o: &Options, names: &[String], fields: &mut Fields) -> Result<()> {
    match o.format {
        Format::Csv => fields.split_csv(line, o)?,
        _ => fields.split_text(line, o)?,
    }
    let (got, expected) = (fields.len(), names.len());
    if got != expected {
        bail!(BAD_COPY_FILE_FORMAT, "wrong number of fields in header line: got {got}, expected {expected}");
    }
    for (i, name) in names.iter().enumerate() {
        let n = i + 1;
        let Some((bytes, quoted)) = fields.get(i) else { continue };
        let null = match o.format {
            Format::Csv => !quoted && bytes == o.null.as_bytes(),
            _ => fields.is_null(i),
        };
        let fault = format!("column name mismatch in header line field {n}");
        if null {
            bail!(BAD_COPY_FILE_FORMAT, "{fault}: got null value (\"{}\"), expected \"{name}\"", o.null);
        }
        let got = encoding::utf8_text(bytes)?;
        if *got != **name {
            bail!(BAD_COPY_FILE_FORMAT, "{fault}: got \"{got}\", expected \"{name}\"");
        }
    }
    Ok(())
}
/// Rows of text or CSV to the sink.
fn text_rows(
    reader: &mut Input,
    o: &Options,
    (names, types): (&[String], &[Type]),
    table: &Table,
    line_no: &mut u64,
    sink: &mut CopyInsert,
    cx: &mut ExecCtx,
) -> Result<()> {
    let mut fields = Fields::default();
    let mut row = Vec::with_capacity(types.len());
    let mut first = true;
    let held = pamir_expr::domains::columns(table, cx.env.catalog());
    let place = |n: &String| table.column_by_name(n).map(|c| c.attnum as usize - 1);
    let of_domains = |n: &String| held.iter().find(|h| Some(h.0) == place(n)).map(|h| h.1);
    let declared: Vec<Option<Oid>> = names.iter().map(of_domains).collect();
    while let Some(line) = reader.line(o)? {
        let line = &reader.buf[line];
        *line_no += 1;
        if std::mem::take(&mut first) && o.header {
            if o.header_match {
                check_header(line, o, names, &mut fields)?;
            }
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
                let read = input(&s, *ty, cx.env).and_then(|d| match declared[i] {
                    Some(ty) => pamir_expr::domains::check_held(&d, ty, cx.env).map(|()| d),
                    None => Ok(d),
                });
                read.map_err(|e| {
                    e.context(format!("COPY {}, line {line_no}, column {}: \"{s}\"", table.name, names[i]))
                })?
            });
        }
        sink.row(&mut row, cx)?;
    }
    Ok(())
}

fn binary_rows(
    r: &mut Input,
    types: &[Type],
    foreign: Option<Encoding>,
    users: Option<&dyn pamir_types::user::Types>,
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
                        None => pamir_types::binary::decode_with(b, *ty, users)?,
                        Some(e) => {
                            let b = encoding::decode_binary(e, ty.oid, b)?;
                            pamir_types::binary::decode_with(&b, *ty, users)?
                        }
                    }
                }
            });
        }
        each(&mut row)?;
    }
}
