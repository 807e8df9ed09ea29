//! kill -9 under writers: nothing acknowledged is lost, nothing half done is there, sums hold, rows and indexes agree, and the restart is quick.
//!
//! More rounds by hand: `PAMIR_KILL_ROUNDS=100 cargo test --release -p pamir --test durability -- --nocapture`.
mod common;
use common::{BIN, Pamir, connect};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WRITERS: i64 = 32;
const ROUNDS: u64 = 3;
/// How long a round writes before the kill; PAMIR_KILL_LOAD, in seconds, for more log to replay.
const LOAD: Duration = Duration::from_millis(700);
const ACCOUNTS: i64 = 50;
const BALANCE: i64 = 1000;
/// A restart may not take longer (release builds on an idle machine need a fraction). PAMIR_RESTART_LIMIT, in seconds, for a machine whose disk others
/// keep busy: recovery waits for several syncs.
const RESTART_LIMIT: u64 = 5;

fn check(data: &Path) {
    let out = Command::new(BIN).args(["check", "--data-dir"]).arg(data).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
}

/// One transaction: the two halves of entry `n`, and a transfer that entry `n` documents.
async fn step(c: &mut tokio_postgres::Client, w: i64, n: i64) -> Result<(), tokio_postgres::Error> {
    let (a, b) = ((w * 7 + n) % ACCOUNTS, (w * 13 + n * 3 + 1) % ACCOUNTS);
    // In one order, so that transfers do not deadlock.
    let (from, to, amount) = if a <= b { (a, b, n % 17) } else { (b, a, n % 13) };
    let tx = c.transaction().await?;
    let insert = "INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6)";
    for half in 0..2i32 {
        tx.execute(insert, &[&(w as i32), &n, &half, &from, &to, &(amount * half as i64)]).await?;
    }
    tx.execute("UPDATE account SET balance = balance - $1 WHERE id = $2", &[&amount, &from]).await?;
    tx.execute("UPDATE account SET balance = balance + $1 WHERE id = $2", &[&amount, &to]).await?;
    tx.commit().await
}

#[tokio::test]
async fn acknowledged_commits_survive_kill_9() {
    let rounds = std::env::var("PAMIR_KILL_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(ROUNDS);
    let limit = std::env::var("PAMIR_RESTART_LIMIT").ok().and_then(|s| s.parse().ok()).unwrap_or(RESTART_LIMIT);
    let load = std::env::var("PAMIR_KILL_LOAD").ok().and_then(|s| s.parse().ok()).map_or(LOAD, Duration::from_secs);
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let server = Pamir::start(&data, &[]);
    // Each transaction writes a pair: half of one must never be seen.
    server
        .connect()
        .await
        .batch_execute(&format!(
            "CREATE TABLE t (writer int, n bigint, half int, debit bigint, credit bigint, amount bigint, PRIMARY KEY (writer, n, half)); \
             CREATE INDEX t_amount ON t (amount); CREATE UNIQUE INDEX t_nwh ON t (n, writer, half); \
             CREATE TABLE account (id bigint PRIMARY KEY, balance bigint NOT NULL); CREATE INDEX account_balance ON account (balance); \
             INSERT INTO account SELECT i, {BALANCE} FROM generate_series(0, {ACCOUNTS} - 1) i"
        ))
        .await
        .unwrap();
    server.stop();
    let acknowledged: Arc<Vec<AtomicI64>> = Arc::new((0..WRITERS).map(|_| AtomicI64::new(0)).collect());
    let (mut total, mut unanswered) = (0, 0);
    let mut restarts = Vec::new();
    let mut server = Pamir::start(&data, &[]);
    for round in 0..rounds {
        let config = server.config();
        let mut tasks = Vec::new();
        for w in 0..WRITERS {
            let (config, acknowledged) = (config.clone(), acknowledged.clone());
            tasks.push(tokio::spawn(async move {
                let mut c = connect(&config).await;
                // What the crash left unanswered may be there: go on above it.
                let row =
                    c.query_one("SELECT coalesce(max(n), 0) FROM t WHERE writer = $1", &[&(w as i32)]).await.unwrap();
                for n in row.get::<_, i64>(0) + 1.. {
                    if let Err(e) = step(&mut c, w, n).await {
                        // The end of the connection, not an answer of the server's.
                        assert!(e.code().is_none(), "writer {w}: {e:?}");
                        return;
                    }
                    acknowledged[w as usize].store(n, Ordering::SeqCst);
                }
            }));
        }
        tokio::time::sleep(load + Duration::from_millis(round * 37 % 300)).await;
        server.kill();
        for t in tasks {
            t.await.expect("a writer met something else than the end of its connection");
        }
        check(&data);
        let restart = Instant::now();
        server = Pamir::start(&data, &[]);
        // From the start of the process to its ready line: nothing of the load or of the checks below is in it.
        let took = restart.elapsed();
        restarts.push(took);
        assert!(took < Duration::from_secs(limit), "round {round}: the restart took {took:?}");
        let c = server.connect().await;
        let rows =
            c.query("SELECT writer, count(*), max(n), count(DISTINCT n) FROM t GROUP BY writer", &[]).await.unwrap();
        let mut seen = vec![0i64; WRITERS as usize];
        for r in &rows {
            let (writer, count, max, distinct): (i32, i64, i64, i64) = (r.get(0), r.get(1), r.get(2), r.get(3));
            assert_eq!(count, 2 * distinct, "round {round}: writer {writer}: half a transaction");
            assert_eq!(max, distinct, "round {round}: writer {writer}: a gap");
            seen[writer as usize] = max;
        }
        for w in 0..WRITERS as usize {
            let promised = acknowledged[w].load(Ordering::SeqCst);
            assert!(seen[w] >= promised, "round {round}: writer {w} was told {promised}, found {}", seen[w]);
            assert!(seen[w] <= promised + 1, "round {round}: writer {w}: more than one transaction unanswered");
            unanswered += seen[w] - promised;
            // What a restart showed counts from now on.
            acknowledged[w].store(seen[w], Ordering::SeqCst);
        }
        // Every account is what the documented transfers make of it.
        let mut balances = vec![BALANCE; ACCOUNTS as usize];
        for r in c.query("SELECT debit, credit, amount FROM t WHERE half = 1", &[]).await.unwrap() {
            let (debit, credit, amount): (i64, i64, i64) = (r.get(0), r.get(1), r.get(2));
            balances[debit as usize] -= amount;
            balances[credit as usize] += amount;
        }
        let found = c.query("SELECT balance FROM account ORDER BY id", &[]).await.unwrap();
        let found: Vec<i64> = found.iter().map(|r| r.get(0)).collect();
        assert_eq!(found, balances, "round {round}: accounts and transfers disagree");
        total = seen.iter().sum();
    }
    server.stop();
    check(&data);
    restarts.sort();
    let (median, slowest) = (restarts.get(restarts.len() / 2), restarts.last());
    println!(
        "{rounds} rounds, {total} transactions, {unanswered} committed unanswered, restart: median {median:?}, slowest {slowest:?}"
    );
    assert!(total > 0, "the writers wrote nothing");
}
