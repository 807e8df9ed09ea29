//! Planning of statements that are deep or wide ends, and can be stopped. Were a level planned twice for each of the two times that the level above is,
//! these would not end.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

fn run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text())
}
fn world() -> (Arc<Shard>, Session) {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let db = Database::open(shard.clone()).expect("database");
    let mut s = transcript::start(&db, "postgres").expect("session");
    run(&mut s, "create table t (a int primary key, b int); create index on t (b)").expect("table");
    run(&mut s, "insert into t select g, g % 3 from generate_series(1, 9) g").expect("rows");
    (shard, s)
}
/// 20 queries, each over the one before, the first of them `inner`; written flat, planned as if nested.
fn nested(inner: &str, f: impl Fn(&str) -> String) -> String {
    const DEPTH: usize = 20;
    let chain: Vec<String> = (1..DEPTH).map(|i| format!("c{i} as ({})", f(&format!("c{}", i - 1)))).collect();
    format!("with c0 as ({inner}), {} select * from c{}", chain.join(", "), DEPTH - 1)
}

#[test]
fn deep_statements_are_planned_once_a_level() {
    // Unoptimized code takes more stack than a test's thread has.
    let t = std::thread::Builder::new().stack_size(256 << 20).spawn(deep_statements).expect("a thread");
    t.join().expect("no panic");
}
fn deep_statements() {
    let (shard, mut s) = world();
    for (inner, f, want) in [
        (
            "select a, b from t",
            (|c| format!("select x.a, x.b from t x left join {c} y on x.a = y.a and y.b < x.b")) as fn(&str) -> String,
            "",
        ),
        ("select a from t", |c| format!("select x.a from t x where exists (select 1 from {c} y where y.a = x.a)"), ""),
        ("select a from t", |c| format!("select a from t where a in (select a from {c})"), ""),
        ("select a from t", |c| format!("select a from t where a not in (select a from {c})"), ""),
        ("select a from t", |c| format!("select max(a) as a from {c}"), "9\n"),
        ("select a, b from t", |c| format!("select max(a) as a, min(b) as b from {c}"), "9|0\n"),
        ("select 4 as a", |c| format!("select a from t where a = (select a from {c}) and b >= 0"), "4\n"),
        (
            "select a, b from t",
            |c| format!("select x.a, y.b from {c} x join t y on x.a = y.a join t z on z.b = x.b and z.a = x.a"),
            "",
        ),
    ] {
        let q = nested(inner, f);
        let got = run(&mut s, &q).unwrap_or_else(|e| panic!("{}: {q}", e.message()));
        assert!(want.is_empty() || got == want, "{got}: {q}");
    }
    drop(s);
    let _ = shard.close();
}

#[test]
fn planning_can_be_stopped() {
    let (shard, mut s) = world();
    let from: Vec<String> = (0..12).map(|i| format!("t x{i}")).collect();
    let joined: Vec<String> = (1..12).map(|i| format!("x{i}.a = x{}.b and x{i}.b = x0.a", i - 1)).collect();
    let q = format!("explain select * from {} where {}", from.join(", "), joined.join(" and "));
    run(&mut s, "set join_collapse_limit = 12; set statement_timeout = 1").expect("settings");
    let e = run(&mut s, &q).expect_err("the timeout is shorter than the planning");
    assert_eq!(e.message(), "canceling statement due to statement timeout");
    run(&mut s, "set statement_timeout = 0; select 1").expect("the session goes on");
    drop(s);
    let _ = shard.close();
}

/// What EXPLAIN says that EXECUTE does, in a word.
fn way(s: &mut Session, execute: &str) -> &'static str {
    let plan =
        run(s, &format!("explain (costs off) {execute}")).unwrap_or_else(|e| panic!("{}: {execute}", e.message()));
    match plan.lines().find(|l| l.contains("Scan")) {
        Some(l) if l.contains("jobs_at_idx") => "partial",
        Some(l) if l.contains("jobs_state_idx") || plan.contains("Index Cond") => "index",
        Some(_) => "table",
        None => "none",
    }
}
#[test]
fn values_decide_where_they_matter() {
    let (shard, mut s) = world();
    run(
        &mut s,
        "create table jobs (id int primary key, state text, at int);
         insert into jobs select g, case when g % 1000 = 0 then 'new' else 'done' end, g % 50 from generate_series(1, 5000) g;
         create index on jobs (state); create index on jobs (at) where at > 45; analyze jobs;
         prepare by_state(text) as select count(at) from jobs where state = $1;
         prepare by_at(int) as select id from jobs where at > $1 order by 1;
         prepare either(int) as select at from jobs where $1 is null or id = $1;
         prepare alike(int) as select count(*) from jobs where id > $1 and id < $1 + 10",
    )
    .expect("tables");
    let both =
        [("execute by_state('new')", "index"), ("execute by_state('done')", "table"), ("execute by_at(48)", "partial")];
    for (execute, want) in both.into_iter().chain([("execute either(7)", "index"), ("execute either(null)", "table")]) {
        assert_eq!(way(&mut s, execute), want, "{execute}");
    }
    // After the tries, too: plans that differ by value cost less, planned anew, than one for all of them.
    for _ in 0..8 {
        assert_eq!(run(&mut s, "execute by_state('new')").expect("a count"), "5\n");
        assert_eq!(run(&mut s, "execute by_at(48)").expect("rows").lines().count(), 100);
    }
    assert_eq!(way(&mut s, "execute by_at(48)"), "partial");
    run(&mut s, "set plan_cache_mode = force_generic_plan").expect("a setting");
    assert_eq!(way(&mut s, "execute by_at(48)"), "table", "a generic plan knows no value");
    assert_eq!(run(&mut s, "execute by_at(48)").expect("rows").lines().count(), 100);
    // Neither needs planning after its tries: with a generic plan alone they are as fast.
    run(&mut s, "set plan_cache_mode = auto").expect("a setting");
    for n in 0..20 {
        assert_eq!(run(&mut s, &format!("execute alike({n})")).expect("a count"), "9\n");
    }
    drop(s);
    let _ = shard.close();
}
