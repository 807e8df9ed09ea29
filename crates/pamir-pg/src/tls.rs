//! TLS for server connections: rustls with the ring provider; certificate chain and key from PEM files.
use pamir_types::{Error, Result, err};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;

fn bad(what: &str, path: &Path, e: impl std::fmt::Display) -> Error {
    err!(CONFIG_FILE_ERROR, "could not load {what} file \"{}\": {e}", path.display())
}

/// F0000 with the file's name when one cannot be read, holds nothing, or the two do not belong together.
pub fn load(cert: &Path, key: &Path) -> Result<Arc<ServerConfig>> {
    let certs = CertificateDer::pem_file_iter(cert).map_err(|e| bad("server certificate", cert, e))?;
    let certs: Vec<_> = certs.collect::<std::result::Result<_, _>>().map_err(|e| bad("server certificate", cert, e))?;
    if certs.is_empty() {
        return Err(bad("server certificate", cert, "no certificate found"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|e| bad("private key", key, e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| err!(CONFIG_FILE_ERROR, "could not set up TLS: {e}"))?
        .with_no_client_auth()
        .with_single_cert(certs, private)
        .map_err(|e| bad("private key", key, e))?;
    Ok(Arc::new(config))
}
