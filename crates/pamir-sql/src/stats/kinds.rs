//! How long statements took, by kind: histograms for `/metrics`, a set of cells for each thread.
use pamir_catalog::usage::{lane, lanes};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Upper bounds of the buckets in microseconds; one more bucket has no bound.
pub const BOUNDS_MICROS: [u64; 17] = [
    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000, 10_000_000,
];
const BUCKETS: usize = BOUNDS_MICROS.len() + 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum StatementKind {
    Select = 0,
    Insert,
    Update,
    Delete,
    Other,
}
impl StatementKind {
    pub const ALL: [StatementKind; 5] = [
        StatementKind::Select,
        StatementKind::Insert,
        StatementKind::Update,
        StatementKind::Delete,
        StatementKind::Other,
    ];
    pub fn name(self) -> &'static str {
        ["select", "insert", "update", "delete", "other"][self as usize]
    }
}

#[derive(Default)]
struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    nanos: AtomicU64,
}
#[repr(align(128))]
#[derive(Default)]
struct Lane([Histogram; StatementKind::ALL.len()]);

/// The histograms of one server.
pub struct Durations(Box<[Lane]>);

impl Default for Durations {
    fn default() -> Self {
        Durations((0..lanes()).map(|_| Lane::default()).collect())
    }
}
/// A histogram as read: how many statements took no longer than each bound, all of them, and their time together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub upto: Vec<u64>,
    pub count: u64,
    pub seconds: f64,
}
impl Durations {
    #[inline]
    pub fn record(&self, kind: StatementKind, nanos: u64) {
        let Some(h) = self.0.get(lane()).map(|l| &l.0[kind as usize]) else { return };
        let micros = nanos.div_ceil(1000);
        let bucket = BOUNDS_MICROS.partition_point(|b| *b < micros);
        h.buckets[bucket].fetch_add(1, Relaxed);
        h.nanos.fetch_add(nanos, Relaxed);
    }
    pub fn read(&self, kind: StatementKind) -> Reading {
        let all = || self.0.iter().map(|l| &l.0[kind as usize]);
        let mut r = Reading::default();
        for b in 0..BUCKETS {
            r.count += all().map(|h| h.buckets[b].load(Relaxed)).sum::<u64>();
            if b < BOUNDS_MICROS.len() {
                r.upto.push(r.count);
            }
        }
        r.seconds = all().map(|h| h.nanos.load(Relaxed)).sum::<u64>() as f64 / 1e9;
        r
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        let d = Durations::default();
        for nanos in [1, 50_000, 50_001, 3_000_000_000, 60_000_000_000] {
            d.record(StatementKind::Update, nanos);
        }
        let r = d.read(StatementKind::Update);
        assert_eq!((r.upto[0], r.upto[1], r.upto[14], r.upto[15], r.upto[16], r.count), (2, 3, 3, 4, 4, 5));
        assert!((r.seconds - 63.000_100_002).abs() < 1e-6);
        assert_eq!(d.read(StatementKind::Select).count, 0);
    }
}
