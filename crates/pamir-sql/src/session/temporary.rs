//! Temporary tables of a session, and definitions, which may make some.
//!
//! ```text
//!   catalog   what all see │ layer of this session's objects   (pamir_catalog::temporary)    carried along from statement to statement
//!   engine    the server's │ PrivateEngine                     (pamir_txn::private)          from the first definition that made something temporary on
//!   plans     this thread's sessions' │ of the session alone: a context and a number of its own (`shared.rs`)
//! ```
//! A definition works on a copy of the catalog. What it changes of the layer is taken over when it ends, is part of what savepoints keep, and is put back
//! by a rollback: [`Temporary::kept`] is the catalog of the last commit. Changes of the layer are not in [`super::State::changes`]: they are not published, and do not
//! make the transaction private to itself, since whatever is planned under a layer is this session's anyway.
//!
//! At COMMIT, after the deferred checks, tables made with ON COMMIT DROP are dropped, and the trees of those with DELETE ROWS are emptied with the commit
//! itself. PREPARE TRANSACTION refuses what has touched anything temporary.
//!
//! Invariants: a session without a layer has the server's engine and catalog, and its statements are shared as ever; the version of a catalog whose layer has
//! relations is nobody else's.
use super::shared;
use super::state::{Altering, State};
use crate::ddl::{self, DdlCtx};
use pamir_catalog::temporary::OnCommit;
use pamir_catalog::{Catalog, Table};
use pamir_txn::{Engine, PrivateData, PrivateEngine, TreeId};
use pamir_types::{Oid, Result, bail, err};
use std::sync::Arc;

/// Bytes of a session's temporary tables with their indexes (53200 beyond them), or this part of what its queries may hold, if that is less.
const TEMPORARY_MEMORY: u64 = 512 << 20;
const SHARE: u64 = 2;

/// What a session has once it has made something temporary.
pub struct Temporary {
    data: Arc<PrivateData>,
    /// The catalog as of the last commit, and the version of what is under its layer.
    kept: (Arc<Catalog>, u64),
    /// By which its statements are kept apart.
    number: u64,
}

impl State {
    /// Where the session's temporary tables have their rows.
    pub(super) fn private_data(&mut self) -> Arc<PrivateData> {
        if let Some(t) = &self.temporary {
            return t.data.clone();
        }
        let memory = self.work().memory.clone();
        let limit = TEMPORARY_MEMORY.min(memory.limit() / SHARE);
        PrivateData::new(memory, limit)
    }
    /// Who shares this session's statements.
    #[inline]
    pub(super) fn sharing(&self) -> u64 {
        match &self.temporary {
            Some(t) if self.catalog.has_temporary() => t.number,
            _ => shared::thread(),
        }
    }
    /// The published version that the catalog is, or that is under the layer.
    pub(super) fn base_version(&self) -> u64 {
        if self.catalog.has_temporary() { self.published } else { self.catalog.version }
    }

    /// Runs `f` with a DDL context and takes over the catalog it leaves.
    pub(super) fn with_ddl<R>(
        &mut self,
        what: &str,
        text: &str,
        f: impl FnOnce(&mut DdlCtx) -> Result<R>,
    ) -> Result<R> {
        // Begun first: until then the mode is that of the transaction before.
        let txn = self.begin_if_needed();
        if self.read_only && !matches!(what, "VACUUM" | "ANALYZE" | "DISCARD TEMP" | "COMMIT") {
            bail!(READ_ONLY_SQL_TRANSACTION, "cannot execute {what} in a read-only transaction");
        }
        let first = self.altering.is_none();
        if first {
            self.altering = Some(Altering::new(&self.db.altering));
        }
        self.await_newest_catalog();
        let (private, cancel) = (self.private_data(), self.info.cancel.clone());
        let engine: Arc<dyn Engine> = match &self.temporary {
            Some(_) => self.engine.clone(),
            None => Arc::new(PrivateEngine::new(self.db.engine().clone(), private.clone())),
        };
        if txn.far() {
            self.settle_unique()?;
        }
        let mut catalog = self.catalog.clone();
        let mut changes = std::mem::take(&mut self.changes);
        let waiting = self.deferred.waiting(&catalog);
        let active = self.under_way();
        let r = f(&mut DdlCtx {
            engine: &engine,
            txn: &txn,
            private: &private,
            catalog: &mut catalog,
            changes: &mut changes,
            env: self,
            cancel: &cancel,
            text,
            waiting: &waiting,
            active: &active,
        });
        self.changes = changes;
        let layered = !catalog.same_temporary(&self.catalog);
        if layered {
            txn.touch_private(&private);
            self.install_temporary(private, engine);
        }
        if !self.changes.is_empty() {
            if !self.private {
                self.published = self.base_version();
            }
            self.private = true;
            self.catalog = catalog;
        } else {
            if layered {
                self.take_layer(&catalog);
            }
            // Nobody has anything to wait for.
            if first {
                self.altering = None;
            }
        }
        if layered {
            self.forget_context();
        }
        r
    }
    fn install_temporary(&mut self, data: Arc<PrivateData>, engine: Arc<dyn Engine>) {
        if self.temporary.is_none() {
            let kept = (self.catalog.clone(), self.base_version());
            self.temporary = Some(Box::new(Temporary { data, kept, number: shared::new_number() }));
            self.engine = engine;
        }
    }
    /// The catalog with `of`'s layer in place of its own.
    fn take_layer(&mut self, of: &Catalog) {
        self.published = self.base_version();
        let inner = self.catalog.inner.clone();
        let base = Catalog { version: self.published, inner, temporary: None, new_labels: Vec::new() };
        self.catalog = Arc::new(base.with_temporary_of(of));
    }
    /// The published catalog is of version `newest`, and not what is under the layer.
    #[cold]
    pub(super) fn renew_catalog(&mut self, newest: u64) {
        if !self.catalog.has_temporary() {
            self.catalog = self.db.catalog();
        } else if newest != self.published {
            let base = self.db.catalog();
            self.published = base.version;
            self.catalog = Arc::new(base.with_temporary_of(&self.catalog));
        }
    }

    /// A transaction has ended: its temporary objects stay, or are those of before. `private`: it had a catalog of its own.
    pub(super) fn end_temporary(&mut self, committed: bool, private: bool) {
        let Some(t) = &mut self.temporary else { return };
        if !committed {
            let before = self.catalog.has_temporary();
            (self.catalog, self.published) = t.kept.clone();
            if before != self.catalog.has_temporary() {
                self.forget_context();
            }
        } else if private {
            // What is under the layer is the transaction's: it is to be made anew.
            self.published = u64::MAX;
        }
        self.refresh_catalog();
        let kept = (self.catalog.clone(), self.published);
        if let Some(t) = &mut self.temporary {
            t.kept = kept;
        }
    }

    /// What ON COMMIT asks for, before a commit.
    pub(super) fn commit_temporary(&mut self) -> Result<()> {
        if self.temporary.is_none() || !self.txn.as_ref().is_some_and(|t| t.lock().touched_private()) {
            return Ok(());
        }
        let of = |c: &Catalog, what: OnCommit| -> Vec<Arc<Table>> {
            c.temporary_tables().into_iter().filter(|t| t.on_commit == what).cloned().collect()
        };
        let emptied = of(&self.catalog, OnCommit::DeleteRows);
        let oids: Vec<Oid> = emptied.iter().map(|t| t.oid).collect();
        for t in &emptied {
            if let Some(child) = t.referenced_by.iter().map(|r| r.0).find(|c| !oids.contains(c)) {
                let child = self.catalog.table(child).map_or("", |c| &c.name);
                return Err(err!(FEATURE_NOT_SUPPORTED, "unsupported ON COMMIT and foreign key combination").detail(
                    format!(
                        "Table \"{child}\" references \"{}\", but they do not have the same ON COMMIT setting.",
                        t.name
                    ),
                ));
            }
            let txn = self.begin_if_needed();
            for tree in std::iter::once(t.tree).chain(t.indexes.iter().filter(|i| !i.primary).map(|i| i.tree)) {
                txn.empty_private_tree(TreeId(tree))?;
            }
        }
        let dropped = of(&self.catalog, OnCommit::Drop);
        if !dropped.is_empty() {
            self.with_ddl("COMMIT", "", |cx| ddl::drop_temporary(&dropped, false, cx))?;
        }
        Ok(())
    }
    /// 0A000 of a transaction that has touched anything temporary.
    pub(super) fn prepares_temporary(&self) -> Result<()> {
        if self.txn.as_ref().is_some_and(|t| t.lock().touched_private()) {
            bail!(FEATURE_NOT_SUPPORTED, "cannot PREPARE a transaction that has operated on temporary objects");
        }
        Ok(())
    }
    /// DISCARD TEMP.
    pub(super) fn discard_temporary(&mut self) -> Result<()> {
        if !self.catalog.has_temporary_objects() {
            return Ok(());
        }
        let tables: Vec<Arc<Table>> = self.catalog.temporary_tables().into_iter().cloned().collect();
        self.with_ddl("DISCARD TEMP", "", |cx| ddl::drop_temporary(&tables, true, cx))
    }
}
