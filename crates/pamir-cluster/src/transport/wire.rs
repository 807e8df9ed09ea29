//! A socket, TLS over it or not: the bytes between a [`super::link::Link`] and the kernel.
//!
//! A wire moves what there is and never waits by itself: a socket that does not block says so, one that blocks with a time limit says the same when the time is up.
//!
//! *Invariants*: plaintext goes to rustls only when all that it encrypted before is with the kernel, so what waits in it is at most one buffer ([`BUFFER`]). A wire that was closed by
//! [`Wire::close`] still reads, since the last that was sent reaches the other side only if nothing that it sent is left unread.
use super::tls::{self, Tls};
use mio::net::TcpStream as Dialled;
use pamir_error::{Error, Result};
use rustls::Connection;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

/// What the kernel may hold of what was sent: Control messages wait behind that.
pub const SEND_BUFFER: usize = 256 << 10;
/// Plaintext that rustls takes at once.
pub const BUFFER: usize = 64 << 10;
/// Encrypted bytes read at once: two records of TLS (rustls would read a quarter of one).
const RAW: usize = 33 << 10;

pub enum Got {
    Bytes(usize),
    /// Nothing is there now.
    Nothing,
    /// The other side has closed.
    End,
}

pub struct Wire {
    socket: TcpStream,
    tls: Option<Box<Connection>>,
    /// For the words of errors.
    ours: Option<Tls>,
    /// The other end, as errors name it.
    pub other: String,
    /// The kernel took no more; until the socket is writable.
    pub blocked: bool,
    /// What events have said of it.
    pub edge: Edge,
    /// Of TLS: what came and is not decrypted yet.
    raw: Vec<u8>,
    raw_at: usize,
    raw_end: usize,
}

/// Whether a look at the socket is worth a system call: where readiness is told by edges, a read that fills less than it was offered has taken all, and the next byte is an event (epoll(7)).
#[derive(Default)]
pub struct Edge {
    /// Somebody listens to events, and calls [`Edge::event`].
    pub listens: bool,
    drained: bool,
    /// The other side has closed its half: a short read does not mean that there is nothing more to learn.
    hangup: bool,
}
impl Edge {
    /// The socket has become readable, or the other side has closed it.
    pub fn event(&mut self, hangup: bool) {
        self.drained = false;
        self.hangup |= hangup;
    }
}
fn receive(socket: &mut TcpStream, edge: &mut Edge, buf: &mut [u8]) -> io::Result<Got> {
    if edge.drained && edge.listens {
        return Ok(Got::Nothing);
    }
    loop {
        return match socket.read(buf) {
            Ok(0) => Ok(Got::End),
            Ok(n) => {
                edge.drained = n < buf.len() && !edge.hangup;
                Ok(Got::Bytes(n))
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(Got::Nothing),
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => Err(e),
        };
    }
}

impl Wire {
    fn new(socket: TcpStream, tls: Option<(Connection, &Tls)>, other: String) -> Wire {
        let (tls, ours) = tls.map_or((None, None), |(c, t)| (Some(Box::new(c)), Some(t.clone())));
        Wire { socket, tls, ours, other, blocked: false, edge: Edge::default(), raw: Vec::new(), raw_at: 0, raw_end: 0 }
    }
    /// A socket that was accepted; it does not block.
    pub fn accepted(socket: TcpStream, from: SocketAddr, tls: Option<&Tls>) -> Result<Wire> {
        let tls = tls.map(|t| Ok::<_, Error>((t.accept()?, t))).transpose()?;
        let w = Wire::new(socket, tls, from.to_string());
        w.set_up().map_err(|e| w.explain(&e))?;
        Ok(w)
    }
    /// Begins to connect, without waiting for it. `address`: what `to` was made of.
    pub fn connect(to: SocketAddr, address: &str, tls: Option<&Tls>) -> Result<Wire> {
        let tls = tls.map(|t| Ok::<_, Error>((t.dial(address)?, t))).transpose()?;
        let socket = Dialled::connect(to).map_err(|e| tls::explain(&e, address, None))?;
        let w = Wire::new(socket.into(), tls, address.to_string());
        w.set_up().map_err(|e| w.explain(&e))?;
        Ok(w)
    }
    /// Connects, and waits for it; the socket blocks.
    pub fn connected(to: SocketAddr, address: &str, tls: Option<&Tls>, timeout: Duration) -> Result<Wire> {
        let tls = tls.map(|t| Ok::<_, Error>((t.dial(address)?, t))).transpose()?;
        let socket = TcpStream::connect_timeout(&to, timeout).map_err(|e| tls::explain(&e, address, None))?;
        let w = Wire::new(socket, tls, address.to_string());
        w.set_up().map_err(|e| w.explain(&e))?;
        Ok(w)
    }
    fn set_up(&self) -> io::Result<()> {
        self.socket.set_nodelay(true)?;
        Ok(rustix::net::sockopt::set_socket_send_buffer_size(&self.socket, SEND_BUFFER)?)
    }
    /// Of [`Wire::connect`], once the socket is writable: whether the connection stands.
    pub fn is_connected(&self) -> io::Result<bool> {
        if let Some(e) = self.socket.take_error()? {
            return Err(e);
        }
        match self.socket.peer_addr() {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == ErrorKind::NotConnected => Ok(false),
            Err(e) => Err(e),
        }
    }
    /// TLS is not agreed on yet: nothing that was written has been sent.
    pub fn is_handshaking(&self) -> bool {
        self.tls.as_ref().is_some_and(|t| t.is_handshaking())
    }
    pub fn socket(&self) -> &TcpStream {
        &self.socket
    }
    /// An error of this wire in words.
    pub fn explain(&self, e: &io::Error) -> Error {
        tls::explain(e, &self.other, self.ours.as_ref())
    }

    pub fn read(&mut self, buf: &mut [u8]) -> io::Result<Got> {
        if self.tls.is_none() {
            return receive(&mut self.socket, &mut self.edge, buf);
        }
        loop {
            let Some(tls) = &mut self.tls else { return Ok(Got::End) };
            match tls.reader().read(buf) {
                Ok(0) => return Ok(Got::End),
                Ok(n) => return Ok(Got::Bytes(n)),
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                // Closed without a word: as a socket's end of file.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(Got::End),
                Err(e) => return Err(e),
            }
            if self.raw_at >= self.raw_end {
                self.raw.resize(RAW, 0);
                (self.raw_at, self.raw_end) = (0, 0);
                match receive(&mut self.socket, &mut self.edge, &mut self.raw)? {
                    Got::Bytes(n) => self.raw_end = n,
                    Got::Nothing => return Ok(Got::Nothing),
                    Got::End if tls.is_handshaking() => return Ok(Got::End),
                    Got::End => {}
                }
            }
            let mut rest = self.raw.get(self.raw_at..self.raw_end).unwrap_or_default();
            tls.read_tls(&mut rest)?;
            self.raw_at = self.raw_end - rest.len();
            if let Err(e) = tls.process_new_packets() {
                // The alert that says why; it goes out or it does not.
                let _ = self.flush();
                return Err(io::Error::new(ErrorKind::InvalidData, e));
            }
            self.flush()?;
        }
    }
    /// Reads what nobody wants any more, as the socket has it.
    pub fn discard(&mut self, buf: &mut [u8]) -> io::Result<Got> {
        receive(&mut self.socket, &mut self.edge, buf)
    }
    /// How many of the bytes were taken. 0: none now.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.tls.is_none() {
            loop {
                return match self.socket.write(bytes) {
                    Err(e) if e.kind() == ErrorKind::WouldBlock => {
                        self.blocked = true;
                        Ok(0)
                    }
                    Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                    r => r,
                };
            }
        }
        if !self.flush()? {
            return Ok(0);
        }
        let some = bytes.get(..BUFFER).unwrap_or(bytes);
        let n = self.tls.as_mut().map_or(Ok(0), |t| t.writer().write(some))?;
        self.flush()?;
        Ok(n)
    }
    /// Hands what was encrypted to the kernel; true when it has all.
    pub fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        while tls.wants_write() {
            match tls.write_tls(&mut self.socket) {
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    self.blocked = true;
                    return Ok(false);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }
    /// Nothing more will be written; what the other side still sends is to be read until it ends.
    pub fn close(&mut self) {
        if let Some(tls) = &mut self.tls {
            tls.send_close_notify();
        }
        let _ = self.flush();
        let _ = self.socket.shutdown(Shutdown::Write);
    }
}
impl AsRawFd for Wire {
    fn as_raw_fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}
