//! `pamir demo`: a cluster of several nodes on this machine, to try: each is a process of its own, in a directory that goes with the demo.
//!
//! The first node begins a cluster, the others join it one after the other. Ports are any free ones of 127.0.0.1; whoever takes one between the look and the start makes the demo fail, which can be
//! started again. SIGINT and SIGTERM end all of it.
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// More make no sense on one machine.
pub const MOST_NODES: u16 = 9;
/// A node of the demo is ready within this time.
const READY: Duration = Duration::from_secs(60);
/// Ended nodes are gone within this time.
const GONE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);
/// Memory for pages, a node.
const CACHE: &str = "64MiB";

/// The nodes; dropped, they end, and their directory goes.
struct Demo {
    dir: PathBuf,
    nodes: Vec<Child>,
}
impl Drop for Demo {
    fn drop(&mut self) {
        for n in &self.nodes {
            if let Ok(pid) = i32::try_from(n.id())
                && let Some(pid) = rustix::process::Pid::from_raw(pid)
            {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            }
        }
        let end = Instant::now() + GONE;
        for n in &mut self.nodes {
            while matches!(n.try_wait(), Ok(None)) && Instant::now() < end {
                std::thread::sleep(LOOK);
            }
            let _ = n.kill();
            let _ = n.wait();
        }
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
fn free_port() -> Result<u16, String> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .map(|a| a.port())
        .map_err(|e| format!("no free port: {e}"))
}
/// Starts a node and waits for its ready line.
fn start(dir: &Path, n: u16, (pg, node): (u16, u16), join: Option<u16>, end: &AtomicBool) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|e| format!("could not start a node: {e}"))?;
    let mut c = Command::new(program);
    c.arg("start").arg("--data-dir").arg(dir.join(n.to_string())).args(["--http-addr", "off", "--log-level", "warn"]);
    c.args([
        "--cache-size",
        CACHE,
        "--pg-addr",
        &format!("127.0.0.1:{pg}"),
        "--node-addr",
        &format!("127.0.0.1:{node}"),
    ]);
    if let Some(j) = join {
        c.args(["--join", &format!("127.0.0.1:{j}")]);
    }
    let log = std::fs::File::create(dir.join(format!("{n}.log")))
        .map_err(|e| format!("could not write a node's log: {e}"))?;
    let mut child = c
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(|e| format!("could not start a node: {e}"))?;
    let (said, hear) = channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            // To its end: a node must never find its output closed.
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = said.send(line);
            }
        });
    }
    let since = Instant::now();
    while since.elapsed() < READY && !end.load(Ordering::SeqCst) {
        if hear.recv_timeout(LOOK).is_ok() {
            return Ok(child);
        }
        if let Ok(Some(status)) = child.try_wait() {
            let log = std::fs::read_to_string(dir.join(format!("{n}.log"))).unwrap_or_default();
            return Err(format!("node {n} ended ({status}): {}", log.lines().last().unwrap_or_default()));
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("node {n} did not get ready"))
}

pub fn demo(nodes: u16) -> Result<(), String> {
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(format!("--nodes {nodes}: must be between 1 and {MOST_NODES}"));
    }
    let end = Arc::new(AtomicBool::new(false));
    for s in [SIGINT, SIGTERM] {
        signal_hook::flag::register(s, end.clone()).map_err(|e| format!("could not handle signals: {e}"))?;
    }
    let dir = std::env::temp_dir().join(format!("pamir-demo-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|e| format!("could not make \"{}\": {e}", dir.display()))?;
    let mut demo = Demo { dir, nodes: Vec::new() };
    let mut first = None;
    let mut lines = Vec::new();
    for n in 1..=nodes {
        let ports = (free_port()?, free_port()?);
        let child = start(&demo.dir, n, ports, first, &end)?;
        first.get_or_insert(ports.1);
        lines.push(format!("node {n}: postgres://postgres@127.0.0.1:{}/postgres  (process {})", ports.0, child.id()));
        demo.nodes.push(child);
    }
    let mut out = std::io::stdout();
    lines.push(
        "Each of them serves every client. Kill the process of one and go on at another. Ctrl-C ends the demo.".into(),
    );
    let _ = writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush());
    while !end.load(Ordering::SeqCst) {
        std::thread::sleep(LOOK);
    }
    Ok(())
}
