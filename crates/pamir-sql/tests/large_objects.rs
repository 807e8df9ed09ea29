//! Large objects against vectors of bytes: random writes, reads, seeks and truncations through descriptors and the functions without, with holes, savepoints and rollbacks; what a descriptor for reading sees is what was
//! there when it was opened. What is left in pg_largeobject at the end are the bytes of objects that are there.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

const PAGE: u64 = 2048;

/// Objects by number.
type Objects = BTreeMap<u32, Vec<u8>>;
#[derive(Clone)]
struct Open {
    oid: u32,
    at: usize,
    /// What one for reading sees.
    seen: Option<Vec<u8>>,
    /// How deep it was opened.
    depth: usize,
}
/// What a savepoint goes back to; descriptors' places stay as they are.
type Saved = Objects;

struct World {
    s: Session,
    rng: Rng,
    now: Objects,
    open: Vec<Option<Open>>,
    /// The state at BEGIN, then at each savepoint.
    saved: Vec<Saved>,
    steps: u64,
}

fn ask(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.rows("null").join("\n"))
}
fn hex(b: &[u8]) -> String {
    b.iter().map(|b| format!("{b:02x}")).collect()
}
/// As a write past the end leaves it.
fn put(v: &mut Vec<u8>, at: usize, b: &[u8]) {
    if b.is_empty() {
        return;
    }
    v.resize(v.len().max(at + b.len()), 0);
    v[at..at + b.len()].copy_from_slice(b);
}
fn part(v: &[u8], at: usize, n: usize) -> &[u8] {
    let at = at.min(v.len());
    &v[at..v.len().min(at + n)]
}

impl World {
    fn new(seed: u64) -> World {
        let shard = Shard::open(Arc::new(SimDisk::new(seed)), ShardOptions::default()).expect("shard");
        let s = transcript::start(&Database::open(shard).expect("database"), "postgres").expect("session");
        let (now, open, saved) = (Objects::new(), Vec::new(), Vec::new());
        World { s, rng: Rng::new(seed), now, open, saved, steps: 0 }
    }
    fn ok(&mut self, sql: &str) -> String {
        self.steps += 1;
        let short = &sql[..sql.len().min(200)];
        ask(&mut self.s, sql).unwrap_or_else(|e| panic!("seed {}: {short}: {e:?}", self.rng.seed()))
    }
    fn is(&mut self, sql: &str, wanted: &str) {
        let got = self.ok(sql);
        assert!(
            got == wanted,
            "seed {}: {}: {} for {}",
            self.rng.seed(),
            &sql[..sql.len().min(200)],
            cut(&got),
            cut(wanted)
        );
    }
    fn fails(&mut self, sql: &str, code: &str) {
        self.ok("savepoint wrong");
        let e = ask(&mut self.s, sql).expect_err(sql);
        assert_eq!(e.code().as_str(), code, "seed {}: {sql}: {e:?}", self.rng.seed());
        self.ok("rollback to wrong");
        self.ok("release wrong");
    }
    /// A place near a page's edge, or anywhere.
    fn place(&mut self) -> usize {
        let page = self.rng.below(8) * PAGE;
        match self.rng.below(3) {
            0 => self.rng.below(40) as usize,
            1 => (page + self.rng.below(5)).saturating_sub(2) as usize,
            _ => (page + self.rng.below(PAGE)) as usize,
        }
    }
    fn bytes(&mut self) -> Vec<u8> {
        let n = match self.rng.below(40) {
            0 => 600 * PAGE,
            1..15 => self.rng.below(3 * PAGE),
            _ => self.rng.below(60),
        };
        self.rng.bytes(n as usize, 255)
    }
    fn object(&mut self) -> Option<u32> {
        let all: Vec<u32> = self.now.keys().copied().collect();
        if all.is_empty() { None } else { Some(*self.rng.choose(&all)) }
    }
    fn descriptor(&mut self) -> Option<usize> {
        let all: Vec<usize> = (0..self.open.len()).filter(|i| self.open[*i].is_some()).collect();
        if all.is_empty() { None } else { Some(*self.rng.choose(&all)) }
    }

    fn without_descriptor(&mut self) {
        let Some(oid) = self.object().filter(|_| self.rng.below(5) > 0) else {
            let oid = 100 + self.rng.below(6) as u32;
            let b = self.bytes();
            if self.now.contains_key(&oid) {
                return self.fails(&format!("select lo_from_bytea({oid}, '')"), "23505");
            }
            self.is(&format!("select lo_from_bytea({oid}, '\\x{}')", hex(&b)), &oid.to_string());
            self.now.insert(oid, b);
            return;
        };
        let (at, b) = (self.place(), self.bytes());
        let v = self.now.get_mut(&oid).expect("it is there");
        match self.rng.below(5) {
            0 => {
                put(v, at, &b);
                self.is(&format!("select lo_put({oid}, {at}, '\\x{}')", hex(&b)), "");
            }
            1 => {
                let wanted = format!("\\x{}", hex(v));
                self.is(&format!("select lo_get({oid})"), &wanted);
            }
            2 | 3 => {
                let wanted = format!("\\x{}", hex(part(v, at, b.len())));
                self.is(&format!("select lo_get({oid}, {at}, {})", b.len()), &wanted);
            }
            _ => {
                self.is(&format!("select lo_unlink({oid})"), "1");
                self.now.remove(&oid);
                self.open.iter_mut().filter(|d| d.as_ref().is_some_and(|d| d.oid == oid)).for_each(|d| *d = None);
                self.fails(&format!("select lo_get({oid})"), "42704");
            }
        }
    }
    fn open(&mut self) {
        let Some(oid) = self.object() else { return };
        let (reads, depth) = (self.rng.chance(2), self.saved.len());
        let seen = reads.then(|| self.now[&oid].clone());
        let fd = self.open.iter().position(Option::is_none).unwrap_or(self.open.len());
        if fd == self.open.len() {
            self.open.push(None);
        }
        self.open[fd] = Some(Open { oid, at: 0, seen, depth });
        self.is(&format!("select lo_open({oid}, {})", if reads { 0x40000 } else { 0x60000 }), &fd.to_string());
    }
    fn with_descriptor(&mut self) {
        let Some(fd) = self.descriptor() else { return self.open() };
        let (to, b) = (self.place(), self.bytes());
        let mut d = self.open[fd].clone().expect("open");
        let mut v = d.seen.clone().unwrap_or_else(|| self.now[&d.oid].clone());
        let writes = d.seen.is_none();
        match self.rng.below(6) {
            0 => {
                let whence = self.rng.below(3) as i64;
                let from = [0, d.at, v.len()][whence as usize];
                d.at = to;
                self.is(&format!("select lo_lseek64({fd}, {}, {whence})", to as i64 - from as i64), &to.to_string());
            }
            1 | 2 => {
                let got = part(&v, d.at, b.len());
                let wanted = format!("\\x{}", hex(got));
                let n = got.len();
                self.is(&format!("select loread({fd}, {})", b.len()), &wanted);
                d.at += n;
            }
            3 | 4 if writes => {
                put(&mut v, d.at, &b);
                self.is(&format!("select lowrite({fd}, '\\x{}')", hex(&b)), &b.len().to_string());
                d.at += b.len();
            }
            5 if writes => {
                v.resize(to, 0);
                self.is(&format!("select lo_truncate({fd}, {to})"), "0");
            }
            3..=5 => self.fails(&format!("select lowrite({fd}, '')"), "55000"),
            _ => {}
        }
        self.is(&format!("select lo_tell({fd})"), &d.at.to_string());
        if writes {
            self.now.insert(d.oid, v);
        }
        self.open[fd] = Some(d);
        if self.rng.below(8) == 0 {
            self.is(&format!("select lo_close({fd})"), "0");
            self.open[fd] = None;
            self.fails(&format!("select lo_tell({fd})"), "42704");
        }
    }
    fn savepoints(&mut self) {
        let depth = self.saved.len();
        match self.rng.below(3) {
            0 => {
                self.ok(&format!("savepoint s{depth}"));
                self.saved.push(self.now.clone());
            }
            _ if depth < 2 => {}
            1 => {
                let to = 1 + self.rng.index(depth - 1);
                self.ok(&format!("rollback to s{to}"));
                self.saved.truncate(to + 1);
                self.now = self.saved[to].clone();
                self.open.iter_mut().filter(|d| d.as_ref().is_some_and(|d| d.depth > to)).for_each(|d| *d = None);
            }
            _ => {
                let to = 1 + self.rng.index(depth - 1);
                self.ok(&format!("release s{to}"));
                self.saved.truncate(to);
                self.open.iter_mut().flatten().for_each(|d| d.depth = d.depth.min(to));
            }
        }
    }
    fn transaction(&mut self) {
        self.ok("begin");
        self.saved = vec![self.now.clone()];
        for _ in 0..self.rng.below(40) {
            match self.rng.below(10) {
                0 | 1 => self.savepoints(),
                2..6 => self.without_descriptor(),
                _ => self.with_descriptor(),
            }
        }
        if self.rng.chance(3) {
            self.ok("rollback");
            self.now = self.saved[0].clone();
        } else {
            self.ok("commit");
        }
        (self.open, self.saved) = (Vec::new(), Vec::new());
        self.all();
    }
    /// Everything that is there, by both ways.
    fn all(&mut self) {
        let wanted: Vec<String> = self.now.iter().map(|(o, v)| format!("{o}|\\x{}", hex(v))).collect();
        self.is("select oid, lo_get(oid) from pg_largeobject_metadata order by oid", &wanted.join("\n"));
        let sizes = "select loid, max(pageno * 2048 + length(data)) from pg_largeobject group by loid order by loid";
        let got = self.ok(sizes);
        let paged: Vec<String> = got.lines().map(str::to_string).collect();
        let size = |o: &u32| format!("{o}|{}", self.now[o].len());
        let there: Vec<String> =
            self.now.keys().map(size).filter(|l| paged.contains(l) || !l.ends_with("|0")).collect();
        assert_eq!(paged, there, "seed {}", self.rng.seed());
    }
}
fn cut(s: &str) -> String {
    format!("{} ({} bytes)", &s[..s.len().min(80)], s.len())
}

#[test]
fn large_objects_are_vectors_of_bytes() {
    let seed = chance::seed(31);
    let end = chance::end(6);
    let (mut worlds, mut steps) = (0, 0);
    while std::time::Instant::now() < end || worlds < 3 {
        let mut w = World::new(seed + worlds);
        for _ in 0..6 {
            w.transaction();
        }
        (worlds, steps) = (worlds + 1, steps + w.steps);
    }
    println!("{worlds} worlds, {steps} statements");
}
