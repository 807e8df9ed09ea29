//! Rows kept to be read again, by any number of readers, while more come: materialized inputs, common table expressions, working tables,
//! RETURNING's rows.
//!
//! ```text
//! number    0 ............ on disk ............ k ...... in memory ...... n
//!           [ tape, in order, a mark every 64 ][ Rows                     ]
//! ```
//! Past work_mem, all rows in memory move to the tape's end. A [`Reader`] remembers the next row's number and its place in the tape; where
//! it does not know the place (it read from memory before), it starts from the last mark.
use super::rows::Rows;
use super::spill::{self, Cursor, Spill, Tape};
use super::{Rt, Work};
use pamir_types::{Datum, Result};

/// Rows between two marks.
const MARK_EVERY: usize = 64;

#[derive(Default)]
pub struct RowStore {
    memory: Rows,
    /// Rows on the tape.
    moved: usize,
    tape: Option<Tape>,
    marks: Vec<u64>,
    buf: Vec<u8>,
}
impl RowStore {
    pub fn new(width: usize) -> RowStore {
        RowStore { memory: Rows::new(width), ..RowStore::default() }
    }
    pub fn len(&self) -> usize {
        self.moved + self.memory.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn clear(&mut self) {
        self.memory.clear();
        self.moved = 0;
        self.tape = None;
        self.marks.clear();
    }
    /// Appends the current values of `slots`.
    pub fn push_slots(&mut self, slots: &[u32], rt: &Rt) -> Result<()> {
        self.memory.push_slots(slots, rt)?;
        if self.memory.bytes() as usize > rt.work.mem { self.flush(rt.work) } else { Ok(()) }
    }
    pub fn push(&mut self, row: impl IntoIterator<Item = Datum>, work: &Work) -> Result<()> {
        self.memory.add(row, &work.memory)?;
        if self.memory.bytes() as usize > work.mem { self.flush(work) } else { Ok(()) }
    }
    #[cold]
    fn flush(&mut self, work: &Work) -> Result<()> {
        let tape = match &mut self.tape {
            Some(t) => t,
            None => self.tape.insert(Spill::new(&work.temp, work.mem)?.tape()),
        };
        for i in 0..self.memory.len() {
            if (self.moved + i).is_multiple_of(MARK_EVERY) {
                self.marks.push(tape.end());
            }
            spill::encode(0, self.memory.row(i), &mut self.buf)?;
            tape.push(&self.buf)?;
        }
        self.moved += self.memory.len();
        self.memory.clear();
        Ok(())
    }
}

/// A place in a [`RowStore`].
#[derive(Default)]
pub struct Reader {
    at: usize,
    cursor: Cursor,
    /// The number of the row that `cursor` stands before.
    placed: usize,
    row: Vec<Datum>,
}
impl Reader {
    /// The number of the next row.
    pub fn at(&self) -> usize {
        self.at
    }
    /// To the first row, also of another store.
    pub fn rewind(&mut self) {
        self.at = 0;
        self.placed = 0;
        self.cursor.reset();
    }
    /// The next row; None at the (present) end.
    pub fn next<'a>(&'a mut self, s: &'a RowStore) -> Result<Option<&'a [Datum]>> {
        if self.at >= s.len() {
            return Ok(None);
        }
        let i = self.at;
        self.at += 1;
        if i >= s.moved {
            return Ok(Some(s.memory.row(i - s.moved)));
        }
        let Some(tape) = &s.tape else { return Ok(None) };
        if self.placed != i {
            let mark = i / MARK_EVERY;
            self.cursor.seek(s.marks.get(mark).copied().unwrap_or(0));
            for _ in mark * MARK_EVERY..i {
                self.cursor.next(tape)?;
            }
        }
        let Some(frame) = self.cursor.next(tape)? else { return Ok(None) };
        spill::decode(frame, &mut self.row)?;
        self.placed = i + 1;
        Ok(Some(&self.row))
    }
    /// The next row into `slots`; false at the end.
    pub fn load(&mut self, s: &RowStore, slots: &[u32], rt: &mut Rt) -> Result<bool> {
        let Some(row) = self.next(s)? else { return Ok(false) };
        for (s, d) in slots.iter().zip(row) {
            rt.set(*s, d.clone());
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::spill::{Quota, TempSpace};
    use super::*;
    use pamir_storage::disk::sim::SimDisk;
    use std::sync::Arc;

    /// Readers at different places, while rows move to disk under them, all see every row once and in order.
    #[test]
    fn readers_follow_rows_to_disk() {
        let temp = Arc::new(TempSpace::new(Arc::new(SimDisk::new(3)), Quota::new(u64::MAX), Default::default()));
        let memory = pamir_txn::MemoryAccount::root("test", 1 << 30);
        let work = Work { memory, mem: 4 << 10, hash_mem: 4 << 10, temp };
        let mut s = RowStore::new(2);
        let mut readers: Vec<Reader> = (0..5).map(|_| Reader::default()).collect();
        let check = |r: &mut Reader, s: &RowStore| {
            let at = r.at() as i64;
            match r.next(s).unwrap() {
                Some(row) => assert!(matches!(row, [Datum::Int8(i), Datum::Text(_)] if *i == at), "{row:?} at {at}"),
                None => assert_eq!(at as usize, s.len()),
            }
        };
        for i in 0..2000i64 {
            s.push([Datum::Int8(i), Datum::text("x".repeat(i as usize % 90))], &work).unwrap();
            for (k, r) in readers.iter_mut().enumerate() {
                // Reader 0 keeps up, the others read at other speeds, one starts again now and then.
                if k == 0 || (i as usize).is_multiple_of(k + 1) {
                    check(r, &s);
                }
                if k == 4 && i % 501 == 500 {
                    r.rewind();
                }
            }
        }
        assert!(work.temp.used() > 50 << 10);
        for r in &mut readers {
            while r.at() < s.len() {
                check(r, &s);
            }
            check(r, &s);
        }
        drop(s);
        assert_eq!(work.temp.used(), 0);
    }
}
