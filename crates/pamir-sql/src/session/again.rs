//! What runs again by itself when the leadership moves, so that a client sees a moment more instead of an error.
//!
//! ```text
//!   message ── start: what is open, what was said ──► run ──► error of a lost leader (a mark on the error, not its text)
//!                 │                                              │ nothing has left, nothing was done that counts twice
//!                 └──────────── once more, at the next leader ◄──┘ else: 40001, with its hint
//! ```
//! **The rule.** A message (a query string, an Execute, the Sync behind one) runs once more if
//! - its error says that the leader was lost ([`Error::is_of_lost_leader`]): nothing of the transaction is done or ever will be. A COMMIT that was sent and not answered is none of these before whoever leads next has said that it is void; as
//!   long as nobody knows it is 08007, which is never run again;
//! - nothing that it told has left for the client: all of that is taken back ([`Client::take_back`]);
//! - it has done nothing that a transaction's end does not undo ([`Done::once`]): committed something (COMMIT in a string, COMMIT PREPARED), made or forgotten prepared statements or cursors, taken a session's locks, read a client's COPY;
//! - and what was open before it is
//!   1. nothing, or the statement's own implicit transaction: then it may have written, and the whole message runs in a new transaction; or
//!   2. a block, or an implicit transaction of several Executes, that **has only read so far, at READ COMMITTED**: no write, no row or advisory lock, no LOCK TABLE, no definition, no savepoint, no constraint that waits, no cursor or portal that is
//!      half read, and no function was told the transaction's number. Each statement of it has a snapshot of its own, so the next one may as well be of a new transaction; now() is the block's, modes and settings stay. What it does hold, the tables
//!      it has read against changes of their definition, it takes again, and 40001 stands if any definition has changed since it began; or
//!   3. a block that no statement has run in yet, at any level.
//!
//! **Definitions** that change between planning and the first call (`Txn::lock_table_ahead`) are told in the same way, and only where the whole transaction may run again.
//!
//! All else ends with 40001 as before: there something was promised that is lost with the leader.
//! COMMIT of a transaction that has only read succeeds: what it told was right when it was told. ROLLBACK succeeds.
//!
//! **Session locks** (pg_advisory_lock) are lost with the leader. The next message of a session that held some, or a COMMIT that began before that is known, fails once with 55000: nothing is written, and nothing is believed to be held, without them.
//!
//! Values of sequences that were drawn are drawn again: there are gaps, as after any failure. statement_timeout runs on from the first time, and a cancel is heard between.
//!
//! *Invariants*: a shard of its own process never comes here (one comparison a message); what is told in the end is what one run told. Limits: [`MOST`] runs, [`LONGEST`] from the first failure on; each waits for a leader besides. Of a pipeline of
//! several Executes without a Sync between, the last one alone runs again, and nothing once the COMMIT at its end has failed.
use super::Session;
use super::query::{Fresh, Portal};
use super::state::{Block, State};
use crate::client::{Client, Mark};
use pamir_parse::tree::{Statement, Transaction};
use pamir_storage::task;
use pamir_txn::{TableLock, WaitPolicy};
use pamir_types::{Error, Result, err};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs of a message after the first.
pub const MOST: usize = 64;
/// From the first failure on, nothing begins again after so long.
pub const LONGEST: Duration = Duration::from_secs(30);
/// Between two runs.
const PAUSE: Duration = Duration::from_millis(10);

/// What a message has done so far, as it matters here.
#[derive(Default)]
pub struct Done {
    /// Something that a second run would do twice, or find done.
    pub once: bool,
    /// The catalog's version when the open transaction began.
    pub begun_under: u64,
    /// A function has asked for the transaction itself.
    pub shown: Cell<bool>,
    /// Whatever of it is lost, all of it may run again.
    whole: bool,
    /// It runs once more.
    pub runs: bool,
    /// It does nothing but end the block, and what the block has told is settled: nothing that it needs can be lost.
    pub told_before: bool,
}

impl Done {
    /// The message is over.
    fn ended(&mut self) {
        (self.runs, self.whole) = (false, false);
    }
    /// May the transaction that the message begins now be given up and begun anew, its definitions looked up again?
    pub fn anew(&self) -> bool {
        self.whole && !self.once
    }
}
/// What may be begun again.
enum Scope {
    /// The whole transaction.
    Whole,
    /// The message, in a new transaction that holds what the one before has held: these tables, as of this catalog.
    Reads { tables: Vec<u64>, catalog: u64 },
}
/// How things stood when a message began.
struct Start {
    scope: Scope,
    mark: Mark,
    notices: usize,
    /// How often notices had left.
    told: u64,
    /// The first failure.
    since: Option<Instant>,
    times: usize,
}

/// Executes since the last Sync.
#[derive(Default)]
pub struct Pipeline {
    executed: usize,
    /// If it was but one: how to run it again.
    only: Option<Only>,
}
struct Only {
    portal: String,
    max_rows: u64,
    fresh: Fresh,
    start: Start,
    /// What was said by its end.
    after: Mark,
}

impl State {
    /// 55000, once, where the session's own locks were lost with the leader.
    pub(super) fn session_locks_stand(&mut self) -> Result<()> {
        if !self.locks.as_ref().is_some_and(|l| l.is_lost()) {
            return Ok(());
        }
        self.locks = None;
        Err(err!(
            OBJECT_NOT_IN_PREREQUISITE_STATE,
            "the session's advisory locks are lost with the connection to the leader, or its leadership"
        )
        .detail("Other sessions may have taken them since.")
        .hint("Take the locks again, and do again what they were to protect."))
    }
}

impl Session {
    /// None: what fails now stays failed.
    fn beginning(&mut self, client: &dyn Client) -> Option<Start> {
        self.state.again.whole = false;
        if !self.state.db.replicated {
            return None;
        }
        self.state.again.once = false;
        let scope = match self.state.block {
            Block::Idle => Scope::Whole,
            Block::Implicit if self.pipeline.executed == 0 => Scope::Whole,
            _ => self.reads()?,
        };
        let mark = client.mark()?;
        self.state.again.whole = matches!(scope, Scope::Whole);
        Some(Start {
            scope,
            mark,
            notices: self.state.notices.len(),
            told: self.state.telling.left,
            since: None,
            times: 0,
        })
    }
    /// The block that is open, if it has only read.
    fn reads(&self) -> Option<Scope> {
        let s = &self.state;
        let more = s.failed
            || s.private
            || !s.frames.is_empty()
            || !s.changes.is_empty()
            || !s.deferred.is_empty()
            || !s.talk.is_quiet();
        if more || s.again.shown.get() || !self.portals.values().chain(&self.unnamed_portal).all(Portal::stands_alone) {
            return None;
        }
        Some(match &s.txn {
            None => Scope::Reads { tables: Vec::new(), catalog: s.catalog.version },
            Some(t) => Scope::Reads { tables: t.lock().tables_read()?, catalog: s.again.begun_under },
        })
    }
    /// Makes everything as it was at `start`, for another run; false: `e` stands.
    fn once_more(&mut self, start: &mut Start, e: &Error, client: &mut dyn Client) -> Result<bool> {
        if !e.is_of_lost_leader() || self.state.again.once || self.state.telling.left != start.told {
            return Ok(false);
        }
        loop {
            let since = *start.since.get_or_insert_with(task::now);
            if start.times >= MOST || task::now() >= since + LONGEST || !client.take_back(start.mark) {
                return Ok(false);
            }
            start.times += 1;
            self.state.notices.truncate(start.notices);
            let cancel = self.state.info.cancel.clone();
            task::sleep(PAUSE, |w| {
                cancel.register(w);
                cancel.pending()
            });
            cancel.listen()?;
            self.state.again.runs = true;
            match &start.scope {
                Scope::Whole => {
                    self.state.rollback();
                    self.state.start_anew();
                    return Ok(true);
                }
                Scope::Reads { tables, catalog } => match self.begin_as(tables) {
                    Ok(()) => return Ok(self.state.catalog.version == *catalog),
                    Err(e) if e.is_of_lost_leader() => {}
                    Err(e) => return Err(e),
                },
            }
        }
    }
    /// The block goes on in a new transaction, which holds these tables as the lost one did.
    fn begin_as(&mut self, tables: &[u64]) -> Result<()> {
        if let Some(Ok(lost)) = self.state.txn.take().map(Arc::try_unwrap) {
            lost.into_inner().rollback();
        }
        if !tables.is_empty() {
            let txn = self.state.begin_if_needed();
            tables.iter().try_for_each(|t| txn.lock_table(*t, TableLock::AccessShare, WaitPolicy::Block).map(drop))?;
        }
        // Whoever changes a table publishes the new catalog before it lets go of the table's lock.
        self.state.refresh_catalog();
        Ok(())
    }

    /// A query string.
    pub(super) fn simple_steadily(&mut self, sql: &str, client: &mut dyn Client) -> Result<()> {
        self.pipeline = Pipeline::default();
        let start = self.beginning(client);
        self.state.session_locks_stand()?;
        self.state.again.told_before =
            self.state.db.replicated && self.state.block == Block::Explicit && ends_block(sql);
        let Some(mut start) = start else { return self.simple_once(sql, client) };
        let r = loop {
            let Err(e) = self.simple_once(sql, client) else { break Ok(()) };
            match self.once_more(&mut start, &e, client) {
                Ok(true) => {}
                Ok(false) => break Err(e),
                Err(other) => break Err(other),
            }
        };
        self.state.again.ended();
        r
    }
    /// An Execute of `p`, the portal of this name, which is not in its place meanwhile.
    pub(super) fn execute_steadily(
        &mut self,
        portal: &str,
        p: &mut Portal,
        max_rows: u64,
        client: &mut dyn Client,
    ) -> Result<()> {
        self.state.session_locks_stand()?;
        self.state.again.told_before = self.has_told_all() && self.state.block == Block::Explicit && p.ends_block();
        let start = if self.state.db.replicated { p.fresh().zip(self.beginning(client)) } else { None };
        let Some((fresh, mut start)) = start else {
            self.state.again.whole = false;
            self.pipeline = Pipeline { executed: self.pipeline.executed + 1, only: None };
            return self.execute_portal(p, max_rows, client).map_err(|e| self.state.settled(e));
        };
        let r = loop {
            let r = self.execute_portal(p, max_rows, client).map_err(|e| self.state.settled(e));
            let Err(e) = r else { break Ok(()) };
            match self.once_more(&mut start, &e, client) {
                Ok(true) => p.refresh(&fresh),
                Ok(false) => break Err(e),
                Err(other) => break Err(other),
            }
        };
        self.state.again.ended();
        if !p.begins_block() {
            let first = std::mem::take(&mut self.pipeline).executed == 0;
            self.pipeline.executed = 1 + usize::from(!first);
            let after = client.mark().filter(|_| first && r.is_ok() && self.state.block != Block::Idle);
            self.pipeline.only = after.map(|after| Only { portal: portal.into(), max_rows, fresh, start, after });
        }
        r
    }
    /// The end of the messages since the last Sync: an implicit transaction is committed, what a block has told is settled.
    pub(super) fn end_steadily(&mut self, client: &mut dyn Client) -> Result<()> {
        if self.has_told_all() {
            return Ok(());
        }
        let pipeline = std::mem::take(&mut self.pipeline);
        let Some(mut only) = pipeline.only.filter(|o| client.mark() == Some(o.after)) else {
            return self.end_pipeline();
        };
        // Out of its place: a commit that fails ends all portals.
        let name = std::mem::take(&mut only.portal);
        let taken = if name.is_empty() { self.unnamed_portal.take() } else { self.portals.remove(&name) };
        let Some(mut p) = taken else { return self.end_pipeline() };
        let mut r = self.end_pipeline();
        while let Err(e) = &r {
            match self.once_more(&mut only.start, e, client) {
                Ok(true) => {}
                Ok(false) => break,
                Err(other) => {
                    r = Err(other);
                    break;
                }
            }
            p.refresh(&only.fresh);
            let ran = self.execute_portal(&mut p, only.max_rows, client).map_err(|e| self.state.settled(e));
            r = ran.and_then(|()| self.end_pipeline());
        }
        self.state.again.ended();
        if r.is_err() && self.state.block == Block::Implicit {
            self.state.rollback();
        }
        if self.state.block == Block::Idle {
            p.end();
        }
        match name.is_empty() {
            true => self.unnamed_portal = Some(p),
            false if self.state.block == Block::Idle => {}
            false => drop(self.portals.insert(name, p)),
        }
        r
    }
    /// Is everything settled that was told, by the ends of the messages that told it? Then nothing that becomes of the transaction since can make it wrong.
    pub(super) fn has_told_all(&self) -> bool {
        self.state.db.replicated && self.pipeline.executed == 0 && self.state.block != Block::Implicit
    }
    fn end_pipeline(&mut self) -> Result<()> {
        if self.state.block == Block::Implicit { self.commit().map(|_| ()) } else { self.state.settle() }
    }
}
/// COMMIT or ROLLBACK, and nothing else.
fn ends_block(sql: &str) -> bool {
    let text = sql.trim_end_matches([';', ' ', '\n', '\t', '\r']);
    ["commit", "rollback", "end", "abort"].iter().any(|w| text.eq_ignore_ascii_case(w))
}
impl Portal {
    /// COMMIT or ROLLBACK.
    fn ends_block(&self) -> bool {
        let ends = |s: &Statement| {
            matches!(s, Statement::Transaction(Transaction::Commit { .. } | Transaction::Rollback { .. }))
        };
        self.statement().stmt.as_ref().is_some_and(ends)
    }
    /// BEGIN: it does nothing that could be lost.
    fn begins_block(&self) -> bool {
        let begin = |s: &Statement| matches!(s, Statement::Transaction(Transaction::Begin(_) | Transaction::Start(_)));
        self.statement().stmt.as_ref().is_some_and(begin)
    }
}
