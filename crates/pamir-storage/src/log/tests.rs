//! Tests of the log over the simulated disk.
use super::*;
use crate::disk::sim::SimDisk;

pub(super) const SEGMENT: u64 = 16 << 10;
pub(super) fn open(disk: &SimDisk, from: Lsn) -> Result<(Log, Vec<(Lsn, Vec<u8>)>)> {
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
