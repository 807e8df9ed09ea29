//! The near side: an engine whose transactions are at the leader, and what one of them knows here.
//!
//! ```text
//!   RemoteEngine ── this replica's shard: sizes, statistics, what every replica can say
//!      │    └────── Guide: who leads, the line there, what is applied here
//!      └ begin ──► RemoteTxn: id, tie, writes (as of the last answer), savepoints, callbacks
//!                    └── Shared: notes that wait for the next message, its number      ◄── snapshots, scans: what is dropped is noted
//! ```
//! Invariants: `Shared` is locked while a message is numbered and, if it is a note, sent: messages leave in the order of their numbers. Nobody but the transaction itself sends while one of its calls is under way.
//! What was noted and never sent is forgotten in pairs (a statement whose snapshot is dropped, a savepoint that is released), so notes are bounded by what is open.
//!
//! A call that was given up has been sent: the transaction goes on from there, as one whose statement failed must, by its end or a savepoint. What it left at the host (a scan, a session's lock) is noted to be dropped.
use super::follower;
use super::guide::Guide;
use super::line::{self, Line};
use super::wire::{self, Ask, Call, Items, Note, State};
use crate::codec::Reader;
use pamir_error::error::state;
use pamir_error::{Error, Result, SqlState, err};
use pamir_storage::disk::Disk;
use pamir_storage::platform::Platform;
use pamir_storage::store::{Dir, TreeId};
use pamir_storage::task;
use pamir_txn::face::{
    BATCH_KEYS, Batch, Claims, Engine, Entries, Keys, Met, RangeEntries, Ranges, ScanRange, ScanState, Transaction,
    Txn, Until, Values, Wants, Write, Writes,
};
use pamir_txn::{
    Cancel, FarLocks, FarSnapshot, Isolation, Latest, LockLine, LockOutcome, LockTarget, MemoryAccount, Outcome,
    PreparedInfo, ReadAt, RowLock, SavepointId, SequenceDef, SessionLocks, Shard, Snapshot, TableLock, Ts, WaitPolicy,
    Xids,
};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The cluster's format from which on table locks go with the first call.
const LOCKS_AHEAD: u64 = 3;
/// The cluster's format from which on a host is asked for numbers.
const NUMBERS: u64 = 10;
/// How long a first call waits for a leader.
pub const LEADER_WAIT: Duration = Duration::from_secs(10);
/// Between two attempts of a first call.
const AGAIN_PAUSE: Duration = Duration::from_millis(10);
/// How long a node asks for the outcome of a commit whose answer was lost, before it says that it does not know.
pub const FATE_WAIT: Duration = Duration::from_secs(10);
/// Between two questions.
const FATE_PAUSE: Duration = Duration::from_millis(10);
/// How long the host is given to free a session's lock; it is lost with the line otherwise.
const UNLOCK_WAIT: Duration = Duration::from_secs(10);

const UNKNOWN: SqlState = pamir_error::error::state::TRANSACTION_RESOLUTION_UNKNOWN;
/// What runs when a commit is visible, with its timestamp.
type Callback = Box<dyn FnOnce(Ts) + Send>;

#[cold]
fn no_leader() -> Error {
    err!(CANNOT_CONNECT_NOW, "no node leads at present")
        .hint("Retry after a majority of the nodes has elected a leader.")
}
#[cold]
fn gone() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because the connection to the leader was lost")
        .hint("Retry the transaction.")
        .of_lost_leader()
}
#[cold]
fn outdated() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because a definition changed when it began")
        .hint("Retry the transaction.")
        .of_lost_leader()
}
/// What was asked of this node's shard because it led, and got no place because it does so no longer.
fn led<T>(r: Result<T>) -> Result<T> {
    r.map_err(|e| if e.code() == state::READ_ONLY_SQL_TRANSACTION { gone() } else { e })
}
#[cold]
fn unknown(what: &str, of: String) -> Error {
    err!(TRANSACTION_RESOLUTION_UNKNOWN, "the connection to the leader was lost during {what}").detail(of)
}
#[cold]
fn timed_out() -> Error {
    err!(QUERY_CANCELED, "canceling statement due to statement timeout")
}

struct Inner {
    shard: Arc<Shard>,
    guide: Arc<dyn Guide>,
    /// Numbers of transactions and of sessions' locks.
    next: AtomicU64,
    /// Those that are known to a host.
    open: Mutex<FxHashMap<u64, Weak<Shared>>>,
    /// Callbacks of transactions that were prepared here.
    prepared: Mutex<FxHashMap<String, Vec<Callback>>>,
    at_replica: follower::Counts,
}

/// An engine whose data is at the leader, wherever that is.
pub struct RemoteEngine(Arc<Inner>);

impl RemoteEngine {
    pub fn new(shard: Arc<Shard>, guide: Arc<dyn Guide>) -> Result<RemoteEngine> {
        let next = AtomicU64::new(line::first_number(&**shard.platform())?);
        let (open, prepared, at_replica) = Default::default();
        let inner = Inner { shard, guide, next, open, prepared, at_replica };
        Ok(RemoteEngine(Arc::new(inner)))
    }
    /// Tells the hosts of transactions that are idle which snapshots and scans they read through no more. To be called about once a second.
    pub fn tell_idle(&self) {
        let all: Vec<Arc<Shared>> = self.0.open.lock().values().filter_map(Weak::upgrade).collect();
        for s in all {
            let mut p = s.0.lock();
            let has_dropped = !p.drops.is_empty() || !p.scans.is_empty();
            if has_dropped && !p.busy {
                p.tell(Call::Nothing, None);
            }
        }
    }
    /// Transactions that a host knows of.
    pub fn open_transactions(&self) -> usize {
        self.0.open.lock().len()
    }
    fn ask(&self, ask: &Ask) -> Result<Vec<u8>> {
        let line = self.0.leader(None, &Cancel::default())?;
        line.call(ask.encode(), None, &Cancel::default())
    }
    /// Asks what may be asked again.
    fn ask_for<R>(&self, ask: &Ask, read: impl FnOnce(&mut Reader) -> Result<R>) -> Result<R> {
        let answer = self.ask(ask).map_err(|e| if line::is_lost(&e) { gone() } else { e })?;
        result(&answer, read)
    }
    /// Asks for something that changes data.
    fn ask_once<R>(&self, what: &str, ask: &Ask, read: impl FnOnce(&mut Reader) -> Result<R>) -> Result<R> {
        let of = || format!("{ask:?}");
        let answer = self.ask(ask).map_err(|e| if line::is_lost(&e) { unknown(what, of()) } else { e })?;
        result(&answer, read)
    }
}
fn result<R>(answer: &[u8], read: impl FnOnce(&mut Reader) -> Result<R>) -> Result<R> {
    let (_, r) = wire::read_answer(answer)?;
    let mut r = r?;
    let got = read(&mut r)?;
    r.end()?;
    Ok(got)
}
impl Inner {
    fn leader(&self, deadline: Option<Instant>, cancel: &Cancel) -> Result<Arc<dyn Line>> {
        let at_most = task::now() + LEADER_WAIT;
        let until = deadline.map_or(at_most, |d| d.min(at_most));
        let leader = self.guide.leader(until, cancel)?;
        leader.ok_or_else(|| if deadline.is_some_and(|d| task::now() >= d) { timed_out() } else { no_leader() })
    }
    /// What became of a transaction whose commit was asked for and not answered, with a timestamp whose snapshots see it; None: nobody could say until now.
    fn fate(&self, id: u64, deadline: Option<Instant>, cancel: &Cancel) -> Option<(Outcome, Ts)> {
        let at_most = task::now() + FATE_WAIT;
        let until = deadline.map_or(at_most, |d| d.min(at_most));
        if id == 0 {
            return None;
        }
        loop {
            let line = self.guide.leader(until, cancel).ok()??;
            match ask_outcome(&*line, id, Some(until), cancel) {
                Ok((Outcome::InProgress, _)) | Err(_) => {}
                Ok((Outcome::Unknown, _)) => return None,
                Ok(told) => return Some(told),
            }
            if task::now() >= until || cancel.check().is_err() {
                return None;
            }
            task::sleep(FATE_PAUSE, |w| {
                cancel.register(w);
                cancel.pending()
            });
        }
    }
    fn await_newest_catalog(&self) -> Result<()> {
        if self.guide.leads() {
            return Ok(());
        }
        let line = self.leader(None, &Cancel::default())?;
        let answer = line.call(Ask::Catalog.encode(), None, &Cancel::default());
        let answer = answer.map_err(|e| if line::is_lost(&e) { gone() } else { e })?;
        self.guide.await_catalog(result(&answer, |r| r.varint())?)
    }
    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

fn ask_outcome(line: &dyn Line, id: u64, until: Option<Instant>, cancel: &Cancel) -> Result<(Outcome, Ts)> {
    let answer = line.call(Ask::Outcome { txn: id }.encode(), until, cancel)?;
    result(&answer, |r| Ok((wire::fate(r)?, r.varint()?)))
}

// ---- what waits for the next message ----
struct Shared(Mutex<Pending>);
struct Pending {
    number: u64,
    /// The next message's.
    seq: u64,
    /// Where its messages go, from the first one on.
    line: Option<Arc<dyn Line>>,
    isolation: Isolation,
    read_only: bool,
    /// What the session has read at this node's replica; 0: nothing.
    not_below: Ts,
    /// A call is under way.
    busy: bool,
    process: Option<u32>,
    /// lock_timeout and deadline, and whether the host knows them.
    limits: (Option<Duration>, Option<Instant>),
    limits_told: bool,
    join: Option<(u64, Arc<dyn Line>)>,
    /// Table locks that the first message asks for, and how much of the log this node's catalog had then.
    locks: Vec<(u64, TableLock, Ts)>,
    expect: Option<(u64, u64)>,
    /// Statements that the host has not heard of, with snapshots that somebody holds.
    statements: Vec<(u32, Weak<FarPin>)>,
    /// Statements whose timestamps are to come.
    told: Vec<(u32, Weak<FarPin>)>,
    drops: Vec<u32>,
    scans: Vec<u32>,
    savepoints: Vec<SavepointId>,
    releases: Vec<SavepointId>,
    /// What the first message took along: its process, savepoints, expected writes.
    first: (Option<u32>, Vec<SavepointId>, Option<(u64, u64)>),
}
impl Pending {
    fn message(&mut self, call: u8, last: Option<Note>) -> Vec<u8> {
        if self.seq == 0 {
            self.first = (self.process, self.savepoints.clone(), self.expect);
        }
        let mut out = Vec::with_capacity(64);
        wire::put_head(&mut out, call, self.number, self.seq);
        let mut notes = Vec::new();
        let mut n = 0u64;
        let mut note = |of: Note| {
            of.put(&mut notes);
            n += 1;
        };
        if self.seq == 0 {
            note(Note::Begin { isolation: self.isolation, read_only: self.read_only });
            if self.not_below > 0 {
                note(Note::NotBelow(self.not_below));
            }
        }
        if let Some(pid) = self.process.take() {
            note(Note::Process(pid));
        }
        if let Some((locks, line)) = self.join.take()
            && self.line.as_ref().is_some_and(|l| Arc::ptr_eq(l, &line))
        {
            note(Note::Join(locks));
        }
        if !std::mem::replace(&mut self.limits_told, true) {
            let (lock_timeout, deadline) = self.limits;
            let rest = deadline.map(|d| d.saturating_duration_since(task::now()));
            note(Note::Limits { lock_timeout, rest });
        }
        self.scans.drain(..).for_each(|s| note(Note::DropScan(s)));
        self.drops.drain(..).for_each(|s| note(Note::DropSnapshot(s)));
        self.releases.drain(..).for_each(|s| note(Note::Release(s)));
        if let Some(last) = last {
            note(last);
        }
        self.savepoints.drain(..).for_each(|s| note(Note::Savepoint(s)));
        if self.seq == 0 {
            self.locks.iter().for_each(|&(table, mode, catalog)| note(Note::LockTable { table, mode, catalog }));
        }
        for (s, pin) in self.statements.drain(..) {
            note(Note::Statement(s));
            self.told.push((s, pin));
        }
        if let Some((writes, bytes)) = self.expect.take() {
            note(Note::ExpectWrites { writes, bytes });
        }
        crate::codec::put_varint(&mut out, n);
        out.extend_from_slice(&notes);
        self.seq += 1;
        out
    }
    /// The first message found no leader: all is as it was before, for a host that has not heard of it.
    fn rewind(&mut self, number: u64) {
        (self.number, self.seq, self.line, self.join) = (number, 0, None, None);
        (self.process, self.savepoints, self.expect) = std::mem::take(&mut self.first);
        self.limits_told = self.limits == (None, None);
        self.statements = std::mem::take(&mut self.told);
        self.statements.retain(|s| s.1.strong_count() > 0);
        self.drops.clear();
        self.scans.clear();
    }
    /// Sends what waits, and `last`, without an answer; nothing if the host knows nothing of this transaction.
    fn tell(&mut self, call: Call, last: Option<Note>) {
        let Some(line) = self.line.clone() else { return };
        let m = self.message(call.number(), last);
        line.tell(m);
    }
}

/// A statement's snapshot at the host.
struct FarPin {
    statement: u32,
    ts: AtomicU64,
    of: Arc<Shared>,
}
impl FarSnapshot for FarPin {
    fn ts(&self) -> Ts {
        self.ts.load(Ordering::Relaxed)
    }
}
impl Drop for FarPin {
    fn drop(&mut self) {
        let mut p = self.of.0.lock();
        match p.statements.iter().position(|s| s.0 == self.statement) {
            Some(unsent) => drop(p.statements.remove(unsent)),
            None => p.drops.push(self.statement),
        }
    }
}
/// A scan at the host.
struct FarScan {
    scan: u32,
    /// The host may have it.
    open: bool,
    of: Arc<Shared>,
}
impl Drop for FarScan {
    fn drop(&mut self) {
        if self.open {
            self.of.0.lock().scans.push(self.scan);
        }
    }
}

// ---- a transaction ----
struct Savepoint {
    id: SavepointId,
    callbacks: usize,
    has_writes: bool,
}
/// A transaction at the leader.
pub struct RemoteTxn {
    inner: Arc<Inner>,
    shared: Arc<Shared>,
    number: Cell<u64>,
    isolation: Isolation,
    read_only: bool,
    cancel: Arc<Cancel>,
    deadline: Cell<Option<Instant>>,
    /// As of the last answer.
    id: Cell<u64>,
    tied: Cell<bool>,
    has_writes: Cell<bool>,
    /// The host knows it, or may.
    begun: Cell<bool>,
    /// It is over at the host, with its line; so it ends with an error.
    broken: Cell<bool>,
    /// It has ended.
    over: Cell<bool>,
    /// It holds more there than what keeps tables from being changed, or somebody knows its number.
    holds: Cell<bool>,
    /// Somebody keeps its number.
    number_told: Cell<bool>,
    /// The tables that it keeps from being changed.
    tables: RefCell<Vec<u64>>,
    statement: Cell<u32>,
    /// The newest snapshot's timestamp that was told.
    newest: Cell<Ts>,
    next_savepoint: Cell<SavepointId>,
    next_scan: Cell<u32>,
    savepoints: RefCell<Vec<Savepoint>>,
    callbacks: RefCell<Vec<Callback>>,
}

impl RemoteTxn {
    fn new(inner: &Arc<Inner>, isolation: Isolation, read_only: bool, cancel: Arc<Cancel>) -> RemoteTxn {
        let number = inner.number();
        let shared = Shared(Mutex::new(Pending {
            number,
            seq: 0,
            line: None,
            isolation,
            read_only,
            not_below: 0,
            busy: false,
            process: None,
            limits: (None, None),
            limits_told: true,
            join: None,
            locks: Vec::new(),
            expect: None,
            statements: Vec::new(),
            told: Vec::new(),
            drops: Vec::new(),
            scans: Vec::new(),
            savepoints: Vec::new(),
            releases: Vec::new(),
            first: Default::default(),
        }));
        RemoteTxn {
            inner: inner.clone(),
            shared: Arc::new(shared),
            number: Cell::new(number),
            isolation,
            read_only,
            cancel,
            deadline: Cell::new(None),
            id: Cell::new(0),
            tied: Cell::new(false),
            has_writes: Cell::new(false),
            begun: Cell::new(false),
            broken: Cell::new(false),
            over: Cell::new(false),
            holds: Cell::new(false),
            number_told: Cell::new(false),
            tables: RefCell::default(),
            statement: Cell::new(0),
            newest: Cell::new(0),
            next_savepoint: Cell::new(1),
            next_scan: Cell::new(1),
            savepoints: RefCell::default(),
            callbacks: RefCell::default(),
        }
    }
    /// The line that its messages take, for good.
    fn line(&self) -> Result<Arc<dyn Line>> {
        if let Some(l) = &self.shared.0.lock().line {
            return Ok(l.clone());
        }
        let line = self.inner.leader(self.deadline.get(), &self.cancel)?;
        self.shared.0.lock().line = Some(line.clone());
        self.begun.set(true);
        self.inner.open.lock().insert(self.number.get(), Arc::downgrade(&self.shared));
        Ok(line)
    }
    /// Makes a call that listens to the session's cancel and deadline.
    fn call<R>(&self, call: &Call, read: impl FnOnce(&mut Reader) -> Result<R>) -> Result<R> {
        self.call_until(call, self.deadline.get(), &self.cancel, read)
    }
    fn call_until<R>(
        &self,
        call: &Call,
        until: Option<Instant>,
        cancel: &Cancel,
        read: impl FnOnce(&mut Reader) -> Result<R>,
    ) -> Result<R> {
        if call.holds() {
            self.holds.set(true);
        }
        let give_up = task::now() + LEADER_WAIT;
        let give_up = until.map_or(give_up, |u| u.min(give_up));
        let answered = loop {
            if self.broken.get() {
                return Err(gone());
            }
            let line = self.line()?;
            let (request, first) = {
                let mut p = self.shared.0.lock();
                p.busy = true;
                let first = p.seq == 0;
                let mut out = p.message(call.number(), None);
                call.put(&mut out);
                (out, first)
            };
            let answered = line.call(request, until, cancel);
            self.shared.0.lock().busy = false;
            if first && is_outdated(&answered) {
                // The host has ended it.
                self.broken.set(true);
                let _ = self.inner.await_newest_catalog();
                return Err(outdated());
            }
            if !(first && is_homeless(call, &answered) && task::now() < give_up) {
                break answered;
            }
            // Nobody knows of it: it begins with whoever leads next.
            self.begin_again();
            task::sleep(AGAIN_PAUSE, |w| {
                cancel.register(w);
                cancel.pending()
            });
            cancel.check()?;
        };
        let answer = answered.map_err(|e| self.not_answered(e))?;
        let (state, r) = wire::read_answer(&answer)?;
        self.learn(state);
        let mut r = r?;
        let got = read(&mut r)?;
        r.end()?;
        Ok(got)
    }
    #[cold]
    fn begin_again(&self) {
        self.inner.open.lock().remove(&self.number.get());
        self.begun.set(false);
        self.number.set(self.inner.number());
        self.shared.0.lock().rewind(self.number.get());
    }
    #[cold]
    fn not_answered(&self, e: Error) -> Error {
        use pamir_error::error::state::{OUT_OF_MEMORY, TOO_MANY_CONNECTIONS};
        if line::is_lost(&e) {
            self.broken.set(true);
            return gone();
        }
        // It was not sent: the host misses a message.
        if [OUT_OF_MEMORY, TOO_MANY_CONNECTIONS].contains(&e.code()) {
            self.broken.set(true);
        }
        e
    }
    fn learn(&self, state: State) {
        self.tied.set(state.tied);
        self.has_writes.set(state.has_writes);
        self.inner.shard.store().count_pages(state.pages);
        if state.id != 0 {
            self.id.set(state.id);
        }
        if state.snapshots.is_empty() {
            return;
        }
        let mut p = self.shared.0.lock();
        for (statement, ts) in state.snapshots {
            self.newest.set(self.newest.get().max(ts));
            let Some(at) = p.told.iter().position(|t| t.0 == statement) else { continue };
            let (_, pin) = p.told.swap_remove(at);
            // Dropped outside of the lock, if it is the last one.
            let pin = pin.upgrade();
            if let Some(pin) = &pin {
                pin.ts.store(ts, Ordering::Relaxed);
            }
            parking_lot::MutexGuard::unlocked(&mut p, || drop(pin));
        }
        p.told.retain(|t| t.1.strong_count() > 0);
    }
    fn nothing(&self, call: &Call) -> Result<()> {
        self.call(call, |_| Ok(()))
    }
    /// A call that writes, if it comes so far.
    fn write(&self, writes: Items<(TreeId, Write)>) -> Result<()> {
        let r = self.nothing(&Call::WriteMany(writes));
        if r.is_err() {
            self.has_writes.set(true);
        }
        r
    }
    fn write_one(&self, tree: TreeId, what: Write, key: &[u8], value: &[u8]) -> Result<()> {
        let mut one = Writes::default();
        one.push((tree, what), key, value);
        self.write((&one).into())
    }
    fn run_callbacks(&self, ts: Ts) {
        self.callbacks.take().into_iter().for_each(|f| f(ts));
    }
    /// The host knows of it no more.
    fn end(&self) {
        self.over.set(true);
        if self.begun.get() {
            self.inner.open.lock().remove(&self.number.get());
        }
    }
    /// The end of a call that ends the transaction, as `want` has it: where its answer was lost, whoever leads next is asked.
    fn ended(&self, what: &str, want: Outcome, r: Result<Ts>) -> Result<Ts> {
        match r {
            // 08007: the leader itself does not know, because it ends.
            Err(e) if e.code() == UNKNOWN || self.broken.get() && e.is_of_lost_leader() => {
                let id = self.id.get();
                match self.inner.fate(id, self.deadline.get(), &self.cancel) {
                    Some((o, ts)) if o == want || o == Outcome::Committed => Ok(ts),
                    Some((Outcome::Aborted, _)) => Err(gone()),
                    _ => Err(unknown(what, format!("Transaction {id} may be committed or rolled back."))
                        .hint(format!("SELECT pamir_catalog.transaction_outcome({id}) says what became of it."))),
                }
            }
            r => r,
        }
    }
}
/// Is a first call refused because the definitions have changed that it was made for?
fn is_outdated(answered: &Result<Vec<u8>>) -> bool {
    let Ok(answer) = answered else { return false };
    matches!(wire::read_answer(answer), Ok((_, Err(e))) if e.code() == wire::OUTDATED)
}
/// Has a first call met nobody who leads? Then it may be made again, unless its outcome would stay, or it is about what was held there.
fn is_homeless(call: &Call, answered: &Result<Vec<u8>>) -> bool {
    let stays = matches!(call, Call::Commit | Call::Prepare { .. } | Call::LockForSession { .. });
    let homeless = match answered {
        Err(e) => line::is_lost(e),
        Ok(a) => match wire::read_answer(a) {
            // A host that has a transaction says its number.
            Ok((State { id: 0, .. }, Err(e))) => e.code() == pamir_error::error::state::SERIALIZATION_FAILURE,
            _ => false,
        },
    };
    homeless && !stays
}
fn value(r: &mut Reader, out: &mut Vec<u8>) -> Result<()> {
    out.clear();
    out.extend_from_slice(r.bytes()?);
    Ok(())
}
fn entries(r: &mut Reader, out: &mut Entries) -> Result<bool> {
    let more = r.u8()? != 0;
    wire::each(r, |r| {
        let key = r.bytes()?;
        out.push((), key, r.bytes()?);
        Ok(())
    })?;
    Ok(more)
}
fn snap_of(snap: Option<&Snapshot>) -> Option<u32> {
    snap.map(Snapshot::statement)
}
fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
impl Drop for RemoteTxn {
    fn drop(&mut self) {
        if self.over.get() {
            return;
        }
        // Of a broken one the host may not know that it is.
        if self.begun.get() {
            self.shared.0.lock().tell(Call::End, None);
        }
        self.end();
    }
}

impl Transaction for RemoteTxn {
    fn id(&self) -> u64 {
        self.holds.set(true);
        if self.id.get() == 0 {
            // Who asks for the number of one that has done nothing has it begin; 0 where that is not possible.
            let _ = self.nothing(&Call::Nothing);
        }
        self.id.get()
    }
    fn tell(&self) -> Result<u64> {
        if self.inner.guide.format() < NUMBERS {
            return Ok(self.id());
        }
        let number = self.call(&Call::Tell, |r| r.varint())?;
        self.number_told.set(true);
        Ok(number)
    }
    fn is_told(&self) -> bool {
        self.number_told.get()
    }
    fn xids(&self) -> Result<Xids> {
        if self.inner.guide.format() < NUMBERS {
            return Err(err!(
                FEATURE_NOT_SUPPORTED,
                "not all nodes of the cluster know of snapshots in numbers of transactions"
            )
            .hint("Upgrade all of them."));
        }
        self.call(&Call::Xids, |r| Ok(Xids { xmin: r.varint()?, xmax: r.varint()?, running: r.list(|r| r.varint())? }))
    }
    fn set_process(&self, pid: u32) {
        self.shared.0.lock().process = Some(pid);
    }
    fn not_below(&self, ts: Ts) {
        self.shared.0.lock().not_below = ts;
    }
    fn told(&self) -> Option<Ts> {
        (self.id.get() != 0).then(|| self.newest.get())
    }
    fn isolation(&self) -> Isolation {
        self.isolation
    }
    fn read_only(&self) -> bool {
        self.read_only
    }
    fn has_writes(&self) -> bool {
        self.has_writes.get()
    }
    fn tables_read(&self) -> Option<Vec<u64>> {
        let more = self.holds.get() || self.has_writes.get() || !self.savepoints.borrow().is_empty();
        let reads = !more && self.isolation == Isolation::ReadCommitted;
        reads.then(|| self.tables.borrow().clone())
    }
    fn set_limits(&self, lock_timeout: Option<Duration>, deadline: Option<Instant>) {
        self.deadline.set(deadline);
        let mut p = self.shared.0.lock();
        if p.limits != (lock_timeout, deadline) {
            (p.limits, p.limits_told) = ((lock_timeout, deadline), false);
        }
    }
    fn statement(&self) -> Snapshot {
        let statement = self.statement.get() + 1;
        self.statement.set(statement);
        let pin = Arc::new(FarPin { statement, ts: AtomicU64::new(0), of: self.shared.clone() });
        self.shared.0.lock().statements.push((statement, Arc::downgrade(&pin)));
        Snapshot::elsewhere(pin, statement)
    }
    fn tied(&self) -> bool {
        self.tied.get()
    }
    fn settle(&self) -> Result<()> {
        if self.tied.get() { self.nothing(&Call::Settle) } else { Ok(()) }
    }
    fn get(&self, snap: &Snapshot, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<bool> {
        self.call(&Call::Get { snap: snap.statement(), tree, key }, |r| {
            let found = r.u8()? != 0;
            value(r, out)?;
            Ok(found)
        })
    }
    fn get_many(&self, snap: &Snapshot, keys: &Keys, out: &mut Values) -> Result<()> {
        let snap = snap.statement();
        self.batches(
            keys,
            |from| Call::GetMany { snap, keys: Items::From(keys, from) },
            out,
            |r, out| {
                let found = r.u8()? != 0;
                out.push(found, &[], r.bytes()?);
                Ok(())
            },
        )
    }
    fn get_latest(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<Latest> {
        self.call(&Call::GetLatest { tree, key }, |r| {
            let latest = wire::latest(r)?;
            value(r, out)?;
            Ok(latest)
        })
    }
    fn get_latest_many(&self, keys: &Keys, out: &mut Claims) -> Result<()> {
        self.batches(
            keys,
            |from| Call::GetLatestMany(Items::From(keys, from)),
            out,
            |r, out| {
                let latest = wire::latest(r)?;
                out.push(latest, &[], r.bytes()?);
                Ok(())
            },
        )
    }
    fn lock_row(&self, tree: TreeId, key: &[u8], mode: RowLock, policy: WaitPolicy) -> Result<LockOutcome> {
        self.call(&Call::LockRow { tree, key, mode, policy }, wire::outcome)
    }
    fn lock_range(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<()> {
        self.nothing(&Call::LockRange { tree, lo, hi })
    }
    fn lock_table(&self, table: u64, mode: TableLock, policy: WaitPolicy) -> Result<LockOutcome> {
        let call = Call::LockTable { table, mode, policy };
        let (got, version) = self.call(&call, |r| Ok((wire::outcome(r)?, r.varint()?)))?;
        if mode == TableLock::AccessShare && got == LockOutcome::Granted {
            self.tables.borrow_mut().push(table);
        }
        self.inner.guide.await_catalog(version)?;
        Ok(got)
    }
    fn lock_table_ahead(&self, table: u64, mode: TableLock) -> Result<()> {
        let mut p = self.shared.0.lock();
        if p.seq > 0 || mode > TableLock::RowExclusive || self.inner.guide.format() < LOCKS_AHEAD {
            drop(p);
            return self.lock_table(table, mode, WaitPolicy::Block).map(drop);
        }
        // Whoever has this much of the log knows of every definition up to there: its catalog is looked at after this.
        p.locks.push((table, mode, self.inner.shard.applied_ts()));
        drop(p);
        if mode == TableLock::AccessShare {
            self.tables.borrow_mut().push(table);
        } else {
            self.holds.set(true);
        }
        Ok(())
    }
    fn claim(&self, tree: TreeId, key: &[u8], mode: RowLock, out: &mut Vec<u8>) -> Result<Latest> {
        self.call(&Call::Claim { tree, key, mode }, |r| {
            let latest = wire::latest(r)?;
            value(r, out)?;
            Ok(latest)
        })
    }
    fn claim_many(&self, keys: &Keys, mode: RowLock, until: Until, out: &mut Claims) -> Result<()> {
        let call = |from| Call::ClaimMany { keys: Items::From(keys, from), mode, until };
        self.complete(keys.len(), call, out, |r, out| {
            let latest = wire::latest(r)?;
            out.push(latest, &[], r.bytes()?);
            Ok(())
        })
    }
    fn meet(&self, tree: TreeId, key: &[u8], out: &mut Vec<u8>) -> Result<(RowLock, Latest)> {
        self.call(&Call::Meet { tree, key }, |r| {
            let met = (wire::row_lock(r)?, wire::latest(r)?);
            value(r, out)?;
            Ok(met)
        })
    }
    fn claim_each(&self, wants: &Wants, out: &mut Met) -> Result<()> {
        let call = |from| Call::ClaimEach(Items::From(wants, from));
        self.complete(wants.len(), call, out, |r, out| {
            let met = (wire::row_lock(r)?, wire::latest(r)?);
            out.push(met, &[], r.bytes()?);
            Ok(())
        })
    }
    fn put(&self, tree: TreeId, key: &[u8], value: &[u8]) -> Result<()> {
        self.write_one(tree, Write::Put, key, value)
    }
    fn delete(&self, tree: TreeId, key: &[u8]) -> Result<()> {
        self.write_one(tree, Write::Delete, key, &[])
    }
    fn delete_moved(&self, tree: TreeId, key: &[u8], to: &[u8]) -> Result<()> {
        self.write_one(tree, Write::Move, key, to)
    }
    fn write_many(&self, writes: &Writes) -> Result<()> {
        self.write(writes.into())
    }
    fn create_tree(&self) -> Result<TreeId> {
        let r = self.call(&Call::CreateTree, |r| r.varint().map(TreeId));
        if r.is_err() {
            self.has_writes.set(true);
        }
        r
    }
    fn drop_tree(&self, tree: TreeId) -> Result<()> {
        let r = self.nothing(&Call::DropTree(tree));
        if r.is_err() {
            self.has_writes.set(true);
        }
        r
    }
    fn expect_writes(&self, writes: u64, bytes: u64) {
        self.shared.0.lock().expect = Some((writes, bytes));
    }
    fn written_twice(&self, tree: TreeId) -> Result<Option<Vec<u8>>> {
        self.call(&Call::WrittenTwice(tree), |r| Ok(wire::option(r)?.map(<[u8]>::to_vec)))
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        RemoteEngine(self.inner.clone()).next_id(space)
    }
    fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()> {
        RemoteEngine(self.inner.clone()).next_ids(space, n, out)
    }
    fn page_counts(&self) -> (u64, u64) {
        self.inner.shard.store().page_counts()
    }
    fn savepoint(&self) -> SavepointId {
        let id = self.next_savepoint.get();
        self.next_savepoint.set(id + 1);
        let (callbacks, has_writes) = (self.callbacks.borrow().len(), self.has_writes.get());
        self.savepoints.borrow_mut().push(Savepoint { id, callbacks, has_writes });
        self.shared.0.lock().savepoints.push(id);
        id
    }
    fn rollback_to(&self, sp: SavepointId) {
        let mut saves = self.savepoints.borrow_mut();
        let Some(at) = saves.iter().position(|s| s.id == sp) else { return };
        saves.truncate(at + 1);
        self.callbacks.borrow_mut().truncate(saves[at].callbacks);
        self.has_writes.set(saves[at].has_writes);
        let mut p = self.shared.0.lock();
        p.savepoints.retain(|s| *s <= sp);
        // One that the host has not heard of has nothing behind it.
        if p.savepoints.last() != Some(&sp) && !self.broken.get() {
            p.tell(Call::Nothing, Some(Note::RollbackTo(sp)));
        }
    }
    fn release(&self, sp: SavepointId) {
        let mut saves = self.savepoints.borrow_mut();
        let Some(at) = saves.iter().position(|s| s.id == sp) else { return };
        saves.truncate(at);
        let mut p = self.shared.0.lock();
        let unsent = p.savepoints.contains(&sp);
        p.savepoints.retain(|s| *s < sp);
        if !unsent {
            p.releases.push(sp);
        }
    }
    fn on_commit(&self, f: Callback) {
        self.callbacks.borrow_mut().push(f);
    }
    fn join(&self, locks: &SessionLocks) {
        let far = locks.far().and_then(|f| f.downcast_ref::<RemoteLocks>());
        self.shared.0.lock().join = far.and_then(|l| l.at.clone());
    }
    fn lock_for_session(
        &self,
        locks: &mut SessionLocks,
        number: u64,
        mode: TableLock,
        policy: WaitPolicy,
    ) -> Result<LockOutcome> {
        if !locks.far().is_some_and(|f| f.is::<RemoteLocks>()) {
            // Those of another place are lost.
            *locks = RemoteLocks::none_yet(&self.inner);
        }
        let Some(far) = locks.far_mut().and_then(|f| f.downcast_mut::<RemoteLocks>()) else {
            return Err(Error::internal("a session's locks are of no known kind"));
        };
        let of = far.at(&self.line()?);
        if let Some(n) = far.held.get_mut(&(number, mode)) {
            *n += 1;
            return Ok(LockOutcome::Granted);
        }
        let got = self.call(&Call::LockForSession { locks: of, number, mode, policy }, wire::outcome);
        match &got {
            Ok(LockOutcome::Granted) => {
                far.held.insert((number, mode), 1);
            }
            Ok(LockOutcome::Skipped) => {}
            // Given up, perhaps as it was granted.
            Err(_) => far.tell(&Ask::Unlock { locks: of, number, mode }),
        }
        got
    }
    fn scan_open(&self, range: ScanRange, max: usize, out: &mut Entries) -> Result<Option<ScanState>> {
        let ScanRange { snap, tree, lo, hi, dir } = range;
        let scan = self.next_scan.get();
        self.next_scan.set(scan + 1);
        let mut state = FarScan { scan, open: true, of: self.shared.clone() };
        let call = Call::ScanOpen { scan, snap: snap_of(snap), tree, lo, hi, dir, max: count(max) };
        state.open = self.call(&call, |r| entries(r, out))?;
        Ok(state.open.then(|| Box::new(state) as ScanState))
    }
    fn scan_ranges(
        &self,
        snap: Option<&Snapshot>,
        ranges: &Ranges,
        dir: Dir,
        max: usize,
        out: &mut RangeEntries,
    ) -> Result<usize> {
        let call = Call::ScanRanges { snap: snap_of(snap), ranges: ranges.into(), dir, max: count(max) };
        self.call(&call, |r| {
            let whole = r.varint()? as usize;
            wire::each(r, |r| {
                let range = r.varint()? as usize;
                let key = r.bytes()?;
                out.push(range, key, r.bytes()?);
                Ok(())
            })?;
            Ok(whole)
        })
    }
    fn scan_more(&self, state: &mut ScanState, max: usize, out: &mut Entries) -> Result<bool> {
        let s = self.scan(state)?;
        let more = self.call(&Call::ScanMore { scan: s.scan, max: count(max) }, |r| entries(r, out))?;
        s.open = more;
        Ok(more)
    }
    fn scan_pass(&self, state: &mut ScanState, max: u64) -> Result<u64> {
        let s = self.scan(state)?;
        self.call(&Call::ScanPass { scan: s.scan, max }, |r| r.varint())
    }
    fn commit(self: Box<Self>) -> Result<Ts> {
        // What has only read has told what was right when it was told.
        if self.broken.get() && (self.has_writes.get() || self.tied.get() || self.holds.get()) {
            return Err(gone());
        }
        let (ts, applied) = if self.has_writes.get() || self.tied.get() {
            // Its end is waited for whoever asks for what: nobody else will tell the outcome.
            let r = self.call_until(&Call::Commit, None, &Cancel::default(), |r| r.varint());
            if !self.broken.get() {
                self.end();
            }
            (self.ended("COMMIT", Outcome::Committed, r)?, false)
        } else {
            (self.inner.shard.applied_ts(), true)
        };
        if !self.callbacks.borrow().is_empty() {
            if !applied {
                self.inner.guide.await_applied(ts);
            }
            self.run_callbacks(ts);
        }
        // One without writes is told by the drop.
        Ok(ts)
    }
    fn prepare(self: Box<Self>, gid: &str, owner: &str, database: &str) -> Result<()> {
        if self.broken.get() {
            return Err(gone());
        }
        let call = Call::Prepare { gid, owner, database };
        let r = self.call_until(&call, None, &Cancel::default(), |_| Ok(0));
        if !self.broken.get() {
            self.end();
        }
        self.ended("PREPARE TRANSACTION", Outcome::Prepared, r)?;
        let callbacks = self.callbacks.take();
        if !callbacks.is_empty() {
            self.inner.prepared.lock().insert(gid.into(), callbacks);
        }
        Ok(())
    }
}
impl RemoteTxn {
    fn scan<'a>(&self, state: &'a mut ScanState) -> Result<&'a mut FarScan> {
        let lost = || Error::internal("a scan of another transaction");
        state.downcast_mut::<FarScan>().filter(|s| Arc::ptr_eq(&s.of, &self.shared)).ok_or_else(lost)
    }
    /// Asks until all keys are answered; an answer may be full before.
    fn batches<'a, O: Counted>(
        &self,
        keys: &'a Keys,
        call: impl Fn(usize) -> Call<'a>,
        out: &mut O,
        mut item: impl FnMut(&mut Reader, &mut O) -> Result<()>,
    ) -> Result<()> {
        let (mut from, before) = (0, out.count());
        while from < keys.len() {
            self.call(&call(from), |r| wire::each(r, |r| item(r, out)))?;
            let now = out.count() - before;
            if now <= from || now > keys.len() {
                return Err(short());
            }
            from = now;
        }
        Ok(())
    }
    /// The same of calls whose answers say whether that was all.
    fn complete<'a, O: Counted>(
        &self,
        n: usize,
        call: impl Fn(usize) -> Call<'a>,
        out: &mut O,
        mut item: impl FnMut(&mut Reader, &mut O) -> Result<()>,
    ) -> Result<()> {
        let (mut from, before) = (0, out.count());
        while from < n {
            let complete = self.call(&call(from), |r| {
                let complete = r.u8()? != 0;
                wire::each(r, |r| item(r, out))?;
                Ok(complete)
            })?;
            let now = out.count() - before;
            if now > n || !complete && now <= from {
                return Err(short());
            }
            if complete {
                break;
            }
            from = now;
        }
        Ok(())
    }
}
/// A batch, as what answers are counted in.
trait Counted {
    fn count(&self) -> usize;
}
impl<T: Copy> Counted for Batch<T> {
    fn count(&self) -> usize {
        self.len()
    }
}
#[cold]
fn short() -> Error {
    err!(DATA_CORRUPTED, "an answer of the leader has the wrong number of keys")
}

// ---- locks of a session ----
/// What a session holds at the leader, as far as it lasts.
struct RemoteLocks {
    inner: Arc<Inner>,
    /// Their number at the host, and the line there.
    at: Option<(u64, Arc<dyn Line>)>,
    held: FxHashMap<(u64, TableLock), u64>,
}
impl RemoteLocks {
    fn none_yet(inner: &Arc<Inner>) -> SessionLocks {
        SessionLocks::elsewhere(Box::new(RemoteLocks { inner: inner.clone(), at: None, held: FxHashMap::default() }))
    }
    /// Their number where `line` leads; what was held under another leadership is lost.
    fn at(&mut self, line: &Arc<dyn Line>) -> u64 {
        match &self.at {
            Some((number, l)) if Arc::ptr_eq(l, line) => *number,
            _ => {
                self.held.clear();
                let number = self.inner.number();
                self.at = Some((number, line.clone()));
                number
            }
        }
    }
    fn tell(&self, ask: &Ask) {
        if let Some((_, line)) = &self.at {
            line.tell(ask.encode());
        }
    }
    /// Waits until it is done, so that who hears of it next finds the lock free.
    fn ask<R>(&self, ask: &Ask, read: impl FnOnce(&mut Reader) -> Result<R>) -> Result<R> {
        let Some((_, line)) = &self.at else { return Err(gone()) };
        let answer = line.call(ask.encode(), Some(task::now() + UNLOCK_WAIT), &Cancel::default())?;
        result(&answer, read)
    }
}
impl FarLocks for RemoteLocks {
    fn unlock(&mut self, number: u64, mode: TableLock) -> bool {
        let Some(n) = self.held.get_mut(&(number, mode)) else { return false };
        *n -= 1;
        if *n == 0 {
            self.held.remove(&(number, mode));
            let Some(locks) = self.at.as_ref().map(|a| a.0) else { return false };
            let held = self.ask(&Ask::Unlock { locks, number, mode }, |r| Ok(r.u8()? != 0)).unwrap_or(false);
            if !held {
                // Lost, with all the others.
                self.held.clear();
            }
            return held;
        }
        true
    }
    fn unlock_all(&mut self) {
        if std::mem::take(&mut self.held).is_empty() {
            return;
        }
        if let Some(locks) = self.at.as_ref().map(|a| a.0) {
            let _ = self.ask(&Ask::UnlockAll { locks, forget: false }, |_| Ok(()));
        }
    }
    fn is_lost(&self) -> bool {
        !self.held.is_empty() && self.at.as_ref().is_none_or(|a| a.1.is_lost())
    }
    fn holds(&self, number: u64) -> bool {
        self.held.keys().any(|k| k.0 == number)
    }
}
impl Drop for RemoteLocks {
    fn drop(&mut self) {
        if let Some((locks, _)) = &self.at {
            self.tell(&Ask::UnlockAll { locks: *locks, forget: true });
        }
    }
}

// ---- the engine ----
impl RemoteEngine {
    /// The shard, where this node leads.
    fn here(&self) -> Option<&Shard> {
        self.0.guide.leads().then_some(&*self.0.shard)
    }
    fn next_ids(&self, space: u64, n: usize, out: &mut Vec<u64>) -> Result<()> {
        if let Some(s) = self.here() {
            return (0..n).try_for_each(|_| led(s.next_id(space)).map(|id| out.push(id)));
        }
        let mut left = n;
        while left > 0 {
            let some = left.min(BATCH_KEYS);
            let ids = self.ask_for(&Ask::NextIds { space, n: count(some) }, |r| r.list(|r| r.varint()))?;
            if ids.len() != some {
                return Err(short());
            }
            out.extend(ids);
            left -= some;
        }
        Ok(())
    }
    fn committed(&self, gid: &str, ts: Ts) {
        let callbacks = self.0.prepared.lock().remove(gid).unwrap_or_default();
        if !callbacks.is_empty() {
            self.0.guide.await_applied(ts);
            callbacks.into_iter().for_each(|f| f(ts));
        }
    }
}
impl Engine for RemoteEngine {
    fn begin(&self, iso: Isolation, read_only: bool, cancel: Arc<Cancel>) -> Txn {
        match self.here().filter(|_| self.0.guide.begins_here()) {
            // The leadership may have ended since it was looked at: what a follower has is not what is asked for.
            Some(s) => match s.begin(iso, read_only, cancel.clone()) {
                t if t.is_led() => t.into(),
                _ => Txn::elsewhere(Box::new(RemoteTxn::new(&self.0, iso, read_only, cancel))),
            },
            None => Txn::elsewhere(Box::new(RemoteTxn::new(&self.0, iso, read_only, cancel))),
        }
    }
    fn begin_here(&self, cancel: Arc<Cancel>) -> Txn {
        self.0.shard.begin(Isolation::ReadCommitted, true, cancel).into()
    }
    fn begin_at_replica(&self, at: &ReadAt, cancel: &Arc<Cancel>) -> Result<Option<(Txn, Ts)>> {
        let i = &*self.0;
        let begun = follower::begin(&i.shard, &*i.guide, &i.at_replica, at, cancel)?;
        Ok(begun.map(|(t, ts)| (t.into(), ts)))
    }
    fn entries(&self, tree: TreeId) -> Result<u64> {
        self.0.shard.entries(tree)
    }
    fn estimate(&self, tree: TreeId, lo: &[u8], hi: Option<&[u8]>) -> Result<u64> {
        self.0.shard.estimate(tree, lo, hi)
    }
    fn tree_size(&self, tree: TreeId) -> Result<(u64, u32)> {
        self.0.shard.tree_size(tree)
    }
    fn leaf_at(&self, tree: TreeId, place: f64, key: &mut Vec<u8>) -> Result<usize> {
        self.0.shard.leaf_at(tree, place, key)
    }
    fn cache_pages(&self) -> u64 {
        Engine::cache_pages(&*self.0.shard)
    }
    fn page_counts(&self) -> (u64, u64) {
        Engine::page_counts(&*self.0.shard)
    }
    fn next_id(&self, space: u64) -> Result<u64> {
        let mut one = Vec::with_capacity(1);
        self.next_ids(space, 1, &mut one)?;
        one.pop().ok_or_else(short)
    }
    fn seq_next(&self, seq: u64, def: &SequenceDef) -> Result<i64> {
        match self.here() {
            Some(s) => led(s.seq_next(seq, def)),
            None => self.ask_for(&Ask::SeqNext { seq, def: def.clone() }, wire::signed),
        }
    }
    fn seq_next_many(&self, seq: u64, def: &SequenceDef, n: usize, out: &mut Vec<i64>) -> Result<()> {
        if let Some(s) = self.here() {
            return led(Engine::seq_next_many(s, seq, def, n, out));
        }
        let mut left = n;
        while left > 0 {
            let some = left.min(BATCH_KEYS);
            let ask = Ask::SeqNextMany { seq, def: def.clone(), n: count(some) };
            let got = match self.ask_for(&ask, |r| r.list(wire::signed)) {
                Ok(got) => got,
                Err(e) if out.is_empty() => return Err(e),
                Err(_) => break,
            };
            let ends = got.len() < some;
            out.extend(got);
            if ends {
                break;
            }
            left -= some;
        }
        Ok(())
    }
    fn seq_set(&self, seq: u64, last: i64, is_called: bool) -> Result<()> {
        match self.here() {
            Some(s) => led(s.seq_set(seq, last, is_called)),
            None => self.ask_for(&Ask::SeqSet { seq, last, is_called }, |_| Ok(())),
        }
    }
    fn seq_read(&self, seq: u64) -> Result<Option<(i64, bool)>> {
        match self.here() {
            Some(s) => s.seq_read(seq),
            None => self.ask_for(&Ask::SeqRead { seq }, |r| {
                let used = r.u8()? != 0;
                let read = (wire::signed(r)?, r.u8()? != 0);
                Ok(used.then_some(read))
            }),
        }
    }
    fn prepared(&self) -> Result<Vec<PreparedInfo>> {
        match self.here() {
            Some(s) => Ok(s.prepared()),
            None => self.ask_for(&Ask::Prepared, |r| r.list(wire::prepared)),
        }
    }
    fn commit_prepared(&self, gid: &str) -> Result<Ts> {
        let ts = match self.here() {
            Some(s) => led(s.commit_prepared(gid))?,
            None => self.ask_once("COMMIT PREPARED", &Ask::CommitPrepared { gid }, |r| r.varint())?,
        };
        self.committed(gid, ts);
        Ok(ts)
    }
    fn rollback_prepared(&self, gid: &str) -> Result<()> {
        match self.here() {
            Some(s) => led(s.rollback_prepared(gid))?,
            None => self.ask_once("ROLLBACK PREPARED", &Ask::RollbackPrepared { gid }, |_| Ok(()))?,
        }
        drop(self.0.prepared.lock().remove(gid));
        Ok(())
    }
    fn outcome(&self, id: u64) -> Result<Outcome> {
        if let Some(s) = self.here() {
            return Engine::outcome(s, id);
        }
        let line = self.0.leader(None, &Cancel::default())?;
        let told = ask_outcome(&*line, id, None, &Cancel::default());
        told.map(|o| o.0).map_err(|e| if line::is_lost(&e) { gone() } else { e })
    }
    fn session_locks(&self) -> SessionLocks {
        match self.here() {
            Some(s) => s.session_locks(),
            None => RemoteLocks::none_yet(&self.0),
        }
    }
    fn locks(&self) -> Vec<LockLine> {
        match self.here() {
            Some(s) => s.locks(),
            None => self.ask_for(&Ask::Locks, |r| r.list(wire::lock_line)).unwrap_or_default(),
        }
    }
    fn waiting_processes(&self) -> Vec<(u32, LockTarget)> {
        match self.here() {
            Some(s) => s.waiting_processes(),
            None => {
                let read = |r: &mut Reader<'_>| r.list(|r| Ok((wire::u32_of(r)?, wire::target(r)?)));
                self.ask_for(&Ask::WaitingProcesses, read).unwrap_or_default()
            }
        }
    }
    /// Other nodes' sessions change the catalog too.
    fn await_newest_catalog(&self) -> Result<()> {
        self.0.await_newest_catalog()
    }
    fn catalog_ts(&self) -> Option<Ts> {
        Some(self.0.shard.catalog_ts())
    }
    fn format(&self) -> u64 {
        self.0.guide.format()
    }
    fn listen(&self, listener: pamir_txn::Listener) {
        self.0.shard.listen(listener)
    }
    fn checkpoint(&self) -> Result<()> {
        self.0.shard.checkpoint()
    }
    fn failure(&self) -> Option<Error> {
        self.0.shard.failure()
    }
    fn stats(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.0.shard.stats();
        all.extend(self.0.at_replica.stats(&self.0.shard));
        all
    }
    fn memory(&self) -> Arc<MemoryAccount> {
        self.0.shard.memory()
    }
    fn disk(&self) -> Arc<dyn Disk> {
        Engine::disk(&*self.0.shard)
    }
    fn platform(&self) -> &Arc<dyn Platform> {
        self.0.shard.platform()
    }
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    fn movable<T: Send>() {}
    shared::<RemoteEngine>();
    movable::<RemoteTxn>();
};
