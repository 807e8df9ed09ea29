//! Golden scripts: statements with the expected replies under them, for one or several sessions.
//!
//! ```text
//! # comment
//! > select 1 as a            a step; further lines of the statement start with `> ` too
//! a:int4                     the reply: column names and types, rows, tag, errors with SQLSTATE, detail and hint
//! 1
//! SELECT 1
//! > copy t from stdin        what COPY reads follows as `< ` lines
//! < 1\tx
//! > @T2 update t set a = 1   a step of the session T2
//! (waits)                    no reply yet; it is printed under the step after which it came, as `T2 resumes:`
//! ```
//! A session that waits cannot be sent its next step: a script orders its steps so that the wait is over first.
//! They run against the binary, and against a server in this process whose sessions see their data as if it were elsewhere; both must answer alike.
//! `GOLDEN_TARGET=host:port` runs the scripts against another server instead. The expectations of `scripts/sql` and `scripts/isolation` were made by PostgreSQL 15 that way, so the test is
//! also the differential check: it counts the steps whose whole reply agrees. `UPDATE=1` rewrites those only against another server, those of `scripts/serializable` here.
mod wire;

use pamir_sql::session::Database;
use pamir_storage::disk::real::RealDisk;
use pamir_testkit::golden::{self, Script, Step, Verdict};
use pamir_txn::calls::{Calls, Recorder};
use pamir_txn::{Shard, ShardOptions};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wire::{Conn, Server};

/// The environment's variable that names another server.
const TARGET: &str = "GOLDEN_TARGET";
/// How long a step stays silent before it counts as waiting, where the script expects a wait, or expects nothing yet.
const WAITS_AFTER: Duration = Duration::from_millis(400);
/// The same where the script expects a reply: a busy machine or a slow disk must not look like a lock.
const ANSWERS_WITHIN: Duration = Duration::from_secs(60);
/// What a step that waits shows in place of a reply.
const WAITS: &str = "(waits)";
/// What stands above the reply of a session that waited.
fn resumes(session: &str) -> String {
    format!("{session} resumes:")
}

/// A word that begins with a number, its digits replaced.
fn number(w: &str) -> String {
    format!("N{}", w.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Runs one script in a database of its own; returns the replies, step by step.
fn run(addr: &str, database: &str, steps: &[Step]) -> Vec<Vec<String>> {
    let mut admin = Conn::connect(addr, "postgres", "postgres");
    admin.query(&format!("drop database if exists {database}"));
    let made = admin.query(&format!("create database {database}"));
    assert_eq!(made, ["CREATE DATABASE"], "database for the script");
    let mut sessions: BTreeMap<String, Conn> = BTreeMap::new();
    let mut waiting: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for step in steps {
        let mut lines = Vec::new();
        assert!(
            !waiting.contains(&step.session),
            "session {} is still waiting at: {}; so far {out:?}",
            step.session,
            step.text
        );
        let c = sessions.entry(step.session.clone()).or_insert_with(|| Conn::connect(addr, "postgres", database));
        c.copy_in(&step.data);
        c.send(&step.text);
        let patience = |answers: bool| if answers { ANSWERS_WITHIN } else { WAITS_AFTER };
        // Scripts of one session cannot wait for another.
        let alone = step.session.is_empty();
        let expected = |line: &str| !golden::updates() && step.expected.iter().any(|l| l == line);
        let answers = alone || !golden::updates() && !expected(WAITS);
        match c.finish(Some(patience(answers))) {
            Some(reply) => lines.extend(reply),
            None => {
                lines.push(WAITS.into());
                waiting.push(step.session.clone());
            }
        }
        for name in std::mem::take(&mut waiting) {
            let fresh = name == step.session;
            let reply = if fresh {
                None
            } else {
                let patience = patience(expected(&resumes(&name)));
                sessions.get_mut(&name).and_then(|c| c.finish(Some(patience)))
            };
            match reply {
                Some(reply) => {
                    lines.push(resumes(&name));
                    lines.extend(reply);
                }
                None => waiting.push(name),
            }
        }
        // Whose numbers a deadlock's report names changes with everything.
        for l in lines.iter_mut().filter(|l| l.starts_with("DETAIL: Process ")) {
            *l = l
                .split(' ')
                .map(|w| if w.starts_with(|c: char| c.is_ascii_digit()) { number(w) } else { w.into() })
                .collect::<Vec<_>>()
                .join(" ");
        }
        out.push(lines);
    }
    out
}

/// Who answers, where no other server is named.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The binary, over a data directory.
    Binary,
    /// The protocol over sessions that see their data through the face's recording implementation, whose answers come at once.
    Far,
}
/// [`Way::Far`], in this process.
struct Far {
    server: Option<pamir_pg::Server>,
    shard: Arc<Shard>,
    calls: Arc<Calls>,
    _dir: tempfile::TempDir,
}
impl Far {
    fn start() -> Far {
        let dir = tempfile::tempdir().expect("temporary directory");
        let opts = ShardOptions { cache_size: 64 << 20, ..ShardOptions::default() };
        let shard = Shard::open(RealDisk::open(&dir.path().join("data")).expect("disk"), opts).expect("shard");
        let recorder = Recorder::new(shard.clone(), None).expect("recorder");
        let calls = recorder.calls().clone();
        let db = Database::open(Arc::new(recorder)).expect("database");
        let addr = "127.0.0.1:0".parse().expect("an address");
        let server = pamir_pg::Server::start(db, addr, pamir_pg::Config::default()).expect("server");
        Far { server: Some(server), shard, calls, _dir: dir }
    }
    fn addr(&self) -> String {
        self.server.as_ref().map(|s| s.local_addr().to_string()).unwrap_or_default()
    }
}
impl Drop for Far {
    fn drop(&mut self) {
        self.server.take().map(pamir_pg::Server::shutdown);
        let _ = self.shard.close();
    }
}

/// Between nodes there is no FOR UPDATE beside the lock of who takes a key away: who inserts it waits for both.
const NOT_FAR: [&str; 1] = ["insert_beside_locks_rc"];

/// Runs all scripts of `dir`; returns all that came of it. `own`: what is expected is the binary's to say.
fn check(dir: &str, own: bool, way: Way) -> Verdict {
    let target = std::env::var(TARGET).ok();
    let own = own && way == Way::Binary || target.is_some();
    let (mut binary, mut far) = (None, None);
    let addr = target.unwrap_or_else(|| match way {
        Way::Binary => binary.insert(Server::start()).addr.clone(),
        Way::Far => far.insert(Far::start()).addr(),
    });
    let mut all = Verdict::default();
    for path in golden::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(dir), "sql") {
        let script = Script::read(&path);
        if way == Way::Far && NOT_FAR.contains(&&*script.name) {
            continue;
        }
        let replies = run(&addr, &format!("golden_{dir}_{}", script.name), &script.steps);
        let v = script.settle(replies, own);
        all.steps += v.steps;
        all.same += v.same;
        all.differ.extend(v.differ);
        all.report += &v.report;
    }
    assert!(far.is_none_or(|f| f.calls.number() > 0), "the data was elsewhere");
    all
}

/// Every step must be exactly as recorded.
fn all_agree(Verdict { steps, same, report, .. }: Verdict) {
    assert!(same == steps, "{same} of {steps} steps agree\n{report}");
}

/// Isolation levels.
#[test]
fn isolation() {
    all_agree(check("isolation", false, Way::Binary));
}

/// Serializable: strict two-phase locking. The expectations are Pamir's own, each read for anomalies: none of G0 to G2 may occur; a reader waits for a
/// writer where PostgreSQL would go on and fail later, and the victim of a deadlock gets 40P01.
#[test]
fn serializable() {
    all_agree(check("serializable", true, Way::Binary));
}

/// The same answers where every call to data goes elsewhere.
#[test]
fn elsewhere() {
    if std::env::var_os(TARGET).is_none() {
        differ_as_known(check("sql", false, Way::Far));
    }
}
#[test]
fn isolation_elsewhere() {
    if std::env::var_os(TARGET).is_none() {
        all_agree(check("isolation", false, Way::Far));
        all_agree(check("serializable", true, Way::Far));
    }
}

/// The steps that are known to differ, one a line: `script: statement`, the statement's first [`KNOWN_WIDTH`] characters of its first line.
const KNOWN: &str = "tests/scripts/known_differences.txt";
const KNOWN_WIDTH: usize = 160;

#[test]
fn agrees_with_postgresql() {
    differ_as_known(check("sql", false, Way::Binary));
}
/// Every step is PostgreSQL 15's answer, but for those that a file lists: neither may one differ that is not in it, nor may one be in it that agrees.
fn differ_as_known(Verdict { steps, same, report, differ }: Verdict) {
    if golden::picks() || std::env::var_os(TARGET).is_some() {
        assert!(same == steps, "{same} of {steps} steps agree\n{report}");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(KNOWN);
    let mut known: Vec<String> =
        std::fs::read_to_string(path).expect(KNOWN).lines().filter(|l| !l.starts_with('#')).map(String::from).collect();
    let short = |l: &str| l.chars().take(KNOWN_WIDTH).collect::<String>().trim_end().to_string();
    let mut new = Vec::new();
    for step in differ.iter().map(|l| short(l)) {
        match known.iter().position(|k| *k == step) {
            Some(i) => drop(known.swap_remove(i)),
            None => new.push(step),
        }
    }
    println!("{same} of {steps} steps agree\n{report}");
    assert!(new.is_empty(), "these differ and are not known to:\n{}\n{report}", new.join("\n"));
    assert!(known.is_empty(), "these agree and are listed in {KNOWN} as if they did not:\n{}", known.join("\n"));
}
