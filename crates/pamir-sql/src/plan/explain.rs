//! EXPLAIN: PostgreSQL's text layout and JSON.
//!
//! ```text
//! Nested Loop  (cost=0.45..20.10 rows=3 width=8) (actual time=0.010..0.022 rows=3 loops=1)
//!   ->  Index Scan using t_pkey on t  (cost=...)
//!         Index Cond: (id = 5)
//! ```
//! A node is first turned into a [`Shown`] (title, properties, children); both formats print that.
use super::*;
use crate::exec::RunStats;
use pamir_storage::store::Dir;
use std::fmt::Write;

struct Shown<'a> {
    node: &'a PNode,
    /// `Index Scan using t_pkey on t`
    title: String,
    /// (name, value) for JSON: node type first.
    json: Vec<(&'static str, String)>,
    props: Vec<(String, String)>,
    children: Vec<Child<'a>>,
}
struct Child<'a> {
    node: &'a PNode,
    /// `CTE w`, `InitPlan 1 (returns $0)`, `SubPlan 1`
    label: Option<String>,
}

struct Names<'a> {
    root: &'a Root,
    /// More than one relation: columns are qualified.
    qualify: bool,
}
impl Names<'_> {
    fn expr(&self, e: &Expr) -> String {
        crate::bind::deparse(e, &|c| match self.root.names.get(&c) {
            Some((a, n)) if self.qualify && !a.is_empty() => format!("{a}.{n}"),
            Some((_, n)) => n.clone(),
            None => format!("c{c}"),
        })
    }
    fn cond(&self, v: &[Expr]) -> String {
        let wrap = |s: String| if s.starts_with('(') && balanced(&s) { s } else { format!("({s})") };
        match v {
            [e] => wrap(self.expr(e)),
            v => format!("({})", v.iter().map(|e| wrap(self.expr(e))).collect::<Vec<_>>().join(" AND ")),
        }
    }
    fn keys(&self, keys: &[KeySpec]) -> String {
        keys.iter()
            .map(|k| {
                let mut s = self.expr(&k.ir);
                if k.desc {
                    s.push_str(" DESC");
                }
                if k.nulls_first != k.desc {
                    s.push_str(if k.nulls_first { " NULLS FIRST" } else { " NULLS LAST" });
                }
                s
            })
            .collect::<Vec<_>>()
            .join(", ")
    }
}
/// Is the whole string one parenthesized expression?
fn balanced(s: &str) -> bool {
    let mut depth = 0;
    for (i, c) in s.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 && i + 1 < s.len() {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

fn on(table: &str, alias: &str) -> String {
    if alias.is_empty() || alias == table { format!("on {table}") } else { format!("on {table} {alias}") }
}

fn show<'a>(n: &'a PNode, names: &Names) -> Shown<'a> {
    let mut props: Vec<(String, String)> = Vec::new();
    let mut json: Vec<(&'static str, String)> = Vec::new();
    let mut kind = |k: &str| json.push(("Node Type", k.to_string()));
    let title = match &n.kind {
        Kind::One | Kind::Empty => {
            kind("Result");
            if matches!(n.kind, Kind::Empty) {
                props.push(("One-Time Filter".into(), "false".into()));
            }
            "Result".to_string()
        }
        Kind::Scan(s) => {
            let target = on(&s.table.name, &s.alias);
            let t = match s.index {
                None => {
                    kind("Seq Scan");
                    format!("Seq Scan {target}")
                }
                Some(i) => {
                    let name = s.table.indexes.get(i).map_or("?", |i| i.name.as_str());
                    let what = if s.only { "Index Only Scan" } else { "Index Scan" };
                    kind(what);
                    let back = if s.dir == Dir::Backward { " Backward" } else { "" };
                    format!("{what}{back} using {name} {target}")
                }
            };
            if let Some(i) = s.index {
                json.push(("Scan Direction", if s.dir == Dir::Backward { "Backward" } else { "Forward" }.to_string()));
                json.push(("Index Name", s.table.indexes.get(i).map_or("?", |i| i.name.as_str()).to_string()));
            }
            json.push(("Relation Name", s.table.name.clone()));
            json.push(("Alias", s.alias.clone()));
            if !s.cond_ir.is_empty() {
                props.push(("Index Cond".into(), names.cond(&s.cond_ir)));
            }
            if !s.filter_ir.is_empty() {
                props.push(("Filter".into(), names.cond(&s.filter_ir)));
            }
            t
        }
        Kind::Values(_) => {
            kind("Values Scan");
            "Values Scan on \"*VALUES*\"".into()
        }
        Kind::Virtual(v) => {
            kind("Seq Scan");
            json.push(("Relation Name", v.table.name.to_string()));
            if !v.filter_ir.is_empty() {
                props.push(("Filter".into(), names.cond(&v.filter_ir)));
            }
            format!("Seq Scan {}", on(v.table.name, &v.alias))
        }
        Kind::Function(f) => {
            kind("Function Scan");
            format!("Function Scan on {}", f.f.name)
        }
        Kind::Filter { ir, .. } => {
            kind("Result");
            props.push(("Filter".into(), names.cond(ir)));
            "Result".into()
        }
        // Projection is part of the node below in PostgreSQL's picture.
        Kind::Compute { input, .. } => return Shown { node: n, ..show(input, names) },
        Kind::ProjectSet { .. } => {
            kind("ProjectSet");
            "ProjectSet".into()
        }
        Kind::NestLoop { spec, .. } | Kind::HashJoin { spec, .. } => {
            let hash = matches!(n.kind, Kind::HashJoin { .. });
            kind(if hash { "Hash Join" } else { "Nested Loop" });
            let k = match spec.kind {
                JoinKind::Inner | JoinKind::Cross => "",
                JoinKind::Left => " Left",
                JoinKind::Right => " Right",
                JoinKind::Full => " Full",
                JoinKind::Semi => " Semi",
                JoinKind::Anti => " Anti",
            };
            json.push(("Join Type", if k.is_empty() { "Inner".into() } else { k.trim().to_string() }));
            if hash {
                props.push(("Hash Cond".into(), names.cond(&spec.hash_ir)));
            }
            if !spec.cond_ir.is_empty() {
                props.push(("Join Filter".into(), names.cond(&spec.cond_ir)));
            }
            match (hash, k) {
                (true, "") => "Hash Join".into(),
                (true, k) => format!("Hash{k} Join"),
                (false, "") => "Nested Loop".into(),
                (false, k) => format!("Nested Loop{k} Join"),
            }
        }
        Kind::Materialize { .. } => {
            kind("Materialize");
            "Materialize".into()
        }
        Kind::Agg { spec, .. } => {
            kind("Aggregate");
            if !spec.group_ir.is_empty() {
                let keys: Vec<String> = spec.group_ir.iter().map(|e| names.expr(e)).collect();
                props.push(("Group Key".into(), keys.join(", ")));
            }
            match (spec.group_ir.is_empty(), spec.sorted, spec.sets.is_empty()) {
                (true, ..) => "Aggregate".into(),
                (_, true, _) => "GroupAggregate".into(),
                (_, _, true) => "HashAggregate".into(),
                _ => "MixedAggregate".into(),
            }
        }
        Kind::Sort { keys, .. } => {
            kind("Sort");
            props.push(("Sort Key".into(), names.keys(keys)));
            "Sort".into()
        }
        Kind::Limit { .. } => {
            kind("Limit");
            "Limit".into()
        }
        Kind::Window { .. } => {
            kind("WindowAgg");
            "WindowAgg".into()
        }
        Kind::Distinct { .. } => {
            kind("Aggregate");
            "HashAggregate".into()
        }
        Kind::SetOp { spec, .. } => {
            if spec.op == SetOp::Union {
                kind("Append");
                if spec.all { "Append".into() } else { "HashAggregate".to_string() }
            } else {
                kind("SetOp");
                let op = if spec.op == SetOp::Intersect { "Intersect" } else { "Except" };
                format!("HashSetOp {op}{}", if spec.all { " All" } else { "" })
            }
        }
        Kind::CteScan { name, .. } => {
            kind("CTE Scan");
            json.push(("CTE Name", name.clone()));
            format!("CTE Scan on {name}")
        }
        Kind::WorkTable { name, .. } => {
            kind("WorkTable Scan");
            format!("WorkTable Scan on {name}")
        }
        Kind::RecursiveUnion { .. } => {
            kind("Recursive Union");
            "Recursive Union".into()
        }
        Kind::Modify { spec, .. } => {
            kind("ModifyTable");
            let op = match &spec.op {
                ModifyKind::Insert { conflict, .. } => {
                    if let Some(c) = conflict {
                        props.push((
                            "Conflict Resolution".into(),
                            if c.update.is_some() { "UPDATE" } else { "NOTHING" }.into(),
                        ));
                    }
                    "Insert"
                }
                ModifyKind::Update { .. } => "Update",
                ModifyKind::Delete { .. } => "Delete",
            };
            json.push(("Operation", op.to_string()));
            json.push(("Relation Name", spec.table.name.clone()));
            format!("{op} on {}", spec.table.name)
        }
        Kind::LockRows { .. } => {
            kind("LockRows");
            "LockRows".into()
        }
    };
    let children = n.inputs().into_iter().map(|node| Child { node, label: None }).collect();
    Shown { node: n, title, json, props, children }
}

fn costs(n: &PNode) -> String {
    format!(
        "(cost={:.2}..{:.2} rows={} width={})",
        n.est.startup,
        n.est.total,
        n.est.rows.round().max(0.0),
        n.est.width
    )
}
fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

struct Printer<'a> {
    names: Names<'a>,
    opts: &'a ExplainOptions,
    run: Option<&'a RunStats>,
    out: Vec<String>,
}
impl<'a> Printer<'a> {
    fn actual(&self, n: &PNode) -> String {
        let Some(s) = self.run.and_then(|r| r.nodes.get(n.id)) else { return String::new() };
        if s.loops == 0 {
            return " (never executed)".into();
        }
        let l = s.loops as f64;
        let rows = (s.rows as f64 / l).round();
        if self.opts.timing {
            let first = if s.first_nanos == 0 { s.nanos } else { s.first_nanos };
            format!(" (actual time={:.3}..{:.3} rows={rows} loops={})", ms(first) / l, ms(s.nanos) / l, s.loops)
        } else {
            format!(" (actual rows={rows} loops={})", s.loops)
        }
    }
    fn text(&mut self, n: &'a PNode, depth: usize, label: Option<&str>) {
        let s = show(n, &self.names);
        // Level 0 starts at the margin; each deeper one is six further, its arrow in the middle.
        let (lead, pad) =
            if depth == 0 { (String::new(), 2) } else { (format!("{}->  ", " ".repeat(depth * 6 - 4)), depth * 6 + 2) };
        if let Some(l) = label {
            self.out.push(format!("{}{l}", " ".repeat(pad.saturating_sub(6))));
        }
        let mut line = format!("{lead}{}", s.title);
        if self.opts.costs {
            let _ = write!(line, "  {}", costs(s.node));
        }
        line.push_str(&self.actual(s.node));
        self.out.push(line);
        let pad = " ".repeat(pad);
        for (k, v) in &s.props {
            self.out.push(format!("{pad}{k}: {v}"));
        }
        // The counters of a projection's input belong to the node that is shown.
        let ids = [s.node.id, shown_id(s.node)];
        if let Some(st) = self.run.and_then(|r| r.nodes.get(ids[1])) {
            if st.removed > 0 {
                let what = if matches!(n.kind, Kind::NestLoop { .. } | Kind::HashJoin { .. }) {
                    "Join Filter"
                } else {
                    "Filter"
                };
                self.out.push(format!("{pad}Rows Removed by {what}: {}", st.removed / st.loops.max(1)));
            }
            if let Some(note) = &st.note {
                self.out.push(format!("{pad}{note}"));
            }
        }
        for c in s.children {
            self.text(c.node, depth + 1, c.label.as_deref());
        }
    }
    fn json(&self, n: &'a PNode, relation: Option<&str>) -> serde_json::Value {
        use serde_json::{Value, json};
        let s = show(n, &self.names);
        let mut m = serde_json::Map::new();
        for (k, v) in &s.json {
            m.insert((*k).into(), Value::String(v.clone()));
        }
        if let Some(r) = relation {
            m.insert("Parent Relationship".into(), json!(r));
        }
        if self.opts.costs {
            let round = |f: f64| (f * 100.0).round() / 100.0;
            m.insert("Startup Cost".into(), json!(round(s.node.est.startup)));
            m.insert("Total Cost".into(), json!(round(s.node.est.total)));
            m.insert("Plan Rows".into(), json!(s.node.est.rows.round() as u64));
            m.insert("Plan Width".into(), json!(s.node.est.width));
        }
        if let Some(st) = self.run.and_then(|r| r.nodes.get(s.node.id)) {
            let l = st.loops.max(1);
            if self.opts.timing {
                m.insert("Actual Startup Time".into(), json!(ms(st.first_nanos / l)));
                m.insert("Actual Total Time".into(), json!(ms(st.nanos / l)));
            }
            m.insert("Actual Rows".into(), json!(st.rows / l));
            m.insert("Actual Loops".into(), json!(st.loops));
            if st.removed > 0 {
                m.insert("Rows Removed by Filter".into(), json!(st.removed / l));
            }
        }
        for (k, v) in &s.props {
            m.insert(k.clone(), Value::String(v.clone()));
        }
        let kids: Vec<Value> = s
            .children
            .iter()
            .enumerate()
            .map(|(i, c)| self.json(c.node, Some(if i == 0 { "Outer" } else { "Inner" })))
            .collect();
        if !kids.is_empty() {
            m.insert("Plans".into(), Value::Array(kids));
        }
        Value::Object(m)
    }
}
fn shown_id(n: &PNode) -> usize {
    match &n.kind {
        Kind::Compute { input, .. } => shown_id(input),
        _ => n.id,
    }
}
fn relations(n: &PNode) -> usize {
    usize::from(matches!(n.kind, Kind::Scan(_) | Kind::Virtual(_) | Kind::CteScan { .. }))
        + n.inputs().into_iter().map(relations).sum::<usize>()
}

/// EXPLAIN's lines (text format) or one document (json).
pub fn explain(plan: &Plan, opts: &ExplainOptions, run: Option<&RunStats>) -> Vec<String> {
    let root = &plan.root;
    let total = relations(&root.node) + root.subs.iter().map(|s| relations(&s.node)).sum::<usize>();
    let names = Names { root, qualify: total > 1 };
    let mut p = Printer { names, opts, run, out: Vec::new() };
    if opts.json {
        let mut doc = serde_json::Map::new();
        doc.insert("Plan".into(), p.json(&root.node, None));
        if let Some(r) = run {
            doc.insert("Execution Time".into(), serde_json::json!(ms(r.total_nanos)));
        }
        let v = serde_json::Value::Array(vec![serde_json::Value::Object(doc)]);
        return vec![serde_json::to_string_pretty(&v).unwrap_or_default()];
    }
    p.text(&root.node, 0, None);
    for c in root.ctes.iter().flatten() {
        let l = format!("CTE {}", c.name);
        p.text(&c.node, 1, Some(&l));
    }
    for (i, s) in root.subs.iter().enumerate() {
        let l = if s.correlated { format!("SubPlan {}", i + 1) } else { format!("InitPlan {}", i + 1) };
        p.text(&s.node, 1, Some(&l));
    }
    p.out
}
