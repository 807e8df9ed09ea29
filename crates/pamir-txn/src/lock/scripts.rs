//! The lock manager by golden scripts (`tests/scripts/locks`): who gets what, who waits for whom, what a release hands on.
//!
//! ```text
//! > @A row k update            locks a row of the tree: key-share, share, no-key-update, for-update, update; then nowait or skip
//! > @A range b d               locks [b, d) shared; `-` for d: to the end
//! > @A table 7 access-share    locks a table in PostgreSQL's modes; then nowait
//! > @A mark, @A back           a savepoint, and everything after it given back
//! > @A escalate 5              takes the whole tree where there are more row locks than that
//! > @A held, @A end            what it holds; gives all back
//! > locks                      the tables as `pg_locks` shows them, with who stands in the way
//! ```
//! A session is a thread; `(waits)`: it stands in the graph and is not granted. What it is told later is printed under the step after which that came.
use super::tests::Actor;
use super::*;
use pamir_testkit::golden::{self, Step};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::task::Waker;
use std::time::Duration;

/// How often, and how far apart, a session is found waiting before that is believed: it may still be about to find a deadlock.
const LOOKS: usize = 12;
const PAUSE: Duration = Duration::from_millis(4);

struct Session {
    owner: Arc<Owner>,
    steps: Sender<String>,
    replies: Receiver<String>,
    waits: bool,
}
struct Locks {
    lm: Arc<LockManager>,
    sessions: BTreeMap<String, Session>,
}
fn row_mode(s: &str) -> RowLock {
    match s {
        "key-share" => RowLock::KeyShare,
        "share" => RowLock::Share,
        "no-key-update" => RowLock::NoKeyUpdate,
        "for-update" => RowLock::ForUpdate,
        "update" => RowLock::Update,
        other => panic!("{other} is no row lock"),
    }
}
fn table_mode(s: &str) -> TableLock {
    let name = |m: &TableLock| m.name().trim_end_matches("Lock").to_lowercase();
    let wanted = s.replace('-', "");
    TableLock::ALL.into_iter().find(|m| name(m) == wanted).unwrap_or_else(|| panic!("{s} is no table lock"))
}
fn policy(word: Option<&&str>) -> WaitPolicy {
    match word {
        Some(&"nowait") => WaitPolicy::NoWait,
        Some(&"skip") => WaitPolicy::Skip,
        _ => WaitPolicy::Block,
    }
}
fn text(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}

fn act(lm: &LockManager, a: &mut Actor, mark: &mut LockMark, step: &str) -> pamir_error::Result<String> {
    let words: Vec<&str> = step.split_whitespace().collect();
    let end = |s: &str| (s != "-").then(|| s.as_bytes().to_vec());
    let mut wake: Vec<Waker> = Vec::new();
    let granted = match words[..] {
        ["row", key, mode, ..] => a.row(lm, key.as_bytes(), row_mode(mode), policy(words.get(3)), None)?,
        ["rows", from, to, mode] => {
            for i in from.parse::<u8>().unwrap()..to.parse::<u8>().unwrap() {
                a.row(lm, i.to_string().as_bytes(), row_mode(mode), WaitPolicy::NoWait, None)?;
            }
            LockOutcome::Granted
        }
        ["range", lo, hi] => {
            a.range(lm, lo.as_bytes(), end(hi).as_deref(), None)?;
            LockOutcome::Granted
        }
        ["table", n, mode, ..] => {
            let (n, mode) = (n.parse().unwrap(), table_mode(mode));
            let p = Patience { lock_timeout: None, deadline: None, cancel: &a.cancel };
            let got = lm.lock_table(&a.owner, n, mode, policy(words.get(3)), &p)?;
            if got == LockOutcome::Granted {
                a.held.add_table(n, mode);
            }
            got
        }
        ["mark"] => {
            *mark = a.held.mark();
            return Ok("marked".into());
        }
        ["back"] => {
            a.held.release_to(*mark, &a.owner, lm, &mut wake);
            wake.into_iter().for_each(Waker::wake);
            return Ok("given back to the mark".into());
        }
        ["escalate", limit] => {
            let freed = a.held.escalate(&a.owner, lm, limit.parse().unwrap());
            return Ok(if freed > 0 { "the whole tree".into() } else { "row by row still".into() });
        }
        ["held"] => {
            let mut lines: Vec<String> = a.held.rows().map(|(_, k, m)| format!("row {}: {m:?}", text(k))).collect();
            lines.extend(a.held.wholes().map(|(_, m)| format!("every row: {m:?}")));
            let hi = |h: Option<&[u8]>| h.map_or("the end".into(), text);
            lines.extend(a.held.ranges().map(|(_, l, h)| format!("range {} to {}", text(l), hi(h))));
            lines.extend(a.held.tables().map(|(t, m)| format!("table {t}: {}", m.name())));
            lines.sort();
            return Ok(if lines.is_empty() { "nothing".into() } else { lines.join("\n") });
        }
        ["end"] => {
            a.end(lm);
            return Ok("ended".into());
        }
        _ => panic!("{step} is no step"),
    };
    Ok(format!("{granted:?}").to_lowercase())
}

impl Locks {
    fn session(&mut self, name: &str) -> &mut Session {
        let lm = self.lm.clone();
        self.sessions.entry(name.into()).or_insert_with(|| {
            let mut actor = Actor::new(u64::from(name.as_bytes()[0] - b'A') + 1);
            let ((steps, inbox), (outbox, replies)) = (channel::<String>(), channel());
            let owner = actor.owner.clone();
            std::thread::spawn(move || {
                let mut mark = LockMark::default();
                for step in inbox {
                    let reply = act(&lm, &mut actor, &mut mark, &step).unwrap_or_else(|e| {
                        let detail = e.data().detail.as_ref().map_or(String::new(), |d| format!("\n{d}"));
                        format!("{}: {}{detail}", e.code().as_str(), e.message())
                    });
                    if outbox.send(reply).is_err() {
                        break;
                    }
                }
                actor.end(&lm);
            });
            Session { owner, steps, replies, waits: false }
        })
    }
    /// The session's reply, if it does not wait.
    fn reply(&self, name: &str) -> Option<String> {
        let s = &self.sessions[name];
        let mut looks = 0;
        while looks < LOOKS {
            match s.replies.recv_timeout(PAUSE) {
                Ok(reply) => return Some(reply),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("session {name} broke"),
            }
            let stands = self.lm.waiting().iter().any(|(o, _)| o.id == s.owner.id);
            looks = if stands && !s.owner.granted() { looks + 1 } else { 0 };
        }
        None
    }
    fn locks(&self) -> String {
        let (rows, ranges, waiting) = self.lm.counts();
        let name = |id: u64| char::from(b'A' - 1 + id as u8);
        let mut lines: Vec<String> = self
            .lm
            .report()
            .into_iter()
            .map(|l| {
                let on = match l.on {
                    LockTarget::Table(t) => format!("table {t}"),
                    LockTarget::Row(_) => "row".into(),
                };
                let mut by: Vec<String> = l.blockers.iter().map(|b| name(b.1).to_string()).collect();
                by.sort();
                let by = if l.granted { String::new() } else { format!(" waits for {}", by.join(", ")) };
                format!("{} {on} {}{by}", name(l.txn), l.mode)
            })
            .collect();
        lines.sort();
        lines.insert(0, format!("{rows} rows, {ranges} ranges, {waiting} waiting"));
        self.lm.assert_compatible();
        lines.join("\n")
    }
    fn step(&mut self, step: &Step) -> String {
        if step.session.is_empty() {
            assert_eq!(step.text, "locks");
            return self.locks();
        }
        let s = self.session(&step.session);
        assert!(!s.waits, "{} still waits at: {}", step.session, step.text);
        s.steps.send(step.text.clone()).expect("the session's thread");
        let reply = self.reply(&step.session);
        self.session(&step.session).waits = reply.is_none();
        let mut out = reply.unwrap_or_else(|| "(waits)".into());
        // Who is told something may let others go on.
        let mut waiting: Vec<String> =
            self.sessions.iter().filter(|s| s.1.waits && *s.0 != step.session).map(|s| s.0.clone()).collect();
        waiting.sort();
        for name in waiting {
            if let Some(reply) = self.reply(&name) {
                self.session(&name).waits = false;
                let _ = write!(out, "\n{name} resumes: {reply}");
            }
        }
        out
    }
}

#[test]
fn locks() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/locks");
    let make = |_: &str| Locks { lm: Arc::new(LockManager::new()), sessions: BTreeMap::new() };
    golden::run(&dir, make, |m, s| m.step(s));
}
