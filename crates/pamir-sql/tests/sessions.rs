//! Sessions side by side on a simulated machine: random transactions that meet on few rows, in an order that a seed draws, with crashes; nothing acknowledged is lost, nothing torn,
//! nothing seen that was not there.
//!
//! ```text
//!   seed --> options, isolation, who does what, whose turn it is, when the machine crashes
//!              |
//!   life 0: tables    life 1..: SESSIONS tasks, each some transactions --> crash (or the end) --> recovery --> checks
//! ```
//! A transaction moves money between accounts, appends its items to lists, takes places, spots and turns (deferrable unique keys), reads, sleeps, waits for locks with and without a limit, goes back to savepoints, and ends in
//! COMMIT or not. What it was told goes into a [`History`], which must agree with what is there in the end:
//!
//! - the sum of the accounts is what it was, at every moment that a statement saw; - of each list, items of acknowledged transactions are there once, of others not at all, of
//!   those whose COMMIT met the crash all or none;
//! - whatever was read, by whom ever, is a beginning of what the list is in the end: so nobody was told of what did not last (lists only grow);
//! - who sees one item of a transaction in a statement sees all those that the statement could see;
//! - no cycle of what overwrote and read what; where all are SERIALIZABLE, none with what was read before it was overwritten either, nor with who had ended before whom began
//!   (Adya, "Weak Consistency", 1999; the lists are Elle's, VLDB 2020).
//!
//! At another node whose line breaks, sessions go on by themselves as `session/again.rs` promises: a statement alone never hears of a lost leader, nor does a block that has only read while no definition changed; a COMMIT of unknown outcome is asked for, and what
//! `transaction_outcome` says is what must be there.
//!
//! Two runs of one seed leave the same files, answers and turns. `PAMIR_SEED=n` runs one seed and prints what is said, PAMIR_SEEDS=n runs so many (`scripts/hunt.sh`).
mod simulated;
#[path = "simulated/town.rs"]
mod town;

use pamir_cluster::plant::{self, Bug};
use pamir_cluster::remote::Spawn;
use pamir_cluster::remote::rig::Rig;
use pamir_net::simulation::{Pace, Simulation, Stuck};
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::{Faults, SimDisk};
use pamir_storage::disk::{Disk, sync_point};
use pamir_storage::platform::Sim;
use pamir_storage::store::{Dir, TreeId};
use pamir_storage::task;
use pamir_testkit::Rng;
use pamir_txn::{Engine, Isolation, Shard, ShardOptions};
use pamir_types::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// PAMIR_SEED was set: every statement is printed as it is answered.
static TELLS: AtomicBool = AtomicBool::new(false);
const ACCOUNTS: u64 = 5;
const LISTS: u64 = 3;
const PLACES: u64 = 4;
const TOTAL: &str = "500\n";
/// Items of a transaction are its number times this, and on.
const ITEMS: u64 = 100;
/// What a transaction may end with beside success: deadlock, serialization failure, timeouts of locks and statements, a place that is taken.
const REFUSED: &[&str] = &["40P01", "40001", "55P03", "57014", "23505"];
/// Turns within which a life crashes.
const CRASH_WITHIN: u64 = 900;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    /// It was not asked to commit, or was refused.
    Gone,
    /// COMMIT was answered.
    Done,
    /// COMMIT was not answered.
    Unknown,
    /// PREPARE TRANSACTION was answered; what comes next was not asked.
    Prepared,
    /// PREPARE TRANSACTION was not answered, or what came next was not.
    Limbo,
}
struct Past {
    fate: Fate,
    /// (list, item), in their order.
    items: Vec<(u64, u64)>,
    /// Numbers that a sequence gave it, and whether the row that has it was taken back.
    numbers: Vec<(u64, bool)>,
    /// What a statement saw of lists.
    reads: Vec<Seen>,
    begun: u64,
    ended: u64,
}
struct Seen {
    lists: Vec<(u64, Vec<u64>)>,
    /// Of one moment: not where READ COMMITTED locks rows, of which it sees the newest version each.
    one_moment: bool,
}
#[derive(Default)]
struct History {
    txns: Vec<Past>,
    now: u64,
    /// Every statement, as it was answered.
    told: String,
    /// How often each error came.
    errors: BTreeMap<String, u64>,
    commits: u64,
}
/// What a transaction may lose with its leader.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Holds {
    /// A statement alone: nothing.
    Nothing,
    /// It has only read, and this was the catalog's version when it began.
    Reads(u64),
    Writes,
}
impl History {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }
}

/// Where sessions are: at the shard's node, or at another one, whose calls are tasks of the simulation too.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Here,
    AnotherNode,
    /// ... whose line breaks again and again.
    BrokenLine,
    /// At any of three nodes, of which one leads; they crash, stand still, are cut off, hand over.
    Cluster,
}
/// Turns between two breaks.
const BREAKS: u64 = 120;
type Job = Box<dyn FnOnce() + Send>;
/// Calls of sessions at another node, until the simulation begins them.
#[derive(Default)]
struct Jobs(Mutex<VecDeque<(String, Job)>>);
impl Jobs {
    fn list(&self) -> MutexGuard<'_, VecDeque<(String, Job)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn add(&self, name: String, job: Job) {
        self.list().push_back((name, job));
    }
    fn turn(&self, s: &mut Simulation) -> std::result::Result<bool, Stuck> {
        for (name, job) in std::mem::take(&mut *self.list()) {
            s.spawn(name, job).expect("a stack");
        }
        Ok(s.turn()? || !self.list().is_empty())
    }
    fn run(&self, s: &mut Simulation) -> std::result::Result<(), Stuck> {
        while self.turn(s)? {}
        Ok(())
    }
}
impl Spawn for Jobs {
    fn spawn(&self, job: Job) {
        if task::is_task() { self.add("a call".into(), job) } else { job() }
    }
}
/// None: sessions are here.
fn rig(shard: &Arc<Shard>, at: At, jobs: &Arc<Jobs>) -> Option<Rig> {
    (at != At::Here).then(|| Rig::new(shard.clone(), jobs.clone(), None).expect("rig"))
}
fn engine(shard: &Arc<Shard>, rig: &Option<Rig>) -> Arc<dyn Engine> {
    match rig {
        None => shard.clone(),
        Some(r) => r.engine.clone(),
    }
}

/// What a life's tasks share.
#[derive(Clone)]
struct World {
    seed: u64,
    db: Arc<Database>,
    shard: Arc<Shard>,
    history: Arc<Mutex<History>>,
    crashed: Arc<AtomicBool>,
    level: Level,
    at: At,
}
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Serializable,
    Mixed,
}
impl World {
    fn past(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// From now on nobody can rely on an answer.
    fn down(&self) -> bool {
        self.crashed.load(Ordering::Relaxed)
    }
}

/// Why a transaction stops.
enum Stop {
    /// An error that it may meet.
    Refused,
    /// The machine has crashed, or its disk has.
    Down,
    /// The line broke while it was asked to commit, and whoever knows says that it is committed.
    Committed,
    /// Nobody has said what became of a transaction in two phases: whoever looks at the end finds out.
    Unsure,
}

struct Client {
    w: World,
    name: usize,
    s: Session,
    r: Rng,
    txn: usize,
    level: &'static str,
    /// Items and numbers that there were at the savepoint.
    saved: Option<(usize, usize)>,
    tag: String,
    holds: Holds,
}
fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").expect("session")
}
fn send(s: &mut Session, sql: &str) -> (Result<()>, Transcript) {
    send_to(s, sql, Transcript::default())
}
fn send_to(s: &mut Session, sql: &str, mut reply: Transcript) -> (Result<()>, Transcript) {
    let answered = s.simple_query(sql, &mut reply);
    let synced = s.sync(&mut reply);
    (answered.and(synced), reply)
}
/// A statement that leaders may leave in the middle, and that may be asked again; what it answers.
fn sure(seed: u64, s: &mut Session, sql: &str) -> String {
    for _ in 0..100 {
        match send(s, sql) {
            (Ok(()), reply) => return reply.text(),
            (Err(e), _) if ["40001", "57P03"].contains(&e.code().as_str()) => {
                task::sleep(Duration::from_millis(100), |_| false);
            }
            (Err(e), _) => panic!("seed {seed}: {sql}: {e}"),
        }
    }
    let (r, _) = send(s, sql);
    panic!("seed {seed}: {sql} is never answered: {:?}", r.map_err(|e| e.to_string()))
}
fn list(text: &str) -> Vec<u64> {
    text.split(',').filter(|i| !i.is_empty()).map(|i| i.parse().expect("an item")).collect()
}
fn lists(text: &str) -> Vec<(u64, Vec<u64>)> {
    let row = |l: &str| l.split_once('|').map(|(k, v)| (k.parse().expect("a list"), list(v)));
    text.lines().map(|l| row(l).expect("two columns")).collect()
}

impl Client {
    /// What a statement answers.
    fn ask(&mut self, sql: &str) -> Result<String, Stop> {
        // Some clients get each row as it is made: what is told them cannot be taken back.
        let eager = self.w.at == At::BrokenLine && self.r.chance(2);
        let (r, reply) = send_to(&mut self.s, sql, if eager { Transcript::eager() } else { Transcript::default() });
        let mut h = self.w.past();
        let text = match &r {
            Ok(()) => reply.text().replace('\n', " "),
            Err(e) => format!("{}: {}", e.code().as_str(), e.message()),
        };
        let line = format!("{} {}: {sql}: {} {text}", self.name, self.txn, reply.tag());
        if TELLS.load(Ordering::Relaxed) {
            println!("{line}");
        }
        h.told.extend([&line, "\n"]);
        if self.w.down() {
            return Err(Stop::Down);
        }
        if let Err(e) = &r {
            *h.errors.entry(e.code().as_str().into()).or_default() += 1;
        }
        drop(h);
        self.tag = reply.tag().into();
        let told = eager && !reply.rows("").is_empty();
        r.map(|()| reply.text()).map_err(|e| self.refused(sql, &e, told))
    }
    /// `told`: rows have left.
    fn refused(&mut self, sql: &str, e: &Error, told: bool) -> Stop {
        if self.w.shard.failure().is_some() {
            return Stop::Down;
        }
        if e.is_of_lost_leader() {
            let stands = match self.holds {
                Holds::Nothing => false,
                Holds::Reads(catalog) => self.w.db.catalog_version() != catalog,
                Holds::Writes => true,
            };
            assert!(stands || told, "seed {}: {sql}, {:?}: {e}", self.w.seed, self.holds);
        }
        let may = match e.code().as_str() {
            // Transactions with definitions are not prepared.
            "0A000" => sql.starts_with("prepare"),
            // Somebody else has made what is named so, as this one saw once it had waited.
            "42P07" => sql.starts_with("create"),
            "08007" if sql.contains("prepare") && self.w.at == At::Cluster => return Stop::Unsure,
            "08007" if matches!(self.w.at, At::BrokenLine | At::Cluster) => return self.settled(e),
            // Nobody has led for long.
            "57P03" if self.w.at == At::Cluster => true,
            // It was ended by a try that was not answered.
            "42704" if self.w.at == At::Cluster && sql.contains(" prepared '") => return Stop::Unsure,
            code => REFUSED.contains(&code),
        };
        assert!(may, "seed {}: {sql}: {e}", self.w.seed);
        Stop::Refused
    }
    /// The outcome of a COMMIT that was not answered.
    fn settled(&mut self, e: &Error) -> Stop {
        let detail = e.data().detail.clone().unwrap_or_default();
        let id = detail.split(' ').find_map(|w| w.parse::<u64>().ok()).expect("the transaction's number");
        let _ = send(&mut self.s, "rollback; set statement_timeout = 0");
        loop {
            let (r, reply) = send(&mut self.s, &format!("select pamir_catalog.transaction_outcome({id})"));
            let said = reply.text();
            self.w.past().told.extend([&format!("{} {}: {id} is {said}", self.name, self.txn), "\n"]);
            if self.w.down() {
                return Stop::Down;
            }
            match said.trim() {
                "committed" => return Stop::Committed,
                "aborted" => return Stop::Refused,
                "in progress" => task::yield_now(),
                _ if r.is_err() => task::yield_now(),
                other => panic!("seed {}: {id} is {other:?}", self.w.seed),
            }
        }
    }
    /// A client takes its time.
    fn think(&mut self) {
        match self.r.below(6) {
            // Long enough for a node to go, and for another one to lead.
            0 | 1 if self.w.at == At::Cluster => _ = task::sleep(Duration::from_millis(self.r.below(600)), |_| false),
            0 => _ = task::sleep(Duration::from_millis(self.r.below(20)), |_| false),
            1..4 => task::yield_now(),
            _ => {}
        }
    }
    fn past<R>(&self, f: impl FnOnce(&mut Past) -> R) -> R {
        f(&mut self.w.past().txns[self.txn])
    }
    fn read(&mut self, sql: &str) -> Result<(), Stop> {
        let lists = lists(&self.ask(sql)?);
        let twice = lists.iter().enumerate().find(|(n, l)| lists[..*n].iter().any(|o| o.0 == l.0));
        assert!(twice.is_none(), "seed {}: {sql}: told twice: {twice:?}", self.w.seed);
        let one_moment = !sql.contains(" for ") || self.level != "read committed";
        self.past(|t| t.reads.push(Seen { lists, one_moment }));
        Ok(())
    }
    fn append(&mut self, list: u64) -> Result<(), Stop> {
        let item = self.past(|t| t.items.len()) as u64 + self.txn as u64 * ITEMS;
        // Noted first: whether a statement that meets the crash has an effect is not known.
        self.past(|t| t.items.push((list, item)));
        self.ask(&format!("update lists set v = v || '{item},' where k = {list}")).map(drop)
    }

    /// A statement of a transaction, or a few that belong together.
    fn op(&mut self) -> Result<(), Stop> {
        let (a, b) = (self.r.below(ACCOUNTS), self.r.below(ACCOUNTS));
        let (amount, k) = (self.r.below(50), self.r.below(LISTS));
        match self.r.below(24) {
            0..3 => {
                self.ask(&format!("update accounts set balance = balance - {amount} where id = {a}"))?;
                self.think();
                self.ask(&format!("update accounts set balance = balance + {amount} where id = {b}"))?;
            }
            3 => {
                let change = format!("case id when {a} then {amount} else -{amount} end");
                let place = (a + 1 + b % (ACCOUNTS - 1)) % ACCOUNTS;
                self.ask(&format!("update accounts set balance = balance + {change} where id in ({a}, {place})"))?;
            }
            4..8 => self.append(k)?,
            8 => self.read("select k, v from lists order by k")?,
            9 => self.read(&format!("select k, v from lists where k = {k}"))?,
            10 => {
                let how = ["for update", "for no key update", "for share", "for key share", "for update skip locked"];
                let how = how[self.r.index(how.len())];
                self.read(&format!("select k, v from lists where k >= {k} order by k {how}"))?;
            }
            11 => self.read(&format!("select k, v from lists where k = {k} for update nowait"))?,
            12 => drop(self.ask("select count(*), sum(balance) from accounts, places")?),
            13 => {
                let place = self.r.below(PLACES);
                if self.r.chance(2) {
                    self.ask(&format!("insert into places values ({place}, {})", self.txn))?;
                } else {
                    self.ask(&format!("delete from places where id = {place}"))?;
                }
            }
            14 => drop(self.ask("select pg_sleep(0.005)")?),
            22.. => self.spots()?,
            15..17 => {
                let insert = format!("insert into journal (txn, list) values ({}, {k}) returning n", self.txn);
                let n = self.ask(&insert)?.trim().parse().expect("a number");
                self.past(|t| t.numbers.push((n, false)));
            }
            17 => {
                let many = 1 + self.r.below(60);
                self.ask(&format!("insert into heap select g, repeat('x', 40) from generate_series(1, {many}) g"))?;
            }
            18 => drop(self.ask(&format!("delete from heap where g > {amount}"))?),
            19 => {
                let modes = ["row exclusive", "share", "share row exclusive", "access exclusive"];
                let mode = modes[self.r.index(modes.len())];
                let table = ["lists", "places", "heap"][self.r.index(3)];
                self.ask(&format!("lock table {table} in {mode} mode"))?;
            }
            20 => {
                let definitions = [
                    "truncate heap",
                    "create index on heap (g)",
                    "create table if not exists other (id int primary key)",
                    "drop table if exists other",
                    "analyze lists",
                    "create index on lists (length(v))",
                ];
                let definition = definitions[self.r.index(definitions.len())];
                self.ask(definition)?;
            }
            _ => {
                // What a node that crashed has prepared would be waited for until the end.
                let none = if self.w.at == At::Cluster { 2000 } else { 0 };
                let limit = [none, 1, 10, 100][self.r.index(4)];
                let what = ["lock_timeout", "statement_timeout"][self.r.index(2)];
                self.ask(&format!("set {what} = {limit}"))?;
            }
        }
        Ok(())
    }

    /// Who stands where and when: two keys that are checked later.
    fn spots(&mut self) -> Result<(), Stop> {
        let (id, spot) = (self.r.below(100), self.r.below(PLACES));
        let statement = match self.r.below(8) {
            0..4 => format!("insert into spots values ({id}, {spot}, {})", self.r.below(PLACES)),
            4 => format!("delete from spots where spot = {spot}"),
            5 => format!("update spots set spot = {} - spot", PLACES - 1),
            6 => format!("update spots set turn = {} - turn, spot = {spot} where turn = {spot}", PLACES - 1),
            _ => {
                let when = ["deferred", "immediate"][self.r.index(2)];
                format!("set constraints {} {when}", ["all", "spot_once", "turn_once"][self.r.index(3)])
            }
        };
        self.ask(&statement).map(drop)
    }

    /// The statements between BEGIN and COMMIT.
    fn body(&mut self) -> Result<(), Stop> {
        for _ in 0..1 + self.r.below(4) {
            self.think();
            if self.saved.is_none() && self.r.chance(5) {
                self.ask("savepoint s")?;
                self.saved = Some(self.past(|t| (t.items.len(), t.numbers.len())));
            }
            let done = self.op();
            match (done, self.saved) {
                (Err(Stop::Refused), Some(n)) => self.back(n)?,
                (Ok(()), Some(n)) if self.r.chance(4) => self.back(n)?,
                (Ok(()), Some(_)) if self.r.chance(4) => {
                    self.ask("release s")?;
                    self.saved = None;
                }
                (r, _) => r?,
            }
        }
        Ok(())
    }
    /// Goes back to the savepoint. What it takes back was never there.
    fn back(&mut self, (items, numbers): (usize, usize)) -> Result<(), Stop> {
        self.ask("rollback to s")?;
        self.past(|t| {
            t.items[items..].iter_mut().for_each(|i| i.0 = u64::MAX);
            t.numbers[numbers..].iter_mut().for_each(|n| n.1 = true);
        });
        Ok(())
    }

    /// One transaction. False: the machine is down.
    fn transaction(&mut self) -> bool {
        {
            let mut h = self.w.past();
            let begun = h.tick();
            self.txn = h.txns.len();
            h.txns.push(Past {
                fate: Fate::Gone,
                items: vec![],
                numbers: vec![],
                reads: vec![],
                begun,
                ended: u64::MAX,
            });
        }
        self.saved = None;
        self.level = match self.w.level {
            Level::Serializable => "serializable",
            Level::Mixed => ["read committed", "read committed", "repeatable read", "serializable"][self.r.index(4)],
        };
        self.holds = Holds::Writes;
        let r = if self.r.chance(8) && self.w.level == Level::Mixed {
            // A statement alone is a transaction.
            let k = self.r.below(LISTS);
            self.past(|t| t.fate = Fate::Unknown);
            self.holds = Holds::Nothing;
            self.append(k)
        } else if self.r.chance(8) {
            // Only sums, so that each is one of a moment.
            self.sums()
        } else {
            self.ask(&format!("begin isolation level {}", self.level)).and_then(|_| self.body()).and_then(|()| {
                if self.r.chance(10) {
                    self.ask("rollback")?;
                    return Err(Stop::Refused);
                }
                self.think();
                // What is prepared and not told would be in others' way for good.
                if self.r.chance(8) && self.w.at != At::BrokenLine {
                    return self.in_two_phases();
                }
                self.past(|t| t.fate = Fate::Unknown);
                self.ask("commit").map(drop)
            })
        };
        let (fate, goes_on) = match r {
            Ok(()) => (Some(Fate::Done), true),
            Err(Stop::Refused) => (Some(Fate::Gone), true),
            Err(Stop::Committed) => (Some(Fate::Done), true),
            Err(Stop::Unsure) => (None, true),
            Err(Stop::Down) => (None, false),
        };
        {
            let mut h = self.w.past();
            let ended = h.tick();
            let t = &mut h.txns[self.txn];
            if let Some(fate) = fate {
                (t.fate, t.ended) = (fate, ended);
            }
            h.commits += u64::from(fate == Some(Fate::Done));
        }
        goes_on && (fate == Some(Fate::Done) || !matches!(self.ask("rollback"), Err(Stop::Down)))
    }
    fn in_two_phases(&mut self) -> Result<(), Stop> {
        let gid = format!("g{}", self.txn);
        self.past(|t| t.fate = Fate::Limbo);
        self.ask(&format!("prepare transaction '{gid}'"))?;
        self.past(|t| t.fate = Fate::Prepared);
        self.think();
        self.think();
        if self.w.down() {
            return Err(Stop::Down);
        }
        let commits = !self.r.chance(3);
        self.past(|t| t.fate = Fate::Limbo);
        let mut unsure = 0;
        loop {
            match self.ask(&format!("{} prepared '{gid}'", if commits { "commit" } else { "rollback" })) {
                Ok(_) if commits => return Ok(()),
                Ok(_) | Err(Stop::Down) => return Err(if self.w.down() { Stop::Down } else { Stop::Refused }),
                Err(Stop::Unsure) if self.w.at == At::Cluster && unsure > 0 => return Err(Stop::Unsure),
                Err(Stop::Unsure) => unsure += 1,
                Err(Stop::Refused | Stop::Committed) => {}
            }
        }
    }
    fn sums(&mut self) -> Result<(), Stop> {
        let level = self.level;
        self.ask(&format!("begin isolation level {level} read only"))?;
        if level == "read committed" {
            self.holds = Holds::Reads(self.w.db.catalog_version());
        }
        for _ in 0..1 + self.r.below(2) {
            let sum = self.ask("select sum(balance) from accounts")?;
            assert_eq!(sum, TOTAL, "seed {}: a reader at {level}", self.w.seed);
            self.think();
        }
        self.past(|t| t.fate = Fate::Unknown);
        self.ask("commit").map(drop)
    }
}

/// What is prepared when a life begins was told to be, or was not told about; it is ended now.
fn resolve(w: &World, s: &mut Session) {
    let seed = w.seed;
    let text = sure(seed, s, "select gid from pg_prepared_xacts order by gid");
    let mut there: BTreeSet<usize> = text.lines().map(|g| g[1..].parse().expect("a transaction")).collect();
    let open: Vec<(usize, Fate)> = w.past().txns.iter().map(|t| t.fate).enumerate().collect();
    for (n, fate) in open {
        let mut new = fate;
        if there.remove(&n) {
            assert!(matches!(fate, Fate::Prepared | Fate::Limbo), "seed {seed}: {n}, {fate:?}, is prepared");
            let commits = n.is_multiple_of(2);
            let end = format!("{} prepared 'g{n}'", if commits { "commit" } else { "rollback" });
            sure(seed, s, &end);
            new = if commits { Fate::Done } else { Fate::Gone };
        } else {
            assert!(fate != Fate::Prepared, "seed {seed}: {n} is not prepared any more");
        }
        let mut h = w.past();
        if new != fate {
            let now = h.tick();
            (h.txns[n].fate, h.txns[n].ended) = (new, now);
        } else if fate == Fate::Limbo {
            h.txns[n].fate = Fate::Unknown;
        }
    }
    assert!(there.is_empty(), "seed {seed}: {there:?} are prepared");
}
/// What there is after a life, and what the past says of it.
fn check(w: &World, s: &mut Session) {
    resolve(w, s);
    let seed = w.seed;
    assert_eq!(
        sure(seed, s, "select sum(balance) from accounts"),
        TOTAL,
        "seed {seed}: in the end the accounts have another sum"
    );
    for key in ["spot", "turn"] {
        let twice = format!("select {key}, count(*) from spots group by {key} having count(*) > 1");
        assert_eq!(sure(seed, s, &twice), "", "seed {seed}: a deferrable key holds no longer");
    }
    let is: BTreeMap<u64, Vec<u64>> = lists(&sure(seed, s, "select k, v from lists order by k")).into_iter().collect();
    let mut at: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for (k, v) in &is {
        for (n, i) in v.iter().enumerate() {
            assert!(at.insert(*i, (*k, n)).is_none(), "seed {seed}: item {i} is there twice");
        }
    }
    let text = sure(seed, s, "select txn, n from journal order by n");
    let rows = text.lines().map(|l| l.split_once('|').expect("two columns"));
    let mut journal: BTreeSet<(usize, u64)> =
        rows.map(|(t, n)| (t.parse().expect("a transaction"), n.parse().expect("a number"))).collect();
    let mut h = w.past();
    let now = h.tick();
    let mut known = 0;
    for (n, t) in h.txns.iter_mut().enumerate() {
        let kept: Vec<_> = t.items.iter().filter(|i| i.0 != u64::MAX).collect();
        let there = kept.iter().filter(|(k, i)| at.get(i).is_some_and(|(l, _)| l == k)).count();
        if t.fate == Fate::Unknown {
            (t.fate, t.ended) = (if there > 0 || kept.is_empty() { Fate::Done } else { Fate::Gone }, now);
            if kept.is_empty() && t.numbers.iter().any(|(i, back)| !back && !journal.contains(&(n, *i))) {
                t.fate = Fate::Gone;
            }
        }
        for (i, back) in &t.numbers {
            let there = journal.remove(&(n, *i));
            assert_eq!(there, !back && t.fate == Fate::Done, "seed {seed}: row {i} of transaction {n}, {:?}", t.fate);
        }
        let want = if t.fate == Fate::Done { kept.len() } else { 0 };
        assert_eq!(there, want, "seed {seed}: transaction {n}, {:?}, has {there} of its {} items", t.fate, kept.len());
        let places: Vec<_> = kept.iter().filter_map(|(_, i)| at.get(i)).collect();
        for (a, b) in std::iter::zip(&places, places.iter().skip(1)) {
            assert!(a.0 != b.0 || a.1 < b.1, "seed {seed}: transaction {n}'s items are not in its order");
        }
        known += there;
    }
    assert_eq!(known, at.len(), "seed {seed}: items that nobody keeps");
    assert!(journal.is_empty(), "seed {seed}: rows that nobody keeps: {journal:?}");
    let mut numbers = BTreeSet::new();
    let twice = h.txns.iter().flat_map(|t| &t.numbers).find(|n| !numbers.insert(n.0));
    assert!(twice.is_none(), "seed {seed}: the sequence gave {twice:?} twice");
    for (n, t) in h.txns.iter().enumerate() {
        for (k, seen) in t.reads.iter().flat_map(|s| &s.lists) {
            // Its own, taken back or of a transaction that failed, were there for it alone.
            let others: Vec<u64> = seen.iter().copied().filter(|i| i / ITEMS != n as u64).collect();
            let first: Vec<u64> = is[k].iter().copied().filter(|i| i / ITEMS != n as u64).take(others.len()).collect();
            assert_eq!(others, first, "seed {seed}: what transaction {n} read of list {k} did not last");
        }
    }
    whole(seed, &h);
    order(seed, &h, &is, w.level);
}

/// Who sees an item of a transaction sees all of it that the statement read the lists of.
fn whole(seed: u64, h: &History) {
    for (n, t) in h.txns.iter().enumerate() {
        for read in t.reads.iter().filter(|s| s.one_moment) {
            let seen: BTreeMap<u64, BTreeSet<u64>> =
                read.lists.iter().map(|(k, v)| (*k, v.iter().copied().collect())).collect();
            let of: BTreeSet<u64> = seen.values().flatten().map(|i| i / ITEMS).filter(|o| *o != n as u64).collect();
            for o in of {
                for (k, i) in &h.txns[o as usize].items {
                    let all = seen.get(k).is_none_or(|v| v.contains(i));
                    assert!(all, "seed {seed}: transaction {n} saw a part of {o}, without {i}");
                }
            }
        }
    }
}

/// No cycle among what transactions did before others could.
fn order(seed: u64, h: &History, is: &BTreeMap<u64, Vec<u64>>, level: Level) {
    let done = |n: usize| h.txns[n].fate == Fate::Done;
    let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); h.txns.len()];
    let mut edge = |a: usize, b: usize| {
        if a != b && done(a) && done(b) {
            after[a].insert(b);
        }
    };
    let by = |i: &u64| (i / ITEMS) as usize;
    for v in is.values() {
        std::iter::zip(v, v.iter().skip(1)).for_each(|(a, b)| edge(by(a), by(b)));
    }
    for (n, t) in h.txns.iter().enumerate() {
        for (k, seen) in t.reads.iter().flat_map(|s| &s.lists) {
            seen.iter().for_each(|i| edge(by(i), n));
            if level == Level::Serializable
                && let Some(next) = is[k].iter().find(|i| by(i) != n && !seen.contains(i))
            {
                edge(n, by(next));
            }
        }
        if level == Level::Serializable {
            (0..h.txns.len()).filter(|o| h.txns[*o].ended < t.begun).for_each(|o| edge(o, n));
        }
    }
    // Whoever has nobody before it goes, until nobody is left.
    let mut before = vec![0usize; after.len()];
    after.iter().flatten().for_each(|b| before[*b] += 1);
    let mut free: Vec<usize> = (0..after.len()).filter(|n| before[*n] == 0).collect();
    let mut gone = 0;
    while let Some(n) = free.pop() {
        gone += 1;
        for b in &after[n] {
            before[*b] -= 1;
            if before[*b] == 0 {
                free.push(*b);
            }
        }
    }
    let left: Vec<usize> = (0..after.len()).filter(|n| before[*n] > 0).collect();
    assert_eq!(gone, after.len(), "seed {seed}: a cycle among transactions {left:?}");
}

/// What a run leaves.
#[derive(PartialEq)]
struct Left {
    told: String,
    files: BTreeMap<String, Vec<u8>>,
    turns: Vec<(u64, u64)>,
    errors: BTreeMap<String, u64>,
    commits: u64,
}
/// A run on a thread of its own: what threads keep for themselves begins anew.
fn run(seed: u64, at: At) -> Left {
    let left = if at == At::Cluster { run_town(seed, None) } else { run_without(seed, at, None) };
    left.unwrap_or_else(|p| std::panic::resume_unwind(p))
}
/// A cluster's, with a bug in it.
fn run_town(seed: u64, bug: Option<Bug>) -> std::thread::Result<Left> {
    let run = move || {
        plant::plant(bug);
        town_lives(seed)
    };
    std::thread::spawn(run).join()
}
/// The same on a disk that ignores the syncs of one place in the engine.
fn run_without(seed: u64, at: At, skip_sync: Option<&'static str>) -> std::thread::Result<Left> {
    std::thread::spawn(move || lives(seed, at, skip_sync)).join()
}
fn options(seed: u64, r: &mut Rng, sim: &Arc<Sim>) -> ShardOptions {
    ShardOptions {
        io_threads: 0,
        cache_size: 8 << 20,
        log_segment_size: 16 << 10,
        checkpoint_bytes: 30_000 + r.below(400_000),
        large_commit_bytes: if r.chance(3) { 200 + r.below(2_000) } else { 1 << 20 },
        slice_ops: 1 + r.below(20) as u32,
        part_cache: r.below(2) * 2000,
        lock_escalation: if seed.is_multiple_of(4) { 3 } else { 100_000 },
        platform: Some(sim.clone()),
        ..ShardOptions::default()
    }
}
fn lives(seed: u64, at: At, skip_sync: Option<&'static str>) -> Left {
    let r = &mut Rng::new(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
    let (disk, sim) = (SimDisk::new(seed), Arc::new(Sim::new(seed)));
    let healthy = Faults { skip_sync, ..Faults::default() };
    disk.set_faults(healthy.clone());
    let opts = ShardOptions { outcomes: at == At::BrokenLine, ..options(seed, r, &sim) };
    let history = Arc::<Mutex<History>>::default();
    let level = if r.chance(3) { Level::Serializable } else { Level::Mixed };
    let mut turns = Vec::new();
    let jobs = Arc::<Jobs>::default();
    for life in 0..3 {
        let shard = Shard::open_stepped(Arc::new(disk.clone()), opts.clone())
            .unwrap_or_else(|e| panic!("seed {seed} life {life}: {e}"));
        let rig = rig(&shard, at, &jobs);
        let db = Database::open(engine(&shard, &rig)).unwrap_or_else(|e| panic!("seed {seed} life {life}: {e}"));
        let (history, crashed) = (history.clone(), Arc::<AtomicBool>::default());
        let w = World { seed, db: db.clone(), shard: shard.clone(), history, crashed: crashed.clone(), level, at };
        // Before and after the others, alone.
        let alone = |job: fn(&World, &mut Session)| {
            let mut s = simulated::simulation(&sim, &shard, Pace::default());
            let w = w.clone();
            s.spawn("alone", move || job(&w, &mut session(&w.db))).expect("a stack");
            jobs.run(&mut s).unwrap_or_else(|e| panic!("seed {seed} life {life}: {e}"));
        };
        alone(if life == 0 { make } else { check });
        let pace = Pace { turn: Duration::from_micros(r.below(3) * 300), restless: !r.chance(4) };
        let mut s = simulated::simulation(&sim, &shard, pace);
        for name in 0..2 + r.index(4) {
            let (w, of, many) = (w.clone(), Rng::new(r.next()), 4 + r.below(8));
            let client = move || {
                let s = session(&w.db);
                let mut c = Client {
                    w,
                    name,
                    s,
                    r: of,
                    txn: 0,
                    level: "",
                    saved: None,
                    tag: String::new(),
                    holds: Holds::Writes,
                };
                for _ in 0..many {
                    if c.w.down() || !c.transaction() {
                        return;
                    }
                    c.think();
                }
            };
            s.spawn(format!("session {name}"), client).expect("a stack");
        }
        let crash_at = if r.chance(4) { u64::MAX } else { r.below(CRASH_WITHIN) };
        // Half of the crashes begin with a write or a sync that fails.
        let n = Some(r.below(3));
        let faults = match r.below(4) {
            0 => Some(Faults { fail_write_after: n, ..healthy.clone() }),
            1 => Some(Faults { fail_sync_after: n, ..healthy.clone() }),
            _ => None,
        };
        let crash = |shard: &Shard, turn: u64| {
            let due = match &faults {
                None => turn == crash_at,
                Some(f) => {
                    if turn == crash_at {
                        disk.set_faults(f.clone());
                    }
                    shard.failure().is_some()
                }
            };
            if due && !crashed.swap(true, Ordering::Relaxed) {
                disk.crash();
                disk.set_faults(healthy.clone());
                // The shard finds its files gone: who waits for a lock of a prepared transaction hears of it.
                shard.request_checkpoint();
            }
        };
        loop {
            crash(&shard, s.turns());
            if let Some(rig) = rig.as_ref().filter(|_| at == At::BrokenLine && r.chance(BREAKS)) {
                rig.between.cut();
                rig.reconnect();
            }
            match jobs.turn(&mut s) {
                Ok(true) => {}
                Ok(false) => break,
                Err(e) => panic!("seed {seed} life {life}: {e}"),
            }
        }
        turns.push((s.turns(), s.trace()));
        drop(s);
        assert!(rig.as_ref().is_none_or(Rig::is_idle), "seed {seed} life {life}: something is left at the host");
        if !crashed.load(Ordering::Relaxed) {
            disk.set_faults(healthy.clone());
            if shard.failure().is_none() {
                alone(check);
            }
            if r.chance(2) {
                drop((w, db));
                let _ = shard.close();
            } else {
                disk.crash();
            }
        }
    }
    let shard = Shard::open_stepped(Arc::new(disk.clone()), opts).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let rig = rig(&shard, at, &jobs);
    let db = Database::open(engine(&shard, &rig)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let w = World { seed, db, shard: shard.clone(), history, crashed: Arc::default(), level, at };
    let mut s = simulated::simulation(&sim, &shard, Pace::default());
    let of = w.clone();
    s.spawn("the last", move || check(&of, &mut session(&of.db))).expect("a stack");
    jobs.run(&mut s).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    drop(s);
    let h = std::mem::take(&mut *w.past());
    drop(w);
    shard.close().expect("close");
    let content = |n: String| disk.content(&n).map(|c| (n, c));
    let files = disk.list().expect("names").into_iter().filter_map(content).collect();
    Left { told: h.told, files, turns, errors: h.errors, commits: h.commits }
}
/// Simulated time in which nodes fail, and in which all must come to rest after that.
const FAULTY: Duration = Duration::from_secs(12);
const COMES_TO_REST: Duration = Duration::from_secs(400);
/// Clients of a life of a node.
const AT_A_NODE: u64 = 2;
/// The highest number of a tree that a run may make, and more.
const TREES: u64 = 400;

/// A cluster's life: sessions at all nodes, faults for a while, then calm, then what there is.
fn town_lives(seed: u64) -> Left {
    let r = &mut Rng::new(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
    let sim = Arc::new(Sim::new(seed));
    let opts = ShardOptions { cache_size: 4 << 20, log_segment_size: 64 << 10, ..options(seed, r, &sim) };
    let level = if r.chance(3) { Level::Serializable } else { Level::Mixed };
    let (history, jobs) = (Arc::<Mutex<History>>::default(), Arc::<Jobs>::default());
    // Clients that are at work; who begins only when there are tables.
    let (clients, ready) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
    // Nodes that come back now have no clients.
    let closing = Arc::<AtomicBool>::default();
    let world = {
        let history = history.clone();
        move |life: &Arc<town::Life>, db: &Arc<Database>| World {
            seed,
            db: db.clone(),
            shard: life.shard.clone(),
            history: history.clone(),
            crashed: life.crashed.clone(),
            level,
            at: At::Cluster,
        }
    };
    let serve = {
        let (world, clients, ready, closing) = (world.clone(), clients.clone(), ready.clone(), closing.clone());
        move |town: &Arc<town::Town>, life: &Arc<town::Life>| {
            let Some(db) = life.database.lock().unwrap().clone() else { return };
            for n in (0..AT_A_NODE).filter(|_| !closing.load(Ordering::SeqCst)) {
                let (w, of, many) = (world(life, &db), Rng::new(town.below(u64::MAX)), 5 + town.below(15));
                let (clients, ready, town2, life2) = (clients.clone(), ready.clone(), town.clone(), life.clone());
                clients.fetch_add(1, Ordering::SeqCst);
                let name = life.me as usize * 100 + life.number as usize * 10 + n as usize;
                let client = move || {
                    while !ready.load(Ordering::SeqCst) && !life2.is_over() && !town2.over.load(Ordering::SeqCst) {
                        task::sleep(Duration::from_millis(20), |_| false);
                    }
                    if !w.down() && !town2.over.load(Ordering::SeqCst) {
                        be_a_client(w, name, of, many);
                    }
                    clients.fetch_sub(1, Ordering::SeqCst);
                };
                town.jobs.add(format!("session {name}"), Box::new(client));
            }
        }
    };
    let town = town::Town::new(seed, 3, sim.clone(), jobs.clone(), opts, Box::new(serve));
    let pace = Pace { turn: Duration::from_micros(r.below(3) * 50), restless: !r.chance(4) };
    let mut s = Simulation::new(sim.clone(), pace);
    town.settle(&mut s);
    let of = town.clone();
    let mayor = move || {
        let at = |n: usize| {
            let life = of.houses[n].life.lock().unwrap().clone();
            life.and_then(|l| l.database.lock().unwrap().clone().map(|db| world(&l, &db)))
        };
        let somebody = || loop {
            if let Some(w) = (0..of.houses.len()).find_map(at) {
                return w;
            }
            task::sleep(Duration::from_millis(20), |_| false);
        };
        let w = somebody();
        make(&w, &mut session(&w.db));
        drop(w);
        ready.store(true, Ordering::SeqCst);
        let end = task::now() + FAULTY;
        while task::now() < end && clients.load(Ordering::SeqCst) > 0 {
            task::sleep(Duration::from_millis(50 + of.below(1500)), |_| false);
            fault(&of);
        }
        closing.store(true, Ordering::SeqCst);
        of.heal();
        // What was ordered may come behind a pause.
        task::sleep(Duration::from_secs(10), |_| false);
        while clients.load(Ordering::SeqCst) > 0 {
            task::sleep(Duration::from_millis(50), |_| false);
        }
        let w = somebody();
        let s = &mut session(&w.db);
        check(&w, s);
        agree(seed, s);
        same(&of);
        if let Some(l) = of.leader() {
            let life = of.houses[l].life.lock().unwrap().clone();
            // Its own session's are let go a moment after its answer.
            task::sleep(Duration::from_secs(2), |_| false);
            let locks = life.map(|l| l.shard.locks()).unwrap_or_default();
            assert!(locks.is_empty(), "seed {seed}: locks are left: {locks:?}; {}", of.state());
        }
        of.over.store(true, Ordering::SeqCst);
    };
    s.spawn("mayor", mayor).expect("a stack");
    loop {
        match jobs.turn(&mut s) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => panic!("seed {seed}: {e}"),
        }
        if s.passed() >= COMES_TO_REST {
            let tasks: Vec<_> = s.tasks().collect();
            panic!("seed {seed}: it does not come to rest: {tasks:?} {}", town.state());
        }
    }
    let turns = vec![(s.turns(), s.trace())];
    drop(s);
    let leaders = town.leaders.lock().unwrap();
    let terms: BTreeSet<u64> = leaders.iter().map(|l| l.0).collect();
    assert_eq!(terms.len(), leaders.len(), "seed {seed}: two leaders of one term");
    let mut files = BTreeMap::new();
    for h in &town.houses {
        for n in h.disk.list().expect("names") {
            files.extend(h.disk.content(&n).map(|c| (format!("{}/{n}", h.id), c)));
        }
    }
    let h = std::mem::take(&mut *history.lock().unwrap());
    Left { told: h.told, files, turns, errors: h.errors, commits: h.commits }
}
fn be_a_client(w: World, name: usize, r: Rng, many: u64) {
    let s = session(&w.db);
    let mut c = Client { w, name, s, r, txn: 0, level: "", saved: None, tag: String::new(), holds: Holds::Writes };
    let (set, _) = send(&mut c.s, "set lock_timeout = '2s'; set statement_timeout = '20s'");
    if c.w.down() {
        return;
    }
    set.expect("settings");
    for _ in 0..many {
        if c.w.down() || !c.transaction() {
            return;
        }
        c.think();
    }
}
/// Something happens to the town.
fn fault(town: &Arc<town::Town>) {
    use town::Order;
    let n = town.houses.len();
    let i = town.below(n as u64) as usize;
    // Mostly the one on whom everybody waits.
    let i = town.leader().filter(|_| town.below(2) == 0).unwrap_or(i);
    let ms = |most: u64| Duration::from_millis(1 + town.below(most));
    match town.below(12) {
        0..3 => town.order(i, Order::Crash(ms(3000))),
        3 | 4 => town.order(i, Order::Pause(ms(3000))),
        5 | 6 => town.cut(i, None),
        7 => town.cut(i, Some((i + 1 + town.below(n as u64 - 1) as usize) % n)),
        8 => town.heal(),
        9 => {
            let to = town.houses[town.below(n as u64) as usize].id;
            if let Some(l) = town.leader() {
                town.order(l, Order::Transfer(to));
            }
        }
        10 => town.order(i, Order::Checkpoint),
        _ => town.order(i, Order::Slow(Duration::from_micros(100 + town.below(40_000)))),
    }
}
/// Each index has the rows of its table.
fn agree(seed: u64, s: &mut Session) {
    for (table, key) in
        [("heap", "g"), ("heap", "v"), ("lists", "length(v)"), ("accounts", "balance"), ("journal", "n")]
    {
        let mut ways = Vec::new();
        for index in ["off", "on"] {
            let other = if index == "on" { "off" } else { "on" };
            let set = format!(
                "set enable_indexscan = {index}; set enable_indexonlyscan = {index}; set enable_seqscan = {other}"
            );
            send(s, &set).0.expect("settings");
            let count =
                format!("select count(*) from (select {key} from {table} where {key} is not null order by {key}) t");
            ways.push(sure(seed, s, &count));
        }
        assert_eq!(ways[0], ways[1], "seed {seed}: {table} and its index on {key} differ");
    }
    send(s, "reset all").0.expect("settings");
}
/// All replicas come to hold the same, tree by tree.
fn same(town: &Arc<town::Town>) {
    let seed = town.seed();
    let end = task::now() + Duration::from_secs(60);
    let shards = loop {
        let lives: Vec<_> = town.houses.iter().filter_map(|h| h.life.lock().unwrap().clone()).collect();
        let applied: Vec<_> = lives.iter().map(|l| l.shard.applied_entry()).collect();
        let readable = lives.iter().all(|l| l.shard.is_readable());
        if lives.len() == town.houses.len() && readable && applied.iter().all(|a| *a == applied[0]) {
            break lives.iter().map(|l| l.shard.clone()).collect::<Vec<_>>();
        }
        assert!(task::now() < end, "seed {seed}: the replicas do not become equal: {}", town.state());
        task::sleep(Duration::from_millis(20), |_| false);
    };
    let rows = |shard: &Arc<Shard>, tree: TreeId| {
        let t = shard.begin(Isolation::ReadCommitted, true, Arc::default());
        let snap = t.statement();
        let mut rows = Vec::new();
        if let Ok(mut scan) = t.scan(&snap, tree, b"", None, Dir::Forward) {
            while let Ok(Some((k, v))) = scan.next(&t) {
                rows.push((k.to_vec(), v.to_vec()));
            }
        }
        rows
    };
    let mut all = 0;
    for tree in (1..TREES).map(TreeId) {
        let first = rows(&shards[0], tree);
        all += first.len();
        for (n, s) in shards.iter().enumerate().skip(1) {
            assert!(rows(s, tree) == first, "seed {seed}: {tree:?} of node {} is not as that of node 1", n + 1);
        }
    }
    assert!(all > 50, "seed {seed}: only {all} rows were compared");
}
fn make(_: &World, s: &mut Session) {
    for sql in [
        "create table journal (n bigserial primary key, txn int, list int)".into(),
        "create table heap (g int, v text); create index on heap (v, g)".into(),
        "create table accounts (id int primary key, balance int not null); create index on accounts (balance)".into(),
        "create table lists (k int primary key, v text not null); create table places (id int primary key, by int)"
            .into(),
        "create table spots (id int, spot int constraint spot_once unique deferrable initially deferred, \
         turn int constraint turn_once unique deferrable)"
            .into(),
        "alter table journal add foreign key (list) references lists".into(),
        format!("insert into accounts select g, 100 from generate_series(0, {}) g", ACCOUNTS - 1),
        format!("insert into lists select g, '' from generate_series(0, {}) g", LISTS - 1),
    ] {
        send(s, &sql).0.expect("a table");
    }
}

fn seeds(normal: u64) -> std::ops::Range<u64> {
    let var = |n: &str| std::env::var(n).ok().and_then(|s| s.parse::<u64>().ok());
    match var("PAMIR_SEED") {
        Some(s) => {
            TELLS.store(true, Ordering::Relaxed);
            s..s + 1
        }
        None => 0..var("PAMIR_SEEDS").unwrap_or(normal),
    }
}

/// Runs tasks over a new node until all have ended.
fn beside(seed: u64, tasks: &[fn(&Arc<Database>)]) {
    [At::Here, At::AnotherNode].into_iter().for_each(|at| beside_at(seed, at, tasks));
}
fn beside_at(seed: u64, at: At, tasks: &[fn(&Arc<Database>)]) {
    let jobs = Arc::<Jobs>::default();
    let sim = Arc::new(Sim::new(seed));
    let opts = options(seed, &mut Rng::new(seed), &sim);
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(seed)), opts).expect("shard");
    let rig = rig(&shard, at, &jobs);
    let db = Database::open(engine(&shard, &rig)).expect("database");
    let mut s = simulated::simulation(&sim, &shard, Pace { turn: Duration::ZERO, restless: true });
    for (n, task) in tasks.iter().enumerate() {
        let (db, task) = (db.clone(), *task);
        s.spawn(format!("task {n}"), move || task(&db)).expect("a stack");
    }
    jobs.run(&mut s).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
}
fn told(s: &mut Session, sql: &str) -> String {
    let (r, reply) = send(s, sql);
    r.map_or_else(|e| format!("{}: {}", e.code().as_str(), e.message()), |()| reply.text())
}
/// Who binds a table's index expressions first breathes meanwhile, and others want them, too. (Once a worker waited for itself there.)
#[test]
fn index_expressions_are_bound_side_by_side() {
    let plan: fn(&Arc<Database>) = |db| {
        let s = &mut session(db);
        while told(s, "select 1 from pg_class where relname = 't_of_length'") != "1\n" {
            task::sleep(Duration::from_millis(1), |_| false);
        }
        assert_eq!(told(s, "select v from t where length(v) = 2 and lower(v) = 'ab'"), "ab\n");
    };
    let make: fn(&Arc<Database>) = |db| {
        let s = &mut session(db);
        told(s, "create table t (v text); insert into t values ('ab'), ('abc')");
        told(s, "create index t_of_length on t (length(v), upper(v || 'x'), (1 + length(v))) where lower(v) > 'a'");
    };
    (0..20).for_each(|seed| beside(seed, &[make, plan, plan, plan]));
}
/// A transaction that has made definitions sees what others commit meanwhile, also after it went back to before them.
#[test]
fn definitions_of_others_are_seen() {
    let both: fn(&Arc<Database>) = |db| {
        let (a, b) = (&mut session(db), &mut session(db));
        told(a, "create table t (id int); insert into t values (1)");
        told(a, "begin; create table own (id int); savepoint s; create table gone (id int)");
        assert_eq!(
            told(
                b,
                "truncate t; insert into t values (2); create table others (id int, v text); create table brief ()"
            ),
            ""
        );
        assert_eq!(told(a, "select id from t"), "2\n");
        assert_eq!(told(a, "select v from others, own, gone"), "");
        assert_eq!(told(b, "drop table brief; create table more (id int)"), "");
        assert_eq!(told(a, "rollback to s"), "");
        assert_eq!(told(a, "select more.id from more, own"), "");
        told(a, "savepoint t");
        assert_eq!(told(a, "select 1 from brief"), "42P01: relation \"brief\" does not exist");
        told(a, "rollback to t");
        assert_eq!(told(a, "select 1 from gone"), "42P01: relation \"gone\" does not exist");
        told(a, "rollback to t; commit");
        assert_eq!(told(b, "select own.id from own, more"), "");
    };
    beside(1, &[both]);
}
#[test]
fn sessions_meet() {
    meet(200, At::Here);
}
#[test]
fn sessions_meet_at_another_node() {
    meet(100, At::AnotherNode);
}
#[test]
fn sessions_meet_over_a_line_that_breaks() {
    meet(100, At::BrokenLine);
}
#[test]
fn sessions_meet_in_a_cluster() {
    meet(12, At::Cluster);
}
/// `cargo test -p pamir-sql --release --test sessions -- --ignored --nocapture planted`
#[test]
#[ignore = "minutes"]
fn planted_bugs_are_found() {
    let mut missed = Vec::new();
    let one = std::env::var("PAMIR_BUG").ok();
    for bug in Bug::OF_SESSIONS.into_iter().filter(|b| one.as_ref().is_none_or(|o| format!("{b:?}") == *o)) {
        let found = seeds(1000).find(|seed| run_town(*seed, Some(bug)).is_err());
        println!("{bug:?}: {found:?}");
        if found.is_none() {
            missed.push(bug);
        }
    }
    assert!(missed.is_empty(), "{missed:?} were not found");
}
fn meet(n: u64, at: At) {
    let (mut errors, mut commits, mut all) = (BTreeMap::<String, u64>::new(), 0, 0);
    let mut traces = BTreeSet::new();
    for seed in seeds(n) {
        let left = run(seed, at);
        left.errors.into_iter().for_each(|(e, n)| *errors.entry(e).or_default() += n);
        (commits, all) = (commits + left.commits, all + 1);
        traces.insert(left.turns);
    }
    println!("{all} seeds, {commits} commits, {errors:?}");
    assert_eq!(traces.len(), all, "seeds share their turns");
    if all >= 200 {
        let rare: Vec<_> = REFUSED.iter().filter(|e| errors.get(**e).is_none_or(|n| *n < 3)).collect();
        assert!(rare.is_empty() && commits > 5_000, "{commits} commits, {errors:?}: {rare:?} hardly came");
    }
}
/// ... whatever else the process does meanwhile.
#[test]
fn a_seed_replays_its_sessions() {
    let over = AtomicBool::new(false);
    std::thread::scope(|s| {
        s.spawn(|| (1000..).take_while(|_| !over.load(Ordering::SeqCst)).for_each(|seed| drop(run(seed, At::Here))));
        let replays = s.spawn(replays).join();
        over.store(true, Ordering::SeqCst);
        replays.unwrap_or_else(|p| std::panic::resume_unwind(p));
    });
}
fn replays() {
    for (seed, at) in seeds(6).flat_map(|s| [(s, At::Here), (s, At::AnotherNode), (s, At::Cluster)]) {
        let (a, b) = (run(seed, at), run(seed, at));
        if let Some((x, y)) = std::iter::zip(a.told.lines(), b.told.lines()).find(|(x, y)| x != y) {
            panic!("seed {seed}: {x:?} and {y:?}");
        }
        assert!(a.turns == b.turns && a.told == b.told, "seed {seed}: {:?} and {:?}", a.turns, b.turns);
        assert!(a.files == b.files, "seed {seed}: other bytes in some file");
    }
}
/// What is acknowledged before it is durable is missed, or was seen by somebody.
#[test]
fn a_sync_left_out_is_noticed() {
    for point in [sync_point::LOG, sync_point::CHECKPOINT_PAGES, sync_point::CHECKPOINT_SUPER, sync_point::LOG_DIR] {
        let noticed = (0..100).find(|seed| run_without(*seed, At::Here, Some(point)).is_err());
        println!("{point}: {noticed:?}");
        assert!(noticed.is_some(), "nobody misses {point}");
    }
}
