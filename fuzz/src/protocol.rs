//! A client's bytes through a connection's state machine, with a real session behind it.
use crate::database;
use mio::net::TcpStream;
use pamir_net::wire::{Fill, Wire};
use pamir_net::{Connection, Link, Need, Next};
use pamir_pg::conn::Conn;
use pamir_pg::proto::{self, Frame};
use pamir_pg::server::{Config, Shared};
use pamir_sql::session::Database;
use pamir_storage::task::{self, Parker};
use parking_lot::Mutex;
use std::cell::RefCell;
use std::io::Write;
use std::net::{TcpListener, TcpStream as StdStream};
use std::sync::Arc;
use std::task::Waker;
use std::time::Instant;

/// Connections after which the database starts anew.
const FRESH_AFTER: u32 = 2000;

struct World {
    db: Arc<Database>,
    shared: Arc<Shared>,
    listener: TcpListener,
    used: u32,
}
thread_local! { static WORLD: RefCell<Option<World>> = const { RefCell::new(None) }; }

/// Nobody else will make progress: whoever waits for the peer learns that it is gone.
struct HangUp {
    peer: RefCell<Option<StdStream>>,
    wire: Arc<Mutex<Wire>>,
}
impl Parker for HangUp {
    fn waker(&self) -> Waker {
        Waker::noop().clone()
    }
    fn park(&self, _: Option<Instant>) {
        self.peer.borrow_mut().take();
        let mut wire = self.wire.lock();
        (wire.more, wire.hangup) = (true, true);
    }
}

/// Bit 0 of the first byte: the rest is raw from the first byte of the connection on. Otherwise the session is started, and the script is messages with
/// right lengths: a type, a length byte (times 4 with bit 1), a body.
pub fn run(data: &[u8]) {
    let Some((&mode, data)) = data.split_first() else { return };
    let mut bytes = Vec::new();
    if mode & 1 == 0 {
        bytes.extend_from_slice(data);
    } else {
        bytes.extend_from_slice(b"\0\0\0\x29\0\x03\0\0user\0postgres\0database\0postgres\0\0");
        let n = bytes.len() as u32;
        bytes[..4].copy_from_slice(&n.to_be_bytes());
        let mut rest = data;
        while let [kind, len, more @ ..] = rest {
            let len = (*len as usize * if mode & 2 == 0 { 1 } else { 4 }).min(more.len());
            let (body, after) = more.split_at(len);
            bytes.push(b"QPBEDCHSXdcfF"[*kind as usize % 13]);
            bytes.extend_from_slice(&(len as u32 + 4).to_be_bytes());
            bytes.extend_from_slice(body);
            rest = after;
        }
    }
    frames(&bytes);
    if bytes.to_ascii_lowercase().windows(5).any(|w| matches!(w, b"sleep" | b"gener" | b"repea")) {
        return;
    }
    WORLD.with_borrow_mut(|world| {
        if world.as_ref().is_none_or(|w| w.used >= FRESH_AFTER) {
            *world = Some(World {
                db: database(),
                shared: Arc::new(Shared::new(Config::default())),
                listener: TcpListener::bind("127.0.0.1:0").expect("a port"),
                used: 0,
            });
        }
        let Some(w) = world else { return };
        w.used += 1;
        connection(w, &bytes);
    });
}
/// The frame functions alone, wherever a frame may begin.
fn frames(bytes: &[u8]) {
    let _ = proto::startup_frame(bytes).map(|r| r.map(|n| pamir_pg::startup::parse(&bytes[..n])));
    for authenticating in [false, true] {
        let mut at = 0;
        while let Ok(Frame::Complete { total, .. }) = proto::frame(&bytes[at..], authenticating) {
            assert!(total >= proto::HEADER && at + total <= bytes.len());
            at += total;
        }
    }
}
fn connection(w: &World, bytes: &[u8]) {
    let Ok(mut peer) = w.listener.local_addr().and_then(StdStream::connect) else { return };
    let Ok((socket, addr)) = w.listener.accept() else { return };
    let _ = socket.set_nonblocking(true);
    let _ = peer.set_nonblocking(true);
    let wire = Arc::new(Mutex::new(Wire::new(TcpStream::from_std(socket))));
    // libFuzzer's inputs are far smaller than a socket's buffer.
    if peer.write_all(bytes).is_err() || peer.shutdown(std::net::Shutdown::Write).is_err() {
        return;
    }
    let parker = HangUp { peer: RefCell::new(Some(peer)), wire: wire.clone() };
    task::with_parker(&parker, || {
        let link = Link::new(wire, None).expect("no account, no limit");
        let mut conn = Conn::new(w.db.clone(), w.shared.clone(), link, addr);
        while let Need::Bytes(hint) = conn.need() {
            if !matches!(conn.link_mut().fill(hint), Ok(Fill::Read)) {
                return;
            }
            if conn.need() == Need::Run && conn.run() == Next::Close {
                return;
            }
        }
    });
}
