use super::*;
use crate::members::NodeInfo;
use pamir_testkit::chance::{self, Rng};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}
fn members(voters: &[NodeId]) -> Members {
    let mut m = Members::alone(1, NodeInfo::default(), 1);
    m.conf.voters = voters.to_vec();
    m
}
/// Disk, lateness, and round trips to the nodes 1, 2, ..
fn speed(disk: u64, late: u64, trips: &[u64]) -> Speed {
    let round_trips = trips.iter().enumerate().map(|(i, t)| (i as u64 + 1, ms(*t))).collect();
    Speed { disk: Some(ms(disk)), late: Some(ms(late)), round_trips, ..Speed::default() }
}
fn other(at: Instant, speed: Speed) -> Other {
    Other { at, speed, heard: true, ready: true }
}

#[test]
fn one_stall_is_no_figure() {
    let t = Instant::now();
    let mut g = Gauge::default();
    for i in 0..6 {
        // One slot with a sync of three seconds, one without any.
        for _ in 0..100 {
            g.add(ms(1));
        }
        if i == 2 {
            (0..50).for_each(|_| g.add(ms(3000)));
        }
        g.roll(t + SLOT * i);
        assert_eq!(g.figure().is_some(), i + 1 >= LEAST as u32);
    }
    assert_eq!(g.figure(), Some(ms(1)));
    // A few slow syncs weigh as much as many fast ones before: half the window, and a slot more.
    for i in 6..10 {
        assert_eq!(g.figure(), Some(ms(1)), "{i}");
        g.add(ms(500));
        g.roll(t + SLOT * i);
    }
    assert_eq!(g.figure(), Some(ms(500)));
    // Nothing happens: the newest make the figure for a while.
    let last = t + SLOT * 9;
    g.roll(last + WINDOW);
    assert_eq!((g.figure(), g.slots.len(), g.ended.len()), (Some(ms(500)), 0, LEAST));
    g.roll(last + AGED - SLOT * 2);
    assert_eq!(g.figure(), None);
    g.roll(last + AGED);
    assert!(g.slots.is_empty() && g.ended.is_empty());
    (0..100).for_each(|_| g.put(t, ms(1)));
    assert_eq!(g.slots.len(), MOST_SLOTS);
}

#[test]
fn few_syncs_make_a_figure_too() {
    let t = Instant::now();
    // One sync in so many slots, beginning at each of them.
    for every in 1..=6 {
        for first in 0..every {
            let mut m = Meter::default();
            let known = (0..60).map(|i| {
                if i % every == first {
                    m.sync_ends(ms(if i < 30 { 1 } else { 500 }));
                }
                m.look(t + SLOT * i).disk
            });
            let known: Vec<Option<Duration>> = known.collect();
            let begins = LEAST as u32 * every;
            assert!(known.iter().skip(begins as usize).all(Option::is_some), "{every} {first}: {known:?}");
            // What has turned slow is told by the second of three, or when the window is full of it.
            let turned = 30 + (2 * every).max(4) + 1;
            assert!(known.iter().skip(turned as usize).all(|d| *d == Some(ms(500))), "{every} {first}: {known:?}");
        }
    }
}

/// A node that writes little, whose disk takes long once, and that writes nothing more.
#[test]
fn a_stall_before_a_silence_does_not_last() {
    let t = Instant::now();
    for stall in 1..=6 {
        let mut m = Meter::default();
        let slow = (0..60).filter(|i| {
            match *i {
                i if i < 11 && i % 2 == 0 => m.sync_ends(ms(1)),
                11 => m.sync_begins(t + SLOT * 11),
                i if i == 11 + stall => m.sync_ends(SLOT * stall),
                _ => {}
            }
            m.look(t + SLOT * *i).disk.is_some_and(|d| d > MARGIN)
        });
        let last = slow.max();
        // As long as the window has more of the stall than of what was before.
        let most = (WINDOW.as_millis() / SLOT.as_millis()) as u32;
        assert!(last.is_none_or(|i| i < 11 + stall + most), "{stall}: {last:?}");
    }
}

#[test]
fn a_disk_that_hangs_and_a_processor_that_is_taken() {
    let t = Instant::now();
    let mut m = Meter::default();
    m.look(t);
    m.sync_begins(t);
    let mut seen = Own::default();
    for i in 1..=8 {
        // Taken for 400 of 500 ms, and 100 wakes in time.
        m.woke(ms(400));
        (0..100).for_each(|_| m.woke(Duration::ZERO));
        seen = m.look(t + SLOT * i);
    }
    assert!(seen.disk.is_some_and(|d| d > ms(1000)), "{seen:?}");
    assert_eq!(seen.late, Some(ms(160)));
    m.sync_ends(ms(4000));
    for i in 9..=20 {
        m.sync_ends(ms(2));
        (0..50).for_each(|_| m.woke(ms(2)));
        seen = m.look(t + SLOT * i);
    }
    assert_eq!((seen.disk, seen.late), (Some(ms(2)), Some(Duration::from_micros(200))));
}

#[test]
fn round_trips_are_counted_by_differences() {
    let t = Instant::now();
    let mut l = Links::default();
    l.look(t, |_| true);
    for i in 1..=6 {
        l.seen(2, (u64::from(i) * 10, ms(1) * 10 * i));
        l.look(t + SLOT * i, |_| true);
    }
    // The peer is known anew, and counted from the beginning.
    l.seen(2, (1, ms(1)));
    assert_eq!(l.look(t + SLOT * 7, |_| true), BTreeMap::from([(2, ms(1))]));
    assert!(l.look(t + SLOT * 7, |_| false).is_empty() && l.seen.is_empty());
}

#[test]
fn what_a_commit_costs() {
    let t = Instant::now();
    let five = members(&[1, 2, 3, 4, 5]);
    let fast = |me: usize| {
        let mut trips = [1; 5];
        trips[me - 1] = 0;
        speed(2, 0, &trips)
    };
    let mut others: BTreeMap<NodeId, Other> = (2..=5).map(|n| (n as u64, other(t, fast(n)))).collect();
    let cost = |own: &Speed, others: &BTreeMap<NodeId, Other>, id| {
        Sight { me: 1, own, members: &five, others, leads: true }.cost(id)
    };
    assert_eq!(cost(&fast(1), &others, 1), Some(ms(3)));
    // Its own disk, its own processor.
    assert_eq!(cost(&speed(50, 0, &[0, 1, 1, 1, 1]), &others, 1), Some(ms(50)));
    assert_eq!(cost(&speed(2, 60, &[0, 1, 1, 1, 1]), &others, 1), Some(ms(63)));
    // Links to the two fastest count, whatever the others are.
    assert_eq!(cost(&speed(2, 0, &[0, 100, 7, 100, 8]), &others, 1), Some(ms(10)));
    // Two of four followers that are slow cost nothing; a third does.
    others.get_mut(&2).unwrap().speed.disk = Some(ms(500));
    others.get_mut(&3).unwrap().heard = false;
    assert_eq!(cost(&fast(1), &others, 1), Some(ms(3)));
    others.get_mut(&4).unwrap().speed.late = Some(ms(80));
    assert_eq!(cost(&fast(1), &others, 1), Some(ms(83)));
    // One that says nothing, or of whom too few are known.
    assert_eq!(cost(&fast(1), &others, 3), None);
    others.get_mut(&4).unwrap().speed.disk = None;
    assert_eq!(cost(&fast(1), &others, 4), None);
    others.get_mut(&5).unwrap().heard = false;
    assert_eq!(cost(&fast(1), &others, 1), None);
    // A node alone.
    let alone = members(&[1]);
    let own = speed(2, 1, &[]);
    let sight = Sight { me: 1, own: &own, members: &alone, others: &BTreeMap::new(), leads: true };
    assert_eq!((sight.cost(1), sight.is_slow(MARGIN)), (Some(ms(3)), None));
}

/// Runs the rule of a leader for so long; when it moves first.
fn first_move(
    rule: &mut Rule,
    t: Instant,
    long: Duration,
    own: &Speed,
    others: &BTreeMap<NodeId, Other>,
) -> Option<(Duration, NodeId)> {
    let m = members(&[1, 2, 3]);
    let mut at = Duration::ZERO;
    while at < long {
        let sight = Sight { me: 1, own, members: &m, others, leads: true };
        if let Some(to) = rule.look(t + at, &sight, MARGIN) {
            return Some((at, to));
        }
        at += ms(200);
    }
    None
}

#[test]
fn to_whom_and_when() {
    let t = Instant::now();
    let fast = || BTreeMap::from([(2, other(t, speed(2, 0, &[1, 0, 2]))), (3, other(t, speed(1, 0, &[1, 2, 0])))]);
    let long = ms(20_000);
    let first = |own: Speed, others: &BTreeMap<NodeId, Other>| first_move(&mut Rule::default(), t, long, &own, others);
    let slow = || speed(500, 0, &[0, 1, 1]);
    assert!(first(slow(), &fast()).is_some_and(|f| f.0 >= HOLD && f.0 < HOLD + ms(400)));
    // By a factor and by the margin, both.
    assert_eq!(first(speed(20, 0, &[0, 1, 1]), &fast()), None);
    let both = BTreeMap::from([(2, other(t, speed(30, 0, &[1, 0, 1]))), (3, other(t, speed(30, 0, &[1, 1, 0])))]);
    assert_eq!(first(speed(80, 0, &[0, 1, 1]), &both), None);
    assert!(first(speed(120, 0, &[0, 1, 1]), &both).is_some());
    // To one that is heard, ready, well, and says how fast it is.
    for spoil in [
        (|o: &mut Other| o.heard = false) as fn(&mut Other),
        |o| o.ready = false,
        |o| o.speed.slow = true,
        |o| o.speed = Speed::default(),
        |o| o.speed.disk = Some(ms(400)),
        |o| o.speed.late = Some(ms(60)),
    ] {
        let mut others = fast();
        spoil(others.get_mut(&3).unwrap());
        // Without 3 the others are no faster together, where it is not heard; else it is 2.
        assert!(first(slow(), &others).is_none_or(|f| f.1 == 2), "{others:?}");
        spoil(others.get_mut(&2).unwrap());
        assert_eq!(first(slow(), &others), None, "{others:?}");
    }
    // A break begins the time anew.
    let mut rule = Rule::default();
    for round in 0..5 {
        let at = t + ms(10_000) * round;
        assert_eq!(first_move(&mut rule, at, HOLD - ms(300), &slow(), &fast()), None);
        assert_eq!(first_move(&mut rule, at + HOLD, ms(1000), &speed(2, 0, &[0, 1, 1]), &fast()), None);
    }
}

#[test]
fn pauses_grow_and_are_known_to_all() {
    assert_eq!([0, 1, 2, 3].map(pause), [ms(0), FIRST_PAUSE, FIRST_PAUSE * 2, FIRST_PAUSE * 4]);
    assert_eq!([7, 64, u64::MAX].map(pause), [LONGEST_PAUSE; 3]);
    let t = Instant::now();
    let slow = speed(500, 0, &[0, 1, 1]);
    let mut others = BTreeMap::from([(2, other(t, speed(2, 0, &[1, 0, 1]))), (3, other(t, speed(2, 0, &[1, 1, 0])))]);
    let (mut rule, mut moves) = (Rule::default(), Vec::new());
    let mut at = Duration::ZERO;
    while at < MEMORY {
        let Some((after, _)) = first_move(&mut rule, t + at, MEMORY - at, &slow, &others) else { break };
        at += after;
        rule.moved(t + at);
        moves.push(at);
    }
    assert_eq!(moves.len(), 6, "{moves:?}");
    for (n, w) in moves.windows(2).enumerate() {
        assert!(w[1] - w[0] >= FIRST_PAUSE * (1 << n), "{moves:?}");
    }
    // Another's count as one's own, from when it said so.
    let o = others.get_mut(&2).unwrap();
    (o.speed.moves, o.speed.moved) = (2, Some(ms(10_000)));
    let f = first_move(&mut Rule::default(), t, MEMORY, &slow, &others).unwrap();
    assert!(f.0 >= ms(50_000) && f.0 < ms(51_000), "{f:?}");
    let o = others.get_mut(&2).unwrap();
    (o.speed.moves, o.speed.moved) = (u64::MAX, Some(Duration::MAX));
    assert!(first_move(&mut Rule::default(), t, MEMORY, &slow, &others).is_some_and(|f| f.0 < ms(3000)));
    // What a node tells of itself.
    let mut told = Speed::default();
    rule.tell(t + at + ms(7), &mut told);
    assert_eq!((told.moves, told.moved, told.slow), (6, Some(ms(7)), true));
}

#[test]
fn slow_until_it_was_well_for_long() {
    let t = Instant::now();
    let mut r = Rule::default();
    for (at, slow, is) in [
        (0, Some(true), false),
        (1000, Some(false), false),
        (2000, Some(true), false),
        (4500, Some(true), true),
        (5000, Some(false), true),
        (14_000, Some(true), true),
        (15_000, Some(false), true),
        (24_900, Some(false), true),
        (24_950, None, true),
        // Not known is not well.
        (25_100, Some(false), true),
        (35_000, Some(false), true),
        (35_200, Some(false), false),
    ] {
        r.judge(t + ms(at), slow);
        assert_eq!(r.is_slow(), is, "{at}");
    }
}

#[test]
fn what_ails_a_node() {
    let t = Instant::now();
    let m = members(&[1, 2, 3]);
    let others = BTreeMap::from([(2, other(t, speed(2, 0, &[1, 0, 1]))), (3, other(t, speed(2, 0, &[1, 1, 0])))]);
    let said = |own: Speed, others: &BTreeMap<NodeId, Other>| {
        Sight { me: 1, own: &own, members: &m, others, leads: false }.trouble(MARGIN)
    };
    assert_eq!(said(speed(2, 1, &[0, 1, 1]), &others), None);
    assert_eq!(said(speed(480, 1, &[0, 1, 1]), &others).unwrap(), "its disk is slow: 480 ms a sync");
    assert_eq!(said(speed(2, 1, &[0, 100, 101]), &others).unwrap(), "its link is slow: 100 ms a round trip");
    // One that lacks a processor is slow in all else too.
    let taken = said(speed(480, 160, &[0, 300, 300]), &others).unwrap();
    assert_eq!(taken, "its processor is taken: it waits 160 ms for one");
    // One long link of two is the other one's.
    assert_eq!(said(speed(2, 0, &[0, 1, 100]), &others), None);
    // All alike: said only of what is slow by itself.
    let mut all = others.clone();
    all.values_mut().for_each(|o| o.speed.disk = Some(ms(150)));
    assert_eq!(said(speed(150, 0, &[0, 1, 1]), &all), None);
    all.values_mut().for_each(|o| o.speed.disk = Some(ms(450)));
    assert_eq!(said(speed(450, 0, &[0, 1, 1]), &all).unwrap(), "its disk is slow: 450 ms a sync");
    assert_eq!(said(Speed::default(), &BTreeMap::new()), None);
}

#[test]
fn bytes() {
    let many = Speed {
        round_trips: (0..1000).map(|n| (n, Duration::MAX)).collect(),
        moves: u64::MAX,
        moved: Some(Duration::MAX),
        disk: Some(Duration::MAX),
        ..Speed::default()
    };
    let mut out = Vec::new();
    many.write(&mut out);
    assert!(out.len() < 2000);
    let read = Speed::read(&mut Reader::new(&out, "a test")).unwrap();
    assert_eq!((read.round_trips.len(), read.moves), (MOST_LINKS, u64::MAX));
    assert_eq!(Speed::read(&mut Reader::new(&[], "a test")).unwrap(), Speed::default());
    // Whatever is said, the rule takes it.
    let (r, end, t) = (&mut Rng::new(chance::seed(1)), chance::end(1), Instant::now());
    let m = members(&[1, 2, 3]);
    while Instant::now() < end {
        let mut any = || {
            let n = r.below(40) as usize;
            let b: Vec<u8> = (0..n).map(|_| *r.choose(&[0, 1, 2, 3, 0x7f, 0x80, 0xff])).collect();
            Speed::read(&mut Reader::new(&b, "a test")).unwrap_or_default()
        };
        let (own, others) = (any(), (2..4).map(|n| (n, other(t, any()))).collect());
        let sight = Sight { me: 1, own: &own, members: &m, others: &others, leads: true };
        let _ = sight.trouble(MARGIN);
        let mut rule = Rule::default();
        for i in 0..3 {
            rule.look(t + HOLD * i, &sight, MARGIN);
        }
    }
}
