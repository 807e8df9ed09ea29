//! Sessions that read at followers (`pamir.read_from`): three nodes of one process over sockets, and what statements of every kind do there.
use pamir_cluster::cluster::{Cluster, SNAPSHOT_RATE, Settings};
use pamir_cluster::log::Keep;
use pamir_cluster::members::NodeInfo;
use pamir_cluster::version::{Build, Formats};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::real::RealDisk;
use pamir_testkit::port;
use pamir_txn::{Engine, ShardOptions};

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn settings(port: u16, join: Option<u16>) -> Settings {
    let at = |p: u16| format!("127.0.0.1:{p}");
    Settings {
        listen: at(port).parse().unwrap(),
        info: NodeInfo { address: at(port), sql: String::new(), name: String::new() },
        join: join.map(at).into_iter().collect(),
        tls: None,
        insecure: false,
        snapshot_rate: SNAPSHOT_RATE,
        keep: Keep::default(),
        room: None,
        build: Build::OWN,
        options: ShardOptions {
            cache_size: 16 << 20,
            io_threads: 1,
            log_segment_size: 1 << 20,
            ..ShardOptions::default()
        },
    }
}
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}
fn open(dir: &Path, s: &Settings) -> Arc<Cluster> {
    let once = || Cluster::open(RealDisk::open(dir).unwrap(), s.clone(), &|_| {}).unwrap_or_else(|e| panic!("{e}"));
    let end = Instant::now() + PATIENCE;
    let mut c = once();
    loop {
        assert!(Instant::now() < end, "a node does not take part");
        std::thread::sleep(Duration::from_millis(20));
        if c.must_restart() {
            c.stop();
            c.shard().close().unwrap();
            let mut last = Some(c);
            // The directory's lock goes with the last who knows it.
            until("a node is let go of", || match Arc::try_unwrap(last.take().unwrap()) {
                Ok(_) => true,
                Err(other) => {
                    last = Some(other);
                    false
                }
            });
            c = once();
        } else if !c.view().members.nodes.is_empty() && c.shard().is_readable() && c.view().leader != 0 {
            return c;
        }
    }
}

struct Nodes {
    clusters: Vec<Arc<Cluster>>,
    databases: Vec<Arc<Database>>,
    _dirs: Vec<tempfile::TempDir>,
}
impl Nodes {
    fn three() -> Nodes {
        let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let ports: Vec<u16> = (0..3).map(|_| port()).collect();
        let mut clusters = vec![open(dirs[0].path(), &settings(ports[0], None))];
        until("a leader", || clusters[0].shard().leads());
        let mut databases = vec![Database::open(clusters[0].engine().unwrap()).unwrap()];
        for i in 1..3 {
            let c = open(dirs[i].path(), &settings(ports[i], Some(ports[0])));
            until("a voter", || clusters[0].view().members.conf.voters.len() == i + 1);
            databases.push(Database::open(c.engine().unwrap()).unwrap());
            clusters.push(c);
        }
        Nodes { clusters, databases, _dirs: dirs }
    }
    fn session(&self, node: usize) -> Side {
        Side(transcript::start(&self.databases[node], "postgres").unwrap())
    }
    fn stat(&self, node: usize, name: &str) -> u64 {
        let stats = self.clusters[node].engine().unwrap().stats();
        stats.iter().find(|s| s.0 == name).map_or(0, |s| s.1)
    }
    /// One that follows now.
    fn follower(&self) -> usize {
        self.clusters.iter().position(|c| !c.shard().leads()).unwrap()
    }
    fn close(self) {
        drop(self.databases);
        for c in self.clusters {
            c.stop();
            let _ = c.shard().close();
        }
    }
}

struct Side(Session);
impl Side {
    /// Rows by `;`, or the tag where there are none, or the error's code and message.
    fn run(&mut self, sql: &str) -> String {
        let mut said = Transcript::default();
        match self.0.simple_query(sql, &mut said) {
            Ok(()) if said.rows("null").is_empty() => said.tag().to_string(),
            Ok(()) => said.rows("null").join(";"),
            Err(e) => format!("{} {}", e.code().as_str(), e.message()),
        }
    }
    #[track_caller]
    fn is(&mut self, sql: &str, want: &str) {
        assert_eq!(self.run(sql), want, "{sql}");
    }
    #[track_caller]
    fn fails(&mut self, sql: &str, code: &str) {
        let got = self.run(sql);
        assert!(got.starts_with(code), "{sql}: {got}, not {code}");
    }
    /// By the extended protocol.
    fn extended(&mut self, sql: &str, value: &str) -> String {
        let mut said = Transcript::default();
        let s = &mut self.0;
        let r = s
            .parse("", sql, &[], &mut said)
            .and_then(|()| s.bind("", "", &[], &[Some(value.as_bytes())], &[], &mut said))
            .and_then(|()| s.execute("", 0, &mut said).map(|_| ()));
        if let Err(e) = &r {
            s.fail(e);
        }
        let synced = s.sync(&mut said);
        match r.and(synced) {
            Ok(()) => said.rows("null").join(";"),
            Err(e) => format!("{} {}", e.code().as_str(), e.message()),
        }
    }
}

#[test]
fn what_reads_where() {
    let n = Nodes::three();
    let f = n.follower();
    let mut s = n.session(f);
    s.is("show pamir.read_from", "leader");
    s.is("create table t (id int primary key, v int)", "CREATE TABLE");
    s.is("create sequence q", "CREATE SEQUENCE");
    s.is("insert into t select g, g from generate_series(1, 100) g", "INSERT 0 100");
    let before = n.stat(f, "follower_reads");
    s.is("select count(*) from t", "100");
    assert_eq!(n.stat(f, "follower_reads"), before, "the default is the leader");

    for from in ["follower", "nearest"] {
        s.is(&format!("set pamir.read_from = {from}"), "SET");
        s.is("set pamir.max_staleness = '1min'", "SET");
        let reads = |n: &Nodes| n.stat(f, "follower_reads");
        let mut count = reads(&n);
        // Its own commits, each time; at the nearest a replica that lacks one is not waited for.
        for k in 0..50 {
            s.is(&format!("insert into t values ({}, 0)", 1000 + k), "INSERT 0 1");
            s.is("select count(*) from t", &(101 + k).to_string());
        }
        s.is("delete from t where id >= 1000", "DELETE 50");
        if from == "follower" {
            assert_eq!(reads(&n), count + 50);
        }
        until("the replica has everything", || {
            n.clusters[f].shard().applied_ts() >= n.clusters.iter().map(|c| c.shard().applied_ts()).max().unwrap()
        });
        s.is("select v from t where id = 7", "7");
        count = reads(&n);
        assert_eq!(s.extended("select v from t where id = $1", "8"), "8");
        s.is(
            "explain (costs off) select * from t where id = 8",
            &s2(&n, "explain (costs off) select * from t where id = 8"),
        );
        s.is("copy (select v from t where id = 9) to stdout", "COPY 1");
        assert_eq!(reads(&n), count + 3, "all of them read here");
        // What is not for a replica goes where it belongs.
        count = reads(&n);
        s.is("select v from t where id = 7 for update", "7");
        s.is("select nextval('q') > 0 from t where id = 1", "t");
        s.is("select pg_try_advisory_xact_lock(5) from t where id = 1", "t");
        s.is("select 1", "1");
        s.is("update t set v = v where id = 3", "UPDATE 1");
        s.is("begin isolation level serializable", "BEGIN");
        s.is("select v from t where id = 7", "7");
        s.is("commit", "COMMIT");
        s.is("begin isolation level repeatable read", "BEGIN");
        s.is("select v from t where id = 7", "7");
        s.is("commit", "COMMIT");
        assert_eq!(reads(&n), count);
    }
    // A block reads here, writes there, and sees what it wrote.
    s.is("set pamir.read_from = follower", "SET");
    let count = n.stat(f, "follower_reads");
    s.is("begin", "BEGIN");
    s.is("select v from t where id = 7", "7");
    s.is("update t set v = 70 where id = 7", "UPDATE 1");
    s.is("select v from t where id = 7", "70");
    s.is("savepoint a", "SAVEPOINT");
    s.is("update t set v = 71 where id = 7", "UPDATE 1");
    s.is("rollback to a", "ROLLBACK");
    s.is("select v from t where id = 7", "70");
    s.is("commit", "COMMIT");
    s.is("select v from t where id = 7", "70");
    assert_eq!(n.stat(f, "follower_reads"), count + 2);
    // A cursor of a transaction that may write is the leader's.
    s.is("begin", "BEGIN");
    s.is("declare c cursor for select id from t order by id", "DECLARE CURSOR");
    s.is("fetch 2 from c", "1;2");
    s.is("update t set v = 0 where id = 100", "UPDATE 1");
    s.is("fetch 2 from c", "3;4");
    s.is("rollback", "ROLLBACK");
    assert_eq!(n.stat(f, "follower_reads"), count + 2);
    drop(s);
    n.close();
}
fn s2(n: &Nodes, sql: &str) -> String {
    n.session(0).run(sql)
}

#[test]
fn transactions_that_only_read() {
    let n = Nodes::three();
    let f = n.follower();
    let (mut s, mut w) = (n.session(f), n.session(0));
    w.is("create table t (id int primary key, v int)", "CREATE TABLE");
    w.is("insert into t select g, g from generate_series(1, 100) g", "INSERT 0 100");
    s.is("set pamir.read_from = follower", "SET");
    // Nothing that was told before it began is missed.
    s.is("set pamir.max_staleness = 0", "SET");
    for k in 1..=30 {
        w.is(&format!("update t set v = {} where id = 1", 1000 + k), "UPDATE 1");
        s.is("select v from t where id = 1", &(1000 + k).to_string());
    }
    // One snapshot, whatever becomes of the tables.
    s.is("begin isolation level repeatable read read only", "BEGIN");
    s.is("select count(*), max(v) from t", "100|1030");
    w.is("insert into t values (500, 5000)", "INSERT 0 1");
    w.is("alter table t add column w text default 'new'", "ALTER TABLE");
    w.is("alter table t alter column v type bigint", "ALTER TABLE");
    w.is("create table u as select * from t", "SELECT 101");
    w.is("drop table t", "DROP TABLE");
    // This node's catalog has gone on, for others.
    let mut other = n.session(f);
    other.is("set pamir.read_from = follower", "SET");
    other.is("set pamir.max_staleness = 0", "SET");
    other.is("select count(*), min(w) from u", "101|new");
    other.fails("select * from t", "42P01");
    s.is("select count(*), max(v) from t", "100|1030");
    s.is("select * from t where id = 2", "2|2");
    s.fails("select * from u", "42P01");
    s.is("rollback", "ROLLBACK");
    s.is("select count(*) from u", "101");
    s.fails("select * from t", "42P01");
    // READ COMMITTED sees what is new with each statement; a cursor stays as it was.
    s.is("begin read only", "BEGIN");
    s.is("declare c cursor for select id from u order by id", "DECLARE CURSOR");
    s.is("fetch 2 from c", "1;2");
    w.is("delete from u where id <= 50", "DELETE 50");
    s.is("select count(*) from u", "51");
    s.is("fetch 2 from c", "3;4");
    s.is("savepoint a", "SAVEPOINT");
    s.fails("select 1/0 from u", "22012");
    s.is("rollback to a", "ROLLBACK");
    s.is("fetch 1 from c", "5");
    s.is("commit", "COMMIT");
    // What it may not do.
    let advisory = "select pg_advisory_xact_lock(1) from u limit 1";
    for refused in [
        "update u set v = 1",
        "select * from u for update",
        advisory,
        "lock table u",
        "select pg_advisory_lock(1) from u",
    ] {
        s.is("begin read only", "BEGIN");
        s.is("select count(*) from u", "51");
        s.fails(refused, "25006");
        s.is("rollback", "ROLLBACK");
    }
    // Its own definitions.
    s.is("set pamir.max_staleness = '1h'", "SET");
    for k in 0..10 {
        s.is(&format!("create table own{k} (a int)"), "CREATE TABLE");
        s.is(&format!("select * from own{k}"), "SELECT 0");
        s.is(&format!("drop table own{k}"), "DROP TABLE");
        s.fails(&format!("select * from own{k}"), "42P01");
    }
    drop((s, w, other));
    n.close();
}

/// A session that has read at the leader does not go back behind that.
#[test]
fn never_back() {
    let n = Nodes::three();
    let f = n.follower();
    let (mut s, mut w) = (n.session(f), n.session(0));
    w.is("create table t (id int primary key, v int)", "CREATE TABLE");
    w.is("insert into t values (1, 0)", "INSERT 0 1");
    s.is("set pamir.max_staleness = '1h'", "SET");
    for k in 1..=100 {
        w.is(&format!("update t set v = {k} where id = 1"), "UPDATE 1");
        s.is("set pamir.read_from = leader", "SET");
        s.is("select v from t where id = 1", &k.to_string());
        s.is("set pamir.read_from = follower", "SET");
        s.is("select v from t where id = 1", &k.to_string());
    }
    drop((s, w));
    n.close();
}

/// Readers at both followers, while rows and tables change: sums that never change, counters that never fall.
#[test]
fn readers_beside_writers() {
    let n = Nodes::three();
    let mut w = n.session(0);
    w.is("create table t (id int primary key, v int, pad text)", "CREATE TABLE");
    w.is("create table c (n int)", "CREATE TABLE");
    w.is("insert into c values (0)", "INSERT 0 1");
    w.is("insert into t select g, 10, 'x' from generate_series(1, 200) g", "INSERT 0 200");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for node in 0..3 {
            let (n, stop) = (&n, &stop);
            scope.spawn(move || {
                let mut s = n.session(node);
                s.is("set pamir.read_from = follower", "SET");
                s.is("set pamir.max_staleness = '10s'", "SET");
                // By this bound it may be as it was before there were rows.
                until("all rows", || s.run("select count(*) from t") == "200");
                let (mut last, mut reads) = (0, 0);
                while !stop.load(Ordering::SeqCst) {
                    s.is("select sum(v), count(*) from t", "2000|200");
                    let now: i64 = s.run("select n from c").parse().expect("a number");
                    assert!(now >= last, "{now} after {last}");
                    s.is("begin isolation level repeatable read read only", "BEGIN");
                    let a = s.run("select sum(v), max(n) from t, c");
                    std::thread::sleep(Duration::from_millis(reads % 5));
                    let b = s.run("select sum(v), max(n) from t, c");
                    // At the leader an index may have been built since.
                    assert!(a == b && a.starts_with("2000|") || b.starts_with("40001") && node == 0, "{a}, then {b}");
                    s.run("commit");
                    (last, reads) = (now, reads + 1);
                }
                assert!(reads > 0);
            });
        }
        let end = Instant::now() + Duration::from_secs(6);
        let mut k = 0;
        while Instant::now() < end {
            k += 1;
            w.is("update t set v = v + case id when 1 then 1 else -1 end where id in (1, 2)", "UPDATE 2");
            w.is(&format!("update c set n = {k}"), "UPDATE 1");
            match k % 20 {
                5 => w.is("alter table t add column w text default 'new'", "ALTER TABLE"),
                10 => w.is("create index i on t (v)", "CREATE INDEX"),
                15 => w.is("drop index i", "DROP INDEX"),
                19 => w.is("alter table t drop column w", "ALTER TABLE"),
                _ => {}
            }
        }
        stop.store(true, Ordering::SeqCst);
    });
    drop(w);
    n.close();
}

/// Without the others a follower serves as long as its data is fresh enough, and says why not then.
#[test]
fn cut_off() {
    let n = Nodes::three();
    let f = 2;
    let mut w = n.session(0);
    w.is("create table t (id int primary key, v int)", "CREATE TABLE");
    w.is("insert into t values (1, 5)", "INSERT 0 1");
    let mut s = n.session(f);
    s.is("set pamir.read_from = follower", "SET");
    s.is("set pamir.max_staleness = 0", "SET");
    s.is("select v from t where id = 1", "5");
    drop(w);
    for c in n.clusters.iter().filter(|c| c.me() != n.clusters[f].me()) {
        c.stop();
        let _ = c.shard().close();
    }
    // What is known stays known.
    s.is("set pamir.max_staleness = '1h'", "SET");
    s.is("select v from t where id = 1", "5");
    let refused = n.stat(f, "stale_refusals");
    s.is("set pamir.max_staleness = '1ms'", "SET");
    s.fails("select v from t where id = 1", "57P03");
    assert_eq!(n.stat(f, "stale_refusals"), refused + 1);
    s.is("set statement_timeout = '300ms'", "SET");
    s.fails("select v from t where id = 1", "57014");
    // Neither can the leader be asked.
    s.is("set pamir.read_from = nearest", "SET");
    s.fails("select v from t where id = 1", "57");
    s.is("set statement_timeout = 0", "SET");
    s.is("set pamir.max_staleness = '1h'", "SET");
    s.is("select v from t where id = 1", "5");
    drop(s);
    n.close();
}

/// What is said at one node is heard at all of them, in one order, and by nobody who did not ask or whose transaction is open.
#[test]
fn what_is_said_is_heard_everywhere() {
    let nodes = Nodes::three();
    let mut ears: Vec<Side> = (0..3).map(|n| nodes.session(n)).collect();
    let mut mouths: Vec<Side> = (0..3).map(|n| nodes.session(n)).collect();
    until("the format", || nodes.databases.iter().all(|d| d.engine().format() >= 3));
    let mut deaf = nodes.session(1);
    deaf.is("begin; listen news; rollback", "ROLLBACK");
    for e in &mut ears {
        e.is("listen news", "LISTEN");
    }
    mouths[0].is("create table said (n int primary key)", "CREATE TABLE");
    let mut want = Vec::new();
    for i in 0..30 {
        let m = &mut mouths[i % 3];
        let other = format!("select pg_notify('elsewhere', 'not for you {i}')");
        assert!(!m.run(&other).starts_with(|c: char| c.is_ascii_digit()), "{other}");
        m.is(
            &format!("begin; insert into said values ({i}); notify news, '{i}'; notify news, '{i}'; commit"),
            "COMMIT",
        );
        m.is(&format!("begin; notify news, 'void {i}'; rollback"), "ROLLBACK");
        m.is(
            &format!("begin; savepoint s; notify news, 'undone {i}'; rollback to s; notify news, 'kept {i}'; commit"),
            "COMMIT",
        );
        want.extend([format!("news: {i}"), format!("news: kept {i}")]);
    }
    // Beyond what one record holds.
    let long = "x".repeat(7000);
    mouths[1].is("begin; insert into said select i from generate_series(100, 400) i", "INSERT 0 301");
    mouths[1].run(&format!("select pg_notify('news', i || '{long}') from generate_series(1, 400) i"));
    mouths[1].is("commit", "COMMIT");
    want.extend((1..=400).map(|i| format!("news: {i}{long}")));
    for (n, e) in ears.iter_mut().enumerate() {
        let mut heard = Vec::new();
        until("all that was said", || {
            let mut t = Transcript::default();
            e.0.tell_news(&mut t);
            heard.extend(t.notifications());
            heard.len() >= want.len()
        });
        assert!(heard == want, "node {n}: {:?}", heard.iter().map(|h| &h[..h.len().min(20)]).collect::<Vec<_>>());
        // Whoever hears of a commit sees it.
        e.is("select count(*) from said", "331");
        e.is("unlisten news", "UNLISTEN");
    }
    mouths[2].is("notify news, 'nobody'", "NOTIFY");
    assert!(!deaf.0.has_news() && ears.iter().all(|e| !e.0.has_news()));
    drop((ears, mouths, deaf));
    nodes.close();
}

/// What a build of the format before could not read is not written while such nodes may be there.
#[test]
fn what_older_builds_do_not_know_waits() {
    let dir = tempfile::tempdir().unwrap();
    let build = Build { formats: Formats { oldest: 1, newest: 2 }, ..Build::OWN };
    let c = open(dir.path(), &Settings { build, ..settings(port(), None) });
    until("a leader", || c.shard().leads());
    let db = Database::open(c.engine().unwrap()).unwrap();
    let mut s = Side(transcript::start(&db, "postgres").unwrap());
    s.is("create table t (a int primary key, b text default 'x')", "CREATE TABLE");
    for sql in [
        "create type mood as enum ('sad')",
        "create domain d as int",
        "create view v as select a from t",
        "create function f() returns int language sql as 'select 1'",
        "create table r (a int4range)",
        "alter table t add c inet[]",
        "notify ch",
    ] {
        s.fails(sql, "55000");
    }
    s.is("create temp table mine (a int4range); insert into mine values ('[1,2]'); select a from mine", "[1,3)");
    s.is("insert into t values (1); select b from t", "x");
    drop(s);
    drop(db);
    c.stop();
    let _ = c.shard().close();
}
