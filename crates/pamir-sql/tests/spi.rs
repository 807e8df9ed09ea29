//! Functions that run statements: what these see, what becomes of what they write, and how they end.
use pamir_catalog::well_known::PUBLIC;
use pamir_expr::env::Env;
use pamir_expr::func::{Body, Code, Function, ScalarFn, Volatility};
use pamir_expr::spi::{MAX_DEPTH, Query};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;

fn try_run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text().trim_end().replace('\n', " / "))
}
#[track_caller]
fn run(s: &mut Session, sql: &str) -> String {
    try_run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"))
}
#[track_caller]
fn is(s: &mut Session, sql: &str, want: &str) {
    assert_eq!(run(s, sql), want, "{sql}");
}
#[track_caller]
fn fails(s: &mut Session, sql: &str, code: &str) {
    match try_run(s, sql) {
        Ok(got) => panic!("{sql}: {got}"),
        Err(e) => assert_eq!(e.code().as_str(), code, "{sql}: {e:?}"),
    }
}
fn session(db: &Arc<Database>, user: &str) -> Session {
    transcript::start(db, user).expect("session")
}
fn function(
    db: &Database,
    name: &'static str,
    args: Vec<Oid>,
    ret: Oid,
    f: impl Fn(&[Datum], &mut dyn Env) -> Result<Datum> + Send + Sync + 'static,
) {
    let f: Arc<ScalarFn> = Arc::new(move |_, args, env| f(args, env));
    let f = Function::new(name, args, ret, Body::Scalar(Code::Closure(f)));
    db.register_function(PUBLIC, Function { strict: true, volatility: Volatility::Volatile, ..f }).expect(name);
}
fn text(d: &Datum) -> &str {
    match d {
        Datum::Text(t) => t,
        d => panic!("{d:?} is no text"),
    }
}
fn first(rows: &[Vec<Datum>]) -> Datum {
    rows.first().and_then(|r| r.first()).cloned().unwrap_or(Datum::Null)
}

/// run(text): the statement's first value, or how many rows it wrote. look(text) likewise, read-only.
fn world() -> (Arc<Database>, Session) {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let db = Database::open(shard).expect("database");
    let mut s = session(&db, "postgres");
    for (name, read_only) in [("run", false), ("look", true)] {
        function(&db, name, vec![oid::TEXT], oid::INT8, move |a, env| {
            let got = env.spi()?.execute(&Query { read_only, ..Query::new(text(&a[0]), &[]) })?;
            match first(&got.rows) {
                Datum::Int4(n) => Ok(Datum::Int8(n.into())),
                Datum::Int8(n) => Ok(Datum::Int8(n)),
                _ => Ok(Datum::Int8(got.processed as i64)),
            }
        });
    }
    // tried(text): what the statement gives, within a subtransaction: -1 and nothing of it stays where it fails.
    function(&db, "tried", vec![oid::TEXT], oid::INT8, |a, env| {
        let spi = env.spi()?;
        spi.savepoint()?;
        match spi.execute(&Query::new(text(&a[0]), &[])) {
            Ok(got) => {
                spi.release()?;
                Ok(Datum::Int8(got.processed as i64))
            }
            Err(_) => {
                spi.rollback_to()?;
                Ok(Datum::Int8(-1))
            }
        }
    });
    // left(text): begins a subtransaction and leaves it open.
    function(&db, "left_open", vec![oid::TEXT], oid::INT8, |a, env| {
        let spi = env.spi()?;
        spi.savepoint()?;
        let n = spi.execute(&Query::new(text(&a[0]), &[]))?.processed;
        Ok(Datum::Int8(n as i64))
    });
    // down(n): how deep statements of functions nest below it.
    function(&db, "down", vec![oid::INT4], oid::INT4, |a, env| {
        let Datum::Int4(n) = a[0] else { panic!("{a:?}") };
        if n <= 0 {
            return Ok(Datum::Int4(0));
        }
        let got = env.spi()?.execute(&Query::new("select 1 + down($1)", &[(Type::INT4, Datum::Int4(n - 1))]))?;
        Ok(first(&got.rows))
    });
    // some_rows(text, n): how many rows came of at most n.
    function(&db, "some_rows", vec![oid::TEXT, oid::INT8], oid::INT8, |a, env| {
        let Datum::Int8(n) = a[1] else { panic!("{a:?}") };
        let got = env.spi()?.execute(&Query { limit: n as u64, ..Query::new(text(&a[0]), &[]) })?;
        assert_eq!(got.processed as usize, got.rows.len().max(got.processed as usize));
        Ok(Datum::Int8(got.rows.len() as i64))
    });
    run(&mut s, "create table t (a int primary key, b text)");
    run(&mut s, "insert into t values (1, 'one'), (2, 'two'), (3, 'three')");
    (db, s)
}

#[test]
fn statements_run_in_every_place() {
    let (_db, mut s) = world();
    is(&mut s, "select run('select count(*) from t')", "3");
    is(&mut s, "select a from t where a = run('select 2')", "2");
    is(&mut s, "select sum(run('select a from t where a = ' || a)) from t", "6");
    is(&mut s, "insert into t select 4, run('select count(*) from t')::text", "");
    is(&mut s, "select b from t where a = 4", "3");
    is(&mut s, "update t set b = run('select count(*) from t')::text where a = 1 returning b", "4");
    run(&mut s, "create table d (a int default run('select max(a) from t'), check (a < 9))");
    is(&mut s, "insert into d default values returning a", "4");
    is(&mut s, "select run('')", "0");
    is(&mut s, "values (run('table t'))", "1");
}

/// A statement sees what the outer one wrote so far, as well as those before it; the outer one sees nothing of it, and a read-only one what the outer one sees.
#[test]
fn what_statements_see() {
    let (_db, mut s) = world();
    is(&mut s, "insert into t select 10 + g, run('select count(*) from t')::text from generate_series(1, 3) g", "");
    is(&mut s, "select b from t where a > 10 order by a", "3 / 4 / 5");
    is(&mut s, "insert into t select 20 + g, look('select count(*) from t')::text from generate_series(1, 3) g", "");
    is(&mut s, "select b from t where a > 20 order by a", "6 / 6 / 6");
    // Each row of the outer statement adds one, and only those that were there before are read.
    is(&mut s, "select count(run('insert into t values (' || 100 + a || ')')) from t", "9");
    is(&mut s, "select count(*) from t", "18");
    // A row that a statement of its own has changed meanwhile is not changed over that, in whatever form the outer statement runs.
    run(&mut s, "create index on t (b)");
    for (outer, returning) in [("where a <= 2", ""), ("where a = 1", ""), ("where a = 1", " returning a")] {
        let inner = "run('update t set b = ''inner'' where a = ' || a)";
        fails(&mut s, &format!("update t set b = {inner}::text {outer}{returning}"), "27000");
    }
    fails(&mut s, "update t set b = run('delete from t where a = ' || a)::text where a = 1", "27000");
    is(&mut s, "update t set b = run('update t set b = ''inner'' where a = 2')::text where a = 1 returning b", "1");
    is(&mut s, "select b from t where a <= 2 order by a", "1 / inner");
    fails(
        &mut s,
        "insert into t values (1, 'x') on conflict (a) do update set b = run('delete from t where a = 1')::text",
        "27000",
    );
    // One that reads changes nothing.
    is(&mut s, "update t set b = run('select 5')::text where a = 1 returning b", "5");
    is(&mut s, "select count(*) from t where b = '5' and a < 10", "1");
}

#[test]
fn transactions_stay_the_callers() {
    let (db, mut s) = world();
    is(&mut s, "begin", "");
    run(&mut s, "select run('insert into t values (50)')");
    run(&mut s, "savepoint p");
    run(&mut s, "select run('insert into t values (51)')");
    run(&mut s, "rollback to p");
    is(&mut s, "select count(*) from t where a >= 50", "1");
    is(&mut session(&db, "postgres"), "select count(*) from t where a >= 50", "0");
    run(&mut s, "rollback");
    is(&mut s, "select count(*) from t where a >= 50", "0");
    for text in ["commit", "rollback", "begin", "savepoint x"] {
        fails(&mut s, &format!("select run('{text}')"), "2D000");
    }
    run(&mut s, "select run('create table made (a int)')");
    is(&mut s, "select count(*) from made", "0");
    run(&mut s, "begin; select run('drop table made'); rollback");
    is(&mut s, "select count(*) from made", "0");
    run(&mut s, "select run('set work_mem = 100')");
    is(&mut s, "show work_mem", "100kB");
    fails(&mut s, "select run('copy t to stdout')", "0A000");
    is(&mut s, "select run('explain select 1')", "1");
    fails(&mut s, "select run('select 1; select 2')", "42601");
    fails(&mut s, "select run('selec')", "42601");
    fails(&mut s, "select run('select * from nothing')", "42P01");
    fails(&mut s, "select run('select 1/0')", "22012");
    fails(&mut s, "select run('select $1')", "42P02");
    fails(&mut s, "select look('insert into t values (60)')", "0A000");
    run(&mut s, "begin read only");
    is(&mut s, "select run('select 7')", "7");
    fails(&mut s, "select run('insert into t values (60)')", "25006");
    run(&mut s, "rollback");
    // What failed undid the outer statement too.
    fails(
        &mut s,
        "insert into t select 70 + g, run('insert into t values (71)')::text from generate_series(1, 1) g",
        "23505",
    );
    is(&mut s, "select count(*) from t where a >= 50", "0");
}

#[test]
fn subtransactions() {
    let (_db, mut s) = world();
    is(
        &mut s,
        "select tried('insert into t values (4)'), tried('insert into t values (1)'), tried('select 1/0')",
        "1|-1|-1",
    );
    is(&mut s, "select count(*) from t", "4");
    // Half of a statement that fails is gone, what was before and after it stays.
    is(&mut s, "select tried('insert into t values (80), (81), (1)'), tried('insert into t values (82)')", "-1|1");
    is(&mut s, "select a from t where a >= 80", "82");
    // Those left open end with the outer statement, and their effects stay.
    is(&mut s, "select left_open('insert into t values (90)')", "1");
    run(&mut s, "begin");
    run(&mut s, "savepoint p");
    is(&mut s, "select left_open('insert into t values (91)')", "1");
    fails(&mut s, "select left_open('insert into t values (91)')", "23505");
    run(&mut s, "rollback to p");
    is(&mut s, "select a from t where a >= 90", "90");
    run(&mut s, "commit");
}

#[test]
fn deferred_checks_wait_for_the_transaction() {
    let (_db, mut s) = world();
    run(&mut s, "create table c (a int references t deferrable initially deferred)");
    run(&mut s, "begin");
    is(&mut s, "select run('insert into c values (5)')", "1");
    is(&mut s, "insert into c values (6 + run('insert into c values (7)')::int)", "");
    run(&mut s, "insert into t values (5), (7)");
    is(&mut s, "commit", "");
    run(&mut s, "begin");
    is(&mut s, "select run('insert into c values (55)')", "1");
    fails(&mut s, "commit", "23503");
    run(&mut s, "begin");
    run(&mut s, "set constraints all immediate");
    fails(&mut s, "select run('insert into c values (55)')", "23503");
    run(&mut s, "rollback");
    // One that was undone is not checked.
    run(&mut s, "begin");
    is(&mut s, "select tried('insert into c select 99 / (10 - a) from generate_series(1, 10) a')", "-1");
    is(&mut s, "commit", "");
    is(&mut s, "select count(*) from c", "3");
}

#[test]
fn privileges_are_the_users() {
    let (db, mut s) = world();
    run(&mut s, "create role bob login");
    let mut bob = session(&db, "bob");
    fails(&mut bob, "select run('select count(*) from t')", "42501");
    run(&mut s, "grant select on t to bob");
    is(&mut bob, "select run('select count(*) from t')", "3");
    fails(&mut bob, "select run('delete from t')", "42501");
}

#[test]
fn rows_are_limited_and_charged() {
    let (_db, mut s) = world();
    is(&mut s, "select some_rows('select * from generate_series(1, 1000000)', 5)", "5");
    is(&mut s, "select some_rows('select * from t', 0)", "3");
    is(&mut s, "select some_rows('insert into t select g from generate_series(200, 209) g returning a', 2)", "2");
    is(&mut s, "select count(*) from t where a >= 200", "10");
}

/// Plans are kept with their texts and made anew where the catalog has changed.
#[test]
fn definitions_change_between_statements() {
    let (db, mut s) = world();
    is(&mut s, "select run('select count(*) from t')", "3");
    let mut other = session(&db, "postgres");
    run(&mut other, "drop table t");
    fails(&mut s, "select run('select count(*) from t')", "42P01");
    run(&mut other, "create table t (a bigint)");
    is(&mut s, "select run('select count(*) from t')", "0");
    run(&mut s, "begin");
    run(&mut s, "alter table t add b int");
    is(&mut s, "select run('insert into t (b) values (1)')", "1");
    run(&mut s, "rollback");
    fails(&mut s, "select run('insert into t (b) values (1)')", "42703");
}

#[test]
fn nesting_ends() {
    let deep = || {
        let (_db, mut s) = world();
        is(&mut s, "select down(5)", "5");
        is(&mut s, &format!("select down({MAX_DEPTH})"), &format!("{MAX_DEPTH}"));
        fails(&mut s, &format!("select down({})", MAX_DEPTH + 1), "54001");
        is(&mut s, "select down(6)", "6");
    };
    // A plain thread cannot go on on another stack.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(deep).expect("a thread");
    thread.join().expect("no panic");
}
