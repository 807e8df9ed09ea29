//! A seed replays a node: the golden scripts, run twice over a simulated disk and a simulated platform of one seed, leave the same bytes in every file and give the same
//! answers; those of another seed leave others.
//!
//! The shard's machines are stepped by the one thread that there is, and time passes where it waits ([`SimParker`]). So a session that waits for another one's
//! lock waits until its `lock_timeout`: no statement of the other can come before. What is compared: every file that the shard left, log segments and pages, and the text of
//! the answers but for the durations that EXPLAIN ANALYZE measures.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::SimDisk;
use pamir_storage::platform::{Sim, SimParker};
use pamir_storage::task;
use pamir_txn::{Shard, ShardOptions};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders of scripts, from this crate's.
const SCRIPTS: &[&str] = &["tests/scripts", "tests/scripts/own", "../pamir/tests/scripts/sql"];

/// How every session begins.
const FIRST: &str = "set lock_timeout = '1min'";

/// What a run leaves.
#[derive(PartialEq, Default)]
struct Left {
    answers: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// The statements of a script, with the session that sends each: `> ` begins their lines where answers stand under them, `@name` a session's first line; else
/// a line that ends with a semicolon ends one.
fn statements(script: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let golden = script.lines().any(|l| l.starts_with("> "));
    let mut open = false;
    for line in script.lines() {
        let text = if golden { line.strip_prefix("> ") } else { Some(line) };
        let Some(text) = text.filter(|t| !t.starts_with('\\')) else {
            open = false;
            continue;
        };
        match all.last_mut().filter(|_| open) {
            Some((_, sql)) => sql.extend(["\n", text]),
            None => {
                let named = text.strip_prefix('@').and_then(|t| t.split_once(' ')).filter(|_| golden);
                let (name, sql) = named.unwrap_or(("", text));
                all.push((name.into(), sql.into()));
            }
        }
        open = golden || !text.trim_end().ends_with(';');
    }
    all
}

fn run(script: &[(String, String)], seed: u64) -> Left {
    let (disk, sim) = (SimDisk::new(seed), Arc::new(Sim::new(seed)));
    let opts = ShardOptions {
        io_threads: 0,
        cache_size: 64 << 20,
        log_segment_size: 4 << 20,
        platform: Some(sim.clone()),
        ..ShardOptions::default()
    };
    let shard = Shard::open_stepped(Arc::new(disk.clone()), opts).expect("shard");
    let db = Database::open(shard.clone()).expect("database");
    let (mut out, mut answers) = (Transcript::default(), String::new());
    let parker = SimParker::new(sim, || shard.step_log() + shard.step_applier() > 0 || shard.step_checkpoint());
    task::with_parker(&parker, || {
        let mut sessions: BTreeMap<&str, Session> = BTreeMap::new();
        for (name, sql) in script {
            let session = sessions.entry(name).or_insert_with(|| {
                let mut s = transcript::start(&db, "postgres").expect("session");
                s.simple_query(FIRST, &mut Transcript::default()).expect("a setting");
                s
            });
            let answered = session.simple_query(sql, &mut out);
            let synced = session.sync(&mut out);
            answers += &out.text();
            out.said.clear();
            if let Err(e) = answered.and(synced) {
                let _ = writeln!(answers, "{}: {}", e.code().as_str(), e.message());
            }
        }
    });
    drop(db);
    shard.close().expect("close");
    let measured = |l: &&str| !["Time:", "actual time", "Buffers:"].iter().any(|m| l.contains(m));
    let answers = answers.lines().filter(measured).map(|l| format!("{l}\n")).collect();
    let names = disk.list().expect("names");
    let content = |n: String| disk.content(&n).map(|c| (n, c));
    Left { answers, files: names.into_iter().filter_map(content).collect() }
}
/// Where two runs differ first; None: nowhere.
fn difference(a: &Left, b: &Left) -> Option<String> {
    if let Some((i, (x, y))) =
        std::iter::zip(a.answers.lines(), b.answers.lines()).enumerate().find(|(_, (x, y))| x != y)
    {
        return Some(format!("line {i} of the answers: {x:?} and {y:?}"));
    }
    if a.answers != b.answers {
        return Some("one run answered more than the other".into());
    }
    let names = |l: &Left| l.files.keys().cloned().collect::<Vec<_>>();
    if names(a) != names(b) {
        return Some(format!("files {:?} and {:?}", names(a), names(b)));
    }
    a.files.iter().find_map(|(n, x)| {
        let y = &b.files[n];
        let at =
            std::iter::zip(x, y).position(|(x, y)| x != y).or((x.len() != y.len()).then_some(x.len().min(y.len())))?;
        let near = |f: &[u8]| f[at.saturating_sub(40).min(f.len())..(at + 24).min(f.len())].escape_ascii().to_string();
        Some(format!("byte {at} of {n}: \"{}\" and \"{}\"", near(x), near(y)))
    })
}

fn scripts() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<PathBuf> = SCRIPTS
        .iter()
        .flat_map(|d| std::fs::read_dir(here.join(d)).expect("scripts"))
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|x| x == "sql"))
        .collect();
    all.sort();
    assert!(all.len() > 20, "{} scripts", all.len());
    all
}

#[test]
fn a_seed_replays_the_scripts() {
    let only = std::env::var("SCRIPT").ok();
    let (mut wrong, mut others, mut answers) = (Vec::new(), 0, 0);
    for path in scripts() {
        if only.as_ref().is_some_and(|o| !path.to_string_lossy().contains(o.as_str())) {
            continue;
        }
        let script = std::fs::read_to_string(&path).expect("a script");
        let first = run(&statements(&script), 7);
        if let Some(d) = difference(&first, &run(&statements(&script), 7)) {
            wrong.push(format!("{}, seed 7: {d}", path.display()));
        }
        answers += first.answers.len();
        // Few scripts have anything of chance or time in their rows; those that do must show that this test can fail.
        others += usize::from(others < 3 && difference(&first, &run(&statements(&script), 8)).is_some());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(only.is_some() || answers > 100_000, "{answers} bytes of answers");
    assert!(only.is_some() || others == 3, "another seed left the same in all but {others} scripts");
}
