//! Hash join: a table of the right side, probed with the left; by partitions when the table passes its budget.
//!
//! ```text
//! right rows --> table (in memory)                     fits: one batch, the left side streams past it
//!                  | past the budget: rows are divided by their hash ([`spill::FAN_OUT`] ways)
//!                  v
//!    partition 0 stays in memory | partitions 1.. on build tapes    left rows: of partition 0 probe at once,
//!                  | (if that passes the budget too: on a tape)      the others wait on probe tapes
//!                  v
//!    each pair of tapes is a join of its own, one level deeper, divided by other bits of the hash
//! ```
//! Hybrid hashing after DeWitt et al. ("Implementation Techniques for Main Memory Database Systems", SIGMOD 1984). Dividing does not help
//! against one key with more rows than fit, so a partition of a single hash, or one [`MAX_LEVEL`] deep, is joined in chunks: part of the
//! build rows at a time, the whole probe tape against each, with a bit for every probe row that has found a match so far.
//!
//! Outer joins: a left row is unmatched when its own partition (all chunks of it) is through; a right row when the probe rows of its partition
//! are. Left rows with a NULL key are unmatched at once; right ones are kept only where unmatched right rows are produced.
use super::join::{holds, nulls};
use super::rows::Rows;
use super::spill::{self, Cursor, FAN_OUT, Spill, Tape, partition};
use super::{Op, Rt};
use pamir_expr::expr;
use pamir_expr::expr::hash_index::{HashIndex, INDEX_BYTES, NONE, hash_row};
use pamir_expr::ir::JoinKind;
use pamir_expr::plan::node::JoinSpec;
use pamir_types::{Datum, Result};
use std::sync::Arc;

/// Partitions are divided this often before they are joined in chunks.
const MAX_LEVEL: u32 = 6;

/// The rows of one batch's build side: keys, then slots.
struct Table {
    rows: Rows,
    index: HashIndex,
}
impl Table {
    fn new(width: usize) -> Table {
        Table { rows: Rows::new(width), index: HashIndex::default() }
    }
    fn clear(&mut self) {
        self.rows.clear();
        self.index.clear();
    }
    fn bytes(&self) -> usize {
        self.rows.bytes() as usize + self.rows.len() * INDEX_BYTES
    }
}

/// One side of one partition on disk. `single`: all its hashes are alike.
struct Part {
    build: Tape,
    probe: Tape,
    first: Option<u64>,
    single: bool,
}
/// The batch in hand was divided: partition 0 is in the table if `resident`, all others are on tapes.
struct Split {
    level: u32,
    parts: Vec<Part>,
    resident: bool,
}
struct Pending {
    part: Part,
    level: u32,
}
/// A partition joined in chunks of its build side.
struct Chunks {
    build: Tape,
    at: Cursor,
    /// Which probe rows have matched.
    matched: Vec<u64>,
    last: bool,
}

pub struct HashJoin {
    left: Box<dyn Op>,
    right: Box<dyn Op>,
    spec: Arc<JoinSpec>,
    id: usize,
    table: Table,
    built: bool,
    spill: Option<Spill>,
    split: Option<Split>,
    pending: Vec<Pending>,
    /// Probe rows of a partition; None: the left input.
    source: Option<(Tape, Cursor)>,
    chunks: Option<Chunks>,
    /// Number of the probe row in its tape.
    probe_at: usize,
    probe: Vec<Datum>,
    row: Vec<Datum>,
    buf: Vec<u8>,
    chain: u32,
    active: bool,
    matched: bool,
    seen: Vec<bool>,
    tail: Option<usize>,
    done: bool,
    /// The left side's first row is there, not probed yet.
    first: bool,
    batches: usize,
    peak: usize,
}
impl HashJoin {
    pub fn new(left: Box<dyn Op>, right: Box<dyn Op>, spec: Arc<JoinSpec>, id: usize) -> HashJoin {
        HashJoin {
            table: Table::new(spec.right_keys.len() + spec.right_slots.len()),
            left,
            right,
            spec,
            id,
            built: false,
            spill: None,
            split: None,
            pending: Vec::new(),
            source: None,
            chunks: None,
            probe_at: 0,
            probe: Vec::new(),
            row: Vec::new(),
            buf: Vec::new(),
            chain: NONE,
            active: false,
            matched: false,
            seen: Vec::new(),
            tail: None,
            done: false,
            first: false,
            batches: 1,
            peak: 0,
        }
    }
    fn keep_right(&self) -> bool {
        matches!(self.spec.kind, JoinKind::Right | JoinKind::Full)
    }
    fn keep_left(&self) -> bool {
        matches!(self.spec.kind, JoinKind::Left | JoinKind::Full | JoinKind::Anti)
    }
    fn start(&mut self) {
        self.table.clear();
        self.split = None;
        self.pending.clear();
        self.source = None;
        self.chunks = None;
        self.batches = 1;
        self.peak = 0;
    }
    /// Reads the right input.
    fn fill(&mut self, rt: &mut Rt) -> Result<()> {
        let spec = self.spec.clone();
        self.start();
        self.right.open(rt)?;
        let keep = self.keep_right();
        let nk = spec.right_keys.len();
        let mut row = std::mem::take(&mut self.row);
        while self.right.next(rt)? {
            rt.tick()?;
            row.clear();
            for e in &spec.right_keys {
                row.push(expr::eval(e, rt)?);
            }
            // A NULL key never matches; it is kept only where unmatched rows are produced.
            if row.iter().any(Datum::is_null) && !keep {
                continue;
            }
            let h = hash_row(&row[..nk], &spec.key_types);
            row.extend(spec.right_slots.iter().map(|s| rt.get(*s).clone()));
            self.add(h, &mut row, 0, rt)?;
        }
        self.row = row;
        Ok(())
    }
    /// One row of the build side, to the table or to its partition's tape. Empties `row`.
    fn add(&mut self, h: u64, row: &mut Vec<Datum>, level: u32, rt: &Rt) -> Result<()> {
        if let Some(s) = &mut self.split {
            let p = partition(h, s.level);
            if p != 0 || !s.resident {
                return put_build(&mut s.parts[p], h, row, &mut self.buf);
            }
        }
        self.table.rows.add(row.drain(..), &rt.work.memory)?;
        self.table.index.add(h);
        let bytes = self.table.bytes();
        self.peak = self.peak.max(bytes);
        if bytes > rt.work.hash_mem { self.divide(level, rt) } else { Ok(()) }
    }
    /// The table passed its budget: only partition 0 stays, or nothing.
    #[cold]
    fn divide(&mut self, level: u32, rt: &Rt) -> Result<()> {
        let spill = match &self.spill {
            Some(s) => s.clone(),
            None => self.spill.insert(Spill::new(&rt.work.temp, rt.work.hash_mem)?).clone(),
        };
        let stays = match &mut self.split {
            Some(s) => {
                s.resident = false;
                false
            }
            None => {
                let part = || Part { build: spill.tape(), probe: spill.tape(), first: None, single: true };
                let parts = (0..FAN_OUT).map(|_| part()).collect();
                self.split = Some(Split { level, parts, resident: true });
                true
            }
        };
        let Some(s) = &mut self.split else { return Ok(()) };
        let old =
            std::mem::replace(&mut self.table, Table::new(self.spec.right_keys.len() + self.spec.right_slots.len()));
        for (i, h) in old.index.hashes().iter().enumerate() {
            let (row, p) = (old.rows.row(i), partition(*h, s.level));
            if p == 0 && stays {
                self.table.rows.add(row.iter().cloned(), &rt.work.memory)?;
                self.table.index.add(*h);
            } else {
                put_build(&mut s.parts[p], *h, row, &mut self.buf)?;
            }
        }
        Ok(())
    }
    /// The next probe row into the left slots, `probe` and `chain`; false at the end of this batch's.
    fn next_probe(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        loop {
            rt.tick()?;
            let h = match &mut self.source {
                None => {
                    // The first row's values are still in the left slots: the right side writes none of those.
                    if !std::mem::take(&mut self.first) && !self.left.next(rt)? {
                        return Ok(false);
                    }
                    self.probe.clear();
                    for e in &spec.left_keys {
                        let d = expr::eval(e, rt)?;
                        self.probe.push(d);
                    }
                    if self.probe.iter().any(Datum::is_null) {
                        self.chain = NONE;
                        return Ok(true);
                    }
                    hash_row(&self.probe, &spec.key_types)
                }
                Some((tape, at)) => {
                    let Some(frame) = at.next(tape)? else { return Ok(false) };
                    let h = spill::decode(frame, &mut self.row)?;
                    self.probe_at += 1;
                    self.probe.clear();
                    let mut it = self.row.drain(..);
                    self.probe.extend(it.by_ref().take(spec.left_keys.len()));
                    for (s, d) in spec.left_slots.iter().zip(it) {
                        rt.set(*s, d);
                    }
                    h
                }
            };
            if let Some(s) = &mut self.split {
                let p = partition(h, s.level);
                if p != 0 || !s.resident {
                    let part = &mut s.parts[p];
                    if part.build.is_empty() {
                        // Nothing there to meet.
                        self.chain = NONE;
                        return Ok(true);
                    }
                    let slots = spec.left_slots.iter().map(|s| rt.get(*s));
                    spill::encode(h, self.probe.iter().chain(slots), &mut self.buf)?;
                    part.probe.push(&self.buf)?;
                    continue;
                }
            }
            self.chain = self.table.index.first(h);
            return Ok(true);
        }
    }
    /// Sets up the next batch; false when there is none.
    fn next_batch(&mut self, rt: &mut Rt) -> Result<bool> {
        if let Some(c) = &self.chunks {
            if !c.last {
                return self.next_chunk(rt).map(|()| true);
            }
            self.chunks = None;
        }
        if self.split.is_none() && self.pending.is_empty() {
            // All was in the table, which serves again when nothing that it was made from has changed.
            return Ok(false);
        }
        self.table.clear();
        if let Some(s) = self.split.take() {
            let (level, keep) = (s.level + 1, self.keep_right());
            for part in s.parts.into_iter().rev() {
                if !part.build.is_empty() && (keep || !part.probe.is_empty()) {
                    self.pending.push(Pending { part, level });
                }
            }
        }
        let Some(Pending { part, level }) = self.pending.pop() else { return Ok(false) };
        self.batches += 1;
        self.source = Some((part.probe, Cursor::default()));
        self.probe_at = 0;
        if part.single || level >= MAX_LEVEL {
            let n = self.source.as_ref().map_or(0, |s| s.0.rows()) as usize;
            let matched = vec![0; n.div_ceil(64)];
            self.chunks = Some(Chunks { build: part.build, at: Cursor::default(), matched, last: false });
            self.next_chunk(rt)?;
            return Ok(true);
        }
        let (mut at, mut row) = (Cursor::default(), Vec::new());
        while let Some(frame) = at.next(&part.build)? {
            rt.tick()?;
            let h = spill::decode(frame, &mut row)?;
            self.add(h, &mut row, level, rt)?;
        }
        self.start_probing();
        Ok(true)
    }
    fn next_chunk(&mut self, rt: &mut Rt) -> Result<()> {
        self.table.clear();
        let Some(c) = &mut self.chunks else { return Ok(()) };
        let mut row = Vec::new();
        while self.table.rows.is_empty() || self.table.bytes() <= rt.work.hash_mem {
            let Some(frame) = c.at.next(&c.build)? else { break };
            rt.tick()?;
            let h = spill::decode(frame, &mut row)?;
            self.table.rows.add(row.drain(..), &rt.work.memory)?;
            self.table.index.add(h);
        }
        c.last = c.at.at() >= c.build.end();
        if let Some((_, at)) = &mut self.source {
            at.reset();
        }
        self.probe_at = 0;
        self.start_probing();
        Ok(())
    }
    fn start_probing(&mut self) {
        self.active = false;
        self.tail = None;
        self.seen.clear();
        if self.keep_right() {
            self.seen.resize(self.table.rows.len(), false);
        }
    }
    /// Did the probe row match in an earlier chunk?
    fn matched_before(&self) -> bool {
        let i = self.probe_at.wrapping_sub(1);
        self.chunks.as_ref().and_then(|c| c.matched.get(i / 64)).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }
    fn note_match(&mut self) {
        self.matched = true;
        let i = self.probe_at.wrapping_sub(1);
        if let Some(w) = self.chunks.as_mut().and_then(|c| c.matched.get_mut(i / 64)) {
            *w |= 1 << (i % 64);
        }
    }
    fn report(&self, rt: &mut Rt) {
        let (buckets, batches, kb) =
            (self.table.index.buckets().max(1024), self.batches, self.peak.div_ceil(1024).max(1));
        rt.stat(self.id, |s| {
            s.note = Some(format!("Buckets: {buckets}  Batches: {batches}  Memory Usage: {kb}kB"));
        });
    }
}
fn put_build(p: &mut Part, h: u64, row: &[Datum], buf: &mut Vec<u8>) -> Result<()> {
    p.single &= *p.first.get_or_insert(h) == h;
    spill::encode(h, row, buf)?;
    p.build.push(buf)
}

impl Op for HashJoin {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.done = false;
        self.first = false;
        let keep_right = self.keep_right();
        if self.spec.probe_first && !keep_right {
            self.left.open(rt)?;
            self.first = self.left.next(rt)?;
            if !self.first {
                // Nobody asks.
                self.done = true;
                return Ok(());
            }
        }
        // The right side does not depend on columns of the left; under a parameterized parent it may on others, so it is built anew. So is
        // one that went to tapes, which are read once.
        if !self.built || self.spec.lateral || self.spill.is_some() {
            self.spill = None;
            self.fill(rt)?;
            self.built = true;
        }
        self.start_probing();
        self.report(rt);
        if self.split.is_none() && self.table.rows.is_empty() && !self.keep_left() {
            // Nothing to meet, and no left row is wanted without.
            self.done = true;
            return Ok(());
        }
        if self.first { Ok(()) } else { self.left.open(rt) }
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let spec = self.spec.clone();
        let nk = spec.right_keys.len();
        while !self.done {
            if let Some(at) = self.tail {
                let unmatched = (at..self.table.rows.len()).find(|i| !self.seen.get(*i).copied().unwrap_or(true));
                if let Some(i) = unmatched {
                    for (s, d) in spec.right_slots.iter().zip(self.table.rows.row(i).iter().skip(nk)) {
                        rt.set(*s, d.clone());
                    }
                    nulls(&spec.left_slots, rt);
                    self.tail = Some(i + 1);
                    return Ok(true);
                }
                self.tail = Some(self.table.rows.len());
                if !self.next_batch(rt)? {
                    self.done = true;
                    self.report(rt);
                }
                continue;
            }
            if !self.active {
                if !self.next_probe(rt)? {
                    if self.keep_right() {
                        self.tail = Some(0);
                    } else if !self.next_batch(rt)? {
                        self.done = true;
                        self.report(rt);
                    }
                    continue;
                }
                self.active = true;
                self.matched = self.matched_before();
                if self.matched && matches!(spec.kind, JoinKind::Semi | JoinKind::Anti) {
                    self.active = false;
                    continue;
                }
            }
            while self.chain != NONE {
                let i = self.chain as usize;
                self.chain = self.table.index.after(self.chain);
                let row = self.table.rows.row(i);
                let same = row
                    .iter()
                    .zip(&self.probe)
                    .zip(&spec.key_types)
                    .all(|((a, b), t)| !a.is_null() && same_key(a, b, *t));
                if !same {
                    continue;
                }
                rt.tick()?;
                for (s, d) in spec.right_slots.iter().zip(row.iter().skip(nk)) {
                    rt.set(*s, d.clone());
                }
                if !holds(&spec, self.id, rt)? {
                    continue;
                }
                self.note_match();
                if let Some(s) = self.seen.get_mut(i) {
                    *s = true;
                }
                match spec.kind {
                    JoinKind::Semi => {
                        self.active = false;
                        return Ok(true);
                    }
                    JoinKind::Anti => {
                        self.chain = NONE;
                        break;
                    }
                    _ => return Ok(true),
                }
            }
            self.active = false;
            let last = self.chunks.as_ref().is_none_or(|c| c.last);
            if last && !self.matched && self.keep_left() {
                if spec.kind != JoinKind::Anti {
                    nulls(&spec.right_slots, rt);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}
/// Integers of different widths may meet.
#[inline]
fn same_key(a: &Datum, b: &Datum, ty: pamir_types::Type) -> bool {
    match (expr::int_of(a), expr::int_of(b)) {
        (Some(x), Some(y)) => x == y,
        _ => expr::compare(a, b, ty).is_eq(),
    }
}
