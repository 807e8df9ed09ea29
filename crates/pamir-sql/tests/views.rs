//! Views over random queries: the view gives the query's rows, its definition run as a query gives them too, pretty or not, and a view over the definition has the same one.
//! Changes through random views: what they do to the base table is what the statement over the base table does.
use pamir_sql::session::{Database, Session};
use pamir_sql::transcript;
use pamir_storage::disk::sim::SimDisk;
use pamir_testkit::chance::{self, Rng};
use pamir_txn::{Shard, ShardOptions};
use pamir_types::Result;
use std::sync::Arc;

fn rows(s: &mut Session, sql: &str) -> Result<Vec<String>> {
    let mut rows = transcript::run(s, sql)?.rows("null");
    rows.sort();
    Ok(rows)
}
fn run(s: &mut Session, sql: &str) -> Vec<String> {
    rows(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"))
}
fn session(seed: u64) -> Session {
    let shard = Shard::open(Arc::new(SimDisk::new(seed)), ShardOptions::default()).expect("shard");
    let db = Database::open(shard).expect("database");
    transcript::start(&db, "postgres").expect("session")
}

/// Columns of both tables: name and type.
const COLS: [(&str, &str); 5] = [("a", "int"), ("b", "int8"), ("c", "text"), ("d", "date"), ("f", "numeric")];

fn fill(s: &mut Session, rng: &mut Rng) {
    for t in ["t", "u"] {
        run(s, &format!("create table {t} (a int, b int8, c text, d date, f numeric)"));
        for _ in 0..6 + rng.below(6) {
            let mut v = |text: String| if rng.below(7) == 0 { "null".into() } else { text };
            let (a, b, f) = (v(rng_text(3)), v(rng_text(5)), v("1.50".into()));
            let (c, d) = (v("'x'".into()), v("'2024-02-29'".into()));
            run(s, &format!("insert into {t} values ({a}, {b}, {c}, {d}, {f})"));
        }
        run(s, &format!("update {t} set a = a + b % 2, c = c || coalesce(b, 0) % 3"));
    }
}
fn rng_text(n: u64) -> String {
    n.to_string()
}

struct Gen<'r> {
    rng: &'r mut Rng,
    /// The items in sight.
    items: Vec<String>,
}
impl Gen<'_> {
    fn pick<'s>(&mut self, of: &[&'s str]) -> &'s str {
        of[self.rng.index(of.len())]
    }
    fn column(&mut self, ty: &str) -> String {
        let fitting: Vec<&str> = COLS.iter().filter(|c| c.1 == ty).map(|c| c.0).collect();
        let item = self.items[self.rng.index(self.items.len())].clone();
        format!("{item}.{}", fitting[self.rng.index(fitting.len())])
    }
    fn expr(&mut self, ty: &str, depth: u32) -> String {
        if depth == 0 {
            return self.column(ty);
        }
        let (d, n) = (depth - 1, self.rng.below(7));
        match (ty, n) {
            (_, 0) => self.column(ty),
            (_, 1) => format!("case when {} then {} else {} end", self.cond(d), self.expr(ty, d), self.expr(ty, d)),
            (_, 2) => format!("coalesce({}, {})", self.expr(ty, d), self.expr(ty, d)),
            (_, 3) => format!(
                "(select max({}) from u)",
                match ty {
                    "int" => "u.a",
                    "int8" => "u.b",
                    "text" => "u.c",
                    "date" => "u.d",
                    _ => "u.f",
                }
            ),
            ("int", 4) => format!("{} {} {}", self.expr("int", d), self.pick(&["+", "-", "*"]), self.rng.below(9)),
            ("int", 5) => format!("length({})", self.expr("text", d)),
            ("int", _) => format!("extract(year from {})::int", self.expr("date", d)),
            ("int8", 4) => format!("abs({} - {})", self.expr("int8", d), self.expr("int", d)),
            ("int8", 5) => format!("{}::int8", self.expr("int", d)),
            ("int8", _) => format!("nullif({}, {})", self.expr("int8", d), self.expr("int8", d)),
            ("text", 4) => format!("{} || '-' || {}", self.expr("text", d), self.expr("int", d)),
            ("text", 5) => format!("upper({})", self.expr("text", d)),
            ("text", _) => format!("{}::text", self.expr("date", d)),
            ("date", 4) => format!("{} + {}", self.expr("date", d), self.rng.below(40)),
            ("date", _) => format!("greatest({}, {})", self.expr("date", d), self.expr("date", d)),
            (_, 4) => format!("round({} * 2.5, 1)", self.expr("numeric", d)),
            (_, 5) => format!("{}::numeric(8,2)", self.expr("int", d)),
            (_, _) => format!("- {}", self.expr("numeric", d)),
        }
    }
    fn cond(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        let ty = COLS[self.rng.index(COLS.len())].1;
        match self.rng.below(9) {
            0 if depth > 0 => format!("({} and {})", self.cond(d), self.cond(d)),
            1 if depth > 0 => format!("({} or not {})", self.cond(d), self.cond(d)),
            2 => format!("{} is {}null", self.expr(ty, d), self.pick(&["", "not "])),
            3 => format!("{} in (select x.a from t x)", self.expr("int", d)),
            4 => format!("exists (select 1 from u x where x.a = {})", self.expr("int", d)),
            5 => format!("{} like '{}%'", self.expr("text", d), self.pick(&["x", "y", "_"])),
            6 => format!("{} between {} and {}", self.expr("int", d), self.expr("int", d), self.expr("int8", d)),
            7 => format!("{} in (1, 3, {})", self.expr("int", d), self.rng.below(5)),
            _ => {
                let op = self.pick(&["=", "<>", "<", ">=", "is distinct from"]);
                format!("{} {op} {}", self.expr(ty, d), self.expr(ty, d))
            }
        }
    }
    fn from(&mut self) -> String {
        let kind = self.pick(&["join", "left join", "right join", "full join"]);
        let (text, items): (String, Vec<&str>) = match self.rng.below(7) {
            0 => ("t".into(), vec!["t"]),
            1 => ("t as p".into(), vec!["p"]),
            2 => ("t, u".into(), vec!["t", "u"]),
            3 => (format!("t p {kind} u q on p.a = q.a"), vec!["p", "q"]),
            4 => (format!("t {kind} u using (a)"), vec!["t", "u"]),
            5 => ("(select * from t where a > 1) p".into(), vec!["p"]),
            _ => ("t p, lateral (select u.* from u where u.b = p.b limit 3) q".into(), vec!["p", "q"]),
        };
        self.items = items.into_iter().map(String::from).collect();
        text
    }
    fn select(&mut self) -> String {
        let from = self.from();
        let filter = if self.rng.below(2) == 0 { format!(" where {}", self.cond(2)) } else { String::new() };
        if self.rng.below(4) == 0 {
            let key = self.expr("int", 1);
            let having = if self.rng.below(3) == 0 { " having count(*) > 0" } else { "" };
            let agg = self.pick(&["sum", "min", "max", "count"]);
            let (x, y) = (self.expr("int8", 1), self.expr("numeric", 0));
            return format!(
                "select {key} as k, {agg}({x}) as n, count(distinct {y}) filter (where {y} > 0) as m from {from}{filter} group by {key}{having}"
            );
        }
        let mut targets = Vec::new();
        for (i, (_, ty)) in COLS.iter().enumerate() {
            targets.push(format!("{} as c{i}", self.expr(ty, 2)));
        }
        if self.rng.below(5) == 0 {
            let (p, o) = (self.expr("int", 0), self.expr("int8", 0));
            targets.push(format!("count(*) over (partition by {p}) as w, rank() over (order by {o}) as r"));
        }
        let distinct = if self.rng.below(6) == 0 { "distinct " } else { "" };
        format!("select {distinct}{} from {from}{filter}", targets.join(", "))
    }
    fn query(&mut self) -> String {
        match self.rng.below(8) {
            0 => {
                let op = self.pick(&["union", "union all", "intersect", "except"]);
                let arm = |g: &mut Self| {
                    let from = g.from();
                    format!("select {} as x, {} as y from {from}", g.expr("int", 1), g.expr("text", 1))
                };
                format!("{} {op} {}", arm(self), arm(self))
            }
            1 => format!("with q as ({}) select * from q", self.select()),
            _ => self.select(),
        }
    }
}

#[test]
fn views_give_what_their_definitions_say() {
    let (mut made, mut asked) = (0, 0);
    for seed in chance::seeds(5) {
        let mut rng = Rng::new(seed);
        let mut s = session(seed);
        fill(&mut s, &mut rng);
        for _ in 0..40 {
            let q = Gen { rng: &mut rng, items: Vec::new() }.query();
            let Ok(wanted) = rows(&mut s, &q) else { continue };
            asked += 1;
            match rows(&mut s, &format!("create view v as {q}")) {
                Ok(_) => made += 1,
                Err(e) if e.code().as_str() == "0A000" => continue,
                Err(e) => panic!("seed {seed}: {q}: {e:?}"),
            }
            assert_eq!(run(&mut s, "select * from v"), wanted, "seed {seed}: the view over {q}");
            let definition = |s: &mut Session, view: &str, how: &str| {
                transcript::run(s, &format!("select pg_get_viewdef('{view}'::regclass{how})"))
                    .expect("a definition")
                    .rows("")
                    .remove(0)
            };
            let plain = definition(&mut s, "v", "");
            for how in ["", ", true", ", 40"] {
                let text = definition(&mut s, "v", how);
                assert_eq!(run(&mut s, &text), wanted, "seed {seed}: {q}\nis told as\n{text}");
                run(&mut s, &format!("create view again as {text}"));
                assert_eq!(definition(&mut s, "again", ""), plain, "seed {seed}: {q}");
                run(&mut s, "drop view again");
            }
            run(&mut s, "drop view v");
        }
    }
    assert!(made * 10 >= asked * 9 && made > 0, "{made} views of {asked} queries: most are to be looked at");
}

/// A statement over a view, and the one over its base table that is to do the same.
fn changes(rng: &mut Rng, n: u64) -> (String, String) {
    let k = rng.below(12);
    let (over, base) = match rng.below(4) {
        0 => (format!("y > {k}"), format!("{{t}}.b * 2 > {k}")),
        1 => (format!("x = {k}"), format!("{{t}}.a = {k}")),
        2 => (format!("z like '%{k}' or x is null"), format!("{{t}}.c like '%{k}' or {{t}}.a is null")),
        _ => (
            "exists (select 1 from u where u.a = w.x)".to_string(),
            "exists (select 1 from u where u.a = {t}.a)".to_string(),
        ),
    };
    let seen = "{t}.a > 1";
    match rng.below(4) {
        0 => (
            format!("insert into w (x, z) values ({n}, 'n{k}'), ({k}, default)"),
            format!("insert into {{t}} (a, c) values ({n}, 'n{k}'), ({k}, default)"),
        ),
        1 => (
            format!("update w set z = z || y, x = x + 1 where {over}"),
            format!("update {{t}} set c = {{t}}.c || ({{t}}.b * 2), a = {{t}}.a + 1 where ({base}) and {seen}"),
        ),
        2 => (
            format!("delete from w where ({over}) and y % 3 = 0"),
            format!("delete from {{t}} where ({base}) and {{t}}.b * 2 % 3 = 0 and {seen}"),
        ),
        _ => (
            format!("update w set z = u.c from u where u.a = w.x and {over}"),
            format!("update {{t}} set c = u.c from u where u.a = {{t}}.a and ({base}) and {seen}"),
        ),
    }
}
#[test]
fn changes_through_views_are_those_of_the_base_table() {
    for seed in chance::seeds(6) {
        let mut rng = Rng::new(seed);
        let mut s = session(seed);
        for (t, more) in [("one", ""), ("two", ""), ("u", "")] {
            run(
                &mut s,
                &format!("create table {t} (id serial primary key, a int, b int8 default 7, c text default 'd'{more})"),
            );
        }
        for i in 0..30 {
            let (a, b) = (rng.below(12), rng.below(9));
            for t in ["one", "two"] {
                run(&mut s, &format!("insert into {t}(a, b, c) values ({a}, {b}, 'c{i}')"));
            }
        }
        // No two of one value: which of several rows FROM takes is not said.
        run(&mut s, "insert into u(a, c) select i, 'u' || i from generate_series(0, 9, 2) i");
        let options = ["", " with (security_barrier)", " with (security_invoker)"];
        let barrier = *rng.choose(&options);
        run(&mut s, &format!("create view inner_w{barrier} as select a as aa, b, c, id from one where a > 1"));
        let outer = match rng.below(2) {
            0 => "create view w as select aa as x, b * 2 as y, c as z from inner_w",
            _ => "create view w as select a as x, b * 2 as y, c as z from one where a > 1",
        };
        run(&mut s, outer);
        for n in 0..40 {
            let (over, base) = changes(&mut rng, n);
            let base = base.replace("{t}", "two");
            let tag =
                |s: &mut Session, q: &str| transcript::run(s, q).map(|t| t.tag().to_string()).map_err(|e| e.code());
            let (a, b) = (tag(&mut s, &over), tag(&mut s, &base));
            assert_eq!(a, b, "seed {seed}: {over}\n{base}");
            let left = |s: &mut Session, t: &str| run(s, &format!("select a, b, c from {t}"));
            assert_eq!(left(&mut s, "one"), left(&mut s, "two"), "seed {seed}: {over}\n{base}");
        }
    }
}
