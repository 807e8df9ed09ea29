//! Statements deeper or longer than any stack: an error or an answer, and the server lives on.
mod wire;

use wire::Server;

fn repeat(n: usize, f: impl Fn(usize) -> String, sep: &str) -> String {
    (0..n).map(f).collect::<Vec<_>>().join(sep)
}

#[test]
fn deep_statements_do_not_end_the_server() {
    let server = Server::start();
    let mut c = server.connect();
    c.query("create table d (a int primary key, b int)");
    c.query("insert into d select g, g from generate_series(1, 100) g");
    let chain = |n: usize, body: &dyn Fn(String) -> String| {
        let ctes =
            repeat(n, |i| format!("c{i} as ({})", body(if i == 0 { "d".into() } else { format!("c{}", i - 1) })), ", ");
        format!("with {ctes} select count(*) from c{}", n - 1)
    };
    // What PostgreSQL answers too: so does this.
    let n = 100;
    let answered = [
        format!("select {}2{}", "case when true then ".repeat(n), " end".repeat(n)),
        format!("select {}", repeat(1000, |_| "1".into(), " + ")),
        format!("select {}1{}", "(".repeat(1000), ")".repeat(1000)),
        format!("select {}1{}", "(select ".repeat(n), ")".repeat(n)),
        format!("select count(*) from {}d{}", "(select * from ".repeat(n), ") x".repeat(n)),
        repeat(200, |i| format!("select {i}"), " union all "),
        format!("select {}1{}", "abs(".repeat(500), ")".repeat(500)),
        format!("select {}true", "not ".repeat(1000)),
        format!("select count(*) from d where {}", repeat(3000, |i| format!("a <> -{i}"), " and ")),
    ];
    for sql in answered {
        let head: String = sql.chars().take(60).collect();
        let reply = c.query(&sql);
        assert!(reply.last().is_some_and(|l| l.starts_with("SELECT ")), "{head}: {:?}", reply.last());
    }
    let n = 150;
    let deep = [
        format!("select {}2{} from d", "case when a = 1 then 1 else ".repeat(n), " end".repeat(n)),
        format!("select {} from d", repeat(50_000, |_| "a".into(), " + ")),
        format!("select {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("select {}1{}", "(select ".repeat(n), ")".repeat(n)),
        format!("select * from {}d{}", "(select * from ".repeat(n), ") x".repeat(n)),
        repeat(300, |_| "select 1".into(), " union all "),
        format!("select {}1{}", "abs(".repeat(n), ")".repeat(n)),
        format!("select 1{}", "::int::text".repeat(n)),
        format!("select {}true", "not ".repeat(n)),
        chain(1000, &|t| format!("select * from {t}")),
        chain(250, &|t| format!("select a + 1 as a from {t} where a > 0")),
        chain(250, &|t| format!("select a, count(*) from {t} group by a")),
        chain(250, &|t| format!("select x.a from {t} x where exists (select 1 from d where d.a = x.a)")),
        chain(250, &|t| format!("select a from {t} union all select -1 where false")),
    ];
    for sql in deep {
        let head: String = sql.chars().take(60).collect();
        let reply = c.query(&sql);
        assert!(!reply.is_empty(), "{head}");
        if let Some(e) = reply.iter().find(|l| l.starts_with("ERROR")) {
            assert!(e.starts_with("ERROR 54001") || e.starts_with("ERROR 42601"), "{head}: {e}");
        }
        assert_eq!(c.query("select 1 as one"), ["one:int4", "1", "SELECT 1"], "after {head}");
    }
}

/// Each level quotes the quotes of those in it: the text of forty would be a terabyte.
#[test]
fn rows_within_rows_do_not_end_the_server() {
    let server = Server::start();
    let mut c = server.connect();
    for n in [40, 200] {
        let row = format!("{}1{}", "row(".repeat(n), ")".repeat(n));
        for sql in [
            format!("select {row}"),
            format!("select array[{row}]"),
            format!("select length(({row})::text)"),
            format!("select length(concat({row}, 'x'))"),
            format!("select length(concat_ws(',', {row}, {row}))"),
            format!("select length(format('%s', {row}))"),
            format!("select length('a' || {row})"),
            format!("copy (select {row}) to stdout"),
        ] {
            let head: String = sql.chars().take(60).collect();
            let reply = c.query(&sql);
            assert!(reply.iter().any(|l| l.starts_with("ERROR 54000: out of memory")), "{n}: {head}: {reply:?}");
        }
    }
    assert_eq!(c.query("select 1 as one"), ["one:int4", "1", "SELECT 1"]);
}

#[test]
fn long_lists_are_answered() {
    let server = Server::start();
    let mut c = server.connect();
    c.query("create table d (a int primary key, b int)");
    let rows = repeat(10_000, |i| format!("({i}, {})", i % 7), ", ");
    assert_eq!(c.query(&format!("insert into d values {rows}")), ["INSERT 0 10000"]);
    let list = repeat(10_000, |i| (i * 2).to_string(), ", ");
    for (column, count) in [("a", "5000"), ("a + 0", "5000"), ("b", "5714")] {
        let reply = c.query(&format!("select count(*) from d where {column} in ({list})"));
        assert_eq!(reply, ["count:int8", count, "SELECT 1"], "{column}");
    }
    let all = repeat(1000, |i| format!("a <> {i}"), " and ");
    assert_eq!(c.query(&format!("select count(*) from d where {all}")), ["count:int8", "9000", "SELECT 1"]);
    let any = repeat(1000, |i| format!("a = {i}"), " or ");
    assert_eq!(c.query(&format!("select count(*) from d where {any}")), ["count:int8", "1000", "SELECT 1"]);
    let unions = repeat(100, |i| format!("select {i}"), " union all ");
    assert_eq!(c.query(&format!("select count(*) from ({unions}) u")), ["count:int8", "100", "SELECT 1"]);
}

/// Values that share what they hold grow for nothing; whoever walks them or copies them must not. Each is refused, or hears the timeout.
#[test]
fn values_that_double_do_not_freeze_the_server() {
    let server = Server::start();
    let mut c = server.connect();
    c.query("set statement_timeout = '2s'");
    let doubled = |ty: &str, from: &str, how: &str, times: usize| {
        format!(
            "do $$ declare v {ty}; begin v := {from}; for i in 1..{times} loop v := {how}; end loop; raise notice '%', v; end $$"
        )
    };
    for (ty, from, how, codes) in [
        ("record", "row(1)", "row(v, v)", "54000"),
        ("record", "row(1)", "row(array[v, v])", "54000"),
        ("record", "row(1)", "row(v)", "54001"),
        // A document whose first parts are its least.
        ("record", "row(jsonb_build_array(1, 1, 1, 1, repeat('x', 1000000)))", "row(v, v)", "54000"),
        ("jsonb[]", "array_fill(jsonb_build_array(1, 1, 1, 1, repeat('x', 1000000)), array[2000])", "v", "54000"),
        ("record", "row(1)", "row(row(row(v), v) = row(row(v), v), v, v)", "54000 57014"),
        ("jsonb", "'[1]'", "jsonb_build_array(v, v)", "54000 57014"),
        ("jsonb", "'[1]'", "jsonb_build_array(v)", "54001"),
        ("jsonb", "'[1]'", "jsonb_build_object('a', v, 'b', v)", "54000 57014"),
        ("jsonb", "'[1]'", "v || v", "54000 57014"),
        ("jsonb", "'{}'", "jsonb_set(v, array['a' || i], v)", "54000 57014"),
        ("json", "'[1]'", "json_build_array(v, v)", "53200 54000 57014"),
        ("text", "'a'", "v || v", "53200 XX000 54000 57014"),
        ("int[]", "'{1}'", "v || v", "53200 54000 57014"),
        ("tsquery", "'a'", "v && v", "54000 57014"),
        ("path", "'[(0,0),(1,1)]'", "v + v", "53200 54000 57014"),
    ] {
        let times = if codes == "54001" { 100_000 } else { 60 };
        let reply = c.query(&doubled(ty, from, how, times));
        let e = reply.iter().find_map(|l| l.strip_prefix("ERROR ")).unwrap_or_else(|| panic!("{how}: {reply:?}"));
        assert!(codes.split(' ').any(|code| e.starts_with(code)), "{ty} {how}: {e}");
        assert_eq!(c.query("select 1 as one"), ["one:int4", "1", "SELECT 1"], "after {how}");
    }
}

/// Rows as deep as they may be are stored, sorted, spilled and read again.
#[test]
fn rows_within_rows_come_back() {
    let server = Server::start();
    let mut c = server.connect();
    c.query("create type c0 as (x int)");
    for i in 1..200 {
        assert_eq!(c.query(&format!("create type c{i} as (x c{})", i - 1)), ["CREATE TYPE"]);
    }
    assert_eq!(c.query("create table t (id int primary key, v c199)"), ["CREATE TABLE"]);
    let value = |leaf: &str| format!("{}{leaf}{}::c199", "row(".repeat(200), ")".repeat(200));
    for i in 1..=3 {
        assert_eq!(c.query(&format!("insert into t values ({i}, {})", value(&i.to_string()))), ["INSERT 0 1"]);
    }
    let leaf = format!("{}v{}", "(".repeat(200), ").x".repeat(200));
    let reply = c.query(&format!("select {leaf} as leaf from t order by v desc"));
    assert_eq!(reply, ["leaf:int4", "3", "2", "1", "SELECT 3"]);
}

/// Objects that hold each other many times over, and long ways: statements about them are answered, or hear the timeout.
#[test]
fn objects_in_long_chains_do_not_freeze_the_server() {
    let server = Server::start();
    let mut c = server.connect();
    c.query("set statement_timeout = '20s'");
    let mut ok = |sql: &str| {
        let reply = c.query(sql);
        assert!(!reply.iter().any(|l| l.starts_with("ERROR")), "{}: {reply:?}", &sql[..sql.len().min(80)]);
    };
    // Composites of two of the one before: 2^40 fields, written out.
    ok("create type c0 as (x int, y int)");
    (1..40).for_each(|i| ok(&format!("create type c{i} as (x c{0}, y c{0})", i - 1)));
    ok("create table of_composites (id int primary key, v c39)");
    ok("insert into of_composites values (1, row(null, null))");
    ok("alter type c0 add attribute z int");
    ok("alter type c0 drop attribute y");
    ok("create domain few as c39 check ((value).x is null)");
    ok("alter domain few add check ((value).y is null)");
    ok("create table of_domains (id int primary key, v few)");
    ok("alter domain few add constraint again check ((value).y is null)");
    ok("select * from of_composites");
    // Domains over domains.
    ok("create domain d0 as int");
    (1..40).for_each(|i| ok(&format!("create domain d{i} as d{} check (value > {i})", i - 1)));
    ok("create table of_chain (v d39)");
    ok("insert into of_chain values (50)");
    ok("alter domain d0 add check (value < 100)");
    // A family in one line, changed from its head.
    let mut family = String::from("create table f0 (a int);");
    (1..600).for_each(|i| family += &format!("create table f{i} () inherits (f{});", i - 1));
    ok(&family);
    ok("alter table f0 add column b int default 7");
    ok("alter table f0 add check (b > 0)");
    ok("alter table f0 rename column b to c");
    ok("alter table f0 alter column a type bigint");
    ok("insert into f599 values (1, 2)");
    ok("alter table f0 drop column c");
    ok("drop table f0 cascade");
    ok("drop type c0 cascade");
    ok("drop domain d0 cascade");
}
