//! kill -9 under writers: nothing acknowledged is lost, nothing half done is there.
mod common;
use common::{Pamir, connect};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WRITERS: i64 = 16;
/// More by hand: PAMIR_KILL_ROUNDS=100.
const ROUNDS: u64 = 3;

#[tokio::test]
async fn acknowledged_commits_survive_kill_9() {
    let rounds = std::env::var("PAMIR_KILL_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(ROUNDS);
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let server = Pamir::start(&data, &[]);
    // Each transaction writes a pair: half of one must never be seen.
    server
        .connect()
        .await
        .batch_execute("CREATE TABLE t (writer int, n bigint, half int, PRIMARY KEY (writer, n, half))")
        .await
        .unwrap();
    server.stop();
    let acknowledged: Arc<Vec<AtomicI64>> = Arc::new((0..WRITERS).map(|_| AtomicI64::new(0)).collect());
    let mut total = 0;
    for round in 0..rounds {
        let server = Pamir::start(&data, &[]);
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
                    let step = async {
                        let tx = c.transaction().await?;
                        for half in 0..2i32 {
                            tx.execute("INSERT INTO t VALUES ($1, $2, $3)", &[&(w as i32), &n, &half]).await?;
                        }
                        tx.commit().await
                    };
                    if step.await.is_err() {
                        return;
                    }
                    acknowledged[w as usize].store(n, Ordering::SeqCst);
                }
            }));
        }
        tokio::time::sleep(Duration::from_millis(700 + round * 37 % 300)).await;
        server.kill();
        for t in tasks {
            t.await.expect("a writer met something else than the end of its connection");
        }
        let restart = Instant::now();
        let server = Pamir::start(&data, &[]);
        assert!(restart.elapsed() < Duration::from_secs(20));
        let rows = server
            .connect()
            .await
            .query("SELECT writer, count(*), max(n), count(DISTINCT n) FROM t GROUP BY writer", &[])
            .await
            .unwrap();
        let mut seen = vec![0i64; WRITERS as usize];
        for r in &rows {
            let (writer, count, max, distinct): (i32, i64, i64, i64) = (r.get(0), r.get(1), r.get(2), r.get(3));
            assert_eq!(count, 2 * distinct, "writer {writer}: half a transaction");
            assert_eq!(max, distinct, "writer {writer}: a gap");
            seen[writer as usize] = max;
        }
        for w in 0..WRITERS as usize {
            let promised = acknowledged[w].load(Ordering::SeqCst);
            assert!(seen[w] >= promised, "round {round}: writer {w} was told {promised}, found {}", seen[w]);
        }
        total = seen.iter().sum();
        server.stop();
    }
    assert!(total > 0, "the writers wrote nothing");
}
