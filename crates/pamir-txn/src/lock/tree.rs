//! The lock table of one tree: rows, ranges and who waits for them. All under the mutex of its shard.
use super::escalate::WholeHold;
use super::{Owner, RowLock};
use crate::padded::hash_key;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;

pub(super) struct Holder {
    pub owner: Arc<Owner>,
    pub mode: RowLock,
    /// The holder's commit has its place in the log and hands the lock over: it stands in nobody's way who may follow it. Whoever is granted the
    /// lock beside it is tied to it (see `handover.rs`).
    pub passed: bool,
}
impl Holder {
    fn new(owner: &Arc<Owner>, mode: RowLock) -> Holder {
        Holder { owner: owner.clone(), mode, passed: false }
    }
    /// Must `who` wait for it?
    fn blocks(&self, who: &Owner, mode: RowLock) -> bool {
        self.mode.conflicts(mode) && self.owner.id != who.id && !(self.passed && who.follows)
    }
}
/// `owner` is granted a row lock: it is tied to the commits that handed it over.
fn tie(holders: &[Holder], owner: &Owner, mode: RowLock) {
    for h in holders.iter().filter(|h| h.passed && h.mode.conflicts(mode)) {
        owner.tie_to(&h.owner);
    }
}
/// What somebody wants.
#[derive(Clone)]
pub(super) enum What {
    Row { key: Box<[u8]>, hash: u64, mode: RowLock },
    Range { lo: Box<[u8]>, hi: Option<Box<[u8]>> },
}
impl What {
    /// A row's; None: a range.
    pub fn mode(&self) -> Option<RowLock> {
        match self {
            What::Row { mode, .. } => Some(*mode),
            What::Range { .. } => None,
        }
    }
}
pub(super) struct RangeHold {
    pub owner: Arc<Owner>,
    lo: Box<[u8]>,
    hi: Option<Box<[u8]>>,
}
/// Keys up to this many bytes lie in the table itself: to compare them takes no other memory, to lock them no allocation.
const INLINE_KEY: usize = 24;
/// By key.
type Rows = BTreeMap<SmallVec<[u8; INLINE_KEY]>, SmallVec<[Holder; 1]>>;
pub(super) struct Waiter {
    owner: Arc<Owner>,
    what: What,
}
#[derive(Default)]
pub(super) struct TreeLocks {
    pub rows: Rows,
    pub ranges: Vec<RangeHold>,
    pub waiters: Vec<Waiter>,
    /// Who holds the tree whole.
    pub whole: Option<WholeHold>,
    /// Who writes entries that follow rows, each once.
    pub intents: Vec<Arc<Owner>>,
}

/// Is told who stands in the way of a request.
trait Visit {
    /// True: stop.
    fn visit(&mut self, o: &Arc<Owner>) -> bool;
    /// This owner need not be looked at (the look is dear).
    fn known(&self, _id: u64) -> bool {
        false
    }
}
/// Is there anybody?
struct Any;
impl Visit for Any {
    fn visit(&mut self, _: &Arc<Owner>) -> bool {
        true
    }
}
/// Tells them all that they block somebody.
struct Mark;
impl Visit for Mark {
    fn visit(&mut self, o: &Arc<Owner>) -> bool {
        // A long queue is marked again and again: looked at, its lines stay where they are.
        if !o.blocks_others.load(Ordering::SeqCst) {
            o.blocks_others.store(true, Ordering::SeqCst);
        }
        if !o.contended.load(Ordering::Relaxed) {
            o.contended.store(true, Ordering::Relaxed);
        }
        false
    }
}
/// Gathers those not seen before; `me` always.
struct Gather<'a> {
    me: u64,
    seen: &'a mut FxHashSet<u64>,
    out: &'a mut Vec<Arc<Owner>>,
}
impl Visit for Gather<'_> {
    fn visit(&mut self, o: &Arc<Owner>) -> bool {
        if o.id == self.me || self.seen.insert(o.id) {
            self.out.push(o.clone());
        }
        false
    }
    fn known(&self, id: u64) -> bool {
        id != self.me && self.seen.contains(&id)
    }
}

fn inside(key: &[u8], lo: &[u8], hi: &Option<Box<[u8]>>) -> bool {
    key >= lo && hi.as_deref().is_none_or(|h| key < h)
}

impl TreeLocks {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.ranges.is_empty()
            && self.waiters.is_empty()
            && self.whole.is_none()
            && self.intents.is_empty()
    }
    pub fn counts(&self) -> (usize, usize, usize) {
        let rows = self.rows.len() + self.whole.is_some() as usize + self.intents.len();
        (rows, self.ranges.len(), self.waiters.len())
    }
    /// The common case: nobody holds or wants anything that matters. True if granted.
    pub fn try_row(&mut self, owner: &Arc<Owner>, key: &[u8], mode: RowLock) -> bool {
        let alone = self.waiters.is_empty() && self.ranges.is_empty() && self.whole.is_none();
        if alone && (mode.writes() || self.intents.is_empty()) {
            match self.rows.entry(SmallVec::from_slice(key)) {
                Entry::Vacant(place) => {
                    place.insert(SmallVec::from_iter([Holder::new(owner, mode)]));
                    return true;
                }
                Entry::Occupied(mut held) => {
                    let holders = held.get_mut();
                    let mut mine = None;
                    for (i, h) in holders.iter().enumerate() {
                        if h.owner.id == owner.id {
                            mine = Some(i);
                        } else if h.blocks(owner, mode) {
                            return false;
                        }
                    }
                    tie(holders, owner, mode);
                    match mine {
                        Some(i) => holders[i].mode = holders[i].mode.max(mode),
                        None => holders.push(Holder::new(owner, mode)),
                    }
                    return true;
                }
            }
        }
        // A shared lock joins those that are held: it need not stand behind one who waits for their end.
        let before = if mode.writes() { self.waiters.len() } else { 0 };
        if self.blocked_row(owner, key, mode, before, &mut Any) {
            return false;
        }
        self.hold_row(owner, key, mode);
        true
    }
    /// Does somebody but `id` hold the key who may take it away, or whose commit that did so is not applied yet?
    pub fn is_taken_away(&self, id: u64, key: &[u8]) -> bool {
        let may = |owner: &Owner, mode| owner.id != id && mode == RowLock::Update;
        self.whole.as_ref().is_some_and(|w| may(&w.owner, w.mode))
            || self.rows.get(key).is_some_and(|holders| holders.iter().any(|h| may(&h.owner, h.mode)))
    }
    pub fn try_range(&mut self, owner: &Arc<Owner>, lo: &[u8], hi: Option<&[u8]>) -> bool {
        if self.blocked_range(owner, lo, hi, self.waiters.len(), &mut Any) {
            return false;
        }
        self.ranges.push(RangeHold { owner: owner.clone(), lo: lo.into(), hi: hi.map(Into::into) });
        true
    }
    /// Holds without asking (recovery of prepared transactions, grants).
    pub fn hold_row(&mut self, owner: &Arc<Owner>, key: &[u8], mode: RowLock) {
        if !self.waiters.is_empty() {
            owner.blocks_others.store(true, Ordering::SeqCst);
        }
        if let Some(holders) = self.rows.get_mut(key) {
            tie(holders, owner, mode);
            match holders.iter_mut().find(|h| h.owner.id == owner.id) {
                Some(h) => h.mode = h.mode.max(mode),
                None => holders.push(Holder::new(owner, mode)),
            }
        } else {
            self.rows.insert(SmallVec::from_slice(key), SmallVec::from_iter([Holder::new(owner, mode)]));
        }
    }
    pub fn hold_range(&mut self, owner: &Arc<Owner>, lo: &[u8], hi: Option<&[u8]>) {
        self.ranges.push(RangeHold { owner: owner.clone(), lo: lo.into(), hi: hi.map(Into::into) });
    }
    /// Does `w` wait for a lock that `id` holds?
    fn waits_for(&self, w: &Waiter, id: u64) -> bool {
        if self.waits_for_whole(&w.what, id) || self.waits_for_intent(&w.what, id) {
            return true;
        }
        match &w.what {
            What::Row { key, mode, .. } => {
                self.rows.get(&**key).is_some_and(|hs| hs.iter().any(|h| h.owner.id == id && h.mode.conflicts(*mode)))
                    || mode.writes() && self.ranges.iter().any(|r| r.owner.id == id && inside(key, &r.lo, &r.hi))
            }
            What::Range { lo, hi } => self.rows_in(lo, hi.as_deref()).any(|(_, h)| h.owner.id == id && h.mode.writes()),
        }
    }
    fn rows_in<'a>(&'a self, lo: &'a [u8], hi: Option<&'a [u8]>) -> impl Iterator<Item = (&'a [u8], &'a Holder)> {
        // BTreeMap::range panics on lo > hi; such a range holds nothing.
        let empty = hi.is_some_and(|h| h <= lo);
        let hi = hi.map_or(Bound::Unbounded, Bound::Excluded);
        let bounds = if empty { (Bound::Included(lo), Bound::Included(lo)) } else { (Bound::Included(lo), hi) };
        self.rows
            .range::<[u8], _>(bounds)
            .take_while(move |_| !empty)
            .flat_map(|(k, hs)| hs.iter().map(move |h| (&**k, h)))
    }
    /// Tells `f` everybody a row request must wait for, until it says stop; true if it did.
    fn blocked_row(&self, who: &Owner, key: &[u8], mode: RowLock, upto: usize, f: &mut dyn Visit) -> bool {
        let id = who.id;
        if self.whole_against_row(id, mode).is_some_and(|o| f.visit(o)) {
            return true;
        }
        if self.intents_against_row(id, mode).any(|o| f.visit(o)) {
            return true;
        }
        if let Some(holders) = self.rows.get(key) {
            for h in holders {
                if h.blocks(who, mode) && f.visit(&h.owner) {
                    return true;
                }
            }
        }
        if mode.writes() {
            for r in &self.ranges {
                if r.owner.id != id && inside(key, &r.lo, &r.hi) && f.visit(&r.owner) {
                    return true;
                }
            }
        }
        // Who holds nothing that a request for this row can wait for need not be looked up for each of them.
        let holds = || {
            self.rows.get(key).is_some_and(|hs| hs.iter().any(|h| h.owner.id == id))
                || self.whole.as_ref().is_some_and(|w| w.owner.id == id)
                || self.intents.iter().any(|o| o.id == id)
        };
        let bare = upto > 0 && self.ranges.is_empty() && !holds();
        for w in &self.waiters[..upto] {
            let (conflict, row) = match &w.what {
                What::Row { key: k, mode: m, .. } => (m.conflicts(mode) && **k == *key, true),
                What::Range { lo, hi } => (mode.writes() && inside(key, lo, hi), false),
            };
            if conflict
                && w.owner.id != id
                && !f.known(w.owner.id)
                && ((bare && row) || !self.waits_for(w, id))
                && f.visit(&w.owner)
            {
                return true;
            }
        }
        false
    }
    fn blocked_range(&self, who: &Owner, lo: &[u8], hi: Option<&[u8]>, upto: usize, f: &mut dyn Visit) -> bool {
        let id = who.id;
        if self.whole_against_range(id).is_some_and(|o| f.visit(o)) {
            return true;
        }
        if self.intents_against_range(id).any(|o| f.visit(o)) {
            return true;
        }
        // Locks that were handed over count here until their commit is applied: who reads a range looks at the trees.
        for (_, h) in self.rows_in(lo, hi) {
            if h.owner.id != id && h.mode.writes() && f.visit(&h.owner) {
                return true;
            }
        }
        for w in &self.waiters[..upto] {
            let conflict = w.owner.id != id
                && matches!(&w.what, What::Row { key, mode, .. } if mode.writes() && **key >= *lo && hi.is_none_or(|h| **key < *h));
            if conflict && !f.known(w.owner.id) && !self.waits_for(w, id) && f.visit(&w.owner) {
                return true;
            }
        }
        false
    }
    fn blocked(&self, who: &Owner, what: &What, upto: usize, f: &mut dyn Visit) -> bool {
        match what {
            What::Row { key, mode, .. } => self.blocked_row(who, key, *mode, upto, f),
            What::Range { lo, hi } => self.blocked_range(who, lo, hi.as_deref(), upto, f),
        }
    }
    /// Queues a request that cannot be granted now, and lets its blockers know that they block somebody.
    pub fn enqueue(&mut self, owner: &Arc<Owner>, what: What) {
        self.blocked(owner, &what, self.waiters.len(), &mut Mark);
        self.waiters.push(Waiter { owner: owner.clone(), what });
    }
    /// Whom the waiting `id` waits for, as far as not seen before (`me` always); what it wants. None when it does not wait here.
    pub fn blockers_of(&self, id: u64, me: u64, seen: &mut FxHashSet<u64>, out: &mut Vec<Arc<Owner>>) -> Option<&What> {
        let at = self.waiters.iter().position(|w| w.owner.id == id)?;
        let w = &self.waiters[at];
        self.blocked(&w.owner, &w.what, at, &mut Gather { me, seen, out });
        Some(&w.what)
    }
    /// Takes a request back; false when it was granted meanwhile.
    pub fn withdraw(&mut self, id: u64, wake: &mut Vec<Waker>) -> bool {
        let Some(at) = self.waiters.iter().position(|w| w.owner.id == id) else { return false };
        self.waiters.remove(at);
        self.grant_waiters(None, wake);
        true
    }
    /// Gives a row lock back or weakens it to `to`.
    pub fn release_row(&mut self, id: u64, key: &[u8], to: Option<RowLock>, wake: &mut Vec<Waker>) {
        let Some(holders) = self.rows.get_mut(key) else { return };
        let Some(at) = holders.iter().position(|h| h.owner.id == id) else { return };
        match to {
            Some(mode) => holders[at].mode = mode,
            None => {
                holders.swap_remove(at);
                if holders.is_empty() {
                    self.rows.remove(key);
                }
            }
        }
        if !self.waiters.is_empty() {
            self.grant_waiters(Some(key), wake);
        }
    }
    /// Hands a row lock over: its holder's commit has its place in the log. The mark stays until the commit is applied ([`TreeLocks::release_row`]); of several
    /// on a row only those are kept that no later and stronger one stands for.
    /// `commit`: the owner whose fate is the commit's (a prepared transaction's locks are held by another of the same id).
    pub fn pass_row(&mut self, commit: &Arc<Owner>, key: &[u8], wake: &mut Vec<Waker>) {
        let Some(holders) = self.rows.get_mut(key) else { return };
        // Gone: the applier was faster.
        let Some(at) = holders.iter().position(|h| h.owner.id == commit.id && !h.passed) else { return };
        // The log was faster still, and did not take it: who holds the lock now keeps it ([`TreeLocks::take_back`]).
        if commit.refused() {
            return;
        }
        let mut h = holders.swap_remove(at);
        if !Arc::ptr_eq(&h.owner, commit) {
            h.owner = commit.clone();
        }
        let place = h.owner.place();
        if !holders.iter().any(|o| o.passed && o.owner.place() > place && o.mode >= h.mode) {
            holders.retain(|o| !(o.passed && o.owner.place() < place && o.mode <= h.mode));
            h.passed = true;
            holders.push(h);
        }
        if !self.waiters.is_empty() {
            self.grant_waiters(Some(key), wake);
        }
    }
    /// Undoes [`TreeLocks::pass_row`]: the commit of a prepared transaction was refused, which therefore holds its lock as before. Whoever was granted it meanwhile
    /// is tied to what was refused, and will fail.
    pub fn take_back(&mut self, owner: &Arc<Owner>, key: &[u8], mode: RowLock) {
        let holders = self.rows.entry(SmallVec::from_slice(key)).or_default();
        match holders.iter_mut().find(|h| h.owner.id == owner.id) {
            // An upgrade's entry repeats its key.
            Some(h) if !h.passed => h.mode = h.mode.max(mode),
            Some(h) => *h = Holder::new(owner, mode),
            // A later commit's mark stood for it.
            None => holders.push(Holder::new(owner, mode)),
        }
    }
    pub fn release_range(&mut self, id: u64, lo: &[u8], hi: Option<&[u8]>, wake: &mut Vec<Waker>) {
        let Some(at) = self.ranges.iter().position(|r| r.owner.id == id && *r.lo == *lo && r.hi.as_deref() == hi)
        else {
            return;
        };
        self.ranges.swap_remove(at);
        if !self.waiters.is_empty() {
            self.grant_waiters(None, wake);
        }
    }
    /// Takes away what those hold of whom `past` is true.
    pub fn forget(&mut self, past: impl Fn(&Owner) -> bool, wake: &mut Vec<Waker>) {
        self.rows.retain(|_, holders| {
            holders.retain(|h| !past(&h.owner));
            !holders.is_empty()
        });
        self.ranges.retain(|r| !past(&r.owner));
        if self.whole.as_ref().is_some_and(|w| past(&w.owner)) {
            self.whole = None;
        }
        self.intents.retain(|o| !past(o));
        self.grant_waiters(None, wake);
    }
    /// Grants, in order, what can be granted; `key`: only requests that a change of this row's lock can concern.
    pub(super) fn grant_waiters(&mut self, key: Option<&[u8]>, wake: &mut Vec<Waker>) {
        // Hash of the key without the tree: all waiters here are of one tree.
        let hash = key.map(|k| hash_key(0, k));
        // The strongest holder of the row: with a long queue behind it, nearly every look ends here.
        let active = |rows: &Rows| {
            let hs = rows.get(key?)?;
            hs.iter().filter(|h| !h.passed).max_by_key(|h| h.mode).map(|h| (h.owner.id, h.mode))
        };
        let mut strongest = active(&self.rows);
        let mut i = 0;
        while i < self.waiters.len() {
            let w = &self.waiters[i];
            let waits = match (&w.what, hash) {
                (What::Row { hash: h, key: k, mode, .. }, Some(hash)) => {
                    *h != hash
                        || strongest.is_some_and(|(id, m)| {
                            id != w.owner.id && m.conflicts(*mode) && key.is_some_and(|key| **k == *key)
                        })
                }
                _ => false,
            };
            if waits || self.blocked(&w.owner, &w.what, i, &mut Any) {
                i += 1;
                continue;
            }
            let w = self.waiters.remove(i);
            match w.what {
                What::Row { key, mode, .. } => self.hold_row(&w.owner, &key, mode),
                What::Range { lo, hi } => {
                    if !self.waiters.is_empty() {
                        w.owner.blocks_others.store(true, Ordering::SeqCst);
                    }
                    self.ranges.push(RangeHold { owner: w.owner.clone(), lo, hi });
                }
            }
            w.owner.grant(wake);
            strongest = active(&self.rows);
        }
    }
    /// Every pair of holders is compatible (tests).
    #[cfg(test)]
    pub fn assert_compatible(&self) {
        if let Some(w) = &self.whole {
            assert!(self.rows.values().flatten().all(|h| h.owner.id == w.owner.id || !h.mode.conflicts(w.mode)));
            assert!(self.ranges.iter().all(|r| r.owner.id == w.owner.id || !w.mode.writes()));
            assert!(self.intents.iter().all(|o| o.id == w.owner.id));
        }
        for o in &self.intents {
            assert!(self.rows.values().flatten().all(|h| h.owner.id == o.id || h.passed || h.mode.writes()));
            assert!(self.ranges.iter().all(|r| r.owner.id == o.id));
        }
        for (k, hs) in &self.rows {
            for (i, a) in hs.iter().enumerate().filter(|h| !h.1.passed) {
                for b in hs[i + 1..].iter().filter(|h| !h.passed) {
                    assert!(a.owner.id != b.owner.id && !a.mode.conflicts(b.mode), "{k:?}");
                }
                for r in &self.ranges {
                    assert!(r.owner.id == a.owner.id || !a.mode.writes() || !inside(k, &r.lo, &r.hi));
                }
            }
        }
        for (i, w) in self.waiters.iter().enumerate() {
            assert!(self.blocked(&w.owner, &w.what, i, &mut Any), "somebody waits for nobody");
        }
    }
}
