//! Queries with next to no memory answer as those with plenty: joins of all kinds, grouping, DISTINCT, set operations, sorts, kept rows, over random
//! data with NULLs, duplicates and one key that has far more rows than fit.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::Rng;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::fmt::Write;
use std::sync::Arc;

fn run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text())
}
fn must(s: &mut Session, sql: &str) -> String {
    run(s, sql).unwrap_or_else(|e| panic!("{}: {sql}", e.message()))
}
fn sorted(text: &str) -> Vec<&str> {
    let mut v: Vec<&str> = text.lines().collect();
    v.sort_unstable();
    v
}

struct World {
    shard: Arc<Shard>,
    disk: Arc<SimDisk>,
    db: Arc<Database>,
}
impl World {
    fn new(seed: u64) -> World {
        let disk = Arc::new(SimDisk::new(seed));
        let shard = Shard::open(disk.clone(), ShardOptions::default()).expect("shard");
        let db = Database::open(shard.clone()).expect("database");
        World { shard, disk, db }
    }
    fn session(&self, settings: &str) -> Session {
        let mut s = transcript::start(&self.db, "postgres").expect("session");
        must(&mut s, settings);
        s
    }
}
const SMALL: &str = "set work_mem = '64kB'; set hash_mem_multiplier = 1; set enable_nestloop = off";
const LARGE: &str = "set work_mem = '1GB'; set enable_nestloop = off";

/// Rows of k (few keys, NULLs, one giant), n (numeric of several scales), t (wide text), v.
fn fill(s: &mut Session, r: &mut Rng, table: &str, rows: u64, keys: u64, giant: u64) {
    must(s, &format!("create table {table} (id int primary key, k int, n numeric, t text, v bigint)"));
    let mut sql = String::new();
    for i in 0..rows {
        let k = match r.below(100) {
            0..6 => "null".to_string(),
            x if x < 6 + giant => "7".into(),
            _ => r.below(keys).to_string(),
        };
        let n = *r.choose(&["null", "1", "1.0", "1.00", "2.5", "NaN"]);
        let n = if n == "NaN" { "'NaN'".into() } else { n.to_string() };
        let t = format!("{}-{}", r.below(keys * 2), "x".repeat(40 + r.below(60) as usize));
        let _ = write!(sql, "{}({i},{k},{n},'{t}',{})", if sql.is_empty() { "" } else { "," }, r.below(50));
    }
    must(s, &format!("insert into {table} values {sql}"));
}

#[test]
fn little_memory_gives_the_same_rows() {
    for seed in 1..4 {
        let w = World::new(seed);
        let (mut small, mut large) = (w.session(SMALL), w.session(LARGE));
        let r = &mut Rng::new(seed);
        let keys = [30, 1500, 400][seed as usize - 1];
        fill(&mut large, r, "a", 2500, keys, [0, 3, 40][seed as usize - 1]);
        fill(&mut large, r, "b", 2200, keys, [0, 40, 2][seed as usize - 1]);
        must(&mut large, "create table e (id int, k int, n numeric, t text, v bigint)");
        let mut queries = Vec::new();
        for join in ["join", "left join", "right join", "full join"] {
            let mut on = vec!["a.k = b.k and a.v = b.v", "a.t = b.t", "a.k = b.k and a.v < b.v - 40"];
            if join == "full join" {
                on.pop();
            }
            for on in on {
                queries.push(format!("select a.id, a.t, b.id, b.n from a {join} b on {on}"));
            }
            queries.push(format!("select a.id, a.t, e.id, e.t from a {join} e on a.k = e.k"));
            queries.push(format!("select e.t, b.id, b.t from e {join} b on e.k = b.k"));
        }
        for (not, extra) in [("", ""), ("not", ""), ("", " and a.v > b.v + 20"), ("not", " and a.v > b.v + 20")] {
            queries.push(format!("select * from a where {not} exists (select 1 from b where a.k = b.k{extra})"));
            queries.push(format!("select * from b where {not} exists (select t from a where a.t = b.t{extra})"));
        }
        for q in [
            "select t, count(*), sum(v), min(id), max(n) from a group by t",
            "select k, t, count(*) from a group by k, t having count(*) > 1",
            "select k, n, sum(v), avg(v) from b group by k, n",
            "select k, n, t, count(*), sum(v) from a group by grouping sets ((k), (n), (t), (k, t), ())",
            "select k, count(distinct t), count(distinct v), sum(distinct v) from a group by k",
            "select count(distinct t), count(distinct n), count(distinct id) from a",
            "select k, string_agg(distinct t, ',' order by t desc), array_agg(id order by v, id) from b group by k",
            "select array_agg(distinct v), string_agg(t, '' order by t, id) from a",
            "select v, count(*) filter (where k = 7), count(distinct t) filter (where k <> 7) from a group by v",
            "select distinct t from a",
            "select distinct k, v from a",
            "select distinct n from a",
            "select distinct on (t) t, id, v from a order by t, v, id",
            "select distinct on (k) k, t from a order by k desc, t, id",
            "select t from a union select t from b",
            "select k, v, t from a union all select k, v, t from b",
            "select k, v from a intersect select k, v from b",
            "select k, v from a intersect all select k, v from b",
            "select k, v from a except select k, v from b",
            "select k, v from a except all select k, v from b",
            "select t from a except select t from b",
            "select t from a intersect all select t from a where v > 10",
            "with w as materialized (select id, t from a) select count(*), count(distinct x.t) from w x join w y on x.id = y.id",
            "with w as materialized (select id, t from a) select x.id, y.id from w x join w y on x.t = y.t and x.id <> y.id",
            "with recursive w as (select id, t, 1 as d from a where v = 3 union all select a.id, a.t, d + 1 from w join a on a.id = w.id + 1 where d < 30) select d, count(*), min(t), max(id) from w group by d",
            "select count(*), sum(g), max(h) from (select g, repeat('y', g % 50) h from generate_series(1, 9000) g) x",
            "select x.id, y.id from (select id, t from a where v < 3) x, (select id, t from b where v < 4) y where x.id + y.id < 700",
            "insert into e select * from a returning t, id",
            "update e set t = t || 'z' returning id, t",
            "delete from e returning *",
        ] {
            queries.push(q.into());
        }
        for q in queries {
            let wants = must(&mut large, &q);
            // What the statement changed is there for the other session's turn as well.
            if q.starts_with("insert") {
                must(&mut large, "delete from e");
            } else if q.starts_with("update") {
                must(&mut large, "update e set t = left(t, -1)");
            } else if q.starts_with("delete") {
                must(&mut large, "insert into e select id, k, n, t || 'z', v from a");
            }
            let gets = must(&mut small, &q);
            assert!(
                sorted(&wants) == sorted(&gets),
                "seed {seed}: {} rows, {} with little memory: {q}",
                wants.lines().count(),
                gets.lines().count()
            );
        }
        for order in ["t, id", "k desc nulls last, id", "n nulls first, v desc, id", "v, t desc, id desc"] {
            for limit in ["", "limit 10", "offset 2000", "limit 1500 offset 700"] {
                let q = format!("select * from a order by {order} {limit}");
                assert!(must(&mut large, &q) == must(&mut small, &q), "seed {seed}: {q}");
            }
            let q = format!(
                "select distinct {} from b order by {}",
                order.replace(" desc", "").replace(" nulls last", "").replace(" nulls first", ""),
                order
            );
            assert!(must(&mut large, &q) == must(&mut small, &q), "seed {seed}: {q}");
        }
        drop((small, large));
        assert!(w.disk.list().expect("list").iter().all(|n| !n.starts_with("pamir.tmp")));
        drop(w.db);
        let _ = w.shard.close();
    }
}

/// The queries above would prove little if they had memory enough.
#[test]
fn operators_say_that_they_spill() {
    let w = World::new(9);
    let mut s = w.session(SMALL);
    let r = &mut Rng::new(9);
    fill(&mut s, r, "a", 2500, 400, 30);
    fill(&mut s, r, "b", 2200, 400, 30);
    for (q, says) in [
        ("select a.id, b.t from a join b on a.id = b.id", "Batches: "),
        ("select t, count(*) from a group by t", "Disk Usage: "),
        ("select distinct t from a", "Disk Usage: "),
        ("select t from a union select t from b", "Disk Usage: "),
        ("select t from a except select t from b", "Disk Usage: "),
        ("select * from a order by t", "external merge  Disk: "),
    ] {
        let text = must(&mut s, &format!("explain (analyze, costs off, timing off, summary off) {q}"));
        let line = text.lines().find(|l| l.contains(says)).unwrap_or_else(|| panic!("{q}: {text}"));
        assert!(!line.contains("Batches: 1 "), "{q}: {text}");
    }
}

#[test]
fn temporary_files_have_a_limit_and_go_with_the_statement() {
    let w = World::new(5);
    let mut s = w.session(SMALL);
    fill(&mut s, &mut Rng::new(5), "a", 2500, 400, 0);
    must(&mut s, "set temp_file_limit = '200kB'");
    for q in [
        "select * from a order by t",
        "select x.t from a x join a y on x.t = y.t",
        "select t, count(*) from a group by t, id",
    ] {
        let e = run(&mut s, q).expect_err(q);
        assert_eq!(
            (&e.code().0, e.message()),
            (b"53400", "temporary file size exceeds temp_file_limit (200kB)"),
            "{q}"
        );
        // What the failed statement took is free again: a smaller one has room.
        must(&mut s, "select id from a order by id desc");
    }
    must(&mut s, "set temp_file_limit = -1");
    must(&mut s, "select * from a order by t");
    // A cursor keeps its file while it is open.
    must(&mut s, "begin; declare c cursor for select * from a order by t; fetch 5 from c; close c; commit");
}

/// Ranges of the primary key that are sorted as they lie in the rows come as the operators sort them (`offset 0` has them do it).
#[test]
fn sorts_of_raw_rows_agree_with_the_operators() {
    let w = World::new(11);
    let mut s = w.session("set work_mem = '64kB'");
    let r = &mut Rng::new(11);
    must(&mut s, "create table f (id int primary key, c char(12), t text, v bigint, d date, n numeric, b bytea)");
    let mut sql = String::new();
    for i in 0..1500 {
        let word = |r: &mut Rng| match r.below(9) {
            0 => "null".to_string(),
            1 => "''".into(),
            n => {
                let parts = ["a", "b ", "\t", "prefixes", "é"];
                format!("'{}'", (0..n.min(3)).map(|_| parts[r.below(5) as usize]).collect::<String>())
            }
        };
        let (c, t) = (word(r), word(r));
        let v = *r.choose(&["null", "-9223372036854775808", "9223372036854775807", "0", "-1", "17"]);
        let d = *r.choose(&["null", "'infinity'", "'-infinity'", "'2024-02-29'", "'1999-01-01'"]);
        let comma = if sql.is_empty() { "" } else { "," };
        let _ = write!(sql, "{comma}({i},left({c},12),{t},{v},{d},{},decode('0{}','hex'))", r.below(3), r.below(8));
    }
    must(&mut s, &format!("insert into f values {sql}"));
    must(&mut s, "alter table f add column late int default 5");
    let keys = [
        "c",
        "t",
        "v",
        "d",
        "b",
        "n",
        "late",
        "c, t",
        "t desc, v",
        "v desc nulls last, c desc",
        "d nulls first, t",
        "b, c desc nulls last",
    ];
    for key in keys {
        for (lo, hi) in [(0, 0), (10, 60), (300, 299), (100, 900), (-5, 5000)] {
            let range = format!("from f where id between {lo} and {hi}");
            let fast = must(&mut s, &format!("select t, c, id, d {range} order by {key}, id"));
            let slow = must(&mut s, &format!("select t, c, id, d {range} order by {key}, id offset 0"));
            assert!(fast == slow, "order by {key}, {lo} to {hi}");
            let cols = key.replace(" desc", "").replace(" nulls last", "").replace(" nulls first", "");
            let fast = must(&mut s, &format!("select distinct {cols} {range} order by {key}"));
            let slow = must(&mut s, &format!("select distinct {cols} {range} order by {key} offset 0"));
            assert!(fast == slow, "distinct order by {key}, {lo} to {hi}");
        }
    }
    let points = must(&mut s, "select id, t from f where id in (5, 900, 17, 5, 3) order by t, id");
    assert!(points == must(&mut s, "select id, t from f where id in (5, 900, 17, 5, 3) order by t, id offset 0"));
    assert_eq!(points.lines().count(), 4);
}
