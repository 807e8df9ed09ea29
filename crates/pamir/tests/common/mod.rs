//! Starts the real binary on free ports with a temporary directory.
#![allow(dead_code)]
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

pub const BIN: &str = env!("CARGO_BIN_EXE_pamir");
const STOP_LIMIT: Duration = Duration::from_secs(60);

pub struct Pamir {
    pub child: Child,
    pub port: u16,
}

pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut c = Command::new(BIN);
    c.arg("start").arg("--data-dir").arg(dir).args(["--cache-size", "64MiB"]);
    if !args.contains(&"--log-level") {
        // Tests cause errors by the thousand: the log need not repeat them.
        c.args(["--log-level", "warn,pamir::error=off"]);
    }
    if !args.contains(&"--pg-addr") {
        c.args(["--pg-addr", "127.0.0.1:0"]);
    }
    if !args.contains(&"--http-addr") {
        c.args(["--http-addr", "off"]);
    }
    c.args(args).stdout(Stdio::piped());
    c
}

impl Pamir {
    /// Waits for the ready line.
    pub fn start(dir: &Path, args: &[&str]) -> Pamir {
        Pamir::run(command(dir, args))
    }
    /// [`Pamir::start`] after the shell has set a limit, such as `ulimit -n 256`.
    pub fn start_under(limit: &str, dir: &Path, args: &[&str]) -> Pamir {
        let plain = command(dir, args);
        let mut c = Command::new("sh");
        c.arg("-c").arg(format!("{limit} && exec \"$0\" \"$@\"")).arg(BIN).args(plain.get_args());
        c.stdout(Stdio::piped());
        Pamir::run(c)
    }
    /// Of a command made by [`command`].
    pub fn run(mut command: Command) -> Pamir {
        let mut child = command.spawn().expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line
            .strip_prefix("Pamir is ready: postgres://postgres@")
            .unwrap_or_else(|| panic!("no ready line: {line:?}"));
        let port = address.trim_end().strip_suffix("/postgres").unwrap().rsplit(':').next().unwrap().parse().unwrap();
        Pamir { child, port }
    }
    pub fn config(&self) -> String {
        format!("host=127.0.0.1 port={} user=postgres dbname=postgres", self.port)
    }
    pub async fn connect(&self) -> Client {
        connect(&self.config()).await
    }
    pub fn signal(&self, signal: i32) {
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
    }
    pub fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < STOP_LIMIT, "the server did not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    /// SIGTERM; it must exit 0.
    pub fn stop(mut self) {
        self.signal(15);
        assert_eq!(self.wait().code(), Some(0));
    }
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
impl Drop for Pamir {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub async fn connect(config: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(config, NoTls).await.expect("connects");
    tokio::spawn(async move {
        let _ = connection.await;
    });
    client
}

pub fn fresh(args: &[&str]) -> (Pamir, TempDir) {
    let dir = TempDir::new().unwrap();
    (Pamir::start(&dir.path().join("data"), args), dir)
}

/// Runs a start that must fail; its one line of standard error.
pub fn refused(dir: &Path, args: &[&str]) -> String {
    refused_with(1, dir, args)
}
/// As [`refused`], for settings that make no sense: nothing is touched.
pub fn nonsense(dir: &Path, args: &[&str]) -> String {
    let there = dir.exists();
    let e = refused_with(2, dir, args);
    assert_eq!(dir.exists(), there, "{e}");
    assert!(!there || std::fs::read_dir(dir).unwrap().flatten().all(|f| f.file_name() == "pamir.toml"), "{e}");
    e
}
fn refused_with(code: i32, dir: &Path, args: &[&str]) -> String {
    let mut child = command(dir, args).stderr(Stdio::piped()).spawn().unwrap();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code), "{error}");
    assert_eq!(out, "", "no ready line");
    let lines: Vec<&str> = error.lines().filter(|l| l.starts_with("pamir: ")).collect();
    assert_eq!(lines.len(), 1, "one error line: {error}");
    lines[0].to_string()
}

pub fn code(e: &tokio_postgres::Error) -> String {
    e.code().map(|c| c.code().to_string()).unwrap_or_else(|| format!("{e:?}"))
}
