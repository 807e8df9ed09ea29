//! A data directory made of a base backup and the archived log, as the system was at a point in time.
//!
//! ```text
//!   choose: the newest base backup at or before the target
//!   pamir.restore (a mark: no server opens the directory) ─► pages ─► a new log: the backup's, then the archive's, up to the target ─► pamir.system
//!     ─► superblock ─► opened and closed once: replayed, checkpointed, a single node's ─► mark removed
//! ```
//! The directory is a single node's, whatever its parent was; `pamir start --node-addr` makes it a cluster of one, which others join. It is a new system (`system.rs`).
//!
//! **Where it ends.** A target time: behind the last batch (entry) that was stamped at or before it. A position: behind the record or entry that ends there, or the last before it. The newest
//! there is. Never before the base backup's reach. What the target needs and the store does not have is an error, and so is a gap in the archive: nothing is left out in silence.
//!
//! *Invariants*: a kill at any step leaves a directory that no server opens; items are applied in order, each once, without a gap.
//!
//! Limits: the log from the base backup to the target is written to the directory before it is replayed, so both need room; memory: one object, and [`CACHE`].
use crate::archive::{self, belongs};
use crate::base::{self, FIRST_LSN};
use crate::manifest::{LOG, MANIFEST, MOST_BYTES, Manifest, Object, PAGES, SUPERBLOCK};
use crate::piece::{self, Head, Item};
use crate::plant::{self, Bug};
use crate::store::Store;
use crate::system::System;
use crate::{Kind, Place, SystemId};
use pamir_cluster::identity::{hex, unhex};
use pamir_error::{Result, bail, err};
use pamir_storage::disk::Disk;
use pamir_storage::log::{Log, LogOptions};
use pamir_storage::platform::Real;
use pamir_storage::store::image::ImageWriter;
use pamir_storage::store::{DATA_FILE, replace_superblock};
use pamir_txn::{RESTORE_FILE, Shard, ShardOptions};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Memory for pages while the log is replayed.
pub const CACHE: u64 = 256 << 20;
/// Bytes of log between two syncs.
const SYNC_BYTES: usize = 64 << 20;
/// What file systems put into an empty directory themselves.
const LOST_AND_FOUND: &str = "lost+found";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// All that is there.
    Latest,
    /// Microseconds since 1970.
    Time(i64),
    Position(u64),
}

/// What was restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    pub backup: String,
    pub parent: SystemId,
    pub system: SystemId,
    /// The place in the parent's log.
    pub at: Place,
    /// The newest time that the log said up to there (microseconds since 1970); 0: none.
    pub time: i64,
    pub items: u64,
}

/// The systems that a store has backups of.
pub fn systems(store: &Store) -> Result<Vec<SystemId>> {
    let all = store.list("")?;
    let ids: BTreeSet<SystemId> = all.iter().filter_map(|(n, _)| unhex(n.split('/').next()?)).collect();
    Ok(ids.into_iter().collect())
}
/// The one that is named, or the only one.
pub fn choose_system(store: &Store, named: Option<SystemId>) -> Result<SystemId> {
    let all = systems(store)?;
    let list = || all.iter().map(hex).collect::<Vec<_>>().join(", ");
    match named {
        Some(id) if all.contains(&id) => Ok(id),
        Some(id) => Err(err!(UNDEFINED_OBJECT, "there is no system {} in {}", hex(&id), store.describe())
            .detail(format!("There are: {}", list()))),
        None => match all.as_slice() {
            [] => bail!(UNDEFINED_OBJECT, "there is no backup in {}", store.describe()),
            [one] => Ok(*one),
            _ => Err(err!(INVALID_PARAMETER_VALUE, "{} has backups of several systems", store.describe())
                .detail(format!("They are: {}", list()))
                .hint("Name one with --system.")),
        },
    }
}
/// A system's backups with a manifest, oldest first: id and manifest, or why it cannot be read.
pub fn backups(store: &Store, system: &SystemId) -> Result<Vec<(String, Result<Manifest>)>> {
    let folder = base::folder(system);
    let mut out = Vec::new();
    for (name, len) in store.list(&folder)? {
        let Some((id, file)) = name.strip_prefix(&folder).and_then(|n| n.split_once('/')) else { continue };
        if file == MANIFEST {
            out.push((id.to_string(), read_manifest(store, system, &name, len)));
        }
    }
    Ok(out)
}
fn read_manifest(store: &Store, system: &SystemId, name: &str, len: u64) -> Result<Manifest> {
    if len > MOST_BYTES as u64 {
        bail!(DATA_CORRUPTED, "object \"{name}\" is no manifest of a backup: it is too long");
    }
    let m = Manifest::read(name, &store.get(name)?)?;
    if m.system != *system {
        return Err(err!(DATA_CORRUPTED, "object \"{name}\" is of another system")
            .detail(format!("It says {}.", hex(&m.system))));
    }
    Ok(m)
}

/// The log of a backup and what the archive has behind it, in order.
pub struct Walk<'a> {
    store: &'a Store,
    system: SystemId,
    kind: Kind,
    /// Everything up to here has been handed out.
    pub at: Place,
    /// The newest time so far.
    pub time: i64,
    /// Nothing was durable at that time that is not before `at`.
    until: i64,
}
/// Why a walk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// What comes next is beyond the target.
    Target,
    /// There is no more.
    Archive,
    /// The archive goes on behind this position only.
    Gap(u64),
}
impl<'a> Walk<'a> {
    pub fn new(store: &'a Store, m: &Manifest) -> Walk<'a> {
        Walk { store, system: m.system, kind: m.kind, at: m.from, time: 0, until: 0 }
    }
    /// Is the item beyond the target?
    fn is_beyond(target: Target, reach: u64, item: &Item) -> bool {
        match target {
            _ if item.place.position <= reach => false,
            Target::Latest => false,
            Target::Position(p) => item.place.position > p,
            Target::Time(t) if plant::has(Bug::TimePassed) => item.time > t + 40_000,
            Target::Time(t) if plant::has(Bug::TimeNotReached) => item.time > t - 40_000,
            Target::Time(t) => item.time > t,
        }
    }
    /// Hands out what of a piece is new and not beyond the target. False: the target is reached.
    fn piece(
        &mut self,
        name: &str,
        bytes: &[u8],
        target: Target,
        reach: u64,
        each: &mut dyn FnMut(&Item) -> Result<()>,
    ) -> Result<bool> {
        let (head, items) = piece::read(name, bytes)?;
        self.fits(name, &head)?;
        for item in &items {
            if item.place.position <= self.at.position {
                continue;
            }
            if item.place.term < self.at.term
                || (self.kind == Kind::Group && item.place.position != self.at.position + 1)
            {
                bail!(
                    DATA_CORRUPTED,
                    "object \"{name}\" does not follow what is before it: entry {} of term {} behind entry {} of term {}",
                    item.place.position,
                    item.place.term,
                    self.at.position,
                    self.at.term
                );
            }
            if Walk::is_beyond(target, reach, item) {
                return Ok(false);
            }
            each(item)?;
            self.at = item.place;
            self.time = self.time.max(item.time);
        }
        self.until = self.until.max(head.until).max(head.last);
        Ok(true)
    }
    fn fits(&self, name: &str, head: &Head) -> Result<()> {
        if (head.system != self.system && !plant::has(Bug::SystemIgnored)) || head.kind != self.kind {
            return Err(err!(DATA_CORRUPTED, "object \"{name}\" is of another system or kind of log").detail(format!(
                "It is a {} system's, {}.",
                head.kind.name(),
                hex(&head.system)
            )));
        }
        Ok(())
    }
    /// The backup's own log.
    pub fn base(&mut self, path: &str, m: &Manifest, each: &mut dyn FnMut(&Item) -> Result<()>) -> Result<()> {
        for o in m.named(LOG) {
            let bytes = object(self.store, path, o)?;
            self.piece(&format!("{path}{}", o.name), &bytes, Target::Latest, m.reach.position, each)?;
        }
        if self.at.position < m.reach.position {
            bail!(
                DATA_CORRUPTED,
                "the log of backup \"{path}\" ends at {}, before its reach {}",
                self.at.position,
                m.reach.position
            );
        }
        Ok(())
    }
    /// What the archive has behind it.
    pub fn archive(&mut self, target: Target, reach: u64, each: &mut dyn FnMut(&Item) -> Result<()>) -> Result<End> {
        let all = archive::pieces(self.store, &self.system)?;
        // The newest that begins at or before where we are.
        let first = all.partition_point(|from| *from <= self.at.position).saturating_sub(1);
        for from in all.into_iter().skip(first) {
            if from > self.at.position && plant::has(Bug::GapPassed) {
                self.at.position = from;
            }
            if from > self.at.position {
                return Ok(End::Gap(from));
            }
            let name = archive::name(&self.system, from);
            let bytes = self.store.get(&name)?;
            belongs(&name, &Head::decode(&name, &bytes)?, &self.system, from)?;
            if !self.piece(&name, &bytes, target, reach, each)? {
                return Ok(End::Target);
            }
        }
        Ok(End::Archive)
    }
    /// Is the target reached, where the walk ended so?
    pub fn arrived(&self, end: End, target: Target) -> Result<()> {
        let gap = |from: u64| {
            err!(UNDEFINED_OBJECT, "the archive has a gap: nothing between position {} and {from}", self.at.position)
                .hint(format!(
                    "Restore up to the gap with --to-lsn {}, or from a base backup behind it.",
                    self.at.position
                ))
        };
        match (target, end) {
            (_, End::Target) => Ok(()),
            (Target::Position(p), _) if self.at.position >= p => Ok(()),
            (Target::Time(t), _) if self.until >= t => Ok(()),
            (_, End::Gap(from)) => Err(gap(from)),
            (Target::Latest, End::Archive) => Ok(()),
            (Target::Position(_), End::Archive) => {
                Err(err!(UNDEFINED_OBJECT, "the archive ends at position {}, before the target", self.at.position)
                    .hint("Restore all there is with --latest."))
            }
            (Target::Time(_), End::Archive) => Err(err!(UNDEFINED_OBJECT, "the archive ends before the target time")
                .detail(format!("It is known to be whole up to {} (microseconds since 1970).", self.until))
                .hint("Restore all there is with --latest.")),
        }
    }
}
/// An object of a backup, as its manifest has it.
pub fn object(store: &Store, path: &str, o: &Object) -> Result<Vec<u8>> {
    let name = format!("{path}{}", o.name);
    let bytes = store.get(&name)?;
    if !o.is(&bytes) && !plant::has(Bug::ChecksumIgnored) {
        return Err(err!(DATA_CORRUPTED, "object \"{name}\" is damaged")
            .detail(format!("It has {} bytes, its manifest says {}, or its checksum is another.", bytes.len(), o.len))
            .hint("Restore from another base backup (--backup)."));
    }
    Ok(bytes)
}

/// The newest backup at or before the target, or the one that is named.
pub fn choose_backup(
    store: &Store,
    system: &SystemId,
    target: Target,
    named: Option<&str>,
) -> Result<(String, Manifest)> {
    let all = backups(store, system)?;
    if let Some(id) = named {
        let found = all.into_iter().find(|(i, _)| i == id);
        let Some((id, m)) = found else {
            bail!(UNDEFINED_OBJECT, "there is no backup \"{id}\" of system {} in {}", hex(system), store.describe())
        };
        return m.map(|m| (id, m));
    }
    let fits = |m: &Manifest| match target {
        Target::Latest => true,
        Target::Time(t) => m.taken <= t,
        Target::Position(p) => m.reach.position <= p,
    };
    let mut broken = None;
    for (id, m) in all.into_iter().rev() {
        match m {
            Ok(m) if fits(&m) => {
                if let Some(e) = broken {
                    tracing::warn!(error = %e, "a newer backup cannot be read");
                }
                return Ok((id, m));
            }
            Ok(_) => {}
            Err(e) => broken = Some(e),
        }
    }
    Err(broken.unwrap_or_else(|| {
        err!(UNDEFINED_OBJECT, "there is no base backup at or before the target in {}", store.describe())
            .hint("See pamir backup list.")
    }))
}

/// Restores into an empty directory, with a log of segments of so many bytes. `say` tells people how far it is.
pub fn restore(
    store: &Store,
    system: Option<SystemId>,
    backup: Option<&str>,
    target: Target,
    disk: &Arc<dyn Disk>,
    segment_size: u64,
    say: &dyn Fn(&str),
) -> Result<Restored> {
    let system = choose_system(store, system)?;
    let (id, m) = choose_backup(store, &system, target, backup)?;
    let path = format!("{}{id}/", base::folder(&system));
    empty(&**disk)?;
    disk.open(RESTORE_FILE, true)?.sync()?;
    if plant::has(Bug::NoRestoreMark) {
        disk.remove(RESTORE_FILE)?;
    }
    disk.sync_dir()?;
    say(&format!("restoring backup {id}: {} pages", m.pages));
    let superblock = put_pages(store, &path, &m, &**disk)?;
    let mut log = Log::open(disk.clone(), LogOptions { segment_size }, FIRST_LSN, &mut |_, _| Ok(()))?;
    let (mut items, mut unsynced) = (0, 0);
    let mut walk = Walk::new(store, &m);
    let end = {
        let mut each = |item: &Item| -> Result<()> {
            for r in &item.records {
                log.append(r)?;
                unsynced += r.len();
            }
            items += 1;
            if unsynced >= SYNC_BYTES {
                unsynced = 0;
                log.sync()?;
            }
            Ok(())
        };
        walk.base(&path, &m, &mut each)?;
        walk.archive(target, m.reach.position, &mut each)?
    };
    walk.arrived(end, target)?;
    log.sync()?;
    drop(log);
    say(&format!("replaying the log up to position {}", walk.at.position));
    let new = System::draw(&Real, Some((system, walk.at.position)))?;
    new.write(&**disk)?;
    replace_superblock(&**disk, &superblock)?;
    let options = ShardOptions {
        cache_size: CACHE,
        io_threads: 0,
        log_segment_size: segment_size,
        adopt: true,
        ..ShardOptions::default()
    };
    let shard = Shard::open_stepped(disk.clone(), options)?;
    shard.close()?;
    drop(shard);
    if disk.exists(RESTORE_FILE)? {
        disk.remove(RESTORE_FILE)?;
    }
    disk.sync_dir()?;
    Ok(Restored { backup: id, parent: system, system: new.id, at: walk.at, time: walk.time, items })
}
fn empty(disk: &dyn Disk) -> Result<()> {
    if let Some(name) = disk.list()?.into_iter().find(|n| n != LOST_AND_FOUND) {
        return Err(err!(OBJECT_NOT_IN_PREREQUISITE_STATE, "the directory is not empty: it holds \"{name}\"")
            .hint("Restore into an empty or new directory."));
    }
    Ok(())
}
/// Writes the data file; returns the superblock.
fn put_pages(store: &Store, path: &str, m: &Manifest, disk: &dyn Disk) -> Result<Vec<u8>> {
    let mut writer = ImageWriter::create(disk, DATA_FILE)?;
    let mut pages = 0;
    for o in m.named(PAGES) {
        let bytes = object(store, path, o)?;
        pages += (bytes.len() / pamir_storage::store::image::IMAGE_PAGE) as u64;
        writer.write(&bytes).map_err(|e| err!(DATA_CORRUPTED, "object \"{path}{}\": {}", o.name, e.message()))?;
    }
    if pages != m.pages {
        bail!(DATA_CORRUPTED, "backup \"{path}\" has {pages} pages, its manifest says {}", m.pages);
    }
    let Some(o) = m.named(SUPERBLOCK).next() else { bail!(DATA_CORRUPTED, "backup \"{path}\" has no superblock") };
    let superblock = object(store, path, o)?;
    writer.finish(&superblock)?;
    Ok(superblock)
}
