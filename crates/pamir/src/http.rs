//! The HTTP side: `/health` (200 while the server serves) and `/metrics` in Prometheus's text format.
//!
//! One thread with a current-thread runtime of its own: it shares nothing with the workers but counters it reads.
use crate::metrics;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

/// Binds and serves until the process ends; the bound address.
pub fn start(addr: SocketAddr, source: Arc<metrics::Source>) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(addr)?;
    listener.set_nonblocking(true)?;
    let bound = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("http".into()).spawn(move || {
        let served: io::Result<()> = runtime.block_on(async move {
            let health = {
                let source = source.clone();
                move || {
                    let source = source.clone();
                    async move {
                        match source.failure() {
                            None => (StatusCode::OK, "ok\n".to_string()),
                            Some(e) => (StatusCode::SERVICE_UNAVAILABLE, format!("{e}\n")),
                        }
                    }
                }
            };
            let text = move || {
                let source = source.clone();
                async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], source.render()).into_response() }
            };
            let router = Router::new().route("/health", get(health)).route("/metrics", get(text));
            axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await
        });
        if let Err(e) = served {
            tracing::error!("the HTTP server ended: {e}");
        }
    })?;
    Ok(bound)
}
