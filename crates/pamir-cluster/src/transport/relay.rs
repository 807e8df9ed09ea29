//! Connections for one purpose, made by any thread: one question to a node that may not know us yet, or a client's connection passed on to another node.
//!
//! ```text
//!   client --> this node --open_relay--> Hello (Relay, the client's address) --> the other node's transport
//!                  ^                     <------------------------------ Hello        |
//!                  |                                                                  v
//!                  '------- RelayedStream <== plain bytes, both ways ==> RelayedStream --> Handler::relayed
//! ```
//! After the two Hellos a relayed connection has no frames: it is the client's own bytes, within TLS where nodes speak TLS. Both ends own it from then on; the transport knows nothing of it.
//!
//! Limits: names of hosts are looked up by the system, which has its own time limit.
use super::hello::{Hello, Purpose, no_common_version};
use super::link::{Event, Link};
use super::queue::Held;
use super::wire::{Got, Wire};
use super::{Identity, Now, dialable, frame};
use pamir_error::{Error, Result, err};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Read at once by the threads that wait for an answer.
const READ: usize = 16 << 10;

/// A client's connection between two nodes. It never blocks; it is read and written as a socket is, and what is not taken now is taken when the socket is ready.
///
/// *Invariant* for those who wait for edges: it is to be read until it says that nothing is there. Nothing is kept back: whoever has written calls `flush` until it succeeds, since what TLS
/// encrypted waits here while the socket is full.
pub struct RelayedStream {
    wire: Wire,
    /// Came before it was a stream.
    early: Vec<u8>,
    early_at: usize,
    /// Of the Hello that made it one.
    unsent: Vec<u8>,
    /// The other node, as it said.
    pub hello: Hello,
}
impl RelayedStream {
    pub(super) fn new(wire: Wire, early: Vec<u8>, unsent: Vec<u8>, hello: Hello) -> io::Result<RelayedStream> {
        wire.socket().set_nonblocking(true)?;
        let mut stream = RelayedStream { wire, early, early_at: 0, unsent, hello };
        // The other side waits for what is unsent before it says anything.
        match stream.flush() {
            Err(e) if e.kind() != ErrorKind::WouldBlock => Err(e),
            _ => Ok(stream),
        }
    }
    fn first(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match self.wire.write(&self.unsent)? {
                0 => return Err(ErrorKind::WouldBlock.into()),
                n => drop(self.unsent.drain(..n)),
            }
        }
        Ok(())
    }
    /// Nothing more will be written; the other side sees the end of the stream once it has read what was.
    pub fn finish(&mut self) {
        let _ = self.first();
        self.wire.close();
    }
    /// The address of the other node's end.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.wire.socket().peer_addr()
    }
}
impl Read for RelayedStream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let early = self.early.get(self.early_at..).unwrap_or_default();
        if !early.is_empty() {
            let n = early.len().min(buf.len());
            buf[..n].copy_from_slice(&early[..n]);
            self.early_at += n;
            if self.early_at >= self.early.len() {
                (self.early, self.early_at) = (Vec::new(), 0);
            }
            return Ok(n);
        }
        match self.wire.read(buf)? {
            Got::Bytes(n) => Ok(n),
            Got::End => Ok(0),
            Got::Nothing => Err(ErrorKind::WouldBlock.into()),
        }
    }
}
impl Write for RelayedStream {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.first()?;
        match self.wire.write(buf)? {
            0 if !buf.is_empty() => Err(ErrorKind::WouldBlock.into()),
            n => Ok(n),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        self.first()?;
        if self.wire.flush()? { Ok(()) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}
impl AsRawFd for RelayedStream {
    fn as_raw_fd(&self) -> RawFd {
        self.wire.as_raw_fd()
    }
}
impl AsFd for RelayedStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wire.as_fd()
    }
}

/// A connection that is being made by a thread that waits for it.
struct Made {
    wire: Wire,
    link: Link,
    hello: Hello,
    events: Vec<Event>,
    end: Instant,
    start: Instant,
}

fn late(address: &str) -> Error {
    err!(CONNECTION_FAILURE, "{address} did not answer in time")
}
/// The addresses that HOST:PORT stands for.
pub(super) fn resolve(address: &str) -> Result<Vec<SocketAddr>> {
    let found = address.to_socket_addrs().map_err(|e| match e.kind() {
        ErrorKind::InvalidInput => {
            err!(INVALID_PARAMETER_VALUE, "\"{}\" is no address of a node", address.escape_debug())
                .hint("An address is HOST:PORT.")
        }
        _ => err!(CONNECTION_FAILURE, "could not find the address of \"{}\": {e}", address.escape_debug()),
    })?;
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Err(err!(CONNECTION_FAILURE, "\"{}\" has no address", address.escape_debug()));
    }
    Ok(found)
}

impl Made {
    /// Connects and exchanges Hellos.
    fn new(me: &Identity, address: &str, purpose: Purpose, payload: &str, timeout: Duration) -> Result<Made> {
        let start = Instant::now();
        let end = start + timeout;
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_micros() as i64);
        let mut failed = late(address);
        for to in resolve(address)? {
            dialable(me, to)?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let wire = match Wire::connected(to, address, me.tls.as_ref(), left) {
                Ok(wire) => wire,
                Err(e) => {
                    failed = e;
                    continue;
                }
            };
            let mut hello = Hello::new(me, purpose, clock());
            hello.payload = payload.to_string();
            let link = Link::dial(&hello, Held::new(|| {}), Now { at: Duration::ZERO, clock: clock() });
            let mut made = Made { wire, link, hello, events: Vec::new(), end, start };
            made.greet(me)?;
            return Ok(made);
        }
        Err(failed)
    }
    fn now(&self) -> Now {
        // The links of these connections measure nothing.
        Now { at: self.start.elapsed(), clock: 0 }
    }
    fn greet(&mut self, me: &Identity) -> Result<()> {
        match self.event()? {
            Event::Hello(h) => {
                if h.purpose != self.hello.purpose {
                    return Err(frame::violation("an answer to another greeting"));
                }
                h.check(me)?;
                self.hello = h;
                let now = self.now();
                self.link.open(now);
                Ok(())
            }
            Event::Versions(v) => Err(no_common_version(me, &self.wire.other, v)),
            _ => Err(frame::violation("something before its greeting")),
        }
    }
    /// What comes next; the output goes out before that.
    fn event(&mut self) -> Result<Event> {
        let mut buf = vec![0; READ];
        // What came behind the greeting.
        let now = self.now();
        self.link.receive(&[], now, &mut self.events)?;
        loop {
            if !self.events.is_empty() {
                return match self.events.remove(0) {
                    Event::Refused(r) => Err(r.error(&self.wire.other)),
                    e => Ok(e),
                };
            }
            let left = self.end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(late(&self.wire.other));
            }
            let socket = self.wire.socket();
            let set = socket.set_read_timeout(Some(left)).and_then(|()| socket.set_write_timeout(Some(left)));
            set.map_err(|e| self.wire.explain(&e))?;
            while !self.link.output().is_empty() && Instant::now() < self.end {
                let n = self.wire.write(self.link.output()).map_err(|e| self.wire.explain(&e));
                // A refusal may have come where our words are no longer read.
                let Ok(n) = n else { break };
                let now = self.now();
                self.link.went(n, now);
                if n == 0 {
                    break;
                }
            }
            match self.wire.read(&mut buf).map_err(|e| self.wire.explain(&e))? {
                Got::Bytes(n) => {
                    let now = self.now();
                    self.link.receive(buf.get(..n).unwrap_or_default(), now, &mut self.events)?;
                }
                Got::Nothing => {}
                Got::End => {
                    return Err(err!(
                        CONNECTION_FAILURE,
                        "{} closed the connection without an answer",
                        self.wire.other
                    ));
                }
            }
        }
    }
}

/// Asks the node at `address` one question ([`super::Handler::request`]). It blocks, for `timeout` at most. What the other side refuses is an error of its words.
pub fn ask(me: &Identity, address: &str, message: &[u8], timeout: Duration) -> Result<Vec<u8>> {
    let mut made = Made::new(me, address, Purpose::Join, "", timeout)?;
    made.link.ask(message)?;
    match made.event()? {
        Event::Answer(a) => Ok(a),
        _ => Err(frame::violation("no answer to a question")),
    }
}

/// Opens a stream to the node at `address` for the client at `client` ([`super::Handler::relayed`]). It blocks, for `timeout` at most; the stream does not.
pub fn open_relay(me: &Identity, address: &str, client: &str, timeout: Duration) -> Result<RelayedStream> {
    let Made { wire, link, hello, .. } = Made::new(me, address, Purpose::Relay, client, timeout)?;
    let (early, unsent) = link.into_rest();
    let other = wire.other.clone();
    RelayedStream::new(wire, early, unsent, hello).map_err(|e| super::tls::explain(&e, &other, None))
}
