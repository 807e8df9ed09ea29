//! The statistics views show what was done: counters rise by what a statement did and by no more, waits and locks are those there are.
use pamir_sql::session::{Database, Session};
use pamir_sql::settings::{ServerValues, Source};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn database() -> Arc<Database> {
    Database::open(Shard::open(Arc::new(SimDisk::new(3)), ShardOptions::default()).unwrap()).unwrap()
}
fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").unwrap()
}
fn run(s: &mut Session, sql: &str) -> String {
    let mut reply = Transcript::default();
    let shown = |text: &str| {
        let fields =
            |line: &str| line.split('|').map(|f| if f == "null" { "" } else { f }).collect::<Vec<_>>().join("|");
        text.lines().map(fields).collect::<Vec<_>>().join("\n")
    };
    let r = s.simple_query(sql, &mut reply).map(|()| shown(&reply.text()));
    r.unwrap_or_else(|e| format!("{} {}", e.code().as_str(), e.data().message))
}
/// Parse, Bind, Execute, Sync.
fn extended(s: &mut Session, sql: &str, values: &[&str]) {
    let mut reply = Transcript::default();
    let values: Vec<_> = values.iter().map(|v| Some(v.as_bytes())).collect();
    s.parse("", sql, &[], &mut reply).unwrap();
    s.bind("", "", &[], &values, &[], &mut reply).unwrap();
    s.execute("", 0, &mut reply).unwrap();
    s.sync(&mut reply).unwrap();
}
/// Waits for an answer that another session is about to cause.
fn until(s: &mut Session, sql: &str, wanted: &str) {
    let started = Instant::now();
    loop {
        let got = run(s, sql);
        if got == wanted {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{sql}: {got}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const TABLE: &str = "select seq_scan, seq_tup_read, idx_scan, idx_tup_fetch, n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, n_mod_since_analyze
    from pg_stat_user_tables where relname = 't'";
const INDEX: &str = "select idx_scan, idx_tup_read, idx_tup_fetch from pg_stat_user_indexes where indexrelname = '";

#[test]
fn tables_and_indexes_count_what_statements_did() {
    let db = database();
    let s = &mut session(&db);
    run(s, "create table t (id int primary key, a int, b text); create index t_a on t (a)");
    assert_eq!(run(s, TABLE), "0|0|0|0|0|0|0|0|0");
    run(s, "insert into t select n, n % 10, 'b' from generate_series(1, 100) n");
    run(s, "insert into t values (101, 1, 'x'), (102, 1, 'y')");
    run(s, "insert into t values (103, 1, 'x')");
    assert_eq!(run(s, TABLE), "0|0|0|0|103|0|0|103|103");
    run(s, "select count(b) from t");
    assert_eq!(run(s, TABLE), "1|103|0|0|103|0|0|103|103");
    // By the primary key: the fast way, simple and extended, of a row that is there and of one that is not.
    run(s, "select b from t where id = 7");
    run(s, "select b from t where id = 8");
    extended(s, "select b from t where id = $1", &["9"]);
    extended(s, "select b from t where id = $1", &["1000"]);
    assert_eq!(run(s, &format!("{INDEX}t_pkey'")), "4|3|3");
    run(s, "select b from t where id between 1 and 10");
    run(s, "select distinct b from t where id between 1 and 10 order by b");
    assert_eq!(run(s, &format!("{INDEX}t_pkey'")), "6|23|23");
    run(s, "set enable_seqscan = off");
    run(s, "select b from t where a = 3");
    assert_eq!(run(s, &format!("{INDEX}t_a'")), "1|10|10");
    // Only the index is read.
    run(s, "select count(a) from t where a = 3");
    assert_eq!(run(s, &format!("{INDEX}t_a'")), "2|20|10");
    assert_eq!(run(s, TABLE), "1|103|8|33|103|0|0|103|103");
    extended(s, "update t set b = 'z' where id = $1", &["5"]);
    run(s, "update t set a = a + 1 where a = 4");
    run(s, "delete from t where id = 1");
    run(s, "insert into t values (2, 5, 'q') on conflict (id) do update set b = excluded.b");
    let changes = "select n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, n_mod_since_analyze, analyze_count, last_analyze is null from pg_stat_user_tables";
    assert_eq!(run(s, changes), "103|12|1|102|116|0|t");
    run(s, "analyze t");
    assert_eq!(run(s, changes), "103|12|1|102|0|1|f");
    run(s, "insert into t values (500, 1, 'x')");
    assert_eq!(run(s, changes), "104|12|1|103|1|1|f");
    // What is counted stays with the table through its changes, and goes with it.
    run(s, "alter table t add column c int; alter table t rename to t2");
    assert_eq!(run(s, "select relname, n_tup_ins from pg_stat_user_tables"), "t2|104");
    run(s, "drop table t2; create table t2 (a int)");
    assert_eq!(run(s, "select relname, n_tup_ins, idx_scan from pg_stat_user_tables"), "t2|0|");
}

#[test]
fn databases_count_transactions_and_rows() {
    let db = database();
    let s = &mut session(&db);
    run(s, "create table t (id int primary key)");
    let of = "select xact_commit, xact_rollback, tup_inserted, tup_deleted, numbackends, sessions, deadlocks from pg_stat_database where datname = 'postgres'";
    let before: Vec<i64> = run(s, of).split('|').map(|n| n.parse().unwrap()).collect();
    run(s, "insert into t values (1), (2)");
    run(s, "begin; delete from t; rollback");
    run(s, "insert into t values (1)");
    let other = session(&db);
    let after: Vec<i64> = run(s, of).split('|').map(|n| n.parse().unwrap()).collect();
    let rise: Vec<i64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
    // Of commits, the first reading of the view is one.
    assert_eq!(rise, [2, 2, 2, 2, 1, 1, 0]);
    drop(other);
    assert_eq!(
        run(
            s,
            "select numbackends, blks_hit > 0, session_time > 0, active_time > 0 from pg_stat_database where datname = 'postgres'"
        ),
        "1|t|t|t"
    );
    run(s, "set work_mem = '64kB'");
    run(s, "select count(*) from (select n from generate_series(1, 20000) n order by n desc) x");
    assert_eq!(
        run(s, "select temp_files > 0, temp_bytes > 64000 from pg_stat_database where datname = 'postgres'"),
        "t|t"
    );
}

#[test]
fn statements_count_by_their_text_without_constants() {
    let db = database();
    let s = &mut session(&db);
    run(s, "create table t (id int primary key, a int); insert into t select n, n from generate_series(1, 50) n");
    run(s, "select pg_stat_statements_reset()");
    for n in 0..20 {
        run(s, &format!("select a from t where id = {n}"));
        extended(s, "SELECT a FROM t  WHERE id = $1", &[&n.to_string()]);
    }
    for n in 0..5 {
        run(s, &format!("select count(*) from t where a > {n}"));
        run(s, &format!("insert into t values ({}, 1), ({}, 2)", 100 + 2 * n, 101 + 2 * n));
    }
    run(s, "select a from nosuch where id = 1");
    run(s, "prepare p as update t set a = a + 1 where id = $1");
    run(s, "execute p(3); execute p(4)");
    run(s, "begin; commit");
    run(s, "begin");
    run(s, "commit");
    let all = |s: &mut Session, like: &str| {
        run(s, &format!("select calls, rows, query from pg_stat_statements where query ilike '{like}' order by query"))
    };
    assert_eq!(all(s, "select a from%"), "40|38|select a from t where id = $1");
    assert_eq!(all(s, "select count%"), "5|5|select count(*) from t where a > $1");
    let inserts = run(s, "select sum(rows) from pg_stat_statements where query like 'insert%'");
    assert_eq!(inserts, "10");
    assert_eq!(all(s, "%update t set a%"), "2|2|prepare p as update t set a = a + $2 where id = $1");
    let begins = "select sum(calls) from pg_stat_statements where query ilike 'begin' or query ilike 'commit'";
    assert_eq!(run(s, begins), "4");
    let sane = "select bool_and(min_exec_time <= mean_exec_time and mean_exec_time <= max_exec_time and stddev_exec_time >= 0
        and abs(mean_exec_time * calls - total_exec_time) < 0.001 and queryid is not null and userid = 10 and toplevel) from pg_stat_statements";
    assert_eq!(run(s, sane), "t");
    assert_eq!(
        run(s, "select sum(shared_blks_hit) >= 40 from pg_stat_statements where query like 'select a from%'"),
        "t"
    );
    // Others' texts are not for everybody.
    run(s, "create role bob login; grant select on t to bob; set role bob");
    run(s, "select a from t where id = 1");
    assert_eq!(
        run(
            s,
            "select query, queryid is null, calls from pg_stat_statements where query like 'select a%' or calls = 40 order by calls"
        ),
        "select a from t where id = $1|f|1\n<insufficient privilege>|t|40"
    );
    run(s, "reset role");
    run(s, "set pg_stat_statements.track = none");
    run(s, "select pg_stat_statements_reset()");
    run(s, "select 1");
    assert_eq!(run(s, "select count(*) from pg_stat_statements"), "0");
    run(s, "set pg_stat_statements.track = top; set pg_stat_statements.track_utility = off");
    run(s, "set work_mem = '1MB'");
    run(s, "select 2");
    // A setting holds from the statement after the one that sets it.
    assert_eq!(
        run(s, "select query from pg_stat_statements order by 1"),
        "select $1\nset pg_stat_statements.track_utility = off"
    );
    assert_eq!(run(s, "select dealloc, stats_reset > now() - interval '1 minute' from pg_stat_statements_info"), "0|t");
}

#[test]
fn locks_and_waits_are_those_there_are() {
    let db = database();
    let s = &mut session(&db);
    run(s, "create table t (id int primary key, a int); insert into t values (1, 1), (2, 2)");
    let (a, b) = (&mut session(&db), session(&db));
    let (pid_a, pid_b) = (a.key().0, b.key().0);
    let state = |pid: i32| {
        format!(
            "select state, wait_event_type, wait_event, xact_start is null, backend_xid is null from pg_stat_activity where pid = {pid}"
        )
    };
    assert_eq!(run(s, &state(pid_a)), "idle|Client|ClientRead|t|t");
    run(a, "begin");
    run(a, "select a from t");
    assert_eq!(run(s, &state(pid_a)), "idle in transaction|Client|ClientRead|f|t");
    run(a, "update t set a = 5 where id = 1");
    assert_eq!(run(s, &state(pid_a)), "idle in transaction|Client|ClientRead|f|f");
    let held = format!(
        "select locktype, relation::regclass, mode, granted from pg_locks where pid = {pid_a} order by 1, 2, 3"
    );
    assert_eq!(
        run(s, &held),
        "relation|t|AccessShareLock|t\nrelation|t|RowExclusiveLock|t\ntransactionid||ExclusiveLock|t\nvirtualxid||ExclusiveLock|t"
    );
    std::thread::scope(|scope| {
        let waiter = scope.spawn(move || {
            let mut b = b;
            (run(&mut b, "update t set a = 6 where id = 1"), b)
        });
        until(s, &state(pid_b), "active|Lock|transactionid|f|f");
        assert_eq!(
            run(s, &format!("select pg_blocking_pids({pid_b}), pg_blocking_pids({pid_a})")),
            format!("{{{pid_a}}}|{{}}")
        );
        // As monitoring asks it: who waits for the transaction of whom.
        let who = "select w.pid, h.pid from pg_locks w join pg_locks h on w.transactionid = h.transactionid and h.granted where not w.granted";
        assert_eq!(run(s, who), format!("{pid_b}|{pid_a}"));
        assert_eq!(
            run(s, "select relation::regclass, mode, granted from pg_locks where locktype = 'tuple'"),
            "t|ExclusiveLock|t"
        );
        run(a, "commit");
        let (reply, mut b) = waiter.join().unwrap();
        assert_eq!(reply, "");
        run(&mut b, "begin; lock table t in access exclusive mode");
        let reader = scope.spawn(|| run(a, "select a from t where id = 1"));
        until(s, &state(pid_a), "active|Lock|relation|f|t");
        assert_eq!(
            run(s, "select pid, relation::regclass, mode from pg_locks where not granted"),
            format!("{pid_a}|t|AccessShareLock")
        );
        run(&mut b, "rollback");
        assert_eq!(reader.join().unwrap(), "6");
    });
    assert_eq!(run(s, "select count(*) from pg_locks where pid <> pg_backend_pid()"), "0");
}

#[test]
fn prepared_statements_are_listed() {
    let db = database();
    let s = &mut session(&db);
    let mut r = Transcript::default();
    run(s, "prepare b (int, text) as select $1, $2");
    s.parse("a", "select $1::int8 + 1", &[], &mut r).unwrap();
    s.sync(&mut r).unwrap();
    let list = "select name, statement, parameter_types, from_sql, prepare_time > now() - interval '1 hour' from pg_prepared_statements";
    assert_eq!(
        run(s, list),
        "a|select $1::int8 + 1|{bigint}|f|t\nb|prepare b (int, text) as select $1, $2|{integer,text}|t|t"
    );
    run(s, "deallocate b");
    s.close_statement("a").unwrap();
    assert_eq!(run(s, list), "");
}

#[test]
fn settings_say_where_they_come_from() {
    let db = database();
    let mut v = ServerValues::default();
    v.put("work_mem", "8MB", Source::File, false).unwrap();
    v.put("shared_buffers", "65536kB", Source::CommandLine, true).unwrap();
    db.configure(v);
    let s = &mut session(&db);
    let of = "select name, setting, unit, source, reset_val, context from pg_settings where name in ('work_mem', 'shared_buffers', 'port') order by 1";
    assert_eq!(
        run(s, of),
        "port|5432||default|5432|postmaster\nshared_buffers|8192|8kB|command line|8192|postmaster\nwork_mem|8192|kB|configuration file|8192|user"
    );
    run(s, "set work_mem = '1MB'");
    assert_eq!(
        run(s, "select setting, source, reset_val from pg_settings where name = 'work_mem'"),
        "1024|session|8192"
    );
    run(s, "reset work_mem");
    assert_eq!(run(s, "show work_mem; show shared_buffers"), "8MB\n64MB");
    let versions = run(s, "show server_version; show server_version_num; select version()");
    let v: Vec<&str> = versions.lines().collect();
    assert!(v[2].starts_with(&format!("PostgreSQL {} on ", v[0])), "{versions}");
    let (major, minor) = v[0].split(' ').next().unwrap().split_once('.').unwrap();
    assert_eq!(v[1], format!("{major}{:04}", minor.parse::<u32>().unwrap()));
}
