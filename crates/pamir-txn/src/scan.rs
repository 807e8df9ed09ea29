//! Range scans: the tree's entries as a snapshot sees them, merged with the transaction's own earlier writes.
//!
//! Without own writes in the range (decided when the scan starts) an entry is handed out straight from the cursor's leaf copy, and entries that nobody wrote after the
//! snapshot as runs, a leaf's at a time (`left`): what makes them visible is looked at once, after the copy. With own writes both
//! sides are peeked and copied. The set of own entries a snapshot sees is fixed, since they were written before it; only their places move, so the own
//! side finds its place again by the last key whenever the index changed.
//!
//! A scan of the newest committed state by a transaction that met commits on their way sees those over the tree (`handover.rs`): they are few, copied when the scan starts, and
//! merged like own writes.
//!
//! At SERIALIZABLE, and for constraint checks, the newest committed version counts whatever the snapshot; locks taken before make it stable.
use crate::applier::{VALUE_HEADER, is_kept, split_value};
use crate::core::Core;
use crate::handover::Entry;
use crate::large::{replaced, visible_below};
use crate::shard::Ts;
use crate::snapshot::Snapshot;
use crate::txn::LocalTxn;
use crate::version::Found;
use crate::write_set::{OwnScan, Range, WriteSet};
use pamir_error::{Error, Result, err, work};
use pamir_storage::store::{Cursor, Dir, TreeId};
use std::cmp::Ordering;

/// What a look at one entry costs.
const ENTRY: u32 = 50;
/// The same for one of a run.
const LOOK: u32 = 10;

/// Whether a snapshot sees a value of a tree as it stands there.
#[inline]
fn is_plain(value: &[u8], snap: Ts) -> bool {
    matches!(split_value(value), Ok((ts, false, _)) if ts <= snap)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Peek {
    Unknown,
    Entry,
    End,
}
struct Own {
    peek: Peek,
    scan: OwnScan,
}

/// Commits on their way, newest versions only.
struct Coming {
    /// In the scan's direction.
    entries: std::vec::IntoIter<(Box<[u8]>, Entry)>,
    peek: Option<(Box<[u8]>, Entry)>,
    /// The next entry of the tree, and whether it is known: Unknown, Entry, End.
    tree: Peek,
    key: Vec<u8>,
    value: Vec<u8>,
}

/// A range scan's state. Reusable buffers; entries are borrowed until the next call.
pub struct LocalScan {
    cursor: Option<Cursor>,
    tree: TreeId,
    lo: Vec<u8>,
    hi: Option<Vec<u8>>,
    dir: Dir,
    /// None: the newest committed versions.
    ts: Option<Ts>,
    /// Own writes of earlier statements are seen.
    statement: u32,
    own: Option<Box<Own>>,
    coming: Option<Box<Coming>>,
    page: Peek,
    page_key: Vec<u8>,
    page_value: Vec<u8>,
    old: Vec<u8>,
    coming_key: Vec<u8>,
    /// Entries that the cursor hands out as they are.
    left: usize,
    /// Keeps what we read from being forgotten.
    snapshot: Option<Snapshot>,
}

/// SAFETY: the caller must not let the result live longer than `s`'s memory stays unchanged.
unsafe fn detach<'a>(s: &[u8]) -> &'a [u8] {
    unsafe { std::slice::from_raw_parts(s.as_ptr(), s.len()) }
}

impl LocalScan {
    pub(crate) fn new(
        core: &Core,
        txn: &LocalTxn,
        snap: Option<&Snapshot>,
        tree: TreeId,
        lo: &[u8],
        hi: Option<&[u8]>,
        dir: Dir,
    ) -> Result<LocalScan> {
        let mut scan = LocalScan {
            cursor: None,
            tree,
            lo: Vec::new(),
            hi: None,
            dir,
            ts: None,
            statement: 0,
            own: None,
            coming: None,
            page: Peek::End,
            page_key: Vec::new(),
            page_value: Vec::new(),
            old: Vec::new(),
            coming_key: Vec::new(),
            left: 0,
            snapshot: snap.cloned(),
        };
        scan.begin(core, txn, snap, lo, hi)?;
        Ok(scan)
    }
    /// Goes on with another range of the same tree in the same direction, in the memory of the last: a list of values is many short ranges.
    pub(crate) fn again(
        &mut self,
        core: &Core,
        txn: &LocalTxn,
        snap: &Snapshot,
        lo: &[u8],
        hi: Option<&[u8]>,
    ) -> Result<()> {
        if !self.snapshot.as_ref().is_some_and(|s| s.same(snap)) {
            self.snapshot = Some(snap.clone());
        }
        self.begin(core, txn, Some(snap), lo, hi)
    }
    fn begin(
        &mut self,
        core: &Core,
        txn: &LocalTxn,
        snap: Option<&Snapshot>,
        lo: &[u8],
        hi: Option<&[u8]>,
    ) -> Result<()> {
        let (tree, dir) = (self.tree, self.dir);
        // Should anything below fail, there is nothing to be read.
        self.page = Peek::End;
        self.left = 0;
        let latest = snap.is_none() || txn.locks_reads();
        let (from, to) = match dir {
            Dir::Forward => (Some(lo), hi),
            Dir::Backward => (hi, Some(lo)),
        };
        let empty = hi.is_some_and(|h| h <= lo);
        // Before the tree is looked at: what is gone from the overlay is in the tree.
        let coming = if latest && txn.tied() && !empty { core.overlay.range(tree, lo, hi) } else { Vec::new() };
        self.coming = (!coming.is_empty()).then(|| {
            let mut entries = coming;
            entries.iter().for_each(|e| txn.owner.tie_to(&e.1.owner));
            if dir == Dir::Backward {
                entries.reverse();
            }
            let mut entries = entries.into_iter();
            let peek = entries.next();
            Box::new(Coming { entries, peek, tree: Peek::Unknown, key: Vec::new(), value: Vec::new() })
        });
        let some = !empty && !txn.has_created(tree);
        if some {
            match &mut self.cursor {
                Some(c) => c.seek(tree, from, to, dir)?,
                none => *none = Some(core.store.cursor_towards(tree, from, to, dir)?),
            }
        }
        self.ts = if latest { None } else { snap.map(|s| s.ts()) };
        self.statement = snap.map_or(u32::MAX, |s| s.statement());
        let range = Range { tree, lo, hi, dir, statement: self.statement };
        let own = if txn.wrote.get() && !empty { txn.writes.borrow_mut().scan(&range)? } else { None };
        self.own = own.map(|scan| Box::new(Own { peek: Peek::Unknown, scan }));
        self.lo.clear();
        self.lo.extend_from_slice(lo);
        match (&mut self.hi, hi) {
            (Some(mine), Some(hi)) => {
                mine.clear();
                mine.extend_from_slice(hi);
            }
            (mine, hi) => *mine = hi.map(<[u8]>::to_vec),
        }
        self.page = if some { Peek::Unknown } else { Peek::End };
        Ok(())
    }
    pub(crate) fn tree(&self) -> TreeId {
        self.tree
    }
    /// The next entry in the scan's direction.
    pub fn next(&mut self, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        if self.left > 0 {
            self.left -= 1;
            let Some(cursor) = &mut self.cursor else { return Ok(None) };
            let Some(value) = cursor.take() else { return Ok(None) };
            // SAFETY: it points into the cursor's private leaf copy, which making the key leaves alone; the return ends with the borrow of `self`.
            let value: &[u8] = unsafe { detach(value) };
            return Ok(Some((cursor.key(), value.get(VALUE_HEADER..).unwrap_or(&[]))));
        }
        self.step(txn)
    }
    /// The next entry's value, for those who do not ask for its key.
    #[inline]
    pub fn next_value(&mut self, txn: &LocalTxn) -> Result<Option<&[u8]>> {
        if self.left > 0 {
            self.left -= 1;
            let value = self.cursor.as_mut().and_then(Cursor::take);
            return Ok(value.map(|v| v.get(VALUE_HEADER..).unwrap_or(&[])));
        }
        Ok(self.step(txn)?.map(|(_, v)| v))
    }
    /// Passes over up to `max` entries; says over how many. It is less only at the end.
    pub fn pass(&mut self, max: u64, txn: &LocalTxn) -> Result<u64> {
        let mut n = 0;
        while n < max {
            if self.left > 0 {
                let some = usize::try_from(max - n).map_or(self.left, |m| m.min(self.left));
                let passed = self.cursor.as_mut().map_or(0, |c| c.pass(some));
                if passed == 0 {
                    return Err(Error::internal("a run of entries is shorter than it was"));
                }
                self.left -= passed;
                n += passed as u64;
            } else if self.step(txn)?.is_some() {
                n += 1;
            } else {
                break;
            }
        }
        Ok(n)
    }
    fn step(&mut self, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        if self.own.is_none() { self.next_committed(&txn.core, txn) } else { self.next_merged(&txn.core, txn) }
    }
    /// The next visible entry that is not our own.
    #[inline]
    fn next_committed(&mut self, core: &Core, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        if self.coming.is_none() { self.next_on_page(core, txn) } else { self.next_coming(core, txn) }
    }
    #[cold]
    fn next_coming(&mut self, core: &Core, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        let Some(mut c) = self.coming.take() else { return Ok(None) };
        loop {
            if c.tree == Peek::Unknown {
                c.tree = Peek::End;
                if let Some((k, v)) = self.next_on_page(core, txn)? {
                    c.key.clear();
                    c.key.extend_from_slice(k);
                    c.value.clear();
                    c.value.extend_from_slice(v);
                    c.tree = Peek::Entry;
                }
            }
            let order = match (&c.peek, c.tree) {
                (Some((k, _)), Peek::Entry) => match self.dir {
                    Dir::Forward => (**k).cmp(&c.key),
                    Dir::Backward => (*c.key).cmp(k),
                },
                (Some(_), _) => Ordering::Less,
                (None, Peek::Entry) => Ordering::Greater,
                (None, _) => {
                    self.coming = Some(c);
                    return Ok(None);
                }
            };
            if order == Ordering::Greater {
                c.tree = Peek::Unknown;
                let c = self.coming.insert(c);
                return Ok(Some((&c.key, &c.value)));
            }
            if order == Ordering::Equal {
                c.tree = Peek::Unknown;
            }
            let next = c.entries.next();
            if let Some((k, Entry { tombstone: false, value: v, .. })) = std::mem::replace(&mut c.peek, next) {
                // The tree's side may hold an entry that is still to come: these buffers are not its.
                (self.old, self.coming_key) = (v.into_vec(), k.into_vec());
                self.coming = Some(c);
                return Ok(Some((&self.coming_key, &self.old)));
            }
        }
    }

    /// The next visible entry of the tree.
    fn next_on_page(&mut self, core: &Core, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        if self.page == Peek::End {
            return Ok(None);
        }
        let alone = self.own.is_none() && self.coming.is_none();
        let Some(cursor) = &mut self.cursor else { return Ok(None) };
        if let (Some(snap), true) = (self.ts, alone) {
            let to = if self.dir == Dir::Forward { self.hi.as_deref() } else { Some(&*self.lo) };
            let n = cursor.look_ahead(to, |v| is_plain(v, snap));
            if n > 0 {
                // After the copy, as for a single entry.
                core.snapshots.check(snap)?;
                if work::spend((n as u32).saturating_mul(LOOK)) {
                    txn.cancel.check()?;
                    work::breathe()?;
                }
                self.left = n - 1;
                let Some(value) = cursor.take() else { return Ok(None) };
                // SAFETY: as below.
                let value: &[u8] = unsafe { detach(value) };
                return Ok(Some((cursor.key(), value.get(VALUE_HEADER..).unwrap_or(&[]))));
            }
        }
        loop {
            if work::spend(ENTRY) {
                txn.cancel.check()?;
                work::breathe()?;
            }
            let Some((key, value)) = cursor.next()? else { break };
            let beyond = match self.dir {
                Dir::Forward => self.hi.as_deref().is_some_and(|h| key >= h),
                Dir::Backward => key < &*self.lo,
            };
            if beyond {
                break;
            }
            let kept = is_kept(value);
            let (ts, tombstone, value) = split_value(value)?;
            // SAFETY: both point into the cursor's private leaf copy, which changes only when the cursor moves. The cursor moves in this loop only
            // before new slices are made, and after the return only through `&mut self`, which ends the borrow we return.
            let (key, value): (&[u8], &[u8]) = unsafe { (detach(key), detach(value)) };
            match self.ts {
                Some(snap) if ts > snap && kept => {
                    core.snapshots.check(snap)?;
                    return Ok(Some((key, value)));
                }
                Some(snap) if ts > snap => match core.versions.find(self.tree, key, ts, snap, &mut self.old) {
                    Found::Value => {
                        core.snapshots.check(snap)?;
                        return Ok(Some((key, &self.old)));
                    }
                    Found::Absent => continue,
                    Found::Gone(after) => {
                        if replaced(core, self.tree, key, after, snap, &mut self.old)? {
                            return Ok(Some((key, &self.old)));
                        }
                    }
                },
                snap => {
                    if kept && snap.is_none() && core.large.is_current(ts) {
                        return Ok(Some((key, value)));
                    }
                    if snap.is_none()
                        && core.large.is_current(ts)
                        && let Some((_, exists)) = visible_below(core, self.tree, key, ts, &mut self.old)?
                    {
                        if exists {
                            return Ok(Some((key, &self.old)));
                        }
                        continue;
                    }
                    if tombstone {
                        continue;
                    }
                    if let Some(snap) = snap {
                        core.snapshots.check(snap)?;
                    }
                    return Ok(Some((key, value)));
                }
            }
        }
        self.page = Peek::End;
        if let Some(snap) = self.ts {
            core.snapshots.check(snap)?;
            if core.is_younger(self.tree, snap) {
                // What the snapshot sees may never have been in it.
                return Err(lost_version(core, self.tree, snap));
            }
        }
        Ok(None)
    }

    fn next_merged(&mut self, core: &Core, txn: &LocalTxn) -> Result<Option<(&[u8], &[u8])>> {
        loop {
            if self.page == Peek::Unknown {
                let (mut k, mut v) = (std::mem::take(&mut self.page_key), std::mem::take(&mut self.page_value));
                k.clear();
                v.clear();
                let found = self.next_committed(core, txn)?.map(|(a, b)| {
                    k.extend_from_slice(a);
                    v.extend_from_slice(b);
                });
                (self.page_key, self.page_value) = (k, v);
                self.page = if found.is_some() { Peek::Entry } else { Peek::End };
            }
            let Some(mut own) = self.own.take() else { return Ok(None) };
            self.peek_own(&mut own, &txn.writes.borrow())?;
            let order = match (self.page, own.peek) {
                (Peek::Entry, Peek::Entry) => match self.dir {
                    Dir::Forward => own.scan.key.cmp(&self.page_key),
                    Dir::Backward => self.page_key.cmp(&own.scan.key),
                },
                (Peek::Entry, _) => Ordering::Greater,
                (_, Peek::Entry) => Ordering::Less,
                _ => {
                    self.own = Some(own);
                    return Ok(None);
                }
            };
            if order == Ordering::Greater {
                self.page = Peek::Unknown;
                self.own = Some(own);
                return Ok(Some((&self.page_key, &self.page_value)));
            }
            if order == Ordering::Equal {
                self.page = Peek::Unknown;
            }
            own.peek = Peek::Unknown;
            own.scan.done();
            let own = &self.own.insert(own).scan;
            if !own.tombstone {
                return Ok(Some((
                    // SAFETY: the borrow checker does not see that this borrow of `self.own` leaves the loop; it is tied to `&mut self` by the
                    // return type, and nothing touches the buffers after this line.
                    unsafe { detach(&own.key) },
                    unsafe { detach(&own.value) },
                )));
            }
        }
    }
    /// Fills the own side's next visible entry.
    fn peek_own(&self, own: &mut Own, w: &WriteSet) -> Result<()> {
        let (tree, dir, statement) = (self.tree, self.dir, self.statement);
        let range = Range { tree, lo: &self.lo, hi: self.hi.as_deref(), dir, statement };
        if own.scan.renew(w, &range)? && own.peek == Peek::Entry {
            // It may have moved or gone; look again from where we are.
            own.peek = Peek::Unknown;
        }
        if own.peek == Peek::Unknown {
            own.peek = if own.scan.fetch(w, &range)? { Peek::Entry } else { Peek::End };
        }
        Ok(())
    }
}

/// A page version newer than the snapshot without an older one in memory: the snapshot was given up, or it is older than the tree (which has no versions from
/// before it was built). Anything else is a bug, and an error.
#[cold]
pub(crate) fn lost_version(core: &Core, tree: TreeId, snap: Ts) -> Error {
    match core.snapshots.check(snap) {
        Err(e) => e,
        Ok(()) if core.is_younger(tree, snap) => {
            err!(SERIALIZATION_FAILURE, "could not serialize access due to concurrent update")
                .detail("The table or index was created or rebuilt after the transaction's snapshot was taken.")
                .hint("The transaction might succeed if retried.")
        }
        Ok(()) => Error::internal("a row version that a registered snapshot needs is missing"),
    }
}
