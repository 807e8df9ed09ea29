//! pg_stat_statements: what each statement cost, by its normalized text, user and database.
//!
//! ```text
//!   PreparedStmt (shared by a thread's sessions) -- Cell: counters under a mutex of their own
//!                                                     |
//!   Registry: (user, database, number) -> Entry: text, cells that are alive, the sums of those that are gone
//! ```
//! A statement is numbered ([`super::fingerprint`]) and looked up when it runs for the first time; from then on recording is one uncontended mutex of the thread's own
//! statement. Reading sums the cells. An entry that is given up or reset is marked; whoever records into it next puts it back, empty.
//!
//! Limits: [`MAX_ENTRIES`] statements; beyond them the twentieth with the fewest calls is given up (pg_stat_statements_info.dealloc counts how often). Texts of
//! [`super::fingerprint::MAX_TEXT`] bytes.
use pamir_types::Oid;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};

/// Statements that are told apart (PostgreSQL's pg_stat_statements.max).
pub const MAX_ENTRIES: usize = 5000;
/// Of them given up when there are more.
const GIVEN_UP: usize = MAX_ENTRIES / 20;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key {
    pub user: Oid,
    pub database: Oid,
    pub query: i64,
}

/// What one execution took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Took {
    pub nanos: u64,
    pub rows: u64,
    /// Pages touched, and of them read from disk.
    pub pages: (u64, u64),
}

/// Sums over executions. Times in milliseconds.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Counters {
    pub calls: u64,
    pub total: f64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// Sum of squared distances from the mean (Welford).
    pub squares: f64,
    pub rows: u64,
    pub pages: u64,
    pub pages_read: u64,
}
impl Counters {
    #[inline]
    fn add(&mut self, t: &Took) {
        let ms = t.nanos as f64 / 1e6;
        self.calls += 1;
        self.total += ms;
        self.min = if self.calls == 1 { ms } else { self.min.min(ms) };
        self.max = self.max.max(ms);
        let off = ms - self.mean;
        self.mean += off / self.calls as f64;
        self.squares += off * (ms - self.mean);
        self.rows += t.rows;
        self.pages += t.pages.0;
        self.pages_read += t.pages.1;
    }
    /// Chan's way of joining two Welford sums.
    fn merge(&mut self, o: &Counters) {
        if o.calls == 0 {
            return;
        }
        if self.calls == 0 {
            *self = *o;
            return;
        }
        let (a, b) = (self.calls as f64, o.calls as f64);
        let off = o.mean - self.mean;
        self.squares += o.squares + off * off * a * b / (a + b);
        self.mean += off * b / (a + b);
        self.calls += o.calls;
        self.total += o.total;
        self.min = self.min.min(o.min);
        self.max = self.max.max(o.max);
        self.rows += o.rows;
        self.pages += o.pages;
        self.pages_read += o.pages_read;
    }
    pub fn stddev(&self) -> f64 {
        if self.calls > 1 { (self.squares / self.calls as f64).sqrt() } else { 0.0 }
    }
}

/// One statement.
pub struct Entry {
    pub key: Key,
    pub text: String,
    /// Not in the registry any more.
    gone: AtomicBool,
    /// The sums of cells that were dropped.
    past: Mutex<Counters>,
    cells: Mutex<Vec<Weak<Cell>>>,
}
impl Entry {
    fn read(&self) -> Counters {
        let mut sum = *self.past.lock();
        let cells = self.cells.lock();
        cells.iter().filter_map(Weak::upgrade).for_each(|c| sum.merge(&c.counters.lock()));
        sum
    }
    fn clear(&self) {
        *self.past.lock() = Counters::default();
        self.cells.lock().iter().filter_map(Weak::upgrade).for_each(|c| *c.counters.lock() = Counters::default());
    }
}

/// The counters of one statement object.
pub struct Cell {
    entry: Arc<Entry>,
    counters: Mutex<Counters>,
}
impl Drop for Cell {
    fn drop(&mut self) {
        let mut past = self.entry.past.lock();
        past.merge(self.counters.get_mut());
        drop(past);
        self.entry.cells.lock().retain(|c| c.strong_count() > 0);
    }
}

/// Where a statement object finds its counters: set when it runs first, for who ran it then.
#[derive(Default)]
pub struct Place(std::sync::OnceLock<(u64, Arc<Cell>)>);

/// All statements of a server.
#[derive(Default)]
pub struct Registry {
    entries: RwLock<FxHashMap<Key, Arc<Entry>>>,
    /// Times that entries were given up.
    dealloc: AtomicU64,
    /// Microseconds since 2000-01-01 UTC.
    reset_at: AtomicI64,
}

impl Registry {
    pub fn new(now: i64) -> Registry {
        Registry { reset_at: AtomicI64::new(now), ..Registry::default() }
    }
    /// Records an execution of the statement object that has `place`. `context`: who runs it (two equal numbers mean one user and database); `what`: its key and
    /// text, asked for when they are not known.
    #[inline]
    pub fn record(&self, place: &Place, context: u64, took: &Took, what: impl FnOnce() -> (Key, String)) {
        if let Some((of, cell)) = place.0.get()
            && *of == context
            && !cell.entry.gone.load(Relaxed)
        {
            cell.counters.lock().add(took);
            return;
        }
        self.record_new(place, context, took, what);
    }
    #[cold]
    fn record_new(&self, place: &Place, context: u64, took: &Took, what: impl FnOnce() -> (Key, String)) {
        match place.0.get() {
            None => {
                let entry = self.entry(what());
                let counters = Mutex::default();
                let cell = Arc::new(Cell { entry: entry.clone(), counters });
                entry.cells.lock().push(Arc::downgrade(&cell));
                place.0.get_or_init(|| (context, cell)).1.counters.lock().add(took);
            }
            Some((of, cell)) if *of == context => match self.put_back(&cell.entry) {
                None => cell.counters.lock().add(took),
                Some(other) => other.past.lock().add(took),
            },
            // Somebody else's by now (SET ROLE under a prepared statement).
            Some(_) => self.entry(what()).past.lock().add(took),
        }
    }
    fn entry(&self, (key, text): (Key, String)) -> Arc<Entry> {
        if let Some(e) = self.entries.read().get(&key) {
            return e.clone();
        }
        let new = || Entry { key, text, gone: AtomicBool::new(false), past: Mutex::default(), cells: Mutex::default() };
        let mut entries = self.entries.write();
        let e = entries.entry(key).or_insert_with(|| Arc::new(new())).clone();
        self.keep_bounded(&mut entries, &key);
        e
    }
    /// Makes the entry count again; Some: another one stands for the statement meanwhile.
    fn put_back(&self, e: &Arc<Entry>) -> Option<Arc<Entry>> {
        let mut entries = self.entries.write();
        if let Some(other) = entries.get(&e.key).filter(|o| !Arc::ptr_eq(o, e)) {
            return Some(other.clone());
        }
        entries.insert(e.key, e.clone());
        e.gone.store(false, Relaxed);
        self.keep_bounded(&mut entries, &e.key);
        None
    }
    /// Gives the least used up when there are too many; never `newest`.
    fn keep_bounded(&self, entries: &mut FxHashMap<Key, Arc<Entry>>, newest: &Key) {
        if entries.len() <= MAX_ENTRIES {
            return;
        }
        let mut all: Vec<(u64, Key)> =
            entries.values().filter(|e| e.key != *newest).map(|e| (e.read().calls, e.key)).collect();
        all.sort_unstable();
        for (_, key) in all.into_iter().take(GIVEN_UP) {
            if let Some(e) = entries.remove(&key) {
                e.gone.store(true, Relaxed);
                e.clear();
            }
        }
        self.dealloc.fetch_add(1, Relaxed);
    }
    /// Every statement with its sums, by key.
    pub fn read(&self) -> Vec<(Arc<Entry>, Counters)> {
        let entries: Vec<_> = self.entries.read().values().cloned().collect();
        let mut all: Vec<_> = entries.into_iter().map(|e| (e.read(), e)).filter(|x| x.0.calls > 0).collect();
        all.sort_by_key(|x| x.1.key);
        all.into_iter().map(|(c, e)| (e, c)).collect()
    }
    /// Forgets the statements of a user, a database, a number (0: any).
    pub fn reset(&self, user: Oid, database: Oid, query: i64, now: i64) {
        let is = |k: &Key| {
            (user == 0 || k.user == user)
                && (database == 0 || k.database == database)
                && (query == 0 || k.query == query)
        };
        self.entries.write().retain(|k, e| {
            if is(k) {
                e.gone.store(true, Relaxed);
                e.clear();
            }
            !is(k)
        });
        if (user, database, query) == (0, 0, 0) {
            self.dealloc.store(0, Relaxed);
            self.reset_at.store(now, Relaxed);
        }
    }
    /// (times that entries were given up, when all was reset last): pg_stat_statements_info.
    pub fn info(&self) -> (u64, i64) {
        (self.dealloc.load(Relaxed), self.reset_at.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(query: i64) -> Key {
        Key { user: 10, database: 5, query }
    }
    fn took(ms: u64) -> Took {
        Took { nanos: ms * 1_000_000, rows: 2, pages: (3, 1) }
    }
    fn record(r: &Registry, p: &Place, context: u64, query: i64, ms: u64) {
        r.record(p, context, &took(ms), || (key(query), format!("q{query}")));
    }
    fn calls(r: &Registry, query: i64) -> u64 {
        r.read().iter().filter(|x| x.0.key.query == query).map(|x| x.1.calls).sum()
    }

    #[test]
    fn cells_are_summed_alive_and_dropped() {
        let r = Registry::new(0);
        let (a, b) = (Place::default(), Place::default());
        for ms in [1, 2, 3] {
            record(&r, &a, 1, 7, ms);
        }
        for ms in [10, 20] {
            record(&r, &b, 1, 7, ms);
        }
        let check = || {
            let all = r.read();
            let c = all[0].1;
            assert_eq!((all.len(), c.calls, c.rows, c.pages, c.pages_read), (1, 5, 10, 15, 5));
            assert!((c.total - 36.0).abs() < 1e-9 && (c.mean - 7.2).abs() < 1e-9);
            assert_eq!((c.min, c.max), (1.0, 20.0));
            // Of 1, 2, 3, 10, 20: the population's.
            assert!((c.stddev() - 7.138_627_319_029_899).abs() < 1e-9);
        };
        check();
        drop(b);
        check();
        drop(a);
        check();
    }
    #[test]
    fn a_statement_that_another_role_runs_counts_for_that_role() {
        let r = Registry::new(0);
        let p = Place::default();
        record(&r, &p, 1, 7, 1);
        r.record(&p, 2, &took(1), || (Key { user: 11, ..key(7) }, "q7".into()));
        assert_eq!(r.read().iter().map(|x| (x.0.key.user, x.1.calls)).collect::<Vec<_>>(), [(10, 1), (11, 1)]);
    }
    #[test]
    fn what_is_reset_starts_again() {
        let r = Registry::new(0);
        let p = Place::default();
        record(&r, &p, 1, 7, 1);
        record(&r, &Place::default(), 1, 8, 1);
        r.reset(0, 0, 7, 1);
        assert_eq!((calls(&r, 7), calls(&r, 8), r.info()), (0, 1, (0, 0)));
        record(&r, &p, 1, 7, 1);
        record(&r, &p, 1, 7, 1);
        assert_eq!(calls(&r, 7), 2);
        r.reset(0, 0, 0, 9);
        assert_eq!((r.read().len(), r.info()), (0, (0, 9)));
    }
    #[test]
    fn there_are_only_so_many() {
        let r = Registry::new(0);
        let busy = Place::default();
        for _ in 0..3 {
            record(&r, &busy, 1, -1, 1);
        }
        let places: Vec<Place> = (0..MAX_ENTRIES as i64 * 2)
            .map(|q| {
                let p = Place::default();
                record(&r, &p, 1, q, 1);
                p
            })
            .collect();
        assert!(r.read().len() <= MAX_ENTRIES && r.info().0 > 0);
        assert_eq!(calls(&r, -1), 3);
        // One that was given up comes back.
        let lost = (0..MAX_ENTRIES as i64).find(|q| calls(&r, *q) == 0).unwrap();
        record(&r, &places[lost as usize], 1, lost, 1);
        assert_eq!(calls(&r, lost), 1);
    }
}
