//! The runtime over real sockets, with a protocol of its own that needs no database.
mod line;

use crate::crew::Crew;
use crate::desk::Desk;
use crate::link::{HIGH_WATER, Link};
use crate::peers::Pace;
use crate::queue::Newcomer;
use crate::runtime::{Config, Counted, Shared};
use crate::wire::Wire;
use crate::worker::Worker;
use line::{Lines, Peer, World, code, config, eventually, kinds, query, serve, server};
use pamir_error::work;
use pamir_storage::task;
use pamir_txn::{Cancel, CancelReason};
use parking_lot::Mutex;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The greeting comes before the client has said anything, pieces of lines are waited for, answers come in order.
#[test]
fn the_server_speaks_first() {
    let (s, world) = server(config());
    let mut p = Peer::raw(&s);
    assert_eq!(p.id, 1);
    p.send(b"log");
    std::thread::sleep(Duration::from_millis(20));
    p.send(b"in me\necho a b\nbad\necho c\n");
    let all: String = (0..4).map(|_| kinds(&p.until(b'Z'))).collect();
    assert_eq!(all, "ZCZEZCZ");
    assert_eq!(p.ask("echo hallo")[0], (b'C', "hallo".to_string()));
    let mut rude = Peer::raw(&s);
    rude.send(b"echo\n");
    assert_eq!(code(&rude.next().unwrap()), "08P01");
    assert!(rude.closed());
    p.send(b"quit\n");
    assert!(p.closed());
    eventually("both have gone", || world.dropped.load(Ordering::SeqCst) == 2 && s.stat("net_connections") == 0);
    assert!(s.shutdown());
}

/// Who says nothing is closed in time, who idles too long is told, who is too much is refused, in the protocol's words.
#[test]
fn newcomers_idlers_and_too_many() {
    let world = World { login_timeout: Some(Duration::from_millis(100)), ..World::default() };
    let (s, _) = serve(world, Config { max_sockets: 3, ..config() });
    let mut silent = Peer::raw(&s);
    assert!(silent.closed());
    let mut peers: Vec<Peer> = (0..3).map(|_| Peer::new(&s)).collect();
    let mut one_more = Peer::over(TcpStream::connect(s.addr).unwrap());
    assert_eq!(code(&one_more.next().unwrap()), "53300");
    assert!(one_more.closed());
    assert_eq!(peers[0].ask("begin")[1], (b'Z', "T".to_string()));
    assert_eq!(code(&peers[0].next().unwrap()), "25P03");
    assert!(peers[0].closed());
    eventually("a place", || s.stat("net_connections") == 2);
    eventually("a socket", || Peer::over(TcpStream::connect(s.addr).unwrap()).greeted().id > 0);
    assert!(s.shutdown());
}

#[test]
fn a_statement_is_cancelled_and_ends_with_its_client() {
    let (s, world) = server(config());
    let (mut p, mut other) = (Peer::new(&s), Peer::new(&s));
    p.send(&query("wait"));
    eventually("parked", || s.stat("net_parks_total") > 0);
    assert_eq!(kinds(&other.ask(&format!("kill {}", p.id))), "CZ");
    assert_eq!(code(&p.until(b'Z')[0]), "57014");
    p.send(&query("wait"));
    drop(p);
    eventually("dropped", || world.dropped.load(Ordering::SeqCst) == 1);
    assert!(s.shutdown());
}

#[test]
fn a_panic_costs_one_connection() {
    let (s, world) = server(config());
    let (mut p, mut other) = (Peer::new(&s), Peer::new(&s));
    p.send(&query("panic"));
    assert_eq!(code(&p.next().unwrap()), "XX000");
    assert!(p.closed());
    assert_eq!(kinds(&other.ask("rows 1 1")), "DCZ");
    eventually("dropped", || world.dropped.load(Ordering::SeqCst) == 1);
    assert_eq!(s.stat("net_panics_total"), 1);
    assert!(s.shutdown());
}

#[test]
fn a_shutdown_tells_everybody() {
    let (s, world) = server(config());
    let mut fresh = Peer::raw(&s);
    let mut peers: Vec<Peer> = (0..4).map(|_| Peer::new(&s)).collect();
    for (p, q) in peers.iter_mut().zip(["echo", "sleep 100", "wait", "take"]) {
        p.send(&query(q));
    }
    assert_eq!(kinds(&peers[0].until(b'Z')), "CZ");
    assert_eq!(peers[3].next().unwrap().0, b'G');
    eventually("parked", || s.stat("net_parks_total") >= 3);
    let t = std::thread::spawn(move || s.shutdown());
    assert_eq!(code(&fresh.next().unwrap()), "57P01");
    assert_eq!(code(&peers[0].next().unwrap()), "57P01");
    assert_eq!(code(&peers[3].next().unwrap()), "57P01");
    // What is in flight finishes; what does not is cancelled after the grace period.
    let m = peers[1].until(b'?');
    assert_eq!((kinds(&m).as_str(), code(&m[2]).as_str()), ("CZE", "57P01"));
    assert_eq!(code(&peers[2].next().unwrap()), "57P01");
    assert!(t.join().unwrap());
    assert_eq!(world.dropped.load(Ordering::SeqCst), 5);
}

/// Sessions that go from worker to worker all the time keep their state and the order of answers.
#[test]
fn sessions_that_move_lose_nothing() {
    const CLIENTS: usize = 12;
    const ROUNDS: i64 = if cfg!(debug_assertions) { 300 } else { 3000 };
    let (s, _) = server(Config { workers: 3, pace: Pace { window: Duration::ZERO, least: 0 }, ..config() });
    std::thread::scope(|scope| {
        for c in 1..=CLIENTS {
            let mut p = Peer::new(&s);
            scope.spawn(move || {
                for round in 1..=ROUNDS {
                    p.send(&[query("add 1"), query("rows 2 9"), query("yield"), query(&format!("echo {c}"))].concat());
                    assert_eq!(p.until(b'Z')[0].1, round.to_string());
                    assert_eq!(kinds(&p.until(b'Z')), "DDCZ");
                    assert_eq!(kinds(&p.until(b'Z')), "CZ");
                    assert_eq!(p.until(b'Z')[0].1, c.to_string());
                }
            });
        }
    });
    assert!(s.stat("net_moves_total") > 10, "{} moves", s.stat("net_moves_total"));
    eventually("counted once", || s.stat("net_connections") == 0);
    assert!(s.shutdown());
}

/// Two listeners share the workers, and what one's clients wait for the other's bring.
#[test]
fn two_protocols_share_the_workers() {
    let (s, world) = server(config());
    let second = Arc::new(Lines(world));
    let addr = s.runtime.listen("127.0.0.1:0".parse().unwrap(), second).unwrap();
    let mut here = Peer::new(&s);
    let mut there = Peer::over(TcpStream::connect(addr).unwrap()).greeted().login();
    here.send(&query("wait"));
    assert_eq!(kinds(&there.ask("open")), "CZ");
    assert_eq!(kinds(&here.until(b'Z')), "CZ");
    assert_eq!(s.stat("net_connections"), 2);
    assert!(s.shutdown());
}

/// Jobs without a client wait, run long beside statements, are told to end, and panic alone.
#[test]
fn jobs_run_without_a_client() {
    let (s, world) = server(Config { workers: 1, ..config() });
    let mut p = Peer::new(&s);
    let (woken, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for _ in 0..20 {
        let (world, woken) = (world.clone(), woken.clone());
        s.runtime.spawn(move |cancel| {
            assert!(task::is_task());
            task::sleep(Duration::from_millis(5), |_| false);
            world.wait(cancel).unwrap();
            woken.fetch_add(1, Ordering::SeqCst);
        });
    }
    eventually("all wait", || s.stat("net_parks_total") >= 40);
    assert_eq!((woken.load(Ordering::SeqCst), kinds(&p.ask("open"))), (0, "CZ".to_string()));
    eventually("all are woken", || woken.load(Ordering::SeqCst) == 20);
    // One that runs until it is told to end keeps nobody waiting.
    let long = |ended: &Arc<AtomicUsize>| {
        let ended = ended.clone();
        s.runtime.spawn(move |_| {
            while work::charge(1000).is_ok() {}
            ended.fetch_add(1, Ordering::SeqCst);
        })
    };
    let handle = long(&ended);
    (0..50).for_each(|_| assert_eq!(kinds(&p.ask("rows 1 1")), "DCZ"));
    assert_eq!(ended.load(Ordering::SeqCst), 0);
    handle.request(CancelReason::Terminate);
    eventually("it ends", || ended.load(Ordering::SeqCst) == 1);
    s.runtime.spawn(|_| panic!("on purpose"));
    eventually("counted", || s.stat("net_panics_total") == 1);
    assert_eq!(kinds(&p.ask("echo")), "CZ");
    assert_eq!(s.stat("net_connections"), 1);
    // A shutdown ends what runs and what waits, on whatever thread.
    let closed = Arc::<World>::default();
    long(&ended);
    (0..20).for_each(|_| assert_eq!(kinds(&p.ask("yield")), "CZ"));
    let begun = Arc::new(AtomicUsize::new(0));
    s.runtime.spawn({
        let (ended, begun) = (ended.clone(), begun.clone());
        move |cancel| {
            begun.fetch_add(1, Ordering::SeqCst);
            assert!(closed.wait(cancel).is_err());
            ended.fetch_add(1, Ordering::SeqCst);
        }
    });
    // What has not begun yet is not begun any more.
    eventually("it waits", || begun.load(Ordering::SeqCst) == 1);
    assert_eq!(kinds(&p.ask("echo")), "CZ");
    let start = Instant::now();
    assert!(s.shutdown());
    assert_eq!(ended.load(Ordering::SeqCst), 3);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// On a thread that is no worker's, where nobody tells of the socket, a link waits all the same, and hears of a cancel.
#[test]
fn a_plain_thread_waits_for_its_client() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut far = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (socket, _) = listener.accept().unwrap();
    socket.set_nonblocking(true).unwrap();
    let wire = Arc::new(Mutex::new(Wire::new(mio::net::TcpStream::from_std(socket))));
    let mut link = Link::new(wire, None).unwrap();
    const ALL: usize = 200 * HIGH_WATER;
    let sent = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let sent = sent.clone();
        move || {
            std::thread::sleep(Duration::from_millis(50));
            assert!(!sent.load(Ordering::SeqCst), "the sockets do not hold so much");
            let mut all = vec![0; ALL];
            far.read_exact(&mut all).unwrap();
            std::thread::sleep(Duration::from_millis(50));
            far.write_all(b"hallo").unwrap();
            far
        }
    });
    link.out = vec![7; ALL];
    link.flush(true).unwrap();
    sent.store(true, Ordering::SeqCst);
    assert!(link.read_more(5).unwrap());
    assert_eq!(link.input.data(), b"hallo");
    let cancel = Arc::<Cancel>::default();
    link.cancel = Some(cancel.clone());
    let far = reader.join().unwrap();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.request(CancelReason::User);
    });
    assert_eq!(link.read_more(6).unwrap_err().code().as_str(), "57014");
    canceller.join().unwrap();
    link.cancel = None;
    drop(far);
    assert!(!link.read_more(6).unwrap());
    assert!(link.broken);
}

#[test]
fn waiting_sessions_are_woken_from_other_workers() {
    let (s, _) = server(config());
    let mut waiting: Vec<Peer> = (0..6).map(|_| Peer::new(&s)).collect();
    for p in &mut waiting {
        // The first answer of a pipeline must not wait for the second.
        p.send(&[query("rows 1 1"), query("wait")].concat());
        assert_eq!(kinds(&p.until(b'Z')), "DCZ");
    }
    let mut other = Peer::new(&s);
    assert_eq!(kinds(&other.ask("open")), "CZ");
    for p in &mut waiting {
        assert_eq!(kinds(&p.until(b'Z')), "CZ");
    }
    let started = Instant::now();
    assert_eq!(kinds(&other.ask("sleep 50")), "CZ");
    assert!(started.elapsed() >= Duration::from_millis(50));
    assert!(s.shutdown());
}

#[test]
fn back_pressure_suspends_and_resumes() {
    let (s, _) = server(config());
    let mut p = Peer::new(&s);
    // 64 MB that nobody reads yet: another session of the same worker must be served meanwhile.
    p.send(&query("rows 64000 1000"));
    std::thread::sleep(Duration::from_millis(100));
    for _ in 0..4 {
        assert_eq!(kinds(&Peer::new(&s).ask("rows 1 1")), "DCZ");
    }
    let m = p.until(b'Z');
    assert_eq!(m.len(), 64_002);
    assert!(m[..64_000].iter().all(|m| m.0 == b'D'));
    assert!(s.shutdown());
}

#[test]
fn a_slow_client_gets_finished_answers_while_the_next_statement_waits() {
    const ANSWER: usize = 40_000;
    let (s, _) = server(config());
    let answer = query("rows 40 994");
    // How much the sockets take of what nobody reads.
    let mut full = Peer::new(&s);
    let before = s.stat("net_sent_bytes_total");
    full.send(&answer.repeat(400));
    std::thread::sleep(Duration::from_millis(300));
    let room = (s.stat("net_sent_bytes_total") - before) as usize / ANSWER;
    assert!((1..395).contains(&room), "{room}");
    drop(full);
    // Some of these end where the socket is full and less is left than the session itself would wait for.
    let mut slow: Vec<(usize, Peer)> = (room.saturating_sub(4)..room + 8).map(|n| (n, Peer::new(&s))).collect();
    for (n, p) in &mut slow {
        p.send(&[answer.repeat(*n), query("wait")].concat());
    }
    std::thread::sleep(Duration::from_millis(300));
    for (n, p) in &mut slow {
        for i in 0..*n {
            assert_eq!(p.until(b'Z').len(), 42, "answer {i} of {n}");
        }
    }
    assert_eq!(kinds(&Peer::new(&s).ask("open")), "CZ");
    for (_, p) in &mut slow {
        assert_eq!(kinds(&p.until(b'Z')), "CZ");
    }
    assert!(s.shutdown());
}

#[test]
fn many_idle_connections_hold_no_stack() {
    let (s, _) = server(config());
    let mut all: Vec<Peer> = (0..300).map(|_| Peer::new(&s)).collect();
    for p in &mut all {
        assert_eq!(kinds(&p.ask("rows 1 100000")), "DCZ");
    }
    assert_eq!(s.stat("net_connections"), 300);
    assert!(s.stat("net_stacks") <= 8, "{}", s.stat("net_stacks"));
    assert!(s.shutdown());
}

#[test]
fn answers_leave_together_whole_and_in_order() {
    let (s, _) = server(Config { workers: 1, ..config() });
    let mut waiting: Vec<Peer> = (0..40).map(|_| Peer::new(&s)).collect();
    for p in &mut waiting {
        p.send(&query("wait"));
    }
    eventually("parked", || s.stat("net_parks_total") >= 40);
    // Clients that ask on and do not read: their sockets are full in the middle of answers, some of which left with others'.
    let mut lazy: Vec<Peer> = (0..3).map(|_| Peer::new(&s)).collect();
    const ROUNDS: usize = 400;
    let ask = |i: usize| query(&format!("rows {} 1000", 1 + i * 7 % 60));
    for i in 0..ROUNDS {
        lazy.iter_mut().for_each(|p| p.send(&ask(i)));
        if i == ROUNDS / 2 {
            assert_eq!(kinds(&Peer::new(&s).ask("open")), "CZ");
        }
    }
    // One of those who wait has left without a word.
    drop(waiting.pop());
    for p in &mut waiting {
        assert_eq!(kinds(&p.until(b'Z')), "CZ");
        assert_eq!(kinds(&p.ask("rows 2 1")), "DDCZ");
    }
    let threads: Vec<_> = lazy
        .into_iter()
        .map(|mut p| {
            std::thread::spawn(move || {
                for i in 0..ROUNDS {
                    let n = 1 + i * 7 % 60;
                    let m = p.until(b'Z');
                    assert_eq!(m.len(), n + 2, "answer {i}");
                    for (r, row) in m[..n].iter().enumerate() {
                        assert!(row.0 == b'D' && row.1.starts_with(&format!("{r} x")), "answer {i}");
                    }
                    assert_eq!(m[n], (b'C', "ROWS".to_string()));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert!(s.shutdown());
}

/// One wake serves all who asked in the same round, and a round always ends with it.
#[test]
fn a_helper_is_woken_when_the_worker_rests() {
    let (s, db) = server(Config { workers: 1, ..config() });
    let helper = std::thread::spawn({
        let helper = db.helper.clone();
        move || helper.serve()
    });
    let rounds = || db.helper.rounds.load(Ordering::SeqCst);
    let mut one = Peer::new(&s);
    assert_eq!((kinds(&one.ask("help")), rounds()), ("CZ".to_string(), 1));
    let mut many: Vec<Peer> = (0..30).map(|_| Peer::new(&s)).collect();
    // While the worker is occupied all of them ask.
    one.send(&query("occupy 300"));
    std::thread::sleep(Duration::from_millis(100));
    many.iter_mut().for_each(|p| p.send(&query("help")));
    many.iter_mut().for_each(|p| assert_eq!(kinds(&p.until(b'Z')), "CZ"));
    assert!(rounds() < 10, "{} rounds for 30", rounds() - 1);
    db.helper.asked.lock().stop = true;
    db.helper.bell.ring_all();
    helper.join().unwrap();
    assert!(s.shutdown());
}

/// A statement that keeps its worker is counted, once, and no other is.
#[test]
fn who_holds_a_worker_is_seen() {
    let (s, db) = server(config());
    let mut peers: Vec<Peer> = (0..2).map(|_| Peer::new(&s)).collect();
    for q in ["occupy 20", "wait"] {
        peers[0].send(&query(q));
        std::thread::sleep(Duration::from_millis(400));
    }
    assert_eq!(s.stat("net_held_total"), 0, "a short one, and one that waits for others");
    assert_eq!(kinds(&peers[1].ask("open")), "CZ");
    assert_eq!((kinds(&peers[0].until(b'Z')), kinds(&peers[0].until(b'Z'))), ("CZ".into(), "CZ".into()));
    peers[0].send(&query("hold"));
    eventually("held", || db.holding.load(Ordering::SeqCst));
    eventually("seen", || s.stat("net_held_total") == 1);
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(kinds(&peers[1].ask("release")), "CZ");
    assert_eq!(kinds(&peers[0].until(b'Z')), "CZ");
    assert_eq!(s.stat("net_held_total"), 1);
    assert!(s.shutdown());
}

/// A worker whose thread is held by a statement that takes no breath: idle sessions, newcomers, timers and shutdowns do not wait for it.
#[test]
fn a_held_worker_goes_on_on_another_thread() {
    const ROUNDS: u64 = 4;
    let (s, db) = server(Config { workers: 1, ..config() });
    let mut peers: Vec<Peer> = (0..3).map(|_| Peer::new(&s)).collect();
    let mut soonest = Duration::MAX;
    for round in 1..=ROUNDS {
        let mut waiting = Peer::new(&s);
        waiting.send(&query("take"));
        assert_eq!(waiting.next().unwrap().0, b'G');
        let mut sleeping = Peer::new(&s);
        assert_eq!(kinds(&sleeping.ask("begin")), "CZ");
        db.holding.store(false, Ordering::SeqCst);
        db.released.store(false, Ordering::SeqCst);
        peers[0].send(&query("hold"));
        eventually("held", || db.holding.load(Ordering::SeqCst));
        let start = Instant::now();
        assert_eq!(kinds(&peers[1].ask("rows 1 1")), "DCZ");
        soonest = soonest.min(start.elapsed());
        assert_eq!(kinds(&Peer::new(&s).ask("rows 2 1")), "DDCZ", "a newcomer");
        assert_eq!(code(&sleeping.next().unwrap()), "25P03", "a timer");
        assert!(s.stat("net_retaken_total") >= round);
        // What was begun beside it waits for it.
        waiting.send(b"abc\n.\n");
        assert_eq!(kinds(&peers[2].ask("release")), "CZ");
        assert_eq!(kinds(&peers[0].until(b'Z')), "CZ");
        assert_eq!(waiting.until(b'Z')[0].1, "TAKE 3");
        for p in &mut peers {
            assert_eq!(kinds(&p.ask("rows 1 1")), "DCZ");
        }
    }
    assert!(soonest < Duration::from_millis(250), "others were answered after {soonest:?} at best");
    eventually("all is over", || s.stat("net_away") == 0 && s.stat("net_connections") == 3);
    assert!(s.shutdown());
}

/// Statements that run long go on beside their worker, which answers all others, and end when they are told to.
#[test]
fn long_statements_leave_their_worker_to_others() {
    let (s, db) = server(Config { workers: 1, ..config() });
    let mut peers: Vec<Peer> = (0..4).map(|_| Peer::new(&s)).collect();
    let (mut waiting, mut copying) = (Peer::new(&s), Peer::new(&s));
    waiting.send(&query("wait"));
    copying.send(&query("take"));
    assert_eq!(copying.next().unwrap().0, b'G');
    let mut burning = Peer::new(&s);
    burning.send(&query("burn"));
    eventually("burning", || db.holding.load(Ordering::SeqCst));
    for i in 0..200 {
        assert_eq!(kinds(&peers[i % 4].ask("rows 1 1")), "DCZ");
    }
    assert!(s.stat("net_relieved_total") == 1 && s.stat("net_away") == 1);
    // What was begun before on the same thread goes on there.
    assert_eq!(kinds(&peers[0].ask("open")), "CZ");
    assert_eq!(kinds(&waiting.until(b'Z')), "CZ");
    copying.send(b"abc\n.\n");
    assert_eq!(copying.until(b'Z')[0].1, "TAKE 3");
    // More of them: each on a thread of its own once others come.
    let mut more: Vec<Peer> = (0..3).map(|_| Peer::new(&s)).collect();
    for p in &mut more {
        p.send(&query("burn"));
        (0..20).for_each(|i| assert_eq!(kinds(&peers[i % 4].ask("yield")), "CZ"));
    }
    assert_eq!(kinds(&peers[0].ask(&format!("kill {}", burning.id))), "CZ");
    assert_eq!(code(&burning.until(b'Z')[0]), "57014");
    let before = db.dropped.load(Ordering::SeqCst);
    drop(more.pop());
    eventually("one whose client has gone ends", || db.dropped.load(Ordering::SeqCst) == before + 1);
    assert_eq!(kinds(&peers[1].ask("release")), "CZ");
    more.iter_mut().for_each(|p| assert_eq!(kinds(&p.until(b'Z')), "CZ"));
    eventually("all is over", || s.stat("net_away") == 0 && s.stat("net_connections") == 9);
    // Told to end by a shutdown.
    db.released.store(false, Ordering::SeqCst);
    more[0].send(&query("burn"));
    (0..20).for_each(|i| assert_eq!(kinds(&peers[i % 4].ask("yield")), "CZ"));
    assert!(s.shutdown());
    assert_eq!(code(&more[0].next().unwrap()), "57P01");
}

/// While one worker is held up, its other connections are answered by its peer, and keep their state.
#[test]
fn a_worker_at_a_standstill_gets_help() {
    let (s, db) = server(config());
    // Dealt in turn: the first and the third are one worker's.
    let mut peers: Vec<Peer> = (0..4).map(|_| Peer::new(&s)).collect();
    assert_eq!(peers[2].ask("begin").last(), Some(&(b'Z', "T".to_string())));
    peers[0].send(&query("hold"));
    eventually("held", || db.holding.load(Ordering::SeqCst));
    peers[2].send(&[query("rows 3 1"), query("release")].concat());
    // The other worker looks around between its own statements.
    while !db.released.load(Ordering::SeqCst) {
        assert_eq!(kinds(&peers[1].ask("rows 1 1")), "DCZ");
    }
    let answers = peers[2].until(b'Z');
    assert_eq!((kinds(&answers).as_str(), answers.last()), ("DDDCZ", Some(&(b'Z', "T".to_string()))));
    assert_eq!(kinds(&peers[2].until(b'Z')), "CZ");
    assert_eq!(kinds(&peers[0].until(b'Z')), "CZ");
    assert!(s.stat("net_moves_total") >= 1);
    // The one gives up its place a little after the other took the connection.
    eventually("counted once", || s.stat("net_connections") == 4);
    // It can be cancelled, and ended, where it is now.
    for p in &mut peers {
        assert_eq!(kinds(&p.ask("rows 1 1")), "DCZ");
    }
    assert!(s.shutdown());
    assert!(peers.iter_mut().all(|p| p.next().is_some_and(|m| m.0 == b'E') && p.closed()));
}

/// A peer that has fetched a worker's events but takes none leaves them to the worker, who must not sleep on them.
#[test]
fn events_that_a_peer_fetched_and_left_are_handled() {
    let desks: Vec<Arc<Desk>> = (0..2).map(|_| Arc::new(Desk::new().unwrap())).collect();
    let (world, shared) = (Arc::<World>::default(), Arc::new(Shared::new(config())));
    let crew = Crew::new(world.clone(), shared.clone(), 1);
    crew.reserve().unwrap().keep(Box::new(Worker::new(&desks, 0, &crew)));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let p = Peer::over(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
    let (socket, peer) = listener.accept().unwrap();
    socket.set_nonblocking(true).unwrap();
    let (socket, counted) = (mio::net::TcpStream::from_std(socket), Counted::new(&shared));
    desks[0].queue.deal(Newcomer::Client { socket, peer, protocol: Arc::new(Lines(world)), counted });
    let mut p = p.greeted().login();
    for i in 0..1000 {
        p.send(&query("rows 1 1"));
        let mut loot = Vec::new();
        desks[0].raid(true, |_| 0, &mut loot);
        assert!(loot.is_empty());
        assert_eq!(kinds(&p.until(b'Z')), "DCZ", "question {i}");
    }
    desks[0].queue.stop();
    eventually("the worker ends", || crew.is_over());
}
