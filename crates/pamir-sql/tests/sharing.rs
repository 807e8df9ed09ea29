//! Sessions of one thread share the statements of equal texts; nothing of one may be seen in another.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::Transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

fn database() -> Arc<Database> {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).unwrap();
    Database::open(shard).unwrap()
}
fn session(db: &Arc<Database>, options: &str) -> Session {
    let params = [("user", "postgres"), ("database", "postgres"), ("options", options)];
    let params = params.map(|(k, v)| (k.to_string(), v.to_string()));
    Session::start(db.clone(), &params, None, &mut Transcript::default()).unwrap()
}
fn run(s: &mut Session, sql: &str) -> String {
    let mut reply = Transcript::default();
    match s.simple_query(sql, &mut reply) {
        Ok(()) => reply.text().trim_end().to_string(),
        Err(e) => format!("{} {}", e.code().as_str(), e.data().message),
    }
}
/// Prepares under a name, once.
fn prepare(s: &mut Session, sql: &str) {
    s.parse("p", sql, &[], &mut Transcript::default()).unwrap();
}
fn try_execute(s: &mut Session) -> Result<String> {
    let mut reply = Transcript::default();
    s.bind("", "p", &[], &[], &[], &mut reply)?;
    s.execute("", 0, &mut reply)?;
    s.sync(&mut reply)?;
    Ok(reply.text().trim_end().to_string())
}
fn execute(s: &mut Session) -> String {
    let r = try_execute(s);
    r.unwrap_or_else(|e| {
        s.fail(&pamir_types::err!(SYNTAX_ERROR, "no"));
        let _ = s.sync(&mut Transcript::default());
        format!("{} {}", e.code().as_str(), e.data().message)
    })
}

#[test]
fn contexts_are_apart() {
    let db = database();
    let mut a = session(&db, "");
    run(&mut a, "create schema other; create table t (a int); insert into t values (1)");
    run(&mut a, "create table other.t (a text); insert into other.t values ('two')");
    let mut b = session(&db, "-c search_path=other");
    let mut c = session(&db, "");
    for s in [&mut a, &mut b, &mut c] {
        prepare(s, "select * from t");
    }
    for _ in 0..3 {
        assert_eq!(execute(&mut a), "1");
        assert_eq!(execute(&mut b), "two");
        assert_eq!(execute(&mut c), "1");
    }
    // The result would become another one: the client that prepared it is told, as PostgreSQL does.
    run(&mut c, "set search_path to other");
    assert_eq!(execute(&mut c), "0A000 cached plan must not change result type");
    assert_eq!(execute(&mut a), "1");
    run(&mut c, "reset search_path");
    assert_eq!(execute(&mut c), "1");
    // Simple queries, by their text from the second time on.
    for _ in 0..4 {
        assert_eq!(run(&mut a, "select a from t"), "1");
        assert_eq!(run(&mut b, "select a from t"), "two");
        run(&mut c, "begin; set local search_path to other");
        assert_eq!(run(&mut c, "select a from t"), "two");
        run(&mut c, "commit");
        assert_eq!(run(&mut c, "select a from t"), "1");
    }
}

/// Parameter types as Describe tells them.
fn types(s: &mut Session) -> Vec<u32> {
    s.describe_statement("p").unwrap().params.to_vec()
}

#[test]
fn parameters_keep_the_types_that_the_client_was_told() {
    const INT4: u32 = 23;
    const INT8: u32 = 20;
    const FLOAT8: u32 = 701;
    let db = database();
    let [mut ddl, mut a, mut b] = [(); 3].map(|_| session(&db, ""));
    run(&mut ddl, "create table t (id int primary key, v int8); insert into t values (1, 0)");
    let sql = "update t set v = $1 where id = $2";
    let set = |s: &mut Session, v: [u8; 8]| {
        let mut reply = Transcript::default();
        s.bind("", "p", &[1], &[Some(&v), Some(&1i32.to_be_bytes())], &[], &mut reply).unwrap();
        s.execute("", 0, &mut reply).unwrap();
        s.sync(&mut reply).unwrap();
    };
    prepare(&mut a, sql);
    prepare(&mut b, sql);
    set(&mut a, 1i64.to_be_bytes());
    assert_eq!(run(&mut ddl, "alter table t alter v type double precision"), "");
    // Eight bytes are a valid value of either type.
    set(&mut a, 42i64.to_be_bytes());
    assert_eq!(run(&mut ddl, "select v from t"), "42");
    assert_eq!(types(&mut a), [INT8, INT4]);
    // Who prepares it now is told the new type, and what the others share stays theirs.
    let mut new = session(&db, "");
    prepare(&mut new, sql);
    assert_eq!(types(&mut new), [FLOAT8, INT4]);
    set(&mut new, 1.5f64.to_be_bytes());
    assert_eq!(run(&mut ddl, "select v from t"), "1.5");
    set(&mut b, 43i64.to_be_bytes());
    assert_eq!(run(&mut ddl, "select v from t"), "43");
    // Nor does another thread's statement take its place when the session goes there.
    let there = db.clone();
    let there = std::thread::spawn(move || {
        let mut new = session(&there, "");
        prepare(&mut new, sql);
        set(&mut new, 2.5f64.to_be_bytes());
        set(&mut a, 44i64.to_be_bytes());
        set(&mut b, 45i64.to_be_bytes());
        assert_eq!((types(&mut a), types(&mut new)), (vec![INT8, INT4], vec![FLOAT8, INT4]));
    });
    there.join().unwrap();
    assert_eq!(run(&mut ddl, "select v from t"), "45");
    // A type that its text no longer works with is an error, as in PostgreSQL.
    run(&mut ddl, "alter table t alter v type uuid using null");
    let mut old = session(&db, "");
    assert_eq!(old.parse("p", sql, &[INT8, INT4], &mut Transcript::default()).unwrap_err().code().as_str(), "42804");
}

#[test]
fn now_in_a_literal_is_the_moment_of_who_asks() {
    let db = database();
    let [mut a, mut b] = [(); 2].map(|_| session(&db, ""));
    let pause = || std::thread::sleep(std::time::Duration::from_millis(2));
    for sql in ["select 'now'::timestamp", "select array['now'::timestamptz]::text", "select '{now}'::timestamp[]"] {
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..5 {
            pause();
            seen.push(run(&mut a, sql));
            a.parse("", sql, &[], &mut Transcript::default()).unwrap();
            let mut reply = Transcript::default();
            a.bind("", "", &[], &[], &[], &mut reply).unwrap();
            a.execute("", 0, &mut reply).unwrap();
            a.sync(&mut reply).unwrap();
            seen.push(reply.text().trim_end().to_string());
        }
        assert!(seen.is_sorted() && seen.first() < seen.last(), "{sql}: {seen:?}");
        assert!(seen.windows(3).all(|w| w[0] < w[2]), "{sql}: {seen:?}");
    }
    // As in PostgreSQL, a statement with a name keeps the moment when it was prepared: its own.
    let sql = "select 'now'::timestamp";
    prepare(&mut a, sql);
    let (first, _) = (execute(&mut a), pause());
    prepare(&mut b, sql);
    assert_eq!(execute(&mut a), first);
    assert!(execute(&mut b) > first);
}

#[test]
fn text_settings_folded_into_a_plan_are_the_session_s() {
    let db = database();
    let mut a = session(&db, "");
    let mut b =
        session(&db, "-c TimeZone=Asia/Bishkek -c DateStyle=German -c extra_float_digits=0 -c bytea_output=escape");
    let sql = "select timestamptz '2020-01-01 00:00+00' || '', (0.1::float8 + 0.2::float8)::text, '\\x41'::bytea::text";
    for _ in 0..4 {
        assert_eq!(run(&mut a, sql), "2020-01-01 00:00:00+00|0.30000000000000004|\\x41");
        assert_eq!(run(&mut b, sql), "01.01.2020 06:00:00 +06|0.3|A");
    }
}

#[test]
fn uncommitted_ddl_stays_with_its_transaction() {
    let db = database();
    let (mut a, mut b) = (session(&db, ""), session(&db, ""));
    run(
        &mut a,
        "create table t (id int primary key, a int); create table u (id int primary key); insert into t values (1, 10)",
    );
    for s in [&mut a, &mut b] {
        prepare(s, "select a from t where id = 1");
        assert_eq!(execute(s), "10");
    }
    // In a's transaction the name means another table; b's plan of the shared statement stays.
    run(
        &mut a,
        "begin; alter table t rename to was; create table t (id int primary key, a int); insert into t values (1, 20)",
    );
    for _ in 0..3 {
        assert_eq!(execute(&mut a), "20");
    }
    run(&mut a, "rollback");
    for _ in 0..3 {
        assert_eq!(execute(&mut a), "10");
        assert_eq!(execute(&mut b), "10");
    }
    // A change of type is nobody else's business until it is committed.
    run(&mut a, "begin; alter table t rename to was; create table t (id int primary key, a text)");
    assert_eq!(execute(&mut a), "0A000 cached plan must not change result type");
    run(&mut a, "rollback");
    assert_eq!(execute(&mut b), "10");
    assert_eq!(execute(&mut a), "10");
    run(&mut a, "drop table t; create table t (id int primary key, a text); insert into t values (1, 'x')");
    for _ in 0..2 {
        assert_eq!(execute(&mut b), "0A000 cached plan must not change result type");
        assert_eq!(execute(&mut a), "0A000 cached plan must not change result type");
    }
    // A session that prepares it now gets what is true now, also beside those that may not.
    let mut c = session(&db, "");
    prepare(&mut c, "select a from t where id = 1");
    assert_eq!(execute(&mut c), "x");
    assert_eq!(execute(&mut a), "0A000 cached plan must not change result type");
}
