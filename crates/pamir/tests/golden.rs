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
//! `UPDATE_GOLDEN=1` rewrites the expectations; `GOLDEN_TARGET=host:port` runs the scripts against another server. The expectations of `scripts/sql` and
//! `scripts/isolation` were made by PostgreSQL 15 that way, so the test is also the differential check: it counts the steps whose whole reply agrees.
mod wire;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wire::{Conn, Server};

/// How long a step may stay silent before it counts as waiting, in milliseconds.
const WAITS_AFTER_MS: u64 = 400;

struct Step {
    /// Comments and blank lines above the step.
    lead: String,
    session: String,
    sql: String,
    /// Lines for COPY FROM STDIN.
    data: String,
    expected: Vec<String>,
}

fn parse(text: &str) -> (Vec<Step>, String) {
    let (mut steps, mut lead): (Vec<Step>, String) = (Vec::new(), String::new());
    let mut in_statement = false;
    for line in text.lines() {
        if let Some(sql) = line.strip_prefix("> ") {
            if in_statement {
                let s = steps.last_mut().expect("a step");
                s.sql.push('\n');
                s.sql.push_str(sql);
                continue;
            }
            let (session, sql) = match sql.strip_prefix('@').and_then(|r| r.split_once(' ')) {
                Some((s, rest)) => (s.to_string(), rest.to_string()),
                None => (String::new(), sql.to_string()),
            };
            steps.push(Step {
                lead: std::mem::take(&mut lead),
                session,
                sql,
                data: String::new(),
                expected: Vec::new(),
            });
            in_statement = true;
        } else if let (true, Some(data)) = (in_statement, line.strip_prefix("< ")) {
            let s = steps.last_mut().expect("a step");
            let _ = writeln!(s.data, "{data}");
        } else if line.starts_with('#') || line.is_empty() {
            in_statement = false;
            let _ = writeln!(lead, "{line}");
        } else {
            in_statement = false;
            if let Some(s) = steps.last_mut() {
                s.expected.push(line.to_string());
            }
        }
    }
    (steps, lead)
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
            step.sql
        );
        let c = sessions.entry(step.session.clone()).or_insert_with(|| Conn::connect(addr, "postgres", database));
        c.copy_in(&step.data);
        c.send(&step.sql);
        // Scripts of one session cannot wait for another.
        let patience =
            if step.session.is_empty() { Duration::from_secs(60) } else { Duration::from_millis(WAITS_AFTER_MS) };
        match c.finish(Some(patience)) {
            Some(reply) => lines.extend(reply),
            None => {
                lines.push("(waits)".into());
                waiting.push(step.session.clone());
            }
        }
        for name in std::mem::take(&mut waiting) {
            let fresh = name == step.session;
            let reply = if fresh {
                None
            } else {
                sessions.get_mut(&name).and_then(|c| c.finish(Some(Duration::from_millis(WAITS_AFTER_MS))))
            };
            match reply {
                Some(reply) => {
                    lines.push(format!("{name} resumes:"));
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
        // Blank lines would end the expectation when it is read again.
        out.push(
            lines
                .into_iter()
                .map(|l| if l.is_empty() || l.starts_with('#') || l.starts_with("> ") { format!("|{l}") } else { l })
                .collect(),
        );
    }
    out
}

fn scripts(dir: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(dir);
    let mut v: Vec<PathBuf> = std::fs::read_dir(&root)
        .expect("scripts")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "sql"))
        .collect();
    v.sort();
    v
}

/// Runs all scripts of `dir`; returns (steps, steps that agree, report of the others).
fn check(dir: &str) -> (usize, usize, String) {
    let target = std::env::var("GOLDEN_TARGET").ok();
    let only = std::env::var("GOLDEN_ONLY").ok();
    let update = std::env::var("UPDATE_GOLDEN").is_ok();
    let server = if target.is_none() { Some(Server::start()) } else { None };
    let addr = target.unwrap_or_else(|| server.as_ref().expect("server").addr.clone());
    let (mut total, mut same, mut report) = (0, 0, String::new());
    for path in scripts(dir) {
        let name = path.file_stem().and_then(|s| s.to_str()).expect("name").to_string();
        if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
            continue;
        }
        let (steps, tail) = parse(&std::fs::read_to_string(&path).expect("script"));
        let replies = run(&addr, &format!("golden_{dir}_{name}"), &steps);
        if update {
            let mut text = String::new();
            for (s, r) in steps.iter().zip(&replies) {
                text.push_str(&s.lead);
                for (i, l) in s.sql.lines().enumerate() {
                    let tag = if i == 0 && !s.session.is_empty() { format!("@{} ", s.session) } else { String::new() };
                    let _ = writeln!(text, "> {tag}{l}");
                }
                for l in s.data.lines() {
                    let _ = writeln!(text, "< {l}");
                }
                for l in r {
                    let _ = writeln!(text, "{l}");
                }
            }
            text.push_str(&tail);
            std::fs::write(&path, text).expect("write script");
            continue;
        }
        for (s, r) in steps.iter().zip(&replies) {
            total += 1;
            if &s.expected == r {
                same += 1;
            } else {
                let _ = writeln!(
                    report,
                    "{dir}/{name}: {}\n  expected: {}\n  got:      {}",
                    s.sql,
                    s.expected.join("\n            "),
                    r.join("\n            ")
                );
            }
        }
    }
    (total, same, report)
}

/// Isolation levels: every step must be exactly as recorded.
#[test]
fn isolation() {
    let (total, same, report) = check("isolation");
    assert!(same == total, "{same} of {total} steps agree\n{report}");
}

/// Serializable: strict two-phase locking. The expectations are Pamir's own, each read for anomalies: none of G0 to G2 may occur; a reader waits for a
/// writer where PostgreSQL would go on and fail later, and the victim of a deadlock gets 40P01.
#[test]
fn serializable() {
    let (total, same, report) = check("serializable");
    assert!(same == total, "{same} of {total} steps agree\n{report}");
}

/// The steps that are known to differ, one a line: `script: statement`, the statement's first [`KNOWN_WIDTH`] characters of its first line.
const KNOWN: &str = "tests/scripts/known_differences.txt";
const KNOWN_WIDTH: usize = 160;

/// Every step is PostgreSQL 15's answer, but for those that a file lists: neither may one differ that is not in it, nor may one be in it that agrees.
#[test]
fn agrees_with_postgresql() {
    let (total, same, report) = check("sql");
    if std::env::var("GOLDEN_ONLY").is_ok() || std::env::var("GOLDEN_TARGET").is_ok() {
        assert!(same == total, "{same} of {total} steps agree\n{report}");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(KNOWN);
    let mut known: Vec<String> =
        std::fs::read_to_string(path).expect(KNOWN).lines().filter(|l| !l.starts_with('#')).map(String::from).collect();
    let differ = report.lines().filter_map(|l| l.strip_prefix("sql/"));
    let short = |l: &str| l.chars().take(KNOWN_WIDTH).collect::<String>().trim_end().to_string();
    let mut new = Vec::new();
    for step in differ.map(short) {
        match known.iter().position(|k| *k == step) {
            Some(i) => drop(known.swap_remove(i)),
            None => new.push(step),
        }
    }
    println!("{same} of {total} steps agree\n{report}");
    assert!(new.is_empty(), "these differ and are not known to:\n{}\n{report}", new.join("\n"));
    assert!(known.is_empty(), "these agree and are listed in {KNOWN} as if they did not:\n{}", known.join("\n"));
}
