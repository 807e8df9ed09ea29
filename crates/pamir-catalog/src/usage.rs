//! Counters of a relation or a database, a cell for each thread.
//!
//! They hang on the descriptor (a table's, an index's) that the plan holds already, so that counting needs no look-up, and a clone of the descriptor that is
//! made to be altered shares them: they live as long as the relation does.
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Counters of a cell: one cache line.
const COUNTERS: usize = 8;

/// What a cell counts of a table or an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Of {
    /// Scans begun: of the whole table, or of the index.
    Scans = 0,
    /// Entries that scans read.
    Read,
    /// Rows that scans of an index fetched from the table.
    Fetched,
    Inserted,
    Updated,
    Deleted,
    /// Pages touched, and those of them read from disk.
    Pages,
    PagesRead,
}

/// What a cell counts of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum OfDatabase {
    Commits = 0,
    Rollbacks,
    Pages,
    PagesRead,
    /// Sessions begun.
    Sessions,
    /// Microseconds that statements ran.
    ActiveMicros,
    TempFiles,
    TempBytes,
}

#[repr(align(64))]
#[derive(Default)]
struct Cell([AtomicU64; COUNTERS]);

/// What is kept once for each relation, and changes seldom.
#[derive(Clone, Copy, Default, Debug)]
pub struct Analyzed {
    /// ANALYZE by a user: how often, and when last (microseconds since 2000-01-01 UTC).
    pub count: u64,
    pub last: Option<i64>,
    /// ANALYZE by the server itself.
    pub auto_count: u64,
    pub auto_last: Option<i64>,
    /// VACUUM by a user.
    pub vacuum_count: u64,
    pub vacuum_last: Option<i64>,
    /// Rows inserted, updated and deleted when it last began.
    pub changes_then: u64,
    /// Rows inserted less rows deleted when it last began.
    pub growth_then: i64,
}

#[derive(Default)]
struct Inner {
    /// Made when first counted: most relations of a large schema never are.
    cells: OnceLock<Box<[Cell]>>,
    analyzed: Mutex<Analyzed>,
}

/// The counters of one relation or database. Clones share them.
#[derive(Clone, Default)]
pub struct Usage(Arc<Inner>);

impl std::fmt::Debug for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Usage")
    }
}

impl Usage {
    #[inline]
    fn cell(&self) -> Option<&Cell> {
        self.0.cells.get_or_init(|| (0..lanes()).map(|_| Cell::default()).collect()).get(lane())
    }
    #[inline]
    fn count(&self, what: usize, n: u64) {
        if let Some(c) = self.cell().and_then(|c| c.0.get(what)) {
            c.fetch_add(n, Relaxed);
        }
    }
    fn sum(&self, what: usize) -> u64 {
        let cells = self.0.cells.get().map_or(&[][..], |c| c);
        cells.iter().filter_map(|c| c.0.get(what)).fold(0, |n, c| n.wrapping_add(c.load(Relaxed)))
    }
    #[inline]
    pub fn add(&self, what: Of, n: u64) {
        self.count(what as usize, n);
    }
    pub fn get(&self, what: Of) -> u64 {
        self.sum(what as usize)
    }
    /// A scan that ended: the entries it read and the rows it fetched.
    #[inline]
    pub fn scanned(&self, scans: u64, read: u64, fetched: u64) {
        let Some(c) = self.cell() else { return };
        for (what, n) in [(Of::Scans, scans), (Of::Read, read), (Of::Fetched, fetched)] {
            if n > 0 {
                c.0[what as usize].fetch_add(n, Relaxed);
            }
        }
    }
    #[inline]
    pub fn add_of_database(&self, what: OfDatabase, n: u64) {
        self.count(what as usize, n);
    }
    pub fn of_database(&self, what: OfDatabase) -> u64 {
        self.sum(what as usize)
    }

    /// Rows inserted, updated and deleted so far.
    pub fn changes(&self) -> u64 {
        self.get(Of::Inserted) + self.get(Of::Updated) + self.get(Of::Deleted)
    }
    fn growth(&self) -> i64 {
        self.get(Of::Inserted) as i64 - self.get(Of::Deleted) as i64
    }
    /// Rows changed since the last ANALYZE: when it is due again.
    pub fn changes_since_analyze(&self) -> u64 {
        self.changes().saturating_sub(self.0.analyzed.lock().changes_then)
    }
    /// Rows that came since the last ANALYZE, less those that went.
    pub fn growth_since_analyze(&self) -> i64 {
        self.growth() - self.0.analyzed.lock().growth_then
    }
    pub fn analyzed(&self) -> Analyzed {
        *self.0.analyzed.lock()
    }
    /// ANALYZE begins to sample: what changes from now on counts for the next one. The mark is for [`Usage::note_analyze`].
    pub fn mark(&self) -> (u64, i64) {
        (self.changes(), self.growth())
    }
    /// ANALYZE ended; `auto`: the server's own.
    pub fn note_analyze(&self, mark: (u64, i64), now: i64, auto: bool) {
        let mut a = self.0.analyzed.lock();
        (a.changes_then, a.growth_then) = mark;
        if auto {
            (a.auto_count, a.auto_last) = (a.auto_count + 1, Some(now));
        } else {
            (a.count, a.last) = (a.count + 1, Some(now));
        }
    }
    pub fn note_vacuum(&self, now: i64) {
        let mut a = self.0.analyzed.lock();
        (a.vacuum_count, a.vacuum_last) = (a.vacuum_count + 1, Some(now));
    }
    /// Back to zero (pg_stat_reset).
    pub fn reset(&self) {
        self.0.cells.get().into_iter().flatten().flat_map(|c| &c.0).for_each(|c| c.store(0, Relaxed));
        *self.0.analyzed.lock() = Analyzed::default();
    }
}

/// The counters of one database.
#[derive(Default)]
pub struct DatabaseUsage {
    /// Those that statements count ([`OfDatabase`]).
    pub often: Usage,
    pub deadlocks: AtomicU64,
    /// Microseconds of sessions that have ended.
    pub session_micros: AtomicU64,
    /// Microseconds that sessions were idle in a transaction.
    pub idle_in_transaction_micros: AtomicU64,
    /// Sessions that ended with their client gone, with an error, or by an operator.
    pub abandoned: AtomicU64,
    pub fatal: AtomicU64,
    pub killed: AtomicU64,
}

/// More threads than this share cells.
const MAX_LANES: usize = 16;

/// How many cells each counter has: no more than the machine has processors.
pub fn lanes() -> usize {
    static LANES: OnceLock<usize> = OnceLock::new();
    *LANES
        .get_or_init(|| std::thread::available_parallelism().map_or(1, |n| n.get()).next_power_of_two().min(MAX_LANES))
}

/// The calling thread's cell.
#[inline]
pub fn lane() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static LANE: usize = NEXT.fetch_add(1, Relaxed) & (lanes() - 1);
    }
    LANE.with(|l| *l)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_together() {
        let u = Usage::default();
        assert_eq!(u.get(Of::Inserted), 0);
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| (0..1000).for_each(|_| u.clone().add(Of::Inserted, 2)));
            }
        });
        u.scanned(1, 5, 3);
        assert_eq!((u.get(Of::Inserted), u.get(Of::Read), u.get(Of::Scans)), (8000, 5, 1));
        u.reset();
        assert_eq!((u.changes(), u.get(Of::Read)), (0, 0));
    }

    #[test]
    fn what_changes_while_analyze_samples_counts_for_the_next() {
        let u = Usage::default();
        u.add(Of::Inserted, 10);
        let mark = u.mark();
        u.add(Of::Deleted, 3);
        u.note_analyze(mark, 7, false);
        assert_eq!((u.changes_since_analyze(), u.growth_since_analyze()), (3, -3));
        assert_eq!((u.analyzed().count, u.analyzed().last, u.analyzed().auto_count), (1, Some(7), 0));
    }
}
