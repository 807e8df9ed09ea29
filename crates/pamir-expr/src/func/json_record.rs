//! json(b)_to_record(set) and json(b)_populate_record(set): the fields of JSON objects as columns (PostgreSQL's populate_record).
//!
//! The fields' names and types are those of the result's row type: of the column definition list in FROM, or of the row that was given. A field is found
//! by its name; JSON null and what is missing are NULL (or the given row's value, where it is missing). Values become the column's type:
//!
//! - json and jsonb: as they are;
//! - arrays: from JSON arrays, dimension by dimension, or from a string with an array's text;
//! - all else: by the type's input function, from the string's content or the value's text.
use super::json::{as_text, b_text, field, kind, parts, trimmed, type_of};
use super::registry::{bad_args, funcs};
use super::{CallInfo, Function, rowtype, string};
use crate::env::Env;
use crate::ir::{Expr, OutCol};
use pamir_types::array::Array;
use pamir_types::json::Jsonb;
use pamir_types::{Datum, Result, Type, bail, err, oid};
use std::sync::Arc;

fn named(cols: &[OutCol]) -> Type {
    rowtype::of(cols.iter().map(|c| (c.name.clone(), c.ty)).collect())
}

/// The row type that a function in FROM has to make, where its name says nothing of it.
pub fn row_type(f: &Function, args: &[Expr], cols: &[OutCol]) -> Option<Type> {
    if !f.out.is_empty() {
        return (!f.body.is_set() && f.ret == oid::RECORD).then(|| named(cols));
    }
    match f.ret {
        oid::RECORD => Some(named(cols)),
        oid::ANYELEMENT => {
            let t = args.first().map(|e| e.ty().element().unwrap_or(e.ty()))?;
            if oid::is_composite(t.oid) {
                return Some(t);
            }
            if t.oid != oid::RECORD {
                return None;
            }
            // unnest(record[]) AS (a int, ..): the definition list says what the rows are.
            Some(if rowtype::fields(t).is_some() { t } else { named(cols) })
        }
        _ => None,
    }
}

/// A JSON value of either type.
#[derive(Clone, Copy)]
enum Value<'a> {
    Text(&'a str),
    Binary(&'a Jsonb),
}
impl<'a> Value<'a> {
    fn of(d: &'a Datum) -> Option<Value<'a>> {
        match d {
            Datum::Text(s) => Some(Value::Text(s)),
            Datum::Jsonb(j) => Some(Value::Binary(j)),
            _ => None,
        }
    }
    fn kind(self) -> &'static str {
        match self {
            Value::Text(s) => kind(s),
            Value::Binary(j) => type_of(j),
        }
    }
    fn field(self, name: &str) -> Option<Value<'a>> {
        match self {
            Value::Text(s) => field(s, name).map(Value::Text),
            Value::Binary(j) => j.get(name).map(Value::Binary),
        }
    }
    fn elements(self) -> Vec<Value<'a>> {
        match self {
            Value::Text(s) => parts(s).into_iter().map(|p| Value::Text(p.1)).collect(),
            Value::Binary(Jsonb::Array(a)) => a.iter().map(Value::Binary).collect(),
            Value::Binary(_) => Vec::new(),
        }
    }
    fn content(self) -> Datum {
        match self {
            Value::Text(s) => as_text(s),
            Value::Binary(j) => b_text(j),
        }
    }
    fn json(self) -> Datum {
        match self {
            Value::Text(s) => Datum::Text(trimmed(s).into()),
            Value::Binary(j) => {
                let mut out = Vec::new();
                j.format(&mut out);
                super::reg::to_text(out)
            }
        }
    }
    fn jsonb(self) -> Result<Datum> {
        Ok(Datum::Jsonb(Arc::new(match self {
            Value::Text(s) => Jsonb::parse(s)?,
            Value::Binary(j) => j.clone(),
        })))
    }
    /// `base`: what the field is of the row that was given.
    fn to(self, ty: Type, name: &str, base: Option<&Datum>, env: &mut dyn Env) -> Result<Datum> {
        if self.kind() == "null" {
            return Ok(Datum::Null);
        }
        match ty.oid {
            oid::JSON => return Ok(self.json()),
            oid::JSONB => return self.jsonb(),
            _ => {}
        }
        if oid::is_composite(ty.oid) && self.kind() != "string" {
            return row(self, ty, base, "json_populate_record", env);
        }
        if let Some(elem) = ty.element() {
            if self.kind() == "array" {
                return self.array(elem, name, env);
            }
            if self.kind() != "string" {
                return Err(err!(INVALID_TEXT_REPRESENTATION, "expected JSON array")
                    .hint(format!("See the value of key \"{name}\".")));
            }
        }
        match self.content() {
            Datum::Text(t) => pamir_types::text::parse(&t, ty, env.text_ctx()),
            d => Ok(d),
        }
    }
    /// As many dimensions as the first elements are nested.
    fn array(self, elem: Type, name: &str, env: &mut dyn Env) -> Result<Datum> {
        let (mut dims, mut items) = (Vec::new(), Vec::new());
        let nests = !matches!(elem.oid, oid::JSON | oid::JSONB);
        let mut first = Some(self);
        while let Some(v) = first.filter(|v| dims.is_empty() || (nests && v.kind() == "array")) {
            if dims.len() >= pamir_types::array::MAX_DIM {
                bail!(
                    PROGRAM_LIMIT_EXCEEDED,
                    "number of array dimensions ({}) exceeds the maximum allowed ({})",
                    dims.len() + 1,
                    pamir_types::array::MAX_DIM
                );
            }
            let own = v.elements();
            dims.push(own.len() as i32);
            first = own.first().copied();
        }
        self.fill(&dims, elem, name, env, &mut items)?;
        if items.is_empty() {
            dims.clear();
        }
        let dims = dims.into_iter().map(|n| (n, 1)).collect();
        Ok(Datum::Array(Arc::new(Array { elem: elem.oid, dims, items })))
    }
    fn fill(self, dims: &[i32], elem: Type, name: &str, env: &mut dyn Env, items: &mut Vec<Datum>) -> Result<()> {
        let uneven = || {
            err!(INVALID_TEXT_REPRESENTATION, "malformed JSON array")
                .detail("Multidimensional arrays must have sub-arrays with matching dimensions.")
        };
        let Some((n, inner)) = dims.split_first() else { return Ok(()) };
        let own = self.elements();
        if own.len() as i32 != *n {
            return Err(uneven());
        }
        for (i, v) in own.into_iter().enumerate() {
            let nested = v.kind() == "array" && !matches!(elem.oid, oid::JSON | oid::JSONB);
            match (inner.is_empty(), nested) {
                (true, _) => items.push(v.to(elem, name, None, env)?),
                (false, true) => v.fill(inner, elem, name, env, items)?,
                (false, false) => {
                    return Err(err!(INVALID_TEXT_REPRESENTATION, "expected JSON array")
                        .hint(format!("See the array element [{i}] of key \"{name}\".")));
                }
            }
        }
        Ok(())
    }
}

/// The object's fields as a row of type `ret`.
fn row(v: Value, ret: Type, base: Option<&Datum>, func: &str, env: &mut dyn Env) -> Result<Datum> {
    let shape = shape_of(ret, base, func, env)?;
    let given = match base {
        Some(Datum::Record(r)) => Some(r),
        _ => None,
    };
    // What is called is PostgreSQL's own name for the inside of these functions.
    match v.kind() {
        "object" => {}
        "array" => bail!(INVALID_PARAMETER_VALUE, "cannot call populate_composite on an array"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot call populate_composite on a scalar"),
    }
    let mut out = Vec::with_capacity(shape.len());
    for (i, (name, ty)) in shape.iter().enumerate() {
        let stored = env.catalog().base_type(*ty);
        let own = given.and_then(|r| r.get(i)).map(|f| &f.1);
        let d = match v.field(name) {
            Some(x) => x.to(stored, name, own, env)?,
            None => own.cloned().unwrap_or(Datum::Null),
        };
        if oid::is_user(ty.oid) {
            crate::domains::check(&d, ty.oid, env)?;
        }
        out.push((stored, d));
    }
    let d = Datum::record(out)?;
    if oid::is_user(ret.oid) {
        crate::domains::check(&d, ret.oid, env)?;
    }
    Ok(d)
}
/// The fields of type `ret`, or of the row that was given.
fn shape_of(ret: Type, base: Option<&Datum>, func: &str, env: &mut dyn Env) -> Result<rowtype::Shape> {
    let given = match base {
        Some(Datum::Record(r)) => Some(r),
        _ => None,
    };
    // A row without a type of its own has fields f1, f2, ..
    let shape = rowtype::fields_in(ret, env.catalog())
        .or_else(|| Some(given?.iter().enumerate().map(|(i, (ty, _))| (format!("f{}", i + 1), *ty)).collect()));
    let Some(shape) = shape else {
        if base.is_some() && ret.oid != oid::RECORD {
            bail!(DATATYPE_MISMATCH, "first argument of {func} must be a row type");
        }
        return Err(err!(FEATURE_NOT_SUPPORTED, "could not determine row type for result of {func}").hint(
            "Provide a non-null record argument, or call the function in the FROM clause using a column definition list.",
        ));
    };
    Ok(shape)
}

fn one(ci: &CallInfo, args: &[Datum], func: &str, populate: bool, env: &mut dyn Env) -> Result<Datum> {
    let (base, json) = match args {
        [base, json, ..] if populate => (Some(base), json),
        [json] if !populate => (None, json),
        _ => return Err(bad_args(func, args)),
    };
    let Some(v) = Value::of(json) else { return Ok(base.cloned().unwrap_or(Datum::Null)) };
    let ret = if populate { string::arg_type(ci, 0) } else { ci.ret };
    row(v, ret, base, func, env)
}

fn set(
    ci: &CallInfo,
    args: &[Datum],
    func: &str,
    populate: bool,
    env: &mut dyn Env,
    push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
) -> Result<()> {
    let (base, json) = match args {
        [base, json, ..] if populate => (Some(base), json),
        [json] if !populate => (None, json),
        _ => return Err(bad_args(func, args)),
    };
    let Some(v) = Value::of(json) else { return Ok(()) };
    match (v.kind(), v) {
        ("array", _) => {}
        (_, Value::Binary(_)) => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on a non-array"),
        ("object", _) => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on an object"),
        _ => bail!(INVALID_PARAMETER_VALUE, "cannot call {func} on a scalar"),
    }
    let ret = if populate { string::arg_type(ci, 0) } else { ci.ret };
    if populate {
        shape_of(ret, base, func, env)?;
    }
    for e in v.elements() {
        if e.kind() != "object" {
            bail!(INVALID_PARAMETER_VALUE, "argument of {func} must be an array of objects");
        }
        push(vec![row(e, ret, base, func, env)?])?;
    }
    Ok(())
}

funcs! { pub FUNCS {
    json_to_record raw = |ci, a, env| one(ci, a, "json_to_record", false, env);
    jsonb_to_record raw = |ci, a, env| one(ci, a, "jsonb_to_record", false, env);
    json_to_recordset set = |ci, a, env, p| set(ci, a, "json_to_recordset", false, env, p);
    jsonb_to_recordset set = |ci, a, env, p| set(ci, a, "jsonb_to_recordset", false, env, p);
    json_populate_record raw = |ci, a, env| one(ci, a, "json_populate_record", true, env);
    jsonb_populate_record raw = |ci, a, env| one(ci, a, "jsonb_populate_record", true, env);
    json_populate_recordset set = |ci, a, env, p| set(ci, a, "json_populate_recordset", true, env, p);
    jsonb_populate_recordset set = |ci, a, env, p| set(ci, a, "jsonb_populate_recordset", true, env, p);
} }
