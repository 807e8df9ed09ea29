//! The two formats of EXPLAIN.
use super::*;

pub(super) struct Printer<'a> {
    pub opts: &'a ExplainOptions,
    pub run: Option<&'a RunStats>,
}

fn ms(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}
/// Pages found in memory, and read.
fn pages((touched, read): (u64, u64)) -> (u64, u64) {
    (touched.saturating_sub(read), read)
}

impl Printer<'_> {
    pub fn document(&self, item: &Item, t: &Timings) -> Vec<String> {
        match self.opts.format {
            ExplainFormat::Text => {}
            ExplainFormat::Json => {
                let v = serde_json::Value::Array(vec![serde_json::Value::Object(self.whole(item, t))]);
                return vec![serde_json::to_string_pretty(&v).unwrap_or_default()];
            }
            ExplainFormat::Xml => return vec![shape::xml(&self.whole(item, t))],
            ExplainFormat::Yaml => return vec![shape::yaml(&self.whole(item, t))],
        }
        let mut out = Vec::new();
        self.text(item, 0, &mut out);
        if self.opts.settings && !t.settings.is_empty() {
            let v: Vec<String> = t.settings.iter().map(|(k, v)| format!("{k} = '{v}'")).collect();
            out.push(format!("Settings: {}", v.join(", ")));
        }
        if self.opts.summary {
            out.push(format!("Planning Time: {:.3} ms", ms(t.planning_nanos)));
            if let Some(n) = t.execution_nanos {
                out.push(format!("Execution Time: {:.3} ms", ms(n)));
            }
        }
        out
    }
    fn stats(&self, id: usize) -> Option<&pamir_expr::plan::NodeStats> {
        self.run.and_then(|r| r.nodes.get(id))
    }
    fn actual(&self, item: &Item) -> String {
        let Some(s) = self.stats(item.id) else { return String::new() };
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
    /// `indent` is in PostgreSQL's steps of two columns.
    fn text(&self, item: &Item, mut indent: usize, out: &mut Vec<String>) {
        let mut line = String::new();
        if let Some(l) = &item.label {
            out.push(format!("{}{l}", "  ".repeat(indent)));
            indent += 1;
        }
        if indent > 0 {
            let _ = write!(line, "{}->  ", "  ".repeat(indent));
            indent += 2;
        }
        line.push_str(&item.title);
        if self.opts.costs {
            let e = &item.est;
            let rows = e.rows.round().max(0.0);
            let _ = write!(line, "  (cost={:.2}..{:.2} rows={rows} width={})", e.startup, e.total, e.width);
        }
        line.push_str(&self.actual(item));
        out.push(line);
        indent += 1;
        let pad = "  ".repeat(indent);
        if !item.output.is_empty() {
            out.push(format!("{pad}Output: {}", item.output.join(", ")));
        }
        for (k, v) in &item.props {
            out.push(format!("{pad}{k}: {v}"));
        }
        for (what, id) in &item.removed {
            if let Some(s) = self.stats(*id).filter(|s| s.removed > 0) {
                out.push(format!("{pad}Rows Removed by {what}: {}", s.removed / s.loops.max(1)));
            }
        }
        if let Some(note) = item.note.and_then(|n| self.stats(n)).and_then(|s| s.note.as_ref()) {
            out.push(format!("{pad}{note}"));
        }
        if self.opts.buffers
            && let Some(s) = self.stats(item.id)
        {
            let (hit, read) = pages(s.pages);
            let part = |name: &str, n: u64| if n > 0 { format!(" {name}={n}") } else { String::new() };
            if hit + read > 0 {
                out.push(format!("{pad}Buffers: shared{}{}", part("hit", hit), part("read", read)));
            }
        }
        for c in item.children.iter().chain(&item.subs) {
            self.text(c, indent, out);
        }
    }

    /// The document, for every format but text.
    fn whole(&self, item: &Item, t: &Timings) -> serde_json::Map<String, serde_json::Value> {
        use serde_json::json;
        let mut doc = serde_json::Map::new();
        doc.insert("Plan".into(), self.json(item, None));
        if self.opts.settings && !t.settings.is_empty() {
            let m = t.settings.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
            doc.insert("Settings".into(), serde_json::Value::Object(m));
        }
        if self.opts.summary {
            doc.insert("Planning Time".into(), json!(ms(t.planning_nanos)));
            if self.opts.analyze {
                doc.insert("Triggers".into(), json!([]));
            }
            if let Some(n) = t.execution_nanos {
                doc.insert("Execution Time".into(), json!(ms(n)));
            }
        }
        doc
    }
    fn json(&self, item: &Item, relation: Option<&str>) -> serde_json::Value {
        use serde_json::{Value, json};
        let mut m = serde_json::Map::new();
        for (k, v) in &item.json {
            m.insert((*k).into(), Value::String(v.clone()));
        }
        m.insert("Parallel Aware".into(), json!(false));
        m.insert("Async Capable".into(), json!(false));
        if let Some(r) = relation {
            m.insert("Parent Relationship".into(), json!(r));
        }
        if let Some(l) = &item.label {
            m.insert("Subplan Name".into(), json!(l));
        }
        if self.opts.costs {
            let round = |f: f64| (f * 100.0).round() / 100.0;
            m.insert("Startup Cost".into(), json!(round(item.est.startup)));
            m.insert("Total Cost".into(), json!(round(item.est.total)));
            m.insert("Plan Rows".into(), json!(item.est.rows.round() as u64));
            m.insert("Plan Width".into(), json!(item.est.width));
        }
        if let Some(s) = self.stats(item.id) {
            let l = s.loops.max(1);
            if self.opts.timing {
                m.insert("Actual Startup Time".into(), json!(ms(s.first_nanos / l)));
                m.insert("Actual Total Time".into(), json!(ms(s.nanos / l)));
            }
            m.insert("Actual Rows".into(), json!(s.rows / l));
            m.insert("Actual Loops".into(), json!(s.loops));
            if self.opts.buffers {
                let (hit, read) = pages(s.pages);
                m.insert("Shared Hit Blocks".into(), json!(hit));
                m.insert("Shared Read Blocks".into(), json!(read));
            }
        }
        if !item.output.is_empty() {
            m.insert("Output".into(), json!(item.output));
        }
        for (what, id) in &item.removed {
            if let Some(s) = self.stats(*id).filter(|s| s.removed > 0) {
                m.insert(format!("Rows Removed by {what}"), json!(s.removed / s.loops.max(1)));
            }
        }
        if let Some(note) = item.note.and_then(|n| self.stats(n)).and_then(|s| s.note.as_ref()) {
            for part in note.split("  ") {
                if let Some((k, v)) = part.split_once(": ") {
                    let v = v.strip_suffix("kB").map_or_else(|| v.to_string(), str::to_string);
                    m.insert(k.to_string(), v.parse::<u64>().map_or_else(|_| json!(v), |n| json!(n)));
                }
            }
        }
        for (k, v) in &item.props {
            m.insert(k.clone(), Value::String(v.clone()));
        }
        let mut plain = 0;
        let mut kids: Vec<Value> = Vec::new();
        for c in item.children.iter().chain(&item.subs) {
            let relation = match &c.label {
                Some(l) if l.starts_with("SubPlan") => "SubPlan",
                Some(_) => "InitPlan",
                None => {
                    plain += 1;
                    if plain == 1 { "Outer" } else { "Inner" }
                }
            };
            kids.push(self.json(c, Some(relation)));
        }
        if !kids.is_empty() {
            m.insert("Plans".into(), Value::Array(kids));
        }
        Value::Object(m)
    }
}
