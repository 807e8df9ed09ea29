//! Random statements over a table that is temporary in one session and ordinary in another: equal answers, to the error, in blocks with savepoints, rollbacks and
//! cursors, also where the data of ordinary tables is elsewhere. Table `y` is ordinary in all of them.
use pamir_cluster::remote::rig::{Inline, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::calls::Recorder;
use pamir_txn::{Engine, Shard, ShardOptions};
use std::sync::Arc;

/// Where ordinary tables have their data.
#[derive(Clone, Copy)]
enum Way {
    Here,
    Recorded,
    AtAnotherNode,
}
fn database(seed: u64, way: Way) -> Arc<Database> {
    let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(seed)), opts).expect("shard");
    let engine: Arc<dyn Engine> = match way {
        Way::Here => shard,
        Way::Recorded => Arc::new(Recorder::new(shard, None).expect("recorder")),
        Way::AtAnotherNode => Rig::new(shard, Arc::new(Inline), None).expect("rig").engine,
    };
    Database::open(engine).expect("database")
}
/// All that a session says to a text. Which of several rows an error names is the plan's.
fn says(s: &mut Session, sql: &str) -> String {
    match transcript::run(s, sql) {
        Ok(t) => {
            let mut rows = t.rows("null");
            if !["order by", "fetch"].iter().any(|w| sql.contains(w)) {
                rows.sort();
            }
            format!("{}\n{:?} {} {:?}", rows.join("\n"), t.notices(), t.tag(), s.status() as char)
        }
        Err(e) => {
            let detail = e.data().detail.clone().filter(|_| e.code().as_str() == "53200");
            format!("{} {} {} {:?}", e.code().as_str(), e.message(), detail.unwrap_or_default(), s.status() as char)
        }
    }
}

const COLUMNS: &str = "(k int primary key, a int, b text default 'd', u int unique, check (a <> 13))";
const NAMES: [&str; 2] = ["s1", "s2"];

fn value(r: &mut Rng) -> String {
    if r.chance(9) { "null".into() } else { r.below(16).to_string() }
}
fn condition(r: &mut Rng) -> String {
    let (x, y) = (r.below(20), r.below(20));
    match r.below(7) {
        0 => format!("k = {x}"),
        1 => format!("k between {} and {}", x.min(y), x.max(y)),
        2 => format!("a = {}", x % 16),
        3 => format!("u > {x}"),
        4 => "b is null or b like 'd%'".into(),
        5 => format!("a in ({x}, {y}, 3)"),
        _ => "true".into(),
    }
}
fn statement(r: &mut Rng) -> String {
    let c = condition(r);
    let (k, a, u) = (r.below(40), value(r), value(r));
    let name = *r.choose(&NAMES);
    match r.below(46) {
        0..=5 => format!("insert into x (k, a, u) values ({k}, {a}, {u}) returning *"),
        6 => format!("insert into x (k, a, u) values ({k}, {a}, {u}) on conflict do nothing"),
        7 => format!(
            "insert into x as o (k, a, u) values ({k}, {a}, {u}), ({}, 1, null) on conflict (k) do update set a = o.a + excluded.a returning *",
            k + 1
        ),
        8 => format!("insert into x (k, a) select k + {}, a from x where {c}", r.below(50)),
        9 => format!("insert into y (k, a) select k, a from x where {c} on conflict do nothing"),
        10..=12 => format!("update x set a = {a}, b = b || '.' where {c}"),
        13 => format!("update x set k = k + {} where {c}", r.below(3)),
        14 => format!("update x set u = {u} where {c} returning k, u"),
        15 => format!("update x set a = y.a from y where y.k = x.k and x.{c}"),
        16..=17 => format!("delete from x where {c}"),
        18 => format!("delete from x using y where x.k = y.k and x.{c} returning x.k, y.a"),
        19 => format!(
            "with d as (delete from x where {c} returning *) insert into x select k + 41, a, b, u from d returning *"
        ),
        20..=22 => format!("select * from x where {c} order by k"),
        23 => format!("select a, count(*), max(b) from x where {c} group by a order by a"),
        24 => "select x.k, y.a from x join y using (k) order by 1, 2".into(),
        25 => format!("select k from x where {c} order by u, k limit 3"),
        26 => format!("select k from x where {c} order by k desc limit 2 for update"),
        27..=28 => "begin".into(),
        29 => "commit".into(),
        30 => "rollback".into(),
        31..=33 => format!("savepoint {name}"),
        34..=36 => format!("rollback to {name}"),
        37 => format!("release {name}"),
        38 => format!("declare c{} scroll cursor for select k, a, u from x where {c} order by a, k", r.below(2)),
        39..=40 => format!("fetch {} c{}", r.choose(&["2", "1", "backward 2", "first", "last", "all"]), r.below(2)),
        41 => "truncate x".into(),
        42 => r
            .choose(&[
                "create index xi on x (a, b)",
                "drop index xi",
                "create unique index xu on x (a) where a > 14",
                "drop index xu",
                "alter table x add column z int default 4",
                "alter table x drop column z",
                "alter table x alter column a type int8",
                "alter table x alter column a type int4",
                "analyze x",
                "drop table x",
            ])
            .to_string(),
        43 => format!(
            "merge into x using y on x.k = y.k when matched and y.a > 5 then delete when matched then update set a = x.a + y.a when not matched and y.k <> {k} then insert (k, a) values (y.k, y.a)"
        ),
        44 => format!(
            "merge into y using (select * from x where {c}) s on s.k = y.k when matched then do nothing when not matched then insert values (s.k, s.a, s.b, s.u)"
        ),
        _ => format!("select count(*), sum(k), sum(u) from x where {c}"),
    }
}

#[test]
fn ordinary_and_temporary_answer_alike() {
    let (mut done, mut refused) = (0, 0);
    for seed in chance::seeds(12) {
        let mut r = Rng::new(seed);
        let mut sessions: Vec<Session> = [Way::Here, Way::Here, Way::Recorded, Way::AtAnotherNode]
            .map(|way| transcript::start(&database(seed, way), "postgres").expect("session"))
            .into();
        for (i, s) in sessions.iter_mut().enumerate() {
            let temporary = if i == 0 { "" } else { "temporary " };
            says(s, &format!("create table y {COLUMNS}"));
            says(s, &format!("create {temporary}table x {COLUMNS}"));
        }
        let mut told: Vec<String> = Vec::new();
        for _ in 0..400 {
            let sql = statement(&mut r);
            told.push(sql.clone());
            let answers: Vec<String> = sessions.iter_mut().map(|s| says(s, &sql)).collect();
            // What says nothing of rows is the failed block's.
            match answers[0].starts_with("25P02") {
                true => refused += 1,
                false => done += 1,
            }
            for a in &answers[1..] {
                assert_eq!(answers[0], *a, "seed {seed}: {}", told.join(";\n"));
            }
            // Once it is gone it comes back, with rows.
            if r.chance(12) {
                for (i, s) in sessions.iter_mut().enumerate() {
                    let temporary = if i == 0 { "" } else { "temporary " };
                    says(s, &format!("create {temporary}table if not exists x {COLUMNS}"));
                    says(
                        s,
                        "insert into x (k, a, u) select g, g % 5, g from generate_series(1, 12) g on conflict do nothing",
                    );
                }
                told.push("-- made again".into());
            }
        }
        assert!(sessions.iter_mut().all(|s| says(s, "rollback; select 1").starts_with('1')));
    }
    assert!(done > refused, "{done} were run, {refused} not");
}

/// Nothing of temporary tables is in the log, and nothing stays when the session ends.
#[test]
fn nothing_is_logged_and_nothing_stays() {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let db = Database::open(shard.clone() as Arc<dyn Engine>).expect("database");
    let mut s = transcript::start(&db, "postgres").expect("session");
    let logged = |s: &str| Engine::stats(&*shard).into_iter().find(|x| x.0 == s).map(|x| x.1);
    let name = Engine::stats(&*shard).into_iter().map(|x| x.0).find(|n| n.contains("log") && n.contains("bytes"));
    let name = name.expect("the log's bytes are counted");
    let (before, memory) = (logged(name), db.engine().memory().used());
    for sql in [
        "create temp table t (k serial primary key, a text, unique (a))",
        "insert into t (a) select 'x' || g from generate_series(1, 3000) g",
        "create index on t (a, k)",
        "update t set a = a || 'y' where k > 100",
        "begin; delete from t where k < 50; savepoint a; truncate t; rollback to a; commit",
        "analyze t",
        "alter table t add column z int default 5",
        "drop table t",
        "create temp table u as select g from generate_series(1, 20000) g",
    ] {
        let said = says(&mut s, sql);
        assert!(!said.contains("ERROR") && said.ends_with("'I'"), "{sql}: {said}");
    }
    assert_eq!(logged(name), before, "bytes of log");
    assert!(db.engine().memory().used() > memory, "its memory is charged");
    let other = &mut transcript::start(&db, "postgres").expect("session");
    assert!(says(other, "select * from u").starts_with("42P01"));
    drop(s);
    assert_eq!(says(other, "select count(*) from pg_class where relpersistence = 't'").lines().next(), Some("0"));
    assert!(db.engine().memory().used() <= memory + (64 << 10), "and given back");
}

/// What a session makes of a text after a temporary table hides its table is its own: others go on with what they share.
#[test]
fn plans_over_temporary_tables_are_nobody_elses() {
    let db = database(3, Way::Here);
    let mut a = transcript::start(&db, "postgres").expect("session");
    let mut b = transcript::start(&db, "postgres").expect("session");
    says(&mut a, "create table y (k int primary key, a text); insert into y values (1, 'shared')");
    let text = "select a from y where k = $1";
    let parse = |s: &mut Session| s.parse("q", text, &[23], &mut Transcript::default()).expect("parse");
    let ask = |s: &mut Session| -> String {
        let mut said = Transcript::default();
        let asked = s
            .bind("", "q", &[], &[Some(b"1".as_slice())], &[], &mut said)
            .and_then(|()| s.execute("", 0, &mut said))
            .and_then(|_| s.sync(&mut said));
        asked.map_or_else(|e| format!("{} {}", e.code().as_str(), e.message()), |()| said.text())
    };
    parse(&mut a);
    parse(&mut b);
    for _ in 0..3 {
        assert_eq!((ask(&mut a), ask(&mut b)), ("shared\n".into(), "shared\n".into()));
    }
    says(&mut a, "create temp table y (k int primary key, a text); insert into y values (1, 'own')");
    for _ in 0..3 {
        assert_eq!((ask(&mut a), ask(&mut b)), ("own\n".into(), "shared\n".into()));
        assert!(says(&mut a, "select a from y where k = 1").starts_with("own"));
        assert!(says(&mut b, "select a from y where k = 1").starts_with("shared"));
    }
    assert!(says(&mut b, "alter table y add column z int").contains("ALTER TABLE"));
    assert_eq!((ask(&mut a), ask(&mut b)), ("own\n".into(), "shared\n".into()));
    assert!(says(&mut a, "begin; drop table y").contains("DROP TABLE"));
    assert!(says(&mut a, "select a from y where k = 1").starts_with("shared"));
    assert!(says(&mut a, "rollback; select a from y where k = 1").starts_with("own"));
    assert!(says(&mut a, "drop table y").contains("DROP TABLE"));
    assert_eq!((ask(&mut a), ask(&mut b)), ("shared\n".into(), "shared\n".into()));
    assert!(says(&mut a, "create temp table y (k text, a int)").contains("CREATE TABLE"));
    assert!(ask(&mut a).starts_with("42883"), "{}", ask(&mut a));
    assert_eq!(ask(&mut b), "shared\n");
}

/// 53200 beyond what a session may have, and the session goes on.
#[test]
fn a_session_has_a_limit() {
    let shard = Shard::open(Arc::new(SimDisk::new(2)), ShardOptions::default()).expect("shard");
    let db = Database::open_with(shard, 32 << 20, u64::MAX).expect("database");
    let mut s = transcript::start(&db, "postgres").expect("session");
    says(&mut s, "create temp table t (k int primary key, a text)");
    let said = says(&mut s, "insert into t select g, repeat('x', 1000) from generate_series(1, 100000) g");
    assert!(said.starts_with("53200"), "{said}");
    assert!(said.contains("Temporary tables of a session are limited to"), "{said}");
    assert!(says(&mut s, "select count(*) from t").starts_with('0'));
    assert!(
        says(&mut s, "insert into t select g, repeat('x', 1000) from generate_series(1, 1000) g")
            .contains("INSERT 0 1000")
    );
    assert!(says(&mut s, "update t set a = a || 'y'; select count(*) from t").starts_with("1000"));
}
