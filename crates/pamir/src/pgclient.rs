//! A client of the PostgreSQL port for the command line: simple queries, answers as text; trust, password and SCRAM-SHA-256, plain or TLS.
//!
//! `postgres://user:password@host:port,host:port/database?sslmode=...&sslrootcert=FILE` as libpq has it; hosts are tried in order. The password may come from PGPASSWORD.
//! sslmode: `disable`, `prefer` (the default: TLS where the server has it, whoever it is), `require` (TLS, whoever it is), `verify-full` (its certificate must be of the authority in sslrootcert, and for the host).
//!
//! Limits: messages of [`LONGEST`] bytes; nothing but text comes and goes.
use pamir_pg::scram_client::ScramClient;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const PORT: u16 = 5432;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Orders wait up to fifteen seconds for their effect.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
const LONGEST: usize = 64 << 20;
const PROTOCOL: i32 = 196_608;
const SSL_REQUEST: i32 = 80_877_103;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ssl {
    Disable,
    Prefer,
    Require,
    VerifyFull,
}
/// Where to, and as whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    hosts: Vec<(String, u16)>,
    pub user: Option<String>,
    password: Option<String>,
    database: Option<String>,
    ssl: Ssl,
    root: Option<PathBuf>,
    /// How long an answer to a query may take; None: as long as it takes.
    pub patience: Option<Duration>,
}
fn decoded(s: &str) -> Result<String, String> {
    let mut out = Vec::new();
    let mut bytes = s.bytes();
    while let Some(b) = bytes.next() {
        let hex = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match b {
            b'%' => match (hex(bytes.next()), hex(bytes.next())) {
                (Some(a), Some(b)) => out.push((a * 16 + b) as u8),
                _ => return Err(format!("\"{s}\" is not percent-encoded as URLs are")),
            },
            b => out.push(b),
        }
    }
    String::from_utf8(out).map_err(|_| format!("\"{s}\" is not UTF-8"))
}
fn host_and_port(s: &str) -> Result<(String, u16), String> {
    let bad = || format!("\"{s}\" is not HOST:PORT");
    let (host, port) = match s.strip_prefix('[').and_then(|r| r.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':').unwrap_or("")),
        None => s.rsplit_once(':').unwrap_or((s, "")),
    };
    if host.is_empty() {
        return Err(bad());
    }
    let port = if port.is_empty() { PORT } else { port.parse().map_err(|_| bad())? };
    Ok((host.into(), port))
}
impl Target {
    /// HOST:PORT, or several with commas between them.
    pub fn of_hosts(hosts: &str) -> Result<Target, String> {
        let hosts = hosts.split(',').map(host_and_port).collect::<Result<_, _>>()?;
        let (ssl, root, patience) = (Ssl::Prefer, None, Some(ANSWER_TIMEOUT));
        Ok(Target { hosts, user: None, password: None, database: None, ssl, root, patience })
    }
    pub fn parse(url: &str) -> Result<Target, String> {
        let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
        let rest = rest.ok_or("a URL begins with postgres://")?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (who, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        let mut t = Target::of_hosts(if hosts.is_empty() { "127.0.0.1" } else { hosts })?;
        let (user, password) = who.split_once(':').map_or((who, None), |(u, p)| (u, Some(p)));
        t.user = Some(decoded(user)?).filter(|u| !u.is_empty());
        t.password = password.map(decoded).transpose()?;
        t.database = Some(decoded(database)?).filter(|d| !d.is_empty());
        for pair in query.split('&').filter(|p| !p.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value)?;
            match name {
                "sslmode" => {
                    t.ssl = match &*value {
                        "disable" => Ssl::Disable,
                        "allow" | "prefer" => Ssl::Prefer,
                        "require" => Ssl::Require,
                        "verify-ca" | "verify-full" => Ssl::VerifyFull,
                        _ => return Err(format!("sslmode={value}: disable, prefer, require or verify-full is wanted")),
                    };
                }
                "sslrootcert" => t.root = Some(value.into()),
                "user" => t.user = Some(value),
                "password" => t.password = Some(value),
                "dbname" => t.database = Some(value),
                // What concerns other clients.
                _ => {}
            }
        }
        Ok(t)
    }
}

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

/// Believes whoever it is, as `require` says.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);
impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
fn encrypt(socket: TcpStream, host: &str, t: &Target) -> Result<Box<dyn Stream>, String> {
    let bad = |e: &dyn std::fmt::Display| format!("TLS to {host}: {e}");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let config = config.map_err(|e| bad(&e))?;
    let config = if t.ssl == Ssl::VerifyFull {
        let file = t.root.as_ref().ok_or("sslmode=verify-full needs sslrootcert=FILE")?;
        let mut roots = RootCertStore::empty();
        let unreadable = |e: &dyn std::fmt::Display| format!("could not read \"{}\": {e}", file.display());
        for c in CertificateDer::pem_file_iter(file).map_err(|e| unreadable(&e))? {
            roots.add(c.map_err(|e| unreadable(&e))?).map_err(|e| unreadable(&e))?;
        }
        config.with_root_certificates(roots).with_no_client_auth()
    } else {
        config.dangerous().with_custom_certificate_verifier(Arc::new(Anybody(provider))).with_no_client_auth()
    };
    let name = ServerName::try_from(host.to_string()).map_err(|e| bad(&e))?;
    let connection = ClientConnection::new(Arc::new(config), name).map_err(|e| bad(&e))?;
    let mut s = StreamOwned::new(connection, socket);
    s.flush().map_err(|e| bad(&e))?;
    Ok(Box::new(s))
}

/// What a query has given: columns with the OIDs of their types, and rows.
#[derive(Default, Debug)]
pub struct Answer {
    pub columns: Vec<(String, u32)>,
    pub rows: Vec<Vec<Option<String>>>,
}
pub struct Client {
    stream: Box<dyn Stream>,
}
/// The fields of a message, in order; what is not there is empty.
struct Fields<'a>(&'a [u8]);
impl<'a> Fields<'a> {
    fn take(&mut self, n: usize) -> &'a [u8] {
        let (a, b) = self.0.split_at(n.min(self.0.len()));
        self.0 = b;
        a
    }
    fn number(&mut self, bytes: usize) -> i64 {
        let b = self.take(bytes);
        let n = b.iter().fold(0i64, |n, b| n << 8 | i64::from(*b));
        // Two's complement of so many bytes.
        let shift = 64 - 8 * b.len() as u32;
        if b.is_empty() { 0 } else { n << shift >> shift }
    }
    fn string(&mut self) -> String {
        let n = self.0.iter().position(|b| *b == 0).unwrap_or(self.0.len());
        let s = String::from_utf8_lossy(self.take(n)).into_owned();
        self.take(1);
        s
    }
}
fn told(body: &[u8]) -> String {
    let mut f = Fields(body);
    let mut parts = [const { String::new() }; 4];
    loop {
        let slot = match f.take(1).first() {
            None | Some(0) => break,
            Some(b'C') => 0,
            Some(b'M') => 1,
            Some(b'D') => 2,
            Some(b'H') => 3,
            Some(_) => {
                f.string();
                continue;
            }
        };
        parts[slot] = f.string();
    }
    let [code, message, detail, hint] = parts;
    let mut s = message;
    for part in [detail, hint].iter().filter(|p| !p.is_empty()) {
        s.push_str(if s.ends_with(['.', '!', '?']) { " " } else { ". " });
        s.push_str(part);
    }
    format!("{s} ({code})").replace('\n', " ")
}
fn lost(e: io::Error) -> String {
    match e.kind() {
        io::ErrorKind::UnexpectedEof => "the server closed the connection".into(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "the server does not answer".into(),
        _ => format!("the connection was lost: {e}"),
    }
}

impl Client {
    /// The first of the hosts that takes the client.
    pub fn connect(t: &Target) -> Result<Client, String> {
        let mut why = Vec::new();
        for (host, port) in &t.hosts {
            match Client::connect_to(t, host, *port) {
                Ok(c) => return Ok(c),
                Err(e) => why.push(format!("{host}:{port}: {e}")),
            }
        }
        Err(format!("could not connect: {}", why.join("; ")))
    }
    fn connect_to(t: &Target, host: &str, port: u16) -> Result<Client, String> {
        let mut newest = "the name has no address".to_string();
        let mut found = None;
        for a in (host, port).to_socket_addrs().map_err(|e| e.to_string())? {
            match TcpStream::connect_timeout(&a, CONNECT_TIMEOUT) {
                Ok(s) => {
                    found = Some(s);
                    break;
                }
                Err(e) => newest = e.to_string(),
            }
        }
        let mut socket = found.ok_or(newest)?;
        let _ = socket.set_nodelay(true);
        socket.set_read_timeout(Some(ANSWER_TIMEOUT)).map_err(lost)?;
        let own = socket.try_clone().map_err(lost)?;
        let mut stream: Option<Box<dyn Stream>> = None;
        if t.ssl != Ssl::Disable {
            socket.write_all(&[8i32.to_be_bytes(), SSL_REQUEST.to_be_bytes()].concat()).map_err(lost)?;
            let mut answer = [0];
            socket.read_exact(&mut answer).map_err(lost)?;
            match answer[0] {
                b'S' => stream = Some(encrypt(socket.try_clone().map_err(lost)?, host, t)?),
                _ if t.ssl == Ssl::Prefer => {}
                _ => return Err("the server has no TLS".into()),
            }
        }
        let mut c = Client { stream: stream.unwrap_or_else(|| Box::new(socket)) };
        c.begin(t)?;
        own.set_read_timeout(t.patience).map_err(lost)?;
        Ok(c)
    }
    fn begin(&mut self, t: &Target) -> Result<(), String> {
        let user = t.user.as_deref().unwrap_or("postgres");
        let database = t.database.as_deref().unwrap_or("postgres");
        let mut body = PROTOCOL.to_be_bytes().to_vec();
        for s in ["user", user, "database", database, "application_name", "pamir cluster", ""] {
            body.extend_from_slice(s.as_bytes());
            body.push(0);
        }
        let len = (body.len() + 4) as u32;
        self.write(&[&len.to_be_bytes()[..], &body].concat())?;
        let password = || {
            let p = t.password.clone().or_else(|| std::env::var("PGPASSWORD").ok());
            p.ok_or_else(|| format!("the server wants the password of \"{user}\": give it in --url or PGPASSWORD"))
        };
        let mut scram: Option<ScramClient> = None;
        loop {
            let (kind, body) = self.read()?;
            let mut f = Fields(&body);
            match kind {
                b'E' => return Err(told(&body)),
                b'R' => match f.number(4) {
                    0 => {}
                    3 => self.send(b'p', &[password()?.as_bytes(), b"\0"].concat())?,
                    10 => {
                        let s = ScramClient::new(&password()?).map_err(|e| e.message().to_string())?;
                        let first = s.first();
                        let len = (first.len() as u32).to_be_bytes();
                        self.send(b'p', &[b"SCRAM-SHA-256\0", &len[..], first.as_bytes()].concat())?;
                        scram = Some(s);
                    }
                    n @ (11 | 12) => {
                        let s = scram.as_mut().ok_or("the server answers a password that it did not ask for")?;
                        if n == 11 {
                            let answer = s.answer(f.0).map_err(|e| e.message().to_string())?;
                            self.send(b'p', answer.as_bytes())?;
                        } else {
                            s.finish(f.0).map_err(|e| e.message().to_string())?;
                        }
                    }
                    n => return Err(format!("the server wants a way to log in that is not there ({n})")),
                },
                b'Z' => return Ok(()),
                _ => {}
            }
        }
    }
    pub fn query(&mut self, sql: &str) -> Result<Answer, String> {
        self.send(b'Q', &[sql.as_bytes(), b"\0"].concat())?;
        let (mut answer, mut failed) = (Answer::default(), None);
        loop {
            let (kind, body) = self.read().map_err(|e| failed.take().unwrap_or(e))?;
            let mut f = Fields(&body);
            match kind {
                b'E' => failed = Some(told(&body)),
                b'T' => {
                    for _ in 0..f.number(2) {
                        let name = f.string();
                        f.take(6);
                        answer.columns.push((name, f.number(4) as u32));
                        f.take(8);
                    }
                }
                b'D' => {
                    let row = (0..f.number(2)).map(|_| match f.number(4) {
                        n if n < 0 => None,
                        n => Some(String::from_utf8_lossy(f.take(n as usize)).into_owned()),
                    });
                    answer.rows.push(row.collect());
                }
                b'Z' => return failed.map_or(Ok(answer), Err),
                _ => {}
            }
        }
    }
    fn write(&mut self, b: &[u8]) -> Result<(), String> {
        self.stream.write_all(b).and_then(|()| self.stream.flush()).map_err(lost)
    }
    fn send(&mut self, kind: u8, body: &[u8]) -> Result<(), String> {
        let len = (body.len() + 4) as u32;
        self.write(&[&[kind][..], &len.to_be_bytes(), body].concat())
    }
    fn read(&mut self) -> Result<(u8, Vec<u8>), String> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).map_err(lost)?;
        let [kind, len @ ..] = head;
        let len = (u32::from_be_bytes(len) as usize).checked_sub(4).filter(|n| *n <= LONGEST);
        let mut body = vec![0; len.ok_or("the server is none that speaks PostgreSQL's protocol")?];
        self.stream.read_exact(&mut body).map_err(lost)?;
        Ok((kind, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let t = Target::parse(
            "postgres://al%20ice:p%40ss@h1:1,h2,[::1]:3/db?sslmode=verify-full&sslrootcert=/ca.crt&connect_timeout=3",
        );
        let t = t.unwrap();
        assert_eq!(t.hosts, [("h1".into(), 1), ("h2".into(), PORT), ("::1".into(), 3)]);
        assert_eq!((t.user.as_deref(), t.password.as_deref()), (Some("al ice"), Some("p@ss")));
        assert_eq!((t.database.as_deref(), t.ssl), (Some("db"), Ssl::VerifyFull));
        assert_eq!(t.root, Some("/ca.crt".into()));
        let t = Target::parse("postgresql://").unwrap();
        assert_eq!((t.hosts, t.user), (vec![("127.0.0.1".into(), PORT)], None));
        for bad in ["http://x", "postgres://h:port", "postgres://%zz@h", "postgres://h?sslmode=x", "postgres://:5"] {
            assert!(Target::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn errors_as_one_line() {
        let e = b"SERROR\0C55000\0Mno way\0Dbecause.\0Htry\nagain\0\0";
        assert_eq!(told(e), "no way. because. try again (55000)");
        assert_eq!(told(b""), " ()");
        assert_eq!(Fields(&[0xff, 0xff, 0xff, 0xff]).number(4), -1);
        assert_eq!(Fields(&[1, 0]).number(2), 256);
    }
}
