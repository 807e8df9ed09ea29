//! Reads that this node's replica answers (`pamir.read_from`): which statements, what they see, and what a session must not lose sight of.
//!
//! ```text
//!   locked_plan ── place: may it read here? ── no ──► a transaction at the leader, table locks: as without the setting
//!                      │ yes
//!                      ▼
//!                  follow: the replica's transaction, its snapshot taken ──► the catalog as of that snapshot? no: again
//!                      │ yes
//!                      ▼
//!                  Follows::Statement: until the next statement        Follows::Transaction: until the transaction's end
//! ```
//! - **Which.** At READ COMMITTED, a statement that only reads tables, runs in one piece (no cursor, no limit of rows) and calls no function that changes or locks something, in a transaction that has
//!   nothing open at the leader. Of a READ ONLY transaction below SERIALIZABLE all statements: where it reads is decided once, with the first one that is planned; there cursors may be open as well. Everything else
//!   is the leader's as always, and a transaction that is there stays there.
//! - **Locks.** None are taken: what a snapshot reads cannot be taken from under it, since dropped trees live until nobody's snapshot needs them.
//! - **Plan and snapshot agree.** The snapshot is taken first. If no commit at or below it changed the catalog after what this session's catalog holds, and none that the catalog holds is above it,
//!   a plan made under the catalog is right for the snapshot. From then on the catalog stands still for the session ([`State::refresh_catalog`]): for the statement, or for the transaction at REPEATABLE READ.
//! - **Never back.** [`Seen`] is what the session's reads at a replica must see: its own commits by their timestamps; what it read at the leader by the moment when that ended. What it read at this
//!   replica it sees again here by itself, since what is applied grows, and at the leader, which is told ([`pamir_txn::Txn::not_below`]): its applier may be a moment behind.
//! - **Refused** (25006) is what only the leader can do in a transaction that reads here: advisory locks, LOCK TABLE, changes (also by functions' statements).
use super::Session;
use super::state::{Block, State};
use super::statement::Planned;
use pamir_storage::task;
use pamir_txn::{Isolation, ReadAt, ReadFrom, Ts};
use pamir_types::{Error, Result, err};
use parking_lot::ReentrantMutex;
use std::sync::Arc;
use std::time::Instant;

/// How often a snapshot is taken anew because the catalog changed beside it.
const TRIES: u32 = 100;

/// How long the open transaction, which reads at this node's replica, is to be that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follows {
    /// For a statement: the next one may be another place's.
    Statement,
    Transaction,
}

/// Whether all of a statement's rows are taken at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    Whole,
    /// A cursor, or a portal whose rows are counted: it may be open when the next statement comes.
    InParts,
}
impl Taken {
    pub fn of_limit(max_rows: u64) -> Taken {
        if max_rows == 0 { Taken::Whole } else { Taken::InParts }
    }
}

/// What the session's reads must not miss. What was read at the leader through snapshots counts as a commit of its own: by its timestamp.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    /// The newest commit of its own.
    commit: Ts,
    /// What it may have read at the leader was there by this moment.
    read: Option<Instant>,
    /// The newest snapshot that it read through at the replica; 0: none. The leader's applier may be behind by a moment.
    pub at_replica: Ts,
}
impl Seen {
    pub fn committed(&mut self, ts: Ts) {
        self.commit = self.commit.max(ts);
    }
    fn read_until_now(&mut self) {
        self.read = Some(task::now());
    }
}

/// What a transaction that reads at a replica cannot do.
#[cold]
pub(super) fn not_here(what: &str) -> Error {
    err!(READ_ONLY_SQL_TRANSACTION, "cannot execute {what} in a transaction that reads at a follower")
        .hint("Set pamir.read_from to leader before the transaction begins.")
}

impl State {
    /// Decides where a statement reads that is about to take its plan's locks.
    #[inline]
    pub(super) fn place(&mut self, p: &Planned, taken: Taken) -> Result<()> {
        if self.settings.read_from == ReadFrom::Leader && self.follows.is_none() || self.nested > 0 {
            return Ok(());
        }
        self.choose_place(p, taken)
    }
    #[cold]
    fn choose_place(&mut self, p: &Planned, taken: Taken) -> Result<()> {
        if self.follows == Some(Follows::Transaction) {
            // Each statement sees what is new, as fresh as it is to be.
            return match self.isolation {
                Isolation::ReadCommitted => self.follow(Follows::Transaction, true),
                _ => Ok(()),
            };
        }
        self.end_follower_statement();
        if self.txn.is_some() || p.is_denied() || self.settings.read_from == ReadFrom::Leader {
            return Ok(());
        }
        self.begin_implicit();
        let reads = p.plan.read_only && !p.effects && !self.private && self.isolation != Isolation::Serializable;
        // One that reads no table has nothing to be fresh; it costs nothing as it is. In a transaction it may be the first of many.
        let counts = !p.locks.is_empty() || self.read_only && self.block == Block::Explicit;
        if !reads || !counts {
            return Ok(());
        }
        match (self.read_only, self.isolation, taken) {
            // Each statement may get a transaction of its own there, which would lose what was done to temporary tables.
            (true, ..) if self.catalog.has_temporary() => Ok(()),
            (true, ..) => self.follow(Follows::Transaction, false),
            (false, Isolation::ReadCommitted, Taken::Whole) => self.follow(Follows::Statement, false),
            _ => Ok(()),
        }
    }
    /// Begins a transaction at this node's replica, with a snapshot that the catalog agrees with; none where that is the leader's to do.
    fn follow(&mut self, how: Follows, stays: bool) -> Result<()> {
        let at = ReadAt {
            from: self.settings.read_from,
            max_staleness: self.settings.max_staleness,
            not_before: self.seen.read,
            not_below: self.seen.commit,
            deadline: self.info.cancel.deadline(),
            stays,
        };
        for _ in 0..TRIES {
            let cancel = self.info.cancel.clone();
            let Some((txn, ts)) = self.engine.begin_at_replica(&at, &cancel)? else { return Ok(()) };
            self.follows = None;
            self.refresh_catalog();
            if self.db.catalog_holds_for(ts, self.base_version()) {
                txn.set_process(self.info.pid as u32);
                txn.set_limits(self.settings.lock_timeout, self.info.cancel.deadline());
                self.txn = Some(Arc::new(ReentrantMutex::new(txn)));
                self.seen.at_replica = ts;
                self.follows = Some(how);
                return Ok(());
            }
            // What it was before, if anything fails now.
            self.follows = stays.then_some(how);
            cancel.listen()?;
        }
        Err(err!(CANNOT_CONNECT_NOW, "definitions change too fast for a read at a follower")
            .hint("Retry, or set pamir.read_from to leader."))
    }
    /// A new statement, or a message, begins: what was for one statement is over.
    #[inline]
    pub(super) fn end_follower_statement(&mut self) {
        if self.follows == Some(Follows::Statement) && self.nested == 0 {
            self.follows = None;
            self.txn = None;
        }
    }
    /// 25006 in a transaction that reads at a replica.
    pub(super) fn at_leader(&self, what: &str) -> Result<()> {
        if self.follows.is_some() { Err(not_here(what)) } else { Ok(()) }
    }
    /// A transaction ends without having changed anything: at the leader it may have told something ([`Txn::told`](pamir_txn::Txn::told)).
    pub(super) fn leaves_leader(&mut self, told: Option<Ts>) {
        if self.follows.is_some() || !self.db.is_replicated() {
            return;
        }
        match told {
            None => {}
            Some(ts) if self.by_snapshots => self.seen.committed(ts),
            Some(_) => self.seen.read_until_now(),
        }
    }
    /// A plan is about to run in the transaction at the leader, which it begins if `first`.
    pub(super) fn note_reads(&mut self, p: &Planned, first: bool) {
        let by_snapshot = p.plan.read_only && !p.effects && self.isolation != Isolation::Serializable;
        self.by_snapshots = by_snapshot && (first || self.by_snapshots);
    }
}

impl Session {
    /// Whether the open transaction reads at this node's replica.
    pub fn reads_at_replica(&self) -> bool {
        self.state.follows.is_some()
    }
}
