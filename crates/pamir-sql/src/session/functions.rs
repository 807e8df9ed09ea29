//! Functions of the catalog: what runs when one is called.
//!
//! ```text
//!   Spi::call(OID) --privilege, SET, SECURITY DEFINER--> compiled body, kept by the session --> sql.rs: statements    plpgsql.rs: the interpreter's host
//! ```
//! A body is compiled once a session and a version of its function; of a polymorphic one, once for each list of types that it is called with.
//!
//! *Invariants*: what a call changes of the session for itself (the user, settings) is as before when it ends, however it ends. Calls nest as deep as statements of
//! functions do (54001).
//!
//! Limits: results of SQL functions and the rows of a plpgsql loop are in memory, charged to the session; so are those of cursors ([`cursors`]).
mod call;
mod cursors;
pub(super) mod event_trigger;
pub(super) mod levels;
mod plpgsql;
mod sql;
pub(super) mod trigger;

pub(super) type Cursors = FxHashMap<String, cursors::Cursor>;

use super::state::State;
use crate::compile;
use pamir_catalog::Catalog;
use pamir_catalog::acl;
use pamir_catalog::function::Function;
use pamir_expr::deep::{on_stack_for, too_deep};
use pamir_expr::func::CallInfo;
use pamir_expr::names::Names;
use pamir_expr::spi::{MAX_DEPTH, Push};
use pamir_plpgsql::VarType;
use pamir_storage::task;
use pamir_types::{Datum, Oid, Result, Type, bail, err, oid};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Stack that a body finds at least.
const STACK: usize = if cfg!(debug_assertions) { 3 << 20 } else { 256 << 10 };
/// Compiled bodies that a session keeps.
const MOST_KEPT: usize = 1000;

/// A body ready to run.
#[derive(Clone)]
pub(super) enum Compiled {
    Sql(Arc<sql::Body>),
    Pl(Arc<pamir_plpgsql::tree::Function>),
}
impl Compiled {
    /// Are the types of its variables still there? Another one of the same name is another type.
    fn stands(&self, catalog: &Catalog) -> bool {
        match self {
            Compiled::Sql(_) => true,
            Compiled::Pl(f) => types_stand(f, catalog),
        }
    }
}
/// Are the types of a function's variables still there?
fn types_stand(f: &pamir_plpgsql::tree::Function, catalog: &Catalog) -> bool {
    let there = |t: Type| {
        let t = t.element().unwrap_or(t);
        oid::user_class(t.oid).is_none() || catalog.type_place(t.oid).is_some()
    };
    f.vars.iter().all(|v| match v.ty {
        VarType::Plain(t) | VarType::Row(t) => there(t),
        VarType::Record => true,
    })
}
/// A compiled body.
struct Body {
    def: Arc<Function>,
    body: Compiled,
    /// The version of the catalog in which its types were there.
    looked_at: u64,
}
/// What a session has compiled: by function, and the types it was called with where they matter.
#[derive(Default)]
pub(super) struct Kept {
    bodies: FxHashMap<(Oid, Vec<Oid>), Body>,
    /// By trigger.
    triggers: FxHashMap<Oid, Arc<trigger::Ready>>,
    /// By event trigger.
    events: FxHashMap<Oid, (Arc<Function>, Arc<pamir_plpgsql::tree::Function>)>,
}

/// A call under way.
pub(super) struct Running<'a> {
    pub def: &'a Arc<Function>,
    pub arg_types: Vec<Type>,
    pub ret: Type,
    pub args: &'a [Datum],
    /// CALL, outside of a transaction block: COMMIT and ROLLBACK may be said.
    pub top: bool,
}

impl State {
    /// Runs a function or procedure.
    pub(super) fn run_function(
        &mut self,
        f: Oid,
        ci: &CallInfo,
        args: &[Datum],
        top: bool,
        push: Option<Push>,
    ) -> Result<Datum> {
        let Some(def) = self.catalog.function(f).cloned() else {
            bail!(UNDEFINED_FUNCTION, "function with OID {f} does not exist")
        };
        if self.nested >= MAX_DEPTH {
            return Err(too_deep());
        }
        pamir_expr::env::Env::check_cancel(self)?;
        self.may_execute(&def)?;
        let used_up = task::stack_left().is_some_and(|n| n < STACK);
        self.nested += 1;
        self.nested_so_far += 1;
        // What its own settings and user are taken back to is the transaction that called it.
        let top = top && !def.security_definer && def.settings.is_empty();
        let running = Running { def: &def, arg_types: ci.arg_types.to_vec(), ret: ci.ret, args, top };
        let r = if used_up {
            on_stack_for(true, || self.as_declared(running, |s, r| s.run_body(r, push)))
        } else {
            self.as_declared(running, |s, r| s.run_body(r, push))
        };
        self.nested -= 1;
        r.map_err(|e| e.placed_at(None))
    }
    /// 42501 for who may not execute it.
    fn may_execute(&mut self, def: &Function) -> Result<()> {
        let who = self.who();
        let kind = acl::ObjectKind::Function;
        if who.superuser || who.on(&self.catalog, kind, def.oid, def.owner, acl::EXECUTE, false) != 0 {
            return Ok(());
        }
        bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", def.word(), def.name)
    }
    /// With its user and its settings.
    fn as_declared<'r, R>(
        &mut self,
        r: Running<'r>,
        run: impl FnOnce(&mut State, Running<'r>) -> Result<R>,
    ) -> Result<R> {
        // What a body's names mean was said when it was made.
        let path = r.def.more.path.clone().filter(|p| self.settings.get("search_path").as_ref() != Some(p));
        if !r.def.security_definer && r.def.settings.is_empty() && path.is_none() {
            return run(self, r);
        }
        let before = (self.user.clone(), self.scope.clone());
        let mark = self.settings.mark();
        let searched = self.settings.get("search_path");
        let mut ready = Ok(());
        if let Some(p) = &path {
            ready = self.set_in("search_path", Some(p), true, true);
        }
        for (name, value) in &r.def.settings {
            ready = ready.and_then(|()| self.set_in(name, Some(value), true, true));
        }
        let own = self.settings.mark();
        if r.def.security_definer {
            let owner = self.catalog.role(r.def.owner).map(|o| o.name.clone());
            self.become_user(owner.unwrap_or_default(), r.def.owner);
        }
        let changed = !r.def.settings.is_empty() || path.is_some();
        let out = ready.and_then(|()| run(self, r));
        if changed {
            let reports = match &out {
                Ok(_) => self.settings.leave_function(mark, own),
                Err(_) => self.settings.rollback_to(mark),
            };
            self.text_stale |= !reports.is_empty();
            self.reports.extend(reports);
            self.resolve_scope();
        }
        let (user, scope) = before;
        self.become_user(user, scope.user);
        self.scope = scope;
        // The body's own SET search_path stays.
        if changed && self.settings.get("search_path") != searched {
            self.scope.search_path = self.settings.search_path(&self.user);
        }
        out
    }
    fn run_body(&mut self, r: Running, push: Option<Push>) -> Result<Datum> {
        match self.compiled(&r)? {
            Compiled::Sql(b) => self.run_sql(&b, r, push),
            Compiled::Pl(f) => self.run_plpgsql(&f, r, push),
        }
    }
    fn compiled(&mut self, r: &Running) -> Result<Compiled> {
        let types: Vec<Oid> = if compile::is_polymorphic(r.def) {
            r.arg_types.iter().chain([&r.ret]).map(|t| t.oid).collect()
        } else {
            Vec::new()
        };
        let key = (r.def.oid, types);
        let now = self.catalog.version;
        if let Some(k) = self.functions.bodies.get_mut(&key)
            && Arc::ptr_eq(&k.def, r.def)
            && (k.looked_at == now || k.body.stands(&self.catalog))
        {
            k.looked_at = now;
            return Ok(k.body.clone());
        }
        let made = self.compile(r)?;
        if self.functions.bodies.len() >= MOST_KEPT {
            self.functions.bodies.clear();
        }
        self.functions.bodies.insert(key, Body { def: r.def.clone(), body: made.clone(), looked_at: now });
        Ok(made)
    }
    fn compile(&mut self, r: &Running) -> Result<Compiled> {
        if matches!(r.def.ret.oid, pamir_types::oid::TRIGGER | pamir_types::oid::EVENT_TRIGGER) {
            let e = err!(FEATURE_NOT_SUPPORTED, "trigger functions can only be called as triggers");
            return Err(e.context(format!("compilation of PL/pgSQL function \"{}\" near line 1", r.def.name)));
        }
        let types = compile::Concrete { args: &r.arg_types, ret: r.ret };
        if r.def.language == "sql" {
            return sql::body(r.def, &types).map(|b| Compiled::Sql(Arc::new(b)));
        }
        let (catalog, scope) = (self.catalog.clone(), self.scope.clone());
        let settings = compile::settings(&|n| self.settings.get(n));
        compile::plpgsql(r.def, Some(&types), &catalog, &scope, settings).map(|f| Compiled::Pl(Arc::new(f)))
    }
    /// Binds with these names, and what it was before afterwards.
    pub(super) fn with_names<R>(&mut self, names: Option<Arc<Names>>, f: impl FnOnce(&mut State) -> R) -> R {
        let before = std::mem::replace(&mut self.names, names);
        let r = f(self);
        self.names = before;
        r
    }
}
