//! One question to a node that may not know us yet, by any thread.
//!
//! ```text
//!   this node ── Hello (Join) ──► the other node's transport
//!       ◄──────────────── Hello ──
//!       ── Request ──►  Handler::request  ── Answer ──► the end
//! ```
//! Limits: names of hosts are looked up by the system, which has its own time limit.
use super::hello::{Hello, Purpose, no_common_version};
use super::link::{Event, Link};
use super::queue::Held;
use super::wire::{Got, Wire};
use super::{Identity, Now, dialable, frame};
use pamir_error::{Error, Result, err};
use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Read at once by the threads that wait for an answer.
const READ: usize = 16 << 10;

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
    fn new(me: &Identity, address: &str, timeout: Duration) -> Result<Made> {
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
            let hello = Hello::new(me, Purpose::Join, clock());
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
    let mut made = Made::new(me, address, timeout)?;
    made.link.ask(message)?;
    match made.event()? {
        Event::Answer(a) => Ok(a),
        _ => Err(frame::violation("no answer to a question")),
    }
}
