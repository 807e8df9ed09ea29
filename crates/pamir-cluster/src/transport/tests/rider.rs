//! A rider: called when it is due, never forgotten, gone with its transport.
use super::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

/// Sends as many messages as others have asked for, one a ride.
struct Answers {
    transport: std::sync::Weak<Transport>,
    asked: Arc<AtomicUsize>,
    /// How long until it wants to be called though nobody rings.
    pause: Duration,
    rides: Sender<Instant>,
    most: usize,
}
impl Rider for Answers {
    fn is_due(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > 0
    }
    fn ride(&mut self) -> Option<Instant> {
        let now = Instant::now();
        if self.is_due() {
            self.asked.fetch_sub(1, Ordering::SeqCst);
            self.transport.upgrade()?.send(2, Class::Log, b"asked".to_vec()).unwrap();
        }
        let _ = self.rides.send(now);
        self.most -= 1;
        (self.most > 0).then_some(now + self.pause)
    }
}
/// The transport carries a rider that ends after `most` rides.
fn carry(t: &Arc<Transport>, pause: Duration, most: usize) -> (Arc<AtomicUsize>, Receiver<Instant>) {
    let (rides, ridden) = channel();
    let asked = Arc::new(AtomicUsize::new(0));
    let transport = Arc::downgrade(t);
    t.carry(Box::new(Answers { transport, asked: asked.clone(), pause, rides, most }));
    (asked, ridden)
}
fn is_gone(ridden: &Receiver<Instant>) {
    let end = Instant::now() + PATIENCE;
    while ridden.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {}
    assert_eq!(ridden.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn who_rings_is_heard_in_every_moment() {
    let (a, b) = pair([None, None]);
    a.knows(&b);
    a.saw.connected(2, 1);
    let (asked, _ridden) = carry(&a.transport, Duration::from_secs(3600), usize::MAX);
    // Beside it, for the first half, messages that wake the thread as well, so that it is met before, in and after its sleep.
    let over = Arc::new(AtomicBool::new(false));
    let noise = {
        let (over, a) = (over.clone(), a.transport.clone());
        std::thread::spawn(move || {
            while !over.load(Ordering::SeqCst) {
                let _ = a.send(2, Class::Control, b"noise".to_vec());
                std::thread::sleep(Duration::from_micros(50));
            }
        })
    };
    let bell = a.transport.bell();
    for n in (1..3_000).step_by(2) {
        if n == 1_501 {
            over.store(true, Ordering::SeqCst);
        }
        // What is left after a ride is work as well, for which nobody rings again.
        asked.fetch_add(2, Ordering::SeqCst);
        bell.ring();
        b.saw.until("an answer", |saw| {
            let came = |s: &&Saw| matches!(s, Saw::Received(1, Class::Log, _));
            (saw.iter().filter(came).count() > n).then_some(())
        });
    }
    noise.join().unwrap();
}

#[test]
fn it_is_called_at_the_time_it_said_and_ends_when_it_says() {
    let (a, _b) = pair([None, None]);
    let (_, ridden) = carry(&a.transport, Duration::from_millis(20), 5);
    let rides: Vec<Instant> = (0..5).map(|_| ridden.recv_timeout(PATIENCE).unwrap()).collect();
    for two in rides.windows(2) {
        assert!(two[1] >= two[0] + Duration::from_millis(20), "{two:?}");
    }
    is_gone(&ridden);
}

#[test]
fn it_is_gone_with_its_transport() {
    let (a, b) = pair([None, None]);
    let (_, ridden) = carry(&a.transport, Duration::from_secs(3600), usize::MAX);
    ridden.recv_timeout(PATIENCE).unwrap();
    a.transport.stop();
    is_gone(&ridden);
    // One that comes too late, and one whose place another takes.
    is_gone(&carry(&a.transport, Duration::ZERO, usize::MAX).1);
    let (_, first) = carry(&b.transport, Duration::from_secs(3600), usize::MAX);
    let (_, second) = carry(&b.transport, Duration::from_secs(3600), usize::MAX);
    is_gone(&first);
    second.recv_timeout(PATIENCE).unwrap();
}
