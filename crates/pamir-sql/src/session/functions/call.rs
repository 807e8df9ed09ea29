//! CALL and DO.
use super::{State, compile};
use crate::client::Field;
use pamir_catalog::function::{Function, FunctionKind, Param, ParamMode};
use pamir_expr::expr::{ParamCx, compile_simple, eval};
use pamir_expr::func::{self, CallInfo, lookup};
use pamir_expr::names::Names;
use pamir_parse::tree::{self, DefElem, DefValue, FuncCall};
use pamir_plan::bind::{self, BindCtx};
use pamir_plpgsql::parse::{self, Fires, Header};
use pamir_plpgsql::tree::Returns;
use pamir_plpgsql::{Look, Output};
use pamir_types::array::Array;
use pamir_types::error::state;
use pamir_types::{Datum, Error, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;

/// What a procedure gave.
#[derive(Default)]
pub(in crate::session) struct Called {
    pub columns: Vec<(String, Type)>,
    pub row: Vec<Datum>,
}
impl Called {
    pub fn fields(&self) -> Vec<Field> {
        let field = |(name, ty): &(String, Type)| Field { name: name.clone(), table: 0, attnum: 0, ty: *ty };
        self.columns.iter().map(field).collect()
    }
}

/// A call's arguments as a procedure takes them.
struct Inputs<'c> {
    /// The call without those that stand for OUT parameters.
    call: FuncCall,
    out: Vec<(&'c tree::Expr, Type)>,
    /// Where those of OUT and INOUT parameters stand; behind them all: it is left out.
    outputs: Vec<Output>,
}
/// None: the call has no place for a parameter that it needs.
fn inputs_of<'c>(c: &'c FuncCall, f: &Function) -> Option<Inputs<'c>> {
    let (mut call, mut out) = (c.clone(), Vec::new());
    call.args.clear();
    let mut positions = vec![None; f.params.len()];
    for (i, a) in c.args.iter().enumerate() {
        let at = match &a.name {
            None if f.params.get(i).is_none() => f.params.iter().rposition(|p| p.mode == ParamMode::Variadic)?,
            None => i,
            Some(n) => f.params.iter().position(|p| p.name == *n)?,
        };
        positions[at] = Some(i);
        match f.params[at].mode.is_input() {
            true => call.args.push(a.clone()),
            false => out.push((&a.value, f.params[at].ty)),
        }
    }
    let outputs = f.params.iter().enumerate().filter(|(_, p)| p.mode.is_output());
    let place = |(i, p): (usize, &Param)| {
        let at = positions[i].or(p.default.as_ref().map(|_| c.args.len().max(i)))?;
        Some(Output { at, name: p.name.clone() })
    };
    let outputs = outputs.map(place).collect::<Option<Vec<Output>>>()?;
    Some(Inputs { call, out, outputs })
}

/// The procedure that a CALL means.
struct Chosen {
    def: Arc<Function>,
    /// VARIADIC's array is given as one.
    spread: bool,
    outputs: Vec<Output>,
    args: Vec<pamir_expr::ir::Expr>,
    /// The types of the parameters of the statement.
    params: Vec<Oid>,
}

impl State {
    /// The procedures that a name may mean, or what else of one's own it may.
    fn routines(&self, c: &FuncCall, procedures: bool) -> Vec<Arc<Function>> {
        let (schema, name) = match c.name.as_slice() {
            [n] => (None, n),
            [.., s, n] => (Some(s.as_str()), n),
            [] => return Vec::new(),
        };
        let found = lookup::find::<func::Function>(&self.catalog, &self.scope, schema, name);
        let stored = found.iter().filter_map(|f| self.catalog.function(f.oid).cloned());
        stored.filter(|f| (f.kind == FunctionKind::Procedure) == procedures).collect()
    }
    /// The types of a CALL's parameters and the columns that it gives. `declared`: the types that are known (0: infer).
    pub(in crate::session) fn describe_call(
        &mut self,
        c: &FuncCall,
        text: &str,
        declared: &[Oid],
    ) -> Result<(Vec<Oid>, Vec<Field>)> {
        let chosen = self.choose_procedure(c, text, None, declared)?;
        if let Some(n) = chosen.params.iter().position(|t| *t == 0 || *t == oid::UNKNOWN) {
            bail!(INDETERMINATE_DATATYPE, "could not determine data type of parameter ${}", n + 1);
        }
        let fields = columns(&chosen.def).into_iter().map(|(name, ty)| Field { name, table: 0, attnum: 0, ty });
        Ok((chosen.params, fields.collect()))
    }
    /// `vars`: the values of the variables in `names`, or of the statement's parameters, whose types `declared` has.
    pub(in crate::session) fn call_procedure(
        &mut self,
        c: &FuncCall,
        text: &str,
        names: Option<Arc<Names>>,
        (vars, declared): (&[Datum], &[Oid]),
        top: bool,
        look: &mut Look,
    ) -> Result<Called> {
        let named = names.is_some();
        let chosen = self.choose_procedure(c, text, names, declared)?;
        if !named && chosen.params.len() > vars.len() {
            bail!(UNDEFINED_PARAMETER, "there is no parameter ${}", vars.len() + 1);
        }
        look(&chosen.outputs)?;
        self.run_procedure(chosen, vars, top)
    }
    fn choose_procedure(
        &mut self,
        c: &FuncCall,
        text: &str,
        names: Option<Arc<Names>>,
        declared: &[Oid],
    ) -> Result<Chosen> {
        let mut missing = None;
        for def in self.routines(c, true) {
            let Some(Inputs { call, out, outputs }) = inputs_of(c, &def) else { continue };
            match self.bind_call(&call, Some(&out), text, names.clone(), declared) {
                Ok((f, args, params)) if f.oid == def.oid => {
                    return Ok(Chosen { def, spread: f.spread, outputs, args, params });
                }
                Ok(_) => {}
                Err(e) if e.code() == state::UNDEFINED_FUNCTION => missing = Some(e),
                Err(e) => return Err(e),
            }
        }
        // As it is written, for what the error says.
        let e = match (self.bind_call(c, None, text, names.clone(), declared), missing) {
            (Ok((f, args, _)), None) => return Err(no_procedure(&f.name, &types_of(c, &args), c, text)),
            (Ok(_), Some(e)) => e,
            (Err(e), _) if e.code() != state::UNDEFINED_FUNCTION => e,
            (Err(e), _) => match self.function_called(c, text, names, declared) {
                Some(e) => e,
                None => e,
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
    /// 42809 where the call names a function's parameters, its OUT ones among them, as a procedure's are named.
    fn function_called(
        &mut self,
        c: &FuncCall,
        text: &str,
        names: Option<Arc<Names>>,
        declared: &[Oid],
    ) -> Option<Error> {
        for def in self.routines(c, false) {
            let Some(Inputs { call, out, .. }) = inputs_of(c, &def).filter(|i| !i.out.is_empty()) else { continue };
            if let Ok((f, args, _)) = self.bind_call(&call, Some(&out), text, names.clone(), declared)
                && f.oid == def.oid
            {
                let mut given = args.iter().map(pamir_expr::ir::Expr::ty);
                let mut types = Vec::with_capacity(c.args.len());
                for (a, p) in c.args.iter().zip(&def.params) {
                    let ty = if p.mode.is_input() { given.next().unwrap_or(p.ty) } else { p.ty };
                    types.push(shown(a, ty));
                }
                return Some(no_procedure(&def.name, &types.join(", "), c, text));
            }
        }
        None
    }
    /// What is called, its arguments and the types of the statement's parameters.
    fn bind_call(
        &mut self,
        c: &FuncCall,
        out: Option<&[(&tree::Expr, Type)]>,
        text: &str,
        names: Option<Arc<Names>>,
        declared: &[Oid],
    ) -> Result<(func::FunctionRef, Vec<pamir_expr::ir::Expr>, Vec<Oid>)> {
        self.with_names(names, |s| {
            let (catalog, scope) = (s.catalog.clone(), s.scope.clone());
            let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: declared.to_vec(), env: s, text };
            let (f, args) = bind::bind_call(c, out, &mut cx)?;
            Ok((f, args, cx.params))
        })
    }
    fn run_procedure(&mut self, chosen: Chosen, vars: &[Datum], top: bool) -> Result<Called> {
        let Chosen { def, spread, args, .. } = chosen;
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
        let columns = columns(&def);
        let row = match d {
            Datum::Record(f) => f.iter().map(|f| f.1.clone()).collect(),
            Datum::Null => vec![Datum::Null; columns.len()],
            d => vec![d],
        };
        Ok(Called { row: if columns.is_empty() { Vec::new() } else { row }, columns })
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
    let named = |(i, p): (usize, &Param)| {
        let name = if p.name.is_empty() { format!("column{}", i + 1) } else { p.name.clone() };
        (name, p.ty)
    };
    f.outputs().enumerate().map(named).collect()
}
fn types_of(c: &FuncCall, args: &[pamir_expr::ir::Expr]) -> String {
    let ty = |(i, e): (usize, &pamir_expr::ir::Expr)| match c.args.get(i) {
        Some(a) => shown(a, e.ty()),
        None => pamir_types::text::type_named(e.ty().oid),
    };
    args.iter().enumerate().map(ty).collect::<Vec<_>>().join(", ")
}
/// An argument's type as it was before it became a parameter's: a text or NULL as it is written has none.
fn shown(a: &tree::Arg, ty: Type) -> String {
    let unknown = matches!(&a.value.kind, tree::ExprKind::Literal(tree::Literal::String(_) | tree::Literal::Null));
    if unknown { "unknown".into() } else { pamir_types::text::type_named(ty.oid) }
}
fn no_procedure(name: &str, types: &str, c: &FuncCall, text: &str) -> Error {
    err!(WRONG_OBJECT_TYPE, "{name}({types}) is not a procedure")
        .hint("To call a function, use SELECT.")
        .at(pamir_plan::parser::position(text, c.at))
}
