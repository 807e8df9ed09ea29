//! Inverted indexes against walks: rows of arrays, documents, texts and vectors that change at random, in transactions that are rolled back in part; every operator of
//! every operator class, with literals, parameters and columns of another table; entries against rows at the end.
use pamir_sql::check::check;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;

fn run(s: &mut Session, sql: &str) -> (String, String) {
    let r = transcript::run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
    (r.text(), r.tag().into())
}
const INDEXES: [&str; 15] = [
    "create index on t using gin (ints)",
    "create index on t using gin (words, ints)",
    "create index on t using gin (doc)",
    "create index on t using gin (doc jsonb_path_ops) where id > 20",
    "create index on t using gin (tv)",
    "create index on t using gin (to_tsvector('simple', name))",
    "create index on t using gin (name gin_trgm_ops)",
    "create index on t using gin (lower(name) gin_trgm_ops, h)",
    "create index on t using gin ((doc -> 'a'), (words || 'w0'::text))",
    "create index on t using gist (r)",
    "create index on t using gist (nr, tr)",
    "create index on t using gist (tv, name gist_trgm_ops)",
    "create index on t using brin (id)",
    "create index on t using gin (n, ints)",
    "create index on t using gist (name, r)",
];
const ROWS: u64 = 120;

fn world(rng: &mut Rng, shard: &Arc<Shard>) -> Session {
    let db = Database::open(shard.clone()).expect("database");
    let mut s = transcript::start(&db, "postgres").expect("session");
    run(
        &mut s,
        "create extension pg_trgm; create extension hstore; create extension btree_gin; create extension btree_gist",
    );
    run(
        &mut s,
        "create table t (id int primary key, ints int[], words varchar(300)[], doc jsonb, tv tsvector, name text, h hstore, r int4range, nr numrange, tr tstzrange, n numeric)",
    );
    // Made before there are rows, or of them.
    let first = rng.below(INDEXES.len() as u64 + 1) as usize;
    INDEXES.iter().take(first).for_each(|i| drop(run(&mut s, i)));
    for id in 0..ROWS {
        let row = row(rng, id);
        run(&mut s, &format!("insert into t values {row}"));
    }
    INDEXES.iter().skip(first).for_each(|i| drop(run(&mut s, i)));
    if rng.chance(2) {
        run(&mut s, "analyze t");
    }
    s
}
fn list(rng: &mut Rng, most: u64, mut one: impl FnMut(&mut Rng) -> String) -> String {
    (0..rng.below(most + 1)).map(|_| one(rng)).collect::<Vec<_>>().join(",")
}
fn ints(rng: &mut Rng) -> String {
    match rng.below(12) {
        0 => "'{{1,2},{3,null}}'::int[]".into(),
        _ => format!(
            "'{{{}}}'::int[]",
            list(rng, 4, |r| if r.chance(8) { "null".into() } else { r.below(9).to_string() })
        ),
    }
}
/// Some are longer than a key may be, and differ at their ends.
fn word(rng: &mut Rng) -> String {
    if rng.chance(10) { format!("{}{}", "w".repeat(260), rng.below(3)) } else { format!("w{}", rng.below(6)) }
}
fn words(rng: &mut Rng) -> String {
    format!("'{{{}}}'::varchar[]", list(rng, 3, word))
}
fn json(rng: &mut Rng, depth: u64) -> String {
    match rng.below(if depth == 0 { 5 } else { 8 }) {
        0 => rng.below(3).to_string(),
        1 => format!("\"{}\"", *rng.choose(&["a", "b", "x y", "c"])),
        2 => rng.choose::<&str>(&["true", "false", "null", "1.0", "1.00", "-0", "1e2"]).to_string(),
        3 => "{}".into(),
        4 => "[]".into(),
        5 => format!("[{}]", list(rng, 3, |r| json(r, depth - 1))),
        _ => {
            let pair = |r: &mut Rng| format!("\"{}\":{}", r.choose::<&str>(&["a", "b", "c"]), json(r, depth - 1));
            format!("{{{}}}", list(rng, 3, pair))
        }
    }
}
fn name(rng: &mut Rng) -> String {
    const PARTS: [&str; 12] = ["foo", "bar", "Bar", " ", " ", "-", "ü", "Ähre", "x", "_", "12", "ba"];
    (0..rng.below(7)).map(|_| *rng.choose(&PARTS)).collect()
}
fn hstore(rng: &mut Rng) -> String {
    let pair = |r: &mut Rng| {
        let v = if r.chance(4) { "null".into() } else { format!("v{}", r.below(3)) };
        format!("k{}=>{v}", r.below(4))
    };
    format!("'{}'::hstore", list(rng, 3, pair))
}
fn vector(rng: &mut Rng) -> String {
    format!("'{}'::tsvector", list(rng, 5, |r| format!("{}:{}", word(r), 1 + r.below(5))).replace(',', " "))
}
fn query(rng: &mut Rng, depth: u64) -> String {
    match rng.below(if depth == 0 { 2 } else { 6 }) {
        0 => word(rng),
        1 => format!("w{}", *rng.choose(&[":*", "1:*", "0:A", "2", "ww:*"])),
        2 => format!("({} & {})", query(rng, depth - 1), query(rng, depth - 1)),
        3 => format!("({} | {})", query(rng, depth - 1), query(rng, depth - 1)),
        4 => format!("({} <-> {})", query(rng, depth - 1), query(rng, depth - 1)),
        _ => format!("!{}", query(rng, depth - 1)),
    }
}
fn or_null(rng: &mut Rng, v: String) -> String {
    if rng.chance(12) { "null".into() } else { v }
}
fn row(rng: &mut Rng, id: u64) -> String {
    let (a, b, c) = (ints(rng), words(rng), format!("'{}'::jsonb", json(rng, 3)));
    let (d, e, f) = (vector(rng), format!("'{}'", name(rng)), hstore(rng));
    let (r, nr, tr) = (range(rng, "int4range"), range(rng, "numrange"), range(rng, "tstzrange"));
    let n = rng.choose(&["1", "1.0", "-2", "0", "1e30", "'NaN'", "2.5"]).to_string();
    let v = [a, b, c, d, e, f, r, nr, tr, n].map(|v| or_null(rng, v)).join(", ");
    format!("({id}, {v})")
}
fn point(rng: &mut Rng, ty: &str) -> String {
    let n = rng.below(30) as i64 - 5;
    match ty {
        "int4range" => n.to_string(),
        "numrange" => format!("{n}.{}", rng.below(3)),
        _ => format!("2024-01-{:02} 0{}:00+00", n.clamp(1, 31), rng.below(4)),
    }
}
fn range(rng: &mut Rng, ty: &str) -> String {
    if rng.chance(10) {
        return format!("'empty'::{ty}");
    }
    let (mut a, mut b) = (point(rng, ty), point(rng, ty));
    if rng.chance(2) {
        // Short ones.
        b.clone_from(&a);
    }
    let less = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a < b,
        _ => a < b,
    };
    if less(&b, &a) {
        std::mem::swap(&mut a, &mut b);
    }
    let (a, b) = (if rng.chance(9) { "".into() } else { a }, if rng.chance(9) { "".into() } else { b });
    format!("'{}{a},{b}{}'::{ty}", if rng.chance(3) { '(' } else { '[' }, if rng.chance(3) { ')' } else { ']' })
}
/// A pattern of LIKE: parts of a name with wildcards between.
fn pattern(rng: &mut Rng) -> String {
    let part = |r: &mut Rng| match r.below(5) {
        0 | 1 => "%".to_string(),
        2 => "_".into(),
        3 => "\\_".into(),
        _ => name(r),
    };
    (0..1 + rng.below(4)).map(|_| part(rng)).collect::<String>()
}
/// One of several operators.
fn op<'a>(rng: &mut Rng, of: &'a str) -> &'a str {
    let all: Vec<&str> = of.split(' ').collect();
    rng.choose::<&str>(&all)
}
/// A condition: what is asked, the operator's other side and its type, so that the side can be a parameter.
fn cond(rng: &mut Rng) -> (String, String, &'static str) {
    let of = |t: &'static str, op: &str, v: String, ty: &'static str| (t.replace("OP", op).replace("SIDE", "?"), v, ty);
    let keys = |r: &mut Rng| {
        format!(
            "'{{{}}}'::text[]",
            list(r, 3, |r| if r.chance(9) {
                "null".into()
            } else {
                r.choose::<&str>(&["a", "b", "c", "k0", "k1"]).to_string()
            })
        )
    };
    if rng.chance(4) {
        const RANGES: [(&str, &str, &str); 3] =
            [("r", "int4range", "int"), ("nr", "numrange", "numeric"), ("tr", "tstzrange", "timestamptz")];
        let (column, ty, of_values) = *rng.choose(&RANGES);
        let value = |r: &mut Rng| format!("'{}'::{of_values}", point(r, ty));
        let (text, side, ty) = match rng.below(4) {
            0 => of("C OP SIDE", op(rng, "&& @> <@ ="), range(rng, ty), ty),
            1 => of("SIDE OP C", op(rng, "&& @> <@"), range(rng, ty), ty),
            2 => of("C OP SIDE", "@>", value(rng), of_values),
            _ => of("SIDE OP C", "<@", value(rng), of_values),
        };
        return (text.replace('C', column), side, ty);
    }
    if rng.chance(8) {
        let op = op(rng, "< <= = >= > <>");
        return match rng.below(3) {
            0 => of("name OP SIDE", op, format!("'{}'::text", name(rng)), "text"),
            1 => of("SIDE OP n", op, rng.choose(&["1.00", "0.0", "'NaN'", "-1"]).to_string(), "numeric"),
            _ => of("n OP SIDE", op, rng.choose(&["1.0", "0.0", "1e30", "2.5"]).to_string(), "numeric"),
        };
    }
    match rng.below(17) {
        0 => of("ints OP SIDE", op(rng, "@> <@ && ="), ints(rng), "int[]"),
        1 => of("SIDE OP ints", op(rng, "@> <@ &&"), ints(rng), "int[]"),
        2 => of("SIDE = any (ints)", "", rng.below(9).to_string(), "int"),
        3 => of("words OP SIDE", op(rng, "@> <@ && ="), words(rng), "varchar[]"),
        4 => of("doc OP SIDE", "@>", format!("'{}'::jsonb", json(rng, 2)), "jsonb"),
        5 => of("SIDE OP doc", "<@", format!("'{}'::jsonb", json(rng, 2)), "jsonb"),
        6 => of("doc OP SIDE", "?", format!("'{}'::text", *rng.choose(&["a", "b", "x y"])), "text"),
        7 => of("doc OP SIDE", op(rng, "?| ?&"), keys(rng), "text[]"),
        8 => of("tv OP SIDE", "@@", format!("'{}'::tsquery", query(rng, 3)), "tsquery"),
        9 => of(
            "SIDE OP to_tsvector('simple', name)",
            "@@",
            format!("'{}'::tsquery", *rng.choose(&["foo", "ba:*", "foo & bar", "foobar", "!foo"])),
            "tsquery",
        ),
        10 => of("name OP SIDE", op(rng, "like ilike"), format!("'{}'::text", pattern(rng)), "text"),
        11 => of("lower(name) OP SIDE", "like", format!("'{}'::text", pattern(rng)), "text"),
        12 => of("name OP SIDE", op(rng, "% %> %>> ="), format!("'{}'::text", name(rng)), "text"),
        13 => of("SIDE OP name", op(rng, "% <% <<%"), format!("'{}'::text", name(rng)), "text"),
        14 => of("h OP SIDE", "@>", hstore(rng), "hstore"),
        15 => of("h OP SIDE", op(rng, "?| ?&"), keys(rng), "text[]"),
        _ => of("(doc -> 'a') OP SIDE", "@>", format!("'{}'::jsonb", json(rng, 1)), "jsonb"),
    }
}
fn way(s: &mut Session, index: bool) {
    let (on, off) = if index { ("on", "off") } else { ("off", "on") };
    run(s, &format!("set enable_indexscan = {on}; set enable_seqscan = {off}"));
}
/// The marks for sides: literals, or parameters of a prepared statement that runs as often as it takes to be planned for all values.
fn ask(s: &mut Session, text: &str, sides: &[(String, &str)], prepared: bool) -> String {
    let (mut sql, mut types, mut values) = (String::new(), Vec::new(), Vec::new());
    let mut next = sides.iter();
    for part in text.split_inclusive('\u{1}') {
        let Some(part) = part.strip_suffix('\u{1}') else {
            sql.push_str(part);
            continue;
        };
        sql.push_str(part);
        let Some((v, ty)) = next.next() else { continue };
        types.push(*ty);
        values.push(v.as_str());
        sql.push_str(&if prepared { format!("${}", types.len()) } else { v.clone() });
    }
    if !prepared {
        return run(s, &sql).0;
    }
    run(s, &format!("prepare p({}) as {sql}", types.join(", ")));
    let mut r = String::new();
    for _ in 0..7 {
        r = run(s, &format!("execute p({})", values.join(", "))).0;
    }
    run(s, "deallocate p");
    r
}
/// Changes rows, some of them for nothing.
fn change(s: &mut Session, rng: &mut Rng, next: &mut u64) {
    let undo = rng.chance(4);
    let within = undo || rng.chance(4);
    if within {
        run(s, "begin");
        run(
            s,
            &format!(
                "update t set ints = ints || {} where id % 7 = {} and array_ndims(ints) = 1",
                rng.below(9),
                rng.below(7)
            ),
        );
        run(s, "savepoint a");
    }
    for _ in 0..1 + rng.below(4) {
        let id = rng.below(ROWS);
        let sql = match rng.below(9) {
            0 | 1 => {
                *next += 1;
                format!("insert into t values {}", row(rng, *next))
            }
            2 => format!(
                "insert into t values {} on conflict (id) do update set ints = excluded.ints, doc = excluded.doc",
                row(rng, id)
            ),
            3 => format!("delete from t where id = {id}"),
            4 => {
                let (a, b, c) = (ints(rng), words(rng), format!("'{}'", json(rng, 3)));
                let [a, b, c, d] = [a, b, c, vector(rng)].map(|v| or_null(rng, v));
                format!("update t set ints = {a}, words = {b}, doc = {c}, tv = {d} where id = {id}")
            }
            5 => format!("update t set ints = {} where id between {id} and {}", ints(rng), id + 9),
            6 => format!("update t set name = '{}', h = {} where id = {id}", name(rng), hstore(rng)),
            7 => {
                *next += 1;
                format!("update t set id = {next} where id = {id}")
            }
            _ => format!("delete from t where ints @> {} and id % 3 = 0", ints(rng)),
        };
        run(s, &sql);
    }
    if within {
        run(
            s,
            if undo {
                "rollback"
            } else if rng.chance(3) {
                "rollback to a; commit"
            } else {
                "commit"
            },
        );
    }
}

#[test]
fn inverted_indexes_give_what_a_walk_gives() {
    let seed = chance::seed(40);
    let end = chance::end(8);
    let (mut n, mut inverted, mut worlds) = (0u64, 0u64, 0u64);
    while std::time::Instant::now() < end {
        let mut rng = Rng::new(seed + worlds);
        let shard = Shard::open(Arc::new(SimDisk::new(seed + worlds)), ShardOptions::default()).expect("shard");
        let mut s = world(&mut rng, &shard);
        let mut next = 1000;
        worlds += 1;
        for _ in 0..120 {
            if rng.chance(3) {
                change(&mut s, &mut rng, &mut next);
            }
            let (mut text, mut sides) = (String::new(), Vec::new());
            for i in 0..1 + rng.below(3) {
                let (c, v, ty) = cond(&mut rng);
                if i > 0 {
                    text.push_str(if rng.chance(6) { " or " } else { " and " });
                }
                // An operator has question marks of its own; the side is the last one, or the first.
                let at = if c.starts_with('?') { 0 } else { c.rfind('?').unwrap_or(0) };
                text.push_str(&format!("{}\u{1}{}", &c[..at], &c[at + 1..]));
                sides.push((v, ty));
            }
            if rng.chance(4) {
                text.push_str(" and id > 20");
            }
            run(&mut s, if rng.chance(6) { "set work_mem = '64kB'" } else { "reset work_mem" });
            let prepared = rng.chance(4);
            let case = format!("seed {}: {text} with {sides:?}", seed + worlds - 1);
            let select = format!("select id from t where {text} order by id");
            way(&mut s, false);
            let want = ask(&mut s, &select, &sides, prepared);
            way(&mut s, true);
            assert_eq!(ask(&mut s, &select, &sides, prepared), want, "{case}");
            inverted +=
                u64::from(ask(&mut s, &format!("explain {select}"), &sides, false).contains("Inverted Index Scan"));
            n += 1;
            if rng.chance(5) {
                let rows = want.lines().count();
                run(&mut s, "begin");
                let locked = ask(&mut s, &format!("{select} for update"), &sides, false);
                assert_eq!(locked, want, "for update: {case}");
                ask(&mut s, &format!("update t set ints = '{{77}}' where {text}"), &sides, false);
                assert_eq!(run(&mut s, "select count(*) from t where ints = '{77}'").0, format!("{rows}\n"), "{case}");
                run(&mut s, "rollback");
            }
            if rng.chance(8) {
                let join = "select a.id, b.id from t a, t b where a.id % 5 = 0 and (b.ints @> a.ints and b.doc @> a.doc or b.words && a.words and a.id = 5) order by 1, 2";
                let one =
                    "select a.id, (select count(*) from t b where b.ints && a.ints and b.h @> a.h) from t a order by 1";
                let sql = if rng.chance(2) { join } else { one };
                way(&mut s, false);
                let want = run(&mut s, sql).0;
                way(&mut s, true);
                assert_eq!(run(&mut s, sql).0, want, "{sql}");
            }
        }
        drop(s);
        for r in check(&shard).expect("check") {
            assert_eq!(r.problem_count, 0, "seed {}: {r:?}", seed + worlds - 1);
        }
    }
    println!("{n} conditions over {worlds} tables, {inverted} by an inverted index");
    assert!(inverted > n / 3, "the indexes were hardly used: {inverted} of {n}");
}
