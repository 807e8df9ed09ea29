//! Locks: rows, key ranges and tables, with PostgreSQL's modes, waiting in order, and deadlock detection.
//!
//! ```text
//!   transaction ── Owner (id, waker, "granted") ◄──────────────┐
//!   trees[hash(tree)]  mutex ── TreeLocks                       │
//!                                rows:    key -> [(owner, mode)]┤   ordered by key: ranges and keys meet here
//!                                ranges:  [(owner, lo, hi)]     ┤   shared, SERIALIZABLE only
//!                                waiters: [(owner, what)]       ┤   in order of arrival
//!                                intents: [owner]               ┤   writers of many entries that follow rows
//!   tables[hash(id)]   mutex ── TableLocks: holders, counts, waiters
//!   graph              mutex ── owner id -> what it waits for
//! ```
//!
//! - **Order**: a request waits for conflicting holders and for conflicting requests that came before it, except those that themselves wait for a lock
//!   of the requester (so an upgrade overtakes whoever waits for it; otherwise both would wait for ever). A shared row lock that
//!   no holder is against is granted whoever waits, as PostgreSQL's: a foreign key's check must not stand behind a DELETE of the row that waits for another check's transaction.
//! - **Ranges**: a serializable scan locks [lo, hi) of a tree shared. It waits for holders of NO KEY UPDATE or UPDATE locks on keys inside, and whoever wants
//!   such a lock on a key inside waits for it. Every write locks its key so (also index entries), hence no phantom.
//! - **No lost wake-up**: holders, waiters and grants of a tree change under its mutex; whoever releases grants in the same critical section.
//! - **Deadlocks** are looked for when somebody starts to wait, which is the only moment a cycle can close: a grant makes a running transaction a blocker, and a running
//!   transaction is in no cycle. A waiter first stands in the queue and in the graph, then walks the edges, which are computed from the
//!   queues as they are now. Walks are serialized by the graph's mutex, so of two that close one cycle together the second finds it already broken.
//!   The victim is the one who closed it. A transaction nobody waits for (`blocks_others`) walks nothing.
//! - Mutex order: graph, then one tree or table shard. No mutex is held across a wait.
//!
//! Locks that outlive transactions have an owner of their own, the transaction's partner (`session.rs`).
//!
//! A transaction with very many row locks in one tree takes the whole tree (`escalate.rs`). One that writes many entries of an index takes one lock for all of them (`intent.rs`).
//!
//! Not here: sharing across nodes.
mod escalate;
mod held;
mod intent;
mod manager;
#[cfg(all(test, feature = "model"))]
mod model;
mod owner;
mod report;
#[cfg(test)]
mod scripts;
mod session;
mod table;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use held::{HeldLocks, LockMark, ROW_LOCK_OVERHEAD, row_cost};
#[cfg(test)]
use intent::INTENT_FROM;
pub(crate) use manager::{LockManager, Patience};
pub(crate) use owner::Owner;
pub use report::{LockLine, LockTarget};
pub use session::{FarLocks, SessionLocks};

/// Row lock strengths and conflicts as PostgreSQL's (SELECT ... FOR, "Row-Level Locks"). FOR UPDATE is told from what takes a key away, which conflicts with the same: whoever would insert
/// that key waits for the latter alone ([`crate::Txn::claim_new`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum RowLock {
    KeyShare = 0,
    Share = 1,
    NoKeyUpdate = 2,
    ForUpdate = 3,
    /// DELETE, or UPDATE of a key.
    Update = 4,
}

impl RowLock {
    /// PostgreSQL's table. Each mode conflicts with all that the weaker ones conflict with, so the order of the modes is the order of their strength.
    #[inline]
    pub fn conflicts(self, other: RowLock) -> bool {
        use RowLock::*;
        match self {
            KeyShare => other >= ForUpdate,
            Share => other >= NoKeyUpdate,
            NoKeyUpdate => other >= Share,
            ForUpdate | Update => true,
        }
    }
    /// In records and between nodes: there are four, FOR UPDATE is written as the stronger one.
    pub fn code(self) -> u8 {
        match self {
            RowLock::KeyShare => 0,
            RowLock::Share => 1,
            RowLock::NoKeyUpdate => 2,
            RowLock::ForUpdate | RowLock::Update => 3,
        }
    }
    pub fn from_code(n: u8) -> Option<RowLock> {
        [RowLock::KeyShare, RowLock::Share, RowLock::NoKeyUpdate, RowLock::Update].get(n as usize).copied()
    }
    /// Held by writers: what a serializable reader must not pass.
    #[inline]
    pub(crate) fn writes(self) -> bool {
        self >= RowLock::NoKeyUpdate
    }
}

/// Table lock modes and conflicts as PostgreSQL's ("Table-Level Locks").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum TableLock {
    AccessShare = 1,
    RowShare,
    RowExclusive,
    ShareUpdateExclusive,
    Share,
    ShareRowExclusive,
    Exclusive,
    AccessExclusive,
}

impl TableLock {
    pub const ALL: [TableLock; 8] = {
        use TableLock::*;
        [
            AccessShare,
            RowShare,
            RowExclusive,
            ShareUpdateExclusive,
            Share,
            ShareRowExclusive,
            Exclusive,
            AccessExclusive,
        ]
    };
    #[inline]
    pub(crate) fn bit(self) -> u8 {
        1 << (self as u8 - 1)
    }
    /// The modes this one conflicts with, as bits.
    #[inline]
    pub(crate) fn conflict_bits(self) -> u8 {
        // Bit n stands for mode n + 1: AS 0, RS 1, RX 2, SUX 3, S 4, SRX 5, X 6, AX 7.
        match self {
            TableLock::AccessShare => 0b1000_0000,
            TableLock::RowShare => 0b1100_0000,
            TableLock::RowExclusive => 0b1111_0000,
            TableLock::ShareUpdateExclusive => 0b1111_1000,
            TableLock::Share => 0b1110_1100,
            TableLock::ShareRowExclusive => 0b1111_1100,
            TableLock::Exclusive => 0b1111_1110,
            TableLock::AccessExclusive => 0b1111_1111,
        }
    }
    pub fn conflicts(self, other: TableLock) -> bool {
        self.conflict_bits() & other.bit() != 0
    }
    /// The mode of this [`name`](TableLock::name).
    pub fn named(name: &str) -> Option<TableLock> {
        TableLock::ALL.into_iter().find(|m| m.name() == name)
    }
    /// Name as in pg_locks and deadlock reports.
    pub fn name(self) -> &'static str {
        match self {
            TableLock::AccessShare => "AccessShareLock",
            TableLock::RowShare => "RowShareLock",
            TableLock::RowExclusive => "RowExclusiveLock",
            TableLock::ShareUpdateExclusive => "ShareUpdateExclusiveLock",
            TableLock::Share => "ShareLock",
            TableLock::ShareRowExclusive => "ShareRowExclusiveLock",
            TableLock::Exclusive => "ExclusiveLock",
            TableLock::AccessExclusive => "AccessExclusiveLock",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy {
    Block,
    /// 55P03 at once
    NoWait,
    /// skip what is locked
    Skip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockOutcome {
    Granted,
    /// WaitPolicy::Skip and somebody else holds it
    Skipped,
}
