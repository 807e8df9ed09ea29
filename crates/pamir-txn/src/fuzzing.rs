//! What the fuzz targets (`fuzz/`) drive that is not public: log records of arbitrary bytes, read and replayed behind right checksums.
//!
//! No record may panic, hang, or allocate what a damaged length claims: recovery refuses it (XX001) or applies it.
use crate::record::{self, Op, Reader, Record};
use crate::{Shard, ShardOptions};
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::fuzzing::Script;
use pamir_storage::log::{Log, LogOptions};
use std::sync::{Arc, OnceLock};

/// Reads one record to its end.
pub fn record(data: &[u8]) {
    let mut copy = data.to_vec();
    if record::has_ts(&copy) && copy.len() >= 18 {
        let _ = record::set_ts(&mut copy, 7);
    }
    let all = |mut r: Reader| while let Ok(Some(_)) = record::next_op(&mut r) {};
    match record::read(data) {
        Ok(Record::Commit { ops, .. }) => all(ops),
        Ok(Record::Prepare(b)) => {
            all(Reader(&b.ops));
            let mut locks = Reader(&b.locks);
            while let Ok(Some(_)) = record::next_lock(&mut locks) {}
            let mut out = record::header(record::PREPARE, 0);
            b.write(&mut out);
            let Ok(Record::Prepare(again)) = record::read(&out) else { panic!("what was written reads back") };
            assert_eq!(again, b);
        }
        Ok(Record::Direct { mut puts }) => while puts.bytes().is_ok() {},
        _ => {}
    }
}

const SEGMENT: u64 = 64 << 10;
fn options() -> ShardOptions {
    ShardOptions {
        cache_size: 1 << 20,
        io_threads: 0,
        log_segment_size: SEGMENT,
        checkpoint_bytes: 1 << 20,
        version_memory: 1 << 20,
        version_disk: 1 << 20,
        large_commit_bytes: 1 << 20,
        slice_ops: 16,
        part_cache: 1 << 20,
        write_set_memory: 1 << 20,
        write_set_spill: 1 << 20,
        write_set_disk: 64 << 20,
        platform: None,
        prepared_size: 64 << 20,
        lock_escalation: 1000,
        ..ShardOptions::default()
    }
}
/// The files of an empty shard.
fn template() -> &'static Vec<(String, Vec<u8>)> {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    FILES.get_or_init(|| {
        let disk = SimDisk::new(7);
        Shard::open_stepped(Arc::new(disk.clone()), options()).and_then(|s| s.close()).expect("an empty shard");
        let names = disk.list().expect("a list");
        names.into_iter().map(|n| (n.clone(), disk.content(&n).unwrap_or_default())).collect()
    })
}
fn key<'a>(s: &mut Script<'a>) -> &'a [u8] {
    let n = s.byte() as usize % 12;
    s.take(n)
}
/// A record as the script says: mostly one that the engine could have written.
fn next_record(s: &mut Script<'_>, ts: u64) -> Vec<u8> {
    let kind = s.byte();
    match kind % 8 {
        0..4 => {
            let mut r = record::commit_header(s.byte() as u64, 100, kind & 8 != 0);
            for _ in 0..1 + s.byte() % 8 {
                let tree = crate::TreeId(if s.byte() == 9 { s.number() } else { 32 + s.byte() as u64 % 4 });
                let op = match s.byte() % 8 {
                    0 | 1 => Op::CreateTree(tree),
                    2 => Op::DropTree(tree),
                    3 => Op::Delete(tree, key(s)),
                    4 => Op::Load(tree, key(s), b"value"),
                    _ => Op::Put(tree, key(s), s.take(1)),
                };
                record::push_op(&mut r, op);
            }
            if kind & 16 == 0 {
                let _ = record::set_ts(&mut r, if kind & 32 == 0 { ts } else { s.number() });
            }
            r
        }
        4 if kind & 64 != 0 => match s.byte() % 3 {
            0 => {
                let mut r = record::part_header(s.byte() as u64, s.byte() as u32 % 3, 0);
                record::push_op(&mut r, Op::Put(crate::TreeId(32), key(s), b"part"));
                r
            }
            1 => record::finish(s.number()),
            _ => {
                let mut r = record::commit_parts(s.byte() as u64, s.byte() as u32 % 3);
                let _ = record::set_ts(&mut r, s.number());
                r
            }
        },
        4 => record::commit_prepared(if s.byte() & 1 == 0 { "a" } else { "b" }, kind & 8 != 0),
        5 => record::abort_prepared(if s.byte() & 1 == 0 { "a" } else { "b" }),
        6 => record::direct(key(s), key(s)),
        _ => {
            let n = s.byte() as usize;
            s.take(n).to_vec()
        }
    }
}
/// A shard whose log holds the script's records: it opens and closes, or is refused.
pub fn replay(data: &[u8]) {
    let disk = SimDisk::new(1);
    for (name, bytes) in template() {
        let Ok(f) = disk.open(name, true) else { return };
        let _ = f.write_at(bytes, 0);
    }
    let disk: Arc<dyn Disk> = Arc::new(disk);
    // Appended by the log itself, after what is there.
    let from = match pamir_storage::store::check::check(disk.clone()) {
        Ok(r) => r.lsn,
        Err(_) => return,
    };
    let Ok(mut log) = Log::open(disk.clone(), LogOptions { segment_size: SEGMENT }, from, &mut |_, _| Ok(())) else {
        return;
    };
    let mut s = Script(data);
    let mut ts = 100;
    while !s.is_empty() {
        let mut r = next_record(&mut s, ts);
        if s.byte() == 3 && !r.is_empty() {
            let at = s.u16() as usize % r.len();
            r[at] ^= s.byte();
        }
        if log.append(&r).is_err() {
            return;
        }
        ts += 1;
    }
    if log.sync().is_err() {
        return;
    }
    drop(log);
    let Ok(shard) = Shard::open_stepped(disk.clone(), options()) else { return };
    if shard.close().is_ok() {
        drop(shard);
        assert!(Shard::open_stepped(disk, options()).is_ok(), "what was closed opens again");
    }
}

#[cfg(test)]
mod tests {
    use pamir_testkit::chance::{self, Rng};

    /// Random scripts.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn random_records() {
        let r = &mut Rng::new(chance::seed(1));
        let end = chance::end(1);
        while std::time::Instant::now() < end {
            let (n, top) = (1 + r.index(120), *r.choose(&[8, 40, 256]));
            let bytes = r.bytes(n, top);
            super::record(&bytes);
            super::replay(&bytes);
        }
    }
}
