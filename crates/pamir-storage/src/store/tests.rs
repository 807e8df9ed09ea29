//! Tests of the store against models.
use super::*;
use crate::disk::sim::SimDisk;
use std::collections::BTreeMap;

pub(super) type Model = BTreeMap<Vec<u8>, Vec<u8>>;

pub(super) fn open(disk: &SimDisk, frames: u64) -> Opened {
    let opts = StoreOptions { cache_size: frames * PAGE_SIZE as u64, io_threads: 0 };
    Store::open(Arc::new(disk.clone()), opts).expect("open")
}
/// SplitMix64.
pub(super) struct Rng(pub u64);
impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}
pub(super) const T: TreeId = TreeId(FIRST_TREE);

pub(super) fn all(store: &Arc<Store>, tree: TreeId, from: Option<&[u8]>, dir: Dir) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut c = store.cursor(tree, from, dir).expect("cursor");
    let mut v = Vec::new();
    while let Some((k, val)) = c.next().expect("next") {
        v.push((k.to_vec(), val.to_vec()));
    }
    v
}
pub(super) fn same(store: &Arc<Store>, tree: TreeId, model: &Model, what: &str) {
    let got = all(store, tree, None, Dir::Forward);
    let want: Vec<_> = model.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    assert_eq!(got.len(), want.len(), "{what}: count");
    assert!(got == want, "{what}: contents");
    let mut back = all(store, tree, None, Dir::Backward);
    back.reverse();
    assert!(back == want, "{what}: backward");
}
/// Keys of several shapes: short, long, with long common parts.
pub(super) fn random_key(r: &mut Rng, space: u64) -> Vec<u8> {
    let n = r.below(space);
    match r.below(20) {
        0 => vec![b'x'; (n % 2500) as usize],
        1 => [vec![b'p'; 300], n.to_be_bytes().to_vec()].concat(),
        2 => [n.to_be_bytes().to_vec(), vec![0; (n % 1000) as usize]].concat(),
        3 => n.to_string().into_bytes(),
        _ => n.to_be_bytes().to_vec(),
    }
}
pub(super) fn random_value(r: &mut Rng) -> Vec<u8> {
    let len = match r.below(40) {
        0 => r.below(40_000),
        1 => r.below(3000),
        2..10 => r.below(500),
        _ => r.below(60),
    };
    let b = r.next() as u8;
    (0..len).map(|i| b.wrapping_add(i as u8)).collect()
}

fn drive(seed: u64, frames: u64, steps: usize, space: u64) {
    let disk = SimDisk::new(seed);
    let mut r = Rng(seed);
    let mut o = open(&disk, frames);
    o.writer.create_tree(T).unwrap();
    let mut m = Model::new();
    let mut saved = (m.clone(), false);
    let mut out = Vec::new();
    // phases of growing and of shrinking
    for step in 0..steps {
        let what = format!("seed {seed} step {step}");
        let shrink = (step / (steps / 5).max(1)) % 2 == 1;
        let k = random_key(&mut r, space);
        if r.below(10) < if shrink { 8 } else { 2 } {
            // remove a present key mostly
            let k = if r.below(4) > 0 { m.range(k.clone()..).next().map_or(k, |e| e.0.clone()) } else { k };
            assert_eq!(o.writer.remove(T, &k).unwrap(), m.remove(&k).is_some(), "{what}");
        } else {
            let v = random_value(&mut r);
            let had = m.insert(k.clone(), v.clone());
            let mut called = 0;
            o.writer
                .put(T, &k, &v, &mut |old| {
                    called += 1;
                    assert!(old == had.as_deref(), "{what}: old value");
                })
                .unwrap();
            assert_eq!(called, 1, "{what}");
        }
        if step % 7 == 0 {
            let k = random_key(&mut r, space);
            assert_eq!(o.store.get(T, &k, &mut out).unwrap(), m.contains_key(&k), "{what}: get");
            assert!(m.get(&k).is_none_or(|v| *v == out), "{what}: value");
        }
        if step % 97 == 0 {
            let k = random_key(&mut r, space);
            let mut c = o.store.cursor(T, Some(&k), Dir::Forward).unwrap();
            for e in m.range(k.clone()..).take(30) {
                let got = c.next().unwrap();
                assert!(got == Some((&e.0[..], &e.1[..])), "{what}: forward");
            }
            c.seek(T, Some(&k), Dir::Backward).unwrap();
            for e in m.range(..k.clone()).rev().take(30) {
                assert!(c.next().unwrap() == Some((&e.0[..], &e.1[..])), "{what}: backward");
            }
        }
        if r.below(700) == 0 {
            same(&o.store, T, &m, &what);
            let mut c = o.writer.begin_checkpoint(step as u64, &step.to_le_bytes()).unwrap();
            saved = (m.clone(), true);
            // beside the writer
            for _ in 0..r.below(6) {
                let k = random_key(&mut r, space);
                let v = random_value(&mut r);
                o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
                m.insert(k, v);
                if let Some(k) = m.keys().nth(r.below(m.len() as u64) as usize).cloned() {
                    o.writer.remove(T, &k).unwrap();
                    m.remove(&k);
                }
                c.step(3).unwrap();
            }
            c.finish().unwrap();
        }
        if r.below(1500) == 0 {
            same(&o.store, T, &m, &what);
            drop(o);
            o = open(&disk, frames);
            if saved.1 {
                m = saved.0.clone();
            } else {
                m.clear();
                o.writer.create_tree(T).unwrap();
            }
            same(&o.store, T, &m, &format!("{what} reopened"));
        }
    }
    same(&o.store, T, &m, &format!("seed {seed} at the end"));
}

#[test]
fn against_a_map() {
    for seed in 0..4 {
        drive(seed, 64, 6000, 3000);
    }
}
#[test]
fn against_a_map_large_cache() {
    drive(100, 4096, 20_000, 8000);
}
