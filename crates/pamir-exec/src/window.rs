//! Window functions. The input comes sorted by partition, then order.
//!
//! Functions that need only the rows before the current one ([`streams`]: ranks, and aggregates over ROWS from the partition's start) run in one pass that
//! remembers the row before:
//!
//! ```text
//!   partition changed     all counters start again
//!   order key changed     rank = row number, dense rank + 1
//!   the same ("peer")     rank stays
//! ```
//! For all others a partition is collected first. A kept row is `[ input slots | order keys | values of call 0 | values of call 1 | ... ]`: what a call reads of *other*
//! rows (an aggregate's arguments, lag's value) is computed once when the row comes; what it reads of the current row (lag's offset) when that row is given out.
//!
//! ```text
//!   rows of the partition   0 1 2 3 4 5 6 7 8       groups of peers  [0 1] [2] [3 4 5] [6 7 8]
//!   frame of row 4                [s . . . e)       found by position (ROWS), by group (GROUPS), or by value, by binary search (RANGE)
//! ```
//! An aggregate's state goes along while its frame only grows at the end; rows that leave at the start are taken out of sums and counts of integers; everything else
//! starts again with each frame (as PostgreSQL does without an inverse transition), which a wide sliding frame feels.
//!
//! Limits: a partition is in memory, charged to the session (53200).
use super::rows::Rows;
use super::sort::compare_keys;
use super::{Op, Rt};
use pamir_expr::expr;
use pamir_expr::func::{AggState, CallInfo};
use pamir_expr::ir::{Exclude, FrameUnits, WindowFn};
use pamir_expr::plan::node::{FrameEnd, WindowOne, WindowSpec};
use pamir_expr::plan::zero_offset;
use pamir_types::{Datum, Result, bail};
use std::ops::Range;
use std::sync::Arc;

pub struct Window {
    input: Box<dyn Op>,
    spec: Arc<WindowSpec>,
    streaming: bool,
    /// Streaming: keys of the row before; None at the start.
    last: Option<Vec<Datum>>,
    row: i64,
    rank: i64,
    dense: i64,
    states: Vec<Option<Box<dyn AggState>>>,
    /// Collecting: the partition, and where its next row is.
    part: Partition,
    at: usize,
    /// The first row of the next partition: partition keys, kept row.
    next: Option<(Vec<Datum>, Vec<Datum>)>,
    ended: bool,
}

/// Does the function need no row but those before the current one?
fn streams(c: &WindowOne) -> bool {
    match c.f {
        WindowFn::RowNumber | WindowFn::Rank | WindowFn::DenseRank => true,
        WindowFn::Agg(_) => {
            c.units == FrameUnits::Rows
                && matches!(c.start, FrameEnd::Unbounded)
                && matches!(c.end, FrameEnd::Current)
                && c.exclude == Exclude::NoOthers
        }
        _ => false,
    }
}

impl Window {
    pub fn new(input: Box<dyn Op>, spec: Arc<WindowSpec>) -> Window {
        Window {
            input,
            streaming: spec.calls.iter().all(streams),
            part: Partition::new(&spec),
            spec,
            last: None,
            row: 0,
            rank: 0,
            dense: 0,
            states: Vec::new(),
            at: 0,
            next: None,
            ended: false,
        }
    }
    fn next_streaming(&mut self, rt: &mut Rt) -> Result<bool> {
        if !self.input.next(rt)? {
            return Ok(false);
        }
        let spec = self.spec.clone();
        let mut keys = Vec::with_capacity(spec.keys.len());
        for k in &spec.keys {
            keys.push(expr::eval(&k.e, rt)?);
        }
        let n = spec.parts.min(keys.len());
        let same = |last: &[Datum], from: usize, to: usize| match (last.get(from..to), spec.keys.get(from..to)) {
            (Some(l), Some(k)) => compare_keys(l, &keys[from..to], k).is_eq(),
            _ => false,
        };
        match &self.last {
            Some(l) if same(l, 0, n) => {
                self.row += 1;
                if !same(l, n, keys.len()) {
                    self.rank = self.row;
                    self.dense += 1;
                }
            }
            _ => {
                (self.row, self.rank, self.dense) = (1, 1, 1);
                self.states.clear();
                self.states.extend(spec.calls.iter().map(new_state));
            }
        }
        self.last = Some(keys);
        for (c, state) in spec.calls.iter().zip(&mut self.states) {
            let v = match (&c.f, state) {
                (WindowFn::Rank, _) => Datum::Int8(self.rank),
                (WindowFn::DenseRank, _) => Datum::Int8(self.dense),
                (WindowFn::Agg(_), Some(state)) => {
                    if let Some(args) = arguments(c, rt)? {
                        state.update(&args, rt.env)?;
                    }
                    state.current(rt.env)?
                }
                _ => Datum::Int8(self.row),
            };
            rt.set(c.slot, v);
        }
        Ok(true)
    }
    /// A row of the input as it is kept, with its partition's keys.
    fn read(&mut self, rt: &mut Rt) -> Result<Option<(Vec<Datum>, Vec<Datum>)>> {
        if let Some(n) = self.next.take() {
            // The partition given out stood in the input's slots, which it reads on from (the outer row of a nested loop).
            for (s, d) in self.spec.input.iter().zip(&n.1) {
                rt.set(*s, d.clone());
            }
            return Ok(Some(n));
        }
        if self.ended || !self.input.next(rt)? {
            self.ended = true;
            return Ok(None);
        }
        rt.tick()?;
        let spec = &self.spec;
        let mut keys = Vec::with_capacity(spec.parts);
        let mut row: Vec<Datum> = Vec::with_capacity(self.part.rows.width);
        row.extend(spec.input.iter().map(|s| rt.get(*s).clone()));
        for (i, k) in spec.keys.iter().enumerate() {
            let d = expr::eval(&k.e, rt)?;
            if i < spec.parts { keys.push(d) } else { row.push(d) }
        }
        for c in &spec.calls {
            match c.f {
                WindowFn::Agg(_) => match arguments(c, rt)? {
                    Some(args) => {
                        row.push(Datum::Bool(true));
                        row.extend(args);
                    }
                    None => {
                        row.push(Datum::Bool(false));
                        row.extend(c.args.iter().map(|_| Datum::Null));
                    }
                },
                _ if reads_rows(&c.f) => {
                    if let Some(a) = c.args.first() {
                        row.push(expr::eval(a, rt)?);
                    }
                }
                _ => {}
            }
            if let Some((k, _)) = &c.key {
                row.push(expr::eval(k, rt)?);
            }
        }
        Ok(Some((keys, row)))
    }
    /// Collects the next partition; false: there is none.
    fn collect(&mut self, rt: &mut Rt) -> Result<bool> {
        self.part.clear();
        self.at = 0;
        let spec = self.spec.clone();
        let Some((keys, row)) = self.read(rt)? else { return Ok(false) };
        self.part.rows.push(row, rt)?;
        while let Some((k, row)) = self.read(rt)? {
            if compare_keys(&keys, &k, &spec.keys[..spec.parts.min(spec.keys.len())]).is_ne() {
                self.next = Some((k, row));
                break;
            }
            self.part.rows.push(row, rt)?;
        }
        self.part.find_groups(&spec);
        Ok(true)
    }
}
impl Op for Window {
    fn open(&mut self, rt: &mut Rt) -> Result<()> {
        self.last = None;
        self.part.clear();
        self.at = 0;
        self.next = None;
        self.ended = false;
        self.input.open(rt)
    }
    fn next(&mut self, rt: &mut Rt) -> Result<bool> {
        if self.streaming {
            return self.next_streaming(rt);
        }
        if self.at >= self.part.rows.len() && !self.collect(rt)? {
            return Ok(false);
        }
        let spec = self.spec.clone();
        let i = self.at;
        self.at += 1;
        rt.tick()?;
        // The row's own columns first: offsets and defaults are computed from them.
        self.part.rows.load(i, &spec.input, rt);
        for (n, c) in spec.calls.iter().enumerate() {
            let v = self.part.value(n, c, i, &spec, rt)?;
            rt.set(c.slot, v);
        }
        Ok(true)
    }
}

fn new_state(c: &WindowOne) -> Option<Box<dyn AggState>> {
    match &c.f {
        WindowFn::Agg(f) => Some(f.begin(&CallInfo { arg_types: &c.arg_types, ret: c.ret })),
        _ => None,
    }
}
/// The arguments of an aggregate for the current row; None: the row does not count.
fn arguments(c: &WindowOne, rt: &mut Rt) -> Result<Option<Vec<Datum>>> {
    if let Some(f) = &c.filter
        && expr::eval_bool(f, rt)? != Some(true)
    {
        return Ok(None);
    }
    let mut args = Vec::with_capacity(c.args.len());
    for a in &c.args {
        args.push(expr::eval(a, rt)?);
    }
    let strict = matches!(&c.f, WindowFn::Agg(f) if f.strict);
    Ok((!strict || !args.iter().any(Datum::is_null)).then_some(args))
}
/// Functions whose first argument is a value of another row.
fn reads_rows(f: &WindowFn) -> bool {
    matches!(f, WindowFn::Lag | WindowFn::Lead | WindowFn::FirstValue | WindowFn::LastValue | WindowFn::NthValue)
}

/// What a call remembers within a partition.
#[derive(Default)]
struct CallState {
    agg: Option<Box<dyn AggState>>,
    /// The rows in `agg`.
    fed: Range<usize>,
    /// The result over `fed`.
    result: Option<Datum>,
    /// Frame offsets by position, evaluated once: start, end.
    offsets: [Option<usize>; 2],
    /// ntile's argument, from the partition's first row.
    buckets: Option<Option<i64>>,
}

/// The rows of one partition.
struct Partition {
    rows: Rows,
    /// Each row's group of peers, and where the groups begin; one more entry: the end.
    group_of: Vec<u32>,
    starts: Vec<usize>,
    states: Vec<CallState>,
    /// Where each call's values stand in a row, and its ordering value (RANGE with an offset).
    places: Vec<(usize, usize)>,
}
impl Partition {
    fn new(spec: &WindowSpec) -> Partition {
        let mut at = spec.input.len() + spec.keys.len().saturating_sub(spec.parts);
        let mut places = Vec::with_capacity(spec.calls.len());
        for c in &spec.calls {
            let values = match &c.f {
                WindowFn::Agg(_) => 1 + c.args.len(),
                f if reads_rows(f) => 1,
                _ => 0,
            };
            places.push((at, at + values));
            at += values + usize::from(c.key.is_some());
        }
        Partition { rows: Rows::new(at), group_of: Vec::new(), starts: Vec::new(), states: Vec::new(), places }
    }
    fn clear(&mut self) {
        self.rows.clear();
        self.group_of.clear();
        self.starts.clear();
        self.states.clear();
        self.states.resize_with(self.places.len(), CallState::default);
    }
    fn find_groups(&mut self, spec: &WindowSpec) {
        let keys = spec.keys.get(spec.parts..).unwrap_or(&[]);
        let at = spec.input.len();
        let key = |i: usize| self.rows.row(i).get(at..at + keys.len()).unwrap_or(&[]);
        for i in 0..self.rows.len() {
            if i == 0 || compare_keys(key(i - 1), key(i), keys).is_ne() {
                self.starts.push(i);
            }
            self.group_of.push(self.starts.len() as u32 - 1);
        }
        self.starts.push(self.rows.len());
    }
    /// The rows of row `i`'s group.
    fn peers(&self, i: usize) -> Range<usize> {
        let g = self.group_of.get(i).map_or(0, |g| *g as usize);
        self.group(g)
    }
    fn group(&self, g: usize) -> Range<usize> {
        match self.starts.get(g..g + 2) {
            Some(&[a, b]) => a..b,
            _ => self.rows.len()..self.rows.len(),
        }
    }
    /// The value that call `n` keeps of row `i`.
    fn kept(&self, n: usize, i: usize) -> Datum {
        self.rows.row(i).get(self.places[n].0).cloned().unwrap_or(Datum::Null)
    }

    /// The value of call `n` for row `i`, which is loaded.
    fn value(&mut self, n: usize, c: &WindowOne, i: usize, spec: &WindowSpec, rt: &mut Rt) -> Result<Datum> {
        let len = self.rows.len();
        let group = self.group_of.get(i).map_or(0, |g| *g as i64);
        Ok(match c.f {
            WindowFn::RowNumber => Datum::Int8(i as i64 + 1),
            WindowFn::Rank => Datum::Int8(self.peers(i).start as i64 + 1),
            WindowFn::DenseRank => Datum::Int8(group + 1),
            WindowFn::PercentRank if len <= 1 => Datum::Float8(0.0),
            WindowFn::PercentRank => Datum::Float8(self.peers(i).start as f64 / (len - 1) as f64),
            WindowFn::CumeDist => Datum::Float8(self.peers(i).end as f64 / len as f64),
            WindowFn::Ntile => self.ntile(n, c, i, rt)?,
            WindowFn::Lag | WindowFn::Lead => {
                let by = match c.args.get(1).map(|a| expr::eval(a, rt)).transpose()? {
                    None => 1,
                    Some(Datum::Int4(by)) => i64::from(by),
                    Some(_) => return Ok(Datum::Null),
                };
                let to = i as i64 + if matches!(c.f, WindowFn::Lead) { by } else { -by };
                match (usize::try_from(to), c.args.get(2)) {
                    (Ok(to), _) if to < len => self.kept(n, to),
                    (_, Some(default)) => expr::eval(default, rt)?,
                    (_, None) => Datum::Null,
                }
            }
            WindowFn::FirstValue | WindowFn::LastValue | WindowFn::NthValue => {
                let nth = match (&c.f, c.args.get(1)) {
                    (WindowFn::NthValue, Some(a)) => match expr::eval(a, rt)? {
                        Datum::Int4(v) if v > 0 => v as usize,
                        Datum::Int4(_) => {
                            bail!(INVALID_ARGUMENT_FOR_NTH_VALUE, "argument of nth_value must be greater than zero")
                        }
                        _ => return Ok(Datum::Null),
                    },
                    _ => 1,
                };
                let frame = self.frame(n, c, i, spec, rt)?;
                let left_out = self.left_out(c.exclude, i);
                let found = match c.f {
                    _ if c.exclude == Exclude::NoOthers => match c.f {
                        WindowFn::LastValue => frame.last(),
                        _ => frame.start.checked_add(nth - 1).filter(|j| *j < frame.end),
                    },
                    WindowFn::LastValue => frame.rev().find(|j| !left_out(*j)),
                    _ => frame.filter(|j| !left_out(*j)).nth(nth - 1),
                };
                found.map_or(Datum::Null, |j| self.kept(n, j))
            }
            WindowFn::Agg(_) => self.aggregate(n, c, i, spec, rt)?,
        })
    }
    fn ntile(&mut self, n: usize, c: &WindowOne, i: usize, rt: &mut Rt) -> Result<Datum> {
        if self.states[n].buckets.is_none() {
            let v = c.args.first().map(|a| expr::eval(a, rt)).transpose()?;
            self.states[n].buckets = Some(match v {
                Some(Datum::Int4(b)) if b <= 0 => {
                    bail!(INVALID_ARGUMENT_FOR_NTILE, "argument of ntile must be greater than zero")
                }
                Some(Datum::Int4(b)) => Some(i64::from(b)),
                _ => None,
            });
        }
        let Some(Some(buckets)) = self.states[n].buckets else { return Ok(Datum::Null) };
        // The first `larger` buckets have one row more than the others.
        let (rows, i) = (self.rows.len() as i64, i as i64);
        let (size, larger) = (rows / buckets, rows % buckets);
        let in_larger = larger * (size + 1);
        let b = if i < in_larger { i / (size + 1) } else { larger + (i - in_larger) / size.max(1) };
        Ok(Datum::Int4((b + 1) as i32))
    }

    /// Which rows of the frame do not count.
    fn left_out(&self, exclude: Exclude, i: usize) -> impl Fn(usize) -> bool + use<> {
        let peers = self.peers(i);
        move |j| match exclude {
            Exclude::NoOthers => false,
            Exclude::CurrentRow => j == i,
            Exclude::Group => peers.contains(&j),
            Exclude::Ties => j != i && peers.contains(&j),
        }
    }

    /// The frame of row `i`, exclusion apart.
    fn frame(&mut self, n: usize, c: &WindowOne, i: usize, spec: &WindowSpec, rt: &mut Rt) -> Result<Range<usize>> {
        let len = self.rows.len();
        let start = match &c.start {
            FrameEnd::Unbounded => 0,
            FrameEnd::Current if c.units == FrameUnits::Rows => i,
            FrameEnd::Current => self.peers(i).start,
            FrameEnd::Offset { value: Some(_), .. } => self.by_value(n, c, true, i, spec, rt)?,
            FrameEnd::Offset { following, .. } => {
                let k = self.offset(n, c, true, rt)?;
                match (c.units, following) {
                    (FrameUnits::Rows, false) => i.saturating_sub(k),
                    (FrameUnits::Rows, true) => i.saturating_add(k).min(len),
                    (_, false) => self.group(self.group_number(i).saturating_sub(k)).start,
                    (_, true) => self.group(self.group_number(i).saturating_add(k)).start,
                }
            }
        };
        let end = match &c.end {
            FrameEnd::Unbounded => len,
            FrameEnd::Current if c.units == FrameUnits::Rows => i + 1,
            FrameEnd::Current => self.peers(i).end,
            FrameEnd::Offset { value: Some(_), .. } => self.by_value(n, c, false, i, spec, rt)?,
            FrameEnd::Offset { following, .. } => {
                let k = self.offset(n, c, false, rt)?;
                match (c.units, following) {
                    (FrameUnits::Rows, false) => (i + 1).saturating_sub(k),
                    (FrameUnits::Rows, true) => (i + 1).saturating_add(k).min(len),
                    (_, false) => self.group_number(i).checked_sub(k).map_or(0, |g| self.group(g).end),
                    (_, true) => self.group(self.group_number(i).saturating_add(k)).end,
                }
            }
        };
        Ok(start..end.max(start))
    }
    fn group_number(&self, i: usize) -> usize {
        self.group_of.get(i).map_or(0, |g| *g as usize)
    }
    /// The offset of ROWS or GROUPS.
    fn offset(&mut self, n: usize, c: &WindowOne, start: bool, rt: &mut Rt) -> Result<usize> {
        let which = usize::from(!start);
        if let Some(k) = self.states[n].offsets[which] {
            return Ok(k);
        }
        let FrameEnd::Offset { e, .. } = (if start { &c.start } else { &c.end }) else { return Ok(0) };
        let name = if start { "starting" } else { "ending" };
        let k = match expr::eval(e, rt)? {
            Datum::Int8(k) if k < 0 => {
                bail!(INVALID_PRECEDING_OR_FOLLOWING_SIZE, "frame {name} offset must not be negative")
            }
            Datum::Int8(k) => usize::try_from(k).unwrap_or(usize::MAX),
            _ => bail!(NULL_VALUE_NOT_ALLOWED, "frame {name} offset must not be null"),
        };
        self.states[n].offsets[which] = Some(k);
        Ok(k)
    }
    /// RANGE with an offset: where the frame of row `i` begins or ends.
    fn by_value(
        &mut self,
        n: usize,
        c: &WindowOne,
        start: bool,
        i: usize,
        spec: &WindowSpec,
        rt: &mut Rt,
    ) -> Result<usize> {
        let FrameEnd::Offset { e, ty, value: Some(value), .. } = (if start { &c.start } else { &c.end }) else {
            return Ok(0);
        };
        let (Some((_, key_ty)), Some(order)) = (&c.key, spec.keys.get(spec.parts)) else { return Ok(0) };
        if self.states[n].offsets[usize::from(!start)].is_none() {
            let d = expr::eval(e, rt)?;
            if d.is_null() {
                let name = if start { "starting" } else { "ending" };
                bail!(NULL_VALUE_NOT_ALLOWED, "frame {name} offset must not be null");
            }
            if is_nan(&d) || expr::compare(&d, &zero_offset(*ty), *ty).is_lt() {
                bail!(INVALID_PRECEDING_OR_FOLLOWING_SIZE, "invalid preceding or following size in window function");
            }
            self.states[n].offsets[usize::from(!start)] = Some(0);
        }
        let at = self.places[n].1;
        let key = |j: usize| self.rows.row(j).get(at).unwrap_or(&Datum::Null);
        // NULLs are peers of each other, and near nothing else.
        if key(i).is_null() {
            let p = self.peers(i);
            return Ok(if start { p.start } else { p.end });
        }
        let len = self.rows.len();
        let (mut lo, mut hi) = (0, len);
        if order.nulls_first {
            lo = partition_point(0, len, |j| key(j).is_null());
        } else {
            hi = partition_point(0, len, |j| !key(j).is_null());
        }
        let bound = expr::eval(value, rt)?;
        // An infinity less an infinity: every number is near enough, and NaN stands above them.
        if is_nan(&bound) && !is_nan(key(i)) {
            return Ok(match (start, order.desc) {
                (true, false) => lo,
                (true, true) => partition_point(lo, hi, |j| is_nan(key(j))),
                (false, false) => partition_point(lo, hi, |j| !is_nan(key(j))),
                (false, true) => hi,
            });
        }
        Ok(partition_point(lo, hi, |j| {
            let o = expr::compare(key(j), &bound, *key_ty);
            let o = if order.desc { o.reverse() } else { o };
            if start { o.is_lt() } else { o.is_le() }
        }))
    }

    fn aggregate(&mut self, n: usize, c: &WindowOne, i: usize, spec: &WindowSpec, rt: &mut Rt) -> Result<Datum> {
        let frame = self.frame(n, c, i, spec, rt)?;
        let at = self.places[n].0;
        let mut st = std::mem::take(&mut self.states[n]);
        let r = self.advance(&mut st, c, i, frame, at, rt);
        self.states[n] = st;
        r
    }
    fn advance(
        &self,
        st: &mut CallState,
        c: &WindowOne,
        i: usize,
        frame: Range<usize>,
        at: usize,
        rt: &mut Rt,
    ) -> Result<Datum> {
        let nargs = c.args.len();
        // The arguments of row j, if it counts.
        let args = |j: usize| match self.rows.row(j).get(at..at + 1 + nargs) {
            Some([Datum::Bool(true), args @ ..]) => Some(args),
            _ => None,
        };
        if c.exclude != Exclude::NoOthers {
            let left_out = self.left_out(c.exclude, i);
            let Some(mut state) = new_state(c) else { return Ok(Datum::Null) };
            for j in frame.filter(|j| !left_out(*j)) {
                if let Some(a) = args(j) {
                    state.update(a, rt.env)?;
                }
                rt.tick()?;
            }
            return state.finish(rt.env);
        }
        if let Some(r) = &st.result
            && st.fed == frame
        {
            return Ok(r.clone());
        }
        let mut fed = st.fed.clone();
        let mut agg =
            st.agg.take().filter(|_| frame.start >= fed.start && frame.start <= fed.end && frame.end >= fed.end);
        while let Some(state) = &mut agg
            && fed.start < frame.start
        {
            if let Some(a) = args(fed.start)
                && !state.remove(a)?
            {
                agg = None;
                break;
            }
            fed.start += 1;
        }
        let mut state = match agg {
            Some(s) => s,
            None => {
                fed = frame.start..frame.start;
                let Some(s) = new_state(c) else { return Ok(Datum::Null) };
                s
            }
        };
        for j in fed.end..frame.end {
            if let Some(a) = args(j) {
                state.update(a, rt.env)?;
            }
            rt.tick()?;
        }
        let r = state.current(rt.env)?;
        st.agg = Some(state);
        st.fed = frame;
        st.result = Some(r.clone());
        Ok(r)
    }
}

fn is_nan(d: &Datum) -> bool {
    match d {
        Datum::Float4(v) => v.is_nan(),
        Datum::Float8(v) => v.is_nan(),
        Datum::Numeric(v) => v.is_nan(),
        _ => false,
    }
}

/// The first position in [lo, hi) where `before` no longer holds.
fn partition_point(mut lo: usize, mut hi: usize, before: impl Fn(usize) -> bool) -> usize {
    while lo < hi {
        let mid = lo + (hi - lo) / 2;
        if before(mid) { lo = mid + 1 } else { hi = mid }
    }
    lo
}
