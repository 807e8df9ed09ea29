//! The protocol over real sockets, with a session that needs no database.
use crate::server::{Config, Server};
use crate::service::{QueryHandler, Service};
use pamir_net::Pace;
use pamir_sql::client::{Client, Field};
use pamir_sql::session::{Description, ExecuteOutcome};
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::task;
use pamir_txn::{Cancel, MemoryAccount};
use pamir_types::{Datum, Oid, Result, Type, err};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// A gate that statements wait at until somebody opens it.
#[derive(Default)]
struct Gate {
    open: bool,
    waiting: Vec<Waker>,
}
#[derive(Default)]
struct Fake {
    gate: Mutex<Gate>,
    sessions: Mutex<HashMap<i32, Arc<Cancel>>>,
    next: AtomicI32,
    dropped: AtomicUsize,
    verifier: Option<String>,
}
struct FakeSession {
    db: Arc<Fake>,
    pid: i32,
    cancel: Arc<Cancel>,
    status: u8,
}
impl Drop for FakeSession {
    fn drop(&mut self) {
        self.db.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

impl Service for Fake {
    type Session = FakeSession;
    fn start(
        this: &Arc<Self>,
        params: &[(String, String)],
        _: Option<pamir_sql::client::Peer>,
        client: &mut dyn Client,
    ) -> Result<FakeSession> {
        let database = &params.iter().find(|p| p.0 == "database").unwrap().1;
        if database == "nope" {
            return Err(err!(INVALID_CATALOG_NAME, "database \"nope\" does not exist"));
        }
        client.parameter_status("server_version", "15.0");
        let pid = this.next.fetch_add(1, Ordering::SeqCst) + 1;
        let cancel = Arc::new(Cancel::default());
        this.sessions.lock().insert(pid, cancel.clone());
        Ok(FakeSession { db: this.clone(), pid, cancel, status: b'I' })
    }
    fn cancel(&self, pid: i32, secret: i32) -> bool {
        let found = self.sessions.lock().get(&pid).filter(|_| secret == -pid).cloned();
        found.inspect(|c| c.request(pamir_txn::CancelReason::User)).is_some()
    }
    fn verifier(&self, role: &str) -> Result<Option<String>> {
        if role == "ghost" {
            return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "role \"ghost\" does not exist"));
        }
        Ok(self.verifier.clone())
    }
    fn is_superuser(&self, role: &str) -> bool {
        role == "postgres"
    }
    fn mock_secret(&self) -> [u8; 32] {
        [1; 32]
    }
    fn memory(&self) -> Option<Arc<MemoryAccount>> {
        None
    }
    type Luggage = ();
    fn pack(&self) {}
    fn unpack(&self, (): ()) {}
}

impl FakeSession {
    fn rows(&self, n: usize, width: usize, client: &mut dyn Client) -> Result<()> {
        let text = Datum::from("x".repeat(width));
        for i in 0..n {
            client.begin_row(3);
            client.datum(&Datum::Int4(i as i32 - 1), Type::INT4);
            client.datum(&text, Type::TEXT);
            client.null();
            client.end_row()?;
        }
        client.command_complete(&format!("SELECT {n}"));
        Ok(())
    }
}
impl QueryHandler for FakeSession {
    fn key(&self) -> (i32, i32) {
        (self.pid, -self.pid)
    }
    fn cancel_handle(&self) -> Arc<Cancel> {
        self.cancel.clone()
    }
    fn status(&self) -> u8 {
        self.status
    }
    fn simple_query(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        self.cancel.reset();
        let words: Vec<&str> = sql.split(' ').collect();
        match words.as_slice() {
            ["rows", n, width] => self.rows(n.parse().unwrap(), width.parse().unwrap(), client),
            ["begin"] => {
                self.status = b'T';
                client.command_complete("BEGIN");
                Ok(())
            }
            ["wait"] => {
                let cancel = self.cancel.clone();
                task::wait(None, |w| {
                    cancel.register(w);
                    if let Err(e) = cancel.check() {
                        return Poll::Ready(Err(e));
                    }
                    let mut gate = self.db.gate.lock();
                    if gate.open {
                        Poll::Ready(Ok(()))
                    } else {
                        gate.waiting.push(w.clone());
                        Poll::Pending
                    }
                })
                .unwrap()?;
                client.command_complete("WAIT");
                Ok(())
            }
            ["sleep", ms] => {
                task::sleep(Duration::from_millis(ms.parse().unwrap()), |_| false);
                client.command_complete("SLEEP");
                Ok(())
            }
            ["yield"] => {
                (0..10).for_each(|_| task::yield_now());
                client.command_complete("YIELD");
                Ok(())
            }
            ["copy"] => {
                client.copy_in_begin(false, 1)?;
                let mut data = Vec::new();
                while client.copy_in_read(&mut data)? {}
                client.command_complete(&format!("COPY {}", data.len()));
                Ok(())
            }
            ["panic"] => panic!("on purpose"),
            [""] => {
                client.empty_query();
                Ok(())
            }
            _ => Err(err!(SYNTAX_ERROR, "syntax error at \"{sql}\"").hint("Try another.").at(Some(1))),
        }
    }
    fn parse(&mut self, _: &str, sql: &str, _: &[Oid], _: &mut dyn Client) -> Result<()> {
        if sql == "bad" { Err(err!(SYNTAX_ERROR, "bad")) } else { Ok(()) }
    }
    fn bind(
        &mut self,
        _: &str,
        _: &str,
        _: &[i16],
        values: &[Option<&[u8]>],
        formats: &[i16],
        client: &mut dyn Client,
    ) -> Result<()> {
        assert_eq!(values.first(), Some(&Some(&b"42"[..])));
        client.set_formats(formats, &[]);
        Ok(())
    }
    fn describe_statement(&mut self, _: &str) -> Result<Description<'_>> {
        Ok(Description { params: &[25], fields: None })
    }
    fn describe_portal(&mut self, _: &str) -> Result<Option<(&[Field], &[i16])>> {
        Ok(None)
    }
    fn execute(&mut self, _: &str, max_rows: u64, client: &mut dyn Client) -> Result<ExecuteOutcome> {
        self.rows(max_rows as usize, 3, client)?;
        Ok(ExecuteOutcome::Sent)
    }
    fn close_statement(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn close_portal(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn sync(&mut self, _: &mut dyn Client) -> Result<()> {
        Ok(())
    }
    fn fail(&mut self, _: &pamir_types::Error) {}
    fn idle_timeout(&self) -> Option<Duration> {
        (self.status == b'T').then_some(Duration::from_millis(100))
    }
    fn idle_timeout_error(&self) -> pamir_types::Error {
        pamir_types::err!(
            IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            "terminating connection due to idle-in-transaction timeout"
        )
    }
}

// ---- a client ----

fn msg(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut v = vec![kind];
    v.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
    v.extend_from_slice(body);
    v
}
fn query(sql: &str) -> Vec<u8> {
    msg(b'Q', format!("{sql}\0").as_bytes())
}
fn startup(params: &[u8]) -> Vec<u8> {
    let mut v = (params.len() as u32 + 8).to_be_bytes().to_vec();
    v.extend_from_slice(&196608u32.to_be_bytes());
    v.extend_from_slice(params);
    v
}
struct Peer(TcpStream);
impl Peer {
    fn raw(s: &Server) -> Peer {
        let c = TcpStream::connect(s.local_addr()).unwrap();
        c.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Peer(c)
    }
    fn new(s: &Server) -> (Peer, i32) {
        let mut p = Peer::raw(s);
        p.send(&startup(b"user\0postgres\0\0"));
        let all = p.until(b'Z');
        assert_eq!(kinds(&all), "RSKZ");
        let pid = i32::from_be_bytes(all[2].1[..4].try_into().unwrap());
        (p, pid)
    }
    fn send(&mut self, b: &[u8]) {
        self.0.write_all(b).unwrap();
    }
    fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.0.read_exact(&mut head).ok()?;
        let mut body = vec![0; u32::from_be_bytes(head[1..].try_into().unwrap()) as usize - 4];
        self.0.read_exact(&mut body).ok()?;
        Some((head[0], body))
    }
    /// Messages up to one of `kind`, or the end of the stream.
    fn until(&mut self, kind: u8) -> Vec<(u8, Vec<u8>)> {
        let mut all = Vec::new();
        while let Some(m) = self.next() {
            let last = m.0 == kind;
            all.push(m);
            if last {
                break;
            }
        }
        all
    }
    fn ask(&mut self, sql: &str) -> Vec<(u8, Vec<u8>)> {
        self.send(&query(sql));
        self.until(b'Z')
    }
    fn closed(&mut self) -> bool {
        self.next().is_none()
    }
}
fn kinds(m: &[(u8, Vec<u8>)]) -> String {
    m.iter().map(|m| m.0 as char).collect()
}
fn code(m: &(u8, Vec<u8>)) -> String {
    assert_eq!(m.0, b'E', "{m:?}");
    let field = m.1.split(|&b| b == 0).find(|f| f.first() == Some(&b'C')).unwrap();
    String::from_utf8(field[1..].to_vec()).unwrap()
}
fn server(config: Config) -> (Server, Arc<Fake>) {
    serve(Arc::new(Fake::default()), config)
}
fn serve(db: Arc<Fake>, config: Config) -> (Server, Arc<Fake>) {
    let s = Server::start(db.clone(), "127.0.0.1:0".parse().unwrap(), config).unwrap();
    (s, db)
}
fn config() -> Config {
    let mut config = Config::default();
    (config.net.workers, config.net.shutdown_grace) = (2, Duration::from_millis(200));
    config
}
fn stat(s: &Server, name: &str) -> u64 {
    s.stats().iter().find(|x| x.0 == name).unwrap().2
}
fn eventually(what: &str, mut f: impl FnMut() -> bool) {
    let start = Instant::now();
    while !f() {
        assert!(start.elapsed() < Duration::from_secs(10), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn simple_queries_and_errors() {
    let (s, _) = server(config());
    let (mut p, _) = Peer::new(&s);
    let m = p.ask("rows 2 3");
    assert_eq!(kinds(&m), "DDCZ");
    assert_eq!(m[0].1, b"\x00\x03\x00\x00\x00\x02-1\x00\x00\x00\x03xxx\xff\xff\xff\xff");
    assert_eq!(m[2].1, b"SELECT 2\0");
    assert_eq!(m[3].1, b"I");
    let m = p.ask("nonsense");
    assert_eq!(kinds(&m), "EZ");
    let text = String::from_utf8_lossy(&m[0].1).replace('\0', "|");
    let (said, place) = text.split_once("F").unwrap();
    assert_eq!(said, "SERROR|VERROR|C42601|Msyntax error at \"nonsense\"|HTry another.|P1|");
    let line = place.strip_prefix("tests.rs|L").and_then(|l| l.strip_suffix("|Rtests||")).unwrap();
    assert!(line.parse::<u32>().is_ok(), "{place}");
    assert_eq!(kinds(&p.ask("")), "IZ");
    assert_eq!(kinds(&p.ask("yield")), "CZ");
    p.send(&msg(b'Q', b"\xff\0"));
    let m = p.until(b'Z');
    assert_eq!(code(&m[0]), "22021");
    // A function call without a function, then one that the fake does not know.
    p.send(&msg(b'F', b""));
    assert_eq!(code(&p.until(b'Z')[0]), "08P01");
    p.send(&msg(b'F', b"\0\0\0\x01\0\0\0\0\0\x01"));
    assert_eq!(code(&p.until(b'Z')[0]), "0A000");
    p.send(&msg(b'X', b""));
    assert!(p.closed());
    assert!(s.shutdown());
}

#[test]
fn extended_protocol_and_skipping_to_sync() {
    let (s, _) = server(config());
    let (mut p, _) = Peer::new(&s);
    let mut good = msg(b'P', b"\0sql\0\0\x01\0\0\0\x19");
    good.extend(msg(b'D', b"S\0"));
    good.extend(msg(b'B', b"\0\0\0\0\0\x01\0\0\0\x0242\0\0"));
    good.extend(msg(b'D', b"P\0"));
    good.extend(msg(b'E', b"\0\0\0\0\x01"));
    good.extend(msg(b'C', b"P\0"));
    good.extend(msg(b'S', b""));
    // One byte at a time.
    for b in &good {
        p.send(std::slice::from_ref(b));
    }
    assert_eq!(kinds(&p.until(b'Z')), "1tn2nDC3Z");
    let mut bad = msg(b'P', b"\0bad\0\0\0");
    bad.extend(&good);
    bad.extend(&good);
    p.send(&bad);
    assert_eq!(kinds(&p.until(b'Z')), "EZ");
    assert_eq!(kinds(&p.until(b'Z')), "1tn2nDC3Z");
    // Flush without Sync.
    p.send(&[msg(b'P', b"\0sql\0\0\0"), msg(b'H', b"")].concat());
    assert_eq!(kinds(&p.until(b'1')), "1");
    p.send(&[msg(b'B', b"\0\0\0\x01\0\x07\0\0\0\0"), msg(b'S', b"")].concat());
    assert_eq!(code(&p.until(b'Z')[0]), "22023");
    p.send(&[msg(b'D', b"Q\0"), msg(b'S', b"")].concat());
    assert_eq!(code(&p.until(b'Z')[0]), "08P01");
    assert!(s.shutdown());
}

#[test]
fn cancel_request_and_disconnect_while_waiting() {
    let (s, db) = server(config());
    let (mut p, pid) = Peer::new(&s);
    p.send(&query("wait"));
    eventually("parked", || stat(&s, "net_parks_total") > 0);
    let mut c = Peer::raw(&s);
    let key = [&80877102u32.to_be_bytes()[..], &pid.to_be_bytes(), &(-pid).to_be_bytes()].concat();
    c.send(&[&16u32.to_be_bytes()[..], &key].concat());
    assert!(c.closed());
    let m = p.until(b'Z');
    assert_eq!((kinds(&m).as_str(), code(&m[0]).as_str()), ("EZ", "57014"));
    assert_eq!(kinds(&p.ask("rows 1 1")), "DCZ");
    // Gone while its statement waits: the session must end.
    p.send(&query("wait"));
    drop(p);
    eventually("dropped", || db.dropped.load(Ordering::SeqCst) == 1);
    eventually("closed", || stat(&s, "net_connections") == 0 && stat(&s, "pg_sessions") == 0);
    assert!(s.shutdown());
}

#[test]
fn copy_in() {
    let (s, _) = server(config());
    let (mut p, _) = Peer::new(&s);
    p.send(&query("copy"));
    assert_eq!(p.next().unwrap(), (b'G', vec![0, 0, 1, 0, 0]));
    let big = msg(b'd', &vec![7; 300_000]);
    for piece in big.chunks(70_000) {
        p.send(piece);
        std::thread::sleep(Duration::from_millis(5));
    }
    p.send(&[msg(b'd', b"abc"), msg(b'c', b""), query("rows 0 0")].concat());
    let m = p.until(b'Z');
    assert_eq!((kinds(&m).as_str(), m[0].1.as_slice()), ("CZ", &b"COPY 300003\0"[..]));
    assert_eq!(kinds(&p.until(b'Z')), "CZ");
    p.send(&[query("copy"), msg(b'd', b"x"), msg(b'f', b"why\0")].concat());
    assert_eq!(p.next().unwrap().0, b'G');
    let m = p.until(b'Z');
    assert_eq!(code(&m[0]), "57014");
    assert!(String::from_utf8_lossy(&m[0].1).contains("COPY from stdin failed: why"));
    // What was already on its way after a failure is ignored.
    p.send(&[msg(b'd', b"late"), msg(b'c', b""), query("rows 0 0")].concat());
    assert_eq!(kinds(&p.until(b'Z')), "CZ");
    assert!(s.shutdown());
}

#[test]
fn a_panic_costs_one_connection() {
    let (s, db) = server(config());
    let (mut p, _) = Peer::new(&s);
    let (mut other, _) = Peer::new(&s);
    let m = p.ask("panic");
    assert_eq!((kinds(&m).as_str(), code(&m[0]).as_str()), ("E", "XX000"));
    assert!(String::from_utf8_lossy(&m[0].1).starts_with("SFATAL"));
    assert!(p.closed());
    assert_eq!(kinds(&other.ask("rows 1 1")), "DCZ");
    assert_eq!(db.dropped.load(Ordering::SeqCst), 1);
    assert_eq!(stat(&s, "net_panics_total"), 1);
    assert!(s.shutdown());
}

#[test]
fn limits_and_startup_errors() {
    let (s, _) = server(Config { max_connections: 2, superuser_reserved: 0, ..config() });
    let (_a, _) = Peer::new(&s);
    let (b, _) = Peer::new(&s);
    let refused = |params: &[u8]| {
        let mut p = Peer::raw(&s);
        p.send(&startup(params));
        let m = p.until(b'Z');
        let last = m.last().unwrap();
        assert!(String::from_utf8_lossy(&last.1).starts_with("SFATAL"));
        code(last)
    };
    assert_eq!(refused(b"user\0postgres\0\0"), "53300");
    drop(b);
    eventually("a place", || stat(&s, "pg_sessions") == 1);
    assert_eq!(refused(b"user\0postgres\0database\0nope\0\0"), "3D000");
    assert_eq!(refused(b"user\0ghost\0\0"), "28000");
    assert_eq!(refused(b"user\0a"), "08P01");
    eventually("a place", || stat(&s, "pg_sessions") == 1);
    for garbage in [&b"\xff\xff\xff\xff"[..], b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\x04"] {
        let mut p = Peer::raw(&s);
        p.send(garbage);
        assert_eq!(code(&p.next().unwrap()), "08P01");
        assert!(p.closed());
    }
    for garbage in [&b"z"[..], b"Q\xff\xff\xff\xff", b"S\0\0\xff\xff", b"Q\0\0\0\x03"] {
        let (mut p, _) = Peer::new(&s);
        p.send(garbage);
        assert_eq!(code(&p.next().unwrap()), "08P01");
        assert!(p.closed());
        eventually("a place", || stat(&s, "pg_sessions") == 1);
    }
    let mut p = Peer::raw(&s);
    p.send(b"\0\0\0\x08\x04\xd2\x16\x30");
    p.send(b"\0\0\0\x08\x04\xd2\x16\x2f");
    p.send(&startup(b"user\0postgres\0\0"));
    let mut two = [0; 2];
    p.0.read_exact(&mut two).unwrap();
    assert_eq!(&two, b"NN");
    assert_eq!(kinds(&p.until(b'Z')), "RSKZ");
    assert!(s.shutdown());
}

#[test]
fn timeouts() {
    let (s, _) = server(Config { auth_timeout: Duration::from_millis(100), ..config() });
    let mut silent = Peer::raw(&s);
    let (mut p, _) = Peer::new(&s);
    assert!(silent.closed());
    std::thread::sleep(Duration::from_millis(150));
    let m = p.ask("begin");
    assert_eq!((kinds(&m).as_str(), m[1].1.as_slice()), ("CZ", &b"T"[..]));
    assert_eq!(code(&p.next().unwrap()), "25P03");
    assert!(p.closed());
    assert!(s.shutdown());
}

#[test]
fn shutdown_tells_everybody() {
    let (s, db) = server(config());
    let (mut idle, _) = Peer::new(&s);
    let (mut busy, _) = Peer::new(&s);
    let (mut stuck, _) = Peer::new(&s);
    let (mut copying, _) = Peer::new(&s);
    busy.send(&query("sleep 100"));
    stuck.send(&query("wait"));
    copying.send(&query("copy"));
    assert_eq!(copying.next().unwrap().0, b'G');
    eventually("parked", || stat(&s, "net_parks_total") >= 3);
    let t = std::thread::spawn(move || s.shutdown());
    assert_eq!(code(&idle.next().unwrap()), "57P01");
    assert!(idle.closed());
    assert_eq!(code(&copying.next().unwrap()), "57P01");
    // What is in flight finishes; what does not is cancelled after the grace period.
    let m = busy.until(b'?');
    assert_eq!((kinds(&m).as_str(), code(&m[2]).as_str()), ("CZE", "57P01"));
    assert_eq!(code(&stuck.next().unwrap()), "57P01");
    assert!(stuck.closed());
    assert!(t.join().unwrap());
    assert_eq!(db.dropped.load(Ordering::SeqCst), 4);
}

#[test]
fn wrong_password() {
    let verifier = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";
    let (s, _) = serve(Arc::new(Fake { verifier: Some(verifier.into()), ..Fake::default() }), config());
    let mut p = Peer::raw(&s);
    p.send(&startup(b"user\0alice\0\0"));
    assert_eq!(p.next().unwrap(), (b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0".to_vec()));
    let first = b"n,,n=,r=abc";
    p.send(&msg(b'p', &[b"SCRAM-SHA-256\0\0\0\0\x0b", &first[..]].concat()));
    let (kind, body) = p.next().unwrap();
    assert_eq!((kind, &body[..4]), (b'R', &b"\0\0\0\x0b"[..]));
    let nonce = String::from_utf8(body[4..].to_vec()).unwrap().split(',').next().unwrap().to_string();
    p.send(&msg(b'p', format!("c=biws,{nonce},p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").as_bytes()));
    assert_eq!(code(&p.next().unwrap()), "28P01");
    assert!(p.closed());
    assert!(s.shutdown());
}

/// Sessions that go from worker to worker all the time lose neither transactions, nor statements, nor cursors, nor the order of answers.
#[test]
fn sessions_that_move_lose_nothing() {
    const CLIENTS: usize = 12;
    const ROUNDS: usize = if cfg!(debug_assertions) { 150 } else { 1000 };
    let shard = pamir_txn::Shard::open(Arc::new(SimDisk::new(1)), pamir_txn::ShardOptions::default()).unwrap();
    let db = pamir_sql::session::Database::open(shard).unwrap();
    let mut config = config();
    (config.net.workers, config.net.pace) = (3, Pace { window: Duration::ZERO, least: 0 });
    let s = Server::start(db, "127.0.0.1:0".parse().unwrap(), config).unwrap();
    let connect = || {
        let mut p = Peer::raw(&s);
        p.send(&startup(b"user\0postgres\0database\0postgres\0\0"));
        assert_eq!(p.until(b'Z').last().map(|m| m.0), Some(b'Z'));
        p
    };
    let value = |m: &[(u8, Vec<u8>)]| -> Vec<String> {
        assert!(m.iter().all(|m| m.0 != b'E'), "{m:?}");
        let rows = m.iter().filter(|m| m.0 == b'D');
        rows.map(|m| String::from_utf8(m.1[6..].to_vec()).unwrap()).collect()
    };
    let mut first = connect();
    value(&first.ask("create table t (id int primary key, n int not null)"));
    value(&first.ask(&format!("insert into t select g, 0 from generate_series(1, {CLIENTS}) g")));
    std::thread::scope(|scope| {
        for c in 1..=CLIENTS {
            let mut p = connect();
            scope.spawn(move || {
                value(&p.ask("prepare add (int, int) as update t set n = n + $2 where id = $1 returning n"));
                for round in 1..=ROUNDS {
                    value(&p.ask("begin"));
                    value(&p.ask("declare k cursor for select g from generate_series(1, 10) g"));
                    assert_eq!(value(&p.ask("fetch 2 from k")), ["1", "2"]);
                    assert_eq!(value(&p.ask(&format!("execute add ({c}, 1)"))), [round.to_string()]);
                    value(&p.ask("savepoint a"));
                    value(&p.ask(&format!("execute add ({c}, 5)")));
                    value(&p.ask("rollback to a"));
                    // Several at a time, the answers in order; one row that all clients want.
                    let all =
                        [query("fetch 2 from k"), query("update t set n = n + 0 where id = 1"), query("select 7")];
                    p.send(&all.concat());
                    assert_eq!(value(&p.until(b'Z')), ["3", "4"]);
                    value(&p.until(b'Z'));
                    assert_eq!(value(&p.until(b'Z')), ["7"]);
                    value(&p.ask(if round % 8 == 0 { "rollback" } else { "commit" }));
                    if round % 8 == 0 {
                        value(&p.ask(&format!("execute add ({c}, 1)")));
                    }
                }
            });
        }
    });
    let sum = value(&first.ask("select sum(n) from t"));
    assert_eq!(sum, [(CLIENTS * ROUNDS).to_string()]);
    assert!(stat(&s, "net_moves_total") > 10, "{} moves", stat(&s, "net_moves_total"));
    eventually("counted once", || stat(&s, "net_connections") == 1);
    drop(first);
    assert!(s.shutdown());
}
