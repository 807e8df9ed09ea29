//! Shortages: of descriptors, of places for connections, of memory. What is short costs the session that asks for it; the server lives, and so do its neighbours.
mod common;
use common::{Pamir, code, fresh};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// More clients than descriptors: those beyond are told so, at once, and the others can do whatever they could before, which includes opening files.
#[tokio::test]
async fn few_descriptors() {
    let dir = TempDir::new().unwrap();
    let args = ["--checkpoint-size", "1MiB"];
    let server = Pamir::start_under("ulimit -n 256", &dir.path().join("data"), &args);
    let mut held = vec![server.connect().await];
    held[0].batch_execute("CREATE TABLE t (id int PRIMARY KEY, s text)").await.unwrap();
    let mut refused = 0;
    for _ in 0..400 {
        match tokio::time::timeout(Duration::from_secs(5), tokio_postgres::connect(&server.config(), NoTls)).await {
            Ok(Ok((client, connection))) => {
                tokio::spawn(connection);
                held.push(client);
            }
            Ok(Err(e)) => {
                assert_eq!(code(&e), "53300", "{e:?}");
                refused += 1;
            }
            Err(_) => panic!("a client that cannot be held waits"),
        }
    }
    assert!(held.len() >= 60 && refused >= 200, "{} held, {refused} refused", held.len());
    // Checkpoints, new log segments, sorts that spill.
    for i in 0..8 {
        let c = &held[i * 7 % held.len()];
        let from = i * 10_000;
        let rows =
            format!("INSERT INTO t SELECT i, repeat('x', 300) FROM generate_series({}, {}) i", from + 1, from + 10_000);
        c.batch_execute(&rows).await.unwrap();
        c.batch_execute("SET work_mem = '64kB'; SELECT s, id FROM t ORDER BY s, id DESC").await.unwrap();
    }
    drop(held);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let c = server.connect().await;
    assert_eq!(c.query_one("SELECT count(*) FROM t", &[]).await.unwrap().get::<_, i64>(0), 80_000);
    drop(c);
    server.stop();
}

/// Sockets that say nothing, thousands of them on both ports, keep nobody out.
#[tokio::test]
async fn half_open_sockets() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (server, _dir) = fresh(&["--http-addr", &free, "--max-connections", "600"]);
    let open =
        |addr: &str, n: usize| -> Vec<TcpStream> { (0..n).filter_map(|_| TcpStream::connect(addr).ok()).collect() };
    let addr = format!("127.0.0.1:{}", server.port);
    // Some begin and do not go on.
    let mut mute = open(&addr, 1500);
    for s in mute.iter_mut().step_by(3) {
        let _ = s.write_all(&[0, 0, 0, 90, 0, 3, 0, 0, b'u']);
    }
    let web = open(&free, 1500);
    assert!(mute.len() >= 1400 && web.len() >= 1400);
    tokio::time::sleep(Duration::from_millis(1200)).await;
    for _ in 0..20 {
        let start = Instant::now();
        let c = server.connect().await;
        c.batch_execute("SELECT 1").await.unwrap();
        let mut s = TcpStream::connect(&free).unwrap();
        write!(s, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        s.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        mute.extend(open(&addr, 30));
    }
    drop((mute, web));
    server.stop();
}
