//! Walks over rows beside writers, on threads: what a seed cannot draw.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::real::RealDisk;
use pamir_testkit::chance;
use pamir_txn::{Shard, ShardOptions};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
struct Side(Session);
impl Side {
    /// Rows by `;`, or the tag where there are none, or the error's code and message.
    fn run(&mut self, sql: &str) -> String {
        let mut said = Transcript::default();
        match self.0.simple_query(sql, &mut said) {
            Ok(()) if said.rows("null").is_empty() => said.tag().to_string(),
            Ok(()) => said.rows("null").join(";"),
            Err(e) => format!("{} {}", e.code().as_str(), e.message()),
        }
    }
    #[track_caller]
    fn is(&mut self, sql: &str, want: &str) {
        assert_eq!(self.run(sql), want, "{sql}");
    }
}

/// Readers sum up a table whose rows change under them, never their sum: every walk sees each row once.
#[test]
fn sums_of_rows_that_change() {
    let dir = tempfile::tempdir().unwrap();
    let options = ShardOptions { cache_size: 16 << 20, io_threads: 1, ..ShardOptions::default() };
    let shard = Shard::open(RealDisk::open(dir.path()).unwrap(), options).unwrap();
    let db = Database::open(shard.clone()).unwrap();
    let session = || Side(transcript::start(&db, "postgres").unwrap());
    let mut w = session();
    w.is("create table t (id int primary key, v int, pad text)", "CREATE TABLE");
    w.is("insert into t select g, 10, 'x' from generate_series(1, 200) g", "INSERT 0 200");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let (stop, session) = (&stop, &session);
            scope.spawn(move || {
                let mut s = session();
                while !stop.load(Ordering::SeqCst) {
                    s.is("select sum(v), count(*) from t", "2000|200");
                }
            });
        }
        let end = chance::end(4);
        while Instant::now() < end {
            w.is("update t set v = v + case id when 1 then 1 else -1 end where id in (1, 2)", "UPDATE 2");
        }
        stop.store(true, Ordering::SeqCst);
    });
    drop(w);
    drop(db);
    shard.close().unwrap();
}
