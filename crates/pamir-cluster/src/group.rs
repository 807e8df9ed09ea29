//! One replica of a group: consensus, its entries in the node's log, its shard, and what becomes of batches.
//!
//! ```text
//!             messages in                              closed batches of the shard (leader)
//!                 ▼                                           ▼
//!   RawNode (the raft library) ── ready ──► entries to the node log ── synced ──► answers to the leader, own vote for the entry
//!                 │                  └────► messages to followers, beside the sync
//!                 └─ decided up to i ──► shard: own batches, or records from the entries' data
//! ```
//! # Roles
//! - **Leader.** It serves ([`Shard::lead`]) once an entry of its own term is applied, and answers while it holds the lease (`lease.rs`). At most [`FLIGHTS`] batches are under way: what comes
//!   meanwhile makes the next one larger.
//! - **No longer.** Batches under way keep their places and locks until the entry at their place is decided: the same one, and they are committed; another's, and they are rolled back (40001).
//!   What has no place is rolled back at once.
//! - **Followers** ask the leader how far the log is, so that they know how fresh their own data is (`closed.rs`).
//! - **Elections** are timed here, not by the library's ticks: a replica asks for votes when its promise has run out and a pause, drawn from [`Chance`], has passed without a leader. A vote request
//!   that meets a promise is dropped, but for one that belongs to a planned transfer.
//!
//! *Invariants*: an entry is acknowledged, and a vote given, after it is on the disk; entries are handed to the shard in their order, each once, when decided and on this disk.
//! The library ends the process where its own invariants break; messages are looked at before they come there (`message.rs`).
use crate::closed::Asking;
use crate::lease::{Lease, Promise};
use crate::log::{GroupLog, NodeLog, pack, unpack};
use crate::members::{Change, change_members, silent};
use crate::message::Say;
use crate::plant::{self, Bug};
use crate::stamp;
use crate::trickle::Trickle;
use crate::version::{self, Build, Waits};
use crate::watch::{Counts, Progressing, Reading};
use crate::{GroupId, NodeId};
use bytes::Bytes;
use pamir_error::{Error, Result, err};
use pamir_storage::disk::is_full;
use pamir_storage::log::Lsn;
use pamir_txn::{Closed, ClosedBatch, Entered, EntryId, Shard};
use raft::eraftpb::{ConfChangeSingle, ConfChangeType, ConfChangeV2, Entry, EntryType, Message, MessageType, Snapshot};
use raft::{Config, RawNode, SnapshotStatus, StateRole};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Batches under way.
pub const FLIGHTS: usize = 4;
/// Bytes of records after which a batch is closed.
pub const BATCH_BYTES: usize = 1 << 20;
/// Entries that the shard has not applied yet, beyond which a follower hands it no more.
const BACKLOG: usize = 256;
/// The library's step of time, for a leader: heartbeats, and whether a quorum still answers.
pub const TICK: Duration = Duration::from_millis(50);
const HEARTBEAT_TICKS: usize = 2;
const QUORUM_TICKS: usize = 20;
/// Bytes of entries in one message,
const MESSAGE_BYTES: u64 = 1 << 20;
/// messages to one follower that are not answered,
pub const MESSAGES: usize = 64;
/// and bytes of decided entries looked at together.
const DECIDED_BYTES: u64 = 16 << 20;
/// One that is not to lead waits so much longer: it leads where nobody else can.
pub const RELUCTANCE: Duration = Duration::from_secs(3);
/// A replica without a leader waits up to this long before it asks for votes, and as long at least between two times.
pub const ELECTION_PAUSE: Duration = Duration::from_millis(300);

/// Below this a process's first question has its number.
const QUESTIONS: u64 = 1 << 56;
/// Entries that a learner may lack and still become a voter.
const CAUGHT_UP: u64 = 64;
/// ... and bytes of log.
const CAUGHT_UP_BYTES: u64 = 4 << 20;

/// A change of one node's part.
pub fn change_of(kind: ConfChangeType, node: NodeId) -> ConfChangeV2 {
    let mut one = ConfChangeSingle::default();
    one.set_change_type(kind);
    one.node_id = node;
    let mut change = ConfChangeV2::default();
    change.set_changes(vec![one].into());
    change
}

/// Random numbers: a node's own, or a seed's.
pub trait Chance: Send {
    /// Below `n`, which is not 0.
    fn below(&mut self, n: u64) -> u64;
}

/// A batch on its way through the group.
struct Flight {
    id: EntryId,
    batch: ClosedBatch,
}
/// What may be said once the log is on the disk up to `end`.
struct Unsynced {
    ready: u64,
    end: Lsn,
    messages: Vec<Message>,
}

/// What a replica wants done.
#[derive(Default)]
pub struct Effects {
    pub say: Vec<(NodeId, Say)>,
    /// Followers that are to get a snapshot.
    pub snapshots: Vec<(NodeId, Snapshot)>,
    /// Members have changed.
    pub members: bool,
}

pub struct Group {
    pub id: GroupId,
    me: NodeId,
    raw: RawNode<GroupLog>,
    shard: Option<Arc<Shard>>,
    /// The newest entry handed to the shard.
    handed: u64,
    decided: u64,
    flights: VecDeque<Flight>,
    unsynced: VecDeque<Unsynced>,
    role: StateRole,
    /// The newest term in which it led.
    led_term: u64,
    serving: bool,
    lease: Lease,
    promise: Promise,
    asking: Asking,
    /// `sent` of questions is counted from here.
    base: Instant,
    ticked: Instant,
    campaign_at: Instant,
    transfer: bool,
    chance: Box<dyn Chance>,
    /// This node's log has no room.
    pub disk_full: bool,
    /// It is not to lead: others come first.
    pub reluctant: bool,
    counts: Counts,
    /// When the lease that the shard was told of ends.
    leased: Option<Instant>,
    /// Appends to members that do not vote yet.
    trickle: Trickle,
    /// Bytes that were proposed when it was last told.
    grown: u64,
}

impl Group {
    /// A replica whose log was read and whose shard holds what is decided up to `handed`. `fresh`: it has promised nothing yet.
    pub fn new(
        me: NodeId,
        log: GroupLog,
        handed: u64,
        shard: Option<Arc<Shard>>,
        fresh: bool,
        now: Instant,
        mut chance: Box<dyn Chance>,
    ) -> Result<Group> {
        let config = Config {
            id: me,
            election_tick: QUORUM_TICKS,
            heartbeat_tick: HEARTBEAT_TICKS,
            applied: handed,
            max_size_per_msg: MESSAGE_BYTES,
            max_inflight_msgs: if plant::has(Bug::FollowerWithoutWindow) { 1 << 20 } else { MESSAGES },
            check_quorum: true,
            pre_vote: true,
            skip_bcast_commit: true,
            max_committed_size_per_ready: DECIDED_BYTES,
            ..Config::default()
        };
        let id = log.group;
        // Who needs nobody else has nobody to be faithful to.
        let alone = log.members.is_quorum(|id| id == me);
        let raw = RawNode::new(&config, log, &silent())
            .map_err(|e| err!(DATA_CORRUPTED, "a group's log does not fit: {e}"))?;
        let promise = if fresh || alone || plant::has(Bug::PromiseForgotten) {
            Promise::none(now)
        } else {
            Promise::of_start(now)
        };
        let campaign_at = promise.until();
        let mut g = Group {
            id,
            me,
            raw,
            shard,
            handed,
            decided: handed,
            flights: VecDeque::new(),
            unsynced: VecDeque::new(),
            role: StateRole::Follower,
            led_term: 0,
            serving: false,
            lease: Lease::default(),
            promise,
            asking: Asking::new(chance.below(QUESTIONS)),
            base: now,
            ticked: now,
            campaign_at,
            transfer: false,
            chance,
            disk_full: false,
            reluctant: false,
            counts: Counts::default(),
            leased: None,
            trickle: Trickle::new(0, MESSAGES, now),
            grown: 0,
        };
        g.put_off_campaign(campaign_at);
        Ok(g)
    }
    pub fn log(&self) -> &GroupLog {
        self.raw.store()
    }
    pub fn log_mut(&mut self) -> &mut GroupLog {
        self.raw.mut_store()
    }
    pub fn term(&self) -> u64 {
        self.raw.raft.term
    }
    /// Who leads, as far as this replica knows; 0: nobody.
    pub fn leader(&self) -> NodeId {
        self.raw.raft.leader_id
    }
    pub fn leads(&self) -> bool {
        self.raw.raft.state == StateRole::Leader
    }
    /// It leads and its shard takes changes.
    pub fn serves(&self) -> bool {
        self.serving
    }
    /// The newest entry that is known to be decided.
    pub fn decided(&self) -> u64 {
        self.raw.raft.raft_log.committed
    }
    /// Each member's newest stored entry, if this replica leads.
    pub fn progress(&self) -> Vec<(NodeId, u64)> {
        if !self.leads() {
            return Vec::new();
        }
        let mut all: Vec<_> = self.raw.raft.prs().iter().map(|(id, p)| (*id, p.matched)).collect();
        all.sort_unstable();
        all
    }
    /// Its leadership is on its way to another node.
    pub fn is_transferring(&self) -> bool {
        self.transfer
    }
    /// All that an operator may ask of it. `log`: where the node's log begins and ends; `applied`: what members say they have applied.
    pub fn reading(&self, log: (Lsn, Lsn), applied: impl Fn(NodeId) -> u64) -> Reading {
        let (stored, leads) = (self.raw.raft.raft_log.last_index(), self.leads());
        let place = |index: u64| match self.log().place_after(index) {
            Some(p) => p,
            None if index >= stored => log.1,
            None => log.0,
        };
        let one = |(id, p): (&NodeId, &raft::Progress)| Progressing {
            node: *id,
            matched: p.matched,
            next: p.next_idx,
            snapshot: p.state == raft::ProgressState::Snapshot,
        };
        let mut progress: Vec<Progressing> =
            if leads { self.raw.raft.prs().iter().map(one).collect() } else { Vec::new() };
        progress.sort_unstable_by_key(|p| p.node);
        let of = |p: &Progressing| {
            [place(p.next.saturating_sub(1)), place(p.matched), place(applied(p.node).min(p.matched))]
        };
        Reading {
            term: self.term(),
            leader: self.leader(),
            leads,
            serves: self.serving,
            stored,
            decided: self.decided(),
            disk_full: self.disk_full,
            counts: self.counts,
            log,
            places: progress.iter().map(of).collect(),
            progress,
        }
    }

    /// A message of another node's.
    pub fn hear(&mut self, from: NodeId, say: Say, log: &mut NodeLog, now: Instant, out: &mut Effects) -> Result<()> {
        match say {
            Say::Lease { term, sent } => {
                if term == self.term() && self.leader() == from && !self.leads() {
                    self.promise.give(now);
                    self.put_off_campaign(now);
                    out.say.push((from, Say::Promise { term, sent, disk_full: self.disk_full }));
                }
            }
            Say::Promise { term, sent, .. } => {
                // What was not asked is not believed.
                let sent = self.base.checked_add(Duration::from_nanos(sent)).filter(|s| *s <= now);
                if let Some(sent) = sent.filter(|_| term == self.term() && self.leads()) {
                    self.lease.promise(from, sent);
                    self.extend_lease(now);
                }
            }
            Say::Ask { number, decided } => {
                if let Some((index, ts)) = self.closed(now) {
                    out.say.push((from, Say::Closed { number, index, ts }));
                    if decided < index {
                        // With the next heartbeat it would know; somebody may be waiting.
                        self.raw.ping();
                    }
                }
            }
            Say::Closed { number, index, ts } => {
                if let (Some(asked), Some(s)) = (self.asking.answered(number, now), &self.shard) {
                    let index = if plant::has(Bug::AppliedNotAwaited) { 0 } else { index };
                    s.take_closed(Closed { index, ts, asked });
                }
            }
            Say::Raft(m) => self.step(*m, log, now)?,
        }
        Ok(())
    }
    /// Up to which entry all lies that anybody was told so far, and which timestamp no later one has; None: only another leader may know. See `closed.rs`.
    fn closed(&self, now: Instant) -> Option<(u64, u64)> {
        if !self.serving || !self.leads() || self.transfer {
            return None;
        }
        let lease = self.lease.until(self.me, &self.raw.store().members, now);
        if lease.is_none_or(|until| now >= until) && !plant::has(Bug::ClosedWithoutLease) {
            return None;
        }
        let ts = self.shard.as_ref()?.applied_ts();
        let queued = if plant::has(Bug::ClosedAboveQueued) { FLIGHTS as u64 } else { 0 };
        // After the timestamp: what is applied is decided.
        Some((self.decided(), ts + queued))
    }
    /// A follower asks its leader how far the log is, if it is time.
    fn ask_closed(&mut self, now: Instant, out: &mut Effects) {
        let leader = self.leader();
        if leader == raft::INVALID_ID || self.leads() || self.asking.due().is_some_and(|d| now < d) {
            return;
        }
        let number = self.asking.ask(now);
        out.say.push((leader, Say::Ask { number, decided: self.decided() }));
    }
    /// Somebody waits for what is here to be fresher.
    pub fn want_closed(&mut self, now: Instant) {
        self.asking.want(now);
    }
    fn step(&mut self, m: Message, log: &mut NodeLog, now: Instant) -> Result<()> {
        match m.get_msg_type() {
            MessageType::MsgRequestVote | MessageType::MsgRequestPreVote => {
                let bound = self.promise.binds(now) && !plant::has(Bug::VoteInPromise);
                if m.context != raft::CAMPAIGN_TRANSFER && bound {
                    return Ok(());
                }
                // The library's own measure of the same, which nobody counts on here.
                self.raw.raft.election_elapsed = QUORUM_TICKS;
            }
            MessageType::MsgAppend if !m.get_entries().is_empty() => {
                let lens = m.get_entries().iter().map(|e| e.data.len() + e.context.len());
                self.disk_full = false;
                if let Err(e) = log.reserve(lens) {
                    if !is_full(&e) {
                        return Err(e);
                    }
                    // Not stored, not answered: the leader goes on without this node, and sends it again.
                    self.disk_full = true;
                    return Ok(());
                }
            }
            // It came late: what the follower lacked then it has acknowledged since. Taken at its word, it would be offered a snapshot where the log before that is gone.
            MessageType::MsgAppendResponse if m.reject && m.term == self.term() && self.leads() => {
                let progress = self.raw.raft.prs().get(m.from);
                if progress.is_some_and(|p| m.index <= p.matched) {
                    return Ok(());
                }
            }
            // Its leader may begin to lead only with a promise of its own.
            MessageType::MsgTransferLeader | MessageType::MsgSnapshot => return Ok(()),
            _ => {}
        }
        // What a peer says that is no member any more, or out of its time, is no failure here.
        if let Err(e) = self.raw.step(m) {
            tracing::debug!(error = %e, "a message of consensus is dropped");
        }
        Ok(())
    }
    /// Time has passed.
    pub fn tick(&mut self, now: Instant, out: &mut Effects) {
        self.ask_closed(now, out);
        if self.leads() {
            let grown = self.counts.proposed_bytes;
            self.trickle.earn(now, grown - std::mem::replace(&mut self.grown, grown));
            let due = std::iter::from_fn(|| self.trickle.take_due());
            out.say.extend(due.map(|m| (m.to, Say::Raft(Box::new(m)))));
            if now >= self.ticked + TICK {
                // One at a time, however long it was: a node that stood still has not listened meanwhile.
                self.ticked = now;
                self.raw.tick();
            }
            if self.leads() && self.lease.is_due(now) && !self.transfer {
                self.lease.ask(now);
                let sent = u64::try_from(now.saturating_duration_since(self.base).as_nanos()).unwrap_or(u64::MAX);
                let term = self.term();
                for id in self.voters().filter(|id| *id != self.me) {
                    out.say.push((id, Say::Lease { term, sent }));
                }
                self.extend_lease(now);
            }
            if self.leased.is_some_and(|l| now >= l) && !self.transfer {
                (self.leased, self.counts.lease_expiries) = (None, self.counts.lease_expiries + 1);
            }
            if self.transfer && self.leads() && self.raw.raft.lead_transferee.is_none() {
                // It came to nothing. But the word to the successor may still be on its way, and its request for votes is not bound by promises: no lease is safe in this term.
                let next = self.term() + 1;
                self.raw.raft.become_follower(next, raft::INVALID_ID);
            }
        } else if now >= self.campaign_at {
            self.put_off_campaign(now);
            if self.raw.raft.promotable() && !self.promise.binds(now) {
                self.counts.elections += 1;
                let _ = self.raw.campaign();
            }
        }
    }
    /// When [`Group::tick`] has something to do next.
    pub fn next_tick(&self) -> Instant {
        if self.leads() {
            let tick = self.ticked + TICK;
            let tick = self.trickle.due().map_or(tick, |d| d.min(tick));
            self.lease.next().filter(|_| !self.transfer).map_or(tick, |l| l.min(tick))
        } else if self.leader() == raft::INVALID_ID {
            self.campaign_at
        } else {
            self.asking.due().map_or(self.base, |d| d.min(self.campaign_at))
        }
    }
    fn put_off_campaign(&mut self, now: Instant) {
        let pause = ELECTION_PAUSE.as_micros() as u64;
        let base = if self.role == StateRole::Follower { Duration::ZERO } else { ELECTION_PAUSE };
        let drawn = base + Duration::from_micros(self.chance.below(pause));
        let reluctance = if self.reluctant { RELUCTANCE } else { Duration::ZERO };
        self.campaign_at = self.promise.until().max(now) + drawn + reluctance;
    }
    fn voters(&self) -> impl Iterator<Item = NodeId> + use<> {
        let conf = &self.log().members.conf;
        let mut all: Vec<NodeId> = conf.voters.iter().chain(&conf.voters_outgoing).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
    fn extend_lease(&mut self, now: Instant) {
        if self.transfer || !self.leads() {
            return;
        }
        let stale = plant::has(Bug::StaleLease).then(|| now + Duration::from_secs(60));
        if let Some(until) = stale.or_else(|| self.lease.until(self.me, &self.raw.store().members, now)) {
            self.promise.hold(until);
            if let Some(s) = self.shard.as_ref().filter(|_| self.serving) {
                self.leased = Some(until);
                s.extend_lease(until);
            }
        }
    }

    /// Closes batches of the shard's and proposes them. False: there is nothing more, or no place for it.
    pub fn propose(&mut self, log: &mut NodeLog) -> Result<bool> {
        if !self.serving || !self.leads() || self.transfer || self.flights.len() >= FLIGHTS {
            return Ok(false);
        }
        let Some(shard) = self.shard.clone() else { return Ok(false) };
        let Some(batch) = shard.close_batch(BATCH_BYTES) else { return Ok(false) };
        if let Err(e) = log.reserve(batch.records().map(<[u8]>::len)) {
            let full = is_full(&e);
            shard.revoke(batch, e.clone());
            return if full { Ok(false) } else { Err(e) };
        }
        let bytes: u64 = batch.records().map(|r| r.len() as u64).sum();
        let data = pack(batch.records());
        if self.raw.propose(stamp::stamp(shard.platform().time()), data).is_err() {
            shard.revoke(batch, moved());
            return Ok(false);
        }
        self.counts.proposed += 1;
        self.counts.proposed_bytes += bytes;
        let raft_log = &self.raw.raft.raft_log;
        let id = EntryId { term: self.raw.raft.term, index: raft_log.last_index() };
        self.flights.push_back(Flight { id, batch });
        Ok(true)
    }
    /// Proposes a change of members. 55006 while another one is under way.
    pub fn change(&mut self, change: ConfChangeV2, what: &Change) -> Result<()> {
        if !self.serving {
            return Err(moved());
        }
        if self.raw.raft.has_pending_conf() || !self.log().members.conf.voters_outgoing.is_empty() {
            return Err(err!(OBJECT_IN_USE, "another change of the cluster's members is under way"));
        }
        self.raw
            .propose_conf_change(what.encode(), change)
            .map_err(|e| err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the cluster's members cannot be changed now: {e}"))
    }
    /// Proposes the next format of the cluster, if all members know it; see `version.rs`. Why not, if not; None: it does not lead, or another change is under way.
    pub fn raise_format(
        &mut self,
        own: Build,
        said: impl Fn(NodeId) -> Option<Build>,
        ordered: bool,
    ) -> Option<Result<u64, Waits>> {
        if !self.serving || self.raw.raft.has_pending_conf() || self.transfer {
            return None;
        }
        let next = version::next(&self.log().members, self.me, own, said, ordered);
        if let Ok(format) = next {
            // Node 0 is nobody: who votes stays as it is.
            let what = Change { format, ..Change::default() };
            if self.change(change_of(ConfChangeType::AddNode, 0), &what).is_err() {
                return None;
            }
            tracing::info!(format, "all members understand it: the cluster's format is to rise");
        }
        Some(next)
    }
    /// A learner that has all but the newest entries becomes a voter: one at a time.
    pub fn promote(&mut self) {
        if !self.serving || self.raw.raft.has_pending_conf() {
            return;
        }
        let log = self.raw.store();
        let (last, conf) = (log.last().index, &log.members.conf);
        // What it lacks would hold up commits once they need it.
        let is_near = |matched: u64| match log.slot(last).zip(log.place_after(matched)) {
            Some((newest, place)) => matched + CAUGHT_UP >= last && newest.end.saturating_sub(place) <= CAUGHT_UP_BYTES,
            None => matched >= last,
        };
        let ready = |id: &NodeId| self.raw.raft.prs().get(*id).is_some_and(|p| p.recent_active && is_near(p.matched));
        let Some(id) = conf.learners.iter().copied().find(ready) else { return };
        let _ = self.change(change_of(ConfChangeType::AddNode, id), &Change::default());
    }
    /// Hands the leadership to `to`, who is a voter. Nothing is proposed and no lease taken until that has come to an end.
    pub fn transfer(&mut self, to: NodeId) -> Result<()> {
        if !self.leads() || !self.log().members.is_voter(to) || to == self.me {
            return Err(err!(INVALID_PARAMETER_VALUE, "node {to} cannot take over the leadership"));
        }
        self.transfer = true;
        if let Some(s) = self.shard.as_ref().filter(|_| !plant::has(Bug::LeaseThroughTransfer)) {
            s.end_lease();
        }
        self.raw.transfer_leader(to);
        Ok(())
    }
    /// Is the leadership on its way to another node?
    pub fn transfers(&self) -> bool {
        self.transfer
    }
    /// A snapshot has reached a follower, or not.
    pub fn snapshot_sent(&mut self, to: NodeId, arrived: bool) {
        self.raw.report_snapshot(to, if arrived { SnapshotStatus::Finish } else { SnapshotStatus::Failure });
    }
    /// A peer cannot be reached now.
    pub fn unreachable(&mut self, peer: NodeId) {
        self.raw.report_unreachable(peer);
    }

    /// Does all that consensus asks for; what must be on the disk first is said after [`Group::synced`].
    pub fn work(&mut self, log: &mut NodeLog, now: Instant, out: &mut Effects) -> Result<()> {
        while self.raw.has_ready() {
            let mut ready = self.raw.ready();
            let messages = ready.take_messages();
            self.send(messages, out);
            if let Some(hard) = ready.hs() {
                let known = &self.raw.store().hard;
                if (hard.term, hard.vote) != (known.term, known.vote) {
                    log.append_vote(self.raw.mut_store(), hard)?;
                }
            }
            let decided = self.raw.raft.raft_log.committed;
            for e in ready.take_entries() {
                if e.index <= self.raw.store().last().index {
                    log.append_cut(self.raw.mut_store(), e.index)?;
                }
                log.append(self.raw.mut_store(), &e, decided)?;
            }
            if let Some(last) = ready.take_committed_entries().last() {
                self.decided = self.decided.max(last.index);
            }
            if plant::has(Bug::DecidedAlone) && self.leads() {
                self.decided = self.raw.store().last().index;
            }
            let mut messages = ready.take_persisted_messages();
            let early = |m: &Message| match m.get_msg_type() {
                MessageType::MsgRequestVoteResponse => plant::has(Bug::VoteNotSynced),
                MessageType::MsgAppendResponse => plant::has(Bug::EntryNotSynced),
                _ => false,
            };
            if messages.iter().any(early) {
                self.send(std::mem::take(&mut messages), out);
            }
            let unsynced = Unsynced { ready: ready.number(), end: log.end(), messages };
            self.raw.advance_append_async(ready);
            self.unsynced.push_back(unsynced);
            self.synced(log.durable(), out);
            self.change_role(now);
        }
        self.hand_over(out)?;
        self.begin_to_serve(now);
        Ok(())
    }
    /// The log is on the disk up to `durable`.
    pub fn synced(&mut self, durable: Lsn, out: &mut Effects) {
        while let Some(u) = self.unsynced.pop_front_if(|u| u.end <= durable) {
            self.raw.on_persist_ready(u.ready);
            self.send(u.messages, out);
        }
    }
    fn send(&mut self, messages: Vec<Message>, out: &mut Effects) {
        for m in messages {
            let to = m.to;
            if m.get_msg_type() == MessageType::MsgSnapshot {
                // It goes another way, and the follower starts anew from it.
                out.snapshots.push((to, m.get_snapshot().clone()));
                continue;
            }
            let conf = &self.log().members.conf;
            if self.leads() && !conf.voters.contains(&to) && !conf.voters_outgoing.contains(&to) {
                out.say.extend(self.trickle.pass(m).map(|m| (to, Say::Raft(Box::new(m)))));
                continue;
            }
            // It has become a voter: what is held for it goes first.
            let before = self.trickle.all_of(to).into_iter();
            out.say.extend(before.chain([m]).map(|m| (to, Say::Raft(Box::new(m)))));
        }
    }
    /// Bytes of entries a second to members that do not vote, beside what the log grows by; 0: without limit.
    pub fn set_learners_rate(&mut self, rate: u64) {
        self.trickle.set_rate(rate);
    }
    fn change_role(&mut self, now: Instant) {
        let role = self.raw.raft.state;
        let again = role == StateRole::Leader && self.raw.raft.term != self.led_term;
        if role == self.role && !again {
            return;
        }
        // It may lead twice between two looks, where it needs nobody else's vote: what was begun under the first leadership has ended with it.
        let led = self.role == StateRole::Leader;
        self.role = role;
        if role == StateRole::Leader {
            self.led_term = self.raw.raft.term;
        }
        self.transfer = false;
        self.leased = None;
        self.trickle.clear();
        if role == StateRole::Leader {
            self.counts.won += 1;
            self.lease = Lease::default();
            self.ticked = now;
        }
        if led {
            self.serving = false;
            if let Some(s) = &self.shard {
                s.follow();
            }
        }
        self.put_off_campaign(now);
    }
    fn begin_to_serve(&mut self, now: Instant) {
        if self.serving || !self.leads() {
            return;
        }
        let Some(s) = &self.shard else { return };
        let own_term = s.applied_entry().term == self.raw.raft.term || plant::has(Bug::LeadsTooEarly);
        if own_term && s.is_readable() {
            s.lead();
            self.serving = true;
            self.extend_lease(now);
        }
    }
    /// Hands what is decided, and on this disk, to the shard.
    fn hand_over(&mut self, out: &mut Effects) -> Result<()> {
        let Some(shard) = self.shard.clone() else { return Ok(()) };
        let (mut records, mut bytes) = (0, 0);
        while self.handed < self.decided {
            let index = self.handed + 1;
            let slot =
                self.raw.store().slot(index).ok_or_else(|| Error::internal("a decided entry is not in the log"))?;
            let (id, end) = (EntryId { term: slot.term, index }, slot.end);
            if self.flights.front().is_some_and(|f| f.id.index == index)
                && let Some(f) = self.flights.pop_front()
            {
                if f.id == id || plant::has(Bug::FateOfAnother) {
                    let ends = self.raw.mut_store().take_ends(index);
                    records += ends.len();
                    shard.decided(f.batch, &ends, entered(id), end);
                    self.handed = index;
                    continue;
                }
                // Nothing that was pushed after it can be there either.
                for f in std::iter::once(f).chain(self.flights.drain(..)) {
                    shard.revoke(f.batch, moved());
                }
            }
            if shard.backlog() > BACKLOG {
                break;
            }
            let Some(e) = self.raw.store().range(index, index + 1, u64::MAX)?.pop() else { break };
            bytes += e.data.len();
            match self.hand_entry(&shard, e, id, end, out) {
                Ok(n) => records += n,
                // It stays where it is, until there is room.
                Err(e) if is_full(&e) => {
                    self.disk_full = true;
                    break;
                }
                Err(e) => return Err(e),
            }
            self.handed = index;
        }
        if records > 0 || bytes > 0 || self.raw.raft.raft_log.applied < self.handed {
            self.raw.advance_apply_to(self.handed);
            shard.apply_decided(records, bytes);
        }
        Ok(())
    }
    fn hand_entry(&mut self, shard: &Shard, e: Entry, id: EntryId, end: Lsn, out: &mut Effects) -> Result<usize> {
        if e.get_entry_type() != EntryType::EntryNormal {
            let mut members = self.raw.store().members.clone();
            change_members(&mut members, e.get_entry_type(), &e.data, &e.context)?;
            let change = crate::members::conf_change(e.get_entry_type(), &e.data)?;
            let conf = self
                .raw
                .apply_conf_change(&change)
                .map_err(|e| err!(DATA_CORRUPTED, "a change of a group's members does not fit: {e}"))?;
            members.conf = conf;
            // A build that does not know it takes no part any more.
            self.raw.store().formats.check(members.format, &format!("node {}", self.me))?;
            let group = members.encode();
            self.raw.mut_store().members = members;
            shard.replicate(Vec::new(), Entered { id, group }, end)?;
            out.members = true;
            return Ok(1);
        }
        let ends = self.raw.store().ends(id.index).to_vec();
        let records: Vec<Bytes> = unpack(e.data)?;
        if ends.len() != records.len() {
            return Err(Error::internal("an entry's records are not where they should be"));
        }
        let n = records.len();
        let placed = ends.into_iter().zip(records.iter().map(|r| r.to_vec())).collect();
        shard.replicate(placed, entered(id), end)?;
        self.raw.mut_store().take_ends(id.index);
        Ok(n.max(1))
    }
    /// The process ends: nobody here will learn what becomes of the batches under way.
    pub fn forsake(&mut self) {
        if let Some(s) = &self.shard {
            self.flights.drain(..).for_each(|f| s.forsake(f.batch));
        }
    }
}

fn entered(id: EntryId) -> Entered {
    Entered { id, group: Arc::new([]) }
}
fn moved() -> Error {
    err!(SERIALIZATION_FAILURE, "the transaction is rolled back because another node has become the leader")
        .hint("Retry the transaction.")
        .of_lost_leader()
}
