//! Who holds a worker: a statement that runs on without taking a breath, or that waits in the kernel, would keep all others of its worker waiting.
//!
//! ```text
//! thread:    turn := (n, pid)   a coroutine runs   turn := (n, nobody)             a relaxed store each
//! watcher:   every TICK: the same turn as a TICK ago?  -> its worker goes to another thread (host.rs)
//!                        the same turn as HELD ago?    -> one line in the log, counted
//! ```
//! Nothing should ever be heard of here: all that may run long charges work (`pamir_error::work`). What is heard of is a place that does not. A thread that was ready to run for most
//! of the time and got no processor is the machine's affair, and is not said; its worker goes to another one all the same.
//!
//! Limits: a turn is seen once it has lasted one [`TICK`], two at most; what the loop does between turns is not watched. What else was begun on the thread stays there and waits.
use crate::crew::Crew;
use crate::host::Host;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// From one look to the next.
const TICK: Duration = Duration::from_millis(50);
/// A turn that lasts this long is said.
const HELD: Duration = Duration::from_millis(200);
/// Of the statement's text, in the log.
const MAX_TEXT: usize = 256;
/// In the place of a process number: a connection that has none yet.
const NEWCOMER: u32 = u32::MAX;
/// ... and the log's work, which the disk may keep.
const ERRAND: u32 = u32::MAX - 1;

/// What a thread shows. Only it writes.
#[derive(Default)]
pub struct Watched {
    /// The turn's number, and below whose it is: 0 between turns.
    turn: AtomicU64,
    /// Where the kernel tells of it.
    thread: OnceLock<PathBuf>,
}

impl Watched {
    /// To be called by the thread, once.
    pub fn here(&self) {
        if let Ok(link) = std::fs::read_link("/proc/thread-self") {
            let _ = self.thread.set(PathBuf::from("/proc").join(link).join("schedstat"));
        }
    }
    #[inline]
    pub fn begin(&self, pid: Option<i32>) {
        self.begin_as(pid.map_or(NEWCOMER, |p| p as u32));
    }
    pub fn begin_errand(&self) {
        self.begin_as(ERRAND);
    }
    fn begin_as(&self, pid: u32) {
        let n = (self.turn.load(Ordering::Relaxed) >> 32).wrapping_add(1);
        self.turn.store(n << 32 | u64::from(pid), Ordering::Relaxed);
    }
    #[inline]
    pub fn end(&self) {
        self.turn.store(self.turn.load(Ordering::Relaxed) & !0xffff_ffff, Ordering::Relaxed);
    }
    /// How long the thread has run, and how long it has waited for a processor.
    fn times(&self) -> Option<(Duration, Duration)> {
        let text = std::fs::read_to_string(self.thread.get()?).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(|n| n.parse().ok().map(Duration::from_nanos));
        Some((numbers.next()??, numbers.next()??))
    }
}

/// What the watcher knows of a thread.
#[derive(Default)]
struct Seen {
    turn: u64,
    since: Option<Instant>,
    times: Option<(Duration, Duration)>,
    said: bool,
}

/// Until the server's workers have ended.
pub fn watch(crew: &Arc<Crew>) {
    let mut seen: HashMap<u32, Seen> = HashMap::new();
    while !crew.is_over() {
        let hosts = crew.hosts();
        seen.retain(|id, _| hosts.iter().any(|h| h.id == *id));
        for h in &hosts {
            look(h, seen.entry(h.id).or_default(), crew);
        }
        std::thread::park_timeout(TICK);
    }
}

fn look(host: &Arc<Host>, seen: &mut Seen, crew: &Arc<Crew>) {
    let w = &host.watched;
    let turn = w.turn.load(Ordering::Relaxed);
    let pid = turn as u32;
    if turn != seen.turn || pid == 0 {
        *seen = Seen { turn, ..Seen::default() };
        return;
    }
    let Some(since) = seen.since else {
        // The second look at it: most turns do not come so far.
        (seen.since, seen.times) = (Some(Instant::now()), w.times());
        host.retake(crew);
        return;
    };
    let lasted = since.elapsed();
    if seen.said || lasted < HELD {
        return;
    }
    seen.said = true;
    let (ran, waited) = match (seen.times, w.times()) {
        (Some(then), Some(now)) => (now.0.saturating_sub(then.0), now.1.saturating_sub(then.1)),
        _ => (lasted, Duration::ZERO),
    };
    if waited > lasted / 2 || pid == ERRAND {
        return;
    }
    crew.roster.held.add(1);
    let statement = if pid == NEWCOMER { None } else { crew.application.statement_of(pid as i32, MAX_TEXT) };
    tracing::warn!(target: "pamir::held", pid = pid as i32, statement, lasted_ms = lasted.as_millis() as u64, on_processor_ms = ran.as_millis() as u64,
        "a statement takes no breath: what else was begun on its thread waits");
}
