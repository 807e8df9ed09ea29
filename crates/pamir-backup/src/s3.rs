//! S3, and what speaks like it, as a store: `s3://BUCKET/PREFIX`.
//!
//! Credentials, region and endpoint come from the environment as the object_store library reads them: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (AWS_DEFAULT_REGION), AWS_ENDPOINT,
//! AWS_ALLOW_HTTP=true for one without TLS.
//!
//! The library is asynchronous; its runtime runs where an operation is asked for, for as long as that takes, so nothing of it is seen outside. An object is created with a conditional put
//! (`If-None-Match: *`): a store that does not know that is none for an archive.
//!
//! Limits: one operation at a time a store; an operation is given up after [`PATIENCE`].
use crate::objects::{Fault, Objects, Outcome, Pace};
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ClientOptions, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, RetryConfig};
use pamir_error::{Result, err};
use parking_lot::Mutex;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::Runtime;

/// One request takes so long at most.
const PATIENCE: Duration = Duration::from_secs(60);
/// The library tries again by itself where that is certain to do no harm; [`crate::store`] does the rest.
const OWN_RETRIES: usize = 1;

pub struct Bucket {
    store: AmazonS3,
    prefix: String,
    name: String,
    runtime: Mutex<Runtime>,
}
impl Bucket {
    /// What stands behind `s3://`.
    pub fn open(place: &str) -> Result<Bucket> {
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let prefix = prefix.trim_matches('/').to_string();
        if bucket.is_empty() {
            return Err(err!(INVALID_PARAMETER_VALUE, "\"s3://{place}\" names no bucket")
                .hint("Name it as s3://BUCKET/PREFIX."));
        }
        // The first to say so says it for the process; all of ours say the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry =
            RetryConfig { max_retries: OWN_RETRIES, retry_timeout: Duration::from_secs(10), ..RetryConfig::default() };
        let store = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_client_options(ClientOptions::new().with_timeout(PATIENCE).with_allow_http(allows_http()))
            .with_retry(retry)
            .build()
            .map_err(|e| {
                err!(INVALID_PARAMETER_VALUE, "\"s3://{place}\" cannot be used: {e}")
                    .hint("Give credentials and region in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.")
            })?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| err!(SYSTEM_ERROR, "could not start a runtime: {e}"))?;
        Ok(Bucket {
            store,
            prefix,
            name: format!("s3://{}", place.trim_end_matches('/')),
            runtime: Mutex::new(runtime),
        })
    }
    fn run<T>(&self, f: impl Future<Output = object_store::Result<T>>) -> Outcome<T> {
        self.runtime.lock().block_on(f).map_err(fault)
    }
    fn path(&self, name: &str) -> Path {
        if self.prefix.is_empty() { Path::from(name) } else { Path::from(format!("{}/{name}", self.prefix)) }
    }
}
fn allows_http() -> bool {
    std::env::var("AWS_ALLOW_HTTP").is_ok_and(|v| v.eq_ignore_ascii_case("true") || v == "1")
}
fn fault(e: Error) -> Fault {
    let words = e.to_string().replace('\n', " ");
    match e {
        Error::NotFound { .. } => Fault::Missing,
        Error::AlreadyExists { .. } | Error::Precondition { .. } => Fault::Exists,
        Error::PermissionDenied { .. }
        | Error::Unauthenticated { .. }
        | Error::InvalidPath { .. }
        | Error::NotSupported { .. } => Fault::Refused(words),
        _ => Fault::Transient(words),
    }
}
impl Objects for Bucket {
    fn put(&self, name: &str, bytes: &[u8], create: bool, pace: Pace) -> Outcome<()> {
        pace(bytes.len())?;
        let mode = if create { PutMode::Create } else { PutMode::Overwrite };
        let payload = PutPayload::from(bytes.to_vec());
        let path = self.path(name);
        let options = PutOptions { mode, ..PutOptions::default() };
        self.run(self.store.put_opts(&path, payload, options)).map(drop)
    }
    fn get(&self, name: &str) -> Outcome<Vec<u8>> {
        let path = self.path(name);
        self.run(async { self.store.get(&path).await?.bytes().await }).map(|b| b.to_vec())
    }
    fn get_range(&self, name: &str, from: u64, len: u64) -> Outcome<Vec<u8>> {
        let path = self.path(name);
        self.run(async {
            let size = self.store.head(&path).await?.size;
            let (from, to) = (from.min(size), from.saturating_add(len).min(size));
            if from == to {
                return Ok(Vec::new());
            }
            self.store.get_range(&path, from..to).await.map(|b| b.to_vec())
        })
    }
    fn list(&self, prefix: &str) -> Outcome<Vec<(String, u64)>> {
        let path = self.path(prefix);
        let within = (!path.as_ref().is_empty()).then_some(&path);
        let found = self.run(self.store.list(within).try_collect::<Vec<_>>())?;
        let cut = if self.prefix.is_empty() { String::new() } else { format!("{}/", self.prefix) };
        let mut all: Vec<(String, u64)> = found
            .into_iter()
            .filter_map(|o| Some((o.location.as_ref().strip_prefix(cut.as_str())?.to_string(), o.size)))
            .collect();
        all.sort();
        Ok(all)
    }
    fn delete(&self, name: &str) -> Outcome<()> {
        let path = self.path(name);
        match self.run(self.store.delete(&path)) {
            Err(Fault::Missing) => Ok(()),
            r => r,
        }
    }
    fn describe(&self) -> String {
        self.name.clone()
    }
}
