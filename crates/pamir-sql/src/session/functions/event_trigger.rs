//! Event triggers: what runs beside a definition.
//!
//! ```text
//!   statement --ddl_command_start--> its own work --ddl_command_end--> its answer        in the order of their names, in the statement's transaction
//! ```
//! Which statements have them: [`crate::ddl::supports`]. Definitions within their functions have them too; nesting ends as that of functions does (54001).
//!
//! Limits: sql_drop and table_rewrite are refused (0A000) where they would be made; pg_event_trigger_ddl_commands() is.
use super::{Running, State, compile};
use pamir_catalog::trigger::EventTrigger;
use pamir_expr::deep::{on_stack_for, too_deep};
use pamir_expr::spi::MAX_DEPTH;
use pamir_storage::task;
use pamir_types::{Datum, Result, bail};
use std::sync::Arc;

/// Functions of event triggers that a session keeps compiled.
const MOST_KEPT: usize = 100;

impl State {
    pub(in crate::session) fn fire_events(&mut self, event: &str, tag: &str) -> Result<()> {
        let replica = self.settings.replica;
        let fires = |g: &&Arc<EventTrigger>| {
            g.event == event && g.enabled.fires(replica) && (g.tags.is_empty() || g.tags.iter().any(|t| t == tag))
        };
        let all: Vec<Arc<EventTrigger>> =
            self.catalog.event_triggers(self.scope.database).into_iter().filter(fires).cloned().collect();
        for g in all {
            self.fire_event(&g, event, tag)?;
        }
        Ok(())
    }
    fn fire_event(&mut self, g: &EventTrigger, event: &str, tag: &str) -> Result<()> {
        let Some(def) = self.catalog.function(g.function).cloned() else {
            bail!(UNDEFINED_FUNCTION, "function with OID {} does not exist", g.function)
        };
        if self.nested >= MAX_DEPTH {
            return Err(too_deep());
        }
        pamir_expr::env::Env::check_cancel(self)?;
        let body = match self.functions.events.get(&g.oid) {
            Some((of, body)) if Arc::ptr_eq(of, &def) => body.clone(),
            _ => {
                let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
                let body = Arc::new(compile::plpgsql(
                    &def,
                    None,
                    &catalog,
                    &scope,
                    compile::settings(&|n| self.settings.get(n)),
                )?);
                if self.functions.events.len() >= MOST_KEPT {
                    self.functions.events.clear();
                }
                self.functions.events.insert(g.oid, (def.clone(), body.clone()));
                body
            }
        };
        drop(self.begin_if_needed());
        let args = [Datum::from(event), Datum::from(tag)];
        let running = Running { def: &def, arg_types: Vec::new(), ret: def.ret, args: &args, top: false };
        let used_up = task::stack_left().is_some_and(|n| n < super::STACK);
        self.nested += 1;
        self.nested_so_far += 1;
        let names = self.names.take();
        let run = || self.as_declared(running, |s, r| s.run_plpgsql(&body, r, None));
        let r = if used_up { on_stack_for(true, run) } else { run() };
        self.names = names;
        self.nested -= 1;
        r.map(drop).map_err(|e| e.placed_at(None))
    }
}
