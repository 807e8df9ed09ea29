//! What the server writes to its log about statements.
mod common;
use common::{Pamir, command};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

struct Logged {
    server: Pamir,
    dir: TempDir,
}
impl Logged {
    fn start(flags: &[&str]) -> Logged {
        let dir = TempDir::new().unwrap();
        let mut c = command(&dir.path().join("data"), &[&["--log-level", "info"], flags].concat());
        c.stderr(Stdio::from(std::fs::File::create(dir.path().join("log")).unwrap()));
        Logged { server: Pamir::run(c), dir }
    }
    fn path(&self) -> std::path::PathBuf {
        self.dir.path().join("log")
    }
}
fn read(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_string).collect()
}
/// The line that has all of `words`; lines come a moment after their statement.
fn line(path: &Path, words: &[&str]) -> String {
    let started = Instant::now();
    loop {
        let lines = read(path);
        if let Some(l) = lines.iter().find(|l| words.iter().all(|w| l.contains(w))) {
            return l.clone();
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{words:?} in\n{}", lines.join("\n"));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test]
async fn durations_statements_and_errors() {
    let l = Logged::start(&[
        "--set",
        "log_min_duration_statement=300ms",
        "--set",
        "log_statement=ddl",
        "--set",
        "log_connections=on",
        "--set",
        "log_parameter_max_length_on_error=5",
    ]);
    let log = l.path();
    let c = common::connect(&format!("{} application_name=shop", l.server.config())).await;
    line(
        &log,
        &["connection authorized", "user=\"postgres\"", "database=\"postgres\"", "application=\"shop\"", "client="],
    );
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, s text)").await.unwrap();
    line(&log, &["pamir::statement", "statement=\"CREATE TABLE t (id int PRIMARY KEY, s text)\""]);
    c.batch_execute("INSERT INTO t VALUES (1, 'quick')").await.unwrap();
    c.batch_execute("SELECT pg_sleep(0.35), 'slow one'").await.unwrap();
    let slow = line(&log, &["duration: ", "slow one"]);
    assert!(slow.contains("rows=1") && slow.contains("duration_ms=3"), "{slow}");
    // Extended, with its parameters.
    let a = c.query("SELECT $1::text, pg_sleep(0.35)", &[&"it's me"]).await.unwrap();
    assert_eq!(a.len(), 1);
    line(&log, &["duration: ", "parameters=\"$1 = 'it''s me'\""]);
    let e = c.query("INSERT INTO t VALUES ($1, $2)", &[&1i32, &"abcdefgh"]).await.unwrap_err();
    assert_eq!(common::code(&e), "23505");
    let e = line(&log, &["duplicate key value violates unique constraint"]);
    for part in [
        "ERROR",
        "sqlstate=\"23505\"",
        "detail=\"Key (id)=(1) already exists.\"",
        "INSERT INTO t VALUES ($1, $2)",
        "$2 = 'abcde...'",
    ] {
        assert!(e.contains(part), "{part} in {e}");
    }
    c.batch_execute("SELECT nonsense from t").await.unwrap_err();
    line(&log, &["column \"nonsense\" does not exist", "position=8", "SELECT nonsense from t"]);
    c.batch_execute("SELECT \"a\n2026 ERROR forged\" from t").await.unwrap_err();
    line(&log, &["column \"a\\n2026 ERROR forged\" does not exist"]);
    c.batch_execute("SET log_min_error_statement = panic; SET log_error_verbosity = terse").await.unwrap();
    c.batch_execute("SELECT quiet from t").await.unwrap_err();
    let e = line(&log, &["column \"quiet\" does not exist"]);
    assert!(!e.contains("SELECT") && !e.contains("sqlstate"), "{e}");
    c.batch_execute("SET log_min_messages = fatal").await.unwrap();
    c.batch_execute("SELECT silent from t").await.unwrap_err();
    c.batch_execute("SET log_duration = on").await.unwrap();
    c.batch_execute("SELECT 'seen' FROM t").await.unwrap();
    c.batch_execute("CREATE TABLE last (a int)").await.unwrap();
    line(&log, &["CREATE TABLE last"]);
    let all = read(&log).join("\n");
    assert!(!all.contains("quick") && !all.contains("silent"), "{all}");
    // log_duration alone: no text.
    assert!(!all.contains("'seen'"), "{all}");
    l.server.stop();
}

#[tokio::test]
async fn plans_of_slow_statements() {
    let l = Logged::start(&["--set", "auto_explain.log_min_duration=0", "--set", "auto_explain.log_analyze=on"]);
    let log = l.path();
    let c = l.server.connect().await;
    c.batch_execute(
        "CREATE TABLE t (id int PRIMARY KEY, s text); INSERT INTO t SELECT n, 's' FROM generate_series(1, 10) n",
    )
    .await
    .unwrap();
    c.batch_execute("SELECT s FROM t WHERE id < 4").await.unwrap();
    let plan = line(&log, &["pamir::plan", "SELECT s FROM t WHERE id < 4"]);
    assert!(plan.contains("t_pkey") && plan.contains("rows=3 loops=1"), "{plan}");
    c.query("SELECT s FROM t WHERE id = $1", &[&7i32]).await.unwrap();
    let plan = line(&log, &["pamir::plan", "SELECT s FROM t WHERE id = $1"]);
    assert!(plan.contains("rows=1 loops=1"), "{plan}");
    c.batch_execute("SET auto_explain.log_analyze = off; SET auto_explain.log_format = json").await.unwrap();
    c.batch_execute("SELECT count(*) FROM t").await.unwrap();
    let plan = line(&log, &["pamir::plan", "SELECT count(*) FROM t"]);
    assert!(plan.contains("Node Type") && !plan.contains("Actual"), "{plan}");
    l.server.stop();
}
