//! Nodes as processes: any of them serves, one is killed, the rest go on, and it comes back. Nodes that are stopped and started one after the other are not felt by the clients of the others.
mod wire;
use pamir_testkit::port;
use std::io::{BufRead, BufReader};

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wire::Conn;

struct Node {
    child: Child,
    addr: String,
}
impl Node {
    fn start(dir: &std::path::Path, n: usize, ports: &[u16], join: Option<u16>) -> Node {
        Node::start_with(dir, n, ports, join, &[])
    }
    fn start_with(dir: &std::path::Path, n: usize, ports: &[u16], join: Option<u16>, more: &[&str]) -> Node {
        let mut c = Command::new(env!("CARGO_BIN_EXE_pamir"));
        c.args(["start", "--http-addr", "off", "--cache-size", "64MiB", "--log-level", "warn"]);
        c.args(["--pg-addr", "127.0.0.1:0", "--node-addr", &format!("127.0.0.1:{}", ports[n])]);
        c.arg("--data-dir").arg(dir.join(n.to_string()));
        c.args(more);
        if let Some(j) = join {
            c.args(["--join", &format!("127.0.0.1:{j}")]);
        }
        let mut child = c.stdout(Stdio::piped()).spawn().expect("start pamir");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("ready line");
        let rest = line.split("postgres@").nth(1).unwrap_or_else(|| panic!("no address in the ready line: {line:?}"));
        Node { child, addr: rest.split('/').next().unwrap_or("").to_string() }
    }
    fn connect(&self) -> Conn {
        Conn::connect(&self.addr, "postgres", "postgres")
    }
}
impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
/// Runs a statement until it ends well.
fn until(c: &mut Conn, sql: &str) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let got = c.query(sql);
        if !got.iter().any(|l| l.contains("ERROR")) {
            return got;
        }
        assert!(Instant::now() < end, "{sql}: {got:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn any_node_serves_and_one_may_die() {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let mut nodes = vec![Some(Node::start(dir.path(), 0, &ports, None))];
    let mut first = nodes[0].as_ref().unwrap().connect();
    until(&mut first, "create table t (id int primary key, v int)");
    until(&mut first, "insert into t select g, 0 from generate_series(1, 100) g");
    for n in 1..3 {
        nodes.push(Some(Node::start(dir.path(), n, &ports, Some(ports[0]))));
    }
    let mut all: Vec<Conn> = nodes.iter().flatten().map(Node::connect).collect();
    // Each writes, and each sees at once what the others wrote.
    for n in 0..3 {
        until(&mut all[n], &format!("update t set v = v + {} where id <= 10", 10 * (n + 1)));
        for c in &mut all {
            let want: i32 = (0..=n as i32).map(|n| 10 * (n + 1)).sum();
            let got = until(c, "select sum(v) from t");
            assert!(got.iter().any(|l| l.contains(&(10 * want).to_string())), "{got:?}");
        }
    }
    // Definitions made at one are known at the others.
    until(&mut all[2], "alter table t add column w text default 'new'");
    until(&mut all[1], "create index on t (w)");
    let got = until(&mut all[0], "select count(*) from t where w = 'new'");
    assert!(got.iter().any(|l| l.contains("100")), "{got:?}");
    // A transaction at one waits for a row that another one has locked.
    until(&mut all[1], "begin");
    until(&mut all[1], "update t set v = 0 where id = 1");
    let got = all[2].query("set lock_timeout = '200ms'");
    assert!(!got.iter().any(|l| l.contains("ERROR")), "{got:?}");
    let got = all[2].query("update t set v = 1 where id = 1");
    assert!(got.iter().any(|l| l.contains("55P03") || l.contains("lock timeout")), "{got:?}");
    until(&mut all[1], "commit");
    until(&mut all[2], "update t set v = 1 where id = 1");
    // The first one, which leads as a rule, is killed: the sessions of the others go on.
    drop(nodes[0].take());
    let since = Instant::now();
    until(&mut all[1], "update t set v = 2 where id = 2");
    eprintln!("writes went on after {:?}", since.elapsed());
    until(&mut all[2], "update t set v = 3 where id = 3");
    // It comes back, and has everything.
    nodes[0] = Some(Node::start(dir.path(), 0, &ports, None));
    let mut back = nodes[0].as_ref().unwrap().connect();
    let got = until(&mut back, "select v from t where id in (1, 2, 3) order by id");
    let values: Vec<&String> = got.iter().filter(|l| l.chars().any(|c| c.is_ascii_digit())).collect();
    assert!(values.len() >= 3, "{got:?}");
}

/// Whoever gets its data slowly takes no clients while it lacks what they ask for.
#[test]
fn a_node_takes_clients_once_it_has_caught_up() {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let slow = ["--snapshot-rate", "4MiB"];
    let first = Node::start_with(dir.path(), 0, &ports, None, &slow);
    let _second = Node::start_with(dir.path(), 1, &ports, Some(ports[0]), &slow);
    // The third gets the snapshot that the second got, of an empty cluster, and all that follows as log.
    let mut c = first.connect();
    until(&mut c, "create table t (id int primary key, v text)");
    until(&mut c, "insert into t select g, repeat(md5(g::text), 10) from generate_series(1, 60000) g");
    until(&mut c, "create role late superuser login");
    let since = Instant::now();
    let third = Node::start_with(dir.path(), 2, &ports, Some(ports[0]), &slow);
    assert!(since.elapsed() > Duration::from_secs(1), "it came at once: the test tests nothing");
    let mut late = Conn::connect(&third.addr, "late", "postgres");
    let got = late.query("set pamir.read_from = 'follower'; select count(*) from t");
    assert!(got.iter().any(|l| l.contains("60000")), "{got:?}");
}

/// What clients at the nodes that stay were told.
#[derive(Default, Debug)]
struct Told {
    /// Rows that were counted up, by acknowledgement or by `transaction_outcome` after it.
    done: AtomicU64,
    reads: AtomicU64,
    /// Errors of reads alone, of writes alone, of blocks.
    errors: [AtomicU64; 3],
    unknown: AtomicU64,
}
fn error_of(got: &[String]) -> Option<String> {
    let fails = |l: &String| l.contains("ERROR") || l.contains("FATAL") || l.contains("(connection");
    got.iter().any(fails).then(|| got.join(" "))
}
/// Counts up, reads, and does both in a block, until it is to end.
fn client(addr: &str, seed: u64, told: &Told, ends: &AtomicBool) {
    let mut c = Conn::connect(addr, "postgres", "postgres");
    let mut row = seed;
    let note = |c: &mut Conn, kind: usize, e: String| {
        eprintln!("{addr}: {e}");
        told.errors[kind].fetch_add(1, Ordering::SeqCst);
        if e.contains("08007") {
            told.unknown.fetch_add(1, Ordering::SeqCst);
            let id = e
                .split("Transaction ")
                .nth(1)
                .and_then(|r| r.split(' ').next())
                .expect("the transaction's number")
                .to_string();
            let said = until(c, &format!("select pamir_catalog.transaction_outcome({id})"));
            if said.iter().any(|l| l.contains("committed")) {
                told.done.fetch_add(1, Ordering::SeqCst);
            } else {
                assert!(said.iter().any(|l| l.contains("aborted")), "{said:?}");
            }
        } else {
            assert!(e.contains("40001"), "{e}");
        }
        c.query("rollback");
    };
    while !ends.load(Ordering::SeqCst) {
        row = (row * 5 + 3) % 8;
        match error_of(&c.query(&format!("update n set v = v + 1 where id = {row}"))) {
            None => _ = told.done.fetch_add(1, Ordering::SeqCst),
            Some(e) => note(&mut c, 1, e),
        }
        match error_of(&c.query("select sum(v) from n")) {
            None => _ = told.reads.fetch_add(1, Ordering::SeqCst),
            Some(e) => note(&mut c, 0, e),
        }
        let update = format!("update n set v = v + 1 where id = {}", (row + 1) % 8);
        let failed =
            ["begin", update.as_str(), "select sum(v) from n", "commit"].iter().find_map(|sql| error_of(&c.query(sql)));
        match failed {
            None => _ = told.done.fetch_add(1, Ordering::SeqCst),
            Some(e) => note(&mut c, 2, e),
        }
    }
}
/// Ends each of the nodes in turn, `times` in all, while clients work at the others.
fn end_in_turn(
    nodes: &mut [Option<Node>],
    dir: &std::path::Path,
    ports: &[u16],
    times: usize,
    end: impl Fn(&mut Node),
) -> Told {
    let told = Told::default();
    let all = nodes.len();
    for n in (0..times).map(|t| t % all) {
        let addrs: Vec<String> =
            nodes.iter().enumerate().filter(|(i, _)| *i != n).flat_map(|(_, x)| x).map(|x| x.addr.clone()).collect();
        let ends = AtomicBool::new(false);
        std::thread::scope(|s| {
            for (i, addr) in addrs.iter().enumerate() {
                for k in 0..2 {
                    let (told, ends) = (&told, &ends);
                    s.spawn(move || client(addr, (i * 2 + k) as u64, told, ends));
                }
            }
            std::thread::sleep(Duration::from_millis(300));
            let mut one = nodes[n].take().unwrap();
            end(&mut one);
            drop(one);
            // Somebody leads, and writes.
            let before = told.done.load(Ordering::SeqCst);
            let until = Instant::now() + Duration::from_secs(60);
            while told.done.load(Ordering::SeqCst) < before + 20 {
                assert!(Instant::now() < until, "nothing goes on without node {n}");
                std::thread::sleep(Duration::from_millis(20));
            }
            nodes[n] = Some(Node::start(dir, n, ports, None));
            std::thread::sleep(Duration::from_millis(300));
            ends.store(true, Ordering::SeqCst);
        });
        // It has what it missed, so that the next one can be spared.
        let all = told.done.load(Ordering::SeqCst).to_string();
        for node in nodes.iter().flatten() {
            let got = until(&mut node.connect(), "select sum(v) from n");
            assert!(got.iter().any(|l| l.contains(&all)), "{got:?}, and not {all}");
        }
    }
    eprintln!("{told:?}");
    told
}
fn three(dir: &std::path::Path, ports: &[u16]) -> Vec<Option<Node>> {
    let mut nodes = vec![Some(Node::start(dir, 0, ports, None))];
    let mut c = nodes[0].as_ref().unwrap().connect();
    until(&mut c, "create table n (id int primary key, v int not null)");
    until(&mut c, "insert into n select g, 0 from generate_series(0, 7) g");
    for n in 1..3 {
        nodes.push(Some(Node::start(dir, n, ports, Some(ports[0]))));
    }
    for n in 0..3 {
        until(&mut nodes[n].as_ref().unwrap().connect(), "select count(*) from n");
    }
    // Until the newest vote, one that stops costs the majority.
    std::thread::sleep(Duration::from_secs(1));
    nodes
}

/// SIGTERM, one node after the other: the leadership goes first, and nobody at the other nodes sees an error. Its own clients are told.
#[test]
fn a_rolling_restart_is_not_seen() {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let mut nodes = three(dir.path(), &ports);
    let stop = |n: &mut Node| {
        let mut idle = n.connect();
        let started = Instant::now();
        assert!(Command::new("kill").arg(n.child.id().to_string()).status().unwrap().success());
        while n.child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "a node does not stop");
            std::thread::sleep(Duration::from_millis(10));
        }
        eprintln!("stopped after {:?}", started.elapsed());
        let said = idle.finish(Some(Duration::from_secs(1))).unwrap_or_default();
        assert!(said.iter().any(|l| l.contains("57P01") || l.contains("terminating")), "{said:?}");
    };
    let told = end_in_turn(&mut nodes, dir.path(), &ports, 10, stop);
    let errors: Vec<u64> = told.errors.iter().map(|e| e.load(Ordering::SeqCst)).collect();
    assert_eq!(errors, [0; 3], "{told:?}");
}

/// kill -9, one node after the other, the leader among them: reads see no error, no write is lost, and what became of each is told.
#[test]
fn a_leader_that_is_killed_costs_open_transactions_alone() {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let mut nodes = three(dir.path(), &ports);
    let told = end_in_turn(&mut nodes, dir.path(), &ports, 4, |n| {
        n.child.kill().unwrap();
        n.child.wait().unwrap();
    });
    assert_eq!(told.errors[0].load(Ordering::SeqCst), 0, "{told:?}");
    assert!(told.errors[1].load(Ordering::SeqCst) <= told.unknown.load(Ordering::SeqCst), "{told:?}");
}
