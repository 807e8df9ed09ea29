//! The protocol as tokio-postgres speaks it: types in both formats, prepared, pipelined, portals, COPY, cancel, errors.
mod common;
use bytes::{Bytes, BytesMut};
use common::{code, fresh};
use futures_util::{SinkExt, StreamExt, TryStreamExt};
use std::time::Duration;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// A value as its binary bytes.
#[derive(Debug, PartialEq, Clone)]
struct Raw(Vec<u8>);
impl<'a> FromSql<'a> for Raw {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Raw(raw.to_vec()))
    }
    fn accepts(_: &Type) -> bool {
        true
    }
}
impl ToSql for Raw {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }
    fn accepts(_: &Type) -> bool {
        true
    }
    tokio_postgres::types::to_sql_checked!();
}

fn first(messages: Vec<SimpleQueryMessage>) -> String {
    messages
        .into_iter()
        .find_map(|m| match m {
            SimpleQueryMessage::Row(r) => Some(r.get(0).unwrap_or("NULL").to_string()),
            _ => None,
        })
        .expect("a row")
}

/// type, input, PostgreSQL's text output, binary bytes in hexadecimal ("" where they are not spelled out here).
const VALUES: &[(&str, &str, &str, &str)] = &[
    ("bool", "true", "t", "01"),
    ("int2", "-32768", "-32768", "8000"),
    ("int4", "2147483647", "2147483647", "7fffffff"),
    ("int8", "-9223372036854775808", "-9223372036854775808", "8000000000000000"),
    ("float4", "1.5", "1.5", "3fc00000"),
    ("float8", "-1e300", "-1e+300", ""),
    ("numeric", "12345678901234567890.0123", "12345678901234567890.0123", ""),
    ("numeric", "0.00", "0.00", "0000000000000002"),
    ("numeric", "NaN", "NaN", ""),
    ("text", "héllo", "héllo", "68c3a96c6c6f"),
    ("varchar(3)", "abc", "abc", "616263"),
    ("char(3)", "a", "a  ", "612020"),
    ("bytea", "\\x00ff", "\\x00ff", "00ff"),
    ("date", "2000-01-02", "2000-01-02", "00000001"),
    ("time", "00:00:00.000001", "00:00:00.000001", "0000000000000001"),
    ("timetz", "01:02:03+02", "01:02:03+02", ""),
    ("timestamp", "2000-01-01 00:00:01", "2000-01-01 00:00:01", "00000000000f4240"),
    ("timestamptz", "2000-01-01 00:00:00+00", "2000-01-01 00:00:00+00", "0000000000000000"),
    ("interval", "1 mon 2 days 03:00:00", "1 mon 2 days 03:00:00", "0000000283baec000000000200000001"),
    (
        "uuid",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc999c0b4ef8bb6d6bb9bd380a11",
    ),
    ("json", "{\"b\": 1, \"a\":2}", "{\"b\": 1, \"a\":2}", ""),
    ("jsonb", "{\"b\": 1, \"a\":2}", "{\"a\": 2, \"b\": 1}", ""),
    ("oid", "4294967295", "4294967295", "ffffffff"),
    ("int4[]", "{1,NULL,3}", "{1,NULL,3}", ""),
    ("text[]", "{a,\"b c\"}", "{a,\"b c\"}", ""),
];

#[tokio::test]
async fn every_type_in_both_formats() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("SET TimeZone = 'UTC'").await.unwrap();
    for (ty, input, text, hex) in VALUES {
        let literal = format!("'{}'::{ty}", input.replace('\'', "''"));
        assert_eq!(first(c.simple_query(&format!("SELECT {literal}")).await.unwrap()), *text, "{ty} as text");
        let row = c.query_one(&format!("SELECT {literal}"), &[]).await.unwrap();
        let raw: Raw = row.get(0);
        let got: String = raw.0.iter().map(|b| format!("{b:02x}")).collect();
        if !hex.is_empty() {
            assert_eq!(got, *hex, "{ty} in binary");
        }
        // Back in as a binary parameter, out in binary and as text.
        let row = c.query_one(&format!("SELECT $1::{ty}"), &[&raw]).await.unwrap_or_else(|e| panic!("{ty}: {e:?}"));
        assert_eq!(row.get::<_, Raw>(0), raw, "{ty} round trip");
        let row = c.query_one(&format!("SELECT ($1::{ty})::text"), &[&raw]).await.unwrap();
        // A boolean's cast says more than its output function; bpchar's drops the padding.
        let cast = if *ty == "bool" { "true" } else { text.trim_end() };
        assert_eq!(row.get::<_, &str>(0), cast, "{ty} parameter as text");
        let row = c.query_one(&format!("SELECT NULL::{ty}"), &[]).await.unwrap();
        assert_eq!(row.get::<_, Option<Raw>>(0), None);
    }
    server.stop();
}
#[tokio::test]
async fn prepared_and_pipelined() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, v text NOT NULL)").await.unwrap();
    let insert = c.prepare("INSERT INTO t VALUES ($1, $2)").await.unwrap();
    assert_eq!(insert.params(), &[Type::INT4, Type::TEXT]);
    // tokio-postgres pipelines requests that are polled together.
    let many = (0..200i32).map(|i| {
        let (c, insert) = (&c, &insert);
        async move { c.execute(insert, &[&i, &format!("v{i}")]).await }
    });
    for r in futures_util::future::join_all(many).await {
        assert_eq!(r.unwrap(), 1);
    }
    let select = c.prepare("SELECT v FROM t WHERE id = $1").await.unwrap();
    assert_eq!(select.columns()[0].name(), "v");
    for i in [0i32, 7, 199] {
        assert_eq!(c.query_one(&select, &[&i]).await.unwrap().get::<_, String>(0), format!("v{i}"));
    }
    assert!(c.query_opt(&select, &[&1000]).await.unwrap().is_none());
    // One failure in a pipeline does not touch its neighbours.
    let (a, b, d) =
        tokio::join!(c.query_one(&select, &[&1]), c.execute(&insert, &[&1, &"x"]), c.query_one(&select, &[&2]));
    assert_eq!(a.unwrap().get::<_, &str>(0), "v1");
    assert_eq!(code(&b.unwrap_err()), "23505");
    assert_eq!(d.unwrap().get::<_, &str>(0), "v2");
    // A portal in portions.
    let mut c = c;
    let tx = c.transaction().await.unwrap();
    let portal = tx.bind("SELECT id FROM t ORDER BY id", &[]).await.unwrap();
    let mut seen = Vec::new();
    loop {
        let rows = tx.query_portal(&portal, 70).await.unwrap();
        if rows.is_empty() {
            break;
        }
        assert!(rows.len() <= 70);
        seen.extend(rows.iter().map(|r| r.get::<_, i32>(0)));
    }
    assert_eq!(seen, (0..200).collect::<Vec<_>>());
    tx.commit().await.unwrap();
    server.stop();
}

#[tokio::test]
async fn copy_in_and_out() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int, v text)").await.unwrap();
    let sink = c.copy_in::<_, Bytes>("COPY t FROM STDIN").await.unwrap();
    let mut sink = Box::pin(sink);
    for chunk in 0..50 {
        let lines: String = (0..1000).map(|i| format!("{}\trow {i}\\tx\n", chunk * 1000 + i)).collect();
        sink.send(Bytes::from(lines)).await.unwrap();
    }
    assert_eq!(sink.as_mut().finish().await.unwrap(), 50_000);
    let out: Vec<_> = c
        .copy_out("COPY (SELECT * FROM t ORDER BY id) TO STDOUT (FORMAT csv)")
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    let text: Vec<u8> = out.iter().flat_map(|b| b.iter().copied()).collect();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.lines().count(), 50_000);
    assert_eq!(text.lines().nth(1234), Some("1234,row 234\tx"));
    // A bad line names its place and changes nothing.
    let mut sink = Box::pin(c.copy_in::<_, Bytes>("COPY t FROM STDIN").await.unwrap());
    sink.send(Bytes::from_static(b"1\tok\nx\tbad\n")).await.unwrap();
    let e = sink.as_mut().finish().await.unwrap_err();
    assert_eq!(code(&e), "22P02");
    assert_eq!(c.query_one("SELECT count(*) FROM t", &[]).await.unwrap().get::<_, i64>(0), 50_000);
    // A client that gives up.
    let sink = c.copy_in::<_, Bytes>("COPY t FROM STDIN").await.unwrap();
    drop(sink);
    assert_eq!(c.query_one("SELECT count(*) FROM t", &[]).await.unwrap().get::<_, i64>(0), 50_000);
    server.stop();
}

#[tokio::test]
async fn cancel_and_statement_timeout() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    let token = c.cancel_token();
    let waits = c.batch_execute("SELECT pg_sleep(30)");
    let cancels = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        token.cancel_query(NoTls).await.unwrap();
    };
    let (r, ()) = tokio::join!(waits, cancels);
    let e = r.unwrap_err();
    assert_eq!(
        (code(&e).as_str(), e.as_db_error().unwrap().message()),
        ("57014", "canceling statement due to user request")
    );
    c.batch_execute("SET statement_timeout = '100ms'").await.unwrap();
    let e = c.batch_execute("SELECT pg_sleep(30)").await.unwrap_err();
    assert_eq!(e.as_db_error().unwrap().message(), "canceling statement due to statement timeout");
    c.batch_execute("SET statement_timeout = 0; SELECT 1").await.unwrap();
    server.stop();
}

/// What a statement tells is heard while it runs, and one that tells without end is heard all along.
#[tokio::test]
async fn notices_leave_while_their_statement_runs() {
    let (server, _dir) = fresh(&[]);
    let (c, mut connection) = tokio_postgres::connect(&server.config(), NoTls).await.unwrap();
    let (send, mut heard) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(m)) = futures_util::future::poll_fn(|cx| connection.poll_message(cx)).await {
            if let tokio_postgres::AsyncMessage::Notice(n) = m {
                let _ = send.send(n.message().to_string());
            }
        }
    });
    let token = c.cancel_token();
    let runs = c.batch_execute("DO $$ BEGIN RAISE NOTICE 'here'; PERFORM pg_sleep(3600); END $$");
    let hears = async {
        assert_eq!(heard.recv().await.as_deref(), Some("here"));
        token.cancel_query(NoTls).await.unwrap();
    };
    let (r, ()) = tokio::join!(runs, hears);
    assert_eq!(code(&r.unwrap_err()), "57014");
    let token = c.cancel_token();
    let runs = c.batch_execute("DO $$ BEGIN LOOP RAISE NOTICE 'again'; END LOOP; END $$");
    let hears = async {
        for _ in 0..1000 {
            assert_eq!(heard.recv().await.as_deref(), Some("again"));
        }
        token.cancel_query(NoTls).await.unwrap();
    };
    let (r, ()) = tokio::join!(runs, hears);
    assert_eq!(code(&r.unwrap_err()), "57014");
    // Also before it waits for a table.
    let other = server.connect().await;
    other.batch_execute("CREATE TABLE held ()").await.unwrap();
    other.batch_execute("BEGIN; LOCK TABLE held").await.unwrap();
    let runs = c.batch_execute("DO $$ BEGIN RAISE NOTICE 'waits'; LOCK TABLE held; END $$");
    let hears = async {
        while heard.recv().await.as_deref() != Some("waits") {}
        other.batch_execute("COMMIT").await.unwrap();
    };
    let (r, ()) = tokio::join!(runs, hears);
    r.unwrap();
    server.stop();
}

/// What is sent behind the request to end a session is not answered, not even when it is empty.
#[tokio::test]
async fn nothing_is_answered_after_a_termination() {
    let (server, _dir) = fresh(&[]);
    let other = server.connect().await;
    for _ in 0..50 {
        let c = server.connect().await;
        let pid: i32 = c.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
        assert!(other.query_one("SELECT pg_terminate_backend($1)", &[&pid]).await.unwrap().get::<_, bool>(0));
        assert!(c.batch_execute(";").await.is_err());
    }
    server.stop();
}

#[tokio::test]
async fn lock_waits_and_disconnects() {
    let (server, _dir) = fresh(&[]);
    let (a, c) = (server.connect().await, server.connect().await);
    let (b, b_connection) = tokio_postgres::connect(&server.config(), NoTls).await.unwrap();
    let b_connection = tokio::spawn(b_connection);
    a.batch_execute("CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0)").await.unwrap();
    a.batch_execute("BEGIN; UPDATE t SET v = 1 WHERE id = 1").await.unwrap();
    // b waits for a, and leaves: its wait must not block c once a is done.
    let waiting = tokio::time::timeout(Duration::from_millis(200), b.batch_execute("UPDATE t SET v = 2 WHERE id = 1"));
    assert!(waiting.await.is_err(), "b waits");
    // Dropping the client alone would wait for the answer.
    b_connection.abort();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let waits = c.batch_execute("UPDATE t SET v = v + 10 WHERE id = 1");
    let commits = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        a.batch_execute("COMMIT").await.unwrap();
    };
    let (r, ()) = tokio::join!(waits, commits);
    r.unwrap();
    let v: i32 = c.query_one("SELECT v FROM t", &[]).await.unwrap().get(0);
    assert_eq!(v, 11);
    // idle_in_transaction_session_timeout ends the session that holds a lock.
    a.batch_execute("SET idle_in_transaction_session_timeout = '200ms'; BEGIN; UPDATE t SET v = 5").await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), c.batch_execute("UPDATE t SET v = 6")).await.expect("freed").unwrap();
    assert!(a.batch_execute("SELECT 1").await.is_err());
    server.stop();
}

/// Both idle timeouts end the connection, each in its own words.
#[tokio::test]
async fn idle_timeouts_say_which() {
    let (server, _dir) = fresh(&[]);
    for (sql, code, what) in [
        ("SET idle_session_timeout = '100ms'", "57P05", "idle-session"),
        ("SET idle_in_transaction_session_timeout = '100ms'; BEGIN", "25P03", "idle-in-transaction"),
    ] {
        let (client, connection) = tokio_postgres::connect(&server.config(), tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        let e = tokio::time::timeout(Duration::from_secs(20), connection).await.expect("ends").unwrap().unwrap_err();
        let d = e.as_db_error().expect("a message before the end");
        assert_eq!((d.code().code(), d.severity()), (code, "FATAL"));
        assert_eq!(d.message(), format!("terminating connection due to {what} timeout"));
    }
    server.stop();
}

#[tokio::test]
async fn errors_carry_their_fields() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, n int CONSTRAINT positive CHECK (n > 0))").await.unwrap();
    let e = c.batch_execute("SELECT nope FROM t").await.unwrap_err();
    let d = e.as_db_error().unwrap();
    assert_eq!((d.code().code(), d.message(), d.severity()), ("42703", "column \"nope\" does not exist", "ERROR"));
    assert_eq!(d.position(), Some(&tokio_postgres::error::ErrorPosition::Original(8)));
    assert_eq!((d.file(), d.routine()), (Some("scope.rs"), Some("scope")), "the file and module that made it");
    assert!(d.line().is_some_and(|n| n > 0));
    let e = c.batch_execute("INSERT INTO t VALUES (1, -1)").await.unwrap_err();
    let d = e.as_db_error().unwrap();
    assert_eq!(
        (d.code().code(), d.constraint(), d.table(), d.schema()),
        ("23514", Some("positive"), Some("t"), Some("public"))
    );
    c.batch_execute("INSERT INTO t VALUES (1, 1)").await.unwrap();
    let e = c.batch_execute("INSERT INTO t VALUES (1, 1)").await.unwrap_err();
    assert_eq!(e.as_db_error().unwrap().detail(), Some("Key (id)=(1) already exists."));
    for (sql, want) in [
        ("SELECT 1/0", "22012"),
        ("SELEC 1", "42601"),
        ("SELECT * FROM missing", "42P01"),
        ("SELECT 'x'::int", "22P02"),
    ] {
        assert_eq!(code(&c.batch_execute(sql).await.unwrap_err()), want, "{sql}");
        assert_eq!(code(&c.query(sql, &[]).await.unwrap_err()), want, "{sql}, extended");
    }
    // In a failed block everything but its end is refused.
    c.batch_execute("BEGIN").await.unwrap();
    assert!(c.batch_execute("SELECT 1/0").await.is_err());
    assert_eq!(code(&c.query("SELECT 1", &[]).await.unwrap_err()), "25P02");
    c.batch_execute("ROLLBACK; SELECT 1").await.unwrap();
    let e = tokio_postgres::connect(&server.config().replace("dbname=postgres", "dbname=nope"), NoTls)
        .await
        .err()
        .expect("refused");
    assert_eq!(code(&e), "3D000");
    server.stop();
}

/// What Describe says of a statement whose tables somebody is changing holds at Execute: Parse waits.
#[tokio::test]
async fn parse_waits_for_ddl() {
    let (server, _dir) = fresh(&[]);
    let (ddl, reader) = (server.connect().await, std::sync::Arc::new(server.connect().await));
    ddl.batch_execute("create table changing (a int); insert into changing values (1)").await.expect("table");
    for (change, columns) in [
        ("alter table changing add column b text default 'x'", 2),
        ("alter table changing alter column a type bigint", 2),
        ("alter table changing drop column b", 1),
    ] {
        ddl.batch_execute("begin").await.expect("begin");
        ddl.batch_execute(change).await.expect(change);
        let waiting = tokio::spawn({
            let reader = reader.clone();
            async move {
                let s = reader.prepare("select * from changing").await?;
                let rows = reader.query(&s, &[]).await?;
                Ok::<_, tokio_postgres::Error>((s.columns().len(), rows.len()))
            }
        });
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert!(!waiting.is_finished(), "Parse does not wait for: {change}");
        ddl.batch_execute("commit").await.expect("commit");
        assert_eq!(waiting.await.expect("reader").expect("select"), (columns, 1), "{change}");
    }
    server.stop();
}

/// Statements that run another one, through Parse, Bind and Execute: the client's formats and parameters are the inner one's.
#[tokio::test]
async fn statements_within_statements() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 10), (2, 20)").await.unwrap();
    c.batch_execute("PREPARE p (int) AS SELECT id, n, 'x'::text FROM t WHERE n > $1 ORDER BY id").await.unwrap();
    let rows = c.query("EXECUTE p(5)", &[]).await.unwrap();
    let got: Vec<(i32, i32, String)> = rows.iter().map(|r| (r.get(0), r.get(1), r.get(2))).collect();
    assert_eq!(got, [(1, 10, "x".to_string()), (2, 20, "x".to_string())]);
    c.batch_execute("PREPARE q AS UPDATE t SET n = n + 1 RETURNING n").await.unwrap();
    let got: Vec<i32> = c.query("EXECUTE q", &[]).await.unwrap().iter().map(|r| r.get(0)).collect();
    assert_eq!(got, [11, 21]);
    // The connection has not lost its place among the messages.
    assert_eq!(c.query_one("SELECT 7", &[]).await.unwrap().get::<_, i32>(0), 7);
    for sql in ["EXPLAIN SELECT * FROM t WHERE id = $1", "EXPLAIN (ANALYZE) UPDATE t SET n = 0 WHERE id = $1"] {
        let lines = c.query(sql, &[&2i32]).await.unwrap();
        assert!(lines.iter().any(|r| r.get::<_, String>(0).contains("t_pkey")), "{sql}");
        let prepared = c.prepare(sql).await.unwrap();
        assert_eq!(prepared.params(), [tokio_postgres::types::Type::INT4]);
    }
    let n: i32 = c.query_one("SELECT n FROM t WHERE id = 2", &[]).await.unwrap().get(0);
    assert_eq!(n, 0, "EXPLAIN ANALYZE has run it with the parameter's value");
    assert_eq!(code(&c.batch_execute("EXPLAIN SELECT * FROM t WHERE id = $1").await.unwrap_err()), "42P02");
    assert_eq!(code(&c.batch_execute("SELECT * FROM t WHERE id = $1 AND false").await.unwrap_err()), "42P02");
    c.batch_execute("BEGIN; DECLARE k CURSOR FOR SELECT id FROM t ORDER BY id").await.unwrap();
    let got: Vec<i32> = c.query("FETCH 2 FROM k", &[]).await.unwrap().iter().map(|r| r.get(0)).collect();
    assert_eq!(got, [1, 2]);
    c.batch_execute("ROLLBACK").await.unwrap();
    // A cursor keeps the parameters that its declaration was bound with, of the types that its query gives them.
    let declare =
        c.prepare("DECLARE k CURSOR WITH HOLD FOR SELECT id, $2 FROM t WHERE id >= $1 ORDER BY id").await.unwrap();
    assert_eq!(declare.params(), [Type::INT4, Type::TEXT]);
    for least in [2i32, 1] {
        c.batch_execute("BEGIN").await.unwrap();
        c.execute(&declare, &[&least, &"kept"]).await.unwrap();
        let read =
            |rows: Vec<tokio_postgres::Row>| rows.iter().map(|r| (r.get(0), r.get(1))).collect::<Vec<(i32, String)>>();
        assert_eq!(read(c.query("FETCH 1 FROM k", &[]).await.unwrap()), [(least, "kept".into())]);
        c.batch_execute("COMMIT").await.unwrap();
        if least == 1 {
            assert_eq!(read(c.query("FETCH 1 FROM k", &[]).await.unwrap()), [(2, "kept".into())]);
        }
        c.batch_execute("CLOSE k").await.unwrap();
    }
    assert_eq!(code(&c.batch_execute("DECLARE k CURSOR WITH HOLD FOR SELECT $1::int").await.unwrap_err()), "42P02");
    // Drivers look at the routine to know that they may prepare again.
    let s = c.prepare("SELECT * FROM t").await.unwrap();
    c.batch_execute("ALTER TABLE t ADD COLUMN more text").await.unwrap();
    let e = c.query(&s, &[]).await.unwrap_err();
    let d = e.as_db_error().unwrap();
    assert_eq!((d.code().code(), d.routine()), ("0A000", Some("RevalidateCachedQuery")));
    server.stop();
}

#[tokio::test]
async fn large_results_stream() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    let stream = c
        .query_raw("SELECT i, repeat('x', 1000) FROM generate_series(1, 20000) AS g(i)", Vec::<i32>::new())
        .await
        .unwrap();
    let mut stream = Box::pin(stream);
    let mut n = 0i64;
    while let Some(row) = stream.next().await {
        let row = row.unwrap();
        assert_eq!(row.get::<_, &str>(1).len(), 1000);
        n += 1;
    }
    assert_eq!(n, 20_000);
    server.stop();
}

/// Whatever is nested, the answer is rows or 54001: a coroutine's stack has an end.
#[tokio::test]
async fn deep_statements_do_not_end_the_server() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    let deep = [
        format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("SELECT {}", vec!["1"; 20_000].join("+")),
        format!("SELECT 1 WHERE {}", vec!["1=2"; 5000].join(" OR ")),
        format!("SELECT {}1{}", "abs(".repeat(2000), ")".repeat(2000)),
        format!("SELECT * FROM {}(SELECT 1) x{}", "(SELECT * FROM ".repeat(300), ") x".repeat(300)),
        vec!["SELECT 1"; 1000].join(" UNION ALL "),
        vec!["SELECT 1"; 3000].join(" UNION ALL "),
        format!("SELECT {}true", "not ".repeat(5000)),
    ];
    for sql in &deep {
        if let Err(e) = c.batch_execute(sql).await {
            assert!(matches!(code(&e).as_str(), "54001" | "42601"), "{}: {e:?}", &sql[..60]);
        }
        assert_eq!(c.query_one("SELECT 1", &[]).await.unwrap().get::<_, i32>(0), 1);
    }
    server.stop();
}

/// CALL with parameters: a statement's parameters have the types that the procedure takes, whatever stands for OUT; PostgreSQL's own answers.
#[tokio::test]
async fn procedures_with_parameters() {
    const PROCEDURES: &str = "
        CREATE PROCEDURE p(INOUT a int, INOUT b text) LANGUAGE plpgsql AS $$ BEGIN a := a + 1; b := b || '!'; END $$;
        CREATE PROCEDURE q(a int, OUT b int) LANGUAGE plpgsql AS $$ BEGIN b := a * 2; END $$;
        CREATE PROCEDURE o(INOUT a int) LANGUAGE plpgsql AS $$ BEGIN a := a + 1; END $$;
        CREATE PROCEDURE o(INOUT a text) LANGUAGE plpgsql AS $$ BEGIN a := a || '1'; END $$;
        CREATE PROCEDURE d(a int, b int DEFAULT 5, INOUT c int DEFAULT 9) LANGUAGE plpgsql AS $$ BEGIN c := a + b + c; END $$;
        CREATE FUNCTION f(a int, OUT b int) LANGUAGE sql AS 'SELECT a'";
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute(PROCEDURES).await.unwrap();
    for (call, declared, params, columns) in [
        ("CALL p($1, $2)", &[][..], &[Type::INT4, Type::TEXT][..], &[Type::INT4, Type::TEXT][..]),
        ("CALL p($1, $2)", &[Type::INT2], &[Type::INT2, Type::TEXT], &[Type::INT4, Type::TEXT]),
        ("CALL q($1, $2)", &[], &[Type::INT4, Type::INT4], &[Type::INT4]),
        ("CALL q($1, $2)", &[Type::INT4, Type::VOID], &[Type::INT4, Type::INT4], &[Type::INT4]),
        ("CALL q(b => NULL, a => $1)", &[], &[Type::INT4], &[Type::INT4]),
        ("CALL o($1)", &[], &[Type::TEXT], &[Type::TEXT]),
        ("CALL o($1)", &[Type::INT4], &[Type::INT4], &[Type::INT4]),
        ("CALL o($1 + 1)", &[], &[Type::INT4], &[Type::INT4]),
        ("CALL d($1, c => $2)", &[], &[Type::INT4, Type::INT4], &[Type::INT4]),
        ("CALL d($1)", &[], &[Type::INT4], &[Type::INT4]),
    ] {
        let s = c.prepare_typed(call, declared).await.unwrap();
        assert_eq!(s.params(), params, "{call} of {declared:?}");
        assert_eq!(s.columns().iter().map(|c| c.type_().clone()).collect::<Vec<_>>(), columns, "{call}");
    }
    let row = c.query_one("CALL p($1, $2)", &[&7i32, &"w"]).await.unwrap();
    assert_eq!((row.get::<_, i32>(0), row.get::<_, &str>(1)), (8, "w!"));
    assert_eq!(c.query_one("CALL q($1, $2)", &[&7i32, &None::<i32>]).await.unwrap().get::<_, i32>(0), 14);
    assert_eq!(c.query_one("CALL d($1)", &[&7i32]).await.unwrap().get::<_, i32>(0), 21);
    for (call, declared, message) in [
        ("CALL p($1, $2)", &[Type::TEXT, Type::TEXT][..], "42883 procedure p(text, text) does not exist"),
        ("CALL q($1, $2)", &[Type::INT4, Type::TEXT], "42883 procedure q(integer, text) does not exist"),
        ("CALL q($1)", &[], "42883 procedure q(unknown) does not exist"),
        ("CALL o($2)", &[], "42P18 could not determine data type of parameter $1"),
        ("CALL f($1)", &[], "42883 procedure f(unknown) does not exist"),
        ("CALL abs($1)", &[Type::INT4], "42809 abs(integer) is not a procedure"),
    ] {
        let e = c.prepare_typed(call, declared).await.expect_err(call);
        let e = e.as_db_error().unwrap();
        assert_eq!(format!("{} {}", e.code().code(), e.message()), message);
    }
    assert_eq!(code(&c.batch_execute("CALL o($1)").await.unwrap_err()), "42P02");
    server.stop();
}

/// Parameters of type void are none of a function's arguments, wherever it is called.
#[tokio::test]
async fn parameters_of_type_void() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute(
        "CREATE FUNCTION f(a int, OUT b int, OUT c int) LANGUAGE sql AS 'SELECT a, a + 1';
         CREATE FUNCTION g(a int) RETURNS SETOF int LANGUAGE sql AS 'SELECT a'",
    )
    .await
    .unwrap();
    for (call, columns) in [
        ("SELECT * FROM f($1, $2, $3) AS result", "b int4, c int4"),
        ("SELECT * FROM f($2, a => $1, b => $3)", "b int4, c int4"),
        ("SELECT * FROM g($1, $2, $3) AS result", "result int4"),
        ("SELECT * FROM ROWS FROM (g($1, $2), g($3, $1)) AS result", "g int4, g int4"),
        ("SELECT abs($1, $2, $3)", "abs int4"),
        ("SELECT max($1, $2, $3)", "max int4"),
    ] {
        let s = c.prepare_typed(call, &[Type::INT4, Type::VOID, Type::VOID]).await.expect(call);
        let got: Vec<String> = s.columns().iter().map(|c| format!("{} {}", c.name(), c.type_())).collect();
        assert_eq!(got.join(", "), columns, "{call}");
    }
    server.stop();
}

/// Fields of a domain have the domain's OID in a composite value's binary form; values that name what it is over are read as well, as PostgreSQL does.
#[tokio::test]
async fn fields_of_domains_in_binary() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute(
        "CREATE DOMAIN d AS int; CREATE TYPE comp AS (a d, b d[]); CREATE TABLE t (a d, b d[]);
         INSERT INTO t VALUES (1, '{2}')",
    )
    .await
    .unwrap();
    let oid = |name: &'static str| {
        let sql = format!("SELECT oid FROM pg_type WHERE typname = '{name}'");
        let c = &c;
        async move { c.query_one(&sql, &[]).await.unwrap().get::<_, u32>(0) }
    };
    let (d, array) = (oid("d").await, oid("_d").await);
    let value = |field: u32, items: u32| {
        let words = [2, field, 4, 1, array, 28, 1, 0, items, 1, 1, 4, 2];
        words.iter().flat_map(|w| w.to_be_bytes()).collect::<Vec<u8>>()
    };
    for sql in ["SELECT row(1, '{2}')::comp", "SELECT t FROM t"] {
        assert_eq!(c.query_one(sql, &[]).await.unwrap().get::<_, Raw>(0).0, value(d, d), "{sql}");
    }
    for (field, items) in [(d, d), (23, d), (d, 23)] {
        let row = c.query_one("SELECT ($1::comp)::text", &[&Raw(value(field, items))]).await.unwrap();
        assert_eq!(row.get::<_, &str>(0), "(1,{2})");
    }
    server.stop();
}

/// One connection, message by message, with the settings that it was told.
struct Wire(std::io::BufReader<std::net::TcpStream>, Vec<(String, String)>);
impl Wire {
    fn connect(port: u16) -> Wire {
        Wire::connect_as(port, "postgres")
    }
    fn connect_as(port: u16, user: &str) -> Wire {
        let socket = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut w = Wire(std::io::BufReader::new(socket), Vec::new());
        let body = format!("user\0{user}\0database\0postgres\0\0");
        let body = [&196_608i32.to_be_bytes()[..], body.as_bytes()].concat();
        w.write(&[&(body.len() as i32 + 4).to_be_bytes()[..], &body].concat());
        w.until_ready();
        w
    }
    fn write(&mut self, bytes: &[u8]) {
        use std::io::Write;
        self.0.get_mut().write_all(bytes).unwrap();
    }
    fn send(&mut self, kind: u8, body: &str) {
        self.write(&[&[kind][..], &(body.len() as i32 + 4).to_be_bytes(), body.as_bytes()].concat());
    }
    /// The answer's messages up to ReadyForQuery: kinds, with an error's SQLSTATE and the status behind.
    fn until_ready(&mut self) -> String {
        use std::io::Read;
        let mut out = String::new();
        loop {
            let mut head = [0; 5];
            self.0.read_exact(&mut head).unwrap();
            let mut body = vec![0; i32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize - 4];
            self.0.read_exact(&mut body).unwrap();
            out.push(head[0] as char);
            let code = |f: &&[u8]| f.first() == Some(&b'C');
            match head[0] {
                b'E' => out.extend(body.split(|b| *b == 0).find(code).unwrap()[1..].iter().map(|b| *b as char)),
                b'S' => {
                    let text = String::from_utf8(body).unwrap();
                    let mut parts = text.split('\0').map(str::to_string);
                    self.1.push((parts.next().unwrap(), parts.next().unwrap()));
                }
                b'Z' => return out + if body == b"I" { "" } else { "+" },
                _ => {}
            }
        }
    }
}

/// Clients are told whether their role is a superuser: when they log in, and whenever it is another one.
#[tokio::test]
async fn superusers_are_told() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE ROLE plain LOGIN; CREATE ROLE boss LOGIN SUPERUSER").await.unwrap();
    let told = |w: &mut Wire, sql: &str| {
        w.send(b'Q', &format!("{sql}\0"));
        w.until_ready();
        std::mem::take(&mut w.1).into_iter().find(|s| s.0 == "is_superuser").map(|s| s.1)
    };
    let mut w = Wire::connect_as(server.port, "plain");
    assert_eq!(told(&mut w, "SELECT 1").as_deref(), Some("off"));
    let mut w = Wire::connect_as(server.port, "boss");
    for (sql, want) in [
        ("SELECT 1", Some("on")),
        ("SET ROLE plain", Some("off")),
        ("SET search_path = public", None),
        ("RESET ROLE", Some("on")),
        ("SET SESSION AUTHORIZATION plain", Some("off")),
        ("SET ROLE NONE", None),
        ("RESET SESSION AUTHORIZATION", Some("on")),
        ("BEGIN; SAVEPOINT s", None),
        ("SET ROLE plain", Some("off")),
        ("ROLLBACK TO s", Some("on")),
        ("SET LOCAL ROLE plain", Some("off")),
        ("COMMIT", Some("on")),
    ] {
        assert_eq!(told(&mut w, sql).as_deref(), want, "{sql}");
    }
    c.batch_execute("SET ROLE plain").await.unwrap();
    assert_eq!(first(c.simple_query("SHOW is_superuser").await.unwrap()), "off");
    server.stop();
}

/// statement_timeout runs from the first message of the extended protocol to the end of Execute, Sync or an error, whatever the client waits for between: PostgreSQL's own answers.
#[test]
fn statement_timeout_runs_between_messages() {
    const WAIT: (u8, &str) = (0, "");
    const PARSE: (u8, &str) = (b'P', "\0select 1\0\0\0");
    const BIND: (u8, &str) = (b'B', "\0\0\0\0\0\0\0\0");
    const EXECUTE: (u8, &str) = (b'E', "\0\0\0\0\0");
    const TWO_ROWS: (u8, &str) = (b'E', "\0\0\0\0\u{2}");
    const DESCRIBE: (u8, &str) = (b'D', "S\0");
    const SYNC: (u8, &str) = (b'S', "");
    let (server, _dir) = fresh(&[]);
    let mut w = Wire::connect(server.port);
    w.send(b'Q', "set statement_timeout = 300\0");
    assert_eq!(w.until_ready(), "CZ");
    let series = (b'P', "\0select generate_series(1, 9)\0\0\0");
    let late = "1E57014Z";
    for (messages, answer) in [
        (&[PARSE, WAIT, DESCRIBE, BIND, EXECUTE, SYNC][..], late),
        (&[PARSE, WAIT, SYNC], late),
        (&[PARSE, WAIT, PARSE, SYNC], late),
        (&[PARSE, WAIT, (b'C', "S\0"), SYNC], late),
        (&[PARSE, BIND, WAIT, (b'D', "P\0"), EXECUTE, SYNC], "12E57014Z"),
        (&[PARSE, BIND, WAIT, EXECUTE, SYNC], "12E57014Z"),
        (&[PARSE, BIND, EXECUTE, WAIT, PARSE, BIND, EXECUTE, SYNC], "12DC12DCZ"),
        (&[series, BIND, TWO_ROWS, WAIT, TWO_ROWS, SYNC], "12DDsE57014Z"),
        (&[(b'P', "\0begin\0\0\0"), BIND, EXECUTE, WAIT, PARSE, BIND, EXECUTE, SYNC], "12C12DCZ+"),
        (&[PARSE, WAIT, BIND, SYNC], "1E57014Z+"),
        (&[(b'P', "\0rollback\0\0\0"), BIND, EXECUTE, SYNC], "12CZ"),
        (&[(b'P', "\0select x\0\0\0"), WAIT, PARSE, SYNC], "E42703Z"),
        (&[(b'P', "\0\0\0\0"), BIND, EXECUTE, WAIT, PARSE, SYNC], "12IE57014Z"),
        (&[(b'P', "\0select pg_sleep(0.2)\0\0\0"), BIND, EXECUTE, BIND, EXECUTE, SYNC], "12DC2DCZ"),
        (&[PARSE, WAIT, (b'Q', "select 5\0")], late),
        (&[SYNC], "Z"),
    ] {
        for (kind, body) in messages {
            match kind {
                0 => std::thread::sleep(Duration::from_millis(400)),
                kind => w.send(*kind, body),
            }
        }
        let text: String = messages.iter().map(|m| m.0.max(b'.') as char).collect();
        assert_eq!(w.until_ready(), answer, "{text}");
    }
    server.stop();
}

/// Text in the client's encoding, both ways, in both formats, and in COPY.
#[tokio::test]
async fn client_encodings() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    c.batch_execute("CREATE TABLE t (v text); SET client_encoding = 'iso-8859-1'").await.unwrap();
    assert_eq!(first(c.simple_query("SHOW client_encoding").await.unwrap()), "LATIN1");
    let both = "SELECT chr(228) || $1::text, $2::jsonb ->> 'a'";
    let given = (Raw(b"\xf6".to_vec()), Raw(b"\x01{\"a\":\"\xfc\"}".to_vec()));
    let r = c.query_one(both, &[&given.0, &given.1]).await.unwrap();
    assert_eq!((r.get::<_, Raw>(0).0, r.get::<_, Raw>(1).0), (b"\xe4\xf6".to_vec(), b"\xfc".to_vec()));
    // What is no text goes as it is.
    let r = c.query_one("SELECT 228::int4, '\\xe4'::bytea, NULL::text", &[]).await.unwrap();
    assert_eq!((r.get::<_, i32>(0), r.get::<_, Raw>(1).0, r.get::<_, Option<Raw>>(2)), (228, b"\xe4".to_vec(), None));
    let e = c.query_one("SELECT chr(8364)", &[]).await.unwrap_err();
    assert_eq!(code(&e), "22P05");

    let sink = c.copy_in("COPY t FROM STDIN").await.unwrap();
    futures_util::pin_mut!(sink);
    sink.send(Bytes::from_static(b"a\xe4\nb")).await.unwrap();
    sink.send(Bytes::from_static(b"\xfc\n")).await.unwrap();
    assert_eq!(sink.finish().await.unwrap(), 2);
    assert_eq!(
        first(c.simple_query("SELECT count(*) FROM t WHERE v IN ('a' || chr(228), 'b' || chr(252))").await.unwrap()),
        "2"
    );
    let all = |sql: &'static str| {
        let c = &c;
        async move {
            let out = c.copy_out(sql).await.unwrap();
            out.try_fold(Vec::new(), |mut all, b| async move {
                all.extend_from_slice(&b);
                Ok(all)
            })
            .await
            .unwrap()
        }
    };
    assert_eq!(all("COPY (SELECT v FROM t ORDER BY v) TO STDOUT").await, b"a\xe4\nb\xfc\n");
    assert_eq!(all("COPY (SELECT chr(228)) TO STDOUT (ENCODING 'utf8')").await, "ä\n".as_bytes());
    assert_eq!(all("COPY (SELECT chr(12477) || '\\') TO STDOUT (ENCODING 'sjis')").await, b"\x83\x5c\\\\\n");

    // As any setting it comes back with the transaction's end.
    let sent = || async { c.query_one("SELECT chr(228)", &[]).await.unwrap().get::<_, Raw>(0).0 };
    c.batch_execute("BEGIN; SET LOCAL client_encoding = 'UTF8'").await.unwrap();
    assert_eq!(sent().await, "ä".as_bytes());
    c.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(sent().await, b"\xe4");
    c.batch_execute("SET client_encoding = 'EUC_KR'").await.unwrap();
    let e = c.query_one("SELECT $1::text", &[&Raw(b"\xff".to_vec())]).await.unwrap_err();
    assert_eq!(code(&e), "22021");
    c.batch_execute("RESET client_encoding").await.unwrap();
    assert_eq!(sent().await, "ä".as_bytes());
    server.stop();
}

/// COPY with files of the server.
#[tokio::test]
async fn copy_with_server_files() {
    let (server, _dir) = fresh(&[]);
    let c = server.connect().await;
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    c.batch_execute(
        "CREATE TABLE t (a int, b text); INSERT INTO t SELECT i, repeat('x', i % 50) FROM generate_series(1, 20000) i",
    )
    .await
    .unwrap();
    for options in ["", " WITH (FORMAT csv, HEADER)", " WITH (FORMAT binary)"] {
        let file = path("file");
        let n = c.execute(&format!("COPY t TO '{file}'{options}"), &[]).await.unwrap();
        assert_eq!(n, 20000);
        c.batch_execute("CREATE TABLE u (a int, b text)").await.unwrap();
        let n = c.execute(&format!("COPY u FROM '{file}'{options}"), &[]).await.unwrap();
        assert_eq!(n, 20000);
        let same = "SELECT count(*) FROM (SELECT * FROM t EXCEPT ALL SELECT * FROM u) s";
        assert_eq!(first(c.simple_query(same).await.unwrap()), "0");
        c.batch_execute("DROP TABLE u").await.unwrap();
    }
    let name = path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&name).status().unwrap().success());
    let refused = |sql: String| {
        let c = &c;
        async move { code(&c.batch_execute(&sql).await.unwrap_err()) }
    };
    assert_eq!(refused(format!("COPY t FROM '{name}'")).await, "0A000", "a pipe may keep its reader waiting");
    assert_eq!(refused(format!("COPY t FROM '{}'", dir.path().display())).await, "42809");
    assert_eq!(refused(format!("COPY t FROM '{}'", path("nothing"))).await, "58P01");
    assert_eq!(refused("COPY t TO 'relative'".into()).await, "42602");
    assert_eq!(refused("COPY t TO PROGRAM 'cat'".into()).await, "0A000");
    server.stop();
}
