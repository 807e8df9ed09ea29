//! LANGUAGE sql: statements one after another; the last one's rows are the result.
//!
//! Parameters are known by name and by number; a column of the same name hides one.
use super::levels::Level;
use super::{Running, State};
use crate::compile::{self, Concrete};
use crate::session::statement::PreparedStmt;
use pamir_catalog::function::{Function, FunctionKind};
use pamir_expr::expr::{ParamCx, eval};
use pamir_expr::func::rowtype;
use pamir_expr::names::Names;
use pamir_expr::spi::{Answer, Push};
use pamir_parse::tree::Statement;
use pamir_types::text::type_named;
use pamir_types::{Datum, Error, Result, Type, err, oid};
use parking_lot::Mutex;
use std::sync::Arc;

/// Conversions of values that a session keeps.
const MOST_CASTS: usize = 500;

fn is_row(t: Type) -> bool {
    t.oid == oid::RECORD || oid::is_composite(t.oid)
}
pub(crate) struct Body {
    statements: Vec<Arc<PreparedStmt>>,
    names: Arc<Names>,
    /// The columns that were found to be what the function returns, by which catalog.
    checked: Mutex<Option<(u64, Vec<Type>)>>,
}

/// The statements of a body, parsed.
pub(crate) fn statements(f: &Function) -> Result<Vec<Arc<PreparedStmt>>> {
    let script = pamir_plan::parser::parse(&f.body)?;
    let one = |p: pamir_plan::parser::Parsed| {
        let text = p.text.clone();
        PreparedStmt::of(p, text, Vec::new()).map(Arc::new)
    };
    script.statements.into_iter().map(one).collect()
}
pub(crate) fn body(f: &Function, c: &Concrete) -> Result<Body> {
    let statements = statements(f).map_err(|e| e.context(startup(f, true)))?;
    Ok(Body { statements, names: Arc::new(compile::names(f, Some(c))), checked: Mutex::default() })
}
/// When PostgreSQL finds an error of a body, for CONTEXT: it inlines functions of one value. `simple`: the body may be one that is inlined.
fn startup(f: &Function, simple: bool) -> String {
    let inlined = f.kind == FunctionKind::Function && !f.set && !f.security_definer && f.settings.is_empty();
    let inlined = inlined && simple && f.ret.oid != oid::RECORD;
    format!("SQL function \"{}\" during {}", f.name, if inlined { "inlining" } else { "startup" })
}

impl State {
    pub(super) fn run_sql(&mut self, b: &Body, r: Running, push: Option<Push>) -> Result<Datum> {
        self.levels.push(Level::Sql { name: r.def.name.clone(), statement: 1 });
        let depth = self.levels.len();
        let out = self.run_statements(b, r, push);
        self.levels.truncate(depth - 1);
        out
    }
    fn run_statements(&mut self, b: &Body, r: Running, mut push: Option<Push>) -> Result<Datum> {
        let read_only = r.def.volatility != b'v';
        let name = &r.def.name;
        let mut last = Answer::default();
        for (i, s) in b.statements.iter().enumerate() {
            // Only the result's rows are wanted, and of one value only its row.
            if let Some(Level::Sql { statement, .. }) = self.levels.last_mut() {
                *statement = i + 1;
            }
            let is_last = i + 1 == b.statements.len();
            let limit = if is_last && push.is_none() && r.ret.oid != oid::VOID { 1 } else { 0 };
            let ran = self.run_in_function(s, Some(b.names.clone()), r.args, read_only, limit);
            let ran = ran.and_then(|a| match &s.stmt {
                Some(Statement::Call(_)) if a.has_rows => Err(err!(
                    FEATURE_NOT_SUPPORTED,
                    "calling procedures with output arguments is not supported in SQL functions"
                )),
                _ => Ok(a),
            });
            last = ran.map_err(|e| {
                let line = format!("SQL function \"{name}\" statement {}", i + 1);
                let before = e.data().context.clone();
                e.placed_at(None).context(before.map_or_else(|| line.clone(), |c| format!("{c}\n{line}")))
            })?;
        }
        if r.ret.oid == oid::VOID {
            return Ok(Datum::Null);
        }
        let columns: Vec<Type> = last.columns.iter().map(|c| c.1).collect();
        self.check_returned(b, &r, &columns, last.has_rows)?;
        let out: Vec<Type> = r.def.outputs().map(|p| p.ty).collect();
        let shape = match oid::is_user(r.ret.oid) {
            true => self.catalog.fields_of(r.ret.oid),
            false => None,
        };
        let named = shape.is_some();
        let out_columns = out.len();
        let plain = out.is_empty() && r.def.ret_row_of == 0 && !named;
        let types: Vec<Type> = match r.def.ret_row_of {
            0 if let Some(s) = shape => s.into_iter().map(|f| f.1).collect(),
            0 if out.is_empty() && r.ret.oid != oid::RECORD => vec![r.ret],
            // What the call says of the rows.
            0 if out.is_empty() => rowtype::fields(r.ret).map_or(Vec::new(), |s| s.iter().map(|(_, t)| *t).collect()),
            0 => out,
            t => self.catalog.table(t).map_or(Vec::new(), |t| t.live_columns().map(|c| c.ty).collect()),
        };
        let record = r.ret.oid == oid::RECORD && out_columns == 0 && r.def.ret_row_of == 0;
        if record && !types.is_empty() && !matches!(columns.as_slice(), [one] if is_row(*one)) {
            let ways = pamir_expr::casts::Ways { catalog: &self.catalog, database: self.scope.database };
            let shown = type_named(oid::RECORD);
            compile::check_columns(&columns, &types, false, &|| shown.clone(), ways)
                .map_err(|e| e.context(format!("SQL function \"{name}\" during startup")))?;
        }
        if let Some(push) = &mut push {
            for row in last.rows {
                pamir_types::work::charge(100)?;
                let row = self.fitted(row, &columns, &types)?;
                push(match record {
                    true => vec![self.as_record(row, if types.is_empty() { &columns } else { &types })?],
                    false if oid::is_domain(r.ret.oid) => self.fields_of_one(row, r.ret),
                    false => row,
                })?;
            }
            return Ok(Datum::Null);
        }
        let Some(row) = last.rows.into_iter().next() else { return Ok(Datum::Null) };
        // A row that is NULL as a whole.
        if let ([Datum::Null], [c], true) = (row.as_slice(), columns.as_slice(), named)
            && c.oid == r.ret.oid
        {
            return Ok(Datum::Null);
        }
        let row = self.fitted(row, &columns, &types)?;
        if r.ret.oid != oid::RECORD && (plain || types.len() == 1) && !named {
            return Ok(row.into_iter().next().unwrap_or(Datum::Null));
        }
        self.as_record(row, if types.is_empty() { &columns } else { &types })
    }
    /// 42P13 where the last statement's columns are not what the function returns: its body was not looked at when it was made, or what it names is another thing by now.
    fn check_returned(&self, b: &Body, r: &Running, columns: &[Type], has_rows: bool) -> Result<()> {
        let version = self.catalog.version;
        if b.checked.lock().as_ref().is_some_and(|(v, c)| *v == version && c == columns) {
            return Ok(());
        }
        let shown = || match r.def.ret_row_of {
            0 => type_named(r.ret.oid),
            t => self.catalog.quoted_name(&self.scope, t).unwrap_or_else(|| "record".into()),
        };
        let ways = pamir_expr::casts::Ways { catalog: &self.catalog, database: self.scope.database };
        let simple = match b.statements.as_slice() {
            [s] => matches!(&s.stmt, Some(Statement::Select(q)) if pamir_plan::bind::only_target(q).is_some()),
            _ => false,
        };
        compile::check_result(r.def, r.ret, has_rows.then_some(columns), &shown, ways)
            .map_err(|e| e.context(startup(r.def, simple)))?;
        *b.checked.lock() = Some((version, columns.to_vec()));
        Ok(())
    }
    /// Are its values rows, of a domain too?
    fn rows(&self, t: Type) -> bool {
        is_row(t) || oid::is_domain(t.oid) && is_row(self.catalog.base_type(t))
    }
    /// A set's row of the one value that a domain's is: the fields, where the domain is over a composite type.
    fn fields_of_one(&self, row: Vec<Datum>, domain: Type) -> Vec<Datum> {
        let Some(shape) = self.catalog.fields_of(self.catalog.base_type(domain).oid) else { return row };
        match row.as_slice() {
            [Datum::Record(fields)] => fields.iter().map(|f| f.1.clone()).collect(),
            [Datum::Null] => vec![Datum::Null; shape.len()],
            _ => row,
        }
    }
    /// A row as one value, unless it is one already.
    fn as_record(&self, mut row: Vec<Datum>, types: &[Type]) -> Result<Datum> {
        if let ([Datum::Record(_)], [one]) = (row.as_slice(), types)
            && self.rows(*one)
        {
            return Ok(row.pop().unwrap_or(Datum::Null));
        }
        let types = types.iter().map(|t| self.catalog.base_type(*t));
        Datum::record(std::iter::zip(types, row).collect())
    }
    /// A row in the types that are declared.
    fn fitted(&mut self, mut row: Vec<Datum>, from: &[Type], to: &[Type]) -> Result<Vec<Datum>> {
        // One column that is the row.
        if let ([Datum::Record(f)], [from], true) =
            (row.as_slice(), from, to.len() != 1 || !to.iter().all(|t| self.rows(*t)))
            && self.rows(*from)
        {
            let from: Vec<Type> = f.iter().map(|f| f.0).collect();
            let fields = f.iter().map(|f| f.1.clone()).collect();
            return self.fitted(fields, &from, to);
        }
        for (d, (from, to)) in std::iter::zip(&mut row, std::iter::zip(from, to)) {
            if from != to && !(from.oid == to.oid && to.typmod == -1) {
                *d = self.converted(std::mem::replace(d, Datum::Null), *from, *to)?;
            }
        }
        Ok(row)
    }
    /// A row as one of a composite type, or of a domain over one: field by field.
    fn row_converted(&mut self, fields: &[(Type, Datum)], from: Type, to: Type) -> Result<Datum> {
        let base = self.catalog.base_type(to);
        let Some(shape) = self.catalog.fields_of(base.oid) else {
            return Err(Error::internal("a row for what is none"));
        };
        if shape.len() != fields.len() {
            let much = if fields.len() < shape.len() { "few" } else { "many" };
            let (from, to) = (type_named(from.oid), type_named(base.oid));
            let e = err!(CANNOT_COERCE, "cannot cast type {from} to {to}");
            return Err(e.detail(format!("Input has too {much} columns.")));
        }
        let mut out = Vec::with_capacity(shape.len());
        for ((have, d), (_, want)) in std::iter::zip(fields, &shape) {
            let d = self.converted(d.clone(), *have, *want)?;
            out.push((self.catalog.base_type(*want), d));
        }
        let row = Datum::record(out)?;
        if oid::is_domain(to.oid) {
            pamir_expr::domains::check(&row, to.oid, self)?;
        }
        Ok(row)
    }
    /// A value as an assignment converts it; by way of its text where there is no cast.
    pub(super) fn converted(&mut self, d: Datum, from: Type, to: Type) -> Result<Datum> {
        if from == to || to.oid == from.oid && to.typmod == -1 {
            return Ok(d);
        }
        if oid::is_user(to.oid)
            && let Datum::Record(fields) = &d
        {
            return self.row_converted(fields, from, to);
        }
        let px = match self.casts.get(&(from, to)) {
            Some(px) => px.clone(),
            None => {
                let px = Arc::new(pamir_plan::bind::bind_cast(from, to, self)?);
                if self.casts.len() < MOST_CASTS {
                    self.casts.insert((from, to), px.clone());
                }
                px
            }
        };
        eval(&px, &mut ParamCx { params: &[d], env: self })
    }
}
