//! TLS for server connections: rustls with the ring provider; certificate chain and key from PEM files.
use pamir_error::{Error, Result, err};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use std::path::Path;
use std::sync::Arc;

/// What protects a connection.
#[derive(Clone)]
pub struct Tls {
    pub config: Arc<ServerConfig>,
    /// Channel binding data of the type tls-server-end-point (RFC 5929): the hash of the server's certificate. None: the certificate's signature names no hash.
    pub end_point: Option<Arc<[u8]>>,
}

/// The value of the DER element at the start of `b`, if it has the tag, and what follows it.
fn element(b: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&first, rest) = b.split_first()?;
    let (&n, rest) = rest.split_first()?;
    let (len, rest) = match n {
        0..=0x7f => (usize::from(n), rest),
        0x81..=0x84 => {
            let (len, rest) = rest.split_at_checked(usize::from(n & 0x7f))?;
            (len.iter().fold(0, |l, b| l << 8 | usize::from(*b)), rest)
        }
        _ => return None,
    };
    let (value, rest) = rest.split_at_checked(len)?;
    (first == tag).then_some((value, rest))
}

/// Hash of a certificate for tls-server-end-point: that of its signature, SHA-256 where that is MD5 or SHA-1 (RFC 5929, section 4.1).
///
/// ```text
/// SEQUENCE { SEQUENCE to be signed, SEQUENCE { OBJECT IDENTIFIER of the signature's algorithm, ... }, ... }
/// ```
fn end_point(certificate: &[u8]) -> Option<Arc<[u8]>> {
    const SEQUENCE: u8 = 0x30;
    const OBJECT_IDENTIFIER: u8 = 6;
    let (all, _) = element(certificate, SEQUENCE)?;
    let (_, rest) = element(all, SEQUENCE)?;
    let (algorithm, _) = element(rest, SEQUENCE)?;
    let (oid, _) = element(algorithm, OBJECT_IDENTIFIER)?;
    // 1.2.840.113549.1.1 (PKCS #1), 1.2.840.10045.4 (ECDSA).
    let bits = match oid {
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, kind] => match kind {
            4 | 5 | 11 => 256,
            12 => 384,
            13 => 512,
            14 => 224,
            _ => return None,
        },
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 1] => 256,
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, kind] => match kind {
            1 => 224,
            2 => 256,
            3 => 384,
            4 => 512,
            _ => return None,
        },
        _ => return None,
    };
    Some(match bits {
        224 => Sha224::digest(certificate)[..].into(),
        256 => Sha256::digest(certificate)[..].into(),
        384 => Sha384::digest(certificate)[..].into(),
        _ => Sha512::digest(certificate)[..].into(),
    })
}

fn bad(what: &str, path: &Path, e: impl std::fmt::Display) -> Error {
    err!(CONFIG_FILE_ERROR, "could not load {what} file \"{}\": {e}", path.display())
}

/// F0000 with the file's name when one cannot be read, holds nothing, or the two do not belong together.
pub fn load(cert: &Path, key: &Path) -> Result<Tls> {
    let certs = CertificateDer::pem_file_iter(cert).map_err(|e| bad("server certificate", cert, e))?;
    let certs: Vec<_> = certs.collect::<std::result::Result<_, _>>().map_err(|e| bad("server certificate", cert, e))?;
    if certs.is_empty() {
        return Err(bad("server certificate", cert, "no certificate found"));
    }
    let end_point = certs.first().and_then(|c| end_point(c));
    let private = PrivateKeyDer::from_pem_file(key).map_err(|e| bad("private key", key, e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| err!(CONFIG_FILE_ERROR, "could not set up TLS: {e}"))?
        .with_no_client_auth()
        .with_single_cert(certs, private)
        .map_err(|e| bad("private key", key, e))?;
    Ok(Tls { config: Arc::new(config), end_point })
}
