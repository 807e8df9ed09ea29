//! Large objects as functions and statements have them: descriptors that a transaction has open, and what is done with an object's bytes.
//!
//! ```text
//!   lo_open(oid, INV_READ)   --> Descriptor { at: 0, seen: Some(snapshot) }    reads what was there when it was opened
//!   lo_open(oid, INV_WRITE)  --> Descriptor { at: 0, seen: None }              reads the newest state, its own transaction's writes in it; holds the object's entry
//!   loread, lowrite          --> Object { database, oid, seen }                pages of the tree (pamir_catalog::large_object)
//! ```
//! A write takes the page's lock and changes its newest version, as an UPDATE of a row at READ COMMITTED would; nothing of an isolation level is asked, as in PostgreSQL, whose descriptors for writing read the newest state
//! too. At SERIALIZABLE reads lock what they read.
//!
//! Invariants: a descriptor is not used after the end of the subtransaction that opened it, if that was rolled back; otherwise it becomes its parent's. Loops charge their work page by page; a result's bytes are asked for
//! before they are taken.
//!
//! Limits: what a read gives is a bytea: less than a gigabyte.
use pamir_catalog::large_object::{self as lo, MAX_SIZE, Metadata, PAGE, TREE};
use pamir_txn::{Dir, Held, Isolation, Keys, RowLock, Scan, Snapshot, Txn, Until};
use pamir_types::{Error, Oid, Result, bail, err, long, memory, work};

/// A bytea's greatest length.
const MAX_READ: usize = (1 << 30) - 1 - 4;
/// Keys that are gathered before they are deleted, or asked for ahead.
const BATCH: usize = 512;
/// What a descriptor is charged with, its snapshot among it.
pub const DESCRIPTOR_BYTES: u64 = 256;

/// An open large object.
pub struct Descriptor {
    pub oid: Oid,
    pub writes: bool,
    /// The next byte.
    pub at: i64,
    /// What it reads through; None: the newest state.
    pub seen: Option<Snapshot>,
    /// How deep in subtransactions it was opened.
    depth: usize,
    _held: Held,
}
/// What a transaction has open, by number.
#[derive(Default)]
pub struct Descriptors {
    list: Vec<Option<Descriptor>>,
    /// Subtransactions under way.
    pub depth: usize,
}
impl Descriptors {
    /// The lowest number that is free is the new one's.
    pub fn open(&mut self, oid: Oid, writes: bool, seen: Option<Snapshot>, held: Held) -> i32 {
        let d = Descriptor { oid, writes, at: 0, seen, depth: self.depth, _held: held };
        let free = self.list.iter().position(Option::is_none);
        let at = free.unwrap_or(self.list.len());
        match self.list.get_mut(at) {
            Some(slot) => *slot = Some(d),
            None => self.list.push(Some(d)),
        }
        at as i32
    }
    /// 42704 for a number that is not open.
    pub fn get(&mut self, fd: i32) -> Result<&mut Descriptor> {
        let slot = usize::try_from(fd).ok().and_then(|i| self.list.get_mut(i));
        slot.and_then(Option::as_mut).ok_or_else(|| invalid(fd))
    }
    pub fn close(&mut self, fd: i32) -> Result<()> {
        self.get(fd)?;
        if let Some(slot) = usize::try_from(fd).ok().and_then(|i| self.list.get_mut(i)) {
            *slot = None;
        }
        Ok(())
    }
    /// An object goes: those that have it open close.
    pub fn forget(&mut self, oid: Oid) {
        self.close_if(|d| d.oid == oid);
    }
    /// What was opened deeper than this was rolled back.
    pub fn roll_back_to(&mut self, depth: usize) {
        self.close_if(|d| d.depth > depth);
    }
    /// ... has come to its end and is this one's.
    pub fn release_to(&mut self, depth: usize) {
        self.list.iter_mut().flatten().for_each(|d| d.depth = d.depth.min(depth));
    }
    /// The transaction is over.
    pub fn clear(&mut self) {
        self.list = Vec::new();
    }
    fn close_if(&mut self, gone: impl Fn(&Descriptor) -> bool) {
        self.list.iter_mut().filter(|d| d.as_ref().is_some_and(&gone)).for_each(|d| *d = None);
    }
}
fn invalid(fd: i32) -> Error {
    err!(UNDEFINED_OBJECT, "invalid large-object descriptor: {fd}")
}
/// 42704 for an object that is not there.
pub fn absent(oid: Oid) -> Error {
    err!(UNDEFINED_OBJECT, "large object {oid} does not exist")
}

/// An object's place, and through what it is seen.
pub struct Object<'a> {
    pub txn: &'a Txn,
    pub database: Oid,
    pub oid: Oid,
    seen: Option<Snapshot>,
}
impl<'a> Object<'a> {
    /// As a snapshot sees it.
    pub fn seen(txn: &'a Txn, database: Oid, oid: Oid, seen: Snapshot) -> Object<'a> {
        Object { txn, database, oid, seen: Some(seen) }
    }
    /// In its newest state; at SERIALIZABLE what is read is locked, which a snapshot's reads do.
    pub fn newest(txn: &'a Txn, database: Oid, oid: Oid) -> Object<'a> {
        let seen = (txn.isolation() == Isolation::Serializable).then(|| txn.statement());
        Object { txn, database, oid, seen }
    }
    pub fn of(txn: &'a Txn, database: Oid, d: &Descriptor) -> Object<'a> {
        match &d.seen {
            Some(s) => Object::seen(txn, database, d.oid, s.clone()),
            None => Object::newest(txn, database, d.oid),
        }
    }

    fn key(&self) -> Vec<u8> {
        lo::key(self.database, self.oid)
    }
    fn page_key(&self, page: u32) -> Vec<u8> {
        lo::page_key(self.database, self.oid, page)
    }
    fn scan(&self, (from, to): &lo::Range, dir: Dir) -> Result<Scan> {
        match &self.seen {
            Some(s) => self.txn.scan(s, TREE, from, Some(to), dir),
            None => self.txn.scan_latest(TREE, from, Some(to), dir),
        }
    }

    /// What is kept of it; None: it is not there.
    pub fn metadata(&self) -> Result<Option<Metadata>> {
        let mut value = Vec::new();
        let there = match &self.seen {
            Some(s) => self.txn.get(s, TREE, &self.key(), &mut value)?,
            None => self.txn.get_latest(TREE, &self.key(), &mut value)?.exists,
        };
        there.then(|| Metadata::decode(&value)).transpose()
    }
    /// The same, locked, in its newest state; 42704 where it is not there.
    pub fn claim(&self, mode: RowLock) -> Result<Metadata> {
        let mut value = Vec::new();
        match self.txn.claim(TREE, &self.key(), mode, &mut value)?.exists {
            true => Metadata::decode(&value),
            false => Err(absent(self.oid)),
        }
    }
    /// Is there none of this number, and none in the making? It is claimed then.
    pub fn is_free(&self) -> Result<bool> {
        Ok(!self.txn.claim(TREE, &self.key(), RowLock::Update, &mut Vec::new())?.exists)
    }
    /// To be called with it claimed.
    pub fn put(&self, m: &Metadata) -> Result<()> {
        self.txn.put(TREE, &self.key(), &m.encode()?)
    }
    /// With its pages. To be called with it claimed.
    pub fn remove(&self) -> Result<()> {
        self.txn.delete(TREE, &self.key())?;
        self.delete_pages(0)
    }

    /// How many bytes it has.
    pub fn size(&self) -> Result<i64> {
        let mut scan = self.scan(&lo::pages_from(self.database, self.oid, 0), Dir::Backward)?;
        match scan.next(self.txn)? {
            Some((k, v)) => Ok(page_of(k)? * PAGE as i64 + lo::page_bytes(v)?.len() as i64),
            None => Ok(0),
        }
    }
    /// Up to `len` bytes from a place on.
    pub fn read(&self, at: i64, len: usize) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.read_into(at, len, &mut out)?;
        Ok(out)
    }
    fn read_into(&self, at: i64, len: usize, out: &mut Vec<u8>) -> Result<()> {
        let Ok(first) = u32::try_from(at / PAGE as i64) else { return Ok(()) };
        let (from, behind) = lo::pages_from(self.database, self.oid, first);
        // The bytes up to here are in `out`.
        let (mut next, end) = (at, at + len as i64);
        // The pages that are asked for; then any behind them, before which all is there.
        let last = u32::try_from(end / PAGE as i64 + 1).map_or(behind.clone(), |p| self.page_key(p));
        for range in [(from, last.clone()), (last, behind)] {
            if next >= end {
                break;
            }
            let mut scan = self.scan(&range, Dir::Forward)?;
            while next < end
                && let Some((k, v)) = scan.next(self.txn)?
            {
                let (start, bytes) = (page_of(k)? * PAGE as i64, lo::page_bytes(v)?);
                if start > next {
                    next += zeros(out, start.min(end) - next)?;
                }
                let from = usize::try_from(next - start).unwrap_or(0).min(bytes.len());
                let n = (bytes.len() - from).min((end - next) as usize);
                if let Some(b) = bytes.get(from..from + n) {
                    room(out, n)?;
                    long::append(out, b)?;
                    next += n as i64;
                }
                work::charge(work::CALL as usize)?;
            }
        }
        Ok(())
    }
    /// Writes bytes at a place; what is between the object's end and there becomes zeros.
    pub fn write(&self, at: i64, bytes: &[u8]) -> Result<()> {
        if at.saturating_add(bytes.len() as i64) > MAX_SIZE {
            bail!(INVALID_PARAMETER_VALUE, "invalid large object write request size: {}", bytes.len());
        }
        let (mut at, mut left, mut ahead) = (at, bytes, 0);
        let mut value = Vec::new();
        while !left.is_empty() {
            let (page, within) = ((at / PAGE as i64) as u32, (at % PAGE as i64) as usize);
            if ahead == 0 {
                ahead = self.claim_ahead(page, (within + left.len()).div_ceil(PAGE))?;
            }
            let (now, later) = left.split_at(left.len().min(PAGE - within));
            self.change_page(page, &mut value, |v| lo::write_page(v, within, now))?;
            (at, left, ahead) = (at + now.len() as i64, later, ahead - 1);
        }
        Ok(())
    }
    /// These pages will be written: locked in one call where calls are dear. How many of them it asked for.
    fn claim_ahead(&self, page: u32, pages: usize) -> Result<usize> {
        let n = pages.min(BATCH);
        if self.txn.far() {
            let mut keys = Keys::default();
            (0..n as u32).for_each(|i| keys.push(TREE, &self.page_key(page + i), &[]));
            self.txn.claim_ahead(&keys, RowLock::NoKeyUpdate, Until::End)?;
        }
        Ok(n)
    }
    fn change_page(&self, page: u32, value: &mut Vec<u8>, change: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let key = self.page_key(page);
        if !self.txn.claim(TREE, &key, RowLock::NoKeyUpdate, value)?.exists {
            value.clear();
        }
        change(value);
        work::charge(PAGE / 16)?;
        self.txn.put(TREE, &key, value)
    }
    /// Cuts it, or fills it up with zeros, so that it has `len` bytes.
    pub fn truncate(&self, len: i64) -> Result<()> {
        if !(0..=MAX_SIZE).contains(&len) {
            bail!(INVALID_PARAMETER_VALUE, "invalid large object truncation target: {len}");
        }
        let (page, within) = ((len / PAGE as i64) as u32, (len % PAGE as i64) as usize);
        self.change_page(page, &mut Vec::new(), |v| lo::cut_page(v, within))?;
        page.checked_add(1).map_or(Ok(()), |p| self.delete_pages(p))
    }
    /// Deletes its pages from one on.
    fn delete_pages(&self, from: u32) -> Result<()> {
        let range = lo::pages_from(self.database, self.oid, from);
        delete_range(self.txn, range)
    }
}

/// Deletes every entry of a range, in its newest state.
pub fn delete_range(txn: &Txn, (mut from, to): lo::Range) -> Result<()> {
    loop {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        let mut scan = txn.scan_latest(TREE, &from, Some(&to), Dir::Forward)?;
        while keys.len() < BATCH
            && let Some((k, _)) = scan.next(txn)?
        {
            keys.push(k.to_vec());
        }
        let Some(last) = keys.last() else { return Ok(()) };
        from = [last.as_slice(), &[0]].concat();
        for k in &keys {
            work::charge(work::CALL as usize)?;
            txn.delete(TREE, k)?;
        }
    }
}
/// A loop over the large objects of a database, in their order, as a snapshot sees them or, without one, in their newest state. `f` says whether to go on.
pub fn each(
    txn: &Txn,
    seen: Option<&Snapshot>,
    database: Oid,
    f: &mut dyn FnMut(Oid, Metadata) -> Result<bool>,
) -> Result<()> {
    each_from(txn, seen, lo::all_metadata(database), f)
}
fn each_from(
    txn: &Txn,
    seen: Option<&Snapshot>,
    (from, to): lo::Range,
    f: &mut dyn FnMut(Oid, Metadata) -> Result<bool>,
) -> Result<()> {
    let mut scan = match seen {
        Some(s) => txn.scan(s, TREE, &from, Some(&to), Dir::Forward)?,
        None => txn.scan_latest(TREE, &from, Some(&to), Dir::Forward)?,
    };
    while let Some((k, v)) = scan.next(txn)? {
        work::charge(work::CALL as usize)?;
        let Some((_, oid, None)) = lo::read_key(k) else { return Err(broken_key()) };
        if !f(oid, Metadata::decode(v)?)? {
            break;
        }
    }
    Ok(())
}
/// The same for who changes those that are `wanted`, each of which it is handed locked. Few of them are in memory at a time.
pub fn change_each(
    txn: &Txn,
    database: Oid,
    wanted: &dyn Fn(&Metadata) -> bool,
    f: &mut dyn FnMut(&Object, Metadata) -> Result<()>,
) -> Result<()> {
    let (mut from, to) = lo::all_metadata(database);
    loop {
        let mut found = Vec::new();
        each_from(txn, None, (from, to.clone()), &mut |oid, m| {
            if wanted(&m) {
                found.push(oid);
            }
            Ok(found.len() < BATCH)
        })?;
        for oid in &found {
            let object = Object::newest(txn, database, *oid);
            let mut value = Vec::new();
            // It may be gone, or another's, since it was looked at.
            if txn.claim(TREE, &object.key(), RowLock::Update, &mut value)?.exists {
                let m = Metadata::decode(&value)?;
                if wanted(&m) {
                    f(&object, m)?;
                }
            }
        }
        match found.last() {
            Some(last) if found.len() == BATCH => from = [lo::key(database, *last).as_slice(), &[0]].concat(),
            _ => return Ok(()),
        }
    }
}
/// A loop over their pages.
pub fn each_page(
    txn: &Txn,
    seen: &Snapshot,
    database: Oid,
    mut f: impl FnMut(Oid, u32, &[u8]) -> Result<()>,
) -> Result<()> {
    let (from, to) = lo::all_pages(database);
    let mut scan = txn.scan(seen, TREE, &from, Some(&to), Dir::Forward)?;
    while let Some((k, v)) = scan.next(txn)? {
        work::charge(work::CALL as usize)?;
        let Some((_, oid, Some(page))) = lo::read_key(k) else { return Err(broken_key()) };
        f(oid, page, lo::page_bytes(v)?)?;
    }
    Ok(())
}
fn broken_key() -> Error {
    err!(DATA_CORRUPTED, "a key of a large object cannot be read")
}
fn page_of(key: &[u8]) -> Result<i64> {
    match lo::read_key(key) {
        Some((_, _, Some(page))) => Ok(i64::from(page)),
        _ => Err(broken_key()),
    }
}
/// Appends a hole.
fn zeros(out: &mut Vec<u8>, n: i64) -> Result<i64> {
    let len = usize::try_from(n).unwrap_or(0);
    room(out, len)?;
    work::charge(len / 16)?;
    out.resize(out.len() + len, 0);
    Ok(n)
}
/// Asks for so many bytes more.
fn room(out: &mut Vec<u8>, more: usize) -> Result<()> {
    let len = out.len() + more;
    if len > MAX_READ {
        bail!(PROGRAM_LIMIT_EXCEEDED, "large object read request is too large");
    }
    memory::admit_growth(out.capacity(), len)
}
