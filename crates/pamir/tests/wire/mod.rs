//! A server under test and the plainest possible client: simple queries over the wire protocol, every reply as lines of text.
//!
//! The text forms are the same whichever server answers, so a script's expected output can be made by PostgreSQL itself.
#![allow(dead_code)]
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A Pamir process on a free port with a directory of its own; killed on drop.
pub struct Server {
    child: Child,
    pub addr: String,
    pub dir: tempfile::TempDir,
}

impl Server {
    pub fn start() -> Server {
        Server::start_in(tempfile::tempdir().expect("temporary directory"))
    }
    pub fn start_in(dir: tempfile::TempDir) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pamir"))
            .args([
                "start",
                "--pg-addr",
                "127.0.0.1:0",
                "--http-addr",
                "127.0.0.1:0",
                "--cache-size",
                "64MiB",
                "--data-dir",
            ])
            .arg(dir.path().join("data"))
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("start pamir");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("ready line");
        let rest = line.split("postgres@").nth(1).unwrap_or_else(|| panic!("no address in the ready line: {line:?}"));
        let addr = rest.split('/').next().unwrap_or("").to_string();
        Server { child, addr, dir }
    }
    pub fn connect(&self) -> Conn {
        Conn::connect(&self.addr, "postgres", "postgres")
    }
    /// kill -9, and the directory to start again in.
    pub fn kill(mut self) -> tempfile::TempDir {
        let _ = self.child.kill();
        let _ = self.child.wait();
        std::mem::replace(&mut self.dir, tempfile::tempdir().expect("temporary directory"))
    }
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Conn {
    s: BufReader<TcpStream>,
    /// Bytes of a message that a read timeout cut in two.
    partial: Vec<u8>,
    lines: Vec<String>,
    /// What the next COPY FROM STDIN reads.
    data: String,
}

fn type_name(oid: u32) -> String {
    // Users' types have other numbers on every server.
    // PostgreSQL numbers the types of extensions as users'.
    if pamir_types::oid::is_of_extension(oid) {
        return "user".into();
    }
    let users = oid >= pamir_types::oid::FIRST_USER;
    pamir_types::oid::type_name(oid).unwrap_or_else(|| if users { "user".into() } else { oid.to_string() })
}

impl Conn {
    pub fn connect(addr: &str, user: &str, database: &str) -> Conn {
        let s = TcpStream::connect(addr).expect("connect");
        s.set_nodelay(true).expect("nodelay");
        let mut body = 196_608i32.to_be_bytes().to_vec();
        for v in ["user", user, "database", database, "client_encoding", "UTF8", "TimeZone", "UTC"] {
            body.extend_from_slice(v.as_bytes());
            body.push(0);
        }
        body.push(0);
        let mut c = Conn { s: BufReader::new(s), partial: Vec::new(), lines: Vec::new(), data: String::new() };
        let mut m = ((body.len() + 4) as i32).to_be_bytes().to_vec();
        m.extend_from_slice(&body);
        c.s.get_mut().write_all(&m).expect("startup");
        c.finish(None).expect("ready after startup");
        c
    }

    pub fn send(&mut self, sql: &str) {
        let mut m = vec![b'Q'];
        m.extend_from_slice(&((sql.len() + 5) as i32).to_be_bytes());
        m.extend_from_slice(sql.as_bytes());
        m.push(0);
        self.s.get_mut().write_all(&m).expect("send");
    }

    /// The reply of a `send` as lines; None when it is not whole after `wait` (call again later). None: wait for ever.
    pub fn finish(&mut self, wait: Option<Duration>) -> Option<Vec<String>> {
        self.s.get_ref().set_read_timeout(wait).expect("timeout");
        loop {
            while self.partial.len() < 5 || self.partial.len() < self.need() {
                let want = if self.partial.len() < 5 { 5 } else { self.need() } - self.partial.len();
                let mut b = vec![0; want];
                match self.s.read(&mut b) {
                    Ok(0) => {
                        self.lines.push("(connection closed)".into());
                        return Some(std::mem::take(&mut self.lines));
                    }
                    Ok(n) => self.partial.extend_from_slice(&b[..n]),
                    Err(e) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                        return None;
                    }
                    Err(e) => {
                        self.lines.push(format!("(connection lost: {})", e.kind()));
                        return Some(std::mem::take(&mut self.lines));
                    }
                }
            }
            let m = std::mem::take(&mut self.partial);
            if self.message(m[0], &m[5..]) {
                return Some(std::mem::take(&mut self.lines));
            }
        }
    }

    /// What has come so far of a reply that is not whole, or unasked.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    fn need(&self) -> usize {
        i32::from_be_bytes([self.partial[1], self.partial[2], self.partial[3], self.partial[4]]) as usize + 1
    }

    fn message(&mut self, kind: u8, b: &[u8]) -> bool {
        let cstr = |at: usize| -> (String, usize) {
            let end = b[at..].iter().position(|c| *c == 0).map_or(b.len(), |n| at + n);
            (String::from_utf8_lossy(&b[at..end]).into_owned(), end + 1)
        };
        match kind {
            b'T' => {
                let (mut at, mut cols) = (2, Vec::new());
                while at < b.len() {
                    let (name, next) = cstr(at);
                    let oid = u32::from_be_bytes([b[next + 6], b[next + 7], b[next + 8], b[next + 9]]);
                    cols.push(format!("{name}:{}", type_name(oid)));
                    at = next + 18;
                }
                self.lines.push(cols.join(" | "));
            }
            b'D' => {
                let n = u16::from_be_bytes([b[0], b[1]]);
                let (mut at, mut cols) = (2, Vec::new());
                for _ in 0..n {
                    let len = i32::from_be_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
                    at += 4;
                    if len < 0 {
                        cols.push("NULL".to_string());
                    } else {
                        cols.push(String::from_utf8_lossy(&b[at..at + len as usize]).replace('\n', "\\n"));
                        at += len as usize;
                    }
                }
                self.lines.push(cols.join(" | "));
            }
            b'C' => self.lines.push(cstr(0).0),
            b'I' => self.lines.push("(empty)".into()),
            b'E' | b'N' => {
                let (mut at, mut f) = (0, std::collections::BTreeMap::new());
                while at < b.len() && b[at] != 0 {
                    let (v, next) = cstr(at + 1);
                    f.insert(b[at], v);
                    at = next;
                }
                let get = |k: u8| f.get(&k).cloned().unwrap_or_default();
                self.lines.push(format!("{} {}: {}", get(b'S'), get(b'C'), get(b'M')));
                if let Some(d) = f.get(&b'D') {
                    self.lines.push(format!("DETAIL: {}", d.replace('\n', "\\n")));
                }
                if let Some(h) = f.get(&b'H') {
                    self.lines.push(format!("HINT: {h}"));
                }
            }
            b'A' => {
                let (channel, next) = cstr(4);
                self.lines.push(format!("(notification) {channel}: {}", cstr(next).0));
            }
            b'Z' => return true,
            b'G' => {
                let data = std::mem::take(&mut self.data);
                if !data.is_empty() {
                    let mut m = vec![b'd'];
                    m.extend_from_slice(&(data.len() as u32 + 4).to_be_bytes());
                    m.extend_from_slice(data.as_bytes());
                    let _ = self.s.get_mut().write_all(&m);
                }
                let _ = self.s.get_mut().write_all(&[b'c', 0, 0, 0, 4]);
            }
            b'd' => self.lines.push(String::from_utf8_lossy(b).trim_end_matches('\n').to_string()),
            _ => {}
        }
        false
    }

    /// What the next COPY FROM STDIN is given.
    pub fn copy_in(&mut self, data: &str) {
        self.data = data.into();
    }
    pub fn query(&mut self, sql: &str) -> Vec<String> {
        self.send(sql);
        self.finish(None).expect("whole reply")
    }
}
