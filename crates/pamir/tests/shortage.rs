//! Shortages: of descriptors, of places for connections, of memory. What is short costs the session that asks for it; the server lives, and so do its neighbours.
mod common;
use common::{Pamir, code, fresh};
use std::io::{Read, Write};
use std::net::TcpStream;
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
    let free = format!("127.0.0.1:{}", pamir_testkit::port());
    let (server, _dir) = fresh(&["--http-addr", &free, "--max-connections", "600", "--authentication-timeout", "600"]);
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

/// Kilobytes of a line of /proc/PID/status.
fn status(server: &Pamir, line: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let value = text.lines().find_map(|l| l.strip_prefix(line)).unwrap();
    value.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

/// Values, texts and statements that take more memory than there is, each built before it could be looked at.
const GREEDY: &[&str] = &[
    "SELECT length(repeat('x', 1000000000))",
    "SELECT length(lpad('x', 250000000))",
    "SELECT array_length(array_fill(1, ARRAY[100000000]), 1)",
    "SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 300)",
    "SELECT length(array_to_string(array_fill(repeat('x', 1000000), ARRAY[900]), ','))",
    "SELECT length(array_fill(repeat('x', 1000000), ARRAY[900])::text)",
    "SELECT array_fill(repeat('x', 1000000), ARRAY[900])",
    "SELECT to_json(array_fill(repeat('x', 1000000), ARRAY[900]))",
    "SELECT length(json_agg(repeat('x', 1000000))::text) FROM generate_series(1, 300)",
    "SELECT format('%1000000000s', 'x')",
    "SELECT replace(repeat('a', 10000), 'a', repeat('b', 100000))",
    "SELECT regexp_replace(repeat('a', 1000), 'a', repeat('b', 1000000), 'g')",
    "SELECT repeat('x', 60000000) || repeat('y', 60000000)",
    "SELECT concat(repeat('x', 30000000), repeat('x', 30000000), repeat('x', 30000000), repeat('x', 30000000))",
    "SELECT length(encode(repeat('x', 60000000)::bytea, 'hex'))",
    "WITH RECURSIVE d (s, n) AS (SELECT repeat('x', 1000000), 1 UNION ALL SELECT s || s, n + 1 FROM d WHERE n < 20) SELECT length(s) FROM d",
];

#[tokio::test]
async fn greedy_statements() {
    let args = ["--query-memory", "64MiB", "--version-memory", "16MiB"];
    let (server, _dir) = fresh(&args);
    let (c, neighbour) = (server.connect().await, server.connect().await);
    for sql in GREEDY {
        let e = c.batch_execute(sql).await.expect_err(sql);
        assert_eq!(code(&e), "53200", "{sql}: {e:?}");
        neighbour.batch_execute("SELECT 1").await.unwrap();
    }
    // The value itself is to be had; a copy of it is not.
    let long = "SELECT length(#) FROM (SELECT repeat('x', 45000000) s OFFSET 0) t";
    c.batch_execute(&long.replace('#', "s")).await.unwrap();
    for f in ["upper(s)", "initcap(s)", "translate(s, 'x', 'y')", "overlay(s placing 'y' from 5)", "reverse(s)"] {
        let e = c.batch_execute(&long.replace('#', f)).await.expect_err(f);
        assert_eq!(code(&e), "53200", "{f}: {e:?}");
    }
    // A million numbers: refused before they are parsed.
    let e = c.batch_execute(&format!("SELECT 1 WHERE 1 IN ({}1)", "1,".repeat(1_000_000))).await.unwrap_err();
    assert_eq!(code(&e), "53200", "{e:?}");
    // Statements prepared without end.
    let mut kept = Vec::new();
    let e = loop {
        match c.prepare(&format!("SELECT {}", kept.len())).await {
            Ok(s) => kept.push(s),
            Err(e) => break e,
        }
        assert!(kept.len() < 20_000);
    };
    assert_eq!(code(&e), "53200", "{e:?}");
    c.batch_execute("DEALLOCATE ALL").await.unwrap();
    c.prepare("SELECT 1").await.unwrap();
    // The limit is 64 + 64 + 16 MiB and 64 more for the rest; helper threads keep what their last long value took (32 MiB); a fifth is the allocator's.
    // The program's own pages are the file's, and come and go.
    let most = status(&server, "VmHWM:") - status(&server, "RssFile:");
    assert!(most < (208 + 32) * 1024 * 6 / 5, "{most} kB");
    // Given back: the same can be asked for again and again, and what is small is served.
    for _ in 0..3 {
        c.batch_execute("SELECT length(repeat('x', 20000000))").await.unwrap();
    }
    server.stop();
}

/// A limit on the address space ends statements, not the process.
#[tokio::test]
async fn little_address_space() {
    let dir = TempDir::new().unwrap();
    let server = Pamir::start_under("ulimit -v 2600000", &dir.path().join("data"), &["--workers", "2"]);
    let tasks: Vec<_> = (0..12)
        .map(|i| {
            let config = server.config();
            tokio::spawn(async move {
                let Ok((c, connection)) = tokio_postgres::connect(&config, NoTls).await else { return };
                tokio::spawn(connection);
                for n in 0..6 {
                    let sql = format!("SELECT length(repeat('x', {}))", (i + n) * 20_000_000 + 1_000_000);
                    if let Err(e) = c.batch_execute(&sql).await {
                        // No memory, or none for a helper thread's stack.
                        assert!(e.is_closed() || matches!(code(&e).as_str(), "53000" | "53200"), "{e:?}");
                    }
                }
            })
        })
        .collect();
    for t in tasks {
        t.await.unwrap();
    }
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 10000)").await.unwrap();
    drop(c);
    server.stop();
}

/// Temporary files have a quota for all sessions: who needs more gets 53100, others go on, and what was taken is given back.
#[tokio::test]
async fn a_quota_for_temporary_files() {
    let (server, _dir) = fresh(&["--temp-disk", "2MiB"]);
    let c = server.connect().await;
    c.batch_execute("SET work_mem = '64kB'").await.unwrap();
    let sort = |n: u32| {
        format!(
            "SELECT count(*) FROM (SELECT repeat(i::text, 20) s FROM generate_series(1, {n}) i ORDER BY 1 DESC OFFSET 1) x"
        )
    };
    for _ in 0..3 {
        c.batch_execute(&sort(5_000)).await.unwrap();
        let e = c.batch_execute(&sort(60_000)).await.unwrap_err();
        assert_eq!(code(&e), "53100", "{e:?}");
    }
    server.stop();
}

/// Bytes that count against the process's limit.
fn in_use(http: &str) -> u64 {
    let mut s = TcpStream::connect(http).unwrap();
    write!(s, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    s.read_to_string(&mut text).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix("pamir_process_memory_used_bytes "));
    line.and_then(|n| n.trim().parse::<f64>().ok()).unwrap() as u64
}

/// What a statement of a few bytes makes is gone when it has ended: its constants are in no cache of plans, whoever sends it again, by whatever protocol, and a function
/// that was at work when its statement was cancelled ends too.
#[tokio::test]
async fn memory_of_statements_that_have_ended() {
    let free = format!("127.0.0.1:{}", pamir_testkit::port());
    let (server, _dir) = fresh(&["--http-addr", &free]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (s text); INSERT INTO t VALUES ('a')").await.unwrap();
    let before = in_use(&free);
    let statements = |i: usize| {
        [
            format!("SELECT length(concat(repeat('x', {}), s)) FROM t", 20_000_000 + i),
            format!("SELECT s FROM t WHERE s = repeat('y', {})", 20_000_000 + i),
            format!("SELECT count(*) FROM t WHERE s || repeat('z', {}) <> s", 20_000_000 + i),
        ]
    };
    for i in 0..4 {
        for sql in statements(i) {
            for _ in 0..3 {
                c.batch_execute(&sql).await.unwrap();
                c.query(&sql, &[]).await.unwrap();
            }
            let prepared = c.prepare(&sql).await.unwrap();
            c.query(&prepared, &[]).await.unwrap();
        }
    }
    let kept = in_use(&free).saturating_sub(before);
    // The session itself holds its last one.
    assert!(kept < 60_000_000, "{kept} bytes are kept of twelve statements");
    for sql in [
        "SELECT length(repeat('abc', 200000000))",
        "SELECT md5(repeat('abc', 200000000))",
        "SELECT length(replace(repeat('ab', 50000000), 'a', 'ccc'))",
    ] {
        let token = c.cancel_token();
        let cancelled = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(200)).await;
            token.cancel_query(NoTls).await
        });
        let _ = c.batch_execute(sql).await;
        cancelled.await.unwrap().unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while in_use(&free).saturating_sub(before) > 60_000_000 {
            assert!(Instant::now() < end, "{sql} goes on");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    drop(c);
    server.stop();
}
