//! EXPLAIN's document as XML and YAML, in PostgreSQL's shapes (explain.c): both are written from the JSON document, whose keys are the names of properties.
//!
//! ```text
//! JSON  [{"Plan": {"Node Type": "Sort", "Plans": [{...}]}, "Planning Time": 0.1}]
//! XML   <explain xmlns="..."><Query><Plan><Node-Type>Sort</Node-Type><Plans><Plan>...</Plan></Plans></Plan><Planning-Time>0.1</Planning-Time></Query></explain>
//! YAML  - Plan:  /  Node Type: "Sort"  /  Plans:  /  - Node Type: ...
//! ```
use serde_json::{Map, Value};
use std::fmt::Write;

type Object = Map<String, Value>;

const NAMESPACE: &str = "http://www.postgresql.org/2009/explain";

fn spaces(depth: usize) -> String {
    "  ".repeat(depth)
}
/// A number or truth as it stands; None: a text, an object or a list.
fn plain(v: &Value) -> Option<String> {
    match v {
        Value::Bool(b) => Some(b.to_string()),
        Value::Number(n) => Some(n.to_string()),
        Value::Null => Some(String::new()),
        _ => None,
    }
}

pub fn xml(document: &Object) -> String {
    let mut out = format!("<explain xmlns=\"{NAMESPACE}\">\n  <Query>\n");
    xml_members(document, 2, &mut out);
    out.push_str("  </Query>\n</explain>");
    out
}
fn tag(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars().map(|c| if allowed(c) { c } else { '-' }).collect()
}
fn xml_text(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\r' => out.push_str("&#x0d;"),
            c => out.push(c),
        }
    }
    out
}
fn xml_members(o: &Object, depth: usize, out: &mut String) {
    for (name, v) in o {
        xml_value(&tag(name), v, depth, out);
    }
}
fn xml_value(tag: &str, v: &Value, depth: usize, out: &mut String) {
    let indent = spaces(depth);
    match v {
        Value::Object(o) => {
            let _ = writeln!(out, "{indent}<{tag}>");
            xml_members(o, depth + 1, out);
            let _ = writeln!(out, "{indent}</{tag}>");
        }
        Value::Array(items) => {
            let each = match tag {
                "Plans" => "Plan",
                "Triggers" => "Trigger",
                _ => "Item",
            };
            let _ = writeln!(out, "{indent}<{tag}>");
            items.iter().for_each(|i| xml_value(each, i, depth + 1, out));
            let _ = writeln!(out, "{indent}</{tag}>");
        }
        Value::String(s) => {
            let _ = writeln!(out, "{indent}<{tag}>{}</{tag}>", xml_text(s));
        }
        v => {
            let _ = writeln!(out, "{indent}<{tag}>{}</{tag}>", plain(v).unwrap_or_default());
        }
    }
}

pub fn yaml(document: &Object) -> String {
    let mut out = String::from("- ");
    yaml_members(document, 1, &mut out);
    out.trim_end_matches('\n').to_string()
}
/// The first member stands where the writer is, those after it on lines of their own.
fn yaml_members(o: &Object, depth: usize, out: &mut String) {
    for (i, (name, v)) in o.iter().enumerate() {
        if i > 0 {
            out.push_str(&spaces(depth));
        }
        let _ = write!(out, "{name}: ");
        match v {
            Value::Object(inner) => {
                let _ = write!(out, "\n{}", spaces(depth + 1));
                yaml_members(inner, depth + 1, out);
            }
            Value::Array(items) => {
                out.push('\n');
                for i in items {
                    let _ = write!(out, "{}- ", spaces(depth + 1));
                    match i {
                        Value::Object(inner) => yaml_members(inner, depth + 2, out),
                        i => {
                            let _ = writeln!(out, "{}", yaml_scalar(i));
                        }
                    }
                }
            }
            v => {
                let _ = writeln!(out, "{}", yaml_scalar(v));
            }
        }
    }
}
/// Texts are quoted as JSON's are.
fn yaml_scalar(v: &Value) -> String {
    plain(v).unwrap_or_else(|| v.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_postgresql() {
        let v = serde_json::json!({
            "Plan": {
                "Node Type": "Sort", "Plan Rows": 3, "Sort Key": ["a <b", "c"], "Parallel Aware": false,
                "Plans": [{"Node Type": "Seq Scan", "I/O Read Time": 0.5}, {"Node Type": "Result"}]
            },
            "Triggers": [],
            "Execution Time": 1.25
        });
        let Value::Object(document) = v else { panic!() };
        let want = "<explain xmlns=\"http://www.postgresql.org/2009/explain\">\n  <Query>\n    <Plan>\n      <Node-Type>Sort</Node-Type>\n      \
            <Plan-Rows>3</Plan-Rows>\n      <Sort-Key>\n        <Item>a &lt;b</Item>\n        <Item>c</Item>\n      </Sort-Key>\n      \
            <Parallel-Aware>false</Parallel-Aware>\n      <Plans>\n        <Plan>\n          <Node-Type>Seq Scan</Node-Type>\n          \
            <I-O-Read-Time>0.5</I-O-Read-Time>\n        </Plan>\n        <Plan>\n          <Node-Type>Result</Node-Type>\n        </Plan>\n      \
            </Plans>\n    </Plan>\n    <Triggers>\n    </Triggers>\n    <Execution-Time>1.25</Execution-Time>\n  </Query>\n</explain>";
        assert_eq!(xml(&document), want);
        let want = "- Plan: \n    Node Type: \"Sort\"\n    Plan Rows: 3\n    Sort Key: \n      - \"a <b\"\n      - \"c\"\n    Parallel Aware: false\n    \
            Plans: \n      - Node Type: \"Seq Scan\"\n        I/O Read Time: 0.5\n      - Node Type: \"Result\"\n  Triggers: \n  Execution Time: 1.25";
        assert_eq!(yaml(&document), want);
    }
}
