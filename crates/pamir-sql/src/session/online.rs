//! CREATE INDEX, REINDEX and DROP INDEX CONCURRENTLY: definitions that let rows be read and written while they are made.
//!
//! Each is several transactions (as in PostgreSQL, whose documentation names the phases), and the table is held by the session from the first to the last, in SHARE UPDATE EXCLUSIVE:
//!
//! ```text
//!   CREATE INDEX    an empty index, invalid | writers before it end | its rows' entries, a run a time | whole
//!   DROP INDEX      invalid | all before it end | out of the catalog | all before it end | its tree is freed
//!   REINDEX         an empty index beside | writers | entries | trees change places | then as DROP INDEX for the old tree
//! ```
//!
//! "End" is waited for without a place in the queue, so that nobody has to wait behind the one who waits: those who hold the table are looked up, and looked up again until they are gone.
//!
//! *Invariants*: who takes a table's lock looks at the catalog again afterwards (`State::lock_for`), so whoever is not among the holders that were looked up knows the catalog that was
//! committed before; an index is read only by snapshots that are not older than its last entry ([`Table::whole_since`](pamir_catalog::Table::whole_since)).
//!
//! What is stopped on its way leaves an invalid index (`pg_index.indisvalid`), to be dropped or built again, as PostgreSQL's does.
//!
//! Limits: the primary key's index is the table itself and is not rebuilt.
use super::Wait;
use super::state::State;
use crate::ddl::online::{self, Of, Pair};
use crate::ddl::{self};
use pamir_catalog::Kind;
use pamir_exec::backfill::{self, Progress, Run};
use pamir_expr::env::Env;
use pamir_parse::tree::{Create, ObjectKind, Reindex, Statement, Vacuum};
use pamir_storage::task;
use pamir_txn::{CATALOG_TREE, LockLine, LockTarget, TableLock, WaitPolicy};
use pamir_types::error::state;
use pamir_types::{Error, Oid, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long to wait before looking again, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// How long a lock is asked for that others must not stand behind.
const MOMENT: Duration = Duration::from_millis(10);

/// Whose end is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Writers,
    All,
}

impl State {
    /// Runs a definition beside readers and writers; None: it is not one of those, or there is nobody to be beside.
    pub(super) fn define_online(&mut self, s: &Statement, text: &str) -> Result<Option<String>> {
        let first = match s {
            Statement::Create(c) => match &**c {
                Create::Index(i) if i.concurrently => {
                    self.with_ddl("CREATE INDEX", text, |cx| online::create(i, cx))?
                }
                _ => return Ok(None),
            },
            Statement::Drop(d) if d.concurrently && d.kind == ObjectKind::Index => {
                match self.with_ddl("DROP INDEX", text, |cx| online::drop(d, cx))? {
                    None => return Ok(None),
                    Some(of) => of,
                }
            }
            Statement::Alter(a) if ddl::detaches_online(a) => return self.detach_online(s, text).map(Some),
            Statement::Reindex(r) if ddl::is_concurrent(r) => return self.reindex_online(r, text).map(Some),
            _ => return Ok(None),
        };
        if let Some(of) = first {
            let drops = matches!(s, Statement::Drop(_));
            self.holding(of.table, |state| match drops {
                true => state.go(&of, text),
                false => {
                    state.fill_index(of.table, &of.indexes)?;
                    let since = state.seen()?;
                    state.with_ddl("CREATE INDEX", text, |cx| online::complete(&of, since, cx))
                }
            })?;
        }
        Ok(Some(s.tag().into()))
    }
    /// DETACH PARTITION CONCURRENTLY asks for its locks for a moment at a time, so that nobody stands behind it for longer than that.
    fn detach_online(&mut self, s: &Statement, text: &str) -> Result<String> {
        let own = self.settings.lock_timeout;
        let deadline = own.map(|d| task::now() + d);
        loop {
            self.settings.lock_timeout = Some(own.map_or(MOMENT, |o| o.min(MOMENT)));
            let r = self.with_ddl(s.tag(), text, |cx| ddl::execute(s, cx));
            self.settings.lock_timeout = own;
            match r {
                Err(e) if e.code() == state::LOCK_NOT_AVAILABLE && deadline.is_none_or(|d| task::now() < d) => {
                    self.rollback();
                    self.begin_implicit();
                    self.rest(PAUSE.1, Wait::Others)?;
                    self.refresh_catalog();
                }
                r => return r,
            }
        }
    }
    fn reindex_online(&mut self, r: &Reindex, text: &str) -> Result<String> {
        for (table, only) in self.with_ddl("REINDEX", text, |cx| online::targets(r, cx))? {
            let Some(pairs) = self.with_ddl("REINDEX", text, |cx| online::rebuild(table, only, cx))? else { continue };
            self.holding(table, |state| {
                let of = |f: fn(&Pair) -> Oid| Of { table, indexes: pairs.iter().map(f).collect() };
                state.fill_index(table, &of(|p| p.new).indexes)?;
                let since = state.seen()?;
                state.with_ddl("REINDEX", text, |cx| online::swap(table, &pairs, since, cx))?;
                state.go(&of(|p| p.new), text)
            })?;
            self.next_transaction()?;
        }
        Ok("REINDEX".into())
    }
    /// VACUUM and ANALYZE: a transaction for each table, so that none is held until all the others are done.
    pub(super) fn visit_each(&mut self, v: &Vacuum, tag: &str, text: &str) -> Result<String> {
        let all = self.with_ddl(tag, text, |cx| ddl::visits(v, cx))?;
        for (i, x) in all.iter().enumerate() {
            if i > 0 {
                self.next_transaction()?;
            }
            self.with_ddl(tag, text, |cx| ddl::visit(x, cx))?;
        }
        Ok(tag.into())
    }
    /// `f` with the table held by the session, whatever transactions it ends.
    fn holding(&mut self, table: Oid, f: impl FnOnce(&mut State) -> Result<()>) -> Result<()> {
        let (number, mode) = (u64::from(table), HELD);
        pamir_expr::env::Backend::lock(self, number, mode, WaitPolicy::Block)?;
        let r = f(self);
        pamir_expr::env::Backend::unlock(self, number, mode);
        r
    }
    /// The steps after the first read what is newest, whatever level the session's transactions have: a scan at SERIALIZABLE would hold the table against its writers.
    fn next_transaction(&mut self) -> Result<()> {
        self.commit()?;
        self.begin_implicit();
        self.set_isolation("read committed");
        self.refresh_catalog();
        Ok(())
    }
    /// The timestamp of a snapshot that sees all that was committed. One of elsewhere has it with its first answer.
    fn seen(&mut self) -> Result<u64> {
        let txn = self.begin_if_needed();
        let (snapshot, mut value) = (txn.statement(), Vec::new());
        txn.get(&snapshot, CATALOG_TREE, &pamir_catalog::store::key(Kind::Database, 0), &mut value)?;
        match snapshot.ts() {
            0 => Err(Error::internal("a snapshot without a time")),
            ts => Ok(ts),
        }
    }
    /// What was changed is committed; those who began before it end.
    fn after_others(&mut self, table: Oid, who: Who) -> Result<()> {
        self.next_transaction()?;
        let r = self.outwait(table, who);
        self.info.activity.lock().waits_for.clear();
        r
    }
    fn outwait(&mut self, table: Oid, who: Who) -> Result<()> {
        let mut before = holders(&self.engine.locks(), table, who);
        let (mut pause, longest) = PAUSE;
        while !before.is_empty() {
            self.info.activity.lock().waits_for = before.values().copied().collect();
            self.rest(pause, Wait::Others)?;
            pause = (pause * 2).min(longest);
            let lines = self.engine.locks();
            let now = holders(&lines, table, who);
            before.retain(|h, _| now.contains_key(h));
            deadlock(&lines, table, &before)?;
        }
        Ok(())
    }
    /// Nothing is done for a while, but that a cancel is heard.
    pub(super) fn rest(&mut self, d: Duration, what: Wait) -> Result<()> {
        let cancel = self.info.cancel.clone();
        self.info.waits(what);
        task::sleep(d, |w| {
            cancel.register(w);
            cancel.pending()
        });
        self.info.waits(Wait::None);
        self.check_cancel()
    }
    /// Adds the entries of all rows to indexes that writers keep.
    fn fill_index(&mut self, table: Oid, indexes: &[Oid]) -> Result<()> {
        self.after_others(table, Who::Writers)?;
        for index in indexes {
            let mut progress = Progress::default();
            loop {
                let t = self.catalog.table(table).cloned();
                let at = t.as_ref().and_then(|t| Some((t.clone(), t.indexes.iter().position(|i| i.oid == *index)?)));
                let Some((t, at)) = at else { return Err(Error::internal("an index went while it was built")) };
                let mut deferred = self.deferred.lend();
                let r = self.with_exec(&[], &mut deferred, |cx| backfill::run(&t, at, &mut progress, cx));
                self.deferred.take_back(deferred);
                let r = r?;
                self.next_transaction()?;
                match r {
                    Run::Done => break,
                    Run::More => self.check_cancel()?,
                    Run::Locked => self.rest(PAUSE.0, Wait::Others)?,
                }
            }
        }
        Ok(())
    }
    /// Invalid indexes go, and then their trees.
    fn go(&mut self, of: &Of, text: &str) -> Result<()> {
        self.after_others(of.table, Who::All)?;
        self.with_ddl("DROP INDEX", text, |cx| online::take_out(of, cx))?;
        self.after_others(of.table, Who::All)?;
        self.with_ddl("DROP INDEX", text, |cx| online::free(of.table, cx))
    }
}

/// The mode that the session holds the table in meanwhile, and as the only one: it conflicts with itself. (Numbers of processes tell nothing here, each node has its own.)
const HELD: TableLock = TableLock::ShareUpdateExclusive;

/// The lines of who holds a table.
fn held(lines: &[LockLine], table: Oid) -> impl Iterator<Item = &LockLine> {
    lines.iter().filter(move |l| l.granted && l.on == LockTarget::Table(u64::from(table)))
}
/// The transactions of others that hold the table, and their processes (0: it is prepared).
fn holders(lines: &[LockLine], table: Oid, who: Who) -> BTreeMap<u64, i32> {
    let counts = |l: &&LockLine| {
        let mode = TableLock::named(l.mode);
        mode != Some(HELD) && (who == Who::All || mode.is_none_or(|m| m.conflicts(TableLock::Share)))
    };
    held(lines, table).filter(counts).map(|l| (l.txn, l.process.unwrap_or(0) as i32)).collect()
}
/// 40P01 where those whose end is waited for wait for who holds the table meanwhile, one behind the other.
fn deadlock(lines: &[LockLine], table: Oid, before: &BTreeMap<u64, i32>) -> Result<()> {
    let me = held(lines, table).find(|l| l.mode == HELD.name()).map(|l| l.txn);
    let mut open: Vec<u64> = before.keys().copied().collect();
    let mut seen: BTreeSet<u64> = open.iter().copied().collect();
    while let Some(txn) = open.pop() {
        for b in lines.iter().filter(|l| !l.granted && l.txn == txn).flat_map(|l| &l.blockers) {
            if Some(b.1) == me {
                bail!(DEADLOCK_DETECTED, "deadlock detected");
            }
            if seen.insert(b.1) {
                open.push(b.1);
            }
        }
    }
    Ok(())
}
