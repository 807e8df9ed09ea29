//! A base backup: a pinned checkpoint's pages, and the log from there up to where the pages reach, beside the server at work.
//!
//! ```text
//!   pin a checkpoint ─► superblock, pages.000000, pages.000001 ... ─► log.000000 ... up to its reach ─► manifest
//!        │                                                                                                  │
//!        └── slots and log stay ──────────────────────────────────────────────────────────────── given back ┘
//! ```
//! The name under `base/` is the time at which the checkpoint was pinned, and a random number: two backups never share one, and they sort by their age.
//!
//! Nothing of the server waits for it: pages are read past the cache, at the pace of the store (`--max-rate`), with one object in memory.
use crate::SystemId;
use crate::manifest::{self, LOG, MANIFEST, Manifest, Object, PAGES, SUPERBLOCK, numbered};
use crate::piece::{PIECE_BYTES, Piece};
use crate::plant::{self, Bug};
use crate::source::{Pinned, Source};
use crate::store::Store;
use pamir_cluster::identity::hex;
use pamir_error::{Result, bail, err};
use pamir_storage::platform::Platform;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Pages in one object.
const OBJECT_PAGES: usize = 1024;
/// The log position that a restored directory begins at: its log is a new one.
pub const FIRST_LSN: u64 = 0;
/// How long a backup waits for large commits to end, whose parts a checkpoint would need.
const PIN_PATIENCE: Duration = Duration::from_secs(120);
const PIN_PAUSE: Duration = Duration::from_millis(100);

/// Bytes of pages copied a second, unless told otherwise: a disk that a leader's log shares is left the most of.
pub const DEFAULT_RATE: u64 = 32 << 20;

/// How far a backup is, for those who look on (pg_stat_progress_basebackup).
#[derive(Default, Debug)]
pub struct Progress {
    phase: AtomicU8,
    pub total: AtomicU64,
    pub streamed: AtomicU64,
}
const PHASES: [&str; 4] =
    ["waiting for checkpoint to finish", "streaming database files", "transferring wal files", "writing manifest"];
impl Progress {
    /// In PostgreSQL's words.
    pub fn phase(&self) -> &'static str {
        PHASES.get(usize::from(self.phase.load(Ordering::Relaxed))).copied().unwrap_or_default()
    }
    fn enter(&self, phase: u8) {
        self.phase.store(phase, Ordering::Relaxed);
    }
}

/// Where a system's base backups are.
pub fn folder(system: &SystemId) -> String {
    format!("{}/base/", hex(system))
}

/// Makes a base backup. Returns its id. After an error nothing counts as a backup: what was written is pruned in time.
pub fn create(
    store: &Store,
    source: &dyn Source,
    platform: &dyn Platform,
    progress: &Progress,
) -> Result<(String, Manifest)> {
    progress.enter(0);
    let pinned = pin(store, source)?;
    let taken = source.time();
    let mut chance = [0; 4];
    platform.random(&mut chance)?;
    let id = format!("{taken:016}-{:08x}", u32::from_le_bytes(chance));
    let path = format!("{}{id}/", folder(&source.system()));
    let image_bytes = pinned.image.len() as u64 * pamir_storage::store::image::IMAGE_PAGE as u64;
    progress.total.store(image_bytes, Ordering::Relaxed);
    progress.enter(1);
    let mut objects = Vec::new();
    let mut put = |name: String, bytes: &[u8]| -> Result<()> {
        store.put(&format!("{path}{name}"), bytes)?;
        progress.streamed.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        objects.push(Object::of(name, bytes));
        Ok(())
    };
    let mut pinned = pinned;
    if plant::has(Bug::ReachForgotten) {
        pinned.reach = pinned.from;
    }
    if plant::has(Bug::ManifestFirst) {
        store.put(&format!("{path}{MANIFEST}"), b"")?;
    }
    put(SUPERBLOCK.into(), &pinned.image.superblock(FIRST_LSN))?;
    let (mut from, mut n) = (0, 0);
    let mut buf = Vec::new();
    while from < pinned.image.len() {
        store.check_cancel()?;
        let to = (from + OBJECT_PAGES).min(pinned.image.len());
        buf.clear();
        pinned.image.read(from, to, &mut buf)?;
        put(numbered(PAGES, n), &buf)?;
        (from, n) = (to, n + 1);
    }
    progress.enter(2);
    put_log(store, source, &pinned, &mut put)?;
    progress.enter(3);
    let m = Manifest {
        system: source.system(),
        kind: source.kind(),
        server: env!("CARGO_PKG_VERSION").into(),
        taken,
        finished: source.time(),
        from: pinned.from,
        reach: pinned.reach,
        pages: pinned.image.len() as u64,
        objects,
    };
    let text = m.render();
    if text.len() > manifest::MOST_BYTES {
        bail!(PROGRAM_LIMIT_EXCEEDED, "the backup has too many objects for a manifest");
    }
    store.put(&format!("{path}{MANIFEST}"), text.as_bytes())?;
    Ok((id, m))
}
fn pin(store: &Store, source: &dyn Source) -> Result<Pinned> {
    let end = Instant::now() + PIN_PATIENCE;
    loop {
        store.check_cancel()?;
        if let Some(p) = source.pin()? {
            return Ok(p);
        }
        if Instant::now() >= end {
            return Err(err!(
                OBJECT_IN_USE,
                "large transactions were committed one after the other, and no checkpoint was without one"
            )
            .hint("Try again when there is less of them."));
        }
        std::thread::sleep(PIN_PAUSE);
    }
}
/// What stands behind the checkpoint, up to its reach.
fn put_log(
    store: &Store,
    source: &dyn Source,
    pinned: &Pinned,
    put: &mut dyn FnMut(String, &[u8]) -> Result<()>,
) -> Result<()> {
    let (mut at, mut n) = (pinned.from, 0);
    let mut piece = Piece::new(source.kind(), source.system(), at);
    while at.position < pinned.reach.position {
        store.check_cancel()?;
        let items = source.read(at, pinned.reach.position, PIECE_BYTES)?;
        let Some(last) = items.last() else {
            bail!(
                DATA_CORRUPTED,
                "the log ends at {}, before the checkpoint's reach {}",
                at.position,
                pinned.reach.position
            )
        };
        at = last.place;
        items.iter().for_each(|i| piece.push(i));
        if piece.size() >= PIECE_BYTES {
            let full = std::mem::replace(&mut piece, Piece::new(source.kind(), source.system(), at));
            put(numbered(LOG, n), &full.finish(0).1)?;
            n += 1;
        }
    }
    if !piece.is_empty() {
        put(numbered(LOG, n), &piece.finish(0).1)?;
    }
    Ok(())
}
