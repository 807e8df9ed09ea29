//! How fast members are, what ails a slow one, and when a leader that is slow gives the leadership away.
//!
//! ```text
//!   this node   syncs, writes, wakes of its thread ─► Meter ─┐
//!               round trips to each peer ───────────► Links ─┴─► Speed ── Report (watch.rs) ──► every other member
//!   Speeds of all ─► cost of a commit, for each voter if it led ─► much cheaper elsewhere, for a while, after the pause? ─► Rule::look: hand over to that one
//! ```
//! # Figures
//! What happens in a [`SLOT`] makes one number, and a figure is the median of the numbers of the last [`WINDOW`]. Where little is written (a leader behind a long link commits once in a second or two, all its clients in
//! step) those are too few to be one: then it is the median of the newest [`LEAST`] of slots in which something ended, which may be as old as [`AGED`]. With fewer there is none, and what is not known counts neither as slow nor
//! as fast. Slots weigh alike, not operations: a disk that has turned slow makes few syncs, which would be lost among the many fast ones before. One stall, however long, is at most a few slots, and ends in one of them: no median.
//! - *disk*: mean time of a write and sync of the log. One that is under way counts as what it has taken so far.
//! - *late*: how long whoever comes at any moment waits for the thread that makes the turns to have a processor: the sum of the squares of its latenesses by twice the slot. Many small ones count little, a standstill of 400 of 500 ms 160 ms.
//! - *round trips* to each peer, of the transport's pings, which go whether there is work or not.
//!
//! # Cost
//! A commit under a leader `X` waits for X's processor, then for X's disk and, beside it, for the fastest followers that make a majority with X: `late(X) + max(disk(X), quorum over f of rtt(X, f) + late(f) + disk(f))`. A
//! slow follower costs nothing while others make the majority; where the slow ones are part of every majority nothing is gained by a change, and none is made.
//!
//! # The rule
//! The leader hands over to the voter with the least cost, if for [`HOLD`] without a break that cost was less than its own by [`FACTOR`] and by the margin (a setting, [`MARGIN`] by default; 0: the leadership never moves
//! for this), and that voter was heard, caught up and itself well. One that waits for its processor by more than the margin is not, unless the leader does so far more: what such a node measures of the rest is not to be trusted.
//! - **No swinging.** Nothing moves because a node has become well again: only from slow to much faster. After a change the next one, of whichever node, waits [`FIRST_PAUSE`], and twice as long for every further one of the last [`MEMORY`] (at most
//!   [`LONGEST_PAUSE`]): members tell each other of theirs. So any minute sees two changes at most, any half hour six.
//! - **A slow node is reluctant**: one whose commits would have cost that much more than another's for [`HOLD`] asks for votes later than others ([`crate::group::RELUCTANCE`]) and is nobody's choice, until it was well for [`WELL`].
//!
//! *Invariants*: no clock and no chance in here; nobody's clock is compared with another's; what a member says is bounded ([`MOST_LINKS`]).
//!
//! Limits: where nothing is written no disk is measured, and a leader without a figure stays. A restart forgets a node's changes. Members of an earlier program say nothing of this: they count as unknown, and never as a choice.
use crate::NodeId;
use crate::codec::{Reader, put_varint};
use crate::members::Members;
use crate::plant::{self, Bug};
use pamir_error::Result;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// What happens in such a time makes one number.
pub const SLOT: Duration = Duration::from_millis(500);
/// A figure is made of the numbers of so long,
pub const WINDOW: Duration = Duration::from_secs(3);
/// and of so many at least: where the window has fewer, of the newest in which something ended,
pub const LEAST: usize = 3;
/// no older than this.
pub const AGED: Duration = Duration::from_secs(15);
/// Numbers that are kept at most: those of a window, and one that is just being left.
const MOST_SLOTS: usize = 8;
/// A commit must cost less elsewhere by this factor,
pub const FACTOR: u32 = 3;
/// by so much, where no setting says otherwise,
pub const MARGIN: Duration = Duration::from_millis(25);
/// and for so long.
pub const HOLD: Duration = Duration::from_millis(2500);
/// After a change of the leader for slowness there is none for so long,
pub const FIRST_PAUSE: Duration = Duration::from_secs(30);
/// ... at most, when many have followed each other
pub const LONGEST_PAUSE: Duration = Duration::from_secs(16 * 60);
/// within so long.
pub const MEMORY: Duration = Duration::from_secs(30 * 60);
/// A slow node is well again after so long without being slow.
pub const WELL: Duration = Duration::from_secs(10);
/// What takes so long is called slow though it is no faster elsewhere.
pub const SLOW_EVERYWHERE: Duration = Duration::from_millis(200);
/// Round trips that a member tells of.
pub const MOST_LINKS: usize = 48;
/// Changes of its own that a node remembers.
const MOST_MOVES: usize = 64;

/// Durations, as one figure: see the page.
#[derive(Default, Debug)]
pub struct Gauge {
    sum: Duration,
    n: u32,
    /// Something of this slot has not ended.
    goes_on: bool,
    slots: VecDeque<(Instant, Duration)>,
    /// The newest [`LEAST`] in which all had ended.
    ended: VecDeque<(Instant, Duration)>,
}
impl Gauge {
    /// What has taken so long so far, and goes on.
    fn add_so_far(&mut self, took: Duration) {
        self.add(took);
        self.goes_on = true;
    }
    pub fn add(&mut self, took: Duration) {
        self.sum = self.sum.saturating_add(took);
        self.n = self.n.saturating_add(1);
    }
    /// A slot ends.
    fn roll(&mut self, now: Instant) {
        if self.n > 0 {
            let mean = self.sum / self.n;
            self.put(now, mean);
            if !self.goes_on {
                self.ended.push_back((now, mean));
            }
        }
        (self.sum, self.n, self.goes_on) = (Duration::ZERO, 0, false);
        self.forget(now);
    }
    fn put(&mut self, now: Instant, number: Duration) {
        if self.slots.len() >= MOST_SLOTS {
            self.slots.pop_front();
        }
        self.slots.push_back((now, number));
    }
    fn forget(&mut self, now: Instant) {
        let age = |s: Option<&(Instant, Duration)>| s.map(|s| now.saturating_duration_since(s.0));
        while age(self.slots.front()).is_some_and(|a| a >= WINDOW) {
            self.slots.pop_front();
        }
        while self.ended.len() > LEAST || age(self.ended.front()).is_some_and(|a| a >= AGED) {
            self.ended.pop_front();
        }
    }
    /// More than half of the slots had at least this; None: there are too few.
    pub fn figure(&self) -> Option<Duration> {
        let of = if self.slots.len() < LEAST { &self.ended } else { &self.slots };
        let mut all: Vec<Duration> = of.iter().map(|s| s.1).collect();
        all.sort_unstable();
        let middle = all.len().saturating_sub(1) / 2;
        all.get(middle).copied().filter(|_| all.len() >= LEAST)
    }
}
/// Cuts time into slots.
#[derive(Default, Debug)]
struct Slots(Option<Instant>);
impl Slots {
    /// How long the slot was that ends now; None: it goes on.
    fn end(&mut self, now: Instant) -> Option<Duration> {
        let since = now.saturating_duration_since(*self.0.get_or_insert(now));
        if since < SLOT {
            return None;
        }
        self.0 = Some(now);
        Some(since)
    }
}

/// What a node measures of its own disk and processor. Whoever drives it says what took how long.
#[derive(Default, Debug)]
pub struct Meter {
    slots: Slots,
    sync: Gauge,
    late: Gauge,
    /// Squares of latenesses of this slot, in microseconds.
    squares: u128,
    /// When the sync began that is under way.
    began: Option<Instant>,
}
/// A node's own figures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Own {
    pub disk: Option<Duration>,
    pub late: Option<Duration>,
}
impl Meter {
    pub fn sync_begins(&mut self, now: Instant) {
        self.began = Some(now);
    }
    pub fn sync_ends(&mut self, took: Duration) {
        self.began = None;
        self.sync.add(took);
    }
    /// A turn has begun, so long after there was one to begin.
    pub fn woke(&mut self, late: Duration) {
        self.squares = self.squares.saturating_add(late.as_micros().pow(2));
    }
    /// Called now and then; the figures are newer after every [`SLOT`].
    pub fn look(&mut self, now: Instant) -> Own {
        if let Some(slot) = self.slots.end(now) {
            let age = self.began.map(|b| now.saturating_duration_since(b)).filter(|a| *a >= SLOT);
            age.into_iter().for_each(|a| self.sync.add_so_far(a));
            let mean = self.squares / (2 * slot.as_micros()).max(1);
            self.late.add(Duration::from_micros(u64::try_from(mean).unwrap_or(u64::MAX)));
            self.squares = 0;
            [&mut self.sync, &mut self.late].into_iter().for_each(|g| g.roll(now));
        }
        Own { disk: self.sync.figure(), late: self.late.figure() }
    }
}
/// Round trips to each peer.
#[derive(Default, Debug)]
pub struct Links {
    slots: Slots,
    of: BTreeMap<NodeId, Gauge>,
    /// Of each peer's round trips so far, how many there were and how long they took together.
    seen: BTreeMap<NodeId, (u64, Duration)>,
}
impl Links {
    pub fn add(&mut self, peer: NodeId, took: Duration) {
        self.of.entry(peer).or_default().add(took);
    }
    /// A peer's round trips so far: how many, and how long all of them took.
    pub fn seen(&mut self, peer: NodeId, all: (u64, Duration)) {
        let before = self.seen.insert(peer, all).unwrap_or_default();
        let more = all.0.checked_sub(before.0).zip(all.1.checked_sub(before.1));
        // Fewer than before: it is known anew.
        let (n, sum) = more.unwrap_or(all);
        if n > 0 {
            self.add(peer, sum / u32::try_from(n).unwrap_or(u32::MAX));
        }
    }
    /// Called now and then. Peers that `keep` does not name are forgotten.
    pub fn look(&mut self, now: Instant, keep: impl Fn(NodeId) -> bool) -> BTreeMap<NodeId, Duration> {
        self.of.retain(|id, _| keep(*id));
        self.seen.retain(|id, _| keep(*id));
        if self.slots.end(now).is_some() {
            self.of.values_mut().for_each(|g| g.roll(now));
        }
        self.of.iter().filter_map(|(id, g)| Some((*id, g.figure()?))).collect()
    }
}

/// What a member says of its speed. In bytes, the end of a Report:
///
/// ```text
///   speed := flags u8 (1 slow), disk o, late o, moves v, moved o, n v, (node v, round trip v)...       in microseconds; `o`: see watch.rs
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Speed {
    pub disk: Option<Duration>,
    pub late: Option<Duration>,
    pub round_trips: BTreeMap<NodeId, Duration>,
    /// Its commits would cost much more than another's: nobody is to choose it.
    pub slow: bool,
    /// How often it has given the leadership away for slowness within [`MEMORY`], and how long ago the last time was.
    pub moves: u64,
    pub moved: Option<Duration>,
}
const SLOW: u8 = 1;
fn micros(d: Duration) -> u64 {
    u64::try_from(d.as_micros()).unwrap_or(u64::MAX)
}
impl Speed {
    pub fn new(own: Own, round_trips: BTreeMap<NodeId, Duration>) -> Speed {
        Speed { disk: own.disk, late: own.late, round_trips, ..Speed::default() }
    }
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(if self.slow { SLOW } else { 0 });
        let mut put = |d: Option<Duration>| put_varint(out, d.map_or(0, |d| micros(d).saturating_add(1)));
        put(self.disk);
        put(self.late);
        put_varint(out, self.moves);
        put_varint(out, self.moved.map_or(0, |d| micros(d).saturating_add(1)));
        let n = self.round_trips.len().min(MOST_LINKS);
        put_varint(out, n as u64);
        for (node, took) in self.round_trips.iter().take(n) {
            put_varint(out, *node);
            put_varint(out, micros(*took));
        }
    }
    /// Nothing is there where an earlier program wrote it.
    pub fn read(r: &mut Reader) -> Result<Speed> {
        if r.is_empty() {
            return Ok(Speed::default());
        }
        let flags = r.u8()?;
        let get = |r: &mut Reader| Ok(r.varint()?.checked_sub(1).map(Duration::from_micros));
        let (disk, late) = (get(r)?, get(r)?);
        let (moves, moved) = (r.varint()?, get(r)?);
        let links = r.list(|r| Ok((r.varint()?, Duration::from_micros(r.varint()?))))?;
        let round_trips = links.into_iter().take(MOST_LINKS).collect();
        Ok(Speed { disk, late, round_trips, slow: flags & SLOW != 0, moves, moved })
    }
}

/// Another member, as this node knows it.
#[derive(Clone, Debug)]
pub struct Other {
    /// When it said this.
    pub at: Instant,
    pub speed: Speed,
    /// It is not silent.
    pub heard: bool,
    /// It could lead at once: caught up, with room, not draining. Known to the leader only.
    pub ready: bool,
}
/// All that the rule looks at.
pub struct Sight<'a> {
    pub me: NodeId,
    pub own: &'a Speed,
    pub members: &'a Members,
    pub others: &'a BTreeMap<NodeId, Other>,
    /// This node leads, serves, and its leadership is not on its way elsewhere.
    pub leads: bool,
}
impl Sight<'_> {
    fn speed(&self, id: NodeId) -> Option<&Speed> {
        if id == self.me {
            return Some(self.own);
        }
        self.others.get(&id).filter(|o| o.heard).map(|o| &o.speed)
    }
    /// By either side's figure.
    fn round_trip(&self, a: NodeId, b: NodeId) -> Option<Duration> {
        let of = |a: NodeId, b: NodeId| self.speed(a)?.round_trips.get(&b).copied();
        of(a, b).or_else(|| of(b, a))
    }
    /// What a commit would take if `id` led, which votes; None: too little is known. See the page.
    pub fn cost(&self, id: NodeId) -> Option<Duration> {
        let s = self.speed(id)?;
        let disk = s.disk?;
        let late = |s: &Speed| s.late.unwrap_or_default();
        let path = |f: NodeId| {
            let s = self.speed(f)?;
            Some(self.round_trip(id, f)?.saturating_add(late(s)).saturating_add(s.disk?))
        };
        let voters = self.members.conf.voters.iter().chain(&self.members.conf.voters_outgoing);
        let mut paths: Vec<(Duration, NodeId)> =
            voters.filter(|f| **f != id).filter_map(|f| Some((path(*f)?, *f))).collect();
        paths.sort_unstable();
        let mut have = BTreeSet::from([id]);
        let mut quorum = Duration::ZERO;
        let mut paths = paths.into_iter();
        while !self.members.is_quorum(|id| have.contains(&id)) {
            let (took, f) = paths.next()?;
            quorum = took;
            have.insert(f);
        }
        Some(late(s).saturating_add(disk.max(quorum)))
    }
    /// Would another's commits cost much less than this node's? None: it is not known.
    fn is_slow(&self, margin: Duration) -> Option<bool> {
        let own = self.cost(self.me)?;
        let least =
            self.others.keys().filter(|id| self.members.is_voter(**id)).filter_map(|id| self.cost(*id)).min()?;
        Some(is_much_less(least, own, margin))
    }
    /// What ails this node, for people; None: nothing.
    pub fn trouble(&self, margin: Duration) -> Option<String> {
        let bad = |own: Option<Duration>, best: Option<Duration>| {
            let beside = |own: Duration| best.is_some_and(|b| is_much_less(b, own, margin));
            own.filter(|d| *d >= margin && (*d >= SLOW_EVERYWHERE || beside(*d)))
        };
        let others = || self.others.values().filter(|o| o.heard).map(|o| &o.speed);
        let ms = |d: Duration| d.as_millis();
        // Whoever lacks a processor is slow in all else too, and measures others as slow.
        if let Some(d) = bad(self.own.late, others().filter_map(|s| s.late).min()) {
            return Some(format!("its processor is taken: it waits {} ms for one", ms(d)));
        }
        if let Some(d) = bad(self.own.disk, others().filter_map(|s| s.disk).min()) {
            return Some(format!("its disk is slow: {} ms a sync", ms(d)));
        }
        // Its own link: to most of the others it is long, where two others have a short one.
        let mut trips: Vec<Duration> =
            self.others.keys().filter_map(|id| self.own.round_trips.get(id)).copied().collect();
        trips.sort_unstable();
        let own = trips.get(trips.len().saturating_sub(1) / 2).copied();
        let between = |a: &NodeId| self.others.keys().filter_map(|b| self.round_trip(*a, *b)).min();
        let best = self.others.keys().filter_map(between).min();
        bad(own, best).map(|d| format!("its link is slow: {} ms a round trip", ms(d)))
    }
}
fn is_much_less(a: Duration, b: Duration, margin: Duration) -> bool {
    b >= a.saturating_mul(FACTOR) && b >= a.saturating_add(margin)
}
/// How long after a change the next one waits, when there were so many.
pub fn pause(moves: u64) -> Duration {
    let doublings = u32::try_from(moves.saturating_sub(1)).unwrap_or(u32::MAX).min(16);
    if moves == 0 { Duration::ZERO } else { FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE) }
}

/// A node's part in the rule: what has held since when, and its own changes.
#[derive(Default, Debug)]
pub struct Rule {
    /// Since when each other voter is much faster than this node.
    since: BTreeMap<NodeId, Instant>,
    slow_since: Option<Instant>,
    well_since: Option<Instant>,
    slow: bool,
    moves: VecDeque<Instant>,
}
impl Rule {
    /// Is this node to stay behind others in elections?
    pub fn is_slow(&self) -> bool {
        self.slow
    }
    /// Called now and then, at every node: to whom the leadership is to go; None: it stays. `margin` zero: it always does, and slow nodes are told by the usual one.
    pub fn look(&mut self, now: Instant, sight: &Sight, margin: Duration) -> Option<NodeId> {
        let moves = !margin.is_zero();
        let margin = if moves { margin } else { MARGIN };
        self.judge(now, sight.is_slow(margin));
        while self.moves.front().is_some_and(|m| now.saturating_duration_since(*m) >= MEMORY) {
            self.moves.pop_front();
        }
        let own = sight.cost(sight.me).filter(|_| sight.leads && moves);
        let mut choices = BTreeMap::new();
        for (id, other) in own.iter().flat_map(|_| sight.others) {
            let (Some(own), Some(cost)) = (own, sight.cost(*id)) else { continue };
            let late = |s: &Speed| s.late.unwrap_or_default();
            let has_processor =
                late(&other.speed) < margin || is_much_less(late(&other.speed), late(sight.own), margin);
            let well = is_much_less(cost, own, margin) && !other.speed.slow && has_processor;
            let well = well || own >= margin && plant::has(Bug::SlowTargetChosen);
            if other.heard && other.ready && sight.members.is_voter(*id) && well {
                choices.insert(*id, cost);
            }
        }
        self.since.retain(|id, _| choices.contains_key(id));
        for id in choices.keys() {
            self.since.entry(*id).or_insert(now);
        }
        if self.pauses(now, sight) && !plant::has(Bug::SlowMoveWithoutPause) {
            return None;
        }
        let hold = if plant::has(Bug::SlownessNotHeld) { Duration::ZERO } else { HOLD };
        let held = |id: &NodeId| self.since.get(id).is_some_and(|s| now.saturating_duration_since(*s) >= hold);
        choices.iter().filter(|c| held(c.0)).min_by_key(|c| (*c.1, *c.0)).map(|c| *c.0)
    }
    fn judge(&mut self, now: Instant, slow: Option<bool>) {
        let for_long =
            |since: Option<Instant>, long: Duration| since.is_some_and(|s| now.saturating_duration_since(s) >= long);
        match slow {
            Some(true) => (self.slow_since, self.well_since) = (self.slow_since.or(Some(now)), None),
            Some(false) => (self.slow_since, self.well_since) = (None, self.well_since.or(Some(now))),
            None => (self.slow_since, self.well_since) = (None, None),
        }
        if for_long(self.slow_since, HOLD) {
            self.slow = true;
        } else if for_long(self.well_since, WELL) {
            self.slow = false;
        }
    }
    /// Is it too early for another change?
    fn pauses(&self, now: Instant, sight: &Sight) -> bool {
        let own = self.moves.back().map(|m| (self.moves.len() as u64, now.saturating_duration_since(*m)));
        let ago = |o: &Other| {
            let since = o.speed.moved?.saturating_add(now.saturating_duration_since(o.at));
            Some((o.speed.moves.min(MOST_MOVES as u64), since)).filter(|m| m.1 < MEMORY)
        };
        let all = || own.into_iter().chain(sight.others.values().filter_map(ago));
        let moves = all().map(|m| m.0).sum();
        all().map(|m| m.1).min().is_some_and(|last| last < pause(moves))
    }
    /// The leadership goes, because of [`Rule::look`].
    pub fn moved(&mut self, now: Instant) {
        if self.moves.len() >= MOST_MOVES {
            self.moves.pop_front();
        }
        self.moves.push_back(now);
        self.since.clear();
        self.slow = true;
        self.well_since = None;
    }
    /// What others are to know of it.
    pub fn tell(&self, now: Instant, speed: &mut Speed) {
        speed.slow = self.slow;
        speed.moves = self.moves.len() as u64;
        speed.moved = self.moves.back().map(|m| now.saturating_duration_since(*m));
    }
}

#[cfg(test)]
mod tests;
