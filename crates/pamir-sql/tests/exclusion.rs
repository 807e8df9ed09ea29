//! EXCLUDE constraints: statements at random against a model that knows which rows may be beside which; then sessions side by side, and no two rows in conflict, ever.
use pamir_sql::check::check;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Each way to have the rule "no two bookings of a room overlap", or no rule of rooms: (method and columns, do rooms count?, is a cancelled one left out?).
const RULES: [(&str, bool, bool); 6] = [
    ("using gist (room with =, during with &&)", true, false),
    ("using gist (during with &&, room with =) where (not cancelled)", true, true),
    ("using gist (during with &&)", false, false),
    ("using gist (int4range(lower(during), upper(during)) with &&, (room + 0) with =)", true, false),
    ("using gist (room with =, during with &&, during with &&)", true, false),
    ("using gist (during with &&, id with <>)", false, false),
];

fn run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text())
}
fn options() -> ShardOptions {
    ShardOptions { cache_size: 16 << 20, log_segment_size: 1 << 20, ..ShardOptions::default() }
}
fn open(shard: &Arc<Shard>, rule: &str, when: &str, key: bool) -> (Arc<Database>, Session) {
    let db = Database::open(shard.clone()).expect("database");
    let mut s = transcript::start(&db, "postgres").expect("session");
    let id = if key { "id int primary key" } else { "id int" };
    let columns = format!("{id}, room int, during int4range, cancelled bool not null default false");
    run(&mut s, "create extension btree_gist").expect("extension");
    run(&mut s, &format!("create table t ({columns}, constraint x exclude {rule} {when})")).expect("table");
    (db, s)
}

#[derive(Clone, Debug, PartialEq)]
struct Booking {
    id: u64,
    room: Option<u64>,
    /// None: NULL; empty where both are the same.
    during: Option<(u64, u64)>,
    cancelled: bool,
}
impl Booking {
    fn draw(id: u64, rng: &mut Rng) -> Booking {
        let from = rng.below(40);
        let to = from + rng.below(6);
        let (room, during) = (Some(rng.below(3)), Some((from, to)));
        Booking {
            id,
            room: if rng.chance(12) { None } else { room },
            during: if rng.chance(12) { None } else { during },
            cancelled: rng.chance(6),
        }
    }
    fn values(&self) -> String {
        let room = self.room.map_or("null".into(), |r| r.to_string());
        let during = self.during.map_or("null".into(), |(a, b)| format!("'[{a},{b})'"));
        format!("({}, {room}, {during}, {})", self.id, self.cancelled)
    }
    fn meets(&self, other: &Booking, rule: &(&str, bool, bool)) -> bool {
        // An expression over the ends of no range, or of an empty one, is the range of all.
        let all = rule.0.contains("lower(");
        let span = |d: Option<(u64, u64)>| match d {
            Some((a, b)) if a < b => Some((a, b)),
            _ => all.then_some((0, u64::MAX)),
        };
        let overlap = matches!((span(self.during), span(other.during)), (Some((a, b)), Some((c, d))) if a < d && c < b);
        let rooms = !rule.1 || self.room.is_some() && self.room == other.room;
        let left_out = rule.2 && (self.cancelled || other.cancelled);
        self.id != other.id && overlap && rooms && !left_out
    }
}

/// One session: each statement does what the model says, row by row in its order.
fn alone(seed: u64) {
    let mut rng = Rng::new(seed);
    let rule = *rng.choose(&RULES);
    let when = *rng.choose(&["", "", "deferrable", "deferrable initially deferred"]);
    let (disk, key) = (Arc::new(SimDisk::new(seed)), rng.chance(2));
    let shard = Shard::open(disk, options()).expect("shard");
    let (_db, mut s) = open(&shard, rule.0, when, key);
    let late = when.contains("initially");
    let mut rows: Vec<Booking> = vec![];
    let clash = |rows: &[Booking]| rows.iter().any(|a| rows.iter().any(|b| a.meets(b, &rule)));
    for step in 0..150u64 {
        let mut new = rows.clone();
        let (sql, fails) = match rng.below(10) {
            0..4 => {
                let added: Vec<Booking> =
                    (0..1 + rng.below(3)).map(|n| Booking::draw(step * 10 + n, &mut rng)).collect();
                new.extend(added.iter().cloned());
                let list: Vec<String> = added.iter().map(Booking::values).collect();
                (format!("insert into t values {}", list.join(", ")), clash(&new))
            }
            4 if when.is_empty() => {
                let b = Booking::draw(step * 10, &mut rng);
                if !new.iter().any(|o| o.meets(&b, &rule)) {
                    new.push(b.clone());
                }
                (format!("insert into t values {} on conflict do nothing", b.values()), false)
            }
            5 | 6 if !rows.is_empty() => {
                let at = rng.below(rows.len() as u64) as usize;
                new[at] = Booking { id: rows[at].id, ..Booking::draw(0, &mut rng) };
                let b = &new[at];
                let during = b.during.map_or("null".into(), |(a, z)| format!("'[{a},{z})'"));
                let room = b.room.map_or("null".into(), |r| r.to_string());
                let set = format!("room = {room}, during = {during}, cancelled = {}", b.cancelled);
                (format!("update t set {set} where id = {}", b.id), clash(&new))
            }
            7 => {
                let id = rng.below(step + 1) * 10;
                new.retain(|b| b.id != id);
                (format!("delete from t where id = {id}"), false)
            }
            8 => {
                // Another key is another row for a moment.
                let id = rng.below(step + 1) * 10;
                if let Some(b) = new.iter_mut().find(|b| b.id == id) {
                    b.id = step * 10 + 9;
                }
                (format!("update t set id = {} where id = {id}", step * 10 + 9), false)
            }
            _ => {
                // What is done within a savepoint is undone, and counts no more.
                let b = Booking::draw(step * 10, &mut rng);
                let d = rng.below(step + 1) * 10;
                let after = Booking::draw(step * 10 + 1, &mut rng);
                new.push(after.clone());
                let undone = format!("savepoint a; delete from t where id = {d}; rollback to a; savepoint a");
                let undone = match rows.iter().any(|o| o.meets(&b, &rule)) && !late {
                    true => undone,
                    false => format!("{undone}; insert into t values {}; rollback to a", b.values()),
                };
                (format!("begin; {undone}; insert into t values {}; commit", after.values()), clash(&new))
            }
        };
        let said = transcript::run(&mut s, &sql).map(|r| r.text());
        match (&said, fails) {
            (Ok(_), false) => rows = new,
            (Err(e), true) => {
                assert_eq!(e.code().as_str(), "23P01", "seed {seed}: {sql}: {e:?}");
                let _ = run(&mut s, "rollback");
            }
            _ => panic!("seed {seed}, {rule:?} {when}: {sql}: {said:?}; should fail: {fails}; beside {rows:#?}"),
        }
    }
    let found = run(&mut s, "select count(*) from t").expect("count");
    assert_eq!(found.trim(), rows.len().to_string(), "seed {seed}");
    // What stands may be declared once more, and nothing else.
    run(&mut s, &format!("alter table t add constraint y exclude {}", rule.0)).expect("a second one");
    if let Some(b) = rows.iter().find(|b| b.meets(&Booking { id: 99_999, ..(*b).clone() }, &rule)) {
        run(&mut s, "alter table t drop constraint x, drop constraint y").expect("drop");
        run(&mut s, &format!("insert into t values {}", Booking { id: 99_999, ..b.clone() }.values())).expect("insert");
        let e =
            run(&mut s, &format!("alter table t add constraint x exclude {}", rule.0)).expect_err("two in conflict");
        assert_eq!(e.code().as_str(), "23P01", "seed {seed}");
    }
    let report = check(&shard).expect("check");
    assert!(report.iter().all(|t| t.problem_count == 0), "seed {seed}: {report:?}");
}
#[test]
fn the_model_and_one_session_agree() {
    let (mut seed, end) = (chance::seed(1), chance::end(5));
    while Instant::now() < end {
        alone(seed);
        seed += 1;
    }
}

/// Sessions that insert, move and delete bookings: what any of them sees has no two in conflict.
#[test]
fn no_two_in_conflict_beside_others() {
    let seed = chance::seed(1);
    let mut rng = Rng::new(seed);
    for rule in [RULES[0], RULES[2], RULES[1]] {
        let when = *rng.choose(&["", "", "deferrable initially deferred"]);
        let shard = Shard::open(Arc::new(SimDisk::new(seed)), options()).expect("shard");
        let (db, mut s) = open(&shard, rule.0, when, rng.chance(2));
        let (ids, refused, done) = (AtomicU64::new(1), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for n in 0..6u64 {
                let (db, ids, refused, done, seed) = (db.clone(), &ids, &refused, &done, seed ^ (n + 1) << 32);
                scope.spawn(move || {
                    let mut rng = Rng::new(seed);
                    let mut s = transcript::start(&db, "postgres").expect("session");
                    for _ in 0..120 {
                        let b = Booking::draw(ids.fetch_add(1, Ordering::Relaxed), &mut rng);
                        let others = rng.below(b.id + 1);
                        let during = b.during.map_or("null".into(), |(a, z)| format!("'[{a},{z})'"));
                        let level = *rng.choose(&["read committed", "repeatable read", "serializable"]);
                        let one = match rng.below(5) {
                            0 => format!("delete from t where id = {others}"),
                            1 => format!("update t set during = {during}, cancelled = false where id = {others}"),
                            2 if when.is_empty() => {
                                format!("insert into t values {} on conflict do nothing", b.values())
                            }
                            _ => format!("insert into t values {}", b.values()),
                        };
                        let undo =
                            format!("savepoint u; delete from t where id = {}; rollback to u", rng.below(b.id + 1));
                        let sql = match rng.below(3) {
                            0 => one,
                            1 => format!("begin isolation level {level}; {one}; {undo}; commit"),
                            _ => format!("begin isolation level {level}; {undo}; {one}; commit"),
                        };
                        match run(&mut s, &sql) {
                            Ok(_) => drop(done.fetch_add(1, Ordering::Relaxed)),
                            Err(e) => {
                                let code = e.code().as_str().to_string();
                                assert!(
                                    ["23P01", "40001", "40P01"].contains(&code.as_str()),
                                    "seed {seed}: {sql}: {e:?}"
                                );
                                refused.fetch_add(1, Ordering::Relaxed);
                                let _ = run(&mut s, "rollback");
                            }
                        }
                    }
                });
            }
        });
        let rooms = if rule.1 { "and a.room = b.room" } else { "" };
        let left_out = if rule.2 { "and not a.cancelled and not b.cancelled" } else { "" };
        let pairs =
            format!("select count(*) from t a join t b on a.id < b.id and a.during && b.during {rooms} {left_out}");
        assert_eq!(run(&mut s, &pairs).expect("pairs").trim(), "0", "seed {seed}: {rule:?} {when}");
        assert!(refused.into_inner() > 0 && done.into_inner() > 0, "seed {seed}: {rule:?}");
    }
}
