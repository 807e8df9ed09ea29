//! Points, lines, segments and boxes: where they meet, how far apart they are, which point of one is nearest to another.
//!
//! A meeting point that is asked for is the answer's second part; all of it is float8's arithmetic with its errors.
use super::float::{self, add, div, hypot, mul, sub};
use super::{Line, Lseg, Point, Rect};
use crate::{Result, bail};

/// A number that is not minus zero.
fn plain(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { v }
}

impl Point {
    /// point_eq_point: within the tolerance; NaNs are equal only exactly.
    pub fn same(&self, o: &Point) -> bool {
        if self.x.is_nan() || self.y.is_nan() || o.x.is_nan() || o.y.is_nan() {
            return float::same(self.x, o.x) && float::same(self.y, o.y);
        }
        float::eq(self.x, o.x) && float::eq(self.y, o.y)
    }
    /// point_dt
    pub fn distance(&self, o: &Point) -> Result<f64> {
        hypot(sub(self.x, o.x)?, sub(self.y, o.y)?)
    }
    /// point_sl
    pub fn slope(&self, o: &Point) -> Result<f64> {
        if float::eq(self.x, o.x) {
            return Ok(f64::INFINITY);
        }
        if float::eq(self.y, o.y) {
            return Ok(0.0);
        }
        div(sub(self.y, o.y)?, sub(self.x, o.x)?)
    }
    /// point_invsl: of what is perpendicular.
    pub fn inverse_slope(&self, o: &Point) -> Result<f64> {
        if float::eq(self.x, o.x) {
            return Ok(0.0);
        }
        if float::eq(self.y, o.y) {
            return Ok(f64::INFINITY);
        }
        div(sub(self.x, o.x)?, sub(o.y, self.y)?)
    }
    pub fn plus(&self, o: &Point) -> Result<Point> {
        Ok(Point { x: add(self.x, o.x)?, y: add(self.y, o.y)? })
    }
    pub fn minus(&self, o: &Point) -> Result<Point> {
        Ok(Point { x: sub(self.x, o.x)?, y: sub(self.y, o.y)? })
    }
    /// As complex numbers.
    pub fn times(&self, o: &Point) -> Result<Point> {
        Ok(Point { x: sub(mul(self.x, o.x)?, mul(self.y, o.y)?)?, y: add(mul(self.x, o.y)?, mul(self.y, o.x)?)? })
    }
    pub fn over(&self, o: &Point) -> Result<Point> {
        let d = add(mul(o.x, o.x)?, mul(o.y, o.y)?)?;
        Ok(Point {
            x: div(add(mul(self.x, o.x)?, mul(self.y, o.y)?)?, d)?,
            y: div(sub(mul(self.y, o.x)?, mul(self.x, o.y)?)?, d)?,
        })
    }
    pub fn middle(&self, o: &Point) -> Result<Point> {
        Ok(Point { x: div(add(self.x, o.x)?, 2.0)?, y: div(add(self.y, o.y)?, 2.0)? })
    }
}

impl Line {
    /// line_construct: through a point, of a slope.
    pub fn through(p: &Point, slope: f64) -> Result<Line> {
        Ok(match slope {
            m if m.is_infinite() => Line { a: -1.0, b: 0.0, c: p.x },
            0.0 => Line { a: 0.0, b: -1.0, c: p.y },
            m => Line { a: m, b: -1.0, c: plain(sub(p.y, mul(m, p.x)?)?) },
        })
    }
    pub fn of_points(p: &Point, q: &Point) -> Result<Line> {
        if p.same(q) {
            bail!(INVALID_PARAMETER_VALUE, "invalid line specification: must be two distinct points");
        }
        Line::through(p, p.slope(q)?)
    }
    fn of_segment(s: &Lseg) -> Result<Line> {
        Line::through(&s[0], s[0].slope(&s[1])?)
    }
    pub fn slope(&self) -> Result<f64> {
        match () {
            () if float::zero(self.a) => Ok(0.0),
            () if float::zero(self.b) => Ok(f64::INFINITY),
            () => div(self.a, -self.b),
        }
    }
    fn inverse_slope(&self) -> Result<f64> {
        match () {
            () if float::zero(self.a) => Ok(f64::INFINITY),
            () if float::zero(self.b) => Ok(0.0),
            () => div(self.b, self.a),
        }
    }
    /// line_eq
    pub fn same(&self, o: &Line) -> Result<bool> {
        if [self.a, self.b, self.c, o.a, o.b, o.c].iter().any(|v| v.is_nan()) {
            return Ok(float::same(self.a, o.a) && float::same(self.b, o.b) && float::same(self.c, o.c));
        }
        let ratio = match () {
            () if !float::zero(o.a) => div(self.a, o.a)?,
            () if !float::zero(o.b) => div(self.b, o.b)?,
            () if !float::zero(o.c) => div(self.c, o.c)?,
            () => 1.0,
        };
        Ok(float::eq(self.a, mul(ratio, o.a)?)
            && float::eq(self.b, mul(ratio, o.b)?)
            && float::eq(self.c, mul(ratio, o.c)?))
    }
    pub fn is_perpendicular(&self, o: &Line) -> Result<bool> {
        Ok(match () {
            () if float::zero(self.a) => float::zero(o.b),
            () if float::zero(o.a) => float::zero(self.b),
            () if float::zero(self.b) => float::zero(o.a),
            () if float::zero(o.b) => float::zero(self.a),
            () => float::eq(div(mul(self.a, o.a)?, mul(self.b, o.b)?)?, -1.0),
        })
    }
    pub fn contains(&self, p: &Point) -> Result<bool> {
        Ok(float::zero(add(add(mul(self.a, p.x)?, mul(self.b, p.y)?)?, self.c)?))
    }
    /// line_interpt_line: where they cross; None: parallel.
    pub fn meets(&self, o: &Line) -> Result<Option<Point>> {
        // The one that is not vertical gives y.
        let cross = |l: &Line, m: &Line| -> Result<Option<Point>> {
            if float::eq(m.a, mul(l.a, div(m.b, l.b)?)?) {
                return Ok(None);
            }
            let x = div(sub(mul(l.b, m.c)?, mul(m.b, l.c)?)?, sub(mul(l.a, m.b)?, mul(m.a, l.b)?)?)?;
            let y = div(-add(mul(l.a, x)?, l.c)?, l.b)?;
            Ok(Some(Point { x: plain(x), y: plain(y) }))
        };
        if !float::zero(self.b) {
            cross(self, o)
        } else if !float::zero(o.b) {
            cross(o, self)
        } else {
            Ok(None)
        }
    }
    pub fn distance(&self, o: &Line) -> Result<f64> {
        if self.meets(o)?.is_some() {
            return Ok(0.0);
        }
        let usable = |v: f64| !float::zero(v) && !v.is_nan();
        let ratio = match () {
            () if usable(self.a) && usable(o.a) => div(self.a, o.a)?,
            () if usable(self.b) && usable(o.b) => div(self.b, o.b)?,
            () => 1.0,
        };
        div(sub(self.c, mul(ratio, o.c)?)?.abs(), hypot(self.a, self.b)?)
    }
    /// line_closept_point: the foot of the perpendicular, and how far it is; NaN where none is found.
    pub fn nearest(&self, p: &Point) -> Result<(f64, Point)> {
        let perpendicular = Line::through(p, self.inverse_slope()?)?;
        match perpendicular.meets(self)? {
            None => Ok((f64::NAN, *p)),
            Some(q) => Ok((q.distance(p)?, q)),
        }
    }
}

/// What segments do.
pub trait Segment {
    fn slope(&self) -> Result<f64>;
    fn length(&self) -> Result<f64>;
    fn contains(&self, p: &Point) -> Result<bool>;
    fn meets_line(&self, l: &Line) -> Result<Option<Point>>;
    fn meets(&self, o: &Lseg) -> Result<Option<Point>>;
    fn nearest(&self, p: &Point) -> Result<(f64, Point)>;
    fn nearest_to_line(&self, l: &Line) -> Result<(f64, Point)>;
    fn nearest_to(&self, o: &Lseg) -> Result<(f64, Point)>;
}
impl Segment for Lseg {
    fn slope(&self) -> Result<f64> {
        self[0].slope(&self[1])
    }
    fn length(&self) -> Result<f64> {
        self[0].distance(&self[1])
    }
    /// lseg_contain_point
    fn contains(&self, p: &Point) -> Result<bool> {
        Ok(float::eq(add(p.distance(&self[0])?, p.distance(&self[1])?)?, self.length()?))
    }
    /// lseg_interpt_line
    fn meets_line(&self, l: &Line) -> Result<Option<Point>> {
        let Some(p) = Line::of_segment(self)?.meets(l)? else { return Ok(None) };
        if !self.contains(&p)? {
            return Ok(None);
        }
        Ok(Some(self.iter().find(|e| e.same(&p)).copied().unwrap_or(p)))
    }
    /// lseg_interpt_lseg
    fn meets(&self, o: &Lseg) -> Result<Option<Point>> {
        let Some(p) = self.meets_line(&Line::of_segment(o)?)? else { return Ok(None) };
        Ok(if o.contains(&p)? { Some(p) } else { None })
    }
    /// lseg_closept_point
    fn nearest(&self, p: &Point) -> Result<(f64, Point)> {
        let perpendicular = Line::through(p, self[0].inverse_slope(&self[1])?)?;
        let (_, q) = self.nearest_to_line(&perpendicular)?;
        Ok((q.distance(p)?, q))
    }
    /// lseg_closept_line
    fn nearest_to_line(&self, l: &Line) -> Result<(f64, Point)> {
        if let Some(p) = self.meets_line(l)? {
            return Ok((0.0, p));
        }
        let (a, b) = (l.nearest(&self[0])?.0, l.nearest(&self[1])?.0);
        Ok(if a < b { (a, self[0]) } else { (b, self[1]) })
    }
    /// lseg_closept_lseg: the point of this one.
    fn nearest_to(&self, o: &Lseg) -> Result<(f64, Point)> {
        if let Some(p) = self.meets(o)? {
            return Ok((0.0, p));
        }
        let mut best = self.nearest(&o[0])?;
        let mut consider = |(d, p): (f64, Point)| {
            if float::less(d, best.0) {
                best = (d, p);
            }
        };
        consider(self.nearest(&o[1])?);
        consider((o.nearest(&self[0])?.0, self[0]));
        consider((o.nearest(&self[1])?.0, self[1]));
        Ok(best)
    }
}

impl Rect {
    /// Of any two opposite corners.
    pub fn new(a: Point, b: Point) -> Rect {
        let order = |a: f64, b: f64| if float::less(b, a) { (a, b) } else { (b, a) };
        let ((hx, lx), (hy, ly)) = (order(a.x, b.x), order(a.y, b.y));
        Rect { high: Point { x: hx, y: hy }, low: Point { x: lx, y: ly } }
    }
    /// The least one around points.
    pub fn around(points: &[Point]) -> Rect {
        let first = points.first().copied().unwrap_or(Point { x: 0.0, y: 0.0 });
        points.iter().fold(Rect { high: first, low: first }, |r, p| Rect {
            high: Point { x: float::max(p.x, r.high.x), y: float::max(p.y, r.high.y) },
            low: Point { x: float::min(p.x, r.low.x), y: float::min(p.y, r.low.y) },
        })
    }
    pub fn overlaps(&self, o: &Rect) -> bool {
        float::le(self.low.x, o.high.x)
            && float::le(o.low.x, self.high.x)
            && float::le(self.low.y, o.high.y)
            && float::le(o.low.y, self.high.y)
    }
    pub fn contains(&self, o: &Rect) -> bool {
        float::ge(self.high.x, o.high.x)
            && float::le(self.low.x, o.low.x)
            && float::ge(self.high.y, o.high.y)
            && float::le(self.low.y, o.low.y)
    }
    /// box_contain_point, exactly.
    pub fn contains_point(&self, p: &Point) -> bool {
        self.high.x >= p.x && self.low.x <= p.x && self.high.y >= p.y && self.low.y <= p.y
    }
    pub fn center(&self) -> Result<Point> {
        self.high.middle(&self.low)
    }
    pub fn width(&self) -> Result<f64> {
        sub(self.high.x, self.low.x)
    }
    pub fn height(&self) -> Result<f64> {
        sub(self.high.y, self.low.y)
    }
    pub fn area(&self) -> Result<f64> {
        mul(self.width()?, self.height()?)
    }
    pub fn sides(&self) -> [Lseg; 4] {
        let (upper_left, lower_right) =
            (Point { x: self.low.x, y: self.high.y }, Point { x: self.high.x, y: self.low.y });
        [[self.low, upper_left], [self.high, upper_left], [self.low, lower_right], [self.high, lower_right]]
    }
    pub fn intersection(&self, o: &Rect) -> Option<Rect> {
        self.overlaps(o).then(|| Rect {
            high: Point { x: float::min(self.high.x, o.high.x), y: float::min(self.high.y, o.high.y) },
            low: Point { x: float::max(self.low.x, o.low.x), y: float::max(self.low.y, o.low.y) },
        })
    }
    pub fn bound(&self, o: &Rect) -> Rect {
        Rect {
            high: Point { x: float::max(self.high.x, o.high.x), y: float::max(self.high.y, o.high.y) },
            low: Point { x: float::min(self.low.x, o.low.x), y: float::min(self.low.y, o.low.y) },
        }
    }
    /// inter_lb
    pub fn meets_line(&self, l: &Line) -> Result<bool> {
        for s in self.sides() {
            if s.meets_line(l)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
    /// box_interpt_lseg: do they meet, and at which point of the segment?
    pub fn meets(&self, s: &Lseg) -> Result<Option<Point>> {
        let around = Rect {
            high: Point { x: float::max(s[0].x, s[1].x), y: float::max(s[0].y, s[1].y) },
            low: Point { x: float::min(s[0].x, s[1].x), y: float::min(s[0].y, s[1].y) },
        };
        if !around.overlaps(self) {
            return Ok(None);
        }
        let mut met = self.contains_point(&s[0]) || self.contains_point(&s[1]);
        for side in self.sides() {
            met = met || side.meets(s)?.is_some();
        }
        Ok(if met { Some(s.nearest(&self.center()?)?.1) } else { None })
    }
    pub fn nearest(&self, p: &Point) -> Result<(f64, Point)> {
        if self.contains_point(p) {
            return Ok((0.0, *p));
        }
        least(self.sides().iter().map(|s| s.nearest(p)))
    }
    pub fn nearest_to(&self, s: &Lseg) -> Result<(f64, Point)> {
        match self.meets(s)? {
            Some(p) => Ok((0.0, p)),
            None => least(self.sides().iter().map(|side| side.nearest_to(s))),
        }
    }
}
/// The first of the least distances.
fn least(all: impl Iterator<Item = Result<(f64, Point)>>) -> Result<(f64, Point)> {
    let mut best: Option<(f64, Point)> = None;
    for one in all {
        let one = one?;
        if best.is_none_or(|b| float::less(one.0, b.0)) {
            best = Some(one);
        }
    }
    Ok(best.unwrap_or((0.0, Point { x: 0.0, y: 0.0 })))
}
