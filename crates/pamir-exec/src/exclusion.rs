//! EXCLUDE constraints: no two rows for whose values all of the constraint's operators give true.
//!
//! ```text
//!   a row is written   its values by the index: one is NULL, or the predicate leaves the row out ....... nothing
//!                      lock on the values of columns WITH = (no such column: one for all rows), to the transaction's end
//!                      rows that the index leaves, in the newest state: operator(theirs, ours) for each column
//!                          all true: lock the row, look again .... gone, or changed: the next one
//!                                                                  still true: 23P01
//! ```
//! A DEFERRABLE one's check is queued among those of deferrable unique keys ([`super::unique`]) with the row's key, and made at the statement's end or at COMMIT.
//!
//! *Invariant*: whoever commits a row has held the lock on its values from a moment on in which no other row was in conflict with it. Two rows in conflict have the same values in
//! columns WITH =, so of two transactions the second one waits for the first one's end, and sees its row then, at every isolation level. Rows that go are held by their own locks:
//! whoever meets one waits for whether it is gone.
//!
//! Limits: without a column WITH = writers of a table wait for each other's commits. Candidates beyond [`ROOM`], and operators that ask for no keys (`<>` alone), read the whole table.
use super::dml::{Wx, key_of, may_tell_index, with_table};
use super::fk::Checks;
use super::inverted::Reader;
use super::rows::Charge;
use super::unique::{self, Key};
use pamir_catalog::{Index, Table};
use pamir_expr::access::{self, IndexLayout};
use pamir_expr::env::Env;
use pamir_expr::expr::{self, Fun};
use pamir_expr::inverted::{self, Need};
use pamir_expr::ir::CmpOp;
use pamir_storage::store::{Dir, TreeId};
use pamir_txn::{MemoryAccount, RowLock, Txn, WaitPolicy};
use pamir_types::key::{self, KeyOrder};
use pamir_types::{Datum, Error, Result, err, work};
use std::sync::Arc;

/// Bytes of rows' keys that an index may leave.
const ROOM: usize = 4 << 20;

/// Rows that are looked at, each, where one column leaves no more.
const FEW: usize = 32;

/// A row that is in conflict with one that is written: its key, and itself.
pub type Met = (Vec<u8>, Vec<Datum>);

/// A row that is compared with all others.
struct Ours<'a> {
    t: &'a Table,
    at: usize,
    ops: &'a [Fun],
    values: Vec<Datum>,
    key: &'a [u8],
    txn: &'a Txn,
    /// Does it wait for those who hold other rows?
    waits: bool,
}

/// The row that an EXCLUDE constraint, of the index at `at`, does not allow beside this one. `waits`: there may be other writers.
pub fn conflict(
    t: &Table,
    at: usize,
    (row, row_key): (&[Datum], &[u8]),
    (txn, env): (&Txn, &mut dyn Env),
    waits: bool,
) -> Result<Option<Met>> {
    let (Some(ix), Some(lay)) = (t.indexes.get(at), access::layout(t).indexes.get(at)) else {
        return Err(Error::internal("no such index"));
    };
    let Some(values) = access::index_values(t, at, row, env)? else { return Ok(None) };
    if values.iter().any(Datum::is_null) {
        return Ok(None);
    }
    let ops = access::exprs(t, env)?.excludes.get(at).map_or(&[][..], Vec::as_slice);
    let ours = Ours { t, at, ops, values, key: row_key, txn, waits };
    if waits {
        txn.lock_row(TreeId(ix.tree), &ours.lock(ix)?, RowLock::Update, WaitPolicy::Block)?;
    }
    let candidates = match &lay.inverted {
        Some(classes) => ours.by_keys(ix, lay, classes, env)?,
        None => Some(ours.by_values(ix, lay, row, env)?),
    };
    let Some(candidates) = candidates else { return ours.among_all(env) };
    let mut bytes = Vec::new();
    for k in candidates.into_iter().filter(|k| k != row_key) {
        let exists = txn.get_latest(t.tree(), &k, &mut bytes)?.exists;
        if exists
            && ours.meets(&bytes, env)?.is_some()
            && let Some(theirs) = ours.still_meets(&k, env)?
        {
            return Ok(Some((k, theirs)));
        }
    }
    Ok(None)
}

impl Ours<'_> {
    /// What is locked: a key of the index's tree that no entry has.
    fn lock(&self, ix: &Index) -> Result<Vec<u8>> {
        let mut out = vec![0];
        for ((op, v), (c, _)) in self.ops.iter().zip(&self.values).zip(&ix.columns) {
            let ty = c.ty(self.t);
            if expr::cmp_of(&op.f) == Some(CmpOp::Eq) && key::is_orderable(ty) {
                key::encode_search(v, ty, KeyOrder::ASC, &mut out)?;
            }
        }
        Ok(out)
    }
    /// The keys of rows that an inverted index leaves; None: it leaves all.
    fn by_keys(
        &self,
        ix: &Index,
        lay: &IndexLayout,
        classes: &[Option<inverted::Class>],
        env: &dyn Env,
    ) -> Result<Option<Vec<Vec<u8>>>> {
        let mut needs = Vec::new();
        for (n, ((class, op), (v, (c, _)))) in
            classes.iter().zip(self.ops).zip(self.values.iter().zip(&ix.columns)).enumerate()
        {
            let Some(class) = *class else { continue };
            // Theirs is the left side.
            let Some(asks) = inverted::strategy(class, &op.f, false) else { continue };
            let query = (v, c.ty(self.t).oid);
            needs.push(inverted::need(class, asks, n as u8, query, &|name| env.setting(name))?);
        }
        let (mut charge, memory) = (Charge::default(), MemoryAccount::root("exclusion", ROOM as u64));
        let mut reader = Reader {
            txn: self.txn,
            snapshot: None,
            memory: &memory,
            tree: TreeId(ix.tree),
            lay,
            charge: &mut charge,
            read: 0,
            bytes: 0,
            room: ROOM,
        };
        // One short list costs less than what the others would leave of it.
        for n in needs.iter().filter(|n| matches!(n, Need::Key(_))) {
            if let Ok(few) = reader.rows(n, FEW)? {
                return Ok(Some(few));
            }
        }
        Ok(reader.rows(&Need::all(needs), usize::MAX)?.ok())
    }
    /// The keys of rows with the same values: the index sorts, all of its operators are equalities.
    fn by_values(&self, ix: &Index, lay: &IndexLayout, row: &[Datum], env: &mut dyn Env) -> Result<Vec<Vec<u8>>> {
        let (mut entry, mut value, mut out) = (Vec::new(), Vec::new(), Vec::new());
        access::index_entry_at(self.t, self.at, row, self.key, env, &mut entry, &mut value)?;
        entry.truncate(entry.len().saturating_sub(self.key.len()));
        let end = unique::end(&entry);
        let mut scan = self.txn.scan_latest(TreeId(ix.tree), &entry, end.as_deref(), Dir::Forward)?;
        while let Some((k, v)) = scan.next(self.txn)? {
            out.push(access::entry_pk(lay, k, v)?.to_vec());
            work::charge(work::ROW as usize)?;
        }
        Ok(out)
    }
    fn among_all(&self, env: &mut dyn Env) -> Result<Option<Met>> {
        let mut from = Vec::new();
        loop {
            // Nobody is waited for while a scan is open.
            let mut met = None;
            let mut scan = self.txn.scan_latest(self.t.tree(), &from, None, Dir::Forward)?;
            while let Some((k, v)) = scan.next(self.txn)? {
                work::charge(work::ROW as usize)?;
                if k != self.key && self.meets(v, env)?.is_some() {
                    met = Some(k.to_vec());
                    break;
                }
            }
            drop(scan);
            let Some(k) = met else { return Ok(None) };
            if let Some(theirs) = self.still_meets(&k, env)? {
                return Ok(Some((k, theirs)));
            }
            from = k;
            from.push(0);
        }
    }
    /// The row of these bytes, if it is in conflict.
    fn meets(&self, bytes: &[u8], env: &mut dyn Env) -> Result<Option<Vec<Datum>>> {
        let mut row = Vec::new();
        access::decode_row(self.t, bytes, &mut row)?;
        let Some(theirs) = access::index_values(self.t, self.at, &row, env)? else { return Ok(None) };
        for (op, (theirs, ours)) in self.ops.iter().zip(theirs.iter().zip(&self.values)) {
            if !matches!(op.call(&[theirs.clone(), ours.clone()], env)?, Datum::Bool(true)) {
                return Ok(None);
            }
        }
        Ok(Some(row))
    }
    /// The same of the row under this key, once nobody else changes it.
    fn still_meets(&self, key: &[u8], env: &mut dyn Env) -> Result<Option<Vec<Datum>>> {
        let mut bytes = Vec::new();
        let latest = match self.waits {
            true => self.txn.claim(self.t.tree(), key, RowLock::Share, &mut bytes)?,
            false => self.txn.get_latest(self.t.tree(), key, &mut bytes)?,
        };
        if latest.exists { self.meets(&bytes, env) } else { Ok(None) }
    }
}

/// Checks a row that was written, or queues that.
pub(super) fn check(
    t: &Arc<Table>,
    at: usize,
    row: &[Datum],
    row_key: &[u8],
    wx: &mut Wx,
    checks: &mut Checks,
) -> Result<()> {
    let Some(ix) = t.indexes.get(at) else { return Ok(()) };
    if ix.deferrable.is_some() {
        return checks.queue_key(Key::of_row(t, ix, row_key), wx);
    }
    allowed(t, at, row, row_key, wx)
}
/// The queued check of the row under this key, if it is still there.
pub(super) fn check_late(t: &Arc<Table>, ix: &Index, row_key: &[u8], wx: &mut Wx) -> Result<()> {
    let (mut bytes, mut row) = (Vec::new(), Vec::new());
    let at = t.indexes.iter().position(|i| i.oid == ix.oid);
    let (Some(at), true) = (at, wx.txn.get_latest(t.tree(), row_key, &mut bytes)?.exists) else { return Ok(()) };
    access::decode_row(t, &bytes, &mut row)?;
    allowed(t, at, &row, row_key, wx)
}
fn allowed(t: &Table, at: usize, row: &[Datum], row_key: &[u8], wx: &mut Wx) -> Result<()> {
    let Some((_, other)) = conflict(t, at, (row, row_key), (wx.txn, &mut *wx.env), true)? else { return Ok(()) };
    let ix = &t.indexes[at];
    let detail = match may_tell_index(t, ix, wx) {
        true => {
            let (ours, theirs) = (key_of(t, ix, row, wx.env), key_of(t, ix, &other, wx.env));
            format!("Key {ours} conflicts with existing key {theirs}.")
        }
        false => "Key conflicts with existing key.".to_string(),
    };
    let e = err!(EXCLUSION_VIOLATION, "conflicting key value violates exclusion constraint \"{}\"", ix.name);
    Err(with_table(e.detail(detail).constraint(ix.name.clone()), t, wx.env))
}
