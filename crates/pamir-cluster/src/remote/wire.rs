//! Requests and answers of far transactions, byte by byte. Numbers are varints unless their width is said; `bytes` and `text` are a length and then so many bytes; a batch is `n v` and then each item.
//!
//! ```text
//!   frame      := kind u8 (16 request, 17 answer, 18 note, 19 cancel), number v, body    the number is the request's; 0: a note's
//!                 20 and 21: a piece of a request and of an answer, which goes on with the next frame of its number
//!                 22: whatever was sent before is given up: transactions are rolled back, nothing is answered
//!   request    := version u8 = 1, call u8, of, arguments                                 a note is one that nobody answers
//!     of       := txn v, seq v, n v, note...                                             calls below 64: those of a transaction
//!                 nothing                                                                from 64 on: those that need none
//!   note       := kind u8, numbers v...                                                  what is done before the call, in this order
//!   answer     := version u8 = 1, status u8 (0 done, 1 error), flags u8 (1 tied, 2 has writes), id v, touched v, read v, n v, (statement v, ts v)..., result
//!   error      := severity u8, code 5 bytes, message text, position v, marks u8 (1 placeless, 2 of a lost leader), routine v, fields u8, text...
//!   latest     := flags u8 (1 exists, 2 own, 4 moved), ts v, statement v
//! ```
//! A call's result is written by `host.rs` and read by `client.rs`, in the order that [`Call`] and [`Ask`] say. `seq` counts the messages of a transaction from 0, so a host notices one that is missing.
//!
//! Invariants: numbers of calls, notes, modes and flags are only ever added to; a length is compared with the bytes that are there before anything is allocated for it; whatever does not fit is an error, XX001.
use crate::codec::{Reader, put_bytes, put_list, put_varint};
use pamir_error::error::{Severity, SqlState};
use pamir_error::{Error, Result};
use pamir_txn::face::{Batch, Until, Want, Write};
use pamir_txn::{
    Dir, Isolation, Latest, LockLine, LockOutcome, LockTarget, Outcome, PreparedInfo, RowLock, SequenceDef, TableLock,
    TreeId, Ts, WaitPolicy,
};
use std::time::Duration;

pub const VERSION: u8 = 1;
const WHAT: &str = "a message of a far transaction";

// ---- frames ----
/// Their numbers tell these messages from others between nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Request = 16,
    Answer = 17,
    Note = 18,
    Cancel = 19,
    RequestPiece = 20,
    AnswerPiece = 21,
    Reset = 22,
}
pub fn frame(kind: Kind, number: u64, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(11 + body.len());
    out.push(kind as u8);
    put_varint(&mut out, number);
    out.extend_from_slice(body);
    out
}
/// The first bytes of frames.
pub const SUBJECTS: std::ops::RangeInclusive<u8> = Kind::Request as u8..=Kind::Reset as u8;
pub fn read_frame(bytes: &[u8]) -> Result<(Kind, u64, &[u8])> {
    let mut r = Reader::new(bytes, WHAT);
    let n = r.u8()?;
    const ALL: [Kind; 7] =
        [Kind::Request, Kind::Answer, Kind::Note, Kind::Cancel, Kind::RequestPiece, Kind::AnswerPiece, Kind::Reset];
    let Some(kind) = ALL.into_iter().find(|k| *k as u8 == n) else { return r.damaged() };
    Ok((kind, r.varint()?, r.rest))
}
/// A reader of a request or an answer, behind its version.
pub fn open(bytes: &[u8]) -> Result<Reader<'_>> {
    let mut r = Reader::new(bytes, WHAT);
    r.version(VERSION)?;
    Ok(r)
}

// ---- small things ----
fn pick<T: Copy>(r: &mut Reader, from: &[T]) -> Result<T> {
    let n = r.u8()?;
    from.get(usize::from(n)).copied().map_or_else(|| r.damaged(), Ok)
}
fn place<T: PartialEq>(from: &[T], what: &T) -> u8 {
    from.iter().position(|f| f == what).unwrap_or(from.len()) as u8
}
pub fn u32_of(r: &mut Reader) -> Result<u32> {
    let n = r.varint()?;
    u32::try_from(n).or_else(|_| r.damaged())
}
fn flag(r: &mut Reader) -> Result<bool> {
    pick(r, &[false, true])
}
pub fn put_option(out: &mut Vec<u8>, b: Option<&[u8]>) {
    out.push(u8::from(b.is_some()));
    if let Some(b) = b {
        put_bytes(out, b);
    }
}
pub fn option<'a>(r: &mut Reader<'a>) -> Result<Option<&'a [u8]>> {
    if flag(r)? { r.bytes().map(Some) } else { Ok(None) }
}
fn text<'a>(r: &mut Reader<'a>) -> Result<&'a str> {
    let b = r.bytes()?;
    std::str::from_utf8(b).or_else(|_| r.damaged())
}
fn tree(r: &mut Reader) -> Result<TreeId> {
    r.varint().map(TreeId)
}
const ISOLATIONS: [Isolation; 3] = [Isolation::ReadCommitted, Isolation::RepeatableRead, Isolation::Serializable];
const POLICIES: [WaitPolicy; 3] = [WaitPolicy::Block, WaitPolicy::NoWait, WaitPolicy::Skip];
const OUTCOMES: [LockOutcome; 2] = [LockOutcome::Granted, LockOutcome::Skipped];
const UNTIL: [Until; 2] = [Until::End, Until::Taken];
const WRITES: [Write; 3] = [Write::Put, Write::Delete, Write::Move];
const DIRS: [Dir; 2] = [Dir::Forward, Dir::Backward];
pub fn put_row_lock(out: &mut Vec<u8>, m: RowLock) {
    out.push(m.code());
}
pub fn row_lock(r: &mut Reader) -> Result<RowLock> {
    let code = r.u8()?;
    RowLock::from_code(code).map_or_else(|| r.damaged(), Ok)
}
pub fn put_fate(out: &mut Vec<u8>, o: Outcome) {
    out.push(place(&Outcome::ALL, &o));
}
pub fn fate(r: &mut Reader) -> Result<Outcome> {
    pick(r, &Outcome::ALL)
}
pub fn put_outcome(out: &mut Vec<u8>, o: LockOutcome) {
    out.push(place(&OUTCOMES, &o));
}
pub fn outcome(r: &mut Reader) -> Result<LockOutcome> {
    pick(r, &OUTCOMES)
}
fn bits<const N: usize>(of: [(bool, u8); N]) -> u8 {
    of.into_iter().filter(|b| b.0).fold(0, |all, b| all | b.1)
}
const EXISTS: u8 = 1;
const OWN: u8 = 2;
const MOVED: u8 = 4;
pub fn put_latest(out: &mut Vec<u8>, l: &Latest) {
    out.push(bits([(l.exists, EXISTS), (l.own, OWN), (l.moved, MOVED)]));
    put_varint(out, l.ts);
    put_varint(out, u64::from(l.statement));
}
pub fn latest(r: &mut Reader) -> Result<Latest> {
    let flags = r.u8()?;
    let (exists, own, moved) = (flags & EXISTS != 0, flags & OWN != 0, flags & MOVED != 0);
    Ok(Latest { ts: r.varint()?, exists, own, statement: u32_of(r)?, moved })
}
/// A counter that a batch's answer is read with: up to so many items, each by `f`.
pub fn each(r: &mut Reader, mut f: impl FnMut(&mut Reader) -> Result<()>) -> Result<()> {
    let n = r.varint()?;
    if n > r.rest.len() as u64 {
        return r.damaged();
    }
    (0..n).try_for_each(|_| f(r))
}

// ---- batches ----
/// A batch as a call has it: the caller's, from a place on, or one that was read.
pub enum Items<'a, T> {
    From(&'a Batch<T>, usize),
    Read(Batch<T>),
}
impl<T: Copy> Items<'_, T> {
    pub fn iter(&self) -> impl Iterator<Item = (T, &[u8], &[u8])> {
        let (batch, from) = match self {
            Items::From(b, from) => (*b, *from),
            Items::Read(b) => (b, 0),
        };
        (from..batch.len()).map_while(move |i| batch.get(i))
    }
    fn len(&self) -> usize {
        match self {
            Items::From(b, from) => b.len().saturating_sub(*from),
            Items::Read(b) => b.len(),
        }
    }
    fn put(&self, out: &mut Vec<u8>, mut what: impl FnMut(&mut Vec<u8>, T), values: bool) {
        let bytes: usize = self.iter().map(|(_, k, v)| k.len() + v.len() + 16).sum();
        out.reserve(bytes);
        put_varint(out, self.len() as u64);
        for (w, k, v) in self.iter() {
            what(out, w);
            put_bytes(out, k);
            if values {
                put_bytes(out, v);
            }
        }
    }
    fn read(r: &mut Reader, mut what: impl FnMut(&mut Reader) -> Result<T>, values: bool) -> Result<Self> {
        let mut out = Batch::default();
        each(r, |r| {
            let w = what(r)?;
            let key = r.bytes()?;
            out.push(w, key, if values { r.bytes()? } else { &[] });
            Ok(())
        })?;
        Ok(Items::Read(out))
    }
}
impl<'a, T> From<&'a Batch<T>> for Items<'a, T> {
    fn from(b: &'a Batch<T>) -> Items<'a, T> {
        Items::From(b, 0)
    }
}
impl Items<'_, TreeId> {
    fn put_keys(&self, out: &mut Vec<u8>) {
        self.put(out, |out, t| put_varint(out, t.0), false);
    }
    fn read_keys(r: &mut Reader) -> Result<Self> {
        Items::read(r, tree, false)
    }
}
/// How a key is wanted: `lock u8` (0 meet, else the mode and 1), `there u8` (0 unknown, 1 no, 2 yes).
fn put_want(out: &mut Vec<u8>, (t, w): (TreeId, Want)) {
    put_varint(out, t.0);
    out.push(w.lock.map_or(0, |m| m.code() + 1));
    out.push(w.there.map_or(0, |t| u8::from(t) + 1));
}
fn want(r: &mut Reader) -> Result<(TreeId, Want)> {
    let t = tree(r)?;
    let [a, b, c, d] = [0, 1, 2, 3].map(RowLock::from_code);
    let lock = pick(r, &[None, a, b, c, d])?;
    Ok((t, Want { lock, there: pick(r, &[None, Some(false), Some(true)])? }))
}

// ---- notes ----
/// What the near side does without a call, done at the host before the call that it rides on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// The first of a transaction.
    Begin {
        isolation: Isolation,
        read_only: bool,
    },
    /// Both from now on, when the message comes.
    Limits {
        lock_timeout: Option<Duration>,
        rest: Option<Duration>,
    },
    Process(u32),
    /// A statement begins that reads through a snapshot.
    Statement(u32),
    DropSnapshot(u32),
    Savepoint(u32),
    Release(u32),
    RollbackTo(u32),
    ExpectWrites {
        writes: u64,
        bytes: u64,
    },
    DropScan(u32),
    /// The session's own locks go with this transaction.
    Join(u64),
    /// The session has read this commit at its replica: no snapshot is to be without it.
    NotBelow(Ts),
    /// A weak table lock, waited for before any snapshot is taken; the transaction ends with [`OUTDATED`] where the catalog has changed, as the host knows under the lock, after this commit, which the
    /// message's plans know of. From format 3 of the cluster on.
    LockTable {
        table: u64,
        mode: TableLock,
        catalog: Ts,
    },
}
/// What a host answers then; it goes no further than the near side.
pub const OUTDATED: SqlState = SqlState(*b"PA001");
fn put_micros(out: &mut Vec<u8>, d: Option<Duration>) {
    put_varint(out, d.map_or(0, |d| u64::try_from(d.as_micros()).unwrap_or(u64::MAX - 1).saturating_add(1)));
}
/// What is longer than anybody waits is this long.
const LONGEST: u64 = 1 << 50;
fn micros(r: &mut Reader) -> Result<Option<Duration>> {
    Ok(r.varint()?.checked_sub(1).map(|n| Duration::from_micros(n.min(LONGEST))))
}
impl Note {
    pub fn put(&self, out: &mut Vec<u8>) {
        let mut one = |kind: u8, n: u64| {
            out.push(kind);
            put_varint(out, n);
        };
        match *self {
            Note::Begin { isolation, read_only } => {
                out.extend_from_slice(&[1, place(&ISOLATIONS, &isolation), u8::from(read_only)]);
            }
            Note::Limits { lock_timeout, rest } => {
                out.push(2);
                put_micros(out, lock_timeout);
                put_micros(out, rest);
            }
            Note::Process(pid) => one(3, pid.into()),
            Note::Statement(n) => one(4, n.into()),
            Note::DropSnapshot(n) => one(5, n.into()),
            Note::Savepoint(n) => one(6, n.into()),
            Note::Release(n) => one(7, n.into()),
            Note::RollbackTo(n) => one(8, n.into()),
            Note::ExpectWrites { writes, bytes } => {
                one(9, writes);
                put_varint(out, bytes);
            }
            Note::DropScan(n) => one(10, n.into()),
            Note::Join(n) => one(11, n),
            Note::NotBelow(ts) => one(20, ts),
            Note::LockTable { table, mode, catalog } => {
                one(21, table);
                out.push(place(&TableLock::ALL, &mode));
                put_varint(out, catalog);
            }
        }
    }
    pub fn read(r: &mut Reader) -> Result<Note> {
        Ok(match r.u8()? {
            1 => Note::Begin { isolation: pick(r, &ISOLATIONS)?, read_only: flag(r)? },
            2 => Note::Limits { lock_timeout: micros(r)?, rest: micros(r)? },
            3 => Note::Process(u32_of(r)?),
            4 => Note::Statement(u32_of(r)?),
            5 => Note::DropSnapshot(u32_of(r)?),
            6 => Note::Savepoint(u32_of(r)?),
            7 => Note::Release(u32_of(r)?),
            8 => Note::RollbackTo(u32_of(r)?),
            9 => Note::ExpectWrites { writes: r.varint()?, bytes: r.varint()? },
            10 => Note::DropScan(u32_of(r)?),
            11 => Note::Join(r.varint()?),
            20 => Note::NotBelow(r.varint()?),
            21 => Note::LockTable { table: r.varint()?, mode: pick(r, &TableLock::ALL)?, catalog: r.varint()? },
            _ => return r.damaged(),
        })
    }
}

// ---- calls of a transaction ----
/// A call of a transaction, by its number; what it answers stands beside it.
pub enum Call<'a> {
    /// Notes alone. Nothing.
    Nothing,
    /// found u8, value bytes.
    Get { snap: u32, tree: TreeId, key: &'a [u8] },
    /// A batch, of as many of the first keys as an answer takes: found u8, value bytes.
    GetMany { snap: u32, keys: Items<'a, TreeId> },
    /// latest, value bytes.
    GetLatest { tree: TreeId, key: &'a [u8] },
    /// A batch, as above: latest, value bytes.
    GetLatestMany(Items<'a, TreeId>),
    /// outcome u8.
    LockRow { tree: TreeId, key: &'a [u8], mode: RowLock, policy: WaitPolicy },
    /// Nothing.
    LockRange { tree: TreeId, lo: &'a [u8], hi: Option<&'a [u8]> },
    /// outcome u8, catalog v: the newest version at the host, once the lock is held.
    LockTable { table: u64, mode: TableLock, policy: WaitPolicy },
    /// latest, value bytes.
    Claim { tree: TreeId, key: &'a [u8], mode: RowLock },
    /// complete u8 (0: the answer was full), a batch: latest, value bytes.
    ClaimMany { keys: Items<'a, TreeId>, mode: RowLock, until: Until },
    /// mode u8, latest, value bytes.
    Meet { tree: TreeId, key: &'a [u8] },
    /// complete u8, a batch: mode u8, latest, value bytes.
    ClaimEach(Items<'a, (TreeId, Want)>),
    /// Nothing. Single writes are batches of one.
    WriteMany(Items<'a, (TreeId, Write)>),
    /// tree v.
    CreateTree,
    /// Nothing.
    DropTree(TreeId),
    /// present u8, key bytes.
    WrittenTwice(TreeId),
    /// more u8, a batch: key bytes, value bytes. The scan has this number if there is more.
    ScanOpen { scan: u32, snap: Option<u32>, tree: TreeId, lo: &'a [u8], hi: Option<&'a [u8]>, dir: Dir, max: u32 },
    /// ranges v, a batch: range v, key bytes, value bytes.
    ScanRanges { snap: Option<u32>, ranges: Items<'a, (TreeId, bool)>, dir: Dir, max: u32 },
    /// more u8, a batch: key bytes, value bytes.
    ScanMore { scan: u32, max: u32 },
    /// passed v.
    ScanPass { scan: u32, max: u64 },
    /// Nothing.
    Settle,
    /// ts v. The transaction is over whatever is answered.
    Commit,
    /// Nothing. Over likewise.
    Prepare { gid: &'a str, owner: &'a str, database: &'a str },
    /// outcome u8. `locks`: the number of the session's locks.
    LockForSession { locks: u64, number: u64, mode: TableLock, policy: WaitPolicy },
    /// number v: the transaction's for who keeps it.
    Tell,
    /// xmin v, xmax v, n v, number v...: what the newest snapshot sees.
    Xids,
    /// Never asked, only told: it is rolled back, or has nothing to commit. What stands in front of it need not be done.
    End,
}
fn put_snap(out: &mut Vec<u8>, snap: Option<u32>) {
    put_varint(out, snap.map_or(0, |n| u64::from(n) + 1));
}
fn snap(r: &mut Reader) -> Result<Option<u32>> {
    match r.varint()?.checked_sub(1) {
        None => Ok(None),
        Some(n) => u32::try_from(n).map(Some).or_else(|_| r.damaged()),
    }
}
impl<'a> Call<'a> {
    pub fn number(&self) -> u8 {
        match self {
            Call::Nothing => 0,
            Call::Get { .. } => 1,
            Call::GetMany { .. } => 2,
            Call::GetLatest { .. } => 3,
            Call::GetLatestMany(_) => 4,
            Call::LockRow { .. } => 5,
            Call::LockRange { .. } => 6,
            Call::LockTable { .. } => 7,
            Call::Claim { .. } => 8,
            Call::ClaimMany { .. } => 9,
            Call::Meet { .. } => 10,
            Call::ClaimEach(_) => 11,
            Call::WriteMany(_) => 12,
            Call::CreateTree => 13,
            Call::DropTree(_) => 14,
            Call::WrittenTwice(_) => 15,
            Call::ScanOpen { .. } => 16,
            Call::ScanRanges { .. } => 17,
            Call::ScanMore { .. } => 18,
            Call::ScanPass { .. } => 19,
            Call::Settle => 20,
            Call::Commit => 21,
            Call::Prepare { .. } => 22,
            Call::LockForSession { .. } => 23,
            Call::End => 24,
            Call::Tell => 25,
            Call::Xids => 26,
        }
    }
    /// Does it take, or change, what a transaction that has only read does not have?
    pub fn holds(&self) -> bool {
        match self {
            Call::LockTable { mode, .. } => *mode != TableLock::AccessShare,
            Call::LockRow { .. } | Call::LockRange { .. } | Call::Claim { .. } | Call::ClaimMany { .. } => true,
            Call::Meet { .. } | Call::ClaimEach(_) | Call::WriteMany(_) | Call::CreateTree | Call::DropTree(_) => true,
            Call::Prepare { .. } | Call::LockForSession { .. } | Call::Tell => true,
            _ => false,
        }
    }
    pub fn put(&self, out: &mut Vec<u8>) {
        fn key(out: &mut Vec<u8>, t: TreeId, k: &[u8]) {
            put_varint(out, t.0);
            put_bytes(out, k);
        }
        match self {
            Call::Nothing | Call::CreateTree | Call::Settle | Call::Commit | Call::End | Call::Tell | Call::Xids => {}
            Call::Get { snap, tree, key: k } => {
                put_varint(out, u64::from(*snap));
                key(out, *tree, k);
            }
            Call::GetMany { snap, keys } => {
                put_varint(out, u64::from(*snap));
                keys.put_keys(out);
            }
            Call::GetLatest { tree, key: k } | Call::Meet { tree, key: k } => key(out, *tree, k),
            Call::GetLatestMany(keys) => keys.put_keys(out),
            Call::LockRow { tree, key: k, mode, policy } => {
                key(out, *tree, k);
                out.extend_from_slice(&[mode.code(), place(&POLICIES, policy)]);
            }
            Call::LockRange { tree, lo, hi } => {
                key(out, *tree, lo);
                put_option(out, *hi);
            }
            Call::LockTable { table, mode, policy } => {
                put_varint(out, *table);
                out.extend_from_slice(&[place(&TableLock::ALL, mode), place(&POLICIES, policy)]);
            }
            Call::Claim { tree, key: k, mode } => {
                key(out, *tree, k);
                out.push(mode.code());
            }
            Call::ClaimMany { keys, mode, until } => {
                out.extend_from_slice(&[mode.code(), place(&UNTIL, until)]);
                keys.put_keys(out);
            }
            Call::ClaimEach(wants) => wants.put(out, put_want, false),
            Call::WriteMany(writes) => {
                let what = |out: &mut Vec<u8>, (t, w): (TreeId, Write)| {
                    put_varint(out, t.0);
                    out.push(place(&WRITES, &w));
                };
                writes.put(out, what, true);
            }
            Call::DropTree(t) | Call::WrittenTwice(t) => put_varint(out, t.0),
            Call::ScanOpen { scan, snap, tree, lo, hi, dir, max } => {
                put_varint(out, u64::from(*scan));
                put_snap(out, *snap);
                key(out, *tree, lo);
                put_option(out, *hi);
                out.push(place(&DIRS, dir));
                put_varint(out, u64::from(*max));
            }
            Call::ScanRanges { snap, ranges, dir, max } => {
                put_snap(out, *snap);
                out.push(place(&DIRS, dir));
                put_varint(out, u64::from(*max));
                let what = |out: &mut Vec<u8>, (t, bounded): (TreeId, bool)| {
                    put_varint(out, t.0);
                    out.push(u8::from(bounded));
                };
                ranges.put(out, what, true);
            }
            Call::ScanMore { scan, max } => {
                put_varint(out, u64::from(*scan));
                put_varint(out, u64::from(*max));
            }
            Call::ScanPass { scan, max } => {
                put_varint(out, u64::from(*scan));
                put_varint(out, *max);
            }
            Call::Prepare { gid, owner, database } => {
                [gid, owner, database].into_iter().for_each(|s| put_bytes(out, s.as_bytes()));
            }
            Call::LockForSession { locks, number, mode, policy } => {
                put_varint(out, *locks);
                put_varint(out, *number);
                out.extend_from_slice(&[place(&TableLock::ALL, mode), place(&POLICIES, policy)]);
            }
        }
    }
    pub fn read(number: u8, r: &mut Reader<'a>) -> Result<Call<'a>> {
        let call = match number {
            0 => Call::Nothing,
            1 => Call::Get { snap: u32_of(r)?, tree: tree(r)?, key: r.bytes()? },
            2 => Call::GetMany { snap: u32_of(r)?, keys: Items::read_keys(r)? },
            3 => Call::GetLatest { tree: tree(r)?, key: r.bytes()? },
            4 => Call::GetLatestMany(Items::read_keys(r)?),
            5 => Call::LockRow { tree: tree(r)?, key: r.bytes()?, mode: row_lock(r)?, policy: pick(r, &POLICIES)? },
            6 => Call::LockRange { tree: tree(r)?, lo: r.bytes()?, hi: option(r)? },
            7 => Call::LockTable { table: r.varint()?, mode: pick(r, &TableLock::ALL)?, policy: pick(r, &POLICIES)? },
            8 => Call::Claim { tree: tree(r)?, key: r.bytes()?, mode: row_lock(r)? },
            9 => {
                let (mode, until) = (row_lock(r)?, pick(r, &UNTIL)?);
                Call::ClaimMany { keys: Items::read_keys(r)?, mode, until }
            }
            10 => Call::Meet { tree: tree(r)?, key: r.bytes()? },
            11 => Call::ClaimEach(Items::read(r, want, false)?),
            12 => Call::WriteMany(Items::read(r, |r| Ok((tree(r)?, pick(r, &WRITES)?)), true)?),
            13 => Call::CreateTree,
            14 => Call::DropTree(tree(r)?),
            15 => Call::WrittenTwice(tree(r)?),
            16 => Call::ScanOpen {
                scan: u32_of(r)?,
                snap: snap(r)?,
                tree: tree(r)?,
                lo: r.bytes()?,
                hi: option(r)?,
                dir: pick(r, &DIRS)?,
                max: u32_of(r)?,
            },
            17 => {
                let (snap, dir, max) = (snap(r)?, pick(r, &DIRS)?, u32_of(r)?);
                let ranges = Items::read(r, |r| Ok((tree(r)?, flag(r)?)), true)?;
                Call::ScanRanges { snap, ranges, dir, max }
            }
            18 => Call::ScanMore { scan: u32_of(r)?, max: u32_of(r)? },
            19 => Call::ScanPass { scan: u32_of(r)?, max: r.varint()? },
            20 => Call::Settle,
            21 => Call::Commit,
            22 => Call::Prepare { gid: text(r)?, owner: text(r)?, database: text(r)? },
            23 => Call::LockForSession {
                locks: r.varint()?,
                number: r.varint()?,
                mode: pick(r, &TableLock::ALL)?,
                policy: pick(r, &POLICIES)?,
            },
            24 => Call::End,
            25 => Call::Tell,
            26 => Call::Xids,
            _ => return r.damaged(),
        };
        r.end()?;
        Ok(call)
    }
}

/// A message of a transaction up to its call.
pub struct Head {
    pub call: u8,
    pub txn: u64,
    pub seq: u64,
}
pub fn put_head(out: &mut Vec<u8>, call: u8, txn: u64, seq: u64) {
    out.extend_from_slice(&[VERSION, call]);
    put_varint(out, txn);
    put_varint(out, seq);
}
/// What stands in front of a message's notes; None: it is of no transaction.
pub fn read_head(body: &[u8]) -> Result<(Option<Head>, Reader<'_>)> {
    let mut r = open(body)?;
    let call = r.u8()?;
    if call >= FIRST_ASK {
        return Ok((None, r));
    }
    let head = Head { call, txn: r.varint()?, seq: r.varint()? };
    Ok((Some(head), r))
}

// ---- calls that need no transaction ----
/// The number of the first call that belongs to no transaction.
pub const FIRST_ASK: u8 = 64;
/// A call of the engine, by its number; what it answers stands beside it.
#[derive(Debug, PartialEq)]
pub enum Ask<'a> {
    /// A list of numbers.
    NextIds { space: u64, n: u32 },
    /// value v.
    SeqNext { seq: u64, def: SequenceDef },
    /// A list of values.
    SeqNextMany { seq: u64, def: SequenceDef, n: u32 },
    /// Nothing.
    SeqSet { seq: u64, last: i64, is_called: bool },
    /// used u8, value v, is_called u8.
    SeqRead { seq: u64 },
    /// ts v.
    CommitPrepared { gid: &'a str },
    /// Nothing.
    RollbackPrepared { gid: &'a str },
    /// A list of lock lines.
    Locks,
    /// A list: process v, target.
    WaitingProcesses,
    /// held u8. Gives one of a session's locks back.
    Unlock { locks: u64, number: u64, mode: TableLock },
    /// Nothing. All of them; they are forgotten where nobody will take more.
    UnlockAll { locks: u64, forget: bool },
    /// version v: the newest catalog's.
    Catalog,
    /// A list of prepared transactions.
    Prepared,
    /// outcome u8, ts v: what became of a transaction, and a timestamp whose snapshots see it if it is committed.
    Outcome { txn: u64 },
}
/// Values of sequences and such, small ones short whatever their sign.
pub fn put_signed(out: &mut Vec<u8>, n: i64) {
    put_varint(out, ((n << 1) ^ (n >> 63)) as u64);
}
pub fn signed(r: &mut Reader) -> Result<i64> {
    let n = r.varint()?;
    Ok((n >> 1) as i64 ^ -((n & 1) as i64))
}
fn put_def(out: &mut Vec<u8>, d: &SequenceDef) {
    [d.start, d.increment, d.min, d.max].into_iter().for_each(|n| put_signed(out, n));
    out.push(u8::from(d.cycle));
}
fn def(r: &mut Reader) -> Result<SequenceDef> {
    Ok(SequenceDef { start: signed(r)?, increment: signed(r)?, min: signed(r)?, max: signed(r)?, cycle: flag(r)? })
}
impl<'a> Ask<'a> {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        let mut one = |call: u8, n: u64| {
            out.push(call);
            put_varint(&mut out, n);
        };
        match self {
            Ask::NextIds { space, n } => {
                one(64, *space);
                put_varint(&mut out, u64::from(*n));
            }
            Ask::SeqNext { seq, def } => {
                one(65, *seq);
                put_def(&mut out, def);
            }
            Ask::SeqNextMany { seq, def, n } => {
                one(66, *seq);
                put_def(&mut out, def);
                put_varint(&mut out, u64::from(*n));
            }
            Ask::SeqSet { seq, last, is_called } => {
                one(67, *seq);
                put_signed(&mut out, *last);
                out.push(u8::from(*is_called));
            }
            Ask::SeqRead { seq } => one(68, *seq),
            Ask::CommitPrepared { gid } => {
                out.push(69);
                put_bytes(&mut out, gid.as_bytes());
            }
            Ask::RollbackPrepared { gid } => {
                out.push(70);
                put_bytes(&mut out, gid.as_bytes());
            }
            Ask::Locks => out.push(71),
            Ask::WaitingProcesses => out.push(72),
            Ask::Catalog => out.push(75),
            Ask::Prepared => out.push(76),
            Ask::Outcome { txn } => one(77, *txn),
            Ask::Unlock { locks, number, mode } => {
                one(73, *locks);
                put_varint(&mut out, *number);
                out.push(place(&TableLock::ALL, mode));
            }
            Ask::UnlockAll { locks, forget } => {
                one(74, *locks);
                out.push(u8::from(*forget));
            }
        }
        out
    }
    /// A request behind its version.
    pub fn read(r: &mut Reader<'a>) -> Result<Ask<'a>> {
        let ask = match r.u8()? {
            64 => Ask::NextIds { space: r.varint()?, n: u32_of(r)? },
            65 => Ask::SeqNext { seq: r.varint()?, def: def(r)? },
            66 => Ask::SeqNextMany { seq: r.varint()?, def: def(r)?, n: u32_of(r)? },
            67 => Ask::SeqSet { seq: r.varint()?, last: signed(r)?, is_called: flag(r)? },
            68 => Ask::SeqRead { seq: r.varint()? },
            69 => Ask::CommitPrepared { gid: text(r)? },
            70 => Ask::RollbackPrepared { gid: text(r)? },
            71 => Ask::Locks,
            72 => Ask::WaitingProcesses,
            73 => Ask::Unlock { locks: r.varint()?, number: r.varint()?, mode: pick(r, &TableLock::ALL)? },
            74 => Ask::UnlockAll { locks: r.varint()?, forget: flag(r)? },
            75 => Ask::Catalog,
            76 => Ask::Prepared,
            77 => Ask::Outcome { txn: r.varint()? },
            _ => return r.damaged(),
        };
        r.end()?;
        Ok(ask)
    }
}

// ---- lock reports ----
pub fn put_target(out: &mut Vec<u8>, t: &LockTarget) {
    let (kind, n) = match t {
        LockTarget::Table(n) => (0, *n),
        LockTarget::Row(t) => (1, t.0),
    };
    out.push(kind);
    put_varint(out, n);
}
pub fn target(r: &mut Reader) -> Result<LockTarget> {
    if flag(r)? { Ok(LockTarget::Row(tree(r)?)) } else { Ok(LockTarget::Table(r.varint()?)) }
}
/// What waits for a range is told as PostgreSQL tells it.
const RANGE_MODE: &str = "SIReadLock";
/// 0: no process, as in the lock tables.
fn process(r: &mut Reader) -> Result<Option<u32>> {
    Ok(Some(u32_of(r)?).filter(|n| *n != 0))
}
pub fn put_lock_line(out: &mut Vec<u8>, l: &LockLine) {
    put_varint(out, u64::from(l.process.unwrap_or(0)));
    put_varint(out, l.txn);
    put_target(out, &l.on);
    put_bytes(out, l.mode.as_bytes());
    out.push(u8::from(l.granted));
    put_list(out, &l.blockers, |out, (p, txn)| {
        put_varint(out, u64::from(p.unwrap_or(0)));
        put_varint(out, *txn);
    });
}
pub fn lock_line(r: &mut Reader) -> Result<LockLine> {
    let (process_no, txn, on) = (process(r)?, r.varint()?, target(r)?);
    let name = text(r)?;
    let known = TableLock::ALL.iter().map(|m| m.name()).chain([RANGE_MODE]).find(|m| *m == name);
    let Some(mode) = known else { return r.damaged() };
    let granted = flag(r)?;
    let blockers = r.list(|r| Ok((process(r)?, r.varint()?)))?;
    Ok(LockLine { process: process_no, txn, on, mode, granted, blockers })
}
/// `prepared := gid text, prepared_at signed, owner text, database text, txn v`
pub fn put_prepared(out: &mut Vec<u8>, p: &PreparedInfo) {
    put_bytes(out, p.gid.as_bytes());
    put_signed(out, p.prepared_at);
    put_bytes(out, p.owner.as_bytes());
    put_bytes(out, p.database.as_bytes());
    put_varint(out, p.txn);
}
pub fn prepared(r: &mut Reader) -> Result<PreparedInfo> {
    let (gid, prepared_at) = (r.string()?, signed(r)?);
    Ok(PreparedInfo { gid, prepared_at, owner: r.string()?, database: r.string()?, txn: r.varint()? })
}

// ---- answers ----
pub const DONE: u8 = 0;
pub const FAILED: u8 = 1;
pub const TIED: u8 = 1;
pub const HAS_WRITES: u8 = 2;

/// What every answer says of its transaction.
#[derive(Default, PartialEq, Debug)]
pub struct State {
    pub tied: bool,
    pub has_writes: bool,
    pub id: u64,
    /// Pages that the call touched, and of them read from disk.
    pub pages: (u64, u64),
    /// Statements whose snapshots were taken before this call, with their timestamps.
    pub snapshots: Vec<(u32, Ts)>,
}
/// An answer that an error or the result of a call was written to by itself.
pub fn answer(state: &State, r: Result<Vec<u8>>) -> Vec<u8> {
    let size = r.as_ref().map_or(256, Vec::len);
    let mut out = Vec::with_capacity(size + 32);
    out.extend_from_slice(&[VERSION, if r.is_ok() { DONE } else { FAILED }]);
    out.push(bits([(state.tied, TIED), (state.has_writes, HAS_WRITES)]));
    [state.id, state.pages.0, state.pages.1].into_iter().for_each(|n| put_varint(&mut out, n));
    put_list(&mut out, &state.snapshots, |out, (n, ts)| {
        put_varint(out, u64::from(*n));
        put_varint(out, *ts);
    });
    match r {
        Ok(body) => out.extend_from_slice(&body),
        Err(e) => put_error(&mut out, &e),
    }
    out
}
/// The state that an answer tells, and its result, to be read on.
pub fn read_answer(bytes: &[u8]) -> Result<(State, Result<Reader<'_>>)> {
    let mut r = open(bytes)?;
    let failed = flag(&mut r)?;
    let flags = r.u8()?;
    let (id, pages) = (r.varint()?, (r.varint()?, r.varint()?));
    let snapshots = r.list(|r| Ok((u32_of(r)?, r.varint()?)))?;
    let state = State { tied: flags & TIED != 0, has_writes: flags & HAS_WRITES != 0, id, pages, snapshots };
    if failed {
        let e = error(&mut r)?;
        r.end()?;
        return Ok((state, Err(e)));
    }
    Ok((state, Ok(r)))
}

const SEVERITIES: [Severity; 8] = [
    Severity::Error,
    Severity::Fatal,
    Severity::Panic,
    Severity::Warning,
    Severity::Notice,
    Severity::Debug,
    Severity::Info,
    Severity::Log,
];
/// An error's marks: [`Error::nowhere`], [`Error::of_lost_leader`].
const PLACELESS: u8 = 1;
const LEADER_LOST: u8 = 2;
/// The routines that errors name, which are told as they stand in the program.
const ROUTINES: [&str; 1] = ["RevalidateCachedQuery"];
/// An error's fields that may be missing: a bit each in this order. The last one, 0x80, is an index into [`ROUTINES`].
fn fields(d: &pamir_error::error::ErrorData) -> [&Option<String>; 8] {
    [&d.detail, &d.hint, &d.context, &d.schema, &d.table, &d.column, &d.datatype, &d.constraint]
}
pub fn put_error(out: &mut Vec<u8>, e: &Error) {
    let d = e.data();
    out.push(place(&SEVERITIES, &d.severity));
    out.extend_from_slice(&d.code.0);
    put_bytes(out, d.message.as_bytes());
    put_varint(out, d.position.map_or(0, |p| u64::from(p) + 1));
    out.push(bits([(d.placeless, PLACELESS), (e.is_of_lost_leader(), LEADER_LOST)]));
    let routine = d.routine.and_then(|n| ROUTINES.iter().position(|r| *r == n)).map_or(0, |i| i as u64 + 1);
    put_varint(out, routine);
    let present = fields(d).iter().enumerate().fold(0, |bits, (i, f)| bits | u8::from(f.is_some()) << i);
    out.push(present);
    for f in fields(d).into_iter().flatten() {
        put_bytes(out, f.as_bytes());
    }
}
pub fn error(r: &mut Reader) -> Result<Error> {
    let severity = pick(r, &SEVERITIES)?;
    let Ok(code) = <[u8; 5]>::try_from(r.take(5)?) else { return r.damaged() };
    if !code.iter().all(u8::is_ascii_alphanumeric) {
        return r.damaged();
    }
    let mut e = Error::new(SqlState(code), r.string()?);
    let d = e.data_mut();
    d.severity = severity;
    d.position = snap(r)?;
    let marks = r.u8()?;
    if marks & !(PLACELESS | LEADER_LOST) != 0 {
        return r.damaged();
    }
    d.placeless = marks & PLACELESS != 0;
    d.routine = r.varint()?.checked_sub(1).and_then(|n| ROUTINES.get(n as usize).copied());
    let present = r.u8()?;
    let mut field = |i: u8| if present & (1 << i) != 0 { r.string().map(Some) } else { Ok(None) };
    d.detail = field(0)?;
    d.hint = field(1)?;
    d.context = field(2)?;
    d.schema = field(3)?;
    d.table = field(4)?;
    d.column = field(5)?;
    d.datatype = field(6)?;
    d.constraint = field(7)?;
    Ok(if marks & LEADER_LOST != 0 { e.of_lost_leader() } else { e })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{self, Rng};
    use pamir_txn::face::{Keys, Ranges, Wants, Writes};

    fn batch<T: Copy>(items: &[(T, &str, &str)]) -> Batch<T> {
        let mut b = Batch::default();
        items.iter().for_each(|(w, k, v)| b.push(*w, k.as_bytes(), v.as_bytes()));
        b
    }
    /// One call of each kind, as bytes, with its number.
    fn calls() -> Vec<(u8, Vec<u8>)> {
        let t = TreeId(300);
        let keys: Keys = batch(&[(t, "a", ""), (TreeId(17), "", ""), (t, "ccc", "")]);
        let wants: Wants = batch(&[
            ((t, Want { lock: None, there: Some(true) }), "a", ""),
            ((t, Want { lock: Some(RowLock::Update), there: None }), "b", ""),
        ]);
        let writes: Writes = batch(&[((t, Write::Put), "k", "v"), ((t, Write::Move), "k", "to")]);
        let ranges: Ranges = batch(&[((t, true), "a", "b"), ((t, false), "c", "")]);
        let dir = Dir::Backward;
        let policy = WaitPolicy::Skip;
        let all = [
            Call::Nothing,
            Call::Get { snap: 3, tree: t, key: b"key" },
            Call::GetMany { snap: 3, keys: Items::From(&keys, 1) },
            Call::GetLatest { tree: t, key: b"" },
            Call::GetLatestMany((&keys).into()),
            Call::LockRow { tree: t, key: b"k", mode: RowLock::Share, policy },
            Call::LockRange { tree: t, lo: b"a", hi: None },
            Call::LockTable { table: u64::MAX, mode: TableLock::AccessExclusive, policy },
            Call::Claim { tree: t, key: b"k", mode: RowLock::NoKeyUpdate },
            Call::ClaimMany { keys: (&keys).into(), mode: RowLock::Update, until: Until::Taken },
            Call::Meet { tree: t, key: b"k" },
            Call::ClaimEach((&wants).into()),
            Call::WriteMany((&writes).into()),
            Call::CreateTree,
            Call::DropTree(t),
            Call::WrittenTwice(t),
            Call::ScanOpen { scan: 1, snap: Some(0), tree: t, lo: b"", hi: Some(b"z"), dir, max: 128 },
            Call::ScanRanges { snap: None, ranges: (&ranges).into(), dir, max: 1024 },
            Call::ScanMore { scan: 1, max: 2 },
            Call::ScanPass { scan: 1, max: u64::MAX },
            Call::Settle,
            Call::Commit,
            Call::Prepare { gid: "g", owner: "o", database: "d" },
            Call::LockForSession { locks: 1, number: 2, mode: TableLock::Exclusive, policy },
            Call::End,
            Call::Tell,
            Call::Xids,
        ];
        all.iter()
            .map(|c| {
                let mut out = Vec::new();
                c.put(&mut out);
                (c.number(), out)
            })
            .collect()
    }
    fn asks() -> Vec<Ask<'static>> {
        let def = SequenceDef { start: 1, increment: -1, min: i64::MIN, max: i64::MAX, cycle: true };
        vec![
            Ask::NextIds { space: 7, n: 12 },
            Ask::Catalog,
            Ask::Prepared,
            Ask::SeqNext { seq: 1, def: def.clone() },
            Ask::SeqNextMany { seq: 1, def, n: 3 },
            Ask::SeqSet { seq: 1, last: -5, is_called: true },
            Ask::SeqRead { seq: 1 },
            Ask::CommitPrepared { gid: "g" },
            Ask::RollbackPrepared { gid: "g" },
            Ask::Locks,
            Ask::WaitingProcesses,
            Ask::Unlock { locks: 1, number: 2, mode: TableLock::Share },
            Ask::UnlockAll { locks: 1, forget: true },
            Ask::Outcome { txn: 1 << 40 },
        ]
    }
    fn notes() -> Vec<Note> {
        vec![
            Note::Begin { isolation: Isolation::Serializable, read_only: true },
            Note::Limits { lock_timeout: Some(Duration::ZERO), rest: None },
            Note::Limits { lock_timeout: None, rest: Some(Duration::from_micros(5)) },
            Note::Process(77),
            Note::Statement(1),
            Note::DropSnapshot(2),
            Note::Savepoint(3),
            Note::Release(4),
            Note::RollbackTo(u32::MAX),
            Note::ExpectWrites { writes: 1, bytes: u64::MAX },
            Note::DropScan(5),
            Note::Join(6),
            Note::NotBelow(u64::MAX),
            Note::LockTable { table: u64::MAX, mode: TableLock::RowExclusive, catalog: 1 << 60 },
        ]
    }
    fn full_error() -> Error {
        let mut e = Error::new(pamir_error::error::state::UNIQUE_VIOLATION, "message").detail("detail").hint("hint");
        e = e.context("context").table("schema", "table").column("column").constraint("constraint");
        e = e.at(Some(7)).nowhere().routine("RevalidateCachedQuery").severity(Severity::Fatal);
        e.data_mut().datatype = Some("type".into());
        e.of_lost_leader()
    }

    #[test]
    fn calls_round_trip() {
        for (n, (number, bytes)) in calls().into_iter().enumerate() {
            assert_eq!(usize::from(number), n, "numbers stay");
            let mut r = Reader::new(&bytes, WHAT);
            let mut again = Vec::new();
            Call::read(number, &mut r).unwrap().put(&mut again);
            assert_eq!(again, bytes, "call {number}");
            for cut in 0..bytes.len() {
                assert!(Call::read(number, &mut Reader::new(&bytes[..cut], WHAT)).is_err(), "call {number} to {cut}");
            }
        }
        for ask in asks() {
            let bytes = ask.encode();
            assert_eq!(Ask::read(&mut open(&bytes).unwrap()).unwrap(), ask);
            (1..bytes.len()).for_each(|cut| assert!(Ask::read(&mut open(&bytes[..cut]).unwrap()).is_err()));
        }
        for note in notes() {
            let mut bytes = Vec::new();
            note.put(&mut bytes);
            assert_eq!(Note::read(&mut Reader::new(&bytes, WHAT)).unwrap(), note);
            (0..bytes.len()).for_each(|cut| assert!(Note::read(&mut Reader::new(&bytes[..cut], WHAT)).is_err()));
        }
    }

    #[test]
    fn errors_travel_whole() {
        for e in [full_error(), pamir_error::err!(DEADLOCK_DETECTED, "short")] {
            let snapshots = vec![(1, 70), (2, 80)];
            let state = State { tied: true, has_writes: true, id: 9, pages: (300, 1), snapshots };
            let bytes = answer(&state, Err(e.clone()));
            let (told, r) = read_answer(&bytes).unwrap();
            assert_eq!(told, state);
            assert_eq!(format!("{:?}", r.map(drop).unwrap_err()), format!("{e:?}"));
            (0..bytes.len()).for_each(|cut| assert!(read_answer(&bytes[..cut]).is_err()));
        }
        let bytes = answer(&State::default(), Ok(vec![1, 2]));
        assert_eq!(read_answer(&bytes).unwrap().1.unwrap().rest, [1, 2]);
    }

    #[test]
    fn small_numbers() {
        for n in [0, -1, 1, i64::MIN, i64::MAX] {
            let mut out = Vec::new();
            put_signed(&mut out, n);
            assert_eq!(signed(&mut Reader::new(&out, WHAT)).unwrap(), n);
        }
        let line = LockLine {
            process: Some(3),
            txn: 4,
            on: LockTarget::Row(TreeId(5)),
            mode: TableLock::Share.name(),
            granted: false,
            blockers: vec![(None, 1), (Some(2), 3)],
        };
        let mut out = Vec::new();
        put_lock_line(&mut out, &line);
        assert_eq!(format!("{:?}", lock_line(&mut Reader::new(&out, WHAT)).unwrap()), format!("{line:?}"));
        let f = frame(Kind::Cancel, 1 << 40, b"x");
        assert_eq!(read_frame(&f).unwrap(), (Kind::Cancel, 1 << 40, &b"x"[..]));
    }

    #[test]
    fn damage_is_an_error() {
        let r = &mut Rng::new(chance::seed(1));
        let (calls, asks) = (calls(), asks());
        let end = chance::end(1);
        while std::time::Instant::now() < end {
            let (number, mut b) = match r.below(4) {
                0 => (FIRST_ASK, r.choose(&asks).encode()),
                1 => (255, answer(&State::default(), Err(full_error()))),
                _ => r.choose(&calls).clone(),
            };
            for _ in 0..1 + r.below(4) {
                let at = r.index(b.len().max(1));
                match r.below(4) {
                    0 if at < b.len() => b[at] ^= 1 << r.below(8),
                    1 if at < b.len() => b[at] = *r.choose(&[0, 0x7f, 0x80, 0xff]),
                    2 => b.truncate(at),
                    _ => b.insert(at.min(b.len()), 0xff),
                }
            }
            match number {
                FIRST_ASK => drop(open(&b).and_then(|mut r| Ask::read(&mut r).map(drop))),
                255 => drop(read_answer(&b).map(|(s, r)| (s, r.map(drop)))),
                n => drop(Call::read(n, &mut Reader::new(&b, WHAT)).map(drop)),
            }
        }
    }
}
