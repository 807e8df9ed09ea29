use super::*;

fn one(sql: &str) -> Stmt {
    parse(sql).expect(sql).pop().expect("a statement").stmt
}
fn fails(sql: &str) -> (String, Option<u32>) {
    let e = parse(sql).expect_err(sql);
    assert_eq!(e.code().as_str(), "42601", "{sql}");
    (e.message().to_string(), e.data().position)
}

#[test]
fn splits() {
    let v = parse("SELECT 1; ; SELECT ';' -- ;\n;\n SELECT 3").expect("parses");
    assert_eq!(v.iter().map(|p| p.text.trim()).collect::<Vec<_>>(), ["SELECT 1", "SELECT ';' -- ;", "SELECT 3"]);
    assert_eq!(v[1].offset, 11);
    assert!(parse("").expect("empty").is_empty());
    assert!(parse(" ; -- nothing\n").expect("empty").is_empty());
}

#[test]
fn errors_have_places() {
    assert_eq!(fails("SELEC 1"), ("syntax error at or near \"SELEC\"".into(), Some(1)));
    assert_eq!(fails("SELECT 1 +"), ("syntax error at end of input".into(), Some(11)));
    assert_eq!(fails("SELECT 1;\nSELECT 1 1 1"), ("syntax error at or near \"1\"".into(), Some(20)));
    assert_eq!(fails("SELECT 'abc"), ("unterminated quoted string at or near \"'abc\"".into(), Some(8)));
    assert_eq!(fails("CHECKPOINT now"), ("syntax error at or near \"now\"".into(), Some(12)));
}

#[test]
fn statements_of_our_own() {
    assert!(matches!(one("PREPARE TRANSACTION 'a'"), Stmt::PrepareTransaction(g) if g == "a"));
    assert!(matches!(one("commit prepared 'a'"), Stmt::CommitPrepared(g) if g == "a"));
    assert!(matches!(one("ROLLBACK PREPARED 'a';"), Stmt::RollbackPrepared(g) if g == "a"));
    assert!(matches!(one("CHECKPOINT"), Stmt::Checkpoint));
    assert!(
        matches!(one("vacuum analyze pgbench_branches"), Stmt::Vacuum { analyze: true, tables } if tables[0].name == ["pgbench_branches"])
    );
    assert!(
        matches!(one("VACUUM (FULL, ANALYZE) s.t (a, b)"), Stmt::Vacuum { analyze: true, tables } if tables[0].columns == ["a", "b"])
    );
    assert!(matches!(one("ANALYZE"), Stmt::Analyze { tables } if tables.is_empty()));
    assert!(
        matches!(one("LOCK TABLE a, b IN SHARE ROW EXCLUSIVE MODE NOWAIT"), Stmt::LockTable { tables, mode: pamir_txn::TableLock::ShareRowExclusive, nowait: true } if tables.len() == 2)
    );
    assert!(
        matches!(one("SET CONSTRAINTS ALL DEFERRED"), Stmt::SetConstraints { names, deferred: true } if names.is_empty())
    );
    assert!(matches!(
        one("REINDEX INDEX CONCURRENTLY i"),
        Stmt::Reindex { kind: ReindexKind::Index, concurrently: true, .. }
    ));
    assert!(matches!(
        one("MOVE FORWARD ALL FROM c"),
        Stmt::Fetch { direction: FetchDirection::Forward(i64::MAX), is_move: true, .. }
    ));
    assert!(matches!(one("COMMENT ON COLUMN t.a IS 'x'"), Stmt::Comment { .. } | Stmt::Sql(_)));
    assert!(
        matches!(one("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"), Stmt::Unsupported(f) if f == "CREATE FUNCTION")
    );
    assert!(matches!(one("SECURITY LABEL ON TABLE t IS 'x'"), Stmt::Unsupported(f) if f == "SECURITY LABEL"));
}

/// The short way to the statements about prepared transactions says what the long one says, and leaves alone what is not quite one of them.
#[test]
fn plain_statements_read_alike() {
    let plain = |sql: &str| special::plain(sql);
    let long = |sql: &str| {
        let mut tokens = tokenize(sql).expect(sql);
        tokens.retain(|t| t.token != Token::SemiColon);
        parse_one(tokens, sql, PLAIN).expect(sql)
    };
    for verb in ["PREPARE TRANSACTION", "commit prepared", "Rollback\n\tPrepared"] {
        for gid in ["a", "", "x1_2", "with space; and -- more /* ", "back\\slash", "é\u{1F600}", &"g".repeat(300)] {
            for (before, after) in [("", ""), (" \r\n", ";"), ("", " ; "), ("\t", "\n")] {
                let sql = format!("{before}{verb} '{gid}'{after}");
                let short = plain(&sql).unwrap_or_else(|| panic!("{sql:?} is plain"));
                assert_eq!(format!("{short:?}"), format!("{:?}", long(&sql)), "{sql:?}");
                let parsed = parse(&sql).expect("parses");
                assert_eq!(parsed.len(), 1);
                assert_eq!((parsed[0].offset, parsed[0].text.as_str()), (0, one_text(&sql)));
            }
        }
    }
    for sql in [
        "PREPARE TRANSACTION 'a' 'b'",
        "PREPARE TRANSACTION 'a''b'",
        "PREPARE TRANSACTION E'a'",
        "PREPARE TRANSACTION \"a\"",
        "PREPARE TRANSACTION 'a",
        "PREPARE TRANSACTION",
        "PREPARE transaction AS SELECT 'a'",
        "PREPARE p AS SELECT 'a'",
        "COMMIT TRANSACTION 'a'",
        "COMMIT PREPARED 'a';;",
        "COMMIT PREPARED 'a'; SELECT 1",
        "COMMIT PREPARED 'a' -- b",
        "COMMIT /* */ PREPARED 'a'",
        "COMMIT PREPARED a",
        "ROLLBACK TO 'a'",
        "SELECT 'a'",
        "'",
        "",
    ] {
        assert!(plain(sql).is_none(), "{sql:?}");
    }
    assert!(matches!(one("COMMIT PREPARED 'a''b';;"), Stmt::CommitPrepared(g) if g == "a'b"));
    assert_eq!(fails("PREPARE TRANSACTION 'a' 'b'"), ("syntax error at or near \"'b'\"".into(), Some(25)));
    assert_eq!(fails("COMMIT PREPARED a"), ("syntax error at or near \"a\"".into(), Some(17)));
}

#[test]
fn names_fold() {
    let id = |s: &str, q: Option<char>| {
        fold(&ast::Ident { value: s.into(), quote_style: q, span: sqlparser::tokenizer::Span::empty() })
    };
    assert_eq!(id("AbC", None), "abc");
    assert_eq!(id("AbC", Some('"')), "AbC");
    assert_eq!(id(&"x".repeat(80), None).len(), MAX_IDENT);
    assert_eq!(id(&"é".repeat(40), None).len(), 62);
}

/// What is done to tokens before sqlparser has them takes no longer than there are many of them: were each moved for each, these would take hours.
#[test]
fn many_operators_and_literals_are_read_in_time() {
    const MANY: usize = 100_000;
    let lines = vec!["'a'"; MANY].join("\n");
    let Stmt::Sql(s) = one(&format!("SELECT {lines}")) else { panic!("a query") };
    assert_eq!(s.to_string().len(), "SELECT ''".len() + MANY);
    for (written, read) in [("1>-1", "1 > -1"), ("1!=-1", "1 !=- 1"), ("a ~ 'b'", "a ~ 'b'"), ("X'ab'", "X'ab'")] {
        let Stmt::Sql(s) = one(&format!("VALUES ({})", vec![written; MANY].join("),("))) else { panic!("a query") };
        assert_eq!(s.to_string().matches(read).count(), MANY, "{written}");
    }
    assert_eq!(fails("SELECT 'a'\n'b' 'c'"), ("syntax error at or near \"'c'\"".into(), Some(16)));
    assert_eq!(
        fails("SELECT 'a'\n'b', 0x1f"),
        ("trailing junk after numeric literal at or near \"0x1f\"".into(), Some(17))
    );
}

#[test]
fn a_parse_is_interrupted() {
    fn ends() -> Result<()> {
        Err(err!(QUERY_CANCELED, "told to"))
    }
    let list = vec!["1"; 10_000].join(",");
    let texts = [
        format!("SELECT 1 IN ({list})"),
        format!("SELECT f({list}) FROM t"),
        format!("VALUES ({})", list.replace(',', "),(")),
        "SELECT 1;".repeat(10_000),
        format!("SELECT {}", "substring(a similar 'b' escape 'c'), ".repeat(1000)),
        format!("UPDATE t SET {}", "a[1] = 1, ".repeat(1000)),
        "(".repeat(10_000),
    ];
    std::thread::spawn(move || {
        work::set_listener(ends);
        for text in texts {
            let e = parse(&text).expect_err("interrupted");
            assert_eq!(e.message(), "told to", "{}", &text[..30]);
        }
    })
    .join()
    .expect("no panic");
}
