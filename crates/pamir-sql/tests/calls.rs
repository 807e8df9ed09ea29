//! The calls that statements make to data that is elsewhere: each would be a round trip to a remote shard.
//!
//! `calls/workloads.sql` has the statements of sysbench's OLTP workloads, pgbench's and TPC-C's transactions and an object mapper's, `calls/workloads.out` each with its calls, in their order; `*10`: of ten
//! keys. `UPDATE=1` rewrites it. A statement is run once before in a transaction that is rolled back, so that its plan is there. For statements of many rows, the number of calls
//! must not depend on the rows (but for full batches, and scans that read on).
use pamir_cluster::remote::rig::{Between, Inline, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::golden;
use pamir_txn::calls::{Call, Calls, Recorder};
use pamir_txn::face::BATCH_KEYS;
use pamir_txn::{Shard, ShardOptions};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

struct Client {
    session: Session,
    reply: Transcript,
    calls: Arc<Calls>,
}
impl Client {
    fn new() -> Client {
        let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
        let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("open");
        let recorder = Recorder::new(shard, None).expect("recorder");
        let calls = recorder.calls().clone();
        let db = Database::open(Arc::new(recorder)).expect("database");
        let session = transcript::start(&db, "postgres").expect("session");
        Client { session, reply: Transcript::default(), calls }
    }
    fn run(&mut self, sql: &str) -> Vec<Call> {
        self.calls.take();
        self.calls.listen(true);
        let r = self.session.simple_query(sql, &mut self.reply);
        let r = r.and_then(|()| self.session.sync(&mut self.reply));
        self.calls.listen(false);
        r.unwrap_or_else(|e| panic!("{sql}: {e:?}"));
        self.calls.take()
    }
}
fn told(calls: &[Call]) -> String {
    let one = |c: &Call| if c.keys.len() > 1 { format!("{}*{}", c.name, c.keys.len()) } else { c.name.to_string() };
    if calls.is_empty() { "nothing".into() } else { calls.iter().map(one).collect::<Vec<_>>().join(", ") }
}

#[test]
fn workloads() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calls");
    let input = std::fs::read_to_string(dir.join("workloads.sql")).expect("statements");
    let mut client = Client::new();
    let mut out = String::new();
    let mut listed = false;
    for line in input.lines() {
        if line.starts_with("--") {
            // Before the first heading of a workload's transactions, it is set up.
            listed = !line.starts_with("---");
            let _ = writeln!(out, "{line}");
            continue;
        }
        let statement = line.trim_end_matches(';');
        if !listed {
            client.run(statement);
            continue;
        }
        let _ = writeln!(out, "{statement}\n    {}", told(&client.run(statement)));
    }
    let differ = golden::compare(&dir.join("workloads.out"), &out, true);
    assert!(differ.is_none(), "{}", differ.unwrap_or_default());
}

/// A node that has its data elsewhere makes no more requests than there are calls.
#[test]
fn requests() {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calls/workloads.sql");
    let input = std::fs::read_to_string(input).expect("statements");
    let mut client = Client::new();
    let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("open");
    let rig = Rig::new(shard, Arc::new(Inline), None).expect("rig");
    let sent = |b: &Between| (b.requests_sent.load(Ordering::Relaxed), b.notes_sent.load(Ordering::Relaxed));
    let db = Database::open(rig.engine.clone()).expect("database");
    let mut session = transcript::start(&db, "postgres").expect("session");
    let (mut made, mut requests, mut notes, mut n) = (0, 0, 0, 0);
    for line in input.lines().filter(|l| !l.starts_with("--")) {
        let statement = line.trim_end_matches(';');
        let calls = client.run(statement);
        let before = sent(&rig.between);
        let mut reply = Transcript::default();
        let r = session.simple_query(statement, &mut reply).and_then(|()| session.sync(&mut reply));
        r.unwrap_or_else(|e| panic!("{statement}: {e:?}"));
        let after = sent(&rig.between);
        // Definitions ask for the newest catalog first, which may be another node's: once a transaction, of which ANALYZE has one a table after it has looked for them.
        let defines = !["select", "insert", "update", "delete", "with"].iter().any(|w| statement.starts_with(w));
        let commits = told(&calls).split(", ").filter(|c| *c == "commit").count().max(1) as u64;
        let asks = if defines { commits + u64::from(commits > 1) } else { 0 };
        assert!(
            after.0 - before.0 <= calls.len() as u64 + asks,
            "{statement}: {} requests, {}",
            after.0 - before.0,
            told(&calls)
        );
        (made, n) = (made + calls.len(), n + 1);
        (requests, notes) = (requests + after.0 - before.0, notes + after.1 - before.1);
    }
    println!("{n} statements: {made} calls, {requests} requests, {notes} notes");
}

/// Statements of n rows; all are undone.
fn of_rows(n: usize, dir: &Path) -> Vec<(&'static str, String)> {
    let file = dir.join(format!("{n}.txt"));
    let lines: String = (1..=n).map(|i| format!("{0}\t{0}\tx\t1\n", i + 5000)).collect();
    std::fs::write(&file, lines).expect("rows");
    let list = |f: &dyn Fn(usize) -> String| (1..=n).map(f).collect::<Vec<_>>().join(", ");
    let ids = list(&|i| i.to_string());
    vec![
        ("insert values", format!("insert into t values {}", list(&|i| format!("({0}, {0}, 'x', 1)", i + 5000)))),
        (
            "insert values, generated",
            format!("insert into g (id, a) values {}", list(&|i| format!("({}, {i})", i + 5000))),
        ),
        ("insert values, no primary key", format!("insert into n values {}", list(&|i| format!("({i}, 'x')")))),
        ("insert values, references", format!("insert into r values {}", list(&|i| format!("({i}, {i})")))),
        ("insert select", format!("insert into t select id + 5000, u + 5000, 'x', 1 from t where id in ({ids})")),
        (
            "insert select returning",
            format!("insert into t select id + 5000, u + 5000, 'x', 1 from t where id in ({ids}) returning id"),
        ),
        ("copy", format!("copy t from '{}'", file.display())),
        ("update by keys", format!("update t set a = 'y' where id in ({ids})")),
        ("update of an index", format!("update t set k = 7 where id in ({ids})")),
        ("delete by keys", format!("delete from g where id in ({ids})")),
        ("select by keys", format!("select * from t where id in ({ids})")),
        ("select by unique keys", format!("select * from t where u in ({ids})")),
        ("update by another index", format!("update t set a = 'y' where k between 1 and {n}")),
        ("select for update", format!("select * from t where id in ({ids}) for update")),
        ("update of unique values", format!("update t set u = u + 10000 where id in ({ids})")),
        ("update of unique values, to each other's", format!("update t set u = -u where id in ({ids})")),
        ("update of primary keys", format!("update v set id = id + 10000 where id in ({ids})")),
        (
            "update to the next one's",
            format!("update v set id = x.id - 1 from (select id from v where id in ({ids})) x where v.id = x.id"),
        ),
        ("delete of referenced rows", format!("delete from p where id in ({ids}) and id > 0")),
        ("delete, cascading", format!("delete from p1 where id in ({ids})")),
        ("delete, children of children", format!("delete from p0 where id in ({ids})")),
        ("delete, setting null", format!("delete from p2 where id in ({ids})")),
        ("update, cascading", format!("update p1 set id = id + 10000 where id in ({ids})")),
        (
            "insert, references to unique keys",
            format!("insert into f values {}", list(&|i| format!("({i}, {i}, {i})"))),
        ),
        ("delete of rows with unique keys", format!("delete from o where id in ({ids})")),
        ("list of first columns", format!("select * from l where a in ({ids})")),
        ("list of some of a key", format!("select * from l where (a, b) in ({})", list(&|i| format!("({i}, 1)")))),
        ("list of an index's first column", format!("select * from l where d in ({ids})")),
        ("list of first columns, prepared", format!("select a, b from l where a in ({ids}) order by a, b")),
        ("update by first columns", format!("update l set e = 1 where a in ({ids})")),
        ("loop over primary keys", format!("select v.a, t.a from v join t on t.id = v.a where v.id in ({ids})")),
        ("loop over unique keys", format!("select v.a, t.a from v join t on t.u = v.a where v.id in ({ids})")),
        ("loop over key prefixes", format!("select v.a, l.b from v join l on l.a = v.a where v.id in ({ids})")),
        ("outer loop over an index", format!("select v.a, l.b from v left join l on l.d = v.a where v.id in ({ids})")),
        (
            "loop in a loop",
            format!("select v.a, l.b, t.k from v join l on l.a = v.a join t on t.id = l.a where v.id in ({ids})"),
        ),
        ("semi loop", format!("select v.a from v where v.id in ({ids}) and exists (select 1 from l where l.a = v.a)")),
        ("insert, serial", format!("insert into q (a) values {}", list(&|i| format!("({i})")))),
        ("insert, default", format!("insert into q values {}", list(&|i| format!("(default, {i})")))),
        ("insert, expressions", format!("insert into q values {}", list(&|i| format!("(default, {i} + 1)")))),
        ("insert, identity", format!("insert into y (a) values {}", list(&|i| format!("({i})")))),
        ("insert select, serial", format!("insert into q (a) select u from t where id in ({ids})")),
        ("insert select, identity", format!("insert into y (a) select u from t where id in ({ids}) returning id")),
        ("copy, serial", format!("copy q (a, b, c, d) from '{}'", file.display())),
        (
            "do nothing, all new",
            format!("insert into v values {} on conflict do nothing", list(&|i| format!("({}, 1)", i + 5000))),
        ),
        (
            "do nothing, all there",
            format!("insert into v values {} on conflict (id) do nothing", list(&|i| format!("({i}, 1)"))),
        ),
        (
            "do update, all new",
            format!(
                "insert into v values {} on conflict (id) do update set a = v.a + excluded.a",
                list(&|i| format!("({}, 1)", i + 5000))
            ),
        ),
        (
            "do update, all there",
            format!(
                "insert into v values {} on conflict (id) do update set a = v.a + excluded.a",
                list(&|i| format!("({i}, 1)"))
            ),
        ),
        (
            "do update, half of them",
            format!(
                "insert into t values {} on conflict (id) do update set a = excluded.a returning id",
                list(&|i| format!("({0}, {0}, 'y', 2)", if i % 2 == 0 { i } else { i + 5000 }))
            ),
        ),
        (
            "do update, another key",
            format!(
                "insert into t values {} on conflict (u) do update set a = excluded.a",
                list(&|i| format!("({}, {}, 'y', 2)", i + 5000, if i % 2 == 0 { i } else { i + 5000 }))
            ),
        ),
        (
            "do nothing, any key",
            format!(
                "insert into t values {} on conflict do nothing",
                list(&|i| format!(
                    "({}, {}, 'y', 2)",
                    if i % 3 == 0 { i } else { i + 5000 },
                    if i % 2 == 0 { i } else { i + 5000 }
                ))
            ),
        ),
        (
            "do update, serial",
            format!(
                "insert into w (a) values {} on conflict (a) do update set b = excluded.a",
                list(&|i| format!("({i})"))
            ),
        ),
    ]
}

#[test]
fn as_many_for_many_rows() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut client = Client::new();
    for sql in [
        "create table t (id int primary key, u int unique, a text, k int)",
        "create index t_k on t (k)",
        "create table g (id int primary key, a int, b int generated always as (a * 2) stored unique)",
        "create table n (a int, b text)",
        "create table q (id serial primary key, a int, b int, c text, d int)",
        "create table y (id int generated always as identity primary key, a int)",
        "create table v (id int primary key, a int)",
        "insert into v select g, g from generate_series(1, 2000) g",
        "create table o (id int primary key, u int unique)",
        "insert into o select g, -g from generate_series(1, 2000) g",
        "insert into o select g, g - 3000 from generate_series(3001, 5000) g",
        "create table l (a int, b int, c int, d int, e int, primary key (a, b, c))",
        "insert into l select g, 1, 1, g, 0 from generate_series(1, 2000) g",
        "create index l_d on l (d, b)",
        "create table p (id int primary key)",
        "create table c (id int primary key, p int references p)",
        "create index c_p on c (p)",
        "create table p0 (id int primary key)",
        "create table p1 (id int primary key references p0 on delete cascade)",
        "create table c1 (id int primary key, p int references p1 on delete cascade on update cascade)",
        "create index c1_p on c1 (p)",
        "create table p2 (id int primary key)",
        "create table c2 (id int primary key, p int references p2 on delete set null)",
        "create index c2_p on c2 (p)",
        "insert into p select g from generate_series(1, 2000) g",
        "insert into p0 select g from generate_series(1, 12000) g",
        "insert into p1 select g from generate_series(1, 2000) g",
        "insert into p2 select g from generate_series(1, 2000) g",
        "insert into c select g, g from generate_series(1500, 2000) g",
        "insert into c1 select g, g from generate_series(1, 2000) g",
        "insert into c2 select g, g from generate_series(1, 2000) g",
        "create table f (id int primary key, u int references o (u), v int references p0)",
        "create index f_u on f (u)",
        "create index f_v on f (v)",
        "create table w (id serial primary key, a int unique, b int)",
        "create table r (id int primary key, p int references t)",
        "insert into t select g, g, 'x', g from generate_series(1, 2000) g",
        "insert into g (id, a) select g, -g from generate_series(1, 2000) g",
        "analyze",
    ] {
        client.run(sql);
    }
    let mut wrong = String::new();
    for which in 0..of_rows(1, dir.path()).len() {
        let mut first = None;
        for n in [10, 100, 300, 1000] {
            let (name, sql) = &of_rows(n, dir.path())[which];
            client.run("begin");
            let calls = client.run(sql);
            client.run("rollback");
            // Beyond a batch's keys, a call a batch; scans read on in growing steps.
            let made = calls.iter().filter(|c| c.name != "scan_more").count();
            let first = *first.get_or_insert(made);
            let keys: usize = calls.iter().map(|c| c.keys.len()).sum();
            let full = if keys > BATCH_KEYS { keys.div_ceil(BATCH_KEYS) } else { 0 };
            if made > first + full {
                let _ = writeln!(wrong, "{name}, {n} rows: {}", told(&calls));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Values of a sequence come in the order of the rows and without gaps, also where one statement needs several batches.
#[test]
fn sequences_have_no_gaps() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut client = Client::new();
    client.run("create table s (a int)");
    client.run("insert into s select g from generate_series(1, 3000) g");
    client.run("create table q (id serial primary key, a int, b bigint default lastval())");
    client.run("create sequence small maxvalue 5");
    client.run("create table few (id int default nextval('small'), a int)");
    client.run("select nextval('q_id_seq')");
    let file = dir.path().join("rows.txt");
    std::fs::write(&file, (1..=2500).map(|i| format!("{i}\n")).collect::<String>()).expect("rows");
    let values =
        |n: usize, what: &str| (1..=n).map(|i| what.replace('#', &i.to_string())).collect::<Vec<_>>().join(", ");
    for (n, sql) in [
        (3000, "insert into q (a) select a from s order by a".to_string()),
        (2500, format!("copy q (a) from '{}'", file.display())),
        (2500, format!("insert into q (a) values {}", values(2500, "(#)"))),
        (1500, format!("insert into q (a, b) values {}", values(1500, "(#, currval('q_id_seq') + 1)"))),
        (1500, format!("insert into q (id, a) values {}", values(1500, "(default, # + 0)"))),
        (1500, format!("insert into q (id, a, b) values {}", values(1500, "(default, #, lastval())"))),
        (700, "insert into q (a) select a from s where a <= 700 order by a on conflict (id) do nothing".into()),
        (700, "insert into q (a, b) select a, currval('q_id_seq') + 1 from s where a <= 700 order by a".into()),
    ] {
        let mut got = |sql: &str| {
            client.reply.said.clear();
            client.run(sql);
            client.reply.text()
        };
        let last = got("select last_value from q_id_seq");
        let last: i64 = last.split_whitespace().find_map(|w| w.parse().ok()).expect("a number");
        got(&sql);
        let held = got(&format!(
            "select 'yes' from q where id > {last} having count(*) = {n} and min(id) = {last} + 1 and bool_and(id - a = {last} and b = id) and max(id) = (select last_value from q_id_seq)"
        ));
        assert!(held.contains("yes"), "{sql:.200}\n{held}");
    }
    let e = client.session.simple_query("insert into few (a) values (1), (2), (3), (4), (5), (6)", &mut client.reply);
    assert_eq!(e.expect_err("the sequence's end").code().as_str(), "2200H");
    client.session.sync(&mut client.reply).expect("sync");
}

/// A nested loop under LIMIT reads little more ahead than it gives.
#[test]
fn limits_are_kept() {
    let mut client = Client::new();
    client.run("create table a (id int primary key, b int)");
    client.run("create table b (id int primary key, c int)");
    client.run("insert into a select g, g from generate_series(1, 5000) g");
    client.run("insert into b select g, g from generate_series(1, 5000) g");
    client.run("analyze");
    for (sql, most) in [
        ("select * from a join b on b.id = a.b order by a.id limit 5", 16),
        ("select * from a join b on b.id = a.b order by a.id limit 40", 16 + 32),
        ("select * from a join b on b.id = a.b where a.id = 7", 2),
    ] {
        let calls = client.run(sql);
        let keys: usize = calls.iter().filter(|c| c.name.starts_with("get")).map(|c| c.keys.len()).sum();
        assert!(keys > 0 && keys <= most, "{sql}: {}", told(&calls));
    }
}

/// Rows that wait are written before a later line's error is told, and an error names its own line.
#[test]
fn copy_names_the_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut client = Client::new();
    client.run("create table t (id int primary key)");
    client.run("create table r (id int primary key, t int references t)");
    let mut fails = |lines: &str, table: &str| {
        let file = dir.path().join("rows.txt");
        std::fs::write(&file, lines).expect("rows");
        let sql = format!("copy {table} from '{}'", file.display());
        let e = client.session.simple_query(&sql, &mut client.reply).expect_err("a bad row");
        client.session.sync(&mut client.reply).expect("sync");
        format!("{} {}", e.code().as_str(), e.data().context.as_deref().unwrap_or("-"))
    };
    assert_eq!(fails("1\n2\n1\n4\n", "t"), "23505 COPY t, line 3");
    assert_eq!(fails("1\n2\n1\nx\n", "t"), "23505 COPY t, line 3");
    assert_eq!(fails("1\n2\nx\n2\n", "t"), "22P02 COPY t, line 3, column id: \"x\"");
    assert_eq!(fails("1\n\\N\n2\n1\n", "t"), "23502 COPY t, line 2");
    assert_eq!(fails("1\n2\n3\n3\n5\n", "t"), "23505 COPY t, line 4");
    assert_eq!(fails("1\t1\n2\t2\n", "r"), "23503 COPY r, line 2");
}

/// The first row that is wrong is told, whichever way it is.
#[test]
fn errors_come_in_order() {
    let mut client = Client::new();
    client.run("create table t (id int primary key, a int default 1, check (a <> 3))");
    client.run("insert into t values (1, 1), (2, 2)");
    client.run("create table s (id int)");
    client.run("insert into s values (10), (20), (0), (30)");
    let mut fails = |sql: &str| {
        let e = client.session.simple_query(sql, &mut client.reply).expect_err(sql);
        client.session.sync(&mut client.reply).expect("sync");
        e.code().as_str().to_string()
    };
    assert_eq!(fails("insert into t values (5, 5), (5, 6), (7, 1 / 0)"), "22012");
    assert_eq!(fails("insert into t values (5, 5), (6, 3), (5, 6)"), "23514");
    assert_eq!(fails("insert into t values (5, 5), (1, 6), (7, 3)"), "23505");
    assert_eq!(fails("insert into t select case id when 20 then 10 else id end, 20 / id from s"), "23505");
    assert_eq!(fails("insert into t select id, case id when 20 then 3 else 20 / id end from s"), "23514");
    assert_eq!(fails("insert into t select id, 20 / id from s"), "22012");
    assert_eq!(fails("update t set a = 3 where 1 / (2 - id) > 0"), "23514");
}
