//! Simple queries that share a plan by their shape answer as those that do not: the same statements go through one long session, whose shapes are
//! soon known, and each through a session of its own, which knows none. Rows, tags and errors (with their place in the text) must be equal.
mod reply;

use pamir_sql::session::{Database, Session};
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use reply::{Reply, Rng};
use std::sync::Arc;

const SETUP: &[&str] = &[
    "create table t (id int primary key, a int, b text, c numeric(8,2), d date, e smallint, f bigint, g varchar(5), h boolean, i timestamptz, j json)",
    "create table k (x bigint, y text, n int not null default 7, primary key (x, y))",
    "create table u (id int primary key, v int unique, w text check (w <> 'bad'))",
    "create index on t (a)",
    "insert into t select n, n % 10, 'b' || n, n / 3.0, date '2020-01-01' + n, n, n, 'g', n % 2 = 0, null, null from generate_series(1, 50) n",
    "insert into k select n, 'y' || n % 5 from generate_series(1, 50) n",
    "insert into u select n, n, 'w' from generate_series(1, 20) n",
];

/// `#` stands for a literal.
const SHAPES: &[&str] = &[
    "select * from t where id = #",
    "select b, a from t where # = id;",
    "select b, # from t where id = #",
    "select b from t where id = # and a = #",
    "select b from t where id = # or id = #",
    "select b from t where id = # order by 1",
    "select b from t where id = -#",
    "select count(*) from t where a = #",
    "select # + #",
    "select b from t where id in (#, #)",
    "select * from k where x = # and y = #",
    "select n from k where y = # and x = # for update",
    "update t set a = # where id = #",
    "update t set a = a + # where id = #",
    "update t set a = a + -#, b = # where id = #",
    "update t set b = b || # where id = #",
    "update t set c = # where id = #",
    "update t set c = c / # where id = #",
    "update t set d = # where id = #",
    "update t set d = d + # where id = #",
    "update t set d = date '2021-05-05' where id = #",
    "update t set e = # where id = #",
    "update t set f = # where id = #",
    "update t set g = # where id = #",
    "update t set h = # where id = #",
    "update t set i = # where id = #",
    "update t set j = # where id = #",
    "update t set b = case when a > # then # else # end where id = #",
    "update t set a = coalesce(null, #) where id = #",
    "update t set nosuch = # where id = #",
    "update t set a = (select max(n) from k where x = #) where id = #",
    "delete from t where id = #",
    "delete from k where x = # and y = #",
    "insert into t (id, a, b) values (#, #, #)",
    "insert into t (id, c, d) values (#, #, #)",
    "insert into t (id, e, f, g) values (#, #, #, #)",
    "insert into t values (#, #, #, #, #, #, #, #, #, #, #)",
    "insert into k values (#, #)",
    "insert into k (x, y, n) values (#, #, #::text::int)",
    "insert into k (x, y, n) values (#, #, null)",
    "insert into u values (#, #, #)",
    "insert into u values (#, #, #) on conflict do nothing",
    "update u set w = # where id = #",
    "update u set v = # where id = #",
    "select v from u where v = #",
    "select \"b\" from \"t\" where \"id\"=#",
    "update t set b = e'x\\'#' where id = #",
    "select b from t where id = # -- #",
];

fn literal(r: &mut Rng) -> String {
    match r.below(64) {
        0..50 => r.below(60).to_string(),
        50 => "0".into(),
        51 => "2147483648".into(),
        52 => "99999999999999999999".into(),
        53 => "1.5".into(),
        54 => "007".into(),
        55 => "'y1'".into(),
        56 => "'it''s'".into(),
        57 => "'12'".into(),
        58 => "'2024-02-29'".into(),
        59 => "'bad'".into(),
        60 => "''".into(),
        61 => "'true'".into(),
        62 => "'{\"a\": 1}'".into(),
        _ => "40000".into(),
    }
}
fn fill(shape: &str, r: &mut Rng) -> String {
    let mut out = String::new();
    for (i, part) in shape.split('#').enumerate() {
        if i > 0 {
            out.push_str(&literal(r));
        }
        out.push_str(part);
    }
    out
}

fn database() -> Arc<Database> {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).unwrap();
    Database::open(shard).unwrap()
}
fn session(db: &Arc<Database>) -> Session {
    let params = [("user".to_string(), "postgres".to_string())];
    Session::start(db.clone(), &params, None, &mut Reply::default()).unwrap()
}
fn run(s: &mut Session, sql: &str) -> String {
    let mut reply = Reply::default();
    let r = s.simple_query(sql, &mut reply);
    let r = r.and(s.sync(&mut reply));
    match r {
        Ok(()) => format!("{}{}", reply.text, reply.tag),
        Err(e) => {
            let d = e.data();
            // PostgreSQL gives these no place in the text; the ordinary way finds one when it folds a constant.
            let position = d.position.filter(|_| !matches!(e.code().as_str(), "22001" | "22003"));
            format!("{} {} {:?} {:?} {:?}", e.code().as_str(), e.message(), d.detail, d.hint, position)
        }
    }
}

#[test]
fn a_shared_plan_answers_as_a_plan_of_ones_own() {
    let rounds: u64 = std::env::var("PAMIR_SHAPE_ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(40);
    let (a, b) = (database(), database());
    for sql in SETUP {
        run(&mut session(&a), sql);
        run(&mut session(&b), sql);
    }
    let mut long = session(&a);
    let mut r = Rng(7);
    for round in 0..rounds {
        for shape in SHAPES {
            let sql = fill(shape, &mut r);
            let (shared, own) = (run(&mut long, &sql), run(&mut session(&b), &sql));
            assert_eq!(shared, own, "round {round}: {sql}");
        }
        if round % 10 == 9 {
            // Plans are made anew, and with them the shapes'.
            let sql = format!("alter table t add column z{round} int default {round}");
            assert_eq!(run(&mut long, &sql), run(&mut session(&b), &sql));
        }
    }
    for table in ["t", "k", "u"] {
        let all = format!("select * from {table} order by 1, 2");
        assert_eq!(run(&mut long, &all), run(&mut session(&b), &all), "{table}");
    }
    let reused = |db: &Database| db.stats().into_iter().find(|s| s.0 == "shapes_reused").map_or(0, |s| s.1);
    assert!(reused(&a) > rounds * 5, "plans were shared {} times", reused(&a));
    assert_eq!(reused(&b), 0);
}

#[test]
fn shapes_in_failed_and_open_transactions() {
    let db = database();
    for sql in SETUP {
        run(&mut session(&db), sql);
    }
    let mut s = session(&db);
    for i in 0..4 {
        run(&mut s, &format!("update t set a = {i} where id = 1"));
    }
    run(&mut s, "begin");
    assert_eq!(run(&mut s, "update t set a = 50 where id = 1"), "UPDATE 1");
    assert_eq!(run(&mut session(&db), "select a from t where id = 1"), "3\nSELECT 1");
    run(&mut s, "select 1 / 0");
    let e = run(&mut s, "update t set a = 51 where id = 1");
    assert!(e.starts_with("25P02"), "{e}");
    run(&mut s, "rollback");
    assert_eq!(run(&mut s, "select a from t where id = 1"), "3\nSELECT 1");
    // Uncommitted DDL: plans are private.
    run(&mut s, "begin");
    run(&mut s, "alter table t drop column a");
    let e = run(&mut s, "update t set a = 52 where id = 1");
    assert!(e.starts_with("42703"), "{e}");
    run(&mut s, "rollback");
    assert_eq!(run(&mut s, "update t set a = 53 where id = 1"), "UPDATE 1");
}
