//! Golden scripts: SQL through a whole session over a real shard, compared with what psql prints on PostgreSQL 15.
//!
//! `scripts/NAME.sql` is the input, `scripts/NAME.out` what `psql -XaA -P null=NULL -P footer=off -v VERBOSITY=verbose` printed for it (lines of location
//! and object names left out). `scripts/own/NAME.sql` are scripts whose output is our own (plans); `UPDATE_EXPECT=1` rewrites those.
//! A statement ends with a line that ends with `;`.
use pamir_sql::client::{Client, Field, RowSink};
use pamir_sql::session::{Database, Session};
use pamir_storage::disk::real::RealDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::text::{self, TextCtx};
use pamir_types::{Datum, Error, Result, Type};
use std::fmt::Write;
use std::path::Path;

#[derive(Default)]
struct Out {
    text: String,
    row: Vec<String>,
    cx: TextCtx,
    /// The current statement's result: psql prints it only when it is complete.
    pending: String,
}
impl RowSink for Out {
    fn begin_row(&mut self, _: usize) {
        self.row.clear();
    }
    fn datum(&mut self, d: &Datum, ty: Type) {
        self.row.push(text::to_string(d, ty, &self.cx));
    }
    fn bytes(&mut self, b: &[u8]) {
        self.row.push(String::from_utf8_lossy(b).into_owned());
    }
    fn null(&mut self) {
        self.row.push("NULL".into());
    }
    fn end_row(&mut self) -> Result<()> {
        let _ = writeln!(self.pending, "{}", self.row.join("|"));
        Ok(())
    }
}
impl Client for Out {
    fn row_description(&mut self, fields: &[Field], _: &[i16]) {
        let names: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
        let _ = writeln!(self.pending, "{}", names.join("|"));
    }
    fn set_formats(&mut self, _: &[i16], _: &[Type]) {}
    fn command_complete(&mut self, tag: &str) {
        self.text.push_str(&std::mem::take(&mut self.pending));
        // psql shows no tag for a query.
        if !(tag.starts_with("SELECT") || tag.starts_with("FETCH") || tag.starts_with("SHOW") || tag == "EXPLAIN") {
            let _ = writeln!(self.text, "{tag}");
        }
    }
    fn empty_query(&mut self) {}
    fn portal_suspended(&mut self) {}
    fn notice(&mut self, e: &Error) {
        let d = e.data();
        let _ = writeln!(self.text, "{:?}:  {}: {}", d.severity, d.code.as_str(), d.message);
    }
    fn parameter_status(&mut self, _: &str, _: &str) {}
    fn set_text_ctx(&mut self, cx: &TextCtx) {
        self.cx = cx.clone();
    }
    fn copy_out_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_data(&mut self, b: &[u8]) -> Result<()> {
        self.text.push_str(&String::from_utf8_lossy(b));
        Ok(())
    }
    fn copy_done(&mut self) -> Result<()> {
        Ok(())
    }
    fn copy_in_begin(&mut self, _: bool, _: usize) -> Result<()> {
        Ok(())
    }
    fn copy_in_read(&mut self, _: &mut Vec<u8>) -> Result<bool> {
        Ok(false)
    }
}

fn run_script(input: &str) -> String {
    let dir = tempfile::tempdir().expect("temp dir");
    let disk = RealDisk::open(dir.path()).expect("disk");
    let opts = ShardOptions { cache_size: 64 << 20, log_segment_size: 4 << 20, ..ShardOptions::default() };
    let shard = Shard::open(disk, opts).expect("shard");
    let db = Database::open(shard.clone()).expect("database");
    let mut out = Out::default();
    let params = [("user".to_string(), "postgres".to_string()), ("database".to_string(), "postgres".to_string())];
    let mut session = Session::start(db.clone(), &params, None, &mut out).expect("session");
    out.text.clear();
    let mut stmt = String::new();
    for line in input.lines() {
        out.text.push_str(line);
        out.text.push('\n');
        if line.starts_with("--") || (line.trim().is_empty() && stmt.is_empty()) {
            continue;
        }
        stmt.push_str(line);
        stmt.push('\n');
        if !line.trim_end().ends_with(';') {
            continue;
        }
        if let Err(e) = session.simple_query(stmt.trim_end(), &mut out) {
            out.pending.clear();
            let d = e.data();
            let _ = writeln!(out.text, "ERROR:  {}: {}", d.code.as_str(), d.message);
            if let Some(s) = &d.detail {
                let _ = writeln!(out.text, "DETAIL:  {s}");
            }
            if let Some(s) = &d.hint {
                let _ = writeln!(out.text, "HINT:  {s}");
            }
        }
        stmt.clear();
    }
    drop(session);
    drop(db);
    let _ = shard.close();
    out.text
}

fn check(dir: &Path, own: bool) {
    let only = std::env::var("SCRIPT").ok();
    let mut failed = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("scripts").flatten().map(|e| e.path()).collect();
    files.sort();
    for f in files {
        if f.extension().is_none_or(|e| e != "sql") || only.as_ref().is_some_and(|o| !f.to_string_lossy().contains(o.as_str())) {
            continue;
        }
        let input = std::fs::read_to_string(&f).expect("script");
        let got = run_script(&input);
        let expect_file = f.with_extension("out");
        if own && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expect_file, &got).expect("write");
            continue;
        }
        let want = std::fs::read_to_string(&expect_file).unwrap_or_default();
        if got != want {
            // Statement by statement: a statement's text and all that follows it.
            let parts = |t: &str| -> Vec<String> {
                let mut v = vec![String::new()];
                let mut in_stmt = false;
                for l in t.lines() {
                    let starts = input.lines().any(|i| i == l) && !l.is_empty();
                    if starts && !in_stmt {
                        v.push(String::new());
                    }
                    in_stmt = starts && !l.trim_end().ends_with(';');
                    if let Some(p) = v.last_mut() {
                        let _ = writeln!(p, "{l}");
                    }
                }
                v
            };
            let mut diff = String::new();
            let (g, w) = (parts(&got), parts(&want));
            for i in 0..g.len().max(w.len()) {
                let (g, w) = (g.get(i).map_or("", String::as_str), w.get(i).map_or("", String::as_str));
                if g != w {
                    let _ = writeln!(diff, "--- want\n{w}+++ got\n{g}");
                }
            }
            failed.push(format!("{}:\n{diff}", f.display()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn as_postgresql() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts"), false);
}
#[test]
fn own() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/own"), true);
}
