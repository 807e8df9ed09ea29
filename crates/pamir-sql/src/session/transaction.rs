//! Transaction control: blocks, savepoints, two-phase commit, modes, SET CONSTRAINTS, LOCK TABLE.
use super::Session;
use super::state::{Block, State};
use super::utility::schema_and_name;
use pamir_catalog::depend::Class;
use pamir_catalog::{Table, acl};
use pamir_parse::tree::{Lock, LockMode, Relation, Statement, Transaction, TransactionMode};
use pamir_txn::{TableLock, Txn, WaitPolicy};
use pamir_types::{Oid, Result, bail, err};
use std::sync::Arc;

/// True for what may run in a failed transaction block.
pub fn ends_block(stmt: &Statement) -> bool {
    use Transaction::*;
    matches!(stmt, Statement::Transaction(Commit { .. } | Rollback { .. } | RollbackTo(_) | Prepare(_)))
}

fn on_off(on: bool) -> Option<&'static str> {
    Some(if on { "on" } else { "off" })
}

fn table_lock(m: LockMode) -> TableLock {
    match m {
        LockMode::AccessShare => TableLock::AccessShare,
        LockMode::RowShare => TableLock::RowShare,
        LockMode::RowExclusive => TableLock::RowExclusive,
        LockMode::ShareUpdateExclusive => TableLock::ShareUpdateExclusive,
        LockMode::Share => TableLock::Share,
        LockMode::ShareRowExclusive => TableLock::ShareRowExclusive,
        LockMode::Exclusive => TableLock::Exclusive,
        LockMode::AccessExclusive => TableLock::AccessExclusive,
    }
}

impl Session {
    /// The tag: ROLLBACK where a failed block was to be committed.
    pub(super) fn transaction(&mut self, t: &Transaction) -> Result<&'static str> {
        Ok(match t {
            Transaction::Begin(modes) | Transaction::Start(modes) => {
                self.state.begin_block()?;
                self.state.transaction_modes(modes)?;
                if matches!(t, Transaction::Begin(_)) { "BEGIN" } else { "START TRANSACTION" }
            }
            Transaction::Commit { chain } => self.end_transaction(true, *chain)?,
            Transaction::Rollback { chain } => self.end_transaction(false, *chain)?,
            Transaction::Savepoint(name) => {
                self.state.savepoint(name)?;
                "SAVEPOINT"
            }
            Transaction::Release(name) => {
                self.state.release(name)?;
                self.portals_released();
                "RELEASE"
            }
            Transaction::RollbackTo(name) => {
                self.state.rollback_to(name)?;
                self.portals_rolled_back();
                "ROLLBACK"
            }
            Transaction::Prepare(gid) => self.prepare_transaction(gid)?,
            Transaction::CommitPrepared(gid) => {
                self.not_in_block("COMMIT PREPARED")?;
                self.may_finish_prepared(gid)?;
                let ts = self.state.db.engine.commit_prepared(gid)?;
                self.state.seen.committed(ts);
                self.state.again.once = true;
                "COMMIT PREPARED"
            }
            Transaction::RollbackPrepared(gid) => {
                self.not_in_block("ROLLBACK PREPARED")?;
                self.may_finish_prepared(gid)?;
                self.state.db.engine.rollback_prepared(gid)?;
                self.state.again.once = true;
                "ROLLBACK PREPARED"
            }
        })
    }

    /// 25001 inside a transaction block.
    pub(super) fn not_in_block(&self, what: &str) -> Result<()> {
        if self.state.in_block() {
            bail!(ACTIVE_SQL_TRANSACTION, "{what} cannot run inside a transaction block");
        }
        Ok(())
    }

    /// Only who prepared a transaction, or a superuser, ends it.
    fn may_finish_prepared(&mut self, gid: &str) -> Result<()> {
        let user = self.state.user.clone();
        let superuser = self.state.who().superuser;
        match self.state.db.engine.prepared()?.iter().find(|p| p.gid == gid) {
            Some(p) if p.owner != user && !superuser => {
                Err(err!(INSUFFICIENT_PRIVILEGE, "permission denied to finish prepared transaction")
                    .hint("Must be superuser or the user that prepared the transaction."))
            }
            Some(p) if p.database != self.state.database => {
                Err(err!(FEATURE_NOT_SUPPORTED, "prepared transaction belongs to another database")
                    .hint("Connect to the database where the transaction was prepared to finish it."))
            }
            _ => Ok(()),
        }
    }

    fn prepare_transaction(&mut self, gid: &str) -> Result<&'static str> {
        if self.state.failed {
            self.drop_portals();
            self.state.rollback();
            return Ok("ROLLBACK");
        }
        if self.state.block != Block::Explicit {
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress"));
            return Ok("ROLLBACK");
        }
        if let Err(e) = self.drop_portals_for_prepare().and_then(|()| self.state.prepares_temporary()) {
            let e = self.state.settled(e);
            self.drop_portals();
            self.state.rollback();
            return Err(e);
        }
        if let Err(e) = self.state.prepare(gid) {
            self.drop_portals();
            self.state.rollback();
            return Err(e);
        }
        Ok("PREPARE TRANSACTION")
    }

    fn end_transaction(&mut self, commit: bool, chain: bool) -> Result<&'static str> {
        if self.state.block != Block::Explicit {
            if chain {
                bail!(
                    NO_ACTIVE_SQL_TRANSACTION,
                    "{} can only be used in transaction blocks",
                    if commit { "COMMIT AND CHAIN" } else { "ROLLBACK AND CHAIN" }
                );
            }
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "there is no transaction in progress"));
        }
        let modes = (self.state.settings.get("transaction_isolation"), self.state.read_only);
        let deferrable = self.state.settings.get_bool("transaction_deferrable");
        let tag = if commit {
            self.commit()?
        } else {
            self.drop_portals();
            // Replies from before it leave with it.
            let settled = if self.state.again.told_before { Ok(()) } else { self.state.settle() };
            self.state.rollback();
            settled?;
            "ROLLBACK"
        };
        if chain {
            self.state.begin_block()?;
            self.state.set_isolation(&modes.0.unwrap_or_default());
            self.state.set_read_only(modes.1);
            self.state.settings.mirror("transaction_deferrable", if deferrable { "on" } else { "off" });
        }
        Ok(tag)
    }

    /// Of BEGIN and SET TRANSACTION. DEFERRABLE is only remembered: under strict two-phase locking nobody waits for a safe snapshot.
    pub(super) fn set_transaction(&mut self, modes: &[TransactionMode]) -> Result<()> {
        if !self.state.in_block() {
            self.state.warn(err!(NO_ACTIVE_SQL_TRANSACTION, "SET TRANSACTION can only be used in transaction blocks"));
        }
        self.state.transaction_modes(modes)
    }
    /// SET SESSION CHARACTERISTICS: those of the transactions to come.
    pub(super) fn set_characteristics(&mut self, modes: &[TransactionMode]) -> Result<()> {
        modes.iter().try_for_each(|m| {
            let (name, value) = match m {
                TransactionMode::Isolation(level, _) => ("default_transaction_isolation", Some(*level)),
                TransactionMode::ReadOnly(on, _) => ("default_transaction_read_only", on_off(*on)),
                TransactionMode::Deferrable(on, _) => ("default_transaction_deferrable", on_off(*on)),
            };
            self.state.set(name, value, false)
        })
    }
}
impl State {
    pub(super) fn transaction_modes(&mut self, modes: &[TransactionMode]) -> Result<()> {
        modes.iter().try_for_each(|m| match m {
            TransactionMode::Isolation(level, _) => self.set("transaction_isolation", Some(level), false),
            TransactionMode::ReadOnly(on, _) => self.set("transaction_read_only", on_off(*on), false),
            TransactionMode::Deferrable(on, _) => self.set("transaction_deferrable", on_off(*on), false),
        })
    }
    /// IMMEDIATE runs the checks put off so far; DEFERRED is the constraint's own mode until then. No names: all constraints.
    pub(super) fn set_constraints(&mut self, names: Option<&[Relation]>, deferred: bool) -> Result<()> {
        // Outside of a block it is a transaction of its own, with whose end the choice is forgotten.
        drop(self.begin_if_needed());
        if names.is_none() {
            self.deferred.modes.clear();
            self.deferred.all = Some(deferred);
        }
        for name in names.unwrap_or_default() {
            let Some(name) = name.parts.last() else { continue };
            let found: Vec<(Oid, bool)> = self
                .catalog
                .tables(self.scope.database)
                .iter()
                .flat_map(|t| &t.foreign_keys)
                .filter(|f| &f.name == name)
                .map(|f| (f.oid, f.deferrable))
                .collect();
            let found = found.into_iter().chain(self.unique_keys_named(name));
            let triggers = self.catalog.triggers(self.scope.database);
            let named = triggers.into_iter().filter(|g| &g.name == name).filter_map(|g| g.constraint.as_ref());
            let found: Vec<(Oid, bool)> = found.chain(named.map(|c| (c.oid, c.deferrable))).collect();
            if found.is_empty() {
                bail!(UNDEFINED_OBJECT, "constraint \"{name}\" does not exist");
            }
            for (oid, deferrable) in found {
                if !deferrable {
                    // It is immediate as it is.
                    if !deferred {
                        continue;
                    }
                    bail!(WRONG_OBJECT_TYPE, "constraint \"{name}\" is not deferrable");
                }
                self.deferred.modes.insert(oid, deferred);
            }
        }
        if !deferred {
            self.run_deferred(false)?;
        }
        Ok(())
    }

    /// Unique keys of that name, and what partitions have of them: may they be deferred?
    fn unique_keys_named(&self, name: &str) -> Vec<(Oid, bool)> {
        let tables = self.catalog.tables(self.scope.database);
        let is_part = |t: &Arc<Table>, i: Oid| {
            let mut above = t.index_parent(i);
            while let Some(o) = above {
                let Some(p) = self.catalog.index_table(o) else { return false };
                if p.index(o).is_some_and(|x| x.name == name) {
                    return true;
                }
                above = p.index_parent(o);
            }
            false
        };
        let keys = tables.iter().flat_map(|t| t.indexes.iter().filter(|i| i.constraint).map(move |i| (t, i)));
        keys.filter(|(t, i)| i.name == name || is_part(t, i.oid))
            .map(|(_, i)| (i.oid, i.deferrable.is_some()))
            .collect()
    }

    pub(super) fn lock_tables(&mut self, l: &Lock) -> Result<()> {
        let mode = table_lock(l.mode);
        // What was said so far is heard while the lock is waited for.
        self.tell_now();
        let txn = self.begin_if_needed();
        self.at_leader("LOCK TABLE")?;
        for table in &l.tables {
            let (schema, name) = schema_and_name(&table.parts);
            let t = match self.catalog.resolve_relation(&self.scope, schema, name)? {
                pamir_catalog::Relation::Table(t) if t.plain_view().is_some() => t,
                r => match &r {
                    pamir_catalog::Relation::Table(t) if t.view.is_some() => {
                        return Err(unlockable(name, "materialized views"));
                    }
                    pamir_catalog::Relation::Sequence(_) => return Err(unlockable(name, "sequences")),
                    pamir_catalog::Relation::Index(..) => return Err(unlockable(name, "indexes")),
                    _ => self.catalog.resolve_table(&self.scope, schema, name)?,
                },
            };
            self.lock_relation(&t, 0, mode, l.nowait, &txn, &mut Vec::new())?;
            if !table.only && !t.children().is_empty() {
                for d in self.catalog.descendants(&t) {
                    self.lock_one(&d, mode, l.nowait, &txn)?;
                }
            }
        }
        Ok(())
    }
    /// A table, or a view with all that its query reads. `role`: whose privileges count; 0: the user's.
    fn lock_relation(
        &mut self,
        t: &Arc<Table>,
        role: Oid,
        mode: TableLock,
        nowait: bool,
        txn: &Txn,
        within: &mut Vec<Oid>,
    ) -> Result<()> {
        pamir_types::work::charge(pamir_types::work::ROW as usize)?;
        let writes = acl::UPDATE | acl::DELETE | acl::TRUNCATE;
        let any = match mode {
            TableLock::AccessShare => acl::SELECT,
            TableLock::RowExclusive => acl::INSERT | writes,
            _ => writes,
        };
        let catalog = self.catalog.clone();
        let may = match role {
            0 => self.who().on_table(&catalog, t, any),
            role => acl::Who::new(&catalog, role, t.database).on_table(&catalog, t, any),
        };
        if may == 0 {
            bail!(INSUFFICIENT_PRIVILEGE, "permission denied for {} {}", t.word(), t.name);
        }
        self.lock_one(t, mode, nowait, txn)?;
        let Some(v) = t.plain_view() else { return Ok(()) };
        if within.contains(&t.oid) {
            return Ok(());
        }
        within.push(t.oid);
        let role = if v.invoker { 0 } else { t.owner };
        let mut read: Vec<Oid> = t.depends.iter().filter(|d| d.class == Class::Relation).map(|d| d.oid).collect();
        read.dedup();
        for oid in read {
            if let Some(x) =
                self.catalog.table(oid).filter(|x| x.view.as_ref().is_none_or(|v| !v.materialized)).cloned()
            {
                self.lock_relation(&x, role, mode, nowait, txn, within)?;
            }
        }
        within.pop();
        Ok(())
    }
    /// The lock on one relation, whoever may have it.
    fn lock_one(&mut self, t: &Arc<Table>, mode: TableLock, nowait: bool, txn: &Txn) -> Result<()> {
        let policy = if nowait { WaitPolicy::NoWait } else { WaitPolicy::Block };
        if t.is_temporary() {
            txn.touch_private(&self.private_data());
        } else {
            txn.lock_table(u64::from(t.oid), mode, policy).map_err(|e| {
                if nowait && e.code() == pamir_types::error::state::LOCK_NOT_AVAILABLE {
                    err!(LOCK_NOT_AVAILABLE, "could not obtain lock on relation \"{}\"", t.name)
                } else {
                    e
                }
            })?;
            self.refresh_catalog();
        }
        Ok(())
    }
}
/// 42809 for what has no rows that are locked together.
fn unlockable(name: &str, kinds: &str) -> pamir_types::Error {
    err!(WRONG_OBJECT_TYPE, "cannot lock relation \"{name}\"")
        .detail(format!("This operation is not supported for {kinds}."))
}
