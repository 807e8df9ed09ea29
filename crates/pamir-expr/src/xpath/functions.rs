//! The core library of functions.
use super::eval::{Context, Eval, Item, Value};
use super::tree::Expr;
use super::{Failure, INVALID_TYPE, Outcome};
use pamir_types::xml::tree::{Kind, NONE};
use pamir_types::{memory, work};
use rustc_hash::{FxHashMap, FxHashSet};

const ARITY: Failure = Failure::Of("Invalid number of arguments");

/// Calls a function by its name.
pub fn call(x: &Eval, prefix: Option<&str>, name: &str, args: &[Expr], cx: Context) -> Outcome<Value> {
    if prefix.is_some() {
        return Err(Failure::Of(match x.names.get(prefix.unwrap_or("")) {
            Some(_) => "Unregistered function",
            None => "",
        }));
    }
    let v = args.iter().map(|a| x.eval(a, cx)).collect::<Outcome<Vec<Value>>>()?;
    match name {
        "last" | "position" | "true" | "false" => {
            none(&v)?;
            Ok(match name {
                "last" if cx.size == 0 => return Err(Failure::Of("Invalid context size")),
                "position" if cx.size == 0 => return Err(Failure::Of("Invalid context position")),
                "last" => Value::Number(cx.size as f64),
                "position" => Value::Number(cx.position as f64),
                name => Value::Bool(name == "true"),
            })
        }
        "count" | "sum" | "local-name" | "namespace-uri" | "name" => of_nodes(x, name, v, cx),
        "id" => {
            let [v] = v.as_slice() else { return Err(ARITY) };
            ids(x, v)
        }
        "boolean" | "not" => {
            let [v] = v.as_slice() else { return Err(ARITY) };
            Ok(Value::Bool(x.boolean(v) == (name == "boolean")))
        }
        "number" | "floor" | "ceiling" | "round" => {
            let n = match v.as_slice() {
                [] if name == "number" => x.number(&Value::Nodes(vec![cx.item]))?,
                [v] => x.number(v)?,
                _ => return Err(ARITY),
            };
            Ok(Value::Number(match name {
                "floor" => n.floor(),
                "ceiling" => n.ceil(),
                "round" if (-0.5..0.0).contains(&n) => -0.0,
                "round" => (n + 0.5).floor(),
                _ => n,
            }))
        }
        "lang" => {
            let [v] = v.as_slice() else { return Err(ARITY) };
            Ok(Value::Bool(lang(x, &x.string(v)?, cx)?))
        }
        _ => of_strings(x, name, &v, cx),
    }
}
fn none(v: &[Value]) -> Outcome<()> {
    if v.is_empty() { Ok(()) } else { Err(ARITY) }
}
fn of_nodes(x: &Eval, name: &str, mut v: Vec<Value>, cx: Context) -> Outcome<Value> {
    let nodes = match (v.pop(), v.is_empty()) {
        (None, _) if !matches!(name, "count" | "sum") => vec![cx.item],
        (Some(Value::Nodes(n)), true) => n,
        (Some(_), true) => return Err(INVALID_TYPE),
        _ => return Err(ARITY),
    };
    match name {
        "count" => return Ok(Value::Number(nodes.len() as f64)),
        "sum" => {
            let mut sum = 0.0;
            for n in nodes {
                sum += x.number(&Value::Nodes(vec![n]))?;
            }
            return Ok(Value::Number(sum));
        }
        _ => {}
    }
    let Some(first) = nodes.first() else { return Ok(Value::String(String::new())) };
    let n = x.tree.node(first.node);
    if first.space > 0 {
        let prefix = x.space(*first).and_then(|s| s.0).map_or(String::new(), |p| p.to_string());
        return Ok(Value::String(if name == "namespace-uri" { String::new() } else { prefix }));
    }
    let named = matches!(n.kind, Kind::Element | Kind::Attribute);
    Ok(Value::String(match name {
        "namespace-uri" => n.namespace.as_ref().filter(|_| named).map_or(String::new(), |s| s.to_string()),
        "name" if named => n.prefix.as_ref().map_or(n.name.to_string(), |p| format!("{p}:{}", n.name)),
        _ if named || n.kind == Kind::Instruction => n.name.to_string(),
        _ => String::new(),
    }))
}
/// Elements by their ids: of xml:id, since no DTD says which attributes are some.
fn ids(x: &Eval, v: &Value) -> Outcome<Value> {
    let mut wanted = String::new();
    match v {
        Value::Nodes(n) => {
            for i in n {
                wanted.push_str(&x.string_of(*i)?);
                wanted.push(' ');
            }
        }
        v => wanted = x.string(v)?,
    }
    let wanted: FxHashSet<&str> = wanted.split_ascii_whitespace().collect();
    let mut out = Vec::new();
    for (i, n) in x.tree.nodes.iter().enumerate() {
        work::charge(4)?;
        let is_id = n.kind == Kind::Attribute && n.prefix.as_deref() == Some("xml") && &*n.name == "id";
        if is_id && wanted.contains(&*n.value) {
            out.push(Item::node(x.tree.node(i as u32).parent));
        }
    }
    Ok(Value::Nodes(out))
}
fn lang(x: &Eval, wanted: &str, cx: Context) -> Outcome<bool> {
    let mut at = cx.item.node;
    while at != NONE {
        for a in x.tree.attributes(at) {
            work::charge(4)?;
            let a = x.tree.node(a);
            if a.prefix.as_deref() == Some("xml") && &*a.name == "lang" {
                let head = a.value.get(..wanted.len());
                let rest = a.value.get(wanted.len()..).unwrap_or("");
                return Ok(
                    head.is_some_and(|h| h.eq_ignore_ascii_case(wanted)) && (rest.is_empty() || rest.starts_with('-'))
                );
            }
        }
        at = x.tree.node(at).parent;
    }
    Ok(false)
}
fn of_strings(x: &Eval, name: &str, v: &[Value], cx: Context) -> Outcome<Value> {
    if !matches!(
        name,
        "string"
            | "string-length"
            | "normalize-space"
            | "concat"
            | "starts-with"
            | "contains"
            | "substring-before"
            | "substring-after"
            | "substring"
            | "translate"
    ) {
        return Err(Failure::Of("Unregistered function"));
    }
    if name == "substring" {
        return substring(x, v);
    }
    let s = v.iter().map(|v| x.string(v)).collect::<Outcome<Vec<String>>>()?;
    work::charge(s.iter().map(String::len).sum::<usize>() / 4 + 8)?;
    let own;
    let s: &[String] = match (name, s.is_empty()) {
        ("string" | "string-length" | "normalize-space", true) => {
            own = [x.string_of(cx.item)?];
            &own
        }
        _ => &s,
    };
    Ok(match (name, s) {
        ("string", [s]) => Value::String(s.clone()),
        ("string-length", [s]) => Value::Number(s.chars().count() as f64),
        ("normalize-space", [s]) => {
            let words: Vec<&str> = s.split([' ', '\t', '\n', '\r']).filter(|w| !w.is_empty()).collect();
            Value::String(words.join(" "))
        }
        ("concat", [_, _, ..]) => {
            memory::admit(s.iter().map(String::len).sum())?;
            Value::String(s.concat())
        }
        ("starts-with", [a, b]) => Value::Bool(a.starts_with(b.as_str())),
        ("contains", [a, b]) => Value::Bool(a.contains(b.as_str())),
        ("substring-before", [a, b]) => Value::String(a.find(b.as_str()).map_or("", |n| &a[..n]).to_string()),
        ("substring-after", [a, b]) => Value::String(a.find(b.as_str()).map_or("", |n| &a[n + b.len()..]).to_string()),
        ("translate", [s, from, to]) => {
            // Of a character that stands twice in `from` the first counts.
            let mut by: FxHashMap<char, Option<char>> = FxHashMap::default();
            let mut to = to.chars();
            for f in from.chars() {
                let t = to.next();
                by.entry(f).or_insert(t);
            }
            Value::String(s.chars().filter_map(|c| by.get(&c).copied().unwrap_or(Some(c))).collect())
        }
        _ => return Err(ARITY),
    })
}
/// Characters from a place on, which are rounded as XPath rounds.
fn substring(x: &Eval, v: &[Value]) -> Outcome<Value> {
    let (s, from, len) = match v {
        [s, from] => (x.string(s)?, x.number(from)?, f64::INFINITY),
        [s, from, len] => (x.string(s)?, x.number(from)?, x.number(len)?),
        _ => return Err(ARITY),
    };
    work::charge(s.len() / 4 + 8)?;
    let round = |n: f64| if n.is_finite() { (n + 0.5).floor() } else { n };
    let (first, last) = (round(from), round(from) + round(len));
    let inside = |i: usize| (i as f64 + 1.0) >= first && (i as f64 + 1.0) < last;
    Ok(Value::String(s.chars().enumerate().filter(|(i, _)| inside(*i)).map(|(_, c)| c).collect()))
}
