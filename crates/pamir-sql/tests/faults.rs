//! SQL over a disk that fails, fills up, or lies: every reply is right or an error, no acknowledged commit is lost, and what is left agrees with itself.
//!
//! One session runs random statements against a model while checkpoints step beside it and pages are evicted; the simulated disk goes wrong at a moment
//! drawn from the seed.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::Disk;
use pamir_storage::disk::sim::{Faults, SimDisk};
use pamir_testkit::chance::{Rng, seeds};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// id -> (a, letter and length of b)
type Model = BTreeMap<i64, (i64, char, u64)>;

struct Engine {
    session: Session,
    shard: Arc<Shard>,
}
impl Engine {
    fn open(disk: &SimDisk) -> Result<Engine> {
        // The smallest cache there is: the table outgrows it.
        let opts = ShardOptions {
            cache_size: 0,
            io_threads: 0,
            log_segment_size: 64 << 10,
            checkpoint_bytes: 300_000,
            ..ShardOptions::default()
        };
        let shard = Shard::open_stepped(Arc::new(disk.clone()), opts)?;
        let db = Database::open(shard.clone())?;
        let session = transcript::start(&db, "postgres")?;
        Ok(Engine { session, shard })
    }
    fn run(&mut self, sql: &str) -> Result<String> {
        transcript::run(&mut self.session, sql).map(|r| r.text())
    }
    fn all(&mut self) -> Result<Model> {
        let text = self.run("select id, a, left(b, 1), length(b) from t order by id")?;
        let mut m = Model::new();
        for l in text.lines() {
            let f: Vec<&str> = l.split('|').collect();
            let row = (f[1].parse().unwrap(), f[2].chars().next().unwrap(), f[3].parse().unwrap());
            m.insert(f[0].parse().unwrap(), row);
        }
        Ok(m)
    }
}

const SETUP: &str = "create table t (id bigint primary key, a bigint not null, b text not null); create index t_a on t (a); \
     create index t_b on t (left(b, 1), id)";

/// A random change and what it makes of the model.
fn draw(r: &mut Rng, m: &Model) -> (String, Model) {
    let mut next = m.clone();
    let (id, a) = (r.below(600) as i64, r.below(40) as i64);
    let (letter, len) = ((b'a' + r.below(26) as u8) as char, if r.below(30) == 0 { 30_000 } else { 1 + r.below(1500) });
    let sql = match r.below(10) {
        0..5 => {
            next.insert(id, (a, letter, len));
            format!(
                "insert into t values ({id}, {a}, repeat('{letter}', {len})) on conflict (id) do update set a = excluded.a, b = excluded.b"
            )
        }
        5 => {
            next.remove(&id);
            format!("delete from t where id = {id}")
        }
        6 => {
            let to = id + 20;
            next.range_mut(id..to).for_each(|(_, v)| v.0 += 1);
            format!("update t set a = a + 1 where id >= {id} and id < {to}")
        }
        7 => {
            next.retain(|_, v| v.0 != a);
            format!("delete from t where a = {a}")
        }
        8 => {
            let first = 1000 + r.below(400) as i64;
            for i in first..first + 30 {
                next.insert(i, (a, letter, len % 300 + 1));
            }
            let n = len % 300 + 1;
            format!(
                "begin; delete from t where id >= {first} and id < {first} + 30; \
                 insert into t select i, {a}, repeat('{letter}', {n}) from generate_series({first}, {first} + 29) i; commit"
            )
        }
        _ => {
            if let Some(v) = next.get_mut(&id) {
                (v.1, v.2) = (letter, len);
            }
            format!(
                "begin; savepoint s; delete from t; rollback to s; update t set b = repeat('{letter}', {len}) where id = {id}; commit"
            )
        }
    };
    (sql, next)
}

/// A random question and its answer.
fn ask(r: &mut Rng, m: &Model) -> (String, String) {
    let lo = r.below(1400) as i64;
    let hi = lo + 1 + r.below(300) as i64;
    let a = r.below(40) as i64;
    match r.below(3) {
        0 => {
            let rows = m.range(lo..hi);
            let (n, sum, bytes) = rows.fold((0, 0, 0), |s, (_, v)| (s.0 + 1, s.1 + v.0, s.2 + v.2));
            let sql = format!(
                "select count(*), coalesce(sum(a), 0), coalesce(sum(length(b)), 0) from t where id >= {lo} and id < {hi}"
            );
            (sql, format!("{n}|{sum}|{bytes}\n"))
        }
        1 => {
            let ids: String = m.iter().filter(|(_, v)| v.0 == a).map(|(k, _)| format!("{k}\n")).collect();
            (format!("select id from t where a = {a} order by id"), ids)
        }
        _ => {
            let letter = (b'a' + r.below(26) as u8) as char;
            let ids: String =
                m.iter().rev().filter(|(_, v)| v.1 == letter).map(|(k, v)| format!("{k}|{}\n", v.2)).collect();
            (format!("select id, length(b) from t where left(b, 1) = '{letter}' order by id desc"), ids)
        }
    }
}

/// The clauses of an outcome that everybody may see: not internal errors, not panics.
fn acceptable(e: &Error) -> bool {
    matches!(e.code().as_str(), "58030" | "53100" | "XX001" | "XX002" | "08007" | "57P01" | "25P02" | "58P01")
}

struct Run {
    disk: SimDisk,
    model: Model,
    /// The state after a change whose reply was an error: it may or may not have happened.
    maybe: Option<Model>,
    /// The model before the last acknowledged change.
    before: Model,
}
impl Run {
    fn new(seed: u64) -> Run {
        Run { disk: SimDisk::new(seed), model: Model::new(), maybe: None, before: Model::new() }
    }
    /// Random work until something fails or `steps` are done; the error.
    fn work(&mut self, e: &mut Engine, r: &mut Rng, steps: u64, at: &str) -> Option<Error> {
        for n in 0..steps {
            if r.below(4) == 0 {
                let (sql, want) = ask(r, &self.model);
                match e.run(&sql) {
                    Ok(got) => assert_eq!(got, want, "{at} step {n}: {sql}"),
                    Err(err) => {
                        assert!(acceptable(&err), "{at} step {n}: {sql}: {err}");
                        return Some(err);
                    }
                }
                continue;
            }
            let (sql, next) = draw(r, &self.model);
            match e.run(&sql) {
                Ok(_) => self.before = std::mem::replace(&mut self.model, next),
                Err(err) => {
                    assert!(acceptable(&err), "{at} step {n}: {sql}: {err}");
                    self.maybe = Some(next);
                    return Some(err);
                }
            }
            if r.below(20) == 0 {
                e.shard.request_checkpoint();
            }
            for _ in 0..r.below(3) {
                e.shard.step_checkpoint();
            }
            if e.shard.failure().is_some() {
                return e.shard.failure();
            }
        }
        None
    }
    /// A failed shard answers nothing but errors or what is true.
    fn after_failure(&mut self, e: &mut Engine, r: &mut Rng, at: &str) {
        if e.shard.failure().is_none() {
            return;
        }
        for _ in 0..5 {
            let (sql, want) = ask(r, &self.model);
            if let Ok(got) = e.run(&sql) {
                assert_eq!(got, want, "{at} after the failure: {sql}");
            }
            let (sql, next) = draw(r, &self.model);
            if next != self.model && e.run(&sql).is_ok() {
                panic!("{at}: acknowledged after the failure: {sql}");
            }
        }
    }
    /// Opens on a healthy disk: the model, or the model with the unanswered change, is there, and rows agree with entries.
    fn recover(&mut self, at: &str) -> Engine {
        let mut e = Engine::open(&self.disk).unwrap_or_else(|e| panic!("{at}: {e} {:?}", e.data().detail));
        let got = e.all().unwrap_or_else(|e| panic!("{at}: {e}"));
        if got != self.model {
            let maybe = self.maybe.take();
            assert!(maybe.as_ref() == Some(&got), "{at}: {}", difference(&self.model, &got));
            self.model = got;
        }
        self.maybe = None;
        self.agrees(&e, at);
        e
    }
    fn agrees(&self, e: &Engine, at: &str) {
        for t in pamir_sql::check::check(&e.shard).unwrap() {
            assert_eq!(t.problem_count, 0, "{at}: {t:?}");
        }
    }
}
fn difference(want: &Model, got: &Model) -> String {
    let lost: Vec<_> = want.iter().filter(|(k, v)| got.get(k) != Some(v)).take(5).collect();
    let extra: Vec<_> = got.iter().filter(|(k, v)| want.get(k) != Some(v)).take(5).collect();
    format!("{} rows, {} wanted; lost or other: {lost:?}; found instead: {extra:?}", got.len(), want.len())
}

/// A write or a sync fails: an error and a stop, then nothing is lost. The same with a machine that crashes on top of it.
#[test]
fn failed_writes_and_syncs() {
    let (mut failed, mut evicted) = (0, 0);
    for seed in seeds(12) {
        let at = format!("seed {seed}");
        let r = &mut Rng::new(seed);
        let mut run = Run::new(seed);
        let mut e = Engine::open(&run.disk).unwrap();
        e.run(SETUP).unwrap();
        for life in 0..3 {
            let at = format!("{at} life {life}");
            let steps = r.below(300);
            assert!(run.work(&mut e, r, steps, &at).is_none(), "{at}: an error on a healthy disk");
            let n = Some(r.below(40));
            let (fail_write_after, fail_sync_after) = if r.below(2) == 0 { (n, None) } else { (None, n) };
            run.disk.set_faults(Faults { fail_write_after, fail_sync_after, ..Faults::default() });
            if run.work(&mut e, r, 150, &at).is_some() {
                failed += 1;
                run.after_failure(&mut e, r, &at);
            }
            evicted += e.shard.stats().iter().find(|s| s.0 == "pages_evicted").map_or(0, |s| s.1);
            drop(e);
            // The fault is still there while it recovers, sometimes.
            if r.below(2) == 0 {
                match Engine::open(&run.disk) {
                    Ok(mut e) => {
                        if let Ok(got) = e.all() {
                            assert!(got == run.model || run.maybe.as_ref() == Some(&got), "{at}");
                        }
                    }
                    Err(e) => assert!(acceptable(&e), "{at}: {e}"),
                }
            }
            run.disk.set_faults(Faults::default());
            if r.below(2) == 0 {
                run.disk.crash()
            } else {
                run.disk.kill()
            }
            e = run.recover(&at);
        }
    }
    println!("{failed} failures, {evicted} pages evicted");
    assert!(failed > 0 && evicted > 0);
}

/// The disk is full for a while: changes are refused with 53100 and rolled back, questions answered, checkpoints put off, and with room again all goes on
/// without a restart. Then, or in the middle of it, the machine crashes, and nothing acknowledged is lost.
#[test]
fn full_disk() {
    let (mut full, mut asked, mut put_off) = (0, 0, 0);
    for seed in seeds(12) {
        let r = &mut Rng::new(seed + 5000);
        let mut run = Run::new(seed);
        let mut e = Engine::open(&run.disk).unwrap();
        e.run(SETUP).unwrap();
        for life in 0..3 {
            let at = format!("seed {seed} life {life}");
            let steps = r.below(200);
            assert!(run.work(&mut e, r, steps, &at).is_none(), "{at}: an error on a healthy disk");
            let room = run.disk.used() + r.below(400_000);
            run.disk.set_faults(Faults { disk_full_at: Some(room), ..Faults::default() });
            for n in 0..300 {
                let at = format!("{at} step {n}");
                if r.below(3) == 0 {
                    let (sql, want) = ask(r, &run.model);
                    assert_eq!(e.run(&sql).unwrap_or_else(|e| panic!("{at}: {sql}: {e}")), want, "{at}: {sql}");
                    asked += 1;
                } else {
                    let (sql, next) = draw(r, &run.model);
                    match e.run(&sql) {
                        Ok(_) => run.model = next,
                        Err(err) => {
                            full += 1;
                            assert_eq!(err.code().as_str(), "53100", "{at}: {sql}: {err}");
                            assert!(err.message().contains("No space left on device"), "{at}: {err}");
                            assert!(err.data().hint.is_some(), "{at}: {err}");
                            // The session goes on, and so does a sequence of transactions in it.
                            let _ = e.run("rollback");
                        }
                    }
                }
                if r.below(20) == 0 {
                    e.shard.request_checkpoint();
                }
                for _ in 0..r.below(3) {
                    e.shard.step_checkpoint();
                }
                if let Some(err) = e.shard.failure() {
                    panic!("{at}: stopped: {err}");
                }
                if r.below(100) == 0 {
                    // Somebody else's files come and go.
                    let room = run.disk.used() + r.below(100_000);
                    run.disk.set_faults(Faults { disk_full_at: Some(room), ..Faults::default() });
                }
            }
            if let Err(err) = e.shard.checkpoint() {
                put_off += 1;
                assert_eq!(err.code().as_str(), "53100", "{at}: {err}");
            }
            if r.below(2) == 0 {
                // A restart on the full disk succeeds, or says why not.
                drop(e);
                if r.below(2) == 0 {
                    run.disk.crash()
                } else {
                    run.disk.kill()
                }
                match Engine::open(&run.disk) {
                    Ok(mut e) => assert!(e.all().unwrap() == run.model, "{at}: after a restart on a full disk"),
                    Err(err) => assert_eq!(err.code().as_str(), "53100", "{at}: {err}"),
                }
                run.disk.kill();
                run.disk.set_faults(Faults::default());
                e = run.recover(&at);
            }
            run.disk.set_faults(Faults::default());
            let got = e.all().unwrap();
            assert!(got == run.model, "{at}: {}", difference(&run.model, &got));
            assert!(run.work(&mut e, r, 50, &at).is_none(), "{at}: an error with space again");
            e.shard.checkpoint().unwrap();
            drop(e);
            if r.below(2) == 0 {
                run.disk.crash()
            } else {
                run.disk.kill()
            }
            e = run.recover(&at);
        }
    }
    println!("{full} changes refused, {asked} questions answered, {put_off} checkpoints put off");
    assert!(full > 0 && asked > 0);
}

/// Sequences on a full disk: an error, then they go on where they were, and never give a value twice.
#[test]
fn sequences_on_a_full_disk() {
    for seed in seeds(6) {
        let r = &mut Rng::new(seed + 7000);
        let disk = SimDisk::new(seed);
        let mut e = Engine::open(&disk).unwrap();
        e.run("create table pad (id int primary key, b text); create sequence s; create sequence small maxvalue 100")
            .unwrap();
        disk.set_faults(Faults { disk_full_at: Some(disk.used()), ..Faults::default() });
        // to the very end of what is allocated
        let mut n = 0;
        let refused = loop {
            n += 1;
            match e.run(&format!("insert into pad values ({n}, repeat('x', 3000))")) {
                Ok(_) => assert!(n < 1000, "seed {seed}: the disk never got full"),
                Err(err) => break err,
            }
        };
        assert_eq!(refused.code().as_str(), "53100", "{refused}");
        let (mut last, mut errors) = (0, 0);
        for _ in 0..100 {
            match e.run("select nextval('s')") {
                Ok(v) => {
                    let v: i64 = v.trim().parse().unwrap();
                    assert!(v > last, "seed {seed}: {v} after {last}");
                    last = v;
                }
                Err(err) => {
                    assert_eq!(err.code().as_str(), "53100", "seed {seed}: {err}");
                    errors += 1;
                }
            }
        }
        let set = e.run("select setval('small', 99)");
        disk.set_faults(Faults::default());
        let small: i64 = e.run("select nextval('small')").unwrap().trim().parse().unwrap();
        assert_eq!(small, if set.is_ok() { 100 } else { 1 }, "seed {seed}: {set:?}");
        let v: i64 = e.run("select nextval('s')").unwrap().trim().parse().unwrap();
        assert!(v == last + 1 || errors > 0 && v > last, "seed {seed}: {v} after {last}");
        drop(e);
        if r.below(2) == 0 {
            disk.crash()
        } else {
            disk.kill()
        }
        let mut e = Engine::open(&disk).unwrap();
        let again: i64 = e.run("select nextval('s')").unwrap().trim().parse().unwrap();
        assert!(again > v, "seed {seed}: {again} after {v}");
    }
}

/// A bit flips in a file of a stopped or crashed server: an error, or the truth; never a wrong row.
///
/// One loss cannot be told from a crash before the sync: the very last batch of the log, which no later batch says was synced.
#[test]
fn flipped_bits() {
    let (mut refused, mut harmless, mut tail) = (0, 0, 0);
    for seed in seeds(8) {
        let r = &mut Rng::new(seed + 9000);
        let mut run = Run::new(seed);
        let mut e = Engine::open(&run.disk).unwrap();
        e.run(SETUP).unwrap();
        let at = format!("seed {seed}");
        let steps = 50 + r.below(400);
        assert!(run.work(&mut e, r, steps, &at).is_none());
        let clean = r.below(2) == 0;
        if clean {
            e.shard.close().unwrap();
        }
        drop(e);
        run.disk.kill();
        let names: Vec<String> = run.disk.list().unwrap();
        for flip in 0..60 {
            let name = r.choose(&names);
            let len = run.disk.content(name).unwrap().len() as u64;
            if len == 0 {
                continue;
            }
            // Half of them at the file's beginning, where headers are.
            let bit = if r.below(2) == 0 { r.below(len.min(16_384) * 8) } else { r.below(len * 8) };
            let at = format!("seed {seed} flip {flip}: bit {bit} of {name}");
            run.disk.flip_bit(name, bit);
            // On a copy in memory, so that recovery does not write over what the next flip needs.
            let over = pamir_storage::disk::overlay::Overlay::new(Arc::new(run.disk.clone())).unwrap();
            let opened = open_on(over);
            match opened.and_then(|mut e| Ok((e.all()?, e))) {
                Err(err) => {
                    assert!(acceptable(&err), "{at}: {err}");
                    refused += 1;
                }
                Ok((got, e)) => {
                    if got == run.model {
                        harmless += 1;
                    } else {
                        assert!(
                            got == run.before && name.starts_with("log."),
                            "{at}: {}",
                            difference(&run.model, &got)
                        );
                        tail += 1;
                    }
                    // Index entries are true as well, or cannot be read.
                    for t in pamir_sql::check::check(&e.shard).unwrap_or_default() {
                        for p in &t.problems {
                            assert!(p.starts_with("cannot be read"), "{at}: {p}");
                        }
                    }
                }
            }
            run.disk.flip_bit(name, bit);
        }
    }
    println!("{refused} refused, {harmless} harmless, {tail} cut the last record");
    assert!(refused > 0 && harmless > 0);
}
fn open_on(disk: Arc<dyn Disk>) -> Result<Engine> {
    let opts = ShardOptions { cache_size: 0, io_threads: 0, log_segment_size: 64 << 10, ..ShardOptions::default() };
    let shard = Shard::open_stepped(disk, opts)?;
    let db = Database::open(shard.clone())?;
    let session = transcript::start(&db, "postgres")?;
    Ok(Engine { session, shard })
}

/// The last record is torn at every possible sector, on a disk that kept an arbitrary part of it: the commit is wholly there or not at all.
#[test]
fn torn_last_record() {
    for seed in seeds(12) {
        let r = &mut Rng::new(seed + 77_000);
        let mut run = Run::new(seed);
        let mut e = Engine::open(&run.disk).unwrap();
        e.run(SETUP).unwrap();
        let at = format!("seed {seed}");
        let steps = r.below(100);
        assert!(run.work(&mut e, r, steps, &at).is_none());
        // The log's sync fails, so the record was written and not acknowledged; the crash keeps some of its sectors.
        run.disk.set_faults(Faults { fail_sync_after: Some(0), ..Faults::default() });
        let mut next = run.model.clone();
        next.retain(|k, _| !(2000..2200).contains(k));
        for i in 2000..2200 {
            next.insert(i, (1, 'x', 50));
        }
        run.maybe = Some(next);
        let err = e.run("insert into t select i, 1, repeat('x', 50) from generate_series(2000, 2199) i").unwrap_err();
        assert!(acceptable(&err), "{at}: {err}");
        drop(e);
        run.disk.set_faults(Faults::default());
        run.disk.crash();
        let mut e = run.recover(&at);
        assert!(run.work(&mut e, r, 30, &at).is_none(), "{at}: an error after the recovery");
        drop(e);
        run.disk.crash();
        run.recover(&at);
    }
}
