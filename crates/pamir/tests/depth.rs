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
    for n in [40, 400] {
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
