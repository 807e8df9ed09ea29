//! Ranges as keys: the relational interval tree (Kriegel, Pötke, Seidl: Managing Intervals Efficiently in Object-Relational Databases, VLDB 2000).
//!
//! The numbers from 0 to 2^64 - 1 are the nodes of a tree that nobody stores: its root is 2^63, a node's children are half as far from it as it is from its own parent.
//! An interval is kept at the highest of the nodes that it has, twice, so that those of a node are found by either end:
//! ```text
//!  VALUE | node 8 bytes | lower end 8 bytes           OTHER | node 8 bytes | upper end 8 bytes          most significant byte first
//!
//!  which of them overlap [a, b]?     node in a..=b                    all
//!                                    node above a in the tree, < a    those that end at a or later
//!                                    node above b in the tree, > b    those that begin at b or sooner
//! ```
//! That is one span of keys and at most 64 beside it, whatever is in the table.
//!
//! A value is a number by the first eight bytes of its key, which order as values do: values that are alike so far are one number. Whether a bound is within its range is
//! not looked at where it is kept. So more intervals seem to meet than do, never fewer, and the condition is tested again.
use super::{Need, OTHER, VALUE, encoded, of};
use pamir_types::range::{Bound, Range};
use pamir_types::{Datum, Oid, Result, oid};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub lower: u64,
    pub upper: u64,
}
/// The number of a value of type `ty`.
pub fn point(d: &Datum, ty: Oid) -> Result<u64> {
    // Behind the marker that it is no NULL.
    let key = encoded(d, ty)?;
    let mut first = [0; 8];
    first.iter_mut().zip(key.iter().skip(1)).for_each(|(to, from)| *to = *from);
    Ok(u64::from_be_bytes(first))
}
impl Interval {
    /// None: the range is empty.
    pub fn of(r: &Range) -> Result<Option<Interval>> {
        if r.empty {
            return Ok(None);
        }
        let ty = oid::range_subtype(r.ty).unwrap_or(oid::TEXT);
        let end = |b: &Bound, endless: u64| if b.is_endless() { Ok(endless) } else { point(&b.value, ty) };
        Ok(Some(Interval { lower: end(&r.lower, 0)?, upper: end(&r.upper, u64::MAX)? }))
    }
    /// What must meet the intervals of ranges that overlap this one: where a number is one value alone, a bound that is not within the range is left out.
    pub fn within(r: &Range) -> Result<Option<Interval>> {
        let Some(Interval { mut lower, mut upper }) = Interval::of(r)? else { return Ok(None) };
        let ty = oid::range_subtype(r.ty).unwrap_or(oid::TEXT);
        if matches!(ty, oid::INT4 | oid::INT8 | oid::DATE | oid::TIMESTAMP | oid::TIMESTAMPTZ) {
            let outside = |b: &Bound| !b.inclusive && !b.is_endless();
            // Between two times that follow each other there is room in a range, and none for a number.
            if outside(&r.upper) && upper > lower {
                upper -= 1;
            }
            if outside(&r.lower) && upper > lower {
                lower += 1;
            }
        }
        Ok(Some(Interval { lower, upper }))
    }
    /// The highest node within.
    pub fn node(self) -> u64 {
        let Some(bit) = (self.lower ^ self.upper).checked_ilog2() else { return self.lower };
        // The lower end itself, where it has no bit below that one; 0 is below all nodes.
        let below = u64::MAX >> (63 - bit);
        if self.lower != 0 && self.lower & below == 0 { self.lower } else { self.upper >> bit << bit }
    }
    fn end(self, at: u64) -> [u8; 16] {
        (u128::from(self.node()) << 64 | u128::from(at)).to_be_bytes()
    }
    pub fn lower_end(self) -> [u8; 16] {
        self.end(self.lower)
    }
    pub fn upper_end(self) -> [u8; 16] {
        self.end(self.upper)
    }
    /// Which keys the intervals have that overlap this one.
    pub fn overlapping(self, column: u8) -> Need {
        let at = |node: u64, end: u64| (u128::from(node) << 64 | u128::from(end)).to_be_bytes();
        let span = |what: u8, from: [u8; 16], to: [u8; 16]| Need::Span(of(column, what, &from), of(column, what, &to));
        // The nodes from the root down to a number, and 0, which has no node above it that it is not below.
        let above = |n: u64| (0..64u32).map(move |b| (n >> b | 1) << b);
        let mut needs = vec![span(VALUE, at(self.lower, 0), at(self.upper, u64::MAX))];
        for node in above(self.lower).filter(|n| *n < self.lower) {
            needs.push(span(OTHER, at(node, self.lower), at(node, u64::MAX)));
        }
        for node in above(self.upper).filter(|n| *n > self.upper) {
            needs.push(span(VALUE, at(node, 0), at(node, self.upper)));
        }
        needs.dedup();
        Need::some(needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamir_testkit::chance::Rng;

    /// Does an interval's key lie in one of the spans, as a scan would find it?
    fn met(i: Interval, need: &Need) -> bool {
        match need {
            Need::Some(1, needs) => needs.iter().any(|n| met(i, n)),
            Need::Span(from, to) => {
                let keys = [of(0, VALUE, &i.lower_end()), of(0, OTHER, &i.upper_end())];
                keys.iter().any(|k| from <= k && k <= to)
            }
            _ => false,
        }
    }
    #[test]
    fn spans_have_the_intervals_that_overlap_and_no_others() {
        let mut rng = Rng::new(5);
        for _ in 0..200_000 {
            // Near each other, anywhere, at the ends.
            let base = match rng.below(4) {
                0 => rng.next(),
                1 => u64::MAX - 20,
                2 => 1 << rng.below(64),
                _ => 0,
            };
            let width = 1 << rng.below(20);
            let mut draw = || {
                let a = base.saturating_add(rng.below(width)).saturating_sub(rng.below(width));
                let b = if rng.chance(9) { u64::MAX } else { a.saturating_add(rng.below(width)) };
                Interval { lower: if rng.chance(9) { 0 } else { a }, upper: b }
            };
            let (a, b) = (draw(), draw());
            assert!(a.lower <= a.node() && a.node() <= a.upper, "{a:?}");
            let overlap = a.lower <= b.upper && b.lower <= a.upper;
            assert_eq!(met(a, &b.overlapping(0)), overlap, "{a:?} {b:?}");
        }
    }
    /// No range that overlaps is missed, whatever bounds it has; ranges of times that only touch are not met where one of them begins the other.
    #[test]
    fn bounds_outside_are_left_out_and_nothing_else() {
        let mut rng = Rng::new(11);
        let types = [
            (oid::INT4RANGE, oid::INT4),
            (oid::INT8RANGE, oid::INT8),
            (oid::TSRANGE, oid::TIMESTAMP),
            (oid::DATERANGE, oid::DATE),
            (oid::NUMRANGE, oid::NUMERIC),
        ];
        let (mut overlap, mut spared) = (0, 0);
        for round in 0..40_000 {
            let (ty, sub) = types[round % types.len()];
            let value = |n: i64| match sub {
                oid::INT4 => Datum::Int4(n as i32),
                oid::INT8 => Datum::Int8(n),
                oid::DATE => Datum::Date(n as i32),
                oid::NUMERIC => Datum::Numeric(pamir_types::numeric::Numeric::from_i64(n)),
                _ => Datum::Timestamp(n),
            };
            let mut draw = || {
                let a = rng.below(12) as i64 - 6;
                let b = a + rng.below(5) as i64;
                let mut bound = |n| match rng.chance(9) {
                    true => Bound::ENDLESS,
                    false => Bound { value: value(n), inclusive: rng.chance(2) },
                };
                Range::new(ty, bound(a), bound(b)).unwrap()
            };
            let (stored, asked) = (draw(), draw());
            let (Some(at), Some(q)) = (Interval::of(&stored).unwrap(), Interval::within(&asked).unwrap()) else {
                continue;
            };
            let meets = met(at, &q.overlapping(0));
            assert!(meets || !stored.overlaps(&asked), "{stored:?} {asked:?}");
            overlap += u32::from(stored.overlaps(&asked));
            spared += u32::from(!meets && met(at, &Interval::of(&asked).unwrap().unwrap().overlapping(0)));
        }
        assert!(overlap > 10_000 && spared > 800, "{overlap} {spared}");
    }
}
