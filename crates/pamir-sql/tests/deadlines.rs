//! Deadlines in a simulation: what sleeps, waits for a lock or runs out of time does so in the simulated time, at once and in every run alike.
//!
//! The one thread is the sessions' and the machines' in turn; a session that waits for a lock of another therefore waits until its deadline.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::platform::{Sim, SimParker};
use pamir_storage::task;
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;
use std::time::Duration;

/// Who says what, how it must end, and how many milliseconds pass meanwhile.
const STEPS: &[(usize, &str, &str, u64)] = &[
    (0, "create table t (id int primary key, at timestamptz, by uuid)", "", 0),
    (0, "insert into t values (1, now(), gen_random_uuid()), (2, clock_timestamp(), null)", "", 0),
    (0, "select pg_sleep(86400)", "", 86_400_000),
    (0, "insert into t values (3, now(), gen_random_uuid())", "", 0),
    (0, "select 1 / (max(at) - min(at) > interval '1 day')::int from t", "", 0),
    (0, "set statement_timeout = '2s'", "", 0),
    (0, "select pg_sleep(10)", "57014", 2_000),
    (0, "select pg_sleep(1.5)", "", 1_500),
    (0, "begin", "", 0),
    (0, "update t set at = null where id = 1", "", 0),
    (1, "set lock_timeout = '3s'", "", 0),
    (1, "update t set at = now() where id = 1", "55P03", 3_000),
    (1, "set statement_timeout = '1s'", "", 0),
    (1, "update t set at = now() where id = 1", "57014", 1_000),
    (1, "lock table t in access exclusive mode nowait", "25P01", 0),
    (0, "commit", "", 0),
    (1, "update t set at = now() where id = 1", "", 0),
];

/// The names and bytes of the files that are left.
fn run(seed: u64) -> Vec<(String, Vec<u8>)> {
    let (disk, sim) = (SimDisk::new(seed), Arc::new(Sim::new(seed)));
    let opts =
        ShardOptions { io_threads: 0, cache_size: 64 << 20, platform: Some(sim.clone()), ..ShardOptions::default() };
    let shard = Shard::open_stepped(Arc::new(disk.clone()), opts).expect("shard");
    let db = Database::open(shard.clone()).expect("database");
    let parker = SimParker::new(sim, || shard.step_log() + shard.step_applier() > 0 || shard.step_checkpoint());
    task::with_parker(&parker, || {
        let mut sessions: Vec<Session> = (0..2).map(|_| transcript::start(&db, "postgres").expect("session")).collect();
        for (who, sql, want, millis) in STEPS {
            let before = parker.passed();
            let answer = sessions[*who].simple_query(sql, &mut Transcript::default());
            sessions[*who].sync(&mut Transcript::default()).expect("sync");
            assert_eq!(answer.map_or_else(|e| e.code().as_str().to_string(), |()| String::new()), *want, "{sql}");
            assert_eq!(parker.passed() - before, Duration::from_millis(*millis), "{sql}");
        }
    });
    drop(db);
    shard.close().expect("close");
    let content = |n: String| disk.content(&n).map(|c| (n, c));
    disk.list().expect("names").into_iter().filter_map(content).collect()
}

#[test]
fn deadlines_are_of_the_simulated_time() {
    let left = run(3);
    assert!(left == run(3), "a seed leaves other bytes the second time");
    assert!(left != run(4), "another seed leaves the same bytes");
}
