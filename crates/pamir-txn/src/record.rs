//! Log records, byte by byte. All integers are little-endian; `v` is a LEB128 varint; `bytes` is a length as varint and then the bytes.
//!
//! ```text
//!   record          := version u8 = 2, kind u8, body
//!   1 Commit        := ts u64, txn u64, ops...
//!   2 Prepare       := txn u64, time i64 (microseconds), gid bytes, owner bytes, database bytes, ops bytes, locks bytes
//!   3 CommitPrepared:= ts u64, gid bytes
//!   4 AbortPrepared := gid bytes
//!   5 Direct        := (key bytes, value bytes)...        into the system tree, without a timestamp
//!   6 CommitLoads   := as Commit; has operations of kind 5
//!   7 Part          := txn u64, seq u32, ops...           a piece of a large commit, without effect by itself (see large.rs); no operations of kind 5
//!   8 CommitParts   := ts u64, txn u64, parts u32         decides the large commit whose parts 0.. stand before it; its timestamp lies ahead
//!   9 Finish        := ts u64                             the large commit of that timestamp is applied: from here on it is visible
//!  10 CommitLargePrepared := as CommitPrepared; its timestamp lies ahead, and a Finish follows
//!  11 Forget      := txn u64                             no CommitParts follows the parts of this transaction; written where others keep them too
//!  12 Stamp       := time i64 (microseconds since 1970)   when what follows is written; only in a shard's own log, and only with [`crate::ShardOptions::stamps`]
//!   op              := 1 tree v                             create tree
//!                    | 2 tree v                             drop tree
//!                    | 3 tree v, key bytes, value bytes     put
//!                    | 4 tree v, key bytes                  delete
//!                    | 5 tree v, key bytes, leaf value bytes   load: put into a tree created in this record
//!                    | 6 tree v, key bytes, new key bytes   move: a delete whose row lives on under another key of the tree
//!   lock            := 1 tree v, mode u8, key bytes | 2 tree v, lo bytes, has_hi u8, [hi bytes] | 3 table v, mode u8
//!                    | 4 tree v, mode u8                    the whole tree
//! ```
//! Order inside a commit: creations, then puts and deletes by (tree, key), then drops. Values are the user's; the applier puts the
//! timestamp and flags in front. `ts` stands at a fixed place because it is given when the record is appended. Loads carry their leaf value as it will
//! stand on the page, timestamp included (set when the record is appended), so that trees are built straight from the record, without a copy.
use crate::applier::VALUE_HEADER;
use crate::lock::{HeldLocks, RowLock, TableLock};
use pamir_error::{Result, bail};
use pamir_storage::store::TreeId;

pub const RECORD_VERSION: u8 = 2;
const TS_AT: usize = 2;
/// Where the operations of a commit begin.
const OPS_AT: usize = 18;
/// Where the operations of a part begin.
pub(crate) const PART_OPS_AT: usize = 14;

pub(crate) const COMMIT: u8 = 1;
pub(crate) const PREPARE: u8 = 2;
pub(crate) const COMMIT_PREPARED: u8 = 3;
pub(crate) const ABORT_PREPARED: u8 = 4;
pub(crate) const DIRECT: u8 = 5;
pub(crate) const COMMIT_LOADS: u8 = 6;
pub(crate) const PART: u8 = 7;
pub(crate) const COMMIT_PARTS: u8 = 8;
pub(crate) const FINISH: u8 = 9;
pub(crate) const COMMIT_LARGE_PREPARED: u8 = 10;
pub(crate) const FORGET: u8 = 11;
pub(crate) const STAMP: u8 = 12;

pub(crate) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
pub(crate) fn put_bytes(out: &mut Vec<u8>, b: &[u8]) {
    put_varint(out, b.len() as u64);
    out.extend_from_slice(b);
}

/// Reads what the functions above wrote; everything that does not fit is XX001, since the log's checksum was right.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(pub &'a [u8]);
impl<'a> Reader<'a> {
    pub fn damaged<T>() -> Result<T> {
        bail!(DATA_CORRUPTED, "log record or checkpoint of the transaction layer is damaged")
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn u8(&mut self) -> Result<u8> {
        let Some((b, rest)) = self.0.split_first() else { return Self::damaged() };
        self.0 = rest;
        Ok(*b)
    }
    pub fn u32(&mut self) -> Result<u32> {
        let Some((b, rest)) = self.0.split_first_chunk::<4>() else { return Self::damaged() };
        self.0 = rest;
        Ok(u32::from_le_bytes(*b))
    }
    pub fn u64(&mut self) -> Result<u64> {
        let Some((b, rest)) = self.0.split_first_chunk::<8>() else { return Self::damaged() };
        self.0 = rest;
        Ok(u64::from_le_bytes(*b))
    }
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let b = self.u8()?;
            n |= ((b & 0x7f) as u64) << shift;
            if b < 0x80 {
                return Ok(n);
            }
        }
        Self::damaged()
    }
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let n = self.varint()?;
        if n > self.0.len() as u64 {
            return Self::damaged();
        }
        let (b, rest) = self.0.split_at(n as usize);
        self.0 = rest;
        Ok(b)
    }
    pub fn string(&mut self) -> Result<String> {
        match std::str::from_utf8(self.bytes()?) {
            Ok(s) => Ok(s.to_string()),
            Err(_) => Self::damaged(),
        }
    }
}

pub(crate) enum Op<'a> {
    CreateTree(TreeId),
    DropTree(TreeId),
    Put(TreeId, &'a [u8], &'a [u8]),
    Delete(TreeId, &'a [u8]),
    /// The value has the leaf's header in front.
    Load(TreeId, &'a [u8], &'a [u8]),
    /// Key and new key.
    Move(TreeId, &'a [u8], &'a [u8]),
}
/// The next operation; None at the end.
pub(crate) fn next_op<'a>(r: &mut Reader<'a>) -> Result<Option<Op<'a>>> {
    if r.is_empty() {
        return Ok(None);
    }
    let kind = r.u8()?;
    let tree = TreeId(r.varint()?);
    Ok(Some(match kind {
        1 => Op::CreateTree(tree),
        2 => Op::DropTree(tree),
        3 => Op::Put(tree, r.bytes()?, r.bytes()?),
        4 => Op::Delete(tree, r.bytes()?),
        5 => Op::Load(tree, r.bytes()?, r.bytes()?),
        6 => Op::Move(tree, r.bytes()?, r.bytes()?),
        _ => return Reader::damaged(),
    }))
}
pub(crate) fn push_op(out: &mut Vec<u8>, op: Op) {
    let (kind, tree) = match &op {
        Op::CreateTree(t) => (1, t),
        Op::DropTree(t) => (2, t),
        Op::Put(t, ..) => (3, t),
        Op::Delete(t, _) => (4, t),
        // The value given here is the user's; the header is made room for.
        Op::Load(t, ..) => (5, t),
        Op::Move(t, ..) => (6, t),
    };
    out.push(kind);
    put_varint(out, tree.0);
    match op {
        Op::Put(_, k, v) | Op::Move(_, k, v) => {
            put_bytes(out, k);
            put_bytes(out, v);
        }
        Op::Delete(_, k) => put_bytes(out, k),
        Op::Load(_, k, v) => {
            put_bytes(out, k);
            put_varint(out, (VALUE_HEADER + v.len()) as u64);
            out.extend_from_slice(&[0; VALUE_HEADER]);
            out.extend_from_slice(v);
        }
        _ => {}
    }
}

pub(crate) fn header(kind: u8, capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity + 18);
    out.extend_from_slice(&[RECORD_VERSION, kind]);
    out
}
/// A commit record up to its operations; the timestamp is set later.
pub(crate) fn commit_header(txn: u64, capacity: usize, loads: bool) -> Vec<u8> {
    let mut out = header(if loads { COMMIT_LOADS } else { COMMIT }, capacity);
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&txn.to_le_bytes());
    out
}
pub(crate) fn commit_prepared(gid: &str, large: bool) -> Vec<u8> {
    let mut out = header(if large { COMMIT_LARGE_PREPARED } else { COMMIT_PREPARED }, gid.len());
    out.extend_from_slice(&[0; 8]);
    put_bytes(&mut out, gid.as_bytes());
    out
}
pub(crate) fn abort_prepared(gid: &str) -> Vec<u8> {
    let mut out = header(ABORT_PREPARED, gid.len());
    put_bytes(&mut out, gid.as_bytes());
    out
}
pub(crate) fn direct(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut out = header(DIRECT, key.len() + value.len());
    put_bytes(&mut out, key);
    put_bytes(&mut out, value);
    out
}
/// Changes nothing: what its place in the log tells is all.
pub(crate) fn empty() -> Vec<u8> {
    header(DIRECT, 0)
}
/// A part up to its operations.
pub(crate) fn part_header(txn: u64, seq: u32, capacity: usize) -> Vec<u8> {
    let mut out = header(PART, capacity);
    out.extend_from_slice(&txn.to_le_bytes());
    out.extend_from_slice(&seq.to_le_bytes());
    out
}
pub(crate) fn commit_parts(txn: u64, parts: u32) -> Vec<u8> {
    let mut out = header(COMMIT_PARTS, 4);
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&txn.to_le_bytes());
    out.extend_from_slice(&parts.to_le_bytes());
    out
}
pub(crate) fn finish(ts: u64) -> Vec<u8> {
    let mut out = header(FINISH, 0);
    out.extend_from_slice(&ts.to_le_bytes());
    out
}
pub(crate) fn forget(txn: u64) -> Vec<u8> {
    let mut out = header(FORGET, 0);
    out.extend_from_slice(&txn.to_le_bytes());
    out
}
pub(crate) fn stamp(micros: i64) -> Vec<u8> {
    let mut out = header(STAMP, 0);
    out.extend_from_slice(&micros.to_le_bytes());
    out
}
/// The time of a record that says one (microseconds since 1970); None: it is another record.
pub fn time_of(record: &[u8]) -> Option<i64> {
    match record {
        [RECORD_VERSION, STAMP, time @ ..] => time.try_into().ok().map(i64::from_le_bytes),
        _ => None,
    }
}
pub(crate) fn kind(record: &[u8]) -> u8 {
    record.get(1).copied().unwrap_or(0)
}
/// The operations of a commit that is one record; of others none.
pub(crate) fn ops_of(record: &[u8]) -> Reader<'_> {
    Reader(match kind(record) {
        COMMIT | COMMIT_LOADS => record.get(OPS_AT..).unwrap_or_default(),
        _ => &[],
    })
}
/// How many changes of pages applying a record makes, and of how many bytes: an estimate of the room they need. What a bulk load writes counts by bytes alone.
/// `new_tree`: is it one that the commit itself creates? Such a tree is built in order, so that only bytes count.
pub(crate) fn count(record: &[u8], new_tree: &dyn Fn(TreeId) -> bool) -> Result<(u64, u64)> {
    match record.get(1) {
        Some(&(COMMIT | COMMIT_LOADS)) => count_ops(record.get(OPS_AT..).unwrap_or(&[]), &|_| false),
        // What it replaces is copied.
        Some(&PART) => count_ops(record.get(PART_OPS_AT..).unwrap_or(&[]), new_tree).map(|(n, b)| (2 * n, 2 * b)),
        Some(&DIRECT) => Ok((1, record.len() as u64)),
        _ => Ok((0, 0)),
    }
}
pub(crate) fn count_ops(ops: &[u8], new_tree: &dyn Fn(TreeId) -> bool) -> Result<(u64, u64)> {
    let (mut n, mut r) = (0, Reader(ops));
    let mut last = (TreeId(0), false);
    let mut built = |t: TreeId| {
        if last.0 != t {
            last = (t, new_tree(t));
        }
        last.1
    };
    while let Some(op) = next_op(&mut r)? {
        n += match op {
            Op::Load(..) => 0,
            Op::CreateTree(_) | Op::DropTree(_) => 2,
            Op::Put(t, ..) | Op::Delete(t, ..) | Op::Move(t, ..) => u64::from(!built(t)),
        };
    }
    Ok((n, ops.len() as u64))
}
/// Is this record given a timestamp when it is appended?
pub(crate) fn has_ts(record: &[u8]) -> bool {
    matches!(kind(record), COMMIT | COMMIT_LOADS | COMMIT_PREPARED) || is_large(record)
}
/// Does its timestamp lie ahead, and a Finish follow?
pub(crate) fn is_large(record: &[u8]) -> bool {
    matches!(kind(record), COMMIT_PARTS | COMMIT_LARGE_PREPARED)
}
/// The timestamp that stands in a record that has one.
pub(crate) fn ts_of(record: &[u8]) -> Result<u64> {
    Reader(record.get(TS_AT..).unwrap_or_default()).u64()
}
pub(crate) fn set_ts(record: &mut [u8], ts: u64) -> Result<()> {
    record[TS_AT..TS_AT + 8].copy_from_slice(&ts.to_le_bytes());
    if record[1] != COMMIT_LOADS {
        return Ok(());
    }
    let mut at = OPS_AT;
    while at < record.len() {
        let mut r = Reader(&record[at..]);
        let load = match next_op(&mut r)? {
            Some(Op::Load(_, _, v)) => Some(v.len()),
            _ => None,
        };
        // The value is the last thing in an operation.
        at = record.len() - r.0.len();
        if let Some(len) = load {
            if len < VALUE_HEADER {
                return Reader::damaged();
            }
            let value = at - len;
            record[value..value + 8].copy_from_slice(&ts.to_le_bytes());
        }
    }
    Ok(())
}

/// What a prepared transaction is, in the log and in a checkpoint alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PrepareBody {
    pub txn: u64,
    pub time: i64,
    pub gid: String,
    pub owner: String,
    pub database: String,
    pub ops: Vec<u8>,
    pub locks: Vec<u8>,
}
impl PrepareBody {
    /// The Prepare record.
    pub fn record(&self) -> Vec<u8> {
        let mut out = header(PREPARE, self.size());
        self.write(&mut out);
        out
    }
    /// At least the bytes of `write`.
    fn size(&self) -> usize {
        // Two numbers, and five lengths of at most ten bytes.
        16 + 5 * 10 + self.gid.len() + self.owner.len() + self.database.len() + self.ops.len() + self.locks.len()
    }
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.txn.to_le_bytes());
        out.extend_from_slice(&self.time.to_le_bytes());
        for b in [self.gid.as_bytes(), self.owner.as_bytes(), self.database.as_bytes(), &self.ops, &self.locks] {
            put_bytes(out, b);
        }
    }
    pub fn read(r: &mut Reader) -> Result<PrepareBody> {
        Ok(PrepareBody {
            txn: r.u64()?,
            time: r.u64()? as i64,
            gid: r.string()?,
            owner: r.string()?,
            database: r.string()?,
            ops: r.bytes()?.to_vec(),
            locks: r.bytes()?.to_vec(),
        })
    }
}

/// What a transaction holds that prepares `ops`. In a tree with an intent each of its entries is listed.
pub(crate) fn write_locks(held: &HeldLocks, ops: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(held.size_hint());
    let row = |out: &mut Vec<u8>, tree: TreeId, key: &[u8], mode: RowLock| {
        out.push(1);
        put_varint(out, tree.0);
        out.push(mode.code());
        put_bytes(out, key);
    };
    for (tree, key, mode) in held.rows() {
        row(&mut out, tree, key, mode);
    }
    let intents: Vec<TreeId> = held.intents().collect();
    let mut ops = Reader(if intents.is_empty() { &[] } else { ops });
    while let Some(op) = next_op(&mut ops)? {
        let (Op::Put(tree, key, _) | Op::Delete(tree, key) | Op::Move(tree, key, _)) = op else { continue };
        if intents.contains(&tree) && held.row(tree, key).is_none() {
            row(&mut out, tree, key, RowLock::Update);
        }
    }
    for (tree, lo, hi) in held.ranges() {
        out.push(2);
        put_varint(&mut out, tree.0);
        put_bytes(&mut out, lo);
        out.push(hi.is_some() as u8);
        if let Some(hi) = hi {
            put_bytes(&mut out, hi);
        }
    }
    for (tree, mode) in held.wholes() {
        out.push(4);
        put_varint(&mut out, tree.0);
        out.push(mode.code());
    }
    for (table, mode) in held.tables() {
        out.push(3);
        put_varint(&mut out, table);
        out.push(mode as u8);
    }
    Ok(out)
}
pub(crate) enum LockItem<'a> {
    Row(TreeId, RowLock, &'a [u8]),
    Range(TreeId, &'a [u8], Option<&'a [u8]>),
    Table(u64, TableLock),
    Whole(TreeId, RowLock),
}
pub(crate) fn next_lock<'a>(r: &mut Reader<'a>) -> Result<Option<LockItem<'a>>> {
    if r.is_empty() {
        return Ok(None);
    }
    let kind = r.u8()?;
    let n = r.varint()?;
    Ok(Some(match kind {
        1 => {
            let Some(mode) = RowLock::from_code(r.u8()?) else { return Reader::damaged() };
            LockItem::Row(TreeId(n), mode, r.bytes()?)
        }
        2 => {
            let lo = r.bytes()?;
            LockItem::Range(TreeId(n), lo, if r.u8()? != 0 { Some(r.bytes()?) } else { None })
        }
        3 => {
            let mode = r.u8()?;
            let Some(mode) = TableLock::ALL.iter().find(|m| **m as u8 == mode) else { return Reader::damaged() };
            LockItem::Table(n, *mode)
        }
        4 => {
            let Some(mode) = RowLock::from_code(r.u8()?) else { return Reader::damaged() };
            LockItem::Whole(TreeId(n), mode)
        }
        _ => return Reader::damaged(),
    }))
}

pub(crate) enum Record<'a> {
    Commit {
        ts: u64,
        txn: u64,
        ops: Reader<'a>,
    },
    Prepare(PrepareBody),
    CommitPrepared {
        ts: u64,
        gid: String,
    },
    AbortPrepared {
        gid: String,
    },
    Direct {
        puts: Reader<'a>,
    },
    /// Its operations begin at PART_OPS_AT.
    Part {
        txn: u64,
        seq: u32,
    },
    CommitParts {
        ts: u64,
        txn: u64,
        parts: u32,
    },
    Finish {
        ts: u64,
    },
    Forget {
        txn: u64,
    },
    Stamp,
}
pub(crate) fn read(bytes: &[u8]) -> Result<Record<'_>> {
    let mut r = Reader(bytes);
    let version = r.u8()?;
    if version != RECORD_VERSION {
        bail!(DATA_CORRUPTED, "log record has format version {version}, this program reads version {RECORD_VERSION}");
    }
    Ok(match r.u8()? {
        COMMIT | COMMIT_LOADS => Record::Commit { ts: r.u64()?, txn: r.u64()?, ops: r },
        PREPARE => Record::Prepare(PrepareBody::read(&mut r)?),
        COMMIT_PREPARED | COMMIT_LARGE_PREPARED => Record::CommitPrepared { ts: r.u64()?, gid: r.string()? },
        ABORT_PREPARED => Record::AbortPrepared { gid: r.string()? },
        DIRECT => Record::Direct { puts: r },
        PART => Record::Part { txn: r.u64()?, seq: r.u32()? },
        COMMIT_PARTS => Record::CommitParts { ts: r.u64()?, txn: r.u64()?, parts: r.u32()? },
        FINISH => Record::Finish { ts: r.u64()? },
        FORGET => Record::Forget { txn: r.u64()? },
        STAMP => Record::Stamp,
        _ => return Reader::damaged(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::{self, Rng};

    #[test]
    fn commit_round_trip() {
        let mut rec = commit_header(77, 10, true);
        push_op(&mut rec, Op::CreateTree(TreeId(300)));
        push_op(&mut rec, Op::Put(TreeId(300), b"k", &[7; 200]));
        push_op(&mut rec, Op::Delete(TreeId(u64::MAX), b""));
        push_op(&mut rec, Op::Load(TreeId(300), b"l", b"user"));
        push_op(&mut rec, Op::Move(TreeId(300), b"m", b"n"));
        push_op(&mut rec, Op::DropTree(TreeId(1)));
        assert!(has_ts(&rec));
        set_ts(&mut rec, 1 << 40).unwrap();
        let Record::Commit { ts, txn, mut ops } = read(&rec).unwrap() else { panic!() };
        assert_eq!((ts, txn), (1 << 40, 77));
        let mut seen = vec![];
        while let Some(op) = next_op(&mut ops).unwrap() {
            seen.push(match op {
                Op::CreateTree(t) => format!("create {}", t.0),
                Op::DropTree(t) => format!("drop {}", t.0),
                Op::Put(t, k, v) => format!("put {} {k:?} {}", t.0, v.len()),
                Op::Load(_, k, v) => format!("load {k:?} {:?}", crate::applier::split_value(v).unwrap()),
                Op::Delete(t, k) => format!("delete {} {k:?}", t.0),
                Op::Move(t, k, to) => format!("move {} {k:?} {to:?}", t.0),
            });
        }
        assert_eq!(
            seen,
            [
                "create 300",
                "put 300 [107] 200",
                "delete 18446744073709551615 []",
                "load [108] (1099511627776, false, [117, 115, 101, 114])",
                "move 300 [109] [110]",
                "drop 1"
            ]
        );
        for n in 18..rec.len() {
            // A cut record ends at an operation or is an error, never a panic.
            if let Ok(Record::Commit { mut ops, .. }) = read(&rec[..n]) {
                while let Ok(Some(_)) = next_op(&mut ops) {}
            }
        }
    }

    #[test]
    fn prepare_round_trip() {
        let body = PrepareBody {
            txn: 5,
            time: -9,
            gid: "g".into(),
            owner: "o".into(),
            database: "d".into(),
            ops: vec![1, 2],
            locks: vec![],
        };
        let mut rec = body.record();
        assert_eq!(rec.capacity(), header(PREPARE, body.size()).capacity());
        let Record::Prepare(b) = read(&rec).unwrap() else { panic!() };
        assert_eq!(b, body);
        assert!(read(&rec[..rec.len() - 1]).is_err());
        rec[0] = 9;
        assert!(read(&rec).is_err());
    }

    #[test]
    fn large_commit_round_trip() {
        let mut part = part_header(5, 7, 0);
        assert_eq!(part.len(), PART_OPS_AT);
        push_op(&mut part, Op::Delete(TreeId(300), b"k"));
        assert!(matches!(read(&part).unwrap(), Record::Part { txn: 5, seq: 7 }));
        let mut ops = Reader(&part[PART_OPS_AT..]);
        assert!(matches!(next_op(&mut ops).unwrap(), Some(Op::Delete(TreeId(300), b"k"))));
        let mut rec = commit_parts(5, 8);
        assert!(has_ts(&rec) && !has_ts(&part) && !has_ts(&finish(3)));
        set_ts(&mut rec, 1 << 50).unwrap();
        assert!(matches!(read(&rec).unwrap(), Record::CommitParts { ts, txn: 5, parts: 8 } if ts == 1 << 50));
        assert_eq!((kind(&finish(3)), ts_of(&finish(3)).unwrap()), (FINISH, 3));
        assert!(matches!(read(&finish(3)).unwrap(), Record::Finish { ts: 3 }));
    }

    #[test]
    fn stamps_say_their_time() {
        let s = stamp(-5);
        assert_eq!((time_of(&s), has_ts(&s)), (Some(-5), false));
        assert!(matches!(read(&s).unwrap(), Record::Stamp));
        assert_eq!((time_of(&s[..9]), time_of(&finish(3)), time_of(&[])), (None, None, None));
    }

    /// Random damage to valid records: an error or other content, never a panic.
    #[test]
    fn damaged_records_are_errors() {
        let mut ops = commit_header(77, 10, true);
        push_op(&mut ops, Op::CreateTree(TreeId(300)));
        push_op(&mut ops, Op::Put(TreeId(300), b"key", &[7; 200]));
        push_op(&mut ops, Op::Delete(TreeId(u64::MAX), b""));
        push_op(&mut ops, Op::Load(TreeId(300), b"l", b"user"));
        let locks = [1, 5, 2, 3, b'a', b'b', b'c', 2, 5, 1, b'a', 1, 1, b'z', 3, 9, 4].to_vec();
        let (gid, owner, database) = ("g".to_string(), "o".to_string(), "d".to_string());
        let body = PrepareBody { txn: 9, time: 1, gid, owner, database, ops: ops[OPS_AT..].to_vec(), locks };
        let prepare = body.record();
        let mut part = part_header(9, 3, 0);
        push_op(&mut part, Op::Put(TreeId(300), b"key", b"value"));
        let seeds = [
            ops,
            prepare,
            part,
            commit_prepared("gid", false),
            commit_prepared("gid", true),
            abort_prepared("gid"),
            direct(b"key", b"value"),
            commit_parts(9, 4),
            finish(8),
            forget(9),
            stamp(10),
        ];
        let r = &mut Rng::new(chance::seed(1));
        let all_ops = |mut r: Reader| while let Ok(Some(_)) = next_op(&mut r) {};
        let end = chance::end(if cfg!(miri) { 0 } else { 1 });
        while std::time::Instant::now() < end {
            let mut b = r.choose(&seeds).clone();
            for _ in 0..1 + r.below(4) {
                let at = r.index(b.len());
                match r.below(5) {
                    0 => b[at] ^= 1 << r.below(8),
                    1 => b[at] = *r.choose(&[0, 0x7f, 0x80, 0xff]),
                    2 => b.truncate(at.max(1)),
                    3 => b.insert(at, 0xff),
                    _ => drop(b.splice(at..at, [0xff; 9])),
                }
            }
            match read(&b) {
                Ok(Record::Commit { ops, .. }) => all_ops(ops),
                Ok(Record::Part { .. }) => all_ops(Reader(&b[PART_OPS_AT..])),
                Ok(Record::Prepare(p)) => {
                    all_ops(Reader(&p.ops));
                    let mut r = Reader(&p.locks);
                    while let Ok(Some(_)) = next_lock(&mut r) {}
                }
                _ => {}
            }
        }
    }
}
