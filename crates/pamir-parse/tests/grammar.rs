//! What the parser makes of texts: verdicts that PostgreSQL 15 gave, and trees where acceptance alone would hide a mistake.
//!
//! `verdicts.txt` holds texts with what PostgreSQL 15 says of them (`ok`, or SQLSTATE, place and message): `tests/differential/parser --record` writes it from a run
//! against the server. Trees are read in a short notation, in which every operator has its parentheses.
use pamir_parse::tree::*;
use pamir_parse::{PLAIN, parse, parse_expr, parse_stored_expr};

/// `f` on a stack that holds what the tests nest.
fn on_large_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 << 20).spawn(f).unwrap().join().unwrap()
}

#[test]
fn verdicts() {
    on_large_stack(|| {
        let (mut texts, mut wrong) = (0, Vec::new());
        for case in include_str!("verdicts.txt").split("\n\u{1}\n") {
            let Some((text, verdict)) = case.rsplit_once("\n---- ") else { continue };
            let ours = match parse(text, pamir_parse::DEEP) {
                Ok(_) => "ok".to_string(),
                Err(e) => {
                    let place = e.data().position.map_or(String::new(), |p| p.to_string());
                    format!("{}\t{place}\t{}", e.code().as_str(), e.message().replace(['\n', '\r', '\t'], " "))
                }
            };
            texts += 1;
            if ours != verdict.trim_end_matches('\n') {
                wrong.push(format!("{text}\n  ours {ours}\n  PostgreSQL {verdict}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {texts}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(texts > 1000, "{texts} texts");
    });
}

/// An expression with all its parentheses
fn show(e: &Expr) -> String {
    let list = |v: &[Expr]| v.iter().map(show).collect::<Vec<_>>().join(", ");
    let not = |n: bool| if n { "not " } else { "" };
    match &e.kind {
        ExprKind::Column { path, star } => path.join(".") + if *star { ".*" } else { "" },
        ExprKind::Param(n) => format!("${n}"),
        ExprKind::Literal(Literal::Integer(n)) => n.to_string(),
        ExprKind::Literal(Literal::Float(f)) => f.clone(),
        ExprKind::Literal(Literal::String(s)) => format!("'{s}'"),
        ExprKind::Literal(l) => format!("{l:?}"),
        ExprKind::Operator { op, left, right } => {
            let left = left.as_ref().map_or(String::new(), |l| show(l) + " ");
            format!("({left}{} {})", op.symbol.as_str(), show(right))
        }
        ExprKind::ArrayOperator { op, all, left, right } => {
            format!("({} {} {}({}))", show(left), op.symbol.as_str(), if *all { "all" } else { "any" }, show(right))
        }
        ExprKind::And(v) => format!("and({})", list(v)),
        ExprKind::Or(v) => format!("or({})", list(v)),
        ExprKind::Not(e) => format!("not({})", show(e)),
        ExprKind::IsNull { arg, not: n } => format!("({} is {}null)", show(arg), not(*n)),
        ExprKind::IsBool { arg, test, not: n } => format!("({} is {}{test:?})", show(arg), not(*n)),
        ExprKind::Distinct { left, right, not: n } => {
            format!("({} is {}distinct from {})", show(left), not(*n), show(right))
        }
        ExprKind::In { arg, list: l, not: n } => format!("({} {}in ({}))", show(arg), not(*n), list(l)),
        ExprKind::Between { arg, low, high, not: n, .. } => {
            format!("({} {}between {} and {})", show(arg), not(*n), show(low), show(high))
        }
        ExprKind::Like { arg, pattern, not: n, .. } => format!("({} {}like {})", show(arg), not(*n), show(pattern)),
        ExprKind::Cast { arg, to, .. } => format!("cast({} as {})", show(arg), to.parts.join(".")),
        ExprKind::Collate { arg, collation } => format!("({} collate {})", show(arg), collation.parts.join(".")),
        ExprKind::Indirection { arg, steps } => format!("({})[{}]", show(arg), steps.len()),
        ExprKind::Row { fields, .. } => format!("row({})", list(fields)),
        ExprKind::Array(v) => format!("array[{}]", list(v)),
        ExprKind::Call(f) => {
            format!("{}({})", f.name.join("."), f.args.iter().map(|a| show(&a.value)).collect::<Vec<_>>().join(", "))
        }
        ExprKind::SubLink(s) => match &s.kind {
            SubLinkKind::Any { arg, .. } => format!("({} any query)", show(arg)),
            _ => "query".to_string(),
        },
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_in_postgresql() {
    for (text, want) in [
        ("1 + 2 * 3 ^ 4", "(1 + (2 * (3 ^ 4)))"),
        ("2 ^ 3 ^ 4", "((2 ^ 3) ^ 4)"),
        ("-2 ^ 2", "(-2 ^ 2)"),
        ("- a ^ 2", "((- a) ^ 2)"),
        ("- 5::text", "(- cast(5 as text))"),
        ("a - -5", "(a - -5)"),
        ("a || b = c || d", "((a || b) = (c || d))"),
        ("@ a + b", "(@ (a + b))"),
        ("a @ b @ c + d", "((a @ b) @ (c + d))"),
        ("not a = b and c or d", "or(and(not((a = b)), c), d)"),
        ("a and b and c or d or e", "or(and(a, b, c), d, e)"),
        ("a between 1 and 2 and b", "and((a between 1 and 2), b)"),
        ("a not between b + 1 and c and not d", "and((a not between (b + 1) and c), not(d))"),
        ("a like b || 'x' and c", "and((a like (b || 'x')), c)"),
        ("a not in (1, 2) is null", "((a not in (1, 2)) is null)"),
        ("a = b is null", "((a = b) is null)"),
        ("a is null = b", "((a is null) = b)"),
        ("a < b is not distinct from c", "((a < b) is not distinct from c)"),
        ("x at time zone 'a' || b", "(pg_catalog.timezone('a', x) || b)"),
        ("a collate \"C\" < b", "((a collate C) < b)"),
        ("a = any (b) and c = some (select 1)", "and((a = any(b)), (c any query))"),
        ("(a).b[1].c", "(a)[3]"),
        ("a.b.c[1]", "(a.b.c)[1]"),
        ("((select 1) + 2)", "(query + 2)"),
        ("((a, b)) = (1, 2)", "(row(a, b) = row(1, 2))"),
        ("(a, b) overlaps (c, d)", "pg_catalog.overlaps(a, b, c, d)"),
        ("substring(a from 1 for 2)", "pg_catalog.substring(a, 1, 2)"),
        ("substring(a for 2)", "pg_catalog.substring(a, 1, cast(2 as pg_catalog.int4))"),
        ("substring(a similar b escape c)", "pg_catalog.substring(a, b, c)"),
        ("substring(a, 1)", "substring(a, 1)"),
        ("position(a in b)", "pg_catalog.position(b, a)"),
        ("trim(leading 'x' from a)", "pg_catalog.ltrim(a, 'x')"),
        ("trim(a, 'x')", "pg_catalog.btrim(a, 'x')"),
        ("extract(year from a)", "pg_catalog.extract('year', a)"),
        ("overlay(a placing b from 1)", "pg_catalog.overlay(a, b, 1)"),
        ("a::int[]::text", "cast(cast(a as pg_catalog.int4) as text)"),
        ("interval '1' year", "cast('1' as pg_catalog.interval)"),
        ("date '2001-01-01'", "cast('2001-01-01' as date)"),
        ("double precision '1'", "cast('1' as pg_catalog.float8)"),
        ("E'a\\tb' 'c'", ""),
        ("'a'\n'b'", "'ab'"),
        ("U&'\\0041!' ", "'A!'"),
        ("U&'!0041' uescape '!'", "'A'"),
        ("'&\\x'", "'&\\x'"),
        ("\"&abc\"", "&abc"),
        ("U&'a&0041' uescape '&'", "'aA'"),
        ("u & 'x'", "(u & 'x')"),
        ("E'\\uD83D\\uDE00'", "'\u{1F600}'"),
        ("$$it's$$", "'it's'"),
        ("9999999999", "9999999999"),
        ("-9999999999", "-9999999999"),
        ("array[[1, 2], [3]]", "array[array[1, 2], array[3]]"),
        ("a <> all (array[1])", "(a <> all(array[array[1]]))"),
        ("a !~~ b", "(a !~~ b)"),
        ("a operator(pg_catalog.+) b * c", "(a + (b * c))"),
    ] {
        match parse_expr(text, PLAIN) {
            Ok(e) => assert_eq!(show(&e), want.replace("array[array[1]]", "array[1]"), "{text}"),
            Err(e) => assert!(want.is_empty(), "{text}: {}", e.message()),
        }
    }
}

#[test]
fn levels_that_do_not_associate() {
    for text in [
        "a < b < c",
        "a = b <> c",
        "a like b like c",
        "a between 1 and 2 between 3 and 4",
        "a is distinct from b is null",
        "a like b in (1)",
    ] {
        let e = parse_expr(text, PLAIN).unwrap_err();
        assert_eq!(e.code().as_str(), "42601", "{text}");
    }
}

#[test]
fn deep_texts_are_refused_and_long_ones_are_not() {
    on_large_stack(|| {
        let deep = |n: usize| format!("select {}1{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(parse(&deep(100), PLAIN).unwrap_err_or_none(), Some("54001".to_string()));
        assert_eq!(parse(&deep(1000), pamir_parse::DEEP).unwrap_err_or_none(), None);
        let chain = format!("select 1{}", " + 1".repeat(5000));
        assert_eq!(parse(&chain, PLAIN).unwrap_err_or_none(), Some("54001".to_string()));
        assert_eq!(parse(&chain, pamir_parse::DEEP).unwrap_err_or_none(), None);
        let ands = format!("select 1 where true{}", " and true".repeat(100_000));
        assert_eq!(parse(&ands, PLAIN).unwrap_err_or_none(), None);
        let unions = format!("select 1{}", " union all select 1".repeat(2000));
        assert_eq!(parse(&unions, pamir_parse::DEEP).unwrap_err_or_none(), None);
        // Broken in every way, and nothing panics.
        let text = "select a.b[1:2], count(*) filter (where x) over (w) from t as u(c) join lateral (values (1)) v on true where (1,2) in (select 3) for update of u skip locked";
        for end in (0..=text.len()).filter(|i| text.is_char_boundary(*i)) {
            let _ = parse(&text[..end], PLAIN);
            let _ = parse(&text[end..], PLAIN);
        }
    });
}

/// Neither statements within statements nor literals and comments of any length go deep or go on unheard.
#[test]
fn long_texts_take_breaths() {
    let schemas = "create schema a ".repeat(200_000);
    assert_eq!(parse(&schemas, PLAIN).err().and_then(|e| e.data().position), Some(24));
    let e = parse("create schema a create table b as select 1", PLAIN).unwrap_err();
    assert_eq!(e.data().position, Some(32));
    on_large_stack(|| {
        thread_local! { static BREATHS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) }; }
        pamir_types::work::set_listener(|| {
            BREATHS.set(BREATHS.get() + 1);
            if BREATHS.get() > 3 { Err(pamir_types::Error::internal("enough")) } else { Ok(()) }
        });
        let n = 2_000_000;
        for text in [
            format!("select '{}'", "x".repeat(n)),
            format!("select E'{}'", "\\n".repeat(n)),
            format!("select '{}'", "''".repeat(n)),
            format!("select /*{}*/ 1", "x".repeat(n)),
            format!("select U&'{}'", "\\0041".repeat(n / 4)),
            "select 1 + ".repeat(n / 10),
            "x ".repeat(n / 10),
        ] {
            BREATHS.set(0);
            let e = parse(&text, PLAIN).err().map(|e| e.message().to_string());
            assert_eq!(e.as_deref(), Some("enough"), "{}", &text[..20]);
        }
    });
}

trait Code {
    fn unwrap_err_or_none(self) -> Option<String>;
}
impl<T> Code for pamir_types::Result<T> {
    fn unwrap_err_or_none(self) -> Option<String> {
        self.err().map(|e| e.code().as_str().to_string())
    }
}

#[test]
fn statements_and_their_places() {
    let p = parse(" select 1 ; ;select a from b;", PLAIN).unwrap();
    let ranges: Vec<_> = p.statements.iter().map(|s| s.1.clone()).collect();
    assert_eq!(ranges, [0..10, 13..28]);
    let Statement::Select(s) = &p.statements[1].0 else { panic!() };
    let SelectBody::Select(core) = &s.body else { panic!() };
    // Places count from the statement's own text.
    assert_eq!((core.targets[0].at, core.from[0].at), (At(7), At(14)));
    let name = "x".repeat(70);
    let p = parse(&format!("select 1 as {name}"), PLAIN).unwrap();
    assert_eq!(p.notices.len(), 1);
}

#[test]
fn stored_expressions_of_earlier_versions() {
    for text in [
        "(position(a, 'x'::text) > 0)",
        "(user() = current_role())",
        "normalize(a, 'NFC'::text)",
        "string_to_array(a, ','::text)[1]",
        "ARRAY[1, 2][1]",
        "\nCASE\n    WHEN b THEN a\n    ELSE c\nEND[1]",
        "(COALESCE(a, '{}'::integer[])[1] = 1)",
        "GREATEST(a, b)[1]",
        "extract(a, b)",
        "(char(a))::text",
        "varchar(a, 2, false)",
        "numeric('10000000000'::numeric, 1)",
        "interval(a, 32)",
        "interval('24:00:00'::time without time zone)",
        "time(a)",
        "timestamp('2000-01-01'::date, a)",
    ] {
        assert!(parse_expr(text, PLAIN).is_err(), "{text} is none of the grammar's");
        assert!(parse_stored_expr(text, PLAIN).is_ok(), "{text}");
    }
    let both = |text| (parse_expr(text, PLAIN).unwrap(), parse_stored_expr(text, PLAIN).unwrap());
    for text in
        ["POSITION((a) IN (b))", "NORMALIZE(a, NFC)", "(f(a))[1]", "USER", "EXTRACT(year FROM a)", "INTERVAL '1 day'"]
    {
        let (strict, stored) = both(text);
        assert_eq!(strict, stored, "{text}");
    }
    assert!(parse_stored_expr("user(1)", PLAIN).is_err());
}
