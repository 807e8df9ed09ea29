//! A hash table from keys to numbers that stores no key: eight bytes a slot, the keys stay where they are.
//!
//! Open addressing with linear probing; a removal moves what follows it back, so there are no tombstones and a table that shrank probes as fast as one
//! that never grew. The hash's high bits pick the slot, all 32 of it are compared before the caller is asked whether a key is really the one.

const NONE: u32 = u32::MAX;
const FIRST_SLOTS: usize = 64;

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// NONE: free.
    number: u32,
}

/// Numbers by the hash of their keys. Each key stands once.
#[derive(Default)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    len: usize,
}

impl Table {
    pub fn with_room(n: usize) -> Table {
        let mut t = Table::default();
        t.resize((n * 2).next_power_of_two().max(FIRST_SLOTS));
        t
    }
    /// Bytes of memory a key takes here, at most (a table is at least three eighths full after it grew).
    pub const BYTES_PER_KEY: u64 = 22;

    #[inline]
    fn home(&self, hash: u32) -> usize {
        // The number of slots is a power of two, at least FIRST_SLOTS.
        hash as usize >> (32 - self.slots.len().trailing_zeros().min(31))
    }
    /// The slot of the key, or the free one where it would go.
    #[inline]
    fn probe(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.home(hash) & mask;
        loop {
            let s = self.slots[at];
            if s.number == NONE || (s.hash == hash && is(s.number)) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }
    pub fn get(&self, hash: u32, is: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let n = self.slots[self.probe(hash, is)].number;
        (n != NONE).then_some(n)
    }
    /// Makes the key stand for `number`; what it stood for before.
    pub fn set(&mut self, hash: u32, number: u32, is: impl FnMut(u32) -> bool) -> Option<u32> {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.resize((self.slots.len() * 2).max(FIRST_SLOTS));
        }
        let at = self.probe(hash, is);
        let old = std::mem::replace(&mut self.slots[at], Slot { hash, number }).number;
        if old != NONE {
            return Some(old);
        }
        self.len += 1;
        None
    }
    pub fn remove(&mut self, hash: u32, is: impl FnMut(u32) -> bool) {
        if self.len == 0 {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut hole = self.probe(hash, is);
        if self.slots[hole].number == NONE {
            return;
        }
        self.len -= 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let s = self.slots[at];
            if s.number == NONE {
                break;
            }
            // It may move into the hole unless its home lies behind the hole.
            let from_home = at.wrapping_sub(self.home(s.hash)) & mask;
            if from_home >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = s;
                hole = at;
            }
        }
        self.slots[hole].number = NONE;
    }
    fn resize(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![Slot { hash: 0, number: NONE }; slots]);
        let mask = slots - 1;
        for s in old.into_iter().filter(|s| s.number != NONE) {
            let mut at = self.home(s.hash) & mask;
            while self.slots[at].number != NONE {
                at = (at + 1) & mask;
            }
            self.slots[at] = s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(ops in proptest::collection::vec((0..3u8, 0..300u32, any::<u32>()), 1..2000)) {
            // Bad hashes on purpose: many keys share one, and slots wrap around.
            let hash = |k: u32| if k.is_multiple_of(3) { u32::MAX - k % 5 } else { k.wrapping_mul(0x9E37_79B9) };
            let (mut t, mut model) = (Table::default(), BTreeMap::new());
            // Numbers carry their key.
            let key = |n: u32| n % 300;
            for (op, k, r) in ops {
                match op {
                    0 => {
                        let n = (r % 1_000_000) * 300 + k;
                        prop_assert_eq!(t.set(hash(k), n, |n| key(n) == k), model.insert(k, n));
                    }
                    1 => {
                        t.remove(hash(k), |n| key(n) == k);
                        model.remove(&k);
                    }
                    _ => prop_assert_eq!(t.get(hash(k), |n| key(n) == k), model.get(&k).copied()),
                }
            }
            for k in 0..300 {
                prop_assert_eq!(t.get(hash(k), |n| key(n) == k), model.get(&k).copied());
            }
        }
    }
}
