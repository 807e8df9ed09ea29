//! Paths, polygons and circles: what lies within them, what they cross, how far they are.
//!
//! Pairs of sides are looked at one by one, as PostgreSQL does; each charges work.
use super::float::{self, add, div, hypot, mul, sub};
use super::shape::Segment;
use super::{Circle, Lseg, Path, Point, Polygon, Rect};
use crate::{Result, bail, work};

/// What one look at a side, or a pair of them, costs.
const SIDE: usize = 8;
/// How often [`Polygon::contains_segment`] may cut a segment in a row: stacks are small.
const MAX_CUTS: usize = 200;

/// Where a point is beside a polygon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Outside,
    Inside,
    Border,
}
/// lseg_crossing: how often, and in which direction, the side crosses the positive x axis, in halves; None: it goes through the origin.
fn crossing(x: f64, y: f64, prev_x: f64, prev_y: f64) -> Result<Option<i64>> {
    if float::zero(y) {
        if float::zero(x) {
            return Ok(None);
        }
        if float::gt(x, 0.0) {
            if float::zero(prev_y) {
                return Ok(float::gt(prev_x, 0.0).then_some(0));
            }
            return Ok(Some(if float::lt(prev_y, 0.0) { 1 } else { -1 }));
        }
        if float::zero(prev_y) {
            return Ok(float::lt(prev_x, 0.0).then_some(0));
        }
        return Ok(Some(0));
    }
    let up = float::gt(y, 0.0);
    let sign = if up { 1 } else { -1 };
    if float::zero(prev_y) {
        return Ok(Some(if float::lt(prev_x, 0.0) { 0 } else { sign }));
    }
    if (!up && float::lt(prev_y, 0.0)) || (up && float::gt(prev_y, 0.0)) {
        return Ok(Some(0));
    }
    if float::ge(x, 0.0) && float::gt(prev_x, 0.0) {
        return Ok(Some(2 * sign));
    }
    if float::lt(x, 0.0) && float::le(prev_x, 0.0) {
        return Ok(Some(0));
    }
    let z = sub(mul(sub(x, prev_x)?, y)?, mul(sub(y, prev_y)?, x)?)?;
    if float::zero(z) {
        return Ok(None);
    }
    let same = (!up && float::lt(z, 0.0)) || (up && float::gt(z, 0.0));
    Ok(Some(if same { 0 } else { 2 * sign }))
}
/// point_inside
pub fn place(p: &Point, points: &[Point]) -> Result<Place> {
    let Some(first) = points.first() else { return Ok(Place::Outside) };
    let first = first.minus(p)?;
    let (mut prev, mut total) = (first, 0);
    for q in points[1..].iter().map(|q| q.minus(p)).chain([Ok(first)]) {
        work::charge(SIDE)?;
        let q = q?;
        match crossing(q.x, q.y, prev.x, prev.y)? {
            None => return Ok(Place::Border),
            Some(n) => total += n,
        }
        prev = q;
    }
    Ok(if total != 0 { Place::Inside } else { Place::Outside })
}
/// The segments of what is closed, beginning with the one that closes it, or of what is open.
fn segments(points: &[Point], closed: bool) -> impl Iterator<Item = Lseg> {
    let closing = points.last().zip(points.first()).filter(|_| closed).map(|(l, f)| [*l, *f]);
    closing.into_iter().chain(points.windows(2).map(|w| [w[0], w[1]]))
}
fn any_meet(a: &[Point], a_closed: bool, b: &[Point], b_closed: bool) -> Result<bool> {
    for s in segments(a, a_closed) {
        for t in segments(b, b_closed) {
            work::charge(SIDE)?;
            if s.meets(&t)?.is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
fn least_between(a: &[Point], a_closed: bool, b: &[Point], b_closed: bool) -> Result<Option<f64>> {
    let mut least = None;
    for s in segments(a, a_closed) {
        for t in segments(b, b_closed) {
            work::charge(SIDE)?;
            let d = s.nearest_to(&t)?.0;
            if least.is_none_or(|l| float::less(d, l)) {
                least = Some(d);
            }
        }
    }
    Ok(least)
}
fn least_to(all: impl Iterator<Item = Lseg>, p: &Point) -> Result<Option<f64>> {
    let mut least = None;
    for s in all {
        work::charge(SIDE)?;
        let d = s.nearest(p)?.0;
        if least.is_none_or(|l| float::less(d, l)) {
            least = Some(d);
        }
    }
    Ok(least)
}
fn each(points: &[Point], f: impl Fn(&Point) -> Result<Point>) -> Result<Vec<Point>> {
    points.iter().map(f).collect()
}

impl Path {
    pub fn area(&self) -> Result<Option<f64>> {
        if !self.closed {
            return Ok(None);
        }
        let mut area = 0.0;
        for (i, p) in self.points.iter().enumerate() {
            let q = &self.points[(i + 1) % self.points.len()];
            area = add(area, mul(p.x, q.y)?)?;
            area = sub(area, mul(p.y, q.x)?)?;
        }
        div(area.abs(), 2.0).map(Some)
    }
    pub fn length(&self) -> Result<f64> {
        let mut length = 0.0;
        for s in segments(&self.points, self.closed) {
            length = add(length, s.length()?)?;
        }
        Ok(length)
    }
    /// on_ppath
    pub fn contains(&self, p: &Point) -> Result<bool> {
        if self.closed {
            return Ok(place(p, &self.points)? != Place::Outside);
        }
        for s in segments(&self.points, false) {
            work::charge(SIDE)?;
            if s.contains(p)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
    pub fn meets(&self, o: &Path) -> Result<bool> {
        if !Rect::around(&self.points).overlaps(&Rect::around(&o.points)) {
            return Ok(false);
        }
        any_meet(&self.points, self.closed, &o.points, o.closed)
    }
    pub fn distance(&self, o: &Path) -> Result<Option<f64>> {
        least_between(&self.points, self.closed, &o.points, o.closed)
    }
    pub fn distance_to(&self, p: &Point) -> Result<f64> {
        Ok(least_to(segments(&self.points, self.closed), p)?.unwrap_or(0.0))
    }
    pub fn each(&self, f: impl Fn(&Point) -> Result<Point>) -> Result<Path> {
        Ok(Path { closed: self.closed, points: each(&self.points, f)? })
    }
    pub fn polygon(&self) -> Result<Polygon> {
        if !self.closed {
            bail!(INVALID_PARAMETER_VALUE, "open path cannot be converted to polygon");
        }
        Ok(Polygon { points: self.points.clone() })
    }
}

impl Polygon {
    pub fn bounds(&self) -> Rect {
        Rect::around(&self.points)
    }
    pub fn contains_point(&self, p: &Point) -> Result<bool> {
        Ok(place(p, &self.points)? != Place::Outside)
    }
    /// poly_same: the same points in a circle, in either direction.
    pub fn same(&self, o: &Polygon) -> Result<bool> {
        let n = self.points.len();
        if n != o.points.len() {
            return Ok(false);
        }
        for i in (0..n).filter(|i| o.points[*i].same(&self.points[0])) {
            work::charge(n * 2)?;
            let forward = (1..n).all(|k| o.points[(i + k) % n].same(&self.points[k]));
            if forward || (1..n).all(|k| o.points[(i + n - k) % n].same(&self.points[k])) {
                return Ok(true);
            }
        }
        Ok(false)
    }
    pub fn overlaps(&self, o: &Polygon) -> Result<bool> {
        if !self.bounds().overlaps(&o.bounds()) {
            return Ok(false);
        }
        Ok(any_meet(&self.points, true, &o.points, true)?
            || o.contains_point(&self.points[0])?
            || self.contains_point(&o.points[0])?)
    }
    /// poly_contain_poly
    pub fn contains(&self, o: &Polygon) -> Result<bool> {
        if !self.bounds().contains(&o.bounds()) {
            return Ok(false);
        }
        for s in segments(&o.points, true) {
            if !self.contains_segment(&s[0], &s[1], 0, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// touched_lseg_inside_poly: `a` is on the side `s`, `b` is not.
    fn contains_touching(&self, a: &Point, b: &Point, s: &Lseg, start: usize, cuts: usize) -> Result<bool> {
        let t = [*a, *b];
        let other = match () {
            () if a.same(&s[0]) => t.contains(&s[1])?.then_some(s[1]),
            () if a.same(&s[1]) => t.contains(&s[0])?.then_some(s[0]),
            () if t.contains(&s[0])? => Some(s[0]),
            () if t.contains(&s[1])? => Some(s[1]),
            () => None,
        };
        match other {
            Some(p) => self.contains_segment(b, &p, start, cuts),
            None => Ok(true),
        }
    }
    /// lseg_inside_poly: looks at the sides from `start` on; where one crosses, at the pieces.
    fn contains_segment(&self, a: &Point, b: &Point, start: usize, cuts: usize) -> Result<bool> {
        if cuts > MAX_CUTS {
            bail!(STATEMENT_TOO_COMPLEX, "stack depth limit exceeded");
        }
        let (t, n) = ([*a, *b], self.points.len());
        let (mut within, mut crossed) = (true, false);
        let mut from = self.points[if start == 0 { n - 1 } else { start - 1 }];
        for i in start..n {
            if !within {
                break;
            }
            work::charge(SIDE)?;
            let s = [from, self.points[i]];
            if s.contains(&t[0])? {
                if s.contains(&t[1])? {
                    return Ok(true);
                }
                within = self.contains_touching(&t[0], &t[1], &s, i + 1, cuts + 1)?;
            } else if s.contains(&t[1])? {
                within = self.contains_touching(&t[1], &t[0], &s, i + 1, cuts + 1)?;
            } else if let Some(p) = t.meets(&s)? {
                crossed = true;
                within = self.contains_segment(&t[0], &p, i + 1, cuts + 1)?
                    && self.contains_segment(&t[1], &p, i + 1, cuts + 1)?;
            }
            from = s[1];
        }
        if within && !crossed {
            return self.contains_point(&t[0].middle(&t[1])?);
        }
        Ok(within)
    }
    pub fn distance(&self, o: &Polygon) -> Result<Option<f64>> {
        if self.overlaps(o)? {
            return Ok(Some(0.0));
        }
        least_between(&self.points, true, &o.points, true)
    }
    pub fn distance_to(&self, p: &Point) -> Result<f64> {
        if self.contains_point(p)? {
            return Ok(0.0);
        }
        // The side that closes it is looked at from its other end: with infinite numbers that counts.
        let closing = [self.points[0], self.points[self.points.len() - 1]];
        Ok(least_to([closing].into_iter().chain(segments(&self.points, false)), p)?.unwrap_or(0.0))
    }
    /// poly_to_circle: around the mean of the points, as far as they are in the mean.
    pub fn circle(&self) -> Result<Circle> {
        let n = self.points.len() as f64;
        let sum = self.points.iter().try_fold(Point { x: 0.0, y: 0.0 }, |c, p| c.plus(p))?;
        let center = Point { x: div(sum.x, n)?, y: div(sum.y, n)? };
        let mut radius = 0.0;
        for p in &self.points {
            radius = add(radius, p.distance(&center)?)?;
        }
        Ok(Circle { center, radius: div(radius, n)? })
    }
}

impl Circle {
    pub fn area(&self) -> Result<f64> {
        mul(mul(self.radius, self.radius)?, std::f64::consts::PI)
    }
    pub fn same(&self, o: &Circle) -> bool {
        let radius = (self.radius.is_nan() && o.radius.is_nan()) || float::eq(self.radius, o.radius);
        radius && self.center.same(&o.center)
    }
    pub fn overlaps(&self, o: &Circle) -> Result<bool> {
        Ok(float::le(self.center.distance(&o.center)?, add(self.radius, o.radius)?))
    }
    pub fn contains(&self, o: &Circle) -> Result<bool> {
        Ok(float::le(self.center.distance(&o.center)?, sub(self.radius, o.radius)?))
    }
    pub fn contains_point(&self, p: &Point) -> Result<bool> {
        Ok(self.center.distance(p)? <= self.radius)
    }
    pub fn distance(&self, o: &Circle) -> Result<f64> {
        let d = sub(self.center.distance(&o.center)?, add(self.radius, o.radius)?)?;
        Ok(if d < 0.0 { 0.0 } else { d })
    }
    pub fn distance_to(&self, p: &Point) -> Result<f64> {
        let d = sub(p.distance(&self.center)?, self.radius)?;
        Ok(if d < 0.0 { 0.0 } else { d })
    }
    pub fn times(&self, p: &Point) -> Result<Circle> {
        Ok(Circle { center: self.center.times(p)?, radius: mul(self.radius, hypot(p.x, p.y)?)? })
    }
    pub fn over(&self, p: &Point) -> Result<Circle> {
        Ok(Circle { center: self.center.over(p)?, radius: div(self.radius, hypot(p.x, p.y)?)? })
    }
    /// circle_box: the box within it.
    pub fn rect(&self) -> Result<Rect> {
        let delta = div(self.radius, std::f64::consts::SQRT_2)?;
        let c = &self.center;
        Ok(Rect {
            high: Point { x: add(c.x, delta)?, y: add(c.y, delta)? },
            low: Point { x: sub(c.x, delta)?, y: sub(c.y, delta)? },
        })
    }
    pub fn around(r: &Rect) -> Result<Circle> {
        let center = r.center()?;
        Ok(Circle { center, radius: center.distance(&r.high)? })
    }
    /// circle_poly
    pub fn polygon(&self, n: i32) -> Result<Polygon> {
        if float::zero(self.radius) {
            bail!(FEATURE_NOT_SUPPORTED, "cannot convert circle with radius zero to polygon");
        }
        if n < 2 {
            bail!(INVALID_PARAMETER_VALUE, "must request at least 2 points");
        }
        if n > (i32::MAX - 64) / 16 {
            bail!(PROGRAM_LIMIT_EXCEEDED, "too many points requested");
        }
        crate::memory::admit(n as usize * 16)?;
        let step = div(2.0 * std::f64::consts::PI, f64::from(n))?;
        let mut points = Vec::with_capacity(n as usize);
        for i in 0..n {
            work::charge(SIDE)?;
            let angle = mul(step, f64::from(i))?;
            points.push(Point {
                x: sub(self.center.x, mul(self.radius, angle.cos())?)?,
                y: add(self.center.y, mul(self.radius, angle.sin())?)?,
            });
        }
        Ok(Polygon { points })
    }
}
