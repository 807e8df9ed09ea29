//! OpenMetrics' text format, version 1.0: families with type, unit and help, then their samples; counters end in `_total`, the whole in `# EOF`.
//!
//! Invariants: a family's samples stand together, its unit is the end of its name, no name comes twice ([`Exposition::family`] leaves a second one out).
use std::collections::BTreeSet;
use std::fmt::Write;

/// What `/metrics` is served as.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Counter,
    Gauge,
    Histogram,
    Info,
}
impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
            Kind::Info => "info",
        }
    }
}

#[derive(Default)]
pub struct Exposition {
    out: String,
    names: BTreeSet<String>,
}
/// Takes one family's samples.
pub struct Family<'a> {
    out: &'a mut String,
    name: String,
    kind: Kind,
}

fn escaped(s: &str) -> String {
    s.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
/// `{a="1",b="2"}`, or nothing.
fn labels(pairs: &[(&str, &str)]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let all: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}=\"{}\"", escaped(v))).collect();
    format!("{{{}}}", all.join(","))
}

impl Exposition {
    /// `name` without `pamir_` and `_total`; its end is the unit where there is one.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str, samples: impl FnOnce(&mut Family)) {
        let name = format!("pamir_{name}");
        if !self.names.insert(name.clone()) {
            debug_assert!(false, "{name} twice");
            return;
        }
        let _ = writeln!(self.out, "# TYPE {name} {}", kind.name());
        if let Some(unit) = ["seconds", "bytes"].into_iter().find(|u| name.ends_with(&format!("_{u}"))) {
            let _ = writeln!(self.out, "# UNIT {name} {unit}");
        }
        let _ = writeln!(self.out, "# HELP {name} {}", escaped(help));
        samples(&mut Family { out: &mut self.out, name, kind });
    }
    /// A family of one sample.
    pub fn one(&mut self, name: &str, kind: Kind, help: &str, value: f64) {
        self.family(name, kind, help, |f| f.sample(&[], value));
    }
    pub fn finish(mut self) -> String {
        self.out.push_str("# EOF\n");
        self.out
    }
}
impl Family<'_> {
    pub fn sample(&mut self, of: &[(&str, &str)], value: f64) {
        let suffix = match self.kind {
            Kind::Counter => "_total",
            Kind::Info => "_info",
            Kind::Gauge | Kind::Histogram => "",
        };
        let _ = writeln!(self.out, "{}{suffix}{} {value}", self.name, labels(of));
    }
    /// `upto`: (bound, samples no greater), ascending.
    pub fn histogram(&mut self, of: &[(&str, &str)], upto: &[(f64, u64)], count: u64, sum: f64) {
        let name = &self.name;
        for (bound, n) in upto {
            let le = format!("{bound:?}");
            let _ = writeln!(self.out, "{name}_bucket{} {n}", labels(&[of, &[("le", &*le)]].concat()));
        }
        let _ = writeln!(self.out, "{name}_bucket{} {count}", labels(&[of, &[("le", "+Inf")]].concat()));
        let _ = writeln!(self.out, "{name}_count{} {count}\n{name}_sum{} {sum}", labels(of), labels(of));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_format_says() {
        let mut e = Exposition::default();
        e.one("up", Kind::Gauge, "Is it?", 1.0);
        e.family("wait_seconds", Kind::Counter, "How \"long\"\nit took.", |f| f.sample(&[("of", "a\"b\\")], 0.5));
        e.family("t_seconds", Kind::Histogram, "T.", |f| f.histogram(&[("kind", "x")], &[(0.5, 1), (1.0, 3)], 4, 9.25));
        assert_eq!(
            e.finish(),
            "# TYPE pamir_up gauge\n# HELP pamir_up Is it?\npamir_up 1\n\
             # TYPE pamir_wait_seconds counter\n# UNIT pamir_wait_seconds seconds\n# HELP pamir_wait_seconds How \\\"long\\\"\\nit took.\n\
             pamir_wait_seconds_total{of=\"a\\\"b\\\\\"} 0.5\n\
             # TYPE pamir_t_seconds histogram\n# UNIT pamir_t_seconds seconds\n# HELP pamir_t_seconds T.\n\
             pamir_t_seconds_bucket{kind=\"x\",le=\"0.5\"} 1\npamir_t_seconds_bucket{kind=\"x\",le=\"1.0\"} 3\n\
             pamir_t_seconds_bucket{kind=\"x\",le=\"+Inf\"} 4\npamir_t_seconds_count{kind=\"x\"} 4\npamir_t_seconds_sum{kind=\"x\"} 9.25\n# EOF\n"
        );
    }
}
