//! The thread that takes new sockets and deals them to the workers in turn.
use super::queue::RemoteQueue;
use crate::server::Shared;
use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Token, Waker};
use std::io::{self, ErrorKind};
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
                    Ok((socket, peer)) => {
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
                        tracing::warn!("could not accept a connection: {e}");
                        pause = Some(ACCEPT_PAUSE);
                        break;
                    }
                }
            }
        }
    })?;
    Ok(Handle { waker, thread })
}
