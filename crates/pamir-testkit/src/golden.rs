//! Golden scripts: steps with the expected replies under them. One runner for all crates; what a step means, each test says.
//!
//! ```text
//! # comment
//! > put k v                  a step; further lines of it start with `> ` too, but in [`run`]
//! < data                     lines that the step reads
//! done                       the reply
//! > @T2 get k                a step of the session T2
//! ```
//! A reply is compared line by line. [`UPDATE`]`=1` rewrites the expectations in place and keeps the comments; [`SCRIPT`]`=part` runs only the scripts whose name has that part.
//! Outputs that are not steps (a whole file beside its input) go through [`compare`], which follows the same switch.
//!
//! Limits: a line of a reply that would read as a step, a comment or an end gets a `|` before it; differences of more than [`MOST_CELLS`] pairs of lines are shown whole.
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The environment's variable that rewrites expectations.
pub const UPDATE: &str = "UPDATE";
/// The environment's variable that picks scripts by a part of their name.
pub const SCRIPT: &str = "SCRIPT";
/// Up to how many pairs of lines a difference is looked for line by line.
const MOST_CELLS: usize = 4 << 20;
/// Equal lines shown around a difference.
const CONTEXT: usize = 3;

/// Whether expectations are to be rewritten.
pub fn updates() -> bool {
    std::env::var(UPDATE).is_ok_and(|v| !v.is_empty() && v != "0")
}
/// Whether the environment asks for some scripts only.
pub fn picks() -> bool {
    std::env::var_os(SCRIPT).is_some()
}
/// The files of `dir` with this extension that the environment asks for, in the order of their names.
pub fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let only = std::env::var(SCRIPT).unwrap_or_default();
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut v: Vec<PathBuf> = entries
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == extension) && stem(p).contains(&only))
        .collect();
    v.sort();
    v
}
fn stem(p: &Path) -> String {
    p.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// One step of a script.
#[derive(Default)]
pub struct Step {
    /// Comments and blank lines above it.
    pub lead: String,
    /// Whose step it is; empty where the script has one session.
    pub session: String,
    pub text: String,
    /// Lines that it reads.
    pub data: String,
    pub expected: Vec<String>,
}
impl Step {
    /// The words of its text.
    pub fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().collect()
    }
}
/// A script: its steps, and the comments behind the last one.
pub struct Script {
    pub path: PathBuf,
    pub name: String,
    pub steps: Vec<Step>,
    tail: String,
}
/// How a script's replies compare with what it expects.
#[derive(Default)]
pub struct Verdict {
    pub steps: usize,
    pub same: usize,
    /// The steps that differ: the script's name and the first line of each.
    pub differ: Vec<String>,
    /// The same with both replies.
    pub report: String,
}
impl Script {
    /// A script whose steps may have several lines.
    pub fn read(path: &Path) -> Script {
        Script::of(path, true)
    }
    fn of(path: &Path, lines: bool) -> Script {
        let (steps, tail) = parse(&read(path), lines);
        assert!(!steps.is_empty(), "{} has no step", path.display());
        Script { path: path.into(), name: stem(path), steps, tail }
    }
    /// The script with `replies` in place of what it expects.
    fn with(&self, replies: &[Vec<String>]) -> String {
        let mut text = String::new();
        for (s, r) in self.steps.iter().zip(replies) {
            text.push_str(&s.lead);
            for (i, l) in s.text.lines().enumerate() {
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
        text + &self.tail
    }
    /// Compares replies, a list of lines a step; where `own` and the environment asks for it, they become the expectations instead. Expectations that others made are not `own`.
    pub fn settle(&self, replies: Vec<Vec<String>>, own: bool) -> Verdict {
        let replies: Vec<Vec<String>> = replies.into_iter().map(|r| r.into_iter().map(readable).collect()).collect();
        let mut verdict = Verdict { steps: self.steps.len(), ..Verdict::default() };
        if own && updates() {
            write(&self.path, &self.with(&replies));
            verdict.same = verdict.steps;
            return verdict;
        }
        for (s, r) in self.steps.iter().zip(&replies) {
            if s.expected == *r {
                verdict.same += 1;
                continue;
            }
            verdict.differ.push(format!("{}: {}", self.name, s.text.lines().next().unwrap_or("")));
            let (expected, got) = (s.expected.join("\n            "), r.join("\n            "));
            let _ = writeln!(verdict.report, "{}: {}\n  expected: {expected}\n  got:      {got}", self.name, s.text);
            if r.len().max(s.expected.len()) > 2 * CONTEXT {
                let _ = writeln!(verdict.report, "  difference:\n{}", diff(&s.expected.join("\n"), &r.join("\n")));
            }
        }
        verdict
    }
}
/// A reply's line as a script can hold it.
fn readable(l: String) -> String {
    let taken = l.is_empty() || ["#", "> ", "< "].iter().any(|p| l.starts_with(p));
    if taken { format!("|{l}") } else { l }
}
fn parse(text: &str, lines: bool) -> (Vec<Step>, String) {
    let (mut steps, mut lead): (Vec<Step>, String) = (Vec::new(), String::new());
    let mut in_step = false;
    for line in text.lines() {
        match steps.last_mut() {
            Some(s) if in_step && lines && line.starts_with("> ") => {
                s.text.push('\n');
                s.text.push_str(&line[2..]);
                continue;
            }
            Some(s) if in_step && line.starts_with("< ") => {
                let _ = writeln!(s.data, "{}", &line[2..]);
                continue;
            }
            _ => in_step = false,
        }
        if let Some(text) = line.strip_prefix("> ") {
            let (session, text) = text.strip_prefix('@').and_then(|r| r.split_once(' ')).unwrap_or(("", text));
            let (lead, session, text) = (std::mem::take(&mut lead), session.into(), text.into());
            steps.push(Step { lead, session, text, ..Step::default() });
            in_step = true;
        } else if line.starts_with('#') || line.is_empty() {
            let _ = writeln!(lead, "{line}");
        } else {
            let Some(s) = steps.last_mut() else { panic!("no step has the reply \"{line}\"") };
            s.expected.push(line.to_string());
        }
    }
    (steps, lead)
}

/// Runs every `*.script` of `dir` (of the caller's own expectations, one line a step), each over a fresh machine that `make` gives; a step's reply is what the machine says of it, line by line.
pub fn run<M>(dir: &Path, mut make: impl FnMut(&str) -> M, mut step: impl FnMut(&mut M, &Step) -> String) {
    let mut failed = String::new();
    for path in files(dir, "script") {
        let script = Script::of(&path, false);
        let mut machine = make(&script.name);
        let replies = script.steps.iter().map(|s| step(&mut machine, s).lines().map(String::from).collect()).collect();
        failed += &script.settle(replies, true).report;
    }
    assert!(failed.is_empty(), "{failed}{UPDATE}=1 takes these over as what is expected");
}

/// Compares an output with the file that holds what it was; `Some` tells the differences. Where `own` and the environment asks for it, the file becomes the output.
pub fn compare(file: &Path, got: &str, own: bool) -> Option<String> {
    if own && updates() {
        write(file, got);
        return None;
    }
    let want = std::fs::read_to_string(file).unwrap_or_default();
    (want != got).then(|| format!("{}:\n{}", file.display(), diff(&want, got)))
}

/// The lines that differ, `-` wanted and `+` got, each with some that do not around them.
pub fn diff(want: &str, got: &str) -> String {
    let (w, g): (Vec<&str>, Vec<&str>) = (want.lines().collect(), got.lines().collect());
    let head = w.iter().zip(&g).take_while(|(a, b)| a == b).count();
    let tail = w[head..].iter().rev().zip(g[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (wm, gm) = (&w[head..w.len() - tail], &g[head..g.len() - tail]);
    let mut all: Vec<(char, &str)> = w[..head].iter().map(|l| (' ', *l)).collect();
    if wm.len() * gm.len() > MOST_CELLS {
        all.extend(wm.iter().map(|l| ('-', *l)).chain(gm.iter().map(|l| ('+', *l))));
    } else {
        between(wm, gm, &mut all);
    }
    all.extend(w[w.len() - tail..].iter().map(|l| (' ', *l)));
    let changed: Vec<usize> = (0..all.len()).filter(|&i| all[i].0 != ' ').collect();
    let mut out = String::new();
    let mut shown = 0;
    for (i, (mark, line)) in all.iter().enumerate() {
        let near = changed.partition_point(|&c| c + CONTEXT < i);
        if changed.get(near).is_some_and(|&c| c <= i + CONTEXT) {
            if shown < i {
                out.push_str("  ...\n");
            }
            shown = i + 1;
            let _ = writeln!(out, "{mark} {line}");
        }
    }
    out
}
/// The longest common subsequence's way through both, by its table of lengths.
fn between<'a>(w: &[&'a str], g: &[&'a str], all: &mut Vec<(char, &'a str)>) {
    let width = g.len() + 1;
    let mut longest = vec![0u32; (w.len() + 1) * width];
    for i in (0..w.len()).rev() {
        for j in (0..g.len()).rev() {
            longest[i * width + j] = if w[i] == g[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < w.len() || j < g.len() {
        if i < w.len() && j < g.len() && w[i] == g[j] {
            all.push((' ', w[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == g.len() || (i < w.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            all.push(('-', w[i]));
            i += 1;
        } else {
            all.push(('+', g[j]));
            j += 1;
        }
    }
}
