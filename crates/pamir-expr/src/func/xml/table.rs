//! XMLTABLE: a function in FROM whose rows are the nodes of a path, whose columns are what other paths find from each.
//!
//! ```text
//!   pamir_xml_table(document, path of the rows, description, URI of each namespace ..., (path, default) of each column ...)
//!   description: a line a namespace "n  prefix", then a line a column: "o  name" FOR ORDINALITY, "c  name" whose path was written, "d  name" whose path is
//!   its name; "c! name" and "d! name" are NOT NULL
//! ```
//! A default has its column's type, and is NULL of it where there is none: so the types come along. Defaults are computed once, before the document is read, not for
//! each row that needs one.
use super::super::registry::bad_args;
use super::super::{CallInfo, registry};
use super::{TABLE, path};
use crate::env::Env;
use crate::long;
use crate::xpath::{Expr, Failure, Namespaces, Value, eval::Eval, number_to_string};
use pamir_types::xml::tree::ROOT;
use pamir_types::{Datum, Result, Type, bail, err, error::state, oid, work, xml};

/// A column as the description has it.
pub struct Column<'a> {
    pub name: &'a str,
    pub ordinality: bool,
    pub not_null: bool,
    /// Was its path written?
    pub path: bool,
}
/// A description taken apart: prefixes, columns.
pub fn described(s: &str) -> (Vec<&str>, Vec<Column<'_>>) {
    let (mut prefixes, mut columns) = (Vec::new(), Vec::new());
    for line in s.split('\n') {
        match line.split_at_checked(3) {
            Some(("n  ", prefix)) => prefixes.push(prefix),
            Some((kind, name)) => columns.push(Column {
                name,
                ordinality: kind.starts_with('o'),
                not_null: kind.ends_with("! "),
                path: kind.starts_with('c'),
            }),
            None => {}
        }
    }
    (prefixes, columns)
}

struct Filter<'a> {
    column: Column<'a>,
    path: Option<Expr>,
    default: Datum,
    ty: Type,
}
fn filters<'a>(columns: Vec<Column<'a>>, args: &[Datum], types: &[Type]) -> Result<Vec<Filter<'a>>> {
    let mut out = Vec::new();
    for ((column, pair), ty) in columns.into_iter().zip(args.chunks(2)).zip(types.chunks(2)) {
        let (path, default, ty) = match (pair, ty) {
            ([_, default], [_, ty]) if column.ordinality => (None, default.clone(), *ty),
            ([Datum::Null, _], _) => {
                return Err(err!(NULL_VALUE_NOT_ALLOWED, "column filter expression must not be null")
                    .detail(format!("Filter for column \"{}\" is null.", column.name)));
            }
            ([Datum::Text(p), _], _) if p.is_empty() => {
                bail!(DATA_EXCEPTION, "column path filter must not be empty string")
            }
            ([Datum::Text(p), default], [_, ty]) => {
                (Some(path::compile(p, state::DATA_EXCEPTION)?), default.clone(), *ty)
            }
            _ => return Err(bad_args(TABLE, args)),
        };
        out.push(Filter { column, path, default, ty });
    }
    Ok(out)
}

pub fn rows(
    ci: &CallInfo,
    args: &[Datum],
    env: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let [document, of_rows, Datum::Text(description), rest @ ..] = args else { return Err(bad_args(TABLE, args)) };
    let Datum::Text(document) = document else { return Ok(()) };
    let (prefixes, columns) = described(description);
    let tree = path::document(document, env)?;
    let mut names = Namespaces::default();
    for (prefix, uri) in prefixes.iter().zip(rest) {
        let Datum::Text(uri) = uri else { bail!(NULL_VALUE_NOT_ALLOWED, "namespace URI must not be null") };
        if prefix.is_empty() {
            bail!(FEATURE_NOT_SUPPORTED, "DEFAULT namespace is not supported");
        }
        names.insert(prefix.to_string(), uri.clone());
    }
    let filter = match of_rows {
        Datum::Text(p) if p.is_empty() => bail!(DATA_EXCEPTION, "row path filter must not be empty string"),
        Datum::Text(p) => path::compile(p, state::SYNTAX_ERROR)?,
        _ => bail!(NULL_VALUE_NOT_ALLOWED, "row filter expression must not be null"),
    };
    let types = ci.arg_types.get(3 + prefixes.len()..).unwrap_or(&[]);
    let filters = filters(columns, rest.get(prefixes.len()..).unwrap_or(&[]), types)?;
    let Value::Nodes(nodes) = path::evaluate(&filter, &tree, ROOT, &names)? else { return Ok(()) };
    let x = Eval { tree: &tree, names: &names };
    for (n, item) in nodes.iter().enumerate() {
        work::charge(work::CALL as usize)?;
        let mut row = Vec::with_capacity(filters.len());
        for f in &filters {
            let v = match &f.path {
                None => Datum::Int4(n as i32 + 1),
                Some(p) => match text(&x, path::evaluate(p, &tree, item.node, &names)?, f.ty)? {
                    Some(s) => long::via_text(Datum::from(s), Type::TEXT, f.ty, env)?,
                    None => f.default.clone(),
                },
            };
            if v.is_null() && f.column.not_null {
                bail!(NULL_VALUE_NOT_ALLOWED, "null is not allowed in column \"{}\"", f.column.name);
            }
            row.push(v);
        }
        push(row)?;
    }
    Ok(())
}
/// What a path found, as the text that the column's type reads; None: nothing.
fn text(x: &Eval, v: Value, ty: Type) -> Result<Option<String>> {
    let failed = |f: Failure| match f {
        Failure::Ended(e) => e,
        Failure::Of(why) => err!(INTERNAL_ERROR, "could not create XPath object").detail(why),
    };
    let is_xml = ty.oid == oid::XML;
    Ok(Some(match v {
        Value::Nodes(n) if n.is_empty() => return Ok(None),
        Value::Nodes(n) if is_xml => {
            let mut out = String::new();
            for i in n {
                path::node(x, i, &mut out)?;
                pamir_types::memory::admit_growth(out.capacity(), out.len())?;
            }
            out
        }
        Value::Nodes(n) => match n.as_slice() {
            [one] => x.string_of(*one).map_err(failed)?,
            _ => bail!(CARDINALITY_VIOLATION, "more than one value returned by column XPath expression"),
        },
        Value::String(s) if is_xml => {
            let mut out = String::new();
            xml::escape(&s, &mut out);
            out
        }
        Value::String(s) => s,
        Value::Bool(b) if registry::get().category(ty.oid).0 == 'N' => u8::from(b).to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => number_to_string(n),
    }))
}
