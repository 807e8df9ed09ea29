//! Opening a shard: its newest checkpoint, then the log after it.
//!
//! ```text
//!   Store::open ── newest checkpoint: trees at `lsn`, leaves up to `reach`; meta
//!        │
//!   log from `keep` (parts of large commits), replayed from `lsn` on ── a shard of its own: all of it, and it is open
//!                                                                    └─ a replica: its driver replays what is decided, entry by entry, and goes on when it knows more
//! ```
//! *Invariant*: nobody reads the trees before recovery is over.
use crate::applier::Applier;
use crate::checkpoint::read_meta;
use crate::core::Core;
use crate::replica::{Entered, Journal, Replica};
use crate::shard::{FIRST_USER_TREE, Shard, ShardOptions};
use crate::write_set::remove_leftovers;
use pamir_error::{Result, err};
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogReader, Lsn};
use pamir_storage::store::{Store, StoreOptions};
use std::sync::Arc;
use std::task::Waker;

/// There while a backup is being restored into the directory: nobody else opens it.
pub const RESTORE_FILE: &str = "pamir.restore";

/// A shard whose checkpoint is loaded and whose log is not replayed yet.
pub(crate) struct Recovery {
    pub core: Arc<Core>,
    /// The log is to be replayed after this.
    pub lsn: Lsn,
    /// Leaves may hold changes up to here.
    pub reach: Lsn,
    unfinished: bool,
}
impl Recovery {
    pub fn begin(disk: Arc<dyn Disk>, opts: ShardOptions, replica: Option<Replica>, stepped: bool) -> Result<Recovery> {
        if !opts.adopt && disk.exists(RESTORE_FILE)? {
            return Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "a backup is being restored into the data directory, or was and did not come to its end"
            )
            .hint("Let it end, or restore again into an empty directory."));
        }
        let store_opts = StoreOptions { cache_size: opts.cache_size, io_threads: opts.io_threads };
        let opened = Store::open(disk.clone(), store_opts)?;
        let unfinished = opened.unfinished;
        if !unfinished && !Log::exists(&*disk)? {
            return Err(err!(DATA_CORRUPTED, "the data directory has no log")
                .detail("Without it, what was committed since the newest checkpoint is missing.")
                .hint("Restore the log files that are missing, or the whole directory from a backup."));
        }
        let applier = Applier::new(opened.writer, LogReader::new(disk.clone()), opened.lsn);
        remove_leftovers(&*disk)?;
        let core = Core::new(disk, opened.store, opts, applier, FIRST_USER_TREE.0, replica, stepped);
        let core = Arc::new(core);
        {
            let mut a = core.applier.lock();
            read_meta(&core, &mut a, &opened.meta)?;
            for tree in crate::OWN_TREES.into_iter().filter(|t| !core.store.tree_exists(*t)) {
                a.writer.create_tree(tree)?;
            }
            a.writer.follow_log();
        }
        Ok(Recovery { core, lsn: opened.lsn, reach: opened.reach, unfinished })
    }
    /// The log is needed from here on.
    pub fn keep(&self, a: &Applier) -> Lsn {
        a.first_part().unwrap_or(self.lsn)
    }
    /// The log of a new shard is there.
    pub fn finish_new(&self) -> Result<()> {
        if self.unfinished { self.core.store.finish_new() } else { Ok(()) }
    }
}

/// A replica that is being opened: its driver reads the log and hands over what is decided, in order.
pub struct ReplicaRecovery(Recovery);
impl ReplicaRecovery {
    /// Loads the checkpoint. `driver` is woken when the replica leads and has records for a batch.
    pub fn begin(
        disk: Arc<dyn Disk>,
        opts: ShardOptions,
        journal: Arc<dyn Journal>,
        driver: Waker,
        stepped: bool,
    ) -> Result<ReplicaRecovery> {
        let r = Recovery::begin(disk, opts, Some(Replica::new(journal)), stepped)?;
        r.core.queue.follow_only(&r.core.reign, driver);
        Ok(ReplicaRecovery(r))
    }
    /// The log is needed from here on,
    pub fn keep(&self) -> Lsn {
        self.0.keep(&self.0.core.applier.lock())
    }
    /// ... to be replayed after this,
    pub fn lsn(&self) -> Lsn {
        self.0.lsn
    }
    /// ... and damaged if it ends before this.
    pub fn reach(&self) -> Lsn {
        self.0.reach
    }
    /// Up to which entry everything is replayed.
    pub fn entered(&self) -> Entered {
        self.0.core.applier.lock().entered.clone()
    }
    /// What the driver's [`Journal::state`] was when the checkpoint began; empty where there is none.
    pub fn state(&self) -> Vec<u8> {
        self.0.core.applier.lock().driver_state.clone()
    }
    /// A record that is decided and ends at `lsn`.
    pub fn replay(&mut self, lsn: Lsn, record: &[u8]) -> Result<()> {
        self.0.core.applier.lock().apply_record(&self.0.core, record, lsn, false)
    }
    /// The end of an entry, its records replayed.
    pub fn enter(&mut self, entered: Entered, lsn: Lsn) {
        self.0.core.applier.lock().replay_entry(&self.0.core, entered, lsn);
    }
    /// What comes from now on is [`Shard::replicate`]'s. Pages that came from another replica may hold entries up to `reach`.
    pub fn finish(self, reach: u64) -> Result<Arc<Shard>> {
        let core = self.0.core.clone();
        {
            let mut a = core.applier.lock();
            a.flush_replay(&core)?;
            a.end_replica_recovery(&core, self.0.reach, reach);
        }
        self.0.finish_new()?;
        Shard::start_replica(core)
    }
}
