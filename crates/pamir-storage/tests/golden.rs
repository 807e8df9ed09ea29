//! Storage by golden scripts (`scripts/`): how trees grow and shrink, what a checkpoint holds, what is there again after a crash.
//!
//! ```text
//! > put k v                    logs, syncs and applies; `v*500`: a value of so many bytes
//! > fill 1 100 60              puts the keys 000001 to 000100 with values of 60 bytes; `backward` from the last to the first
//! > empty 1 100                removes them
//! > remove k, > get k, > scan [from] [backward]
//! > append k v, > sync         only logs; only syncs: what is appended is not applied before
//! > shape                      entries, leaves and height of the tree
//! > checkpoint                 a whole one, which then cuts the log; or begin, step N (pages), finish
//! > kill, > crash              the process dies, the machine does: then what was not synced may be gone. Both open again.
//! > full, > room               the disk is full; there is room again
//! > check                      verifies the newest checkpoint offline; it counts the trees' directory too
//! > files                      the disk's files
//! > flip                       damages a bit of every page
//! ```
//! The engine is the one that the crate's page describes: a store, its log, both on a simulated disk of one seed.
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::{Faults, SimDisk};
use pamir_storage::log::{Log, LogOptions, Lsn};
use pamir_storage::store::check::check;
use pamir_storage::store::{Checkpoint, DATA_FILE, Dir, FIRST_TREE, PAGE_SIZE, Store, StoreOptions, TreeId, Writer};
use pamir_testkit::golden::{self, Step};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

const T: TreeId = TreeId(FIRST_TREE);
/// Small, so that a script fills several.
const SEGMENT: u64 = 32 << 10;
/// Entries that a scan shows.
const SHOWN: usize = 5;

struct Engine {
    store: Arc<Store>,
    writer: Writer,
    log: Log,
    applied: Lsn,
    checkpoint: Option<Checkpoint>,
    waiting: Vec<(Lsn, Vec<u8>)>,
}
struct Machine {
    disk: SimDisk,
    engine: Option<Engine>,
}
type Result<T> = pamir_error::Result<T>;

/// A record: the key's length, whether it puts or removes, the key, the value.
fn record(key: &str, value: Option<&str>) -> Vec<u8> {
    let mut r = vec![key.len() as u8, u8::from(value.is_some())];
    r.extend(key.as_bytes());
    r.extend(value.unwrap_or("").as_bytes());
    r
}
fn apply(w: &mut Writer, r: &[u8]) -> Result<()> {
    let (key, value) = r[2..].split_at(r[0] as usize);
    if r[1] == 1 { w.put(T, key, value, &mut |_| {}) } else { w.remove(T, key).map(|_| ()) }
}
fn key(n: u32) -> String {
    format!("{n:06}")
}
fn value(s: &str) -> String {
    match s.split_once('*') {
        Some((c, n)) => c.repeat(n.parse().expect("a length")),
        None => s.into(),
    }
}
/// A value as a script shows it.
fn shown(v: &[u8]) -> String {
    match v.len() {
        0..20 => String::from_utf8_lossy(v).into_owned(),
        n => format!("{}*{n}", char::from(v[0])),
    }
}

impl Engine {
    fn open(disk: &SimDisk) -> Result<(Engine, usize)> {
        let d: Arc<dyn Disk> = Arc::new(disk.clone());
        let o = Store::open(d.clone(), StoreOptions { cache_size: 0, io_threads: 0 })?;
        let (store, mut writer) = (o.store, o.writer);
        writer.follow_log();
        if !store.tree_exists(T) {
            writer.create_tree(T)?;
        }
        let (mut applied, mut replayed) = (o.lsn, 0);
        let opts = LogOptions { segment_size: SEGMENT };
        let log = Log::open_keeping(d, opts, o.lsn, o.lsn, o.reach, Arc::default(), &mut |lsn, r| {
            apply(&mut writer, r)?;
            (applied, replayed) = (lsn, replayed + 1);
            Ok(())
        })?;
        if o.unfinished {
            store.finish_new()?;
        }
        Ok((Engine { store, writer, log, applied, checkpoint: None, waiting: Vec::new() }, replayed))
    }
    fn append(&mut self, r: Vec<u8>) -> Result<()> {
        let lsn = self.log.append(&r)?;
        self.waiting.push((lsn, r));
        Ok(())
    }
    fn sync(&mut self) -> Result<usize> {
        self.log.sync()?;
        let n = self.waiting.len();
        for (lsn, r) in self.waiting.drain(..) {
            apply(&mut self.writer, &r)?;
            self.applied = lsn;
        }
        Ok(n)
    }
    fn step(&mut self, words: &[&str]) -> Result<String> {
        let number = |s: &str| s.parse::<u32>().expect("a number");
        Ok(match *words {
            ["put", k, v] => {
                self.append(record(k, Some(&value(v))))?;
                self.sync()?;
                "done".into()
            }
            ["append", k, v] => {
                self.append(record(k, Some(&value(v))))?;
                "appended".into()
            }
            ["sync"] => format!("{} applied", self.sync()?),
            ["fill", from, to, len, ..] => {
                let v = "v".repeat(len.parse().expect("a length"));
                let mut keys: Vec<u32> = (number(from)..=number(to)).collect();
                if words.get(4) == Some(&"backward") {
                    keys.reverse();
                }
                for k in keys {
                    self.append(record(&key(k), Some(&v)))?;
                }
                format!("{} applied", self.sync()?)
            }
            ["empty", from, to] => {
                for k in number(from)..=number(to) {
                    self.append(record(&key(k), None))?;
                }
                format!("{} applied", self.sync()?)
            }
            ["remove", k] => {
                let mut out = Vec::new();
                let there = self.store.get(T, k.as_bytes(), &mut out)?;
                self.append(record(k, None))?;
                self.sync()?;
                if there { "removed" } else { "was not there" }.into()
            }
            ["get", k] => {
                let mut out = Vec::new();
                if self.store.get(T, k.as_bytes(), &mut out)? { shown(&out) } else { "not there".into() }
            }
            ["scan", ref rest @ ..] => {
                let dir = if rest.contains(&"backward") { Dir::Backward } else { Dir::Forward };
                let from = rest.iter().find(|w| **w != "backward").map(|w| w.as_bytes());
                let mut c = self.store.cursor(T, from, dir)?;
                let (mut out, mut n) = (String::new(), 0);
                while let Some((k, v)) = c.next()? {
                    n += 1;
                    if n <= SHOWN {
                        let _ = writeln!(out, "{} = {}", String::from_utf8_lossy(k), shown(v));
                    }
                }
                if n > SHOWN {
                    let _ = writeln!(out, "... {n} in all");
                }
                if n == 0 { "nothing".into() } else { out }
            }
            ["shape"] => {
                let (leaves, height) = self.store.tree_size(T)?;
                let n = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
                format!("{}, height {height}", n(leaves, "leaf page"))
            }
            ["checkpoint"] => {
                self.step(&["begin"])?;
                self.step(&["finish"])?;
                "done".into()
            }
            ["begin"] => {
                let c = self.writer.begin_checkpoint(self.applied, b"meta")?;
                let left = c.left();
                self.checkpoint = Some(c);
                format!("{} to write", if left == 0 { "nothing" } else { "pages" })
            }
            ["step", n] => match self.checkpoint.as_mut() {
                Some(c) => if c.step(n.parse().expect("pages"))? { "all written" } else { "more to write" }.into(),
                None => "no checkpoint runs".into(),
            },
            ["finish"] => {
                let Some(mut c) = self.checkpoint.take() else { return Ok("no checkpoint runs".into()) };
                while !c.step(1)? {}
                c.reaches(self.applied);
                let lsn = c.finish()?;
                self.log.truncate_before(lsn)?;
                "done, the log is cut".into()
            }
            _ => panic!("{words:?} is no step"),
        })
    }
}
impl Machine {
    fn open(&mut self) -> String {
        match Engine::open(&self.disk) {
            Ok((e, n)) => {
                self.engine = Some(e);
                format!("open, {n} replayed")
            }
            Err(e) => format!("{}: {}", e.code().as_str(), e.message()),
        }
    }
    fn step(&mut self, step: &Step) -> String {
        let words = step.words();
        match words[..] {
            ["kill"] => {
                self.engine = None;
                self.disk.kill();
                self.open()
            }
            ["crash"] => {
                self.engine = None;
                self.disk.crash();
                self.open()
            }
            ["full"] => {
                self.disk.set_faults(Faults { disk_full_at: Some(self.disk.used()), ..Faults::default() });
                "no byte more".into()
            }
            ["room"] => {
                self.disk.set_faults(Faults::default());
                "room again".into()
            }
            ["files"] => self.disk.list().expect("names").join("\n"),
            ["flip"] => {
                let pages = self.disk.content(DATA_FILE).map_or(0, |c| c.len() / PAGE_SIZE);
                (0..pages).for_each(|p| self.disk.flip_bit(DATA_FILE, ((p * PAGE_SIZE + PAGE_SIZE / 2) * 8) as u64));
                "a bit of every page is wrong".into()
            }
            ["check"] => match check(Arc::new(self.disk.clone())) {
                Ok(r) => {
                    let mut out = format!(
                        "{} entries in {} leaves, {} inner and {} overflow pages",
                        r.entries, r.leaf_pages, r.inner_pages, r.overflow_pages
                    );
                    for p in &r.problems {
                        let _ = write!(out, "\n{p}");
                    }
                    out
                }
                Err(e) => format!("{}: {}", e.code().as_str(), e.message()),
            },
            _ => {
                let Some(engine) = self.engine.as_mut() else { return "not open".into() };
                engine.step(&words).unwrap_or_else(|e| format!("{}: {}", e.code().as_str(), e.message()))
            }
        }
    }
}

#[test]
fn storage() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let make = |_: &str| {
        let mut m = Machine { disk: SimDisk::new(1), engine: None };
        m.open();
        m
    };
    golden::run(&dir, make, |m, s| m.step(s));
}
