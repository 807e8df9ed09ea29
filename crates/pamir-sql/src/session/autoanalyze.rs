//! ANALYZE without being asked: a thread that looks at the tables now and then, and gathers statistics of those that were loaded or have changed much.
//!
//! A table is due when the rows that were inserted, updated and deleted since its last ANALYZE ([`pamir_catalog::usage`] counts them) are more than
//! `autovacuum_analyze_threshold` and `autovacuum_analyze_scale_factor` of its rows; one that has no statistics, once it has more rows than the threshold. The counters start
//! at zero with the server: of a table that was not analyzed since, the pages that it has and had say whether it has grown or shrunk as much.
//!
//! It disturbs nobody: it is the statement `ANALYZE table` of a session of its own, on a thread of the lowest priority, reads a sample at most
//! (see [`crate::ddl::analyze`]), waits for no lock longer than [`LOCK_TIMEOUT`], and does one table after the other.
//!
//! Limits: changes that leave a table as large as it was (updates in place) are forgotten when the server stops. Those of transactions that roll back count too.
use super::{Database, Session};
use crate::client::NullClient;
use pamir_catalog::Table;
use pamir_catalog::defs::quote_ident;
use pamir_types::Result;
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
                db.analyze_due(due, &|| told.now.load(Ordering::Relaxed));
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
    fn analyze_due(self: &Arc<Database>, due: Due, stop: &dyn Fn() -> bool) -> usize {
        let catalog = self.catalog();
        let mut done = 0;
        for d in catalog.databases() {
            for t in catalog.tables(d.oid) {
                if stop() {
                    return done;
                }
                if !self.is_due(t, due) {
                    continue;
                }
                let Some(schema) = catalog.schema(t.schema) else { continue };
                let name = format!("{}.{}", quote_ident(&schema.name), quote_ident(&t.name));
                match self.analyze_one(&d.name, &name) {
                    Ok(()) => {
                        done += 1;
                        tracing::debug!(database = %d.name, table = %name, "analyzed by itself");
                    }
                    // Locked by somebody, or dropped meanwhile: it is looked at again.
                    Err(e) => tracing::debug!(database = %d.name, table = %name, "not analyzed: {e}"),
                }
            }
        }
        done
    }
    fn is_due(&self, t: &Table, due: Due) -> bool {
        let entries = || self.engine.entries(t.tree()).map_or(0.0, |n| n as f64);
        let Some(stats) = &t.stats else { return entries() > due.threshold };
        let limit = |rows: f64| due.threshold + due.scale_factor * rows;
        if t.usage.changes_since_analyze() as f64 > limit(stats.rows) {
            return true;
        }
        let a = t.usage.analyzed();
        if a.count + a.auto_count > 0 || stats.pages == 0 {
            return false;
        }
        let Ok((pages, _)) = self.engine.tree_size(t.tree()) else { return false };
        if pages == stats.pages {
            return false;
        }
        let now = entries();
        let then = now * stats.pages as f64 / pages.max(1) as f64;
        (now - then).abs() > limit(then)
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
        let mut client = NullClient;
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
    use crate::transcript;
    use pamir_storage::disk::sim::SimDisk;
    use pamir_txn::{Shard, ShardOptions};

    #[test]
    fn what_was_loaded_or_changed_much_is_due_and_then_not_any_more() {
        let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
        let db = Database::open(shard).expect("database");
        let mut s = transcript::start(&db, "postgres").expect("session");
        let mut run = |sql: &str| {
            transcript::run(&mut s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
        };
        let all = |db: &Arc<Database>| {
            let c = db.catalog();
            let tables: Vec<_> = c.databases().iter().flat_map(|d| c.tables(d.oid)).cloned().collect();
            tables.iter().filter_map(|t| t.stats.as_ref().map(|s| (t.name.clone(), s.rows))).collect::<Vec<_>>()
        };
        let go = || false;
        run("create table t (a int primary key, b int); create table small (a int)");
        run("insert into small select g from generate_series(1, 20) g");
        assert_eq!(db.analyze_due(Due::default(), &go), 0, "too small");
        run("insert into t select g, g % 7 from generate_series(1, 3000) g");
        assert_eq!(db.analyze_due(Due::default(), &go), 1);
        assert_eq!(all(&db), [("t".to_string(), 3000.0)]);
        assert_eq!(db.analyze_due(Due::default(), &go), 0, "nothing has changed");
        // After a start as well, when the counters are at zero.
        let reset = |db: &Arc<Database>| {
            let c = db.catalog();
            c.databases().iter().flat_map(|d| c.tables(d.oid)).for_each(|t| t.usage.reset());
        };
        reset(&db);
        assert_eq!(db.analyze_due(Due::default(), &go), 0);
        run("insert into t select g, g % 7 from generate_series(3001, 3100) g");
        assert_eq!(db.analyze_due(Due::default(), &go), 0, "too little has changed");
        run("insert into t select g, g % 7 from generate_series(3101, 6000) g");
        assert_eq!(db.analyze_due(Due::default(), &go), 1);
        assert_eq!(all(&db), [("t".to_string(), 6000.0)]);
        // Updates in place are changes; the server's own ANALYZE is counted as such.
        run("update t set b = 8 where a <= 2000");
        assert_eq!(db.analyze_due(Due::default(), &go), 1, "updated in place");
        let analyzed = |name: &str| {
            let c = db.catalog();
            let tables: Vec<_> = c.databases().iter().flat_map(|d| c.tables(d.oid)).cloned().collect();
            tables.iter().find(|t| t.name == name).map(|t| (t.usage.analyzed().count, t.usage.analyzed().auto_count))
        };
        assert_eq!(analyzed("t"), Some((0, 2)));
        // What came before a stop shows in the pages.
        run("insert into t select g, g % 7 from generate_series(6001, 12000) g");
        reset(&db);
        assert_eq!(db.analyze_due(Due::default(), &go), 1, "loaded before the start");
        run("delete from t where a > 6000");
        run("analyze t");
        assert_eq!(analyzed("t"), Some((1, 1)));
        assert_eq!(db.analyze_due(Due::default(), &go), 0, "somebody has asked for it");
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
