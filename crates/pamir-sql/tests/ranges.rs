//! Choices among key ranges against reading everything: `(a, b) IN (...)`, ORs over one index and over several, row comparisons, in SELECT (both directions,
//! with LIMIT), UPDATE, DELETE and FOR UPDATE, with literals and parameters, over NULLs, descending and partial indexes, integers of several widths.
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

/// Columns: name, and the type of a parameter compared with it.
const COLS: [(&str, &str); 6] =
    [("a", "int"), ("b", "int8"), ("c", "int2"), ("d", "int"), ("e", "text"), ("f", "numeric")];
const ROWS: usize = 400;
/// Values come from a small domain, so that ranges meet, overlap and repeat.
const DOMAIN: u64 = 9;

fn world(rng: &mut Rng) -> Session {
    let mut s = session(rng.seed());
    run(
        &mut s,
        "create table t (a int not null, b int8 not null, c int2, d int, e text, f numeric, id int unique, n int default 0,
         primary key (a, b, id))",
    );
    for i in [
        "create index on t (c, d)",
        "create index on t (d desc, c)",
        "create index on t (e, b desc nulls last)",
        "create index on t (f, a)",
        "create index on t (b) where c > 2",
        "create index on t ((d + 1), e)",
    ] {
        run(&mut s, i);
    }
    for id in 0..ROWS {
        let mut v = || if rng.below(6) == 0 { "null".to_string() } else { rng.below(DOMAIN).to_string() };
        let (c, d, e, f) = (v(), v(), v(), v());
        let e = if e == "null" { e } else { format!("'{e}'") };
        let (a, b) = (rng.below(DOMAIN), rng.below(DOMAIN));
        run(&mut s, &format!("insert into t values ({a}, {b}, {c}, {d}, {e}, {f}, {id})"));
    }
    if rng.below(2) == 0 {
        run(&mut s, "analyze t");
    }
    s
}

/// A condition with its values, as literals or as parameters.
struct Gen<'r> {
    rng: &'r mut Rng,
    /// (type, value) of the parameters; None: literals.
    params: Option<Vec<(&'static str, String)>>,
}
impl Gen<'_> {
    fn col(&mut self) -> usize {
        self.rng.below(COLS.len() as u64) as usize
    }
    fn value(&mut self, col: usize) -> String {
        let ty = COLS[col].1;
        let v = match self.rng.below(20) {
            0 => "null".to_string(),
            // Out of the column's range, where it has one.
            1 if ty.starts_with("int") => return self.literal_or("int8", "5000000000".into()),
            2 if ty.starts_with("int") => return self.literal_or("int", "-1".into()),
            _ => self.rng.below(DOMAIN).to_string(),
        };
        let v = if ty == "text" && v != "null" { format!("'{v}'") } else { v };
        self.literal_or(ty, v)
    }
    fn literal_or(&mut self, ty: &'static str, v: String) -> String {
        match &mut self.params {
            Some(p) if p.len() < 30 && self.rng.below(4) > 0 => {
                p.push((ty, v));
                format!("${}", p.len())
            }
            _ => v,
        }
    }
    fn atom(&mut self) -> String {
        let c = self.col();
        let n = COLS[c].0;
        match self.rng.below(8) {
            0..=2 => format!("{n} = {}", self.value(c)),
            3 => format!("{n} {} {}", self.rng.choose(&["<", "<=", ">", ">="]), self.value(c)),
            4 => {
                let v: Vec<String> = (0..1 + self.rng.below(4)).map(|_| self.value(c)).collect();
                format!("{n} in ({})", v.join(", "))
            }
            5 => format!("{n} between {} and {}", self.value(c), self.value(c)),
            6 => format!("{n} is {}null", if self.rng.below(3) == 0 { "not " } else { "" }),
            _ => {
                let v: Vec<String> = (0..self.rng.below(4)).map(|_| self.rng.below(DOMAIN).to_string()).collect();
                format!("{n} = any('{{{}}}'::{}[])", v.join(","), COLS[c].1)
            }
        }
    }
    fn row(&mut self, cols: &[usize]) -> String {
        let v: Vec<String> = cols.iter().map(|c| self.value(*c)).collect();
        format!("({})", v.join(", "))
    }
    fn cond(&mut self, depth: u32) -> String {
        let of_index = [&[0usize, 1][..], &[2, 3], &[3, 2], &[4, 1], &[5, 0], &[1, 0], &[0, 1, 2]];
        let cols = *self.rng.choose(&of_index);
        let names: Vec<&str> = cols.iter().map(|c| COLS[*c].0).collect();
        let names = names.join(", ");
        match self.rng.below(10) {
            0..=1 if depth > 0 => format!("({} and {})", self.cond(depth - 1), self.cond(depth - 1)),
            2..=4 if depth > 0 => {
                let v: Vec<String> = (0..2 + self.rng.below(2)).map(|_| self.cond(depth - 1)).collect();
                format!("({})", v.join(" or "))
            }
            5 => {
                let v: Vec<String> = (0..1 + self.rng.below(5)).map(|_| self.row(cols)).collect();
                format!("({names}) in ({})", v.join(", "))
            }
            6..=7 => format!("({names}) {} {}", self.rng.choose(&["<", "<=", ">", ">="]), self.row(cols)),
            8 => {
                let parts: Vec<String> = cols.iter().map(|c| format!("{} = {}", COLS[*c].0, self.value(*c))).collect();
                format!("({})", parts.join(" and "))
            }
            _ => self.atom(),
        }
    }
}
/// Everything is read, or indexes wherever there is a way.
fn way(s: &mut Session, index: bool) {
    let on = if index { "on" } else { "off" };
    let off = if index { "off" } else { "on" };
    run(s, &format!("set enable_indexscan = {on}; set enable_indexonlyscan = {on}; set enable_seqscan = {off}"));
}
fn sorted(text: &str) -> Vec<String> {
    let mut v: Vec<String> = text.lines().map(str::to_string).collect();
    v.sort_unstable();
    v
}
/// The statement by itself or prepared.
fn ask(s: &mut Session, sql: &str, params: &Option<Vec<(&'static str, String)>>) -> (String, String) {
    let Some(p) = params.as_ref().filter(|p| !p.is_empty()) else { return run(s, sql) };
    let types: Vec<&str> = p.iter().map(|p| p.0).collect();
    let values: Vec<&str> = p.iter().map(|p| p.1.as_str()).collect();
    run(s, &format!("prepare p({}) as {sql}", types.join(", ")));
    let r = run(s, &format!("execute p({})", values.join(", ")));
    run(s, "deallocate p");
    r
}

#[test]
fn ranges_give_what_a_walk_gives() {
    let seed = chance::seed(20);
    let end = chance::end(6);
    let (mut n, mut indexed, mut unions, mut worlds) = (0u64, 0u64, 0u64, 0u64);
    while std::time::Instant::now() < end {
        let mut rng = Rng::new(seed + worlds);
        worlds += 1;
        let mut s = world(&mut rng);
        for _ in 0..150 {
            let with_params = rng.below(2) == 0;
            let mut g = Gen { rng: &mut rng, params: with_params.then(Vec::new) };
            let cond = g.cond(2);
            let params = g.params;
            let case = format!("seed {}: {cond} with {params:?}", seed + worlds - 1);
            let select = format!("select a, b, c, d, e, f, id from t where {cond}");
            way(&mut s, false);
            let want = ask(&mut s, &select, &params).0;
            way(&mut s, true);
            let got = ask(&mut s, &select, &params).0;
            assert_eq!(sorted(&got), sorted(&want), "{case}");
            if !with_params {
                let plan = run(&mut s, &format!("explain {select}")).0;
                indexed += u64::from(plan.contains("Index Cond"));
                unions += u64::from(plan.contains("Index Union"));
            }
            // In an order that an index has, from either end.
            let orders = [
                "a, b",
                "a desc, b desc",
                "c, d",
                "d desc, c",
                "d, c desc nulls first",
                "e, b desc nulls last",
                "f desc, a desc",
            ];
            let order = *rng.choose(&orders);
            let keys: String = order.replace(" desc", "").replace(" nulls last", "").replace(" nulls first", "");
            let page = format!("select {keys} from t where {cond} order by {order} limit {}", 1 + rng.below(30));
            let got = ask(&mut s, &page, &params).0;
            way(&mut s, false);
            assert_eq!(got, ask(&mut s, &page, &params).0, "{page} of {case}");
            way(&mut s, true);
            // The same rows are locked, changed, and gone.
            let rows = want.lines().count();
            run(&mut s, "begin");
            let locked = ask(&mut s, &format!("{select} for update"), &params).0;
            assert_eq!(sorted(&locked), sorted(&want), "for update: {case}");
            let change = format!("update t set n = n + 1, d = d + 1 where {cond}");
            assert_eq!(ask(&mut s, &change, &params).1, format!("UPDATE {rows}"), "{case}");
            assert_eq!(
                run(&mut s, "select coalesce(sum(n), 0), count(*) filter (where n > 1) from t").0,
                format!("{rows}|0\n"),
                "{case}"
            );
            run(&mut s, "rollback; begin");
            assert_eq!(
                ask(&mut s, &format!("delete from t where {cond}"), &params).1,
                format!("DELETE {rows}"),
                "{case}"
            );
            assert_eq!(run(&mut s, "select count(*) from t").0, format!("{}\n", ROWS - rows), "{case}");
            run(&mut s, "rollback");
            n += 1;
        }
    }
    println!("{n} conditions over {worlds} tables, {indexed} by one index, {unions} by several");
    assert!(indexed > n / 20 && unions > 0, "the indexes were hardly used: {indexed}, {unions} of {n}");
}
