//! Building trees from a table's rows: new indexes, and tables rewritten into a new key or type.
//!
//! Entries are put in key order. A source that already comes in order (an index on the primary key's prefix, a key that follows load order) streams;
//! what comes late is kept, charged to the shard's memory, sorted and put at the end.
use super::DdlCtx;
use super::cx::CANCEL_EVERY;
use super::eval::{RowExpr, bind_text};
use crate::access;
use crate::catalog::{Index, IndexColumn, SqlText, Table, defs};
use pamir_txn::{Dir, MemoryAccount, Shard, TreeId, Txn};
use pamir_types::{Datum, Error, Result, err};
use std::sync::Arc;

/// A key and its value.
type Entry = (Box<[u8]>, Box<[u8]>);
/// What [`each_row`] calls with a row and its key.
pub type EachRow<'a> = dyn FnMut(&mut DdlCtx, &[u8], &mut Vec<Datum>) -> Result<()> + 'a;

/// Fills an empty tree.
pub struct TreeBuilder<'a> {
    shard: &'a Shard,
    txn: &'a Txn,
    tree: TreeId,
    last: Vec<u8>,
    any: bool,
    late: Vec<Entry>,
    memory: Arc<MemoryAccount>,
    charged: u64,
}
impl<'a> TreeBuilder<'a> {
    pub fn new(shard: &'a Shard, txn: &'a Txn, tree: TreeId) -> TreeBuilder<'a> {
        let root = shard.memory();
        let memory = root.child("index build", root.limit());
        TreeBuilder { shard, txn, tree, last: vec![], any: false, late: vec![], memory, charged: 0 }
    }
    /// Adds an entry; Err(Duplicate) with the key if it is there already.
    pub fn add(&mut self, key: &[u8], value: &[u8]) -> Result<(), BuildError> {
        if !self.any || key > self.last.as_slice() {
            self.any = true;
            self.last.clear();
            self.last.extend_from_slice(key);
            return Ok(self.shard.put(self.txn, self.tree, key, value)?);
        }
        if key == self.last.as_slice() {
            return Err(BuildError::Duplicate(key.to_vec()));
        }
        let bytes = (key.len() + value.len() + 48) as u64;
        self.memory.charge(bytes)?;
        self.charged += bytes;
        self.late.push((key.into(), value.into()));
        Ok(())
    }
    pub fn finish(&mut self) -> Result<(), BuildError> {
        let mut late = std::mem::take(&mut self.late);
        late.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(w) = late.windows(2).find(|w| w[0].0 == w[1].0) {
            return Err(BuildError::Duplicate(w[0].0.to_vec()));
        }
        let mut old = Vec::new();
        for (key, value) in &late {
            // Late keys may be among those that were put while they streamed.
            if self.shard.get_latest(self.txn, self.tree, key, &mut old)?.exists {
                return Err(BuildError::Duplicate(key.to_vec()));
            }
            self.shard.put(self.txn, self.tree, key, value)?;
        }
        Ok(())
    }
}
impl Drop for TreeBuilder<'_> {
    fn drop(&mut self) {
        self.memory.release(self.charged)
    }
}
pub enum BuildError {
    Duplicate(Vec<u8>),
    Other(Error),
}
impl From<Error> for BuildError {
    fn from(e: Error) -> BuildError {
        BuildError::Other(e)
    }
}

/// Calls `f` with the key and the decoded row of every newest row of a table. To be called under a lock that keeps writers out.
pub fn each_row(cx: &mut DdlCtx, t: &Table, f: &mut EachRow) -> Result<()> {
    let (shard, txn) = (cx.shard, cx.txn);
    let mut scan = shard.scan_latest(txn, t.tree(), &[], None, Dir::Forward)?;
    let (mut row, mut n) = (Vec::new(), 0u64);
    while let Some((key, value)) = scan.next(shard, txn)? {
        row.clear();
        access::decode_row(t, value, &mut row)?;
        f(cx, key, &mut row)?;
        n += 1;
        if n.is_multiple_of(CANCEL_EVERY) {
            cx.cancel.check()?;
            pamir_storage::task::yield_now();
        }
    }
    Ok(())
}
/// Does the table have no row at all?
pub fn is_empty(cx: &DdlCtx, t: &Table) -> Result<bool> {
    let mut scan = cx.shard.scan_latest(cx.txn, t.tree(), &[], None, Dir::Forward)?;
    Ok(scan.next(cx.shard, cx.txn)?.is_none())
}

/// Fills an index's new, empty tree. `t.indexes` contains `index`.
pub fn build_index(cx: &mut DdlCtx, t: &Table, index: &Index) -> Result<()> {
    let (shard, txn) = (cx.shard, cx.txn);
    let mut builder = TreeBuilder::new(shard, txn, TreeId(index.tree));
    let (mut key, mut value, mut duplicate) = (vec![], vec![], None);
    let built = each_row(cx, t, &mut |cx, pk, row| {
        key.clear();
        value.clear();
        if access::index_entry(t, index, row, pk, &mut *cx.env, &mut key, &mut value)?.is_some() {
            match builder.add(&key, &value) {
                Ok(()) => {}
                Err(BuildError::Other(e)) => return Err(e),
                Err(BuildError::Duplicate(_)) => {
                    duplicate = Some(row.clone());
                    return Err(err!(UNIQUE_VIOLATION, "duplicate"));
                }
            }
        }
        Ok(())
    });
    if let Some(row) = duplicate {
        return Err(duplicate_error(cx, t, index, &row)?);
    }
    built?;
    match builder.finish() {
        Ok(()) => Ok(()),
        Err(BuildError::Other(e)) => Err(e),
        Err(BuildError::Duplicate(k)) => {
            drop(builder);
            let row = row_of_entry(cx, t, index, &k)?;
            Err(duplicate_error(cx, t, index, &row)?)
        }
    }
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
    let schema = cx.catalog.schema(t.schema).map_or(String::new(), |s| s.name.clone());
    Ok(err!(UNIQUE_VIOLATION, "could not create unique index \"{}\"", index.name)
        .detail(format!("Key {} is duplicated.", key_text(cx, t, index, row)?))
        .table(schema, &*t.name)
        .constraint(&*index.name))
}
/// `(a, b)=(1, x)`
pub fn key_text(cx: &mut DdlCtx, t: &Table, index: &Index, row: &[Datum]) -> Result<String> {
    let (mut names, mut values) = (vec![], vec![]);
    for (c, _) in &index.columns {
        names.push(defs::index_column(t, c));
        let (d, ty) = match c {
            IndexColumn::Attr(a) => (
                row.get(*a as usize - 1).cloned().unwrap_or(Datum::Null),
                t.column(*a).map_or(pamir_types::Type::TEXT, |c| c.ty),
            ),
            IndexColumn::Expr(text, ty) => (eval_text(cx, t, text, row)?, *ty),
        };
        values.push(if d.is_null() { "null".into() } else { pamir_types::text::to_string(&d, ty, cx.env.text_ctx()) });
    }
    Ok(format!("({})=({})", names.join(", "), values.join(", ")))
}
fn eval_text(cx: &mut DdlCtx, t: &Table, text: &SqlText, row: &[Datum]) -> Result<Datum> {
    let e = bind_text(text, Some(t), None, cx)?;
    RowExpr::new(&e).eval(row, &mut *cx.env)
}
