//! The plainest client of PostgreSQL's protocol: one simple query, one value.
//!
//! Passwords come from PGPASSWORD, in SCRAM-SHA-256 without channel binding. Limits: no TLS: for a server on this machine, or in a network that is one's own.
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pamir_pg::scram::hmac;
use pamir_storage::platform::{Platform, Real};
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A server that does not take the connection is given up.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// Longer messages are none that this client asked for.
const LONGEST: usize = 1 << 20;
/// A server that asks for more rounds wants the client's time, not its password.
const MOST_ROUNDS: u32 = 1 << 20;

pub struct Client(BufReader<TcpStream>);

fn lost(e: std::io::Error) -> String {
    format!("the connection to the server was lost: {e}")
}
fn odd() -> String {
    "the server's answer makes no sense".into()
}
impl Client {
    pub fn connect(addr: &str, user: &str, database: &str) -> Result<Client, String> {
        use std::net::ToSocketAddrs;
        let cannot = |e: std::io::Error| {
            format!("could not connect to the server at {addr}: {e}. Is it running? Name its address with --pg-addr.")
        };
        let mut found = addr.to_socket_addrs().map_err(cannot)?;
        let at = found.next().ok_or_else(|| format!("{addr} has no address"))?;
        let s = TcpStream::connect_timeout(&at, CONNECT_PATIENCE).map_err(cannot)?;
        let mut body = 196_608i32.to_be_bytes().to_vec();
        for v in ["user", user, "database", database, "application_name", "pamir backup"] {
            body.extend_from_slice(v.as_bytes());
            body.push(0);
        }
        body.push(0);
        let mut c = Client(BufReader::new(s));
        c.write(None, &body)?;
        c.authenticate()?;
        while c.read()?.0 != b'Z' {}
        Ok(c)
    }
    fn write(&mut self, kind: Option<u8>, body: &[u8]) -> Result<(), String> {
        let mut m: Vec<u8> = kind.into_iter().collect();
        m.extend_from_slice(&((body.len() + 4) as i32).to_be_bytes());
        m.extend_from_slice(body);
        self.0.get_mut().write_all(&m).map_err(lost)
    }
    /// The next message; an error of the server is one here.
    fn read(&mut self) -> Result<(u8, Vec<u8>), String> {
        let mut head = [0; 5];
        self.0.read_exact(&mut head).map_err(lost)?;
        let [kind, len @ ..] = head;
        let len = (u32::from_be_bytes(len) as usize).checked_sub(4).filter(|n| *n <= LONGEST).ok_or_else(odd)?;
        let mut body = vec![0; len];
        self.0.read_exact(&mut body).map_err(lost)?;
        if kind == b'E' { Err(error(&body)) } else { Ok((kind, body)) }
    }
    fn authenticate(&mut self) -> Result<(), String> {
        let password = || {
            std::env::var("PGPASSWORD").map_err(|_| "the server asks for a password: give it in PGPASSWORD".to_string())
        };
        loop {
            let (kind, body) = self.read()?;
            let (Some(b'R'), Some((what, rest))) = (Some(kind), body.split_first_chunk::<4>()) else {
                return Err(odd());
            };
            match u32::from_be_bytes(*what) {
                0 => return Ok(()),
                3 => {
                    let mut p = password()?.into_bytes();
                    p.push(0);
                    self.write(Some(b'p'), &p)?;
                }
                10 => self.scram(rest, &password()?)?,
                _ => return Err("the server asks for a kind of authentication that this client does not have".into()),
            }
        }
    }
    /// RFC 5802 and 7677, from the server's list of mechanisms on.
    fn scram(&mut self, mechanisms: &[u8], password: &str) -> Result<(), String> {
        if !mechanisms.split(|b| *b == 0).any(|m| m == b"SCRAM-SHA-256") {
            return Err("the server does not take SCRAM-SHA-256".into());
        }
        let mut nonce = [0; 18];
        Real.random(&mut nonce).map_err(|e| e.message().to_string())?;
        let nonce = BASE64_STANDARD.encode(nonce);
        let first = format!("n=,r={nonce}");
        let mut m = b"SCRAM-SHA-256\0".to_vec();
        m.extend_from_slice(&((first.len() + 3) as i32).to_be_bytes());
        m.extend_from_slice(format!("n,,{first}").as_bytes());
        self.write(Some(b'p'), &m)?;
        let challenge = self.sasl(11)?;
        let part = |name: &str| challenge.split(',').find_map(|p| p.strip_prefix(name)).ok_or_else(odd);
        let (r, salt, rounds) = (part("r=")?, part("s=")?, part("i=")?.parse::<u32>().map_err(|_| odd())?);
        if !r.starts_with(&nonce) || rounds == 0 || rounds > MOST_ROUNDS {
            return Err(odd());
        }
        let salt = BASE64_STANDARD.decode(salt).map_err(|_| odd())?;
        let mut round = hmac(password.as_bytes(), &[&salt, &1u32.to_be_bytes()]);
        let mut salted = round;
        for _ in 1..rounds {
            round = hmac(password.as_bytes(), &[&round]);
            salted.iter_mut().zip(round).for_each(|(s, r)| *s ^= r);
        }
        let key = hmac(&salted, &[b"Client Key"]);
        let last = format!("c=biws,r={r}");
        let said = format!("{first},{challenge},{last}");
        let signature = hmac(&sha256(&key), &[said.as_bytes()]);
        let proof: Vec<u8> = key.iter().zip(signature).map(|(k, s)| k ^ s).collect();
        self.write(Some(b'p'), format!("{last},p={}", BASE64_STANDARD.encode(proof)).as_bytes())?;
        let verdict = self.sasl(12)?;
        let server = hmac(&hmac(&salted, &[b"Server Key"]), &[said.as_bytes()]);
        if verdict.split(',').next() != Some(&format!("v={}", BASE64_STANDARD.encode(server))) {
            return Err("the server does not know the password itself".into());
        }
        Ok(())
    }
    fn sasl(&mut self, kind: u32) -> Result<String, String> {
        let (k, body) = self.read()?;
        match body.split_first_chunk::<4>() {
            Some((what, rest)) if k == b'R' && u32::from_be_bytes(*what) == kind => {
                String::from_utf8(rest.to_vec()).map_err(|_| odd())
            }
            _ => Err(odd()),
        }
    }
    /// The first column of the first row.
    pub fn value(&mut self, sql: &str) -> Result<String, String> {
        let mut body = sql.as_bytes().to_vec();
        body.push(0);
        self.write(Some(b'Q'), &body)?;
        let mut value = None;
        loop {
            let (kind, body) = self.read()?;
            match kind {
                b'D' if value.is_none() => {
                    let len = body.get(2..6).and_then(|b| <[u8; 4]>::try_from(b).ok()).map(u32::from_be_bytes);
                    let bytes = len.and_then(|n| body.get(6..6usize.checked_add(n as usize)?));
                    value = bytes.map(|b| String::from_utf8_lossy(b).into_owned());
                }
                b'Z' => return value.ok_or_else(odd),
                _ => {}
            }
        }
    }
}
fn sha256(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}
/// An error as one line: message, detail, hint.
fn error(body: &[u8]) -> String {
    let mut line = String::new();
    for field in body.split(|b| *b == 0) {
        let Some((b'M' | b'D' | b'H', text)) = field.split_first() else { continue };
        if !line.is_empty() {
            line.push_str(if line.ends_with('.') { " " } else { ". " });
        }
        line.push_str(&String::from_utf8_lossy(text));
    }
    line
}
