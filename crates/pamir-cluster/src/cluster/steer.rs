//! What an operator sees of the cluster and does to it, at one node.
//!
//! ```text
//!   look (200 ms) ── observe ──► Reading of the group, who was heard ── leads? ──► Overview ──► others
//!                       └──► Report ──► others          draining and leading? hand over          removed? say so
//!   steer(order) ──► the leader, or the node that is to drain: carry_out on its thread ──► Outcome ──► wait until the own view shows it
//! ```
//! - **Removal.** The leader hands over first if it is the one to go. It is refused where the voters that stay, less those that are silent, are no majority of themselves. Who was removed is told so ([`Message::Removed`]), or is refused when it
//!   connects, or finds itself missing in its own log: it serves no more, and its directory is marked ([`Cluster::take_leave`]).
//! - **A slow leader** gives the leadership away as an operator's transfer does (`pace.rs` says when). A planned change prefers nodes that are not slow.
//! - **Draining** is a node's own, in memory: a restart ends it. Such a node hands the leadership over whenever it has it, and asks for votes later than others ([`crate::group::RELUCTANCE`]).
//! - A node that does not lead shows what it heard from the leader last; members and who leads are as this node knows them.
//!
//! *Invariants*: nothing here waits on the transport's thread; an order is carried out between two of the node's turns, whoever gave it, and may be given again.
use super::{Cluster, Inner, no_group};
use crate::driver::View;
use crate::group::{Group, change_of};
use crate::identity;
use crate::members::{Change, Members, NodeInfo};
use crate::node::Node;
use crate::pace::{self, Links, Other, Own, Rule, Sight, Speed};
use crate::shipping::Shipping;
use crate::transport::{Class, Counters, PeerStatus};
use crate::version::{self, Build, Waits};
use crate::watch::{BEHIND, Fate, Known, Lag, Member, Message, Order, Overview, REPORT_EVERY, Reading, Report, Role};
use crate::{FIRST_GROUP, NodeId};
use pamir_error::error::state;
use pamir_error::{Error, Result, err};
use parking_lot::Mutex;
use raft::eraftpb::ConfChangeType;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// An order that has not shown its effect within this time is said to have begun.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// How long one node's answer is waited for.
const ANSWER_WAIT: Duration = Duration::from_secs(3);
/// How long a hand-over may take before it is asked for again.
const HAND_OVER_WAIT: Duration = Duration::from_secs(3);
/// How long a removed node stays connected to hear of it.
const GOODBYE: Duration = Duration::from_secs(1);
/// A node that lacks what the leader had so long ago is catching up, and not ready for clients.
pub const CAUGHT_UP_WITHIN: Duration = Duration::from_secs(10);
/// A node that has reached no leader for so long is cut off. An election takes less.
pub const CUT_OFF_AFTER: Duration = Duration::from_secs(5);
/// Less free space than this part of the disk is told.
const LOW_SPACE_PART: u64 = 20;
/// As builds call themselves.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");

/// Bytes free, and all, of the file system with a node's data.
pub type Room = Arc<dyn Fn() -> Option<(u64, u64)> + Send + Sync>;

/// Hands the leadership to a node, and returns when that has come to an end.
pub type HandOver = Arc<dyn Fn(NodeId) + Send + Sync>;

/// Snapshots and leaders since the process began.
#[derive(Default)]
pub(super) struct Tally {
    pub leader_changes: AtomicU64,
    pub snapshots_sent: AtomicU64,
    pub snapshots_received: AtomicU64,
    pub snapshot_bytes_sent: AtomicU64,
    pub snapshot_bytes_received: AtomicU64,
    pub slow_moves: AtomicU64,
}
/// How fast this node and its links are, and what the rule makes of it.
#[derive(Default)]
struct Pace {
    links: Links,
    rule: Rule,
    own: Speed,
    /// By how much, in place of [`pace::MARGIN`].
    margin: Option<Duration>,
}
/// What this node knows for its operator.
#[derive(Default)]
pub(super) struct Board {
    known: Mutex<Known>,
    reading: Mutex<Reading>,
    /// The newest overview, own or heard, and when that was.
    overview: Mutex<Option<(Instant, Overview)>>,
    told: Mutex<Option<Instant>>,
    /// When a leader was within reach.
    led: Mutex<Option<Instant>>,
    draining: AtomicBool,
    removed: AtomicBool,
    /// Orders under way, and what became of them.
    asks: Mutex<BTreeMap<u64, Option<Fate>>>,
    next_ask: AtomicU64,
    /// Nodes that were removed and are still connected, until when.
    departing: Mutex<Vec<(NodeId, Instant)>>,
    room: Option<Room>,
    hand_over: OnceLock<HandOver>,
    /// It runs.
    passing: AtomicBool,
    pace: Mutex<Pace>,
    pub tally: Tally,
}
impl Board {
    pub fn new(room: Option<Room>) -> Board {
        Board { room, ..Board::default() }
    }
    /// Snapshots on their way.
    pub fn ships(&self, of: &Shipping) {
        let mut known = self.known.lock();
        if !(known.shipped.is_empty() && of.is_idle()) {
            known.shipped = of.progress().collect();
        }
    }
    pub fn sent_part(&self, bytes: usize) {
        self.tally.snapshot_bytes_sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// How a node is, for load balancers and people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// It leads, and holds the lease.
    Leader,
    Follower,
    /// It has the data and does not vote yet.
    Learner,
    /// It lacks what the leader had [`CAUGHT_UP_WITHIN`] ago.
    CatchingUp,
    /// No leader was within reach for [`CUT_OFF_AFTER`].
    CutOff,
    Draining,
    Removed,
}
impl Condition {
    pub fn name(self) -> &'static str {
        match self {
            Condition::Leader => "leader",
            Condition::Follower => "follower",
            Condition::Learner => "learner",
            Condition::CatchingUp => "catching up",
            Condition::CutOff => "cut off",
            Condition::Draining => "draining",
            Condition::Removed => "removed",
        }
    }
    /// May clients be sent to it?
    pub fn is_ready(self) -> bool {
        matches!(self, Condition::Leader | Condition::Follower | Condition::Learner)
    }
}

/// What a node's condition is made of.
struct Standing {
    removed: bool,
    draining: bool,
    /// A leader is within reach, or was a moment ago.
    reached: bool,
    /// This node is it, as far as it knows,
    leads: bool,
    /// and it takes changes and holds the lease.
    surely: bool,
    /// How long the leader has had what this node lacks.
    behind: Duration,
    votes: bool,
}
impl Standing {
    fn condition(&self) -> Condition {
        match () {
            () if self.removed => Condition::Removed,
            () if self.draining => Condition::Draining,
            () if !self.reached => Condition::CutOff,
            () if self.leads && self.surely => Condition::Leader,
            () if !self.leads && self.behind > CAUGHT_UP_WITHIN => Condition::CatchingUp,
            () if self.votes => Condition::Follower,
            () => Condition::Learner,
        }
    }
}

/// The cluster as one node knows it.
#[derive(Clone, Debug)]
pub struct Picture {
    pub me: NodeId,
    /// 32 hexadecimal digits.
    pub cluster: String,
    pub condition: Condition,
    pub term: u64,
    /// 0: nobody is known to.
    pub leader: NodeId,
    /// A majority of the voters is heard, by the leader as far as this node knows.
    pub quorum: bool,
    pub lease: bool,
    /// How old the lines are: zero at the leader but for the look's 200 ms; None: this node has heard of no leader yet.
    pub age: Option<Duration>,
    /// Every member, by id.
    pub members: Vec<(NodeInfo, Member)>,
    pub voters: usize,
    /// What nodes write for each other, what keeps it from rising, and what each member said of its build, if it is connected to this node.
    pub format: u64,
    pub format_waits: Option<Waits>,
    pub builds: BTreeMap<NodeId, Build>,
}
/// What `/metrics` shows of a node.
#[derive(Clone, Debug)]
pub struct Figures {
    pub reading: Reading,
    pub applied: u64,
    pub leader_changes: u64,
    pub snapshots_sent: u64,
    pub snapshots_received: u64,
    pub snapshot_bytes_sent: u64,
    pub snapshot_bytes_received: u64,
    /// Times that this node gave the leadership away because it was slow.
    pub slow_moves: u64,
    pub speed: Speed,
    pub peers: Vec<PeerStatus>,
    pub transport: Counters,
    /// Transactions of other nodes that are open here, and this node's requests that wait for the leader.
    pub guests: usize,
    pub requests: usize,
}

/// What became of [`Cluster::steer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// It has happened.
    Done,
    /// It has begun, and goes on.
    Begun,
}

/// As [`super::Inner::admit`] tells a node that was removed.
pub(super) fn removed_words(node: NodeId) -> String {
    format!("node {node} was removed from the cluster")
}
pub(super) fn no_such_node(node: NodeId) -> Error {
    err!(INVALID_PARAMETER_VALUE, "there is no node {node} in the cluster")
        .hint("SELECT node, address FROM pamir_catalog.cluster_nodes; names those that there are.")
}
fn nobody_leads() -> Error {
    err!(CANNOT_CONNECT_NOW, "nobody leads the cluster now")
        .hint("A majority of the nodes that vote must run and reach each other.")
}
fn list(nodes: &[NodeId]) -> String {
    let all: Vec<String> = nodes.iter().map(NodeId::to_string).collect();
    all.join(", ")
}

impl Inner {
    /// A node that was removed is told, and stays connected for a moment to hear it.
    pub(super) fn see_off(&self, node: NodeId) {
        self.send(node, Class::Control, Message::Removed.encode());
        self.board.departing.lock().push((node, Instant::now() + GOODBYE));
    }
    fn set_removed(&self) {
        if !self.board.removed.swap(true, Ordering::AcqRel) {
            tracing::error!(node = self.me, "this node was removed from the cluster");
        }
    }
    fn own_report(&self, r: &Reading, disk: Option<(u64, u64)>, speed: Speed, slow: Option<String>) -> Report {
        let clock = self.clocks.lock().values().copied().max_by_key(|m| m.unsigned_abs());
        let low = disk.is_some_and(|(free, all)| free < all / LOW_SPACE_PART);
        let troubles = [
            r.disk_full.then(|| "disk full".to_string()),
            (low && !r.disk_full).then(|| "little disk space left".to_string()),
            slow,
            clock.map(|micros| format!("clock is {} ms off another node's", micros.abs() / 1000)),
        ];
        let trouble = troubles.into_iter().flatten().collect::<Vec<_>>().join("; ");
        Report {
            term: r.term,
            stored: r.stored,
            decided: r.decided,
            applied: self.shard.applied_entry().index,
            draining: self.board.draining.load(Ordering::Acquire),
            disk_full: r.disk_full,
            serves: r.serves,
            disk,
            version: BUILD.into(),
            trouble,
            speed,
        }
    }
    /// Others, as the rule of slow leaders looks at them.
    fn others(&self, r: &Reading, known: &Known, m: &Members, now: Instant) -> BTreeMap<NodeId, Other> {
        let caught_up = |id: NodeId| {
            let has = r.progress.iter().find(|p| p.node == id);
            has.is_some_and(|p| !p.snapshot && p.matched + BEHIND >= r.decided)
        };
        let one = |(id, (at, report)): (&NodeId, &(Instant, Report))| {
            let ready = caught_up(*id) && m.is_voter(*id) && !report.draining && !report.disk_full;
            (*id, Other { at: *at, speed: report.speed.clone(), heard: !known.is_silent(now, *id), ready })
        };
        known.reports.iter().filter(|(id, _)| m.contains(**id)).map(one).collect()
    }
    /// How fast this node is, what ails it, and to whom its leadership is to go.
    fn measure(
        &self,
        own: Own,
        peers: &[PeerStatus],
        m: &Members,
        others: &BTreeMap<NodeId, Other>,
        leads: bool,
        now: Instant,
    ) -> (Speed, Option<String>, Option<NodeId>) {
        let mut p = self.board.pace.lock();
        for peer in peers.iter().filter(|p| m.contains(p.node)) {
            p.links.seen(peer.node, peer.round_trips);
        }
        let trips = p.links.look(now, |id| m.contains(id));
        let mut speed = Speed::new(own, trips);
        p.rule.tell(now, &mut speed);
        let sight = Sight { me: self.me, own: &speed, members: m, others, leads };
        let margin = p.margin.unwrap_or(pace::MARGIN);
        let trouble = sight.trouble(if margin.is_zero() { pace::MARGIN } else { margin });
        let to = p.rule.look(now, &sight, margin);
        p.own = speed.clone();
        (speed, trouble, to)
    }
    /// The leadership goes to a node that is faster.
    fn leave(&self, g: &mut Group, to: NodeId, trouble: Option<&str>, now: Instant) {
        match self.pass_on(g, to) {
            Ok(()) => {
                tracing::warn!(to, trouble, "this node is slow: it gives the leadership away");
                self.board.pace.lock().rule.moved(now);
                self.board.tally.slow_moves.fetch_add(1, Ordering::Relaxed);
            }
            Err(e) => tracing::warn!(to, error = %e, "this node is slow, and cannot give the leadership away"),
        }
    }
    /// Between two turns, now and then.
    pub(super) fn observe(&self, node: &mut Node, own: Own, now: Instant) {
        let Some(transport) = self.transport.get() else { return };
        let b = &self.board;
        let view = self.view.lock().clone();
        let m = &view.members;
        let peers = transport.status();
        let refused = removed_words(self.me);
        let outcast = |p: &PeerStatus| {
            let e = p.last_error.as_ref().map(|e| &e.0);
            e.is_some_and(|e| e.code() == state::INVALID_AUTHORIZATION_SPECIFICATION && e.message().ends_with(&refused))
        };
        let missing = !m.nodes.is_empty() && !m.contains(self.me) && self.me < m.next_node;
        if missing || peers.iter().any(outcast) {
            self.set_removed();
        }
        let disk = b.room.as_ref().and_then(|f| f());
        let span = node.log_span();
        let Some(g) = node.group_mut(FIRST_GROUP) else { return };
        let passes = g.is_transferring() || b.passing.load(Ordering::Acquire);
        let (report, overview, slow) = {
            let mut known = b.known.lock();
            for p in &peers {
                known.heard(now, p.node, p.received.iter().map(|t| t.messages).sum());
            }
            known.forget_all_but(|id| m.nodes.contains_key(&id));
            let applied = |id| match id == self.me {
                true => self.shard.applied_entry().index,
                false => known.reports.get(&id).map_or(0, |r| r.1.applied),
            };
            let reading = g.reading(span, applied);
            known.history.note(now, reading.stored);
            let others = self.others(&reading, &known, m, now);
            let leads = reading.serves && reading.leads && !passes;
            let (speed, trouble, to) = self.measure(own, &peers, m, &others, leads, now);
            let report = self.own_report(&reading, disk, speed, trouble.clone());
            let overview = reading.leads.then(|| self.overview(&reading, &known, m, &report, now));
            *b.reading.lock() = reading;
            (report, overview, to.map(|to| (to, trouble)))
        };
        self.tell(&report, overview.as_ref(), m, now);
        if let Some(o) = overview {
            *b.overview.lock() = Some((now, o));
        }
        if self.reaches_leader(&view) {
            *b.led.lock() = Some(now);
        }
        let draining = b.draining.load(Ordering::Acquire);
        g.reluctant = draining || b.pace.lock().rule.is_slow();
        if draining && g.leads() && !passes {
            let _ = self.hand_over(g, now);
        } else if let Some((to, trouble)) = slow {
            self.leave(g, to, trouble.as_deref(), now);
        }
        b.departing.lock().retain(|(node, until)| {
            let stays = now < *until;
            if !stays {
                transport.remove_peer(*node);
            }
            stays
        });
    }
    fn tell(&self, report: &Report, overview: Option<&Overview>, m: &Members, now: Instant) {
        let mut told = self.board.told.lock();
        if told.is_some_and(|t| now < t + REPORT_EVERY) {
            return;
        }
        *told = Some(now);
        let mut news = vec![Message::Report(report.clone()).encode()];
        news.extend(overview.map(|o| Message::Overview(o.clone()).encode()));
        for id in m.nodes.keys().filter(|id| **id != self.me) {
            for n in &news {
                self.send(*id, Class::Control, n.clone());
            }
        }
    }
    /// The whole as the leader sees it.
    fn overview(&self, r: &Reading, known: &Known, m: &Members, own: &Report, now: Instant) -> Overview {
        let one = |id: NodeId| {
            let me = id == self.me;
            let report = if me { Some(own) } else { known.reports.get(&id).map(|r| &r.1) };
            let silent = !me && known.is_silent(now, id);
            let votes = m.is_voter(id);
            let at = r.progress.iter().zip(&r.places).find(|p| p.0.node == id);
            let contact = known.contact.get(&id).filter(|_| !me);
            let role = match () {
                () if me => Role::Leader,
                () if silent => Role::Unknown,
                () if votes => Role::Follower,
                () => Role::Learner,
            };
            Member {
                node: id,
                role,
                votes,
                silent,
                draining: report.is_some_and(|r| r.draining),
                term: report.map_or(0, |r| r.term),
                contact: contact.map(|c| now.saturating_duration_since(c.0)),
                stored: at.map(|(p, _)| p.matched),
                applied: report.map(|r| r.applied),
                decided: report.map(|r| r.decided),
                lag: at.map(|(p, places)| Lag {
                    entries: r.stored.saturating_sub(p.matched),
                    bytes: r.log.1.saturating_sub(places[1]),
                    time: known.history.since(now, p.matched),
                }),
                disk: report.and_then(|r| r.disk),
                snapshot: match at {
                    Some((p, _)) if p.snapshot => Some(known.shipped.get(&id).copied().unwrap_or_default()),
                    _ => known.shipped.get(&id).copied(),
                },
                version: report.map_or_else(String::new, |r| r.version.clone()),
                trouble: report.map_or_else(String::new, |r| r.trouble.clone()),
                places: at.map(|(_, places)| *places),
                unapplied: report.map(|r| known.history.since(now, r.applied)),
            }
        };
        Overview {
            term: r.term,
            leader: self.me,
            quorum: m.is_quorum(|id| id == self.me || !known.is_silent(now, id)),
            lease: self.shard.holds_lease(),
            members: m.nodes.keys().map(|id| one(*id)).collect(),
        }
    }
    fn reaches_leader(&self, view: &View) -> bool {
        match view.leader {
            0 => false,
            l if l == self.me => view.serves,
            l => self.connected.lock().contains_key(&l),
        }
    }

    /// A message about members, on the transport's thread.
    pub(super) fn heard_news(&self, from: NodeId, bytes: &[u8]) -> Result<()> {
        let now = Instant::now();
        let b = &self.board;
        match Message::decode(bytes)? {
            Some(Message::Report(r)) => drop(b.known.lock().reports.insert(from, (now, r))),
            Some(Message::Overview(o)) => {
                let mut newest = b.overview.lock();
                if newest.as_ref().is_none_or(|n| n.1.term <= o.term) {
                    *newest = Some((now, o));
                }
            }
            Some(Message::Order(number, order)) => {
                let this = self.itself()?;
                self.entrance.command(Box::new(move |n| {
                    let fate = this.carry_out(n, order);
                    this.send(from, Class::Control, Message::Outcome(number, fate).encode());
                }));
            }
            Some(Message::Outcome(number, fate)) => self.learn(number, fate),
            Some(Message::Removed) => self.set_removed(),
            None => {}
        }
        Ok(())
    }
    fn learn(&self, number: u64, fate: Fate) {
        if let Some(waits) = self.board.asks.lock().get_mut(&number) {
            *waits = Some(fate);
        }
    }

    /// Who is to lead after this node: the voter that is heard, not draining, not slow if there is such a one, and has the most.
    fn successor(&self, g: &Group, now: Instant) -> Option<NodeId> {
        let known = self.board.known.lock();
        let m = &g.log().members;
        let may = |id: NodeId| id != self.me && m.is_voter(id) && !known.is_silent(now, id) && !known.is_draining(id);
        let order = |p: &(NodeId, u64)| (!known.is_slow(p.0), p.1);
        g.progress().into_iter().filter(|p| may(p.0)).max_by_key(order).map(|p| p.0)
    }
    /// Is a node to be chosen only where there is nobody else?
    pub(crate) fn is_slow(&self, node: NodeId) -> bool {
        self.board.known.lock().is_slow(node)
    }
    fn hand_over(&self, g: &mut Group, now: Instant) -> Result<()> {
        let to = self.successor(g, now).ok_or_else(|| {
            err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "no other node can take over the leadership")
                .detail("It takes a node that votes, is heard and is not draining.")
        })?;
        self.pass_on(g, to)
    }
    /// The one place where a hand-over begins that an operator wants: at once, or as [`Cluster::set_hand_over`] says, on a thread of its own. 55006 while one is under way.
    fn pass_on(&self, g: &mut Group, to: NodeId) -> Result<()> {
        let b = &self.board;
        let Some(f) = b.hand_over.get().cloned() else { return g.transfer(to) };
        if b.passing.swap(true, Ordering::AcqRel) {
            return Err(err!(OBJECT_IN_USE, "the leadership is being handed over already"));
        }
        let this = self.itself()?;
        let job = move || {
            f(to);
            this.board.passing.store(false, Ordering::Release);
        };
        std::thread::Builder::new().name("hand-over".into()).spawn(job).map(drop).map_err(|e| {
            b.passing.store(false, Ordering::Release);
            err!(SYSTEM_ERROR, "could not start a thread: {e}")
        })
    }
    /// Between two turns.
    fn carry_out(&self, node: &mut Node, order: Order) -> Fate {
        let now = Instant::now();
        let done = match node.group_mut(FIRST_GROUP) {
            None => Err(no_group()),
            Some(g) => match order {
                Order::Drain { node, .. } if node != self.me => Ok(Fate::Again),
                Order::Drain { on, .. } => self.drain(g, on, now),
                _ if !g.serves() || g.is_transferring() => Ok(Fate::Again),
                Order::Transfer { node } => self.transfer_to(g, node, now),
                Order::Remove { node, force } => self.take_out(g, node, force, now),
                Order::Finalize => self.finalize(g),
            },
        };
        match done {
            Ok(fate) => fate,
            // Another change is under way: it is over soon.
            Err(e) if e.code() == state::OBJECT_IN_USE || e.code() == state::SERIALIZATION_FAILURE => Fate::Again,
            Err(e) => Fate::No(e),
        }
    }
    fn drain(&self, g: &mut Group, on: bool, now: Instant) -> Result<Fate> {
        if on && g.leads() && !g.is_transferring() && !self.board.passing.load(Ordering::Acquire) {
            self.hand_over(g, now)?;
        }
        self.board.draining.store(on, Ordering::Release);
        g.reluctant = on || self.board.pace.lock().rule.is_slow();
        tracing::info!(draining = on, "as an operator wants it");
        Ok(Fate::Done)
    }
    fn transfer_to(&self, g: &mut Group, to: NodeId, now: Instant) -> Result<Fate> {
        if to == self.me {
            return Ok(Fate::Done);
        }
        let m = &g.log().members;
        if !m.contains(to) {
            return Err(no_such_node(to));
        }
        let cannot = |why: &str| {
            Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "node {to} cannot take over the leadership").detail(why))
        };
        let known = self.board.known.lock();
        match () {
            () if !m.is_voter(to) => return cannot("It does not vote yet: it still gets the data that it lacks."),
            () if known.is_silent(now, to) => return cannot("Nothing is heard of it."),
            () if known.is_draining(to) => return cannot("It is draining."),
            () => drop(known),
        }
        self.pass_on(g, to).map(|()| Fate::Done)
    }
    fn finalize(&self, g: &mut Group) -> Result<Fate> {
        match self.raise_format(g, true) {
            None => Ok(Fate::Again),
            Some(Ok(_)) => Ok(Fate::Done),
            Some(Err(w)) => w.error().map_or(Ok(Fate::Done), Err),
        }
    }
    /// The format that the cluster could go over to if somebody ordered it, as far as this node knows.
    fn next_format(&self, m: &Members) -> std::result::Result<u64, Waits> {
        let connected = self.connected.lock();
        version::next(m, self.me, self.build, |id| connected.get(&id).copied(), true)
    }
    fn take_out(&self, g: &mut Group, node: NodeId, force: bool, now: Instant) -> Result<Fate> {
        let m = &g.log().members;
        if !m.contains(node) {
            return Ok(Fate::Done);
        }
        if m.conf.voters == [node] {
            return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "node {node} is the only one that votes")
                .hint("Let another node join first, or stop this one."));
        }
        if m.is_voter(node) && !force {
            let known = self.board.known.lock();
            let heard = |id: NodeId| id == self.me || !known.is_silent(now, id);
            let mut rest = m.clone();
            rest.conf.voters.retain(|id| *id != node);
            if !rest.is_quorum(heard) {
                let silent: Vec<NodeId> = rest.conf.voters.iter().copied().filter(|id| !heard(*id)).collect();
                return Err(err!(
                    OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "without node {node} too few nodes would be left to decide anything"
                )
                .detail(format!("Nothing is heard of node {}.", list(&silent)))
                .hint("Bring those nodes back or remove them first; force => true removes it nevertheless."));
            }
        }
        if node == self.me {
            self.hand_over(g, now)?;
            // Whoever leads then takes it out.
            return Ok(Fate::Again);
        }
        g.change(change_of(ConfChangeType::RemoveNode, node), &Change::default()).map(|()| Fate::Done)
    }
    /// Gives an order to a node and waits for its answer.
    fn order_at(&self, to: NodeId, order: Order, pause: &mut dyn FnMut() -> Result<()>) -> Result<Fate> {
        let b = &self.board;
        let number = b.next_ask.fetch_add(1, Ordering::Relaxed);
        b.asks.lock().insert(number, None);
        let forget = || b.asks.lock().remove(&number).flatten();
        if to == self.me {
            let this = self.itself()?;
            self.entrance.command(Box::new(move |n| {
                let fate = this.carry_out(n, order);
                this.learn(number, fate);
            }));
        } else if !self.send(to, Class::Control, Message::Order(number, order).encode()) {
            forget();
            return Ok(Fate::Again);
        }
        let end = Instant::now() + ANSWER_WAIT;
        while Instant::now() < end && b.asks.lock().get(&number).is_some_and(Option::is_none) {
            if let Err(e) = pause() {
                forget();
                return Err(e);
            }
        }
        Ok(forget().unwrap_or(Fate::Again))
    }
    fn has_happened(&self, order: Order) -> bool {
        let view = self.view.lock();
        match order {
            Order::Remove { node, .. } => {
                !view.members.contains(node) || node == self.me && self.board.removed.load(Ordering::Acquire)
            }
            Order::Transfer { node } => view.leader == node && (node != self.me || view.serves),
            Order::Drain { node, on } => !on || view.leader != node,
            Order::Finalize => self.next_format(&view.members) == Err(Waits::Newest),
        }
    }
}

impl Cluster {
    /// By how much faster another node's commits must be for a leader to give the leadership away; zero: it never does. [`pace::MARGIN`] where nobody says.
    pub fn set_slow_margin(&self, margin: Duration) {
        self.inner.board.pace.lock().margin = Some(margin);
    }
    /// How an operator's hand-overs are done, where it is not by [`Cluster::transfer`] at once: with a grace for open transactions, say.
    pub fn set_hand_over(&self, f: HandOver) {
        let _ = self.inner.board.hand_over.set(f);
    }
    /// Does what an operator wants, wherever it is to be done, and waits until this node sees it done, for [`PATIENCE`] at most. `pause` is called between looks: it waits a little, and its error ends the waiting, not what has begun.
    ///
    /// 22023: there is no such node; 55000: it cannot be done, and why; 57P03: nobody leads.
    pub fn steer(&self, order: Order, pause: &mut dyn FnMut() -> Result<()>) -> Result<Done> {
        let inner = &self.inner;
        let node = order.node();
        let members = inner.view.lock().members.clone();
        if order == Order::Finalize {
            // Said at once, whatever build leads.
            inner.next_format(&members).err().and_then(|w| w.error()).map_or(Ok(()), Err)?;
        } else if !members.contains(node) {
            return Err(no_such_node(node));
        }
        let began = Instant::now();
        let end = began + PATIENCE;
        let drained = matches!(order, Order::Drain { .. });
        let mut asked: Option<Instant> = None;
        loop {
            if asked.is_some() || !drained {
                if inner.has_happened(order) {
                    return Ok(Done::Done);
                }
                if Instant::now() >= end {
                    break;
                }
            }
            // A hand-over may come to nothing: the leader goes on then.
            let waits = if matches!(order, Order::Transfer { .. }) { HAND_OVER_WAIT } else { PATIENCE };
            if asked.is_some_and(|a| a.elapsed() < waits) {
                pause()?;
                continue;
            }
            let to = if drained { node } else { inner.view.lock().leader };
            let fate = if to == 0 { Fate::Again } else { inner.order_at(to, order, pause)? };
            match fate {
                Fate::Done => asked = Some(Instant::now()),
                Fate::No(e) => return Err(e),
                Fate::Again if drained && began.elapsed() >= ANSWER_WAIT => {
                    return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "node {node} cannot be reached"));
                }
                Fate::Again if Instant::now() >= end => return Err(nobody_leads()),
                Fate::Again => pause()?,
            }
        }
        match order {
            Order::Transfer { .. } => Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "node {node} has not taken over the leadership within {} seconds",
                PATIENCE.as_secs()
            )
            .hint("See pamir_catalog.cluster_nodes for how far it is behind.")),
            _ if asked.is_none() => Err(nobody_leads()),
            _ => Ok(Done::Begun),
        }
    }
    pub fn is_draining(&self) -> bool {
        self.inner.board.draining.load(Ordering::Acquire)
    }
    /// The node takes part no longer: it is to serve nobody, and its program to end.
    pub fn was_removed(&self) -> bool {
        self.inner.board.removed.load(Ordering::Acquire)
    }
    /// Marks the directory of a node that was removed: it is not opened again.
    pub fn take_leave(&self) -> Result<()> {
        identity::mark_removed(&*self.inner.disk)
    }
    pub fn condition(&self) -> Condition {
        let inner = &self.inner;
        let b = &inner.board;
        let now = Instant::now();
        let view = inner.view.lock().clone();
        let reached = inner.reaches_leader(&view)
            || b.led.lock().is_some_and(|l| now.saturating_duration_since(l) < CUT_OFF_AFTER);
        let applied = inner.shard.applied_entry().index;
        let unapplied = b.known.lock().history.since(now, applied);
        let told = b.overview.lock();
        let own = told.as_ref().and_then(|o| o.1.members.iter().find(|m| m.node == inner.me));
        let unstored = own.and_then(|m| m.lag).map_or(Duration::ZERO, |l| l.time);
        Standing {
            removed: self.was_removed(),
            draining: self.is_draining(),
            reached,
            leads: view.leader == inner.me,
            surely: view.serves && inner.shard.holds_lease(),
            behind: unapplied.max(unstored),
            votes: view.members.is_voter(inner.me),
        }
        .condition()
    }
    /// It leads, and nobody else can: what `/health/leader` asks.
    pub fn leads_surely(&self) -> bool {
        let inner = &self.inner;
        let view = inner.view.lock();
        view.leader == inner.me && view.serves && inner.shard.holds_lease() && !self.was_removed()
    }
    /// The whole, as this node knows it.
    pub fn picture(&self) -> Picture {
        let inner = &self.inner;
        let condition = self.condition();
        let view = inner.view.lock().clone();
        let now = Instant::now();
        let newest = inner.board.overview.lock().clone();
        let line = |id: NodeId| newest.as_ref().and_then(|o| o.1.members.iter().find(|m| m.node == id)).cloned();
        let one = |(id, info): (&NodeId, &NodeInfo)| {
            let votes = view.members.is_voter(*id);
            let mut m = line(*id).unwrap_or_default();
            (m.node, m.votes) = (*id, votes);
            // Who leads is known here, and may be newer than the lines.
            m.role = match m.role {
                _ if *id == view.leader => Role::Leader,
                _ if view.leader == 0 && *id != inner.me => Role::Unknown,
                Role::Unknown if *id != inner.me => Role::Unknown,
                _ if votes => Role::Follower,
                _ => Role::Learner,
            };
            if *id == inner.me {
                m.draining = self.is_draining();
            }
            (info.clone(), m)
        };
        let mut builds = inner.connected.lock().clone();
        builds.insert(inner.me, inner.build);
        let waits = version::next(&view.members, inner.me, inner.build, |id| builds.get(&id).copied(), false).err();
        let current = newest.as_ref().filter(|o| o.1.leader == view.leader && view.leader != 0);
        Picture {
            me: inner.me,
            cluster: crate::identity::hex(&inner.cluster),
            condition,
            term: view.term,
            leader: view.leader,
            quorum: current.is_some_and(|o| o.1.quorum),
            lease: current.is_some_and(|o| o.1.lease),
            age: newest.as_ref().map(|o| now.saturating_duration_since(o.0)),
            members: view.members.nodes.iter().map(one).collect(),
            voters: view.members.conf.voters.len(),
            format: view.members.format,
            format_waits: waits.filter(|w| *w != Waits::Newest),
            builds,
        }
    }
    pub fn figures(&self) -> Figures {
        let inner = &self.inner;
        let (b, t) = (&inner.board, inner.transport.get());
        let n = |a: &AtomicU64| a.load(Ordering::Relaxed);
        let far = inner.far.get();
        let speed = b.pace.lock().own.clone();
        Figures {
            reading: b.reading.lock().clone(),
            applied: inner.shard.applied_entry().index,
            leader_changes: n(&b.tally.leader_changes),
            snapshots_sent: n(&b.tally.snapshots_sent),
            snapshots_received: n(&b.tally.snapshots_received),
            snapshot_bytes_sent: n(&b.tally.snapshot_bytes_sent),
            snapshot_bytes_received: n(&b.tally.snapshot_bytes_received),
            slow_moves: n(&b.tally.slow_moves),
            speed,
            peers: t.map_or_else(Vec::new, |t| t.status()),
            transport: t.map_or_else(Counters::default, |t| t.counters()),
            guests: far.map_or(0, |f| f.host.counts().0),
            requests: far.map_or(0, |f| f.requests.under_way()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let well = || Standing {
            removed: false,
            draining: false,
            reached: true,
            leads: false,
            surely: false,
            behind: CAUGHT_UP_WITHIN,
            votes: true,
        };
        let all = [
            (well(), Condition::Follower, true),
            (Standing { votes: false, ..well() }, Condition::Learner, true),
            (Standing { behind: CAUGHT_UP_WITHIN + Duration::from_millis(1), ..well() }, Condition::CatchingUp, false),
            (Standing { leads: true, surely: true, ..well() }, Condition::Leader, true),
            // Elected, and not serving yet, or without a lease for a moment.
            (Standing { leads: true, ..well() }, Condition::Follower, true),
            (Standing { reached: false, surely: true, leads: true, ..well() }, Condition::CutOff, false),
            (Standing { draining: true, reached: false, ..well() }, Condition::Draining, false),
            (Standing { removed: true, draining: true, ..well() }, Condition::Removed, false),
        ];
        for (s, want, ready) in all {
            let c = s.condition();
            assert_eq!((c, c.is_ready()), (want, ready));
        }
    }
}
