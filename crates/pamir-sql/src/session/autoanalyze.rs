//! ANALYZE without being asked: a thread that looks at the tables now and then, and gathers statistics of those that were loaded or have changed much.
//!
//! A table is due when the rows that came or went since its last ANALYZE are more than `autovacuum_analyze_threshold` and
//! `autovacuum_analyze_scale_factor` of its rows. It asks the trees how large they are, which costs a few pages a table; a table that
//! has no statistics is due once it has more rows than the threshold.
//!
//! It disturbs nobody: it is the statement `ANALYZE table` of a session of its own, on a thread of the lowest priority, reads a sample at most
//! (see [`crate::ddl::analyze`]), waits for no lock longer than [`LOCK_TIMEOUT`], and does one table after the other.
//!
//! Limit: changes that leave a table as large as it was (updates in place) are not noticed.
use super::{Database, Session};
use crate::catalog::Table;
use crate::catalog::defs::quote_ident;
use crate::client::Deaf;
use pamir_types::{Oid, Result};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// When a table is due: the settings autovacuum_analyze_threshold, autovacuum_analyze_scale_factor and autovacuum_naptime.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// Rows that a table may have or change without being due.
    pub threshold: f64,
    /// ... and this part of its rows.
    pub scale_factor: f64,
    /// Between two looks at all tables.
    pub naptime: Duration,
}
impl Default for Due {
    fn default() -> Due {
        Due { threshold: 50.0, scale_factor: 0.1, naptime: Duration::from_secs(15) }
    }
}
const LOCK_TIMEOUT: &str = "1s";

/// What is known of a table since its last ANALYZE.
#[derive(Clone, Copy)]
struct Seen {
    tree: u64,
    /// Entries of its tree then.
    entries: f64,
}

/// The thread; it ends when this is dropped.
pub struct AutoAnalyze {
    stop: Arc<Stop>,
    thread: Option<std::thread::JoinHandle<()>>,
}
#[derive(Default)]
struct Stop {
    now: AtomicBool,
    lock: Mutex<()>,
    bell: Condvar,
}
impl AutoAnalyze {
    /// Begins to look after the tables; `settle` runs first on the thread (it lowers its priority).
    pub fn start(db: Arc<Database>, due: Due, settle: impl FnOnce() + Send + 'static) -> std::io::Result<AutoAnalyze> {
        let stop = Arc::new(Stop::default());
        let told = stop.clone();
        let thread = std::thread::Builder::new().name("analyze".into()).spawn(move || {
            settle();
            let mut seen = FxHashMap::default();
            loop {
                {
                    let guard = told.lock.lock().unwrap_or_else(PoisonError::into_inner);
                    if !told.now.load(Ordering::Relaxed) {
                        let _ = told.bell.wait_timeout(guard, due.naptime);
                    }
                }
                if told.now.load(Ordering::Relaxed) {
                    return;
                }
                db.analyze_due(due, &mut seen, &|| told.now.load(Ordering::Relaxed));
            }
        })?;
        Ok(AutoAnalyze { stop, thread: Some(thread) })
    }
}
impl Drop for AutoAnalyze {
    fn drop(&mut self) {
        {
            let _guard = self.stop.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.stop.now.store(true, Ordering::Relaxed);
        }
        self.stop.bell.notify_all();
        if let Some(t) = self.thread.take() {
            let _ = t.join();
        }
    }
}

impl Database {
    /// Analyzes what is due, one table after the other.
    fn analyze_due(self: &Arc<Database>, due: Due, seen: &mut FxHashMap<Oid, Seen>, stop: &dyn Fn() -> bool) -> usize {
        let catalog = self.catalog();
        let mut done = 0;
        for d in catalog.databases() {
            for t in catalog.tables(d.oid) {
                if stop() {
                    return done;
                }
                let Some(entries) = self.due(t, due, seen) else { continue };
                let Some(schema) = catalog.schema(t.schema) else { continue };
                let name = format!("{}.{}", quote_ident(&schema.name), quote_ident(&t.name));
                match self.analyze_one(&d.name, &name) {
                    Ok(()) => {
                        seen.insert(t.oid, Seen { tree: t.tree, entries });
                        done += 1;
                        tracing::debug!(database = %d.name, table = %name, rows = entries, "analyzed by itself");
                    }
                    // Locked by somebody, or dropped meanwhile: it is looked at again.
                    Err(e) => tracing::debug!(database = %d.name, table = %name, "not analyzed: {e}"),
                }
            }
        }
        seen.retain(|oid, _| catalog.table(*oid).is_some());
        done
    }
    /// How many rows a table has, if it is due.
    fn due(&self, t: &Table, due: Due, seen: &mut FxHashMap<Oid, Seen>) -> Option<f64> {
        let entries = self.shard.entries(t.tree()).ok()? as f64;
        let Some(stats) = &t.stats else { return (entries > due.threshold).then_some(entries) };
        let pages = self.shard.tree_size(t.tree()).ok()?.0 as f64;
        // After a start, or after somebody's ANALYZE: how large it was then is known by its pages.
        let known = seen.get(&t.oid).filter(|s| s.tree == t.tree).copied();
        let then = match known {
            Some(s) => s.entries,
            None if stats.pages > 0 => entries * stats.pages as f64 / pages.max(1.0),
            None => stats.rows,
        };
        if (entries - then).abs() > due.threshold + due.scale_factor * then {
            return Some(entries);
        }
        if known.is_none() {
            seen.insert(t.oid, Seen { tree: t.tree, entries: then });
        }
        None
    }
    fn analyze_one(self: &Arc<Database>, database: &str, table: &str) -> Result<()> {
        let catalog = self.catalog();
        let Some(user) = catalog.roles().into_iter().find(|r| r.superuser).map(|r| r.name.clone()) else {
            return Ok(());
        };
        let params = [
            ("user".to_string(), user),
            ("database".to_string(), database.to_string()),
            ("application_name".to_string(), "autovacuum worker".to_string()),
        ];
        let mut client = Deaf;
        let mut s = Session::start(self.clone(), &params, None, &mut client)?;
        s.state.info.activity.lock().background = true;
        let r = s.simple_query(&format!("set lock_timeout = '{LOCK_TIMEOUT}'"), &mut client);
        let r = r.and_then(|()| s.simple_query(&format!("analyze {table}"), &mut client));
        let synced = s.sync(&mut client);
        r.and(synced).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_storage::disk::sim::SimDisk;
    use pamir_txn::{Shard, ShardOptions};

    #[test]
    fn what_was_loaded_or_changed_much_is_due_and_then_not_any_more() {
        let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
        let db = Database::open(shard).expect("database");
        let params = [("user".to_string(), "postgres".to_string()), ("database".to_string(), "postgres".to_string())];
        let mut s = Session::start(db.clone(), &params, None, &mut Deaf).expect("session");
        let mut run = |sql: &str| {
            s.simple_query(sql, &mut Deaf).and_then(|()| s.sync(&mut Deaf)).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
        };
        let all = |db: &Arc<Database>| {
            let c = db.catalog();
            let tables: Vec<_> = c.databases().iter().flat_map(|d| c.tables(d.oid)).cloned().collect();
            tables.iter().filter_map(|t| t.stats.as_ref().map(|s| (t.name.clone(), s.rows))).collect::<Vec<_>>()
        };
        let mut seen = FxHashMap::default();
        let go = || false;
        run("create table t (a int primary key, b int); create table small (a int)");
        run("insert into small select g from generate_series(1, 20) g");
        assert_eq!(db.analyze_due(Due::default(), &mut seen, &go), 0, "too small");
        run("insert into t select g, g % 7 from generate_series(1, 3000) g");
        assert_eq!(db.analyze_due(Due::default(), &mut seen, &go), 1);
        assert_eq!(all(&db), [("t".to_string(), 3000.0)]);
        assert_eq!(db.analyze_due(Due::default(), &mut seen, &go), 0, "nothing has changed");
        // After a start as well.
        assert_eq!(db.analyze_due(Due::default(), &mut FxHashMap::default(), &go), 0);
        run("insert into t select g, g % 7 from generate_series(3001, 3100) g");
        assert_eq!(db.analyze_due(Due::default(), &mut seen, &go), 0, "too little has changed");
        run("insert into t select g, g % 7 from generate_series(3101, 6000) g");
        assert_eq!(db.analyze_due(Due::default(), &mut seen, &go), 1);
        assert_eq!(all(&db), [("t".to_string(), 6000.0)]);
        // The thread does the same, and ends when it is told to.
        run("insert into t select g, g % 7 from generate_series(6001, 20000) g");
        let soon = Due { naptime: Duration::from_millis(10), ..Due::default() };
        let thread = AutoAnalyze::start(db.clone(), soon, || {}).expect("thread");
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while all(&db) != [("t".to_string(), 20000.0)] {
            assert!(std::time::Instant::now() < end, "{:?}", all(&db));
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(thread);
    }
}
