//! The thread that takes new sockets and deals them to the workers in turn.
//!
//! Where there is no room for another socket it says so (53300) and closes it. One descriptor is held back for that: out of descriptors, it is given up for the
//! moment that accepting, answering and closing takes, so that clients hear why instead of waiting, and the thread does not spin.
use super::queue::RemoteQueue;
use crate::server::Shared;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use std::io::{self, ErrorKind, Read, Write};
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

/// What a client is told for whom there is no socket: an ErrorResponse, understood before its startup packet is answered.
const NO_ROOM: &[u8] = b"SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0";

fn refuse(mut socket: TcpStream) {
    let mut message = vec![b'E'];
    message.extend_from_slice(&(NO_ROOM.len() as u32 + 4).to_be_bytes());
    message.extend_from_slice(NO_ROOM);
    // Whoever does not take it is gone all the same.
    let _ = socket.write(&message);
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

pub fn start(mut listener: TcpListener, workers: Vec<Arc<RemoteQueue>>, shared: Arc<Shared>) -> io::Result<Handle> {
    let mut poll = Poll::new()?;
    let waker = Waker::new(poll.registry(), STOP)?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    let thread = std::thread::Builder::new().name("pg-accept".into()).spawn(move || {
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
                        refuse(socket)
                    }
                    Ok((socket, peer)) => {
                        if std::mem::take(&mut short) {
                            spare = spare.or_else(hold_back);
                        }
                        shared.sockets.fetch_add(1, Ordering::Relaxed);
                        if let Err(e) = rustix::net::sockopt::set_socket_keepalive(&socket, true) {
                            tracing::debug!(%peer, "SO_KEEPALIVE: {e}");
                        }
                        if let Err(e) = socket.set_nodelay(true) {
                            tracing::debug!(%peer, "TCP_NODELAY: {e}");
                        }
                        if peer.ip().to_canonical().is_loopback()
                            && let Err(e) = rustix::net::sockopt::set_tcp_congestion(&socket, LOOPBACK_CONGESTION)
                        {
                            tracing::debug!(%peer, "TCP_CONGESTION: {e}");
                        }
                        if let Some(worker) = turn.next() {
                            worker.deal(socket, peer);
                        }
                    }
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                    Err(e) => {
                        if !std::mem::replace(&mut short, true) {
                            tracing::warn!("could not accept a connection: {e}");
                        }
                        if spare.take().is_some() {
                            let taken = listener.accept().map(|(socket, _)| refuse(socket));
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
