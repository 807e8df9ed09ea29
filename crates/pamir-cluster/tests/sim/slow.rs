//! Nodes that are slow and not dead: a slow disk, a long link, a processor that others take, at the leader, at followers, at all, and now and then.
//!
//! ```text
//!   node: syncs, wakes ─► Meter     ping, pong ─► Links     Report (500 ms) ─► others
//!         └────────── look (200 ms) ─► Rule ─► transfer
//! ```
//! The world does with `pace.rs` what `cluster/steer.rs` does in a process; all else is as for the other tests: what was acknowledged is there in the end.
use super::*;
use pamir_cluster::group::MESSAGES;
use pamir_cluster::pace::{Links, MARGIN, Meter, Other, Rule, Sight, Speed};
use pamir_cluster::watch::{self, Report};
use pamir_storage::disk::sim::Faults;

const PING: u8 = 250;
const LOOK_EVERY: Duration = Duration::from_millis(200);
const LONGEST_REST: Duration = Duration::from_millis(100);
const TELL_EVERY: Duration = Duration::from_millis(500);
/// Entries that a successor may lack.
const BEHIND: u64 = 1024;

pub struct Pacer {
    pub meter: Meter,
    links: Links,
    rule: Rule,
    reports: BTreeMap<NodeId, (Instant, Report)>,
    looked: Instant,
    told: Instant,
    pub trouble: Option<String>,
}
impl Pacer {
    pub fn new(now: Instant) -> Pacer {
        Pacer {
            meter: Meter::default(),
            links: Links::default(),
            rule: Rule::default(),
            reports: BTreeMap::new(),
            looked: now,
            told: now,
            trouble: None,
        }
    }
    pub fn next_look(&self) -> Instant {
        self.looked + LOOK_EVERY
    }
}
pub fn is_of_pace(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(&(PING | watch::SUBJECT)))
}

impl World {
    /// Without other faults than slowness: three nodes or so, well for some seconds.
    fn well(seed: u64, nodes: u64, margin: Duration) -> World {
        let mut w = World::new(seed, nodes);
        w.faults = false;
        (w.paced, w.seldom) = (Some(margin), 8);
        let now = w.now();
        w.machines.iter_mut().for_each(|m| m.pace = Some(Pacer::new(now)));
        w.go(8000);
        assert!(w.ready && w.moves.is_empty(), "seed {seed}");
        w
    }
    /// Lets so many milliseconds pass.
    fn go(&mut self, ms: u64) {
        let end = self.now() + Duration::from_millis(ms);
        while self.now() < end {
            self.step();
        }
    }
    /// Lets so many milliseconds pass; what a commit took on average.
    fn commit_time(&mut self, ms: u64) -> Duration {
        let (n, took) = (self.commits, self.took);
        self.go(ms);
        let n = u32::try_from(self.commits - n).unwrap();
        assert!(n > 20, "seed {}: {n} commits in {ms} ms", self.seed);
        (self.took - took) / n
    }
    fn leads(&self) -> usize {
        let leads = |m: &Machine| m.running.as_ref().is_some_and(|r| r.1.leads());
        self.machines.iter().position(leads).unwrap_or_else(|| panic!("seed {}: nobody leads", self.seed))
    }
    pub fn heard_of_pace(&mut self, i: usize, from: NodeId, bytes: &[u8]) {
        let (now, id) = (self.now(), self.machines[i].id);
        let Some(p) = &mut self.machines[i].pace else { return };
        if bytes[0] == watch::SUBJECT {
            if let Ok(Some(watch::Message::Report(r))) = watch::Message::decode(bytes) {
                p.reports.insert(from, (now, r));
            }
            return;
        }
        let at = u64::from_le_bytes(bytes[2..10].try_into().unwrap());
        if bytes[1] == 0 {
            let mut answer = bytes.to_vec();
            answer[1] = 1;
            self.send(id, from, answer);
        } else {
            p.links.add(from, (now - self.start).saturating_sub(Duration::from_nanos(at)));
        }
    }
    /// What a node does now and then.
    pub fn look(&mut self, i: usize) {
        let (now, seed) = (self.now(), self.seed);
        let Some(margin) = self.paced else { return };
        let m = &mut self.machines[i];
        let (id, Some(p), Some((node, _))) = (m.id, &mut m.pace, &mut m.running) else { return };
        p.looked = now;
        let g = node.group_mut(FIRST_GROUP).unwrap();
        let members = g.log().members.clone();
        let mut speed = Speed::new(p.meter.look(now), p.links.look(now, |_| true));
        p.rule.tell(now, &mut speed);
        let (progress, decided) = (g.progress(), g.decided());
        let one = |(id, (at, r)): (&NodeId, &(Instant, Report))| {
            let ready = progress.iter().any(|p| p.0 == *id && p.1 + BEHIND >= decided);
            (*id, Other { at: *at, speed: r.speed.clone(), heard: now - *at < watch::SILENT, ready })
        };
        let others: BTreeMap<NodeId, Other> = p.reports.iter().map(one).collect();
        let leads = g.leads() && g.serves() && !g.is_transferring();
        let sight = Sight { me: id, own: &speed, members: &members, others: &others, leads };
        let to = p.rule.look(now, &sight, margin);
        p.trouble = sight.trouble(MARGIN);
        g.reluctant = p.rule.is_slow();
        if let Some(to) = to {
            p.rule.moved(now);
            g.transfer(to).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            self.moves.push((now, id, to));
        }
        let tells = now >= p.told + TELL_EVERY;
        if tells {
            p.told = now;
        }
        let report = watch::Message::Report(Report { speed, ..Report::default() }).encode();
        let mut ping = vec![PING, 0];
        ping.extend_from_slice(&((now - self.start).as_nanos() as u64).to_le_bytes());
        for to in (1..=self.machines.len() as u64).filter(|to| *to != id) {
            self.send(id, to, ping.clone());
            if tells {
                self.send(id, to, report.clone());
            }
        }
        self.turn(i);
    }
    /// A node's processor is taken.
    pub fn stop(&mut self, i: usize) {
        let now = self.now();
        let m = &mut self.machines[i];
        (m.stops, m.stopped) = (None, now);
        m.paused = m.taken.map(|t| now + t.0);
    }
    pub fn goes_on(&mut self, i: usize) {
        let now = self.now();
        let m = &mut self.machines[i];
        m.stops = m.taken.map(|t| now + t.1);
        let due = m.running.as_ref().and_then(|r| r.0.next_turn());
        if let (Some(p), Some(due)) = (&mut m.pace, due) {
            // As in a process: it would have looked up by itself.
            let due = due.min(m.stopped + LONGEST_REST);
            p.meter.woke(now.saturating_duration_since(due.max(m.stopped)));
        }
    }
    fn take(&mut self, i: usize, stop: u64, run: u64) {
        let now = self.now();
        let m = &mut self.machines[i];
        m.taken = Some((Duration::from_millis(stop), Duration::from_millis(run)));
        m.stops = Some(now);
    }
    /// The most changes in any minute.
    fn most_in_a_minute(&self) -> usize {
        let within =
            |from: Instant| self.moves.iter().filter(move |m| m.0 >= from && m.0 < from + Duration::from_secs(60));
        self.moves.iter().map(|m| within(m.0).count()).max().unwrap_or(0)
    }
    fn end(mut self) {
        for m in &mut self.machines {
            (m.far, m.taken, m.stops) = (Duration::ZERO, None, None);
        }
        self.calm();
        self.check();
    }
    /// Appends that are on their way to a node, and their bytes.
    fn appends_to(&self, to: NodeId) -> (usize, usize) {
        let is_append = |l: &&Letter| {
            let say = Say::decode(&l.bytes.clone().into(), l.from, l.to, pamir_cluster::version::FORMATS);
            matches!(say, Ok((_, Say::Raft(m))) if m.get_msg_type() == MessageType::MsgAppend)
        };
        let of = |l: &&Letter| l.to == to && l.bytes.first() == Some(&pamir_cluster::message::SUBJECT);
        let all: Vec<usize> = self.letters.iter().filter(of).filter(is_append).map(|l| l.bytes.len()).collect();
        (all.len(), all.iter().sum())
    }
}

/// A way to be slow, and what the node says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slowness {
    Disk(u64),
    Link(u64),
    /// Taken for so many milliseconds, its own for so many.
    Processor(u64, u64),
}
use Slowness::{Disk, Link, Processor};
impl Slowness {
    fn begins(self, w: &mut World, i: usize) {
        match self {
            Disk(ms) => w.machines[i].slow = Duration::from_millis(ms),
            Link(ms) => w.machines[i].far = Duration::from_millis(ms),
            Processor(stop, run) => w.take(i, stop, run),
        }
    }
    fn ends(w: &mut World, i: usize) {
        let m = &mut w.machines[i];
        (m.slow, m.far, m.taken, m.stops) = (Duration::from_micros(300), Duration::ZERO, None, None);
    }
    fn words(self) -> &'static str {
        match self {
            Disk(_) => "its disk is slow",
            Link(_) => "its link is slow",
            Processor(..) => "its processor is taken",
        }
    }
}
const ALL: [Slowness; 5] = [Disk(50), Disk(500), Link(100), Link(500), Processor(400, 100)];

/// A leader that is slow leads no more within 10 s; then all goes as before, and nothing moves for a minute, though the node is well again in the middle of it.
fn leader_is_slow(seed: u64, how: Slowness) {
    let mut w = World::well(seed, 3, MARGIN);
    let before = w.commit_time(5000);
    let i = w.leads();
    how.begins(&mut w, i);
    w.go(10_000);
    let what = format!("seed {seed}: {how:?}");
    assert!(w.leads() != i && w.moves.len() == 1, "{what}: {:?}", w.moves);
    let said = w.machines[i].pace.as_ref().and_then(|p| p.trouble.clone()).unwrap_or_default();
    assert!(said.starts_with(how.words()), "{what}: {said:?}");
    for j in (0..3).filter(|j| *j != i) {
        assert_eq!(w.machines[j].pace.as_ref().and_then(|p| p.trouble.clone()), None, "{what}: node {}", j + 1);
    }
    let after = w.commit_time(10_000);
    assert!(after < before * 3 / 2, "{what}: a commit took {before:?}, then {after:?}");
    Slowness::ends(&mut w, i);
    w.go(35_000);
    assert!(w.leads() != i && w.moves.len() == 1, "{what}: {:?}", w.moves);
    w.end();
}
/// A follower that is slow moves nothing, and a commit takes what the other one takes: no more the faster of the two, and nothing of the slow one.
fn follower_is_slow(seed: u64, how: Slowness) {
    let mut w = World::well(seed, 3, MARGIN);
    let before = w.commit_time(5000);
    let i = (w.leads() + 1) % 3;
    how.begins(&mut w, i);
    let with = w.commit_time(20_000);
    let what = format!("seed {seed}: {how:?}");
    assert!(w.moves.is_empty(), "{what}");
    assert!(with < before * 3 / 2, "{what}: a commit took {before:?}, with it {with:?}");
    let said = w.machines[i].pace.as_ref().and_then(|p| p.trouble.clone()).unwrap_or_default();
    assert!(said.starts_with(how.words()), "{what}: {said:?}");
    w.end();
}
/// Where nothing would be gained, nothing moves.
fn others_are_slow(seed: u64, how: Slowness, slow: usize) {
    let mut w = World::well(seed, 3, MARGIN);
    let l = w.leads();
    (0..slow).for_each(|k| how.begins(&mut w, (l + k) % 3));
    w.go(20_000);
    assert!(w.moves.is_empty(), "seed {seed}: {how:?} at {slow} of 3: {:?}", w.moves);
    w.end();
}
/// Of five, the leader and one more: it goes to one that is not slow.
fn two_of_five(seed: u64, how: Slowness) {
    let mut w = World::well(seed, 5, MARGIN);
    let l = w.leads();
    let slow = [l, (l + 1) % 5];
    slow.iter().for_each(|i| how.begins(&mut w, *i));
    w.go(20_000);
    assert!(w.moves.len() == 1 && !slow.contains(&w.leads()), "seed {seed}: {how:?}: {:?}", w.moves);
    w.end();
}
/// Whoever leads turns slow, and is well again when it does not.
fn slowness_follows(seed: u64, how: Slowness) {
    let mut w = World::well(seed, 3, MARGIN);
    for _ in 0..300 {
        let l = w.leads();
        (0..3).filter(|i| *i != l).for_each(|i| Slowness::ends(&mut w, i));
        let m = &w.machines[l];
        if m.slow < Duration::from_millis(1) && m.far.is_zero() && m.taken.is_none() {
            how.begins(&mut w, l);
        }
        w.go(500);
    }
    let (most, all) = (w.most_in_a_minute(), w.moves.len());
    assert!((2..=3).contains(&all) && most <= 2, "seed {seed}: {how:?}: {:?}", w.moves);
    w.end();
}
/// A disk, a link that is slow for a moment, again and again.
fn stalls(seed: u64, how: Slowness) {
    let mut w = World::well(seed, 3, MARGIN);
    for _ in 0..6 {
        let l = w.leads();
        how.begins(&mut w, l);
        w.go(1800);
        Slowness::ends(&mut w, l);
        w.go(5000);
    }
    assert!(w.moves.is_empty(), "seed {seed}: {how:?}: {:?}", w.moves);
    w.end();
}
/// What is under way to a follower that hears and does not answer in time is bounded.
fn window(seed: u64) {
    let mut w = World::well(seed, 3, MARGIN);
    let i = (w.leads() + 1) % 3;
    // It is cut off in one direction: what the leader sends waits on its way.
    let (from, to) = (w.leads() as u64 + 1, i as u64 + 1);
    w.late.insert(to, Duration::from_secs(60));
    let mut most = (0, 0);
    for _ in 0..100 {
        w.go(200);
        let now = w.appends_to(to);
        most = (most.0.max(now.0), most.1.max(now.1));
    }
    assert_eq!(w.leads() as u64 + 1, from);
    assert!(most.0 > MESSAGES / 2, "seed {seed}: {most:?} under way: the test tests nothing");
    assert!(most.0 <= MESSAGES && most.1 <= MESSAGES << 20, "seed {seed}: {most:?} under way");
    // What is on its way would come a minute later: it is lost.
    w.letters.retain(|l| l.to != to);
    w.late.clear();
    w.end();
}
/// A follower that is too far behind gets a snapshot: the leader keeps no more log for it than it says.
fn left_behind(seed: u64) {
    const KEEP: u64 = 64 << 10;
    let mut w = World::well(seed, 3, MARGIN);
    w.seldom = 1;
    w.keep = Keep { log: KEEP, ..Keep::default() };
    let l = w.leads();
    let to = (l as u64 + 1) % 3 + 1;
    w.late.insert(to, Duration::from_secs(3600));
    let mut most = 0;
    for n in 0..30 {
        w.go(500);
        for m in &mut w.machines {
            let Some((node, shard)) = &mut m.running else { continue };
            node.set_keep(w.keep);
            shard.request_checkpoint();
            with_parker(&w.clock, || while shard.step_checkpoint() {});
        }
        w.go(20);
        let (begin, end) = w.machines[l].running.as_ref().unwrap().0.log_span();
        if n > 5 {
            most = most.max(end - begin);
        }
    }
    let (_, end) = w.machines[l].running.as_ref().unwrap().0.log_span();
    let written = end - install::first_lsn();
    // What it keeps, what came since the last checkpoint, and a segment that is cut at its end only.
    assert!(written > 8 * KEEP, "seed {seed}: only {written} bytes of log: the test tests nothing");
    assert!(most <= 4 * KEEP, "seed {seed}: {most} bytes of log are kept");
    w.letters.retain(|l| l.to != to);
    w.late.clear();
    w.seldom = 8;
    let before = w.snapshots;
    // One that was begun meanwhile is given up first.
    w.go(15_000);
    assert!(w.snapshots > before, "seed {seed}: no snapshot");
    w.end();
}
/// Pages that take longer than what is written beside them fits in the log that is usually kept: they are sent once, and what follows them is there.
fn pages_take_long(seed: u64) {
    const KEEP: u64 = 16 << 10;
    let mut w = World::well(seed, 3, MARGIN);
    w.seldom = 1;
    w.keep = Keep { log: KEEP, ..Keep::default() };
    let l = w.leads();
    let to = (l as u64 + 1) % 3 + 1;
    let checkpoints = |w: &mut World| {
        for i in 0..3 {
            let keep = w.keep;
            if let Some((node, _)) = &mut w.machines[i].running {
                node.set_keep(keep);
            }
            w.checkpoint(i);
        }
    };
    w.cut = (1..=3).flat_map(|n| [(to, n), (n, to)]).collect();
    for _ in 0..10 {
        w.go(500);
        checkpoints(&mut w);
    }
    let lacks = |w: &World| {
        let decided = |i: usize| w.machines[i].running.as_ref().map(|r| r.0.group(FIRST_GROUP).unwrap().decided());
        decided(l).unwrap() - decided(to as usize - 1).unwrap_or(0)
    };
    assert!(lacks(&w) > 100, "seed {seed}: it lacks {}: the test tests nothing", lacks(&w));
    // All of it takes some seconds.
    w.ship_rate = 8 << 10;
    w.machines[l].ships = Shipping::new(w.ship_rate, w.keep);
    w.machines[l].ships.part = 1;
    let (before, end) = (w.snapshots, w.machines[l].running.as_ref().unwrap().0.log_span().1);
    w.cut.clear();
    let mut left = 120;
    while left > 0 {
        left -= 1;
        w.go(300);
        checkpoints(&mut w);
        if w.snapshots > before && left > 40 {
            left = 40;
            let written = w.machines[l].running.as_ref().unwrap().0.log_span().1 - end;
            assert!(written > 4 * KEEP, "seed {seed}: {written} bytes of log beside the pages: the test tests nothing");
        }
    }
    assert_eq!(w.snapshots - before, 1, "seed {seed}: snapshots");
    assert!(lacks(&w) < 100, "seed {seed}: it still lacks {}", lacks(&w));
    w.seldom = 8;
    w.end();
}
/// A disk that fails a write, or a sync: its node ends rather than say that it has what it may not have; the others go on.
fn disk_fails(seed: u64, leader: bool, sync: bool) {
    let mut w = World::well(seed, 3, MARGIN);
    let i = if leader { w.leads() } else { (w.leads() + 1) % 3 };
    let after = Some(seed % 5);
    let faults = match sync {
        true => Faults { fail_sync_after: after, ..Faults::default() },
        false => Faults { fail_write_after: after, ..Faults::default() },
    };
    let what = format!(
        "seed {seed}: {} at a {}",
        if sync { "a sync" } else { "a write" },
        ["follower", "leader"][leader as usize]
    );
    w.machines[i].disk.set_faults(faults);
    w.machines[i].broken = true;
    w.go(5000);
    assert!(w.machines[i].running.is_none(), "{what}: the node goes on");
    let (commits, from) = (w.commits, w.leads());
    w.go(3000);
    assert!(w.commits > commits && from != i && w.moves.is_empty(), "{what}: the others do not go on");
    w.machines[i].disk.set_faults(Faults::default());
    w.machines[i].broken = false;
    w.end();
}
fn each(f: fn(u64, Slowness)) {
    for seed in seeds(1) {
        ALL.into_iter().for_each(|how| f(seed, how));
    }
}

#[test]
fn a_slow_leader_leads_no_more() {
    each(leader_is_slow);
}
#[test]
fn a_slow_follower_costs_nothing() {
    each(follower_is_slow);
}
#[test]
fn nothing_moves_where_nothing_is_gained() {
    each(|seed, how| others_are_slow(seed, how, 3));
    each(|seed, how| others_are_slow(seed, how, 2));
}
#[test]
fn it_goes_to_a_fast_one() {
    each(two_of_five);
}
#[test]
fn no_swinging() {
    each(slowness_follows);
}
#[test]
fn stalls_move_nothing() {
    each(stalls);
}
/// With the switch off it stays, and the node says what ails it all the same.
#[test]
fn switched_off() {
    for seed in seeds(2) {
        let mut w = World::well(seed, 3, Duration::ZERO);
        let l = w.leads();
        Disk(500).begins(&mut w, l);
        w.go(20_000);
        assert!(w.moves.is_empty() && w.leads() == l, "seed {seed}");
        let said = w.machines[l].pace.as_ref().and_then(|p| p.trouble.clone()).unwrap_or_default();
        assert!(said.starts_with("its disk is slow: 5"), "seed {seed}: {said}");
        w.end();
    }
}
#[test]
fn a_window_for_a_slow_follower() {
    seeds(3).for_each(window);
}

#[test]
fn a_follower_that_is_left_behind() {
    seeds(2).for_each(left_behind);
}
#[test]
fn pages_that_take_long() {
    seeds(2).for_each(pages_take_long);
}
#[test]
fn disks_that_fail() {
    for seed in seeds(3) {
        [(false, false), (false, true), (true, false), (true, true)]
            .into_iter()
            .for_each(|(l, s)| disk_fails(seed, l, s));
    }
}

/// Each bug is found.
#[test]
fn planted_bugs_of_slowness_are_found() {
    let first = |f: &dyn Fn(u64)| {
        (1..20).find(|seed| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(*seed))).is_err())
    };
    for bug in Bug::OF_SLOWNESS {
        plant::plant(Some(bug));
        let found = match bug {
            Bug::SlowMoveWithoutPause => first(&|s| slowness_follows(s, Disk(50))),
            Bug::SlownessNotHeld => first(&|s| stalls(s, Disk(500))),
            Bug::SlowTargetChosen => first(&|s| others_are_slow(s, Disk(500), 2)),
            Bug::FailedSyncIgnored => first(&|s| disk_fails(s, true, true)),
            Bug::KeptForTheSlowest => first(&left_behind),
            Bug::SnapshotWithoutLog => first(&pages_take_long),
            _ => first(&window),
        };
        plant::plant(None);
        eprintln!("{bug:?}: {found:?}");
        assert!(found.is_some(), "{bug:?} was not found");
    }
}
