//! Runs: one change of many keys in the order of the tree, leaf by leaf.
//!
//! Neighbours share their leaf. It is found once, locked once and changed in one go; a key that follows the one before it in the leaf, as in a mass deletion, is not even
//! searched for.
use super::super::TreeId;
use super::super::page::*;
use super::node::*;
use super::write::{MERGE_BELOW, Writer, change_of};
use pamir_error::Result;

/// What a run does to an entry that is there, given the number of its key and the beginning of its value.
type Patch<'a, const N: usize> = dyn FnMut(usize, [u8; N]) -> Option<[u8; N]> + 'a;

impl Writer {
    /// How many of the keys, from `n` on, go up and lie in the leaf that [`Writer::find`] has just found for the first.
    fn in_leaf(&self, keys: &[&[u8]], n: usize) -> usize {
        let inside = |k: &[u8]| self.upper.as_ref().is_none_or(|u| k < &u[..]);
        let more = keys[n..].windows(2).take_while(|w| w[0] < w[1] && inside(w[1]));
        1 + more.count()
    }
    /// Replaces the first bytes of the values of some keys, given in ascending order, where `patch` says with what. Values of fewer bytes and those on overflow pages are left as
    /// they are, and not shown. Nothing moves: neither room nor a page is needed.
    pub fn patch_run<const N: usize>(&mut self, tree: TreeId, keys: &[&[u8]], patch: &mut Patch<N>) -> Result<()> {
        let store = self.store.clone();
        let mut n = 0;
        while n < keys.len() {
            let leaf = self.find(tree, keys[n])?;
            let end = n + self.in_leaf(keys, n);
            let page = store.shared.pool.lock_to(leaf, change_of(tree, false))?;
            let node = Node(page.words);
            let mut next = 0;
            for (i, key) in keys.iter().enumerate().take(end).skip(n) {
                let (at, found) = node.search_from(next, key);
                next = at + found as usize;
                if found
                    && let Value::Inline { off, len } = node.value(at)
                    && len >= N
                    && let Some(new) = patch(i, bytes_at(page.words, off))
                {
                    write_bytes(page.words, off, &new);
                }
            }
            drop(page);
            n = end;
        }
        Ok(())
    }
    /// Removes those of some keys, given in ascending order, of which `is` says so, given a key's number and its value (at least the first `N` bytes, if it has so many);
    /// returns how many.
    pub fn remove_run<const N: usize>(
        &mut self,
        tree: TreeId,
        keys: &[&[u8]],
        is: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<usize> {
        let store = self.store.clone();
        let (mut n, mut removed) = (0, 0);
        let (mut gone, mut long) = (Vec::new(), Vec::new());
        while n < keys.len() {
            let leaf = self.find(tree, keys[n])?;
            let end = n + self.in_leaf(keys, n);
            let page = store.shared.pool.lock_to(leaf, change_of(tree, false))?;
            let node = Node(page.words);
            let mut next = 0;
            gone.clear();
            for (i, key) in keys.iter().enumerate().take(end).skip(n) {
                let (at, found) = node.search_from(next, key);
                next = at + found as usize;
                match found.then(|| node.value(at)) {
                    None => {}
                    Some(Value::Overflow(_)) => long.push(i),
                    Some(Value::Inline { off, len }) => {
                        let head: [u8; N] = bytes_at(page.words, off);
                        if is(i, &head[..len.min(N)]) {
                            gone.push(at);
                        }
                    }
                }
            }
            delete_many(page.words, &gone);
            let used = Node(page.words).used();
            drop(page);
            removed += gone.len();
            if used < MERGE_BELOW && !gone.is_empty() {
                self.merge_if_possible(&store, tree);
            }
            n = end;
        }
        let mut value = Vec::new();
        for i in long {
            if self.get(tree, keys[i], &mut value)? && is(i, &value) && self.remove(tree, keys[i])? {
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{Model, Rng, T, chance, open, random_key, random_value, same};
    use super::super::super::{FIRST_TREE, Finger};
    use super::*;
    use crate::disk::sim::SimDisk;

    /// Keys of the map, mostly neighbours, among them some that are not there; ascending, or not.
    fn some_keys(r: &mut Rng, m: &Model, space: u64) -> Vec<Vec<u8>> {
        let from = random_key(r, space);
        let step = 1 + r.below(3) as usize;
        let mut keys: Vec<Vec<u8>> =
            m.range(from..).step_by(step).take(r.below(600) as usize).map(|e| e.0.clone()).collect();
        for _ in 0..r.below(4) {
            keys.push(random_key(r, space));
        }
        if r.below(4) > 0 {
            keys.sort();
        }
        keys
    }
    fn drive(seed: u64, frames: u64) {
        let disk = SimDisk::new(seed);
        let mut r = Rng::new(seed);
        let mut o = open(&disk, frames);
        let other = TreeId(FIRST_TREE + 1);
        o.writer.create_tree(T).unwrap();
        o.writer.create_tree(other).unwrap();
        let mut m = Model::new();
        let (mut at, mut out) = (Finger::default(), Vec::new());
        for step in 0..24 {
            let what = format!("seed {seed} step {step}");
            for _ in 0..r.below(if step % 8 < 4 { 900 } else { 100 }) {
                let (k, v) = (random_key(&mut r, 4000), random_value(&mut r));
                o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
                m.insert(k, v);
            }
            let keys = some_keys(&mut r, &m, 4000);
            let refs: Vec<&[u8]> = keys.iter().map(|k| &k[..]).collect();
            let odd = r.below(2) as u8;
            if r.below(2) == 0 {
                let mut shown = Vec::new();
                let patch = &mut |n: usize, old: [u8; 9]| {
                    shown.push((n, old));
                    (old[0] % 2 == odd).then_some([step as u8 | 1; 9])
                };
                o.writer.patch_run::<9>(T, &refs, patch).unwrap();
                let mut want = Vec::new();
                for (n, k) in keys.iter().enumerate() {
                    let Some(v) = m.get_mut(k).filter(|v| v.len() >= 9 && !is_long(k, v)) else { continue };
                    want.push((n, v[..9].try_into().unwrap()));
                    if v[0] % 2 == odd {
                        v[..9].fill(step as u8 | 1);
                    }
                }
                assert_eq!(shown, want, "{what}: what was shown");
            } else {
                let is = |v: &[u8]| v.first().is_none_or(|b| b % 2 == odd);
                let removed = o.writer.remove_run::<9>(T, &refs, &mut |_, v| is(v)).unwrap();
                let mut want = 0;
                for k in &keys {
                    if m.get(k).is_some_and(|v| is(v)) {
                        m.remove(k);
                        want += 1;
                    }
                }
                assert_eq!(removed, want, "{what}: removed");
            }
            same(&o.store, T, &m, &what);
            // What a finger remembers may be changed, split, merged or freed meanwhile.
            for k in some_keys(&mut r, &m, 4000) {
                assert_eq!(o.store.get_near(&mut at, T, &k, &mut out).unwrap(), m.contains_key(&k), "{what}: near");
                assert!(m.get(&k).is_none_or(|v| *v == out), "{what}: value");
                if r.below(50) == 0 {
                    assert!(!o.store.get_near(&mut at, other, &k, &mut out).unwrap(), "{what}: another tree");
                }
                if r.below(50) == 0 {
                    o.writer.remove(T, &k).unwrap();
                    m.remove(&k);
                }
            }
        }
    }
    #[test]
    fn runs_against_a_map() {
        chance::seeds(5).for_each(|s| drive(s, if s % 3 == 0 { 64 } else { 4000 }));
    }
    /// Nobody walks over leaves without entries after a range was removed, whatever stands beside it.
    #[test]
    fn a_removed_range_leaves_no_empty_pages() {
        for (from, to) in [(0, 20_000u64), (5_000, 15_000), (0, 1_000), (19_000, 20_000)] {
            let mut o = open(&SimDisk::new(from), 2000);
            o.writer.create_tree(T).unwrap();
            let keys: Vec<[u8; 8]> = (0..20_000u64).map(u64::to_be_bytes).collect();
            for k in &keys {
                o.writer.put(T, k, &[7; 60], &mut |_| {}).unwrap();
            }
            let before = o.store.tree_size(T).unwrap().0;
            for run in keys[from as usize..to as usize].chunks(64) {
                let run: Vec<&[u8]> = run.iter().map(|k| &k[..]).collect();
                assert_eq!(o.writer.remove_run::<9>(T, &run, &mut |_, _| true).unwrap(), run.len());
            }
            let left = 20_000 - (to - from);
            let leaves = o.store.tree_size(T).unwrap().0;
            assert!(
                leaves <= before * left / 20_000 + 3,
                "{from}..{to}: {leaves} of {before} leaves for {left} entries"
            );
        }
    }
}
