//! xpath(), xpath_exists() and XMLEXISTS; what XMLTABLE shares with them.
use super::super::CallInfo;
use super::super::registry::bad_args;
use super::{made, value};
use crate::env::Env;
use crate::xpath::{self, Failure, Item, Namespaces, Value};
use pamir_types::array::Array;
use pamir_types::error::Severity;
use pamir_types::xml::tree::{Kind, ROOT, Tree};
use pamir_types::xml::{self, Strictness, Want, decl, parse};
use pamir_types::{Datum, Error, Result, SqlState, Type, bail, err, error::state, oid};
use std::sync::Arc;

/// The tree of a value; 2200M unless it is a document whose names have their namespaces.
pub fn document(s: &str, env: &mut dyn Env) -> Result<Tree> {
    let head = decl::read(s).map_or(0, |d| d.len);
    let parsed = parse::parse(&s[head..], Want::Tree, Strictness::All)?;
    for w in parsed.warnings {
        env.notice(Error::new(state::WARNING, w).severity(Severity::Warning));
    }
    parsed.tree.ok_or_else(|| err!(INVALID_XML_DOCUMENT, "could not parse XML document").detail(parsed.complaints))
}
/// A compiled expression; `code` if it is none.
pub fn compile(s: &str, code: SqlState) -> Result<xpath::Expr> {
    xpath::parse(s).map_err(|f| of_failure(f, code, "invalid XPath expression"))
}
/// What an expression gives at a node.
pub fn evaluate(e: &xpath::Expr, tree: &Tree, at: u32, names: &Namespaces) -> Result<Value> {
    xpath::run(e, tree, at, names).map_err(|f| of_failure(f, state::INTERNAL_ERROR, "could not create XPath object"))
}
fn of_failure(f: Failure, code: SqlState, says: &str) -> Error {
    match f {
        Failure::Of("") => Error::new(code, says),
        Failure::Of(why) => Error::new(code, says).detail(why),
        Failure::Ended(e) => e,
    }
}
/// A node as a value of xml: an attribute's or a text's characters, all else as it is written.
pub fn node(x: &xpath::eval::Eval, i: Item, out: &mut String) -> Result<()> {
    let plain = i.space > 0 || matches!(x.tree.node(i.node).kind, Kind::Attribute | Kind::Text);
    if !plain {
        return x.tree.serialize(i.node, out);
    }
    let s = x.string_of(i).map_err(|f| of_failure(f, state::INTERNAL_ERROR, "could not create XPath object"))?;
    xml::escape(&s, out);
    Ok(())
}

/// Prefixes and URIs from an array of pairs.
fn namespaces(d: &Datum) -> Result<Namespaces> {
    let mut out = Namespaces::default();
    let Datum::Array(a) = d else { return Ok(out) };
    if a.dims.is_empty() {
        return Ok(out);
    }
    if !matches!(a.dims.as_slice(), [_, (2, _)]) {
        return Err(err!(DATA_EXCEPTION, "invalid array for XML namespace mapping")
            .detail("The array must be two-dimensional with length of the second axis equal to 2."));
    }
    for pair in a.items.chunks(2) {
        let [Datum::Text(name), Datum::Text(uri)] = pair else {
            bail!(NULL_VALUE_NOT_ALLOWED, "neither namespace name nor URI may be null");
        };
        if name.is_empty() {
            bail!(INTERNAL_ERROR, "could not register XML namespace with name \"{name}\" and URI \"{uri}\"");
        }
        out.insert(name.to_string(), uri.clone());
    }
    Ok(out)
}
fn ask(args: &[Datum], env: &mut dyn Env) -> Result<(Tree, Namespaces, Value)> {
    let (path, doc, names) = match args {
        [Datum::Text(p), Datum::Text(d)] => (p, d, Namespaces::default()),
        [Datum::Text(p), Datum::Text(d), names] => (p, d, namespaces(names)?),
        _ => return Err(bad_args("xpath", args)),
    };
    if path.is_empty() {
        bail!(DATA_EXCEPTION, "empty XPath expression");
    }
    let tree = document(doc, env)?;
    let e = compile(path, state::INTERNAL_ERROR)?;
    let v = evaluate(&e, &tree, ROOT, &names)?;
    Ok((tree, names, v))
}
pub fn xpath(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    let (tree, names, v) = ask(args, env)?;
    let x = xpath::eval::Eval { tree: &tree, names: &names };
    let mut items = Vec::new();
    match v {
        Value::Nodes(nodes) => {
            for i in nodes {
                let mut s = String::new();
                node(&x, i, &mut s)?;
                pamir_types::memory::check(s.len())?;
                items.push(made(&s)?);
            }
        }
        Value::Bool(b) => items.push(made(&b.to_string())?),
        Value::Number(n) => items.push(made(&value::to_xml(&Datum::Float8(n), Type::new(oid::FLOAT8), true, env)?)?),
        Value::String(s) => {
            let mut out = String::new();
            xml::escape(&s, &mut out);
            items.push(made(&out)?);
        }
    }
    Ok(Datum::Array(Arc::new(Array::from_vec(oid::XML, items))))
}
pub fn exists(_: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    Ok(Datum::Bool(match ask(args, env)?.2 {
        Value::Nodes(n) => !n.is_empty(),
        _ => true,
    }))
}
pub fn xpath_plain(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    xpath(ci, args, env).map_err(|e| e.context("SQL function \"xpath\" statement 1"))
}
pub fn exists_plain(ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    exists(ci, args, env).map_err(|e| e.context("SQL function \"xpath_exists\" statement 1"))
}
