//! The HTTP side: health as load balancers ask for it, and `/metrics` as OpenMetrics.
//!
//! | path | 200 | 503, with the reason |
//! |---|---|---|
//! | `/health` | the server serves | it has failed, stops, was removed or is cut off from the leader |
//! | `/health/live` | the process runs and has not failed | it has failed: start it again |
//! | `/health/ready` | clients may be sent here | as `/health`, and while it is draining or catching up |
//! | `/health/leader` | the node leads and holds the lease | another one leads, or nobody |
//!
//! A node of a cluster says behind `ok` what it is: leader, follower, learner.
//!
//! One thread with a current-thread runtime of its own: it shares nothing with the workers but counters it reads.
//!
//! **Limits.** A request's head comes within [`HEAD_TIMEOUT`] and takes at most [`HEAD_SIZE`]; a connection lasts [`CONNECTION_TIMEOUT`] at most. Beyond
//! [`CONNECTIONS`] at a time the oldest is closed: who opens thousands and says nothing loses them, and nobody else waits.
use crate::metrics;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use pamir_cluster::cluster::Condition;
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::AbortHandle;

/// Open connections at a time.
pub const CONNECTIONS: usize = 64;
/// For the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of a request's head, and of an answer not yet sent.
const HEAD_SIZE: usize = 16 << 10;
/// For a connection as a whole.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(60);
/// Pause after an error of accept() that will not go away at once (out of descriptors).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Binds and serves until the process ends; the bound address.
pub fn start(addr: SocketAddr, source: Arc<metrics::Source>) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(addr)?;
    listener.set_nonblocking(true)?;
    let bound = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("http".into()).spawn(move || {
        let served: io::Result<()> = runtime.block_on(async move {
            serve(tokio::net::TcpListener::from_std(listener)?, router(source)).await;
            Ok(())
        });
        if let Err(e) = served {
            tracing::error!("the HTTP server ended: {e}");
        }
    })?;
    Ok(bound)
}

fn router(source: Arc<metrics::Source>) -> Router {
    let health = |of: fn(&metrics::Source) -> Result<String, String>| {
        let source = source.clone();
        get(move || async move {
            match of(&source) {
                Ok(what) => (StatusCode::OK, format!("{what}\n")),
                Err(e) => (StatusCode::SERVICE_UNAVAILABLE, format!("{e}\n")),
            }
        })
    };
    let router = Router::new()
        .route("/health", health(serves))
        .route("/health/live", health(lives))
        .route("/health/ready", health(ready))
        .route("/health/leader", health(leads));
    let text = move || async move {
        ([(header::CONTENT_TYPE, metrics::exposition::CONTENT_TYPE)], source.render()).into_response()
    };
    router.route("/metrics", get(text))
}
/// `ok`, and behind it what a node of a cluster is.
fn ok(source: &metrics::Source) -> String {
    if source.cluster.is_some() { format!("ok {}", source.condition().name()) } else { "ok".into() }
}
fn lives(source: &metrics::Source) -> Result<String, String> {
    source.broken().map_or_else(|| Ok(ok(source)), Err)
}
fn serves(source: &metrics::Source) -> Result<String, String> {
    match (source.failure(), source.condition()) {
        (Some(e), _) => Err(e),
        (None, c @ (Condition::CutOff | Condition::Removed)) => Err(c.name().into()),
        _ => Ok(ok(source)),
    }
}
fn ready(source: &metrics::Source) -> Result<String, String> {
    match (source.failure(), source.condition()) {
        (Some(e), _) => Err(e),
        (None, c) if !c.is_ready() => Err(c.name().into()),
        _ => Ok(ok(source)),
    }
}
fn leads(source: &metrics::Source) -> Result<String, String> {
    match source.failure() {
        Some(e) => Err(e),
        None if source.leads() => Ok(ok(source)),
        None => Err(source.condition().name().into()),
    }
}

async fn serve(listener: tokio::net::TcpListener, router: Router) {
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_SIZE);
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let socket = match listener.accept().await {
            Ok((socket, _)) => socket,
            Err(e) => {
                tracing::warn!("could not accept an HTTP connection: {e}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let connection = http.serve_connection(TokioIo::new(socket), TowerToHyperService::new(router.clone()));
        // How it ended is the client's affair.
        let task = tokio::spawn(async move { drop(tokio::time::timeout(CONNECTION_TIMEOUT, connection).await) });
        open.retain(|c| !c.is_finished());
        open.push_back(task.abort_handle());
        if open.len() > CONNECTIONS
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
            // The socket goes with its task, which has a turn now.
            tokio::task::yield_now().await;
        }
    }
}
