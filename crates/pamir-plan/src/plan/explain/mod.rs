//! EXPLAIN: PostgreSQL's text layout and JSON.
//!
//! ```text
//! Nested Loop  (cost=0.45..20.10 rows=3 width=8) (actual time=0.010..0.022 rows=3 loops=1)
//!   CTE w                                     what the level needs first: CTEs, then InitPlans
//!     ->  Seq Scan on s
//!   ->  Index Scan using t_pkey on t
//!         Index Cond: (id = 5)
//!         Filter: (a = (SubPlan 2))
//!         SubPlan 2                           under the node whose expressions use it
//!           ->  Aggregate
//! ```
//! A plan is first turned into a tree of [`Item`]s; [`print`] writes that in either format. Sub-plans that are computed once (InitPlans) stand at the top of
//! their query level and are `$0`, `$1` in expressions; others are named where they are used. Projections and most filters are part of the node
//! below, as PostgreSQL has it.
use super::*;
use pamir_catalog::NameScope;
use pamir_expr::deparse::{Naming, deparse};
use pamir_expr::plan::RunStats;
use pamir_expr::plan::walk::px_subs;
use pamir_storage::store::Dir;
use std::collections::BTreeMap;
use std::fmt::Write;

mod print;
mod shape;

/// How the plan is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExplainFormat {
    #[default]
    Text,
    Json,
    Xml,
    Yaml,
}

#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    pub analyze: bool,
    pub verbose: bool,
    pub costs: bool,
    pub buffers: bool,
    pub timing: bool,
    pub summary: bool,
    pub settings: bool,
    pub wal: bool,
    pub format: ExplainFormat,
}

/// What stands below the plan.
#[derive(Default)]
pub struct Timings {
    pub planning_nanos: u64,
    pub execution_nanos: Option<u64>,
    /// Settings that plans depend on and that are not as they come.
    pub settings: Vec<(String, String)>,
}

/// A node as it is shown.
struct Item {
    /// `SubPlan 1`, `InitPlan 1 (returns $0)`, `CTE w`
    label: Option<String>,
    /// `Index Scan using t_pkey on t`
    title: String,
    /// (name, value) for JSON: node type first.
    json: Vec<(&'static str, String)>,
    props: Vec<(String, String)>,
    /// What its rows have, if that is to be shown.
    output: Vec<String>,
    est: Est,
    /// Whose counters are shown.
    id: usize,
    /// Nodes whose counters say how many rows a condition removed.
    removed: Vec<(&'static str, usize)>,
    /// The node whose remark (`Sort Method: ...`) is shown.
    note: Option<usize>,
    children: Vec<Item>,
    subs: Vec<Item>,
}

/// Columns from here on stand for sub-plans in expressions.
const SUB_COLS: u32 = 1 << 31;

struct Builder<'a> {
    root: &'a Root,
    params: &'a [Datum],
    /// What users' functions are named with.
    names: (&'a Catalog, &'a NameScope),
    /// More than one relation: columns are qualified.
    qualify: bool,
    verbose: bool,
    /// What outputs of aggregates are called.
    aggs: FxHashMap<u32, String>,
    /// What keys of groups are, of which each has a slot of its own.
    groups: FxHashMap<u32, String>,
    /// Sub-plans met so far: how they stand in expressions.
    shown: BTreeMap<usize, (usize, String)>,
    /// Plans numbered, and values of `$n` given out.
    numbered: usize,
    values: usize,
    /// InitPlans of the query level in hand.
    inits: Vec<usize>,
}
impl Builder<'_> {
    fn expr(&self, e: &Expr) -> String {
        let mut e = e.clone();
        self.resolve(&mut e);
        // What is no identifier goes through between marks, so that its quotes can be taken off.
        let raw = |s: &str| format!("\u{1}{s}\u{2}");
        let name = |c| {
            if c >= SUB_COLS {
                return self.shown.get(&((c - SUB_COLS) as usize)).map_or_else(|| "?".into(), |s| raw(&s.1));
            }
            if let Some(a) = self.aggs.get(&c) {
                return raw(a);
            }
            match self.root.names.get(&c) {
                Some((a, n)) if self.qualify && !a.is_empty() => format!("{a}.{n}"),
                Some((_, n)) => n.clone(),
                None => format!("c{c}"),
            }
        };
        let text = deparse(&e, &name, Naming::Short(self.names.0, self.names.1));
        text.replace("\"\u{1}", "").replace("\u{2}\"", "").replace(['\u{1}', '\u{2}'], "")
    }
    /// Puts names in place of sub-plans, values in place of parameters.
    fn resolve(&self, e: &mut Expr) {
        match e {
            Expr::Subquery(s) => {
                let ids: Vec<ColId> = rel_cols(&s.rel).iter().map(|c| c.id).collect();
                let ty = s.ty;
                // The newest one: an expression that was compiled for several candidate plans has several.
                let sub = self.shown.keys().rev().find(|i| self.root.subs.get(**i).is_some_and(|s| s.ids == ids));
                if let Some(i) = sub {
                    *e = Expr::Col(SUB_COLS + *i as u32, ty);
                }
            }
            Expr::Param(n, ty) => {
                if let Some(d) = self.params.get(*n as usize) {
                    *e = Expr::Const(d.clone(), *ty);
                }
            }
            _ => expr::children_mut(e, &mut |x| self.resolve(x)),
        }
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
                let plain = matches!(&k.ir, Expr::Col(c, _) if !self.aggs.contains_key(c));
                let mut s = self.expr(&k.ir);
                if !(plain || s.starts_with('(') && balanced(&s)) {
                    s = format!("({s})");
                }
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
    /// Names what aggregates put out, from the bottom up.
    fn name_aggs(&mut self, n: &PNode) {
        n.inputs().into_iter().for_each(|i| self.name_aggs(i));
        if let Kind::Window { spec, .. } = &n.kind {
            for c in &spec.calls {
                let name = match &c.f {
                    WindowFn::Agg(a) => a.name.to_string(),
                    f => format!("{f:?}").chars().fold(String::new(), |s, c| {
                        match c.is_ascii_uppercase() && !s.is_empty() {
                            true => s + "_" + &c.to_ascii_lowercase().to_string(),
                            false => s + &c.to_ascii_lowercase().to_string(),
                        }
                    }),
                };
                // Arguments are compiled: PostgreSQL shows a `?` for the window, too.
                let args = if c.args.is_empty() && matches!(c.f, WindowFn::Agg(_)) { "*" } else { "" };
                self.aggs.insert(c.slot, format!("{name}({args}) OVER (?)"));
            }
        }
        if let Kind::Agg { spec, .. } = &n.kind {
            for ((_, _, slot), e) in std::iter::zip(&spec.groups, &spec.group_ir) {
                let text = self.expr(e);
                self.groups.insert(*slot, text);
            }
            for a in &spec.aggs {
                let args: Vec<String> = a.ir.iter().map(|e| self.expr(e)).collect();
                let (distinct, args) = (if a.distinct { "DISTINCT " } else { "" }, args.join(", "));
                let args = if a.ir.is_empty() { "*".into() } else { args };
                let order =
                    if a.order_by.is_empty() { String::new() } else { format!(" ORDER BY {}", self.keys(&a.order_by)) };
                self.aggs.insert(a.slot, format!("{}({distinct}{args}{order})", a.f.name));
            }
        }
    }
    /// A whole query level.
    fn level(&mut self, n: &PNode, label: Option<String>) -> Item {
        let outer = std::mem::take(&mut self.inits);
        let mut item = self.item(n);
        item.label = label;
        let inits = std::mem::replace(&mut self.inits, outer);
        let mut first = Vec::new();
        for i in inits {
            let (Some(s), Some((number, value))) = (self.root.subs.get(i), self.shown.get(&i).cloned()) else {
                continue;
            };
            first.push(self.level(&s.node, Some(format!("InitPlan {number} (returns {value})"))));
        }
        item.children.splice(0..0, first);
        item
    }
    /// Numbers the sub-plans that the node's own expressions use; those to be shown under it.
    fn own_subs(&mut self, n: &PNode) -> Vec<usize> {
        let (mut all, mut own) = (Vec::new(), Vec::new());
        n.each_px(&mut |p| px_subs(p, &mut all));
        for i in all {
            let Some(s) = self.root.subs.get(i) else { continue };
            if self.shown.contains_key(&i) {
                continue;
            }
            self.numbered += 1;
            let number = self.numbered;
            let any = matches!(s.kind, SubKind::Any { .. });
            if !s.correlated && !any {
                self.shown.insert(i, (number, format!("${}", self.values)));
                self.values += 1;
                self.inits.push(i);
                continue;
            }
            let hashed = matches!(s.kind, SubKind::Any { hashable: true, all: false, .. }) && !s.correlated;
            let name = format!("({}SubPlan {number})", if hashed { "hashed " } else { "" });
            self.shown.insert(i, (number, name));
            own.push(i);
        }
        own
    }
    fn sub_items(&mut self, own: Vec<usize>) -> Vec<Item> {
        let mut out = Vec::new();
        for i in own {
            let (Some(s), Some((number, _))) = (self.root.subs.get(i), self.shown.get(&i).cloned()) else { continue };
            out.push(self.level(&s.node, Some(format!("SubPlan {number}"))));
        }
        out
    }
    fn item(&mut self, n: &PNode) -> Item {
        let own = self.own_subs(n);
        let mut item = match &n.kind {
            // Projection is part of the node below.
            Kind::Compute { input, .. } | Kind::Ordered { input, .. } | Kind::With { input, .. } => {
                Item { est: n.est, ..self.item(input) }
            }
            Kind::Filter { input, ir, .. } if takes_filter(input) => {
                let cond = self.cond(ir);
                let name = if matches!(input.kind, Kind::One) { "One-Time Filter" } else { "Filter" };
                let mut i = self.item(input);
                i.props.push((name.into(), cond));
                i.removed.push(("Filter", n.id));
                Item { est: n.est, id: n.id, ..i }
            }
            Kind::SetOp { spec, .. } if spec.op == SetOp::Union && spec.all => self.append(n),
            _ => self.node(n),
        };
        let subs = self.sub_items(own);
        item.subs.extend(subs);
        item.output = self.output(&n.out);
        if matches!(n.kind, Kind::Modify { .. }) {
            item.output.clear();
        }
        item
    }
    /// What slots hold, as VERBOSE shows it. Slots of a column under several names are shown once.
    fn output(&self, slots: &[u32]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for s in slots.iter().filter(|_| self.verbose) {
            let known = self.aggs.contains_key(s) || self.root.names.contains_key(s);
            let text = match self.root.computed.get(s) {
                Some(e) => self.expr(e),
                None if let Some(key) = self.groups.get(s) => key.clone(),
                None if known => self.expr(&Expr::Col(*s, Type::UNKNOWN)),
                None => continue,
            };
            out.push(text);
        }
        out
    }
    /// UNION ALL and what is below it of that kind as one node; arms that are known to have no rows are not shown.
    fn append(&mut self, n: &PNode) -> Item {
        fn arms<'n>(n: &'n PNode, out: &mut Vec<&'n PNode>) {
            match &n.kind {
                Kind::SetOp { spec, left, right } if spec.op == SetOp::Union && spec.all => {
                    arms(left, out);
                    arms(right, out);
                }
                _ if super::is_nothing(n) => {}
                _ => out.push(n),
            }
        }
        let mut all = Vec::new();
        arms(n, &mut all);
        if let [one] = all.as_slice() {
            return Item { est: n.est, ..self.item(one) };
        }
        let Described { title, json, props } = self.describe(n);
        let children = all.into_iter().map(|a| self.item(a)).collect();
        let (est, id) = (n.est, n.id);
        Item {
            label: None,
            title,
            json,
            props,
            output: Vec::new(),
            est,
            id,
            removed: Vec::new(),
            note: Some(id),
            children,
            subs: Vec::new(),
        }
    }
    fn node(&mut self, n: &PNode) -> Item {
        let Described { title, json, props } = self.describe(n);
        let join = matches!(n.kind, Kind::NestLoop { .. } | Kind::HashJoin { .. });
        let mut item = Item {
            label: None,
            title,
            json,
            props,
            output: Vec::new(),
            est: n.est,
            id: n.id,
            removed: vec![(if join { "Join Filter" } else { "Filter" }, n.id)],
            note: Some(n.id),
            children: n.inputs().into_iter().map(|i| self.item(i)).collect(),
            subs: Vec::new(),
        };
        if let Kind::HashJoin { right, .. } = &n.kind
            && let Some(build) = item.children.pop()
        {
            // The hash table is a node of its own, which says how large it became.
            let est = Est { startup: right.est.total, ..right.est };
            item.children.push(Item {
                label: None,
                title: "Hash".into(),
                json: vec![("Node Type", "Hash".into())],
                props: Vec::new(),
                output: build.output.clone(),
                est,
                id: build.id,
                removed: Vec::new(),
                note: item.note.take(),
                children: vec![build],
                subs: Vec::new(),
            });
        }
        item
    }
    fn describe(&self, n: &PNode) -> Described {
        let mut d = Described::default();
        d.title = match &n.kind {
            Kind::One | Kind::Empty => {
                d.kind("Result");
                if matches!(n.kind, Kind::Empty) {
                    d.props.push(("One-Time Filter".into(), "false".into()));
                }
                "Result".to_string()
            }
            Kind::Scan(s) => self.describe_scan(s, &mut d),
            Kind::Values(v) if v.rows.len() == 1 => {
                d.kind("Result");
                "Result".into()
            }
            Kind::Values(_) => {
                d.kind("Values Scan");
                "Values Scan on \"*VALUES*\"".into()
            }
            Kind::Virtual(v) => {
                d.kind("Seq Scan");
                d.json.push(("Relation Name", v.table.name.to_string()));
                if !v.filter_ir.is_empty() {
                    d.props.push(("Filter".into(), self.cond(&v.filter_ir)));
                }
                format!("Seq Scan {}", on(v.table.name, &v.alias))
            }
            Kind::Function(f) if f.f.name == pamir_expr::func::xml::TABLE => {
                d.kind("Table Function Scan");
                "Table Function Scan on \"xmltable\"".into()
            }
            Kind::Function(f) => {
                d.kind("Function Scan");
                format!("Function Scan on {}", f.f.name)
            }
            Kind::SideBySide { .. } => {
                d.kind("Function Scan");
                "Function Scan on ROWS FROM".into()
            }
            Kind::Filter { ir, .. } => {
                d.kind("Result");
                d.props.push(("Filter".into(), self.cond(ir)));
                "Result".into()
            }
            Kind::Compute { .. } | Kind::Ordered { .. } | Kind::With { .. } => {
                d.kind("Result");
                "Result".into()
            }
            Kind::ProjectSet { .. } => {
                d.kind("ProjectSet");
                "ProjectSet".into()
            }
            Kind::NestLoop { spec, .. } => self.describe_join(spec, false, &mut d),
            Kind::HashJoin { spec, .. } => self.describe_join(spec, true, &mut d),
            Kind::Materialize { .. } => {
                d.kind("Materialize");
                "Materialize".into()
            }
            Kind::Agg { spec, .. } => self.describe_agg(spec, &mut d),
            Kind::Sort { keys, presorted, .. } => {
                let name = if *presorted > 0 { "Incremental Sort" } else { "Sort" };
                d.kind(name);
                d.props.push(("Sort Key".into(), self.keys(keys)));
                if *presorted > 0 {
                    d.props.push(("Presorted Key".into(), self.keys(&keys[..*presorted])));
                }
                name.into()
            }
            Kind::Limit { .. } => {
                d.kind("Limit");
                "Limit".into()
            }
            Kind::Window { .. } => {
                d.kind("WindowAgg");
                "WindowAgg".into()
            }
            Kind::Distinct { sorted: true, .. } => {
                d.kind("Unique");
                "Unique".into()
            }
            Kind::Distinct { keys, .. } => {
                d.kind("Aggregate");
                let slots = keys.iter().map(|(k, t)| if let Px::Slot(s) = k { Some(Expr::Col(*s, *t)) } else { None });
                if let Some(v) = slots.collect::<Option<Vec<_>>>() {
                    let v: Vec<String> = v.iter().map(|e| self.expr(e)).collect();
                    d.props.push(("Group Key".into(), v.join(", ")));
                }
                "HashAggregate".into()
            }
            Kind::SetOp { spec, .. } => describe_set_operation(spec, &mut d),
            Kind::Append { keys, one_by_one, .. } if !keys.is_empty() && !one_by_one => {
                d.kind("Merge Append");
                d.props.push(("Sort Key".into(), self.keys(keys)));
                "Merge Append".into()
            }
            Kind::Append { .. } => {
                d.kind("Append");
                "Append".into()
            }
            Kind::CteScan { name, .. } => {
                d.kind("CTE Scan");
                d.json.push(("CTE Name", name.clone()));
                format!("CTE Scan on {name}")
            }
            Kind::WorkTable { name, .. } => {
                d.kind("WorkTable Scan");
                format!("WorkTable Scan on {name}")
            }
            Kind::RecursiveUnion { .. } => {
                d.kind("Recursive Union");
                "Recursive Union".into()
            }
            Kind::Modify { spec, .. } => describe_modify(spec, &mut d),
            Kind::LockRows { .. } => {
                d.kind("LockRows");
                "LockRows".into()
            }
        };
        d
    }
    fn describe_agg(&self, spec: &AggSpec, d: &mut Described) -> String {
        d.kind("Aggregate");
        if !spec.group_ir.is_empty() {
            let keys: Vec<String> = spec.group_ir.iter().map(|e| self.expr(e)).collect();
            d.props.push(("Group Key".into(), keys.join(", ")));
        }
        match (spec.group_ir.is_empty(), spec.sorted, spec.sets.is_empty()) {
            (true, ..) => "Aggregate".into(),
            (_, true, _) => "GroupAggregate".into(),
            (_, _, true) => "HashAggregate".into(),
            _ => "MixedAggregate".into(),
        }
    }
    fn describe_scan(&self, s: &ScanSpec, d: &mut Described) -> String {
        let schema = self.names.0.schema(s.table.schema).map_or("", |n| n.name.as_str());
        let target = match self.verbose {
            true => {
                let alias = if s.alias.is_empty() { &s.table.name } else { &s.alias };
                let alias = if *alias == s.table.name { String::new() } else { format!(" {alias}") };
                format!("on {schema}.{}{alias}", s.table.name)
            }
            false => on(&s.table.name, &s.alias),
        };
        let t = match s.index {
            None if !s.union.is_empty() => {
                d.kind("Index Union Scan");
                let name = |i: &usize| s.table.indexes.get(*i).map_or("?", |i| i.name.as_str());
                let mut names: Vec<&str> = Vec::new();
                for n in s.union.iter().map(|u| name(&u.0)) {
                    if !names.contains(&n) {
                        names.push(n);
                    }
                }
                format!("Index Union Scan using {} {target}", names.join(", "))
            }
            None if let Some(i) = &s.inverted => {
                let name = s.table.indexes.get(i.index).map_or("?", |i| i.name.as_str());
                d.kind("Inverted Index Scan");
                format!("Inverted Index Scan using {name} {target}")
            }
            None if s.places.is_some() => {
                d.kind("Tid Scan");
                format!("Tid Scan {target}")
            }
            None => {
                d.kind("Seq Scan");
                format!("Seq Scan {target}")
            }
            Some(i) => {
                let name = s.table.indexes.get(i).map_or("?", |i| i.name.as_str());
                let what = if s.only { "Index Only Scan" } else { "Index Scan" };
                d.kind(what);
                let back = if s.dir == Dir::Backward { " Backward" } else { "" };
                format!("{what}{back} using {name} {target}")
            }
        };
        if let Some(i) = s.index {
            d.json.push(("Scan Direction", if s.dir == Dir::Backward { "Backward" } else { "Forward" }.to_string()));
            d.json.push(("Index Name", s.table.indexes.get(i).map_or("?", |i| i.name.as_str()).to_string()));
        }
        d.json.push(("Relation Name", s.table.name.clone()));
        if self.verbose {
            d.json.push(("Schema", schema.into()));
        }
        d.json.push(("Alias", s.alias.clone()));
        if !s.cond_ir.is_empty() {
            d.props.push((if s.places.is_some() { "TID Cond" } else { "Index Cond" }.into(), self.cond(&s.cond_ir)));
        }
        if !s.filter_ir.is_empty() {
            d.props.push(("Filter".into(), self.cond(&s.filter_ir)));
        }
        t
    }
    fn describe_join(&self, spec: &JoinSpec, hash: bool, d: &mut Described) -> String {
        d.kind(if hash { "Hash Join" } else { "Nested Loop" });
        let k = match spec.kind {
            JoinKind::Inner | JoinKind::Cross => "",
            JoinKind::Left => " Left",
            JoinKind::Right => " Right",
            JoinKind::Full => " Full",
            JoinKind::Semi => " Semi",
            JoinKind::Anti => " Anti",
        };
        d.json.push(("Join Type", if k.is_empty() { "Inner".into() } else { k.trim().to_string() }));
        if hash {
            d.props.push(("Hash Cond".into(), self.cond(&spec.hash_ir)));
        }
        if !spec.cond_ir.is_empty() {
            d.props.push(("Join Filter".into(), self.cond(&spec.cond_ir)));
        }
        match (hash, k) {
            (true, "") => "Hash Join".into(),
            (true, k) => format!("Hash{k} Join"),
            (false, "") => "Nested Loop".into(),
            (false, k) => format!("Nested Loop{k} Join"),
        }
    }
}
fn describe_set_operation(spec: &SetOpSpec, d: &mut Described) -> String {
    if spec.op == SetOp::Union {
        d.kind("Append");
        if spec.all { "Append".into() } else { "HashAggregate".to_string() }
    } else {
        d.kind("SetOp");
        let op = if spec.op == SetOp::Intersect { "Intersect" } else { "Except" };
        format!("HashSetOp {op}{}", if spec.all { " All" } else { "" })
    }
}
fn describe_modify(spec: &ModifySpec, d: &mut Described) -> String {
    d.kind("ModifyTable");
    let op = match &spec.op {
        ModifyKind::Insert { conflict, .. } => {
            if let Some(c) = conflict {
                d.props
                    .push(("Conflict Resolution".into(), if c.update.is_some() { "UPDATE" } else { "NOTHING" }.into()));
            }
            "Insert"
        }
        ModifyKind::Update { .. } => "Update",
        ModifyKind::Delete { .. } => "Delete",
        ModifyKind::Merge { .. } => "Merge",
    };
    d.json.push(("Operation", op.to_string()));
    d.json.push(("Relation Name", spec.table.name.clone()));
    format!("{op} on {}", spec.table.name)
}

/// What is said of a node.
#[derive(Default)]
struct Described {
    title: String,
    /// Properties that only the structured formats have
    json: Vec<(&'static str, String)>,
    props: Vec<(String, String)>,
}
impl Described {
    fn kind(&mut self, k: &str) {
        self.json.push(("Node Type", k.to_string()));
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

/// Does PostgreSQL show a condition on such a node's rows with the node?
fn takes_filter(n: &PNode) -> bool {
    match &n.kind {
        Kind::Compute { input, .. } | Kind::Ordered { input, .. } | Kind::With { input, .. } => takes_filter(input),
        Kind::Scan(s) => s.filter_ir.is_empty(),
        Kind::CteScan { .. }
        | Kind::WorkTable { .. }
        | Kind::Function(_)
        | Kind::SideBySide { .. }
        | Kind::Values(_)
        | Kind::One
        | Kind::Agg { .. }
        | Kind::NestLoop { .. }
        | Kind::HashJoin { .. } => true,
        _ => false,
    }
}
fn relations(n: &PNode) -> usize {
    usize::from(matches!(n.kind, Kind::Scan(_) | Kind::Virtual(_) | Kind::CteScan { .. }))
        + n.inputs().into_iter().map(relations).sum::<usize>()
}

/// EXPLAIN's lines (text format) or one document (json). `params` are shown in the parameters' places.
pub fn explain(
    plan: &Plan,
    opts: &ExplainOptions,
    params: &[Datum],
    run: Option<&RunStats>,
    t: &Timings,
    names: (&Catalog, &NameScope),
) -> Vec<String> {
    let root = &plan.root;
    let ctes = root.ctes.iter().flatten();
    let total = relations(&root.node)
        + root.subs.iter().map(|s| relations(&s.node)).sum::<usize>()
        + ctes.clone().map(|c| relations(&c.node)).sum::<usize>();
    let n = ctes.clone().count();
    let mut b = Builder {
        root,
        params,
        names,
        qualify: total > 1 || opts.verbose,
        verbose: opts.verbose,
        aggs: FxHashMap::default(),
        groups: FxHashMap::default(),
        shown: BTreeMap::new(),
        // CTEs are numbered and have a value, too, which nobody sees.
        numbered: n,
        values: n,
        inits: Vec::new(),
    };
    ctes.clone().for_each(|c| b.name_aggs(&c.node));
    root.subs.iter().for_each(|s| b.name_aggs(&s.node));
    b.name_aggs(&root.node);
    let mut item = b.level(&root.node, None);
    if !root.out.is_empty() && !matches!(root.node.kind, Kind::Modify { .. }) {
        item.output = b.output(&root.out);
    }
    let mut first = Vec::new();
    for c in ctes {
        first.push(b.level(&c.node, Some(format!("CTE {}", c.name))));
    }
    item.children.splice(0..0, first);
    print::Printer { opts, run }.document(&item, t)
}
