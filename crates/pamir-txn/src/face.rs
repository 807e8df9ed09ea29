//! The face to data: all that SQL knows of what lies below it.
//!
//! ```text
//!   session, executor, planner
//!      │  Txn: an open transaction                    │  Arc<dyn Engine>: what needs none
//!      ├── Local: LocalTxn, called directly           ├── Shard
//!      └── Far: Box<dyn Transaction> ───────────┐     └── whatever begins the transactions on the left
//!   Scan                                        │
//!      ├── Local: LocalScan, entry by entry     ▼
//!      └── Far: entries in batches  ◄── scan_open, scan_more
//! ```
//! A session's own trees ([`crate::private`]) are beside both: the number of a tree, a space or a sequence says that it is one.
//!
//! The shard of this process is called without a virtual call and without a copy: [`Txn`] and [`Scan`] are enums. Any other place for data implements
//! [`Transaction`] and [`Engine`]; it costs one virtual call per data call, and per batch of a scan's entries.
//!
//! A call may be a round trip. For a statement that has many keys at hand there are `get_many`, `get_latest_many`, `claim_many`, `claim_each` and `write_many`, for many ranges
//! [`Transaction::scan_ranges`], for many values of a sequence [`Engine::seq_next_many`]; [`Txn::far`] says whether they are worth it.
//! Each is exactly so many single calls in the order of its keys, and the single calls are what it is to be tested against. The executor goes row by row everywhere; it
//! only says ahead what it will ask for ([`Txn::claim_ahead`], [`Txn::claim_each_ahead`], [`Txn::read_ahead`], [`Txn::latest_ahead`],
//! [`Txn::ranges_ahead`]) and where a statement ends
//! ([`Txn::flush`]): see `near.rs`.
//!
//! Invariants: a call answers what it would answer as the only one; a far scan reads ahead, so what its transaction writes after it was opened is not
//! seen by it for certain (a snapshot's scan never sees it, and who scans the newest state writes elsewhere). A scan goes on with the transaction that opened it.
//!
//! Limits: a batch has up to [`BATCH_KEYS`] keys or [`BATCH_BYTES`] bytes, a far scan reads [`SCAN_FIRST`] entries ahead at first and up to [`SCAN_MOST`] later. Locks that outlive
//! transactions ([`SessionLocks`]) are where the transactions are, and lost where another node becomes the leader.
use crate::commit::Callback;
use crate::near::Near;
use crate::private::{Own, PrivateData, PrivateScan, is_private};
use crate::shard::{PreparedInfo, SequenceDef};
use crate::snapshot::Exported;
use crate::told::Xids;
use crate::txn::LocalTxn;
use crate::{
    Cancel, Isolation, Latest, LocalScan, LockLine, LockOutcome, LockTarget, MemoryAccount, Outcome, RowLock,
    SavepointId, SessionLocks, Shard, Snapshot, TableLock, Ts, WaitPolicy,
};
use pamir_error::{Error, Result, bail};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use pamir_storage::store::{Dir, TreeId};
use std::any::Any;
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Keys that a statement puts into one call, at most.
pub const BATCH_KEYS: usize = 1024;
/// Bytes of keys and values of one call from which on nothing is added to it.
pub const BATCH_BYTES: usize = 1 << 20;
/// Entries that a far scan asks for when it is opened.
pub const SCAN_FIRST: usize = 128;
/// Entries that it asks for later, at most: each time twice as many as before.
pub const SCAN_MOST: usize = 1024;

/// Keys and values in one buffer, each pair with a `T`.
pub struct Batch<T> {
    bytes: Vec<u8>,
    /// Where the key and the value end.
    items: Vec<(T, usize, usize)>,
}
impl<T> Default for Batch<T> {
    fn default() -> Batch<T> {
        Batch { bytes: Vec::new(), items: Vec::new() }
    }
}
impl<T: Copy> Batch<T> {
    pub fn push(&mut self, what: T, key: &[u8], value: &[u8]) {
        self.bytes.extend_from_slice(key);
        let key_end = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.items.push((what, key_end, self.bytes.len()));
    }
    pub fn get(&self, i: usize) -> Option<(T, &[u8], &[u8])> {
        let (what, key_end, end) = *self.items.get(i)?;
        let start = i.checked_sub(1).and_then(|p| self.items.get(p)).map_or(0, |p| p.2);
        Some((what, self.bytes.get(start..key_end)?, self.bytes.get(key_end..end)?))
    }
    pub fn iter(&self) -> impl Iterator<Item = (T, &[u8], &[u8])> {
        (0..self.items.len()).map_while(|i| self.get(i))
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
    }
    /// Nothing more is to be added before the call.
    pub fn is_full(&self) -> bool {
        self.items.len() >= BATCH_KEYS || self.bytes.len() >= BATCH_BYTES
    }
}

/// Keys of trees.
pub type Keys = Batch<TreeId>;
/// What [`Txn::get_many`] found: whether there is a version, and its value.
pub type Values = Batch<bool>;
/// What [`Txn::claim_many`] found, in the order of the keys.
pub type Claims = Batch<Latest>;
/// Changes of entries.
pub type Writes = Batch<(TreeId, Write)>;
/// Entries that a scan read ahead.
pub type Entries = Batch<()>;

/// Ranges of trees: from the key on, up to the value (not with it), to the end of the tree where false.
pub type Ranges = Batch<(TreeId, bool)>;
/// Entries of many ranges, each with its range's place among them.
pub type RangeEntries = Batch<usize>;
/// What keys are to be claimed for, and what was found of them with the lock that is held at least.
pub type Wants = Batch<(TreeId, Want)>;
pub type Met = Batch<(RowLock, Latest)>;

/// What [`Txn::claim_each`] does with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Want {
    /// As [`Txn::claim`]; None: as [`Txn::meet`].
    pub lock: Option<RowLock>,
    /// Is it thought to be there? The first key of which that is wrong is the last one answered: who wants them may go on otherwise than it thought.
    pub there: Option<bool>,
}
impl Want {
    pub fn lock(mode: RowLock) -> Want {
        Want { lock: Some(mode), there: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    Put,
    Delete,
    /// Deletes a key whose row lives on under the key that is the value.
    Move,
}

/// How far [`Txn::claim_many`] goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    End,
    /// Up to the first key that is there, which is the last one answered: those after it are neither locked nor read.
    Taken,
}

/// What a far scan is opened over: entries of [lo, hi) that `snap` sees, of the newest state without one. hi None: to the end.
#[derive(Clone, Copy)]
pub struct ScanRange<'a> {
    pub snap: Option<&'a Snapshot>,
    pub tree: TreeId,
    pub lo: &'a [u8],
    pub hi: Option<&'a [u8]>,
    pub dir: Dir,
}

macro_rules! face {
    (
        { $( $(#[$doc:meta])* fn $name:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $ret:ty)? $([$number:expr => $own:ident: $there:expr])?; )* }
        { $( fn $hand:ident(&self $(, $hand_arg:ident: $hand_ty:ty)*) $(-> $hand_ret:ty)?; )* }
    ) => {
        /// An open transaction that is not in this process's shard. Dropping it rolls back. What each call does is said at [`Txn`].
        pub trait Transaction: Send {
            $( fn $name(&self $(, $arg: $ty)*) $(-> $ret)?; )*
            $( fn $hand(&self $(, $hand_arg: $hand_ty)*) $(-> $hand_ret)?; )*
            /// Opens a scan, of the newest state without a snapshot, and reads its first entries, `max` at most. The state that is returned is handed back for
            /// more; None: there are no more.
            fn scan_open(&self, range: ScanRange, max: usize, out: &mut Entries) -> Result<Option<ScanState>>;
            /// Reads ranges whole, one after the other, up to `max` entries in all; how many ranges it were. The one that is too long is left to a scan of its own.
            fn scan_ranges(
                &self,
                snap: Option<&Snapshot>,
                ranges: &Ranges,
                dir: Dir,
                max: usize,
                out: &mut RangeEntries,
            ) -> Result<usize>;
            /// Reads up to `max` entries more; false: there are no more after them.
            fn scan_more(&self, state: &mut ScanState, max: usize, out: &mut Entries) -> Result<bool>;
            /// Passes over up to `max` entries; over how many: fewer only at the end.
            fn scan_pass(&self, state: &mut ScanState, max: u64) -> Result<u64>;
            /// [`Txn::lock_table_ahead`].
            fn lock_table_ahead(&self, table: u64, mode: TableLock) -> Result<()> {
                self.lock_table(table, mode, WaitPolicy::Block).map(drop)
            }
            fn commit(self: Box<Self>) -> Result<Ts>;
            fn prepare(self: Box<Self>, gid: &str, owner: &str, database: &str) -> Result<()>;
        }
        impl Txn {
            $( $(#[$doc])*
            #[inline]
            pub fn $name(&self $(, $arg: $ty)*) $(-> $ret)? {
                $(if is_private($number) {
                    let $own = self.own()?;
                    return $there;
                })?
                match &self.place {
                    Place::Local(t) => t.$name($($arg),*),
                    Place::Far(t) => t.$name($($arg),*),
                }
            } )*
        }
    };
}

face! {
    {
        fn id(&self) -> u64;
        /// Its number for somebody who keeps it: from the first time on it is the same, and below those that are told later.
        fn tell(&self) -> Result<u64>;
        fn is_told(&self) -> bool;
        /// What the newest snapshot sees, in numbers that were told. 72000: that is not known any more.
        fn xids(&self) -> Result<Xids>;
        /// The session's process number, for deadlock reports.
        fn set_process(&self, pid: u32);
        /// The session has read this commit at its node's replica: no snapshot is to be without it. To be called before the first statement.
        fn not_below(&self, ts: Ts);
        /// The newest snapshot that it has read through (0: none yet), as far as it was told. None: nothing of it was answered at all.
        fn told(&self) -> Option<Ts>;
        fn isolation(&self) -> Isolation;
        fn read_only(&self) -> bool;
        /// Is there anything to commit?
        fn has_writes(&self) -> bool;
        /// lock_timeout and the statement's deadline, for all waits that follow.
        fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>);
        /// Has this transaction met a commit that was not yet durable? Then nothing that it read may leave before [`Txn::settle`].
        fn tied(&self) -> bool;
        /// Waits until all that this transaction has met is durable: to be called before anything it read is told to the outside (rows, a tag, an error).
        fn settle(&self) -> Result<()>;
        /// The version of `key` that `snap` sees, own earlier writes first. At SERIALIZABLE locks the key and reads the newest committed version.
        fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> [tree.0 => own: own.get(snap, tree, key, out)];
        /// The newest committed version, or the own write over it. To be called with the row locked.
        fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> [tree.0 => own: own.get_latest(tree, key, out)];
        fn lock_row(&self, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> [tree.0 => _own: Ok(LockOutcome::Granted)];
        /// Locks [lo, hi) against writers until the transaction ends, as a serializable scan does.
        fn lock_range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<()> [tree.0 => _own: Ok(())];
        /// `table` is any stable number (the table's OID). Weak modes (up to RowExclusive) are cheap.
        fn lock_table(&self, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome>;
        /// Locks a row, waiting for it, and reads its newest version.
        fn claim(&self, tree: TreeId, key: &[u8], mode: RowLock, out: &mut Vec<u8>) -> Result<Latest> [tree.0 => own: own.get_latest(tree, key, out)];
        /// For who would insert this key, or else leave the row alone that has it. A row that is there and will keep its keys needs no more than that it stays, KEY SHARE:
        /// who refers to it, updates it or meets it in the same way does not wait. Only where it is being deleted, or is not there, the key is claimed. With the lock that is held at least.
        fn meet(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<(RowLock, Latest)> [tree.0 => own: Ok((RowLock::Update, own.get_latest(tree, key, out)?))];
        /// Writes lock their key (at least NoKeyUpdate) first if that is not yet held.
        fn put(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> [tree.0 => own: own.write(tree, key, value, false)];
        fn delete(&self, tree: TreeId, key: &[u8]) -> Result<()> [tree.0 => own: own.write(tree, key, &[], true)];
        /// Deletes a key whose row lives on under `to` of the same tree: writers that waited for it learn where ([`Latest::moved`]).
        fn delete_moved(&self, tree: TreeId, key: &[u8], to: &[u8]) -> Result<()> [tree.0 => own: own.write(tree, key, to, true)];
        /// A new tree, empty, others' after commit.
        fn create_tree(&self) -> Result<TreeId>;
        /// Takes effect at commit; the tree lives on until the last snapshot that may read it is gone.
        fn drop_tree(&self, tree: TreeId) -> Result<()> [tree.0 => own: { own.drop_tree(tree); Ok(()) }];
        /// About so many writes, of so many bytes in all, will follow at once.
        fn expect_writes(&self, writes: u64, bytes: u64);
        /// A key of `tree` that this transaction wrote more than once: a duplicate, to whoever fills a new tree.
        fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> [tree.0 => own: own.written_twice(tree)];
        /// [`Engine::next_id`], which is not undone with the transaction.
        fn next_id(&self, space: u64) -> Result<u64> [space => own: Ok(own.next_id(space))];
        /// Pages that this task touched, and of them read from disk, so far: the difference of two calls is what came between (EXPLAIN's BUFFERS).
        fn page_counts(&self) -> (u64, u64);
        /// Runs right after the commit became visible and before its locks are released (a new catalog is published so). It must be short and must not wait.
        fn on_commit(&self, f: Callback);
        /// The session's own locks go with this transaction from now on.
        fn join(&self, locks: &SessionLocks);
        /// Takes a lock for the session, waiting as this transaction may.
        fn lock_for_session(&self, locks: &mut SessionLocks, number: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome>;
    }
    {
        fn tables_read(&self) -> Option<Vec<u64>>;
        fn statement(&self) -> Snapshot;
        fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()>;
        fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()>;
        fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()>;
        fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()>;
        fn write_many(&self, writes: &Writes) -> Result<()>;
        fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()>;
        fn savepoint(&self) -> SavepointId;
        fn rollback_to(&self, sp: SavepointId);
        fn release(&self, sp: SavepointId);
    }
}

/// What a far scan keeps between two reads: whatever its transaction made of it.
pub type ScanState = Box<dyn Any + Send>;

/// One open transaction, as SQL holds it; belongs to one session. Dropping it rolls back.
pub struct Txn {
    place: Place,
    /// Of a session that has data of its own.
    own: OnceCell<Own>,
}
enum Place {
    /// Boxed: what begins, holds and ends it hands it on by value.
    Local(Box<LocalTxn>),
    Far(Near),
}
impl From<LocalTxn> for Txn {
    fn from(t: LocalTxn) -> Txn {
        Txn { place: Place::Local(Box::new(t)), own: OnceCell::new() }
    }
}
impl Txn {
    /// One that lives elsewhere.
    pub fn elsewhere(t: Box<dyn Transaction>) -> Txn {
        Txn { place: Place::Far(Near::new(t)), own: OnceCell::new() }
    }
    /// Is a call worth so much that many keys are to go in one?
    #[inline]
    pub fn far(&self) -> bool {
        matches!(self.place, Place::Far(_))
    }
    /// Is what it reads right only while no other node leads? Then nothing of it leaves before a [`Txn::settle`].
    #[inline]
    pub fn needs_lease(&self) -> bool {
        matches!(&self.place, Place::Local(t) if t.core.replica.is_some())
    }
    /// Locks a table in a weak mode, for who goes on at once with calls made for the definitions that this node knows now, and is able to begin the whole transaction anew: where calls are dear the lock is taken
    /// with the first of them. That one then fails as if the leader were lost ([`Error::is_of_lost_leader`]) where the definitions are others.
    #[inline]
    pub fn lock_table_ahead(&self, table: u64, mode: TableLock) -> Result<()> {
        match &self.place {
            Place::Local(t) => t.lock_table(table, mode, WaitPolicy::Block).map(drop),
            Place::Far(t) => t.lock_table_ahead(table, mode),
        }
    }
    /// Claims a key that is to be inserted. Where a row has it that nobody is taking away, that is said at once, whoever has locked the row, and the key is not locked: by
    /// PostgreSQL's rule a row that is merely locked is no reason to wait before saying that it is there.
    #[inline]
    pub fn claim_new(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        match &self.place {
            Place::Local(t) if !is_private(tree.0) => t.claim_new(tree, key, out),
            _ => self.claim(tree, key, RowLock::Update, out),
        }
    }
    /// The same for who leaves the row alone, or locks it later: it may have gone by then.
    #[inline]
    pub fn pass_by(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        match &self.place {
            Place::Local(t) if !is_private(tree.0) => t.pass_by(tree, key, out),
            _ => self.meet(tree, key, out).map(|met| met.1),
        }
    }
    /// Puts an entry that follows a row of another tree: only who has locked the row writes it, so that readers under lock alone wait for it.
    #[inline]
    pub fn put_entry(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        match &self.place {
            Place::Local(t) if !is_private(tree.0) => t.put_entry(tree, key, value),
            _ => self.put(tree, key, value),
        }
    }
    /// Deletes such an entry.
    #[inline]
    pub fn delete_entry(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        match &self.place {
            Place::Local(t) if !is_private(tree.0) => t.delete_entry(tree, key),
            _ => self.delete(tree, key),
        }
    }
    /// These keys will be locked, waiting, and their newest versions read: in one call now, if calls are dear. A statement that failed has locked more than it
    /// would have row by row.
    #[inline]
    pub fn claim_ahead(&self, keys: &Keys, mode: RowLock, until: Until) -> Result<()> {
        match &self.place {
            Place::Far(t) if !self.has_private(keys, |t| t) => t.claim_ahead(keys, mode, until),
            _ => Ok(()),
        }
    }
    /// These keys will be read through `snap`: in one call now, if calls are dear.
    #[inline]
    pub fn read_ahead(&self, snap: &Snapshot, keys: &Keys) -> Result<()> {
        match &self.place {
            Place::Far(t) if !self.has_private(keys, |t| t) => t.read_ahead(snap, keys),
            _ => Ok(()),
        }
    }
    /// The same for keys that are claimed in different ways.
    #[inline]
    pub fn claim_each_ahead(&self, wants: &Wants) -> Result<()> {
        match &self.place {
            Place::Far(t) if !self.has_private(wants, |w| w.0) => t.claim_each_ahead(wants),
            _ => Ok(()),
        }
    }
    /// The newest versions of these keys will be read: in one call now, if calls are dear. What is found is kept where it is as said, the value, or not there if that is empty; the
    /// caller holds the locks that keep others from changing it then.
    #[inline]
    pub fn latest_ahead(&self, keys: &Keys) -> Result<()> {
        match &self.place {
            Place::Far(t) if !self.has_private(keys, |t| t) => t.latest_ahead(keys),
            _ => Ok(()),
        }
    }
    /// These ranges will be scanned through `snap`, or in the newest state: in one call now, if calls are dear, up to `max` entries in all. How many of them are at hand.
    #[inline]
    pub fn ranges_ahead(&self, snap: Option<&Snapshot>, ranges: &Ranges, dir: Dir, max: usize) -> Result<usize> {
        match &self.place {
            Place::Far(t) if !self.has_private(ranges, |r| r.0) => t.ranges_ahead(snap, ranges, dir, max),
            _ => Ok(0),
        }
    }
    /// What [`Txn::ranges_ahead`] has of a range; false: nothing.
    pub fn at_hand(
        &self,
        snap: Option<&Snapshot>,
        tree: TreeId,
        lo: &[u8],
        hi: Option<&[u8]>,
        dir: Dir,
        out: &mut Entries,
    ) -> Result<bool> {
        match &self.place {
            Place::Far(t) if !is_private(tree.0) => t.at_hand(snap, tree, lo, hi, dir, out),
            _ => Ok(false),
        }
    }
    /// So many ids of a space will be asked for.
    #[inline]
    pub fn ids_ahead(&self, space: u64, n: usize) -> Result<()> {
        match &self.place {
            Place::Far(t) if !is_private(space) => t.ids_ahead(space, n),
            _ => Ok(()),
        }
    }
    /// A statement's end: its writes are where they belong, their locks taken.
    #[inline]
    pub fn flush(&self) -> Result<()> {
        if let Place::Far(t) = &self.place { t.flush() } else { Ok(()) }
    }
    /// Entries of [lo, hi) that `snap` sees, merged with own earlier writes. hi None: to the end.
    #[inline]
    pub fn scan(&self, snap: &Snapshot, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<Scan> {
        if is_private(tree.0) {
            return self.own()?.scan(Some(snap), tree, lo, hi, dir).map(Scan::private);
        }
        match &self.place {
            Place::Local(t) => t.scan(snap, tree, lo, hi, dir).map(Scan::local),
            Place::Far(t) => Ahead::open(t, ScanRange { snap: Some(snap), tree, lo, hi, dir }),
        }
    }
    /// Newest committed entries (and own writes) of a range, whatever the snapshot: unique and foreign key checks under lock.
    pub fn scan_latest(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>, dir: Dir) -> Result<Scan> {
        if is_private(tree.0) {
            return self.own()?.scan(None, tree, lo, hi, dir).map(Scan::private);
        }
        match &self.place {
            Place::Local(t) => t.scan_latest(tree, lo, hi, dir).map(Scan::local),
            Place::Far(t) => Ahead::open(t, ScanRange { snap: None, tree, lo, hi, dir }),
        }
    }
    /// Sets `scan`, made by [`Txn::scan`], to another range of its tree.
    #[inline]
    pub fn scan_again(&self, snap: &Snapshot, scan: &mut Scan, lo: &[u8], hi: Option<&[u8]>) -> Result<()> {
        match (&self.place, &mut scan.0) {
            (Place::Local(t), ScanPlace::Local(s)) => t.scan_again(snap, s, lo, hi),
            (Place::Far(t), ScanPlace::Far(s)) => {
                s.start(t, ScanRange { snap: Some(snap), tree: s.tree, lo, hi, dir: s.dir })
            }
            (_, ScanPlace::Private(s)) => {
                self.own()?.scan_again(snap, s, lo, hi);
                Ok(())
            }
            _ => Err(foreign()),
        }
    }
    /// Waits until the commit is durable and visible. An error other than 08007 means it is rolled back.
    pub fn commit(self) -> Result<Ts> {
        let Txn { place, own } = self;
        let ts = match place {
            Place::Local(t) if !t.has_writes() => t.commit_without_writes(),
            Place::Local(t) => t.commit(),
            Place::Far(t) => t.commit(),
        }?;
        if let Some(own) = own.get() {
            own.commit();
        }
        Ok(ts)
    }
    pub fn rollback(self) {
        drop(self);
    }
    /// PREPARE TRANSACTION: durable, with all its locks, until [`Engine::commit_prepared`] or [`Engine::rollback_prepared`].
    pub fn prepare(self, gid: &str, owner: &str, database: &str) -> Result<()> {
        if self.has_private_writes() {
            bail!(FEATURE_NOT_SUPPORTED, "cannot PREPARE a transaction that has operated on temporary objects");
        }
        match self.place {
            Place::Local(t) => t.prepare(gid, owner, database),
            Place::Far(t) => t.prepare(gid, owner, database),
        }
    }
}

impl Txn {
    /// What it sees, for others ([`LocalTxn::export`]); None where the data is elsewhere.
    pub fn export(&self) -> Option<Exported> {
        match &self.place {
            Place::Local(t) => Some(t.export()),
            Place::Far(_) => None,
        }
    }
    /// [`LocalTxn::adopt`]
    pub fn adopt(&self, seen: &Exported) -> bool {
        match &self.place {
            Place::Local(t) => t.adopt(seen),
            Place::Far(_) => false,
        }
    }
}

/// What a session's own data ([`crate::private`]) has a part in.
impl Txn {
    /// ... with `data` beside it.
    pub fn with_private(self, data: &Arc<PrivateData>) -> Txn {
        self.own.get_or_init(|| Own::begin(data));
        self
    }
    #[inline]
    fn own(&self) -> Result<&Own> {
        self.own.get().ok_or_else(no_own)
    }
    /// A new tree of the session's own.
    pub fn create_private_tree(&self, data: &Arc<PrivateData>) -> TreeId {
        self.own.get_or_init(|| Own::begin(data)).create_tree()
    }
    /// What a tree of the session's own holds goes with this transaction's commit.
    pub fn empty_private_tree(&self, tree: TreeId) -> Result<()> {
        self.own().map(|own| own.empty_tree(tree))
    }
    /// As if something of the session's own had been read.
    pub fn touch_private(&self, data: &Arc<PrivateData>) {
        self.own.get_or_init(|| Own::begin(data)).touch();
    }
    /// Has it changed something of the session's own?
    pub fn has_private_writes(&self) -> bool {
        self.own.get().is_some_and(Own::has_writes)
    }
    /// Has it read or changed something of the session's own?
    pub fn touched_private(&self) -> bool {
        self.own.get().is_some_and(Own::touched)
    }
    #[inline]
    fn has_private<T: Copy>(&self, batch: &Batch<T>, tree: impl Fn(T) -> TreeId) -> bool {
        self.own.get().is_some() && batch.iter().any(|(t, ..)| is_private(tree(t).0))
    }
    /// Starts the next statement: a fresh snapshot at READ COMMITTED, else the transaction's.
    #[inline]
    pub fn statement(&self) -> Snapshot {
        let snap = match &self.place {
            Place::Local(t) => t.statement(),
            Place::Far(t) => t.statement(),
        };
        if let Some(own) = self.own.get() {
            own.begins(&snap);
        }
        snap
    }
    /// [`Txn::get`] for each of the keys.
    pub fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()> {
        match &self.place {
            _ if self.has_private(keys, |t| t) => {
                let mut value = Vec::new();
                keys.iter().try_for_each(|(tree, key, _)| {
                    let found = self.get(snap, tree, key, &mut value)?;
                    out.push(found, &[], if found { &value } else { &[] });
                    Ok(())
                })
            }
            Place::Local(t) => t.get_many(snap, keys, out),
            Place::Far(t) => t.get_many(snap, keys, out),
        }
    }
    /// [`Txn::get_latest`] for each of the keys.
    pub fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()> {
        match &self.place {
            _ if self.has_private(keys, |t| t) => {
                let mut value = Vec::new();
                keys.iter().try_for_each(|(tree, key, _)| {
                    let latest = self.get_latest(tree, key, &mut value)?;
                    out.push(latest, &[], &value);
                    Ok(())
                })
            }
            Place::Local(t) => t.get_latest_many(keys, out),
            Place::Far(t) => t.get_latest_many(keys, out),
        }
    }
    /// [`Txn::claim`] for each of the keys in their order.
    pub fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()> {
        match &self.place {
            _ if self.has_private(keys, |t| t) => {
                let mut value = Vec::new();
                for (tree, key, _) in keys.iter() {
                    let latest = self.claim(tree, key, mode, &mut value)?;
                    out.push(latest, &[], &value);
                    if until == Until::Taken && latest.exists {
                        break;
                    }
                }
                Ok(())
            }
            Place::Local(t) => t.claim_many(keys, mode, until, out),
            Place::Far(t) => t.claim_many(keys, mode, until, out),
        }
    }
    /// Claims each of the keys as it is wanted, in their order, up to the first that is not as it was thought to be.
    pub fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()> {
        match &self.place {
            _ if self.has_private(wants, |w| w.0) => {
                let mut value = Vec::new();
                for ((tree, want), key, _) in wants.iter() {
                    let met = match want.lock {
                        Some(mode) => (mode, self.claim(tree, key, mode, &mut value)?),
                        None => self.meet(tree, key, &mut value)?,
                    };
                    out.push(met, &[], &value);
                    if want.there.is_some_and(|there| there != met.1.exists) {
                        break;
                    }
                }
                Ok(())
            }
            Place::Local(t) => t.claim_each(wants, out),
            Place::Far(t) => t.claim_each(wants, out),
        }
    }
    /// All of them in their order.
    pub fn write_many(&self, writes: &Writes) -> Result<()> {
        match &self.place {
            _ if self.has_private(writes, |w| w.0) => {
                writes.iter().try_for_each(|((tree, what), key, value)| match what {
                    Write::Put => self.put(tree, key, value),
                    Write::Delete => self.delete(tree, key),
                    Write::Move => self.delete_moved(tree, key, value),
                })
            }
            Place::Local(t) => t.write_many(writes),
            Place::Far(t) => t.write_many(writes),
        }
    }
    /// So many ids at once, in rising order.
    pub fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()> {
        match &self.place {
            _ if is_private(space) => (0..n).try_for_each(|_| self.next_id(space).map(|id| out.push(id))),
            Place::Local(t) => t.next_ids(space, n, out),
            Place::Far(t) => t.next_ids(space, n, out),
        }
    }
    /// The tables that it keeps from being changed, if it has only read, each statement for itself, and told nobody its number: then nothing of it is missed if another goes on in its place that holds the same. None: it holds more.
    pub fn tables_read(&self) -> Option<Vec<u64>> {
        match &self.place {
            _ if self.has_private_writes() => None,
            Place::Local(t) => t.tables_read(),
            Place::Far(t) => t.tables_read(),
        }
    }
    pub fn savepoint(&self) -> SavepointId {
        let id = match &self.place {
            Place::Local(t) => t.savepoint(),
            Place::Far(t) => t.savepoint(),
        };
        if let Some(own) = self.own.get() {
            own.savepoint(id);
        }
        id
    }
    /// Drops writes and locks made since. The savepoint itself stays, as in SQL.
    pub fn rollback_to(&self, sp: SavepointId) {
        match &self.place {
            Place::Local(t) => t.rollback_to(sp),
            Place::Far(t) => t.rollback_to(sp),
        }
        if let Some(own) = self.own.get() {
            own.rollback_to(sp);
        }
    }
    pub fn release(&self, sp: SavepointId) {
        match &self.place {
            Place::Local(t) => t.release(sp),
            Place::Far(t) => t.release(sp),
        }
        if let Some(own) = self.own.get() {
            own.release(sp);
        }
    }
}
#[cold]
fn no_own() -> Error {
    Error::internal("a transaction without the session's own data")
}

#[cold]
fn foreign() -> Error {
    Error::internal("a scan of another transaction")
}

/// A range scan's state. Entries are borrowed until the next call.
pub struct Scan(ScanPlace);
#[allow(clippy::large_enum_variant)] // Nearly all are local.
enum ScanPlace {
    Local(LocalScan),
    Far(Box<Ahead>),
    Private(Box<PrivateScan>),
}
/// A far scan: entries that were read ahead.
struct Ahead {
    tree: TreeId,
    dir: Dir,
    /// None: what was read ahead is all.
    state: Option<ScanState>,
    entries: Entries,
    at: usize,
    /// Entries to ask for next.
    most: usize,
}
impl Ahead {
    fn open(txn: &Near, range: ScanRange) -> Result<Scan> {
        let ScanRange { tree, dir, .. } = range;
        let mut ahead = Ahead { tree, dir, state: None, entries: Entries::default(), at: 0, most: SCAN_FIRST };
        ahead.start(txn, range)?;
        Ok(Scan(ScanPlace::Far(Box::new(ahead))))
    }
    fn start(&mut self, txn: &Near, range: ScanRange) -> Result<()> {
        (self.at, self.most, self.state) = (0, SCAN_FIRST, None);
        self.entries.clear();
        let ScanRange { snap, tree, lo, hi, dir } = range;
        if txn.at_hand(snap, tree, lo, hi, dir, &mut self.entries)? {
            if snap.is_none() {
                txn.hand_out(tree, lo);
            }
            return Ok(());
        }
        self.state = txn.scan_open(range, self.most, &mut self.entries)?;
        Ok(())
    }
    /// The place of the next entry.
    fn advance(&mut self, txn: &Near) -> Result<Option<usize>> {
        while self.at == self.entries.len() {
            let Some(state) = &mut self.state else { return Ok(None) };
            self.most = (2 * self.most).min(SCAN_MOST);
            self.at = 0;
            self.entries.clear();
            if !txn.scan_more(state, self.most, &mut self.entries)? {
                self.state = None;
            }
        }
        self.at += 1;
        Ok(Some(self.at - 1))
    }
    fn pass(&mut self, max: u64, txn: &Near) -> Result<u64> {
        let here = max.min((self.entries.len() - self.at) as u64);
        self.at += here as usize;
        match &mut self.state {
            Some(state) if here < max => Ok(here + txn.scan_pass(state, max - here)?),
            _ => Ok(here),
        }
    }
}
impl Scan {
    #[inline]
    fn local(s: LocalScan) -> Scan {
        Scan(ScanPlace::Local(s))
    }
    fn private(s: PrivateScan) -> Scan {
        Scan(ScanPlace::Private(Box::new(s)))
    }
    /// The next entry in the scan's direction.
    #[inline]
    pub fn next(&mut self, txn: &Txn) -> Result<Option<(&[u8], &[u8])>> {
        match (&mut self.0, &txn.place) {
            (ScanPlace::Local(s), Place::Local(t)) => s.next(t),
            (ScanPlace::Far(s), Place::Far(t)) => {
                let at = s.advance(t)?;
                Ok(at.and_then(|i| s.entries.get(i)).map(|(_, k, v)| (k, v)))
            }
            (ScanPlace::Private(s), _) => s.next_entry(),
            _ => Err(foreign()),
        }
    }
    /// The next entry's value, for those who do not ask for its key.
    #[inline]
    pub fn next_value(&mut self, txn: &Txn) -> Result<Option<&[u8]>> {
        match (&mut self.0, &txn.place) {
            (ScanPlace::Local(s), Place::Local(t)) => s.next_value(t),
            (ScanPlace::Far(s), Place::Far(t)) => {
                let at = s.advance(t)?;
                Ok(at.and_then(|i| s.entries.get(i)).map(|e| e.2))
            }
            (ScanPlace::Private(s), _) => Ok(s.next_entry()?.map(|e| e.1)),
            _ => Err(foreign()),
        }
    }
    /// Passes over up to `max` entries; says over how many. It is less only at the end.
    pub fn pass(&mut self, max: u64, txn: &Txn) -> Result<u64> {
        match (&mut self.0, &txn.place) {
            (ScanPlace::Local(s), Place::Local(t)) => s.pass(max, t),
            (ScanPlace::Far(s), Place::Far(t)) => s.pass(max, t),
            (ScanPlace::Private(s), _) => s.pass(max),
            _ => Err(foreign()),
        }
    }
}

/// Whose data a session's reads are answered from (`pamir.read_from`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadFrom {
    #[default]
    Leader,
    /// This node's replica, which is waited for until it is fresh enough.
    Follower,
    /// This node's replica if it is fresh enough, else the leader.
    Nearest,
}
/// What a read at this node's replica must see.
#[derive(Clone, Copy, Debug)]
pub struct ReadAt {
    pub from: ReadFrom,
    /// All that anybody was told so long before it began,
    pub max_staleness: Duration,
    /// ... or before this moment, if that is later;
    pub not_before: Option<Instant>,
    /// and this commit.
    pub not_below: Ts,
    /// When it has waited long enough.
    pub deadline: Option<Instant>,
    /// It has read here before and may not go elsewhere.
    pub stays: bool,
}

/// What SQL asks without a transaction: how large trees are, counters that are not undone, prepared transactions, what is told of the whole.
pub trait Engine: Send + Sync {
    /// `cancel` is the session's.
    fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn;
    /// One that reads what this node has, without asking another: of a replica, a beginning of its group's log.
    fn begin_here(&self, cancel: Arc<Cancel>) -> Txn {
        self.begin(Isolation::ReadCommitted, true, cancel)
    }
    /// One that reads at this node's replica through one snapshot, which is taken already, and its timestamp. It takes no locks, and there are none to be taken for it. None: it is to begin as any
    /// other. 57P03 where the replica does not get fresh enough.
    fn begin_at_replica(&self, _at: &ReadAt, _cancel: &Arc<Cancel>) -> Result<Option<(Txn, Ts)>> {
        Ok(None)
    }

    /// Estimated entries of a whole tree.
    fn entries(&self, tree: TreeId) -> Result<u64>;
    /// Estimated entries in [lo, hi).
    fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64>;
    /// (leaf pages, height); (0, 0) for a tree that is not committed yet.
    fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)>;
    /// The leaf at a place of the tree, 0 to 1: its entries, and its first key.
    fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize>;
    /// Pages that memory has room for.
    fn cache_pages(&self) -> u64;
    /// As [`Txn::page_counts`].
    fn page_counts(&self) -> (u64, u64);
    /// Up to which byte of the log everything is on disk; None: it has no log of its own.
    fn log_durable(&self) -> Option<u64> {
        None
    }

    /// A never used 64-bit id from a durable counter (hidden row ids, object ids by `space`).
    fn next_id(&self, space: u64) -> Result<u64>;
    fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64>;
    /// So many values, fewer where the sequence ends.
    fn seq_next_many(&self, seq: u64, def: &SequenceDef, n: usize, out: &mut Vec<i64>) -> Result<()> {
        for _ in 0..n {
            match self.seq_next(seq, def) {
                Ok(v) => out.push(v),
                Err(e) if out.is_empty() => return Err(e),
                Err(_) => break,
            }
        }
        Ok(())
    }
    fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()>;
    /// (last value, is_called); None: never used.
    fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>>;

    /// Prepared transactions, everybody's.
    fn prepared(&self) -> Result<Vec<PreparedInfo>>;
    fn commit_prepared(&self, gid: &str) -> Result<Ts>;
    fn rollback_prepared(&self, gid: &str) -> Result<()>;

    /// What became of a transaction, as far as it is known. An error: whoever knows cannot be asked now.
    fn outcome(&self, id: u64) -> Result<Outcome>;

    /// For a session that takes locks beyond its transactions.
    fn session_locks(&self) -> SessionLocks;
    /// Table locks and requests that wait (pg_locks).
    fn locks(&self) -> Vec<LockLine>;
    /// Processes that wait for a lock.
    fn waiting_processes(&self) -> Vec<(u32, LockTarget)>;

    /// Of a replica: the newest commit that changed the catalog's tree, whoever's it was; known before a snapshot can see it. None: only sessions of this process change it, and they publish it.
    fn catalog_ts(&self) -> Option<Ts> {
        None
    }
    /// Waits until this node knows of every change of the catalog that was committed, at whatever node, before the call.
    fn await_newest_catalog(&self) -> Result<()> {
        Ok(())
    }
    /// What the nodes of this group agree to write for each other, as this node knows it: never more than what they do. An object that came with a later format is refused until then. Of a single
    /// node all that its build writes.
    fn format(&self) -> u64 {
        u64::MAX
    }
    /// `listener` hears of what is put into [`MESSAGE_TREE`](crate::MESSAGE_TREE), at whatever node, as this one comes to it.
    fn listen(&self, listener: crate::Listener);
    /// Runs a checkpoint now and waits for it.
    fn checkpoint(&self) -> Result<()>;
    /// Set when nothing is acknowledged any more and the process must stop.
    fn failure(&self) -> Option<Error>;
    /// name, value pairs for /metrics.
    fn stats(&self) -> Vec<(&'static str, u64)>;
    fn memory(&self) -> Arc<MemoryAccount>;
    /// Where temporary files go.
    fn disk(&self) -> Arc<dyn Disk>;
    /// The clock, chance and processors of all that stands on this engine.
    fn platform(&self) -> &Arc<dyn Platform>;
}

impl Engine for Shard {
    fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn {
        Shard::begin(self, iso, read_only, cancel).into()
    }
    fn entries(&self, tree: TreeId) -> Result<u64> {
        Shard::entries(self, tree)
    }
    fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        Shard::estimate(self, tree, lo, hi)
    }
    fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        Shard::tree_size(self, tree)
    }
    fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        Shard::leaf_at(self, tree, place, key)
    }
    fn cache_pages(&self) -> u64 {
        self.store().cache_pages()
    }
    fn log_durable(&self) -> Option<u64> {
        Shard::log_durable(self).ok()
    }
    fn page_counts(&self) -> (u64, u64) {
        self.store().page_counts()
    }
    fn listen(&self, listener: crate::Listener) {
        Shard::listen(self, listener)
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        Shard::next_id(self, space)
    }
    fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> {
        Shard::seq_next(self, seq, def)
    }
    fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> {
        Shard::seq_set(self, seq, last, is_called)
    }
    fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> {
        Shard::seq_read(self, seq)
    }
    fn prepared(&self) -> Result<Vec<PreparedInfo>> {
        Ok(Shard::prepared(self))
    }
    fn commit_prepared(&self, gid: &str) -> Result<Ts> {
        Shard::commit_prepared(self, gid)
    }
    fn rollback_prepared(&self, gid: &str) -> Result<()> {
        Shard::rollback_prepared(self, gid)
    }
    fn outcome(&self, id: u64) -> Result<Outcome> {
        Shard::outcome(self, id).map(|o| o.0)
    }
    fn session_locks(&self) -> SessionLocks {
        Shard::session_locks(self)
    }
    fn locks(&self) -> Vec<LockLine> {
        Shard::locks(self)
    }
    fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        Shard::waiting_processes(self)
    }
    fn catalog_ts(&self) -> Option<Ts> {
        self.is_replica().then(|| Shard::catalog_ts(self))
    }
    fn checkpoint(&self) -> Result<()> {
        Shard::checkpoint(self)
    }
    fn failure(&self) -> Option<Error> {
        Shard::failure(self)
    }
    fn stats(&self) -> Vec<(&'static str, u64)> {
        Shard::stats(self)
    }
    fn memory(&self) -> Arc<MemoryAccount> {
        Shard::memory(self)
    }
    fn disk(&self) -> Arc<dyn Disk> {
        self.store().disk().clone()
    }
    fn platform(&self) -> &Arc<dyn Platform> {
        Shard::platform(self)
    }
}

const _: fn() = || {
    fn movable<T: Send>() {}
    movable::<Txn>();
    movable::<Scan>();
};
