//! Reads at followers, of nodes that are processes: what a node that is alone, or that stood still, serves, and what not.
mod wire;
use pamir_testkit::port;
use std::io::{BufRead, BufReader};

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wire::Conn;

/// What stops and goes on must not be seen as slow: signals take their time.
const SLACK: Duration = Duration::from_secs(1);

struct Node {
    child: Child,
    addr: String,
}
impl Node {
    fn start(dir: &std::path::Path, n: usize, ports: &[u16]) -> Node {
        let mut c = Command::new(env!("CARGO_BIN_EXE_pamir"));
        c.args(["start", "--http-addr", "off", "--cache-size", "64MiB", "--log-level", "warn"]);
        c.args(["--pg-addr", "127.0.0.1:0", "--node-addr", &format!("127.0.0.1:{}", ports[n])]);
        c.arg("--data-dir").arg(dir.join(n.to_string()));
        if n > 0 {
            c.args(["--join", &format!("127.0.0.1:{}", ports[0])]);
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
    fn signal(&self, what: &str) {
        let ok = Command::new("kill").args([what, &self.child.id().to_string()]).status().expect("kill");
        assert!(ok.success());
    }
    fn stop(&self) {
        self.signal("-STOP");
    }
    fn go_on(&self) {
        self.signal("-CONT");
    }
}
impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
fn failed(got: &[String]) -> bool {
    got.iter().any(|l| l.contains("ERROR"))
}
fn until(c: &mut Conn, sql: &str) -> Vec<String> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let got = c.query(sql);
        if !failed(&got) {
            return got;
        }
        assert!(Instant::now() < end, "{sql}: {got:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
/// The one value of an answer.
fn value(got: &[String]) -> &str {
    got.get(1).map_or("", String::as_str)
}

#[test]
fn nodes_that_stand_still() {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let nodes: Vec<Node> = (0..3).map(|n| Node::start(dir.path(), n, &ports)).collect();
    let mut all: Vec<Conn> = nodes.iter().map(Node::connect).collect();
    until(&mut all[0], "create table t (id int primary key, v int)");
    until(&mut all[0], "insert into t select g, g from generate_series(1, 100) g");
    let point = "select v from t where id = 7";
    for c in &mut all {
        until(c, "set pamir.read_from = follower");
        // First without missing anything: by a longer bound it may be as it was before there were rows.
        until(c, "set pamir.max_staleness = 0");
        assert_eq!(value(&until(c, point)), "7");
        until(c, "set pamir.max_staleness = '30s'");
    }
    // The leader, which is the first one as a rule, stands still: the others have fresh data, and soon another leader.
    nodes[0].stop();
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(4) {
        for c in &mut all[1..] {
            let got = c.query(point);
            assert!(!failed(&got) && value(&got) == "7", "{got:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    until(&mut all[1], "update t set v = 70 where id = 7");
    nodes[0].go_on();
    // It stood still for longer than the bound: what it had is not served.
    until(&mut all[0], "set pamir.max_staleness = '1s'");
    assert_eq!(value(&until(&mut all[0], point)), "70");

    // Two stand still: the third is alone, and serves up to the bound and not after.
    let bound = Duration::from_secs(4);
    until(&mut all[2], "set pamir.max_staleness = '4s'");
    assert_eq!(value(&until(&mut all[2], point)), "70");
    nodes[0].stop();
    nodes[1].stop();
    let stopped = Instant::now();
    let (mut served, mut last) = (0, stopped);
    loop {
        let began = Instant::now();
        let got = all[2].query(point);
        if failed(&got) {
            // 40001: it led, and does so no longer.
            assert!(got.iter().any(|l| l.contains("57P03") || l.contains("40001")), "{got:?}");
            break;
        }
        assert_eq!(value(&got), "70");
        (served, last) = (served + 1, began);
        assert!(stopped.elapsed() < Duration::from_secs(60), "it serves for ever");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(served > 0, "nothing was served within the bound");
    assert!(last < stopped + bound + SLACK, "{:?} after the others had stopped", last - stopped);
    // Nor by the leader, whom nobody can reach.
    until(&mut all[2], "set pamir.read_from = nearest");
    until(&mut all[2], "set statement_timeout = '1s'");
    assert!(failed(&all[2].query(point)));
    until(&mut all[2], "set statement_timeout = 0");
    nodes[0].go_on();
    nodes[1].go_on();
    until(&mut all[2], "set pamir.read_from = follower");
    assert_eq!(value(&until(&mut all[2], point)), "70");

    // One that stood still says nothing that is older than the bound when it goes on, though it was fresh when it stopped.
    until(&mut all[2], "set pamir.max_staleness = '1s'");
    for round in 0..3 {
        assert!(!failed(&until(&mut all[2], point)));
        nodes[2].stop();
        let v = 100 + round;
        until(&mut all[0], &format!("update t set v = {v} where id = 7"));
        std::thread::sleep(Duration::from_millis(1200));
        // Sent while it cannot hear.
        all[2].send(point);
        nodes[2].go_on();
        let got = all[2].finish(None).unwrap_or_default();
        assert!(failed(&got) || value(&got) == v.to_string(), "{got:?}, not {v}");
        assert_eq!(value(&until(&mut all[2], point)), v.to_string());
    }
}
