//! Two nodes in one process, for tests: sessions at one, the shard and its host at the other, and between them a line that does as it is told.
//!
//! ```text
//!   RemoteEngine ── Requests ── Between ── fault(direction, kind) ──► Host ── Pool ── shard
//!                        ▲          │  deliver, hold, cut
//!                        └──────────┴─────────────── late: a thread of its own, in order
//! ```
use super::client::RemoteEngine;
use super::deliver;
use super::guide::Guide;
use super::host::{Host, HostOptions};
use super::line::{Line, Post, Refused, Requests, Spawn};
use super::wire::{self, Kind};
use crate::NodeId;
use pamir_error::Result;
use pamir_storage::task;
use pamir_txn::{Cancel, Shard, Ts};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// Where the sessions are.
pub const NEAR: NodeId = 1;
/// Where the data is.
pub const LEADER: NodeId = 2;

type Job = Box<dyn FnOnce() + Send>;

/// Runs a job where it is spawned: for shards whose calls never wait for others.
pub struct Inline;
impl Spawn for Inline {
    fn spawn(&self, job: Job) {
        job()
    }
}
/// Threads, as many as jobs wait at a time.
#[derive(Default)]
pub struct Pool(Arc<(Mutex<Jobs>, Condvar)>);
#[derive(Default)]
struct Jobs {
    list: VecDeque<Job>,
    idle: usize,
}
impl Spawn for Pool {
    fn spawn(&self, job: Job) {
        let mut jobs = self.0.0.lock();
        jobs.list.push_back(job);
        if jobs.idle >= jobs.list.len() {
            self.0.1.notify_one();
            return;
        }
        drop(jobs);
        let of = self.0.clone();
        std::thread::spawn(move || {
            let mut jobs = of.0.lock();
            loop {
                while let Some(job) = jobs.list.pop_front() {
                    drop(jobs);
                    job();
                    jobs = of.0.lock();
                }
                jobs.idle += 1;
                let late = of.1.wait_for(&mut jobs, Duration::from_millis(500)).timed_out();
                jobs.idle -= 1;
                if late && jobs.list.is_empty() {
                    return;
                }
            }
        });
    }
}

/// What becomes of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Deliver,
    /// It waits for [`Between::release`]; those behind it do not.
    Hold,
    /// The connection ends with it.
    Cut,
    /// It came, and then the connection ended.
    DeliverAndCut,
}
type Late = (Instant, u64, NodeId, Vec<u8>);
type Fault = Box<dyn FnMut(NodeId, Kind) -> Fate + Send>;

/// What is between the two.
pub struct Between {
    host: OnceLock<Weak<Host>>,
    requests: OnceLock<Weak<Requests>>,
    up: AtomicBool,
    /// There is no room for messages.
    pub full: AtomicBool,
    /// How often the connection has ended: what was under way then never comes.
    cuts: AtomicU64,
    fault: Mutex<Option<Fault>>,
    faulty: AtomicBool,
    held: Mutex<Vec<(NodeId, Vec<u8>)>>,
    late: Option<(Duration, Mutex<Sender<Late>>)>,
    pub requests_sent: AtomicU64,
    pub notes_sent: AtomicU64,
    pub bytes_sent: AtomicU64,
}
impl Between {
    fn new(late: Option<Duration>) -> Arc<Between> {
        let (send, receive) = channel::<Late>();
        let of = Arc::new(Between {
            host: OnceLock::new(),
            requests: OnceLock::new(),
            up: AtomicBool::new(true),
            full: AtomicBool::new(false),
            cuts: AtomicU64::new(0),
            fault: Mutex::new(None),
            faulty: AtomicBool::new(false),
            held: Mutex::default(),
            late: late.map(|d| (d, Mutex::new(send))),
            requests_sent: AtomicU64::new(0),
            notes_sent: AtomicU64::new(0),
            bytes_sent: AtomicU64::new(0),
        });
        if late.is_some() {
            let to = Arc::downgrade(&of);
            std::thread::spawn(move || {
                while let Ok((due, cuts, node, bytes)) = receive.recv() {
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    let Some(of) = to.upgrade() else { return };
                    of.arrive(cuts, node, &bytes);
                }
            });
        }
        of
    }
    /// What happens to messages from now on: it is told where each goes.
    pub fn fault(&self, f: Option<Fault>) {
        self.faulty.store(f.is_some(), Ordering::SeqCst);
        *self.fault.lock() = f;
    }
    /// The connection ends.
    pub fn cut(&self) {
        self.up.store(false, Ordering::SeqCst);
        self.cuts.fetch_add(1, Ordering::SeqCst);
        if let Some(h) = self.host.get().and_then(Weak::upgrade) {
            h.lost(NEAR);
        }
        // Who hears of it here may connect again: the host has heard before.
        if let Some(r) = self.requests.get().and_then(Weak::upgrade) {
            r.lost(LEADER);
        }
    }
    pub fn mend(&self) {
        self.up.store(true, Ordering::SeqCst);
    }
    /// Delivers what was held.
    pub fn release(&self) {
        let held = std::mem::take(&mut *self.held.lock());
        let cuts = self.cuts.load(Ordering::SeqCst);
        held.iter().for_each(|(to, bytes)| self.arrive(cuts, *to, bytes));
    }
    fn arrive(&self, cuts: u64, to: NodeId, bytes: &[u8]) {
        if self.cuts.load(Ordering::SeqCst) != cuts {
            return;
        }
        let (Some(requests), Some(host)) =
            (self.requests.get().and_then(Weak::upgrade), self.host.get().and_then(Weak::upgrade))
        else {
            return;
        };
        let from = if to == NEAR { LEADER } else { NEAR };
        let _ = deliver(&requests, &host, from, bytes);
    }
}
impl Post for Between {
    fn send(&self, to: NodeId, bytes: Vec<u8>) -> Result<(), Refused> {
        let cuts = self.cuts.load(Ordering::SeqCst);
        if !self.up.load(Ordering::SeqCst) {
            return Err(Refused::Away);
        }
        if self.full.load(Ordering::SeqCst) {
            return Err(Refused::Full);
        }
        self.bytes_sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let kind = wire::read_frame(&bytes).map_or(Kind::Note, |f| f.0);
        match kind {
            Kind::Request => self.requests_sent.fetch_add(1, Ordering::Relaxed),
            Kind::Note => self.notes_sent.fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        if self.faulty.load(Ordering::SeqCst) {
            let fate = self.fault.lock().as_mut().map_or(Fate::Deliver, |f| f(to, kind));
            match fate {
                Fate::Deliver => {}
                Fate::Hold => {
                    self.held.lock().push((to, bytes));
                    return Ok(());
                }
                Fate::Cut => {
                    self.cut();
                    return Ok(());
                }
                Fate::DeliverAndCut => {
                    self.arrive(cuts, to, &bytes);
                    self.cut();
                    return Ok(());
                }
            }
        }
        match &self.late {
            Some((by, send)) => drop(send.lock().send((Instant::now() + *by, cuts, to, bytes))),
            None => self.arrive(cuts, to, &bytes),
        }
        Ok(())
    }
}

/// Who leads, as the test says.
pub struct Signpost {
    pub leads: AtomicBool,
    /// The engine keeps all that it needs.
    _host: Arc<Host>,
    line: Mutex<Option<Arc<dyn Line>>>,
    /// Timestamps and versions that were waited for.
    pub applied: Mutex<Vec<Ts>>,
    pub catalogs: Mutex<Vec<u64>>,
}
impl Signpost {
    pub fn set_line(&self, line: Option<Arc<dyn Line>>) {
        *self.line.lock() = line;
    }
}
impl Guide for Signpost {
    fn leads(&self) -> bool {
        self.leads.load(Ordering::SeqCst)
    }
    fn leader(&self, until: Instant, cancel: &Cancel) -> Result<Option<Arc<dyn Line>>> {
        loop {
            if let Some(l) = &*self.line.lock() {
                return Ok(Some(l.clone()));
            }
            cancel.check()?;
            if task::now() >= until {
                return Ok(None);
            }
            task::sleep(Duration::from_millis(2), |_| false);
        }
    }
    fn format(&self) -> u64 {
        crate::version::NEWEST
    }
    fn await_applied(&self, ts: Ts) {
        self.applied.lock().push(ts);
    }
    fn await_catalog(&self, version: u64) -> Result<()> {
        let mut all = self.catalogs.lock();
        if all.last() != Some(&version) {
            all.push(version);
        }
        Ok(())
    }
}

/// All of it.
pub struct Rig {
    pub engine: Arc<RemoteEngine>,
    pub shard: Arc<Shard>,
    pub host: Arc<Host>,
    pub requests: Arc<Requests>,
    pub between: Arc<Between>,
    pub signpost: Arc<Signpost>,
    pub catalog_version: Arc<AtomicU64>,
}
impl Rig {
    /// `late`: how late every message comes, if at all.
    pub fn new(shard: Arc<Shard>, spawn: Arc<dyn Spawn>, late: Option<Duration>) -> Result<Rig> {
        let between = Between::new(late);
        let post: Arc<dyn Post> = between.clone();
        let requests = Requests::new(post.clone(), &**shard.platform())?;
        let catalog_version = Arc::new(AtomicU64::new(0));
        let (version, of) = (catalog_version.clone(), shard.clone());
        let host = Host::new(HostOptions {
            shard: shard.clone(),
            spawn,
            post,
            catalog_version: Box::new(move || version.load(Ordering::SeqCst).max(of.catalog_ts())),
        });
        let _ = between.host.set(Arc::downgrade(&host));
        let _ = between.requests.set(Arc::downgrade(&requests));
        host.begin();
        let signpost = Arc::new(Signpost {
            leads: AtomicBool::new(false),
            _host: host.clone(),
            line: Mutex::new(Some(requests.line(LEADER))),
            applied: Mutex::default(),
            catalogs: Mutex::default(),
        });
        let engine = Arc::new(RemoteEngine::new(shard.clone(), signpost.clone())?);
        Ok(Rig { engine, shard, host, requests, between, signpost, catalog_version })
    }
    /// The connection is there again, for a new leadership.
    pub fn reconnect(&self) {
        self.between.mend();
        self.signpost.set_line(Some(self.requests.line(LEADER)));
    }
    /// Neither side has anything of the other's sessions.
    pub fn is_idle(&self) -> bool {
        self.host.counts() == (0, 0) && self.host.held_bytes() == 0 && self.requests.under_way() == 0
    }
    /// Nothing is left of what sessions did: waits a little, since ends are told and not answered.
    pub fn is_empty(&self) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        let empty = || {
            self.is_idle()
                && self.shard.locks().is_empty()
                && self.shard.stats().iter().all(|(n, v)| !matches!(*n, "row_locks" | "range_locks") || *v == 0)
        };
        while !empty() {
            if Instant::now() > end {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}
