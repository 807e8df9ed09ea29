//! INSERT, UPDATE, DELETE and row locking. MERGE, over the same steps: [`merge`].
//!
//! ```text
//! source row -> lock the target row -> newest committed version
//!    unchanged since the snapshot ........ go on
//!    written by this statement ........... skip (a row is changed once)
//!    moved to another key, READ COMMITTED  lock the row there and decide again; a chain of moves is followed to its end
//!    changed, READ COMMITTED ............. gone: skip; else test `recheck` on the new version, compute SET from it (EvalPlanQual)
//!    changed, REPEATABLE READ and up ..... 40001
//! -> NOT NULL, generated columns, CHECKs -> unique keys under lock -> put / delete row and changed index entries -> foreign keys at the end
//! ```
//! Writes go to the transaction's own write set and are tagged with the statement, so a scan never meets what its own statement wrote.
//!
//! A changed primary key leaves a tombstone that names the new key. Limits: a row is known by its key. When a later commit (or the same one) gave a key that
//! was left to another row, a READ COMMITTED writer that waited for the former row finds the latter and takes it for the newer version.
//!
//! Unique keys are checked in the newest committed state with the key locked, never in the snapshot; deferrable ones later, see [`super::unique`].
mod aim;
mod guard;
mod lock_rows;
mod merge;
pub(crate) mod route;
mod target;
mod tell;

use super::exclusion;
use super::fk::{Checks, DeferredChecks};
use super::gather::{self, Gather};
use super::rows::Charge;
use super::store::{Reader, RowStore};
use super::trigger;
use super::trigger::Updated;
use super::{ExecCtx, Op, Rt};
use aim::Aims;
pub use lock_rows::LockRows;
use pamir_catalog::trigger::{Event, Timing, Triggers};
use pamir_catalog::usage::Of;
use pamir_catalog::{Index, IndexColumn, Table, defs};
use pamir_expr::access::{self, IndexLayout};
use pamir_expr::env::Env;
use pamir_expr::expr::{self, Cx, Px};
use pamir_expr::plan::node::{ConflictSpec, LockSpec, ModifyKind, ModifySpec, PNode};
use pamir_storage::store::TreeId;
use pamir_txn::shard::{Isolation, Latest, LockOutcome};
use pamir_txn::{MemoryAccount, RowLock, Snapshot, Txn, WaitPolicy};
use pamir_types::{Datum, Error, Oid, Result, bail, err, text};
use std::sync::Arc;
pub(super) use target::serialization_failure;
use target::{Target, lock_target, newest_target};
use tell::{detailed, failing, may_tell_key};
pub use tell::{key_text, may_tell};

/// What writing needs.
pub struct Wx<'a> {
    pub txn: &'a Txn,
    pub snapshot: &'a Snapshot,
    pub env: &'a mut dyn Env,
    pub deferred: &'a mut DeferredChecks,
    /// What is kept to the statement's end is charged to.
    pub memory: &'a Arc<MemoryAccount>,
}
impl Rt<'_> {
    pub fn wx(&mut self) -> Wx<'_> {
        let memory = &self.work.memory;
        Wx { txn: self.txn, snapshot: &self.snapshot, env: self.env, deferred: self.deferred, memory }
    }
}
impl<'a> Wx<'a> {
    pub fn of(cx: &'a mut ExecCtx) -> Wx<'a> {
        let memory = &cx.work.memory;
        Wx { txn: cx.txn, snapshot: &cx.snapshot, env: &mut *cx.env, deferred: &mut *cx.deferred, memory }
    }
}

fn schema_of(t: &Table, env: &dyn Env) -> String {
    env.catalog().schema(t.schema).map_or_else(String::new, |s| s.name.clone())
}
/// Error fields that name the table.
pub fn with_table(e: Error, t: &Table, env: &dyn Env) -> Error {
    e.table(schema_of(t, env), t.name.clone())
}
/// 25006 where a transaction only reads; temporary tables may be written in it.
pub(super) fn may_write(txn: &Txn, t: &Table, command: &str) -> Result<()> {
    if txn.read_only() && !t.is_temporary() {
        bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {command} in a read-only transaction");
    }
    Ok(())
}
pub(super) fn command(op: &ModifyKind) -> &'static str {
    match op {
        ModifyKind::Insert { .. } => "INSERT",
        ModifyKind::Update { .. } => "UPDATE",
        ModifyKind::Delete { .. } => "DELETE",
        ModifyKind::Merge { .. } => "MERGE",
    }
}
/// Computes columns (attnum - 1) of a row: defaults, or what SET says.
#[inline]
pub(super) fn assign<C: Cx + ?Sized>(row: &mut [Datum], set: &[(usize, Px)], cx: &mut C) -> Result<()> {
    for (c, e) in set {
        let d = expr::eval(e, cx)?;
        if let Some(r) = row.get_mut(*c) {
            *r = d;
        }
    }
    Ok(())
}

/// Fills generated columns.
pub(super) fn generate(t: &Table, row: &mut [Datum], wx: &mut Wx) -> Result<()> {
    let ex = access::exprs(t, wx.env)?;
    if ex.any_generated {
        for (i, g) in ex.generated.iter().enumerate() {
            if let Some(g) = g {
                let d = expr::eval(g, &mut expr::RowCx { row, env: wx.env })?;
                if let Some(domain) = t.declared.domain(i as i16 + 1) {
                    pamir_expr::domains::check(&d, domain, wx.env)?;
                }
                if let Some(s) = row.get_mut(i) {
                    *s = d;
                }
            }
        }
    }
    Ok(())
}
/// Fills generated columns, then tests NOT NULL and CHECK.
pub fn check_row(t: &Table, row: &mut [Datum], wx: &mut Wx) -> Result<()> {
    if !t.checks.is_empty() || t.columns.iter().any(|c| c.generated.is_some() && !c.dropped) {
        generate(t, row, wx)?;
    }
    for c in &t.columns {
        if c.not_null && !c.dropped && row.get((c.attnum - 1) as usize).is_none_or(Datum::is_null) {
            let e = err!(
                NOT_NULL_VIOLATION,
                "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
                c.name,
                t.name
            );
            let e = detailed(e, failing(t, row, wx.env)).column(c.name.clone());
            return Err(with_table(e, t, wx.env));
        }
    }
    if !t.checks.is_empty() {
        let ex = access::exprs(t, wx.env)?;
        for (c, p) in t.checks.iter().zip(&ex.checks) {
            if expr::eval_bool(p, &mut expr::RowCx { row, env: wx.env })? == Some(false) {
                let e = err!(
                    CHECK_VIOLATION,
                    "new row for relation \"{}\" violates check constraint \"{}\"",
                    t.name,
                    c.name
                );
                let e = detailed(e, failing(t, row, wx.env)).constraint(c.name.clone());
                return Err(with_table(e, t, wx.env));
            }
        }
    }
    Ok(())
}

/// 44000 where a row that was written through a view is none of the view's.
fn view_checks(spec: &ModifySpec, row: &[Datum], rt: &mut Rt) -> Result<()> {
    for (view, cond) in &spec.checks {
        if expr::eval_bool(cond, rt)? != Some(true) {
            let e = err!(WITH_CHECK_OPTION_VIOLATION, "new row violates check option for view \"{view}\"");
            return Err(detailed(e, failing(&spec.table, row, rt.env)));
        }
    }
    Ok(())
}

pub(super) fn duplicate(t: &Table, ix: &Index, row: &[Datum], wx: &mut Wx) -> Error {
    let key = key_of(t, ix, row, wx.env);
    let e = err!(UNIQUE_VIOLATION, "duplicate key value violates unique constraint \"{}\"", ix.name);
    let detail = || format!("Key {key} already exists.");
    let e = detailed(e, may_tell_index(t, ix, wx).then(detail)).constraint(ix.name.clone());
    with_table(e, t, wx.env)
}
/// May the user be told what a row has in an index's columns?
pub(super) fn may_tell_index(t: &Table, ix: &Index, wx: &Wx) -> bool {
    let columns = ix.columns.iter().map(|(c, _)| if let IndexColumn::Attr(a) = c { Some(*a) } else { None });
    may_tell_key(t, columns, wx.env)
}
/// `(a, lower(b))=(1, x)` of a row's values in an index's columns (BuildIndexValueDescription).
pub fn key_of(t: &Table, ix: &Index, row: &[Datum], env: &mut dyn Env) -> String {
    let names: Vec<String> = ix.columns.iter().map(|(c, _)| defs::index_column_def(t, c, true)).collect();
    let at = t.indexes.iter().position(|i| i.oid == ix.oid).unwrap_or(0);
    let values = access::index_values(t, at, row, env).ok().flatten().unwrap_or_default();
    let shown = |(n, (c, _)): (usize, &(IndexColumn, _))| match values.get(n) {
        None | Some(Datum::Null) => "null".to_string(),
        Some(d) => text::to_string(d, c.ty(t), env.text_ctx()),
    };
    let values: Vec<String> = ix.columns.iter().enumerate().map(shown).collect();
    format!("({})=({})", names.join(", "), values.join(", "))
}

/// Is a unique key taken in the newest state? If not it is locked. `found` receives the entry's value.
fn taken(tree: TreeId, key: &[u8], wx: &mut Wx, found: &mut Vec<u8>) -> Result<bool> {
    Ok(wx.txn.claim_new(tree, key, found)?.exists)
}

/// ON CONFLICT's part in [`insert_row`].
#[derive(Clone, Copy)]
pub struct Arbiters<'a> {
    /// Empty: any unique index.
    pub indexes: &'a [pamir_types::Oid],
    /// The row in the way keeps its keys (it is left alone, or other columns are set).
    pub keeps_keys: bool,
}
impl Arbiters<'_> {
    pub(super) fn names(&self, ix: &Index) -> bool {
        self.indexes.is_empty() || self.indexes.contains(&ix.oid)
    }
    /// As [`taken`] for an arbiter.
    fn met(&self, tree: TreeId, key: &[u8], wx: &mut Wx, found: &mut Vec<u8>) -> Result<bool> {
        if self.keeps_keys { Ok(wx.txn.pass_by(tree, key, found)?.exists) } else { taken(tree, key, wx, found) }
    }
}

/// An encoded index entry.
pub(super) struct Entry {
    pub tree: TreeId,
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    /// The index's position, where its key is deferrable and this entry's key a new one.
    check: Option<usize>,
    /// Nobody but who has locked the row writes it ([`follows_row`]).
    follows: bool,
}
impl Entry {
    pub(super) fn put(&self, txn: &Txn) -> Result<()> {
        match self.follows {
            true => txn.put_entry(self.tree, &self.key, &self.value),
            false => txn.put(self.tree, &self.key, &self.value),
        }
    }
}
/// Have the entries of an index no lock of their own beside their rows'? Keys that must be unique have, and what is excluded is found by locks on values.
fn follows_row(ix: &Index) -> bool {
    !ix.unique && ix.excludes.is_none()
}
fn delete_entry(ix: &Index, key: &[u8], txn: &Txn) -> Result<()> {
    match follows_row(ix) {
        true => txn.delete_entry(TreeId(ix.tree), key),
        false => txn.delete(TreeId(ix.tree), key),
    }
}
impl Default for Entry {
    fn default() -> Entry {
        Entry { tree: TreeId(0), key: Vec::new(), value: Vec::new(), check: None, follows: false }
    }
}

/// Buffers of a statement that writes many rows.
#[derive(Default)]
pub struct WriteBuf {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub(super) found: Vec<u8>,
    pub(super) entries: smallvec::SmallVec<[Entry; 4]>,
    /// The entry that a changed row leaves.
    pub(super) was: Entry,
    /// The row to insert was found to be of its partition.
    pub(super) routed: bool,
    /// Indexes, by their positions, whose EXCLUDE constraints the row that is written may break.
    pub(super) excludes: smallvec::SmallVec<[usize; 2]>,
}

/// Puts the entries that were made of a written row, the first so many; checks them, or queues what there is to check.
fn put_entries(
    t: &Arc<Table>,
    row: &[Datum],
    (buf, made): (&WriteBuf, usize),
    wx: &mut Wx,
    checks: &mut Checks,
) -> Result<()> {
    let row_key = &buf.key;
    for e in &buf.entries[..made] {
        e.put(wx.txn)?;
        if let Some(at) = e.check {
            checks.entry_put(t, at, row, row_key, &e.key, wx)?;
        }
    }
    buf.excludes.iter().try_for_each(|at| exclusion::check(t, *at, row, row_key, wx, checks))
}
/// Has the index a unique key whose entries are checked when they are there?
fn checked_later(ix: &Index) -> bool {
    ix.deferrable.is_some() && ix.excludes.is_none()
}
/// 55000: a row is tested against a deferrable key before it is written.
fn no_arbiter(t: &Table, ix: &Index, wx: &Wx) -> Error {
    let say = "ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters";
    let e = Error::new(pamir_types::error::state::OBJECT_NOT_IN_PREREQUISITE_STATE, say.to_string());
    with_table(e.constraint(ix.name.clone()), t, wx.env)
}

/// What inserting met.
pub enum Inserted {
    Done,
    /// The row collides with the one under this row key, by the index at this position.
    Conflict {
        row_key: Vec<u8>,
    },
}

/// Inserts a complete row (defaults filled in). With `arbiters`, a collision there is reported instead of raised.
pub fn insert_row(
    t: &Arc<Table>,
    row: &mut [Datum],
    arbiters: Option<Arbiters>,
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<Inserted> {
    check_row(t, row, wx)?;
    if t.bound().is_some() && !buf.routed && !pamir_expr::partition::accepts(t, row, wx.env)? {
        return Err(route::violates(t, row, wx));
    }
    let b = access::layout(t);
    let rowid = if b.pk.is_none() { wx.txn.next_id(t.tree)? } else { 0 };
    access::row_key(t, row, rowid, &mut buf.key)?;
    let is_arbiter = |ix: &Index| arbiters.is_some_and(|a| a.names(ix));
    let collides = |ix: &Index, tree, key: &[u8], wx: &mut Wx, found: &mut Vec<u8>| match arbiters {
        Some(a) if a.names(ix) => a.met(tree, key, wx, found),
        _ => taken(tree, key, wx, found),
    };
    // Named arbiters decide whether the row is inserted at all: what it collides with elsewhere counts only if it is.
    let named = arbiters.is_some_and(|a| !a.indexes.is_empty());
    let mut elsewhere = None;
    if let Some(p) = b.pk
        && collides(&t.indexes[p], t.tree(), &buf.key, wx, &mut buf.found)?
    {
        if is_arbiter(&t.indexes[p]) {
            return Ok(Inserted::Conflict { row_key: buf.key.clone() });
        }
        if !named {
            return Err(duplicate(t, &t.indexes[p], row, wx));
        }
        elsewhere = Some(p);
    }
    // Entries are made before the first put, so that a conflict leaves nothing behind; their buffers serve the next row again.
    let mut made = 0;
    buf.excludes.clear();
    for (i, ix) in t.indexes.iter().enumerate() {
        if Some(i) == b.pk {
            continue;
        }
        if buf.entries.len() == made {
            buf.entries.push(Entry::default());
        }
        if ix.deferrable.is_some() && is_arbiter(ix) {
            return Err(no_arbiter(t, ix, wx));
        }
        if ix.excludes.is_some() && !is_arbiter(ix) {
            buf.excludes.push(i);
        } else if ix.excludes.is_some() {
            // Its lock is held on, so that what holds now holds when the row is there.
            let met = exclusion::conflict(t, i, (&*row, buf.key.as_slice()), (wx.txn, &mut *wx.env), true)?;
            if let Some((row_key, _)) = met {
                return Ok(Inserted::Conflict { row_key });
            }
        }
        if b.indexes[i].inverted.is_some() {
            let mut keys = Vec::new();
            access::inverted_keys(t, i, row, &buf.key, wx.env, &mut keys)?;
            add_inverted(&mut buf.entries, &mut made, ix, keys);
            continue;
        }
        let e = &mut buf.entries[made];
        (e.tree, e.check, e.follows) = (TreeId(ix.tree), checked_later(ix).then_some(i), follows_row(ix));
        let unique = access::index_entry_at(t, i, row, &buf.key, wx.env, &mut e.key, &mut e.value)?;
        let Some(unique) = unique else { continue };
        if unique && collides(ix, e.tree, &e.key, wx, &mut buf.found)? {
            if is_arbiter(ix) {
                let pk = access::entry_row_key(t, ix, &e.key, &buf.found)?.to_vec();
                return Ok(Inserted::Conflict { row_key: pk });
            }
            if !named {
                return Err(duplicate(t, ix, row, wx));
            }
            elsewhere = elsewhere.or(Some(i));
        }
        made += 1;
    }
    if let Some(i) = elsewhere {
        return Err(duplicate(t, &t.indexes[i], row, wx));
    }
    access::encode_row(t, row, &mut buf.value)?;
    wx.txn.put(t.tree(), &buf.key, &buf.value)?;
    put_entries(t, row, (&*buf, made), wx, checks)?;
    t.usage.add(Of::Inserted, 1);
    checks.inserted(t, row, wx)?;
    Ok(Inserted::Done)
}

/// A locked row as it was read, before expressions of the statement were evaluated.
#[derive(Clone, Copy)]
pub struct Seen {
    latest: Latest,
    /// See [`Env::nested`].
    nested: u64,
}
impl Seen {
    pub fn new(latest: Latest, env: &dyn Env) -> Seen {
        Seen { latest, nested: env.nested() }
    }
    /// 27000 where a function's statement has changed the row since: what it wrote would be lost, and its index entries would stay.
    pub fn is_as_it_was(&self, t: &Table, key: &[u8], what: &str, wx: &mut Wx, found: &mut Vec<u8>) -> Result<()> {
        if wx.env.nested() == self.nested {
            return Ok(());
        }
        let now = wx.txn.get_latest(t.tree(), key, found)?;
        let state = |l: &Latest| (l.own, l.exists, if l.own { l.statement } else { 0 });
        if state(&now) == state(&self.latest) {
            return Ok(());
        }
        Err(trigger::changed_meanwhile(what))
    }
}

/// Entries of an inverted index that are to be put, behind those that are `made`.
fn add_inverted(
    entries: &mut smallvec::SmallVec<[Entry; 4]>,
    made: &mut usize,
    ix: &Index,
    keys: impl IntoIterator<Item = Vec<u8>>,
) {
    let (tree, follows) = (TreeId(ix.tree), follows_row(ix));
    for key in keys {
        let e = Entry { tree, key, value: access::NO_VALUE.to_vec(), check: None, follows };
        match entries.get_mut(*made) {
            Some(place) => *place = e,
            None => entries.push(e),
        }
        *made += 1;
    }
}
/// As [`change_entry`] for an inverted index: deletes the entries that the row leaves, gives the keys of those that are to be put.
fn change_inverted(
    t: &Table,
    i: usize,
    old: (&[Datum], &[u8]),
    new: (&[Datum], &[u8]),
    wx: &mut Wx,
) -> Result<Vec<Vec<u8>>> {
    let (mut was, mut is) = (Vec::new(), Vec::new());
    access::inverted_keys(t, i, old.0, old.1, wx.env, &mut was)?;
    access::inverted_keys(t, i, new.0, new.1, wx.env, &mut is)?;
    for k in was.iter().filter(|k| is.binary_search(k).is_err()) {
        delete_entry(&t.indexes[i], k, wx.txn)?;
    }
    is.retain(|k| was.binary_search(k).is_err());
    Ok(is)
}
/// Does a change of the columns (attnum - 1) that `set` has reach the entries of an index of columns?
#[inline]
pub(super) fn reaches(lay: &IndexLayout, ix: &Index, set: impl Fn(usize) -> bool) -> bool {
    lay.cols.iter().any(|c| c.attr.is_some_and(&set)) || ix.include.iter().any(|a| set((*a - 1) as usize))
}
/// Takes the index at `i` along with a row that changes from `old` to `new`, columns and key: deletes the entry that it leaves. True: `is` is to be put.
#[allow(clippy::too_many_arguments)] // Two rows with their keys, and where their entries go.
pub(super) fn change_entry(
    t: &Table,
    i: usize,
    old: (&[Datum], &[u8]),
    new: (&[Datum], &[u8]),
    wx: &mut Wx,
    was: &mut Entry,
    is: &mut Entry,
    found: &mut Vec<u8>,
) -> Result<bool> {
    let ix = &t.indexes[i];
    (is.tree, is.check, is.follows) = (TreeId(ix.tree), None, follows_row(ix));
    let had = access::index_entry_at(t, i, old.0, old.1, wx.env, &mut was.key, &mut was.value)?.is_some();
    let has = access::index_entry_at(t, i, new.0, new.1, wx.env, &mut is.key, &mut is.value)?;
    if had && has.is_some() && was.key == is.key {
        return Ok(was.value != is.value);
    }
    if had {
        delete_entry(ix, &was.key, wx.txn)?;
    }
    if has == Some(true) && taken(is.tree, &is.key, wx, found)? {
        return Err(duplicate(t, ix, new.0, wx));
    }
    is.check = checked_later(ix).then_some(i);
    Ok(has.is_some())
}
/// Replaces a row that is locked. `seen`: how it was found, where expressions have been evaluated since. `changed`: columns (attnum - 1) that were set. Returns the new row's key in `buf.key`.
#[allow(clippy::too_many_arguments)] // One call site per way to change a row; a struct would only rename them.
pub fn update_row(
    t: &Arc<Table>,
    old_key: &[u8],
    seen: Option<Seen>,
    old: &[Datum],
    new: &mut [Datum],
    changed: &[usize],
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<()> {
    check_row(t, new, wx)?;
    if let Some(s) = seen {
        s.is_as_it_was(t, old_key, "updated", wx, &mut buf.found)?;
    }
    let b = access::layout(t);
    let ex_generated = t.columns.iter().any(|c| c.generated.is_some() && !c.dropped);
    let touches = |deps: &[usize]| ex_generated || deps.iter().any(|d| changed.contains(d));
    let mut moved = false;
    buf.key.clear();
    buf.key.extend_from_slice(old_key);
    if let Some(p) = b.pk
        && b.indexes[p].cols.iter().any(|c| c.attr.is_some_and(|a| touches(&[a])))
    {
        access::row_key(t, new, 0, &mut buf.key)?;
        moved = buf.key != old_key;
        if moved && taken(t.tree(), &buf.key, wx, &mut buf.found)? {
            return Err(duplicate(t, &t.indexes[p], new, wx));
        }
    }
    let mut made = 0;
    buf.excludes.clear();
    if t.indexes.len() > usize::from(b.pk.is_some()) {
        for (i, ix) in t.indexes.iter().enumerate() {
            if Some(i) == b.pk {
                continue;
            }
            if !moved {
                let lay = &b.indexes[i];
                let affected = if lay.plain {
                    ex_generated || reaches(lay, ix, |c| changed.contains(&c))
                } else {
                    access::exprs(t, wx.env)?.depends.get(i).is_none_or(|d| touches(d))
                };
                if !affected {
                    continue;
                }
            }
            if ix.excludes.is_some() {
                buf.excludes.push(i);
            }
            if b.indexes[i].inverted.is_some() {
                let keys = change_inverted(t, i, (old, old_key), (new, &buf.key), wx)?;
                add_inverted(&mut buf.entries, &mut made, ix, keys);
                continue;
            }
            if buf.entries.len() == made {
                buf.entries.push(Entry::default());
            }
            let WriteBuf { key, found, entries, was, .. } = &mut *buf;
            made += usize::from(change_entry(t, i, (old, old_key), (new, key), wx, was, &mut entries[made], found)?);
        }
    }
    access::encode_row(t, new, &mut buf.value)?;
    if moved {
        wx.txn.delete_moved(t.tree(), old_key, &buf.key)?;
    }
    wx.txn.put(t.tree(), &buf.key, &buf.value)?;
    put_entries(t, new, (&*buf, made), wx, checks)?;
    t.usage.add(Of::Updated, 1);
    checks.updated(t, old, new, changed, wx)
}

/// Deletes a row that is locked.
pub fn delete_row(
    t: &Arc<Table>,
    key: &[u8],
    old: &[Datum],
    wx: &mut Wx,
    checks: &mut Checks,
    buf: &mut WriteBuf,
) -> Result<()> {
    delete_entries(t, key, old, wx, &mut buf.was)?;
    checks.deleted(t, old, wx)
}
/// Deletes a row, of which the indexed columns are enough, and its index entries.
pub(super) fn delete_entries(t: &Table, key: &[u8], old: &[Datum], wx: &mut Wx, was: &mut Entry) -> Result<()> {
    wx.txn.delete(t.tree(), key)?;
    delete_index_entries(t, key, old, wx, was)
}
/// Deletes what indexes have of a row, and counts that it goes.
fn delete_index_entries(t: &Table, key: &[u8], old: &[Datum], wx: &mut Wx, was: &mut Entry) -> Result<()> {
    let b = access::layout(t);
    for (i, ix) in t.indexes.iter().enumerate().filter(|(i, _)| Some(*i) != b.pk) {
        if b.indexes[i].inverted.is_some() {
            let mut keys = Vec::new();
            access::inverted_keys(t, i, old, key, wx.env, &mut keys)?;
            keys.iter().try_for_each(|k| delete_entry(ix, k, wx.txn))?;
        } else if access::index_entry_at(t, i, old, key, wx.env, &mut was.key, &mut was.value)?.is_some() {
            delete_entry(ix, &was.key, wx.txn)?;
        }
    }
    t.usage.add(Of::Deleted, 1);
    Ok(())
}
/// Columns (attnum - 1) that deleting a row looks at. None: all, or it is not worth finding out.
fn columns_to_delete(t: &Table, wx: &mut Wx) -> Result<Option<Vec<usize>>> {
    if !t.referenced_by.is_empty() || t.triggers.is_some() || t.bound().is_some() {
        return Ok(None);
    }
    let mut all = Vec::new();
    for ix in t.indexes.iter().filter(|i| !i.primary) {
        all.extend(access::index_columns(t, ix, wx.env)?);
    }
    all.sort_unstable();
    all.dedup();
    Ok(Some(all))
}

/// The values that a join below goes on with when a newer version of the row is refused.
fn save_cols(cols: &[(usize, u32)], rt: &Rt) -> Vec<Datum> {
    cols.iter().map(|c| rt.get(c.1).clone()).collect()
}
fn restore_cols(seen: Vec<Datum>, cols: &[(usize, u32)], rt: &mut Rt) {
    for ((_, s), d) in cols.iter().zip(seen) {
        rt.set(*s, d);
    }
}

/// Writes a decoded row into slots.
fn load_cols(row: &[Datum], cols: &[(usize, u32)], rt: &mut Rt) {
    for (c, s) in cols {
        let d = row.get(*c).cloned().unwrap_or(Datum::Null);
        rt.set(*s, d);
    }
}

/// Does a condition hold for the newer version of a row that stands in the slots? Its place is not that of the version that was found (in PostgreSQL another one
/// takes another), so what asks for it finds nothing. A subquery of the condition may stand below as a join as well, with the same slots: they are put back.
fn holds_again(cond: Option<&Px>, key_slot: u32, rt: &mut Rt) -> Result<bool> {
    let Some(c) = cond else { return Ok(true) };
    let before = if c.is_plain() { None } else { Some(rt.st.slots.clone()) };
    let key = rt.take(key_slot);
    let r = expr::eval_bool(c, rt);
    match before {
        Some(slots) => rt.st.slots = slots,
        None => rt.set(key_slot, key),
    }
    Ok(r? == Some(true))
}

/// The lock an UPDATE of these columns takes: the strong one when a unique key (or a referenced one) may change.
pub fn update_lock(t: &Table, set: impl Iterator<Item = usize> + Clone) -> RowLock {
    let key = t.indexes.iter().filter(|i| i.unique).any(|i| {
        i.columns.iter().any(|(c, _)| match c {
            IndexColumn::Attr(a) => set.clone().any(|s| s == (*a - 1) as usize),
            IndexColumn::Expr(..) => true,
        })
    });
    if key { RowLock::Update } else { RowLock::NoKeyUpdate }
}

/// Does SET change unique keys, to values that may be computed once more?
fn sets_keys(t: &Table, set: &[(usize, Px)]) -> bool {
    update_lock(t, set.iter().map(|s| s.0)) == RowLock::Update && set.iter().all(|s| s.1.is_plain())
}

pub struct ModifyOp {
    input: Box<dyn Op>,
    spec: Arc<ModifySpec>,
    returned: RowStore,
    reader: Reader,
    gather: Gather,
    /// The input's rows are the same whatever is computed for others meanwhile.
    still: bool,
    mine: Mine,
}
/// The rows, by their keys, that a statement has come to itself: those of a table with triggers, which may change others before it does.
#[derive(Default)]
struct Mine {
    /// By table.
    keys: rustc_hash::FxHashMap<Oid, rustc_hash::FxHashSet<Box<[u8]>>>,
    charge: Charge,
}
impl Mine {
    fn add(&mut self, t: &Table, key: &[u8], rt: &Rt) -> Result<()> {
        if t.triggers.is_some() && self.keys.entry(t.oid).or_default().insert(key.into()) {
            self.charge.add(key.len() + size_of::<Box<[u8]>>(), &rt.work.memory)?;
        }
        Ok(())
    }
    /// Has a trigger changed the row in the course of this statement?
    fn is_not(&self, t: &Table, key: &[u8], latest: &Latest, rt: &Rt) -> bool {
        let during = latest.own && latest.statement >= rt.snapshot.statement();
        t.triggers.is_some() && during && !self.keys.get(&t.oid).is_some_and(|k| k.contains(key))
    }
    fn clear(&mut self) {
        self.keys.clear();
        self.charge.clear();
    }
}
impl ModifyOp {
    /// `from`: the input's node.
    pub fn new(input: Box<dyn Op>, spec: Arc<ModifySpec>, from: &PNode) -> ModifyOp {
        let (returned, gather) = (RowStore::new(spec.ret_slots.len()), Gather::new(from.out.clone()));
        ModifyOp {
            input,
            returned,
            spec,
            reader: Reader::default(),
            gather,
            still: gather::is_still(from),
            mine: Mine::default(),
        }
    }
    /// RETURNING of a row under its key; `stood`: it was there before and ON CONFLICT changed it, or DELETE took it away.
    fn returning(&mut self, row: &[Datum], key: &[u8], stood: bool, rt: &mut Rt) -> Result<()> {
        if self.spec.checks.is_empty() && self.spec.returning.is_none() {
            return Ok(());
        }
        let spec = self.spec.clone();
        self.returning_of(&spec.table, &spec.row_cols, row, (key, stood), rt)
    }
    /// The same of a row of `t`, whose columns go to these slots.
    fn returning_of(
        &mut self,
        t: &Table,
        row_cols: &[(usize, u32)],
        row: &[Datum],
        (key, stood): (&[u8], bool),
        rt: &mut Rt,
    ) -> Result<()> {
        let spec = self.spec.clone();
        if !spec.checks.is_empty() {
            load_cols(row, row_cols, rt);
            match t.oid == spec.table.oid {
                true => view_checks(&spec, row, rt)?,
                false => view_checks(&spec, &aim::as_named(&spec, row_cols, row), rt)?,
            }
        }
        let Some(ret) = &spec.returning else { return Ok(()) };
        load_cols(row, row_cols, rt);
        if let Some(s) = spec.system.tableoid {
            rt.set(s, Datum::Oid(t.oid));
        }
        if let Some(s) = spec.system.ctid {
            rt.set(s, Datum::Bytea(key.into()));
        }
        if let Some(s) = spec.system.xmax {
            // As txid_current() shows it: the lower half.
            let id = if stood { rt.txn.id() as u32 } else { 0 };
            rt.set(s, Datum::Oid(id));
        }
        for (e, s) in ret {
            let d = expr::eval(e, rt)?;
            rt.set(*s, d);
        }
        self.returned.push_slots(&spec.ret_slots, rt)
    }
    /// The same of a row of the named table, or of one that has its columns at these places.
    fn returning_at(
        &mut self,
        t: &Table,
        places: Option<&[usize]>,
        row: &[Datum],
        (key, stood): (&[u8], bool),
        rt: &mut Rt,
    ) -> Result<()> {
        if places.is_none() {
            return self.returning(row, key, stood, rt);
        }
        let cols: Vec<(usize, u32)> = self.spec.row_cols.iter().map(|(c, s)| (aim::place(places, *c), *s)).collect();
        self.returning_of(t, &cols, row, (key, stood), rt)
    }
    fn insert_all(&mut self, rt: &mut Rt, checks: &mut Checks) -> Result<u64> {
        let spec = self.spec.clone();
        let t = &spec.table;
        let ModifyKind::Insert { columns, defaults, conflict } = &spec.op else { return Ok(0) };
        for e in conflict.iter().flat_map(|c| &c.asks) {
            if expr::eval_bool(e, rt)? != Some(true) {
                let e = "there is no unique or exclusion constraint matching the ON CONFLICT specification";
                bail!(INVALID_COLUMN_REFERENCE, "{e}");
            }
        }
        let then = conflict.as_ref().and_then(|c| c.update.as_ref()).map(|u| update_lock(t, u.set.iter().map(|s| s.0)));
        let keeps_keys = then != Some(RowLock::Update);
        let arbiters = conflict.as_ref().map(|c| Arbiters { indexes: &c.arbiters, keeps_keys });
        let mut buf = WriteBuf::default();
        let mut n = 0;
        // Who evaluates more than columns for each row wants to do so before the next row is made.
        let plain = spec.returning.iter().flatten().all(|(e, _)| matches!(e, Px::Slot(_) | Px::Const(_)))
            && spec.checks.is_empty()
            && spec.guards.is_empty();
        let gathers = rt.txn.far() && plain && t.triggers.is_none() && !t.is_partitioned();
        let mut rows = gather::Rows::new(t, gathers);
        let drawn = if gathers && self.still { gather::sequences(defaults.iter().map(|d| &d.1)) } else { Vec::new() };
        // Values of sequences are drawn for the rows of a batch, so their defaults come when it is full.
        let (at_once, late) = if drawn.is_empty() { (&**defaults, false) } else { (&[][..], true) };
        let mut more = Ok(true);
        loop {
            while matches!(more, Ok(true)) && !rows.is_full() {
                more = self.next_row(columns, at_once, &mut rows, rt);
            }
            if late && let Err(e) = gather::draw(&mut rows, &drawn, defaults, rt) {
                more = Err(e);
            }
            let made = match arbiters {
                Some(a) => rows.meet(t, a, then, &mut rt.wx())?,
                None => rows.claim(t, &mut rt.wx())?,
            };
            if made.is_empty() {
                // What ended the rows comes after what the rows before it met.
                return more.map(|_| n);
            }
            for row in made {
                n += u64::from(self.insert_one(row, conflict.as_ref(), arbiters, rt, checks, &mut buf)?);
            }
        }
    }
    /// Makes the row to insert from the input's next one; false at the end.
    fn next_row(
        &mut self,
        columns: &[(usize, u32)],
        defaults: &[(usize, Px)],
        rows: &mut gather::Rows,
        rt: &mut Rt,
    ) -> Result<bool> {
        if !self.input.next(rt)? {
            return Ok(false);
        }
        rt.tick()?;
        rows.add_with(|row| {
            for (c, s) in columns {
                let d = rt.get(*s).clone();
                if let Some(r) = row.get_mut(*c) {
                    *r = d;
                }
            }
            assign(row, defaults, rt).map(|()| true)
        })
    }
    /// Was a row written?
    fn insert_one(
        &mut self,
        row: &mut [Datum],
        conflict: Option<&ConflictSpec>,
        arbiters: Option<Arbiters>,
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<bool> {
        let spec = self.spec.clone();
        if spec.table.view.is_some() {
            let done = trigger::instead_of_row(&spec.table, Event::Insert, None, Some(row), &mut rt.wx())?;
            if done {
                self.returning(row, &[], false, rt)?;
            }
            return Ok(done);
        }
        if spec.table.is_partitioned() {
            return self.insert_routed(row, conflict, arbiters, rt, checks, buf);
        }
        if spec.table.triggers.is_some()
            && !trigger::before_row(&spec.table, Event::Insert, &[], None, Some(row), &mut rt.wx())?
        {
            return Ok(false);
        }
        self.insert_into(&spec.table, None, row, (conflict, arbiters), rt, checks, buf)
    }
    /// As [`ModifyOp::insert_one`], into the partition that takes the row.
    fn insert_routed(
        &mut self,
        row: &mut [Datum],
        conflict: Option<&ConflictSpec>,
        arbiters: Option<Arbiters>,
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<bool> {
        let spec = self.spec.clone();
        let (t, mut own) = route::place(&spec.table, row, &mut rt.wx())?;
        let row = own.as_deref_mut().unwrap_or(row);
        if !route::before_insert(&t, row, &mut rt.wx())? {
            return Ok(false);
        }
        let places = spec.members.as_ref().and_then(|m| m.get(t.oid)).map(|x| &x.1[..]);
        // Its parts of the indexes that were named.
        let mut own = Vec::new();
        for a in arbiters.iter().flat_map(|a| a.indexes) {
            own.extend(rt.env.catalog().index_part(&t, *a));
        }
        let arbiters = arbiters.map(|a| Arbiters { indexes: &own, ..a });
        buf.routed = true;
        let done = self.insert_into(&t, places, row, (conflict, arbiters), rt, checks, buf);
        buf.routed = false;
        done.map_err(|e| route::shown_as(e, &spec.table, &t, row, rt.env))
    }
    /// Inserts a row into a table, or does what ON CONFLICT says. `places`: of the named table's columns, where it is another one.
    #[allow(clippy::too_many_arguments)] // As `update_row`.
    fn insert_into(
        &mut self,
        t: &Arc<Table>,
        places: Option<&[usize]>,
        row: &mut [Datum],
        (conflict, arbiters): (Option<&ConflictSpec>, Option<Arbiters>),
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<bool> {
        self.guard_new(t, places, row, &self.spec.clone().guards, rt)?;
        loop {
            match insert_row(t, row, arbiters, &mut rt.wx(), checks, buf)? {
                Inserted::Done => return self.returning_at(t, places, row, (&buf.key, false), rt).map(|()| true),
                Inserted::Conflict { row_key } => {
                    let Some(c) = conflict else { return Ok(false) };
                    // None: the row in the way has gone meanwhile.
                    if let Some(updated) = self.on_conflict((t, places), c, row, &row_key, rt, checks, buf)? {
                        return Ok(updated);
                    }
                }
            }
        }
    }
    /// ON CONFLICT: Some(updated?), or None when the conflicting row is gone.
    #[allow(clippy::too_many_arguments)] // As `update_row`.
    fn on_conflict(
        &mut self,
        (t, places): (&Arc<Table>, Option<&[usize]>),
        c: &ConflictSpec,
        proposed: &[Datum],
        key: &[u8],
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<Option<bool>> {
        let at = |c: &usize| aim::place(places, *c);
        let Some(u) = &c.update else {
            if rt.txn.isolation() == Isolation::RepeatableRead {
                let latest = rt.txn.get_latest(t.tree(), key, &mut buf.found)?;
                if !latest.own && latest.ts > rt.snapshot.ts() {
                    // What keeps it from inserting is a row that it cannot see.
                    return Err(serialization_failure(false));
                }
            }
            return Ok(Some(false));
        };
        let changed: Vec<usize> = u.set.iter().map(|s| at(&s.0)).collect();
        let mode = update_lock(t, changed.iter().copied());
        rt.txn.lock_row(t.tree(), key, mode, WaitPolicy::Block)?;
        let mut bytes = Vec::new();
        let latest = rt.txn.get_latest(t.tree(), key, &mut bytes)?;
        if !latest.exists {
            return Ok(None);
        }
        if latest.own && latest.statement >= rt.snapshot.statement() {
            return Err(err!(CARDINALITY_VIOLATION, "ON CONFLICT DO UPDATE command cannot affect row a second time").hint(
                "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.",
            ));
        }
        if !latest.own && latest.ts > rt.snapshot.ts() && rt.txn.isolation() == Isolation::RepeatableRead {
            return Err(serialization_failure(false));
        }
        let seen = Seen::new(latest, rt.env);
        let mut old = Vec::new();
        access::decode_row(t, &bytes, &mut old)?;
        let mapped = |cols: &[(usize, u32)]| -> Vec<(usize, u32)> { cols.iter().map(|(c, s)| (at(c), *s)).collect() };
        load_cols(&old, &mapped(&u.old_cols), rt);
        load_cols(proposed, &mapped(&u.excluded), rt);
        // Policies first: a view's condition may tell of a row that they hide.
        guard::hold(&u.guards.old, rt)?;
        for (view, cond) in &u.shown {
            if expr::eval_bool(cond, rt)? != Some(true) {
                bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "conflicting row is not visible through view \"{view}\"");
            }
        }
        if let Some(cond) = &u.cond
            && expr::eval_bool(cond, rt)? != Some(true)
        {
            return Ok(Some(false));
        }
        let mut new = old.clone();
        rt.st.set_row += 1;
        aim::assign(&mut new, &u.set, places, rt)?;
        let rows = (&old[..], &mut new[..]);
        match self.update_guarded((t, places), key, seen, rows, &changed, &u.guards.new, rt, checks, buf)? {
            Updated::Done => {}
            Updated::Refused => return Ok(Some(false)),
            Updated::Elsewhere if places.is_none() => return Err(route::violates(t, &new, &rt.wx())),
            Updated::Elsewhere => {
                let e = err!(FEATURE_NOT_SUPPORTED, "invalid ON UPDATE specification");
                return Err(e.detail("The result tuple would appear in a different partition than the original tuple."));
            }
        }
        self.mine.add(t, &buf.key, rt)?;
        self.returning_at(t, places, &new, (&buf.key, true), rt)?;
        Ok(Some(true))
    }
    /// Has a view's triggers do what UPDATE (`set`) or DELETE asks for.
    fn instead_all(&mut self, old_cols: &[(usize, u32)], set: Option<&[(usize, Px)]>, rt: &mut Rt) -> Result<u64> {
        let t = self.spec.table.clone();
        let mut n = 0;
        while self.input.next(rt)? {
            rt.tick()?;
            let mut old = vec![Datum::Null; t.columns.len()];
            for (c, s) in old_cols {
                if let Some(d) = old.get_mut(*c) {
                    *d = rt.get(*s).clone();
                }
            }
            let done = match set {
                Some(set) => {
                    let mut new = old.clone();
                    rt.st.set_row += 1;
                    assign(&mut new, set, rt)?;
                    let wx = &mut rt.wx();
                    let done = trigger::instead_of_row(&t, Event::Update, Some(&old), Some(&mut new), wx)?;
                    if done {
                        self.returning(&new, &[], false, rt)?;
                    }
                    done
                }
                None => {
                    let done = trigger::instead_of_row(&t, Event::Delete, Some(&old), None, &mut rt.wx())?;
                    if done {
                        self.returning(&old, &[], true, rt)?;
                    }
                    done
                }
            };
            n += u64::from(done);
        }
        Ok(n)
    }
    /// Moves a changed row to the partition that takes it; false: a trigger would not have it.
    #[allow(clippy::too_many_arguments)] // As `update_row`.
    fn leave(
        &mut self,
        from: &Arc<Table>,
        key: &[u8],
        seen: Option<Seen>,
        moved: (&[Datum], &[Datum]),
        guards: &[(String, Px)],
        rt: &mut Rt,
        checks: &mut Checks,
        buf: &mut WriteBuf,
    ) -> Result<bool> {
        let spec = self.spec.clone();
        let places_in = |t: Oid| spec.members.as_ref().and_then(|m| m.get(t)).map(|x| &x.1[..]);
        // Where no trigger changes it any more it is asked before keys are.
        let fires = spec.members.iter().any(|m| m.each().any(|t| t.triggers.is_some()));
        if !fires {
            self.guard_new(from, places_in(from.oid), &mut moved.1.to_vec(), guards, rt)?;
        }
        let Some((t, mut row)) = route::leave(&spec.table, from, key, seen, moved, &mut rt.wx(), checks, buf)? else {
            return Ok(false);
        };
        let places = places_in(t.oid);
        if fires {
            self.guard_new(&t, places, &mut row, guards, rt)?;
        }
        self.mine.add(&t, &buf.key, rt)?;
        self.returning_at(&t, places, &row, (&buf.key, false), rt)?;
        Ok(true)
    }
    fn change_all(&mut self, rt: &mut Rt, checks: &mut Checks) -> Result<u64> {
        let spec = self.spec.clone();
        let t = &spec.table;
        let (key_slot, old_cols, recheck, set) = match &spec.op {
            ModifyKind::Update { key, old_cols, set, recheck } => (*key, old_cols, recheck, Some(set)),
            ModifyKind::Delete { key, old_cols, recheck } => (*key, old_cols, recheck, None),
            ModifyKind::Insert { .. } | ModifyKind::Merge { .. } => return Ok(0),
        };
        if t.view.is_some() {
            return self.instead_all(old_cols, set.map(|s| &s[..]), rt);
        }
        let mut aims = Aims::new(&spec, &mut rt.wx())?;
        let mut bytes = Vec::new();
        let mut old: Vec<Datum> = Vec::new();
        let mut buf = WriteBuf::default();
        let mut n = 0;
        let mode = aims.own().mode;
        let far = rt.txn.far() && t.triggers.is_none() && spec.members.is_none();
        let targets = [(key_slot, t.tree())];
        self.gather.clear();
        let new_keys = if far && spec.guards.is_empty() { set.filter(|s| sets_keys(t, s)) } else { None };
        while if far { self.gather.next(&mut *self.input, &targets, mode, rt)? } else { self.input.next(rt)? } {
            rt.tick()?;
            if let Some(set) = new_keys.filter(|_| self.gather.begins()) {
                gather::claim_new(t, &mut self.gather, key_slot, set, rt)?;
            }
            let Datum::Bytea(mut key) = rt.get(key_slot).clone() else { continue };
            let aim = aims.of_row(&spec, rt)?;
            let (t, mode, old_cols) = (aim.table, aim.mode, &*aim.old_cols);
            rt.txn.lock_row(t.tree(), &key, mode, WaitPolicy::Block)?;
            let found = newest_target(t, &mut key, mode, WaitPolicy::Block, false, &rt.wx(), &mut bytes)?;
            // The newer version takes its place in the slots until it is changed: a join below goes on with the row that it left there.
            let mut replaced = None;
            let Some((target, latest)) = found else { continue };
            let seen = Seen::new(latest, rt.env);
            match target {
                Target::Skip if self.mine.is_not(t, &key, &latest, rt) => {
                    // Whoever has triggers to ask locks the row first, as an UPDATE does.
                    let asks = |g: &Triggers| g.any(Timing::Before, true, Event::Delete);
                    let deletes = set.is_none() && !t.triggers.as_deref().is_some_and(asks);
                    return Err(trigger::changed_meanwhile(if deletes { "deleted" } else { "updated" }));
                }
                Target::Skip | Target::Moved => continue,
                Target::Same => match &aim.some {
                    Some(cols) => access::decode_cols(t, &bytes, cols, &mut old)?,
                    None => access::decode_row(t, &bytes, &mut old)?,
                },
                Target::Newer => {
                    access::decode_row(t, &bytes, &mut old)?;
                    let seen = save_cols(old_cols, rt);
                    load_cols(&old, old_cols, rt);
                    if !holds_again(recheck.as_ref(), key_slot, rt)? {
                        restore_cols(seen, old_cols, rt);
                        continue;
                    }
                    replaced = Some(seen);
                }
            }
            let done = match set {
                Some(set) => {
                    let mut new = old.clone();
                    rt.st.set_row += 1;
                    aim.assign(&mut new, set, rt)?;
                    let rows = (&old[..], &mut new[..]);
                    let (at, guards) = ((t, aim.places), &spec.guards[..]);
                    match self
                        .update_guarded(at, &key, seen, rows, &aim.changed, guards, rt, checks, &mut buf)
                        .map_err(|e| aim.shown_as(e, &spec, &new, rt.env))?
                    {
                        Updated::Refused => false,
                        Updated::Done => {
                            self.mine.add(t, &buf.key, rt)?;
                            self.returning_of(t, &aim.row_cols, &new, (&buf.key, false), rt)?;
                            true
                        }
                        Updated::Elsewhere => {
                            let moved = (&old[..], &new[..]);
                            self.leave(t, &key, Some(seen), moved, &spec.guards, rt, checks, &mut buf)?
                        }
                    }
                }
                None => {
                    let done = trigger::delete(t, &key, Some(seen), &old, &mut rt.wx(), checks, &mut buf)?;
                    if done {
                        self.returning_of(t, &aim.row_cols, &old, (&key, true), rt)?;
                    }
                    done
                }
            };
            self.mine.add(t, &key, rt)?;
            if let Some(seen) = replaced {
                restore_cols(seen, old_cols, rt);
            }
            n += u64::from(done);
        }
        Ok(n)
    }
}
impl Op for ModifyOp {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        if !self.spec.op.changes_nothing() {
            may_write(rt.txn, &self.spec.table, command(&self.spec.op))?;
        }
        self.returned.clear();
        self.reader.rewind();
        self.mine.clear();
        let spec = self.spec.clone();
        if spec.table.triggers.is_some() {
            let mut checks = std::mem::take(&mut rt.st.checks);
            let begun = rt.begin_triggers(&spec.table, &spec.op, &mut checks);
            rt.st.checks = checks;
            begun?;
        }
        self.input.open(rt)?;
        let mut checks = std::mem::take(&mut rt.st.checks);
        let named = spec.members.is_some().then(|| spec.table.clone());
        let before = checks.changes_of(named);
        let n = match self.spec.op {
            ModifyKind::Insert { .. } => {
                let n = self.insert_all(rt, &mut checks);
                rt.env.nextval_ahead(0, false, 0);
                n?
            }
            ModifyKind::Update { .. } | ModifyKind::Delete { .. } => self.change_all(rt, &mut checks)?,
            ModifyKind::Merge { .. } => self.merge_all(rt, &mut checks)?,
        };
        checks.changes_of(before);
        rt.end_triggers(&spec.table, &spec.op, &mut checks);
        rt.st.checks = checks;
        rt.st.affected = if self.spec.uncounted { 0 } else { n };
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        self.reader.load(&self.returned, &self.spec.ret_slots, rt)
    }
}
