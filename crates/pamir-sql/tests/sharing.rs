//! Sessions of one thread share the statements of equal texts; nothing of one may be seen in another.
mod reply;

use pamir_sql::session::{Database, Session};
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use reply::Reply;
use std::sync::Arc;

fn database() -> Arc<Database> {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).unwrap();
    Database::open(shard).unwrap()
}
fn session(db: &Arc<Database>, options: &str) -> Session {
    let params = [("user", "postgres"), ("database", "postgres"), ("options", options)];
    let params = params.map(|(k, v)| (k.to_string(), v.to_string()));
    Session::start(db.clone(), &params, None, &mut Reply::default()).unwrap()
}
fn run(s: &mut Session, sql: &str) -> String {
    let mut reply = Reply::default();
    match s.simple_query(sql, &mut reply) {
        Ok(()) => reply.text.trim_end().to_string(),
        Err(e) => format!("{} {}", e.code().as_str(), e.data().message),
    }
}
/// Prepares under a name, once.
fn prepare(s: &mut Session, sql: &str) {
    s.parse("p", sql, &[], &mut Reply::default()).unwrap();
}
fn try_execute(s: &mut Session) -> Result<String> {
    let mut reply = Reply::default();
    s.bind("", "p", &[], &[], &[], &mut reply)?;
    s.execute("", 0, &mut reply)?;
    s.sync(&mut reply)?;
    Ok(reply.text.trim_end().to_string())
}
fn execute(s: &mut Session) -> String {
    let r = try_execute(s);
    r.unwrap_or_else(|e| {
        s.fail();
        let _ = s.sync(&mut Reply::default());
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
