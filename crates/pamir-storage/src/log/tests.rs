//! Tests of the log over the simulated disk.
use super::*;
use crate::disk::sim::SimDisk;
use pamir_testkit::Rng;

pub(super) const SEGMENT: u64 = 16 << 10;
type Records = Vec<(Lsn, Vec<u8>)>;
pub(super) fn open(disk: &SimDisk, from: Lsn) -> Result<(Log, Records)> {
    let mut got = Vec::new();
    let log = Log::open(Arc::new(disk.clone()), LogOptions { segment_size: SEGMENT }, from, &mut |lsn, r| {
        got.push((lsn, r.to_vec()));
        Ok(())
    })?;
    Ok((log, got))
}
pub(super) fn record(i: u64, len: usize) -> Vec<u8> {
    let mut v = i.to_le_bytes().to_vec();
    v.extend((0..len).map(|k| (i as usize * 31 + k) as u8));
    v
}

#[test]
fn records_come_back() {
    let disk = SimDisk::new(1);
    let (mut log, got) = open(&disk, 0).unwrap();
    assert!(got.is_empty());
    let mut want = Vec::new();
    for (i, len) in [0usize, 5, 100, 4000, 9000, 100_000, 1, 16_000, 12_200, 12_300].into_iter().enumerate() {
        let r = record(i as u64, len);
        want.push((log.append(&r).unwrap(), r));
        if i % 2 == 0 {
            assert_eq!(log.sync().unwrap(), log.end());
        }
    }
    log.sync().unwrap();
    drop(log);
    let (log, got) = open(&disk, 0).unwrap();
    assert!(got == want);
    assert_eq!(log.end(), want.last().unwrap().0);
    drop(log);
    for (i, (lsn, _)) in want.iter().enumerate() {
        let (mut log, got) = open(&disk, *lsn).unwrap();
        assert!(got == want[i + 1..], "from {lsn}");
        log.truncate_before(*lsn).unwrap();
    }
}

#[test]
fn records_are_read_by_position() {
    let disk = SimDisk::new(7);
    let (mut log, _) = open(&disk, 0).unwrap();
    let mut reader = LogReader::new(Arc::new(disk.clone()));
    let mut want = Vec::new();
    let mut after = log.end();
    for (i, len) in
        [0usize, 5, 4000, 100_000, 1, 16_000, 12_200, 12_300, 16_300, 40].into_iter().cycle().take(40).enumerate()
    {
        let r = record(i as u64, len);
        let end = log.append(&r).unwrap();
        want.push((after, end, r));
        after = end;
        if i % 3 == 0 {
            log.sync().unwrap();
        }
    }
    log.sync().unwrap();
    for (after, end, r) in want.iter().rev().chain(&want) {
        assert!(reader.read(*after, *end).unwrap() == *r, "{after}..{end}");
    }
    // From the middle on: what lies before goes, what is kept can be read, also after a restart that replays less.
    let (mid, last) = (&want[20], &want[39]);
    log.truncate_before(mid.0).unwrap();
    drop(log);
    disk.set_faults(crate::disk::sim::Faults { short_reads: Some(1000), ..Default::default() });
    let open = LogOptions { segment_size: SEGMENT };
    let mut got = 0;
    let log = Log::open_keeping(Arc::new(disk.clone()), open, mid.0, last.0, last.1, Arc::default(), &mut |_, _| {
        got += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!((got, log.end()), (1, last.1));
    let mut reader = LogReader::new(Arc::new(disk.clone()));
    for (after, end, r) in &want[20..] {
        assert!(reader.read(*after, *end).unwrap() == *r, "{after}..{end}");
    }
    assert_eq!(reader.read(want[0].0, want[0].1).unwrap_err().code().as_str(), "XX001");
    let name = disk.list().unwrap().into_iter().rfind(|n| segment::parse(n).is_some()).unwrap();
    for byte in 4096..disk.content(&name).unwrap().len() as u64 {
        if byte % 97 == 0 {
            disk.flip_bit(&name, byte * 8);
        }
    }
    let mut reader = LogReader::new(Arc::new(disk.clone()));
    assert_eq!(reader.read(last.0, last.1).unwrap_err().code().as_str(), "XX001");
}

#[test]
fn records_are_read_on_and_on() {
    for seed in 0..20 {
        let r = &mut Rng::new(seed);
        let disk = SimDisk::new(seed);
        let (mut log, _) = open(&disk, 0).unwrap();
        let mut want = vec![(log.end(), Vec::new())];
        for i in 0..60 {
            let len = *r.choose(&[0, 5, 300, 4_000, 16_000, 100_000]);
            let one = record(i, len);
            want.push((log.append(&one).unwrap(), one));
            if r.chance(3) {
                log.sync().unwrap();
            }
        }
        log.sync().unwrap();
        assert_eq!(Log::oldest(&disk).unwrap(), Some(0));
        let mut reader = LogReader::new(Arc::new(disk.clone()));
        let (mut at, mut n) = (want[0].0, 1);
        while at < log.durable() {
            let most = 1 + r.index(200_000);
            let (mut taken, before) = (0, n);
            let end = reader
                .read_some(at, log.durable(), most, &mut |lsn, one| {
                    assert!(taken < most && want[n] == (lsn, one.clone()), "seed {seed}: record {n}");
                    taken += one.len();
                    n += 1;
                })
                .unwrap();
            assert!(n > before && end == want[n - 1].0, "seed {seed}");
            at = end;
        }
        assert_eq!((n, reader.read_some(at, at, 1, &mut |_, _| ()).unwrap()), (want.len(), at));
        log.truncate_before(want[40].0).unwrap();
        let oldest = Log::oldest(&disk).unwrap().unwrap();
        assert!(oldest <= want[40].0 && oldest > 0, "seed {seed}");
    }
}

/// A log of several synced batches, the position before each, and all records.
fn filled(disk: &SimDisk, batches: u64) -> Records {
    let (mut log, _) = open(disk, 0).unwrap();
    let mut want = Vec::new();
    for b in 0..batches {
        for i in 0..3 {
            let r = record(b * 3 + i, 200 + (b * 37 % 500) as usize);
            want.push((log.append(&r).unwrap(), r));
        }
        log.sync().unwrap();
    }
    want
}

#[test]
fn a_flipped_bit_is_never_replayed() {
    let plain = SimDisk::new(2);
    let want = filled(&plain, 20);
    let names: Vec<String> = plain.list().unwrap().into_iter().filter(|n| segment::parse(n).is_some()).collect();
    assert!(names.len() > 1);
    let last_batch = want[want.len() - 4].0;
    let (mut refused, mut cut) = (0, 0);
    for (s, name) in names.iter().enumerate() {
        let len = plain.content(name).unwrap().len() as u64;
        for byte in (0..len).step_by(211) {
            let disk = SimDisk::new(2);
            filled(&disk, 20);
            disk.flip_bit(name, byte * 8 + byte % 8);
            match open(&disk, 0) {
                Ok((log, got)) => {
                    // harmless (padding, unused space), or in the last batch, which cannot be told from a torn tail
                    assert!(want.starts_with(&got), "{name} byte {byte}");
                    assert!(log.end() >= last_batch, "{name} byte {byte}: synced records were cut");
                    cut += (got.len() < want.len()) as u32;
                }
                Err(e) => {
                    assert_eq!(e.code().as_str(), "XX001", "{e}");
                    refused += 1;
                    if byte >= HEADER_SIZE {
                        assert!(e.message().contains(&names[s]) && e.message().contains("at byte"), "{e}");
                    }
                }
            }
        }
    }
    assert!(refused > 50 && cut > 0, "{refused} refused, {cut} cut");
}

#[test]
fn a_torn_tail_is_cut_for_good() {
    for seed in 0..60 {
        let disk = SimDisk::new(seed);
        let mut want = filled(&disk, 5);
        let (mut log, _) = open(&disk, 0).unwrap();
        let mut unsynced = Vec::new();
        for i in 0..40 {
            let r = record(1000 + i, 900);
            unsynced.push((log.append(&r).unwrap(), r));
        }
        log.write_out().unwrap();
        disk.crash();
        let (mut log, got) = open(&disk, 0).unwrap();
        assert!(got.starts_with(&want), "seed {seed}");
        assert!([&want[..], &unsynced[..]].concat().starts_with(&got), "seed {seed}");
        // nothing of the cut tail comes back to life behind new records of the same size
        want = got;
        for i in 0..3 {
            let r = record(2000 + i, 900);
            want.push((log.append(&r).unwrap(), r));
            log.sync().unwrap();
        }
        drop(log);
        let (_, got) = open(&disk, 0).unwrap();
        assert!(got == want, "seed {seed}");
    }
}

#[test]
fn failures_poison() {
    use crate::disk::sim::Faults;
    for (faults, code) in [
        (Faults { fail_write_after: Some(0), ..Faults::default() }, "58030"),
        (Faults { fail_sync_after: Some(0), ..Faults::default() }, "58030"),
        (Faults { no_space_after: Some(0), ..Faults::default() }, "53100"),
    ] {
        let disk = SimDisk::new(3);
        let want = filled(&disk, 3);
        let (mut log, _) = open(&disk, 0).unwrap();
        disk.set_faults(faults);
        let e = log.append(&record(0, 3000)).and_then(|_| log.sync()).unwrap_err();
        assert_eq!(e.code().as_str(), code);
        disk.set_faults(Faults::default());
        assert_eq!(log.append(b"x").unwrap_err().code(), e.code(), "stays refused when the disk is well again");
        assert_eq!(log.sync().unwrap_err().code(), e.code());
        assert_eq!(log.truncate_before(0).unwrap_err().code(), e.code());
        drop(log);
        disk.crash();
        let (_, got) = open(&disk, 0).unwrap();
        assert!(got.starts_with(&want));
    }
}

#[test]
fn a_full_disk_refuses_batches_whole() {
    use crate::disk::sim::Faults;
    for seed in 0..40u64 {
        let (disk, r) = (SimDisk::new(seed), &mut Rng::new(seed));
        let mut want = filled(&disk, 3);
        let (mut log, _) = open(&disk, 0).unwrap();
        let full = |spare: u64| Faults { disk_full_at: Some(disk.used() + spare), ..Faults::default() };
        let (mut refused, mut number, mut from) = (0, 0, 0);
        for round in 0..6 {
            disk.set_faults(full(r.below(3 * SEGMENT)));
            for _ in 0..30 {
                let batch: Vec<Vec<u8>> = (0..1 + r.below(4))
                    .map(|_| {
                        number += 1;
                        let len = if r.chance(8) { 20_000 } else { r.below(3000) };
                        record(number, len as usize)
                    })
                    .collect();
                let (before, writes, files) = (log.end(), disk.write_count(), disk.list().unwrap());
                match log.reserve(batch.iter().map(|r| r.len())) {
                    Ok(()) => {
                        let files = disk.list().unwrap().len();
                        want.extend(batch.into_iter().map(|r| (log.append(&r).unwrap(), r)));
                        log.sync().unwrap();
                        assert_eq!(disk.list().unwrap().len(), files, "all segments were there beforehand");
                    }
                    Err(e) => {
                        assert_eq!(e.code().as_str(), "53100", "{e}");
                        assert!(e.data().hint.is_some() && log.failure().is_none());
                        assert_eq!((log.end(), log.durable()), (before, before), "nothing has changed");
                        assert!(disk.write_count() > writes, "it tried");
                        assert!(disk.list().unwrap().len() <= files.len() + 1, "no file is left half made");
                        refused += 1;
                    }
                }
            }
            match round % 3 {
                // room by a checkpoint alone, the disk as full as it was
                0 => {
                    let could = log.can_recycle();
                    log.truncate_before(log.durable()).unwrap();
                    want.clear();
                    from = log.durable();
                    if could {
                        want.push((log.append(&record(0, 2000)).unwrap(), record(0, 2000)));
                        log.sync().unwrap();
                    }
                }
                1 => {}
                _ => disk.set_faults(Faults::default()),
            }
        }
        assert!(refused > 0, "seed {seed}");
        disk.set_faults(Faults::default());
        want.push((log.append(&record(9, 50_000)).unwrap(), record(9, 50_000)));
        log.sync().unwrap();
        drop(log);
        disk.crash();
        let (_, got) = open(&disk, from).unwrap();
        assert!(got == want, "seed {seed}: {} records, {} wanted", got.len(), want.len());
    }
}

#[test]
fn short_reads_and_recycling() {
    use crate::disk::sim::Faults;
    let disk = SimDisk::new(4);
    let (mut log, _) = open(&disk, 0).unwrap();
    let mut kept = Vec::new();
    let mut first = 0;
    for i in 0..400 {
        let r = record(i, 600);
        let lsn = log.append(&r).unwrap();
        log.sync().unwrap();
        kept.push((lsn, r));
        if i % 50 == 49 {
            log.truncate_before(lsn).unwrap();
            (first, kept) = (lsn, Vec::new());
        }
    }
    for i in 0..20 {
        kept.push((log.append(&record(i, 700)).unwrap(), record(i, 700)));
    }
    let from = log.sync().unwrap();
    let files = disk.list().unwrap().len();
    assert!(files <= 3 + MAX_SPARES, "segments are reused: {files} files");
    drop(log);
    disk.set_faults(Faults { short_reads: Some(1000), ..Faults::default() });
    let (_, got) = open(&disk, first).unwrap();
    assert!(got == kept);
    let e = open(&disk, from + 8).err().unwrap();
    assert!(
        e.code().as_str() == "XX001" && e.data().detail.as_ref().is_some_and(|d| d.contains("the checkpoint")),
        "{e:?}"
    );
    assert!(open(&disk, 0).is_err(), "the first records are gone");
}

#[test]
fn another_version_is_named() {
    let disk = SimDisk::new(5);
    filled(&disk, 1);
    let name = segment::name(1);
    let f = disk.open(&name, false).unwrap();
    let mut b = [0u8; 48];
    f.read_at(&mut b, 0).unwrap();
    b[12] = 9;
    let crc = crc32fast::hash(&b[12..]);
    b[8..12].copy_from_slice(&crc.to_le_bytes());
    f.write_at(&b, 0).unwrap();
    let e = open(&disk, 0).err().unwrap();
    assert!(e.message().contains("format version 9"), "{e}");
}

/// Syncs that are handed out and done later, by whom and when a seed says; crashes, and logs that are dropped with one in somebody's hands.
#[test]
fn syncs_may_be_late() {
    let mut late = 0;
    for seed in 0..300 {
        let (disk, r) = (SimDisk::new(seed), &mut Rng::new(seed));
        let (mut want, mut number): (Records, u64) = (Vec::new(), 0);
        for life in 0..4 {
            let (mut log, got) = open(&disk, 0).unwrap();
            assert!(want.starts_with(&got), "seed {seed}, life {life}");
            want = got;
            let mut out: Option<Syncing> = None;
            for _ in 0..r.below(60) {
                match r.below(10) {
                    0..6 => {
                        number += 1;
                        let one = record(number, *r.choose(&[0, 40, 900, 5_000, 30_000]));
                        want.push((log.append(&one).unwrap(), one));
                    }
                    6 | 7 if out.is_none() => out = log.begin_sync().unwrap(),
                    8 => out.iter().for_each(|s| s.write().unwrap()),
                    _ => {
                        if let Some(s) = out.take() {
                            let ran = s.run();
                            assert_eq!(log.end_sync(&s, ran).unwrap(), s.upto());
                        }
                    }
                }
            }
            let durable = want.iter().filter(|w| w.0 <= log.durable()).count();
            let crash = r.chance(2);
            if crash {
                disk.crash();
            }
            drop(log);
            let (mut log, got) = open(&disk, 0).unwrap();
            assert!(got.len() >= durable && want.starts_with(&got), "seed {seed}, life {life}");
            want = got;
            number += 1;
            want.push((log.append(&record(number, 50)).unwrap(), record(number, 50)));
            log.sync().unwrap();
            // Another log has the directory: what the old one left is not written into it.
            if let Some(s) = out.take() {
                let before = disk.write_count();
                late += u32::from(s.run().is_err());
                assert_eq!(disk.write_count(), before, "seed {seed}, life {life}");
            }
        }
    }
    assert!(late > 50, "{late}");
}
