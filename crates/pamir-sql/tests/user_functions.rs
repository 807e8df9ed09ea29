//! Functions, operators and aggregates that are registered while the server runs, in every place where the server's own may stand; and what becomes of
//! plans and cursors that hold one that is dropped.
use pamir_catalog::well_known::PUBLIC;
use pamir_expr::env::Env;
use pamir_expr::func::series::Series;
use pamir_expr::func::{
    AggState, Aggregate, Body, Code, Function, Operator, ScalarFn, SeriesFn, SetFn, Volatility, lookup,
};
use pamir_expr::ir::Expr;
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::array::Array;
use pamir_types::{Datum, Oid, Result, Type, oid};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

fn try_run(s: &mut Session, sql: &str) -> Result<String> {
    transcript::run(s, sql).map(|r| r.text().trim_end().to_string())
}
fn run(s: &mut Session, sql: &str) -> String {
    try_run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"))
}
#[track_caller]
fn is(s: &mut Session, sql: &str, want: &str) {
    let got = run(s, sql);
    assert_eq!(got.replace('\n', " / "), want, "{sql}");
}
#[track_caller]
fn fails(s: &mut Session, sql: &str, code: &str) {
    match try_run(s, sql) {
        Ok(got) => panic!("{sql}: {got}"),
        Err(e) => assert_eq!(e.code().as_str(), code, "{sql}: {e:?}"),
    }
}
fn database() -> Arc<Database> {
    let shard = Shard::open(Arc::new(SimDisk::new(1)), ShardOptions::default()).expect("shard");
    Database::open(shard).expect("database")
}
fn session_of(db: &Arc<Database>, user: &str) -> Session {
    transcript::start(db, user).expect("session")
}
fn session(db: &Arc<Database>) -> Session {
    session_of(db, "postgres")
}
fn schema(db: &Database, name: &str) -> Oid {
    db.catalog().schema_by_name(pamir_catalog::well_known::POSTGRES_DB, name).expect("schema").oid
}

fn scalar(f: impl Fn(&[Datum], &mut dyn Env) -> Result<Datum> + Send + Sync + 'static) -> Body {
    let f: Arc<ScalarFn> = Arc::new(move |_, args, env| f(args, env));
    Body::Scalar(Code::Closure(f))
}
fn int(d: &Datum) -> i32 {
    match d {
        Datum::Int4(v) => *v,
        d => panic!("{d:?} is no integer"),
    }
}
/// f(int): `by` times its argument; strict and immutable.
fn times(name: &'static str, by: i32) -> Function {
    let f = Function::new(name, vec![oid::INT4], oid::INT4, scalar(move |a, _| Ok(Datum::Int4(int(&a[0]) * by))));
    Function { strict: true, volatility: Volatility::Immutable, ..f }
}
fn set(name: &'static str, args: Vec<Oid>, ret: Oid, f: Box<SetFn>) -> Function {
    Function {
        strict: true,
        volatility: Volatility::Stable,
        ..Function::new(name, args, ret, Body::Set(Code::Closure(f.into())))
    }
}

/// The product of what it was given.
struct Product(i32);
impl AggState for Product {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        self.0 *= int(&args[0]);
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(Datum::Int4(self.0))
    }
}
/// Its input in a row.
struct Chain(String);
impl AggState for Chain {
    fn update(&mut self, args: &[Datum], _: &mut dyn Env) -> Result<()> {
        self.0 += &format!("{};", int(&args[0]));
        Ok(())
    }
    fn finish(&mut self, _: &mut dyn Env) -> Result<Datum> {
        Ok(Datum::from(self.0.clone()))
    }
}
struct Countdown(i32);
impl Series for Countdown {
    fn next(&mut self, _: &mut dyn Env) -> Result<Option<Datum>> {
        self.0 -= 1;
        Ok((self.0 >= 0).then_some(Datum::Int4(self.0)))
    }
}

/// What most tests have.
fn world() -> (Arc<Database>, Session) {
    let db = database();
    let mut s = session(&db);
    run(&mut s, "create schema app");
    let app = schema(&db, "app");
    db.register_function(PUBLIC, times("twice", 2)).unwrap();
    db.register_function(app, times("thrice", 3)).unwrap();
    let or_zero = Function::new(
        "or_zero",
        vec![oid::INT4],
        oid::INT4,
        scalar(|a, _| Ok(if a[0].is_null() { Datum::Int4(0) } else { a[0].clone() })),
    );
    db.register_function(PUBLIC, Function { volatility: Volatility::Immutable, ..or_zero }).unwrap();
    let calls = Arc::new(AtomicI32::new(0));
    let tick = scalar(move |_, _| Ok(Datum::Int4(1 + calls.fetch_add(1, Ordering::Relaxed))));
    db.register_function(PUBLIC, Function::new("tick", vec![], oid::INT4, tick)).unwrap();
    let sum = scalar(|a, _| Ok(Datum::Int4(a.iter().map(int).sum())));
    let sum = Function::new("sum_of", vec![oid::INT4], oid::INT4, sum);
    db.register_function(PUBLIC, Function { variadic: true, strict: true, volatility: Volatility::Immutable, ..sum })
        .unwrap();
    let mix = scalar(|a, _| Ok(Datum::from(format!("{}-{}-{}", int(&a[0]), int(&a[1]), int(&a[2])))));
    let mix = Function::new("mix", vec![oid::INT4; 3], oid::TEXT, mix);
    let const_of = |v| Expr::Const(Datum::Int4(v), Type::INT4);
    db.register_function(
        PUBLIC,
        Function {
            arg_names: vec!["a".into(), "b".into(), "c".into()],
            optional: 2,
            defaults: vec![const_of(20), const_of(30)],
            volatility: Volatility::Immutable,
            ..mix
        },
    )
    .unwrap();
    let same = Function::new("same", vec![oid::ANYELEMENT], oid::ANYELEMENT, scalar(|a, _| Ok(a[0].clone())));
    db.register_function(PUBLIC, Function { volatility: Volatility::Immutable, ..same }).unwrap();
    // Sets: values, rows of two columns, and one that is asked for as it goes.
    db.register_function(
        PUBLIC,
        set(
            "upto",
            vec![oid::INT4],
            oid::INT4,
            Box::new(|_, a, _, push| (1..=int(&a[0])).try_for_each(|i| push(vec![Datum::Int4(i)]))),
        ),
    )
    .unwrap();
    let pairs = set(
        "pairs",
        vec![oid::INT4],
        oid::RECORD,
        Box::new(|_, a, _, push| {
            (1..=int(&a[0])).try_for_each(|i| push(vec![Datum::Int4(i), Datum::from(format!("p{i}"))]))
        }),
    );
    db.register_function(app, Function { out: vec![("n".into(), oid::INT4), ("t".into(), oid::TEXT)], ..pairs })
        .unwrap();
    let down: Arc<SeriesFn> = Arc::new(|_, a, _| Ok(Box::new(Countdown(int(&a[0])))));
    let down = Function::new("down", vec![oid::INT4], oid::INT4, Body::Series(Code::Closure(down)));
    db.register_function(PUBLIC, Function { strict: true, ..down }).unwrap();
    // Aggregates.
    let product = Aggregate::new("product", vec![oid::INT4], oid::INT4, |_| Box::new(Product(1)));
    db.register_aggregate(PUBLIC, Aggregate { strict: true, ..product }).unwrap();
    let chain = Aggregate::new("chain", vec![oid::INT4], oid::TEXT, |_| Box::new(Chain(String::new())));
    db.register_aggregate(app, Aggregate { strict: true, ..chain }).unwrap();
    // Operators: one found bare, one by its schema, a prefix.
    let near = scalar(|a, _| Ok(Datum::Bool((int(&a[0]) - int(&a[1])).abs() <= 1)));
    let near = Function::new("near", vec![oid::INT4; 2], oid::BOOL, near);
    let near = Function { strict: true, volatility: Volatility::Immutable, ..near };
    let f = db.register_function(PUBLIC, near).unwrap();
    let f = lookup::function(&db.catalog(), f).unwrap();
    db.register_operator(PUBLIC, Operator::new("~=~~", oid::INT4, oid::INT4, f.clone())).unwrap();
    db.register_operator(app, Operator::new("<~>", oid::INT4, oid::INT4, f)).unwrap();
    let f = lookup::find::<Function>(&db.catalog(), &pamir_catalog::NameScope::public(5), None, "twice").iter().next();
    db.register_operator(PUBLIC, Operator::new("##", 0, oid::INT4, f.unwrap())).unwrap();
    run(&mut s, "create table t (id int primary key, a int, b int)");
    run(&mut s, "insert into t select i, i % 4, nullif(i % 3, 0) from generate_series(1, 12) i");
    (db, s)
}

#[test]
fn calls_in_all_clauses() {
    let (_db, mut s) = world();
    is(&mut s, "select twice(21), twice(null), or_zero(null), app.thrice(5), public.twice(1)", "42|null|0|15|2");
    is(&mut s, "select id from t where twice(a) = 6 and twice(id) > 6 order by -twice(id)", "11 / 7");
    is(
        &mut s,
        "select twice(a), count(*) from t group by twice(a) having twice(count(*)::int) > 5 order by 1",
        "0|3 / 2|3 / 4|3 / 6|3",
    );
    is(&mut s, "select t.id, u.id from t join t u on u.id = twice(t.id) where t.id > 4 order by 1", "5|10 / 6|12");
    is(&mut s, "select distinct on (twice(a)) twice(a), id from t order by twice(a), id limit twice(1)", "0|4 / 2|1");
    is(
        &mut s,
        "select case twice(1) when 2 then 'y' end, coalesce(twice(null), or_zero(null)), array[twice(1), 3], row(twice(2))",
        "y|0|{2,3}|(4)",
    );
    is(&mut s, "select (select twice(max(id)) from t), exists (select 1 from t where twice(id) = 24)", "24|t");
    is(&mut s, "with w as (select twice(3) v) select v from w union all select or_zero(7)", "6 / 7");
    is(&mut s, "select sum_of(1, 2, 3), sum_of(1), sum_of(variadic array[4, 5]), sum_of(variadic null)", "6|1|9|null");
    is(
        &mut s,
        "select mix(1), mix(1, 2), mix(1, c => 3), mix(c => 3, a => 1), mix(a => 1, b => 2, c => 4)",
        "1-20-30|1-2-30|1-20-3|1-20-3|1-2-4",
    );
    is(&mut s, "select same('x'::text), same(array[1]), pg_typeof(same(1.5))", "x|{1}|numeric");
    is(&mut s, "values (twice(4))", "8");
    is(&mut s, "select id, twice(id) from t where id in (twice(1), twice(2)) order by id", "2|4 / 4|8");
    is(&mut s, "update t set b = twice(id) where id = twice(1) returning twice(b)", "8");
    is(
        &mut s,
        "insert into t values (twice(50), 1, 1) on conflict (id) do update set b = twice(excluded.id) returning id",
        "100",
    );
    is(
        &mut s,
        "insert into t values (100, 1, 1) on conflict (id) do update set b = twice(excluded.id) returning b",
        "200",
    );
    is(&mut s, "delete from t where twice(id) = 200 returning twice(id)", "200");
    fails(&mut s, "select thrice(1)", "42883");
    fails(&mut s, "select app.twice(1)", "42883");
    fails(&mut s, "select nowhere.twice(1)", "3F000");
    fails(&mut s, "select twice('a'::text)", "42883");
    fails(&mut s, "select mix(d => 1, a => 1)", "42883");
    fails(&mut s, "select upto(twice(distinct 1))", "42809");
    run(&mut s, "set search_path = app, public");
    is(&mut s, "select thrice(2), twice(2)", "6|4");
}

#[test]
fn overloads_meet_the_servers_own() {
    let (db, mut s) = world();
    let of = |name: &'static str, arg: Oid, says: &'static str| {
        let f = Function::new(name, vec![arg], oid::TEXT, scalar(move |_, _| Ok(Datum::from(says))));
        Function { volatility: Volatility::Immutable, ..f }
    };
    // pg_catalog's comes first; another overload stands beside it.
    db.register_function(PUBLIC, of("upper", oid::TEXT, "mine")).unwrap();
    db.register_function(PUBLIC, of("upper", oid::INT4, "of a number")).unwrap();
    is(
        &mut s,
        "select upper('a'::text), upper(1), public.upper('a'::text), pg_catalog.upper('a'::text)",
        "A|of a number|mine|A",
    );
    fails(&mut s, "select pg_catalog.upper(1)", "42883");
    // Of two schemas the first of the path.
    db.register_function(PUBLIC, of("who", oid::INT4, "public")).unwrap();
    db.register_function(schema(&db, "app"), of("who", oid::INT4, "app")).unwrap();
    is(&mut s, "select who(1)", "public");
    run(&mut s, "set search_path = app, public");
    is(&mut s, "select who(1), public.who(1)", "app|public");
    assert_eq!(db.register_function(PUBLIC, of("who", oid::INT4, "x")).unwrap_err().code().as_str(), "42723");
    assert_eq!(db.register_function(11, of("who", oid::INT4, "x")).unwrap_err().code().as_str(), "3F000");
    // Casts written as calls are there as ever.
    is(&mut s, "select int4(5.4), text(1)", "5|1");
}

#[test]
fn sets_in_from_and_in_targets() {
    let (_db, mut s) = world();
    is(&mut s, "select upto(3)", "1 / 2 / 3");
    is(&mut s, "select upto(2), upto(3)", "1|1 / 2|2 / null|3");
    is(&mut s, "select * from upto(2)", "1 / 2");
    is(&mut s, "select * from upto(null)", "");
    is(&mut s, "select v, o from upto(2) with ordinality x(v, o)", "1|1 / 2|2");
    is(&mut s, "select * from app.pairs(2)", "1|p1 / 2|p2");
    is(&mut s, "select (app.pairs(1)).t, n from app.pairs(2) p where twice(n) = 4", "p1|2");
    is(&mut s, "select * from rows from (upto(1), app.pairs(2)) with ordinality", "1|1|p1|1 / null|2|p2|2");
    is(&mut s, "select id, u from t, lateral upto(id) u where id < 3 order by 1, 2", "1|1 / 2|1 / 2|2");
    is(&mut s, "select * from down(1000000000) limit 2", "999999999 / 999999998");
    is(&mut s, "select down(2), upto(3)", "1|1 / 0|2 / null|3");
    is(&mut s, "select * from twice(2) v", "4");
    is(&mut s, "select * from mix(a => 1, c => 2)", "1-20-2");
    is(&mut s, "select count(*) from upto(10) u where u in (select twice(x) from upto(10) x)", "5");
    fails(&mut s, "select 1 where upto(1) = 1", "0A000");
}

#[test]
fn aggregates() {
    let (_db, mut s) = world();
    is(&mut s, "select product(id) from t where id < 5", "24");
    is(&mut s, "select product(id) from t where false", "1");
    is(&mut s, "select a, product(id) filter (where id < 9) from t group by a order by a", "0|32 / 1|5 / 2|12 / 3|21");
    is(
        &mut s,
        "select app.chain(a order by id desc) from t where id < 6",
        "0;3;2;1;1;".replace("0;3;2;1;1;", "1;0;3;2;1;").as_str(),
    );
    is(&mut s, "select app.chain(distinct a) from t", "0;1;2;3;");
    is(&mut s, "select app.chain(distinct a order by a desc) from t", "3;2;1;0;");
    is(&mut s, "select id, product(id) over (order by id) from t where id < 5", "1|1 / 2|2 / 3|6 / 4|24");
    is(
        &mut s,
        "select id, product(id) over (order by id rows between 1 preceding and current row) from t where id < 5",
        "1|1 / 2|2 / 3|6 / 4|12",
    );
    is(&mut s, "select product(b), app.chain(b order by id) from t where id < 6", "4|1;2;1;2;");
    is(
        &mut s,
        "select a, product(b) from t where id < 6 group by grouping sets ((a), ()) order by a nulls last",
        "0|1 / 1|2 / 2|2 / 3|1 / null|4",
    );
    is(&mut s, "select twice(product(id)) from t having product(id) > 5", &(2i32.wrapping_mul(479001600)).to_string());
    fails(&mut s, "select product('x'::text) from t", "42883");
    fails(&mut s, "select id from t where product(id) > 1", "42803");
    fails(&mut s, "select chain(a) from t", "42883");
}

#[test]
fn operators() {
    let (_db, mut s) = world();
    is(&mut s, "select 1 ~=~~ 2, 1 ~=~~ 3, 1 operator(app.<~>) 2, ## 4, null ~=~~ 1", "t|f|t|8|null");
    is(&mut s, "select id from t where id ~=~~ 6 order by 1", "5 / 6 / 7");
    is(&mut s, "select 5 ~=~~ any (array[1, 4]), 5 ~=~~ all (array[4, 9])", "t|f");
    is(&mut s, "select count(*) from t where id ~=~~ any (select 3)", "3");
    is(&mut s, "select t.id, u.id from t join t u on t.id ~=~~ u.id where t.id = 1 order by 2", "1|1 / 1|2");
    fails(&mut s, "select 1 <~> 2", "42883");
    fails(&mut s, "select 1 operator(nowhere.<~>) 2", "3F000");
    run(&mut s, "set search_path = app, public");
    is(&mut s, "select 1 <~> 2", "t");
}

#[test]
fn stored_expressions() {
    let (db, mut s) = world();
    run(
        &mut s,
        "create table d (id int default app.thrice(4), v int check (app.thrice(v) < 100), g int generated always as (twice(v)) stored,
           check (v operator(app.<~>) v))",
    );
    is(&mut s, "insert into d (v) values (7) returning id, v, g", "12|7|14");
    fails(&mut s, "insert into d (v) values (50)", "23514");
    run(&mut s, "create index d_twice on d (twice(v))");
    run(&mut s, "create unique index d_part on d (app.thrice(v)) where v ~=~~ 7");
    is(&mut s, "select v from d where twice(v) = 14", "7");
    fails(&mut s, "insert into d (v) values (7)", "23505");
    is(
        &mut s,
        "insert into d (v) values (7) on conflict (app.thrice(v)) where v ~=~~ 7 do update set id = 0 returning id",
        "0",
    );
    run(&mut s, "insert into d (v) select x % 30 from generate_series(10, 2000) x where x % 30 > 8");
    run(&mut s, "analyze d");
    let plan = run(&mut s, "explain (costs off) select v from d where twice(v) = 14");
    assert!(plan.contains("d_twice") && plan.contains("twice(v) = 14"), "{plan}");
    // What is stored says where its functions are: whatever the search path is, it means the same.
    run(&mut s, "set search_path = pg_catalog");
    is(&mut s, "insert into public.d (v) values (9) returning id, g", "12|18");
    is(
        &mut s,
        "select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'public.d'::regclass order by adnum",
        "app.thrice(4) / public.twice(v)",
    );
    let index = run(&mut s, "select indexdef from pg_indexes where indexname = 'd_part'");
    assert!(index.contains("app.thrice(v)") && index.contains("OPERATOR(public.~=~~)"), "{index}");
    run(&mut s, "reset search_path");
    fails(&mut s, "create index on d (tick())", "42P17");
    fails(&mut s, "create table g (v int, g int generated always as (tick()) stored)", "42P17");
    run(&mut s, "alter table d add column w int default twice(8)");
    is(&mut s, "select distinct w from d", "16");
    // Another function of the same name takes the place of one that is gone.
    run(&mut s, "create table e (v int default twice(1))");
    is(&mut s, "insert into e default values returning v", "2");
    let old: u32 = run(&mut s, "select 'twice'::regproc::oid").parse().unwrap();
    assert_eq!(db.drop_function(old).unwrap_err().code().as_str(), "2BP01");
    let prefix: u32 = run(&mut s, "select oid from pg_operator where oprname = '##' and oprleft = 0 and oprright = 23")
        .parse()
        .unwrap();
    db.drop_operator(prefix).unwrap();
    db.drop_function(old).unwrap();
    fails(&mut s, "insert into e default values", "42883");
    db.register_function(PUBLIC, times("twice", 200)).unwrap();
    is(&mut s, "insert into e default values returning v", "200");
}

#[test]
fn volatility_and_strictness() {
    let (db, mut s) = world();
    is(&mut s, "select tick() < tick(), count(distinct x) from (select tick() x from generate_series(1, 5)) q", "t|5");
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let f = scalar(move |a, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(a[0].clone())
    });
    let f = Function::new("counted", vec![oid::INT4], oid::INT4, f);
    db.register_function(PUBLIC, Function { volatility: Volatility::Immutable, strict: true, ..f }).unwrap();
    is(&mut s, "select count(*) from generate_series(1, 100) x where x > counted(3)", "97");
    assert!(calls.load(Ordering::Relaxed) < 5, "a constant is computed once");
    let before = calls.load(Ordering::Relaxed);
    is(
        &mut s,
        "select counted(null), counted(case when x = 1 then null else x end) from generate_series(1, 2) x",
        "null|null / null|2",
    );
    assert_eq!(calls.load(Ordering::Relaxed), before + 1);
    // Long arguments: an immutable one is computed by a helper.
    let here = scalar(|a, _| {
        let Datum::Text(t) = &a[0] else { panic!("no text") };
        Ok(Datum::Int4(t.len() as i32))
    });
    let long = Function::new("long", vec![oid::TEXT], oid::INT4, here);
    db.register_function(PUBLIC, Function { volatility: Volatility::Immutable, strict: true, ..long }).unwrap();
    is(&mut s, "select long(repeat('x', 3000000 + x)) from generate_series(1, 2) x", "3000001 / 3000002");
    // An error is the statement's.
    let broken = scalar(|_, _| Err(pamir_types::err!(DIVISION_BY_ZERO, "no")));
    db.register_function(PUBLIC, Function::new("broken", vec![], oid::INT4, broken)).unwrap();
    fails(&mut s, "select broken()", "22012");
    is(&mut s, "select 1", "1");
    // Arrays in and out.
    let items = scalar(|a, _| Ok(Datum::Array(Array::from_vec(oid::INT4, vec![a[0].clone(); 2]).into())));
    db.register_function(PUBLIC, Function::new("doubled", vec![oid::INT4], oid::array_of(oid::INT4).unwrap(), items))
        .unwrap();
    is(&mut s, "select doubled(3), (doubled(4))[2], unnest(doubled(5))", "{3,3}|4|5 / {3,3}|4|5");
}

#[test]
fn catalogs_and_explain() {
    let (_db, mut s) = world();
    is(
        &mut s,
        "select proname, nspname, pronargs, proisstrict, provolatile, prokind from pg_proc p join pg_namespace n on n.oid = pronamespace where proname in ('twice', 'thrice', 'product', 'upto') order by 1",
        "product|public|1|f|i|a / thrice|app|1|t|i|f / twice|public|1|t|i|f / upto|public|1|t|s|f",
    );
    is(
        &mut s,
        "select oprname, nspname, oprcode from pg_operator o join pg_namespace n on n.oid = oprnamespace where oprname in ('<~>', '~=~~') order by 1",
        "<~>|app|near / ~=~~|public|near",
    );
    is(&mut s, "select aggfnoid from pg_aggregate where aggfnoid::oid > 16384 order by 1", "product / app.chain");
    is(
        &mut s,
        "select 'twice'::regproc, 'app.thrice'::regproc, 'app.thrice(int)'::regprocedure, to_regproc('thrice'), to_regprocedure('product(int)')",
        "twice|app.thrice|app.thrice(integer)|null|product(integer)",
    );
    is(
        &mut s,
        "select pg_get_function_identity_arguments('mix'::regproc), pg_get_function_arguments('mix'::regproc), pg_get_function_result('upto'::regproc)",
        "a integer, b integer, c integer|a integer, b integer DEFAULT 20, c integer DEFAULT 30|SETOF integer",
    );
    is(
        &mut s,
        "select pg_function_is_visible('twice'::regproc), pg_function_is_visible('app.thrice'::regproc), has_function_privilege('twice(int)', 'execute')",
        "t|f|t",
    );
    is(
        &mut s,
        "explain (costs off) select twice(id) from t where app.thrice(a) = 3 and id operator(app.<~>) 3 or or_zero(b) = 1 or id ~=~~ 2",
        "Seq Scan on t /   Filter: (((app.thrice(a) = 3) AND (id OPERATOR(app.<~>) 3)) OR (or_zero(b) = 1) OR (id ~=~~ 2))",
    );
    is(
        &mut s,
        "explain (costs off) select * from upto(3) where upto > 1",
        "Function Scan on upto /   Filter: (upto > 1)",
    );
    is(
        &mut s,
        "select routine_schema, routine_name from information_schema.routines where routine_name = 'thrice'",
        "app|thrice",
    );
}

#[test]
fn dropped_while_held() {
    let (db, mut s) = world();
    let mut other = session(&db);
    let held = Arc::new(());
    let inside = held.clone();
    let f = Function::new(
        "held",
        vec![oid::INT4],
        oid::INT4,
        scalar(move |a, _| {
            let _ = &inside;
            Ok(Datum::Int4(int(&a[0]) + 1000))
        }),
    );
    let held_oid =
        db.register_function(PUBLIC, Function { volatility: Volatility::Immutable, strict: true, ..f }).unwrap();
    let version = db.catalog_version();
    run(&mut s, "prepare p as select held(id) from t where id = $1");
    is(&mut s, "execute p(1)", "1001");
    is(&mut s, "execute p(2)", "1002");
    run(&mut s, "begin");
    run(&mut s, "declare c cursor for select held(id) from t order by id");
    is(&mut s, "fetch 2 from c", "1001 / 1002");
    db.drop_function(held_oid).unwrap();
    assert!(db.catalog_version() > version);
    assert_eq!(db.drop_function(held_oid).unwrap_err().code().as_str(), "42883");
    // The cursor goes on, the next statement does not find it, here and elsewhere.
    is(&mut s, "fetch 2 from c", "1003 / 1004");
    fails(&mut other, "select held(1)", "42883");
    is(&mut s, "fetch 1 from c", "1005");
    fails(&mut s, "execute p(3)", "42883");
    run(&mut s, "rollback");
    fails(&mut s, "execute p(3)", "42883");
    // Another of that name: the prepared statement is made anew with it.
    let f = Function { volatility: Volatility::Immutable, ..times("held", 5) };
    db.register_function(PUBLIC, f).unwrap();
    is(&mut s, "execute p(3)", "15");
    is(&mut other, "select held(3)", "15");
    run(&mut s, "deallocate p");
    assert_eq!(Arc::strong_count(&held), 1, "nobody holds what was dropped");
}

#[test]
fn schemas_and_privileges() {
    let (db, mut s) = world();
    run(&mut s, "create role guest login");
    run(&mut s, "grant select on t to guest");
    let mut g = session_of(&db, "guest");
    is(&mut g, "select twice(1)", "2");
    fails(&mut g, "select app.thrice(1)", "42501");
    fails(&mut g, "select 1 operator(app.<~>) 2", "42501");
    run(&mut g, "set search_path = app, public");
    fails(&mut g, "select thrice(1)", "42883");
    run(&mut s, "grant usage on schema app to guest");
    is(&mut g, "select thrice(1)", "3");
}
