//! What a row that was found, and is locked now, has become meanwhile: the head of [`super`] has the table.
use super::Wx;
use pamir_catalog::Table;
use pamir_txn::shard::{Isolation, Latest, LockOutcome};
use pamir_txn::{RowLock, WaitPolicy};
use pamir_types::{Error, Result, err};
use std::sync::Arc;

/// What a locked target row turned out to be.
pub(super) enum Target {
    /// As the snapshot saw it.
    Same,
    /// Changed by a later commit (READ COMMITTED): decide again on this version.
    Newer,
    /// Lives under another key since a later commit (READ COMMITTED).
    Moved,
    Skip,
}
/// `locking`: for a mere row lock, where PostgreSQL calls a delete an update too.
pub(super) fn target_state(latest: &Latest, wx: &Wx, locking: bool) -> Result<Target> {
    if latest.own {
        // Written by this statement already (or by a part of it that ran before).
        if latest.statement >= wx.snapshot.statement() || !latest.exists {
            return Ok(Target::Skip);
        }
        return Ok(Target::Same);
    }
    if latest.ts <= wx.snapshot.ts() {
        return Ok(if latest.exists { Target::Same } else { Target::Skip });
    }
    match wx.txn.isolation() {
        Isolation::ReadCommitted if latest.exists => Ok(Target::Newer),
        Isolation::ReadCommitted => Ok(if latest.moved { Target::Moved } else { Target::Skip }),
        // Strict two-phase locking reads the newest version: nothing can have come in between.
        Isolation::Serializable if latest.exists => Ok(Target::Newer),
        _ => Err(serialization_failure(!latest.exists && !latest.moved && !locking)),
    }
}
/// Reads the newest version of a row that is locked under `key`. A row that moved is locked and read under its new key, which `key` names then; its
/// steps go up in time, so they end; 40001 where it went to another partition ([`route::leave`]). None: the lock there was not waited for (SKIP LOCKED).
pub(super) fn newest_target(
    t: &Table,
    key: &mut Arc<[u8]>,
    mode: RowLock,
    wait: WaitPolicy,
    locking: bool,
    wx: &Wx,
    bytes: &mut Vec<u8>,
) -> Result<Option<(Target, Latest)>> {
    let mut since = 0;
    loop {
        let latest = wx.txn.get_latest(t.tree(), key, bytes)?;
        // Older than the move that led here: the tombstone of the next step is purged, the row long gone.
        if !latest.own && latest.ts < since {
            return Ok(Some((Target::Skip, latest)));
        }
        match target_state(&latest, wx, locking)? {
            Target::Moved => {}
            state => return Ok(Some((state, latest))),
        }
        if bytes == key.as_ref() {
            return Err(err!(
                SERIALIZATION_FAILURE,
                "tuple to be locked was already moved to another partition due to concurrent update"
            ));
        }
        since = latest.ts;
        *key = bytes.as_slice().into();
        if lock_target(t, key, mode, wait, wx)? == LockOutcome::Skipped {
            return Ok(None);
        }
    }
}
pub(super) fn lock_target(t: &Table, key: &[u8], mode: RowLock, wait: WaitPolicy, wx: &Wx) -> Result<LockOutcome> {
    wx.txn.lock_row(t.tree(), key, mode, wait).map_err(|e| {
        if wait == WaitPolicy::NoWait && e.code() == pamir_types::error::state::LOCK_NOT_AVAILABLE {
            err!(LOCK_NOT_AVAILABLE, "could not obtain lock on row in relation \"{}\"", t.name)
        } else {
            e
        }
    })
}
pub fn serialization_failure(deleted: bool) -> Error {
    if deleted {
        err!(SERIALIZATION_FAILURE, "could not serialize access due to concurrent delete")
    } else {
        err!(SERIALIZATION_FAILURE, "could not serialize access due to concurrent update")
    }
}
