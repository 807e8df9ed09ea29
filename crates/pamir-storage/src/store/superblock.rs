//! The superblock: which checkpoint is current. File `pamir.super`, two copies of 4096 bytes; generation g is written to copy g % 2, so the
//! other one, with its checkpoint, stays intact whatever happens to the write.
//!
//! ```text
//! byte 0      8          12         16            24       32          40             48            56          64         72            80           88      96
//!      | magic | crc u32 | version  | generation  | lsn    | next pid  | next chain   | data slots  | map pages | map list | meta list   | meta bytes | reach | 0...
//! ```
//! *lsn* is the log position from which to replay, *reach* the one up to which pages may hold changes (see [`super::checkpoint`]). The crc covers bytes 12..4096. *map list* is the slot of the first blob page of the list of map page slots (u64 each), *meta list* that of the meta bytes;
//! 0 for none. A *blob* is a chain of pages of the data file, each naming the next slot (see [`super::page`]).
use super::mem::{PAGE_SIZE, PageBuf};
use super::page::*;
use super::pagemap::{MAX_PAGES, MAX_SLOT, MapEntry, Slots, byte_of};
use super::pool::Pool;
use crate::disk::{Disk, File, sync_point};
use crate::stats::timed;
use pamir_error::{Result, bail, err};

pub const SUPER_FILE: &str = "pamir.super";
pub const DATA_FILE: &str = "pamir.data";
/// The format of the directory: superblock, data file and pages.
pub const FORMAT_VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"PAMIRDB\n";
const COPY: usize = 4096;
/// Bytes of a blob page's body.
pub(crate) const BLOB_BODY: usize = PAGE_SIZE - HEADER;
/// Entries of a map page.
pub(crate) const MAP_ENTRIES: usize = (PAGE_SIZE - HEADER) / 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Superblock {
    pub generation: u64,
    pub lsn: u64,
    pub next_pid: u64,
    pub next_chain: u64,
    pub slots: u64,
    pub map_pages: u64,
    pub map_blob: u64,
    pub meta_blob: u64,
    pub meta_len: u64,
    pub reach: u64,
}
impl Superblock {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut b = vec![0u8; COPY];
        b[..8].copy_from_slice(&MAGIC);
        b[12..16].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        let fields = [
            self.generation,
            self.lsn,
            self.next_pid,
            self.next_chain,
            self.slots,
            self.map_pages,
            self.map_blob,
            self.meta_blob,
            self.meta_len,
            self.reach,
        ];
        for (i, f) in fields.iter().enumerate() {
            b[16 + 8 * i..24 + 8 * i].copy_from_slice(&f.to_le_bytes());
        }
        let crc = crc32fast::hash(&b[12..]);
        b[8..12].copy_from_slice(&crc.to_le_bytes());
        b
    }
    fn decode(b: &[u8]) -> Decoded {
        if b.len() < COPY || b[..8] != MAGIC {
            return Decoded::Foreign;
        }
        let u32_at = |i: usize| u32::from_le_bytes([b[i], b[i + 1], b[i + 2], b[i + 3]]);
        if u32_at(8) != crc32fast::hash(&b[12..COPY]) {
            return Decoded::Damaged;
        }
        if u32_at(12) != FORMAT_VERSION {
            return Decoded::Version(u32_at(12));
        }
        let f = |i: usize| u32_at(16 + 8 * i) as u64 | (u32_at(20 + 8 * i) as u64) << 32;
        Decoded::Good(Superblock {
            generation: f(0),
            lsn: f(1),
            next_pid: f(2),
            next_chain: f(3),
            slots: f(4),
            map_pages: f(5),
            map_blob: f(6),
            meta_blob: f(7),
            meta_len: f(8),
            reach: f(9),
        })
    }
}
/// One copy of a superblock, if it is intact and of this format.
pub(crate) fn decode(b: &[u8]) -> Option<Superblock> {
    match Superblock::decode(b) {
        Decoded::Good(s) => Some(s),
        _ => None,
    }
}
/// Puts a superblock in the place of whatever is there, under its name in one step: both copies are this one's.
pub fn replace(disk: &dyn Disk, superblock: &[u8]) -> Result<()> {
    let Some(_) = decode(superblock) else { bail!(DATA_CORRUPTED, "the superblock of an image is damaged") };
    let name = "pamir.super.new";
    let file = disk.open(name, true)?;
    file.allocate(2 * COPY as u64)?;
    file.write_at(superblock, 0)?;
    file.write_at(superblock, COPY as u64)?;
    file.sync_at(sync_point::CHECKPOINT_SUPER)?;
    disk.rename(name, SUPER_FILE)?;
    disk.sync_dir_at(sync_point::STORE_DIR)
}
/// Makes the checksum of a superblock copy right again.
pub(crate) fn reseal(b: &mut [u8]) {
    let crc = crc32fast::hash(&b[12..COPY]);
    b[8..12].copy_from_slice(&crc.to_le_bytes());
}
enum Decoded {
    Good(Superblock),
    Foreign,
    Damaged,
    Version(u32),
}

/// There while a store is being made: until it has superblock and log, a crash leaves a directory that begins anew.
const NEW_FILE: &str = "pamir.new";
/// Says which node of which cluster the directory is; written before there is a store (and under a longer name for a moment).
pub const NODE_FILE: &str = "pamir.node";
/// What file systems put into an empty directory themselves.
const LOST_AND_FOUND: &str = "lost+found";

/// Is the directory's store in the making, not yet known to have a log?
pub(crate) fn is_unfinished(disk: &dyn Disk) -> Result<bool> {
    disk.exists(NEW_FILE)
}
/// Before the first file of a new store. Nothing is ever made in a directory that holds files of a store, or anything else.
pub(crate) fn begin_new(disk: &dyn Disk) -> Result<()> {
    if !is_unfinished(disk)? {
        let ours =
            |n: &String| n.starts_with(crate::disk::TEMP_PREFIX) || n == LOST_AND_FOUND || n.starts_with(NODE_FILE);
        if let Some(name) = disk.list()?.into_iter().find(|n| !ours(n)) {
            return Err(err!(
                OBJECT_NOT_IN_PREREQUISITE_STATE,
                "the data directory is not empty and holds no database"
            )
            .detail(format!("It holds \"{name}\"."))
            .hint("Choose an empty or new directory with --data-dir, or empty this one."));
        }
        disk.open(NEW_FILE, true)?;
        disk.sync_dir_at(sync_point::STORE_DIR)?;
    }
    Ok(())
}
/// The new store has all its files.
pub(crate) fn end_new(disk: &dyn Disk) -> Result<()> {
    disk.remove(NEW_FILE)?;
    disk.sync_dir_at(sync_point::STORE_DIR)
}

/// The newest intact superblock; None in a directory that holds no store, or one that was never finished.
pub(crate) fn read(disk: &dyn Disk) -> Result<Option<Superblock>> {
    if !disk.exists(SUPER_FILE)? {
        let unfinished = is_unfinished(disk)?;
        for name in disk.list()? {
            let what = match name.as_str() {
                DATA_FILE if !unfinished => "pages",
                n if n.starts_with(crate::log::SEGMENT_PREFIX) => "a log",
                _ => continue,
            };
            return Err(err!(DATA_CORRUPTED, "the data directory has {what} but no \"{SUPER_FILE}\"")
                .hint("The directory is damaged: restore the missing file or the whole directory from a backup."));
        }
        return Ok(None);
    }
    let file = disk.open(SUPER_FILE, false)?;
    let mut b = vec![0u8; 2 * COPY];
    let n = read_full(&*file, &mut b)?;
    let copies = [Superblock::decode(&b[..COPY.min(n)]), Superblock::decode(&b[COPY.min(n)..n])];
    let mut best: Option<Superblock> = None;
    for c in &copies {
        match c {
            Decoded::Version(v) => {
                return Err(err!(
                    OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "the data directory has format version {v}, which this server does not know"
                )
                .detail(format!("This server reads and writes format version {FORMAT_VERSION}."))
                .hint("Start the server version that wrote it, or choose another directory with --data-dir."));
            }
            Decoded::Good(s) if best.is_none_or(|b| b.generation < s.generation) => best = Some(*s),
            _ => {}
        }
    }
    match best {
        Some(s) => Ok(Some(s)),
        None if copies.iter().all(|c| matches!(c, Decoded::Foreign)) => {
            Err(err!(DATA_CORRUPTED, "\"{SUPER_FILE}\" is not a Pamir superblock")
                .hint("The directory belongs to another program or is damaged: choose another with --data-dir, or restore a backup."))
        }
        None => Err(err!(DATA_CORRUPTED, "both copies of the superblock in \"{SUPER_FILE}\" are damaged")
            .hint("Restore the data directory from a backup or a replica.")),
    }
}
fn read_full(file: &dyn File, b: &mut [u8]) -> Result<usize> {
    let mut n = 0;
    while n < b.len() {
        match file.read_at(&mut b[n..], n as u64)? {
            0 => break,
            k => n += k,
        }
    }
    Ok(n)
}
/// Writes and syncs the copy of its generation; `first` creates the file under its name in one step.
pub(crate) fn write(disk: &dyn Disk, pool: &Pool, s: &Superblock, first: bool) -> Result<()> {
    let b = s.encode();
    let sync = |f: &dyn File| {
        timed(&pool.stats.data_syncs, &pool.stats.data_sync_micros, || f.sync_at(sync_point::CHECKPOINT_SUPER))
    };
    if first {
        let name = "pamir.super.new";
        let file = disk.open(name, true)?;
        // both copies allocated: on a full disk neither may be refused later
        file.allocate(2 * COPY as u64)?;
        file.write_at(&b, (s.generation % 2) * COPY as u64)?;
        sync(&*file)?;
        disk.rename(name, SUPER_FILE)?;
        return disk.sync_dir_at(sync_point::STORE_DIR);
    }
    let file = disk.open(SUPER_FILE, false)?;
    file.write_at(&b, (s.generation % 2) * COPY as u64)?;
    sync(&*file)
}

/// Makes durable what [`read`] found, before anything is built on it.
pub(crate) fn settle(disk: &dyn Disk) -> Result<()> {
    disk.open(SUPER_FILE, false)?.sync_at(sync_point::STORE_RECOVER)?;
    disk.sync_dir_at(sync_point::STORE_RECOVER_DIR)
}

/// Images of a blob, chained, for slots handed out by `slot`.
pub(crate) fn blob_pages(
    bytes: &[u8],
    generation: u64,
    slot: &mut dyn FnMut() -> Result<u64>,
) -> Result<Vec<(u64, Box<PageBuf>)>> {
    let mut out: Vec<(u64, Box<PageBuf>)> = Vec::new();
    for chunk in bytes.chunks(BLOB_BODY) {
        let s = slot()?;
        let mut p = PageBuf::boxed();
        p.bytes_mut()[HEADER..HEADER + chunk.len()].copy_from_slice(chunk);
        p.0[0] = word0(KIND_BLOB, 0);
        p.0[1] = s;
        p.0[3] = chunk.len() as u64;
        p.0[4] = generation;
        if let Some((_, last)) = out.last_mut() {
            last.0[5] = s;
        }
        out.push((s, p));
    }
    Ok(out)
}
/// The bytes of a blob and its slots.
pub(crate) fn read_blob(pool: &Pool, first: u64, len: u64) -> Result<(Vec<u8>, Vec<u64>)> {
    let (mut bytes, mut slots) = (Vec::new(), Vec::new());
    let mut buf = PageBuf::boxed();
    let mut slot = first;
    while (bytes.len() as u64) < len {
        pool.read_slot(slot, &mut buf)?;
        let n = buf.0[3] as usize;
        let what = verify(&buf, slot, 0).or_else(|| {
            (kind_of(&*buf) != KIND_BLOB || n == 0 || n > BLOB_BODY).then(|| "it is not part of a list".to_string())
        });
        if slot == 0 || what.is_some() {
            bail!(
                DATA_CORRUPTED,
                "invalid page at byte {} of \"{DATA_FILE}\", part of the checkpoint's lists: {}",
                byte_of(slot),
                what.unwrap_or_default()
            );
        }
        bytes.extend_from_slice(&buf.bytes()[HEADER..HEADER + n]);
        slots.push(slot);
        slot = buf.0[5];
    }
    bytes.truncate(len as usize);
    Ok((bytes, slots))
}

/// The image of map page `index`.
pub(crate) fn map_page(
    index: u64,
    generation: u64,
    slot: u64,
    entries: impl Iterator<Item = MapEntry>,
) -> Box<PageBuf> {
    let mut p = PageBuf::boxed();
    p.0[0] = word0(KIND_MAP, 0);
    p.0[1] = slot;
    p.0[3] = index;
    p.0[4] = generation;
    for (i, e) in entries.take(MAP_ENTRIES).enumerate() {
        p.0[HEADER / 8 + 2 * i] = e.place;
        p.0[HEADER / 8 + 2 * i + 1] = e.tree;
    }
    p
}

/// Before anything is allocated for what the superblock says: it fits the data file that is there.
fn plausible(pool: &Pool, s: &Superblock) -> Result<()> {
    let len = pool.file.len()?;
    let data = byte_of(s.slots);
    if s.slots > MAX_SLOT || data > len {
        return Err(err!(DATA_CORRUPTED, "\"{DATA_FILE}\" is shorter than the newest checkpoint")
            .detail(format!("It has {len} bytes, the checkpoint {data}."))
            .hint(
                "The file was cut or is another directory's. Restore the data directory from a backup or a replica.",
            ));
    }
    // Each map page has a slot of its own, and so has each page of the lists.
    let entries = s.map_pages.saturating_mul(MAP_ENTRIES as u64);
    if s.map_pages > s.slots || s.next_pid > entries.min(MAX_PAGES) || s.meta_len > data {
        return Err(err!(DATA_CORRUPTED, "the superblock in \"{SUPER_FILE}\" contradicts itself")
            .hint("Restore the data directory from a backup or a replica."));
    }
    Ok(())
}

/// Reads the checkpoint's map into the pool: table, durable map, slots, free ids. Returns the meta bytes.
pub(crate) fn load_map(pool: &Pool, s: &Superblock) -> Result<Vec<u8>> {
    plausible(pool, s)?;
    let (list, mut blobs) = read_blob(pool, s.map_blob, s.map_pages * 8)?;
    let (meta, more) = read_blob(pool, s.meta_blob, s.meta_len)?;
    blobs.extend(more);
    let mut g = pool.lock_inner();
    g.slots = Slots::new(s.slots);
    let mut entries: Vec<MapEntry> = Vec::new();
    let mut map = Vec::new();
    let mut buf = PageBuf::boxed();
    for (index, c) in list.chunks_exact(8).enumerate() {
        let slot = u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
        pool.read_slot(slot, &mut buf)?;
        let what = verify(&buf, slot, 0).or_else(|| {
            (kind_of(&*buf) != KIND_MAP || buf.0[3] != index as u64).then(|| "it is not that map page".into())
        });
        if let Some(what) = what {
            return Err(err!(
                DATA_CORRUPTED,
                "invalid page {index} of the page map at byte {} of \"{DATA_FILE}\": {what}",
                byte_of(slot)
            )
            .hint("Restore the data directory from a backup or a replica."));
        }
        map.push(slot);
        for i in 0..MAP_ENTRIES {
            entries.push(MapEntry { place: buf.0[HEADER / 8 + 2 * i], tree: buf.0[HEADER / 8 + 2 * i + 1] });
        }
    }
    entries.truncate(s.next_pid as usize);
    for slot in map.iter().chain(&blobs) {
        if !g.slots.mark(*slot) {
            bail!(DATA_CORRUPTED, "slot {slot} of \"{DATA_FILE}\" is in use twice");
        }
    }
    for (pid, e) in entries.iter().enumerate() {
        pool.table.grow(pid as u64)?;
        if e.is_free() {
            if pid > 0 {
                g.free_pids.push(pid as u64);
            }
            continue;
        }
        if !g.slots.mark(e.slot()) {
            bail!(
                DATA_CORRUPTED,
                "page {pid} of tree {}: slot {} of \"{DATA_FILE}\" is in use twice or beyond the end",
                e.tree,
                e.slot()
            );
        }
        pool.row(pid as u64)?.set(*e);
    }
    g.free_pids.reverse();
    g.next_pid = s.next_pid;
    g.next_chain = s.next_chain;
    g.durable.entries = entries;
    g.durable.map = map;
    g.durable.blobs = blobs;
    g.durable.generation = s.generation;
    Ok(meta)
}
