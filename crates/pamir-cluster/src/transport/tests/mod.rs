//! Transports over real sockets on 127.0.0.1, plain and with TLS.
mod identity;
mod measure;
mod messages;
mod rider;

use super::*;
use crate::cert;
use pamir_error::error::state;
use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, OnceLock};
use std::time::{Instant, SystemTime};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

const CLUSTER: [u8; 16] = *b"one test cluster";

#[derive(Clone, PartialEq, Debug)]
enum Saw {
    Received(NodeId, Class, Vec<u8>),
    Connected(NodeId),
    Lost(NodeId, String),
    Clock(NodeId, i64),
}

/// A handler that writes down what it sees.
#[derive(Default)]
struct Witness {
    saw: std::sync::Mutex<Vec<Saw>>,
    bell: Condvar,
    removed: Mutex<HashSet<NodeId>>,
    /// Messages are kept, not taken.
    keeps: AtomicBool,
    kept: Mutex<Vec<Message>>,
    /// The handler does what it must not: it waits.
    stuck: AtomicBool,
}

impl Witness {
    fn see(&self, s: Saw) {
        self.saw.lock().unwrap().push(s);
        self.bell.notify_all();
    }
    /// Waits until what was seen is as it should be.
    fn until<R>(&self, what: &str, mut seen: impl FnMut(&[Saw]) -> Option<R>) -> R {
        let end = Instant::now() + PATIENCE;
        let mut saw = self.saw.lock().unwrap();
        loop {
            if let Some(r) = seen(&saw) {
                return r;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "still waiting: {what}; {} events, the last {:?}", saw.len(), saw.last());
            saw = self.bell.wait_timeout(saw, left).unwrap().0;
        }
    }
    fn count(&self, what: impl Fn(&Saw) -> bool) -> usize {
        self.saw.lock().unwrap().iter().filter(|s| what(s)).count()
    }
    fn connected(&self, to: NodeId, times: usize) {
        self.until("connected", |saw| {
            (saw.iter().filter(|s| **s == Saw::Connected(to)).count() >= times).then_some(())
        });
    }
    fn messages(&self, from: NodeId, class: Class) -> Vec<Vec<u8>> {
        let one = |s: &Saw| match s {
            Saw::Received(f, c, m) if *f == from && *c == class => Some(m.clone()),
            _ => None,
        };
        self.saw.lock().unwrap().iter().filter_map(one).collect()
    }
}

impl Handler for Witness {
    fn received(&self, from: NodeId, class: Class, message: Message) {
        while self.stuck.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if self.keeps.load(Ordering::SeqCst) {
            self.see(Saw::Received(from, class, message.to_vec()));
            self.kept.lock().push(message);
        } else {
            self.see(Saw::Received(from, class, message.into_vec()));
        }
    }
    fn connected(&self, peer: &Hello) {
        self.see(Saw::Connected(peer.node));
    }
    fn lost(&self, peer: NodeId, why: &Error) {
        self.see(Saw::Lost(peer, why.message().to_string()));
    }
    fn clock_off(&self, peer: NodeId, micros: i64) {
        self.see(Saw::Clock(peer, micros));
    }
    fn admit(&self, hello: &Hello) -> Result<()> {
        if self.removed.lock().contains(&hello.node) {
            return Err(err!(INVALID_AUTHORIZATION_SPECIFICATION, "node {} was removed from the cluster", hello.node));
        }
        Ok(())
    }
    fn request(&self, hello: &Hello, mut message: Vec<u8>) -> Vec<u8> {
        message.reverse();
        message.push(hello.node as u8);
        message
    }
}

struct Node {
    transport: Arc<Transport>,
    saw: Arc<Witness>,
}

impl Node {
    fn with(config: Config) -> Node {
        let saw = Arc::new(Witness::default());
        Node { transport: Transport::start(config, saw.clone()).unwrap(), saw }
    }
    fn new(id: NodeId, tls: Option<Tls>) -> Node {
        Node::with(config(id, tls))
    }
    fn address(&self) -> String {
        self.transport.local_addr().to_string()
    }
    fn id(&self) -> NodeId {
        self.transport.identity().node
    }
    fn knows(&self, other: &Node) {
        self.transport.set_peer(other.id(), &other.address());
    }
    /// Waits for an error of connecting to the node.
    fn error(&self, peer: NodeId) -> Error {
        self.status_when(peer, "an error", |s| s.last_error.is_some()).last_error.unwrap().0
    }
    fn status_when(&self, peer: NodeId, what: &str, is: impl Fn(&PeerStatus) -> bool) -> PeerStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            let s = self.transport.status().into_iter().find(|s| s.node == peer);
            match s {
                Some(s) if is(&s) => return s,
                s => assert!(Instant::now() < end, "still waiting: {what}; {s:?}"),
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    /// Sends, also where a connection is yet to come.
    fn say(&self, to: NodeId, class: Class, message: &[u8]) {
        let end = Instant::now() + PATIENCE;
        while let Err(e) = self.transport.send(to, class, message.to_vec()) {
            assert!(Instant::now() < end && matches!(e, Refused::Away | Refused::Full), "{e}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn config(id: NodeId, tls: Option<Tls>) -> Config {
    let mut me = Identity::new(CLUSTER, id, "");
    me.tls = tls;
    Config::new(me, "127.0.0.1:0".parse().unwrap())
}

fn pair(tls: [Option<Tls>; 2]) -> (Node, Node) {
    let [a, b] = tls;
    (Node::new(1, a), Node::new(2, b))
}

/// Certificates of one authority.
struct Authority(tempfile::TempDir);

impl Authority {
    fn new() -> Authority {
        let dir = tempfile::tempdir().unwrap();
        cert::make_ca(dir.path(), 30).unwrap();
        Authority(dir)
    }
    fn load(&self, name: &str) -> Tls {
        let (crt, key): (PathBuf, PathBuf) = cert::node_files(self.0.path(), name);
        Tls::load(&self.0.path().join(cert::CA_CERTIFICATE), &crt, &key).unwrap()
    }
    fn node(&self, name: &str) -> Tls {
        cert::make_node(self.0.path(), name, &["127.0.0.1".into(), "localhost".into()], 10).unwrap();
        self.load(name)
    }
}

/// With TLS and without.
fn both_ways(test: impl Fn([Option<Tls>; 3])) {
    test([None, None, None]);
    let ca = Authority::new();
    test([Some(ca.node("a")), Some(ca.node("b")), Some(ca.node("c"))]);
}
