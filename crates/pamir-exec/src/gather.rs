//! Rows taken together where calls are dear: a far transaction is told ahead which keys the rows of a batch will lock.
//!
//! ```text
//!   UPDATE, DELETE, FOR UPDATE:  input -> Gather: up to BATCH_KEYS rows kept -> claim_ahead(their keys) -> the rows, one by one
//!   INSERT, COPY:                rows made -> Rows: up to BATCH_KEYS of them -> claim_ahead(their unique keys) -> insert_row, one by one
//! ```
//! What follows goes row by row as it always does, and finds its answers in memory. Here, where data is local, a batch is one row and nothing is claimed ahead.
//!
//! Invariants: a batch is read whole before its first row is changed, which a statement cannot tell, since it does not see what it writes. The last row of a batch is
//! the one that the input left in its slots, so the input reads on as it must. An expression that fails for a row ends its batch's keys there: the row itself will say so, in its
//! turn. So does an input that ends with an error.
//!
//! Limits: [`BATCH_KEYS`] keys and about [`BATCH_BYTES`] bytes a batch. Functions with side effects that are called for each row on both sides of a batch (nextval in the
//! input and in SET) run batch by batch.
use super::dml::{Wx, generate};
use super::rows::datum_size;
use super::store::{Reader, RowStore};
use super::{Op, Rt};
use pamir_catalog::Table;
use pamir_expr::access;
use pamir_expr::plan::node::{Kind, PNode};
use pamir_storage::store::TreeId;
use pamir_txn::face::{BATCH_BYTES, BATCH_KEYS};
use pamir_txn::{Keys, RowLock, Until};
use pamir_types::{Datum, Error, Result};

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
        self.clear();
        let mut keys = Keys::default();
        while !keys.is_full() && self.rows.len() < BATCH_KEYS {
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
            for (slot, tree) in targets {
                if let Datum::Bytea(key) = rt.get(*slot) {
                    keys.push(*tree, key, &[]);
                }
            }
        }
        rt.txn.claim_ahead(&keys, mode, Until::End)?;
        self.reader.load(&self.rows, &self.slots, rt)
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
    /// The rows that were added since the last time, to be written now.
    pub fn claim(&mut self, t: &Table, wx: &mut Wx) -> Result<&mut [Vec<Datum>]> {
        if std::mem::replace(&mut self.done, true) {
            self.made = 0;
        }
        let rows = &mut self.rows[..self.made];
        if wx.txn.far() && self.most > 1 {
            claim(t, rows, wx)?;
        }
        Ok(rows)
    }
}
/// Claims the unique keys of rows that will be inserted, up to the first that is taken.
pub(super) fn claim(t: &Table, rows: &mut [Vec<Datum>], wx: &mut Wx) -> Result<()> {
    let b = access::layout(t);
    if b.pk.is_none() && rows.len() > 1 {
        wx.txn.ids_ahead(t.tree, rows.len())?;
    }
    let generated = t.columns.iter().any(|c| c.generated.is_some() && !c.dropped);
    let (mut keys, mut key, mut entry, mut value) = (Keys::default(), Vec::new(), Vec::new(), Vec::new());
    'rows: for row in rows {
        if generated && generate(t, row, wx).is_err() {
            break;
        }
        key.clear();
        if b.pk.is_some() {
            if access::row_key(t, row, 0, &mut key).is_err() {
                break;
            }
            keys.push(t.tree(), &key, &[]);
        }
        for (i, ix) in t.indexes.iter().enumerate().filter(|(i, ix)| ix.unique && Some(*i) != b.pk) {
            match access::index_entry_at(t, i, row, &key, wx.env, &mut entry, &mut value) {
                Ok(Some(true)) => keys.push(TreeId(ix.tree), &entry, &[]),
                Ok(_) => {}
                Err(_) => break 'rows,
            }
        }
    }
    // One key is claimed as well when its turn comes.
    if keys.len() > 1 { wx.txn.claim_ahead(&keys, RowLock::Update, Until::Taken) } else { Ok(()) }
}
