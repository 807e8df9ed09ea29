//! CREATE, REINDEX and DROP INDEX CONCURRENTLY while others write: what the index gives is what the table has, whoever asks and when.
//!
//! Writers change, move, delete and lock rows in transactions of several statements, with savepoints and rollbacks, at READ COMMITTED and REPEATABLE READ; meanwhile one session makes indexes of
//! several kinds, asks the same of the table with and without each, builds it anew, asks again and drops it. (With [`State::after_others`] returning at once, or rows put without
//! their lock, it fails within a few rounds.)
//!
//! [`State::after_others`]: pamir_sql::session
use pamir_cluster::remote::rig::{Inline, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const ROWS: u64 = 1500;
const WRITERS: u64 = 4;
const ROUNDS: u64 = 14;

fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").unwrap()
}
fn ask(s: &mut Session, sql: &str) -> Result<String, String> {
    let mut reply = Transcript::default();
    match s.simple_query(sql, &mut reply) {
        Ok(()) => Ok(reply.text()),
        Err(e) => Err(format!("{} {}", e.code().as_str(), e.data().message)),
    }
}
fn run(s: &mut Session, sql: &str) -> String {
    ask(s, sql).unwrap_or_else(|e| panic!("{sql}: {e}"))
}
/// xorshift
struct Chance(u64);
impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}
/// One statement of a writer.
fn change(c: &mut Chance) -> String {
    let (a, b) = (c.below(ROWS * 5 / 4), c.below(50));
    match c.below(9) {
        0 | 1 => format!(
            "insert into t values ({a}, {b}, 'x{b}', array[{}]) on conflict (a) do update set b = excluded.b",
            b % 7
        ),
        2 | 3 => format!("update t set b = {b}, c = 'y{b}' where a = {a}"),
        4 => format!("delete from t where a = {a}"),
        5 => format!("select * from t where a = {a} for update"),
        6 => format!("update t set b = b + 1 where b = {b} and a % 5 = 0"),
        7 => format!("update t set a = a + 10000 where a = {a}"),
        _ => format!("update heap set b = {b} where b = {}", c.below(50)),
    }
}
fn write(db: &Arc<Database>, seed: u64, stop: &AtomicBool, done: &AtomicU64) {
    let (mut s, mut c) = (session(db), Chance(seed * 0x9e37_79b9 + 1));
    while !stop.load(Ordering::Relaxed) {
        let level = if c.below(4) == 0 { "repeatable read" } else { "read committed" };
        run(&mut s, &format!("begin isolation level {level}"));
        let (n, mut failed) = (1 + c.below(5), false);
        for _ in 0..n {
            let inner = c.below(5) == 0;
            if inner {
                run(&mut s, "savepoint s");
            }
            match ask(&mut s, &change(&mut c)) {
                Ok(_) => {}
                Err(e) => {
                    assert!(["40001", "40P01", "23505"].iter().any(|k| e.starts_with(k)), "{e}");
                    failed = true;
                    break;
                }
            }
            if inner && c.below(2) == 0 {
                run(&mut s, "rollback to s");
            }
        }
        let end = if failed || c.below(5) == 0 { "rollback" } else { "commit" };
        if let Err(e) = ask(&mut s, end) {
            assert!(e.starts_with("40"), "{e}");
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
}
/// Transactions that are older than an index and end after its rows were gone through: what they wrote is in it because they were waited for.
fn write_slowly(db: &Arc<Database>, stop: &AtomicBool) {
    let mut s = session(db);
    for n in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        run(&mut s, "begin");
        run(&mut s, &format!("insert into t values ({}, 7, 'x5', array[3])", 20_000 + n));
        run(&mut s, "insert into heap values (7, 'slow')");
        std::thread::sleep(Duration::from_millis(150));
        run(&mut s, "commit");
    }
}
/// What a table has, asked with its indexes and without them, through one snapshot.
fn compare(s: &mut Session, index: &str, table: &str, cond: &str) {
    let sql = format!("select count(*), coalesce(sum(hashtext({table}::text)), 0) from {table} where {cond}");
    let with = |on: &str| {
        let set = |n: &str| format!("set local enable_{n} = {on}; ");
        ["indexscan", "indexonlyscan", "bitmapscan"].map(set).concat()
    };
    run(s, "begin isolation level repeatable read");
    run(s, &with("off"));
    let table_has = run(s, &sql);
    run(s, &format!("{}set local enable_seqscan = off", with("on")));
    let plan = run(s, &format!("explain {sql}"));
    assert!(plan.contains(index), "{index} is not used: {plan}");
    assert_eq!(run(s, &sql), table_has, "{index}: {cond}");
    run(s, "rollback");
}

#[test]
fn indexes_made_beside_writers_have_every_row() {
    let db = Database::open(Shard::open(Arc::new(SimDisk::new(7)), ShardOptions::default()).unwrap()).unwrap();
    let mut s = session(&db);
    run(&mut s, "create table t (a int primary key, b int, c text, d int[]); create table heap (b int, c text)");
    run(
        &mut s,
        &format!("insert into t select i, i % 50, 'x' || i % 50, array[i % 7] from generate_series(1, {ROWS}) i"),
    );
    run(&mut s, "insert into heap select i % 50, 'x' || i from generate_series(1, 300) i");
    let kinds = [
        ("ib", "t (b)", "t", "b between 10 and 20"),
        ("ic", "t (c, b) include (d)", "t", "c = 'x5'"),
        ("ig", "t using gin (d)", "t", "d @> array[3]"),
        ("ip", "t (b desc) where b < 30", "t", "b < 25 and b > 3"),
        ("ie", "t ((b * 2))", "t", "b * 2 = 14"),
        ("ih", "heap (b)", "heap", "b = 7"),
        ("iu", "unique", "t", "c = 'x7' and b < 60"),
    ];
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for w in 0..WRITERS {
            let (db, stop, done) = (&db, &stop, &done);
            scope.spawn(move || write(db, w + 1, stop, done));
        }
        scope.spawn(|| write_slowly(&db, &stop));
        // The writers end whatever happens here.
        struct Ends<'a>(&'a AtomicBool);
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _ends = Ends(&stop);
        for round in 0..ROUNDS {
            let (name, on, table, cond) = kinds[round as usize % kinds.len()];
            match on {
                "unique" => run(&mut s, &format!("create unique index concurrently {name} on t (c, b, a)")),
                on => run(&mut s, &format!("create index concurrently {name} on {on}")),
            };
            compare(&mut s, name, table, cond);
            if round % 2 == 1 {
                run(&mut s, &format!("reindex index concurrently {name}"));
                compare(&mut s, name, table, cond);
            }
            run(&mut s, &format!("drop index concurrently {name}"));
        }
    });
    let left = run(&mut s, "select count(*) from pg_index where indrelid in ('t'::regclass, 'heap'::regclass)");
    assert!(left.contains('1'), "{left}");
    assert!(done.load(Ordering::Relaxed) > 50, "nobody wrote");
}

/// A snapshot that is older than an index does not read it: here, and where the data is elsewhere and a snapshot has its time from there.
#[test]
fn older_snapshots_do_not_read_it() {
    let shard = || Shard::open_stepped(Arc::new(SimDisk::new(9)), ShardOptions { io_threads: 0, ..Default::default() });
    let rig = Rig::new(shard().unwrap(), Arc::new(Inline), None).unwrap();
    for db in [Database::open(shard().unwrap()).unwrap(), Database::open(rig.engine.clone()).unwrap()] {
        let (mut s, mut old) = (session(&db), session(&db));
        run(&mut s, "create table t (a int primary key, b int); create table other (a int)");
        run(&mut s, "insert into t select i, i % 10 from generate_series(1, 300) i");
        run(&mut old, "begin isolation level repeatable read");
        run(&mut old, "select count(*) from other");
        run(&mut s, "create index concurrently t_b on t (b)");
        run(&mut s, "reindex index concurrently t_b");
        run(&mut old, "set local enable_seqscan = off");
        let e = ask(&mut old, "select count(*) from t where b = 3").unwrap_err();
        assert!(e.starts_with("40001"), "{e}");
        run(&mut old, "rollback");
        run(&mut old, "set enable_seqscan = off");
        let plan = run(&mut old, "explain select count(*) from t where b = 3");
        assert!(plan.contains("t_b"), "{plan}");
        assert_eq!(run(&mut old, "select count(*) from t where b = 3").trim(), "30");
        // A session whose transactions are SERIALIZABLE makes one, too, beside a writer.
        run(&mut old, "begin; lock table other in row exclusive mode");
        run(&mut s, "set default_transaction_isolation = 'serializable'");
        run(&mut s, "create index concurrently t_b2 on t (b, a)");
        run(&mut old, "rollback");
        assert_eq!(run(&mut s, "show transaction_isolation").trim(), "serializable");
    }
}

/// Who is waited for waits for the table himself: the one who is beside everybody else gives way, and what is left of the index can be dropped or built anew.
#[test]
fn a_circle_of_waits_ends() {
    let db = Database::open(Shard::open(Arc::new(SimDisk::new(11)), ShardOptions::default()).unwrap()).unwrap();
    let (mut s, mut writer) = (session(&db), session(&db));
    run(&mut s, "create table t (a int primary key, b int); insert into t select i, i from generate_series(1, 100) i");
    run(&mut writer, "begin; insert into t values (200, 200)");
    std::thread::scope(|scope| {
        let alters = scope.spawn(|| {
            // Once the other one waits for this transaction.
            let waits = "select count(*) from pg_stat_activity where wait_event = 'virtualxid'";
            while run(&mut writer, waits).trim() != "1" {
                std::thread::sleep(Duration::from_millis(2));
            }
            run(&mut writer, "alter table t add column c int");
            run(&mut writer, "commit")
        });
        let e = ask(&mut s, "create index concurrently t_b on t (b)").unwrap_err();
        assert!(e.starts_with("40P01"), "{e}");
        alters.join().unwrap();
    });
    let valid = "select indisvalid from pg_index where indexrelid = 't_b'::regclass";
    assert_eq!(run(&mut s, valid).trim(), "f");
    run(&mut s, "reindex index concurrently t_b");
    assert_eq!(run(&mut s, valid).trim(), "t");
    run(&mut s, "set enable_seqscan = off");
    assert_eq!(run(&mut s, "select a, c from t where b = 200").trim(), "200|null");
    // Nothing of what stood in is left.
    assert_eq!(run(&mut s, "select count(*) from pg_index where indrelid = 't'::regclass").trim(), "2");
}

/// What statements before it in a pipeline have written is not committed midway.
#[test]
fn not_behind_writes_of_a_pipeline() {
    let db = Database::open(Shard::open(Arc::new(SimDisk::new(12)), ShardOptions::default()).unwrap()).unwrap();
    let mut s = session(&db);
    run(&mut s, "create table t (a int primary key, b int)");
    let mut reply = Transcript::default();
    let mut step = |s: &mut Session, sql: &str| {
        s.parse("", sql, &[], &mut reply)?;
        s.bind("", "", &[], &[], &[], &mut reply)?;
        s.execute("", 0, &mut reply)
    };
    step(&mut s, "insert into t values (1, 1)").unwrap();
    let e = step(&mut s, "create index concurrently t_b on t (b)").unwrap_err();
    assert_eq!(e.code().as_str(), "25001", "{e}");
    s.fail(&e);
    s.sync(&mut Transcript::default()).unwrap();
    assert_eq!(run(&mut s, "select count(*) from t").trim(), "0");
    step(&mut s, "create index concurrently t_b on t (b)").unwrap();
    s.sync(&mut Transcript::default()).unwrap();
    assert_eq!(run(&mut s, "select indisvalid from pg_index where indexrelid = 't_b'::regclass").trim(), "t");
}
