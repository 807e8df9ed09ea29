//! Offline verification of rows against index entries (`pamir check`).
//!
//! ```text
//!   every row          -> its key is its primary key; each index holds exactly the entry that the row makes
//!   every index entry  -> counted: as many entries as rows that make one, or the entry without a row is looked for and named
//! ```
//! A row's entries have different keys, and an entry's bytes name its row, so "each row's entry is there" and "as many entries as rows" together mean
//! that the two sides are the same set. Memory does not grow with the tables.
//!
//! The data is the newest committed state of a recovered shard; nobody else may be using it. Entries are compared as values, not as bytes, where they
//! carry a schema version (it grows with every ALTER TABLE that leaves the entries alone).
//!
//! Limits: at most [`MAX_LISTED`] problems are listed for a table; all are counted. Foreign keys and CHECK constraints are not evaluated.
use pamir_catalog::{Index, Table};
use pamir_expr::access;
use pamir_expr::no_session::NoSession;
use pamir_txn::{Cancel, Dir, Isolation, Shard, Snapshot, TreeId, Txn};
use pamir_types::row::RowRef;
use pamir_types::{Datum, Result};
use std::sync::Arc;

/// Problems of one table that are listed; the others are counted.
pub const MAX_LISTED: usize = 20;
/// Bytes of a key shown in a problem.
const MAX_SHOWN: usize = 40;

/// What one table was found to be.
#[derive(Debug, Default)]
pub struct TableReport {
    /// `database.schema.table`
    pub name: String,
    pub rows: u64,
    pub indexes: usize,
    /// Entries of all indexes but the primary key's, which is the table.
    pub entries: u64,
    pub problem_count: u64,
    pub problems: Vec<String>,
}
impl TableReport {
    fn problem(&mut self, s: String) {
        self.problem_count += 1;
        if self.problems.len() < MAX_LISTED {
            self.problems.push(s);
        }
    }
}

/// Verifies every table of every database.
pub fn check(shard: &Arc<Shard>) -> Result<Vec<TableReport>> {
    let catalog = Arc::new(crate::ddl::load(&**shard)?.0);
    let mut out = Vec::new();
    for db in catalog.databases() {
        for t in catalog.tables(db.oid) {
            let schema = catalog.schema(t.schema).map_or("?", |s| &s.name);
            let mut report = TableReport { name: format!("{}.{schema}.{}", db.name, t.name), ..Default::default() };
            let mut env =
                NoSession::new(&catalog, db.oid).with_engine(shard.clone()).with_binder(pamir_plan::bind::bind_stored);
            let txn: Txn = shard.begin(Isolation::RepeatableRead, true, Arc::new(Cancel::default())).into();
            if let Err(e) = table(shard, &txn, t, &mut env, &mut report) {
                report.problem(format!("cannot be read: {}", e.message()));
            }
            txn.rollback();
            out.push(report);
        }
    }
    out.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(out)
}

fn table(shard: &Arc<Shard>, txn: &Txn, t: &Table, env: &mut NoSession, out: &mut TableReport) -> Result<()> {
    let snap = txn.statement();
    out.indexes = t.indexes.len();
    if !shard.store().tree_exists(t.tree()) {
        out.problem(format!("the catalog says tree {}, which does not exist", t.tree));
        return Ok(());
    }
    let mut secondary = Vec::new();
    for (at, ix) in t.indexes.iter().enumerate().filter(|i| !i.1.primary) {
        if shard.store().tree_exists(TreeId(ix.tree)) {
            secondary.push((at, ix, 0u64));
        } else {
            out.problem(format!("index \"{}\": the catalog says tree {}, which does not exist", ix.name, ix.tree));
        }
    }
    let (mut row, mut own_key, mut got, mut room) = (vec![], vec![], vec![], access::EntryRoom::default());
    let mut scan = txn.scan(&snap, t.tree(), &[], None, Dir::Forward)?;
    while let Some((pk, value)) = scan.next(txn)? {
        out.rows += 1;
        if let Err(e) = access::decode_row(t, value, &mut row) {
            out.problem(format!("row {}: {}", hex(pk), e.message()));
            continue;
        }
        if t.primary_key().is_some() {
            access::row_key(t, &row, 0, &mut own_key)?;
            if own_key != pk {
                out.problem(format!("row {} holds the primary key {}", hex(pk), hex(&own_key)));
            }
        }
        for c in t.live_columns().filter(|c| c.not_null) {
            if row.get(c.attnum as usize - 1).is_some_and(Datum::is_null) {
                out.problem(format!("row {}: column \"{}\" is null", hex(pk), c.name));
            }
        }
        for (at, ix, made) in &mut secondary {
            access::each_entry((t, *at), &row, pk, env, &mut room, &mut |key, want| {
                let found = txn.get(&snap, TreeId(ix.tree), key, &mut got)?;
                // One whose building was stopped may lack some, and has no others.
                if !found && !t.is_readable(ix) {
                    return Ok(());
                }
                *made += 1;
                if !found {
                    out.problem(format!("index \"{}\" lacks the entry {} of row {}", ix.name, hex(key), hex(pk)));
                } else if !same_entry(t, ix, want, &got)? {
                    out.problem(format!("index \"{}\": entry {} is not that of row {}", ix.name, hex(key), hex(pk)));
                }
                Ok(())
            })?;
        }
    }
    for (at, ix, made) in secondary {
        let n = count(txn, &snap, TreeId(ix.tree))?;
        out.entries += n;
        if n != made {
            out.problem(format!("index \"{}\" has {n} entries, the table has rows for {made}", ix.name));
            strays(txn, &snap, t, at, env, out)?;
        }
        if ix.deferrable.is_some() && ix.excludes.is_none() {
            repeated(txn, &snap, t, ix, out)?;
        }
    }
    Ok(())
}

fn count(txn: &Txn, snap: &Snapshot, tree: TreeId) -> Result<u64> {
    let mut scan = txn.scan(snap, tree, &[], None, Dir::Forward)?;
    let mut n = 0;
    while scan.next(txn)?.is_some() {
        n += 1;
    }
    Ok(n)
}

/// Names rows that have the values of another one in a deferrable key: its entries are as those of an index that is not unique.
fn repeated(txn: &Txn, snap: &Snapshot, t: &Table, ix: &Index, out: &mut TableReport) -> Result<()> {
    let Some(at) = t.indexes.iter().position(|i| i.oid == ix.oid) else { return Ok(()) };
    let (mut repeats, mut value, mut row) = (access::Repeats::default(), vec![], vec![]);
    let mut scan = txn.scan(snap, TreeId(ix.tree), &[], None, Dir::Forward)?;
    while let Some((key, entry)) = scan.next(txn)? {
        // What cannot be read is told otherwise.
        let Ok(Some(pk)) = repeats.again(&access::layout(t).indexes[at], key, entry) else { continue };
        if txn.get(snap, t.tree(), pk, &mut value)?
            && access::decode_row(t, &value, &mut row).is_ok()
            && repeats.counts(ix, &row)
        {
            out.problem(format!("index \"{}\": row {} has the key of another row", ix.name, hex(pk)));
        }
    }
    Ok(())
}

/// Names the entries that no row makes.
fn strays(txn: &Txn, snap: &Snapshot, t: &Table, at: usize, env: &mut NoSession, out: &mut TableReport) -> Result<()> {
    let ix = &t.indexes[at];
    let (mut row, mut value, mut room) = (vec![], vec![], access::EntryRoom::default());
    let mut scan = txn.scan(snap, TreeId(ix.tree), &[], None, Dir::Forward)?;
    while let Some((key, entry)) = scan.next(txn)? {
        let pk = match access::entry_row_key(t, ix, key, entry) {
            Ok(pk) => pk,
            Err(e) => {
                out.problem(format!("index \"{}\": entry {}: {}", ix.name, hex(key), e.message()));
                continue;
            }
        };
        if !txn.get(snap, t.tree(), pk, &mut value)? {
            out.problem(format!(
                "index \"{}\": entry {} names row {}, which does not exist",
                ix.name,
                hex(key),
                hex(pk)
            ));
            continue;
        }
        if access::decode_row(t, &value, &mut row).is_err() {
            continue; // told with the row
        }
        let mut found = false;
        access::each_entry((t, at), &row, pk, env, &mut room, &mut |made, _| {
            found |= made == key;
            Ok(())
        })?;
        if !found {
            out.problem(format!("index \"{}\": entry {} is not one of row {}", ix.name, hex(key), hex(pk)));
        }
    }
    Ok(())
}

/// Do two entries of the same key name the same row and carry the same values?
fn same_entry(t: &Table, ix: &Index, a: &[u8], b: &[u8]) -> Result<bool> {
    if a == b {
        return Ok(true);
    }
    let (xa, xb) = match (access::entry_extra(a), access::entry_extra(b)) {
        (Ok(x), Ok(y)) => (x, y),
        _ => return Ok(false),
    };
    if a.get(..a.len() - xa.len()) != b.get(..b.len() - xb.len()) || xa.is_empty() != xb.is_empty() {
        return Ok(false);
    }
    let Some(at) = t.indexes.iter().position(|i| i.oid == ix.oid) else { return Ok(false) };
    let n = access::layout(t).indexes.get(at).map_or(0, |l| l.extra.len());
    for i in 0..n {
        match (RowRef(xa).raw(i), RowRef(xb).raw(i)) {
            (Ok(x), Ok(y)) if x == y => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// A key's bytes, cut where they grow long.
fn hex(b: &[u8]) -> String {
    let mut s: String = b.iter().take(MAX_SHOWN).map(|b| format!("{b:02x}")).collect();
    if b.len() > MAX_SHOWN {
        s.push_str("...");
    }
    if s.is_empty() { "(empty)".into() } else { s }
}
