//! The contract of operators ([`pamir_exec::Op`]): opened again, an operator gives what a new one would, whatever was read of it before and whatever the slots
//! outside hold now; in memory and spilled.
//!
//! A statement's rows are compared with those of a run in which no operator is ever opened twice ([`pamir_exec::anew`] makes a new one at each open, everywhere in
//! the plan). The plan as it is runs once, is opened in the middle of its rows, and runs three times more. Nested loops and correlated subqueries open what they have inside with other slots
//! each time; so every node of a plan is opened again both ways.
//!
//! [`name`] lists the operators: a new one does not compile before it has a name, and fails here before a statement opens it again.
use super::Session;
use super::statement::PreparedStmt;
use crate::session::Database;
use crate::transcript;
use pamir_exec::{Rt, State, anew, build};
use pamir_expr::ir::SetOp;
use pamir_expr::plan::Plan;
use pamir_expr::plan::node::{Kind, PNode};
use pamir_plan::parser;
use pamir_storage::disk::sim::SimDisk;
use pamir_txn::{Shard, ShardOptions};
use pamir_types::{Datum, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an operator is called here; None: it is opened once by its nature.
fn name(k: &Kind) -> Option<&'static str> {
    Some(match k {
        Kind::One => "one row",
        Kind::Empty => "no row",
        Kind::Scan(s) if !s.union.is_empty() => "union of indexes",
        Kind::Scan(s) if s.inverted.is_some() => "inverted index scan",
        Kind::Scan(s) if s.index.is_none() => "table scan",
        Kind::Scan(s) if s.only => "index-only scan",
        Kind::Scan(s) if s.clustered => "key scan",
        Kind::Scan(_) => "index scan",
        Kind::Values(_) => "values",
        Kind::Virtual(_) => "catalog table",
        Kind::Function(_) => "function scan",
        Kind::SideBySide { .. } => "functions side by side",
        Kind::Filter { .. } => "filter",
        Kind::Compute { .. } => "compute",
        Kind::ProjectSet { .. } => "project set",
        Kind::NestLoop { .. } => "nested loop",
        Kind::HashJoin { .. } => "hash join",
        Kind::Materialize { .. } => "materialize",
        Kind::Agg { spec, .. } if spec.sorted => "sorted grouping",
        Kind::Agg { .. } => "grouping",
        Kind::Sort { presorted: 1.., .. } => "sort by groups",
        Kind::Sort { limit: Some(_), .. } => "top n",
        Kind::Sort { .. } => "sort",
        Kind::Ordered { .. } => "order checked",
        Kind::Limit { .. } => "limit",
        Kind::Distinct { sorted: true, .. } => "sorted distinct",
        Kind::Distinct { .. } => "distinct",
        Kind::Window { .. } => "window",
        Kind::SetOp { spec, .. } if spec.op == SetOp::Union => "union",
        Kind::SetOp { .. } => "set operation",
        Kind::CteScan { .. } => "common table expression",
        Kind::With { .. } => "with",
        Kind::WorkTable { .. } => "working table",
        Kind::RecursiveUnion { .. } => "recursive union",
        Kind::LockRows { .. } => "row locks",
        Kind::Append { keys, one_by_one: false, .. } if !keys.is_empty() => "partitions merged",
        Kind::Append { .. } => "partitions",
        // A statement changes rows once; `start_modifying` sees to it for those in WITH.
        Kind::Modify { .. } => return None,
    })
}
const OPERATORS: &[&str] = &[
    "one row",
    "no row",
    "union of indexes",
    "table scan",
    "index-only scan",
    "key scan",
    "index scan",
    "values",
    "catalog table",
    "function scan",
    "filter",
    "compute",
    "project set",
    "nested loop",
    "hash join",
    "materialize",
    "sorted grouping",
    "grouping",
    "sort by groups",
    "top n",
    "sort",
    "order checked",
    "limit",
    "sorted distinct",
    "distinct",
    "window",
    "union",
    "set operation",
    "common table expression",
    "with",
    "working table",
    "recursive union",
    "row locks",
    "partitions",
    "partitions merged",
];
/// Those that keep rows, and must have gone to disk in one of the statements.
const KEEPERS: &[&str] = &[
    "hash join",
    "materialize",
    "grouping",
    "sort",
    "distinct",
    "window",
    "union",
    "set operation",
    "common table expression",
    "recursive union",
];

/// Statements, the first of which read nothing from outside and the last are correlated in every way.
const STATEMENTS: &[&str] = &[
    "select a, b from t where b % 3 = 1",
    "select a + 1, (b || 'x') from t where a < 50 limit 20 offset 3",
    "select * from t join u on t.b = u.b",
    "select * from t left join u on t.b = u.b and u.c > 40",
    "select * from t right join u on t.a = u.c",
    "select * from t full join u on t.a = u.c",
    "select * from t where b in (select b from u where c > 20)",
    "select * from t where b not in (select c from u)",
    "select * from t where not exists (select from u where u.b = t.b and u.c > 10)",
    "select b, count(*), sum(a) from t group by b",
    "select a, count(*) from t group by a order by a",
    "select distinct b, d from t",
    "select distinct t.a, u.c, t.d from t join u on t.b = u.b",
    "select distinct a from t order by a",
    "select distinct on (b) b, a, d from t order by b, a",
    "select a, b, d from t order by d, a",
    "select a, b, d from t order by d, a limit 7",
    "select b, d from t order by b, d",
    "select a, sum(a) over (partition by b order by a), row_number() over (order by d, a) from t",
    "select a, sum(a) over (order by d, a rows between 2 preceding and 1 following), lag(a, 2) over (order by a), ntile(4) over (order by a) from t",
    "select b from t union select c from u",
    "select b from t union all select c from u",
    "select a, repeat(pad, 4) || a from t union select c, repeat(pad, 4) || c from u",
    "select a, repeat(pad, 4) || a from t except select c, repeat(pad, 4) || c from u",
    "select a % 400, repeat(pad, 4) || a from t intersect all select a, repeat(pad, 4) || a from t where b > 3",
    "select a, d from t intersect select b, d from t",
    "select a from t except all select c from u",
    "select a, generate_series(1, b % 4) from t",
    "select g, t.a from generate_series(1, 5) g join t on t.a = g",
    "select * from (values (1), (2), (null)) v(x) left join t on t.a = v.x",
    "select relname from pg_class where relname in ('t', 'u')",
    "select a from t where a = 3 or b = 2 and d = 1",
    "select a from t where b = 4 or d = 2",
    "select b from t where b between 3 and 5",
    "select a, b, d from t where b = 5 and d > 1",
    "select a, d from t where false",
    "select 1",
    "with x as materialized (select a, b, repeat('x', 40) as p from t) select count(*), sum(x.a + y.b) from x join x y on x.a = y.b",
    "with recursive r(n, p) as (select 1, repeat('y', 60) union select r.n + 1, repeat('y', 60) from r join t on t.a = r.n where r.n < 700) select count(*), max(n) from r",
    "with recursive r(n) as (select 1 union all select t.a + 1 from r join t on t.a = r.n or t.a = r.n + 1 where r.n < 9) select n, count(*) from r group by n",
    "select t.a, x.n from t, lateral (with recursive r(n) as (values (1) union select n + 1 from r where n < 9) select count(*) as n from r where n > t.b) x where t.a < 30",
    "select t.a, x.* from t, lateral (select u.b, count(*) from u where u.c > t.b group by u.b) x where t.a < 40",
    "select t.a, x.* from t left join lateral (select distinct u.b, t.a from u where u.c % 7 = t.b % 7) x on true where t.a < 40",
    "select t.a, x.* from t, lateral (select u.c, rank() over (order by u.b) from u where u.b < t.b order by u.c desc limit t.b % 5) x where t.a < 40",
    "select t.a, x.* from t, lateral (select b from u where c = t.a union select t.b) x where t.a < 40",
    "select t.a, x.* from t, lateral (select c from u where b > t.b intersect select a from t w where w.d = t.d) x where t.a < 40",
    "select t.a, x.* from t, lateral (select v.c, w.a from u v join t w on v.b = w.b where v.c > t.b + 40 and w.d = t.d) x where t.a < 40",
    "select t.a, x.* from t, lateral (select v.c, w.a from u v full join t w on v.b = w.b and w.d = 1 offset 5 limit 20) x where t.a < 10 order by 1",
    "select t.a, x.* from t left join lateral (values (t.a), (t.b), (-1)) x(y) on x.y = t.a where t.a < 40",
    "select t.a, (select count(*) from u v join u w on v.b = w.b where v.c = t.b) from t where t.a < 60",
    "select t.a, array(select c from u where b = t.b order by c desc), exists (select from u where c = t.a), t.b in (select b from u where c > t.a) from t",
    "select t.a, x.* from t, lateral (select g, t.b from generate_series(1, t.b % 4) g) x",
    "select t.a, x.* from t, lateral (select a from t w where (w.a, w.b) in ((t.a, t.b), (t.b, t.a)) or w.d = 50 + t.d) x where t.a < 40",
    "select t.a, x.* from t, lateral (select w.a, generate_series(1, 2) from t w where w.b = t.b and w.d = t.d) x where t.a < 40",
    "select t.a, x.* from t, lateral (with c as materialized (select u.c, u.b from u where u.b = t.b) select c.c, d.c from c join c d on c.b = d.b where c.c < 40) x where t.a < 40",
    "select t.a, (with recursive r(n) as (select t.b union all select n + 1 from r where n < 30) select sum(n) from r) from t where t.a < 40",
    "select t.a, (with c as materialized (select u.c from u where u.b = t.b) select (select max(c) from c) + (select count(*) from c where c > t.a)) from t where t.a < 60",
    "select a, b from p where b > 3",
    "select t.a, x.* from t, lateral (select p.a, p.b from p where p.a = t.a or p.a = t.b) x where t.a < 40",
    "select t.a, (select count(*) from p where p.a between t.b and t.a) from t where t.a < 60",
    "select t.a, p.b from t left join p on p.a = t.d and p.b > t.b",
    "select a, b from p order by a limit 7",
    "select t.a, x.* from t, lateral (select a from p where p.a >= t.a order by p.a limit 3) x where t.a < 40",
    "select a, b from p where b = 3 for update",
    "select a, b from t where b = 3 for update",
];
/// Both sides of the planner's choices.
const SETTINGS: &[&str] = &[
    "select 1",
    "set enable_hashjoin = off",
    "set enable_nestloop = off; set enable_indexscan = off",
    "set enable_seqscan = off; set enable_sort = off",
    "set enable_hashagg = off",
    "set work_mem = '64kB'",
    "set work_mem = '64kB'; set enable_nestloop = off; set enable_hashagg = on; set enable_sort = off",
    "set work_mem = '64kB'; set enable_hashjoin = off; set enable_indexscan = off",
];

fn session() -> Session {
    let shard = Shard::open(Arc::new(SimDisk::new(7)), ShardOptions::default()).expect("shard");
    let mut s = transcript::start(&Database::open(shard).expect("database"), "postgres").expect("session");
    for sql in [
        "create table t (a int primary key, b int, d int, pad text); create index on t (b, d); create index on t (d)",
        "create table u (b int, c int, pad text)",
        "insert into t select g, g % 23, g % 5, repeat('p', 60) from generate_series(1, 900) g",
        "insert into u select case when g % 11 = 0 then null else g % 23 end, g, repeat('q', 60) from generate_series(1, 120) g",
        "create table p (a int, b int) partition by range (a); create table p0 partition of p for values from (minvalue) to (10)",
        "create table p1 partition of p for values from (10) to (20) partition by list (b); create table p2 partition of p default",
        "create table p3 partition of p1 for values in (1, 2, 3); create table p4 partition of p1 default; create index on p (a)",
        "insert into p select g % 50, g % 7 from generate_series(1, 300) g",
        "analyze",
    ] {
        run(&mut s, sql);
    }
    s
}
fn run(s: &mut Session, sql: &str) {
    transcript::run(s, sql).unwrap_or_else(|e| panic!("{sql}: {e:?}"));
}

/// A statement's rows from each opening of its plan, in no order.
struct Answers {
    rows: Vec<Vec<String>>,
    spilled: bool,
}
fn answers(s: &mut Session, plan: &Arc<Plan>, openings: &[usize], fresh: bool) -> Result<Answers> {
    let txn = s.state.begin_if_needed();
    let snapshot = txn.statement();
    let plan = plan.clone();
    let r = s.in_exec(&txn, snapshot.clone(), &[], |cx| {
        anew(fresh, || {
            let mut st = State::new(plan.clone(), None);
            let mut rt = Rt {
                txn: cx.txn,
                snapshot,
                env: &mut *cx.env,
                params: &[],
                work: cx.work,
                deferred: &mut *cx.deferred,
                st: &mut st,
            };
            let mut op = build(&plan.root.node, false);
            let mut out = Answers { rows: vec![], spilled: false };
            for most in openings {
                op.open(&mut rt)?;
                let mut rows = vec![];
                while rows.len() < *most && op.next(&mut rt)? {
                    let row: Vec<&Datum> = plan.root.out.iter().map(|o| rt.get(*o)).collect();
                    rows.push(format!("{row:?}"));
                    out.spilled |= rt.work.temp.used() > 0;
                }
                out.spilled |= rt.work.temp.used() > 0;
                rows.sort_unstable();
                out.rows.push(rows);
            }
            Ok(out)
        })
    });
    drop(txn);
    r
}
fn each_node(n: &PNode, f: &mut dyn FnMut(&PNode)) {
    f(n);
    n.inputs().into_iter().for_each(|i| each_node(i, f));
}

#[test]
fn every_operator_opened_again_is_a_new_one() {
    const ALL: usize = usize::MAX;
    let mut s = session();
    let (mut seen, mut spilled) = (BTreeSet::new(), BTreeSet::new());
    for settings in SETTINGS {
        run(&mut s, "reset all");
        run(&mut s, settings);
        for sql in STATEMENTS {
            run(&mut s, "begin");
            let parsed = parser::parse(sql).expect("parses").statements.remove(0);
            let stmt = PreparedStmt::new(sql.to_string(), Some(parsed.stmt), vec![]);
            let plan = s.state.plan_for(&stmt).unwrap_or_else(|e| panic!("{sql}: {e:?}")).plan.clone();
            // LIMIT without an order may take any rows, but not any number of them.
            let any = sql.contains("limit") && !sql.contains("order by");
            let view = |rows: &Vec<String>| if any { vec![rows.len().to_string()] } else { rows.clone() };
            let told = |e| panic!("{settings}: {sql}: {e:?}");
            let new = answers(&mut s, &plan, &[ALL], true).unwrap_or_else(told);
            let again = answers(&mut s, &plan, &[ALL, 2, ALL, 0, ALL, ALL], false).unwrap_or_else(told);
            for (i, rows) in again.rows.iter().enumerate().filter(|(i, _)| ![1, 3].contains(i)) {
                assert!(
                    view(rows) == view(&new.rows[0]),
                    "{settings}: {sql}: opening {i} gave {} rows for {}",
                    rows.len(),
                    new.rows[0].len()
                );
            }
            let mut note = |n: &PNode| {
                if let Some(k) = name(&n.kind) {
                    seen.insert(k);
                    if again.spilled {
                        spilled.insert(k);
                    }
                }
            };
            each_node(&plan.root.node, &mut note);
            plan.root.subs.iter().for_each(|x| each_node(&x.node, &mut note));
            plan.root.ctes.iter().flatten().for_each(|x| each_node(&x.node, &mut note));
            run(&mut s, "rollback");
        }
    }
    let missing: Vec<_> = OPERATORS.iter().filter(|o| !seen.contains(*o)).collect();
    assert!(missing.is_empty(), "no statement opens these again: {missing:?}");
    assert!(seen.iter().all(|o| OPERATORS.contains(o)), "not listed: {seen:?}");
    let missing: Vec<_> = KEEPERS.iter().filter(|o| !spilled.contains(*o)).collect();
    assert!(missing.is_empty(), "no statement opens these again after they spilled: {missing:?}");
}
