//! Statements over data that is elsewhere answer as over data that is here: the same random statements in two databases, one of whose transactions are far, give the same rows, tags
//! and errors, and leave the same tables.
//!
//! What a far statement asks ahead depends on batches, so the statements are of many rows: upserts, changes of unique columns, rows that others refer to, lists of keys, loops.
use pamir_cluster::remote::rig::{Inline, Pool, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::Rng;
use pamir_testkit::chance::seeds;
use pamir_txn::calls::Recorder;
use pamir_txn::{Engine, Shard, ShardOptions};
use std::fmt::Write;
use std::sync::Arc;

/// What a database's transactions go through to a shard.
type Way = fn(Arc<Shard>) -> Arc<dyn Engine>;
fn here(shard: Arc<Shard>) -> Arc<dyn Engine> {
    shard
}
fn recorded(shard: Arc<Shard>) -> Arc<dyn Engine> {
    Arc::new(Recorder::new(shard, None).expect("recorder"))
}
fn at_another_node(shard: Arc<Shard>) -> Arc<dyn Engine> {
    Rig::new(shard, Arc::new(Inline), None).expect("rig").engine
}

struct Side(Session);
impl Side {
    fn new(seed: u64, way: Way) -> Side {
        let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
        let shard = Shard::open_stepped(Arc::new(SimDisk::new(seed)), opts).expect("open");
        Side::of(&Database::open(way(shard)).expect("database"))
    }
    fn of(db: &Arc<Database>) -> Side {
        Side(transcript::start(db, "postgres").expect("session"))
    }
    /// Rows and tag, or the error with what it says.
    fn run(&mut self, sql: &str) -> String {
        let mut said = Transcript::default();
        let r = self.0.simple_query(sql, &mut said);
        let synced = self.0.sync(&mut said);
        let mut out = said.text();
        match r.and(synced) {
            Ok(()) => out.push_str(said.tag()),
            Err(e) => {
                let detail = e.data().detail.as_deref().unwrap_or("-").to_string();
                let _ = write!(out, "{} {} ({detail})", e.code().as_str(), e.message());
            }
        }
        out
    }
}

const SETUP: &[&str] = &[
    "create table t (id int primary key, u int unique, k int, n serial)",
    "create index t_k on t (k)",
    "create table p (id int primary key, v int unique, w int)",
    "create table c (id int primary key, p int references p on delete cascade on update cascade, n int generated always as identity)",
    "create index c_p on c (p)",
    "create table d (id int primary key, c int references c on delete set null, v int references p (v) on update cascade)",
    "create index d_c on d (c)",
    "create index d_v on d (v)",
    "create table e (a int, b int, c int default 1 references p on delete set default, primary key (a, b))",
    "create index e_c on e (c, a)",
    "create table f (a int, b int, p int references p deferrable initially deferred, x text default 'x', unique (a, b))",
    "create index f_p on f (p)",
];

fn rows(r: &mut Rng, f: &mut dyn FnMut(&mut Rng) -> String) -> String {
    let most = if r.chance(4) { 40 } else { 6 };
    let n = 1 + r.below(most);
    (0..n).map(|_| f(r)).collect::<Vec<_>>().join(", ")
}
fn list(r: &mut Rng) -> String {
    rows(r, &mut |r| key(r).to_string())
}
fn key(r: &mut Rng) -> u64 {
    r.below(60)
}
fn value(r: &mut Rng) -> String {
    if r.below(8) == 0 { "null".into() } else { key(r).to_string() }
}
fn statement(r: &mut Rng) -> String {
    let conflict = |r: &mut Rng| {
        [
            "",
            " on conflict do nothing",
            " on conflict (id) do nothing",
            " on conflict (u) do nothing",
            " on conflict (id) do update set k = t.k + excluded.k",
            " on conflict (u) do update set k = excluded.id",
            " on conflict (u) do update set k = excluded.id where t.k > 20",
            " on conflict (id) do update set u = excluded.u",
            " on conflict (u) do update set id = excluded.id + 60",
        ][r.below(9) as usize]
    };
    let returning = |r: &mut Rng| ["", " returning id, u, k", " returning id, (xmax = 0)"][r.below(3) as usize];
    match r.below(34) {
        0..=5 => {
            let v = rows(r, &mut |r| format!("({}, {}, {})", key(r), value(r), key(r)));
            format!("insert into t (id, u, k) values {v}{}{}", conflict(r), returning(r))
        }
        6 => {
            let v = rows(r, &mut |r| format!("({}, {} + 0, {}, default)", key(r), key(r), key(r)));
            format!("insert into t values {v}{}", conflict(r))
        }
        7..=8 => format!(
            "insert into t (id, u, k) select id + {}, u + {}, k from t where id in ({}) order by id{}{}",
            r.below(3),
            r.below(3),
            list(r),
            conflict(r),
            returning(r)
        ),
        9 => format!("update t set u = u + {} where id in ({}){}", r.below(4), list(r), returning(r)),
        10 => format!("update t set u = {} - u where k < {}", key(r), key(r)),
        11 => format!("update t set id = id + {}, u = u where id in ({}){}", r.below(4), list(r), returning(r)),
        12 => format!("update t set u = x.id from p x where x.v = t.k and t.id in ({})", list(r)),
        13 => format!("update t set u = (select max(id) from p where p.v = t.k) where id in ({})", list(r)),
        14 => format!("delete from t where u in ({}){}", list(r), returning(r)),
        15..=16 => {
            let v = rows(r, &mut |r| format!("({}, {}, {})", key(r), key(r), key(r)));
            format!("insert into p values {v} on conflict do nothing")
        }
        17 => {
            let v = rows(r, &mut |r| format!("({}, {})", key(r), value(r)));
            format!("insert into c (id, p) values {v} on conflict do nothing")
        }
        18 => {
            let v = rows(r, &mut |r| format!("({}, {}, {})", key(r), value(r), value(r)));
            format!("insert into d values {v} on conflict (id) do update set c = excluded.c, v = excluded.v")
        }
        19 => {
            let v = rows(r, &mut |r| format!("({}, {}, {})", r.below(12), r.below(12), value(r)));
            format!("insert into e values {v} on conflict do nothing")
        }
        20 => {
            let v = rows(r, &mut |r| format!("({}, {}, {})", r.below(12), r.below(12), value(r)));
            format!(
                "insert into f (a, b, p) values {v} on conflict (a, b) do update set p = excluded.p, x = f.x || 'y'"
            )
        }
        21 => format!("delete from p where id in ({})", list(r)),
        22 => format!("update p set id = id + {} where id in ({})", r.below(3), list(r)),
        23 => format!("update p set v = {} - v where id in ({})", key(r), list(r)),
        24 => format!("delete from c where id in ({})", list(r)),
        25 => format!("select * from e where a in ({}) order by a, b limit {}", list(r), 1 + r.below(30)),
        26 => format!("select * from e where (a, b) in ({}) order by a desc, b desc", {
            rows(r, &mut |r| format!("({}, {})", r.below(12), r.below(12)))
        }),
        27 => format!("select e.a, e.b, e.c from e where c in ({}) order by 1, 2", list(r)),
        28 => format!(
            "select t.id, p.w, c.id from t {} join p on p.id = t.k left join c on c.p = p.id where t.id in ({}) order by 1, 3 limit {}",
            ["", "left"][r.below(2) as usize],
            list(r),
            1 + r.below(40)
        ),
        29 => format!(
            "select t.id from t where exists (select 1 from e where e.a = t.k) and t.u in ({}) order by 1",
            list(r)
        ),
        30 => format!(
            "select t.id, x.b from t, lateral (select b from e where e.a = t.k order by b limit 2) x where id in ({}) order by 1, 2",
            list(r)
        ),
        31 => format!("update e set c = {} where a in ({})", value(r), list(r)),
        32 => format!("delete from e using t where e.a = t.k and t.id in ({}) returning e.*", list(r)),
        _ => format!("select id, k from t where id in ({}) order by id for update", list(r)),
    }
}

#[test]
fn as_here() {
    compare(recorded);
}
#[test]
fn as_here_at_another_node() {
    compare(at_another_node);
}
fn compare(far: Way) {
    for seed in seeds(12) {
        let mut r = Rng::new(seed);
        let mut sides = [Side::new(seed, here), Side::new(seed, far)];
        let mut both = |sql: &str, so_far: &[String]| {
            let [a, b] = sides.each_mut().map(|s| s.run(sql));
            assert_eq!(a, b, "seed {seed}: {sql}\nafter\n{}", so_far.join(";\n"));
        };
        SETUP.iter().for_each(|s| both(s, &[]));
        both("insert into p select g, g, g from generate_series(0, 40) g", &[]);
        both("insert into e select g / 5, g % 5, g % 40 from generate_series(0, 50) g", &[]);
        if seed % 2 == 0 {
            both("set enable_hashjoin = off", &[]);
        }
        let mut log = Vec::new();
        let mut open = false;
        for _ in 0..120 {
            let sql = match r.below(14) {
                0 if open => "commit".to_string(),
                0 => ["begin", "begin isolation level repeatable read", "begin isolation level serializable"]
                    [r.below(3) as usize]
                    .into(),
                1 if open => "rollback".into(),
                2 if open => ["savepoint s", "rollback to s"][r.below(2) as usize].into(),
                _ => statement(&mut r),
            };
            open = match sql.split(' ').next() {
                Some("begin") => true,
                Some("commit" | "rollback") => sql.contains(" to "),
                _ => open,
            };
            both(&sql, &log);
            log.push(sql);
        }
        both("rollback", &log);
        // Values of sequences that a failed statement took are lost, more of them where they were taken ahead.
        for t in [
            "select id, u, k from t order by 1",
            "table p order by 1",
            "select id, p from c order by 1",
            "table d order by 1",
            "table e order by 1, 2",
            "table f order by 1, 2, 3",
        ] {
            both(t, &log);
        }
    }
}

/// Sessions that write the same rows in the order of their keys wait for each other and do not meet in a deadlock, one row at a time or many; no increment is lost.
#[test]
fn upserts_of_many_sessions() {
    const SESSIONS: u64 = 4;
    const ROUNDS: u64 = 60;
    let late = Some(std::time::Duration::from_micros(50));
    let ways: [&dyn Fn(Arc<Shard>) -> Arc<dyn Engine>; 4] = [
        &here,
        &|shard| Arc::new(Recorder::new(shard, late).expect("recorder")),
        &|shard| Rig::new(shard, Arc::<Pool>::default(), None).expect("rig").engine,
        &|shard| Rig::new(shard, Arc::<Pool>::default(), late).expect("rig").engine,
    ];
    for way in ways {
        let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("open");
        let engine = way(shard);
        let db = Database::open(engine).expect("database");
        let start = || Side::of(&db);
        let mut first = start();
        assert_eq!(first.run("create table n (id int primary key, a int)"), "CREATE TABLE");
        assert_eq!(first.run("create table m (id serial primary key, u int unique, a int)"), "CREATE TABLE");
        let added: i64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..SESSIONS)
                .map(|s| {
                    let mut side = start();
                    scope.spawn(move || {
                        let mut r = Rng::new(s);
                        let mut added = 0;
                        for _ in 0..ROUNDS {
                            let mut keys: Vec<u64> = (0..1 + r.below(8)).map(|_| r.below(12)).collect();
                            keys.sort_unstable();
                            keys.dedup();
                            let of = |f: &dyn Fn(&u64) -> String| keys.iter().map(f).collect::<Vec<_>>().join(", ");
                            let n = keys.len();
                            let (sql, tag) = match r.below(4) {
                                0 => {
                                    added += n as i64;
                                    (format!("insert into n values {} on conflict (id) do update set a = n.a + 1", of(&|k| format!("({k}, 1)"))), format!("INSERT 0 {n}"))
                                }
                                1 => {
                                    added += n as i64;
                                    (format!("insert into m (u, a) values {} on conflict (u) do update set a = m.a + 1", of(&|k| format!("({k}, 1)"))), format!("INSERT 0 {n}"))
                                }
                                2 => {
                                    (format!("insert into n values {} on conflict do nothing", of(&|k| format!("({k}, 0)"))), String::new())
                                }
                                _ => {
                                    // One row at a time, in the same order.
                                    assert_eq!(side.run("begin"), "BEGIN");
                                    for k in &keys {
                                        let got = side.run(&format!("insert into m (u, a) values ({k}, 1) on conflict (u) do update set a = m.a + 1"));
                                        assert_eq!(got, "INSERT 0 1");
                                    }
                                    added += n as i64;
                                    ("commit".to_string(), "COMMIT".to_string())
                                }
                            };
                            let got = side.run(&sql);
                            assert!(got.starts_with("INSERT") || got == tag, "{sql}: {got}");
                        }
                        added
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().expect("a session")).sum()
        });
        assert_eq!(first.run("select (select sum(a) from n) + (select sum(a) from m)"), format!("{added}\nSELECT 1"));
    }
}
