//! Sessions at three nodes of one process while the leadership goes round: planned, with the grace that it takes, nobody sees an error; at once, only who had something open that was lost with it.
//!
//! ```text
//!   clients: autocommit writes, autocommit reads, short blocks, blocks that only read, prepared statements ── at every node
//!   this thread: hand_over (waits), or transfer (does not), node after node
//!   in the end: what was told is what is there
//! ```
use pamir_cluster::cluster::{Cluster, SNAPSHOT_RATE, Settings};
use pamir_cluster::log::Keep;
use pamir_cluster::members::NodeInfo;
use pamir_cluster::plant::{Bug, plant};
use pamir_cluster::version::Build;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::real::RealDisk;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::port;
use pamir_txn::{Entered, EntryId, Journal, ReplicaRecovery, Shard, ShardOptions};
use pamir_types::{Error, Result};

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const GRACE: Duration = Duration::from_secs(20);

fn settings(port: u16, join: Option<u16>) -> Settings {
    let at = |p: u16| format!("127.0.0.1:{p}");
    let options =
        ShardOptions { cache_size: 16 << 20, io_threads: 1, log_segment_size: 1 << 20, ..ShardOptions::default() };
    Settings {
        listen: at(port).parse().unwrap(),
        info: NodeInfo { address: at(port), sql: String::new(), name: String::new() },
        join: join.into_iter().map(at).collect(),
        tls: None,
        insecure: false,
        snapshot_rate: SNAPSHOT_RATE,
        keep: Keep::default(),
        room: None,
        build: Build::OWN,
        options,
    }
}
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}
/// Opens a node, again where a snapshot has come that it must start from.
fn open(dir: &Path, s: &Settings) -> Arc<Cluster> {
    let end = Instant::now() + PATIENCE;
    loop {
        let c = Cluster::open(RealDisk::open(dir).unwrap(), s.clone(), &|_| {}).unwrap_or_else(|e| panic!("{e}"));
        until("a replica", || c.must_restart() || !c.view().members.nodes.is_empty() && c.shard().is_readable());
        if !c.must_restart() {
            return c;
        }
        assert!(Instant::now() < end, "a node does not take part");
        c.stop();
        c.shard().close().unwrap();
        let mut last = Some(c);
        until("the end of a node", || match Arc::try_unwrap(last.take().unwrap()) {
            Ok(c) => {
                drop(c);
                true
            }
            Err(c) => {
                last = Some(c);
                false
            }
        });
    }
}
struct Nodes {
    all: Vec<Arc<Cluster>>,
    dbs: Vec<Arc<Database>>,
    _dirs: Vec<tempfile::TempDir>,
}
/// As a server does: on a busy machine the leadership may go in the same moment.
fn database(c: &Arc<Cluster>) -> Arc<Database> {
    let mut db = None;
    until("a database", || {
        db = Database::open(c.engine().unwrap()).ok();
        db.is_some()
    });
    db.unwrap()
}
impl Nodes {
    fn new() -> Nodes {
        let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let ports: Vec<u16> = (0..3).map(|_| port()).collect();
        let mut all = vec![open(dirs[0].path(), &settings(ports[0], None))];
        until("a leader", || all[0].shard().leads());
        for i in 1..3 {
            all.push(open(dirs[i].path(), &settings(ports[i], Some(ports[0]))));
            until("a voter", || all[0].view().members.conf.voters.len() == i + 1);
        }
        let dbs = all.iter().map(database).collect();
        Nodes { all, dbs, _dirs: dirs }
    }
    fn leader(&self) -> usize {
        let mut found = None;
        until("a leader", || {
            found = self.all.iter().position(|c| c.shard().leads() && c.view().leader == c.me());
            found.is_some()
        });
        found.unwrap()
    }
    fn session(&self, n: usize) -> Session {
        transcript::start(&self.dbs[n], "postgres").unwrap()
    }
}
impl Drop for Nodes {
    fn drop(&mut self) {
        self.dbs.clear();
        self.all.iter().for_each(|c| c.stop());
        self.all.iter().for_each(|c| drop(c.shard().close()));
    }
}
fn send(s: &mut Session, sql: &str) -> Result<Transcript> {
    transcript::run(s, sql)
}
fn text(s: &mut Session, sql: &str) -> Result<String> {
    send(s, sql).map(|t| t.text().trim().to_string())
}
fn fails(s: &mut Session, sql: &str) -> Error {
    send(s, sql).err().unwrap_or_else(|| panic!("{sql} is no error"))
}
fn number(s: &mut Session, sql: &str) -> i64 {
    text(s, sql).unwrap_or_else(|e| panic!("{sql}: {e}")).parse().unwrap()
}
/// Parse, Bind, Execute, Sync.
fn extended(s: &mut Session, name: &str, values: &[&str]) -> Result<Transcript> {
    let mut t = Transcript::default();
    let values: Vec<Option<&[u8]>> = values.iter().map(|v| Some(v.as_bytes())).collect();
    let ran = s.bind("", name, &[], &values, &[], &mut t).and_then(|()| s.execute("", 0, &mut t).map(drop));
    if let Err(e) = &ran {
        s.fail(e);
    }
    let synced = s.sync(&mut t);
    ran.and(synced).map(|()| t)
}
fn code(e: &Error) -> String {
    e.code().as_str().to_string()
}

/// What clients saw.
#[derive(Default, Debug)]
struct Seen {
    /// Increments that were acknowledged, or told by `transaction_outcome`.
    done: AtomicU64,
    reads: AtomicU64,
    /// Errors of autocommit statements, of blocks that only read, of those that wrote.
    alone: AtomicU64,
    readers: AtomicU64,
    blocks: AtomicU64,
}
fn add(n: &AtomicU64) {
    n.fetch_add(1, Ordering::SeqCst);
}
const ROWS: u64 = 8;
/// After 08007 the function says what became of it.
fn settled(s: &mut Session, seen: &Seen, e: &Error) {
    let detail = e.data().detail.clone().unwrap_or_default();
    let id = detail.split(' ').find(|w| w.bytes().all(|b| b.is_ascii_digit()) && !w.is_empty()).expect("an id");
    let mut said = String::new();
    until("an outcome", || {
        said = text(s, &format!("select pamir_catalog.transaction_outcome({id})")).unwrap_or_default();
        matches!(said.as_str(), "committed" | "aborted")
    });
    if said == "committed" {
        add(&seen.done);
    }
}
fn client(nodes: &Nodes, at: usize, kind: usize, seen: &Seen, ends: &AtomicBool) {
    let s = &mut nodes.session(at);
    let failed = |s: &mut Session, e: Error, of: &AtomicU64| {
        eprintln!("node {at}, kind {kind}: {e:?}");
        match code(&e).as_str() {
            "08007" => settled(s, seen, &e),
            "40001" => {}
            other => panic!("{other}: {e:?}"),
        }
        add(of);
        let _ = send(s, "rollback");
    };
    if kind == 3 {
        let t = &mut Transcript::default();
        s.parse("up", "update t set v = v + 1 where id = $1", &[], t).unwrap();
        s.parse("get", "select v from t where id = $1", &[], t).unwrap();
        s.sync(t).unwrap();
    }
    let mut row = (at * 3 + kind) as u64;
    while !ends.load(Ordering::SeqCst) {
        row = (row * 5 + 3) % ROWS;
        match kind {
            0 => match send(s, &format!("update t set v = v + 1 where id = {row}")) {
                Ok(t) => {
                    assert_eq!(t.tag(), "UPDATE 1");
                    add(&seen.done);
                }
                Err(e) => failed(s, e, &seen.alone),
            },
            1 => match text(s, "select count(*), min(v) >= 0 from t") {
                Ok(t) => {
                    assert_eq!(t, format!("{ROWS}|t"));
                    add(&seen.reads);
                }
                Err(e) => failed(s, e, &seen.alone),
            },
            2 => {
                // A block that only reads: each statement sees no less than the one before.
                let mut last = 0;
                let mut run = |s: &mut Session| -> Result<()> {
                    send(s, "begin")?;
                    let now = text(s, "select now()")?;
                    for _ in 0..3 {
                        let sum = text(s, "select sum(v) from t")?.parse().unwrap();
                        assert!(sum >= last, "{sum} after {last}");
                        last = sum;
                        assert_eq!(text(s, "select now()")?, now);
                    }
                    send(s, "commit").map(drop)
                };
                match run(s) {
                    Ok(()) => add(&seen.reads),
                    Err(e) => failed(s, e, &seen.readers),
                }
            }
            3 => {
                let r = row.to_string();
                match extended(s, "up", &[&r]) {
                    Ok(t) => {
                        assert_eq!(t.tag(), "UPDATE 1");
                        add(&seen.done);
                    }
                    Err(e) => failed(s, e, &seen.alone),
                }
                match extended(s, "get", &[&r]) {
                    Ok(t) => assert_eq!(t.rows("").len(), 1),
                    Err(e) => failed(s, e, &seen.alone),
                }
            }
            _ => {
                let run = |s: &mut Session| -> Result<()> {
                    send(s, "begin")?;
                    send(s, &format!("update t set v = v + 1 where id = {row}"))?;
                    text(s, "select sum(v) from t")?;
                    send(s, "commit").map(drop)
                };
                match run(s) {
                    Ok(()) => add(&seen.done),
                    Err(e) => failed(s, e, &seen.blocks),
                }
            }
        }
    }
}
/// Runs clients at all nodes while `change` hands the leadership from one node to another, `times` times.
fn go_round(nodes: &Nodes, times: usize, change: impl Fn(&Cluster, u64)) -> Seen {
    {
        let s = &mut nodes.session(nodes.leader());
        send(s, "drop table if exists t; create table t (id int primary key, v bigint not null)").unwrap();
        send(s, &format!("insert into t select g, 0 from generate_series(0, {}) g", ROWS - 1)).unwrap();
    }
    for n in 0..3 {
        let s = &mut nodes.session(n);
        until("the table at every node", || text(s, "select count(*) from t").is_ok());
    }
    let (seen, ends) = (Seen::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for n in 0..3 {
            for kind in 0..5 {
                let (seen, ends) = (&seen, &ends);
                scope.spawn(move || client(nodes, n, kind, seen, ends));
            }
        }
        let guard = End(&ends);
        for _ in 0..times {
            std::thread::sleep(Duration::from_millis(150));
            let old = nodes.leader();
            let to = (old + 1) % 3;
            change(&nodes.all[old], nodes.all[to].me());
            until("the new leader", || nodes.all.iter().any(|c| c.shard().leads() && c.view().leader == c.me()));
        }
        std::thread::sleep(Duration::from_millis(150));
        drop(guard);
    });
    for n in 0..3 {
        let sum = number(&mut nodes.session(n), "select sum(v) from t") as u64;
        assert_eq!(sum, seen.done.load(Ordering::SeqCst), "node {n}: {seen:?}");
    }
    eprintln!("{seen:?}");
    seen
}
/// Has it end, also where a test fails.
struct End<'a>(&'a AtomicBool);
impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
fn errors(s: &Seen) -> [u64; 3] {
    [&s.alone, &s.readers, &s.blocks].map(|n| n.load(Ordering::SeqCst))
}

/// Nobody whose transactions are short sees anything of a planned change.
#[test]
fn a_planned_change_is_not_seen() {
    let nodes = Nodes::new();
    let seen = go_round(&nodes, 10, |c, to| c.hand_over(to, GRACE).unwrap());
    assert_eq!(errors(&seen), [0; 3], "{seen:?}");
    assert!(seen.done.load(Ordering::SeqCst) > 100 && seen.reads.load(Ordering::SeqCst) > 100, "{seen:?}");
    // The same without the wait is noticed.
    plant(Some(Bug::TransferDoesNotWait));
    let seen = go_round(&nodes, 10, |c, to| _ = c.hand_over(to, GRACE));
    plant(None);
    assert!(errors(&seen)[2] > 0, "a transfer that does not wait is not noticed: {seen:?}");
}

/// Where the leadership goes at once, who has something open hears of it, and nobody else.
#[test]
fn a_sudden_change_costs_open_writes_alone() {
    let nodes = Nodes::new();
    let seen = go_round(&nodes, 10, |c, to| _ = c.transfer(to));
    assert_eq!(errors(&seen)[..2], [0; 2], "{seen:?}");
}

/// A connection that idles at another node lives through changes of the leader with what it has; what it has lost, it is told.
#[test]
fn idle_sessions() {
    let nodes = Nodes::new();
    let old = nodes.leader();
    let at = (old + 1) % 3;
    let s = &mut nodes.session(at);
    let local = &mut nodes.session(old);
    send(s, "create table t (id int primary key, v int); insert into t values (1, 1)").unwrap();
    for s in [&mut *s, &mut *local] {
        send(s, "set application_name = 'kept'; prepare p as select v from t where id = $1").unwrap();
        send(s, "select set_config('my.own', 'x', false)").unwrap();
    }
    let reader = &mut nodes.session(at);
    send(reader, "begin; select * from t").unwrap();
    let other = &mut nodes.session(at);
    let lock = |s: &mut Session| text(s, "select pg_try_advisory_lock(7)").unwrap();
    assert_eq!((lock(s), lock(other)), ("t".into(), "f".into()));
    text(local, "select pg_advisory_lock(8)").unwrap();
    // With a transaction that never ends, the grace is over some time.
    let holder = &mut nodes.session(at);
    send(holder, "begin; update t set v = 2").unwrap();
    let to = (old + 2) % 3;
    nodes.all[old].hand_over(nodes.all[to].me(), Duration::from_millis(100)).unwrap();
    until("the new leader", || nodes.all[to].shard().leads());
    let e = fails(holder, "update t set v = 3");
    assert_eq!(code(&e), "40001");
    assert!(e.data().hint.is_some());
    assert_eq!(code(&fails(holder, "select 1")), "25P02");
    send(holder, "rollback").unwrap();
    // The block that has read goes on.
    assert_eq!(text(reader, "select v from t").unwrap(), "1");
    send(reader, "commit").unwrap();
    // Locks are lost, and that is said, once.
    for s in [&mut *s, &mut *local] {
        let e = fails(s, "select 1");
        assert_eq!(code(&e), "55000", "{e:?}");
        assert_eq!(text(s, "execute p (1)").unwrap(), "1");
        assert_eq!(text(s, "select current_setting('application_name'), current_setting('my.own')").unwrap(), "kept|x");
        assert_eq!(text(s, "select pg_advisory_unlock(7)").unwrap(), "f");
    }
    assert_eq!((lock(other), lock(s)), ("t".into(), "f".into()));
    // Nor is anything written that a lost lock was to protect.
    assert_eq!(text(local, "select pg_try_advisory_lock(9)").unwrap(), "t");
    nodes.all[to].hand_over(nodes.all[old].me(), GRACE).unwrap();
    until("the old leader", || nodes.all[old].shard().leads());
    let e = fails(local, "update t set v = 5");
    assert_eq!(code(&e), "55000", "{e:?}");
    assert_eq!(text(s, "select v from t").unwrap(), "1");
    send(local, "update t set v = 6").unwrap();
    assert_eq!(text(s, "select v from t").unwrap(), "6");
}

/// What a block that has only read may rest on, and what not.
#[test]
fn blocks_that_go_on() {
    let nodes = Nodes::new();
    let first = &mut nodes.session(nodes.leader());
    send(first, "create table t (id int primary key, v int); insert into t values (1, 1); create table u (id int)")
        .unwrap();
    // What ran before, and what comes of the statement after.
    let all: &[(&str, &str)] = &[
        ("begin; select * from t", "ok"),
        ("begin read only; select * from t; set local work_mem = '1MB'", "ok"),
        ("begin isolation level serializable", "ok"),
        ("begin isolation level repeatable read; select * from t", "40001"),
        ("begin; select * from t for update", "40001"),
        ("begin; select * from t for key share", "40001"),
        ("begin; select pg_advisory_xact_lock(1)", "40001"),
        ("begin; lock table t in share mode", "40001"),
        ("begin; select * from t; savepoint s", "40001"),
        ("begin; select txid_current()", "40001"),
        ("begin; declare c cursor for select * from t; fetch c", "40001"),
        ("begin; update t set v = v", "40001"),
        ("begin; create table w (id int)", "40001"),
    ];
    for (n, (before, after)) in all.iter().enumerate() {
        let old = nodes.leader();
        let s = &mut nodes.session((old + n % 3) % 3);
        until("the table", || text(s, "select v from t").is_ok());
        send(s, before).unwrap();
        let to = &nodes.all[(old + 1) % 3];
        nodes.all[old].transfer(to.me()).unwrap();
        until("the new leader", || nodes.leader() != old);
        let got = send(s, "select count(*) from t");
        let said = got.as_ref().map_or_else(code, |_| "ok".to_string());
        assert_eq!(&said, after, "{before}: {:?}", got.as_ref().err());
        if *after == "ok" {
            if !before.contains("read only") {
                send(s, "update t set v = v + 1").unwrap();
            }
            assert_eq!(send(s, "commit").unwrap().tag(), "COMMIT");
        } else {
            send(s, "rollback").unwrap();
        }
    }
    assert_eq!(number(first, "select v from t"), 3);
    // A definition that changed meanwhile is not passed over.
    let old = nodes.leader();
    let s = &mut nodes.session((old + 1) % 3);
    send(s, "begin; select * from t").unwrap();
    nodes.all[old].transfer(nodes.all[(old + 2) % 3].me()).unwrap();
    until("the new leader", || nodes.leader() != old);
    send(first, "alter table t add column w int").unwrap();
    assert_eq!(code(&fails(s, "select * from t")), "40001");
    send(s, "rollback").unwrap();
    // ROLLBACK of what is lost is no error.
    let old = nodes.leader();
    for n in 0..3 {
        let s = &mut nodes.session((old + n) % 3);
        send(s, "begin; update t set v = 100 where id = 1").unwrap();
        let old = nodes.leader();
        nodes.all[old].transfer(nodes.all[(old + 1) % 3].me()).unwrap();
        until("the new leader", || nodes.leader() != old);
        assert_eq!(send(s, "rollback").unwrap().tag(), "ROLLBACK");
    }
    assert_eq!(number(first, "select v from t"), 3);
}

/// One who cannot take over is refused at once, and this node leads on.
#[test]
fn a_successor_that_is_not_there() {
    let nodes = Nodes::new();
    let old = nodes.leader();
    let [near, away] = [(old + 1) % 3, (old + 2) % 3];
    let s = &mut nodes.session(near);
    send(s, "create table t (id int primary key, v int); insert into t values (1, 0)").unwrap();
    let refused = |to| code(&nodes.all[old].hand_over(to, GRACE).unwrap_err());
    assert_eq!(refused(nodes.all[old].me()), "22023");
    assert_eq!(refused(77), "22023");
    assert_eq!(code(&nodes.all[near].hand_over(nodes.all[old].me(), GRACE).unwrap_err()), "55000");
    nodes.all[away].stop();
    until("the end of a connection", || refused(nodes.all[away].me()) == "55000");
    for s in [s, &mut nodes.session(old)] {
        send(s, "update t set v = v + 1").unwrap();
    }
}

/// A group of one replica, whose log is nowhere.
struct Alone;
impl Journal for Alone {
    fn state(&self) -> Vec<u8> {
        vec![]
    }
    fn durable(&self) -> u64 {
        u64::MAX
    }
    fn release(&self, _: u64, _: &Entered) -> Result<()> {
        Ok(())
    }
    fn failed(&self) -> bool {
        false
    }
}
/// Its batches are decided at once.
fn decide(shard: &Shard, ends: &AtomicBool) {
    let (mut lsn, mut index) = (1000, 1);
    while !ends.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_micros(200));
        while let Some(batch) = shard.close_batch(1 << 20) {
            let of = |lsn: &mut u64, r: &[u8]| {
                *lsn += r.len() as u64;
                *lsn
            };
            let ends: Vec<u64> = batch.records().map(|r| of(&mut lsn, r)).collect();
            (lsn, index) = (lsn + 1, index + 1);
            shard.decided(batch, &ends, Entered { id: EntryId { term: 1, index }, group: Arc::new([]) }, lsn);
        }
    }
}
type Asked = fn(&mut Session) -> Result<Transcript>;
/// What the leader's own sessions read is told only while no other node can lead, whatever ends their transaction.
#[test]
fn a_leader_without_a_lease_tells_nothing() {
    let options = ShardOptions { cache_size: 16 << 20, io_threads: 0, ..ShardOptions::default() };
    let waker = std::task::Waker::noop().clone();
    let disk = Arc::new(SimDisk::new(1));
    let shard = ReplicaRecovery::begin(disk, options, Arc::new(Alone), waker, false).unwrap().finish(0).unwrap();
    shard.lead();
    let lease = || shard.extend_lease(Instant::now() + Duration::from_secs(60));
    lease();
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| decide(&shard, &ends));
        let _end = End(&ends);
        let db = Database::open(shard.clone()).unwrap();
        let s = &mut transcript::start(&db, "postgres").unwrap();
        send(s, "create table t (id int primary key, v int); insert into t values (1, 1)").unwrap();
        let t = &mut Transcript::default();
        s.parse("get", "select v from t where id = $1", &[], t).unwrap();
        s.sync(t).unwrap();
        send(s, "set statement_timeout = 100").unwrap();
        let asks: [(&str, Asked); 4] = [
            ("alone", |s| send(s, "select v from t")),
            ("a key", |s| send(s, "select v from t where id = 1")),
            ("extended", |s| extended(s, "get", &["1"])),
            ("a block", |s| send(s, "begin; select v from t; commit")),
        ];
        for (what, ask) in asks {
            lease();
            assert_eq!(ask(s).unwrap().text(), "1\n", "{what}");
            shard.end_lease();
            let got = ask(s);
            assert_eq!(got.as_ref().map_or_else(code, |t| t.text()), "57014", "{what}");
            lease();
            send(s, "rollback").unwrap();
        }
    });
}

/// A queue whose rows keep the numbers of their transactions, read in their order below what has ended (`pg_snapshot_xmin`): readers at every node get every row, while writers at every node go on and the leadership goes round.
#[test]
fn readers_by_number_miss_nothing() {
    let nodes = Nodes::new();
    let leader = nodes.leader();
    let table = "create table q (v bigint primary key, xid xid8 not null default pg_current_xact_id())";
    send(&mut nodes.session(leader), table).unwrap();
    for n in 0..3 {
        until("the table at every node", || text(&mut nodes.session(n), "select count(*) from q").is_ok());
    }
    let (ends, written) = (AtomicBool::new(false), AtomicU64::new(0));
    let write = |n: usize, k: u64, s: &mut Session| -> Result<()> {
        send(s, "begin")?;
        if k % 3 == n as u64 {
            // Begun before others that are told their numbers sooner.
            text(s, "select count(*) from q")?;
        }
        send(s, &format!("insert into q values ({})", k * 3 + n as u64))?;
        if k.is_multiple_of(5) {
            send(s, "rollback")?;
        } else if k.is_multiple_of(7) {
            send(s, &format!("prepare transaction '{n}-{k}'"))?;
            send(s, &format!("commit prepared '{n}-{k}'"))?;
        } else {
            send(s, "commit")?;
            add(&written);
        }
        Ok(())
    };
    let read = |s: &mut Session, from: &str| -> Result<(String, Vec<String>)> {
        send(s, "begin isolation level repeatable read")?;
        let xmin = text(s, "select pg_snapshot_xmin(pg_current_snapshot())")?;
        let odd = text(s, "select count(*) from q where not pg_visible_in_snapshot(xid, pg_current_snapshot())")?;
        assert_eq!(odd, "0");
        let rows = send(s, &format!("select v from q where xid >= '{from}' and xid < '{xmin}' order by xid"))?.rows("");
        assert_eq!(text(s, "select pg_snapshot_xmin(pg_current_snapshot())")?, xmin);
        send(s, "commit")?;
        Ok((xmin, rows))
    };
    let lost = |s: &mut Session, e: Error| {
        assert!(["40001", "08007"].contains(&e.code().as_str()), "{e:?}");
        let _ = send(s, "rollback");
    };
    let mut took: Vec<(usize, String, Vec<String>)> = Vec::new();
    std::thread::scope(|scope| {
        let mut readers = Vec::new();
        for n in 0..3 {
            let (nodes, ends, write, read, lost) = (&nodes, &ends, &write, &read, &lost);
            for writer in 0..2 {
                scope.spawn(move || {
                    let s = &mut nodes.session(n);
                    let mut k = writer;
                    while !ends.load(Ordering::SeqCst) {
                        if let Err(e) = write(n, k, s) {
                            lost(s, e);
                        }
                        k += 2;
                    }
                });
            }
            readers.push(scope.spawn(move || {
                let s = &mut nodes.session(n);
                let (mut from, mut taken) = ("0".to_string(), Vec::new());
                while !ends.load(Ordering::SeqCst) {
                    match read(s, &from) {
                        Ok((xmin, mut rows)) => {
                            assert!(xmin.parse::<u64>().unwrap() >= from.parse().unwrap(), "{xmin} after {from}");
                            taken.append(&mut rows);
                            from = xmin;
                        }
                        Err(e) => lost(s, e),
                    }
                }
                (n, from, taken)
            }));
        }
        let guard = End(&ends);
        for _ in 0..8 {
            std::thread::sleep(Duration::from_millis(300));
            let old = nodes.leader();
            let _ = nodes.all[old].transfer(nodes.all[(old + 1) % 3].me());
            until("the new leader", || nodes.all.iter().any(|c| c.shard().leads() && c.view().leader == c.me()));
        }
        drop(guard);
        took.extend(readers.into_iter().map(|r| r.join().unwrap()));
    });
    let s = &mut nodes.session(nodes.leader());
    assert!(written.load(Ordering::SeqCst) > 50, "{written:?}");
    for (n, upto, taken) in took {
        let all = send(s, &format!("select v from q where xid < '{upto}' order by xid")).unwrap().rows("");
        assert!(all == taken && !all.is_empty(), "node {n}: {} of {}", taken.len(), all.len());
    }
}
