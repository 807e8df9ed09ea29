//! The lock table of one table: counts per mode decide, the holders' names serve deadlock detection.
use super::{Owner, TableLock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Waker;

#[derive(Default)]
pub(super) struct TableLocks {
    /// Owners per mode.
    counts: [u32; 8],
    holders: FxHashMap<u64, (Arc<Owner>, u8)>,
    waiters: Vec<(Arc<Owner>, TableLock)>,
}

impl TableLocks {
    pub fn is_empty(&self) -> bool {
        self.holders.is_empty() && self.waiters.is_empty()
    }
    /// Do others than `mine` and `partners` (bits of the modes held) hold something in conflict?
    fn held_by_others(&self, mine: u8, partners: u8, mode: TableLock) -> bool {
        let mut bits = mode.conflict_bits();
        while bits != 0 {
            let m = bits.trailing_zeros() as usize;
            if self.counts[m] > (mine >> m & 1) as u32 + (partners >> m & 1) as u32 {
                return true;
            }
            bits &= bits - 1;
        }
        false
    }
    fn mine(&self, id: u64) -> u8 {
        self.holders.get(&id).map_or(0, |h| h.1)
    }
    fn blocked(&self, who: &Owner, mode: TableLock, upto: usize) -> bool {
        let mine = self.mine(who.id);
        let in_the_way = |partners: u8| {
            // Never wait behind somebody who waits for us.
            self.held_by_others(mine, partners, mode)
                || self.waiters[..upto].iter().any(|w| {
                    !who.same_session(&w.0) && w.1.conflicts(mode) && w.1.conflict_bits() & (mine | partners) == 0
                })
        };
        in_the_way(0) && who.partner().is_none_or(|p| in_the_way(self.mine(p)))
    }
    pub fn try_lock(&mut self, owner: &Arc<Owner>, mode: TableLock) -> bool {
        if self.blocked(owner, mode, self.waiters.len()) {
            return false;
        }
        self.hold(owner, mode);
        true
    }
    pub fn hold(&mut self, owner: &Arc<Owner>, mode: TableLock) {
        if !self.waiters.is_empty() {
            owner.blocks_others.store(true, Ordering::SeqCst);
        }
        let h = self.holders.entry(owner.id).or_insert_with(|| (owner.clone(), 0));
        if h.1 & mode.bit() == 0 {
            h.1 |= mode.bit();
            self.counts[mode as usize - 1] += 1;
        }
    }
    fn each_blocker(&self, who: &Owner, mode: TableLock, upto: usize, f: &mut dyn FnMut(&Arc<Owner>)) {
        for (o, bits) in self.holders.values() {
            if !who.same_session(o) && mode.conflict_bits() & bits != 0 {
                f(o);
            }
        }
        let mine = self.mine(who.id) | who.partner().map_or(0, |p| self.mine(p));
        for (o, m) in &self.waiters[..upto] {
            if !who.same_session(o) && m.conflicts(mode) && m.conflict_bits() & mine == 0 {
                f(o);
            }
        }
    }
    pub fn enqueue(&mut self, owner: &Arc<Owner>, mode: TableLock) {
        self.each_blocker(owner, mode, self.waiters.len(), &mut |o| o.blocks_others.store(true, Ordering::SeqCst));
        self.waiters.push((owner.clone(), mode));
    }
    /// As of a tree's locks.
    pub fn blockers_of(
        &self,
        id: u64,
        me: u64,
        seen: &mut FxHashSet<u64>,
        out: &mut Vec<Arc<Owner>>,
    ) -> Option<TableLock> {
        let at = self.waiters.iter().position(|w| w.0.id == id)?;
        let (who, mode) = (&self.waiters[at].0, self.waiters[at].1);
        self.each_blocker(who, mode, at, &mut |o| {
            if o.id == me || seen.insert(o.id) {
                out.push(o.clone());
            }
        });
        Some(mode)
    }
    pub fn withdraw(&mut self, id: u64, wake: &mut Vec<Waker>) -> bool {
        let Some(at) = self.waiters.iter().position(|w| w.0.id == id) else { return false };
        self.waiters.remove(at);
        self.grant_waiters(wake);
        true
    }
    pub fn release(&mut self, id: u64, modes: u8, wake: &mut Vec<Waker>) {
        let Some(h) = self.holders.get_mut(&id) else { return };
        let mut bits = h.1 & modes;
        h.1 &= !modes;
        if h.1 == 0 {
            self.holders.remove(&id);
        }
        while bits != 0 {
            let count = &mut self.counts[bits.trailing_zeros() as usize];
            // Fewer counted than held: others would be let in beside holders.
            assert!(*count > 0, "a table lock that nobody holds is given back");
            *count -= 1;
            bits &= bits - 1;
        }
        if !self.waiters.is_empty() {
            self.grant_waiters(wake);
        }
    }
    /// Takes away what those hold of whom `past` is true.
    pub fn forget(&mut self, past: impl Fn(&Owner) -> bool, wake: &mut Vec<Waker>) {
        let gone: Vec<(u64, u8)> =
            self.holders.values().filter(|h| past(&h.0)).map(|(owner, modes)| (owner.id, *modes)).collect();
        gone.into_iter().for_each(|(id, modes)| self.release(id, modes, wake));
    }
    fn grant_waiters(&mut self, wake: &mut Vec<Waker>) {
        let mut i = 0;
        while i < self.waiters.len() {
            if self.blocked(&self.waiters[i].0, self.waiters[i].1, i) {
                i += 1;
                continue;
            }
            let (owner, mode) = self.waiters.remove(i);
            self.hold(&owner, mode);
            owner.grant(wake);
        }
    }
    pub fn each_holder(&self, mut f: impl FnMut(&Owner, TableLock)) {
        for (o, bits) in self.holders.values() {
            TableLock::ALL.into_iter().filter(|m| bits & m.bit() != 0).for_each(|m| f(o, m));
        }
    }
    pub fn waiting(&self) -> usize {
        self.waiters.len()
    }
    #[cfg(test)]
    pub fn assert_compatible(&self) {
        for (a, am) in self.holders.values() {
            for (b, bm) in self.holders.values() {
                for m in TableLock::ALL {
                    assert!(a.id == b.id || am & m.bit() == 0 || m.conflict_bits() & bm == 0);
                }
            }
        }
        for (i, w) in self.waiters.iter().enumerate() {
            assert!(self.blocked(&w.0, w.1, i), "somebody waits for nobody");
        }
    }
}
