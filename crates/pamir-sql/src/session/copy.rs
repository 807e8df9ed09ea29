//! COPY FROM STDIN and COPY TO STDOUT in PostgreSQL's three formats ("COPY", section File Formats): what is copied, and who may.
//!
//! ```text
//! COPY ... TO      plan -> rows -> copy_out -> CopyData, or a file
//! COPY ... FROM    CopyData, or a file -> copy_lines (a line, its fields) -> copy_in -> rows -> table
//! ```
//! Memory holds one chunk and one row, never the file.
use super::Session;
use super::copy_file;
use super::copy_in::copy_in;
use super::copy_options::options;
use super::copy_out::copy_out;
use super::statement::PreparedStmt;
use super::utility::schema_and_name;
use crate::client::Client;
use pamir_catalog::trigger::{Event, Timing};
use pamir_catalog::{Relation as Found, Table, acl};
use pamir_parse::tree::{
    At, Copy, CopySource, CopyTarget, Expr, ExprKind, Relation, Select, SelectBody, SelectCore, Statement, TableKind,
    TableRef, Target as Column,
};
use pamir_types::{Error, Result, bail, err};
use std::sync::Arc;

pub(super) const BINARY_SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// Runs a COPY statement; returns its tag. `whole`: the statement as it was sent.
pub fn run(session: &mut Session, c: &Copy, whole: &PreparedStmt, client: &mut dyn Client) -> Result<String> {
    let mut o = options(&c.options, &whole.text)?;
    if c.to && o.header_match {
        bail!(FEATURE_NOT_SUPPORTED, "cannot use \"match\" with HEADER in COPY TO");
    }
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
            let (table, cols) = target_columns(session, &name.parts, columns, "from")?;
            if table.security.enabled {
                // Who may not read it at all is told that, not what policies there are.
                let mut u = acl::Use { relation: table.oid, required: acl::SELECT, ..acl::Use::default() };
                u.selected.extend(cols.iter().copied());
                session.state.who().check(&session.state.catalog, &u)?;
            }
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
    let from = TableRef {
        kind: TableKind::Relation(Relation { only: true, ..table.clone() }, None),
        alias: None,
        at: table.at,
    };
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
pub(super) fn target_columns(
    session: &mut Session,
    name: &[String],
    columns: &[String],
    way: &str,
) -> Result<(Arc<Table>, Vec<i16>)> {
    let (schema, n) = schema_and_name(name);
    let state = &mut session.state;
    state.refresh_catalog();
    let table = match state.catalog.resolve(&state.scope, schema, n)? {
        Some(Found::Table(t)) if t.view.is_some() && way == "to" && takes_rows(&t) => t,
        Some(Found::Table(t)) if t.view.is_some() => {
            let e = err!(WRONG_OBJECT_TYPE, "cannot copy {way} {} \"{n}\"", t.word());
            if way == "to" && t.plain_view().is_none() {
                return Err(e);
            }
            return Err(e.hint(match way {
                "to" => "To enable copying to a view, provide an INSTEAD OF INSERT trigger.",
                _ => "Try the COPY (SELECT ...) TO variant.",
            }));
        }
        Some(Found::Table(t)) if way == "from" && t.is_partitioned() => {
            let e = err!(WRONG_OBJECT_TYPE, "cannot copy from partitioned table \"{n}\"");
            return Err(e.hint("Try the COPY (SELECT ...) TO variant."));
        }
        _ => state.catalog.resolve_table(&state.scope, schema, n)?,
    };
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
/// A view with triggers that stand for an INSERT.
fn takes_rows(t: &Table) -> bool {
    let instead = |g: &Arc<pamir_catalog::trigger::Triggers>| g.any(Timing::InsteadOf, true, Event::Insert);
    t.plain_view().is_some() && t.triggers.as_ref().is_some_and(instead)
}
