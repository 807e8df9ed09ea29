//! Nodes as processes: any of them serves, one is killed, the rest go on, and it comes back.
mod wire;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wire::Conn;

struct Node {
    child: Child,
    addr: String,
}
impl Node {
    fn start(dir: &std::path::Path, n: usize, ports: &[u16], join: Option<u16>) -> Node {
        let mut c = Command::new(env!("CARGO_BIN_EXE_pamir"));
        c.args(["start", "--http-addr", "off", "--cache-size", "64MiB", "--log-level", "warn"]);
        c.args(["--pg-addr", "127.0.0.1:0", "--node-addr", &format!("127.0.0.1:{}", ports[n])]);
        c.arg("--data-dir").arg(dir.join(n.to_string()));
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
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
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
