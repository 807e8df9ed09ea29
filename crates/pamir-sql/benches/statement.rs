//! A statement's way from text to rows in one session over an in-memory shard; the wire protocol is not in it.
#[path = "../../../bench/budget.rs"]
mod budget;
use budget::Op;
use pamir_plan::parser;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript::{self, Transcript};
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::Rng;
use pamir_txn::{Shard, ShardOptions};
use std::hint::black_box;
use std::sync::Arc;

const POINT: &str = "SELECT c FROM sbtest1 WHERE id=$1";
const JOIN: &str = "select a.c, count(*) from sbtest1 a join sbtest1 b on a.k = b.id where a.id between 10 and 20 group by a.c order by 2 desc";
const ROWS: u32 = 10_000;

fn session() -> (Session, Transcript) {
    let opts = ShardOptions { io_threads: 0, ..ShardOptions::default() };
    let shard = Shard::open_stepped(Arc::new(SimDisk::new(1)), opts).expect("open");
    let db = Database::open(shard).expect("a database");
    let mut s = transcript::start(&db, "postgres").expect("a session");
    let setup = format!(
        "create table sbtest1 (id int primary key, k int not null, c char(120) not null, pad char(60) not null); \
         insert into sbtest1 select i, i, 'c', 'p' from generate_series(1, {ROWS}) i; create index k_1 on sbtest1 (k); analyze"
    );
    transcript::run(&mut s, &setup).expect("set-up");
    (s, Transcript::default())
}
/// Parse and Describe of the unnamed statement: text to plan, from the cache where the text is known.
fn plan(text: fn(u32) -> String) -> Box<dyn FnMut()> {
    let ((mut s, mut r), mut n) = (session(), 0);
    Box::new(move || {
        n += 1;
        s.parse("", &text(n), &[], &mut r).expect("parse");
        black_box(s.describe_statement("").is_ok());
        s.sync(&mut r).expect("sync");
    })
}
/// Bind and Execute of a named statement with one binary int4, in a transaction of its own.
fn execute(sql: &'static str) -> Box<dyn FnMut()> {
    let ((mut s, mut r), mut rng) = (session(), Rng::new(1));
    s.parse("p", sql, &[], &mut r).expect("parse");
    Box::new(move || {
        let id = (rng.below(u64::from(ROWS)) as u32 + 1).to_be_bytes();
        s.bind("", "p", &[1], &[Some(&id)], &[1], &mut r).expect("bind");
        black_box(s.execute("", 0, &mut r).is_ok());
        s.sync(&mut r).expect("sync");
        r.said.clear();
    })
}

const OPS: &[Op] = &[
    Op {
        name: "parser, point select",
        budget: 6000,
        units: 1,
        make: || {
            Box::new(|| {
                black_box(parser::parse(black_box(POINT)).is_ok());
            })
        },
    },
    Op {
        name: "parser, join with grouping",
        budget: 30_000,
        units: 1,
        make: || {
            Box::new(|| {
                black_box(parser::parse(black_box(JOIN)).is_ok());
            })
        },
    },
    Op {
        name: "parse, bind and plan, point select of new text",
        budget: 25_000,
        units: 1,
        make: || plan(|n| format!("SELECT c FROM sbtest1 WHERE id=$1 AND {n} > 0")),
    },
    Op {
        name: "parse, bind and plan, join of new text",
        budget: 120_000,
        units: 1,
        make: || plan(|n| format!("{JOIN}, {n}, 1")),
    },
    Op { name: "plan cache hit, point select", budget: 800, units: 1, make: || plan(|_| POINT.to_string()) },
    Op { name: "bind and execute, prepared point select", budget: 3000, units: 1, make: || execute(POINT) },
    Op {
        name: "bind and execute, prepared update, committed",
        budget: 20_000,
        units: 1,
        make: || execute("UPDATE sbtest1 SET k=k+1 WHERE id=$1"),
    },
];

#[divan::bench(args = OPS.iter().map(|o| o.name))]
fn statement(bencher: divan::Bencher, name: &str) {
    budget::run(bencher, OPS, name);
}
fn main() {
    budget::main();
}
