//! Rows taken together where calls are dear: a far transaction is told ahead which keys the rows of a batch will lock or read.
//!
//! ```text
//!   UPDATE, DELETE, FOR UPDATE:  input -> Gather: up to BATCH_KEYS rows kept -> claim_ahead(their keys) -> the rows, one by one
//!                                ... of unique columns: -> claim_ahead(the keys that the rows will have)
//!   INSERT, COPY:                rows made -> values of sequences for all of them -> Rows: up to BATCH_KEYS -> claim_ahead(their unique keys) -> insert_row, one by one
//!   ... ON CONFLICT:             ... -> read_ahead(arbiters' keys), where it matters what is there -> claim_each_ahead(what they will meet) -> ...
//!   nested loop (join.rs):       left rows -> Gather -> read_ahead or ranges_ahead(what the right side will read of each) -> the rows, one by one
//! ```
//! What follows goes row by row as it always does, and finds its answers in memory. Here, where data is local, a batch is one row and nothing is claimed ahead.
//!
//! Invariants: a batch is read whole before its first row is changed, which a statement cannot tell, since it does not see what it writes. The last row of a batch is
//! the one that the input left in its slots, so the input reads on as it must. An expression that fails for a row ends its batch's keys there: the row itself will say so, in its
//! turn. So does an input that ends with an error.
//!
//! Limits: [`BATCH_KEYS`] keys and about [`BATCH_BYTES`] bytes a batch. Functions with side effects that are called for each row on both sides of a batch (nextval in the
//! input and in SET) run batch by batch.
use super::dml::{Arbiters, Wx, assign, generate};
use super::rows::datum_size;
use super::store::{Reader, RowStore};
use super::{Op, Rt};
use pamir_catalog::Table;
use pamir_expr::access;
use pamir_expr::expr::Px;
use pamir_expr::func::Volatility;
use pamir_expr::plan::node::{Kind, PNode};
use pamir_storage::store::TreeId;
use pamir_txn::face::{BATCH_BYTES, BATCH_KEYS};
use pamir_txn::{Isolation, Keys, RowLock, Until, Want, Wants};
use pamir_types::{Datum, Error, Oid, Result};
use rustc_hash::FxHashSet;

/// Rows of an input that are kept until they are handed on.
pub(super) struct Gather {
    slots: Vec<u32>,
    rows: RowStore,
    reader: Reader,
    /// What ended the input: for after the rows that came before.
    late: Option<Error>,
}
impl Gather {
    pub fn new(slots: Vec<u32>) -> Gather {
        Gather { rows: RowStore::new(slots.len()), slots, reader: Reader::default(), late: None }
    }
    pub fn clear(&mut self) {
        self.late = None;
        self.rows.clear();
        self.reader.rewind();
    }
    /// The input's next row, in its slots. `targets`: slots of row keys, and their trees.
    pub fn next(&mut self, input: &mut dyn Op, targets: &[(u32, TreeId)], mode: RowLock, rt: &mut Rt) -> Result<bool> {
        if self.reader.load(&self.rows, &self.slots, rt)? {
            return Ok(true);
        }
        if let Some(e) = self.late.take() {
            return Err(e);
        }
        let mut keys = Keys::default();
        self.fill(input, BATCH_KEYS, rt, &mut |rt| {
            for (slot, tree) in targets {
                if let Datum::Bytea(key) = rt.get(*slot) {
                    keys.push(*tree, key, &[]);
                }
            }
            !keys.is_full()
        })?;
        rt.txn.claim_ahead(&keys, mode, Until::End)?;
        self.reader.load(&self.rows, &self.slots, rt)
    }
    /// The next row of a batch of up to `most`, in its slots; None: a new batch is to be filled.
    pub fn kept(&mut self, rt: &mut Rt) -> Result<Option<bool>> {
        if self.reader.load(&self.rows, &self.slots, rt)? {
            return Ok(Some(true));
        }
        self.late.take().map_or(Ok(None), Err)
    }
    /// Reads a batch of up to `most` rows, each shown to `each` while it is in its slots, up to the one for which it says false; how many.
    pub fn fill(
        &mut self,
        input: &mut dyn Op,
        most: usize,
        rt: &mut Rt,
        each: &mut dyn FnMut(&mut Rt) -> bool,
    ) -> Result<usize> {
        self.clear();
        while self.rows.len() < most {
            match input.next(rt) {
                Ok(true) => {}
                Ok(false) => break,
                Err(e) if self.rows.is_empty() => return Err(e),
                Err(e) => {
                    self.late = Some(e);
                    break;
                }
            }
            rt.tick()?;
            self.rows.push_slots(&self.slots, rt)?;
            if !each(rt) {
                break;
            }
        }
        Ok(self.rows.len())
    }
    /// Is the row in the slots its batch's first?
    pub fn begins(&self) -> bool {
        self.reader.at() == 1
    }
    /// Shows all rows of the batch, each in its slots; the first one is in them again afterwards.
    pub fn each(&mut self, rt: &mut Rt, f: &mut dyn FnMut(&mut Rt) -> Result<bool>) -> Result<()> {
        let mut reader = Reader::default();
        while reader.load(&self.rows, &self.slots, rt)? && f(rt)? {}
        self.reader.rewind();
        self.reader.load(&self.rows, &self.slots, rt).map(|_| ())
    }
}
/// Claims the unique keys that an UPDATE's rows, which are locked, will have: up to the first that is taken, and those that rows of the batch leave.
pub(super) fn claim_new(t: &Table, rows: &mut Gather, key: u32, set: &[(usize, Px)], rt: &mut Rt) -> Result<()> {
    let (mut new, mut left, mut met) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    rows.each(rt, &mut |rt| {
        let Datum::Bytea(key) = rt.get(key).clone() else { return Ok(true) };
        // A row is changed once.
        Ok(!met.insert(key.clone()) || keys_of_update(t, &key, set, rt, &mut new, &mut left).unwrap_or(false))
    })?;
    let (mut free, mut passed) = (Keys::default(), Keys::default());
    for k in &new {
        if left.contains(k) { passed.push(k.0, &k.1, &[]) } else { free.push(k.0, &k.1, &[]) }
    }
    // One key is claimed as well when its turn comes.
    if free.len() + passed.len() <= 1 {
        return Ok(());
    }
    rt.txn.claim_ahead(&free, RowLock::Update, Until::Taken)?;
    rt.txn.claim_ahead(&passed, RowLock::Update, Until::End)
}
type TreeKey = (TreeId, Vec<u8>);
/// The keys that a row in its slots will have, and those that it will leave; false: nothing more is to be said.
fn keys_of_update(
    t: &Table,
    key: &[u8],
    set: &[(usize, Px)],
    rt: &mut Rt,
    new: &mut Vec<TreeKey>,
    left: &mut FxHashSet<TreeKey>,
) -> Result<bool> {
    let (mut bytes, mut old) = (Vec::new(), Vec::new());
    let latest = rt.txn.get_latest(t.tree(), key, &mut bytes)?;
    // What has changed meanwhile is looked at when its turn comes.
    if !latest.exists || latest.own && latest.statement >= rt.snapshot.statement() || latest.ts > rt.snapshot.ts() {
        return Ok(true);
    }
    access::decode_row(t, &bytes, &mut old)?;
    let mut row = old.clone();
    assign(&mut row, set, rt)?;
    let mut wx = rt.wx();
    generate(t, &mut row, &mut wx)?;
    let b = access::layout(t);
    let mut row_key = key.to_vec();
    if b.pk.is_some() {
        row_key.clear();
        access::row_key(t, &row, 0, &mut row_key)?;
        if row_key != key {
            new.push((t.tree(), row_key.clone()));
            left.insert((t.tree(), key.to_vec()));
        }
    }
    let (mut was, mut is, mut value) = (Vec::new(), Vec::new(), Vec::new());
    for (i, ix) in t.indexes.iter().enumerate().filter(|(i, ix)| ix.unique && Some(*i) != b.pk) {
        let had = access::index_entry_at(t, i, &old, key, wx.env, &mut was, &mut value)?;
        let has = access::index_entry_at(t, i, &row, &row_key, wx.env, &mut is, &mut value)?;
        if had.is_some() && has.is_some() && was == is {
            continue;
        }
        if has == Some(true) {
            new.push((TreeId(ix.tree), is.clone()));
        }
        if had.is_some() {
            left.insert((TreeId(ix.tree), was.clone()));
        }
    }
    Ok(new.len() < BATCH_KEYS)
}
/// Does each opening of a nested loop's right side read a table by keys, first of all?
pub(super) fn reads_keys(right: &PNode) -> bool {
    match &right.kind {
        Kind::Scan(s) => s.index.is_some() && s.union.is_empty() && s.places.is_none() && !s.bounds.parts.is_empty(),
        Kind::Filter { input, .. } | Kind::Compute { input, .. } => reads_keys(input),
        Kind::NestLoop { left, .. } => reads_keys(left),
        _ => false,
    }
}
/// May more rows be read than are asked for in the end, and nobody notices?
pub(super) fn is_still(n: &PNode) -> bool {
    match &n.kind {
        Kind::Scan(_) | Kind::One | Kind::Empty | Kind::CteScan { .. } | Kind::WorkTable { .. } => true,
        Kind::Values(s) => s.rows.iter().flatten().all(Px::is_plain),
        Kind::Function(s) => s.f.volatility != Volatility::Volatile && s.args.iter().all(Px::is_plain),
        Kind::Filter { input, .. } | Kind::Materialize { input } | Kind::Sort { input, .. } => is_still(input),
        Kind::Compute { input, exprs } => exprs.iter().all(|e| e.0.is_plain()) && is_still(input),
        Kind::NestLoop { left, right, .. } | Kind::HashJoin { left, right, .. } => is_still(left) && is_still(right),
        _ => false,
    }
}
/// The nested loops whose rows are all asked for, if all rows of `n` are or not.
pub(super) fn whole_loops(n: &PNode, all: bool, out: &mut Vec<usize>) {
    match &n.kind {
        Kind::NestLoop { left, .. } => {
            if all {
                out.push(n.id);
            }
            whole_loops(left, all, out);
        }
        Kind::HashJoin { left, right, .. } | Kind::SetOp { left, right, .. } => {
            whole_loops(left, all, out);
            whole_loops(right, all, out);
        }
        Kind::Append { arms, .. } => arms.iter().for_each(|a| whole_loops(a, all, out)),
        Kind::Limit { input, .. } => whole_loops(input, false, out),
        Kind::Modify { input, .. } => whole_loops(input, true, out),
        Kind::Sort { input, presorted, limit, .. } => {
            whole_loops(input, all && limit.is_none() || *presorted == 0, out)
        }
        Kind::Agg { input, spec } => whole_loops(input, all || spec.groups.is_empty() || !spec.sorted, out),
        Kind::Filter { input, .. }
        | Kind::Compute { input, .. }
        | Kind::ProjectSet { input, .. }
        | Kind::Ordered { input, .. }
        | Kind::Window { input, .. }
        | Kind::Distinct { input, .. }
        | Kind::LockRows { input, .. }
        | Kind::With { input, .. } => whole_loops(input, all, out),
        _ => {}
    }
}
/// The operator that locks rows, if whoever reads the root's rows to their end reads its rows to their end.
pub(super) fn locks_all(n: &PNode) -> Option<usize> {
    match &n.kind {
        Kind::LockRows { .. } => Some(n.id),
        Kind::Compute { input, .. } | Kind::Filter { input, .. } => locks_all(input),
        _ => None,
    }
}

/// Rows of a table that wait to be inserted.
pub(super) struct Rows {
    rows: Vec<Vec<Datum>>,
    made: usize,
    most: usize,
    width: usize,
    /// Claimed: no row is to be added before they are written.
    done: bool,
}
impl Rows {
    /// `far`: more than one is worth it.
    pub fn new(t: &Table, far: bool) -> Rows {
        let keys = t.indexes.iter().filter(|i| i.unique).count().max(1);
        let most = if far { (BATCH_KEYS / keys).max(1) } else { 1 };
        Rows { rows: Vec::new(), made: 0, most, width: t.columns.len(), done: false }
    }
    /// Adds a row, NULL before it is made; not if that fails or says that it is none.
    #[inline]
    pub fn add_with(&mut self, make: impl FnOnce(&mut Vec<Datum>) -> Result<bool>) -> Result<bool> {
        let made = make(self.add());
        if !matches!(made, Ok(true)) {
            self.take_back();
        }
        made
    }
    /// A new row, all NULL.
    pub fn add(&mut self) -> &mut Vec<Datum> {
        if std::mem::take(&mut self.done) {
            self.made = 0;
        }
        if self.made == self.rows.len() {
            self.rows.push(Vec::with_capacity(self.width));
        }
        self.made += 1;
        let row = &mut self.rows[self.made - 1];
        row.clear();
        row.resize(self.width, Datum::Null);
        row
    }
    /// Forgets the row that was added last.
    pub fn take_back(&mut self) {
        self.made -= 1;
    }
    pub fn is_full(&self) -> bool {
        !self.done && (self.made >= self.most || self.most > 1 && self.large())
    }
    fn large(&self) -> bool {
        // Rows of one table are alike: the last one stands for them all.
        let last = self.made.checked_sub(1).and_then(|i| self.rows.get(i));
        last.is_some_and(|r| r.iter().map(datum_size).sum::<usize>().saturating_mul(self.made) > BATCH_BYTES)
    }
    /// Completes the rows that wait, in their order, up to the first where that fails: neither it nor those after it are any then.
    pub fn complete(&mut self, mut f: impl FnMut(&mut Vec<Datum>) -> Result<()>) -> Result<()> {
        for i in 0..self.waiting() {
            if let Err(e) = f(&mut self.rows[i]) {
                self.made = i;
                return Err(e);
            }
        }
        Ok(())
    }
    /// Rows that wait to be written.
    pub fn waiting(&self) -> usize {
        if self.done { 0 } else { self.made }
    }
    fn take(&mut self) -> &mut [Vec<Datum>] {
        if std::mem::replace(&mut self.done, true) {
            self.made = 0;
        }
        &mut self.rows[..self.made]
    }
    /// The rows that were added since the last time, to be written now.
    pub fn claim(&mut self, t: &Table, wx: &mut Wx) -> Result<&mut [Vec<Datum>]> {
        let many = self.most > 1;
        let rows = self.take();
        if wx.txn.far() && many {
            claim(t, rows, wx)?;
        }
        Ok(rows)
    }
    /// The same where rows may meet others. `then`: how a row that is in the way is locked.
    pub fn meet(
        &mut self,
        t: &Table,
        arbiters: Arbiters,
        then: Option<RowLock>,
        wx: &mut Wx,
    ) -> Result<&mut [Vec<Datum>]> {
        let many = self.most > 1;
        let rows = self.take();
        if wx.txn.far() && many {
            meet(t, rows, arbiters, then, wx)?;
        }
        Ok(rows)
    }
}
/// The sequences that some expressions draw from.
pub(super) fn sequences<'a>(exprs: impl Iterator<Item = &'a Px>) -> Vec<(Oid, bool)> {
    exprs.filter_map(Px::sequence).collect()
}
/// Defaults of rows that wait, whose number is known now.
pub(super) fn draw(rows: &mut Rows, from: &[(Oid, bool)], defaults: &[(usize, Px)], rt: &mut Rt) -> Result<()> {
    let n = rows.waiting();
    if n > 1 {
        from.iter().for_each(|(seq, checked)| rt.env.nextval_ahead(*seq, *checked, n));
    }
    let r = rows.complete(|row| assign(row, defaults, rt));
    rt.env.nextval_ahead(0, false, 0);
    r
}
/// A unique key of a row that will be inserted.
struct NewKey {
    row: usize,
    index: usize,
    tree: TreeId,
    key: Vec<u8>,
}
/// Unique keys of rows in the order in which they are looked at, up to what cannot be computed.
fn new_keys(t: &Table, rows: &mut [Vec<Datum>], wx: &mut Wx) -> Vec<NewKey> {
    let b = access::layout(t);
    let generated = t.columns.iter().any(|c| c.generated.is_some() && !c.dropped);
    let (mut keys, mut key, mut entry, mut value) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (r, row) in rows.iter_mut().enumerate() {
        if generated && generate(t, row, wx).is_err() {
            return keys;
        }
        key.clear();
        if let Some(p) = b.pk {
            if access::row_key(t, row, 0, &mut key).is_err() {
                return keys;
            }
            keys.push(NewKey { row: r, index: p, tree: t.tree(), key: key.clone() });
        }
        for (i, ix) in t.indexes.iter().enumerate().filter(|(i, ix)| ix.unique && Some(*i) != b.pk) {
            match access::index_entry_at(t, i, row, &key, wx.env, &mut entry, &mut value) {
                Ok(Some(true)) => keys.push(NewKey { row: r, index: i, tree: TreeId(ix.tree), key: entry.clone() }),
                Ok(_) => {}
                Err(_) => return keys,
            }
        }
    }
    keys
}
/// Claims what rows will meet, in the order in which they will. Where a row that is in the way decides what else is looked at, the snapshot says which are: what it does not see
/// is found by the row itself.
fn meet(t: &Table, rows: &mut [Vec<Datum>], arbiters: Arbiters, then: Option<RowLock>, wx: &mut Wx) -> Result<()> {
    let b = access::layout(t);
    if b.pk.is_none() && rows.len() > 1 {
        wx.txn.ids_ahead(t.tree, rows.len())?;
    }
    let new = new_keys(t, rows, wx);
    let names = |k: &NewKey| arbiters.names(&t.indexes[k.index]);
    let looks = t.indexes.iter().filter(|i| i.unique).count() > 1 || b.pk.is_none() && then.is_some();
    if looks {
        // Reads that lock are made one by one.
        if wx.txn.isolation() == Isolation::Serializable {
            return Ok(());
        }
        let mut keys = Keys::default();
        new.iter().filter(|k| names(k)).for_each(|k| keys.push(k.tree, &k.key, &[]));
        wx.txn.read_ahead(wx.snapshot, &keys)?;
    }
    let (mut wants, mut found, mut ended) = (Wants::default(), Vec::new(), None);
    for k in &new {
        if ended == Some(k.row) {
            continue;
        }
        let arbiter = names(k);
        let lock = if arbiter && arbiters.keeps_keys { None } else { Some(RowLock::Update) };
        let clustered = Some(k.index) == b.pk;
        let there = arbiter && looks && wx.txn.get(wx.snapshot, k.tree, &k.key, &mut found)?;
        // Where only one key is looked at, what follows is the same whether it is there or not.
        wants.push((k.tree, Want { lock, there: looks.then_some(there) }), &k.key, &[]);
        if there || arbiter && !looks {
            ended = Some(k.row);
            let Some(mode) = then else { continue };
            let row_key =
                if clustered { &k.key } else { access::entry_row_key(t, &t.indexes[k.index], &k.key, &found)? };
            wants.push((t.tree(), Want::lock(mode)), row_key, &[]);
        }
    }
    // One key is claimed as well when its turn comes.
    if wants.len() > 1 { wx.txn.claim_each_ahead(&wants) } else { Ok(()) }
}
/// Claims the unique keys of rows that will be inserted, up to the first that is taken.
pub(super) fn claim(t: &Table, rows: &mut [Vec<Datum>], wx: &mut Wx) -> Result<()> {
    let b = access::layout(t);
    if b.pk.is_none() && rows.len() > 1 {
        wx.txn.ids_ahead(t.tree, rows.len())?;
    }
    let mut keys = Keys::default();
    new_keys(t, rows, wx).iter().for_each(|k| keys.push(k.tree, &k.key, &[]));
    // One key is claimed as well when its turn comes.
    if keys.len() > 1 { wx.txn.claim_ahead(&keys, RowLock::Update, Until::Taken) } else { Ok(()) }
}
