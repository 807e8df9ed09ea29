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
