//! The archiver: copies the log into the store once it is durable, piece by piece.
//!
//! ```text
//!   archived ──────────────► durable                       every LOOK
//!      │  PIECE_BYTES there, or archive_timeout since the first of it, or the end of the server
//!      └──► put log/ARCHIVED, if there is none of that name ─┬─► there: hold moves on, the log behind it may go
//!                                                            └─► somebody else's: compared with our log; we go on behind it
//! ```
//! - **Where it begins**: an empty archive at what is durable now, of a cluster at what is left of the log: the first base backup comes after. A single node goes on where it remembers to have been (`pamir.archived`), so that a restart
//!   keeps the log behind it even when the store is away; a cluster's leader where the newest piece ends.
//! - **Who**: of a cluster the node that leads. Those that follow look where the archive is ([`FOLLOW_LOOK`]) and keep what is behind it, so that any of them can go on. A node that was started anew has
//!   only what is behind its newest checkpoint: a leader that lacks something leaves it to the others, which archive what nobody has archived for three timeouts, and each node what it has when it
//!   ends. So there is a gap only where all nodes that had something were killed.
//! - **The store is away**: the log stays, up to `lag` bytes (0: until the disk is full, when commits are refused). Beyond it the archive is *given up*: an error in the log, `gaps` in the figures;
//!   the server goes on, with its log freed. When the store is back, a new stretch of the archive begins, and a base backup is needed: no restore goes over the gap. A server that stops for
//!   want of an archive would make a broken bucket an outage.
//! - **What does not fit** (the archive is ahead of this directory, or has another history: a copy of the directory is running, or was): nothing is written (55000), the log is held as above.
//!
//! Figures are those of pg_stat_archiver, and more ([`Figures`]).
use crate::piece::{self, HEADER, Head, PIECE_BYTES, Piece};
use crate::plant::{self, Bug};
use crate::source::{Extent, Source};
use crate::store::Store;
use crate::{Kind, Place, SystemId};
use pamir_cluster::identity::hex;
use pamir_error::{Result, bail, err};
use pamir_storage::disk::Disk;
use pamir_txn::Hold;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What is named `archive_timeout`: a piece is closed after so long, however little is in it.
pub const ARCHIVE_TIMEOUT: Duration = Duration::from_secs(60);
/// Log that is kept for a store that is away.
pub const ARCHIVE_LAG: u64 = 16 << 30;
/// How often the thread looks,
const LOOK: Duration = Duration::from_millis(500);
/// how often a node that does not lead looks how far the archive is,
pub const FOLLOW_LOOK: Duration = Duration::from_secs(10);
/// after how many timeouts without a piece it archives what it has itself,
const STAND_IN_TIMEOUTS: u32 = 3;
/// how many a leader that lacks something waits for that,
const LACKING_TIMEOUTS: u32 = 6;
/// and how long the thread rests after a failure.
const FAILED_PAUSE: Duration = Duration::from_secs(5);
/// The last pieces of a server that ends take so long at most.
const LAST_PATIENCE: Duration = Duration::from_secs(15);
/// How far a single node's archive is.
pub const MARK_FILE: &str = "pamir.archived";
const MARK_NEW: &str = "pamir.archived.new";
const MARK_HEADER: &str = "pamir archived 1";

/// Where a system's pieces are.
pub fn folder(system: &SystemId) -> String {
    format!("{}/log/", hex(system))
}
/// The name of the piece that begins behind a position.
pub fn name(system: &SystemId, from: u64) -> String {
    format!("{}{from:020}", folder(system))
}
/// The position that a name says; None: it is no piece's.
pub fn position_of(name: &str) -> Option<u64> {
    let digits = name.rsplit('/').next()?;
    if digits.len() == 20 && digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}
/// Where the pieces of a system begin, in order.
pub fn pieces(store: &Store, system: &SystemId) -> Result<Vec<u64>> {
    let all = store.list(&folder(system))?;
    let mut from: Vec<u64> = all.iter().filter_map(|(n, _)| position_of(n)).collect();
    from.sort_unstable();
    Ok(from)
}
/// The head of a piece of this system.
pub fn head_of(store: &Store, system: &SystemId, from: u64) -> Result<Head> {
    let name = name(system, from);
    let head = Head::decode(&name, &store.head(&name, HEADER as u64)?)?;
    belongs(&name, &head, system, from)?;
    Ok(head)
}
/// Is a piece what its name says?
pub fn belongs(name: &str, head: &Head, system: &SystemId, from: u64) -> Result<()> {
    if (head.system != *system && !plant::has(Bug::SystemIgnored)) || head.from.position != from {
        return Err(err!(DATA_CORRUPTED, "object \"{name}\" is another piece than its name says").detail(format!(
            "It begins behind position {} of system {}.",
            head.from.position,
            hex(&head.system)
        )));
    }
    Ok(())
}

/// How far the archive of a single node's directory is, as it remembers; None: there is none, or it is not readable.
pub fn read_mark(disk: &dyn Disk) -> Result<Option<u64>> {
    if !disk.exists(MARK_FILE)? {
        return Ok(None);
    }
    let file = disk.open(MARK_FILE, false)?;
    let mut b = vec![0; (file.len()? as usize).min(256)];
    let n = file.read_at(&mut b, 0)?;
    let text = std::str::from_utf8(b.get(..n).unwrap_or_default()).ok();
    let body = text.and_then(crate::system::unseal);
    let position = body.and_then(|b| b.strip_prefix(MARK_HEADER)?.trim().parse().ok());
    if position.is_none() {
        tracing::warn!("\"{MARK_FILE}\" is damaged: the log is kept from the newest checkpoint on only");
    }
    Ok(position)
}
fn write_mark(disk: &dyn Disk, position: u64) -> Result<()> {
    let mut text = format!("{MARK_HEADER}\n{position}\n");
    crate::system::seal(&mut text);
    let file = disk.open(MARK_NEW, true)?;
    file.set_len(0)?;
    file.write_at(text.as_bytes(), 0)?;
    file.sync()?;
    disk.rename(MARK_NEW, MARK_FILE)?;
    disk.sync_dir()
}

/// What an operator watches.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Figures {
    pub archived: u64,
    pub bytes: u64,
    /// Name of the newest piece, and when it was stored (microseconds since 1970).
    pub last: Option<(String, i64)>,
    pub failed: u64,
    pub last_failed: Option<(String, i64)>,
    /// Why.
    pub last_error: Option<String>,
    /// The archive holds everything up to here.
    pub position: u64,
    /// Everything up to this time (microseconds since 1970) is archived; 0: unknown.
    pub until: i64,
    /// Bytes of log that are not archived.
    pub lag: u64,
    /// How often the archive was given up, or did not reach as far back as the log.
    pub gaps: u64,
    /// This node archives now.
    pub active: bool,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub timeout: Duration,
    /// 0: the log is never given up.
    pub lag: u64,
    pub piece_bytes: usize,
}
impl Default for Options {
    fn default() -> Options {
        Options { timeout: ARCHIVE_TIMEOUT, lag: ARCHIVE_LAG, piece_bytes: PIECE_BYTES }
    }
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing was due.
    Idle,
    /// A piece was stored, or found; there may be more.
    Went,
}

/// See the module's words. A machine: [`Archiver::step`] does what is due.
pub struct Archiver {
    store: Store,
    source: Arc<dyn Source>,
    options: Options,
    /// For the mark; of a cluster's node there is none.
    disk: Option<Arc<dyn Disk>>,
    /// The archive holds everything up to here; None: to be found out.
    archived: Option<Place>,
    hold: Option<Hold>,
    /// When the oldest of what is not archived was first seen, by the source's clock.
    since: Option<i64>,
    looked: Option<i64>,
    /// Of a node that does not lead: where the archive was seen to end, and since when it ends there.
    seen: Option<(u64, i64)>,
    /// Since when a leader lacks what the archive lacks.
    lacking: Option<i64>,
    figures: Arc<Mutex<Figures>>,
}
fn micros(d: Duration) -> i64 {
    i64::try_from(d.as_micros()).unwrap_or(i64::MAX)
}
impl Archiver {
    /// `disk` and `hold` are a single node's: where it remembers how far the archive is, and what it held of the log since its start.
    pub fn new(
        store: Store,
        source: Arc<dyn Source>,
        options: Options,
        disk: Option<Arc<dyn Disk>>,
        hold: Option<Hold>,
    ) -> Archiver {
        Archiver {
            store,
            source,
            options,
            disk,
            archived: None,
            hold,
            since: None,
            looked: None,
            seen: None,
            lacking: None,
            figures: Arc::default(),
        }
    }
    pub fn figures(&self) -> Arc<Mutex<Figures>> {
        self.figures.clone()
    }
    /// Everything up to here is archived.
    fn reached(&mut self, at: Place) -> Result<()> {
        self.archived = Some(at);
        self.since = None;
        self.figures.lock().position = at.position;
        if let Some(d) = &self.disk {
            // Before the log may go: a crash must not find it gone and the mark behind it.
            write_mark(&**d, at.position)?;
        }
        let held = if plant::has(Bug::NothingHeld) { u64::MAX } else { at.position };
        match &self.hold {
            Some(h) => h.move_to(held),
            None => self.hold = Some(self.source.hold(held)),
        }
        Ok(())
    }
    /// Where the newest piece ends; None: there is none.
    fn end(&self) -> Result<Option<Head>> {
        let system = self.source.system();
        let Some(from) = pieces(&self.store, &system)?.pop() else { return Ok(None) };
        head_of(&self.store, &system, from).map(Some)
    }
    /// Finds out where to go on. False: this node does not have what is archived yet.
    fn begin(&mut self) -> Result<bool> {
        let end = self.end()?;
        if let Some(h) = &end
            && h.kind != self.source.kind()
        {
            bail!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the archive is of another kind of log");
        }
        match self.source.kind() {
            Kind::Own => self.begin_own(end),
            Kind::Group => self.begin_group(end),
        }
    }
    fn begin_group(&mut self, end: Option<Head>) -> Result<bool> {
        let at = end.map(|h| h.to);
        let extent = self.source.extent(at.map_or(0, |a| a.position))?;
        let Some(at) = at else {
            // As far back as there is log: a leader that archived nothing yet may have been followed by a base backup.
            let term = self.source.term_at(extent.oldest)?.unwrap_or(0);
            return self.begin_new(Place { position: extent.oldest, term });
        };
        if at.position > extent.newest.position {
            // Another node was faster.
            return Ok(false);
        }
        let now = self.source.time();
        if at.position < extent.oldest {
            // Another node may have it, and archive it.
            let since = *self.lacking.get_or_insert(now);
            if (since..since.saturating_add(self.timeouts(LACKING_TIMEOUTS))).contains(&now) {
                return Ok(false);
            }
            self.lacking = None;
            self.gap(at, extent, "this node's log does not reach back to where the archive ends")?;
            return Ok(true);
        }
        if self.source.term_at(at.position)?.is_some_and(|t| t != at.term) {
            return Err(foreign("The entry that the archive ends with is of another term here."));
        }
        self.lacking = None;
        self.go_on(at)
    }
    /// A single node trusts its own mark: what the store has behind it is compared with the log ([`Archiver::meet`]), since a copy of the directory may have written it.
    fn begin_own(&mut self, end: Option<Head>) -> Result<bool> {
        let place = |position: u64| Place { position, term: 0 };
        let mark = self.hold.as_ref().map(Hold::position);
        let extent = self.source.extent(mark.or(end.as_ref().map(|h| h.from.position)).unwrap_or(0))?;
        match (mark, end) {
            (Some(m), _) if m > extent.newest.position => Err(foreign("More is archived than the log here has.")),
            (Some(m), _) if m < extent.oldest => {
                self.gap(place(m), extent, "the log does not reach back to where the archive ends")?;
                Ok(true)
            }
            (Some(m), None) => self.begin_new(place(m)),
            (Some(m), Some(h)) => {
                if h.to.position < m {
                    tracing::error!(from = h.to.position, to = m, "the archive has a gap: a base backup is needed");
                    self.figures.lock().gaps += 1;
                }
                self.go_on(place(m))
            }
            (None, None) => self.begin_new(extent.newest),
            (None, Some(h)) if h.to.position > extent.newest.position => {
                Err(foreign("The archive is ahead of this directory."))
            }
            (None, Some(h)) if h.from.position < extent.oldest => {
                self.gap(h.to, extent, "the log does not reach back to where the archive ends")?;
                Ok(true)
            }
            (None, Some(h)) => {
                let name = name(&self.source.system(), h.from.position);
                self.meet(h.from, &name, extent.newest)?;
                Ok(true)
            }
        }
    }
    fn begin_new(&mut self, at: Place) -> Result<bool> {
        tracing::info!(position = at.position, "the archive begins; a base backup is needed");
        self.reached(at)?;
        Ok(true)
    }
    fn go_on(&mut self, at: Place) -> Result<bool> {
        tracing::info!(position = at.position, "the archive goes on");
        self.reached(at)?;
        Ok(true)
    }
    /// What lies between is lost to the archive.
    fn gap(&mut self, at: Place, extent: Extent, why: &str) -> Result<()> {
        tracing::error!(
            from = at.position,
            to = extent.newest.position,
            "the archive has a gap: {why}. No restore goes over it: make a base backup (pamir backup create)"
        );
        self.figures.lock().gaps += 1;
        self.reached(extent.newest)
    }
    /// Does what is due; `all`: everything that is durable is. Counts failures.
    pub fn step(&mut self, all: bool) -> Result<Step> {
        let r = self.try_step(all);
        if let Err(e) = &r {
            let at = self.archived.map_or(0, |a| a.position);
            let mut f = self.figures.lock();
            f.failed += 1;
            f.last_failed = Some((format!("{at:020}"), self.source.time()));
            f.last_error = Some(e.message().to_string());
            drop(f);
            self.give_up_if_too_much()?;
        }
        r
    }
    fn give_up_if_too_much(&mut self) -> Result<()> {
        let Some(from) =
            self.archived.or_else(|| self.hold.as_ref().map(|h| Place { position: h.position(), term: 0 }))
        else {
            return Ok(());
        };
        let extent = self.source.extent(from.position)?;
        self.figures.lock().lag = extent.bytes;
        if self.options.lag > 0 && extent.bytes > self.options.lag {
            self.gap(from, extent, "the store was away for more log than --archive-lag keeps")?;
        }
        Ok(())
    }
    fn try_step(&mut self, all: bool) -> Result<Step> {
        let now = self.source.time();
        let extent = self.source.extent(self.archived.map_or(u64::MAX, |a| a.position))?;
        self.figures.lock().active = extent.leads;
        if !extent.leads {
            return self.follow(now, extent, all);
        }
        let Some(at) = self.archived else {
            return Ok(if self.begin()? { Step::Went } else { Step::Idle });
        };
        self.figures.lock().lag = extent.bytes;
        if extent.newest.position <= at.position {
            self.figures.lock().until = now;
            return Ok(Step::Idle);
        }
        let since = *self.since.get_or_insert(now);
        let full = extent.bytes >= self.options.piece_bytes as u64;
        // A clock that was set back does not put it off for ever.
        let due = now >= since.saturating_add(micros(self.options.timeout)) || now < since;
        if !all && !full && !due {
            return Ok(Step::Idle);
        }
        self.put(at, extent, now)
    }
    fn timeouts(&self, n: u32) -> i64 {
        micros(self.options.timeout.saturating_mul(n))
    }
    /// A node that does not lead keeps what the archive lacks, and archives it if nobody else does for long, or (`all`) if it ends.
    fn follow(&mut self, now: i64, extent: Extent, all: bool) -> Result<Step> {
        self.archived = None;
        self.since = None;
        let pause = micros(FOLLOW_LOOK.min(self.options.timeout));
        if !all && self.looked.is_some_and(|l| (l..l.saturating_add(pause)).contains(&now)) {
            return Ok(Step::Idle);
        }
        self.looked = Some(now);
        let end = self.end()?;
        let at = end.as_ref().map_or(extent.oldest, |h| h.to.position);
        let bytes = self.source.extent(at)?.bytes;
        let at = if plant::has(Bug::FollowerHoldsNothing) { u64::MAX } else { at };
        let at = if self.options.lag > 0 && bytes > self.options.lag { extent.newest.position } else { at };
        match &self.hold {
            Some(h) => h.move_to(at),
            None => self.hold = Some(self.source.hold(at)),
        }
        self.figures.lock().position = at;
        let Some(end) = end.map(|h| h.to) else { return Ok(Step::Idle) };
        let since = match self.seen {
            Some((p, since)) if p == end.position && since <= now => since,
            _ => now,
        };
        self.seen = Some((end.position, since));
        let overdue = now >= since.saturating_add(self.timeouts(STAND_IN_TIMEOUTS));
        let here = extent.oldest <= end.position && end.position < extent.newest.position;
        // What is decided is the same at all nodes.
        if here && (all || overdue) && !plant::has(Bug::NobodyStandsIn) {
            self.put(end, extent, now)
        } else {
            Ok(Step::Idle)
        }
    }
    fn put(&mut self, at: Place, extent: Extent, now: i64) -> Result<Step> {
        let newest = extent.newest;
        let system = self.source.system();
        let mut piece = Piece::new(self.source.kind(), system, at);
        while piece.to().position < newest.position && piece.size() < self.options.piece_bytes {
            let left = self.options.piece_bytes - piece.size();
            let items = self.source.read(piece.to(), newest.position, left)?;
            if items.is_empty() {
                break;
            }
            items.iter().for_each(|i| piece.push(i));
        }
        if piece.is_empty() {
            return Ok(Step::Idle);
        }
        let to = piece.to();
        // Of one that is closed because it is full, or by a node that does not know the newest, only what is in it is known to be whole.
        let until = if to.position == newest.position && extent.leads { now } else { 0 };
        let (head, bytes) = piece.finish(until);
        let name = name(&system, at.position);
        if plant::has(Bug::MarkAhead) {
            self.reached(to)?;
        }
        if plant::has(Bug::PieceOverwritten) {
            self.store.put(&name, &bytes)?;
        } else if !self.store.create(&name, &bytes)? {
            return self.meet(at, &name, newest);
        }
        let mut f = self.figures.lock();
        f.archived += 1;
        f.bytes += bytes.len() as u64;
        f.last = Some((format!("{:020}", at.position), now));
        f.until = head.until.max(head.last);
        drop(f);
        self.reached(to)?;
        Ok(Step::Went)
    }
    /// There is a piece of that name: by a try whose answer was lost, by another node that led, or of another history.
    fn meet(&mut self, at: Place, name: &str, newest: Place) -> Result<Step> {
        let (head, items) = piece::read(name, &self.store.get(name)?)?;
        belongs(name, &head, &self.source.system(), at.position)?;
        if head.to.position > newest.position {
            if self.source.kind() == Kind::Group {
                self.archived = None;
                return Ok(Step::Idle);
            }
            return Err(foreign("The archive is ahead of this directory."));
        }
        let mut ours = Vec::new();
        let mut from = at;
        while from.position < head.to.position {
            // Not up to where it ends: here that may be no end of a record.
            let some = self.source.read(from, newest.position, self.options.piece_bytes)?;
            let Some(last) = some.last() else { break };
            from = last.place;
            ours.extend(some);
        }
        ours.retain(|i| i.place.position <= head.to.position);
        if ours != items && !plant::has(Bug::PieceNotCompared) {
            return Err(foreign(&format!("Object \"{name}\" holds other records than the log here.")));
        }
        let mut f = self.figures.lock();
        f.until = f.until.max(head.until).max(head.last);
        drop(f);
        self.reached(head.to)?;
        Ok(Step::Went)
    }
}
fn foreign(detail: &str) -> pamir_error::Error {
    err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the archive is not of this directory's history")
        .detail(detail)
        .hint("A copy of the directory is running, or was. Let each have a store of its own, or remove \"pamir.system\" from the copy.")
}

/// The archiver on a thread of its own.
pub struct Archiving {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Mutex<Option<JoinHandle<Archiver>>>,
    figures: Arc<Mutex<Figures>>,
}
impl Archiving {
    pub fn start(mut archiver: Archiver) -> Result<Archiving> {
        let stop: Arc<(Mutex<bool>, Condvar)> = Arc::default();
        let figures = archiver.figures();
        let heard = stop.clone();
        let run = move || {
            let mut failing = false;
            loop {
                let pause = match archiver.step(false) {
                    Ok(Step::Went) => Duration::ZERO,
                    Ok(Step::Idle) => LOOK,
                    Err(e) => {
                        if !std::mem::replace(&mut failing, true) {
                            tracing::error!(error = %e, detail = e.data().detail, "the log is not archived; it is tried again");
                        }
                        FAILED_PAUSE
                    }
                };
                if pause != FAILED_PAUSE && std::mem::take(&mut failing) {
                    tracing::info!("the log is archived again");
                }
                let mut over = heard.0.lock();
                if !*over && !pause.is_zero() {
                    heard.1.wait_for(&mut over, pause);
                }
                if *over {
                    break;
                }
            }
            let end = Instant::now() + LAST_PATIENCE;
            while Instant::now() < end {
                match archiver.step(true) {
                    Ok(Step::Went) => {}
                    Ok(Step::Idle) => break,
                    Err(e) => {
                        tracing::error!(error = %e, "the end of the log is not archived; it stays until the next start");
                        break;
                    }
                }
            }
            archiver
        };
        let thread = std::thread::Builder::new().name("archiver".into()).spawn(run);
        let thread = thread.map_err(|e| err!(SYSTEM_ERROR, "could not start a thread: {e}"))?;
        Ok(Archiving { stop, thread: Mutex::new(Some(thread)), figures })
    }
    pub fn figures(&self) -> Figures {
        self.figures.lock().clone()
    }
    /// Archives what is durable, and ends. What was not archived is held as long as what this returns lives: to be dropped after the shard is closed.
    pub fn stop(&self) -> Option<Archiver> {
        *self.stop.0.lock() = true;
        self.stop.1.notify_all();
        self.thread.lock().take().and_then(|t| t.join().ok())
    }
}
impl Drop for Archiving {
    fn drop(&mut self) {
        drop(self.stop());
    }
}
