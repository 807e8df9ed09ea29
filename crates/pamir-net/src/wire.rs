//! A socket's bytes: the input buffer, what could not yet be sent, and TLS between them and the kernel.
//!
//! A [`Wire`] is shared (`Arc<Mutex<..>>`) by the connection, which reads and writes, and its worker, which knows the socket's readiness and
//! may push out finished replies while a statement waits. Neither holds the lock across a suspension. Other workers only try it, when they look
//! for a connection to take over.
//!
//! Readiness is edge-triggered: after an event the socket must be read until it says so ([`Wire::more`] is false), where a read that
//! fills less than it was offered says so too (epoll(7)).
use crate::spare;
use crate::stats::count;
use crate::tls::Tls;
use mio::net::TcpStream;
use pamir_error::{Error, Result};
use rustls::ServerConnection;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// The input buffer's first size; it doubles while a message does not fit.
const FIRST_READ: usize = 4 << 10;
/// Least room offered to a read.
const MIN_READ: usize = 1 << 10;
/// Most room offered to one read: what a worker does for a long message before it looks at others.
pub const MAX_READ: usize = 512 << 10;

/// Bytes received and not yet consumed. Grows only when it is full of bytes that did arrive.
#[derive(Default)]
pub struct InBuf {
    /// Wholly initialized; `start..end` is the content. Its capacity doubles, its length follows in pieces: no more is touched at once than a read takes.
    buf: Vec<u8>,
    start: usize,
    end: usize,
}

impl InBuf {
    pub fn data(&self) -> &[u8] {
        &self.buf[self.start..self.end]
    }
    pub fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.start > MAX_READ && self.end - self.start <= MIN_READ {
            // What came behind a long message does not keep its buffer.
            self.buf = self.data().to_vec();
            (self.start, self.end) = (0, self.buf.len());
        }
    }
    /// Puts `with` in place of the first `n` bytes.
    pub fn replace(&mut self, n: usize, mut with: Vec<u8>) {
        with.extend_from_slice(self.data().get(n..).unwrap_or_default());
        (self.start, self.end, self.buf) = (0, with.len(), with);
    }
    pub fn capacity(&self) -> usize {
        self.buf.capacity()
    }
    /// The next read makes it grow.
    pub fn is_full(&self) -> bool {
        self.start == 0 && self.buf.capacity() - self.end < MIN_READ
    }
    /// Room for a read; `hint` is the size the content may need in all.
    fn spare(&mut self, hint: usize) -> &mut [u8] {
        if self.buf.is_empty() {
            self.buf = spare::INPUT.with(spare::take);
        }
        if self.buf.len() - self.end < MIN_READ {
            if self.start > 0 {
                self.buf.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            if self.buf.len() - self.end < MIN_READ {
                // Doubled, so at most as much again as really arrived, and no more than the message needs beyond that.
                if self.buf.capacity() - self.end < MIN_READ {
                    let double = (self.buf.capacity() * 2).max(FIRST_READ);
                    let len = double.min(hint.max(FIRST_READ)).max(self.end + MIN_READ);
                    self.buf.reserve_exact(len - self.buf.len());
                }
                self.buf.resize(self.buf.capacity().min(self.end + MAX_READ), 0);
            }
        }
        let to = self.buf.len().min(self.end + MAX_READ);
        &mut self.buf[self.end..to]
    }
    fn filled(&mut self, n: usize) {
        self.end += n;
    }
    /// Called when the connection goes idle.
    pub fn shrink(&mut self) {
        if self.end == 0 {
            spare::INPUT.with(|s| spare::keep(s, std::mem::take(&mut self.buf)));
        }
    }
}

/// tcp_keepalives_idle and _interval in seconds, tcp_keepalives_count, tcp_user_timeout in milliseconds; 0: the system's default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TcpSettings {
    pub idle: u32,
    pub interval: u32,
    pub count: u32,
    pub user_timeout: u32,
}

/// How a connection is protected, in OpenSSL's names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protection {
    pub version: String,
    pub cipher: String,
    pub bits: i32,
}

/// What the connection waits for while its coroutine is suspended in I/O.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    None,
    Read,
    Write,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Some bytes came.
    Read,
    /// None are there now.
    WouldBlock,
    Eof,
}

pub struct Wire {
    socket: TcpStream,
    tls: Option<Box<ServerConnection>>,
    /// Taken from the connection but not yet by the kernel, from `sent` on.
    pending: Vec<u8>,
    sent: usize,
    /// The socket may hold unread bytes.
    pub more: bool,
    /// The peer has closed its side: a short read does not mean that there is nothing more to learn.
    pub hangup: bool,
    pub interest: Interest,
    /// Its worker will send what is pending.
    pub posted: bool,
}

impl Wire {
    pub fn new(socket: TcpStream) -> Wire {
        Wire {
            socket,
            tls: None,
            pending: Vec::new(),
            sent: 0,
            more: true,
            hangup: false,
            interest: Interest::None,
            posted: false,
        }
    }
    pub fn socket(&mut self) -> &mut TcpStream {
        &mut self.socket
    }
    /// Keepalive and user timeout; 0: the kernel's own values.
    pub fn set_tcp(&self, s: TcpSettings) -> io::Result<()> {
        use rustix::net::sockopt;
        let default = |name: &str| -> Option<u32> {
            std::fs::read_to_string(format!("/proc/sys/net/ipv4/{name}")).ok()?.trim().parse().ok()
        };
        let or = |n: u32, name: &str, fallback: u32| if n > 0 { n } else { default(name).unwrap_or(fallback) };
        let seconds = |n: u32| std::time::Duration::from_secs(n.into());
        let socket = &self.socket;
        sockopt::set_tcp_keepidle(socket, seconds(or(s.idle, "tcp_keepalive_time", 7200)))?;
        sockopt::set_tcp_keepintvl(socket, seconds(or(s.interval, "tcp_keepalive_intvl", 75)))?;
        sockopt::set_tcp_keepcnt(socket, or(s.count, "tcp_keepalive_probes", 9))?;
        Ok(sockopt::set_tcp_user_timeout(socket, s.user_timeout)?)
    }
    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }
    pub fn protection(&self) -> Option<Protection> {
        let tls = self.tls.as_ref()?;
        let version = match tls.protocol_version()? {
            rustls::ProtocolVersion::TLSv1_3 => "TLSv1.3".to_string(),
            rustls::ProtocolVersion::TLSv1_2 => "TLSv1.2".to_string(),
            v => format!("{v:?}"),
        };
        let suite = format!("{:?}", tls.negotiated_cipher_suite()?.suite());
        // As OpenSSL has it: TLS_AES_256_GCM_SHA384.
        let cipher = suite.replacen("TLS13_", "TLS_", 1);
        let bits = if cipher.contains("AES_128") { 128 } else { 256 };
        Some(Protection { version, cipher, bits })
    }
    /// From the next byte on.
    pub fn start_tls(&mut self, tls: &Tls) -> Result<()> {
        let stream = ServerConnection::new(tls.config.clone())
            .map_err(|e| Error::internal(format!("could not start TLS: {e}")))?;
        self.tls = Some(Box::new(stream));
        self.more = true;
        Ok(())
    }

    /// One read into `buf`. `hint`: the size of the incomplete message at its start.
    pub fn fill(&mut self, buf: &mut InBuf, hint: usize) -> io::Result<Fill> {
        let Wire { socket, tls, more, hangup, .. } = self;
        let Some(tls) = tls else {
            let spare = buf.spare(hint);
            let room = spare.len();
            return match read(socket, spare)? {
                None => {
                    *more = false;
                    Ok(Fill::WouldBlock)
                }
                Some(0) => Ok(Fill::Eof),
                Some(n) => {
                    buf.filled(n);
                    *more = n == room || *hangup;
                    Ok(Fill::Read)
                }
            };
        };
        let mut got = false;
        let outcome = loop {
            count(|c| c.reads.add(1));
            match tls.read_tls(socket) {
                Ok(0) => break Fill::Eof,
                Ok(n) => count(|c| c.bytes_in.add(n as u64)),
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    *more = false;
                    break Fill::WouldBlock;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            let state = match tls.process_new_packets() {
                Ok(state) => state,
                Err(e) => {
                    // The alert that says why; it goes out or it does not.
                    let _ = tls.write_tls(socket);
                    return Err(io::Error::new(ErrorKind::InvalidData, e));
                }
            };
            let mut left = state.plaintext_bytes_to_read();
            while left > 0 {
                let spare = buf.spare(hint.max(left));
                let n = tls.reader().read(spare)?;
                buf.filled(n);
                left = left.saturating_sub(n.max(1));
                got = true;
            }
            if state.peer_has_closed() {
                break Fill::Eof;
            }
            if got {
                break Fill::Read;
            }
        };
        if tls.wants_write() {
            self.resume_send()?;
        }
        Ok(if got { Fill::Read } else { outcome })
    }

    /// Hands over `out` (left empty). True when all of it, and all before it, is with the kernel.
    pub fn send(&mut self, out: &mut Vec<u8>) -> io::Result<bool> {
        if self.sent < self.pending.len() {
            self.pending.append(out);
        } else {
            self.pending.clear();
            self.sent = 0;
            std::mem::swap(out, &mut self.pending);
        }
        let sent = self.resume_send();
        if sent.is_err() {
            // Nobody takes it any more, nor what comes after it.
            (self.pending, self.sent) = (Vec::new(), 0);
        }
        let done = sent?;
        if done && self.pending.capacity() > out.capacity() {
            // The larger of the two buffers goes back to the connection.
            std::mem::swap(out, &mut self.pending);
            out.clear();
        }
        Ok(done)
    }
    /// Keeps `out` for the next send, or for the worker to send when the statement after it waits.
    pub fn defer(&mut self, out: &mut Vec<u8>) {
        self.pending.append(out);
    }
    /// Takes `out` (left empty) for a send together with other connections' answers, by the worker that is told so. False: this socket must be
    /// sent to by itself, because it has unsent bytes already, or TLS.
    pub fn leave(&mut self, out: &mut Vec<u8>) -> bool {
        if self.tls.is_some() || self.unsent() > 0 {
            return false;
        }
        self.pending.clear();
        self.sent = 0;
        std::mem::swap(out, &mut self.pending);
        true
    }
    /// What [`write_many`] is to send.
    pub fn unsent_to(&self) -> (BorrowedFd<'_>, &[u8]) {
        (self.socket.as_fd(), &self.pending[self.sent..])
    }
    /// What became of it. What the socket did not take waits for it to be writable; an error shows at the next read.
    pub fn written(&mut self, r: io::Result<usize>) {
        match r {
            Ok(n) => {
                count(|c| c.bytes_out.add(n as u64));
                self.sent += n;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => drop(self.resume_send()),
            Err(e) if e.kind() == ErrorKind::WouldBlock => {}
            Err(_) => {
                self.sent = self.pending.len();
                self.more = true;
                let _ = self.socket.shutdown(std::net::Shutdown::Both);
            }
        }
        if self.sent >= self.pending.len() {
            (self.sent, _) = (0, self.pending.clear());
        }
    }
    pub fn unsent(&self) -> usize {
        self.pending.len() - self.sent
    }
    pub fn has_unsent(&self) -> bool {
        self.unsent() > 0 || self.tls.as_ref().is_some_and(|t| t.wants_write())
    }

    /// Sends what is pending as far as the socket takes it; true when nothing is left.
    pub fn resume_send(&mut self) -> io::Result<bool> {
        loop {
            let Wire { socket, tls, pending, sent, .. } = self;
            let rest = &pending[*sent..];
            match tls {
                None => {
                    if rest.is_empty() {
                        break;
                    }
                    match write(socket, rest)? {
                        Some(n) => *sent += n,
                        None => return Ok(false),
                    }
                }
                Some(tls) => {
                    if !rest.is_empty() {
                        // Takes as much as rustls buffers; the rest waits here.
                        *sent += tls.writer().write(rest)?;
                    } else if !tls.wants_write() {
                        break;
                    }
                    while tls.wants_write() {
                        count(|c| c.writes.add(1));
                        match tls.write_tls(socket) {
                            Ok(n) => count(|c| c.bytes_out.add(n as u64)),
                            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(false),
                            Err(e) if e.kind() == ErrorKind::Interrupted => {}
                            Err(e) => return Err(e),
                        }
                    }
                }
            }
        }
        self.pending.clear();
        self.sent = 0;
        Ok(true)
    }

    pub fn capacity(&self) -> usize {
        self.pending.capacity()
    }
    pub fn shrink(&mut self) {
        if self.pending.is_empty() {
            spare::OUTPUT.with(|s| spare::keep(s, std::mem::take(&mut self.pending)));
        }
    }

    /// Says goodbye: what was sent must reach the peer before a reset could, so unread input is drained first.
    pub fn close(&mut self) {
        if let Some(tls) = &mut self.tls {
            tls.send_close_notify();
        }
        let _ = self.resume_send();
        let _ = self.socket.shutdown(std::net::Shutdown::Write);
        let mut scratch = [0u8; 4096];
        for _ in 0..64 {
            if !matches!(self.socket.read(&mut scratch), Ok(n) if n > 0) {
                break;
            }
        }
    }
}

/// None: would block.
fn read(socket: &mut TcpStream, buf: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        count(|c| c.reads.add(1));
        match socket.read(buf) {
            Ok(n) => {
                count(|c| c.bytes_in.add(n as u64));
                return Ok(Some(n));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}
fn write(socket: &mut TcpStream, buf: &[u8]) -> io::Result<Option<usize>> {
    loop {
        count(|c| c.writes.add(1));
        match socket.write(buf) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => {
                count(|c| c.bytes_out.add(n as u64));
                return Ok(Some(n));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_grows_only_with_what_arrived() {
        let mut b = InBuf::default();
        let claimed = 1 << 30;
        let mut received = 0usize;
        while received < 100_000 {
            let spare = b.spare(claimed);
            let n = spare.len().min(1500);
            spare[..n].fill(7);
            b.filled(n);
            received += n;
            assert!(b.capacity() <= (2 * received).max(FIRST_READ) + MIN_READ, "{} for {received}", b.capacity());
        }
        assert_eq!(b.data().len(), received);
        b.consume(received);
        b.shrink();
        assert_eq!(b.capacity(), 0);
    }

    #[test]
    fn content_survives_compaction() {
        let mut b = InBuf::default();
        let mut expect: std::collections::VecDeque<u8> = Default::default();
        let mut next = 0u8;
        for round in 0..500usize {
            let spare = b.spare(64);
            let n = spare.len().min(1 + round * 7 % 900);
            for s in &mut spare[..n] {
                *s = next;
                expect.push_back(next);
                next = next.wrapping_add(1);
            }
            b.filled(n);
            let eat = b.data().len() * (round % 4) / 3;
            b.consume(eat);
            expect.drain(..eat.min(expect.len()));
            assert!(b.data().iter().eq(expect.iter()));
        }
    }
}
