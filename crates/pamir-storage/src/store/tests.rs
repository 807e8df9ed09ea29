//! Tests of the store against models.
use super::image::{Image, ImageWriter, MOST_IMAGES};
use super::*;
use crate::disk::sim::SimDisk;
pub(super) use pamir_testkit::chance::{self, Rng};
use std::collections::BTreeMap;

pub(super) type Model = BTreeMap<Vec<u8>, Vec<u8>>;

pub(super) fn open(disk: &SimDisk, frames: u64) -> Opened {
    let opts = StoreOptions { cache_size: frames * PAGE_SIZE as u64, io_threads: 0 };
    Store::open(Arc::new(disk.clone()), opts).expect("open")
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

/// The image's pages, in parts, make a store with what the checkpoint held, whatever has become of the store since.
fn copied(image: &Image, of: &Model, frames: u64, r: &mut Rng, what: &str) {
    let disk = SimDisk::new(1);
    let mut writer = ImageWriter::create(&disk, DATA_FILE).unwrap();
    let (mut from, mut pages) = (0, Vec::new());
    while from < image.len() {
        let to = from + 1 + r.below(100) as usize;
        pages.clear();
        image.read(from, to, &mut pages).unwrap();
        writer.write(&pages).unwrap();
        from = to;
    }
    writer.finish(&image.superblock(image.lsn())).unwrap();
    replace_superblock(&disk, &image.superblock(image.lsn())).unwrap();
    same(&open(&disk, frames).store, T, of, &format!("{what}: a copy"));
}
fn drive(seed: u64, frames: u64, steps: usize, space: u64) {
    let disk = SimDisk::new(seed);
    let mut r = Rng::new(seed);
    let mut o = open(&disk, frames);
    o.writer.create_tree(T).unwrap();
    let mut m = Model::new();
    let mut saved = (m.clone(), false);
    let mut images: Vec<(Image, Model)> = Vec::new();
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
            c.seek(T, Some(&k), None, Dir::Backward).unwrap();
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
            match o.store.image() {
                Ok(image) => images.push((image, saved.0.clone())),
                Err(e) => {
                    assert!(images.len() == MOST_IMAGES && e.code().as_str() == "55006", "{what}: {e}");
                    let n = r.below(images.len() as u64) as usize;
                    let (image, of) = images.swap_remove(n);
                    copied(&image, &of, frames, &mut r, &what);
                }
            }
        }
        if r.below(1500) == 0 {
            same(&o.store, T, &m, &what);
            images.drain(..).for_each(|(image, of)| copied(&image, &of, frames, &mut r, &what));
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
    for seed in chance::seeds(4) {
        drive(seed, 64, 6000, 3000);
    }
}
#[test]
fn against_a_map_large_cache() {
    drive(100, 4096, 20_000, 8000);
}

fn checked(disk: &SimDisk) -> check::Report {
    let r = check::check(Arc::new(disk.clone())).expect("check");
    assert!(r.is_clean(), "{:#?}", r.problems);
    r
}
fn checkpoint(w: &mut Writer, lsn: u64) {
    w.begin_checkpoint(lsn, &[]).unwrap().finish().unwrap();
}
fn key(i: u64) -> [u8; 8] {
    i.to_be_bytes()
}

#[test]
fn check_agrees_after_random_work() {
    for seed in 0..6 {
        let disk = SimDisk::new(seed);
        let mut r = Rng::new(seed);
        let mut o = open(&disk, 64);
        for t in 0..3 {
            o.writer.create_tree(TreeId(FIRST_TREE + t)).unwrap();
        }
        let mut m = Model::new();
        for step in 0..3000u64 {
            let k = random_key(&mut r, 400 + 2000 * (step / 1500));
            if r.below(10) < 3 + 4 * (step / 1500) {
                o.writer.remove(T, &k).unwrap();
                m.remove(&k);
            } else {
                let v = random_value(&mut r);
                o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
                o.writer.put(TreeId(FIRST_TREE + 1), &k, &v, &mut |_| {}).unwrap();
                m.insert(k, v);
            }
            if step % 1000 == 999 {
                checkpoint(&mut o.writer, step);
                let report = checked(&disk);
                assert_eq!(report.trees, 3, "seed {seed}");
            }
        }
        let leaves = o.store.tree_size(T).unwrap().0;
        o.writer.drop_tree(TreeId(FIRST_TREE + 1)).unwrap();
        assert!(o.store.get(TreeId(FIRST_TREE + 1), b"x", &mut Vec::new()).is_err());
        checkpoint(&mut o.writer, 1);
        checkpoint(&mut o.writer, 2);
        let report = checked(&disk);
        assert_eq!((report.trees, report.lsn), (2, 2));
        assert_eq!(report.entries, m.len() as u64 + 2);
        drop(o);
        let o = open(&disk, 64);
        assert_eq!(o.store.tree_size(T).unwrap().0, leaves, "counts are derived anew at start");
        assert_eq!(o.store.trees(), [T, TreeId(FIRST_TREE + 2)]);
        same(&o.store, T, &m, "after all");
    }
}

#[test]
fn everything_removed_gives_all_pages_back() {
    let disk = SimDisk::new(3);
    let mut o = open(&disk, 64);
    o.writer.create_tree(T).unwrap();
    let mut r = Rng::new(9);
    let mut keys: Vec<u64> = (0..5000).collect();
    for k in &keys {
        o.writer.put(T, &key(*k), &[7; 60], &mut |_| {}).unwrap();
    }
    let (leaves, height) = o.store.tree_size(T).unwrap();
    assert!(
        (50..70).contains(&leaves) && height == 2,
        "ascending inserts fill pages: {leaves} leaves, height {height}"
    );
    r.shuffle(&mut keys);
    for k in &keys {
        assert!(o.writer.remove(T, &key(*k)).unwrap());
        assert!(!o.writer.remove(T, &key(*k)).unwrap());
    }
    assert_eq!(o.store.tree_size(T).unwrap(), (1, 1));
    checkpoint(&mut o.writer, 1);
    checkpoint(&mut o.writer, 2);
    let report = checked(&disk);
    assert_eq!((report.leaf_pages, report.inner_pages, report.entries), (2, 0, 1));
}

#[test]
fn longest_keys() {
    let disk = SimDisk::new(4);
    let mut o = open(&disk, 64);
    o.writer.create_tree(T).unwrap();
    let mut m = Model::new();
    let mut r = Rng::new(4);
    for i in 0..400u64 {
        // differ at the end or at the start, so that separators are long as well
        let mut k = vec![b'a'; MAX_TREE_KEY];
        let at = if i % 3 == 0 { 0 } else { MAX_TREE_KEY - 8 };
        k[at..at + 8].copy_from_slice(&r.next().to_be_bytes());
        let v = vec![i as u8; (r.below(3000)) as usize];
        o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
        m.insert(k, v);
    }
    same(&o.store, T, &m, "long keys");
    let e = o.writer.put(T, &[0; MAX_TREE_KEY + 1], b"", &mut |_| {}).unwrap_err();
    assert_eq!(e.code().as_str(), "54000");
    let mut o2 = Vec::new();
    for (k, v) in &m {
        assert!(o.writer.get(T, k, &mut o2).unwrap() && o2 == *v);
    }
    let keys: Vec<_> = m.keys().cloned().collect();
    for k in keys.iter().step_by(2) {
        o.writer.remove(T, k).unwrap();
        m.remove(k);
    }
    checkpoint(&mut o.writer, 1);
    checked(&disk);
    same(&o.store, T, &m, "half of the long keys");
}

#[test]
fn a_hundred_megabytes() {
    let dir = tempfile::tempdir().unwrap();
    let disk = crate::disk::real::RealDisk::open(dir.path()).unwrap();
    let opts = StoreOptions { cache_size: 2 << 20, io_threads: 2 };
    let mut o = Store::open(disk.clone(), opts.clone()).unwrap();
    o.writer.create_tree(T).unwrap();
    let big: Vec<u8> = (0..100_000_000u32).map(|i| (i >> 3) as u8 ^ (i >> 13) as u8).collect();
    o.writer.put(T, b"big", &big, &mut |old| assert!(old.is_none())).unwrap();
    o.writer.put(T, b"small", b"s", &mut |_| {}).unwrap();
    checkpoint(&mut o.writer, 5);
    let store = o.store.clone();
    drop(o);
    drop(store);
    let mut o = Store::open(disk.clone(), opts).unwrap();
    let mut out = Vec::new();
    assert!(o.store.get(T, b"big", &mut out).unwrap() && out == big);
    let mut c = o.store.cursor(T, None, Dir::Forward).unwrap();
    assert!(c.next().unwrap() == Some((b"big", &big)));
    assert!(c.next().unwrap() == Some((b"small", b"s")));
    o.writer.put(T, b"big", b"little", &mut |old| assert!(old == Some(&big[..]))).unwrap();
    checkpoint(&mut o.writer, 6);
    let (size, free) = o.store.file_size();
    assert!(size - free < 1 << 20, "the chain's slots are free again: {size} bytes, {free} free");
    // another server may not open the directory meanwhile
    let e = crate::disk::real::RealDisk::open(dir.path()).err().unwrap();
    assert_eq!(e.code().as_str(), "55006");
}

#[test]
fn bulk_build_equals_inserts() {
    let mut r = Rng::new(11);
    for (n, shape) in [(0u64, 0u64), (1, 0), (2, 0), (500, 0), (20_000, 1), (3000, 2), (60, 3)] {
        let mut m = Model::new();
        for i in 0..n {
            let k = match shape {
                0 => random_key(&mut r, 100_000),
                1 => key(i).to_vec(),
                2 => [vec![b'c'; 700], key(i * 3).to_vec()].concat(),
                _ => [key(r.next()).to_vec(), vec![b'z'; 2500]].concat(),
            };
            m.insert(k, random_value(&mut r));
        }
        let disk = SimDisk::new(n);
        let mut o = open(&disk, 128);
        o.writer.create_tree(T).unwrap();
        o.writer.bulk_build(T, &mut m.iter().map(|(k, v)| (&k[..], &v[..]))).unwrap();
        same(&o.store, T, &m, &format!("{n} entries of shape {shape}"));
        for _ in 0..200 {
            let (k, v) = (random_key(&mut r, 100_000), random_value(&mut r));
            o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
            m.insert(k, v);
        }
        checkpoint(&mut o.writer, 1);
        let leaves = checked(&disk).leaf_pages - 1;
        assert_eq!(o.store.tree_size(T).unwrap().0, leaves);
        same(&o.store, T, &m, "then changed");
        if n > 1 {
            let e = o.writer.bulk_build(T, &mut m.iter().map(|(k, v)| (&k[..], &v[..]))).unwrap_err();
            assert_eq!(e.code().as_str(), "55000", "not empty");
            let t2 = TreeId(FIRST_TREE + 7);
            o.writer.create_tree(t2).unwrap();
            let e = o.writer.bulk_build(t2, &mut m.iter().rev().map(|(k, v)| (&k[..], &v[..]))).unwrap_err();
            assert!(e.message().contains("ascending"));
            same(&o.store, t2, &Model::new(), "a failed build leaves nothing");
            checkpoint(&mut o.writer, 2);
            checked(&disk);
        }
    }
}

#[test]
fn estimates() {
    let disk = SimDisk::new(5);
    let mut o = open(&disk, 4096);
    o.writer.create_tree(T).unwrap();
    let mut r = Rng::new(5);
    for _ in 0..50_000 {
        o.writer.put(T, &key(r.below(1_000_000)), &[1; 40], &mut |_| {}).unwrap();
    }
    let n = all(&o.store, T, None, Dir::Forward).len() as f64;
    for (lo, hi) in [(0u64, 1_000_000u64), (0, 500_000), (250_000, 300_000), (900_000, 910_000)] {
        let est = o.store.estimate(T, &key(lo), Some(&key(hi))).unwrap() as f64;
        let real = n * (hi - lo) as f64 / 1e6;
        assert!(est > real * 0.5 && est < real * 2.0, "{lo}..{hi}: estimated {est}, really {real}");
    }
    assert!(o.store.estimate(T, &key(0), None).unwrap() as f64 > n * 0.6);
    assert!(o.store.estimate(T, &key(500), Some(&key(501))).unwrap() <= 2);
    assert_eq!(o.store.estimate(T, &key(7), Some(&key(7))).unwrap(), 0);
    o.store.take_page_counts();
    o.store.get(T, &key(1), &mut Vec::new()).unwrap();
    assert_eq!(o.store.take_page_counts(), (o.store.tree_size(T).unwrap().1 as u64, 0));
}

/// Readers beside the writer: every value names its key, pairs are changed in an order that readers can check, and scans are sorted and complete.
fn readers_and_writer(keys: u64, readers: usize, steps: u64, frames: u64, io_threads: usize) {
    use std::sync::atomic::AtomicBool;
    let disk = SimDisk::new(6);
    let opts = StoreOptions { cache_size: frames * PAGE_SIZE as u64, io_threads };
    let mut o = Store::open(Arc::new(disk.clone()), opts).unwrap();
    o.writer.create_tree(T).unwrap();
    let value = |k: u64, version: u64| {
        // some grow and shrink, some overflow
        let len = 16 + if version % 50 == 49 { 9000 } else { (k * 7 + version * 13) % 90 };
        let mut v = [key(k), key(version)].concat();
        v.resize(len as usize, version as u8);
        v
    };
    // even keys stay; odd ones come and go
    for k in 0..keys {
        o.writer.put(T, &key(k), &value(k, 0), &mut |_| {}).unwrap();
    }
    let stop = AtomicBool::new(false);
    let fine = |k: &[u8], v: &[u8]| {
        assert_eq!(v[..8], *k, "a value of another key");
        let version = u64::from_be_bytes(v[8..16].try_into().unwrap());
        assert!(v[16..].iter().all(|b| *b == version as u8), "a torn value");
        version
    };
    std::thread::scope(|s| {
        for t in 0..readers {
            let (store, stop, fine) = (o.store.clone(), &stop, &fine);
            s.spawn(move || {
                let mut r = Rng::new(t as u64);
                let mut out = Vec::new();
                let mut c = store.cursor(T, None, Dir::Forward).unwrap();
                let mut newest = vec![0; keys as usize];
                let mut rounds = 0;
                while !stop.load(Relaxed) || rounds < 2 {
                    rounds += 1;
                    for _ in 0..20 {
                        let k = r.below(keys);
                        if store.get(T, &key(k), &mut out).unwrap() {
                            let version = fine(&key(k), &out);
                            assert!(version >= newest[k as usize], "an older value came back");
                            newest[k as usize] = version;
                        } else {
                            assert!(k % 2 == 1, "key {k} is lost");
                        }
                    }
                    let (dir, from) = if rounds % 2 == 0 { (Dir::Forward, 0) } else { (Dir::Backward, keys) };
                    c.seek(T, Some(&key(from)), None, dir).unwrap();
                    let (mut last, mut evens) = (None::<u64>, 0);
                    while let Some((k, v)) = c.next().unwrap() {
                        fine(k, v);
                        let k = u64::from_be_bytes(k.try_into().unwrap());
                        if let Some(l) = last {
                            assert!(if dir == Dir::Forward { k > l } else { k < l }, "out of order: {k} after {l}");
                        }
                        last = Some(k);
                        evens += (k % 2 == 0) as u64;
                    }
                    assert_eq!(evens, keys.div_ceil(2), "a scan misses or repeats entries");
                }
            });
        }
        let mut r = Rng::new(77);
        let mut ckpt: Option<Checkpoint> = None;
        for version in 1..=steps {
            let k = r.below(keys);
            if k % 2 == 1 && r.below(2) == 0 {
                o.writer.remove(T, &key(k)).unwrap();
            } else {
                o.writer.put(T, &key(k), &value(k, version), &mut |_| {}).unwrap();
            }
            if version % 200 == 0 {
                // clear a stretch of odd keys, so that leaves shrink and merge
                let from = r.below(keys);
                for k in (from | 1..(from + keys / 4).min(keys)).step_by(2) {
                    o.writer.remove(T, &key(k)).unwrap();
                }
            }
            match ckpt.take() {
                Some(mut c) => {
                    if c.step(2).unwrap() {
                        c.finish().map(|_| ()).unwrap()
                    } else {
                        ckpt = Some(c)
                    }
                }
                None if version % 100 == 0 => ckpt = Some(o.writer.begin_checkpoint(version, &[]).unwrap()),
                None => {}
            }
        }
        drop(ckpt);
        stop.store(true, Relaxed);
    });
    checkpoint(&mut o.writer, 1);
    checked(&disk);
}
#[test]
fn concurrent_readers_cached() {
    readers_and_writer(3000, 3, 20_000, 4096, 0);
}
#[test]
fn concurrent_readers_evicting() {
    readers_and_writer(6000, 3, 8000, 64, 0);
}
#[test]
fn concurrent_readers_io_threads() {
    readers_and_writer(6000, 3, 8000, 64, 2);
}
/// Small enough for Miri: `cargo +nightly miri test -p pamir-storage miri_`.
#[test]
fn miri_readers_and_writer() {
    if cfg!(miri) { readers_and_writer(8, 1, 6, 64, 0) } else { readers_and_writer(400, 2, 500, 64, 0) }
}

// ---- faults

fn try_open(disk: &SimDisk) -> Result<Opened> {
    Store::open(Arc::new(disk.clone()), StoreOptions { cache_size: 0, io_threads: 0 })
}
/// A store with a checkpoint at 1 and its content.
fn filled(disk: &SimDisk) -> Model {
    let mut o = open(disk, 64);
    o.writer.create_tree(T).unwrap();
    let mut m = Model::new();
    let mut r = Rng::new(1);
    for _ in 0..1500 {
        let (k, v) = (random_key(&mut r, 5000), random_value(&mut r));
        o.writer.put(T, &k, &v, &mut |_| {}).unwrap();
        m.insert(k, v);
    }
    checkpoint(&mut o.writer, 1);
    m
}

#[test]
fn a_flipped_bit_is_never_a_wrong_row() {
    let disk = SimDisk::new(1);
    let m = filled(&disk);
    let len = disk.content(DATA_FILE).unwrap().len() as u64;
    let (mut refused, mut reported) = (0, 0);
    for i in 0..120u64 {
        let bit = (i * 7919 * 8191 + i) % (len * 8);
        disk.flip_bit(DATA_FILE, bit);
        match try_open(&disk) {
            Err(e) => {
                assert_eq!(e.code().as_str(), "XX001", "{e}");
                refused += 1;
            }
            Ok(o) => {
                let mut c = o.store.cursor(T, None, Dir::Forward);
                let mut want = m.iter();
                let problem = loop {
                    match c.as_mut().map_err(|e| e.clone()).and_then(|c| c.next()) {
                        Ok(Some((k, v))) => assert!(want.next() == Some((&k.to_vec(), &v.to_vec()))),
                        Ok(None) => {
                            assert!(want.next().is_none());
                            break None;
                        }
                        Err(e) => break Some(e),
                    }
                };
                if let Some(e) = problem {
                    assert_eq!(e.code().as_str(), "XX001", "{e}");
                    assert!(e.message().contains("of tree 16"), "{e}");
                    reported += 1;
                    let r = check::check(Arc::new(disk.clone())).unwrap();
                    assert!(!r.is_clean() && r.problems[0].contains("checksum"), "{:?}", r.problems);
                }
            }
        }
        disk.flip_bit(DATA_FILE, bit);
    }
    assert!(reported > 30, "{reported} reported, {refused} refused");
    checked(&disk);
}

#[test]
fn superblock_damage_and_versions() {
    let disk = SimDisk::new(2);
    let m = filled(&disk);
    let o = open(&disk, 64);
    let mut w = o.writer;
    w.put(T, b"later", b"2", &mut |_| {}).unwrap();
    checkpoint(&mut w, 2); // generation 3: copy 1 holds it, copy 0 generation 2
    drop((w, o.store));
    // the newest copy is damaged (as by a torn write): the other one serves
    disk.flip_bit(SUPER_FILE, 4096 * 8 + 200);
    let o = open(&disk, 64);
    assert_eq!(o.lsn, 1);
    same(&o.store, T, &m, "the older checkpoint");
    drop(o);
    disk.flip_bit(SUPER_FILE, 200);
    let e = try_open(&disk).err().unwrap();
    assert!(e.code().as_str() == "XX001" && e.data().hint.is_some(), "{e}");
    disk.flip_bit(SUPER_FILE, 200);
    // a newer format
    let f = disk.open(SUPER_FILE, false).unwrap();
    let mut b = vec![0u8; 4096];
    f.read_at(&mut b, 0).unwrap();
    b[12] = 2;
    let crc = crc32fast::hash(&b[12..]);
    b[8..12].copy_from_slice(&crc.to_le_bytes());
    f.write_at(&b, 0).unwrap();
    let e = try_open(&disk).err().unwrap();
    assert!(e.message().contains("format version 2"), "{e}");
    // something else altogether
    f.write_at(&[b'?'; 8192], 0).unwrap();
    let e = try_open(&disk).err().unwrap();
    assert!(e.message().contains("is not a Pamir superblock"), "{e}");
    // lost, beside a log
    disk.remove(SUPER_FILE).unwrap();
    disk.open("log.0000000000000001", true).unwrap();
    let e = try_open(&disk).err().unwrap();
    assert!(e.message().contains("has a log but no"), "{e}");
}

#[test]
fn a_full_disk_refuses_changes_and_never_a_checkpoint() {
    use crate::disk::sim::Faults;
    let disk = SimDisk::new(3);
    let mut m = filled(&disk);
    let mut o = open(&disk, 2048);
    let size = disk.content(DATA_FILE).unwrap().len() as u64 + (1 << 17);
    disk.set_faults(Faults { disk_full_at: Some(size), ..Faults::default() });
    let mut failed = 0;
    let mut r = Rng::new(8);
    for i in 0..30u64 {
        for _ in 0..60 {
            let (k, v) = (random_key(&mut r, 100_000), random_value(&mut r));
            match o.writer.put(T, &k, &v, &mut |_| {}) {
                Ok(()) => {
                    m.insert(k, v);
                }
                Err(e) => {
                    assert_eq!(e.code().as_str(), "53100", "{e}");
                    failed += 1;
                }
            }
        }
        o.writer.begin_checkpoint(2 + i, &[7; 30_000]).unwrap().finish().unwrap();
        checked(&disk);
    }
    assert!(failed > 20, "{failed}");
    same(&o.store, T, &m, "on a full disk");
    disk.set_faults(Faults::default());
    checkpoint(&mut o.writer, 100);
    checked(&disk);
    drop(o);
    disk.crash();
    let o = open(&disk, 64);
    assert_eq!(o.lsn, 100);
    same(&o.store, T, &m, "with space again");
}

#[test]
fn a_full_disk_during_eviction() {
    use crate::disk::sim::Faults;
    let disk = SimDisk::new(3);
    let m = filled(&disk);
    let mut o = open(&disk, 64);
    let size = disk.content(DATA_FILE).unwrap().len() as u64 + 8192;
    disk.set_faults(Faults { disk_full_at: Some(size), ..Faults::default() });
    let mut now = m.clone();
    let mut failed = 0;
    let mut r = Rng::new(8);
    for i in 0..3000u64 {
        let (k, v) = (random_key(&mut r, 50_000), vec![i as u8; 1500]);
        match o.writer.put(T, &k, &v, &mut |_| {}) {
            Ok(()) => {
                now.insert(k, v);
            }
            Err(e) => {
                assert_eq!(e.code().as_str(), "53100", "{e}");
                failed += 1;
            }
        }
    }
    assert!(failed > 100, "{failed}");
    disk.set_faults(Faults::default());
    same(&o.store, T, &now, "failed changes left no trace");
    checkpoint(&mut o.writer, 9);
    checked(&disk);
}

/// A file system may find no room even for pages of a file it has: the checkpoint is abandoned, the store lives, a later one succeeds.
#[test]
fn a_checkpoint_without_room_is_abandoned() {
    use crate::disk::sim::Faults;
    for seed in 0..60u64 {
        let disk = SimDisk::new(seed);
        let mut m = filled(&disk);
        let mut o = open(&disk, 64);
        o.writer.follow_log();
        let mut r = Rng::new(seed);
        let mut change = |w: &mut Writer, m: &mut Model, n: u64| {
            for _ in 0..n {
                let (k, v) = (random_key(&mut r, 3000), random_value(&mut r));
                match w.put(T, &k, &v, &mut |_| {}) {
                    Ok(()) => drop(m.insert(k, v)),
                    Err(e) => assert_eq!(e.code().as_str(), "53100", "{e}"),
                }
            }
        };
        let (mut abandoned, mut done) = (0, 0);
        for lsn in 2..8 {
            change(&mut o.writer, &mut m, 30);
            let mut c = o.writer.begin_checkpoint(lsn, &[1; 100]).unwrap();
            disk.set_faults(Faults { no_space_after: Some(seed % 25), ..Faults::default() });
            // evictions, too, meet it meanwhile
            change(&mut o.writer, &mut m, 20);
            let _ = c.step(1);
            change(&mut o.writer, &mut m, 20);
            match c.finish() {
                // a superblock without room for it is the one place of no return: it has its room from the first day
                Err(e) if o.store.failure().is_some() => {
                    assert_eq!(e.code().as_str(), "53100", "{e}");
                    break;
                }
                Err(e) => {
                    assert_eq!(e.code().as_str(), "53100", "{e}");
                    abandoned += 1;
                }
                Ok(_) => done = lsn,
            }
            disk.set_faults(Faults::default());
            same(&o.store, T, &m, "after it");
        }
        disk.set_faults(Faults::default());
        if o.store.failure().is_some() {
            continue;
        }
        assert!(abandoned > 0 || done > 0);
        checkpoint(&mut o.writer, 100);
        checked(&disk);
        drop(o);
        disk.crash();
        let o = open(&disk, 64);
        assert_eq!(o.lsn, 100);
        same(&o.store, T, &m, "in the end");
    }
}

#[test]
fn reserved_room_is_there() {
    use crate::disk::sim::Faults;
    for seed in 0..30u64 {
        let disk = SimDisk::new(seed);
        let mut m = filled(&disk);
        let mut o = open(&disk, 64);
        let mut r = Rng::new(seed);
        disk.set_faults(Faults { disk_full_at: Some(disk.used() + r.below(1 << 20)), ..Faults::default() });
        let (mut refused, mut lsn) = (0, 2);
        for _ in 0..400 {
            let batch: Vec<_> =
                (0..1 + r.below(6)).map(|_| (random_key(&mut r, 20_000), random_value(&mut r))).collect();
            let bytes = batch.iter().map(|(k, v)| (k.len() + v.len()) as u64).sum();
            match o.store.reserve(batch.len() as u64, bytes) {
                Ok(pages) => {
                    for (k, v) in batch {
                        o.writer.put(T, &k, &v, &mut |_| {}).expect("its room was reserved");
                        m.insert(k, v);
                    }
                    o.store.unreserve(pages);
                }
                Err(e) => {
                    assert_eq!(e.code().as_str(), "53100", "{e}");
                    refused += 1;
                    if refused % 20 == 0 {
                        o.writer.begin_checkpoint(lsn, &[]).unwrap().finish().expect("room for one is kept");
                        lsn += 1;
                    }
                }
            }
        }
        assert!(refused > 0, "seed {seed}");
        same(&o.store, T, &m, "what was accepted");
        o.writer.begin_checkpoint(lsn, &[]).unwrap().finish().unwrap();
        checked(&disk);
    }
}

#[test]
fn failed_writes_and_syncs_stop_the_store() {
    use crate::disk::sim::Faults;
    for n in 0..6 {
        for sync in [false, true] {
            let disk = SimDisk::new(n);
            let m = filled(&disk);
            let mut o = open(&disk, 2048);
            o.writer.put(T, b"more", b"1", &mut |_| {}).unwrap();
            let after = Some(n % if sync { 2 } else { 3 });
            disk.set_faults(Faults {
                fail_write_after: if sync { None } else { after },
                fail_sync_after: if sync { after } else { None },
                ..Faults::default()
            });
            let e = o.writer.begin_checkpoint(2, &[]).unwrap().finish().unwrap_err();
            assert_eq!(e.code().as_str(), "58030");
            disk.set_faults(Faults::default());
            assert!(o.writer.begin_checkpoint(3, &[]).is_err(), "what the disk holds is unknown");
            assert!(o.store.get(T, b"more", &mut Vec::new()).unwrap());
            drop(o);
            disk.crash();
            checked(&disk);
            let o = open(&disk, 64);
            let mut want = m.clone();
            if o.lsn == 2 {
                want.insert(b"more".to_vec(), b"1".to_vec());
            }
            same(&o.store, T, &want, "after the failure");
        }
    }
}

#[test]
fn threads_may_share() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Writer>();
    send::<Cursor>();
    send::<Checkpoint>();
    send::<crate::log::Log>();
    send::<Store>();
    sync::<Store>();
}

/// Many readers of a real file that is larger than the cache, beside a writer: batches of reads, the cleaner, reading ahead.
#[test]
fn real_files_larger_than_the_cache() {
    let dir = tempfile::tempdir().unwrap();
    for direct in [true, false] {
        let disk = crate::disk::real::RealDisk::open_with(&dir.path().join(direct.to_string()), direct).unwrap();
        let mut o = Store::open(disk, StoreOptions { cache_size: 1 << 20, io_threads: 4 }).unwrap();
        o.writer.create_tree(T).unwrap();
        let n = 6000u64;
        for i in 0..n {
            o.writer.put(T, &key(i), &[i as u8; 700], &mut |_| {}).unwrap();
        }
        checkpoint(&mut o.writer, 1);
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|s| {
            let readers: Vec<_> = (0..6u64)
                .map(|t| {
                    let (store, stop) = (o.store.clone(), &stop);
                    s.spawn(move || {
                        let (mut r, mut v, mut got) = (Rng::new(t), Vec::new(), 0u64);
                        while !stop.load(std::sync::atomic::Ordering::Relaxed) || got < 300 {
                            let i = r.below(n);
                            if t % 2 == 0 {
                                assert!(store.get(T, &key(i), &mut v).unwrap());
                                assert_eq!(v[..3], [i as u8; 3]);
                            } else {
                                let to = (i + 200).min(n);
                                let forward = r.below(2) == 0;
                                let (from, end, dir) =
                                    if forward { (i, to, Dir::Forward) } else { (to, i, Dir::Backward) };
                                let mut c = store.cursor_towards(T, Some(&key(from)), Some(&key(end)), dir).unwrap();
                                for k in 0..to - i {
                                    let want = if forward { i + k } else { to - 1 - k };
                                    let (k, v) = c.next().unwrap().unwrap();
                                    assert_eq!((k, v[0]), (&key(want)[..], want as u8));
                                }
                            }
                            got += 1;
                        }
                    })
                })
                .collect();
            let mut r = Rng::new(99);
            for lsn in 2..5 {
                for _ in 0..1500 {
                    let i = r.below(n);
                    o.writer.put(T, &key(i), &vec![i as u8; 600 + r.below(200) as usize], &mut |_| {}).unwrap();
                }
                checkpoint(&mut o.writer, lsn);
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            readers.into_iter().for_each(|t| t.join().unwrap());
        });
        let stats = o.store.stats();
        let count = |c: &std::sync::atomic::AtomicU64| c.load(std::sync::atomic::Ordering::Relaxed);
        assert!(count(&stats.pages_evicted) > 1000 && count(&stats.pages_read) > 1000);
        assert_eq!(all(&o.store, T, None, Dir::Forward).len() as u64, n);
    }
}

#[test]
fn the_directory_is_free_after_the_store() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..5u64 {
        let disk = crate::disk::real::RealDisk::open(dir.path()).unwrap();
        let mut o = Store::open(disk.clone(), StoreOptions { cache_size: 1 << 20, io_threads: 3 }).unwrap();
        drop(disk);
        assert_eq!(o.lsn, round);
        if round == 0 {
            o.writer.create_tree(T).unwrap();
        }
        for i in 0..2000 {
            o.writer.put(T, &key(i * 7 % 2000), &[round as u8; 900], &mut |_| {}).unwrap();
        }
        checkpoint(&mut o.writer, round + 1);
        assert_eq!(all(&o.store, T, None, Dir::Forward).len(), 2000);
    }
    let r = check::check(crate::disk::real::RealDisk::open(dir.path()).unwrap()).unwrap();
    assert!(r.is_clean() && r.entries == 2001, "{r:?}");
}

/// With a log behind, entries of leaves that a running checkpoint still owes change without a copy, and are in it; without one it is exact. Either way the trees' shape
/// is of its beginning.
#[test]
fn entries_changed_beside_a_checkpoint() {
    for log in [true, false] {
        let disk = SimDisk::new(log as u64);
        let mut o = open(&disk, 256);
        o.writer.create_tree(T).unwrap();
        if log {
            o.writer.follow_log();
        }
        let put = |w: &mut Writer, i: u64, v: u8| w.put(T, &key(i), &[v; 100], &mut |_| {}).unwrap();
        (0..4000).for_each(|i| put(&mut o.writer, i, 1));
        let aside = |o: &Opened| o.store.shared.pool.lock_inner().running.as_ref().map_or(0, |r| r.aside());
        let mut c = o.writer.begin_checkpoint(1, &[]).unwrap();
        c.step(10).unwrap();
        let (all, changed) = (c.left(), o.writer.dirty_bytes());
        assert!(all > 20, "{all}");
        assert_eq!(changed, 0);
        // the same size in place, another size, a removal, a new key
        (3000..4000).for_each(|i| put(&mut o.writer, i, 2));
        o.writer.put(T, &key(3500), &[3; 90], &mut |_| {}).unwrap();
        assert!(o.writer.remove(T, &key(3501)).unwrap());
        o.writer.put(T, &[&key(3502)[..], &[0]].concat(), &[4; 10], &mut |_| {}).unwrap();
        if log {
            assert_eq!((aside(&o), c.left(), o.writer.dirty_bytes()), (0, all, 0));
        } else {
            assert!(aside(&o) > 10, "{}", aside(&o));
        }
        // a value with pages of its own is nothing that replay could find half of: its leaf is kept as it was
        let kept = aside(&o);
        o.writer.put(T, &key(2000), &[5; 20_000], &mut |_| {}).unwrap();
        // and so are the leaves of a split
        (0..200u8).for_each(|i| o.writer.put(T, &[&key(2500)[..], &[i]].concat(), &[6; 100], &mut |_| {}).unwrap());
        assert!(aside(&o) >= kept + 2, "{kept} {}", aside(&o));
        assert_eq!(c.left(), all, "each page is written once");
        c.reaches(77);
        c.finish().unwrap();
        checked(&disk);
        let mut o = open(&disk, 256);
        assert_eq!((o.lsn, o.reach), (1, 77));
        let mut get = |k: &[u8]| {
            let mut v = Vec::new();
            o.writer.get(T, k, &mut v).unwrap().then_some(v)
        };
        let new = |a: &[u8], b: Option<&[u8]>| if log { Some(a.to_vec()) } else { b.map(|b| b.to_vec()) };
        assert_eq!(get(&key(3999)), new(&[2; 100], Some(&[1; 100])));
        assert_eq!(get(&key(3500)), new(&[3; 90], Some(&[1; 100])));
        assert_eq!(get(&key(3501)), if log { None } else { Some(vec![1; 100]) });
        assert_eq!(get(&[&key(3502)[..], &[0]].concat()), new(&[4; 10], None));
        assert_eq!(get(&key(2000)), Some(vec![1; 100]));
        assert_eq!(get(&key(2999)), Some(vec![1; 100]));
    }
}
