//! TLS between nodes: version 1.3, both sides with certificates of the cluster's authority; and what its errors mean, in words.
//!
//! - The side that is dialled asks for a certificate, too; either side trusts what the authority's key signed, and nothing else. The one that dials also checks that the certificate is for the host it
//!   dialled, so a node's key does not serve to stand in for another node.
//! - No resumption, no tickets: every connection proves both keys and looks at both certificates' dates.
//! - The side that refuses a certificate knows why and says so; the other one is told by an alert, and says the same of its own certificate (`explain`).
//!
//! Limits: the dates are looked at when a connection begins. One that stands goes on after its certificate has expired.
use crate::cert::{self, Certificate, NodeCertificates};
use pamir_error::{Error, Result, err};
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::server::WebPkiClientVerifier;
use rustls::{
    AlertDescription, CertificateError, ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig,
    ServerConnection,
};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// A node's certificates, ready for use.
#[derive(Clone)]
pub struct Tls {
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
    own: Arc<Certificate>,
}
impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tls({:?})", self.own)
    }
}

fn unusable(e: impl fmt::Display) -> Error {
    err!(CONFIG_FILE_ERROR, "could not use the node's certificates: {e}")
}

impl Tls {
    /// F0000 where a file cannot be used, or the key is not the certificate's.
    pub fn load(ca: &Path, certificate: &Path, key: &Path) -> Result<Tls> {
        Tls::new(cert::load(ca, certificate, key)?)
    }
    pub fn new(files: NodeCertificates) -> Result<Tls> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let versions = &[&rustls::version::TLS13];
        let mut roots = RootCertStore::empty();
        for ca in files.ca {
            roots.add(ca).map_err(unusable)?;
        }
        let roots = Arc::new(roots);
        let verifier = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone());
        let mut server = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(versions)
            .map_err(unusable)?
            .with_client_cert_verifier(verifier.build().map_err(unusable)?)
            .with_single_cert(files.chain.clone(), files.key.clone_key())
            .map_err(unusable)?;
        server.send_tls13_tickets = 0;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .map_err(unusable)?
            .with_root_certificates(roots)
            .with_client_auth_cert(files.chain, files.key)
            .map_err(unusable)?;
        client.resumption = Resumption::disabled();
        Ok(Tls { server: Arc::new(server), client: Arc::new(client), own: Arc::new(files.own) })
    }
    /// The node's own certificate.
    pub fn own(&self) -> &Certificate {
        &self.own
    }
    /// The side that was dialled.
    pub(super) fn accept(&self) -> Result<Connection> {
        let c = ServerConnection::new(self.server.clone())
            .map_err(|e| Error::internal(format!("could not start TLS: {e}")))?;
        Ok(c.into())
    }
    /// The side that dials `address`, HOST:PORT.
    pub(super) fn dial(&self, address: &str) -> Result<Connection> {
        let name = ServerName::try_from(host(address).to_string())
            .map_err(|_| err!(INVALID_PARAMETER_VALUE, "\"{}\" is no host name", host(address).escape_debug()))?;
        let c = ClientConnection::new(self.client.clone(), name)
            .map_err(|e| Error::internal(format!("could not start TLS: {e}")))?;
        Ok(c.into())
    }
}

/// The host of HOST:PORT, without the brackets of an IPv6 address.
pub(super) fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(h, _)| h);
    host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host)
}

/// What went wrong between this node and the one at `other`.
pub(super) fn explain(e: &io::Error, other: &str, tls: Option<&Tls>) -> Error {
    if let Some(tls_error) = e.get_ref().and_then(|e| e.downcast_ref::<rustls::Error>()) {
        return explain_tls(tls_error, other, tls);
    }
    let what = match e.kind() {
        io::ErrorKind::ConnectionRefused => format!("could not connect to {other}: connection refused"),
        _ => format!("connection to {other} failed: {e}"),
    };
    err!(CONNECTION_FAILURE, "{what}")
}
fn explain_tls(e: &rustls::Error, other: &str, tls: Option<&Tls>) -> Error {
    let identity = |m: String| err!(INVALID_AUTHORIZATION_SPECIFICATION, "{m}");
    let own = tls.map(Tls::own);
    match e {
        rustls::Error::InvalidCertificate(c) => {
            match c {
                CertificateError::ExpiredContext { not_after, .. } => {
                    identity(format!("certificate of {other} expired on {}", cert::shown(not_after.as_secs() as i64)))
                        .hint("Make a new one with \"pamir cert\" and give it to that node.")
                }
                CertificateError::Expired => identity(format!("certificate of {other} expired")),
                CertificateError::NotValidYetContext { not_before, .. } => identity(format!(
                    "certificate of {other} is not valid before {}",
                    cert::shown(not_before.as_secs() as i64)
                ))
                .hint("Compare the clocks of the two nodes."),
                CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                    identity(format!("certificate of {other} is not signed by this cluster's CA"))
                        .hint("All nodes of a cluster need certificates of one CA, and its ca.crt.")
                }
                CertificateError::NotValidForNameContext { presented, .. } => identity(format!(
                    "certificate of {other} is for another host"
                ))
                .detail(format!("It is for {}.", presented.join(", ")))
                .hint("Name all the hosts and addresses under which a node is dialled when its certificate is made."),
                c => identity(format!("certificate of {other} is not accepted: {c}")),
            }
        }
        rustls::Error::NoCertificatesPresented => identity(format!("{other} showed no certificate"))
            .hint("All nodes of a cluster need certificates of one CA, or none does (--insecure)."),
        rustls::Error::AlertReceived(alert) => refused(*alert, other, own),
        rustls::Error::InvalidMessage(_) => {
            err!(PROTOCOL_VIOLATION, "{other} does not speak TLS, and this node does: {e}")
                .hint("All nodes of a cluster need certificates, or none does (--insecure).")
        }
        e => err!(PROTOCOL_VIOLATION, "TLS with {other} failed: {e}"),
    }
}
/// The other side has ended it: mostly because of our certificate.
fn refused(alert: AlertDescription, other: &str, own: Option<&Certificate>) -> Error {
    let identity = |m: String| err!(INVALID_AUTHORIZATION_SPECIFICATION, "{m}");
    let expired = own.filter(|c| c.left(SystemTime::now()).is_none());
    match (alert, own) {
        (AlertDescription::CertificateExpired, Some(own)) if expired.is_some() => {
            identity(format!("{other} refused this node's certificate, which expired on {}", own.expires()))
                .hint("Make a new one with \"pamir cert\".")
        }
        (AlertDescription::CertificateExpired, _) => {
            identity(format!("{other} refused this node's certificate as expired, or not valid yet"))
                .hint("Compare the clocks of the two nodes.")
        }
        (AlertDescription::UnknownCA | AlertDescription::DecryptError, _) => identity(format!(
            "{other} refused this node's certificate: it is not signed by the CA of that node's cluster"
        ))
        .hint("All nodes of a cluster need certificates of one CA, and its ca.crt."),
        (AlertDescription::BadCertificate, Some(own)) => {
            identity(format!("{other} refused this node's certificate, \"{}\": it may be for another host", own.name))
                .hint("Name all the hosts and addresses under which a node is dialled when its certificate is made.")
        }
        (alert, _) => identity(format!("{other} ended the TLS connection: {alert:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (address, want) in [
            ("a.b:1", "a.b"),
            ("127.0.0.1:65535", "127.0.0.1"),
            ("[::1]:5", "::1"),
            ("a", "a"),
            ("", ""),
            ("[::1", "[:"),
        ] {
            assert_eq!(host(address), want);
        }
    }
}
