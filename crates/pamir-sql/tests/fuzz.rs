//! Mutated SQL through parser, binder, planner and executor: any answer or error will do, but no panic and no internal error (XX000).
//!
//! The statements of the golden scripts are the seeds; bytes, words and whole pieces are changed, swapped and taken from other statements.
//! The same statements of the same seed; 3 seconds of them, if nobody says otherwise ([`chance`]).
use pamir_sql::client::NullClient;
use pamir_sql::session::Database;
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Statements of the golden scripts.
fn corpus() -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut v = Vec::new();
    for f in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "sql")) {
        let text = std::fs::read_to_string(f).unwrap();
        let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("--")).collect();
        v.extend(
            lines.join("\n").split(";\n").map(|s| s.trim().to_string()).filter(|s| !s.is_empty() && s.len() < 2000),
        );
    }
    v
}
/// Words, numbers, strings, and single other characters.
fn tokens(s: &str) -> Vec<String> {
    let (mut out, mut cur) = (Vec::new(), String::new());
    let mut quoted = false;
    for c in s.chars() {
        let word = c.is_alphanumeric() || c == '_' || quoted && c != '\'';
        if c == '\'' {
            quoted = !quoted;
        }
        if !word {
            if !cur.is_empty() {
                out.push(std::mem::take(&mut cur));
            }
            out.push(c.to_string());
        } else {
            cur.push(c);
        }
    }
    if !cur.is_empty() {
        out.push(cur);
    }
    out
}
const ODD: &[&str] = &[
    "null",
    "-1",
    "0",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "'NaN'",
    "''",
    "'\\x00'",
    "(",
    ")",
    "*",
    ",",
    "not",
    "distinct",
    "::text",
    "::int",
    "::numeric",
    "::date",
    "::interval",
    "::json",
    "[]",
    "(select 1)",
    "order by 1",
    "limit 1",
    "group by 1",
    "generate_series(1,3)",
    "in",
    "between",
    "array[1,2]",
    "case when",
    "end",
    "$1",
    "\"",
    "'",
    "é",
    "-infinity",
    "infinity",
    "exists",
    "coalesce(",
    "row(1,2)",
    "0.00000000000000000001",
    "2147483648",
    "t",
    "a",
    "id",
];
fn mutate(r: &mut Rng, corpus: &[String]) -> String {
    let mut t = tokens(r.choose::<String>(corpus));
    for _ in 0..1 + r.index(3) {
        let at = r.index(t.len());
        match r.index(7) {
            0 if t.len() > 1 => drop(t.remove(at)),
            1 => t.insert(at, format!(" {} ", ODD[r.index(ODD.len())])),
            2 => t[at] = format!(" {} ", ODD[r.index(ODD.len())]),
            3 => {
                let b = r.index(t.len());
                t.swap(at, b);
            }
            4 => {
                let other = tokens(r.choose::<String>(corpus));
                let from = r.index(other.len());
                let n = 1 + r.index(6);
                t.splice(at..at, other.into_iter().skip(from).take(n));
            }
            5 => {
                let w = t[at].clone();
                t.insert(at, w);
            }
            _ => {
                let other = tokens(r.choose::<String>(corpus));
                t[at] = r.choose(&other).clone();
            }
        }
    }
    t.concat()
}

#[test]
fn mutated_statements() {
    let opts = ShardOptions { cache_size: 32 << 20, io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).unwrap();
    let db = Database::open(shard).unwrap();
    let open = || transcript::start(&db, "postgres").unwrap();
    let mut session = open();
    let corpus = corpus();
    let (mut r, mut found, mut n, mut ran_well) = (Rng::new(chance::seed(1)), std::collections::BTreeMap::new(), 0, 0);
    for s in &corpus {
        let _ = session.simple_query(s, &mut NullClient);
        let _ = session.sync(&mut NullClient);
    }
    let end = chance::end(3);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    while Instant::now() < end {
        let sql = mutate(&mut r, &corpus);
        // Not what takes long by design, nor what changes how the rest is read.
        let lower = sql.to_lowercase();
        if ["sleep", "repeat(", "drop database", "pad(", "generate_series(1, 1000", "alter role", "set "]
            .iter()
            .any(|w| lower.contains(w))
        {
            continue;
        }
        n += 1;
        let _ = session.simple_query("set statement_timeout = '2s'; set lock_timeout = '10ms'", &mut NullClient);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let r = session.simple_query(&sql, &mut NullClient);
            let s = session.sync(&mut NullClient);
            r.and(s)
        }));
        let what = match ran {
            Err(p) => {
                let text = p.downcast_ref::<String>().cloned();
                let text = text.or_else(|| p.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default();
                // The session may be in any state: a new one.
                std::mem::forget(std::mem::replace(&mut session, open()));
                Some(format!("panic: {text}"))
            }
            Ok(Err(e)) if e.code().as_str().starts_with("XX") => Some(format!("{e}")),
            Ok(r) => {
                ran_well += r.is_ok() as u32;
                None
            }
        };
        if let Some(w) = what {
            found.entry(w).or_insert(sql);
        }
        if session.status() != b'I' {
            let _ = session.simple_query("rollback", &mut NullClient);
        }
    }
    std::panic::set_hook(hook);
    println!("{n} statements, {ran_well} of them ran without an error");
    assert!(ran_well > 10);
    let report: Vec<String> = found.iter().map(|(w, s)| format!("{w}\n    {s}")).collect();
    assert!(found.is_empty(), "{} kinds of failure in {n} statements:\n{}", found.len(), report.join("\n"));
}
