//! What functions, expressions and the catalogs ask of a session ([`Env`], [`Backend`]).
use super::super::fastpath;
use super::*;

impl ServerEnv for State {
    fn server(&self) -> Option<&Arc<Database>> {
        Some(&self.db)
    }
    fn wanted(&self) -> &[(&'static str, Datum)] {
        &self.wanted
    }
}
impl Env for State {
    fn text_ctx(&self) -> &TextCtx {
        &self.settings.text
    }
    fn txn_time(&self) -> i64 {
        self.txn_time
    }
    fn statement_time(&self) -> i64 {
        self.statement_time
    }
    fn clock(&self) -> i64 {
        self.db.now()
    }
    fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }
    fn scope(&self) -> &NameScope {
        &self.scope
    }
    fn engine(&self) -> Result<&Arc<dyn Engine>> {
        Ok(&self.engine)
    }
    fn txn(&self) -> Option<TxnInUse> {
        // Functions ask for it to tell its number, or to lock something in it.
        self.again.shown.set(true);
        self.txn.as_ref().map(|t| t.lock_arc())
    }
    fn txn_begun(&mut self) -> Option<TxnInUse> {
        self.again.shown.set(true);
        Some(self.begin_if_needed())
    }
    fn current_user(&self) -> &str {
        &self.user
    }
    fn read_a_moment(&mut self) {
        self.read_a_moment = true;
    }
    fn session_user(&self) -> &str {
        &self.session_user
    }
    fn database(&self) -> &str {
        &self.database
    }
    fn setting(&self, name: &str) -> Option<String> {
        self.settings.get(name)
    }
    fn nextval(&mut self, seq: Oid, checked: bool) -> Result<i64> {
        if checked {
            self.may_use_sequence(seq, acl::USAGE | acl::UPDATE)?;
        }
        let s = self.settled_sequence(seq)?;
        if self.read_only && !s.is_temporary() {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute nextval() in a read-only transaction");
        }
        if !self.drawn_ahead.is_empty()
            && let Some(v) = self.drawn_ahead.get_mut(&s.storage).and_then(Vec::pop)
        {
            self.currvals.insert(seq, v);
            self.last_seq = Some(seq);
            return Ok(v);
        }
        let v = self.engine.seq_next(s.storage, &s.def).map_err(|e| {
            if e.code() == pamir_types::error::state::SEQUENCE_GENERATOR_LIMIT_EXCEEDED {
                let (what, limit) = if s.def.increment > 0 { ("maximum", s.def.max) } else { ("minimum", s.def.min) };
                err!(
                    SEQUENCE_GENERATOR_LIMIT_EXCEEDED,
                    "nextval: reached {what} value of sequence \"{}\" ({limit})",
                    s.name
                )
            } else {
                e
            }
        })?;
        self.currvals.insert(seq, v);
        self.last_seq = Some(seq);
        Ok(v)
    }
    /// What cannot be had is told when its turn comes.
    fn nextval_ahead(&mut self, seq: Oid, checked: bool, n: usize) {
        if n == 0 {
            return self.drawn_ahead.clear();
        }
        if self.read_only && !pamir_catalog::temporary::is_temporary(seq)
            || checked && self.may_use_sequence(seq, acl::USAGE | acl::UPDATE).is_err()
        {
            return;
        }
        let Ok(s) = self.settled_sequence(seq) else { return };
        let mut values = Vec::new();
        if self.engine.seq_next_many(s.storage, &s.def, n, &mut values).is_ok() {
            let ahead = self.drawn_ahead.entry(s.storage).or_default();
            values.reverse();
            values.append(ahead);
            *ahead = values;
        }
    }
    fn random(&mut self) -> f64 {
        // xorshift64*: quick, seedable, and good enough for random().
        self.rng ^= self.rng >> 12;
        self.rng ^= self.rng << 25;
        self.rng ^= self.rng >> 27;
        (self.rng.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn random_bytes(&mut self, out: &mut [u8]) -> Result<()> {
        self.db.engine.platform().random(out)
    }
    fn check_cancel(&self) -> Result<()> {
        self.info.cancel.listen()
    }
    fn bind_stored(&mut self, table: &Table, text: &SqlText, target: Option<Type>) -> Result<Expr> {
        pamir_plan::bind::bind_stored(table, text, target, self)
    }
    fn rule_definition(&mut self, rule: Oid, layout: pamir_expr::deparse::Layout) -> Result<String> {
        let catalog = self.catalog.clone();
        if let Some(r) = catalog.rule(rule) {
            let kept = || r.actions.first().map_or(String::new(), |a| a.0.clone());
            return readable(pamir_plan::bind::dml::ruled::definition(r, layout, self), kept);
        }
        let views = catalog.views(self.scope.database);
        let own = views.into_iter().find(|t| t.view.as_ref().is_some_and(|v| v.rule == rule)).cloned();
        let Some(t) = own else { return Ok(String::new()) };
        let text = self.view_definition(&t, layout)?;
        let schema = catalog.schema(t.schema).map_or("", |s| &s.name);
        let name = match layout.pretty {
            true => catalog.quoted_name(&self.scope, t.oid).unwrap_or_default(),
            false => pamir_catalog::defs::qualified(schema, &t.name),
        };
        Ok(format!("CREATE RULE \"_RETURN\" AS\n    ON SELECT TO {name} DO INSTEAD {text}"))
    }
    fn view_shows(&mut self, view: &Arc<Table>) -> Result<Option<(Oid, Vec<Option<i16>>)>> {
        let catalog = self.catalog.clone();
        let scope = pamir_catalog::NameScope::stored(self.scope.database);
        let mut cx =
            pamir_plan::bind::BindCtx { catalog: &catalog, scope: &scope, params: Vec::new(), env: self, text: "" };
        let shown = pamir_plan::bind::dml::through::shown(view, &mut cx).map(std::result::Result::ok);
        readable(shown, || None)
    }
    fn bind_when(&mut self, table: &Table, text: &SqlText) -> Result<Expr> {
        pamir_plan::bind::bind_when(table, text, self)
    }
    fn key_action(&mut self, begins: bool) {
        self.key_actions += if begins { 1 } else { -1 };
    }
    fn trigger_depth(&self) -> i32 {
        self.firing.len() as i32 + self.key_actions
    }
    fn is_replica(&self) -> bool {
        self.settings.replica
    }
    fn transition_table(&self, name: &str) -> Option<Arc<Table>> {
        self.transition_of(name).map(|f| f.0.table().clone())
    }
    fn view_definition(&mut self, view: &Table, layout: pamir_expr::deparse::Layout) -> Result<String> {
        let kept = || view.view.as_ref().map_or(String::new(), |v| v.text.0.clone() + ";");
        readable(pamir_plan::bind::record::definition(view, layout, self), kept)
    }
    fn notice(&mut self, e: Error) {
        let e = if e.data().severity == Severity::Error { e.severity(Severity::Notice) } else { e };
        if !self.hears(e.data().severity) {
            return;
        }
        let e = match self.levels.is_empty() || e.data().context.is_some() {
            true => e,
            false => e.context(self.context_lines(0).join("\n")),
        };
        let e = pamir_expr::func::enums::name_types(e, &self.catalog, &self.scope);
        self.queue(e);
    }
    fn sleep(&mut self, seconds: f64) -> Result<()> {
        let mut d =
            Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX).min(Duration::from_secs(1 << 32));
        if let Some(deadline) = self.info.cancel.deadline() {
            d = d.min(deadline.saturating_duration_since(task::now()));
        }
        self.tell_now();
        self.rest(d, Wait::Sleep)
    }
    fn backend(&mut self) -> Result<&mut dyn Backend> {
        Ok(self)
    }
    fn nested(&self) -> u64 {
        self.nested_so_far
    }
    fn names(&self) -> Option<Arc<Names>> {
        self.names.clone()
    }
    fn set_names(&mut self, names: Option<Arc<Names>>) -> Option<Arc<Names>> {
        std::mem::replace(&mut self.names, names)
    }
    fn spi(&mut self) -> Result<&mut dyn Spi> {
        Ok(self)
    }
}
impl Backend for State {
    fn backups(&self) -> Result<Arc<dyn Backups>> {
        self.db.backups.get().cloned().ok_or_else(|| Error::unsupported("backups of this server"))
    }
    fn is_background(&self) -> bool {
        self.info.activity.lock().background
    }
    fn pid(&self) -> i32 {
        self.info.pid
    }
    fn log_durable(&self) -> Option<u64> {
        self.db.engine().log_durable()
    }
    fn set_setting(&mut self, name: &str, value: &str, local: bool) -> Result<()> {
        // Within a statement there is a transaction, if only the statement's own.
        self.set_in(name, Some(value), local, self.block != Block::Idle || self.txn.is_some())
    }
    fn currval(&mut self, seq: Oid) -> Result<i64> {
        self.may_use_sequence(seq, acl::USAGE | acl::SELECT)?;
        self.currvals.get(&seq).copied().ok_or_else(|| {
            let name = self.catalog.sequence(seq).map_or_else(|| seq.to_string(), |s| s.name.clone());
            err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "currval of sequence \"{name}\" is not yet defined in this session")
        })
    }
    fn lastval(&mut self) -> Result<i64> {
        let seq = self
            .last_seq
            .filter(|s| self.catalog.sequence(*s).is_some())
            .ok_or_else(|| err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "lastval is not yet defined in this session"))?;
        self.currval(seq)
    }
    fn setval(&mut self, seq: Oid, value: i64, is_called: bool) -> Result<()> {
        self.may_use_sequence(seq, acl::UPDATE)?;
        let s = self.settled_sequence(seq)?;
        if self.read_only && !s.is_temporary() {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute setval() in a read-only transaction");
        }
        if value < s.def.min || value > s.def.max {
            bail!(
                NUMERIC_VALUE_OUT_OF_RANGE,
                "setval: value {value} is out of bounds for sequence \"{}\" ({}..{})",
                s.name,
                s.def.min,
                s.def.max
            );
        }
        self.drawn_ahead.remove(&s.storage);
        self.engine.seq_set(s.storage, value, is_called)?;
        if is_called {
            self.currvals.insert(seq, value);
        }
        Ok(())
    }
    fn set_seed(&mut self, seed: f64) {
        self.rng = seed.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    }
    fn may_signal(&mut self, pid: i32, terminate: bool) -> Result<()> {
        let target = self.db.activity().into_iter().find(|a| a.pid == pid);
        if let Some(owner) = target.and_then(|a| self.catalog.role_by_name(&a.user).map(|r| (r.oid, r.superuser))) {
            let who = self.who();
            if owner.1 && !who.superuser {
                let what = if terminate { "terminate superuser process" } else { "cancel superuser query" };
                bail!(INSUFFICIENT_PRIVILEGE, "must be a superuser to {what}");
            }
            if !who.has_role(owner.0) && !who.has_role(acl::predefined::SIGNAL_BACKEND) {
                let what = if terminate { "process is being terminated" } else { "query is being canceled" };
                bail!(
                    INSUFFICIENT_PRIVILEGE,
                    "must be a member of the role whose {what} or member of pg_signal_backend"
                );
            }
        }
        Ok(())
    }
    fn signal(&mut self, pid: i32, terminate: bool) -> Result<bool> {
        self.may_signal(pid, terminate)?;
        let sent = self.db.signal(pid, terminate);
        // Oneself hears it now.
        self.check_cancel()?;
        Ok(sent)
    }
    fn activity(&self) -> Vec<Activity> {
        self.db.activity()
    }
    fn waits_for(&self, pid: i32) -> Vec<i32> {
        let info = self.db.sessions.lock().get(&pid).cloned();
        info.map_or(Vec::new(), |i| i.activity.lock().waits_for.clone())
    }
    fn cluster(&self) -> Option<Arc<dyn crate::cluster::Operations>> {
        self.db.cluster().cloned()
    }
    fn let_go(&mut self, function: &str) -> Result<()> {
        let wrote = |t: &Txn| t.has_writes() || t.has_private_writes();
        let wrote = self.txn.as_ref().is_some_and(|t| wrote(&t.lock())) || !self.changes.is_empty();
        if self.block == Block::Explicit || wrote {
            bail!(ACTIVE_SQL_TRANSACTION, "{function}() cannot run inside a transaction block");
        }
        self.txn = None;
        Ok(())
    }
    fn reset_statement_statistics(&mut self, role: Oid, database: Oid, query: i64) {
        let now = Env::clock(self);
        self.db.statement_stats.reset(role, database, query, now);
    }
    fn virtual_rows(
        &mut self,
        table: &VirtualTable,
        keys: Vec<(&'static str, Datum)>,
        push: &mut dyn FnMut(Vec<Datum>) -> Result<()>,
    ) -> Result<()> {
        let outer = std::mem::replace(&mut self.wanted, keys);
        let made = vtable::rows(table, self, push);
        self.wanted = outer;
        made
    }
    fn prepared_statements(&self) -> Vec<PreparedInfo> {
        let mut all: Vec<PreparedInfo> = self
            .prepared
            .iter()
            .filter(|(name, _)| !name.starts_with(fastpath::HIDDEN))
            .map(|(name, k)| k.info(name))
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
    fn setting_source(&self, name: &str) -> Option<(&'static str, String)> {
        self.settings.source(name)
    }
    fn cursors(&self) -> Vec<(String, CursorInfo)> {
        self.cursors.lock().iter().map(|(n, c)| (n.clone(), c.clone())).collect()
    }
    fn lock(&mut self, number: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
        self.at_leader("pg_advisory_lock()")?;
        let txn = self.begin_if_needed();
        let locks = match &mut self.locks {
            Some(l) => l,
            None => {
                let l = self.db.engine.session_locks();
                txn.join(&l);
                self.locks.insert(l)
            }
        };
        self.again.once = true;
        txn.lock_for_session(locks, number, mode, policy)
    }
    fn unlock(&mut self, number: u64, mode: TableLock) -> bool {
        self.again.once = true;
        self.locks.as_mut().is_some_and(|l| l.unlock(number, mode))
    }
    fn unlock_all(&mut self) {
        if let Some(l) = &mut self.locks {
            l.unlock_all();
        }
    }
    fn notify(&mut self, channel: &str, payload: &str) -> Result<()> {
        State::notify(self, channel, payload)
    }
    fn listening(&self) -> Vec<String> {
        State::listening(self)
    }
    fn large_objects(&mut self) -> Result<&mut Descriptors> {
        self.large_objects.depth = self.frames.len();
        Ok(&mut self.large_objects)
    }
    fn export_snapshot(&mut self) -> Result<String> {
        self.snapshot_for_others()
    }
}
