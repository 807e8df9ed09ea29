//! CALL and DO.
use super::{State, compile};
use crate::client::Field;
use pamir_catalog::function::{Function, FunctionKind, ParamMode};
use pamir_expr::expr::{ParamCx, compile_simple, eval};
use pamir_expr::func::{self, CallInfo, lookup};
use pamir_expr::names::Names;
use pamir_parse::tree::{DefElem, DefValue, FuncCall};
use pamir_plan::bind::{self, BindCtx};
use pamir_plpgsql::parse::{self, Fires, Header};
use pamir_plpgsql::tree::Returns;
use pamir_types::array::Array;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Result, Type, bail, err, oid};
use std::sync::Arc;

/// What a procedure gave.
#[derive(Default)]
pub(in crate::session) struct Called {
    pub columns: Vec<(String, Type)>,
    pub row: Vec<Datum>,
    /// Where in the call the columns' arguments stand.
    pub positions: Vec<usize>,
}
impl Called {
    pub fn fields(&self) -> Vec<Field> {
        let field = |(name, ty): &(String, Type)| Field { name: name.clone(), table: 0, attnum: 0, ty: *ty };
        self.columns.iter().map(field).collect()
    }
}

/// A call without the arguments that stand for OUT parameters, and where those and INOUT ones stand. None: it has no place for a parameter that it needs.
fn inputs_of(c: &FuncCall, f: &Function) -> Option<(FuncCall, Vec<usize>)> {
    let mut reduced = c.clone();
    reduced.args.clear();
    let mut positions = vec![None; f.params.len()];
    for (i, a) in c.args.iter().enumerate() {
        let at = match &a.name {
            None if f.params.get(i).is_none() => f.params.iter().rposition(|p| p.mode == ParamMode::Variadic)?,
            None => i,
            Some(n) => f.params.iter().position(|p| p.name == *n)?,
        };
        positions[at] = Some(i);
        if f.params[at].mode.is_input() {
            reduced.args.push(a.clone());
        }
    }
    let outputs = f.params.iter().enumerate().filter(|(_, p)| p.mode.is_output());
    let positions = outputs.map(|(i, _)| positions[i]).collect::<Option<Vec<usize>>>()?;
    Some((reduced, positions))
}

impl State {
    /// The procedures that a name may mean.
    fn procedures(&self, c: &FuncCall) -> Vec<Arc<Function>> {
        let (schema, name) = match c.name.as_slice() {
            [n] => (None, n),
            [.., s, n] => (Some(s.as_str()), n),
            [] => return Vec::new(),
        };
        let found = lookup::find::<func::Function>(&self.catalog, &self.scope, schema, name);
        let stored = found.iter().filter_map(|f| self.catalog.function(f.oid).cloned());
        stored.filter(|f| f.kind == FunctionKind::Procedure).collect()
    }
    /// What a CALL will give, as far as it is known before it runs.
    pub(in crate::session) fn called_fields(&self, c: &FuncCall, _: &str) -> Vec<Field> {
        let fits = |f: &Arc<Function>| inputs_of(c, f).is_some();
        let Some(f) = self.procedures(c).into_iter().find(fits) else { return Vec::new() };
        columns(&f).into_iter().map(|(name, ty)| Field { name, table: 0, attnum: 0, ty }).collect()
    }
    pub(in crate::session) fn call_procedure(
        &mut self,
        c: &FuncCall,
        text: &str,
        names: Option<Arc<Names>>,
        vars: &[Datum],
        top: bool,
    ) -> Result<Called> {
        let mut missing = None;
        for def in self.procedures(c) {
            let Some((call, positions)) = inputs_of(c, &def) else { continue };
            match self.bind_call(&call, text, names.clone()) {
                Ok((f, args)) if f.oid == def.oid => {
                    return self.run_procedure(&def, f.spread, positions, args, vars, top);
                }
                Ok(_) => {}
                Err(e) if e.code() == state::UNDEFINED_FUNCTION => missing = Some(e),
                Err(e) => return Err(e),
            }
        }
        let e = match missing {
            Some(e) => e,
            None => match self.bind_call(c, text, names) {
                Ok((f, args)) => {
                    let shown = format!("{}({})", f.name, types_of(&args));
                    return Err(err!(WRONG_OBJECT_TYPE, "{shown} is not a procedure")
                        .hint("To call a function, use SELECT.")
                        .at(pamir_plan::parser::position(text, c.at)));
                }
                Err(e) => e,
            },
        };
        if e.code() != state::UNDEFINED_FUNCTION {
            return Err(e);
        }
        let message = e.message().replacen("function ", "procedure ", 1);
        let position = e.data().position;
        let hint = "No procedure matches the given name and argument types. You might need to add explicit type casts.";
        Err(Error::new(e.code(), message).hint(hint).at(position))
    }
    fn bind_call(
        &mut self,
        c: &FuncCall,
        text: &str,
        names: Option<Arc<Names>>,
    ) -> Result<(func::FunctionRef, Vec<pamir_expr::ir::Expr>)> {
        self.with_names(names, |s| {
            let (catalog, scope) = (s.catalog.clone(), s.scope.clone());
            let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: s, text };
            bind::bind_call(c, &mut cx)
        })
    }
    fn run_procedure(
        &mut self,
        def: &Function,
        spread: bool,
        positions: Vec<usize>,
        args: Vec<pamir_expr::ir::Expr>,
        vars: &[Datum],
        top: bool,
    ) -> Result<Called> {
        // The transaction that the call is in.
        drop(self.begin_if_needed());
        let mut values = Vec::with_capacity(args.len());
        let mut types = Vec::with_capacity(args.len());
        for a in &args {
            let px = compile_simple(a)?;
            types.push(a.ty());
            values.push(eval(&px, &mut ParamCx { params: vars, env: self })?);
        }
        // What follows the other arguments is VARIADIC's array, if it is none already.
        if let Some(elem) = def.params.iter().find(|p| p.mode == ParamMode::Variadic).and_then(|p| p.ty.element())
            && !spread
        {
            let n = def.inputs().count().saturating_sub(1).min(values.len());
            let items = values.split_off(n);
            let elem = types.get(n).copied().filter(|_| is_polymorphic(elem)).unwrap_or(elem);
            let dims = if items.is_empty() { Vec::new() } else { vec![(items.len() as i32, 1)] };
            types.truncate(n);
            types.push(oid::array_of(elem.oid).map_or(Type::TEXT, Type::new));
            values.push(Datum::Array(Arc::new(Array { elem: elem.oid, dims, items })));
        }
        let ci = CallInfo { arg_types: &types, ret: def.ret };
        let d = self.run_function(def.oid, &ci, &values, top, None)?;
        let columns = columns(def);
        let row = match d {
            Datum::Record(f) => f.iter().map(|f| f.1.clone()).collect(),
            Datum::Null => vec![Datum::Null; columns.len()],
            d => vec![d],
        };
        Ok(Called { row: if columns.is_empty() { Vec::new() } else { row }, columns, positions })
    }
    /// DO.
    pub(in crate::session) fn do_block(&mut self, options: &[DefElem], top: bool, text: &str) -> Result<()> {
        let (mut body, mut language) = (None, None);
        for o in options {
            let slot = if o.name == "as" { &mut body } else { &mut language };
            if slot.is_some() {
                return Err(err!(SYNTAX_ERROR, "conflicting or redundant options"));
            }
            *slot = match &o.value {
                Some(DefValue::String(s)) => Some(s.clone()),
                _ => None,
            };
        }
        let Some(body) = body else { bail!(SYNTAX_ERROR, "no inline code specified") };
        let language = language.unwrap_or_else(|| "plpgsql".into());
        match language.as_str() {
            "plpgsql" => {}
            "sql" | "internal" | "c" => {
                bail!(FEATURE_NOT_SUPPORTED, "language \"{language}\" does not support inline code execution")
            }
            l => bail!(UNDEFINED_OBJECT, "language \"{l}\" does not exist"),
        }
        let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
        let returns = Returns { ty: Type::new(pamir_types::oid::VOID), set: false, row: None, procedure: true };
        let settings = compile::settings(&|n| self.settings.get(n));
        let name = "inline_code_block";
        let fires = Fires::No;
        let header = Header { name, signature: name.into(), params: Vec::new(), returns, fires, settings };
        let parsed = parse::parse(&body, header, &mut compile::Types { catalog: &catalog, scope: &scope });
        let f = Arc::new(parsed.map_err(|e| compile::within(e, &body, text, name))?);
        drop(self.begin_if_needed());
        self.run_block(&f, top)
    }
}
fn is_polymorphic(t: Type) -> bool {
    matches!(t.oid, oid::ANYELEMENT | oid::ANYCOMPATIBLE)
}
fn columns(f: &Function) -> Vec<(String, Type)> {
    let named = |(i, p): (usize, &pamir_catalog::function::Param)| {
        let name = if p.name.is_empty() { format!("column{}", i + 1) } else { p.name.clone() };
        (name, p.ty)
    };
    f.outputs().enumerate().map(named).collect()
}
fn types_of(args: &[pamir_expr::ir::Expr]) -> String {
    args.iter().map(|a| pamir_types::text::type_named(a.ty().oid)).collect::<Vec<_>>().join(", ")
}
