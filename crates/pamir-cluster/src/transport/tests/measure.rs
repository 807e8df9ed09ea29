//! A handler that sends back: wakes, panics, and what a message takes.
use super::*;

/// Sends every message back; counts, and says when there were enough.
#[derive(Default)]
struct Echo {
    transport: OnceLock<Arc<Transport>>,
    left: AtomicUsize,
    done: Condvar,
    over: std::sync::Mutex<bool>,
    ready: AtomicBool,
}

impl Handler for Echo {
    fn received(&self, from: NodeId, class: Class, message: Message) {
        let left = self.left.fetch_sub(1, Ordering::SeqCst);
        if left == 1 {
            *self.over.lock().unwrap() = true;
            self.done.notify_all();
        }
        if left != 1
            && let Some(t) = self.transport.get()
        {
            t.send(from, class, message.into_vec()).unwrap();
        }
    }
    fn connected(&self, _: &Hello) {
        self.ready.store(true, Ordering::SeqCst);
    }
    fn lost(&self, _: NodeId, _: &Error) {}
    fn clock_off(&self, _: NodeId, _: i64) {}
    fn admit(&self, _: &Hello) -> Result<()> {
        Ok(())
    }
    fn request(&self, _: &Hello, _: Vec<u8>) -> Vec<u8> {
        Vec::new()
    }
}

impl Echo {
    /// Sends one message and waits until it has gone to and fro so often.
    fn run(&self, to: NodeId, trips: usize) -> Duration {
        *self.over.lock().unwrap() = false;
        self.left.store(trips, Ordering::SeqCst);
        let start = Instant::now();
        self.transport.get().unwrap().send(to, Class::Log, vec![5; 200]).unwrap();
        let mut over = self.over.lock().unwrap();
        while !*over {
            over = self.done.wait(over).unwrap();
        }
        start.elapsed()
    }
}

/// Two transports that send messages back, connected.
fn echoes([ta, tb]: [Option<Tls>; 2]) -> ([Arc<Transport>; 2], Arc<Echo>) {
    let (a, b) = (Arc::new(Echo::default()), Arc::new(Echo::default()));
    let t = [(1, ta, &a), (2, tb, &b)].map(|(id, tls, echo)| {
        let t = Transport::start(config(id, tls), echo.clone()).unwrap();
        assert!(echo.transport.set(t.clone()).is_ok());
        t
    });
    t[0].set_peer(2, &t[1].local_addr().to_string());
    while !(a.ready.load(Ordering::SeqCst) && b.ready.load(Ordering::SeqCst)) {
        std::thread::sleep(Duration::from_millis(1));
    }
    b.left.store(usize::MAX, Ordering::SeqCst);
    (t, a)
}

#[test]
fn the_thread_wakes_for_what_is_sent() {
    let (t, a) = echoes([None, None]);
    let start = Instant::now();
    for trips in 1..400 {
        a.run(2, 1 + trips % 3);
    }
    // If the bell were not rung, each would wait for the next ping.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    for t in t {
        t.stop();
    }
}

#[test]
fn a_handler_that_panics_ends_the_transport_and_not_silently() {
    struct Bomb(Witness);
    impl Handler for Bomb {
        fn received(&self, _: NodeId, _: Class, _: Message) {
            panic!("of a test");
        }
        fn connected(&self, peer: &Hello) {
            Handler::connected(&self.0, peer);
        }
        fn lost(&self, _: NodeId, _: &Error) {}
        fn clock_off(&self, _: NodeId, _: i64) {}
        fn admit(&self, _: &Hello) -> Result<()> {
            Ok(())
        }
        fn request(&self, _: &Hello, m: Vec<u8>) -> Vec<u8> {
            m
        }
    }
    let a = Node::new(1, None);
    let b = Transport::start(config(2, None), Arc::new(Bomb(Witness::default()))).unwrap();
    a.transport.set_peer(2, &b.local_addr().to_string());
    a.say(2, Class::Log, b"x");
    let end = Instant::now() + PATIENCE;
    while b.send(1, Class::Log, vec![]) != Err(Refused::Stopped) {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(2));
    }
    b.stop();
}

/// What the kernel alone takes: 200 bytes to and fro between two threads that block in reads.
fn bare(trips: usize) -> Duration {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut here = listener.accept().unwrap().0;
    let trip = move |s: &mut TcpStream, first: bool| {
        let mut buf = [0; 200];
        if first {
            s.write_all(&buf).unwrap();
        }
        s.read_exact(&mut buf).unwrap();
        if !first {
            s.write_all(&buf).unwrap();
        }
    };
    for s in [&here, &there] {
        s.set_nodelay(true).unwrap();
    }
    let echo = std::thread::spawn(move || (0..trips).for_each(|_| trip(&mut there, false)));
    let start = Instant::now();
    (0..trips).for_each(|_| trip(&mut here, true));
    let took = start.elapsed();
    echo.join().unwrap();
    took
}

/// So many megabytes of a class in one direction.
fn flood([ta, tb]: [Option<Tls>; 2], class: Class, megabytes: usize) -> Duration {
    let (a, b) = (Node::new(1, ta), Arc::new(Echo::default()));
    let there = Transport::start(config(2, tb), b.clone()).unwrap();
    b.left.store(megabytes, Ordering::SeqCst);
    a.transport.set_peer(2, &there.local_addr().to_string());
    a.saw.connected(2, 1);
    let start = Instant::now();
    for _ in 0..megabytes {
        a.say(2, class, &vec![3; 1 << 20]);
    }
    let mut over = b.over.lock().unwrap();
    while !*over {
        over = b.done.wait(over).unwrap();
    }
    start.elapsed()
}

/// `cargo test -p pamir-cluster --release -- --ignored --nocapture latency`
#[test]
#[ignore = "it measures"]
fn latency() {
    const TRIPS: usize = 20_000;
    println!(
        "two threads over a socket, without anything: {:.1} us a round trip",
        bare(TRIPS).as_secs_f64() * 1e6 / TRIPS as f64
    );
    both_ways(|[ta, tb, _]| {
        let tls = ta.is_some();
        let (t, a) = echoes([ta, tb]);
        a.run(2, 1000);
        let between = a.run(2, TRIPS);
        let mut each: Vec<Duration> = (0..TRIPS / 4).map(|_| a.run(2, 1)).collect();
        each.sort_unstable();
        println!(
            "{}: {:.1} us a round trip from handler to handler; from another thread and back to it {:.1} us (median), {:.1} us (99%)",
            if tls { "TLS" } else { "plain" },
            between.as_secs_f64() * 1e6 / TRIPS as f64,
            each[each.len() / 2].as_secs_f64() * 1e6,
            each[each.len() * 99 / 100].as_secs_f64() * 1e6,
        );
        for t in t {
            t.stop();
        }
    });
    both_ways(|[ta, tb, _]| {
        let tls = if ta.is_some() { "TLS" } else { "plain" };
        for class in [Class::Log, Class::Bulk] {
            let took = flood([ta.clone(), tb.clone()], class, 1000);
            println!("{tls}: {:.0} MiB/s of class {class:?}", 1000.0 / took.as_secs_f64());
        }
    });
}
