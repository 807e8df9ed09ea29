//! Names of a function's variables and parameters, beside those of columns ([`pamir_expr::names`]).
//!
//! ```text
//!   x       a column, a variable, or both: then the function says which (42702 if it says nothing)
//!   r.f     a column, or a field of the variable r: its shape is the one it has now
//! ```
//! Only the statement itself sees them: what tables store is bound by a binder without names.
use super::scope::Scope;
use super::{BindCtx, Binder};
use pamir_expr::env::Env;
use pamir_expr::expr::{Px, compile_simple};
use pamir_expr::func::{self, CastContext, FunctionRef};
use pamir_expr::ir::{CastHow, Expr};
use pamir_expr::names::{Conflict, Entry, What};
use pamir_parse::tree::{self, At, Distinct, ExprKind, FuncCall, Name, Select, SelectBody};
use pamir_types::error::state;
use pamir_types::{Result, Type, bail, err, oid};

impl<'c, 'a> Binder<'c, 'a> {
    /// A binder that knows the names that the statement may use.
    pub(super) fn knowing_names(cx: &'c mut BindCtx<'a>) -> Self {
        let names = cx.env.names();
        if let Some(n) = &names {
            cx.params = n.types.iter().map(|t| t.oid).collect();
        }
        Binder { names, inlining: Some(Vec::new()), ..Binder::new(cx) }
    }
    /// The type of a parameter that is a variable.
    pub(super) fn variable_type(&self, n: u16) -> Option<Type> {
        self.names.as_ref()?.types.get(usize::from(n)).copied()
    }
    /// `$n`
    pub(super) fn numbered(&self, n: u32) -> Result<Option<Expr>> {
        let Some(names) = &self.names else { return Ok(None) };
        match (n as usize).checked_sub(1).and_then(|i| names.args.get(i)) {
            Some(v) => Ok(Some(Expr::Param(*v, names.types[usize::from(*v)]))),
            None => bail!(UNDEFINED_PARAMETER, "there is no parameter ${n}"),
        }
    }
    /// A name that may be a column's or a variable's.
    pub(super) fn column_or_variable(&mut self, path: &[Name], at: At) -> Result<Expr> {
        let Some(names) = self.names.clone() else { return self.of_column(path, at) };
        let Some((v, rest)) = names.find(path) else { return self.of_column(path, at) };
        match names.conflict {
            Conflict::Variable => {
                if let Some(e) = self.of_variable(v, rest)? {
                    return Ok(e);
                }
                self.of_column(path, at)
            }
            how => match self.of_column(path, at) {
                Ok(e) if how == Conflict::Column || self.of_variable(v, rest)?.is_none() => Ok(e),
                Ok(_) => {
                    let e = err!(AMBIGUOUS_COLUMN, "column reference \"{}\" is ambiguous", path.join("."));
                    Err(self.at(e.detail("It could refer to either a PL/pgSQL variable or a table column."), at))
                }
                Err(e) if matches!(e.code(), state::UNDEFINED_COLUMN | state::UNDEFINED_TABLE) => {
                    self.of_variable(v, rest)?.ok_or_else(|| match rest {
                        [field] if v.what != What::Plain => {
                            err!(UNDEFINED_COLUMN, "record \"{}\" has no field \"{field}\"", v.name).nowhere()
                        }
                        _ => e,
                    })
                }
                Err(e) => Err(e),
            },
        }
    }
    fn of_column(&mut self, path: &[Name], at: At) -> Result<Expr> {
        match path {
            [name] => self.column(name, at),
            path => self.qualified(path, at),
        }
    }
    /// A variable, or a record's field; None: it has none such.
    fn of_variable(&self, v: &Entry, rest: &[Name]) -> Result<Option<Expr>> {
        let Some(ty) = self.variable_type(v.number) else { return Ok(None) };
        let whole = Expr::Param(v.number, ty);
        match rest {
            [] => Ok(Some(whole)),
            [field] if v.what != What::Plain => {
                let Some(shape) = self.row_shape(ty) else {
                    return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "record \"{}\" is not assigned yet", v.name)
                        .detail("The tuple structure of a not-yet-assigned record is indeterminate.")
                        .nowhere());
                };
                let Some(i) = shape.iter().position(|f| f.0 == *field) else { return Ok(None) };
                Ok(Some(Expr::Field { record: Box::new(self.stored_as(whole)), index: i, ty: shape[i].1 }))
            }
            _ => Ok(None),
        }
    }
    /// The fields of a row's type, or of a domain over one.
    fn row_shape(&self, ty: Type) -> Option<func::rowtype::Shape> {
        self.shape(if oid::is_user(ty.oid) { self.cx.catalog.base_type(ty) } else { ty })
    }
    /// A variable's row, for `f(r.*)`.
    pub(super) fn whole_variable(&self, path: &[Name]) -> Option<Expr> {
        let (v, []) = self.names.as_ref()?.find(path)? else { return None };
        let ty = self.variable_type(v.number).filter(|_| v.what != What::Plain)?;
        Some(self.stored_as(Expr::Param(v.number, ty)))
    }
    /// The fields of a variable's row, for `r.*`.
    pub(super) fn variable_fields(&self, path: &[Name]) -> Option<Vec<(String, Expr)>> {
        let names = self.names.as_ref()?;
        let (v, []) = names.find(path)? else { return None };
        let ty = self.variable_type(v.number).filter(|_| v.what != What::Plain)?;
        let shape = self.row_shape(ty)?;
        let field = |(i, f): (usize, &(String, Type))| {
            let record = Box::new(self.stored_as(Expr::Param(v.number, ty)));
            (f.0.clone(), Expr::Field { record, index: i, ty: f.1 })
        };
        Some(shape.iter().enumerate().map(field).collect())
    }
}

/// The only expression of a query that has nothing else.
pub fn only_target(q: &Select) -> Option<&tree::Target> {
    let SelectBody::Select(core) = &q.body else { return None };
    let bare =
        q.with.is_none() && q.order_by.is_empty() && q.limit.is_none() && q.offset.is_none() && q.locking.is_empty();
    let plain = core.from.is_empty() && core.filter.is_none() && core.group_by.is_empty() && core.having.is_none();
    let [target] = core.targets.as_slice() else { return None };
    let all = bare && plain && core.into.is_none() && core.windows.is_empty() && core.distinct == Distinct::All;
    all.then_some(target)
}
/// Binds an expression that needs no plan: one value of variables and constants alone. `want`: converted as an assignment converts. None: it is no such expression.
///
/// With it come the functions of users that it calls, or that it called before their bodies stood in it: who runs it must be allowed to execute them.
pub fn bind_simple(q: &Select, want: Option<Type>, cx: &mut BindCtx) -> Result<Option<(Expr, Vec<pamir_types::Oid>)>> {
    bind_simple_within(q, want, Vec::new(), cx)
}
/// The same of the body of the last of these functions, each in the body of the one before.
pub(super) fn bind_simple_within(
    q: &Select,
    want: Option<Type>,
    within: Vec<pamir_types::Oid>,
    cx: &mut BindCtx,
) -> Result<Option<(Expr, Vec<pamir_types::Oid>)>> {
    let Some(target) = only_target(q) else { return Ok(None) };
    let inlining = !within.is_empty();
    let mut b = Binder::knowing_names(cx);
    b.inlining = Some(within);
    b.scopes.push(Scope::default());
    b.level().window_ok = true;
    let e = b.expr(&target.expr)?;
    let l = b.level();
    if l.has_srf
        || !l.aggs.is_empty()
        || !l.windows.is_empty()
        || !l.grouping.is_empty()
        || b.has_subquery
        || !b.tables.is_empty()
    {
        return Ok(None);
    }
    let called = b.uses.functions().to_vec();
    let Some(to) = want else { return b.known(e).map(|e| Some((e, called))) };
    let from = e.ty();
    // A row is fitted to another one by who assigns it.
    let fitted = oid::is_composite(to.oid) && (from.oid == oid::RECORD || oid::is_composite(from.oid));
    if from.oid == to.oid && from.typmod == to.typmod || fitted {
        return Ok(Some((e, called)));
    }
    let plain = b.try_coerce(e.clone(), to, CastContext::Assignment);
    if let Some(e) = plain.map_err(|x| b.place(x, target.expr.leftmost()))? {
        return Ok(Some((e, called)));
    }
    // As PL/pgSQL does where there is no cast. A SQL function's body is then none that it may have.
    if inlining {
        return Ok(None);
    }
    Ok(Some((b.by_text(e, to), called)))
}

/// The procedure that a CALL means, with its arguments. The call names input parameters alone; `out`: what stands for the others, with their types (42883 where it
/// is of another type). None: the call is as it was written, which finds what has no others.
pub fn bind_call(
    f: &FuncCall,
    out: Option<&[(&tree::Expr, Type)]>,
    cx: &mut BindCtx,
) -> Result<(FunctionRef, Vec<Expr>)> {
    let mut b = Binder::knowing_names(cx);
    b.scopes.push(Scope::default());
    (b.calling, b.outs_written) = (true, out.is_none());
    b.inlining = None;
    let place = "CALL arguments";
    (b.level().no_agg, b.level().no_srf) = (Some(place), Some(place));
    let call = tree::Expr { kind: ExprKind::Call(Box::new(f.clone())), at: f.at };
    let e = b.expr(&call)?;
    for (written, ty) in out.unwrap_or_default() {
        let given = b.expr(written)?;
        if b.try_coerce(given, *ty, CastContext::Implicit)?.is_none() {
            bail!(UNDEFINED_FUNCTION, "function {} does not exist", f.name.join("."));
        }
    }
    if b.has_subquery {
        bail!(FEATURE_NOT_SUPPORTED, "cannot use subquery in CALL argument");
    }
    match e {
        Expr::Call { f, args, .. } => Ok((f, args)),
        _ => bail!(WRONG_OBJECT_TYPE, "{} is not a procedure", f.name.join(".")),
    }
}

/// The conversion of a value, its only parameter, as an assignment converts it, or by way of its text.
pub fn bind_cast(from: Type, to: Type, env: &mut dyn Env) -> Result<Px> {
    let (catalog, scope) = (env.catalog().clone(), env.scope().clone());
    let mut cx = BindCtx { catalog: &catalog, scope: &scope, params: vec![from.oid], env, text: "" };
    let mut b = Binder::new(&mut cx);
    let value = Expr::Param(0, from);
    let plain = if from.oid == oid::UNKNOWN { None } else { b.try_coerce(value.clone(), to, CastContext::Assignment)? };
    let e = match plain {
        Some(e) => e,
        None => b.by_text(value, to),
    };
    compile_simple(&e)
}
impl Binder<'_, '_> {
    /// A conversion by way of text, for which there is no cast; a domain looks at the value.
    fn by_text(&self, e: Expr, to: Type) -> Expr {
        if !self.cx.catalog.holds_domain(to.oid) {
            return by_text(e, to);
        }
        let e = by_text(e, self.cx.catalog.base_type(to));
        Expr::Cast { e: Box::new(e), f: CastHow::Domain, ty: to.base(), explicit: false }
    }
}
fn by_text(e: Expr, to: Type) -> Expr {
    let text = if e.ty().oid == oid::UNKNOWN {
        Expr::Cast { e: Box::new(e), f: CastHow::Relabel, ty: Type::TEXT, explicit: true }
    } else {
        Expr::Cast { e: Box::new(e), f: CastHow::ViaText, ty: Type::TEXT, explicit: true }
    };
    if to.oid == oid::TEXT {
        return text;
    }
    Expr::Cast { e: Box::new(text), f: CastHow::ViaText, ty: to, explicit: true }
}
