//! EXPLAIN.
use super::Session;
use super::follower::Taken;
use super::state::State;
use super::statement::{PreparedStmt, Told};
use super::utility::{text_field, text_row};
use crate::client::{Client, Field, NullClient};
use crate::ddl::def;
use pamir_exec::{ExecCtx, Execution};
use pamir_expr::deep::on_stack_for;
use pamir_expr::spi::Answer;
use pamir_parse::tree::{Explain, Statement};
use pamir_plan::plan::{self, ExplainFormat, ExplainOptions};
use pamir_types::{Datum, Error, Result, Type, bail, err};

/// The column: a document of JSON has that type.
fn plan_field_as(format: ExplainFormat) -> Field {
    let ty = if format == ExplainFormat::Json { Type::new(pamir_types::oid::JSON) } else { Type::TEXT };
    Field { ty, ..text_field("QUERY PLAN") }
}
/// Options that make no sense are told of when it runs.
pub(super) fn plan_field(e: &Explain) -> Field {
    plan_field_as(explain_options(e, "").map_or(ExplainFormat::Text, |o| o.format))
}
/// Does it run what it explains?
pub(super) fn runs(e: &Explain) -> bool {
    e.options.iter().rev().find(|o| o.name == "analyze").is_some_and(|o| def::boolean(o).unwrap_or(false))
}

fn explain_options(e: &Explain, text: &str) -> Result<ExplainOptions> {
    let mut o = ExplainOptions { costs: true, ..Default::default() };
    let (mut timing, mut summary) = (None, None);
    for opt in &e.options {
        match opt.name.as_str() {
            "analyze" => o.analyze = def::boolean(opt)?,
            "verbose" => o.verbose = def::boolean(opt)?,
            "costs" => o.costs = def::boolean(opt)?,
            "buffers" => o.buffers = def::boolean(opt)?,
            "wal" => o.wal = def::boolean(opt)?,
            "settings" => o.settings = def::boolean(opt)?,
            "timing" => timing = Some(def::boolean(opt)?),
            "summary" => summary = Some(def::boolean(opt)?),
            "format" => {
                o.format = match def::string(opt)?.as_str() {
                    "text" => ExplainFormat::Text,
                    "xml" => ExplainFormat::Xml,
                    "json" => ExplainFormat::Json,
                    "yaml" => ExplainFormat::Yaml,
                    other => {
                        let e = err!(
                            INVALID_PARAMETER_VALUE,
                            "unrecognized value for EXPLAIN option \"format\": \"{other}\""
                        );
                        return Err(def::placed(e, text, opt.at));
                    }
                }
            }
            other => {
                return Err(def::placed(err!(SYNTAX_ERROR, "unrecognized EXPLAIN option \"{other}\""), text, opt.at));
            }
        }
    }
    if o.wal && !o.analyze {
        bail!(INVALID_PARAMETER_VALUE, "EXPLAIN option WAL requires ANALYZE");
    }
    o.timing = timing.unwrap_or(o.analyze);
    if o.timing && !o.analyze {
        bail!(INVALID_PARAMETER_VALUE, "EXPLAIN option TIMING requires ANALYZE");
    }
    o.summary = summary.unwrap_or(o.analyze);
    Ok(o)
}

impl State {
    /// EXPLAIN of a function: its lines as rows.
    pub(super) fn explain_in_function(
        &mut self,
        e: &Explain,
        whole: &PreparedStmt,
        params: &[Datum],
        read_only: bool,
    ) -> Result<Answer> {
        let o = explain_options(e, &whole.text)?;
        let Some(stmt) = whole.inner().filter(|s| s.is_query()).cloned() else {
            return Err(Error::unsupported("EXPLAIN of this kind of statement"));
        };
        let started = std::time::Instant::now();
        let told = if o.analyze { Told::Nothing } else { Told::Plan };
        let mut planned = on_stack_for(stmt.deep, || self.locked_plan(&stmt, None, told, Taken::Whole))?;
        if read_only && o.analyze && !planned.plan.read_only {
            bail!(FEATURE_NOT_SUPPORTED, "EXPLAIN is not allowed in a non-volatile function");
        }
        planned.takes(params)?;
        if let Some(custom) = self.custom_plan(&stmt, &planned, params)? {
            planned = custom;
        }
        let mut times =
            plan::explain::Timings { planning_nanos: started.elapsed().as_nanos() as u64, ..Default::default() };
        if o.settings {
            times.settings = self.settings.changed_for_plans();
        }
        let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
        let names = (&*catalog, &scope);
        let lines = if o.analyze {
            let txn = self.begin_if_needed();
            let snapshot = txn.statement();
            let work = self.work();
            let outer = self.running.replace(snapshot.clone());
            let variables = self.names.take();
            let mut deferred = self.deferred.lend();
            let mut execution = Execution::new(planned.plan.clone(), true);
            let started = std::time::Instant::now();
            let mut cx = ExecCtx { txn: &txn, snapshot, env: self, params, work: &work, deferred: &mut deferred };
            let ran = execution.run(&mut cx, 0, &mut NullClient);
            self.deferred.take_back(deferred);
            self.running = outer;
            self.names = variables;
            ran?;
            times.execution_nanos = Some(started.elapsed().as_nanos() as u64);
            plan::explain(&planned.plan, &o, params, execution.stats(), &times, names)
        } else {
            plan::explain(&planned.plan, &o, params, None, &times, names)
        };
        let field = plan_field_as(o.format);
        let processed = lines.len() as u64;
        let rows = lines.into_iter().map(|l| vec![Datum::text(l)]).collect();
        Ok(Answer { columns: vec![(field.name, field.ty)], rows, processed, has_rows: true, charged: None })
    }
}
impl Session {
    pub(super) fn explain(
        &mut self,
        e: &Explain,
        params: &[Datum],
        client: &mut dyn Client,
        whole: &PreparedStmt,
    ) -> Result<()> {
        let o = explain_options(e, &whole.text)?;
        let started = std::time::Instant::now();
        let (stmt, params) = match (&e.statement, whole.inner()) {
            (Statement::Execute(x), _) => self.state.execute_target(x, &whole.text)?,
            (_, Some(query)) => (query.clone(), params.to_vec()),
            _ => return Err(Error::unsupported("EXPLAIN of this kind of statement")),
        };
        if !stmt.is_query() {
            return Err(Error::unsupported("EXPLAIN of this kind of statement"));
        }
        let told = if o.analyze { Told::Nothing } else { Told::Plan };
        let mut planned = on_stack_for(stmt.deep, || self.state.locked_plan(&stmt, None, told, Taken::Whole))?;
        planned.takes(&params)?;
        if let Some(custom) = self.state.custom_plan(&stmt, &planned, &params)? {
            planned = custom;
        }
        let mut times =
            plan::explain::Timings { planning_nanos: started.elapsed().as_nanos() as u64, ..Default::default() };
        if o.settings {
            times.settings = self.state.settings.changed_for_plans();
        }
        let (catalog, scope) = (self.state.catalog.clone(), self.state.scope.clone());
        let names = (&*catalog, &scope);
        let lines = if o.analyze {
            let txn = self.state.begin_if_needed();
            let snapshot = txn.statement();
            let mut execution = Execution::new(planned.plan.clone(), true);
            let started = std::time::Instant::now();
            self.in_exec(&txn, snapshot, &params, |cx| execution.run(cx, 0, &mut NullClient))?;
            times.execution_nanos = Some(started.elapsed().as_nanos() as u64);
            plan::explain(&planned.plan, &o, &params, execution.stats(), &times, names)
        } else {
            plan::explain(&planned.plan, &o, &params, None, &times, names)
        };
        self.begin_rows(&[plan_field_as(o.format)], client);
        lines.iter().try_for_each(|l| text_row(client, &[l]))
    }
}
