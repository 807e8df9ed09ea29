//! Partitioned tables against a plain one with the same rows: random schemes (list, range, hash, expressions, partitions of partitions, with and without
//! DEFAULT, columns at other places), INSERT, COPY-like INSERT ... SELECT, UPDATE that moves rows, DELETE, ON CONFLICT, MERGE; conditions with literals, parameters and
//! columns of joined rows, with partitions left out and not. What a partition's condition says in words (`pg_get_partition_constraintdef`) holds for each of its rows.
#[allow(dead_code, reason = "not all of it is for every test")]
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

fn try_run(s: &mut Session, sql: &str) -> Result<(String, String)> {
    transcript::run(s, sql).map(|r| (r.text(), r.tag().into()))
}
fn run(s: &mut Session, sql: &str) -> (String, String) {
    try_run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"))
}
fn session(seed: u64) -> Session {
    let shard = Shard::open(Arc::new(SimDisk::new(seed)), ShardOptions::default()).expect("shard");
    let db = Database::open(shard).expect("database");
    transcript::start(&db, "postgres").expect("session")
}
fn sorted(text: &str) -> Vec<String> {
    let mut v: Vec<String> = text.lines().map(str::to_string).collect();
    v.sort_unstable();
    v
}

/// Values are 0 to this, and NULL.
const DOMAIN: i64 = 12;
const COLS: [&str; 3] = ["a", "b", "t"];

/// One level of partitions of `name`, and levels below some of them. `keyed`: the columns of its primary key.
fn divide(s: &mut Session, rng: &mut Rng, name: &str, key: &[usize], depth: u32, whole: bool) {
    let mut parts: Vec<String> = Vec::new();
    let strategy = ["list", "range", "hash"].into_iter().find(|w| key_of(s, name).starts_with(&w.to_uppercase()));
    match strategy.expect("a strategy") {
        "hash" => {
            let m = 1 + rng.below(4);
            parts.extend((0..m).map(|r| format!("for values with (modulus {m}, remainder {r})")));
        }
        "list" => {
            let mut all: Vec<i64> = (0..=DOMAIN).collect();
            rng.shuffle(&mut all);
            let mut null = rng.chance(2);
            while !all.is_empty() {
                let n = (1 + rng.below(4) as usize).min(all.len());
                let mut v: Vec<String> = all.drain(..n).map(|v| format!("'{v}'")).collect();
                if std::mem::take(&mut null) {
                    v.push("null".into());
                }
                if whole || rng.below(5) > 0 {
                    parts.push(format!("for values in ({})", v.join(", ")));
                }
            }
        }
        _ => {
            let mut at: Vec<Vec<i64>> = Vec::new();
            for _ in 0..2 + rng.below(4) {
                at.push(key.iter().map(|_| rng.below(DOMAIN as u64 + 2) as i64).collect());
            }
            // Texts come in the order of their letters.
            at.sort_by_key(|v| if key == [2] { (Vec::new(), v[0].to_string()) } else { (v.clone(), String::new()) });
            at.dedup();
            let end = |v: &Vec<i64>| v.iter().map(|v| format!("'{v}'")).collect::<Vec<_>>().join(", ");
            let infinite = |w: &str| vec![w; key.len()].join(", ");
            let first = format!("for values from ({}) to ({})", infinite("minvalue"), end(&at[0]));
            parts.push(first);
            for w in at.windows(2) {
                if whole || rng.below(5) > 0 {
                    parts.push(format!("for values from ({}) to ({})", end(&w[0]), end(&w[1])));
                }
            }
            if let Some(last) = at.last() {
                parts.push(format!("for values from ({}) to ({})", end(last), infinite("maxvalue")));
            }
        }
    }
    if strategy != Some("hash") && (whole || rng.chance(2)) {
        parts.push("default".into());
    }
    for (i, bound) in parts.into_iter().enumerate() {
        let part = format!("{name}_{i}");
        let below = (depth > 0 && rng.chance(4)).then(|| scheme(rng, true));
        match below {
            Some((by, key)) => {
                run(s, &format!("create table {part} partition of {name} {bound} partition by {by}"));
                divide(s, rng, &part, &key, depth - 1, true);
            }
            // Its columns are elsewhere.
            None if rng.chance(3) => {
                run(s, &format!("create table {part} (t text, gone int, b int, n int, a int)"));
                run(s, &format!("alter table {part} drop column gone"));
                run(s, &format!("alter table {name} attach partition {part} {bound}"));
            }
            None => drop(run(s, &format!("create table {part} partition of {name} {bound}"))),
        }
    }
}
fn key_of(s: &mut Session, name: &str) -> String {
    run(s, &format!("select pg_get_partkeydef('{name}'::regclass)")).0
}
/// What PARTITION BY says, and the columns of the key (a column for an expression over it).
fn scheme(rng: &mut Rng, nested: bool) -> (String, Vec<usize>) {
    let c = rng.index(3);
    match rng.below(if nested { 4 } else { 6 }) {
        0 => (format!("list ({})", COLS[c]), vec![c]),
        1 => (format!("range ({})", COLS[c]), vec![c]),
        2 => (format!("hash ({})", COLS[c]), vec![c]),
        3 => ("range (a, b)".into(), vec![0, 1]),
        4 => ("hash (b, t)".into(), vec![1, 2]),
        _ => ("range ((b + 1))".into(), vec![1]),
    }
}
fn value(rng: &mut Rng) -> String {
    if rng.below(9) == 0 { "null".into() } else { rng.below(DOMAIN as u64 + 2).to_string() }
}
fn row(rng: &mut Rng) -> String {
    let quoted = |v: String| if v == "null" { v } else { format!("'{v}'") };
    format!("({}, {}, {}, 0)", value(rng), value(rng), quoted(value(rng)))
}
/// A condition; `outer`: some of its values are columns of another row.
fn condition(rng: &mut Rng, depth: u32, params: &mut Option<Vec<(&'static str, String)>>, outer: bool) -> String {
    if depth > 0 && rng.below(3) == 0 {
        let word = *rng.choose(&[" and ", " or "]);
        let v: Vec<String> = (0..2 + rng.below(2)).map(|_| condition(rng, depth - 1, params, outer)).collect();
        return format!("({})", v.join(word));
    }
    let c = rng.index(3);
    let (name, ty) = (COLS[c], if c == 2 { "text" } else { "int" });
    let mut one = |rng: &mut Rng| {
        if outer && rng.chance(2) {
            return format!("o.{name}");
        }
        let v = value(rng);
        let v = if c == 2 && v != "null" { format!("'{v}'") } else { v };
        match params {
            Some(p) if p.len() < 20 && rng.chance(2) => {
                p.push((ty, v));
                format!("${}", p.len())
            }
            _ => v,
        }
    };
    let expr = if c == 1 && rng.below(4) == 0 { "x.b + 1".to_string() } else { format!("x.{name}") };
    match rng.below(8) {
        0..=2 => format!("{expr} = {}", one(rng)),
        3 => format!("{expr} {} {}", ["<", "<=", ">", ">="][rng.index(4)], one(rng)),
        4 => {
            let v: Vec<String> = (0..1 + rng.below(4)).map(|_| one(rng)).collect();
            format!("{expr} in ({})", v.join(", "))
        }
        5 => format!("{expr} between {} and {}", one(rng), one(rng)),
        6 => format!("x.{name} is {}null", if rng.chance(3) { "not " } else { "" }),
        _ => format!("x.a = {} and x.b = {}", value(rng), value(rng)),
    }
}
fn ask(s: &mut Session, sql: &str, params: &Option<Vec<(&'static str, String)>>) -> (String, String) {
    let Some(p) = params.as_ref().filter(|p| !p.is_empty()) else { return run(s, sql) };
    let types: Vec<&str> = p.iter().map(|p| p.0).collect();
    let values: Vec<&str> = p.iter().map(|p| p.1.as_str()).collect();
    run(s, &format!("prepare p({}) as {sql}", types.join(", ")));
    run(
        s,
        &format!(
            "set plan_cache_mode = {}",
            if values.len().is_multiple_of(2) { "force_generic_plan" } else { "auto" }
        ),
    );
    let r = run(s, &format!("execute p({})", values.join(", ")));
    run(s, "deallocate p; reset plan_cache_mode");
    r
}
/// The rows are those of the plain table, and each is where its bounds say.
fn check(s: &mut Session, case: &str) {
    let (want, got) = (run(s, "select a, b, t, n from m").0, run(s, "select a, b, t, n from p").0);
    assert_eq!(sorted(&got), sorted(&want), "{case}");
    let leaves =
        run(s, "select relid, pg_get_partition_constraintdef(relid) from pg_partition_tree('p') where isleaf").0;
    for l in leaves.lines() {
        let (leaf, cond) = l.split_once('|').expect("two columns");
        if !cond.is_empty() {
            let wrong = run(s, &format!("select count(*) from only {leaf} where ({cond}) is not true")).0;
            assert_eq!(wrong.trim(), "0", "{case}: rows of {leaf} that are not {cond}");
        }
    }
}
/// The same statement at both tables; what the partitioned one refuses for want of a partition the other does not do either.
fn both(s: &mut Session, statement: &dyn Fn(&str) -> String, case: &str) {
    run(s, "begin; savepoint x");
    match try_run(s, &statement("p")) {
        Ok(done) => {
            let plain = run(s, &statement("m"));
            assert_eq!((sorted(&done.0), done.1), (sorted(&plain.0), plain.1), "{case}: {}", statement("p"));
            run(s, "commit");
        }
        Err(e) if e.message().starts_with("no partition of relation") => drop(run(s, "rollback")),
        Err(e) => panic!("{case}: {}: {e:?}", statement("p")),
    }
}

/// The first rows in some order, the same of both tables. Whether the partitioned one had them without a sort of all.
fn in_order(
    s: &mut Session,
    rng: &mut Rng,
    cond: &str,
    params: &Option<Vec<(&'static str, String)>>,
    case: &str,
) -> bool {
    let mut keys: Vec<String> = Vec::new();
    let end = rng.choose(&["", " desc", " desc nulls last", " nulls first"]);
    for c in 0..1 + rng.index(2) {
        let column = rng.choose(&["a", "b", "t", "(b + 1)"]);
        keys.push(format!("{column}{}", if c == 0 || rng.chance(2) { end } else { "" }));
    }
    // What is equal in all of these is the same row to who reads it.
    keys.extend(COLS.map(str::to_string));
    let rows = if rng.chance(3) { String::new() } else { format!(" limit {}", 1 + rng.below(9)) };
    let skip = if rng.chance(2) { String::new() } else { format!(" offset {}", rng.below(9)) };
    let of = |t: &str| format!("select x.a, x.b, x.t from {t} x where {cond} order by {}{rows}{skip}", keys.join(", "));
    let want = ask(s, &of("m"), params).0;
    let sort = rng.choose(&["on", "off"]);
    run(s, &format!("set enable_sort = {sort}; set enable_seqscan = {sort}"));
    assert_eq!(ask(s, &of("p"), params).0, want, "{case}: {} with {params:?}, sort {sort}", of("p"));
    let merged = params.is_none() && run(s, &format!("explain {}", of("p"))).0.contains("Merge Append");
    run(s, "reset enable_sort; reset enable_seqscan");
    merged
}

#[test]
fn partitions_are_one_table() {
    let seed = chance::seed(20);
    let end = chance::end(6);
    let (mut n, mut left_out, mut merged, mut worlds) = (0u64, 0u64, 0u64, 0u64);
    while std::time::Instant::now() < end || worlds < 3 {
        let mut rng = Rng::new(seed + worlds);
        let mut s = session(rng.seed());
        worlds += 1;
        let (by, key) = scheme(&mut rng, false);
        let case = format!("seed {}: {by}", seed + worlds - 1);
        run(&mut s, "create table m (a int, b int, t text, n int)");
        run(&mut s, &format!("create table p (a int, b int, t text, n int) partition by {by}"));
        let whole = rng.chance(2);
        divide(&mut s, &mut rng, "p", &key, 2, whole);
        for _ in 0..rng.below(3) {
            run(&mut s, &format!("create index on p ({})", rng.choose(&["a", "b, a", "t", "(b + 1)"])));
        }
        run(
            &mut s,
            "create table o (a int, b int, t text); insert into o values (1, 1, '1'), (5, null, '7'), (null, 3, null)",
        );
        for _ in 0..60 {
            let values: Vec<String> = (0..1 + rng.below(6)).map(|_| row(&mut rng)).collect();
            both(&mut s, &|t| format!("insert into {t} values {} returning a, b, t, n", values.join(", ")), &case);
        }
        check(&mut s, &case);
        for _ in 0..60 {
            let mut params = rng.chance(2).then(Vec::new);
            let outer = rng.below(3) == 0;
            let cond = condition(&mut rng, 2, &mut params, outer);
            let from = |t: &str| match outer {
                true => format!("select x.a, x.b, x.t, o.a from o join {t} x on {cond}"),
                false => format!("select x.a, x.b, x.t from {t} x where {cond}"),
            };
            let want = sorted(&ask(&mut s, &from("m"), &params).0);
            for way in ["off", "on"] {
                run(&mut s, &format!("set enable_partition_pruning = {way}"));
                let got = ask(&mut s, &from("p"), &params).0;
                assert_eq!(sorted(&got), want, "{case}: {} with {params:?}, pruning {way}", from("p"));
            }
            if !outer {
                let (cond, params) = if rng.chance(2) { ("true", None) } else { (&*cond, params.clone()) };
                merged += u64::from(in_order(&mut s, &mut rng, cond, &params, &case));
            }
            if !outer && params.is_none() {
                let scans = |s: &mut Session| run(s, &format!("explain {}", from("p"))).0.matches("Scan").count();
                let some = scans(&mut s);
                run(&mut s, "set enable_partition_pruning = off");
                left_out += u64::from(scans(&mut s) > some);
                run(&mut s, "reset enable_partition_pruning");
            }
            let (c, v) = (rng.index(3), value(&mut rng));
            let set = match c {
                2 => format!("t = {}", if v == "null" { v } else { format!("'{v}'") }),
                _ => format!("{0} = {1}", COLS[c], if rng.chance(2) { v } else { format!("{} + 1", COLS[1 - c]) }),
            };
            if !outer && params.is_none() {
                let change = rng.below(6);
                both(
                    &mut s,
                    &|t| match change {
                        0 => format!("delete from {t} x where {cond} and x.a > 9 returning a, b, t, n"),
                        1 => format!(
                            "merge into {t} x using o on x.a = o.a and {cond} when matched then delete
                             when not matched then insert values (o.a, o.b, o.t, 7)"
                        ),
                        _ => format!("update {t} x set {set}, n = n + 1 where {cond} returning a, b, t, n"),
                    },
                    &case,
                );
            }
            n += 1;
        }
        check(&mut s, &case);
        run(&mut s, "drop table p");
        assert_eq!(run(&mut s, "select count(*) from pg_class where relname like 'p\\_%'").0.trim(), "0", "{case}");
    }
    println!("{n} conditions over {worlds} tables, partitions left out for {left_out}, merged for {merged}");
    assert!(merged > 0 || n < 400, "partitions were hardly merged: {merged} of {n}");
    assert!(left_out > n / 20, "partitions were hardly left out: {left_out} of {n}");
}
