//! Golden scripts: SQL through a whole session over a real shard, compared with what psql prints on PostgreSQL 15.
//!
//! `scripts/NAME.sql` is the input, `scripts/NAME.out` what `psql -XaA -P null=NULL -P footer=off -v VERBOSITY=verbose` printed for it (lines of location, context
//! and object names left out). `scripts/own/NAME.sql` are scripts whose output is our own (plans); `UPDATE=1` rewrites those.
//! `plans/NAME.script` are statements with their plans.
//! A statement ends with a line that ends with `;`.
use pamir_cluster::remote::rig::{Pool, Rig};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Said, Transcript};
use pamir_storage::disk::real::RealDisk;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::platform::Sim;
use pamir_testkit::golden;
use pamir_txn::calls::Recorder;
use pamir_txn::{Engine, Shard, ShardOptions};
use pamir_types::{Error, Result};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What psql prints of what was said: a statement's result only when it is complete, and no tag for a query.
fn psql(said: &[Said]) -> String {
    let (mut text, mut pending) = (String::new(), String::new());
    for s in said {
        match s {
            Said::Fields(names) => pending += &(names.join("|") + "\n"),
            Said::Row(row) => {
                let columns: Vec<&str> = row.iter().map(|c| c.as_deref().unwrap_or("NULL")).collect();
                pending += &(columns.join("|") + "\n");
            }
            Said::Tag(tag) => {
                text += &std::mem::take(&mut pending);
                if !(["SELECT", "FETCH", "SHOW"].iter().any(|q| tag.starts_with(q)) || tag == "EXPLAIN") {
                    text += &format!("{tag}\n");
                }
            }
            Said::Notice(e) => {
                let d = e.data();
                text += &format!("{:?}:  {}: {}\n", d.severity, d.code.as_str(), d.message);
            }
            Said::CopyOut(b) => text += &String::from_utf8_lossy(b),
            Said::Notification(channel, payload) => text += &format!("({channel}: {payload})\n"),
            Said::EmptyQuery | Said::Suspended => {}
        }
    }
    text
}
/// What psql prints of what was said since the last time.
fn printed(out: &mut Transcript) -> String {
    psql(&std::mem::take(&mut out.said))
}

/// How sessions reach the shard.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Here,
    /// As if it were elsewhere, through the face's recording implementation; answers come so late, from another thread, or at once.
    Far(Option<Duration>),
    /// At another node's, through the bytes of requests and answers, of which each comes so late, or at once.
    Remote(Option<Duration>),
    /// On a machine that a seed makes, stepped by this thread.
    Simulated,
}
fn open(dir: &Path) -> (Arc<Shard>, Arc<Database>) {
    open_by(Way::Here, dir)
}
fn open_by(way: Way, dir: &Path) -> (Arc<Shard>, Arc<Database>) {
    let mut opts = ShardOptions { cache_size: 64 << 20, log_segment_size: 4 << 20, ..ShardOptions::default() };
    let shard = if way == Way::Simulated {
        opts.io_threads = 0;
        opts.platform = Some(Arc::new(Sim::new(5)));
        Shard::open_stepped(Arc::new(SimDisk::new(5)), opts)
    } else {
        Shard::open(RealDisk::open(dir).expect("disk"), opts)
    };
    let shard = shard.expect("shard");
    let face: Arc<dyn Engine> = match way {
        Way::Here | Way::Simulated => shard.clone(),
        Way::Far(late) => Arc::new(Recorder::new(shard.clone(), late).expect("recorder")),
        Way::Remote(late) => Rig::new(shard.clone(), Arc::<Pool>::default(), late).expect("rig").engine,
    };
    let db = Database::open(face).expect("database");
    (shard, db)
}
fn connect(db: &Arc<Database>) -> (Session, Transcript) {
    (transcript::start(db, "postgres").expect("session"), Transcript::eager())
}
/// Runs one statement and returns what psql would print.
fn query(s: &mut Session, out: &mut Transcript, sql: &str) -> String {
    let failed = s.simple_query(sql, out).err();
    printed(out) + &failed.map_or_else(String::new, short)
}
fn short(e: Error) -> String {
    format!("{}: {}\n", e.code().as_str(), e.message())
}

fn run_script(input: &str, way: Way) -> String {
    let dir = tempfile::tempdir().expect("temp dir");
    let (shard, db) = open_by(way, dir.path());
    let (mut session, mut out) = connect(&db);
    let (mut stmt, mut text) = (String::new(), String::new());
    for line in input.lines() {
        text.push_str(line);
        text.push('\n');
        if line.starts_with("--") || (line.trim().is_empty() && stmt.is_empty()) {
            continue;
        }
        stmt.push_str(line);
        stmt.push('\n');
        if !line.trim_end().ends_with(';') {
            continue;
        }
        let answered = session.simple_query(stmt.trim_end(), &mut out);
        text += &printed(&mut out);
        if let Err(e) = answered {
            let d = e.data();
            let _ = writeln!(text, "ERROR:  {}: {}", d.code.as_str(), d.message);
            if let Some(s) = &d.detail {
                let _ = writeln!(text, "DETAIL:  {s}");
            }
            if let Some(s) = &d.hint {
                let _ = writeln!(text, "HINT:  {s}");
            }
        }
        stmt.clear();
    }
    drop(session);
    drop(db);
    let _ = shard.close();
    // Times differ from run to run.
    let timed = |l: &&str| !(l.starts_with("Planning Time:") || l.starts_with("Execution Time:"));
    text.lines().filter(timed).map(|l| format!("{l}\n")).collect()
}

/// `own`: what is expected is ours to say, as it is when all is here.
fn check(dir: &str, own: bool, way: Way) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let one =
        |f: PathBuf| golden::compare(&f.with_extension("out"), &run_script(&read(&f), way), own && way == Way::Here);
    let differ: Vec<String> = golden::files(&dir, "sql").into_iter().filter_map(one).collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
fn read(f: &Path) -> String {
    std::fs::read_to_string(f).expect("script")
}

#[test]
fn as_postgresql() {
    check("tests/scripts", false, Way::Here);
}
#[test]
fn own() {
    check("tests/scripts/own", true, Way::Here);
}
/// The same answers where every call to data goes elsewhere.
#[test]
fn elsewhere() {
    check("tests/scripts", false, Way::Far(None));
    check("tests/scripts/own", true, Way::Far(None));
}
/// The same where answers come late and from another thread.
#[test]
fn elsewhere_late() {
    let late = Way::Far(Some(Duration::from_micros(20)));
    check("tests/scripts", false, late);
    check("tests/scripts/own", true, late);
}

/// The same where another node has the data.
#[test]
fn at_another_node() {
    check("tests/scripts", false, Way::Remote(None));
    check("tests/scripts/own", true, Way::Remote(None));
}
/// The same where messages take their time.
#[test]
fn at_another_node_late() {
    let late = Way::Remote(Some(Duration::from_micros(20)));
    check("tests/scripts", false, late);
    check("tests/scripts/own", true, late);
}

/// The same in a simulation.
#[test]
fn simulated() {
    check("tests/scripts", false, Way::Simulated);
    check("tests/scripts/own", true, Way::Simulated);
}

/// What the planner makes of statements over fixed statistics (`plans/`): a step that is a query or a modification is explained, with how many rows are expected in place of the costs;
/// any other is run.
#[test]
fn plans() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (shard, db) = open(dir.path());
    let (mut s, mut out) = connect(&db);
    for sql in PLANNED {
        s.simple_query(sql, &mut out).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
    }
    drop(s);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans");
    let make = |_: &str| connect(&db);
    golden::run(&scripts, make, |(s, out), step| {
        let planned = ["select", "with", "values", "table", "insert", "update", "delete", "("];
        if !planned.iter().any(|w| step.text.starts_with(w)) {
            return query(s, out, &step.text);
        }
        let plan = query(s, out, &format!("explain {}", step.text));
        plan.lines().filter(|l| *l != "QUERY PLAN").map(without_costs).collect()
    });
    drop(db);
    let _ = shard.close();
}
/// The tables that `plans/` is about: customers who order often or never, products of which a few are in most orders, and one that nobody analyzed.
const PLANNED: [&str; 8] = [
    "create table customers (id int primary key, region int not null, name text not null, joined date)",
    "create table products (id int primary key, name text unique, price numeric(9, 2))",
    "create table orders (id int primary key, customer int not null references customers, placed date not null, state text not null, total numeric);
     create index on orders (customer, placed); create index on orders (placed); create index orders_open on orders (customer) where state = 'open'",
    "create table lines (order_id int references orders, n int, product int not null, quantity int, primary key (order_id, n)); create index on lines (product);
     create table notes (id int primary key, about int, body text); create index on notes (about); create index on customers (lower(name))",
    "insert into customers select g, g % 20, 'customer ' || g, case when g % 10 > 0 then date '2020-01-01' + g end from generate_series(1, 1000) g;
     insert into products select g, 'product ' || g, g * 1.25 from generate_series(1, 200) g",
    "insert into orders select g, g * g % 700 + 1, date '2022-01-01' + g % 500, case when g % 50 = 0 then 'open' else 'done' end, g % 97 from generate_series(1, 5000) g;
     insert into lines select g / 3 + 1, g % 3, least(g % 200, g % 7 * 9) + 1, g % 5 from generate_series(1, 14997) g",
    "create type kind as enum ('mail', 'sms'); create table jobs (id int primary key, done boolean, kind kind not null, at int not null);
     create index on jobs (done, at); create index jobs_sms on jobs (at) where kind = 'sms';
     insert into jobs select g, g % 3 = 0, (case when g % 100 = 0 then 'sms' else 'mail' end)::kind, g % 500 from generate_series(1, 5000) g",
    "analyze customers; analyze products; analyze orders; analyze lines; analyze jobs",
];
/// A line of EXPLAIN, of whose estimate only the rows are kept.
fn without_costs(line: &str) -> String {
    match line.split_once("  (cost=") {
        Some((node, rest)) => {
            let rows = rest.split([' ', ')']).find(|w| w.starts_with("rows=")).unwrap_or("rows=?");
            format!("{node}  ({rows})\n")
        }
        None => format!("{line}\n"),
    }
}

/// The extended protocol's way: prepared once, run with different values; point statements take the short path.
#[test]
fn prepared_point_statements() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (shard, db) = open(dir.path());
    let (mut s, mut out) = connect(&db);
    query(&mut s, &mut out, "create table t (id int primary key, k int not null default 0, c char(5), pad text)");
    query(&mut s, &mut out, "create index t_k on t (k)");
    let mut run = |s: &mut Session, sql: &str, params: &[Option<&str>]| -> String {
        let r = (|| -> Result<()> {
            s.parse("", sql, &[], &mut out)?;
            let values: Vec<Option<&[u8]>> = params.iter().map(|p| p.map(str::as_bytes)).collect();
            s.bind("", "", &[], &values, &[], &mut out)?;
            s.execute("", 0, &mut out)?;
            Ok(())
        })();
        let mut text = printed(&mut out);
        if let Err(e) = r {
            let e = s.told(e);
            s.fail(&e);
            text += &short(e);
        }
        s.sync(&mut out).expect("sync");
        text + &printed(&mut out)
    };
    let ins = "insert into t values ($1, $2, $3, $4)";
    assert_eq!(run(&mut s, ins, &[Some("1"), Some("10"), Some("a"), None]), "INSERT 0 1\n");
    assert_eq!(run(&mut s, ins, &[Some("2"), Some("20"), Some("b"), Some("pp")]), "INSERT 0 1\n");
    assert_eq!(
        run(&mut s, ins, &[Some("2"), Some("20"), Some("b"), Some("pp")]),
        "23505: duplicate key value violates unique constraint \"t_pkey\"\n"
    );
    assert_eq!(run(&mut s, "select c, pad, k from t where id = $1", &[Some("1")]), "a    |NULL|10\n");
    assert_eq!(run(&mut s, "select c from t where id = $1", &[Some("7")]), "");
    assert_eq!(run(&mut s, "update t set k = k + $1 where id = $2", &[Some("5"), Some("2")]), "UPDATE 1\n");
    assert_eq!(run(&mut s, "update t set c = $1 where id = $2", &[Some("zz"), Some("2")]), "UPDATE 1\n");
    assert_eq!(run(&mut s, "update t set c = $1 where id = $2", &[Some("zz"), Some("99")]), "UPDATE 0\n");
    assert_eq!(
        run(&mut s, "update t set k = $1 where id = $2", &[None, Some("2")]),
        "23502: null value in column \"k\" of relation \"t\" violates not-null constraint\n"
    );
    assert_eq!(run(&mut s, "select id, c, pad from t where k = $1", &[Some("25")]), "2|zz   |pp\n");
    assert_eq!(run(&mut s, "select id from t where k = $1", &[Some("20")]), "");
    assert_eq!(run(&mut s, "select id, k from t where id between $1 and $2", &[Some("1"), Some("2")]), "1|10\n2|25\n");
    assert_eq!(run(&mut s, "select sum(k) from t where id between $1 and $2", &[Some("1"), Some("2")]), "35\n");
    assert_eq!(run(&mut s, "delete from t where id = $1", &[Some("2")]), "DELETE 1\n");
    assert_eq!(run(&mut s, "delete from t where id = $1", &[Some("2")]), "DELETE 0\n");
    assert_eq!(run(&mut s, "select count(*) from t where k > $1", &[Some("0")]), "1\n");
    drop(s);
    drop(db);
    let _ = shard.close();
}

/// READ COMMITTED tests its condition again on the row it waited for; REPEATABLE READ gives up.
#[test]
fn waiting_writers() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (shard, db) = open(dir.path());
    let (mut a, mut ao) = connect(&db);
    query(&mut a, &mut ao, "create table t (id int primary key, a int)");
    query(&mut a, &mut ao, "insert into t values (1, 1), (2, 2), (3, 3)");
    let waiter = |sql: &'static [&'static str]| {
        let db = db.clone();
        std::thread::spawn(move || {
            let (mut s, mut o) = connect(&db);
            sql.iter().map(|q| query(&mut s, &mut o, q)).collect::<Vec<_>>()
        })
    };
    let pause = || std::thread::sleep(std::time::Duration::from_millis(300));
    query(&mut a, &mut ao, "begin");
    query(&mut a, &mut ao, "update t set a = a + 10 where id < 3");
    let w1 = waiter(&["update t set a = a + 100 where a = 11 or a = 1 returning id, a"]);
    let w2 = waiter(&["update t set a = 0 where id = 2 and a = 2"]);
    let w3 = waiter(&[
        "begin isolation level repeatable read",
        "select a from t where id = 2",
        "update t set a = 5 where id = 2",
        "rollback",
    ]);
    let w4 = waiter(&[
        "select id from t where id = 1 for update nowait",
        "select id from t order by id for update skip locked",
    ]);
    pause();
    query(&mut a, &mut ao, "commit");
    assert_eq!(w1.join().expect("w1"), ["id|a\n1|111\nUPDATE 1\n"]);
    assert_eq!(w2.join().expect("w2"), ["UPDATE 0\n"]);
    let r = w3.join().expect("w3");
    assert_eq!(r[2], "40001: could not serialize access due to concurrent update\n");
    let r = w4.join().expect("w4");
    assert_eq!(r[0], "55P03: could not obtain lock on row in relation \"t\"\n");
    assert_eq!(r[1], "id\n3\n");
    assert_eq!(query(&mut a, &mut ao, "select * from t order by id"), "id|a\n1|111\n2|12\n3|3\n");
    drop(a);
    drop(db);
    let _ = shard.close();
}

/// A sort larger than work_mem goes through runs on disk.
#[test]
fn sort_spills() {
    let dir = tempfile::tempdir().expect("temp dir");
    let (shard, db) = open(dir.path());
    let (mut s, mut o) = connect(&db);
    query(&mut s, &mut o, "set work_mem = '64kB'");
    let r = query(
        &mut s,
        &mut o,
        "select count(*), min(d), max(d) from (select g - lag_g as d from (select g, g as lag_g, 'x' || g as t from generate_series(1, 20000) g order by (g * 7919) % 20011) q) z",
    );
    assert_eq!(r, "count|min|max\n20000|0|0\n");
    let r = query(
        &mut s,
        &mut o,
        "select g from generate_series(1, 20000) g order by (g * 7919) % 20011, g desc offset 19998",
    );
    let mut want: Vec<i64> = (1..=20000).collect();
    want.sort_by_key(|g| ((g * 7919) % 20011, -g));
    assert_eq!(r, format!("g\n{}\n{}\n", want[19998], want[19999]));
    drop(s);
    drop(db);
    let _ = shard.close();
}
