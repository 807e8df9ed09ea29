//! A tiny protocol whose server speaks first, and a client of it.
//!
//! ```text
//!   server: H id      client: login NAME     server: Z I     client: one statement a line     server: D ..., C tag | E code severity message, Z status
//! ```
//! The statements do what the runtime must bear: they wait, run long, hold their thread, panic, read on from their client (`take`: G, then lines up to a dot).
use crate::connection::{Application, Connection, End, Need, Next, Protocol};
use crate::link::Link;
use crate::runtime::{Config, Runtime};
use pamir_error::error::Severity;
use pamir_error::{Error, Result, err, work};
use pamir_storage::task::{self, Bell};
use pamir_txn::{Cancel, CancelReason};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// A gate that statements wait at until somebody opens it.
#[derive(Default)]
pub struct Gate {
    open: bool,
    waiting: Vec<Waker>,
}
/// A thread that does what sessions ask it for, all that was asked, when it is woken.
#[derive(Default)]
pub struct Helper {
    pub asked: Mutex<Asked>,
    pub bell: Bell,
    pub rounds: AtomicUsize,
}
#[derive(Default)]
pub struct Asked {
    by: Vec<(Arc<AtomicBool>, Waker)>,
    pub stop: bool,
}
impl Helper {
    pub fn serve(&self) {
        loop {
            let mut asked = self.asked.lock();
            while asked.by.is_empty() {
                if asked.stop {
                    return;
                }
                self.bell.wait(&mut asked);
            }
            self.rounds.fetch_add(1, Ordering::SeqCst);
            for (done, waker) in asked.by.drain(..) {
                done.store(true, Ordering::SeqCst);
                waker.wake();
            }
        }
    }
}

/// What all sessions share.
#[derive(Default)]
pub struct World {
    pub gate: Mutex<Gate>,
    pub helper: Arc<Helper>,
    pub sessions: Mutex<HashMap<i32, Arc<Cancel>>>,
    pub next: AtomicI32,
    pub dropped: AtomicUsize,
    pub holding: AtomicBool,
    pub released: AtomicBool,
    /// Of newcomers.
    pub login_timeout: Option<Duration>,
}
impl World {
    pub fn open(&self) {
        let mut gate = self.gate.lock();
        gate.open = true;
        gate.waiting.drain(..).for_each(Waker::wake);
    }
    /// Waits at the gate.
    pub fn wait(&self, cancel: &Cancel) -> Result<()> {
        let r = task::wait(None, |w| {
            cancel.register(w);
            if let Err(e) = cancel.check() {
                return Poll::Ready(Err(e));
            }
            let mut gate = self.gate.lock();
            if gate.open {
                Poll::Ready(Ok(()))
            } else {
                gate.waiting.push(w.clone());
                Poll::Pending
            }
        });
        r.unwrap()
    }
}
impl Application for World {}

pub struct Lines(pub Arc<World>);
impl Protocol for Lines {
    fn open(&self, link: Link, _: SocketAddr) -> Box<dyn Connection> {
        let id = self.0.next.fetch_add(1, Ordering::SeqCst) + 1;
        let phase = Phase::Fresh;
        Box::new(Line {
            world: self.0.clone(),
            link,
            phase,
            id,
            status: 'I',
            sum: 0,
            opened: Instant::now(),
            end: None,
        })
    }
    fn refusal(&self, e: &Error) -> Vec<u8> {
        format!("E {} {:?} {}\n", e.code().as_str(), e.data().severity, e.message()).into_bytes()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Fresh,
    Login,
    Ready,
}
struct Line {
    world: Arc<World>,
    link: Link,
    phase: Phase,
    id: i32,
    status: char,
    sum: i64,
    opened: Instant,
    end: Option<End>,
}
impl Drop for Line {
    fn drop(&mut self) {
        self.world.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

impl Line {
    fn say(&mut self, line: std::fmt::Arguments<'_>) {
        self.link.out.write_fmt(line).unwrap();
        self.link.out.push(b'\n');
    }
    /// The next whole line, if it has come.
    fn line(&mut self) -> Option<String> {
        let data = self.link.input.data();
        let n = data.iter().position(|b| *b == b'\n')?;
        let line = String::from_utf8_lossy(&data[..n]).into_owned();
        self.link.input.consume(n + 1);
        Some(line)
    }
    /// False: the client is done.
    fn lines(&mut self) -> Result<bool> {
        if self.phase == Phase::Fresh {
            self.phase = Phase::Login;
            let id = self.id;
            self.say(format_args!("H {id}"));
        }
        while let Some(line) = self.line() {
            match (self.phase, line.as_str()) {
                (_, "quit") => return Ok(false),
                (Phase::Ready, line) => match self.statement(line) {
                    Ok(tag) => self.say(format_args!("C {tag}")),
                    Err(e) if e.data().severity == Severity::Fatal => return Err(e),
                    Err(e) => self.refuse(&e),
                },
                (_, line) if line.starts_with("login ") => {
                    let cancel = Arc::<Cancel>::default();
                    self.world.sessions.lock().insert(self.id, cancel.clone());
                    self.link.cancel = Some(cancel);
                    self.phase = Phase::Ready;
                }
                _ => return Err(err!(PROTOCOL_VIOLATION, "who is it?").severity(Severity::Fatal)),
            }
            let status = self.status;
            self.say(format_args!("Z {status}"));
            if !self.link.input.data().is_empty() {
                self.link.defer()?;
            }
        }
        Ok(true)
    }
    fn statement(&mut self, line: &str) -> Result<String> {
        let (world, cancel) = (self.world.clone(), self.link.cancel.clone().unwrap());
        cancel.reset();
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["echo", what @ ..] => return Ok(what.join(" ")),
            ["add", n] => {
                self.sum += n.parse::<i64>().unwrap();
                return Ok(self.sum.to_string());
            }
            ["rows", n, width] => {
                let (n, text) = (n.parse().unwrap(), "x".repeat(width.parse().unwrap()));
                for i in 0..n {
                    self.say(format_args!("D {i} {text}"));
                    self.link.back_pressure()?;
                }
            }
            ["begin"] => self.status = 'T',
            ["wait"] => world.wait(&cancel)?,
            ["help"] => {
                let (done, mut asked) = (Arc::new(AtomicBool::new(false)), false);
                task::wait(None, |w| {
                    if done.load(Ordering::SeqCst) {
                        return Poll::Ready(());
                    }
                    if !std::mem::replace(&mut asked, true) {
                        world.helper.asked.lock().by.push((done.clone(), w.clone()));
                        world.helper.bell.ring_at_rest();
                    }
                    Poll::Pending
                });
            }
            ["occupy", ms] => std::thread::sleep(Duration::from_millis(ms.parse().unwrap())),
            // Keeps the thread until somebody says "release".
            ["hold"] => {
                world.holding.store(true, Ordering::SeqCst);
                let start = Instant::now();
                while !world.released.load(Ordering::SeqCst) {
                    if start.elapsed() > Duration::from_secs(10) {
                        return Err(err!(QUERY_CANCELED, "nobody says it"));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            // Runs until somebody says "release", and breathes.
            ["burn"] => {
                world.holding.store(true, Ordering::SeqCst);
                while !world.released.load(Ordering::SeqCst) {
                    work::charge(1000)?;
                }
            }
            ["release"] => world.released.store(true, Ordering::SeqCst),
            ["open"] => world.open(),
            ["kill", id] => {
                let victim = world.sessions.lock().get(&id.parse().unwrap()).cloned();
                victim.unwrap().request(CancelReason::User);
            }
            ["sleep", ms] => drop(task::sleep(Duration::from_millis(ms.parse().unwrap()), |_| false)),
            ["yield"] => (0..10).for_each(|_| task::yield_now()),
            ["take"] => {
                self.say(format_args!("G"));
                let mut n = 0;
                loop {
                    match self.line() {
                        Some(l) if l == "." => return Ok(format!("TAKE {n}")),
                        Some(l) => n += l.len(),
                        None if !self.link.read_more(self.link.input.data().len() + 1)? => {
                            return Err(err!(CONNECTION_FAILURE, "gone").severity(Severity::Fatal));
                        }
                        None => {}
                    }
                }
            }
            ["panic"] => panic!("on purpose"),
            _ => return Err(err!(SYNTAX_ERROR, "syntax error")),
        }
        Ok(words[0].to_uppercase())
    }
    fn close(&mut self) -> Next {
        self.link.close();
        Next::Close
    }
}

impl Connection for Line {
    fn link(&self) -> &Link {
        &self.link
    }
    fn link_mut(&mut self) -> &mut Link {
        &mut self.link
    }
    fn need(&mut self) -> Need {
        let data = self.link.input.data();
        match self.phase == Phase::Fresh || data.contains(&b'\n') {
            true => Need::Run,
            false => Need::Bytes(data.len() + 1),
        }
    }
    fn run(&mut self) -> Next {
        let r = match self.end.take() {
            Some(End::Fatal(e)) => Err(e),
            Some(End::Eof | End::Silent) => Ok(false),
            None => self.lines(),
        };
        match r {
            Ok(true) => {
                let idle = self.idle_deadline();
                if self.link.leave(idle).is_err() {
                    return self.close();
                }
                self.link.shrink();
                Next::Idle
            }
            Ok(false) => self.close(),
            Err(e) => {
                self.refuse(&e);
                self.close()
            }
        }
    }
    fn end(&mut self, why: End) {
        self.end = Some(why);
    }
    fn panicked(&mut self) {
        self.refuse(&err!(INTERNAL_ERROR, "it panicked").severity(Severity::Fatal));
        self.close();
    }
    fn refuse(&mut self, e: &Error) {
        self.say(format_args!("E {} {:?} {}", e.code().as_str(), e.data().severity, e.message()));
    }
    fn idle_deadline(&self) -> Option<Instant> {
        match (self.phase, self.status) {
            (Phase::Ready, 'T') => Some(Instant::now() + Duration::from_millis(100)),
            (Phase::Ready, _) => None,
            _ => self.world.login_timeout.map(|t| self.opened + t),
        }
    }
    fn timed_out(&self) -> End {
        match self.phase {
            Phase::Ready => End::Fatal(err!(IDLE_IN_TRANSACTION_SESSION_TIMEOUT, "too long").severity(Severity::Fatal)),
            _ => End::Silent,
        }
    }
    fn newcomer_since(&self) -> Option<Instant> {
        (self.phase != Phase::Ready).then_some(self.opened)
    }
    fn may_move(&self) -> bool {
        self.phase == Phase::Ready
    }
    fn id(&self) -> Option<i32> {
        Some(self.id)
    }
}

// ---- a client ----

pub type Message = (u8, String);

pub struct Server {
    pub runtime: Runtime,
    pub addr: SocketAddr,
}
impl Server {
    pub fn stat(&self, name: &str) -> u64 {
        self.runtime.stats_handle().stats().iter().find(|x| x.0 == name).unwrap().2
    }
    pub fn shutdown(self) -> bool {
        self.runtime.shutdown()
    }
}

pub fn config() -> Config {
    Config { workers: 2, shutdown_grace: Duration::from_millis(200), ..Config::default() }
}
pub fn serve(world: World, config: Config) -> (Server, Arc<World>) {
    let world = Arc::new(world);
    let runtime = Runtime::start(world.clone(), config).unwrap();
    let addr = runtime.listen("127.0.0.1:0".parse().unwrap(), Arc::new(Lines(world.clone()))).unwrap();
    (Server { runtime, addr }, world)
}
pub fn server(config: Config) -> (Server, Arc<World>) {
    serve(World::default(), config)
}

pub struct Peer {
    socket: BufReader<TcpStream>,
    pub id: i32,
}
impl Peer {
    /// The greeting has come.
    pub fn raw(s: &Server) -> Peer {
        let c = TcpStream::connect(s.addr).unwrap();
        c.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Peer { socket: BufReader::new(c), id: 0 }.greeted()
    }
    pub fn greeted(mut self) -> Peer {
        if let Some((b'H', id)) = self.next() {
            self.id = id.parse().unwrap();
        }
        self
    }
    pub fn over(socket: TcpStream) -> Peer {
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Peer { socket: BufReader::new(socket), id: 0 }
    }
    pub fn new(s: &Server) -> Peer {
        Peer::raw(s).login()
    }
    pub fn login(mut self) -> Peer {
        assert_eq!(self.ask("login me"), [(b'Z', "I".to_string())]);
        self
    }
    pub fn send(&mut self, b: &[u8]) {
        self.socket.get_mut().write_all(b).unwrap();
    }
    pub fn next(&mut self) -> Option<Message> {
        let mut line = String::new();
        self.socket.read_line(&mut line).ok()?;
        let line = line.strip_suffix('\n')?;
        Some((line.as_bytes()[0], line[1..].trim_start().to_string()))
    }
    /// Messages up to one of `kind`, or the end of the stream.
    pub fn until(&mut self, kind: u8) -> Vec<Message> {
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
    pub fn ask(&mut self, sql: &str) -> Vec<Message> {
        self.send(&query(sql));
        self.until(b'Z')
    }
    pub fn closed(&mut self) -> bool {
        self.next().is_none()
    }
}
pub fn query(sql: &str) -> Vec<u8> {
    format!("{sql}\n").into_bytes()
}
pub fn kinds(m: &[Message]) -> String {
    m.iter().map(|m| m.0 as char).collect()
}
pub fn code(m: &Message) -> String {
    assert_eq!(m.0, b'E', "{m:?}");
    m.1.split(' ').next().unwrap().to_string()
}
pub fn eventually(what: &str, mut f: impl FnMut() -> bool) {
    let start = Instant::now();
    while !f() {
        assert!(start.elapsed() < Duration::from_secs(10), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
