//! Simple queries that share a plan by their shape answer as those that do not: the same statements go through one long session, whose shapes are
//! soon known, and each through a session of its own, which knows none. Rows, tags and errors (with their place in the text) must be equal.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::Rng;
use pamir_txn::{Shard, ShardOptions};
use std::sync::Arc;

const SETUP: &[&str] = &[
    "create table t (id int primary key, a int, b text, c numeric(8,2), d date, e smallint, f bigint, g varchar(5), h boolean, i timestamptz, j json)",
    "create table k (x bigint, y text, n int not null default 7, primary key (x, y))",
    "create table u (id int primary key, v int unique, w text check (w <> 'bad'))",
    "create index on t (a)",
    "insert into t select n, n % 10, 'b' || n, n / 3.0, date '2020-01-01' + n, n, n, 'g', n % 2 = 0, null, null from generate_series(1, 50) n",
    "insert into k select n, 'y' || n % 5 from generate_series(1, 50) n",
    "insert into u select n, n, 'w' from generate_series(1, 20) n",
    "create table o (w int, d int, n bigint, a int, s varchar(6), m numeric(6,2), t date, primary key (w, d, n))",
    "create index on o (a)",
    "insert into o select n % 7, n % 5, n, n % 11, 's' || n % 9, n / 4.0, date '2020-01-01' + n from generate_series(1, 300) n",
    "create table p (id int primary key, a int default 3, b text) partition by range (id)",
    "create table p1 partition of p for values from (0) to (20)",
    "create table p2 (b text, gone int, a int default 3, id int not null)",
    "alter table p2 drop column gone",
    "alter table p attach partition p2 for values from (20) to (40)",
    "create table p3 partition of p for values from (40) to (60) partition by hash (id)",
    "create table p30 partition of p3 for values with (modulus 2, remainder 0)",
    "create table p31 partition of p3 for values with (modulus 2, remainder 1)",
    "create index on p (a)",
    "insert into p select n, n % 10, 'p' || n from generate_series(0, 45) n",
    "create table l (s text, n int, v int, primary key (s, n)) partition by list (s)",
    "create table l1 partition of l for values in ('1', '2', 'b1')",
    "create table l2 partition of l default",
    "insert into l select n % 4, n, n from generate_series(1, 30) n",
    "create function f1(a int, b text) returns text language plpgsql as $$ begin if b = 'bad' then raise exception 'bad %', a using hint = b; end if; return a || b; end $$",
    "create function f2(a numeric, b date) returns text language sql stable as $$ select a::text || b::text $$",
    "create function f3(a bigint, b anyelement) returns anyelement language plpgsql as $$ begin return b; end $$",
    "create function f4(variadic a int[]) returns int language plpgsql as $$ begin return cardinality(a); end $$",
    "create function f5(a float8, b varchar default 'x', c timestamptz default now()) returns text language plpgsql as $$ begin return a || b; end $$",
    "create function f6(i int, w text) returns int language plpgsql as $$ begin insert into u values (i, i + 100, w) on conflict (id) do update set w = excluded.w; return i; end $$",
    "create function f7(a int) returns int language sql immutable as $$ select 100 / a $$",
    "create function f8(a int) returns text language plpgsql strict as $$ begin return 'int'; end $$",
    "create function f8(a text) returns text language plpgsql strict as $$ begin return 'text'; end $$",
    "create domain small as int check (value < 30)",
    "create function f9(a small, b char(3)) returns text language plpgsql as $$ begin return a || '<' || b || '>'; end $$",
    "create function f10(a int, out b int, out c text) language plpgsql as $$ begin b := a; c := 'c'; end $$",
    "create function f11(a int) returns setof int language plpgsql as $$ begin return next a; return next 1; end $$",
];

/// `#` stands for a literal.
const SHAPES: &[&str] = &[
    "select * from t where id = #",
    "select b, a from t where # = id;",
    "select b, # from t where id = #",
    "select b from t where id = # and a = #",
    "select b from t where id = # or id = #",
    "select b from t where id = # order by 1",
    "select b from t where id = -#",
    "select count(*) from t where a = #",
    "select # + #",
    "select b from t where id in (#, #)",
    "select * from k where x = # and y = #",
    "select n from k where y = # and x = # for update",
    "update t set a = # where id = #",
    "update t set a = a + # where id = #",
    "update t set a = a + -#, b = # where id = #",
    "update t set b = b || # where id = #",
    "update t set c = # where id = #",
    "update t set c = c / # where id = #",
    "update t set d = # where id = #",
    "update t set d = d + # where id = #",
    "update t set d = date '2021-05-05' where id = #",
    "update t set e = # where id = #",
    "update t set f = # where id = #",
    "update t set g = # where id = #",
    "update t set h = # where id = #",
    "update t set i = # where id = #",
    "update t set j = # where id = #",
    "update t set b = case when a > # then # else # end where id = #",
    "update t set a = coalesce(null, #) where id = #",
    "update t set nosuch = # where id = #",
    "update t set a = (select max(n) from k where x = #) where id = #",
    "delete from t where id = #",
    "delete from k where x = # and y = #",
    "insert into t (id, a, b) values (#, #, #)",
    "insert into t (id, a, b) values (#, #, #) returning id, b, a + 1",
    "insert into t (id, a, b) values (#, #, #) on conflict do nothing",
    "insert into t (id, a, b) values (#, #, #) on conflict (id) do update set a = excluded.a + #, b = #",
    "insert into t (id, a, b) values (#, #, #) on conflict (id) do update set a = t.a / # where t.a <> # returning a",
    "insert into t (id, a, b) values (#, # / #, #) on conflict (id) do nothing",
    "insert into t (id, a) select #, #",
    "insert into u values (#, #, #) returning *",
    "insert into u values (#, #, #) on conflict (v) do update set w = excluded.w",
    "insert into k values (#, #, default) on conflict (x, y) do update set n = k.n + #",
    "select * from p where id = #",
    "select b from p where id = # and a = #",
    "select id, b from p where id in (#, #) order by id",
    "select count(*), min(b) from p where id = # or id = #",
    "select count(*) from p where id between # and #",
    "select id, a from p where id >= # order by id limit 3",
    "select count(*) from p where a = #",
    "select x.b, y.v from p x join l y on y.n = x.id where x.id = # and y.s = #",
    "select b from p where id = # for update",
    "update p set a = # where id = #",
    "update p set a = a + #, b = # where id = # returning id, a, b",
    "update p set id = # where id = #",
    "delete from p where id = #",
    "insert into p values (#, #, #)",
    "insert into p (id, b) values (#, #) returning *",
    "insert into p values (#, #, #) on conflict (id) do update set a = excluded.a, b = p.b || #",
    "select * from l where s = # and n = #",
    "update l set v = # where s = # and n = #",
    "insert into l values (#, #, #) on conflict do nothing",
    "insert into t (id, c, d) values (#, #, #)",
    "insert into t (id, e, f, g) values (#, #, #, #)",
    "insert into t values (#, #, #, #, #, #, #, #, #, #, #)",
    "insert into k values (#, #)",
    "insert into k (x, y, n) values (#, #, #::text::int)",
    "insert into k (x, y, n) values (#, #, null)",
    "insert into u values (#, #, #)",
    "insert into u values (#, #, #) on conflict do nothing",
    "update u set w = # where id = #",
    "update u set v = # where id = #",
    "select v from u where v = #",
    "select \"b\" from \"t\" where \"id\"=#",
    "update t set b = e'x\\'#' where id = #",
    "select b from t where id = # -- #",
    // By the first columns of the primary key, through operators.
    "select n, a, s from o where w = # and d = #",
    "select n, a, # from o where w = # order by n desc limit 3",
    "select * from o where w = # and d = # and n > # order by n",
    "select * from o where w = # and d in (#, #) and n between # and # order by d, n",
    "select a + 5, count(*), sum(m) from o where w = # group by a + 5 order by 1",
    "select a + #, count(*) from o where w = # group by a + 5 order by 1",
    "select a, # from o where w = # group by 1, 2 order by 1",
    "select a, count(*) from o where w = # and d = # group by a having count(*) > # order by a",
    "select distinct on (2) a, d from o where w = # order by 2, 1",
    "select count(distinct a), max(s), # from o where w = # and a < #",
    "select sum(m / #) from o where w = # and d = #",
    "select sum(m) from o where w = # and d = # and a = # + #",
    "select n from o where w = # and d = # and m > # order by n",
    "select n from o where w = # and d = # and t = # order by n",
    "select n from o where w = # and d = # order by n limit 1 for update",
    "select n from o where w = # and d = # and s like # order by n",
    "select n from o where w = # and d = # order by n limit 5 offset #",
    "select o.n, t.b from o, t where o.w = # and o.d = # and t.id = o.a order by 1, 2",
    "select o.n, t.b from o join t on t.id = o.a and t.a <> # where o.w = # and o.d = # order by 1, 2",
    "select o.n, t.b from o left join t on t.id = o.a and t.id = # where o.w = # and o.d = # order by 1, 2",
    "select count(*) from o, t where o.w = # and t.a = o.d",
    "select n from o where w = # and d = (select max(d) from o where w = #) order by n",
    "select n from o where w = # union select id from t where id = # order by 1",
    "select case when a > # then # else # end from o where w = # and d = # order by 1",
    "select n from o where (w = # or w = #) and d = # order by n",
    "select n from o where w = # and (s = # or a = #) order by n",
    "select coalesce(a, #), nullif(d, #), greatest(a, #) from o where w = # and d = # order by n",
    "update o set a = a + # where w = # and d = #",
    "update o set s = # where w = # and d = #",
    "update o set m = m + # where w = # and d = # and n = # returning n, m + 1, 'x'",
    "update o set a = case when a >= # + 10 then a - # else a - # + 91 end, m = m + # where w = # and d = # and n = #",
    "update o set a = case when a > # then # / # else 1 end where w = # and d = # and n = #",
    "update o set d = # where w = # and d = # and n = # returning *",
    "update o set a = t.a from t where t.id = # and o.w = # and o.d = #",
    "delete from o where w = # and d = # and n = # returning n + 1",
    "delete from o where w = # and d = # and a = #",
    "insert into o values (#, #, #, #, null, #, null) returning w, n",
    "insert into o values (#, #, #, #, 's', #, now())",
    "select f1(#, #)",
    "select f1(#, #) as x, #",
    "select #, f1(a => #, b => #)",
    "select f1(-#, #)",
    "select f1(# / #, #)",
    "select f1(#, #) where # > 3",
    "select f1(#, #), f6(#, #)",
    "select f1(#, #)::int",
    "select f2(#, #)",
    "select f3(#, #)",
    "select f4(#, #, #)",
    "select f5(#)",
    "select f5(#, #)",
    "select f5(#, #, null)",
    "select f6(#, #)",
    "select f7(#)",
    "select f8(#)",
    "select f9(#, #)",
    "select f10(#)",
    "select (f10(#)).*",
    "select f11(#)",
    "select pg_typeof(#)",
    "select concat(#, #)",
    "select # where # = 3",
    "select # as a, 'x' || # as b",
];

fn literal(r: &mut Rng) -> String {
    match r.below(64) {
        0..50 => r.below(60).to_string(),
        50 => "0".into(),
        51 => "2147483648".into(),
        52 => "99999999999999999999".into(),
        53 => "1.5".into(),
        54 => "007".into(),
        55 => "'y1'".into(),
        56 => "'it''s'".into(),
        57 => "'12'".into(),
        58 => "'2024-02-29'".into(),
        59 => "'bad'".into(),
        60 => "''".into(),
        61 => "'true'".into(),
        62 => "'{\"a\": 1}'".into(),
        _ => "40000".into(),
    }
}
fn fill(shape: &str, r: &mut Rng) -> String {
    let mut out = String::new();
    for (i, part) in shape.split('#').enumerate() {
        if i > 0 {
            out.push_str(&literal(r));
        }
        out.push_str(part);
    }
    out
}

fn database() -> Arc<Database> {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).unwrap();
    Database::open(shard).unwrap()
}
fn session(db: &Arc<Database>) -> Session {
    transcript::start(db, "postgres").unwrap()
}
fn run(s: &mut Session, sql: &str) -> String {
    run_at(s, sql, 0)
}
/// `before`: characters of `sql` that places in it are not to count.
fn run_at(s: &mut Session, sql: &str, before: u32) -> String {
    match transcript::run(s, sql) {
        Ok(said) => said.text() + said.tag(),
        Err(e) => {
            let d = e.data();
            // PostgreSQL gives these no place in the text; the ordinary way finds one when it folds a constant.
            let position = d.position.filter(|_| !matches!(e.code().as_str(), "22001" | "22003"));
            let position = position.map(|p| p - before);
            format!("{} {} {:?} {:?} {:?}", e.code().as_str(), e.message(), d.detail, d.hint, position)
        }
    }
}

fn reused(db: &Database) -> u64 {
    db.stats().into_iter().find(|s| s.0 == "shapes_reused").map_or(0, |s| s.1)
}

#[test]
fn a_shared_plan_answers_as_a_plan_of_ones_own() {
    let rounds: u64 = std::env::var("PAMIR_SHAPE_ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(40);
    let (a, b) = (database(), database());
    for sql in SETUP {
        run(&mut session(&a), sql);
        run(&mut session(&b), sql);
    }
    let mut long = session(&a);
    let mut r = Rng::new(7);
    for round in 0..rounds {
        for shape in SHAPES {
            let sql = fill(shape, &mut r);
            let (shared, own) = (run(&mut long, &sql), run(&mut session(&b), &sql));
            assert_eq!(shared, own, "round {round}: {sql}");
        }
        if round % 10 == 9 {
            // Plans are made anew, and with them the shapes'.
            let sql = format!("alter table t add column z{round} int default {round}");
            assert_eq!(run(&mut long, &sql), run(&mut session(&b), &sql));
        }
    }
    for table in ["t", "k", "u", "o", "p", "l"] {
        let all = format!("select * from {table} order by 1, 2, 3");
        assert_eq!(run(&mut long, &all), run(&mut session(&b), &all), "{table}");
    }
    assert!(reused(&a) > rounds * 19, "plans were shared {} times", reused(&a));
    assert_eq!(reused(&b), 0);
}

#[test]
fn a_function_s_calls_share_a_plan() {
    let db = database();
    let mut s = session(&db);
    SETUP.iter().for_each(|sql| drop(run(&mut s, sql)));
    // What a literal's plan computes itself or takes for another type, and what has more to compute (f5's default), does not.
    for (sql, shared) in [
        ("select f1(#, 'a')", 4),
        ("select f5(#), #", 0),
        ("select f9(#, 'b')", 4),
        ("select f3(#, #)", 0),
        ("select f7(#)", 0),
        ("select f1(# + #, 'a')", 0),
    ] {
        let before = reused(&db);
        for n in 1..=5 {
            run(&mut s, &sql.replace('#', &n.to_string()));
        }
        assert_eq!(reused(&db) - before, shared, "{sql}");
    }
}

#[test]
fn shapes_in_failed_and_open_transactions() {
    let db = database();
    for sql in SETUP {
        run(&mut session(&db), sql);
    }
    let mut s = session(&db);
    for i in 0..4 {
        run(&mut s, &format!("update t set a = {i} where id = 1"));
    }
    run(&mut s, "begin");
    assert_eq!(run(&mut s, "update t set a = 50 where id = 1"), "UPDATE 1");
    assert_eq!(run(&mut session(&db), "select a from t where id = 1"), "3\nSELECT 1");
    run(&mut s, "select 1 / 0");
    let e = run(&mut s, "update t set a = 51 where id = 1");
    assert!(e.starts_with("25P02"), "{e}");
    run(&mut s, "rollback");
    assert_eq!(run(&mut s, "select a from t where id = 1"), "3\nSELECT 1");
    // Uncommitted DDL: plans are private.
    run(&mut s, "begin");
    run(&mut s, "alter table t drop column a");
    let e = run(&mut s, "update t set a = 52 where id = 1");
    assert!(e.starts_with("42703"), "{e}");
    run(&mut s, "rollback");
    assert_eq!(run(&mut s, "update t set a = 53 where id = 1"), "UPDATE 1");
}

#[test]
fn now_is_the_statement_s_own() {
    let db = database();
    let mut s = session(&db);
    run(&mut s, "create table n (id int primary key, at timestamptz, made timestamptz default now())");
    // One row, then two, each by its shape from the second time on.
    for i in 0..4 {
        for values in [format!("({i}, 'now')"), format!("({}, 'now'), ({}, 'now')", i + 10, i + 20)] {
            run(&mut s, "select pg_sleep(0.002)");
            let sql = format!("insert into n (id, at) values {values}");
            assert!(run(&mut s, &sql).starts_with("INSERT"), "{sql}");
        }
    }
    assert!(reused(&db) >= 4);
    assert_eq!(run(&mut s, "select count(*) from n where at = made"), "12\nSELECT 1");
    assert_eq!(run(&mut s, "select count(distinct at) from n"), "8\nSELECT 1");
}

const ROWS_SETUP: &[&str] = &[
    "create table p (id int primary key, b text unique)",
    "insert into p select n, 'p' || n from generate_series(0, 39) n",
    "create table r (id int primary key, a int default 5, b text not null, c numeric(6,2), e smallint, f bigint, g varchar(5), h boolean, i date, j char(4), k float8)",
    "create table q (id serial primary key, a int references p, b varchar(8) default 'dflt', c int generated always as (a * 2) stored, check (a <> 13))",
    "create table heap (a text, b json, c int)",
    "create index on heap (c)",
    "create unique index on heap (a) where c > 50",
    "create table self (id int primary key, up int references self)",
    "create table ident (a int generated always as identity, b int unique deferrable, d timestamptz)",
];

/// The head of a statement and what its tuples mostly hold, a letter a value: i(nteger), k(ey), n(umeric), s(tring), b(oolean), d(ate), D(EFAULT).
const ROWS: &[(&str, &str)] = &[
    ("insert into r (id, b) values", "ks"),
    ("insert into r values", "kisnikSbdSn"),
    ("INSERT INTO r(id,a,b,c,e,f,g,h,i,j,k)VALUES", "kisniiSbdSi"),
    ("insert into q (a) values", "i"),
    ("insert into q (a, b) values", "iS"),
    ("insert into q values", "DiS"),
    ("insert into q values", "DiSD"),
    ("insert into q (a, c) values", "ii"),
    ("insert into heap values", "sji"),
    ("insert into heap (c, a) values", "is"),
    ("insert into self values", "ki"),
    ("insert into ident (b) values", "k"),
    ("insert into ident values", "iid"),
    ("insert into ident overriding system value values", "iid"),
    ("insert into ident overriding user value values", "iid"),
    ("insert into nosuch values", "ii"),
    ("insert into \"p\" as x (id, \"b\") values", "ks"),
    ("insert into p select 1, 'x' union values", "ks"),
];

/// A value of a tuple. `odd`: one in many is of another kind, NULL, or none that its column takes.
fn value(kind: u8, odd: bool, r: &mut Rng) -> String {
    const ODD: &[&str] = &[
        "NULL",
        "default",
        "2147483648",
        "-99999999999999999999",
        "'it''s'",
        "'bad, (1)'",
        "1.5",
        "e'x'",
        "abs(3)",
        "-0007",
        "''",
        "true",
        "'2024-02-30'",
        "'much too long for it'",
        "- 5",
        "1e2",
        "'7'",
        "40000",
    ];
    if odd && r.below(40) == 0 {
        return ODD[r.below(ODD.len() as u64) as usize].into();
    }
    let quoted = |s: String| format!("'{s}'");
    match kind {
        b'k' => r.below(3000).to_string(),
        b's' => quoted(format!("s\u{e4}''{}", r.below(100_000))),
        b'D' => "DEFAULT".into(),
        _ if r.below(9) == 0 => "null".into(),
        b'i' if r.below(8) == 0 => format!("-{}", r.below(50)),
        b'i' => r.below(40).to_string(),
        b'n' if r.below(3) == 0 => r.below(99).to_string(),
        b'n' => format!("{}.{:03}", r.below(99), r.below(1000)),
        b'S' => quoted("wxyz"[..r.below(5) as usize].into()),
        b'b' => (*r.choose(&["true", "FALSE", "'t'"])).into(),
        b'd' => quoted(format!("2024-{:02}-{:02}", 1 + r.below(12), 1 + r.below(28))),
        _ => quoted(format!("{{\"a\": {}}}", r.below(9))),
    }
}
fn insert_of_rows(r: &mut Rng) -> String {
    let (head, kinds) = ROWS[r.below(ROWS.len() as u64) as usize];
    let blank = |r: &mut Rng| *r.choose(&[" ", "", "\n", "\t \r\n"]);
    let mut sql = format!("{head}{}", blank(r));
    // Most texts are sound: what is refused hides what the rest does.
    let odd = r.below(3) == 0;
    for n in 0..=r.below(50) {
        if n > 0 {
            sql.push_str(&format!("{},{}", blank(r), blank(r)));
        }
        let mut values: Vec<String> = kinds.bytes().map(|k| value(k, odd, r)).collect();
        if odd && r.below(100) == 0 {
            values.push("1".into());
        }
        sql.push_str(&format!("({})", values.join(*r.choose(&[",", " , "]))));
    }
    sql.push_str(match r.below(if odd { 12 } else { 3 }) {
        0 => "",
        1 => ";",
        2 => " ; \n",
        3 => ",",
        4 => " returning *",
        5 => " on conflict do nothing",
        6 => "; select 1",
        7 => " -- x",
        8 => "; insert into p values (100, 'x'), (101, 'y')",
        9 => "/* x */;",
        _ => "\n",
    });
    sql
}

#[test]
fn many_rows_of_literals_are_inserted_as_without_a_shape() {
    let rounds: u64 = std::env::var("PAMIR_SHAPE_ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(40) * 15;
    let (a, b) = (database(), database());
    let mut long = session(&a);
    for sql in ROWS_SETUP {
        assert_eq!(run(&mut long, sql), run(&mut session(&b), sql), "{sql}");
    }
    let mut r = Rng::new(11);
    let (mut by_shape, mut failed_by_shape) = (0, 0);
    for round in 0..rounds {
        let sql = insert_of_rows(&mut r);
        let before = reused(&a);
        // A blank before it is enough to send a text the ordinary way; it moves places by one.
        let (shared, own) = (run_at(&mut long, &sql, 0), run_at(&mut session(&b), &format!(" {sql}"), 1));
        assert_eq!(shared, own, "round {round}: {sql}");
        let new = reused(&a) - before;
        *if shared.starts_with("INSERT") { &mut by_shape } else { &mut failed_by_shape } += new;
        if round % 10 == 9 {
            for (table, order, some) in [
                ("p", "1", "id > 39"),
                ("r", "1", "id % 3 > 0"),
                ("q", "1", "id % 3 = 0"),
                ("heap", "1, 3", "c > 3"),
                ("self", "1", "id % 3 = 0"),
                ("ident", "1, 2", "b > 3"),
            ] {
                for sql in
                    [format!("select * from {table} order by {order}"), format!("delete from {table} where {some}")]
                {
                    assert_eq!(run(&mut long, &sql), run(&mut session(&b), &sql), "round {round}: {sql}");
                }
            }
        }
        if round % 100 == 99 {
            for sql in ["alter table heap add column z int default 3", "alter table heap drop column z"] {
                assert_eq!(run(&mut long, sql), run(&mut session(&b), sql));
            }
        }
    }
    assert_eq!(reused(&b), 0);
    // What has a row refused (a duplicate, NULL, a check, a foreign key) is refused on this way, too.
    let counts = format!("{by_shape} and {failed_by_shape} of {rounds} went by their shapes");
    assert!(by_shape > rounds / 8 && failed_by_shape > rounds / 8, "{counts}");
}

#[test]
fn many_rows_of_literals_are_one_statement() {
    let db = database();
    let mut s = session(&db);
    run(&mut s, "create table r (id int primary key, t text)");
    let rows = |ids: std::ops::Range<u32>| {
        let tuples: Vec<String> = ids.map(|i| format!("({i}, 'text {i}')")).collect();
        format!("insert into r (id, t) values {}", tuples.join(", "))
    };
    let count = |s: &mut Session| run(s, "select count(*), sum(id) from r");
    assert_eq!(run(&mut s, &rows(0..20_000)), "INSERT 0 20000");
    assert_eq!(reused(&db), 1);
    assert_eq!(count(&mut s), "20000|199990000\nSELECT 1");
    // The last row fails: none is left.
    let e = run(&mut s, &format!("{}, (7, 'twice')", rows(30_000..30_100)));
    assert!(
        e.starts_with("23505 duplicate key value violates unique constraint \"r_pkey\" Some(\"Key (id)=(7)"),
        "{e}"
    );
    assert_eq!(count(&mut s), "20000|199990000\nSELECT 1");
    // A row that stands twice in the text; a text that its columns refuse, whatever else is wrong before.
    let e = run(&mut s, &format!("{}, (30001, 'x')", rows(30_000..30_100)));
    assert!(e.starts_with("23505"), "{e}");
    let e = run(&mut s, &format!("{}, ('x', 'y')", rows(0..100)));
    assert!(e.starts_with("22P02 invalid input syntax for type integer: \"x\""), "{e}");
    // Savepoints and failed blocks.
    run(&mut s, "begin");
    assert_eq!(run(&mut s, &rows(40_000..40_010)), "INSERT 0 10");
    run(&mut s, "savepoint x");
    assert_eq!(run(&mut s, &rows(50_000..50_010)), "INSERT 0 10");
    assert!(run(&mut s, &rows(49_991..50_001)).starts_with("23505"));
    assert!(run(&mut s, &rows(60_000..60_010)).starts_with("25P02"));
    run(&mut s, "rollback to x");
    assert_eq!(run(&mut s, &rows(60_000..60_010)), "INSERT 0 10");
    run(&mut s, "commit");
    assert_eq!(count(&mut s), "20020|200990090\nSELECT 1");
    // Others see nothing before the end, and all of it after.
    run(&mut s, "begin");
    run(&mut s, &rows(70_000..70_010));
    assert_eq!(count(&mut session(&db)), "20020|200990090\nSELECT 1");
    run(&mut s, "rollback");
    // Read-only transactions refuse it, bad literals come first.
    run(&mut s, "begin read only");
    assert!(run(&mut s, &rows(80_000..80_010)).starts_with("25006 cannot execute INSERT in a read-only transaction"));
    run(&mut s, "rollback");
    run(&mut s, "begin read only");
    assert!(run(&mut s, &format!("{}, (1.x, 2)", rows(0..100))).starts_with("42601"));
    run(&mut s, "rollback");
    // A time limit ends it part-way.
    run(&mut s, "set statement_timeout = 1");
    let e = run(&mut s, &rows(100_000..160_000));
    assert!(e.starts_with("57014 canceling statement due to statement timeout"), "{e}");
    run(&mut s, "reset statement_timeout");
    assert_eq!(count(&mut s), "20020|200990090\nSELECT 1");
    // A table made in the same transaction.
    let before = reused(&db);
    run(&mut s, "begin");
    run(&mut s, "create table n (id int, t text)");
    assert_eq!(run(&mut s, &rows(0..100).replace("into r", "into n")), "INSERT 0 100");
    run(&mut s, "alter table n add column u int default 3");
    assert_eq!(run(&mut s, &rows(0..100).replace("into r", "into n")), "INSERT 0 100");
    assert_eq!(run(&mut s, "select count(*), sum(u) from n"), "200|600\nSELECT 1");
    assert_eq!(reused(&db) - before, 2);
    run(&mut s, "rollback");
    assert!(run(&mut s, &rows(0..100).replace("into r", "into n")).starts_with("42P01"));
}

/// Literals are read before the table's lock is taken. Whoever held it may have made other columns of those they were read for.
#[test]
fn a_column_changes_its_type_while_its_literals_wait() {
    let rows = (0..20).map(|i| format!("({}, '5')", 100 + i)).collect::<Vec<_>>().join(", ");
    for (sql, n) in [("insert into t values (9, '5')".to_string(), 1), (format!("insert into t values {rows}"), 20)] {
        let db = database();
        let mut s = session(&db);
        run(&mut s, "create table t (id int, a int)");
        let (begun, may_go) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
        let other = std::thread::spawn({
            let (db, sql) = (db.clone(), sql.clone());
            move || {
                let mut s = session(&db);
                for _ in 0..3 {
                    run(&mut s, &sql);
                }
                run(&mut s, "delete from t");
                begun.0.send(reused(&db)).unwrap();
                may_go.1.recv().unwrap();
                run(&mut s, &sql)
            }
        });
        assert!(begun.1.recv().unwrap() > 0);
        run(&mut s, "begin");
        assert_eq!(run(&mut s, "alter table t alter column a type text"), "ALTER TABLE");
        may_go.0.send(()).unwrap();
        // From then on that it is shown as running, it has read its literals.
        let waits = "select count(*) from pg_stat_activity where state = 'active' and query like 'insert%'";
        let mut watch = session(&db);
        while run(&mut watch, waits) != "1\nSELECT 1" {
            std::thread::yield_now();
        }
        run(&mut s, "commit");
        assert_eq!(other.join().unwrap(), format!("INSERT 0 {n}"));
        assert_eq!(run(&mut s, "select a, pg_typeof(a), count(*) from t group by a"), format!("5|text|{n}\nSELECT 1"));
    }
}
