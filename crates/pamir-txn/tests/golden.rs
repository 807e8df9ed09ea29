//! Large commits by golden scripts (`scripts/large`): logged in parts, applied in slices, between other commits.
//!
//! ```text
//! > load 1 400 old             the keys 1 to 400, committed and waited for
//! > @A begin                   a transaction; or `begin repeatable-read`
//! > @A put 5 new, delete 5, fill 1 400 new, erase 1 400
//! > @A get 5, count [value]    reads; rows, or those with a value
//! > @A latest 5                the newest committed version, as a writer sees it
//! > @A submit                  hands the commit in; what came of it says `@A poll`
//! > @A commit, rollback        commits and waits for it; ends
//! > log, apply [turns]         turns of the log and of the applier, which does at most one slice a turn
//! > rest                       both until nothing is left
//! > checkpoint, forget         asks for one and writes all its pages; forgets what nobody can see any more
//! > crash, kill                and open again
//! > stat name                  a counter
//! ```
//! Limits are small: a commit of more than 2,000 bytes is large, a slice has three operations. Nobody waits for a lock: 55P03 instead.
mod common;
use common::*;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::golden::{self, Step};
use pamir_txn::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Turns after which a commit that does not end is taken for stuck.
const MOST_TURNS: usize = 100_000;

struct Session {
    txn: LocalTxn,
    /// REPEATABLE READ's, taken by the first read.
    snapshot: Option<Snapshot>,
    repeatable: bool,
}
struct Machine {
    disk: SimDisk,
    shard: Arc<Shard>,
    tree: TreeId,
    sessions: BTreeMap<String, Session>,
    submitted: BTreeMap<String, Poll>,
}
type Result<T> = pamir_error::Result<T>;
/// What came of a commit that was handed in; None: it is under way.
type Poll = Box<dyn Fn(&Shard) -> Option<Result<Ts>>>;

fn opts() -> ShardOptions {
    ShardOptions { large_commit_bytes: 2000, slice_ops: 3, part_cache: 600, log_segment_size: 8 << 10, ..options() }
}
fn key(s: &str) -> [u8; 4] {
    s.parse::<u32>().expect("a number").to_be_bytes()
}
fn keys(from: &str, to: &str) -> impl Iterator<Item = [u8; 4]> + use<> {
    let n = |s: &str| s.parse::<u32>().expect("a number");
    (n(from)..=n(to)).map(u32::to_be_bytes)
}
fn text(v: &[u8]) -> String {
    String::from_utf8_lossy(v).into_owned()
}

impl Machine {
    fn new() -> Machine {
        let disk = SimDisk::new(1);
        let shard = stepped(&disk, opts());
        let t = begin(&shard, Isolation::ReadCommitted);
        let tree = t.create_tree().expect("a tree");
        t.commit().expect("its commit");
        Machine { disk, shard, tree, sessions: BTreeMap::new(), submitted: BTreeMap::new() }
    }
    fn again(&mut self, crash: bool) -> Result<String> {
        self.sessions.clear();
        self.submitted.clear();
        // The shard must be gone before its disk is read again.
        self.shard = stepped(&SimDisk::new(2), opts());
        if crash {
            self.disk.crash()
        } else {
            self.disk.kill()
        }
        self.shard = stepped(&self.disk, opts());
        Ok("open again".into())
    }
    fn turns(&self, n: usize) -> usize {
        (0..n).map(|_| self.shard.step_applier()).take_while(|n| *n > 0).count()
    }
    fn machine(&mut self, words: &[&str]) -> Result<String> {
        Ok(match *words {
            ["load", from, to, value] => {
                let t = begin(&self.shard, Isolation::ReadCommitted);
                drop(t.statement());
                for k in keys(from, to) {
                    t.put(self.tree, &k, value.as_bytes())?;
                }
                t.commit()?;
                "committed".into()
            }
            ["log"] => format!("{} records", self.shard.step_log()),
            ["apply", ref n @ ..] => {
                let n = n.first().map_or(1, |n| n.parse().expect("turns"));
                match self.turns(n) {
                    0 => "nothing to apply".into(),
                    _ => "applied".into(),
                }
            }
            ["rest"] => {
                for _ in 0..MOST_TURNS {
                    if self.shard.step_log() + self.shard.step_applier() == 0 {
                        return Ok("nothing left".into());
                    }
                }
                panic!("it does not end")
            }
            ["checkpoint"] => {
                self.shard.request_checkpoint();
                while self.shard.step_checkpoint() {}
                "done".into()
            }
            ["forget"] => {
                while self.shard.step_forget()? {}
                "done".into()
            }
            ["crash"] => self.again(true)?,
            ["kill"] => self.again(false)?,
            ["stat", name] => {
                let stats = self.shard.stats();
                stats.iter().find(|s| s.0 == name).map_or("no such counter".into(), |s| s.1.to_string())
            }
            _ => panic!("{words:?} is no step"),
        })
    }
    fn session(&mut self, name: &str, words: &[&str]) -> Result<String> {
        match *words {
            ["begin", ref iso @ ..] => {
                let repeatable = iso.first() == Some(&"repeatable-read");
                let iso = if repeatable { Isolation::RepeatableRead } else { Isolation::ReadCommitted };
                let txn = begin(&self.shard, iso);
                let snapshot = repeatable.then(|| txn.statement());
                self.sessions.insert(name.into(), Session { txn, snapshot, repeatable });
                return Ok("begun".into());
            }
            ["poll"] => {
                let Some(s) = self.submitted.get(name) else { return Ok("nothing was submitted".into()) };
                return Ok(match s(&self.shard) {
                    None => "not yet visible".into(),
                    Some(r) => r.map(|_| "committed".into())?,
                });
            }
            ["submit"] | ["commit"] | ["rollback"] => {
                let Some(s) = self.sessions.remove(name) else { return Ok("no transaction".into()) };
                drop(s.snapshot);
                match words[0] {
                    "submit" => {
                        let submitted = s.txn.submit()?;
                        self.submitted.insert(name.into(), Box::new(move |shard| submitted.poll(shard)));
                        return Ok("submitted".into());
                    }
                    "commit" => s.txn.commit()?,
                    _ => {
                        drop(s.txn);
                        return Ok("rolled back".into());
                    }
                };
                return Ok("committed".into());
            }
            _ => {}
        }
        let tree = self.tree;
        let Some(s) = self.sessions.get_mut(name) else { return Ok("no transaction".into()) };
        if !s.repeatable {
            s.snapshot = Some(s.txn.statement());
        }
        let (txn, Some(snap)) = (&s.txn, s.snapshot.as_ref()) else { return Ok("no snapshot".into()) };
        let mut out = Vec::new();
        Ok(match *words {
            ["put", k, v] => {
                txn.put(tree, &key(k), v.as_bytes())?;
                "put".into()
            }
            ["delete", k] => {
                txn.delete(tree, &key(k))?;
                "deleted".into()
            }
            ["fill", from, to, v] => {
                keys(from, to).try_for_each(|k| txn.put(tree, &k, v.as_bytes()))?;
                "put".into()
            }
            ["erase", from, to] => {
                keys(from, to).try_for_each(|k| txn.delete(tree, &k))?;
                "deleted".into()
            }
            ["get", k] => match txn.get(snap, tree, &key(k), &mut out)? {
                true => text(&out),
                false => "not there".into(),
            },
            ["latest", k] => match txn.get_latest(tree, &key(k), &mut out)?.exists {
                true => text(&out),
                false => "not there".into(),
            },
            ["count", ref value @ ..] => {
                let rows = collect(txn, txn.scan(snap, tree, b"", None, Dir::Forward)?)?;
                let like = |r: &&(Vec<u8>, Vec<u8>)| value.first().is_none_or(|v| v.as_bytes() == r.1);
                rows.iter().filter(like).count().to_string()
            }
            _ => panic!("{words:?} is no step"),
        })
    }
    fn step(&mut self, step: &Step) -> String {
        let words = step.words();
        let r = if step.session.is_empty() { self.machine(&words) } else { self.session(&step.session, &words) };
        r.unwrap_or_else(|e| format!("{}: {}", e.code().as_str(), e.message()))
    }
}

#[test]
fn large_commits() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/large");
    golden::run(&dir, |_| Machine::new(), |m, s| m.step(s));
}
