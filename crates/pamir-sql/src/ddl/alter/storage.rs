//! ALTER TABLE's actions upon what is kept with a table and changes neither its rows nor their order: statistics targets, storage, compression, the index of
//! CLUSTER, the replica identity, LOGGED and UNLOGGED. Targets and `n_distinct` count for ANALYZE; the others are shown alone.
use super::{attnum, current, options};
use crate::ddl::DdlCtx;
use pamir_catalog::declared::ReplicaIdentity as Kept;
use pamir_catalog::system::types::layout;
use pamir_catalog::{Index, IndexColumn, Method, Table};
use pamir_parse::tree::{DefElem, ReplicaIdentity};
use pamir_types::error::{Severity, state};
use pamir_types::text::type_named;
use pamir_types::{Error, Oid, Result, bail, err};

/// The most that a column's statistics are made of.
const MAX_TARGET: i32 = 10_000;

/// A statistics target as it is kept; -1: the default.
pub fn target(asked: i32, cx: &mut DdlCtx) -> Result<i32> {
    if asked < -1 {
        bail!(INVALID_PARAMETER_VALUE, "statistics target {asked} is too low");
    }
    if asked > MAX_TARGET {
        let e = err!(INVALID_PARAMETER_VALUE, "lowering statistics target to {MAX_TARGET}");
        cx.env.notice(e.severity(Severity::Warning));
    }
    Ok(asked.min(MAX_TARGET))
}
pub fn set_statistics(oid: Oid, column: &str, asked: i32, cx: &mut DdlCtx) -> Result<()> {
    let n = target(asked, cx)?;
    let mut t = current(oid, cx)?;
    let a = attnum(&t, column)?;
    t.declared.more.set_statistics(a, (n != -1).then_some(n as i16));
    cx.put_table_same(t)
}
/// The type that a column's values are stored as; its own.
fn stored(t: &Table, a: i16) -> Oid {
    t.column(a).map_or(0, |c| c.ty.oid)
}
pub fn set_storage(oid: Oid, column: &str, word: &str, cx: &mut DdlCtx) -> Result<()> {
    let letter = match word.to_ascii_lowercase().as_str() {
        "plain" => b'p',
        "external" => b'e',
        "extended" => b'x',
        "main" => b'm',
        _ => bail!(INVALID_PARAMETER_VALUE, "invalid storage type \"{word}\""),
    };
    let mut t = current(oid, cx)?;
    let a = attnum(&t, column)?;
    let ty = stored(&t, a);
    let own = pamir_catalog::system::types::layout_of(ty).storage;
    if own == b'p' && letter != b'p' {
        bail!(FEATURE_NOT_SUPPORTED, "column data type {} can only have storage PLAIN", type_named(ty));
    }
    t.declared.more.set_storage(a, (own != letter).then_some(letter));
    cx.put_table_same(t)
}
/// `p` or `l`; None: the default.
pub fn compression(method: &str, ty: Oid) -> Result<Option<u8>> {
    if method == "default" {
        return Ok(None);
    }
    if layout(ty).storage == b'p' {
        bail!(FEATURE_NOT_SUPPORTED, "column data type {} does not support compression", type_named(ty));
    }
    match method {
        "pglz" => Ok(Some(b'p')),
        "lz4" => Ok(Some(b'l')),
        _ => bail!(INVALID_PARAMETER_VALUE, "invalid compression method \"{method}\""),
    }
}
pub fn set_compression(oid: Oid, column: &str, method: &str, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, column)?;
    let letter = compression(method, stored(&t, a))?;
    t.declared.more.set_compression(a, letter);
    cx.put_table_same(t)
}
pub fn set_options(oid: Oid, column: &str, list: &[DefElem], reset: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    let a = attnum(&t, column)?;
    let all = std::mem::take(&mut t.declared.more.column_options);
    let (own, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(|o| o.0 == a);
    let mut own: Vec<(Oid, String, String)> = own.into_iter().map(|(_, n, v)| (0, n, v)).collect();
    options::change(&mut own, 0, options::Of::Column, &options::settings(list), reset)?;
    others.extend(own.into_iter().map(|(_, n, v)| (a, n, v)));
    t.declared.more.column_options = others;
    cx.put_table_same(t)
}
pub fn set_logged(oid: Oid, logged: bool, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    if t.is_temporary() {
        let schema = cx.catalog.schema(t.schema).map_or("", |s| &s.name);
        return Err(err!(
            INVALID_TABLE_DEFINITION,
            "cannot change logged status of table \"{}\" because it is temporary",
            t.name
        )
        .table(schema, &*t.name));
    }
    // What refers to a table must be as lasting as the table.
    let unlogged = |o: Oid| cx.catalog.table(o).is_some_and(|x| x.declared.more.unlogged);
    let wrong = match logged {
        true => t.foreign_keys.iter().map(|f| f.ref_table).find(|o| *o != oid && unlogged(*o)),
        false => t.referenced_by.iter().map(|r| r.0).find(|o| *o != oid && !unlogged(*o)),
    };
    if let Some(other) = wrong.and_then(|o| cx.catalog.table(o)) {
        let (to, kind) = if logged { ("logged", "unlogged") } else { ("unlogged", "logged") };
        let schema = cx.catalog.schema(t.schema).map_or("", |s| &s.name);
        return Err(err!(
            INVALID_TABLE_DEFINITION,
            "could not change table \"{}\" to {to} because it references {kind} table \"{}\"",
            t.name,
            other.name
        )
        .table(schema, &*t.name));
    }
    t.declared.more.unlogged = !logged;
    cx.put_table_same(t)
}

/// An index of a table, by name.
fn index_named<'t>(t: &'t Table, name: &str) -> Result<&'t Index> {
    let found = t.indexes.iter().find(|i| i.name == name);
    found.ok_or_else(|| err!(UNDEFINED_OBJECT, "index \"{name}\" for table \"{}\" does not exist", t.name))
}
pub fn cluster_on(oid: Oid, index: Option<&str>, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    t.declared.more.clustered = match index {
        None => None,
        Some(n) => Some(clusterable(index_named(&t, n)?)?),
    };
    cx.put_table_same(t)
}
/// check_index_is_clusterable
fn clusterable(i: &Index) -> Result<Oid> {
    if i.method != Method::Btree {
        bail!(
            FEATURE_NOT_SUPPORTED,
            "cannot cluster on index \"{}\" because access method does not support clustering",
            i.name
        );
    }
    if i.predicate.is_some() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot cluster on partial index \"{}\"", i.name);
    }
    Ok(i.oid)
}
/// CLUSTER of one table: rows lie in the order of the primary key here, and stay there.
pub fn cluster(t: &Table, index: Option<&str>, cx: &mut DdlCtx) -> Result<()> {
    match (index, t.declared.more.clustered) {
        (Some(n), _) => cluster_on(t.oid, Some(n), cx),
        (None, Some(_)) => Ok(()),
        (None, None) => bail!(UNDEFINED_OBJECT, "there is no previously clustered index for table \"{}\"", t.name),
    }
}
pub fn replica_identity(oid: Oid, asked: &ReplicaIdentity, cx: &mut DdlCtx) -> Result<()> {
    let mut t = current(oid, cx)?;
    t.declared.more.replica_identity = match asked {
        ReplicaIdentity::Default => Kept::Default,
        ReplicaIdentity::Nothing => Kept::Nothing,
        ReplicaIdentity::Full => Kept::Full,
        ReplicaIdentity::Index(n) => Kept::Index(identifies(&t, index_named(&t, n)?)?),
    };
    cx.put_table_same(t)
}
/// Can an index tell a replica which row is meant?
fn identifies(t: &Table, i: &Index) -> Result<Oid> {
    let wrong = |what: &str| {
        Error::new(state::WRONG_OBJECT_TYPE, format!("cannot use {what} index \"{}\" as replica identity", i.name))
    };
    if !i.is_unique() {
        return Err(wrong("non-unique"));
    }
    if i.deferrable.is_some() {
        bail!(FEATURE_NOT_SUPPORTED, "cannot use non-immediate index \"{}\" as replica identity", i.name);
    }
    if i.predicate.is_some() {
        return Err(wrong("partial"));
    }
    for (c, _) in &i.columns {
        let IndexColumn::Attr(a) = c else { return Err(wrong("expression")) };
        if let Some(c) = t.column(*a).filter(|c| !c.not_null) {
            bail!(
                WRONG_OBJECT_TYPE,
                "index \"{}\" cannot be used as replica identity because column \"{}\" is nullable",
                i.name,
                c.name
            );
        }
    }
    Ok(i.oid)
}
