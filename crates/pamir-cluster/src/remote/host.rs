//! The leader's side: transactions of other nodes, each a [`LocalTxn`] that its calls are made on.
//!
//! ```text
//!   hear ──► desk: (node, number) ──► Guest ── work: request, request ... ──► job, while there is work ──► Open: LocalTxn, snapshots, scans
//!                                       │ cancel                                │ post: answer
//!   cancel ──► the call that runs, or the one that waits ◄──────────────────────┘
//!   lost(node), end_all ──► rolled back: at once, or by the job when its call is over
//! ```
//! A job holds a guest's `Open` as long as there is work for it, so calls of one transaction are one after the other, and an idle one holds no coroutine. A commit that is under way is not stopped by anything: its fate is decided in the log, and told if somebody is there to hear it.
//!
//! Invariants: a guest that is not on the desk has no work and no `Open` but a job's, which it drops; locks of the desk and of guests are not held together but in this order, and never across a call; every request that was heard is answered once, unless its node was lost. What is held is charged
//! (`memory`) until it is dropped.
//!
//! Limits: see the constants. A node that sends more gets 53300 or 53200 and loses the transaction.
use super::line::{self, MESSAGE_BYTES, PIECE, Post, Refused, Spawn};
use super::wire::{self, Ask, Call, Kind, Note, State};
use crate::NodeId;
use crate::codec::{put_bytes, put_list, put_varint};
use crate::plant::{self, Bug};
use pamir_error::{Error, Result, bail, err};
use pamir_storage::task;
use pamir_txn::face::{Engine, SCAN_MOST, Until};
use pamir_txn::{
    Cancel, CancelReason, Held, LocalScan, LocalTxn, MemoryAccount, SessionLocks, Shard, Snapshot, TreeId, Ts,
    WaitPolicy, Want,
};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Transactions of all other nodes.
pub const MOST_TRANSACTIONS: usize = 1 << 16;
/// Open scans of one of them.
pub const MOST_SCANS: usize = 1 << 12;
/// Snapshots that one of them reads through at a time: its cursors'.
pub const MOST_SNAPSHOTS: usize = 1 << 16;
/// The highest number of a statement.
const MOST_STATEMENTS: u32 = u32::MAX - 1;
/// Requests under way.
pub const MOST_REQUESTS: usize = 1 << 16;
/// Requests that have come in part.
pub const MOST_PIECES: usize = 1 << 10;
/// Sessions of other nodes that hold locks.
pub const MOST_LOCKS: usize = 1 << 16;
/// Bytes of requests, and of what transactions hold here beside their locks and writes, which the shard charges.
pub const HELD_BYTES: u64 = 1 << 30;
/// Bytes from which on an answer has no further entry.
pub const ANSWER_BYTES: usize = 1 << 20;
/// What a transaction, a scan and a session's locks are charged for.
const TXN_BYTES: u64 = 2 << 10;
const SCAN_BYTES: u64 = 1 << 10;
const LOCKS_BYTES: u64 = 512;
/// Values that are taken ahead in one call.
const MOST_VALUES: u32 = 1 << 16;
/// How long the leader's applier may be behind a replica's: what is decided is applied soon.
const APPLIED_WAIT: Duration = Duration::from_secs(10);
/// How long a session's locks may be in another call's hands, which was given up.
const LOCKS_WAIT: Duration = Duration::from_secs(10);
const LOCKS_EVERY: Duration = Duration::from_millis(1);

/// What a host is made of.
pub struct HostOptions {
    pub shard: Arc<Shard>,
    pub spawn: Arc<dyn Spawn>,
    /// Where answers go.
    pub post: Arc<dyn Post>,
    /// The newest version of this node's catalog: of a replica, [`Shard::catalog_ts`].
    pub catalog_version: Box<dyn Fn() -> u64 + Send + Sync>,
}

/// Transactions and session locks of other nodes, at the node that leads.
pub struct Host {
    of: HostOptions,
    leads: AtomicBool,
    /// No transaction begins: the leadership is about to go.
    holds: AtomicBool,
    desk: Mutex<Desk>,
    memory: Arc<MemoryAccount>,
}
type Name = (NodeId, u64);
#[derive(Default)]
struct Desk {
    guests: FxHashMap<Name, Arc<Guest>>,
    locks: FxHashMap<Name, Arc<Mutex<LocksSlot>>>,
    /// Requests that are not answered yet; None: it cannot be stopped.
    requests: FxHashMap<Name, Option<Arc<Guest>>>,
    /// Requests that came in part.
    pieces: FxHashMap<Name, Pieces>,
}
#[derive(Default)]
struct Pieces {
    bytes: Vec<u8>,
    held: Vec<Held>,
    /// It has no room.
    refused: Option<Error>,
}
#[derive(Default)]
struct LocksSlot {
    /// None: in a call's hands.
    locks: Option<SessionLocks>,
    /// Nobody takes more.
    over: bool,
    held: Option<Held>,
}
/// A transaction of another node.
struct Guest {
    name: Name,
    cancel: Arc<Cancel>,
    state: Mutex<GuestState>,
}
#[derive(Default)]
struct GuestState {
    /// With the job, while `busy`.
    open: Option<Box<Open>>,
    work: VecDeque<Work>,
    busy: bool,
    /// The request whose call runs.
    running: Option<u64>,
    /// The number of the message that is to come.
    seq: u64,
    /// Its node is lost, or this node leads no longer, or a message is missing.
    dead: bool,
}
struct Work {
    /// None: a note.
    request: Option<u64>,
    body: Vec<u8>,
    cancelled: bool,
    _held: Held,
}
/// What a transaction has here.
struct Open {
    txn: Option<LocalTxn>,
    /// The newest statement.
    statement: u32,
    snapshots: FxHashMap<u32, Snapshot>,
    scans: FxHashMap<u32, (LocalScan, Held)>,
    /// Its savepoints' numbers there and here.
    savepoints: Vec<(u32, u32)>,
    /// Timestamps that its node does not know yet.
    untold: Vec<(u32, Ts)>,
    _held: Held,
}

#[cold]
fn not_leading() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because another node has become the leader")
        .hint("Retry the transaction.")
        .of_lost_leader()
}
#[cold]
fn unheard() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because the leader does not know it")
        .hint("Retry the transaction.")
        .of_lost_leader()
}
#[cold]
fn held_back() -> Error {
    err!(SERIALIZATION_FAILURE, "the leadership is being handed over").hint("Retry the transaction.").of_lost_leader()
}
#[cold]
fn stopped() -> Error {
    err!(QUERY_CANCELED, "canceling statement due to user request")
}

impl Host {
    /// It takes nothing before [`Host::begin`].
    pub fn new(of: HostOptions) -> Arc<Host> {
        let memory = of.shard.memory().child("other nodes' sessions", HELD_BYTES);
        Arc::new(Host {
            of,
            leads: AtomicBool::new(false),
            holds: AtomicBool::new(false),
            desk: Mutex::default(),
            memory,
        })
    }
    /// This node leads.
    pub fn begin(&self) {
        self.leads.store(true, Ordering::SeqCst);
    }
    /// This node leads no longer: everything is rolled back, and every request answered with 40001 but commits, whose fate the log decides.
    pub fn end_all(self: &Arc<Self>) {
        self.leads.store(false, Ordering::SeqCst);
        self.dismiss(|_| true, false);
    }
    /// Transactions that would begin are sent back to wait where they are, or no longer.
    pub fn hold(&self, on: bool) {
        self.holds.store(on, Ordering::SeqCst);
    }
    /// The connection to `node` is lost: what is held for it is rolled back. Nothing of that connection is to be heard after this.
    pub fn lost(self: &Arc<Self>, node: NodeId) {
        self.dismiss(|n| n == node, true);
    }
    /// Open transactions of other nodes, and requests that are not answered.
    pub fn counts(&self) -> (usize, usize) {
        let d = self.desk.lock();
        (d.guests.len(), d.requests.len())
    }
    /// Bytes that are charged for other nodes.
    pub fn held_bytes(&self) -> u64 {
        self.memory.used()
    }
    fn dismiss(self: &Arc<Self>, of: impl Fn(NodeId) -> bool, silently: bool) {
        let (guests, locks) = {
            let mut d = self.desk.lock();
            let guests: Vec<Arc<Guest>> = d.guests.extract_if(|n, _| of(n.0)).map(|g| g.1).collect();
            let locks: Vec<_> = d.locks.extract_if(|n, _| of(n.0)).map(|l| l.1).collect();
            if silently {
                d.requests.retain(|n, _| !of(n.0));
                d.pieces.retain(|n, _| !of(n.0));
            }
            (guests, locks)
        };
        // All of them before the first lets go of its locks: whoever waits for those is not to have them and be told so.
        for g in &guests {
            let mut state = g.state.lock();
            state.dead = true;
            if state.busy {
                g.cancel.request(CancelReason::Terminate);
            }
        }
        guests.iter().for_each(|g| self.dead(g, not_leading));
        locks.iter().for_each(|l| drop_locks(l));
    }
    /// Ends a guest that is off the desk: its work is answered with `e`, its call stopped.
    fn dead(self: &Arc<Self>, guest: &Guest, e: fn() -> Error) {
        let (open, work) = {
            let mut s = guest.state.lock();
            s.dead = true;
            if s.busy {
                guest.cancel.request(CancelReason::Terminate);
            }
            (s.open.take(), std::mem::take(&mut s.work))
        };
        drop(open);
        for w in work {
            self.answer(guest.name.0, w.request, &State::default(), Err(e()));
        }
    }
    fn turn_out(self: &Arc<Self>, guest: &Arc<Guest>) {
        self.forget(guest);
        self.dead(guest, unheard);
    }
    /// Takes a guest off the desk, if it is the one that stands there.
    fn forget(&self, guest: &Arc<Guest>) {
        let mut d = self.desk.lock();
        if d.guests.get(&guest.name).is_some_and(|g| Arc::ptr_eq(g, guest)) {
            d.guests.remove(&guest.name);
        }
    }
    fn answer(self: &Arc<Self>, to: NodeId, request: Option<u64>, state: &State, r: Result<Vec<u8>>) {
        let Some(number) = request else { return };
        // Of a node that was lost nobody waits.
        if self.desk.lock().requests.remove(&(to, number)).is_none() {
            return;
        }
        let mut body = wire::answer(state, r);
        if body.len() > MESSAGE_BYTES {
            body = wire::answer(state, Err(line::too_long()));
        }
        if body.len() <= PIECE && self.of.post.send(to, wire::frame(Kind::Answer, number, &body)) != Err(Refused::Full)
        {
            return;
        }
        // It takes its time, which is not the caller's.
        let host = self.clone();
        self.memory.charge_always(body.len() as u64);
        self.of.spawn.spawn(Box::new(move || {
            let kinds = (Kind::AnswerPiece, Kind::Answer);
            let _ = line::send(&*host.of.post, to, kinds, number, &body, || host.leads.load(Ordering::SeqCst));
            host.memory.release(body.len() as u64);
        }));
    }

    // ---- what is heard ----
    /// A piece of a request that goes on. An error: its node sends what no node of ours does.
    pub fn hear_piece(&self, from: NodeId, number: u64, piece: &[u8]) -> Result<()> {
        let mut d = self.desk.lock();
        if d.pieces.len() >= MOST_PIECES && !d.pieces.contains_key(&(from, number)) {
            bail!(TOO_MANY_CONNECTIONS, "too many requests come in pieces");
        }
        let p = d.pieces.entry((from, number)).or_default();
        if p.refused.is_some() {
            return Ok(());
        }
        let held = match p.bytes.len() + piece.len() > MESSAGE_BYTES {
            true => Err(line::too_long()),
            false => self.memory.hold(piece.len() as u64),
        };
        match held {
            Ok(held) => {
                p.bytes.extend_from_slice(piece);
                p.held.push(held);
            }
            Err(e) => *p = Pieces { refused: Some(e), ..Pieces::default() },
        }
        Ok(())
    }
    /// A request, or what it ends with, or a note without a number.
    pub fn hear(self: &Arc<Self>, from: NodeId, request: Option<u64>, body: &[u8]) {
        let begun = request.and_then(|number| {
            let mut d = self.desk.lock();
            if d.pieces.is_empty() { None } else { d.pieces.remove(&(from, number)) }
        });
        let taken = match begun {
            None => self.take(from, request, body),
            Some(Pieces { refused: Some(e), .. }) => Err(e),
            Some(mut p) => {
                p.bytes.extend_from_slice(body);
                let whole = std::mem::take(&mut p.bytes);
                self.take(from, request, &whole)
            }
        };
        if let Err(e) = taken {
            if let Some(number) = request {
                self.desk.lock().requests.entry((from, number)).or_default();
            }
            self.answer(from, request, &State::default(), Err(e));
        }
    }
    fn take(self: &Arc<Self>, from: NodeId, request: Option<u64>, body: &[u8]) -> Result<()> {
        let (head, _) = wire::read_head(body)?;
        if !self.leads.load(Ordering::SeqCst) {
            return Err(not_leading());
        }
        let held = self.memory.hold(body.len() as u64 + 64);
        let Some(head) = head else {
            let held = held?;
            self.note_request((from, request), None)?;
            let (host, body) = (self.clone(), body.to_vec());
            self.of.spawn.spawn(Box::new(move || {
                let _held = held;
                host.serve_ask(from, request, &body);
            }));
            return Ok(());
        };
        let name = (from, head.txn);
        let known = self.desk.lock().guests.get(&name).cloned();
        let held = match (held, &known) {
            (Err(e), Some(guest)) => {
                // What follows would miss this message.
                self.turn_out(guest);
                return Err(e);
            }
            (held, _) => held?,
        };
        let guest = match known {
            Some(g) => g,
            None if head.seq == 0 && self.holds.load(Ordering::SeqCst) => return Err(held_back()),
            None if head.seq == 0 => self.welcome(name)?,
            None => return Err(unheard()),
        };
        let work = Work { request, body: body.to_vec(), cancelled: false, _held: held };
        if let Err(e) = self.note_request((from, request), Some(&guest)) {
            self.turn_out(&guest);
            return Err(e);
        }
        let begin = {
            let mut s = guest.state.lock();
            if s.dead || s.seq != head.seq {
                drop(s);
                self.turn_out(&guest);
                return Err(unheard());
            }
            s.seq += 1;
            s.work.push_back(work);
            !std::mem::replace(&mut s.busy, true)
        };
        if begin && request.is_none() && is_quick(body) {
            // Whoever is heard next finds the locks free that this gives back.
            self.serve_quick(&guest);
        } else if begin {
            self.spawn(&guest);
        }
        // Between the look at `leads` and now everything may have been dismissed.
        if !self.leads.load(Ordering::SeqCst) {
            self.dismiss(|_| true, false);
        }
        Ok(())
    }
    fn note_request(&self, (from, request): (NodeId, Option<u64>), guest: Option<&Arc<Guest>>) -> Result<()> {
        let Some(number) = request else { return Ok(()) };
        let mut d = self.desk.lock();
        if d.requests.len() >= MOST_REQUESTS {
            bail!(TOO_MANY_CONNECTIONS, "too many requests of other nodes are under way");
        }
        d.requests.insert((from, number), guest.cloned());
        Ok(())
    }
    /// A transaction's first message.
    fn welcome(&self, name: Name) -> Result<Arc<Guest>> {
        let _held = self.memory.hold(TXN_BYTES)?;
        let open = Open {
            txn: None,
            statement: 0,
            snapshots: FxHashMap::default(),
            scans: FxHashMap::default(),
            savepoints: Vec::new(),
            untold: Vec::new(),
            _held,
        };
        let state = GuestState { open: Some(Box::new(open)), ..GuestState::default() };
        let guest = Arc::new(Guest { name, cancel: Arc::default(), state: Mutex::new(state) });
        let mut d = self.desk.lock();
        if d.guests.len() >= MOST_TRANSACTIONS {
            bail!(TOO_MANY_CONNECTIONS, "too many transactions of other nodes are open");
        }
        // A number that is taken: its second first message is one too many, and is found so.
        Ok(d.guests.entry(name).or_insert(guest).clone())
    }
    /// The request was given up by who made it.
    pub fn cancel(&self, from: NodeId, number: u64) {
        let guest = {
            let mut d = self.desk.lock();
            d.pieces.remove(&(from, number));
            d.requests.get(&(from, number)).cloned().flatten()
        };
        let Some(guest) = guest else { return };
        let mut s = guest.state.lock();
        if s.running == Some(number) {
            guest.cancel.request(CancelReason::User);
        } else if let Some(w) = s.work.iter_mut().find(|w| w.request == Some(number)) {
            w.cancelled = true;
        }
    }

    // ---- transactions ----
    /// Does what there is to do for a guest.
    fn serve(self: &Arc<Self>, guest: &Arc<Guest>) {
        let mut shift = Shift::begin(self, guest);
        let mut next = shift.take();
        while let Some(work) = next {
            next = shift.make(&work, Shift::take);
        }
    }
    /// Does one message for an idle guest, which waits for nothing; what comes meanwhile is another job's.
    fn serve_quick(self: &Arc<Self>, guest: &Arc<Guest>) {
        let mut shift = Shift::begin(self, guest);
        let Some(work) = shift.take() else { return };
        let more = shift.make(&work, Shift::leave);
        drop(shift);
        if more.is_some() {
            self.spawn(guest);
        }
    }
    fn spawn(self: &Arc<Self>, guest: &Arc<Guest>) {
        let (host, guest) = (self.clone(), guest.clone());
        self.of.spawn.spawn(Box::new(move || host.serve(&guest)));
    }
    /// Applies a message's notes and makes its call.
    fn perform(&self, guest: &Guest, open: &mut Open, work: &Work) -> (State, Result<Vec<u8>>) {
        let store = self.of.shard.store();
        let before = store.take_page_counts();
        let mut r = self.try_perform(guest, open, work);
        let pages = store.take_page_counts();
        store.count_pages(before);
        // What is tied is told only after a `settle`; of a note nothing is told.
        if work.request.is_some()
            && let Some(txn) = &open.txn
            && !txn.tied()
            && let Err(e) = txn.may_answer()
        {
            r = Err(e);
        }
        if guest.state.lock().dead && open.txn.is_some() {
            open.txn = None;
            r = Err(not_leading());
        }
        let snapshots = if work.request.is_some() { std::mem::take(&mut open.untold) } else { Vec::new() };
        let mut state = State { pages, snapshots, ..State::default() };
        if let Some(txn) = &open.txn {
            (state.tied, state.has_writes, state.id) = (txn.tied(), txn.has_writes(), txn.id());
        }
        (state, r)
    }
    fn try_perform(&self, guest: &Guest, open: &mut Open, work: &Work) -> Result<Vec<u8>> {
        // A message that was not understood whole leaves nothing that could go on.
        let call = match self.heed_all(guest, open, &work.body) {
            Ok(call) => call,
            Err(e) => {
                drop(open.end());
                return Err(e);
            }
        };
        if work.cancelled && !matches!(call, Call::Commit | Call::Prepare { .. }) {
            return Err(stopped());
        }
        let mut out = Vec::new();
        self.make(guest, open, call, &mut out)?;
        Ok(out)
    }
    /// Does what a message's notes say; its call.
    fn heed_all<'a>(&self, guest: &Guest, open: &mut Open, body: &'a [u8]) -> Result<Call<'a>> {
        let (head, mut r) = wire::read_head(body)?;
        let Some(head) = head else { return r.damaged() };
        if head.call == Call::End.number() {
            return Ok(Call::End);
        }
        let notes = r.varint()?;
        for _ in 0..notes {
            let note = Note::read(&mut r)?;
            self.heed(guest, open, note)?;
        }
        Call::read(head.call, &mut r)
    }
    fn heed(&self, guest: &Guest, open: &mut Open, note: Note) -> Result<()> {
        if let Note::Begin { isolation, read_only } = note {
            let txn = self.of.shard.begin(isolation, read_only, guest.cancel.clone());
            // The leadership may have ended since this was heard: what a follower has is not what was asked for.
            if !txn.is_led() {
                return Err(not_leading());
            }
            open.txn = Some(txn);
            return Ok(());
        }
        let Some(txn) = &open.txn else { return Err(unheard()) };
        match note {
            Note::Begin { .. } => {}
            Note::Limits { lock_timeout, rest } => txn.set_limits(lock_timeout, rest.map(|d| task::now() + d)),
            Note::Process(pid) => txn.set_process(pid),
            Note::NotBelow(ts) => {
                let until = task::now() + APPLIED_WAIT;
                let there = |s: &Shard| s.applied_ts() >= ts;
                if !self.of.shard.await_replica_until(until, &guest.cancel, there)? {
                    return Err(err!(CANNOT_CONNECT_NOW, "the leader lacks what this session has read before"));
                }
            }
            Note::Statement(n) => {
                if open.snapshots.len() >= MOST_SNAPSHOTS {
                    bail!(CONFIGURATION_LIMIT_EXCEEDED, "too many snapshots of a transaction are open");
                }
                if n <= open.statement || n > MOST_STATEMENTS {
                    return Err(Error::internal("a statement that is out of order"));
                }
                open.statement = n;
                let snap = txn.statement_at(n);
                open.untold.push((n, snap.ts()));
                open.snapshots.insert(n, snap);
            }
            Note::DropSnapshot(n) => drop(open.snapshots.remove(&n)),
            Note::Savepoint(n) => open.savepoints.push((n, txn.savepoint())),
            Note::Release(n) => {
                let (at, here) = savepoint(&open.savepoints, n)?;
                txn.release(here);
                open.savepoints.truncate(at);
            }
            Note::RollbackTo(n) => {
                let (at, here) = savepoint(&open.savepoints, n)?;
                txn.rollback_to(here);
                open.savepoints.truncate(at + 1);
            }
            Note::LockTable { table, mode, catalog } => {
                txn.lock_table(table, mode, WaitPolicy::Block)?;
                if (self.of.catalog_version)() > catalog && !plant::has(Bug::OldPlanServed) {
                    return Err(Error::new(wire::OUTDATED, "a definition has changed"));
                }
            }
            // As much as no disk has is as good as what was said.
            Note::ExpectWrites { writes, bytes } => txn.expect_writes(writes.min(1 << 40), bytes.min(1 << 50)),
            Note::DropScan(n) => drop(open.scans.remove(&n)),
            Note::Join(n) => self.with_locks((guest.name.0, n), false, |l| {
                if let Some(l) = l {
                    txn.join(l);
                }
                Ok(())
            })?,
        }
        Ok(())
    }
    /// Makes a call; its result goes to `out`.
    fn make(&self, guest: &Guest, open: &mut Open, call: Call, out: &mut Vec<u8>) -> Result<()> {
        match call {
            Call::Nothing => Ok(()),
            Call::End => {
                drop(open.end());
                Ok(())
            }
            Call::Commit => {
                let Some(txn) = open.end() else { return Err(unheard()) };
                put_varint(out, txn.commit()?);
                Ok(())
            }
            Call::Prepare { gid, owner, database } => {
                let Some(txn) = open.end() else { return Err(unheard()) };
                txn.prepare(gid, owner, database)
            }
            Call::ScanOpen { .. } | Call::ScanRanges { .. } | Call::ScanMore { .. } | Call::ScanPass { .. } => {
                self.scan(open, call, out)
            }
            _ => self.reach(guest, open, call, out),
        }
    }
    /// A call about keys, locks or trees.
    fn reach(&self, guest: &Guest, open: &Open, call: Call, out: &mut Vec<u8>) -> Result<()> {
        let Open { txn: Some(txn), snapshots, .. } = open else { return Err(unheard()) };
        let snapshot = |n: u32| snapshots.get(&n).ok_or_else(no_snapshot);
        let mut value = Vec::new();
        match call {
            Call::Get { snap, tree, key } => {
                let found = txn.get(snapshot(snap)?, tree, key, &mut value)?;
                put_found(out, found, &value);
            }
            Call::GetMany { snap, keys } => {
                let snap = snapshot(snap)?;
                let each = |(tree, key, _): (TreeId, &[u8], &[u8]), out: &mut Vec<u8>| -> Result<bool> {
                    put_found(out, txn.get(snap, tree, key, &mut value)?, &value);
                    Ok(true)
                };
                put_some(out, keys.iter(), each)?;
            }
            Call::GetLatest { tree, key } => {
                wire::put_latest(out, &txn.get_latest(tree, key, &mut value)?);
                put_bytes(out, &value);
            }
            Call::GetLatestMany(keys) => {
                let each = |(tree, key, _): (TreeId, &[u8], &[u8]), out: &mut Vec<u8>| -> Result<bool> {
                    wire::put_latest(out, &txn.get_latest(tree, key, &mut value)?);
                    put_bytes(out, &value);
                    Ok(true)
                };
                put_some(out, keys.iter(), each)?;
            }
            Call::LockRow { tree, key, mode, policy } => {
                wire::put_outcome(out, txn.lock_row(tree, key, mode, policy)?);
            }
            Call::LockRange { tree, lo, hi } => txn.lock_range(tree, lo, hi)?,
            Call::LockTable { table, mode, policy } => {
                wire::put_outcome(out, txn.lock_table(table, mode, policy)?);
                put_varint(out, (self.of.catalog_version)());
            }
            Call::Claim { tree, key, mode } => {
                wire::put_latest(out, &txn.claim(tree, key, mode, &mut value)?);
                put_bytes(out, &value);
            }
            Call::ClaimMany { keys, mode, until } => {
                let each = |(tree, key, _): (TreeId, &[u8], &[u8]), out: &mut Vec<u8>| -> Result<bool> {
                    let latest = txn.claim(tree, key, mode, &mut value)?;
                    wire::put_latest(out, &latest);
                    put_bytes(out, &value);
                    Ok(until == Until::End || !latest.exists)
                };
                put_complete(out, keys.iter(), each)?;
            }
            Call::Meet { tree, key } => {
                let (mode, latest) = txn.meet(tree, key, &mut value)?;
                wire::put_row_lock(out, mode);
                wire::put_latest(out, &latest);
                put_bytes(out, &value);
            }
            Call::ClaimEach(wants) => {
                let each =
                    |((tree, want), key, _): ((TreeId, Want), &[u8], &[u8]), out: &mut Vec<u8>| -> Result<bool> {
                        let (mode, latest) = match want.lock {
                            Some(mode) => (mode, txn.claim(tree, key, mode, &mut value)?),
                            None => txn.meet(tree, key, &mut value)?,
                        };
                        wire::put_row_lock(out, mode);
                        wire::put_latest(out, &latest);
                        put_bytes(out, &value);
                        Ok(want.there.is_none_or(|there| there == latest.exists))
                    };
                put_complete(out, wants.iter(), each)?;
            }
            Call::WriteMany(wire::Items::Read(writes)) => txn.write_many(&writes)?,
            Call::WriteMany(wire::Items::From(writes, _)) => txn.write_many(writes)?,
            Call::CreateTree => put_varint(out, txn.create_tree()?.0),
            Call::DropTree(tree) => txn.drop_tree(tree)?,
            Call::WrittenTwice(tree) => wire::put_option(out, txn.written_twice(tree)?.as_deref()),
            Call::Settle => txn.settle()?,
            Call::Tell => put_varint(out, txn.tell()?),
            Call::Xids => {
                let xids = txn.xids()?;
                put_varint(out, xids.xmin);
                put_varint(out, xids.xmax);
                put_list(out, &xids.running, |out, n| put_varint(out, *n));
            }
            Call::LockForSession { locks, number, mode, policy } => {
                let got = self.with_locks((guest.name.0, locks), true, |l| match l {
                    Some(l) => {
                        txn.join(l);
                        txn.lock_for_session(l, number, mode, policy)
                    }
                    None => Err(unheard()),
                })?;
                wire::put_outcome(out, got);
            }
            // They are made elsewhere.
            Call::Nothing | Call::End | Call::Commit | Call::Prepare { .. } => {}
            Call::ScanOpen { .. } | Call::ScanRanges { .. } | Call::ScanMore { .. } | Call::ScanPass { .. } => {}
        }
        Ok(())
    }
    /// A call about a scan.
    fn scan(&self, open: &mut Open, call: Call, out: &mut Vec<u8>) -> Result<()> {
        let Open { txn: Some(txn), snapshots, scans, .. } = open else { return Err(unheard()) };
        let (txn, snapshots) = (&*txn, &*snapshots);
        let snapshot = |n: u32| snapshots.get(&n).ok_or_else(no_snapshot);
        match call {
            Call::ScanOpen { scan, snap, tree, lo, hi, dir, max } => {
                if scans.len() >= MOST_SCANS {
                    bail!(CONFIGURATION_LIMIT_EXCEEDED, "too many scans of a transaction are open");
                }
                let mut s = match snap {
                    Some(n) => txn.scan(snapshot(n)?, tree, lo, hi, dir)?,
                    None => txn.scan_latest(tree, lo, hi, dir)?,
                };
                if put_entries(out, &mut s, txn, max)? {
                    scans.insert(scan, (s, self.memory.hold(SCAN_BYTES)?));
                }
            }
            Call::ScanRanges { snap, ranges, dir, max } => {
                let snap = snap.map(snapshot).transpose()?;
                let max = (max as usize).min(SCAN_MOST);
                let (mut whole, mut n, mut bytes) = (0u64, 0u64, Vec::new());
                'ranges: for (i, ((tree, bounded), lo, hi)) in ranges.iter().enumerate() {
                    let hi = bounded.then_some(hi);
                    let mut s = match snap {
                        Some(snap) => txn.scan(snap, tree, lo, hi, dir)?,
                        None => txn.scan_latest(tree, lo, hi, dir)?,
                    };
                    while let Some((k, v)) = s.next(txn)? {
                        if n as usize >= max || bytes.len() >= ANSWER_BYTES {
                            break 'ranges;
                        }
                        put_varint(&mut bytes, i as u64);
                        put_bytes(&mut bytes, k);
                        put_bytes(&mut bytes, v);
                        n += 1;
                    }
                    whole += 1;
                }
                put_varint(out, whole);
                put_varint(out, n);
                out.extend_from_slice(&bytes);
            }
            Call::ScanMore { scan, max } => {
                let Some((s, _)) = scans.get_mut(&scan) else { return Err(no_scan()) };
                if !put_entries(out, s, txn, max)? {
                    scans.remove(&scan);
                }
            }
            Call::ScanPass { scan, max } => {
                let Some((s, _)) = scans.get_mut(&scan) else { return Err(no_scan()) };
                put_varint(out, s.pass(max, txn)?);
            }
            _ => {}
        }
        Ok(())
    }

    // ---- session locks ----
    /// Runs `f` with a session's locks, which it has for itself meanwhile; without any if there are none and none are to be made.
    fn with_locks<R>(
        &self,
        name: Name,
        make: bool,
        f: impl FnOnce(Option<&mut SessionLocks>) -> Result<R>,
    ) -> Result<R> {
        let slot = {
            let mut d = self.desk.lock();
            match d.locks.get(&name) {
                Some(s) => s.clone(),
                None if !make => {
                    drop(d);
                    return f(None);
                }
                None if d.locks.len() >= MOST_LOCKS => {
                    bail!(TOO_MANY_CONNECTIONS, "too many sessions of other nodes hold locks")
                }
                None => {
                    let held = Some(self.memory.hold(LOCKS_BYTES)?);
                    let locks = Some(self.of.shard.session_locks());
                    let slot = Arc::new(Mutex::new(LocksSlot { locks, over: false, held }));
                    d.locks.insert(name, slot.clone());
                    slot
                }
            }
        };
        // A call that was given up may have them for a moment more.
        let until = task::now() + LOCKS_WAIT;
        let mut hand = Hand { slot: &slot, locks: None };
        loop {
            let mut s = slot.lock();
            if s.over {
                return Err(unheard());
            }
            hand.locks = s.locks.take();
            drop(s);
            if hand.locks.is_some() {
                break;
            }
            if task::now() >= until {
                bail!(OBJECT_IN_USE, "the session's locks are in use");
            }
            task::sleep(LOCKS_EVERY, |_| false);
        }
        f(hand.locks.as_mut())
    }

    // ---- calls of no transaction ----
    fn serve_ask(self: &Arc<Self>, from: NodeId, request: Option<u64>, body: &[u8]) {
        // If the call ends by unwinding, it is answered all the same.
        let _broken = Asked { host: self, from, request };
        let r = wire::open(body).and_then(|mut r| Ask::read(&mut r)).and_then(|ask| self.answer_ask(from, ask));
        self.answer(from, request, &State::default(), r);
    }
    fn answer_ask(&self, from: NodeId, ask: Ask) -> Result<Vec<u8>> {
        let shard = &*self.of.shard;
        let mut out = Vec::new();
        match ask {
            Ask::NextIds { space, n } => {
                let n = n.min(MOST_VALUES);
                let ids = (0..n).map(|_| shard.next_id(space)).collect::<Result<Vec<u64>>>()?;
                put_list(&mut out, &ids, |out, id| put_varint(out, *id));
            }
            Ask::SeqNext { seq, def } => wire::put_signed(&mut out, shard.seq_next(seq, &def)?),
            Ask::SeqNextMany { seq, def, n } => {
                let mut values = Vec::new();
                Engine::seq_next_many(shard, seq, &def, n.min(MOST_VALUES) as usize, &mut values)?;
                put_list(&mut out, &values, |out, v| wire::put_signed(out, *v));
            }
            Ask::SeqSet { seq, last, is_called } => shard.seq_set(seq, last, is_called)?,
            Ask::SeqRead { seq } => {
                let read = shard.seq_read(seq)?;
                let (last, is_called) = read.unwrap_or_default();
                out.push(u8::from(read.is_some()));
                wire::put_signed(&mut out, last);
                out.push(u8::from(is_called));
            }
            Ask::CommitPrepared { gid } => put_varint(&mut out, shard.commit_prepared(gid)?),
            Ask::RollbackPrepared { gid } => shard.rollback_prepared(gid)?,
            Ask::Catalog => put_varint(&mut out, (self.of.catalog_version)()),
            Ask::Prepared => put_list(&mut out, &shard.prepared(), wire::put_prepared),
            Ask::Locks => put_list(&mut out, &shard.locks(), wire::put_lock_line),
            Ask::WaitingProcesses => put_list(&mut out, &shard.waiting_processes(), |out, (pid, on)| {
                put_varint(out, u64::from(*pid));
                wire::put_target(out, on);
            }),
            Ask::Outcome { txn } => {
                let (outcome, ts) = shard.outcome(txn)?;
                wire::put_fate(&mut out, outcome);
                put_varint(&mut out, ts);
            }
            Ask::Unlock { locks, number, mode } => {
                let held = self.with_locks((from, locks), false, |l| Ok(l.is_some_and(|l| l.unlock(number, mode))))?;
                out.push(u8::from(held));
            }
            Ask::UnlockAll { locks, forget: false } => self.with_locks((from, locks), false, |l| {
                if let Some(l) = l {
                    l.unlock_all();
                }
                Ok(())
            })?,
            Ask::UnlockAll { locks, forget: true } => {
                let slot = self.desk.lock().locks.remove(&(from, locks));
                if let Some(s) = slot {
                    drop_locks(&s);
                }
            }
        }
        Ok(out)
    }
}

/// A job's time with a guest. However it ends, the guest is left so that others can go on.
struct Shift<'a> {
    host: &'a Arc<Host>,
    guest: &'a Arc<Guest>,
    open: Option<Box<Open>>,
    /// The request in hand.
    request: Option<u64>,
}
impl<'a> Shift<'a> {
    fn begin(host: &'a Arc<Host>, guest: &'a Arc<Guest>) -> Shift<'a> {
        let open = guest.state.lock().open.take();
        Shift { host, guest, open, request: None }
    }
    /// Makes a message's call and answers it; what `then` says is next.
    fn make<T>(&mut self, work: &Work, then: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let open = self.open.as_mut()?;
        let (state, r) = self.host.perform(self.guest, open, work);
        let over = open.txn.is_none();
        let request = self.request.take();
        let next = if over {
            self.open = None;
            self.host.forget(self.guest);
            None
        } else {
            // Idle before it is answered: what is told next is done at once.
            then(self)
        };
        self.host.answer(self.guest.name.0, request, &state, r);
        if over {
            // Whoever sent more after the end learns it.
            self.host.dead(self.guest, unheard);
        }
        next
    }
    /// Leaves the guest to whoever comes next; Some: there is work, and nobody for it yet.
    fn leave(&mut self) -> Option<()> {
        let mut s = self.guest.state.lock();
        s.running = None;
        if s.dead {
            return None;
        }
        s.open = self.open.take();
        s.busy = !s.work.is_empty();
        s.busy.then_some(())
    }
    /// The next message; without one the guest is idle.
    fn take(&mut self) -> Option<Work> {
        let mut s = self.guest.state.lock();
        s.running = None;
        if s.dead {
            return None;
        }
        let Some(work) = s.work.pop_front() else {
            s.open = self.open.take();
            s.busy = false;
            return None;
        };
        self.guest.cancel.reset();
        (s.running, self.request) = (work.request, work.request);
        Some(work)
    }
}
impl Drop for Shift<'_> {
    fn drop(&mut self) {
        let open = self.open.take();
        if open.is_none() && self.request.is_none() {
            return;
        }
        // The guest died, or a call ended by unwinding: there is nothing to go on with.
        drop(open);
        self.host.turn_out(self.guest);
        let e = Error::internal("a call of another node's transaction was broken off");
        self.host.answer(self.guest.name.0, self.request.take(), &State::default(), Err(e));
    }
}

/// A request of no transaction in hand.
struct Asked<'a> {
    host: &'a Arc<Host>,
    from: NodeId,
    request: Option<u64>,
}
impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let e = Error::internal("a call of another node was broken off");
            self.host.answer(self.from, self.request, &State::default(), Err(e));
        }
    }
}

/// A session's locks in a call's hands.
struct Hand<'a> {
    slot: &'a Mutex<LocksSlot>,
    locks: Option<SessionLocks>,
}
impl Drop for Hand<'_> {
    fn drop(&mut self) {
        let Some(locks) = self.locks.take() else { return };
        let mut s = self.slot.lock();
        if s.over {
            drop(s);
            drop(locks);
        } else {
            s.locks = Some(locks);
        }
    }
}
/// Nobody will take more of these locks: what is held is given back, by whoever has it in hand.
fn drop_locks(slot: &Mutex<LocksSlot>) {
    let (locks, held) = {
        let mut s = slot.lock();
        s.over = true;
        (s.locks.take(), s.held.take())
    };
    drop(locks);
    drop(held);
}

impl Open {
    /// The transaction, to be ended.
    fn end(&mut self) -> Option<LocalTxn> {
        self.scans.clear();
        self.snapshots.clear();
        self.txn.take()
    }
}

/// Can a message that nobody answers be done without waiting for anything?
fn is_quick(body: &[u8]) -> bool {
    let Ok((Some(head), mut r)) = wire::read_head(body) else { return true };
    if head.call == Call::End.number() {
        return true;
    }
    let Ok(n) = r.varint() else { return true };
    for _ in 0..n {
        match Note::read(&mut r) {
            Ok(Note::Statement(_) | Note::Join(_) | Note::NotBelow(_) | Note::LockTable { .. }) => return false,
            Ok(_) => {}
            // What is damaged is refused at once.
            Err(_) => return true,
        }
    }
    head.call == Call::Nothing.number()
}
/// Where a savepoint of another node's stands, and its number here.
fn savepoint(all: &[(u32, u32)], n: u32) -> Result<(usize, u32)> {
    let at = all.iter().position(|s| s.0 == n);
    at.map(|at| (at, all[at].1)).ok_or_else(|| Error::internal("a savepoint that was released"))
}
#[cold]
fn no_snapshot() -> Error {
    Error::internal("a snapshot that was dropped")
}
#[cold]
fn no_scan() -> Error {
    Error::internal("a scan that is over")
}
fn put_found(out: &mut Vec<u8>, found: bool, value: &[u8]) {
    out.push(u8::from(found));
    put_bytes(out, if found { value } else { &[] });
}
/// A batch of as many of `keys` as an answer takes, at least one; true: of all, or up to the one that `each` said to be the last.
fn put_items<T>(
    keys: impl Iterator<Item = T>,
    mut each: impl FnMut(T, &mut Vec<u8>) -> Result<bool>,
) -> Result<(bool, u64, Vec<u8>)> {
    let (mut n, mut bytes) = (0, Vec::new());
    for key in keys {
        if bytes.len() >= ANSWER_BYTES {
            return Ok((false, n, bytes));
        }
        n += 1;
        if !each(key, &mut bytes)? {
            break;
        }
    }
    Ok((true, n, bytes))
}
fn put_some<T>(
    out: &mut Vec<u8>,
    keys: impl Iterator<Item = T>,
    each: impl FnMut(T, &mut Vec<u8>) -> Result<bool>,
) -> Result<()> {
    let (_, n, bytes) = put_items(keys, each)?;
    put_varint(out, n);
    out.extend_from_slice(&bytes);
    Ok(())
}
fn put_complete<T>(
    out: &mut Vec<u8>,
    keys: impl Iterator<Item = T>,
    each: impl FnMut(T, &mut Vec<u8>) -> Result<bool>,
) -> Result<()> {
    let (complete, n, bytes) = put_items(keys, each)?;
    out.push(u8::from(complete));
    put_varint(out, n);
    out.extend_from_slice(&bytes);
    Ok(())
}
/// Reads entries ahead; true: there may be more.
fn put_entries(out: &mut Vec<u8>, scan: &mut LocalScan, txn: &LocalTxn, max: u32) -> Result<bool> {
    let (mut n, mut bytes, mut more) = (0u64, Vec::new(), true);
    while n < u64::from(max).clamp(1, SCAN_MOST as u64) && bytes.len() < ANSWER_BYTES {
        let Some((k, v)) = scan.next(txn)? else {
            more = false;
            break;
        };
        put_bytes(&mut bytes, k);
        put_bytes(&mut bytes, v);
        n += 1;
    }
    out.push(u8::from(more));
    put_varint(out, n);
    out.extend_from_slice(&bytes);
    Ok(more)
}

const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Host>();
};
