//! Partial indexes serve the queries that imply their predicates, and no others: random predicates and conditions over every row of a small domain, NULLs
//! included, each query with and without its indexes.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;

fn run(s: &mut Session, sql: &str) -> String {
    transcript::run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}")).text()
}
fn session() -> Session {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    let mut s = transcript::start(&Database::open(shard).expect("database"), "postgres").expect("session");
    run(&mut s, "create table t (id int, a int, b int8, f bool, c text, n numeric)");
    run(
        &mut s,
        "insert into t select row_number() over (), a, a, f, c, n from unnest(array[null, 1, 2, 3, 4]) a, unnest(array[null, true, false]) f,
         unnest(array[null, 'x', 'y']) c, unnest(array[null, 1.0, 1.5]) n",
    );
    s
}

fn atom(r: &mut Rng) -> String {
    let op = *r.choose(&["=", "<>", "<", "<=", ">", ">="]);
    let k = r.below(6);
    match r.below(16) {
        0..=3 => format!("a {op} {k}"),
        4 => format!("{k} {op} a"),
        5 => format!("b {op} {k}"),
        6 => format!("a in ({k}, {}, {})", r.below(6), r.choose(&["2", "3", "null"])),
        7 => format!("c in ('x', {})", r.choose(&["'y'", "'z'", "null"])),
        8 => format!("c {op} '{}'", r.choose(&["x", "y", "w"])),
        9 => r
            .choose(&[
                "f",
                "not f",
                "f is true",
                "f is not true",
                "f is false",
                "f = true",
                "f <> false",
                "f is unknown",
                "not (f is true)",
            ])
            .to_string(),
        10 => format!("{} is not null", r.choose(&["a", "b", "f", "c", "n", "a + 1"])),
        11 => format!("{} is null", r.choose(&["a", "f", "c"])),
        12 => format!("n {op} {}", r.choose(&["1", "1.5", "1.25"])),
        13 => format!("a + 1 {op} {k}"),
        14 => format!("a = any ('{{{k},{}}}')", r.below(6)),
        _ => format!("not (a {op} {k})"),
    }
}
fn condition(r: &mut Rng, depth: usize) -> String {
    if depth == 0 || r.chance(3) {
        return atom(r);
    }
    let parts: Vec<String> = (0..2 + r.index(2)).map(|_| condition(r, depth - 1)).collect();
    format!("({})", parts.join(if r.chance(2) { " and " } else { " or " }))
}

/// The same with a word changed: where it begins to say something else.
fn near(r: &mut Rng, cond: &str) -> String {
    const KINDS: [&[&str]; 4] = [
        &["=", "<>", "<", "<=", ">", ">="],
        &["0", "1", "2", "3", "4", "5"],
        &["f", "not f", "f is true", "f is not true", "f is false", "not (f is true)", "f = true"],
        &["and", "or"],
    ];
    let mut words: Vec<String> = cond.split(' ').map(str::to_string).collect();
    for _ in 0..8 {
        let at = r.index(words.len());
        if let Some(kind) = KINDS.iter().find(|k| k.contains(&words[at].as_str())) {
            words[at] = r.choose(kind).to_string();
            break;
        }
    }
    words.join(" ")
}

#[test]
fn serve_what_implies_them() {
    let (mut used, mut asked) = (0, 0);
    let mut s = session();
    for seed in chance::seeds(250) {
        let mut r = Rng::new(seed);
        let predicate = condition(&mut r, 1);
        run(&mut s, &format!("create index p on t (id) where {predicate}"));
        for _ in 0..12 {
            // Often about the predicate itself: next to it is where implication ends.
            let mut cond = condition(&mut r, 2);
            match r.below(3) {
                0 => cond = format!("{predicate} and {cond}"),
                1 => cond = near(&mut r, &predicate),
                _ => {}
            }
            let query = format!("select id from t where id > 0 and {cond} order by id");
            run(&mut s, "set enable_indexscan = off; set enable_indexonlyscan = off");
            let right = run(&mut s, &query);
            run(&mut s, "reset enable_indexscan; reset enable_indexonlyscan; set enable_seqscan = off");
            let got = run(&mut s, &query);
            let with = run(&mut s, &format!("explain (costs off) {query}")).contains("using p");
            run(&mut s, "reset enable_seqscan");
            assert_eq!(got, right, "seed {seed}: index where {predicate}, {query}, by the index: {with}");
            used += usize::from(with);
            asked += 1;
        }
        run(&mut s, "drop index p");
    }
    if asked > 100 {
        assert!(used * 10 > asked, "{used} of {asked} queries used the index: too few to say something");
    }
}
