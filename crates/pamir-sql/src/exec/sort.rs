//! Sorting: in memory while it fits into work_mem, then by merging sorted runs from a temporary file; top-N when a limit is known.
//!
//! ```text
//! run file:  [ run 0 | run 1 | ... ]     run: rows in order     row: u32 length, row::encode of (keys, carried slots)
//! ```
//! The file is unlinked as soon as it is open, so a crash leaves nothing behind.
use super::agg::order;
use super::expr;
use super::rows::{Charge, datum_size};
use super::{Op, Rt, ops};
use crate::plan::node::{KeySpec, LimitSpec};
use pamir_types::row::{self, RowRef};
use pamir_types::{Datum, Result, Type, err};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

pub fn compare_keys(a: &[Datum], b: &[Datum], keys: &[KeySpec]) -> Ordering {
    for ((x, y), k) in a.iter().zip(b).zip(keys) {
        let o = order(x, y, k.ty, k.desc, k.nulls_first);
        if o.is_ne() {
            return o;
        }
    }
    Ordering::Equal
}

/// Keys, then the carried slots.
type Row = Box<[Datum]>;

/// Above this many rows a limit is no longer worth a bounded sort.
const TOP_N_MAX: u64 = 10_000;
/// Read buffer of one run while merging.
const RUN_BUFFER: usize = 64 << 10;

pub struct Sort {
    input: Box<dyn Op>,
    keys: Arc<Vec<KeySpec>>,
    limit: Option<Arc<LimitSpec>>,
    slots: Vec<u32>,
    id: usize,
    rows: Vec<Row>,
    at: usize,
    charge: Charge,
    spill: Option<Spill>,
    merge: Vec<RunReader>,
}
impl Sort {
    pub fn new(
        input: Box<dyn Op>,
        keys: Arc<Vec<KeySpec>>,
        limit: Option<Arc<LimitSpec>>,
        slots: Vec<u32>,
        id: usize,
    ) -> Sort {
        Sort {
            input,
            keys,
            limit,
            slots,
            id,
            rows: Vec::new(),
            at: 0,
            charge: Charge::default(),
            spill: None,
            merge: Vec::new(),
        }
    }
    fn sort_rows(&mut self) {
        let keys = self.keys.clone();
        let n = keys.len();
        self.rows.sort_by(|a, b| compare_keys(&a[..n.min(a.len())], &b[..n.min(b.len())], &keys));
    }
}
impl Op for Sort {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.rows.clear();
        self.charge.clear();
        self.merge.clear();
        self.spill = None;
        self.at = 0;
        let keep = match &self.limit {
            Some(l) if l.ties.is_none() => match ops::limits(l, rt)? {
                (Some(n), skip) if n.saturating_add(skip) <= TOP_N_MAX => Some(n.saturating_add(skip) as usize),
                _ => None,
            },
            _ => None,
        };
        self.input.open(rt)?;
        if keep == Some(0) {
            return Ok(());
        }
        let keys = self.keys.clone();
        while self.input.next(rt)? {
            rt.tick()?;
            let mut r = Vec::with_capacity(keys.len() + self.slots.len());
            for k in keys.iter() {
                r.push(expr::eval(&k.e, rt)?);
            }
            // A row that sorts after the N best so far need not be carried.
            if let Some(n) = keep
                && self.rows.len() >= 2 * n
            {
                self.sort_rows();
                self.rows.truncate(n);
                if let Some(last) = self.rows.last()
                    && compare_keys(&r, &last[..keys.len()], &keys).is_ge()
                {
                    continue;
                }
            }
            r.extend(self.slots.iter().map(|s| rt.get(*s).clone()));
            if keep.is_none() {
                self.charge.add(r.iter().map(datum_size).sum(), rt.memory)?;
            }
            self.rows.push(r.into());
            if self.charge.bytes() as usize > rt.work_mem.max(RUN_BUFFER) {
                self.sort_rows();
                let types: Vec<Type> = keys
                    .iter()
                    .map(|k| k.ty)
                    .chain(
                        self.slots
                            .iter()
                            .map(|s| rt.st.root().slot_types.get(*s as usize).copied().unwrap_or(Type::UNKNOWN)),
                    )
                    .collect();
                let spill = match &mut self.spill {
                    Some(s) => s,
                    None => self.spill.insert(Spill::new(types)?),
                };
                spill.write_run(&self.rows)?;
                self.rows.clear();
                self.charge.clear();
            }
        }
        let bytes = self.charge.bytes();
        self.sort_rows();
        if let Some(n) = keep {
            self.rows.truncate(n);
        }
        let note = match &mut self.spill {
            None => format!(
                "Sort Method: {}  Memory: {}kB",
                if keep.is_some() { "top-N heapsort" } else { "quicksort" },
                bytes.div_ceil(1024).max(25)
            ),
            Some(s) => {
                s.write_run(&self.rows)?;
                self.rows.clear();
                self.charge.clear();
                self.merge = s.readers()?;
                format!("Sort Method: external merge  Disk: {}kB", s.bytes / 1024)
            }
        };
        rt.stat(self.id, |s| s.note = Some(note));
        Ok(())
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        let n = self.keys.len();
        if self.spill.is_some() {
            rt.tick()?;
            // Few runs: a linear search for the smallest head.
            let mut best: Option<usize> = None;
            for (i, r) in self.merge.iter().enumerate() {
                let Some(h) = &r.head else { continue };
                best = match best {
                    Some(b) => {
                        let hb = self.merge[b].head.as_deref().unwrap_or(&[]);
                        if compare_keys(&h[..n.min(h.len())], &hb[..n.min(hb.len())], &self.keys).is_lt() {
                            Some(i)
                        } else {
                            Some(b)
                        }
                    }
                    None => Some(i),
                };
            }
            let Some(b) = best else { return Ok(false) };
            let row = self.merge[b].take()?;
            for (s, d) in self.slots.iter().zip(row.into_iter().skip(n)) {
                rt.set(*s, d);
            }
            return Ok(true);
        }
        let Some(r) = self.rows.get_mut(self.at) else { return Ok(false) };
        self.at += 1;
        for (s, d) in self.slots.iter().zip(r.iter_mut().skip(n)) {
            rt.set(*s, std::mem::replace(d, Datum::Null));
        }
        Ok(true)
    }
}

fn io(e: std::io::Error) -> pamir_types::Error {
    if e.kind() == std::io::ErrorKind::StorageFull {
        err!(DISK_FULL, "could not write to temporary file: {e}")
    } else {
        err!(IO_ERROR, "temporary file: {e}")
    }
}

/// Sorted runs in one unlinked file.
struct Spill {
    file: File,
    types: Vec<Type>,
    runs: Vec<(u64, u64)>,
    bytes: u64,
}
impl Spill {
    fn new(types: Vec<Type>) -> Result<Spill> {
        static N: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let n = N.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pamir-sort-{}-{n}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path).map_err(io)?;
        std::fs::remove_file(&path).map_err(io)?;
        Ok(Spill { file, types, runs: Vec::new(), bytes: 0 })
    }
    fn write_run(&mut self, rows: &[Row]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.bytes)).map_err(io)?;
        let mut w = BufWriter::with_capacity(RUN_BUFFER, &self.file);
        let mut buf = Vec::new();
        let start = self.bytes;
        for r in rows {
            row::encode_row(0, r, &self.types, &mut buf)?;
            w.write_all(&(buf.len() as u32).to_le_bytes()).map_err(io)?;
            w.write_all(&buf).map_err(io)?;
            self.bytes += 4 + buf.len() as u64;
        }
        w.flush().map_err(io)?;
        drop(w);
        self.runs.push((start, self.bytes));
        Ok(())
    }
    fn readers(&self) -> Result<Vec<RunReader>> {
        let mut out = Vec::new();
        for (start, end) in &self.runs {
            let file = self.file.try_clone().map_err(io)?;
            let part = FilePart { file, at: *start, end: *end };
            let mut r =
                RunReader { input: BufReader::with_capacity(RUN_BUFFER, part), types: self.types.clone(), head: None };
            r.advance()?;
            out.push(r);
        }
        Ok(out)
    }
}
struct FilePart {
    file: File,
    at: u64,
    end: u64,
}
impl Read for FilePart {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        use std::os::unix::fs::FileExt;
        let n = buf.len().min((self.end - self.at) as usize);
        let got = self.file.read_at(&mut buf[..n], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}
struct RunReader {
    input: BufReader<FilePart>,
    types: Vec<Type>,
    head: Option<Vec<Datum>>,
}
impl RunReader {
    fn advance(&mut self) -> Result<()> {
        let mut len = [0u8; 4];
        match self.input.read_exact(&mut len) {
            Ok(()) => {}
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
                self.head = None;
                return Ok(());
            }
            Err(e) => return Err(io(e)),
        }
        let mut buf = vec![0; u32::from_le_bytes(len) as usize];
        self.input.read_exact(&mut buf).map_err(io)?;
        let r = RowRef(&buf);
        let mut out = Vec::with_capacity(self.types.len());
        for (i, t) in self.types.iter().enumerate() {
            out.push(r.datum(i, *t)?.unwrap_or(Datum::Null));
        }
        self.head = Some(out);
        Ok(())
    }
    fn take(&mut self) -> Result<Vec<Datum>> {
        let h = self.head.take().unwrap_or_default();
        self.advance()?;
        Ok(h)
    }
}
