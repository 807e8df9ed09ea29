//! Golden tests: each line of `testdata/queries.sql` against PostgreSQL 15's own answer to Parse and Describe of it (`queries.out`, written by `pg_answers.py`).
//! Where Pamir differs on purpose the line is listed in `testdata/differences.txt` (`statement` TAB `our answer`).
use super::*;
use pamir_catalog::{Identity, NameScope, SqlText, TableBuilder, well_known};
use pamir_expr::deparse::deparse;
use pamir_expr::no_session::NoSession;
use pamir_types::err;

/// The tables of `testdata/schema.sql`, built from its tree.
fn catalog() -> Catalog {
    use tree::{ColumnConstraintKind as K, TableConstraintKind, TableElement};
    let mut cat = Catalog::initial();
    let mut oid = 20000;
    for p in crate::parser::parse(include_str!("testdata/schema.sql")).expect("schema.sql parses").statements {
        let Statement::Create(create) = p.stmt else { panic!("not CREATE") };
        let tree::Create::Table(t) = *create else { panic!("not CREATE TABLE") };
        oid += 100;
        let mut b = TableBuilder::new(oid, t.name.parts.last().expect("a name"));
        let mut pk: Vec<String> = Vec::new();
        let mut unique: Vec<(String, Vec<String>)> = Vec::new();
        for e in t.elements {
            let c = match e {
                TableElement::Column(c) => c,
                TableElement::Constraint(c) => {
                    match c.kind {
                        TableConstraintKind::PrimaryKey(tree::KeyOf::Columns { columns, .. }) => pk = columns,
                        TableConstraintKind::Unique { key: tree::KeyOf::Columns { columns, .. }, .. } => {
                            unique.push((c.name.unwrap_or_default(), columns))
                        }
                        _ => {}
                    }
                    continue;
                }
                TableElement::Like { .. } => panic!("LIKE"),
            };
            b = b.column(
                &c.name,
                bind_type(&c.ty.expect("a type"), &cat, &pamir_catalog::NameScope::public(5)).expect("type"),
            );
            for k in c.constraints {
                match k.kind {
                    K::PrimaryKey { .. } => pk.push(c.name.clone()),
                    K::Default(e) => b = b.default(&text_of(&e)),
                    K::NotNull => b = b.not_null(),
                    K::Generated(e) => b = b.edit(|c| c.generated = Some(SqlText(text_of(&e)))),
                    K::Identity { .. } => {
                        b = b.edit(|c| {
                            c.identity = Some(Identity::Always);
                            c.sequence = Some(5);
                        })
                    }
                    _ => {}
                }
            }
        }
        if !pk.is_empty() {
            b = b.primary_key(&pk.iter().map(String::as_str).collect::<Vec<_>>());
        }
        for (n, cols) in unique {
            b = b.index(oid + 10, &n, &cols.iter().map(String::as_str).collect::<Vec<_>>(), true);
        }
        let mut t = b.build();
        for i in &mut t.indexes {
            i.constraint = true;
        }
        cat = cat.with_table(t);
    }
    cat
}
/// The expressions of `schema.sql` back to SQL.
fn text_of(e: &tree::Expr) -> String {
    use tree::{ExprKind as K, Literal};
    match &e.kind {
        K::Literal(Literal::Integer(n)) => n.to_string(),
        K::Literal(Literal::String(s)) => format!("'{s}'"),
        K::Column { path, .. } => path.join("."),
        K::Operator { op, left: Some(l), right } => {
            format!("({} {} {})", text_of(l), op.symbol.as_str(), text_of(right))
        }
        e => panic!("{e:?}"),
    }
}

fn with_bind<T>(cat: &Catalog, sql: &str, f: impl FnOnce(Result<BoundStatement>, &str) -> T) -> T {
    let scope = NameScope::public(well_known::POSTGRES_DB);
    let mut env = NoSession::of_test(Arc::new(cat.clone()), scope.clone());
    let r = crate::parser::parse(sql).and_then(|mut all| {
        let p = all.statements.pop().ok_or_else(|| err!(SYNTAX_ERROR, "empty"))?;
        let mut cx = BindCtx { catalog: cat, scope: &scope, params: vec![], env: &mut env, text: &p.text };
        bind(&p.stmt, &mut cx)
    });
    f(r, sql)
}

fn answer(cat: &Catalog, sql: &str) -> String {
    with_bind(cat, sql, |r, _| match r {
        Err(e) => {
            let d = e.data();
            let mut s = format!("error {} {}", d.code.as_str(), d.message);
            if let Some(p) = d.position {
                s += &format!(" | at {p}");
            }
            if let Some(x) = &d.detail {
                s += &format!(" | detail {x}");
            }
            if let Some(x) = &d.hint {
                s += &format!(" | hint {x}");
            }
            s
        }
        Ok(b) => {
            let params: Vec<String> = b.params.iter().map(|p| p.oid.to_string()).collect();
            let dml = matches!(&b.kind, BoundKind::Modify(m) if m.returning.is_none());
            let cols: Vec<String> = b
                .output
                .iter()
                .map(|c| {
                    format!(
                        "{}:{}{}{}",
                        c.name,
                        // Numbers of users' types, rows' among them, are each server's own.
                        if pamir_types::oid::is_user(c.ty.oid) { "own".to_string() } else { c.ty.oid.to_string() },
                        if c.ty.typmod == -1 || c.ty.oid == pamir_types::oid::RECORD {
                            String::new()
                        } else {
                            format!("({})", c.ty.typmod)
                        },
                        if c.origin.is_some() { "*" } else { "" }
                    )
                })
                .collect();
            format!("ok ({}) {}", params.join(","), if dml { "-".to_string() } else { cols.join(", ") })
        }
    })
}

#[test]
fn answers_as_postgresql() {
    let cat = catalog();
    let known: std::collections::HashMap<&str, &str> =
        include_str!("testdata/differences.txt").lines().filter_map(|l| l.split_once('\t')).collect();
    let mut bad = 0;
    let mut total = 0;
    for (sql, want) in
        std::iter::zip(include_str!("testdata/queries.sql").lines(), include_str!("testdata/queries.out").lines())
    {
        if sql.is_empty() {
            continue;
        }
        total += 1;
        let got = answer(&cat, sql);
        let want = known.get(sql).copied().unwrap_or(want);
        if got != want {
            bad += 1;
            println!("{sql}\n    want {want}\n    got  {got}");
        }
    }
    assert_eq!(bad, 0, "{bad} of {total} answers differ");
}

/// Neither long chains nor deep nesting may exhaust the small stack that sessions run on.
#[test]
fn small_stacks_suffice() {
    let run = || {
        let cat = catalog();
        let code = |sql: &str| {
            with_bind(&cat, sql, |r, _| r.map_or_else(|e| e.code().as_str().to_string(), |_| "ok".to_string()))
        };
        assert_eq!(code(&format!("SELECT 1{}", "+1".repeat(10_000))), "54001");
        assert_eq!(code(&format!("SELECT {}1{}", "(".repeat(10_000), ")".repeat(10_000))), "54001");
        assert_eq!(code(&format!("SELECT 1{}", "+a".repeat(500))), "42703");
        assert_eq!(code(&format!("SELECT a{} FROM t", "+1".repeat(499))), "ok");
        assert_eq!(code(&format!("SELECT 1 FROM t WHERE a = 1{}", " OR a = 2".repeat(2000))), "ok");
        assert_eq!(code(&format!("SELECT {}1{}", "(".repeat(20), ")".repeat(20))), "ok");
        assert_eq!(code(&format!("SELECT {}1{}", "(SELECT ".repeat(8), ")".repeat(8))), "ok");
        assert_eq!(code(&format!("SELECT {}1", "- ".repeat(10_000))), "54001");
    };
    let stack = std::env::var("PAMIR_TEST_STACK").ok().and_then(|s| s.parse().ok()).unwrap_or(STACK);
    std::thread::Builder::new().stack_size(stack).spawn(run).expect("a thread").join().expect("no panic");
}
/// A quarter of the stack that sessions run on (unoptimized frames are several times as large).
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 2 << 20 };

/// Not an assertion: prints what parsing and binding cost (`cargo test --release -- --ignored --nocapture cost`).
#[test]
#[ignore = "prints timings"]
fn cost() {
    let cat = catalog();
    let scope = NameScope::public(well_known::POSTGRES_DB);
    let mut env = NoSession::of_test(Arc::new(cat.clone()), scope.clone());
    let mut time = |name: &str, sql: &str, n: u32| {
        let (mut p, mut b) = (std::time::Duration::ZERO, std::time::Duration::ZERO);
        for _ in 0..n {
            let t = std::time::Instant::now();
            let parsed = &crate::parser::parse(sql).expect("parses").statements[0];
            p += t.elapsed();
            let t = std::time::Instant::now();
            let mut cx = BindCtx { catalog: &cat, scope: &scope, params: vec![], env: &mut env, text: &parsed.text };
            bind(&parsed.stmt, &mut cx).expect("binds");
            b += t.elapsed();
        }
        println!("{name}: parse {:?}, bind {:?}", p / n, b / n);
    };
    time("point select", "SELECT c FROM sbtest1 WHERE id=5012", 20_000);
    time("update", "UPDATE sbtest1 SET k=k+1 WHERE id=5012", 20_000);
    let row = "(1, 4999, '83868641912-28773972837-60736120486-75162659906-27563526494-20381887404-41576422241-93426793964-56405065102-33518432330', '67847967377-48000963322-62604785301-91415491898-96926520291')";
    let rows = vec![row; 10_000].join(",");
    time("insert of 10,000 rows", &format!("INSERT INTO sbtest1(id, k, c, pad) VALUES {rows}"), 3);
}

/// Each line of `checks.sql` bound as a CHECK of table t and printed as pg_get_expr prints it (`checks.out` is PostgreSQL's, line ends as `\n`).
#[test]
fn deparses_as_postgresql() {
    let cat = catalog();
    let scope = NameScope::public(well_known::POSTGRES_DB);
    let mut env = NoSession::of_test(Arc::new(cat.clone()), scope.clone());
    let t = cat.resolve_table(&scope, None, "t").expect("table t");
    let cols: Vec<(i16, ColId)> = t.columns.iter().map(|c| (c.attnum, c.attnum as ColId)).collect();
    let mut bad = 0;
    for (sql, want) in
        std::iter::zip(include_str!("testdata/checks.sql").lines(), include_str!("testdata/checks.out").lines())
    {
        let ast = crate::parser::parse_stored_expr(sql).expect(sql);
        let mut cx = BindCtx { catalog: &cat, scope: &scope, params: vec![], env: &mut env, text: sql };
        let e = bind_table_expr(&ast, Some((&t, &cols)), Some(Type::BOOL), &mut cx).expect(sql);
        let got = deparse(
            &e,
            &|id| t.column(id as i16).map_or(String::new(), |c| c.name.clone()),
            pamir_expr::deparse::Naming::Full(&cat),
        )
        .replace('\n', "\\n");
        if got != want {
            bad += 1;
            println!("{sql}\n    want {want}\n    got  {got}");
        }
    }
    assert_eq!(bad, 0, "{bad} differ");
}
