//! A cluster of processes as its operator and its clients' drivers see it: views and functions, `pamir cluster`, health in each state, metrics, libpq's target_session_attrs.
mod wire;
use pamir_testkit::port;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wire::Conn;

const PATIENCE: Duration = Duration::from_secs(60);

struct Node {
    child: Child,
    addr: String,
    http: String,
}
impl Node {
    fn start(dir: &Path, n: usize, ports: &[u16], join: Option<u16>) -> Node {
        let http = format!("127.0.0.1:{}", port());
        let mut c = Command::new(env!("CARGO_BIN_EXE_pamir"));
        c.args(["start", "--http-addr", &http, "--cache-size", "64MiB", "--log-level", "warn"]);
        c.args(["--pg-addr", "127.0.0.1:0", "--node-addr", &format!("127.0.0.1:{}", ports[n])]);
        c.arg("--data-dir").arg(dir.join(n.to_string()));
        if let Some(j) = join {
            c.args(["--join", &format!("127.0.0.1:{j}")]);
        }
        let said = std::fs::File::create(dir.join(format!("{n}.log"))).unwrap();
        let mut child = c.stdout(Stdio::piped()).stderr(said).spawn().expect("start pamir");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("ready line");
        let rest = line.split("postgres@").nth(1).unwrap_or_else(|| panic!("no address in the ready line: {line:?}"));
        Node { child, addr: rest.split('/').next().unwrap_or("").to_string(), http }
    }
    fn connect(&self) -> Conn {
        Conn::connect(&self.addr, "postgres", "postgres")
    }
    /// Status and body; 0: the process is gone.
    fn get(&self, path: &str) -> (u16, String) {
        let Ok(mut s) = TcpStream::connect(&self.http) else { return (0, String::new()) };
        write!(s, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut out = String::new();
        s.read_to_string(&mut out).unwrap();
        let status = out.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or_else(|| panic!("{out}"));
        (status, out.split("\r\n\r\n").nth(1).unwrap_or_default().trim().to_string())
    }
    fn code(&self, path: &str) -> u16 {
        self.get(path).0
    }
    fn term(&mut self) -> ExitStatus {
        let pid = rustix::process::Pid::from_raw(self.child.id() as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.ended()
    }
    fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(s) = self.child.try_wait().unwrap() {
                return s;
            }
            assert!(Instant::now() < end, "the process does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
/// The only value of the only row.
fn one(c: &mut Conn, sql: &str) -> String {
    let got = c.query(sql);
    assert!(got.len() == 3, "{sql}: {got:?}");
    got[1].clone()
}
fn rows(c: &mut Conn, sql: &str) -> Vec<String> {
    let mut got = c.query(sql);
    assert!(got.last().is_some_and(|l| l.starts_with("SELECT")), "{sql}: {got:?}");
    got.pop();
    got.remove(0);
    got
}
fn error(c: &mut Conn, sql: &str) -> String {
    let got = c.query(sql).join("\n");
    assert!(got.contains("ERROR"), "{sql}: {got}");
    got
}
/// `pamir cluster ...`: exit code, standard output, standard error.
fn cluster(args: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_pamir")).arg("cluster").args(args).output().unwrap();
    let text = |b: Vec<u8>| String::from_utf8(b).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}
const SAME: &str = "select node, role, voter, draining, silent, health, version, address from pamir_catalog.cluster_nodes order by node";

struct Three {
    dir: tempfile::TempDir,
    ports: Vec<u16>,
    nodes: Vec<Node>,
}
fn three() -> Three {
    let dir = tempfile::tempdir().unwrap();
    let ports: Vec<u16> = (0..3).map(|_| port()).collect();
    let mut nodes = vec![Node::start(dir.path(), 0, &ports, None)];
    for n in 1..3 {
        nodes.push(Node::start(dir.path(), n, &ports, Some(ports[0])));
    }
    let t = Three { dir, ports, nodes };
    t.alike();
    t
}
impl Three {
    /// Waits until all nodes that run show the same, with three voters; and returns it.
    fn alike(&self) -> Vec<String> {
        let mut all: Vec<Conn> = self.nodes.iter().map(Node::connect).collect();
        let mut seen = Vec::new();
        until("the same view at all nodes", || {
            let views: Vec<Vec<String>> = all.iter_mut().map(|c| rows(c, SAME)).collect();
            seen = views[0].clone();
            views.iter().all(|v| *v == views[0])
                && seen.len() == self.nodes.len()
                && seen.iter().all(|l| l.contains(" | t | ") && !l.contains("NULL"))
                && seen.iter().any(|l| l.contains("leader"))
        });
        seen
    }
    fn leader(&self) -> usize {
        let mut found = None;
        until("one leader", || {
            let all: Vec<usize> =
                (0..self.nodes.len()).filter(|n| self.nodes[*n].code("/health/leader") == 200).collect();
            found = all.first().copied();
            all.len() == 1
        });
        found.unwrap()
    }
}

#[test]
fn views_orders_and_health() {
    let mut t = three();
    let view = t.alike();
    assert!(view.iter().all(|l| l.contains(" | ok | ")), "{view:?}");
    for n in 0..3 {
        let c = &mut t.nodes[n].connect();
        assert_eq!(one(c, "select node from pamir_catalog.cluster_status"), (n + 1).to_string());
        let s = "select members, voters, quorum_healthy, lease, silent_nodes, length(cluster_id) from pamir_catalog.cluster_status";
        assert_eq!(one(c, s), "3 | 3 | t | t | {} | 32");
        let formats = format!("1..{}", pamir_cluster::version::NEWEST);
        let s = format!(
            "select format, format_waits is null, (select count(*) from pamir_catalog.cluster_nodes where formats = '{formats}') from pamir_catalog.cluster_status"
        );
        assert_eq!(one(c, &s), format!("{} | t | 3", pamir_cluster::version::NEWEST));
        assert_eq!(one(c, "select pamir_catalog.cluster_finalize_upgrade()"), "newest format");
        let s = "select count(*) from pamir_catalog.cluster_nodes where disk_free_bytes > 0 and disk_bytes >= disk_free_bytes and age_seconds < 5";
        assert_eq!(one(c, s), "3");
        for (path, code) in [("/health", 200), ("/health/live", 200), ("/health/ready", 200)] {
            assert_eq!(t.nodes[n].code(path), code, "{path}");
        }
    }
    // The leadership is asked for at a node that neither has nor gets it; sessions there go on.
    let mut third = t.nodes[2].connect();
    third.query("create table t (id int primary key, v int)");
    assert_eq!(one(&mut third, "select pamir_catalog.cluster_transfer_leader(2)"), "leader");
    assert_eq!(t.leader(), 1);
    assert_eq!(t.nodes[1].get("/health"), (200, "ok leader".into()));
    assert_eq!(t.nodes[0].get("/health/leader"), (503, "follower".into()));
    assert!(third.query("insert into t values (1, 1)").iter().any(|l| l == "INSERT 0 1"));
    // And at the leader itself.
    let mut second = t.nodes[1].connect();
    assert_eq!(one(&mut second, "select pamir_catalog.cluster_transfer_leader(1)"), "leader");
    assert_eq!(t.leader(), 0);
    assert!(second.query("insert into t values (2, 2)").iter().any(|l| l == "INSERT 0 1"));
    // ... by a statement that has read there.
    assert_eq!(
        one(&mut t.nodes[0].connect(), "select pamir_catalog.cluster_transfer_leader(id) from t where id = 2"),
        "leader"
    );
    assert_eq!(t.leader(), 1);
    assert_eq!(one(&mut second, "select pamir_catalog.cluster_transfer_leader(id) from t where id = 1"), "leader");
    assert_eq!(t.leader(), 0);
    // What it would lose is not lost in silence.
    assert!(error(&mut second, "insert into t values (3, 3); select pamir_catalog.cluster_drain(2)").contains("25001"));
    second.query("begin");
    assert!(error(&mut second, "select pamir_catalog.cluster_transfer_leader(3)").contains("25001"));
    second.query("rollback");
    assert!(error(&mut second, "select pamir_catalog.cluster_remove(9)").contains("22023"));
    // Others than superusers see nothing, or see and do nothing.
    second.query("create role nobody login; create role watcher login; grant pg_monitor to watcher");
    until("the roles", || {
        one(&mut third, "select count(*) from pg_roles where rolname in ('nobody', 'watcher')") == "2"
    });
    let mut nobody = Conn::connect(&t.nodes[2].addr, "nobody", "postgres");
    assert!(error(&mut nobody, "select * from pamir_catalog.cluster_status").contains("42501"));
    assert!(error(&mut nobody, "select pamir_catalog.cluster_remove(2)").contains("42501"));
    let mut watcher = Conn::connect(&t.nodes[2].addr, "watcher", "postgres");
    assert_eq!(rows(&mut watcher, "select node from pamir_catalog.cluster_nodes order by 1"), ["1", "2", "3"]);
    assert!(error(&mut watcher, "select pamir_catalog.cluster_drain(2)").contains("42501"));
    // What replicates is where PostgreSQL's tools look for it.
    let mut first = t.nodes[0].connect();
    let s =
        "select pid, state, sync_state, sent_lsn = flush_lsn, application_name from pg_stat_replication order by pid";
    until("streams", || {
        rows(&mut first, s) == ["2 | streaming | quorum | t | node 2", "3 | streaming | quorum | t | node 3"]
    });
    assert!(rows(&mut second, s).is_empty());
    // Metrics.
    let names = [
        "pamir_cluster_is_leader 1",
        "pamir_cluster_members 3",
        "pamir_raft_term ",
        "pamir_raft_elections_won_total ",
        "pamir_raft_proposed_bytes_total ",
        "pamir_raft_log_held_bytes ",
        "pamir_follower_lag_entries{node=\"2\"}",
        "pamir_peer_sent_bytes_total{node=\"3\",class=\"log\"}",
        "pamir_snapshots_sent_total ",
        "pamir_cluster_role{role=\"leader\"} 1",
    ];
    // What a look has not seen yet comes with the next one.
    until("every metric", || {
        let text = t.nodes[0].get("/metrics").1;
        let lacks: Vec<&str> = names.into_iter().filter(|n| !text.contains(n)).collect();
        lacks.iter().for_each(|n| eprintln!("not yet: {n}"));
        lacks.is_empty()
    });
    assert!(t.nodes[1].get("/metrics").1.contains("pamir_cluster_is_leader 0"));

    // Draining: no leadership, no new clients by way of load balancers, a quick end.
    assert_eq!(one(&mut third, "select pamir_catalog.cluster_drain(1)"), "draining");
    assert_ne!(t.leader(), 0);
    assert_eq!(t.nodes[0].get("/health/ready"), (503, "draining".into()));
    assert_eq!((t.nodes[0].code("/health"), t.nodes[0].code("/health/live")), (200, 200));
    assert_eq!(one(&mut third, "select pamir_catalog.cluster_undrain(1)"), "serving");
    assert_eq!(t.nodes[0].code("/health/ready"), 200);
    assert_eq!(one(&mut third, "select pamir_catalog.cluster_drain(1)"), "draining");
    assert!(t.nodes[0].term().success());

    // One of three is away: the other two are needed.
    until("its silence", || one(&mut third, "select silent_nodes from pamir_catalog.cluster_status") == "{1}");
    let e = error(&mut third, "select pamir_catalog.cluster_remove(2)");
    assert!(e.contains("55000") && e.contains("node 1") && e.contains("force"), "{e}");
    // It is removed while it is away, and does not come back.
    assert_eq!(one(&mut third, "select pamir_catalog.cluster_remove(node => 1, force => false)"), "removed");
    let started = || {
        let mut c = Command::new(env!("CARGO_BIN_EXE_pamir"));
        c.args([
            "start",
            "--http-addr",
            "off",
            "--cache-size",
            "64MiB",
            "--log-level",
            "error",
            "--pg-addr",
            "127.0.0.1:0",
        ]);
        c.args(["--node-addr", &format!("127.0.0.1:{}", t.ports[0])]).arg("--data-dir").arg(t.dir.path().join("0"));
        let out = c.stdin(Stdio::null()).output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    for _ in 0..2 {
        let (code, said) = started();
        assert!(code == Some(1) && said.contains("removed") && said.contains("empty directory"), "{code:?} {said}");
    }
    // Another one is removed while it runs: it says so, and ends.
    let other = 5 - t.leader() - 1;
    let by = t.leader();
    assert_eq!(one(&mut t.nodes[by].connect(), &format!("select pamir_catalog.cluster_remove({})", other)), "removed");
    let gone = &mut t.nodes[other - 1];
    assert_eq!(gone.ended().code(), Some(1));
    let said = std::fs::read_to_string(t.dir.path().join(format!("{}.log", other - 1))).unwrap();
    assert!(said.contains("removed from the cluster and serves no more"), "{said}");
    assert_eq!(rows(&mut t.nodes[by].connect(), "select node from pamir_catalog.cluster_nodes").len(), 1);
}

#[test]
fn the_command_and_a_majority_that_is_lost() {
    let mut t = three();
    let at = t.nodes[2].addr.clone();
    let (code, out, _) = cluster(&["nodes", "--pg-addr", &at]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 6, "{out}");
    assert!(lines[0].starts_with(" node |") && lines[1].starts_with("------+") && lines[5] == "(3 rows)", "{out}");
    assert!(lines[2].contains("leader") && lines[4].contains("follower"), "{out}");
    let (code, out, _) = cluster(&["status", "--json", "--url", &format!("postgres://postgres@{at}/postgres")]);
    assert!(code == 0 && out.contains("\"quorum_healthy\": true") && out.contains("\"silent_nodes\": []"), "{out}");
    let (code, out, _) = cluster(&["status", "--pg-addr", &at]);
    assert!(code == 0 && out.contains("quorum_healthy | t\n") && out.contains("node           | 3\n"), "{out}");
    let (code, out, err) = cluster(&["transfer-leader", "3", "--pg-addr", &at]);
    assert_eq!((code, &*out, &*err), (0, "node 3: leader\n", ""));
    assert_eq!(t.leader(), 2);
    // A host that does not answer is passed over.
    let hosts = format!("127.0.0.1:1,{}", t.nodes[0].addr);
    let (code, out, _) = cluster(&["drain", "2", "--json", "--pg-addr", &hosts]);
    assert_eq!((code, &*out), (0, "{\"node\": 2, \"result\": \"draining\"}\n"));
    assert_eq!(cluster(&["undrain", "2", "--pg-addr", &at]).1, "node 2: serving\n");
    let (code, out, err) = cluster(&["remove", "7", "--pg-addr", &at]);
    assert!(
        code == 1
            && out.is_empty()
            && err.starts_with("pamir: ")
            && err.contains("(22023)")
            && err.lines().count() == 1,
        "{err}"
    );
    assert_eq!(cluster(&["nodes", "--pg-addr", "127.0.0.1:1"]).0, 1);
    // With a password.
    t.nodes[0].connect().query("create role boss superuser login password 'se:cret'");
    let mut third = t.nodes[2].connect();
    until("the role", || one(&mut third, "select count(*) from pg_roles where rolname = 'boss'") == "1");
    let url = |password: &str| format!("postgres://boss{password}@{at}/postgres");
    let (code, _, err) = cluster(&["status", "--url", &url(":se%3Acret")]);
    assert_eq!((code, &*err), (0, ""));
    let (code, _, err) = cluster(&["status", "--url", &url(":wrong")]);
    assert!(code == 1 && err.contains("28P01"), "{err}");
    let (code, _, err) = cluster(&["status", "--url", &url("")]);
    assert!(code == 1 && err.contains("PGPASSWORD"), "{err}");

    // Two of three are gone: the last one knows that it is alone.
    let mut left = t.nodes.remove(2);
    t.nodes.clear();
    until("it is cut off", || left.get("/health") == (503, "cut off".into()));
    assert_eq!((left.code("/health/ready"), left.code("/health/leader"), left.code("/health/live")), (503, 503, 200));
    let (code, out, _) = cluster(&["status", "--pg-addr", &at]);
    assert!(code == 0 && out.contains("| cut off") && out.contains("quorum_healthy | f"), "{out}");
    let (code, _, err) = cluster(&["remove", "1", "--force", "--pg-addr", &at]);
    assert!(code == 1 && err.contains("57P03"), "{err}");
    left.child.kill().unwrap();
}

#[test]
fn a_single_node_is_no_cluster() {
    let s = wire::Server::start();
    let c = &mut s.connect();
    assert!(rows(c, "select * from pamir_catalog.cluster_nodes").is_empty());
    assert!(rows(c, "select * from pamir_catalog.cluster_status").is_empty());
    let e = error(c, "select pamir_catalog.cluster_drain(1)");
    assert!(e.contains("55000") && e.contains("--node-addr"), "{e}");
    assert_eq!(one(c, "select pg_is_in_recovery(), current_setting('in_hot_standby')"), "f | off");
    let (code, _, err) = cluster(&["nodes", "--pg-addr", &s.addr]);
    assert!(code == 1 && err.contains("not a node"), "{err}");
    // Its names are nobody else's, and nobody's way.
    assert!(error(c, "create schema pamir_catalog").contains("42939"));
    c.query("create table cluster_nodes (x int)");
    assert!(rows(c, "select x from cluster_nodes").is_empty());
    assert!(error(c, "delete from pamir_catalog.cluster_nodes").contains("42501"));
    assert!(error(c, "select * from pamir_catalog.nothing").contains("42P01"));
    assert_eq!(one(c, "select 'pamir_catalog.cluster_status'::regclass"), "pamir_catalog.cluster_status");
    assert_eq!(
        one(
            c,
            "select count(*) from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = 'pamir_catalog'"
        ),
        "0"
    );
}

/// libpq with several hosts finds what it is told to look for, by what PostgreSQL says: the leader is the primary.
#[test]
fn libpq_finds_its_node() {
    if Command::new("psql").arg("--version").output().is_err() {
        eprintln!("no psql: not tested");
        return;
    }
    let t = three();
    let mut second = t.nodes[1].connect();
    assert_eq!(one(&mut second, "select pamir_catalog.cluster_transfer_leader(2)"), "leader");
    assert_eq!(t.leader(), 1);
    until("all know", || {
        let of =
            |n: usize| one(&mut t.nodes[n].connect(), "select pg_is_in_recovery(), current_setting('in_hot_standby')");
        (of(0), of(1), of(2)) == ("t | on".into(), "f | off".into(), "t | on".into())
    });
    let hosts: Vec<&str> = t.nodes.iter().map(|n| &*n.addr).collect();
    let find = |attrs: &str| {
        let url = format!("postgres://postgres@{}/postgres?target_session_attrs={attrs}", hosts.join(","));
        let out = Command::new("psql")
            .args([&url, "-XAtc", "select node from pamir_catalog.cluster_status"])
            .output()
            .unwrap();
        let out = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
        assert!(out.1.is_empty(), "{attrs}: {out:?}");
        out.0.trim().to_string()
    };
    for (attrs, node) in [
        ("any", "1"),
        ("read-write", "2"),
        ("primary", "2"),
        ("standby", "1"),
        ("read-only", "1"),
        ("prefer-standby", "1"),
    ] {
        assert_eq!(find(attrs), node, "{attrs}");
    }
    // A session hears that the leadership has come to its node or gone, with its next statement.
    assert_eq!(one(&mut second, "show in_hot_standby"), "off");
    assert_eq!(one(&mut t.nodes[0].connect(), "select pamir_catalog.cluster_transfer_leader(1)"), "leader");
    until("it has heard", || one(&mut second, "show in_hot_standby") == "on");
    assert_eq!(find("primary"), "1");
    // Every node takes writes all the same.
    for n in 0..3 {
        let c = &mut t.nodes[n].connect();
        assert_eq!(one(c, "show transaction_read_only"), "off");
        assert!(c.query(&format!("create table of_{n} (x int)")).iter().any(|l| l == "CREATE TABLE"));
    }
}

/// The command's own TLS: whoever it is, or only who shows a certificate of the authority, for the host.
#[test]
fn the_command_by_tls() {
    let dir = tempfile::tempdir().unwrap();
    let cert = |name: &str, hosts: &str| {
        let made = Command::new(env!("CARGO_BIN_EXE_pamir"))
            .args(["cert", "--node", name, "--hosts", hosts, "--dir"])
            .arg(dir.path().join(name))
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        dir.path().join(name)
    };
    let (ours, other) = (cert("ours", "127.0.0.1"), cert("other", "127.0.0.1"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamir"))
        .args([
            "start",
            "--http-addr",
            "off",
            "--pg-addr",
            "127.0.0.1:0",
            "--cache-size",
            "64MiB",
            "--log-level",
            "error",
        ])
        .arg("--data-dir")
        .arg(dir.path().join("data"))
        .arg("--tls-cert")
        .arg(ours.join("node-ours.crt"))
        .arg("--tls-key")
        .arg(ours.join("node-ours.key"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = line.split("postgres@").nth(1).and_then(|r| r.split('/').next()).unwrap().to_string();
    let _node = Node { child, addr: addr.clone(), http: String::new() };
    let ask =
        |options: String| cluster(&["status", "--url", &format!("postgres://postgres@{addr}/postgres?{options}")]).2;
    let root = |dir: &Path| format!("sslmode=verify-full&sslrootcert={}", dir.join("ca.crt").display());
    for good in ["sslmode=disable".into(), "sslmode=prefer".into(), "sslmode=require".into(), root(&ours)] {
        assert!(ask(good).contains("not a node"));
    }
    assert!(ask(root(&other)).contains("ertificate"), "{}", ask(root(&other)));
    assert!(ask("sslmode=verify-full".into()).contains("sslrootcert"));
}
