//! Statements that would hold the server, if anything did: while each of them runs, others are answered, and it ends when it is told to. `bench/lab hostile` measures how soon.
mod common;
use common::{code, fresh};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_postgres::NoTls;

/// Far beyond what anything here takes, far below what the statements would.
const SOON: Duration = Duration::from_secs(15);
/// How long a statement runs before it is told to end.
const RUNS: Duration = Duration::from_millis(150);

const ENDLESS: &[&str] = &[
    "SELECT count(*) FROM generate_series(1, 1000000000000)",
    "SELECT count(s) FROM (SELECT generate_series(1, 1000000000000) s) x",
    "SELECT count(*) FROM generate_series(1::numeric, 1e15)",
    "SELECT count(*) FROM generate_series('0001-01-01'::timestamp, '9999-01-01', '1 microsecond')",
    "WITH RECURSIVE r(n) AS (SELECT 1::int8 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
    "SELECT count(*) FROM h a, h b, h c",
    "SELECT count(*) FROM h a JOIN h b ON a.v LIKE '%' || b.v || '_%' JOIN h c ON c.v ~ b.v",
    "SELECT count(*) FROM h a WHERE id > (SELECT avg(b.id) FROM h b, h c WHERE b.v > a.v)",
    "SELECT sum(x) FROM (SELECT row_number() OVER (ORDER BY b.v) x FROM h a, h b, h c) s",
    "SELECT count(*) FROM generate_series(1, 1000000) g WHERE repeat('a', 20000000 + g) LIKE '%' || repeat('_a', 400000) || 'b%'",
    "SELECT count(*) FROM generate_series(1, 1000000) g WHERE repeat('a', 20000000 + g) ~ '(a?){200}a{200}b'",
    "SELECT sum(length(regexp_replace(repeat('ab', 10000000 + g), 'a|ab|b.*c', 'x', 'g'))) FROM generate_series(1, 1000000) g",
    "SELECT max(md5(repeat('x', 500000000 + g))) FROM generate_series(1, 1000000) g",
    "SELECT sum(length(lpad('x', 100000000 + g, 'abc'))) FROM generate_series(1, 1000000) g",
    "SELECT count(*) FROM generate_series(1, 1000000) g, regexp_split_to_table(repeat('a,', 50000000), ',')",
    "SELECT count((SELECT array_agg(i + g) FROM generate_series(1, 300000) i) <@ (SELECT array_agg(-i) FROM generate_series(1, 300000) i)) FROM generate_series(1, 1000000) g",
    "SELECT count(*) FROM h a WHERE id = ANY (SELECT g FROM h b, generate_series(1, 100000000) g WHERE b.v < a.v)",
    "UPDATE h SET v = v WHERE id < (SELECT count(*) FROM h a, h b, h c)",
    "SELECT count(pg_sleep(0.001)) FROM h a, h b",
    "EXPLAIN ANALYZE SELECT count(*) FROM h a, h b, h c",
    "DO $$ BEGIN LOOP END LOOP; END $$",
    "DO $$ BEGIN LOOP BEGIN PERFORM 1 / 0; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END $$",
    "DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(1000); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP; END $$",
    "DO $$ DECLARE a int[] := array_fill(0, array[1000000]); b int[]; BEGIN LOOP a[5] := 1; b := a; END LOOP; END $$",
    "DO $$ DECLARE c refcursor; BEGIN LOOP c := NULL; OPEN c FOR SELECT 1; END LOOP; END $$",
    "DO $$ DECLARE t text := ''; BEGIN LOOP t := t || 'x'; END LOOP; END $$",
    "DO $$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $$",
];

#[tokio::test]
async fn nothing_keeps_others_waiting() {
    let (server, _dir) = fresh(&[]);
    let other = server.connect().await;
    other.batch_execute("CREATE TABLE h (id int PRIMARY KEY, v text)").await.unwrap();
    let rows = "INSERT INTO h SELECT i, md5(i::text) FROM generate_series(1, 3000) i";
    other.batch_execute(rows).await.unwrap();
    for sql in ENDLESS {
        // As many as there are workers, and more.
        let mut attackers = Vec::new();
        for _ in 0..3 {
            let client = server.connect().await;
            let cancel = client.cancel_token();
            let sql = sql.to_string();
            attackers.push((cancel, tokio::spawn(async move { client.batch_execute(&sql).await })));
        }
        tokio::time::sleep(RUNS).await;
        let read = timeout(SOON, other.query_one("SELECT v FROM h WHERE id = 7", &[])).await;
        assert!(read.is_ok_and(|r| r.is_ok()), "a neighbour waits beside {sql}");
        let login = timeout(SOON, server.connect()).await;
        assert!(login.is_ok(), "a new client waits beside {sql}");
        for (cancel, task) in attackers {
            let asked = timeout(SOON, cancel.cancel_query(NoTls)).await;
            assert!(asked.is_ok_and(|r| r.is_ok()), "a cancel waits beside {sql}");
            let e = timeout(SOON, task).await.unwrap_or_else(|_| panic!("not cancelled: {sql}")).unwrap();
            let e = e.expect_err(sql);
            assert_eq!(code(&e), "57014", "{sql}");
        }
    }
    server.stop();
}

/// Logs in and asks, and reads nothing.
async fn say(to: &tokio::net::TcpStream, sql: &str) {
    let mut out = Vec::new();
    let login = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";
    out.extend_from_slice(&(login.len() as u32 + 4).to_be_bytes());
    out.extend_from_slice(login);
    out.push(b'Q');
    out.extend_from_slice(&(sql.len() as u32 + 5).to_be_bytes());
    out.extend_from_slice(sql.as_bytes());
    out.push(0);
    to.writable().await.unwrap();
    assert_eq!(to.try_write(&out).unwrap(), out.len());
}

/// statement_timeout, the client's going and SIGTERM end a statement that computes; so they do where it sends to a client that does not read.
#[tokio::test]
async fn everything_ends() {
    let (mut server, _dir) = fresh(&[]);
    let endless = "SELECT count(*) FROM generate_series(1, 1000000000000)";
    let c = server.connect().await;
    c.batch_execute("SET statement_timeout = '200ms'").await.unwrap();
    for sql in [endless, "SELECT md5(repeat('x', 1000000000))", "SELECT pg_sleep(1000)"] {
        let e = timeout(SOON, c.batch_execute(sql)).await.expect(sql).unwrap_err();
        assert_eq!(
            (code(&e).as_str(), e.as_db_error().is_some_and(|e| e.message().ends_with("statement timeout"))),
            ("57014", true),
            "{sql}: {e}"
        );
    }
    c.batch_execute("SET statement_timeout = 0").await.unwrap();

    let active = || async {
        let q = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()";
        c.query_one(q, &[]).await.unwrap().get::<_, i64>(0)
    };
    // Its socket closes with the connection's task; the client's own end would wait for the answer.
    let (gone, connection) = tokio_postgres::connect(&server.config(), NoTls).await.unwrap();
    let socket = tokio::spawn(connection);
    let task = tokio::spawn(async move { gone.batch_execute(endless).await });
    tokio::time::sleep(RUNS).await;
    assert_eq!(active().await, 1);
    socket.abort();
    assert!(task.await.unwrap().is_err());
    let begun = Instant::now();
    while active().await > 0 {
        assert!(begun.elapsed() < SOON, "the statement of a client that has gone runs on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    // One that tells its client without end, and whose client does not listen before it goes.
    let deaf = tokio::net::TcpStream::connect(("127.0.0.1", server.port)).await.unwrap();
    let telling = "DO $$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $$";
    say(&deaf, telling).await;
    let begun = Instant::now();
    while active().await == 0 {
        assert!(begun.elapsed() < SOON, "the statement does not begin");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Until its socket is full.
    tokio::time::sleep(RUNS).await;
    drop(deaf);
    let begun = Instant::now();
    while active().await > 0 {
        assert!(begun.elapsed() < SOON, "a statement that tells a client that has gone runs on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let mut held = Vec::new();
    for sql in [
        endless,
        endless,
        endless,
        "SELECT count(*) FROM generate_series(1, 1000000) g WHERE repeat('a', 20000000 + g) ~ '(a?){200}a{200}b'",
    ] {
        let c = server.connect().await;
        held.push(tokio::spawn(async move { c.batch_execute(sql).await }));
    }
    tokio::time::sleep(RUNS).await;
    let begun = Instant::now();
    server.signal(15);
    assert_eq!(server.wait().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // The last may have come to its end.
    for task in held.into_iter().take(3) {
        assert!(task.await.unwrap().is_err());
    }
}
