//! Multiranges: ranges in order with something between each two of them (multirangetypes.c).
//!
//! Invariants, kept by [`Multirange::new`]: no range is empty, they ascend, no two overlap or touch. So equal sets are equal item by item.
use crate::number_text::is_space;
use crate::range::Range;
use crate::text::TextCtx;
use crate::{Datum, Error, Oid, Result, err, oid, work};
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub struct Multirange {
    /// The multirange type.
    pub ty: Oid,
    pub ranges: Vec<Range>,
}
/// What it costs to compare two ranges.
const COMPARE: usize = 4;

impl Multirange {
    /// make_multirange: sorts and joins.
    pub fn new(ty: Oid, mut ranges: Vec<Range>) -> Result<Multirange> {
        work::charge(ranges.len() * COMPARE)?;
        ranges.retain(|r| !r.empty);
        ranges.sort_by(Range::compare);
        let mut out: Vec<Range> = Vec::with_capacity(ranges.len());
        for r in ranges {
            match out.last_mut() {
                Some(last) if last.overlaps(&r) || last.adjacent(&r)? => *last = last.merge(&r),
                _ => out.push(r),
            }
        }
        Ok(Multirange { ty, ranges: out })
    }
    /// The type of its ranges.
    pub fn range_type(&self) -> Oid {
        oid::range_of_multirange(self.ty).unwrap_or(0)
    }
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
    /// The least range that has all of them.
    pub fn span(&self) -> Range {
        match (self.ranges.first(), self.ranges.last()) {
            (Some(a), Some(b)) => Range { upper: b.upper.clone(), ..a.clone() },
            _ => Range::empty(self.range_type()),
        }
    }
    /// multirange_cmp
    pub fn compare(&self, other: &Multirange) -> Ordering {
        let pairs = self.ranges.iter().zip(&other.ranges);
        pairs
            .map(|(a, b)| a.compare(b))
            .find(|o| o.is_ne())
            .unwrap_or_else(|| self.ranges.len().cmp(&other.ranges.len()))
    }
    pub fn feed<H: std::hash::Hasher>(&self, h: &mut H) {
        h.write_usize(self.ranges.len());
        self.ranges.iter().for_each(|r| r.feed(h));
    }
    pub fn weight(&self) -> usize {
        self.ranges.iter().map(Range::weight).sum()
    }
    /// The first range that does not end before `r` begins.
    fn seek(&self, r: &Range) -> usize {
        self.ranges.partition_point(|m| m.before(r))
    }
    pub fn contains_value(&self, v: &Datum) -> bool {
        let behind = |m: &Range| !m.upper.is_endless() && crate::cmp::compare(&m.upper.value, v).is_lt();
        // The one before may end at the value, and the one found begin there.
        let at = self.ranges.partition_point(behind);
        self.ranges.iter().skip(at).take(2).any(|m| m.contains_value(v))
    }
    pub fn contains_range(&self, r: &Range) -> bool {
        r.empty || self.ranges.get(self.seek(r)).is_some_and(|m| m.contains(r))
    }
    pub fn contains(&self, other: &Multirange) -> Result<bool> {
        work::charge(other.ranges.len() * COMPARE)?;
        Ok(other.ranges.iter().all(|r| self.contains_range(r)))
    }
    pub fn overlaps_range(&self, r: &Range) -> bool {
        !r.empty && self.ranges.get(self.seek(r)).is_some_and(|m| m.overlaps(r))
    }
    pub fn overlaps(&self, other: &Multirange) -> Result<bool> {
        work::charge(other.ranges.len() * COMPARE)?;
        Ok(other.ranges.iter().any(|r| self.overlaps_range(r)))
    }
    pub fn union(&self, other: &Multirange) -> Result<Multirange> {
        Multirange::new(self.ty, self.ranges.iter().chain(&other.ranges).cloned().collect())
    }
    pub fn intersect(&self, other: &Multirange) -> Result<Multirange> {
        work::charge((self.ranges.len() + other.ranges.len()) * COMPARE)?;
        let (mut a, mut b) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut out = Vec::new();
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let both = x.intersect(y)?;
            if !both.empty {
                out.push(both);
            }
            if x.compare_upper(y).is_lt() {
                a.next()
            } else {
                b.next()
            };
        }
        Multirange::new(self.ty, out)
    }
    pub fn minus(&self, other: &Multirange) -> Result<Multirange> {
        work::charge((self.ranges.len() + other.ranges.len()) * COMPARE)?;
        let mut out = Vec::new();
        let mut b = other.ranges.iter().peekable();
        for r in &self.ranges {
            let mut rest = r.clone();
            while let Some(y) = b.peek() {
                if rest.empty || rest.before(y) {
                    break;
                }
                let (left, right) = rest.split(y)?;
                if !left.empty {
                    out.push(left);
                }
                // What goes on behind this range may hide of the next one too.
                let goes_on = y.compare_upper(r).is_gt();
                rest = right;
                if goes_on {
                    break;
                }
                b.next();
            }
            if !rest.empty {
                out.push(rest);
            }
        }
        Multirange::new(self.ty, out)
    }

    // ---- text ----------------------------------------------------------------------------------------------------

    /// multirange_in; `item` reads one range's text.
    pub fn parse(s: &str, ty: Oid, item: &mut dyn FnMut(&str) -> Result<Range>) -> Result<Multirange> {
        enum At {
            Before,
            In,
            Escaped,
            Quoted,
            QuotedEscaped,
            After,
        }
        let b = s.as_bytes();
        let mut at = b.iter().take_while(|c| is_space(**c)).count();
        if b.get(at) != Some(&b'{') {
            return Err(malformed(s, "Missing left brace."));
        }
        at += 1;
        let (mut state, mut begin, mut seen) = (At::Before, 0, false);
        let mut ranges = Vec::new();
        loop {
            let Some(&c) = b.get(at) else { return Err(malformed(s, "Unexpected end of input.")) };
            at += 1;
            if is_space(c) {
                continue;
            }
            state = match (state, c) {
                (At::Before, b'[' | b'(') => {
                    begin = at - 1;
                    At::In
                }
                (At::Before, b'}') if !seen => break,
                (At::Before, _) if b.get(at - 1..at + 4).is_some_and(|w| w.eq_ignore_ascii_case(b"empty")) => {
                    seen = true;
                    at += 4;
                    At::After
                }
                (At::Before, _) => return Err(malformed(s, "Expected range start.")),
                (At::In, b']' | b')') => {
                    seen = true;
                    ranges.push(item(&s[begin..at])?);
                    At::After
                }
                (At::In, b'"') => At::Quoted,
                (At::In, b'\\') => At::Escaped,
                (At::In | At::Escaped, _) => At::In,
                (At::Quoted, b'"') if b.get(at) == Some(&b'"') => {
                    at += 1;
                    At::Quoted
                }
                (At::Quoted, b'"') => At::In,
                (At::Quoted, b'\\') => At::QuotedEscaped,
                (At::Quoted | At::QuotedEscaped, _) => At::Quoted,
                (At::After, b',') => At::Before,
                (At::After, b'}') => break,
                (At::After, _) => return Err(malformed(s, "Expected comma or end of multirange.")),
            };
        }
        if b[at..].iter().any(|c| !is_space(*c)) {
            return Err(malformed(s, "Junk after closing right brace."));
        }
        Multirange::new(ty, ranges)
    }
    pub fn format(&self, cx: &TextCtx, out: &mut Vec<u8>) {
        out.push(b'{');
        for (i, r) in self.ranges.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            r.format(cx, out);
        }
        out.push(b'}');
    }
}

#[cold]
fn malformed(s: &str, detail: &str) -> Error {
    err!(INVALID_TEXT_REPRESENTATION, "malformed multirange literal: \"{s}\"").detail(detail)
}
