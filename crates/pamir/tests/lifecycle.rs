//! Starting and stopping the real binary.
mod common;
use common::{Pamir, fresh, nonsense, refused};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use tempfile::TempDir;

#[tokio::test]
async fn data_survives_a_clean_stop() {
    let (server, dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, s text); INSERT INTO t VALUES (1, 'one'), (2, NULL)")
        .await
        .unwrap();
    drop(c);
    server.stop();
    let server = Pamir::start(&dir.path().join("data"), &[]);
    let rows = server.connect().await.query("SELECT id, s FROM t ORDER BY id", &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, Option<&str>>(1), Some("one"));
    assert_eq!(rows[1].get::<_, Option<&str>>(1), None);
    server.stop();
    let check = std::process::Command::new(common::BIN)
        .args(["check", "--data-dir"])
        .arg(dir.path().join("data"))
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[tokio::test]
async fn sigterm_tells_idle_sessions_and_finishes_running_ones() {
    let (mut server, _dir) = fresh(&[]);
    let idle = server.connect().await;
    idle.batch_execute("CREATE TABLE t (a int)").await.unwrap();
    let busy = server.connect().await;
    let running = tokio::spawn(async move { busy.batch_execute("INSERT INTO t SELECT 1 FROM pg_sleep(0.5)").await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.signal(15);
    running.await.unwrap().expect("what is in flight finishes");
    let e = idle.batch_execute("SELECT 1").await.unwrap_err();
    assert!(e.is_closed() || common::code(&e) == "57P01", "{e:?}");
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test]
async fn sigint_with_an_open_transaction() {
    let (mut server, dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (a int)").await.unwrap();
    c.batch_execute("BEGIN; INSERT INTO t VALUES (1)").await.unwrap();
    server.signal(2);
    assert_eq!(server.wait().code(), Some(0));
    let server = Pamir::start(&dir.path().join("data"), &[]);
    let rows = server.connect().await.query("SELECT * FROM t", &[]).await.unwrap();
    assert!(rows.is_empty(), "an open transaction is rolled back");
}

#[test]
fn port_in_use_and_directory_locked() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let dir = TempDir::new().unwrap();
    let e = refused(&dir.path().join("data"), &["--pg-addr", &addr]);
    assert!(e.contains("port is in use") && e.contains("--pg-addr"), "{e}");
    let e = refused(&dir.path().join("data"), &["--http-addr", &addr]);
    assert!(e.contains("port is in use") && e.contains("--http-addr"), "{e}");
    let server = Pamir::start(&dir.path().join("data"), &[]);
    let e = refused(&dir.path().join("data"), &[]);
    assert!(e.contains("in use by another process") && e.contains("--data-dir"), "{e}");
    server.stop();
}

#[test]
fn refusals() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let e = nonsense(&data, &["--pg-addr", "0.0.0.0:0"]);
    assert!(e.contains("--tls-cert") && e.contains("--insecure"), "{e}");
    let e = nonsense(&data, &["--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key"]);
    assert!(e.contains("/nowhere.pem"), "{e}");
    let file = dir.path().join("pamir.toml");
    for line in ["cache-sise = 1", "cache-size = 1", "workers = -1", "tls-cert = \"x\"", "[section]"] {
        std::fs::write(&file, format!("{line}\n")).unwrap();
        let e = nonsense(&data, &["--config", file.to_str().unwrap()]);
        assert!(e.contains("line 1: ") || e.contains(line.split(' ').next().unwrap()), "{e}");
    }
    for (flags, words) in [
        (["--version-memory", "900TiB"], "memory that this process may have"),
        (["--workers", "0"], "--workers"),
        (["--max-connections", "0"], "--max-connections"),
        (["--checkpoint-size", "1kB"], "--checkpoint-size"),
        (["--config", "/nowhere.toml"], "/nowhere.toml"),
    ] {
        let e = nonsense(&data, &flags);
        assert!(e.contains(words), "{flags:?}: {e}");
    }
    let e = nonsense(&data, &["--pg-addr", "127.0.0.1:26799", "--http-addr", "127.0.0.1:26799"]);
    assert!(e.contains("two ports"), "{e}");
    // A directory of something else, and a damaged one.
    let junk = TempDir::new().unwrap();
    let server = Pamir::start(junk.path(), &[]);
    server.stop();
    for f in std::fs::read_dir(junk.path()).unwrap().flatten().filter(|f| f.file_name() != "pamir.lock") {
        let len = f.metadata().unwrap().len().min(1 << 20) as usize;
        std::fs::write(f.path(), vec![0xAB; len]).unwrap();
    }
    refused(junk.path(), &[]);
}

fn http(addr: &str, path: &str) -> String {
    let mut s = TcpStream::connect(addr).unwrap();
    write!(s, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut out = String::new();
    s.read_to_string(&mut out).unwrap();
    out
}

#[tokio::test]
async fn health_and_metrics() {
    let free = format!("127.0.0.1:{}", pamir_testkit::port());
    let (server, _dir) = fresh(&["--http-addr", &free]);
    let c = server.connect().await;
    c.batch_execute("SELECT 1").await.unwrap();
    assert!(http(&free, "/health").starts_with("HTTP/1.1 200"));
    let text = http(&free, "/metrics");
    for name in [
        "pamir_up 1",
        "pamir_pg_connections 1",
        "pamir_pg_statements_total",
        "pamir_shard_commits_total",
        "pamir_process_voluntary_context_switches_total",
    ] {
        assert!(text.contains(name), "{name} in {text}");
    }
    assert!(
        text.contains("content-type: application/openmetrics-text; version=1.0.0")
            && text.trim_end().ends_with("# EOF")
    );
    assert!(!text.contains("Not described"), "a counter without a description: {text}");
    // Every metric that the dashboard asks for is there.
    let dashboard = include_str!("../../../deploy/grafana-dashboard.json");
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut asked = 0;
    for piece in dashboard.split("pamir_").skip(1) {
        let name = format!("\npamir_{}", piece.split(|c| !in_name(c)).next().unwrap());
        assert!(
            text.split(&name).skip(1).any(|rest| rest.starts_with(['{', ' '])),
            "{name} of the dashboard is no metric"
        );
        asked += 1;
    }
    assert!(asked > 30);
    assert!(http(&free, "/nothing").starts_with("HTTP/1.1 404"));
    server.stop();
}

#[tokio::test]
async fn too_many_clients() {
    let (server, _dir) = fresh(&["--max-connections", "2"]);
    let (_a, _b) = (server.connect().await, server.connect().await);
    let e = tokio_postgres::connect(&server.config(), tokio_postgres::NoTls).await.err().expect("refused");
    assert_eq!(common::code(&e), "53300");
    server.stop();
}

/// Superusers find a place where others do not.
#[tokio::test]
async fn reserved_connections() {
    let (server, _dir) = fresh(&["--max-connections", "4", "--superuser-reserved-connections", "2"]);
    let a = server.connect().await;
    a.batch_execute("CREATE ROLE u LOGIN").await.unwrap();
    let as_u = server.config().replace("user=postgres", "user=u");
    let _b = common::connect(&as_u).await;
    let e = tokio_postgres::connect(&as_u, tokio_postgres::NoTls).await.err().expect("refused");
    assert_eq!(
        (common::code(&e).as_str(), e.as_db_error().unwrap().message()),
        ("53300", "remaining connection slots are reserved for non-replication superuser connections")
    );
    let (_c, _d) = (server.connect().await, server.connect().await);
    let e = tokio_postgres::connect(&server.config(), tokio_postgres::NoTls).await.err().expect("refused");
    assert_eq!(e.as_db_error().unwrap().message(), "sorry, too many clients already");
    server.stop();
}

/// SIGHUP reads the configuration file again, a mistake in it changes nothing; other signals do no harm; /health tells of the end while statements finish.
#[tokio::test]
async fn signals() {
    let free = format!("127.0.0.1:{}", pamir_testkit::port());
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("pamir.toml");
    std::fs::write(&file, "max-connections = 2\n").unwrap();
    let args = ["--config", file.to_str().unwrap(), "--http-addr", &free];
    let mut server = Pamir::start(&dir.path().join("data"), &args);
    let (a, b) = (server.connect().await, server.connect().await);
    for signal in [1, 10, 12, 13] {
        server.signal(signal);
    }
    std::fs::write(&file, "max-connections = 0\n").unwrap();
    server.signal(1);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(tokio_postgres::connect(&server.config(), tokio_postgres::NoTls).await.is_err());
    std::fs::write(&file, "max-connections = 3\ncache-size = \"99MiB\"\n").unwrap();
    server.signal(1);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let _c = server.connect().await;
    assert!(tokio_postgres::connect(&server.config(), tokio_postgres::NoTls).await.is_err());
    a.batch_execute("SELECT 1").await.unwrap();
    let running = tokio::spawn(async move { b.batch_execute("SELECT pg_sleep(1.5)").await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.signal(15);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let said = http(&free, "/health");
    assert!(said.starts_with("HTTP/1.1 503") && said.ends_with("stopping\n"), "{said}");
    running.await.unwrap().unwrap();
    assert_eq!(server.wait().code(), Some(0));
}

/// Names and bytes of a directory's files.
fn contents(dir: &std::path::Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let mut v: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap())
        .map(|e| (e.file_name(), std::fs::read(e.path()).unwrap()))
        .collect();
    v.sort();
    v
}

/// `pamir check` after kill -9 replays the log without changing a byte, and finds an index entry that disagrees with its row.
#[tokio::test]
async fn check_compares_rows_with_index_entries() {
    use pamir_storage::disk::real::RealDisk;
    use pamir_txn::{Dir, Isolation, Shard, ShardOptions, TreeId};
    let run = |data: &std::path::Path| {
        let out = std::process::Command::new(common::BIN).args(["check", "--data-dir"]).arg(data).output().unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        (out.status.code(), text(&out.stdout), text(&out.stderr))
    };
    let (server, dir) = fresh(&[]);
    let data = dir.path().join("data");
    server
        .connect()
        .await
        .batch_execute(
            "CREATE TABLE t (id int PRIMARY KEY, a int); CREATE INDEX t_a ON t (a); \
             INSERT INTO t SELECT i, i * 2 FROM generate_series(1, 100) i",
        )
        .await
        .unwrap();
    server.kill();
    let before = contents(&data);
    let (code, out, err) = run(&data);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("table postgres.public.t: 100 rows, 2 indexes, 100 entries: ok"), "{out}");
    assert!(contents(&data) == before, "check changed the directory");

    let shard = Shard::open(RealDisk::open(&data).unwrap(), ShardOptions::default()).unwrap();
    let catalog = pamir_sql::session::Database::open(shard.clone()).unwrap().catalog();
    let db = catalog.database_by_name("postgres").unwrap().oid;
    let tree = TreeId(catalog.tables(db)[0].indexes.iter().find(|i| i.name == "t_a").unwrap().tree);
    let txn = shard.begin(Isolation::ReadCommitted, false, Default::default());
    let key = {
        let snap = txn.statement();
        let mut scan = txn.scan(&snap, tree, &[], None, Dir::Forward).unwrap();
        scan.next(&txn).unwrap().unwrap().0.to_vec()
    };
    txn.delete(tree, &key).unwrap();
    txn.commit().unwrap();
    shard.close().unwrap();
    drop(shard);
    let (code, out, err) = run(&data);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("problem: table postgres.public.t: index \"t_a\" lacks the entry"), "{out}");
    assert!(err.contains("disagreements between rows and indexes"), "{err}");
}
