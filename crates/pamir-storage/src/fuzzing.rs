//! What the fuzz targets (`fuzz/`) drive that is not public: a directory of log segments, the bytes of a page, the pages of a checkpoint.
//!
//! Each function takes arbitrary bytes as a script, so that damage reaches what checksums would otherwise keep from it: fragments, pages and superblocks
//! are built with right checksums around wrong contents. Nothing here may panic, hang, or allocate what a damaged length claims. The tests below run the
//! same functions over random scripts; `scripts/fuzz.sh` lets libFuzzer look for worse ones.
use crate::disk::Disk;
use crate::disk::sim::SimDisk;
pub use crate::fuzz_script::Script;
use crate::log::{Log, LogOptions, fuzz_segments};
use crate::store::{self, StoreOptions, TreeId};
use std::sync::{Arc, OnceLock};

/// A log directory made by the script: it opens or is refused; what one opening replays the next one replays too, with what was appended in between.
pub fn log(data: &[u8]) {
    const SIZE: LogOptions = LogOptions { segment_size: crate::log::MIN_SEGMENT };
    let disk = SimDisk::new(1);
    let mut s = Script(data);
    let from = if s.byte() & 1 == 0 { 0 } else { s.u16() as u64 };
    for (name, bytes) in fuzz_segments(&mut s, from) {
        if let Ok(f) = disk.open(&name, true) {
            let _ = f.write_at(&bytes, 0);
        }
    }
    let disk: Arc<dyn Disk> = Arc::new(disk);
    let replay = || {
        let mut seen = Vec::new();
        let log = Log::open(disk.clone(), SIZE, from, &mut |lsn, r| {
            seen.push((lsn, r.to_vec()));
            Ok(())
        });
        log.map(|l| (l, seen))
    };
    let Ok((mut log, mut first)) = replay() else { return };
    assert!(first.windows(2).all(|w| w[0].0 < w[1].0), "positions rise");
    if let Ok(lsn) = log.append(b"one more") {
        log.sync().expect("a simulated disk without faults");
        first.push((lsn, b"one more".to_vec()));
    }
    drop(log);
    let (_, second) = replay().expect("what was opened and synced opens again");
    assert_eq!(second, first);
}

/// One page of arbitrary bytes through everything that reads pages.
pub fn page(data: &[u8]) {
    store::fuzz_page(data);
}

/// A small store's files: several levels, long values, two trees.
fn template() -> &'static Vec<(String, Vec<u8>)> {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let disk = SimDisk::new(7);
        let opts = StoreOptions { cache_size: 0, io_threads: 0 };
        let mut o = store::Store::open(Arc::new(disk.clone()), opts).expect("an empty directory opens");
        for t in 0..2 {
            let tree = TreeId(store::FIRST_TREE + t);
            o.writer.create_tree(tree).expect("a new tree");
            for i in 0..300u32 {
                let value = vec![i as u8; if i % 50 == 0 { 20_000 } else { 40 }];
                let key = format!("some/longer/key/{:05}", i * 7919 % 100_003);
                o.writer.put(tree, key.as_bytes(), &value, &mut |_| {}).expect("a put");
            }
        }
        let mut c = o.writer.begin_checkpoint(0, b"meta").expect("a checkpoint");
        while !c.step(16).expect("a step") {}
        c.finish().expect("its end");
        let names = disk.list().expect("a list");
        names.into_iter().map(|n| (n.clone(), disk.content(&n).unwrap_or_default())).collect()
    })
}
/// A checkpoint damaged behind right checksums: the offline check reports it or finds it harmless.
pub fn check(data: &[u8]) {
    let disk = SimDisk::new(1);
    let mut s = Script(data);
    let mut files = template().clone();
    while !s.is_empty() {
        store::fuzz_damage(&mut s, &mut files);
    }
    for (name, bytes) in files {
        let Ok(f) = disk.open(&name, true) else { return };
        let _ = f.write_at(&bytes, 0);
    }
    if let Ok(report) = store::check::check(Arc::new(disk)) {
        assert_eq!(report.is_clean(), report.problems.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{self, Rng};

    /// Random scripts, biased to small bytes.
    fn random(mut f: impl FnMut(&[u8])) {
        let r = &mut Rng::new(chance::seed(1));
        let end = chance::end(1);
        while std::time::Instant::now() < end {
            let (n, top) = (1 + r.index(200), *r.choose(&[4, 16, 256]));
            f(&r.bytes(n, top));
        }
    }
    /// Found by fuzzing: a header that claims a later position synced than the log reaches. It was opened, and the next opening then refused.
    #[test]
    fn a_log_that_ends_before_what_was_synced_is_refused() {
        let disk = SimDisk::new(1);
        let file = disk.open("log.0000000000000001", true).unwrap();
        let mut header = crate::log::fuzz_header(crate::log::MIN_SEGMENT, 1, 0, 1 << 30);
        header.resize(crate::log::MIN_SEGMENT as usize, 0);
        file.write_at(&header, 0).unwrap();
        let e = Log::open(Arc::new(disk), LogOptions::default(), 0, &mut |_, _| Ok(())).err().unwrap();
        assert_eq!(e.code().as_str(), "XX001");
        assert!(e.message().contains("log.0000000000000001"), "{e}");
    }
    #[test]
    #[cfg_attr(miri, ignore)]
    fn random_logs() {
        random(log);
    }
    #[test]
    #[cfg_attr(miri, ignore)]
    fn random_pages() {
        random(page);
    }
    #[test]
    #[cfg_attr(miri, ignore)]
    fn random_damage() {
        check(&[]);
        random(check);
    }
}
