//! Triggers' functions: what they are called with, and what becomes of the row that they give.
//!
//! ```text
//!   Firing { table, trigger, old, new } --Ready, kept by trigger--> OLD, NEW as records of the live columns; TG_ variables --> body --> a row by attnum, or none
//!   what runs is on `State::firing`: pg_trigger_depth(), and the transition tables that the function's statements may read
//! ```
//! A function is compiled once for each trigger, so that OLD and NEW have one shape in it and its plans are made once; it is compiled anew when the trigger, its table or
//! itself has changed.
//!
//! *Invariants*: a call is on `State::firing` exactly as long as it runs. Transition tables are seen by the function's own statements, not by those of what it calls.
use super::{Running, State, compile};
use crate::ddl;
use pamir_catalog::Table;
use pamir_catalog::function::Function;
use pamir_catalog::trigger::{Event, Timing, Trigger};
use pamir_expr::deep::{on_stack_for, too_deep};
use pamir_expr::spi::{Changed, Firing, MAX_DEPTH};
use pamir_parse::tree::{Create, RoleSpec, Statement};
use pamir_plpgsql::run::TriggerCall;
use pamir_plpgsql::tree;
use pamir_storage::task;
use pamir_types::array::Array;
use pamir_types::text::type_display;
use pamir_types::{Datum, Oid, Result, Type, bail, err, oid};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Triggers whose compiled functions a session keeps.
const MOST_KEPT: usize = 1000;

/// A trigger that can fire at once.
pub(in crate::session) struct Ready {
    function: Arc<Function>,
    trigger: Arc<Trigger>,
    table: Arc<Table>,
    body: Arc<tree::Function>,
    /// Of OLD and NEW.
    row: Type,
    /// Place and type of each live column; whether it is generated.
    columns: Vec<(usize, Type, bool)>,
    /// TG_NAME and the others, TG_OP but for its value.
    vars: Vec<Datum>,
    /// The version of the catalog in which the body's types were there.
    looked_at: AtomicU64,
}
/// A call under way.
pub(in crate::session) struct Frame {
    trigger: Arc<Trigger>,
    table: Arc<Table>,
    changed: Option<Arc<Changed>>,
    /// [`State::nested`] of the function's own statements.
    nested: usize,
}
/// TG_OP's place among the variables.
const TG_OP: usize = 3;

impl State {
    pub(in crate::session) fn fire_trigger(&mut self, f: &Firing) -> Result<Option<Vec<Datum>>> {
        let Some(def) = self.catalog.function(f.trigger.function).cloned() else {
            bail!(UNDEFINED_FUNCTION, "function with OID {} does not exist", f.trigger.function)
        };
        if self.nested >= MAX_DEPTH {
            return Err(too_deep());
        }
        let ready = self.ready_trigger(&def, f)?;
        let used_up = task::stack_left().is_some_and(|n| n < super::STACK);
        self.nested += 1;
        self.nested_so_far += 1;
        let (trigger, table, changed) = (f.trigger.clone(), f.table.clone(), f.changed.cloned());
        self.firing.push(Frame { trigger, table, changed, nested: self.nested });
        let names = self.names.take();
        let running = Running { def: &def, arg_types: Vec::new(), ret: def.ret, args: &[], top: false };
        let run = || self.as_declared(running, |s, r| s.run_trigger(&ready, r, f));
        let r = if used_up { on_stack_for(true, run) } else { run() };
        self.names = names;
        self.firing.pop();
        self.nested -= 1;
        r.map_err(|e| e.placed_at(None))
    }
    fn ready_trigger(&mut self, def: &Arc<Function>, f: &Firing) -> Result<Arc<Ready>> {
        if let Some(r) = self.functions.triggers.get(&f.trigger.oid)
            && Arc::ptr_eq(&r.function, def)
            && Arc::ptr_eq(&r.trigger, f.trigger)
            && Arc::ptr_eq(&r.table, f.table)
            && (r.looked_at.load(Relaxed) == self.catalog.version || super::types_stand(&r.body, &self.catalog))
        {
            r.looked_at.store(self.catalog.version, Relaxed);
            return Ok(r.clone());
        }
        let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
        let body = Arc::new(compile::trigger(def, &catalog, &scope, compile::settings(&|n| self.settings.get(n)))?);
        let (t, g) = (f.table, f.trigger);
        let column = |c: &pamir_catalog::Column| ((c.attnum - 1) as usize, c.ty, c.generated.is_some());
        let schema = catalog.schema(t.schema).map_or("", |s| s.name.as_str());
        let args = if g.args.is_empty() {
            Datum::Null
        } else {
            let items: Vec<Datum> = g.args.iter().map(|a| Datum::from(a.as_str())).collect();
            let dims = vec![(items.len() as i32, 0)];
            Datum::Array(Arc::new(Array { elem: oid::TEXT, dims, items }))
        };
        let level = if g.each_row { "ROW" } else { "STATEMENT" };
        let text = |s: &str| Datum::from(s);
        let vars = vec![
            text(&g.name),
            text(g.timing.words()),
            text(level),
            Datum::Null,
            Datum::Oid(t.oid),
            text(&t.name),
            text(&t.name),
            text(schema),
            Datum::Int4(g.args.len() as i32),
            args,
        ];
        let ready = Arc::new(Ready {
            function: def.clone(),
            trigger: g.clone(),
            table: t.clone(),
            body,
            row: compile::row_of(t),
            columns: t.live_columns().map(column).collect(),
            vars,
            looked_at: AtomicU64::new(catalog.version),
        });
        if self.functions.triggers.len() >= MOST_KEPT {
            self.functions.triggers.clear();
        }
        self.functions.triggers.insert(g.oid, ready.clone());
        Ok(ready)
    }
    fn run_trigger(&mut self, ready: &Ready, r: Running, f: &Firing) -> Result<Option<Vec<Datum>>> {
        // Generated columns are computed after the triggers that come before.
        let early = f.trigger.timing == Timing::Before;
        let record = |row: &[Datum], new: bool| {
            let field = |(at, ty, generated): &(usize, Type, bool)| match row.get(*at) {
                Some(d) if !(new && early && *generated) => (*ty, d.clone()),
                _ => (*ty, Datum::Null),
            };
            Datum::record(ready.columns.iter().map(field).collect())
        };
        let mut vars = ready.vars.clone();
        vars[TG_OP] = Datum::from(f.event.word());
        let (new, old) = (f.new.map(|r| record(r, true)).transpose()?, f.old.map(|r| record(r, false)).transpose()?);
        let given = self.run_plpgsql_trigger(&ready.body, &r, TriggerCall { row: ready.row, new, old, vars })?;
        if !f.trigger.each_row {
            return Ok(None);
        }
        match given {
            Datum::Null => Ok(None),
            Datum::Record(fields) => as_row(ready, &fields).map(Some),
            _ => bail!(DATATYPE_MISMATCH, "cannot return non-composite value from function returning composite type"),
        }
    }
    /// The tables whose triggers are under way.
    pub(in crate::session) fn under_way(&self) -> Vec<Oid> {
        self.firing.iter().map(|f| f.table.oid).collect()
    }
    /// Runs a definition, or TRUNCATE, with the triggers that it fires.
    pub(in crate::session) fn define(&mut self, s: &Statement, text: &str) -> Result<String> {
        let fires = self.catalog.has_event_triggers() && ddl::supports(s);
        if fires {
            self.fire_events("ddl_command_start", s.tag())?;
        }
        let tag = self.define_silently(s, text)?;
        if fires {
            self.fire_events("ddl_command_end", s.tag())?;
        }
        Ok(tag)
    }
    /// CREATE SCHEMA with objects: as its owner, and the schema comes first in the search path.
    fn define_schema(
        &mut self,
        (name, owner): (Option<&str>, Option<&RoleSpec>),
        elements: &[Statement],
        text: &str,
    ) -> Result<String> {
        const TAG: &str = "CREATE SCHEMA";
        let (schema, owner) = self.with_ddl(TAG, text, |cx| ddl::database::make_schema(name, owner, false, cx))?;
        let elements = ddl::database::in_order(&schema, elements)?;
        let before = (self.user.clone(), self.scope.clone());
        let mark = self.settings.mark();
        let path = self.settings.get("search_path").unwrap_or_default();
        let quoted = pamir_catalog::defs::quote_ident(&schema);
        let path = if path.is_empty() { quoted.to_string() } else { format!("{quoted}, {path}") };
        let ready = self.set_in("search_path", Some(&path), true, true);
        let name = self.catalog.role(owner).map(|o| o.name.clone());
        self.become_user(name.unwrap_or_default(), owner);
        let done = ready.and_then(|()| elements.into_iter().try_for_each(|s| self.define(s, text).map(|_| ())));
        let reports = self.settings.rollback_to(mark);
        self.text_stale |= !reports.is_empty();
        self.reports.extend(reports);
        self.resolve_scope();
        let (user, scope) = before;
        self.become_user(user, scope.user);
        self.scope = scope;
        done.map(|()| TAG.into())
    }
    fn define_silently(&mut self, s: &Statement, text: &str) -> Result<String> {
        if let Statement::Create(c) = s
            && let Create::Schema { name, owner, elements, .. } = &**c
            && !elements.is_empty()
        {
            return self.define_schema((name.as_deref(), owner.as_ref()), elements, text);
        }
        if let Some(tag) = self.define_online(s, text)? {
            return Ok(tag);
        }
        let Statement::Truncate(t) = s else { return self.with_ddl(s.tag(), text, |cx| ddl::execute(s, cx)) };
        let has = |t: &Arc<Table>| {
            t.triggers
                .as_ref()
                .is_some_and(|g| [Timing::Before, Timing::After].iter().any(|w| g.any(*w, false, Event::Truncate)))
        };
        let (tables, done) = self.with_ddl(s.tag(), text, |cx| {
            let tables = ddl::truncated(t, cx)?;
            let oids: Vec<Oid> = tables.iter().map(|t| t.oid).collect();
            let done = if tables.iter().any(has) { None } else { Some(ddl::truncate(t, &oids, cx)?) };
            Ok((tables, done))
        })?;
        if let Some(tag) = done {
            return Ok(tag.into());
        }
        for t in tables.iter().filter(|t| has(t)) {
            self.fire_truncate(t, Timing::Before)?;
        }
        let oids: Vec<Oid> = tables.iter().map(|t| t.oid).collect();
        let tag = self.with_ddl(s.tag(), text, |cx| ddl::truncate(t, &oids, cx))?;
        for oid in oids {
            if let Some(t) = self.catalog.table(oid).cloned().filter(has) {
                self.fire_truncate(&t, Timing::After)?;
            }
        }
        Ok(tag.into())
    }
    fn fire_truncate(&mut self, t: &Arc<Table>, timing: Timing) -> Result<()> {
        let mut deferred = self.deferred.lend();
        let r = self.with_exec(&[], &mut deferred, |cx| pamir_exec::trigger::truncate(t, timing, cx));
        self.deferred.take_back(deferred);
        r
    }
    pub(in crate::session) fn transition_of(&self, name: &str) -> Option<(&Frame, bool)> {
        let f = self.firing.last().filter(|f| self.nested <= f.nested + 1)?;
        if f.trigger.new_table.as_deref() == Some(name) {
            return Some((f, true));
        }
        (f.trigger.old_table.as_deref() == Some(name)).then_some((f, false))
    }
}
impl Frame {
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }
    pub fn changed(&self) -> Arc<Changed> {
        self.changed.clone().unwrap_or_default()
    }
}
/// A record that a trigger gave as its table's row.
fn as_row(ready: &Ready, fields: &[(Type, Datum)]) -> Result<Vec<Datum>> {
    let differs =
        || err!(DATATYPE_MISMATCH, "returned row structure does not match the structure of the triggering table");
    if fields.len() != ready.columns.len() {
        return Err(differs().detail(format!(
            "Number of returned columns ({}) does not match expected column count ({}).",
            fields.len(),
            ready.columns.len()
        )));
    }
    let mut row = vec![Datum::Null; ready.table.columns.len()];
    for (i, ((from, d), (at, to, _))) in std::iter::zip(fields, &ready.columns).enumerate() {
        if from.oid != to.oid {
            return Err(differs().detail(format!(
                "Returned type {} does not match expected type {} in column {}.",
                type_display(*from),
                type_display(*to),
                i + 1
            )));
        }
        row[*at] = d.clone();
    }
    Ok(row)
}
