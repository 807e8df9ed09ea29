//! Building trees from a table's rows: new indexes, and tables rewritten into a new key or type.
//!
//! Entries go to the transaction's write set as they come. It sorts them when they are all there, in memory or, when they are many, in runs on disk, and the commit builds the
//! tree from them bottom up. So all that is left to do here is to make the entries and to ask whether two have the same key.
use super::DdlCtx;
use pamir_catalog::{Index, Table};
use pamir_exec::dml::key_of;
use pamir_exec::exclusion;
use pamir_expr::access;
use pamir_storage::store::TreeId;
use pamir_txn::{Dir, Txn};
use pamir_types::work;
use pamir_types::{Datum, Error, Result, err};

/// About what an index entry has.
const ENTRY_BYTES: u64 = 20;

/// What [`each_row`] calls with a row and its key.
pub type EachRow<'a> = dyn FnMut(&mut DdlCtx, &[u8], &mut Vec<Datum>) -> Result<()> + 'a;

/// The same with the encoded row.
type EachValue<'a> = dyn FnMut(&mut DdlCtx, &[u8], &[u8]) -> Result<()> + 'a;

/// Fills an empty tree.
pub struct TreeBuilder<'a> {
    txn: &'a Txn,
    tree: TreeId,
}
impl<'a> TreeBuilder<'a> {
    pub fn new(txn: &'a Txn, tree: TreeId) -> TreeBuilder<'a> {
        TreeBuilder { txn, tree }
    }
    /// Adds an entry.
    pub fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.txn.put(self.tree, key, value)
    }
    /// To be called when all entries are there: a key that was added twice.
    pub fn duplicate(&self) -> Result<Option<Vec<u8>>> {
        self.txn.written_twice(self.tree)
    }
}

/// Calls `f` with the key and the decoded row of every newest row of a table. To be called under a lock that keeps writers out.
pub fn each_row(cx: &mut DdlCtx, t: &Table, f: &mut EachRow) -> Result<()> {
    let mut row = Vec::new();
    each_value(cx, t, &mut |cx, key, value| {
        access::decode_row(t, value, &mut row)?;
        f(cx, key, &mut row)
    })
}
/// As [`each_row`], with only the columns `needed` (attnum - 1); the others are NULL.
fn each_row_with(cx: &mut DdlCtx, t: &Table, needed: &[usize], f: &mut EachRow) -> Result<()> {
    let mut row = Vec::new();
    each_value(cx, t, &mut |cx, key, value| {
        access::decode_cols(t, value, needed, &mut row)?;
        f(cx, key, &mut row)
    })
}
/// Calls `f` with the key and the value of every newest row.
fn each_value(cx: &mut DdlCtx, t: &Table, f: &mut EachValue) -> Result<()> {
    let txn = cx.txn;
    let mut scan = txn.scan_latest(t.tree(), &[], None, Dir::Forward)?;
    while let Some((key, value)) = scan.next(txn)? {
        f(cx, key, value)?;
        work::charge(work::ROW as usize)?;
    }
    Ok(())
}
/// Does the table have no row at all?
pub fn is_empty(cx: &DdlCtx, t: &Table) -> Result<bool> {
    let mut scan = cx.txn.scan_latest(t.tree(), &[], None, Dir::Forward)?;
    Ok(scan.next(cx.txn)?.is_none())
}

/// Fills an index's new, empty tree. `t.indexes` contains `index`.
pub fn build_index(cx: &mut DdlCtx, t: &Table, index: &Index) -> Result<()> {
    let mut builder = TreeBuilder::new(cx.txn, TreeId(index.tree));
    let Some(at) = t.indexes.iter().position(|i| i.oid == index.oid) else {
        return Err(Error::internal("index does not belong to its table"));
    };
    if index.predicate.is_none() && index.sorts() && !t.is_temporary() {
        let rows = cx.engine.entries(t.tree())?;
        cx.txn.expect_writes(rows, rows * ENTRY_BYTES);
    }
    let (mut room, needed) = (access::EntryRoom::default(), access::index_columns(t, index, &mut *cx.env)?);
    each_row_with(cx, t, &needed, &mut |cx, pk, row| {
        access::each_entry((t, at), row, pk, &mut *cx.env, &mut room, &mut |key, value| builder.add(key, value))
    })?;
    // Entries of other indexes end with the row's key: no two are the same.
    if index.unique
        && let Some(k) = builder.duplicate()?
    {
        let row = row_of_entry(cx, t, index, &k)?;
        return Err(duplicate_error(cx, t, index, &row)?);
    }
    if index.excludes.is_some() {
        return excluded(cx, t, index, at);
    }
    if index.deferrable.is_some()
        && let Some(row) = repeated(cx, t, index)?
    {
        return Err(duplicate_error(cx, t, index, &row)?);
    }
    Ok(())
}
/// 23P01 if an EXCLUDE constraint does not allow two of the rows.
fn excluded(cx: &mut DdlCtx, t: &Table, index: &Index, at: usize) -> Result<()> {
    each_row(cx, t, &mut |cx, key, row| {
        let met = exclusion::conflict(t, at, (row, key), (cx.txn, &mut *cx.env), false)?;
        let Some((_, other)) = met else { return Ok(()) };
        let detail = match pamir_exec::dml::may_tell(t, &*cx.env) {
            true => {
                let (row, other) = (key_of(t, index, row, &mut *cx.env), key_of(t, index, &other, &mut *cx.env));
                format!("Key {row} conflicts with key {other}.")
            }
            false => "Key conflicts exist.".to_string(),
        };
        let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
        Err(err!(EXCLUSION_VIOLATION, "could not create exclusion constraint \"{}\"", index.name)
            .detail(detail)
            .table(schema, &*t.name)
            .constraint(&*index.name))
    })
}
/// A row with the same values of a deferrable key as another one.
fn repeated(cx: &mut DdlCtx, t: &Table, index: &Index) -> Result<Option<Vec<Datum>>> {
    let Some(lay) = t.indexes.iter().position(|i| i.oid == index.oid).map(|at| &access::layout(t).indexes[at]) else {
        return Err(Error::internal("index does not belong to its table"));
    };
    let (mut repeats, mut bytes, mut row) = (access::Repeats::default(), vec![], vec![]);
    let mut scan = cx.txn.scan_latest(TreeId(index.tree), &[], None, Dir::Forward)?;
    while let Some((key, value)) = scan.next(cx.txn)? {
        if let Some(row_key) = repeats.again(lay, key, value)? {
            cx.txn.get_latest(t.tree(), row_key, &mut bytes)?;
            access::decode_row(t, &bytes, &mut row)?;
            if repeats.counts(index, &row) {
                return Ok(Some(row));
            }
        }
        work::charge(work::ROW as usize)?;
    }
    Ok(None)
}
/// Finds a row by its index key, to name it in an error.
fn row_of_entry(cx: &mut DdlCtx, t: &Table, index: &Index, wanted: &[u8]) -> Result<Vec<Datum>> {
    let (mut found, mut key, mut value) = (None, vec![], vec![]);
    each_row(cx, t, &mut |cx, pk, row| {
        if found.is_none() {
            key.clear();
            value.clear();
            if access::index_entry(t, index, row, pk, &mut *cx.env, &mut key, &mut value)?.is_some() && key == wanted {
                found = Some(row.clone());
            }
        }
        Ok(())
    })?;
    Ok(found.unwrap_or_else(|| vec![Datum::Null; t.columns.len()]))
}
/// 23505 `could not create unique index "i"`, `Key (a)=(1) is duplicated.`
pub fn duplicate_error(cx: &mut DdlCtx, t: &Table, index: &Index, row: &[Datum]) -> Result<Error> {
    Ok(pamir_exec::backfill::twice(t, index, row, &mut *cx.env))
}
