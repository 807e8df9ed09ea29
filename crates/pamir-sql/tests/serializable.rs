//! Write skew and phantoms at SERIALIZABLE through SQL: rules that no single row can guard hold at every moment, whoever runs beside whom.
//!
//! - Of every shift at least one doctor stays on call (write skew). - A flight sells at most [`SEATS`] seats (phantoms in a counted range, by a secondary index).
//! - No two bookings of a room overlap (phantoms under a range condition). Each transaction reads, decides, and writes elsewhere.
//!
//! Serializable readers, locking and READ ONLY ones, look at the rules all the time. PAMIR_SECONDS sets how long it runs.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const THREADS: u64 = 6;
const SEATS: i64 = 4;
const BROKEN: &str = "select (select count(*) from (select shift from doctor group by shift having not bool_or(on_call)) x), \
     (select count(*) from (select flight from seat group by flight having count(*) > 4) x), \
     (select count(*) from booking a join booking b on a.room = b.room and a.id < b.id and a.lo < b.hi and b.lo < a.hi)";

fn run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text())
}
fn number(s: &mut Session, sql: &str) -> Result<i64> {
    Ok(run(s, sql)?.trim().parse().unwrap())
}

/// One transaction; Ok(false): it decided to do nothing.
fn transaction(s: &mut Session, r: &mut Rng, id: i64) -> Result<bool> {
    let wrote = match r.below(7) {
        0 => {
            run(s, "begin isolation level serializable read only")?;
            assert_eq!(run(s, BROKEN)?, "0|0|0\n", "seen by a read-only transaction");
            false
        }
        1 if r.below(4) == 0 => {
            run(s, "begin isolation level serializable")?;
            assert_eq!(run(s, BROKEN)?, "0|0|0\n", "seen by a locking reader");
            false
        }
        1..3 => {
            let (shift, doctor) = (r.below(3), r.below(3));
            run(s, "begin isolation level serializable")?;
            if number(s, &format!("select count(*) from doctor where shift = {shift} and on_call"))? > 1 {
                run(s, &format!("update doctor set on_call = false where shift = {shift} and id = {doctor}"))?;
            } else {
                run(s, &format!("update doctor set on_call = true where shift = {shift} and id = {doctor}"))?;
            }
            true
        }
        3..5 => {
            let flight = r.below(2);
            run(s, "begin isolation level serializable")?;
            if number(s, &format!("select count(*) from seat where flight = {flight}"))? < SEATS {
                run(s, &format!("insert into seat values ({id}, {flight})"))?;
            } else {
                run(s, &format!("delete from seat where id = (select min(id) from seat where flight = {flight})"))?;
            }
            true
        }
        _ => {
            let (room, lo) = (r.below(2), r.below(30));
            let hi = lo + 1 + r.below(8);
            run(s, "begin isolation level serializable")?;
            let taken = format!("from booking where room = {room} and lo < {hi} and hi > {lo}");
            if number(s, &format!("select count(*) {taken}"))? == 0 {
                run(s, &format!("insert into booking values ({id}, {room}, {lo}, {hi})"))?;
            } else {
                run(s, &format!("delete {taken}"))?;
            }
            true
        }
    };
    run(s, "commit")?;
    Ok(wrote)
}

#[test]
fn rules_hold() {
    let opts = ShardOptions { cache_size: 16 << 20, log_segment_size: 1 << 20, ..ShardOptions::default() };
    let shard = Shard::open(Arc::new(SimDisk::new(1)), opts).unwrap();
    let db = Database::open(shard.clone()).unwrap();
    let open = || transcript::start(&db, "postgres").unwrap();
    let mut s = open();
    for sql in [
        "create table doctor (shift int, id int, on_call bool not null, primary key (shift, id))",
        "insert into doctor select s, d, true from generate_series(0, 2) s, generate_series(0, 2) d",
        "create table seat (id bigint primary key, flight int)",
        "create index on seat (flight)",
        "create table booking (id bigint primary key, room int, lo int, hi int)",
        "create index on booking (room, lo)",
    ] {
        run(&mut s, sql).unwrap();
    }
    let (next, done, victims) = (AtomicU64::new(1), AtomicU64::new(0), AtomicU64::new(0));
    let end = chance::end(3);
    std::thread::scope(|scope| {
        for n in 0..THREADS {
            let (open, next, done, victims) = (&open, &next, &done, &victims);
            scope.spawn(move || {
                let (mut s, mut r) = (open(), Rng::new(n * 31 + 7));
                while Instant::now() < end {
                    match transaction(&mut s, &mut r, next.fetch_add(1, Ordering::Relaxed) as i64) {
                        Ok(wrote) => drop(done.fetch_add(wrote as u64, Ordering::Relaxed)),
                        Err(e) => {
                            assert!(matches!(e.code().as_str(), "40P01" | "40001"), "{e}");
                            victims.fetch_add(1, Ordering::Relaxed);
                            run(&mut s, "rollback").unwrap();
                        }
                    }
                }
            });
        }
    });
    assert_eq!(run(&mut s, BROKEN).unwrap(), "0|0|0\n");
    let (done, victims) = (done.into_inner(), victims.into_inner());
    println!("{done} transactions wrote, {victims} victims");
    assert!(done > 20);
    drop(s);
    for t in pamir_sql::check::check(&shard).unwrap() {
        assert_eq!(t.problem_count, 0, "{t:?}");
    }
}
