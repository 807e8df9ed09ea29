//! Snapshots that one session exports and others import: pg_export_snapshot, SET TRANSACTION SNAPSHOT. They let several connections dump one state.
//!
//! An exported snapshot is that of an open transaction and ends with it: here it is a weak reference by name, and whoever imports it holds it as the exporter does.
//!
//! Limits: a server that is a node of a cluster has none (0A000), since its transactions may be at another node; neither imports a SERIALIZABLE transaction that
//! writes, which reads what is newest.
use super::Session;
use super::state::{Block, State};
use pamir_txn::Exported;
use pamir_txn::shard::Isolation;
use pamir_types::{Error, Oid, Result, bail};
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// By name: the snapshot, and the database that it was taken in.
#[derive(Default)]
pub(super) struct Snapshots(Mutex<BTreeMap<String, (Exported, Oid)>>);

impl Snapshots {
    fn add(&self, seen: Exported, pid: i32, database: Oid) -> String {
        let mut all = self.0.lock();
        all.retain(|_, s| s.0.stands());
        let name = (1u32..).map(|n| format!("{pid:08X}-{:08X}-{n}", seen.number()));
        let name = name.into_iter().find(|n| !all.contains_key(n)).unwrap_or_default();
        all.insert(name.clone(), (seen, database));
        name
    }
    fn find(&self, name: &str) -> Option<(Exported, Oid)> {
        self.0.lock().get(name).filter(|s| s.0.stands()).cloned()
    }
}

impl State {
    pub(super) fn snapshot_for_others(&mut self) -> Result<String> {
        if !self.frames.is_empty() {
            bail!(ACTIVE_SQL_TRANSACTION, "cannot export a snapshot from a subtransaction");
        }
        let seen = self.begin_if_needed().export();
        let Some(seen) = seen.filter(|_| !self.db.is_replicated()) else {
            return Err(Error::unsupported("pg_export_snapshot() in a cluster"));
        };
        Ok(self.db.exported.add(seen, self.info.pid, self.scope.database))
    }
}
impl Session {
    /// SET TRANSACTION SNAPSHOT
    pub(super) fn import_snapshot(&mut self, name: &str) -> Result<()> {
        let state = &mut self.state;
        if state.block != Block::Explicit || state.txn.is_some() || !state.frames.is_empty() {
            bail!(ACTIVE_SQL_TRANSACTION, "SET TRANSACTION SNAPSHOT must be called before any query");
        }
        match state.isolation {
            Isolation::ReadCommitted => bail!(
                FEATURE_NOT_SUPPORTED,
                "a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ"
            ),
            Isolation::Serializable if !state.read_only => {
                return Err(Error::unsupported("a snapshot for a SERIALIZABLE transaction that writes"));
            }
            _ => {}
        }
        let Some((seen, database)) = state.db.exported.find(name) else {
            bail!(INVALID_PARAMETER_VALUE, "invalid snapshot identifier: \"{name}\"")
        };
        if database != state.scope.database {
            bail!(FEATURE_NOT_SUPPORTED, "cannot import a snapshot from a different database");
        }
        if !state.begin_if_needed().adopt(&seen) {
            bail!(INVALID_PARAMETER_VALUE, "invalid snapshot identifier: \"{name}\"");
        }
        Ok(())
    }
}
