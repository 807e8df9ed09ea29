//! A node: its log, its replicas, and the turns in which they work.
//!
//! ```text
//!   hear (messages) ─┐
//!   synced ──────────┼─► Node::turn(now) ─► Turn { messages to others, what is to be synced, snapshots to send }
//!   queues of shards ┘                        │ sync, beside further turns
//!                                             ▼
//! ```
//! The machine has no thread and no clock: [`crate::driver`] drives it in a process, a simulation in an order that a seed draws. All of a node's groups share one log and one sync.
//!
//! *Invariants*: one sync at a time; what is said after a sync is said by the turn after [`Node::synced`]. After a failed write or sync the node says nothing more.
use crate::codec::{Reader, put_list, put_varint};
use crate::group::{Chance, Effects, Group};
use crate::log::{FIRST_ENTRY, Found, GroupLog, GroupReplay, Keep, NodeLog, Older, Replayed};
use crate::members::Members;
use crate::message::Say;
use crate::plant::{self, Bug};
use crate::version::Formats;
use crate::{FIRST_GROUP, GroupId, NodeId};
use bytes::Bytes;
use pamir_error::Result;
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogOptions, Lsn, Syncing};
use pamir_storage::stats::Stats;
use pamir_txn::{Entered, EntryId, Holds, Journal, ReplicaRecovery, Shard, ShardOptions};
use parking_lot::Mutex;
use raft::eraftpb::Snapshot;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Entries that are kept though all have them: a late refusal takes consensus back behind what a follower has acknowledged.
const SPARE: u64 = 64;
/// A follower that takes a snapshot and does not get on for so long is no longer waited for.
const AWAITED_FOR: Duration = Duration::from_secs(60);

/// What checkpoints and the node tell each other.
#[derive(Default)]
struct Ledger {
    durable: AtomicU64,
    /// The log before it was given up.
    kept: AtomicU64,
    failed: AtomicBool,
    /// Newest term and vote of each group.
    votes: Mutex<BTreeMap<GroupId, (u64, NodeId)>>,
    /// Each group's newest checkpoint: what it needs of the log, and what it holds.
    released: Mutex<BTreeMap<GroupId, (Lsn, Entered)>>,
    /// One of them is new.
    news: AtomicBool,
}
/// A group's face to its shard.
struct GroupJournal {
    group: GroupId,
    ledger: Arc<Ledger>,
}
impl Journal for GroupJournal {
    /// `state := n v, (term v, vote v)`: one pair.
    fn state(&self) -> Vec<u8> {
        let vote = self.ledger.votes.lock().get(&self.group).copied().unwrap_or_default();
        let mut out = Vec::new();
        put_list(&mut out, &[vote], |out, v| {
            put_varint(out, v.0);
            put_varint(out, v.1);
        });
        out
    }
    fn durable(&self) -> Lsn {
        self.ledger.durable.load(Ordering::Acquire)
    }
    fn release(&self, lsn: Lsn, entered: &Entered) -> Result<()> {
        self.ledger.released.lock().insert(self.group, (lsn, entered.clone()));
        self.ledger.news.store(true, Ordering::Release);
        Ok(())
    }
    fn failed(&self) -> bool {
        self.ledger.failed.load(Ordering::Acquire)
    }
}
fn read_state(state: &[u8]) -> Result<(u64, NodeId)> {
    if state.is_empty() || plant::has(Bug::VoteForgotten) {
        return Ok((0, 0));
    }
    let mut r = Reader::new(state, "the replica's part of a checkpoint");
    let all = r.list(|r| Ok((r.varint()?, r.varint()?)))?;
    Ok(all.first().copied().unwrap_or_default())
}

/// What a turn wants done.
#[derive(Default)]
pub struct Turn {
    pub say: Vec<(NodeId, GroupId, Say)>,
    /// To be run, beside other turns, and answered with [`Node::synced`].
    pub sync: Option<Syncing>,
    pub snapshots: Vec<(NodeId, GroupId, Snapshot)>,
    /// Members of a group have changed.
    pub members: bool,
}

pub struct Node {
    me: NodeId,
    formats: Formats,
    log: NodeLog,
    groups: BTreeMap<GroupId, Group>,
    ledger: Arc<Ledger>,
    /// Entries that backups and the archive keep, by their indexes.
    holds: Arc<Holds>,
    /// A sync is under way.
    syncing: bool,
    retired: bool,
    keep: Keep,
    /// Followers that take a snapshot, or have taken one and are still behind.
    awaited: BTreeMap<(GroupId, NodeId), Awaited>,
    effects: Vec<(GroupId, Effects)>,
}
/// A follower that the log stays for.
struct Awaited {
    /// What stands behind this entry.
    after: u64,
    /// When it was last seen to get on.
    since: Instant,
}

/// How a node is opened.
pub struct Opening {
    pub me: NodeId,
    /// What a directory that belongs to no cluster yet begins with, the same at all that are members then: mostly this node alone. None: it waits for a leader's snapshot.
    pub begin: Option<Members>,
    pub options: ShardOptions,
    /// What the build reads and writes: mostly [`version::FORMATS`](crate::version::FORMATS).
    pub formats: Formats,
    /// Woken when a shard has something for a turn.
    pub waker: Waker,
    /// No threads: see [`Shard::open_stepped`].
    pub stepped: bool,
    pub keep: Keep,
}

/// Hands what recovery meets to the shard that is being opened.
struct ToShard<'a>(&'a mut ReplicaRecovery);
impl Replayed for ToShard<'_> {
    fn record(&mut self, lsn: Lsn, bytes: &[u8]) -> Result<()> {
        self.0.replay(lsn, bytes)
    }
    fn entered(&mut self, id: EntryId, members: Option<&Members>, end: Lsn) {
        let group = members.map_or_else(|| Arc::new([]) as Arc<[u8]>, Members::encode);
        self.0.enter(Entered { id, group }, end);
    }
}

impl Node {
    /// Opens a node's directory with its one shard. The shard of a node that belongs to no group yet is empty and takes no part.
    pub fn open(
        disk: Arc<dyn Disk>,
        how: Opening,
        now: Instant,
        chance: Box<dyn Chance>,
    ) -> Result<(Node, Arc<Shard>)> {
        crate::install::install(&disk, how.options.log_segment_size)?;
        let ledger = Arc::new(Ledger::default());
        let group = FIRST_GROUP;
        let journal = Arc::new(GroupJournal { group, ledger: ledger.clone() });
        let segment_size = how.options.log_segment_size;
        let holds = how.options.holds.clone();
        let mut shard = ReplicaRecovery::begin(disk.clone(), how.options, journal, how.waker, how.stepped)?;
        let at = shard.entered();
        let members = if at.group.is_empty() { Members::default() } else { Members::decode(&at.group)? };
        let mut log = GroupLog::new(group, at.id, members, disk.clone());
        log.formats = how.formats;
        check_format(&log, how.me)?;
        log.keep = how.keep;
        let (term, vote) = read_state(&shard.state())?;
        log.hard.term = log.hard.term.max(term);
        log.hard.vote = vote;
        let (keep, from, reach) = (shard.keep(), shard.lsn(), shard.reach());
        let older = Older::read(&*disk, &log, from);
        let keep = older.as_ref().map_or(keep, |o| keep.min(o.place()));
        let mut replay = GroupReplay::new(log, from);
        let each = &mut |lsn: Lsn, bytes: &[u8]| replay.record(lsn, bytes, &mut ToShard(&mut shard));
        let opts = LogOptions { segment_size };
        let log = Log::open_keeping(disk, opts, keep, from, reach, Arc::new(Stats::default()), each)?;
        let Found { log: mut of_group, mut handed, torn, reach: reach_index } = replay.finish();
        check_format(&of_group, how.me)?;
        let mut log = NodeLog::new(log);
        let fresh = of_group.base().index == 0;
        if let Some(older) = older {
            of_group.remember(older, at.id);
        }
        if torn {
            let next = of_group.last().index + 1;
            log.append_cut(&mut of_group, next)?;
        }
        if let Some(members) = how.begin.filter(|_| fresh) {
            log.append_base(&mut of_group, FIRST_ENTRY, 0, members.clone())?;
            (of_group.hard.term, of_group.hard.vote) = (FIRST_ENTRY.term, 0);
            shard.enter(Entered { id: FIRST_ENTRY, group: members.encode() }, log.end());
            handed = FIRST_ENTRY.index;
        }
        if let Some(s) = log.begin_sync()? {
            let r = s.run();
            log.end_sync(&s, r)?;
        }
        let shard = shard.finish(reach_index)?;
        ledger.durable.store(log.durable(), Ordering::Release);
        ledger.kept.store(keep, Ordering::Release);
        ledger.votes.lock().insert(group, (of_group.hard.term, of_group.hard.vote));
        let g = Group::new(how.me, of_group, handed, Some(shard.clone()), fresh, now, chance)?;
        let groups = BTreeMap::from([(group, g)]);
        let node = Node {
            me: how.me,
            formats: how.formats,
            log,
            groups,
            ledger,
            holds,
            syncing: false,
            retired: false,
            keep: how.keep,
            awaited: BTreeMap::new(),
            effects: Vec::new(),
        };
        Ok((node, shard))
    }
    /// What is kept for followers, from now on.
    pub fn set_keep(&mut self, keep: Keep) {
        self.keep = keep;
    }
    pub fn me(&self) -> NodeId {
        self.me
    }
    /// Where the node's log ends.
    pub fn log_end(&self) -> Lsn {
        self.log.end()
    }
    pub fn group(&self, id: GroupId) -> Option<&Group> {
        self.groups.get(&id)
    }
    pub fn group_mut(&mut self, id: GroupId) -> Option<&mut Group> {
        self.groups.get_mut(&id)
    }
    /// Where the log that is kept begins, and where it ends.
    pub fn log_span(&self) -> (Lsn, Lsn) {
        (self.ledger.kept.load(Ordering::Acquire), self.log.end())
    }
    /// A message of another node's.
    pub fn hear(&mut self, from: NodeId, bytes: &Bytes, now: Instant) -> Result<()> {
        if self.retired {
            return Ok(());
        }
        let (group, say) = Say::decode(bytes, from, self.me, self.formats)?;
        let Some(g) = self.groups.get_mut(&group) else { return Ok(()) };
        let mut out = Effects::default();
        g.hear(from, say, &mut self.log, now, &mut out)?;
        self.effects.push((group, out));
        Ok(())
    }
    /// A message of a turn, in the cluster's format.
    pub fn encode(&self, group: GroupId, say: &Say) -> Vec<u8> {
        say.encode(group, self.groups.get(&group).map_or(1, |g| g.log().format()))
    }
    /// Everything that can be done now.
    pub fn turn(&mut self, now: Instant) -> Result<Turn> {
        let r = self.try_turn(now);
        if r.is_err() {
            self.ledger.failed.store(true, Ordering::Release);
        }
        r
    }
    fn try_turn(&mut self, now: Instant) -> Result<Turn> {
        let mut turn = Turn::default();
        if self.retired {
            return Ok(turn);
        }
        for (id, out) in std::mem::take(&mut self.effects) {
            turn.take(id, out);
        }
        for (id, g) in &mut self.groups {
            let mut out = Effects::default();
            g.tick(now, &mut out);
            g.work(&mut self.log, now, &mut out)?;
            while g.propose(&mut self.log)? {
                g.work(&mut self.log, now, &mut out)?;
            }
            turn.take(*id, out);
            let hard = &g.log().hard;
            self.ledger.votes.lock().insert(*id, (hard.term, hard.vote));
        }
        self.give_up_log(now)?;
        if !self.syncing {
            turn.sync = self.log.begin_sync()?;
            self.syncing = turn.sync.is_some();
        }
        Ok(turn)
    }
    /// A turn's sync has come to this result.
    pub fn synced(&mut self, s: &Syncing, r: Result<()>) -> Result<()> {
        self.syncing = false;
        let r = if plant::has(Bug::FailedSyncIgnored) { Ok(()) } else { r };
        let durable = self.log.end_sync(s, r).inspect_err(|_| self.ledger.failed.store(true, Ordering::Release))?;
        self.ledger.durable.store(durable, Ordering::Release);
        for (id, g) in &mut self.groups {
            let mut out = Effects::default();
            g.synced(durable, &mut out);
            self.effects.push((*id, out));
        }
        Ok(())
    }
    /// A checkpoint of the group's is ready to be sent to followers that are too far behind; None: no longer.
    pub fn set_snapshot(&mut self, group: GroupId, of: Option<(EntryId, Members)>) {
        let Some(g) = self.groups.get_mut(&group) else { return };
        g.log_mut().snapshot = of.map(|(id, members)| {
            let mut s = Snapshot::default();
            (s.mut_metadata().index, s.mut_metadata().term) = (id.index, id.term);
            s.data = Bytes::copy_from_slice(&members.encode());
            s.mut_metadata().set_conf_state(members.conf);
            s
        });
    }
    /// A follower takes the pages of a checkpoint that holds everything up to `id`: what comes after stays until it has caught up, within [`Keep::catch_up`].
    pub fn keep_for(&mut self, group: GroupId, to: NodeId, id: EntryId, now: Instant) {
        if !plant::has(Bug::SnapshotWithoutLog) {
            let a = self.awaited.entry((group, to)).or_insert(Awaited { after: id.index, since: now });
            (a.after, a.since) = (a.after.max(id.index), now);
        }
    }
    /// Entries and bytes of log behind an entry; None: they are no longer all there.
    pub fn log_since(&self, group: GroupId, index: u64) -> Option<(u64, u64)> {
        let log = self.groups.get(&group)?.log();
        let at = log.place_after(index).unwrap_or(self.log.end());
        (index >= log.base().index).then(|| (log.last().index.saturating_sub(index), self.log.end() - at))
    }
    /// The first entry that followers who take snapshots need, of those who get on and are not too far behind.
    fn awaits(&mut self, group: GroupId, now: Instant) -> u64 {
        let Some(g) = self.groups.get(&group) else { return u64::MAX };
        let (log, end, progress) = (g.log(), self.log.end(), g.progress());
        let caught_up = log.before(end.saturating_sub(self.keep.log / 2));
        let caught_up = caught_up.max(log.last().index.saturating_sub(self.keep.entries / 2));
        let lost = log.before(end.saturating_sub(self.keep.catch_up));
        let lost = lost.max(log.last().index.saturating_sub(self.keep.catch_up_entries));
        self.awaited.retain(|(of, to), a| {
            if *of != group {
                return true;
            }
            // It is no member any more, or this node does not lead.
            let Some(matched) = progress.iter().find(|p| p.0 == *to).map(|p| p.1) else { return false };
            if matched > a.after {
                (a.after, a.since) = (matched, now);
            }
            a.after < caught_up && a.after >= lost && now < a.since + AWAITED_FOR
        });
        self.awaited.iter().filter(|a| a.0.0 == group).map(|a| a.1.after).min().unwrap_or(u64::MAX)
    }
    /// Followers of the group that wait for a snapshot that is not ready.
    pub fn wants_snapshot(&self, group: GroupId) -> bool {
        self.groups.get(&group).is_some_and(|g| g.log().wanted.lock().take().is_some())
    }
    /// Does a replica lack what a checkpoint of everything up to `id` would bring? One that has that entry, or knows a later one to be decided, does not, and would lose entries by it that it has acknowledged.
    pub fn lacks(&self, group: GroupId, id: EntryId) -> bool {
        self.groups.get(&group).is_some_and(|g| {
            let has = g.log().slot(id.index).is_some_and(|s| s.term == id.term) || g.log().base() == id;
            !self.retired && !has && g.decided() < id.index
        })
    }
    /// Ends this node's part in everything: it hears and says nothing more until it is opened anew. What is under way and not decided is unknown to those who wait for it. Returns the term and vote of a group.
    pub fn retire(&mut self, group: GroupId) -> (u64, NodeId) {
        self.retired = true;
        self.close();
        self.groups.get(&group).map_or((0, 0), |g| (g.log().hard.term, g.log().hard.vote))
    }
    /// When there is something to do though nothing was heard.
    pub fn next_turn(&self) -> Option<Instant> {
        if self.retired { None } else { self.groups.values().map(Group::next_tick).min() }
    }
    /// Gives up what no checkpoint and no follower needs of the log.
    fn give_up_log(&mut self, now: Instant) -> Result<()> {
        if !self.ledger.news.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        let released = self.ledger.released.lock().clone();
        if released.len() < self.groups.len() {
            return Ok(());
        }
        let end = self.log.end();
        let mut keep = Lsn::MAX;
        for (id, (lsn, entered)) in released {
            let awaited = self.awaits(id, now);
            let Some(g) = self.groups.get_mut(&id) else { continue };
            // A follower does not know what the others lack whom it may come to lead.
            let slowest = g.progress().iter().map(|p| p.1).min().unwrap_or(g.log().base().index);
            let held = entered.id.index;
            let place = |g: &Group, index: u64| g.log().place_after(index).unwrap_or(end);
            // A new leader knows of nobody what it has: nothing before the log's own beginning can be wanted of it.
            let wanted = held.min(slowest.saturating_sub(SPARE)).max(g.log().base().index);
            // One that is too far behind gets a snapshot; the newest part stays, for those who are not.
            let most = g.log().before(end.saturating_sub(self.keep.log));
            let most = most.max(g.log().last().index.saturating_sub(self.keep.entries));
            let all = plant::has(Bug::LogGivenUpWhole) && most > wanted;
            let most = if all { held } else { held.min(most).min(awaited) };
            let upto = if plant::has(Bug::KeptForTheSlowest) { wanted } else { wanted.max(most) };
            // A backup or the archive waits for it.
            let upto = upto.min(self.holds.lowest()).max(g.log().base().index);
            g.log_mut().forget(upto);
            keep = keep.min(lsn).min(place(g, upto));
        }
        if keep < Lsn::MAX {
            let keep = keep.min(self.log.durable());
            self.log.truncate_before(keep)?;
            self.ledger.kept.fetch_max(keep, Ordering::AcqRel);
        }
        Ok(())
    }
    /// The process ends.
    pub fn close(&mut self) {
        self.groups.values_mut().for_each(Group::forsake);
    }
}
/// 0A000: the directory is of a cluster whose format this build does not have.
fn check_format(log: &GroupLog, me: NodeId) -> Result<()> {
    match log.members.format {
        // Nothing is there yet.
        0 => Ok(()),
        format => log.formats.check(format, &format!("node {me}")),
    }
}
impl Turn {
    fn take(&mut self, group: GroupId, out: Effects) {
        self.say.extend(out.say.into_iter().map(|(to, s)| (to, group, s)));
        self.snapshots.extend(out.snapshots.into_iter().map(|(to, s)| (to, group, s)));
        self.members |= out.members;
    }
}

const _: fn() = || {
    fn movable<T: Send>() {}
    movable::<Node>();
};
