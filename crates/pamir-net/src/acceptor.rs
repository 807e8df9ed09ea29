//! The thread that takes new sockets and deals them to the workers in turn.
//!
//! One a listener. Where there is no room for another socket it says so (53300, as its protocol says it) and closes it. One descriptor is held back for that: out of descriptors, it is given up for the
//! moment that accepting, answering and closing takes, so that clients hear why instead of waiting, and the thread does not spin.
use crate::connection::Protocol;
use crate::queue::{Newcomer, RemoteQueue};
use crate::runtime::{Counted, Shared};
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use pamir_error::err;
use pamir_error::error::Severity;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

const LISTENER: Token = Token(0);
const STOP: Token = Token(1);
/// Pause after an error of accept() that will not go away at once (out of descriptors).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Congestion control for clients of the same machine, in every kernel. Nothing is lost or queued between the two, so the machine's choice for the world outside
/// (BBR measures the path and paces what it sends) only costs: 3 to 4% of the statements a second, and up to a fifth of p95.
const LOOPBACK_CONGESTION: &str = "reno";

/// `message`: what a client is told for whom there is no socket.
fn refuse(mut socket: TcpStream, message: &[u8]) {
    // Whoever does not take it is gone all the same.
    let _ = socket.write(message);
    let _ = socket.shutdown(std::net::Shutdown::Write);
    // What was received and not read would make the close a reset, and the message might be lost with it.
    let _ = socket.read(&mut [0; 1024]);
}

/// A descriptor for a rainy day.
fn hold_back() -> Option<std::fs::File> {
    std::fs::File::open("/dev/null").ok()
}

pub struct Handle {
    waker: Waker,
    thread: JoinHandle<()>,
}

impl Handle {
    pub fn stop(self) {
        if self.waker.wake().is_ok() {
            let _ = self.thread.join();
        }
    }
}

/// What a socket is given before anybody speaks. What the system refuses is no reason not to serve.
fn prepare(socket: &TcpStream, peer: SocketAddr) {
    if let Err(e) = rustix::net::sockopt::set_socket_keepalive(socket, true) {
        tracing::debug!(%peer, "SO_KEEPALIVE: {e}");
    }
    if let Err(e) = socket.set_nodelay(true) {
        tracing::debug!(%peer, "TCP_NODELAY: {e}");
    }
    if peer.ip().to_canonical().is_loopback()
        && let Err(e) = rustix::net::sockopt::set_tcp_congestion(socket, LOOPBACK_CONGESTION)
    {
        tracing::debug!(%peer, "TCP_CONGESTION: {e}");
    }
}

pub(crate) fn start(
    mut listener: TcpListener,
    protocol: Arc<dyn Protocol>,
    workers: Vec<Arc<RemoteQueue>>,
    shared: Arc<Shared>,
) -> io::Result<Handle> {
    let mut poll = Poll::new()?;
    let waker = Waker::new(poll.registry(), STOP)?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    // Made while there is memory for it.
    let no_room =
        protocol.refusal(&err!(TOO_MANY_CONNECTIONS, "sorry, too many clients already").severity(Severity::Fatal));
    let name = format!("{}-accept", shared.config().name);
    let thread = std::thread::Builder::new().name(name).spawn(move || {
        let mut events = Events::with_capacity(4);
        let mut turn = workers.iter().cycle();
        let mut pause = None;
        let mut spare = hold_back();
        // The newest attempt failed: said once.
        let mut short = false;
        while !shared.stopping.load(Ordering::SeqCst) {
            if let Err(e) = poll.poll(&mut events, pause)
                && e.kind() != ErrorKind::Interrupted
            {
                tracing::error!("the acceptor cannot wait for connections: {e}");
                return;
            }
            pause = None;
            loop {
                match listener.accept() {
                    Ok((socket, _)) if shared.sockets.load(Ordering::Relaxed) >= shared.config().max_sockets => {
                        refuse(socket, &no_room)
                    }
                    Ok((socket, peer)) => {
                        if std::mem::take(&mut short) {
                            spare = spare.or_else(hold_back);
                        }
                        let counted = Counted::new(&shared);
                        prepare(&socket, peer);
                        if let Some(worker) = turn.next() {
                            worker.deal(Newcomer::Client { socket, peer, protocol: protocol.clone(), counted });
                        }
                    }
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                    Err(e) => {
                        if !std::mem::replace(&mut short, true) {
                            tracing::warn!("could not accept a connection: {e}");
                        }
                        if spare.take().is_some() {
                            let taken = listener.accept().map(|(socket, _)| refuse(socket, &no_room));
                            spare = hold_back();
                            if taken.is_ok() {
                                continue;
                            }
                        }
                        pause = Some(ACCEPT_PAUSE);
                        break;
                    }
                }
            }
        }
    })?;
    Ok(Handle { waker, thread })
}
