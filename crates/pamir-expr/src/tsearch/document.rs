//! Documents in tables: ts_stat, which counts the lexemes of many, and what tsvector_update_trigger makes of a row (tsvector_op.c).
//!
//! Invariant: statements that functions run read alone.
use super::config::{self, Config};
use crate::env::Env;
use crate::func::reg::split_text_search;
use crate::spi::{Answer, Query as Statement};
use pamir_catalog::Table;
use pamir_catalog::text_search::What;
use pamir_types::tsquery::Query;
use pamir_types::tsvector::Vector;
use pamir_types::{Datum, Error, Oid, Result, bail, err, memory, oid, work};
use std::collections::BTreeMap;

/// Bytes between two looks at how much memory there is.
const STEP: usize = 1 << 20;

/// Runs a function's query, which must give columns of one type.
fn answer(text: &str, ty: Oid, columns: usize, message: &'static str, env: &mut dyn Env) -> Result<Answer> {
    let q = Statement { read_only: true, ..Statement::new(text, &[]) };
    let a = env.spi()?.execute(&q).map_err(|e| e.within(text))?;
    if a.columns.len() != columns || a.columns.iter().any(|c| c.1.oid != ty) {
        return Err(err!(INVALID_PARAMETER_VALUE, "{message}"));
    }
    Ok(a)
}
/// ts_rewrite(query, select)
pub fn rewrite(query: Query, text: &str, env: &mut dyn Env) -> Result<Query> {
    if query.root.is_none() {
        return Ok(query);
    }
    let a = answer(text, oid::TSQUERY, 2, "ts_rewrite query must return two tsquery columns", env)?;
    let mut r = super::rewrite::Rewriting::new(query)?;
    for row in &a.rows {
        let [Datum::Bytea(part), Datum::Bytea(by)] = row.as_slice() else { continue };
        if let (Some(part), Some(by)) = (Query::unpack(part), Query::unpack(by)) {
            r.step(part, by)?;
        }
    }
    r.query()
}
/// ts_stat: (word, documents, entries) by word; of positions with some weights alone where letters are given.
pub fn stat(
    text: &str,
    weights: Option<&str>,
    env: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let a = answer(text, oid::TSVECTOR, 1, "ts_stat query must return one tsvector column", env)?;
    let mut keep = [false; 4];
    for c in weights.unwrap_or_default().chars() {
        if let Some(w) = "DCBA".find(c.to_ascii_uppercase()) {
            keep[w] = true;
        }
    }
    let all = keep == [false; 4];
    let mut counts: BTreeMap<String, (i32, i32)> = BTreeMap::new();
    let mut held = 0;
    for row in &a.rows {
        let Some(Datum::Bytea(b)) = row.first() else { continue };
        let Some(v) = Vector::unpack(b) else { continue };
        for l in v.lexemes {
            work::charge(16 + l.positions.len())?;
            let n = match () {
                () if all && l.positions.is_empty() => 1,
                () if all => l.positions.len(),
                () => l.positions.iter().filter(|p| keep[usize::from(p.weight & 3)]).count(),
            };
            if n == 0 {
                continue;
            }
            if let Some(c) = counts.get_mut(&l.text) {
                *c = (c.0.wrapping_add(1), c.1.wrapping_add(n as i32));
                continue;
            }
            held += l.text.len() + 64;
            if held > STEP {
                memory::check(std::mem::take(&mut held))?;
            }
            counts.insert(l.text, (1, n as i32));
        }
    }
    drop(a);
    // From the last to the first, as the tree of PostgreSQL has them.
    for (word, (documents, entries)) in counts.into_iter().rev() {
        push(vec![word.into(), Datum::Int4(documents), Datum::Int4(entries)])?;
    }
    Ok(())
}

/// A row that tsvector_update_trigger is fired for.
pub struct Row<'a> {
    pub table: &'a Table,
    pub values: &'a [Datum],
    /// By attnum less one: does the statement set it? None: the row is new.
    pub is_set: Option<&'a dyn Fn(usize) -> bool>,
}
fn column(t: &Table, name: &str, missing: impl FnOnce() -> Error) -> Result<(usize, Oid)> {
    let c = t.column_by_name(name).ok_or_else(missing)?;
    Ok((c.attnum as usize - 1, c.ty.oid))
}
/// The document's column and its value; None: nothing changes. `by_column`: the second argument is a column with the configuration, not its name.
pub fn update(row: &Row, args: &[String], by_column: bool, env: &mut dyn Env) -> Result<Option<(usize, Datum)>> {
    let t = row.table;
    let [target, named, columns @ ..] = args else { return Err(few()) };
    if columns.is_empty() {
        return Err(few());
    }
    let (at, ty) = column(t, target, || err!(UNDEFINED_COLUMN, "tsvector column \"{target}\" does not exist"))?;
    if ty != oid::TSVECTOR {
        bail!(DATATYPE_MISMATCH, "column \"{target}\" is not of tsvector type");
    }
    let value = |i: usize| row.values.get(i).cloned().unwrap_or(Datum::Null);
    let config = if by_column {
        let missing = || err!(UNDEFINED_COLUMN, "configuration column \"{named}\" does not exist");
        let (i, ty) = column(t, named, missing)?;
        if ty != oid::REGCONFIG {
            bail!(DATATYPE_MISMATCH, "column \"{named}\" is not of regconfig type");
        }
        match value(i) {
            Datum::Oid(o) => o,
            _ => bail!(NULL_VALUE_NOT_ALLOWED, "configuration column \"{named}\" must not be null"),
        }
    } else {
        let parts = split_text_search(named)?;
        if parts.len() < 2 {
            bail!(INVALID_PARAMETER_VALUE, "text search configuration name \"{named}\" must be schema-qualified");
        }
        env.catalog().ts_named(env.scope(), What::Config, &parts)?
    };
    let config = Config::open(config, env.catalog())?;
    let (mut words, mut place, mut wanted) = (Vec::new(), 0, row.is_set.is_none());
    for name in columns {
        let (i, ty) = column(t, name, || err!(UNDEFINED_COLUMN, "column \"{name}\" does not exist"))?;
        if !matches!(ty, oid::TEXT | oid::VARCHAR) {
            bail!(DATATYPE_MISMATCH, "column \"{name}\" is not of a character type");
        }
        wanted |= row.is_set.is_some_and(|is_set| is_set(i));
        if let Datum::Text(s) = value(i) {
            words.extend(config.lexemes(&s, &mut place, env)?);
        }
    }
    if !wanted {
        return Ok(None);
    }
    Ok(Some((at, Datum::Bytea(config::vector(words).pack()?.into()))))
}
fn few() -> Error {
    Error::internal("tsvector_update_trigger: arguments must be tsvector_field, ts_config, text_field1, ...)")
}
